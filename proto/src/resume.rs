//! One reader's place in one session's stream, and what to do about it.
//!
//! [`Resume`] does nothing by itself: feed it with `handle_*`, take every [`Action`] with [`Resume::poll`] before the next
//! input, then wait until [`Resume::wake_at`]. Bytes, time and a seed are arguments; any bytes are safe to feed.
//!
//! Connections are disposable, the [`Position`] is the session: every attempt asks from it, and nothing that belongs to
//! one connection is ever the place. On a doubt (silence, another network) a new attempt starts while the old one runs on;
//! the first to deliver a first record ends the others. So at most one stream is read at a time, besides the moments in
//! which an older one still delivers while newer ones are being opened.
//!
//! What would surprise: a reset answers the position that was *asked*, which may be old news where another attempt has
//! moved on since; such a reset changes nothing. And a hole that is there a second time, when asked for again, is taken
//! as a `lost` frame of this client's own making: a screen that says what is missing is better than one that flaps.

mod action;
mod attempt;
pub mod limits;

use std::collections::VecDeque;
use std::time::Duration;

pub use action::Action;
pub use action::End;
pub use action::Ending;
pub use action::Nudge;
pub use action::Position;
pub use action::State;
pub use action::Why;
pub use attempt::AttemptId;

use crate::backoff::Backoff;
use crate::cursor::Cursor;
use crate::cursor::Fit;
use crate::cursor::Span;
use crate::frame::Frame;
use crate::ids::LogId;
use crate::limits::ATTACHES_PER_CLIENT;
use crate::pb::stream as pb;
use crate::pb::stream::frame::Data;
use crate::tick::Tick;
use attempt::Attempt;
use attempt::Up;
use attempt::patience;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Nothing,
    Live,
    Reconnecting(Why),
    Ended,
}

/// A question for frames that are known to exist: asked at this position, by this attempt or a later one.
#[derive(Debug, Clone, Copy)]
struct Question {
    last: Cursor,
    asked: AttemptId,
    told: bool,
}

/// The machine. See the [module](self).
#[derive(Debug)]
pub struct Resume {
    at: Position,
    /// Resets applied.
    epoch: u64,
    head: Cursor,
    attempts: Vec<Attempt>,
    newest: u64,
    /// When to open the next attempt.
    retry_at: Option<Tick>,
    /// Until then a server asked for peace.
    obey_until: Option<Tick>,
    /// Attempts made since one was last up, without any of them failing.
    races: u32,
    backoff: Backoff,
    /// The position at which a gap was last asked for.
    gap: Option<Cursor>,
    tail: Option<Question>,
    /// A message is open: more is due soon.
    in_message: bool,
    foreground: bool,
    told: Told,
    actions: VecDeque<Action>,
}

impl Resume {
    /// A reader that holds everything up to `at`. Nothing happens before [`Resume::start`].
    ///
    /// `seed` spreads the waits of many clients: make it random.
    pub fn new(at: Position, seed: u64) -> Self {
        Self {
            at,
            epoch: 0,
            head: Cursor::ZERO,
            attempts: Vec::with_capacity(ATTACHES_PER_CLIENT),
            newest: 0,
            retry_at: None,
            obey_until: None,
            races: 0,
            backoff: Backoff::new(seed),
            gap: None,
            tail: None,
            in_message: false,
            foreground: true,
            told: Told::Nothing,
            actions: VecDeque::new(),
        }
    }

    /// Where the reader is, all delivered frames counted.
    pub fn position(&self) -> Position {
        self.at
    }

    /// The newest head that the box has told.
    pub fn head(&self) -> Cursor {
        self.head.max(self.at.last)
    }

    /// Whether the program is in front. In the background an open message is not probed.
    pub fn set_foreground(&mut self, yes: bool) {
        self.foreground = yes;
    }

    /// The next thing to do.
    pub fn poll(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }

    /// When to call [`Resume::handle_wake`], if nothing happens before. `None`: no need.
    pub fn wake_at(&self) -> Option<Tick> {
        let deadlines = self.attempts.iter().filter_map(|a| self.deadline(a));
        deadlines.chain(self.retry_at).min()
    }

