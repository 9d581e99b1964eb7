//! The store: one redb file in the data folder, and one thread that writes to it.
//!
//! Everything that is to be kept goes through the [`commit`] thread, which groups what waits into one transaction and
//! then moves the durable mark. Reads are short transactions of their own: a long one would keep pages from being used
//! again, and the file would grow behind a slow reader's back.

mod backup;
pub mod chunk;
pub mod commit;
mod database;
pub(crate) mod fade;
pub mod keys;
pub mod once;
pub mod people;
pub mod read;
pub mod tables;
mod tokens;

use std::path::PathBuf;

pub use commit::Batch;
pub use commit::CommitSeq;
pub use commit::Committed;
pub use commit::Durable;
pub use commit::NotDurable;
pub use commit::STALL;
pub use commit::Source;
pub use database::Limits;
pub use database::Store;
pub use once::OnceRow;
pub use read::FrameRun;
pub use tokens::TokenOwner;

/// Why the store cannot do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another box has this data folder.
    #[error("another box is running on {path}; stop it first, or choose another --data")]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// The file is not a store, or is damaged beyond what the database can mend. It was not changed.
    #[error(
        "{path} cannot be opened as a store: {reason}. It was left as it is; put a backup in its place, or move it away to begin anew"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What the database says.
        reason: String,
    },
    /// The file was written by another version.
    #[error("{path} has layout {found} and this program knows layout {known}: use the version that wrote it")]
    Version {
        /// The file.
        path: PathBuf,
        /// The version found.
        found: u64,
        /// The version known.
        known: u64,
    },
    /// The folder or the file cannot be used.
    #[error("{path} cannot be used: {source}")]
    Io {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The database failed at work.
    #[error("the store failed: {0}")]
    Failed(#[from] redb::Error),
    /// The store is being opened again after a failure, or was closed.
    #[error("the store is not open now")]
    Closed,
}

macro_rules! from_redb {
    ($($error:ty),*) => {$(
        impl From<$error> for StoreError {
            fn from(e: $error) -> Self {
                Self::Failed(e.into())
            }
        }
    )*};
}

from_redb!(redb::TransactionError, redb::TableError, redb::StorageError, redb::CommitError, redb::SetDurabilityError);

/// Takes a session's log away, as damage would: its events stay.
#[cfg(test)]
pub(crate) fn forget_log(file: &std::path::Path, id: &vyre_proto::ids::SessionId) {
    use prost::Message;
    use redb::ReadableTable;
    let db = redb::Database::open(file).unwrap();
    let txn = db.begin_write().unwrap();
    {
        let mut rows = txn.open_table(tables::SESSIONS).unwrap();
        let mut row = tables::SessionRow::decode(rows.get(id.as_str()).unwrap().unwrap().value()).unwrap();
        row.log.clear();
        (row.projected, row.adapter) = (0, Vec::new());
        rows.insert(id.as_str(), row.encode_to_vec().as_slice()).unwrap();
    }
    txn.commit().unwrap();
}
