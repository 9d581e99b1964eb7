//! Groups: who is in, what is told to whom beside the log, and what came before it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use vyre_proto::fold::Fold;
use vyre_proto::fold::row::Body;
use vyre_proto::frame::Frame;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_proto::kind::Class;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::PresenceState;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::pb::stream::stream_head::Want;
use vyre_proto::sse;
use vyre_proto::tick::Tick;
use vyre_proto::tick::Wall;
use vyre_stream::clock::Clock;
use vyre_stream::config::Limits;
use vyre_stream::config::Many;
use vyre_stream::config::Settings;
use vyre_stream::edge::uplink::UplinkState;
use vyre_stream::session::Addressed;
use vyre_stream::session::Sessions;

use crate::common::QuicClient;
use crate::common::QuicStream;
use crate::common::Reply;
use crate::common::Screen;
use crate::common::TestBox;
use crate::common::TestRelay;
use crate::common::unchunk;
use crate::common::words;

const SOON: Duration = Duration::from_secs(10);

/// A screen, over whatever carrier.
enum Device {
    Socket(Box<Screen>),
    Quic(Box<(QuicClient, QuicStream)>),
    Events(Box<Events>),
}

impl Device {
    async fn socket(b: &TestBox, token: &str, session: &str) -> Device {
        Device::Socket(Box::new(Screen::open(b.http(), &b.ticket(token, session).await, "&merge=none").await))
    }

    async fn quic(b: &TestBox, token: &str, session: &str) -> Device {
        let phone = QuicClient::connect(b.quic(), b.id()).await;
        Self::native(phone, b, token, session).await
    }

    async fn native(phone: QuicClient, b: &TestBox, token: &str, session: &str) -> Device {
        let options = Some(pb::AttachOptions { unmerged: true, ..Default::default() });
        let attach = pb::Attach { ticket: b.ticket(token, session).await, from: 0, options };
        let (stream, _) = phone.stream("", Want::Attach(attach)).await;
        Device::Quic(Box::new((phone, stream)))
    }

    async fn events(b: &TestBox, token: &str, session: &str) -> Device {
        Device::Events(Box::new(Events::open(b, token, session).await))
    }

    async fn next(&mut self) -> Frame {
        match self {
            Device::Socket(screen) => screen.next().await.unwrap(),
            Device::Quic(quic) => quic.1.frame().await.unwrap(),
            Device::Events(events) => events.next().await,
        }
    }

    /// What is told beside the log next, over everything else.
    async fn beside(&mut self) -> Data {
        loop {
            let frame = self.next().await;
            if frame.class() == Class::Ephemeral {
                assert_eq!(frame.get().cur, 0);
                return frame.into_inner().data.unwrap();
            }
        }
    }

    /// Reads up to a cursor. What was told beside the log on the way.
    async fn upto(&mut self, cur: u64) -> Vec<Data> {
        let mut beside = Vec::new();
        loop {
            let frame = self.next().await;
            match frame.class() {
                Class::Ephemeral => beside.extend(frame.into_inner().data),
                _ if frame.get().cur >= cur => return beside,
                _ => {}
            }
        }
    }
}

/// A stream of server-sent events.
struct Events {
    tcp: TcpStream,
    raw: Vec<u8>,
    fed: usize,
    parser: sse::Parser,
}

impl Events {
    async fn open(b: &TestBox, token: &str, session: &str) -> Events {
        let mut tcp = TcpStream::connect(b.http()).await.unwrap();
        let request = format!(
            "GET /v1/streams/stream/session?session={session}&from=0 HTTP/1.1\r\nhost: {}\r\n\
             authorization: Bearer {token}\r\naccept: text/event-stream\r\n\r\n",
            b.http()
        );
        tcp.write_all(request.as_bytes()).await.unwrap();
        Events { tcp, raw: Vec::new(), fed: 0, parser: sse::Parser::new() }
    }

