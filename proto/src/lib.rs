//! The contract of the session stream as a crate: schemas, bytes, and what every client must do with them.
//!
//! Whatever an independent client may rely on is here, and nothing else. No I/O, no clock, no randomness, no async:
//! bytes, time and chance are arguments. The box ([`vyre-stream`]), the relay and every screen build on it.
//!
//! Bottom up: [`limits`], [`tick`], [`ids`] and [`cursor`] are the words; [`record`] cuts a byte stream into messages;
//! [`pb`] holds the generated messages; [`kind`] and [`frame`] are the checked view of one; [`event`] is what a producer
//! publishes; [`head`] begins a native stream; [`json`] and [`sse`] are the text surfaces; [`fold`] makes rows of frames.
//!
//! [`vyre-stream`]: https://docs.rs/vyre-stream

pub mod backoff;
pub mod block;
pub mod cursor;
pub mod envelope;
pub mod event;
pub mod fold;
pub mod frame;
pub mod head;
pub mod ids;
pub mod json;
pub mod kind;
pub mod limits;
pub mod lines;
pub mod pb;
pub mod queue;
pub mod record;
pub mod relay_url;
pub mod resume;
pub mod sse;
pub mod term;
pub mod tick;
