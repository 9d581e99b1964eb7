//! From the cut to the first missed frame: connect, open, ticket, attach, read.
//!
//! The frames that are missed are there already, so what is measured is the way back. Floor: a bare reconnect on the same
//! carrier and one message.

use std::time::Instant;

use crate::Run;
use crate::floor;
use crate::floor::Floor;
use crate::relayed::wait_for_box;
use crate::report::Goal;
use crate::report::Report;
use crate::report::Row;
use crate::setup::Relay;
use crate::setup::TheBox;
use crate::stamp::Finder;
use crate::stamp::Sample;
use crate::stamp::over;
use crate::wire::Place;
use crate::wire::Source;
use crate::wire::client_runtime;
use crate::wire::soon;

/// Deltas of the session that is read.
const DELTAS: u64 = 2000;

/// Frames that a reader has missed: at 1,000 a second, those of 20 ms and some more.
const MISSED: u64 = 20;

/// From where the reader goes on that has been cut so many times.
fn from(head: u64, cuts: u64) -> u64 {
    head - MISSED - cuts % 5
}

/// Waits for the first text.
async fn first_text(source: &mut Source) -> u64 {
    let (mut finder, mut first) = (Finder::default(), None);
    while first.is_none() {
        let bytes = soon(source.bytes()).await.expect("the stream ended");
        finder.feed(&bytes, |_, seq| first = first.or(Some(seq)));
    }
    first.unwrap()
}

/// A connection of TCP that is reset, and not closed, when it is dropped.
async fn dial(place: &Place) -> crate::wire::Http {
    let tcp = tokio::net::TcpStream::connect(place.addr).await.unwrap();
    tcp.set_zero_linger().unwrap();
    place.dial_with(tcp).await
}

/// Measures.
pub fn run(run: &Run, report: &mut Report) {
    let runtime = client_runtime();
    let (floor, relay) = (Floor::start(), Relay::start());
    let the_box = TheBox::serve(Some(&relay));
    wait_for_box(&runtime, &relay, &the_box);
    let mut producer = the_box.producer("long");
    producer.ask(&format!("send 0 {DELTAS} 64"));
    let head = runtime.block_on(the_box.head("long"));
    let (reps, kills) = run.of((5, 100), (2, 40));
    let (mut bare_ws, mut ws, mut bare_quic, mut quic) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..reps {
        runtime.block_on(async {
            let place = floor.web();
            let mut sample = Sample::default();
            let mut held = Source::Ws(Box::new(dial(&place).await.upgrade("/once", None).await));
            for _ in 0..kills {
                first_text(&mut held).await;
                let began = Instant::now();
                drop(held);
                held = Source::Ws(Box::new(dial(&place).await.upgrade("/once", None).await));
                first_text(&mut held).await;
                sample.0.push(began.elapsed().as_nanos() as u64);
                drop(held);
                held = Source::Ws(Box::new(dial(&place).await.upgrade("/once", None).await));
            }
            bare_ws.push(sample);

            let place = the_box.web();
            let mut sample = Sample::default();
            let mut attached = dial(&place).await.attach(&the_box.token, "long", from(head, 0), true).await;
            let mut held = Source::Ws(Box::new(attached));
            let first = first_text(&mut held).await;
            for cuts in 1..=kills {
                let began = Instant::now();
                drop(held);
                attached = dial(&place).await.attach(&the_box.token, "long", from(head, cuts), true).await;
                held = Source::Ws(Box::new(attached));
                let next = first_text(&mut held).await;
                sample.0.push(began.elapsed().as_nanos() as u64);
                assert_eq!(next, first - cuts % 5, "the first missed frame comes first");
            }
            ws.push(sample);

            let place = floor.quic();
            let mut sample = Sample::default();
            let want = floor::want("once");
            let mut held = place.source(&want).await;
            first_text(&mut held).await;
            for _ in 0..kills {
                let began = Instant::now();
                drop(held);
                let (send, recv, connection) = soon(place.dial_early(&want)).await;
                held = Source::Quic(recv, (send, connection));
                first_text(&mut held).await;
                sample.0.push(began.elapsed().as_nanos() as u64);
            }
            bare_quic.push(sample);

            let place = relay.quic(&the_box.id());
            let mut sample = Sample::default();
            let mut held = place.source(&the_box.open_head("long", from(head, 0), true)).await;
            let first = first_text(&mut held).await;
            for cuts in 1..=kills {
                let ask = the_box.open_head("long", from(head, cuts), true);
                let began = Instant::now();
                drop(held);
                let (send, recv, connection) = soon(place.dial_early(&ask)).await;
                held = Source::Quic(recv, (send, connection));
                let next = first_text(&mut held).await;
                sample.0.push(began.elapsed().as_nanos() as u64);
                assert_eq!(next, first - cuts % 5, "the first missed frame comes first");
            }
            quic.push(sample);
        });
    }
    let all = [("WebSocket", &ws, &bare_ws, "bare reconnect"), ("relayed QUIC", &quic, &bare_quic, "bare reconnect")];
    for (what, ours, floor, beside) in all {
        for (name, share, goal) in [("p50", 0.5, Goal::AtMost(2.0, 1.3)), ("p99", 0.99, Goal::Note)] {
            report.row(Row {
                figure: "resume",
                what: format!("{what}, {name}"),
                unit: "µs",
                ours: over(ours, share),
                floor: Some((beside, over(floor, share))),
                goal,
            });
        }
    }
    the_box.part.stop();
}
