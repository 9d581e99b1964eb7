//! Sessions over a real store in a temporary folder.

use std::time::Duration;

use bytes::Bytes;
use tempfile::TempDir;
use tokio::time::timeout;
use vyre_proto::event::Event;
use vyre_proto::frame::Frame;
use vyre_proto::ids::Author;
use vyre_proto::ids::ClientId;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::ByeReason;
use vyre_proto::pb::stream::ResetReason;
use vyre_proto::pb::stream::event::Data as EventData;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::tick::Tick;
use vyre_proto::tick::Wall;

use crate::clock::Clock;
use crate::session::Asked;
use crate::session::AttachRequest;
use crate::session::PublishError;
use crate::session::Reader;
use crate::session::SessionError;
use crate::session::Sessions;
use crate::store::Limits;
use crate::store::Store;
use crate::store::read::each;

/// The store's files as they are on disk now, as a crash would leave them.
pub(crate) fn copy_store(from: &std::path::Path, to: &std::path::Path) {
    for file in ["vyre.redb", "vyre.keys"] {
        std::fs::copy(from.join(file), to.join(file)).unwrap();
    }
}

struct TestBox {
    sessions: Sessions,
    store: Store,
    dir: TempDir,
}

fn boxed(dir: TempDir, limits: Limits) -> TestBox {
    let clock = Clock::system();
    let store = Store::open(dir.path(), clock.clone(), limits).unwrap();
    TestBox { sessions: Sessions::new(store.clone(), clock), store, dir }
}

fn new_box() -> TestBox {
    boxed(tempfile::tempdir().unwrap(), Limits::default())
}

impl TestBox {
    async fn stop(self) -> TempDir {
        self.sessions.shutdown().await;
        self.store.close();
        self.dir
    }

    async fn publish(&self, events: Vec<Event>) -> crate::session::Submitted {
        let done = self.sessions.submit(events).await;
        self.sessions.durable().wait(done.commit).await.unwrap();
        done
    }

    async fn reader(&self, from: u64, unmerged: bool) -> Reader {
        let asked = Asked { from, ..Default::default() };
        self.sessions.get(&id()).await.unwrap().attach(AttachRequest { asked, unmerged, client: None })
    }
}

fn id() -> SessionId {
    SessionId::parse("s").unwrap()
}

fn event(id: impl ToString, data: EventData) -> Event {
    let (session, actor) = ("s".to_owned(), "person:robin".to_owned());
    Event::check(pb::Event { id: id.to_string(), session, actor, data: Some(data), ..Default::default() }).unwrap()
}

fn started() -> Event {
    event("e0", EventData::ThreadStarted(pb::ThreadStarted { title: "T".into(), ..Default::default() }))
}

fn delta(n: u64) -> Event {
    let text = format!("word{n} ");
    event(format!("e{n}"), EventData::ThreadDelta(pb::ThreadDelta { message: "m".into(), text, ..Default::default() }))
}

fn deltas(range: std::ops::RangeInclusive<u64>) -> Vec<Event> {
    range.map(delta).collect()
}

fn frames(piece: &Bytes) -> Vec<Frame> {
    each(piece).map(|m| Frame::decode(m).unwrap()).collect()
}

/// Reads logged and control frames until `head` was reached or the stream ended.
async fn read_to(reader: &mut Reader, head: u64) -> Vec<Frame> {
    let mut all: Vec<Frame> = Vec::new();
    while all.iter().filter_map(Frame::span).map(|s| s.end().get()).max().unwrap_or(0) < head {
        let piece = timeout(Duration::from_secs(10), reader.next()).await.expect("nothing came");
        let Some(piece) = piece else { break };
        all.extend(frames(&piece));
    }
    all
}

/// The cursors of all logged frames; panics where there is a hole or an overlap.
fn cursors(frames: &[Frame]) -> (u64, u64) {
    let spans: Vec<_> = frames.iter().filter_map(Frame::span).collect();
    for w in spans.windows(2) {
        assert_eq!(w[1].first(), w[0].end().next());
    }
    (spans[0].first().get(), spans[spans.len() - 1].end().get())
}

