//! The reader's machine against a box whose log moves, lies and dies, over pipes that break at every point.
//!
//! The property: whatever happened, once things work again the reader shows exactly what one that never broke would show.

#[path = "resume/world.rs"]
mod world;

use std::collections::BTreeSet;
use std::time::Duration;

use proptest::prelude::*;
use vyre_proto::frame::Frame;
use vyre_proto::ids::LogId;
use vyre_proto::pb::stream as pb;
use vyre_proto::resume::Action;
use vyre_proto::resume::End;
use vyre_proto::resume::Ending;
use vyre_proto::resume::Nudge;
use vyre_proto::resume::Position;
use vyre_proto::resume::Resume;
use vyre_proto::resume::State;
use vyre_proto::resume::Why;
use vyre_proto::tick::Tick;
use world::World;
use world::cursor;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

/// One thing that happens.
#[derive(Debug, Clone)]
enum Step {
    Append { message: u8, done: bool, times: u8 },
    RaiseFloor(u64),
    Crash { undurable: u64, leased: u64 },
    ReplaceLog(u64),
    ChangeView,
    Serve { pipe: usize, frames: usize, merge: u64 },
    Carry { pipe: usize, bytes: usize },
    Cut(usize),
    Hush(usize),
    Swallow(usize),
    Repeat(usize),
    Beat(usize),
    Bye { pipe: usize, reason: pb::ByeReason, min: u32, max: u32 },
    Refuse(Option<Ending>),
    Nudge(Nudge),
    Wait(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let ending = prop_oneof![
        Just(Some(Ending::Broken)),
        Just(None),
        Just(Some(Ending::Later { code: pb::ErrorCode::Unauthenticated, retry_after: Duration::ZERO })),
        Just(Some(Ending::Refused {
            code: pb::ErrorCode::Unavailable,
            message: String::new(),
            retry_after: Duration::from_millis(700)
        })),
    ];
    let bye = prop_oneof![
        Just(pb::ByeReason::Restart),
        Just(pb::ByeReason::Overload),
        Just(pb::ByeReason::Moved),
        Just(pb::ByeReason::Slow),
        Just(pb::ByeReason::Unknown),
    ];
    let nudge = prop_oneof![Just(Nudge::Person), Just(Nudge::Network), Just(Nudge::Wake)];
    let step = prop_oneof![
        6 => (0u8..3, prop::bool::weighted(0.2), 1u8..6).prop_map(|(message, done, times)| Step::Append { message, done, times }),
        1 => (1u64..6).prop_map(Step::RaiseFloor),
        1 => (0u64..5, 0u64..5).prop_map(|(undurable, leased)| Step::Crash { undurable, leased }),
        1 => (0u64..20).prop_map(Step::ReplaceLog),
        1 => Just(Step::ChangeView),
        8 => (0usize..4, 1usize..6, 1u64..7).prop_map(|(pipe, frames, merge)| Step::Serve { pipe, frames, merge }),
        8 => (0usize..4, 1usize..200).prop_map(|(pipe, bytes)| Step::Carry { pipe, bytes }),
        3 => (0usize..4).prop_map(Step::Cut),
        1 => (0usize..4).prop_map(Step::Hush),
        1 => (0usize..4).prop_map(Step::Swallow),
        1 => (0usize..4).prop_map(Step::Repeat),
        1 => (0usize..4).prop_map(Step::Beat),
        1 => (0usize..4, bye, 0u32..2000, 0u32..4000).prop_map(|(pipe, reason, min, max)| Step::Bye { pipe, reason, min, max }),
        2 => ending.prop_map(Step::Refuse),
        3 => nudge.prop_map(Step::Nudge),
        3 => (0u64..30_000).prop_map(Step::Wait),
    ];
    prop::collection::vec(step, 0..120)
}

fn play(world: &mut World, step: Step) {
    match step {
        Step::Append { message, done, times } => (0..times).for_each(|_| world.append(message, done)),
        Step::RaiseFloor(by) => world.raise_floor(by),
        Step::Crash { undurable, leased } => world.crash(undurable, leased),
        Step::ReplaceLog(n) => world.replace_log(n),
        Step::ChangeView => world.change_view(),
        Step::Serve { pipe, frames, merge } => world.serve(pipe, frames, merge),
        Step::Carry { pipe, bytes } => world.carry(pipe, bytes),
        Step::Cut(pipe) => world.cut(pipe),
        Step::Hush(pipe) => world.hush(pipe),
        Step::Swallow(pipe) => world.swallow(pipe),
        Step::Repeat(pipe) => world.repeat(pipe),
        Step::Beat(pipe) => world.beat(pipe),
        Step::Bye { pipe, reason, min, max } => world.bye(pipe, reason, min, max),
        Step::Refuse(ending) => world.refuse_next(ending),
        Step::Nudge(nudge) => world.nudge(nudge),
        Step::Wait(ms) => world.wait(Duration::from_millis(ms)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, max_shrink_iters: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn a_broken_reader_shows_what_an_unbroken_one_shows(seed: u64, steps in steps()) {
        let mut world = World::new(seed).start();
        for step in steps {
            play(&mut world, step);
        }

        world.run(Duration::from_secs(600));

        world.assert_whole();
        prop_assert!(world.is_live());
        prop_assert_eq!(world.open_attempts(), 1);
        prop_assert!(world.missing.is_empty());
    }

    #[test]
    fn a_broken_reader_that_knew_no_log_shows_what_an_unbroken_one_shows(seed: u64, held in 0u64..20, before in 0u64..20, steps in steps()) {
        let mut world = World::reading_from(Position { last: cursor(held.min(before)), ..Position::default() }, seed);
        world.append_many(before);
        let mut world = world.start();
        for step in steps {
            play(&mut world, step);
        }

        world.run(Duration::from_secs(600));

        prop_assert_eq!(world.resume.position().last.get(), world.head());
        prop_assert!(world.is_live());
    }

    #[test]
    fn no_bytes_and_no_order_of_calls_make_it_panic(
        seed: u64,
        calls in prop::collection::vec((0u8..8, 0u64..6, prop::collection::vec(any::<u8>(), 0..40), 0u64..100_000_000), 0..60),
    ) {
        let mut resume = Resume::new(Position::default(), seed);
        let (mut now, mut ids) = (Tick(0), Vec::new());
        for (call, which, bytes, wait) in calls {
            now = now + Duration::from_micros(wait);
            let id = ids.get(which as usize).copied();
            match (call, id) {
                (0, _) => resume.start(now),
                (1 | 2, Some(id)) => resume.handle_bytes(now, id, &bytes),
                (3, Some(id)) => resume.handle_end(now, id, Ending::Broken),
                (4, Some(id)) => resume.handle_life(now, id),
                (5, _) => resume.handle_nudge(now, Nudge::Network),
                (6, Some(id)) => if let Ok(f) = Frame::decode(bytes.into()) { resume.handle_frame(now, id, f) },
                _ => resume.handle_wake(now),
            }
            while let Some(action) = resume.poll() {
                if let Action::Open { attempt, .. } = action { ids.push(attempt); }
            }
        }
    }
}

/// A reader at 40 of 45, live.
fn at_forty() -> World {
    let mut world = World::new(7).start();
    world.append_many(40);
    world.flow();
    assert_eq!(world.resume.position().last.get(), 40);
    world.append_many(5);
    world
}

#[test]
fn the_place_survives_streams_that_brought_nothing() {
    let mut world = at_forty();
    for silent_end in 0..3 {
        world.cut(0);
        world.carry(0, 0);
        world.wait(SECOND * 10);
        if silent_end == 2 {
            world.bye(0, pb::ByeReason::Slow, 0, 0);
            world.carry(0, usize::MAX);
        }
    }
    world.run(MINUTE);

    assert!(world.asked.iter().skip(1).all(|(_, at)| at.last == cursor(40)));
    assert_eq!((world.resets, world.rows.len()), (0, 45));
    world.assert_whole();
}

#[test]
fn edges_of_the_kept_window() {
    for (from, resets, first) in
        [(99, 0, 100), (98, 1, 100), (0, 1, 100), (200, 0, 201), (201, 1, 100), ((1 << 53) - 1, 1, 100)]
    {
        let mut world = World::reading_from(Position { last: cursor(from), ..Position::default() }, 1);
        world.append_many(200);
        world.raise_floor(99);
        let mut world = world.start();
        world.flow();

        assert_eq!(world.resets, resets, "from {from}");
        assert_eq!(world.rows.first_key_value().map_or(201, |(c, _)| *c), first, "from {from}");
        assert_eq!(world.resume.position().last.get(), 200);
    }
}

#[test]
fn a_break_of_ones_own_is_answered_at_once_and_the_next_one_not() {
    let mut world = at_forty();
    world.run(MINUTE);
    let before = world.asked.len();
    for _ in 0..2 {
        world.refuse_next(Some(Ending::Broken));
    }
    world.cut(0);
    world.carry(0, 0);

    let at: Vec<_> = world.asked[before..].iter().map(|(t, _)| *t).collect();
    assert_eq!(at, [world.now]);
    world.run(SECOND);
    assert!(world.is_live());
}

#[test]
fn a_frame_that_is_missing_is_asked_for_again() {
    let mut world = World::new(3).start();
    world.append_many(6);
    world.run(SECOND);
    world.append_many(3);
    world.swallow(0);
    world.serve(0, 3, 1);
    world.carry(0, usize::MAX);

    assert_eq!(world.asked.last().unwrap().1.last, cursor(6));
    world.run(SECOND);
    world.assert_whole();
    assert!(world.missing.is_empty());
}

#[test]
fn a_hole_in_the_log_settles_after_one_more_question_and_is_named() {
    let mut world = World::new(3).start();
    world.append_many(6);
    world.flow();
    world.append_many(3);
    world.damage(7);
    let before = world.asked.len();
    // Frames are served one by one, so that the hole is not hidden inside a merge.
    for _ in 0..1200 {
        (0..world.pipes()).for_each(|i| world.serve(i, 9, 1));
        (0..world.pipes()).for_each(|i| world.carry(i, usize::MAX));
        world.wait(SECOND / 10);
    }

    assert_eq!(world.asked.len() - before, 1);
    assert_eq!(world.missing, [(7, 7)]);
    assert_eq!(world.rows[&7], world::Unit::Lost);
    assert_eq!(world.resume.position().last.get(), 9);
    assert!(world.is_live());
}

#[test]
fn a_tail_that_is_never_sent_is_asked_for_once_named_once_and_left_alone() {
    let mut world = World::new(3).start();
    world.append_many(6);
    world.flow();
    world.append_many(3);
    (7..10).for_each(|n| world.damage(n));
    let before = world.asked.len();
    world.run(MINUTE * 30);

    assert_eq!(world.asked.len() - before, 1);
    assert_eq!(world.missing, [(7, 9)]);
    assert_eq!(world.resume.position().last.get(), 6);
    assert!(world.is_live());
}

#[test]
fn a_lost_tail_is_seen_by_the_next_heartbeat() {
    let mut world = World::new(4).start();
    world.append_many(3);
    world.flow();
    world.append(0, false);
    world.swallow(0);
    world.serve(0, 1, 1);
    world.run(MINUTE * 2);

    world.assert_whole();
}

#[test]
fn an_idle_line_with_heartbeats_is_never_judged_dead() {
    let mut world = at_forty();
    world.flow();
    world.append(0, true);
    world.flow();
    let before = world.asked.len();
    world.run(MINUTE * 60);

    assert_eq!(world.asked.len(), before);
    assert!(world.is_live());
}

#[test]
fn a_dead_line_is_left_after_two_and_a_half_beats_and_the_old_one_runs_on_until_then() {
    let mut world = at_forty();
    world.flow();
    world.append(0, true);
    world.flow();
    let before = world.asked.len();
    world.hush(0);
    world.wait(Duration::from_millis(149_999));
    assert_eq!(world.asked.len(), before);
    world.wait(Duration::from_millis(1));

    assert_eq!(world.asked.len(), before + 1);
    assert_eq!(world.open_attempts(), 2);
    assert!(world.states.contains(&State::Reconnecting(Why::Silent)));
    world.run(SECOND);
    assert_eq!(world.open_attempts(), 1);
    assert!(world.is_live());
}

#[test]
fn a_person_who_acts_gets_a_verdict_within_three_seconds() {
    let mut world = at_forty();
    world.flow();
    world.append(0, true);
    world.flow();
    world.hush(0);
    world.wait(SECOND * 20);
    let probes = world.probes;
    world.nudge(Nudge::Person);
    assert_eq!(world.probes, probes + 1);
    world.append_many(1);
    world.wait(SECOND * 2);
    world.flow();

    world.assert_whole();
}

#[test]
fn an_open_message_that_stalls_is_probed_and_left() {
    let mut world = at_forty();
    world.flow();
    let before = world.asked.len();
    world.hush(0);
    world.wait(SECOND * 3);
    assert_eq!(world.asked.len(), before + 1);

    let mut patient = at_forty();
    patient.resume.set_foreground(false);
    patient.flow();
    patient.hush(0);
    let before = patient.asked.len();
    patient.wait(SECOND * 100);
    assert_eq!((patient.asked.len(), patient.probes), (before, 0));
}

#[test]
fn probes_of_an_open_message_become_rare_while_it_is_only_thought_about() {
    let mut world = at_forty();
    world.run(MINUTE * 10);

    assert!((10..60).contains(&world.probes), "{}", world.probes);
    assert!(world.is_live());
}

#[test]
fn another_network_starts_a_second_attempt_and_the_first_still_delivers() {
    let mut world = at_forty();
    world.nudge(Nudge::Network);
    assert_eq!(world.open_attempts(), 2);
    world.serve(0, 9, 1);
    world.carry(0, usize::MAX);
    assert_eq!(world.rows.len(), 45);
    world.flow();

    assert_eq!(world.open_attempts(), 1);
    world.append_many(3);
    world.run(SECOND);
    world.assert_whole();
}

#[test]
fn in_the_dark_attempts_are_joined_by_others_and_four_is_the_most() {
    let mut world = at_forty();
    for _ in 0..12 {
        world.refuse_next(None);
    }
    world.hush(0);
    world.nudge(Nudge::Network);
    world.wait(SECOND * 20);

    assert!((8..=12).contains(&(world.asked.len() - 1)), "{}", world.asked.len());
    assert!(world.open_attempts() <= 4);
    world.run(SECOND * 10);
    world.assert_whole();
}

#[test]
fn a_refusal_for_good_is_the_last_attempt_and_says_why() {
    for code in [pb::ErrorCode::Denied, pb::ErrorCode::NotFound, pb::ErrorCode::Unauthenticated] {
        let mut world = at_forty();
        world.flow();
        world.refuse_next(Some(Ending::Refused { code, message: "no".into(), retry_after: Duration::ZERO }));
        let before = world.asked.len();
        world.cut(0);
        world.carry(0, 0);
        world.run(MINUTE * 60);

        assert_eq!(world.asked.len() - before, 1);
        assert_eq!(world.ended(), Some(&End::Refused { code, message: "no".into() }));
        assert_eq!(world.resume.wake_at(), None);
        world.nudge(Nudge::Person);
        assert_eq!(world.asked.len() - before, 1);
    }
}

#[test]
fn failures_of_the_opening_and_spent_tickets_are_tried_again() {
    let mut world = World::new(9);
    world.append_many(5);
    world.refuse_next(Some(Ending::Refused {
        code: pb::ErrorCode::Unavailable,
        message: String::new(),
        retry_after: Duration::ZERO,
    }));
    world.refuse_next(None);
    world.refuse_next(Some(Ending::Broken));
    world.refuse_next(Some(Ending::Later { code: pb::ErrorCode::Unauthenticated, retry_after: Duration::ZERO }));
    let mut world = world.start();
    world.run(SECOND * 10);

    world.assert_whole();
}

#[test]
fn a_bye_that_denies_ends_it_and_one_that_replaces_an_older_attempt_does_not() {
    let mut world = at_forty();
    world.bye(0, pb::ByeReason::Denied, 0, 0);
    world.carry(0, usize::MAX);
    assert_eq!(world.ended(), Some(&End::Denied));

    let mut world = at_forty();
    world.nudge(Nudge::Network);
    world.bye(0, pb::ByeReason::Replaced, 0, 0);
    world.run(SECOND);
    assert_eq!(world.ended(), None);
    world.assert_whole();

    let mut world = at_forty();
    world.bye(0, pb::ByeReason::Replaced, 0, 0);
    world.run(MINUTE);
    assert_eq!((world.ended(), world.asked.len()), (Some(&End::Replaced), 1));
}

#[test]
fn two_hundred_readers_come_back_spread_over_the_range_that_was_asked_for() {
    let mut at = Vec::new();
    for seed in 0..200 {
        let mut world = World::new(seed).start();
        world.flow();
        world.bye(0, pb::ByeReason::Restart, 1000, 5000);
        world.carry(0, usize::MAX);
        let before = world.now;
        world.nudge(Nudge::Network);
        world.wait(SECOND * 5);
        assert!(world.asked.len() >= 2);
        at.push(world.asked[1].0.since(before).as_millis());
    }

    assert!(at.iter().all(|ms| (1000..=5000).contains(ms)));
    let tenths: BTreeSet<_> = at.iter().map(|ms| (ms - 1000) / 400).collect();
    assert!(tenths.len() >= 10);
}

#[test]
fn a_reset_that_answers_an_old_question_changes_nothing() {
    let mut world = World::new(5).start();
    world.append_many(50);
    world.serve(0, 10, 1);
    world.carry(0, usize::MAX);
    world.serve(0, 40, 1);
    // The second attempt asks from 10, the first brings everything, and the floor passes 10.
    world.nudge(Nudge::Network);
    world.cut(1);
    world.carry(1, 0);
    world.carry(0, usize::MAX);
    world.run(SECOND);

    assert_eq!((world.resets, world.rows.len()), (0, 50));
}

#[test]
fn another_log_and_another_view_are_resets_and_what_was_read_before_is_gone() {
    let mut world = at_forty();
    world.flow();
    world.replace_log(60);
    world.run(SECOND);
    world.assert_whole();
    assert_eq!(world.resets, 1);
    world.cut(0);
    world.replace_log(80);
    world.run(SECOND * 5);
    world.assert_whole();
    world.change_view();
    world.run(SECOND);
    world.assert_whole();
    assert_eq!(world.resets, 3);
}

#[test]
fn a_box_that_forgets_the_reset_is_reset_all_the_same() {
    let mut resume = Resume::new(Position { last: cursor(40), log: Some(LogId([9; 16])), view: None }, 1);
    resume.start(Tick(0));
    let id = std::iter::from_fn(|| resume.poll())
        .find_map(|a| if let Action::Open { attempt, .. } = a { Some(attempt) } else { None })
        .unwrap();
    let hello = pb::Hello { log: LogId([1; 16]).to_string(), view: 1, floor: 1, head: 2, beat_ms: 0 };
    let delta = |cur| pb::Frame {
        v: 1,
        cur,
        data: Some(pb::frame::Data::TextDelta(pb::TextDelta { text: "x".into(), ..Default::default() })),
        ..Default::default()
    };
    let hello = pb::Frame { v: 1, data: Some(pb::frame::Data::Hello(hello)), ..Default::default() };
    for f in [hello, delta(1), delta(2)] {
        resume.handle_frame(Tick(1), id, Frame::check(f).unwrap());
    }

    let kinds: Vec<_> = std::iter::from_fn(|| resume.poll())
        .filter_map(|a| if let Action::Deliver(f) = a { f.kind().map(|k| k.name()) } else { None })
        .collect();
    assert_eq!(kinds, ["reset", "text-delta", "text-delta"]);
    assert_eq!(resume.position().log, Some(LogId([1; 16])));
}

#[test]
fn a_kind_that_nobody_knows_moves_the_reader_on() {
    let mut world = World::new(1).start();
    world.flow();
    let id = std::iter::from_fn(|| world.resume.poll()).count();
    assert_eq!(id, 0);
    let mut resume = Resume::new(Position::default(), 1);
    resume.start(Tick(0));
    let id = std::iter::from_fn(|| resume.poll())
        .find_map(|a| if let Action::Open { attempt, .. } = a { Some(attempt) } else { None })
        .unwrap();
    let hello = pb::Hello { log: LogId([1; 16]).to_string(), floor: 1, head: 1, ..Default::default() };
    let hello = pb::Frame { v: 1, data: Some(pb::frame::Data::Hello(hello)), ..Default::default() };
    // Field 99, and field 12 as a text: cur 1.
    let unknown = [0x10, 1, 0x9a, 0x06, 0, 0x62, 1, b'm'];
    resume.handle_frame(Tick(1), id, Frame::check(hello).unwrap());
    resume.handle_frame(Tick(1), id, Frame::decode(unknown.to_vec().into()).unwrap());

    assert_eq!(resume.position().last, cursor(1));
}
