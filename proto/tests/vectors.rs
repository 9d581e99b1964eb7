//! The golden vectors in `proto/vectors/` say what this crate does, and this crate does what they say.
//!
//! After a change that is meant: `VYRE_WRITE_VECTORS=1 cargo test -p vyre-proto --test vectors`, and read the difference.

#![allow(clippy::unwrap_used)] // Helpers of tests.

#[path = "vectors/cases.rs"]
mod cases;

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::sync::LazyLock;

use data_encoding::HEXLOWER;
use serde_json::Value;
use serde_json::json;
use vyre_proto::fold::Fold;
use vyre_proto::frame::Frame;
use vyre_proto::json as contract;
use vyre_proto::kind::Kind;
use vyre_proto::record;
use vyre_proto::sse;

use crate::cases::Case;
use crate::cases::LOG;
use crate::cases::One;

const BLOCKS: &[&str] =
    &["terminal", "diff", "files", "record", "task", "draft", "flow-change", "answer", "screen", "text"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

/// The cases as this crate has them, by file name.
fn built() -> BTreeMap<String, Value> {
    cases::all().iter().map(|case| (format!("{}.json", case.name), file(case))).collect()
}

fn file(case: &Case) -> Value {
    let mut fold = Fold::new();
    for one in &case.ways[0] {
        fold.apply(&checked(one));
    }
    json!({
        "about": case.about,
        "ways": case.ways.iter().map(|way| way.iter().map(entry).collect::<Vec<_>>()).collect::<Vec<_>>(),
        "last": fold.last().get(),
        "rows": fold.rows(),
    })
}

fn checked(one: &One) -> Frame {
    Frame::check(one.frame.clone()).unwrap()
}

fn entry(one: &One) -> Value {
    let frame = checked(one);
    let mut event = String::new();
    sse::write(&LOG, &frame, &mut event).unwrap();
    let mut json = serde_json::to_value(frame.get()).unwrap();
    if !one.unknown.is_empty() {
        json["songSung"] = json!({"title": "la"});
        event = event.replacen('}', r#","songSung":{"title":"la"}}"#, 1).replacen(
            "session.unknown",
            "session.song-sung",
            1,
        );
    }
    json!({
        "record": HEXLOWER.encode(&one.record()),
        "json": json,
        "sse": event,
        "line": serde_json::from_str::<Value>(&contract::frame_line(&frame)).unwrap(),
    })
}

/// The files as they are; where that is asked for, written anew first.
static KEPT: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    if std::env::var_os("VYRE_WRITE_VECTORS").is_some() {
        for path in files() {
            fs::remove_file(path).unwrap();
        }
        for (name, value) in built() {
            fs::write(folder().join(name), serde_json::to_string_pretty(&value).unwrap() + "\n").unwrap();
        }
    }
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    files().iter().map(|p| (name(p), serde_json::from_str(&fs::read_to_string(p).unwrap()).unwrap())).collect()
});

fn files() -> Vec<PathBuf> {
    let paths = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|e| e == "json")).collect()
}

#[test]
fn the_vectors_are_what_this_crate_makes() {
    let built = built();

    assert_eq!(KEPT.keys().collect::<Vec<_>>(), built.keys().collect::<Vec<_>>());
    for (name, value) in &built {
        assert_eq!(&KEPT[name], value, "{name}");
    }
}

#[test]
fn every_kind_and_every_block_has_a_vector() {
    for kind in Kind::ALL {
        let last = KEPT[&format!("kind-{}.json", kind.name())]["ways"][0].as_array().unwrap().last().unwrap().clone();
        assert_eq!(last["line"]["kind"], kind.full_name());
    }
    for block in BLOCKS {
        assert_eq!(KEPT[&format!("block-{block}.json")]["rows"][0]["block"]["kind"], **block);
    }
}

/// What a client in any language would do with the files alone.
#[test]
fn every_vector_decodes_and_folds_to_its_rows_in_every_way() {
    for (name, case) in &*KEPT {
        for (n, way) in case["ways"].as_array().unwrap().iter().enumerate() {
            let mut folds = [Fold::new(), Fold::new(), Fold::new()];
            for entry in way.as_array().unwrap() {
                let from_record = from_record(&entry["record"]);
                let from_json = contract::parse_frame(&entry["json"].to_string()).unwrap();
                let from_sse = from_sse(entry["sse"].as_str().unwrap());
                assert!(from_record == from_json && from_json == from_sse, "{name} way {n}: {}", entry["json"]);
                for (fold, frame) in folds.iter_mut().zip([from_record, from_json, from_sse]) {
                    fold.apply(&frame);
                }
            }
            for fold in folds {
                assert_eq!(serde_json::to_value(fold.rows()).unwrap(), case["rows"], "{name} way {n}");
                assert_eq!(fold.last().get(), case["last"], "{name} way {n}");
            }
        }
    }
}

#[test]
fn frames_that_come_again_change_nothing() {
    for (name, case) in &*KEPT {
        for way in case["ways"].as_array().unwrap() {
            let frames: Vec<_> = way.as_array().unwrap().iter().map(|entry| from_record(&entry["record"])).collect();
            let mut fold = Fold::new();
            for frame in &frames {
                fold.apply(frame);
                let before = serde_json::to_value(fold.rows()).unwrap();
                fold.apply(frame);
                assert_eq!(serde_json::to_value(fold.rows()).unwrap(), before, "{name}");
            }
            for frame in frames.iter().filter(|f| f.kind() != Some(Kind::Reset)) {
                fold.apply(frame);
            }
            assert_eq!(serde_json::to_value(fold.rows()).unwrap(), case["rows"], "{name}");
        }
    }
}

#[test]
fn bytes_and_json_lead_to_each_other() {
    for (name, case) in &*KEPT {
        for entry in case["ways"].as_array().unwrap().iter().flat_map(|way| way.as_array().unwrap()) {
            if entry["json"].get("songSung").is_some() {
                continue; // Of a kind that is unknown on purpose.
            }
            let from_json = contract::parse_frame(&entry["json"].to_string()).unwrap();
            assert_eq!(HEXLOWER.encode(&record::to_record(from_json.get())), entry["record"], "{name}");
            let from_record = from_record(&entry["record"]);
            assert_eq!(serde_json::to_value(from_record.get()).unwrap(), entry["json"], "{name}");
        }
    }
}

#[test]
fn the_vectors_tell_each_of_their_lists_once() {
    let names: Vec<_> = cases::all().iter().map(|c| c.name.clone()).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
}

fn from_record(hex: &Value) -> Frame {
    let bytes = HEXLOWER.decode(hex.as_str().unwrap().as_bytes()).unwrap();
    let mut decoder = record::Decoder::new();
    decoder.push(&bytes);
    let frame = Frame::decode(decoder.next().unwrap().unwrap()).unwrap();
    decoder.finish().unwrap();
    frame
}

fn from_sse(text: &str) -> Frame {
    let mut parser = sse::Parser::new();
    parser.push(text.as_bytes());
    sse::read(&parser.next().unwrap().unwrap()).unwrap().unwrap().frame
}
