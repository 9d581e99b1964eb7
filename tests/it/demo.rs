//! `vyre demo` as a program: it ends well, says what it measured, and leaves nothing behind.

use std::path::Path;
use std::process::Command;
use std::process::Output;
use std::process::Stdio;
use std::time::Duration;
use std::time::Instant;

use rustix::process::Pid;
use rustix::process::Signal;
use serde_json::Value;

use crate::common::Pty;
use crate::common::TestBox;
use crate::common::delta;
use crate::common::done;
use crate::common::words;

fn demo(temp: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(TestBox::program());
    command.arg("demo").args(args).env("TMPDIR", temp).env_remove("VYRE_LOG").stdin(Stdio::null());
    command
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object and nothing else")
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn a_demonstration_of_real_work_loses_and_repeats_nothing() {
    for over in ["quic", "ws"] {
        let temp = tempfile::tempdir().unwrap();

        let said =
            json(&demo(temp.path(), &["--json", "--seconds", "4", "--cuts", "5", "--over", over]).output().unwrap());

        assert_eq!(
            (&said["lost"], &said["repeated"], &said["same_rows"]),
            (&0.into(), &0.into(), &true.into()),
            "{said}"
        );
        assert!(said["cuts"].as_u64().unwrap() >= 3 && said["resumes"] == said["cuts"], "{said}");
        assert!(said["first_resumed_ms"]["p50"].as_f64().unwrap() > 0.0, "{said}");
        assert!(said["frames"].as_u64().unwrap() > 20 && said["rows"].as_u64().unwrap() > 5, "{said}");
        assert!(is_empty(temp.path()), "something was left behind");
    }
}

#[test]
fn a_file_is_played_in_its_own_time_and_faster() {
    let temp = tempfile::tempdir().unwrap();
    let mut lines = words("s", 40);
    lines.extend([delta("s", 40, "end"), done("s")]);
    let timed = lines.iter().enumerate().map(|(n, line)| {
        // A tenth of a second apart, and once an hour of silence.
        let time = 1_700_000_000_000_000 + n as u64 * 100_000 + if n > 20 { 3_600_000_000 } else { 0 };
        line.replacen("\"name\"", &format!("\"time\":{time},\"name\""), 1) + "\n"
    });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.jsonl");
    std::fs::write(&file, timed.collect::<String>()).unwrap();
    let began = Instant::now();

    let said =
        json(&demo(temp.path(), &["--json", "--speed", "4", "--cuts", "2", file.to_str().unwrap()]).output().unwrap());

    // About five seconds in all at speed 1.
    let seconds = said["seconds"].as_f64().unwrap();
    assert!((1.0..5.0).contains(&seconds), "{said}");
    assert_eq!((&said["events"], &said["lost"], &said["head"]), (&43.into(), &0.into(), &43.into()), "{said}");
    assert!(began.elapsed() < Duration::from_secs(20) && is_empty(temp.path()));
}

#[test]
fn a_person_without_a_terminal_reads_the_summary() {
    let temp = tempfile::tempdir().unwrap();

    let output = demo(temp.path(), &["--seconds", "1", "--cuts", "1"]).output().unwrap();

    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for name in ["frames", "cuts", "resumes", "first resumed frame", "lost", "repeated"] {
        assert!(text.lines().any(|l| l.starts_with(name)), "{name} is missing in {text}");
    }
    assert!(!text.contains('\u{1b}'), "escape sequences where there is no terminal");
}

#[test]
fn an_interrupt_ends_it_with_what_was_measured_so_far() {
    let temp = tempfile::tempdir().unwrap();
    let command = &mut demo(temp.path(), &["--json", "--seconds", "600"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It has begun once it has its folder and a session's store in it.
    let began = Instant::now();
    let store = || {
        let folder = std::fs::read_dir(temp.path()).unwrap().flatten().next();
        folder.is_some_and(|f| f.path().join("project/NOTES.md").exists())
    };
    while !store() {
        assert!(began.elapsed() < Duration::from_secs(20), "it does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }

    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, Signal::INT).unwrap();
    let said = json(&child.wait_with_output().unwrap());

    assert_eq!(said["lost"], 0);
    assert!(said["seconds"].as_f64().unwrap() < 30.0 && is_empty(temp.path()), "{said}");
}

#[test]
fn a_broken_file_and_wrong_flags_are_named() {
    let temp = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.jsonl");
    std::fs::write(&file, "\n{\"id\":").unwrap();

    let broken = demo(temp.path(), &[file.to_str().unwrap()]).output().unwrap();
    let missing = demo(temp.path(), &["/nowhere/at/all.jsonl"]).output().unwrap();
    let wrong = demo(temp.path(), &["--speed", "0"]).output().unwrap();

    assert_eq!((broken.status.code(), missing.status.code(), wrong.status.code()), (Some(1), Some(1), Some(2)));
    let said = String::from_utf8(broken.stderr).unwrap();
    assert!(said.contains("line 2"), "{said}");
    assert!(is_empty(temp.path()));
}

#[test]
fn on_a_terminal_rows_stream_in_place_and_stand_there_once() {
    let temp = tempfile::tempdir().unwrap();
    let mut lines = words("s", 60);
    lines.extend([delta("s", 60, "the end"), done("s")]);
    let timed = lines.iter().enumerate().map(|(n, line)| {
        let time = 1_700_000_000_000_000 + n as u64 * 40_000;
        line.replacen("\"name\"", &format!("\"time\":{time},\"name\""), 1) + "\n"
    });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.jsonl");
    std::fs::write(&file, timed.collect::<String>()).unwrap();
    let mut command = demo(temp.path(), &["--speed", "1", "--cuts", "4", file.to_str().unwrap()]);
    let mut pty = Pty::start(command.env("NO_COLOR", "1"), 60, 16);

    let during = pty.until_shown("● live");
    assert_eq!(during.matches("● live").count(), 1, "{during}");
    assert!(pty.ended().success(), "{}", pty.shown());

    // Below the rows stands what was measured.
    let shown = pty.until("the summary", |shown| shown.lines().any(|l| l.starts_with("repeated")));
    let (rows, _) = shown.split_once("the end").unwrap();
    let words: Vec<&str> = rows.split_whitespace().filter(|w| w.starts_with("word")).collect();
    assert_eq!(words, (0..60).map(|n| format!("word{n}")).collect::<Vec<_>>(), "{shown}");
    assert_eq!(shown.matches("the end").count(), 1, "{shown}");
    assert!(!shown.contains("● live") && !shown.contains("○ "), "nothing of the line about the stream stays:\n{shown}");
}
