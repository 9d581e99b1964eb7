//! A backup: the record without its projection.
//!
//! It holds every event, every token, the calls that are made once and each session's facts, and no log: where it is opened, each log is made from the
//! events again, under a new identity. So a screen whose place belongs to the log of before is reset, and no cursor of
//! that log can be taken for one of the new. A plain copy of the file has no such mark, and one taken while a box writes
//! may not open at all.

use std::fs;
use std::path::Path;

use prost::Message;
use redb::Database;
use redb::ReadableDatabase;
use redb::ReadableTable;
use vyre_proto::pb::stream as pb;
use vyre_proto::tick::Wall;

use crate::rules::retention::may_fade;
use crate::rules::retention::of_event;
use crate::store::Store;
use crate::store::StoreError;
use crate::store::chunk;
use crate::store::chunk::Place;
use crate::store::commit;
use crate::store::database;
use crate::store::keys::KeyNumber;
use crate::store::keys::Keys;
use crate::store::people::READ_MARKS;
use crate::store::read::each;
use crate::store::tables;
use crate::store::tables::SessionRow;

/// Rows written in one transaction.
const STEP: usize = 1000;

impl Store {
    /// Writes a backup to `to`, a file that is not there yet. Calls `progress` with the sessions done and in all. Blocks;
    /// publishers and readers go on meanwhile, and what is published meanwhile is not in it.
    pub fn backup(&self, to: &Path, progress: &mut dyn FnMut(usize, usize)) -> Result<(), StoreError> {
        let io = |source| StoreError::Io { path: to.to_owned(), source };
        if to.exists() {
            return Err(io(std::io::ErrorKind::AlreadyExists.into()));
        }
        // Nothing is sealed in it: words that go from the store would stay in it, and it is lost with the folder.
        let folder = |p: &Path| p.parent().and_then(|p| p.canonicalize().ok());
        if let (Some(data), Some(there)) = (folder(self.shared.path()), folder(to))
            && there.starts_with(data)
        {
            let why = "a backup belongs outside of the box's own folder";
            return Err(io(std::io::Error::new(std::io::ErrorKind::InvalidInput, why)));
        }
        let part = to.with_extension("part");
        let written = self.write_backup(&part, progress);
        if let Err(e) = written {
            // Half a backup is none.
            let _ = fs::remove_file(&part);
            return Err(e);
        }
        fs::rename(&part, to).map_err(io)
    }

