//! `vyre attach` and `vyre rows` against a real box that is killed under them.

use std::io::BufRead;
use std::io::BufReader;
use std::path::Path;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;
use std::time::Instant;

use serde_json::Value;
use vyre_proto::event::Event;
use vyre_stream::client::Client;
use vyre_stream::client::Target;
use vyre_stream::client::Token;

/// A process that does not outlive its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct RealBox {
    _running: Running,
    http: String,
    quic: String,
    id: String,
}

impl RealBox {
    fn serve(data: &Path, http: &str, quic: &str) -> RealBox {
        let mut child = vyre()
            .args(["serve", "--json", "--http", http, "--quic", quic, "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ready: Value = serde_json::from_str(&line).expect("the box says where it is");
        let text = |key: &str| ready[key].as_str().unwrap().to_owned();
        RealBox { _running: Running(child), http: text("http"), quic: text("quic"), id: text("box") }
    }

    fn lan(&self) -> String {
        format!("http://{}", self.http)
    }

    fn direct(&self) -> String {
        format!("quic://{}@{}", self.id, self.quic)
    }
}

fn vyre() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vyre"));
    command.env_remove("VYRE_TOKEN").env("VYRE_LOG", "off");
    command
}

fn token(data: &Path, kind: &str, name: &str) -> String {
    let out = vyre().args(["token", kind, name, "--data"]).arg(data).output().unwrap();
    assert!(out.status.success());
    String::from_utf8(out.stdout).unwrap().trim().to_owned()
}

fn rows(url: &str, token: &str) -> Value {
    let out = vyre().args(["rows", "s1", "--json", "--url", url]).env("VYRE_TOKEN", token).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).unwrap()
}

async fn publish(url: &str, token: &str, lines: &[String]) {
    let client = Client::connect(url.parse::<Target>().unwrap(), Token::parse(token).unwrap()).unwrap();
    let mut publisher = client.publisher();
    let events = lines.iter().map(|l| Event::from_json(l.as_bytes()).unwrap());
    publisher.publish_all(events).await.unwrap();
    publisher.flush().await.unwrap();
    assert_eq!(publisher.progress().refused, 0);
}

fn started() -> String {
    let data = r#"{"title":"A talk","assistant":"assistant:h"}"#;
    format!(r#"{{"id":"e0","name":"thread.started","session":"s1","actor":"person:robin","data":{data}}}"#)
}

fn delta(n: usize) -> String {
    let head = format!(r#"{{"id":"e{n}","name":"thread.delta","session":"s1","actor":"assistant:h""#);
    format!(r#"{head},"data":{{"message":"m1","text":"{n} "}}}}"#)
}

/// Reads lines of frames until one has `text` as its delta's end, and gives the spans of what came.
fn frames_until(out: &mut impl BufRead, text: &str) -> Vec<(u64, u64)> {
    let (mut spans, begin) = (Vec::new(), Instant::now());
    loop {
        assert!(begin.elapsed() < Duration::from_secs(60), "{text:?} never came");
        let mut line = String::new();
        assert!(out.read_line(&mut line).unwrap() > 0, "attach goes on");
        let frame: Value = serde_json::from_str(&line).unwrap();
        let Some(cur) = frame["cur"].as_u64() else { continue };
        let span = frame["span"].as_u64().unwrap_or(1);
        spans.push((cur - span + 1, cur));
        let data = &frame["data"];
        let last = data["parts"].as_array().and_then(|p| p.last()).unwrap_or(&data["text"]);
        if last.as_str() == Some(text) {
            return spans;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_is_read_through_the_death_of_its_box() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("box");
    let mut running = RealBox::serve(&data, "127.0.0.1:0", "127.0.0.1:0");
    let (person, producer) = (token(&data, "--person", "robin"), token(&data, "--producer", "switchboard"));
    publish(&running.lan(), &producer, &[started(), delta(1)]).await;
    let mut readers: Vec<_> = [running.lan(), running.direct()]
        .into_iter()
        .map(|url| {
            let mut child = vyre()
                .args(["attach", "s1", "--format", "frames", "--url", &url])
                .env("VYRE_TOKEN", &person)
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let out = BufReader::new(child.stdout.take().unwrap());
            (Running(child), out, Vec::new())
        })
        .collect();
    for (_, out, spans) in &mut readers {
        spans.extend(frames_until(out, "1 "));
    }

    for n in 2..5 {
        let (http, quic) = (running.http.clone(), running.quic.clone());
        drop(running); // Killed, not stopped.
        running = RealBox::serve(&data, &http, &quic);
        let url = if n % 2 == 0 { running.lan() } else { running.direct() };
        publish(&url, &producer, &[delta(n)]).await;
        for (_, out, spans) in &mut readers {
            spans.extend(frames_until(out, &format!("{n} ")));
        }
    }

    for (_, _, spans) in &readers {
        let mut last = 0;
        for (first, end) in spans {
            assert_eq!(*first, last + 1, "in order, once each: {spans:?}");
            last = *end;
        }
    }
    let (lan, direct) = (rows(&running.lan(), &person), rows(&running.direct(), &person));
    assert_eq!(lan, direct);
    let message = lan["rows"].as_array().unwrap().iter().find(|r| r["kind"] == "message").unwrap();
    assert_eq!(message["text"], "1 2 3 4 ");
}

#[test]
fn wrong_arguments_are_two_and_a_box_that_cannot_be_had_is_one() {
    for args in [
        &["rows"][..],
        &["rows", "s1", "--url", "ftp://x"],
        &["rows", "a b"],
        &["attach", "s1", "--from", "-1"],
        &["rows", "s1"],
    ] {
        let out = vyre().args(args).output().unwrap();
        assert_eq!(out.status.code(), Some(2), "{args:?}");
    }
    // Where nobody answers it is said at once, with what to do.
    let begin = Instant::now();
    let nobody = ["rows", "s1", "--url", "http://127.0.0.1:1"];
    let out = vyre().args(nobody).env("VYRE_TOKEN", "a-secret").output().unwrap();
    assert_eq!(out.status.code(), Some(1));
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("nobody answers at http://127.0.0.1:1") && said.contains("--url"), "{said}");
    assert!(!said.contains("a-secret") && begin.elapsed() < Duration::from_secs(10), "{said}");
}

#[test]
fn a_token_that_is_not_known_ends_it_at_once_with_the_boxs_words() {
    let dir = tempfile::tempdir().unwrap();
    let running = RealBox::serve(&dir.path().join("box"), "127.0.0.1:0", "127.0.0.1:0");
    for url in [running.lan(), running.direct()] {
        let out = vyre().args(["attach", "s1", "--url", &url]).env("VYRE_TOKEN", "nobodys").output().unwrap();

        assert_eq!(out.status.code(), Some(1), "{url}");
        assert!(!String::from_utf8(out.stderr).unwrap().contains("nobodys"));
    }
}
