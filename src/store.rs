//! The store: one redb file, one writer. (Stand-in until the real one is merged.)

use std::path::Path;

use vyre_proto::ids::Author;

/// Why the store cannot do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another box has this data folder.
    #[error("another box is running on {path}; stop it first or choose another --data")]
    InUse {
        /// The folder.
        path: String,
    },
    /// Anything else.
    #[error("the store failed: {0}")]
    Failed(String),
}

/// Who a bearer token speaks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenOwner {
    /// Reads and sends.
    Person(Author),
    /// Publishes.
    Producer(String),
}

/// The store of one box. Cheap to clone.
#[derive(Clone)]
pub struct Store(());

impl Store {
    /// Opens or makes the store in this folder.
    pub fn open(_data: &Path) -> Result<Store, StoreError> {
        unimplemented!()
    }

    /// Keeps the SHA-256 of a token with its owner. Durable when it returns. Blocks.
    pub fn put_token(&self, _hash: [u8; 32], _owner: &TokenOwner) -> Result<(), StoreError> {
        unimplemented!()
    }

    /// Whose token this is. Blocks briefly (memory).
    pub fn token(&self, _hash: &[u8; 32]) -> Option<TokenOwner> {
        unimplemented!()
    }

    /// Writes all that waits and closes the file. Blocks.
    pub fn close(&self) -> Result<(), StoreError> {
        unimplemented!()
    }
}
