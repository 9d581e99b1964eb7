//! Starts a login shell on a new pseudo-terminal, under its guard.

use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::path::PathBuf;
use std::process::Stdio;

use pty_process::Pty;
use pty_process::Size;
use rustix::termios::InputModes;
use rustix::termios::OptionalActions;
use rustix::termios::tcgetattr;
use rustix::termios::tcsetattr;
use tokio::process::Child;
use tokio::process::ChildStdin;
use vyre_proto::term::TermId;
use vyre_proto::term::TermSize;

use crate::rules::term::marks::Nonce;
use crate::term::account;
use crate::term::shells::Given;
use crate::term::shells::Private;
use crate::term::shells::ShellError;
use crate::term::shells::Start;

/// What the terminal of a screen is to the programs in it: every emulator of today is at least this.
const TERM: &str = "xterm-256color";

/// What tells a program about the terminal in which the box was started, which is not this one.
const FOREIGN: &[&str] = &[
    "COLUMNS",
    "LINES",
    "STY",
    "TERMCAP",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TMUX",
    "TMUX_PANE",
    "VTE_VERSION",
    "WINDOWID",
];

/// How shells are started.
#[derive(Clone)]
pub struct Launch {
    /// A program that guards a shell when called as `PROGRAM guard --terminal --name NAME -- SHELL`.
    pub guard: PathBuf,
    /// The shell of the settings.
    pub shell: Option<PathBuf>,
    /// Set in its environment, over the box's own.
    pub env: Vec<(String, String)>,
    /// A folder for what shells read when they start. It is the box's alone.
    pub private: PathBuf,
}

impl fmt::Debug for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Its environment may hold secrets.
        f.debug_struct("Launch").field("shell", &self.shell).finish_non_exhaustive()
    }
}

/// A shell that runs.
pub(super) struct Launched {
    pub(super) pty: Pty,
    /// The same terminal, for its settings.
    pub(super) control: OwnedFd,
    pub(super) guard: Child,
    /// The guard ends everything when this is dropped.
    pub(super) lifeline: ChildStdin,
    /// Whether the shell was started so that it reports.
    pub(super) reports: bool,
    /// To be kept until its first prompt.
    pub(super) private: Option<Private>,
    /// Name of its program.
    pub(super) name: String,
}

impl Launch {
    /// Empties the folder of what a box that was killed left in it.
    pub(super) fn tidy(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.private) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
            _ => Ok(()),
        }
    }

    /// Starts a shell in this folder. Blocks a little.
    pub(super) fn start(
        &self,
        id: TermId,
        nonce: &Nonce,
        size: TermSize,
        folder: &Path,
    ) -> Result<Launched, StartError> {
        let shell = account::login_shell(self.shell.as_deref());
        vyre_certs::keyfile::make_folder(&self.private).map_err(io::Error::other)?;
        let told = |name: &str| self.env.iter().find(|(n, _)| n == name).map(|(_, v)| v.into());
        let given = |name: &str| told(name).or_else(|| env::var_os(name));
        let given = Given { env: given("ENV"), zdotdir: given("ZDOTDIR") };
        let start = Start::new(&shell, nonce, &self.private.join(id.to_string()), &given)?;
        let (pty, pts) = pty_process::open().map_err(io::Error::other)?;
        pty.resize(Size::new(size.rows(), size.cols())).map_err(io::Error::other)?;
        let control = pty.as_fd().try_clone_to_owned()?;
        // A character that was typed is rubbed out whole.
        let mut modes = tcgetattr(&control)?;
        modes.input_modes |= InputModes::IUTF8;
        tcsetattr(&control, OptionalActions::Now, &modes)?;

        let mut command = pty_process::Command::new(&self.guard)
            .arg("guard")
            .arg("--terminal")
            .arg("--name")
            .arg(&start.arg0)
            .arg("--")
            .arg(&start.program)
            .args(&start.args);
        for (name, _) in env::vars_os() {
            // Settings of the box, a token among them, are not the shell's.
            if name.to_string_lossy().starts_with("VYRE_") || FOREIGN.iter().any(|f| name == *f) {
                command = command.env_remove(name);
            }
        }
        if ["LC_ALL", "LC_CTYPE", "LANG"].iter().all(|name| env::var_os(name).is_none_or(|v| v.is_empty())) {
            // A box that the system started has no language, and all that a screen shows is UTF-8.
            command = command.env("LANG", "C.UTF-8");
        }
        command = command.env("TERM", TERM).env("COLORTERM", "truecolor").env("SHELL", &start.program);
        command = command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command = command.envs(start.env.iter().map(|(name, value)| (name, value))).current_dir(folder);
        let mut guard = command.stdin(Stdio::piped()).spawn(pts).map_err(|e| match e {
            pty_process::Error::Io(e) => e,
            e => io::Error::other(e),
        })?;
        let lifeline = guard.stdin.take().ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))?;
        let name = shell.file_name().unwrap_or(shell.as_os_str()).to_string_lossy().into_owned();
        Ok(Launched { pty, control, guard, lifeline, reports: start.reports, private: start.private, name })
    }
}

/// Why no shell runs.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// What the shell is to read.
    #[error(transparent)]
    Shell(#[from] ShellError),
    /// The terminal or the process.
    #[error(transparent)]
    System(#[from] io::Error),
}

impl From<rustix::io::Errno> for StartError {
    fn from(e: rustix::io::Errno) -> Self {
        StartError::System(e.into())
    }
}
