//! Decides for one screen on a terminal: when to attach and from where, what of the records is new, when a line is dead.
//!
//! Pure: records, the time and chance come in as arguments; [`super::Terminal`] does what it says. Below it stands nothing
//! but the contract.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use vyre_proto::backoff::Backoff;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::term_record::Record;
use vyre_proto::resume::Why;
use vyre_proto::term::Offset;
use vyre_proto::term::TermSize;
use vyre_proto::tick::Tick;

/// A line on which nothing comes for so long is dead: a box says how the terminal stands every 15 s.
const SILENCE: Duration = Duration::from_secs(20);

/// Somebody typed, and for so long nothing came: the other side is asked whether it is there.
const ASK: Duration = Duration::from_secs(1);

/// It was asked and says nothing for so long: the line is dead.
const ANSWER: Duration = Duration::from_secs(3);

/// After so many bytes the box is told what is shown. Half of the least that it lets be under way.
const SEEN_EVERY: u64 = 8 * 1024;

/// An attempt takes no longer.
const OPENING: Duration = Duration::from_secs(15);

/// What whoever shows a terminal is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update {
    /// A line stands. What follows up to this offset was printed before it stood.
    Attached {
        /// Behind the newest byte.
        head: Offset,
    },
    /// The line is gone; another is on its way.
    Away(Why),
    /// What follows is for an empty emulator of this size.
    Anew(TermSize),
    /// From here on this size is in force.
    Size(TermSize),
    /// Bytes to show, and the offset behind them.
    Bytes(Bytes, Offset),
    /// How the terminal stands.
    State {
        /// This screen's size is in force.
        decides: bool,
        /// Whether what is run is recorded in the session.
        reports: pb::TermReports,
    },
    /// The last one: the shell has ended with this code.
    Ended(i32),
    /// The last one: the box refuses, in these words.
    Refused(String),
}

/// What is to be done about the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Attach, from behind the newest byte that is here.
    Attach(Option<Offset>),
    /// Make the other side say something.
    Probe,
    /// Give the line or the attempt up.
    HangUp,
}

#[derive(Debug)]
enum Line {
    Waits(Tick),
    Opening(Tick),
    Stands {
        since: Tick,
        heard: Tick,
        /// When somebody typed whom nothing answers yet, and whether the other side was asked.
        typed: Option<(Tick, bool)>,
        brought: bool,
    },
}

/// See the module.
#[derive(Debug)]
pub struct Follow {
    line: Line,
    hang_up: bool,
    /// Behind the newest byte that was given. `None`: there is nothing yet.
    at: Option<Offset>,
    /// The last record was a piece of a snapshot, and its offset.
    snapshot: Option<Offset>,
    /// Behind the newest byte of which the box was told that it is shown.
    said: Offset,
    backoff: Backoff,
    updates: VecDeque<Update>,
    over: bool,
}

impl Follow {
    /// `from`: what the screen has, if it has something. `seed` is chance.
    pub fn new(now: Tick, from: Option<Offset>, seed: u64) -> Follow {
        Follow {
            line: Line::Waits(now),
            hang_up: false,
            at: from,
            snapshot: None,
            said: from.unwrap_or(Offset::ZERO),
            backoff: Backoff::new(seed),
            updates: VecDeque::new(),
            over: false,
        }
    }

    /// The next thing to tell. To be emptied before more is handed in.
    pub fn update(&mut self) -> Option<Update> {
        self.updates.pop_front()
    }

    /// What the box is to be told: all before this place is shown. To be asked when all that was given is.
    pub fn seen(&mut self) -> Option<Offset> {
        let at = self.at.filter(|at| self.is_attached() && at.above(self.said) >= SEEN_EVERY)?;
        self.said = at;
        Some(at)
    }

    /// Nothing more comes.
    pub fn is_over(&self) -> bool {
        self.over && self.updates.is_empty()
    }

    /// Whether what is typed can go out.
    pub fn is_attached(&self) -> bool {
        matches!(self.line, Line::Stands { .. }) && !self.over
    }

