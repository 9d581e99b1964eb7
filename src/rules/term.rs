//! The rules of a terminal: what is kept of its output, whose size it has, what its shell says that it ran.
//!
//! Pure: bytes come in as arguments, and nobody here knows of a pseudo-terminal or a socket.

pub mod escape;
pub mod marks;
pub mod queries;
pub mod ran;
pub mod ring;
pub mod screen;
pub mod screens;
pub mod window;
