//! The fold, seen from outside: the same rows however the frames come.

#![allow(clippy::unwrap_used)] // Helpers of tests.

use std::collections::HashMap;

use proptest::prelude::*;
use vyre_proto::cursor::Cursor;
use vyre_proto::fold::Fold;
use vyre_proto::fold::row::Body;
use vyre_proto::fold::row::CallState;
use vyre_proto::frame::Frame;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;

/// Builds a log frame by frame, as a box would.
#[derive(Default)]
struct Log {
    frames: Vec<pb::Frame>,
    ends: HashMap<(String, i32), u64>,
}

impl Log {
    fn add(&mut self, message: &str, data: Data) -> &mut pb::Frame {
        self.add_span(1, message, data)
    }

    fn add_span(&mut self, span: u64, message: &str, data: Data) -> &mut pb::Frame {
        let cur = self.frames.last().map_or(0, |f| f.cur) + span;
        self.frames.push(pb::Frame {
            v: 1,
            cur,
            span: if span == 1 { 0 } else { span },
            id: format!("e{cur}"),
            time: 1_000 + cur,
            author: if message.starts_with('u') { "person:robin".into() } else { "assistant:helper".into() },
            message: message.into(),
            data: Some(data),
            ..Default::default()
        });
        self.frames.last_mut().unwrap()
    }

    fn channel(&mut self, message: &str, channel: pb::Channel, text: &str) -> &mut pb::Frame {
        let end = self.ends.entry((message.into(), channel as i32)).or_default();
        let at = *end;
        *end += text.len() as u64;
        self.add(
            message,
            Data::TextDelta(pb::TextDelta { channel: channel as i32, at, text: text.into(), ..Default::default() }),
        )
    }

    fn text(&mut self, message: &str, text: &str) -> &mut pb::Frame {
        self.channel(message, pb::Channel::Text, text)
    }

    fn think(&mut self, message: &str, text: &str) -> &mut pb::Frame {
        self.channel(message, pb::Channel::Thinking, text)
    }

    fn progress(&mut self, call: &str, text: &str) -> &mut pb::Frame {
        let end = self.ends.entry((call.into(), 9)).or_default();
        let at = *end;
        *end += text.len() as u64;
        self.add(
            "",
            Data::ToolProgress(pb::ToolProgress { call: call.into(), at, text: text.into(), ..Default::default() }),
        )
    }

    fn done(&mut self, message: &str) -> &mut pb::Frame {
        let len = |c: pb::Channel| self.ends.get(&(message.to_owned(), c as i32)).copied().unwrap_or(0);
        let done = pb::TextDone { text_len: len(pb::Channel::Text), thinking_len: len(pb::Channel::Thinking) };
        self.add(message, Data::TextDone(done))
    }

    fn cut(&mut self, message: &str, at: u64, note: &str) -> &mut pb::Frame {
        self.add(message, Data::TextCut(pb::TextCut { note: note.into(), at }))
    }

    fn started(&mut self, call: &str) -> &mut pb::Frame {
        self.add(
            "",
            Data::ToolStarted(pb::ToolStarted { call: call.into(), tool: "shell".into(), ..Default::default() }),
        )
    }

    fn finished(&mut self, call: &str, ok: bool) -> &mut pb::Frame {
        self.add(
            "",
            Data::ToolFinished(pb::ToolFinished { call: call.into(), tool: "shell".into(), ok, ..Default::default() }),
        )
    }

    fn user(&mut self, message: &str, text: &str, state: pb::UserState) -> &mut pb::Frame {
        self.add(
            message,
            Data::UserMessage(pb::UserMessage { text: text.into(), state: state as i32, ..Default::default() }),
        )
    }

    fn react(&mut self, message: &str, emoji: &str, on: bool) -> &mut pb::Frame {
        let frame = self.add(message, Data::Reaction(pb::Reaction { emoji: emoji.into(), on }));
        frame.author = "person:robin".into();
        frame
    }

    fn rewound(&mut self, to: &str) -> &mut pb::Frame {
        self.add("", Data::Rewound(pb::Rewound { to: to.into() }))
    }

    fn fanout(&mut self, group: &str) -> &mut pb::Frame {
        let members =
            ["h", "k"].map(|who| pb::FanoutMember { who: format!("assistant:{who}"), message: format!("m-{who}") });
        self.add("u0", Data::Fanout(pb::Fanout { group: group.into(), members: members.to_vec() }))
    }

    fn fold(&self) -> Fold {
        fold(&self.frames)
    }
}

fn frame(f: &pb::Frame) -> Frame {
    Frame::check(f.clone()).unwrap()
}

