//! How long does an event take from one process, through the box, to a reader in another, at 1,000 a second?
//!
//! Beside it: mosquitto with QoS 1 in the same run, where it is installed; both are read and written by clients that do no
//! more than their protocol asks for. Floor: a round trip of the same bytes over one bare WebSocket.

use std::time::Duration;

use bytes::Bytes;
use futures_util::SinkExt;
use tokio_tungstenite::tungstenite::Message;

use crate::Run;
use crate::child::Part;
use crate::emit::times;
use crate::events::FrameBytes;
use crate::floor;
use crate::floor::Floor;
use crate::mosquitto;
use crate::report::Goal;
use crate::report::Report;
use crate::report::Row;
use crate::roles::Pace;
use crate::setup::TheBox;
use crate::stamp::Finder;
use crate::stamp::Sample;
use crate::stamp::now;
use crate::stamp::over;
use crate::wire::Source;
use crate::wire::client_runtime;
use crate::wire::soon;

/// Events a second.
pub const RATE: f64 = 1000.0;

/// One run through a box: a producer is told to send, and `source` stands at the head.
pub async fn shown(source: &mut Source, producer: &mut Part, n: u64) -> Sample {
    // The greeting, and the start of the session.
    soon(source.bytes()).await.expect("the stream ended");
    producer.tell(&format!("send {RATE} {n} 1"));
    times(source, n).await
}

async fn round_trips(floor: &Floor, n: u64) -> Sample {
    let mut ws = floor::ws(&floor.web(), "echo").await;
    let (mut frame, mut sample, mut pace) = (FrameBytes::new(), Sample::default(), Pace::new(RATE));
    for seq in 1..=n {
        pace.beat().await;
        let record: Bytes = frame.stamped(seq);
        ws.send(Message::Binary(record)).await.unwrap();
        let back = futures_util::StreamExt::next(&mut ws).await.unwrap().unwrap();
        let at = now();
        Finder::default().feed(&back.into_data(), |sent, _| sample.0.push(at - sent));
    }
    sample
}

/// Measures.
pub fn run(run: &Run, report: &mut Report) {
    let runtime = client_runtime();
    let (floor, the_box, broker) = (Floor::start(), TheBox::serve(None), mosquitto::start());
    let (reps, n) = run.of((5, 3000), (2, 1000));
    let (mut trips, mut ours, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for rep in 0..reps {
        trips.push(runtime.block_on(round_trips(&floor, n)));

        let session = format!("session-{rep}");
        let mut producer = the_box.producer(&session);
        ours.push(runtime.block_on(async {
            let mut source = the_box.read_lean(&session).await;
            shown(&mut source, &mut producer, n).await
        }));
        producer.line();

        if let Some(broker) = &broker {
            let topic = format!("topic-{rep}");
            let mut producer = Part::role(&["mosquitto-producer", &broker.addr, &topic]);
            theirs.push(runtime.block_on(async {
                let mut reader = mosquitto::Reader::open(&broker.addr, &topic).await;
                producer.tell(&format!("send {RATE} {n} 1"));
                let (mut finder, mut sample) = (Finder::default(), Sample::default());
                while (sample.0.len() as u64) < n {
                    let mut bytes = Vec::new();
                    soon(reader.next(|message| bytes.extend_from_slice(message))).await;
                    let at = now();
                    finder.feed(&bytes, |sent, _| sample.0.push(at - sent));
                }
                sample
            }));
            producer.line();
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let row = |what: &str, share, beside, floor: &[Sample], goal| Row {
        figure: "published",
        what: what.to_owned(),
        unit: "µs",
        ours: over(&ours, share),
        floor: Some((beside, over(floor, share))),
        goal,
    };
    report.row(row("WebSocket, p50", 0.5, "bare round trip", &trips, Goal::Note));
    report.row(row("WebSocket, p99", 0.99, "bare round trip", &trips, Goal::Note));
    if theirs.is_empty() {
        return report.skip("published", "mosquitto is not installed (Debian: apt-get install mosquitto)");
    }
    report.row(row("WebSocket, p50", 0.5, "mosquitto, QoS 1", &theirs, Goal::AtMost(1.1, 1.0)));
    report.row(row("WebSocket, p99", 0.99, "mosquitto, QoS 1", &theirs, Goal::AtMost(2.0, 1.0)));
    the_box.part.stop();
}
