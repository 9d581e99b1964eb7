//! Real work, done there and then: commands run in a temporary folder, files written and changed there, and a text that
//! this program carries streamed word by word as the reply.
//!
//! Every command is one of this file's, runs in that folder with an environment of its own, has a limit, and talks to no
//! network. What a machine does not have (git, a compiler) is left out.

use std::io;
use std::io::BufRead;
use std::io::BufReader;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::Pid;
use rustix::process::Signal;
use serde_json::Value;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio::time::timeout_at;

use crate::cli::demo::YOU;
use crate::cli::demo::stage::PlayError;
use crate::cli::demo::stage::Stage;

/// Who works.
const HELPER: &str = "assistant:demo";

/// How long one command may run.
const COMMAND_LIMIT: Duration = Duration::from_secs(15);

/// Bytes of one command's output that are kept.
const OUTPUT_MAX: usize = 32 * 1024;

/// Between two words of the reply, at speed 1.
const WORD: Duration = Duration::from_millis(35);

/// Between two steps.
const STEP: Duration = Duration::from_millis(300);

/// A small program that takes a moment and says how far it is.
const PRIMES: &str = r#"#include <stdio.h>

int main(void) {
    int found = 0;
    for (int n = 2; n < 60000; n++) {
        int prime = 1;
        for (int d = 2; d * d <= n; d++) {
            if (n % d == 0) { prime = 0; break; }
        }
        found += prime;
        if (n % 10000 == 0) { printf("below %d: %d primes\n", n, found); fflush(stdout); }
    }
    printf("in all: %d\n", found);
    return 0;
}
"#;

/// What the reply says. A paragraph a message.
const WORDS: &[&str] = &[
    "I made a small project here, in a folder that goes away again, and this is what you are watching: every step \
     I take is a frame in a log, and every frame has a number, its *cursor*. The first is 1, and none is ever left out.",
    "Your screen keeps one number: the cursor of the newest frame that it has shown. When the line breaks, and in this \
     demonstration it is cut on purpose, the screen opens another stream and says where it stands. The box sends what \
     comes after, first from the log and then live, and nobody can see the seam between the two.",
    "So there is nothing to lose and nothing to show twice. A frame at or below that number is dropped; one further \
     ahead than the next is a hole, and the screen asks again. No queue waits for a slow screen and nothing is ever \
     acknowledged, because a reader is a cursor and no more than that.",
    "After a longer break the words that you missed come in few large pieces in place of many small ones. Each piece says \
     which cursors it covers, and each word says where in its message it belongs, so a screen that was away reads \
     exactly what one that never left has read.",
    "Some of the cuts are loud: the connection is reset, or the telephone says that its network has changed. Others \
     are silent: packets simply stop. Then the screen has to find out by itself, so while a message is open it asks \
     after one second of silence whether anybody is there, and dials anew after two more.",
    "The relay in the middle sees none of this. It reads the first record of a stream to learn which box is meant, and \
     from then on it copies bytes. At the end both readers are compared, this screen and one that was never cut, and \
     they had better agree.",
];

/// Plays work until the stage is over.
///
/// # Errors
/// If the box takes no more, or the folder cannot be used.
pub async fn play(stage: Stage, folder: &Path) -> Result<Stage, PlayError> {
    let mut work = Work { stage, folder: folder.to_owned(), calls: 0, messages: 0, turns: 0 };
    work.begin().await?;
    for round in 0.. {
        work.turn(round).await?;
        if work.stage.is_over() {
            break;
        }
    }
    Ok(work.stage)
}

struct Work {
    stage: Stage,
    folder: PathBuf,
    calls: u64,
    messages: u64,
    turns: u64,
}

impl Work {
    async fn begin(&mut self) -> Result<(), PlayError> {
        let data = json!({ "title": "A session whose line is cut", "assistant": HELPER, "folder": "project" });
        self.stage.tell(YOU, "thread.started", data).await
    }