    /// What is to be done now.
    pub fn act(&mut self, now: Tick) -> Option<Act> {
        if std::mem::take(&mut self.hang_up) {
            return Some(Act::HangUp);
        }
        if self.over {
            return None;
        }
        match &mut self.line {
            Line::Waits(at) if *at <= now => {
                self.line = Line::Opening(now);
                Some(Act::Attach(self.at))
            }
            Line::Opening(since) if now.since(*since) >= OPENING => self.lose(now, Why::Silent),
            Line::Stands { heard, .. } if now.since(*heard) >= SILENCE => self.lose(now, Why::Silent),
            Line::Stands { typed: Some((at, asked)), .. } => match (now.since(*at), *asked) {
                (waited, true) if waited >= ASK + ANSWER => self.lose(now, Why::Silent),
                (waited, false) if waited >= ASK => {
                    // The answer has its time from here on, however late this is.
                    (*at, *asked) = (Tick(now.0.saturating_sub(ASK.as_micros() as u64)), true);
                    Some(Act::Probe)
                }
                _ => None,
            },
            Line::Waits(_) | Line::Opening(_) | Line::Stands { .. } => None,
        }
    }

    fn lose(&mut self, now: Tick, why: Why) -> Option<Act> {
        self.ended(now, why);
        std::mem::take(&mut self.hang_up).then_some(Act::HangUp)
    }

    /// When there may be something to do although nothing has happened.
    pub fn wake_at(&self) -> Option<Tick> {
        match &self.line {
            _ if self.over => None,
            Line::Waits(at) => Some(*at),
            Line::Opening(since) => Some(*since + OPENING),
            Line::Stands { heard, typed, .. } => {
                let typed = typed.map(|(at, asked)| at + if asked { ASK + ANSWER } else { ASK });
                Some(typed.map_or(*heard + SILENCE, |typed| typed.min(*heard + SILENCE)))
            }
        }
    }

    /// The attempt has led to a line, when the terminal had put out as much as `head`.
    pub fn attached(&mut self, now: Tick, head: Offset) {
        self.line = Line::Stands { since: now, heard: now, typed: None, brought: false };
        self.snapshot = None;
        self.said = self.at.unwrap_or(Offset::ZERO);
        self.updates.push_back(Update::Attached { head });
    }

    /// The attempt was refused. What another one would not change ends everything.
    pub fn refused(&mut self, now: Tick, code: pb::ErrorCode, message: String, retry_after: Duration) {
        match code {
            pb::ErrorCode::Unavailable | pb::ErrorCode::RateLimited | pb::ErrorCode::Internal => {
                self.ended(now, Why::Refused(code));
                if let Line::Waits(at) = &mut self.line {
                    *at = (*at).max(now + retry_after);
                }
            }
            _ => self.end(Update::Refused(message)),
        }
    }

    /// The line or the attempt is at its end.
    pub fn ended(&mut self, now: Tick, why: Why) {
        if self.over {
            return;
        }
        match &self.line {
            Line::Waits(_) => return,
            Line::Opening(_) => {}
            Line::Stands { since, brought, .. } => self.backoff.stream_ended(now.since(*since), *brought),
        }
        self.hang_up = true;
        self.line = Line::Waits(now + self.backoff.next_wait());
        self.updates.push_back(Update::Away(why));
    }

    /// Something came that is no record.
    pub fn heard(&mut self, now: Tick) {
        if let Line::Stands { heard, typed, .. } = &mut self.line {
            (*heard, *typed) = (now, None);
        }
    }

    /// Something was typed and goes out.
    pub fn typed(&mut self, now: Tick) {
        if let Line::Stands { typed, .. } = &mut self.line {
            typed.get_or_insert((now, false));
        }
    }

    /// A person acts: nothing is waited for any more, and a line is asked whether it lives.
    pub fn nudge(&mut self, now: Tick) {
        if let Line::Waits(at) = &mut self.line {
            self.backoff.forget();
            *at = (*at).min(now);
        }
        self.typed(now);
    }

