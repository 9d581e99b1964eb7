//! A small box that does what it is told: the contract's surface over real sockets, with a script in place of a store.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use bytes::Bytes;
use futures_util::SinkExt;
use futures_util::StreamExt;
use http_body_util::BodyExt;
use http_body_util::Full;
use hyper::Request;
use hyper::Response;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use prost::Message as _;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;
use vyre_certs::identity::BoxIdentity;
use vyre_certs::tls;
use vyre_proto::ids::BoxId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::record;
use vyre_proto::record::Decoder;

pub const TOKEN: &str = "a-token-of-robin";

/// What is heard and what is to be done; every change wakes all streams.
#[derive(Default)]
pub struct Play {
    pub frames: Vec<pb::Frame>,
    pub log: u8,
    pub beat_ms: u32,
    /// `from` of each open.
    pub opens: Vec<u64>,
    /// Answers to the next opens, in place of the right one.
    pub refusals: VecDeque<(u16, &'static str, String)>,
    /// Streams stay open and are not fed.
    pub hush: bool,
    /// All streams begun before this are cut.
    pub generation: u64,
    pub bye: Option<pb::Bye>,
    pub published: Vec<String>,
    /// Cut a publish stream after so many events without answering, once.
    pub cut_publish_after: Option<usize>,
    /// Write records in pieces of so many bytes; 0: whole.
    pub cut: usize,
    pub connections: usize,
}

#[derive(Clone)]
pub struct Script {
    play: Arc<Mutex<Play>>,
    changed: Arc<watch::Sender<u64>>,
    pub http: SocketAddr,
    pub quic: SocketAddr,
    pub id: BoxId,
}

impl Script {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let identity = BoxIdentity::generate().unwrap();
        let tls = tls::box_server(identity.certified_key().unwrap()).unwrap();
        let crypto = quinn::crypto::rustls::QuicServerConfig::try_from(tls).unwrap();
        let config = quinn::ServerConfig::with_crypto(Arc::new(crypto));
        let endpoint = quinn::Endpoint::server(config, "127.0.0.1:0".parse().unwrap()).unwrap();
        let script = Self {
            play: Arc::new(Mutex::new(Play { log: 1, beat_ms: 60_000, ..Play::default() })),
            changed: Arc::new(watch::channel(0).0),
            http: listener.local_addr().unwrap(),
            quic: endpoint.local_addr().unwrap(),
            id: identity.box_id(),
        };
        tokio::spawn(script.clone().serve_http(listener));
        tokio::spawn(script.clone().serve_quic(endpoint));
        script
    }

    /// Changes the play and wakes everyone who reads it.
    pub fn set<R>(&self, change: impl FnOnce(&mut Play) -> R) -> R {
        let out = change(&mut self.play.lock().unwrap());
        self.changed.send_modify(|n| *n += 1);
        out
    }

    pub fn get<R>(&self, look: impl FnOnce(&Play) -> R) -> R {
        look(&self.play.lock().unwrap())
    }

    /// Appends `n` pieces of one message.
    pub fn append(&self, n: usize) {
        self.set(|p| {
            for _ in 0..n {
                let cur = p.frames.len() as u64 + 1;
                let text = format!("{cur} ");
                let at = p.frames.iter().map(|f| text_len(f) as u64).sum();
                p.frames.push(pb::Frame {
                    v: 1,
                    cur,
                    author: "assistant:h".into(),
                    message: "m1".into(),
                    data: Some(Data::TextDelta(pb::TextDelta { at, text, ..Default::default() })),
                    ..Default::default()
                });
            }
        });
    }

    pub fn cut_all(&self) {
        self.set(|p| p.generation += 1);
    }

