//! What goes by age, through the doors of a whole box, and what is left of it in the folder: nothing.

use std::io::BufRead;
use std::io::BufReader;
use std::path::Path;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;
use std::time::SystemTime;
use std::time::UNIX_EPOCH;

use serde_json::Value;
use serde_json::json;
use tokio::time::sleep;
use vyre_proto::frame::Frame;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::tick::Tick;
use vyre_proto::tick::Wall;
use vyre_stream::clock::Clock;
use vyre_stream::config::Settings;

use crate::common::Screen;
use crate::common::TestBox;
use crate::common::http;

const HOUR: u64 = 3600 * 1_000_000;

/// Ages the box looks every ten seconds; nothing takes this long.
const SOON: Duration = Duration::from_secs(40);

/// A rare word for each thing that goes, and for what stays.
const GOES: [&str; 4] = ["quokkathought", "quokkawords", "quokkacommand", "quokkaoutput"];
const STAYS: [&str; 3] = ["quokkaperson", "quokkaresult", "quokkaask"];

fn line(session: &str, id: &str, name: &str, actor: &str, data: Value) -> String {
    json!({ "id": format!("{session}-{id}"), "name": name, "session": session, "actor": actor, "data": data })
        .to_string()
}

/// A talk of one person with an assistant.
fn talk(session: &str) -> Vec<String> {
    let (robin, helper) = ("person:robin", "assistant:helper");
    vec![
        line(session, "1", "thread.started", robin, json!({ "title": "T", "assistant": helper })),
        line(session, "2", "thread.user", robin, json!({ "message": "u1", "text": "quokkaperson" })),
        line(session, "3", "thread.thinking", helper, json!({ "message": "m1", "text": "quokkathought" })),
        line(session, "4", "thread.delta", helper, json!({ "message": "m1", "text": "quokkawords and " })),
        line(session, "5", "thread.delta", helper, json!({ "message": "m1", "text": "more" })),
        line(
            session,
            "6",
            "thread.shell",
            helper,
            json!({ "call": "c1", "command": "quokkacommand", "output": "quokkaoutput" }),
        ),
        line(
            session,
            "7",
            "thread.tool-finished",
            helper,
            json!({ "call": "c2", "tool": "look", "ok": true, "result": "quokkaresult" }),
        ),
        line(session, "8", "ask.opened", helper, json!({ "ask": "a1", "question": "quokkaask" })),
        line(session, "9", "thread.done", helper, json!({ "message": "m1" })),
    ]
}

/// Every byte of every file below the folder.
fn holds(folder: &Path, word: &str) -> bool {
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).any(|path| match path.is_dir() {
        true => holds(&path, word),
        // The socket for commands holds nothing.
        false => std::fs::read(&path).is_ok_and(|all| all.windows(word.len()).any(|w| w == word.as_bytes())),
    })
}

fn places(frames: &[Frame]) -> Vec<(u64, u64)> {
    frames.iter().filter_map(Frame::span).map(|s| (s.first().get(), s.len())).collect()
}

async fn read(b: &TestBox, token: &str, session: &str) -> Vec<Frame> {
    let open = b.call(token, "stream.open", json!({ "session": session })).await.json();
    let head = open["head"].as_str().unwrap().parse().unwrap();
    let mut screen = Screen::open(b.http(), open["ticket"].as_str().unwrap(), "&from=0&merge=none").await;
    screen.until(head).await.into_iter().filter(|f| f.get().cur > 0).collect()
}

fn is_text(f: &Frame) -> bool {
    matches!(f.get().data, Some(Data::TextDelta(_) | Data::TermChunk(_)))
}

