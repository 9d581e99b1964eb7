//! QUIC: straight to a box, or through a relay that takes one record off the front and copies the rest.
//!
//! One endpoint and one TLS configuration live as long as the client, so that sessions resume and, where the other side
//! agrees, the first flight already carries the question. Only `open` with `attach` ever goes that early.

use std::net::Ipv4Addr;
use std::net::Ipv6Addr;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use bytes::Bytes;
use bytes::BytesMut;
use futures_util::FutureExt;
use prost::Message;
use quinn::Connection;
use quinn::Endpoint;
use quinn::ReadError;
use quinn::RecvStream;
use quinn::SendStream;
use quinn::VarInt;
use quinn::WriteError;
use quinn::crypto::rustls::QuicClientConfig;
use tokio::time::timeout;
use vyre_proto::head::End;
use vyre_proto::head::RelayHead;
use vyre_proto::ids::BoxId;
use vyre_proto::pb::stream as pb;
use vyre_proto::record;
use vyre_proto::record::Decoder;

use super::ConnectError;
use super::call::CallError;
use super::carrier::Via;
use super::limits;

/// The idle limit: a handover takes up to ten seconds.
const IDLE: Duration = Duration::from_secs(30);

/// A box that died says so only when it is asked: a new one answers the next packet with a reset. Who only reads asks
/// by its keep-alives, so this is how long a dead box looks well.
const KEEP_ALIVE: Duration = Duration::from_secs(2);

/// A relay tells of a box that died, and goes rarely itself; the way to it may be a phone's. Bindings for UDP in home
/// routers die from 30 s on.
const KEEP_ALIVE_RELAY: Duration = Duration::from_secs(10);

/// Read windows in bytes: of a stream, and of a connection.
const WINDOWS: (u32, u32) = (256 << 10, 1 << 20);

/// One QUIC side and the connection that is open to it.
pub(super) struct Quic {
    pub via: Via,
    endpoint: Endpoint,
    config: quinn::ClientConfig,
    host: String,
    port: u16,
    /// The name for TLS, by which sessions are kept.
    name: String,
    /// What precedes every stream: the head that a relay takes off.
    prelude: Bytes,
    current: Mutex<Option<Connection>>,
}

/// A stream whose head was accepted.
pub(super) struct Stream {
    pub send: SendStream,
    pub recv: RecvStream,
    pub connection: Connection,
    /// Holds what came behind the first record.
    pub decoder: Decoder,
    pub answer: pb::stream_answer::Answer,
}

enum Asked {
    /// The other side did not take early data; nothing of it was seen.
    NotEarly,
    Failed(CallError),
}

/// Sends what the other side must acknowledge, so that a path which lives answers. `false`: nothing could be sent.
///
/// It is a stream that says nothing: the other side drops it.
pub(super) fn elicit(connection: &Connection) -> bool {
    match connection.open_bi().now_or_never() {
        Some(Ok((mut send, _))) => send.finish().is_ok(),
        Some(Err(_)) | None => false,
    }
}

impl Quic {
    pub fn new(
        via: Via,
        tls: rustls::ClientConfig,
        host: String,
        port: u16,
        name: String,
        reach: Option<BoxId>,
    ) -> Result<Self, ConnectError> {
        let crypto = QuicClientConfig::try_from(tls).map_err(|e| std::io::Error::other(e.to_string()))?;
        let mut config = quinn::ClientConfig::new(Arc::new(crypto));
        let mut transport = quinn::TransportConfig::default();
        transport
            .max_idle_timeout(IDLE.try_into().ok())
            .keep_alive_interval(Some(if reach.is_some() { KEEP_ALIVE_RELAY } else { KEEP_ALIVE }))
            .stream_receive_window(WINDOWS.0.into())
            .receive_window(WINDOWS.1.into())
            .max_concurrent_bidi_streams(VarInt::from_u32(0))
            .max_concurrent_uni_streams(VarInt::from_u32(0))
            .datagram_receive_buffer_size(None);
        config.transport_config(Arc::new(transport));
        let endpoint = Endpoint::client((Ipv6Addr::UNSPECIFIED, 0).into())
            .or_else(|_| Endpoint::client((Ipv4Addr::UNSPECIFIED, 0).into()))?;
        let prelude = reach.map(|id| RelayHead::Reach(id).to_record()).unwrap_or_default();
        Ok(Self { via, endpoint, config, host, port, name, prelude, current: Mutex::new(None) })
    }

