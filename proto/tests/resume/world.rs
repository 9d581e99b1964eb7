//! A box with a log, the pipes between, and one reader, under one clock. Everything that goes wrong is a method.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::VecDeque;
use std::time::Duration;

use vyre_proto::cursor::Cursor;
use vyre_proto::fold::Fold;
use vyre_proto::fold::row::Body;
use vyre_proto::frame::Frame;
use vyre_proto::ids::LogId;
use vyre_proto::limits::ATTACHES_PER_CLIENT;
use vyre_proto::limits::BEAT;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::record;
use vyre_proto::resume::Action;
use vyre_proto::resume::AttemptId;
use vyre_proto::resume::End;
use vyre_proto::resume::Ending;
use vyre_proto::resume::Nudge;
use vyre_proto::resume::Position;
use vyre_proto::resume::Resume;
use vyre_proto::resume::State;
use vyre_proto::tick::Tick;

/// What stands at one cursor, in a form that merging does not change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unit {
    Delta { message: String, at: u64, text: String },
    Done { message: String },
    Lost,
}

/// One cursor of the log. After a crash it is lost, and those who saw it before still show what it was.
#[derive(Debug, Clone)]
struct Entry {
    unit: Unit,
    was: Option<Unit>,
}

/// The bytes of one attempt, on their way.
struct Pipe {
    attempt: AttemptId,
    next: u64,
    log: u8,
    view: u64,
    bytes: VecDeque<u8>,
    /// Everything written is swallowed, and nobody is told.
    dark: bool,
    /// The other side is done; the reader is told when the bytes are through.
    ended: bool,
    swallow: bool,
    repeat: bool,
}

pub struct World {
    pub now: Tick,
    pub resume: Resume,
    log: u8,
    view: u64,
    floor: u64,
    entries: Vec<Entry>,
    texts: BTreeMap<u8, u64>,
    pipes: Vec<Pipe>,
    open: BTreeSet<AttemptId>,
    refusals: VecDeque<Option<Ending>>,
    swallowed: BTreeSet<(u8, u64)>,
    beat_at: Tick,
    /// What the reader shows since its last reset.
    pub rows: BTreeMap<u64, Unit>,
    pub states: Vec<State>,
    /// `from` of every attempt, with its time.
    pub asked: Vec<(Tick, Position)>,
    pub missing: Vec<(u64, u64)>,
    pub resets: usize,
    pub probes: usize,
    fold: Fold,
}

impl World {
    pub fn new(seed: u64) -> Self {
        Self::reading_from(Position::default(), seed)
    }

    pub fn reading_from(at: Position, seed: u64) -> Self {
        Self {
            now: Tick(1_000_000),
            resume: Resume::new(at, seed),
            log: 1,
            view: 1,
            floor: 1,
            entries: Vec::new(),
            texts: BTreeMap::new(),
            pipes: Vec::new(),
            open: BTreeSet::new(),
            refusals: VecDeque::new(),
            swallowed: BTreeSet::new(),
            beat_at: Tick(0),
            rows: BTreeMap::new(),
            states: Vec::new(),
            asked: Vec::new(),
            missing: Vec::new(),
            resets: 0,
            probes: 0,
            fold: Fold::new(),
        }
    }

    pub fn start(mut self) -> Self {
        self.resume.start(self.now);
        self.act();
        self
    }

    pub fn head(&self) -> u64 {
        self.entries.len() as u64
    }

    pub fn log_id(&self) -> LogId {
        LogId([self.log; 16])
    }

    // What the box does.

    /// Appends a piece of the text of message `m`, or its end.
    pub fn append(&mut self, m: u8, done: bool) {
        let message = format!("m{m}");
        let unit = if done {
            self.texts.insert(m, 0);
            Unit::Done { message }
        } else {
            let text = format!("{}.{} ", self.log, self.head() + 1);
            let at = self.texts.entry(m).or_default();
            let unit = Unit::Delta { message, at: *at, text: text.clone() };
            *at += text.len() as u64;
            unit
        };
        self.entries.push(Entry { unit, was: None });
    }

