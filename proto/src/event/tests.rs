use proptest::prelude::*;

use super::*;
use crate::ids::Author;
use crate::ids::MessageId;

fn line(name: &str, data: &str) -> String {
    format!(r#"{{"id":"e1","name":"{name}","session":"s1","data":{data}}}"#)
}

fn read(name: &str, data: &str) -> Result<Event, EventError> {
    Event::from_json(line(name, data).as_bytes())
}

#[test]
fn an_event_is_read_with_all_of_its_envelope() {
    let e = Event::from_json(
        br#" {"id":"e1","name":"thread.delta","session":"s1","turn":"t1","time":1772440000000001,"corr":"c1",
             "actor":"assistant:helper","acts_for":"person:robin","new":[1,{"x":2}],
             "data":{"message":"m1","text":"h\u00e9\n","later":null}} "#,
    )
    .unwrap();
    assert_eq!((e.id().as_str(), e.session().as_str(), e.name()), ("e1", "s1", "thread.delta"));
    assert_eq!(e.get().time, 1_772_440_000_000_001);
    let Some(Data::ThreadDelta(d)) = &e.get().data else { panic!() };
    assert_eq!(d.text, "hé\n");
    assert_eq!(Event::from_json(e.to_json().as_bytes()).unwrap(), e);
    assert!(!e.to_json().contains('\n'));
    assert_eq!(format!("{e:?}"), "Event(thread.delta e1 in s1)");
}

