//! Carriers: where the bytes of an opened stream come from, whatever brought them.
//!
//! A carrier is polled and gives bytes as they come, cut anywhere; putting records together is not its business, so
//! nothing is lost when a poll is abandoned.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::pin::pin;
use std::task::Context;
use std::task::Poll;
use std::task::ready;
use std::time::Duration;

use bytes::Buf;
use bytes::Bytes;
use bytes::BytesMut;
use futures_util::Sink;
use futures_util::Stream;
use quinn::ReadError;
use quinn::RecvStream;
use quinn::SendStream;
use tokio::time::Sleep;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use vyre_proto::head::End;
use vyre_proto::pb::stream::ErrorCode;
use vyre_proto::resume::Ending;

use super::limits;
use super::web::Socket;

/// By which path a stream comes, for the eyes of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// A WebSocket to the box itself.
    Lan,
    /// QUIC to the box itself.
    Quic,
    /// QUIC through a relay.
    Relay,
    /// A WebSocket through a relay.
    RelayWeb,
}

impl fmt::Display for Via {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lan => "lan",
            Self::Quic => "quic",
            Self::Relay => "relay",
            Self::RelayWeb => "relay, websocket",
        })
    }
}

/// What came.
pub(super) enum Came {
    /// Bytes of the record stream.
    Bytes(Bytes),
    /// A sign of life and no bytes.
    Life,
    /// No more of it.
    End(Ending),
}

/// An opened stream of records.
pub(super) struct Carrier {
    pub via: Via,
    wire: Wire,
    probe: Probe,
    /// On a WebSocket: something was written that has not gone out yet.
    flushing: bool,
}

enum Wire {
    Web(Box<WebSocketStream<Socket>>),
    Quic(Box<Quic>),
}

struct Quic {
    /// `None`: nothing is said on it any more.
    send: Option<SendStream>,
    recv: RecvStream,
    connection: quinn::Connection,
}

enum Probe {
    None,
    /// To be sent.
    Due,
    /// On QUIC: packets seen before it went, and when to look again.
    Out {
        packets: u64,
        look: Pin<Box<Sleep>>,
    },
}

impl Carrier {
    pub fn web(via: Via, socket: WebSocketStream<Socket>) -> Self {
        Self { via, wire: Wire::Web(Box::new(socket)), probe: Probe::None, flushing: false }
    }

    pub fn quic(via: Via, recv: RecvStream, connection: quinn::Connection) -> Self {
        Self {
            via,
            wire: Wire::Quic(Box::new(Quic { send: None, recv, connection })),
            probe: Probe::None,
            flushing: false,
        }
    }

    /// A stream of QUIC that is written to as well.
    pub fn both_ways(via: Via, send: SendStream, recv: RecvStream, connection: quinn::Connection) -> Self {
        Self {
            via,
            wire: Wire::Quic(Box::new(Quic { send: Some(send), recv, connection })),
            probe: Probe::None,
            flushing: false,
        }
    }

    /// Writes from the front of `out`. `false`: it takes nothing any more.
    pub fn poll_write(&mut self, cx: &mut Context<'_>, out: &mut BytesMut) -> Poll<bool> {
        match &mut self.wire {
            Wire::Web(ws) => {
                let mut ws = Pin::new(&mut **ws);
                if ready!(ws.as_mut().poll_ready(cx)).is_err() {
                    return Poll::Ready(false);
                }
                let message = out.split_to(out.len().min(limits::WS_MESSAGE)).freeze();
                let sent = ws.as_mut().start_send(Message::Binary(message));
                self.flushing = true;
                Poll::Ready(sent.is_ok())
            }
            Wire::Quic(q) => {
                let Some(send) = &mut q.send else { return Poll::Ready(false) };
                match ready!(Pin::new(send).poll_write(cx, out)) {
                    Ok(n) => {
                        out.advance(n);
                        Poll::Ready(true)
                    }
                    Err(_) => Poll::Ready(false),
                }
            }
        }
    }

    /// Makes the other side answer; [`Came::Life`] when it does.
    pub fn probe(&mut self) {
        self.probe = Probe::Due;
    }

