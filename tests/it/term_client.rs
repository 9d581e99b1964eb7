//! `vyre term` on a real terminal: a person's own, and one of a box, with real programs on it, through cuts.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;
use vyre_stream::clock::Clock;
use vyre_stream::config::Many;
use vyre_stream::config::Settings;
use vyre_stream::config::TerminalSettings;
use vyre_stream::edge::uplink::UplinkState;

use crate::common::Proxy;
use crate::common::Pty;
use crate::common::TestBox;
use crate::common::TestRelay;

const SIZE: (u16, u16) = (80, 24);

/// The key that leaves.
const LEAVE: &str = "\x1d";

/// A box whose terminals have this shell, and a person in a session `work` of it.
async fn home() -> (TestBox, String) {
    home_with(Settings::default()).await
}

async fn home_with(settings: Settings) -> (TestBox, String) {
    let terminals = TerminalSettings { shell: Some("/bin/sh".into()), ..TerminalSettings::default() };
    let home = TestBox::start_with(Settings { terminals, ..settings }, Clock::system()).await;
    let robin = home.person("robin");
    let made = home.call(&robin, "sessions.create", json!({ "session": "work", "title": "work" })).await;
    assert_eq!(made.status, 200, "{}", made.text());
    (home, robin)
}

fn term(url: &str, token: &str, args: &[&str]) -> Command {
    let mut command = Command::new(TestBox::program());
    command.args(["term", "work", "--url", url]).args(args).env("VYRE_TOKEN", token).env("VYRE_LOG", "off");
    command
}

fn on(command: &mut Command) -> Pty {
    Pty::start(command, SIZE.0, SIZE.1)
}

/// Something that waits for terminals, beside a box in this process.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

/// The prompt of a shell that waits.
fn prompts(seen: &str) -> bool {
    seen.contains(['$', '#'])
}

fn shows(pty: &mut Pty, text: &str) -> String {
    pty.until_seen(SIZE, text, |seen| seen.contains(text))
}

