//! The writer: one thread that takes what waits, writes it in one transaction, and moves the durable mark.
//!
//! Whoever has something to write calls [`Store::mark`] and gets a place in the order of commits. The thread takes
//! everything that waits, however many sources there are, so that the cost of a sync is shared. A write that fails is
//! tried again, the same batch, until it succeeds: what was taken from a source is never dropped, and nothing passes it.
//! Meanwhile the durable mark says what is wrong, and publishers are refused by name.

use std::collections::HashMap;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Duration;
use std::time::Instant;

use prost::Message;
use redb::Durability;
use redb::ReadableTable;
use redb::WriteTransaction;
use tokio::sync::watch;
use vyre_proto::cursor::Cursor;
use vyre_proto::ids::SessionId;
use vyre_proto::tick::Wall;

use crate::store::Store;
use crate::store::StoreError;
use crate::store::chunk;
use crate::store::chunk::Chunks;
use crate::store::chunk::Place;
use crate::store::chunk::When;
use crate::store::database;
use crate::store::database::Shared;
use crate::store::fade;
use crate::store::fade::Fade;
use crate::store::keys::KeyNumber;
use crate::store::once;
use crate::store::once::OnceRow;
use crate::store::read::adapter_place;
use crate::store::tables;
use crate::store::tables::SessionRow;

/// After a commit the next one waits at least this long. A commit costs the same whether it carries one event or a
/// hundred: what comes at 1,000 a second would otherwise keep the writer busy without an end, beside the readers that
/// wait for the processor.
const PAUSE_STEP: Duration = Duration::from_millis(4);

/// And so long where more keeps coming: then nobody stands still until it is on disk, for whoever did would send no more.
/// It is what a crash may take of what was shown and not acknowledged.
const PAUSE_MAX: Duration = Duration::from_millis(40);

/// How much the writer yields to the threads that serve readers, as `nice` counts it. Its work is one thread's, and late
/// by little.
const NICE: i32 = 10;

/// Whoever waits for the disk is told after this long that it does not answer. What was logged stays, and is written
/// when it does.
pub const STALL: Duration = Duration::from_secs(10);

/// A failed write is tried again after this, doubled each time up to [`RETRY_MAX`].
const RETRY_MIN: Duration = Duration::from_millis(50);
const RETRY_MAX: Duration = Duration::from_secs(2);

/// What one source has to write.
#[derive(Debug)]
pub struct Batch {
    /// The session.
    pub id: SessionId,
    /// Its row after this batch. `number` 0: the session is new and gets its number here.
    pub row: SessionRow,
    /// New frames, by cursor.
    pub frames: Chunks,
    /// New events, by number from 1.
    pub events: Chunks,
    /// Hashes of the new events' ids, 16 bytes each.
    pub ids: Vec<u8>,
    /// Calls that are made once and made these events.
    pub once: Vec<OnceRow>,
    /// Chunks of frames that an unfinished seed left are to be removed first.
    pub clear_frames: bool,
    /// What is old is written without its content.
    pub fade: Option<Fade>,
}

/// What became of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Committed {
    /// The session's number.
    pub number: u64,
    /// Bytes of its frames on disk now.
    pub bytes: u64,
    /// How many they are.
    pub frames: u64,
}

/// Something that has something to write.
pub trait Source: Send + Sync {
    /// Whether it stands in the queue. Owned by the writer.
    fn queued(&self) -> &AtomicBool;

    /// Everything that waits here. `None`: nothing.
    fn take(&self) -> Option<Batch>;

    /// The log's floor is about to rise: what is below may be gone from now on.
    fn raise_floor(&self, floor: Cursor);

    /// The batch that was taken last is durable.
    fn committed(&self, done: Committed);
}

/// A place in the order of commits: durable once [`Durable`] has reached it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct CommitSeq(pub u64);

/// Why what was logged is not durable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotDurable {
    /// The disk refuses. The box tries again by itself.
    #[error("the disk does not take it: {reason}")]
    Failing {
        /// What the system says.
        reason: Arc<str>,
    },
    /// The disk does not answer.
    #[error("the disk has not answered for {} s", STALL.as_secs())]
    Stalled,
    /// The store was closed first.
    #[error("the box is stopping")]
    Closed,
}

