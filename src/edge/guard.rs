//! What every door shares: who comes in, how many at once, and how all are let out.
//!
//! [`Doors`] belongs to one box. A connection is admitted first, by its address alone, and holds its [`Guest`] as long
//! as it stands. Who calls is asked after that: a bearer token, or a ticket, which is spent here and nowhere else.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use tokio::sync::Notify;
use tokio::sync::watch;

use crate::edge::origin::Pages;
use crate::rules::caller::Caller;
use crate::tools::Tools;
use crate::tools::error::ToolError;

/// How many may stand at the doors at once.
#[derive(Debug, Clone, Copy)]
pub struct DoorLimits {
    /// Connections and carried streams in all.
    pub all: usize,
    /// Connections from one address. A household behind one address has dozens; a test on one machine thousands.
    pub per_address: usize,
}

impl Default for DoorLimits {
    fn default() -> Self {
        Self { all: 20_000, per_address: 16_384 }
    }
}

/// What the doors of one box share. Cheap to clone.
#[derive(Clone)]
pub struct Doors(Arc<Inner>);

struct Inner {
    tools: Tools,
    pages: Pages,
    limits: DoorLimits,
    inside: Mutex<Inside>,
    left: Notify,
    stop: watch::Sender<bool>,
}

#[derive(Default)]
struct Inside {
    all: usize,
    of_address: HashMap<IpAddr, usize>,
}

/// Somebody who was admitted. Leaves when dropped.
pub struct Guest {
    doors: Doors,
    address: Option<IpAddr>,
}

impl Doors {
    /// Doors to these tools.
    pub fn new(tools: Tools, pages: Pages, limits: DoorLimits) -> Self {
        let (inside, left, stop) = (Mutex::default(), Notify::new(), watch::Sender::new(false));
        Self(Arc::new(Inner { tools, pages, limits, inside, left, stop }))
    }

    /// What stands behind the doors.
    pub fn tools(&self) -> &Tools {
        &self.0.tools
    }

    /// Which pages may talk to this box.
    pub fn pages(&self) -> &Pages {
        &self.0.pages
    }

    /// Lets one in, unless there are too many. `address` is `None` for what a relay carried: it has limits of its own.
    pub fn admit(&self, address: Option<IpAddr>) -> Option<Guest> {
        let mut inside = self.inside();
        if *self.0.stop.borrow() || inside.all >= self.0.limits.all {
            return None;
        }
        if let Some(ip) = address {
            let of_address = inside.of_address.entry(ip).or_default();
            if *of_address >= self.0.limits.per_address {
                return None;
            }
            *of_address += 1;
        }
        inside.all += 1;
        Some(Guest { doors: self.clone(), address })
    }

    /// How many are in.
    pub fn count(&self) -> usize {
        self.inside().all
    }

    /// Whose bearer token this is.
    pub fn caller(&self, token: &str) -> Result<Caller, ToolError> {
        self.0.tools.caller_of(token).ok_or_else(|| {
            ToolError::unauthenticated("this token is not known to this box; make one with `vyre token`")
        })
    }

    /// Lets nobody in any more and tells those who are in to leave.
    pub fn close(&self) {
        self.0.stop.send_replace(true);
    }

    /// Whether the doors are closed.
    pub fn is_closed(&self) -> bool {
        *self.0.stop.borrow()
    }

    /// Waits until the doors are closed. Cancel-safe.
    pub async fn closed(&self) {
        // The sender lives as long as `self`.
        let _ = self.0.stop.subscribe().wait_for(|stop| *stop).await;
    }

    /// Waits until everybody has left. Cancel-safe.
    pub async fn empty(&self) {
        loop {
            let left = self.0.left.notified();
            if self.count() == 0 {
                return;
            }
            left.await;
        }
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut inside = self.doors.inside();
        inside.all = inside.all.saturating_sub(1);
        if let Some(ip) = self.address
            && let Some(n) = inside.of_address.get_mut(&ip)
        {
            *n = n.saturating_sub(1);
            if *n == 0 {
                inside.of_address.remove(&ip);
            }
        }
        if inside.all == 0 {
            self.doors.0.left.notify_waiters();
        }
    }
}