/// Presses keys again and again until it is as it should be: what is typed while there is no line is not kept.
fn until_answered(pty: &mut Pty, keys: &str, is: impl Fn(&str) -> bool) {
    for _ in 0..100 {
        pty.press(keys);
        for _ in 0..20 {
            if is(&pty.seen(SIZE.0, SIZE.1)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    panic!("{keys:?} is never answered: {}", pty.seen(SIZE.0, SIZE.1).escape_debug());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shell_is_opened_left_and_found_again_and_its_end_is_that_of_the_command() {
    let (home, robin) = home().await;
    for url in [format!("http://{}", home.http()), format!("quic://{}@{}", home.id(), home.quic())] {
        let robin = robin.clone();
        beside(move || {
            let mut pty = on(&mut term(&url, &robin, &[]));
            let before = pty.settings();
            pty.until_seen(SIZE, "a prompt", prompts);
            pty.press("stty size; echo o'ne'\r");
            shows(&mut pty, "24 80\r\none\r\n");
            pty.resize(100, 30);
            pty.press("stty size\r");
            pty.until_seen((100, 30), "the new size", |seen| seen.contains("30 100"));
            pty.press(LEAVE);
            assert!(pty.ended().success());
            pty.until_written("comes back");
            assert_eq!(format!("{:?}", pty.settings().local_modes), format!("{:?}", before.local_modes));

            let mut pty = on(&mut term(&url, &robin, &[]));
            shows(&mut pty, "one\r\n");
            pty.press("exit 7\r");
            assert_eq!(pty.ended().code(), Some(7));
        })
        .await;
    }
    home.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_screen_programs_stand_as_they_stood_after_every_cut() {
    let (home, robin) = home().await;
    let proxy = Arc::new(Proxy::start(home.http(), home.quic()).await);
    let (url, straight) = (format!("http://{}", proxy.tcp()), format!("http://{}", home.http()));
    let done = beside(move || {
        for (start, answer, keys, quit) in [
            ("vim -u NONE -N -c 'set mouse=a'", "\x1b[?1002h", "iword \x1b\x0c", "\x1b:q!\r"),
            ("top -d 1", "load average", "1", "q"),
            ("tmux -S ./socket -f /dev/null new sh", "[0] 0:", "echo word\r", "exit\r"),
        ] {
            let mut pty = on(&mut term(&url, &robin, &["--new"]));
            pty.until_seen(SIZE, "a prompt", prompts);
            pty.press(&format!("unset TMUX; {start}\r"));
            shows(&mut pty, answer);
            for _ in 0..4 {
                proxy.cut();
                // It may have no line, and then it rings.
                pty.press(keys);
                let mut fresh = on(&mut term(&straight, &robin, &[]));
                shows(&mut fresh, answer);
                fresh.press(LEAVE);
                assert!(fresh.ended().success());
            }
            until_answered(&mut pty, quit, |seen| !seen.contains("?1049h"));
            until_answered(&mut pty, "echo af'ter'\r", |seen| seen.contains("after\r\n"));
            let seen = pty.seen(SIZE.0, SIZE.1);
            assert!(!seen.contains("?1002h") && !seen.contains("?1h"), "{start}: {}", seen.escape_debug());
            pty.press("exit\r");
            assert!(pty.ended().success());
        }
    });
    done.await;
    home.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signal_gives_the_terminal_back_whatever_a_program_had_made_of_it() {
    let (home, robin) = home().await;
    let url = format!("http://{}", home.http());
    beside(move || {
        let mut pty = on(&mut term(&url, &robin, &[]));
        let before = pty.settings();
        pty.until_seen(SIZE, "a prompt", prompts);
        pty.press("printf '\\033[?1049h\\033[?1002h\\033[?25lfull screen'; cat\r");
        shows(&mut pty, "\x1b[?1002h");
        pty.signal(Signal::TERM);
        assert!(pty.ended().success());
        let seen = pty.until_seen(SIZE, "how to come back", |seen| seen.contains("comes back"));
        assert!(
            !seen.contains("?1049h") && !seen.contains("?1002h") && !seen.contains("?25l"),
            "{}",
            seen.escape_debug()
        );
        assert_eq!(format!("{:?}", pty.settings().local_modes), format!("{:?}", before.local_modes));
    })
    .await;
    home.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_line_the_bell_rings_and_nothing_of_what_is_typed_arrives_later() {
    let (home, robin) = home().await;
    let proxy = Proxy::start(home.http(), home.quic()).await;
    let url = format!("http://{}", proxy.tcp());
    let pty = beside(move || {
        let mut pty = on(&mut term(&url, &robin, &[]));
        pty.until_seen(SIZE, "a prompt", prompts);
        pty
    })
    .await;
    // Nobody listens there any more.
    drop(proxy);
    beside(move || {
        let mut pty = pty;
        shows(&mut pty, "reconnecting: ");
        pty.press("rm precious\r");
        pty.until_written("\x07");
        pty.press(LEAVE);
        assert!(pty.ended().success());
    })
    .await;
    home.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_smaller_window_looks_on_at_a_part_and_has_its_size_when_it_types() {
    let (home, robin) = home().await;
    let url = format!("http://{}", home.http());
    beside(move || {
        let mut desk = on(&mut term(&url, &robin, &[]));
        desk.until_seen(SIZE, "a prompt", prompts);
        desk.press("clear; seq 30\r");
        shows(&mut desk, "30\r\n");

        let small = (20, 6);
        let mut phone = Pty::start(&mut term(&url, &robin, &[]), small.0, small.1);
        let seen = phone.until_seen(small, "the end of it", |seen| seen.contains("30\r\n"));
        assert!(!seen.contains("25\r\n") && seen.contains("26\r\n"), "{}", seen.escape_debug());
        desk.press("stty size\r");
        shows(&mut desk, "24 80\r\n");
        phone.press("stty size\r");
        phone.until_seen(small, "its size", |seen| seen.contains("6 20\r\n"));
        phone.press(LEAVE);
        assert!(phone.ended().success());
        desk.press("exit\r");
        desk.ended();
    })
    .await;
    home.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_runs_is_listed_and_what_cannot_be_is_said_in_words() {
    let (home, robin) = home().await;
    let url = format!("http://{}", home.http());
    beside(move || {
        let mut pty = on(&mut term(&url, &robin, &[]));
        pty.until_seen(SIZE, "a prompt", prompts);
        let listed = term(&url, &robin, &["--list"]).output().unwrap();
        let listed = String::from_utf8(listed.stdout).unwrap();
        let term_id = listed.split_whitespace().next().unwrap().to_owned();
        assert!(listed.contains("  sh  80x24  person:robin  1 screen\n"), "{listed}");

        // Without a terminal there is nothing to show it on.
        let out = term(&url, &robin, &["--term", &term_id]).output().unwrap();
        assert_eq!(out.status.code(), Some(2));
        let mut none = on(&mut term(&url, &robin, &["--term", &"0".repeat(32)]));
        assert_eq!(none.ended().code(), Some(1));
        none.until_written("there is no such terminal");
        pty.press("exit\r");
        assert!(pty.ended().success());
    })
    .await;
    home.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn through_a_relay_there_is_none_and_the_command_says_so() {
    let relay = TestRelay::start().await;
    let behind = relay.server.url().to_string();
    let (home, robin) = home_with(Settings { relay: Some(Many::One(behind.clone())), ..Settings::default() }).await;
    let mut uplink = home.daemon().uplinks().remove(0);
    uplink.wait_for(|state| *state == UplinkState::Up).await.unwrap();
    let id = home.id().to_string();
    beside(move || {
        let mut command = Command::new(TestBox::program());
        command
            .args(["term", "work", "--relay", &behind, "--box", &id])
            .env("VYRE_TOKEN", robin)
            .env("VYRE_LOG", "off");
        let mut pty = on(&mut command);
        assert_eq!(pty.ended().code(), Some(1));
        pty.until_written("terminals do not pass through a relay");
    })
    .await;
    home.stop().await;
}
