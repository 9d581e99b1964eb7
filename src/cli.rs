//! The commands, their flags and their exit codes.

pub mod attach;
pub mod demo;
pub mod inspect;
pub mod publish;
pub mod rows;
pub mod serve;
pub mod token;
