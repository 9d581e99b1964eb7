//! A reading: one session's frames, in order and once each, for as long as it is wanted.
//!
//! It only carries: bytes from carriers into the machine, actions out to carriers and to whoever reads. There is no task
//! and no channel between a socket and [`Reading::next`]; only an attempt that is being opened runs by itself, and ends
//! with the reading. What one read of a socket brought is given out without waiting in between, so a screen can paint
//! it in one go ([`Reading::take_ready`]).

use std::collections::VecDeque;
use std::future::Future;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Context;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use tokio::task::AbortHandle;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio::time::Sleep;
use tokio::time::sleep;
use vyre_proto::cursor::Cursor;
use vyre_proto::cursor::Span;
use vyre_proto::frame::Frame;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::resume::Action;
use vyre_proto::resume::AttemptId;
use vyre_proto::resume::Ending;
use vyre_proto::resume::Nudge;
use vyre_proto::resume::Position;
use vyre_proto::resume::Resume;
use vyre_proto::resume::State;
use vyre_proto::tick::Tick;

use super::carrier::Came;
use super::carrier::Carrier;
use super::carrier::Via;
use super::dial::Ways;
use super::limits;
use super::upgrade::Upgrade;
use crate::clock::Clock;

/// One thing that a reading gives out.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant)] // Nearly all of them are frames.
pub enum Update {
    /// Give it to the fold: new, and in its place.
    Frame(Frame),
    /// How the stream is. The last one is `Ended`.
    State {
        /// The state.
        state: State,
        /// The path of a live stream.
        via: Option<Via>,
    },
    /// These cursors cannot be had: say so.
    Missing(Span),
}

type Opened = (AttemptId, Result<(Carrier, Bytes), Ending>);

/// One session being read. Drop it to stop.
pub struct Reading {
    ways: Arc<Ways>,
    clock: Clock,
    session: SessionId,
    resume: Resume,
    opening: JoinSet<Opened>,
    upgrade: Upgrade,
    /// The look for a better path that runs.
    looking: JoinSet<bool>,
    foreground: bool,
    /// By which path the stream that stands came.
    via: Option<Via>,
    aborts: Vec<(AttemptId, AbortHandle)>,
    carriers: Vec<(AttemptId, Carrier)>,
    ready: VecDeque<Update>,
    given: Position,
    timer: Pin<Box<Sleep>>,
    /// What the timer is set to.
    alarm: Option<Tick>,
    /// Both clocks, as they were last seen.
    seen: (Tick, Instant),
    ended: bool,
}

impl Reading {
    pub(super) fn new(ways: Arc<Ways>, clock: Clock, session: SessionId, at: Position) -> Self {
        let now = clock.tick();
        let mut resume = Resume::new(at, u64::from_le_bytes(clock.random()));
        resume.start(now);
        Self {
            ways,
            clock,
            session,
            resume,
            opening: JoinSet::new(),
            upgrade: Upgrade::new(),
            looking: JoinSet::new(),
            foreground: true,
            via: None,
            aborts: Vec::new(),
            carriers: Vec::new(),
            ready: VecDeque::new(),
            given: at,
            timer: Box::pin(sleep(Duration::ZERO)),
            alarm: None,
            seen: (now, Instant::now()),
            ended: false,
        }
    }

    /// The next update; `None` after `Ended`. May be dropped at any point: nothing is lost.
    pub async fn next(&mut self) -> Option<Update> {
        loop {
            if let Some(update) = self.take_ready() {
                return Some(update);
            }
            if self.ended {
                return None;
            }
            poll_fn(|cx| self.poll_event(cx)).await;
        }
    }

    /// The next update, if it is there already.
    pub fn take_ready(&mut self) -> Option<Update> {
        if self.ready.is_empty() {
            self.act();
        }
        let update = self.ready.pop_front()?;
        if let Update::Frame(frame) = &update {
            match (&frame.get().data, frame.span()) {
                (Some(Data::Reset(r)), _) => {
                    self.given = Position {
                        last: Cursor::new(r.floor).unwrap_or_default().prev(),
                        log: r.log.parse().ok(),
                        view: (r.view != 0).then_some(r.view),
                    };
                }
                (_, Some(span)) => self.given.last = span.end(),
                (_, None) => {}
            }
        }
        if self.ready.is_empty() {
            self.given = self.resume.position();
        }
        Some(update)
    }

    /// The position with all updates counted that were given out, and no other: save it with the rows.
    pub fn position(&self) -> Position {
        self.given
    }

    /// The newest head that the box has told.
    pub fn head(&self) -> Cursor {
        self.resume.head()
    }

    /// Says what happened outside: the person acts, the network changed, the machine woke.
    pub fn nudge(&mut self, nudge: Nudge) {
        if nudge == Nudge::Network {
            self.ways.rebind();
            self.upgrade.forget();
        }
        self.resume.handle_nudge(self.clock.tick(), nudge);
    }

    /// Says whether the program is in front.
    pub fn set_foreground(&mut self, yes: bool) {
        self.foreground = yes;
        self.resume.set_foreground(yes);
    }

    fn act(&mut self) {
        while let Some(action) = self.resume.poll() {
            match action {
                Action::Deliver(frame) => self.ready.push_back(Update::Frame(frame)),
                Action::Open { attempt, at } => self.open(attempt, at),
                Action::Close { attempt } => self.close(attempt),
                Action::Probe { attempt } => {
                    if let Some((_, carrier)) = self.carriers.iter_mut().find(|(id, _)| *id == attempt) {
                        carrier.probe();
                    }
                }
                Action::State(state) => {
                    self.ended |= matches!(state, State::Ended(_));
                    // By the time a stream is live, it is the only one that has said anything.
                    let live = matches!(state, State::Live { .. });
                    let via = self.carriers.iter().max_by_key(|(id, _)| *id).filter(|_| live).map(|(_, c)| c.via);
                    self.mind_the_path(via);
                    self.ready.push_back(Update::State { state, via });
                }
                Action::Missing(span) => self.ready.push_back(Update::Missing(span)),
                // The way to a box is the person's to choose, and goes with a token: no answer changes it.
                Action::Paths(_) => {}
            }
        }
    }