    /// A record came.
    pub fn record(&mut self, now: Tick, record: pb::TermRecord) {
        if !self.is_attached() {
            return;
        }
        self.heard(now);
        let goes_on = self.snapshot.take();
        match record.record {
            Some(Record::Snapshot(snapshot)) => {
                let Some(offset) = Offset::new(snapshot.offset) else { return self.ended(now, Why::Protocol) };
                if goes_on != Some(offset) {
                    self.said = offset;
                    self.updates.push_back(Update::Anew(TermSize::clamped(snapshot.cols, snapshot.rows)));
                }
                self.give(snapshot.bytes, offset);
                self.snapshot = Some(offset);
            }
            Some(Record::Resize(size)) => {
                self.updates.push_back(Update::Size(TermSize::clamped(size.cols, size.rows)));
            }
            Some(Record::Out(out)) => self.out(now, out),
            Some(Record::State(state)) => {
                self.updates.push_back(Update::State { decides: state.decides, reports: state.reports() });
            }
            Some(Record::Exit(exit)) => self.end(Update::Ended(exit.code)),
            // Of a newer version.
            None => {}
            Some(Record::In(_) | Record::Seen(_)) => self.ended(now, Why::Protocol),
        }
    }

    fn out(&mut self, now: Tick, out: pb::TermOut) {
        let Some(offset) = Offset::new(out.offset) else { return self.ended(now, Why::Protocol) };
        let at = self.at.unwrap_or(offset);
        if offset > at {
            return self.ended(now, Why::Gap);
        }
        let known = usize::try_from(at.above(offset)).unwrap_or(usize::MAX).min(out.bytes.len());
        let new = out.bytes.slice(known..);
        if !new.is_empty() {
            self.give(new.clone(), at.plus(new.len()));
        }
    }

    fn give(&mut self, bytes: Bytes, behind: Offset) {
        self.at = Some(behind);
        if let Line::Stands { brought, .. } = &mut self.line {
            *brought = true;
        }
        self.updates.push_back(Update::Bytes(bytes, behind));
    }