    /// Begins.
    pub fn start(&mut self, now: Tick) {
        if self.told == Told::Nothing {
            self.tell_reconnecting(Why::First);
            // What fails after this one waits: the first attempt is the one that is made at once.
            self.backoff.next_wait();
            self.open(now);
        }
    }

    /// Bytes of an attempt's stream, cut anywhere.
    pub fn handle_bytes(&mut self, now: Tick, attempt: AttemptId, bytes: &[u8]) {
        let Some(a) = self.find(attempt) else { return };
        a.decoder.push(bytes);
        a.feed(now);
        self.handle_life(now, attempt);
        // One frame may end the attempt, and the rest is then not wanted.
        while let Some(a) = self.find(attempt) {
            match a.decoder.next().map(|r| r.map(Frame::decode)) {
                Ok(None) => return,
                Ok(Some(Ok(frame))) => self.on_frame(now, attempt, frame),
                Ok(Some(Err(_))) | Err(_) => return self.drop_attempt(now, attempt, Why::Protocol),
            }
        }
    }

    /// A sign of life that is no record: a pong, a step of the opening, a part of something.
    pub fn handle_life(&mut self, now: Tick, attempt: AttemptId) {
        let newest = self.newest;
        let race = self.race();
        let Some(a) = self.find(attempt) else { return };
        let was_suspect = a.up.as_ref().is_some_and(|up| up.suspect);
        a.hear(now);
        let healthy = a.is_healthy();
        if a.is_opening() && a.id.0 == newest {
            self.retry_at = self.retry_at.map(|t| t.max(now + race));
        } else if was_suspect && healthy {
            // Others that are being opened go on: this one may be a last gasp.
            self.retry_at = None;
            self.tell_live();
        }
    }

    /// A frame of an attempt's stream. What is not wanted any more is ignored.
    pub fn handle_frame(&mut self, now: Tick, attempt: AttemptId, frame: Frame) {
        if let Some(a) = self.find(attempt) {
            a.feed(now);
        }
        self.handle_life(now, attempt);
        self.on_frame(now, attempt, frame);
    }

    fn on_frame(&mut self, now: Tick, attempt: AttemptId, frame: Frame) {
        let Some(a) = self.find(attempt) else { return };
        match (&frame.get().data, a.is_opening()) {
            (Some(Data::Hello(h)), true) => {
                let h = h.clone();
                self.on_hello(now, attempt, &h);
            }
            (Some(Data::Bye(b)), _) => {
                let b = b.clone();
                self.on_bye(now, attempt, b);
            }
            // `hello` is the first record and comes once.
            (_, true) | (Some(Data::Hello(_)), false) => self.drop_attempt(now, attempt, Why::Protocol),
            (Some(Data::Reset(r)), _) => {
                let r = r.clone();
                self.on_reset(now, attempt, r, frame);
            }
            (Some(Data::Heartbeat(h)), _) => {
                let Some(head) = Cursor::new(h.head) else { return self.drop_attempt(now, attempt, Why::Protocol) };
                self.on_heartbeat(now, attempt, head);
            }
            _ => match frame.span() {
                Some(span) => self.on_logged(now, attempt, span, frame),
                None => self.actions.push_back(Action::Deliver(frame)),
            },
        }
    }

    /// An attempt ended by itself. Not called for one that was closed.
    pub fn handle_end(&mut self, now: Tick, attempt: AttemptId, ending: Ending) {
        let Some(a) = self.remove(attempt) else { return };
        if let Some(up) = &a.up {
            self.backoff.stream_ended(now.since(up.since), up.brought_new);
        }
        match ending {
            Ending::Broken => self.after_loss(now, Why::Broken, None),
            Ending::Refused { code, message, .. } if is_final(code) => self.end(End::Refused { code, message }),
            Ending::Refused { code, retry_after, .. } | Ending::Later { code, retry_after } => {
                let range = (!retry_after.is_zero()).then(|| (retry_after, retry_after.saturating_mul(2)));
                self.after_loss(now, Why::Refused(code), range);
            }
        }
    }

