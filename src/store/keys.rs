//! Keys of what may lose its content by age, and how it is really gone.
//!
//! A database keeps what it has deleted until it needs the place, and copies of it wherever it has moved a page. So words
//! that are to go one day are never written in the clear: a chunk that holds some is sealed with ChaCha20-Poly1305 under the key of the
//! hour in which it is written. When all that was written in that hour is old, what stays of it has been written anew
//! without a seal, and the key goes: whatever the database still has of the hour is noise.
//!
//! Keys stand in a small file of their own, `vyre.keys`, which no database moves about: a head of [`SLOT`] bytes, then
//! slots of as many, each written in place and in one sector. A key that goes is overwritten there with zeros.
//!
//! A store in a place of the caller's has no such file, and seals nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::FileExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use ring::aead::Aad;
use ring::aead::CHACHA20_POLY1305;
use ring::aead::LessSafeKey;
use ring::aead::NONCE_LEN;
use ring::aead::Nonce;
use ring::aead::UnboundKey;
use vyre_proto::tick::Wall;

use crate::clock::Clock;
use crate::store::StoreError;

/// Name of the file beside the database.
pub const FILE: &str = "vyre.keys";

/// Bytes of the file's head and of each slot.
pub const SLOT: usize = 64;

/// What is written under one key: as much as comes in so many microseconds.
pub const PERIOD: u64 = 3600 * 1_000_000;

/// Bytes by which a sealed text is longer.
pub const SEAL: usize = NONCE_LEN + 16;

const MAGIC: &[u8; 12] = b"vyre keys 1\n";
const KEY: usize = 32;

/// Which hour a key is of, from 1: a number that is never used for two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyNumber(pub u64);

impl KeyNumber {
    /// The key for what is written then.
    pub fn at(now: Wall) -> KeyNumber {
        KeyNumber(now.0 / PERIOD + 1)
    }

    /// The last key under which everything is old, where what was logged at `cutoff` or before is old. `None`: there is no
    /// such key.
    pub fn last_old(cutoff: Wall) -> Option<KeyNumber> {
        // Key n is of the hours up to n * PERIOD, and that moment is of the next.
        Some(KeyNumber(cutoff.0.saturating_add(1) / PERIOD)).filter(|k| k.0 > 0)
    }
}

/// All keys of a store.
pub(crate) struct Keys {
    place: Option<(PathBuf, File)>,
    clock: Clock,
    ring: Mutex<Ring>,
}

#[derive(Default)]
struct Ring {
    keys: BTreeMap<u64, (u64, LessSafeKey)>,
    /// Slots that hold nothing, and how many there are in all.
    free: Vec<u64>,
    slots: u64,
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys")
    }
}

impl Keys {
    /// A store that seals nothing.
    pub(crate) fn none(clock: Clock) -> Keys {
        Keys { place: None, clock, ring: Mutex::default() }
    }