    pub fn append_many(&mut self, n: u64) {
        for _ in 0..n {
            self.append(0, false);
        }
    }

    pub fn raise_floor(&mut self, by: u64) {
        self.floor = (self.floor + by).min(self.head() + 1);
    }

    /// Stops without warning: the newest `undurable` entries are lost, and so are `leased` cursors above them.
    pub fn crash(&mut self, undurable: u64, leased: u64) {
        let from = self.head().saturating_sub(undurable) as usize;
        for e in &mut self.entries[from..] {
            let was = std::mem::replace(&mut e.unit, Unit::Lost);
            e.was.get_or_insert(was);
        }
        for _ in 0..leased {
            self.entries.push(Entry { unit: Unit::Lost, was: None });
        }
        for i in 0..self.pipes.len() {
            self.cut(i);
        }
    }

    /// The log is another one, with `n` entries.
    pub fn replace_log(&mut self, n: u64) {
        self.log += 1;
        self.floor = 1;
        self.entries.clear();
        self.texts.clear();
        self.append_many(n);
    }

    pub fn change_view(&mut self) {
        self.view += 1;
    }

    /// The next attempt is answered with this; `None`: with nothing at all.
    pub fn refuse_next(&mut self, ending: Option<Ending>) {
        self.refusals.push_back(ending);
    }

    /// Takes cursor `n` out of every answer, for good.
    pub fn damage(&mut self, n: u64) {
        self.swallowed.insert((0, n));
    }

    fn hello(&self) -> pb::Frame {
        control(Data::Hello(pb::Hello {
            log: self.log_id().to_string(),
            view: self.view,
            floor: self.floor,
            head: self.head(),
            beat_ms: BEAT.as_millis() as u32,
        }))
    }

    fn reset(&self, reason: pb::ResetReason) -> pb::Frame {
        control(Data::Reset(pb::Reset {
            reason: reason.into(),
            log: self.log_id().to_string(),
            view: self.view,
            floor: self.floor,
            head: self.head(),
        }))
    }

    fn attach(&mut self, attempt: AttemptId, at: Position) {
        let mut pipe = Pipe {
            attempt,
            next: at.last.get() + 1,
            log: self.log,
            view: self.view,
            bytes: VecDeque::new(),
            dark: false,
            ended: false,
            swallow: false,
            repeat: false,
        };
        write(&mut pipe, &self.hello());
        let other_log = at.log.is_some_and(|l| l != self.log_id());
        let other_view = at.view.is_some_and(|v| v != self.view);
        let reason = if other_log {
            Some(pb::ResetReason::OtherLog)
        } else if other_view {
            Some(pb::ResetReason::ViewChanged)
        } else if at.last.get() > self.head() {
            Some(pb::ResetReason::AheadOfHead)
        } else if at.last.get() + 1 < self.floor {
            Some(pb::ResetReason::BehindFloor)
        } else {
            None
        };
        if let Some(reason) = reason {
            write(&mut pipe, &self.reset(reason));
            pipe.next = self.floor;
        }
        self.pipes.push(pipe);
    }

    /// Writes up to `n` frames to a pipe, each of up to `merge` cursors.
    pub fn serve(&mut self, pipe: usize, n: usize, merge: u64) {
        for _ in 0..n {
            if pipe >= self.pipes.len() || self.pipes[pipe].ended {
                return;
            }
            let (log, view) = (self.pipes[pipe].log, self.pipes[pipe].view);
            let reason = if log != self.log {
                Some(pb::ResetReason::OtherLog)
            } else if view != self.view {
                Some(pb::ResetReason::ViewChanged)
            } else if self.pipes[pipe].next < self.floor {
                Some(pb::ResetReason::BehindFloor)
            } else {
                None
            };
            if let Some(reason) = reason {
                let reset = self.reset(reason);
                let p = &mut self.pipes[pipe];
                (p.log, p.view, p.next) = (self.log, self.view, self.floor);
                write(p, &reset);
                continue;
            }
            let from = self.pipes[pipe].next;
            if from > self.head() {
                return;
            }
            let (frame, len) = self.frame(from, merge.max(1));
            let p = &mut self.pipes[pipe];
            p.next += len;
            let hurt = (from..from + len).all(|c| self.swallowed.contains(&(0, c)));
            // The same cursor is swallowed once: a hole that stays is another matter.
            let swallow =
                std::mem::take(&mut p.swallow) && (from..from + len).all(|c| self.swallowed.insert((self.log, c)));
            if hurt || swallow {
                continue;
            }
            let times = if std::mem::take(&mut p.repeat) { 2 } else { 1 };
            for _ in 0..times {
                write(p, &frame);
            }
        }
    }

