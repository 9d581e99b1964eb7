//! The events that producers publish here, and the frame that a box makes of one.

use bytes::BytesMut;
use vyre_proto::event::Event;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data;
use vyre_proto::record;

use crate::stamp;

/// The person who reads.
pub const PERSON: &str = "robin";

/// Deltas of one message.
const DELTAS: u64 = 500;

fn event(session: &str, id: String, data: Data) -> pb::Event {
    pb::Event {
        id,
        session: session.to_owned(),
        turn: "t1".to_owned(),
        actor: "assistant:helper".to_owned(),
        acts_for: format!("person:{PERSON}"),
        time: 1,
        data: Some(data),
        ..Default::default()
    }
}

/// Begins a session.
pub fn started(session: &str) -> pb::Event {
    let data = Data::ThreadStarted(pb::ThreadStarted { title: "Bench".into(), ..Default::default() });
    event(session, "started".into(), data)
}

/// 200 bytes of a reply, sent now.
pub fn delta(session: &str, seq: u64) -> pb::Event {
    let message = format!("m{:04}", seq / DELTAS);
    let data = Data::ThreadDelta(pb::ThreadDelta { message, text: stamp::text(seq), ..Default::default() });
    event(session, format!("e{seq:010}"), data)
}

/// Any event of `session`.
pub fn other(session: &str, seq: u64, data: Data) -> pb::Event {
    event(session, format!("e{seq:010}"), data)
}

/// As a box takes it.
pub fn checked(event: pb::Event) -> Event {
    Event::check(event).unwrap()
}

/// The message of a WebSocket that publishes one of the deltas above: written out once, and only what differs anew.
#[derive(Debug, Clone)]
pub struct EventBytes {
    message: Vec<u8>,
    id: usize,
    of: usize,
    text: usize,
}

impl EventBytes {
    /// Events of this session.
    pub fn new(session: &str) -> Self {
        let mut message = Vec::new();
        crate::roles::message(&record::to_record(&pb::Publish { events: vec![delta(session, 0)] }), &mut message);
        let place = |what: &[u8]| message.windows(what.len()).position(|w| w == what).unwrap();
        Self { id: place(b"e0000000000") + 1, of: place(b"m0000") + 1, text: place(b"@@"), message }
    }

    /// That of an event that is sent now.
    pub fn stamped(&mut self, seq: u64) -> &[u8] {
        digits(&mut self.message[self.id..self.id + 10], seq);
        digits(&mut self.message[self.of..self.of + 4], seq / DELTAS);
        stamp::restamp(&mut self.message[self.text..self.text + stamp::TEXT], seq);
        &self.message
    }
}

fn digits(place: &mut [u8], mut n: u64) {
    for digit in place.iter_mut().rev() {
        *digit = b'0' + (n % 10) as u8;
        n /= 10;
    }
}

/// What one delta becomes on the way to a reader: the same bytes for the floors.
#[derive(Debug, Clone)]
pub struct FrameBytes {
    record: Vec<u8>,
    text: usize,
}

impl FrameBytes {
    /// A frame like those of the deltas above.
    pub fn new() -> Self {
        let data = pb::frame::Data::TextDelta(pb::TextDelta { at: 40_000, text: stamp::text(0), ..Default::default() });
        let frame = pb::Frame {
            v: 1,
            cur: 5000,
            id: "e0000000000".into(),
            session: "session-0".into(),
            turn: "t1".into(),
            time: 1,
            author: "assistant:helper".into(),
            acts_for: format!("person:{PERSON}"),
            message: "m10".into(),
            data: Some(data),
            ..Default::default()
        };
        let mut out = BytesMut::new();
        record::encode(&frame, &mut out);
        let text = out.windows(2).position(|w| w == b"@@").unwrap();
        Self { record: out.to_vec(), text }
    }

    /// The record of a frame that is sent now.
    pub fn stamped(&mut self, seq: u64) -> bytes::Bytes {
        let text = self.text;
        stamp::restamp(&mut self.record[text..text + stamp::TEXT], seq);
        bytes::Bytes::copy_from_slice(&self.record)
    }
}