#[derive(Debug, Clone, Default)]
struct Progress {
    reached: CommitSeq,
    failing: Option<Arc<str>>,
    closed: bool,
}

/// Follows what is durable.
#[derive(Debug, Clone)]
pub struct Durable(watch::Receiver<Progress>);

impl Durable {
    /// Durable up to here.
    pub fn reached(&self) -> CommitSeq {
        self.0.borrow().reached
    }

    /// Why nothing becomes durable now, if that is so.
    pub fn failing(&self) -> Option<Arc<str>> {
        self.0.borrow().failing.clone()
    }

    /// Nothing more becomes durable: the store is closed.
    pub fn is_closed(&self) -> bool {
        self.0.borrow().closed
    }

    /// Waits until something has changed since the last time, and gives itself back: so a loop can keep the wait from
    /// turn to turn. Ends at once, each time, when the store is closed. Cancel-safe.
    pub async fn moved(mut self) -> Durable {
        // An error is the end of the writer, which says so first.
        let _ = self.0.changed().await;
        self
    }

    /// Waits until `seq` is durable, also through failures that pass. Fails when the store is closed first. Cancel-safe.
    pub async fn wait(&mut self, seq: CommitSeq) -> Result<(), NotDurable> {
        let reached = self.0.wait_for(|p| p.reached >= seq || p.closed).await;
        match reached {
            Ok(p) if p.reached >= seq => Ok(()),
            _ => Err(NotDurable::Closed),
        }
    }

    /// Waits until `seq` is durable, the disk refuses, or it has not answered for [`STALL`]. Cancel-safe.
    pub async fn wait_or_fail(&mut self, seq: CommitSeq) -> Result<(), NotDurable> {
        let reached = self.0.wait_for(|p| p.reached >= seq || p.closed || p.failing.is_some());
        match tokio::time::timeout(STALL, reached).await {
            Ok(Ok(p)) if p.reached >= seq => Ok(()),
            Ok(Ok(p)) => Err(p.failing.clone().map_or(NotDurable::Closed, |reason| NotDurable::Failing { reason })),
            Ok(Err(_)) => Err(NotDurable::Closed),
            Err(_) => Err(NotDurable::Stalled),
        }
    }
}

struct Queue {
    waiting: Vec<Arc<dyn Source>>,
    issued: CommitSeq,
    /// Somebody stands still until this is durable.
    hurried: CommitSeq,
    stop: bool,
    /// The writer waits for work. Else it looks by itself, and is not woken for each event.
    idle: bool,
}

pub(crate) struct Committer {
    queue: Arc<(Mutex<Queue>, Condvar)>,
    progress: watch::Receiver<Progress>,
    /// The same for those who block.
    done: Arc<(Mutex<Progress>, Condvar)>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl fmt::Debug for Committer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Committer").finish_non_exhaustive()
    }
}

impl Store {
    /// `source` has something to write. Gives the place at which what waits in it now is durable.
    pub fn mark(&self, source: &Arc<impl Source + 'static>) -> CommitSeq {
        let (queue, wake) = &*self.committer.queue;
        let mut q = lock(queue);
        q.issued.0 += 1;
        if !source.queued().swap(true, Ordering::SeqCst) {
            q.waiting.push(source.clone());
        }
        if std::mem::take(&mut q.idle) {
            wake.notify_one();
        }
        q.issued
    }

    /// Somebody does nothing else until `seq` is durable: what else is coming is not waited for.
    pub fn hurry(&self, seq: CommitSeq) {
        let mut q = lock(&self.committer.queue.0);
        q.hurried = q.hurried.max(seq);
    }

    /// The place at which everything that was marked so far is durable.
    pub fn issued(&self) -> CommitSeq {
        lock(&self.committer.queue.0).issued
    }

