//! Plain calls and server-sent events: a request up, an answer down, both as they come.
//!
//! The request's body and the answer's body move at once, driven by whoever reads the answer, so a call needs no task
//! of its own, and a phone that stops reading stops the box.

use std::io;
use std::pin::Pin;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::stream;
use http_body_util::BodyExt;
use http_body_util::StreamBody;
use hyper::Response;
use hyper::StatusCode;
use hyper::body::Frame;
use hyper::body::Incoming;
use hyper::header::HeaderName;
use hyper::header::HeaderValue;
use quinn::ReadError;
use quinn::RecvStream;
use tokio::time::timeout;
use vyre_proto::head::BRIDGED_MAX;
use vyre_proto::head::Bridged;
use vyre_proto::head::BridgedReply;
use vyre_proto::head::Carried;
use vyre_proto::head::End;
use vyre_proto::ids::BoxId;
use vyre_proto::record::Decoder;

use super::Body;
use super::Phone;
use super::refusal;
use crate::bridge::Halves;
use crate::bridge::RecvHalf;
use crate::bridge::SendHalf;
use crate::bridge::behind::Direction;
use crate::bridge::end_of;
use crate::hub::BoxLink;
use crate::hub::Hub;
use crate::hub::Opened;
use crate::hub::Permit;

/// How long a box may take to answer a call. A call that stores something waits for a disk.
const REPLY_LIMIT: Duration = Duration::from_secs(30);

/// Most of an answer that is taken at once.
const PIECE: usize = 64 * 1024;

/// Headers of an answer that go out.
const LET_OUT: &[&str] = &[
    "access-control-allow-headers",
    "access-control-allow-methods",
    "access-control-allow-origin",
    "access-control-expose-headers",
    "access-control-max-age",
    "cache-control",
    "content-encoding",
    "content-length",
    "content-type",
    "etag",
    "retry-after",
    "vary",
    "www-authenticate",
];

/// A request's body on its way up.
type Upload = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What comes down from a box, and what has to live as long.
pub(super) struct Down {
    recv: RecvHalf,
    link: Arc<BoxLink>,
    /// Behind from a piece on until the next is asked for and not there.
    direction: Direction,
    hub: Arc<Hub>,
    /// How it ended, as far as is known: a phone that goes away says nothing.
    end: End,
    /// Given back last.
    _permit: Permit,
}

impl Drop for Down {
    fn drop(&mut self) {
        self.recv.end = self.end;
        self.hub.metrics.ended.add_one(self.end);
    }
}

/// Opens a stream to a box for a request.
pub(super) async fn open(
    id: &BoxId,
    carried: Carried,
    phone: &Phone,
    hub: &Arc<Hub>,
) -> Result<Opened, Response<Body>> {
    let bridged = Bridged { carried, peer: Some(phone.peer), early: false };
    hub.open(id, &bridged, Bytes::new()).await.map_err(refusal)
}

/// Reads a box's answer, and what came right behind it.
pub(super) async fn reply(recv: &mut RecvStream, link: &BoxLink) -> Result<(BridgedReply, Bytes), End> {
    timeout(REPLY_LIMIT, read_reply(recv, link)).await.unwrap_or(Err(End::Slow))
}

async fn read_reply(recv: &mut RecvStream, link: &BoxLink) -> Result<(BridgedReply, Bytes), End> {
    let mut decoder = Decoder::with_max(BRIDGED_MAX);
    loop {
        match decoder.next() {
            Ok(Some(record)) => {
                let reply = BridgedReply::decode(&record).map_err(|_| End::Invalid)?;
                return Ok((reply, decoder.into_rest()));
            }
            Ok(None) => {}
            Err(_) => return Err(End::Invalid),
        }
        match recv.read_chunk(16 * 1024, true).await {
            Ok(Some(chunk)) => decoder.push(&chunk.bytes),
            Ok(None) => return Err(End::Invalid),
            Err(ReadError::Reset(code)) => return Err(end_of(code)),
            Err(_) => return Err(link.lost()),
        }
    }
}

