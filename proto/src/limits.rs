//! Every number that the contract fixes, each with its unit and its reason.

use std::time::Duration;

/// Longest record in bytes, its length prefix not counted. Larger content goes by reference.
pub const RECORD_MAX: usize = 1 << 20;

/// Longest text that one frame carries, in bytes, so that a frame stays well inside [`RECORD_MAX`] whatever its envelope.
pub const TEXT_MAX: usize = RECORD_MAX - 64 * 1024;

/// Longest content of a block in bytes. A screen on a phone draws this much at once; the rest is fetched by reference.
pub const BLOCK_MAX: usize = 64 * 1024;

/// Longest line of an event file in bytes.
pub const EVENT_LINE_MAX: usize = 1 << 20;

/// Longest id in bytes.
pub const ID_MAX: usize = 128;

/// Cursors stay below this: a browser's numbers are exact up to here.
pub const CURSOR_END: u64 = 1 << 53;

/// How long a ticket can be spent.
pub const TICKET_LIFE: Duration = Duration::from_secs(15);

/// A heartbeat follows this much silence on a stream.
pub const BEAT: Duration = Duration::from_secs(60);

/// A client is patient for this many beats, in halves: two and a half.
pub const PATIENCE_HALF_BEATS: u32 = 5;

/// Attaches that one client may hold side by side on one session.
pub const ATTACHES_PER_CLIENT: usize = 4;

/// Characters (grapheme clusters) at the end of a streaming reply that a screen draws as provisional.
pub const PROVISIONAL_TAIL: usize = 40;

/// Most parts of a merged frame. Bounds what one broken frame can make a reader draw again.
pub const MERGE_PARTS_MAX: usize = 4096;

/// Longest text of a merged frame in bytes: one write of a carrier, and a paint of a few milliseconds on a phone.
pub const MERGE_BYTES_MAX: usize = 64 * 1024;

/// Most messages whose pieces share one merged frame.
pub const MERGE_LANES_MAX: usize = 64;

/// Longest side of a terminal in characters. A screen of a million cells is what an emulator keeps for one.
pub const TERM_SIDE_MAX: u16 = 1000;
