//! [`Served`]: the program as a box in a process of its own.

use std::io::BufRead;
use std::io::BufReader;
use std::path::Path;
use std::process::Child;
use std::process::Command;
use std::process::Output;
use std::process::Stdio;

use rustix::process::Pid;
use rustix::process::Signal;
use rustix::process::kill_process;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::TestBox;

/// The program with these arguments, and without settings from the environment.
pub fn vyre(args: &[&str]) -> Command {
    let mut command = Command::new(TestBox::program());
    command.args(args);
    for name in ["VYRE_DATA", "VYRE_HTTP", "VYRE_QUIC", "VYRE_RELAY", "VYRE_TOKEN", "VYRE_CONFIG", "VYRE_LOG"] {
        command.env_remove(name);
    }
    command
}

/// Output as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a program that succeeded wrote on stdout.
pub fn ok(output: &Output) -> String {
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// `vyre serve` in a process of its own. Killed when dropped.
pub struct Served {
    /// The process.
    pub child: Child,
    /// Its ready line.
    pub ready: Value,
    /// Holds its data folder.
    pub folder: TempDir,
}

impl Served {
    /// Starts one in a new folder.
    pub fn start() -> Served {
        Self::start_in(tempfile::tempdir().unwrap(), &[])
    }

    /// Starts one in this folder, with more arguments.
    pub fn start_in(folder: TempDir, more: &[&str]) -> Served {
        let mut child = vyre(&["serve", "--json", "--http", "127.0.0.1:0", "--quic", "127.0.0.1:0", "--data"])
            .arg(folder.path().join("data"))
            .args(more)
            .env("VYRE_LOG", "warn")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Served { ready: serde_json::from_str(&line).unwrap(), child, folder }
    }

    /// Its data folder.
    pub fn data(&self) -> String {
        self.folder.path().join("data").display().to_string()
    }

    /// Where its HTTP listens.
    pub fn url(&self) -> String {
        format!("http://{}", self.ready["http"].as_str().unwrap())
    }

    /// A token of it.
    pub fn token(&self, flag: &str, name: &str) -> String {
        let out = ok(&vyre(&["token", "--data", &self.data(), flag, name]).output().unwrap());
        assert_eq!(out.lines().count(), 1);
        out.trim().to_owned()
    }

    /// Publishes a file with `vyre publish`, and gives its summary.
    pub fn publish(&self, url: &str, file: &Path) -> Value {
        let token = self.token("--producer", "switchboard");
        let out = vyre(&["publish", "--json", "--url", url, "--token", &token]).arg(file).output().unwrap();
        serde_json::from_str(&ok(&out)).unwrap()
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
