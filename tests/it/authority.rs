//! Who may call what, who reads what, and how a right ends: over real connections.

use std::time::Duration;

use bytes::Bytes;
use prost::Message;
use serde_json::Value;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use vyre_proto::event::Event;
use vyre_proto::frame::Frame;
use vyre_proto::head::End;
use vyre_proto::ids::Author;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::pb::stream::stream_answer::Answer as HeadAnswer;
use vyre_proto::pb::stream::stream_head::Want;
use vyre_stream::clock::Clock;
use vyre_stream::config::Many;
use vyre_stream::config::Settings;
use vyre_stream::edge::uplink::UplinkState;
use vyre_stream::rules::caller::ActsFor;
use vyre_stream::rules::caller::Caller;
use vyre_stream::rules::caller::DeviceKey;
use vyre_stream::rules::caller::Person;
use vyre_stream::rules::caller::ProducerName;
use vyre_stream::rules::surface;
use vyre_stream::tools::CalledBy;
use vyre_stream::tools::Format;
use vyre_stream::tools::Via;
use vyre_stream::tools::name::Tool;

use crate::common::QuicClient;
use crate::common::Screen;
use crate::common::TestBox;
use crate::common::TestRelay;
use crate::common::delta;
use crate::common::http;
use crate::common::open_socket;
use crate::common::unchunk;
use crate::common::words;

const SOON: Duration = Duration::from_secs(10);

fn person(name: &str) -> Person {
    Person::new(Author::person(name).unwrap()).unwrap()
}

fn assistant_for(name: &str) -> Caller {
    Caller::Assistant(ActsFor::new(Author::parse("assistant:helper").unwrap(), person(name)).unwrap())
}

fn event(id: &str, name: &str, actor: &str, data: Value) -> String {
    json!({ "id": id, "name": name, "session": "s", "actor": actor, "data": data }).to_string()
}

/// A session of robin's in which sam takes part as well.
fn room_of_two() -> Vec<String> {
    let mut all = words("s", 3);
    all.push(event("join", "room.joined", "person:robin", json!({ "who": "person:sam" })));
    all
}

fn sam_leaves() -> String {
    event("left", "room.left", "person:robin", json!({ "who": "person:sam" }))
}

#[tokio::test]
async fn every_cell_of_the_table_holds_at_the_door() {
    let b = TestBox::start().await;
    b.publish(&words("s", 1)).await;
    let callers = [
        Caller::Person(person("robin")),
        assistant_for("robin"),
        Caller::Device(DeviceKey([3; 32])),
        Caller::Producer(ProducerName::parse("switchboard").unwrap()),
        Caller::Nobody,
    ];
    for tool in Tool::ALL {
        for caller in &callers {
            let may = surface::row_of(tool.name()).unwrap().may(caller.kind());
            let by = CalledBy { caller: caller.clone(), device: None, via: Via::Direct };

            let answer = b.daemon().tools().call(&by, tool.name(), "", Format::Json, Bytes::from_static(b"{}")).await;

            let refused = matches!(
                answer.as_ref().map_err(|e| e.code()),
                Err(pb::ErrorCode::Denied | pb::ErrorCode::Unauthenticated)
            );
            assert_eq!(refused, !may, "{} {caller:?} {answer:?}", tool.name());
        }
    }
}

#[tokio::test]
async fn a_caller_that_may_not_is_refused_before_its_body_is_looked_at() {
    let b = TestBox::start().await;
    let producer = b.producer();
    let auth = format!("Bearer {producer}");
    let broken = b"{\"session\":";
    let typed = ("content-type", "application/json");

    let nobody = http(b.http(), "POST", "/v1/tools/stream.open", &[typed], broken).await;
    let wrong = http(b.http(), "POST", "/v1/tools/stream.open", &[typed, ("authorization", &auth)], broken).await;
    let unknown = http(b.http(), "POST", "/v1/tools/no.such", &[typed], broken).await;

    assert_eq!((nobody.status, wrong.status, unknown.status), (401, 403, 401));
}

