//! Session id to running session: made on first use, let go when idle.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::OnceLock;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::OnceCell;
use tokio::sync::Semaphore;
use vyre_proto::cursor::Cursor;
use vyre_proto::ids::Author;
use vyre_proto::ids::LogId;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::ByeReason;
use vyre_proto::tick::Tick;

use crate::clock::Clock;
use crate::rules::caller::Person;
use crate::rules::caller::Roles;
use crate::rules::caller::TokenId;
use crate::rules::reader::Bounds;
use crate::rules::readmarks::Landmarks;
use crate::rules::readmarks::Mark;
use crate::rules::retention::RETAIN;
use crate::rules::room::Room;
use crate::rules::viewer::Class;
use crate::session::Addressed;
use crate::session::AttachRequest;
use crate::session::Reader;
use crate::session::Right;
use crate::session::SessionError;
use crate::session::Stay;
use crate::session::bell::Bell;
use crate::session::drawn::Drawers;
use crate::session::history::AT_ONCE;
use crate::session::load;
use crate::session::once::Calls;
use crate::session::people::People;
use crate::session::state::State;
use crate::store::Batch;
use crate::store::CommitSeq;
use crate::store::Committed;
use crate::store::Durable;
use crate::store::NotDurable;
use crate::store::Source;
use crate::store::Store;
use crate::store::StoreError;
use crate::store::tables::SessionRow;

/// One running session.
pub(crate) struct Running {
    pub(crate) id: SessionId,
    state: Mutex<State>,
    /// What its readers wait on.
    pub(crate) bell: Bell,
    pub(crate) store: Store,
    pub(crate) people: Arc<People>,
    pub(crate) drawers: Drawers,
    /// One at a time takes from it what is old.
    pub(crate) expiring: tokio::sync::Mutex<()>,
    /// Somebody is to be told that it has moved.
    pub(crate) stirred: AtomicBool,
    backlog: Arc<Backlog>,
    queued: AtomicBool,
}

/// Bytes logged and not yet on disk, of all sessions together.
#[derive(Debug, Default)]
pub(crate) struct Backlog {
    bytes: AtomicU64,
    pub(crate) shrunk: Notify,
}

impl Backlog {
    pub(crate) fn add(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }
    fn written(&self, bytes: u64) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.shrunk.notify_waiters();
    }
}

impl Running {
    pub(crate) fn new(id: SessionId, state: State, store: Store, people: Arc<People>) -> Arc<Self> {
        let backlog = state.backlog.clone();
        let bell = Bell::new(state.log.head());
        let (stirred, queued) = (AtomicBool::new(false), AtomicBool::new(false));
        let (state, drawers) = (Mutex::new(state), Drawers::default());
        let expiring = tokio::sync::Mutex::default();
        Arc::new(Self { id, state, bell, store, people, drawers, expiring, stirred, backlog, queued })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        // A panic under the lock is a bug; what the lock guards is still whole between two appends.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells readers of the head, and people who read another session.
    pub(crate) fn show(self: &Arc<Self>, head: Cursor) {
        if self.bell.show(head) {
            self.people.stir(self);
        }
    }

    /// Makes every reader look.
    pub(crate) fn poke(&self) {
        self.bell.poke();
    }
}

/// Bytes of a batch that count as backlog.
fn weight(batch: &Batch) -> u64 {
    let chunks = batch.frames.as_slice().iter().chain(batch.events.as_slice());
    chunks.map(|c| c.records().len() as u64).sum()
}

impl Source for Running {
    fn queued(&self) -> &AtomicBool {
        &self.queued
    }

    fn take(&self) -> Option<Batch> {
        let mut state = self.lock();
        // Under the lock: whoever appends after this marks again.
        self.queued.store(false, Ordering::SeqCst);
        let batch = state.take(&self.id);
        drop(state);
        if let Some(b) = &batch {
            self.backlog.written(weight(b));
        }
        batch
    }

    fn raise_floor(&self, floor: Cursor) {
        self.lock().log.raise_floor(floor);
    }

