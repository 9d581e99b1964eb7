//! Bearer tokens by their hash: on disk to last, in memory to be asked at each call.

use std::collections::HashMap;
use std::fmt;
use std::sync::PoisonError;
use std::sync::RwLock;

use redb::Database;
use redb::ReadableDatabase;
use redb::ReadableTable;
use vyre_proto::ids::Author;

use crate::store::Store;
use crate::store::StoreError;
use crate::store::commit;
use crate::store::tables::TOKENS;

/// Who a bearer token speaks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenOwner {
    /// Reads and sends.
    Person(Author),
    /// Reads what the asker reads.
    Assistant {
        /// The assistant or model.
        assistant: Author,
        /// The person for whom it acts.
        asker: Author,
    },
    /// The same, from a surface of the box's owner.
    Owner(Author),
    /// Publishes.
    Producer(String),
}

/// Between an assistant and the person for whom it acts. Neither name can hold it.
const FOR: char = '\n';

impl TokenOwner {
    fn parse(text: &str) -> Option<Self> {
        if let Some(name) = text.strip_prefix("producer:") {
            return Some(Self::Producer(name.to_owned()));
        }
        match text.split_once(FOR) {
            Some((assistant, asker)) => {
                let (assistant, asker) = (Author::parse(assistant).ok()?, Author::parse(asker).ok()?);
                Some(Self::Assistant { assistant, asker })
            }
            None => match text.strip_prefix("owner:") {
                Some(author) => Author::parse(author).ok().map(Self::Owner),
                None => Author::parse(text).ok().map(Self::Person),
            },
        }
    }
}

impl fmt::Display for TokenOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person(author) => write!(f, "{author}"),
            Self::Assistant { assistant, asker } => write!(f, "{assistant}{FOR}{asker}"),
            Self::Owner(author) => write!(f, "owner:{author}"),
            Self::Producer(name) => write!(f, "producer:{name}"),
        }
    }
}

/// All tokens. By their hashes only: nobody can read a token out of memory or disk.
#[derive(Debug)]
pub(crate) struct Tokens(RwLock<HashMap<[u8; 32], TokenOwner>>);

impl Tokens {
    pub(crate) fn load(db: &Database) -> Result<Self, StoreError> {
        let mut all = HashMap::new();
        for row in db.begin_read()?.open_table(TOKENS)?.iter()? {
            let (hash, owner) = row?;
            if let Some(owner) = TokenOwner::parse(owner.value()) {
                all.insert(*hash.value(), owner);
            }
        }
        Ok(Self(RwLock::new(all)))
    }
}

impl Store {
    /// Keeps the SHA-256 of a token with its owner. Durable when it returns. Blocks.
    pub fn put_token(&self, hash: [u8; 32], owner: &TokenOwner) -> Result<(), StoreError> {
        let db = self.shared.db()?;
        let mut txn = db.begin_write()?;
        commit::harden(&mut txn)?;
        txn.open_table(TOKENS)?.insert(&hash, owner.to_string().as_str())?;
        txn.commit()?;
        self.shared.tokens.0.write().unwrap_or_else(PoisonError::into_inner).insert(hash, owner.clone());
        Ok(())
    }

    /// Whose token has this SHA-256. From memory.
    pub fn token(&self, hash: &[u8; 32]) -> Option<TokenOwner> {
        self.shared.tokens.0.read().unwrap_or_else(PoisonError::into_inner).get(hash).cloned()
    }
}
