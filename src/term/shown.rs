//! What a terminal shows, for screens that lack more of its output than is kept.
//!
//! To draw output costs more than to hand it on, so nothing is drawn that the ring still holds. What it lets go waits here
//! and is drawn when the terminal has nothing better to do, or when too much waits. For a snapshot a clone is fed with
//! the rest, away from the lock.

use std::collections::VecDeque;

use bytes::Bytes;
use vyre_proto::term::TermSize;

use crate::rules::term::ring::Gone;
use crate::rules::term::ring::Next;
use crate::rules::term::ring::Ring;
use crate::rules::term::screen::Screen;
use crate::rules::term::screen::Snapshot;

/// Bytes that may wait. Beyond it as many are drawn as come.
const WAIT_MAX: usize = 4 << 20;

/// See the module.
#[derive(Debug)]
pub(super) struct Shown {
    screen: Screen,
    waits: VecDeque<Gone>,
    /// Bytes of those.
    len: usize,
}

impl Shown {
    pub(super) fn new(size: TermSize) -> Shown {
        Shown { screen: Screen::new(size), waits: VecDeque::new(), len: 0 }
    }

    /// Takes what the ring has let go.
    pub(super) fn gone(&mut self, gone: Vec<Gone>) {
        for part in gone {
            self.len += len(&part);
            self.waits.push_back(part);
        }
        while self.len > WAIT_MAX {
            self.catch_up();
        }
    }

    /// Whether something waits.
    pub(super) fn is_behind(&self) -> bool {
        !self.waits.is_empty()
    }

    /// Draws one part of what waits.
    pub(super) fn catch_up(&mut self) {
        if let Some(part) = self.waits.pop_front() {
            self.len -= len(&part);
            draw(&mut self.screen, &part);
        }
    }

    /// All that a snapshot of the ring's head is made of. Cheap beside its [`Making::finish`].
    pub(super) fn begin(&self, ring: &Ring) -> Making {
        let mut rest: Vec<Gone> = self.waits.iter().cloned().collect();
        let (mut at, mut size) = (ring.floor(), None);
        loop {
            match ring.next(at, size, usize::MAX) {
                Ok(Next::Size(now)) => {
                    size = Some(now);
                    rest.push(Gone::Size(now));
                }
                Ok(Next::Bytes(bytes)) => {
                    at = at.plus(bytes.len());
                    rest.push(Gone::Bytes(bytes));
                }
                Ok(Next::AtHead) | Err(_) => break,
            }
        }
        Making { screen: self.screen.clone(), rest }
    }
}

/// A snapshot that is being made.
#[derive(Debug)]
pub(super) struct Making {
    screen: Screen,
    rest: Vec<Gone>,
}

impl Making {
    /// Draws the rest: some 50 ms for 2 MiB.
    pub(super) fn finish(mut self) -> Snapshot {
        self.rest.iter().for_each(|part| draw(&mut self.screen, part));
        self.screen.snapshot()
    }
}

fn draw(screen: &mut Screen, part: &Gone) {
    match part {
        Gone::Size(size) => screen.resize(*size),
        Gone::Bytes(bytes) => screen.feed(bytes),
    }
}

fn len(part: &Gone) -> usize {
    match part {
        Gone::Size(_) => 0,
        Gone::Bytes(bytes) => Bytes::len(bytes),
    }
}

#[cfg(test)]
mod tests {
    use vyre_proto::term::Offset;

    use super::*;

    #[test]
    fn a_snapshot_is_of_all_that_was_printed_wherever_it_is_kept() {
        let size = TermSize::clamped(20, 3);
        let (mut ring, mut shown, mut whole) = (Ring::new(1000, size), Shown::new(size), Screen::new(size));
        let mut snapshots = 0;
        for n in 0..4000u32 {
            let line = format!("line {n}\r\n");
            whole.feed(line.as_bytes());
            ring.push(line.as_bytes());
            if n % 700 == 0 {
                let size = TermSize::clamped(20 + n / 700, 3);
                whole.resize(size);
                ring.resize(size);
            }
            shown.gone(ring.take_gone());
            if n % 50 == 0 {
                shown.catch_up();
            }
            if n % 501 == 0 {
                assert_eq!(shown.begin(&ring).finish(), whole.snapshot(), "{n}");
                snapshots += 1;
            }
        }
        assert!(snapshots > 5 && ring.floor() > Offset::ZERO);
    }

    #[test]
    fn what_waits_is_bounded() {
        let size = TermSize::DEFAULT;
        let mut shown = Shown::new(size);
        for _ in 0..10 {
            shown.gone(vec![Gone::Bytes(vec![b'x'; 1 << 20].into())]);
        }
        assert!(shown.len <= WAIT_MAX && shown.is_behind());
    }
}
