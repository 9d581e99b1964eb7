//! A room as bytes: a protobuf message that belongs to one store and is no part of the contract.
//!
//! Whatever does not fit is an error, and then the room is made again from the events: nothing is repaired here.

use prost::Message;
use vyre_proto::cursor::Cursor;
use vyre_proto::ids::Author;
use vyre_proto::ids::MessageId;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream::UserState;

use crate::rules::room::ASKS_MAX;
use crate::rules::room::CALLS_MAX;
use crate::rules::room::EventNumber;
use crate::rules::room::MEMBERS_MAX;
use crate::rules::room::Member;
use crate::rules::room::Origin;
use crate::rules::room::QUEUE_MAX;
use crate::rules::room::Question;
use crate::rules::room::RECENT_MAX;
use crate::rules::room::Room;
use crate::rules::room::RoomVer;
use crate::rules::room::STAYS_MAX;
use crate::rules::room::Said;
use crate::rules::room::Stay;
use crate::rules::room::TURNS_MAX;
use crate::rules::room::Turn;
use crate::rules::room::Waiting;

const VERSION: u32 = 1;

/// Why bytes are not a stored room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RoomError {
    /// Written by another version, or nothing was written.
    #[error("a room of version {0} cannot be read")]
    Version(u32),
    /// Cut short, or not such a room.
    #[error("a stored room is damaged")]
    Damaged,
}

/// Authors stand once in `names`; elsewhere by their place in it, from 1. 0: nobody.
#[derive(Clone, PartialEq, Message)]
struct Stored {
    #[prost(uint32, tag = "1")]
    version: u32,
    #[prost(string, repeated, tag = "2")]
    names: Vec<String>,
    #[prost(bool, tag = "3")]
    group: bool,
    #[prost(uint64, tag = "4")]
    ver: u64,
    #[prost(message, repeated, tag = "5")]
    members: Vec<StoredMember>,
    #[prost(uint32, tag = "6")]
    default: u32,
    #[prost(uint32, tag = "7")]
    assigned: u32,
    #[prost(uint32, tag = "8")]
    speaker: u32,
    #[prost(message, repeated, tag = "9")]
    queue: Vec<StoredWaiting>,
    #[prost(message, repeated, tag = "10")]
    turns: Vec<StoredTurn>,
    #[prost(message, repeated, tag = "11")]
    asks: Vec<StoredAsk>,
    #[prost(message, repeated, tag = "12")]
    recent: Vec<StoredSaid>,
    #[prost(bool, tag = "13")]
    forgotten: bool,
    #[prost(string, tag = "14")]
    origin_session: String,
    #[prost(string, tag = "15")]
    origin_message: String,
    #[prost(bool, tag = "16")]
    stopping: bool,
    #[prost(bool, tag = "17")]
    held: bool,
}

#[derive(Clone, PartialEq, Message)]
struct StoredMember {
    #[prost(uint32, tag = "1")]
    who: u32,
    /// Version and head of each beginning, and of each end; 0 as an end's version: not over.
    #[prost(uint64, repeated, tag = "2")]
    stays: Vec<u64>,
}

#[derive(Clone, PartialEq, Message)]
struct StoredWaiting {
    #[prost(string, tag = "1")]
    message: String,
    #[prost(uint32, tag = "2")]
    author: u32,
    #[prost(uint64, tag = "3")]
    event: u64,
    #[prost(uint32, repeated, tag = "4")]
    to: Vec<u32>,
    #[prost(bool, tag = "5")]
    queued: bool,
    #[prost(bool, tag = "6")]
    handed: bool,
}

#[derive(Clone, PartialEq, Message)]
struct StoredTurn {
    #[prost(uint32, tag = "1")]
    who: u32,
    #[prost(bool, tag = "2")]
    declared: bool,
    #[prost(string, repeated, tag = "3")]
    calls: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
struct StoredAsk {
    #[prost(string, tag = "1")]
    ask: String,
    #[prost(uint32, tag = "2")]
    by: u32,
    #[prost(bool, tag = "3")]
    answered: bool,
    #[prost(uint32, tag = "4")]
    answered_by: u32,
}

#[derive(Clone, PartialEq, Message)]
struct StoredSaid {
    #[prost(string, tag = "1")]
    message: String,
    #[prost(uint32, tag = "2")]
    author: u32,
    #[prost(uint64, tag = "3")]
    event: u64,
    /// 0: an assistant's; else one more than the state.
    #[prost(uint32, tag = "4")]
    state: u32,
    #[prost(bool, tag = "5")]
    private: bool,
}

/// Authors by their places.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn put(&mut self, who: &Author) -> u32 {
        let at = self.0.iter().position(|n| n == who.as_str()).unwrap_or_else(|| {
            self.0.push(who.as_str().to_owned());
            self.0.len() - 1
        });
        u32::try_from(at + 1).unwrap_or(0)
    }

    fn maybe(&mut self, who: Option<&Author>) -> u32 {
        who.map_or(0, |who| self.put(who))
    }
}

fn stay(s: &Stay) -> [u64; 4] {
    let (until, head) = s.until.map_or((0, 0), |(ver, head)| (ver.0, head.get()));
    [s.from.0, s.after.get(), until, head]
}

