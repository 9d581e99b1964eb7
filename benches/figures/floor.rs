//! The floors: bare tokio-tungstenite, with TLS and without, and bare quinn, with the settings of the box and nothing of
//! the product on top. One line says what a connection or a stream wants.
//!
//! | wants | gets |
//! |---|---|
//! | `emit RATE N` | N records at that rate, each as its own message |
//! | `echo` | what it sends |
//! | `bulk BYTES` | so many bytes in pieces of 64 KiB |
//! | `once` | one record |
//! | `fan` | every record of the emitter that runs since the word `go RATE N` on standard input |
//! | `tap`, `sink` | what comes into the sink comes out of the tap |
//! | `idle BYTES` | so many bytes at once, and then nothing |

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use bytes::Bytes;
use futures_util::SinkExt;
use futures_util::StreamExt;
use quinn::Endpoint;
use quinn::RecvStream;
use quinn::SendStream;
use quinn::ServerConfig;
use quinn::TransportConfig;
use quinn::crypto::rustls::QuicServerConfig;
use tokio::io::AsyncRead;
use tokio::io::AsyncWrite;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::sync::mpsc;
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::Request;
use tokio_tungstenite::tungstenite::handshake::server::Response;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use vyre_certs::identity::BoxIdentity;
use vyre_certs::identity::server_name;
use vyre_certs::tls;
use vyre_proto::ids::BoxId;

use crate::child::Part;
use crate::events::FrameBytes;
use crate::roles;
use crate::roles::Pace;
use crate::wire::Place;
use crate::wire::QuicPlace;
use crate::wire::Source;
use crate::wire::server_runtime;

/// Pieces of bulk.
const PIECE: usize = 64 * 1024;

/// A connection has stood for so long before anything is emitted on it.
const SETTLE: Duration = Duration::from_millis(100);

/// What connections share.
#[derive(Debug, Default)]
struct Shared {
    /// Everything that was fanned out, and how far.
    log: Mutex<Vec<u8>>,
    head: watch::Sender<usize>,
    /// Where what comes into the sink goes.
    tap: Mutex<Option<mpsc::Sender<Bytes>>>,
    tapped: Notify,
}

/// A floor that runs.
#[derive(Debug)]
pub struct Floor {
    /// Its process.
    pub part: Part,
}

impl Floor {
    /// Starts one. `small`: sockets hold buffers of 4 KiB, in place of what the library takes by itself.
    pub fn start() -> Self {
        Self { part: Part::role(&["floor"]) }
    }

    fn addr(&self, name: &str) -> SocketAddr {
        self.part.said(name).parse().unwrap()
    }

    /// Its WebSockets.
    pub fn web(&self) -> Place {
        Place::plain(self.addr("ws"))
    }

    /// Its WebSockets under TLS.
    pub fn tls(&self) -> Place {
        let id: BoxId = self.part.said("box").parse().unwrap();
        let mut config = tls::box_client(id).unwrap();
        config.alpn_protocols = vec![tls::ALPN_HTTP.to_vec()];
        Place { tls: Some(Arc::new(config)), ..Place::plain(self.addr("wss")) }
    }

    /// Its QUIC.
    pub fn quic(&self) -> QuicPlace {
        let id: BoxId = self.part.said("box").parse().unwrap();
        QuicPlace::new(self.addr("quic"), server_name(&id), Bytes::new(), tls::box_client(id).unwrap())
    }
}

/// A WebSocket of a floor, by what it wants.
pub async fn ws(place: &Place, want: &str) -> crate::wire::Ws {
    place.dial().await.upgrade(&format!("/{}", want.replace(' ', "/")), None).await
}

/// The same, to be read.
pub async fn ws_source(place: &Place, want: &str) -> Source {
    Source::Ws(Box::new(ws(place, want).await))
}

/// A head of a stream of a floor.
pub fn want(want: &str) -> Vec<u8> {
    format!("{want}\n").into_bytes()
}

