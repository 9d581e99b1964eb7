//! The box of the session stream, its client and its command line.
//!
//! Layers, top to bottom, imports only ever pointing down: `cli` and `daemon` assemble; [`edge`] are the doors;
//! [`tools`] the calls, with [`policy`] for whoever else has a say in rights; [`agent`] runs assistants and
//! [`term`] knows the shells of terminals, both over [`process`]; [`session`] runs sessions; [`store`] keeps them; [`rules`]
//! decides and touches nothing. Beside them stands [`client`], which knows of the box only what the contract says.

pub mod agent;
pub mod cli;
pub mod client;
pub mod clock;
pub mod config;
pub mod daemon;
pub mod edge;
pub mod policy;
pub mod process;
pub mod reach;
pub mod rules;
pub mod session;
pub mod store;
pub mod term;
pub mod tools;
