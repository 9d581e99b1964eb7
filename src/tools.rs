//! A call by its name to its handler.

pub mod event;
pub mod room;
pub mod stream;