    /// The keys in this folder, and the identity of their file. `known`: the identity of the file that the store knows; one
    /// that is not there, or another one, is an error then. Without it a file that is there is taken up, else made.
    pub(crate) fn open(folder: &Path, known: Option<[u8; 16]>, clock: Clock) -> Result<(Keys, [u8; 16]), StoreError> {
        let path = folder.join(FILE);
        let failed = |source| StoreError::Io { path: path.clone(), source };
        let damaged = |reason: &str| StoreError::Damaged { path: path.clone(), reason: reason.to_owned() };
        if known.is_some() && !path.is_file() {
            return Err(damaged("it is missing, and without it what the store has sealed cannot be read"));
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(&path);
        let file = file.map_err(failed)?;
        let mut all = Vec::new();
        io::Read::read_to_end(&mut &file, &mut all).map_err(failed)?;
        let id = match all.first_chunk::<SLOT>() {
            Some(head) if head.starts_with(MAGIC) => {
                head[MAGIC.len()..].first_chunk::<16>().copied().ok_or_else(|| damaged("its head is damaged"))?
            }
            Some(_) => return Err(damaged("it is not a file of keys")),
            // Nothing was ever sealed under a file whose head is not whole.
            None if known.is_none() => {
                let id: [u8; 16] = clock.random();
                let mut head = [0; SLOT];
                head[..MAGIC.len()].copy_from_slice(MAGIC);
                head[MAGIC.len()..MAGIC.len() + 16].copy_from_slice(&id);
                file.write_all_at(&head, 0).and_then(|()| file.sync_all()).map_err(failed)?;
                File::open(folder).and_then(|f| f.sync_all()).map_err(failed)?;
                id
            }
            None => return Err(damaged("its head is damaged")),
        };
        if known.is_some_and(|known| known != id) {
            return Err(damaged("it belongs to another store"));
        }
        let mut ring = Ring::default();
        let slots = all.get(SLOT..).unwrap_or_default().chunks(SLOT);
        for (n, slot) in slots.enumerate() {
            let n = n as u64;
            ring.slots = n + 1;
            match read_slot(slot) {
                Some((number, key)) => drop(ring.keys.insert(number, (n, key))),
                // A slot that was half written sealed nothing yet.
                None => ring.free.push(n),
            }
        }
        Ok((Keys { place: Some((path, file)), clock, ring: Mutex::new(ring) }, id))
    }

    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Seals what stands in `text` from `from` on, for this place. The key is on disk before it is used. False: this store
    /// seals nothing.
    pub(crate) fn seal(
        &self,
        number: KeyNumber,
        place: &[u8],
        text: &mut Vec<u8>,
        from: usize,
    ) -> Result<bool, StoreError> {
        let Some((path, file)) = &self.place else { return Ok(false) };
        let failed = |source| StoreError::Io { path: path.clone(), source };
        let mut ring = self.ring();
        if !ring.keys.contains_key(&number.0) {
            let bytes: [u8; KEY] = self.clock.random();
            let n = ring.free.last().copied().unwrap_or(ring.slots);
            file.write_all_at(&slot(number, &bytes), offset(n)).and_then(|()| file.sync_data()).map_err(failed)?;
            let key = key(&bytes).ok_or_else(|| failed(io::ErrorKind::Unsupported.into()))?;
            ring.free.pop();
            ring.slots = ring.slots.max(n + 1);
            ring.keys.insert(number.0, (n, key));
        }
        let Some((_, key)) = ring.keys.get(&number.0) else { return Ok(false) };
        let nonce: [u8; NONCE_LEN] = self.clock.random();
        let body = text.get_mut(from..).unwrap_or_default();
        let tag = key.seal_in_place_separate_tag(Nonce::assume_unique_for_key(nonce), Aad::from(place), body);
        let tag = tag.map_err(|_| failed(io::ErrorKind::InvalidInput.into()))?;
        text.extend_from_slice(&nonce);
        text.extend_from_slice(tag.as_ref());
        Ok(true)
    }

    /// Opens what was sealed for this place. `None`: its key is gone, or it was changed.
    pub(crate) fn open_sealed(&self, number: KeyNumber, place: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
        let (body, end) = sealed.split_at_checked(sealed.len().checked_sub(SEAL)?)?;
        let (nonce, tag) = end.split_first_chunk::<NONCE_LEN>()?;
        let mut text = Vec::with_capacity(body.len() + tag.len());
        text.extend_from_slice(body);
        text.extend_from_slice(tag);
        let (_, key) = self.ring().keys.get(&number.0)?.clone();
        let len = key.open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::from(place), &mut text).ok()?.len();
        text.truncate(len);
        Some(text)
    }

    /// The lowest key that is there.
    pub(crate) fn first(&self) -> Option<KeyNumber> {
        self.ring().keys.keys().next().copied().map(KeyNumber)
    }

    /// Overwrites the keys up to this one. What was sealed under them is gone when it returns.
    pub(crate) fn drop_up_to(&self, last: KeyNumber) -> Result<(), StoreError> {
        let Some((path, file)) = &self.place else { return Ok(()) };
        let failed = |source| StoreError::Io { path: path.clone(), source };
        let mut ring = self.ring();
        let gone: Vec<(u64, u64)> = ring.keys.range(..=last.0).map(|(number, (n, _))| (*number, *n)).collect();
        if gone.is_empty() {
            return Ok(());
        }
        for (_, n) in &gone {
            file.write_all_at(&[0; SLOT], offset(*n)).map_err(failed)?;
        }
        file.sync_data().map_err(failed)?;
        for (number, n) in gone {
            ring.keys.remove(&number);
            ring.free.push(n);
        }
        Ok(())
    }
}

fn offset(n: u64) -> u64 {
    (n + 1) * SLOT as u64
}

fn key(bytes: &[u8; KEY]) -> Option<LessSafeKey> {
    UnboundKey::new(&CHACHA20_POLY1305, bytes).ok().map(LessSafeKey::new)
}

