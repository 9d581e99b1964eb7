//! Going back: edit, retry and branch, each once for its key, and what every screen makes of it.

use std::sync::Arc;
use std::time::Duration;

use prost::Message as _;
use serde_json::Value;
use serde_json::json;
use tokio::time::timeout;
use vyre_proto::fold::Fold;
use vyre_proto::fold::row::Body;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::pb::stream::stream_head::Want;
use vyre_proto::record::to_record;
use vyre_stream::rules::caller::Caller;
use vyre_stream::rules::caller::Person;
use vyre_stream::tools::CalledBy;
use vyre_stream::tools::Format;
use vyre_stream::tools::Via;

use crate::common::QuicClient;
use crate::common::Screen;
use crate::common::TestBox;
use crate::steer::Helper;
use crate::steer::a_box;
use crate::steer::again;
use crate::steer::event;
use crate::steer::folded;
use crate::steer::folded_in;
use crate::steer::names;
use crate::steer::s;
use crate::steer::send;
use crate::steer::sessions;
use crate::steer::take;
use crate::steer::works;

/// One question of robin's, with a call and an answer to it.
async fn turn(b: &TestBox, n: u32) {
    send(b, &b.person("robin"), &format!("u{n}"), &format!("question {n}")).await;
    take(b).await;
    let (call, message) = (format!("c{n}"), format!("m{n}"));
    b.publish(&[
        event(&format!("{n}.0"), "thread.status", json!({ "state": "working" })),
        event(&format!("{n}.1"), "thread.delta", json!({ "message": message, "text": "answer " })),
        event(&format!("{n}.2"), "thread.tool-started", json!({ "call": call, "tool": "Bash" })),
        event(&format!("{n}.3"), "thread.tool-finished", json!({ "call": call, "tool": "Bash", "ok": true })),
        event(&format!("{n}.4"), "thread.delta", json!({ "message": message, "text": format!("{n}") })),
        event(&format!("{n}.5"), "thread.done", json!({ "message": message })),
        event(&format!("{n}.6"), "thread.status", json!({ "state": "idle" })),
    ])
    .await;
}

/// The conversation as a screen shows it: who says what, and calls.
fn shown(fold: &Fold) -> Vec<String> {
    let rows = fold.rows().iter().filter_map(|r| match &r.body {
        Body::UserMessage(u) => Some(format!("> {}", u.text)),
        Body::Message(m) => Some(m.text.text().to_owned()),
        Body::Call(c) => Some(format!("[{}]", c.call)),
        Body::Branched(b) => Some(format!("from {} at {}", b.session, b.from)),
        _ => None,
    });
    rows.collect()
}

async fn head(b: &TestBox) -> u64 {
    sessions(b).get(&s()).await.unwrap().bounds().head.get()
}

fn edit(message: &str, text: &str) -> Value {
    json!({ "session": "s", "message": message, "text": text })
}

#[tokio::test]
async fn an_edited_message_takes_the_place_of_what_it_was_and_of_all_after_it() {
    let (b, h) = a_box().await;
    let robin = b.person("robin");
    let ticket = b.ticket(&robin, "s").await;
    let mut live = Screen::open(b.http(), &ticket, "&from=0").await;
    for n in 1..=3 {
        turn(&b, n).await;
    }
    h.told();

    let reply = b.call_once(&robin, "threads.edit-retry", "k", edit("u2", "better 2")).await;

    assert_eq!(reply.status, 200, "{}", reply.text());
    let new = reply.json()["message"].as_str().unwrap().to_owned();
    assert_eq!(h.told(), ["s goes back", "s for assistant:helper"]);
    let picked = take(&b).await;
    assert_eq!(names(&picked), [(new.as_str(), "better 2")]);
    assert_eq!(picked[0].author, Some(Author::person("robin").unwrap()), "the author is recorded");

    let want = ["> question 1", "answer 1", "[c1]", "> better 2"];
    assert_eq!(shown(&folded(&b, &robin).await), want);
    let mut fold = Fold::new();
    for frame in live.until(head(&b).await).await {
        fold.apply(&frame);
    }
    assert_eq!(shown(&fold), want, "who watched sees the same");
    let again = again(b, false).await;
    assert_eq!(shown(&folded(&again, &again.person("robin")).await), want);
}

