//! What slow readers leave lying, bounded over all streams.
//!
//! A direction of a stream that copies holds a batch. One whose reader does not keep up holds more: what the window of
//! its source lets come, and what its sink has not acknowledged. So only those that are behind have to be counted, and
//! each is counted as if it held all that it may. Behind is a direction from the moment in which a write has to wait
//! until the one in which there is nothing left to read; a reader that takes a byte now and then stays behind. So is a
//! phone on a WebSocket in the middle of a message, which is held until it is whole.
//!
//! When memory is used up, new streams are refused, and one that falls behind takes the place of the one that has been
//! behind longest.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use vyre_proto::ids::BoxId;

use crate::metrics::Metrics;
use crate::quota;
use crate::seat::Seat;
use crate::seat::Seats;

/// Where a stream's directions are counted while they are behind.
#[derive(Debug, Clone)]
pub struct Readers {
    seats: Arc<Seats<BoxId>>,
    at_box: BoxId,
}

impl Readers {
    /// Those of this box.
    pub fn of(seats: &Arc<Seats<BoxId>>, at_box: BoxId) -> Self {
        Self { seats: seats.clone(), at_box }
    }

    /// One direction, which is not behind.
    pub fn direction(&self) -> Direction {
        self.direction_of(Arc::new(Notify::new()))
    }

    /// One direction that does not run by itself: `cut` is told when it has to end.
    pub fn direction_of(&self, cut: Arc<Notify>) -> Direction {
        Direction { readers: self.clone(), cut, seats: Vec::new() }
    }
}

/// One direction of a stream. Not behind any more when it is dropped.
#[derive(Debug)]
pub struct Direction {
    readers: Readers,
    cut: Arc<Notify>,
    seats: Vec<Seat<BoxId>>,
}

impl Direction {
    /// Something was read that is not taken.
    pub fn falls_behind(&mut self) {
        self.holds(1);
    }

    /// So many bytes are held here beside what the windows hold, or instead of it.
    pub fn holds(&mut self, bytes: usize) {
        let Readers { seats, at_box } = &self.readers;
        let due = (bytes as u64).div_ceil(quota::BEHIND);
        while (self.seats.len() as u64) < due {
            // Without a grace there is always one that makes room.
            let Ok(seat) = seats.take_with(*at_box, Duration::ZERO, self.cut.clone()) else { return };
            self.seats.push(seat);
        }
    }

    /// All that was there has been taken.
    pub fn caught_up(&mut self) {
        self.seats.clear();
    }

    /// Resolves when another one has got a place of this one: it has to end, with `slow`. Counted.
    pub fn cut<'m>(&self, metrics: &'m Metrics) -> impl Future<Output = ()> + use<'m> {
        let cut = self.cut.clone();
        async move {
            cut.notified().await;
            metrics.streams_shed.add_one();
        }
    }
}