    /// A question, work, an answer; and again.
    async fn turn(&mut self, round: usize) -> Result<(), PlayError> {
        self.turns += 1;
        let question = match round {
            0 => "Make a small project in this folder, and tell me what I am looking at.",
            _ => "Go on: change something, build it again, and tell me more.",
        };
        let message = format!("u{}", self.turns);
        self.stage.tell(YOU, "thread.user", json!({ "message": message, "text": question })).await?;
        self.status("running").await?;
        self.prepare(round).await?;
        let mut words = WORDS.iter();
        self.say(&mut words).await?;
        self.build().await?;
        self.say(&mut words).await?;
        self.change(round).await?;
        self.say(&mut words).await?;
        self.look().await?;
        while words.len() > 0 && !self.stage.is_over() {
            self.say(&mut words).await?;
        }
        self.status("idle").await
    }

    async fn status(&mut self, state: &str) -> Result<(), PlayError> {
        self.stage.tell(HELPER, "thread.status", json!({ "state": state })).await
    }

    async fn prepare(&mut self, round: usize) -> Result<(), PlayError> {
        if round == 0 {
            if has("git") {
                self.shell("Begin a repository", "git init --quiet && git status --short --branch").await?;
            }
            let notes = "# A project\n\nIt counts primes.\n";
            self.write("NOTES.md", notes).await?;
            self.write("primes.c", PRIMES).await?;
        }
        if has("git") {
            self.shell("What is new", "git status --short").await?;
            let commit = format!("git add -A && git commit --quiet --message 'Step {round}' && git log --oneline");
            self.shell("Keep it", &commit).await?;
        }
        Ok(())
    }

    async fn build(&mut self) -> Result<(), PlayError> {
        if has("cc") {
            self.run("Build it", "cc -O1 -o primes primes.c && ls -l primes").await?;
            self.run("Run it", "./primes").await
        } else {
            self.run("Count", "seq 1 40").await
        }
    }

    async fn change(&mut self, round: usize) -> Result<(), PlayError> {
        let line = format!("\nChecked {} times.\n", round + 1);
        let old = match round {
            0 => "\nIt counts primes.\n".to_owned(),
            _ => format!("\nChecked {round} times.\n"),
        };
        let new = if round == 0 { format!("{old}{line}") } else { line };
        self.edit("NOTES.md", &old, &new).await?;
        if has("git") {
            self.shell("The difference", "git diff").await?;
        }
        Ok(())
    }

    async fn look(&mut self) -> Result<(), PlayError> {
        self.shell("How much is there", "wc -l NOTES.md primes.c").await?;
        self.find("printf").await
    }

    /// Streams the next paragraph as a message of its own.
    async fn say(&mut self, words: &mut impl Iterator<Item = &&'static str>) -> Result<(), PlayError> {
        if self.stage.is_over() {
            return Ok(());
        }
        let Some(text) = words.next() else { return Ok(()) };
        self.messages += 1;
        let message = format!("m{}", self.messages);
        for word in text.split_inclusive(' ') {
            self.stage.tell(HELPER, "thread.delta", json!({ "message": message, "text": word })).await?;
            if self.stage.is_over() {
                let note = "the demonstration is over";
                return self.stage.tell(HELPER, "thread.cut", json!({ "message": message, "note": note })).await;
            }
            self.stage.pause(WORD).await;
        }
        self.stage.tell(HELPER, "thread.done", json!({ "message": message })).await
    }

    async fn start(&mut self, tool: &str, title: &str, input: Value) -> Result<String, PlayError> {
        self.calls += 1;
        let call = format!("c{}", self.calls);
        let data = json!({ "call": call, "tool": tool, "title": title, "input": input });
        self.stage.tell(HELPER, "thread.tool-started", data).await?;
        Ok(call)
    }

    async fn end(&mut self, call: &str, tool: &str, ok: bool, result: Value) -> Result<(), PlayError> {
        let data = json!({ "call": call, "tool": tool, "ok": ok, "result": result });
        self.stage.tell(HELPER, "thread.tool-finished", data).await?;
        self.stage.pause(STEP).await;
        Ok(())
    }

    /// A short command: what it printed comes in one piece.
    async fn shell(&mut self, title: &str, command: &str) -> Result<(), PlayError> {
        let call = self.start("bash", title, json!({ "command": command })).await?;
        let (output, exit) = self.command(command, None).await?;
        let data = json!({ "call": call, "command": command, "output": output, "exit": exit });
        self.stage.tell(HELPER, "thread.shell", data).await?;
        self.end(&call, "bash", exit == Some(0), json!({ "stdout": output, "exit_code": exit })).await
    }