fn slot(number: KeyNumber, key: &[u8; KEY]) -> [u8; SLOT] {
    let mut slot = [0; SLOT];
    slot[..8].copy_from_slice(&number.0.to_le_bytes());
    slot[8..8 + KEY].copy_from_slice(key);
    let crc = crc32fast::hash(&slot[..8 + KEY]);
    slot[8 + KEY..12 + KEY].copy_from_slice(&crc.to_le_bytes());
    slot
}

fn read_slot(slot: &[u8]) -> Option<(u64, LessSafeKey)> {
    let (number, rest) = slot.split_first_chunk::<8>()?;
    let (bytes, rest) = rest.split_first_chunk::<KEY>()?;
    let crc = rest.first_chunk::<4>()?;
    let number = u64::from_le_bytes(*number);
    let whole = crc32fast::hash(slot.get(..8 + KEY)?) == u32::from_le_bytes(*crc) && number > 0;
    whole.then(|| key(bytes).map(|key| (number, key))).flatten()
}

#[cfg(test)]
mod tests {
    use vyre_proto::tick::Tick;

    use super::*;

    fn clock() -> Clock {
        Clock::settable(Tick(0), Wall(0))
    }

    fn sealed(keys: &Keys, number: u64, text: &str) -> Vec<u8> {
        let mut sealed = text.as_bytes().to_vec();
        assert!(keys.seal(KeyNumber(number), b"here", &mut sealed, 0).unwrap());
        assert_eq!(sealed.len(), text.len() + SEAL);
        sealed
    }

    #[test]
    fn what_is_sealed_is_opened_by_the_same_file_in_the_same_place_until_its_key_goes() {
        let dir = tempfile::tempdir().unwrap();
        let (keys, id) = Keys::open(dir.path(), None, clock()).unwrap();
        let (one, two) = (sealed(&keys, 1, "first words"), sealed(&keys, 2, "second words"));
        drop(keys);

        let (keys, again) = Keys::open(dir.path(), Some(id), clock()).unwrap();
        assert_eq!(id, again);
        assert_eq!(keys.open_sealed(KeyNumber(1), b"here", &one).as_deref(), Some(&b"first words"[..]));
        assert_eq!(keys.open_sealed(KeyNumber(1), b"there", &one), None);
        assert_eq!(keys.open_sealed(KeyNumber(2), b"here", &one), None);
        for n in 0..one.len() {
            let mut changed = one.clone();
            changed[n] ^= 1;
            assert_eq!(keys.open_sealed(KeyNumber(1), b"here", &changed), None, "byte {n}");
        }
        let before = std::fs::read(dir.path().join(FILE)).unwrap();
        keys.drop_up_to(KeyNumber(1)).unwrap();
        let after = std::fs::read(dir.path().join(FILE)).unwrap();
        assert_eq!(after[SLOT..2 * SLOT], [0; SLOT]);
        assert_eq!(before[2 * SLOT..], after[2 * SLOT..]);
        for keys in [keys, Keys::open(dir.path(), Some(id), clock()).unwrap().0] {
            assert_eq!(keys.open_sealed(KeyNumber(1), b"here", &one), None);
            assert!(keys.open_sealed(KeyNumber(2), b"here", &two).is_some());
            // The place of a key that went is used again.
            sealed(&keys, 3, "third");
            assert_eq!(std::fs::metadata(dir.path().join(FILE)).unwrap().len(), 3 * SLOT as u64);
        }
    }

    #[test]
    fn a_store_does_not_start_without_the_keys_that_it_knows() {
        let dir = tempfile::tempdir().unwrap();
        let (_, id) = Keys::open(dir.path(), None, clock()).unwrap();
        assert!(matches!(Keys::open(dir.path(), Some([7; 16]), clock()), Err(StoreError::Damaged { .. })));
        std::fs::remove_file(dir.path().join(FILE)).unwrap();
        assert!(matches!(Keys::open(dir.path(), Some(id), clock()), Err(StoreError::Damaged { .. })));
        assert!(!dir.path().join(FILE).exists(), "nothing was made in its place");
    }

    #[test]
    fn a_key_is_old_when_the_whole_of_its_hour_is() {
        for at in [0, 1, PERIOD - 1, PERIOD, PERIOD + 1, 7 * PERIOD - 1] {
            let number = KeyNumber::at(Wall(at));
            let end = number.0 * PERIOD - 1;
            assert!(KeyNumber::at(Wall(end)) == number && KeyNumber::at(Wall(end + 1)) > number);
            assert!(
                KeyNumber::last_old(Wall(end)) == Some(number) && KeyNumber::last_old(Wall(end - 1)) < Some(number)
            );
        }
    }
}
