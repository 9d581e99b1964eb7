//! The client: drives the resume machine over real carriers.

pub mod carrier;
pub mod dial;
pub mod publisher;
