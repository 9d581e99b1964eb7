//! One native stream: its head, the door, then frames, calls or events. And whatever a relay carried here.
//!
//! Streams straight from a phone and streams through a relay meet in [`direct`]: what a relay carries natively is the
//! same bytes. A WebSocket or a call that it carries comes with its request taken apart, and goes where those of the
//! box's own listener go, to [`answer`].

use std::future::Future;
use std::pin::Pin;
use std::pin::pin;

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::Method;
use hyper::header::HeaderName;
use hyper::header::HeaderValue;
use prost::Message;
use quinn::Chunk;
use quinn::ReadError;
use quinn::RecvStream;
use quinn::SendStream;
use quinn::VarInt;
use quinn::WriteError;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio::time::sleep_until;
use tokio::time::timeout;
use vyre_proto::head;
use vyre_proto::head::Bridged;
use vyre_proto::head::BridgedReply;
use vyre_proto::head::Carried;
use vyre_proto::head::End;
use vyre_proto::head::FIRST_RECORD_LIMIT;
use vyre_proto::head::Header;
use vyre_proto::ids::ClientId;
use vyre_proto::ids::LogId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::stream_answer::Answer as HeadAnswer;
use vyre_proto::pb::stream::stream_head::Want;
use vyre_proto::record::Decoder;
use vyre_proto::record::to_record;

use crate::edge::guard::Doors;
use crate::edge::patience::WRITE_PATIENCE;
use crate::edge::pipe::Duplex;
use crate::edge::pipe::Exchanged;
use crate::edge::pipe::Pipe;
use crate::edge::pipe::end_of;
use crate::edge::publish;
use crate::edge::request::ALWAYS;
use crate::edge::request::Ask;
use crate::edge::request::Body;
use crate::edge::request::Reply;
use crate::edge::request::Upgrade;
use crate::edge::request::answer;
use crate::edge::sse::EventStream;
use crate::edge::term;
use crate::edge::uplink::BridgedHandler;
use crate::rules::authority::Act;
use crate::rules::caller::Caller;
use crate::rules::ticket;
use crate::rules::ticket::Shown;
use crate::session::Asked;
use crate::session::AttachRequest;
use crate::session::Reader;
use crate::tools::CalledBy;
use crate::tools::Format;
use crate::tools::Via;
use crate::tools::error::ToolError;
use crate::tools::gate;
use crate::tools::stream;
use crate::tools::term as tools_term;
use crate::tools::term::Seat;
use crate::tools::term::Seated;

/// Longest head of a stream: a token, a ticket, a session's name.
const HEAD_MAX: usize = 4096;

/// Bytes that are read in one go.
const READ_MAX: usize = 64 * 1024;

/// Version of the stream head.
const HEAD_VERSION: u32 = 1;

/// What is known of the connection's handshake when a stream comes.
#[derive(Debug, Clone)]
pub enum Handshake {
    /// It is confirmed.
    Confirmed,
    /// The stream came in early data of this very connection, which says when it is confirmed.
    Early(watch::Receiver<bool>),
    /// A relay says that the head came early, and cannot say when it is confirmed.
    CarriedEarly,
}

impl Handshake {
    fn is_confirmed(&self) -> bool {
        match self {
            Handshake::Confirmed => true,
            Handshake::Early(confirmed) => *confirmed.borrow(),
            Handshake::CarriedEarly => false,
        }
    }

    /// Waits until whoever sends is known not to be a copy.
    async fn confirmed(&mut self) -> Result<(), ToolError> {
        let again = || ToolError::unavailable("this may not travel in early data; ask again on a confirmed connection");
        match self {
            Handshake::Confirmed => Ok(()),
            Handshake::CarriedEarly => Err(again()),
            Handshake::Early(confirmed) => {
                let known = timeout(FIRST_RECORD_LIMIT, confirmed.wait_for(|c| *c)).await;
                known.ok().and_then(Result::ok).map(|_| ()).ok_or_else(again)
            }
        }
    }
}