#[test]
fn results_keep_their_bytes() {
    for raw in [
        "null",
        "\"\"",
        "0",
        "-0.0e+10",
        "1.0",
        "123456789012345678901234567890.5",
        "[]",
        "{ \"b\" : 1,\t\"a\":2, \"b\":3}",
        r#""\ud83d\ude00 \u0000 \ud800""#,
        "true",
        "{\"\":null}",
    ] {
        let e =
            read("thread.tool-finished", &format!(r#"{{"call":"c","tool":"t","ok":true,"result": {raw} }}"#)).unwrap();
        let Some(Data::ThreadToolFinished(d)) = &e.get().data else { panic!() };
        assert_eq!(d.result, raw.as_bytes());
        assert_eq!(Event::from_json(e.to_json().as_bytes()).unwrap(), e);
    }
}

#[test]
fn depth_costs_nothing_and_is_kept() {
    for depth in [127, 1_000, 200_000] {
        let raw = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let e =
            read("thread.tool-finished", &format!(r#"{{"call":"c","tool":"t","ok":true,"result":{raw}}}"#)).unwrap();
        let Some(Data::ThreadToolFinished(d)) = &e.get().data else { panic!() };
        assert_eq!(d.result.len(), 2 * depth);
        assert_eq!(Event::decode(e.get().encode_to_vec().into()).unwrap(), e);
        assert!(read("thread.done", &format!(r#"{{"message":"m","x":{raw}}}"#)).is_ok());
        assert!(read("thread.done", &raw).is_err());
    }
}

#[test]
fn a_line_at_the_limit_is_whole_and_one_byte_more_is_refused() {
    let frame = line("thread.tool-finished", r#"{"call":"c","tool":"t","ok":true,"result":""}"#);
    let mut fits = frame.clone();
    fits.insert_str(frame.len() - 3, &"x".repeat(EVENT_LINE_MAX - frame.len()));
    assert_eq!(fits.len(), EVENT_LINE_MAX);
    let e = Event::from_json(fits.as_bytes()).unwrap();
    assert_eq!(e.to_json(), fits);
    assert!(Event::from_json(format!("{fits}\r\n").as_bytes()).is_ok());
    fits.insert(frame.len() - 3, 'y');
    assert_eq!(Event::from_json(fits.as_bytes()), Err(EventError::TooLarge { len: EVENT_LINE_MAX + 1 }));
    fits.insert_str(frame.len() - 3, &"z".repeat(10 << 20));
    assert!(matches!(Event::from_json(fits.as_bytes()), Err(EventError::TooLarge { .. })));
    assert!(matches!(Event::decode(fits.into()), Err(EventError::TooLarge { .. })));
}

#[test]
fn words_that_fit_no_frame_are_refused() {
    let long = "w".repeat(TEXT_MAX);
    assert!(read("thread.delta", &format!(r#"{{"message":"m","text":"{long}"}}"#)).is_ok());
    let e = read("thread.delta", &format!(r#"{{"message":"m","text":"{long}w"}}"#)).unwrap_err();
    assert_eq!(e, EventError::TooLong { field: "text", len: TEXT_MAX + 1, max: TEXT_MAX });
    let many = vec!["\"person:a\""; LIST_MAX + 1].join(",");
    let e = read("room.mention", &format!(r#"{{"message":"m","who":[{many}]}}"#)).unwrap_err();
    assert_eq!(e, EventError::TooMany { field: "who", len: LIST_MAX + 1 });
}

#[test]
fn a_refusal_names_the_field_and_quotes_nothing() {
    let cases: &[(&str, &str, &str)] = &[
        ("thread.delta", r#"{"message":"m"}"#, "`text` is missing"),
        ("thread.delta", r#"{"message":"m","text":null}"#, "`text` is missing"),
        ("thread.delta", r#"{"message":"m","text":["hush"]}"#, "`text` must be a text"),
        ("thread.delta", r#"{"message":"m","text":"hush \ud800"}"#, "`text` must be a text"),
        ("thread.delta", r#"{"message":5,"text":"hush"}"#, "`message` must be a text"),
        ("thread.delta", r#"{"message":"","text":"hush"}"#, "`message` is refused"),
        ("thread.delta", r#"{"message":"m","text":"hush","text":"hush"}"#, "`text` is there twice"),
        ("thread.delta", r#""hush""#, "`data` must be an object"),
        ("thread.delta", "null", "`data` is missing"),
        ("thread.hush", "{}", "`name` is not the name"),
        ("thread.user", r#"{"message":"m"}"#, "`text` is missing"),
        ("thread.user", r#"{"message":"m","text":"hush","enc":{"alg":"a","ct":""}}"#, "`text` or `enc`, not both"),
        ("thread.user", r#"{"message":"m","enc":{"alg":"a","ct":"hu sh"}}"#, "`ct` must be base64"),
        ("thread.user", r#"{"message":"m","enc":7}"#, "`enc` must be an object"),
        ("thread.user", r#"{"message":"m","text":"","mentions":["hush"]}"#, "`mentions` is refused"),
        ("thread.tool-finished", r#"{"call":"c","tool":"t"}"#, "`ok` is missing"),
        ("thread.tool-finished", r#"{"call":"c","tool":"t","ok":1}"#, "`ok` must be true or false"),
        ("thread.tool-finished", r#"{"call":"c","tool":"","ok":true}"#, "`tool` is missing"),
        ("thread.shell", r#"{"call":"c","command":"hush","exit":4294967296}"#, "`exit` must be a whole number"),
        ("thread.shell", r#"{"call":"c","command":"hush","exit":0.5}"#, "`exit` must be a whole number"),
        ("thread.file-changed", r#"{"path":"p","change":"hush"}"#, "`change` must be added"),
        ("thread.file-changed", r#"{"path":"","change":"added"}"#, "`path` is missing"),
        ("room.joined", r#"{"who":"hush"}"#, "`who` is refused"),
        ("room.mention", r#"{"message":"m","who":[]}"#, "`who` is missing"),
        ("room.fanout", r#"{"group":"g","message":"m","members":["hush"]}"#, "`members` must be an object"),
        ("ask.opened", r#"{"ask":"a","question":"hush","options":{}}"#, "`options` must be a list"),
    ];
    for (name, data, want) in cases {
        let said = read(name, data).unwrap_err().to_string();
        assert!(said.contains(want), "{name} {data}: {said}");
        assert!(!said.contains("hush"), "{said}");
    }
    for (envelope, want) in [
        (r#"{"name":"thread.stopped","session":"s","data":{}}"#, "`id` is missing"),
        (r#"{"id":"e","name":"thread.stopped","data":{}}"#, "`session` is missing"),
        (r#"{"id":"e","name":"thread.stopped","session":"hush hush","data":{}}"#, "`session` is refused"),
        (
            r#"{"id":"e","name":"thread.stopped","session":"s","time":1.5,"data":{}}"#,
            "`time` must be whole microseconds",
        ),
        (
            r#"{"id":"e","name":"thread.stopped","session":"s","time":-1,"data":{}}"#,
            "`time` must be whole microseconds",
        ),
        (
            r#"{"id":"e","name":"thread.stopped","session":"s","time":"+1","data":{}}"#,
            "`time` must be whole microseconds",
        ),
        (r#"{"id":"e","name":"thread.stopped","session":"s","time":18446744073709551616,"data":{}}"#, "`time` must be"),
        (r#"{"id":"e","name":"thread.stopped","session":"s","actor":"hush","data":{}}"#, "`actor` is refused"),
        (r#"{"id":"e","name":"thread.stopped","session":"s","acts_for":"model:hush","data":{}}"#, "`acts_for` must be"),
        (r#"["hush"]"#, "`event` must be an object"),
        (r#"{"id":"hush""#, "not JSON"),
        ("", "not JSON"),
        (r#"{"id":"e"} {}"#, "not JSON"),
    ] {
        let said = Event::from_json(envelope.as_bytes()).unwrap_err().to_string();
        assert!(said.contains(want), "{envelope}: {said}");
        assert!(!said.contains("hush"), "{said}");
    }
    assert_eq!(Event::from_json(b"{\"id\":\"\xff\"}"), Err(EventError::NotUtf8 { at: 7 }));
}

#[test]
fn a_time_may_be_a_text_and_encrypted_words_come_in_either_alphabet() {
    let e = Event::from_json(br#"{"id":"e","name":"thread.stopped","session":"s","time":"12","data":{}}"#).unwrap();
    assert_eq!(e.get().time, 12);
    for ct in ["-_8=", "+/8", "+/8=", "-_8"] {
        let e =
            read("thread.user", &format!(r#"{{"message":"m","enc":{{"alg":"a","kid":"k","ct":"{ct}"}}}}"#)).unwrap();
        let Some(Data::ThreadUser(d)) = &e.get().data else { panic!() };
        assert_eq!(d.enc.as_ref().unwrap().ct, &[0xfb, 0xff][..]);
        assert_eq!(Event::from_json(e.to_json().as_bytes()).unwrap(), e);
    }
}

#[test]
fn a_message_from_a_wire_is_held_to_the_same_rules() {
    let bare = |data| pb::Event { id: "e".into(), session: "s".into(), data: Some(data), ..Default::default() };
    let finished = |result: &'static [u8]| {
        let d =
            pb::ThreadToolFinished { call: "c".into(), tool: "t".into(), ok: true, result: Bytes::from_static(result) };
        Event::check(bare(Data::ThreadToolFinished(d)))
    };
    assert!(finished(b"").is_ok());
    for bad in [&b"{"[..], b"\"\xff\"", b"1 2", b" ", b"nul"] {
        assert_eq!(finished(bad), Err(EventError::WrongType { field: "result", want: "JSON" }));
    }
    let e = finished(b" \n[1,\r\n2]\t").unwrap();
    let Some(Data::ThreadToolFinished(d)) = &e.get().data else { panic!() };
    assert_eq!(&d.result[..], b"[1,\r\n2]");
    assert!(e.to_json().contains("[1,  2]"));
    let d = pb::ThreadFileChanged { path: "p".into(), change: 77, from: String::new() };
    assert!(matches!(Event::check(bare(Data::ThreadFileChanged(d))), Err(EventError::WrongType { .. })));
    let none = pb::Event { id: "e".into(), session: "s".into(), ..Default::default() };
    assert_eq!(Event::check(none), Err(EventError::UnknownName));
}

fn id() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9é:._-]{1,12}"
}
fn who() -> impl Strategy<Value = String> {
    "(person|assistant|model):[a-zé0-9]{1,8}"
}
fn words() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), ".{0,40}", "[\\x00-\\x1f\"\\\\/]{0,10}"]
}
fn maybe(s: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), s]
}
fn json() -> impl Strategy<Value = Bytes> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|b| b.to_string()),
        any::<i64>().prop_map(|n| n.to_string()),
        any::<String>().prop_map(|s| serde_json::to_string(&s).unwrap()),
    ];
    let tree = leaf.prop_recursive(4, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|v| format!("[{}]", v.join(" , "))),
            prop::collection::vec((any::<String>(), inner), 0..4).prop_map(|v| {
                let fields: Vec<_> =
                    v.iter().map(|(k, j)| format!("{}: {j}", serde_json::to_string(k).unwrap())).collect();
                format!("{{ {}\t}}", fields.join(","))
            }),
        ]
    });
    prop_oneof![Just(Bytes::new()), tree.prop_map(Bytes::from)]
}
fn enc() -> impl Strategy<Value = pb::Encrypted> {
    (id(), maybe(id()), prop::collection::vec(any::<u8>(), 0..20)).prop_map(|(alg, kid, ct)| pb::Encrypted {
        alg,
        kid,
        ct: ct.into(),
    })
}
/// Words in the clear, or encrypted ones in their place.
fn either() -> impl Strategy<Value = (String, Option<pb::Encrypted>)> {
    prop_oneof![words().prop_map(|w| (w, None)), enc().prop_map(|e| (String::new(), Some(e)))]
}

fn people() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(who(), 0..3)
}

fn data() -> impl Strategy<Value = Data> {
    prop_oneof![
        (words(), words(), maybe(who()), any::<bool>()).prop_map(|(title, folder, assistant, group)| {
            Data::ThreadStarted(pb::ThreadStarted { title, folder, assistant, group })
        }),
        (id(), either(), maybe(id()), people(), people()).prop_map(|(message, (text, enc), parent, mentions, to)| {
            Data::ThreadUser(pb::ThreadUser { message, text, enc, parent, mentions, to })
        }),
        (id(), maybe(id()), either(), maybe(id()), people(), people()).prop_map(
            |(message, via, (text, enc), parent, mentions, to)| {
                Data::ThreadQueued(pb::ThreadQueued { message, via, text, enc, parent, mentions, to })
            }
        ),
        (id(), maybe(id()), either(), maybe(who())).prop_map(|(message, via, (text, enc), by)| {
            Data::ThreadSent(pb::ThreadSent { message, via, text, enc, by })
        }),
        (id(), maybe(id()), words(), maybe(who()))
            .prop_map(|(message, via, text, by)| { Data::ThreadSteered(pb::ThreadSteered { message, via, text, by }) }),
        (id(), maybe(id()), people()).prop_map(|(message, to, again)| Data::ThreadRewound(pb::ThreadRewound {
            message,
            to,
            again
        })),
        (id(), "[a-zA-Z0-9:.@+~_-]{1,12}")
            .prop_map(|(from, session)| Data::ThreadBranched(pb::ThreadBranched { from, session })),
        maybe(who()).prop_map(|assistant| Data::RoomAssigned(pb::RoomAssigned { assistant })),
        (id(), maybe(id()), words()).prop_map(|(message, via, text)| Data::ThreadUnqueued(pb::ThreadUnqueued {
            message,
            via,
            text
        })),
        (id(), words(), maybe(id())).prop_map(|(message, text, parent)| Data::ThreadDelta(pb::ThreadDelta {
            message,
            text,
            parent
        })),
        id().prop_map(|message| Data::ThreadDone(pb::ThreadDone { message })),
        (id(), words()).prop_map(|(message, note)| Data::ThreadCut(pb::ThreadCut { message, note })),
        (id(), words()).prop_map(|(message, text)| Data::ThreadThinking(pb::ThreadThinking { message, text })),
        (id(), id(), words(), json()).prop_map(|(call, tool, title, input)| Data::ThreadToolStarted(
            pb::ThreadToolStarted { call, tool, title, input }
        )),
        (id(), words()).prop_map(|(call, text)| Data::ThreadToolProgress(pb::ThreadToolProgress { call, text })),
        (id(), id(), any::<bool>(), json()).prop_map(|(call, tool, ok, result)| Data::ThreadToolFinished(
            pb::ThreadToolFinished { call, tool, ok, result }
        )),
        (id(), words(), words(), any::<Option<i32>>()).prop_map(|(call, command, output, exit)| Data::ThreadShell(
            pb::ThreadShell { call, command, output, exit }
        )),
        (id(), 1..5i32, words()).prop_map(|(path, change, from)| Data::ThreadFileChanged(pb::ThreadFileChanged {
            path,
            change,
            from
        })),
        (id(), words()).prop_map(|(state, note)| Data::ThreadStatus(pb::ThreadStatus { state, note })),
        words().prop_map(|note| Data::ThreadStopping(pb::ThreadStopping { note })),
        words().prop_map(|note| Data::ThreadStopped(pb::ThreadStopped { note })),
        words().prop_map(|note| Data::ThreadFailed(pb::ThreadFailed { note })),
        (id(), words(), prop::collection::vec(words(), 0..3))
            .prop_map(|(ask, question, options)| Data::AskOpened(pb::AskOpened { ask, question, options })),
        (id(), words()).prop_map(|(ask, answer)| Data::AskAnswered(pb::AskReplied { ask, answer })),
        (id(), words(), any::<u64>(), maybe(id()), maybe(id())).prop_map(|(term, line, offset, via, surface)| {
            Data::TermCommand(pb::TermTyped { term, line, offset, via, surface })
        }),
        who().prop_map(|who| Data::RoomJoined(pb::RoomJoined { who })),
        who().prop_map(|who| Data::RoomLeft(pb::RoomLeft { who })),
        (id(), id(), any::<bool>()).prop_map(|(message, emoji, on)| Data::RoomReaction(pb::RoomReaction {
            message,
            emoji,
            on
        })),
        (id(), any::<bool>()).prop_map(|(message, on)| Data::RoomPin(pb::RoomPin { message, on })),
        (id(), prop::collection::vec(who(), 1..3))
            .prop_map(|(message, who)| Data::RoomMention(pb::RoomMention { message, who })),
        (id(), id(), prop::collection::vec((who(), id()), 0..3)).prop_map(|(group, message, m)| {
            let members = m.into_iter().map(|(who, message)| pb::FanoutMember { who, message }).collect();
            Data::RoomFanout(pb::RoomFanout { group, message, members })
        }),
        (id(), id()).prop_map(|(group, keep)| Data::RoomFanoutKeep(pb::RoomFanoutKeep { group, keep })),
    ]
}

fn event() -> impl Strategy<Value = pb::Event> {
    let session = "[a-zA-Z0-9:.@+~_-]{1,12}";
    (id(), session, maybe(id()), any::<u64>(), maybe(id()), maybe(who()), maybe("person:[a-z]{1,5}"), data()).prop_map(
        |(id, session, turn, time, corr, actor, acts_for, data)| pb::Event {
            id,
            session,
            turn,
            time,
            corr,
            actor,
            acts_for,
            expired: 0,
            data: Some(data),
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(e in event()) {
        let e = Event::check(e).unwrap();
        let line = e.to_json();
        prop_assert!(!line.contains(['\n', '\r']));
        prop_assert_eq!(&Event::from_json(line.as_bytes()).unwrap(), &e);
        prop_assert_eq!(&Event::decode(e.get().encode_to_vec().into()).unwrap(), &e);
        prop_assert!(NAMES.contains(&e.name()));
        let _: serde::de::IgnoredAny = serde_json::from_str(&line).unwrap();
    }

    #[test]
    fn ids_are_held_to_their_own_rule(s in prop_oneof![any::<String>(), "(person|model|owner)?:?[a-z\\x00-\\x7f]{0,3}", "[é]{60,70}"]) {
        let kept = |source| EventError::BadId { field: "who", source };
        prop_assert_eq!(author("who", &s), Author::parse(&s).map(drop).map_err(kept));
        let kept = |source| EventError::BadId { field: "message", source };
        prop_assert_eq!(message(&s), MessageId::parse(&s).map(drop).map_err(kept));
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Event::from_json(&bytes);
        let _ = Event::decode(bytes.into());
    }

    #[test]
    fn no_damage_makes_it_panic(e in event(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let e = Event::check(e).unwrap();
        for mut bytes in [e.to_json().into_bytes(), e.get().encode_to_vec()] {
            let i = at.index(bytes.len());
            if cut { bytes.truncate(i); } else { bytes[i] = byte; }
            if let Ok(e) = Event::from_json(&bytes) {
                prop_assert_eq!(Event::from_json(e.to_json().as_bytes()).unwrap(), e);
            }
            let _ = Event::decode(bytes.into());
        }
    }
}
