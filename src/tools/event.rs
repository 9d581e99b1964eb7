//! `events.publish`: events in, each stored, known or refused by name, and an answer only when what was taken is durable.
//!
//! [`Intake`] is the one way in. The tool's call, lines of a body and records of a publish stream all feed it; it groups
//! what has come into one submit, so that a producer that sends a thousand events at once costs one commit.

use bytes::Buf;
use bytes::Bytes;
use prost::encoding::decode_varint;
use serde::Deserialize;
use serde_json::value::RawValue;
use vyre_proto::event::Event;
use vyre_proto::event::EventError;
use vyre_proto::json::code_name;
use vyre_proto::limits::EVENT_LINE_MAX;
use vyre_proto::lines::Line;
use vyre_proto::lines::Lines;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data;

use crate::rules::redact::redact_kept;
use crate::session::CommitSeq;
use crate::session::PublishError;
use crate::session::Sessions;
use crate::tools::Format;
use crate::tools::Tools;
use crate::tools::encode;
use crate::tools::error::ToolError;
use crate::tools::json_error;

/// Events that go to the store in one submit. More would hold up the other producers of a session.
const BATCH_EVENTS: usize = 512;

/// Bytes of events that go to the store in one submit; one larger event still goes.
const BATCH_BYTES: usize = 512 * 1024;

/// Room for so many events stays from one submit to the next; a producer that is silent holds no more.
const KEPT_EVENTS: usize = 8;

/// Refusals that one answer names. The rest is counted.
const REFUSED_NAMED: usize = 1000;

/// One event that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedEvent {
    /// Its number among the events of this intake, from 0.
    pub index: u64,
    /// Its line, where it came as one.
    pub line: Option<u64>,
    /// Why.
    pub error: ToolError,
}

/// What became of the events since the last [`Intake::flush`] or [`Intake::take`].
#[derive(Debug, Default)]
pub struct Outcome {
    /// All events below this number are accounted for here or earlier.
    pub upto: u64,
    /// Logged now.
    pub accepted: u64,
    /// Known before.
    pub duplicates: u64,
    /// Not taken, in order.
    pub refused: Vec<RefusedEvent>,
    /// Not taken and not named, because there were too many.
    pub refused_more: u64,
    /// What was taken is durable once this is.
    pub commit: CommitSeq,
    /// The store refuses for now. What came behind this event must come again, in its order.
    pub stalled: Option<ToolError>,
}

/// Takes events in order, in groups.
pub struct Intake {
    sessions: Sessions,
    batch: Vec<Event>,
    bytes: usize,
    /// Number and line of each event of the batch.
    places: Vec<(u64, Option<u64>)>,
    next: u64,
    outcome: Outcome,
}

impl Intake {
    /// Nothing taken yet.
    pub fn new(sessions: &Sessions) -> Self {
        Self {
            sessions: sessions.clone(),
            batch: Vec::new(),
            bytes: 0,
            places: Vec::new(),
            next: 0,
            outcome: Outcome::default(),
        }
    }

    /// Adds an event, or the reason why it is none. `len` is what it had in bytes. Submits when a group is full.
    pub async fn push(&mut self, event: Result<Event, ToolError>, len: usize, line: Option<u64>) {
        let index = self.next;
        self.next += 1;
        match event {
            Ok(event) => {
                self.batch.push(without_secrets(event));
                self.places.push((index, line));
                self.bytes += len;
            }
            Err(error) => self.refuse(RefusedEvent { index, line, error }),
        }
        if self.batch.len() >= BATCH_EVENTS || self.bytes >= BATCH_BYTES {
            self.flush().await;
        }
    }

    /// Submits what waits. Waits where the store is behind.
    pub async fn flush(&mut self) {
        if !self.batch.is_empty() {
            self.bytes = 0;
            let submitted = self.sessions.submit_all(&self.batch).await;
            self.outcome.accepted += submitted.accepted;
            self.outcome.duplicates += submitted.duplicates;
            self.outcome.commit = self.outcome.commit.max(submitted.commit);
            for (place, error) in submitted.refused {
                let Some((index, line)) = self.places.get(place).copied() else { continue };
                let stalled = matches!(error, PublishError::Unavailable { .. });
                let error = ToolError::from(error);
                if stalled && self.outcome.stalled.is_none() {
                    self.outcome.stalled = Some(error.clone());
                }
                self.refuse(RefusedEvent { index, line, error });
            }
            self.batch.clear();
            self.places.clear();
            if self.batch.capacity() > KEPT_EVENTS {
                (self.batch, self.places) = Default::default();
            }
        }
        self.outcome.upto = self.next;
    }

    /// Events that were refused and not yet taken by [`Intake::take`].
    pub fn refused(&self) -> usize {
        self.outcome.refused.len()
    }

    /// What became of the events since the last call. Call [`Intake::flush`] first.
    pub fn take(&mut self) -> Outcome {
        let mut outcome = std::mem::take(&mut self.outcome);
        outcome.refused.sort_by_key(|r| r.index);
        self.outcome.upto = outcome.upto;
        self.outcome.commit = outcome.commit;
        outcome
    }

