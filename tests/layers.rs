//! Who may import whom. Arrows point down only, the pure part stays pure, and box and relay never meet outside tests.
//!
//! Paths are written one a line, so that a test of a few lines can read them: a `use crate::{..}` group, or a path that
//! climbs by `super::super`, is refused as well.

#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests are no test functions to the lint.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

/// Folder or file of `src/`, and what it may name through `crate::`. The files that assemble are in no row and free.
const LAYERS: &[(&str, &[&str])] = &[
    ("clock", &[]),
    ("config", &[]),
    ("process", &["process"]),
    ("reach", &[]),
    ("rules", &["rules"]),
    ("store", &["store", "rules", "clock"]),
    ("session", &["session", "store", "rules", "clock"]),
    ("agent", &["agent", "session", "store", "rules", "process", "clock"]),
    ("term", &["term", "rules", "process", "clock"]),
    ("tools", &["tools", "session", "term", "store", "rules", "clock", "reach"]),
    ("policy", &["tools", "rules"]),
    ("edge", &["edge", "tools", "session", "term", "rules", "clock", "reach"]),
    ("client", &["client", "clock"]),
    (
        "daemon",
        &[
            "daemon", "agent", "term", "config", "edge", "policy", "tools", "session", "store", "rules", "clock",
            "reach",
        ],
    ),
    ("cli", &["cli", "agent", "process", "daemon", "client", "config", "store", "rules", "clock"]),
];

/// Outside crates that tell where you are, and the places of `src/` that may name them.
const OUTSIDE: &[(&str, &[&str])] = &[
    ("redb", &["store"]),
    ("hyper", &["edge", "client", "policy"]),
    ("hyper_util", &["edge", "client", "policy"]),
    ("quinn", &["edge", "client", "daemon"]),
    ("tokio_tungstenite", &["edge", "client"]),
    ("tokio_rustls", &["edge", "client", "policy"]),
    ("vyre_relay", &["cli/demo"]),
];

/// What the contract's crate may depend on: nothing that touches a socket, a disk, a clock or a die.
const PROTO_MAY_DEPEND_ON: &[&str] =
    &["bytes", "data-encoding", "pbjson", "prost", "serde", "serde_json", "thiserror", "unicode-segmentation"];

/// Words of the world outside. No line of the pure part may name one.
const IMPURE: &[&str] = &[
    "tokio",
    "std::fs",
    "std::net::Tcp",
    "std::net::Udp",
    "ToSocketAddrs",
    "std::io",
    "std::thread",
    "std::process",
    "std::env",
    "SystemTime",
    "Instant",
    "quinn",
    "hyper",
    "redb",
    "rustls",
    "ring::",
];

