//! What a person or an assistant of this box does to a session: decided and written down in one step.
//!
//! The decision looks at the [`Room`] under the same hold of the session's lock under which its events are appended. So of
//! two that race (taking back and picking up, two answers to one question) the second sees what the first did, and exactly
//! one wins. The answer is given only when what was decided is durable; where the disk does not take it, it is refused
//! by name, and asking again is safe.

use std::sync::Arc;

use bytes::Bytes;
use prost::Message;
use vyre_proto::event::Event;
use vyre_proto::event::EventError;
use vyre_proto::ids::Author;
use vyre_proto::ids::MessageId;
use vyre_proto::ids::SessionId;
use vyre_proto::limits::RECORD_MAX;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data;
use vyre_proto::tick::Wall;

use crate::rules::fanout::Fanouts;
use crate::rules::room::EventNumber;
use crate::rules::room::Room;
use crate::rules::steering;
use crate::session::PublishError;
use crate::session::Session;
use crate::session::SessionError;
use crate::session::Sessions;
use crate::session::load::numbered;
use crate::session::state::FRAMES_PER_EVENT;
use crate::session::state::State;
use crate::store::CommitSeq;
use crate::store::NotDurable;
use crate::store::OnceRow;

/// Most events of one decision.
pub const EVENTS_MAX: usize = 128;

/// Who is told when a session wants something of an assistant that this box runs. Told at once and in order, and from
/// under no lock; must not block.
pub trait Addressed: Send + Sync {
    /// Whether this box runs this assistant. Messages to others wait for nobody: their producers do not fetch them.
    fn runs(&self, assistant: &Author) -> bool;

    /// Something waits for this assistant: [`Sessions::pick_up`] gives it.
    fn addressed(&self, session: &SessionId, assistant: &Author);

    /// A person wants the work in this session to stop. What waits stays where it is.
    fn stopping(&self, session: &SessionId);

    /// A person answered a question.
    fn answered(&self, session: &SessionId, ask: &str, answer: &str);

    /// What was said last no longer counts: an assistant that remembers it begins anew from what does.
    fn rewound(&self, session: &SessionId) {
        let _ = session;
    }
}

/// What somebody is to be told once a decision stands.
#[derive(Clone, PartialEq, Eq)]
pub enum Notice {
    /// Something waits for this assistant.
    Addressed(Author),
    /// The work is to stop.
    Stopping,
    /// What was said last no longer counts.
    Rewound,
    /// A question was answered.
    Answered {
        /// The question.
        ask: String,
        /// The answer.
        answer: String,
    },
}

/// What was decided.
pub struct Decided<T> {
    /// The box's own events, at most 128. None: all is as it should be already.
    pub events: Vec<Event>,
    /// Marks that [`Known::knows`] tells of for good; kept only beside an event.
    pub marks: Vec<String>,
    /// The call that this is, where it is made once; kept only beside an event.
    pub once: Option<OnceRow>,
    /// Who is to be told.
    pub notices: Vec<Notice>,
    /// What to answer once it is durable.
    pub answer: T,
}

impl<T> Decided<T> {
    /// Nothing has to be done.
    pub fn nothing(answer: T) -> Decided<T> {
        Decided { events: Vec::new(), marks: Vec::new(), once: None, notices: Vec::new(), answer }
    }

    /// These events.
    pub fn events(events: Vec<Event>, answer: T) -> Decided<T> {
        Decided { events, ..Decided::nothing(answer) }
    }
}

/// What is known of one session for good: the ids of its events, and marks.
pub struct Known<'a> {
    state: &'a State,
    key: &'a [u8; 16],
}

impl Known<'_> {
    /// Whether an event of this id was stored, or this mark was left.
    pub fn knows(&self, id: &str) -> bool {
        self.state.knows(id, self.key)
    }

    /// Whether the session has no events yet.
    pub fn is_new(&self) -> bool {
        self.state.row.events == 0
    }

    /// The newest groups of answers.
    pub fn fanouts(&self) -> &Fanouts {
        &self.state.fanouts
    }

    /// An id for the event in this place of the decision, from 0: of what is known by what it did, and never by its id.
    pub fn id(&self, verb: &str, place: usize) -> String {
        // Somebody may have used one before: a producer, or the session that a branch was copied from. Steps of as many as a
        // decision has places keep the ids of its events apart.
        let first = self.state.row.events + 1 + place as u64;
        let free = (first..).step_by(EVENTS_MAX).map(|n| format!("{verb}.{n}")).find(|id| !self.knows(id));
        free.unwrap_or_default()
    }
}

/// Why a decision does not stand.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ActError<E> {
    /// It was decided so.
    #[error("it was refused")]
    Refused(E),
    /// An event of it is known already, or cannot be stored.
    #[error("the box cannot write this down: {0}")]
    Invalid(EventError),
    /// The id of one of its events belongs to another event.
    #[error("this id was used for something else")]
    Taken,
    /// The store does not take it now; whether it stands is told by asking again.
    #[error("the box cannot store this now: {reason}; keep it and send it again")]
    Unavailable {
        /// Why.
        reason: String,
    },
}

