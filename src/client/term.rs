//! One screen on a terminal of a box, through every break.
//!
//! [`follow`] decides; this carries records both ways, over a WebSocket or a stream of QUIC. Terminals are reached
//! straight: of a target with two paths the one through a relay is left out. What is typed goes at most once: what was on a
//! line that broke may have arrived, and is not sent again. There is no task behind it.

pub mod follow;

use std::future::Future;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Context;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use bytes::BytesMut;
use prost::Message as _;
use tokio::time::Instant;
use tokio::time::Sleep;
use tokio::time::sleep;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::term_record::Record;
use vyre_proto::record;
use vyre_proto::record::Decoder;
use vyre_proto::resume::Why;
use vyre_proto::term::Offset;
use vyre_proto::term::TermId;
use vyre_proto::term::TermSize;
use vyre_proto::tick::Tick;

use super::Client;
use super::call::CallError;
use super::carrier::Came;
use super::carrier::Carrier;
use super::dial::Ways;
use super::limits;
use crate::clock::Clock;
use follow::Act;
use follow::Follow;
use follow::Update;

/// Most bytes of what is typed in one record.
const TYPED_MAX: usize = 16 * 1024;

/// Bytes that may wait to be written. Who pastes more waits.
const WAIT_MAX: usize = 64 * 1024;

/// What has been shown is said this often while output comes, or after so many bytes.
const SAY: Duration = Duration::from_millis(100);
const SAY_BYTES: u64 = 8 * 1024;

/// What kind of screen this is; it stands beside what is run on it.
const SURFACE: &str = "terminal";

/// A line that an attempt has led to.
struct Opened {
    carrier: Carrier,
    /// What came behind the answer.
    rest: Bytes,
    head: Offset,
}

type Opening = Pin<Box<dyn Future<Output = Result<Opened, CallError>> + Send>>;

/// What is typed cannot go out: there is no line now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no line to the terminal now, and what is typed is not kept")]
pub struct NoLine;

/// See the module. Drop it to detach.
pub struct Terminal {
    ways: Arc<Ways>,
    clock: Clock,
    id: TermId,
    /// Of the call that opened it, for the first attempt.
    ticket: Option<String>,
    follow: Follow,
    opening: Option<Opening>,
    carrier: Option<Carrier>,
    decoder: Decoder,
    out: BytesMut,
    size: TermSize,
    /// All before it is shown, and the box was told so of all before the other, then.
    shown: Offset,
    said: (Offset, Tick),
    /// The last line died in silence, so what it ran on is not asked again.
    doubt: bool,
    timer: Pin<Box<Sleep>>,
}

impl Client {
    /// A screen of this size on a terminal. `ticket`: of the `term.open` that has opened it just now; without one this is
    /// one more screen on it, which begins with the terminal as it stands.
    pub fn terminal(&self, id: TermId, ticket: Option<String>, size: TermSize) -> Terminal {
        let from = ticket.as_ref().map(|_| Offset::ZERO);
        let seed = u64::from_le_bytes(self.clock.random());
        Terminal {
            ways: self.ways.clone(),
            clock: self.clock.clone(),
            id,
            ticket,
            follow: Follow::new(self.clock.tick(), from, seed),
            opening: None,
            carrier: None,
            decoder: Decoder::new(),
            out: BytesMut::new(),
            size,
            shown: Offset::ZERO,
            said: (Offset::ZERO, self.clock.tick()),
            doubt: false,
            timer: Box::pin(sleep(Duration::ZERO)),
        }
    }

    /// Calls a tool of terminals, by the path on which they are reached.
    ///
    /// # Errors
    /// As [`Client::call`].
    pub async fn call_straight<A: prost::Message + Default>(
        &self,
        tool: &str,
        request: &impl prost::Message,
    ) -> Result<A, CallError> {
        self.ways.straight_call(tool, request).await
    }
}