    /// Submits the rest and waits until everything taken is durable.
    pub async fn finish(mut self) -> Result<Outcome, ToolError> {
        self.flush().await;
        let outcome = self.take();
        if let Some(stalled) = outcome.stalled {
            return Err(stalled);
        }
        self.sessions.wait_durable(outcome.commit).await?;
        Ok(outcome)
    }

    fn refuse(&mut self, refused: RefusedEvent) {
        if self.outcome.refused.len() < REFUSED_NAMED {
            self.outcome.refused.push(refused);
        } else {
            self.outcome.refused_more += 1;
        }
    }
}

impl Outcome {
    /// Adds what became of the events behind these.
    pub fn join(&mut self, more: Outcome) {
        self.upto = more.upto;
        self.accepted += more.accepted;
        self.duplicates += more.duplicates;
        self.refused.extend(more.refused);
        self.refused_more += more.refused_more;
        self.commit = self.commit.max(more.commit);
        self.stalled = self.stalled.take().or(more.stalled);
    }

    /// As the message of a publish stream.
    pub fn to_published(&self) -> pb::Published {
        pb::Published {
            upto: self.upto,
            accepted: self.accepted,
            duplicates: self.duplicates,
            refused: self.refused_pb(),
        }
    }

    /// As the answer of the tool in JSON: proto3 JSON, with the code's short name and, for lines, the line.
    pub fn to_json(&self) -> serde_json::Value {
        let refused: Vec<_> = self
            .refused
            .iter()
            .map(|r| {
                let mut one = serde_json::json!({
                    "index": r.index.to_string(),
                    "code": code_name(r.error.code()),
                    "message": r.error.message(),
                });
                if let (Some(line), Some(fields)) = (r.line, one.as_object_mut()) {
                    fields.insert("line".to_owned(), line.into());
                }
                one
            })
            .collect();
        let mut json = serde_json::json!({
            "accepted": self.accepted.to_string(),
            "duplicates": self.duplicates.to_string(),
            "refused": refused,
        });
        if let (1.., Some(fields)) = (self.refused_more, json.as_object_mut()) {
            fields.insert("refusedMore".to_owned(), self.refused_more.to_string().into());
        }
        json
    }

    fn refused_pb(&self) -> Vec<pb::Refused> {
        self.refused.iter().map(|r| pb::Refused { index: r.index, error: Some(r.error.to_pb()) }).collect()
    }
}

/// The tool's call with all its events in one body. The caller has been found to be a producer.
pub async fn publish(tools: &Tools, format: Format, body: Bytes) -> Result<Bytes, ToolError> {
    let mut intake = Intake::new(tools.sessions());
    match format {
        Format::Protobuf => {
            let mut events = EventsIn::new(body);
            while let Some(event) = events.next()? {
                push_record(&mut intake, event).await;
            }
            let outcome = intake.finish().await?;
            let answer = pb::EventsPublished {
                accepted: outcome.accepted,
                duplicates: outcome.duplicates,
                refused: outcome.refused_pb(),
            };
            encode(format, &answer)
        }
        Format::Json => {
            #[derive(Deserialize)]
            struct Body<'a> {
                #[serde(borrow)]
                events: Vec<&'a RawValue>,
            }
            let parsed: Body<'_> =
                serde_json::from_slice(&body).map_err(|e| ToolError::invalid(json_error("the body", &e)))?;
            for raw in parsed.events {
                let json = raw.get().as_bytes();
                intake.push(parse_json(json), json.len(), None).await;
            }
            Ok(intake.finish().await?.to_json().to_string().into())
        }
    }
}

/// Adds one event in protobuf.
pub async fn push_record(intake: &mut Intake, event: Bytes) {
    let len = event.len();
    let event = if len > EVENT_LINE_MAX { Err(too_long(len)) } else { Event::decode(event).map_err(ToolError::from) };
    intake.push(event, len, None).await;
}

/// Events as lines of JSON, fed in pieces of any size.
pub struct LineIntake {
    intake: Intake,
    lines: Lines,
}

impl LineIntake {
    /// Nothing taken yet. The caller has been found to be a producer.
    pub fn new(tools: &Tools) -> Self {
        Self { intake: Intake::new(tools.sessions()), lines: Lines::new() }
    }

    /// Takes a piece, and waits where the store is behind. Fails where the store refuses for now.
    pub async fn push(&mut self, piece: &[u8]) -> Result<(), ToolError> {
        self.lines.push(piece);
        while let Some(line) = self.lines.next() {
            push_line(&mut self.intake, line).await;
        }
        // What one piece brought goes to the store now: a pipe may stay silent for hours.
        self.intake.flush().await;
        match &self.intake.outcome.stalled {
            Some(stalled) => Err(stalled.clone()),
            None => Ok(()),
        }
    }

    /// The body has ended: waits until everything taken is durable, and answers.
    pub async fn finish(mut self) -> Result<Outcome, ToolError> {
        if let Some(line) = self.lines.finish() {
            push_line(&mut self.intake, line).await;
        }
        self.intake.finish().await
    }
}

