//! Clients: plain HTTP over a bare socket, a screen over a WebSocket, and native streams over QUIC.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use prost::Message as _;
use serde_json::Value;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderName;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use vyre_proto::frame::Frame;
use vyre_proto::head::RelayHead;
use vyre_proto::ids::BoxId;
use vyre_proto::pb::stream as pb;
use vyre_proto::record::Decoder;
use vyre_proto::record::to_record;
use vyre_proto::relay_url::RelayUrl;

/// Nothing on loopback takes this long.
pub const SOON: Duration = Duration::from_secs(10);

/// An answer over HTTP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// One request on a connection of its own.
pub async fn http(addr: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    let mut tcp = TcpStream::connect(addr).await.unwrap();
    let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    if !headers.iter().any(|(n, _)| *n == "host") {
        head.push_str(&format!("host: {addr}\r\n"));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    tcp.write_all(head.as_bytes()).await.unwrap();
    let (mut read, mut write) = tcp.split();
    let mut answer = Vec::new();
    let exchange = async {
        // A box that refuses early does not read the rest, and that is its right.
        let (_, read) = tokio::join!(write.write_all(body), read.read_to_end(&mut answer));
        read
    };
    let read = timeout(SOON, exchange).await.expect("no answer");
    let reply = parse(&answer);
    assert!(read.is_ok() || reply.is_some(), "{read:?}");
    reply.unwrap()
}

fn parse(answer: &[u8]) -> Option<Reply> {
    let end = answer.windows(4).position(|w| w == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..end]).ok()?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<_> = lines.filter_map(|l| l.split_once(": ")).map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
    let chunked = headers.iter().any(|(n, v)| n == "transfer-encoding" && v == "chunked");
    let body = if chunked { unchunk(&answer[end + 4..]) } else { answer[end + 4..].to_vec() };
    Some(Reply { status, headers, body })
}

/// A chunked body, as far as whole chunks of it have come.
pub fn unchunk(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(at) = rest.windows(2).position(|w| w == b"\r\n") {
        let len = usize::from_str_radix(std::str::from_utf8(&rest[..at]).unwrap(), 16).unwrap();
        let Some(chunk) = rest.get(at + 2..at + 2 + len) else { break };
        body.extend_from_slice(chunk);
        let Some(next) = rest.get(at + 4 + len..) else { break };
        rest = next;
    }
    body
}

/// A WebSocket, or the status with which it was refused.
pub async fn open_socket(
    addr: SocketAddr,
    path: &str,
    headers: &[(&str, &str)],
) -> Result<WebSocketStream<TcpStream>, u16> {
    let mut request = format!("ws://{addr}{path}").into_client_request().unwrap();
    for (name, value) in headers {
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        request.headers_mut().insert(name, HeaderValue::from_str(value).unwrap());
    }
    let tcp = TcpStream::connect(addr).await.unwrap();
    match timeout(SOON, client_async(request, tcp)).await.expect("no answer to the upgrade") {
        Ok((socket, _)) => Ok(socket),
        Err(Error::Http(answer)) => Err(answer.status().as_u16()),
        Err(e) => panic!("{e}"),
    }
}

/// A screen on a WebSocket.
pub struct Screen {
    pub socket: WebSocketStream<TcpStream>,
    decoder: Decoder,
    /// Every byte of the record stream so far.
    pub bytes: Vec<u8>,
}

impl Screen {
    pub async fn open(addr: SocketAddr, ticket: &str, query: &str) -> Screen {
        Self::open_below(addr, "", ticket, query).await
    }

    /// Below a prefix, as a relay has one for each box.
    pub async fn open_below(addr: SocketAddr, prefix: &str, ticket: &str, query: &str) -> Screen {
        let path = format!("{prefix}/v1/streams/stream/session?ticket={ticket}{query}");
        let socket = open_socket(addr, &path, &[]).await.unwrap();
        Screen { socket, decoder: Decoder::new(), bytes: Vec::new() }
    }

    /// The next frame; the close code at the end.
    pub async fn next(&mut self) -> Result<Frame, u16> {
        loop {
            if let Some(record) = self.decoder.next().unwrap() {
                return Ok(Frame::decode(record).unwrap());
            }
            match timeout(SOON, self.socket.next()).await.expect("no frame") {
                Some(Ok(Message::Binary(bytes))) => {
                    self.bytes.extend_from_slice(&bytes);
                    self.decoder.push(&bytes);
                }
                Some(Ok(Message::Close(frame))) => return Err(frame.map_or(1005, |f| f.code.into())),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(1006),
            }
        }
    }

