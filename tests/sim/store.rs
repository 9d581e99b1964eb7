//! The store's file: one owner, damage, versions, growth, and opening after a crash.

use std::fs;
use std::path::Path;
use std::time::Instant;

use vyre_proto::cursor::Cursor;
use vyre_proto::event::Event;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data as EventData;
use vyre_stream::clock::Clock;
use vyre_stream::session::Sessions;
use vyre_stream::store::FrameRun;
use vyre_stream::store::Limits;
use vyre_stream::store::Store;
use vyre_stream::store::StoreError;

fn open(dir: &Path) -> Result<Store, StoreError> {
    Store::open(dir, Clock::system(), Limits::default())
}

fn event(session: &str, id: String, data: EventData) -> Event {
    let (session, actor) = (session.to_owned(), "person:robin".to_owned());
    Event::check(pb::Event { id, session, actor, data: Some(data), ..Default::default() }).unwrap()
}

fn started(session: &str) -> Event {
    let data = pb::ThreadStarted { title: "T".into(), ..Default::default() };
    event(session, format!("{session}.start"), EventData::ThreadStarted(data))
}

fn words(session: &str, n: u64, text: &str) -> Event {
    let data = pb::ThreadDelta { message: "m".into(), text: text.into(), ..Default::default() };
    event(session, format!("{session}.{n}"), EventData::ThreadDelta(data))
}

/// Publishes and waits until it is durable.
async fn publish(sessions: &Sessions, events: Vec<Event>) {
    let done = sessions.submit(events).await;
    assert!(done.refused.is_empty(), "{:?}", done.refused);
    sessions.durable().wait(done.commit).await.unwrap();
}

/// A closed store with three sessions of some thousand frames.
async fn filled(dir: &Path) {
    let store = open(dir).unwrap();
    let sessions = Sessions::new(store.clone(), Clock::system());
    for s in ["a", "b", "c"] {
        publish(&sessions, vec![started(s)]).await;
        for g in 0..10 {
            publish(&sessions, (g * 100..g * 100 + 100).map(|n| words(s, n, "some words ")).collect()).await;
        }
    }
    sessions.shutdown().await;
    store.close();
}

/// Reads every frame of every session. Gives how many cursors could not be read.
fn read_everything(store: &Store) -> Result<u64, StoreError> {
    let mut unreadable = 0;
    for (_, row) in store.sessions()? {
        let mut at = Cursor::ZERO;
        loop {
            match store.frames(row.number, at, 64 * 1024)? {
                FrameRun::Records { end, .. } => {
                    assert!(end > at);
                    at = end;
                }
                FrameRun::Damaged(span) => {
                    unreadable += span.len();
                    at = span.end();
                }
                FrameRun::Nothing => break,
            }
        }
        store.event_ids(row.number)?;
    }
    Ok(unreadable)
}

#[test]
fn a_second_owner_is_refused_in_a_sentence_and_the_first_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let first = open(dir.path()).unwrap();
    let error = open(dir.path()).unwrap_err();
    assert!(matches!(error, StoreError::InUse { .. }));
    assert!(error.to_string().contains("another box is running"), "{error}");
    assert!(first.sessions().unwrap().is_empty());
    first.close();
    assert!(open(dir.path()).is_ok(), "a lock that nobody holds");
}

#[test]
fn what_is_not_a_store_is_refused_and_left_as_it_is() {
    for content in [b"this is a letter and no store".to_vec(), vec![0xff; 100_000], vec![0; 5000]] {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("vyre.redb");
        fs::write(&file, &content).unwrap();
        let error = open(dir.path()).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains("left as it is"), "{error}");
        assert!(fs::read(&file).unwrap() == content, "the file was changed");
    }
}

