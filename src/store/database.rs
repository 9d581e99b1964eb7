//! Opening, closing and opening again: the file, its lock and its version.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::PoisonError;
use std::sync::RwLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;

use redb::Database;
use redb::DatabaseError;
use redb::ReadableDatabase;
use redb::StorageBackend;
use redb::StorageError;
use redb::backends::FileBackend;
use vyre_proto::tick::Wall;

use crate::clock::Clock;
use crate::rules::retention::AgeClock;
use crate::store::StoreError;
use crate::store::backup;
use crate::store::commit;
use crate::store::commit::Committer;
use crate::store::keys::Keys;
use crate::store::tables;
use crate::store::tokens::Tokens;

/// Name of the file in the data folder.
const FILE: &str = "vyre.redb";

/// Most memory for pages of the file, in bytes.
const CACHE_BYTES: usize = 64 << 20;

/// The place of the age clock is written down with a commit when it has moved by so many microseconds.
const AGE_STEP: u64 = 1_000_000;

/// What the store keeps at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Frames of one session.
    pub log_frames: u64,
    /// Bytes of the frames of one session.
    pub log_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { log_frames: 500_000, log_bytes: 256 << 20 }
    }
}

/// Makes the place where the database lives. Called again when the database must be opened anew.
type Backend = dyn Fn() -> Result<Box<dyn StorageBackend>, std::io::Error> + Send + Sync;

/// The open database and how to open it again.
pub(crate) struct Shared {
    path: PathBuf,
    backend: Option<Box<Backend>>,
    db: RwLock<Option<Arc<Database>>>,
    pub(crate) limits: Limits,
    /// Key of the hash by which event ids are known.
    pub(crate) id_key: [u8; 16],
    pub(crate) tokens: Tokens,
    pub(crate) clock: Clock,
    pub(crate) keys: Keys,
    age: AgeClock,
    /// The place of the age clock that is on disk.
    aged: AtomicU64,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("path", &self.path).finish_non_exhaustive()
    }
}

/// The store of one box. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) shared: Arc<Shared>,
    pub(crate) committer: Arc<Committer>,
}

impl Store {
    /// Opens or makes the store in the folder `data`.
    pub fn open(data: &Path, clock: Clock, limits: Limits) -> Result<Store, StoreError> {
        let io = |source| StoreError::Io { path: data.to_owned(), source };
        std::fs::create_dir_all(data).map_err(io)?;
        Self::start(data.join(FILE), None, clock, limits)
    }

    /// Whether there is a store in the folder `data`.
    pub fn is_in(data: &Path) -> bool {
        data.join(FILE).is_file()
    }

    /// Opens the store in a place of the caller's: tests put a failing disk there.
    pub fn open_with(
        backend: impl Fn() -> Result<Box<dyn StorageBackend>, std::io::Error> + Send + Sync + 'static,
        clock: Clock,
        limits: Limits,
    ) -> Result<Store, StoreError> {
        Self::start(PathBuf::from(FILE), Some(Box::new(backend)), clock, limits)
    }

    fn start(path: PathBuf, backend: Option<Box<Backend>>, clock: Clock, limits: Limits) -> Result<Store, StoreError> {
        let mut db = open_database(&path, backend.as_deref())?;
        let mut facts = prepare(&db, &path, &clock)?;
        let keys = match (&backend, path.parent()) {
            (None, Some(folder)) => {
                let (keys, id) = Keys::open(folder, facts.keys, clock.clone())?;
                if facts.keys.is_none() {
                    db = backup::take_in(db, &path, id, &keys, facts.age.max(clock.wall()))?;
                    facts = prepare(&db, &path, &clock)?;
                }
                keys
            }
            _ => Keys::none(clock.clone()),
        };
        let tokens = Tokens::load(&db)?;
        let db = RwLock::new(Some(Arc::new(db)));
        let Facts { id_key, age: stored, .. } = facts;
        let (age, aged) = (age_clock(stored, &clock), AtomicU64::new(stored.0));
        let shared = Arc::new(Shared { path, backend, db, limits, id_key, tokens, clock, keys, age, aged });
        let committer = Committer::start(shared.clone())?;
        Ok(Store { shared, committer: Arc::new(committer) })
    }

