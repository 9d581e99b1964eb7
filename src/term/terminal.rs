//! One terminal, as the screens on it and the task that runs it share it.
//!
//! The task reads what the programs print and writes what persons type ([`crate::term::running`]); each screen pulls what
//! it lacks and keeps its own place ([`crate::term::attached`]). Between them is this: one lock, held for no wait.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::os::fd::AsFd;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::time::Duration;

use bytes::Bytes;
use rustix::termios::LocalModes;
use rustix::termios::Winsize;
use rustix::termios::tcgetattr;
use rustix::termios::tcsetwinsize;
use tokio::sync::Notify;
use tokio::sync::watch;
use tokio::time::Instant;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream::TermReports;
use vyre_proto::term::Offset;
use vyre_proto::term::TermId;
use vyre_proto::term::TermSize;
use vyre_proto::tick::Wall;

use crate::rules::term::marks::Mark;
use crate::rules::term::marks::Marks;
use crate::rules::term::queries::Answers;
use crate::rules::term::ran::Mode;
use crate::rules::term::ran::Ran;
use crate::rules::term::ran::Recorder;
use crate::rules::term::ran::Reports;
use crate::rules::term::ran::Typist;
use crate::rules::term::ring::Ring;
use crate::rules::term::screens::ScreenId;
use crate::rules::term::screens::Screens;
use crate::term::attached::AttachError;
use crate::term::attached::Attached;
use crate::term::input::Input;
use crate::term::input::forget_written;
use crate::term::shown::Shown;

/// How far the fastest screen may be behind what the programs print, in bytes, before they are made to wait for it. As much
/// as stands between Ctrl-C and its effect on a screen, beside what the network holds.
const LAG_MAX: u64 = 128 * 1024;

/// A screen that took nothing for this long is waited for no more. A slow link on which somebody else sends is silent for
/// a second at times.
const STALLED: Duration = Duration::from_secs(2);

/// A shell that has shown no prompt for this long is none that reports.
const PROMPT_LIMIT: Duration = Duration::from_secs(10);

/// A line that somebody ran in a terminal of a session.
#[derive(Debug)]
pub struct Report {
    /// Of which session.
    pub session: SessionId,
    /// In which terminal.
    pub term: TermId,
    /// The line.
    pub ran: Ran,
}

/// How a terminal stands.
#[derive(Debug, Clone)]
pub struct Info {
    /// Which.
    pub id: TermId,
    /// Of which session.
    pub session: SessionId,
    /// Who opened it.
    pub opener: Author,
    /// Name of its shell's program.
    pub shell: String,
    /// When it was opened.
    pub opened: Wall,
    /// The size in force.
    pub size: TermSize,
    /// Behind its newest byte.
    pub head: Offset,
    /// Of the oldest byte that is kept.
    pub floor: Offset,
    /// How many screens are on it.
    pub screens: usize,
    /// Whether what is run in it is recorded now.
    pub reports: TermReports,
    /// How its shell ended, where it did.
    pub exit: Option<i32>,
}

/// One terminal. Cheap to clone; it does not end with its handles.
#[derive(Clone)]
pub struct Terminal(pub(super) Arc<Shared>);

impl fmt::Debug for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Terminal({})", self.0.id)
    }
}

impl Terminal {
    /// Which one it is.
    pub fn id(&self) -> TermId {
        self.0.id
    }

    /// The session that it belongs to.
    pub fn session(&self) -> &SessionId {
        &self.0.session
    }

    /// How it stands.
    pub fn info(&self) -> Info {
        let shared = &self.0;
        let state = shared.lock();
        Info {
            id: shared.id,
            session: shared.session.clone(),
            opener: shared.opener.clone(),
            shell: shared.shell.clone(),
            opened: shared.opened,
            size: state.ring.size(),
            head: state.ring.head(),
            floor: state.ring.floor(),
            screens: state.screens.len(),
            reports: state.reports(),
            exit: state.exit,
        }
    }

    /// A screen of this person's on it. `from`: behind the newest byte that the screen has; `None`: it has nothing.
    pub fn attach(&self, from: Option<Offset>, typist: Typist) -> Result<Attached, AttachError> {
        Attached::new(self.0.clone(), from, typist)
    }

    /// Ends the shell and everything that came of it. Returns at once.
    pub fn close(&self) {
        self.0.close();
    }

    /// Waits until its shell has ended.
    pub async fn ended(&self) -> i32 {
        let mut moved = self.0.moved.subscribe();
        loop {
            moved.borrow_and_update();
            if let Some(code) = self.0.lock().exit {
                return code;
            }
            if moved.changed().await.is_err() {
                return 0;
            }
        }
    }
}