    fn committed(&self, done: Committed) {
        self.lock().committed(done);
    }
}

/// One session. Cheap to clone; while one exists the session keeps running.
#[derive(Clone)]
pub struct Session(pub(crate) Arc<Running>);

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Session({})", self.0.id)
    }
}

impl Session {
    /// Its id.
    pub fn id(&self) -> &SessionId {
        &self.0.id
    }

    /// Where its log stands now.
    pub fn bounds(&self) -> Bounds {
        self.0.lock().bounds()
    }

    /// Whether this author takes part in it.
    pub fn has_participant(&self, who: &Author) -> bool {
        self.0.lock().has_participant(who)
    }

    /// What it is now. A copy: what is to be done by it is done by [`Sessions::act`].
    pub fn room(&self) -> Room {
        self.0.lock().room.clone()
    }

    /// What this author has begun and not ended: its messages, each with its turn, and its turns.
    pub fn left_open(&self, of: &Author) -> (Vec<(String, String)>, Vec<String>) {
        let state = self.0.lock();
        let messages = state.adapter.open_messages();
        let messages = messages.iter().filter(|m| m.author == of.as_str());
        let messages = messages.map(|m| (m.message.to_owned(), m.turn.to_owned())).collect();
        let turns = state.adapter.open_turns().filter(|(who, _)| *who == of.as_str());
        (messages, turns.map(|(_, turn)| turn.to_owned()).collect())
    }

    /// Its header facts.
    pub fn info(&self) -> pb::SessionInfo {
        self.0.lock().info(&self.0.id)
    }

    /// Its header facts as somebody who takes part sees them, with their read mark. `None` for whoever does not.
    pub(crate) fn info_for(&self, who: &Author, mark: Option<&Mark>) -> Option<pb::SessionInfo> {
        let state = self.0.lock();
        let mut info = state.has_participant(who).then(|| state.info(&self.0.id))?;
        reading(&mut info, who, mark, &state.room, &state.landmarks, state.log.id());
        Some(info)
    }

    /// This person's time in it, if they are in it now.
    pub fn stay_of(&self, who: &Person) -> Option<Stay> {
        self.0.lock().stay_of(who)
    }

    /// Attaches a reader of the box's own, on nobody's right.
    pub fn attach(&self, request: AttachRequest) -> Reader {
        Reader::new(self.clone(), request, None)
    }

    /// Attaches a reader on the right of somebody who takes part. It ends with `bye {denied}` when they go, and gets
    /// nothing where they went before this call.
    pub fn attach_for(&self, request: AttachRequest, right: Right) -> Reader {
        Reader::new(self.clone(), request, Some(right))
    }

    /// What somebody on this right may see of it.
    pub fn class_of(&self, right: &Right) -> Class {
        self.0.lock().class_of(&right.stay, right.roles.clone())
    }

    /// This person is cleared for these from now on: their open streams begin again from the floor under the new view,
    /// everybody else's go on. Where nothing is new, nothing happens.
    pub fn regrant(&self, who: &Person, roles: &Roles) {
        if self.0.lock().attaches.regrant(who, roles) {
            self.0.poke();
        }
    }

    /// How often a frame of it was drawn for a class of viewers, since it runs.
    pub fn renders(&self) -> u64 {
        self.0.drawers.renders()
    }
}

/// How long a reply that a restart left open waits for whoever wrote it.
const RESUME_WAIT: Duration = Duration::from_secs(60);

type Slot = Arc<OnceCell<Session>>;

pub(crate) struct Inner {
    pub(crate) store: Store,
    pub(crate) clock: Clock,
    pub(crate) backlog: Arc<Backlog>,
    pub(crate) addressed: OnceLock<Arc<dyn Addressed>>,
    pub(crate) calls: Calls,
    pub(crate) people: Arc<People>,
    /// Pages of history that may be made at once.
    pub(crate) histories: Semaphore,
    /// Tells this run of the box from all others.
    pub(crate) run: u64,
    /// When it began.
    pub(crate) started: Tick,
    resume_wait: OnceLock<Duration>,
    retain: OnceLock<Option<Duration>>,
    map: Mutex<Map>,
}

