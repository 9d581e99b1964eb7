//! How far a person has read: a mark names a message and its cursor, and only moves forward.
//!
//! A mark is one person's in one session, and nobody else's business. It moves when a screen says that a message was
//! seen, never by a replay. Where a log was made anew the same message has another cursor: a mark is then taken up by
//! its message.
//!
//! [`Landmarks`] are the newest messages of a session with their places: what can be marked, and what is counted as
//! unread. A person's own words are never unread to them.

use std::collections::VecDeque;
use std::fmt;
use std::hash::Hasher;

use prost::Message;
use siphasher::sip::SipHasher13;
use vyre_proto::cursor::Cursor;
use vyre_proto::ids::Author;
use vyre_proto::ids::LogId;
use vyre_proto::ids::MessageId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::UserState;
use vyre_proto::pb::stream::frame::Data;

use crate::rules::room::RoomVer;
use crate::rules::stays::Stays;

/// Messages whose places are known, the newest ones. As many are counted as unread at most.
pub const LANDMARKS_MAX: usize = 64;

/// How far one person has read one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The newest message seen.
    pub message: MessageId,
    /// The log in which it has its place.
    pub log: LogId,
    /// Its place.
    pub cur: Cursor,
}

/// A mark as it is stored.
#[derive(Clone, PartialEq, Message)]
struct StoredMark {
    #[prost(string, tag = "1")]
    message: String,
    #[prost(bytes = "vec", tag = "2")]
    log: Vec<u8>,
    #[prost(uint64, tag = "3")]
    cur: u64,
}

impl Mark {
    /// As bytes, for [`Mark::decode`].
    pub fn encode(&self) -> Vec<u8> {
        let (message, log, cur) = (self.message.to_string(), self.log.0.to_vec(), self.cur.get());
        StoredMark { message, log, cur }.encode_to_vec()
    }

    /// A stored mark; `None` where the bytes are none.
    pub fn decode(bytes: &[u8]) -> Option<Mark> {
        let stored = StoredMark::decode(bytes).ok()?;
        Some(Mark {
            message: MessageId::parse(&stored.message).ok()?,
            log: LogId(stored.log.try_into().ok()?),
            cur: Cursor::new(stored.cur)?,
        })
    }

    /// Its place in the log `log`, of which these are the landmarks. [`Cursor::ZERO`] where the log is another one than the
    /// mark's and its message is older than all that is known.
    pub fn place(&self, log: LogId, landmarks: &Landmarks) -> Cursor {
        if self.log == log { self.cur } else { landmarks.find(&self.message).unwrap_or(Cursor::ZERO) }
    }

    /// Whether this mark, of the log as it is now, takes the place of an older one.
    pub fn is_after(&self, old: Option<&Mark>, landmarks: &Landmarks) -> bool {
        old.is_none_or(|old| self.cur > old.place(self.log, landmarks))
    }
}

/// One message and its place.
#[derive(Clone, PartialEq, Eq)]
struct Landmark {
    /// A hash of its id: ids are long, and a wrong hit puts a mark on another message of the same session and no more.
    hash: u64,
    author: Option<Author>,
    cur: Cursor,
    /// The version of the reply handle through which it was written, if it was.
    ver: Option<RoomVer>,
}

/// The newest messages of one session.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Landmarks {
    all: VecDeque<Landmark>,
}

#[derive(Clone, PartialEq, Message)]
struct Stored {
    #[prost(message, repeated, tag = "1")]
    all: Vec<StoredLandmark>,
    #[prost(string, repeated, tag = "2")]
    authors: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
struct StoredLandmark {
    #[prost(fixed64, tag = "1")]
    hash: u64,
    /// Its place in `authors`, from 1. 0: nobody is named.
    #[prost(uint32, tag = "2")]
    author: u32,
    #[prost(uint64, tag = "3")]
    cur: u64,
    #[prost(uint64, optional, tag = "4")]
    ver: Option<u64>,
}

impl Landmarks {
    /// Takes in a logged frame, with its cursor. True: something has changed.
    ///
    /// A person's message counts from when it was said or queued, an assistant's once it has ended and has words.
    pub fn learn(&mut self, frame: &pb::Frame) -> bool {
        match &frame.data {
            Some(Data::UserMessage(said)) if said.state() == UserState::Cancelled => self.remove(&frame.message),
            Some(Data::UserMessage(_)) => self.add(frame),
            Some(Data::TextDone(done)) if done.text_len > 0 => self.add(frame),
            Some(Data::TextCut(cut)) if cut.at > 0 => self.add(frame),
            Some(Data::Rewound(rewound)) => self.rewind(&frame.message, &rewound.to),
            _ => false,
        }
    }