/// A QUIC stream, and what was read of it too far.
pub struct QuicPipe {
    send: SendStream,
    recv: RecvStream,
    rest: Bytes,
    /// When the peer is too slow that [`Duplex::exchange`] writes to.
    slow_at: Option<Instant>,
}

impl QuicPipe {
    fn new(send: SendStream, recv: RecvStream) -> Self {
        Self { send, recv, rest: Bytes::new(), slow_at: None }
    }

    /// Ends the stream both ways.
    fn end(mut self, end: End) {
        let code = VarInt::from_u64(end.code()).unwrap_or_default();
        // Each fails where the peer was first, and then there is nothing left to end.
        if end == End::Done {
            let _ = self.send.finish();
        } else {
            let _ = self.send.reset(code);
        }
        let _ = self.recv.stop(code);
    }

    /// The first record; what came behind it stays to be read.
    async fn first_record(&mut self, max: usize) -> Result<Bytes, End> {
        let mut decoder = Decoder::with_max(max);
        let record = timeout(FIRST_RECORD_LIMIT, async {
            loop {
                match decoder.next() {
                    Ok(Some(record)) => return Ok(record),
                    Ok(None) => {}
                    Err(e) => return Err(end_of(&ToolError::from(e))),
                }
                match self.read().await? {
                    Some(bytes) => decoder.push(&bytes),
                    None => return Err(End::Invalid),
                }
            }
        })
        .await
        .map_err(|_| End::Slow)??;
        self.rest = decoder.into_rest();
        Ok(record)
    }
}

impl Pipe for QuicPipe {
    async fn read(&mut self) -> Result<Option<Bytes>, End> {
        if !self.rest.is_empty() {
            return Ok(Some(std::mem::take(&mut self.rest)));
        }
        read_end(self.recv.read_chunk(READ_MAX, true).await)
    }

    async fn write(&mut self, records: Bytes) -> Result<(), End> {
        let mut left = [records];
        while !left[0].is_empty() {
            // Bytes that the peer's window takes are progress.
            match timeout(WRITE_PATIENCE, self.send.write_chunks(&mut left)).await {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => return Err(end_of_write(&error)),
                Err(_) => return Err(End::Slow),
            }
        }
        Ok(())
    }
}

impl Duplex for QuicPipe {
    async fn exchange(&mut self, out: &mut Bytes, read: bool) -> Result<Exchanged, End> {
        let writes = !out.is_empty();
        let slow_at = *self.slow_at.get_or_insert_with(|| Instant::now() + WRITE_PATIENCE);
        if !writes {
            self.slow_at = None;
        }
        if read && !self.rest.is_empty() {
            return Ok(Exchanged::Came(std::mem::take(&mut self.rest)));
        }
        // In no fixed order: a flood one way keeps nothing from going the other.
        tokio::select! {
            came = self.recv.read_chunk(READ_MAX, true), if read => {
                Ok(read_end(came)?.map_or(Exchanged::Ended, Exchanged::Came))
            }
            written = self.send.write_chunks(std::slice::from_mut(out)), if writes => {
                self.slow_at = None;
                written.map(|_| Exchanged::Wrote).map_err(|e| end_of_write(&e))
            }
            () = sleep_until(slow_at), if writes => Err(End::Slow),
        }
    }
}

fn read_end(read: Result<Option<Chunk>, ReadError>) -> Result<Option<Bytes>, End> {
    match read {
        Ok(chunk) => Ok(chunk.map(|c| c.bytes)),
        Err(ReadError::Reset(code)) => Err(End::from_code(code.into()).unwrap_or(End::Cancelled)),
        Err(ReadError::ConnectionLost(_)) => Err(End::Lost),
        Err(ReadError::ClosedStream | ReadError::IllegalOrderedRead | ReadError::ZeroRttRejected) => Err(End::Lost),
    }
}

fn end_of_write(error: &WriteError) -> End {
    match error {
        WriteError::Stopped(code) => End::from_code((*code).into()).unwrap_or(End::Cancelled),
        WriteError::ConnectionLost(_) | WriteError::ClosedStream | WriteError::ZeroRttRejected => End::Lost,
    }
}

