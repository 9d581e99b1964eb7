//! The box's own HTTP listener: calls, server-sent events, and the upgrade to a WebSocket.
//!
//! A connection has a few seconds to bring a whole head, is bounded in what it may send, and gives up on a peer that
//! takes nothing. An upgraded one leaves the HTTP machinery altogether: its task ends, and a small one takes the bare
//! connection over.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::task::Context;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::HeaderMap;
use hyper::Request;
use hyper::Response;
use hyper::StatusCode;
use hyper::Version;
use hyper::body::Frame;
use hyper::body::Incoming;
use hyper::body::SizeHint;
use hyper::header;
use hyper::header::HeaderName;
use hyper::header::HeaderValue;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::rt::TokioTimer;
use rustix::net::sockopt;
use tokio::io::AsyncRead;
use tokio::io::AsyncWrite;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::sleep;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use crate::edge::guard::Doors;
use crate::edge::guard::Guest;
use crate::edge::patience::Patient;
use crate::edge::request::ALWAYS;
use crate::edge::request::Ask;
use crate::edge::request::Body;
use crate::edge::request::Reply;
use crate::edge::request::Upgrade;
use crate::edge::request::Whole;
use crate::edge::request::answer;
use crate::edge::sse::EventStream;
use crate::edge::ws;
use crate::tools::Via;
use crate::tools::error::ToolError;

/// How long a connection may take to bring a whole head, or to shake hands in TLS.
const HEAD_LIMIT: Duration = Duration::from_secs(5);

/// Longest head of a request, and bytes of a body that are read ahead.
const HEAD_MAX: usize = 32 * 1024;

/// Most headers of a request.
const HEADERS_MAX: usize = 64;

/// The kernel gives up a peer that acknowledges nothing for so long.
const USER_TIMEOUT: Duration = Duration::from_secs(20);

/// So long nothing may come before the kernel asks whether the peer is there, and then each [`ASK_AGAIN`].
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// See [`KEEP_ALIVE`].
const ASK_AGAIN: Duration = Duration::from_secs(5);

/// Pause after the system had no descriptor or no memory for a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Takes connections until the doors close. `tls` is what those who come see, and may change.
pub async fn serve(doors: Doors, listener: TcpListener, tls: Option<watch::Receiver<Arc<rustls::ServerConfig>>>) {
    loop {
        let (tcp, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // A peer that left while it waited is nothing; anything else passes or is the system's trouble.
                    if !matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset) {
                        tracing::warn!(%error, "a connection cannot be accepted");
                        sleep(ACCEPT_PAUSE).await;
                    }
                    continue;
                }
            },
            () = doors.closed() => return,
        };
        let Some(guest) = doors.admit(Some(peer.ip())) else {
            tracing::debug!(%peer, "a connection is turned away: too many are open");
            continue;
        };
        let tls = tls.as_ref().map(|tls| TlsAcceptor::from(tls.borrow().clone()));
        tokio::spawn(greet(doors.clone(), guest, tcp, peer, tls));
    }
}

/// The guest in it is counted by the doors, which see it leave.
async fn greet(doors: Doors, guest: Guest, tcp: TcpStream, peer: SocketAddr, tls: Option<TlsAcceptor>) {
    if let Err(error) = tcp.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY cannot be set");
    }
    notice_silence(&tcp);
    match tls {
        None => connection(doors, guest, Patient::new(tcp), peer).await,
        Some(tls) => match timeout(HEAD_LIMIT, tls.accept(tcp)).await {
            Ok(Ok(stream)) => connection(doors, guest, Patient::new(stream), peer).await,
            Ok(Err(error)) => tracing::debug!(%peer, %error, "no handshake"),
            Err(_) => tracing::debug!(%peer, "a handshake took too long"),
        },
    }
}

/// Whoever is gone without a word is given up after [`KEEP_ALIVE`] and [`USER_TIMEOUT`], also while there is nothing to say
/// to it. Where the kernel cannot, the heartbeat of a stream and its limits on writing are left.
fn notice_silence(tcp: &TcpStream) {
    let user_timeout = u32::try_from(USER_TIMEOUT.as_millis()).unwrap_or(u32::MAX);
    let set = sockopt::set_tcp_user_timeout(tcp, user_timeout)
        .and_then(|()| sockopt::set_tcp_keepidle(tcp, KEEP_ALIVE))
        .and_then(|()| sockopt::set_tcp_keepintvl(tcp, ASK_AGAIN))
        .and_then(|()| sockopt::set_socket_keepalive(tcp, true));
    if let Err(error) = set {
        tracing::debug!(%error, "the kernel does not watch this connection");
    }
}

