//! The commands with which a person acts: each says what it did, for people and for programs, and what to do when not.

use std::io::Write;
use std::process::Command;
use std::process::Output;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use serde_json::json;

use crate::common::Proxy;
use crate::common::TestBox;
use crate::common::started;
use crate::common::words;

struct As {
    url: String,
    token: String,
}

impl As {
    fn person(home: &TestBox, name: &str) -> As {
        As { url: format!("http://{}", home.http()), token: home.person(name) }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(TestBox::program());
        command.args(args).args(["--url", &self.url]).stdin(Stdio::null());
        command.env("VYRE_TOKEN", &self.token).env("VYRE_LOG", "off");
        command
    }

    async fn run(&self, args: &[&str]) -> Output {
        let mut command = self.command(args);
        tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
    }

    async fn ok(&self, args: &[&str]) -> String {
        let out = self.run(args).await;
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    }

    async fn json(&self, args: &[&str]) -> Vec<Value> {
        self.ok(args).await.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
    }

    /// What stderr says of a failure at run time.
    async fn fails(&self, args: &[&str]) -> String {
        let out = self.run(args).await;
        assert_eq!((out.status.code(), out.stdout.as_slice()), (Some(1), &b""[..]), "{args:?}");
        String::from_utf8(out.stderr).unwrap()
    }

