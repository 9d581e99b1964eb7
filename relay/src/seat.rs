//! A place among those who are half way, held by a task: given back when it is dropped, and told when it is lost.

use std::hash::Hash;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::time::Duration;
use std::time::Instant;

use tokio::sync::Notify;
use vyre_proto::tick::Tick;

use crate::backlog::Backlog;
use crate::backlog::Full;
use crate::backlog::Place;
use crate::backlog::Room;

/// A [`Backlog`] that tasks share.
#[derive(Debug)]
pub struct Seats<S> {
    backlog: Mutex<Backlog<S, Arc<Notify>>>,
    started: Instant,
}

impl<S: Hash + Eq + Clone> Seats<S> {
    /// Nobody here.
    pub fn new(room: Room) -> Arc<Self> {
        Arc::new(Self { backlog: Mutex::new(Backlog::new(room)), started: Instant::now() })
    }

    /// Takes a seat. Where none is free, whoever has had one longest loses it, if that is `grace` ago.
    ///
    /// # Errors
    /// [`Full`].
    pub fn take(self: &Arc<Self>, source: S, grace: Duration) -> Result<Seat<S>, Full> {
        self.take_with(source, grace, Arc::new(Notify::new()))
    }

    /// [`Seats::take`], where it is `lost` that is told when the seat is lost.
    ///
    /// # Errors
    /// [`Full`].
    pub fn take_with(self: &Arc<Self>, source: S, grace: Duration, lost: Arc<Notify>) -> Result<Seat<S>, Full> {
        let now = Tick(u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX));
        let entered = self.backlog().enter(now, source, lost.clone(), grace)?;
        if let Some(other) = entered.evicted {
            other.notify_one();
        }
        Ok(Seat { seats: self.clone(), place: entered.place, lost })
    }

    /// How many are taken.
    pub fn taken(&self) -> usize {
        self.backlog().len()
    }

    /// No step of a backlog panics between two states that do not belong together.
    fn backlog(&self) -> MutexGuard<'_, Backlog<S, Arc<Notify>>> {
        self.backlog.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// See the module.
#[derive(Debug)]
pub struct Seat<S: Hash + Eq + Clone> {
    seats: Arc<Seats<S>>,
    place: Place,
    lost: Arc<Notify>,
}

impl<S: Hash + Eq + Clone> Seat<S> {
    /// Gives it back now; it cannot be lost any more unless it was already.
    pub fn leave(&self) {
        self.seats.backlog().leave(self.place);
    }

    /// Resolves when another one has got this seat. Safe to drop and to ask again.
    pub async fn lost(&self) {
        self.lost.notified().await;
    }
}

impl<S: Hash + Eq + Clone> Drop for Seat<S> {
    fn drop(&mut self) {
        self.leave();
    }
}
