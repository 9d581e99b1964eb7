//! Sessions that grow old under a clock that the test moves.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;

use proptest::prelude::*;
use tempfile::TempDir;
use vyre_proto::event::Event;
use vyre_proto::frame::Frame;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data as EventData;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::tick::Tick;
use vyre_proto::tick::Wall;

use crate::clock::Clock;
use crate::rules::viewer::Class;
use crate::session::Asked;
use crate::session::AttachRequest;
use crate::session::Sessions;
use crate::store::Limits;
use crate::store::Store;
use crate::store::fade::Lane;
use crate::store::forget_log;
use crate::store::read::each;

const HOUR: u64 = 3600 * 1_000_000;
const MINUTE: u64 = 60 * 1_000_000;
/// Some day, in microseconds.
const BEGIN: u64 = 20_000 * 24 * HOUR;

/// A box in a folder, under a clock of its own.
struct Aged {
    sessions: Sessions,
    store: Store,
    dir: TempDir,
    clock: Clock,
    at: (u64, u64),
}

impl Aged {
    fn new() -> Aged {
        Self::at(tempfile::tempdir().unwrap(), (0, BEGIN), Limits::default())
    }

    fn at(dir: TempDir, at: (u64, u64), limits: Limits) -> Aged {
        let clock = Clock::settable(Tick(at.0), Wall(at.1));
        let store = Store::open(dir.path(), clock.clone(), limits).unwrap();
        Aged { sessions: Sessions::new(store.clone(), clock.clone()), store, dir, clock, at }
    }

    /// So much time passes, on both clocks.
    fn pass(&mut self, micros: u64) {
        self.turn(micros, i64::try_from(micros).unwrap());
    }

    /// The clocks move, each by its own.
    fn turn(&mut self, tick: u64, wall: i64) {
        self.at = (self.at.0 + tick, self.at.1.checked_add_signed(wall).unwrap());
        self.clock.set(Tick(self.at.0), Wall(self.at.1));
    }

    async fn close(self) -> (TempDir, (u64, u64)) {
        self.sessions.shutdown().await;
        self.store.close();
        (self.dir, self.at)
    }

    async fn restart(self) -> Aged {
        let (dir, at) = self.close().await;
        Self::at(dir, at, Limits::default())
    }

    async fn publish(&self, events: Vec<Event>) -> crate::session::Submitted {
        let done = self.sessions.submit(events).await;
        assert!(done.refused.is_empty(), "{:?}", done.refused);
        self.sessions.wait_durable(done.commit).await.unwrap();
        done
    }

    async fn frames(&self) -> Vec<pb::Frame> {
        self.read(true).await
    }

    async fn read(&self, unmerged: bool) -> Vec<pb::Frame> {
        let session = self.sessions.get(&id()).await.unwrap();
        let asked = Asked { from: session.bounds().floor.prev().get(), ..Default::default() };
        let mut reader = session.attach(AttachRequest { asked, unmerged, client: None });
        let head = session.bounds().head;
        let mut all = Vec::new();
        while all.last().is_none_or(|f: &pb::Frame| f.cur < head.get()) {
            let piece = reader.next().await.unwrap();
            all.extend(each(&piece).map(|m| Frame::decode(m).unwrap().into_inner()).filter(|f| f.cur > 0));
            if head.get() == 0 {
                break;
            }
        }
        all
    }

    /// Whether these words stand anywhere in the folder.
    fn holds(&self, words: &str) -> bool {
        holds(self.dir.path(), words)
    }
}

fn holds(dir: &std::path::Path, words: &str) -> bool {
    std::fs::read_dir(dir).unwrap().any(|entry| {
        let all = std::fs::read(entry.unwrap().path()).unwrap();
        all.windows(words.len()).any(|w| w == words.as_bytes())
    })
}

fn id() -> SessionId {
    SessionId::parse("s").unwrap()
}

fn by(actor: &str, id: impl ToString, data: EventData) -> Event {
    let (session, actor) = ("s".to_owned(), actor.to_owned());
    Event::check(pb::Event { id: id.to_string(), session, actor, data: Some(data), ..Default::default() }).unwrap()
}

