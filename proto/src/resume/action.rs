//! The words between the machine and its driver: what to do, what happened, and how it stands.

use std::time::Duration;

use super::AttemptId;
use crate::cursor::Cursor;
use crate::cursor::Span;
use crate::frame::Frame;
use crate::ids::LogId;
use crate::pb::stream as pb;

/// Where a reader is: kept, sent, stored and reset as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Position {
    /// The newest cursor delivered. Zero: from the oldest frame held.
    pub last: Cursor,
    /// The log that `last` counts in. `None`: not known yet.
    pub log: Option<LogId>,
    /// The rule under which the rows were shown. `None`: not known yet.
    pub view: Option<u64>,
}

/// What to do.
#[allow(clippy::large_enum_variant)] // Nearly all of them are frames: a box for each would cost more than it saves.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Give this to the fold: a logged frame that is new, a `reset`, or an ephemeral. The position has moved with it.
    Deliver(Frame),
    /// Open a stream that asks from `at`, by itself: no ticket is ever shared with another attempt.
    Open {
        /// Name it by this from now on.
        attempt: AttemptId,
        /// Ask from here.
        at: Position,
    },
    /// Drop this attempt now, without waiting for a farewell. Nothing that it still says is wanted.
    Close {
        /// The one.
        attempt: AttemptId,
    },
    /// Make the other side answer (a ping); call [`handle_life`](super::Resume::handle_life) when it does.
    Probe {
        /// The one.
        attempt: AttemptId,
    },
    /// Show this.
    State(State),
    /// These cursors cannot be had. If they are a hole and not a tail, a `lost` frame over them is delivered next.
    Missing(Span),
    /// The box names other addresses of its own.
    Paths(Vec<String>),
}

/// How the stream is, for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// A stream is up. Told again with each stream.
    Live {
        /// The log's head when the stream began: up to here it is replay.
        head: Cursor,
    },
    /// Attempts are being made.
    Reconnecting(Why),
    /// No attempt will be made any more.
    Ended(End),
}

/// Why there is no live stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It is the first attempt.
    First,
    /// The connection could not be made, or broke.
    Broken,
    /// What came is no stream of frames.
    Protocol,
    /// Nothing came for too long.
    Silent,
    /// Frames were missing between two others.
    Gap,
    /// The other side cannot serve now.
    Refused(pb::ErrorCode),
    /// The other side said that it ends this stream.
    Bye(pb::ByeReason),
}

/// Why no attempt will be made any more.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum End {
    /// Refused for good: who asks may not read this, or it is not there.
    #[error("{message}")]
    Refused {
        /// Which refusal.
        code: pb::ErrorCode,
        /// What the box says about it.
        message: String,
    },
    /// The right to read this was taken away.
    #[error("this session may no longer be read")]
    Denied,
    /// Another program reads under this client's name.
    #[error("another program reads this session in this one's place")]
    Replaced,
}

/// How an attempt ended, where it did not say `bye`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It could not be made, was cut or closed, or its answer was not the box's. Tried again.
    Broken,
    /// `stream.open` was answered with an error. Final where the error is about the caller or the session.
    Refused {
        /// The box's code.
        code: pb::ErrorCode,
        /// Its sentence.
        message: String,
        /// When to come back, if it says so. Zero: it does not.
        retry_after: Duration,
    },
    /// The box cannot be had now and says when to come back; a spent ticket, too, is this, with zero.
    Later {
        /// Which refusal.
        code: pb::ErrorCode,
        /// As in [`Ending::Refused`].
        retry_after: Duration,
    },
}

/// What happened outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nudge {
    /// The person did something: is the line there?
    Person,
    /// Another network, or another address.
    Network,
    /// The machine woke, or the program came to the front. Also for a clock that jumped.
    Wake,
}
