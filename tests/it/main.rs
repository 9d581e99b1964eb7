//! Whole programs and real sockets. One test program, so that it links once.

mod client;