/// The part itself.
pub fn play() {
    server_runtime().block_on(async {
        let identity = BoxIdentity::generate().unwrap();
        let shared = Arc::new(Shared::default());
        let plain = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let secure = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let tls = tls::web_server(Arc::new(identity.certified_key().unwrap())).unwrap();
        let endpoint = endpoint(&identity);
        roles::say(&serde_json::json!({
            "ws": plain.local_addr().unwrap().to_string(),
            "wss": secure.local_addr().unwrap().to_string(),
            "quic": endpoint.local_addr().unwrap().to_string(),
            "box": identity.box_id().to_string(),
        }));
        tokio::spawn(web(plain, None, shared.clone()));
        tokio::spawn(web(secure, Some(TlsAcceptor::from(Arc::new(tls))), shared.clone()));
        tokio::spawn(quic(endpoint));
        let mut orders = roles::orders();
        while let Some(order) = orders.recv().await {
            let words: Vec<&str> = order.split(' ').collect();
            if let ["go", rate, n] = words[..] {
                let emitter = fan_out(shared.clone(), rate.parse().unwrap(), n.parse().unwrap());
                tokio::spawn(emitter).await.unwrap();
                roles::say(&serde_json::json!({"done": n}));
            }
        }
    });
}

async fn fan_out(shared: Arc<Shared>, rate: f64, n: u64) {
    let (mut frame, mut pace) = (FrameBytes::new(), Pace::new(rate));
    for seq in 1..=n {
        pace.beat().await;
        let record = frame.stamped(seq);
        let len = {
            let mut log = shared.log.lock().unwrap();
            log.extend_from_slice(&record);
            log.len()
        };
        shared.head.send_replace(len);
    }
}

/// The settings of a box's own endpoint.
fn endpoint(identity: &BoxIdentity) -> Endpoint {
    let tls = QuicServerConfig::try_from(tls::box_server(identity.certified_key().unwrap()).unwrap()).unwrap();
    let mut server = ServerConfig::with_crypto(Arc::new(tls));
    let mut t = TransportConfig::default();
    t.max_idle_timeout(Duration::from_secs(30).try_into().ok())
        .max_concurrent_bidi_streams(100u32.into())
        .max_concurrent_uni_streams(0u32.into())
        .stream_receive_window((1u32 << 20).into())
        .receive_window((8u32 << 20).into())
        .send_window(4 << 20)
        .datagram_receive_buffer_size(None)
        .allow_spin(false);
    server.transport_config(Arc::new(t));
    Endpoint::server(server, ([127, 0, 0, 1], 0).into()).unwrap()
}

/// Buffers of 4 KiB, as those of the product: what a floor's socket holds while it is idle.
fn small() -> WebSocketConfig {
    WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(4096).max_write_buffer_size(256 * 1024)
}

async fn web(listener: TcpListener, tls: Option<TlsAcceptor>, shared: Arc<Shared>) {
    loop {
        let (tcp, _) = listener.accept().await.unwrap();
        tcp.set_nodelay(true).unwrap();
        let (tls, shared) = (tls.clone(), shared.clone());
        tokio::spawn(async move {
            match tls {
                None => socket(tcp, shared).await,
                Some(tls) => {
                    if let Ok(stream) = tls.accept(tcp).await {
                        socket(stream, shared).await;
                    }
                }
            }
        });
    }
}

async fn socket<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(io: S, shared: Arc<Shared>) {
    let mut path = String::new();
    #[allow(clippy::result_large_err)] // The library's own type.
    let see = |request: &Request, response: Response| {
        path = request.uri().path()[1..].replace('/', " ");
        Ok(response)
    };
    let Ok(ws) = tokio_tungstenite::accept_hdr_async_with_config(io, see, Some(small())).await else { return };
    if let Some(bytes) = path.strip_prefix("idle ") {
        // A task of its own, that holds the socket and nothing else.
        drop(tokio::spawn(idle(ws, bytes.parse().unwrap())));
        return;
    }
    let want: Vec<&str> = path.split(' ').collect();
    serve(ws, &want, shared).await;
}

async fn idle<S: AsyncRead + AsyncWrite + Unpin>(mut ws: WebSocketStream<S>, bytes: usize) {
    if bytes > 0 && ws.send(Message::binary(vec![7; bytes])).await.is_err() {
        return;
    }
    while let Some(Ok(_)) = ws.next().await {}
}

