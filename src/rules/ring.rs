//! The newest frames of one session in memory: canonical bytes by cursor, bounded in frames and bytes.
//!
//! What is not on disk yet stays, whatever the bound says: nobody else could give it to a reader. The box bounds that
//! part by making publishers wait.

use std::collections::VecDeque;

use bytes::Bytes;
use bytes::BytesMut;
use vyre_proto::cursor::Cursor;
use vyre_proto::cursor::Span;

/// How much a ring holds beyond what is not durable yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RingBound {
    /// Most records.
    pub records: usize,
    /// Most bytes of records.
    pub bytes: usize,
}

/// Records by cursor, without a gap between them.
#[derive(Debug)]
pub struct Ring {
    records: VecDeque<Bytes>,
    /// Where each record's span ends; parallel to `records` and only as long as a record of several cursors is in it.
    ends: VecDeque<Cursor>,
    /// Cursors below and at this are not in the ring.
    below: Cursor,
    head: Cursor,
    bytes: usize,
    bound: RingBound,
}

impl Ring {
    /// An empty ring after `head`.
    pub fn new(head: Cursor, bound: RingBound) -> Self {
        Self { records: VecDeque::new(), ends: VecDeque::new(), below: head, head, bytes: 0, bound }
    }

    /// The newest cursor.
    pub fn head(&self) -> Cursor {
        self.head
    }

    /// Whether everything after `after` is here.
    pub fn reaches(&self, after: Cursor) -> bool {
        after >= self.below
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes the record that covers `span`, which begins right after the head.
    pub fn push(&mut self, span: Span, record: Bytes, durable: Cursor) {
        debug_assert_eq!(span.first(), self.head.next());
        self.bytes += record.len();
        self.head = span.end();
        self.records.push_back(record);
        self.ends.push_back(span.end());
        self.trim(durable);
    }

    /// Puts a record in the place of the one that ends at `end`, if that is here.
    pub fn replace(&mut self, end: Cursor, record: Bytes) {
        if end <= self.below || end > self.head {
            return;
        }
        let at = self.index_after(end.prev());
        if self.ends.get(at) == Some(&end)
            && let Some(place) = self.records.get_mut(at)
        {
            self.bytes = self.bytes - place.len() + record.len();
            *place = record;
        }
    }

    /// Lets go of what is durable and over the bound.
    pub fn trim(&mut self, durable: Cursor) {
        while self.records.len() > self.bound.records || self.bytes > self.bound.bytes {
            let Some(end) = self.ends.front().copied() else { return };
            if end > durable {
                return;
            }
            self.ends.pop_front();
            if let Some(r) = self.records.pop_front() {
                self.bytes -= r.len();
            }
            self.below = end;
        }
    }

    /// Records after `after` as one run of bytes of about `max` (at least one record), and the cursor where they end.
    ///
    /// A record that begins at or below `after` comes whole: its reader trims it. `None` where [`Ring::reaches`] says
    /// no, or at the head. One record is shared, several are copied together.
    pub fn read(&self, after: Cursor, max: usize) -> Option<(Bytes, Cursor)> {
        if !self.reaches(after) || after >= self.head {
            return None;
        }
        let start = self.index_after(after);
        let first = self.records.get(start)?;
        let mut end = self.ends[start];
        let (mut n, mut total) = (1, first.len());
        for (record, e) in self.records.iter().zip(&self.ends).skip(start + 1) {
            if total + record.len() > max {
                break;
            }
            total += record.len();
            n += 1;
            end = *e;
        }
        if n == 1 {
            return Some((first.clone(), end));
        }
        let mut out = BytesMut::with_capacity(total);
        for record in self.records.range(start..start + n) {
            out.extend_from_slice(record);
        }
        Some((out.freeze(), end))
    }

    /// Index of the first record that ends after `after`.
    fn index_after(&self, after: Cursor) -> usize {
        // Where every record covers one cursor, the place is plain arithmetic; else search.
        let guess = usize::try_from(after.above(self.below)).unwrap_or(usize::MAX);
        let fits = |i: usize| {
            self.ends.get(i).is_some_and(|e| *e > after)
                && (i == 0 || self.ends.get(i - 1).is_some_and(|e| *e <= after))
        };
        if fits(guess) { guess } else { self.ends.partition_point(|e| *e <= after) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOUND: RingBound = RingBound { records: 8, bytes: 1 << 20 };

    fn c(n: u64) -> Cursor {
        Cursor::new(n).unwrap()
    }

    fn ring_of(spans: &[u64], durable: u64, bound: RingBound) -> (Ring, Vec<(u64, u64)>) {
        let mut ring = Ring::new(Cursor::ZERO, bound);
        let mut all = Vec::new();
        for len in spans {
            let first = ring.head().next();
            let end = ring.head().plus(*len);
            ring.push(Span::between(first, end).unwrap(), Bytes::from(format!("[{}]", end.get())), c(durable));
            all.push((first.get(), end.get()));
        }
        (ring, all)
    }

    #[test]
    fn what_is_not_durable_stays_over_the_bound() {
        let (mut ring, _) = ring_of(&[1; 20], 5, BOUND);
        assert!(ring.reaches(c(5)) && !ring.reaches(c(4)));
        ring.trim(c(20));
        assert!(ring.reaches(c(12)) && !ring.reaches(c(11)));
    }

    #[test]
    fn one_record_is_shared_and_several_are_joined_up_to_the_limit() {
        let (ring, _) = ring_of(&[1; 5], 0, BOUND);
        assert_eq!(ring.read(c(4), 100), Some((Bytes::from("[5]"), c(5))));
        assert_eq!(ring.read(c(1), 6), Some((Bytes::from("[2][3]"), c(3))));
        assert_eq!(ring.read(c(5), 100), None);
    }

    proptest! {
        #[test]
        fn every_place_is_read_as_a_plain_list_would(spans in prop::collection::vec(1u64..4, 1..30), after in 0u64..90, max in 1usize..40) {
            let (ring, all) = ring_of(&spans, 0, RingBound { records: 1000, bytes: 1 << 20 });
            let want: Vec<_> = all.iter().filter(|(_, end)| *end > after).collect();
            match ring.read(c(after), max) {
                None => prop_assert!(want.is_empty()),
                Some((bytes, end)) => {
                    let mut text = String::new();
                    for (_, e) in want {
                        let one = format!("[{e}]");
                        if !text.is_empty() && text.len() + one.len() > max { break; }
                        text += &one;
                    }
                    let tail = format!("[{}]", end.get());
                    prop_assert!(text.ends_with(&tail));
                    prop_assert_eq!(bytes, text);
                }
            }
        }
    }
}