/// What its handles, its screens and its task share.
pub(super) struct Shared {
    pub(super) id: TermId,
    pub(super) session: SessionId,
    opener: Author,
    shell: String,
    opened: Wall,
    state: Mutex<State>,
    /// Screens look.
    pub(super) moved: watch::Sender<()>,
    /// The task looks.
    pub(super) work: Notify,
    /// The terminal, for its settings.
    control: OwnedFd,
}

pub(super) struct State {
    pub(super) ring: Ring,
    pub(super) shown: Shown,
    pub(super) screens: Screens,
    pub(super) input: Input,
    pub(super) exit: Option<i32>,
    pub(super) closing: bool,
    marks: Marks,
    recorder: Recorder,
    began: Instant,
    /// When something was printed or typed last, or somebody was there.
    pub(super) active: Instant,
    readings: BTreeMap<ScreenId, Reading>,
    next_screen: u64,
}

/// How far one screen is, and what of what it sends its emulator sends.
struct Reading {
    at: Offset,
    moved: Instant,
    /// How far it may be behind before the programs wait for it.
    lag: u64,
    answers: Answers,
}

/// What is fixed of a terminal from its beginning.
pub(super) struct Born {
    pub(super) id: TermId,
    pub(super) session: SessionId,
    pub(super) opener: Author,
    pub(super) shell: String,
    pub(super) opened: Wall,
    pub(super) control: OwnedFd,
    pub(super) size: TermSize,
    pub(super) ring: usize,
    pub(super) marks: Marks,
    pub(super) reports: bool,
}

