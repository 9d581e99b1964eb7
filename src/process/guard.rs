//! The guard: a small process between the box and an agent, which sees to it that nothing of the agent outlives either.
//!
//! The box holds the guard's stdin. What comes there is handed to the agent; that it ends means that the box wants the
//! agent to end, or is gone however it went: by `kill -9` too. Then the agent may leave by itself for [`GRACE`], and
//! everything that came of it is ended. The guard takes in orphans, so what an agent's tools left in the background, in
//! sessions of their own or not, is found as well. stdout and stderr are the agent's: no byte of them goes through here.
//!
//! Told by SIGTERM it ends everything at once.

use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::Pid;
use rustix::process::WaitOptions;
use rustix::process::getpid;
use rustix::process::getppid;
use rustix::process::set_child_subreaper;
use rustix::process::waitpid;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::unix::pipe;
use tokio::process::Child;
use tokio::process::ChildStdin;
use tokio::process::Command;
use tokio::signal::unix::SignalKind;
use tokio::signal::unix::signal;
use tokio::time::sleep;
use tokio::time::timeout;

use crate::process::tree;

/// How long an agent may take to leave once its stdin has ended.
pub const GRACE: Duration = Duration::from_secs(1);

/// How often it is looked whether the box is there, while the agent does not read.
const LOOK: Duration = Duration::from_secs(1);

/// The exit code where the agent could not be started.
pub const NOT_STARTED: i32 = 127;

/// Runs an agent and gives the code to exit with: the agent's, or 128 and the signal that ended it.
pub fn run(command: &[OsString]) -> i32 {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(_) => return NOT_STARTED,
    };
    match runtime.block_on(guard(command)) {
        Ok(status) => code_of(status),
        Err(_) => NOT_STARTED,
    }
}

async fn guard(command: &[OsString]) -> io::Result<Option<ExitStatus>> {
    let Some((program, args)) = command.split_first() else { return Err(io::ErrorKind::InvalidInput.into()) };
    set_child_subreaper(Some(getpid()))?;
    let box_id = getppid();
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let mut children = signal(SignalKind::child())?;
    let stdin = pipe::Receiver::from_owned_fd(io::stdin().as_fd().try_clone_to_owned()?)?;
    let mut child = Command::new(program).args(args).stdin(Stdio::piped()).spawn()?;
    let own = child.id().and_then(|id| i32::try_from(id).ok());
    let Some(pipe) = child.stdin.take() else { return Err(io::ErrorKind::BrokenPipe.into()) };
    let status = {
        let handed = hand(stdin, pipe, box_id);
        tokio::pin!(handed);
        loop {
            tokio::select! {
                status = child.wait() => break status.ok(),
                // `handed` owned the agent's stdin, which ends with it.
                () = &mut handed => break leave(&mut child).await,
                _ = terminate.recv() => break None,
                _ = interrupt.recv() => break None,
                _ = hangup.recv() => break None,
                _ = children.recv() => take_ends(own),
            }
        }
    };
    end_all().await;
    Ok(match status {
        Some(status) => Some(status),
        None => child.try_wait().ok().flatten(),
    })
}

/// Hands on what the box writes, and returns when no more will come.
async fn hand(mut from: pipe::Receiver, mut to: ChildStdin, box_id: Option<Pid>) {
    let mut bytes = vec![0; 64 * 1024];
    loop {
        let n = match from.read(&mut bytes).await {
            Ok(0) | Err(_) => return,
            Ok(n) => n,
        };
        let write = to.write_all(&bytes[..n]);
        tokio::pin!(write);
        loop {
            tokio::select! {
                written = &mut write => match written {
                    Ok(()) => break,
                    // It reads no more; that it ends is seen elsewhere, that the box goes is seen here.
                    Err(_) => return drain(from).await,
                },
                // An agent that does not read must not hide that the box is gone.
                () = sleep(LOOK) => if getppid() != box_id { return },
            }
        }
    }
}

async fn drain(mut from: pipe::Receiver) {
    let mut bytes = [0; 4096];
    while let Ok(1..) = from.read(&mut bytes).await {}
}

/// Lets the agent leave by itself: its stdin has been closed.
async fn leave(child: &mut Child) -> Option<ExitStatus> {
    timeout(GRACE, child.wait()).await.ok().and_then(Result::ok)
}

/// Takes the ends of orphans, or they would stay in the list of processes. The agent's own end is for somebody else.
pub(super) fn take_ends(own: Option<i32>) {
    for pid in tree::ended_children(getpid().as_raw_nonzero().get()) {
        if Some(pid) != own {
            let _ = waitpid(Pid::from_raw(pid), WaitOptions::NOHANG);
        }
    }
}

/// Ends everything that came of this process, until nothing is left of it.
pub(super) async fn end_all() {
    let me = getpid().as_raw_nonzero().get();
    // Somebody who forks faster than this ends it is met again by the next look.
    for _ in 0..200 {
        let left = tree::descendants(me);
        left.iter().copied().for_each(tree::kill);
        take_ends(None);
        if left.is_empty() {
            return;
        }
        sleep(Duration::from_millis(5)).await;
    }
}

pub(super) fn code_of(status: Option<ExitStatus>) -> i32 {
    match status {
        Some(status) => status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)),
        None => 128 + 15,
    }
}
