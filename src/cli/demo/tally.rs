//! What is measured: cursors as they were delivered, cuts, and how long each kept the screen waiting. Pure; time is an
//! argument.
//!
//! Nothing here trusts the client that is being measured: a cursor that was passed over is lost, one that came a second
//! time is repeated, whatever the client says of itself.

use std::time::Duration;

use serde_json::Value;
use serde_json::json;
use vyre_proto::cursor::Cursor;
use vyre_proto::cursor::Span;

use crate::cli::demo::line::Cut;

/// A cut after which the screen has not yet come as far as the box was when the new stream began.
#[derive(Debug, Clone, Copy)]
struct Open {
    at: Duration,
    cut: Cut,
    live: bool,
}

/// Counts of one screen.
#[derive(Debug, Default)]
pub struct Tally {
    last: Cursor,
    frames: u64,
    cursors: u64,
    lost: u64,
    repeated: u64,
    silent: u64,
    told: u64,
    streams: u64,
    open: Option<Open>,
    waits: Vec<(Cut, Duration)>,
}

impl Tally {
    /// A logged frame was delivered. `lost`: it says of itself that its cursors are gone.
    pub fn frame(&mut self, now: Duration, span: Span, lost: bool) {
        self.frames += 1;
        self.lost += span.first().above(self.last.next());
        if span.first() <= self.last {
            self.repeated += self.last.min(span.end()).above(span.first()) + 1;
        }
        if lost {
            self.lost += span.len();
        } else {
            // What is missing before it is no part of what it brought.
            self.cursors += span.end().above(self.last.max(span.first().prev()));
        }
        self.last = self.last.max(span.end());
        if self.open.is_some_and(|o| o.live) {
            self.resumed(now);
        }
    }

    /// A stream stands, and the box has come as far as `head`.
    pub fn live(&mut self, now: Duration, head: Cursor) {
        self.streams += 1;
        if let Some(open) = &mut self.open {
            open.live = true;
            // Where nothing was missed there is no first missed frame to wait for.
            if head <= self.last {
                self.resumed(now);
            }
        }
    }

    /// The line is being cut.
    pub fn cut(&mut self, now: Duration, cut: Cut) {
        match cut {
            Cut::Told => self.told += 1,
            Cut::Silent => self.silent += 1,
        }
        self.open = Some(Open { at: now, cut, live: false });
    }

    fn resumed(&mut self, now: Duration) {
        if let Some(open) = self.open.take() {
            self.waits.push((open.cut, now.saturating_sub(open.at)));
        }
    }

    /// Whether the screen has come back from every cut.
    pub fn is_resumed(&self) -> bool {
        self.streams > 0 && self.open.is_none()
    }

    /// Cuts so far.
    pub fn cuts(&self) -> u64 {
        self.told + self.silent
    }

    /// The newest cursor delivered.
    pub fn last(&self) -> Cursor {
        self.last
    }

    /// The log ends at `head`, and no more is waited for.
    pub fn finish(mut self, head: Cursor) -> Measured {
        self.lost += head.above(self.last);
        let of = |which: Option<Cut>| {
            Waits::of(self.waits.iter().filter(|(cut, _)| which.is_none_or(|w| w == *cut)).map(|(_, d)| *d))
        };
        Measured {
            frames: self.frames,
            cursors: self.cursors,
            head: head.get(),
            cuts: self.told + self.silent,
            silent_cuts: self.silent,
            resumes: self.waits.len() as u64,
            waits: of(None),
            told: of(Some(Cut::Told)),
            silent: of(Some(Cut::Silent)),
            lost: self.lost,
            repeated: self.repeated,
        }
    }
}

/// How long the screen waited, over several cuts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waits {
    p50: Duration,
    p95: Duration,
    max: Duration,
}

impl Waits {
    /// `None` of none. Percentiles are waits that were measured, by nearest rank.
    fn of(waits: impl Iterator<Item = Duration>) -> Option<Waits> {
        let mut all: Vec<Duration> = waits.collect();
        all.sort_unstable();
        let rank = |percent: usize| all.get((all.len() * percent).div_ceil(100).saturating_sub(1)).copied();
        Some(Waits { p50: rank(50)?, p95: rank(95)?, max: rank(100)? })
    }

    fn json(self) -> Value {
        let ms = |d: Duration| (d.as_secs_f64() * 1e4).round() / 10.0;
        json!({ "p50": ms(self.p50), "p95": ms(self.p95), "max": ms(self.max) })
    }

    fn text(self) -> String {
        let ms = |d: Duration| format!("{:.1} ms", d.as_secs_f64() * 1e3);
        format!("p50 {}   p95 {}   max {}", ms(self.p50), ms(self.p95), ms(self.max))
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Logged frames delivered; a merged one counts once.
    pub frames: u64,
    /// Cursors that they brought.
    pub cursors: u64,
    /// The newest cursor of the log.
    pub head: u64,
    /// Cuts.
    pub cuts: u64,
    /// Of these, cuts that nothing told the screen of.
    pub silent_cuts: u64,
    /// Cuts from which the screen came back.
    pub resumes: u64,
    /// From a cut to the first missed frame on the screen.
    pub waits: Option<Waits>,
    /// The same for cuts that the screen was told of.
    pub told: Option<Waits>,
    /// The same for the others.
    pub silent: Option<Waits>,
    /// Cursors that never came.
    pub lost: u64,
    /// Cursors that came again.
    pub repeated: u64,
}

/// A screen, and the reader whose line was never cut.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// What was measured at the screen.
    pub measured: Measured,
    /// Rows at the end.
    pub rows: usize,
    /// Whether both show the same.
    pub same: bool,
    /// How long the session was played.
    pub played: Duration,
    /// Path of the screen.
    pub via: String,
    /// Events published.
    pub events: u64,
}