    async fn next(&mut self) -> Frame {
        loop {
            if let Some(event) = self.parser.next().unwrap() {
                let Some(read) = sse::read(&event).unwrap() else { continue };
                // Only what is in the log has a place that a browser remembers.
                assert_eq!(event.id.is_some(), read.frame.get().cur > 0, "{event:?}");
                return read.frame;
            }
            let mut buf = [0; 4096];
            let n = timeout(SOON, self.tcp.read(&mut buf)).await.expect("no event").unwrap();
            assert!(n > 0, "the stream ended");
            self.raw.extend_from_slice(&buf[..n]);
            let Some(head) = self.raw.windows(4).position(|w| w == b"\r\n\r\n") else { continue };
            let body = unchunk(&self.raw[head + 4..]);
            self.parser.push(&body[self.fed..]);
            self.fed = body.len();
        }
    }
}

fn event(session: &str, id: &str, name: &str, actor: &str, data: Value) -> String {
    json!({ "id": format!("{session}.{id}"), "name": name, "session": session, "actor": actor, "data": data })
        .to_string()
}

/// Session `s` of robin and sam with three pieces of a reply that has ended, and `t` of robin alone.
async fn two_sessions(b: &TestBox) -> (String, String) {
    let mut all = words("s", 3);
    all.push(crate::common::done("s"));
    all.push(event("s", "join", "room.joined", "person:robin", json!({ "who": "person:sam" })));
    all.extend(words("t", 1));
    b.publish(&all).await;
    (b.person("robin"), b.person("sam"))
}

async fn says(b: &TestBox, session: &str, who: &str, message: &str) {
    b.publish(&[event(session, message, "thread.user", who, json!({ "message": message, "text": "hello" }))]).await;
}

async fn read(b: &TestBox, token: &str, session: &str, upto: &str) -> Reply {
    b.call(token, "stream.read", json!({ "session": session, "upto": upto })).await
}

fn head(b: &TestBox, session: &str) -> impl Future<Output = u64> {
    let (sessions, id) = (sessions(b).clone(), SessionId::parse(session).unwrap());
    async move { sessions.get(&id).await.unwrap().bounds().head.get() }
}

fn sessions(b: &TestBox) -> &Sessions {
    b.daemon().tools().sessions()
}

async fn listed(b: &TestBox, token: &str, session: &str) -> Value {
    let list = b.call(token, "sessions.list", json!({})).await.json();
    list["sessions"].as_array().into_iter().flatten().find(|s| s["session"] == session).cloned().unwrap_or_default()
}

#[tokio::test]
async fn a_mark_reaches_all_devices_of_its_person_on_every_carrier_and_session_and_nobody_else() {
    let relay = TestRelay::start().await;
    let settings = Settings { relay: Some(Many::One(relay.server.url().to_string())), ..Settings::default() };
    let b = TestBox::start_with(settings, Clock::system()).await;
    let mut up = b.daemon().uplinks().remove(0);
    timeout(SOON, up.wait_for(|s| *s == UplinkState::Up)).await.expect("no uplink").unwrap();
    let (robin, sam) = two_sessions(&b).await;
    let far = QuicClient::through(relay.server.url(), relay.server.quic(), b.id()).await;
    let below = format!("/b/{}", b.id());
    let web = Screen::open_below(relay.server.http(), &below, &b.ticket(&robin, "t").await, "").await;
    let mut robins = vec![
        Device::socket(&b, &robin, "s").await,
        Device::socket(&b, &robin, "t").await,
        Device::events(&b, &robin, "t").await,
        Device::quic(&b, &robin, "t").await,
        Device::native(far, &b, &robin, "s").await,
        Device::Socket(Box::new(web)),
    ];
    let mut sams = vec![Device::socket(&b, &sam, "s").await, Device::events(&b, &sam, "s").await];
    for device in robins.iter_mut().chain(&mut sams) {
        // It has said hello, so it is there.
        device.next().await;
    }

    let answer = read(&b, &robin, "s", "m").await;

    assert_eq!(answer.json(), json!({ "upto": "m", "cur": "5" }));
    for device in &mut robins {
        let Data::ReadMarker(mark) = device.beside().await else { panic!("something else came first") };
        assert_eq!((mark.session.as_str(), mark.upto.as_str(), mark.cur), ("s", "m", 5));
    }
    says(&b, "s", "person:robin", "u1").await;
    for device in &mut sams {
        assert_eq!(device.upto(head(&b, "s").await).await, []);
    }
}

