//! The generated messages of `proto/vyre/`, and nothing written by hand.
//!
//! Generated code is committed, so that a fresh clone needs no `protoc`; `proto/tests/generated.rs` holds it true.

/// Frames, blocks, events and calls: `vyre.stream.v1`.
#[allow(missing_docs, clippy::all, clippy::pedantic, clippy::unwrap_used, clippy::expect_used)]
pub mod stream {
    include!("gen/vyre.stream.v1.rs");
    include!("gen/vyre.stream.v1.serde.rs");
}

/// Registration and bridging: `vyre.relay.v1`.
#[allow(missing_docs, clippy::all, clippy::pedantic, clippy::unwrap_used, clippy::expect_used)]
pub mod relay {
    include!("gen/vyre.relay.v1.rs");
}
