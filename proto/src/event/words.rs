//! [`Words`]: a `thread.delta` read where it lies, without a copy of any of its fields.
//!
//! Most of what a box ever takes in are pieces of replies. Made into a message of its own each costs eight texts that are
//! thrown away a moment later. This reads the one form in which every encoder of protobuf writes such an event: fields in
//! order, each once, nothing that says its default, no length longer than it has to be. Whatever else comes, and whatever
//! would be refused, is left to [`super::Event::decode`], which reads any form and says what is wrong.
//!
//! In that form the bytes are the canonical ones already, so they are also what is stored.

use std::ops::Range;

use bytes::Bytes;
use prost::Message;

use crate::limits::EVENT_LINE_MAX;
use crate::limits::ID_MAX;
use crate::limits::TEXT_MAX;
use crate::pb::stream as pb;

/// Keys of the fields of an event, and of the delta in it: the number and that it has a length, or is a number.
mod key {
    pub const ID: u8 = 1 << 3 | 2;
    pub const SESSION: u8 = 2 << 3 | 2;
    pub const TURN: u8 = 3 << 3 | 2;
    pub const TIME: u8 = 4 << 3;
    pub const CORR: u8 = 5 << 3 | 2;
    pub const ACTOR: u8 = 6 << 3 | 2;
    pub const ACTS_FOR: u8 = 7 << 3 | 2;
    /// Over 127: in two bytes.
    pub const DELTA: [u8; 2] = [0xb2, 0x01];
    pub const MESSAGE: u8 = 1 << 3 | 2;
    pub const TEXT: u8 = 2 << 3 | 2;
}

/// A piece of a message, in the bytes that it came in. All but its text is printable ASCII.
#[derive(Clone, PartialEq, Eq)]
pub struct Words {
    raw: Bytes,
    id: Part,
    session: Part,
    turn: Part,
    time: u64,
    corr: Part,
    actor: Part,
    acts_for: Part,
    message: Part,
    text: Part,
}

/// Where a field stands. An event is no longer than [`EVENT_LINE_MAX`].
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Part {
    at: u32,
    len: u32,
}

impl Words {
    /// Reads a record that is a valid `thread.delta` in its shortest form and answers no message. `None`: it may be one
    /// all the same, or anything else.
    pub fn read(raw: &Bytes) -> Option<Words> {
        if raw.len() > EVENT_LINE_MAX {
            return None;
        }
        let mut rest = Rest { bytes: raw, at: 0 };
        let id = rest.part(key::ID)?;
        let session = rest.part(key::SESSION)?;
        let turn = rest.part(key::TURN)?;
        let time = rest.number(key::TIME)?;
        let corr = rest.part(key::CORR)?;
        let actor = rest.part(key::ACTOR)?;
        let acts_for = rest.part(key::ACTS_FOR)?;
        let (first, second) = (rest.byte()?, rest.byte()?);
        let len = rest.length()?;
        if [first, second] != key::DELTA || rest.at + len != raw.len() {
            return None;
        }
        let message = rest.part(key::MESSAGE)?;
        let text = rest.part(key::TEXT)?;
        if rest.at != raw.len() {
            return None;
        }
        let words = Words { raw: raw.clone(), id, session, turn, time, corr, actor, acts_for, message, text };
        words.is_valid().then_some(words)
    }