#[tokio::test]
async fn a_mark_only_moves_forward_and_only_by_being_set_and_stays() {
    let b = TestBox::start().await;
    let (robin, sam) = two_sessions(&b).await;
    says(&b, "s", "person:sam", "u1").await;
    says(&b, "s", "person:sam", "u2").await;
    says(&b, "s", "person:robin", "u3").await;
    // The reply, and what sam said.
    assert_eq!(listed(&b, &robin, "s").await["unread"], "3");
    // Sam came after the reply.
    assert_eq!(listed(&b, &sam, "s").await["unread"], "1");

    let far = read(&b, &robin, "s", "u2").await.json();
    let late = read(&b, &robin, "s", "m").await;

    assert_eq!(late.json(), far);
    let mut screen = Device::socket(&b, &robin, "s").await;
    screen.upto(head(&b, "s").await).await;
    let stands = listed(&b, &robin, "s").await;
    assert_eq!((&stands["readUpto"], &stands["unread"]), (&json!("u2"), &Value::Null));
    assert_eq!(listed(&b, &sam, "s").await.get("readUpto"), None);

    let b = TestBox::start_in(b.stop().await, Settings::default(), Clock::system()).await;
    assert_eq!(listed(&b, &robin, "s").await["readUpto"], "u2");
    assert_eq!(read(&b, &robin, "s", "u1").await.json(), far);
    says(&b, "s", "person:sam", "u4").await;
    assert_eq!(listed(&b, &robin, "s").await["unread"], "1");
    assert_eq!(read(&b, &robin, "s", "no such").await.status, 404);
}

#[tokio::test]
async fn who_types_is_told_to_the_others_at_most_every_three_seconds_and_never_logged() {
    let clock = Clock::settable(Tick(1_000_000), Wall(1_700_000_000_000_000));
    let b = TestBox::start_with(Settings::default(), clock.clone()).await;
    let (robin, sam) = two_sessions(&b).await;
    let before = head(&b, "s").await;
    let mut of_sam =
        [Device::socket(&b, &sam, "s").await, Device::events(&b, &sam, "s").await, Device::quic(&b, &sam, "s").await];
    let mut of_robin = [Device::socket(&b, &robin, "s").await, Device::socket(&b, &robin, "t").await];
    for device in of_sam.iter_mut().chain(&mut of_robin) {
        device.next().await;
    }
    let types = |state: &'static str, doing: &'static str| {
        let body = json!({ "session": "s", "state": state, "doing": doing });
        b.call(&robin, "stream.presence", body)
    };

    for _ in 0..20 {
        assert_eq!(types("PRESENCE_STATE_TYPING", "").await.status, 200);
    }
    clock.set(Tick(4_000_000), Wall(1_700_000_000_000_000));
    types("PRESENCE_STATE_DOING", "reads the plan").await;
    says(&b, "s", "person:robin", "u1").await;

    let last = head(&b, "s").await;
    assert_eq!(last, before + 1);
    let typing = PresenceState::Typing as i32;
    for device in &mut of_sam {
        let told = device.upto(last).await;
        let told: Vec<_> = told
            .iter()
            .map(|d| match d {
                Data::Presence(p) => (p.who.as_str(), p.state, p.doing.as_str()),
                other => panic!("{other:?}"),
            })
            .collect();
        let doing = ("person:robin", PresenceState::Doing as i32, "reads the plan");
        // Of two that wait the later one is enough.
        assert!(told == [("person:robin", typing, ""), doing] || told == [doing], "{told:?}");
    }
    assert_eq!(of_robin[0].upto(last).await, []);
    says(&b, "t", "person:robin", "u1").await;
    let elsewhere = of_robin[1].upto(head(&b, "t").await).await;
    assert!(!elsewhere.iter().any(|d| matches!(d, Data::Presence(_))), "{elsewhere:?}");
    // Who reads now is not told what was.
    let mut late = Device::socket(&b, &sam, "s").await;
    assert_eq!(late.upto(last).await, []);
}

