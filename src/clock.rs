//! The one reader of clocks and randomness above the pure line.
//!
//! [`Clock::tick`] counts the time in which the machine sleeps, so that a ticket does not outlive a closed lid.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use ring::rand::{SecureRandom, SystemRandom};
use rustix::time::{ClockId, clock_gettime};
use vyre_proto::tick::{Tick, Wall};

/// Time and chance. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    System,
    /// Microseconds: of the tick, and of the wall.
    Set(Arc<(AtomicU64, AtomicU64)>),
}

impl Clock {
    /// The machine's clocks.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands still until [`Clock::set`] moves it.
    pub fn settable(tick: Tick, wall: Wall) -> Self {
        Self(Source::Set(Arc::new((AtomicU64::new(tick.0), AtomicU64::new(wall.0)))))
    }

    /// Moves a settable clock; does nothing to the machine's.
    pub fn set(&self, tick: Tick, wall: Wall) {
        if let Source::Set(s) = &self.0 {
            s.0.store(tick.0, Ordering::SeqCst);
            s.1.store(wall.0, Ordering::SeqCst);
        }
    }

    /// Now, on a clock that only runs forward and does not stop while the machine sleeps.
    pub fn tick(&self) -> Tick {
        match &self.0 {
            Source::System => {
                let t = clock_gettime(ClockId::Boottime);
                Tick(u64::try_from(t.tv_sec).unwrap_or(0) * 1_000_000 + u64::try_from(t.tv_nsec).unwrap_or(0) / 1000)
            }
            Source::Set(s) => Tick(s.0.load(Ordering::SeqCst)),
        }
    }

    /// Now, by the calendar.
    pub fn wall(&self) -> Wall {
        match &self.0 {
            Source::System => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                Wall(u64::try_from(since.as_micros()).unwrap_or(u64::MAX))
            }
            Source::Set(s) => Wall(s.1.load(Ordering::SeqCst)),
        }
    }

    /// Bytes that nobody can guess.
    ///
    /// # Panics
    /// If the operating system has no randomness to give: nothing that needs it may go on without.
    pub fn random<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        match SystemRandom::new().fill(&mut bytes) {
            Ok(()) => bytes,
            Err(_) => panic!("the operating system gives no randomness"),
        }
    }
}