impl Shared {
    pub(super) fn new(born: Born) -> Shared {
        let now = Instant::now();
        let state = State {
            ring: Ring::new(born.ring, born.size),
            shown: Shown::new(born.size),
            screens: Screens::default(),
            input: Input::default(),
            exit: None,
            closing: false,
            marks: born.marks,
            recorder: Recorder::new(born.reports),
            began: now,
            active: now,
            readings: BTreeMap::new(),
            next_screen: 0,
        };
        Shared {
            id: born.id,
            session: born.session,
            opener: born.opener,
            shell: born.shell,
            opened: born.opened,
            state: Mutex::new(state),
            moved: watch::Sender::new(()),
            work: Notify::new(),
            control: born.control,
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // No code that holds the lock panics half-way through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn close(&self) {
        self.lock().closing = true;
        self.work.notify_one();
    }

    /// The shell has ended with this code. False: that was known.
    pub(super) fn ended(&self, code: i32) -> bool {
        let first = {
            let mut state = self.lock();
            let first = state.exit.is_none();
            state.exit.get_or_insert(code);
            first
        };
        self.moved.send_replace(());
        first
    }

    /// How the terminal is set now. One that cannot be asked is at its end.
    fn mode(&self) -> Mode {
        match tcgetattr(&self.control) {
            Ok(t) => Mode {
                echo: t.local_modes.contains(LocalModes::ECHO),
                canonical: t.local_modes.contains(LocalModes::ICANON),
            },
            Err(_) => Mode { echo: false, canonical: true },
        }
    }

    /// The programs have printed this. Gives the lines that were run, and whether the shell has shown a prompt.
    pub(super) fn printed(&self, bytes: &[u8]) -> (Vec<Ran>, bool) {
        let (mut ran, mut prompt) = (Vec::new(), false);
        {
            let state = &mut *self.lock();
            // Before the marks: a prompt for a password is set up before it is printed.
            state.recorder.mode(self.mode());
            state.marks.read(bytes, |at, mark| {
                prompt |= mark == Mark::Prompt;
                ran.extend(state.recorder.mark(at, mark));
            });
            state.ring.push(bytes);
            let gone = state.ring.take_gone();
            state.shown.gone(gone);
            state.active = Instant::now();
        }
        self.moved.send_replace(());
        (ran, prompt)
    }

    /// Makes the system forget what was written and not read.
    fn forget_written(&self) {
        if let Err(error) = forget_written(self.control.as_fd()) {
            tracing::debug!(term = %self.id, %error, "what was typed cannot be taken back");
        }
    }

    /// What is to be written now, and from when on it is stuck. Its typist is noted before.
    pub(super) fn next_input(&self) -> (Bytes, Option<Instant>) {
        let state = &mut *self.lock();
        let now = Instant::now();
        if state.input.take_forget() {
            self.forget_written();
        }
        if let Some(typed) = state.input.begin(now) {
            state.active = now;
            state.recorder.typed(&typed.by, &typed.bytes, self.mode());
        }
        (state.input.writing(), state.input.stuck_at())
    }

    /// Lets a key that signals past what nobody reads.
    pub(super) fn unstick(&self, state: &mut State) {
        if let Ok(modes) = tcgetattr(&self.control)
            && state.input.unstick(Instant::now(), &modes)
        {
            self.work.notify_one();
        }
    }

    /// Somebody types.
    pub(super) fn typed(&self, screen: ScreenId, by: &Arc<Typist>, mut bytes: Bytes) {
        let state = &mut *self.lock();
        let Some(reading) = state.readings.get_mut(&screen) else { return };
        // Every emulator that sees a question answers it, and the program wants one answer.
        if !state.screens.answers(screen) {
            match reading.answers.strip(&bytes) {
                Cow::Borrowed(same) if same.len() == bytes.len() => {}
                rest => bytes = Bytes::copy_from_slice(&rest),
            }
            // Whoever only answers has typed nothing.
            if bytes.is_empty() {
                return;
            }
        }
        if let Some(size) = state.screens.typed(screen) {
            self.resize(state, size);
        }
        state.input.push(by, bytes);
        self.unstick(state);
        self.work.notify_one();
    }

    /// A screen says its size.
    pub(super) fn sized(&self, screen: ScreenId, size: TermSize) {
        let state = &mut *self.lock();
        if let Some(size) = state.screens.resize(screen, size) {
            self.resize(state, size);
        }
        self.moved.send_replace(());
    }

    fn resize(&self, state: &mut State, size: TermSize) {
        if size == state.ring.size() {
            return;
        }
        let winsize = Winsize { ws_row: size.rows(), ws_col: size.cols(), ws_xpixel: 0, ws_ypixel: 0 };
        // It fails where the shell is gone, and then nobody sees it.
        if tcsetwinsize(&self.control, winsize).is_ok() {
            state.ring.resize(size);
            let gone = state.ring.take_gone();
            state.shown.gone(gone);
        }
    }

    /// A screen comes. `None`: there are as many as there may be.
    pub(super) fn join(&self, at: Offset, most: usize) -> Option<ScreenId> {
        let state = &mut *self.lock();
        if state.screens.len() >= most {
            return None;
        }
        let id = ScreenId(state.next_screen);
        state.next_screen += 1;
        state.screens.join(id);
        let now = Instant::now();
        state.readings.insert(id, Reading { at, moved: now, lag: LAG_MAX, answers: Answers::default() });
        state.active = now;
        self.moved.send_replace(());
        Some(id)
    }

    /// A screen goes.
    pub(super) fn leave(&self, screen: ScreenId) {
        let state = &mut *self.lock();
        state.screens.leave(screen);
        state.readings.remove(&screen);
        state.active = Instant::now();
        self.work.notify_one();
        self.moved.send_replace(());
    }
}

impl State {
    /// Whether what is run is recorded now, as screens are told it.
    pub(super) fn reports(&self) -> TermReports {
        match self.recorder.reports() {
            Reports::Starting if self.began.elapsed() < PROMPT_LIMIT => TermReports::Starting,
            Reports::Starting | Reports::Inside | Reports::No => TermReports::No,
            Reports::Yes => TermReports::Yes,
        }
    }

    /// A screen has been given everything before this place, and it has gone out. True: somebody may wait for that.
    /// `window`: what its link carries in a moment, where that is known.
    pub(super) fn reached(&mut self, screen: ScreenId, at: Offset, window: Option<u64>) -> bool {
        let Some(reading) = self.readings.get_mut(&screen) else { return false };
        reading.lag = window.map_or(LAG_MAX, |window| window.min(LAG_MAX));
        let moved = reading.at != at;
        if moved {
            (reading.at, reading.moved) = (at, Instant::now());
        }
        moved
    }

    /// Whether a screen has ever been on it.
    pub(super) fn was_seen(&self) -> bool {
        self.next_screen > 0
    }

    /// Whether the programs may print more now: some screen that is still moving is near, or there is none.
    pub(super) fn may_print(&self) -> bool {
        let head = self.ring.head();
        let moving = self.readings.values().filter(|r| r.at >= head || r.moved.elapsed() < STALLED);
        let mut moving = moving.peekable();
        moving.peek().is_none() || moving.any(|r| head.above(r.at) <= r.lag)
    }
}