    fn write_backup(&self, part: &Path, progress: &mut dyn FnMut(usize, usize)) -> Result<(), StoreError> {
        let io = |source| StoreError::Io { path: part.to_owned(), source };
        let file = fs::OpenOptions::new().read(true).write(true).create(true).truncate(true).open(part).map_err(io)?;
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(fs::Permissions::from_mode(0o600)).map_err(io)?;
        drop(file);
        let out = Database::create(part).map_err(|e| StoreError::Failed(e.into()))?;
        // One look at the store as it is now.
        let read = self.shared.db()?.begin_read()?;
        let mut txn = out.begin_write()?;
        commit::harden(&mut txn)?;
        copy(&read.open_table(tables::META)?, &mut txn.open_table(tables::META)?)?;
        txn.open_table(tables::META)?.remove("keys")?;
        copy(&read.open_table(tables::TOKENS)?, &mut txn.open_table(tables::TOKENS)?)?;
        let mut once = txn.open_table(tables::ONCE)?;
        match read.open_table(tables::ONCE) {
            Ok(kept) => copy(&kept, &mut once)?,
            Err(redb::TableError::TableDoesNotExist(_)) => {} // No call was made once yet.
            Err(e) => return Err(e.into()),
        }
        drop(once);
        match read.open_table(READ_MARKS) {
            Ok(marks) => copy(&marks, &mut txn.open_table(READ_MARKS)?)?,
            Err(redb::TableError::TableDoesNotExist(_)) => {}
            Err(e) => return Err(e.into()),
        }
        txn.open_table(tables::FRAMES)?;
        txn.open_table(tables::EVENTS)?;
        txn.open_table(tables::EVENT_IDS)?;
        txn.open_table(tables::SESSIONS)?;
        txn.open_table(tables::FADED)?;
        txn.commit()?;

        let rows = read.open_table(tables::SESSIONS)?;
        let (events, ids) = (read.open_table(tables::EVENTS)?, read.open_table(tables::EVENT_IDS)?);
        let mut all = Vec::new();
        for entry in rows.iter()? {
            let (id, row) = entry?;
            if let Ok(row) = SessionRow::decode(row.value()) {
                all.push((id.value().to_owned(), row));
            }
        }
        for (done, (id, mut row)) in all.iter().cloned().enumerate() {
            progress(done, all.len());
            let number = row.number;
            let mut at = Some(0);
            while let Some(from) = at {
                let mut txn = out.begin_write()?;
                commit::harden(&mut txn)?;
                at = copy_from(number, from, &events, &ids, &txn, |place, row| {
                    Ok(opened(place, row, &self.shared.keys))
                })?;
                txn.commit()?;
            }
            (row.log, row.adapter, row.sealed) = (Vec::new(), Vec::new(), Vec::new());
            (row.floor, row.head, row.leased, row.bytes, row.frames, row.projected) = (1, 0, 0, 0, 0, 0);
            let mut txn = out.begin_write()?;
            commit::harden(&mut txn)?;
            txn.open_table(tables::SESSIONS)?.insert(id.as_str(), row.encode_to_vec().as_slice())?;
            txn.commit()?;
        }
        progress(all.len(), all.len());
        out.close().map_err(|e| StoreError::Failed(e.into()))
    }
}

/// Copies a small table.
fn copy<K: redb::Key + 'static, V: redb::Value + 'static>(
    from: &impl ReadableTable<K, V>,
    to: &mut redb::Table<K, V>,
) -> Result<(), StoreError> {
    for entry in from.iter()? {
        let (key, value) = entry?;
        to.insert(key.value(), value.value())?;
    }
    Ok(())
}

/// Copies a step of one session's events from event `from` on. Gives where the next step begins.
fn copy_from(
    number: u64,
    from: u64,
    events: &impl ReadableTable<(u64, u64), &'static [u8]>,
    ids: &impl ReadableTable<(u64, u64), &'static [u8]>,
    txn: &redb::WriteTransaction,
    mut change: impl FnMut(Place, &[u8]) -> Result<Option<Vec<u8>>, StoreError>,
) -> Result<Option<u64>, StoreError> {
    let mut out = txn.open_table(tables::EVENTS)?;
    let mut next = None;
    for entry in events.range((number, from)..=(number, u64::MAX))?.take(STEP) {
        let (key, value) = entry?;
        let place = Place { session: number, last: key.value().1, events: true };
        match change(place, value.value())? {
            Some(row) => out.insert(key.value(), row.as_slice())?,
            None => out.insert(key.value(), value.value())?,
        };
        next = Some(place.last);
    }
    let Some(last) = next else { return Ok(None) };
    let mut out = txn.open_table(tables::EVENT_IDS)?;
    for entry in ids.range((number, from)..=(number, last))? {
        let (key, value) = entry?;
        out.insert(key.value(), value.value())?;
    }
    Ok(Some(last + 1))
}

/// A row of events without its seal. `None`: it is as it is to be, or cannot be read.
fn opened(place: Place, row: &[u8], keys: &Keys) -> Option<Vec<u8>> {
    chunk::key(row)?;
    let read = chunk::read(row, place, keys)?;
    let count = u32::try_from(chunk::count(row)).ok()?;
    chunk::row(read.when, count, &read.records, place, None, keys).ok()
}

