//! `kill -9` of the program while a producer publishes and two screens read, fifty times over one data folder.
//!
//! Producer and screens are written out here, on bare sockets: what they tolerate and what they insist on is the
//! contract's, not a client's.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::io::BufReader;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::time::SystemTime;
use std::time::UNIX_EPOCH;

use bytes::Bytes;
use bytes::BytesMut;
use futures_util::SinkExt;
use futures_util::StreamExt;
use prost::Message as _;
use serde_json::Value;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio::time::sleep;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use vyre_proto::event::Event;
use vyre_proto::fold::Fold;
use vyre_proto::fold::row::Body;
use vyre_proto::fold::row::CallState;
use vyre_proto::fold::row::MessageState;
use vyre_proto::frame::Frame;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::record;
use vyre_proto::record::Decoder;

use crate::common::TestBox;

/// Times that the box is killed.
const KILLS: usize = 50;

/// Events on their way at once.
const WINDOW: u64 = 150;

/// Between two attempts while the box is away.
const RETRY: Duration = Duration::from_millis(4);

/// Nothing takes this long.
const LIMIT: Duration = Duration::from_secs(15);

/// Events of one message with what surrounds it.
const ROUND: u64 = 50;

/// The n-th event: rounds of a call, the words of a message, its end, and a person's words.
fn event(n: u64) -> Event {
    let (round, step) = (n / ROUND, n % ROUND);
    let helper = "assistant:helper";
    let (actor, name, data) = match (n, step) {
        (0, _) => ("person:robin", "thread.started", json!({ "title": "t", "assistant": helper })),
        (_, 0) => {
            ("person:robin", "thread.user", json!({ "message": format!("u{round}"), "text": format!("ask {n}") }))
        }
        (_, 1) => (helper, "thread.tool-started", json!({ "call": format!("c{round}"), "tool": "bash" })),
        (_, 2) => {
            (helper, "thread.tool-progress", json!({ "call": format!("c{round}"), "text": format!("line {n}\n") }))
        }
        (_, 3) => {
            let data = json!({ "call": format!("c{round}"), "tool": "bash", "ok": true, "result": format!("did {n}") });
            (helper, "thread.tool-finished", data)
        }
        (_, 49) => (helper, "thread.done", json!({ "message": format!("m{round}") })),
        _ => (helper, "thread.delta", json!({ "message": format!("m{round}"), "text": word(n) })),
    };
    let mut event = json!({ "id": format!("e{n}"), "name": name, "session": "s", "actor": actor, "data": data });
    if actor == helper {
        event["acts_for"] = json!("person:robin");
    }
    Event::from_json(event.to_string().as_bytes()).unwrap()
}

fn word(n: u64) -> String {
    format!("wörd{n} ")
}

/// Message to text and whether it is done, after the first `n` events: the naive reading.
fn naive(n: u64) -> BTreeMap<String, (String, bool)> {
    let mut all = BTreeMap::<String, (String, bool)>::new();
    for n in 1..n {
        let (round, step) = (n / ROUND, n % ROUND);
        match step {
            0 => drop(all.insert(format!("u{round}"), (format!("ask {n}"), true))),
            1..=3 => {}
            49 => all.entry(format!("m{round}")).or_default().1 = true,
            _ => all.entry(format!("m{round}")).or_default().0.push_str(&word(n)),
        }
    }
    all
}

/// The same of a fold.
fn shown(fold: &Fold) -> BTreeMap<String, (String, bool)> {
    let mut all = BTreeMap::new();
    for row in fold.rows() {
        let (id, text, done) = match &row.body {
            Body::Message(m) => {
                assert!(!row.has_gap(), "words are missing in {}", m.message);
                (m.message.to_string(), m.text.text().to_owned(), m.state == MessageState::Done)
            }
            Body::UserMessage(m) => (m.message.to_string(), m.text.clone(), true),
            _ => continue,
        };
        assert!(all.insert(id.clone(), (text, done)).is_none(), "{id} is shown twice");
    }
    all
}

struct Box_ {
    child: Child,
}

impl Box_ {
    async fn start(data: &Path, http: SocketAddr) -> Box_ {
        let (data, http) = (data.to_owned(), http.to_string());
        let started = tokio::task::spawn_blocking(move || {
            let mut child = Command::new(TestBox::program())
                .args(["serve", "--json", "--quic", "off", "--http", &http, "--data"])
                .arg(&data)
                .env("VYRE_LOG", "error")
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let mut line = String::new();
            BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
            let ready: Value = serde_json::from_str(&line).expect("it says that it is ready");
            assert_eq!(ready["http"], http);
            Box_ { child }
        });
        timeout(LIMIT, started).await.expect("the box starts").unwrap()
    }