    fn add(&mut self, frame: &pb::Frame) -> bool {
        let (hash, Some(cur)) = (hash(&frame.message), Cursor::new(frame.cur)) else { return false };
        if frame.message.is_empty() || self.all.iter().any(|l| l.hash == hash) {
            return false;
        }
        if self.all.len() >= LANDMARKS_MAX {
            self.all.pop_front();
        }
        let ver = (!frame.rid.is_empty()).then_some(RoomVer(frame.ver));
        self.all.push_back(Landmark { hash, author: Author::parse(&frame.author).ok(), cur, ver });
        true
    }

    fn remove(&mut self, message: &str) -> bool {
        let (before, hash) = (self.all.len(), hash(message));
        self.all.retain(|l| l.hash != hash);
        self.all.len() < before
    }

    /// What comes after the message `to`, or from `message` on, is no longer part of the conversation.
    fn rewind(&mut self, message: &str, to: &str) -> bool {
        let before = self.all.len();
        let place = |message: &str| self.all.iter().position(|l| l.hash == hash(message));
        let keep =
            place(to).map(|at| at + 1).or_else(|| place(message)).unwrap_or(if to.is_empty() { 0 } else { before });
        self.all.truncate(keep);
        self.all.len() < before
    }

    /// The place of a message, if it is among those known.
    pub fn find(&self, message: &MessageId) -> Option<Cursor> {
        let hash = hash(message.as_str());
        self.all.iter().rev().find(|l| l.hash == hash).map(|l| l.cur)
    }

    /// How many messages this person has not read, of those known and of those that they may receive.
    pub fn unread(&self, who: &Author, stays: &Stays, mark: Option<&Mark>, log: LogId) -> u64 {
        let read = mark.map_or(Cursor::ZERO, |m| m.place(log, self));
        let unread = |l: &&Landmark| l.cur > read && l.author.as_ref() != Some(who) && stays.may_receive(l.cur, l.ver);
        self.all.iter().filter(unread).count() as u64
    }

    /// As bytes, for [`Landmarks::decode`].
    pub fn encode(&self) -> Vec<u8> {
        let mut authors: Vec<String> = Vec::new();
        let mut place = |author: &Option<Author>| {
            let Some(author) = author else { return 0 };
            let at = authors.iter().position(|a| a == author.as_str()).unwrap_or_else(|| {
                authors.push(author.to_string());
                authors.len() - 1
            });
            at as u32 + 1
        };
        let all = self.all.iter().map(|l| StoredLandmark {
            hash: l.hash,
            author: place(&l.author),
            cur: l.cur.get(),
            ver: l.ver.map(|v| v.0),
        });
        let all = all.collect();
        Stored { all, authors }.encode_to_vec()
    }

    /// Takes up what was stored. What cannot be read is forgotten: then less is counted as unread.
    pub fn decode(bytes: &[u8]) -> Landmarks {
        let Ok(stored) = Stored::decode(bytes) else { return Landmarks::default() };
        let author = |n: u32| Author::parse(stored.authors.get((n as usize).checked_sub(1)?)?).ok();
        let landmark = |l: &StoredLandmark| {
            Some(Landmark { hash: l.hash, author: author(l.author), cur: Cursor::new(l.cur)?, ver: l.ver.map(RoomVer) })
        };
        Landmarks { all: stored.all.iter().filter_map(landmark).take(LANDMARKS_MAX).collect() }
    }
}

impl fmt::Debug for Landmarks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Landmarks({} of them)", self.all.len())
    }
}

