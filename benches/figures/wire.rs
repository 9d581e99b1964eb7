//! The reader's side of both carriers, lean: it decodes what a question needs and nothing more. Floors and product are
//! read by the same code.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use bytes::BytesMut;
use futures_util::StreamExt;
use quinn::Connection;
use quinn::Endpoint;
use quinn::RecvStream;
use quinn::SendStream;
use quinn::TransportConfig;
use quinn::crypto::rustls::QuicClientConfig;
use rustls::pki_types::ServerName;
use serde_json::Value;
use tokio::io::AsyncRead;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWrite;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// What carries HTTP.
pub trait Io: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

/// TCP, with TLS or without.
pub type Socket = Box<dyn Io>;

/// A WebSocket of the reader's.
pub type Ws = WebSocketStream<Socket>;

/// The runtime of a client.
pub fn client_runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// The runtime of a server, as the product has it.
pub fn server_runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap()
}

/// No step takes longer.
pub const STEP: Duration = Duration::from_secs(60);

/// Awaits with a limit.
pub async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(STEP, what).await.expect("took too long")
}

/// A place that speaks HTTP, with TLS where there is a configuration.
#[derive(Clone)]
pub struct Place {
    /// Where.
    pub addr: SocketAddr,
    /// What stands before `/v1`.
    pub base: String,
    /// How to speak TLS, if that is spoken.
    pub tls: Option<Arc<rustls::ClientConfig>>,
}

impl Place {
    /// Without TLS.
    pub fn plain(addr: SocketAddr) -> Self {
        Self { addr, base: String::new(), tls: None }
    }

    /// A TCP connection.
    pub async fn dial(&self) -> Http {
        self.dial_with(TcpStream::connect(self.addr).await.unwrap()).await
    }

    /// The same on a TCP connection that stands.
    pub async fn dial_with(&self, tcp: TcpStream) -> Http {
        tcp.set_nodelay(true).unwrap();
        let io: Socket = match &self.tls {
            None => Box::new(tcp),
            Some(tls) => {
                let name = ServerName::try_from(self.addr.ip().to_string()).unwrap();
                Box::new(TlsConnector::from(tls.clone()).connect(name, tcp).await.unwrap())
            }
        };
        Http { io, buf: BytesMut::new(), base: self.base.clone() }
    }
}

/// One HTTP connection.
pub struct Http {
    io: Socket,
    buf: BytesMut,
    base: String,
}

impl Http {
    /// Reads up to this mark.
    async fn until(&mut self, mark: &[u8]) -> String {
        loop {
            if let Some(i) = self.buf.windows(mark.len()).position(|w| w == mark) {
                let head = self.buf.split_to(i + mark.len());
                return String::from_utf8(head.to_vec()).unwrap();
            }
            assert!(self.io.read_buf(&mut self.buf).await.unwrap() > 0, "the server went away");
        }
    }

    /// Reads so many bytes.
    async fn take(&mut self, len: usize) -> BytesMut {
        while self.buf.len() < len {
            assert!(self.io.read_buf(&mut self.buf).await.unwrap() > 0, "the server went away");
        }
        self.buf.split_to(len)
    }

    /// A call, in JSON.
    pub async fn call(&mut self, tool: &str, token: &str, body: &Value) -> Value {
        let (body, base) = (body.to_string(), &self.base);
        let request = format!(
            "POST {base}/v1/tools/{tool} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.io.write_all(request.as_bytes()).await.unwrap();
        let head = self.until(b"\r\n\r\n").await.to_lowercase();
        let mut body = BytesMut::new();
        if head.contains("transfer-encoding: chunked") {
            // A relay does not know how long the box's answer will be.
            loop {
                let line = self.until(b"\r\n").await;
                let len = usize::from_str_radix(line.trim(), 16).unwrap();
                body.extend_from_slice(&self.take(len).await);
                self.take(2).await;
                if len == 0 {
                    break;
                }
            }
        } else {
            let len = head.split("content-length:").nth(1).and_then(|t| t.split("\r\n").next()).unwrap_or("0");
            body = self.take(len.trim().parse().unwrap()).await;
        }
        assert!(head.starts_with("http/1.1 200"), "{tool}: {head}{}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).unwrap()
    }

    /// A WebSocket on this connection.
    pub async fn upgrade(self, target: &str, token: Option<&str>) -> Ws {
        let (io, rest) = self.switch(target, token).await;
        let config = WebSocketConfig::default()
            .read_buffer_size(16 * 1024)
            .write_buffer_size(0)
            .max_message_size(Some(64 << 20))
            .max_frame_size(Some(64 << 20));
        WebSocketStream::from_partially_read(io, rest.to_vec(), Role::Client, Some(config)).await
    }

    /// What is left of this connection after the answer to an upgrade, and what came behind it.
    async fn switch(mut self, target: &str, token: Option<&str>) -> (Socket, BytesMut) {
        let bearer = token.map(|t| format!("Authorization: Bearer {t}\r\n")).unwrap_or_default();
        let request = format!(
            "GET {}{target} HTTP/1.1\r\nHost: 127.0.0.1\r\n{bearer}Connection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            self.base
        );
        self.io.write_all(request.as_bytes()).await.unwrap();
        let head = self.until(b"\r\n\r\n").await;
        assert!(head.starts_with("HTTP/1.1 101"), "{head}{}", String::from_utf8_lossy(&self.buf));
        (self.io, self.buf)
    }

    /// Opens a session and attaches, in the upgrade itself.
    pub async fn attach(self, token: &str, session: &str, from: u64, merge: bool) -> Ws {
        self.upgrade(&attaching(session, from, merge), Some(token)).await
    }

    /// The same, read without a library.
    pub async fn attach_lean(self, token: &str, session: &str, from: u64, merge: bool) -> Lean {
        let (io, buf) = self.switch(&attaching(session, from, merge), Some(token)).await;
        Lean { io, buf }
    }
}

fn attaching(session: &str, from: u64, merge: bool) -> String {
    let merge = if merge { "" } else { "&merge=none" };
    format!("/v1/streams/stream/session?session={session}&from={from}{merge}")
}

/// A WebSocket of a reader who says nothing: heads are cut off, and that is all. For figures beside a server whose client
/// is as lean.
pub struct Lean {
    io: Socket,
    buf: BytesMut,
}

impl Lean {
    /// The payloads of the next messages that come.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let mut all: Option<Bytes> = None;
            messages(&mut self.buf, |payload| match &mut all {
                None => all = Some(payload),
                Some(all) => *all = [&all[..], &payload[..]].concat().into(),
            });
            if all.is_some() {
                return all;
            }
            if self.io.read_buf(&mut self.buf).await.unwrap() == 0 {
                return None;
            }
        }
    }
}

