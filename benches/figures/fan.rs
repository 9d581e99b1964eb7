//! Does every one of 1,000 readers get every one of 1,000 frames a second, and what does a delivery cost the box?
//!
//! Floor: a bare server with a task for each connection that sends on what was added to one buffer. Readers are one
//! process of one thread, so beside the box it is they who use the machine up; both sides meet the same readers.

use std::time::Duration;
use std::time::Instant;

use futures_util::future::join_all;

use crate::Run;
use crate::child::Part;
use crate::floor;
use crate::floor::Floor;
use crate::report::Goal;
use crate::report::Report;
use crate::report::Row;
use crate::setup::TheBox;
use crate::stamp::Finder;
use crate::stamp::median;
use crate::wire::Source;
use crate::wire::client_runtime;
use crate::wire::soon;

/// Readers.
const READERS: usize = 1000;

/// Frames a second.
const RATE: u64 = 1000;

async fn read_all(mut sources: Vec<Source>, n: u64) -> u64 {
    let each = sources.iter_mut().map(|source| async {
        let (mut finder, mut last) = (Finder::default(), 0);
        let all = async {
            while last < n {
                let Some(bytes) = source.bytes().await else { break };
                finder.feed(&bytes, |_, seq| {
                    assert_eq!(seq, last + 1, "a text is missing or came twice");
                    last = seq;
                });
            }
        };
        let _ = tokio::time::timeout(Duration::from_secs(40), all).await;
        last
    });
    join_all(each).await.iter().sum()
}

/// Microseconds of processor for each delivery, deliveries, and seconds.
async fn measured(server: &Part, sources: Vec<Source>, n: u64) -> (f64, u64, f64) {
    let (cpu, began) = (server.cpu(), Instant::now());
    let got = read_all(sources, n).await;
    ((server.cpu() - cpu) * 1e6 / got as f64, got, began.elapsed().as_secs_f64())
}

/// Measures.
pub fn run(run: &Run, report: &mut Report) {
    let runtime = client_runtime();
    let (mut floor, the_box) = (Floor::start(), TheBox::serve(None));
    let (reps, n) = run.of((3, 3 * RATE), (1, RATE));
    let (mut bare, mut ours, mut share, mut late) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for rep in 0..reps {
        runtime.block_on(async {
            let mut sources = Vec::new();
            for _ in 0..READERS {
                sources.push(floor::ws_source(&floor.web(), "fan").await);
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
            floor.part.tell(&format!("go {RATE} {n}"));
            let (cpu, _, _) = measured(&floor.part, sources, n).await;
            bare.push(cpu);
        });
        floor.part.line();

        let session = format!("session-{rep}");
        let mut producer = the_box.producer(&session);
        runtime.block_on(async {
            let mut sources = Vec::new();
            for _ in 0..READERS {
                let mut source = the_box.read(&the_box.web(), &session, 0, true).await;
                soon(source.bytes()).await.expect("the stream ended");
                sources.push(source);
            }
            producer.tell(&format!("send {RATE} {n} 1"));
            let (cpu, got, seconds) = measured(&the_box.part, sources, n).await;
            ours.push(cpu);
            share.push(got as f64);
            late.push(seconds - n as f64 / RATE as f64);
        });
        producer.line();
    }
    let all = (READERS as u64 * n) as f64;
    report.row(Row {
        figure: "fan",
        what: format!("delivered to {READERS} readers, {RATE}/s"),
        unit: "frames",
        ours: median(share),
        floor: Some(("all", all)),
        goal: Goal::AtLeast(1.0, 1.0),
    });
    report.row(Row {
        figure: "fan",
        what: "processor for each delivery".into(),
        unit: "µs",
        ours: median(ours),
        floor: Some(("bare tungstenite", median(bare))),
        goal: Goal::AtMost(2.0, 1.3),
    });
    report.row(Row {
        figure: "fan",
        what: "the last frame is late by".into(),
        unit: "s",
        ours: median(late),
        floor: None,
        goal: Goal::Note,
    });
    the_box.part.stop();
}