    async fn serve_http(self, listener: TcpListener) {
        while let Ok((tcp, _)) = listener.accept().await {
            tcp.set_nodelay(true).unwrap();
            self.set(|p| p.connections += 1);
            let me = self.clone();
            let service = service_fn(move |request| {
                let me = me.clone();
                async move { Ok::<_, Infallible>(me.answer(request).await) }
            });
            tokio::spawn(
                hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(tcp), service).with_upgrades(),
            );
        }
    }

    async fn answer(self, mut request: Request<Incoming>) -> Response<Full<Bytes>> {
        let path = request.uri().path().to_owned();
        let query: HashMap<String, String> = request
            .uri()
            .query()
            .unwrap_or_default()
            .split('&')
            .filter_map(|p| p.split_once('=').map(|(a, b)| (a.to_owned(), b.to_owned())))
            .collect();
        let bearer = request.headers().get("authorization").map(|v| v.as_bytes().to_vec());
        let signed = bearer.as_deref() == Some(format!("Bearer {TOKEN}").as_bytes());
        if path == "/v1/streams/stream/session" {
            if !signed {
                return error(401, "unauthenticated", "sign in");
            }
            let from = query.get("from").and_then(|f| f.parse().ok()).unwrap_or(0);
            let session = query.get("session").cloned().unwrap_or_default();
            match self.open(pb::StreamOpen { session, from, ..Default::default() }) {
                Ok(_) => {}
                Err((0, kind, page)) => {
                    return Response::builder()
                        .status(200)
                        .header("content-type", kind)
                        .body(Full::from(page))
                        .unwrap();
                }
                Err((status, code, message)) => return error(status, code, &message),
            }
            let log = query.get("log").cloned().unwrap_or_default();
            let key = request.headers().get("sec-websocket-key").unwrap().clone();
            let me = self.clone();
            tokio::spawn(async move {
                let io = TokioIo::new(hyper::upgrade::on(&mut request).await.unwrap());
                let mut ws = WebSocketStream::from_raw_socket(io, Role::Server, None).await;
                me.feed_ws(&mut ws, from, log).await;
            });
            return switching(&key);
        }
        if path == "/v1/streams/publish" && signed {
            let key = request.headers().get("sec-websocket-key").unwrap().clone();
            let me = self.clone();
            tokio::spawn(async move {
                let io = TokioIo::new(hyper::upgrade::on(&mut request).await.unwrap());
                let ws = WebSocketStream::from_raw_socket(io, Role::Server, None).await;
                me.take_ws(ws).await;
            });
            return switching(&key);
        }
        if !signed {
            return error(401, "unauthenticated", "sign in");
        }
        let body = request.into_body().collect().await.unwrap().to_bytes();
        match path.as_str() {
            "/v1/tools/stream.open" => match self.open(pb::StreamOpen::decode(body).unwrap()) {
                Ok(opened) => protobuf(&opened),
                Err((0, kind, page)) => {
                    Response::builder().status(200).header("content-type", kind).body(Full::from(page)).unwrap()
                }
                Err((status, code, message)) => error(status, code, &message),
            },
            "/v1/tools/sessions.list" => protobuf(&listed()),
            _ => error(404, "not_found", "no such tool"),
        }
    }

    fn open(&self, open: pb::StreamOpen) -> Result<pb::StreamOpened, (u16, &'static str, String)> {
        self.set(|p| {
            p.opens.push(open.from);
            if let Some(refusal) = p.refusals.pop_front() {
                return Err(refusal);
            }
            let log = log_text(p.log);
            Ok(pb::StreamOpened { ticket: String::new(), head: p.frames.len() as u64, floor: 1, log, paths: vec![] })
        })
    }

    /// What a stream is sent next, and whether that is all.
    fn next(&self, generation: u64, at: &mut u64, out: &mut Vec<u8>) -> bool {
        self.get(|p| {
            if p.generation != generation {
                return true;
            }
            if p.hush {
                return false;
            }
            for f in p.frames.iter().skip(*at as usize) {
                out.extend_from_slice(&record::to_record(f));
                *at += 1;
            }
            if let Some(bye) = &p.bye {
                out.extend_from_slice(&record::to_record(&control(Data::Bye(bye.clone()))));
                return true;
            }
            false
        })
    }

    fn hello(&self, from: &mut u64, log: &str) -> Vec<u8> {
        self.get(|p| {
            let head = p.frames.len() as u64;
            let hello = pb::Hello { log: log_text(p.log), view: 1, floor: 1, head, beat_ms: p.beat_ms };
            let mut out = record::to_record(&control(Data::Hello(hello))).to_vec();
            if (!log.is_empty() && log != log_text(p.log)) || *from > head {
                let reset = pb::Reset {
                    reason: pb::ResetReason::OtherLog.into(),
                    log: log_text(p.log),
                    view: 1,
                    floor: 1,
                    head,
                };
                out.extend_from_slice(&record::to_record(&control(Data::Reset(reset))));
                *from = 0;
            }
            out
        })
    }

    async fn feed_ws(self, ws: &mut WebSocketStream<TokioIo<hyper::upgrade::Upgraded>>, mut at: u64, log: String) {
        let mut changed = self.changed.subscribe();
        let generation = self.get(|p| p.generation);
        let mut out = self.hello(&mut at, &log);
        loop {
            let over = self.next(generation, &mut at, &mut out);
            let piece = self.get(|p| if p.cut == 0 { usize::MAX } else { p.cut });
            for piece in out.chunks(piece.min(out.len().max(1))) {
                if ws.send(Message::Binary(Bytes::copy_from_slice(piece))).await.is_err() {
                    return;
                }
            }
            out.clear();
            if over {
                return;
            }
            tokio::select! {
                _ = changed.changed() => {}
                // Pings are answered by reading, unless the line is dead.
                m = ws.next(), if !self.get(|p| p.hush) => if !matches!(m, Some(Ok(_))) { return },
            }
        }
    }

    async fn take_ws(self, mut ws: WebSocketStream<TokioIo<hyper::upgrade::Upgraded>>) {
        let mut decoder = Decoder::new();
        let mut taken = Taken::default();
        while let Some(Ok(message)) = ws.next().await {
            let Message::Binary(bytes) = message else { continue };
            decoder.push(&bytes);
            while let Some(record) = decoder.next().unwrap() {
                match self.publish(&mut taken, pb::Publish::decode(record).unwrap()) {
                    Some(answer) => ws.send(Message::Binary(record::to_record(&answer))).await.unwrap(),
                    None => return,
                }
            }
        }
    }

    /// Takes events; `None`: cut the stream.
    fn publish(&self, taken: &mut Taken, publish: pb::Publish) -> Option<pb::Published> {
        self.set(|p| {
            let mut answer = pb::Published::default();
            for event in publish.events {
                let index = taken.upto;
                taken.upto += 1;
                if event.id.starts_with("bad") {
                    let error =
                        pb::Error { code: pb::ErrorCode::Invalid.into(), message: "bad".into(), retry_after_ms: 0 };
                    answer.refused.push(pb::Refused { index, error: Some(error) });
                } else if p.published.contains(&event.id) {
                    answer.duplicates += 1;
                } else {
                    p.published.push(event.id);
                    answer.accepted += 1;
                }
                if p.cut_publish_after.is_some_and(|n| n <= p.published.len()) {
                    p.cut_publish_after = None;
                    return None;
                }
            }
            answer.upto = taken.upto;
            Some(answer)
        })
    }

    async fn serve_quic(self, endpoint: quinn::Endpoint) {
        while let Some(incoming) = endpoint.accept().await {
            let me = self.clone();
            tokio::spawn(async move {
                let Ok(connecting) = incoming.accept() else { return };
                let connection = match connecting.into_0rtt() {
                    Ok((connection, _)) => connection,
                    Err(connecting) => match connecting.await {
                        Ok(connection) => connection,
                        Err(_) => return,
                    },
                };
                let mut counted = false;
                while let Ok((send, recv)) = connection.accept_bi().await {
                    // One whose handshake failed brings no stream.
                    if !std::mem::replace(&mut counted, true) {
                        me.set(|p| p.connections += 1);
                    }
                    tokio::spawn(me.clone().stream(send, recv));
                }
            });
        }
    }

    async fn stream(self, mut send: quinn::SendStream, mut recv: quinn::RecvStream) {
        let mut decoder = Decoder::new();
        let Some(head) = next_record(&mut recv, &mut decoder).await else { return };
        let head = pb::StreamHead::decode(head).unwrap();
        let answer = |a| record::to_record(&pb::StreamAnswer { answer: Some(a) });
        if head.bearer != TOKEN {
            let e =
                pb::Error { code: pb::ErrorCode::Unauthenticated.into(), message: "sign in".into(), retry_after_ms: 0 };
            let _ = send.write_chunk(answer(pb::stream_answer::Answer::Error(e))).await;
            return;
        }
        match head.want {
            Some(pb::stream_head::Want::Open(o)) => {
                let open = o.open.unwrap_or_default();
                let (mut at, log) = (open.from, open.log.clone());
                let opened = match self.open(open) {
                    Ok(opened) => opened,
                    Err((_, code, message)) => {
                        let code = format!("ERROR_CODE_{}", code.to_uppercase());
                        let code = pb::ErrorCode::from_str_name(&code).unwrap().into();
                        let e = pb::Error { code, message, retry_after_ms: 0 };
                        let _ = send.write_chunk(answer(pb::stream_answer::Answer::Error(e))).await;
                        return;
                    }
                };
                let mut out = answer(pb::stream_answer::Answer::Opened(opened)).to_vec();
                let mut changed = self.changed.subscribe();
                let generation = self.get(|p| p.generation);
                out.extend(self.hello(&mut at, &log));
                loop {
                    let over = self.next(generation, &mut at, &mut out);
                    if send.write_all(&out).await.is_err() {
                        return;
                    }
                    out.clear();
                    if over {
                        let _ = send.finish();
                        let _ = send.stopped().await;
                        return;
                    }
                    let _ = changed.changed().await;
                }
            }
            Some(pb::stream_head::Want::Calls(_)) => {
                let mut out = answer(pb::stream_answer::Answer::Accepted(pb::Accepted {})).to_vec();
                let call = pb::Call::decode(next_record(&mut recv, &mut decoder).await.unwrap()).unwrap();
                assert_eq!(call.tool, "sessions.list");
                let body = pb::answer::Answer::Body(listed().encode_to_vec().into());
                record_into(&pb::Answer { answer: Some(body) }, &mut out);
                send.write_all(&out).await.unwrap();
                send.finish().unwrap();
                let _ = send.stopped().await;
            }
            Some(pb::stream_head::Want::Publish(_)) => {
                send.write_chunk(answer(pb::stream_answer::Answer::Accepted(pb::Accepted {}))).await.unwrap();
                let mut taken = Taken::default();
                while let Some(record) = next_record(&mut recv, &mut decoder).await {
                    match self.publish(&mut taken, pb::Publish::decode(record).unwrap()) {
                        Some(answer) => send.write_chunk(record::to_record(&answer)).await.unwrap(),
                        None => {
                            let _ = send.reset(13u32.into());
                            return;
                        }
                    }
                }
            }
            _ => panic!("no client of this test asks that"),
        }
    }
}

