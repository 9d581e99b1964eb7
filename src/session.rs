//! Sessions as they run: publish into one, read from one.
//!
//! A [`Session`] is a cheap handle. Its rules stand behind one short lock, never held over a wait: what is appended is
//! shown at once and on disk soon after (see [`Sessions::durable`]). A [`Reader`] owns a cursor and never a queue:
//! behind the head it reads the log, at the head it waits for the head to move.

mod act;
mod attach;
mod bell;
mod drawn;
mod expire;
mod history;
mod hold;
mod load;
mod once;
mod people;
mod publish;
mod reader;
mod registry;
mod reply;
mod state;
mod sweep;
#[cfg(test)]
mod tests;

use vyre_proto::event::EventError;
use vyre_proto::ids::IdError;
use vyre_proto::ids::SessionId;

pub use act::ActError;
pub use act::Addressed;
pub use act::Decided;
pub use act::Events;
pub use act::Known;
pub use act::Notice;
pub use act::Picked;
pub use attach::AttachRequest;
pub use attach::Right;
pub use attach::Stay;
pub use history::Page;
pub use hold::Hold;
pub use once::Call;
pub use people::ReadError;
pub use publish::Submitted;
pub use reader::Reader;
pub use registry::Session;
pub use registry::Sessions;
pub use reply::ReplyError;
pub use reply::ReplyHandle;
pub use reply::ReplyPiece;

pub use crate::rules::reader::Asked;
pub use crate::rules::reader::Bounds;
pub use crate::store::CommitSeq;
pub use crate::store::Durable;
pub use crate::store::NotDurable;

/// Why a session cannot be had.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SessionError {
    /// There is none of this name.
    #[error("there is no such session")]
    NotFound,
    /// The store does not answer or the box is stopping.
    #[error("the box cannot open this session now: {reason}")]
    Unavailable {
        /// Why.
        reason: String,
    },
}

/// Why one event was refused.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PublishError {
    /// It is not a valid event.
    #[error(transparent)]
    Invalid(#[from] EventError),
    /// A name in it is not an id.
    #[error(transparent)]
    Id(#[from] IdError),
    /// Only `thread.started` makes a session.
    #[error("there is no session {session}; publish its thread.started first")]
    UnknownSession {
        /// The session it names.
        session: SessionId,
    },
    /// The store refuses for now: disk full or stalled. Send it again.
    #[error("the box cannot store events now: {reason}; keep the event and send it again")]
    Unavailable {
        /// Why.
        reason: String,
    },
}