    /// The next thing that came. After [`Came::End`] it is of no use any more.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Came> {
        if let Poll::Ready(came) = self.poll_probe(cx) {
            return Poll::Ready(came);
        }
        match &mut self.wire {
            Wire::Web(ws) => loop {
                if self.flushing && Pin::new(&mut **ws).poll_flush(cx).is_ready() {
                    self.flushing = false;
                }
                let message = match ready!(Pin::new(&mut **ws).poll_next(cx)) {
                    Some(Ok(m)) => m,
                    Some(Err(_)) | None => return Poll::Ready(Came::End(Ending::Broken)),
                };
                return Poll::Ready(match message {
                    Message::Binary(bytes) if bytes.is_empty() => continue,
                    Message::Binary(bytes) => Came::Bytes(bytes),
                    Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => Came::Life,
                    Message::Text(_) => Came::End(Ending::Broken),
                    Message::Close(None) => Came::End(Ending::Broken),
                    Message::Close(Some(c)) => Came::End(ending_of(End::from_ws(c.code.into(), &c.reason))),
                });
            },
            Wire::Quic(q) => {
                let read = ready!(pin!(q.recv.read_chunk(limits::WS_BUFFER, true)).poll(cx));
                Poll::Ready(match read {
                    Ok(Some(chunk)) => Came::Bytes(chunk.bytes),
                    Ok(None) => Came::End(Ending::Broken),
                    Err(e) => Came::End(ending_of_read(&e)),
                })
            }
        }
    }

    fn poll_probe(&mut self, cx: &mut Context<'_>) -> Poll<Came> {
        match (&mut self.probe, &mut self.wire) {
            (Probe::None, _) => return Poll::Pending,
            (Probe::Due, Wire::Web(ws)) => {
                let mut ws = Pin::new(&mut **ws);
                // A socket that takes nothing is not waited for: its silence will tell.
                if let Poll::Ready(Ok(())) = ws.as_mut().poll_ready(cx) {
                    let sent = ws.as_mut().start_send(Message::Ping(Bytes::new()));
                    let _ = ws.poll_flush(cx);
                    self.probe = Probe::None;
                    if sent.is_err() {
                        return Poll::Ready(Came::End(Ending::Broken));
                    }
                }
                return Poll::Pending;
            }
            (Probe::Due, Wire::Quic(q)) => {
                let packets = q.connection.stats().udp_rx.datagrams;
                // Its acknowledgement is the answer.
                super::quic::elicit(&q.connection);
                self.probe = Probe::Out { packets, look: Box::pin(tokio::time::sleep(limits::PROBE_LOOK)) };
            }
            (Probe::Out { .. }, _) => {}
        }
        let (Probe::Out { packets, look }, Wire::Quic(q)) = (&mut self.probe, &self.wire) else { return Poll::Pending };
        loop {
            if q.connection.stats().udp_rx.datagrams > *packets {
                self.probe = Probe::None;
                return Poll::Ready(Came::Life);
            }
            ready!(look.as_mut().poll(cx));
            look.as_mut().reset(tokio::time::Instant::now() + limits::PROBE_LOOK);
        }
    }
}

/// What the end of a running stream or a refused dial means for whoever reads: another attempt, now or later.
pub(super) fn ending_of(end: End) -> Ending {
    match end {
        End::Overload | End::Restart => {
            Ending::Later { code: ErrorCode::Unavailable, retry_after: Duration::from_millis(250) }
        }
        End::Away => Ending::Later { code: ErrorCode::Unavailable, retry_after: Duration::ZERO },
        End::Done
        | End::Cancelled
        | End::Invalid
        | End::NotBinary
        | End::TooLarge
        | End::Unauthenticated
        | End::Denied
        | End::NotFound
        | End::Slow
        | End::Replaced
        | End::Lost
        | End::Internal => Ending::Broken,
    }
}

/// The same for a QUIC stream that cannot be read.
pub(super) fn ending_of_read(e: &ReadError) -> Ending {
    let code = match e {
        ReadError::Reset(code) => Some(*code),
        ReadError::ConnectionLost(quinn::ConnectionError::ApplicationClosed(c)) => Some(c.error_code),
        _ => None,
    };
    code.and_then(|c| End::from_code(c.into_inner())).map_or(Ending::Broken, ending_of)
}
