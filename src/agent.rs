//! Assistants that this box runs: programs that speak the Agent Client Protocol on their stdin and stdout.
//!
//! Each session has a process of its own, started when the assistant is first addressed there, ended when nobody has
//! needed it for a while, and gone with the box however the box goes ([`crate::process::guard`]). What is said to it
//! waits in the session until it takes it ([`crate::session::Sessions::pick_up`]): between two turns, since the protocol
//! has one prompt at a time. So nothing that a person said is held here, and nothing is lost here.
//!
//! A `runner` is one assistant in one session; [`Agents`] starts runners and hands them what the session wants. It is
//! told under no lock and never waits: it keeps who is wanted, not how often.

mod child;
mod link;
mod note;
mod recover;
mod runner;
mod voice;

use std::collections::BTreeSet;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::watch;
use tokio::task::Id;
use tokio::task::JoinSet;
use tokio::time::timeout;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;

use crate::agent::runner::Runner;
use crate::agent::runner::Shared;
use crate::clock::Clock;
use crate::session::Addressed;
use crate::session::Sessions;

pub use child::Launch;

/// Where an assistant works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Folder {
    /// In the session's folder; a session without one gets an empty folder of its own below this one.
    Session {
        /// Where those are.
        own: PathBuf,
    },
    /// Always here.
    At(PathBuf),
}

/// What becomes of a request to be allowed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// It is a question in the room.
    Ask,
    /// Yes, each time.
    Allow,
    /// No, each time.
    Deny,
}

/// One assistant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assistant {
    /// Its name in sessions.
    pub who: Author,
    /// How it is run.
    pub launch: Launch,
    /// Where it works.
    pub folder: Folder,
    /// What it may do.
    pub permission: Permission,
    /// How long a question waits for an answer.
    pub ask_limit: Duration,
}

/// How long things may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From the start of a process to its greeting.
    pub start: Duration,
    /// From the wish to stop to the end of the process, if the agent does not stop by itself.
    pub stop: Duration,
    /// A process that nobody has needed for this long is ended.
    pub idle: Duration,
    /// The wait before the first attempt to start again; it doubles.
    pub again: Duration,
    /// The longest such wait.
    pub again_max: Duration,
    /// What waits for an assistant that cannot be started is dropped after this long.
    pub resume_wait: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            start: Duration::from_secs(60),
            stop: Duration::from_secs(5),
            idle: Duration::from_secs(30 * 60),
            again: Duration::from_secs(1),
            again_max: Duration::from_secs(60),
            resume_wait: Duration::from_secs(60),
        }
    }
}

/// How long runners may take to leave when the box stops.
const LEAVE_LIMIT: Duration = Duration::from_secs(6);

type Key = (SessionId, Author);

/// The assistants of a box. Dropped, they end like in a power cut.
#[derive(Debug)]
pub struct Agents {
    tasks: JoinSet<()>,
    stop: watch::Sender<bool>,
}

impl Agents {
    /// Runs these assistants in these sessions from now on. `notes` is a folder for what must outlive a restart.
    pub fn start(
        sessions: &Sessions,
        clock: &Clock,
        assistants: Vec<Assistant>,
        notes: PathBuf,
        limits: Limits,
    ) -> Agents {
        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        if !assistants.is_empty() {
            let desk = Arc::new(Desk::new(assistants.iter().map(|a| a.who.clone()).collect()));
            sessions.address_to(desk.clone());
            let office = Office {
                desk,
                sessions: sessions.clone(),
                clock: clock.clone(),
                assistants: assistants.into_iter().map(|a| (a.who.clone(), Arc::new(a))).collect(),
                notes,
                limits,
                stop: stopped,
                runners: HashMap::new(),
                tasks: JoinSet::new(),
                ids: HashMap::new(),
            };
            tasks.spawn(office.run());
        }
        Agents { tasks, stop }
    }

    /// Ends every process, and says in the sessions what that broke off.
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        let left = async { while self.tasks.join_next().await.is_some() {} };
        if timeout(LEAVE_LIMIT, left).await.is_err() {
            tracing::warn!("some assistants did not leave in time");
        }
        self.tasks.shutdown().await;
    }
}

/// Where sessions say what they want.
#[derive(Debug)]
struct Desk {
    assistants: Vec<Author>,
    wanted: Mutex<Wanted>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Wanted {
    addressed: BTreeSet<(String, String)>,
    stopping: BTreeSet<String>,
    answered: Vec<(SessionId, String, String)>,
}

impl Desk {
    fn new(assistants: Vec<Author>) -> Desk {
        Desk { assistants, wanted: Mutex::default(), changed: Notify::new() }
    }

