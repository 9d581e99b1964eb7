//! A call by its name to its handler.

pub mod stream;
pub mod room;
pub mod event;
