//! Truncated, oversized, garbage and slow bytes through each door of the box.

use std::time::Duration;
use std::time::Instant;

use futures_util::SinkExt;
use prost::Message as _;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use vyre_proto::event::Event;
use vyre_proto::head::End;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::stream_answer::Answer as HeadAnswer;
use vyre_proto::pb::stream::stream_head::Want;
use vyre_proto::record::to_record;

use crate::common::QuicClient;
use crate::common::Screen;
use crate::common::TestBox;
use crate::common::http;
use crate::common::open_socket;
use crate::common::words;

/// What a box says to these bytes on a new native stream: the code of its reset, or `Done` for a clean end.
async fn said_to(phone: &QuicClient, bytes: &[u8], finish: bool) -> End {
    let (mut send, mut recv) = phone.connection.open_bi().await.unwrap();
    // It may refuse before all of it has gone.
    let _ = send.write_all(bytes).await;
    if finish {
        let _ = send.finish();
    }
    loop {
        match timeout(Duration::from_secs(10), recv.read_chunk(1 << 16, true)).await.expect("it says nothing") {
            Ok(Some(_)) => {}
            Ok(None) => return End::Done,
            Err(quinn::ReadError::Reset(code)) => return End::from_code(code.into()).unwrap(),
            Err(e) => panic!("{e}"),
        }
    }
}

#[tokio::test]
async fn heads_that_are_none_end_their_stream_and_nothing_else() {
    let b = TestBox::start().await;
    b.publish(&words("s", 3)).await;
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    let head = to_record(&pb::StreamHead { v: 1, want: Some(Want::Calls(pb::Calls {})), ..Default::default() });

    // A length of 4 GiB, a varint without an end, one byte over the limit, half a head, nothing at all.
    assert_eq!(said_to(&phone, &[0xff, 0xff, 0xff, 0xff, 0x0f], false).await, End::TooLarge);
    assert_eq!(said_to(&phone, &[0xff; 10], false).await, End::Invalid);
    assert_eq!(said_to(&phone, &[0x81, 0x20], false).await, End::TooLarge);
    assert_eq!(said_to(&phone, &head[..head.len() - 1], true).await, End::Invalid);
    assert_eq!(said_to(&phone, &[], true).await, End::Invalid);
    // A record that is no head, and one of another version, are answered in words.
    assert_eq!(said_to(&phone, &[3, 1, 2, 3], false).await, End::Done);
    let later = to_record(&pb::StreamHead { v: 9, ..Default::default() });
    assert_eq!(said_to(&phone, &later, false).await, End::Done);

    let (_stream, answer) = phone.stream(&b.person("robin"), Want::Calls(pb::Calls {})).await;
    assert!(matches!(answer.answer, Some(HeadAnswer::Accepted(_))));
}

#[tokio::test]
async fn a_head_that_does_not_come_is_not_waited_for() {
    let b = TestBox::start().await;
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    let began = Instant::now();

    assert_eq!(said_to(&phone, &[40], false).await, End::Slow);

    assert!(began.elapsed() < Duration::from_secs(8));
}

#[tokio::test]
async fn a_publish_stream_that_breaks_keeps_what_came_before() {
    let b = TestBox::start().await;
    let events: Vec<pb::Event> =
        words("s", 3).iter().map(|l| Event::from_json(l.as_bytes()).unwrap().into_inner()).collect();
    let good = to_record(&pb::Publish { events: events.clone() });
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    let producer = b.producer();
    for (tail, want) in [
        (&[0xff, 0xff, 0xff, 0xff, 0x0f][..], End::TooLarge),
        (&[0xff; 10][..], End::Invalid),
        (&[3, 0x0a, 0x7f, 1][..], End::Invalid),
    ] {
        let (mut stream, _) = phone.stream(&producer, Want::Publish(pb::Publishing {})).await;
        stream.send.write_all(&good).await.unwrap();
        assert!(stream.record().await.is_some());
        stream.send.write_all(tail).await.unwrap();

        let ended = timeout(Duration::from_secs(5), stream.recv.received_reset()).await.unwrap().unwrap();

        assert_eq!(ended.and_then(|c| End::from_code(c.into())), Some(want));
    }
    // Truncated by a FIN.
    let (mut stream, _) = phone.stream(&producer, Want::Publish(pb::Publishing {})).await;
    stream.send.write_all(&good[..good.len() - 1]).await.unwrap();
    stream.send.finish().unwrap();
    let ended = timeout(Duration::from_secs(5), stream.recv.received_reset()).await.unwrap().unwrap();
    assert_eq!(ended.and_then(|c| End::from_code(c.into())), Some(End::Invalid));
    let listed = b.call(&b.person("robin"), "sessions.list", serde_json::json!({})).await;
    assert_eq!(listed.json()["sessions"][0]["head"], "4");
}

