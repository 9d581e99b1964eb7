//! One log, read over every carrier: the same bytes of logged frames on all binary ones, the same frames as JSON on the
//! event stream.

use std::time::Duration;

use bytes::Bytes;
use ring::digest;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use vyre_proto::frame::Frame;
use vyre_proto::json;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::stream_head::Want;
use vyre_proto::record::Decoder;
use vyre_proto::record::wrap;
use vyre_proto::sse;
use vyre_stream::clock::Clock;
use vyre_stream::config::Many;
use vyre_stream::config::Settings;
use vyre_stream::daemon::UplinkState;

use crate::common::QuicClient;
use crate::common::Screen;
use crate::common::TestBox;
use crate::common::TestRelay;
use crate::common::unchunk;

const LIMIT: Duration = Duration::from_secs(10);

/// Several messages side by side, thinking, calls with progress, and what lies between: about 700 cursors.
fn mixed() -> Vec<String> {
    let mut all = vec![
        r#"{"id":"0","name":"thread.started","session":"s","actor":"person:robin","data":{"title":"t","assistant":"assistant:a"}}"#
            .to_owned(),
    ];
    let mut push = |name: &str, data: String| {
        all.push(format!(
            r#"{{"id":"{}","name":"{name}","session":"s","time":{},"actor":"assistant:a","acts_for":"person:robin","data":{data}}}"#,
            all.len(),
            1_700_000_000_000_000 + all.len()
        ));
    };
    for n in 0..20 {
        push("thread.thinking", format!(r#"{{"message":"m{n}","text":"hm "}}"#));
        for word in 0..12 {
            push("thread.delta", format!(r#"{{"message":"m{n}","text":"wörd{word} "}}"#));
            if n % 4 == 0 {
                push("thread.delta", format!(r#"{{"message":"side{n}","text":"ſide{word} "}}"#));
            }
        }
        push("thread.tool-started", format!(r#"{{"call":"c{n}","tool":"bash","input":{{"command":"ls"}}}}"#));
        for line in 0..6 {
            push("thread.tool-progress", format!(r#"{{"call":"c{n}","text":"line {line}\n"}}"#));
        }
        push("thread.tool-finished", format!(r#"{{"call":"c{n}","tool":"bash","ok":true,"result":"done"}}"#));
        push("thread.file-changed", format!(r#"{{"path":"f{n}","change":"added"}}"#));
        push("thread.done", format!(r#"{{"message":"m{n}"}}"#));
    }
    all
}

/// Records of logged frames, as they stood on the wire.
#[derive(Default)]
struct Logged {
    bytes: Vec<u8>,
    frames: Vec<Frame>,
}

impl Logged {
    fn of(stream: &[u8]) -> Logged {
        let (mut decoder, mut logged) = (Decoder::new(), Logged::default());
        decoder.push(stream);
        while let Some(message) = decoder.next().unwrap() {
            logged.take(message);
        }
        decoder.finish().unwrap();
        logged
    }

    fn take(&mut self, message: Bytes) {
        let frame = Frame::decode(message.clone()).unwrap();
        if frame.span().is_some() {
            let mut record = bytes::BytesMut::new();
            wrap(&message, &mut record);
            self.bytes.extend_from_slice(&record);
            self.frames.push(frame);
        }
    }

    fn hash(&self) -> Vec<u8> {
        digest::digest(&digest::SHA256, &self.bytes).as_ref().to_vec()
    }
}

/// The frames of the event stream up to `head`.
async fn events(at: std::net::SocketAddr, prefix: &str, token: &str, query: &str, head: u64) -> Vec<Frame> {
    let mut tcp = TcpStream::connect(at).await.unwrap();
    let request = format!(
        "GET {prefix}/v1/streams/stream/session?session=s{query} HTTP/1.1\r\nhost: {at}\r\n\
         authorization: Bearer {token}\r\naccept: text/event-stream\r\n\r\n"
    );
    tcp.write_all(request.as_bytes()).await.unwrap();
    let (mut raw, mut fed, mut parser) = (Vec::new(), 0, sse::Parser::new());
    let mut frames = Vec::<Frame>::new();
    while frames.last().and_then(Frame::span).is_none_or(|s| s.end().get() < head) {
        let mut piece = [0; 16_384];
        let n = timeout(LIMIT, tcp.read(&mut piece)).await.expect("no event").unwrap();
        assert!(n > 0, "the stream ended: {}", String::from_utf8_lossy(&raw));
        raw.extend_from_slice(&piece[..n]);
        let Some(start) = raw.windows(4).position(|w| w == b"\r\n\r\n") else { continue };
        let body = unchunk(&raw[start + 4..]);
        parser.push(&body[fed..]);
        fed = body.len();
        while let Some(event) = parser.next().unwrap() {
            let Some(read) = sse::read(&event).unwrap() else { continue };
            if read.frame.span().is_some() {
                frames.push(read.frame);
            }
        }
    }
    frames
}

#[tokio::test]
async fn logged_frames_are_the_same_over_every_carrier() {
    let relay = TestRelay::start().await;
    let settings = Settings { relay: Some(Many::One(relay.server.url().to_string())), ..Settings::default() };
    let b = TestBox::start_with(settings, Clock::system()).await;
    let mut state = b.daemon().uplinks().remove(0);
    timeout(LIMIT, state.wait_for(|s| *s == UplinkState::Up)).await.expect("no uplink").unwrap();
    let all = mixed();
    b.publish(&all).await;
    let token = b.person("robin");
    let opened = b.call(&token, "stream.open", serde_json::json!({ "session": "s" })).await.json();
    let head: u64 = opened["head"].as_str().unwrap().parse().unwrap();
    let prefix = format!("/b/{}", b.id());
    let direct = QuicClient::connect(b.quic(), b.id()).await;
    let relayed = QuicClient::through(relay.server.url(), relay.server.quic(), b.id()).await;

    // From the start, inside a run that merges, at the end of one, and before the last.
    for (from, unmerged) in [0, 1, 9, 10, 17, 333, head - 1].into_iter().flat_map(|f| [(f, true), (f, false)]) {
        let query = format!("&from={from}{}", if unmerged { "&merge=none" } else { "" });
        let what = format!("from {from}, {}", if unmerged { "one by one" } else { "merged" });

        let mut lan = Screen::open(b.http(), &b.ticket(&token, "s").await, &query).await;
        lan.until(head).await;
        let lan = Logged::of(&lan.bytes);
        let ticket = b.ticket(&token, "s").await;
        let mut web = Screen::open_below(relay.server.http(), &prefix, &ticket, &query).await;
        web.until(head).await;
        let mut others = vec![("relayed WebSocket", Logged::of(&web.bytes))];
        for (name, phone) in [("direct QUIC", &direct), ("relayed QUIC", &relayed)] {
            let options = pb::AttachOptions { unmerged, ..Default::default() };
            let ticket = b.ticket(&token, "s").await;
            let (mut stream, _) =
                phone.stream("", Want::Attach(pb::Attach { ticket, from, options: Some(options) })).await;
            while stream.frame().await.unwrap().get().cur < head {}
            others.push((name, Logged::of(&stream.bytes)));
        }

        // First that it is all there, then that it is the same.
        let (mut last, mut many) = (from, false);
        for span in lan.frames.iter().filter_map(Frame::span) {
            assert_eq!(span.first().get(), last + 1, "{what}");
            many |= span.len() > 1;
            last = span.end().get();
        }
        assert_eq!(last, head, "{what}");
        assert_eq!(many, !unmerged && from < head - 1, "{what}");
        for (name, other) in &others {
            assert_eq!(other.hash(), lan.hash(), "{name}, {what}");
        }
        for (name, at, prefix) in [("straight", b.http(), ""), ("relayed", relay.server.http(), prefix.as_str())] {
            let sse = events(at, prefix, &token, &query, head).await;
            let text =
                |frames: &[Frame]| -> Vec<String> { frames.iter().map(|f| json::write(f.get()).unwrap()).collect() };
            assert_eq!(text(&sse), text(&lan.frames), "events {name}, {what}");
        }
    }
}

#[tokio::test]
async fn a_merged_replay_taken_apart_is_the_unmerged_one() {
    let b = TestBox::start().await;
    b.publish(&mixed()).await;
    let token = b.person("robin");
    let opened = b.call(&token, "stream.open", serde_json::json!({ "session": "s" })).await.json();
    let head: u64 = opened["head"].as_str().unwrap().parse().unwrap();
    let mut one_by_one = Screen::open(b.http(), &b.ticket(&token, "s").await, "&merge=none").await;
    one_by_one.until(head).await;
    let mut merged = Screen::open(b.http(), &b.ticket(&token, "s").await, "").await;
    merged.until(head).await;

    let (single, merged) = (Logged::of(&one_by_one.bytes), Logged::of(&merged.bytes));

    assert!(merged.frames.len() * 2 < single.frames.len(), "{} {}", merged.frames.len(), single.frames.len());
    let rows = |logged: &Logged| {
        let mut fold = vyre_proto::fold::Fold::new();
        for frame in &logged.frames {
            fold.apply(frame);
        }
        serde_json::to_value(fold.rows()).unwrap()
    };
    assert_eq!(rows(&merged), rows(&single));
}
