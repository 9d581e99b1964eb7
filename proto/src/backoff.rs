//! How long to wait before the next attempt: capped exponential growth with full jitter, and obedience to a server's wish.
//!
//! Three things would surprise: the first wait after a break of one's own is none at all; failures are forgotten only once
//! a stream has outlived the wait that led to it, and has brought something new or lasted a little (or a server that
//! accepts and closes is hammered), and only progress keeps waits from growing; and a range that a server asks for is spread over from the first time on, since
//! everyone was asked in the same instant.

use std::time::Duration;

/// Upper end of the first wait that is not zero.
pub const BASE: Duration = Duration::from_millis(100);

/// No wait of one's own is longer: a person looks at the screen, and a box that came back is found within this.
pub const CAP: Duration = Duration::from_secs(4);

/// Upper end of a wait after a stream that began and brought nothing.
pub const ANSWERED: Duration = Duration::from_millis(1600);

/// The longest wait that a server can ask for.
pub const OBEDIENCE: Duration = Duration::from_secs(300);

/// What a server that goes without naming a range is given.
const GOING: (Duration, Duration) = (Duration::ZERO, Duration::from_secs(1));

/// Waits between attempts.
#[derive(Debug, Clone)]
pub struct Backoff {
    base: Duration,
    cap: Duration,
    failures: u32,
    /// The wait before the attempt at hand.
    waited: Duration,
    chance: Chance,
}

impl Backoff {
    /// With the contract's [`BASE`] and [`CAP`]. Clients with different seeds wait differently: give each a random one.
    pub fn new(seed: u64) -> Self {
        Self::with_limits(BASE, CAP, seed)
    }

    /// With other limits; a `base` above `cap` is taken as `cap`.
    pub fn with_limits(base: Duration, cap: Duration, seed: u64) -> Self {
        Self { base: base.min(cap), cap, failures: 0, waited: Duration::ZERO, chance: Chance(seed) }
    }

    /// The wait before the next attempt: none the first time, then anything up to an ever later end.
    pub fn next_wait(&mut self) -> Duration {
        let end = self.ceiling();
        self.failures = self.failures.saturating_add(1);
        self.waited = self.chance.between(Duration::ZERO, end);
        self.waited
    }

    /// A wait inside the range that a server asked for, the first time too. Both ends are cut to [`OBEDIENCE`]; a range
    /// that is not given (its end is 0) is taken as up to a second.
    pub fn obey(&mut self, min: Duration, max: Duration) -> Duration {
        let (min, max) = if max.is_zero() && min.is_zero() { GOING } else { (min, max) };
        // What follows is no longer the first attempt after a break of one's own.
        self.failures = self.failures.max(1);
        self.waited = self.chance.between(min.min(OBEDIENCE), max.min(OBEDIENCE));
        self.waited
    }

    /// A stream ended that had lived this long, and nobody knows what it brought: [`Backoff::stream_ended`].
    pub fn stream_lived(&mut self, lived: Duration) {
        self.stream_ended(lived, false);
    }

    /// A stream ended that had lived this long. Failures are forgotten if it outlived the wait that led to it and brought
    /// something new or lasted a little. One that was shorter but brought something new was progress: on a path that is
    /// cut again and again, waits that grow would make every step of it slower than the last. It counts as one failure.
    /// One that was short and brought nothing may be the hundredth of its kind: it forgets nothing, but somebody answers
    /// there, so waits stay below [`ANSWERED`].
    pub fn stream_ended(&mut self, lived: Duration, brought_new: bool) {
        if lived >= self.waited && (brought_new || lived >= self.base) {
            self.failures = 0;
        } else if brought_new {
            self.failures = self.failures.min(1);
        } else {
            while self.failures > 1 && self.ceiling() > ANSWERED {
                self.failures -= 1;
            }
        }
    }

    /// Something changed that makes old failures mean nothing: another network, a person who acts.
    pub fn forget(&mut self) {
        self.failures = 0;
    }

    /// A wait between the two, for other things that want a spread.
    pub fn spread(&mut self, min: Duration, max: Duration) -> Duration {
        self.chance.between(min, max)
    }

    /// Upper end of the next wait.
    fn ceiling(&self) -> Duration {
        match self.failures.checked_sub(1) {
            None => Duration::ZERO,
            Some(n) => self.base.checked_mul(1u32.checked_shl(n).unwrap_or(u32::MAX)).unwrap_or(self.cap).min(self.cap),
        }
    }
}