#[test]
fn some_other_programs_database_and_another_version_are_refused_by_name() {
    const OTHER: redb::TableDefinition<u64, u64> = redb::TableDefinition::new("other");
    const META: redb::TableDefinition<&str, &[u8]> = redb::TableDefinition::new("meta");
    let dir = tempfile::tempdir().unwrap();
    let db = redb::Database::create(dir.path().join("vyre.redb")).unwrap();
    let txn = db.begin_write().unwrap();
    txn.open_table(OTHER).unwrap().insert(1, 1).unwrap();
    txn.commit().unwrap();
    drop(db);
    assert!(open(dir.path()).unwrap_err().to_string().contains("other program"));

    let dir = tempfile::tempdir().unwrap();
    open(dir.path()).unwrap().close();
    let db = redb::Database::create(dir.path().join("vyre.redb")).unwrap();
    let txn = db.begin_write().unwrap();
    txn.open_table(META).unwrap().insert("version", &99u64.to_le_bytes()[..]).unwrap();
    txn.commit().unwrap();
    drop(db);
    assert!(matches!(open(dir.path()).unwrap_err(), StoreError::Version { found: 99, .. }));
}

#[tokio::test]
async fn a_damaged_byte_anywhere_is_an_error_or_a_named_hole_and_never_a_panic() {
    let dir = tempfile::tempdir().unwrap();
    filled(dir.path()).await;
    let whole = fs::read(dir.path().join("vyre.redb")).unwrap();
    let (mut refused, mut holes, mut fine) = (0, 0, 0);
    for place in 0..200 {
        let at = whole.len() * place / 200 + place * 7 % 97;
        let mut bytes = whole.clone();
        bytes[at] ^= 0x5a;
        let bad = tempfile::tempdir().unwrap();
        fs::write(bad.path().join("vyre.redb"), &bytes).unwrap();
        fs::copy(dir.path().join("vyre.keys"), bad.path().join("vyre.keys")).unwrap();
        match open(bad.path()).map(|s| (read_everything(&s), s)) {
            Err(_) | Ok((Err(_), _)) => refused += 1,
            Ok((Ok(0), _)) => fine += 1,
            Ok((Ok(_), _)) => holes += 1,
        }
    }
    assert_eq!(refused + holes + fine, 200);
    assert!(holes > 0, "no damage was met inside a chunk: refused {refused}, fine {fine}");
}

#[tokio::test]
async fn a_file_cut_short_is_an_error_and_never_a_panic_or_an_empty_store() {
    let dir = tempfile::tempdir().unwrap();
    filled(dir.path()).await;
    let whole = fs::read(dir.path().join("vyre.redb")).unwrap();
    for tenth in 1..10 {
        let cut = tempfile::tempdir().unwrap();
        let file = cut.path().join("vyre.redb");
        fs::write(&file, &whole[..whole.len() * tenth / 10]).unwrap();
        fs::copy(dir.path().join("vyre.keys"), cut.path().join("vyre.keys")).unwrap();
        if let Ok(store) = open(cut.path()) {
            assert!(!matches!(store.sessions(), Ok(s) if s.is_empty()), "an empty success at {tenth} tenths");
        }
    }
}

#[tokio::test]
async fn a_replay_that_stands_still_does_not_make_the_file_grow() {
    let dir = tempfile::tempdir().unwrap();
    let limits = Limits { log_frames: 2000, log_bytes: 1 << 20 };
    let store = Store::open(dir.path(), Clock::system(), limits).unwrap();
    let sessions = Sessions::new(store.clone(), Clock::system());
    publish(&sessions, vec![started("s")]).await;
    let id = SessionId::parse("s").unwrap();
    // A reader in the middle of the log that takes nothing more.
    let mut reader = sessions.get(&id).await.unwrap().attach(Default::default());
    reader.next().await.unwrap();
    let size = || fs::metadata(dir.path().join("vyre.redb")).unwrap().len();
    let text = "x".repeat(400);
    let mut sizes = Vec::new();
    for g in 0..30u64 {
        publish(&sessions, (g * 1000..g * 1000 + 1000).map(|n| words("s", n, &text)).collect()).await;
        sizes.push(size());
    }
    let bounds = sessions.get(&id).await.unwrap().bounds();
    // The first chunk that is left is found from its floor.
    assert!(matches!(store.frames(1, bounds.floor.prev(), 1).unwrap(), FrameRun::Records { .. }));
    assert!(bounds.head.above(bounds.floor) <= 2000);
    // Events are kept for good, 1,000 of them are about 500 KB; the log beside them stays within a small multiple of its
    // bound.
    let events = 30 * 1000 * 560;
    assert!(size() < events * 3 / 2 + 12 * (1 << 20), "{sizes:?}");
}

