//! When a stream that came by a lesser path looks whether a better one is there, and when it moves.
//!
//! A better path is looked for by a handshake alone, beside the stream that runs. Two in a row have to come through before
//! anything moves, and a look that fails doubles the wait to the next. So does a move after which the stream is soon on a
//! lesser path again: a path on which handshakes come through and nothing else is tried less and less often. Nothing is
//! decided for good: the longest wait is [`WAIT_MAX`], and another network begins anew.
//!
//! Pure: moments in, decisions out. The moving itself is the resume machine's: the better stream is opened beside the
//! running one and takes over with its first record, so no frame is lost and none comes twice.

use std::time::Duration;

use vyre_proto::tick::Tick;

/// From the beginning of a stream on a lesser path to the first look.
pub const WAIT: Duration = Duration::from_secs(5);

/// The longest wait between two looks.
pub const WAIT_MAX: Duration = Duration::from_secs(300);

/// From a look that found something to the one that confirms it.
pub const CONFIRM: Duration = Duration::from_secs(2);

/// A better path that was left again within this was none.
pub const HOLDS: Duration = Duration::from_secs(60);

/// See the module.
#[derive(Debug)]
pub(super) struct Upgrade {
    wait: Duration,
    look_at: Option<Tick>,
    /// A look has found something, and the next will confirm it.
    found: bool,
    moved_at: Option<Tick>,
}

impl Upgrade {
    pub fn new() -> Self {
        Self { wait: WAIT, look_at: None, found: false, moved_at: None }
    }

    /// A stream stands, on a lesser path or on the best there is.
    pub fn stands(&mut self, now: Tick, lesser: bool) {
        self.found = false;
        if !lesser {
            self.look_at = None;
            return;
        }
        if self.moved_at.take().is_some_and(|moved_at| now.since(moved_at) >= HOLDS) {
            self.wait = WAIT;
        }
        self.look_at = Some(now + self.wait);
    }

    /// No stream stands: the next one is dialled on all paths anyway.
    pub fn broke(&mut self) {
        self.look_at = None;
    }

    /// Another network: nothing is known of it.
    pub fn forget(&mut self) {
        *self = Self::new();
    }

    /// When to look, if at all.
    pub fn look_at(&self) -> Option<Tick> {
        self.look_at
    }

    /// A look has begun; there is no other until it has ended.
    pub fn looking(&mut self) {
        self.look_at = None;
    }

    /// A look has ended while the stream still stands. `true`: move now.
    pub fn looked(&mut self, now: Tick, there: bool) -> bool {
        if !there {
            self.found = false;
            self.wait = doubled(self.wait);
            self.look_at = Some(now + self.wait);
            return false;
        }
        if !self.found {
            self.found = true;
            self.look_at = Some(now + CONFIRM);
            return false;
        }
        self.found = false;
        self.moved_at = Some(now);
        // Where the move comes to nothing, or does not hold, the next is later.
        self.wait = doubled(self.wait);
        self.look_at = Some(now + self.wait);
        true
    }
}

fn doubled(wait: Duration) -> Duration {
    (wait * 2).min(WAIT_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets looks come to `there` until it moves, and gives when that is; `None`: not within the hour.
    fn until_move(u: &mut Upgrade, from: Tick, there: impl Fn(Tick) -> bool) -> Option<Tick> {
        loop {
            let now = u.look_at()?;
            if now.since(from) > Duration::from_secs(3600) {
                return None;
            }
            u.looking();
            assert_eq!(u.look_at(), None, "one look at a time");
            if u.looked(now, there(now)) {
                return Some(now);
            }
        }
    }

    fn seconds(t: Tick) -> u64 {
        t.0 / 1_000_000
    }

    #[test]
    fn it_moves_after_two_looks_in_a_row_and_not_after_one() {
        let mut u = Upgrade::new();
        u.stands(Tick(0), true);
        assert_eq!(until_move(&mut u, Tick(0), |_| true).map(seconds), Some(7));

        let mut u = Upgrade::new();
        u.stands(Tick(0), true);
        // There at 5 s, gone at 7 s, there at 17 s and at 19 s.
        assert_eq!(until_move(&mut u, Tick(0), |t| seconds(t) != 7).map(seconds), Some(19));
    }

    #[test]
    fn on_the_best_path_nothing_is_looked_for_and_without_a_stream_neither() {
        let mut u = Upgrade::new();
        u.stands(Tick(0), false);
        assert_eq!(u.look_at(), None);
        u.stands(Tick(0), true);
        u.broke();
        assert_eq!(u.look_at(), None);
    }

    #[test]
    fn a_path_that_is_never_there_is_looked_for_every_five_minutes_at_last() {
        let mut u = Upgrade::new();
        u.stands(Tick(0), true);
        let mut looks = Vec::new();
        while looks.len() < 10 {
            let now = u.look_at().unwrap();
            looks.push(seconds(now));
            u.looking();
            assert!(!u.looked(now, false));
        }
        let waits: Vec<_> = looks.windows(2).map(|w| w[1] - w[0]).collect();
        assert_eq!(waits, [10, 20, 40, 80, 160, 300, 300, 300, 300]);
    }

    #[test]
    fn a_path_that_takes_handshakes_and_carries_nothing_does_not_make_it_flap() {
        let mut u = Upgrade::new();
        let (mut now, mut moves) = (Tick(0), 0);
        while seconds(now) < 3600 {
            u.stands(now, true);
            let Some(moved) = until_move(&mut u, now, |_| true) else { break };
            moves += 1;
            u.stands(moved, false);
            // Dead after 3 s, and the stream is on the lesser path again.
            u.broke();
            now = moved + Duration::from_secs(3);
        }
        assert!(moves <= 20, "{moves} moves in an hour");
    }

    #[test]
    fn a_move_that_held_leaves_no_grudge_and_another_network_begins_anew() {
        let mut u = Upgrade::new();
        u.stands(Tick(0), true);
        let moved = until_move(&mut u, Tick(0), |t| seconds(t) > 100).unwrap();
        u.stands(moved, false);
        let later = moved + HOLDS;
        u.stands(later, true);
        assert_eq!(u.look_at(), Some(later + WAIT));

        u.looking();
        u.looked(later, false);
        u.forget();
        u.stands(later, true);
        assert_eq!(u.look_at(), Some(later + WAIT));
    }
}