#[test]
fn imports_point_down() {
    let src = root().join("src");
    let mut wrong = Vec::new();
    for file in rust_files(&src) {
        let Some((_, may)) = LAYERS.iter().find(|(layer, _)| *layer == layer_of(&src, &file)) else { continue };
        for (n, line) in lines(&file) {
            for target in named_after(&line, "crate::") {
                if !may.contains(&target) {
                    wrong.push(format!("{}:{n}: crate::{target}", file.display()));
                }
            }
            if line.contains("super::super") {
                wrong.push(format!("{}:{n}: super::super", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "imports that point up:\n{}", wrong.join("\n"));
}

#[test]
fn every_folder_has_a_row() {
    let src = root().join("src");
    for file in rust_files(&src) {
        let layer = layer_of(&src, &file);
        let known = LAYERS.iter().any(|(l, _)| *l == layer) || ["lib", "main"].contains(&layer.as_str());
        assert!(known, "{} belongs to no layer; give {layer} a row", file.display());
    }
}

#[test]
fn outside_crates_stay_in_their_rooms() {
    let src = root().join("src");
    let mut wrong = Vec::new();
    for file in rust_files(&src) {
        let place = file.strip_prefix(&src).unwrap().with_extension("");
        for (n, line) in code(&file) {
            for (name, rooms) in OUTSIDE {
                if names_crate(&line, name) && !rooms.iter().any(|room| place.starts_with(room)) {
                    wrong.push(format!("{}:{n}: {name}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "crates outside their rooms:\n{}", wrong.join("\n"));
}

#[test]
fn pure_code_names_nothing_of_the_world() {
    let mut wrong = Vec::new();
    let folders = [root().join("src/rules"), root().join("proto/src")];
    for file in folders.iter().flat_map(|f| rust_files(f)).chain([root().join("src/rules.rs")]) {
        for (n, line) in code(&file) {
            wrong.extend(IMPURE.iter().filter(|w| has_word(&line, w)).map(|w| format!("{}:{n}: {w}", file.display())));
        }
    }
    assert!(wrong.is_empty(), "pure code that is not:\n{}", wrong.join("\n"));
}

/// Whether `line` has `word`, and not only as the end of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let begins = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| begins(at))
}

#[test]
fn the_contract_depends_on_nothing_that_does_anything() {
    let deps = dependencies(&root().join("proto/Cargo.toml"));
    assert!(deps.contains(&"prost".to_owned()), "the manifest was not read");
    let wrong: Vec<_> = deps.iter().filter(|d| !PROTO_MAY_DEPEND_ON.contains(&d.as_str())).collect();
    assert!(wrong.is_empty(), "proto may not depend on {wrong:?}");
}

#[test]
fn box_and_relay_never_import_each_other() {
    let relay = dependencies(&root().join("relay/Cargo.toml"));
    assert!(!relay.iter().any(|d| d == "vyre-stream"), "the relay depends on the box");
    for file in rust_files(&root().join("relay")) {
        for (n, line) in code(&file) {
            assert!(!names_crate(&line, "vyre_stream"), "{}:{n} names the box", file.display());
        }
    }
    // The other direction is a row of `OUTSIDE`: only the demonstration, which is both in one process, may name it.
}

#[test]
fn what_counts_and_admits_at_the_relay_is_pure() {
    for name in ["registry", "quota"] {
        let path = root().join(format!("relay/src/{name}.rs"));
        if !path.exists() {
            continue;
        }
        for (n, line) in code(&path) {
            for word in ["tokio", "quinn", "std::fs", "SystemTime", "Instant::now"] {
                assert!(!line.contains(word), "{}:{n}: {word}", path.display());
            }
        }
    }
}

#[test]
fn the_checks_see_what_they_look_for() {
    assert_eq!(named_after("use crate::edge::ws; // see crate::tools", "crate::"), ["edge", "tools"]);
    assert_eq!(named_after("use crate::{a, b};", "crate::"), [""]);
    assert!(named_after("use vyre_crate::x;", "crate::").is_empty());
    assert!(names_crate("use quinn::Endpoint;", "quinn"));
    assert!(!names_crate("use quinn_proto::X;", "quinn"));
    assert!(!names_crate("let hyperlink = 1;", "hyper"));
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn layer_of(src: &Path, file: &Path) -> String {
    let first = file.strip_prefix(src).unwrap().components().next().unwrap();
    Path::new(first.as_os_str()).with_extension("").display().to_string()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let skip = path.file_name().is_some_and(|n| n == "target" || n == "gen");
            if path.is_dir() && !skip {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    assert!(!found.is_empty(), "no Rust in {}", folder.display());
    found
}

/// Lines with their numbers, comments among them: a doc link is an import as well.
fn lines(file: &Path) -> Vec<(usize, String)> {
    let text = fs::read_to_string(file).unwrap();
    text.lines().enumerate().map(|(n, l)| (n + 1, l.to_owned())).collect()
}

/// Lines without comments.
fn code(file: &Path) -> Vec<(usize, String)> {
    let cut = |l: String| l.split("//").next().unwrap_or_default().to_owned();
    lines(file).into_iter().map(|(n, l)| (n, cut(l))).collect()
}

/// What stands behind each `prefix` of a line, up to the end of the name.
fn named_after<'a>(line: &'a str, prefix: &str) -> Vec<&'a str> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(prefix)
        .filter(|(at, _)| !line[..*at].ends_with(word))
        .map(|(at, _)| {
            let rest = &line[at + prefix.len()..];
            rest.split(|c| !word(c)).next().unwrap_or_default()
        })
        .collect()
}

/// Whether a line names an outside crate: as the head of a path.
fn names_crate(line: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    line.match_indices(&format!("{name}::")).any(|(at, _)| !line[..at].ends_with(word))
}

/// Names under `[dependencies]` of a manifest.
fn dependencies(manifest: &Path) -> Vec<String> {
    let text = fs::read_to_string(manifest).unwrap();
    let table: toml::Table = text.parse().unwrap();
    table.get("dependencies").and_then(|d| d.as_table()).map(|d| d.keys().cloned().collect()).unwrap_or_default()
}