#[tokio::test]
async fn a_rare_word_is_in_no_byte_of_the_folder_once_it_is_old() {
    let clock = Clock::settable(Tick(0), Wall(500_000 * HOUR));
    let b = TestBox::start_with(Settings::default(), clock.clone()).await;
    let robin = b.person("robin");
    b.publish(&talk("s")).await;
    let before = read(&b, &robin, "s").await;
    assert!(before.iter().all(|f| !f.get().expired));

    clock.set(Tick(25 * HOUR), Wall(500_025 * HOUR));
    let after = tokio::time::timeout(SOON, async {
        loop {
            let frames = read(&b, &robin, "s").await;
            if frames.iter().all(|f| f.get().expired == is_text(f)) {
                return frames;
            }
            sleep(Duration::from_millis(200)).await;
        }
    });
    let after = after.await.expect("nothing was emptied");
    assert_eq!(places(&after), places(&before));
    let page = b.call(&robin, "stream.history", json!({ "session": "s", "limit": 100 })).await.text();
    for word in GOES {
        assert!(!page.contains(word), "{word} is in the history");
    }
    for word in STAYS {
        assert!(page.contains(word), "{word} is not in the history");
    }
    let again = b.publish_raw(talk("s").join("\n").into_bytes()).await.json();
    assert_eq!((&again["accepted"], &again["duplicates"]), (&json!("0"), &json!("9")), "{again}");
    assert_eq!(read(&b, &robin, "s").await, after);

    let folder = b.stop().await;
    for word in GOES {
        assert!(!holds(folder.path(), word), "{word} is in the folder");
    }
    for word in STAYS {
        assert!(holds(folder.path(), word), "{word} is not in the folder");
    }
}

#[tokio::test]
async fn a_killed_box_leaves_no_word_in_the_clear_and_the_next_one_takes_them_away() {
    let folder = tempfile::tempdir().unwrap();
    let token = |args: &[&str]| {
        let out = Command::new(TestBox::program()).arg("token").args(args).arg("--data").arg(folder.path()).output();
        String::from_utf8(out.unwrap().stdout).unwrap().trim().to_owned()
    };
    let producer = token(&["--producer", "switchboard"]);
    let mut running = Command::new(TestBox::program())
        .args(["serve", "--json", "--http", "127.0.0.1:0", "--quic", "off", "--data"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut ready = String::new();
    BufReader::new(running.stdout.take().unwrap()).read_line(&mut ready).unwrap();
    let ready: Value = serde_json::from_str(&ready).unwrap();
    let addr = ready["http"].as_str().unwrap().parse().unwrap();
    let auth = format!("Bearer {producer}");
    let headers = [("authorization", auth.as_str()), ("content-type", "application/x-ndjson")];
    let mut lines = talk("s");
    // One that is open when the box dies, and thinking that nobody has seen.
    lines.push(line("s", "10", "thread.delta", "assistant:helper", json!({ "message": "m2", "text": "quokkaopen" })));
    lines.push(line(
        "s",
        "11",
        "thread.thinking",
        "assistant:helper",
        json!({ "message": "m3", "text": "quokkaheld" }),
    ));
    let reply = http(addr, "POST", "/v1/tools/events.publish", &headers, lines.join("\n").as_bytes()).await;
    assert_eq!(reply.json()["accepted"], "11", "{}", reply.text());
    running.kill().unwrap();
    running.wait().unwrap();
    let goes = || GOES.iter().chain(&["quokkaopen", "quokkaheld"]);
    for word in goes() {
        assert!(!holds(folder.path(), word), "{word} is in the clear");
    }

    // A day later: what had ended is old, and what was open is cut now and old in another day.
    let now = u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros()).unwrap();
    let mut at = (0, now + 25 * HOUR);
    let mut folder = folder;
    for (words_of_open, day) in [(true, 1), (false, 2)] {
        let clock = Clock::settable(Tick(at.0), Wall(at.1));
        let b = TestBox::start_in(folder, Settings::default(), clock.clone()).await;
        let robin = b.person("robin");
        let frames = read(&b, &robin, "s").await;
        let old = |f: &&Frame| is_text(f) && (day == 2 || f.get().message != "m2");
        assert!(frames.iter().filter(old).all(|f| f.get().expired), "day {day}");
        assert_eq!(frames.iter().any(|f| is_text(f) && !f.get().expired), words_of_open, "day {day}");
        // The open one is given up a minute after the start.
        at = (at.0 + HOUR, at.1 + HOUR);
        clock.set(Tick(at.0), Wall(at.1));
        b.publish(&[line(
            "s",
            &format!("later{day}"),
            "thread.user",
            "person:robin",
            json!({ "message": format!("l{day}"), "text": "." }),
        )])
        .await;
        folder = b.stop().await;
        for word in goes() {
            assert!(!holds(folder.path(), word), "{word} is in the folder on day {day}");
        }
        at = (0, at.1 + 25 * HOUR);
    }
    assert!(holds(folder.path(), "quokkaperson"));
}