fn fold(frames: &[pb::Frame]) -> Fold {
    let mut fold = Fold::new();
    for f in frames {
        fold.apply(&frame(f));
    }
    fold
}

fn json(fold: &Fold) -> String {
    serde_json::to_string(fold.rows()).unwrap()
}

/// `id text state` of each row, for reading.
fn seen(fold: &Fold) -> Vec<String> {
    fold.rows()
        .iter()
        .map(|r| {
            let v = serde_json::to_value(r).unwrap();
            let words = v["text"].as_str().map(|t| format!(" {t}")).unwrap_or_default();
            format!("{}{words} {}", r.id, v["state"].as_str().unwrap_or("-"))
        })
        .collect()
}

#[test]
fn each_message_has_a_row_of_its_own_whatever_streams_beside_it() {
    let mut log = Log::default();
    log.text("m1", "first");
    log.done("m1");
    for (a, b) in [("two ", "III "), ("more", "more")] {
        log.text("m2", a);
        log.text("m3", b);
    }
    log.done("m3");

    assert_eq!(seen(&log.fold()), ["a:m1 first done", "a:m2 two more open", "a:m3 III more done"]);
}

#[test]
fn opening_in_the_middle_of_a_reply_shows_each_answer_once_and_whole() {
    let mut log = Log::default();
    log.text("m1", "the first answer");
    log.done("m1");
    for word in ["the ", "second ", "answer ", "🎉 ", "grows"] {
        log.text("m2", word);
    }
    let want = ["a:m1 the first answer done", "a:m2 the second answer 🎉 grows open"];
    let whole = merged(&log.frames, &[2, 9]);

    for open in 0..=log.frames.len() {
        // Live up to here; then five times again, each from a place of its own.
        let mut fold = fold(&log.frames[..open]);
        for again in 0..5 {
            let from = open.saturating_sub(again);
            for f in log.frames[from..].iter().chain(&whole) {
                fold.apply(&frame(f));
            }
        }
        assert_eq!(seen(&fold), want);
    }
}

#[test]
fn thinking_is_held_until_its_message_has_a_first_text() {
    let mut log = Log::default();
    log.think("m1", "hmm");
    assert!(log.fold().rows().is_empty());
    log.started("c1");
    log.text("m1", "so");
    log.think("m2", "only thought");
    log.done("m2");
    log.think("m3", "cut thought");
    log.cut("m3", 0, "stopped");

    let fold = log.fold();

    assert_eq!(seen(&fold), ["c:c1 open", "a:m1 so open"]);
    let Body::Message(m) = &fold.rows()[1].body else { panic!() };
    assert_eq!(m.thinking.text(), "hmm");
}

#[test]
fn a_tool_in_the_message_shows_its_thinking_too() {
    let mut log = Log::default();
    log.think("m1", "hmm");
    log.started("c1").message = "m1".into();
    log.started("c2").message = "m2".into();
    log.think("m2", "later");

    assert_eq!(seen(&log.fold()), ["a:m1  open", "c:c1 open", "c:c2 open", "a:m2  open"]);
}

#[test]
fn a_refusal_without_a_word_is_shown_with_its_note() {
    let mut log = Log::default();
    log.cut("m1", 0, "refusal");

    let fold = log.fold();

    assert_eq!(seen(&fold), ["a:m1  cut"]);
    assert_eq!(serde_json::to_value(&fold.rows()[0]).unwrap()["note"], "refusal");
}

#[test]
fn a_cut_keeps_what_it_says_and_late_words_do_not_bring_the_rest_back() {
    let mut log = Log::default();
    log.text("m1", "keep this");
    log.text("m1", ", not this");
    log.cut("m1", 9, "stopped");
    log.text("m1", ", nor this");
    log.done("m1");
    log.think("m1", "late");

    assert_eq!(seen(&log.fold()), ["a:m1 keep this cut"]);

    // The log after the cut: emptied and marked, the row and its place unchanged.
    let live = json(&log.fold());
    for n in [1, 3] {
        let Some(Data::TextDelta(d)) = &mut log.frames[n].data else { panic!() };
        d.text.clear();
        log.frames[n].cut = true;
    }
    assert_eq!(json(&log.fold()), live);
}

#[test]
fn a_message_cut_to_nothing_keeps_its_place_on_replay() {
    let mut log = Log::default();
    log.text("m1", "secret");
    log.text("m2", "other");
    log.cut("m1", 0, "taken back");
    let live = json(&log.fold());

    let Some(Data::TextDelta(d)) = &mut log.frames[0].data else { panic!() };
    d.text.clear();
    log.frames[0].cut = true;

    assert_eq!(json(&log.fold()), live);
    assert_eq!(seen(&log.fold()), ["a:m1  cut", "a:m2 other open"]);
}