    /// SIGKILL.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Box_ {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

fn token(data: &Path, who: &[&str]) -> String {
    let out = Command::new(TestBox::program()).arg("token").args(who).arg("--data").arg(data).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap().trim().to_owned()
}

/// `stream.open`; `None` where the box cannot answer.
async fn open(http: SocketAddr, token: &str) -> Option<Value> {
    let body = r#"{"session":"s"}"#;
    let request = format!(
        "POST /v1/tools/stream.open HTTP/1.1\r\nhost: {http}\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut tcp = TcpStream::connect(http).await.ok()?;
    tcp.write_all(request.as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    tcp.read_to_end(&mut answer).await.ok()?;
    let text = String::from_utf8(answer).ok()?;
    text.starts_with("HTTP/1.1 200")
        .then(|| text.split_once("\r\n\r\n"))?
        .and_then(|(_, b)| serde_json::from_str(b).ok())
}

async fn socket(http: SocketAddr, path: &str, token: Option<&str>) -> Option<WebSocketStream<TcpStream>> {
    let mut request = format!("ws://{http}{path}").into_client_request().unwrap();
    if let Some(token) = token {
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    }
    let tcp = TcpStream::connect(http).await.ok()?;
    tcp.set_nodelay(true).ok()?;
    Some(client_async(request, tcp).await.ok()?.0)
}

/// What producer, screens and killer know of each other.
#[derive(Default)]
struct Shared {
    /// Events that the box has acknowledged.
    acked: AtomicU64,
    /// Events after which the producer stops; 0: none yet.
    end: AtomicU64,
    /// The head at the end; 0: not known yet.
    head: AtomicU64,
    /// Streams that screens have opened.
    streams: AtomicU64,
}

/// Publishes until it is told to stop, and sends what is not acknowledged again. Gives how many events there were.
async fn produce(http: SocketAddr, token: String, shared: Arc<Shared>) -> u64 {
    let (mut acked, mut most) = (0, 0);
    loop {
        let Some(mut ws) = socket(http, "/v1/streams/publish", Some(&token)).await else {
            sleep(RETRY).await;
            continue;
        };
        let (base, mut sent) = (acked, acked);
        let mut decoder = Decoder::new();
        'stream: loop {
            let end = shared.end.load(Ordering::SeqCst);
            if end > 0 && acked >= end.max(most) {
                return acked;
            }
            let upto = if end > 0 { end.max(most) } else { acked + WINDOW };
            while sent < upto.min(acked + WINDOW) {
                let mut piece = BytesMut::new();
                let end = (sent + 10).min(upto);
                for n in sent..end {
                    record::encode(&pb::Publish { events: vec![event(n).into_inner()] }, &mut piece);
                }
                sent = end;
                if ws.send(Message::Binary(piece.freeze())).await.is_err() {
                    break 'stream;
                }
            }
            most = most.max(sent);
            match timeout(LIMIT, ws.next()).await.expect("an answer or an end") {
                Some(Ok(Message::Binary(bytes))) => decoder.push(&bytes),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => break,
            }
            while let Some(answer) = decoder.next().unwrap() {
                let answer = pb::Published::decode(answer).unwrap();
                assert!(answer.refused.is_empty(), "{:?}", answer.refused);
                acked = base + answer.upto;
                shared.acked.store(acked, Ordering::SeqCst);
            }
        }
    }
}

/// What a screen has seen.
#[derive(Default)]
struct Seen {
    last: u64,
    fold: Fold,
    /// Unmerged: the record of each cursor. Merged: nothing.
    records: BTreeMap<u64, Bytes>,
    /// The words at each cursor.
    words: BTreeMap<u64, String>,
    /// Cursors that a `lost` frame stood for.
    lost: u64,
}

impl Seen {
    fn take(&mut self, record: Bytes) {
        let frame = Frame::decode(record.clone()).unwrap();
        assert!(!matches!(frame.get().data, Some(Data::Reset(_))), "a reset: {frame:?}");
        let Some(span) = frame.span() else { return };
        let (first, end) = (span.first().get(), span.end().get());
        assert!(first <= self.last + 1, "a hole before {first}, after {}", self.last);
        assert!(end > self.last, "{first} to {end} again, after {}", self.last);
        match &frame.get().data {
            Some(Data::Lost(_)) => self.lost += end - self.last,
            Some(Data::TextDelta(d)) if !d.parts.is_empty() => {
                for (cur, part) in (first..=end).zip(&d.parts).filter(|(cur, _)| *cur > self.last) {
                    self.words.insert(cur, part.clone());
                }
            }
            data => {
                if let Some(Data::TextDelta(d)) = data {
                    self.words.insert(end, d.text.clone());
                }
                self.records.insert(end, record);
            }
        }
        self.fold.apply(&frame);
        self.last = end;
    }
}

/// Reads on from its cursor through every break, until the head at the end.
async fn watch(http: SocketAddr, token: String, query: &'static str, shared: Arc<Shared>) -> Seen {
    let mut seen = Seen::default();
    let mut log = None;
    let is_done = |seen: &Seen| {
        let head = shared.head.load(Ordering::SeqCst);
        head > 0 && seen.last >= head
    };
    while !is_done(&seen) {
        let Some(opened) = open(http, &token).await else {
            sleep(RETRY).await;
            continue;
        };
        assert_eq!(log.get_or_insert(opened["log"].clone()), &opened["log"], "the log's identity changed");
        let ticket = opened["ticket"].as_str().unwrap();
        let path = format!("/v1/streams/stream/session?ticket={ticket}&from={}{query}", seen.last);
        let Some(mut ws) = socket(http, &path, None).await else { continue };
        shared.streams.fetch_add(1, Ordering::SeqCst);
        let mut decoder = Decoder::new();
        while !is_done(&seen) {
            match timeout(Duration::from_millis(500), ws.next()).await {
                Ok(Some(Ok(Message::Binary(bytes)))) => decoder.push(&bytes),
                Ok(Some(Ok(_))) | Err(_) => {}
                Ok(Some(Err(_)) | None) => break,
            }
            while let Some(record) = decoder.next().unwrap() {
                seen.take(record);
            }
        }
    }
    seen
}

/// Chance enough for moments.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_box_killed_fifty_times_keeps_what_it_acknowledged_and_no_cursor_means_two_things() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("box");
    let (person, producer) = (token(&data, &["--person", "robin"]), token(&data, &["--producer", "p"]));
    let http = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let seed = u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros()).unwrap();
    let mut dice = Dice(seed);
    let shared = Arc::<Shared>::default();
    let mut box_ = Box_::start(&data, http).await;
    let publishing = tokio::spawn(produce(http, producer, shared.clone()));
    let single = tokio::spawn(watch(http, person.clone(), "&merge=none", shared.clone()));
    let merged = tokio::spawn(watch(http, person.clone(), "", shared.clone()));

