//! One attempt to read on: what it asked, what the other side said of itself, and when it was last heard.

use std::fmt;
use std::time::Duration;

use super::Position;
use super::limits;
use crate::ids::LogId;
use crate::limits::BEAT;
use crate::limits::PATIENCE_HALF_BEATS;
use crate::pb::stream as pb;
use crate::record::Decoder;
use crate::tick::Tick;

/// One attempt of one reader. Later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttemptId(pub(super) u64);

impl AttemptId {
    /// The number, as `attempt` of an attach.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for AttemptId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What runs between `Open` and `Close`.
#[derive(Debug)]
pub(super) struct Attempt {
    pub id: AttemptId,
    /// The position that it asked from, which the answer is about, wherever the reader has come since.
    pub asked: Position,
    /// The reader's generation of positions when it asked: resets applied until then.
    pub epoch: u64,
    pub opened_at: Tick,
    /// When it last gave any sign of life.
    pub heard_at: Tick,
    /// When a byte of its stream last came. A connection may answer probes for ever and feed nothing.
    pub fed_at: Tick,
    /// Since its first record.
    pub up: Option<Up>,
    pub decoder: Decoder,
}

/// What a stream that has begun knows.
#[derive(Debug)]
pub(super) struct Up {
    pub since: Tick,
    pub log: Option<LogId>,
    pub view: Option<u64>,
    /// Silence that is not yet death.
    pub patience: Duration,
    /// A reset that its first record makes due, should the other side forget to send it.
    pub due: Option<pb::Reset>,
    /// It has brought something that the reader did not have.
    pub brought_new: bool,
    /// Silent for too long. It may still come back while others are tried.
    pub suspect: bool,
    /// It is suspect because its stream was silent: then only bytes of the stream clear it.
    pub starved: bool,
    /// A probe is out, and its answer is due.
    pub probe_until: Option<Tick>,
    /// How much silence inside an open message leads to the next probe.
    pub probe_wait: Duration,
}

impl Attempt {
    pub fn new(now: Tick, id: AttemptId, asked: Position, epoch: u64) -> Self {
        Self { id, asked, epoch, opened_at: now, heard_at: now, fed_at: now, up: None, decoder: Decoder::new() }
    }

    /// A sign of life came.
    pub fn hear(&mut self, now: Tick) {
        self.heard_at = now;
        if let Some(up) = &mut self.up {
            up.suspect &= up.starved;
            up.probe_until = None;
        }
    }

    /// Bytes of its stream came.
    pub fn feed(&mut self, now: Tick) {
        self.fed_at = now;
        if let Some(up) = &mut self.up {
            up.starved = false;
        }
    }

    pub fn is_healthy(&self) -> bool {
        self.up.as_ref().is_some_and(|up| !up.suspect)
    }

    pub fn is_opening(&self) -> bool {
        self.up.is_none()
    }
}

/// Patience for a beat of this length in milliseconds; 0 is a beat that was not told.
pub(super) fn patience(beat_ms: u32) -> Duration {
    let beat = if beat_ms == 0 { BEAT } else { Duration::from_millis(u64::from(beat_ms)) };
    beat.clamp(limits::BEAT_MIN, limits::BEAT_MAX) * PATIENCE_HALF_BEATS / 2
}
