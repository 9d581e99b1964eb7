//! What a crash, a full disk and a second start leave: everything acknowledged, and no cursor with two meanings.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::timeout;
use vyre_proto::event::Event;
use vyre_proto::frame::Frame;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data as EventData;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::tick::Tick;
use vyre_proto::tick::Wall;
use vyre_stream::clock::Clock;
use vyre_stream::session::AttachRequest;
use vyre_stream::session::PublishError;
use vyre_stream::session::Reader;
use vyre_stream::session::Sessions;
use vyre_stream::store::Limits;
use vyre_stream::store::NotDurable;
use vyre_stream::store::Store;
use vyre_stream::store::read::each;

use crate::disk::Disk;
use crate::disk::Fault;

fn start(disk: &Disk) -> (Sessions, Store) {
    let disk = disk.clone();
    let clock = Clock::system();
    let store = Store::open_with(move || Ok(Box::new(disk.clone())), clock.clone(), Limits::default()).unwrap();
    (Sessions::new(store.clone(), clock), store)
}

fn id() -> SessionId {
    SessionId::parse("s").unwrap()
}

fn event(id: String, data: EventData) -> Event {
    let (session, actor) = ("s".to_owned(), "person:robin".to_owned());
    Event::check(pb::Event { id, session, actor, data: Some(data), ..Default::default() }).unwrap()
}

fn started() -> Event {
    event("start".into(), EventData::ThreadStarted(pb::ThreadStarted { title: "T".into(), ..Default::default() }))
}

fn delta(n: u64) -> Event {
    let text = format!("<{n}>");
    event(format!("e{n}"), EventData::ThreadDelta(pb::ThreadDelta { message: "m".into(), text, ..Default::default() }))
}

/// What has been shown so far: canonical bytes by the last cursor they cover.
type Shown = BTreeMap<u64, Bytes>;

/// Reads everything up to the head and holds it against what was shown before.
async fn read_all(sessions: &Sessions, shown: &mut Shown) -> Vec<Frame> {
    let Ok(session) = sessions.get(&id()).await else { return Vec::new() };
    let head = session.bounds().head.get();
    let mut reader = session.attach(AttachRequest { unmerged: true, ..Default::default() });
    read_to(&mut reader, head, shown).await
}

async fn read_to(reader: &mut Reader, head: u64, shown: &mut Shown) -> Vec<Frame> {
    let mut all = Vec::new();
    let mut last = 0;
    while last < head {
        let piece = timeout(Duration::from_secs(20), reader.next()).await.expect("nothing came").expect("it ended");
        for message in each(&piece) {
            let frame = Frame::decode(message.clone()).unwrap();
            let Some(span) = frame.span() else { continue };
            assert_eq!(span.first().get(), last + 1, "a hole or an overlap");
            last = span.end().get();
            // A lost frame may cover what was shown and did not survive; anything else must be what it was.
            if !matches!(frame.get().data, Some(Data::Lost(_)))
                && let Some(before) = shown.insert(last, message.clone())
            {
                assert_eq!(before, message, "cursor {last} has two meanings");
            }
            all.push(frame);
        }
    }
    all
}

fn words_of(frames: &[Frame]) -> String {
    frames
        .iter()
        .filter_map(|f| match &f.get().data {
            Some(Data::TextDelta(d)) => Some(d.text.as_str()),
            _ => None,
        })
        .collect()
}

