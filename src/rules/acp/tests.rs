//! Golden turns, and turns of anything whatever.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value;
use serde_json::json;

use super::*;
use crate::rules::acp::wire::Incoming;
use crate::rules::adapter::Adapter;
use crate::rules::reply::Logged;
use crate::rules::room::EventNumber;
use crate::rules::room::Room;
use vyre_proto::fold::Fold;
use vyre_proto::fold::row::Body;
use vyre_proto::fold::row::CallState;
use vyre_proto::fold::row::MessageState;
use vyre_proto::frame::Frame;
use vyre_proto::tick::Wall;

fn speaker() -> Speaker {
    Speaker {
        session: SessionId::parse("s").unwrap(),
        who: Author::parse("assistant:helper").unwrap(),
        acts_for: Some(Author::parse("person:robin").unwrap()),
        folder: "/work".to_owned(),
    }
}

fn update(of: Value) -> acp::SessionUpdate {
    serde_json::from_value(of).unwrap()
}

fn text(words: &str) -> Value {
    json!({ "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": words } })
}

/// A whole turn as one line of JSON an event: without what is the same in all.
fn told(updates: &[Value], end: &End) -> Vec<String> {
    let mut names = Names::new("n");
    let mut turn = Turn::new(speaker(), &mut names);
    let mut all = turn.begin(&mut names, "");
    for u in updates {
        all.extend(turn.update(&mut names, update(u.clone())));
    }
    all.extend(turn.end(&mut names, end));
    all.iter()
        .map(|e| {
            let event: Value = serde_json::from_str(&e.to_json()).unwrap();
            assert_eq!((&event["actor"], &event["acts_for"]), (&json!("assistant:helper"), &json!("person:robin")));
            assert_eq!(event["turn"], "n.t1");
            format!("{} {}", e.name().trim_start_matches("thread."), event["data"])
        })
        .collect()
}

#[test]
fn words_and_thinking_are_one_message_until_a_call() {
    let updates = [
        json!({ "sessionUpdate": "agent_thought_chunk", "content": { "type": "text", "text": "hm" } }),
        text("one "),
        text("two"),
        json!({ "sessionUpdate": "tool_call", "toolCallId": "theirs", "title": "Look", "kind": "read", "status": "in_progress",
            "locations": [{ "path": "/work/src/a.rs" }] }),
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": "theirs", "status": "completed",
            "content": [{ "type": "content", "content": { "type": "text", "text": "a\nb" } }] }),
        text("three"),
    ];
    let want = [
        r#"status {"state":"working"}"#,
        r#"thinking {"message":"n.m3","text":"hm"}"#,
        r#"delta {"message":"n.m3","text":"one "}"#,
        r#"delta {"message":"n.m3","text":"two"}"#,
        r#"done {"message":"n.m3"}"#,
        r#"tool-started {"call":"n.c8","tool":"read","title":"Look","input":{"path":"src/a.rs"}}"#,
        r#"tool-finished {"call":"n.c8","tool":"read","ok":true,"result":{"block":"text","text":"a\nb","note":null}}"#,
        r#"delta {"message":"n.m11","text":"three"}"#,
        r#"done {"message":"n.m11"}"#,
        r#"status {"state":"idle"}"#,
    ];
    assert_eq!(told(&updates, &End::Done("")), want);
}

