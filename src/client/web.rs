//! HTTP and WebSockets: to a box on the LAN, or to a relay that carries both on to its box.
//!
//! One attempt is one TCP connection and one exchange: the upgrade names the session and who calls, and the box opens and
//! attaches in one, so a resume costs what a bare reconnect costs. What answers like no box does (a captive portal, a proxy's error
//! page) is a broken path and never a refusal.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use http_body_util::Full;
use http_body_util::Limited;
use hyper::Method;
use hyper::Request;
use hyper::Response;
use hyper::StatusCode;
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper::header;
use hyper::header::HeaderMap;
use hyper_util::rt::TokioIo;
use prost::Message;
use rustls::pki_types::ServerName;
use tokio::io::AsyncRead;
use tokio::io::AsyncWrite;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use vyre_proto::head::End;
use vyre_proto::json::code_from_name;
use vyre_proto::json::parse_error;
use vyre_proto::limits::RECORD_MAX;
use vyre_proto::pb::stream as pb;

use super::call::CallError;
use super::carrier::Via;
use super::limits;
use super::target::Token;
use super::target::authority;

/// Content type of a protobuf message.
const PROTOBUF: &str = "application/x-protobuf";

/// What carries HTTP.
pub(super) trait Io: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

/// TCP, with TLS or without.
pub(super) type Socket = Box<dyn Io>;

/// One HTTP side: where it is and how its paths begin.
pub(super) struct Web {
    pub via: Via,
    host: String,
    port: u16,
    /// What stands before `/v1`.
    base: String,
    tls: Option<(TlsConnector, ServerName<'static>)>,
    /// A connection that the last call has left open.
    idle: Mutex<Option<Http>>,
}

/// One HTTP connection. Its task ends with it.
struct Http {
    sender: http1::SendRequest<Full<Bytes>>,
    task: JoinHandle<()>,
}

impl Drop for Http {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Web {
    pub fn new(
        via: Via,
        host: String,
        port: u16,
        base: String,
        tls: Option<(TlsConnector, ServerName<'static>)>,
    ) -> Self {
        Self { via, host, port, base, tls, idle: Mutex::new(None) }
    }

    /// Makes a connection for the next call. `fresh`: one that is open already does not do.
    pub async fn connect(&self, fresh: bool) -> Result<(), CallError> {
        let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).take();
        let usable = kept.filter(|http| !fresh && !http.sender.is_closed());
        let http = match usable {
            Some(http) => http,
            None => self.dial().await?,
        };
        *self.idle.lock().unwrap_or_else(PoisonError::into_inner) = Some(http);
        Ok(())
    }

    /// Calls a tool. The connection is kept for the next call.
    pub async fn call(&self, token: &Token, tool: &str, key: Option<&str>, body: Bytes) -> Result<Bytes, CallError> {
        let mut kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(http) = &mut kept
            && http.sender.ready().await.is_err()
        {
            kept = None;
        }
        let request = self.tool(token, tool, key, body)?;
        let (mut http, answer) = match kept {
            Some(mut http) => {
                // Only what was never sent goes again by itself.
                match http.sender.try_send_request(request).await {
                    Ok(answer) => (http, Ok(answer)),
                    Err(mut e) => match e.take_message() {
                        Some(request) => self.dial_and_send(request).await?,
                        None => (http, Err(CallError::NoAnswer)),
                    },
                }
            }
            None => self.dial_and_send(request).await?,
        };
        let answer = body_of(answer?).await?;
        if http.sender.ready().await.is_ok() {
            *self.idle.lock().unwrap_or_else(PoisonError::into_inner) = Some(http);
        }
        Ok(answer)
    }

