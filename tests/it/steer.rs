//! Steering: what a person sends while an assistant works, takes back, stops, answers; and what of it survives what.

use std::sync::Arc;
use std::sync::Mutex;

use prost::Message as _;
use serde_json::Value;
use serde_json::json;
use tokio::sync::Barrier;
use vyre_proto::fold::Fold;
use vyre_proto::fold::row::Body;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::UserState;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::pb::stream::stream_head::Want;
use vyre_proto::record::to_record;
use vyre_stream::clock::Clock;
use vyre_stream::config::Settings;
use vyre_stream::session::Addressed;
use vyre_stream::session::Picked;
use vyre_stream::session::Sessions;

use crate::common::QuicClient;
use crate::common::Screen;
use crate::common::TestBox;
use crate::common::started;

/// An assistant of the box that does what a test says, and remembers what it was told.
#[derive(Default)]
pub struct Helper(Mutex<Vec<String>>);

impl Helper {
    pub fn told(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Addressed for Helper {
    fn runs(&self, assistant: &Author) -> bool {
        *assistant == helper()
    }
    fn addressed(&self, session: &SessionId, assistant: &Author) {
        self.0.lock().unwrap().push(format!("{session} for {assistant}"));
    }
    fn stopping(&self, session: &SessionId) {
        self.0.lock().unwrap().push(format!("{session} stops"));
    }
    fn rewound(&self, session: &SessionId) {
        self.0.lock().unwrap().push(format!("{session} goes back"));
    }
    fn answered(&self, _: &SessionId, ask: &str, answer: &str) {
        self.0.lock().unwrap().push(format!("{ask}: {answer}"));
    }
}

pub fn helper() -> Author {
    Author::parse("assistant:helper").unwrap()
}

pub fn s() -> SessionId {
    SessionId::parse("s").unwrap()
}

pub fn sessions(b: &TestBox) -> &Sessions {
    b.daemon().tools().sessions()
}

/// A box with session `s`, in which the helper is one of the box's own assistants.
pub async fn a_box() -> (TestBox, Arc<Helper>) {
    let b = TestBox::start().await;
    let h = Arc::new(Helper::default());
    sessions(&b).address_to(h.clone());
    b.publish(&[started("s")]).await;
    (b, h)
}

/// The same folder under a new box: after a stop in order, or after none at all.
pub async fn again(b: TestBox, in_order: bool) -> TestBox {
    let folder = if in_order {
        b.stop().await
    } else {
        // What a box leaves that is gone from one moment to the next: its files as they are on disk now.
        let copy = tempfile::tempdir().unwrap();
        for file in ["vyre.redb", "vyre.keys", "box.key"] {
            std::fs::copy(b.folder().join(file), copy.path().join(file)).unwrap();
        }
        copy
    };
    let b = TestBox::start_in(folder, Settings::default(), Clock::system()).await;
    sessions(&b).address_to(Arc::new(Helper::default()));
    b
}

/// An event of the helper's.
pub fn event(id: &str, name: &str, data: Value) -> String {
    json!({ "id": id, "name": name, "session": "s", "actor": "assistant:helper", "acts_for": "person:robin", "data": data })
        .to_string()
}

pub async fn works(b: &TestBox) {
    b.publish(&[event("w", "thread.status", json!({ "state": "working" }))]).await;
}

pub async fn send(b: &TestBox, token: &str, message: &str, text: &str) -> Value {
    let reply = b.call(token, "stream.send", json!({ "session": "s", "message": message, "text": text })).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    // The first word of an enum is left out in JSON.
    reply.json().get("state").cloned().unwrap_or(json!("USER_STATE_SAID"))
}

pub async fn take(b: &TestBox) -> Vec<Picked> {
    sessions(b).pick_up(&s(), &helper()).await.unwrap()
}

pub fn names(picked: &[Picked]) -> Vec<(&str, &str)> {
    picked.iter().map(|p| (p.message.as_str(), p.text.as_str())).collect()
}

/// Everything that a screen shows of session `s` now.
pub async fn folded(b: &TestBox, token: &str) -> Fold {
    folded_in(b, token, "s").await
}

/// The same of another session.
pub async fn folded_in(b: &TestBox, token: &str, session: &str) -> Fold {
    let head = sessions(b).get(&SessionId::parse(session).unwrap()).await.unwrap().bounds().head.get();
    let ticket = b.ticket(token, session).await;
    let mut screen = Screen::open(b.http(), &ticket, "&from=0").await;
    let mut fold = Fold::new();
    for frame in screen.until(head).await {
        fold.apply(&frame);
    }
    fold
}

pub fn states(fold: &Fold) -> Vec<(String, UserState)> {
    let users = fold.rows().iter().filter_map(|r| match &r.body {
        Body::UserMessage(u) => Some((u.message.to_string(), u.state)),
        _ => None,
    });
    users.collect()
}

#[tokio::test]
async fn what_is_said_to_an_idle_assistant_is_its_next_turn() {
    let (b, h) = a_box().await;
    let robin = b.person("robin");

    assert_eq!(send(&b, &robin, "u1", "Hello").await, "USER_STATE_SAID");

    assert_eq!(h.told(), ["s for assistant:helper"]);
    let picked = take(&b).await;
    assert_eq!(names(&picked), [("u1", "Hello")]);
    assert_eq!(picked[0].author, Some(Author::person("robin").unwrap()));
    assert!(take(&b).await.is_empty(), "taken once");
    assert_eq!(states(&folded(&b, &robin).await), [("u1".to_owned(), UserState::PickedUp)]);
}

#[tokio::test]
async fn what_is_sent_during_work_is_taken_between_two_calls_and_never_inside_one() {
    let (b, h) = a_box().await;
    let robin = b.person("robin");
    works(&b).await;
    b.publish(&[event("t1", "thread.tool-started", json!({ "call": "c", "tool": "Bash" }))]).await;

    assert_eq!(send(&b, &robin, "q1", "one").await, "USER_STATE_QUEUED");
    assert_eq!(send(&b, &robin, "q2", "two").await, "USER_STATE_QUEUED");
    assert_eq!(h.told().len(), 2);
    assert!(take(&b).await.is_empty(), "a call is open");
    let waits = states(&folded(&b, &robin).await);
    assert!(waits.iter().all(|(_, s)| *s == UserState::Queued), "{waits:?}");

    b.publish(&[event("t2", "thread.tool-finished", json!({ "call": "c", "tool": "Bash", "ok": true }))]).await;
    assert_eq!(names(&take(&b).await), [("q1", "one"), ("q2", "two")]);
    let taken = states(&folded(&b, &robin).await);
    assert!(taken.iter().all(|(_, s)| *s == UserState::PickedUp), "{taken:?}");
}

#[tokio::test]
async fn a_message_of_one_id_is_one_message_also_after_a_restart() {
    let (mut b, _) = a_box().await;
    for in_order in [true, false] {
        let robin = b.person("robin");
        let ask = json!({ "session": "s", "message": "u", "text": "Once" });
        for _ in 0..3 {
            assert_eq!(b.call(&robin, "stream.send", ask.clone()).await.status, 200);
        }
        let other = b.call(&robin, "stream.send", json!({ "session": "s", "message": "u", "text": "Twice" })).await;
        assert_eq!((other.status, other.json()["code"].clone()), (409, json!("conflict")));
        assert_eq!(states(&folded(&b, &robin).await).len(), 1);
        b = again(b, in_order).await;
    }
    let robin = b.person("robin");
    assert_eq!(send(&b, &robin, "v", "Once").await, "USER_STATE_SAID");
    assert_eq!(states(&folded(&b, &robin).await).len(), 2, "two honest messages of the same words");
}

#[tokio::test]
async fn a_hundred_messages_later_an_id_is_still_the_same_message() {
    let (b, _) = a_box().await;
    let robin = b.person("robin");
    send(&b, &robin, "first", "Once").await;
    for n in 0..100 {
        send(&b, &robin, &format!("u{n}"), "x").await;
        take(&b).await;
    }
    let before = sessions(&b).get(&s()).await.unwrap().bounds().head;

    send(&b, &robin, "first", "Once").await;
    let other = b.call(&robin, "stream.send", json!({ "session": "s", "message": "first", "text": "Other" })).await;

    assert_eq!(other.status, 409);
    assert_eq!(sessions(&b).get(&s()).await.unwrap().bounds().head, before);
}

#[tokio::test]
async fn a_queue_that_is_full_refuses_and_pushes_nothing_out() {
    let (b, _) = a_box().await;
    let robin = b.person("robin");
    works(&b).await;
    for n in 0..64 {
        send(&b, &robin, &format!("q{n}"), "x").await;
    }
    let more = json!({ "session": "s", "message": "one-more", "text": "x" });
    assert_eq!(b.call(&robin, "stream.send", more.clone()).await.status, 429);
    assert_eq!(b.call(&robin, "stream.unqueue", json!({ "session": "s", "message": "q7" })).await.status, 200);
    assert_eq!(b.call(&robin, "stream.send", more).await.status, 200);

    let picked = take(&b).await;
    assert_eq!((picked.len(), picked[0].message.as_str(), picked[63].message.as_str()), (64, "q0", "one-more"));
}

#[tokio::test]
async fn the_id_of_another_persons_message_is_taken() {
    let (b, _) = a_box().await;
    b.publish(&[event("j", "room.joined", json!({ "who": "person:kim" }))]).await;
    send(&b, &b.person("robin"), "u", "Hello").await;

    let reply =
        b.call(&b.person("kim"), "stream.send", json!({ "session": "s", "message": "u", "text": "Hello" })).await;

    assert_eq!(reply.status, 409);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_taking_back_and_picking_up_exactly_one_wins() {
    let (b, _) = a_box().await;
    let robin = b.person("robin");
    works(&b).await;
    let (mut back, mut up) = (0, 0);
    for round in 0..40 {
        let message = format!("q{round}");
        send(&b, &robin, &message, "x").await;
        let barrier = Barrier::new(2);
        let taking_back = async {
            barrier.wait().await;
            b.call(&robin, "stream.unqueue", json!({ "session": "s", "message": message })).await
        };
        let picking_up = async {
            barrier.wait().await;
            if round % 2 == 0 {
                tokio::task::yield_now().await;
            }
            take(&b).await
        };
        let (reply, picked) = tokio::join!(taking_back, picking_up);
        assert_eq!(reply.status == 200, picked.is_empty(), "{}", reply.text());
        if picked.is_empty() {
            back += 1;
        } else {
            assert_eq!(reply.json()["code"], "conflict");
            up += 1;
        }
        let end = if picked.is_empty() { UserState::Cancelled } else { UserState::PickedUp };
        let shown = states(&folded(&b, &robin).await);
        assert_eq!(shown.last().unwrap(), &(message, end));
    }
    assert_eq!(back + up, 40);
}

#[tokio::test]
async fn only_who_wrote_a_queued_message_takes_it_back() {
    let (b, _) = a_box().await;
    b.publish(&[event("j", "room.joined", json!({ "who": "person:kim" }))]).await;
    works(&b).await;
    let robin = b.person("robin");
    let named = json!({ "session": "s", "message": "q", "text": "x", "mentions": ["assistant:helper"] });
    assert_eq!(b.call(&robin, "stream.send", named).await.json()["state"], "USER_STATE_QUEUED");
    let ask = json!({ "session": "s", "message": "q" });

    assert_eq!(b.call(&b.person("kim"), "stream.unqueue", ask.clone()).await.status, 403);
    for _ in 0..2 {
        assert_eq!(b.call(&robin, "stream.unqueue", ask.clone()).await.status, 200, "and again it is the same");
    }
    assert_eq!(b.call(&robin, "stream.unqueue", json!({ "session": "s", "message": "no" })).await.status, 404);
}

#[tokio::test]
async fn a_stop_is_shown_first_and_loses_nothing_that_waits() {
    let (b, h) = a_box().await;
    let robin = b.person("robin");
    works(&b).await;
    b.publish(&[event("d", "thread.delta", json!({ "message": "m", "text": "Five hundred characters" }))]).await;
    send(&b, &robin, "q1", "one").await;
    send(&b, &robin, "q2", "two").await;
    h.told();

    for _ in 0..2 {
        assert_eq!(b.call(&robin, "stream.stop", json!({ "session": "s" })).await.status, 200);
    }

    assert_eq!(h.told(), ["s stops"], "pressed twice, stopped once");
    let fold = folded(&b, &robin).await;
    assert!(fold.status().unwrap().stopping);
    assert!(take(&b).await.is_empty(), "nothing goes into what is being stopped");
    let end = [
        event("c", "thread.cut", json!({ "message": "m", "note": "stopped" })),
        event("x", "thread.stopped", json!({})),
    ];
    b.publish(&end).await;
    assert!(take(&b).await.is_empty(), "nothing starts by itself after a stop");

    for in_order in [true, false] {
        let fold = folded(&b, &robin).await;
        let waits = states(&fold);
        assert_eq!(
            waits.iter().map(|(m, s)| (m.as_str(), *s)).collect::<Vec<_>>(),
            [("q1", UserState::Queued), ("q2", UserState::Queued)]
        );
        let kept = again_copy(&b, in_order).await;
        assert!(take(&kept).await.is_empty());
        let robin = kept.person("robin");
        assert_eq!(send(&kept, &robin, "u", "go on").await, "USER_STATE_SAID");
        assert_eq!(names(&take(&kept).await), [("q1", "one"), ("q2", "two"), ("u", "go on")]);
    }
}

/// A box on a copy of this one's folder, which stays as it is.
async fn again_copy(b: &TestBox, in_order: bool) -> TestBox {
    let copy = tempfile::tempdir().unwrap();
    for file in ["vyre.redb", "vyre.keys", "box.key"] {
        std::fs::copy(b.folder().join(file), copy.path().join(file)).unwrap();
    }
    let c = TestBox::start_in(copy, Settings::default(), Clock::system()).await;
    sessions(&c).address_to(Arc::new(Helper::default()));
    if in_order { again(c, true).await } else { c }
}

#[tokio::test]
async fn a_stop_where_nobody_works_is_no_event() {
    let (b, h) = a_box().await;
    let before = sessions(&b).get(&s()).await.unwrap().bounds().head;

    assert_eq!(b.call(&b.person("robin"), "stream.stop", json!({ "session": "s" })).await.status, 200);

    assert_eq!(sessions(&b).get(&s()).await.unwrap().bounds().head, before);
    assert!(h.told().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_answers_one_stands_and_the_other_is_told() {
    let (b, h) = a_box().await;
    b.publish(&[event("j", "room.joined", json!({ "who": "person:kim" }))]).await;
    let people = [b.person("robin"), b.person("kim")];
    for round in 0..20 {
        let ask = format!("a{round}");
        b.publish(&[event(&ask, "ask.opened", json!({ "ask": ask, "question": "May I?", "options": ["y", "n"] }))])
            .await;
        let answers = people.iter().zip(["y", "n"]).map(|(token, answer)| {
            b.call(token, "ask.answer", json!({ "session": "s", "ask": ask, "answer": answer }))
        });
        let replies = futures_util::future::join_all(answers).await;
        let mut statuses: Vec<_> = replies.iter().map(|r| r.status).collect();
        let won = statuses.iter().position(|s| *s == 200).unwrap();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409]);
        let answer = ["y", "n"][won];
        assert_eq!(h.told(), [format!("{ask}: {answer}")]);
        let again = b.call(&people[won], "ask.answer", json!({ "session": "s", "ask": ask, "answer": answer })).await;
        assert_eq!(again.status, 200, "the same answer again is the same answer");
        assert!(h.told().is_empty());
        let fold = folded(&b, &people[0]).await;
        let shown = fold.rows().iter().find_map(|r| match &r.body {
            Body::Ask(a) if a.ask == ask => a.answer.clone(),
            _ => None,
        });
        assert_eq!(shown.unwrap().answer, answer);
    }
    let unknown = b.call(&people[0], "ask.answer", json!({ "session": "s", "ask": "no", "answer": "y" })).await;
    assert_eq!(unknown.status, 404);
}

#[tokio::test]
async fn one_thumb_is_one_whoever_adds_the_variation_mark() {
    let (b, _) = a_box().await;
    let robin = b.person("robin");
    send(&b, &robin, "u", "x").await;
    for (emoji, on) in [("👍", true), ("👍\u{fe0f}", true), ("👍🏽", true), ("👍🏽", false)] {
        let ask = json!({ "session": "s", "message": "u", "emoji": emoji, "on": on });
        assert_eq!(b.call(&robin, "stream.react", ask).await.status, 200);
    }
    let pin = json!({ "session": "s", "message": "u", "on": true });
    assert_eq!(b.call(&robin, "stream.pin", pin).await.status, 200);

    let fold = folded(&b, &robin).await;
    let Some(Body::UserMessage(u)) = fold.rows().iter().map(|r| &r.body).find(|b| matches!(b, Body::UserMessage(_)))
    else {
        panic!("no message")
    };
    let reactions: Vec<_> = u.marks.reactions().map(|(e, who)| (e.to_owned(), who.len())).collect();
    assert_eq!(reactions, [("👍".to_owned(), 1)]);
    assert!(u.marks.pinned());
    let bad = json!({ "session": "s", "message": "u", "emoji": "\u{fe0f}", "on": true });
    assert_eq!(b.call(&robin, "stream.react", bad).await.status, 400);
}

#[tokio::test]
async fn a_private_message_goes_to_no_assistant_and_comes_back_as_it_was() {
    let (b, h) = a_box().await;
    let robin = b.person("robin");
    let enc = json!({ "alg": "mls", "kid": "key-1", "ct": "c2VjcmV0" });
    let ask = json!({ "session": "s", "message": "p", "enc": enc, "mentions": ["assistant:helper"] });
    for _ in 0..2 {
        let reply = b.call(&robin, "stream.send", ask.clone()).await;
        assert_eq!((reply.status, reply.json().get("state")), (200, None), "said");
    }

    assert!(h.told().is_empty() && take(&b).await.is_empty());
    let fold = folded(&b, &robin).await;
    let private: Vec<_> = fold
        .rows()
        .iter()
        .filter_map(|r| match &r.body {
            Body::UserMessage(u) => u.enc.clone(),
            _ => None,
        })
        .collect();
    assert_eq!(private, [pb::Encrypted { alg: "mls".into(), kid: "key-1".into(), ct: "secret".into() }]);
    let other = json!({ "session": "s", "message": "p", "enc": { "alg": "mls", "kid": "key-1", "ct": "b3RoZXI=" } });
    assert_eq!(b.call(&robin, "stream.send", other).await.status, 409);
    let both = json!({ "session": "s", "message": "b", "text": "x", "enc": enc });
    assert_eq!(b.call(&robin, "stream.send", both).await.status, 400);
    let neither = json!({ "session": "s", "message": "n" });
    assert_eq!(b.call(&robin, "stream.send", neither).await.status, 400);
}

#[tokio::test]
async fn who_was_removed_does_nothing_more() {
    let (b, _) = a_box().await;
    b.publish(&[event("j", "room.joined", json!({ "who": "person:kim" }))]).await;
    works(&b).await;
    let kim = b.person("kim");
    let named = json!({ "session": "s", "message": "q", "text": "x", "mentions": ["assistant:helper"] });
    assert_eq!(b.call(&kim, "stream.send", named).await.status, 200);
    b.publish(&[
        event("a", "ask.opened", json!({ "ask": "a", "question": "?" })),
        event("l", "room.left", json!({ "who": "person:kim" })),
        // A reply that was under way.
        json!({ "id": "late", "name": "thread.delta", "session": "s", "actor": "assistant:helper",
                "acts_for": "person:kim", "data": { "message": "m", "text": "x" } })
        .to_string(),
    ])
    .await;
    let nobody = b.person("nobody");
    for (tool, body) in [
        ("stream.send", json!({ "session": "s", "message": "z", "text": "x" })),
        ("stream.unqueue", json!({ "session": "s", "message": "q" })),
        ("stream.stop", json!({ "session": "s" })),
        ("stream.react", json!({ "session": "s", "message": "q", "emoji": "👍", "on": true })),
        ("stream.pin", json!({ "session": "s", "message": "q", "on": true })),
        ("ask.answer", json!({ "session": "s", "ask": "a", "answer": "y" })),
        ("stream.open", json!({ "session": "s" })),
    ] {
        let removed = b.call(&kim, tool, body.clone()).await;
        let stranger = b.call(&nobody, tool, body.clone()).await;
        let mut elsewhere = body;
        elsewhere["session"] = json!("no-such-session");
        let unknown = b.call(&nobody, tool, elsewhere).await;
        assert_eq!(removed.status, 404, "{tool}: {}", removed.text());
        assert_eq!((&removed.body, &stranger.body), (&unknown.body, &unknown.body), "{tool}");
    }
}

#[tokio::test]
async fn a_producer_hands_on_what_waits_by_its_own_events() {
    let (b, _) = a_box().await;
    let robin = b.person("robin");
    works(&b).await;
    send(&b, &robin, "q", "x").await;
    b.publish(&[event("s1", "thread.sent", json!({ "message": "q", "via": "steer" }))]).await;
    assert_eq!(states(&folded(&b, &robin).await), [("q".to_owned(), UserState::Queued)]);
    let late = b.call(&robin, "stream.unqueue", json!({ "session": "s", "message": "q" })).await;
    assert_eq!(late.json()["code"], "conflict", "it is with the turn already");
    b.publish(&[event("s2", "thread.steered", json!({ "message": "q" }))]).await;

    assert_eq!(states(&folded(&b, &robin).await), [("q".to_owned(), UserState::PickedUp)]);
    assert!(take(&b).await.is_empty());
}

#[tokio::test]
async fn calls_over_quic_do_what_they_do_over_http() {
    let (b, _) = a_box().await;
    let robin = b.person("robin");
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    let (mut stream, _) = phone.stream(&robin, Want::Calls(pb::Calls {})).await;
    let mut answers = Vec::new();
    for text in ["Hello", "Hello", "Other"] {
        let ask = pb::StreamSend { session: "s".into(), message: "u".into(), text: text.into(), ..Default::default() };
        let call = pb::Call { tool: "stream.send".into(), body: ask.encode_to_vec().into(), ..Default::default() };
        stream.send.write_all(&to_record(&call)).await.unwrap();
        answers.push(pb::Answer::decode(stream.record().await.unwrap()).unwrap().answer.unwrap());
    }

    let pb::answer::Answer::Body(body) = &answers[0] else { panic!("{:?}", answers[0]) };
    let sent = pb::StreamSent::decode(body.clone()).unwrap();
    assert_eq!((sent.message.as_str(), sent.state()), ("u", UserState::Said));
    assert_eq!(answers[0], answers[1]);
    assert!(matches!(&answers[2], pb::answer::Answer::Error(e) if e.code() == pb::ErrorCode::Conflict));
}

#[tokio::test]
async fn every_screen_sees_what_a_person_did_and_who_did_it() {
    let (b, _) = a_box().await;
    let robin = b.person("robin");
    let ticket = b.ticket(&robin, "s").await;
    let mut screen = Screen::open(b.http(), &ticket, "&from=0").await;
    screen.until(1).await;
    send(&b, &robin, "u", "Hello").await;

    let frame = screen.next().await.unwrap();

    assert_eq!(frame.get().author, "person:robin");
    assert!(matches!(&frame.get().data, Some(Data::UserMessage(u)) if u.text == "Hello"));
}
