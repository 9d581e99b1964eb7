//! The file of an outbox: locked, appended to, synced before anybody is told, and made small again.

use std::collections::VecDeque;
use std::fs;
use std::fs::File;
use std::fs::OpenOptions;
use std::fs::Permissions;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::io::Write as _;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

use rustix::fs::FlockOperation;
use rustix::fs::flock;

use super::log;
use super::log::Entry;
use super::log::Owner;
use super::log::Wrong;

/// A file is written anew when it is larger than this and most of it is settled.
const COMPACT: u64 = 256 << 10;

/// Largest file that is read. What waits is far smaller.
const FILE_MAX: u64 = 64 << 20;

/// Why an outbox cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Somebody else has it.
    #[error("another vyre on this machine writes to {}", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Of another box, person or session.
    #[error("{} belongs to another box, token or session", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Another sort of file.
    #[error("{} is no outbox", path.display())]
    NotAnOutbox {
        /// The file.
        path: PathBuf,
    },
    /// The disk refuses.
    #[error("{} cannot be opened: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// A part of an outbox could not be read, and what it was stands elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// A copy of the file as it was found.
    pub aside: PathBuf,
}

#[derive(Debug)]
pub(super) struct Disk {
    path: PathBuf,
    owner: Owner,
    file: File,
    /// Held for as long as this is: the file itself is replaced now and then.
    _lock: File,
    /// Bytes of whole lines.
    good: u64,
    /// More than these may be there.
    dirty: bool,
}

impl Disk {
    pub fn open(path: &Path, owner: Owner) -> Result<(Disk, VecDeque<Entry>, Option<Damage>), OpenError> {
        let io = |source| OpenError::Io { path: path.to_owned(), source };
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(io)?;
        }
        let lock = private(&beside(path, "lock")).map_err(io)?;
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => return Err(OpenError::Busy { path: path.to_owned() }),
            Err(e) => return Err(io(e.into())),
        }
        let mut file = private(path).map_err(io)?;
        let mut bytes = Vec::new();
        (&mut file).take(FILE_MAX).read_to_end(&mut bytes).map_err(io)?;
        let contents = log::read(&bytes, owner).map_err(|wrong| match wrong {
            Wrong::Foreign => OpenError::Foreign { path: path.to_owned() },
            Wrong::NotAnOutbox => OpenError::NotAnOutbox { path: path.to_owned() },
        })?;
        let mut damage = None;
        if contents.damaged {
            let aside = beside(path, "damaged");
            private(&aside).and_then(|mut copy| copy.write_all(&bytes).and_then(|()| copy.sync_all())).map_err(io)?;
            damage = Some(Damage { aside });
        }
        let good = contents.good as u64;
        let mut disk = Disk { path: path.to_owned(), owner, file, _lock: lock, good, dirty: true };
        if good == 0 {
            disk.append(&log::head(owner)).and_then(|()| sync_folder(path)).map_err(io)?;
        } else {
            disk.trim().map_err(io)?;
        }
        Ok((disk, contents.waiting, damage))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn put(&mut self, entry: &Entry) -> io::Result<()> {
        self.append(&log::put(entry))
    }

    pub fn settle<'a>(&mut self, number: u64, waiting: impl Iterator<Item = &'a Entry>) -> io::Result<()> {
        self.append(&log::settled(number))?;
        if self.good <= COMPACT {
            return Ok(());
        }
        let mut bytes = log::head(self.owner);
        waiting.for_each(|e| bytes.extend(log::put(e)));
        if bytes.len() as u64 * 2 > self.good {
            return Ok(());
        }
        let new = beside(&self.path, "new");
        let mut file = private(&new)?;
        file.set_len(0)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        fs::rename(&new, &self.path)?;
        (self.file, self.good, self.dirty) = (file, bytes.len() as u64, false);
        sync_folder(&self.path)
    }

    /// Appends whole lines. Where that fails they are not there, now or later.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.trim()?;
        self.dirty = true;
        self.file.write_all(bytes)?;
        self.file.sync_data()?;
        self.good += bytes.len() as u64;
        self.dirty = false;
        Ok(())
    }

    /// Takes away what a crash or a full disk left of a line.
    fn trim(&mut self) -> io::Result<()> {
        if self.dirty {
            self.file.set_len(self.good)?;
            self.file.seek(SeekFrom::Start(self.good))?;
            self.file.sync_data()?;
            self.dirty = false;
        }
        Ok(())
    }
}

