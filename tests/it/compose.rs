//! The line that a person writes in, on a real terminal: it takes keys whatever the path does, and leaves the terminal as
//! it was.

use std::path::Path;
use std::process::Command;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;
use rustix::termios::LocalModes;
use serde_json::Value;
use serde_json::json;
use vyre_stream::clock::Clock;
use vyre_stream::config::Settings;

use crate::common::Proxy;
use crate::common::Pty;
use crate::common::TestBox;
use crate::common::delta;
use crate::common::done;
use crate::common::started;

fn attach(url: &str, token: &str, outbox: &Path) -> Command {
    let mut command = Command::new(TestBox::program());
    command.args(["attach", "s", "--url", url, "--outbox"]).arg(outbox);
    command.env("VYRE_TOKEN", token).env("NO_COLOR", "1").env("VYRE_LOG", "off");
    command
}

fn url(addr: std::net::SocketAddr) -> String {
    format!("http://{addr}")
}

/// What persons have said, in the order of the log, by asking for the rows anew.
async fn said(url: &str, token: &str) -> Vec<String> {
    let mut command = Command::new(TestBox::program());
    command.args(["rows", "s", "--json", "--url", url]).env("VYRE_TOKEN", token).stdin(Stdio::null());
    let out = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let rows: Value = serde_json::from_slice(&out.stdout).unwrap();
    let users = rows["rows"].as_array().unwrap().iter().filter(|r| r["kind"] == "user-message");
    users.map(|r| r["text"].as_str().unwrap().to_owned()).collect()
}