fn hash(message: &str) -> u64 {
    let mut hasher = SipHasher13::new();
    hasher.write(message.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::stays::Stretch;

    const ANA: &str = "person:ana";
    const FOX: &str = "assistant:fox";
    const LOG: LogId = LogId([1; 16]);

    fn who(author: &str) -> Author {
        Author::parse(author).unwrap()
    }

    fn message(m: &str) -> MessageId {
        MessageId::parse(m).unwrap()
    }

    fn frame(cur: u64, author: &str, message: &str, data: Data) -> pb::Frame {
        let (author, message) = (author.to_owned(), message.to_owned());
        pb::Frame { v: 1, cur, author, message, data: Some(data), ..Default::default() }
    }

    fn said(cur: u64, author: &str, message: &str, state: UserState) -> pb::Frame {
        frame(cur, author, message, Data::UserMessage(pb::UserMessage { state: state as i32, ..Default::default() }))
    }

    fn done(cur: u64, message: &str, text_len: u64) -> pb::Frame {
        frame(cur, FOX, message, Data::TextDone(pb::TextDone { text_len, thinking_len: 9 }))
    }

    fn mark(log: LogId, m: &str, cur: u64) -> Mark {
        Mark { message: message(m), log, cur: Cursor::new(cur).unwrap() }
    }

    fn landmarks(frames: &[pb::Frame]) -> Landmarks {
        let mut all = Landmarks::default();
        for frame in frames {
            all.learn(frame);
        }
        all
    }

    #[test]
    fn a_late_mark_of_another_device_does_not_move_it_back() {
        let all = Landmarks::default();
        let phone = mark(LOG, "m80", 80);

        assert!(phone.is_after(None, &all));
        assert!(!mark(LOG, "m60", 60).is_after(Some(&phone), &all));
        assert!(!phone.is_after(Some(&phone), &all));
        assert!(mark(LOG, "m81", 81).is_after(Some(&phone), &all));
    }

    #[test]
    fn in_a_log_made_anew_a_mark_is_taken_up_by_its_message() {
        let old = mark(LogId([9; 16]), "m2", 900);
        let all =
            landmarks(&[said(3, ANA, "m1", UserState::Said), done(5, "m2", 4), said(7, ANA, "m3", UserState::Said)]);

        assert!(!mark(LOG, "m1", 3).is_after(Some(&old), &all));
        assert!(mark(LOG, "m3", 7).is_after(Some(&old), &all));
        assert_eq!(all.unread(&who("person:ben"), &Stays::whole(), Some(&old), LOG), 1);
    }

    #[test]
    fn own_words_and_what_was_read_or_taken_back_are_not_unread() {
        let all = landmarks(&[
            said(1, ANA, "m1", UserState::Said),
            done(2, "m2", 5),
            done(3, "thought", 0),
            said(4, "person:ben", "m3", UserState::Queued),
            said(5, "person:ben", "m3", UserState::PickedUp),
            said(6, "person:ben", "m4", UserState::Queued),
            said(7, "person:ben", "m4", UserState::Cancelled),
        ]);

        assert_eq!(all.unread(&who(ANA), &Stays::whole(), None, LOG), 2);
        assert_eq!(all.unread(&who("person:ben"), &Stays::whole(), None, LOG), 2);
        assert_eq!(all.unread(&who(ANA), &Stays::whole(), Some(&mark(LOG, "m2", 2)), LOG), 1);
        assert_eq!(all.unread(&who(ANA), &Stays::whole(), Some(&mark(LOG, "m3", 4)), LOG), 0);
        assert_eq!(all.find(&message("m4")), None);
    }

    #[test]
    fn what_somebody_may_not_receive_is_not_counted() {
        let reply = pb::Frame { rid: "r".into(), ver: 1, ..done(3, "m3", 5) };
        let all = landmarks(&[
            said(1, ANA, "m1", UserState::Said),
            said(2, ANA, "m2", UserState::Said),
            reply,
            said(5, ANA, "m5", UserState::Said),
        ]);
        let stretch = |since, after, until: Option<u64>| Stretch {
            since: RoomVer(since),
            after: Cursor::new(after).unwrap(),
            until: until.and_then(Cursor::new),
        };
        let unread = |stays: Stays| all.unread(&who("person:ben"), &stays, None, LOG);

        assert_eq!(unread(Stays::whole()), 4);
        assert_eq!(unread(Stays::new([stretch(2, 4, None)])), 3, "a late comer does not get the reply");
        assert_eq!(unread(Stays::new([stretch(1, 0, Some(1)), stretch(3, 4, None)])), 2, "nor what came while away");
        assert_eq!(unread(Stays::new([])), 0);
    }

    #[test]
    fn a_rewind_takes_what_comes_after_it() {
        let rewound = |message: &str, to: &str| frame(9, ANA, message, Data::Rewound(pb::Rewound { to: to.into() }));
        let of = |rewind: pb::Frame| {
            let all = landmarks(&[said(1, ANA, "m1", UserState::Said), done(2, "m2", 5), done(3, "m3", 5), rewind]);
            all.unread(&who("person:ben"), &Stays::whole(), None, LOG)
        };

        assert_eq!(of(rewound("m3", "m2")), 2);
        assert_eq!(of(rewound("m2", "")), 1);
        assert_eq!(of(rewound("", "m1")), 1);
        assert_eq!(of(rewound("x", "y")), 3);
        assert_eq!(of(rewound("", "")), 0);
    }

    #[test]
    fn what_is_no_mark_is_none_and_damaged_landmarks_are_forgotten() {
        let good = mark(LOG, "m", 7);
        assert_eq!(Mark::decode(&good.encode()), Some(good));
        for bad in [&b""[..], b"\xff", b"\x0a\x01m"] {
            assert_eq!(Mark::decode(bad), None);
        }
        assert_eq!(Landmarks::decode(b"\xff\xff"), Landmarks::default());
    }

    fn any_frame() -> impl Strategy<Value = (u8, u8, u8)> {
        (0..5u8, 0..3u8, 0..90u8)
    }

    proptest! {
        /// Whatever comes: bounded, the same after it was stored, and a mark on the newest message leaves nothing unread.
        #[test]
        fn landmarks_are_bounded_and_survive_storing(frames in prop::collection::vec(any_frame(), 0..200)) {
            let mut all = Landmarks::default();
            for (n, (kind, author, name)) in frames.iter().enumerate() {
                let (cur, author, name) = (n as u64 + 1, format!("person:{author}"), format!("m{name}"));
                let before = all.clone();
                let changed = all.learn(&match kind {
                    0 => said(cur, &author, &name, UserState::Said),
                    1 => said(cur, &author, &name, UserState::Queued),
                    2 => said(cur, &author, &name, UserState::Cancelled),
                    3 => done(cur, &name, 1),
                    _ => frame(cur, &author, &name, Data::Rewound(pb::Rewound { to: "m1".into() })),
                });
                prop_assert_eq!(changed, before != all);
                prop_assert!(all.all.len() <= LANDMARKS_MAX);
                prop_assert!(all.all.iter().zip(all.all.iter().skip(1)).all(|(a, b)| a.cur < b.cur));
                prop_assert_eq!(&Landmarks::decode(&all.encode()), &all);
            }
            let end = mark(LOG, "end", frames.len() as u64 + 1);
            prop_assert_eq!(all.unread(&who("person:0"), &Stays::whole(), Some(&end), LOG), 0);
        }

        /// In whatever order marks arrive, the one that stands is the furthest.
        #[test]
        fn the_furthest_mark_stands(cursors in prop::collection::vec(1..50u64, 1..30)) {
            let mut stands: Option<Mark> = None;
            for cur in &cursors {
                let new = mark(LOG, &format!("m{cur}"), *cur);
                if new.is_after(stands.as_ref(), &Landmarks::default()) {
                    stands = Some(new);
                }
            }
            prop_assert_eq!(stands.map(|m| m.cur.get()), cursors.iter().max().copied());
        }
    }
}