    /// Something happened outside.
    pub fn handle_nudge(&mut self, now: Tick, nudge: Nudge) {
        if matches!(self.told, Told::Nothing | Told::Ended) || self.obey_until.is_some_and(|t| now < t) {
            return;
        }
        self.obey_until = None;
        let mut probed = Vec::new();
        for a in self.attempts.iter_mut().filter(|a| a.is_healthy()) {
            let Some(up) = &mut a.up else { continue };
            if up.probe_until.is_none() {
                up.probe_until = Some(now + limits::PROBE);
                probed.push(Action::Probe { attempt: a.id });
            }
        }
        self.actions.extend(probed);
        let opening = self.attempts.iter().filter(|a| a.is_opening()).map(|a| a.opened_at).max();
        let wanted = match nudge {
            Nudge::Person => opening.is_none() && !self.is_healthy(),
            Nudge::Network | Nudge::Wake => opening.is_none_or(|t| now.since(t) > limits::SAME_NUDGE),
        };
        if wanted {
            self.backoff.forget();
            self.races = 0;
            self.open(now);
        }
    }

    /// It is [`Resume::wake_at`], or later.
    pub fn handle_wake(&mut self, now: Tick) {
        let due: Vec<AttemptId> =
            self.attempts.iter().filter(|a| self.deadline(a).is_some_and(|t| t <= now)).map(|a| a.id).collect();
        for id in due {
            self.on_deadline(now, id);
        }
        if self.retry_at.is_some_and(|t| t <= now) {
            self.open(now);
        }
    }

    /// When something is due on this attempt.
    fn deadline(&self, a: &Attempt) -> Option<Tick> {
        let Some(up) = &a.up else { return Some(a.opened_at + limits::OPEN) };
        if up.suspect {
            return None;
        }
        let silent = a.fed_at + self.patience_with(a, up);
        let probe = up.probe_until.or_else(|| (self.in_message && self.foreground).then(|| a.heard_at + up.probe_wait));
        Some(probe.map_or(silent, |p| p.min(silent)))
    }

    /// Patience is short where frames are known to be due, unless they were asked for again without success.
    fn patience_with(&self, a: &Attempt, up: &Up) -> Duration {
        let owed = self.head > self.at.last && !self.was_asked(a.id);
        if owed { limits::STALL.min(up.patience) } else { up.patience }
    }

    /// Whether what is owed was asked for at this very position, by this attempt or one before it.
    fn was_asked(&self, id: AttemptId) -> bool {
        self.tail.is_some_and(|q| q.last == self.at.last && id >= q.asked)
    }

    fn on_deadline(&mut self, now: Tick, id: AttemptId) {
        let Some(a) = self.attempts.iter().find(|a| a.id == id) else { return };
        let Some(up) = &a.up else {
            self.actions.push_back(Action::Close { attempt: id });
            self.remove(id);
            return self.after_loss(now, Why::Silent, None);
        };
        let silent = a.fed_at + self.patience_with(a, up) <= now;
        let unanswered = up.probe_until.is_some_and(|t| t <= now);
        let owed = self.head > self.at.last && !self.was_asked(id);
        let (lived, brought_new) = (now.since(up.since), up.brought_new);
        let Some(up) = self.find(id).and_then(|a| a.up.as_mut()) else { return };
        if !silent && !unanswered {
            up.probe_until = Some(now + limits::PROBE);
            up.probe_wait = (up.probe_wait * 2).min(limits::PROBE_WAIT_MAX);
            return self.actions.push_back(Action::Probe { attempt: id });
        }
        up.suspect = true;
        up.starved = silent;
        up.probe_until = None;
        if silent && owed {
            self.tail = Some(Question { last: self.at.last, asked: AttemptId(self.newest + 1), told: false });
        }
        // It runs on; others are tried beside it.
        self.backoff.stream_ended(lived, brought_new);
        self.after_loss(now, Why::Silent, None);
    }