    /// Writes all that waits and closes the file. Blocks. After it nothing is accepted.
    pub fn close(&self) {
        self.committer.stop();
        if let (Some(at), Ok(db)) = (self.shared.age_to_store(), self.shared.db())
            && let Err(error) = commit::store_age(&db, at)
        {
            // At the next start it is a little behind: nothing grows old too early by that.
            tracing::warn!(%error, "the place of the age clock could not be written");
        }
        self.shared.take();
    }
}

impl Shared {
    /// The open database; an error while it is being opened again.
    pub(crate) fn db(&self) -> Result<Arc<Database>, StoreError> {
        self.db.read().unwrap_or_else(PoisonError::into_inner).clone().ok_or(StoreError::Closed)
    }

    /// Does what only reads. A database that trusts what it reads may panic on a damaged file: that is an error like any
    /// other, and nothing is left half done.
    pub(crate) fn reading<T>(&self, read: impl FnOnce(&Database) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let db = self.db()?;
        std::panic::catch_unwind(AssertUnwindSafe(|| read(&db))).map_err(|_| self.contradicts())?
    }

    pub(crate) fn contradicts(&self) -> StoreError {
        let reason = "its pages contradict each other".to_owned();
        StoreError::Damaged { path: self.path.clone(), reason }
    }

    fn take(&self) -> Option<Arc<Database>> {
        self.db.write().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Now, on the clock by which things grow old.
    pub(crate) fn now(&self) -> Wall {
        self.age.now(self.clock.tick())
    }

    /// The place of that clock to write down, if it has moved enough since it was written last.
    pub(crate) fn age_to_store(&self) -> Option<Wall> {
        let now = self.now();
        (now.0 >= self.aged.load(Ordering::Relaxed).saturating_add(AGE_STEP)).then_some(now)
    }

    /// That place is on disk.
    pub(crate) fn age_stored(&self, at: Wall) {
        self.aged.fetch_max(at.0, Ordering::Relaxed);
    }

    /// Closes the database and opens it again: after a failed write nothing else brings it back.
    pub(crate) fn reopen(&self) -> Result<(), StoreError> {
        if let Some(mut old) = self.take() {
            // Readers hold it for the length of one short read.
            for _ in 0..1000 {
                match Arc::try_unwrap(old) {
                    Ok(db) => {
                        drop(db);
                        break;
                    }
                    Err(still_used) => {
                        old = still_used;
                        std::thread::sleep(std::time::Duration::from_millis(1));
                    }
                }
            }
        }
        let db = open_database(&self.path, self.backend.as_deref())?;
        *self.db.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(db));
        Ok(())
    }