#[tokio::test]
async fn outsiders_type_and_mark_nothing_and_learn_nothing() {
    let b = TestBox::start().await;
    let (robin, sam) = two_sessions(&b).await;
    let eve = b.person("eve");
    b.publish(&[event("s", "left", "room.left", "person:robin", json!({ "who": "person:sam" }))]).await;
    let calls = [
        ("stream.presence", json!({ "state": "PRESENCE_STATE_TYPING" })),
        ("stream.read", json!({ "upto": "m" })),
        ("stream.history", json!({})),
        ("stream.fanout-keep", json!({ "group": "g", "keep": "m" })),
        ("sessions.join", json!({})),
        ("sessions.join", json!({ "who": "person:eve" })),
        ("sessions.leave", json!({})),
        ("sessions.remove", json!({ "who": "person:robin" })),
        ("sessions.assign", json!({ "assistant": "assistant:helper" })),
        ("stream.send", json!({ "message": "x", "text": "x" })),
        ("stream.react", json!({ "message": "m", "emoji": "👍", "on": true })),
        ("stream.pin", json!({ "message": "m", "on": true })),
        ("stream.unqueue", json!({ "message": "m" })),
        ("stream.stop", json!({})),
        ("ask.answer", json!({ "ask": "a", "answer": "x" })),
    ];
    let before = head(&b, "s").await;
    for (tool, body) in calls {
        let on = |session: &str| {
            let mut body = body.clone();
            body["session"] = session.into();
            body
        };
        for token in [&eve, &sam] {
            let (foreign, unknown) = (b.call(token, tool, on("s")).await, b.call(token, tool, on("nowhere")).await);
            assert_eq!((foreign.status, foreign.text()), (404, unknown.text()), "{tool}");
        }
    }
    assert_eq!(head(&b, "s").await, before);
    assert_eq!(listed(&b, &eve, "s").await, Value::Null);
    assert_eq!(listed(&b, &sam, "s").await, Value::Null);
    assert_ne!(listed(&b, &robin, "s").await, Value::Null);
}

#[tokio::test]
async fn another_session_that_moves_is_told_in_its_last_state_with_what_is_unread() {
    let b = TestBox::start().await;
    let (robin, sam) = two_sessions(&b).await;
    let mut of_robin = [
        Device::socket(&b, &robin, "t").await,
        Device::events(&b, &robin, "t").await,
        Device::quic(&b, &robin, "t").await,
    ];
    let mut of_sam = Device::socket(&b, &sam, "s").await;
    for device in of_robin.iter_mut().chain([&mut of_sam]) {
        device.next().await;
    }

    for n in 0..40 {
        says(&b, "s", "person:sam", &format!("u{n}")).await;
    }

    let last = head(&b, "s").await;
    for device in &mut of_robin {
        let mut times = 0;
        loop {
            let Data::SessionHead(told) = device.beside().await else { panic!("something else") };
            times += 1;
            assert_eq!((told.session.as_str(), told.title.as_str()), ("s", "t"));
            if told.head == last {
                assert_eq!(told.unread, 41);
                break;
            }
        }
        assert!(times < 20, "told {times} times");
    }
    // It moves before the eyes of its own readers, and `t` is none of sam's business.
    says(&b, "t", "person:robin", "x").await;
    says(&b, "s", "person:robin", "x").await;
    assert_eq!(of_sam.upto(head(&b, "s").await).await, []);

    // A title is told to all who take part.
    let renamed = json!({ "title": "Plans", "assistant": "assistant:helper" });
    b.publish(&[event("s", "again", "thread.started", "person:robin", renamed)]).await;
    let Data::SessionHead(told) = of_sam.beside().await else { panic!("something else") };
    assert_eq!((told.session.as_str(), told.title.as_str()), ("s", "Plans"));
}

async fn create(b: &TestBox, token: &str, session: &str, participants: &[&str]) -> Reply {
    let body = json!({ "session": session, "title": "Trip", "participants": participants });
    b.call(token, "sessions.create", body).await
}