/// Something that waits for a terminal, beside a box in this process.
async fn on_terminal<T: Send + 'static>(pty: Pty, work: impl FnOnce(&mut Pty) -> T + Send + 'static) -> (Pty, T) {
    let mut pty = pty;
    tokio::task::spawn_blocking(move || {
        let done = work(&mut pty);
        (pty, done)
    })
    .await
    .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_written_while_the_line_is_cut_again_and_again_is_said_once_and_in_order() {
    let home = TestBox::start().await;
    home.publish(&[started("s")]).await;
    let robin = home.person("robin");
    let outbox = tempfile::tempdir().unwrap();
    let proxy = Arc::new(Proxy::start(home.http(), home.quic()).await.cutting(Duration::from_millis(60)));
    let pty = Pty::start(&mut attach(&url(proxy.tcp()), &robin, outbox.path()), 80, 24);
    let line = proxy.clone();

    let (mut pty, (shown, words)) = on_terminal(pty, move |pty| {
        pty.until_shown("live");
        let mut typed: Vec<String> = Vec::new();
        while typed.len() < 12 || line.cuts() < 6 {
            let word = format!("word {}.", typed.len());
            pty.press(&word);
            pty.press("\r");
            pty.until(&word, |shown| shown.contains(&word));
            typed.push(word);
        }
        let words = typed.clone();
        let all = |shown: &str| {
            typed.iter().all(|w| shown.contains(&format!("  {w}\n")))
                && !shown.contains("not sent yet")
                && !shown.contains("✓")
        };
        (pty.until("every word", all), words)
    })
    .await;

    assert_eq!(said(&url(home.http()), &robin).await, words);
    for word in &words {
        assert_eq!(shown.matches(&format!("  {word}\n")).count(), 1, "{word}:\n{shown}");
    }
    pty.press("\x04");
    let (pty, status) = on_terminal(pty, Pty::ended).await;
    assert!(status.success(), "{}", pty.shown());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_written_without_a_box_outlives_the_program_and_goes_when_the_box_is_back() {
    let home = TestBox::start().await;
    home.publish(&[started("s")]).await;
    let (robin, http) = (home.person("robin"), home.http());
    let outbox = tempfile::tempdir().unwrap();
    let start = || Pty::start(&mut attach(&url(http), &robin, outbox.path()), 80, 24);
    let (pty, ()) = on_terminal(start(), |pty| {
        pty.press("before\r");
        pty.until("before", |shown| shown.contains("robin\n  before\n") && shown.contains("live"));
    })
    .await;
    let folder = home.stop().await;
    let (pty, ()) = on_terminal(pty, |pty| {
        pty.until_shown("reconnecting");
        // What is half written stays; what is sent waits.
        pty.press("one\rtwo\rthree\rtaken");
        pty.press(" back\r/take-back\r");
        pty.until("what waits", |shown| {
            shown.contains("not sent yet: three") && shown.contains("> taken back") && !shown.contains("yet: taken")
        });
        // Killed while it waits: what stood in the outbox is on disk.
        pty.signal(Signal::KILL);
        pty.ended();
    })
    .await;
    drop(pty);
    let (pty, ()) = on_terminal(start(), |pty| {
        pty.until_shown("not sent yet: one");
        pty.press("four\r");
        pty.until_shown("not sent yet: four");
    })
    .await;

    let settings = Settings { http: Some(http.to_string()), ..Settings::default() };
    let home = TestBox::start_in(folder, settings, Clock::system()).await;

    let (mut pty, shown) = on_terminal(pty, |pty| {
        pty.until("all of it", |shown| {
            shown.contains("  four\n") && !shown.contains("not sent yet") && shown.contains("live")
        })
    })
    .await;
    assert_eq!(said(&url(http), &robin).await, ["before", "one", "two", "three", "four"]);
    let places: Vec<_> = ["one", "two", "three", "four"].iter().map(|w| shown.find(&format!("  {w}\n"))).collect();
    assert!(places.is_sorted() && places[0].is_some(), "{shown}");
    pty.press("\x03\x03");
    let (_, status) = on_terminal(pty, Pty::ended).await;
    assert!(status.success());
    drop(home);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_terminal_is_as_it_was_on_every_way_out() {
    let home = TestBox::start().await;
    home.publish(&[started("s")]).await;
    let robin = home.person("robin");
    let outbox = tempfile::tempdir().unwrap();
    type Out = fn(&mut Pty);
    let ways: [(&str, Out); 6] = [
        ("Ctrl-D", |pty| pty.press("\x04")),
        ("Ctrl-C twice", |pty| pty.press("\x03\x03")),
        ("/quit", |pty| pty.press("/quit\r")),
        ("a polite signal", |pty| pty.signal(Signal::TERM)),
        ("a hang-up", |pty| pty.signal(Signal::HUP)),
        ("a quit signal", |pty| pty.signal(Signal::QUIT)),
    ];
    for (name, out) in ways {
        let pty = Pty::start(&mut attach(&url(home.http()), &robin, outbox.path()), 80, 24);
        let (pty, ()) = on_terminal(pty, move |pty| {
            pty.until_shown("live");
            assert!(!pty.settings().local_modes.contains(LocalModes::ECHO), "{name}");
            out(pty);
            assert!(pty.ended().success(), "{name}: {}", pty.shown());
            // Pasting is as it was, and so is all else.
            pty.until_written("\x1b[?2004l");
        })
        .await;
        let modes = pty.settings().local_modes;
        assert!(modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_do_what_they_say_and_a_refusal_blocks_nothing() {
    let home = TestBox::start().await;
    home.publish(&[started("s")]).await;
    let ask = json!({ "id": "s.ask", "name": "ask.opened", "session": "s", "actor": "assistant:helper",
        "acts_for": "person:robin", "data": { "ask": "q", "question": "Go on?", "options": ["yes", "no"] } });
    home.publish(&[ask.to_string()]).await;
    let robin = home.person("robin");
    let outbox = tempfile::tempdir().unwrap();
    let pty = Pty::start(&mut attach(&url(home.http()), &robin, outbox.path()), 80, 30);

    let (pty, ()) = on_terminal(pty, |pty| {
        pty.until_shown("Go on?");
        pty.press("/answer 2\r");
        pty.until_shown("robin answered: no");
        pty.press("/nothing\r");
        pty.until_shown("there is no such command");
        pty.press("\x15/help\r");
        pty.until_shown("/take-back");
        // Several lines: pasted, and by hand.
        pty.press("\x1b[200~first\r\nsecond\x1b[201~\x1b\rthird\r");
        pty.until("three lines", |shown| shown.contains("  first\n  second\n  third\n"));
        pty.press("//not a command\r");
        pty.until_shown("  /not a command\n");
        pty.press("/react 👍\r");
        pty.until("the thumb", |shown| shown.contains("👍"));
        // Nobody works: nothing comes of it, and what follows goes on.
        pty.press("\x1b");
        pty.until_shown("· stop");
        pty.press("after\r");
        pty.until("after", |shown| shown.contains("  after\n"));
        // Of an answered question the second answer is refused by the line itself.
        pty.press("/answer yes\r");
        pty.until_shown("no question is open");
        pty.press("\x15\x04");
        assert!(pty.ended().success());
    })
    .await;
    drop(pty);
    assert_eq!(said(&url(home.http()), &robin).await, ["first\nsecond\nthird", "/not a command", "after"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lines_from_a_pipe_are_said_in_order() {
    use std::io::Write;
    let home = TestBox::start().await;
    home.publish(&[started("s")]).await;
    let robin = home.person("robin");
    let outbox = tempfile::tempdir().unwrap();
    let mut child = attach(&url(home.http()), &robin, outbox.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let words: Vec<String> = (0..40).map(|n| format!("/line {n}")).collect();
    child.stdin.take().unwrap().write_all(words.join("\n").as_bytes()).unwrap();

    let begin = std::time::Instant::now();
    while said(&url(home.http()), &robin).await.len() < words.len() {
        assert!(begin.elapsed() < Duration::from_secs(30));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(said(&url(home.http()), &robin).await, words);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_that_waits_is_taken_back_and_one_that_was_said_is_edited_and_branched() {
    let home = TestBox::start().await;
    home.publish(&[started("s"), delta("s", 0, "Working ")]).await;
    let robin = home.person("robin");
    let outbox = tempfile::tempdir().unwrap();
    let pty = Pty::start(&mut attach(&url(home.http()), &robin, outbox.path()), 80, 30);
    let (pty, ()) = on_terminal(pty, |pty| {
        pty.until_shown("Working");
        pty.press("wait\r");
        pty.until_shown("robin (waiting)\n  wait\n");
        pty.press("/take-back\r");
        pty.until_shown("robin (taken back)\n  wait\n");
        // Nothing of theirs waits any more: it is said, and the line stays.
        pty.press("/take-back\r");
        pty.until_shown("nothing of yours waits");
        pty.press("\x15");
        // A stop shows before anything ends.
        pty.press("/stop\r");
        pty.until_shown("stopping");
    })
    .await;
    let idle = json!({ "id": "s.idle", "name": "thread.stopped", "session": "s", "actor": "assistant:helper",
        "acts_for": "person:robin", "data": {} });
    home.publish(&[done("s"), idle.to_string()]).await;
    let (pty, ()) = on_terminal(pty, |pty| {
        pty.until_shown("stopped");
        pty.press("hello\r");
        pty.until("what was said", |shown| shown.contains("robin\n  hello\n"));
        // An edit begins with the words as they were.
        pty.press("/edit\r");
        pty.until_shown("> /edit hello");
        pty.press(" there\r");
        pty.until("the edited message", |shown| {
            shown.contains("  hello there\n") && shown.contains("taken back to an earlier")
        });
        pty.press("/branch Another way\r");
        pty.until_shown("a branch: vyre attach ");
        pty.press("\x04");
        assert!(pty.ended().success());
    })
    .await;
    let shown = pty.shown();
    assert_eq!(said(&url(home.http()), &robin).await, ["wait", "hello there"], "{shown}");
    let branch = shown.split("vyre attach ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    let listed = home.call(&robin, "sessions.list", json!({})).await.json();
    let branch = listed["sessions"].as_array().unwrap().iter().find(|s| s["session"] == branch).unwrap();
    assert_eq!(branch["title"], "Another way");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_types_is_seen_by_the_others_and_not_by_themselves() {
    let home = TestBox::start().await;
    let robin = home.person("robin");
    let made = home.call(&robin, "sessions.create", json!({ "session": "s", "participants": ["person:ana"] })).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let ana = home.person("ana");
    let outbox = tempfile::tempdir().unwrap();
    let start = |token: &str| Pty::start(&mut attach(&url(home.http()), token, outbox.path()), 80, 24);
    let (robins, anas) = (start(&robin), start(&ana));

    let (mut robins, mut anas) = tokio::task::spawn_blocking(move || {
        let (mut robins, mut anas) = (robins, anas);
        robins.until_shown("live");
        anas.until_shown("live");
        anas.press("I think");
        robins.until_shown("ana types");
        assert!(!anas.shown().contains("types"));
        anas.press(" so\r");
        robins.until("what was typed", |shown| shown.contains("ana\n  I think so\n") && !shown.contains("ana types"));
        (robins, anas)
    })
    .await
    .unwrap();
    robins.press("\x04");
    anas.press("\x04");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_program_on_the_same_outbox_says_so_and_takes_keys_all_the_same() {
    let home = TestBox::start().await;
    home.publish(&[started("s")]).await;
    let robin = home.person("robin");
    let outbox = tempfile::tempdir().unwrap();
    let start = || Pty::start(&mut attach(&url(home.http()), &robin, outbox.path()), 100, 24);
    let (first, ()) = on_terminal(start(), |pty| drop(pty.until_shown("live"))).await;

    let (mut second, ()) = on_terminal(start(), |pty| {
        pty.until_shown("another vyre on this machine");
        pty.press("from the second\r");
        pty.until("what was said", |shown| shown.contains("robin\n  from the second\n"));
    })
    .await;
    second.press("\x04");
    drop(first);
    let mode = |path: &Path| std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(path).unwrap()) & 0o777;
    for file in std::fs::read_dir(outbox.path()).unwrap() {
        assert_eq!(mode(&file.unwrap().path()), 0o600);
    }
}
