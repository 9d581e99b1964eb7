//! What time does to sessions: messages that nobody goes on with are cut, sessions that nobody uses are let go.

use std::time::Duration;

use crate::session::Session;
use crate::session::Sessions;
use crate::session::Submitted;

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
        let old = async {
            let mut every = tokio::time::interval(EVERY);
            let mut next = None;
            loop {
                every.tick().await;
                next = self.expire_all(next).await;
            }
        };
        tokio::join!(sweep, old, self.tell_people());
    }

    /// Does what is due now.
    pub async fn sweep_once(&self) {
        let tick = self.0.clock.tick();
        for session in self.running() {
            let idle = {
                let state = session.0.lock();
                let in_use = state.attaches.count() > 0 || state.waiting() || state.has_left_open();
                !in_use && tick.since(state.heard) > IDLE
            };
            if !self.give_up(&session).await && idle {
                let id = session.id().clone();
                drop(session);
                self.let_go(&id);
            }
        }
    }

    /// Gives up the replies in this session that nobody goes on with, if it is time. True: there were some.
    pub(crate) async fn give_up(&self, session: &Session) -> bool {
        if session.0.lock().overdue(session.id(), self.0.clock.tick()).is_empty() {
            return false;
        }
        // Whatever is appended, what is overdue comes first: nothing is enough.
        let (_, error) = self.append(session, &[], &mut Submitted::default()).await;
        if error.is_some() {
            tracing::warn!(session = %session.id(), "replies that nobody goes on with could not be given up yet");
        }
        true
    }
}