    /// A longer one: its output comes line by line.
    async fn run(&mut self, title: &str, command: &str) -> Result<(), PlayError> {
        let call = self.start("bash", title, json!({ "command": command })).await?;
        let (output, exit) = self.command(command, Some(&call)).await?;
        self.end(&call, "bash", exit == Some(0), json!({ "stdout": output, "exit_code": exit })).await
    }

    async fn write(&mut self, path: &str, content: &str) -> Result<(), PlayError> {
        let input = json!({ "file_path": path, "content": content });
        let call = self.start("write", &format!("Write {path}"), input).await?;
        std::fs::write(self.folder.join(path), content)?;
        self.stage.tell(HELPER, "thread.file-changed", json!({ "path": path, "change": "added" })).await?;
        self.end(&call, "write", true, json!(format!("{} bytes", content.len()))).await
    }

    async fn edit(&mut self, path: &str, old: &str, new: &str) -> Result<(), PlayError> {
        let input = json!({ "file_path": path, "old_string": old, "new_string": new });
        let call = self.start("edit", &format!("Change {path}"), input).await?;
        let whole = std::fs::read_to_string(self.folder.join(path))?;
        let found = whole.contains(old);
        std::fs::write(self.folder.join(path), whole.replacen(old, new, 1))?;
        self.stage.tell(HELPER, "thread.file-changed", json!({ "path": path, "change": "modified" })).await?;
        self.end(&call, "edit", found, json!("changed")).await
    }

    async fn find(&mut self, pattern: &str) -> Result<(), PlayError> {
        let call = self.start("grep", &format!("Where is {pattern}"), json!({ "pattern": pattern })).await?;
        let (output, exit) = self.command(&format!("grep -n {pattern} *.c *.md"), None).await?;
        self.end(&call, "grep", exit == Some(0), json!(output)).await
    }

    /// Runs a command in the folder. With `call`, its lines are told as they come.
    async fn command(&mut self, command: &str, call: Option<&str>) -> Result<(String, Option<i32>), PlayError> {
        let (lines, mut read) = mpsc::channel(64);
        let (mut running, child) = Running::start(&self.folder, command, lines)?;
        let limit = Instant::now() + COMMAND_LIMIT;
        let mut output = String::new();
        while let Ok(Some(line)) = timeout_at(limit, read.recv()).await {
            let line: String = line;
            if output.len() + line.len() > OUTPUT_MAX {
                continue;
            }
            output.push_str(&line);
            if let Some(call) = call {
                self.stage.tell(HELPER, "thread.tool-progress", json!({ "call": call, "text": line })).await?;
                self.stage.pause(WORD).await;
            }
        }
        if Instant::now() >= limit {
            running.kill();
        }
        let exit = child.await.map_err(io::Error::other)??;
        running.0 = None;
        Ok((output, exit))
    }
}

/// A command's group of processes, which ends with this.
struct Running(Option<Pid>);

impl Running {
    fn start(
        folder: &Path,
        command: &str,
        lines: mpsc::Sender<String>,
    ) -> io::Result<(Running, tokio::task::JoinHandle<io::Result<Option<i32>>>)> {
        let mut child = Command::new("sh")
            .args(["-c", &format!("{{ {command}; }} 2>&1")])
            .current_dir(folder)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", folder)
            .env("TMPDIR", folder)
            .env("LC_ALL", "C")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap_or(folder))
            .envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|name| (name, "demo")))
            .envs(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|name| (name, "demo@localhost")))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let stdout = child.stdout.take();
        let task = tokio::task::spawn_blocking(move || {
            if let Some(stdout) = stdout {
                let mut stdout = BufReader::new(stdout);
                let mut line = Vec::new();
                while matches!(stdout.read_until(b'\n', &mut line), Ok(n) if n > 0) {
                    // Read on when nobody listens, or the command would wait for us.
                    let _ = lines.blocking_send(String::from_utf8_lossy(&line).into_owned());
                    line.clear();
                }
            }
            drop(lines);
            Ok(child.wait()?.code())
        });
        Ok((Running(pid), task))
    }

    fn kill(&mut self) {
        if let Some(pid) = self.0.take() {
            let _ = rustix::process::kill_process_group(pid, Signal::KILL);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Whether this machine has a program.
fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(program).is_file())
}
