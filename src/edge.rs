//! The doors of a box: HTTP, WebSocket, server-sent events, QUIC, and the uplink to a relay.
//!
//! [`guard::Doors`] is what all of them share. [`http`] and [`quic`] listen; [`uplink`] dials a relay. HTTP requests from
//! either side meet in [`request`], native streams in [`stream`]: behind them no rule knows by which way somebody came.

pub mod guard;
pub mod http;
pub mod origin;
pub mod patience;
pub mod pipe;
pub mod publish;
pub mod quic;
pub mod request;
pub mod sse;
pub mod stream;
pub mod term;
pub mod uplink;
pub mod ws;