#[derive(Default)]
struct Taken {
    upto: u64,
}

async fn next_record(recv: &mut quinn::RecvStream, decoder: &mut Decoder) -> Option<Bytes> {
    loop {
        if let Some(record) = decoder.next().unwrap() {
            return Some(record);
        }
        decoder.push(&recv.read_chunk(4096, true).await.ok()??.bytes);
    }
}

fn record_into(m: &impl prost::Message, out: &mut Vec<u8>) {
    out.extend_from_slice(&record::to_record(m));
}

fn listed() -> pb::SessionsListed {
    pb::SessionsListed { sessions: vec![pb::SessionInfo { session: "s1".into(), ..Default::default() }] }
}

fn text_len(f: &pb::Frame) -> usize {
    if let Some(Data::TextDelta(d)) = &f.data { d.text.len() } else { 0 }
}

fn log_text(log: u8) -> String {
    vyre_proto::ids::LogId([log; 16]).to_string()
}

fn control(data: Data) -> pb::Frame {
    pb::Frame { v: 1, data: Some(data), ..Default::default() }
}

fn switching(key: &hyper::header::HeaderValue) -> Response<Full<Bytes>> {
    Response::builder()
        .status(101)
        .header("connection", "Upgrade")
        .header("upgrade", "websocket")
        .header("sec-websocket-accept", derive_accept_key(key.as_bytes()))
        .body(Full::default())
        .unwrap()
}

fn protobuf(m: &impl prost::Message) -> Response<Full<Bytes>> {
    let body = Full::from(m.encode_to_vec());
    Response::builder().header("content-type", "application/x-protobuf").body(body).unwrap()
}

fn error(status: u16, code: &str, message: &str) -> Response<Full<Bytes>> {
    let body = serde_json::json!({ "code": code, "message": message }).to_string();
    Response::builder().status(status).header("content-type", "application/json").body(Full::from(body)).unwrap()
}

/// Fails a test that waits for ever.
pub async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), what).await.expect("it happens within 20 seconds")
}
