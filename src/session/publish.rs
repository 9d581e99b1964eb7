//! Events in: the append of each to its session, and what makes a publisher wait.

use tokio::time::timeout;
use vyre_proto::event::Event;
use vyre_proto::event::EventError;
use vyre_proto::limits::RECORD_MAX;
use vyre_proto::pb::stream::event::Data;

use crate::session::PublishError;
use crate::session::Session;
use crate::session::SessionError;
use crate::session::Sessions;
use crate::session::state::Seen;
use crate::session::state::Wait;
use crate::store::CommitSeq;
use crate::store::NotDurable;
use crate::store::STALL;

/// Bytes that may be logged and not yet on disk; beyond it publishers wait.
const BACKLOG_MAX: u64 = 32 << 20;

/// From so many on the writer does not wait for more: a producer that sends as fast as it can is soon at the end of what
/// it may send unacknowledged.
const BACKLOG_HURRY: u64 = 128 << 10;

/// Events appended under one hold of a session's lock.
const RUN_MAX: usize = 256;

/// What became of a batch of events.
#[derive(Debug, Default)]
pub struct Submitted {
    /// Logged now.
    pub accepted: u64,
    /// Known before.
    pub duplicates: u64,
    /// Refused, each with its place in the batch.
    pub refused: Vec<(usize, PublishError)>,
    /// All that was accepted or known is durable once this is reached. Grows from call to call.
    pub commit: CommitSeq,
}

impl Sessions {
    /// Takes events in order: stores and shows what is valid and new, names what is not. Waits where the store is
    /// behind (backpressure). Returns before the events are durable: wait for `commit`.
    ///
    /// A future that is dropped has taken the events before the one at which it waited; sending them all again is safe.
    pub async fn submit(&self, events: Vec<Event>) -> Submitted {
        self.submit_all(&events).await
    }

    /// [`Sessions::submit`], for whoever keeps the events or the room for them.
    pub async fn submit_all(&self, events: &[Event]) -> Submitted {
        let mut done = Submitted::default();
        let mut at = 0;
        while at < events.len() {
            // A run of events of one session goes under one hold of its lock.
            let session = events[at].session_text();
            let more = events[at + 1..].iter().take(RUN_MAX - 1).take_while(|e| e.session_text() == session);
            let len = 1 + more.count();
            self.run(&events[at..at + len], at, &mut done).await;
            at += len;
        }
        // A duplicate may be on its way to the disk still: everything marked so far covers it.
        done.commit = self.0.store.issued();
        done
    }

    /// Appends a run of events of one session.
    async fn run(&self, mut events: &[Event], mut at: usize, done: &mut Submitted) {
        while let Some(first) = events.first() {
            let error = match self.session_of(first).await {
                Ok(session) => match self.append(&session, events, done).await {
                    (_, None) => return,
                    (taken, Some(error)) => {
                        events = &events[taken..];
                        at += taken;
                        error
                    }
                },
                Err(error) => error,
            };
            // What refuses one event for the moment refuses the rest: their order is the producer's.
            if matches!(error, PublishError::Unavailable { .. }) {
                done.refused.extend((at..at + events.len()).map(|i| (i, error.clone())));
                return;
            }
            done.refused.push((at, error));
            events = &events[1..];
            at += 1;
        }
    }

