//! [`Pty`]: a program on a real terminal, and what a person would see there.

use std::fs::File;
use std::io::Read;
use std::io::Write;
use std::os::fd::AsFd;
use std::os::fd::OwnedFd;
use std::process::Child;
use std::process::Command;
use std::process::ExitStatus;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;
use std::time::Instant;

use rustix::fs::Mode;
use rustix::fs::OFlags;
use rustix::process::Pid;
use rustix::process::Signal;
use rustix::process::kill_process;
use rustix::pty::OpenptFlags;
use rustix::pty::grantpt;
use rustix::pty::openpt;
use rustix::pty::ptsname;
use rustix::pty::unlockpt;
use rustix::termios::Termios;
use rustix::termios::Winsize;
use rustix::termios::tcgetattr;
use rustix::termios::tcsetwinsize;
use vyre_proto::term::TermSize;
use vyre_stream::rules::term::screen::Screen;

/// Nothing that a person waits for takes this long.
const SOON: Duration = Duration::from_secs(30);

/// A program on a terminal of its own. Killed when dropped.
pub struct Pty {
    child: Child,
    keyboard: File,
    written: Arc<Mutex<Vec<u8>>>,
    /// Kept open, so that what the program did to the terminal can be asked afterwards.
    terminal: OwnedFd,
}

impl Pty {
    /// Starts a program on a terminal of this size.
    pub fn start(command: &mut Command, columns: u16, rows: u16) -> Pty {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let terminal = rustix::fs::open(name.as_c_str(), flags, Mode::empty()).unwrap();
        tcsetwinsize(&terminal, Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let end = || Stdio::from(terminal.try_clone().unwrap());
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
        let keyboard = File::from(master);
        let mut screen = keyboard.try_clone().unwrap();
        let written = Arc::new(Mutex::new(Vec::new()));
        let into = written.clone();
        // Ends with the terminal.
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = screen.read(&mut buffer) {
                into.lock().unwrap().extend_from_slice(&buffer[..n]);
            }
        });
        Pty { child, keyboard, written, terminal }
    }

    /// Presses keys.
    pub fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// All that was written.
    pub fn raw(&self) -> String {
        String::from_utf8_lossy(&self.written.lock().unwrap()).into_owned()
    }

    /// The same as it was written.
    pub fn bytes(&self) -> Vec<u8> {
        self.written.lock().unwrap().clone()
    }

    /// What stands on the terminal and above it.
    pub fn shown(&self) -> String {
        let mut terminal = Terminal::default();
        terminal.write(&self.raw());
        terminal.lines.join("\n")
    }

    /// Waits until what is shown is as it should be.
    pub fn until(&mut self, what: &str, is: impl Fn(&str) -> bool) -> String {
        let begin = Instant::now();
        let mut gone_at: Option<Instant> = None;
        loop {
            let shown = self.shown();
            if is(&shown) {
                return shown;
            }
            if gone_at.is_none() && self.child.try_wait().unwrap().is_some() {
                gone_at = Some(Instant::now());
            }
            // What it wrote last may still be on its way here.
            let over = begin.elapsed() > SOON || gone_at.is_some_and(|at| at.elapsed() > Duration::from_secs(3));
            assert!(!over, "{what} is never shown (it ended: {}):\n{shown}", gone_at.is_some());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until this is shown.
    pub fn until_shown(&mut self, text: &str) -> String {
        self.until(text, |shown| shown.contains(text))
    }

    /// What an emulator of this size shows of it now, with the sequences that make another one show the same.
    pub fn seen(&self, columns: u16, rows: u16) -> String {
        let mut emulator = Screen::new(TermSize::clamped(columns.into(), rows.into()));
        emulator.feed(&self.bytes());
        String::from_utf8_lossy(&emulator.snapshot().bytes).into_owned()
    }

    /// Waits until an emulator of this size shows what it should.
    pub fn until_seen(&mut self, (columns, rows): (u16, u16), what: &str, is: impl Fn(&str) -> bool) -> String {
        let begin = Instant::now();
        loop {
            let seen = self.seen(columns, rows);
            if is(&seen) {
                return seen;
            }
            let gone = self.child.try_wait().unwrap().is_some();
            let over = begin.elapsed() > if gone { Duration::from_secs(3) } else { SOON };
            assert!(!over, "{what} is never seen (it ended: {gone}):\n{}", seen.escape_debug());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Makes the terminal another size, as somebody does who drags the window.
    pub fn resize(&self, columns: u16, rows: u16) {
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&self.terminal, size).unwrap();
        // It is not the terminal that the program is a session's leader on, so nobody else tells it.
        self.signal(Signal::WINCH);
    }

    /// Waits until these bytes have been written, whatever they show.
    pub fn until_written(&self, text: &str) {
        let begin = Instant::now();
        while !self.raw().contains(text) {
            assert!(begin.elapsed() < SOON, "{text:?} is never written:\n{}", self.raw().escape_debug());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// How the terminal is set.
    pub fn settings(&self) -> Termios {
        tcgetattr(self.terminal.as_fd()).unwrap()
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits until it is over.
    pub fn ended(&mut self) -> ExitStatus {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(begin.elapsed() < SOON, "it does not end:\n{}", self.shown());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// As much of a terminal as the program writes for.
#[derive(Default)]
struct Terminal {
    lines: Vec<String>,
    line: usize,
    column: usize,
}

impl Terminal {
    fn write(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if let Some(sequence) = rest.strip_prefix("\x1b[") {
                let Some(end) = sequence.find(|c: char| c.is_ascii_alphabetic()) else { return };
                let n = sequence[..end].parse::<usize>().unwrap_or(1);
                match &sequence[end..=end] {
                    "A" => self.line = self.line.checked_sub(n).expect("above the first line"),
                    "B" => self.line += n,
                    "C" => self.column += n,
                    "J" => {
                        self.lines.truncate(self.line + 1);
                        self.erase();
                    }
                    "K" => self.erase(),
                    "m" | "h" | "l" => {}
                    other => panic!("the terminal does not know {other:?} in {:?}", &sequence[..=end]),
                }
                rest = &sequence[end + 1..];
                continue;
            }
            match c {
                '\n' => self.line += 1,
                '\r' => self.column = 0,
                c => self.put(c),
            }
            rest = &rest[c.len_utf8()..];
        }
    }

    fn put(&mut self, c: char) {
        self.lines.resize(self.lines.len().max(self.line + 1), String::new());
        let line = &mut self.lines[self.line];
        let mut all: Vec<char> = line.chars().collect();
        all.resize(all.len().max(self.column + 1), ' ');
        all[self.column] = c;
        self.column += 1;
        *line = all.into_iter().collect();
    }

    fn erase(&mut self) {
        let column = self.column;
        if let Some(line) = self.lines.get_mut(self.line) {
            *line = line.chars().take(column).collect();
        }
    }
}