fn started() -> Event {
    by("person:robin", "start", EventData::ThreadStarted(pb::ThreadStarted { title: "T".into(), ..Default::default() }))
}

fn said(n: u64, text: &str) -> Event {
    let data = pb::ThreadUser { message: format!("u{n}"), text: text.into(), ..Default::default() };
    by("person:robin", format!("said{n}"), EventData::ThreadUser(data))
}

fn delta(id: &str, message: &str, text: &str) -> Event {
    let data = pb::ThreadDelta { message: message.into(), text: text.into(), ..Default::default() };
    by("assistant:helper", id, EventData::ThreadDelta(data))
}

fn thinking(id: &str, message: &str, text: &str) -> Event {
    by(
        "assistant:helper",
        id,
        EventData::ThreadThinking(pb::ThreadThinking { message: message.into(), text: text.into() }),
    )
}

fn done(id: &str, message: &str) -> Event {
    by("assistant:helper", id, EventData::ThreadDone(pb::ThreadDone { message: message.into() }))
}

fn shell(id: &str, output: &str) -> Event {
    let (call, command, output) = (id.to_owned(), "ls".to_owned(), output.to_owned());
    by("assistant:helper", id, EventData::ThreadShell(pb::ThreadShell { call, command, output, exit: Some(0) }))
}

fn finished(id: &str, result: &str) -> Event {
    let (call, tool, result) = (id.to_owned(), "look".to_owned(), format!("{result:?}").into_bytes().into());
    by("assistant:helper", id, EventData::ThreadToolFinished(pb::ThreadToolFinished { call, tool, ok: true, result }))
}

/// A talk with a rare word in everything.
fn talk() -> Vec<Event> {
    vec![
        started(),
        said(1, "person-zebra"),
        thinking("t1", "m1", "thought-zebra "),
        delta("d1", "m1", "words-zebra "),
        delta("d2", "m1", "and more"),
        shell("sh", "printed-zebra"),
        finished("c1", "result-zebra"),
        done("e1", "m1"),
        said(2, "again"),
    ]
}

fn words_of(frames: &[pb::Frame]) -> String {
    let text = |f: &pb::Frame| match &f.data {
        Some(Data::TextDelta(d)) => d.text.clone() + &d.parts.concat(),
        Some(Data::TermChunk(d)) => format!("{}{}", d.command, d.output),
        Some(Data::UserMessage(d)) => d.text.clone(),
        _ => String::new(),
    };
    frames.iter().map(text).collect()
}

/// Where the frames stand, whatever they hold.
fn places(frames: &[pb::Frame]) -> Vec<impl PartialEq + std::fmt::Debug> {
    frames.iter().map(|f| (f.cur, f.span, f.id.clone(), f.index, f.data.as_ref().map(std::mem::discriminant))).collect()
}

#[tokio::test]
async fn old_words_and_what_a_shell_printed_are_gone_and_all_else_stays_under_its_cursor() {
    let mut b = Aged::new();
    b.publish(talk()).await;
    let before = b.frames().await;
    b.pass(24 * HOUR - MINUTE);
    b.sessions.expire_all(None).await;
    assert_eq!(b.frames().await, before, "a minute too early");

    b.pass(MINUTE);
    b.sessions.expire_all(None).await;
    let after = b.frames().await;
    assert_eq!(places(&after), places(&before));
    assert_eq!(words_of(&after), "person-zebraagain");
    for (f, was) in after.iter().zip(&before) {
        let fades = matches!(f.data, Some(Data::TextDelta(_) | Data::TermChunk(_)));
        assert_eq!(f.expired, fades);
        if !fades {
            assert_eq!(f, was);
        }
    }
    let again = b.publish(talk()).await;
    assert_eq!((again.accepted, again.duplicates), (0, 9), "what is known stays known");
    assert_eq!(b.frames().await, after);

    // From disk as from memory, and nowhere in the folder.
    let b = b.restart().await;
    assert_eq!(b.frames().await, after);
    let (dir, _) = b.close().await;
    for words in ["thought-zebra", "words-zebra", "and more", "printed-zebra"] {
        assert!(!holds(dir.path(), words), "{words}");
    }
    for words in ["person-zebra", "result-zebra"] {
        assert!(holds(dir.path(), words), "{words}");
    }
}