fn text(frames: &[Frame]) -> String {
    let deltas = frames.iter().filter_map(|f| match &f.get().data {
        Some(Data::TextDelta(d)) if d.parts.is_empty() => Some(d.text.clone()),
        Some(Data::TextDelta(d)) => Some(d.parts.concat()),
        _ => None,
    });
    deltas.collect()
}

fn words(range: std::ops::RangeInclusive<u64>) -> String {
    range.map(|n| format!("word{n} ")).collect()
}

#[tokio::test]
async fn what_is_published_is_read_from_any_place_in_order_and_once() {
    let b = new_box();
    b.publish(vec![started()]).await;
    let done = b.publish(deltas(1..=50)).await;
    assert_eq!((done.accepted, done.duplicates, done.refused.len()), (50, 0, 0));

    for from in [0, 1, 17, 50] {
        let all = read_to(&mut b.reader(from, true).await, 51).await;
        assert_eq!(cursors(&all), (from + 1, 51));
    }
    let merged = read_to(&mut b.reader(1, false).await, 51).await;
    assert_eq!(merged.len(), 2, "hello and one merged frame");
    assert_eq!(text(&merged), words(1..=50));
}

#[tokio::test]
async fn a_reader_at_the_head_gets_what_comes_and_nothing_falls_between() {
    let b = new_box();
    b.publish(vec![started()]).await;
    let mut reader = b.reader(0, false).await;
    let sessions = b.sessions.clone();
    let writer = tokio::spawn(async move {
        for n in 1..=300 {
            sessions.submit(vec![delta(n)]).await;
            tokio::task::yield_now().await;
        }
    });
    let all = read_to(&mut reader, 301).await;
    writer.await.unwrap();
    assert_eq!(cursors(&all), (1, 301));
    assert_eq!(text(&all), words(1..=300));
}

#[tokio::test]
async fn publishing_again_changes_nothing_also_after_a_restart() {
    let b = new_box();
    b.publish(vec![started()]).await;
    b.publish(deltas(1..=5)).await;
    let again = b.publish(deltas(3..=7)).await;
    assert_eq!((again.accepted, again.duplicates), (2, 3));
    let b = boxed(b.stop().await, Limits::default());
    let again = b.publish(deltas(1..=8)).await;
    assert_eq!((again.accepted, again.duplicates), (1, 7));
    assert_eq!(b.sessions.get(&id()).await.unwrap().bounds().head.get(), 9);
}

#[tokio::test]
async fn unknown_sessions_are_refused_and_leave_nothing_behind() {
    let b = new_box();
    let done = b.publish(vec![delta(1), started(), delta(2)]).await;
    assert_eq!(done.accepted, 2);
    assert!(matches!(done.refused[..], [(0, PublishError::UnknownSession { .. })]));
    let nobody = SessionId::parse("nobody").unwrap();
    assert!(matches!(b.sessions.get(&nobody).await, Err(SessionError::NotFound)));
    assert_eq!(b.sessions.running().len(), 1);
}

#[tokio::test]
async fn a_clean_stop_loses_no_cursor_and_keeps_the_identity() {
    let b = new_box();
    b.publish(vec![started()]).await;
    b.publish(deltas(1..=9)).await;
    let before = b.sessions.get(&id()).await.unwrap().bounds();
    let b = boxed(b.stop().await, Limits::default());
    assert_eq!(b.sessions.get(&id()).await.unwrap().bounds(), before);
    b.publish(deltas(10..=12)).await;
    let all = read_to(&mut b.reader(0, true).await, 13).await;
    assert_eq!(text(&all), words(1..=12));
    assert!(!all.iter().any(|f| matches!(f.get().data, Some(Data::Lost(_)))));
}

