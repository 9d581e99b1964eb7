//! Readers of several classes over a real session.

use std::time::Duration;

use proptest::prelude::*;
use tempfile::TempDir;
use tokio::time::timeout;
use vyre_proto::event::Event;
use vyre_proto::frame::Frame;
use vyre_proto::ids::Author;
use vyre_proto::pb::stream::ResetReason;
use vyre_proto::pb::stream::event::Data as EventData;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::tick::Tick;
use vyre_proto::tick::Wall;

use super::*;
use crate::clock::Clock;
use crate::rules::caller::Person;
use crate::rules::caller::Roles;
use crate::session::Asked;
use crate::session::AttachRequest;
use crate::session::Reader;
use crate::session::Right;
use crate::session::Session;
use crate::session::Sessions;
use crate::store::Limits;
use crate::store::Store;
use crate::store::read::each;

struct World {
    sessions: Sessions,
    store: Store,
    _dir: TempDir,
}

fn roles(names: &[&str]) -> Roles {
    Roles::new(names.iter().copied()).unwrap()
}

fn event(n: usize, actor: &str, data: EventData) -> Event {
    let (id, session, actor) = (format!("e{n}"), "s".to_owned(), actor.to_owned());
    Event::check(pb::Event { id, session, actor, time: 1 + n as u64, data: Some(data), ..Default::default() }).unwrap()
}

fn started() -> Event {
    let data = pb::ThreadStarted { title: "T".into(), assistant: "assistant:h".into(), ..Default::default() };
    event(0, "person:robin", EventData::ThreadStarted(data))
}

fn delta(n: usize, message: &str, text: &str) -> Event {
    let data = pb::ThreadDelta { message: message.into(), text: text.into(), ..Default::default() };
    event(n, "assistant:h", EventData::ThreadDelta(data))
}

fn result(n: usize, json: &str) -> Event {
    let (call, tool) = (format!("c{n}"), "look".to_owned());
    let data = pb::ThreadToolFinished { call, tool, ok: true, result: json.as_bytes().to_vec().into() };
    event(n, "assistant:h", EventData::ThreadToolFinished(data))
}

