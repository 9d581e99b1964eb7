//! A frame as an event envelope, for where one has to be written into a log of events.
//!
//! The author becomes the actor, and who asked stands first in the chain. A private message is only said to have passed:
//! neither its ciphertext nor the name of its key goes along.

use serde_json::Map;
use serde_json::Value;

use crate::frame::Frame;
use crate::pb::stream as pb;
use crate::pb::stream::frame::Data;
use crate::queue;
use crate::tick::Wall;

/// What an event log records of a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Envelope {
    /// Id of the event that made the frame; empty where none did.
    pub id: String,
    /// Which of that event's frames.
    pub index: u32,
    /// `session.<kind>`; `session.unknown` for a kind that this version does not know.
    pub name: &'static str,
    /// The session.
    pub session: String,
    /// The turn, or empty.
    pub turn: String,
    /// When, as the producer says.
    pub time: Wall,
    /// The correlation, or empty.
    pub corr: String,
    /// Who did it: the frame's author, or empty.
    pub actor: String,
    /// Through whom it came about: the asker first, the author last. An author who acts for nobody stands alone.
    pub chain: Vec<String>,
    /// The frame's content with the message that it belongs to.
    pub data: Value,
}

/// Lifts a frame into an envelope.
pub fn to_envelope(frame: &Frame) -> Envelope {
    let f = frame.get();
    let chain = [&f.acts_for, &f.author].into_iter().filter(|a| !a.is_empty()).cloned().collect();
    Envelope {
        id: f.id.clone(),
        index: f.index,
        name: frame.kind().map_or("session.unknown", |k| k.full_name()),
        session: f.session.clone(),
        turn: f.turn.clone(),
        time: Wall(f.time),
        corr: f.corr.clone(),
        actor: f.author.clone(),
        chain,
        data: data(frame),
    }
}

fn data(frame: &Frame) -> Value {
    let f = frame.get();
    let mut fields = match &f.data {
        Some(Data::UserMessage(m)) if frame.is_encrypted() => return private(f, m),
        Some(_) => content(f),
        None => Map::new(),
    };
    if !f.message.is_empty() {
        fields.insert("message".into(), Value::from(&*f.message));
    }
    if !f.parent.is_empty() {
        fields.insert("parent".into(), Value::from(&*f.parent));
    }
    Value::Object(fields)
}

/// Nothing but which message, and where it stands.
fn private(f: &pb::Frame, m: &pb::UserMessage) -> Value {
    let mut fields = Map::new();
    fields.insert("message".into(), Value::from(&*f.message));
    fields.insert("state".into(), Value::from(queue::name(m.state())));
    fields.insert("enc".into(), Value::Bool(true));
    Value::Object(fields)
}

/// The fields of the frame's arm, as proto3 JSON has them.
fn content(f: &pb::Frame) -> Map<String, Value> {
    let only = pb::Frame { data: f.data.clone(), ..Default::default() };
    // The JSON of a frame that holds nothing else is an object with one member: the arm.
    match serde_json::to_value(&only) {
        Ok(Value::Object(arm)) => match arm.into_iter().next() {
            Some((_, Value::Object(fields))) => fields,
            _ => Map::new(),
        },
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn frame(data: Data) -> Frame {
        Frame::check(pb::Frame {
            v: 1,
            cur: 7,
            id: "e1".into(),
            session: "s1".into(),
            time: 5,
            author: "assistant:helper".into(),
            acts_for: "person:robin".into(),
            message: "m1".into(),
            data: Some(data),
            ..Default::default()
        })
        .unwrap()
    }

    #[test]
    fn the_author_acts_and_the_asker_comes_first() {
        let e = to_envelope(&frame(Data::TextDone(pb::TextDone { text_len: 3, thinking_len: 0 })));
        assert_eq!((e.name, &*e.actor), ("session.text-done", "assistant:helper"));
        assert_eq!(e.chain, ["person:robin", "assistant:helper"]);
        assert_eq!(e.data, serde_json::json!({"message": "m1", "textLen": "3"}));
    }

    #[test]
    fn of_a_private_message_it_is_said_that_it_passed() {
        let enc = pb::Encrypted { alg: "mls".into(), kid: "key-7".into(), ct: vec![1, 2, 3].into() };
        let m = pb::UserMessage { enc: Some(enc), state: pb::UserState::Queued.into(), ..Default::default() };
        let e = to_envelope(&frame(Data::UserMessage(m)));
        assert_eq!(e.data, serde_json::json!({"message": "m1", "state": "queued", "enc": true}));
        assert!(!format!("{e:?}").contains("key-7"));
    }

    proptest! {
        #[test]
        fn no_byte_of_what_is_encrypted_is_in_an_envelope(
            one in (".{0,40}", ".{0,40}", prop::collection::vec(any::<u8>(), 0..200)),
            other in (".{0,40}", ".{0,40}", prop::collection::vec(any::<u8>(), 0..200)),
            text in ".{0,20}",
            (step, mentions) in (0..4i32, prop::collection::vec("person:[a-z]{1,8}", 0..3)),
        ) {
            // What is the same whatever was encrypted, by whichever key, holds nothing of either.
            let envelope = |(alg, kid, ct): (String, String, Vec<u8>)| {
                let enc = Some(pb::Encrypted { alg, kid, ct: ct.into() });
                let mut m = pb::UserMessage { enc, text: text.clone(), mentions: mentions.clone(), ..Default::default() };
                m.state = step;
                to_envelope(&frame(Data::UserMessage(m)))
            };
            let (one, other) = (envelope(one), envelope(other));

            prop_assert_eq!(format!("{one:?}"), format!("{other:?}"));
            let keys: BTreeSet<&str> = one.data.as_object().unwrap().keys().map(String::as_str).collect();
            prop_assert_eq!(keys, BTreeSet::from(["enc", "message", "state"]));
        }
    }

    #[test]
    fn a_kind_that_is_not_known_has_an_envelope_too() {
        let f = Frame::check(pb::Frame { v: 2, cur: 1, author: "person:a".into(), ..Default::default() }).unwrap();
        let e = to_envelope(&f);
        assert_eq!((e.name, e.chain.len(), e.data), ("session.unknown", 1, serde_json::json!({})));
    }
}
