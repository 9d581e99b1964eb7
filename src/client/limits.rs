//! How long the client waits for each step, and how much it holds. The whole of an opening is bounded by the machine.

use std::time::Duration;

/// A host name becomes addresses.
pub const RESOLVE: Duration = Duration::from_secs(3);

/// TCP stands, or a QUIC handshake is through.
pub const DIAL: Duration = Duration::from_secs(5);

/// TLS over TCP stands.
pub const HANDSHAKE: Duration = Duration::from_secs(5);

/// An answer's first byte: a box may have to load a session first.
pub const ANSWER: Duration = Duration::from_secs(10);

/// A WebSocket stands.
pub const UPGRADE: Duration = Duration::from_secs(5);

/// Something that is written is taken.
pub const WRITE: Duration = Duration::from_secs(30);

/// A tool call as a whole.
pub const CALL: Duration = Duration::from_secs(30);

/// QUIC is alone for so long before a WebSocket is tried beside it.
pub const FALLBACK: Duration = Duration::from_millis(300);

/// After a WebSocket has won over QUIC they start together for so long. "UDP does not work" is never kept for longer.
pub const FALLBACK_MEMORY: Duration = Duration::from_secs(60);

/// How often a QUIC connection is looked at for a sign of life while a probe is out.
pub const PROBE_LOOK: Duration = Duration::from_millis(50);

/// Longest answer of a call in bytes.
pub const BODY_MAX: usize = 8 << 20;

/// Longest error body in bytes that is read for its sentence.
pub const ERROR_MAX: usize = 16 << 10;

/// Read and write buffers of a WebSocket in bytes: a large one costs memory and wins nothing at these rates.
pub const WS_BUFFER: usize = 16 << 10;

/// Longest message that a screen sends, in bytes: a box takes twice as much.
pub const WS_MESSAGE: usize = 32 << 10;

/// Bytes or pieces that are taken from one carrier before the others get their turn.
pub const TURN: usize = 64;

/// Events that a publisher holds and that are not acknowledged.
pub const WINDOW_EVENTS: usize = 1024;

/// The same in bytes; one event may be larger and then goes alone.
pub const WINDOW_BYTES: usize = 4 << 20;

/// A machine's sleep is seen where its clock moved this much further than a clock that stops.
pub const SLEPT: Duration = Duration::from_secs(2);

/// A reading looks at its clocks at least this often.
pub const LOOK: Duration = Duration::from_secs(30);

/// Bytes of events that go out in one write.
pub const PUBLISH_WRITE: usize = 64 << 10;

/// After a line broke a publisher has no more than this on the next one before its first answer, in bytes; at least one
/// event.
pub const PUBLISH_WINDOW_MIN: usize = 8 << 10;

/// A publisher says that nothing moves after this long without one event settled. It may be asked to go on.
pub const PUBLISH_STALL: Duration = Duration::from_secs(60);

/// Events in flight of which none is answered for so long: the line is given up for another.
pub const PUBLISH_SILENCE: Duration = Duration::from_secs(20);

/// Refused events that a publisher remembers with their reason.
pub const REFUSED_MAX: usize = 1000;

/// No packet at all over QUIC for so long after one was asked for: the path is gone, whatever the connection believes. A path
/// that lives acknowledges within a round trip.
pub const PATH_SILENCE: Duration = Duration::from_secs(3);

/// So long a path may say nothing by itself before a packet is asked for.
pub const PATH_QUIET: Duration = Duration::from_secs(1);

/// How often a path is looked at while something waits for it.
pub const PATH_LOOK: Duration = Duration::from_millis(250);
