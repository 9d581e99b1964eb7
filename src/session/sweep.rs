//! What time does to sessions: messages that nobody goes on with are cut, sessions that nobody uses are let go.

use std::time::Duration;

use crate::session::Sessions;

/// How often it looks.
const EVERY: Duration = Duration::from_secs(10);

/// A session without readers and without an event for this long is let go.
const IDLE: Duration = Duration::from_secs(300);

impl Sessions {
    /// Runs until it is dropped: whoever starts the box owns it.
    pub async fn sweep(&self) {
        let sweep = async {
            let mut every = tokio::time::interval(EVERY);
            loop {
                every.tick().await;
                self.sweep_once().await;
            }
        };
        tokio::join!(sweep, self.tell_people());
    }

    /// Does what is due now.
    pub async fn sweep_once(&self) {
        let tick = self.0.clock.tick();
        for session in self.running() {
            let (overdue, idle) = {
                let mut state = session.0.lock();
                let in_use = state.attaches.count() > 0 || state.waiting() || state.has_left_open();
                let idle = !in_use && tick.since(state.heard) > IDLE;
                (state.overdue(session.id(), tick), idle)
            };
            if !overdue.is_empty() {
                let done = self.submit(overdue).await;
                if !done.refused.is_empty() {
                    tracing::warn!(session = %session.id(), "messages that nobody goes on with could not be cut yet");
                }
            } else if idle {
                let id = session.id().clone();
                drop(session);
                self.let_go(&id);
            }
        }
    }
}
