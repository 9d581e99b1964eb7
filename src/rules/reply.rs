//! The reply handle: everything that an assistant puts into a room goes through one.
//!
//! A handle has an id, its `rid`, and the version of the room at which it was opened, its `ver`. Each message has one of
//! its own, opened by its first piece. Work between messages (tools, their output, questions, files) has one of the turn,
//! opened when it is first needed and closed when the turn ends. A viewer receives a piece by the handle's version and by
//! when they were in: see [`crate::rules::stays::Stays::may_receive`].
//!
//! There is no side path, and the compiler holds that. What goes into a log is a [`Logged`]. It has two doors: a [`Fact`],
//! whose kinds no assistant's words, tools or questions can be, and a [`Piece`], which asks for a [`Written`]. Only
//! [`Reply::write`] makes one of those, and only [`Replies`] makes a reply.
//!
//! ```compile_fail
//! use vyre_proto::pb::stream as pb;
//! use vyre_stream::rules::reply::Logged;
//! // An assistant's words are no fact.
//! let _ = Logged::fact(pb::Frame::default(), pb::TextDelta::default());
//! ```
//!
//! ```compile_fail
//! use vyre_proto::pb::stream as pb;
//! use vyre_stream::rules::reply::Logged;
//! // A frame does not become one by itself.
//! let _ = Logged(pb::Frame::default());
//! ```
//!
//! ```compile_fail
//! use vyre_stream::rules::reply::Rid;
//! use vyre_stream::rules::reply::Written;
//! use vyre_stream::rules::room::RoomVer;
//! // Nothing is written without a reply.
//! let _ = Written { rid: Rid(1), ver: RoomVer(1) };
//! ```

use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::fmt;
use std::ops::Deref;

use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;

use crate::rules::retention::empty_frame;
use crate::rules::room::RoomVer;

/// Most turns with a handle of their own at once in one session. One more closes the longest open one.
pub const TURNS_MAX: usize = 256;

/// Turns remembered that were given up: what comes late for them is not shown.
pub const DROPPED_MAX: usize = 64;

/// What a room is told of a reply that was given up. The one thing that is shown without a handle.
pub const COULD_NOT_RESUME: &str = "couldn't resume, ask again";

/// Names a reply handle, once in its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rid(u64);

impl Rid {
    /// Room for the longest.
    pub(crate) const LEN_MAX: usize = 21;

    /// Its text, written without an allocation.
    pub(crate) fn write(self, buf: &mut [u8; Rid::LEN_MAX]) -> &[u8] {
        let (mut n, mut at) = (self.0, buf.len());
        loop {
            at -= 1;
            buf[at] = b'0' + (n % 10) as u8;
            n /= 10;
            if n == 0 {
                break;
            }
        }
        at -= 1;
        buf[at] = b'r';
        &buf[at..]
    }
}

impl fmt::Display for Rid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

/// A reply handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reply {
    rid: Rid,
    ver: RoomVer,
}

impl Reply {
    /// Writes a piece to the handle: what this gives shows it.
    pub fn write(&self) -> Written {
        Written { rid: self.rid, ver: self.ver }
    }

    /// Its id.
    pub fn rid(&self) -> Rid {
        self.rid
    }

    /// The version of the room at which it was opened.
    pub fn ver(&self) -> RoomVer {
        self.ver
    }

    /// As numbers, to be stored.
    pub(crate) fn parts(self) -> [u64; 2] {
        [self.rid.0, self.ver.0]
    }
}

/// A piece has been written to a handle, and may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    rid: Rid,
    ver: RoomVer,
}

impl Written {
    /// The handle's id.
    pub(crate) fn rid(self) -> Rid {
        self.rid
    }

    /// The handle's version of the room.
    pub(crate) fn ver(self) -> RoomVer {
        self.ver
    }
}

/// A turn of an assistant: who works, and the producer's name of the turn, which may be empty.
type Turn = (Box<str>, Box<str>);

/// The handles of one session. A function of its events, as the adapter is that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Replies {
    opened: u64,
    turns: BTreeMap<Turn, Reply>,
    /// The latest ones, the longest dropped in front. Turns without a name cannot be told apart, and are not here.
    dropped: VecDeque<Turn>,
}

impl Replies {
    /// Opens a handle at this version of the room.
    pub fn append_open(&mut self, ver: RoomVer) -> Reply {
        self.opened += 1;
        Reply { rid: Rid(self.opened), ver }
    }

    /// The handle of an assistant's turn, opened if need be.
    pub fn of_turn(&mut self, author: &str, turn: &str, ver: RoomVer) -> Reply {
        let key = (author.into(), turn.into());
        if let Some(open) = self.turns.get(&key) {
            return *open;
        }
        if self.turns.len() >= TURNS_MAX {
            let longest = self.turns.iter().min_by_key(|(_, r)| r.rid).map(|(key, _)| key.clone());
            longest.and_then(|key| self.turns.remove(&key));
        }
        let reply = self.append_open(ver);
        self.turns.insert(key, reply);
        reply
    }