async fn push_line(intake: &mut Intake, line: Line) {
    let len = line.bytes.as_ref().map_or(0, Bytes::len);
    let event = match &line.bytes {
        Some(bytes) => parse_json(bytes),
        None => Err(ToolError::too_large(format!("the line is longer than {EVENT_LINE_MAX} bytes"))),
    };
    intake.push(event, len, Some(line.number)).await;
}

fn parse_json(json: &[u8]) -> Result<Event, ToolError> {
    if json.len() > EVENT_LINE_MAX {
        return Err(too_long(json.len()));
    }
    Event::from_json(json).map_err(|e: EventError| e.into())
}

/// The event as it may be kept: what a shell was told and what it printed is redacted before anything stores it.
fn without_secrets(event: Event) -> Event {
    if event.words().is_some() {
        return event;
    }
    let Some(Data::ThreadShell(_) | Data::ThreadToolProgress(_) | Data::ThreadToolStarted(_) | Data::TermCommand(_)) =
        event.get().data
    else {
        return event;
    };
    let mut kept = event.get().clone();
    let changed = kept.data.as_mut().is_some_and(redact_kept);
    match changed.then(|| Event::check(kept)) {
        Some(Ok(kept)) => kept,
        // What is redacted is no longer than it may be, so it is an event still.
        Some(Err(_)) | None => event,
    }
}

fn too_long(len: usize) -> ToolError {
    ToolError::too_large(format!("the event has {len} bytes; the limit is {EVENT_LINE_MAX}"))
}

/// The events in a `Publish` or an `EventsPublish`, cut out of its bytes one by one without copying any.
///
/// Decoding the whole message would make a large table of a small hostile one: two bytes are an empty event.
pub struct EventsIn(Bytes);

/// Field 1, length-delimited: `events` in both messages.
const EVENTS_FIELD: u64 = 1 << 3 | 2;

impl EventsIn {
    /// Of this message.
    pub fn new(message: Bytes) -> Self {
        Self(message)
    }

    /// The next one, still encoded. Fields of a newer version are passed over.
    #[allow(clippy::should_implement_trait)] // It is fallible.
    pub fn next(&mut self) -> Result<Option<Bytes>, ToolError> {
        let broken = || ToolError::invalid("the record is not a list of events");
        while self.0.has_remaining() {
            let key = decode_varint(&mut self.0).map_err(|_| broken())?;
            let len = match key & 7 {
                0 => {
                    decode_varint(&mut self.0).map_err(|_| broken())?;
                    0
                }
                1 => 8,
                2 => usize::try_from(decode_varint(&mut self.0).map_err(|_| broken())?).map_err(|_| broken())?,
                5 => 4,
                _ => return Err(broken()),
            };
            if len > self.0.len() {
                return Err(broken());
            }
            let value = self.0.split_to(len);
            if key == EVENTS_FIELD {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use prost::Message;

    use super::*;

    fn cut(message: Bytes) -> Result<Vec<Bytes>, ToolError> {
        let mut events = EventsIn::new(message);
        let mut got = Vec::new();
        while let Some(event) = events.next()? {
            got.push(event);
        }
        Ok(got)
    }

    fn event(id: &str) -> pb::Event {
        pb::Event { id: id.into(), session: "s".into(), ..Default::default() }
    }

    #[test]
    fn events_are_cut_out_as_they_were_put_in() {
        let message = pb::Publish { events: vec![event("a"), pb::Event::default(), event("b")] };

        let got = cut(message.encode_to_vec().into()).unwrap();

        let back: Vec<_> = got.into_iter().map(|b| pb::Event::decode(b).unwrap()).collect();
        assert_eq!(back, message.events);
    }

    #[test]
    fn fields_of_a_newer_version_are_passed_over() {
        let mut bytes = vec![0x10, 0x96, 0x01, 0x1a, 0x02, 1, 2]; // field 2 varint, field 3 of two bytes
        bytes.extend(pb::Publish { events: vec![event("a")] }.encode_to_vec());
        bytes.extend([0x25, 1, 2, 3, 4]); // field 4, 32 bits

        assert_eq!(cut(bytes.into()).unwrap().len(), 1);
    }

    #[test]
    fn a_message_that_ends_too_early_is_refused() {
        let whole = pb::Publish { events: vec![event("a")] }.encode_to_vec();
        for n in 1..whole.len() {
            assert!(cut(Bytes::copy_from_slice(&whole[..n])).is_err(), "{n}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = cut(bytes.into());
        }

        #[test]
        fn it_agrees_with_a_full_decode(bytes in prop::collection::vec(prop_oneof![Just(0x0a), Just(0u8), Just(2), any::<u8>()], 0..40)) {
            // Groups, which no schema uses any more, are all that the full decode takes and this does not.
            if let (Ok(message), Ok(mine)) = (pb::Publish::decode(&bytes[..]), cut(bytes.into())) {
                prop_assert_eq!(mine.len(), message.events.len());
            }
        }
    }
}