/// Serves a native stream to its end.
pub async fn direct(doors: &Doors, send: SendStream, recv: RecvStream, handshake: Handshake) {
    native(doors, QuicPipe::new(send, recv), handshake, Via::Direct).await;
}

/// Serves what a relay carried here to its end.
pub async fn bridged(doors: &Doors, bridged: Bridged, send: SendStream, recv: RecvStream) {
    let Some(_guest) = doors.admit(None) else {
        return QuicPipe::new(send, recv).end(End::Overload);
    };
    let pipe = QuicPipe::new(send, recv);
    match bridged.carried {
        Carried::Quic => {
            let handshake = if bridged.early { Handshake::CarriedEarly } else { Handshake::Confirmed };
            native(doors, pipe, handshake, Via::Relay).await;
        }
        Carried::WebSocket(request) => carried(doors, request, true, pipe).await,
        Carried::Http(request) => carried(doors, request, false, pipe).await,
    }
}

impl BridgedHandler for Doors {
    async fn handle(&self, head: Bridged, send: SendStream, recv: RecvStream) {
        bridged(self, head, send, recv).await;
    }
}

async fn native(doors: &Doors, mut pipe: QuicPipe, mut handshake: Handshake, via: Via) {
    let end = match pipe.first_record(HEAD_MAX).await {
        Err(end) => end,
        Ok(record) => match wanted(doors, &record, &mut handshake, via).await {
            Ok((answer, wanted)) => match pipe.write(to_record(&answer)).await {
                Ok(()) => fulfil(doors, &mut pipe, wanted, via).await,
                Err(end) => end,
            },
            Err(error) => {
                let answer = pb::StreamAnswer { answer: Some(HeadAnswer::Error(error.to_pb())) };
                pipe.write(to_record(&answer)).await.map_or_else(|end| end, |()| End::Done)
            }
        },
    };
    pipe.end(end);
}

/// What a head asked for and was granted.
enum Wanted {
    Frames(Box<Reader>),
    Calls(Caller),
    Publish(Caller),
    Term(Box<Seat>),
}

fn accepted() -> pb::StreamAnswer {
    pb::StreamAnswer { answer: Some(HeadAnswer::Accepted(pb::Accepted {})) }
}

async fn wanted(
    doors: &Doors,
    record: &[u8],
    handshake: &mut Handshake,
    via: Via,
) -> Result<(pb::StreamAnswer, Wanted), ToolError> {
    let head =
        pb::StreamHead::decode(record).map_err(|_| ToolError::invalid("the first record is not a stream head"))?;
    if head.v != HEAD_VERSION {
        return Err(ToolError::invalid(format!("the head has version {}; this box speaks {HEAD_VERSION}", head.v)));
    }
    let want = head.want.ok_or_else(|| {
        ToolError::invalid("the head does not say what it wants, or wants what this box does not know")
    })?;
    // An open with its attach only reads, so it may come early: a copy of it gets what its sender cannot decrypt.
    // Everything else waits until nobody can have copied it.
    let early = matches!(want, Want::Open(_)) && !handshake.is_confirmed();
    if !early {
        handshake.confirmed().await?;
    }
    let named = if head.bearer.is_empty() { None } else { Some(doors.caller(&head.bearer)?) };
    let need = |named: Option<Caller>| named.ok_or_else(|| ToolError::unauthenticated("the head needs a bearer token"));
    match want {
        Want::Open(open) => {
            let caller = need(named)?;
            let ask = open.open.unwrap_or_default();
            let mut request = attach_request(ask.from, open.options.unwrap_or_default())?;
            if !ask.log.is_empty() {
                request.asked.log = Some(ask.log.parse::<LogId>()?);
            }
            request.asked.view = (ask.view != 0).then_some(ask.view);
            if early {
                request.client = None; // It replaces nobody.
            }
            let (admitted, opened) = stream::open_here(doors.tools(), &caller, &ask).await?;
            let answer = pb::StreamAnswer { answer: Some(HeadAnswer::Opened(opened)) };
            Ok((answer, Wanted::Frames(Box::new(admitted.attach(request)))))
        }
        Want::Attach(attach) => {
            let request = attach_request(attach.from, attach.options.unwrap_or_default())?;
            let shown = Shown { caller: named.as_ref(), device: None, session: None, wanted: ticket::Wanted::Session };
            let admitted = stream::redeem(doors.tools(), &attach.ticket, shown).await?;
            Ok((accepted(), Wanted::Frames(Box::new(admitted.attach(request)))))
        }
        Want::Calls(pb::Calls {}) => Ok((accepted(), Wanted::Calls(need(named)?))),
        Want::Publish(pb::Publishing {}) => {
            let producer = need(named)?;
            gate::may(&producer, Act::Publish)?;
            Ok((accepted(), Wanted::Publish(producer)))
        }
        Want::Term(want) => {
            let shown = Shown { caller: named.as_ref(), device: None, session: None, wanted: ticket::Wanted::Terminal };
            let how = Seated { from: want.from, surface: &want.surface, via };
            let seat = tools_term::redeem(doors.tools(), &want.ticket, shown, how).await?;
            Ok((accepted(), Wanted::Term(Box::new(seat))))
        }
    }
}

