//! How much less does a replay send when it joins deltas?
//!
//! The session is made here, with the proportions of a long day's work: thousands of small deltas of thinking and text,
//! tools that report their progress in small pieces. It stands beside itself, unmerged.

use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data;

use crate::Run;
use crate::events;
use crate::report::Goal;
use crate::report::Report;
use crate::report::Row;
use crate::setup::TheBox;
use crate::stamp::Counter;
use crate::wire::Source;
use crate::wire::client_runtime;

/// Turns of conversation.
const TURNS: u64 = 10;

/// A session of so many turns.
pub fn events_of(session: &str, turns: u64) -> Vec<pb::Event> {
    let mut all = Vec::new();
    let mut push = |data| all.push(events::other(session, all.len() as u64, data));
    for turn in 0..turns {
        let (message, text) = (format!("u{turn}"), "Have a look at the tests.".to_owned());
        push(Data::ThreadUser(pb::ThreadUser { message, text, ..Default::default() }));
        for part in 0..2 {
            let message = format!("m{turn}.{part}");
            for n in 0..62 {
                let text = ["so ", "then ", "it ", "is "][n % 4].to_owned();
                push(Data::ThreadThinking(pb::ThreadThinking { message: message.clone(), text }));
            }
            for n in 0..153 {
                let text = ["the test ", "fails ", "because of ", "a clock. "][n % 4].to_owned();
                push(Data::ThreadDelta(pb::ThreadDelta { message: message.clone(), text, ..Default::default() }));
            }
            push(Data::ThreadDone(pb::ThreadDone { message }));
            let (call, tool) = (format!("c{turn}.{part}"), "shell".to_owned());
            let (title, input) = ("cargo test".to_owned(), br#"{"command":"cargo test"}"#.to_vec().into());
            push(Data::ThreadToolStarted(pb::ThreadToolStarted {
                call: call.clone(),
                tool: tool.clone(),
                title,
                input,
            }));
            for n in 0..70 {
                let text = format!("ok {n}\n");
                push(Data::ThreadToolProgress(pb::ThreadToolProgress { call: call.clone(), text }));
            }
            let result = br#"{"output":"all of them passed"}"#.to_vec().into();
            push(Data::ThreadToolFinished(pb::ThreadToolFinished { call, tool, ok: true, result }));
        }
    }
    all
}

/// Reads up to a head.
async fn to_head(source: &mut Source, head: u64) -> Counter {
    use prost::Message;
    let (mut counter, mut decoder) = (Counter::default(), vyre_proto::record::Decoder::new());
    loop {
        let bytes = crate::wire::soon(source.bytes()).await.expect("the stream ended");
        counter.feed(&bytes);
        decoder.push(&bytes);
        while let Some(record) = decoder.next().unwrap() {
            if pb::Frame::decode(record).unwrap().cur >= head {
                return counter;
            }
        }
    }
}

/// Measures.
pub fn run(_: &Run, report: &mut Report) {
    let runtime = client_runtime();
    let the_box = TheBox::serve(None);
    let mut producer = the_box.producer("long");
    producer.ask(&format!("mixed {TURNS}"));
    let (merged, whole) = runtime.block_on(async {
        let head = the_box.head("long").await;
        let mut merged = the_box.read(&the_box.web(), "long", 0, true).await;
        let mut whole = the_box.read(&the_box.web(), "long", 0, false).await;
        (to_head(&mut merged, head).await, to_head(&mut whole, head).await)
    });
    for (what, unit, ours, floor, must, aim) in [
        ("frames", "frames", merged.records, whole.records, 1.0 / 20.0, 1.0 / 30.0),
        ("bytes", "bytes", merged.bytes, whole.bytes, 1.0 / 5.0, 1.0 / 5.0),
    ] {
        report.row(Row {
            figure: "merged",
            what: format!("{what} of a replay ({:.1} times fewer)", floor as f64 / ours as f64),
            unit,
            ours: ours as f64,
            floor: Some(("unmerged", floor as f64)),
            goal: Goal::AtMost((must * 1000.0_f64).round() / 1000.0, (aim * 1000.0_f64).round() / 1000.0),
        });
    }
    the_box.part.stop();
}
