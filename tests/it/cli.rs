//! The program as people and machines run it: output, exit codes, settings.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use std::time::Instant;

use rustix::process::Signal;
use serde_json::Value;

use crate::common::delta;
use crate::common::served::Served;
use crate::common::served::ok;
use crate::common::served::text;
use crate::common::served::vyre;
use crate::common::words;

#[test]
fn the_ready_line_says_where_the_box_answers() {
    let served = Served::start();

    assert_eq!(served.ready["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(served.ready["box"].as_str().unwrap().len(), 52);
    for field in ["http", "quic"] {
        let addr: std::net::SocketAddr = served.ready[field].as_str().unwrap().parse().unwrap();
        assert_ne!(addr.port(), 0);
    }
}

#[test]
fn a_box_that_is_told_to_stop_leaves_in_order() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut served = Served::start();
        served.signal(signal);
        let began = Instant::now();

        assert!(served.child.wait().unwrap().success());

        assert!(began.elapsed() < Duration::from_secs(5));
        assert!(!Path::new(&served.data()).join("control.sock").exists());
    }
}

#[test]
fn a_token_is_made_before_beside_and_after_a_running_box() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data").display().to_string();
    let before = ok(&vyre(&["token", "--data", &data, "--person", "robin"]).output().unwrap());
    let mut served = Served::start_in(folder, &[]);
    let beside = served.token("--person", "robin");
    let listed = |token: &str| {
        let auth = format!("Bearer {}", token.trim());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let addr = served.ready["http"].as_str().unwrap().parse().unwrap();
        let headers = [("authorization", auth.as_str()), ("content-type", "application/json")];
        runtime.block_on(crate::common::http(addr, "POST", "/v1/tools/sessions.list", &headers, b"")).status
    };

    assert_eq!((listed(&before), listed(&beside), listed("x")), (200, 200, 401));

    served.signal(Signal::TERM);
    assert!(served.child.wait().unwrap().success());
    assert_eq!(served.token("--producer", "switchboard").len(), 43);
}

#[test]
fn a_file_is_published_over_every_door_and_known_the_second_time() {
    let served = Served::start();
    let file = served.folder.path().join("events.jsonl");
    std::fs::write(&file, words("s", 3000).join("\n")).unwrap();
    let quic = format!("quic://{}@{}", served.ready["box"].as_str().unwrap(), served.ready["quic"].as_str().unwrap());

    let began = Instant::now();
    let first = served.publish(&served.url(), &file);
    let second = served.publish(&quic, &file);

    // What the box knows already is acknowledged without anything new to commit: nobody sits out a time limit.
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!(first, serde_json::json!({ "accepted": 3001, "duplicates": 0, "refused": [] }));
    assert_eq!(second, serde_json::json!({ "accepted": 0, "duplicates": 3001, "refused": [] }));
}

#[test]
fn lines_that_are_refused_are_named_and_the_others_are_stored() {
    let served = Served::start();
    let mut lines: Vec<Vec<u8>> = words("s", 2).into_iter().map(String::into_bytes).collect();
    lines.insert(1, b"{ broken".to_vec());
    lines.insert(2, b"\xff\xfe".to_vec());
    lines.insert(3, vec![b'x'; 10 << 20]);
    lines.insert(4, Vec::new());
    lines.push(delta("nowhere", 0, "x").into_bytes());
    lines.push(delta("s", 9, "last").into_bytes());

    let token = served.token("--producer", "switchboard");
    let mut publish = vyre(&["publish", "--json", "--url", &served.url(), "-"])
        .env("VYRE_TOKEN", token)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    publish.stdin.take().unwrap().write_all(&lines.join(&b'\n')).unwrap();
    let summary: Value = serde_json::from_str(&ok(&publish.wait_with_output().unwrap())).unwrap();

    assert_eq!(summary["accepted"], 4, "{summary}");
    let refused: Vec<_> = summary["refused"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| (r["line"].as_u64().unwrap(), r["code"].as_str().unwrap()))
        .collect();
    assert_eq!(refused, [(2, "invalid"), (3, "invalid"), (4, "too_large"), (8, "not_found")]);
}

