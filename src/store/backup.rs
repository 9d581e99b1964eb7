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

use crate::store::Store;
use crate::store::StoreError;
use crate::store::commit;
use crate::store::people::READ_MARKS;
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
        copy(&read.open_table(tables::TOKENS)?, &mut txn.open_table(tables::TOKENS)?)?;
        match read.open_table(READ_MARKS) {
            Ok(marks) => copy(&marks, &mut txn.open_table(READ_MARKS)?)?,
            Err(redb::TableError::TableDoesNotExist(_)) => {}
            Err(e) => return Err(e.into()),
        }
        let mut once = txn.open_table(tables::ONCE)?;
        match read.open_table(tables::ONCE) {
            Ok(kept) => copy(&kept, &mut once)?,
            Err(redb::TableError::TableDoesNotExist(_)) => {} // No call was made once yet.
            Err(e) => return Err(e.into()),
        }
        drop(once);
        txn.open_table(tables::FRAMES)?;
        txn.open_table(tables::EVENTS)?;
        txn.open_table(tables::EVENT_IDS)?;
        txn.open_table(tables::SESSIONS)?;
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
                at = copy_from(number, from, &events, &ids, &txn)?;
                txn.commit()?;
            }
            (row.log, row.adapter) = (Vec::new(), Vec::new());
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
) -> Result<Option<u64>, StoreError> {
    let mut out = txn.open_table(tables::EVENTS)?;
    let mut next = None;
    for entry in events.range((number, from)..=(number, u64::MAX))?.take(STEP) {
        let (key, value) = entry?;
        out.insert(key.value(), value.value())?;
        next = Some(key.value().1);
    }
    let Some(last) = next else { return Ok(None) };
    let mut out = txn.open_table(tables::EVENT_IDS)?;
    for entry in ids.range((number, from)..=(number, last))? {
        let (key, value) = entry?;
        out.insert(key.value(), value.value())?;
    }
    Ok(Some(last + 1))
}
