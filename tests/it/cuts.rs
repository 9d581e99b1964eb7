//! Lines that break all the time: what is read and published through them is what an unbroken reader sees.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio::time::timeout;
use vyre_proto::cursor::Cursor;
use vyre_proto::event::Event;
use vyre_proto::event::NAMES;
use vyre_proto::fold::Fold;
use vyre_proto::fold::row::Body;
use vyre_proto::fold::row::MessageState;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::record::to_record;
use vyre_proto::resume::Nudge;
use vyre_proto::resume::Position;
use vyre_proto::resume::State;
use vyre_stream::client::Client;
use vyre_stream::client::Reading;
use vyre_stream::client::RelayCarrier;
use vyre_stream::client::Target;
use vyre_stream::client::Token;
use vyre_stream::client::Update;
use vyre_stream::clock::Clock;
use vyre_stream::config::Many;
use vyre_stream::config::Settings;
use vyre_stream::daemon::UplinkState;

use crate::common::Proxy;
use crate::common::TestBox;
use crate::common::TestRelay;
use crate::common::delta;
use crate::common::done;
use crate::common::served::Served;
use crate::common::words;

const CUT_EVERY: Duration = Duration::from_millis(50);

const LIMIT: Duration = Duration::from_secs(60);

pub fn session() -> SessionId {
    SessionId::parse("s").unwrap()
}

/// A box behind a relay.
pub struct World {
    pub relay: TestRelay,
    pub b: TestBox,
}

impl World {
    pub async fn start() -> World {
        let relay = TestRelay::start().await;
        let settings = Settings { relay: Some(Many::One(relay.server.url().to_string())), ..Settings::default() };
        let b = TestBox::start_with(settings, Clock::system()).await;
        let mut state = b.daemon().uplinks().remove(0);
        timeout(LIMIT, state.wait_for(|s| *s == UplinkState::Up)).await.expect("no uplink").unwrap();
        World { relay, b }
    }

    fn lan(&self, at: SocketAddr, token: &str) -> Client {
        let target = Target::Web { tls: false, host: at.ip().to_string(), port: at.port() };
        Client::connect(target, Token::parse(token).unwrap()).unwrap()
    }

    fn relayed(&self, proxy: &Proxy, carrier: RelayCarrier, token: &str) -> Client {
        let url = proxy.relay(self.relay.server.url());
        Client::connect(Target::Relay { url, id: self.b.id(), carrier }, Token::parse(token).unwrap()).unwrap()
    }

    fn head(&self) -> impl Future<Output = u64> {
        let sessions = self.b.daemon().tools().sessions().clone();
        async move { sessions.get(&session()).await.unwrap().bounds().head.get() }
    }
}

/// Reads on to `head` and folds; no cursor may be left out or come twice. `each` is told of every update.
pub async fn fold_to(reading: &mut Reading, fold: &mut Fold, head: u64, mut each: impl FnMut(&mut Reading)) {
    let read = async {
        while fold.last().get() < head {
            match reading.next().await.expect("the reading goes on") {
                Update::Frame(frame) => {
                    assert!(!matches!(frame.get().data, Some(Data::Reset(_) | Data::Lost(_))), "{frame:?}");
                    if let Some(span) = frame.span() {
                        assert_eq!(span.first(), fold.last().next(), "a hole, or something twice");
                    }
                    fold.apply(&frame);
                }
                Update::State { state: State::Ended(end), .. } => panic!("ended: {end}"),
                Update::State { .. } => {}
                Update::Missing(span) => panic!("missing {span:?}"),
            }
            each(reading);
        }
    };
    timeout(LIMIT, read).await.unwrap_or_else(|_| panic!("it did not come to {head}"));
}

fn rows(fold: &Fold) -> Value {
    serde_json::to_value(fold.rows()).unwrap()
}

