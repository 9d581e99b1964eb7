//! Terminals: the person's own login shell on a pseudo-terminal.

pub mod shells;