    /// Appends what it can. Gives how many events it took, and why it stopped before the end.
    pub(crate) async fn append(
        &self,
        session: &Session,
        events: &[Event],
        done: &mut Submitted,
    ) -> (usize, Option<PublishError>) {
        let mut taken = 0;
        loop {
            if let Some(reason) = self.0.store.failing() {
                return (taken, Some(PublishError::Unavailable { reason: reason.to_string() }));
            }
            if let Err(error) = self.wait_for_backlog().await {
                return (taken, Some(error));
            }
            let (stop, accepted) = self.append_now(session, events, &mut taken, done);
            let marked = (accepted || stop == Some(Stop::Wait(Wait::Lease))).then(|| self.0.store.mark(&session.0));
            if let Some(seq) = marked.filter(|_| stop.is_some() || self.0.backlog.bytes() > BACKLOG_HURRY) {
                self.0.store.hurry(seq);
            }
            match stop {
                None => return (taken, None),
                Some(Stop::TooLarge(len)) => {
                    return (taken, Some(PublishError::Invalid(EventError::TooLarge { len })));
                }
                Some(Stop::Wait(Wait::Lease)) => {
                    // The commit that was marked extends the lease.
                    let mut durable = self.durable();
                    if let Err(error) = durable.wait_or_fail(marked.unwrap_or_default()).await {
                        return (taken, Some(PublishError::Unavailable { reason: error.to_string() }));
                    }
                }
                Some(Stop::Wait(Wait::Ids)) => {
                    if let Err(error) = self.read_ids(session).await {
                        return (taken, Some(error));
                    }
                }
                Some(Stop::Wait(Wait::Stopping)) => {
                    return (taken, Some(PublishError::Unavailable { reason: "it is stopping".into() }));
                }
            }
        }
    }

    /// One hold of the lock.
    fn append_now(
        &self,
        session: &Session,
        events: &[Event],
        taken: &mut usize,
        done: &mut Submitted,
    ) -> (Option<Stop>, bool) {
        let now = (self.0.clock.tick(), self.0.clock.wall());
        let key = self.0.store.id_key();
        let mut accepted = false;
        let mut state = session.0.lock();
        // What waited too long is over before anything else is heard: nobody brings it back by coming late.
        for event in state.overdue(session.id(), now.0) {
            match state.append(&event, now, key) {
                Ok(fresh) => accepted |= fresh,
                Err(wait) => return (Some(Stop::Wait(wait)), accepted),
            }
        }
        let stop = loop {
            let Some(event) = events.get(*taken) else { break None };
            let len = event.encoded_len();
            if len > RECORD_MAX {
                break Some(Stop::TooLarge(len));
            }
            match state.append(event, now, key) {
                Ok(true) => {
                    accepted = true;
                    done.accepted += 1;
                }
                Ok(false) => done.duplicates += 1,
                Err(wait) => break Some(Stop::Wait(wait)),
            }
            *taken += 1;
        };
        let head = state.log.head();
        drop(state);
        session.0.show(head);
        (stop, accepted)
    }

    async fn session_of(&self, event: &Event) -> Result<Session, PublishError> {
        if let Some(session) = self.running_here(event.session_text()) {
            return Ok(session);
        }
        let id = event.session();
        let starts = matches!(event.get().data, Some(Data::ThreadStarted(_)));
        match self.get_or(&id, starts).await {
            Ok(session) => Ok(session),
            Err(SessionError::NotFound) => Err(PublishError::UnknownSession { session: id }),
            Err(SessionError::Unavailable { reason }) => Err(PublishError::Unavailable { reason }),
        }
    }

    pub(super) async fn wait_for_backlog(&self) -> Result<(), PublishError> {
        let backlog = &self.0.backlog;
        while backlog.bytes() > BACKLOG_MAX {
            let shrunk = backlog.shrunk.notified();
            tokio::pin!(shrunk);
            shrunk.as_mut().enable();
            if backlog.bytes() <= BACKLOG_MAX {
                break;
            }
            if timeout(STALL, shrunk).await.is_err() {
                return Err(PublishError::Unavailable { reason: NotDurable::Stalled.to_string() });
            }
        }
        Ok(())
    }

    /// Reads the ids of earlier events: needed from the first publish on, and by no reader.
    pub(super) async fn read_ids(&self, session: &Session) -> Result<(), PublishError> {
        let number = session.0.lock().row.number;
        let store = self.0.store.clone();
        let read = tokio::task::spawn_blocking(move || store.event_ids(number)).await;
        let failed = |reason: String| PublishError::Unavailable { reason };
        let ids = read.map_err(|e| failed(e.to_string()))?.map_err(|e| failed(e.to_string()))?;
        let mut state = session.0.lock();
        if state.seen.is_none() {
            state.seen = Some(ids.into_iter().collect::<Seen>());
        }
        Ok(())
    }
}

/// Why an append stopped before the end of the run.
#[derive(Debug, PartialEq, Eq)]
enum Stop {
    Wait(Wait),
    TooLarge(usize),
}
