//! A box behind a relay: the same bytes, the same answers, the same rules as straight to it.

use std::time::Duration;

use prost::Message as _;
use serde_json::json;
use tokio::time::timeout;
use vyre_proto::event::Event;
use vyre_proto::kind::Kind;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::stream_answer::Answer as HeadAnswer;
use vyre_proto::pb::stream::stream_head::Want;
use vyre_proto::record::to_record;
use vyre_stream::clock::Clock;
use vyre_stream::config::Many;
use vyre_stream::config::Settings;
use vyre_stream::edge::uplink::UplinkState;

use crate::common::QuicClient;
use crate::common::Screen;
use crate::common::TestBox;
use crate::common::TestRelay;
use crate::common::delta;
use crate::common::http;
use crate::common::open_socket;
use crate::common::words;

struct Behind {
    relay: TestRelay,
    b: TestBox,
}

impl Behind {
    async fn start() -> Behind {
        let relay = TestRelay::start().await;
        let settings = Settings { relay: Some(Many::One(relay.server.url().to_string())), ..Settings::default() };
        let b = TestBox::start_with(settings, Clock::system()).await;
        let mut state = b.daemon().uplinks().remove(0);
        timeout(Duration::from_secs(10), state.wait_for(|s| *s == UplinkState::Up)).await.expect("no uplink").unwrap();
        Behind { relay, b }
    }

    fn prefix(&self) -> String {
        format!("/b/{}", self.b.id())
    }

    async fn phone(&self) -> QuicClient {
        QuicClient::through(self.relay.server.url(), self.relay.server.quic(), self.b.id()).await
    }
}

fn attach(ticket: String, from: u64, unmerged: bool) -> Want {
    Want::Attach(pb::Attach { ticket, from, options: Some(pb::AttachOptions { unmerged, ..Default::default() }) })
}

#[tokio::test]
async fn the_records_are_the_same_bytes_straight_and_through_the_relay() {
    let w = Behind::start().await;
    w.b.publish(&words("s", 2000)).await;
    let token = w.b.person("robin");
    let direct = QuicClient::connect(w.b.quic(), w.b.id()).await;
    let relayed = w.phone().await;
    for (from, unmerged) in [(0, true), (0, false), (777, true), (777, false)] {
        let query = format!("&from={from}{}", if unmerged { "&merge=none" } else { "" });
        let mut lan = Screen::open(w.b.http(), &w.b.ticket(&token, "s").await, &query).await;
        lan.until(2001).await;

        let ticket = w.b.ticket(&token, "s").await;
        let mut web = Screen::open_below(w.relay.server.http(), &w.prefix(), &ticket, &query).await;
        web.until(2001).await;

        assert!(lan.bytes.len() > 1000 && web.bytes == lan.bytes, "WebSocket {from} {unmerged}");
        for phone in [&direct, &relayed] {
            let (mut stream, _) = phone.stream("", attach(w.b.ticket(&token, "s").await, from, unmerged)).await;
            while stream.frame().await.unwrap().get().cur < 2001 {}
            assert!(stream.bytes == lan.bytes, "QUIC {from} {unmerged}");
        }
    }
}

#[tokio::test]
async fn calls_are_answered_through_the_relay_as_on_the_box() {
    let w = Behind::start().await;
    w.b.publish(&words("s", 3)).await;
    let auth = format!("Bearer {}", w.b.person("robin"));
    for (tool, body) in
        [("sessions.list", json!({})), ("stream.open", json!({ "session": "nowhere" })), ("x.y", json!({}))]
    {
        let headers = [("authorization", auth.as_str()), ("content-type", "application/json")];
        let body = body.to_string();
        let path = format!("/v1/tools/{tool}");

        let straight = http(w.b.http(), "POST", &path, &headers, body.as_bytes()).await;
        let there = format!("{}{path}", w.prefix());
        let relayed = http(w.relay.server.http(), "POST", &there, &headers, body.as_bytes()).await;

        assert_eq!((straight.status, straight.json()), (relayed.status, relayed.json()), "{tool}");
        assert_eq!(relayed.header("x-content-type-options"), Some("nosniff"));
    }
    // The box says that the relay is a way to it.
    let headers = [("authorization", auth.as_str()), ("content-type", "application/json")];
    let opened = http(w.b.http(), "POST", "/v1/tools/stream.open", &headers, b"{\"session\":\"s\"}").await.json();
    let last = opened["paths"].as_array().unwrap().last().unwrap().as_str().unwrap();
    assert_eq!(last, format!("{}#{}", w.relay.server.url(), w.b.id()));
}

#[tokio::test]
async fn a_foreign_page_is_refused_through_the_relay_too() {
    let w = Behind::start().await;
    w.b.publish(&words("s", 3)).await;
    let token = w.b.person("robin");
    let path = format!("{}/v1/streams/stream/session?ticket={}", w.prefix(), w.b.ticket(&token, "s").await);
    let relay = w.relay.server.http();

    assert_eq!(open_socket(relay, &path, &[("origin", "http://evil.example")]).await.err(), Some(403));
    // Its ticket is still good, once.
    assert!(open_socket(relay, &path, &[]).await.is_ok());
    assert_eq!(open_socket(relay, &path, &[]).await.err(), Some(401));
    assert_eq!(open_socket(w.b.http(), &path[w.prefix().len()..], &[]).await.err(), Some(401));
}

