//! The relay over real sockets on loopback, between a scripted box and scripted phones.

mod bridge;
mod common;
mod hostile;
mod http;
mod life;
mod secrets;
mod socket;