/// A few thousand events, every kind among them.
fn everything() -> Vec<Event> {
    let (robin, sam, helper) = ("person:robin", "person:sam", "assistant:helper");
    let mut all = Vec::new();
    let mut push = |actor: &str, name: &str, data: Value| {
        let mut event =
            json!({ "id": format!("e{}", all.len()), "name": name, "session": "s", "actor": actor, "data": data });
        if actor == helper {
            event["acts_for"] = json!(robin);
        }
        all.push(Event::from_json(event.to_string().as_bytes()).unwrap());
    };
    push(robin, "thread.started", json!({ "title": "t", "folder": "/f", "assistant": helper }));
    push(sam, "room.joined", json!({ "who": sam }));
    for n in 0..60 {
        let (m, u, c) = (format!("m{n}"), format!("u{n}"), format!("c{n}"));
        push(robin, "thread.user", json!({ "message": u, "text": format!("question {n}"), "mentions": [sam] }));
        push(helper, "thread.status", json!({ "state": "running", "note": "n" }));
        push(helper, "thread.thinking", json!({ "message": m, "text": format!("thought {n} ") }));
        for word in 0..30 {
            push(helper, "thread.delta", json!({ "message": m, "text": format!("wörd {word} ") }));
        }
        push(
            helper,
            "thread.tool-started",
            json!({ "call": c, "tool": "bash", "title": "T", "input": { "command": "ls" } }),
        );
        for line in 0..5 {
            push(helper, "thread.tool-progress", json!({ "call": c, "text": format!("line {line}\n") }));
        }
        push(helper, "thread.shell", json!({ "call": c, "command": "ls", "output": "a\nb\n", "exit": 0 }));
        push(helper, "thread.tool-finished", json!({ "call": c, "tool": "bash", "ok": n % 3 > 0, "result": "a b" }));
        push(helper, "thread.file-changed", json!({ "path": format!("f{n}"), "change": "renamed", "from": "g" }));
        push(robin, "term.command", json!({ "term": "t", "line": format!("make {n}") }));
        match n % 3 {
            0 => push(helper, "thread.cut", json!({ "message": m, "note": "stopped" })),
            _ => push(helper, "thread.done", json!({ "message": m })),
        }
        push(helper, "ask.opened", json!({ "ask": format!("a{n}"), "question": "Which?", "options": ["x", "y"] }));
        push(robin, "ask.answered", json!({ "ask": format!("a{n}"), "answer": "x" }));
        push(sam, "room.reaction", json!({ "message": m, "emoji": "👍", "on": n % 2 == 0 }));
        push(sam, "room.pin", json!({ "message": u, "on": true }));
        push(robin, "room.mention", json!({ "message": u, "who": [sam] }));
        let q = |k| format!("q{n}-{k}");
        push(robin, "thread.queued", json!({ "message": q(0), "text": "later" }));
        push(robin, "thread.sent", json!({ "message": q(0) }));
        push(robin, "thread.queued", json!({ "message": q(1), "text": "now" }));
        push(robin, "thread.steered", json!({ "message": q(1), "via": "steer" }));
        push(robin, "thread.queued", json!({ "message": q(2), "text": "never" }));
        push(robin, "thread.unqueued", json!({ "message": q(2) }));
        let members = json!([{ "who": helper, "message": m }]);
        push(robin, "room.fanout", json!({ "group": format!("g{n}"), "message": u, "members": members }));
        push(robin, "room.fanout-keep", json!({ "group": format!("g{n}"), "keep": m }));
        push(robin, "thread.stopping", json!({}));
        push(helper, "thread.stopped", json!({ "note": "on request" }));
        push(helper, "thread.failed", json!({ "note": "not really" }));
    }
    push(robin, "room.assigned", json!({ "assistant": helper }));
    push(robin, "thread.branched", json!({ "from": "u0", "session": "elsewhere" }));
    push(robin, "thread.rewound", json!({ "message": "again", "to": "u3" }));
    push(sam, "room.left", json!({ "who": sam }));
    let names: BTreeSet<_> = all.iter().map(Event::name).collect();
    assert_eq!(names, NAMES.iter().copied().collect(), "every kind is among them");
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_published_and_read_through_lines_cut_every_50_ms_is_whole() {
    let w = World::start().await;
    let (person, producer) = (w.b.person("robin"), w.b.producer());
    let straight = Proxy::start(w.b.http(), w.b.quic()).await.cutting(CUT_EVERY);
    let relayed = Proxy::start(w.relay.server.http(), w.relay.server.quic()).await.cutting(CUT_EVERY);
    let events = everything();
    let count = events.len() as u64;
    // The first event stands before anybody reads.
    let (first, rest) = events.split_at(1);
    let mut unbroken = w.lan(w.b.http(), &producer).publisher();
    unbroken.publish_all(first.to_vec()).await.unwrap();
    unbroken.flush().await.unwrap();

    let (half, other) = rest.split_at(rest.len() / 2);
    let mut lan_publisher = w.lan(straight.tcp(), &producer).publisher();
    let mut relay_publisher = w.relayed(&relayed, RelayCarrier::WebSocket, &producer).publisher();
    let lan = w.lan(straight.tcp(), &person);
    let web = w.relayed(&relayed, RelayCarrier::WebSocket, &person);
    let (mut lan, mut web) = (lan.attach(session(), Position::default()), web.attach(session(), Position::default()));
    let (mut lan_fold, mut web_fold) = (Fold::new(), Fold::new());
    let publish = async {
        for (publisher, part) in [(&mut lan_publisher, half), (&mut relay_publisher, other)] {
            // Small enough that one often gets through between two cuts.
            for piece in part.chunks(40) {
                timeout(LIMIT, publisher.publish_all(piece.to_vec())).await.expect("it stalls").unwrap();
                timeout(LIMIT, publisher.flush()).await.expect("it stalls").unwrap();
            }
            assert_eq!(publisher.take_refused(), []);
        }
    };
    let read = async {
        // Frames of every event come, so the head is at least as far.
        tokio::join!(
            fold_to(&mut lan, &mut lan_fold, count / 2, |_| {}),
            fold_to(&mut web, &mut web_fold, count / 2, |_| {})
        )
    };
    tokio::join!(publish, read);
    let head = w.head().await;
    fold_to(&mut lan, &mut lan_fold, head, |_| {}).await;
    fold_to(&mut web, &mut web_fold, head, |_| {}).await;

    let mut whole = Fold::new();
    let calm = w.lan(w.b.http(), &person);
    fold_to(&mut calm.attach(session(), Position::default()), &mut whole, head, |_| {}).await;
    assert!(straight.cuts() >= 10 && relayed.cuts() >= 10);
    assert_eq!(rows(&lan_fold), rows(&whole));
    assert_eq!(rows(&web_fold), rows(&whole));
    let progress = [lan_publisher.progress(), relay_publisher.progress()];
    assert_eq!(progress.iter().map(|p| p.accepted + p.duplicates).sum::<u64>() + 1, count);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_relayed_quic_reader_whose_network_changes_all_the_time_reads_the_whole() {
    let w = World::start().await;
    let person = w.b.person("robin");
    let proxy = Proxy::start(w.relay.server.http(), w.relay.server.quic()).await;
    w.b.publish(&words("s", 1)).await;
    let client = w.relayed(&proxy, RelayCarrier::Quic, &person);
    let mut reading = client.attach(session(), Position::default());
    let mut fold = Fold::new();
    let mut published = 2;

    for cut in 0..12 {
        // In the middle of what comes.
        let more: Vec<_> = (0..40).map(|n| delta("s", 100 + cut * 40 + n, "more ")).collect();
        w.b.publish(&more).await;
        published += 40;
        fold_to(&mut reading, &mut fold, published - 20, |_| {}).await;
        proxy.cut();
        reading.nudge(Nudge::Network);
    }
    fold_to(&mut reading, &mut fold, published, |_| {}).await;

    let mut whole = Fold::new();
    let calm = w.lan(w.b.http(), &person);
    fold_to(&mut calm.attach(session(), Position::default()), &mut whole, published, |_| {}).await;
    assert_eq!(proxy.cuts(), 12);
    assert_eq!(rows(&fold), rows(&whole));
}

#[tokio::test]
async fn a_quic_line_that_dies_in_silence_is_noticed_while_words_are_awaited() {
    let w = World::start().await;
    let proxy = Proxy::start(w.relay.server.http(), w.relay.server.quic()).await;
    w.b.publish(&words("s", 5)).await;
    let client = w.relayed(&proxy, RelayCarrier::Quic, &w.b.person("robin"));
    let mut reading = client.attach(session(), Position::default());
    let mut fold = Fold::new();
    fold_to(&mut reading, &mut fold, 6, |_| {}).await;

    proxy.cut();
    w.b.publish(&[delta("s", 6, "after ")]).await;
    let began = Instant::now();
    fold_to(&mut reading, &mut fold, 7, |_| {}).await;

    // One second of silence, two without an answer, and room for a slow machine.
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_publishers_quic_line_that_dies_in_silence_is_left_and_nothing_is_lost_or_doubled() {
    let w = World::start().await;
    let proxy = Proxy::start(w.relay.server.http(), w.relay.server.quic()).await;
    let mut publisher = w.relayed(&proxy, RelayCarrier::Quic, &w.b.producer()).publisher();
    let lines = words("s", 60);
    let mut events = lines.iter().map(|line| Event::from_json(line.as_bytes()).unwrap());
    publisher.publish_all(events.by_ref().take(20)).await.unwrap();
    publisher.flush().await.unwrap();
    // These may be stored or not when the line dies: their answers are never seen.
    publisher.publish_all(events.by_ref().take(20)).await.unwrap();

    proxy.cut();
    let began = Instant::now();
    publisher.publish_all(events).await.unwrap();
    publisher.flush().await.unwrap();

    // Four seconds of silence, a dial, and room for a slow machine.
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    let progress = publisher.progress();
    assert_eq!((progress.settled, progress.refused), (61, 0));
    assert_eq!(progress.accepted + progress.duplicates, 61);
    let mut fold = Fold::new();
    let mut reading = w.lan(w.b.http(), &w.b.person("robin")).attach(session(), Position::default());
    fold_to(&mut reading, &mut fold, w.head().await, |_| {}).await;
    let text = rows(&fold).to_string();
    let counts: Vec<_> = (0..60).map(|n| text.matches(&format!("word{n} ")).count()).collect();
    assert_eq!(counts, vec![1; 60], "{text}");
}

#[tokio::test]
async fn a_publisher_keeps_its_path_while_a_box_behind_it_takes_its_time() {
    let relay = TestRelay::start().await;
    let url = relay.server.url().clone();
    let b = Served::start_in(tempfile::tempdir().unwrap(), &["--relay", &url.to_string()]);
    let id = b.ready["box"].as_str().unwrap().parse().unwrap();
    let target = Target::Relay { url, id, carrier: RelayCarrier::Quic };
    let token = Token::parse(&b.token("--producer", "p")).unwrap();
    let mut publisher = Client::connect(target, token).unwrap().publisher();
    let lines = words("s", 40);
    let mut events = lines.iter().map(|line| Event::from_json(line.as_bytes()).unwrap());
    publisher.publish_all(events.by_ref().take(20)).await.unwrap();
    publisher.flush().await.unwrap();

    b.signal(Signal::STOP);
    let waking = async {
        // So long no packet comes by itself: the relay has nothing to say, and the box is not there to say it.
        tokio::time::sleep(Duration::from_secs(7)).await;
        b.signal(Signal::CONT);
    };
    let publishing = async {
        publisher.publish_all(events).await.unwrap();
        publisher.flush().await.unwrap();
    };
    tokio::join!(publishing, waking);

    // On another line everything would have gone again.
    let progress = publisher.progress();
    assert_eq!((progress.settled, progress.accepted, progress.duplicates), (41, 41, 0));
}

/// What the far end does with an upgrade that has succeeded.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Spoil {
    /// A farewell, and nothing before it.
    Close,
    /// Not even that.
    Reset,
    /// Heartbeats, and then the end.
    Beats,
}

/// Forwards HTTP to a box; the first `times` upgrades of readers are answered and come to nothing. Notes every target.
async fn spoiling(to: SocketAddr, how: Spoil, times: usize) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let asked = Arc::<Mutex<Vec<String>>>::default();
    let notes = asked.clone();
    tokio::spawn(async move {
        while let Ok((near, _)) = listener.accept().await {
            tokio::spawn(spoil_one(near, to, how, times, notes.clone()));
        }
    });
    (at, asked)
}

async fn spoil_one(mut near: TcpStream, to: SocketAddr, how: Spoil, times: usize, notes: Arc<Mutex<Vec<String>>>) {
    let mut far = TcpStream::connect(to).await.unwrap();
    let (mut up, mut down) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            n = near.read(&mut up) => {
                let n = n.unwrap_or(0);
                if n == 0 {
                    return;
                }
                // A request of this client fits into one segment.
                let text = String::from_utf8_lossy(&up[..n]).into_owned();
                if text.starts_with("GET ") {
                    notes.lock().unwrap().push(text.lines().next().unwrap().to_owned());
                }
                far.write_all(&up[..n]).await.unwrap();
            }
            n = far.read(&mut down) => {
                let n = n.unwrap_or(0);
                if n == 0 {
                    return;
                }
                let upgraded = down[..n].starts_with(b"HTTP/1.1 101");
                if !upgraded || notes.lock().unwrap().len() > times {
                    if near.write_all(&down[..n]).await.is_err() {
                        return;
                    }
                    continue;
                }
                let end = down[..n].windows(4).position(|w| w == b"\r\n\r\n").unwrap() + 4;
                near.write_all(&down[..end]).await.unwrap();
                match how {
                    Spoil::Close => near.write_all(&[0x88, 2, 0x03, 0xe9]).await.unwrap(),
                    Spoil::Reset => near.set_zero_linger().unwrap(),
                    Spoil::Beats => {
                        let beat = pb::Frame { v: 1, data: Some(Data::Heartbeat(pb::Heartbeat { head: 45 })), ..Default::default() };
                        let record = to_record(&beat);
                        for _ in 0..2 {
                            near.write_all(&[0x82, u8::try_from(record.len()).unwrap()]).await.unwrap();
                            near.write_all(&record).await.unwrap();
                        }
                    }
                }
                return;
            }
        }
    }
}