    fn is_valid(&self) -> bool {
        let of_id = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b':' | b'_');
        let name = |part: Part| part.len as usize <= ID_MAX && self.of(part).iter().all(|b| matches!(b, b' '..=b'~'));
        let id = |part: Part| (1..=ID_MAX).contains(&(part.len as usize)) && self.of(part).iter().all(of_id);
        id(self.id)
            && id(self.session)
            && [self.turn, self.corr, self.actor, self.acts_for, self.message].into_iter().all(name)
            && self.message.len > 0
            && (self.actor.len == 0 || is_author(self.actor()))
            && (self.acts_for.len == 0 || is_named(self.acts_for(), b"person:"))
            && self.text.len as usize <= TEXT_MAX
            && std::str::from_utf8(self.text()).is_ok()
    }

    fn of(&self, part: Part) -> &[u8] {
        self.raw.get(part.range()).unwrap_or_default()
    }

    fn ascii(&self, part: Part) -> &str {
        std::str::from_utf8(self.of(part)).unwrap_or_default()
    }

    /// The event's canonical bytes.
    pub fn raw(&self) -> &Bytes {
        &self.raw
    }

    /// The event's id.
    pub fn id(&self) -> &str {
        self.ascii(self.id)
    }

    /// The session that it belongs to.
    pub fn session(&self) -> &str {
        self.ascii(self.session)
    }

    /// The turn; may be empty.
    pub fn turn(&self) -> &[u8] {
        self.of(self.turn)
    }

    /// Whole microseconds since the Unix epoch as the producer says; 0: it says none.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// The producer's mark; may be empty.
    pub fn corr(&self) -> &[u8] {
        self.of(self.corr)
    }

    /// Who writes; may be empty.
    pub fn actor(&self) -> &[u8] {
        self.of(self.actor)
    }

    /// For whom; may be empty.
    pub fn acts_for(&self) -> &[u8] {
        self.of(self.acts_for)
    }

    /// The message that it is a piece of.
    pub fn message(&self) -> &str {
        self.ascii(self.message)
    }

    /// The piece, in UTF-8; may be empty.
    pub fn text(&self) -> &[u8] {
        self.of(self.text)
    }

    /// The same as a message of its own.
    pub(super) fn to_event(&self) -> pb::Event {
        // It was read already: what is in it decodes.
        pb::Event::decode(self.raw.clone()).unwrap_or_default()
    }
}

fn is_author(s: &[u8]) -> bool {
    is_named(s, b"person:") || is_named(s, b"assistant:") || is_named(s, b"model:")
}

fn is_named(s: &[u8], kind: &[u8]) -> bool {
    s.strip_prefix(kind).is_some_and(|rest| !rest.is_empty())
}

impl Part {
    fn range(self) -> Range<usize> {
        let at = self.at as usize;
        at..at + self.len as usize
    }
}