    /// Waits until `seq` is durable, the disk refuses, or the store is closed. Blocks.
    pub fn wait_durable(&self, seq: CommitSeq) -> Result<(), StoreError> {
        self.hurry(seq);
        let (_, wake) = &*self.committer.done;
        let mut done = lock(&self.committer.done.0);
        loop {
            if done.reached >= seq {
                return Ok(());
            }
            if done.failing.is_some() || done.closed {
                return Err(StoreError::Closed);
            }
            done = wake.wait(done).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Why nothing becomes durable now, if that is so.
    pub fn failing(&self) -> Option<Arc<str>> {
        self.committer.progress.borrow().failing.clone()
    }

    /// Follows what is durable.
    pub fn durable(&self) -> Durable {
        Durable(self.committer.progress.clone())
    }
}

fn lock<T>(m: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Committer {
    pub(crate) fn start(shared: Arc<Shared>) -> Result<Self, StoreError> {
        let queue =
            Queue { waiting: Vec::new(), issued: CommitSeq(0), hurried: CommitSeq(0), stop: false, idle: false };
        let queue = Arc::new((Mutex::new(queue), Condvar::new()));
        let (publish, progress) = watch::channel(Progress::default());
        let done = Arc::new((Mutex::new(Progress::default()), Condvar::new()));
        let work = Writer { shared, queue: queue.clone(), publish, done: done.clone() };
        let thread = database::spawn("vyre-commit", move || work.run())?;
        Ok(Self { queue, progress, done, thread: Mutex::new(Some(thread)) })
    }

    /// Writes what waits, then ends the thread. Blocks.
    pub(crate) fn stop(&self) {
        lock(&self.queue.0).stop = true;
        self.queue.1.notify_one();
        // The last holder of the store may be a session that the writer itself lets go of: then it ends on its own.
        let writer = lock(&self.thread).take();
        if let Some(thread) = writer.filter(|t| t.thread().id() != std::thread::current().id()) {
            // The thread reports its own failures; a panic of it was printed.
            let _ = thread.join();
        }
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        self.stop();
    }
}

struct Writer {
    shared: Arc<Shared>,
    queue: Arc<(Mutex<Queue>, Condvar)>,
    publish: watch::Sender<Progress>,
    done: Arc<(Mutex<Progress>, Condvar)>,
}

impl Writer {
    fn tell(&self, change: impl FnOnce(&mut Progress)) {
        self.publish.send_modify(change);
        *lock(&self.done.0) = self.publish.borrow().clone();
        self.done.1.notify_all();
    }

    fn run(self) {
        // Of this thread alone, as Linux has it. Where it is refused the writer only competes.
        let _ = rustix::process::setpriority_process(None, NICE);
        while let Some((sources, seq)) = self.next() {
            let taken: Vec<_> = sources.iter().filter_map(|s| s.take().map(|b| (s, b))).collect();
            if !taken.is_empty() && !self.write_until_durable(&taken) {
                break;
            }
            self.tell(|p| (p.reached, p.failing) = (seq, None));
            if !taken.is_empty() {
                self.pause();
            }
        }
        self.tell(|p| p.closed = true);
    }

    /// Waits for work. `None`: stopped, and nothing is left.
    fn next(&self) -> Option<(Vec<Arc<dyn Source>>, CommitSeq)> {
        let (queue, wake) = &*self.queue;
        let mut q = lock(queue);
        loop {
            // A mark whose data was taken along by the commit before is durable already: its place is reported at once.
            if !q.waiting.is_empty() || q.issued > self.publish.borrow().reached {
                return Some((std::mem::take(&mut q.waiting), q.issued));
            }
            if q.stop {
                return None;
            }
            q.idle = true;
            q = wake.wait(q).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Does nothing for this long, unless the box is stopping.
    fn rest(&self, time: Duration) {
        let (queue, wake) = &*self.queue;
        let until = Instant::now() + time;
        let mut q = lock(queue);
        while !q.stop {
            let Some(left) = until.checked_duration_since(Instant::now()).filter(|d| !d.is_zero()) else { return };
            q = wake.wait_timeout(q, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Leaves the processor to others while more comes, unless the box is stopping or somebody hurries.
    fn pause(&self) {
        let (queue, _) = &*self.queue;
        let began = Instant::now();
        let mut issued = lock(queue).issued;
        loop {
            self.rest(PAUSE_STEP);
            let q = lock(queue);
            let hurried = q.hurried > self.publish.borrow().reached;
            if q.stop || hurried || q.issued == issued || began.elapsed() >= PAUSE_MAX {
                return;
            }
            issued = q.issued;
        }
    }

    /// Writes the batches, again and again. False: the box is stopping and the disk does not take them.
    fn write_until_durable(&self, taken: &[(&Arc<dyn Source>, Batch)]) -> bool {
        let mut delay = RETRY_MIN;
        loop {
            // A damaged file may make the database panic: an error like any other, and no reason for the writer to be gone.
            let written = std::panic::catch_unwind(AssertUnwindSafe(|| write(&self.shared, taken)));
            let error = match written.unwrap_or_else(|_| Err(self.shared.contradicts())) {
                Ok(done) => {
                    for ((source, _), done) in taken.iter().zip(done) {
                        source.committed(done);
                    }
                    return true;
                }
                Err(e) => e,
            };
            tracing::error!(%error, "a commit failed; it will be tried again");
            let reason: Arc<str> = error.to_string().into();
            self.tell(|p| p.failing = Some(reason));
            if lock(&self.queue.0).stop {
                return false;
            }
            self.rest(delay);
            delay = (delay * 2).min(RETRY_MAX);
            if let Err(error) = self.shared.reopen() {
                tracing::error!(%error, "the store could not be opened again yet");
            }
        }
    }
}

/// Every transaction is on disk when its commit returns, and the next opening needs no repair that reads everything.
pub(crate) fn harden(txn: &mut WriteTransaction) -> Result<(), StoreError> {
    txn.set_durability(Durability::Immediate)?;
    txn.set_quick_repair(true);
    Ok(())
}

fn write(shared: &Shared, taken: &[(&Arc<dyn Source>, Batch)]) -> Result<Vec<Committed>, StoreError> {
    let db = shared.db()?;
    let now = When { logged: shared.clock.wall(), aged: shared.now() };
    let mut txn = db.begin_write()?;
    harden(&mut txn)?;
    let mut done = Vec::with_capacity(taken.len());
    {
        let mut rows = txn.open_table(tables::SESSIONS)?;
        let mut frames = txn.open_table(tables::FRAMES)?;
        let mut events = txn.open_table(tables::EVENTS)?;
        let mut ids = txn.open_table(tables::EVENT_IDS)?;
        let mut numbers = NewNumbers::default();
        for (source, batch) in taken {
            let mut row = batch.row.clone();
            if row.number == 0 {
                row.number = numbers.next(&txn, &rows, &batch.id)?;
            }
            fade::write(&txn, batch, &mut row, &mut frames, &mut events)?;
            if batch.clear_frames {
                frames.retain_in((row.number, 0)..=(row.number, u64::MAX), |_, _| false)?;
                (row.bytes, row.frames) = (0, 0);
            }
            for c in batch.frames.as_slice() {
                let place = Place { session: row.number, last: c.last(), events: false };
                let chunk = c.row(place, now, &shared.keys)?;
                frames.insert((row.number, c.last()), chunk.as_slice())?;
                row.bytes += chunk.len() as u64;
                row.frames += u64::from(c.count());
                row.changed = now.logged.0;
            }
            for c in batch.events.as_slice() {
                let place = Place { session: row.number, last: c.last(), events: true };
                events.insert((row.number, c.last()), c.row(place, now, &shared.keys)?.as_slice())?;
            }
            if let (false, Some(last)) = (batch.ids.is_empty(), batch.events.as_slice().last()) {
                ids.insert((row.number, last.last()), batch.ids.as_slice())?;
            }
            once::write(&txn, &batch.once)?;
            trim(shared, source, &mut row, &mut frames)?;
            done.push(Committed { number: row.number, bytes: row.bytes, frames: row.frames });
            seal_adapter(shared, now.aged, &mut row)?;
            rows.insert(batch.id.as_str(), row.encode_to_vec().as_slice())?;
        }
        numbers.write(&txn)?;
    }
    let age = shared.age_to_store();
    if let Some(at) = age {
        txn.open_table(tables::META)?.insert("age", &at.0.to_le_bytes()[..])?;
    }
    txn.commit()?;
    if let Some(at) = age {
        shared.age_stored(at);
    }
    Ok(done)
}

/// Words that the adapter holds are not written in the clear.
fn seal_adapter(shared: &Shared, now: Wall, row: &mut SessionRow) -> Result<(), StoreError> {
    if !std::mem::take(&mut row.adapter_fades) {
        return Ok(());
    }
    let key = KeyNumber::at(now);
    let mut sealed = key.0.to_le_bytes().to_vec();
    let from = sealed.len();
    sealed.extend_from_slice(&row.adapter);
    if shared.keys.seal(key, &adapter_place(row.number), &mut sealed, from)? {
        row.adapter.clear();
        row.sealed = sealed;
    }
    Ok(())
}

/// Writes a place of the age clock down.
pub(crate) fn store_age(db: &redb::Database, at: Wall) -> Result<(), StoreError> {
    let mut txn = db.begin_write()?;
    harden(&mut txn)?;
    txn.open_table(tables::META)?.insert("age", &at.0.to_le_bytes()[..])?;
    Ok(txn.commit()?)
}

/// Lets go of the oldest chunks of a log that is over its bounds.
fn trim(
    shared: &Shared,
    source: &Arc<dyn Source>,
    row: &mut SessionRow,
    frames: &mut redb::Table<(u64, u64), &[u8]>,
) -> Result<(), StoreError> {
    let limits = shared.limits;
    if row.frames <= limits.log_frames && row.bytes <= limits.log_bytes {
        return Ok(());
    }
    // A tenth more than needed, so that it is not done at each commit.
    let (frames_goal, bytes_goal) =
        (limits.log_frames - limits.log_frames / 10, limits.log_bytes - limits.log_bytes / 10);
    let mut gone = Vec::new();
    for entry in frames.range((row.number, 0)..=(row.number, u64::MAX))? {
        let (key, value) = entry?;
        let last = key.value().1;
        let enough = row.frames <= frames_goal && row.bytes <= bytes_goal;
        if enough || last >= row.head {
            break;
        }
        row.bytes = row.bytes.saturating_sub(value.value().len() as u64);
        row.frames = row.frames.saturating_sub(chunk::count(value.value()));
        row.floor = last + 1;
        gone.push(last);
    }
    // Before the chunks can be missed: whoever misses one asks for the floor again.
    if let Some(floor) = Cursor::new(row.floor) {
        source.raise_floor(floor);
    }
    for last in gone {
        frames.remove((row.number, last))?;
    }
    Ok(())
}

/// Numbers for new sessions. A session that a failed commit left with a number keeps it.
#[derive(Default)]
struct NewNumbers {
    next: Option<u64>,
    given: HashMap<SessionId, u64>,
}

impl NewNumbers {
    fn next(
        &mut self,
        txn: &WriteTransaction,
        rows: &impl ReadableTable<&'static str, &'static [u8]>,
        id: &SessionId,
    ) -> Result<u64, StoreError> {
        if let Some(old) = rows.get(id.as_str())?
            && let Ok(row) = SessionRow::decode(old.value())
        {
            return Ok(row.number);
        }
        let next = match self.next {
            Some(n) => n,
            None => {
                let meta = txn.open_table(tables::META)?;
                let stored = meta.get("next")?;
                stored.and_then(|v| v.value().try_into().ok().map(u64::from_le_bytes)).unwrap_or(1)
            }
        };
        self.next = Some(next + 1);
        self.given.insert(id.clone(), next);
        Ok(next)
    }

    fn write(&self, txn: &WriteTransaction) -> Result<(), StoreError> {
        if let Some(next) = self.next {
            txn.open_table(tables::META)?.insert("next", &next.to_le_bytes()[..])?;
        }
        Ok(())
    }
}

/// When a batch is logged, for whoever shows it.
pub fn logged_at(shared: &Store) -> Wall {
    shared.shared.clock.wall()
}