#[test]
fn words_that_a_crash_took_come_again_and_are_held_once() {
    let mut log = Log::default();
    log.text("m1", "durable ");
    let mut live = log.fold();
    log.text("m1", "shown ");
    log.started("c1");
    log.add("", Data::Status(pb::Status { state: "working".into(), ..Default::default() })).id = "s1".into();
    for f in &log.frames[1..] {
        live.apply(&frame(f));
    }
    // The same events again, above the cursors that were given out.
    let mut after = Log { frames: vec![log.frames[0].clone()], ends: HashMap::from([(("m1".into(), 0), 8)]) };
    after.add_span(9, "", Data::Lost(pb::Lost { reason: pb::LostReason::Crash as i32 }));
    after.text("m1", "shown ");
    after.started("c1");
    after.add("", Data::Status(pb::Status { state: "working".into(), ..Default::default() })).id = "s1".into();
    after.text("m1", "and more");
    for f in &after.frames {
        live.apply(&frame(f));
    }

    assert_eq!(seen(&live), ["a:m1 durable shown and more open", "c:c1 open", "s:s1 working", "x:10 -"]);
    assert_eq!(seen(&after.fold()), ["a:m1 durable shown and more open", "x:10 -", "c:c1 open", "s:s1 working"]);
}

#[test]
fn words_that_are_missing_are_marked_and_never_joined_over() {
    let mut log = Log::default();
    log.text("m1", "one ");
    log.text("m1", "two ");
    log.text("m1", "three");
    log.done("m1");
    log.frames[1].data = Some(Data::Lost(pb::Lost { reason: pb::LostReason::Damage as i32 }));

    let fold = log.fold();

    let row = serde_json::to_value(&fold.rows()[0]).unwrap();
    assert_eq!(row["text"], "one ");
    assert_eq!(row["rest"], serde_json::json!([{"at": 8, "text": "three"}]));
    assert_eq!(row["missing"], true);
    assert_eq!(serde_json::to_value(&fold.rows()[1]).unwrap()["reason"], "damage");
}

#[test]
fn a_floor_inside_a_message_shows_that_it_begins_later() {
    let mut log = Log::default();
    log.text("m1", "gone ");
    log.text("m1", "kept");
    log.done("m1");

    let fold = fold(&log.frames[1..]);

    let row = serde_json::to_value(&fold.rows()[0]).unwrap();
    assert_eq!(
        (&row["text"], &row["later"], &row["missing"]),
        (&"kept".into(), &true.into(), &serde_json::Value::Null)
    );
}

#[test]
fn a_message_that_is_whole_in_length_only_says_what_it_lacks() {
    let mut log = Log::default();
    log.text("m1", "half");
    log.add("m1", Data::TextDone(pb::TextDone { text_len: 9, thinking_len: 0 }));

    assert_eq!(serde_json::to_value(&log.fold().rows()[0]).unwrap()["missing"], true);
}

#[test]
fn words_after_the_end_are_shown_and_end_nothing_anew() {
    let mut log = Log::default();
    log.text("m1", "all");
    log.done("m1");
    log.text("m1", " but this");

    let fold = log.fold();

    assert_eq!(seen(&fold), ["a:m1 all but this done"]);
    assert!(!fold.rows()[0].has_gap());
}

#[test]
fn frames_of_a_call_come_in_any_order() {
    let mut log = Log::default();
    log.finished("c1", true);
    log.progress("c1", "50 %");
    log.add(
        "",
        Data::TermChunk(pb::TermChunk { call: "c1".into(), command: "ls".into(), exit: Some(0), ..Default::default() }),
    );
    log.started("c1");
    log.started("c2");
    log.finished("c2", false);
    log.finished("c2", true);
    log.add("", Data::Status(pb::Status { state: "stopped".into(), ..Default::default() }));
    log.started("c3");

    let fold = log.fold();

    let calls: Vec<_> = fold
        .rows()
        .iter()
        .filter_map(|r| if let Body::Call(c) = &r.body { Some((r.id.as_str(), c.state)) } else { None })
        .collect();
    assert_eq!(calls, [("c:c1", CallState::Ok), ("c:c2", CallState::Failed), ("c:c3", CallState::Open)]);
    let Body::Call(c) = &fold.rows()[0].body else { panic!() };
    assert_eq!((c.progress.text(), c.terms.len(), c.tool.as_str()), ("50 %", 1, "shell"));
}

#[test]
fn a_stop_leaves_what_is_open_open() {
    let mut log = Log::default();
    log.text("m1", "some");
    log.started("c1");
    for state in ["stopping", "stopped", "failed"] {
        log.add("", Data::Status(pb::Status { state: state.into(), ..Default::default() }));
    }

    assert_eq!(seen(&log.fold())[..2], ["a:m1 some open", "c:c1 open"]);
}

