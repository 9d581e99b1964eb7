//! Calls over HTTP and QUIC: who may, in which words, and what a wrong one is told.

use prost::Message as _;
use serde_json::json;
use vyre_proto::event::Event;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::stream_answer::Answer as HeadAnswer;
use vyre_proto::pb::stream::stream_head::Want;
use vyre_proto::record::to_record;
use vyre_stream::clock::Clock;
use vyre_stream::config::Many;
use vyre_stream::config::Settings;

use crate::common::QuicClient;
use crate::common::TestBox;
use crate::common::delta;
use crate::common::done;
use crate::common::http;
use crate::common::open_socket;
use crate::common::started;
use crate::common::words;

#[tokio::test]
async fn a_broken_line_is_refused_by_its_number_and_the_others_are_stored() {
    let b = TestBox::start().await;
    let mut body = Vec::new();
    body.extend_from_slice(started("s").as_bytes());
    body.extend_from_slice(b"\n{\"id\": \"half\n\n");
    body.extend_from_slice(b"\xff\xfe not text\n");
    body.extend_from_slice(&vec![b'x'; 10 << 20]);
    body.extend_from_slice(b"\r\n[]\n");
    body.extend_from_slice(delta("nowhere", 0, "x").as_bytes());
    body.push(b'\n');
    body.extend_from_slice(done("s").as_bytes());

    let reply = b.publish_raw(body).await;

    assert_eq!(reply.status, 200, "{}", reply.text());
    let answer = reply.json();
    assert_eq!(answer["accepted"], "2");
    let refused: Vec<_> = answer["refused"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| (r["line"].as_u64().unwrap(), r["code"].as_str().unwrap()))
        .collect();
    assert_eq!(refused, [(2, "invalid"), (4, "invalid"), (5, "too_large"), (6, "invalid"), (7, "not_found")]);
}

#[tokio::test]
async fn publishing_again_changes_nothing() {
    let b = TestBox::start().await;
    let lines = words("s", 50);
    b.publish(&lines).await;

    let reply = b.publish_raw(lines.join("\n").into_bytes()).await;

    assert_eq!((reply.json()["accepted"].as_str(), reply.json()["duplicates"].as_str()), (Some("0"), Some("51")));
    let info = b.call(&b.person("robin"), "sessions.list", json!({})).await.json();
    assert_eq!(info["sessions"][0]["head"], "51");
}

#[tokio::test]
async fn events_in_json_and_in_protobuf_are_the_same_events() {
    let b = TestBox::start().await;
    let auth = format!("Bearer {}", b.producer());
    let events: Vec<serde_json::Value> = words("s", 3).iter().map(|l| serde_json::from_str(l).unwrap()).collect();

    let reply = b.call(&auth[7..], "events.publish", json!({ "events": events })).await;
    assert_eq!((reply.status, reply.json()["accepted"].as_str()), (200, Some("4")));

    let events = words("s", 3).iter().map(|l| Event::from_json(l.as_bytes()).unwrap().into_inner()).collect();
    let headers = [("authorization", auth.as_str()), ("content-type", "application/x-protobuf")];
    let body = pb::EventsPublish { events }.encode_to_vec();
    let reply = http(b.http(), "POST", "/v1/tools/events.publish", &headers, &body).await;
    let answer = pb::EventsPublished::decode(&reply.body[..]).unwrap();
    assert_eq!((answer.accepted, answer.duplicates, answer.refused.len()), (0, 4, 0));
}

#[tokio::test]
async fn a_producer_that_stays_is_told_what_is_durable() {
    let b = TestBox::start().await;
    let events: Vec<pb::Event> =
        words("s", 500).iter().map(|l| Event::from_json(l.as_bytes()).unwrap().into_inner()).collect();
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    let (mut stream, answer) = phone.stream(&b.producer(), Want::Publish(pb::Publishing {})).await;
    assert!(matches!(answer.answer, Some(HeadAnswer::Accepted(_))));

    for event in &events {
        stream.send.write_all(&to_record(&pb::Publish { events: vec![event.clone()] })).await.unwrap();
    }
    let bad = pb::Event { id: "bad".into(), session: "nowhere".into(), ..events[1].clone() };
    stream.send.write_all(&to_record(&pb::Publish { events: vec![bad, events[0].clone()] })).await.unwrap();
    stream.send.finish().unwrap();

    let (mut upto, mut accepted, mut duplicates, mut refused) = (0, 0, 0, Vec::new());
    while let Some(record) = stream.record().await {
        let told = pb::Published::decode(record).unwrap();
        assert!(told.upto > upto);
        upto = told.upto;
        accepted += told.accepted;
        duplicates += told.duplicates;
        refused.extend(told.refused);
    }
    assert_eq!((upto, accepted, duplicates), (503, 501, 1));
    assert_eq!(refused.iter().map(|r| r.index).collect::<Vec<_>>(), [501]);
    assert_eq!(refused[0].error.as_ref().unwrap().code(), pb::ErrorCode::NotFound);
}

