//! The HTTPS side: `/b/<box id>/v1/...` as WebSocket, as server-sent events and as plain calls.
//!
//! The relay reads of a request what it must to carry it: box, method, target, and a short list of headers. The box
//! answers, with its own status; nothing of a box's answer but a short list of headers goes out, and every answer
//! carries `nosniff` and a sandbox, because all boxes share one origin here. There is no page, no script and no cookie.
//!
//! The target may hold a ticket. It goes to the box and into no log.

mod answer;
mod door;
mod proxy;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::Method;
use hyper::Request;
use hyper::Response;
use hyper::StatusCode;
use hyper::body::Incoming;
use hyper::header;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::rt::TokioTimer;
use rustls::ServerConfig;
use tokio::io::AsyncRead;
use tokio::io::AsyncWrite;
use tokio::net::TcpListener;
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use vyre_proto::head::Carried;
use vyre_proto::head::End;
use vyre_proto::head::Header;
use vyre_proto::head::Request as Asked;
use vyre_proto::ids::BoxId;

use self::door::HalfMade;
use crate::bridge::socket;
use crate::hub::Hub;
use crate::hub::Opened;
use crate::patience::Patient;
use crate::quic::plain;

/// A TLS handshake or a request's head that takes longer is given up; so is a connection that stays silent in between.
const HEAD_LIMIT: Duration = Duration::from_secs(5);

/// Buffer of a connection's head: a target of 8 KiB with its headers.
const HEAD_MAX: usize = 24 * 1024;

/// Headers of a request that a box is shown.
const SHOWN: &[&str] = &[
    "accept",
    "access-control-request-headers",
    "access-control-request-method",
    "authorization",
    "content-encoding",
    "content-length",
    "content-type",
    "host",
    "idempotency-key",
    "if-none-match",
    "last-event-id",
    "origin",
    "sec-fetch-site",
    "user-agent",
];

type Body = UnsyncBoxBody<Bytes, std::io::Error>;

/// What the listener needs.
#[derive(Clone)]
pub struct Web {
    /// Where phones meet boxes.
    pub hub: Arc<Hub>,
    /// TLS as it is now; none where the owner asked for plain HTTP.
    pub tls: Option<watch::Receiver<Arc<ServerConfig>>>,
    /// `/metrics` is answered.
    pub metrics: bool,
    /// A reader that takes nothing for so long is cut.
    pub stall: Duration,
}

/// Where the relay stands in its life, as connections see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// All is served.
    Up,
    /// Nothing new is taken; what is open goes on.
    Draining,
    /// All is closed now.
    Closing,
}

/// Resolves once the relay has come this far, or is gone.
async fn reached(mut phase: watch::Receiver<Phase>, this: Phase) {
    // What is waited for is read again by nobody: the guard goes before anything else is awaited.
    drop(phase.wait_for(|p| *p >= this).await);
}

/// Accepts until the phase is [`Phase::Draining`], then waits for what it has begun; dropped, it ends all of it.
pub async fn serve(listener: TcpListener, web: Web, phase: watch::Receiver<Phase>) {
    let mut connections = JoinSet::new();
    let mut stopping = std::pin::pin!(reached(phase.clone(), Phase::Draining));
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((tcp, peer)) => {
                    let peer = plain(peer);
                    if let Some(half_made) = door::admit(&web.hub, peer) {
                        connections.spawn(connection(tcp, peer, web.clone(), phase.clone(), half_made));
                    }
                }
                Err(e) => {
                    // Out of descriptors, or the peer was gone before it was taken. Neither ends a server.
                    web.hub.metrics.accept_errors.add_one();
                    tracing::warn!("accept: {e}");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            Some(over) = connections.join_next() => drop(web.hub.metrics.task_over(over)),
            () = &mut stopping => break,
        }
    }
    drop(listener);
    while let Some(over) = connections.join_next().await {
        web.hub.metrics.task_over(over);
    }
}

async fn connection(tcp: TcpStream, peer: SocketAddr, web: Web, phase: watch::Receiver<Phase>, half_made: HalfMade) {
    let hub = web.hub.clone();
    let _held = hub.metrics.web_connections.hold();
    let _ = tcp.set_nodelay(true);
    door::notice_silence(&tcp, web.stall);
    let io = Patient::new(tcp, web.stall);
    let phone = Phone { peer, cut: Arc::default() };
    tokio::select! {
        () = serve_one(io, &phone, web, phase, &half_made) => {}
        () = phone.cut.notified() => hub.metrics.streams_shed.add_one(),
        // Only before the first request: nothing is cut that had begun.
        () = half_made.lost() => hub.metrics.handshakes_evicted.add_one(),
    }
}

/// Who is on a connection.
struct Phone {
    peer: SocketAddr,
    /// Told when an answer on it has to be cut: while its reader takes nothing, nobody asks for the answer's next piece.
    cut: Arc<Notify>,
}