#[test]
fn of_taking_back_and_picking_up_every_screen_sees_the_first() {
    let mut log = Log::default();
    log.user("u1", "wait", pb::UserState::Queued);
    log.user("u1", "", pb::UserState::Cancelled);
    log.user("u1", "", pb::UserState::PickedUp);
    log.user("u2", "now", pb::UserState::Queued);
    log.user("u2", "other", pb::UserState::PickedUp);
    log.user("u2", "", pb::UserState::Cancelled);
    log.user("u3", "said", pb::UserState::Said);

    assert_eq!(seen(&log.fold()), ["u:u1 wait cancelled", "u:u2 now picked-up", "u:u3 said said"]);
}

#[test]
fn a_private_message_has_no_words() {
    let mut log = Log::default();
    let enc = pb::Encrypted { alg: "x".into(), kid: "k".into(), ct: vec![1, 2].into() };
    log.add("u1", Data::UserMessage(pb::UserMessage { enc: Some(enc), ..Default::default() }));

    let row = serde_json::to_value(&log.fold().rows()[0]).unwrap();

    assert_eq!((&row["text"], &row["enc"]["ct"]), (&serde_json::Value::Null, &"AQI=".into()));
}

#[test]
fn the_first_answer_to_a_question_stays() {
    let mut log = Log::default();
    log.add("", Data::AskAnswered(pb::AskAnswered { ask: "q".into(), answer: "yes".into() })).author =
        "person:a".into();
    log.add("", Data::Ask(pb::Ask { ask: "q".into(), question: "May I?".into(), options: vec!["yes".into()] }));
    log.add("", Data::AskAnswered(pb::AskAnswered { ask: "q".into(), answer: "no".into() })).author = "person:b".into();

    let row = serde_json::to_value(&log.fold().rows()[0]).unwrap();

    assert_eq!(
        (&row["question"], &row["answer"], &row["answeredBy"]),
        (&"May I?".into(), &"yes".into(), &"person:a".into())
    );
}

#[test]
fn one_person_has_one_thumb_and_the_last_word_counts() {
    let mut log = Log::default();
    log.react("m1", "👍", true); // Before the message is known.
    log.text("m1", "hi");
    log.react("m1", "👍\u{fe0f}", true);
    log.react("m1", "❤\u{fe0f}", true);
    log.react("m1", "❤", false);
    log.add("m1", Data::Pin(pb::Pin { on: true }));
    log.add("m1", Data::Mention(pb::Mention { who: vec!["person:a".into(), "person:a".into(), "nobody".into()] }));

    let row = serde_json::to_value(&log.fold().rows()[0]).unwrap();

    assert_eq!(row["reactions"], serde_json::json!([{"emoji": "👍", "who": ["person:robin"]}]));
    assert_eq!((&row["pinned"], &row["mentions"]), (&true.into(), &serde_json::json!(["person:a"])));
}

#[test]
fn a_rewind_takes_away_what_came_after_and_late_frames_do_not_bring_it_back() {
    let mut log = Log::default();
    log.user("u1", "ask", pb::UserState::Said);
    log.text("m1", "wrong");
    log.started("c1");
    log.think("m2", "held");
    log.user("u2", "waiting", pb::UserState::Queued);
    log.rewound("u1");
    log.text("m1", " still wrong");
    log.text("m2", "too late");
    log.finished("c1", true);
    log.react("m1", "👍", true);
    log.text("m3", "right");
    log.user("u2", "", pb::UserState::PickedUp);

    let mut fold = log.fold();

    assert_eq!(seen(&fold), ["u:u1 ask said", "u:u2 waiting picked-up", "a:m3 right open"]);

    // Told once more after a crash, it takes nothing of what came since.
    let again = pb::Frame { cur: 40, ..log.frames[5].clone() };
    fold.apply(&frame(&again));
    assert_eq!(seen(&fold).len(), 3);
}

#[test]
fn a_rewind_takes_what_begins_with_the_message_it_names_and_leaves_what_stands_before_it() {
    let mut log = Log::default();
    log.user("u1", "ask", pb::UserState::Said);
    log.text("m1", "answer");
    log.started("c1");
    log.finished("c1", true);
    log.user("u2", "edited", pb::UserState::Said);
    log.text("m2", "wrong");
    log.rewound("m1").message = "u2".into();

    let rows = seen(&log.fold());

    assert_eq!(rows.len(), 3, "the call after the answer is part of what stays: {rows:?}");

    // Where it is the first message there is nothing before it to name.
    let mut log = Log::default();
    log.started("c0");
    log.user("u1", "edited", pb::UserState::Said);
    log.rewound("").message = "u1".into();
    assert_eq!(seen(&log.fold()).len(), 1);
}