#[test]
fn a_store_of_two_gibibytes_opens_in_under_a_second_after_a_crash() {
    // The size is made by the file's tables, in rows as large as the store's own, and left as a crash would leave it.
    const FRAMES: redb::TableDefinition<(u64, u64), &[u8]> = redb::TableDefinition::new("frames");
    let dir = tempfile::tempdir().unwrap();
    open(dir.path()).unwrap().close();
    let file = dir.path().join("vyre.redb");
    let db = redb::Database::create(&file).unwrap();
    let row = vec![0x42; 60 * 1024];
    for session in 0..35u64 {
        let mut txn = db.begin_write().unwrap();
        txn.set_quick_repair(true);
        {
            let mut frames = txn.open_table(FRAMES).unwrap();
            for n in 0..1000 {
                frames.insert((session, n), row.as_slice()).unwrap();
            }
        }
        txn.commit().unwrap();
    }
    assert!(fs::metadata(&file).unwrap().len() > 2 << 30);
    // As `kill -9` leaves it: the file copied while the database is open, nothing closed. What a running box wrote is on
    // the disk by its commits; of a copy that must be asked for.
    let crashed = tempfile::tempdir_in(dir.path()).unwrap();
    fs::copy(&file, crashed.path().join("vyre.redb")).unwrap();
    fs::copy(dir.path().join("vyre.keys"), crashed.path().join("vyre.keys")).unwrap();
    fs::File::open(crashed.path().join("vyre.redb")).unwrap().sync_all().unwrap();
    drop(db);

    let began = Instant::now();
    let store = open(crashed.path()).unwrap();
    let took = began.elapsed();
    assert!(store.sessions().unwrap().is_empty());
    assert!(took.as_millis() < 1000, "{took:?}");
}

#[tokio::test]
async fn a_backup_of_a_running_box_opens_as_the_same_sessions_under_new_identities() {
    let dir = tempfile::tempdir().unwrap();
    filled(dir.path()).await;
    let store = open(dir.path()).unwrap();
    let sessions = Sessions::new(store.clone(), Clock::system());
    let a = SessionId::parse("a").unwrap();
    let before = sessions.get(&a).await.unwrap().bounds();
    publish(&sessions, vec![words("a", 5000, "the last words")]).await;
    let to = tempfile::tempdir().unwrap();
    let file = to.path().join("vyre.redb");

    let mut steps = Vec::new();
    store.backup(&file, &mut |done, all| steps.push((done, all))).unwrap();
    assert_eq!(steps.last(), Some(&(3, 3)));
    let again = store.backup(&file, &mut |_, _| {}).unwrap_err();
    assert!(again.to_string().contains("exists"), "{again}");

    let restored = open(to.path()).unwrap();
    let sessions = Sessions::new(restored.clone(), Clock::system());
    let session = sessions.get(&a).await.unwrap();
    let after = session.bounds();
    assert_ne!(after.log, before.log);
    assert_eq!(after.head.get(), before.head.get() + 1);
    // Nothing of it is taken twice.
    let done = sessions.submit(vec![words("a", 5000, "the last words"), words("a", 5001, "more")]).await;
    assert_eq!((done.accepted, done.duplicates), (1, 1));
    assert_eq!(read_everything(&restored).unwrap(), 0);
}