#[tokio::test]
async fn nothing_that_is_to_go_is_ever_written_in_the_clear_and_its_key_goes_with_it() {
    let mut b = Aged::new();
    b.publish(talk()).await;
    // A message that is held, and one that is open: their words are in the session's row and in its chunks.
    b.publish(vec![thinking("t2", "m2", "held-zebra"), delta("d3", "m3", "open-zebra")]).await;
    let keys = |b: &Aged| std::fs::read(b.dir.path().join("vyre.keys")).unwrap();
    let first = keys(&b)[64..128].to_vec();
    assert_ne!(first, [0; 64]);
    for words in ["thought-zebra", "words-zebra", "printed-zebra", "held-zebra", "open-zebra"] {
        assert!(!b.holds(words), "{words}");
    }
    // What stays open does not keep the key of the others.
    b.pass(26 * HOUR);
    b.sessions.expire_all(None).await;
    b.sessions.expire_all(None).await;
    assert!(!keys(&b).windows(32).any(|w| w == &first[8..40]), "the key of the first hour is still there");
    let words = words_of(&b.frames().await);
    assert!(words.contains("open-zebra") && !words.contains("words-zebra"), "{words}");
    let b = b.restart().await;
    assert_eq!(words_of(&b.frames().await), words);
}

#[tokio::test]
async fn the_words_of_a_group_stay_and_what_a_shell_printed_there_goes() {
    let mut b = Aged::new();
    b.publish(talk()).await;
    b.publish(vec![by("person:kim", "join", EventData::RoomJoined(pb::RoomJoined { who: "person:kim".into() }))]).await;
    b.pass(25 * HOUR);
    b.sessions.expire_all(None).await;
    let words = words_of(&b.frames().await);
    assert!(words.contains("words-zebra") && words.contains("thought-zebra") && !words.contains("printed"), "{words}");
    b.pass(25 * HOUR);
    b.sessions.expire_all(None).await;
    let b = b.restart().await;
    assert_eq!(words_of(&b.frames().await), words);
    assert!(!b.holds("printed-zebra") && b.holds("words-zebra"));
}

#[tokio::test]
async fn a_message_is_as_old_as_its_end_and_goes_as_a_whole() {
    let mut b = Aged::new();
    b.publish(vec![started(), delta("d1", "m", "begin ")]).await;
    b.pass(20 * HOUR);
    b.publish(vec![delta("d2", "m", "middle "), delta("o1", "other", "other"), done("o2", "other")]).await;
    b.pass(20 * HOUR);
    b.publish(vec![delta("d3", "m", "end"), done("e", "m")]).await;
    b.pass(10 * HOUR);
    b.sessions.expire_all(None).await;
    assert_eq!(words_of(&b.frames().await), "begin middle end", "the other one has ended and is gone");
    b.pass(14 * HOUR);
    b.sessions.expire_all(None).await;
    assert_eq!(words_of(&b.frames().await), "");
    let b = b.restart().await;
    assert!(b.frames().await.iter().all(|f| f.expired == matches!(f.data, Some(Data::TextDelta(_)))));
}

#[tokio::test]
async fn a_calendar_set_forth_makes_nothing_old_and_one_set_back_makes_nothing_young() {
    let mut b = Aged::new();
    b.publish(talk()).await;
    let before = b.frames().await;
    b.turn(HOUR, 400 * 24 * HOUR as i64);
    b.sessions.expire_all(None).await;
    assert_eq!(b.frames().await, before);
    b.turn(0, -500 * 24 * HOUR as i64);
    b.publish(vec![delta("late", "m9", "late"), done("late-e", "m9")]).await;
    // Set back it stays while the box restarts: then no time passes that nobody counted.
    let mut b = b.restart().await;
    b.turn(22 * HOUR, 0);
    b.sessions.expire_all(None).await;
    assert_eq!(words_of(&b.frames().await), words_of(&before) + "late");
    b.turn(HOUR, 0);
    b.sessions.expire_all(None).await;
    assert_eq!(words_of(&b.frames().await), "person-zebraagainlate");
    b.turn(HOUR, 0);
    b.sessions.expire_all(None).await;
    assert_eq!(words_of(&b.frames().await), "person-zebraagain");
}

