//! The rules of a terminal: what is kept of its output, whose size it has, what may be typed into it.
//!
//! Pure: bytes come in as arguments, and nobody here knows of a pseudo-terminal or a socket.

pub mod ring;
pub mod screens;