async fn serve_one(
    io: Patient<TcpStream>,
    phone: &Phone,
    web: Web,
    phase: watch::Receiver<Phase>,
    half_made: &HalfMade,
) {
    let tls = web.tls.as_ref().map(|tls| TlsAcceptor::from(tls.borrow().clone()));
    match tls {
        None => http(io, phone, web, phase, half_made).await,
        Some(tls) => {
            let accepting = tls.accept_with(io, |session| session.set_buffer_limit(Some(16 * 1024)));
            match timeout(HEAD_LIMIT, accepting).await {
                Ok(Ok(io)) => http(io, phone, web, phase, half_made).await,
                Ok(Err(_)) => web.hub.metrics.handshakes_failed.add_one(),
                Err(_) => web.hub.metrics.handshakes_late.add_one(),
            }
        }
    }
}

/// A WebSocket that stands as soon as the connection has switched.
struct Switching {
    upgrade: hyper::upgrade::OnUpgrade,
    opened: Opened,
    rest: Bytes,
}

/// Speaks HTTP on one connection, and then WebSocket if it switches: one task for the whole life of a connection.
async fn http<S>(io: S, phone: &Phone, web: Web, phase: watch::Receiver<Phase>, half_made: &HalfMade)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let switching: Mutex<Option<Switching>> = Mutex::new(None);
    let hub = &web.hub;
    let done = {
        let service = service_fn(|request| {
            half_made.whole();
            let (web, switching) = (&web, &switching);
            async move {
                let response = serve_request(request, phone, web, switching).await;
                Ok::<_, Infallible>(answer::guarded(response))
            }
        });
        let mut serving = std::pin::pin!(
            hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_LIMIT)
                .max_buf_size(HEAD_MAX)
                .max_headers(64)
                .serve_connection(TokioIo::new(io), service)
                .with_upgrades()
        );
        tokio::select! {
            done = &mut serving => done,
            () = reached(phase.clone(), Phase::Draining) => {
                serving.as_mut().graceful_shutdown();
                tokio::select! {
                    done = &mut serving => done,
                    () = reached(phase.clone(), Phase::Closing) => return,
                }
            }
        }
    };
    if let Err(e) = done
        && (e.is_timeout() || e.is_incomplete_message())
    {
        hub.metrics.heads_late.add_one();
    }
    let switched = switching.into_inner().unwrap_or_else(PoisonError::into_inner);
    let Some(Switching { upgrade, mut opened, rest }) = switched else { return };
    let Ok(upgraded) = upgrade.await else { return };
    let link = opened.link.clone();
    // A restart closes the socket with a reason instead of cutting it.
    let closing = reached(phase, Phase::Closing);
    let end = socket::socket(
        TokioIo::new(upgraded),
        &mut opened.at_box,
        rest,
        hub.terms(&opened.readers),
        || link.lost(),
        closing,
    )
    .await;
    hub.metrics.ended.add_one(end);
}

async fn serve_request(
    request: Request<Incoming>,
    phone: &Phone,
    web: &Web,
    switching: &Mutex<Option<Switching>>,
) -> Response<Body> {
    let hub = &web.hub;
    hub.metrics.requests.add_one();
    let path = request.uri().path();
    let of_box = match path {
        "/health" if request.method() == Method::GET => return answer::health(hub.boxes(), hub.streams()),
        "/metrics" if request.method() == Method::GET && web.metrics => return answer::text(hub.counters()),
        _ => box_and_path(path),
    };
    let Some((id, below)) = of_box else {
        return answer::error(StatusCode::NOT_FOUND, "not_found", "a relay has nothing but /b/<box id>/v1/");
    };
    let target = match request.uri().query() {
        Some(query) => format!("{below}?{query}"),
        None => below.to_owned(),
    };
    let headers = request
        .headers()
        .iter()
        .filter(|(name, _)| SHOWN.contains(&name.as_str()))
        .filter_map(|(name, value)| Header::new(name.as_str(), value.to_str().ok()?).ok())
        .collect();
    let Ok(asked) = Asked::new(request.method().as_str(), &target, headers) else {
        return answer::error(StatusCode::BAD_REQUEST, "invalid", "the request has a form that cannot be carried");
    };
    let response = match accept_key(&request) {
        Some(Ok(key)) => upgrade(request, &id, asked, key, phone, hub, switching).await,
        Some(Err(what)) => Err(answer::error(StatusCode::BAD_REQUEST, "invalid", what)),
        None => proxy::call(request.into_body(), &id, Carried::Http(asked), phone, hub, web.stall).await,
    };
    response.unwrap_or_else(|refused| refused)
}