    /// The frame at cursor `from`, with what may be merged into it, and how many cursors it covers.
    fn frame(&self, from: u64, merge: u64) -> (pb::Frame, u64) {
        let first = &self.entries[from as usize - 1].unit;
        let same = |e: &&Entry| match (&e.unit, first) {
            (Unit::Delta { message: a, .. }, Unit::Delta { message: b, .. }) => a == b,
            (a, b) => *a == Unit::Lost && *b == Unit::Lost,
        };
        let run: Vec<&Entry> = self.entries[from as usize - 1..].iter().take(merge as usize).take_while(same).collect();
        let len = run.len().max(1) as u64;
        let mut f = pb::Frame { v: 1, cur: from + len - 1, span: if len == 1 { 0 } else { len }, ..Default::default() };
        match first {
            Unit::Delta { message, at, text } => {
                f.message = message.clone();
                let mut d = pb::TextDelta { at: *at, ..Default::default() };
                if len == 1 {
                    d.text = text.clone();
                } else {
                    d.parts = run
                        .iter()
                        .map(|e| if let Unit::Delta { text, .. } = &e.unit { text.clone() } else { String::new() })
                        .collect();
                }
                f.data = Some(Data::TextDelta(d));
            }
            Unit::Done { message } => {
                f.message = message.clone();
                f.data = Some(Data::TextDone(pb::TextDone::default()));
            }
            Unit::Lost => f.data = Some(Data::Lost(pb::Lost::default())),
        }
        (f, len)
    }

    pub fn beat(&mut self, pipe: usize) {
        let head = self.head();
        if let Some(p) = self.pipes.get_mut(pipe)
            && !p.ended
            && p.log == self.log
            && p.next > head
        {
            write(p, &control(Data::Heartbeat(pb::Heartbeat { head })));
        }
    }

    pub fn bye(&mut self, pipe: usize, reason: pb::ByeReason, min: u32, max: u32) {
        if let Some(p) = self.pipes.get_mut(pipe).filter(|p| !p.ended) {
            let bye = pb::Bye { reason: reason.into(), min_delay_ms: min, max_delay_ms: max, paths: Vec::new() };
            write(p, &control(Data::Bye(bye)));
            p.ended = true;
        }
    }

    // What the network does.

    pub fn pipes(&self) -> usize {
        self.pipes.len()
    }

    pub fn open_attempts(&self) -> usize {
        self.open.len()
    }

    pub fn hush(&mut self, pipe: usize) {
        if let Some(p) = self.pipes.get_mut(pipe) {
            p.dark = true;
            p.bytes.clear();
        }
    }

    pub fn swallow(&mut self, pipe: usize) {
        if let Some(p) = self.pipes.get_mut(pipe) {
            p.swallow = true;
        }
    }

    pub fn repeat(&mut self, pipe: usize) {
        if let Some(p) = self.pipes.get_mut(pipe) {
            p.repeat = true;
        }
    }

    /// The pipe breaks; what was on its way is gone.
    pub fn cut(&mut self, pipe: usize) {
        if let Some(p) = self.pipes.get_mut(pipe) {
            p.bytes.clear();
            p.ended = true;
        }
    }

