//! What the readers of one session wait on: the head, and a count that moves when they are to look for another reason.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use tokio::sync::Notify;
use vyre_proto::cursor::Cursor;

/// Rings for every reader that waits. Costs one look where nobody does.
#[derive(Debug)]
pub(crate) struct Bell {
    head: AtomicU64,
    pokes: AtomicU32,
    rung: Notify,
}

/// How often readers were told to look, as somebody saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pokes(u32);

impl Bell {
    /// Of a session whose log ends there.
    pub(crate) fn new(head: Cursor) -> Self {
        Self { head: AtomicU64::new(head.get()), pokes: AtomicU32::new(0), rung: Notify::new() }
    }

    /// The log ends there, or further on by now. False: that was said already.
    pub(crate) fn show(&self, head: Cursor) -> bool {
        let moved = self.head.fetch_max(head.get(), Ordering::AcqRel) < head.get();
        if moved {
            self.rung.notify_waiters();
        }
        moved
    }

    /// Makes every reader look.
    pub(crate) fn poke(&self) {
        self.pokes.fetch_add(1, Ordering::AcqRel);
        self.rung.notify_waiters();
    }

    /// To be taken before a look: what comes after it ends the wait behind that look.
    pub(crate) fn pokes(&self) -> Pokes {
        Pokes(self.pokes.load(Ordering::Acquire))
    }

    /// Waits until the log goes on behind `last`, or readers were told to look since `pokes`.
    pub(crate) async fn rung(&self, last: Cursor, pokes: Pokes) {
        loop {
            // Whatever rings from here on ends the wait; so the look comes behind it.
            let rung = self.rung.notified();
            if self.head.load(Ordering::Acquire) > last.get() || self.pokes() != pokes {
                return;
            }
            rung.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::Arc;

    use futures_util::FutureExt;

    use super::*;

    fn at(cur: u64) -> Cursor {
        Cursor::new(cur).unwrap()
    }

    #[tokio::test]
    async fn a_head_that_moved_before_the_wait_ends_it_at_once() {
        let bell = Bell::new(at(3));
        let pokes = bell.pokes();
        assert!(bell.show(at(4)));
        assert!(!bell.show(at(4)) && !bell.show(at(2)));

        assert!(bell.rung(at(3), pokes).now_or_never().is_some());
        assert!(bell.rung(at(4), pokes).now_or_never().is_none());
        bell.poke();
        assert!(bell.rung(at(4), pokes).now_or_never().is_some());
    }

    #[tokio::test]
    async fn everybody_who_waits_hears_it_and_who_waits_for_more_goes_on() {
        let bell = Bell::new(at(1));
        let pokes = bell.pokes();
        let mut near = pin!(bell.rung(at(1), pokes));
        let mut far = pin!(bell.rung(at(2), pokes));
        assert!(near.as_mut().now_or_never().is_none() && far.as_mut().now_or_never().is_none());

        bell.show(at(2));

        assert!(near.now_or_never().is_some() && far.as_mut().now_or_never().is_none());
        bell.show(at(3));
        assert!(far.now_or_never().is_some());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn no_ring_is_missed_by_two_who_run_side_by_side() {
        const N: u64 = 20_000;
        let bell = Arc::new(Bell::new(at(0)));
        let ringer = tokio::spawn({
            let bell = bell.clone();
            async move {
                for n in 1..=N {
                    bell.show(at(n));
                    if n % 64 == 0 {
                        tokio::task::yield_now().await;
                    }
                }
            }
        });
        let mut last = 0;
        while last < N {
            bell.rung(at(last), bell.pokes()).await;
            last = bell.head.load(Ordering::Acquire);
        }
        ringer.await.unwrap();
    }
}