#[tokio::test]
async fn a_group_is_made_once_and_whoever_is_named_is_in() {
    let b = TestBox::start().await;
    let [robin, sam, eve] = ["robin", "sam", "eve"].map(|n| b.person(n));

    let made = create(&b, &robin, "trip", &["person:sam", "assistant:fox", "person:sam"]).await;

    assert_eq!(made.status, 200, "{}", made.text());
    let info = made.json()["session"].clone();
    assert_eq!(info["participants"], json!(["person:robin", "assistant:fox", "person:sam"]));
    assert_eq!((&info["group"], &info["title"]), (&json!(true), &json!("Trip")));
    assert_eq!(info["assistant"], "assistant:fox");
    let again = create(&b, &robin, "trip", &["person:sam", "assistant:fox", "person:sam"]).await;
    assert_eq!(again.json(), made.json());
    assert_eq!(create(&b, &robin, "trip", &["person:eve"]).await.status, 409);
    assert_eq!(create(&b, &eve, "trip", &[]).await.status, 409);
    assert_eq!(listed(&b, &sam, "trip").await["title"], "Trip");
    assert_eq!(listed(&b, &eve, "trip").await, Value::Null);

    // Without an id of one's own each is another.
    let [one, two] = [create(&b, &robin, "", &[]).await, create(&b, &robin, "", &[]).await].map(|r| r.json());
    assert_ne!(one["session"]["session"], two["session"]["session"]);
    // It is read like any other session, and stays.
    let b = TestBox::start_in(b.stop().await, Settings::default(), Clock::system()).await;
    let mut screen = Device::socket(&b, &sam, "trip").await;
    screen.upto(3).await;
    assert_eq!(create(&b, &robin, "trip", &["person:sam", "assistant:fox", "person:sam"]).await.status, 200);
}

#[tokio::test]
async fn people_come_by_being_brought_in_and_go_as_they_like_or_as_the_host_says() {
    let b = TestBox::start().await;
    let [robin, sam, eve] = ["robin", "sam", "eve"].map(|n| b.person(n));
    create(&b, &robin, "g", &["person:sam", "assistant:fox", "assistant:owl"]).await;
    let call = |token: String, tool: &'static str, who: &'static str| {
        let b = &b;
        async move {
            let reply = b.call(&token, tool, json!({ "session": "g", "who": who })).await;
            (reply.status, reply.json()["session"]["participants"].as_array().map_or(0, Vec::len))
        }
    };

    assert_eq!(call(eve.clone(), "sessions.join", "").await.0, 404);
    assert_eq!(call(sam.clone(), "sessions.join", "person:eve").await, (200, 5));
    assert_eq!(call(eve.clone(), "sessions.join", "").await, (200, 5));
    // Eve brought in by sam sends neither of them away; the host does; an assistant anybody does.
    assert_eq!(call(eve.clone(), "sessions.remove", "person:sam").await.0, 403);
    assert_eq!(call(sam.clone(), "sessions.remove", "person:robin").await.0, 403);
    assert_eq!(call(eve.clone(), "sessions.remove", "assistant:owl").await, (200, 4));
    let head_before = head(&b, "g").await;
    assert_eq!(call(eve.clone(), "sessions.remove", "assistant:owl").await, (200, 4));
    assert_eq!(head(&b, "g").await, head_before, "nothing was to be done");
    assert_eq!(call(robin.clone(), "sessions.remove", "person:eve").await, (200, 3));
    assert_eq!(call(eve.clone(), "sessions.join", "").await.0, 404);

    // Who leaves is out, and the next one is the host.
    assert_eq!(call(robin.clone(), "sessions.leave", "").await, (200, 0));
    assert_eq!(call(robin.clone(), "sessions.join", "").await.0, 404);
    assert_eq!(call(sam.clone(), "sessions.join", "person:eve").await, (200, 3));
    assert_eq!(call(sam.clone(), "sessions.remove", "person:eve").await, (200, 2));
}

