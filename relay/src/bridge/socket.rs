//! A phone on a WebSocket, its box on a QUIC stream.
//!
//! Binary messages are cut where the pieces end; their concatenation is what the box sent. A WebSocket cannot end in
//! one direction alone: a box's FIN closes it with 1000 once everything before is written, and what the phone still
//! sends until it answers is carried up; a phone's close is a FIN towards the box. A box that only stops reading, with
//! the code of "done", has what comes thrown away and goes on writing. Other codes map by the one table of endings.

use std::array;
use std::future::poll_fn;
use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use bytes::BytesMut;
use futures_util::FutureExt;
use futures_util::SinkExt;
use futures_util::StreamExt;
use futures_util::stream::SplitSink;
use futures_util::stream::SplitStream;
use quinn::ReadError;
use quinn::RecvStream;
use quinn::SendStream;
use quinn::VarInt;
use quinn::WriteError;
use tokio::io::AsyncRead;
use tokio::io::AsyncWrite;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use vyre_proto::head::End;
use vyre_proto::limits::RECORD_MAX;

use super::BATCH;
use super::Halves;
use super::Terms;
use super::behind::Direction;
use super::end_of;
use super::gauge::Gauge;
use super::gauge::Gauged;

/// How long a phone may take to answer a close.
pub const CLOSE_LIMIT: Duration = Duration::from_secs(5);

/// Longest message from a phone: a record and its prefix, and some more in one message.
const MESSAGE_MAX: usize = RECORD_MAX + 64 * 1024;

/// What a phone may have sent of a message without being counted as one that is behind.
const PART_MAX: usize = 16 * 1024;

/// Buffers of a socket. Small, because most sockets are idle.
fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(4 * 1024)
        .write_buffer_size(4 * 1024)
        .max_write_buffer_size(256 * 1024)
        .max_message_size(Some(MESSAGE_MAX))
        .max_frame_size(Some(MESSAGE_MAX))
}

/// What ended it.
#[derive(Debug, Clone, Copy)]
enum Over {
    /// The phone closed, with this end.
    Phone(End),
    /// The phone broke the rules, or the relay goes.
    Breach(End),
    /// The phone is gone without a word, or took nothing for too long.
    Gone(End),
    /// The phone is behind, and memory is used up.
    Shed,
    /// The box has said all.
    Fin,
    /// The box cut it.
    Cut(VarInt),
    /// The connection of the box broke.
    BoxLost,
}

/// Copies until it is over, and says how. `rest` came from the box behind its answer and goes first. When
/// `closing` resolves, the phone is told of a restart.
pub async fn socket<S>(
    io: S,
    at_box: &mut Halves,
    rest: Bytes,
    terms: Terms<'_>,
    box_lost: impl Fn() -> End,
    closing: impl Future<Output = ()>,
) -> End
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (io, part) = Gauged::new(io);
    let ws = WebSocketStream::from_raw_socket(io, Role::Server, Some(config())).await;
    let (mut sink, mut stream) = ws.split();
    let over = {
        let Halves { send, recv } = &mut *at_box;
        let mut up = pin!(up(&mut stream, &part, send, terms));
        let over = tokio::select! {
            over = &mut up => over,
            over = down(recv, &mut sink, rest, terms) => over,
            () = closing => Over::Breach(End::Restart),
        };
        if let Over::Fin = over {
            let _ = timeout(CLOSE_LIMIT, close(&mut sink, End::Done)).await;
            match timeout(CLOSE_LIMIT, up).await {
                Ok(Over::Breach(end)) => Over::Breach(end),
                _ => over,
            }
        } else {
            over
        }
    };
    let end = match over {
        Over::Phone(end) | Over::Breach(end) | Over::Gone(end) => end,
        Over::Fin => End::Done,
        Over::Shed => End::Slow,
        Over::Cut(code) => end_of(code),
        Over::BoxLost => box_lost(),
    };
    match over {
        Over::Phone(End::Done) | Over::Fin => {
            at_box.send.settle(terms.stall).await;
            at_box.cut(End::Done);
        }
        Over::Cut(code) => at_box.cut_with(code),
        Over::Phone(_) | Over::Breach(_) | Over::Gone(_) | Over::Shed | Over::BoxLost => at_box.cut(end),
    }
    match over {
        // The answer to the phone's close is on its way; flushing sends it.
        Over::Phone(_) => drop(timeout(CLOSE_LIMIT, sink.flush()).await),
        Over::Breach(_) | Over::Cut(_) | Over::BoxLost => {
            let polite = async {
                close(&mut sink, end).await;
                // Until the phone has answered: a socket that is closed with bytes unread is reset, and the reset would
                // overtake the close.
                while let Some(Ok(_)) = stream.next().await {}
            };
            drop(timeout(CLOSE_LIMIT, polite).await);
        }
        // A close would wait behind what it does not read.
        Over::Fin | Over::Shed => {}
        Over::Gone(End::Slow) => terms.metrics.stalls.add_one(),
        Over::Gone(_) => {}
    }
    end
}

async fn close<S: AsyncRead + AsyncWrite + Unpin>(sink: &mut SplitSink<WebSocketStream<S>, Message>, end: End) {
    let frame = CloseFrame { code: end.ws().into(), reason: end.ws_reason().into() };
    let _ = sink.send(Message::Close(Some(frame))).await;
}