    /// A stream stands on this path, or none does.
    fn mind_the_path(&mut self, via: Option<Via>) {
        self.looking.abort_all();
        self.looking.detach_all();
        match via {
            Some(via) => self.upgrade.stands(self.clock.tick(), self.ways.has_better(via)),
            None => self.upgrade.broke(),
        }
        self.via = via;
    }

    /// When to look for a better path. In the background the line is good enough, and the radio sleeps.
    fn look_at(&self) -> Option<Tick> {
        self.upgrade.look_at().filter(|_| self.foreground)
    }

    fn look(&mut self) {
        let Some(via) = self.via else { return };
        self.upgrade.looking();
        let ways = self.ways.clone();
        self.looking.spawn(async move { ways.is_better_there(via).await });
    }

    fn poll_looking(&mut self, cx: &mut Context<'_>) -> bool {
        let Poll::Ready(Some(looked)) = self.looking.poll_join_next(cx) else { return false };
        let now = self.clock.tick();
        if !self.upgrade.looked(now, looked.unwrap_or(false)) {
            return true;
        }
        self.ways.prefer_the_better();
        // As on another network: a stream is opened beside the one that runs, and its first record ends the other.
        self.resume.handle_nudge(now, Nudge::Network);
        true
    }

    fn open(&mut self, attempt: AttemptId, at: Position) {
        let (ways, session) = (self.ways.clone(), self.session.clone());
        let fresh = !self.aborts.is_empty() || !self.carriers.is_empty();
        let task = async move { (attempt, ways.open(&session, attempt, at, fresh).await) };
        self.aborts.push((attempt, self.opening.spawn(task)));
    }

    fn close(&mut self, attempt: AttemptId) {
        self.carriers.retain(|(id, _)| *id != attempt);
        self.aborts.retain(|(id, abort)| {
            if *id == attempt {
                abort.abort();
            }
            *id != attempt
        });
    }

    /// Ready when something was fed to the machine.
    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let mut fed = self.poll_opening(cx);
        fed |= self.poll_carriers(cx);
        fed |= self.poll_looking(cx);
        // Bytes come before timers: what waited in a socket is a sign of life.
        if fed || self.poll_timer(cx) { Poll::Ready(()) } else { Poll::Pending }
    }

    fn poll_opening(&mut self, cx: &mut Context<'_>) -> bool {
        let mut fed = false;
        while let Poll::Ready(Some(done)) = self.opening.poll_join_next(cx) {
            // One that was aborted is not waited for, and its id is gone.
            let Ok((attempt, opened)) = done else { continue };
            let Some(i) = self.aborts.iter().position(|(id, _)| *id == attempt) else { continue };
            self.aborts.swap_remove(i);
            let now = self.clock.tick();
            match opened {
                Ok((carrier, first)) => {
                    self.carriers.push((attempt, carrier));
                    self.resume.handle_life(now, attempt);
                    self.resume.handle_bytes(now, attempt, &first);
                }
                Err(ending) => self.resume.handle_end(now, attempt, ending),
            }
            fed = true;
        }
        fed
    }

    fn poll_carriers(&mut self, cx: &mut Context<'_>) -> bool {
        let mut fed = false;
        let mut over = None;
        for (attempt, carrier) in &mut self.carriers {
            for turn in 0..limits::TURN {
                let Poll::Ready(came) = carrier.poll_next(cx) else { break };
                fed = true;
                let now = self.clock.tick();
                match came {
                    Came::Bytes(bytes) => self.resume.handle_bytes(now, *attempt, &bytes),
                    Came::Life => self.resume.handle_life(now, *attempt),
                    Came::End(ending) => {
                        self.resume.handle_end(now, *attempt, ending);
                        over = Some(*attempt);
                        break;
                    }
                }
                if turn + 1 == limits::TURN {
                    // It has more, and is asked again when what it brought is taken.
                    cx.waker().wake_by_ref();
                }
            }
        }
        if let Some(attempt) = over {
            self.carriers.retain(|(id, _)| *id != attempt);
        }
        fed
    }

    fn poll_timer(&mut self, cx: &mut Context<'_>) -> bool {
        let now = self.clock.tick();
        let (tick, instant) = self.seen;
        let (ran, awake) = (now.since(tick), instant.elapsed());
        self.seen = (now, Instant::now());
        if ran > awake + limits::SLEPT {
            self.resume.handle_nudge(now, Nudge::Wake);
            return true;
        }
        loop {
            let now = self.clock.tick();
            if self.resume.wake_at().is_some_and(|t| t <= now) {
                self.resume.handle_wake(now);
                return true;
            }
            if self.look_at().is_some_and(|t| t <= now) {
                self.look();
                return true;
            }
            let look = now + limits::LOOK;
            let wake = [self.resume.wake_at(), self.look_at()].into_iter().flatten().fold(look, Tick::min);
            // A timer that rings too early does no harm, and setting one costs a lock.
            if self.alarm.is_none_or(|t| t > wake || t <= now) {
                self.timer.as_mut().reset(Instant::now() + wake.since(now));
                self.alarm = Some(wake);
            }
            if self.timer.as_mut().poll(cx).is_pending() {
                return false;
            }
            self.alarm = None;
        }
    }
}

impl std::fmt::Debug for Reading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Reading({} at {})", self.session, self.given.last)
    }
}
