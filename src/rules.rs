//! What a box decides: pure rules over bytes, time and chance. No I/O, no clock, no randomness, no async.

pub mod acp;
pub mod adapter;
pub mod authority;
pub mod blocks;
pub mod caller;
pub mod fanout;
pub mod holdback;
pub mod log;
pub mod membership;
pub mod merge;
pub mod once;
pub mod policy;
pub mod presence;
pub mod reader;
pub mod readmarks;
pub mod redact;
pub mod reply;
pub mod rewrite;
pub mod ring;
pub mod room;
pub mod routing;
pub mod stays;
pub mod steering;
pub mod surface;
pub mod ticket;
pub mod viewer;
