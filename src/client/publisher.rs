//! A publisher: events in order, each brought until it is durable, known before, or refused by name.
//!
//! It holds what is not acknowledged, in a window with a bound, and sends it again under the same ids after every break;
//! the box stores an id once. There is no task behind it: it moves while it is asked to, and whoever publishes and then
//! wants to know calls [`Publisher::flush`]. Every future here may be dropped: a line on which a write was abandoned is
//! abandoned with it.

use std::collections::VecDeque;
use std::future::Future;
use std::future::pending;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use bytes::BytesMut;
use futures_util::SinkExt;
use futures_util::Stream;
use prost::Message as _;
use tokio::time::Instant;
use tokio::time::sleep;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use vyre_proto::backoff::Backoff;
use vyre_proto::event::Event;
use vyre_proto::pb::stream as pb;
use vyre_proto::record;
use vyre_proto::record::Decoder;

use super::call::CallError;
use super::dial::Ways;
use super::limits;
use super::way::Way;
use super::web::Socket;
use crate::clock::Clock;

/// Why a publisher cannot go on. What it holds it still holds: to call it again goes on.
#[derive(Debug, thiserror::Error)]
pub enum PublishFailed {
    /// The box refuses this producer.
    #[error("the box takes no events from this token: {message}")]
    Refused {
        /// Its code.
        code: pb::ErrorCode,
        /// Its sentence.
        message: String,
    },
    /// Nothing moved for [`limits::PUBLISH_STALL`].
    #[error("no event was acknowledged for {} s, {unsettled} are waiting: {last}", limits::PUBLISH_STALL.as_secs())]
    Stalled {
        /// Events held.
        unsettled: usize,
        /// What went wrong last.
        last: String,
    },
    /// The event alone is over the limit of a record.
    #[error("the event has {len} bytes, over the limit of {}", vyre_proto::limits::RECORD_MAX)]
    TooLarge {
        /// Bytes it has.
        len: usize,
    },
}

/// An event that the box refused. It is not sent again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedEvent {
    /// Which, counted from 0 over all that this publisher was given.
    pub index: u64,
    /// The box's code.
    pub code: pb::ErrorCode,
    /// The box's sentence.
    pub message: String,
}

/// What became of the events so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// Events given to this publisher.
    pub given: u64,
    /// Of these, settled in one of the three ways. The others are held.
    pub settled: u64,
    /// Stored now. After a break the box may count an event as known that it stored before the break.
    pub accepted: u64,
    /// Known before.
    pub duplicates: u64,
    /// Refused.
    pub refused: u64,
}

/// Brings events to a box. See the [module](self).
pub struct Publisher {
    ways: Arc<Ways>,
    backoff: Backoff,
    line: Option<Line>,
    /// The last line died of silence, so what it ran on is not asked again.
    doubt: bool,
    /// Not acknowledged yet: records, in order. The first has index `progress.settled`.
    held: VecDeque<Bytes>,
    held_bytes: usize,
    /// How many of `held` are on the line, and their bytes.
    sent: usize,
    sent_bytes: usize,
    /// What may be on the line unanswered. Small after a line that broke, doubled with each answer: a path that breaks
    /// every moment still carries what fits between two breaks, and does not carry the same burst again and again.
    window: usize,
    progress: Progress,
    refused: Vec<RefusedEvent>,
}

struct Line {
    wire: Wire,
    decoder: Decoder,
    since: Instant,
    /// Index of the stream's first event.
    base: u64,
    settled_any: bool,
}

enum Wire {
    Web(Box<WebSocketStream<Socket>>),
    Quic(Box<QuicLine>),
}

struct QuicLine {
    send: quinn::SendStream,
    recv: quinn::RecvStream,
    connection: quinn::Connection,
}

impl Publisher {
    pub(super) fn new(ways: Arc<Ways>, clock: Clock) -> Self {
        Self {
            ways,
            backoff: Backoff::new(u64::from_le_bytes(clock.random())),
            line: None,
            doubt: false,
            held: VecDeque::new(),
            held_bytes: 0,
            sent: 0,
            sent_bytes: 0,
            window: limits::WINDOW_BYTES,
            progress: Progress::default(),
            refused: Vec::new(),
        }
    }