#[tokio::test]
async fn an_assistant_reads_exactly_what_its_person_reads() {
    let b = TestBox::start().await;
    b.publish(&words("s", 3)).await;
    let [robin, of_robin, of_sam] = [Caller::Person(person("robin")), assistant_for("robin"), assistant_for("sam")]
        .map(|c| b.daemon().new_token(&c).unwrap());
    let open = json!({ "session": "s" });

    let (theirs, its) =
        (b.call(&robin, "sessions.list", json!({})).await, b.call(&of_robin, "sessions.list", json!({})).await);
    assert_eq!(theirs, its);
    assert_eq!(theirs.json()["sessions"].as_array().unwrap().len(), 1);
    let mut frames = Vec::new();
    for token in [&robin, &of_robin] {
        let ticket = b.ticket(token, "s").await;
        let mut screen = Screen::open(b.http(), &ticket, "&from=0").await;
        let head = screen.next().await.unwrap().get().data.clone();
        let Some(Data::Hello(hello)) = head else { panic!("{head:?}") };
        frames.push(screen.until(hello.head).await);
    }
    assert_eq!(frames[0], frames[1]);

    // The assistant takes part in the session by its own name; for somebody who does not, that opens nothing.
    let foreign = b.call(&of_sam, "stream.open", open.clone()).await;
    let unknown = b.call(&of_sam, "stream.open", json!({ "session": "t" })).await;
    assert_eq!(foreign, unknown);
    assert_eq!(foreign.status, 404);
    assert_eq!(b.call(&of_robin, "stream.send", open).await.status, 403);
}

#[tokio::test]
async fn a_question_for_an_unknown_session_leaves_nothing_behind() {
    let b = TestBox::start().await;
    let robin = b.person("robin");

    for n in 0..50 {
        assert_eq!(b.call(&robin, "stream.open", json!({ "session": format!("s{n}") })).await.status, 404);
    }

    assert_eq!(b.daemon().tools().tickets().waiting(), 0);
    assert_eq!(b.call(&robin, "sessions.list", json!({})).await.json(), json!({}));
}

/// Frames until the end of a stream, which must be a `bye {denied}`.
fn ends_denied(frames: &[Frame]) -> Vec<u64> {
    let Some(Data::Bye(bye)) = frames.last().and_then(|f| f.get().data.clone()) else { panic!("no bye: {frames:?}") };
    assert_eq!(bye.reason(), pb::ByeReason::Denied);
    frames.iter().map(|f| f.get().cur).filter(|c| *c > 0).collect()
}

