use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::rules::adapter::Adapter;
use crate::rules::room::EventNumber;
use crate::rules::room::Room;

const HOUR: u64 = 3600 * 1_000_000;

#[test]
fn the_age_clock_runs_with_the_ticks_from_the_calendar_or_from_where_it_stood() {
    let ahead = AgeClock::start(Wall(5), Wall(100), Tick(7));
    assert_eq!((ahead.now(Tick(7)), ahead.now(Tick(10))), (Wall(100), Wall(103)));
    let back = AgeClock::start(Wall(500), Wall(100), Tick(7));
    assert_eq!((back.now(Tick(7)), back.now(Tick(3)), back.now(Tick(10))), (Wall(500), Wall(500), Wall(503)));
    assert_eq!(cutoff(Wall(HOUR), Duration::from_secs(3600)), Some(Wall(0)));
    assert_eq!(cutoff(Wall(HOUR - 1), Duration::from_secs(3600)), None);
}

fn event(id: usize, actor: &str, data: Event) -> pb::Event {
    let (id, session, actor) = (format!("e{id}"), "s".to_owned(), actor.to_owned());
    pb::Event { id, session, actor, data: Some(data), ..Default::default() }
}

fn words(message: &str, text: &str) -> Event {
    Event::ThreadDelta(pb::ThreadDelta { message: message.into(), text: text.into(), ..Default::default() })
}

#[test]
fn an_assistants_words_and_a_shells_output_may_fade_and_a_persons_words_never() {
    let (message, text) = ("m".to_owned(), "x".to_owned());
    let thought = Event::ThreadThinking(pb::ThreadThinking { message: message.clone(), text: text.clone() });
    let said = Event::ThreadUser(pb::ThreadUser { message: message.clone(), text: text.clone(), ..Default::default() });
    let shell = Event::ThreadShell(pb::ThreadShell { call: "c".into(), output: text, ..Default::default() });
    let result = Event::ThreadToolFinished(pb::ThreadToolFinished { call: "c".into(), ..Default::default() });
    let ask = Event::AskOpened(pb::AskOpened { ask: "a".into(), question: "?".into(), ..Default::default() });
    for (actor, data, fades) in [
        ("assistant:a", words("m", "x"), true),
        ("", words("m", "x"), true),
        ("person:a", words("m", "x"), false),
        ("model:a", thought, true),
        ("person:a", said, false),
        ("assistant:a", shell, true),
        ("assistant:a", result, false),
        ("assistant:a", ask, false),
    ] {
        let mut event = event(1, actor, data);
        let was = event.clone();
        assert_eq!(may_fade(of_event(&event)), fades, "{was:?}");
        empty_event(&mut event);
        assert!(fades || actor == "person:a" || event == was);
    }
}

#[test]
fn an_emptied_event_remembers_how_long_it_was_and_is_not_emptied_twice() {
    let mut e = event(1, "assistant:a", words("m", "twelve bytes"));
    assert_eq!(filler(&e), None);
    empty_event(&mut e);
    let once = e.clone();
    empty_event(&mut e);
    assert_eq!((&e, filler(&e).map(|f| f.len())), (&once, Some(12)));
    // What cannot be is no reason to take all memory.
    e.expired = u64::MAX;
    assert_eq!(filler(&e).map(|f| f.len()), Some(TEXT_MAX));
}

#[test]
fn a_message_waits_for_its_end_and_is_gone_back_for() {
    let mut t = Track::default();
    assert_eq!(t.see(Item::Words("a"), 3, Wall(1)), None);
    assert_eq!(t.see(Item::Words("b"), 4, Wall(2)), None);
    assert_eq!((t.first_open(), t.fate(Item::Words("a"), false)), (Some(3), Fate::Waits));
    assert_eq!(t.see(Item::End("a"), 9, Wall(3)), Some(3));
    assert_eq!((t.first_open(), t.fate(Item::Words("a"), false)), (Some(4), Fate::Expires));
    assert_eq!(t.fate(Item::Words("a"), true), Fate::Stays);
    assert_eq!((t.fate(Item::Shell, true), t.fate(Item::Stays, false)), (Fate::Expires, Fate::Stays));
    // What comes after the end goes by itself.
    assert_eq!(t.see(Item::Words("a"), 10, Wall(4)), None);
    assert_eq!((t.first_open(), t.fate(Item::Words("a"), false)), (Some(4), Fate::Expires));
    assert_eq!(Track::decode(&t.encode()), t);
}