    /// Another network: all connections go on from a new socket.
    pub fn rebind(&self) {
        let socket = std::net::UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0))
            .or_else(|_| std::net::UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)));
        // Without a new socket the old one may still do, and a new attempt is on its way.
        if let Ok(socket) = socket {
            let _ = self.endpoint.rebind(socket);
        }
    }

    /// Whether a connection is open.
    pub fn is_connected(&self) -> bool {
        self.kept().is_some()
    }

    /// Makes a connection for what comes next. `fresh`: one that is open already does not do.
    pub async fn connect(&self, fresh: bool) -> Result<(), CallError> {
        if !fresh && self.is_connected() {
            return Ok(());
        }
        let connection = handshake(self.dial().await?).await?;
        self.keep(&connection);
        Ok(())
    }

    /// Opens a stream and waits for the first record of the answer.
    ///
    /// `fresh`: not on the connection that is open, which is in doubt. `early`: may travel in the first flight.
    pub async fn start(
        &self,
        head: &pb::StreamHead,
        rest: &[u8],
        fresh: bool,
        early: bool,
    ) -> Result<Stream, CallError> {
        let mut bytes = BytesMut::from(&self.prelude[..]);
        record::encode(head, &mut bytes);
        bytes.extend_from_slice(rest);
        let bytes = bytes.freeze();
        if let Some(connection) = self.kept().filter(|_| !fresh) {
            return match ask(&connection, bytes).await {
                Ok(stream) => Ok(stream),
                Err(Asked::NotEarly) => Err(self.forget(&connection, CallError::NoAnswer)),
                Err(Asked::Failed(e)) => Err(self.forget(&connection, e)),
            };
        }
        let connecting = self.dial().await?;
        if !early {
            let connection = handshake(connecting).await?;
            self.keep(&connection);
            return ask(&connection, bytes).await.map_err(failed);
        }
        match connecting.into_0rtt() {
            Ok((connection, confirmed)) => {
                let stream = match ask(&connection, bytes.clone()).await {
                    Err(Asked::NotEarly) => {
                        timeout(limits::DIAL, confirmed).await.map_err(|_| CallError::TimedOut)?;
                        ask(&connection, bytes).await
                    }
                    other => other,
                };
                let stream = stream.map_err(failed)?;
                self.keep(&connection);
                Ok(stream)
            }
            Err(connecting) => {
                let connection = handshake(connecting).await?;
                let stream = ask(&connection, bytes).await.map_err(failed)?;
                self.keep(&connection);
                Ok(stream)
            }
        }
    }

    /// Calls a tool on a stream of its own.
    pub async fn call(&self, bearer: &str, tool: &str, key: Option<&str>, body: Bytes) -> Result<Bytes, CallError> {
        let want = pb::stream_head::Want::Calls(pb::Calls {});
        let head = pb::StreamHead { v: 1, bearer: bearer.to_owned(), want: Some(want) };
        let call = pb::Call { tool: tool.to_owned(), idempotency_key: key.unwrap_or_default().to_owned(), body };
        let mut stream = self.start(&head, &record::to_record(&call), false, false).await?;
        let _ = stream.send.finish();
        accepted(stream.answer)?;
        let answer = next_record(&mut stream.recv, &mut stream.decoder).await?;
        match pb::Answer::decode(answer).map_err(|_| CallError::NotABox)?.answer {
            Some(pb::answer::Answer::Body(body)) => Ok(body),
            Some(pb::answer::Answer::Error(e)) => Err(CallError::of(e)),
            None => Err(CallError::NotABox),
        }
    }

    async fn dial(&self) -> Result<quinn::Connecting, CallError> {
        let places = timeout(limits::RESOLVE, tokio::net::lookup_host((self.host.as_str(), self.port)));
        let places = places.await.map_err(|_| CallError::silent())?.map_err(CallError::Unreachable)?;
        let mut failed = CallError::Unreachable(std::io::ErrorKind::AddrNotAvailable.into());
        for place in places {
            match self.endpoint.connect_with(self.config.clone(), place, &self.name) {
                Ok(connecting) => return Ok(connecting),
                Err(e) => failed = CallError::Unreachable(std::io::Error::other(e)),
            }
        }
        Err(failed)
    }

    fn kept(&self) -> Option<Connection> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.as_ref().is_some_and(|c| c.close_reason().is_some()) {
            *current = None;
        }
        current.clone()
    }

    fn keep(&self, connection: &Connection) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(connection.clone());
    }

    /// A connection on which nothing was answered is not asked again.
    fn forget(&self, connection: &Connection, e: CallError) -> CallError {
        if !matches!(e, CallError::Refused { .. }) {
            let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
            if current.as_ref().is_some_and(|c| c.stable_id() == connection.stable_id()) {
                *current = None;
            }
        }
        e
    }
}