/// Takes a store in in which nothing is sealed: a backup that was put in the place of the store, or a store that is new.
///
/// Whatever is to go by age one day is written anew, sealed, into another file, which then stands in the place of the
/// first. So nothing that a backup brings in the clear stays in the folder. Blocks for as long as all its events take to
/// be copied; broken off, it begins again with the next start.
pub(crate) fn take_in(
    db: Database,
    path: &Path,
    keys_id: [u8; 16],
    keys: &Keys,
    now: Wall,
) -> Result<Database, StoreError> {
    let io = |source| StoreError::Io { path: path.to_owned(), source };
    let has_events = db.begin_read()?.open_table(tables::EVENTS)?.first()?.is_some();
    if !has_events {
        let mut txn = db.begin_write()?;
        commit::harden(&mut txn)?;
        txn.open_table(tables::META)?.insert("keys", &keys_id[..])?;
        txn.commit()?;
        return Ok(db);
    }
    tracing::info!("taking a backup in: its events are written anew");
    let part = path.with_extension("taken");
    match fs::remove_file(&part) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(io(e)),
        _ => {}
    }
    let out = database::open_database(&part, None)?;
    {
        let read = db.begin_read()?;
        let mut txn = out.begin_write()?;
        commit::harden(&mut txn)?;
        {
            let mut meta = txn.open_table(tables::META)?;
            copy(&read.open_table(tables::META)?, &mut meta)?;
            meta.insert("keys", &keys_id[..])?;
        }
        copy_if_there(&read, &txn, tables::TOKENS)?;
        copy_if_there(&read, &txn, tables::ONCE)?;
        copy_if_there(&read, &txn, READ_MARKS)?;
        copy_if_there(&read, &txn, tables::SESSIONS)?;
        txn.open_table(tables::FRAMES)?;
        txn.open_table(tables::EVENTS)?;
        txn.open_table(tables::EVENT_IDS)?;
        txn.open_table(tables::FADED)?;
        txn.commit()?;
        let (events, ids) = (read.open_table(tables::EVENTS)?, read.open_table(tables::EVENT_IDS)?);
        for entry in read.open_table(tables::SESSIONS)?.iter()? {
            let (_, row) = entry?;
            let Ok(row) = SessionRow::decode(row.value()) else { continue };
            let mut at = Some(0);
            while let Some(from) = at {
                let mut txn = out.begin_write()?;
                commit::harden(&mut txn)?;
                at = copy_from(row.number, from, &events, &ids, &txn, |place, row| sealed(place, row, keys, now))?;
                txn.commit()?;
            }
        }
    }
    out.close().map_err(|e| StoreError::Failed(e.into()))?;
    db.close().map_err(|e| StoreError::Failed(e.into()))?;
    fs::rename(&part, path).map_err(io)?;
    if let Some(folder) = path.parent() {
        fs::File::open(folder).and_then(|f| f.sync_all()).map_err(io)?;
    }
    database::open_database(path, None)
}

/// A row of events under a seal. `None`: it is as it is to be.
fn sealed(place: Place, row: &[u8], keys: &Keys, now: Wall) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(read) = chunk::read(row, place, keys) else { return Ok(None) };
    let fades =
        each(&read.records).any(|e| pb::Event::decode(e).is_ok_and(|e| e.expired == 0 && may_fade(of_event(&e))));
    let count = u32::try_from(chunk::count(row)).unwrap_or(u32::MAX);
    match fades {
        true => chunk::row(read.when, count, &read.records, place, Some(KeyNumber::at(now)), keys).map(Some),
        false => Ok(None),
    }
}

fn copy_if_there<K: redb::Key + 'static, V: redb::Value + 'static>(
    read: &redb::ReadTransaction,
    txn: &redb::WriteTransaction,
    table: redb::TableDefinition<K, V>,
) -> Result<(), StoreError> {
    let mut to = txn.open_table(table)?;
    match read.open_table(table) {
        Ok(from) => copy(&from, &mut to),
        Err(redb::TableError::TableDoesNotExist(_)) => Ok(()),
        Err(e) => Err(e.into()),
    }
}
