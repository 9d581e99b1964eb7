//! What a box decides: pure rules over bytes, time and chance. No I/O, no clock, no randomness, no async.

pub mod adapter;
pub mod authority;
pub mod blocks;
pub mod caller;
pub mod log;
pub mod merge;
pub mod reader;
pub mod redact;
pub mod reply;
pub mod ring;
pub mod room;
pub mod stays;
pub mod steering;
pub mod surface;
pub mod ticket;
