//! How fast does one reader get 100,000 stored frames, each by itself?
//!
//! Floor: the same bytes over the bare carrier, in pieces of 64 KiB.

use std::time::Instant;

use crate::Run;
use crate::floor;
use crate::floor::Floor;
use crate::report::Goal;
use crate::report::Report;
use crate::report::Row;
use crate::setup::TheBox;
use crate::stamp::Counter;
use crate::stamp::median;
use crate::wire::Source;
use crate::wire::client_runtime;
use crate::wire::soon;

/// Reads so many records. Gives what was counted.
pub async fn records(source: &mut Source, n: u64) -> Counter {
    let mut counter = Counter::default();
    soon(async {
        while counter.records < n {
            counter.feed(&source.bytes().await.expect("the stream ended"));
        }
    })
    .await;
    counter
}

/// Measures.
pub fn run(run: &Run, report: &mut Report) {
    let runtime = client_runtime();
    let (floor, the_box) = (Floor::start(), TheBox::serve(None));
    let (reps, n) = run.of((7, 100_000), (3, 100_000));
    let mut producer = the_box.producer("long");
    producer.ask(&format!("send 0 {n} 64"));
    let mut ours = [Vec::new(), Vec::new()];
    let mut bare = [Vec::new(), Vec::new()];
    let head = runtime.block_on(the_box.head("long"));
    for _ in 0..reps {
        runtime.block_on(async {
            for carrier in [0, 1] {
                let began = Instant::now();
                let (mut source, greeting) = match carrier {
                    0 => (the_box.read(&the_box.web(), "long", 0, false).await, 1),
                    // The answer to the head is a record as well.
                    _ => (the_box.quic().source(&the_box.open_head("long", 0, false)).await, 2),
                };
                let counter = records(&mut source, head + greeting).await;
                ours[carrier].push(head as f64 / began.elapsed().as_secs_f64());

                let want = format!("bulk {}", counter.bytes);
                let began = Instant::now();
                let mut source = match carrier {
                    0 => floor::ws_source(&floor.web(), &want).await,
                    _ => floor.quic().source(&floor::want(&want)).await,
                };
                let mut got = 0;
                while got < counter.bytes {
                    got += soon(source.bytes()).await.expect("the stream ended").len() as u64;
                }
                bare[carrier].push(head as f64 / began.elapsed().as_secs_f64());
            }
        });
    }
    let [ours_ws, ours_quic] = ours;
    let [bare_ws, bare_quic] = bare;
    for (what, ours, floor, beside) in
        [("WebSocket", ours_ws, bare_ws, "bare tungstenite"), ("QUIC", ours_quic, bare_quic, "bare quinn")]
    {
        report.row(Row {
            figure: "replay",
            what: format!("{n} frames, {what}"),
            unit: "frames/s",
            ours: median(ours),
            floor: Some((beside, median(floor))),
            goal: Goal::AtLeast(0.6, 0.6),
        });
    }
    the_box.part.stop();
}
