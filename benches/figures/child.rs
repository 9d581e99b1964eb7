//! Processes that play a part, and what they cost.

use std::fmt;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Write;
use std::process::Child;
use std::process::ChildStdin;
use std::process::Command;
use std::process::Stdio;
use std::sync::mpsc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use rustix::process::Pid;
use rustix::process::Signal;
use rustix::process::kill_process;
use serde_json::Value;

/// Ticks of a second in what Linux tells of processor time, on every machine.
const TICKS: f64 = 100.0;

/// Nothing that a part is asked for takes longer.
const LIMIT: Duration = Duration::from_secs(120);

/// A process that answers in lines of JSON. It ends with its owner.
pub struct Part {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// The first line it said.
    pub ready: Value,
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Part({})", self.child.id())
    }
}

impl Part {
    /// Starts a program and waits until it says that it is ready.
    pub fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .env("VYRE_LOG", "error")
            .env("VYRE_RELAY_LOG", "error")
            .spawn()
            .unwrap_or_else(|e| panic!("{command:?}: {e}"));
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().unwrap());
        let (tell, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if tell.send(line).is_err() {
                    break;
                }
            }
        });
        let mut part = Self { child, stdin, lines, ready: Value::Null };
        part.ready = part.line();
        part
    }

    /// This program in another role.
    pub fn role(args: &[&str]) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg("--role").args(args);
        Self::start(command)
    }

    /// The next line it says.
    pub fn line(&mut self) -> Value {
        let line = self.lines.recv_timeout(LIMIT).unwrap_or_else(|e| panic!("{self:?} says nothing: {e}"));
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{self:?} said {line:?}: {e}"))
    }

    /// Tells it something.
    pub fn tell(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{line}").and_then(|()| stdin.flush()).unwrap();
    }

    /// Tells it something and waits for its answer.
    pub fn ask(&mut self, line: &str) -> Value {
        self.tell(line);
        self.line()
    }

    /// A text of the first line.
    pub fn said(&self, name: &str) -> &str {
        self.ready[name].as_str().unwrap_or_else(|| panic!("{self:?} did not say its {name}"))
    }

    /// Processor time in seconds, of all its threads.
    pub fn cpu(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
        ticks as f64 / TICKS
    }

    /// Resident memory in KiB.
    pub fn rss(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|l| l.starts_with("VmRSS")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// Ends it in order.
    pub fn stop(mut self) {
        drop(self.stdin.take());
        let pid = Pid::from_child(&self.child);
        let _ = kill_process(pid, Signal::TERM);
        for _ in 0..500 {
            if self.child.try_wait().unwrap().is_some() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