    /// Lets up to `n` bytes through. A reader that has closed the attempt gets them all the same.
    pub fn carry(&mut self, pipe: usize, n: usize) {
        let Some(p) = self.pipes.get_mut(pipe) else { return };
        let id = p.attempt;
        let n = n.min(p.bytes.len());
        let bytes: Vec<u8> = p.bytes.drain(..n).collect();
        let over = p.ended && p.bytes.is_empty() && !p.dark;
        if over {
            self.pipes.remove(pipe);
        }
        if !bytes.is_empty() {
            self.resume.handle_bytes(self.now, id, &bytes);
            self.act();
        }
        if over {
            self.open.remove(&id);
            self.resume.handle_end(self.now, id, Ending::Broken);
            self.act();
        }
    }

    pub fn nudge(&mut self, nudge: Nudge) {
        self.resume.handle_nudge(self.now, nudge);
        self.act();
    }

    /// Time passes, and the reader wakes whenever it wants to. Nothing else happens.
    pub fn wait(&mut self, d: Duration) {
        let end = self.now + d;
        while let Some(t) = self.resume.wake_at().filter(|t| *t <= end) {
            let before = self.now;
            self.now = self.now.max(t);
            self.resume.handle_wake(self.now);
            self.act();
            assert!(self.resume.wake_at().is_none_or(|t| t > self.now || t > before), "the reader spins");
        }
        self.now = end;
    }

    /// Everything works from now on: serves and carries until nothing moves.
    pub fn flow(&mut self) {
        for _ in 0..1000 {
            let mut moved = false;
            let mut i = 0;
            while i < self.pipes.len() {
                self.serve(i, usize::MAX >> 40, 5);
                moved |= !self.pipes[i].bytes.is_empty() || (self.pipes[i].ended && !self.pipes[i].dark);
                let n = self.pipes.len();
                self.carry(i, usize::MAX);
                i += usize::from(self.pipes.len() >= n);
            }
            if !moved {
                return;
            }
        }
        panic!("bytes never stop moving");
    }

    /// Lets time pass with everything working, heartbeats too.
    pub fn run(&mut self, d: Duration) {
        let end = self.now + d;
        self.flow();
        if self.beat_at <= self.now {
            self.beat_at = self.now + BEAT;
        }
        while self.now < end {
            let beat = self.beat_at;
            let next = self.resume.wake_at().unwrap_or(end).max(Tick(self.now.0 + 1)).min(beat).min(end);
            self.now = next;
            if next >= beat {
                self.beat_at = next + BEAT;
                (0..self.pipes.len()).for_each(|i| self.beat(i));
                self.flow();
            }
            self.resume.handle_wake(self.now);
            self.act();
            self.flow();
        }
    }

    // What the reader does.

    fn act(&mut self) {
        while let Some(action) = self.resume.poll() {
            match action {
                Action::Open { attempt, at } => {
                    assert!(self.open.insert(attempt), "an attempt is opened once");
                    assert!(self.open.len() <= ATTACHES_PER_CLIENT, "{:?}", self.open);
                    assert_eq!(at, self.resume.position(), "every attempt asks from the reader's place");
                    self.asked.push((self.now, at));
                    match self.refusals.pop_front() {
                        None => self.attach(attempt, at),
                        Some(None) => {}
                        Some(Some(ending)) => {
                            self.open.remove(&attempt);
                            self.resume.handle_end(self.now, attempt, ending);
                        }
                    }
                }
                Action::Close { attempt } => {
                    self.open.remove(&attempt);
                }
                Action::Probe { attempt } => {
                    self.probes += 1;
                    if self.pipes.iter().any(|p| p.attempt == attempt && !p.dark && !p.ended) {
                        self.resume.handle_life(self.now, attempt);
                    }
                }
                Action::Deliver(frame) => self.show(frame),
                Action::State(s) => self.states.push(s),
                Action::Missing(span) => self.missing.push((span.first().get(), span.end().get())),
                Action::Paths(_) => {}
            }
        }
    }

    fn show(&mut self, frame: Frame) {
        self.fold.apply(&frame);
        if let Some(Data::Reset(_)) = &frame.get().data {
            self.rows.clear();
            self.resets += 1;
            return;
        }
        let Some(span) = frame.span() else { return };
        let units = units(&frame);
        assert_eq!(units.len() as u64, span.len());
        for (cur, unit) in (span.first().get()..).zip(units) {
            let newest = self.rows.last_key_value().map_or(cur - 1, |(c, _)| *c);
            assert_eq!(cur, newest + 1, "in order, once each, without a hole");
            self.rows.insert(cur, unit);
        }
    }