pub(super) fn encode(room: &Room) -> Vec<u8> {
    let mut names = Names::default();
    let members = room
        .members
        .iter()
        .map(|m| StoredMember { who: names.put(&m.who), stays: m.stays.iter().flat_map(stay).collect() });
    let members = members.collect();
    let queue = room.queue.iter().map(|w| StoredWaiting {
        message: w.message.as_str().to_owned(),
        author: names.maybe(w.author.as_ref()),
        event: w.event.0,
        to: w.to.iter().map(|a| names.put(a)).collect(),
        queued: w.queued,
        handed: w.handed,
    });
    let queue = queue.collect();
    let turns = room.turns.iter().map(|t| StoredTurn {
        who: names.put(&t.who),
        declared: t.declared,
        calls: t.calls.iter().map(|c| c.to_string()).collect(),
    });
    let turns = turns.collect();
    let asks = room.asks.iter().map(|q| StoredAsk {
        ask: q.ask.to_string(),
        by: names.maybe(q.by.as_ref()),
        answered: q.answered.is_some(),
        answered_by: names.maybe(q.answered.as_ref().and_then(Option::as_ref)),
    });
    let asks = asks.collect();
    let recent = room.recent.iter().map(|s| StoredSaid {
        message: s.message.as_str().to_owned(),
        author: names.maybe(s.author.as_ref()),
        event: s.event.0,
        state: s.state.map_or(0, |state| state as u32 + 1),
        private: s.private,
    });
    let recent = recent.collect();
    let (default, assigned, speaker) =
        (names.maybe(room.default.as_ref()), names.maybe(room.assigned.as_ref()), names.maybe(room.speaker.as_ref()));
    let origin = room.origin.as_ref();
    let stored = Stored {
        version: VERSION,
        names: names.0,
        group: room.group,
        ver: room.ver.0,
        members,
        default,
        assigned,
        speaker,
        queue,
        turns,
        asks,
        recent,
        forgotten: room.forgotten,
        origin_session: origin.map_or_else(String::new, |o| o.session.to_string()),
        origin_message: origin.map_or_else(String::new, |o| o.message.to_string()),
        stopping: room.stopping,
        held: room.held,
    };
    stored.encode_to_vec()
}

pub(super) fn decode(bytes: &[u8]) -> Result<Room, RoomError> {
    let stored = Stored::decode(bytes).map_err(|_| RoomError::Damaged)?;
    if stored.version != VERSION {
        return Err(RoomError::Version(stored.version));
    }
    take_up(&stored).ok_or(RoomError::Damaged)
}

fn take_up(stored: &Stored) -> Option<Room> {
    let names: Vec<Author> = stored.names.iter().map(|n| Author::parse(n).ok()).collect::<Option<_>>()?;
    let name = |at: u32| names.get(usize::try_from(at).ok()?.checked_sub(1)?).cloned();
    // Outer: it fits; inner: whether there is one.
    let maybe = |at: u32| if at == 0 { Some(None) } else { name(at).map(Some) };
    let fits = stored.members.len() <= MEMBERS_MAX
        && stored.queue.len() <= QUEUE_MAX
        && stored.turns.len() <= TURNS_MAX
        && stored.asks.len() <= ASKS_MAX
        && stored.recent.len() <= RECENT_MAX;
    if !fits {
        return None;
    }
    let member = |m: &StoredMember| {
        let (all, rest) = m.stays.as_chunks::<4>();
        if !rest.is_empty() || all.len() > STAYS_MAX {
            return None;
        }
        let stay = |[from, after, until, head]: &[u64; 4]| {
            let until = if *until > 0 { Some((RoomVer(*until), Cursor::new(*head)?)) } else { None };
            Some(Stay { from: RoomVer(*from), after: Cursor::new(*after)?, until })
        };
        Some(Member { who: name(m.who)?, stays: all.iter().map(stay).collect::<Option<_>>()? })
    };
    let waiting = |w: &StoredWaiting| {
        Some(Waiting {
            message: MessageId::parse(&w.message).ok()?,
            author: maybe(w.author)?,
            event: EventNumber(w.event),
            to: w.to.iter().map(|at| name(*at)).collect::<Option<_>>()?,
            queued: w.queued,
            handed: w.handed,
        })
    };
    let turn = |t: &StoredTurn| {
        let calls = t.calls.iter().map(|c| c.as_str().into()).collect();
        (t.calls.len() <= CALLS_MAX).then_some(Turn { who: name(t.who)?, declared: t.declared, calls })
    };
    let ask = |q: &StoredAsk| {
        let answered = if q.answered { Some(maybe(q.answered_by)?) } else { None };
        Some(Question { ask: q.ask.as_str().into(), by: maybe(q.by)?, answered })
    };
    let said = |s: &StoredSaid| {
        let state = match s.state.checked_sub(1) {
            None => None,
            Some(state) => Some(UserState::try_from(i32::try_from(state).ok()?).ok()?),
        };
        Some(Said {
            message: MessageId::parse(&s.message).ok()?,
            author: maybe(s.author)?,
            event: EventNumber(s.event),
            state,
            private: s.private,
        })
    };
    let origin = if stored.origin_session.is_empty() {
        None
    } else {
        let session = SessionId::parse(&stored.origin_session).ok()?;
        Some(Origin { session, message: MessageId::parse(&stored.origin_message).ok()? })
    };
    Some(Room {
        group: stored.group,
        ver: RoomVer(stored.ver),
        members: stored.members.iter().map(member).collect::<Option<_>>()?,
        default: maybe(stored.default)?,
        assigned: maybe(stored.assigned)?,
        speaker: maybe(stored.speaker)?,
        queue: stored.queue.iter().map(waiting).collect::<Option<_>>()?,
        turns: stored.turns.iter().map(turn).collect::<Option<_>>()?,
        asks: stored.asks.iter().map(ask).collect::<Option<_>>()?,
        recent: stored.recent.iter().map(said).collect::<Option<_>>()?,
        forgotten: stored.forgotten,
        origin,
        stopping: stored.stopping,
        held: stored.held,
        head: Cursor::ZERO,
        writers: Vec::new(),
    })
}
