//! Opening a session and reading it, over every carrier of the box itself.

use std::time::Duration;

use futures_util::SinkExt;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use vyre_proto::kind::Kind;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::pb::stream::stream_answer::Answer as HeadAnswer;
use vyre_proto::pb::stream::stream_head::Want;
use vyre_proto::sse;
use vyre_stream::clock::Clock;
use vyre_stream::config::Settings;

use crate::common::QuicClient;
use crate::common::Screen;
use crate::common::TestBox;
use crate::common::delta;
use crate::common::open_socket;
use crate::common::unchunk;
use crate::common::words;

fn open_attach(session: &str, from: u64, unmerged: bool) -> Want {
    Want::Open(pb::OpenAttach {
        open: Some(pb::StreamOpen { session: session.into(), from, ..Default::default() }),
        options: Some(pb::AttachOptions { unmerged, ..Default::default() }),
    })
}

#[tokio::test]
async fn a_screen_reads_what_was_published_and_then_what_comes() {
    let b = TestBox::start().await;
    b.publish(&words("s", 10)).await;
    let token = b.person("robin");
    let mut screen = Screen::open(b.http(), &b.ticket(&token, "s").await, "&from=0&merge=none").await;

    let hello = screen.next().await.unwrap();
    let replayed = screen.until(11).await;
    b.publish(&[delta("s", 10, "live")]).await;
    let live = screen.next().await.unwrap();

    assert_eq!(hello.kind(), Some(Kind::Hello));
    assert_eq!(replayed.iter().map(|f| f.get().cur).collect::<Vec<_>>(), (1..=11).collect::<Vec<_>>());
    assert_eq!(live.get().cur, 12);
    assert!(matches!(&live.get().data, Some(Data::TextDelta(d)) if d.text == "live"));
}

#[tokio::test]
async fn an_open_and_its_attach_travel_in_one_flight() {
    let b = TestBox::start().await;
    b.publish(&words("s", 10)).await;
    let phone = QuicClient::connect(b.quic(), b.id()).await;

    let (mut stream, answer) = phone.stream(&b.person("robin"), open_attach("s", 5, true)).await;

    let Some(HeadAnswer::Opened(opened)) = answer.answer else { panic!("{answer:?}") };
    assert_eq!((opened.head, opened.floor, opened.ticket.as_str()), (11, 1, ""));
    assert_eq!(stream.frame().await.unwrap().kind(), Some(Kind::Hello));
    for cur in 6..=11 {
        assert_eq!(stream.frame().await.unwrap().get().cur, cur);
    }
}

#[tokio::test]
async fn the_records_are_the_same_bytes_over_every_binary_carrier() {
    let b = TestBox::start().await;
    b.publish(&words("s", 3000)).await;
    let token = b.person("robin");
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    for (from, merge) in [(0, "none"), (0, ""), (1234, "none"), (1234, "")] {
        let query = if merge.is_empty() { format!("&from={from}") } else { format!("&from={from}&merge={merge}") };
        let mut screen = Screen::open(b.http(), &b.ticket(&token, "s").await, &query).await;
        screen.until(3001).await;

        let ticket = b.ticket(&token, "s").await;
        let options = pb::AttachOptions { unmerged: merge == "none", ..Default::default() };
        let attach = Want::Attach(pb::Attach { ticket, from, options: Some(options) });
        let (mut stream, _) = phone.stream("", attach).await;
        while stream.frame().await.unwrap().get().cur < 3001 {}

        assert!(stream.bytes == screen.bytes && screen.bytes.len() > 1000, "{from} {merge:?}");
    }
}

#[tokio::test]
async fn a_merged_replay_is_much_smaller_and_covers_the_same() {
    let b = TestBox::start().await;
    b.publish(&words("s", 2000)).await;
    let token = b.person("robin");

    let mut merged = Screen::open(b.http(), &b.ticket(&token, "s").await, "").await;
    let frames = merged.until(2001).await;

    assert!(frames.len() < 20, "{}", frames.len());
    let covered: u64 = frames.iter().filter_map(|f| f.span()).map(|s| s.len()).sum();
    assert_eq!(covered, 2001);
}

#[tokio::test]
async fn an_event_stream_goes_on_from_its_last_event_id() {
    let b = TestBox::start().await;
    b.publish(&words("s", 10)).await;
    let token = b.person("robin");

    let first = events(&b, &token, "", 11).await;
    let last = first[5].id.clone().unwrap();
    // The header wins over the query.
    let again = events(&b, &token, &format!("last-event-id: {last}\r\n"), 11).await;

    let ids = |e: &[sse::Event]| e.iter().filter_map(|e| e.id.clone()).collect::<Vec<_>>();
    let place = ids(&first).iter().position(|id| *id == last).unwrap();
    assert_eq!(ids(&again), ids(&first)[place + 1..]);
}