    pub fn ended(&self) -> Option<&End> {
        self.states.iter().rev().find_map(|s| if let State::Ended(e) = s { Some(e) } else { None })
    }

    pub fn is_live(&self) -> bool {
        matches!(self.states.last(), Some(State::Live { .. }))
    }

    /// Fails unless the reader shows what one that never broke would show.
    pub fn assert_whole(&self) {
        assert_eq!(self.resume.position().last.get(), self.head(), "the reader is at the head");
        assert!(self.head() == 0 || self.resume.position().log == Some(self.log_id()), "of this log");
        let first = self.rows.first_key_value().map_or(self.head() + 1, |(c, _)| *c);
        assert!(first <= self.floor, "shows from {first}, the box holds from {}", self.floor);
        assert_eq!(self.rows.len() as u64, self.head() + 1 - first, "covers all");
        for (cur, unit) in &self.rows {
            let e = &self.entries[*cur as usize - 1];
            assert!(*unit == e.unit || Some(unit) == e.was.as_ref(), "{cur}: {unit:?}, not {e:?}");
        }
        // And the rows are those of a fold that got every frame by itself.
        let mut plain = Fold::new();
        if first > 1 {
            plain.reset(cursor(first));
        }
        for (cur, unit) in &self.rows {
            let frame = Frame::check(single(*cur, unit));
            plain.apply(&frame.unwrap_or_else(|e| panic!("{e}")));
        }
        // A run of lost cursors is a row for each piece in which it came: this box cuts them as it likes.
        let json = |f: &Fold| {
            let rows: Vec<_> = f.rows().iter().filter(|r| !matches!(r.body, Body::Lost { .. })).collect();
            serde_json::to_string(&rows).unwrap_or_else(|e| panic!("{e}"))
        };
        assert_eq!(json(&self.fold), json(&plain));
    }
}

fn control(data: Data) -> pb::Frame {
    pb::Frame { v: 1, data: Some(data), ..Default::default() }
}

fn write(pipe: &mut Pipe, frame: &pb::Frame) {
    if !pipe.dark && !pipe.ended {
        pipe.bytes.extend(record::to_record(frame));
    }
}

/// What stands at one cursor, as a frame of its own.
fn single(cur: u64, unit: &Unit) -> pb::Frame {
    let mut f = pb::Frame { v: 1, cur, ..Default::default() };
    match unit {
        Unit::Delta { message, at, text } => {
            f.message = message.clone();
            f.data = Some(Data::TextDelta(pb::TextDelta { at: *at, text: text.clone(), ..Default::default() }));
        }
        Unit::Done { message } => {
            f.message = message.clone();
            f.data = Some(Data::TextDone(pb::TextDone::default()));
        }
        Unit::Lost => f.data = Some(Data::Lost(pb::Lost::default())),
    }
    f
}

/// A frame as what stands at each of its cursors.
fn units(frame: &Frame) -> Vec<Unit> {
    let f = frame.get();
    match &f.data {
        Some(Data::TextDelta(d)) if d.parts.is_empty() => {
            vec![Unit::Delta { message: f.message.clone(), at: d.at, text: d.text.clone() }]
        }
        Some(Data::TextDelta(d)) => {
            let mut at = d.at;
            let unit = |text: &String| {
                let unit = Unit::Delta { message: f.message.clone(), at, text: text.clone() };
                at += text.len() as u64;
                unit
            };
            d.parts.iter().map(unit).collect()
        }
        Some(Data::TextDone(_)) => vec![Unit::Done { message: f.message.clone() }],
        Some(Data::Lost(_)) => vec![Unit::Lost; f.span.max(1) as usize],
        other => panic!("the box never sent {other:?}"),
    }
}

pub fn cursor(n: u64) -> Cursor {
    Cursor::new(n).unwrap_or_default()
}