impl Terminal {
    /// The next update; `None` after the last. May be dropped at any point: nothing is lost.
    pub async fn next(&mut self) -> Option<Update> {
        loop {
            if let Some(update) = self.follow.update() {
                return Some(update);
            }
            // Whoever asks for more has shown what was given.
            if let Some(upto) = self.follow.seen() {
                self.say(Record::Seen(pb::TermSeen { offset: upto.get() }));
            }
            self.act();
            if self.follow.is_over() {
                return None;
            }
            poll_fn(|cx| self.poll(cx)).await;
        }
    }

    /// The next update, if it is there already.
    pub fn take_ready(&mut self) -> Option<Update> {
        self.follow.update()
    }

    /// Whether more can be typed now.
    pub fn has_room(&self) -> bool {
        self.out.len() < WAIT_MAX
    }

    /// Sends what a person types, or an emulator answers.
    ///
    /// # Errors
    /// If there is no line: nothing is kept for later, when it may mean something else.
    pub fn type_in(&mut self, bytes: &[u8]) -> Result<(), NoLine> {
        if !self.follow.is_attached() {
            return Err(NoLine);
        }
        for piece in bytes.chunks(TYPED_MAX) {
            self.say(Record::In(pb::TermIn { bytes: Bytes::copy_from_slice(piece) }));
        }
        self.follow.typed(self.clock.tick());
        Ok(())
    }

    /// The screen has another size.
    pub fn resize(&mut self, size: TermSize) {
        self.size = size;
        if self.follow.is_attached() {
            self.say_size();
        }
    }

    /// All before this is shown. The box sends no more than the link carries beyond that in a moment.
    pub fn shown(&mut self, upto: Offset) {
        self.shown = upto;
    }

    /// The person wants it now: nothing is waited for.
    pub fn nudge(&mut self) {
        self.follow.nudge(self.clock.tick());
    }

    fn say_size(&mut self) {
        let (cols, rows) = (self.size.cols().into(), self.size.rows().into());
        self.say(Record::Resize(pb::TermResize { cols, rows }));
    }

    /// When the box is to be told what is shown.
    fn say_at(&self) -> Option<Tick> {
        let (said, at) = self.said;
        let wait = if self.shown.above(said) >= SAY_BYTES { Duration::ZERO } else { SAY };
        (self.shown != said && self.follow.is_attached()).then_some(at + wait)
    }

    fn say(&mut self, record: Record) {
        record::encode(&pb::TermRecord { record: Some(record) }, &mut self.out);
    }

    fn act(&mut self) {
        while let Some(act) = self.follow.act(self.clock.tick()) {
            match act {
                Act::Attach(from) => {
                    let (ways, id, ticket, fresh) = (self.ways.clone(), self.id, self.ticket.take(), self.doubt);
                    self.doubt = false;
                    self.opening = Some(Box::pin(async move { ways.terminal(id, ticket, from, fresh).await }));
                }
                Act::Probe => {
                    if let Some(carrier) = &mut self.carrier {
                        carrier.probe();
                    }
                }
                Act::HangUp => {
                    (self.opening, self.carrier) = (None, None);
                    self.decoder = Decoder::new();
                    self.out.clear();
                }
            }
        }
    }

