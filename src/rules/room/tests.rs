use proptest::prelude::*;
use vyre_proto::event::Event;

use super::*;

/// A session's events in order, as a producer would write them.
#[derive(Default)]
struct Script {
    room: Room,
    events: u64,
}

fn event(n: u64, actor: &str, name: &str, data: &str) -> pb::Event {
    let line = format!(r#"{{"id":"e{n}","name":"{name}","session":"s","actor":{actor:?},"data":{data}}}"#);
    Event::from_json(line.as_bytes()).unwrap().into_inner()
}

impl Script {
    fn start() -> Script {
        let mut script = Script::default();
        script.say("person:robin", "thread.started", r#"{"title":"t","assistant":"assistant:a"}"#);
        script
    }

    fn say(&mut self, actor: &str, name: &str, data: &str) -> &mut Script {
        self.events += 1;
        self.room.learn(&event(self.events, actor, name, data), EventNumber(self.events));
        self
    }

    fn user(&mut self, message: &str) -> &mut Script {
        self.say("person:robin", "thread.user", &format!(r#"{{"message":"{message}","text":"x"}}"#))
    }

    fn queued(&mut self, message: &str) -> &mut Script {
        let data = format!(r#"{{"message":"{message}","text":"x","to":["assistant:a"]}}"#);
        self.say("person:robin", "thread.queued", &data)
    }

    fn waiting(&self) -> Vec<&str> {
        self.room.waiting().map(|w| w.message.as_str()).collect()
    }

    fn works(&self) -> bool {
        self.room.is_working(&a())
    }
}

fn a() -> Author {
    Author::parse("assistant:a").unwrap()
}

fn person(name: &str) -> Author {
    Author::person(name).unwrap()
}

fn message(m: &str) -> MessageId {
    MessageId::parse(m).unwrap()
}

#[test]
fn the_version_rises_with_everyone_who_comes_or_goes() {
    let mut s = Script::start();
    let at_start = s.room.ver();
    s.say("person:robin", "room.joined", r#"{"who":"person:kim"}"#);
    let with_kim = s.room.ver();
    s.say("person:robin", "room.left", r#"{"who":"person:kim"}"#);
    let without = s.room.ver();
    s.say("person:robin", "room.joined", r#"{"who":"person:kim"}"#);

    assert!(at_start < with_kim && with_kim < without && without < s.room.ver());
    let kim = person("kim");
    let was: Vec<_> = [at_start, with_kim, without, s.room.ver()].iter().map(|v| s.room.was_in(&kim, *v)).collect();
    assert_eq!(was, [false, true, false, true]);
    assert!(s.room.is_group() && s.room.people().count() == 2);
}

#[test]
fn who_has_left_does_not_come_back_by_acting() {
    let mut s = Script::start();
    s.say("person:kim", "thread.user", r#"{"message":"k","text":"x"}"#);
    s.say("person:robin", "room.left", r#"{"who":"person:kim"}"#);
    let ver = s.room.ver();
    s.say("person:kim", "thread.user", r#"{"message":"l","text":"x"}"#);

    assert!(!s.room.is_in(&person("kim")));
    assert_eq!(s.room.ver(), ver);
}

#[test]
fn copied_words_bring_nobody_into_a_branch() {
    let mut s = Script::start();
    s.say("person:robin", "thread.branched", r#"{"from":"m","session":"other"}"#);
    s.say("person:kim", "thread.user", r#"{"message":"k","text":"x"}"#);
    s.say("assistant:b", "thread.delta", r#"{"message":"b","text":"x"}"#);

    let names: Vec<_> = s.room.participants().map(Author::as_str).collect();
    assert_eq!(names, ["person:robin", "assistant:a", "assistant:b"]);
    assert_eq!(s.room.origin().unwrap().session.as_str(), "other");
}

#[test]
fn an_assistant_that_says_nothing_of_it_works_from_its_first_event_to_the_end_of_its_message() {
    let mut s = Script::start();
    assert!(!s.works());
    s.say("assistant:a", "thread.delta", r#"{"message":"m","text":"x"}"#);
    assert!(s.works());
    s.say("assistant:a", "thread.tool-started", r#"{"call":"c","tool":"t"}"#);
    s.say("assistant:a", "thread.done", r#"{"message":"m"}"#);
    assert!(s.works(), "a call is open");
    s.say("assistant:a", "thread.tool-finished", r#"{"call":"c","tool":"t","ok":true}"#);
    s.say("assistant:a", "thread.delta", r#"{"message":"n","text":"x"}"#);
    s.say("assistant:a", "thread.done", r#"{"message":"n"}"#);
    assert!(!s.works());
}

#[test]
fn an_assistant_that_says_so_works_until_it_says_otherwise() {
    for end in ["idle", "done", "stopped", "failed"] {
        let mut s = Script::start();
        s.say("assistant:a", "thread.status", r#"{"state":"working"}"#);
        s.say("assistant:a", "thread.delta", r#"{"message":"m","text":"x"}"#);
        s.say("assistant:a", "thread.done", r#"{"message":"m"}"#);
        assert!(s.works());
        s.say("assistant:a", "thread.status", &format!(r#"{{"state":"{end}"}}"#));
        assert!(!s.works(), "{end}");
    }
}

#[test]
fn a_late_word_begins_no_turn() {
    let mut s = Script::start();
    s.say("assistant:a", "thread.delta", r#"{"message":"m","text":"x"}"#);
    s.say("assistant:a", "thread.cut", r#"{"message":"m","note":"stopped"}"#);
    s.say("assistant:a", "thread.delta", r#"{"message":"m","text":"late"}"#);

    assert!(!s.works());
}

#[test]
fn nothing_is_taken_while_a_call_is_open() {
    let mut s = Script::start();
    assert!(s.room.at_safe_point(&a()));
    s.say("assistant:a", "thread.tool-started", r#"{"call":"c","tool":"t"}"#);
    assert!(!s.room.at_safe_point(&a()));
    assert_eq!(s.room.open_calls(&a()).collect::<Vec<_>>(), ["c"]);
    s.say("assistant:a", "thread.tool-finished", r#"{"call":"c","tool":"t","ok":false}"#);
    assert!(s.room.at_safe_point(&a()));
}

#[test]
fn what_is_queued_waits_until_it_is_taken_or_taken_back() {
    let mut s = Script::start();
    s.queued("q1").queued("q2").queued("q3");
    assert_eq!(s.waiting(), ["q1", "q2", "q3"]);
    s.say("person:robin", "thread.steered", r#"{"message":"q1","by":"assistant:a"}"#);
    s.say("person:robin", "thread.unqueued", r#"{"message":"q3"}"#);

    assert_eq!(s.waiting(), ["q2"]);
    assert_eq!(s.room.message(&message("q1")).unwrap().state, Some(UserState::PickedUp));
    assert_eq!(s.room.message(&message("q3")).unwrap().state, Some(UserState::Cancelled));
    assert!(s.works(), "who takes a message works on it");
}

#[test]
fn a_message_that_was_taken_back_is_not_taken_any_more() {
    let mut s = Script::start();
    s.queued("q").say("person:robin", "thread.unqueued", r#"{"message":"q"}"#);
    s.say("person:robin", "thread.steered", r#"{"message":"q"}"#);

    assert_eq!(s.room.message(&message("q")).unwrap().state, Some(UserState::Cancelled));
}

#[test]
fn what_a_turn_was_handed_and_did_not_take_waits_again_after_it() {
    let mut s = Script::start();
    s.say("assistant:a", "thread.status", r#"{"state":"working"}"#);
    s.queued("q").say("", "thread.sent", r#"{"message":"q","via":"steer"}"#);
    assert!(s.room.waiting().all(|w| w.handed));
    s.say("assistant:a", "thread.stopped", "{}");

    assert!(s.room.waiting().all(|w| !w.handed));
    assert_eq!(s.waiting(), ["q"]);
}

#[test]
fn a_stop_loses_nothing_that_waits_and_holds_it_until_the_next_message() {
    let mut s = Script::start();
    s.say("assistant:a", "thread.status", r#"{"state":"working"}"#);
    s.queued("q1").queued("q2");
    s.say("person:robin", "thread.stopping", "{}");
    assert!(s.room.is_stopping());
    s.say("assistant:a", "thread.stopped", "{}");
    assert!(!s.room.is_stopping() && s.room.is_held());
    assert_eq!(s.waiting(), ["q1", "q2"]);

    s.say("person:robin", "thread.user", r#"{"message":"u","text":"x","to":["assistant:a"]}"#);
    assert!(!s.room.is_held());
    assert_eq!(s.waiting(), ["q1", "q2", "u"]);
}

#[test]
fn the_first_answer_stands() {
    let mut s = Script::start();
    s.say("assistant:a", "ask.opened", r#"{"ask":"q","question":"?"}"#);
    assert_eq!(s.room.question("q").unwrap().answered, None);
    s.say("person:robin", "ask.answered", r#"{"ask":"q","answer":"y"}"#);
    s.say("person:kim", "ask.answered", r#"{"ask":"q","answer":"n"}"#);

    assert_eq!(s.room.question("q").unwrap().answered, Some(Some(person("robin"))));
    assert_eq!(s.room.open_questions().count(), 0);
}

#[test]
fn a_rewind_forgets_what_no_longer_counts_and_keeps_what_waits() {
    let mut s = Script::start();
    s.user("u1").say("assistant:a", "thread.done", r#"{"message":"m1"}"#);
    s.user("u2").say("assistant:a", "thread.done", r#"{"message":"m2"}"#);
    s.queued("q").say("person:robin", "thread.rewound", r#"{"message":"u2","to":"m1"}"#);

    let left: Vec<_> = s.room.messages().map(|m| m.message.as_str()).collect();
    assert_eq!(left, ["u1", "m1", "q"]);
    assert_eq!(s.waiting(), ["q"]);
}

#[test]
fn a_message_that_is_tried_again_waits_again() {
    let mut s = Script::start();
    s.user("u1").say("assistant:a", "thread.done", r#"{"message":"m1"}"#);
    s.say("person:robin", "thread.rewound", r#"{"to":"u1","again":["assistant:a"]}"#);

    assert_eq!(s.waiting(), ["u1"]);
    let w = s.room.waiting().next().unwrap();
    assert_eq!((w.event, w.queued), (EventNumber(2), false));
}

#[test]
fn a_private_message_waits_for_no_assistant() {
    let mut s = Script::start();
    let data = r#"{"message":"p","enc":{"alg":"x","ct":"aGk="},"to":["assistant:a"]}"#;
    s.say("person:robin", "thread.user", data);

    assert_eq!(s.waiting(), Vec::<&str>::new());
    assert!(s.room.message(&message("p")).unwrap().private);
}

#[test]
fn what_is_queued_is_never_pushed_out() {
    let mut s = Script::start();
    for n in 0..QUEUE_MAX + 10 {
        s.queued(&format!("q{n}"));
    }
    assert_eq!(s.room.waiting().len(), QUEUE_MAX);
    assert_eq!(s.waiting()[0], "q0");
}

fn step() -> impl Strategy<Value = (String, &'static str, String)> {
    let who = prop::sample::select(vec!["person:robin", "person:kim", "assistant:a", "assistant:b", "model:m", ""]);
    let m = || (0u8..6).prop_map(|n| format!("m{n}"));
    let to = prop::sample::select(vec![r#"[]"#, r#"["assistant:a"]"#, r#"["assistant:a","assistant:b"]"#]);
    let data = prop_oneof![
        (m(), to.clone()).prop_map(|(m, to)| ("thread.user", format!(r#"{{"message":"{m}","text":"x","to":{to}}}"#))),
        (m(), to.clone()).prop_map(|(m, to)| ("thread.queued", format!(r#"{{"message":"{m}","text":"x","to":{to}}}"#))),
        m().prop_map(|m| ("thread.queued", format!(r#"{{"message":"{m}"}}"#))),
        m().prop_map(|m| ("thread.sent", format!(r#"{{"message":"{m}","via":"steer"}}"#))),
        m().prop_map(|m| ("thread.sent", format!(r#"{{"message":"{m}","by":"assistant:a"}}"#))),
        m().prop_map(|m| ("thread.steered", format!(r#"{{"message":"{m}"}}"#))),
        m().prop_map(|m| ("thread.unqueued", format!(r#"{{"message":"{m}"}}"#))),
        m().prop_map(|m| ("thread.delta", format!(r#"{{"message":"{m}","text":"x"}}"#))),
        m().prop_map(|m| ("thread.thinking", format!(r#"{{"message":"{m}","text":"x"}}"#))),
        m().prop_map(|m| ("thread.done", format!(r#"{{"message":"{m}"}}"#))),
        m().prop_map(|c| ("thread.tool-started", format!(r#"{{"call":"{c}","tool":"t"}}"#))),
        m().prop_map(|c| ("thread.tool-progress", format!(r#"{{"call":"{c}","text":"x"}}"#))),
        m().prop_map(|c| ("thread.tool-finished", format!(r#"{{"call":"{c}","tool":"t","ok":true}}"#))),
        prop::sample::select(vec!["working", "idle", "stopping", "other"])
            .prop_map(|s| ("thread.status", format!(r#"{{"state":"{s}"}}"#))),
        Just(("thread.stopping", "{}".to_owned())),
        Just(("thread.stopped", "{}".to_owned())),
        m().prop_map(|a| ("ask.opened", format!(r#"{{"ask":"{a}","question":"?"}}"#))),
        m().prop_map(|a| ("ask.answered", format!(r#"{{"ask":"{a}","answer":"y"}}"#))),
        Just(("room.joined", r#"{"who":"person:kim"}"#.to_owned())),
        Just(("room.left", r#"{"who":"person:kim"}"#.to_owned())),
        Just(("room.assigned", r#"{"assistant":"assistant:b"}"#.to_owned())),
        (m(), m(), to).prop_map(|(m, t, again)| {
            ("thread.rewound", format!(r#"{{"message":"{m}","to":"{t}","again":{again}}}"#))
        }),
        Just(("thread.branched", r#"{"from":"m","session":"other"}"#.to_owned())),
    ];
    (who, data).prop_map(|(who, (name, data))| (who.to_owned(), name, data))
}

proptest! {
    #[test]
    fn a_stored_room_goes_on_as_the_one_that_was_stored(
        steps in prop::collection::vec(step(), 1..60),
        stop in any::<prop::sample::Index>(),
    ) {
        let mut s = Script::start();
        let mut other = None;
        let stop = stop.index(steps.len());
        for (n, (who, name, data)) in steps.iter().enumerate() {
            if n == stop {
                let back = Room::decode(&s.room.encode()).unwrap();
                prop_assert_eq!(back.encode(), s.room.encode());
                other = Some(Script { room: back, events: s.events });
            }
            s.say(who, name, data);
            if let Some(other) = &mut other {
                other.say(who, name, data);
            }
        }
        prop_assert_eq!(other.unwrap().room.encode(), s.room.encode());
    }

    #[test]
    fn the_short_way_for_words_changes_nothing(steps in prop::collection::vec(step(), 1..80)) {
        let (mut s, mut long) = (Script::start(), Script::start());
        for (who, name, data) in &steps {
            s.say(who, name, data);
            long.room.writers.clear();
            long.say(who, name, data);
            prop_assert_eq!(s.room.encode(), long.room.encode());
        }
    }

    #[test]
    fn what_waits_has_no_end_yet_and_the_version_only_rises(steps in prop::collection::vec(step(), 1..80)) {
        let mut s = Script::start();
        let mut ver = s.room.ver();
        for (who, name, data) in &steps {
            s.say(who, name, data);
            prop_assert!(s.room.ver() >= ver);
            ver = s.room.ver();
            for w in s.room.waiting().filter(|w| w.queued) {
                if let Some(said) = s.room.message(&w.message) {
                    // Somebody took it and another is still to; or a producer says again, as new, what was taken in part.
                    let partly = !w.to.is_empty()
                        && matches!(said.state, Some(UserState::PickedUp | UserState::Said));
                    prop_assert!(said.state == Some(UserState::Queued) || partly, "{:?}", said);
                }
            }
            for who in s.room.participants() {
                prop_assert!(s.room.was_in(who, ver));
            }
        }
    }

    #[test]
    fn no_bytes_make_decoding_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Room::decode(&bytes);
    }
}