fn attach_request(from: u64, options: pb::AttachOptions) -> Result<AttachRequest, ToolError> {
    let client = match options.client.as_str() {
        "" => None,
        text => Some((text.parse::<ClientId>()?, options.attempt)),
    };
    Ok(AttachRequest { asked: Asked { from, ..Asked::default() }, unmerged: options.unmerged, client })
}

async fn fulfil(doors: &Doors, pipe: &mut QuicPipe, wanted: Wanted, via: Via) -> End {
    match wanted {
        Wanted::Frames(reader) => frames(pipe, *reader, HalfClose::Fine).await,
        Wanted::Calls(caller) => {
            calls(doors, pipe, CalledBy { caller, device: None, via }).await.map_or_else(|end| end, |()| End::Done)
        }
        Wanted::Publish(producer) => publish::serve(doors, &producer, pipe, Bytes::new()).await,
        Wanted::Term(seat) => term::serve(doors, pipe, *seat).await,
    }
}

/// What the end of a client's half means on a stream of frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HalfClose {
    /// It has said all that it has to say, and reads on.
    Fine,
    /// A WebSocket was closed: nobody reads any more.
    End,
}

/// Feeds one reader. After its `bye` the stream ends as one where all was said: the `bye` must arrive.
async fn frames(pipe: &mut QuicPipe, mut reader: Reader, half_close: HalfClose) -> End {
    let mut stopped = pin!(pipe.send.stopped());
    let mut open = true;
    loop {
        tokio::select! {
            biased;
            _ = &mut stopped => return End::Cancelled,
            got = pipe.read(), if open => match got {
                Ok(Some(_)) => {} // A reader's words mean nothing in this version, and must not fill the window.
                Ok(None) if half_close == HalfClose::Fine => open = false,
                Ok(None) => return End::Done,
                Err(end) => return end,
            },
            records = reader.next() => match records {
                Some(records) => {
                    if let Err(end) = pipe.write(records).await {
                        return end;
                    }
                }
                None => return End::Done,
            },
        }
    }
}

async fn calls(doors: &Doors, pipe: &mut QuicPipe, by: CalledBy) -> Result<(), End> {
    let mut decoder = Decoder::new();
    loop {
        while let Some(record) = decoder.next().map_err(|e| end_of(&ToolError::from(e)))? {
            let answer = match pb::Call::decode(record) {
                Ok(call) => {
                    doors.tools().call(&by, &call.tool, &call.idempotency_key, Format::Protobuf, call.body).await
                }
                Err(_) => Err(ToolError::invalid("the record is not a call")),
            };
            let answer = match answer {
                Ok(body) => pb::answer::Answer::Body(body),
                Err(error) => pb::answer::Answer::Error(error.to_pb()),
            };
            pipe.write(to_record(&pb::Answer { answer: Some(answer) })).await?;
        }
        let got = tokio::select! {
            got = pipe.read() => got?,
            () = doors.closed() => return Err(End::Restart),
        };
        match got {
            Some(bytes) => decoder.push(&bytes),
            None => return decoder.finish().map_err(|e| end_of(&ToolError::from(e))),
        }
    }
}