fn failed(e: Asked) -> CallError {
    match e {
        Asked::NotEarly => CallError::NoAnswer,
        Asked::Failed(e) => e,
    }
}

async fn handshake(connecting: quinn::Connecting) -> Result<Connection, CallError> {
    let connection = timeout(limits::DIAL, connecting).await.map_err(|_| CallError::silent())?;
    connection.map_err(|e| CallError::Unreachable(e.into()))
}

/// Writes the head and reads the first record.
async fn ask(connection: &Connection, bytes: Bytes) -> Result<Stream, Asked> {
    let asked = timeout(limits::ANSWER, async {
        let opened = connection.open_bi().await;
        let (mut send, mut recv) = opened.map_err(|_| Asked::Failed(CallError::NoAnswer))?;
        match send.write_chunk(bytes).await {
            // A refusal may stop the writing; the reading says which.
            Ok(()) | Err(WriteError::Stopped(_)) => {}
            Err(WriteError::ZeroRttRejected) => return Err(Asked::NotEarly),
            Err(WriteError::ConnectionLost(_) | WriteError::ClosedStream) => {
                return Err(Asked::Failed(CallError::NoAnswer));
            }
        }
        let mut decoder = Decoder::new();
        let first = loop {
            match decoder.next() {
                Ok(Some(first)) => break first,
                Ok(None) => {}
                Err(_) => return Err(Asked::Failed(CallError::NotABox)),
            }
            match recv.read_chunk(limits::WS_BUFFER, true).await {
                Ok(Some(chunk)) => decoder.push(&chunk.bytes),
                Ok(None) => return Err(Asked::Failed(CallError::NotABox)),
                Err(ReadError::ZeroRttRejected) => return Err(Asked::NotEarly),
                Err(e) => return Err(Asked::Failed(of_read(&e))),
            }
        };
        let answer = pb::StreamAnswer::decode(first).ok().and_then(|a| a.answer);
        let answer = answer.ok_or(Asked::Failed(CallError::NotABox))?;
        Ok(Stream { send, recv, connection: connection.clone(), decoder, answer })
    });
    asked.await.unwrap_or(Err(Asked::Failed(CallError::TimedOut)))
}

/// The next record of a stream.
async fn next_record(recv: &mut RecvStream, decoder: &mut Decoder) -> Result<Bytes, CallError> {
    loop {
        if let Some(record) = decoder.next().map_err(|_| CallError::NotABox)? {
            return Ok(record);
        }
        match recv.read_chunk(limits::WS_BUFFER, true).await {
            Ok(Some(chunk)) => decoder.push(&chunk.bytes),
            Ok(None) => return Err(CallError::NoAnswer),
            Err(e) => return Err(of_read(&e)),
        }
    }
}

/// What a refused or broken stream says: a relay refuses by a code alone.
pub(super) fn of_read(e: &ReadError) -> CallError {
    let code = match e {
        ReadError::Reset(code) => *code,
        ReadError::ConnectionLost(quinn::ConnectionError::ApplicationClosed(c)) => c.error_code,
        _ => return CallError::NoAnswer,
    };
    match End::from_code(code.into_inner()) {
        Some(end @ (End::Away | End::Overload | End::Restart)) => {
            let after = if end == End::Away { 0 } else { 250 };
            CallError::refused(pb::ErrorCode::Unavailable, end.sentence(), Duration::from_millis(after))
        }
        _ => CallError::NoAnswer,
    }
}

/// The answer to a head that asked for no stream.
pub(super) fn accepted(answer: pb::stream_answer::Answer) -> Result<(), CallError> {
    match answer {
        pb::stream_answer::Answer::Accepted(_) => Ok(()),
        pb::stream_answer::Answer::Error(e) => Err(CallError::of(e)),
        pb::stream_answer::Answer::Opened(_) => Err(CallError::NotABox),
    }
}
