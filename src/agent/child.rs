//! One agent's process: lines in and out with bounds, and an end that leaves nothing behind.
//!
//! Lines are read one at a time and only when somebody asks, so an agent that floods is slowed by its own pipe. A line
//! that is too long is not kept: only its beginning and its length are told. What the box writes goes through a task of its own,
//! or two that write to each other and read nothing would wait for ever.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::process::Stdio;
use std::time::Duration;

use bytes::Buf;
use bytes::BytesMut;
use rustix::process::Pid;
use rustix::process::Signal;
use rustix::process::kill_process;
use rustix::process::kill_process_group;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::process::Child as Process;
use tokio::process::ChildStderr;
use tokio::process::ChildStdin;
use tokio::process::ChildStdout;
use tokio::process::Command;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use vyre_proto::limits::EVENT_LINE_MAX;

use crate::process::guard::GRACE;
use crate::process::tree;

/// Lines that wait to be written. An agent that does not read is given no more.
const OUT_MAX: usize = 16;

/// How long a line may wait for a place among those.
const WRITE_LIMIT: Duration = Duration::from_secs(10);

/// How much of a line that is too long is kept.
const HEAD: usize = 4096;

/// How long everything may take to be gone once it was told.
const GONE_LIMIT: Duration = Duration::from_secs(3);

/// How an agent is run.
#[derive(Clone, PartialEq, Eq)]
pub struct Launch {
    /// The program and its arguments; the program stands first.
    pub command: Vec<OsString>,
    /// Set in its environment, over the box's own.
    pub env: Vec<(String, String)>,
    /// A program that guards it when called as `PROGRAM guard -- COMMAND`. Without one, what an agent leaves in sessions
    /// of its own outlives it.
    pub guard: Option<PathBuf>,
}

impl fmt::Debug for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Its arguments and its environment may hold secrets.
        f.debug_struct("Launch").field("guard", &self.guard).finish_non_exhaustive()
    }
}

/// One line of an agent.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A whole line, without its end.
    Whole(Vec<u8>),
    /// One over [`EVENT_LINE_MAX`]: how it begins, and how long it was.
    TooLong {
        /// Its first bytes.
        head: Vec<u8>,
        /// All its bytes.
        len: usize,
    },
}

/// An agent's process. Dropped, its stdin ends, and a guard ends everything.
#[derive(Debug)]
pub struct Child {
    process: Process,
    pid: i32,
    lines: Lines,
    out: Option<mpsc::Sender<Vec<u8>>>,
    tasks: [JoinHandle<()>; 2],
}

