//! Who reads a session: up to four attaches of one running program side by side, and how one is ended.

use std::sync::Arc;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering;

use vyre_proto::ids::ClientId;
use vyre_proto::limits::ATTACHES_PER_CLIENT;
use vyre_proto::pb::stream::ByeReason;

use crate::rules::reader::Asked;

/// How to attach a reader.
#[derive(Debug, Clone, Copy, Default)]
pub struct AttachRequest {
    /// Where to begin.
    pub asked: Asked,
    /// Replay every frame by itself.
    pub unmerged: bool,
    /// The running program and the number of its attempt; more than four of one client end the lowest.
    pub client: Option<(ClientId, u64)>,
}

/// One attach, seen from both sides: the session may end it, the reader looks.
#[derive(Debug, Default)]
pub(crate) struct Ending(AtomicU8);

impl Ending {
    /// Ends the reader at its next look.
    pub(crate) fn end(&self, reason: ByeReason) {
        self.0.store(reason as u8, Ordering::Release);
    }

    /// Why the reader is to end, if it is.
    pub(crate) fn reason(&self) -> Option<ByeReason> {
        match self.0.load(Ordering::Acquire) {
            0 => None,
            n => ByeReason::try_from(i32::from(n)).ok(),
        }
    }
}

/// The running program that attached, with the number of its attempt, where it said so; and how to end it.
type Attach = (Option<(ClientId, u64)>, Arc<Ending>);

/// The attaches of one session.
#[derive(Debug, Default)]
pub(crate) struct Attaches {
    all: Vec<Attach>,
}

impl Attaches {
    /// Adds one. Where the client has too many, the one with the lowest attempt ends: true, and readers are to look.
    pub(crate) fn add(&mut self, client: Option<(ClientId, u64)>) -> (Arc<Ending>, bool) {
        let ending = Arc::new(Ending::default());
        self.all.push((client, ending.clone()));
        let Some((client, _)) = client else { return (ending, false) };
        let of_client = |(c, e): &&Attach| c.is_some_and(|(c, _)| c == client) && e.reason().is_none();
        if self.all.iter().filter(of_client).count() <= ATTACHES_PER_CLIENT {
            return (ending, false);
        }
        if let Some((_, lowest)) = self.all.iter().filter(of_client).min_by_key(|(c, _)| c.map(|(_, attempt)| attempt))
        {
            lowest.end(ByeReason::Replaced);
        }
        (ending, true)
    }

    /// Ends all of them.
    pub(crate) fn end_all(&self, reason: ByeReason) {
        self.all.iter().for_each(|(_, e)| e.end(reason));
    }

    /// Takes one away that has ended.
    pub(crate) fn remove(&mut self, ending: &Arc<Ending>) {
        if let Some(i) = self.all.iter().position(|(_, e)| Arc::ptr_eq(e, ending)) {
            self.all.swap_remove(i);
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHONE: ClientId = ClientId([1; 16]);
    const OTHER: ClientId = ClientId([2; 16]);

    #[test]
    fn a_fifth_attach_of_one_client_ends_the_lowest_attempt() {
        let mut all = Attaches::default();
        let held: Vec<_> = [7, 3, 5, 9].iter().map(|n| all.add(Some((PHONE, *n)))).collect();
        assert!(held.iter().all(|(_, looked)| !looked));
        let (fifth, look) = all.add(Some((PHONE, 8)));
        assert!(look && fifth.reason().is_none());
        let ended: Vec<_> = held.iter().map(|(e, _)| e.reason()).collect();
        assert_eq!(ended, [None, Some(ByeReason::Replaced), None, None]);
    }

    #[test]
    fn different_clients_never_replace_each_other() {
        let mut all = Attaches::default();
        for n in 0..4 {
            all.add(Some((PHONE, n)));
            all.add(Some((OTHER, n)));
            all.add(None);
        }
        assert!(all.all.iter().all(|(_, e)| e.reason().is_none()));
        assert_eq!(all.count(), 12);
    }

    #[test]
    fn an_attach_that_left_makes_room() {
        let mut all = Attaches::default();
        let (first, _) = all.add(Some((PHONE, 0)));
        (1..4).for_each(|n| drop(all.add(Some((PHONE, n)))));
        all.remove(&first);
        assert!(!all.add(Some((PHONE, 4))).1);
    }
}