#[derive(Default)]
struct Map {
    slots: HashMap<SessionId, Slot>,
    /// Sessions that were let go, and when their last word is on disk: nobody reads the row before.
    leaving: HashMap<SessionId, CommitSeq>,
    stopped: bool,
}

impl Inner {
    /// How long a reply that a restart left open waits for whoever wrote it, from the start of the box.
    pub(crate) fn resume_wait(&self) -> Duration {
        self.resume_wait.get().copied().unwrap_or(RESUME_WAIT)
    }

    /// How long words are kept. `None`: for good.
    pub(crate) fn retain(&self) -> Option<Duration> {
        self.retain.get().copied().unwrap_or(Some(RETAIN))
    }
}

/// All sessions of this box. Cheap to clone.
#[derive(Clone)]
pub struct Sessions(pub(crate) Arc<Inner>);

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sessions")
    }
}

impl Sessions {
    /// Runs the sessions of a store.
    pub fn new(store: Store, clock: Clock) -> Sessions {
        let (backlog, addressed, map) = (Arc::default(), OnceLock::new(), Mutex::default());
        let (run, started, resume_wait) = (u64::from_le_bytes(clock.random()), clock.tick(), OnceLock::new());
        Sessions(Arc::new(Inner {
            store,
            clock,
            backlog,
            addressed,
            calls: Calls::default(),
            people: Arc::default(),
            histories: Semaphore::new(AT_ONCE),
            run,
            started,
            resume_wait,
            retain: OnceLock::new(),
            map,
        }))
    }

    /// This person is cleared for these in this session from now on; in every running one where none is named. See
    /// [`Session::regrant`].
    pub fn regrant(&self, session: Option<&SessionId>, who: &Person, roles: &Roles) {
        for running in self.running().iter().filter(|s| session.is_none_or(|id| s.id() == id)) {
            running.regrant(who, roles);
        }
    }

    /// Says how long a reply that a restart left open waits for whoever wrote it. The first word counts; without one it
    /// is a minute.
    pub fn resume_within(&self, wait: Duration) {
        // Whoever puts a box together says it once.
        let _ = self.0.resume_wait.set(wait);
    }

    /// Says how long words are kept; `None`: for good. The first word counts; without one it is a day.
    pub fn retain_for(&self, retain: Option<Duration>) {
        // Whoever puts a box together says it once.
        let _ = self.0.retain.set(retain);
    }

    fn map(&self) -> MutexGuard<'_, Map> {
        self.0.map.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session of this name. Does not create one.
    pub async fn get(&self, id: &SessionId) -> Result<Session, SessionError> {
        self.get_or(id, false).await
    }

    /// The session of this name, if it runs: what [`Sessions::get_or`] finds without making anything.
    pub(crate) fn running_here(&self, id: &str) -> Option<Session> {
        let map = self.map();
        if map.stopped { None } else { map.slots.get(id)?.get().cloned() }
    }

    /// The session of this name; `create` makes it where there is none.
    pub(crate) async fn get_or(&self, id: &SessionId, create: bool) -> Result<Session, SessionError> {
        let (slot, leaving) = {
            let mut map = self.map();
            if map.stopped {
                return Err(SessionError::Unavailable { reason: "it is stopping".into() });
            }
            let slot = map.slots.entry(id.clone()).or_default().clone();
            if let Some(session) = slot.get() {
                return Ok(session.clone());
            }
            (slot, map.leaving.get(id).copied())
        };
        let asking = Asking { sessions: self, id, slot };
        let got = asking.slot.get_or_try_init(|| self.load(id, leaving, create)).await.cloned();
        if got.is_ok() {
            self.map().leaving.remove(id);
        }
        got
    }

    /// Names that are held.
    #[cfg(test)]
    pub(crate) fn slots(&self) -> usize {
        self.map().slots.len()
    }

