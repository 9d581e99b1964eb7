//! How long does a delta take from the box to a reader in another process?
//!
//! Floor: the same bytes, written by a task of a bare server on its own connection, read by the same reader.

use crate::Run;
use crate::floor;
use crate::floor::Floor;
use crate::report::Goal;
use crate::report::Report;
use crate::report::Row;
use crate::setup::TheBox;
use crate::stamp::Finder;
use crate::stamp::Sample;
use crate::stamp::now;
use crate::stamp::over;
use crate::wire::Source;
use crate::wire::client_runtime;
use crate::wire::soon;

/// Reads `n` texts and says how long each took.
pub async fn times(source: &mut Source, n: u64) -> Sample {
    let (mut finder, mut sample, mut last) = (Finder::default(), Sample::default(), 0);
    soon(async {
        while last < n {
            let bytes = source.bytes().await.expect("the stream ended");
            let at = now();
            finder.feed(&bytes, |sent, seq| {
                assert_eq!(seq, last + 1, "a text is missing or came twice");
                last = seq;
                sample.0.push(at.saturating_sub(sent));
            });
        }
    })
    .await;
    sample
}

/// Both percentiles of two series of runs.
pub fn rows(
    report: &mut Report,
    figure: &'static str,
    what: &str,
    ours: &[Sample],
    beside: &'static str,
    floor: &[Sample],
) {
    for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
        report.row(Row {
            figure,
            what: format!("{what}, {name}"),
            unit: "µs",
            ours: over(ours, share),
            floor: Some((beside, over(floor, share))),
            goal: Goal::AtMost(2.0, 1.5),
        });
    }
}

/// Measures.
pub fn run(run: &Run, report: &mut Report) {
    let runtime = client_runtime();
    let (floor, mut the_box) = (Floor::start(), TheBox::emitting());
    let (reps, seconds) = run.of((5, 2.0), (2, 1.0));
    let mut session = 0;
    for rate in [100.0, 1000.0] {
        let n = (rate * seconds) as u64;
        let (mut floors, mut ours) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for _ in 0..reps {
            for quic in [false, true] {
                let want = format!("emit {rate} {n}");
                let bare = runtime.block_on(async {
                    let mut source = match quic {
                        false => floor::ws_source(&floor.web(), &want).await,
                        true => floor.quic().source(&floor::want(&want)).await,
                    };
                    times(&mut source, n).await
                });
                floors[usize::from(quic)].push(bare);

                session += 1;
                let name = format!("session-{session}");
                the_box.part.ask(&format!("start {name}"));
                let sample = runtime.block_on(async {
                    let mut source = match quic {
                        false => the_box.read(&the_box.web(), &name, 0, true).await,
                        true => the_box.quic().source(&the_box.open_head(&name, 0, true)).await,
                    };
                    // Once the greeting is here the reader stands at the head.
                    soon(source.bytes()).await.expect("the stream ended");
                    the_box.part.tell(&format!("emit {name} {rate} {n}"));
                    times(&mut source, n).await
                });
                the_box.part.line();
                ours[usize::from(quic)].push(sample);
            }
        }
        for (i, carrier) in ["WebSocket", "QUIC"].iter().enumerate() {
            let what = format!("{carrier}, {rate:.0}/s");
            let beside = ["bare tungstenite", "bare quinn"][i];
            rows(report, "emit", &what, &ours[i], beside, &floors[i]);
        }
    }
    the_box.part.stop();
}