#[test]
fn who_came_and_went_is_not_undone_by_a_rewind() {
    let mut log = Log::default();
    log.add("", Data::ParticipantJoined(pb::ParticipantJoined { who: "person:robin".into() }));
    log.user("u1", "One", pb::UserState::Said);
    log.text("m1", "Wrong");
    log.add("", Data::ParticipantJoined(pb::ParticipantJoined { who: "person:ana".into() }));
    log.fanout("g1");
    log.user("u2", "Later", pb::UserState::Queued);
    // The first message of all is said anew: nothing stood before it.
    log.add("u1", Data::Rewound(pb::Rewound { to: String::new() }));
    log.user("u3", "One, anew", pb::UserState::Said);

    let kinds: Vec<_> = log.fold().rows().iter().map(|r| r.body.kind()).collect();

    assert_eq!(kinds, ["participant-joined", "participant-joined", "user-message", "user-message"]);
}

#[test]
fn a_rewind_that_comes_twice_takes_away_once() {
    let mut log = Log::default();
    log.user("u1", "One", pb::UserState::Said);
    log.text("m1", "Wrong");
    log.rewound("u1");
    let rewound = log.frames.last().unwrap().clone();
    log.text("m2", "Right");
    let cur = log.text("m2", ".").cur;
    // After a crash the same event is told again, above what came since.
    log.frames.push(pb::Frame { cur: cur + 1, ..rewound });

    let fold = log.fold();

    assert_eq!(seen(&fold).len(), 2, "{:?}", seen(&fold));
}

#[test]
fn of_the_answers_of_a_fan_out_the_last_choice_is_kept() {
    let mut log = Log::default();
    log.fanout("g1");
    for (message, keep) in [("m-h", "m-h"), ("m-k", "m-k")] {
        log.text(message, "An answer");
        log.add("", Data::FanoutKeep(pb::FanoutKeep { group: "g1".into(), keep: keep.into() }));
    }
    log.fanout("g1");

    let fold = log.fold();

    let kept: Vec<_> =
        fold.rows().iter().filter_map(|r| if let Body::Fanout(f) = &r.body { Some(f) } else { None }).collect();
    assert_eq!((kept.len(), kept[0].keep.as_deref(), kept[0].members.len()), (1, Some("m-k"), 2));
}

#[test]
fn a_rewind_to_before_the_floor_takes_all_that_is_held() {
    let mut log = Log::default();
    log.user("u1", "old", pb::UserState::Said);
    log.text("m1", "newer");
    log.rewound("u1");
    log.text("m2", "after");

    assert_eq!(seen(&fold(&log.frames[1..])), ["a:m2 after open"]);
    assert_eq!(seen(&log.fold()), ["u:u1 old said", "a:m2 after open"]);
}

#[test]
fn a_reset_drops_the_rows_and_waits_for_the_floor() {
    let mut log = Log::default();
    log.text("m1", "before");
    let mut fold = log.fold();

    let touched = fold.apply(&frame(&pb::Frame {
        data: Some(Data::Reset(pb::Reset { floor: 101, head: 200, ..Default::default() })),
        ..Default::default()
    }));

    assert_eq!((touched, fold.rows().len(), fold.last()), (Some(0), 0, Cursor::new(100).unwrap()));
    fold.apply(&frame(&pb::Frame { cur: 101, ..log.frames[0].clone() }));
    assert_eq!(seen(&fold), ["a:m1 before open"]);
}

#[test]
fn control_and_ephemeral_frames_leave_rows_and_place_alone() {
    let mut log = Log::default();
    log.text("m1", "words");
    let mut fold = log.fold();
    let before = json(&fold);

    for data in [
        Data::Hello(pb::Hello { head: 9, floor: 1, ..Default::default() }),
        Data::Heartbeat(pb::Heartbeat { head: 9 }),
        Data::Bye(pb::Bye::default()),
        Data::Presence(pb::Presence::default()),
        Data::ReadMarker(pb::ReadMarker::default()),
        Data::SessionHead(pb::SessionHead { session: "other".into(), head: 900, ..Default::default() }),
    ] {
        assert_eq!(fold.apply(&frame(&pb::Frame { data: Some(data), ..Default::default() })), None);
    }

    assert_eq!((json(&fold), fold.last().get()), (before, 1));
}

#[test]
fn unknown_kinds_move_the_cursor_and_show_a_neutral_row() {
    let mut fold = Fold::new();
    for cur in [12, 13] {
        fold.apply(&frame(&pb::Frame { v: 9, cur, ..Default::default() }));
    }

    assert_eq!((seen(&fold), fold.last().get()), (vec!["n:12 -".into()], 13));
}

