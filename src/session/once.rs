//! Calls that are made once, as they run: one at a time for each key, and known from the moment at which they are
//! written down, also while the disk does not take them.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use tokio::sync::OwnedMutexGuard;

use crate::rules::once::Kept;
use crate::rules::once::OnceKey;
use crate::session::SessionError;
use crate::session::Sessions;
use crate::session::state::hash_id;
use crate::store::CommitSeq;

/// Calls under way and calls that are not durable yet.
#[derive(Debug, Default)]
pub(crate) struct Calls(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    under_way: HashMap<OnceKey, Arc<tokio::sync::Mutex<()>>>,
    written: HashMap<OnceKey, (Kept, CommitSeq)>,
}

impl Calls {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A call was written down; it is durable once `seq` is.
    pub(crate) fn written(&self, key: OnceKey, kept: Kept, seq: CommitSeq, reached: CommitSeq) {
        let mut inner = self.lock();
        // What is durable is in the table.
        inner.written.retain(|_, (_, seq)| *seq > reached);
        inner.written.insert(key, (kept, seq));
    }
}

/// A call that has its key to itself.
#[derive(Debug)]
pub struct Call {
    key: OnceKey,
    kept: Option<Kept>,
    _alone: OwnedMutexGuard<()>,
}

impl Call {
    /// Its key.
    pub fn key(&self) -> OnceKey {
        self.key
    }

    /// What is kept of an earlier call with this key.
    pub fn kept(&self) -> Option<&Kept> {
        self.kept.as_ref()
    }
}

impl Sessions {
    /// A hash that nobody outside can make: whoever chooses the text cannot choose collisions.
    pub fn hash(&self, text: &str) -> u128 {
        hash_id(self.0.store.id_key(), text)
    }

    /// Waits until no other call with this key is under way, and tells what is kept of one that was.
    pub async fn call_once(&self, key: OnceKey) -> Result<Call, SessionError> {
        let place = {
            let mut inner = self.0.calls.lock();
            // Whoever still waits for a key, or has it, holds its place.
            inner.under_way.retain(|_, place| Arc::strong_count(place) > 1);
            inner.under_way.entry(key).or_default().clone()
        };
        let alone = place.lock_owned().await;
        // In this order: what leaves the memory is in the table by then.
        let written = self.0.calls.lock().written.get(&key).map(|(kept, _)| kept.clone());
        if written.is_some() {
            return Ok(Call { key, kept: written, _alone: alone });
        }
        let store = self.0.store.clone();
        let read = tokio::task::spawn_blocking(move || store.once(key)).await;
        let failed = |reason: String| SessionError::Unavailable { reason };
        let kept = read.map_err(|e| failed(e.to_string()))?.map_err(|e| failed(e.to_string()))?;
        Ok(Call { key, kept, _alone: alone })
    }

    /// Waits until everything that was written down so far is durable.
    pub async fn settled(&self) -> Result<(), crate::store::NotDurable> {
        let seq = self.0.store.issued();
        self.settle(seq).await
    }
}
