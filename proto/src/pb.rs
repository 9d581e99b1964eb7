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

/// What holds a secret says its name when it is printed, and nothing else.
macro_rules! opaque_debug {
    ($($message:ty),*) => {$(
        impl std::fmt::Debug for $message {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($message), "(..)"))
            }
        }
    )*};
}

opaque_debug!(
    stream::StreamHead,
    stream::Attach,
    stream::TermStream,
    stream::StreamOpened,
    stream::TermOpened,
    stream::TermAttached,
    stream::TermOut,
    stream::TermSnapshot,
    stream::TermIn,
    relay::Bridged,
    relay::Header
);