#[test]
fn a_command_is_told_piece_by_piece_and_whole_at_its_end() {
    let progress = |out: &str| {
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": "x", "status": "in_progress",
            "content": [{ "type": "content", "content": { "type": "text", "text": out } }] })
    };
    let updates = [
        json!({ "sessionUpdate": "tool_call", "toolCallId": "x", "title": "`ls`", "kind": "execute", "rawInput": {} }),
        progress("a\n"),
        progress("a\nb\n"),
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": "x", "status": "failed", "rawOutput": { "exit_code": 2 } }),
        // Late.
        progress("a\nb\nc\n"),
    ];
    let want = [
        r#"status {"state":"working"}"#,
        r#"tool-started {"call":"n.c3","tool":"shell","title":"`ls`","input":{"command":"ls"}}"#,
        r#"tool-progress {"call":"n.c3","text":"a\n"}"#,
        r#"tool-progress {"call":"n.c3","text":"b\n"}"#,
        r#"shell {"call":"n.c3","command":"ls","output":"a\nb\n","exit":2}"#,
        r#"tool-finished {"call":"n.c3","tool":"shell","ok":false,"result":{"block":"terminal","command":"ls","output":"a\nb\n","exit":2,"note":null}}"#,
        r#"status {"state":"idle"}"#,
    ];
    assert_eq!(told(&updates, &End::Done("")), want);
}

