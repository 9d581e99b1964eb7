//! Seeded, without sockets: the box's rules over a disk that fails when told to.

mod crash;
mod disk;
mod store;