    async fn dial_and_send(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<(Http, Result<Response<Incoming>, CallError>), CallError> {
        let mut http = self.dial().await?;
        let answer = http.sender.send_request(request).await.map_err(|_| CallError::NoAnswer);
        Ok((http, answer))
    }

    /// Opens a session and attaches to it.
    pub async fn attach(
        &self,
        token: &Token,
        open: &pb::StreamOpen,
        options: &pb::AttachOptions,
    ) -> Result<WebSocketStream<Socket>, CallError> {
        let mut target = format!(
            "/v1/streams/stream/session?session={}&from={}&client={}&attempt={}",
            percent_encoded(&open.session),
            open.from,
            options.client,
            options.attempt
        );
        if !open.log.is_empty() {
            target.push_str(&format!("&log={}", open.log));
        }
        if open.view > 0 {
            target.push_str(&format!("&view={}", open.view));
        }
        if options.unmerged {
            target.push_str("&merge=none");
        }
        let http = self.dial().await?;
        self.upgrade(http, &target, Some(token)).await
    }

    /// The WebSocket of a producer.
    pub async fn publish(&self, token: &Token) -> Result<WebSocketStream<Socket>, CallError> {
        let http = self.dial().await?;
        self.upgrade(http, "/v1/streams/publish", Some(token)).await
    }

    /// The WebSocket of a screen on a terminal. Its ticket is the right.
    pub async fn terminal(&self, stream: &pb::TermStream) -> Result<WebSocketStream<Socket>, CallError> {
        let (ticket, surface) = (percent_encoded(&stream.ticket), percent_encoded(&stream.surface));
        let mut target = format!("/v1/streams/term?ticket={ticket}&surface={surface}");
        if let Some(from) = stream.from {
            target.push_str(&format!("&from={from}"));
        }
        let http = self.dial().await?;
        self.upgrade(http, &target, None).await
    }

    async fn upgrade(
        &self,
        mut http: Http,
        target: &str,
        token: Option<&Token>,
    ) -> Result<WebSocketStream<Socket>, CallError> {
        let key = generate_key();
        let request = self
            .request(Method::GET, target, token)
            .header(header::CONNECTION, "Upgrade")
            .header(header::UPGRADE, "websocket")
            .header(header::SEC_WEBSOCKET_VERSION, "13")
            .header(header::SEC_WEBSOCKET_KEY, &key)
            .body(Full::default())
            .map_err(|_| CallError::NotABox)?;
        let mut answer = send(&mut http, request, limits::UPGRADE).await?;
        if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
            return Err(refusal(answer).await);
        }
        let accept = answer.headers().get(header::SEC_WEBSOCKET_ACCEPT);
        if accept.is_none_or(|a| a.as_bytes() != derive_accept_key(key.as_bytes()).as_bytes()) {
            return Err(CallError::NotABox);
        }
        let upgraded = timeout(limits::UPGRADE, hyper::upgrade::on(&mut answer));
        let upgraded = upgraded.await.map_err(|_| CallError::TimedOut)?.map_err(|_| CallError::NoAnswer)?;
        let parts = upgraded.downcast::<TokioIo<Socket>>().map_err(|_| CallError::NotABox)?;
        let config = WebSocketConfig::default()
            .read_buffer_size(limits::WS_BUFFER)
            .write_buffer_size(0)
            .max_write_buffer_size(2 * limits::WINDOW_BYTES)
            .max_frame_size(Some(2 * RECORD_MAX))
            .max_message_size(Some(2 * RECORD_MAX));
        let (io, read) = (parts.io.into_inner(), parts.read_buf.to_vec());
        Ok(WebSocketStream::from_partially_read(io, read, Role::Client, Some(config)).await)
    }

    fn request(&self, method: Method, target: &str, token: Option<&Token>) -> hyper::http::request::Builder {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{}{target}", self.base))
            .header(header::HOST, authority(&self.host, self.port));
        if let Some(token) = token {
            let bearer = hyper::header::HeaderValue::try_from(format!("Bearer {}", token.secret()));
            if let Ok(mut bearer) = bearer {
                bearer.set_sensitive(true);
                request = request.header(header::AUTHORIZATION, bearer);
            }
        }
        request
    }

    fn tool(
        &self,
        token: &Token,
        tool: &str,
        key: Option<&str>,
        body: Bytes,
    ) -> Result<Request<Full<Bytes>>, CallError> {
        let mut request = self
            .request(Method::POST, &format!("/v1/tools/{tool}"), Some(token))
            .header(header::CONTENT_TYPE, PROTOBUF)
            .header(header::ACCEPT, PROTOBUF);
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        request.body(Full::new(body)).map_err(|_| CallError::Invalid)
    }

    async fn dial(&self) -> Result<Http, CallError> {
        let places = timeout(limits::RESOLVE, tokio::net::lookup_host((self.host.as_str(), self.port)));
        let places = places.await.map_err(|_| CallError::silent())?.map_err(CallError::Unreachable)?;
        let mut failed = CallError::silent();
        for place in places {
            match timeout(limits::DIAL, TcpStream::connect(place)).await {
                Ok(Ok(tcp)) => return self.greet(tcp).await,
                Ok(Err(e)) => failed = CallError::Unreachable(e),
                Err(_) => {}
            }
        }
        Err(failed)
    }

