//! Opening a session: a new one, one as a stop or a crash left it, or one that has events and no log.
//!
//! One opening at a time for each session, and nobody reads or publishes before it is done: so nothing can come between
//! a seed and what is live. Blocks; bounded by the size of the log, not of the store.

use bytes::Bytes;
use prost::Message;
use vyre_proto::ids::LogId;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::tick::Wall;

use crate::rules::adapter::Adapter;
use crate::rules::log::SessionLog;
use crate::rules::room::EventNumber;
use crate::rules::room::Room;
use crate::session::registry::Inner;
use crate::session::registry::Running;
use crate::session::registry::Session;
use crate::session::state::SILENCE;
use crate::session::state::State;
use crate::store::StoreError;
use crate::store::chunk::When;
use crate::store::read::EventRun;
use crate::store::tables::SessionRow;

/// Events read at a time while seeding, in bytes.
const SEED_STEP: usize = 1 << 20;

/// Opens the session `id`. `None`: there is none and none was to be made.
pub(crate) fn load(inner: &Inner, id: &SessionId, create: bool) -> Result<Option<Session>, StoreError> {
    let fresh_log = || SessionLog::new(LogId(inner.clock.random()));
    let start = |state| Running::new(id.clone(), state, inner.store.clone(), inner.people.clone());
    let Some(row) = inner.store.session(id)? else {
        if !create {
            return Ok(None);
        }
        let (adapter, room) = (Adapter::new(), Room::new());
        let row = SessionRow { run: inner.run, ..SessionRow::default() };
        let state = State::new(fresh_log(), adapter, room, row, inner.backlog.clone());
        return Ok(Some(Session(start(state))));
    };
    // Without the adapter's state nobody knows where the next words belong, and without the room nobody knows from which
    // cursor on somebody was in: then the log is made anew, too.
    let (adapter, room) = (Adapter::decode(&row.adapter), Room::decode(&row.room));
    let unread = adapter.is_err() || room.is_err();
    let other_run = row.run != inner.run;
    if row.events > 0 && (unread || row.mark().is_none() || row.projected < row.events) {
        let running = start(State::new(fresh_log(), Adapter::new(), Room::new(), row, inner.backlog.clone()));
        seed(inner, &running)?;
        {
            let mut state = running.lock();
            state.row.run = inner.run;
            if other_run {
                state.leave_open(inner.started + inner.resume_wait(), true);
            }
        }
        return Ok(Some(Session(running)));
    }
    let (log, lost) = row.mark().map_or_else(|| (fresh_log(), None), SessionLog::recover);
    let durable = log.durable();
    let silent = inner.clock.wall().0.saturating_sub(row.changed) > SILENCE.as_micros() as u64;
    let (adapter, room) = (adapter.unwrap_or_default(), room.unwrap_or_default());
    let restarted = lost.is_some() || other_run;
    let mut state = State::new(log, adapter, room, row, inner.backlog.clone());
    state.row.run = inner.run;
    state.heard = inner.clock.tick();
    if restarted {
        // Whoever was writing may come back and go on, but not for ever: the wait began when the box did.
        state.leave_open(inner.started + inner.resume_wait(), true);
    } else if silent {
        state.leave_open(inner.clock.tick() + inner.resume_wait(), false);
    }
    if let Some(span) = lost {
        tracing::warn!(session = %id, first = %span.first(), last = %span.end(), "cursors were lost in a crash");
        state.log_lost(id, span, durable);
    }
    let running = start(state);
    if lost.is_some() {
        inner.store.mark(&running);
    }
    Ok(Some(Session(running)))
}

/// The events of a run with their numbers. Where chunks between them could not be read the first ones have later
/// numbers than theirs: whoever looks an event up by its number looks whether it is the one.
pub(crate) fn numbered(run: &EventRun) -> impl Iterator<Item = (EventNumber, &(Wall, Bytes))> {
    let first = (run.last + 1).saturating_sub(run.events.len() as u64);
    (first..).map(EventNumber).zip(&run.events)
}

/// Makes the log of a session from its events, oldest first.
///
/// The log is new, so it has a new identity. Until the last event is in, the row says how far it came: a stop in between
/// begins the seed again, under another identity, and what it left is removed first.
fn seed(inner: &Inner, running: &std::sync::Arc<Running>) -> Result<(), StoreError> {
    let (number, events) = {
        let mut state = running.lock();
        state.begin_seed();
        (state.row.number, state.row.events)
    };
    tracing::info!(session = %running.id, events, "making the log from the stored events");
    let mut next = 1;
    while let Some(run) = inner.store.events(number, next, SEED_STEP)? {
        for ((number, (logged, event)), aged) in numbered(&run).zip(&run.aged) {
            let when = When { logged: *logged, aged: *aged };
            // What was stored was checked when it came; a damaged one is not shown.
            let Ok(event) = pb::Event::decode(event.clone()) else { continue };
            loop {
                if running.lock().seed(&event, number, when) {
                    break;
                }
                wait_for_commit(inner, running)?;
            }
        }
        if run.damaged > 0 {
            tracing::error!(session = %running.id, chunks = run.damaged, "stored events could not be read");
        }
        next = run.last + 1;
        running.lock().row.projected = run.last.min(events.saturating_sub(1));
        wait_for_commit(inner, running)?;
    }
    running.lock().end_seed();
    wait_for_commit(inner, running)
}

/// Writes what waits. Blocks until it is durable or the disk refuses.
fn wait_for_commit(inner: &Inner, running: &std::sync::Arc<Running>) -> Result<(), StoreError> {
    let seq = inner.store.mark(running);
    inner.store.wait_durable(seq)
}