#[tokio::test]
async fn what_grew_old_while_the_box_was_off_is_shown_to_nobody() {
    let b = Aged::new();
    b.publish(talk()).await;
    let (dir, at) = b.close().await;
    let b = Aged::at(dir, (0, at.1 + 30 * HOUR), Limits::default());
    assert_eq!(words_of(&b.frames().await), "person-zebraagain");
}

#[tokio::test]
async fn a_log_made_anew_has_the_same_expired_frames_under_the_same_cursors() {
    let mut b = Aged::new();
    b.publish(talk()).await;
    b.pass(20 * HOUR);
    b.publish(vec![delta("d8", "m8", "younger"), done("e8", "m8")]).await;
    b.pass(5 * HOUR);
    b.sessions.expire_all(None).await;
    let before = b.frames().await;
    assert!(words_of(&before).contains("younger") && !words_of(&before).contains("zebra "));
    let (dir, at) = b.close().await;
    forget_log(&dir.path().join("vyre.redb"), &id());
    let mut b = Aged::at(dir, at, Limits::default());
    assert_eq!(b.frames().await, before);
    // And it goes on growing old from where it was.
    b.pass(19 * HOUR + MINUTE);
    b.sessions.expire_all(None).await;
    assert_eq!(words_of(&b.frames().await), "person-zebraagain");
    assert!(!b.holds("younger"));
}

#[tokio::test]
async fn history_below_the_floor_is_as_old_as_the_log() {
    let limits = Limits { log_frames: 20, ..Limits::default() };
    let mut b = Aged::at(tempfile::tempdir().unwrap(), (0, BEGIN), limits);
    b.publish(talk()).await;
    b.pass(25 * HOUR);
    b.sessions.expire_all(None).await;
    for n in 10..60 {
        b.publish(vec![said(n, ".")]).await;
    }
    let session = b.sessions.get(&id()).await.unwrap();
    assert!(session.bounds().floor.get() > 10);
    let page = b.sessions.history(&session, &Class::everything(), None, 1000).await.unwrap();
    assert_eq!(words_of(&page.frames), format!("person-zebraagain{}", ".".repeat(50)));
    assert_eq!(page.frames.iter().filter(|f| f.expired).count(), 4);
}

#[tokio::test]
async fn a_replay_joins_no_expired_frame_with_one_that_is_not() {
    let mut b = Aged::new();
    b.publish(vec![started(), delta("d1", "m1", "a"), delta("d2", "m1", "b"), done("e1", "m1")]).await;
    b.pass(20 * HOUR);
    b.publish(vec![delta("d3", "m2", "c"), delta("d4", "m2", "d"), done("e2", "m2")]).await;
    b.pass(5 * HOUR);
    b.sessions.expire_all(None).await;
    let merged = b.read(false).await;
    let deltas: Vec<_> = merged.iter().filter(|f| matches!(f.data, Some(Data::TextDelta(_)))).collect();
    assert!(deltas.iter().any(|f| f.span == 2 && !f.expired), "the younger ones are one frame");
    assert!(deltas.iter().all(|f| !f.expired || f.span <= 1));
    assert_eq!(words_of(&merged), "cd");
}

