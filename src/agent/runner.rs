//! One assistant in one session: it takes what waits, prompts the agent, and says what comes.
//!
//! The process is up before anything is taken, so what cannot be answered stays where persons can take it back; only when
//! the agent could not be started for [`Limits::resume_wait`] is it taken and dropped, and the room told.
//!
//! What would surprise: a prompt that broke off with its agent is never given again by itself, since nobody knows what of
//! it was done; and after a stop what the agent's tools have left running is ended as well, or the stop would be a word.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use agent_client_protocol_schema::v1 as acp;
use data_encoding::HEXLOWER;
use tokio::sync::Notify;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio::time::sleep;
use tokio::time::sleep_until;
use vyre_proto::block::cut;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;

use crate::agent::Assistant;
use crate::agent::Folder;
use crate::agent::Limits;
use crate::agent::Permission;
use crate::agent::link::Heard;
use crate::agent::link::Link;
use crate::agent::link::LinkError;
use crate::agent::link::Memory;
use crate::agent::link::exit_words;
use crate::agent::note::Note;
use crate::agent::voice::Voice;
use crate::clock::Clock;
use crate::rules::acp as rules;
use crate::rules::acp::Choices;
use crate::rules::acp::End;
use crate::rules::acp::Names;
use crate::rules::acp::Said;
use crate::rules::acp::Speaker;
use crate::rules::acp::Turn;
use crate::rules::acp::wire;
use crate::rules::acp::wire::Incoming;
use crate::rules::reply::COULD_NOT_RESUME;
use crate::rules::steering;
use crate::session::ActError;
use crate::session::Picked;
use crate::session::SessionError;
use crate::session::Sessions;

/// Attempts to start an agent that nobody waits for.
const EAGER: u32 = 5;

/// Bytes of messages that go into one prompt; what is beyond it is another prompt.
const PROMPT_MAX: usize = 1 << 20;

/// Answers that wait for a turn to take them.
const ANSWERS_MAX: usize = 256;

/// Between two looks at a session that cannot be had now.
const AGAIN: Duration = Duration::from_millis(500);

/// Said of what was broken off by the end of the box.
const BOX_STOPPED: &str = "the box stopped while this was being written";

/// What the others hand to a runner.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// Something waits.
    pub(super) wake: Notify,
    /// The work is to stop.
    pub(super) stop: Notify,
    answers: Mutex<Vec<(String, String)>>,
    answered: Notify,
}

