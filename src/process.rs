//! Programs that the box starts, and that nothing of them outlives it: assistants and shells alike.
//!
//! [`guard`] is what stands between the box and an assistant, [`shell_guard`] between it and a shell on a terminal; [`tree`] finds
//! what came of one.

pub mod guard;
pub mod shell_guard;
pub mod tree;
