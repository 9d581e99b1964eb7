//! The parts that this program plays in processes of its own. A part says one line of JSON when it is ready, takes orders
//! on standard input, and ends with it.

use std::io::BufRead;
use std::io::Read;
use std::io::Write;
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::time::Instant;

use bytes::BytesMut;
use clap::Parser;
use prost::Message;
use quinn::RecvStream;
use quinn::SendStream;
use serde_json::Value;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::Interval;
use tokio::time::MissedTickBehavior;
use vyre_certs::identity::BoxIdentity;
use vyre_proto::head::Bridged;
use vyre_proto::head::BridgedReply;
use vyre_proto::head::Carried;
use vyre_proto::ids::Author;
use vyre_proto::pb::stream as pb;
use vyre_proto::record;
use vyre_proto::record::Decoder;
use vyre_stream::clock::Clock;
use vyre_stream::config::Config;
use vyre_stream::config::Settings;
use vyre_stream::daemon::Daemon;
use vyre_stream::edge::uplink::BridgedHandler;
use vyre_stream::edge::uplink::Uplink;
use vyre_stream::edge::uplink::UplinkState;
use vyre_stream::rules::caller::Caller;
use vyre_stream::rules::caller::Person;

use crate::events;
use crate::events::EventBytes;
use crate::floor;
use crate::mosquitto;
use crate::wire::messages;
use crate::wire::server_runtime;

/// Events that a producer has out and not acknowledged.
const WINDOW: u64 = 8192;

/// Plays the part of this name.
pub fn play(role: &[String]) {
    let role: Vec<&str> = role.iter().map(String::as_str).collect();
    match role[..] {
        ["floor"] => floor::play(),
        ["box", data] => the_box(data.into()),
        ["relay", data] => the_relay(data),
        ["echo-boxes", relay, n] => echo_boxes(relay, n.parse().unwrap()),
        ["producer", addr, path, token, session] => producer(addr, path, token, session),
        ["mosquitto-producer", addr, topic] => mosquitto::producer(addr, topic),
        _ => panic!("no such role"),
    }
}

/// Says one line.
pub fn say(line: &Value) {
    let mut out = std::io::stdout();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Orders as they come; the end of them is the end of the part.
pub fn orders() -> mpsc::Receiver<String> {
    let (tell, orders) = mpsc::channel(16);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if tell.blocking_send(line).is_err() {
                break;
            }
        }
    });
    orders
}

/// A beat: so many times a second.
#[derive(Debug)]
pub struct Pace(Interval);

impl Pace {
    /// Begins now.
    pub fn new(rate: f64) -> Self {
        let mut ticks = tokio::time::interval(Duration::from_secs_f64(1.0 / rate));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
        Self(ticks)
    }

    /// The next beat.
    pub async fn beat(&mut self) {
        self.0.tick().await;
    }
}

/// A box that emits by itself: the whole daemon, in the runtime that `vyre serve` has.
fn the_box(data: PathBuf) {
    server_runtime().block_on(async {
        let flags = Settings {
            data: Some(data),
            http: Some("127.0.0.1:0".into()),
            quic: Some("127.0.0.1:0".into()),
            ..Settings::default()
        };
        let daemon = Daemon::start(&Config::new(None, flags).unwrap()).await.unwrap();
        let person = Person::new(Author::parse(&format!("person:{}", events::PERSON)).unwrap()).unwrap();
        let token = tokio::task::block_in_place(|| daemon.new_token(&Caller::Person(person))).unwrap();
        let ready = daemon.ready().clone();
        say(&json!({
            "http": ready.http.unwrap().to_string(), "quic": ready.quic.unwrap().to_string(),
            "box": ready.box_id.to_string(), "token": token,
        }));
        let sessions = daemon.tools().sessions().clone();
        let mut orders = orders();
        while let Some(order) = orders.recv().await {
            let words: Vec<&str> = order.split(' ').collect();
            match words[..] {
                ["start", session] => {
                    let done = sessions.submit(vec![events::checked(events::started(session))]).await;
                    assert!(done.refused.is_empty());
                    say(&json!({"started": session}));
                }
                ["emit", session, rate, n] => {
                    let (sessions, session) = (sessions.clone(), session.to_owned());
                    let (rate, n) = (rate.parse().unwrap(), n.parse().unwrap());
                    // A task of the runtime, as everything is that publishes in a box.
                    let emitter = async move {
                        let mut pace = Pace::new(rate);
                        for seq in 1..=n {
                            pace.beat().await;
                            let done = sessions.submit(vec![events::checked(events::delta(&session, seq))]).await;
                            assert!(done.refused.is_empty());
                        }
                    };
                    tokio::spawn(emitter).await.unwrap();
                    say(&json!({"emitted": n}));
                }
                _ => panic!("no such order"),
            }
        }
        daemon.stop().await;
    });
}

/// The relay: the code of `vyre-relay`, in the runtime that it has.
fn the_relay(data: &str) {
    let flags = [
        "vyre-relay",
        "--data",
        data,
        "--http",
        "127.0.0.1:0",
        "--quic",
        "127.0.0.1:0",
        "--max-streams-per-box",
        "250",
    ];
    let loaded = vyre_relay::config::load(vyre_relay::config::Flags::parse_from(flags)).unwrap();
    server_runtime().block_on(async {
        let server = vyre_relay::server::Server::start(loaded.config).await.unwrap();
        say(&json!({
            "url": server.url().to_string(), "http": server.http().to_string(), "quic": server.quic().to_string(),
        }));
        let mut orders = orders();
        while orders.recv().await.is_some() {}
        server.stop().await;
    });
}

