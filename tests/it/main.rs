//! Whole programs and real sockets on loopback. One test program, so that it links once.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests are no test functions to the lint.

mod cli;
mod client;
mod client_program;
mod common;
mod crash;
mod docs;
mod fuzz;
mod hostile;
mod open;
mod relay;
mod tickets;
mod tools;
mod uplink;