    fn on_hello(&mut self, now: Tick, id: AttemptId, h: &pb::Hello) {
        let (Some(head), Some(floor)) = (Cursor::new(h.head), Cursor::new(h.floor)) else {
            return self.drop_attempt(now, id, Why::Protocol);
        };
        let log = h.log.parse::<LogId>().ok();
        let view = (h.view != 0).then_some(h.view);
        let (at, epoch) = (self.at, self.epoch);
        let Some(a) = self.find(id) else { return };
        let reason = if differ(at.log, log) {
            Some(pb::ResetReason::OtherLog)
        } else if differ(at.view, view) {
            Some(pb::ResetReason::ViewChanged)
        } else if head < a.asked.last {
            Some(pb::ResetReason::AheadOfHead)
        } else if at.last.next() < floor {
            Some(pb::ResetReason::BehindFloor)
        } else {
            None
        };
        if a.epoch != epoch && (differ(at.log, log) || differ(at.view, view)) {
            // It was attached before the reset that another attempt has brought: old news of another log.
            return self.drop_attempt(now, id, Why::Broken);
        }
        let due = reason.map(|reason| pb::Reset {
            reason: reason.into(),
            log: h.log.clone(),
            view: h.view,
            floor: h.floor,
            head: h.head,
        });
        if due.is_none() {
            self.at.log = at.log.or(log);
            self.at.view = at.view.or(view);
        }
        let up = Up {
            since: now,
            log,
            view,
            patience: patience(h.beat_ms),
            due,
            brought_new: false,
            suspect: false,
            starved: false,
            probe_until: None,
            probe_wait: limits::PROBE_WAIT,
        };
        if let Some(a) = self.find(id) {
            a.up = Some(up);
        }
        for other in self.attempts.iter().filter(|a| a.id != id) {
            self.actions.push_back(Action::Close { attempt: other.id });
        }
        self.attempts.retain(|a| a.id == id);
        self.head = head;
        self.retry_at = None;
        self.obey_until = None;
        self.races = 0;
        self.tell_live();
        if self.head > self.at.last && self.tail.is_some_and(|q| q.last != self.at.last) {
            self.tail = None;
        }
    }

    fn on_reset(&mut self, now: Tick, id: AttemptId, r: pb::Reset, frame: Frame) {
        let (Some(floor), Some(head)) = (Cursor::new(r.floor), Cursor::new(r.head)) else {
            return self.drop_attempt(now, id, Why::Protocol);
        };
        let log = r.log.parse::<LogId>().ok();
        let view = (r.view != 0).then_some(r.view);
        let (at, epoch) = (self.at, self.epoch);
        let Some(a) = self.find(id) else { return };
        let asked = a.asked;
        if let Some(up) = &mut a.up {
            up.due = None;
            up.log = log;
            up.view = view;
        }
        // It answers what was asked. Where another attempt has moved the reader on since, it may be old news.
        let moved = a.epoch != epoch || asked.last != at.last;
        let named = match r.reason() {
            pb::ResetReason::BehindFloor | pb::ResetReason::Damage => true,
            pb::ResetReason::AheadOfHead => asked.last <= head || a.epoch != epoch,
            pb::ResetReason::OtherLog => log.is_some(),
            pb::ResetReason::ViewChanged => view.is_some(),
            pb::ResetReason::Unknown => false,
        };
        a.epoch = epoch;
        let holds = !differ(at.log, log) && !differ(at.view, view) && floor <= at.last.next();
        if moved && named && holds && (at.log.is_some() || log.is_none()) {
            self.head = head;
            return;
        }
        self.apply_reset(id, frame, Position { last: floor.prev(), log, view }, head);
    }

    fn apply_reset(&mut self, id: AttemptId, frame: Frame, at: Position, head: Cursor) {
        self.at = at;
        self.head = head;
        self.epoch += 1;
        self.gap = None;
        self.tail = None;
        self.in_message = false;
        let epoch = self.epoch;
        if let Some(a) = self.find(id) {
            a.epoch = epoch;
        }
        self.actions.push_back(Action::Deliver(frame));
    }

    /// Applies the reset that the first record made due, if the other side sent something else in its place.
    fn apply_due(&mut self, id: AttemptId) {
        let Some(r) = self.find(id).and_then(|a| a.up.as_mut()).and_then(|up| up.due.take()) else { return };
        let at = Position {
            last: Cursor::new(r.floor).unwrap_or_default().prev(),
            log: r.log.parse().ok(),
            view: (r.view != 0).then_some(r.view),
        };
        let head = Cursor::new(r.head).unwrap_or_default();
        let frame = pb::Frame { v: 1, data: Some(Data::Reset(r)), ..Default::default() };
        // A reset without a cursor is always a valid frame.
        if let Ok(frame) = Frame::check(frame) {
            self.apply_reset(id, frame, at, head);
        }
    }

