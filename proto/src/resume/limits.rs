//! The numbers of the machine, each with its reason.

use std::time::Duration;

/// From an attempt's beginning to its first record. The steps in between have shorter limits of their own.
pub const OPEN: Duration = Duration::from_secs(15);

/// An attempt from which no byte has come for so long is joined by another: in the dark a dial's own probes double.
pub const RACE: Duration = Duration::from_secs(1);

/// The same from the second on.
pub const RACE_LATER: Duration = Duration::from_secs(2);

/// Silence while the stream is known to owe frames: a replay that has stalled.
pub const STALL: Duration = Duration::from_secs(10);

/// Silence inside an open message before a probe. It doubles up to [`PROBE_WAIT_MAX`] while only probes are answered.
pub const PROBE_WAIT: Duration = Duration::from_secs(1);

/// See [`PROBE_WAIT`].
pub const PROBE_WAIT_MAX: Duration = Duration::from_secs(16);

/// The answer to a probe is due within this.
pub const PROBE: Duration = Duration::from_secs(2);

/// Two changes of network within this are one.
pub const SAME_NUDGE: Duration = Duration::from_millis(250);

/// A beat that is told to be shorter is taken as this.
pub const BEAT_MIN: Duration = Duration::from_secs(1);

/// A beat that is told to be longer is taken as this.
pub const BEAT_MAX: Duration = Duration::from_secs(3600);

/// Addresses taken from one `bye`.
pub const PATHS: usize = 16;
