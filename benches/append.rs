//! Question: how much of what bare redb commits does the box's append reach, disk on?
//!
//! Floor: the same bytes (the events and the frames they make) in rows of one record, in groups of 1,000, with the same
//! durability and quick repair.

use std::time::Duration;
use std::time::Instant;

use bytes::BytesMut;
use prost::Message;
use redb::Database;
use redb::Durability;
use redb::TableDefinition;
use vyre_proto::event::Event;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data;
use vyre_stream::clock::Clock;
use vyre_stream::session::Sessions;
use vyre_stream::store::Limits;
use vyre_stream::store::Store;

const COUNT: u64 = 200_000;
const GROUP: u64 = 1000;

fn event(n: u64, data: Data) -> Event {
    let (session, actor) = ("bench".to_owned(), "assistant:helper".to_owned());
    let acts_for = "person:robin".to_owned();
    let (id, turn) = (format!("bench.{n:09}"), "bench-t1".to_owned());
    Event::check(pb::Event { id, session, turn, actor, acts_for, time: 1, data: Some(data), ..Default::default() })
        .unwrap()
}

fn delta(n: u64) -> Event {
    let message = format!("bench-m{}", n / 500);
    event(n, Data::ThreadDelta(pb::ThreadDelta { message, text: "x".repeat(200), ..Default::default() }))
}

fn bare(frame_len: usize, event_len: usize) -> f64 {
    const FRAMES: TableDefinition<(u64, u64), &[u8]> = TableDefinition::new("frames");
    const EVENTS: TableDefinition<(u64, u64), &[u8]> = TableDefinition::new("events");
    let dir = tempfile::tempdir().unwrap();
    let db = Database::create(dir.path().join("bare.redb")).unwrap();
    let (frame, event) = (vec![b'x'; frame_len], vec![b'y'; event_len]);
    let began = Instant::now();
    for group in 0..COUNT / GROUP {
        let mut txn = db.begin_write().unwrap();
        txn.set_durability(Durability::Immediate).unwrap();
        txn.set_quick_repair(true);
        {
            let mut frames = txn.open_table(FRAMES).unwrap();
            let mut events = txn.open_table(EVENTS).unwrap();
            for n in group * GROUP..(group + 1) * GROUP {
                frames.insert((1, n), frame.as_slice()).unwrap();
                events.insert((1, n), event.as_slice()).unwrap();
            }
        }
        txn.commit().unwrap();
    }
    COUNT as f64 / began.elapsed().as_secs_f64()
}

fn ours() -> (f64, Duration, usize) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let clock = Clock::system();
    let store = Store::open(dir.path(), clock.clone(), Limits::default()).unwrap();
    let sessions = Sessions::new(store.clone(), clock);
    let started = event(1 << 40, Data::ThreadStarted(pb::ThreadStarted { title: "T".into(), ..Default::default() }));
    runtime.block_on(async { sessions.submit(vec![started]).await });
    let groups: Vec<Vec<Event>> = (0..COUNT / 256).map(|g| (g * 256..(g + 1) * 256).map(delta).collect()).collect();
    let began = Instant::now();
    let shown = runtime.block_on(async {
        for group in groups {
            let done = sessions.submit(group).await;
            assert!(done.refused.is_empty());
        }
        let shown = began.elapsed();
        sessions.shutdown().await;
        shown
    });
    store.close();
    let took = began.elapsed();
    let size = std::fs::metadata(dir.path().join("vyre.redb")).unwrap().len() as usize;
    ((COUNT / 256 * 256) as f64 / took.as_secs_f64(), shown, size)
}

fn main() {
    let event_len = delta(1).get().encoded_len() + 2;
    let mut out = BytesMut::new();
    let frame = pb::Frame {
        v: 1,
        cur: 100_000,
        id: "bench.000000001".into(),
        session: "bench".into(),
        turn: "bench-t1".into(),
        time: 1,
        author: "assistant:helper".into(),
        acts_for: "person:robin".into(),
        message: "bench-m1".into(),
        data: Some(pb::frame::Data::TextDelta(pb::TextDelta {
            at: 40_000,
            text: "x".repeat(200),
            ..Default::default()
        })),
        ..Default::default()
    };
    vyre_proto::record::encode(&frame, &mut out);
    println!("frame {} bytes, event {event_len} bytes", out.len());
    for _ in 0..3 {
        let floor = bare(out.len(), event_len);
        let (rate, shown, size) = ours();
        println!(
            "bare redb {floor:>9.0}/s   box {rate:>9.0}/s   ratio {:.2}   shown after {shown:?}, file {} MiB",
            rate / floor,
            size >> 20
        );
    }
}