#[tokio::test]
async fn after_a_crash_lost_covers_the_lease_and_the_text_goes_on() {
    let b = new_box();
    b.publish(vec![started()]).await;
    b.publish(deltas(1..=9)).await;
    // The file as a crash would leave it: everything committed, the lease not given back.
    let crashed = tempfile::tempdir().unwrap();
    b.sessions.durable().wait(b.store.issued()).await.unwrap();
    copy_store(b.dir.path(), crashed.path());
    drop(b);

    let b = boxed(crashed, Limits::default());
    let head = b.sessions.get(&id()).await.unwrap().bounds().head.get();
    assert!(head > 10);
    b.publish(deltas(8..=12)).await;
    let all = read_to(&mut b.reader(0, true).await, head + 3).await;
    assert_eq!(cursors(&all), (1, head + 3));
    assert_eq!(text(&all), words(1..=12));
    let lost: Vec<_> = all.iter().filter(|f| matches!(f.get().data, Some(Data::Lost(_)))).collect();
    assert_eq!(lost.len(), 1);
    assert_eq!((lost[0].span().unwrap().first().get(), lost[0].span().unwrap().end().get()), (11, head));
}

#[tokio::test]
async fn a_session_let_go_comes_back_whole() {
    let b = new_box();
    b.publish(vec![started()]).await;
    b.publish(deltas(1..=3)).await;
    b.sessions.durable().wait(b.store.issued()).await.unwrap();
    // The writer holds the session for a moment longer than its commit takes.
    while !b.sessions.running().is_empty() {
        b.sessions.let_go(&id());
        tokio::task::yield_now().await;
    }
    b.publish(deltas(4..=5)).await;
    let all = read_to(&mut b.reader(0, true).await, 6).await;
    assert_eq!(text(&all), words(1..=5));
    assert_eq!(cursors(&all), (1, 6));
}

#[tokio::test]
async fn a_session_that_is_read_is_not_let_go() {
    let b = new_box();
    b.publish(vec![started()]).await;
    let reader = b.reader(0, true).await;
    b.sessions.let_go(&id());
    assert_eq!(b.sessions.running().len(), 1);
    drop(reader);
}

#[tokio::test]
async fn a_reader_behind_the_floor_gets_a_reset_and_goes_on_from_it() {
    let b = boxed(tempfile::tempdir().unwrap(), Limits { log_frames: 100, log_bytes: 1 << 30 });
    b.publish(vec![started()]).await;
    for n in 0..20 {
        b.publish(deltas(n * 20 + 1..=n * 20 + 20)).await;
    }
    let bounds = b.sessions.get(&id()).await.unwrap().bounds();
    assert!(bounds.floor.get() > 300 && bounds.head.get() == 401, "{bounds:?}");
    let all = read_to(&mut b.reader(5, true).await, 401).await;
    let Some(Data::Reset(reset)) = &all[1].get().data else { panic!("{:?}", all[1]) };
    assert_eq!(reset.reason, ResetReason::BehindFloor as i32);
    assert_eq!(cursors(&all), (reset.floor, 401));
    // Exactly before the floor nothing is missing.
    let whole = read_to(&mut b.reader(bounds.floor.get() - 1, true).await, 401).await;
    assert!(!whole.iter().any(|f| matches!(f.get().data, Some(Data::Reset(_)))));
}

#[tokio::test]
async fn a_long_log_is_read_from_disk_and_ring_without_a_seam() {
    let b = new_box();
    b.publish(vec![started()]).await;
    for n in 0..25 {
        b.publish(deltas(n * 400 + 1..=n * 400 + 400)).await;
    }
    for (from, unmerged) in [(0, true), (0, false), (3333, true), (9000, false)] {
        let all = read_to(&mut b.reader(from, unmerged).await, 10_001).await;
        assert_eq!(cursors(&all), (from + 1, 10_001));
        assert_eq!(text(&all), words(from.max(1)..=10_000));
    }
}

#[tokio::test]
async fn merge_borders_do_not_depend_on_where_the_frames_are_read_from() {
    let b = new_box();
    b.publish(vec![started()]).await;
    for n in 0..30 {
        b.publish(deltas(n * 200 + 1..=n * 200 + 200)).await;
    }
    let from_ring_and_disk = read_to(&mut b.reader(0, false).await, 6001).await;
    let b = boxed(b.stop().await, Limits::default());
    let from_disk = read_to(&mut b.reader(0, false).await, 6001).await;
    assert_eq!(from_ring_and_disk[1..], from_disk[1..]);
}