#[tokio::test]
async fn what_a_rewind_took_away_is_still_in_the_log() {
    let (b, _) = a_box().await;
    let robin = b.person("robin");
    turn(&b, 1).await;
    let before = head(&b).await;
    b.call_once(&robin, "threads.edit-retry", "k", edit("u1", "better")).await;

    let ticket = b.ticket(&robin, "s").await;
    let frames = Screen::open(b.http(), &ticket, "&from=0&merge=none").await.until(head(&b).await).await;
    let logged: Vec<_> = frames.iter().filter(|f| f.get().cur > 0).collect();
    assert_eq!(logged.len() as u64, before + 2);
    let rewound = logged[usize::try_from(before).unwrap()].get();
    assert!(matches!(&rewound.data, Some(Data::Rewound(r)) if r.to.is_empty()));
    assert_eq!((rewound.message.as_str(), rewound.author.as_str()), ("u1", "person:robin"));
}

#[tokio::test]
async fn the_same_key_is_the_same_call_also_after_a_restart() {
    let (mut b, _) = a_box().await;
    turn(&b, 1).await;
    let robin = b.person("robin");
    let first = b.call_once(&robin, "threads.edit-retry", "k", edit("u1", "better")).await;
    assert_eq!(first.status, 200, "{}", first.text());
    let at = head(&b).await;
    for in_order in [true, false] {
        b = again(b, in_order).await;
        let robin = b.person("robin");
        let same = b.call_once(&robin, "threads.edit-retry", "k", edit("u1", "better")).await;
        assert_eq!((same.status, &same.body), (200, &first.body));
        for (tool, body) in [
            ("threads.edit-retry", edit("u1", "worse")),
            ("threads.retry", json!({ "session": "s", "message": "u1" })),
            ("threads.branch", json!({ "session": "s", "message": "u1" })),
        ] {
            let other = b.call_once(&robin, tool, "k", body).await;
            assert_eq!((other.status, other.json()["code"].clone()), (409, json!("conflict")), "{tool}");
        }
        // A crash may name what it took of the lease by one more frame, and nothing else is new.
        let frames = folded(&b, &robin).await;
        assert_eq!(shown(&frames), ["> better"]);
    }
    assert!(head(&b).await >= at);
    // Keys belong to who chose them.
    b.publish(&[event("j", "room.joined", json!({ "who": "person:kim" }))]).await;
    let kim = b.call_once(&b.person("kim"), "threads.retry", "k", json!({ "session": "s", "message": "u1" })).await;
    assert_eq!(kim.status, 404, "another call: {}", kim.text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_calls_at_once_with_one_key_one_is_made() {
    let (b, _) = a_box().await;
    turn(&b, 1).await;
    let robin = b.person("robin");
    let before = head(&b).await;

    let calls = (0..16).map(|_| b.call_once(&robin, "threads.edit-retry", "k", edit("u1", "better")));
    let replies = futures_util::future::join_all(calls).await;

    assert!(replies.iter().all(|r| r.status == 200 && r.body == replies[0].body));
    assert_eq!(head(&b).await, before + 2, "one rewind and one message");
}

#[tokio::test]
async fn what_cannot_be_done_is_refused_before_anything_is_taken_back() {
    let (b, _) = a_box().await;
    b.publish(&[event("j", "room.joined", json!({ "who": "person:kim" }))]).await;
    turn(&b, 1).await;
    let (robin, kim, producer) = (b.person("robin"), b.person("kim"), b.producer());
    let at = head(&b).await;
    let long = "x".repeat(vyre_proto::limits::TEXT_MAX + 1);
    for (token, key, body, status) in [
        (&robin, "", edit("u1", "x"), 400),
        (&robin, "no\u{e9}", edit("u1", "x"), 400),
        (&robin, "1", edit("u1", ""), 400),
        (&robin, "2", edit("u1", &long), 400),
        (&robin, "3", edit("none", "x"), 404),
        (&robin, "4", edit("m1", "x"), 403),
        (&kim, "5", edit("u1", "x"), 403),
        (&producer, "6", edit("u1", "x"), 403),
        (&b.person("nobody"), "7", edit("u1", "x"), 404),
        (&b.owner("nobody"), "8", edit("u1", "x"), 404),
    ] {
        let reply = b.call_once(token, "threads.edit-retry", key, body).await;
        assert_eq!(reply.status, status, "{key}: {}", reply.text());
    }
    assert_eq!(head(&b).await, at);

    works(&b).await;
    let busy = b.call_once(&robin, "threads.edit-retry", "9", edit("u1", "x")).await;
    assert_eq!(busy.json()["code"], "conflict");
    b.publish(&[event("i", "thread.status", json!({ "state": "idle" }))]).await;
    send(&b, &kim, "k1", "I am here too").await;
    let others = b.call_once(&robin, "threads.edit-retry", "10", edit("u1", "x")).await;
    assert_eq!(others.json()["code"], "conflict", "nobody's words are taken back by somebody else");
    assert_eq!(shown(&folded(&b, &robin).await).len(), 4);
}

#[tokio::test]
async fn a_call_that_was_refused_may_be_made_again_with_its_key() {
    let (b, _) = a_box().await;
    turn(&b, 1).await;
    let robin = b.person("robin");
    works(&b).await;
    assert_eq!(b.call_once(&robin, "threads.edit-retry", "k", edit("u1", "x")).await.status, 409);
    b.publish(&[event("i", "thread.status", json!({ "state": "idle" }))]).await;

    assert_eq!(b.call_once(&robin, "threads.edit-retry", "k", edit("u1", "x")).await.status, 200);
}

#[tokio::test]
async fn the_owners_surface_edits_what_others_wrote() {
    let (b, _) = a_box().await;
    b.publish(&[event("j", "room.joined", json!({ "who": "person:kim" }))]).await;
    turn(&b, 1).await;

    let plain = b.call_once(&b.person("kim"), "threads.edit-retry", "k", edit("u1", "x")).await;
    let owner = b.call_once(&b.owner("kim"), "threads.edit-retry", "k", edit("u1", "x")).await;

    assert_eq!((plain.status, owner.status), (403, 200), "{}", owner.text());
    let fold = folded(&b, &b.person("robin")).await;
    let author = fold.rows().iter().rev().find_map(|r| match &r.body {
        Body::UserMessage(_) => r.author.clone(),
        _ => None,
    });
    assert_eq!(author, Some(Author::person("kim").unwrap()), "who edited it wrote it");
}

#[tokio::test]
async fn a_reply_is_tried_again_and_its_question_stays() {
    let (b, h) = a_box().await;
    turn(&b, 1).await;
    turn(&b, 2).await;
    let robin = b.person("robin");
    for (key, message) in [("a", "m2"), ("b", "u2"), ("c", "u1")] {
        h.told();
        let reply = b.call_once(&robin, "threads.retry", key, json!({ "session": "s", "message": message })).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        let of = if message == "u1" { "u1" } else { "u2" };
        assert_eq!(reply.json()["message"], of);
        assert_eq!(h.told(), ["s goes back", "s for assistant:helper"]);
        let text = format!("question {}", &of[1..]);
        assert_eq!(names(&take(&b).await), [(of, text.as_str())]);
        // The turn that this was ends without a word.
        b.publish(&[event(&format!("{key}.i"), "thread.status", json!({ "state": "idle" }))]).await;
        let want: &[&str] =
            if of == "u1" { &["> question 1"] } else { &["> question 1", "answer 1", "[c1]", "> question 2"] };
        assert_eq!(shown(&folded(&b, &robin).await), want);
    }
}

#[tokio::test]
async fn a_branch_is_a_session_of_its_own_that_knows_where_it_came_from() {
    let (b, _) = a_box().await;
    b.publish(&[event("j", "room.joined", json!({ "who": "person:kim" }))]).await;
    for n in 1..=2 {
        turn(&b, n).await;
    }
    let robin = b.person("robin");
    let ask = json!({ "session": "s", "message": "m1", "title": "Another way" });
    let reply = b.call_once(&robin, "threads.branch", "k", ask.clone()).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let branch = reply.json()["session"].as_str().unwrap().to_owned();

    let fold = folded_in(&b, &robin, &branch).await;
    assert_eq!(shown(&fold), ["from s at m1", "> question 1", "answer 1", "[c1]"]);
    assert_eq!(fold.status().unwrap().state, "idle");
    let listed = b.call(&robin, "sessions.list", json!({})).await.json();
    let info = listed["sessions"].as_array().unwrap().iter().find(|i| i["session"] == branch.as_str()).unwrap();
    assert_eq!((info["title"].as_str(), info["assistant"].as_str()), (Some("Another way"), Some("assistant:helper")));
    assert_eq!(info["participants"], json!(["person:robin", "assistant:helper"]));
    // The others of the old room have no part in it.
    assert_eq!(b.call(&b.person("kim"), "stream.open", json!({ "session": branch })).await.status, 404);

    // It goes on by itself, and the old session without it.
    let said = json!({ "session": branch, "message": "b1", "text": "and now?" });
    assert_eq!(b.call(&robin, "stream.send", said).await.status, 200);
    let id = SessionId::parse(&branch).unwrap();
    let picked = sessions(&b).pick_up(&id, &crate::steer::helper()).await.unwrap();
    assert_eq!(names(&picked), [("b1", "and now?")], "what was said before waits for nobody");
    assert_eq!(shown(&folded(&b, &robin).await).len(), 6);

    let again = b.call_once(&robin, "threads.branch", "k", ask).await;
    assert_eq!(again.body, reply.body);
    let none = b.call_once(&robin, "threads.branch", "l", json!({ "session": "s", "message": "none" })).await;
    assert_eq!(none.status, 404);
    assert_eq!(b.call(&robin, "sessions.list", json!({})).await.json()["sessions"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_branch_takes_along_only_what_was_shown_to_who_makes_it() {
    let (b, _) = a_box().await;
    let (robin, kim) = (b.person("robin"), b.person("kim"));
    let kims = json!({ "session": "s", "who": "person:kim" });
    turn(&b, 1).await;
    assert_eq!(b.call(&robin, "sessions.join", kims.clone()).await.status, 200);
    send(&b, &kim, "k1", "hello").await;
    assert_eq!(b.call(&robin, "sessions.remove", kims.clone()).await.status, 200);
    turn(&b, 2).await;
    assert_eq!(b.call(&robin, "sessions.join", kims).await.status, 200);
    send(&b, &robin, "u3", "last").await;
    let branch = async |token: &str, key: &str, message: &str| {
        b.call_once(token, "threads.branch", key, json!({ "session": "s", "message": message })).await
    };

    // The reply from before kim's time, and everything of while kim was away.
    for hidden in ["m1", "u2", "m2"] {
        assert_eq!(branch(&kim, hidden, hidden).await.status, 404, "{hidden}");
    }
    let of_kim = branch(&kim, "k", "u3").await.json()["session"].as_str().unwrap().to_owned();
    let of_robin = branch(&robin, "k", "u3").await.json()["session"].as_str().unwrap().to_owned();

    let seen = shown(&folded_in(&b, &kim, &of_kim).await);
    assert_eq!(seen, ["from s at u3", "> question 1", "> hello", "> last"]);
    assert_eq!(seen[1..], shown(&folded_in(&b, &kim, "s").await), "no more and no less than in the session itself");
    assert_eq!(shown(&folded_in(&b, &robin, &of_robin).await)[1..], shown(&folded(&b, &robin).await));
}

#[tokio::test]
async fn what_the_box_did_in_the_session_that_was_left_stands_in_no_ones_way() {
    let (b, _) = a_box().await;
    let robin = b.person("robin");
    turn(&b, 1).await;
    // These do not go along: so the branch comes by the numbers at which the session stood.
    let states: Vec<_> = (0..8).map(|n| event(&format!("i{n}"), "thread.status", json!({ "state": "idle" }))).collect();
    b.publish(&states).await;
    let react = async |session: &str, emoji: &str| {
        let ask = json!({ "session": session, "message": "u1", "emoji": emoji, "on": true });
        b.call(&robin, "stream.react", ask).await.status
    };
    for emoji in ["👍", "🎉", "❤", "🚀"] {
        assert_eq!(react("s", emoji).await, 200);
    }
    send(&b, &robin, "u2", "and?").await;
    let ask = json!({ "session": "s", "message": "u2" });
    let branch = b.call_once(&robin, "threads.branch", "k", ask).await.json()["session"].as_str().unwrap().to_owned();

    for emoji in ["👀", "🙏", "🔥", "💯", "✅", "🤔", "😄", "😢", "🐛", "🧪", "📌", "🌱"] {
        assert_eq!(react(&branch, emoji).await, 200, "{emoji}");
    }
}

#[tokio::test]
async fn a_branch_that_broke_off_is_whole_after_it_was_asked_for_again() {
    let (b, _) = a_box().await;
    for n in 1..=3 {
        turn(&b, n).await;
    }
    let words: Vec<_> = (0..6000)
        .map(|n| event(&format!("w{n}"), "thread.delta", json!({ "message": "long", "text": format!("{n} ") })))
        .collect();
    b.publish(&words).await;
    b.publish(&[event("wd", "thread.done", json!({ "message": "long" }))]).await;
    let robin = Person::new(Author::person("robin").unwrap()).unwrap();
    let by = CalledBy { caller: Caller::Person(robin), device: None, via: Via::Direct };
    let body = bytes::Bytes::from(json!({ "session": "s", "message": "long" }).to_string());
    let mut broken = 0;
    let answer = loop {
        let call = b.daemon().tools().call(&by, "threads.branch", "k", Format::Json, body.clone());
        match timeout(Duration::from_millis(5 + 3 * broken), call).await {
            Ok(answer) => break answer.unwrap(),
            Err(_) => broken += 1,
        }
    };
    assert!(broken > 0, "it was never broken off");

    let answer: Value = serde_json::from_slice(&answer).unwrap();
    let token = b.person("robin");
    let mut copied = shown(&folded_in(&b, &token, answer["session"].as_str().unwrap()).await);
    assert_eq!(copied.remove(0), "from s at long");
    assert_eq!(copied, shown(&folded(&b, &token).await));
    assert_eq!(b.call(&token, "sessions.list", json!({})).await.json()["sessions"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_key_travels_in_a_call_over_quic() {
    let (b, _) = a_box().await;
    turn(&b, 1).await;
    let phone = QuicClient::connect(b.quic(), b.id()).await;
    let (mut stream, _) = phone.stream(&b.person("robin"), Want::Calls(pb::Calls {})).await;
    let mut answers = Vec::new();
    for (key, text) in [("", "better"), ("k", "better"), ("k", "better"), ("k", "worse")] {
        let ask = pb::ThreadsEditRetry { session: "s".into(), message: "u1".into(), text: text.into() };
        let (tool, idempotency_key) = ("threads.edit-retry".to_owned(), key.to_owned());
        let call = pb::Call { tool, idempotency_key, body: ask.encode_to_vec().into() };
        stream.send.write_all(&to_record(&call)).await.unwrap();
        answers.push(pb::Answer::decode(stream.record().await.unwrap()).unwrap().answer.unwrap());
    }

    let code = |a: &pb::answer::Answer| match a {
        pb::answer::Answer::Error(e) => Some(e.code()),
        pb::answer::Answer::Body(_) => None,
    };
    assert_eq!(code(&answers[0]), Some(pb::ErrorCode::Invalid));
    assert_eq!((code(&answers[1]), &answers[1]), (None, &answers[2]));
    assert_eq!(code(&answers[3]), Some(pb::ErrorCode::Conflict));
    // The same call over the other door is the same call.
    let same = b.call_once(&b.person("robin"), "threads.edit-retry", "k", edit("u1", "better")).await;
    let pb::answer::Answer::Body(body) = &answers[1] else { panic!("no answer") };
    assert_eq!(same.json()["message"], pb::ThreadsAnswer::decode(body.clone()).unwrap().message.as_str());
}

#[tokio::test]
async fn words_before_and_after_a_rewind_are_never_one_frame() {
    let (b, _) = a_box().await;
    let delta = |n: u32| event(&format!("d{n}"), "thread.delta", json!({ "message": "m", "text": format!("{n} ") }));
    b.publish(&[delta(1), delta(2), event("r", "thread.rewound", json!({ "message": "m" })), delta(3), delta(4)]).await;
    let robin = b.person("robin");
    let at = head(&b).await;
    let mut folds = Vec::new();
    for query in ["&from=0", "&from=0&merge=none"] {
        let ticket = b.ticket(&robin, "s").await;
        let frames = Screen::open(b.http(), &ticket, query).await.until(at).await;
        let rewound = frames.iter().position(|f| matches!(f.get().data, Some(Data::Rewound(_)))).unwrap();
        let texts = frames.iter().map(|f| matches!(f.get().data, Some(Data::TextDelta(_))));
        let (before, after): (Vec<_>, Vec<_>) = texts.enumerate().partition(|(n, _)| *n < rewound);
        assert!(before.iter().any(|(_, t)| *t) && after.iter().any(|(_, t)| *t));
        let mut fold = Fold::new();
        for frame in &frames {
            fold.apply(frame);
        }
        folds.push(shown(&fold));
    }
    assert_eq!(folds[0], folds[1]);
    assert!(folds[0].is_empty(), "what was taken back does not come back by late words");
}

#[tokio::test]
async fn an_old_session_that_is_opened_starts_nothing() {
    let (b, _) = a_box().await;
    let robin = json!("person:robin");
    let by_robin = |id: &str, name: &str, data: Value| {
        json!({ "id": id, "name": name, "session": "s", "actor": robin, "data": data }).to_string()
    };
    b.publish(&[
        by_robin("1", "thread.user", json!({ "message": "u", "text": "x", "mentions": ["assistant:helper"] })),
        event("2", "ask.opened", json!({ "ask": "a", "question": "?" })),
        by_robin("3", "thread.queued", json!({ "message": "q", "text": "x" })),
        by_robin("4", "thread.stopping", json!({})),
        by_robin("5", "ask.answered", json!({ "ask": "a", "answer": "y" })),
    ])
    .await;
    let folder = b.stop().await;
    let b = TestBox::start_in(folder, Default::default(), vyre_stream::clock::Clock::system()).await;
    let h = Arc::new(Helper::default());
    sessions(&b).address_to(h.clone());

    assert_eq!(shown(&folded(&b, &b.person("robin")).await), ["> x", "> x"]);

    assert!(h.told().is_empty() && take(&b).await.is_empty());
}

#[tokio::test]
async fn a_box_that_runs_no_assistant_takes_back_all_the_same() {
    let b = TestBox::start().await;
    b.publish(&[crate::common::started("s")]).await;
    turn(&b, 1).await;

    let reply = b.call_once(&b.person("robin"), "threads.edit-retry", "k", edit("u1", "better")).await;

    assert_eq!(reply.status, 200, "{}", reply.text());
    sessions(&b).address_to(Arc::new(Helper::default()));
    assert!(take(&b).await.is_empty(), "its producer hands it on");
    assert_eq!(shown(&folded(&b, &b.person("robin")).await), ["> better"]);
}