#[tokio::test]
async fn no_text_forges_an_event() {
    let b = TestBox::start().await;
    let text = "word\rid: 999\r\rdata: forged\r\r\r\nid: 1\r\n\r\ndata: x\n\nevent: y\n\n\u{2028}\0";
    b.publish(&[words("s", 0).remove(0), delta("s", 0, text)]).await;

    let events = events(&b, &b.person("robin"), "", 2).await;

    // The greeting, the start, the words, and nothing else.
    assert_eq!(events.len(), 3);
    let frame = sse::read(&events[2]).unwrap().unwrap().frame;
    assert!(matches!(&frame.get().data, Some(Data::TextDelta(d)) if d.text == text));
    assert!(events[2].id.as_deref().unwrap().ends_with(":2"));
}

/// Reads a stream of events up to cursor `last`.
async fn events(b: &TestBox, token: &str, headers: &str, last: u64) -> Vec<sse::Event> {
    let mut tcp = TcpStream::connect(b.http()).await.unwrap();
    let request = format!(
        "GET /v1/streams/stream/session?session=s&from=0&merge=none HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\n\
         accept: text/event-stream\r\n{headers}\r\n",
        b.http()
    );
    tcp.write_all(request.as_bytes()).await.unwrap();
    let mut parser = sse::Parser::new();
    let (mut raw, mut got) = (Vec::new(), Vec::new());
    let mut fed = 0;
    while !got.iter().any(|e: &sse::Event| e.id.as_deref().is_some_and(|id| id.ends_with(&format!(":{last}")))) {
        let mut buf = [0; 4096];
        let n = timeout(Duration::from_secs(10), tcp.read(&mut buf)).await.expect("no event").unwrap();
        assert!(n > 0, "the stream ended: {}", String::from_utf8_lossy(&raw));
        raw.extend_from_slice(&buf[..n]);
        let Some(head) = raw.windows(4).position(|w| w == b"\r\n\r\n") else { continue };
        let body = unchunk(&raw[head + 4..]);
        parser.push(&body[fed..]);
        fed = body.len();
        while let Some(event) = parser.next().unwrap() {
            got.push(event);
        }
    }
    let head = String::from_utf8_lossy(&raw).to_lowercase();
    assert!(head.contains("content-type: text/event-stream") && head.contains("x-accel-buffering: no"));
    assert!(head.contains("no-transform"));
    got
}

#[tokio::test]
async fn a_position_ahead_of_the_head_is_a_reset() {
    let b = TestBox::start().await;
    b.publish(&words("s", 3)).await;
    let token = b.person("robin");
    for from in ["5", "18446744073709551615"] {
        let mut screen = Screen::open(b.http(), &b.ticket(&token, "s").await, &format!("&from={from}")).await;
        assert_eq!(screen.next().await.unwrap().kind(), Some(Kind::Hello));

        let reset = screen.next().await.unwrap();

        let Some(Data::Reset(r)) = &reset.get().data else { panic!("{reset:?}") };
        assert_eq!(r.reason(), pb::ResetReason::AheadOfHead);
    }
}

#[tokio::test]
async fn a_session_that_is_not_there_and_one_of_others_read_the_same() {
    let b = TestBox::start().await;
    b.publish(&words("s", 3)).await;
    let stranger = b.person("sam");

    let unknown = b.call(&stranger, "stream.open", serde_json::json!({ "session": "nowhere" })).await;
    let foreign = b.call(&stranger, "stream.open", serde_json::json!({ "session": "s" })).await;

    assert_eq!(unknown.status, 404);
    assert_eq!((unknown.status, unknown.body), (foreign.status, foreign.body));
    let listed = b.call(&stranger, "sessions.list", serde_json::json!({})).await;
    assert_eq!(listed.json(), serde_json::json!({}));
}