#[test]
fn what_age_took_says_so_and_keeps_its_place() {
    let mut log = Log::default();
    log.think("m1", "hm");
    log.text("m1", "old words");
    log.done("m1");
    log.think("m2", "thought alone");
    log.done("m2");
    log.text("m3", "new");
    for f in &mut log.frames[..5] {
        if let Some(Data::TextDelta(d)) = &mut f.data {
            d.text.clear();
            f.expired = true;
        }
    }

    let fold = log.fold();

    let row = serde_json::to_value(&fold.rows()[0]).unwrap();
    assert_eq!(seen(&fold), ["a:m1  done", "a:m3 new open"]);
    assert_eq!(
        (&row["expired"], &row["missing"], row["cur"].as_u64()),
        (&true.into(), &serde_json::Value::Null, Some(2))
    );
}

#[test]
fn a_first_change_is_told_by_its_row() {
    let mut log = Log::default();
    log.text("m1", "a");
    log.text("m2", "b");
    log.text("m1", "c");
    let mut fold = Fold::new();

    let touched: Vec<_> = log.frames.iter().map(|f| fold.apply(&frame(f))).collect();

    assert_eq!(touched, [Some(0), Some(1), Some(0)]);
    assert_eq!(fold.apply(&frame(&log.frames[2])), None);
}

/// One step of a random session.
#[derive(Debug, Clone)]
enum Step {
    Text(u8, String),
    Think(u8, String),
    Done(u8),
    Cut(u8, u64),
    Started(u8),
    Progress(u8, String),
    Finished(u8),
    User(u8, u8),
    React(u8, bool),
    Hidden,
    Unknown,
    Lost(u8),
    Damage(u8),
    Rewound(u8),
    Answered(u8),
    Expired(u8),
    Joined(u8),
    Left(u8),
    Pin(u8, bool),
    Mention(u8),
    Fanout(u8),
    Keep(u8, u8),
    Asked(u8),
    Status(u8),
    Branched,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let words = "[a🎉é ]{0,4}";
    let step = prop_oneof![
        12 => (0u8..3, words).prop_map(|(m, t)| Step::Text(m, t)),
        5 => (0u8..3, words).prop_map(|(m, t)| Step::Think(m, t)),
        1 => (0u8..3).prop_map(Step::Done),
        1 => (0u8..3, 0u64..12).prop_map(|(m, at)| Step::Cut(m, at)),
        2 => (0u8..3).prop_map(Step::Started),
        6 => (0u8..3, words).prop_map(|(c, t)| Step::Progress(c, t)),
        2 => (0u8..3).prop_map(Step::Finished),
        2 => (0u8..3, 0u8..4).prop_map(|(u, s)| Step::User(u, s)),
        1 => (0u8..3, any::<bool>()).prop_map(|(m, on)| Step::React(m, on)),
        3 => Just(Step::Hidden),
        1 => Just(Step::Unknown),
        1 => (1u8..4).prop_map(Step::Lost),
        2 => (0u8..3).prop_map(Step::Damage),
        1 => (0u8..4).prop_map(Step::Rewound),
        1 => (0u8..2).prop_map(Step::Answered),
        1 => (0u8..3).prop_map(Step::Expired),
        1 => (0u8..3).prop_map(Step::Joined),
        1 => (0u8..3).prop_map(Step::Left),
        1 => (0u8..3, any::<bool>()).prop_map(|(m, on)| Step::Pin(m, on)),
        1 => (0u8..3).prop_map(Step::Mention),
        1 => (0u8..2).prop_map(Step::Fanout),
        1 => (0u8..2, 0u8..3).prop_map(|(g, m)| Step::Keep(g, m)),
        1 => (0u8..2).prop_map(Step::Asked),
        1 => (0u8..3).prop_map(Step::Status),
        1 => Just(Step::Branched),
    ];
    prop::collection::vec(step, 1..80)
}