#[tokio::test]
async fn a_stop_says_bye_to_every_reader() {
    let b = new_box();
    b.publish(vec![started()]).await;
    let mut reader = b.reader(0, true).await;
    read_to(&mut reader, 1).await;
    let next = tokio::spawn(async move { (reader.next().await, reader.next().await) });
    b.stop().await;
    let (bye, end) = next.await.unwrap();
    let Some(Data::Bye(bye)) = frames(&bye.unwrap())[0].get().data.clone() else { panic!() };
    assert_eq!(bye.reason, ByeReason::Restart as i32);
    assert!(bye.max_delay_ms > bye.min_delay_ms && end.is_none());
}

#[tokio::test]
async fn a_fifth_attach_of_a_client_ends_the_first_and_nobody_else() {
    let b = new_box();
    b.publish(vec![started()]).await;
    let session = b.sessions.get(&id()).await.unwrap();
    let attach = |n| session.attach(AttachRequest { client: Some((ClientId([1; 16]), n)), ..Default::default() });
    let mut all: Vec<_> = (0..5).map(attach).collect();
    let first = frames(&all[0].next().await.unwrap());
    let Some(Data::Bye(bye)) = &first[0].get().data else { panic!() };
    assert_eq!(bye.reason, ByeReason::Replaced as i32);
    for reader in &mut all[1..] {
        assert!(matches!(frames(&reader.next().await.unwrap())[0].get().data, Some(Data::Hello(_))));
    }
}