fn pay(n: usize, value: &str) -> Event {
    let field = format!(r#"{{"name":"pay","value":"{value}","read_roles":["hr"]}}"#);
    result(n, &format!(r#"{{"block":"record","title":"Robin","fields":[{{"name":"who","value":"Robin"}},{field}]}}"#))
}

impl World {
    async fn new(events: Vec<Event>) -> World {
        let dir = tempfile::tempdir().unwrap();
        let clock = Clock::settable(Tick(1_000_000), Wall(1_700_000_000_000_000));
        let store = Store::open(dir.path(), clock.clone(), Limits::default()).unwrap();
        let world = World { sessions: Sessions::new(store.clone(), clock), store, _dir: dir };
        world.publish(events).await;
        world
    }

    async fn publish(&self, events: Vec<Event>) {
        let done = self.sessions.submit(events).await;
        assert!(done.refused.is_empty(), "{:?}", done.refused);
        self.sessions.durable().wait(done.commit).await.unwrap();
    }

    async fn session(&self) -> Session {
        self.sessions.get(&SessionId::parse("s").unwrap()).await.unwrap()
    }

    async fn reader(&self, who: &str, names: &[&str], asked: Asked, unmerged: bool) -> Reader {
        let session = self.session().await;
        let stay = session.stay_of(&person(who)).unwrap();
        let right = Right { stay, roles: roles(names), in_person: true };
        session.attach_for(AttachRequest { asked, unmerged, client: None }, right)
    }

    async fn stop(self) {
        self.sessions.shutdown().await;
        self.store.close();
    }
}

fn person(name: &str) -> Person {
    Person::new(Author::person(name).unwrap()).unwrap()
}

async fn piece(reader: &mut Reader) -> Bytes {
    timeout(Duration::from_secs(20), reader.next()).await.expect("nothing came").expect("the reader has ended")
}

/// Everything up to the frame at `head`.
async fn read_to(reader: &mut Reader, head: u64) -> Vec<Frame> {
    let mut all: Vec<Frame> = Vec::new();
    while all.iter().filter_map(Frame::span).next_back().is_none_or(|s| s.end().get() < head) {
        all.extend(each(&piece(reader).await).map(|m| Frame::decode(m).unwrap()));
    }
    all
}

fn shows(frames: &[Frame], what: &str) -> bool {
    frames.iter().any(|f| format!("{:?}", f.get()).contains(what))
}

const CLASSES: [&[&str]; 3] = [&[], &["hr"], &["ops"]];

#[tokio::test]
async fn a_thousand_readers_of_three_classes_cost_one_render_of_a_frame_for_each_class() {
    let w = World::new(vec![started()]).await;
    let session = w.session().await;
    let mut readers = Vec::new();
    for n in 0..1000 {
        let names = CLASSES[n % 3];
        let mut reader = w.reader("robin", names, Asked::default(), n % 2 == 0).await;
        read_to(&mut reader, 1).await;
        readers.push(reader);
    }
    assert_eq!(session.renders(), 0, "a log with nothing hidden is drawn for nobody");

    // Live, with words between that are the same for everybody.
    let mut events = Vec::new();
    for n in 0..10 {
        events.push(pay(2 * n + 1, "4200"));
        events.push(delta(2 * n + 2, "m", "word "));
    }
    w.publish(events).await;
    let head = session.bounds().head.get();
    for (n, reader) in readers.iter_mut().enumerate() {
        let frames = read_to(reader, head).await;
        assert_eq!(shows(&frames, "4200"), n % 3 == 1);
    }
    // Ten results, three classes, one render each: the one that may read it all finds it to be the same.
    assert_eq!(session.renders(), 30);

    // And again for everybody who comes back for it.
    for n in 0..20 {
        let mut reader = w.reader("robin", CLASSES[n % 3], Asked::default(), false).await;
        read_to(&mut reader, head).await;
    }
    assert_eq!(session.renders(), 30);
    drop(readers);
    w.stop().await;
}

#[tokio::test]
async fn a_change_of_clearance_resets_the_open_streams_of_that_person_alone() {
    let w = World::new(vec![started(), pay(1, "4200"), delta(2, "m", "word")]).await;
    let session = w.session().await;
    let joined = pb::RoomJoined { who: "person:sam".into() };
    w.publish(vec![event(3, "person:robin", EventData::RoomJoined(joined))]).await;
    let head = session.bounds().head.get();
    let mut robin = w.reader("robin", &["hr"], Asked::default(), false).await;
    let mut sam = w.reader("sam", &["ops"], Asked::default(), false).await;
    assert!(shows(&read_to(&mut robin, head).await, "4200"));
    assert!(!shows(&read_to(&mut sam, head).await, "4200"));

    w.sessions.regrant(Some(session.id()), &person("robin"), &roles(&[]));

    let frames = read_to(&mut robin, head).await;
    let Some(Data::Reset(reset)) = &frames[0].get().data else { panic!("no reset came first: {frames:?}") };
    assert_eq!(reset.reason(), ResetReason::ViewChanged);
    assert_eq!((reset.floor, reset.view), (1, 1));
    assert_eq!(frames[1].span().unwrap().first().get(), 1);
    assert!(!shows(&frames, "4200"));

    // The other goes on as before, and the first goes on live under the new rule.
    w.publish(vec![pay(4, "9900")]).await;
    let (mine, other) = (read_to(&mut robin, head + 1).await, read_to(&mut sam, head + 1).await);
    assert!(other.iter().chain(&mine).all(|f| !matches!(f.get().data, Some(Data::Reset(_)))));
    assert!(!shows(&mine, "9900"));

    // Whoever comes back with rows of the old view is reset, too; with rows of the new one they are not.
    let old = session.class_of(&Right {
        stay: session.stay_of(&person("robin")).unwrap(),
        roles: roles(&["hr"]),
        in_person: true,
    });
    for (view, want) in [(old.view(), 1), (1, 0)] {
        let asked = Asked { from: head, log: Some(session.bounds().log), view: Some(view) };
        let mut again = w.reader("robin", &[], asked, false).await;
        let frames = read_to(&mut again, head + 1).await;
        let resets = frames.iter().filter(|f| matches!(f.get().data, Some(Data::Reset(_)))).count();
        assert_eq!(resets, want);
    }
    drop((robin, sam));
    w.stop().await;
}

#[tokio::test]
async fn a_clearance_that_comes_before_the_greeting_is_told_in_it() {
    let w = World::new(vec![started(), pay(1, "4200")]).await;
    let session = w.session().await;
    let mut reader = w.reader("robin", &["hr"], Asked::default(), false).await;
    session.regrant(&person("robin"), &roles(&[]));
    let frames = read_to(&mut reader, 2).await;
    let Some(Data::Hello(hello)) = &frames[0].get().data else { panic!("no greeting") };
    assert_eq!(hello.view, 1);
    assert!(!shows(&frames, "4200"));
    drop(reader);
    w.stop().await;
}

#[tokio::test]
async fn a_secret_that_an_assistant_writes_in_pieces_gets_to_nobody_in_a_room_of_two() {
    secret_in_pieces(false).await;
}

#[tokio::test]
async fn who_is_left_in_a_room_is_cleared_for_no_more_than_before() {
    secret_in_pieces(true).await;
}

/// `left`: the other one has gone before the reply begins.
async fn secret_in_pieces(left: bool) {
    let joined = pb::RoomJoined { who: "person:sam".into() };
    let mut events = vec![started(), event(1, "person:robin", EventData::RoomJoined(joined)), pay(2, "4200-EUR")];
    let text = format!("{} the pay is 4200-EUR a month, {}", "x".repeat(150), "y".repeat(150));
    events
        .extend(text.as_bytes().chunks(3).enumerate().map(|(n, c)| delta(n + 3, "m", std::str::from_utf8(c).unwrap())));
    if left {
        let gone = EventData::RoomLeft(pb::RoomLeft { who: "person:sam".into() });
        events.insert(3, event(899, "person:robin", gone));
    }
    let done = pb::ThreadDone { message: "m".into() };
    events.push(event(900, "assistant:h", EventData::ThreadDone(done)));
    let w = World::new(events).await;
    let head = w.session().await.bounds().head.get();
    for unmerged in [true, false] {
        let mut reader = w.reader("robin", &["hr"], Asked::default(), unmerged).await;
        let frames = read_to(&mut reader, head).await;
        let words: String = frames
            .iter()
            .filter_map(|f| match &f.get().data {
                Some(Data::TextDelta(d)) if d.parts.is_empty() => Some(d.text.clone()),
                Some(Data::TextDelta(d)) => Some(d.parts.concat()),
                _ => None,
            })
            .collect();
        assert_eq!(words, text.replace("4200-EUR", "[hidden]"));
        let Some(Data::TextDone(done)) = &frames[frames.len() - 1].get().data else { panic!("not done") };
        assert_eq!(done.text_len, words.len() as u64);
    }
    w.stop().await;
}

#[tokio::test]
async fn a_reply_with_what_the_asker_may_not_read_is_refused_and_leaves_nothing() {
    let w = World::new(vec![started()]).await;
    let session = w.session().await;
    let (assistant, asker) = (Author::parse("assistant:h").unwrap(), Author::person("robin").unwrap());
    let mut reply = w.sessions.reply(&session, &assistant, Some(&asker)).unwrap();
    let Some(EventData::ThreadToolFinished(result)) = pay(1, "4200").get().data.clone() else { panic!() };

    reply.cleared_for(roles(&["ops"]));
    assert!(matches!(reply.append(result.clone()).await, Err(crate::session::ReplyError::NotForAsker(_))));
    assert_eq!(session.bounds().head.get(), 1);

    reply.cleared_for(roles(&["hr"]));
    reply.append(result).await.unwrap();
    assert!(session.bounds().head.get() > 1);
    w.stop().await;
}

#[tokio::test]
async fn words_that_a_cut_took_come_back_by_no_replay() {
    let cut = pb::ThreadCut { message: "m".into(), note: "taken back".into() };
    let joined = pb::RoomJoined { who: "person:sam".into() };
    let mut all = vec![started(), event(1, "person:robin", EventData::RoomJoined(joined)), pay(2, "4200-EUR")];
    // What comes late, and what was still held back when the cut came.
    let held = format!("{}TAKENBACK", "x".repeat(60));
    all.extend([delta(3, "m", &held), delta(4, "o", "other "), event(5, "assistant:h", EventData::ThreadCut(cut))]);
    all.extend([delta(6, "m", "TAKENBACK"), delta(7, "o", "words"), delta(8, "m", "TAKENBACK")]);
    let w = World::new(all).await;
    let head = w.session().await.bounds().head.get();
    for unmerged in [true, false] {
        for from in 0..head {
            let asked = Asked { from, ..Asked::default() };
            let frames = read_to(&mut w.reader("robin", &["hr"], asked, unmerged).await, head).await;
            assert!(!shows(&frames, "TAKENBACK"), "from {from}");
            assert!(from > 0 || frames.iter().filter(|f| f.get().cut).count() == 2);
        }
    }
    // Nor from disk.
    w.sessions.shutdown().await;
    w.store.close();
    let World { _dir: dir, .. } = w;
    let clock = Clock::settable(Tick(2_000_000), Wall(1_700_000_001_000_000));
    let store = Store::open(dir.path(), clock.clone(), Limits::default()).unwrap();
    let w = World { sessions: Sessions::new(store.clone(), clock), store, _dir: dir };
    for unmerged in [true, false] {
        let frames = read_to(&mut w.reader("robin", &["hr"], Asked::default(), unmerged).await, head).await;
        assert!(!shows(&frames, "TAKENBACK"));
    }
    w.stop().await;
}

#[derive(Debug, Clone)]
enum Step {
    Words(usize, String),
    Done(usize),
    Record(Vec<Option<String>>),
    Whole,
    Sealed,
}

fn step() -> impl Strategy<Value = Step> {
    let values = prop::collection::vec(prop::option::of("[a-z]{0,6}".prop_map(String::from)), 0..5);
    prop_oneof![
        6 => (0usize..3, "[a-zé]{0,6}|[a-z ]{60,200}").prop_map(|(m, t)| Step::Words(m, t)),
        1 => (0usize..3).prop_map(Step::Done),
        3 => values.prop_map(Step::Record),
        1 => Just(Step::Whole),
        1 => Just(Step::Sealed),
    ]
}

fn events(steps: &[Step], several: bool, mut secret: impl FnMut() -> String) -> Vec<Event> {
    let mut all = vec![started()];
    if several {
        let joined = pb::RoomJoined { who: "person:sam".into() };
        all.push(event(1, "person:robin", EventData::RoomJoined(joined)));
    }
    for (n, step) in steps.iter().enumerate() {
        all.push(match step {
            Step::Words(m, text) => delta(n + 2, &format!("m{m}"), text),
            Step::Done(m) => {
                event(n + 2, "assistant:h", EventData::ThreadDone(pb::ThreadDone { message: format!("m{m}") }))
            }
            Step::Record(values) => {
                let one = |(n, v): (usize, &Option<String>)| match v {
                    Some(v) => format!(r#"{{"name":"f{n}","value":"{v}"}}"#),
                    None => format!(r#"{{"name":"f{n}","value":"{}","read_roles":["hr"]}}"#, secret()),
                };
                let fields: Vec<_> = values.iter().enumerate().map(one).collect();
                result(n + 2, &format!(r#"{{"block":"record","title":"t","fields":[{}]}}"#, fields.join(",")))
            }
            Step::Whole => {
                let fields = format!(r#"[{{"name":"a","value":"{}"}}]"#, secret());
                let title = secret();
                result(
                    n + 2,
                    &format!(r#"{{"block":"record","title":"{title}","fields":{fields},"read_roles":["hr"]}}"#),
                )
            }
            Step::Sealed => {
                let field = format!(r#"{{"name":"iban","sealed":"iban","value":"{}"}}"#, secret());
                result(n + 2, &format!(r#"{{"block":"answer","text":"here","fields":[{field}]}}"#))
            }
        });
    }
    all
}

/// Every byte that the viewer gets from a place on, and the history, with the log's own name taken out.
async fn received(w: &World, from: u64, unmerged: bool) -> (Vec<u8>, Vec<pb::Frame>) {
    let session = w.session().await;
    let head = session.bounds().head.get();
    let mut reader = w.reader("robin", &["ops"], Asked { from, ..Asked::default() }, unmerged).await;
    let mut all = Vec::new();
    let mut at = 0;
    loop {
        let piece = piece(&mut reader).await;
        for m in each(&piece) {
            let frame = Frame::decode(m).unwrap();
            at = frame.span().map_or(at, |s| s.end().get());
        }
        all.extend_from_slice(&piece);
        if at >= head || from >= head {
            break;
        }
    }
    let log = session.bounds().log.to_string();
    while let Some(i) = all.windows(log.len()).position(|w| w == log.as_bytes()) {
        all[i..i + log.len()].fill(b'-');
    }
    let stay = session.stay_of(&person("robin")).unwrap();
    let class = session.class_of(&Right { stay, roles: roles(&["ops"]), in_person: true });
    let page = w.sessions.history(&session, &class, None, 500).await.unwrap();
    (all, page.frames)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn two_logs_that_differ_in_what_is_hidden_are_the_same_to_who_may_not_see_it(
        steps in prop::collection::vec(step(), 1..40),
        several: bool,
        lens in prop::collection::vec((1usize..40, 1usize..9_000), 1..8),
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let same = runtime.block_on(async {
            let (mut a, mut b) = (0, 0);
            let one = World::new(events(&steps, several, || { a += 1; "S".repeat(lens[a % lens.len()].0) + "ECRET" })).await;
            let two = World::new(events(&steps, several, || { b += 1; "ÿ".repeat(lens[b % lens.len()].1) })).await;
            let head = one.session().await.bounds().head.get();
            let mut same = head == two.session().await.bounds().head.get();
            for from in 0..=head {
                for unmerged in [false, true] {
                    let seen = received(&one, from, unmerged).await;
                    same &= seen == received(&two, from, unmerged).await;
                    same &= !String::from_utf8_lossy(&seen.0).contains("SECRET");
                }
            }
            one.stop().await;
            two.stop().await;
            same
        });
        prop_assert!(same);
    }
}