/// A file that nobody else reads, whatever it was before.
fn private(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    if file.metadata()?.permissions().mode() & 0o077 != 0 {
        file.set_permissions(Permissions::from_mode(0o600))?;
    }
    Ok(file)
}

fn beside(path: &Path, what: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(what);
    name.into()
}

/// A new name is there after a power cut only when its folder is synced.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        _ => File::open(".")?.sync_all(),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::client::outbox::Outbox;
    use crate::client::outbox::Write;

    fn write(words: &str) -> Write {
        Write { tool: "stream.send".into(), key: "k".into(), body: Bytes::copy_from_slice(words.as_bytes()) }
    }

    fn owner() -> Owner {
        Owner::of("b", "t", "s")
    }

    fn words(outbox: &Outbox) -> Vec<String> {
        outbox.waiting().map(|e| String::from_utf8(e.write.body.to_vec()).unwrap()).collect()
    }

    #[test]
    fn what_waits_is_there_again_and_what_is_settled_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/er/s.outbox");
        let (mut outbox, _) = Outbox::open(&path, owner()).unwrap();
        for n in 0..5 {
            outbox.put(write(&n.to_string())).unwrap();
        }
        outbox.settle(1).unwrap();
        outbox.settle(3).unwrap();
        drop(outbox);

        let (mut again, damage) = Outbox::open(&path, owner()).unwrap();

        assert_eq!((words(&again), damage), (vec!["1".into(), "3".into(), "4".into()], None));
        assert!(again.put(write("5")).unwrap() > 5);
    }

    #[test]
    fn nobody_else_reads_it_and_no_second_program_writes_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.outbox");
        fs::write(&path, b"").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o666)).unwrap();
        let (outbox, _) = Outbox::open(&path, owner()).unwrap();

        let mode = |p: &Path| fs::metadata(p).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(&beside(&path, "lock"))), (0o600, 0o600));
        assert!(matches!(Outbox::open(&path, owner()), Err(OpenError::Busy { .. })));
        drop(outbox);
        assert!(matches!(Outbox::open(&path, Owner::of("b", "t", "other")), Err(OpenError::Foreign { .. })));
        assert!(Outbox::open(&path, owner()).is_ok());
    }

    #[test]
    fn a_file_cut_at_any_byte_opens_and_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.outbox");
        let (mut outbox, _) = Outbox::open(&path, owner()).unwrap();
        outbox.put(write("one")).unwrap();
        outbox.put(write("two")).unwrap();
        outbox.settle(1).unwrap();
        drop(outbox);
        let whole = fs::read(&path).unwrap();
        for cut in 0..=whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let (mut outbox, damage) = Outbox::open(&path, owner()).unwrap();
            let before = words(&outbox);
            outbox.put(write("new")).unwrap();
            drop(outbox);

            let (again, _) = Outbox::open(&path, owner()).unwrap();
            assert_eq!(words(&again), [before, vec!["new".into()]].concat(), "{cut}");
            assert_eq!(damage, None, "{cut}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_put_aside_and_the_rest_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.outbox");
        let (mut outbox, _) = Outbox::open(&path, owner()).unwrap();
        outbox.put(write("one")).unwrap();
        outbox.put(write("two")).unwrap();
        drop(outbox);
        let mut bytes = fs::read(&path).unwrap();
        let len = bytes.len();
        bytes[len - 2] ^= 0x40;
        fs::write(&path, &bytes).unwrap();

        let (outbox, damage) = Outbox::open(&path, owner()).unwrap();

        assert_eq!(words(&outbox), ["one"]);
        assert_eq!(fs::read(damage.unwrap().aside).unwrap(), bytes);
    }

    #[test]
    fn a_file_of_settled_writes_becomes_small_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.outbox");
        let (mut outbox, _) = Outbox::open(&path, owner()).unwrap();
        outbox.put(write("stays")).unwrap();
        let long = "x".repeat(50_000);
        for _ in 0..20 {
            let number = outbox.put(write(&long)).unwrap();
            outbox.settle(number).unwrap();
        }

        assert!(fs::metadata(&path).unwrap().len() < COMPACT + 100_000);
        drop(outbox);
        assert_eq!(words(&Outbox::open(&path, owner()).unwrap().0), ["stays"]);
    }
}
