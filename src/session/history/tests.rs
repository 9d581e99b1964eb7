//! Pages of a log that crashes have torn and the floor has passed.

use vyre_proto::event::Event;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream::event::Data as EventData;

use super::*;
use crate::clock::Clock;
use crate::session::AttachRequest;
use crate::store::Limits;

fn boxed(dir: &std::path::Path) -> (Sessions, Store) {
    let clock = Clock::system();
    let store = Store::open(dir, clock.clone(), Limits { log_frames: 60, log_bytes: 1 << 30 }).unwrap();
    (Sessions::new(store.clone(), clock), store)
}

fn event(n: u64) -> Event {
    let (id, session, actor) = (format!("e{n}"), "s".to_owned(), "person:ana".to_owned());
    let data = match n {
        0 => EventData::ThreadStarted(pb::ThreadStarted::default()),
        n => EventData::ThreadUser(pb::ThreadUser { message: format!("m{n}"), text: "x".into(), ..Default::default() }),
    };
    // With a time of its own each frame is the same however often it is made.
    Event::check(pb::Event { id, session, actor, time: 1000 + n, data: Some(data), ..Default::default() }).unwrap()
}

#[tokio::test]
async fn after_crashes_what_has_left_the_log_comes_under_the_cursors_that_it_had() {
    let mut dir = tempfile::tempdir().unwrap();
    let id = SessionId::parse("s").unwrap();
    let mut seen: Vec<pb::Frame> = Vec::new();
    let mut n = 0;
    for _ in 0..6 {
        let (sessions, store) = boxed(dir.path());
        for _ in 0..30 {
            let done = sessions.submit((n..n + 1).map(event).collect()).await;
            sessions.durable().wait(done.commit).await.unwrap();
            n += 1;
        }
        // All that was shown, and what the crash before took.
        let session = sessions.get(&id).await.unwrap();
        let asked = crate::session::Asked { from: seen.last().map_or(0, |f| f.cur), ..Default::default() };
        let mut reader = session.attach(AttachRequest { asked, unmerged: true, client: None });
        while seen.last().map_or(0, |f| f.cur) < session.bounds().head.get() {
            let piece = reader.next().await.unwrap();
            seen.extend(each(&piece).map(|r| pb::Frame::decode(r).unwrap()).filter(|f| f.cur > 0));
        }
        let crashed = tempfile::tempdir().unwrap();
        sessions.durable().wait(store.issued()).await.unwrap();
        crate::session::tests::copy_store(dir.path(), crashed.path());
        dir = crashed;
    }
    let (sessions, _store) = boxed(dir.path());
    let session = sessions.get(&id).await.unwrap();
    assert!(session.bounds().floor.get() > 100);
    assert_eq!(seen.iter().filter(|f| matches!(f.data, Some(Data::Lost(_)))).count(), 5);

    for limit in [1, 7, 100, 500] {
        // The last crash took away what comes after.
        let end = Cursor::new(seen.last().unwrap().cur + 1);
        let (mut before, mut all, mut more) = (end, Vec::new(), true);
        while more && all.len() < 40 * limit as usize {
            let page = sessions.history(&session, &Class::everything(), before, limit).await.unwrap();
            assert!((1..=limit as usize).contains(&page.frames.len()), "{limit} {before:?}");
            let first = &page.frames[0];
            before = Cursor::new(first.cur + 1 - first.span.max(1));
            more = page.more;
            all.splice(0..0, page.frames);
        }
        let want = &seen[seen.len() - all.len()..];
        assert!(all == want && (all.len() == seen.len() || limit == 1), "{limit}: {} of {}", all.len(), seen.len());
    }
}