impl Shared {
    /// A person answered a question.
    pub(super) fn answer(&self, ask: &str, answer: &str) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() < ANSWERS_MAX {
            answers.push((ask.to_owned(), answer.to_owned()));
        }
        drop(answers);
        self.answered.notify_one();
    }

    /// Whether it was woken and nobody has looked.
    pub(super) fn is_wanted(&self) -> bool {
        use std::future::Future;
        let woken = std::pin::pin!(self.wake.notified());
        woken.poll(&mut std::task::Context::from_waker(std::task::Waker::noop())).is_ready()
    }

    fn take_answers(&self) -> Vec<(String, String)> {
        std::mem::take(&mut *self.answers.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// One assistant in one session.
pub(super) struct Runner {
    session: SessionId,
    me: Arc<Assistant>,
    shared: Arc<Shared>,
    sessions: Sessions,
    voice: Voice,
    names: Names,
    note: Note,
    limits: Limits,
    box_stops: watch::Receiver<bool>,
    link: Option<Link>,
    folder: PathBuf,
    failures: u32,
    not_before: Instant,
    /// It broke off and is to be there again before somebody needs it.
    restart: bool,
    /// The agent does not know what was said here before, and nobody has been told.
    forgot: bool,
}

/// What became of a turn.
#[derive(Debug, PartialEq, Eq)]
enum Went {
    Well,
    Stopped,
    Broken,
}

/// A question that waits for a person.
struct Asked {
    id: acp::RequestId,
    choices: Choices,
    until: Instant,
}

impl Runner {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn new(
        session: SessionId,
        me: Arc<Assistant>,
        shared: Arc<Shared>,
        sessions: Sessions,
        clock: Clock,
        notes: &Path,
        limits: Limits,
        box_stops: watch::Receiver<bool>,
    ) -> Runner {
        Runner {
            note: Note::of(notes, &session, &me.who),
            voice: Voice::new(sessions.clone(), session.clone()),
            names: Names::new(&format!("a.{}", HEXLOWER.encode(&clock.random::<8>()))),
            session,
            me,
            shared,
            sessions,
            limits,
            box_stops,
            link: None,
            folder: PathBuf::new(),
            failures: 0,
            not_before: Instant::now(),
            restart: false,
            forgot: false,
        }
    }

    /// Runs until there is no process and nothing to do, or the box stops.
    pub(super) async fn run(mut self) {
        while !*self.box_stops.borrow() {
            if self.something_waits().await {
                if self.up().await {
                    self.take_turns().await;
                } else if !*self.box_stops.borrow() {
                    self.give_up().await;
                }
                continue;
            }
            if self.link.is_none() && !self.restart {
                return;
            }
            self.rest().await;
        }
        if let Some(link) = self.link.take() {
            link.kill().await;
        }
        self.voice.settle().await;
    }

    /// Whether something can be taken now.
    async fn something_waits(&mut self) -> bool {
        loop {
            match self.sessions.get(&self.session).await {
                Ok(session) => return !steering::pick_up(&session.room(), &self.me.who).is_empty(),
                Err(SessionError::NotFound) => return false,
                Err(SessionError::Unavailable { .. }) => {
                    tokio::select! {
                        () = sleep(AGAIN) => {}
                        () = told(&mut self.box_stops) => return false,
                    }
                }
            }
        }
    }

    /// Waits until something is wanted. The agent may go meanwhile, and is let go when it is needed no more.
    async fn rest(&mut self) {
        let mut box_stops = self.box_stops.clone();
        tokio::select! {
            () = self.shared.wake.notified() => {}
            () = told(&mut box_stops) => {}
            () = sleep(self.limits.idle), if self.link.is_some() => {
                if let Some(link) = self.link.take() {
                    link.close().await;
                }
            }
            () = sleep_until(self.not_before), if self.restart => self.start_again().await,
            heard = hear(&mut self.link) => match heard {
                Some(Heard::Said(Incoming::Permission { id, .. } | Incoming::Unknown { id })) => {
                    if let Some(link) = &mut self.link {
                        let _ = link.refuse(&id).await;
                    }
                }
                Some(_) => {}
                None => {
                    let Some(link) = self.link.take() else { return };
                    let status = link.ended().await;
                    // One that leaves in order, having nothing to do, is no failure.
                    if !status.is_some_and(|s| s.success()) {
                        self.failed();
                        self.say_failed(format!("the assistant's program ended{}", exit_words(&status))).await;
                    }
                }
            }
        }
    }

    /// Makes a process that broke off while nobody needed it be there again.
    async fn start_again(&mut self) {
        self.restart = false;
        if self.link.is_none() && self.open().await.is_err() {
            self.failed();
            self.restart = self.failures < EAGER;
        }
    }

    /// Whether the agent is there. Waits as long as a reply may.
    async fn up(&mut self) -> bool {
        let give_up = Instant::now() + self.limits.resume_wait;
        let mut said = false;
        while self.link.is_none() {
            tokio::select! {
                () = sleep_until(self.not_before.min(give_up)) => {}
                () = told(&mut self.box_stops) => return false,
            }
            if Instant::now() >= give_up {
                return false;
            }
            let opened = tokio::select! {
                opened = self.open() => opened,
                () = sleep_until(give_up) => return false,
            };
            if let Err(e) = opened {
                self.failed();
                if !std::mem::replace(&mut said, true) {
                    self.say_failed(format!("{e}; it is tried again")).await;
                }
            }
        }
        self.restart = false;
        true
    }

    async fn open(&mut self) -> Result<(), LinkError> {
        let (note, folder) = (self.note.clone(), self.folder().await);
        let made = {
            let folder = folder.clone();
            tokio::task::spawn_blocking(move || {
                vyre_certs::keyfile::make_folder(&folder).map(|()| note.read()).map_err(std::io::Error::other)
            })
            .await
        };
        let earlier = match made {
            Ok(Ok(earlier)) => earlier,
            Ok(Err(e)) => return Err(LinkError::Start(e)),
            Err(_) => None,
        };
        let link = Link::open(&self.me.launch, &folder, earlier.as_deref(), self.limits.start).await?;
        self.forgot = link.memory == Memory::Lost;
        if link.memory != Memory::Kept {
            let (note, conversation) = (self.note.clone(), link.conversation().to_owned());
            let kept = tokio::task::spawn_blocking(move || note.write(&conversation)).await;
            if !matches!(kept, Ok(Ok(()))) {
                tracing::warn!(session = %self.session, "a conversation's name could not be kept: a restart begins anew");
            }
        }
        self.folder = folder;
        self.link = Some(link);
        Ok(())
    }

    /// Where the agent works here.
    async fn folder(&self) -> PathBuf {
        match &self.me.folder {
            Folder::At(path) => path.clone(),
            Folder::Session { own } => {
                let of_session = self.sessions.get(&self.session).await.map(|s| PathBuf::from(s.info().folder));
                match of_session {
                    Ok(folder) if folder.is_absolute() => folder,
                    _ => own.join(self.session.as_str()),
                }
            }
        }
    }

    fn failed(&mut self) {
        let wait = self.limits.again.saturating_mul(1 << self.failures.min(16)).min(self.limits.again_max);
        self.failures = self.failures.saturating_add(1);
        self.not_before = Instant::now() + wait;
        self.restart = self.failures < EAGER;
    }

    fn speaker(&self, acts_for: Option<Author>) -> Speaker {
        Speaker {
            session: self.session.clone(),
            who: self.me.who.clone(),
            acts_for,
            folder: self.folder.to_string_lossy().into_owned(),
        }
    }

    async fn say_failed(&mut self, why: String) {
        self.voice.begin(&self.me.who, None).await;
        let turn = Turn::new(self.speaker(None), &mut self.names);
        let events = turn.end(&mut self.names, &End::Failed(why));
        self.voice.say(events).await;
        self.voice.end().await;
    }

    /// What waits is dropped: a process that comes late does not bring it back.
    async fn give_up(&mut self) {
        match self.sessions.pick_up(&self.session, &self.me.who).await {
            Ok(_) => self.say_failed(COULD_NOT_RESUME.to_owned()).await,
            Err(e) => self.not_taken(e).await,
        }
    }

    async fn not_taken(&mut self, e: ActError<SessionError>) {
        tracing::warn!(session = %self.session, error = %e, "what waits for an assistant could not be taken");
        let session = self.sessions.get(&self.session).await;
        if session.is_ok_and(|s| s.room().is_working(&self.me.who)) {
            // It was taken, and cannot be read.
            self.say_failed(COULD_NOT_RESUME.to_owned()).await;
        }
        sleep(AGAIN).await;
    }

    /// Takes what waits and answers it, one prompt for each run of messages of one person.
    async fn take_turns(&mut self) {
        let picked = match self.sessions.pick_up(&self.session, &self.me.who).await {
            Ok(picked) => picked,
            Err(e) => return self.not_taken(e).await,
        };
        let mut runs: Vec<Vec<Picked>> = Vec::new();
        for message in picked {
            let fits = |run: &&mut Vec<Picked>| {
                let len: usize = run.iter().map(|m| m.text.len()).sum();
                run.first().is_some_and(|m| m.author == message.author) && len + message.text.len() <= PROMPT_MAX
            };
            match runs.last_mut().filter(fits) {
                Some(run) => run.push(message),
                None => runs.push(vec![message]),
            }
        }
        let mut runs = runs.into_iter();
        while let Some(run) = runs.next() {
            let went = self.turn(run).await;
            let left = runs.len();
            if went != Went::Well && left > 0 {
                // Nothing begins by itself after a stop, and nothing is left unsaid.
                self.say_failed("more was asked and is not answered: ask again".to_owned()).await;
                return;
            }
            if went != Went::Well {
                return;
            }
        }
    }

    /// One prompt, and all that comes of it.
    async fn turn(&mut self, run: Vec<Picked>) -> Went {
        let Some(mut link) = self.link.take() else { return Went::Broken };
        let acts_for = run.first().and_then(|m| m.author.clone());
        self.voice.begin(&self.me.who, acts_for.as_ref()).await;
        let mut turn = Turn::new(self.speaker(acts_for), &mut self.names);
        let note = if std::mem::take(&mut self.forgot) { "it does not remember what was said here before" } else { "" };
        let begun = turn.begin(&mut self.names, note);
        self.voice.say(begun).await;
        let before = link.child().processes().await;
        let several = match self.sessions.get(&self.session).await {
            Ok(session) => session.room().is_group(),
            Err(_) => false,
        };
        let said = run.iter().map(|m| Said { by: m.author.as_ref(), text: &m.text });
        let prompt = rules::prompt(said, several);
        let over = self.go(&mut link, &mut turn, prompt).await;
        let end = match over {
            Over::Ended(end) => {
                if end == End::Stopped && !link.child().end_others(&before).await {
                    tracing::warn!(session = %self.session, "something that an assistant began could not be ended");
                }
                self.link = Some(link);
                end
            }
            Over::Killed(end) => {
                link.kill().await;
                end
            }
            Over::Gone => {
                let status = link.ended().await;
                End::Failed(format!("the assistant's program ended{}", exit_words(&status)))
            }
        };
        let went = match &end {
            End::Done(_) => Went::Well,
            End::Stopped => Went::Stopped,
            End::Failed(_) => Went::Broken,
        };
        match (&went, &self.link) {
            (Went::Broken, None) => self.failed(),
            (_, None) => {}
            _ => self.failures = 0,
        }
        let events = turn.end(&mut self.names, &end);
        self.voice.say(events).await;
        self.voice.end().await;
        went
    }

    async fn go(&mut self, link: &mut Link, turn: &mut Turn, prompt: Vec<acp::ContentBlock>) -> Over {
        let Ok(number) = link.prompt(prompt).await else { return Over::Gone };
        let mut asked: Vec<Asked> = Vec::new();
        let mut kill_at: Option<Instant> = None;
        let mut box_stops = self.box_stops.clone();
        loop {
            let first = asked.iter().map(|a| a.until).min();
            tokio::select! {
                biased;
                () = told(&mut box_stops) => {
                    return Over::Killed(End::Failed(BOX_STOPPED.to_owned()));
                }
                () = at(kill_at) => return Over::Killed(End::Stopped),
                () = self.shared.stop.notified(), if kill_at.is_none() => {
                    // A wish that came late for an earlier turn stops nothing of this one.
                    if self.is_stopping().await {
                        kill_at = Some(Instant::now() + self.limits.stop);
                        if self.unask(link, turn, &mut asked, None).await.is_err() || link.cancel().await.is_err() {
                            return Over::Killed(End::Stopped);
                        }
                    }
                }
                () = self.shared.answered.notified() => {
                    for (ask, answer) in self.shared.take_answers() {
                        let Some(n) = asked.iter().position(|a| a.choices.ask == ask) else { continue };
                        let asked = asked.swap_remove(n);
                        if link.allow(&asked.id, asked.choices.meaning(&answer)).await.is_err() {
                            return Over::Gone;
                        }
                    }
                }
                () = at(first) => {
                    let now = Instant::now();
                    if self.unask(link, turn, &mut asked, Some(now)).await.is_err() {
                        return Over::Gone;
                    }
                }
                heard = link.next() => {
                    let said = match heard {
                        None => return if kill_at.is_some() { Over::Killed(End::Stopped) } else { Over::Gone },
                        Some(Heard::TooLong { head, len }) => match wire::call_in(&head) {
                            Some((call, ended)) => turn.too_long(&mut self.names, &call, ended, len),
                            None => Vec::new(),
                        },
                        Some(Heard::Said(Incoming::Update(u))) => turn.update(&mut self.names, u.update),
                        Some(Heard::Said(Incoming::Permission { id, ask })) => {
                            let (choices, events) = turn.ask(&mut self.names, *ask);
                            match self.decide(&choices, kill_at.is_some()) {
                                None => {
                                    let until = Instant::now() + self.me.ask_limit;
                                    asked.push(Asked { id, choices, until });
                                    events
                                }
                                Some(outcome) => {
                                    let mut events = events;
                                    let answer = choices.named(&outcome).to_owned();
                                    events.extend(turn.unasked(&mut self.names, &choices.ask, &answer));
                                    if link.allow(&id, outcome).await.is_err() {
                                        return Over::Gone;
                                    }
                                    events
                                }
                            }
                        }
                        Some(Heard::Said(Incoming::Unknown { id })) => {
                            if link.refuse(&id).await.is_err() {
                                return Over::Gone;
                            }
                            Vec::new()
                        }
                        Some(Heard::Said(Incoming::Answer { id, answer })) if id == number => {
                            let _ = self.unask(link, turn, &mut asked, None).await;
                            return Over::Ended(match (kill_at, answer) {
                                (Some(_), _) => End::Stopped,
                                (None, Ok(answer)) => match serde_json::from_str::<acp::PromptResponse>(answer.get()) {
                                    Ok(answer) => rules::end_of(answer.stop_reason),
                                    Err(_) => End::Failed("the assistant ended its turn in a way that its protocol does not have".to_owned()),
                                },
                                (None, Err(e)) => {
                                    End::Failed(format!("the assistant broke off: {}", cut(e.message.trim(), 500)))
                                }
                            });
                        }
                        Some(Heard::Said(_)) => Vec::new(),
                    };
                    self.voice.say(said).await;
                    if self.voice.is_mute() {
                        return Over::Killed(End::Stopped);
                    }
                }
            }
        }
    }

    /// Takes back questions: those that are due, or all.
    async fn unask(
        &mut self,
        link: &mut Link,
        turn: &mut Turn,
        asked: &mut Vec<Asked>,
        due: Option<Instant>,
    ) -> Result<(), LinkError> {
        let (over, open) = std::mem::take(asked).into_iter().partition(|a| due.is_none_or(|now| a.until <= now));
        *asked = open;
        for ask in over {
            let ask: Asked = ask;
            let why = if due.is_some() { "nobody answered in time" } else { "cancelled" };
            let events = turn.unasked(&mut self.names, &ask.choices.ask, why);
            self.voice.say(events).await;
            link.allow(&ask.id, acp::RequestPermissionOutcome::Cancelled).await?;
        }
        Ok(())
    }

    /// What is decided without asking anybody.
    fn decide(&self, choices: &Choices, stopping: bool) -> Option<acp::RequestPermissionOutcome> {
        match self.me.permission {
            _ if stopping => Some(acp::RequestPermissionOutcome::Cancelled),
            Permission::Ask => None,
            Permission::Allow => Some(choices.decided(true)),
            Permission::Deny => Some(choices.decided(false)),
        }
    }

    async fn is_stopping(&self) -> bool {
        self.sessions.get(&self.session).await.is_ok_and(|s| s.room().is_stopping())
    }
}

/// How a prompt came to its end.
#[derive(Debug)]
enum Over {
    /// The agent is there.
    Ended(End),
    /// The agent is to be ended.
    Killed(End),
    /// The agent has gone by itself.
    Gone,
}

/// The box stops, or whoever would tell is gone.
pub(super) async fn told(stops: &mut watch::Receiver<bool>) {
    let _ = stops.wait_for(|stop| *stop).await;
}

async fn hear(link: &mut Option<Link>) -> Option<Heard> {
    match link {
        Some(link) => link.next().await,
        None => std::future::pending().await,
    }
}

/// At this time; never where there is none.
async fn at(when: Option<Instant>) {
    match when {
        Some(when) => sleep_until(when).await,
        None => std::future::pending().await,
    }
}
