//! The relay: carries streams between phones and the boxes that dialled it, byte for byte and unread.
//!
//! A box keeps a QUIC connection here and is known by its key. A phone comes over QUIC and names the box in its first
//! record, or over HTTPS below `/b/<box id>/`. For each of its streams the relay opens one to the box, says in one
//! record how the phone came, and from then on copies. [`bridge`] is that copying and the only path of data; it holds
//! no parser. [`registry`], [`quota`] and [`backlog`] decide and are pure; [`hub`] is where a phone meets its box; [`quic`] and
//! [`web`] are the doors; [`certificate`] is what they show; [`server`] puts all together and takes it apart again.

pub mod backlog;
pub mod bridge;
pub mod certificate;
pub mod config;
pub mod hub;
pub mod metrics;
pub mod quic;
pub mod quota;
pub mod registry;
pub mod seat;
pub mod server;
pub mod web;

mod patience;