    /// What became of the events so far.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The events that were refused since the last call, at most [`limits::REFUSED_MAX`] of them.
    pub fn take_refused(&mut self) -> Vec<RefusedEvent> {
        std::mem::take(&mut self.refused)
    }

    /// Takes one event and writes it out. Waits while the window is full.
    ///
    /// # Errors
    /// If nothing moves or the producer is refused: the event was taken all the same, but for `TooLarge`. If this is
    /// dropped while it waits, it may not have been taken; giving it again is safe.
    pub async fn publish(&mut self, event: Event) -> Result<(), PublishFailed> {
        self.hold(event).await?;
        self.send_on().await
    }

    /// Takes many events, and writes them out in large pieces.
    ///
    /// # Errors
    /// As [`Publisher::publish`]; the events after the one that failed were not taken.
    pub async fn publish_all(&mut self, events: impl IntoIterator<Item = Event>) -> Result<(), PublishFailed> {
        for event in events {
            self.hold(event).await?;
            let unsent: usize = self.held.iter().skip(self.sent).map(Bytes::len).sum();
            if unsent >= limits::PUBLISH_WRITE {
                self.send_on().await?;
            }
        }
        self.send_on().await
    }

    /// Waits until everything given is settled.
    ///
    /// # Errors
    /// If nothing moves, or the producer is refused.
    pub async fn flush(&mut self) -> Result<(), PublishFailed> {
        self.run(|me| me.held.is_empty()).await
    }

    async fn hold(&mut self, event: Event) -> Result<(), PublishFailed> {
        let publish = pb::Publish { events: vec![event.into_inner()] };
        let len = publish.encoded_len();
        if len > vyre_proto::limits::RECORD_MAX {
            return Err(PublishFailed::TooLarge { len });
        }
        let record = record::to_record(&publish);
        self.run(|me| {
            let room = me.held.len() < limits::WINDOW_EVENTS && me.held_bytes + len <= limits::WINDOW_BYTES;
            room || me.held.is_empty()
        })
        .await?;
        self.held_bytes += record.len();
        self.held.push_back(record);
        self.progress.given += 1;
        Ok(())
    }

    /// Writes what is held and not on the line.
    async fn send_on(&mut self) -> Result<(), PublishFailed> {
        self.run(|me| me.line.is_some() && me.sent == me.held.len()).await
    }

    /// Connects, writes and reads until `done`.
    async fn run(&mut self, done: impl Fn(&Self) -> bool) -> Result<(), PublishFailed> {
        let mut settled = self.progress.settled;
        let mut moved = Instant::now();
        let mut last = String::from("no answer");
        while !done(self) {
            if self.progress.settled > settled {
                settled = self.progress.settled;
                moved = Instant::now();
            }
            if moved.elapsed() > limits::PUBLISH_STALL {
                return Err(PublishFailed::Stalled { unsettled: self.held.len(), last });
            }
            match self.step().await {
                Ok(()) => {}
                Err(CallError::Refused { code, message, .. }) if is_final(code) => {
                    return Err(PublishFailed::Refused { code, message });
                }
                Err(e) => {
                    self.doubt |= self.line.is_some() && matches!(e, CallError::TimedOut);
                    last = e.to_string();
                    let after =
                        if let CallError::Refused { retry_after, .. } = &e { *retry_after } else { Default::default() };
                    self.hang_up();
                    let wait = self.backoff.next_wait();
                    sleep(wait.max(after.min(limits::PUBLISH_STALL))).await;
                }
            }
        }
        Ok(())
    }

    fn hang_up(&mut self) {
        (self.sent, self.sent_bytes) = (0, 0);
        if let Some(line) = self.line.take() {
            self.window = limits::PUBLISH_WINDOW_MIN;
            self.backoff.stream_ended(line.since.elapsed(), line.settled_any);
        }
    }

