//! Seeded, without sockets: the box's rules over a disk that fails when told to.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests are no test functions to the lint.

mod crash;
mod disk;
mod steer;
mod store;
