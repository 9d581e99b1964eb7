//! Whole programs and real sockets on loopback. One test program, so that it links once.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests are no test functions to the lint.

mod agent;
mod authority;
mod certificate;
mod cli;
mod client;
mod client_program;
mod common;
mod compose;
mod crash;
mod cuts;
mod demo;
mod docs;
mod fuzz;
mod hostile;
mod open;
mod paths;

mod person;
mod policy;
mod private;
mod relay;
mod restart;
mod retention;
mod rewrite;
mod rooms;
mod same_bytes;
mod steer;
mod term_client;
mod term_doors;
mod term_marks;
mod term_screen;
mod terminals;
mod tickets;
mod tools;
mod uplink;
mod vanish;
mod viewers;