    async fn said(&self, session: &str) -> Vec<String> {
        let rows = self.json(&["rows", session, "--json"]).await.remove(0);
        let users = rows["rows"].as_array().unwrap().iter().filter(|r| r["kind"] == "user-message");
        users.map(|r| r["text"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_sent_is_said_once_and_its_id_and_state_are_printed() {
    let home = TestBox::start().await;
    home.publish(&[started("s")]).await;
    let robin = As::person(&home, "robin");

    let sent = robin.json(&["send", "s", "hello", "--message", "m1", "--format", "json"]).await.remove(0);
    assert_eq!(sent["message"], "m1");
    assert!(["said", "queued"].contains(&sent["state"].as_str().unwrap()), "{sent}");
    // The same again is the same; the same id with other words is not.
    robin.ok(&["send", "s", "hello", "--message", "m1"]).await;
    assert!(robin.fails(&["send", "s", "other", "--message", "m1"]).await.starts_with("vyre: "));
    let mut piped = robin.command(&["send", "s", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    piped.stdin.take().unwrap().write_all("two\nlines\n".as_bytes()).unwrap();
    let out = tokio::task::spawn_blocking(move || piped.wait_with_output().unwrap()).await.unwrap();
    assert!(out.status.success() && out.stdout.starts_with(b"m-"));

    assert_eq!(robin.said("s").await, ["hello", "two\nlines"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_a_line_that_is_cut_all_the_time_each_send_is_said_once() {
    let home = TestBox::start().await;
    home.publish(&[started("s")]).await;
    let proxy = Proxy::start(home.http(), home.quic()).await.cutting(Duration::from_millis(25));
    let robin = As { url: format!("http://{}", proxy.tcp()), token: home.person("robin") };
    let words: Vec<String> = (0..12).map(|n| format!("word {n}")).collect();
    for word in &words {
        robin.ok(&["send", "s", word]).await;
    }
    let straight = As::person(&home, "robin");
    assert_eq!(straight.said("s").await, words);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_is_answered_by_words_or_by_the_number_of_an_option_and_once() {
    let home = TestBox::start().await;
    let ask = |n: usize| {
        json!({ "id": format!("a{n}"), "name": "ask.opened", "session": "s", "actor": "assistant:helper", "acts_for": "person:robin",
            "data": { "ask": format!("q{n}"), "question": "Go on?", "options": ["yes", "no"] } })
        .to_string()
    };
    home.publish(&[started("s"), ask(1), ask(2)]).await;
    let robin = As::person(&home, "robin");

    assert_eq!(robin.ok(&["answer", "s", "2"]).await, "Go on?: no\n");
    let first = robin.json(&["answer", "s", "yes", "--ask", "q1", "--format", "json"]).await;
    assert_eq!(first, [json!({ "ask": "q1", "answer": "yes" })]);
    assert!(robin.fails(&["answer", "s", "yes"]).await.contains("no question is open"));
    assert!(!robin.fails(&["answer", "s", "no", "--ask", "q1"]).await.is_empty(), "the second answer fails");
    assert_eq!(robin.ok(&["stop", "s"]).await, "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn groups_are_made_joined_and_left() {
    let home = TestBox::start().await;
    let (robin, ana) = (As::person(&home, "robin"), As::person(&home, "ana"));
    assert!(robin.ok(&["sessions"]).await.contains("vyre sessions create"));

    let made = robin.ok(&["sessions", "create", "--title", "Boat", "assistant:helper"]).await;
    let session = made.trim().to_owned();
    assert!(ana.fails(&["send", &session, "hello"]).await.contains("vyre sessions"), "a next step is named");
    assert!(robin.ok(&["sessions", "join", &session, "ana"]).await.contains("person:ana"));
    ana.ok(&["send", &session, "hello", "--mention", "robin"]).await;

    let listed = robin.json(&["sessions", "list", "--format", "json"]).await.remove(0);
    assert_eq!((&listed["title"], &listed["session"]), (&json!("Boat"), &json!(session)));
    assert!(listed["head"].is_u64() && listed["group"] == true, "{listed}");
    ana.ok(&["sessions", "leave", &session]).await;
    ana.fails(&["send", &session, "again"]).await;
    assert_eq!(robin.said(&session).await, ["hello"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn history_is_printed_by_pages_and_says_where_to_go_on() {
    let home = TestBox::start().await;
    home.publish(&words("s", 1200)).await;
    let robin = As::person(&home, "robin");

    let out = robin.run(&["history", "s", "--limit", "1100", "--format", "json"]).await;
    let lines: Vec<Value> =
        String::from_utf8(out.stdout).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let spans = |lines: &[Value]| {
        let mut next = None;
        for line in lines {
            let (cur, span) = (line["cur"].as_u64().unwrap(), line["span"].as_u64().unwrap_or(1));
            assert!(next.is_none_or(|n| n == cur - span + 1), "no step is missing: {next:?} {line}");
            next = Some(cur + 1);
        }
        next
    };
    assert_eq!(spans(&lines), Some(1202));
    let first = lines[0]["cur"].as_u64().unwrap() - lines[0]["span"].as_u64().unwrap_or(1) + 1;
    let said = String::from_utf8(out.stderr).unwrap();
    if first > 1 {
        assert!(said.contains(&format!("--before {first}")), "{said}");
        let older =
            robin.json(&["history", "s", "--before", &first.to_string(), "--limit", "1100", "--format", "json"]).await;
        assert_eq!(spans(&older), Some(first));
    }
    assert!(robin.ok(&["history", "s", "--limit", "5"]).await.contains("word1199"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_failure_names_a_next_step() {
    let nobody = As { url: "http://127.0.0.1:1".into(), token: "secret-token".into() };
    for args in [&["send", "s", "x"][..], &["stop", "s"], &["answer", "s", "x"], &["sessions"], &["history", "s"]] {
        let said = nobody.fails(args).await;
        assert!(said.contains("nobody answers") && said.contains("vyre serve") && !said.contains("secret"), "{said}");
    }
    let home = TestBox::start().await;
    let stranger = As { token: "not-a-token".into(), ..As::person(&home, "robin") };
    for args in [&["send", "s", "x"][..], &["stop", "s"], &["sessions"], &["history", "s"]] {
        let said = stranger.fails(args).await;
        assert!(said.contains("vyre token") && !said.contains("not-a-token"), "{said}");
    }
    for args in
        [&["send", "s", " "][..], &["send", "a b", "x"], &["history", "s", "--limit", "0"], &["sessions", "what"]]
    {
        let out = stranger.run(args).await;
        assert_eq!(out.status.code(), Some(2), "{args:?}");
    }
}