    fn wanted(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Addressed for Desk {
    fn runs(&self, assistant: &Author) -> bool {
        self.assistants.contains(assistant)
    }

    fn addressed(&self, session: &SessionId, assistant: &Author) {
        if self.runs(assistant) {
            self.wanted().addressed.insert((session.to_string(), assistant.to_string()));
            self.changed.notify_one();
        }
    }

    fn stopping(&self, session: &SessionId) {
        self.wanted().stopping.insert(session.to_string());
        self.changed.notify_one();
    }

    fn answered(&self, session: &SessionId, ask: &str, answer: &str) {
        // As many as there are questions, each of which is answered once.
        self.wanted().answered.push((session.clone(), ask.to_owned(), answer.to_owned()));
        self.changed.notify_one();
    }
}

/// The owner of all runners.
struct Office {
    desk: Arc<Desk>,
    sessions: Sessions,
    clock: Clock,
    assistants: HashMap<Author, Arc<Assistant>>,
    notes: PathBuf,
    limits: Limits,
    stop: watch::Receiver<bool>,
    runners: HashMap<Key, Arc<Shared>>,
    tasks: JoinSet<()>,
    ids: HashMap<Id, Key>,
}

impl Office {
    async fn run(mut self) {
        // First what an earlier run of the box left, so that no turn of this one is taken for it.
        let mut stop = self.stop.clone();
        let left = tokio::select! {
            left = self.take_up() => left,
            () = runner::told(&mut stop) => return,
        };
        for key in left {
            self.wake(key);
        }
        loop {
            tokio::select! {
                () = self.desk.changed.notified() => self.deliver(),
                Some(ended) = self.tasks.join_next_with_id(), if !self.tasks.is_empty() => {
                    let id = match ended {
                        Ok((id, ())) => id,
                        Err(e) => {
                            tracing::error!(error = %e, "an assistant's runner broke off");
                            e.id()
                        }
                    };
                    self.ended(id);
                }
                () = runner::told(&mut stop) => break,
            }
        }
        while self.tasks.join_next().await.is_some() {}
    }

    /// Ends what is left over, and tells where something waits.
    async fn take_up(&self) -> Vec<Key> {
        let mut waits = Vec::new();
        for who in self.assistants.keys() {
            let names = recover::Source { sessions: &self.sessions, clock: &self.clock };
            waits.extend(names.take_up(who).await.into_iter().map(|session| (session, who.clone())));
        }
        waits
    }

    fn deliver(&mut self) {
        let wanted = std::mem::take(&mut *self.desk.wanted());
        for (session, ask, answer) in wanted.answered {
            for (_, shared) in self.runners.iter().filter(|((s, _), _)| *s == session) {
                shared.answer(&ask, &answer);
            }
        }
        for session in wanted.stopping {
            for (_, shared) in self.runners.iter().filter(|((s, _), _)| s.as_str() == session) {
                shared.stop.notify_one();
            }
        }
        for (session, who) in wanted.addressed {
            // Both were ids when they were written down here.
            if let (Ok(session), Ok(who)) = (SessionId::parse(&session), Author::parse(&who)) {
                self.wake((session, who));
            }
        }
    }

    fn wake(&mut self, key: Key) {
        match self.runners.get(&key) {
            Some(shared) => shared.wake.notify_one(),
            None => self.begin(key),
        }
    }

    fn begin(&mut self, key: Key) {
        let Some(assistant) = self.assistants.get(&key.1) else { return };
        let shared = Arc::new(Shared::default());
        let runner = Runner::new(
            key.0.clone(),
            assistant.clone(),
            shared.clone(),
            self.sessions.clone(),
            self.clock.clone(),
            &self.notes,
            self.limits,
            self.stop.clone(),
        );
        let id = self.tasks.spawn(runner.run()).id();
        self.ids.insert(id, key.clone());
        self.runners.insert(key, shared);
    }

    /// A runner has nothing more to do. Whoever was wanted meanwhile begins again.
    fn ended(&mut self, id: Id) {
        let Some(key) = self.ids.remove(&id) else { return };
        if let Some(shared) = self.runners.remove(&key)
            && shared.is_wanted()
        {
            self.begin(key);
        }
    }
}