    for kill in 0..KILLS {
        // Everybody is back, and something new is acknowledged: then at any moment.
        let (acked, streams) = (shared.acked.load(Ordering::SeqCst), shared.streams.load(Ordering::SeqCst));
        let deadline = Instant::now() + LIMIT;
        while shared.acked.load(Ordering::SeqCst) == acked || shared.streams.load(Ordering::SeqCst) < streams + 2 {
            assert!(!publishing.is_finished() && !single.is_finished() && !merged.is_finished(), "one gave up");
            assert!(Instant::now() < deadline, "nobody came back after kill {kill}");
            sleep(Duration::from_millis(2)).await;
        }
        sleep(Duration::from_micros(dice.below(60_000))).await;
        box_.kill();
        box_ = Box_::start(&data, http).await;
    }
    shared.end.store(1 + ROUND * (shared.acked.load(Ordering::SeqCst) / ROUND + 8), Ordering::SeqCst);
    let events = timeout(LIMIT, publishing).await.expect("the producer comes to its end").unwrap();
    let opened = open(http, &person).await.unwrap();
    let head: u64 = opened["head"].as_str().unwrap().parse().unwrap();
    shared.head.store(head, Ordering::SeqCst);
    let single = timeout(LIMIT, single).await.expect("the unmerged screen comes to the end").unwrap();
    let merged = timeout(LIMIT, merged).await.expect("the merged screen comes to the end").unwrap();
    let fresh = timeout(LIMIT, watch(http, person.clone(), "&merge=none", shared.clone())).await.unwrap();

    let expected = naive(events);
    for (name, seen) in [("a fresh screen", &fresh), ("the unmerged screen", &single), ("the merged screen", &merged)] {
        let got = shown(&seen.fold);
        let wrong = expected.iter().find(|(id, text)| got.get(*id) != Some(text));
        assert_eq!(wrong.map(|(id, text)| (id, text, got.get(id))), None, "{name}, seed {seed}");
        assert_eq!(got.len(), expected.len(), "{name}, seed {seed}");
        assert_eq!(seen.last, head);
        let open = seen.fold.rows().iter().filter(|r| matches!(&r.body, Body::Call(c) if c.state != CallState::Ok));
        assert_eq!(open.count(), 0, "{name}: calls without their result, seed {seed}");
    }
    // What was ever seen at a cursor stands there still, or the box says that it is lost.
    for (cur, record) in &single.records {
        assert!(fresh.records.get(cur).is_none_or(|now| now == record), "cursor {cur} means two things, seed {seed}");
    }
    for (cur, words) in &merged.words {
        assert!(fresh.words.get(cur).is_none_or(|now| now == words), "cursor {cur} says two things, seed {seed}");
        assert!(single.words.get(cur).is_none_or(|now| now == words), "cursor {cur} says two things, seed {seed}");
    }
    assert_eq!(fresh.records.len() as u64 + fresh.lost, head, "cursors are gapless, seed {seed}");
    assert!(single.lost <= fresh.lost && events > 10 * KILLS as u64);
    box_.kill();
}
