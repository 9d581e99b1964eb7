//! How much of a terminal's output may be under way to one screen.
//!
//! What is under way cannot be taken back: behind Ctrl-C a person watches it go by. Sockets and relays take megabytes of it
//! before they say no, and on a slow link that is half a minute. So a screen says what it has shown, and no more is sent
//! than the link carries in about [`QUEUE`]. The size of the window follows the delay: it grows where the link takes all
//! of it without a queue, and shrinks where what is sent waits in one. (The thought is that of delay-based congestion
//! control, as in TCP Vegas and BBR; this only bounds a queue, the transport below shares the link.)
//!
//! A screen that never says what it has shown is sent what its transport takes.

use std::collections::VecDeque;
use std::time::Duration;

use vyre_proto::term::Offset;
use vyre_proto::tick::Tick;

/// How long what is sent may wait in a queue on its way, beyond the shortest way that was seen.
pub const QUEUE: Duration = Duration::from_millis(250);

/// Where the window begins.
const START: u64 = 64 * 1024;

/// Smallest window in bytes: some screens full of text.
const LEAST: u64 = 16 * 1024;

/// Largest window in bytes: 10 MB/s at 100 ms.
const MOST: u64 = 1 << 20;

/// How long the shortest way is believed in: a phone changes networks.
const BELIEVE: Duration = Duration::from_secs(10);

/// Pieces under way that are timed.
const TIMED_MAX: usize = 256;

/// See the module.
#[derive(Debug)]
pub struct Window {
    size: u64,
    sent: Offset,
    seen: Offset,
    /// Ends of pieces under way, and when each went out.
    timed: VecDeque<(Offset, Tick)>,
    /// The shortest way of this time and of the one before it.
    shortest: [Option<Duration>; 2],
    since: Tick,
    /// The size is judged anew when this has been seen.
    round: Offset,
    /// The window was full in this round.
    full: bool,
    was_too_large: bool,
    speaks: bool,
}

impl Window {
    /// Of a screen that has everything before this place.
    pub fn new(from: Offset) -> Window {
        Window {
            size: START,
            sent: from,
            seen: from,
            timed: VecDeque::new(),
            shortest: [None; 2],
            since: Tick(0),
            round: from,
            full: false,
            was_too_large: false,
            speaks: false,
        }
    }

    /// All before this place is on its way.
    pub fn sent(&mut self, now: Tick, upto: Offset) {
        self.sent = upto;
        // Of more pieces some are not timed.
        if self.timed.len() < TIMED_MAX {
            self.timed.push_back((upto, now));
        }
        self.full |= self.room() == 0;
    }

    /// The screen goes on from here: it was given a snapshot.
    pub fn jump(&mut self, to: Offset) {
        let Window { size, shortest, since, was_too_large, speaks, .. } = *self;
        *self = Window { size, shortest, since, was_too_large, speaks, ..Window::new(to) };
    }

    /// The screen has shown all before this place. One that was not sent, or was said before, says nothing.
    pub fn seen(&mut self, now: Tick, upto: Offset) {
        self.speaks = true;
        if upto > self.sent || upto <= self.seen {
            return;
        }
        self.seen = upto;
        let mut went = None;
        while let Some((end, at)) = self.timed.front().copied()
            && end <= upto
        {
            went = Some(at);
            self.timed.pop_front();
        }
        let Some(way) = went.map(|at| now.since(at)) else { return };
        if now.since(self.since) >= BELIEVE {
            self.since = now;
            self.shortest = [None, self.shortest[0]];
        }
        self.shortest[0] = Some(self.shortest[0].map_or(way, |s| s.min(way)));
        if upto < self.round {
            return;
        }
        let shortest = self.shortest.into_iter().flatten().min().unwrap_or(way);
        let queue = way.saturating_sub(shortest);
        if queue > QUEUE {
            self.was_too_large = true;
            // What the link carried in `way` was the window; this is what it carries in the time that is wanted.
            let (wanted, took) = ((shortest + QUEUE * 3 / 4).as_micros(), way.as_micros().max(1));
            let fits = u128::from(self.size) * wanted / took;
            self.size = u64::try_from(fits).unwrap_or(MOST).clamp(LEAST, MOST);
        } else if self.full && queue < QUEUE / 2 {
            // Once it was too large it is near what fits, and grows by a quarter.
            let more = if self.was_too_large { self.size / 4 } else { self.size };
            self.size = (self.size + more).min(MOST);
        }
        self.full = false;
        self.round = self.sent;
    }

    /// How many bytes may be under way; `None` where the screen never says what it has shown.
    pub fn size(&self) -> Option<u64> {
        self.speaks.then_some(self.size)
    }

