//! Where a reader begins: the one judgement of what somebody asked for against what the log holds.

use vyre_proto::cursor::Cursor;
use vyre_proto::ids::LogId;
use vyre_proto::pb::stream::ResetReason;

/// Where a log stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Its identity.
    pub log: LogId,
    /// The oldest frame held. Above the head by one where none is.
    pub floor: Cursor,
    /// The newest frame.
    pub head: Cursor,
}

/// Where a reader wants to begin, in the words of whoever asks: nothing here is trusted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked {
    /// The newest cursor shown; may be anything.
    pub from: u64,
    /// The log that `from` belongs to, where the reader knows.
    pub log: Option<LogId>,
    /// The version of the view under which it was shown.
    pub view: Option<u64>,
}

/// Where a reader begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// The newest cursor that the reader holds, by the box's judgement.
    pub last: Cursor,
    /// Why it is not what was asked: a `reset` says so.
    pub reset: Option<ResetReason>,
}

/// Judges a question. `view` is the version by which this viewer is served now.
pub fn start(asked: Asked, bounds: Bounds, view: u64) -> Start {
    let at_floor = |reason| Start { last: bounds.floor.prev(), reset: Some(reason) };
    if asked.from == 0 && bounds.floor.get() == 1 {
        // A fresh screen on a whole log holds nothing that could be wrong.
        return Start { last: Cursor::ZERO, reset: None };
    }
    if asked.log.is_some_and(|l| l != bounds.log) {
        return at_floor(ResetReason::OtherLog);
    }
    if asked.view.is_some_and(|v| v != view) {
        return at_floor(ResetReason::ViewChanged);
    }
    match Cursor::new(asked.from) {
        Some(from) if from <= bounds.head => match behind_floor(from, bounds.floor) {
            true => at_floor(ResetReason::BehindFloor),
            false => Start { last: from, reset: None },
        },
        _ => at_floor(ResetReason::AheadOfHead),
    }
}

/// Whether a reader that holds everything up to `last` misses something that the log no longer holds.
pub fn behind_floor(last: Cursor, floor: Cursor) -> bool {
    last.next() < floor
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(floor: u64, head: u64) -> Bounds {
        Bounds { log: LogId([1; 16]), floor: Cursor::new(floor).unwrap(), head: Cursor::new(head).unwrap() }
    }

    fn at(from: u64) -> Start {
        start(Asked { from, ..Default::default() }, bounds(100, 200), 0)
    }

    #[test]
    fn edges_of_the_kept_window() {
        let reset = |reason| Start { last: Cursor::new(99).unwrap(), reset: Some(reason) };
        let plain = |n| Start { last: Cursor::new(n).unwrap(), reset: None };
        assert_eq!(at(99), plain(99));
        assert_eq!(at(98), reset(ResetReason::BehindFloor));
        assert_eq!(at(0), reset(ResetReason::BehindFloor));
        assert_eq!(at(200), plain(200));
        assert_eq!(at(201), reset(ResetReason::AheadOfHead));
        assert_eq!(at(u64::MAX), reset(ResetReason::AheadOfHead));
    }

    #[test]
    fn a_fresh_screen_on_a_whole_log_is_not_reset() {
        let asked = Asked { from: 0, log: Some(LogId([9; 16])), view: Some(4) };
        assert_eq!(start(asked, bounds(1, 20), 0).reset, None);
        assert_eq!(start(asked, bounds(1, 0), 0).reset, None);
    }

    #[test]
    fn another_log_or_another_view_is_a_reset() {
        let other = Asked { from: 150, log: Some(LogId([9; 16])), view: None };
        assert_eq!(start(other, bounds(100, 200), 0).reset, Some(ResetReason::OtherLog));
        let same = Asked { from: 150, log: Some(LogId([1; 16])), view: Some(3) };
        assert_eq!(start(same, bounds(100, 200), 3).reset, None);
        assert_eq!(start(same, bounds(100, 200), 4).reset, Some(ResetReason::ViewChanged));
    }
}