impl<E> ActError<E> {
    fn unavailable(reason: impl ToString) -> Self {
        ActError::Unavailable { reason: reason.to_string() }
    }

    fn not_stored(e: PublishError) -> Self {
        match e {
            PublishError::Unavailable { reason } => ActError::Unavailable { reason },
            other => Self::unavailable(other),
        }
    }
}

impl<E> From<NotDurable> for ActError<E> {
    fn from(e: NotDurable) -> Self {
        Self::unavailable(e)
    }
}

/// A message that an assistant took.
#[derive(Clone, PartialEq, Eq)]
pub struct Picked {
    /// Its id.
    pub message: MessageId,
    /// Who wrote it: the reply is for them. `None` where nobody was named.
    pub author: Option<Author>,
    /// Its words.
    pub text: String,
    /// The message that it answers; may be empty.
    pub parent: String,
    /// Who is named in it.
    pub mentions: Vec<String>,
    /// The id under which it is to be answered, where several answer it side by side. `None`: any new one.
    pub answer: Option<MessageId>,
}

impl std::fmt::Debug for Picked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picked({} of {} bytes)", self.message, self.text.len())
    }
}

impl Sessions {
    /// Says who is to be told of what waits for assistants of this box. The first word counts.
    pub fn address_to(&self, who: Arc<dyn Addressed>) {
        // Whoever puts a box together says it once.
        let _ = self.0.addressed.set(who);
    }

    /// Whether this box runs this assistant.
    pub fn runs(&self, assistant: &Author) -> bool {
        self.0.addressed.get().is_some_and(|a| a.runs(assistant))
    }