    /// Ready when something happened.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let happened = [self.poll_opening(cx), self.poll_carrier(cx), self.poll_writing(cx), self.poll_timer(cx)];
        if happened.contains(&true) { Poll::Ready(()) } else { Poll::Pending }
    }

    fn poll_opening(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(opening) = &mut self.opening else { return false };
        let Poll::Ready(opened) = opening.as_mut().poll(cx) else { return false };
        self.opening = None;
        let now = self.clock.tick();
        match opened {
            Ok(Opened { carrier, rest, head }) => {
                self.carrier = Some(carrier);
                self.decoder = Decoder::new();
                self.out.clear();
                self.follow.attached(now, head);
                self.said = (self.shown, now);
                self.say_size();
                self.take(&rest);
            }
            Err(CallError::Refused { code, message, retry_after }) => {
                self.follow.refused(now, code, message, retry_after);
            }
            Err(CallError::NotABox) => self.follow.ended(now, Why::Protocol),
            Err(CallError::TimedOut) => self.follow.ended(now, Why::Silent),
            Err(CallError::Unreachable(_) | CallError::NoAnswer | CallError::Invalid) => {
                self.follow.ended(now, Why::Broken);
            }
        }
        true
    }

    fn poll_carrier(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(carrier) = &mut self.carrier else { return false };
        let Poll::Ready(came) = carrier.poll_next(cx) else { return false };
        let now = self.clock.tick();
        match came {
            Came::Bytes(bytes) => self.take(&bytes),
            Came::Life => self.follow.heard(now),
            Came::End(_) => self.follow.ended(now, Why::Broken),
        }
        true
    }

    fn take(&mut self, bytes: &[u8]) {
        self.decoder.push(bytes);
        let now = self.clock.tick();
        loop {
            match self.decoder.next().map(|record| record.map(pb::TermRecord::decode)) {
                Ok(None) => return,
                Ok(Some(Ok(record))) => self.follow.record(now, record),
                Ok(Some(Err(_))) | Err(_) => return self.follow.ended(now, Why::Protocol),
            }
        }
    }

    fn poll_writing(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(carrier) = self.carrier.as_mut().filter(|_| !self.out.is_empty()) else { return false };
        match carrier.poll_write(cx, &mut self.out) {
            Poll::Pending => false,
            Poll::Ready(true) => true,
            Poll::Ready(false) => {
                // What it said before its end may still be there to be read.
                self.out.clear();
                false
            }
        }
    }

    fn poll_timer(&mut self, cx: &mut Context<'_>) -> bool {
        let now = self.clock.tick();
        if self.say_at().is_some_and(|at| at <= now) {
            self.said = (self.shown, now);
            self.say(Record::Seen(pb::TermSeen { offset: self.shown.get() }));
            return true;
        }
        let Some(at) = self.follow.wake_at().into_iter().chain(self.say_at()).min() else { return false };
        if at <= now {
            return true;
        }
        // A clock that stops while the machine sleeps drives the timer, so it is looked at now and then.
        self.timer.as_mut().reset(Instant::now() + at.since(now).min(limits::LOOK));
        self.timer.as_mut().poll(cx).is_ready()
    }
}

impl std::fmt::Debug for Terminal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Terminal({})", self.id)
    }
}

impl Ways {
    async fn straight_call<A: prost::Message + Default>(
        &self,
        tool: &str,
        request: &impl prost::Message,
    ) -> Result<A, CallError> {
        let call = self.straight().call(tool, None, request.encode_to_vec().into());
        let answer = tokio::time::timeout(limits::CALL, call).await.map_err(|_| CallError::TimedOut)??;
        A::decode(answer).map_err(|_| CallError::NotABox)
    }

    /// Attaches: with the ticket that is at hand, or with a new one.
    async fn terminal(
        &self,
        id: TermId,
        ticket: Option<String>,
        from: Option<Offset>,
        fresh: bool,
    ) -> Result<Opened, CallError> {
        let way = self.straight();
        let (ticket, head) = match ticket {
            Some(ticket) => (ticket, Offset::ZERO),
            None => {
                if fresh {
                    way.connect(true).await?;
                }
                let ask = pb::TermAttach { term: id.to_string() };
                let attached: pb::TermAttached = self.straight_call("term.attach", &ask).await?;
                (attached.ticket, Offset::new(attached.head).ok_or(CallError::NotABox)?)
            }
        };
        let stream = pb::TermStream { ticket, from: from.map(Offset::get), surface: SURFACE.to_owned() };
        let (carrier, rest) = way.terminal(stream).await?;
        Ok(Opened { carrier, rest, head })
    }
}