#[test]
fn what_nobody_ends_any_more_is_ended_after_a_day_and_never_what_the_adapter_knows() {
    let mut t = Track::default();
    t.see(Item::Words("a"), 3, Wall(0));
    t.see(Item::Words("b"), 4, Wall(0));
    let known = BTreeSet::from(["b".to_owned()]);
    assert_eq!(t.clone().forget(Wall(24 * HOUR - 1), &known), None);
    assert_eq!(t.forget(Wall(24 * HOUR), &known), Some(3));
    assert_eq!(t.fate(Item::Words("b"), false), Fate::Waits);
}

#[test]
fn what_is_remembered_is_bounded_as_the_adapter_bounds_it() {
    let mut t = Track::default();
    for n in 0..OPEN_MAX as u64 {
        assert_eq!(t.see(Item::Words(&format!("m{n}")), n, Wall(0)), None);
    }
    assert_eq!(t.see(Item::Words("one-more"), 5000, Wall(0)), Some(0), "the longest open one ends");
    for n in 0..OPEN_MAX {
        t.see(Item::End(&format!("m{n}")), 6000, Wall(0));
    }
    assert!(t.ended.len() <= ENDED_MAX);
}

#[derive(Debug, Clone)]
enum Step {
    Words(u8, String),
    Thinks(u8, String),
    Done(u8),
    Cut(u8),
    Shell(String),
    Tool,
    Guarded(bool),
    Joins(bool),
}

fn step() -> impl Strategy<Value = Step> {
    let text = "[a-cé ]{0,40}";
    prop_oneof![
        6 => (0u8..4, text).prop_map(|(m, t)| Step::Words(m, t)),
        2 => (0u8..4, text).prop_map(|(m, t)| Step::Thinks(m, t)),
        3 => (0u8..4).prop_map(Step::Done),
        1 => (0u8..4).prop_map(Step::Cut),
        1 => "[a-c]{0,20}".prop_map(Step::Shell),
        1 => Just(Step::Tool),
        1 => any::<bool>().prop_map(Step::Guarded),
        1 => any::<bool>().prop_map(Step::Joins),
    ]
}

fn events(steps: &[Step]) -> Vec<pb::Event> {
    let m = |m: &u8| format!("m{m}");
    let data = |(n, step): (usize, &Step)| {
        let (actor, data) = match step {
            Step::Words(at, text) => ("assistant:a", words(&m(at), text)),
            Step::Thinks(at, text) => {
                let thinking = pb::ThreadThinking { message: m(at), text: text.clone() };
                ("assistant:a", Event::ThreadThinking(thinking))
            }
            Step::Done(at) => ("assistant:a", Event::ThreadDone(pb::ThreadDone { message: m(at) })),
            Step::Cut(at) => ("assistant:a", Event::ThreadCut(pb::ThreadCut { message: m(at), note: String::new() })),
            Step::Shell(output) => {
                let shell = pb::ThreadShell { call: "c".into(), output: output.clone(), ..Default::default() };
                ("assistant:a", Event::ThreadShell(shell))
            }
            Step::Tool => {
                let result = br#""done""#[..].to_vec().into();
                let finished = pb::ThreadToolFinished { call: "t".into(), tool: "look".into(), ok: true, result };
                ("assistant:a", Event::ThreadToolFinished(finished))
            }
            // A value that some may not read: words are held against it from here on.
            Step::Guarded(long) => {
                let value =
                    if *long { "no such words as these, and many of them, so that much is held" } else { "zzzzz" };
                let result =
                    serde_json::json!({ "fields": [{ "label": "x", "value": value, "read_roles": ["admin"] }] });
                let result = result.to_string().into_bytes().into();
                let finished = pb::ThreadToolFinished { call: "g".into(), tool: "record".into(), ok: true, result };
                ("assistant:a", Event::ThreadToolFinished(finished))
            }
            Step::Joins(joins) => {
                let who = "person:kim".to_owned();
                let data = match joins {
                    true => Event::RoomJoined(pb::RoomJoined { who }),
                    false => Event::RoomLeft(pb::RoomLeft { who }),
                };
                ("person:kim", data)
            }
        };
        event(n, actor, data)
    };
    steps.iter().enumerate().map(data).collect()
}

