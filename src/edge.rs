//! The doors of a box: HTTP, WebSocket, server-sent events, QUIC, and the uplink to a relay.

pub mod guard;
pub mod http;
pub mod quic;
pub mod sse;
pub mod stream;
pub mod uplink;
pub mod ws;
