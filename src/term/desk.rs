//! All terminals of a box: which there are, how many there may be, and their end with the box.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio::time::timeout;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_proto::term::TermId;
use vyre_proto::term::TermSize;

use crate::clock::Clock;
use crate::rules::term::marks::Marks;
use crate::rules::term::marks::Nonce;
use crate::term::launch::Launch;
use crate::term::launch::Launched;
use crate::term::launch::StartError;
use crate::term::running::Running;
use crate::term::terminal::Born;
use crate::term::terminal::Report;
use crate::term::terminal::Shared;
use crate::term::terminal::Terminal;

/// How long terminals may take to end when the box stops.
const STOP_LIMIT: Duration = Duration::from_secs(6);

/// How often it is looked whether a start is over.
const START_LOOK: Duration = Duration::from_millis(5);

/// What terminals may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Terminals of a box at once.
    pub all: usize,
    /// Of one session.
    pub per_session: usize,
    /// Bytes of output that each keeps for screens that come back.
    pub ring: usize,
    /// How long one stays that nobody looks at and that prints nothing.
    pub idle: Duration,
    /// The same for one on which no screen has been yet: whoever opened it is gone.
    pub unseen: Duration,
    /// How long is known how one ended.
    pub linger: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            all: 64,
            per_session: 8,
            ring: 2 << 20,
            idle: Duration::from_secs(24 * 3600),
            unseen: Duration::from_secs(60),
            linger: Duration::from_secs(600),
        }
    }
}

/// Where a shell starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Folder {
    /// A folder of the person's, which must be there.
    There(PathBuf),
    /// One of the box's, which is made where it is not.
    Own(PathBuf),
}

impl Folder {
    /// Its path.
    pub fn path(&self) -> &Path {
        match self {
            Folder::There(path) | Folder::Own(path) => path,
        }
    }

    fn ready(&self) -> io::Result<()> {
        match self {
            Folder::Own(path) => vyre_certs::keyfile::make_folder(path).map_err(io::Error::other),
            Folder::There(path) if fs::metadata(path)?.is_dir() => Ok(()),
            Folder::There(_) => Err(io::ErrorKind::NotADirectory.into()),
        }
    }
}

/// What to open.
#[derive(Debug)]
pub struct Open {
    /// In which session.
    pub session: SessionId,
    /// Who asks.
    pub opener: Author,
    /// Until a screen says its own.
    pub size: TermSize,
    /// Where the shell starts.
    pub folder: Folder,
}

/// Why no terminal was opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// This box was started without what guards shells.
    #[error("this box cannot open terminals: it was not started by `vyre serve`")]
    NoGuard,
    /// The box stops.
    #[error("the box is stopping")]
    Stopping,
    /// The session has as many as it may.
    #[error("{most} terminals are open in this session, and no more can be; close one with term.close")]
    SessionFull {
        /// How many it may have.
        most: usize,
    },
    /// The box has.
    #[error("{most} terminals are open on this box, and no more can be; close one with term.close")]
    BoxFull {
        /// How many it may have.
        most: usize,
    },
    /// The folder.
    #[error("the session's folder {folder} cannot be used: {source}")]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The shell.
    #[error("the shell cannot be started: {0}")]
    Start(#[from] StartError),
    /// A part of the start broke off.
    #[error("the start broke off; the log says why")]
    Broken,
}

/// All terminals of a box. Cheap to clone.
#[derive(Clone)]
pub struct Terminals(Arc<Inner>);

struct Inner {
    clock: Clock,
    launch: Option<Launch>,
    limits: Limits,
    stop: watch::Sender<bool>,
    desk: Mutex<Desk>,
}

struct Desk {
    /// `None` once the box stops.
    reports: Option<mpsc::Sender<Report>>,
    all: BTreeMap<TermId, Terminal>,
    /// Sessions of terminals that are being started.
    starting: Vec<SessionId>,
    tasks: JoinSet<()>,
}

impl fmt::Debug for Terminals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Terminals({})", self.0.desk().all.len())
    }
}

impl Terminals {
    /// Without `launch` none can be opened. Lines that persons run come out of the second part, which somebody must read; it
    /// ends with the last terminal of a box that stops.
    pub fn new(clock: Clock, launch: Option<Launch>, limits: Limits) -> (Terminals, mpsc::Receiver<Report>) {
        let (reports, lines) = mpsc::channel(64);
        if let Some(launch) = &launch
            && let Err(error) = launch.tidy()
        {
            tracing::warn!(%error, "what an earlier run left for shells to read cannot be removed");
        }
        let stop = watch::Sender::new(false);
        let (all, starting, tasks) = (BTreeMap::new(), Vec::new(), JoinSet::new());
        let desk = Mutex::new(Desk { reports: Some(reports), all, starting, tasks });
        (Terminals(Arc::new(Inner { clock, launch, limits, stop, desk })), lines)
    }