async fn up<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut SplitStream<WebSocketStream<S>>,
    part: &Gauge,
    send: &mut SendStream,
    terms: Terms<'_>,
) -> Over {
    let mut direction = terms.readers.direction();
    let mut stopped = pin!(send.stopped());
    let mut unwanted = false;
    loop {
        let cut = direction.cut(terms.metrics);
        let next = poll_fn(|cx| {
            let next = stream.poll_next_unpin(cx);
            if next.is_pending() && part.get() > PART_MAX {
                direction.holds(part.get());
            }
            next
        });
        let message = tokio::select! {
            biased;
            message = next => message,
            () = cut => return Over::Shed,
            stop = &mut stopped, if !unwanted => match stop {
                Ok(Some(code)) if code.into_inner() != End::Done.code() => return Over::Cut(code),
                Ok(_) => {
                    unwanted = true;
                    continue;
                }
                Err(_) => return Over::BoxLost,
            },
        };
        match &message {
            // These come in the middle of others and end none. Their head and mask are six bytes.
            Some(Ok(Message::Ping(said) | Message::Pong(said))) => part.less(6 + said.len()),
            _ => part.clear(),
        }
        match message {
            Some(Ok(Message::Binary(_))) if unwanted => direction.caught_up(),
            Some(Ok(Message::Binary(piece))) => {
                terms.metrics.bytes_to_box.add(piece.len() as u64);
                match write(send, piece, terms, &mut direction).await {
                    Ok(()) => {}
                    Err(Some(Over::Cut(code))) if code.into_inner() == End::Done.code() => unwanted = true,
                    Err(over) => return over.unwrap_or(Over::BoxLost),
                }
            }
            // Pings are answered below this.
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
            Some(Ok(Message::Text(_))) => return Over::Breach(End::NotBinary),
            Some(Ok(Message::Close(None))) => return Over::Phone(End::Done),
            Some(Ok(Message::Close(Some(frame)))) => {
                return Over::Phone(End::from_ws(frame.code.into(), frame.reason.as_str()));
            }
            Some(Err(Error::Capacity(_))) => return Over::Breach(End::TooLarge),
            Some(Err(Error::Protocol(e))) => {
                use tokio_tungstenite::tungstenite::error::ProtocolError;
                return match e {
                    ProtocolError::ResetWithoutClosingHandshake => Over::Gone(End::Lost),
                    _ => Over::Breach(End::Invalid),
                };
            }
            Some(Err(Error::Utf8(_))) => return Over::Breach(End::NotBinary),
            Some(Err(Error::Io(e))) if e.kind() == std::io::ErrorKind::TimedOut => return Over::Gone(End::Slow),
            Some(Err(_)) | None => return Over::Gone(End::Lost),
        }
    }
}

/// Writes all of it. `Err(None)`: the connection is gone.
async fn write(
    send: &mut SendStream,
    piece: Bytes,
    terms: Terms<'_>,
    direction: &mut Direction,
) -> Result<(), Option<Over>> {
    let mut left = [piece];
    while left.iter().any(|p| !p.is_empty()) {
        let written = match send.write_chunks(&mut left).now_or_never() {
            Some(written) => Ok(written),
            None => {
                direction.holds(left.iter().map(Bytes::len).sum());
                tokio::select! {
                    written = timeout(terms.stall, send.write_chunks(&mut left)) => written,
                    () = direction.cut(terms.metrics) => return Err(Some(Over::Cut(super::code(End::Slow)))),
                }
            }
        };
        match written {
            Ok(Ok(_)) => {}
            Ok(Err(WriteError::Stopped(code))) => return Err(Some(Over::Cut(code))),
            Ok(Err(_)) => return Err(None),
            // Here it is the box that takes nothing.
            Err(_) => return Err(Some(Over::Cut(super::code(End::Slow)))),
        }
    }
    direction.caught_up();
    Ok(())
}

async fn down<S: AsyncRead + AsyncWrite + Unpin>(
    recv: &mut RecvStream,
    sink: &mut SplitSink<WebSocketStream<S>, Message>,
    rest: Bytes,
    terms: Terms<'_>,
) -> Over {
    let mut direction = terms.readers.direction();
    let gone = |e: Error| match e {
        Error::Io(e) if e.kind() == std::io::ErrorKind::TimedOut => Over::Gone(End::Slow),
        _ => Over::Gone(End::Lost),
    };
    let mut pieces: [Bytes; BATCH] = array::from_fn(|_| Bytes::new());
    let mut message = rest;
    loop {
        if !message.is_empty() {
            terms.metrics.bytes_from_box.add(message.len() as u64);
            // Sent means flushed. Whatever was there has been read, so nothing that could go along is left behind.
            let mut sending = pin!(sink.send(Message::Binary(message)));
            let sent = match sending.as_mut().now_or_never() {
                Some(sent) => sent,
                None => {
                    direction.falls_behind();
                    tokio::select! {
                        sent = sending => sent,
                        () = direction.cut(terms.metrics) => return Over::Shed,
                    }
                }
            };
            if let Err(e) = sent {
                return gone(e);
            }
        }
        let read = match recv.read_chunks(&mut pieces).now_or_never() {
            Some(read) => read,
            None => {
                direction.caught_up();
                recv.read_chunks(&mut pieces).await
            }
        };
        message = match read {
            Ok(Some(n)) => join(pieces.get_mut(..n).unwrap_or_default()),
            Ok(None) => return Over::Fin,
            Err(ReadError::Reset(code)) => return Over::Cut(code),
            Err(_) => return Over::BoxLost,
        };
    }
}

/// Several pieces as one message: a header and a write less for each.
fn join(pieces: &mut [Bytes]) -> Bytes {
    if let [one] = pieces {
        return std::mem::take(one);
    }
    let mut all = BytesMut::with_capacity(pieces.iter().map(Bytes::len).sum());
    for piece in pieces {
        all.extend_from_slice(&std::mem::take(piece));
    }
    all.freeze()
}
