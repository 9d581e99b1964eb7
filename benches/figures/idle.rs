//! What does an idle reader hold on the box, and an idle stream on the relay?
//!
//! Growth of resident memory, divided by readers, after some that warm everything up. Floors: connections of the bare
//! carrier, over QUIC sent as much and idle since, over WebSocket with buffers of 4 KiB that never held anything.

use std::time::Duration;

use crate::Run;
use crate::child::Part;
use crate::floor;
use crate::floor::Floor;
use crate::report::Goal;
use crate::report::Report;
use crate::report::Row;
use crate::setup::Relay;
use crate::setup::TheBox;
use crate::wire::Place;
use crate::wire::QuicPlace;
use crate::wire::Source;
use crate::wire::client_runtime;
use crate::wire::soon;

/// Readers before the first look.
const WARM: usize = 200;

/// What a reader of the session here is sent: a greeting and 21 frames.
const SENT: usize = 7000;

/// Connections that a relay may carry to one box here.
const OF_ONE_BOX: usize = 240;

/// KiB for each of `n` things that `open` makes.
async fn held<T>(part: &Part, n: usize, mut open: impl AsyncFnMut(usize) -> T) -> f64 {
    let mut all = Vec::new();
    for i in 0..WARM {
        all.push(open(i).await);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let before = part.rss();
    for i in WARM..WARM + n {
        all.push(open(i).await);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    (part.rss() - before) / n as f64
}

fn row(report: &mut Report, what: &str, ours: f64, beside: &'static str, floor: f64) {
    report.row(Row {
        figure: "idle",
        what: what.to_owned(),
        unit: "KiB",
        ours,
        floor: Some((beside, floor)),
        goal: Goal::Beyond(8.0, 3.0),
    });
}

async fn bare_quic(place: QuicPlace, bytes: usize) -> impl Sized {
    let mut source = place.source(&floor::want(&format!("idle {bytes}"))).await;
    read(&mut source, bytes).await;
    (place, source)
}

async fn bare_ws(place: &Place, bytes: usize) -> Source {
    let mut source = floor::ws_source(place, &format!("idle {bytes}")).await;
    read(&mut source, bytes).await;
    source
}

/// Reads so many bytes.
async fn read(source: &mut Source, bytes: usize) {
    let mut got = 0;
    while got < bytes {
        got += soon(source.bytes()).await.expect("the stream ended").len();
    }
}

/// Measures.
pub fn run(run: &Run, report: &mut Report) {
    let runtime = client_runtime();
    let n = run.of(3000, 600);
    // The box: readers that have read everything.
    let the_box = TheBox::serve(None);
    let mut producer = the_box.producer("short");
    producer.ask("send 0 20 20");
    let floor = Floor::start();
    let bare = runtime.block_on(held(&floor.part, n, async |_| bare_ws(&floor.web(), 0).await));
    let ours = runtime.block_on(held(&the_box.part, n, async |_| {
        let mut source = the_box.read(&the_box.web(), "short", 0, true).await;
        soon(source.bytes()).await.expect("the stream ended");
        source
    }));
    row(report, "reader on the box, WebSocket", ours, "bare tungstenite", bare);
    the_box.part.stop();

    let n = run.of(1000, 400);
    let the_box = TheBox::serve(None);
    the_box.producer("short").ask("send 0 20 20");
    let floor = Floor::start();
    let bare = runtime.block_on(async { held(&floor.part, n, async |_| bare_quic(floor.quic(), SENT).await).await });
    let ours = runtime.block_on(held(&the_box.part, n, async |_| {
        let place = the_box.quic();
        let mut source = place.source(&the_box.open_head("short", 0, true)).await;
        soon(source.bytes()).await.expect("the stream ended");
        (place, source)
    }));
    row(report, "reader on the box, QUIC", ours, "bare quinn", bare);
    the_box.part.stop();

    // The relay: what is at the other end of a stream is of no account, so boxes that hold nothing stand there.
    let bare = {
        let floor = Floor::start();
        runtime.block_on(async { held(&floor.part, n, async |_| bare_quic(floor.quic(), 0).await).await })
    };
    let bare_tls = {
        let floor = Floor::start();
        runtime.block_on(held(&floor.part, n, async |_| bare_ws(&floor.tls(), 0).await))
    };
    let boxes_needed = (WARM + n).div_ceil(OF_ONE_BOX).to_string();
    for (what, quic, beside, floor) in [
        ("stream on the relay, QUIC", true, "bare quinn", bare),
        ("stream on the relay, WebSocket", false, "bare tungstenite, TLS", bare_tls),
    ] {
        let relay = Relay::start();
        let boxes = Part::role(&["echo-boxes", relay.part.said("url"), &boxes_needed]);
        let id = |i: usize| boxes.ready["boxes"][i / OF_ONE_BOX].as_str().unwrap().parse().unwrap();
        let ours = runtime.block_on(async {
            if quic {
                held(&relay.part, n, async |i| bare_quic(relay.quic(&id(i)), 0).await).await
            } else {
                let places: Vec<Place> =
                    (0..(WARM + n).div_ceil(OF_ONE_BOX)).map(|b| relay.web(&id(b * OF_ONE_BOX))).collect();
                held(&relay.part, n, async |i| {
                    let place = &places[i / OF_ONE_BOX];
                    soon(async { place.dial().await.upgrade("/v1/streams/publish", None).await }).await
                })
                .await
            }
        });
        row(report, what, ours, beside, floor);
    }
}