#[tokio::test]
async fn a_producer_publishes_over_a_websocket_cut_anywhere() {
    use futures_util::SinkExt;
    use futures_util::StreamExt;
    use tokio_tungstenite::tungstenite::Message;
    let b = TestBox::start().await;
    let auth = format!("Bearer {}", b.producer());
    let mut socket = open_socket(b.http(), "/v1/streams/publish", &[("authorization", &auth)]).await.unwrap();
    let mut stream = Vec::new();
    for line in words("s", 40) {
        let event = Event::from_json(line.as_bytes()).unwrap().into_inner();
        stream.extend_from_slice(&to_record(&pb::Publish { events: vec![event] }));
    }

    for piece in stream.chunks(97) {
        socket.send(Message::binary(piece.to_vec())).await.unwrap();
    }

    let mut decoder = vyre_proto::record::Decoder::new();
    let mut upto = 0;
    while upto < 41 {
        let Message::Binary(bytes) = socket.next().await.unwrap().unwrap() else { continue };
        decoder.push(&bytes);
        while let Some(record) = decoder.next().unwrap() {
            upto = pb::Published::decode(record).unwrap().upto;
        }
    }
    assert_eq!(upto, 41);
}

#[tokio::test]
async fn persons_read_and_producers_publish_and_neither_does_the_other() {
    let b = TestBox::start().await;
    b.publish(&words("s", 1)).await;
    let (person, producer) = (b.person("robin"), b.producer());

    assert_eq!(b.call(&person, "events.publish", json!({ "events": [] })).await.status, 403);
    for tool in ["stream.open", "sessions.list"] {
        let reply = b.call(&producer, tool, json!({ "session": "s" })).await;
        assert_eq!((reply.status, reply.json()["code"].as_str()), (403, Some("denied")), "{tool}");
    }
    let auth = format!("Bearer {person}");
    assert_eq!(open_socket(b.http(), "/v1/streams/publish", &[("authorization", &auth)]).await.err(), Some(403));
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    let (_s, answer) = phone.stream(&person, Want::Publish(pb::Publishing {})).await;
    assert!(matches!(answer.answer, Some(HeadAnswer::Error(e)) if e.code() == pb::ErrorCode::Denied));
}

#[tokio::test]
async fn a_call_without_a_token_that_is_known_is_refused_before_its_body_is_read() {
    let b = TestBox::start().await;
    for auth in ["", "Bearer", "Bearer wrong", "Basic cm9iaW46", "Bearer  "] {
        let headers = [("authorization", auth), ("content-type", "application/json")];
        let headers = if auth.is_empty() { &headers[1..] } else { &headers[..] };

        let reply = http(b.http(), "POST", "/v1/tools/sessions.list", headers, b"{").await;

        assert_eq!((reply.status, reply.json()["code"].as_str()), (401, Some("unauthenticated")), "{auth:?}");
    }
}

#[tokio::test]
async fn tools_that_are_not_served_say_so() {
    let b = TestBox::start().await;
    let token = b.person("robin");

    assert_eq!(b.call(&token, "pair.offer", json!({})).await.status, 503);
    assert_eq!(b.call(&token, "stream.nothing", json!({})).await.status, 404);
    assert_eq!(b.call(&token, "", json!({})).await.status, 404);
}

