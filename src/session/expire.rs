//! What is old loses its content: in the log, in the events, in memory.
//!
//! It goes slice by slice, and each is decided beside the session and put in its place by the commit thread: the session's
//! lock is held to hand a slice over and to change what the ring has, and never while anything is read or written. The
//! events go first: should the box stop in between, the log has words that its events no longer have, and never the
//! other way round.
//!
//! A session that is opened is looked at before anybody reads it, so what grew old while the box was off is never shown.

use std::collections::BTreeSet;

use vyre_proto::tick::Wall;

use crate::rules::retention;
use crate::session::Session;
use crate::session::SessionError;
use crate::session::Sessions;
use crate::store::StoreError;
use crate::store::fade::Lane;
use crate::store::fade::Old;
use crate::store::fade::Slice;
use crate::store::keys::PERIOD;

/// Records changed under one hold of a session's lock.
const RUN: usize = 128;

fn failed(reason: impl ToString) -> SessionError {
    SessionError::Unavailable { reason: reason.to_string() }
}

impl Sessions {
    /// What is old now.
    fn old(&self) -> Option<Old> {
        let now = self.0.store.age_now();
        retention::cutoff(now, self.0.retain()?).map(Old::at)
    }

    /// Takes the content from what is old in every session, and the keys that are old with it. Nothing is looked at
    /// before `next`, on the clock by which things grow old. Gives when to look again.
    pub(crate) async fn expire_all(&self, next: Option<Wall>) -> Option<Wall> {
        let (now, old) = (self.0.store.age_now(), self.old()?);
        if next.is_some_and(|next| now < next) {
            return next;
        }
        match self.expire_old(old).await {
            Ok(oldest) => {
                // What comes later is younger than now.
                let oldest = oldest.map_or(now, |oldest| oldest.min(now));
                let retain = u64::try_from(self.0.retain()?.as_micros()).ok()?;
                Some(Wall(oldest.0.saturating_add(retain)))
            }
            Err(error) => {
                tracing::warn!(%error, "what is old could not be emptied yet");
                None
            }
        }
    }

    /// Gives when what is the oldest now was logged, or the oldest key ends.
    async fn expire_old(&self, old: Old) -> Result<Option<Wall>, SessionError> {
        let store = self.0.store.clone();
        let read = tokio::task::spawn_blocking(move || store.old_sessions(old)).await;
        let (due, oldest) = read.map_err(failed)?.map_err(failed)?;
        let some = !due.is_empty();
        for id in due {
            let session = self.get(&id).await?;
            self.expire_upto(&session, old).await?;
        }
        let store = self.0.store.clone();
        let dropped = tokio::task::spawn_blocking(move || {
            store.drop_keys(old)?;
            Ok::<_, StoreError>(store.first_key())
        });
        let first = dropped.await.map_err(failed)?.map_err(failed)?;
        if some {
            // What was looked at may have more behind it.
            return Ok(Some(old.cutoff));
        }
        let key_ends = first.map(|key| Wall(key.0.saturating_mul(PERIOD) - 1));
        Ok(oldest.into_iter().chain(key_ends).min())
    }

    /// Takes the content from what is old in this session.
    pub(crate) async fn expire(&self, session: &Session) -> Result<(), SessionError> {
        match self.old() {
            Some(old) => self.expire_upto(session, old).await,
            None => Ok(()),
        }
    }

    async fn expire_upto(&self, session: &Session, old: Old) -> Result<(), SessionError> {
        let _turn = session.0.expiring.lock().await;
        let (number, group, known) = {
            let state = session.0.lock();
            let known: BTreeSet<_> = state.adapter.messages().map(str::to_owned).collect();
            (state.row.number, state.room.is_group(), known)
        };
        if number == 0 {
            return Ok(());
        }
        for lane in [Lane::Events, Lane::Frames] {
            loop {
                let (store, known) = (self.0.store.clone(), known.clone());
                let look = move || store.look(number, lane, old, group, &known);
                let Some(mut pass) = tokio::task::spawn_blocking(look).await.map_err(failed)?.map_err(failed)? else {
                    break;
                };
                loop {
                    let store = self.0.store.clone();
                    let decide = tokio::task::spawn_blocking(move || store.decide(&mut pass).map(|s| (s, pass)));
                    let (slice, back) = decide.await.map_err(failed)?.map_err(failed)?;
                    pass = back;
                    let Some(slice) = slice else { break };
                    self.replace(session, slice).await?;
                }
            }
        }
        self.renew_row(session, old).await
    }

    /// Puts a slice in the place of what stands there.
    async fn replace(&self, session: &Session, slice: Slice) -> Result<(), SessionError> {
        session.0.lock().fade = Some(slice.fade);
        let seq = self.0.store.mark(&session.0);
        self.wait_durable(seq).await.map_err(failed)?;
        // Not before: what is gone here is gone after a crash, too.
        session.0.drawers.forget(&slice.emptied);
        for run in slice.emptied.chunks(RUN) {
            let mut state = session.0.lock();
            for (cur, record) in run {
                state.ring.replace(*cur, record.clone());
            }
        }
        Ok(())
    }

    /// Writes a session's row again where it is sealed under a key that is to go.
    async fn renew_row(&self, session: &Session, old: Old) -> Result<(), SessionError> {
        let (store, id) = (self.0.store.clone(), session.id().clone());
        let read = tokio::task::spawn_blocking(move || store.is_row_old(&id, old)).await;
        if read.map_err(failed)?.map_err(failed)? {
            session.0.lock().fade.get_or_insert_default();
            let seq = self.0.store.mark(&session.0);
            self.wait_durable(seq).await.map_err(failed)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