fn play(steps: &[Step]) -> Vec<pb::Frame> {
    let mut log = Log::default();
    for step in steps {
        let frame = match step {
            Step::Text(m, t) => log.text(&format!("m{m}"), t),
            Step::Think(m, t) => log.think(&format!("m{m}"), t),
            Step::Done(m) => log.done(&format!("m{m}")),
            Step::Cut(m, at) => log.cut(&format!("m{m}"), *at, "cut"),
            Step::Started(c) => log.started(&format!("c{c}")),
            Step::Progress(c, t) => log.progress(&format!("c{c}"), t),
            Step::Finished(c) => log.finished(&format!("c{c}"), true),
            Step::User(u, s) => log.user(&format!("u{u}"), "words", pb::UserState::try_from(i32::from(*s)).unwrap()),
            Step::React(m, on) => log.react(&format!("m{m}"), "👍", *on),
            Step::Hidden | Step::Unknown => log.add("", Data::Hidden(pb::Hidden {})),
            Step::Lost(n) => log.add_span(u64::from(*n), "", Data::Lost(pb::Lost::default())),
            Step::Damage(m) => log.text(&format!("m{m}"), "dam"),
            Step::Rewound(m) => log.rewound(&if *m == 3 { "u0".into() } else { format!("m{m}") }),
            Step::Answered(q) => {
                log.add("", Data::AskAnswered(pb::AskAnswered { ask: format!("q{q}"), answer: "y".into() }))
            }
            Step::Expired(m) => log.text(&format!("m{m}"), ""),
            Step::Joined(p) => {
                log.add("", Data::ParticipantJoined(pb::ParticipantJoined { who: format!("person:p{p}") }))
            }
            Step::Left(p) => log.add("", Data::ParticipantLeft(pb::ParticipantLeft { who: format!("person:p{p}") })),
            Step::Pin(m, on) => log.add(&format!("m{m}"), Data::Pin(pb::Pin { on: *on })),
            Step::Mention(u) => {
                log.add(&format!("u{u}"), Data::Mention(pb::Mention { who: vec!["person:ana".into()] }))
            }
            Step::Fanout(g) => log.fanout(&format!("g{g}")),
            Step::Keep(g, m) => {
                log.add("", Data::FanoutKeep(pb::FanoutKeep { group: format!("g{g}"), keep: format!("m{m}") }))
            }
            Step::Asked(q) => log.add(
                "",
                Data::Ask(pb::Ask { ask: format!("q{q}"), question: "Go on?".into(), options: vec!["y".into()] }),
            ),
            Step::Status(n) => log.add(
                "",
                Data::Status(pb::Status {
                    state: ["working", "stopping", "idle"][usize::from(*n)].into(),
                    note: String::new(),
                    stopping: *n == 1,
                }),
            ),
            Step::Branched => log.add("", Data::Branched(pb::Branched { from: "m0".into(), session: "s0".into() })),
        };
        match step {
            Step::Hidden => *frame = pb::Frame { v: 1, cur: frame.cur, data: frame.data.take(), ..Default::default() },
            Step::Unknown => frame.data = None,
            // Words that were there and that this log has no more.
            Step::Damage(_) => frame.data = Some(Data::Lost(pb::Lost::default())),
            Step::Expired(_) => frame.expired = true,
            _ => {}
        }
    }
    log.frames
}

/// Joins a run of frames if a replay may: deltas (of one message, or in lanes), progress of a call, hidden ones.
fn join(run: &[pb::Frame]) -> Option<pb::Frame> {
    let (first, last) = (run.first()?, run.last()?);
    if run.len() < 2 || run.iter().any(|f| f.expired != first.expired || f.cut != first.cut) {
        return None;
    }
    let data = match &first.data {
        Some(Data::Hidden(_)) if run.iter().all(|f| matches!(f.data, Some(Data::Hidden(_)))) => {
            Data::Hidden(pb::Hidden {})
        }
        Some(Data::ToolProgress(p)) => {
            let (mut parts, mut at) = (Vec::new(), p.at);
            for f in run {
                let Some(Data::ToolProgress(q)) = &f.data else { return None };
                if q.call != p.call || q.at != at {
                    return None;
                }
                at += q.text.len() as u64;
                parts.push(q.text.clone());
            }
            Data::ToolProgress(pb::ToolProgress { call: p.call.clone(), at: p.at, text: String::new(), parts })
        }
        Some(Data::TextDelta(_)) => {
            let (mut lanes, mut ends, mut parts, mut part_lane) =
                (Vec::<pb::Lane>::new(), Vec::new(), Vec::new(), Vec::new());
            for f in run {
                let Some(Data::TextDelta(d)) = &f.data else { return None };
                let lane = lanes.iter().position(|l| l.message == f.message && l.channel == d.channel);
                let lane = lane.unwrap_or_else(|| {
                    lanes.push(pb::Lane {
                        message: f.message.clone(),
                        author: f.author.clone(),
                        acts_for: f.acts_for.clone(),
                        turn: f.turn.clone(),
                        parent: f.parent.clone(),
                        channel: d.channel,
                        at: d.at,
                        ..Default::default()
                    });
                    ends.push(d.at);
                    lanes.len() - 1
                });
                if ends[lane] != d.at {
                    return None;
                }
                ends[lane] += d.text.len() as u64;
                parts.push(d.text.clone());
                part_lane.push(lane as u32);
            }
            if let [only] = &lanes[..] {
                let (channel, at) = (only.channel, only.at);
                Data::TextDelta(pb::TextDelta { channel, at, parts, ..Default::default() })
            } else {
                let f = pb::Frame {
                    v: 1,
                    cur: last.cur,
                    span: run.len() as u64,
                    id: last.id.clone(),
                    expired: first.expired,
                    data: Some(Data::TextDelta(pb::TextDelta { parts, part_lane, lanes, ..Default::default() })),
                    ..Default::default()
                };
                return Some(f);
            }
        }
        _ => return None,
    };
    let span = run.iter().map(|f| f.span.max(1)).sum();
    Some(pb::Frame { span, data: Some(data), ..last.clone() })
}