/// Box and target of a path; `None` for everything that does not lead to a box's `/v1/`.
fn box_and_path(path: &str) -> Option<(BoxId, &str)> {
    let rest = path.strip_prefix("/b/")?;
    let (id, _) = rest.split_once('/')?;
    let below = rest.get(id.len()..)?;
    let climbs = |segment: &str| matches!(segment.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..");
    if !below.starts_with("/v1/") || below.split('/').any(climbs) {
        return None;
    }
    Some((id.parse().ok()?, below))
}

/// What answers the key of a WebSocket upgrade; `None` if it asks for none, an error if it asks wrongly.
fn accept_key(request: &Request<Incoming>) -> Option<Result<String, &'static str>> {
    let headers = request.headers();
    let lists = |name: header::HeaderName, word: &str| {
        headers
            .get_all(name)
            .iter()
            .filter_map(|v| v.to_str().ok())
            .any(|v| v.split(',').any(|w| w.trim().eq_ignore_ascii_case(word)))
    };
    if !lists(header::UPGRADE, "websocket") {
        return None;
    }
    let key = headers.get(header::SEC_WEBSOCKET_KEY);
    Some(match key {
        _ if request.method() != Method::GET || !lists(header::CONNECTION, "upgrade") => {
            Err("a WebSocket begins with GET and `Connection: upgrade`")
        }
        _ if headers.get(header::SEC_WEBSOCKET_VERSION).is_none_or(|v| v.as_bytes() != b"13") => {
            Err("version 13 of WebSocket is spoken here")
        }
        Some(key) if key.len() == 24 => Ok(derive_accept_key(key.as_bytes())),
        _ => Err("a WebSocket begins with a key of 16 bytes in base64"),
    })
}

/// Asks the box whether the WebSocket may stand, and prepares the switch if so.
async fn upgrade(
    mut request: Request<Incoming>,
    id: &BoxId,
    asked: Asked,
    key: String,
    phone: &Phone,
    hub: &Arc<Hub>,
    switching: &Mutex<Option<Switching>>,
) -> Result<Response<Body>, Response<Body>> {
    let mut opened = proxy::open(id, Carried::WebSocket(asked), phone, hub).await?;
    let (reply, rest) = match proxy::reply(&mut opened.at_box.recv, &opened.link).await {
        Ok(reply) => reply,
        Err(end) => {
            opened.at_box.cut(end);
            hub.metrics.ended.add_one(end);
            return Err(refusal(end));
        }
    };
    if reply.status() != 101 {
        return Ok(proxy::refused_upgrade(&reply, rest, opened, phone, hub));
    }
    let upgrade = hyper::upgrade::on(&mut request);
    *switching.lock().unwrap_or_else(PoisonError::into_inner) = Some(Switching { upgrade, opened, rest });
    Ok(answer::switching(&key))
}

/// Names an ending for a phone that waits for an HTTP answer.
fn refusal(end: End) -> Response<Body> {
    let status = StatusCode::from_u16(end.status()).unwrap_or(StatusCode::BAD_GATEWAY);
    let code = match end {
        End::Overload => "rate_limited",
        End::Away | End::Restart | End::Lost | End::Slow => "unavailable",
        End::Done | End::Cancelled | End::Invalid | End::NotBinary | End::Internal | End::Replaced => "internal",
        End::TooLarge | End::Unauthenticated | End::Denied | End::NotFound => end.name(),
    };
    // Statuses that blame the caller or that nobody registered are not for what went wrong behind.
    let status = match end {
        End::Slow => StatusCode::GATEWAY_TIMEOUT,
        End::Done | End::Cancelled | End::Invalid | End::NotBinary | End::Replaced => StatusCode::BAD_GATEWAY,
        End::TooLarge
        | End::Unauthenticated
        | End::Denied
        | End::NotFound
        | End::Overload
        | End::Away
        | End::Restart
        | End::Lost
        | End::Internal => status,
    };
    answer::error(status, code, end.sentence())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_boxs_v1_is_carried() {
        let id = BoxId([5; 32]);
        let good = format!("/b/{id}/v1/tools/stream.open");
        assert_eq!(box_and_path(&good), Some((id, "/v1/tools/stream.open")));
        for bad in [
            "/".to_owned(),
            "/b/".to_owned(),
            format!("/b/{id}"),
            format!("/b/{id}/"),
            format!("/b/{id}/v1"),
            format!("/b/{id}/v2/x"),
            format!("/b/{id}/v1/../x"),
            format!("/b/{id}/v1/%2E%2e/x"),
            format!("/b/{id}/v1/./x"),
            format!("/b/{}/v1/x", id.to_string().to_uppercase()),
            "/b/short/v1/x".to_owned(),
            format!("//b/{id}/v1/x"),
        ] {
            assert_eq!(box_and_path(&bad), None, "{bad}");
        }
    }
}