/// A small generator (splitmix64). Good for spreading, worthless for secrets.
#[derive(Debug, Clone)]
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Both ends included, in whole microseconds. A range that is upside down gives `min`.
    fn between(&mut self, min: Duration, max: Duration) -> Duration {
        let width = u64::try_from(max.saturating_sub(min).as_micros()).unwrap_or(u64::MAX - 1);
        min + Duration::from_micros(self.next() % width.saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_path_that_is_cut_while_it_brings_something_never_waits_long() {
        let mut b = Backoff::new(7);
        for _ in 0..100 {
            assert!(b.next_wait() <= BASE);
            b.stream_ended(Duration::from_millis(1), true);
        }
        for _ in 0..10 {
            b.next_wait();
        }
        b.stream_ended(Duration::from_millis(1), false);
        assert!((0..50).map(|_| b.next_wait()).max().unwrap() > BASE);
    }

    #[test]
    fn first_wait_is_none_and_later_ones_are_capped() {
        let mut b = Backoff::new(1);
        assert_eq!(b.next_wait(), Duration::ZERO);
        let mut longest = Duration::ZERO;
        for n in 0..200u32 {
            let end = BASE.saturating_mul(1 << n.min(20)).min(CAP);
            let wait = b.next_wait();
            assert!(wait <= end, "{n}: {wait:?}");
            longest = longest.max(wait);
        }
        assert!(longest > CAP / 2);
    }

    #[test]
    fn a_server_that_accepts_and_closes_is_not_hammered() {
        let mut b = Backoff::new(2);
        let mut waited = Duration::ZERO;
        for _ in 0..40 {
            waited += b.next_wait();
            b.stream_lived(Duration::from_millis(20));
        }
        assert!(waited > Duration::from_secs(20), "{waited:?}");
        b.stream_lived(CAP);
        assert_eq!(b.next_wait(), Duration::ZERO);
    }

    #[test]
    fn a_stream_must_outlive_the_wait_that_led_to_it() {
        let mut b = Backoff::new(3);
        let waited = (0..9).map(|_| b.next_wait()).last().unwrap_or_default();
        assert!(waited > BASE, "{waited:?}");
        b.stream_ended(waited / 2, false);
        assert_eq!(b.ceiling(), ANSWERED);
        b.stream_ended(waited / 2, true);
        assert_eq!(b.failures, 1, "progress is no reason to wait long");
        b.stream_lived(waited);
        assert_eq!(b.failures, 0);
    }

    #[test]
    fn a_short_stream_that_brought_something_is_no_failure() {
        let mut b = Backoff::new(4);
        for _ in 0..30 {
            assert_eq!(b.next_wait(), Duration::ZERO);
            b.stream_ended(Duration::from_millis(1), true);
        }
    }

    #[test]
    fn clients_with_different_seeds_spread_over_a_range_the_first_time_too() {
        let (min, max) = (Duration::from_secs(1), Duration::from_secs(3));
        let waits: Vec<_> = (0..200).map(|seed| Backoff::new(seed).obey(min, max)).collect();
        assert!(waits.iter().all(|w| (min..=max).contains(w)));
        for tenth in 0..10 {
            let (low, high) =
                (min + max.saturating_sub(min) * tenth / 10, min + max.saturating_sub(min) * (tenth + 1) / 10);
            let n = waits.iter().filter(|w| (low..=high).contains(w)).count();
            assert!((5..=45).contains(&n), "{n} of 200 in tenth {tenth}");
        }
    }

    #[test]
    fn a_server_that_names_no_range_is_not_met_by_everyone_at_once() {
        let waits: Vec<_> = (0..50).map(|seed| Backoff::new(seed).obey(Duration::ZERO, Duration::ZERO)).collect();
        assert!(waits.iter().any(|w| *w > Duration::from_millis(500)));
        assert!(waits.iter().all(|w| *w <= Duration::from_secs(1)));
    }

    proptest! {
        #[test]
        fn no_range_makes_it_panic_or_wait_for_ever(seed: u64, min: u64, max: u64) {
            let wait = Backoff::new(seed).obey(Duration::from_micros(min), Duration::from_micros(max));
            prop_assert!(wait <= OBEDIENCE);
        }
    }
}
