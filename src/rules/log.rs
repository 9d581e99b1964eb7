//! The rules of one session's log: who gets which cursor, and what a crash may take.
//!
//! Cursors run from 1 to the head without a gap. None is given out beyond what is leased on disk, so that none is ever
//! given out twice: after an unclean stop one `lost` frame covers what was leased and not written, and the log goes on
//! above it. Three marks, always in this order: `durable <= head <= leased`; and `floor - 1 <= head`.

use vyre_proto::cursor::Cursor;
use vyre_proto::cursor::Span;
use vyre_proto::ids::LogId;

/// Cursors leased ahead of the head. At 500,000 frames a second it lasts through a commit of 130 ms.
pub const LEASE: u64 = 65_536;

/// What stands on disk of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogMark {
    /// The log's identity.
    pub id: LogId,
    /// The oldest frame held; above the head by one where none is.
    pub floor: Cursor,
    /// The newest frame written.
    pub head: Cursor,
    /// No cursor above this was given out.
    pub leased: Cursor,
}

/// No cursor is left in the lease: a commit must extend it first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no cursor may be given out before the lease is extended on disk")]
pub struct LeaseUsedUp;

/// One log's marks in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionLog {
    id: LogId,
    floor: Cursor,
    durable: Cursor,
    head: Cursor,
    leased: Cursor,
}

impl SessionLog {
    /// A log that has nothing, not even a lease.
    pub fn new(id: LogId) -> Self {
        let zero = Cursor::ZERO;
        Self { id, floor: zero.next(), durable: zero, head: zero, leased: zero }
    }

    /// A log as found on disk, and the span that a `lost` frame must cover: what was leased and not written.
    ///
    /// The head already stands above that span, which is part of the lease: showing it needs no commit.
    pub fn recover(mark: LogMark) -> (Self, Option<Span>) {
        let leased = mark.leased.max(mark.head);
        let lost = Span::between(mark.head.next(), leased);
        (Self { id: mark.id, floor: mark.floor, durable: mark.head, head: leased, leased }, lost)
    }

    /// The log's identity.
    pub fn id(&self) -> LogId {
        self.id
    }

    /// The oldest frame held.
    pub fn floor(&self) -> Cursor {
        self.floor
    }

    /// The newest frame.
    pub fn head(&self) -> Cursor {
        self.head
    }

    /// Everything up to here is on disk.
    pub fn durable(&self) -> Cursor {
        self.durable
    }

    /// Cursors that can be given out before the next commit.
    pub fn room(&self) -> u64 {
        self.leased.above(self.head)
    }

    /// Gives out the next cursor.
    pub fn append(&mut self) -> Result<Cursor, LeaseUsedUp> {
        if self.head >= self.leased {
            return Err(LeaseUsedUp);
        }
        self.head = self.head.next();
        Ok(self.head)
    }

    /// What the next commit is to write once the frames up to the head are in it. Extends the lease where half is used.
    pub fn mark_for_commit(&self) -> LogMark {
        let leased = if self.room() < LEASE / 2 { self.head.plus(LEASE) } else { self.leased };
        LogMark { id: self.id, floor: self.floor, head: self.head, leased }
    }

    /// What a clean stop writes: nothing is leased, nothing can be lost.
    pub fn mark_for_stop(&self) -> LogMark {
        LogMark { id: self.id, floor: self.floor, head: self.head, leased: self.head }
    }

    /// A commit of this mark is on disk.
    pub fn committed(&mut self, mark: LogMark) {
        self.durable = self.durable.max(mark.head.min(self.head));
        // A stop's mark takes the rest of the lease back, unless something was appended since.
        self.leased = if mark.leased < self.head { self.head } else { mark.leased };
    }

    /// The floor moves up to here. It never moves down, and never above the head.
    pub fn raise_floor(&mut self, floor: Cursor) {
        self.floor = self.floor.max(floor.min(self.head.next()));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ID: LogId = LogId([1; 16]);

    #[test]
    fn nothing_is_given_out_without_a_lease() {
        let mut log = SessionLog::new(ID);
        assert_eq!(log.append(), Err(LeaseUsedUp));
        let mark = log.mark_for_commit();
        log.committed(mark);
        assert_eq!(log.append().unwrap().get(), 1);
        assert_eq!(log.room(), LEASE - 1);
    }

    #[test]
    fn a_clean_stop_loses_nothing_and_a_crash_names_what_it_took() {
        let mut log = SessionLog::new(ID);
        log.committed(log.mark_for_commit());
        for _ in 0..5 {
            log.append().unwrap();
        }
        assert_eq!(SessionLog::recover(log.mark_for_stop()).1, None);
        let (mut back, lost) = SessionLog::recover(log.mark_for_commit());
        assert_eq!(lost.unwrap().first().get(), 6);
        assert_eq!(back.head().get(), LEASE);
        assert_eq!(back.append(), Err(LeaseUsedUp));
    }

    #[derive(Debug, Clone)]
    enum Step {
        Append(u8),
        Commit,
        Crash,
        Stop,
        Floor(u64),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => any::<u8>().prop_map(Step::Append),
            3 => Just(Step::Commit),
            1 => Just(Step::Crash),
            1 => Just(Step::Stop),
            1 => (0u64..2000).prop_map(Step::Floor),
        ]
    }

    proptest! {
        #[test]
        fn no_cursor_is_ever_given_out_twice(steps in prop::collection::vec(step(), 1..80)) {
            let mut log = SessionLog::new(ID);
            let mut disk = log.mark_for_stop();
            let mut given = std::collections::HashSet::new();
            for step in steps {
                match step {
                    Step::Append(n) => for _ in 0..n {
                        let Ok(c) = log.append() else { break };
                        prop_assert!(c <= disk.leased, "given out beyond the lease on disk");
                        prop_assert!(given.insert(c), "{c} given out twice");
                    },
                    Step::Commit => { disk = log.mark_for_commit(); log.committed(disk); }
                    Step::Stop => { disk = log.mark_for_stop(); log = SessionLog::recover(disk).0; }
                    Step::Crash => {
                        let (back, lost) = SessionLog::recover(disk);
                        if let Some(span) = lost {
                            prop_assert_eq!(span.first(), disk.head.next());
                            prop_assert_eq!(span.end(), back.head());
                        }
                        log = back;
                    }
                    Step::Floor(n) => log.raise_floor(Cursor::new(n).unwrap()),
                }
                prop_assert!(log.floor().prev() <= log.head());
                prop_assert!(log.durable() <= log.head());
                prop_assert!(log.head() <= log.head().plus(log.room()));
            }
        }
    }
}
