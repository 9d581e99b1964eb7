//! What does the relay cost? An event through it to a reader, a round trip, and bulk.
//!
//! Floors: for what is shown, the sum of what each hop costs bare (producer to box, box to relay, relay to reader), each
//! measured like the floors of `emit`. For the rest, bare quinn between two processes.

use std::time::Instant;

use crate::Run;
use crate::child::Part;
use crate::emit::times;
use crate::floor;
use crate::floor::Floor;
use crate::published;
use crate::published::RATE;
use crate::report::Goal;
use crate::report::Report;
use crate::report::Row;
use crate::setup::Relay;
use crate::setup::TheBox;
use crate::stamp::Sample;
use crate::stamp::median;
use crate::stamp::over;
use crate::wire::QuicPlace;
use crate::wire::client_runtime;
use crate::wire::soon;

/// An event through box and relay.
pub fn shown(run: &Run, report: &mut Report) {
    let runtime = client_runtime();
    let (floor, relay) = (Floor::start(), Relay::start());
    let the_box = TheBox::serve(Some(&relay));
    wait_for_box(&runtime, &relay, &the_box);
    let (reps, n) = run.of((5, 2000), (2, 1000));
    let want = format!("emit {RATE} {n}");
    let (mut ws, mut wss, mut quic) = (Vec::new(), Vec::new(), Vec::new());
    let mut ours = [Vec::new(), Vec::new()];
    for rep in 0..reps {
        runtime.block_on(async {
            ws.push(times(&mut floor::ws_source(&floor.web(), &want).await, n).await);
            wss.push(times(&mut floor::ws_source(&floor.tls(), &want).await, n).await);
            quic.push(times(&mut floor.quic().source(&floor::want(&want)).await, n).await);
        });
        for (carrier, samples) in ours.iter_mut().enumerate() {
            let session = format!("session-{rep}-{carrier}");
            let mut producer = the_box.producer(&session);
            samples.push(runtime.block_on(async {
                let mut source = match carrier {
                    0 => relay.quic(&the_box.id()).source(&the_box.open_head(&session, 0, true)).await,
                    _ => the_box.read(&relay.web(&the_box.id()), &session, 0, true).await,
                };
                published::shown(&mut source, &mut producer, n).await
            }));
            producer.line();
        }
    }
    let last_hop = [("QUIC", &quic), ("WebSocket", &wss)];
    for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
        for (carrier, (how, hop)) in last_hop.iter().enumerate() {
            let sum = over(&ws, share) + over(&quic, share) + over(hop, share);
            report.row(Row {
                figure: "relayed",
                what: format!("{how}, {name}"),
                unit: "µs",
                ours: over(&ours[carrier], share),
                floor: Some(("sum of bare hops", sum)),
                goal: Goal::AtMost(2.0, 1.5),
            });
        }
    }
    the_box.part.stop();
}

/// Waits until a relay carries to a box.
pub fn wait_for_box(runtime: &tokio::runtime::Runtime, relay: &Relay, the_box: &TheBox) {
    runtime.block_on(soon(async {
        let place = relay.quic(&the_box.id());
        loop {
            let connection = place.dial().await;
            let (_send, mut recv) = place.stream(&connection, &the_box.open_head("nobody", 0, true)).await;
            // The box answers that there is no such session; before it is there, the relay resets the stream.
            if recv.read_chunk(1024, true).await.is_ok() {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }));
}

async fn trips(place: &QuicPlace, n: u64) -> Sample {
    let connection = place.dial().await;
    let (mut send, mut recv) = place.stream(&connection, &floor::want("echo")).await;
    let (words, mut back, mut sample) = ([b'x'; 200], [0; 200], Sample::default());
    for i in 0..n + 200 {
        let began = Instant::now();
        send.write_all(&words).await.unwrap();
        recv.read_exact(&mut back).await.unwrap();
        if i >= 200 {
            sample.0.push(began.elapsed().as_nanos() as u64);
        }
    }
    sample
}

async fn bulk(place: &QuicPlace, bytes: u64) -> f64 {
    let connection = place.dial().await;
    let began = Instant::now();
    let (_send, mut recv) = place.stream(&connection, &floor::want(&format!("bulk {bytes}"))).await;
    let mut got = 0;
    while got < bytes {
        got += recv.read_chunk(64 * 1024, true).await.unwrap().expect("the stream ended").bytes.len() as u64;
    }
    bytes as f64 / began.elapsed().as_secs_f64() / f64::from(1 << 20)
}

/// The relay by itself.
pub fn bridge(run: &Run, report: &mut Report) {
    let runtime = client_runtime();
    let (floor, relay) = (Floor::start(), Relay::start());
    let boxes = Part::role(&["echo-boxes", relay.part.said("url"), "1"]);
    let id = boxes.ready["boxes"][0].as_str().unwrap().parse().unwrap();
    let (reps, n, bytes) = run.of((5, 5000, 256 << 20), (2, 2000, 64 << 20));
    let (mut bare, mut ours) = (Vec::new(), Vec::new());
    let (mut bare_bulk, mut our_bulk) = (Vec::new(), Vec::new());
    for _ in 0..reps {
        runtime.block_on(soon(async {
            let (floor, relay) = (floor.quic(), relay.quic(&id));
            bare.push(trips(&floor, n).await);
            ours.push(trips(&relay, n).await);
            bare_bulk.push(bulk(&floor, bytes).await);
            our_bulk.push(bulk(&relay, bytes).await);
        }));
    }
    for (name, share, goal) in [("p50", 0.5, Goal::AtMost(2.5, 2.0)), ("p99", 0.99, Goal::Note)] {
        report.row(Row {
            figure: "relay",
            what: format!("round trip of 200 bytes, {name}"),
            unit: "µs",
            ours: over(&ours, share),
            floor: Some(("bare quinn", over(&bare, share))),
            goal,
        });
    }
    report.row(Row {
        figure: "relay",
        what: format!("bulk of {} MiB", bytes >> 20),
        unit: "MiB/s",
        ours: median(our_bulk),
        floor: Some(("bare quinn", median(bare_bulk))),
        goal: Goal::AtLeast(0.333, 0.5),
    });
}