/// Serves one connection to its end, or to its upgrade.
async fn connection<S>(doors: Doors, guest: Guest, io: Patient<S>, peer: SocketAddr)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let upgrade: Arc<Mutex<Option<Upgrade>>> = Arc::default();
    let service = service_fn(|request: Request<Incoming>| {
        let (doors, upgrade) = (doors.clone(), upgrade.clone());
        let answered = async move { Ok(respond(&doors, request, &upgrade).await) };
        // Boxed, so that the connection can be taken apart for an upgrade.
        Box::pin(answered) as Pin<Box<dyn Future<Output = Result<_, Infallible>> + Send>>
    });
    let mut conn = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_LIMIT)
        .max_buf_size(HEAD_MAX)
        .max_headers(HEADERS_MAX)
        .serve_connection(TokioIo::new(io), service);
    let mut closing = false;
    let done = loop {
        tokio::select! {
            done = std::future::poll_fn(|cx| conn.poll_without_shutdown(cx)) => break done,
            () = doors.closed(), if !closing => {
                closing = true;
                Pin::new(&mut conn).graceful_shutdown();
            }
        }
    };
    if let Err(error) = done {
        tracing::debug!(%peer, %error, "a connection broke");
        return;
    }
    let http1::Parts { io, read_buf, .. } = conn.into_parts();
    let mut io = io.into_inner();
    let taken = upgrade.lock().unwrap_or_else(PoisonError::into_inner).take();
    match taken {
        Some(upgrade) => ws::spawn(doors, guest, io, read_buf, upgrade).await,
        None => {
            let _ = timeout(HEAD_LIMIT, io.shutdown()).await;
        }
    }
}

async fn respond(doors: &Doors, request: Request<Incoming>, slot: &Mutex<Option<Upgrade>>) -> Response<ReplyBody> {
    let (head, body) = request.into_parts();
    let key = match socket_key(&head.headers, head.version) {
        Ok(key) => key,
        Err(error) => return response(Reply::Whole(Whole::error(&error)), None).0,
    };
    let ask = Ask {
        via: Via::Direct,
        method: &head.method,
        target: head.uri.path_and_query().map_or("/", |t| t.as_str()),
        headers: &head.headers,
        socket: key.is_some(),
    };
    let reply = answer(doors, &ask, &mut HyperBody(body)).await;
    let (response, upgrade) = response(reply, key);
    if upgrade.is_some() {
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = upgrade;
    }
    response
}

/// The answer to the client's key, if it wants a WebSocket.
fn socket_key(headers: &HeaderMap, version: Version) -> Result<Option<String>, ToolError> {
    let says = |name: HeaderName, word: &str| {
        let values = headers.get_all(name).iter().filter_map(|v| v.to_str().ok());
        values.flat_map(|v| v.split(',')).any(|v| v.trim().eq_ignore_ascii_case(word))
    };
    if !says(header::CONNECTION, "upgrade") || !says(header::UPGRADE, "websocket") {
        return Ok(None);
    }
    if version != Version::HTTP_11 || !says(header::SEC_WEBSOCKET_VERSION, "13") {
        return Err(ToolError::invalid("a WebSocket needs HTTP/1.1 and Sec-WebSocket-Version: 13"));
    }
    let key = headers.get(header::SEC_WEBSOCKET_KEY).filter(|key| key.len() == 24);
    let key = key.ok_or_else(|| ToolError::invalid("Sec-WebSocket-Key is missing or wrong"))?;
    Ok(Some(derive_accept_key(key.as_bytes())))
}

fn response(reply: Reply, key: Option<String>) -> (Response<ReplyBody>, Option<Upgrade>) {
    let (status, headers, body, upgrade) = match reply {
        Reply::Whole(whole) => (whole.status, whole.headers, ReplyBody::Whole(Some(whole.body)), None),
        Reply::Events(events, headers) => (200, headers, ReplyBody::Events(Box::new(events)), None),
        Reply::Socket(upgrade) => {
            let headers = vec![
                ("connection", "Upgrade".to_owned()),
                ("upgrade", "websocket".to_owned()),
                ("sec-websocket-accept", key.unwrap_or_default()),
            ];
            (101, headers, ReplyBody::Whole(None), Some(upgrade))
        }
    };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in ALWAYS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    (response, upgrade)
}

/// The body of an answer.
enum ReplyBody {
    Whole(Option<Bytes>),
    Events(Box<EventStream>),
}

impl hyper::body::Body for ReplyBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut *self {
            ReplyBody::Whole(body) => Poll::Ready(body.take().filter(|b| !b.is_empty()).map(|b| Ok(Frame::data(b)))),
            ReplyBody::Events(events) => events.poll_piece(cx).map(|piece| piece.map(|b| Ok(Frame::data(b)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, ReplyBody::Whole(body) if body.as_ref().is_none_or(Bytes::is_empty))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            ReplyBody::Whole(body) => SizeHint::with_exact(body.as_ref().map_or(0, |b| b.len() as u64)),
            ReplyBody::Events(_) => SizeHint::default(),
        }
    }
}

/// A request's body as it comes.
struct HyperBody(Incoming);

impl Body for HyperBody {
    fn piece(&mut self) -> Pin<Box<dyn Future<Output = Result<Option<Bytes>, ToolError>> + Send + '_>> {
        Box::pin(async move {
            loop {
                return match self.0.frame().await {
                    None => Ok(None),
                    Some(Ok(frame)) => match frame.into_data() {
                        Ok(data) => Ok(Some(data)),
                        Err(_) => continue, // Trailers.
                    },
                    Some(Err(_)) => Err(ToolError::invalid("the body ended before its end")),
                };
            }
        })
    }
}