    async fn load(&self, id: &SessionId, leaving: Option<CommitSeq>, create: bool) -> Result<Session, SessionError> {
        let gone = |reason: String| SessionError::Unavailable { reason };
        if let Some(seq) = leaving {
            self.durable().wait(seq).await.map_err(|e| gone(e.to_string()))?;
        }
        let (inner, id) = (self.0.clone(), id.clone());
        let loaded = tokio::task::spawn_blocking(move || load::load(&inner, &id, create)).await;
        match loaded {
            Ok(Ok(Some(session))) => {
                self.give_up(&session).await;
                // Nobody reads it before what is old is gone.
                if let Err(error) = self.expire(&session).await {
                    // Readers go on where the disk does not.
                    tracing::warn!(session = %session.id(), %error, "what is old could not be emptied yet");
                }
                Ok(session)
            }
            Ok(Ok(None)) => Err(SessionError::NotFound),
            Ok(Err(e)) => Err(gone(e.to_string())),
            Err(_) => Err(gone("opening it failed; the log says why".into())),
        }
    }

    /// The session of this name, if it runs now.
    pub(crate) fn running_one(&self, id: &SessionId) -> Option<Session> {
        self.map().slots.get(id).and_then(|s| s.get().cloned())
    }

    /// Whoever reads by this token is to go: it was taken back.
    pub fn sign_out(&self, id: TokenId) {
        for session in self.running() {
            if session.0.lock().attaches.end_by_token(id) {
                session.0.poke();
            }
        }
    }

    /// Every session that runs now.
    pub(crate) fn running(&self) -> Vec<Session> {
        self.map().slots.values().filter_map(|s| s.get().cloned()).collect()
    }

    /// The sessions in which this author takes part, newest change first.
    pub async fn list(&self, who: &Author) -> Result<Vec<pb::SessionInfo>, SessionError> {
        let (store, asked) = (self.0.store.clone(), who.clone());
        let read = tokio::task::spawn_blocking(move || Ok((store.sessions()?, store.marks_of(&asked)?))).await;
        let failed = |e: &dyn fmt::Display| SessionError::Unavailable { reason: e.to_string() };
        let (rows, marks) = read.map_err(|e| failed(&e))?.map_err(|e: StoreError| failed(&e))?;
        let running: HashMap<_, _> = self.running().into_iter().map(|s| (s.id().clone(), s)).collect();
        let info = |(id, row): &(SessionId, SessionRow)| {
            let mark = marks.get(id);
            match running.get(id) {
                Some(session) => session.info_for(who, mark),
                None => info_of_row(id, row, who, mark),
            }
        };
        let mut all: Vec<_> = rows.iter().filter_map(info).collect();
        all.sort_by(|a, b| b.changed.cmp(&a.changed).then_with(|| a.session.cmp(&b.session)));
        Ok(all)
    }

    /// Waits until `seq` is durable and asks the writer not to wait for more. For somebody who does nothing else meanwhile.
    /// Cancel-safe.
    pub async fn wait_durable(&self, seq: CommitSeq) -> Result<(), NotDurable> {
        self.0.store.hurry(seq);
        self.durable().wait_or_fail(seq).await
    }

    /// The session's header facts as this person sees them. `None`: they take no part.
    pub async fn info_for(&self, session: &Session, who: &Author) -> Result<Option<pb::SessionInfo>, SessionError> {
        let (store, id, people) = (self.0.store.clone(), session.id().clone(), [who.clone()]);
        let read = tokio::task::spawn_blocking(move || store.marks_in(&id, &people)).await;
        let failed = |e: &dyn fmt::Display| SessionError::Unavailable { reason: e.to_string() };
        let marks = read.map_err(|e| failed(&e))?.map_err(|e| failed(&e))?;
        Ok(session.info_for(who, marks.into_iter().flatten().next().as_ref()))
    }

    /// Follows what is durable.
    pub fn durable(&self) -> Durable {
        self.0.store.durable()
    }