async fn serve<S: AsyncRead + AsyncWrite + Unpin>(mut ws: WebSocketStream<S>, want: &[&str], shared: Arc<Shared>) {
    match *want {
        ["emit", rate, n] => {
            tokio::time::sleep(SETTLE).await;
            let (mut frame, mut pace) = (FrameBytes::new(), Pace::new(rate.parse().unwrap()));
            for seq in 1..=n.parse().unwrap() {
                pace.beat().await;
                if ws.send(Message::Binary(frame.stamped(seq))).await.is_err() {
                    return;
                }
            }
        }
        ["echo"] => {
            while let Some(Ok(message)) = ws.next().await {
                if message.is_binary() && ws.send(message).await.is_err() {
                    return;
                }
            }
        }
        ["bulk", bytes] => {
            let piece = Bytes::from(vec![7; PIECE]);
            let mut left: usize = bytes.parse().unwrap();
            while left > 0 {
                let n = left.min(PIECE);
                if ws.send(Message::Binary(piece.slice(..n))).await.is_err() {
                    return;
                }
                left -= n;
            }
        }
        ["once"] => {
            let _ = ws.send(Message::Binary(FrameBytes::new().stamped(1))).await;
        }
        ["fan"] => {
            let mut head = shared.head.subscribe();
            let mut at = *head.borrow();
            while let Ok(len) = head.wait_for(|len| *len > at).await.map(|len| *len) {
                let piece = Bytes::copy_from_slice(&shared.log.lock().unwrap()[at..len]);
                at = len;
                if ws.send(Message::Binary(piece)).await.is_err() {
                    return;
                }
            }
        }
        ["tap"] => {
            let (to, mut from) = mpsc::channel(64);
            *shared.tap.lock().unwrap() = Some(to);
            shared.tapped.notify_one();
            while let Some(piece) = from.recv().await {
                if ws.send(Message::Binary(piece)).await.is_err() {
                    return;
                }
            }
        }
        ["sink"] => {
            shared.tapped.notified().await;
            let tap = shared.tap.lock().unwrap().take().unwrap();
            while let Some(Ok(Message::Binary(piece))) = ws.next().await {
                if tap.send(piece).await.is_err() {
                    return;
                }
            }
        }
        _ => {}
    }
    // Until the reader goes.
    while let Some(Ok(_)) = ws.next().await {}
}

async fn quic(endpoint: Endpoint) {
    while let Some(incoming) = endpoint.accept().await {
        tokio::spawn(async move {
            let Ok((connection, _)) = incoming.accept().unwrap().into_0rtt() else { return };
            while let Ok((send, recv)) = connection.accept_bi().await {
                tokio::spawn(async move {
                    let _ = stream(send, recv).await;
                });
            }
        });
    }
}

/// Reads up to the end of the first line.
pub async fn first_line(recv: &mut RecvStream) -> Option<String> {
    let mut line = Vec::new();
    loop {
        let mut byte = [0];
        recv.read_exact(&mut byte).await.ok()?;
        if byte[0] == b'\n' {
            return String::from_utf8(line).ok();
        }
        line.push(byte[0]);
    }
}

/// One stream of bare QUIC: also what stands behind the relay where nothing of a box is to be measured.
pub async fn stream(mut send: SendStream, mut recv: RecvStream) -> Option<()> {
    let line = first_line(&mut recv).await?;
    let want: Vec<&str> = line.split(' ').collect();
    match want[..] {
        ["emit", rate, n] => {
            tokio::time::sleep(SETTLE).await;
            let (mut frame, mut pace) = (FrameBytes::new(), Pace::new(rate.parse().unwrap()));
            for seq in 1..=n.parse().unwrap() {
                pace.beat().await;
                send.write_chunk(frame.stamped(seq)).await.ok()?;
            }
        }
        ["echo"] => {
            while let Some(chunk) = recv.read_chunk(PIECE, true).await.ok()? {
                send.write_chunk(chunk.bytes).await.ok()?;
            }
        }
        ["bulk", bytes] => {
            let piece = Bytes::from(vec![7; PIECE]);
            let mut left: usize = bytes.parse().unwrap();
            while left > 0 {
                let n = left.min(PIECE);
                send.write_chunk(piece.slice(..n)).await.ok()?;
                left -= n;
            }
        }
        ["idle", bytes] => send.write_chunk(vec![7; bytes.parse().unwrap()].into()).await.ok()?,
        ["once"] => send.write_chunk(FrameBytes::new().stamped(1)).await.ok()?,
        _ => {}
    }
    // Until the reader goes.
    let _ = send.stopped().await;
    Some(())
}
