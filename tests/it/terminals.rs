//! Terminals with real shells: what a screen gets, what outlives what, and what ends.

use std::time::Duration;

use vyre_proto::pb::stream::TermReports;
use vyre_proto::term::Offset;
use vyre_proto::term::TermSize;
use vyre_stream::term::AttachError;
use vyre_stream::term::Limits;
use vyre_stream::term::OpenError;

use crate::common::desk::Desk;
use crate::common::desk::SOON;
use crate::common::desk::Screen;
use crate::common::desk::all_gone;

/// The number that was printed between these words.
fn number<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.rsplit_once(before).unwrap();
    rest.split_once(after).unwrap().0
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shell_runs_where_the_session_is_and_says_how_it_ended() {
    let desk = Desk::new();
    let terminal = desk.open().await;
    let mut screen = Screen::on(&terminal, Some(Offset::ZERO));

    screen.type_in("pwd; echo \"$TERM [$0] ${VYRE_TOKEN-none}\"; tty; stty size\r");
    screen.until_shown("24 80").await;
    let folder = desk.folder().canonicalize().unwrap();
    for shown in [folder.to_str().unwrap(), "xterm-256color [-sh] none", "/dev/pts/"] {
        assert!(screen.text().contains(shown), "{shown}: {}", screen.text());
    }
    screen.type_in("exit 7\r");

    assert_eq!(screen.until_ended().await, 7);
    assert_eq!(desk.terminals.of(terminal.session()).len(), 0);
    assert_eq!(terminal.info().exit, Some(7));
    // Somebody who comes a moment too late is told as well.
    let mut late = Screen::on(&terminal, screen.at);
    assert_eq!((late.until_ended().await, late.bytes.len()), (7, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shell_that_a_signal_ended_says_which() {
    let desk = Desk::new();
    let terminal = desk.open().await;
    let mut screen = Screen::on(&terminal, Some(Offset::ZERO));
    screen.type_in("kill -9 $$\r");

    assert_eq!(screen.until_ended().await, 128 + 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shell_outlives_every_screen_and_one_that_comes_back_lacks_nothing() {
    let desk = Desk::new();
    let terminal = desk.open().await;
    let mut first = Screen::on(&terminal, Some(Offset::ZERO));
    first.type_in("for n in 1 2 3; do sleep 0.1; echo \"line-$n\"; done; echo 'over'-and-out\r");
    first.until_shown("line-1").await;
    let (seen, at) = (first.bytes.clone(), first.at);
    drop(first);
    while terminal.info().screens > 0 {
        tokio::task::yield_now().await;
    }

    let mut back = Screen::on(&terminal, at);
    back.until_shown("over-and-out").await;
    let mut whole = Screen::on(&terminal, Some(Offset::ZERO));
    whole.until_shown("over-and-out").await;

    assert_eq!([seen, back.bytes].concat(), whole.bytes);
    assert!(back.snapshots.is_empty());
    let head = terminal.info().head;
    assert_eq!(
        terminal.attach(Some(head.plus(1)), crate::common::desk::anna()).err(),
        Some(AttachError::Beyond { head })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_ends_whatever_hides_from_it() {
    let desk = Desk::with("/bin/bash", Limits::default());
    let terminal = desk.open().await;
    let mut screen = Screen::on(&terminal, Some(Offset::ZERO));
    screen.type_in(
        "sleep 1000 & (setsid nohup sleep 1001 >/dev/null 2>&1 & echo \"deep=$!=\"); echo \"own=$$= job=$!=\"\r",
    );
    screen.until("the numbers", |s| s.text().matches("own=").count() > 1 && s.text().contains("deep=")).await;
    let text = screen.text();
    let pids = [number(&text, "own=", "="), number(&text, "job=", "="), number(&text, "deep=", "=")];

    terminal.close();
    screen.until_ended().await;

    all_gone(&pids).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_is_told_that_its_terminal_goes() {
    let desk = Desk::new();
    let terminal = desk.open().await;
    let mut screen = Screen::on(&terminal, Some(Offset::ZERO));
    screen.type_in("trap 'echo told > told; exit 3' HUP; echo read'y'; while :; do sleep 0.05; done\r");
    screen.until_shown("ready").await;
    terminal.close();
    screen.until_ended().await;

    assert_eq!(std::fs::read_to_string(desk.folder().join("told")).unwrap(), "told\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_box_that_stops_leaves_no_shell_and_opens_no_other() {
    let desk = Desk::with("/bin/bash", Limits::default());
    let mut pids = Vec::new();
    for _ in 0..3 {
        let mut screen = Screen::on(&desk.open().await, Some(Offset::ZERO));
        screen.type_in("trap '' HUP TERM; echo own=$$=\r");
        screen.until("the number", |s| s.text().matches("own=").count() > 1).await;
        pids.push(number(&screen.text(), "own=", "=").to_owned());
    }
    desk.terminals.stop().await;

    all_gone(&pids.iter().map(String::as_str).collect::<Vec<_>>()).await;
    assert!(matches!(desk.try_open().await, Err(OpenError::Stopping)));
    assert_eq!(std::fs::read_dir(desk.dir.path().join("term")).unwrap().count(), 0, "what shells read is removed");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_flood_of_a_program_stays_in_bounded_memory_and_an_interrupt_acts_at_once() {
    let desk = Desk::new();
    let terminal = desk.open().await;
    let mut screen = Screen::on(&terminal, Some(Offset::ZERO));
    screen.type_in("yes\r");
    screen.until("a flood", |s| s.bytes.len() > 1 << 20).await;

    // A screen that reads nothing any more slows nobody down, and keeps nothing.
    let idle = Screen::on(&terminal, screen.at);
    let before = terminal.info().head;
    screen.until("much more", |s| s.at.is_some_and(|at| at.above(before) > 6 << 20)).await;
    let info = terminal.info();
    assert!(info.head.above(info.floor) <= (2 << 20) + 16 * 1024);

    let pressed_at = terminal.info().head;
    screen.type_in("\x03");
    screen.until_shown("^C").await;
    let mut quiet = false;
    while !quiet {
        let before = terminal.info().head;
        let more = async { while screen.take().await {} };
        let _ = tokio::time::timeout(Duration::from_millis(300), more).await;
        quiet = terminal.info().head == before;
    }
    // As much as was on its way, and not what a flood is in the time that a person takes to let the key go.
    let after = terminal.info().head.above(pressed_at);
    assert!(after < 1 << 20, "{after} bytes were printed after the interrupt");

    // The one that fell behind gets the terminal as it stands, and goes on from there.
    let mut idle = idle;
    idle.until("a snapshot", |s| s.snapshots.len() == 1).await;
    idle.type_in("echo go'es' on\r");
    idle.until_shown("goes on").await;
    assert_eq!(idle.snapshots.len(), 1);
    assert!(idle.bytes.len() < 4096, "{}", idle.bytes.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_program_does_not_read_is_no_hindrance_to_an_interrupt() {
    let desk = Desk::new();
    let terminal = desk.open().await;
    let mut screen = Screen::on(&terminal, Some(Offset::ZERO));
    screen.until("a prompt", |s| !s.bytes.is_empty()).await;
    let prompt = screen.text();
    screen.type_in("stty -icanon -echo min 1; echo read'y'; sleep 1000\r");
    screen.until_shown("ready").await;
    // More than the system takes for a program that does not read.
    for _ in 0..20 {
        screen.type_in(&"x".repeat(16 * 1024));
    }
    let interrupted = tokio::time::timeout(SOON, async {
        while !screen.text().ends_with(&prompt) {
            // As a person does who waits.
            screen.type_in("\x03");
            let quiet = async { while screen.take().await {} };
            let _ = tokio::time::timeout(Duration::from_millis(300), quiet).await;
        }
    });
    assert!(interrupted.await.is_ok(), "the interrupt never acts: {:?}", screen.text());
    screen.type_in("stty sane; echo wo'ken'\r");

    screen.until_shown("woken").await;
    assert!(!screen.text().contains("xxx"), "what was typed before the interrupt is forgotten");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_paste_arrives_whole() {
    let desk = Desk::new();
    let terminal = desk.open().await;
    let mut screen = Screen::on(&terminal, Some(Offset::ZERO));
    screen.type_in("stty -echo; echo read'y'; head -c 2000000 | cksum; stty echo\r");
    screen.until_shown("ready").await;
    let line = format!("{}\n", "0123456789".repeat(10));
    let paste = line.repeat(2_000_000 / line.len() + 1)[..2_000_000].to_owned();
    let mut sum = std::process::Command::new("cksum")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut sum.stdin.take().unwrap(), paste.as_bytes()).unwrap();
    let want = String::from_utf8(sum.wait_with_output().unwrap().stdout).unwrap();
    for piece in paste.as_bytes().chunks(16 * 1024) {
        while !screen.attached.has_room() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        screen.attached.typed(bytes::Bytes::copy_from_slice(piece));
    }
    // The last line has no end.
    screen.type_in("\x04\x04");

    screen.until_shown(want.trim()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_screen_that_typed_last_has_its_size() {
    let desk = Desk::new();
    let terminal = desk.open().await;
    let (mut desk_screen, mut phone) =
        (Screen::on(&terminal, Some(Offset::ZERO)), Screen::on(&terminal, Some(Offset::ZERO)));
    desk_screen.attached.resize(TermSize::clamped(120, 40));
    phone.attached.resize(TermSize::clamped(45, 80));

    desk_screen.type_in("stty size\r");
    desk_screen.until_shown("40 120").await;
    phone.type_in("stty size\r");
    phone.until_shown("80 45").await;
    desk_screen.until("the phone's size", |s| s.sizes.last() == Some(&TermSize::clamped(45, 80))).await;

    assert!(phone.states.last().unwrap().decides);
    desk_screen.until("that it does not decide", |s| s.states.last().is_some_and(|s| !s.decides)).await;
    assert_eq!(terminal.info().size, TermSize::clamped(45, 80));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_the_answers_of_all_screens_the_program_gets_one() {
    let desk = Desk::new();
    let terminal = desk.open().await;
    let (mut first, second) = (Screen::on(&terminal, Some(Offset::ZERO)), Screen::on(&terminal, Some(Offset::ZERO)));
    first.type_in("stty -echo; echo read'y'; read -r line; echo \"got ${#line}\"\r");
    first.until_shown("ready").await;
    // Both were asked what they are; the one that typed answers, cut in two.
    second.type_in("\x1b[?62;c");
    first.type_in("\x1b[?6");
    first.type_in("2;c");
    second.type_in("\x1b]11;rgb:0000/0000/0000\x1b\\");
    first.type_in("\r");

    first.until_shown("got 7").await;
    assert!(!second.attached.decides());
    second.type_in("x");
    assert!(second.attached.decides(), "a key is no answer");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminal_that_nobody_looks_at_ends_after_its_time() {
    let limits = Limits { idle: Duration::from_millis(300), ..Limits::default() };
    let desk = Desk::with("/bin/sh", limits);
    let (seen, unseen) = (desk.open().await, desk.open().await);
    let mut screen = Screen::on(&seen, Some(Offset::ZERO));
    drop(Screen::on(&unseen, None));

    tokio::time::timeout(SOON, unseen.ended()).await.unwrap();

    screen.type_in("echo st'ill' there\r");
    screen.until_shown("still there").await;
    assert_eq!(seen.info().exit, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_has_so_many_terminals_and_no_more() {
    let desk = Desk::with("/bin/sh", Limits { per_session: 2, ..Limits::default() });
    let first = desk.open().await;
    desk.open().await;
    assert!(matches!(desk.try_open().await, Err(OpenError::SessionFull { most: 2 })));

    first.close();
    tokio::time::timeout(SOON, first.ended()).await.unwrap();

    desk.open().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_run_is_reported_and_a_shell_that_cannot_says_so() {
    let mut desk = Desk::with("/bin/bash", Limits::default());
    let terminal = desk.open().await;
    let mut screen = Screen::on(&terminal, Some(Offset::ZERO));
    let says = |s: &Screen, what: TermReports| s.states.last().is_some_and(|s| s.reports() == what);
    screen.until("the first prompt", |s| says(s, TermReports::Yes)).await;
    screen.type_in("echo first\r");

    let told = tokio::time::timeout(SOON, desk.lines.recv()).await.unwrap().unwrap();
    assert_eq!((told.term, told.ran.line.text()), (terminal.id(), "echo first"));
    assert_eq!(told.ran.typist, crate::common::desk::anna());
    // Where the line begins to run, in the bytes that screens have.
    screen.until_shown("first\r\n").await;
    let mut from = Screen::on(&terminal, Some(told.ran.offset));
    from.until_shown("first\r\n").await;
    assert!(from.text().starts_with("\x1b]633;E;echo first;"), "{:?}", from.text());

    let plain = Desk::with("/bin/dash", Limits::default());
    let mut screen = Screen::on(&plain.open().await, Some(Offset::ZERO));
    screen.until("that it reports nothing", |s| says(s, TermReports::No)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn cut_at_any_byte_of_a_real_session_it_goes_on_exactly() {
    let desk = Desk::with("/bin/bash", Limits::default());
    let terminal = desk.open().await;
    let mut screen = Screen::on(&terminal, Some(Offset::ZERO));
    std::fs::write(desk.folder().join("text"), "grüße 漢字 \u{1f600}\n".repeat(40)).unwrap();
    screen.type_in("vim -u NONE -N text\r");
    screen.until_shown("\x1b[?1049h").await;
    screen.type_in("Gdd:set number\r:q!\r");
    screen.until_shown("\x1b[?1049l").await;
    screen.attached.resize(TermSize::clamped(60, 20));
    screen.type_in("ls --color=always /; printf 'e\\u0301\\033[1mo''ver\\n'\r");
    screen.until_shown("over\r\n").await;
    let whole = screen.bytes.clone();
    assert!(whole.len() > 2000, "{}", whole.len());

    for cut in 0..=whole.len() {
        let mut back = Screen::on(&terminal, Offset::new(cut as u64));
        back.until("the rest", |s| cut + s.bytes.len() >= whole.len()).await;

        assert_eq!(back.bytes[..whole.len() - cut], whole[cut..], "{cut}");
        assert!(back.snapshots.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminal_on_which_nobody_ever_came_ends_soon() {
    let desk = Desk::with("/bin/sh", Limits { unseen: Duration::from_millis(300), ..Limits::default() });
    let (seen, unseen) = (desk.open().await, desk.open().await);
    drop(Screen::on(&seen, None));

    tokio::time::timeout(SOON, unseen.ended()).await.unwrap();

    assert_eq!(seen.info().exit, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_opens_and_goes_before_the_shell_is_there_leaves_nothing_behind() {
    let limits = Limits { unseen: Duration::from_millis(10), linger: Duration::ZERO, ..Limits::default() };
    let desk = Desk::with("/bin/bash", limits);
    let open = || std::fs::read_dir("/proc/self/fd").unwrap().filter(|fd| is_a_terminal(fd.as_ref().unwrap())).count();
    for n in 0..100u64 {
        // Given up at every stage of the start.
        let _ = tokio::time::timeout(Duration::from_micros(n * 100), desk.try_open()).await;
    }
    tokio::time::timeout(SOON, async {
        while !desk.terminals.of(&crate::common::desk::session()).is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .expect("terminals stay");
    let before = open();
    desk.terminals.stop().await;

    assert_eq!(std::fs::read_dir(desk.dir.path().join("term")).map_or(0, Iterator::count), 0);
    // Other tests have terminals of their own, so only a hundred too many would tell.
    assert!(before < 80, "{before} terminals are open");
}

fn is_a_terminal(fd: &std::fs::DirEntry) -> bool {
    std::fs::read_link(fd.path()).is_ok_and(|to| to == std::path::Path::new("/dev/ptmx") || to.starts_with("/dev/pts"))
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_no_text_arrive_as_they_were_printed() {
    let desk = Desk::new();
    let terminal = desk.open().await;
    let all: Vec<u8> = (0..70_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let mut screen = Screen::on(&terminal, Some(Offset::ZERO));
    std::fs::write(desk.folder().join("all"), &all).unwrap();
    screen.type_in("stty raw -echo; echo read'y'; cat all; printf 'end-%s' mark; stty sane\r");
    screen.until("the end", |s| s.bytes.windows(8).any(|w| w == b"end-mark")).await;

    let begin = screen.bytes.windows(6).position(|w| w == b"ready\n").unwrap() + 6;
    let end = screen.bytes.windows(8).position(|w| w == b"end-mark").unwrap();
    assert!(screen.bytes[begin..end] == all, "{} bytes of {}", end - begin, all.len());
}