    /// Bytes that may be sent now.
    pub fn room(&self) -> usize {
        if !self.speaks {
            return usize::MAX;
        }
        usize::try_from(self.size.saturating_sub(self.sent.above(self.seen))).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A link of this many bytes a second and this delay each way, with room for everything.
    struct Link {
        window: Window,
        now: u64,
        /// What is under way: its end, and when it is shown.
        way: VecDeque<(Offset, u64)>,
        /// Words of the screen under way.
        back: VecDeque<(Offset, u64)>,
        free_at: u64,
        rate: u64,
        delay: u64,
        shown: Offset,
    }

    impl Link {
        fn new(rate: u64, delay_ms: u64) -> Link {
            let mut window = Window::new(Offset::ZERO);
            window.seen(Tick(0), Offset::ZERO);
            let (way, back) = (VecDeque::new(), VecDeque::new());
            Link { window, now: 0, way, back, free_at: 0, rate, delay: delay_ms * 1000, shown: Offset::ZERO }
        }

        /// A flood for this long. Gives how long what is under way at its end still takes, in milliseconds.
        fn flood(&mut self, ms: u64) -> u64 {
            for _ in 0..ms * 2 {
                self.now += 500;
                while self.window.room() > 0 {
                    let piece = self.window.room().min(8192);
                    let end = self.window.sent.plus(piece);
                    self.window.sent(Tick(self.now), end);
                    self.free_at = self.free_at.max(self.now) + piece as u64 * 1_000_000 / self.rate;
                    self.way.push_back((end, self.free_at + self.delay));
                }
                while self.way.front().is_some_and(|(_, at)| *at <= self.now) {
                    let (end, _) = self.way.pop_front().unwrap();
                    self.shown = end;
                    self.back.push_back((end, self.now + self.delay));
                }
                while self.back.front().is_some_and(|(_, at)| *at <= self.now) {
                    let (end, _) = self.back.pop_front().unwrap();
                    self.window.seen(Tick(self.now), end);
                }
            }
            self.way.back().map_or(0, |(_, at)| at.saturating_sub(self.now)) / 1000
        }
    }

    #[test]
    fn on_a_slow_link_little_is_under_way_and_the_link_is_never_idle() {
        for (rate, delay) in [(125_000, 10), (60_000, 30), (125_000, 150)] {
            let mut link = Link::new(rate, delay);
            link.flood(5000);
            let before = link.shown;

            let left = link.flood(5000);

            assert!(left < 700, "{rate} {delay}: {left} ms are under way");
            let carried = link.shown.above(before);
            assert!(carried * 10 > rate * 5 * 9, "{rate} {delay}: {carried} bytes in 5 s");
        }
    }

    #[test]
    fn a_fast_link_is_filled() {
        for (rate, delay) in [(12_500_000, 10), (100_000_000, 1), (5_000_000, 50)] {
            let mut link = Link::new(rate, delay);
            link.flood(2000);
            let before = link.shown;

            link.flood(1000);

            let carried = link.shown.above(before);
            assert!(carried * 10 > rate * 7, "{rate} {delay}: {carried} bytes in 1 s");
        }
    }

    #[test]
    fn a_link_that_becomes_slow_is_noticed() {
        let mut link = Link::new(12_500_000, 10);
        link.flood(2000);
        link.rate = 125_000;
        link.flood(20_000);

        let left = link.flood(1);

        assert!(left < 700, "{left} ms are under way");
    }

    #[test]
    fn a_screen_that_says_nothing_is_not_waited_for() {
        let mut window = Window::new(Offset::ZERO);
        window.sent(Tick(1), Offset::new(1 << 30).unwrap());

        assert_eq!(window.room(), usize::MAX);
    }

    proptest! {
        #[test]
        fn whatever_a_screen_says_the_window_has_its_bounds(steps in prop::collection::vec((0u8..3, 0u64..1 << 21, 0u64..3_000_000), 0..200)) {
            let (mut window, mut now) = (Window::new(Offset::ZERO), 0);
            for (what, n, wait) in steps {
                now += wait;
                match what {
                    0 => {
                        let more = usize::try_from(n).unwrap().min(window.room());
                        let upto = window.sent.plus(more);
                        window.sent(Tick(now), upto);
                    }
                    1 => window.seen(Tick(now), Offset::new(n).unwrap()),
                    _ => window.jump(Offset::new(n).unwrap()),
                }
                prop_assert!((LEAST..=MOST).contains(&window.size));
                prop_assert!(!window.speaks || window.room() as u64 <= MOST);
                prop_assert!(window.timed.len() <= TIMED_MAX);
                prop_assert!(window.seen <= window.sent);
            }
        }
    }
}