/// What has not been read.
struct Rest<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Rest<'_> {
    fn byte(&mut self) -> Option<u8> {
        let b = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(b)
    }

    /// A number in as few bytes as it takes.
    fn varint(&mut self) -> Option<u64> {
        let mut n = 0u64;
        for shift in (0..63).step_by(7) {
            let b = self.byte()?;
            n |= u64::from(b & 0x7f) << shift;
            if b < 0x80 {
                return (b > 0 || shift == 0).then_some(n);
            }
        }
        None
    }

    fn length(&mut self) -> Option<usize> {
        usize::try_from(self.varint()?).ok().filter(|len| *len <= self.bytes.len() - self.at)
    }

    /// A field with a length, empty where it is not there. `None`: it says that it is empty, or is broken.
    fn part(&mut self, key: u8) -> Option<Part> {
        if self.bytes.get(self.at) != Some(&key) {
            return Some(Part::default());
        }
        self.at += 1;
        let len = self.length().filter(|len| *len > 0)?;
        let part = Part { at: u32::try_from(self.at).ok()?, len: u32::try_from(len).ok()? };
        self.at += len;
        Some(part)
    }

    /// A number, 0 where it is not there.
    fn number(&mut self, key: u8) -> Option<u64> {
        if self.bytes.get(self.at) != Some(&key) {
            return Some(0);
        }
        self.at += 1;
        self.varint().filter(|n| *n > 0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::event::Event;
    use crate::pb::stream::event::Data;

    fn a_delta() -> impl Strategy<Value = pb::Event> {
        let name = || prop_oneof![Just(String::new()), "[ -~]{1,128}", "[a-z]{1,9}"];
        let actor = prop_oneof![Just(String::new()), "(person|assistant|model):[a-z]{1,9}", name()];
        let acts_for = prop_oneof![Just(String::new()), "person:[a-z]{1,9}"];
        let ids = ("[a-z0-9._:-]{1,40}", "[a-z0-9._:-]{1,9}");
        (ids, name(), any::<u64>(), name(), actor, acts_for, name(), any::<String>()).prop_map(
            |((id, session), turn, time, corr, actor, acts_for, message, text)| pb::Event {
                id,
                session,
                turn,
                time: if time % 3 == 0 { 0 } else { time >> 2 },
                corr,
                actor,
                acts_for,
                data: Some(Data::ThreadDelta(pb::ThreadDelta { message, text, parent: String::new() })),
                ..Default::default()
            },
        )
    }

    fn same(words: &Words, event: &pb::Event) {
        let Some(Data::ThreadDelta(d)) = &event.data else { panic!("{event:?}") };
        let texts: [(&[u8], &str); 8] = [
            (words.id().as_bytes(), &event.id),
            (words.session().as_bytes(), &event.session),
            (words.turn(), &event.turn),
            (words.corr(), &event.corr),
            (words.actor(), &event.actor),
            (words.acts_for(), &event.acts_for),
            (words.message().as_bytes(), &d.message),
            (words.text(), &d.text),
        ];
        for (mine, theirs) in texts {
            assert_eq!(mine, theirs.as_bytes());
        }
        assert_eq!((words.time(), event.expired, d.parent.as_str()), (event.time, 0, ""));
        assert_eq!(words.to_event(), *event);
    }

    #[test]
    fn the_key_of_a_delta_is_that_of_the_schema() {
        let event = pb::Event { data: Some(Data::ThreadDelta(pb::ThreadDelta::default())), ..Default::default() };

        assert_eq!(event.encode_to_vec(), [&key::DELTA[..], &[0]].concat());
    }

    #[test]
    fn what_answers_a_message_or_is_no_delta_is_left_to_others() {
        let event = |data| pb::Event { id: "e".into(), session: "s".into(), data: Some(data), ..Default::default() };
        let delta = pb::ThreadDelta { message: "m".into(), text: "x".into(), parent: String::new() };
        let raw = |event: pb::Event| Bytes::from(event.encode_to_vec());
        assert!(Words::read(&raw(event(Data::ThreadDelta(delta.clone())))).is_some());

        for other in [
            event(Data::ThreadDelta(pb::ThreadDelta { parent: "p".into(), ..delta.clone() })),
            event(Data::ThreadThinking(pb::ThreadThinking { message: "m".into(), text: "x".into() })),
            event(Data::ThreadDone(pb::ThreadDone { message: "m".into() })),
            pb::Event { expired: 3, ..event(Data::ThreadDelta(delta.clone())) },
        ] {
            assert!(Words::read(&raw(other.clone())).is_none(), "{other:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_in_place_is_what_a_full_decode_checks(event in a_delta()) {
            let raw = Bytes::from(event.encode_to_vec());

            // All that can be written in the form is read, if it is valid.
            match (Words::read(&raw), Event::check(event.clone())) {
                (Some(words), Ok(_)) => same(&words, &event),
                (None, Err(_)) => {}
                (words, checked) => prop_assert!(false, "{} {checked:?}", words.is_some()),
            }
        }

        #[test]
        fn whatever_is_read_in_place_has_its_canonical_bytes(
            event in a_delta(),
            at in any::<prop::sample::Index>(),
            what in any::<u8>(),
            cut in any::<prop::sample::Index>(),
            how in 0..4,
        ) {
            let mut raw = event.encode_to_vec();
            let place = at.index(raw.len());
            match how {
                0 => raw[place] = what,
                1 => raw.insert(place, what),
                2 => drop(raw.remove(place)),
                _ => raw.truncate(cut.index(raw.len())),
            }
            let raw = Bytes::from(raw);
            if let Some(words) = Words::read(&raw) {
                let event = pb::Event::decode(raw.clone()).unwrap();
                prop_assert_eq!(event.encode_to_vec(), &raw[..]);
                same(&words, &event);
                prop_assert!(Event::check(event).is_ok());
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = Words::read(&bytes.into());
        }
    }
}
