//! What a viewer receives says nothing of what they may not see, on any carrier.

use std::time::Duration;

use serde_json::Value;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::ResetReason;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::pb::stream::stream_head::Want;
use vyre_proto::tick::Tick;
use vyre_proto::tick::Wall;
use vyre_stream::clock::Clock;
use vyre_stream::config::Settings;
use vyre_stream::rules::caller::Person;
use vyre_stream::rules::caller::Roles;

use crate::common::QuicClient;
use crate::common::QuicStream;
use crate::common::Screen;
use crate::common::TestBox;
use crate::common::unchunk;

const SOON: Duration = Duration::from_secs(20);

/// Lines of one session of robin and sam: words, results with fields and whole records for others, a sealed value, a
/// question; and before sam came words of which sam gets nothing. `secret` gives what is hidden.
fn lines(secret: &dyn Fn(usize) -> String) -> Vec<String> {
    let mut all: Vec<(&str, &str, Value)> = vec![(
        "thread.started",
        "person:robin",
        json!({ "title": "T", "folder": "/w", "assistant": "assistant:h", "group": true }),
    )];
    all.push(("room.joined", "person:robin", json!({ "who": "person:robin" })));
    for n in 0..6 {
        all.push(("thread.delta", "assistant:h", json!({ "message": "before", "text": secret(n) })));
    }
    all.push(("thread.done", "assistant:h", json!({ "message": "before" })));
    all.push(("room.joined", "person:robin", json!({ "who": "person:sam" })));
    for n in 0..12 {
        let field = |name: &str| json!({ "name": name, "value": secret(n), "read_roles": ["hr"] });
        let open = json!({ "name": "who", "value": "x".repeat(300 * n) });
        let result = match n % 4 {
            0 => json!({ "block": "record", "title": "t", "fields": [open, field("pay"), field("iban")] }),
            1 => json!({ "block": "record", "title": secret(n), "fields": [field("pay")], "read_roles": ["hr"] }),
            2 => json!({ "block": "answer", "text": "word ".repeat(9000), "fields": [field("pay")] }),
            _ => {
                json!({ "block": "draft", "body": "b", "fields": [{ "name": "s", "sealed": "iban", "value": secret(n) }] })
            }
        };
        let call = format!("c{n}");
        all.push((
            "thread.tool-finished",
            "assistant:h",
            json!({ "call": call, "tool": "look", "ok": true, "result": result }),
        ));
        for piece in 0..8 {
            let text = format!("some words {n} {piece}, and a few more. ");
            all.push(("thread.delta", "assistant:h", json!({ "message": format!("m{}", piece % 2), "text": text })));
        }
    }
    all.push(("thread.done", "assistant:h", json!({ "message": "m0" })));
    all.push(("thread.cut", "assistant:h", json!({ "message": "m1", "note": "enough" })));
    let line = |(n, (name, actor, data)): (usize, (&str, &str, Value))| {
        json!({ "id": format!("e{n}"), "name": name, "session": "s", "actor": actor, "time": n + 1, "data": data })
            .to_string()
    };
    all.into_iter().enumerate().map(line).collect()
}

async fn boxed(secret: &dyn Fn(usize) -> String) -> (TestBox, Vec<String>) {
    let clock = Clock::settable(Tick(1_000_000), Wall(1_700_000_000_000_000));
    (TestBox::start_with(Settings::default(), clock).await, lines(secret))
}

/// A stream on each carrier: raw text of events, a WebSocket, a native stream.
struct All {
    tcp: TcpStream,
    raw: Vec<u8>,
    screen: Screen,
    phone: (QuicClient, QuicStream),
}

impl All {
    async fn open(b: &TestBox, token: &str, from: u64, unmerged: bool) -> All {
        let merge = if unmerged { "&merge=none" } else { "" };
        let mut tcp = TcpStream::connect(b.http()).await.unwrap();
        let request = format!(
            "GET /v1/streams/stream/session?session=s&from={from}{merge} HTTP/1.1\r\nhost: {}\r\n\
             authorization: Bearer {token}\r\naccept: text/event-stream\r\n\r\n",
            b.http()
        );
        tcp.write_all(request.as_bytes()).await.unwrap();
        let screen = Screen::open(b.http(), &b.ticket(token, "s").await, &format!("&from={from}{merge}")).await;
        let client = QuicClient::connect(b.quic(), b.id()).await;
        let options = Some(pb::AttachOptions { unmerged, ..Default::default() });
        let attach = pb::Attach { ticket: b.ticket(token, "s").await, from, options };
        let (stream, _) = client.stream("", Want::Attach(attach)).await;
        All { tcp, raw: Vec::new(), screen, phone: (client, stream) }
    }

    /// Reads on every carrier up to a cursor.
    async fn until(&mut self, head: u64) {
        self.screen.until(head).await;
        while self.phone.1.frame().await.unwrap().get().cur < head {}
        self.text(&format!(":{head}\n")).await;
    }

    /// Reads events until this is among them.
    async fn text(&mut self, what: &str) -> String {
        loop {
            let text = match self.raw.windows(4).position(|w| w == b"\r\n\r\n") {
                Some(head) => String::from_utf8_lossy(&unchunk(&self.raw[head + 4..])).into_owned(),
                None => String::new(),
            };
            if text.contains(what) && text.ends_with("\n\n") {
                return text;
            }
            let mut buf = [0; 16_384];
            let n = timeout(SOON, self.tcp.read(&mut buf)).await.expect("no event").unwrap();
            assert!(n > 0, "the stream ended: {text}");
            self.raw.extend_from_slice(&buf[..n]);
        }
    }