impl Verdict {
    /// Whether the promise was kept.
    pub fn is_good(&self) -> bool {
        self.same && self.measured.lost == 0 && self.measured.repeated == 0
    }

    /// For programs: one object. Times are milliseconds; what was not measured is null.
    pub fn json(&self) -> Value {
        let m = &self.measured;
        let waits = |w: Option<Waits>| w.map_or(Value::Null, Waits::json);
        json!({
            "events": self.events,
            "frames": m.frames,
            "cursors": m.cursors,
            "head": m.head,
            "cuts": m.cuts,
            "silent_cuts": m.silent_cuts,
            "resumes": m.resumes,
            "first_resumed_ms": waits(m.waits),
            "told_ms": waits(m.told),
            "silent_ms": waits(m.silent),
            "lost": m.lost,
            "repeated": m.repeated,
            "rows": self.rows,
            "same_rows": self.same,
            "seconds": (self.played.as_secs_f64() * 10.0).round() / 10.0,
            "path": self.via,
        })
    }

    /// For a person: lines of a name and what was measured.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let m = &self.measured;
        let waits = |w: Option<Waits>| w.map_or_else(|| "nothing to measure".to_owned(), Waits::text);
        let seconds = self.played.as_secs_f64();
        let mut lines = vec![
            ("played", format!("{} events in {seconds:.1} s, read over {}", self.events, self.via)),
            ("frames", format!("{} (cursors 1 to {})", m.frames, m.head)),
            ("cuts", format!("{}, of which {} without a word", m.cuts, m.silent_cuts)),
            ("resumes", m.resumes.to_string()),
            ("first resumed frame", waits(m.waits)),
        ];
        if let (Some(told), Some(silent)) = (m.told, m.silent) {
            lines.push(("  of cuts it was told", told.text()));
            lines.push(("  of silent cuts", silent.text()));
        }
        lines.push(("lost", m.lost.to_string()));
        lines.push(("repeated", m.repeated.to_string()));
        let rows = if self.same { "the same as" } else { "NOT those of" };
        lines.push(("rows", format!("{}, {rows} a reader that was never cut", self.rows)));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn cur(n: u64) -> Cursor {
        Cursor::new(n).unwrap()
    }

    fn span(first: u64, end: u64) -> Span {
        Span::between(cur(first), cur(end)).unwrap()
    }

    #[test]
    fn whole_delivery_counts_nothing_lost_or_repeated() {
        let mut t = Tally::default();
        t.live(ms(0), cur(0));
        t.frame(ms(1), span(1, 1), false);
        t.frame(ms(2), span(2, 9), false);

        let m = t.finish(cur(9));

        assert_eq!((m.frames, m.cursors, m.lost, m.repeated), (2, 9, 0, 0));
        assert_eq!(m.waits, None);
    }

    #[test]
    fn holes_overlaps_lost_frames_and_a_missing_end_are_counted() {
        let mut t = Tally::default();
        t.frame(ms(1), span(1, 4), false);
        t.frame(ms(1), span(6, 7), false); // 5 is lost.
        t.frame(ms(1), span(3, 8), false); // 3 to 7 again.
        t.frame(ms(1), span(2, 2), false); // Once more.
        t.frame(ms(1), span(9, 10), true); // The box lost these.

        let m = t.finish(cur(12)); // 11 and 12 never came.

        assert_eq!((m.lost, m.repeated), (5, 6));
        assert_eq!(m.cursors, 7);
    }

    #[test]
    fn a_wait_ends_with_the_first_missed_frame_on_the_new_stream() {
        let mut t = Tally::default();
        t.live(ms(0), cur(0));
        t.frame(ms(1), span(1, 1), false);
        t.cut(ms(10), Cut::Told);
        t.frame(ms(11), span(2, 2), false); // Was still on its way.
        assert!(!t.is_resumed());
        t.live(ms(14), cur(4));
        assert!(!t.is_resumed());
        t.frame(ms(15), span(3, 4), false);
        assert!(t.is_resumed());
        t.cut(ms(20), Cut::Silent);
        t.live(ms(40), cur(4)); // Nothing was missed.

        let m = t.finish(cur(4));

        assert_eq!((m.cuts, m.silent_cuts, m.resumes), (2, 1, 2));
        assert_eq!(m.told, Some(Waits { p50: ms(5), p95: ms(5), max: ms(5) }));
        assert_eq!(m.silent, Some(Waits { p50: ms(20), p95: ms(20), max: ms(20) }));
    }

    #[test]
    fn percentiles_are_nearest_ranks() {
        let w = Waits::of((1..=100).map(ms)).unwrap();
        assert_eq!(w, Waits { p50: ms(50), p95: ms(95), max: ms(100) });
        let w = Waits::of([ms(7), ms(1)].into_iter()).unwrap();
        assert_eq!(w, Waits { p50: ms(1), p95: ms(7), max: ms(7) });
    }
}
