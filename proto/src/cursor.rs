//! [`Cursor`] and [`Span`], and their whole arithmetic. Nobody else adds or subtracts one.

use std::fmt;

use crate::limits::CURSOR_END;

/// A place in one session's log: 0 is before the first frame, which has 1. Below 2^53.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cursor(u64);

impl Cursor {
    /// Before everything.
    pub const ZERO: Cursor = Cursor(0);

    /// `None` from 2^53 on.
    pub const fn new(n: u64) -> Option<Cursor> {
        if n < CURSOR_END { Some(Cursor(n)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The one after. Saturates at the last cursor, which no log reaches: at a million frames a second it takes 285 years.
    pub const fn next(self) -> Cursor {
        self.plus(1)
    }

    /// The one before; zero stays zero.
    pub const fn prev(self) -> Cursor {
        Cursor(self.0.saturating_sub(1))
    }

    /// `n` further on, saturating at the last cursor.
    pub const fn plus(self, n: u64) -> Cursor {
        let sum = self.0.saturating_add(n);
        if sum < CURSOR_END { Cursor(sum) } else { Cursor(CURSOR_END - 1) }
    }

    /// How far this is above `other`; zero if it is not.
    pub const fn above(self, other: Cursor) -> u64 {
        self.0.saturating_sub(other.0)
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A run of cursors that one frame covers. Never empty, never touches 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    end: Cursor,
    len: u64,
}

/// How a span fits a reader that holds everything up to some cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// The reader holds all of it.
    Drop,
    /// It starts beyond the next cursor: something is missing between.
    Gap,
    /// Takes it, without the first `trim` cursors.
    Take {
        /// Cursors at the start that the reader already holds.
        trim: u64,
    },
}

impl Span {
    /// The span of `len` cursors that ends at `end`; `len` 0 means one. `None` if it would reach 0 or below.
    pub const fn ending(end: Cursor, len: u64) -> Option<Span> {
        let len = if len == 0 { 1 } else { len };
        if len <= end.0 { Some(Span { end, len }) } else { None }
    }

    /// The span from `first` to `end`, both included.
    pub const fn between(first: Cursor, end: Cursor) -> Option<Span> {
        if first.0 == 0 || first.0 > end.0 { None } else { Some(Span { end, len: end.0 - first.0 + 1 }) }
    }

    /// First cursor covered.
    pub const fn first(self) -> Cursor {
        Cursor(self.end.0 - self.len + 1)
    }

    /// Last cursor covered.
    pub const fn end(self) -> Cursor {
        self.end
    }

    /// Cursors covered, at least 1.
    #[allow(clippy::len_without_is_empty)] // A span is never empty.
    pub const fn len(self) -> u64 {
        self.len
    }

    /// How this fits a reader that holds everything up to `last`.
    pub fn fit(self, last: Cursor) -> Fit {
        if self.end <= last {
            Fit::Drop
        } else if self.first() > last.next() {
            Fit::Gap
        } else {
            Fit::Take { trim: last.next().above(self.first()) }
        }
    }

    /// Without its first `n` cursors. `None` if nothing is left.
    pub const fn without_first(self, n: u64) -> Option<Span> {
        if n < self.len { Some(Span { end: self.end, len: self.len - n }) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn c(n: u64) -> Cursor {
        Cursor::new(n).unwrap()
    }

    #[test]
    fn cursors_end_below_two_to_the_fifty_third() {
        assert!(Cursor::new((1 << 53) - 1).is_some());
        assert!(Cursor::new(1 << 53).is_none());
        assert_eq!(c((1 << 53) - 1).next(), c((1 << 53) - 1));
    }

    #[test]
    fn edges_of_a_fit() {
        let span = Span::ending(c(10), 3).unwrap(); // 8, 9, 10
        assert_eq!(span.fit(c(10)), Fit::Drop);
        assert_eq!(span.fit(c(9)), Fit::Take { trim: 2 });
        assert_eq!(span.fit(c(8)), Fit::Take { trim: 1 });
        assert_eq!(span.fit(c(7)), Fit::Take { trim: 0 });
        assert_eq!(span.fit(c(6)), Fit::Gap);
        assert_eq!(Span::ending(c(3), 4), None);
        assert_eq!(Span::ending(c(0), 0), None);
    }

    proptest! {
        #[test]
        fn a_fit_agrees_with_counting_cursors(end in 1u64..60, len in 1u64..60, last in 0u64..60) {
            prop_assume!(len <= end);
            let span = Span::ending(c(end), len).unwrap();
            let covered: Vec<u64> = (end - len + 1..=end).collect();
            let missing_before = (last + 1..=end).any(|n| n < covered[0]);
            let new: Vec<u64> = covered.iter().copied().filter(|n| *n > last).collect();
            match span.fit(c(last)) {
                Fit::Drop => prop_assert!(new.is_empty()),
                Fit::Gap => prop_assert!(missing_before),
                Fit::Take { trim } => {
                    prop_assert!(!missing_before);
                    prop_assert_eq!(covered.len() as u64 - trim, new.len() as u64);
                    prop_assert_eq!(span.without_first(trim).unwrap().first().get(), new[0]);
                }
            }
        }
    }
}
