//! [`People`]: what ephemeral frames say, beside the rows: who types now, how far one has read, what goes on elsewhere.
//!
//! None of it is in the log and none of it moves a cursor, so it is kept apart from the fold and forgotten with the
//! screen. Time is an argument: who does not say so again fades.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::cursor::Cursor;
use crate::frame::Frame;
use crate::ids::Author;
use crate::ids::MessageId;
use crate::ids::SessionId;
use crate::pb::stream as pb;
use crate::pb::stream::frame::Data;
use crate::tick::Tick;

/// What somebody was said to do is shown for so long: three times as long as they may take to say it again, and a little.
pub const PRESENCE_FADES: Duration = Duration::from_secs(10);

/// Most people that are shown at once, and most sessions that are known of. What comes beyond is not shown.
pub const PEOPLE_MAX: usize = 1024;

/// What somebody does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doing {
    /// Types.
    Typing,
    /// Something else, in words; they may be empty.
    Else(String),
}

/// How far this person has read a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadUpTo {
    /// The last message that was seen.
    pub message: MessageId,
    /// Its cursor.
    pub cur: Cursor,
}

/// What is known of a session without reading it.
#[derive(Clone, PartialEq, Eq)]
pub struct Head {
    /// Its newest cursor.
    pub head: Cursor,
    /// Messages that this person has not read.
    pub unread: u64,
    /// Its title.
    pub title: String,
}

impl std::fmt::Debug for Head {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A title is somebody's words.
        write!(f, "Head({}, {} unread)", self.head, self.unread)
    }
}

/// What ephemeral frames say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct People {
    present: BTreeMap<Author, (Doing, Tick)>,
    read: BTreeMap<SessionId, ReadUpTo>,
    heads: BTreeMap<SessionId, Head>,
}

impl People {
    /// Nobody, and nothing read.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a frame of the stream of `here` in, and says whether anything looks different. Frames of the log are looked
    /// at as well: who has said something no longer types it.
    pub fn take(&mut self, here: &SessionId, frame: &Frame, now: Tick) -> bool {
        let frame = frame.get();
        match &frame.data {
            Some(Data::Presence(p)) if is_here(here, &frame.session) => self.presence(p, now),
            Some(Data::ReadMarker(m)) => self.read_marker(here, m),
            Some(Data::SessionHead(h)) => self.session_head(h),
            Some(Data::UserMessage(_) | Data::TextDone(_) | Data::TextCut(_)) => {
                Author::parse(&frame.author).is_ok_and(|author| self.present.remove(&author).is_some())
            }
            Some(Data::ParticipantLeft(p)) => {
                Author::parse(&p.who).is_ok_and(|author| self.present.remove(&author).is_some())
            }
            _ => false,
        }
    }

    fn presence(&mut self, told: &pb::Presence, now: Tick) -> bool {
        let Ok(who) = Author::parse(&told.who) else { return false };
        let doing = match told.state() {
            pb::PresenceState::None => return self.present.remove(&who).is_some(),
            pb::PresenceState::Typing => Doing::Typing,
            pb::PresenceState::Doing => Doing::Else(told.doing.clone()),
        };
        self.fade(now);
        if self.present.len() >= PEOPLE_MAX && !self.present.contains_key(&who) {
            return false;
        }
        let was = self.present.insert(who, (doing.clone(), now));
        was.is_none_or(|(before, _)| before != doing)
    }

    /// A mark only moves forward, whatever order devices say it in.
    fn read_marker(&mut self, here: &SessionId, told: &pb::ReadMarker) -> bool {
        let session = if told.session.is_empty() { Ok(here.clone()) } else { SessionId::parse(&told.session) };
        let (Ok(session), Ok(message)) = (session, MessageId::parse(&told.upto)) else { return false };
        let Some(cur) = Cursor::new(told.cur) else { return false };
        match self.read.get(&session) {
            Some(there) if there.cur >= cur => return false,
            None if self.read.len() >= PEOPLE_MAX => return false,
            _ => {}
        }
        self.read.insert(session, ReadUpTo { message, cur });
        true
    }

    /// The newest word on a session counts: its log may have been made anew.
    fn session_head(&mut self, told: &pb::SessionHead) -> bool {
        let (Ok(session), Some(head)) = (SessionId::parse(&told.session), Cursor::new(told.head)) else { return false };
        if self.heads.len() >= PEOPLE_MAX && !self.heads.contains_key(&session) {
            return false;
        }
        let new = Head { head, unread: told.unread, title: told.title.clone() };
        self.heads.insert(session, new.clone()).is_none_or(|before| before != new)
    }

    /// Forgets who has not said anything for [`PRESENCE_FADES`], and says whether there was somebody.
    pub fn fade(&mut self, now: Tick) -> bool {
        let before = self.present.len();
        self.present.retain(|_, (_, at)| now < *at + PRESENCE_FADES);
        self.present.len() < before
    }