#[test]
fn changes_are_shown_as_a_diff_and_as_changed_files() {
    let updates = [
        json!({ "sessionUpdate": "tool_call", "toolCallId": "x", "title": "Edit", "kind": "edit", "status": "completed", "content": [
            { "type": "diff", "path": "/work/a", "oldText": "1\n2\n", "newText": "1\n3\n" },
            { "type": "diff", "path": "/elsewhere/b", "newText": "x\n" },
        ] }),
    ];
    let told = told(&updates, &End::Done(""));
    assert_eq!(told[2], r#"file-changed {"path":"a","change":"modified"}"#);
    assert_eq!(told[3], r#"file-changed {"path":"/elsewhere/b","change":"added"}"#);
    let patch = "--- a/a\n+++ b/a\n@@\n 1\n-2\n+3\n--- a//elsewhere/b\n+++ b//elsewhere/b\n+x\n";
    assert!(told[4].contains(&serde_json::to_string(patch).unwrap()), "{}", told[4]);
}

#[test]
fn a_turn_that_is_stopped_or_breaks_off_leaves_nothing_open() {
    let updates = [json!({ "sessionUpdate": "tool_call", "toolCallId": "x", "title": "Think hard" }), text("half a")];
    let stopped = told(&updates, &End::Stopped);
    assert_eq!(
        stopped[3],
        r#"tool-finished {"call":"n.c3","tool":"tool","ok":false,"result":{"block":"text","text":"stopped"}}"#
    );
    assert_eq!(stopped[4..], [r#"cut {"message":"n.m5","note":"stopped"}"#, "stopped {}"]);

    let failed = told(&updates, &End::Failed("it fell over".to_owned()));
    assert_eq!(failed[4..], [r#"cut {"message":"n.m5","note":"it fell over"}"#, r#"failed {"note":"it fell over"}"#]);
}

#[test]
fn an_answer_means_what_it_names_and_nothing_else_allows() {
    use acp::PermissionOptionKind as Kind;
    let option = |id: &'static str, name: &str, kind| acp::PermissionOption::new(id, name, kind);
    let options = vec![
        option("a", "Yes", Kind::AllowOnce),
        option("b", "Yes", Kind::AllowAlways),
        option("c", "No", Kind::RejectOnce),
    ];
    let call = acp::ToolCallUpdate::new("x", acp::ToolCallUpdateFields::new().title("Run it".to_owned()));
    let ask = acp::RequestPermissionRequest::new("theirs", call, options);
    let mut names = Names::new("n");
    let mut turn = Turn::new(speaker(), &mut names);

    let (choices, events) = turn.ask(&mut names, ask);

    let Some(Data::AskOpened(asked)) = &events.last().unwrap().get().data else { panic!() };
    assert_eq!(
        (asked.question.as_str(), &asked.options[..]),
        ("Run it", &["Yes".into(), "Yes (2)".into(), "No".into()][..])
    );
    let means = |answer: &str| match choices.meaning(answer) {
        acp::RequestPermissionOutcome::Selected(s) => s.option_id.0.to_string(),
        _ => "cancelled".to_owned(),
    };
    for (answer, id) in [("Yes", "a"), ("Yes (2)", "b"), (" yes ", "a"), ("no", "c"), ("go on", "c"), ("", "c")] {
        assert_eq!(means(answer), id, "{answer:?}");
    }
    assert_eq!(choices.named(&choices.decided(true)), "Yes");
    assert_eq!(choices.named(&choices.decided(false)), "No");
}

#[test]
fn a_prompt_names_who_speaks_where_there_are_several() {
    let robin = Author::parse("person:robin").unwrap();
    let said = [Said { by: Some(&robin), text: "hello" }];
    assert_eq!(prompt(said, false), [acp::ContentBlock::from("hello")]);
    assert_eq!(prompt(said, true), [acp::ContentBlock::from("robin says:\nhello")]);
}

#[test]
fn lines_are_told_apart() {
    let read = |v: Value| wire::read(v.to_string().as_bytes());
    assert!(matches!(
        read(json!({ "jsonrpc": "2.0", "id": 7, "result": null })),
        Incoming::Answer { id: 7, answer: Ok(_) }
    ));
    assert!(matches!(
        read(json!({ "jsonrpc": "2.0", "id": 7, "error": { "code": -32000, "message": "x" } })),
        Incoming::Answer { id: 7, answer: Err(_) }
    ));
    assert!(matches!(
        read(json!({ "id": "a", "method": "fs/read_text_file", "params": {} })),
        Incoming::Unknown { .. }
    ));
    let told = json!({ "method": "session/update", "params": { "sessionId": "s", "update": text("x") } });
    assert!(matches!(read(told), Incoming::Update(_)));
    for nothing in
        [json!({}), json!([]), json!(7), json!({ "method": "session/update", "params": 7 }), json!({ "id": "x" })]
    {
        assert!(matches!(read(nothing.clone()), Incoming::Nothing), "{nothing}");
    }
    let long = br#"{"method":"session/update","params":{"update":{"toolCallId":"c1","status" : "failed","content":[{"#;
    assert_eq!(wire::call_in(long), Some(("c1".to_owned(), Some(false))));
    assert_eq!(wire::call_in(b"{\"x\":\"toolCallId"), None);
}

#[test]
fn long_words_are_cut_nowhere_inside_a_character() {
    for pad in 0..4 {
        let words = format!("{}{}", "x".repeat(pad), "😀".repeat(PIECE_MAX / 2));
        let mut names = Names::new("n");
        let mut turn = Turn::new(speaker(), &mut names);
        let chunk = update(text(&words));
        let pieces = turn.update(&mut names, chunk);
        let said: String = pieces
            .iter()
            .map(|e| match &e.get().data {
                Some(Data::ThreadDelta(d)) => d.text.clone(),
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(pieces.len() >= 2 && said == words);
    }
}

fn content() -> impl Strategy<Value = Value> {
    let words = prop_oneof![Just(String::new()), "[a-d \n`😀é]{1,12}", Just("long ".repeat(40_000))];
    prop_oneof![
        words.clone().prop_map(|w| json!({ "type": "content", "content": { "type": "text", "text": w } })),
        (words.clone(), prop::option::of(words))
            .prop_map(|(new, old)| { json!({ "type": "diff", "path": "/work/f", "oldText": old, "newText": new }) }),
        Just(json!({ "type": "content", "content": { "type": "image", "data": "AAAA", "mimeType": "image/png" } })),
        Just(json!({ "type": "terminal", "terminalId": "t" })),
    ]
}

fn any_update() -> impl Strategy<Value = Value> {
    let chunk = ("[a-d 😀]{0,6}", any::<bool>(), prop::option::of("[xy]")).prop_map(|(words, thinks, id)| {
        let kind = if thinks { "agent_thought_chunk" } else { "agent_message_chunk" };
        json!({ "sessionUpdate": kind, "content": { "type": "text", "text": words }, "messageId": id })
    });
    let kinds = prop::sample::select(vec!["read", "edit", "execute", "delete", "other", "what"]);
    let states = prop::sample::select(vec!["pending", "in_progress", "completed", "failed"]);
    let call = (
        any::<bool>(),
        "[a-e]",
        kinds,
        prop::option::of(states),
        prop::collection::vec(content(), 0..3),
        any::<bool>(),
    )
        .prop_map(|(first, id, kind, status, content, input)| {
            let name = if first { "tool_call" } else { "tool_call_update" };
            let mut u =
                json!({ "sessionUpdate": name, "toolCallId": id, "title": "`t`", "kind": kind, "content": content });
            if let Some(status) = status {
                u["status"] = json!(status);
            }
            if input {
                u["rawInput"] = json!({ "command": "ls", "file_path": "/work/f" });
                u["rawOutput"] = json!({ "exitCode": 1 });
            }
            u
        });
    let plan = prop::collection::vec("[ab]", 0..3).prop_map(|steps| {
        let entry = |s| json!({ "content": s, "priority": "low", "status": "pending" });
        json!({ "sessionUpdate": "plan", "entries": steps.into_iter().map(entry).collect::<Vec<_>>() })
    });
    prop_oneof![4 => chunk, 4 => call, 1 => plan, 1 => Just(json!({ "sessionUpdate": "current_mode_update", "currentModeId": "m" }))]
}

fn any_end() -> impl Strategy<Value = End> {
    prop_oneof![Just(End::Done("")), Just(End::Stopped), Just(End::Failed("why".to_owned()))]
}

proptest! {
    #[test]
    fn however_a_turn_goes_its_end_leaves_nothing_open_and_loses_no_word(
        updates in prop::collection::vec(any_update(), 0..24),
        end in any_end(),
    ) {
        let mut names = Names::new("n");
        let mut turn = Turn::new(speaker(), &mut names);
        let mut events = turn.begin(&mut names, "");
        let mut said = String::new();
        for u in &updates {
            if u["sessionUpdate"] == "agent_message_chunk" {
                said.push_str(u["content"]["text"].as_str().unwrap());
            }
            events.extend(turn.update(&mut names, update(u.clone())));
        }
        events.extend(turn.end(&mut names, &end));

        let mut ids = BTreeSet::new();
        prop_assert!(events.iter().all(|e| ids.insert(e.id().clone())), "an id is there twice");
        let (mut adapter, mut fold, mut frames) = (Adapter::new(), Fold::new(), Vec::new());
        let mut room = Room::new();
        for (e, number) in events.iter().zip(1..) {
            room.learn(e.get(), EventNumber(number));
            adapter.project(e.get(), &room, Wall(1), &mut frames);
        }
        prop_assert!(adapter.open_messages().is_empty());
        for (n, mut frame) in frames.into_iter().map(Logged::into_frame).enumerate() {
            frame.cur = n as u64 + 1;
            fold.apply(&Frame::check(frame).unwrap());
        }
        let mut shown = String::new();
        let mut calls = BTreeMap::new();
        for row in fold.rows() {
            match &row.body {
                Body::Message(m) => {
                    prop_assert!(m.state != MessageState::Open);
                    shown.push_str(m.text.text());
                }
                Body::Call(c) => {
                    prop_assert!(c.state != CallState::Open);
                    calls.insert(c.call.to_string(), c.state);
                }
                _ => {}
            }
        }
        prop_assert_eq!(shown, said);
        let well = calls.values().filter(|s| **s == CallState::Ok).count();
        let completed = updates.iter().filter(|u| u["status"] == "completed" || u["sessionUpdate"] == "plan").count();
        prop_assert!(well <= completed, "more went well than the agent said");
        let state = fold.status().unwrap().state.clone();
        let want = match end { End::Done(_) => "idle", End::Stopped => "stopped", End::Failed(_) => "failed" };
        prop_assert_eq!(state, want);
    }

    #[test]
    fn no_line_makes_it_panic(line in prop::collection::vec(any::<u8>(), 0..200), json in "[\\[\\]{}\":,a-z0-9]{0,80}") {
        let _ = wire::read(&line);
        let _ = wire::read(json.as_bytes());
        let _ = wire::call_in(&line);
    }
}