impl Child {
    /// Starts it in this folder, in a process group of its own.
    pub fn start(launch: &Launch, folder: &Path) -> io::Result<Child> {
        let mut words = launch.command.iter();
        let mut command = match (&launch.guard, words.next()) {
            (_, None) => return Err(io::ErrorKind::InvalidInput.into()),
            (None, Some(program)) => Command::new(program),
            (Some(guard), Some(program)) => {
                let mut command = Command::new(guard);
                command.arg("guard").arg("--").arg(program);
                command
            }
        };
        command.args(words).current_dir(folder).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A guard that is dropped sees its stdin end; an agent without one is ended here.
        command.kill_on_drop(launch.guard.is_none());
        // Settings of the box, a token among them, are not the agent's.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("VYRE_") {
                command.env_remove(name);
            }
        }
        command.envs(launch.env.iter().map(|(k, v)| (k, v)));
        let mut process = command.spawn()?;
        let broken = || io::Error::from(io::ErrorKind::BrokenPipe);
        let pid = process.id().and_then(|id| i32::try_from(id).ok()).ok_or_else(broken)?;
        let stdin = process.stdin.take().ok_or_else(broken)?;
        let stdout = process.stdout.take().ok_or_else(broken)?;
        let stderr = process.stderr.take().ok_or_else(broken)?;
        let (out, lines) = mpsc::channel(OUT_MAX);
        let tasks = [tokio::spawn(write(stdin, lines)), tokio::spawn(drain(stderr, pid))];
        Ok(Child { process, pid, lines: Lines::new(stdout), out: Some(out), tasks })
    }

    /// The next line; `None` once there is none any more. Cancel-safe.
    pub async fn next(&mut self) -> Option<Line> {
        self.lines.next().await
    }

    /// Hands it a line. False: it does not read, or is gone.
    pub async fn write(&self, line: Vec<u8>) -> bool {
        match &self.out {
            Some(out) => matches!(timeout(WRITE_LIMIT, out.send(line)).await, Ok(Ok(()))),
            None => false,
        }
    }

    /// Every process that came of it and lives now.
    pub async fn processes(&self) -> Vec<tree::Process> {
        let pid = self.pid;
        let look = tokio::task::spawn_blocking(move || tree::descendants(pid).into_iter().collect());
        look.await.unwrap_or_default()
    }

    /// Ends what came of it and is not among `known`. True: nothing of that is left.
    pub async fn end_others(&self, known: &[tree::Process]) -> bool {
        for _ in 0..100 {
            let now = self.processes().await;
            let others: Vec<_> = now.into_iter().filter(|p| !known.contains(p)).collect();
            if others.is_empty() {
                return true;
            }
            others.into_iter().for_each(tree::kill);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        false
    }

    /// It has ended by itself, or has closed its stdout: waits until all of it is gone. Says how it ended.
    pub async fn ended(mut self) -> Option<ExitStatus> {
        self.out = None;
        match timeout(GRACE + GONE_LIMIT, self.process.wait()).await {
            Ok(status) => status.ok(),
            Err(_) => self.kill().await,
        }
    }

    /// Lets it end by itself, and ends what does not.
    pub async fn close(self) {
        self.ended().await;
    }

    /// Ends it and everything that came of it, now. Returns when it is gone.
    pub async fn kill(mut self) -> Option<ExitStatus> {
        self.out = None;
        let pid = Pid::from_raw(self.pid);
        if let Some(pid) = pid {
            // A guard ends everything that came of it; an agent of its own is asked to.
            let _ = kill_process(pid, Signal::TERM);
        }
        if let Ok(status) = timeout(GONE_LIMIT, self.process.wait()).await {
            return status.ok();
        }
        for process in self.processes().await {
            tree::kill(process);
        }
        if let Some(pid) = pid {
            let _ = kill_process_group(pid, Signal::KILL);
        }
        timeout(GONE_LIMIT, self.process.wait()).await.ok()?.ok()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // The writer holds stdin: it ends with it.
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

async fn write(mut stdin: ChildStdin, mut lines: mpsc::Receiver<Vec<u8>>) {
    while let Some(line) = lines.recv().await {
        if stdin.write_all(&line).await.is_err() {
            return;
        }
    }
}

/// Reads what it says on stderr, of which the log tells nothing but how much it was: it may be anything.
async fn drain(mut stderr: ChildStderr, pid: i32) {
    let (mut bytes, mut total) = ([0; 4096], 0u64);
    while let Ok(n @ 1..) = stderr.read(&mut bytes).await {
        total += n as u64;
        tracing::trace!(pid, bytes = n, "an agent wrote on stderr");
    }
    tracing::debug!(pid, bytes = total, "an agent's stderr has ended");
}

/// Lines with a bound.
#[derive(Debug)]
struct Lines<R = ChildStdout> {
    from: R,
    buf: BytesMut,
    /// Bytes of `buf` in which no end of a line is.
    looked: usize,
    /// A line that is too long: how it begins, and its bytes so far.
    long: Option<(Vec<u8>, usize)>,
    max: usize,
}

impl<R: tokio::io::AsyncRead + Unpin> Lines<R> {
    fn new(from: R) -> Self {
        Lines { from, buf: BytesMut::new(), looked: 0, long: None, max: EVENT_LINE_MAX }
    }

    async fn next(&mut self) -> Option<Line> {
        loop {
            if let Some(line) = self.take() {
                return Some(line);
            }
            self.buf.reserve(16 * 1024);
            // What was read stays in `buf` however this future ends.
            match self.from.read_buf(&mut self.buf).await {
                Ok(0) | Err(_) => return self.last(),
                Ok(_) => {}
            }
        }
    }

    fn take(&mut self) -> Option<Line> {
        let end = self.buf[self.looked..].iter().position(|b| *b == b'\n').map(|at| at + self.looked);
        let Some(end) = end else {
            self.looked = self.buf.len();
            if self.looked > self.max || self.long.is_some() {
                let (_, len) = self.long.get_or_insert_with(|| (self.buf[..HEAD.min(self.looked)].to_vec(), 0));
                *len += self.looked;
                self.buf.clear();
                self.looked = 0;
            }
            return None;
        };
        let line = self.buf.split_to(end);
        self.buf.advance(1);
        self.looked = 0;
        Some(self.whole(line))
    }

    /// What stands behind the last end of a line is a line too.
    fn last(&mut self) -> Option<Line> {
        if self.buf.is_empty() && self.long.is_none() {
            return None;
        }
        let rest = self.buf.split();
        self.looked = 0;
        Some(self.whole(rest))
    }

    fn whole(&mut self, line: BytesMut) -> Line {
        match self.long.take() {
            Some((head, len)) => Line::TooLong { head, len: len + line.len() },
            None if line.len() > self.max => {
                Line::TooLong { head: line[..HEAD.min(line.len())].to_vec(), len: line.len() }
            }
            None => Line::Whole(line.to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A source that gives a little at a time.
    struct Drips(Vec<Vec<u8>>);

    impl tokio::io::AsyncRead for Drips {
        fn poll_read(
            mut self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
            buf: &mut tokio::io::ReadBuf<'_>,
        ) -> std::task::Poll<io::Result<()>> {
            if let Some(drip) = self.0.first_mut() {
                let n = drip.len().min(buf.remaining());
                buf.put_slice(&drip[..n]);
                drip.drain(..n);
                if drip.is_empty() {
                    self.0.remove(0);
                }
            }
            std::task::Poll::Ready(Ok(()))
        }
    }

    fn read(drips: Vec<Vec<u8>>, max: usize) -> Vec<Line> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let drips = drips.into_iter().filter(|d| !d.is_empty()).collect();
            let mut lines = Lines { max, ..Lines::new(Drips(drips)) };
            let mut all = Vec::new();
            while let Some(line) = lines.next().await {
                all.push(line);
            }
            all
        })
    }

    proptest! {
        #[test]
        fn lines_are_the_same_however_they_are_cut(
            lines in prop::collection::vec(prop::collection::vec(b'a'..b'e', 0..40), 0..12),
            cuts in prop::collection::vec(1usize..17, 1..60),
            ended in any::<bool>(),
        ) {
            let mut bytes = lines.join(&b'\n');
            if ended {
                bytes.push(b'\n');
            }
            let mut drips = Vec::new();
            let (mut rest, mut n) = (&bytes[..], 0);
            while !rest.is_empty() {
                let (a, b) = rest.split_at(cuts[n % cuts.len()].min(rest.len()));
                drips.push(a.to_vec());
                (rest, n) = (b, n + 1);
            }

            let got = read(drips, 20);

            let mut want: Vec<_> = bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
            if want.last().is_some_and(Vec::is_empty) {
                want.pop();
            }
            prop_assert_eq!(got.len(), want.len());
            for (got, want) in got.into_iter().zip(want) {
                match got {
                    Line::Whole(line) => prop_assert!(line == want && want.len() <= 20),
                    Line::TooLong { head, len } => {
                        prop_assert!(want.len() > 20 && len == want.len() && want.starts_with(&head));
                    }
                }
            }
        }
    }
}
