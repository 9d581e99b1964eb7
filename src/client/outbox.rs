//! [`Outbox`]: what a person sends, kept on disk until the box has answered it.
//!
//! What is typed without a path is not lost and not sent twice: each write has its id from the moment it was typed, stands
//! on disk before anybody is told that it is kept, and goes out in order, one at a time, until an answer settles it. So a
//! kill at any point leaves at most one write of which nobody knows whether the box has done it, and asking again under
//! its id does no harm. A refusal settles a write like an answer: what stands behind it goes on.
//!
//! One file for each box, person and session; a lock beside it keeps a second program away. What would surprise: a file
//! whose end was torn by a crash is cut back to its last whole line without a word, since what was torn was never
//! promised; anything else that cannot be read is put aside under another name, and that is said.

mod book;
mod disk;
mod log;

use std::path::Path;
use std::path::PathBuf;

use bytes::Bytes;

pub use book::Full;
pub use book::MAX_BYTES;
pub use book::MAX_ENTRIES;
pub use book::Verdict;
pub use book::judge;
pub use disk::Damage;
pub use disk::OpenError;
pub use log::Entry;
pub use log::Owner;

use book::Book;
use disk::Disk;

/// One call that writes: a tool, its request, and the key where the tool wants one.
#[derive(Clone, PartialEq, Eq)]
pub struct Write {
    /// As `stream.send`.
    pub tool: String,
    /// Its idempotency key. Empty: it has none.
    pub key: String,
    /// The request in protobuf.
    pub body: Bytes,
}

impl std::fmt::Debug for Write {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A body is somebody's words.
        write!(f, "Write({}, {} bytes)", self.tool, self.body.len())
    }
}

/// Why a write is not kept.
#[derive(Debug, thiserror::Error)]
pub enum PutError {
    /// No room.
    #[error(transparent)]
    Full(#[from] Full),
    /// The disk does not take it.
    #[error("it cannot be written to {}: {source}", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Writes that wait for their answers, oldest first.
#[derive(Debug)]
pub struct Outbox {
    book: Book,
    disk: Option<Disk>,
}

impl Outbox {
    /// The outbox in this file, made if need be, with all that still waits in it. Blocks for as long as the disk does.
    ///
    /// # Errors
    /// If another program has it open, if it is another person's or box's, or if the disk refuses.
    pub fn open(path: &Path, owner: Owner) -> Result<(Outbox, Option<Damage>), OpenError> {
        let (disk, waiting, damage) = Disk::open(path, owner)?;
        Ok((Outbox { book: Book::of(waiting), disk: Some(disk) }, damage))
    }

    /// One that is in memory alone, and ends with its program.
    pub fn in_memory() -> Outbox {
        Outbox { book: Book::default(), disk: None }
    }

    /// Whether what waits outlives this program.
    pub fn is_kept(&self) -> bool {
        self.disk.is_some()
    }

    /// Keeps a write, and gives its number. It is on disk when this returns.
    ///
    /// # Errors
    /// If there is no room, or the disk refuses: then nothing is kept.
    pub fn put(&mut self, write: Write) -> Result<u64, PutError> {
        let entry = self.book.check(write)?;
        if let Some(disk) = &mut self.disk {
            disk.put(&entry).map_err(|source| PutError::Disk { path: disk.path().to_owned(), source })?;
        }
        let number = entry.number;
        self.book.put(entry);
        Ok(number)
    }

    /// What is to be sent now.
    pub fn first(&self) -> Option<&Entry> {
        self.book.first()
    }

    /// All that waits, oldest first.
    pub fn waiting(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.book.waiting()
    }

    /// The write with this number needs nothing more: answered, refused, or taken back before it went. Where the disk
    /// does not take that, it is asked again after a restart, under its id.
    pub fn settle(&mut self, number: u64) -> Option<Entry> {
        let entry = self.book.settle(number)?;
        if let Some(disk) = &mut self.disk {
            let _ = disk.settle(number, self.book.waiting());
        }
        Some(entry)
    }
}