#[test]
fn what_is_stored_is_shown_beside_a_running_box_and_without_one() {
    let mut served = Served::start();
    let file = served.folder.path().join("events.jsonl");
    let events = words("s", 20);
    std::fs::write(&file, events.join("\n")).unwrap();
    served.publish(&served.url(), &file);
    let data = served.data();
    let look = |what: &[&str]| -> Vec<Value> {
        let out = ok(&vyre(&["inspect", "--data", &data]).args(what).output().unwrap());
        out.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
    };

    let (sessions, stored, frames) = (look(&["sessions"]), look(&["events", "s"]), look(&["frames", "s"]));

    assert_eq!((sessions.len(), sessions[0]["head"].as_u64()), (1, Some(21)));
    let published: Vec<Value> = events.iter().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(stored.len(), 21);
    for (stored, published) in stored.iter().zip(&published) {
        assert_eq!((&stored["id"], &stored["data"]), (&published["id"], &published["data"]));
    }
    assert_eq!(frames.iter().map(|f| f["cur"].as_u64().unwrap()).collect::<Vec<_>>(), (1..=21).collect::<Vec<_>>());
    served.signal(Signal::TERM);
    assert!(served.child.wait().unwrap().success());
    assert_eq!((look(&["events", "s"]), look(&["frames", "s"])), (stored, frames));
    let missing = vyre(&["inspect", "--data", &data, "frames", "nowhere"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(1));
}

#[test]
fn a_second_box_on_the_same_folder_says_so() {
    let served = Served::start();

    let second = vyre(&["serve", "--http", "127.0.0.1:0", "--quic", "off", "--data", &served.data()]).output().unwrap();

    assert_eq!(second.status.code(), Some(1));
    assert!(text(&second.stderr).contains("another box is running on"), "{}", text(&second.stderr));
}

#[test]
fn wrong_arguments_are_exit_code_2_and_name_the_flag() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("vyre.toml");
    std::fs::write(&file, "quic = 'nowhere'").unwrap();
    let (relay, id) = ("https://relay.example/?quic=1", vyre_proto::ids::BoxId([7; 32]).to_string());
    let (file, data) = (file.display().to_string(), dir.path().join("d").display().to_string());
    for (args, word) in [
        (&["serve", "--nothing"][..], "--nothing"),
        (&["serve", "--data", &data, "--http", "8080"], "http"),
        (&["serve", "--data", &data, "--http", "0.0.0.0:0"], "--plain-lan"),
        (&["serve", "--data", &data, "--relay", "x"], "relay"),
        (&["serve", "--data", &data, "--config", &file], "vyre.toml"),
        (&["token", "--data", &data], "--person"),
        (&["token", "--data", &data, "--person", "a", "--producer", "b"], "--producer"),
        (&["token", "--data", &data, "--person", "a\nb"], "--person"),
        (&["publish", "-"], "token"),
        (&["publish", "--token", "t", "--relay", "https://r:1/?quic=1", "-"], "--box"),
        (&["publish", "--token", "t", "--url", "ftp://x", "-"], "--url"),
        // A stranger on another network could have that address, and would be given the token.
        (
            &["sessions", "--token", "t", "--url", "http://192.168.1.5:8080", "--relay", relay, "--box", &id],
            "quic:// or https://",
        ),
        (&["nothing"], "nothing"),
    ] {
        let out = vyre(args).output().unwrap();

        assert_eq!(out.status.code(), Some(2), "{args:?}: {}", text(&out.stderr));
        assert!(text(&out.stderr).contains(word), "{args:?}: {}", text(&out.stderr));
        assert!(out.stdout.is_empty(), "{args:?}");
    }
    assert!(!Path::new(&data).exists());
}

#[test]
fn help_and_version_are_no_failures() {
    for args in [
        &["--help"][..],
        &["--version"],
        &["serve", "--help"],
        &["token", "--help"],
        &["publish", "--help"],
        &["inspect", "--help"],
    ] {
        let out = vyre(args).env("VYRE_TOKEN", "secret-token").output().unwrap();
        assert!(!ok(&out).is_empty());
        assert!(!text(&out.stdout).contains("secret-token"));
    }
}

#[test]
fn a_key_that_others_can_read_is_refused_with_a_reason() {
    use std::os::unix::fs::PermissionsExt;
    let mut served = Served::start();
    served.signal(Signal::TERM);
    served.child.wait().unwrap();
    let key = Path::new(&served.data()).join("box.key");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();

    let out = vyre(&["serve", "--http", "127.0.0.1:0", "--quic", "off", "--data", &served.data()]).output().unwrap();

    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stderr).contains("box.key"), "{}", text(&out.stderr));
}