async fn drain(mut screen: Screen) -> (Vec<Frame>, u16) {
    let mut all = Vec::new();
    loop {
        match screen.next().await {
            Ok(frame) => all.push(frame),
            Err(code) => return (all, code),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_removed_gets_nothing_more_on_any_open_connection() {
    let relay = TestRelay::start().await;
    let settings = Settings { relay: Some(Many::One(relay.server.url().to_string())), ..Settings::default() };
    let b = TestBox::start_with(settings, Clock::system()).await;
    let mut state = b.daemon().uplinks().remove(0);
    timeout(SOON, state.wait_for(|s| *s == UplinkState::Up)).await.expect("no uplink").unwrap();
    b.publish(&room_of_two()).await;
    let (robin, sam) = (b.person("robin"), b.person("sam"));
    let base = 5;

    // A WebSocket, server-sent events, QUIC, and the same WebSocket through a relay: all stand at the head.
    let mut socket = Screen::open(b.http(), &b.ticket(&sam, "s").await, "").await;
    let prefix = format!("/b/{}", b.id());
    let mut relayed = Screen::open_below(relay.server.http(), &prefix, &b.ticket(&sam, "s").await, "").await;
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    let open =
        pb::OpenAttach { open: Some(pb::StreamOpen { session: "s".into(), ..Default::default() }), options: None };
    let (mut quic, answer) = phone.stream(&sam, Want::Open(open)).await;
    assert!(matches!(answer.answer, Some(HeadAnswer::Opened(_))), "{answer:?}");
    let mut events = TcpStream::connect(b.http()).await.unwrap();
    let request = format!(
        "GET /v1/streams/stream/session?session=s HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {sam}\r\naccept: text/event-stream\r\n\r\n",
        b.http()
    );
    events.write_all(request.as_bytes()).await.unwrap();
    socket.until(base).await;
    relayed.until(base).await;
    while quic.frame().await.unwrap().get().cur < base {}
    let mut page = Vec::new();
    while !String::from_utf8_lossy(&page).contains("session.participant-joined") {
        assert!(timeout(SOON, events.read_buf(&mut page)).await.unwrap().unwrap() > 0);
    }
    let mut other = Screen::open(b.http(), &b.ticket(&robin, "s").await, "").await;
    other.until(base).await;

    // In one call: the end of sam's time, and words that are none of sam's business any more.
    b.publish(&[delta("s", 10, "before"), sam_leaves(), delta("s", 11, "after-the-end")]).await;

    let (frames, code) = drain(socket).await;
    assert_eq!(code, 4403);
    assert!(ends_denied(&frames).iter().all(|cur| *cur <= base + 1), "{frames:?}");
    let (frames, _) = drain(relayed).await;
    assert!(ends_denied(&frames).iter().all(|cur| *cur <= base + 1));
    let mut frames = Vec::new();
    while let Some(frame) = quic.frame().await {
        frames.push(frame);
    }
    assert!(ends_denied(&frames).iter().all(|cur| *cur <= base + 1));
    timeout(SOON, events.read_to_end(&mut page)).await.unwrap().unwrap();
    let at = page.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
    let page = String::from_utf8(unchunk(&page[at + 4..])).unwrap();
    assert!(page.contains("session.bye") && page.contains("DENIED"), "{page}");
    assert!(!page.contains("after-the-end"));
    // Robin sees all of it.
    let seen = other.until(base + 3).await;
    assert!(format!("{seen:?}").contains("after-the-end"));

    // And nothing opens any more: as if there were no such session.
    let foreign = b.call(&sam, "stream.open", json!({ "session": "s" })).await;
    assert_eq!(foreign, b.call(&sam, "stream.open", json!({ "session": "t" })).await);
    assert_eq!(b.call(&sam, "sessions.list", json!({})).await.json(), json!({}));
}

#[tokio::test]
async fn tickets_in_flight_die_with_the_stay_they_were_made_in() {
    let b = TestBox::start().await;
    b.publish(&room_of_two()).await;
    let sam = b.person("sam");
    let path = |ticket: &str| format!("/v1/streams/stream/session?ticket={ticket}");
    let (dead, late, again) = (b.ticket(&sam, "s").await, b.ticket(&sam, "s").await, b.ticket(&sam, "s").await);

    b.publish(&[sam_leaves()]).await;
    assert_eq!(open_socket(b.http(), &path(&dead), &[]).await.err(), Some(404));
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    let (_stream, answer) = phone.stream("", Want::Attach(pb::Attach { ticket: late, ..Default::default() })).await;
    assert!(matches!(answer.answer, Some(HeadAnswer::Error(_))), "{answer:?}");
    // Asked in again, sam opens anew; what was made before the end stays dead.
    b.publish(&[event("again", "room.joined", "person:robin", json!({ "who": "person:sam" }))]).await;
    assert_eq!(open_socket(b.http(), &path(&again), &[]).await.err(), Some(401));
    assert!(open_socket(b.http(), &path(&b.ticket(&sam, "s").await), &[]).await.is_ok());
}

#[tokio::test]
async fn words_that_come_late_for_somebody_do_not_bring_them_back() {
    let b = TestBox::start().await;
    b.publish(&room_of_two()).await;
    let sam = b.person("sam");
    let late = json!({
        "id": "late", "name": "thread.delta", "session": "s", "actor": "assistant:helper", "acts_for": "person:sam",
        "data": { "message": "m", "text": "still writing for sam" },
    });

    b.publish(&[sam_leaves(), late.to_string()]).await;

    assert_eq!(b.call(&sam, "stream.open", json!({ "session": "s" })).await.status, 404);
}

/// A group of robin and sam with an assistant at work; sam is removed in the middle of a reply and comes back later.
#[tokio::test]
async fn who_was_removed_does_nothing_more_and_on_return_reads_nothing_from_in_between() {
    let b = TestBox::start().await;
    let (robin, sam) = (b.person("robin"), b.person("sam"));
    let words = |id: &str, message: &str, text: &str| {
        event(id, "thread.delta", "assistant:helper", json!({ "message": message, "text": text }))
    };
    let said = |id: &str, text: &str| event(id, "thread.user", "person:robin", json!({ "message": id, "text": text }));
    let mut all = room_of_two();
    all.extend([
        said("u1", "said-before"),
        words("d20", "r", "reply-before "),
        event("q", "ask.opened", "assistant:helper", json!({ "ask": "a", "question": "q?", "options": ["y"] })),
    ]);
    b.publish(&all).await;
    b.publish(&[sam_leaves(), words("d21", "r", "reply-between "), said("u2", "said-between")]).await;

    let unknown = b.call(&sam, "stream.open", json!({ "session": "t" })).await;
    for (tool, body) in [
        ("stream.open", json!({ "session": "s", "from": "4" })),
        ("stream.history", json!({ "session": "s" })),
        ("stream.send", json!({ "session": "s", "message": "x", "text": "hello" })),
        ("stream.send", json!({ "session": "s", "message": "y", "text": "a quote", "parent": "u1" })),
        ("stream.unqueue", json!({ "session": "s", "message": "x" })),
        ("stream.stop", json!({ "session": "s" })),
        ("stream.react", json!({ "session": "s", "message": "u1", "emoji": "x", "on": true })),
        ("stream.pin", json!({ "session": "s", "message": "u1", "on": true })),
        ("stream.presence", json!({ "session": "s", "state": "PRESENCE_STATE_TYPING" })),
        ("stream.read", json!({ "session": "s", "upto": "u1" })),
        ("ask.answer", json!({ "session": "s", "ask": "a", "answer": "y" })),
        ("sessions.join", json!({ "session": "s" })),
        ("sessions.leave", json!({ "session": "s" })),
        ("sessions.remove", json!({ "session": "s", "who": "person:robin" })),
        ("sessions.assign", json!({ "session": "s", "assistant": "assistant:helper" })),
    ] {
        let reply = b.call(&sam, tool, body).await;
        assert_eq!((reply.status, reply.json()), (404, unknown.json()), "{tool}");
    }

    b.publish(&[
        event("back", "room.joined", "person:robin", json!({ "who": "person:sam" })),
        words("d22", "r", "reply-after "),
        words("d23", "n", "new-reply "),
        said("u3", "said-after"),
    ])
    .await;
    let history = |token: String| {
        let b = &b;
        async move { b.call(&token, "stream.history", json!({ "session": "s", "limit": 100 })).await }
    };
    let (theirs, whole) = (history(sam.clone()).await.text(), history(robin.clone()).await.text());

    for word in ["said-before", "said-after", "new-reply"] {
        assert!(theirs.contains(word) && whole.contains(word), "{word}: {theirs}");
    }
    // Sam came while no reply was open, so the beginning of this one is sam's; the rest is not, also after the return.
    assert!(theirs.contains("reply-before"));
    for word in ["reply-between", "said-between", "reply-after"] {
        assert!(!theirs.contains(word) && whole.contains(word), "{word}: {theirs}");
    }
    assert!(theirs.contains("hidden"));
}

/// Runs `vyre token` beside this box.
async fn token_command(b: &TestBox, arguments: &[&str]) -> std::process::Output {
    let mut command = std::process::Command::new(TestBox::program());
    command.args(["token", "--data"]).arg(b.folder()).args(arguments);
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

/// The names of all tokens, with for whom each speaks.
async fn token_names(b: &TestBox) -> Vec<(String, String)> {
    let listed = token_command(b, &["--list", "--json"]).await;
    assert!(listed.status.success(), "{listed:?}");
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        (row["id"].as_str().unwrap().to_owned(), row["name"].as_str().unwrap().to_owned())
    };
    String::from_utf8(listed.stdout).unwrap().lines().map(row).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_that_is_taken_back_ends_what_it_opened_and_nothing_else() {
    let b = TestBox::start().await;
    b.publish(&room_of_two()).await;
    let base = 5;
    let lost = b.person("robin");
    let of_lost = token_names(&b).await.into_iter().find(|(_, name)| name == "person:robin").unwrap().0;
    let kept = b.person("robin");
    let before = token_names(&b).await;
    let stolen = b.producer();
    let of_stolen = token_names(&b).await.into_iter().find(|t| !before.contains(t)).unwrap().0;
    let honest = b.producer();

    // By the lost token: a WebSocket, a stream of frames and one of calls over QUIC, and a ticket that waits.
    let mut socket = Screen::open(b.http(), &b.ticket(&lost, "s").await, "").await;
    socket.until(base).await;
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    let open =
        pb::OpenAttach { open: Some(pb::StreamOpen { session: "s".into(), ..Default::default() }), options: None };
    let (mut frames, _) = phone.stream(&lost, Want::Open(open)).await;
    while frames.frame().await.unwrap().get().cur < base {}
    let (mut calls, _) = phone.stream(&lost, Want::Calls(pb::Calls {})).await;
    let in_flight = b.ticket(&lost, "s").await;
    // By the stolen one: a producer that stays. By the others, the same.
    let (mut thief, _) = phone.stream(&stolen, Want::Publish(pb::Publishing {})).await;
    let (mut producer, _) = phone.stream(&honest, Want::Publish(pb::Publishing {})).await;
    let mut other = Screen::open(b.http(), &b.ticket(&kept, "s").await, "").await;
    other.until(base).await;

    for id in [&of_lost, &of_stolen] {
        let revoked = token_command(&b, &["--revoke", id]).await;
        assert!(revoked.status.success(), "{revoked:?}");
        assert!(String::from_utf8_lossy(&revoked.stdout).contains(id.as_str()), "{revoked:?}");
    }

    assert_eq!(drain(socket).await.1, 4403);
    let mut last = None;
    while let Some(frame) = timeout(SOON, frames.frame()).await.unwrap() {
        last = Some(frame);
    }
    assert!(matches!(last.unwrap().get().data, Some(Data::Bye(_))));
    let list = pb::Call { tool: "sessions.list".into(), ..Default::default() };
    calls.send.write_all(&vyre_proto::record::to_record(&list)).await.unwrap();
    let answer = pb::Answer::decode(&timeout(SOON, calls.record()).await.unwrap().unwrap()[..]).unwrap();
    assert!(matches!(answer.answer, Some(pb::answer::Answer::Error(_))), "{answer:?}");
    let ended = timeout(SOON, thief.recv.received_reset()).await.unwrap().unwrap();
    assert_eq!(ended.and_then(|c| End::from_code(c.into())), Some(End::Unauthenticated));
    assert_eq!(b.call(&lost, "sessions.list", json!({})).await.status, 401);
    let late = open_socket(b.http(), &format!("/v1/streams/stream/session?ticket={in_flight}&from=0"), &[]).await;
    assert_eq!(late.err(), Some(401));
    // Robin's other device and the other producer know nothing of it.
    let event = Event::from_json(delta("s", 10, "goes-on").as_bytes()).unwrap().into_inner();
    let publish = pb::Publish { events: vec![event] };
    producer.send.write_all(&vyre_proto::record::to_record(&publish)).await.unwrap();
    assert!(timeout(SOON, producer.record()).await.unwrap().is_some());
    assert!(format!("{:?}", other.until(base + 1).await).contains("goes-on"));

    // It is gone for good, and names nobody any more.
    let b = TestBox::start_in(b.stop().await, Settings::default(), Clock::system()).await;
    assert_eq!(b.call(&lost, "sessions.list", json!({})).await.status, 401);
    assert_eq!(b.call(&kept, "sessions.list", json!({})).await.status, 200);
    let again = token_command(&b, &["--revoke", &of_lost]).await;
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(token_command(&b, &["--revoke", "no-name"]).await.status.code(), Some(2));
}
