//! One reader: greeting, replay, live, end. It owns a cursor and pulls; nobody holds anything for it.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use bytes::BytesMut;
use tokio::time::Instant;
use tokio::time::Sleep;
use vyre_proto::cursor::Cursor;
use vyre_proto::cursor::Span;
use vyre_proto::limits::BEAT;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::ByeReason;
use vyre_proto::pb::stream::ResetReason;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::record;

use crate::rules::caller::Person;
use crate::rules::caller::Roles;
use crate::rules::merge::Merger;
use crate::rules::reader::behind_floor;
use crate::rules::reader::start;
use crate::session::AttachRequest;
use crate::session::Right;
use crate::session::Session;
use crate::session::attach::Ending;
use crate::session::bell::Pokes;
use crate::session::drawn::Drawer;
use crate::session::hold;
use crate::session::people::Connection;
use crate::store::FrameRun;

/// About how many bytes go out in one piece.
const PIECE: usize = 64 * 1024;

/// About how many bytes of the log are looked at before the first piece goes out.
const FIRST_PIECE: usize = 8 * 1024;

/// Readers that were told of a restart come back over this much time, in milliseconds.
const RESTART_DELAY_MS: (u32, u32) = (50, 2000);

/// One reader of one session. Ends its attach when dropped.
pub struct Reader {
    session: Session,
    ending: Arc<Ending>,
    /// Makes what the class of this reader may see.
    drawer: Arc<Drawer>,
    request: AttachRequest,
    /// The newest cursor taken from the log.
    last: Cursor,
    phase: Phase,
    /// What is to go out before anything else.
    out: BytesMut,
    /// Joins deltas until the head is reached for the first time.
    merger: Option<Box<Merger>>,
    /// Something went out: the first piece waits for no second one, however long the history is.
    gave: bool,
    /// What is told beside the log, where a person reads.
    beside: Option<Connection>,
    /// When the stream has been silent for a beat; moved lazily.
    beat: Pin<Box<Sleep>>,
    spoke: Instant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Greet,
    Read,
    Done,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reader({} after {})", self.session.id(), self.last)
    }
}

/// What the log has for a reader at this moment.
enum Step {
    /// The reader is ended, or cleared for something else.
    Told,
    /// Where they end, and whether the class sees them as they stand.
    Records(Bytes, Cursor, bool),
    OnDisk,
    Reset,
    AtHead,
}

impl Reader {
    pub(crate) fn new(session: Session, request: AttachRequest, right: Option<Right>) -> Self {
        let (ending, class) = hold::enter(&session, request.client, right);
        let drawer = session.0.drawers.of(session.id(), class);
        let now = Instant::now();
        Self {
            session,
            ending,
            drawer,
            request,
            last: Cursor::ZERO,
            phase: Phase::Greet,
            out: BytesMut::new(),
            gave: false,
            beside: None,
            merger: (!request.unmerged).then(Box::default),
            beat: Box::pin(tokio::time::sleep_until(now + BEAT)),
            spoke: now,
        }
    }

    /// The reader is a connection of this person's: it is told what is told beside the log.
    pub(crate) fn connect(&mut self, who: &Person) {
        self.beside = Some(self.session.0.people.connect(who, self.session.id()));
    }