    /// Opens one. Cancelled, it is closed again.
    pub async fn open(&self, open: Open) -> Result<Terminal, OpenError> {
        let inner = &self.0;
        let launch = inner.launch.clone().ok_or(OpenError::NoGuard)?;
        let place = self.place(&open.session)?;
        let id = TermId(inner.clock.random());
        let nonce = Nonce::new(inner.clock.random());
        let (marks, size, folder) = (Marks::new(nonce.clone()), open.size, open.folder);
        // The terminal's descriptor belongs to this runtime, and the rest of the start blocks.
        let inside = tokio::runtime::Handle::current();
        let started = tokio::task::spawn_blocking(move || {
            let _inside = inside.enter();
            folder.ready().map_err(|source| OpenError::Folder { folder: folder.path().to_owned(), source })?;
            // The place is held until the start is over, also where nobody waits for it any more.
            Ok::<_, OpenError>((launch.start(id, &nonce, size, folder.path())?, place))
        });
        let (launched, place) = started.await.map_err(|_| OpenError::Broken)??;
        let Launched { pty, control, guard, lifeline, reports, private, name } = launched;
        let shared = Arc::new(Shared::new(Born {
            id,
            session: open.session,
            opener: open.opener,
            shell: name,
            opened: inner.clock.wall(),
            control,
            size,
            ring: inner.limits.ring,
            marks,
            reports,
        }));
        let mut desk = inner.desk();
        let reports = desk.reports.clone().ok_or(OpenError::Stopping)?;
        let running = Running {
            shared: shared.clone(),
            pty,
            guard,
            lifeline: Some(lifeline),
            private,
            reports,
            idle: inner.limits.idle,
            unseen: inner.limits.unseen,
        };
        let terminal = Terminal(shared);
        while desk.tasks.try_join_next().is_some() {}
        desk.all.insert(id, terminal.clone());
        desk.tasks.spawn(self.clone().keep(terminal.clone(), running));
        drop(desk);
        drop(place);
        Ok(terminal)
    }

    /// The terminal with this id, also a little after its end.
    pub fn get(&self, id: TermId) -> Option<Terminal> {
        self.0.desk().all.get(&id).cloned()
    }

    /// Those of a session that run, oldest first.
    pub fn of(&self, session: &SessionId) -> Vec<Terminal> {
        let all: Vec<_> = self.0.desk().all.values().filter(|t| t.session() == session).cloned().collect();
        let mut live: Vec<_> = all.into_iter().map(|t| (t.info(), t)).filter(|(info, _)| info.exit.is_none()).collect();
        live.sort_by_key(|(info, _)| (info.opened, info.id));
        live.into_iter().map(|(_, terminal)| terminal).collect()
    }

    /// Ends all of them, and what came of them. None can be opened from now on.
    pub async fn stop(&self) {
        let mut tasks = {
            let mut desk = self.0.desk();
            // Under the lock: whoever takes a place after this is refused.
            self.0.stop.send_replace(true);
            desk.reports = None;
            desk.all.values().for_each(Terminal::close);
            std::mem::take(&mut desk.tasks)
        };
        let ended = async {
            while tasks.join_next().await.is_some() {}
            // What is being started is given up by whoever starts it.
            while !self.0.desk().starting.is_empty() {
                sleep(START_LOOK).await;
            }
        };
        if timeout(STOP_LIMIT, ended).await.is_err() {
            tracing::warn!("some terminals did not end in time");
        }
    }

    /// Runs a terminal, and remembers for a while how it ended.
    async fn keep(self, terminal: Terminal, running: Running) {
        let mut stop = self.0.stop.subscribe();
        running.run().await;
        let _ = timeout(self.0.limits.linger, stop.wait_for(|stop| *stop)).await;
        self.0.desk().all.remove(&terminal.id());
    }

    fn place(&self, session: &SessionId) -> Result<Place, OpenError> {
        let (limits, mut desk) = (self.0.limits, self.0.desk());
        if *self.0.stop.borrow() {
            return Err(OpenError::Stopping);
        }
        let live: Vec<_> = desk.all.values().filter(|t| t.0.lock().exit.is_none()).map(Terminal::session).collect();
        let of_session = |s: &&SessionId| *s == session;
        let here = live.iter().copied().filter(of_session).count() + desk.starting.iter().filter(of_session).count();
        if here >= limits.per_session {
            return Err(OpenError::SessionFull { most: limits.per_session });
        }
        if live.len() + desk.starting.len() >= limits.all {
            return Err(OpenError::BoxFull { most: limits.all });
        }
        desk.starting.push(session.clone());
        Ok(Place(self.0.clone(), session.clone()))
    }
}

impl Inner {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        // No code that holds the lock panics half-way through a change.
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place for a terminal that is being started.
struct Place(Arc<Inner>, SessionId);

impl Drop for Place {
    fn drop(&mut self) {
        let mut desk = self.0.desk();
        if let Some(at) = desk.starting.iter().position(|s| *s == self.1) {
            desk.starting.swap_remove(at);
        }
    }
}