    fn end(&mut self, last: Update) {
        if !self.over {
            (self.over, self.hang_up) = (true, true);
            self.updates.push_back(last);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(record: Record) -> pb::TermRecord {
        pb::TermRecord { record: Some(record) }
    }

    fn out(offset: u64, bytes: &[u8]) -> pb::TermRecord {
        of(Record::Out(pb::TermOut { offset, bytes: bytes.to_vec().into() }))
    }

    fn secs(n: u64) -> Tick {
        Tick(n * 1_000_000)
    }

    fn told(follow: &mut Follow) -> Vec<Update> {
        std::iter::from_fn(|| follow.update()).collect()
    }

    fn attached(from: Option<Offset>) -> Follow {
        let mut follow = Follow::new(Tick(0), from, 1);
        assert_eq!(follow.act(Tick(0)), Some(Act::Attach(from)));
        follow.attached(Tick(0), Offset::ZERO);
        told(&mut follow);
        follow
    }

    proptest! {
        #[test]
        fn each_byte_is_given_once_and_in_its_place_whatever_line_breaks_when(
            output in prop::collection::vec(any::<u8>(), 1..300),
            lines in prop::collection::vec((prop::collection::vec((0usize..20, 1usize..40), 0..8), 0usize..40, any::<bool>()), 1..12),
        ) {
            let mut follow = Follow::new(Tick(0), Some(Offset::ZERO), 7);
            let (mut now, mut shown) = (Tick(0), Vec::new());
            for (pieces, floor, breaks) in lines {
                now = follow.wake_at().unwrap().max(now);
                let from = loop {
                    match follow.act(now) {
                        Some(Act::Attach(from)) => break from.unwrap().get() as usize,
                        Some(_) => {}
                        None => now = follow.wake_at().unwrap().max(now),
                    }
                };
                prop_assert_eq!(from, shown.len());
                follow.attached(now, Offset::new(output.len() as u64).unwrap());
                let mut at = from;
                if from < floor.min(output.len()) {
                    // What stands before is in the snapshot, which here is the output itself.
                    at = floor.min(output.len());
                    let bytes = output[..at].to_vec().into();
                    follow.record(now, of(Record::Snapshot(pb::TermSnapshot { offset: at as u64, cols: 9, rows: 9, bytes })));
                }
                for (overlap, len) in pieces {
                    let begin = at.saturating_sub(overlap);
                    let end = (at + len).min(output.len());
                    follow.record(now, out(begin as u64, &output[begin..end]));
                    at = end;
                }
                if breaks {
                    follow.ended(now, Why::Broken);
                } else {
                    // A box that skips something is not believed.
                    follow.record(now, out(at as u64 + 1, b"!"));
                }
                for update in told(&mut follow) {
                    match update {
                        Update::Anew(_) => shown.clear(),
                        Update::Bytes(bytes, behind) => {
                            shown.extend_from_slice(&bytes);
                            prop_assert_eq!(behind.get() as usize, shown.len());
                        }
                        _ => {}
                    }
                }
                prop_assert_eq!(&shown[..], &output[..at]);
                prop_assert!(!follow.is_attached());
            }
        }
    }

    #[test]
    fn a_snapshot_in_pieces_is_one() {
        let mut follow = attached(None);
        let piece = |bytes: &[u8]| {
            of(Record::Snapshot(pb::TermSnapshot { offset: 9, cols: 80, rows: 24, bytes: bytes.to_vec().into() }))
        };
        for bytes in [b"one", b"two"] {
            follow.record(Tick(1), piece(bytes));
        }
        follow.record(Tick(1), out(9, b"more"));
        follow.record(Tick(1), piece(b"anew"));

        let kinds: Vec<_> = told(&mut follow).iter().map(|u| matches!(u, Update::Anew(_))).collect();
        assert_eq!(kinds, [true, false, false, false, true, false]);
    }

    #[test]
    fn a_line_that_says_nothing_is_given_up() {
        let mut follow = attached(None);
        follow.record(secs(15), of(Record::State(pb::TermState::default())));
        assert_eq!((follow.act(secs(30)), follow.wake_at()), (None, Some(secs(35))));
        assert_eq!(follow.act(secs(35)), Some(Act::HangUp));
        assert_eq!(told(&mut follow).last(), Some(&Update::Away(Why::Silent)));
        assert_eq!(follow.act(secs(35)), Some(Act::Attach(None)), "the first time nothing is waited for");
    }

    #[test]
    fn who_types_soon_learns_that_the_line_is_dead() {
        let mut follow = attached(None);
        follow.typed(secs(1));
        assert_eq!(follow.wake_at(), Some(secs(2)));
        assert_eq!(follow.act(secs(2)), Some(Act::Probe));
        follow.heard(secs(2));
        assert_eq!(follow.act(secs(6)), None);
        follow.typed(secs(7));
        // A machine that slept does not take its own sleep for the line's silence.
        assert_eq!(follow.act(secs(12)), Some(Act::Probe));
        assert_eq!(follow.act(secs(14)), None);
        assert_eq!(follow.act(secs(15)), Some(Act::HangUp));
        assert!(!follow.is_attached());
    }

    #[test]
    fn the_end_is_said_once_and_nothing_is_tried_any_more() {
        let mut follow = attached(None);
        follow.record(Tick(1), of(Record::Exit(pb::TermExit { code: 3 })));
        follow.ended(Tick(1), Why::Broken);
        assert_eq!(told(&mut follow), [Update::Ended(3)]);
        assert_eq!(follow.act(secs(100)), Some(Act::HangUp));
        assert_eq!((follow.act(secs(200)), follow.wake_at(), follow.is_over()), (None, None, true));
    }

    #[test]
    fn a_refusal_ends_it_and_a_box_that_is_busy_does_not() {
        let mut follow = Follow::new(Tick(0), None, 1);
        follow.act(Tick(0));
        follow.refused(Tick(0), pb::ErrorCode::Unavailable, "busy".to_owned(), Duration::from_secs(2));
        assert_eq!(follow.act(secs(1)), Some(Act::HangUp));
        assert_eq!(follow.act(secs(1)), None);
        assert_eq!(follow.act(secs(2)), Some(Act::Attach(None)));
        follow.refused(secs(2), pb::ErrorCode::NotFound, "gone".to_owned(), Duration::ZERO);
        assert_eq!(told(&mut follow).last(), Some(&Update::Refused("gone".to_owned())));
        assert!(follow.is_over());
    }
}