#[tokio::test]
async fn calls_on_a_native_stream_are_answered_in_order() {
    let b = TestBox::start().await;
    b.publish(&words("s", 2)).await;
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    let (mut stream, _) = phone.stream(&b.person("robin"), Want::Calls(pb::Calls {})).await;

    for tool in ["sessions.list", "nothing", "sessions.list"] {
        stream.send.write_all(&to_record(&pb::Call { tool: tool.into(), ..Default::default() })).await.unwrap();
    }
    stream.send.finish().unwrap();

    let mut answers = Vec::new();
    while let Some(record) = stream.record().await {
        answers.push(pb::Answer::decode(record).unwrap().answer.unwrap());
    }
    let [pb::answer::Answer::Body(first), pb::answer::Answer::Error(second), pb::answer::Answer::Body(_)] =
        &answers[..]
    else {
        panic!("{answers:?}")
    };
    assert_eq!(pb::SessionsListed::decode(&first[..]).unwrap().sessions.len(), 1);
    assert_eq!(second.code(), pb::ErrorCode::NotFound);
}

#[tokio::test]
async fn a_page_of_another_origin_gets_nothing() {
    let origin = Some(Many::One("https://app.example".into()));
    let b = TestBox::start_with(Settings { origin, ..Settings::default() }, Clock::system()).await;
    b.publish(&words("s", 1)).await;
    let token = b.person("robin");
    let auth = format!("Bearer {token}");
    let addr = b.http();
    let containing = format!("http://{addr}.evil.example");
    for origin in ["null", "http://evil.example", containing.as_str()] {
        let headers = [("authorization", auth.as_str()), ("content-type", "application/json"), ("origin", origin)];
        let reply = http(addr, "POST", "/v1/tools/stream.open", &headers, b"{\"session\":\"s\"}").await;
        assert_eq!((reply.status, reply.json()["code"].as_str()), (403, Some("denied")), "{origin}");

        // Refused before the ticket is looked at: it can still be spent.
        let path = format!("/v1/streams/stream/session?ticket={}", b.ticket(&token, "s").await);
        assert_eq!(open_socket(addr, &path, &[("origin", origin)]).await.err(), Some(403), "{origin}");
        assert!(open_socket(addr, &path, &[]).await.is_ok());
        assert_eq!(open_socket(addr, &path, &[("origin", origin)]).await.err(), Some(403), "{origin}");
    }
    // A name that was made to point here.
    let headers = [("authorization", auth.as_str()), ("content-type", "application/json"), ("host", "evil.example")];
    assert_eq!(http(addr, "POST", "/v1/tools/sessions.list", &headers, b"{}").await.status, 403);
    // The box's own pages, and those that its owner allows.
    for (origin, named) in [(format!("http://{addr}"), false), ("https://app.example".into(), true)] {
        let headers =
            [("authorization", auth.as_str()), ("content-type", "application/json"), ("origin", origin.as_str())];
        let reply = http(addr, "POST", "/v1/tools/sessions.list", &headers, b"{}").await;
        assert_eq!((reply.status, reply.header("access-control-allow-origin").is_some()), (200, named));
    }
}

#[tokio::test]
async fn a_form_that_a_page_can_send_unasked_is_refused() {
    let b = TestBox::start().await;
    let auth = format!("Bearer {}", b.person("robin"));
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""] {
        let headers = [("authorization", auth.as_str()), ("content-type", kind)];
        assert_eq!(http(b.http(), "POST", "/v1/tools/sessions.list", &headers, b"{}").await.status, 400, "{kind}");
    }
}

#[tokio::test]
async fn paths_and_methods_that_are_wrong_say_what_is_right() {
    let b = TestBox::start().await;
    let get = |path: &'static str| http(b.http(), "GET", path, &[], b"");

    let health = get("/v1/health").await;
    assert_eq!((health.status, health.json()["ok"].as_bool()), (200, Some(true)));
    assert_eq!(health.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(get("/").await.status, 404);
    assert_eq!(get("/v1/tools/sessions.list").await.status, 405);
    assert_eq!(get("/v1/streams/stream/session").await.status, 400);
    assert_eq!(get("/v1/streams/publish").await.status, 400);
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_and_the_connection_is_left() {
    let b = TestBox::start().await;
    let auth = format!("Bearer {}", b.producer());
    let headers = [("authorization", auth.as_str()), ("content-type", "application/json")];

    let reply = http(b.http(), "POST", "/v1/tools/events.publish", &headers, &vec![b' '; 4 << 20]).await;

    assert_eq!((reply.status, reply.json()["code"].as_str()), (413, Some("too_large")));
}
