//! How many events a second go from one producer over the wire to one reader, disk on?
//!
//! Floor: the same events over bare tokio-tungstenite, in one connection and out of another, nothing read, nothing kept.

use std::time::Instant;

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

/// Reads `n` texts; gives how many a second from the first on.
async fn texts(source: &mut Source, n: u64) -> f64 {
    let (mut finder, mut last, mut began) = (Finder::default(), 0, None);
    soon(async {
        while last < n {
            let bytes = source.bytes().await.expect("the stream ended");
            finder.feed(&bytes, |_, seq| {
                assert_eq!(seq, last + 1, "a text is missing or came twice");
                last = seq;
                began.get_or_insert_with(Instant::now);
            });
        }
    })
    .await;
    n as f64 / began.unwrap().elapsed().as_secs_f64()
}

/// Measures.
pub fn run(run: &Run, report: &mut Report) {
    let runtime = client_runtime();
    let the_box = TheBox::serve(None);
    let (reps, n) = run.of((5, 200_000), (2, 100_000));
    for batch in [64, 1] {
        let (mut bare, mut ours) = (Vec::new(), Vec::new());
        for rep in 0..reps {
            let floor = Floor::start();
            runtime.block_on(async {
                let mut tap = floor::ws_source(&floor.web(), "tap").await;
                let mut producer = Part::role(&["producer", floor.part.said("ws"), "/sink", "none", "session"]);
                producer.tell(&format!("send 0 {n} {batch}"));
                bare.push(texts(&mut tap, n).await);
                producer.line();
            });
            let session = format!("session-{batch}-{rep}");
            let mut producer = the_box.producer(&session);
            runtime.block_on(async {
                let mut source = the_box.read(&the_box.web(), &session, 0, true).await;
                soon(source.bytes()).await.expect("the stream ended");
                producer.tell(&format!("send 0 {n} {batch}"));
                ours.push(texts(&mut source, n).await);
            });
            producer.line();
        }
        report.row(Row {
            figure: "flat",
            what: format!("{n} events, {batch} a record"),
            unit: "events/s",
            ours: median(ours),
            floor: Some(("bare tungstenite, two hops", median(bare))),
            goal: Goal::Note,
        });
    }
    the_box.part.stop();
}