    /// The turns of this assistant are over.
    pub fn end_turns(&mut self, author: &str) {
        self.turns.retain(|(who, _), _| &**who != author);
    }

    /// Nobody works any more.
    pub fn end_all_turns(&mut self) {
        self.turns.clear();
    }

    /// This turn is given up: nothing more of it is shown, whoever comes back to it.
    pub fn drop_turn(&mut self, author: &str, turn: &str) {
        self.end_turns(author);
        if turn.is_empty() || self.is_dropped(author, turn) {
            return;
        }
        if self.dropped.len() >= DROPPED_MAX {
            self.dropped.pop_front();
        }
        self.dropped.push_back((author.into(), turn.into()));
    }

    /// Whether this turn was given up.
    pub fn is_dropped(&self, author: &str, turn: &str) -> bool {
        self.dropped.iter().any(|(who, which)| &**who == author && &**which == turn)
    }

    /// Whether any turn was given up.
    pub fn has_dropped(&self) -> bool {
        !self.dropped.is_empty()
    }

    /// Whether a turn is open.
    pub fn has_turns(&self) -> bool {
        !self.turns.is_empty()
    }

    /// The open turns: who works, and the turn's name.
    pub fn turns(&self) -> impl Iterator<Item = (&str, &str)> {
        self.turns.keys().map(|(who, turn)| (&**who, &**turn))
    }

    /// What is to be stored: how many were opened, the open turns with their handles, the dropped ones.
    pub(crate) fn parts(&self) -> (u64, impl ExactSizeIterator<Item = (&Turn, &Reply)>, &VecDeque<Turn>) {
        (self.opened, self.turns.iter(), &self.dropped)
    }

    /// Takes up what was stored. `None` where a handle was not opened here, or there is too much.
    pub(crate) fn stored(
        opened: u64,
        turns: BTreeMap<(Box<str>, Box<str>), [u64; 2]>,
        dropped: VecDeque<(Box<str>, Box<str>)>,
    ) -> Option<Replies> {
        let mut replies = Replies { opened, dropped, ..Default::default() };
        if turns.len() > TURNS_MAX || replies.dropped.len() > DROPPED_MAX {
            return None;
        }
        for (turn, parts) in turns {
            let reply = replies.stored_reply(parts)?;
            replies.turns.insert(turn, reply);
        }
        Some(replies)
    }

    /// Takes up a handle that was opened here. `None` where it was not.
    pub(crate) fn stored_reply(&self, [rid, ver]: [u64; 2]) -> Option<Reply> {
        (1..=self.opened).contains(&rid).then_some(Reply { rid: Rid(rid), ver: RoomVer(ver) })
    }
}

/// A frame that may go into a log, complete but for its cursor.
#[derive(Debug, Clone, PartialEq)]
pub struct Logged(pb::Frame);

impl Logged {
    /// What people, rooms and sessions do. Of `envelope` everything counts but its data and its handle.
    pub fn fact(envelope: pb::Frame, fact: impl Into<Fact>) -> Logged {
        let data = Some(fact.into().into());
        Logged(pb::Frame { data, rid: String::new(), ver: 0, ..envelope })
    }

    /// What an assistant puts into the room, once it has been written to a handle.
    pub fn piece(envelope: pb::Frame, piece: impl Into<Piece>, written: Written) -> Logged {
        let data = Some(piece.into().into());
        Logged(pb::Frame { data, rid: written.rid.to_string(), ver: written.ver.0, ..envelope })
    }

    /// The same without its content, which age has taken.
    pub(crate) fn emptied(mut self) -> Logged {
        empty_frame(&mut self.0);
        self
    }

    /// The frame, for the log that gives it its cursor.
    pub fn into_frame(self) -> pb::Frame {
        self.0
    }
}

impl Deref for Logged {
    type Target = pb::Frame;

    fn deref(&self) -> &pb::Frame {
        &self.0
    }
}