    /// Frames up to and with cursor `last`.
    pub async fn until(&mut self, last: u64) -> Vec<Frame> {
        let mut got = Vec::new();
        loop {
            let frame = self.next().await.unwrap();
            let at = frame.get().cur;
            got.push(frame);
            if at >= last {
                return got;
            }
        }
    }
}

/// A phone that speaks QUIC to a box.
pub struct QuicClient {
    endpoint: quinn::Endpoint,
    name: String,
    pub connection: quinn::Connection,
    reach: Option<BoxId>,
}

impl QuicClient {
    pub async fn connect(addr: SocketAddr, id: BoxId) -> QuicClient {
        let tls = vyre_certs::tls::box_client(id).unwrap();
        Self::dial(addr, tls, &vyre_certs::identity::server_name(&id), None).await
    }

    /// Through a relay.
    pub async fn through(relay: &RelayUrl, addr: SocketAddr, id: BoxId) -> QuicClient {
        let tls = vyre_certs::tls::relay_client(relay).unwrap();
        Self::dial(addr, tls, relay.host(), Some(id)).await
    }

    async fn dial(addr: SocketAddr, tls: rustls::ClientConfig, name: &str, reach: Option<BoxId>) -> QuicClient {
        let crypto = quinn::crypto::rustls::QuicClientConfig::try_from(tls).unwrap();
        let mut endpoint = quinn::Endpoint::client("127.0.0.1:0".parse().unwrap()).unwrap();
        endpoint.set_default_client_config(quinn::ClientConfig::new(Arc::new(crypto)));
        let connection = timeout(SOON, endpoint.connect(addr, name).unwrap()).await.unwrap().unwrap();
        QuicClient { endpoint, name: name.to_owned(), connection, reach }
    }

    /// A second connection that says what it has to say in its first flight, and whether that was taken.
    pub fn early(&self) -> (QuicClient, quinn::ZeroRttAccepted) {
        let connecting = self.endpoint.connect(self.connection.remote_address(), &self.name).unwrap();
        let Ok((connection, accepted)) = connecting.into_0rtt() else { panic!("nothing to resume") };
        let (endpoint, name) = (self.endpoint.clone(), self.name.clone());
        (QuicClient { endpoint, name, connection, reach: self.reach }, accepted)
    }

    /// A stream with this head, and the answer to it.
    pub async fn stream(&self, bearer: &str, want: pb::stream_head::Want) -> (QuicStream, pb::StreamAnswer) {
        let (mut send, recv) = self.connection.open_bi().await.unwrap();
        if let Some(id) = self.reach {
            send.write_all(&RelayHead::Reach(id).to_record()).await.unwrap();
        }
        let head = pb::StreamHead { v: 1, bearer: bearer.into(), want: Some(want) };
        send.write_all(&to_record(&head)).await.unwrap();
        let mut stream = QuicStream { send, recv, decoder: Decoder::new(), bytes: Vec::new() };
        let answer = pb::StreamAnswer::decode(stream.record().await.unwrap()).unwrap();
        let answered = vyre_proto::record::split(&stream.bytes).unwrap().0.len();
        stream.bytes.drain(..answered);
        (stream, answer)
    }
}

/// One native stream.
pub struct QuicStream {
    pub send: quinn::SendStream,
    pub recv: quinn::RecvStream,
    decoder: Decoder,
    /// Every byte behind the answer to the head.
    pub bytes: Vec<u8>,
}

impl QuicStream {
    /// The next record; `None` at a clean end.
    pub async fn record(&mut self) -> Option<bytes::Bytes> {
        loop {
            if let Some(record) = self.decoder.next().unwrap() {
                return Some(record);
            }
            let chunk = timeout(SOON, self.recv.read_chunk(65_536, true)).await.expect("no record").ok()??;
            self.bytes.extend_from_slice(&chunk.bytes);
            self.decoder.push(&chunk.bytes);
        }
    }

    /// The next frame.
    pub async fn frame(&mut self) -> Option<Frame> {
        self.record().await.map(|r| Frame::decode(r).unwrap())
    }
}