/// Carries a call.
pub(super) async fn call(
    body: Incoming,
    id: &BoxId,
    carried: Carried,
    phone: &Phone,
    hub: &Arc<Hub>,
    stall: Duration,
) -> Result<Response<Body>, Response<Body>> {
    let Opened { at_box, link, permit, readers } = open(id, carried, phone, hub).await?;
    let direction = readers.direction_of(phone.cut.clone());
    let Halves { send, recv } = at_box;
    let mut down = Down { recv, link, direction, hub: hub.clone(), end: End::Cancelled, _permit: permit };
    let mut upload: Option<Upload> = Some(Box::pin(pump(body, send, hub.clone(), stall)));
    let replied = {
        let mut replied = pin!(reply(&mut down.recv, &down.link));
        loop {
            tokio::select! {
                biased;
                replied = &mut replied => break replied,
                () = drive(&mut upload) => upload = None,
            }
        }
    };
    match replied {
        Ok((reply, rest)) => Ok(answer(&reply, rest, down, upload)),
        Err(end) => {
            down.end = end;
            Err(refusal(end))
        }
    }
}

/// The box has refused to switch: its answer goes out as it would to a plain call.
pub(super) fn refused_upgrade(
    reply: &BridgedReply,
    rest: Bytes,
    opened: Opened,
    phone: &Phone,
    hub: &Arc<Hub>,
) -> Response<Body> {
    let Opened { at_box, link, permit, readers } = opened;
    let direction = readers.direction_of(phone.cut.clone());
    let Halves { mut send, recv } = at_box;
    let _ = send.finish();
    answer(reply, rest, Down { recv, link, direction, hub: hub.clone(), end: End::Cancelled, _permit: permit }, None)
}

fn answer(reply: &BridgedReply, rest: Bytes, mut down: Down, upload: Option<Upload>) -> Response<Body> {
    let status = StatusCode::from_u16(reply.status()).ok().filter(|s| *s != StatusCode::SWITCHING_PROTOCOLS);
    let Some(status) = status else {
        down.end = End::Invalid;
        return refusal(End::Invalid);
    };
    let state = State { rest, down: Some(down), upload };
    let mut response = Response::new(StreamBody::new(stream::unfold(state, step)).boxed_unsync());
    *response.status_mut() = status;
    for header in reply.headers().iter().filter(|h| LET_OUT.contains(&h.name())) {
        if let (Ok(name), Ok(value)) =
            (HeaderName::from_bytes(header.name().as_bytes()), HeaderValue::from_str(header.value()))
        {
            response.headers_mut().append(name, value);
        }
    }
    response
}

struct State {
    rest: Bytes,
    down: Option<Down>,
    upload: Option<Upload>,
}

/// The next piece of an answer's body; the request's body moves meanwhile.
async fn step(mut state: State) -> Option<(io::Result<Frame<Bytes>>, State)> {
    let mut down = state.down.take()?;
    let mut piece = std::mem::take(&mut state.rest);
    while piece.is_empty() {
        let read = match down.recv.read_chunk(PIECE, true).now_or_never() {
            Some(read) => read,
            None => {
                down.direction.caught_up();
                tokio::select! {
                    biased;
                    read = down.recv.read_chunk(PIECE, true) => read,
                    () = drive(&mut state.upload) => {
                        state.upload = None;
                        continue;
                    }
                }
            }
        };
        piece = match read {
            Ok(Some(chunk)) => chunk.bytes,
            Ok(None) => {
                down.end = End::Done;
                return None;
            }
            Err(e) => {
                down.end = match e {
                    ReadError::Reset(code) => end_of(code),
                    _ => down.link.lost(),
                };
                // The answer is cut: it must not look whole.
                return Some((Err(io::Error::other(down.end.sentence())), state));
            }
        };
    }
    down.hub.metrics.bytes_from_box.add(piece.len() as u64);
    down.direction.falls_behind();
    state.down = Some(down);
    Some((Ok(Frame::data(piece)), state))
}

async fn drive(upload: &mut Option<Upload>) {
    match upload {
        Some(upload) => upload.await,
        None => std::future::pending().await,
    }
}

/// Carries a request's body up.
async fn pump(mut body: Incoming, mut send: SendHalf, hub: Arc<Hub>, stall: Duration) {
    loop {
        let data = match timeout(stall, body.frame()).await {
            Ok(Some(Ok(frame))) => frame.into_data().unwrap_or_default(),
            Ok(None) => return send.settle(stall).await,
            Ok(Some(Err(_))) => return send.cut(End::Cancelled),
            Err(_) => return send.cut(End::Slow),
        };
        hub.metrics.bytes_to_box.add(data.len() as u64);
        let mut left = [data];
        while left.iter().any(|p| !p.is_empty()) {
            match timeout(stall, send.write_chunks(&mut left)).await {
                Ok(Ok(_)) => {}
                // The box needs no more of it, or is gone; its answer says which.
                Ok(Err(_)) => return,
                Err(_) => return send.cut(End::Slow),
            }
        }
    }
}
