//! How much do producers gain from each other when each waits for its event to be durable?
//!
//! Each producer has a session of its own, publishes one event, waits for the acknowledgement, and publishes the next.
//! Beside it: one producer alone.

use std::time::Duration;
use std::time::Instant;

use futures_util::SinkExt;
use futures_util::StreamExt;
use prost::Message as _;
use tokio_tungstenite::tungstenite::Message;
use vyre_proto::pb::stream as pb;
use vyre_proto::record::Decoder;
use vyre_proto::record::to_record;

use crate::Run;
use crate::events;
use crate::report::Goal;
use crate::report::Report;
use crate::report::Row;
use crate::setup::TheBox;
use crate::stamp::median;
use crate::wire::client_runtime;

async fn one(the_box: &TheBox, session: String, until: Instant) -> u64 {
    let http = the_box.web().dial().await;
    let mut ws = http.upgrade("/v1/streams/publish", Some(the_box.producer_token())).await;
    let (mut n, mut decoder) = (0, Decoder::new());
    let mut next = events::started(&session);
    while Instant::now() < until {
        ws.send(Message::Binary(to_record(&pb::Publish { events: vec![next] }))).await.unwrap();
        n += 1;
        let mut upto = 0;
        while upto < n {
            if let Message::Binary(bytes) = ws.next().await.unwrap().unwrap() {
                decoder.push(&bytes);
            }
            while let Some(record) = decoder.next().unwrap() {
                let published = pb::Published::decode(record).unwrap();
                assert!(published.refused.is_empty());
                upto = published.upto;
            }
        }
        next = events::delta(&session, n);
    }
    n
}

/// Events a second of so many producers.
async fn rate(the_box: &TheBox, round: &str, producers: u64, seconds: f64) -> f64 {
    let until = Instant::now() + Duration::from_secs_f64(seconds);
    let all = (0..producers).map(|p| one(the_box, format!("{round}-{producers}-{p}"), until));
    let counts = futures_util::future::join_all(all).await;
    counts.iter().sum::<u64>() as f64 / seconds
}

/// Measures.
pub fn run(run: &Run, report: &mut Report) {
    let runtime = client_runtime();
    let the_box = TheBox::serve(None);
    let (reps, seconds) = run.of((3, 3.0), (2, 1.0));
    let (mut alone, mut together) = (Vec::new(), Vec::new());
    for rep in 0..reps {
        let round = format!("round-{rep}");
        alone.push(runtime.block_on(rate(&the_box, &round, 1, seconds)));
        together.push(runtime.block_on(rate(&the_box, &round, 64, seconds)));
    }
    report.row(Row {
        figure: "durable",
        what: "acknowledged on disk, 64 producers".into(),
        unit: "events/s",
        ours: median(together),
        floor: Some(("one producer", median(alone))),
        goal: Goal::AtLeast(10.0, 10.0),
    });
    the_box.part.stop();
}