    /// One of: a line, a write, an answer.
    async fn step(&mut self) -> Result<(), CallError> {
        let Some(line) = &mut self.line else {
            (self.sent, self.sent_bytes) = (0, 0);
            // Without a borrow of this, which a task could not hold while it waits.
            let ways = self.ways.clone();
            let (wire, decoder) = ways.publish(self.doubt).await?;
            self.doubt = false;
            let base = self.progress.settled;
            self.line = Some(Line { wire, decoder, since: Instant::now(), base, settled_any: false });
            return Ok(());
        };
        if self.sent == self.held.len() || (self.sent > 0 && self.sent_bytes >= self.window) {
            let path = line.path();
            let answer = timeout(limits::PUBLISH_SILENCE, over(path, line.read()));
            let published = answer.await.map_err(|_| CallError::TimedOut)??;
            return self.settle(published);
        }
        let mut out = BytesMut::new();
        let mut sent = self.sent;
        let most = limits::PUBLISH_WRITE.min(self.window.saturating_sub(self.sent_bytes));
        while let Some(record) = self.held.get(sent).filter(|r| out.is_empty() || out.len() + r.len() <= most) {
            out.extend_from_slice(record);
            sent += 1;
        }
        // If this is dropped half-way, the line is gone with it and everything goes again.
        let Some(mut line) = self.line.take() else { return Ok(()) };
        let len = out.len();
        let path = line.path();
        let written = timeout(limits::WRITE, over(path, line.write(out.freeze()))).await;
        let written = written.unwrap_or(Err(CallError::TimedOut));
        self.line = Some(line);
        written?;
        (self.sent, self.sent_bytes) = (sent, self.sent_bytes + len);
        Ok(())
    }

    fn settle(&mut self, published: pb::Published) -> Result<(), CallError> {
        let Some(line) = &mut self.line else { return Ok(()) };
        let upto = line.base.saturating_add(published.upto);
        let on_line = self.progress.settled + self.sent as u64;
        if upto < self.progress.settled || upto > on_line {
            return Err(CallError::NotABox);
        }
        line.settled_any = true;
        let base = line.base;
        for _ in self.progress.settled..upto {
            let len = self.held.pop_front().map_or(0, |r| r.len());
            self.held_bytes -= len;
            self.sent = self.sent.saturating_sub(1);
            self.sent_bytes = self.sent_bytes.saturating_sub(len);
        }
        self.window = self.window.saturating_mul(2).min(limits::WINDOW_BYTES);
        self.progress.settled = upto;
        self.progress.accepted += published.accepted;
        self.progress.duplicates += published.duplicates;
        self.progress.refused += published.refused.len() as u64;
        for r in published.refused {
            if self.refused.len() < limits::REFUSED_MAX {
                let e = r.error.unwrap_or_default();
                let (code, message) = (e.code(), e.message);
                self.refused.push(RefusedEvent { index: base.saturating_add(r.index), code, message });
            }
        }
        Ok(())
    }
}

impl Ways {
    async fn publish(&self, fresh: bool) -> Result<(Wire, Decoder), CallError> {
        let (way, fresh) = self.path(fresh).await?;
        way.publish(fresh).await
    }
}

impl Way {
    /// A line for a producer: QUIC, and a WebSocket where QUIC cannot be had. `fresh`: not on a connection that is open.
    async fn publish(&self, fresh: bool) -> Result<(Wire, Decoder), CallError> {
        let (quic, web) = self.sides();
        let quic = match quic {
            None => Err(CallError::silent()),
            Some(quic) => {
                let want = pb::stream_head::Want::Publish(pb::Publishing {});
                let head = pb::StreamHead { v: 1, bearer: self.token().secret().to_owned(), want: Some(want) };
                match quic.start(&head, &[], fresh, false).await {
                    Ok(s) => {
                        super::quic::accepted(s.answer)?;
                        let line = QuicLine { send: s.send, recv: s.recv, connection: s.connection };
                        return Ok((Wire::Quic(Box::new(line)), s.decoder));
                    }
                    Err(e) => Err(e),
                }
            }
        };
        match (web, quic) {
            (Some(web), Err(CallError::Unreachable(_) | CallError::TimedOut | CallError::NoAnswer)) => {
                Ok((Wire::Web(Box::new(web.publish(self.token()).await?)), Decoder::new()))
            }
            (_, answer) => answer,
        }
    }
}