#[tokio::test]
async fn nothing_of_after_a_removal_reaches_any_device_of_who_was_removed() {
    let b = TestBox::start().await;
    let [robin, sam] = ["robin", "sam"].map(|n| b.person(n));
    create(&b, &robin, "g", &["person:sam"]).await;
    create(&b, &sam, "other", &[]).await;
    let mut here = Screen::open(b.http(), &b.ticket(&sam, "g").await, "").await;
    here.until(2).await;
    let mut elsewhere = Device::quic(&b, &sam, "other").await;
    elsewhere.next().await;

    let removed = b.call(&robin, "sessions.remove", json!({ "session": "g", "who": "person:sam" })).await;
    assert_eq!(removed.status, 200);
    says(&b, "g", "person:robin", "secret").await;
    b.call(&robin, "stream.presence", json!({ "session": "g", "state": "PRESENCE_STATE_TYPING" })).await;

    let mut got = Vec::new();
    while let Ok(frame) = here.next().await {
        got.push(frame);
    }
    assert!(got.iter().all(|f| !format!("{:?}", f.get().data).contains("hello")), "{got:?}");
    assert!(!got.iter().any(|f| f.class() == Class::Ephemeral), "{got:?}");
    says(&b, "other", "person:sam", "x").await;
    let told = elsewhere.upto(head(&b, "other").await).await;
    assert!(!told.iter().any(|d| matches!(d, Data::SessionHead(h) if h.unread > 0)), "{told:?}");
    // Who is brought in again sees what people said before, and nothing from in between.
    b.call(&robin, "sessions.join", json!({ "session": "g", "who": "person:sam" })).await;
    assert_eq!(listed(&b, &sam, "g").await.get("unread"), None);
    let page = b.call(&sam, "stream.history", json!({ "session": "g" })).await;
    assert!(!page.text().contains("hello"), "{}", page.text());
}

#[tokio::test]
async fn an_assigned_assistant_answers_where_nobody_is_named() {
    let b = TestBox::start().await;
    sessions(&b).address_to(Arc::new(Zoo));
    let [robin, sam] = ["robin", "sam"].map(|n| b.person(n));
    create(&b, &robin, "g", &["person:sam", "assistant:fox", "assistant:owl"]).await;
    let assign = |who: &'static str| b.call(&sam, "sessions.assign", json!({ "session": "g", "assistant": who }));
    let send =
        |n: usize| b.call(&sam, "stream.send", json!({ "session": "g", "message": format!("u{n}"), "text": "?" }));
    let picked = async |who: &str| {
        let (g, who) = (SessionId::parse("g").unwrap(), Author::parse(who).unwrap());
        sessions(&b).pick_up(&g, &who).await.unwrap().len()
    };

    // Of two none is the group's own.
    send(1).await;
    assert_eq!((picked("assistant:fox").await, picked("assistant:owl").await), (0, 0));
    assert_eq!(assign("assistant:owl").await.json()["session"]["assigned"], "assistant:owl");
    send(2).await;
    assert_eq!((picked("assistant:fox").await, picked("assistant:owl").await), (0, 1));
    assert_eq!(assign("assistant:elk").await.status, 409);
    assert_eq!(assign("person:robin").await.status, 400);
    assert_eq!(assign("").await.json()["session"].get("assigned"), None);
}

/// A box that runs every assistant, and lets a test take what waits.
struct Zoo;

impl Addressed for Zoo {
    fn runs(&self, _: &Author) -> bool {
        true
    }
    fn addressed(&self, _: &SessionId, _: &Author) {}
    fn stopping(&self, _: &SessionId) {}
    fn answered(&self, _: &SessionId, _: &str, _: &str) {}
}

