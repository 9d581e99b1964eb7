//! A disk in memory that keeps what was synced apart from what was only written, and fails on command.

use std::io::Error;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;

use redb::StorageBackend;

/// How a disk fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// At this sync (counted from 1) and ever after: the machine is gone.
    StopAtSync(u64),
    /// Growing the file is refused while this stands.
    Full,
    /// A sync does not come back while this stands.
    Stalled,
}

#[derive(Debug, Default)]
struct State {
    /// What a reader sees.
    now: Vec<u8>,
    /// What survives a crash for certain.
    synced: Vec<u8>,
    /// Writes since the last sync, in order.
    pending: Vec<(u64, Vec<u8>)>,
    fault: Option<Fault>,
    syncs: u64,
}

/// The disk. Clones are the same disk.
#[derive(Debug, Clone, Default)]
pub struct Disk(Arc<(Mutex<State>, Condvar)>);

impl Disk {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.0.lock().unwrap()
    }

    /// Fails like this from now on; `None` heals it.
    pub fn set(&self, fault: Option<Fault>) {
        self.lock().fault = fault;
        self.0.1.notify_all();
    }

    /// Syncs so far.
    pub fn syncs(&self) -> u64 {
        self.lock().syncs
    }

    /// A healthy disk as a crash now leaves it: what was synced, and of the later writes those that `keep` picks.
    pub fn after_crash(&self, mut keep: impl FnMut() -> bool) -> Disk {
        let state = self.lock();
        let mut image = state.synced.clone();
        for (at, data) in &state.pending {
            if keep() {
                let (at, end) = (*at as usize, *at as usize + data.len());
                if image.len() < end {
                    image.resize(end, 0);
                }
                image[at..end].copy_from_slice(data);
            }
        }
        let fresh = State { now: image.clone(), synced: image, ..State::default() };
        Disk(Arc::new((Mutex::new(fresh), Condvar::new())))
    }
}

fn gone() -> Error {
    Error::other("the machine is gone")
}

impl State {
    fn check(&self) -> Result<(), Error> {
        match self.fault {
            Some(Fault::StopAtSync(n)) if self.syncs >= n => Err(gone()),
            _ => Ok(()),
        }
    }
}

impl StorageBackend for Disk {
    fn len(&self) -> Result<u64, Error> {
        Ok(self.lock().now.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), Error> {
        let state = self.lock();
        let (at, end) = (offset as usize, offset as usize + out.len());
        out.copy_from_slice(state.now.get(at..end).ok_or_else(|| Error::from(ErrorKind::UnexpectedEof))?);
        Ok(())
    }

    fn set_len(&self, len: u64) -> Result<(), Error> {
        let mut state = self.lock();
        state.check()?;
        if state.fault == Some(Fault::Full) && len > state.now.len() as u64 {
            return Err(Error::from(ErrorKind::StorageFull));
        }
        state.now.resize(len as usize, 0);
        // A length reaches the disk with the next sync; a crash may leave the longer file, which is the harder case.
        state.synced.resize(len as usize, 0);
        Ok(())
    }

    fn sync_data(&self) -> Result<(), Error> {
        let mut state = self.lock();
        state.syncs += 1;
        while state.fault == Some(Fault::Stalled) {
            state = self.0.1.wait(state).unwrap();
        }
        state.check()?;
        state.synced = state.now.clone();
        state.pending.clear();
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> Result<(), Error> {
        let mut state = self.lock();
        state.check()?;
        if state.fault == Some(Fault::Full) {
            return Err(Error::from(ErrorKind::StorageFull));
        }
        let (at, end) = (offset as usize, offset as usize + data.len());
        if state.now.len() < end {
            // As a file: writing beyond the end makes it longer.
            state.now.resize(end, 0);
        }
        state.now[at..end].copy_from_slice(data);
        state.pending.push((offset, data.to_vec()));
        Ok(())
    }
}
