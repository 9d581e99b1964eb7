//! [`Offset`]: a place in a terminal's output.

use vyre_proto::limits::CURSOR_END;

/// How many bytes a terminal has put out before some place: 0 is its beginning. Below 2^53.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Offset(u64);

impl Offset {
    /// Before everything.
    pub const ZERO: Offset = Offset(0);

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// So many bytes further on, saturating at the last offset.
    pub const fn plus(self, bytes: usize) -> Offset {
        let sum = self.0.saturating_add(bytes as u64);
        if sum < CURSOR_END { Offset(sum) } else { Offset(CURSOR_END - 1) }
    }
}
