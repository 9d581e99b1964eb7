//! A terminal as bytes: what a shell says in its output, and what a person ran by it.

pub mod marks;
pub mod offset;
pub mod ran;
