//! Programs that the box starts, and that nothing of them outlives it: assistants and shells alike.
//!
//! [`guard`] is what stands between the box and such a program; [`tree`] finds what came of one.

pub mod guard;
pub mod tree;