fn frames(events: &[pb::Event]) -> Vec<pb::Frame> {
    let (mut adapter, mut room, mut out) = (Adapter::new(), Room::new(), Vec::new());
    for (n, event) in (1..).zip(events) {
        room.learn(event, EventNumber(n));
        adapter.project(event, &room, Wall(1), &mut out);
        adapter = Adapter::decode(&adapter.encode()).unwrap();
    }
    out.into_iter().map(crate::rules::reply::Logged::into_frame).collect()
}

proptest! {
    #[test]
    fn emptied_events_make_the_frames_that_were_emptied(steps in prop::collection::vec(step(), 0..60), ended in any::<bool>()) {
        let mut all = events(&steps);
        if ended {
            all.extend(events(&[Step::Done(0), Step::Done(1), Step::Done(2), Step::Done(3)]).into_iter().enumerate().map(|(n, e)| {
                pb::Event { id: format!("end{n}"), ..e }
            }));
        }
        let mut want = frames(&all);
        // Every message that has ended, as a track sees it, loses its words in both.
        let mut of_events = Track::default();
        for e in &all {
            of_events.see(of_event(e), 1, Wall(0));
        }
        for frame in &mut want {
            if of_events.fate(of_frame(frame), false) == Fate::Expires {
                empty_frame(frame);
            }
        }
        for event in &mut all {
            if of_events.fate(of_event(event), false) == Fate::Expires {
                empty_event(event);
            }
        }
        prop_assert_eq!(frames(&all), want);
    }

    #[test]
    fn a_track_says_the_same_however_the_log_is_cut_into_slices(
        items in prop::collection::vec((0u8..6, 0u8..3), 0..60), cuts in prop::collection::vec(any::<bool>(), 60),
    ) {
        let names = ["a", "b", "c", "d", "e", "f"];
        let item = |(m, kind): (u8, u8)| match kind {
            0 | 1 => Item::Words(names[usize::from(m)]),
            _ => Item::End(names[usize::from(m)]),
        };
        let mut whole = Track::default();
        for (n, i) in items.iter().enumerate() {
            whole.see(item(*i), n as u64, Wall(0));
        }
        // What a slice empties, going back where it must, is in the end what the whole would.
        let mut sliced = Track::default();
        let mut emptied = BTreeSet::new();
        let (mut begin, mut back) = (0, None::<u64>);
        for n in 0..items.len() {
            back = back.into_iter().chain(sliced.see(item(items[n]), n as u64, Wall(0))).min();
            if cuts[n] || n + 1 == items.len() {
                let from = back.take().map_or(begin, |b| begin.min(b as usize));
                for (at, i) in items.iter().enumerate().take(n + 1).skip(from) {
                    if sliced.fate(item(*i), false) == Fate::Expires {
                        emptied.insert(at);
                    }
                }
                begin = n + 1;
                sliced = Track::decode(&sliced.encode());
            }
        }
        prop_assert_eq!(&sliced, &whole);
        for (at, i) in items.iter().enumerate() {
            prop_assert_eq!(emptied.contains(&at), whole.fate(item(*i), false) == Fate::Expires);
        }
    }
}
