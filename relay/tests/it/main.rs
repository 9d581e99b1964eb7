//! The relay over real sockets on loopback, between a scripted box and scripted phones.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests fail as tests do.

mod bridge;
mod certificate;
mod common;
mod flood;
mod hostile;
mod http;
mod life;
mod memory;
mod secrets;
mod socket;
mod vanish;
mod way;