#[tokio::test]
async fn several_that_are_named_answer_side_by_side_and_one_answer_is_kept() {
    let b = TestBox::start().await;
    sessions(&b).address_to(Arc::new(Zoo));
    let robin = b.person("robin");
    create(&b, &robin, "g", &["assistant:fox", "assistant:owl"]).await;
    let mentions = json!(["assistant:fox", "assistant:owl", "assistant:elk"]);
    let ask = json!({ "session": "g", "message": "u", "text": "Both?", "mentions": mentions });
    assert_eq!(b.call(&robin, "stream.send", ask).await.status, 200);

    for who in ["assistant:fox", "assistant:owl"] {
        let (g, author) = (SessionId::parse("g").unwrap(), Author::parse(who).unwrap());
        let picked = sessions(&b).pick_up(&g, &author).await.unwrap();
        assert_eq!(picked.len(), 1);
        let answer = picked[0].answer.clone().unwrap();
        let (delta, done) =
            (json!({ "message": answer.as_str(), "text": "Yes." }), json!({ "message": answer.as_str() }));
        let events = [
            event("g", &format!("{who}1"), "thread.delta", who, delta),
            event("g", &format!("{who}2"), "thread.done", who, done),
        ];
        b.publish(&events).await;
    }
    let keep = |group: &'static str, keep: &'static str| {
        b.call(&robin, "stream.fanout-keep", json!({ "session": "g", "group": group, "keep": keep }))
    };
    assert_eq!(keep("fanout.x", "u~assistant:owl").await.status, 404);
    assert_eq!(keep("fanout.u", "u~assistant:elk").await.status, 400);
    assert_eq!(keep("fanout.u", "u~assistant:fox").await.status, 200);
    assert_eq!(keep("fanout.u", "u~assistant:owl").await.status, 200);
    let end = head(&b, "g").await;
    assert_eq!(keep("fanout.u", "u~assistant:owl").await.status, 200);
    assert_eq!(head(&b, "g").await, end, "it was kept already");

    let mut fold = Fold::new();
    let mut screen = Screen::open(b.http(), &b.ticket(&robin, "g").await, "").await;
    for frame in screen.until(end).await {
        fold.apply(&frame);
    }
    let groups: Vec<_> = fold
        .rows()
        .iter()
        .filter_map(|r| match &r.body {
            Body::Fanout(f) => Some((f.members.len(), f.keep.as_deref())),
            _ => None,
        })
        .collect();
    assert_eq!(groups, [(2, Some("u~assistant:owl"))]);
    let answers = fold.rows().iter().filter(|r| matches!(&r.body, Body::Message(_))).count();
    assert_eq!(answers, 2);
}

#[tokio::test]
async fn history_gives_what_has_left_the_log_under_the_cursors_that_it_had() {
    let limits = Limits { log_frames: Some(100), ..Default::default() };
    let settings = || Settings { limits, ..Settings::default() };
    let b = TestBox::start_with(settings(), Clock::system()).await;
    let robin = b.person("robin");
    b.publish(&words("s", 0)).await;
    let mut screen = Screen::open(b.http(), &b.ticket(&robin, "s").await, "&merge=none").await;
    let mut seen = Vec::new();
    for n in 0..30 {
        let some: Vec<_> = (n * 20..n * 20 + 20).map(|i| crate::common::delta("s", i, &format!("word{i} "))).collect();
        b.publish(&some).await;
        seen.extend(screen.until(n as u64 * 20 + 21).await);
    }
    let logged: Vec<Value> =
        seen.iter().filter(|f| f.get().cur > 0).map(|f| serde_json::to_value(f.get()).unwrap()).collect();
    assert_eq!(logged.len(), 601);
    let floor = sessions(&b).get(&SessionId::parse("s").unwrap()).await.unwrap().bounds().floor.get();
    assert!(floor > 300, "{floor}");

    let (mut before, mut pages, mut more) = (0u64, Vec::new(), true);
    while more {
        let ask = json!({ "session": "s", "before": before, "limit": 70 });
        let page = b.call(&robin, "stream.history", ask).await.json();
        let frames = page["frames"].as_array().unwrap().clone();
        before = frames[0]["cur"].as_str().unwrap().parse().unwrap();
        more = page["more"] == true;
        pages.splice(0..0, frames);
    }

    // When the box took an event is known of those in one commit together.
    let but_time = |frames: &[Value]| {
        let mut frames = frames.to_vec();
        frames.iter_mut().for_each(|f| drop(f.as_object_mut().unwrap().remove("time")));
        frames
    };
    assert!(but_time(&pages) == but_time(&logged), "{:?} {:?}", pages.first(), pages.last());
    let none = b.call(&robin, "stream.history", json!({ "session": "s", "before": 1 })).await.json();
    assert_eq!(none, json!({}));
    let many = json!({ "session": "s", "limit": 4_000_000_000u32 });
    assert_eq!(b.call(&robin, "stream.history", many).await.json()["frames"].as_array().unwrap().len(), 500);
}
