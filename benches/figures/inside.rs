//! How much of what bare redb commits does the box's append reach, disk on, and nothing lost on a clean stop?
//!
//! Floor: the same bytes (the events and the frames they make) in rows of one record, in groups of 1,000, with the same
//! durability and quick repair.

use std::time::Instant;

use prost::Message;
use redb::Database;
use redb::Durability;
use redb::TableDefinition;
use vyre_proto::event::Event;
use vyre_stream::clock::Clock;
use vyre_stream::session::Sessions;
use vyre_stream::store::Limits;
use vyre_stream::store::Store;

use crate::Run;
use crate::events;
use crate::events::FrameBytes;
use crate::report::Goal;
use crate::report::Report;
use crate::report::Row;
use crate::stamp::median;
use crate::wire::server_runtime;

/// Records of one commit of the floor.
const GROUP: u64 = 1000;

/// Events of one submit of the box.
const SUBMIT: u64 = 256;

fn bare(count: u64, frame_len: usize, event_len: usize) -> f64 {
    const FRAMES: TableDefinition<(u64, u64), &[u8]> = TableDefinition::new("frames");
    const EVENTS: TableDefinition<(u64, u64), &[u8]> = TableDefinition::new("events");
    let dir = tempfile::tempdir().unwrap();
    let db = Database::create(dir.path().join("bare.redb")).unwrap();
    let (frame, event) = (vec![b'x'; frame_len], vec![b'y'; event_len]);
    let began = Instant::now();
    for group in 0..count / GROUP {
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
    count as f64 / began.elapsed().as_secs_f64()
}

fn ours(count: u64) -> f64 {
    let runtime = server_runtime();
    let dir = tempfile::tempdir().unwrap();
    let clock = Clock::system();
    let store = Store::open(dir.path(), clock.clone(), Limits::default()).unwrap();
    let sessions = Sessions::new(store.clone(), clock);
    runtime.block_on(async { sessions.submit(vec![events::checked(events::started("session"))]).await });
    let group = |g: u64| (g * SUBMIT..(g + 1) * SUBMIT).map(|n| events::checked(events::delta("session", n)));
    let groups: Vec<Vec<Event>> = (0..count / SUBMIT).map(|g| group(g).collect()).collect();
    let began = Instant::now();
    runtime.block_on(async {
        for group in groups {
            let done = sessions.submit(group).await;
            assert!(done.refused.is_empty());
        }
        sessions.shutdown().await;
    });
    store.close();
    (count / SUBMIT * SUBMIT) as f64 / began.elapsed().as_secs_f64()
}

/// Measures.
pub fn run(run: &Run, report: &mut Report) {
    let (reps, count) = run.of((5, 200_000), (3, 100_000));
    let event_len = events::delta("session", 1).encoded_len() + 2;
    let frame_len = FrameBytes::new().stamped(1).len();
    let (mut floor, mut rate) = (Vec::new(), Vec::new());
    for _ in 0..reps {
        floor.push(bare(count, frame_len, event_len));
        rate.push(ours(count));
    }
    report.row(Row {
        figure: "inside",
        what: format!("{count} appends of 200 bytes"),
        unit: "events/s",
        ours: median(rate),
        floor: Some(("bare redb", median(floor))),
        goal: Goal::AtLeast(0.9, 1.0),
    });
}