impl Line {
    /// The connection whose packets tell whether the path lives; a WebSocket has the kernel to tell.
    fn path(&self) -> Option<quinn::Connection> {
        match &self.wire {
            Wire::Web(_) => None,
            Wire::Quic(q) => Some(q.connection.clone()),
        }
    }

    async fn write(&mut self, bytes: Bytes) -> Result<(), CallError> {
        match &mut self.wire {
            Wire::Web(ws) => {
                // A box reads no longer message than a record; a piece is one, or shorter.
                ws.send(Message::Binary(bytes)).await.map_err(|_| CallError::NoAnswer)
            }
            Wire::Quic(q) => q.send.write_chunk(bytes).await.map_err(|_| CallError::NoAnswer),
        }
    }

    /// The next answer. May be dropped: half a record waits.
    async fn read(&mut self) -> Result<pb::Published, CallError> {
        loop {
            if let Some(record) = self.decoder.next().map_err(|_| CallError::NotABox)? {
                return pb::Published::decode(record).map_err(|_| CallError::NotABox);
            }
            match &mut self.wire {
                Wire::Web(ws) => match poll_fn(|cx| Pin::new(&mut **ws).poll_next(cx)).await {
                    Some(Ok(Message::Binary(bytes))) => self.decoder.push(&bytes),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    _ => return Err(CallError::NoAnswer),
                },
                Wire::Quic(q) => match q.recv.read_chunk(limits::WS_BUFFER, true).await {
                    Ok(Some(chunk)) => self.decoder.push(&chunk.bytes),
                    Ok(None) => return Err(CallError::NoAnswer),
                    Err(e) => return Err(super::quic::of_read(&e)),
                },
            }
        }
    }
}

/// Waits for something over this path, or until the path has died.
async fn over<T>(
    path: Option<quinn::Connection>,
    what: impl Future<Output = Result<T, CallError>>,
) -> Result<T, CallError> {
    tokio::select! {
        biased;
        done = what => done,
        () = silent(path) => Err(CallError::TimedOut),
    }
}

/// Resolves when the path has died: what asks for a packet was sent, and none has come for [`limits::PATH_SILENCE`].
///
/// Silence alone says nothing. Where all was sent and acknowledged and the box takes its time, nobody has a packet to send.
async fn silent(path: Option<quinn::Connection>) {
    let Some(path) = path else { return pending().await };
    let packets = || path.stats().udp_rx.datagrams;
    let (mut heard, mut since, mut asked) = (packets(), Instant::now(), false);
    while !asked || since.elapsed() < limits::PATH_SILENCE {
        sleep(limits::PATH_LOOK).await;
        let now = packets();
        if now != heard {
            (heard, since, asked) = (now, Instant::now(), false);
        } else if !asked && since.elapsed() >= limits::PATH_QUIET {
            (since, asked) = (Instant::now(), super::quic::elicit(&path));
        }
    }
}

/// What no other attempt would change.
fn is_final(code: pb::ErrorCode) -> bool {
    match code {
        pb::ErrorCode::Denied
        | pb::ErrorCode::Unauthenticated
        | pb::ErrorCode::Invalid
        | pb::ErrorCode::NotFound
        | pb::ErrorCode::TooLarge => true,
        pb::ErrorCode::Internal | pb::ErrorCode::Conflict | pb::ErrorCode::RateLimited | pb::ErrorCode::Unavailable => {
            false
        }
    }
}

impl std::fmt::Debug for Publisher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Publisher({:?})", self.progress)
    }
}
