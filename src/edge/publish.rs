//! A producer that stays: `Publish` records in, `Published` records out, over any carrier.
//!
//! What has come is submitted in one go, and the next is read while the disk is still at work on it. Nothing is
//! acknowledged before it is durable, and no more than a window of events waits for that.

use std::collections::VecDeque;
use std::pin::pin;

use bytes::Bytes;
use tokio::task::yield_now;
use vyre_proto::head::End;
use vyre_proto::record::Decoder;
use vyre_proto::record::to_record;

use crate::edge::guard::Doors;
use crate::edge::pipe::Pipe;
use crate::edge::pipe::end_of;
use crate::edge::pipe::read_ready;
use crate::rules::caller::Caller;
use crate::session::Durable;
use crate::session::NotDurable;
use crate::tools::error::ToolError;
use crate::tools::event::EventsIn;
use crate::tools::event::Intake;
use crate::tools::event::Outcome;
use crate::tools::event::push_record;

/// Events of one stream that may wait for the disk. At 50 commits a second it allows a million events a second.
const WINDOW: u64 = 20_000;

/// Outcomes that may wait to be told. A record of broken events makes many.
const OUTCOMES_MAX: usize = 64;

/// Refusals in one outcome: some 100 KiB of a `Published` record.
const REFUSED_MAX: usize = 256;

/// Bytes that are taken in before they are submitted, while more is there to read.
const DRAIN_MAX: usize = 256 * 1024;

/// Most bytes that go to the readers at once where nothing else seems to have come. A producer that sends as fast as it can
/// sends more in one message.
const ALONE_MAX: usize = 4 * 1024;

/// One publish stream.
struct Publishing<'p, P> {
    pipe: &'p mut P,
    decoder: Decoder,
    intake: Intake,
    /// What waits to be durable, in order.
    waiting: VecDeque<Outcome>,
    durable: Durable,
    told: u64,
}

/// Serves a producer to its end, or until the token that it showed is taken back. `rest` came behind the stream's head.
pub async fn serve<P: Pipe>(doors: &Doors, producer: &Caller, pipe: &mut P, rest: Bytes) -> End {
    let sessions = doors.tools().sessions();
    let mut publishing = Publishing {
        pipe,
        decoder: Decoder::new(),
        intake: Intake::new(sessions),
        waiting: VecDeque::new(),
        durable: sessions.durable(),
        told: 0,
    };
    publishing.decoder.push_shared(rest);
    match publishing.run(doors, producer).await {
        Ok(()) => End::Done,
        Err(end) => end,
    }
}

impl<P: Pipe> Publishing<'_, P> {
    async fn run(&mut self, doors: &Doors, producer: &Caller) -> Result<(), End> {
        let mut open = true;
        self.take_records().await?;
        self.submit().await?;
        // Both waits stand from turn to turn: events come far more often than either ends.
        let mut moved = pin!(self.durable.clone().moved());
        let mut over = pin!(async {
            tokio::select! {
                biased;
                () = doors.closed() => End::Restart,
                () = doors.tools().signed_out(producer) => End::Unauthenticated,
            }
        });
        while open || !self.waiting.is_empty() {
            // What was there already is durable, and nothing more is coming that would say so.
            if self.waiting.front().is_some_and(|o| o.commit <= self.durable.reached()) {
                self.tell().await?;
                continue;
            }
            let room = self.taken().saturating_sub(self.told) < WINDOW;
            tokio::select! {
                biased;
                durable = &mut moved, if !self.waiting.is_empty() => {
                    self.tell().await?;
                    if durable.is_closed() && !self.waiting.is_empty() {
                        return Err(end_of(&ToolError::from(NotDurable::Closed)));
                    }
                    moved.set(durable.moved());
                }
                got = self.pipe.read(), if open && room => match got? {
                    Some(bytes) => open = self.take_in(bytes).await?,
                    None => open = false,
                },
                why = &mut over, if open => {
                    // What was taken is told; what was not comes again to the next box.
                    self.settle().await?;
                    return Err(why);
                }
            }
        }
        self.decoder.finish().map_err(|e| end_of(&ToolError::from(e)))
    }

    /// Takes bytes in, and what is there to read besides. Says whether the producer goes on.
    async fn take_in(&mut self, bytes: Bytes) -> Result<bool, End> {
        let mut taken = bytes.len();
        self.decoder.push_shared(bytes);
        self.take_records().await?;
        if taken <= ALONE_MAX && self.pipe.came_alone() {
            self.submit().await?;
            // The readers that were just woken write before this task looks whether there is more after all.
            yield_now().await;
            return Ok(true);
        }
        let mut open = true;
        while open && taken < DRAIN_MAX {
            match read_ready(self.pipe).await {
                None => break,
                Some(got) => match got? {
                    Some(bytes) => {
                        taken += bytes.len();
                        self.decoder.push_shared(bytes);
                        self.take_records().await?;
                    }
                    None => open = false,
                },
            }
        }
        self.submit().await?;
        if taken >= DRAIN_MAX {
            // There is more: the readers that were just woken write before this task looks further. Where there is none
            // they do so as soon as it waits, and a yield would only wake the other threads to look for work.
            yield_now().await;
        }
        Ok(open)
    }

    async fn take_records(&mut self) -> Result<(), End> {
        while let Some(record) = self.decoder.next().map_err(|e| end_of(&ToolError::from(e)))? {
            let mut events = EventsIn::new(record);
            while let Some(event) = events.next().map_err(|e| end_of(&e))? {
                push_record(&mut self.intake, event).await;
                if self.intake.refused() >= REFUSED_MAX {
                    self.submit().await?;
                }
            }
        }
        Ok(())
    }

    /// Submits what was taken in.
    async fn submit(&mut self) -> Result<(), End> {
        self.intake.flush().await;
        let outcome = self.intake.take();
        if outcome.stalled.is_some() {
            // The order of events is the producer's: it comes back and begins at the first that was not acknowledged.
            self.settle().await?;
            return Err(End::Overload);
        }
        if outcome.upto > self.taken() {
            self.waiting.push_back(outcome);
        }
        while self.waiting.len() > OUTCOMES_MAX {
            self.tell_front().await?;
        }
        Ok(())
    }

    /// Waits for everything and tells it.
    async fn settle(&mut self) -> Result<(), End> {
        while !self.waiting.is_empty() {
            self.tell_front().await?;
        }
        Ok(())
    }

    async fn tell_front(&mut self) -> Result<(), End> {
        let Some(commit) = self.waiting.front().map(|o| o.commit) else { return Ok(()) };
        self.durable.wait(commit).await.map_err(|e| end_of(&ToolError::from(e)))?;
        self.tell().await
    }

    /// Tells everything that is durable, in as few records as refusals allow.
    async fn tell(&mut self) -> Result<(), End> {
        let reached = self.durable.reached();
        while let Some(mut told) = self.pop_reached(reached, usize::MAX) {
            while let Some(more) = self.pop_reached(reached, REFUSED_MAX.saturating_sub(told.refused.len())) {
                told.join(more);
            }
            self.told = told.upto;
            self.pipe.write(to_record(&told.to_published())).await?;
        }
        Ok(())
    }

    fn pop_reached(&mut self, reached: crate::session::CommitSeq, refused_max: usize) -> Option<Outcome> {
        let next = self.waiting.front()?;
        if next.commit <= reached && next.refused.len() <= refused_max { self.waiting.pop_front() } else { None }
    }

    fn taken(&self) -> u64 {
        self.waiting.back().map_or(self.told, |o| o.upto)
    }
}