    fn on_heartbeat(&mut self, now: Tick, id: AttemptId, head: Cursor) {
        self.apply_due(id);
        self.head = head;
        if head <= self.at.last {
            return;
        }
        // The end of the log is missing here, and nothing after it will show the gap.
        if self.was_asked(id) {
            let last = self.at.last;
            if let Some(q) = self.tail.as_mut().filter(|q| !q.told) {
                q.told = true;
                self.actions.extend(Span::between(last.next(), head).map(Action::Missing));
            }
            return;
        }
        let asked = AttemptId(self.newest + 1);
        let pending =
            self.tail.is_some_and(|q| q.last == self.at.last && self.attempts.iter().any(|a| a.id >= q.asked));
        if !pending {
            self.tail = Some(Question { last: self.at.last, asked, told: false });
            self.open(now);
        }
    }

    fn on_bye(&mut self, now: Tick, id: AttemptId, b: pb::Bye) {
        let Some(a) = self.remove(id) else { return };
        self.actions.push_back(Action::Close { attempt: id });
        if let Some(up) = &a.up {
            self.backoff.stream_ended(now.since(up.since), up.brought_new);
        }
        let reason = b.reason();
        let range =
            (Duration::from_millis(u64::from(b.min_delay_ms)), Duration::from_millis(u64::from(b.max_delay_ms)));
        let given = !range.0.is_zero() || !range.1.is_zero();
        if !b.paths.is_empty() {
            let mut paths = b.paths;
            paths.truncate(limits::PATHS);
            self.actions.push_back(Action::Paths(paths));
        }
        let why = Why::Bye(reason);
        match reason {
            pb::ByeReason::Denied => self.end(End::Denied),
            // It makes room for a newer one of ours, or there is another program of our name.
            pb::ByeReason::Replaced if self.attempts.is_empty() && id.0 == self.newest => self.end(End::Replaced),
            pb::ByeReason::Replaced | pb::ByeReason::Restart | pb::ByeReason::Overload | pb::ByeReason::Moved => {
                self.after_loss(now, why, Some(range));
            }
            pb::ByeReason::Slow | pb::ByeReason::Unknown => self.after_loss(now, why, given.then_some(range)),
        }
    }

    fn on_logged(&mut self, now: Tick, id: AttemptId, span: Span, frame: Frame) {
        self.apply_due(id);
        match span.fit(self.at.last) {
            Fit::Drop => {}
            Fit::Take { trim } => {
                if let Some(up) = self.find(id).and_then(|a| a.up.as_mut()) {
                    up.probe_wait = limits::PROBE_WAIT;
                    up.brought_new = true;
                }
                self.take(span, trim, frame);
            }
            Fit::Gap if self.gap == Some(self.at.last) => {
                // Asked for again, and still not there.
                let hole = Span::between(self.at.last.next(), span.first().prev());
                if let Some(hole) = hole {
                    self.actions.push_back(Action::Missing(hole));
                    self.actions.extend(lost(hole).map(Action::Deliver));
                }
                self.take(span, 0, frame);
            }
            Fit::Gap => {
                self.gap = Some(self.at.last);
                self.drop_attempt(now, id, Why::Gap);
            }
        }
    }

    fn take(&mut self, span: Span, trim: u64, frame: Frame) {
        let Some(frame) = frame.without_first(trim) else { return };
        self.at.last = span.end();
        match &frame.get().data {
            Some(Data::TextDelta(_)) => self.in_message = true,
            Some(Data::TextDone(_) | Data::TextCut(_)) => self.in_message = false,
            _ => {}
        }
        self.actions.push_back(Action::Deliver(frame));
    }

