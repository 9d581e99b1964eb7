//! Calls that are made once: kept in the same transaction as the events that they made, so neither is there alone.

use redb::ReadableDatabase;
use redb::ReadableTable;
use redb::TableError;
use redb::WriteTransaction;

use crate::rules::once::Kept;
use crate::rules::once::ONCE_MAX;
use crate::rules::once::OnceKey;
use crate::rules::once::decode;
use crate::rules::once::encode;
use crate::store::Store;
use crate::store::StoreError;
use crate::store::tables::ONCE;

/// A call to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnceRow {
    /// Its key.
    pub key: OnceKey,
    /// What is kept of it.
    pub kept: Kept,
}

impl Store {
    /// What is kept under this key.
    pub fn once(&self, key: OnceKey) -> Result<Option<Kept>, StoreError> {
        self.shared.reading(|db| {
            let table = match db.begin_read()?.open_table(ONCE) {
                Ok(table) => table,
                Err(TableError::TableDoesNotExist(_)) => return Ok(None),
                Err(e) => return Err(e.into()),
            };
            let row = table.get((key.caller, key.key))?;
            Ok(row.and_then(|row| decode(row.value())).map(|(_, kept)| kept))
        })
    }
}

/// Keeps these calls, and lets go of the oldest of a caller who has more than [`ONCE_MAX`].
pub(crate) fn write(txn: &WriteTransaction, rows: &[OnceRow]) -> Result<(), StoreError> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut table = txn.open_table(ONCE)?;
    for row in rows {
        let caller = row.key.caller;
        let (mut count, mut newest, mut oldest) = (0, 0, None::<(u64, u128)>);
        for entry in table.range((caller, 0)..=(caller, u128::MAX))? {
            let (key, value) = entry?;
            // A damaged row goes first.
            let place = decode(value.value()).map_or(0, |(place, _)| place);
            count += 1;
            newest = newest.max(place);
            if oldest.is_none_or(|(p, _)| place < p) {
                oldest = Some((place, key.value().1));
            }
        }
        if let (true, Some((_, oldest))) = (count >= ONCE_MAX, oldest) {
            table.remove((caller, oldest))?;
        }
        table.insert((caller, row.key.key), encode(newest + 1, &row.kept).as_slice())?;
    }
    Ok(())
}