    /// When somebody fades next, if nothing more is said.
    pub fn fades_at(&self) -> Option<Tick> {
        self.present.values().map(|(_, at)| *at + PRESENCE_FADES).min()
    }

    /// Who does something, in the order of their names.
    pub fn present(&self, now: Tick) -> impl Iterator<Item = (&Author, &Doing)> {
        let there = self.present.iter().filter(move |(_, (_, at))| now < *at + PRESENCE_FADES);
        there.map(|(who, (doing, _))| (who, doing))
    }

    /// How far this person has read a session, on whatever device.
    pub fn read_up_to(&self, session: &SessionId) -> Option<&ReadUpTo> {
        self.read.get(session)
    }

    /// Sessions that were told of.
    pub fn heads(&self) -> impl Iterator<Item = (&SessionId, &Head)> {
        self.heads.iter()
    }
}

fn is_here(here: &SessionId, session: &str) -> bool {
    session.is_empty() || session == here.as_str()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn here() -> SessionId {
        SessionId::parse("s").unwrap()
    }

    fn frame(data: Data) -> Frame {
        Frame::check(pb::Frame { v: 1, data: Some(data), ..Default::default() }).unwrap()
    }

    fn presence(who: &str, state: pb::PresenceState) -> Frame {
        frame(Data::Presence(pb::Presence { who: who.into(), state: state.into(), doing: String::new() }))
    }

    fn read(upto: &str, cur: u64, session: &str) -> Frame {
        frame(Data::ReadMarker(pb::ReadMarker { upto: upto.into(), cur, session: session.into() }))
    }

    fn seconds(n: u64) -> Tick {
        Tick(n * 1_000_000)
    }

    fn names(people: &People, now: Tick) -> Vec<String> {
        people.present(now).map(|(who, _)| who.to_string()).collect()
    }

    #[test]
    fn who_types_fades_unless_they_say_so_again_or_say_what_they_typed() {
        let mut people = People::new();
        assert!(people.take(&here(), &presence("person:ana", pb::PresenceState::Typing), seconds(0)));
        assert!(!people.take(&here(), &presence("person:ana", pb::PresenceState::Typing), seconds(3)));
        people.take(&here(), &presence("person:bo", pb::PresenceState::Typing), seconds(4));

        assert_eq!(people.fades_at(), Some(seconds(13)));
        assert_eq!(names(&people, seconds(12)), ["person:ana", "person:bo"]);
        assert_eq!(names(&people, seconds(13)), ["person:bo"]);
        assert!(people.fade(seconds(13)) && !people.fade(seconds(13)));

        let said = pb::Frame {
            v: 1,
            cur: 1,
            author: "person:bo".into(),
            message: "m".into(),
            data: Some(Data::UserMessage(pb::UserMessage { text: "x".into(), ..Default::default() })),
            ..Default::default()
        };
        assert!(people.take(&here(), &Frame::check(said).unwrap(), seconds(13)));
        assert!(names(&people, seconds(13)).is_empty());
    }

    #[test]
    fn a_read_mark_only_moves_forward_and_is_each_sessions_own() {
        let mut people = People::new();
        assert!(people.take(&here(), &read("m80", 80, ""), Tick(0)));
        assert!(!people.take(&here(), &read("m60", 60, "s"), Tick(0)));
        assert!(people.take(&here(), &read("n5", 5, "t"), Tick(0)));

        assert_eq!(people.read_up_to(&here()).unwrap().message.as_str(), "m80");
        assert_eq!(people.read_up_to(&SessionId::parse("t").unwrap()).unwrap().cur, Cursor::new(5).unwrap());
    }

    #[test]
    fn nobody_can_make_it_grow() {
        let mut people = People::new();
        for n in 0..PEOPLE_MAX + 10 {
            people.take(&here(), &presence(&format!("person:p{n}"), pb::PresenceState::Typing), seconds(1));
            let head = pb::SessionHead { session: format!("s{n}"), head: 1, unread: 1, title: String::new() };
            people.take(&here(), &frame(Data::SessionHead(head)), seconds(1));
            people.take(&here(), &read("m", 1, &format!("s{n}")), seconds(1));
        }
        assert_eq!((people.present.len(), people.heads.len(), people.read.len()), (PEOPLE_MAX, PEOPLE_MAX, PEOPLE_MAX));
        // Those who faded make room.
        assert!(people.take(&here(), &presence("person:new", pb::PresenceState::Typing), seconds(30)));
    }

    proptest! {
        #[test]
        fn the_order_of_marks_does_not_matter(mut marks in prop::collection::vec(1u64..50, 1..20), seed in any::<prop::sample::Index>()) {
            let run = |marks: &[u64]| {
                let mut people = People::new();
                for cur in marks {
                    people.take(&here(), &read(&format!("m{cur}"), *cur, ""), Tick(0));
                }
                people
            };
            let first = run(&marks);
            let turn = seed.index(marks.len());
            marks.rotate_left(turn);
            prop_assert_eq!(first, run(&marks));
        }
    }
}
