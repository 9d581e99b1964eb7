use proptest::prelude::*;
use serde_json::json;
use vyre_proto::event::Event as Checked;
use vyre_proto::event::NAMES;
use vyre_proto::frame::Frame;
use vyre_proto::kind::Kind;
use vyre_proto::pb::stream::frame::Data;

use super::*;
use crate::rules::room::Room;

const AT: Wall = Wall(77);

fn event(name: &str, data: &str) -> pb::Event {
    let line = format!(
        r#"{{"id":"e1","name":"{name}","session":"s1","turn":"t1","time":5,"corr":"c1","actor":"assistant:h","acts_for":"person:r","data":{data}}}"#
    );
    Checked::from_json(line.as_bytes()).unwrap().into_inner()
}

impl Adapter {
    fn frames(&mut self, event: &pb::Event, room: &Room) -> Vec<pb::Frame> {
        let mut out = Vec::new();
        self.project(event, room, AT, &mut out);
        out.into_iter().map(Logged::into_frame).collect()
    }
    fn all(&mut self, name: &str, data: &str) -> Vec<pb::Frame> {
        let out = self.frames(&event(name, data), &Room::new());
        for f in &out {
            // What goes into the log is a valid frame but for its cursor.
            Frame::check(pb::Frame { cur: 9, ..f.clone() }).unwrap();
        }
        out
    }
    fn one(&mut self, name: &str, data: &str) -> pb::Frame {
        let mut all = self.all(name, data);
        assert_eq!(all.len(), 1, "{name}");
        all.remove(0)
    }
    fn data(&mut self, name: &str, data: &str) -> Data {
        self.one(name, data).data.unwrap()
    }
    /// Where the piece starts, its text, and whether it was emptied.
    fn delta(&mut self, name: &str, message: &str, text: &str) -> (u64, String, bool) {
        let f = self.one(name, &format!(r#"{{"message":"{message}","text":"{text}"}}"#));
        let Some(Data::TextDelta(d)) = f.data else { panic!() };
        (d.at, d.text, f.cut)
    }
}

#[test]
fn a_frame_carries_its_event_s_envelope() {
    let f = Adapter::new().one("thread.delta", r#"{"message":"m1","text":"hé","parent":"m0"}"#);
    assert_eq!((f.v, f.cur, f.index, f.time), (1, 0, 0, 5));
    let texts = [&f.id, &f.session, &f.turn, &f.corr, &f.author, &f.acts_for, &f.message, &f.parent];
    assert_eq!(texts, ["e1", "s1", "t1", "c1", "assistant:h", "person:r", "m1", "m0"]);
}

#[test]
fn a_person_acts_for_nobody_and_an_event_without_a_time_has_the_box_s() {
    let mut e = event("thread.user", r#"{"message":"m","text":"hi"}"#);
    (e.actor, e.time) = ("person:r".into(), 0);
    let out = Adapter::new().frames(&e, &Room::new());
    assert_eq!((&*out[0].acts_for, out[0].time), ("", 77));
}

#[test]
fn every_event_makes_its_frame() {
    let cases: &[(&str, &str, Kind)] = &[
        ("thread.started", r#"{"title":"T"}"#, Kind::Status),
        ("thread.user", r#"{"message":"m","text":"x"}"#, Kind::UserMessage),
        ("thread.queued", r#"{"message":"m","text":"x"}"#, Kind::UserMessage),
        ("thread.sent", r#"{"message":"m"}"#, Kind::UserMessage),
        ("thread.steered", r#"{"message":"m"}"#, Kind::UserMessage),
        ("thread.unqueued", r#"{"message":"m"}"#, Kind::UserMessage),
        ("thread.delta", r#"{"message":"m","text":"x"}"#, Kind::TextDelta),
        ("thread.done", r#"{"message":"m"}"#, Kind::TextDone),
        ("thread.cut", r#"{"message":"m","note":"n"}"#, Kind::TextCut),
        ("thread.thinking", r#"{"message":"m","text":"x"}"#, Kind::TextDelta),
        ("thread.tool-started", r#"{"call":"c","tool":"Bash","input":{"command":"ls"}}"#, Kind::ToolStarted),
        ("thread.tool-progress", r#"{"call":"c","text":"x"}"#, Kind::ToolProgress),
        ("thread.tool-finished", r#"{"call":"c","tool":"Bash","ok":true,"result":"x"}"#, Kind::ToolFinished),
        ("thread.shell", r#"{"call":"c","command":"ls","exit":0}"#, Kind::TermChunk),
        ("thread.file-changed", r#"{"path":"p","change":"renamed","from":"o"}"#, Kind::FileChanged),
        ("thread.status", r#"{"state":"working"}"#, Kind::Status),
        ("thread.stopping", "{}", Kind::Status),
        ("thread.stopped", "{}", Kind::Status),
        ("thread.failed", r#"{"note":"n"}"#, Kind::Status),
        ("ask.opened", r#"{"ask":"a","question":"q","options":["y","n"]}"#, Kind::Ask),
        ("ask.answered", r#"{"ask":"a","answer":"y"}"#, Kind::AskAnswered),
        ("term.command", r#"{"term":"t","line":"ls","offset":4,"via":"v","surface":"deck"}"#, Kind::TermCommand),
        ("room.joined", r#"{"who":"person:a"}"#, Kind::ParticipantJoined),
        ("room.left", r#"{"who":"person:a"}"#, Kind::ParticipantLeft),
        ("room.reaction", r#"{"message":"m","emoji":"👍","on":true}"#, Kind::Reaction),
        ("room.pin", r#"{"message":"m","on":false}"#, Kind::Pin),
        ("room.mention", r#"{"message":"m","who":["person:a"]}"#, Kind::Mention),
        ("room.fanout", r#"{"group":"g","message":"m","members":[{"who":"model:a","message":"n"}]}"#, Kind::Fanout),
        ("room.fanout-keep", r#"{"group":"g","keep":"n"}"#, Kind::FanoutKeep),
        ("thread.rewound", r#"{"message":"m","to":"l"}"#, Kind::Rewound),
        ("thread.branched", r#"{"from":"n","session":"s"}"#, Kind::Branched),
        ("room.assigned", r#"{"assistant":"assistant:a"}"#, Kind::Status),
    ];
    assert_eq!(cases.len(), NAMES.len());
    for (name, data, kind) in cases {
        if *name == "thread.thinking" {
            assert!(Adapter::new().all(name, data).is_empty(), "held until somebody may see it");
            continue;
        }
        let f = Adapter::new().one(name, data);
        assert_eq!(Kind::of(f.data.as_ref().unwrap()), *kind, "{name}");
        assert_eq!(f.message, if data.contains(r#""message":"m""#) { "m" } else { "" }, "{name}");
    }
}

#[test]
fn pieces_say_where_they_start_in_each_text_of_each_message() {
    let mut a = Adapter::new();
    assert_eq!(a.delta("thread.delta", "m", "hé").0, 0);
    assert_eq!(a.delta("thread.thinking", "m", "hmm").0, 0);
    assert_eq!(a.delta("thread.delta", "n", "x").0, 0);
    assert_eq!(a.delta("thread.delta", "m", "").0, 3);
    assert_eq!(a.delta("thread.delta", "m", "😀").0, 3);
    assert_eq!(a.delta("thread.thinking", "m", "!").0, 3);
    let open: Vec<_> = a.open_messages().iter().map(|o| (o.message, o.text_len, o.thinking_len)).collect();
    assert_eq!(open, [("m", 7, 4), ("n", 1, 0)]);
    let done = a.data("thread.done", r#"{"message":"m"}"#);
    assert_eq!(done, Data::TextDone(pb::TextDone { text_len: 7, thinking_len: 4 }));
    assert_eq!(a.open_messages().len(), 1);
    // Late, but not taken back: it goes on where the message was, and a second end tells the new length.
    assert_eq!(a.delta("thread.delta", "m", "late"), (7, "late".into(), false));
    let done = a.data("thread.done", r#"{"message":"m"}"#);
    assert_eq!(done, Data::TextDone(pb::TextDone { text_len: 11, thinking_len: 4 }));
}

#[test]
fn what_comes_after_a_cut_is_emptied() {
    let mut a = Adapter::new();
    a.delta("thread.delta", "m", "kept");
    a.delta("thread.thinking", "m", "hm");
    let cut = a.data("thread.cut", r#"{"message":"m","note":"refused"}"#);
    assert_eq!(cut, Data::TextCut(pb::TextCut { note: "refused".into(), at: 4 }));
    assert_eq!(a.delta("thread.delta", "m", "gone"), (4, String::new(), true));
    assert_eq!(a.delta("thread.thinking", "m", "gone"), (2, String::new(), true));
    assert!(a.all("thread.done", r#"{"message":"m"}"#).is_empty());
    let again = a.data("thread.cut", r#"{"message":"m","note":"again"}"#);
    assert_eq!(again, Data::TextCut(pb::TextCut { note: "again".into(), at: 4 }));
    assert!(a.open_messages().is_empty());
}

#[test]
fn a_reply_stays_one_though_only_its_first_piece_says_so() {
    let mut a = Adapter::new();
    a.one("thread.delta", r#"{"message":"m","text":"x","parent":"p"}"#);
    assert_eq!(a.one("thread.delta", r#"{"message":"m","text":"y"}"#).parent, "p");
    assert_eq!(a.one("thread.thinking", r#"{"message":"m","text":"y"}"#).parent, "p");
}

#[test]
fn mentions_make_a_second_frame_of_the_same_event() {
    let all =
        Adapter::new().all("thread.user", r#"{"message":"m","text":"x","parent":"p","mentions":["assistant:h"]}"#);
    assert_eq!(all.len(), 2);
    assert_eq!((&*all[1].id, all[1].index, &*all[1].message, &*all[1].parent), ("e1", 1, "m", "p"));
    assert_eq!(all[1].data, Some(Data::Mention(pb::Mention { who: vec!["assistant:h".into()] })));
}

#[test]
fn a_message_s_way_through_the_queue_shows() {
    let state = |name: &str, data: &str| match Adapter::new().data(name, data) {
        Data::UserMessage(m) => m.state(),
        other => panic!("{other:?}"),
    };
    assert_eq!(state("thread.user", r#"{"message":"m","text":""}"#), pb::UserState::Said);
    assert_eq!(state("thread.queued", r#"{"message":"m","text":"x"}"#), pb::UserState::Queued);
    assert_eq!(state("thread.sent", r#"{"message":"m","via":"steer"}"#), pb::UserState::Queued);
    assert_eq!(state("thread.sent", r#"{"message":"m"}"#), pb::UserState::PickedUp);
    assert_eq!(state("thread.steered", r#"{"message":"m"}"#), pb::UserState::PickedUp);
    assert_eq!(state("thread.unqueued", r#"{"message":"m"}"#), pb::UserState::Cancelled);
}

#[test]
fn a_private_message_passes_untouched_and_without_text() {
    let enc = pb::Encrypted { alg: "a".into(), kid: "k".into(), ct: vec![0, 255].into() };
    for name in ["thread.user", "thread.queued", "thread.sent"] {
        let data = Adapter::new().data(name, r#"{"message":"m","enc":{"alg":"a","kid":"k","ct":"AP8="}}"#);
        let Data::UserMessage(m) = data else { panic!() };
        assert_eq!((&*m.text, m.enc.as_ref()), ("", Some(&enc)), "{name}");
    }
}

#[test]
fn a_stop_says_so_before_it_has_happened() {
    let stopping = Adapter::new().data("thread.stopping", r#"{"note":"n"}"#);
    assert_eq!(stopping, Data::Status(pb::Status { state: "stopping".into(), note: "n".into(), stopping: true }));
    let started = Adapter::new().data("thread.started", r#"{"title":"T","assistant":"assistant:h"}"#);
    assert_eq!(started, Data::Status(pb::Status { state: "started".into(), note: "T".into(), stopping: false }));
}

#[test]
fn shell_lines_and_their_output_are_redacted_and_bounded() {
    let data = format!(
        r#"{{"call":"c","command":"x --token hush","output":"PASSWORD=hush {}","exit":1}}"#,
        "é".repeat(50_000)
    );
    let Data::TermChunk(t) = Adapter::new().data("thread.shell", &data) else { panic!() };
    assert_eq!(t.command, "x --token [redacted]");
    assert!(t.output.starts_with("PASSWORD=[redacted] é") && t.output.len() <= SHELL_MAX);
    assert_eq!((t.exit, t.total), (Some(1), 100_020));
    let Data::TermCommand(t) = Adapter::new().data("term.command", r#"{"term":"t","line":"TOKEN=hush ls"}"#) else {
        panic!()
    };
    assert_eq!(t.line, "TOKEN=[redacted] ls");
    let data = r#"{"call":"c","tool":"Bash","title":"TOKEN=hush ls","input":{"command":"TOKEN=hush ls"}}"#;
    assert!(!format!("{:?}", Adapter::new().data("thread.tool-started", data)).contains("hush"));
}

/// What is shown of what a call prints, put together by its offsets.
fn printed(frames: impl IntoIterator<Item = pb::Frame>) -> String {
    let mut text = String::new();
    for f in frames {
        match f.data.unwrap() {
            Data::ToolProgress(p) => {
                assert_eq!(p.at, text.len() as u64);
                text.push_str(&p.text);
            }
            Data::TermChunk(t) => text.push_str(&t.output),
            _ => {}
        }
    }
    text
}

#[test]
fn a_secret_that_the_pieces_of_a_call_cut_is_not_shown_and_a_restart_between_them_changes_nothing() {
    for case in crate::rules::redact::table::secrets() {
        let cuts = (0..case.text.len()).filter(|n| case.text.is_char_boundary(*n));
        for at in cuts.step_by(5) {
            let (a, b) = case.text.split_at(at);
            let progress = |text: &str| json!({ "call": "c", "text": text }).to_string();
            let output =
                |text: &str, exit| json!({ "call": "c", "command": "", "output": text, "exit": exit }).to_string();
            let finished = json!({ "call": "c", "tool": "Bash", "ok": true }).to_string();
            for steps in [
                [
                    ("thread.tool-progress", progress(a)),
                    ("thread.tool-progress", progress(b)),
                    ("thread.tool-finished", finished.clone()),
                ],
                [
                    ("thread.shell", output(a, None)),
                    ("thread.shell", output(b, None)),
                    ("thread.tool-finished", finished.clone()),
                ],
                [
                    ("thread.shell", output(a, None)),
                    ("thread.shell", output(b, Some(0))),
                    ("thread.tool-finished", finished),
                ],
                [
                    ("thread.shell", output(a, None)),
                    ("thread.shell", output(b, None)),
                    ("thread.failed", "{}".to_owned()),
                ],
            ] {
                let mut adapter = Adapter::new();
                let mut frames = Vec::new();
                for (name, data) in steps {
                    frames.extend(adapter.all(name, &data));
                    adapter = Adapter::decode(&adapter.encode()).unwrap();
                }
                assert_eq!(printed(frames), case.want, "{a}|{b}");
                assert_eq!(adapter.lines, 0);
            }
        }
    }
}

#[test]
fn a_line_of_plain_words_is_shown_before_it_ends() {
    let mut a = Adapter::new();
    let Data::ToolProgress(p) = a.data("thread.tool-progress", r#"{"call":"c","text":"Overwrite all files? [y/n] "}"#)
    else {
        panic!()
    };
    assert_eq!((&*p.text, a.lines), ("Overwrite all files? [y/n] ", 0));
}

#[test]
fn what_open_calls_hold_is_bounded_and_a_line_that_does_not_fit_is_given_up() {
    let mut a = Adapter::new();
    let line = "key=".repeat(400);
    for n in 0..2 * CALLS_MAX {
        a.all("thread.tool-progress", &json!({ "call": format!("c{n}"), "text": line }).to_string());
        a.all("thread.shell", &json!({ "call": format!("c{n}"), "command": "ls", "output": line }).to_string());
        assert!(a.lines <= LINES_MAX);
    }
    assert!(a.lines > LINES_MAX / 2 && a.encode().len() < 2 * LINES_MAX + 96 * CALLS_MAX);
    let rest = a.all("thread.tool-progress", &json!({ "call": "c511", "text": "=a\nb\n" }).to_string());
    assert_eq!(
        printed(rest.into_iter().map(|mut f| {
            let Some(Data::ToolProgress(p)) = &mut f.data else { panic!() };
            p.at = 0;
            f
        })),
        "\nb\n"
    );
}

#[test]
fn a_result_is_shown_by_what_was_asked() {
    let mut a = Adapter::new();
    a.one("thread.tool-started", r#"{"call":"c","tool":"Bash","input":{"command":"ls"}}"#);
    let at = |a: &mut Adapter| match a.data("thread.tool-progress", r#"{"call":"c","text":"ab\n"}"#) {
        Data::ToolProgress(p) => p.at,
        other => panic!("{other:?}"),
    };
    assert_eq!((at(&mut a), at(&mut a)), (0, 3));
    let mut a = Adapter::decode(&a.encode()).unwrap();
    let Data::ToolFinished(f) =
        a.data("thread.tool-finished", r#"{"call":"c","tool":"Bash","ok":true,"result":"out"}"#)
    else {
        panic!()
    };
    let Some(pb::block::Kind::Terminal(t)) = f.block.unwrap().kind else { panic!() };
    assert_eq!((&*t.command, &*t.output), ("ls", "out"));
    assert_eq!(a, Adapter { opened: a.opened, replies: a.replies.clone(), ..Adapter::new() });
}

#[test]
fn a_command_that_became_known_late_stands_above_its_output() {
    let mut a = Adapter::new();
    a.one("thread.tool-started", r#"{"call":"c","tool":"shell"}"#);
    a.one("thread.shell", r#"{"call":"c","command":"TOKEN=hush ls","output":"out\n"}"#);
    let Data::ToolFinished(f) =
        a.data("thread.tool-finished", r#"{"call":"c","tool":"shell","ok":true,"result":"out"}"#)
    else {
        panic!()
    };
    let Some(pb::block::Kind::Terminal(t)) = f.block.unwrap().kind else { panic!() };
    assert_eq!(t.command, "TOKEN=[redacted] ls");
}

#[test]
fn no_order_of_a_call_s_events_is_refused() {
    let mut a = Adapter::new();
    a.one("thread.tool-finished", r#"{"call":"c","tool":"Bash","ok":true,"result":"x"}"#);
    a.one("thread.tool-progress", r#"{"call":"c","text":"cod\n"}"#);
    a.one("thread.tool-started", r#"{"call":"c","tool":"Bash","input":{"command":"ls"}}"#);
    let Data::ToolProgress(p) = a.data("thread.tool-progress", r#"{"call":"c","text":"x"}"#) else { panic!() };
    assert_eq!(p.at, 4);
}

#[test]
fn open_messages_are_told_in_the_order_in_which_they_opened() {
    let mut a = Adapter::new();
    a.delta("thread.delta", "z", "abc");
    a.delta("thread.delta", "b", "d");
    a.one("thread.done", r#"{"message":"b"}"#);
    a.all("thread.thinking", r#"{"message":"a","text":"d"}"#);
    let told: Vec<_> = a.open_messages().iter().map(|m| (m.message, m.author, m.text_len, m.thinking_len)).collect();
    assert_eq!(told, [("z", "assistant:h", 3, 0), ("a", "assistant:h", 0, 1)]);
}

#[test]
fn memory_is_bounded_whatever_a_producer_does() {
    let mut a = Adapter::new();
    let (room, mut out) = (Room::new(), Vec::new());
    for n in 0..OPEN_MAX + 3 {
        a.project(&event("thread.delta", &format!(r#"{{"message":"m{n}","text":"x"}}"#)), &room, AT, &mut out);
        a.project(&event("thread.tool-progress", &format!(r#"{{"call":"c{n}","text":"x"}}"#)), &room, AT, &mut out);
        let body = "y".repeat(2000);
        let data = format!(r#"{{"call":"d{n}","tool":"Write","input":{{"path":"p","content":"{body}"}}}}"#);
        a.project(&event("thread.tool-started", &data), &room, AT, &mut out);
    }
    assert_eq!((a.open.len(), a.calls.len()), (OPEN_MAX, CALLS_MAX));
    assert!(a.kept <= KEPT_MAX);
    let cuts: Vec<_> =
        out.iter().filter(|f| matches!(f.data, Some(Data::TextCut(_)))).map(|f| (&*f.message, f.index)).collect();
    assert_eq!(cuts, [("m0", 0), ("m1", 0), ("m2", 0)]);
    assert_eq!(out.iter().filter(|f| f.index == 1).count(), 3);
    assert!(a.delta("thread.delta", "m0", "late").2);
    for n in 0..2 * OPEN_MAX {
        a.all("thread.done", &format!(r#"{{"message":"m{n}"}}"#));
    }
    assert_eq!((a.open.len(), a.ended.order.len(), a.ended.by_message.len()), (0, ENDED_MAX, ENDED_MAX));
    let stored = a.encode();
    assert!(stored.len() < 64 * 1024, "{}", stored.len());
    assert_eq!(Adapter::decode(&stored).unwrap(), a);
}

#[test]
fn a_damaged_state_is_refused() {
    let mut a = Adapter::new();
    a.delta("thread.delta", "m", "x");
    a.one(
        "thread.tool-started",
        r#"{"call":"c","tool":"Edit","input":{"path":"p","old_string":"a","new_string":"b"}}"#,
    );
    let stored = a.encode();
    for n in 0..stored.len() {
        assert!(Adapter::decode(&stored[..n]).is_err());
    }
    assert_eq!(Adapter::decode(&[9]), Err(StateError::Version(9)));
    assert_eq!(Adapter::decode(&[&stored[..], &[0]].concat()), Err(StateError::Damaged));
}

/// A few messages and calls, so that steps meet each other.
fn step() -> impl Strategy<Value = (&'static str, String)> {
    let message = prop::sample::select(vec!["m", "n", "o"]);
    let text = prop::sample::select(vec!["", "x", "hé", "😀 words"]);
    prop_oneof![
        4 => (message.clone(), text.clone()).prop_map(|(m, t)| ("thread.delta", format!(r#"{{"message":"{m}","text":"{t}"}}"#))),
        2 => (message.clone(), text.clone()).prop_map(|(m, t)| ("thread.thinking", format!(r#"{{"message":"{m}","text":"{t}"}}"#))),
        1 => message.clone().prop_map(|m| ("thread.done", format!(r#"{{"message":"{m}"}}"#))),
        1 => message.clone().prop_map(|m| ("thread.cut", format!(r#"{{"message":"{m}"}}"#))),
        1 => message.clone().prop_map(|c| ("thread.tool-started", format!(r#"{{"call":"{c}","tool":"Bash","input":{{"command":"ls"}}}}"#))),
        1 => (message.clone(), text).prop_map(|(c, t)| ("thread.tool-progress", format!(r#"{{"call":"{c}","text":"{t}"}}"#))),
        1 => message.prop_map(|c| ("thread.tool-finished", format!(r#"{{"call":"{c}","tool":"Bash","ok":true}}"#))),
    ]
}

proptest! {
    #[test]
    fn a_restart_anywhere_changes_no_frame_and_offsets_have_no_hole(steps in prop::collection::vec((step(), any::<bool>()), 0..60)) {
        let (mut straight, mut restarted) = (Adapter::new(), Adapter::new());
        // The model: text and thinking of each message, and which were cut.
        let mut texts = std::collections::BTreeMap::<(String, i32), String>::new();
        let mut cut = std::collections::BTreeSet::<String>::new();
        for ((name, data), restart) in steps {
            if restart {
                restarted = Adapter::decode(&restarted.encode()).unwrap();
            }
            let frames = straight.all(name, &data);
            prop_assert_eq!(&restarted.all(name, &data), &frames);
            prop_assert_eq!(&restarted, &straight);
            for f in frames {
                match f.data.unwrap() {
                    Data::TextDelta(d) => {
                        prop_assert_eq!(f.cut, cut.contains(&f.message));
                        let text = texts.entry((f.message, d.channel)).or_default();
                        prop_assert_eq!(d.at, text.len() as u64);
                        text.push_str(&d.text);
                    }
                    Data::TextDone(d) => {
                        let len = |c| texts.get(&(f.message.clone(), c)).map_or(0, |t| t.len() as u64);
                        prop_assert_eq!((d.text_len, d.thinking_len), (len(0), len(1)));
                    }
                    Data::TextCut(d) => {
                        prop_assert_eq!(d.at, texts.get(&(f.message.clone(), 0)).map_or(0, |t| t.len() as u64));
                        cut.insert(f.message);
                    }
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn no_stored_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..100), flip in any::<(prop::sample::Index, u8)>()) {
        let _ = Adapter::decode(&bytes);
        let mut a = Adapter::new();
        a.delta("thread.delta", "m", "x");
        a.one("thread.tool-progress", r#"{"call":"c","text":"x"}"#);
        let mut stored = a.encode();
        let i = flip.0.index(stored.len());
        stored[i] = flip.1;
        if let Ok(a) = Adapter::decode(&stored) {
            prop_assert_eq!(Adapter::decode(&a.encode()).unwrap(), a);
        }
    }
}

/// A session told line by line: the room and the adapter learn the same events.
#[derive(Default)]
struct Told {
    adapter: Adapter,
    room: Room,
    events: u64,
}

impl Told {
    fn say(&mut self, actor: &str, turn: &str, name: &str, data: &str) -> Vec<pb::Frame> {
        self.events += 1;
        let line = format!(
            r#"{{"id":"e{}","name":"{name}","session":"s1","turn":"{turn}","actor":"{actor}","data":{data}}}"#,
            self.events
        );
        let event = Checked::from_json(line.as_bytes()).unwrap().into_inner();
        self.room.learn(&event, crate::rules::room::EventNumber(self.events));
        self.adapter.frames(&event, &self.room)
    }

    fn helper(&mut self, turn: &str, name: &str, data: &str) -> Vec<pb::Frame> {
        self.say("assistant:h", turn, name, data)
    }

    fn join(&mut self, who: &str) {
        self.say("person:r", "", "room.joined", &format!(r#"{{"who":"{who}"}}"#));
    }

    fn started() -> Told {
        let mut t = Told::default();
        t.say("person:r", "", "thread.started", r#"{"title":"T","assistant":"assistant:h"}"#);
        t
    }
}

fn handles(frames: &[pb::Frame]) -> Vec<(&str, u64)> {
    frames.iter().map(|f| (&*f.rid, f.ver)).collect()
}

#[test]
fn every_piece_of_a_message_has_the_handle_that_its_first_piece_opened() {
    let mut t = Told::started();
    let ver = t.room.ver().0;
    let mut frames = t.helper("t1", "thread.delta", r#"{"message":"m","text":"a"}"#);
    t.join("person:sam");
    frames.extend(t.helper("t1", "thread.delta", r#"{"message":"m","text":"b"}"#));
    frames.extend(t.helper("t1", "thread.thinking", r#"{"message":"m","text":"hm"}"#));
    t.adapter = Adapter::decode(&t.adapter.encode()).unwrap();
    frames.extend(t.helper("t1", "thread.tool-started", r#"{"call":"c","tool":"x"}"#));
    frames.extend(t.helper("t1", "thread.done", r#"{"message":"m"}"#));
    frames.extend(t.helper("t1", "thread.delta", r#"{"message":"m","text":"late"}"#));

    assert_eq!(frames.len(), 6);
    assert!(handles(&frames).iter().all(|h| *h == ("r1", ver)), "{:?}", handles(&frames));
    // The next message is opened in the room as it is now.
    let next = t.helper("t2", "thread.delta", r#"{"message":"n","text":"a"}"#);
    assert_eq!(handles(&next), [("r2", t.room.ver().0)]);
    assert!(t.room.ver().0 > ver);
}

#[test]
fn what_runs_between_messages_has_a_handle_of_the_turn_that_ends_with_it() {
    let mut t = Told::started();
    let mut frames = t.helper("t1", "thread.status", r#"{"state":"working"}"#);
    frames.extend(t.helper("t1", "thread.tool-started", r#"{"call":"c","tool":"Bash","input":{"command":"ls"}}"#));
    frames.extend(t.helper("t1", "thread.tool-progress", r#"{"call":"c","text":"x\n"}"#));
    frames.extend(t.helper("t1", "thread.shell", r#"{"call":"c","command":"ls"}"#));
    frames.extend(t.helper("t1", "thread.tool-finished", r#"{"call":"c","tool":"Bash","ok":true}"#));
    frames.extend(t.helper("t1", "thread.file-changed", r#"{"path":"p","change":"added"}"#));
    frames.extend(t.helper("t1", "ask.opened", r#"{"ask":"a","question":"q"}"#));
    frames.extend(t.helper("t1", "thread.status", r#"{"state":"idle"}"#));

    assert_eq!(frames.len(), 8);
    assert!(handles(&frames).iter().all(|h| h.0 == "r1"), "{:?}", handles(&frames));
    assert!(!t.adapter.replies.has_turns());
    let next = t.helper("t1", "thread.tool-started", r#"{"call":"d","tool":"x"}"#);
    assert_eq!(next[0].rid, "r2");
}

#[test]
fn what_people_and_rooms_do_has_no_handle_and_what_an_assistant_does_always_has() {
    let piece_always = [
        "thread.delta",
        "thread.done",
        "thread.cut",
        "thread.tool-started",
        "thread.tool-progress",
        "thread.tool-finished",
        "thread.shell",
        "ask.opened",
    ];
    let data = |name: &str| match name {
        "thread.delta" | "thread.thinking" => r#"{"message":"m","text":"x"}"#,
        "thread.done" | "thread.cut" => r#"{"message":"m"}"#,
        "thread.tool-started" => r#"{"call":"c","tool":"x"}"#,
        "thread.tool-progress" => r#"{"call":"c","text":"x"}"#,
        "thread.tool-finished" => r#"{"call":"c","tool":"x","ok":true}"#,
        "thread.shell" => r#"{"call":"c","command":"ls"}"#,
        "thread.file-changed" => r#"{"path":"p","change":"added"}"#,
        "thread.status" => r#"{"state":"working"}"#,
        "ask.opened" => r#"{"ask":"a","question":"q"}"#,
        "room.reaction" => r#"{"message":"m","emoji":"x","on":true}"#,
        "room.pin" => r#"{"message":"m","on":true}"#,
        "room.mention" => r#"{"message":"m","who":["person:r"]}"#,
        "room.fanout" => r#"{"group":"g","message":"m","members":[]}"#,
        "room.fanout-keep" => r#"{"group":"g","keep":"m"}"#,
        "thread.user" => r#"{"message":"u","text":"x"}"#,
        "thread.started" => r#"{"title":"t"}"#,
        "ask.answered" => r#"{"ask":"a","answer":"y"}"#,
        "room.joined" | "room.left" => r#"{"who":"person:k"}"#,
        _ => "{}",
    };
    let either = [
        "thread.file-changed",
        "thread.status",
        "thread.stopping",
        "thread.stopped",
        "thread.failed",
        "room.reaction",
        "room.pin",
        "room.mention",
        "room.fanout",
        "room.fanout-keep",
    ];
    for name in piece_always {
        for actor in ["assistant:h", "model:m", "person:r"] {
            let frames = Told::started().say(actor, "", name, data(name));
            assert!(!frames.is_empty() && frames.iter().all(|f| !f.rid.is_empty() && f.ver > 0), "{actor} {name}");
        }
    }
    for name in either {
        for (actor, held) in [("assistant:h", true), ("model:m", true), ("person:r", false)] {
            let frames = Told::started().say(actor, "", name, data(name));
            assert!(!frames.is_empty() && frames.iter().all(|f| f.rid.is_empty() != held), "{actor} {name}");
        }
    }
    for name in ["thread.user", "thread.started", "ask.answered", "room.joined", "room.left"] {
        for actor in ["assistant:h", "person:r"] {
            let frames = Told::started().say(actor, "", name, data(name));
            assert!(!frames.is_empty() && frames.iter().all(|f| f.rid.is_empty() && f.ver == 0), "{actor} {name}");
        }
    }
}

#[test]
fn a_turn_of_thinking_only_writes_nothing() {
    let mut t = Told::started();

    let mut frames = t.helper("t1", "thread.thinking", r#"{"message":"m","text":"hm"}"#);
    frames.extend(t.helper("t1", "thread.thinking", r#"{"message":"m","text":" no"}"#));
    frames.extend(t.helper("t1", "thread.done", r#"{"message":"m"}"#));

    assert_eq!(frames, []);
    assert_eq!((t.adapter.held, t.adapter.replies.clone()), (0, Replies::default()));
    // Should words come after all, they begin a message.
    let late = t.helper("t1", "thread.delta", r#"{"message":"m","text":"x"}"#);
    assert_eq!((late.len(), &*late[0].rid), (1, "r1"));
}

#[test]
fn thinking_that_goes_with_a_reply_comes_whole_before_its_first_word() {
    let mut t = Told::started();
    t.helper("t1", "thread.thinking", r#"{"message":"m","text":"hm"}"#);
    t.adapter = Adapter::decode(&t.adapter.encode()).unwrap();
    t.helper("t1", "thread.thinking", r#"{"message":"m","text":" yes"}"#);

    let frames = t.helper("t1", "thread.delta", r#"{"message":"m","text":"x"}"#);

    let thought = pb::TextDelta { channel: 1, text: "hm yes".into(), ..Default::default() };
    assert_eq!(frames[0].data, Some(Data::TextDelta(thought)));
    assert_eq!((frames.len(), frames[0].index, frames[1].index), (2, 0, 1));
    assert_eq!(frames[0].rid, frames[1].rid);
    let more = t.helper("t1", "thread.thinking", r#"{"message":"m","text":"!"}"#);
    let Some(Data::TextDelta(more)) = &more[0].data else { panic!() };
    assert_eq!(more.at, 6);
}

#[test]
fn a_tool_of_the_same_turn_lets_out_what_was_thought_and_no_other_does() {
    let mut t = Told::started();
    t.helper("t1", "thread.thinking", r#"{"message":"m","text":"hm"}"#);

    let other = t.say("assistant:k", "t1", "thread.tool-started", r#"{"call":"d","tool":"x"}"#);
    let later = t.helper("t2", "thread.tool-started", r#"{"call":"e","tool":"x"}"#);
    let own = t.helper("t1", "thread.tool-started", r#"{"call":"c","tool":"x"}"#);

    assert_eq!((other.len(), later.len(), own.len()), (1, 1, 2));
    assert_eq!(own[0].message, "m");
    assert_eq!(own[0].rid, own[1].rid);
}

#[test]
fn thinking_is_held_within_a_bound() {
    let mut t = Told::started();
    for n in 0..100 {
        let text = "é".repeat(500);
        t.helper("t1", "thread.thinking", &format!(r#"{{"message":"m{}","text":"{text}"}}"#, n % 3));
    }
    assert!(t.adapter.held <= HELD_MAX && t.adapter.encode().len() < 64 * 1024);

    let frames = t.helper("t1", "thread.delta", r#"{"message":"m0","text":"x"}"#);
    let done = t.helper("t1", "thread.done", r#"{"message":"m0"}"#);

    let (Some(Data::TextDelta(thought)), Some(Data::TextDone(done))) = (&frames[0].data, &done[0].data) else {
        panic!()
    };
    assert_eq!(done.thinking_len, thought.text.len() as u64, "what was not kept leaves no hole");
}

#[test]
fn what_comes_late_for_a_turn_that_was_given_up_is_not_shown() {
    let mut t = Told::started();
    t.helper("t1", "thread.delta", r#"{"message":"m","text":"a"}"#);
    t.helper("t1", "thread.tool-started", r#"{"call":"c","tool":"x"}"#);
    t.say("assistant:h", "t1", "thread.cut", r#"{"message":"m","note":"n"}"#);
    let note = format!(r#"{{"note":"{COULD_NOT_RESUME}"}}"#);

    let told = t.say("assistant:h", "t1", "thread.failed", &note);

    assert_eq!(handles(&told), [("", 0)]);
    t.adapter = Adapter::decode(&t.adapter.encode()).unwrap();
    for (name, data) in [
        ("thread.delta", r#"{"message":"m","text":"late"}"#),
        ("thread.delta", r#"{"message":"n","text":"late"}"#),
        ("thread.tool-finished", r#"{"call":"c","tool":"x","ok":true,"result":"late"}"#),
        ("thread.status", r#"{"state":"working"}"#),
        ("ask.opened", r#"{"ask":"a","question":"q"}"#),
        ("thread.done", r#"{"message":"n"}"#),
    ] {
        assert_eq!(t.helper("t1", name, data), [], "{name}");
    }
    // The same assistant in another turn is heard.
    assert_eq!(t.helper("t2", "thread.delta", r#"{"message":"k","text":"x"}"#).len(), 1);
}

fn block_of(frames: &[pb::Frame]) -> pb::Block {
    match &frames[0].data {
        Some(Data::ToolStarted(d)) => d.block.clone().unwrap(),
        Some(Data::ToolFinished(d)) => d.block.clone().unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn blocks_of_work_say_that_everybody_sees_them_where_there_is_more_than_one_person() {
    let cases = [
        (r#"{"call":"c","tool":"Bash","input":{"command":"ls"}}"#, true),
        (r#"{"call":"c","tool":"Edit","input":{"path":"p","old_string":"a","new_string":"b"}}"#, true),
        (r#"{"call":"c","tool":"Read","input":{"path":"p"}}"#, true),
        (r#"{"call":"c","tool":"WebSearch","input":{"query":"q"}}"#, false),
    ];
    for (data, shared) in cases {
        let alone = block_of(&Told::started().helper("t", "thread.tool-started", data));
        assert_eq!(alone.note, "", "{data}");
        let mut t = Told::started();
        // Assistants are no people.
        t.say("assistant:k", "", "thread.status", r#"{"state":"idle"}"#);
        assert_eq!(block_of(&t.helper("t", "thread.tool-started", data)).note, "", "{data}");
        t.join("person:sam");
        let said = block_of(&t.helper("t", "thread.tool-started", data)).note;
        assert_eq!(said, if shared { "visible to everyone in this chat" } else { "" }, "{data}");
        t.say("person:r", "", "room.left", r#"{"who":"person:sam"}"#);
        assert_eq!(block_of(&t.helper("t", "thread.tool-started", data)).note, "", "{data}");
    }
}

#[test]
fn what_a_search_found_says_a_files_block_in_its_detail() {
    let data = r#"{"call":"c","tool":"find","ok":true,"result":{"block":"files","note":"3 of 90","files":["a"]}}"#;
    let mut t = Told::started();
    let alone = block_of(&t.helper("t", "thread.tool-finished", data));
    t.join("person:sam");
    let shared = block_of(&t.helper("t", "thread.tool-finished", data));

    for (block, note) in [(alone, ""), (shared, "visible to everyone in this chat")] {
        let Some(pb::block::Kind::Files(files)) = &block.kind else { panic!("{block:?}") };
        assert_eq!((&*files.detail, &*block.note), ("3 of 90", note));
    }
}

#[test]
fn a_field_value_that_says_where_it_stands_is_dropped_where_there_is_more_than_one_person() {
    let data = r##"{"call":"c","tool":"find","ok":true,"result":{"block":"answer","text":"t","fields":[
        {"name":"iban","value":"DK50","ref":"contact/17#iban"},
        {"name":"city","value":"Aarhus"},
        {"name":"phone","ref":"contact/17#phone"},
        {"name":"pin","sealed":"pin","value":"1234","ref":"contact/17#pin"}]}}"##;
    let mut t = Told::started();
    let alone = block_of(&t.helper("t", "thread.tool-finished", data));
    t.join("person:sam");
    let shared = block_of(&t.helper("t", "thread.tool-finished", data));

    let values = |block: &pb::Block| -> Vec<String> {
        let Some(pb::block::Kind::Answer(answer)) = &block.kind else { panic!("{block:?}") };
        let value = |f: &pb::Field| match &f.content {
            Some(pb::field::Content::Value(v)) => v.clone(),
            other => format!("{}", matches!(other, Some(pb::field::Content::Sealed(_)))),
        };
        answer.fields.iter().map(value).collect()
    };
    assert_eq!(values(&alone), ["DK50", "Aarhus", "contact/17#phone", "true"]);
    assert_eq!(values(&shared), ["contact/17#iban", "Aarhus", "contact/17#phone", "true"]);
    assert!(!format!("{shared:?}").contains("1234") && !format!("{shared:?}").contains("DK50"));
}