macro_rules! kinds {
    ($(#[$doc:meta])* $name:ident { $($kind:ident)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        #[allow(missing_docs)] // Each stands for the message of the same name.
        pub enum $name {
            $($kind(pb::$kind),)*
        }

        $(impl From<pb::$kind> for $name {
            fn from(data: pb::$kind) -> $name {
                $name::$kind(data)
            }
        })*

        impl From<$name> for Data {
            fn from(data: $name) -> Data {
                match data {
                    $($name::$kind(data) => Data::$kind(data),)*
                }
            }
        }
    };
}

kinds! {
    /// What needs no handle: what people say and do, who comes and goes, how the session stands.
    Fact {
        UserMessage AskAnswered TermCommand FileChanged Status ParticipantJoined ParticipantLeft Reaction Pin Mention Fanout
        FanoutKeep Rewound Branched
    }
}

kinds! {
    /// What an assistant puts into a room.
    Piece {
        TextDelta TextDone TextCut ToolStarted ToolProgress ToolFinished TermChunk FileChanged Ask Status Reaction Pin
        Mention Fanout FanoutKeep
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_id_is_written_as_it_is_shown() {
        for n in [0, 1, 9, 10, 12_345, u64::MAX] {
            assert_eq!(Rid(n).write(&mut [0; Rid::LEN_MAX]), Rid(n).to_string().as_bytes());
        }
    }

    #[test]
    fn a_fact_has_no_handle_and_a_piece_has_its_own() {
        let mut replies = Replies::default();
        let reply = replies.append_open(RoomVer(4));
        let envelope = pb::Frame { rid: "r99".into(), ver: 9, message: "m".into(), ..Default::default() };

        let fact = Logged::fact(envelope.clone(), pb::Pin { on: true });
        let piece = Logged::piece(envelope, pb::TextDone::default(), reply.write());

        assert_eq!((&*fact.rid, fact.ver, &*fact.message), ("", 0, "m"));
        assert_eq!((&*piece.rid, piece.ver, &*piece.message), ("r1", 4, "m"));
    }

    #[test]
    fn a_handle_that_was_never_opened_is_not_taken_up() {
        let mut replies = Replies::default();
        let reply = replies.append_open(RoomVer(2));

        assert_eq!(replies.stored_reply(reply.parts()), Some(reply));
        assert_eq!(replies.stored_reply([2, 2]), None);
        assert_eq!(replies.stored_reply([0, 2]), None);
    }

    /// What happens to the handles of one session.
    #[derive(Debug, Clone)]
    enum Step {
        /// A message begins.
        Message,
        /// Work between messages.
        Work(usize, usize),
        /// Somebody comes or goes.
        Room,
        /// An assistant's turns end.
        End(usize),
        /// A turn is given up.
        Drop(usize, usize),
        /// The box restarts.
        Restart,
    }

    fn step() -> impl Strategy<Value = Step> {
        let (who, turn) = (0usize..3, 0usize..3);
        prop_oneof![
            3 => Just(Step::Message),
            5 => (who.clone(), turn.clone()).prop_map(|(w, t)| Step::Work(w, t)),
            2 => Just(Step::Room),
            2 => who.clone().prop_map(Step::End),
            1 => (who, turn).prop_map(|(w, t)| Step::Drop(w, t)),
            1 => Just(Step::Restart),
        ]
    }

    fn restarted(replies: &Replies) -> Replies {
        let (opened, turns, dropped) = replies.parts();
        let turns = turns.map(|(turn, reply)| (turn.clone(), reply.parts())).collect();
        Replies::stored(opened, turns, dropped.clone()).unwrap()
    }

    proptest! {
        /// Against a list of who has which handle: no id is given out twice, a handle keeps the version at which it was
        /// opened, a turn has one until it ends, and what was dropped stays dropped.
        #[test]
        fn handles_agree_with_a_plain_list(steps in prop::collection::vec(step(), 1..80)) {
            let (authors, turns) = (["assistant:a", "assistant:b", "model:c"], ["", "t1", "t2"]);
            let mut replies = Replies::default();
            let mut ver = RoomVer(1);
            let mut ids = BTreeSet::new();
            let mut list = BTreeMap::new();
            let mut dropped = BTreeSet::new();
            for s in steps {
                match s {
                    Step::Message => {
                        let reply = replies.append_open(ver);
                        prop_assert!(ids.insert(reply.rid()));
                        prop_assert_eq!(reply.ver(), ver);
                    }
                    Step::Work(who, turn) => {
                        let reply = replies.of_turn(authors[who], turns[turn], ver);
                        match list.get(&(who, turn)) {
                            Some(known) => prop_assert_eq!(&reply, known),
                            None => {
                                prop_assert!(ids.insert(reply.rid()));
                                prop_assert_eq!(reply.ver(), ver);
                                list.insert((who, turn), reply);
                            }
                        }
                        let written = reply.write();
                        prop_assert_eq!((written.rid, written.ver), (reply.rid(), reply.ver()));
                    }
                    Step::Room => ver = RoomVer(ver.0 + 1),
                    Step::End(who) => {
                        replies.end_turns(authors[who]);
                        list.retain(|(w, _), _| *w != who);
                    }
                    Step::Drop(who, turn) => {
                        replies.drop_turn(authors[who], turns[turn]);
                        list.retain(|(w, _), _| *w != who);
                        if turn > 0 {
                            dropped.insert((who, turn));
                        }
                    }
                    Step::Restart => replies = restarted(&replies),
                }
                for (who, author) in authors.iter().enumerate() {
                    for (which, turn) in turns.iter().enumerate() {
                        prop_assert_eq!(replies.is_dropped(author, turn), dropped.contains(&(who, which)));
                    }
                }
                prop_assert_eq!(replies.turns().count(), list.len());
            }
        }
    }
}