#[tokio::test]
async fn a_producer_publishes_through_the_relay_and_a_screen_sees_it_live() {
    let w = Behind::start().await;
    w.b.publish(&words("s", 1)).await;
    let token = w.b.person("robin");
    let ticket = w.b.ticket(&token, "s").await;
    let mut screen = Screen::open_below(w.relay.server.http(), &w.prefix(), &ticket, "&merge=none").await;
    screen.until(2).await;
    let phone = w.phone().await;
    let (mut stream, answer) = phone.stream(&w.b.producer(), Want::Publish(pb::Publishing {})).await;
    assert!(matches!(answer.answer, Some(HeadAnswer::Accepted(_))));

    let event = Event::from_json(delta("s", 50, "through").as_bytes()).unwrap().into_inner();
    stream.send.write_all(&to_record(&pb::Publish { events: vec![event] })).await.unwrap();

    assert_eq!(screen.next().await.unwrap().get().cur, 3);
    let told = pb::Published::decode(stream.record().await.unwrap()).unwrap();
    assert_eq!((told.upto, told.accepted), (1, 1));
}

#[tokio::test]
async fn a_screen_that_leaves_the_relay_leaves_the_box() {
    let w = Behind::start().await;
    w.b.publish(&words("s", 3)).await;
    let token = w.b.person("robin");
    let mut screen = Screen::open_below(w.relay.server.http(), &w.prefix(), &w.b.ticket(&token, "s").await, "").await;
    screen.until(4).await;
    assert_eq!(w.b.daemon().doors().count(), 1);

    screen.socket.close(None).await.unwrap();
    drop(screen);

    timeout(Duration::from_secs(5), w.b.daemon().doors().empty()).await.expect("the box still feeds it");
}

#[tokio::test]
async fn a_box_that_stops_says_bye_through_the_relay() {
    let Behind { relay, b } = Behind::start().await;
    b.publish(&words("s", 3)).await;
    let token = b.person("robin");
    let prefix = format!("/b/{}", b.id());
    let mut screen = Screen::open_below(relay.server.http(), &prefix, &b.ticket(&token, "s").await, "").await;
    let phone = QuicClient::through(relay.server.url(), relay.server.quic(), b.id()).await;
    let (mut stream, _) = phone.stream("", attach(b.ticket(&token, "s").await, 4, true)).await;
    screen.until(4).await;
    assert_eq!(stream.frame().await.unwrap().kind(), Some(Kind::Hello));

    let stopping = tokio::spawn(b.stop());

    assert_eq!(screen.next().await.unwrap().kind(), Some(Kind::Bye));
    assert!(screen.next().await.is_err());
    assert_eq!(stream.frame().await.unwrap().kind(), Some(Kind::Bye));
    assert!(stream.frame().await.is_none());
    timeout(Duration::from_secs(8), stopping).await.expect("it hangs").unwrap();
    // Whoever comes now is told at once that the box is away.
    assert_eq!(http(relay.server.http(), "GET", &format!("{prefix}/v1/health"), &[], b"").await.status, 503);
}

fn open_attach(session: &str) -> Want {
    Want::Open(pb::OpenAttach {
        open: Some(pb::StreamOpen { session: session.into(), ..Default::default() }),
        options: None,
    })
}

/// Early data may be a copy that somebody else sends. What only reads may travel in it; what does something is held until
/// the handshake shows who sends, and through a relay, which cannot show that, it is sent back to be asked again.
#[tokio::test]
async fn early_data_reads_and_does_nothing_else() {
    let w = Behind::start().await;
    w.b.publish(&words("s", 5)).await;
    let token = w.b.person("robin");
    for (relayed, first) in [(false, QuicClient::connect(w.b.quic(), w.b.id()).await), (true, w.phone().await)] {
        // An answer has come: so has what resumes.
        first.stream(&token, Want::Calls(pb::Calls {})).await;

        let (again, taken) = first.early();
        let (mut frames, opened) = again.stream(&token, open_attach("s")).await;
        assert!(matches!(opened.answer, Some(HeadAnswer::Opened(_))), "{opened:?}");
        assert_eq!(frames.frame().await.unwrap().kind(), Some(Kind::Hello));
        assert!(taken.await, "the early data was thrown away");
        again.stream(&token, Want::Calls(pb::Calls {})).await;

        let (again, taken) = first.early();
        let (_calls, answer) = again.stream(&token, Want::Calls(pb::Calls {})).await;
        match answer.answer {
            Some(HeadAnswer::Accepted(_)) => assert!(!relayed, "a relayed head that may be a copy was obeyed"),
            Some(HeadAnswer::Error(e)) => {
                assert!(relayed, "{e:?}");
                assert_eq!(e.code(), pb::ErrorCode::Unavailable);
            }
            other => panic!("{other:?}"),
        }
        assert!(taken.await);
        let (_calls, confirmed) = again.stream(&token, Want::Calls(pb::Calls {})).await;
        assert!(matches!(confirmed.answer, Some(HeadAnswer::Accepted(_))), "{confirmed:?}");
    }
}
