//! Time as an argument: [`Tick`] runs, [`Wall`] is what a calendar shows.

use std::ops::Add;
use std::time::Duration;

/// A moment on a clock that only runs forward, from a start that means nothing. Microseconds.
///
/// The clock behind it counts the time in which the machine sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Tick(pub u64);

impl Tick {
    /// Time since `earlier`; zero if that is later.
    pub fn since(self, earlier: Tick) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Tick {
    type Output = Tick;

    fn add(self, d: Duration) -> Tick {
        Tick(self.0.saturating_add(u64::try_from(d.as_micros()).unwrap_or(u64::MAX)))
    }
}

/// Microseconds since the Unix epoch. May jump either way; nothing is ordered by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Wall(pub u64);