    /// Decides and writes down in one step; answers when that is durable.
    ///
    /// `decide` may be asked again where the store had to be waited for before anything was written. It must not block.
    /// A future that is dropped has done all or nothing.
    pub async fn act<T, E>(
        &self,
        session: &Session,
        mut decide: impl FnMut(&Room, &Known<'_>) -> Result<Decided<T>, E>,
    ) -> Result<T, ActError<E>> {
        loop {
            if let Some(reason) = self.durable().failing() {
                return Err(ActError::unavailable(reason));
            }
            self.wait_for_backlog().await.map_err(ActError::not_stored)?;
            match self.act_now(session, &mut decide)? {
                Acted::Done(decided, seq) => {
                    self.settle(seq).await?;
                    return Ok(decided);
                }
                Acted::Lease(seq) => self.settle(seq).await?,
                Acted::Ids => self.read_ids(session).await.map_err(ActError::not_stored)?,
            }
        }
    }

    /// Gives this assistant what waits for it, oldest first, if it is at a safe point: between two of its calls or turns.
    /// From then on it works, and nobody can take those messages back.
    ///
    /// Nothing is given while a call of it is open, and nothing that a stop left before somebody sends again. Private
    /// messages are never given.
    pub async fn pick_up(&self, id: &SessionId, assistant: &Author) -> Result<Vec<Picked>, ActError<SessionError>> {
        let session = self.get(id).await.map_err(ActError::Refused)?;
        let taken = self
            .act(&session, |room, known| {
                let taken = steering::pick_up(room, assistant);
                let events = taken.iter().enumerate().map(|(n, w)| {
                    let data = steering::taking(room, assistant, w);
                    steering::event(id, known.id("taken", n), w.author.as_ref(), data)
                });
                let unavailable = |e: EventError| SessionError::Unavailable { reason: e.to_string() };
                let events = events.collect::<Result<Vec<_>, _>>().map_err(unavailable)?;
                Ok(Decided::events(events, taken.into_iter().cloned().collect::<Vec<_>>()))
            })
            .await?;
        let mut picked = Vec::with_capacity(taken.len());
        for waiting in taken {
            let words = self.words(&session, &waiting.message, waiting.author, waiting.event).await;
            let mut taken = words.map_err(ActError::Refused)?;
            taken.answer = session.0.lock().fanouts.answer(&taken.message, assistant);
            picked.push(taken);
        }
        Ok(picked)
    }

    /// The words of a person's message, from the event that holds them, which must be durable.
    pub async fn words(
        &self,
        session: &Session,
        message: &MessageId,
        author: Option<Author>,
        number: EventNumber,
    ) -> Result<Picked, SessionError> {
        let event = self.event(session, number).await?;
        let (text, parent, mentions) = match event.and_then(|e| e.data) {
            Some(Data::ThreadUser(d)) if d.message == message.as_str() => (d.text, d.parent, d.mentions),
            Some(Data::ThreadQueued(d)) if d.message == message.as_str() => (d.text, d.parent, d.mentions),
            Some(Data::ThreadSent(d)) if d.message == message.as_str() => (d.text, String::new(), Vec::new()),
            _ => {
                let reason = format!("the words of message {message} cannot be read any more");
                return Err(SessionError::Unavailable { reason });
            }
        };
        Ok(Picked { message: message.clone(), author, text, parent, mentions, answer: None })
    }

    /// A stored event by its number. It must be durable.
    async fn event(&self, session: &Session, number: EventNumber) -> Result<Option<pb::Event>, SessionError> {
        let run = self.events(session, number, 1).await?;
        let first = run.and_then(|run| run.events.into_iter().next());
        Ok(first.and_then(|(_, _, event)| pb::Event::decode(event).ok()))
    }

    /// Stored events from this number on, about `max` bytes of them. `None`: there are no more that are durable.
    pub async fn events(
        &self,
        session: &Session,
        from: EventNumber,
        max: usize,
    ) -> Result<Option<Events>, SessionError> {
        let (store, of) = (self.0.store.clone(), session.0.lock().row.number);
        let read = tokio::task::spawn_blocking(move || store.events(of, from.0, max)).await;
        let failed = |reason: String| SessionError::Unavailable { reason };
        let run = read.map_err(|e| failed(e.to_string()))?.map_err(|e| failed(e.to_string()))?;
        Ok(run.map(|run| Events {
            events: numbered(&run).map(|(number, (logged, event))| (number, *logged, event.clone())).collect(),
            next: EventNumber(run.last + 1),
        }))
    }

    /// Whether an event of this id was stored in a session, for good.
    pub async fn knows(&self, session: &Session, id: &str) -> Result<bool, SessionError> {
        let known = self.act(session, |_, known| Ok::<_, SessionError>(Decided::nothing(known.knows(id)))).await;
        known.map_err(|e| match e {
            ActError::Refused(e) => e,
            other => SessionError::Unavailable { reason: other.to_string() },
        })
    }

    /// The session of this name, made where there is none. Its first event is to follow.
    pub async fn make(&self, id: &SessionId) -> Result<Session, SessionError> {
        self.get_or(id, true).await
    }

    /// One hold of the lock.
    fn act_now<T, E>(
        &self,
        session: &Session,
        decide: &mut impl FnMut(&Room, &Known<'_>) -> Result<Decided<T>, E>,
    ) -> Result<Acted<T>, ActError<E>> {
        let now = (self.0.clock.tick(), self.0.clock.wall());
        let key = self.0.store.id_key();
        let mut state = session.0.lock();
        if state.stopping {
            return Err(ActError::unavailable("it is stopping"));
        }
        if state.seen.is_none() {
            return Ok(Acted::Ids);
        }
        if state.log.room() < FRAMES_PER_EVENT * EVENTS_MAX as u64 {
            state.want_lease();
            drop(state);
            return Ok(Acted::Lease(self.0.store.mark(&session.0)));
        }
        let decided = decide(&state.room, &Known { state: &state, key }).map_err(ActError::Refused)?;
        // All or nothing: what could stop the second event is looked at before the first.
        let too_large = decided.events.iter().map(|e| e.get().encoded_len()).find(|len| *len > RECORD_MAX);
        if let Some(len) = too_large {
            return Err(ActError::Invalid(EventError::TooLarge { len }));
        }
        if decided.events.len() > EVENTS_MAX || decided.events.iter().any(|e| state.knows(e.id_text(), key)) {
            return Err(ActError::Taken);
        }
        for event in &decided.events {
            // There is room, the ids are read and new, and nothing stops.
            if let Err(wait) = state.append(event, now, key) {
                tracing::error!(session = %session.id(), ?wait, "an event of the box's own was not appended");
            }
        }
        let appended = !decided.events.is_empty();
        if appended {
            decided.marks.iter().for_each(|mark| state.mark(mark, key));
            state.once.extend(decided.once.clone());
        }
        let head = state.log.head();
        drop(state);
        session.0.show(head);
        // What was known already may still be on its way to the disk: everything marked so far covers it.
        let seq = if appended { self.0.store.mark(&session.0) } else { self.0.store.issued() };
        if let (true, Some(once)) = (appended, decided.once) {
            self.0.calls.written(once.key, once.kept, seq, self.durable().reached());
        }
        self.tell(session, &decided.notices);
        Ok(Acted::Done(decided.answer, seq))
    }

    fn tell(&self, session: &Session, notices: &[Notice]) {
        let Some(who) = self.0.addressed.get() else { return };
        for notice in notices {
            match notice {
                Notice::Addressed(assistant) => who.addressed(session.id(), assistant),
                Notice::Stopping => who.stopping(session.id()),
                Notice::Rewound => who.rewound(session.id()),
                Notice::Answered { ask, answer } => who.answered(session.id(), ask, answer),
            }
        }
    }

    /// Waits until it is durable, and has the writer hurry: somebody stands still meanwhile.
    pub(super) async fn settle(&self, seq: CommitSeq) -> Result<(), NotDurable> {
        self.0.store.hurry(seq);
        self.durable().wait_or_fail(seq).await
    }
}

/// Stored events, in order.
#[derive(Debug, Clone)]
pub struct Events {
    /// Number, when the box took it, and the event, encoded.
    pub events: Vec<(EventNumber, Wall, Bytes)>,
    /// Where to go on.
    pub next: EventNumber,
}

/// What one hold of the lock came to.
enum Acted<T> {
    Done(T, CommitSeq),
    /// The lease must be extended on disk first.
    Lease(CommitSeq),
    /// The ids of earlier events must be read first.
    Ids,
}
