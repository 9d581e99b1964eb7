//! Terminals: the person's own login shell on a pseudo-terminal.
//!
//! [`Terminals`] opens them and knows which there are; [`Terminal`] is one of them, [`Attached`] one screen on it. The
//! shell belongs to a session and outlives every screen. It ends by itself, by [`Terminal::close`], when nothing was
//! printed and nobody was there for a day, or with the box: then everything that came of it ends as well.

pub mod account;
mod attached;
mod desk;
mod input;
mod launch;
mod running;
pub mod shells;
mod shown;
mod terminal;

pub use attached::AttachError;
pub use attached::Attached;
pub use desk::Folder;
pub use desk::Limits;
pub use desk::Open;
pub use desk::OpenError;
pub use desk::Terminals;
pub use launch::Launch;
pub use terminal::Info;
pub use terminal::Report;
pub use terminal::Terminal;