    /// Lets a session go that nobody holds. Its last word gives the lease back, so that nothing counts as lost.
    pub(crate) fn let_go(&self, id: &SessionId) {
        let mut map = self.map();
        let Some(slot) = map.slots.get(id) else { return };
        let Some(session) = slot.get() else { return };
        // One holder is the slot; whoever asks for it needs the map.
        if Arc::strong_count(slot) > 1 || Arc::strong_count(&session.0) > 1 {
            return;
        }
        session.0.lock().stopping = true;
        let seq = self.0.store.mark(&session.0);
        map.slots.remove(id);
        map.leaving.insert(id.clone(), seq);
        // Places that are on disk need no note any more.
        let reached = self.0.store.durable().reached();
        map.leaving.retain(|_, s| *s > reached);
    }

    /// Ends every reader with `bye {restart}` and flushes the log. After it nothing is accepted.
    pub async fn shutdown(&self) {
        let running = {
            let mut map = self.map();
            map.stopped = true;
            map.slots.values().filter_map(|s| s.get().cloned()).collect::<Vec<_>>()
        };
        let mut last = self.0.store.issued();
        for session in &running {
            {
                let mut state = session.0.lock();
                state.stopping = true;
                state.attaches.end_all(ByeReason::Restart);
            }
            session.0.poke();
            last = self.0.store.mark(&session.0);
        }
        // A disk that does not take it is reported by the writer; waiting on would only hide that.
        let _ = self.durable().wait_or_fail(last).await;
    }
}

/// Somebody who asks for a session that may not be there.
///
/// Unknown names leave nothing behind, however the asking ends. But the last who asks clears up, and nobody before: one
/// who was told that there is none must not take the slot away from another who is making it there, or the session would
/// be made twice.
struct Asking<'a> {
    sessions: &'a Sessions,
    id: &'a SessionId,
    slot: Slot,
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if self.slot.get().is_some() {
            return;
        }
        let mut map = self.sessions.map();
        // One holder is this, one is the map; whoever else wants to hold it needs the map.
        let last = Arc::strong_count(&self.slot) == 2;
        if last && map.slots.get(self.id).is_some_and(|s| Arc::ptr_eq(s, &self.slot)) && self.slot.get().is_none() {
            map.slots.remove(self.id);
        }
    }
}

/// Puts in what is unread for somebody, and how far they have read.
fn reading(
    info: &mut pb::SessionInfo,
    who: &Author,
    mark: Option<&Mark>,
    room: &Room,
    landmarks: &Landmarks,
    log: LogId,
) {
    info.unread = landmarks.unread(who, &room.stays(who), mark, log);
    if let Some(mark) = mark {
        info.read_upto = mark.message.to_string();
        info.read_cur = mark.place(log, landmarks).get();
    }
}

/// Header facts of a session that does not run, as somebody who takes part sees them. `None` for whoever does not.
fn info_of_row(id: &SessionId, row: &SessionRow, who: &Author, mark: Option<&Mark>) -> Option<pb::SessionInfo> {
    if !row.participants.iter().any(|p| p == who.as_str()) {
        return None;
    }
    // One that cannot be read is learned again when the session is opened.
    let room = Room::decode(&row.room).unwrap_or_default();
    let mut info = pb::SessionInfo {
        session: id.as_str().to_owned(),
        title: row.title.clone(),
        folder: row.folder.clone(),
        head: row.leased.max(row.head),
        floor: row.floor,
        log: row.mark().map(|m| m.id.to_string()).unwrap_or_default(),
        participants: row.participants.clone(),
        changed: row.changed,
        group: row.group,
        assistant: row.assistant.clone(),
        assigned: room.assigned().map(Author::to_string).unwrap_or_default(),
        ..Default::default()
    };
    // Without a log every mark is of another one.
    let log = row.mark().map_or(LogId([0; 16]), |m| m.id);
    reading(&mut info, who, mark, &room, &Landmarks::decode(&row.landmarks), log);
    Some(info)
}