#[tokio::test]
async fn an_idle_stream_beats_and_tells_the_head() {
    let b = new_box();
    b.publish(vec![started()]).await;
    let mut reader = b.reader(0, true).await;
    read_to(&mut reader, 1).await;
    tokio::time::pause();
    let began = tokio::time::Instant::now();
    let beat = frames(&reader.next().await.unwrap());
    assert!(matches!(&beat[0].get().data, Some(Data::Heartbeat(h)) if h.head == 1));
    assert!((55..=65).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
}

#[tokio::test]
async fn those_who_take_part_see_it_in_their_list_and_others_do_not() {
    let b = new_box();
    b.publish(vec![started()]).await;
    let robin = b.sessions.list(&Author::person("robin").unwrap()).await.unwrap();
    assert_eq!(robin.iter().map(|s| (s.session.as_str(), s.title.as_str())).collect::<Vec<_>>(), [("s", "T")]);
    assert!(b.sessions.list(&Author::person("mallory").unwrap()).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_session_with_events_and_no_log_is_seeded_under_a_new_identity() {
    let b = new_box();
    b.publish(vec![started()]).await;
    b.publish(deltas(1..=500)).await;
    let before = b.sessions.get(&id()).await.unwrap().bounds();
    let dir = b.stop().await;
    crate::store::forget_log(&dir.path().join("vyre.redb"), &id());

    let b = boxed(dir, Limits::default());
    let all = read_to(&mut b.reader(0, true).await, 501).await;
    assert_eq!(text(&all), words(1..=500));
    let after = b.sessions.get(&id()).await.unwrap().bounds();
    assert_eq!(after.head, before.head);
    assert_ne!(after.log, before.log);
    // Seeded once: what comes later is appended, also after a restart.
    b.publish(deltas(499..=502)).await;
    let b = boxed(b.stop().await, Limits::default());
    assert_eq!(b.sessions.get(&id()).await.unwrap().bounds().log, after.log);
    let all = read_to(&mut b.reader(0, true).await, 503).await;
    assert_eq!(text(&all), words(1..=502));
}

fn cuts(frames: &[Frame]) -> Vec<(u64, String)> {
    let cut = |f: &Frame| match &f.get().data {
        Some(Data::TextCut(c)) => Some((c.at, c.note.clone())),
        _ => None,
    };
    frames.iter().filter_map(cut).collect()
}

#[tokio::test]
async fn a_message_that_a_crash_left_open_waits_a_minute_for_its_writer_and_is_cut() {
    for writer_comes_back in [false, true] {
        let b = new_box();
        b.publish(vec![started()]).await;
        b.publish(deltas(1..=9)).await;
        let crashed = tempfile::tempdir().unwrap();
        b.sessions.durable().wait(b.store.issued()).await.unwrap();
        copy_store(b.dir.path(), crashed.path());
        drop(b);

        let clock = Clock::settable(Tick(1_000_000), Wall(1_700_000_000_000_000));
        let store = Store::open(crashed.path(), clock.clone(), Limits::default()).unwrap();
        let b = TestBox { sessions: Sessions::new(store.clone(), clock.clone()), store, dir: crashed };
        let session = b.sessions.get(&id()).await.unwrap();
        if writer_comes_back {
            b.publish(deltas(9..=10)).await;
        }
        let head = || session.bounds().head.get();
        let before = head();

        clock.set(Tick(60_000_000), Wall(1_700_000_059_000_000));
        b.sessions.sweep_once().await;
        assert_eq!(head(), before, "too early");
        clock.set(Tick(62_000_000), Wall(1_700_000_061_000_000));
        b.sessions.sweep_once().await;

        let all = read_to(&mut b.reader(0, true).await, head()).await;
        let want = ("word".len() as u64 + 2) * 9;
        match writer_comes_back {
            true => assert!(cuts(&all).is_empty()),
            false => assert_eq!(cuts(&all), [(want, "the box stopped while this was being written".to_owned())]),
        }
        clock.set(Tick(200_000_000_000), Wall(1_700_000_061_000_000));
        b.sessions.sweep_once().await;
        let all = read_to(&mut b.reader(0, true).await, head()).await;
        assert_eq!(cuts(&all).len(), 1, "after a day of silence nothing is open");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_session_that_is_asked_for_while_it_is_made_is_made_once() {
    let b = new_box();
    for n in 0..60 {
        let name = SessionId::parse(&format!("s{n}")).unwrap();
        let mut event = started().into_inner();
        event.session = name.to_string();
        let askers: Vec<_> = (0..4)
            .map(|_| {
                let (sessions, name) = (b.sessions.clone(), name.clone());
                tokio::spawn(async move {
                    loop {
                        match sessions.get(&name).await {
                            Ok(session) => return session,
                            Err(e) => assert!(matches!(e, SessionError::NotFound), "{e}"),
                        }
                        // Whoever gives up in between leaves nothing behind either.
                        let _ = timeout(Duration::from_micros(30), sessions.get(&name)).await;
                    }
                })
            })
            .collect();

        b.publish(vec![Event::check(event).unwrap()]).await;

        let session = b.sessions.get(&name).await.unwrap();
        assert_eq!(session.bounds().head.get(), 1);
        for asker in askers {
            assert!(std::sync::Arc::ptr_eq(&asker.await.unwrap().0, &session.0));
        }
    }
}

#[tokio::test]
async fn an_asking_that_is_given_up_leaves_nothing_behind() {
    let b = new_box();
    let nobody = SessionId::parse("nobody").unwrap();

    for _ in 0..50 {
        tokio::select! { biased; _ = b.sessions.get(&nobody) => {}, () = async {} => {} }
    }

    assert_eq!(b.sessions.slots(), 0);
}

#[tokio::test]
async fn what_crashes_took_away_does_not_push_out_what_they_left() {
    let limits = Limits { log_frames: 300_000, log_bytes: 1 << 30 };
    let mut b = boxed(tempfile::tempdir().unwrap(), limits);
    b.publish(vec![started()]).await;
    for crash in 0..8 {
        b.publish(deltas(crash * 5 + 1..=crash * 5 + 5)).await;
        let crashed = tempfile::tempdir().unwrap();
        b.sessions.durable().wait(b.store.issued()).await.unwrap();
        copy_store(b.dir.path(), crashed.path());
        b = boxed(crashed, limits);
    }
    b.publish(deltas(41..=42)).await;

    let bounds = b.sessions.get(&id()).await.unwrap().bounds();
    assert!(bounds.head.get() > limits.log_frames);
    assert_eq!(bounds.floor.get(), 1);
    let all = read_to(&mut b.reader(0, true).await, bounds.head.get()).await;
    assert_eq!(text(&all), words(1..=42));
}
