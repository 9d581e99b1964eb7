//! What time does to sessions: those that nobody uses are let go.

use std::time::Duration;

use crate::session::Sessions;

/// How often it looks.
const EVERY: Duration = Duration::from_secs(30);

/// A session without readers and without an event for this long is let go.
const IDLE_MICROS: u64 = 300 * 1_000_000;

impl Sessions {
    /// Runs until it is dropped: whoever starts the box owns it.
    pub async fn sweep(&self) {
        let mut every = tokio::time::interval(EVERY);
        loop {
            every.tick().await;
            self.sweep_once();
        }
    }

    /// Lets go of what is idle now.
    pub fn sweep_once(&self) {
        let now = self.0.clock.wall();
        let idle: Vec<_> = self
            .running()
            .into_iter()
            .filter(|s| {
                let state = s.0.lock();
                // A clock that was set back makes a session look young, never old.
                let quiet = now.0.saturating_sub(state.last_event.0) > IDLE_MICROS;
                state.attaches.count() == 0 && !state.waiting() && quiet
            })
            .map(|s| s.id().clone())
            .collect();
        for id in idle {
            self.let_go(&id);
        }
    }
}
