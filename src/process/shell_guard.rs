//! The guard of a shell: the first process on a terminal, which sees to it that nothing of the shell outlives the box.
//!
//! It leads the session of the terminal, and the shell is its child. Its stdin is a pipe that the box holds and never
//! writes to: that it ends means that the box wants the terminal to end, or is gone however it went. Its stdout is the
//! terminal. As where a terminal is unplugged, all that runs is told by SIGHUP and has [`GRACE`] to put its things away;
//! then it is ended. The guard takes in orphans, so what left the terminal's session is found as well.

use std::ffi::OsStr;
use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::process::ExitStatus;
use std::process::Stdio;

use rustix::process::Signal;
use rustix::process::getpid;
use rustix::process::set_child_subreaper;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;
use tokio::process::Command;
use tokio::signal::unix::SignalKind;
use tokio::signal::unix::signal;
use tokio::time::Duration;
use tokio::time::Instant;
use tokio::time::sleep;

use crate::process::guard::GRACE;
use crate::process::guard::NOT_STARTED;
use crate::process::guard::code_of;
use crate::process::guard::end_all;
use crate::process::guard::take_ends;
use crate::process::tree;

/// After how long it is looked first whether what was told to leave has left. Then it takes twice as long each time.
const LOOK: Duration = Duration::from_millis(5);

/// Runs a shell under this name on the terminal that is stdout, and gives the code to exit with: the shell's, or 128 and
/// the signal that ended it.
pub fn run(name: Option<&OsStr>, command: &[OsString]) -> i32 {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(_) => return NOT_STARTED,
    };
    match runtime.block_on(guard(name, command)) {
        Ok(status) => code_of(status),
        Err(_) => NOT_STARTED,
    }
}

async fn guard(name: Option<&OsStr>, command: &[OsString]) -> io::Result<Option<ExitStatus>> {
    let Some((program, args)) = command.split_first() else { return Err(io::ErrorKind::InvalidInput.into()) };
    set_child_subreaper(Some(getpid()))?;
    // Until the shell has a process group of its own the keys of the terminal signal this process too. A signal that is
    // caught is as before in a program that is started; one that is ignored would stay ignored.
    let _keys = [
        signal(SignalKind::interrupt())?,
        signal(SignalKind::quit())?,
        signal(SignalKind::from_raw(Signal::TSTP.as_raw()))?,
    ];
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let mut children = signal(SignalKind::child())?;
    let mut lifeline = pipe::Receiver::from_owned_fd(io::stdin().as_fd().try_clone_to_owned()?)?;
    let mut shell = Command::new(program);
    if let Some(name) = name {
        shell.arg0(name);
    }
    let mut child = shell.args(args).stdin(Stdio::from(io::stdout().as_fd().try_clone_to_owned()?)).spawn()?;
    let own = child.id().and_then(|id| i32::try_from(id).ok());
    let mut byte = [0; 1];
    let ended = loop {
        tokio::select! {
            status = child.wait() => break status.ok(),
            _ = lifeline.read(&mut byte) => break None,
            _ = terminate.recv() => break None,
            _ = hangup.recv() => break None,
            _ = children.recv() => take_ends(own),
        }
    };
    hang_up(own).await;
    let status = match ended {
        Some(status) => Some(status),
        None => child.try_wait().ok().flatten(),
    };
    end_all().await;
    Ok(match status {
        Some(status) => Some(status),
        None => child.try_wait().ok().flatten(),
    })
}

/// Tells everything to leave and waits a little for it.
async fn hang_up(own: Option<i32>) {
    let me = getpid().as_raw_nonzero().get();
    for process in tree::descendants(me) {
        tree::signal(process, Signal::HUP);
        // What is stopped hears nothing.
        tree::signal(process, Signal::CONT);
    }
    let until = Instant::now() + GRACE;
    let mut look = LOOK;
    while !tree::descendants(me).is_empty() && Instant::now() < until {
        sleep(look.min(until.saturating_duration_since(Instant::now()))).await;
        look *= 2;
        take_ends(own);
    }
}