/// Takes whole messages of a server off the front.
pub fn messages(buf: &mut BytesMut, mut each: impl FnMut(Bytes)) {
    loop {
        let (len, head) = match buf.get(1) {
            Some(126) if buf.len() >= 4 => (usize::from(u16::from_be_bytes([buf[2], buf[3]])), 4),
            Some(127) if buf.len() >= 10 => (u64::from_be_bytes(buf[2..10].try_into().unwrap()) as usize, 10),
            Some(n @ 0..=125) => (usize::from(*n), 2),
            _ => return,
        };
        if buf.len() < head + len {
            return;
        }
        let mut whole = buf.split_to(head + len);
        if whole[0] == 0x82 {
            each(whole.split_off(head).freeze());
        }
    }
}

/// What a reader reads from.
pub enum Source {
    /// Binary messages.
    Ws(Box<Ws>),
    /// The same, without a library.
    Lean(Lean),
    /// A stream, and what must live as long.
    Quic(RecvStream, #[allow(dead_code)] (SendStream, Connection)),
}

impl Source {
    /// The next bytes; `None` at the end.
    pub async fn bytes(&mut self) -> Option<Bytes> {
        match self {
            Source::Ws(ws) => loop {
                match ws.next().await?.unwrap() {
                    Message::Binary(bytes) => return Some(bytes),
                    Message::Close(_) => return None,
                    _ => {}
                }
            },
            Source::Lean(lean) => lean.next().await,
            Source::Quic(recv, ..) => recv.read_chunk(64 * 1024, true).await.unwrap().map(|c| c.bytes),
        }
    }
}

/// A client's side of QUIC: the windows of the product's own client, for floors as well.
pub fn client_transport() -> TransportConfig {
    let mut t = TransportConfig::default();
    t.max_idle_timeout(Duration::from_secs(30).try_into().ok())
        .keep_alive_interval(Some(Duration::from_secs(15)))
        .stream_receive_window((256u32 << 10).into())
        .receive_window((1u32 << 20).into())
        .max_concurrent_bidi_streams(0u32.into())
        .max_concurrent_uni_streams(0u32.into())
        .datagram_receive_buffer_size(None);
    t
}

/// A place that speaks QUIC.
#[derive(Clone)]
pub struct QuicPlace {
    /// Where.
    pub addr: SocketAddr,
    /// The name for TLS.
    pub name: String,
    /// What precedes every stream.
    pub prelude: Bytes,
    config: quinn::ClientConfig,
    endpoint: Endpoint,
}

impl QuicPlace {
    /// Needs a runtime around it.
    pub fn new(addr: SocketAddr, name: String, prelude: Bytes, tls: rustls::ClientConfig) -> Self {
        let mut config = quinn::ClientConfig::new(Arc::new(QuicClientConfig::try_from(tls).unwrap()));
        config.transport_config(Arc::new(client_transport()));
        let endpoint = Endpoint::client(([127, 0, 0, 1], 0).into()).unwrap();
        Self { addr, name, prelude, config, endpoint }
    }

    /// A connection whose handshake is through.
    pub async fn dial(&self) -> Connection {
        self.endpoint.connect_with(self.config.clone(), self.addr, &self.name).unwrap().await.unwrap()
    }

    /// A stream on a new connection, whose first flight carries `head` where the server was seen before.
    pub async fn dial_early(&self, head: &[u8]) -> (SendStream, RecvStream, Connection) {
        let connecting = self.endpoint.connect_with(self.config.clone(), self.addr, &self.name).unwrap();
        let connection = match connecting.into_0rtt() {
            Ok((connection, _)) => connection,
            Err(connecting) => connecting.await.unwrap(),
        };
        let (send, recv) = self.stream(&connection, head).await;
        (send, recv, connection)
    }

    /// A stream that begins with `head`.
    pub async fn stream(&self, connection: &Connection, head: &[u8]) -> (SendStream, RecvStream) {
        let (mut send, recv) = connection.open_bi().await.unwrap();
        let bytes: Bytes = [&self.prelude[..], head].concat().into();
        send.write_chunk(bytes).await.unwrap();
        (send, recv)
    }

    /// Reads what follows `head` on a connection of its own.
    pub async fn source(&self, head: &[u8]) -> Source {
        let connection = self.dial().await;
        let (send, recv) = self.stream(&connection, head).await;
        Source::Quic(recv, (send, connection))
    }
}