    /// The next whole records to write, about 64 KiB or one record: `hello` first, then frames, heartbeats, at the end a
    /// `bye`. `None` after it. Waits at the head. Cancel-safe: what was not returned comes with the next call.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.phase == Phase::Done {
                return None;
            }
            // Before the look: an end that comes after it moves the count, and the wait sees that.
            let pokes = self.session.0.bell.pokes();
            if let Some(reason) = self.ending.reason() {
                self.phase = Phase::Done;
                self.say(Data::Bye(bye(reason)));
                return self.give();
            }
            if let Some(roles) = self.ending.take_regranted() {
                self.regrant(roles);
            }
            if self.phase == Phase::Greet {
                self.greet();
            }
            match self.step() {
                Step::Told => {}
                Step::Records(records, end, plain) => {
                    if let Some(piece) = self.draw(records, end, plain) {
                        return Some(piece);
                    }
                }
                Step::Reset => self.reset(ResetReason::BehindFloor),
                Step::OnDisk => {
                    if let Some(piece) = self.read_disk().await {
                        return Some(piece);
                    }
                }
                Step::AtHead => {
                    if let Some(mut merger) = self.merger.take() {
                        merger.finish(&mut self.out);
                    }
                    if let Some(beside) = &self.beside {
                        beside.take(&mut self.out);
                    }
                    if !self.out.is_empty() {
                        return self.give();
                    }
                    self.wait(pokes).await;
                }
            }
        }
    }

    /// Why it was ended, once [`Reader::next`] has given the `bye`.
    pub fn ended(&self) -> Option<ByeReason> {
        self.ending.reason()
    }

    /// What the log has after `last`. A short hold of the session's lock.
    fn step(&self) -> Step {
        let state = self.session.0.lock();
        // Whoever is taken out, or cleared for something else, is told under this lock: so nothing that came after it is
        // ever taken under the rule that held before.
        if self.ending.reason().is_some() || self.ending.is_regranted() {
            Step::Told
        } else if behind_floor(self.last, state.log.floor()) {
            Step::Reset
        } else if self.last >= state.log.head() {
            Step::AtHead
        } else {
            let piece = if self.gave { PIECE } else { FIRST_PIECE };
            state.ring.read(self.last, piece).map_or(Step::OnDisk, |(records, end)| {
                Step::Records(records, end, self.drawer.class().is_plain(end, state.guarded()))
            })
        }
    }

    /// The person is cleared for these from now on. What was drawn under the rule that held before and has not gone out is
    /// forgotten, and the reader begins again from the floor.
    fn regrant(&mut self, roles: Roles) {
        let class = self.drawer.class().clone().with_roles(roles);
        let same = class.view() == self.drawer.class().view();
        self.drawer = self.session.0.drawers.of(self.session.id(), class);
        if same {
            return;
        }
        self.out.clear();
        self.merger = (!self.request.unmerged).then(Box::default);
        if !self.gave {
            // Nobody was greeted yet: the greeting names the new view, and judges the place by it.
            self.phase = Phase::Greet;
        } else if self.phase == Phase::Read {
            self.reset(ResetReason::ViewChanged);
        }
    }

    /// Takes canonical records that end at `end`, as the class sees them.
    fn draw(&mut self, records: Bytes, end: Cursor, plain: bool) -> Option<Bytes> {
        let records = if plain { records } else { self.drawer.draw(records) };
        self.take(records, end)
    }

    /// Takes records that end at `end`, drawn for the class. Gives what is to go out now.
    fn take(&mut self, records: Bytes, end: Cursor) -> Option<Bytes> {
        self.last = end;
        if let Some(merger) = &mut self.merger {
            merger.push(&records, &mut self.out);
            let enough = if self.gave { PIECE / 2 } else { 1 };
            return if self.out.len() >= enough { self.give() } else { None };
        }
        if self.out.is_empty() {
            self.gave = true;
            self.spoke = Instant::now();
            return Some(records);
        }
        self.out.extend_from_slice(&records);
        self.give()
    }

    async fn read_disk(&mut self) -> Option<Bytes> {
        let number = self.session.0.lock().row.number;
        let (store, last) = (self.session.0.store.clone(), self.last);
        let piece = if self.gave { PIECE } else { FIRST_PIECE };
        let read = tokio::task::spawn_blocking(move || store.frames(number, last, piece)).await;
        let guarded = {
            let state = self.session.0.lock();
            if self.ending.reason().is_some() || self.ending.is_regranted() {
                // What the disk had may be younger than what the reader is told.
                return None;
            }
            state.guarded()
        };
        match read {
            Ok(Ok(FrameRun::Records { records, end })) => {
                let plain = self.drawer.class().is_plain(end, guarded);
                self.draw(records, end, plain)
            }
            Ok(Ok(FrameRun::Damaged(span))) => self.hole(span),
            // The ring did not have it and the disk does not: it passes, or the floor has moved meanwhile.
            Ok(Ok(FrameRun::Nothing)) => {
                let head = self.session.bounds().head;
                Span::between(self.last.next(), head).and_then(|span| self.hole(span))
            }
            Ok(Err(error)) => {
                tracing::error!(session = %self.session.id(), %error, "a replay cannot read the log");
                tokio::time::sleep(Duration::from_millis(200)).await;
                None
            }
            Err(_) => {
                self.ending.end(ByeReason::Overload);
                None
            }
        }
    }

    /// These cursors cannot be read. Where the floor has passed them that is as it should be; else they are named.
    fn hole(&mut self, span: Span) -> Option<Bytes> {
        if behind_floor(self.last, self.session.bounds().floor) || self.session.0.lock().ring.reaches(self.last) {
            return None;
        }
        tracing::error!(session = %self.session.id(), first = %span.first(), last = %span.end(), "frames cannot be read");
        let frame = pb::Frame {
            v: 1,
            cur: span.end().get(),
            span: if span.len() == 1 { 0 } else { span.len() },
            session: self.session.id().as_str().to_owned(),
            data: Some(Data::Lost(pb::Lost { reason: pb::LostReason::Damage as i32 })),
            ..Default::default()
        };
        self.take(record::to_record(&frame), span.end())
    }

    fn greet(&mut self) {
        self.phase = Phase::Read;
        let bounds = self.session.bounds();
        let view = self.drawer.class().view();
        let begin = start(self.request.asked, bounds, view);
        self.last = begin.last;
        let (log, beat_ms) = (bounds.log.to_string(), u32::try_from(BEAT.as_millis()).unwrap_or(u32::MAX));
        let (floor, head) = (bounds.floor.get(), bounds.head.get());
        self.say(Data::Hello(pb::Hello { log, view, floor, head, beat_ms }));
        if let Some(reason) = begin.reset {
            self.reset(reason);
        }
    }

    fn reset(&mut self, reason: ResetReason) {
        let bounds = self.session.bounds();
        self.last = bounds.floor.prev();
        if let Some(merger) = &mut self.merger {
            merger.finish(&mut self.out);
        }
        let (log, floor, head) = (bounds.log.to_string(), bounds.floor.get(), bounds.head.get());
        let view = self.drawer.class().view();
        self.say(Data::Reset(pb::Reset { reason: reason as i32, log, view, floor, head }));
    }

    /// Puts a control frame in front of what goes out next.
    fn say(&mut self, data: Data) {
        let session = self.session.id().as_str().to_owned();
        record::encode(&pb::Frame { v: 1, session, data: Some(data), ..Default::default() }, &mut self.out);
    }

    fn give(&mut self) -> Option<Bytes> {
        self.gave = true;
        self.spoke = Instant::now();
        Some(std::mem::take(&mut self.out).freeze())
    }

    /// Waits until the head moves, somebody ends this reader, or it is time to speak.
    async fn wait(&mut self, pokes: Pokes) {
        let beside = async {
            match &self.beside {
                Some(beside) => beside.ready().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = self.session.0.bell.rung(self.last, pokes) => {}
            () = beside => {}
            () = self.beat.as_mut() => {
                let due = self.spoke + BEAT;
                if due <= Instant::now() {
                    let head = self.session.bounds().head.get();
                    self.say(Data::Heartbeat(pb::Heartbeat { head }));
                    self.beat.as_mut().reset(Instant::now() + BEAT);
                } else {
                    self.beat.as_mut().reset(due);
                }
            }
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.session.0.lock().attaches.remove(&self.ending);
    }
}

fn bye(reason: ByeReason) -> pb::Bye {
    let (min_delay_ms, max_delay_ms) = if reason == ByeReason::Restart { RESTART_DELAY_MS } else { (0, 0) };
    pb::Bye { reason: reason as i32, min_delay_ms, max_delay_ms, paths: Vec::new() }
}
