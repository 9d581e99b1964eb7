//! The words of a terminal's stream: where in its output, how large, and which one.

use std::fmt;

use crate::ids::IdError;
use crate::limits::CURSOR_END;
use crate::limits::TERM_SIDE_MAX;

/// How many bytes a terminal has put out before some place: 0 is its beginning. Below 2^53.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Offset(u64);

impl Offset {
    /// Before everything.
    pub const ZERO: Offset = Offset(0);

    /// `None` from 2^53 on.
    pub const fn new(n: u64) -> Option<Offset> {
        if n < CURSOR_END { Some(Offset(n)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// So many bytes further on, saturating at the last offset: at 100 MB/s a terminal takes three years to it.
    pub const fn plus(self, bytes: usize) -> Offset {
        let sum = self.0.saturating_add(bytes as u64);
        if sum < CURSOR_END { Offset(sum) } else { Offset(CURSOR_END - 1) }
    }

    /// How many bytes this is behind `other`; zero if it is before it.
    pub const fn above(self, other: Offset) -> u64 {
        self.0.saturating_sub(other.0)
    }
}

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The size of a terminal in characters: each side 1 to [`TERM_SIDE_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TermSize {
    cols: u16,
    rows: u16,
}

impl TermSize {
    /// What a terminal has until somebody says otherwise.
    pub const DEFAULT: TermSize = TermSize { cols: 80, rows: 24 };

    /// Of what a screen says. A side of 0 is the default's: a screen that is not drawn yet knows no better. A side over
    /// the bound is the bound.
    pub fn clamped(cols: u32, rows: u32) -> TermSize {
        let side = |n: u32, unknown: u16| match u16::try_from(n) {
            Ok(0) => unknown,
            Ok(n) => n.min(TERM_SIDE_MAX),
            Err(_) => TERM_SIDE_MAX,
        };
        TermSize { cols: side(cols, Self::DEFAULT.cols), rows: side(rows, Self::DEFAULT.rows) }
    }

    /// Characters in a line.
    pub const fn cols(self) -> u16 {
        self.cols
    }

    /// Lines.
    pub const fn rows(self) -> u16 {
        self.rows
    }
}

impl fmt::Display for TermSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.cols, self.rows)
    }
}

/// One terminal of one box: 16 random bytes as 32 hex digits. Never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub [u8; 16]);

impl std::str::FromStr for TermId {
    type Err = IdError;

    fn from_str(s: &str) -> Result<Self, IdError> {
        crate::ids::hex16("a terminal id", s).map(TermId)
    }
}

impl fmt::Display for TermId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}

impl fmt::Debug for TermId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_stays_where_a_browser_can_count() {
        let last = Offset::new(CURSOR_END - 1).unwrap();

        assert_eq!(Offset::new(CURSOR_END), None);
        assert_eq!(last.plus(1), last);
        assert_eq!((Offset::ZERO.plus(7).above(Offset::ZERO), Offset::ZERO.above(last)), (7, 0));
    }

    #[test]
    fn a_size_that_no_screen_has_becomes_one_that_a_screen_can_have() {
        let size = |cols, rows| TermSize::clamped(cols, rows).to_string();

        assert_eq!(size(0, 0), "80x24");
        assert_eq!(size(132, 50), "132x50");
        assert_eq!(size(u32::MAX, 70_000), "1000x1000");
        assert_eq!(size(1, 0), "1x24");
    }

    #[test]
    fn a_terminal_is_named_by_hex_digits_alone() {
        let id: TermId = "000102030405060708090a0b0c0d0e0f".parse().unwrap();

        assert_eq!(id.to_string().parse::<TermId>().unwrap(), id);
        assert!("../etc".parse::<TermId>().is_err() && "".parse::<TermId>().is_err());
    }
}