#[tokio::test]
async fn a_backup_has_the_words_and_brings_none_in_the_clear_and_never_stands_in_the_folder() {
    let mut b = Aged::new();
    b.publish(talk()).await;
    let elsewhere = tempfile::tempdir().unwrap();
    let (inside, outside) = (b.dir.path().join("b.redb"), elsewhere.path().join("b.redb"));
    assert!(b.store.backup(&inside, &mut |_, _| ()).is_err());
    b.store.backup(&outside, &mut |_, _| ()).unwrap();
    assert!(holds(elsewhere.path(), "words-zebra"));
    b.pass(HOUR);
    let restored = tempfile::tempdir().unwrap();
    std::fs::copy(&outside, restored.path().join("vyre.redb")).unwrap();
    let mut b = Aged::at(restored, b.at, Limits::default());
    assert!(words_of(&b.frames().await).contains("words-zebra"));
    assert!(!b.holds("words-zebra") && !b.holds("thought-zebra"));
    b.pass(23 * HOUR);
    b.sessions.expire_all(None).await;
    assert_eq!(words_of(&b.frames().await), "person-zebraagain");
}

#[tokio::test]
async fn with_no_limit_everything_stays() {
    let mut b = Aged::new();
    b.sessions.retain_for(None);
    b.publish(talk()).await;
    let before = b.frames().await;
    b.pass(5000 * HOUR);
    assert_eq!(b.sessions.expire_all(None).await, None);
    assert_eq!(b.frames().await, before);
}

#[derive(Debug, Clone)]
enum Step {
    Words(u8),
    Done(u8),
    Shell,
    Said,
    Pass(u64),
    Turn(i64),
    Restart,
    Look,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (0u8..4).prop_map(Step::Words),
        3 => (0u8..4).prop_map(Step::Done),
        1 => Just(Step::Shell),
        1 => Just(Step::Said),
        3 => (0u64..20).prop_map(Step::Pass),
        1 => (-60i64..60).prop_map(Step::Turn),
        1 => Just(Step::Restart),
        2 => Just(Step::Look),
    ]
}

/// What the test knows of the log: each frame as it was first, and when it came on the clock by which things grow old.
#[derive(Default)]
struct Known {
    frames: BTreeMap<u64, (pb::Frame, u64)>,
    /// Frames that have been seen without their content.
    gone: HashMap<u64, ()>,
}

impl Known {
    fn note(&mut self, frames: &[pb::Frame], now: u64) {
        for f in frames {
            self.frames.entry(f.cur).or_insert_with(|| (f.clone(), now));
        }
    }

    /// When what stands at this cursor counts as logged: words with the end of their message. `None`: it does not age.
    fn age(&self, cur: u64) -> Option<u64> {
        let (frame, logged) = &self.frames[&cur];
        match &frame.data {
            Some(Data::TermChunk(_)) => Some(*logged),
            Some(Data::TextDelta(_)) => {
                let ends = |f: &pb::Frame| {
                    f.message == frame.message && matches!(f.data, Some(Data::TextDone(_) | Data::TextCut(_)))
                };
                let end = self.frames.values().find(|(f, _)| ends(f))?.1;
                Some(end.max(*logged))
            }
            _ => None,
        }
    }
}

/// Half an hour more than whole hours, which is what passes: nothing is ever just as old as the limit.
const RETAIN: u64 = 24 * HOUR + HOUR / 2;

