//! Sessions as they run: publish into one, read from one.
//!
//! A [`Session`] is a cheap handle. Its rules stand behind one short lock; what is appended is shown at once and on disk
//! soon after (see [`Sessions::durable`]). A [`Reader`] owns a cursor and never a queue: behind the head it reads the
//! log, at the head it waits for the head to move.

use bytes::Bytes;
use vyre_proto::cursor::Cursor;
use vyre_proto::event::Event;
use vyre_proto::event::EventError;
use vyre_proto::ids::Author;
use vyre_proto::ids::ClientId;
use vyre_proto::ids::IdError;
use vyre_proto::ids::LogId;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;

use crate::clock::Clock;
use crate::store::Store;

/// All sessions of this box. Cheap to clone.
#[derive(Clone)]
pub struct Sessions(std::sync::Arc<()>);

/// One session. Cheap to clone.
#[derive(Clone)]
pub struct Session(std::sync::Arc<()>);

/// Where a log stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Its identity.
    pub log: LogId,
    /// The oldest frame held. Above the head by one where none is.
    pub floor: Cursor,
    /// The newest frame.
    pub head: Cursor,
}

/// Where a reader wants to begin, in the words of whoever asks: nothing here is trusted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked {
    /// The newest cursor shown; may be anything.
    pub from: u64,
    /// The log that `from` belongs to, where the reader knows.
    pub log: Option<LogId>,
    /// The version of the view under which it was shown.
    pub view: Option<u64>,
}

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
#[derive(Debug, thiserror::Error)]
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
    /// The same id came before with other content.
    #[error("event {id} was published before with other content")]
    Conflict {
        /// Its id.
        id: String,
    },
    /// A frame of it would be over the record limit.
    #[error("the event's frame has {len} bytes; the limit is {max}")]
    TooLarge {
        /// Bytes of the frame.
        len: usize,
        /// The limit.
        max: usize,
    },
    /// The store refuses for now: disk full or stalled. Send it again.
    #[error("the box cannot store events now: {reason}; keep the event and send it again")]
    Unavailable {
        /// Why.
        reason: String,
    },
}

/// A place in the order of commits: durable once [`Durable`] has reached it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct CommitSeq(pub u64);

/// What became of a batch of events.
#[derive(Debug, Default)]
pub struct Submitted {
    /// Logged now.
    pub accepted: u64,
    /// Known before.
    pub duplicates: u64,
    /// Refused, each with its place in the batch.
    pub refused: Vec<(usize, PublishError)>,
    /// All that was accepted or known is durable once this is reached. Grows from call to call.
    pub commit: CommitSeq,
}

/// Follows what is durable.
#[derive(Clone)]
pub struct Durable(());

impl Durable {
    /// Durable up to here.
    pub fn reached(&self) -> CommitSeq {
        unimplemented!()
    }

    /// Waits until `seq` is durable. Fails where the store has failed for good or the box stops. Cancel-safe.
    pub async fn wait(&mut self, _seq: CommitSeq) -> Result<(), PublishError> {
        unimplemented!()
    }
}

impl Sessions {
    /// Runs the sessions of a store.
    pub fn new(_store: Store, _clock: Clock) -> Sessions {
        unimplemented!()
    }

    /// The session of this name. Does not create one.
    pub async fn get(&self, _id: &SessionId) -> Result<Session, SessionError> {
        unimplemented!()
    }

    /// The sessions in which this author takes part, newest change first.
    pub async fn list(&self, _who: &Author) -> Result<Vec<pb::SessionInfo>, SessionError> {
        unimplemented!()
    }

    /// Takes events in order: stores and shows what is valid and new, names what is not. Waits where the store is
    /// behind (backpressure). Returns before the events are durable: wait for `commit`.
    pub async fn submit(&self, _events: Vec<Event>) -> Submitted {
        unimplemented!()
    }

    /// Follows what is durable.
    pub fn durable(&self) -> Durable {
        unimplemented!()
    }

    /// Ends every reader with `bye {restart}` and flushes the log. After it nothing is accepted.
    pub async fn shutdown(&self) {
        unimplemented!()
    }
}

impl Session {
    /// Its id.
    pub fn id(&self) -> &SessionId {
        unimplemented!()
    }

    /// Where its log stands now.
    pub fn bounds(&self) -> Bounds {
        unimplemented!()
    }

    /// Whether this author takes part in it.
    pub fn has_participant(&self, _who: &Author) -> bool {
        unimplemented!()
    }

    /// Its header facts.
    pub fn info(&self) -> pb::SessionInfo {
        unimplemented!()
    }

    /// Attaches a reader. Authority is the caller's business.
    pub fn attach(&self, _request: AttachRequest) -> Reader {
        unimplemented!()
    }
}

/// One reader of one session.
pub struct Reader(());

impl Reader {
    /// The next whole records to write, at most about 64 KiB: `hello` first, then frames, heartbeats, at the end a
    /// `bye`. `None` after it. Waits at the head. Cancel-safe: what was not returned comes with the next call.
    pub async fn next(&mut self) -> Option<Bytes> {
        unimplemented!()
    }
}
