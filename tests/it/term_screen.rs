//! A snapshot of a terminal and the output behind it show what all of the output shows: with what real programs write, at
//! every byte of it, and in an emulator that shares no code with the box.

use std::fs;
use std::path::Path;
use std::process::Command;

use vyre_proto::term::TermSize;
use vyre_stream::rules::term::screen::Screen;

use crate::common::Pty;

const COLUMNS: u16 = 80;
const ROWS: u16 = 24;

fn size() -> TermSize {
    TermSize::clamped(COLUMNS.into(), ROWS.into())
}

/// What a program writes while these keys are pressed, each when what stands beside it has been written.
fn recording(program: &str, args: &[&str], folder: &Path, keys: &[(&str, &str)]) -> Vec<u8> {
    // The last words tell that the program's own have been read.
    const END: &str = "it is over";
    let mut command = Command::new("sh");
    command.args(["-c", &format!("\"$0\" \"$@\"; printf '{END}'"), program]).args(args).current_dir(folder).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", folder).env("TERM", "xterm-256color");
    command.env("LANG", "C.UTF-8");
    let mut pty = Pty::start(&mut command, COLUMNS, ROWS);
    for (until, press) in keys {
        pty.until_written(until);
        pty.press(press);
    }
    pty.until_written(END);
    let mut output = pty.bytes();
    output.truncate(output.len() - END.len());
    output
}

/// What programs of every kind write: lines, colours, the whole screen, the mouse, titles, an emulator in the emulator.
fn recordings() -> Vec<(&'static str, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text: String = (0..60).map(|n| format!("{n} grüße 漢字 e\u{301} \u{1f600} {}\n", "x".repeat(n * 2))).collect();
    fs::write(folder.join("text"), text).unwrap();
    fs::write(folder.join("rc"), "PS1='\\e]0;at \\w\\a\\e[32m\\w\\e[0m $ '\n").unwrap();
    let vim = ["-u", "NONE", "-N", "-c", "set title mouse=a number", "-c", "syntax on", "text"];
    let socket = folder.join("tmux");
    let tmux = ["-S", socket.to_str().unwrap(), "-f", "/dev/null", "new", "bash --rcfile rc -i"];
    vec![
        (
            "bash",
            recording(
                "bash",
                &["--rcfile", "rc", "-i"],
                folder,
                &[
                    ("$ ", "ls --color=always /\r"),
                    ("usr", "seq 40; printf '\\e(0lqk\\e(B\\n'; echo d\"\"one\r"),
                    ("done", "exit\r"),
                ],
            ),
        ),
        ("vim", recording("vim", &vim, folder, &[("\"text\"", "Onew\x1b:split\r:1\rdd"), ("\x1b[?25h", ":wq\r:q\r")])),
        ("less", recording("less", &["-R", "text"], folder, &[("text", " "), ("25 gr", "/59\r"), ("[7m59", "gq")])),
        ("top", recording("top", &["-n", "2", "-d", "0.1"], folder, &[])),
        (
            "tmux",
            recording(
                "tmux",
                &tmux,
                folder,
                &[("$", "\x02\""), ("─", "seq 30; echo d\"\"one\r"), ("done", "tmux kill-server\r")],
            ),
        ),
    ]
}

#[test]
fn at_every_byte_of_real_output_a_snapshot_holds_all_that_came_before() {
    for (program, output) in recordings() {
        let mut screen = Screen::new(size());
        for at in 0..output.len() {
            screen.feed(&output[at..=at]);
            let snapshot = screen.snapshot();
            let mut late = Screen::new(snapshot.size);
            late.feed(&snapshot.bytes);
            late.feed(&output[snapshot.next.get() as usize..=at]);
            assert!(late.snapshot().bytes == screen.snapshot().bytes, "{program} at {at}");
        }
    }
}

#[test]
fn another_emulator_shows_the_same_after_a_snapshot_as_after_all_of_it() {
    for (program, output) in recordings() {
        let whole = tmux_shows(&output);
        for part in 1..=4 {
            let at = output.len() * part / 5;
            let mut screen = Screen::new(size());
            screen.feed(&output[..at]);
            let snapshot = screen.snapshot();
            let before = [&snapshot.bytes[..], &output[snapshot.next.get() as usize..at]].concat();
            assert_eq!(tmux_shows(&before), tmux_shows(&output[..at]), "{program} at {at}");
            assert_eq!(tmux_shows(&[&before, &output[at..]].concat()), whole, "{program} from {at} to its end");
        }
    }
}

/// What a pane of tmux shows that has read this: its cells with their colours, the cursor, the modes.
fn tmux_shows(output: &[u8]) -> String {
    const STATE: &str = "#{cursor_x},#{cursor_y} alternate #{alternate_on} #{alternate_saved_x},#{alternate_saved_y} \
        cursor #{cursor_flag} insert #{insert_flag} keypad #{keypad_flag} keys #{keypad_cursor_flag} origin #{origin_flag} \
        wrap #{wrap_flag} mouse #{mouse_any_flag}#{mouse_button_flag}#{mouse_standard_flag}#{mouse_sgr_flag} \
        region #{scroll_region_upper}-#{scroll_region_lower} tabs #{pane_tabs} title #{pane_title}";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("output");
    fs::write(&file, output).unwrap();
    let tmux = |args: &[&str]| {
        let socket = folder.path().join("socket");
        let out =
            Command::new("tmux").arg("-S").arg(socket).args(["-f", "/dev/null"]).args(args).env_remove("TMUX").output();
        let out = out.unwrap();
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let shell = format!("stty raw -echo; cat '{}'; tmux wait-for -S read; exec sleep 60", file.display());
    let (columns, rows) = (COLUMNS.to_string(), ROWS.to_string());
    tmux(&["new-session", "-d", "-x", &columns, "-y", &rows, &shell]);
    tmux(&["wait-for", "read"]);
    let state = tmux(&["display-message", "-p", STATE]);
    let cells = tmux(&["capture-pane", "-p", "-e"]);
    tmux(&["kill-server"]);
    // There is more than one way to write down the same cells.
    let mut one_way = Screen::new(size());
    one_way.feed(cells.trim_end_matches('\n').replace('\n', "\r\n").as_bytes());
    one_way.feed(b"\x1b[m\x1b[H");
    let cells = String::from_utf8(one_way.snapshot().bytes).unwrap();
    format!("{state}{}", cells.replace("\r\n", "\n").escape_debug().to_string().replace("\\n", "\n"))
}
