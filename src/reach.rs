//! Where this box answers now: the edges write it, `stream.open` tells it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::PoisonError;
use std::sync::RwLock;

/// Through which door a path leads. In the order in which a client should try them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Door {
    /// QUIC straight to the box.
    Quic,
    /// HTTP and WebSocket straight to the box.
    Http,
    /// Through this relay, by its place in the settings.
    Relay(usize),
}

/// The addresses on which this box answers now. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Reach(Arc<RwLock<BTreeMap<Door, String>>>);

impl Reach {
    /// Nowhere yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// This door answers at this address.
    pub fn open(&self, door: Door, address: String) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(door, address);
    }

    /// This door does not answer any more.
    pub fn close(&self, door: Door) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).remove(&door);
    }

    /// All of them, the best first.
    pub fn paths(&self) -> Vec<String> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_come_in_the_order_in_which_to_try_them() {
        let reach = Reach::new();
        reach.open(Door::Relay(0), "relay".into());
        reach.open(Door::Http, "http".into());
        reach.open(Door::Quic, "quic".into());
        assert_eq!(reach.paths(), ["quic", "http", "relay"]);

        reach.close(Door::Quic);
        assert_eq!(reach.paths(), ["http", "relay"]);
    }
}