    async fn greet(&self, tcp: TcpStream) -> Result<Http, CallError> {
        tcp.set_nodelay(true).map_err(CallError::Unreachable)?;
        let socket: Socket = match &self.tls {
            None => Box::new(tcp),
            Some((connector, name)) => {
                let tls = timeout(limits::HANDSHAKE, connector.connect(name.clone(), tcp));
                Box::new(tls.await.map_err(|_| CallError::silent())?.map_err(CallError::Unreachable)?)
            }
        };
        let mut builder = http1::Builder::new();
        builder.max_buf_size(2 * limits::WS_BUFFER);
        let (sender, connection) = builder.handshake(TokioIo::new(socket)).await.map_err(|_| CallError::NoAnswer)?;
        let task = tokio::spawn(async move {
            // Its failures are seen by whoever waits for an answer.
            let _ = connection.with_upgrades().await;
        });
        Ok(Http { sender, task })
    }
}

/// As a value in a query.
fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for b in text.bytes() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(b)),
            _ => out.push_str(&format!("%{b:02X}")),
        }
    }
    out
}

async fn send(
    http: &mut Http,
    request: Request<Full<Bytes>>,
    limit: Duration,
) -> Result<Response<Incoming>, CallError> {
    let answer = timeout(limit, http.sender.send_request(request)).await;
    answer.map_err(|_| CallError::TimedOut)?.map_err(|_| CallError::NoAnswer)
}

async fn body_of(answer: Response<Incoming>) -> Result<Bytes, CallError> {
    if answer.status() != StatusCode::OK {
        return Err(refusal(answer).await);
    }
    if !is(answer.headers(), PROTOBUF) {
        return Err(CallError::NotABox);
    }
    let body = timeout(limits::CALL, Limited::new(answer.into_body(), limits::BODY_MAX).collect());
    let body = body.await.map_err(|_| CallError::TimedOut)?.map_err(|_| CallError::NoAnswer)?;
    Ok(body.to_bytes())
}

fn is(headers: &HeaderMap, content_type: &str) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|t| t.as_bytes().starts_with(content_type.as_bytes()))
}

/// What an answer that is not the wanted one says. Only a box's or a relay's own words are a refusal.
async fn refusal(answer: Response<Incoming>) -> CallError {
    let (parts, body) = answer.into_parts();
    let after = parts.headers.get(header::RETRY_AFTER).and_then(|v| v.to_str().ok()).and_then(|v| v.parse().ok());
    let after = Duration::from_secs(after.unwrap_or(0));
    let busy = matches!(parts.status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS);
    let unknown = || match busy {
        true => CallError::refused(pb::ErrorCode::Unavailable, "the server is busy", after),
        false => CallError::NotABox,
    };
    let body = timeout(limits::ANSWER, Limited::new(body, limits::ERROR_MAX).collect()).await;
    let Ok(Ok(body)) = body else { return unknown() };
    let body = body.to_bytes();
    if is(&parts.headers, PROTOBUF) {
        return match pb::Error::decode(body) {
            Ok(e) => CallError::of(e),
            Err(_) => unknown(),
        };
    }
    let said = std::str::from_utf8(&body).ok().filter(|_| is(&parts.headers, "application/json"));
    match said.and_then(said_error) {
        Some(mut e) => {
            e.retry_after_ms = e.retry_after_ms.max(u32::try_from(after.as_millis()).unwrap_or(u32::MAX));
            CallError::of(e)
        }
        None => unknown(),
    }
}

/// The error in a body: a box's, or a relay's, whose words are the names of ends.
fn said_error(body: &str) -> Option<pb::Error> {
    #[derive(serde::Deserialize)]
    struct Said {
        code: String,
        #[serde(default)]
        message: String,
    }
    let said: Said = serde_json::from_str(body).ok()?;
    if code_from_name(&said.code).is_some() {
        return parse_error(body);
    }
    let code = match End::from_name(&said.code)? {
        End::Away | End::Restart | End::Overload | End::Lost | End::Slow | End::Cancelled => pb::ErrorCode::Unavailable,
        End::Done
        | End::Invalid
        | End::NotBinary
        | End::TooLarge
        | End::Unauthenticated
        | End::Denied
        | End::NotFound
        | End::Replaced
        | End::Internal => pb::ErrorCode::Internal,
    };
    Some(pb::Error { code: code.into(), message: said.message, retry_after_ms: 0 })
}