/// A small generator: the same seed, the same run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[tokio::test]
async fn stopped_at_any_sync_the_box_keeps_what_it_acknowledged_and_repeats_no_cursor() {
    for stop_at in 1..=24 {
        for torn in [false, true] {
            let mut dice = Dice(stop_at * 2 + u64::from(torn) + 1);
            let mut shown = Shown::new();
            let mut disk = Disk::default();
            let mut acknowledged = 0;
            let mut next = 1;
            // Three lives of one box, each ended by its disk.
            for life in 0..3 {
                let (sessions, store) = start(&disk);
                read_all(&sessions, &mut shown).await;
                disk.set(Some(Fault::StopAtSync(disk.syncs() + stop_at)));
                let mut durable = sessions.durable();
                // What was not acknowledged is sent again under the same ids.
                let mut batch = vec![started()];
                batch.extend((acknowledged + 1..next).map(delta));
                for _ in 0..40 {
                    let done = sessions.submit(std::mem::take(&mut batch)).await;
                    if done.refused.is_empty() {
                        read_all(&sessions, &mut shown).await;
                    }
                    if durable.wait_or_fail(done.commit).await.is_err() || !done.refused.is_empty() {
                        break;
                    }
                    acknowledged = next - 1;
                    let more = dice.roll() % 5 + 1;
                    batch = (next..next + more).map(delta).collect();
                    next += more;
                }
                let left = disk.after_crash(|| torn && dice.roll().is_multiple_of(2));
                drop(sessions);
                store.close();
                disk = left;

                let (sessions, store) = start(&disk);
                let frames = read_all(&sessions, &mut shown).await;
                // Two boxes on one disk would be a fault of the test: a file has a lock.
                store.close();
                let text = words_of(&frames);
                let want: String = (1..=acknowledged).map(|n| format!("<{n}>")).collect();
                assert!(
                    text.starts_with(&want),
                    "sync {stop_at}, life {life}: acknowledged {acknowledged}, has {text}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_full_disk_refuses_by_name_and_the_box_recovers_by_itself() {
    let disk = Disk::default();
    let (sessions, store) = start(&disk);
    let mut shown = Shown::new();
    let done = sessions.submit(vec![started(), delta(1)]).await;
    sessions.durable().wait(done.commit).await.unwrap();

    disk.set(Some(Fault::Full));
    let big = |n: u64| {
        let text = "x".repeat(200_000);
        event(
            format!("e{n}"),
            EventData::ThreadDelta(pb::ThreadDelta { message: "m".into(), text, ..Default::default() }),
        )
    };
    let mut refused = None;
    for n in 2..100 {
        let done = sessions.submit(vec![big(n)]).await;
        let waited = sessions.durable().wait_or_fail(done.commit).await;
        if let Some((_, error)) = done.refused.into_iter().next() {
            refused = Some((n, error));
            break;
        }
        assert!(waited.is_err(), "nothing can be durable on a full disk");
    }
    let (n, error) = refused.expect("a full disk takes events for ever");
    let text = error.to_string();
    assert!(matches!(error, PublishError::Unavailable { .. }) && text.contains("send it again"), "{text}");
    // Readers go on meanwhile.
    assert!(!read_all(&sessions, &mut shown).await.is_empty());

    disk.set(None);
    let mut durable = sessions.durable();
    timeout(Duration::from_secs(20), durable.wait(store.issued())).await.expect("it does not recover").unwrap();
    let done = sessions.submit((1..=n).map(|n| if n == 1 { delta(1) } else { big(n) }).collect()).await;
    assert!(done.refused.is_empty(), "{:?}", done.refused);
    durable.wait(done.commit).await.unwrap();
    let bytes: usize = words_of(&read_all(&sessions, &mut shown).await).len();
    assert_eq!(bytes, 3 + 200_000 * (n as usize - 1));
}

#[tokio::test]
async fn a_disk_that_fills_and_a_restart_in_between_lose_nothing_acknowledged() {
    let disk = Disk::default();
    let (sessions, store) = start(&disk);
    let done = sessions.submit(vec![started(), delta(1)]).await;
    sessions.durable().wait(done.commit).await.unwrap();
    disk.set(Some(Fault::Full));
    let done = sessions.submit(vec![delta(2)]).await;
    assert!(sessions.durable().wait_or_fail(done.commit).await.is_err());
    drop(sessions);
    store.close();

    let disk = disk.after_crash(|| false);
    let (sessions, _store) = start(&disk);
    let mut shown = Shown::new();
    let done = sessions.submit(vec![delta(1), delta(2)]).await;
    assert_eq!((done.accepted, done.duplicates), (1, 1));
    assert_eq!(words_of(&read_all(&sessions, &mut shown).await), "<1><2>");
}

#[tokio::test]
async fn a_stalled_disk_makes_publishers_wait_and_then_refuses_by_name_while_readers_go_on() {
    let disk = Disk::default();
    let (sessions, store) = start(&disk);
    let mut shown = Shown::new();
    let done = sessions.submit(vec![started(), delta(1)]).await;
    sessions.durable().wait(done.commit).await.unwrap();

    disk.set(Some(Fault::Stalled));
    let done = sessions.submit(vec![delta(2)]).await;
    assert!(done.refused.is_empty(), "what is logged is shown at once");
    // Nothing else happens in this test now: the clock runs to the limit by itself.
    tokio::time::pause();
    assert_eq!(sessions.durable().wait_or_fail(done.commit).await, Err(NotDurable::Stalled));
    tokio::time::resume();
    assert_eq!(words_of(&read_all(&sessions, &mut shown).await), "<1><2>");

    disk.set(None);
    sessions.durable().wait(store.issued()).await.unwrap();
    let done = sessions.submit(vec![delta(2), delta(3)]).await;
    assert_eq!((done.accepted, done.duplicates), (1, 1));
}

#[tokio::test]
async fn a_clock_that_jumps_breaks_no_order_and_empties_nothing() {
    let disk = Disk::default();
    let clock = Clock::settable(Tick(1_000_000), Wall(1_800_000_000_000_000));
    let backend = disk.clone();
    let store = Store::open_with(move || Ok(Box::new(backend.clone())), clock.clone(), Limits::default()).unwrap();
    let sessions = Sessions::new(store, clock.clone());
    let mut shown = Shown::new();
    sessions.submit(vec![started()]).await;
    let hour = 3_600_000_000u64;
    let mut next = 1;
    for wall in [2 * hour, 0, 72 * hour, 2 * hour] {
        clock.set(Tick(1_000_000 + next * 1000), Wall(1_800_000_000_000_000 - 2 * hour + wall));
        sessions.submit((next..next + 5).map(delta).collect()).await;
        sessions.sweep_once().await;
        next += 5;
        let frames = read_all(&sessions, &mut shown).await;
        let want: String = (1..next).map(|n| format!("<{n}>")).collect();
        assert_eq!(words_of(&frames), want);
    }
}