    /// All that came, with the log's own name taken out.
    async fn bytes(&mut self, log: &str, head: u64) -> [String; 3] {
        let events = self.text(&format!(":{head}\n")).await;
        let plain = |b: &[u8]| b.iter().map(|b| char::from(*b)).collect::<String>().replace(log, "-");
        [events.replace(log, "-"), plain(&self.screen.bytes), plain(&self.phone.1.bytes)]
    }
}

/// Whatever this person can get out of a box.
async fn everything(secret: &dyn Fn(usize) -> String, who: &str) -> Vec<String> {
    let (b, all) = boxed(secret).await;
    let (token, outsider) = (b.person(who), b.person("lou"));
    let mut got = Vec::new();
    // The first part is there when they come, the rest comes live.
    let (first, rest) = all.split_at(60);
    b.publish(first).await;
    let opened = b.call(&token, "stream.open", json!({ "session": "s" })).await.json();
    let (log, begin) = (opened["log"].as_str().unwrap().to_owned(), opened["head"].as_str().unwrap().to_owned());
    let mut live = All::open(&b, &token, 0, true).await;
    live.until(begin.parse().unwrap()).await;
    for line in rest {
        b.publish(std::slice::from_ref(line)).await;
    }
    let opened = b.call(&token, "stream.open", json!({ "session": "s" })).await.json();
    let head: u64 = opened["head"].as_str().unwrap().parse().unwrap();
    got.push(format!("{} {}", opened["head"], opened["floor"]));
    live.until(head).await;
    got.extend(live.bytes(&log, head).await);
    for (from, unmerged) in [(0, true), (0, false), (5, false), (40, false), (head - 3, true)] {
        let mut again = All::open(&b, &token, from, unmerged).await;
        again.until(head).await;
        got.extend(again.bytes(&log, head).await);
    }
    for ask in
        [json!({}), json!({ "limit": 7 }), json!({ "before": 50, "limit": 500 }), json!({ "before": 1u64 << 53 })]
    {
        let mut ask = ask;
        ask["session"] = json!("s");
        let reply = b.call(&token, "stream.history", ask).await;
        got.push(format!("{} {}", reply.status, reply.text().replace(&log, "-")));
    }
    got.push(b.call(&token, "sessions.list", json!({})).await.text().replace(&log, "-"));
    for (token, tool) in [(&outsider, "stream.open"), (&outsider, "stream.history"), (&token, "stream.send")] {
        let reply = b.call(token, tool, json!({ "session": "s", "message": "m0", "text": "x" })).await;
        got.push(format!("{} {}", reply.status, reply.text()));
    }
    b.stop().await;
    got
}

#[tokio::test]
async fn nothing_that_a_viewer_gets_on_any_carrier_depends_on_what_is_hidden_from_them() {
    for who in ["sam", "robin"] {
        let told = |n: usize| if n < 6 && who == "robin" { "the same".to_owned() } else { format!("SECRET{n}") };
        let long = |n: usize| {
            if n < 6 && who == "robin" { "the same".to_owned() } else { "ÿ\"".repeat([1, 40, 700, 5000][n % 4] + n) }
        };
        let (one, two) = (everything(&told, who).await, everything(&long, who).await);
        assert_eq!(one.len(), two.len());
        for (n, (a, b)) in one.iter().zip(&two).enumerate() {
            let at = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
            let near = |s: &str| s.chars().skip(at.saturating_sub(80)).take(200).collect::<String>();
            assert!(a == b, "{who}, {n} of {}: {:?} and {:?}", one.len(), near(a), near(b));
            assert!(!a.contains("SECRET"), "{who}, {n}");
        }
    }
}

#[tokio::test]
async fn a_change_of_clearance_resets_the_streams_of_that_person_on_every_carrier_and_nobody_elses() {
    let (b, all) = boxed(&|n| format!("SECRET{n}")).await;
    b.publish(&all).await;
    let (sam, robin) = (b.person("sam"), b.person("robin"));
    let session = b.daemon().tools().sessions().get(&SessionId::parse("s").unwrap()).await.unwrap();
    let head = session.bounds().head.get();
    let (mut hers, mut his) = (All::open(&b, &sam, 0, true).await, All::open(&b, &robin, 0, true).await);
    hers.until(head).await;
    his.until(head).await;
    let before = session.bounds().log.to_string();
    let count = his.bytes(&before, head).await.map(|s| s.len());

    let person = Person::new(Author::person("sam").unwrap()).unwrap();
    session.regrant(&person, &Roles::new(["hr"]).unwrap());

    let frames = hers.screen.until(head).await;
    let Some(Data::Reset(reset)) = &frames[0].get().data else { panic!("{:?}", frames[0]) };
    assert_eq!((reset.reason(), reset.view > 1), (ResetReason::ViewChanged, true));
    let shown =
        |frames: &[vyre_proto::frame::Frame]| frames.iter().any(|f| format!("{:?}", f.get()).contains("SECRET1"));
    assert!(shown(&frames));
    let frame = hers.phone.1.frame().await.unwrap();
    assert!(matches!(&frame.get().data, Some(Data::Reset(r)) if r.reason() == ResetReason::ViewChanged));
    let text = hers.text("VIEW_CHANGED").await;
    assert!(text.contains("reset"));

    let next = json!({ "id": "last", "name": "thread.user", "session": "s", "actor": "person:robin", "data": { "message": "u", "text": "hi" } });
    b.publish(&[next.to_string()]).await;
    assert_eq!(his.screen.next().await.unwrap().get().cur, head + 1);
    assert_eq!(his.phone.1.frame().await.unwrap().get().cur, head + 1);
    let text = his.text(&format!(":{}\n", head + 1)).await;
    assert!(count[0] < text.len() && !text.contains("VIEW_CHANGED"));
    b.stop().await;
}