    /// The file, for messages.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Starts a named thread of the store's.
pub(crate) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, StoreError> {
    std::thread::Builder::new()
        .name(name.into())
        .spawn(work)
        .map_err(|source| StoreError::Io { path: PathBuf::from(name), source })
}

pub(crate) fn open_database(path: &Path, backend: Option<&Backend>) -> Result<Database, StoreError> {
    let io = |source| StoreError::Io { path: path.to_owned(), source };
    let damaged = |reason: String| StoreError::Damaged { path: path.to_owned(), reason };
    let mut builder = Database::builder();
    builder.set_cache_size(CACHE_BYTES);
    // A database that trusts what it reads may panic on a damaged file. Nothing is written while it is being opened, so
    // nothing is left half done.
    let opened = std::panic::catch_unwind(AssertUnwindSafe(|| match backend {
        Some(make) => Ok(builder.create_with_backend(Given(make().map_err(io)?))),
        None => {
            let file = std::fs::OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
            use std::os::unix::fs::PermissionsExt;
            let file = file.map_err(io)?;
            file.set_permissions(std::fs::Permissions::from_mode(0o600)).map_err(io)?;
            match FileBackend::new(file) {
                Ok(backend) => Ok(builder.create_with_backend(backend)),
                Err(e) => Ok(Err(e)),
            }
        }
    }));
    match opened {
        Err(_) => Err(damaged("its pages contradict each other".into())),
        Ok(Err(e)) => Err(e),
        Ok(Ok(Ok(db))) => Ok(db),
        Ok(Ok(Err(DatabaseError::DatabaseAlreadyOpen))) => {
            Err(StoreError::InUse { path: path.parent().unwrap_or(path).to_owned() })
        }
        Ok(Ok(Err(DatabaseError::Storage(StorageError::Io(e))))) if e.kind() != std::io::ErrorKind::InvalidData => {
            Err(io(e))
        }
        Ok(Ok(Err(e))) => Err(damaged(e.to_string())),
    }
}

/// Nothing that was logged before stands ahead of it: the place on disk is behind the newest chunk by less than a step.
fn age_clock(stored: Wall, clock: &Clock) -> AgeClock {
    let least = if stored.0 == 0 { stored } else { Wall(stored.0.saturating_add(AGE_STEP)) };
    AgeClock::start(least, clock.wall(), clock.tick())
}

/// What a store knows of itself.
struct Facts {
    /// Key of the hash by which event ids are known.
    id_key: [u8; 16],
    /// The file of keys that belongs to it. A new store and a backup have none.
    keys: Option<[u8; 16]>,
    /// A place of the age clock.
    age: Wall,
}

/// Makes the tables of a new store, and checks the version of an old one.
fn prepare(db: &Database, path: &Path, clock: &Clock) -> Result<Facts, StoreError> {
    let damaged = |reason: &str| StoreError::Damaged { path: path.to_owned(), reason: reason.into() };
    let read = db.begin_read()?;
    match read.open_table(tables::META) {
        Ok(meta) => {
            let version = meta.get("version")?.ok_or_else(|| damaged("it says no version"))?;
            let found = version.value().try_into().map(u64::from_le_bytes).unwrap_or(0);
            if found != tables::VERSION {
                return Err(StoreError::Version { path: path.to_owned(), found, known: tables::VERSION });
            }
            let key = meta.get("key")?.ok_or_else(|| damaged("a key of it is missing"))?;
            let id_key = key.value().try_into().map_err(|_| damaged("a key of it is damaged"))?;
            let keys = match meta.get("keys")? {
                Some(id) => Some(id.value().try_into().map_err(|_| damaged("the name of its keys is damaged"))?),
                None => None,
            };
            let age = meta.get("age")?.and_then(|age| age.value().try_into().ok().map(u64::from_le_bytes));
            return Ok(Facts { id_key, keys, age: Wall(age.unwrap_or(0)) });
        }
        Err(redb::TableError::TableDoesNotExist(_)) => {}
        Err(e) => return Err(e.into()),
    }
    if read.list_tables()?.next().is_some() {
        return Err(damaged("it is some other program's database"));
    }
    drop(read);

    let id_key: [u8; 16] = clock.random();
    let mut txn = db.begin_write()?;
    commit::harden(&mut txn)?;
    {
        let mut meta = txn.open_table(tables::META)?;
        meta.insert("version", &tables::VERSION.to_le_bytes()[..])?;
        meta.insert("key", &id_key[..])?;
        meta.insert("next", &1u64.to_le_bytes()[..])?;
        txn.open_table(tables::SESSIONS)?;
        txn.open_table(tables::FRAMES)?;
        txn.open_table(tables::EVENTS)?;
        txn.open_table(tables::EVENT_IDS)?;
        txn.open_table(tables::TOKENS)?;
        txn.open_table(tables::ONCE)?;
        txn.open_table(tables::FADED)?;
    }
    txn.commit()?;
    Ok(Facts { id_key, keys: None, age: Wall(0) })
}

/// A boxed backend as a backend.
#[derive(Debug)]
struct Given(Box<dyn StorageBackend>);

impl StorageBackend for Given {
    fn len(&self) -> Result<u64, std::io::Error> {
        self.0.len()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), std::io::Error> {
        self.0.read(offset, out)
    }
    fn set_len(&self, len: u64) -> Result<(), std::io::Error> {
        self.0.set_len(len)
    }
    fn sync_data(&self) -> Result<(), std::io::Error> {
        self.0.sync_data()
    }
    fn write(&self, offset: u64, data: &[u8]) -> Result<(), std::io::Error> {
        self.0.write(offset, data)
    }
    fn close(&self) -> Result<(), std::io::Error> {
        self.0.close()
    }
}