/// Cuts the log into runs of the given lengths and joins each as far as it may be.
fn merged(frames: &[pb::Frame], lens: &[usize]) -> Vec<pb::Frame> {
    let (mut out, mut rest, mut i) = (Vec::new(), frames, 0);
    while !rest.is_empty() {
        let mut n = lens[i % lens.len()].min(rest.len());
        i += 1;
        loop {
            let (run, after) = rest.split_at(n);
            if n == 1 {
                out.push(run[0].clone());
            } else if let Some(joined) = join(run) {
                out.push(joined);
            } else {
                n -= 1;
                continue;
            }
            rest = after;
            break;
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_way_of_cutting_and_merging_folds_to_the_same_rows(steps in steps(), lens in prop::collection::vec(1usize..9, 1..8)) {
        let singles = play(&steps);
        let want = fold(&singles);

        let got = fold(&merged(&singles, &lens));

        prop_assert!(got.rows() == want.rows());
        prop_assert_eq!(json(&got), json(&want));
        prop_assert_eq!(got.last(), want.last());
    }

    #[test]
    fn replay_from_any_cursor_goes_on_where_live_was(steps in steps(), lens in prop::collection::vec(1usize..9, 1..8), resumes in prop::collection::vec(any::<prop::sample::Index>(), 0..6), trim in any::<bool>()) {
        let singles = play(&steps);
        let want = fold(&singles);

        // Live up to somewhere, then again and again from somewhere before, merged and overlapping.
        let mut got = Fold::new();
        for at in resumes {
            let upto = at.index(singles.len());
            for f in merged(&singles[..upto], &lens).iter().chain(&singles[..upto]) {
                got.apply(&frame(f));
            }
        }
        for f in &merged(&singles, &lens) {
            // A reader may trim for itself what the fold would trim.
            let f = frame(f);
            let held = got.last().above(f.span().unwrap().first().prev());
            match (trim, f.clone().without_first(held)) {
                (true, Some(f)) => { got.apply(&f); }
                (true, None) => {}
                (false, _) => { got.apply(&f); }
            }
        }

        // A reader that holds a part of a lost run counts what was missing for itself.
        let looks = |f: &Fold| {
            let rows = f.rows().iter().filter(|r| !matches!(r.body, Body::Lost { .. }));
            rows.map(|r| serde_json::to_string(r).unwrap()).collect::<Vec<_>>()
        };
        prop_assert_eq!(looks(&got), looks(&want));
    }

    #[test]
    fn rows_are_in_the_order_of_their_cursors_and_each_once(steps in steps()) {
        let fold = fold(&play(&steps));

        prop_assert!(fold.rows().windows(2).all(|w| w[0].cur <= w[1].cur));
        let mut ids: Vec<_> = fold.rows().iter().map(|r| &r.id).collect();
        ids.sort_unstable();
        ids.dedup();
        prop_assert_eq!(ids.len(), fold.rows().len());
    }

    #[test]
    fn rows_before_the_first_change_look_as_they_did(steps in steps()) {
        let looks = |fold: &Fold| fold.rows().iter().map(|r| serde_json::to_string(r).unwrap()).collect::<Vec<_>>();
        let mut fold = Fold::new();
        let mut before = looks(&fold);
        for f in &play(&steps) {
            let touched = fold.apply(&frame(f));
            let after = looks(&fold);
            match touched {
                None => prop_assert_eq!(&before, &after),
                Some(n) => prop_assert_eq!(before.iter().take(n).collect::<Vec<_>>(), after.iter().take(n).collect::<Vec<_>>()),
            }
            before = after;
        }
    }

    #[test]
    fn any_bytes_that_are_a_frame_fold_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..60), n in 0usize..4) {
        let mut fold = Fold::new();
        if let Ok(f) = Frame::decode(bytes.into()) {
            for _ in 0..n { fold.apply(&f); }
        }
    }
}
