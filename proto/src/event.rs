//! What a producer publishes, parsed and checked or refused whole. (Stand-in until the real one is merged.)

use bytes::Bytes;

use crate::pb::stream as pb;

/// Why it is not an event.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// Stand-in.
    #[error("{0}")]
    Invalid(String),
}

/// A checked event.
#[derive(Debug, Clone)]
pub struct Event(pb::Event);

impl Event {
    /// From protobuf.
    pub fn decode(record: Bytes) -> Result<Event, EventError> {
        use prost::Message;
        pb::Event::decode(record).map(Event).map_err(|e| EventError::Invalid(e.to_string()))
    }
    /// Checks a message.
    pub fn check(e: pb::Event) -> Result<Event, EventError> {
        Ok(Event(e))
    }
    /// From one JSON object.
    pub fn from_json(_line: &[u8]) -> Result<Event, EventError> {
        Err(EventError::Invalid("not yet".into()))
    }
    /// The message.
    pub fn get(&self) -> &pb::Event {
        &self.0
    }
}