/// Streams that a relay carries to this do what those of a floor do.
struct Echo;

impl BridgedHandler for Echo {
    async fn handle(&self, head: Bridged, mut send: SendStream, recv: RecvStream) {
        if !matches!(head.carried, Carried::Quic) {
            let _ = send.write_chunk(BridgedReply::switching().to_record()).await;
            let _ = send.stopped().await;
            return;
        }
        floor::stream(send, recv).await;
    }
}

/// Boxes that hold no sessions: what is measured is the relay.
fn echo_boxes(relay: &str, n: usize) {
    let relay: vyre_proto::relay_url::RelayUrl = relay.parse().unwrap();
    server_runtime().block_on(async {
        let (mut all, mut ids) = (Vec::new(), Vec::new());
        for _ in 0..n {
            let identity = Arc::new(BoxIdentity::generate().unwrap());
            ids.push(identity.box_id().to_string());
            let uplink = Uplink::start(relay.clone(), identity, &Clock::system(), Arc::new(Echo)).unwrap();
            uplink.state().wait_for(|s| *s == UplinkState::Up).await.unwrap();
            all.push(uplink);
        }
        say(&json!({"boxes": ids}));
        let mut orders = orders();
        while orders.recv().await.is_some() {}
    });
}

/// A binary message of a client. The mask is zero: a server cannot tell, and the client need not turn its bytes over.
pub fn message(payload: &[u8], out: &mut Vec<u8>) {
    out.push(0x82);
    match payload.len() {
        n @ 0..=125 => out.push(0x80 | n as u8),
        n @ 126..=65_535 => {
            out.push(0x80 | 126);
            out.extend_from_slice(&(n as u16).to_be_bytes());
        }
        n => {
            out.push(0x80 | 127);
            out.extend_from_slice(&(n as u64).to_be_bytes());
        }
    }
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(payload);
}

/// A producer on a WebSocket, on threads that block: the least between the clock and the wire.
fn producer(addr: &str, path: &str, token: &str, session: &str) {
    let mut tcp = TcpStream::connect(addr).unwrap();
    tcp.set_nodelay(true).unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    tcp.write_all(request.as_bytes()).unwrap();
    let mut buf = BytesMut::new();
    let mut piece = vec![0; 64 * 1024];
    let end = loop {
        if let Some(i) = buf.windows(4).position(|w| w == b"\r\n\r\n") {
            break i + 4;
        }
        let n = tcp.read(&mut piece).unwrap();
        assert!(n > 0, "the box went away");
        buf.extend_from_slice(&piece[..n]);
    };
    assert!(buf.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&buf));
    let _ = buf.split_to(end);

    let acked = Arc::new(AtomicU64::new(0));
    let (told, mut from) = (acked.clone(), tcp.try_clone().unwrap());
    std::thread::spawn(move || {
        let mut decoder = Decoder::new();
        loop {
            messages(&mut buf, |payload| decoder.push_shared(payload));
            while let Some(record) = decoder.next().unwrap() {
                let published = pb::Published::decode(record).unwrap();
                assert!(published.refused.is_empty(), "{:?}", published.refused);
                told.store(published.upto, Ordering::SeqCst);
            }
            match from.read(&mut piece) {
                Ok(n @ 1..) => buf.extend_from_slice(&piece[..n]),
                _ => return,
            }
        }
    });
    // The sink of a floor acknowledges nothing.
    let acks = !path.starts_with("/sink");
    say(&json!({"ready": true}));
    let mut sent = 0;
    for order in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = order.split(' ').collect();
        let began = Instant::now();
        match words[..] {
            ["start"] => sent += write(&mut tcp, vec![events::started(session)]),
            ["send", rate, n, batch] => {
                let (rate, n, batch): (f64, u64, u64) =
                    (rate.parse().unwrap(), n.parse().unwrap(), batch.parse().unwrap());
                let (mut seq, mut one) = (0, (batch == 1).then(|| EventBytes::new(session)));
                while seq < n {
                    if rate > 0.0 {
                        let due = began + Duration::from_secs_f64(seq as f64 / rate);
                        std::thread::sleep(due.saturating_duration_since(Instant::now()));
                    }
                    let upto = n.min(seq + batch);
                    match &mut one {
                        Some(one) => {
                            tcp.write_all(one.stamped(upto)).unwrap();
                            sent += 1;
                        }
                        None => sent += write(&mut tcp, (seq + 1..=upto).map(|n| events::delta(session, n)).collect()),
                    }
                    seq = upto;
                    while acks && sent - acked.load(Ordering::SeqCst) > WINDOW {
                        std::thread::sleep(Duration::from_micros(20));
                    }
                }
            }
            ["mixed", n] => {
                let all = crate::merged::events_of(session, n.parse().unwrap());
                for group in all.chunks(64) {
                    sent += write(&mut tcp, group.to_vec());
                }
            }
            _ => panic!("no such order"),
        }
        let written = began.elapsed();
        while acks && acked.load(Ordering::SeqCst) < sent {
            std::thread::sleep(Duration::from_micros(200));
        }
        say(&json!({"sent": sent, "written": written.as_secs_f64(), "acked": began.elapsed().as_secs_f64()}));
    }
}

/// Writes one record with these events. Gives how many.
fn write(tcp: &mut TcpStream, events: Vec<pb::Event>) -> u64 {
    let n = events.len() as u64;
    let record = record::to_record(&pb::Publish { events });
    let mut out = Vec::with_capacity(record.len() + 14);
    message(&record, &mut out);
    tcp.write_all(&out).unwrap();
    n
}
