//! Bearer tokens by their hash: on disk to last, in memory to be asked at each call.

use std::collections::HashMap;
use std::collections::HashSet;
use std::fmt;
use std::sync::PoisonError;
use std::sync::RwLock;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;

use redb::Database;
use redb::ReadableDatabase;
use redb::ReadableTable;
use tokio::sync::watch;
use vyre_proto::ids::Author;

use crate::rules::caller::TokenId;
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
pub(crate) struct Tokens {
    all: RwLock<HashMap<[u8; 32], TokenOwner>>,
    /// Taken back since the box started. Whoever showed one of them may still be on a line.
    revoked: watch::Sender<HashSet<TokenId>>,
    /// Whether any was: asked far more often than one is.
    any_revoked: AtomicBool,
}

impl Tokens {
    pub(crate) fn load(db: &Database) -> Result<Self, StoreError> {
        let mut all = HashMap::new();
        for row in db.begin_read()?.open_table(TOKENS)?.iter()? {
            let (hash, owner) = row?;
            if let Some(owner) = TokenOwner::parse(owner.value()) {
                all.insert(*hash.value(), owner);
            }
        }
        Ok(Self { all: RwLock::new(all), revoked: watch::Sender::default(), any_revoked: AtomicBool::new(false) })
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
        self.shared.tokens.all.write().unwrap_or_else(PoisonError::into_inner).insert(hash, owner.clone());
        Ok(())
    }

    /// Takes a token back: nobody is known by it any more, and whoever came by it is to go. Durable when it returns.
    /// Gives whose it was; `None` where there is none of this name. Blocks.
    pub fn revoke_token(&self, id: TokenId) -> Result<Option<TokenOwner>, StoreError> {
        let tokens = &self.shared.tokens;
        let named = |all: &HashMap<[u8; 32], TokenOwner>| all.keys().find(|h| TokenId::of(h) == id).copied();
        let Some(hash) = named(&tokens.all.read().unwrap_or_else(PoisonError::into_inner)) else { return Ok(None) };
        let db = self.shared.db()?;
        let mut txn = db.begin_write()?;
        commit::harden(&mut txn)?;
        txn.open_table(TOKENS)?.remove(&hash)?;
        txn.commit()?;
        let owner = tokens.all.write().unwrap_or_else(PoisonError::into_inner).remove(&hash);
        // In this order: who asks whether any was is never told no after the set has it.
        tokens.any_revoked.store(true, Ordering::Release);
        tokens.revoked.send_modify(|all| {
            all.insert(id);
        });
        Ok(owner)
    }

    /// Whether this token was taken back since the box started.
    pub fn is_revoked(&self, id: TokenId) -> bool {
        let tokens = &self.shared.tokens;
        tokens.any_revoked.load(Ordering::Acquire) && tokens.revoked.borrow().contains(&id)
    }

    /// Waits until this token is taken back. Cancel-safe.
    pub async fn revoked(&self, id: TokenId) {
        // The sender lives as long as `self`.
        let _ = self.shared.tokens.revoked.subscribe().wait_for(|all| all.contains(&id)).await;
    }

    /// Every token by its name, with its owner: by owner, then by name.
    pub fn tokens(&self) -> Vec<(TokenId, TokenOwner)> {
        let all = self.shared.tokens.all.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<_> = all.iter().map(|(hash, owner)| (TokenId::of(hash), owner.clone())).collect();
        all.sort_by_cached_key(|(id, owner)| (owner.to_string(), *id));
        all
    }

    /// Whose token has this SHA-256. From memory.
    pub fn token(&self, hash: &[u8; 32]) -> Option<TokenOwner> {
        self.shared.tokens.all.read().unwrap_or_else(PoisonError::into_inner).get(hash).cloned()
    }
}
