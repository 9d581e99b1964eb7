//! Something open that stands on a person's right in a session: it is told when that right ends.

use std::fmt;
use std::sync::Arc;

use vyre_proto::ids::ClientId;
use vyre_proto::pb::stream::ByeReason;

use crate::rules::viewer::Class;
use crate::session::Right;
use crate::session::Session;
use crate::session::attach::Ending;

/// A hold on a session for what is no reader of it, as a screen on a terminal. Ends when it is dropped.
pub struct Hold {
    session: Session,
    ending: Arc<Ending>,
}

impl fmt::Debug for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hold({})", self.session.id())
    }
}

impl Session {
    /// A hold on this right.
    pub fn hold(&self, right: Right) -> Hold {
        let (ending, _) = enter(self, None, Some(right));
        Hold { session: self.clone(), ending }
    }
}

impl Hold {
    /// Waits until the right has ended, or the box stops: which of them it was. Cancel-safe.
    pub async fn ended(&self) -> ByeReason {
        loop {
            // Somebody who goes is a frame in the log: by that all look.
            let (pokes, head) = (self.session.0.bell.pokes(), self.session.bounds().head);
            if let Some(reason) = self.ending.reason() {
                return reason;
            }
            self.session.0.bell.rung(head, pokes).await;
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.session.0.lock().attaches.remove(&self.ending);
    }
}

/// Enters an attach, and says what it may see. One whose right has ended meanwhile is ended at once.
pub(super) fn enter(session: &Session, client: Option<(ClientId, u64)>, right: Option<Right>) -> (Arc<Ending>, Class) {
    let token = right.as_ref().and_then(|r| r.stay.who().token());
    let (ending, look, class) = {
        let mut state = session.0.lock();
        let gone = right.as_ref().is_some_and(|r| !state.is_in(&r.stay));
        let class = right.as_ref().map_or_else(Class::everything, |r| state.class_of(&r.stay, r.roles.clone()));
        let (ending, look) = state.attaches.add(client, right);
        // Asked once the attach is there: whoever takes a token back after this finds it.
        let signed_out = token.is_some_and(|id| session.0.store.is_revoked(id));
        if gone || signed_out {
            ending.end(ByeReason::Denied);
        } else if state.stopping {
            ending.end(ByeReason::Restart);
        }
        (ending, look, class)
    };
    if look {
        session.0.poke();
    }
    (ending, class)
}