/// A request that a relay took apart.
async fn carried(doors: &Doors, request: head::Request, socket: bool, mut pipe: QuicPipe) {
    let mut headers = HeaderMap::new();
    for header in request.headers() {
        // What HTTP itself would not take is left out; a header that matters is then missing.
        if let (Ok(name), Ok(value)) =
            (HeaderName::from_bytes(header.name().as_bytes()), HeaderValue::from_str(header.value()))
        {
            headers.append(name, value);
        }
    }
    let Ok(method) = Method::from_bytes(request.method().as_bytes()) else { return pipe.end(End::Invalid) };
    let ask = Ask { via: Via::Relay, method: &method, target: request.target(), headers: &headers, socket };
    let reply = answer(doors, &ask, &mut QuicBody(&mut pipe)).await;
    let end = match reply {
        Reply::Whole(whole) => whole_reply(&mut pipe, whole.status, whole.headers, whole.body).await,
        Reply::Events(events, headers) => event_reply(&mut pipe, events, headers).await,
        Reply::Socket(upgrade) => match pipe.write(BridgedReply::switching().to_record()).await {
            Err(end) => end,
            Ok(()) => match upgrade {
                Upgrade::Read(reader) => frames(&mut pipe, reader, HalfClose::End).await,
                Upgrade::Publish(producer) => publish::serve(doors, &producer, &mut pipe, Bytes::new()).await,
                Upgrade::Term(seat) => term::serve(doors, &mut pipe, *seat).await,
            },
        },
    };
    pipe.end(end);
}

/// The headers of an answer, for a relay.
fn reply_head(status: u16, headers: Vec<(&'static str, String)>) -> Result<Bytes, End> {
    let given = headers.iter().map(|(n, v)| (*n, v.as_str()));
    // What an answer says for itself stands in place of what all say.
    let always = ALWAYS.iter().copied().filter(|(n, _)| !headers.iter().any(|(given, _)| given == n));
    let all: Result<Vec<_>, _> = given.chain(always).map(|(n, v)| Header::new(n, v)).collect();
    let reply = all.and_then(|all| BridgedReply::new(status, all)).map_err(|_| End::Internal)?;
    Ok(reply.to_record())
}

async fn whole_reply(pipe: &mut QuicPipe, status: u16, headers: Vec<(&'static str, String)>, body: Bytes) -> End {
    let written = async {
        pipe.write(reply_head(status, headers)?).await?;
        pipe.write(body).await
    };
    written.await.map_or_else(|end| end, |()| End::Done)
}

async fn event_reply(pipe: &mut QuicPipe, mut events: EventStream, headers: Vec<(&'static str, String)>) -> End {
    match reply_head(200, headers) {
        Err(end) => return end,
        Ok(head) => {
            if let Err(end) = pipe.write(head).await {
                return end;
            }
        }
    }
    let mut stopped = pin!(pipe.send.stopped());
    loop {
        let piece = tokio::select! {
            biased;
            _ = &mut stopped => return End::Cancelled,
            piece = events.piece() => piece,
        };
        match piece {
            Some(piece) => {
                if let Err(end) = pipe.write(piece).await {
                    return end;
                }
            }
            None => return End::Done,
        }
    }
}

/// The body of a carried call: what follows until FIN.
struct QuicBody<'p>(&'p mut QuicPipe);

impl Body for QuicBody<'_> {
    fn piece(&mut self) -> Pin<Box<dyn Future<Output = Result<Option<Bytes>, ToolError>> + Send + '_>> {
        Box::pin(async move { self.0.read().await.map_err(|_| ToolError::invalid("the body ended before its end")) })
    }
}