#[tokio::test]
async fn a_stream_that_ends_before_its_first_frame_forgets_no_place() {
    let w = World::start().await;
    w.b.publish(&words("s", 44)).await;
    let person = w.b.person("robin");
    for how in [Spoil::Close, Spoil::Reset, Spoil::Beats] {
        let (at, asked) = spoiling(w.b.http(), how, 3).await;
        let client = w.lan(at, &person);
        let forty = Position { last: Cursor::new(40).unwrap(), ..Position::default() };
        let mut reading = client.attach(session(), forty);

        let mut got = Vec::new();
        while got.last() != Some(&45) {
            match timeout(LIMIT, reading.next()).await.expect("nothing comes").unwrap() {
                Update::Frame(frame) => {
                    assert!(!matches!(frame.get().data, Some(Data::Reset(_))), "{how:?}");
                    let span = frame.span().unwrap();
                    got.extend(span.first().get()..=span.end().get());
                }
                Update::State { state: State::Ended(end), .. } => panic!("{how:?}: {end}"),
                _ => {}
            }
        }

        assert_eq!(got, [41, 42, 43, 44, 45], "{how:?}");
        let asked = asked.lock().unwrap().clone();
        assert_eq!(asked.len(), 4, "{how:?}: {}", asked.len());
        assert!(asked.iter().all(|line| line.contains("&from=40&") || line.contains("&from=40 ")), "{how:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_asked_while_a_screen_is_being_caught_up_reaches_it_without_waiting_for_more() {
    let w = World::start().await;
    w.b.publish(&words("s", 19)).await;
    let client = w.lan(w.b.http(), &w.b.person("robin"));
    let sessions = w.b.daemon().tools().sessions().clone();
    for n in 0..60u64 {
        let head = 20 + n;
        let ten = Position { last: Cursor::new(10).unwrap(), ..Position::default() };
        let mut reading = client.attach(session(), ten);
        let ask = json!({ "id": format!("ask{n}"), "name": "ask.opened", "session": "s", "actor": "assistant:helper",
            "acts_for": "person:robin", "data": { "ask": format!("a{n}"), "question": "Go on?" } });
        let ask = Event::from_json(ask.to_string().as_bytes()).unwrap();
        // Anywhere between the first byte of the request and the last of the replay.
        let sessions = sessions.clone();
        let append = async {
            tokio::time::sleep(Duration::from_micros(n * 150)).await;
            let done = sessions.submit(vec![ask]).await;
            assert_eq!(done.accepted, 1);
        };
        let read = async {
            let mut last = 10;
            while last < head + 1 {
                let update = timeout(Duration::from_secs(5), reading.next()).await.expect("the question does not come");
                if let Some(Update::Frame(frame)) = update
                    && let Some(span) = frame.span()
                {
                    assert_eq!(span.first().get(), last + 1);
                    last = span.end().get();
                }
            }
        };
        tokio::join!(append, read);
    }
}

#[tokio::test]
async fn a_screen_opened_in_the_middle_of_a_reply_shows_the_last_one_once_and_this_one_whole() {
    let w = World::start().await;
    let first: Vec<_> = words("s", 20).into_iter().chain([done("s")]).collect();
    w.b.publish(&first).await;
    let between = w.head().await;
    let second = |from: usize, to: usize| -> Vec<String> {
        (from..to)
            .map(|n| delta("s", 1000 + n, &format!("new{n} ")).replace(r#""message":"m""#, r#""message":"m2""#))
            .collect()
    };
    let person = w.b.person("robin");
    let client = w.lan(w.b.http(), &person);
    let open =
        |last: u64| client.attach(session(), Position { last: Cursor::new(last).unwrap(), ..Position::default() });
    let mut in_between = open(0);
    let mut early = Fold::new();
    fold_to(&mut in_between, &mut early, between, |_| {}).await;

    w.b.publish(&second(0, 10)).await;
    let half = w.head().await;
    let (mut fresh, mut reload, mut again) = (Fold::new(), Fold::new(), Fold::new());
    let mut fresh_reading = open(0);
    fold_to(&mut fresh_reading, &mut fresh, half, |_| {}).await;
    let mut reload_reading = open(0);
    fold_to(&mut reload_reading, &mut reload, half, |_| {}).await;
    drop(fresh_reading);
    let mut fresh_reading = open(half);
    // Five times anew while it grows, each from its own place.
    let mut again_reading = open(0);
    fold_to(&mut again_reading, &mut again, half, |_| {}).await;
    for n in 0..5 {
        w.b.publish(&second(10 + n, 11 + n)).await;
        again_reading = open(again.last().get());
        fold_to(&mut again_reading, &mut again, half + n as u64 + 1, |_| {}).await;
    }
    let end = delta("s", 5000, "end").replace(r#""message":"m""#, r#""message":"m2""#);
    let finish = done("s").replace(r#""message":"m""#, r#""message":"m2""#).replace("s.done", "s.done2");
    w.b.publish(&[end, finish]).await;
    let head = w.head().await;

    let old: String = (0..20).map(|n| format!("word{n} ")).collect();
    let new: String = (0..15).map(|n| format!("new{n} ")).chain(["end".to_owned()]).collect();
    for (name, reading, fold) in [
        ("opened between the two", &mut in_between, &mut early),
        ("opened again from its cursor", &mut fresh_reading, &mut fresh),
        ("reloaded", &mut reload_reading, &mut reload),
        ("came back five times", &mut again_reading, &mut again),
    ] {
        fold_to(reading, fold, head, |_| {}).await;
        let messages: Vec<_> = fold
            .rows()
            .iter()
            .filter_map(|row| match &row.body {
                Body::Message(m) => Some((m.text.text(), m.state)),
                _ => None,
            })
            .collect();
        assert_eq!(messages, [(old.as_str(), MessageState::Done), (new.as_str(), MessageState::Done)], "{name}");
    }
}