#[tokio::test]
async fn a_socket_whose_header_says_who_calls_opens_and_attaches_in_one() {
    let b = TestBox::start().await;
    b.publish(&words("s", 3)).await;
    let bearer = |token: &str| format!("Bearer {token}");
    let (robin, stranger, producer) = (b.person("robin"), b.person("sam"), b.producer());
    let at = |session: &str| format!("/v1/streams/stream/session?session={session}&from=1");

    let authorized = [("authorization", bearer(&robin))];
    let authorized = authorized.each_ref().map(|(n, v)| (*n, v.as_str()));
    assert!(open_socket(b.http(), &at("s"), &authorized).await.is_ok());

    let refused = async |session: &str, token: &str| {
        let bearer = bearer(token);
        open_socket(b.http(), &at(session), &[("authorization", &bearer)]).await.unwrap_err()
    };
    let (foreign, unknown) = (refused("s", &stranger).await, refused("nowhere", &robin).await);
    assert_eq!(foreign, 404);
    assert_eq!(foreign, unknown);
    assert_eq!(refused("s", &producer).await, 403);
    assert_eq!(refused("s", "no-such-token").await, 401);
    assert_eq!(refused("", &robin).await, 400);
    assert_eq!(open_socket(b.http(), &at("s"), &[]).await.unwrap_err(), 401);
}

#[tokio::test]
async fn a_box_that_stops_says_bye_and_is_whole_when_it_comes_back() {
    let b = TestBox::start().await;
    b.publish(&words("s", 5)).await;
    let token = b.person("robin");
    let mut screen = Screen::open(b.http(), &b.ticket(&token, "s").await, "&merge=none").await;
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    let (mut stream, _) = phone.stream(&token, open_attach("s", 6, true)).await;
    screen.until(6).await;
    assert_eq!(stream.frame().await.unwrap().kind(), Some(Kind::Hello));

    let stopping = tokio::spawn(b.stop());
    let bye = screen.next().await.unwrap();
    let code = screen.next().await.unwrap_err();
    let native_bye = stream.frame().await.unwrap();
    let folder = timeout(Duration::from_secs(5), stopping).await.expect("it hangs").unwrap();

    let Some(Data::Bye(said)) = &bye.get().data else { panic!("{bye:?}") };
    assert_eq!(said.reason(), pb::ByeReason::Restart);
    assert!(said.max_delay_ms > 0);
    assert_eq!(code, 4503);
    assert_eq!(native_bye.kind(), Some(Kind::Bye));
    assert!(stream.frame().await.is_none());

    let b = TestBox::start_in(folder, Settings::default(), Clock::system()).await;
    let mut screen = Screen::open(b.http(), &b.ticket(&token, "s").await, "&from=4&merge=none").await;
    assert_eq!(screen.until(6).await.iter().filter(|f| f.get().cur > 0).count(), 2);
}

#[tokio::test]
async fn a_fifth_attach_of_one_client_ends_the_first() {
    let b = TestBox::start().await;
    b.publish(&words("s", 1)).await;
    let token = b.person("robin");
    let client = "0123456789abcdef0123456789abcdef";
    let mut screens = Vec::new();
    for attempt in 0..5 {
        let query = format!("&client={client}&attempt={attempt}");
        let mut screen = Screen::open(b.http(), &b.ticket(&token, "s").await, &query).await;
        screen.until(2).await;
        screens.push(screen);
    }

    let bye = screens[0].next().await.unwrap();

    let Some(Data::Bye(said)) = &bye.get().data else { panic!("{bye:?}") };
    assert_eq!(said.reason(), pb::ByeReason::Replaced);
    assert_eq!(screens[0].next().await, Err(4409));
}

#[tokio::test]
async fn text_where_binary_belongs_closes_with_its_code() {
    let b = TestBox::start().await;
    b.publish(&words("s", 1)).await;
    let mut screen = Screen::open(b.http(), &b.ticket(&b.person("robin"), "s").await, "").await;
    screen.until(2).await;

    screen.socket.send(Message::text("hello")).await.unwrap();

    assert_eq!(screen.next().await, Err(1003));
}

#[tokio::test]
async fn pings_are_answered() {
    let b = TestBox::start().await;
    b.publish(&words("s", 1)).await;
    let path = format!("/v1/streams/stream/session?ticket={}", b.ticket(&b.person("robin"), "s").await);
    let mut socket = open_socket(b.http(), &path, &[]).await.unwrap();

    socket.send(Message::Ping(vec![1, 2, 3].into())).await.unwrap();

    loop {
        use futures_util::StreamExt;
        match timeout(Duration::from_secs(5), socket.next()).await.unwrap().unwrap().unwrap() {
            Message::Pong(payload) => break assert_eq!(payload, &[1, 2, 3][..]),
            Message::Binary(_) => {}
            other => panic!("{other:?}"),
        }
    }
}