async fn play(steps: Vec<Step>) -> Result<(), TestCaseError> {
    let retain = |b: &Aged| b.sessions.retain_for(Some(std::time::Duration::from_micros(RETAIN)));
    let mut b = Aged::new();
    retain(&b);
    let mut known = Known::default();
    // The clock by which things grow old.
    let mut age = BEGIN;
    b.publish(vec![started()]).await;
    for (n, step) in steps.into_iter().enumerate() {
        match step {
            Step::Words(3) => drop(b.publish(vec![thinking(&format!("w{n}"), "m3", "hm ")]).await),
            Step::Words(m) => drop(b.publish(vec![delta(&format!("w{n}"), &format!("m{m}"), &format!("w{n} "))]).await),
            Step::Done(m) => drop(b.publish(vec![done(&format!("e{n}"), &format!("m{m}"))]).await),
            Step::Shell => drop(b.publish(vec![shell(&format!("sh{n}"), &format!("out{n}"))]).await),
            Step::Said => drop(b.publish(vec![said(n as u64, &format!("said{n}"))]).await),
            Step::Pass(hours) => {
                b.pass(hours * HOUR);
                age += hours * HOUR;
                continue;
            }
            Step::Turn(hours) => {
                b.turn(0, hours * HOUR as i64);
                continue;
            }
            Step::Restart => {
                b = b.restart().await;
                retain(&b);
                age = age.max(b.at.1);
            }
            Step::Look => {}
        }
        b.sessions.expire_all(None).await;
        let frames = b.frames().await;
        known.note(&frames, age);
        prop_assert_eq!(frames.len(), known.frames.len());
        for f in &frames {
            let old = known.age(f.cur).is_some_and(|logged| logged + RETAIN <= age);
            // Of thinking alone the end makes no frame, so the frames do not say when that was.
            let unseen = f.expired && f.message == "m3";
            prop_assert!(f.expired == old || unseen, "cursor {} at step {}", f.cur, n);
            prop_assert!(f.expired || !known.gone.contains_key(&f.cur), "{} came back", f.cur);
            let (was, _) = &known.frames[&f.cur];
            if f.expired {
                known.gone.insert(f.cur, ());
                prop_assert_eq!(places(std::slice::from_ref(f)), places(std::slice::from_ref(was)));
                prop_assert_eq!(words_of(std::slice::from_ref(f)), "");
            } else {
                prop_assert_eq!(f, was);
            }
        }
    }
    // Made anew from its events, the log is the same. A start may find the calendar ahead: that was before.
    let b = b.restart().await;
    retain(&b);
    let before = b.frames().await;
    let (dir, at) = b.close().await;
    forget_log(&dir.path().join("vyre.redb"), &id());
    let b = Aged::at(dir, at, Limits::default());
    retain(&b);
    let after = b.frames().await;
    prop_assert_eq!(&after[..before.len()], &before[..]);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn exactly_what_is_older_than_the_limit_is_gone_and_stays_gone(steps in prop::collection::vec(step(), 1..32)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(play(steps))?;
    }
}

#[tokio::test]
async fn a_long_log_goes_in_bounded_slices_each_chunk_once_while_others_publish() {
    let mut b = Aged::new();
    b.publish(vec![started()]).await;
    let text = "words ".repeat(40);
    for run in 0..40u64 {
        let words = |n: u64| delta(&format!("d{n}"), &format!("m{run}"), &text);
        let mut events: Vec<_> = (run * 200..run * 200 + 200).map(words).collect();
        events.push(done(&format!("e{run}"), &format!("m{run}")));
        b.publish(events).await;
    }
    b.pass(25 * HOUR);
    let old = b.sessions.old().unwrap();
    let (store, known) = (b.store.clone(), BTreeSet::new());
    let session = b.sessions.get(&id()).await.unwrap();
    // Opened long ago, so nothing was looked at by that.
    let mut written = 0;
    for lane in [Lane::Events, Lane::Frames] {
        let mut slices = 0;
        while let Some(mut pass) = store.look(1, lane, old, false, &known).unwrap() {
            while let Some(slice) = store.decide(&mut pass).unwrap() {
                let (rows, bytes) = slice.fade.size();
                assert!(rows <= 512 && bytes < 1 << 20, "{rows} rows of {bytes} bytes");
                written += rows;
                slices += 1;
                b.sessions.replace(&session, slice).await.unwrap();
                b.publish(vec![said(slices + if lane == Lane::Events { 0 } else { 1000 }, "meanwhile")]).await;
            }
        }
        assert!(slices > 3, "{slices} slices");
    }
    let chunks = written;
    assert!(b.sessions.expire_all(None).await.is_some());
    assert!(store.look(1, Lane::Frames, old, false, &known).unwrap().is_none(), "nothing is looked at twice");
    assert!(chunks >= 80, "{chunks}");
    let frames = b.frames().await;
    assert!(frames.iter().all(|f| f.expired == matches!(f.data, Some(Data::TextDelta(_)))));
    assert!(words_of(&frames).starts_with("meanwhile"));
}