#[tokio::test]
async fn a_record_of_half_a_million_empty_events_is_refused_event_by_event() {
    let b = TestBox::start().await;
    let auth = format!("Bearer {}", b.producer());
    let headers = [("authorization", auth.as_str()), ("content-type", "application/x-protobuf")];

    let reply = http(b.http(), "POST", "/v1/tools/events.publish", &headers, &[0x0a, 0].repeat(500_000)).await;

    assert_eq!(reply.status, 200);
    let answer = pb::EventsPublished::decode(&reply.body[..]).unwrap();
    assert_eq!((answer.accepted, answer.refused.len()), (0, 1000));
}

#[tokio::test]
async fn positions_that_are_no_numbers_are_refused_and_cost_no_ticket() {
    let b = TestBox::start().await;
    b.publish(&words("s", 3)).await;
    let ticket = b.ticket(&b.person("robin"), "s").await;
    for from in ["-1", "x", "1e3", "99999999999999999999999", "%00"] {
        let path = format!("/v1/streams/stream/session?ticket={ticket}&from={from}");
        assert_eq!(open_socket(b.http(), &path, &[]).await.err(), Some(400), "{from}");
    }
    Screen::open(b.http(), &ticket, "&from=0").await.until(4).await;
}

#[tokio::test]
async fn a_message_over_the_limit_closes_with_its_code() {
    let b = TestBox::start().await;
    b.publish(&words("s", 3)).await;
    let mut screen = Screen::open(b.http(), &b.ticket(&b.person("robin"), "s").await, "").await;
    screen.until(4).await;

    let _ = screen.socket.send(Message::binary(vec![0; 1 << 20])).await;

    // The box may close before it has read all: then the system takes the connection down with it.
    assert!(matches!(screen.next().await, Err(1009 | 1006)));
}

#[tokio::test]
async fn half_made_connections_are_closed_and_keep_nobody_out() {
    let b = TestBox::start().await;
    b.publish(&words("s", 3)).await;
    let token = b.person("robin");
    let began = Instant::now();
    let mut silent = Vec::new();
    for n in 0..600 {
        let mut tcp = TcpStream::connect(b.http()).await.unwrap();
        if n % 2 == 0 {
            tcp.write_all(b"GET /v1/streams/stream/session?tick").await.unwrap();
        }
        silent.push(tcp);
    }

    let asked = Instant::now();
    Screen::open(b.http(), &b.ticket(&token, "s").await, "").await.until(4).await;
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    let (_stream, _) = phone.stream(&token, Want::Calls(pb::Calls {})).await;
    assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());

    for mut tcp in silent {
        let mut answer = Vec::new();
        let left = Duration::from_secs(10).saturating_sub(began.elapsed());
        timeout(left, tcp.read_to_end(&mut answer)).await.expect("it still stands").ok();
    }
}

#[tokio::test]
async fn a_head_of_a_megabyte_is_refused() {
    let b = TestBox::start().await;
    let mut tcp = TcpStream::connect(b.http()).await.unwrap();
    let _ = tcp.write_all(b"GET / HTTP/1.1\r\nx: ").await;
    let _ = tcp.write_all(&vec![b'a'; 1 << 20]).await;
    let mut answer = Vec::new();
    let _ = timeout(Duration::from_secs(5), tcp.read_to_end(&mut answer)).await.expect("it still reads");

    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"), "{}", String::from_utf8_lossy(&answer));
}

#[tokio::test]
async fn a_thousand_streams_in_turn_leave_room_for_the_next() {
    let b = TestBox::start().await;
    b.publish(&words("s", 3)).await;
    let token = b.person("robin");
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    for n in 0..1000 {
        let open = pb::StreamOpen { session: "s".into(), ..Default::default() };
        let want = Want::Open(pb::OpenAttach { open: Some(open), options: None });
        let (mut stream, answer) = phone.stream(&token, want).await;
        assert!(matches!(answer.answer, Some(HeadAnswer::Opened(_))), "{n}");
        match n % 3 {
            0 => drop(stream.recv.stop(1u32.into())),
            1 => drop(stream.send.reset(1u32.into())),
            _ => drop(stream),
        }
    }

    let (mut stream, _) = phone.stream(&token, Want::Calls(pb::Calls {})).await;
    stream.send.write_all(&to_record(&pb::Call { tool: "sessions.list".into(), ..Default::default() })).await.unwrap();
    assert!(stream.record().await.is_some());
}

#[tokio::test]
async fn a_screen_that_never_reads_does_not_hold_up_another() {
    let b = TestBox::start().await;
    b.publish(&words("s", 1)).await;
    let token = b.person("robin");
    let stuck = Screen::open(b.http(), &b.ticket(&token, "s").await, "&merge=none").await;
    let mut screen = Screen::open(b.http(), &b.ticket(&token, "s").await, "&merge=none").await;
    let long = "x".repeat(500_000);
    let mut lines = Vec::new();
    for n in 0..40 {
        lines.push(crate::common::delta("s", 100 + n, &long));
    }

    b.publish(&lines).await;

    let got = screen.until(42).await;
    assert_eq!(got.iter().filter(|f| f.get().cur > 0).count(), 42);
    drop(stuck);
}