    /// Opens another attempt from the reader's place; the one that helps least makes room.
    fn open(&mut self, now: Tick) {
        while self.attempts.len() >= ATTACHES_PER_CLIENT {
            let victim = self.attempts.iter().filter(|a| !a.is_healthy()).map(|a| a.id).min();
            let Some(id) = victim.or_else(|| self.attempts.iter().map(|a| a.id).min()) else { break };
            self.remove(id);
            self.actions.push_back(Action::Close { attempt: id });
        }
        self.newest += 1;
        let id = AttemptId(self.newest);
        self.attempts.push(Attempt::new(now, id, self.at, self.epoch));
        self.actions.push_back(Action::Open { attempt: id, at: self.at });
        self.retry_at = (!self.is_healthy()).then(|| now + self.race());
        self.races = self.races.saturating_add(1);
    }

    /// An attempt that is of no use is closed.
    fn drop_attempt(&mut self, now: Tick, id: AttemptId, why: Why) {
        let Some(a) = self.remove(id) else { return };
        self.actions.push_back(Action::Close { attempt: id });
        if let Some(up) = &a.up {
            self.backoff.stream_ended(now.since(up.since), up.brought_new);
        }
        self.after_loss(now, why, None);
    }

    /// One attempt less: sees that another follows, in its time.
    fn after_loss(&mut self, now: Tick, why: Why, range: Option<(Duration, Duration)>) {
        if self.is_healthy() {
            return;
        }
        self.tell_reconnecting(why);
        if self.attempts.iter().any(Attempt::is_opening) {
            let race = self.race();
            self.retry_at.get_or_insert(now + race);
            return;
        }
        self.races = 0;
        let wait = match range {
            Some((min, max)) => {
                // A server that goes on asking is asked ever more rarely.
                let wait = self.backoff.next_wait().max(self.backoff.obey(min, max));
                self.obey_until = Some(now + wait);
                wait
            }
            None => self.backoff.next_wait(),
        };
        if wait.is_zero() {
            self.open(now);
        } else {
            self.retry_at = Some(now + wait);
        }
    }

    /// Silence of the newest attempt after which it is joined by another.
    fn race(&self) -> Duration {
        if self.races == 0 { limits::RACE } else { limits::RACE_LATER }
    }

    fn end(&mut self, end: End) {
        for a in self.attempts.drain(..) {
            self.actions.push_back(Action::Close { attempt: a.id });
        }
        self.retry_at = None;
        if self.told != Told::Ended {
            self.told = Told::Ended;
            self.actions.push_back(Action::State(State::Ended(end)));
        }
    }

    fn tell_live(&mut self) {
        self.told = Told::Live;
        self.actions.push_back(Action::State(State::Live { head: self.head() }));
    }

    fn tell_reconnecting(&mut self, why: Why) {
        if self.told != Told::Reconnecting(why) {
            self.told = Told::Reconnecting(why);
            self.actions.push_back(Action::State(State::Reconnecting(why)));
        }
    }

    fn is_healthy(&self) -> bool {
        self.attempts.iter().any(Attempt::is_healthy)
    }

    fn find(&mut self, id: AttemptId) -> Option<&mut Attempt> {
        self.attempts.iter_mut().find(|a| a.id == id)
    }

    fn remove(&mut self, id: AttemptId) -> Option<Attempt> {
        let i = self.attempts.iter().position(|a| a.id == id)?;
        Some(self.attempts.remove(i))
    }
}

/// Whether both are known and not the same.
fn differ<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a != b)
}

/// What no second attempt would change.
fn is_final(code: pb::ErrorCode) -> bool {
    match code {
        pb::ErrorCode::Denied | pb::ErrorCode::NotFound | pb::ErrorCode::Invalid | pb::ErrorCode::Unauthenticated => {
            true
        }
        pb::ErrorCode::Internal
        | pb::ErrorCode::Conflict
        | pb::ErrorCode::TooLarge
        | pb::ErrorCode::RateLimited
        | pb::ErrorCode::Unavailable => false,
    }
}

/// A `lost` frame over these cursors.
fn lost(hole: Span) -> Option<Frame> {
    let data = Data::Lost(pb::Lost { reason: pb::LostReason::Damage.into() });
    let frame = pb::Frame { v: 1, cur: hole.end().get(), span: hole.len(), data: Some(data), ..Default::default() };
    Frame::check(frame).ok()
}
