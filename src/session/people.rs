//! People: each person's open connections over all sessions, and what is told on them beside the log.
//!
//! A read marker goes to all connections of its person, whatever session they read, and to nobody else. A presence goes
//! to those who read the session, but not to its author's own connections: whoever types knows it. That another
//! session of theirs has moved is told to a person's connections at most once a second for each session.
//!
//! None of it is logged, replayed or waited for. A connection holds a bounded number of words, of each subject the
//! latest, and gives them out when its reader has nothing of the log left to write: so they are the first to go where
//! somebody is slow. Only a person's own connections count: an assistant that reads for somebody is not their device.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::Weak;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use bytes::BytesMut;
use tokio::sync::Notify;
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio::time::sleep;
use tokio::time::timeout;
use vyre_proto::ids::Author;
use vyre_proto::ids::MessageId;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::PresenceState;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::record;

use crate::rules::caller::Person;
use crate::rules::presence;
use crate::rules::presence::Presences;
use crate::rules::presence::Present;
use crate::rules::readmarks::Mark;
use crate::session::Session;
use crate::session::Sessions;
use crate::session::registry::Running;
use crate::store::STALL;
use crate::store::Store;
use crate::store::people::MoveMark;

#[cfg(test)]
mod tests;

/// Words of one kind that wait on one connection. Of more than these the oldest go.
const SLOTS: usize = 32;

/// A session that moves is told of at most this often.
const HEADS_EVERY: Duration = Duration::from_secs(1);

/// Marks that wait for the disk. More are refused for the moment.
const MARKS_MAX: usize = 4096;

/// Why a mark was not moved.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ReadError {
    /// There is no such message, or so many came after it that its place is not known.
    #[error("there is no such message among the newest of this session")]
    NoMessage,
    /// Too many wait.
    #[error("too many read marks wait for the disk; send the newest again in a moment")]
    Busy,
    /// The store does not take it now.
    #[error("the box cannot store this now: {reason}; send it again")]
    Unavailable {
        /// Why.
        reason: String,
    },
}

/// What a word is about: a newer one of the same subject takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Subject {
    Presence(Author),
    Read(SessionId),
    Head(SessionId),
}

/// A word that waits.
struct Word {
    subject: Subject,
    record: Bytes,
    /// After this it says nothing true any more.
    until: Option<Instant>,
}

/// What waits on one connection.
struct Slots {
    /// The session that it reads.
    session: SessionId,
    filled: AtomicBool,
    ready: Notify,
    words: Mutex<VecDeque<Word>>,
}

impl Slots {
    fn put(&self, word: Word) {
        {
            let mut words = locked(&self.words);
            let same = std::mem::discriminant(&word.subject);
            words.retain(|w| w.subject != word.subject);
            if words.iter().filter(|w| std::mem::discriminant(&w.subject) == same).count() >= SLOTS
                && let Some(oldest) = words.iter().position(|w| std::mem::discriminant(&w.subject) == same)
            {
                words.remove(oldest);
            }
            words.push_back(word);
            self.filled.store(true, Ordering::Release);
        }
        self.ready.notify_one();
    }
}

/// A person's connection, for as long as its reader holds it.
pub(crate) struct Connection {
    people: Arc<People>,
    who: Author,
    slots: Arc<Slots>,
}

impl Connection {
    /// Puts what waits behind what is to go out.
    pub(crate) fn take(&self, out: &mut BytesMut) {
        if !self.slots.filled.swap(false, Ordering::Acquire) {
            return;
        }
        let words = std::mem::take(&mut *locked(&self.slots.words));
        let now = Instant::now();
        for word in words.into_iter().filter(|w| w.until.is_none_or(|until| now < until)) {
            out.extend_from_slice(&word.record);
        }
    }

    /// Waits until there is something to take. Cancel-safe.
    pub(crate) async fn ready(&self) {
        while !self.slots.filled.load(Ordering::Acquire) {
            self.slots.ready.notified().await;
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut open = locked(&self.people.open);
        if let Some(all) = open.get_mut(&self.who) {
            all.retain(|s| !Arc::ptr_eq(s, &self.slots));
            if all.is_empty() {
                open.remove(&self.who);
            }
        }
    }
}

type Answer = oneshot::Sender<Result<Mark, String>>;

/// Marks on their way to the disk.
#[derive(Default)]
struct Marks {
    waiting: Vec<(MoveMark, Answer)>,
    writing: bool,
}

/// Everybody's connections, and what is on its way to them.
#[derive(Default)]
pub(crate) struct People {
    open: Mutex<HashMap<Author, Vec<Arc<Slots>>>>,
    presences: Mutex<HashMap<SessionId, Presences>>,
    presence: Notify,
    moved: Mutex<Vec<Weak<Running>>>,
    stirred: Notify,
    marks: Mutex<Marks>,
}

impl People {
    /// A connection of this person that reads this session.
    pub(crate) fn connect(self: &Arc<Self>, who: &Person, session: &SessionId) -> Connection {
        let who = who.author().clone();
        let (filled, ready, words) = (AtomicBool::new(false), Notify::new(), Mutex::default());
        let slots = Arc::new(Slots { session: session.clone(), filled, ready, words });
        locked(&self.open).entry(who.clone()).or_default().push(slots.clone());
        Connection { people: self.clone(), who, slots }
    }

    /// The session has moved, or its title has changed. Costs a look where that was said already.
    pub(crate) fn stir(&self, running: &Arc<Running>) {
        if running.stirred.load(Ordering::Relaxed) || running.stirred.swap(true, Ordering::AcqRel) {
            return;
        }
        locked(&self.moved).push(Arc::downgrade(running));
        self.stirred.notify_one();
    }

    /// Puts a word on those connections of this person that read what `on` says.
    fn tell(&self, who: &Author, on: impl Fn(&SessionId) -> bool, word: impl Fn() -> Word) {
        let slots: Vec<_> = {
            let open = locked(&self.open);
            open.get(who).into_iter().flatten().filter(|s| on(&s.session)).cloned().collect()
        };
        slots.iter().for_each(|s| s.put(word()));
    }

    fn is_connected(&self, who: &Author, on: impl Fn(&SessionId) -> bool) -> bool {
        locked(&self.open).get(who).is_some_and(|all| all.iter().any(|s| on(&s.session)))
    }

    /// Tells a person's connections how far they have read.
    fn tell_mark(&self, who: &Author, session: &SessionId, mark: &Mark) {
        let data = Data::ReadMarker(pb::ReadMarker {
            upto: mark.message.to_string(),
            cur: mark.cur.get(),
            session: session.to_string(),
        });
        let record = ephemeral(session, who.as_str(), data);
        let word = || Word { subject: Subject::Read(session.clone()), record: record.clone(), until: None };
        self.tell(who, |_| true, word);
    }

    /// Moves all marks that wait. Blocks.
    fn write_marks(&self, store: &Store) {
        // Whatever happens here, the next mark is not kept waiting by it.
        struct Writing<'a>(&'a Mutex<Marks>);
        impl Drop for Writing<'_> {
            fn drop(&mut self) {
                locked(self.0).writing = false;
            }
        }
        let writing = Writing(&self.marks);
        loop {
            let waiting = {
                let mut marks = locked(&self.marks);
                if marks.waiting.is_empty() {
                    marks.writing = false;
                    std::mem::forget(writing);
                    return;
                }
                std::mem::take(&mut marks.waiting)
            };
            let (moves, answers): (Vec<_>, Vec<_>) = waiting.into_iter().unzip();
            match store.move_marks(&moves) {
                Ok(stand) => {
                    for ((m, (mark, moved)), answer) in moves.iter().zip(stand).zip(answers) {
                        if moved {
                            self.tell_mark(&m.who, &m.session, &mark);
                        }
                        let _ = answer.send(Ok(mark)); // Whoever asked may have gone.
                    }
                }
                Err(error) => {
                    tracing::error!(%error, marks = moves.len(), "read marks could not be stored");
                    answers.into_iter().for_each(|a| drop(a.send(Err(error.to_string()))));
                }
            }
        }
    }
}

impl Sessions {
    /// Somebody who takes part in this session types, does something, or nothing any more. Told to its other readers,
    /// at most every three seconds.
    pub fn present(&self, session: &Session, who: &Author, present: Present) {
        let people = &self.0.people;
        let shown = {
            let mut all = locked(&people.presences);
            let of_session = all.entry(session.id().clone()).or_default();
            let shown = of_session.say(self.0.clock.tick(), who, present);
            if of_session.is_empty() {
                all.remove(session.id());
            }
            shown
        };
        people.presence.notify_one();
        if let Some(present) = shown {
            self.tell_presence(session, who, present);
        }
    }

    fn tell_presence(&self, session: &Session, who: &Author, present: Present) {
        let readers: Vec<Author> = {
            let state = session.0.lock();
            // Of somebody who has gone nothing is told any more.
            if !state.has_participant(who) {
                return;
            }
            state.room.people().filter(|p| *p != who).cloned().collect()
        };
        let (state, doing) = match present {
            Present::Nothing => (PresenceState::None, String::new()),
            Present::Typing => (PresenceState::Typing, String::new()),
            Present::Doing(doing) => (PresenceState::Doing, doing.into()),
        };
        let data = Data::Presence(pb::Presence { who: who.to_string(), state: state as i32, doing });
        let record = ephemeral(session.id(), who.as_str(), data);
        let until = Instant::now() + presence::FADES;
        let word = || Word { subject: Subject::Presence(who.clone()), record: record.clone(), until: Some(until) };
        readers.iter().for_each(|reader| self.0.people.tell(reader, |s| s == session.id(), word));
    }

    /// Tells the presences that waited for their time. Gives when there is something to do again, counted from now.
    pub(crate) fn presences_due(&self) -> Option<Duration> {
        let now = self.0.clock.tick();
        let mut due = Vec::new();
        let next = {
            let mut all = locked(&self.0.people.presences);
            for (session, of_session) in all.iter_mut() {
                due.extend(of_session.due(now).into_iter().map(|(who, present)| (session.clone(), who, present)));
            }
            all.retain(|_, of_session| !of_session.is_empty());
            all.values().filter_map(Presences::next).min()
        };
        for (session, who, present) in due {
            // Nobody reads a session that does not run.
            if let Some(session) = self.running_one(&session) {
                self.tell_presence(&session, &who, present);
            }
        }
        next.map(|at| at.since(now))
    }

    /// This person has read the session up to this message. Gives where their mark stands, which may be further. Durable
    /// when it returns. A future that is dropped may have moved it.
    pub async fn read_upto(&self, session: &Session, who: &Person, message: &MessageId) -> Result<Mark, ReadError> {
        let who = who.author();
        let (log, landmarks, cur) = {
            let state = session.0.lock();
            let open = || state.adapter.open_messages().iter().any(|m| m.message == message.as_str());
            let cur = state.landmarks.find(message).or_else(|| open().then(|| state.log.head()));
            (state.log.id(), state.landmarks.clone(), cur)
        };
        let unavailable = |reason: String| ReadError::Unavailable { reason };
        let Some(cur) = cur else {
            // Said again of a message that has moved out of sight since.
            let (store, id, people) = (self.0.store.clone(), session.id().clone(), [who.clone()]);
            let read = tokio::task::spawn_blocking(move || store.marks_in(&id, &people)).await;
            let marks = read.map_err(|e| unavailable(e.to_string()))?.map_err(|e| unavailable(e.to_string()))?;
            return marks.into_iter().flatten().find(|m| m.message == *message).ok_or(ReadError::NoMessage);
        };
        let mark = Mark { message: message.clone(), log, cur };
        let to = MoveMark { who: who.clone(), session: session.id().clone(), mark, landmarks };
        let (answer, moved) = oneshot::channel();
        let write = {
            let mut marks = locked(&self.0.people.marks);
            if marks.waiting.len() >= MARKS_MAX {
                return Err(ReadError::Busy);
            }
            marks.waiting.push((to, answer));
            !std::mem::replace(&mut marks.writing, true)
        };
        if write {
            let (people, store) = (self.0.people.clone(), self.0.store.clone());
            drop(tokio::task::spawn_blocking(move || people.write_marks(&store)));
        }
        let mark = match timeout(STALL, moved).await {
            Ok(Ok(Ok(mark))) => mark,
            Ok(Ok(Err(reason))) => return Err(unavailable(reason)),
            Ok(Err(_)) => return Err(unavailable("the log says why".into())),
            Err(_) => return Err(unavailable(format!("the disk has not answered for {} s", STALL.as_secs()))),
        };
        // What is unread has changed with it.
        self.0.people.stir(&session.0);
        Ok(mark)
    }

    /// Tells people what moves beside what they read, for ever: whoever starts the box owns it.
    pub(crate) async fn tell_people(&self) {
        let heads = async {
            loop {
                self.0.people.stirred.notified().await;
                self.tell_heads().await;
                sleep(HEADS_EVERY).await;
            }
        };
        let presences = async {
            loop {
                match self.presences_due() {
                    None => self.0.people.presence.notified().await,
                    Some(wait) => tokio::select! {
                        () = self.0.people.presence.notified() => {}
                        // A moment more, or rounding would make it look twice.
                        () = sleep(wait + Duration::from_millis(1)) => {}
                    },
                }
            }
        };
        tokio::join!(heads, presences);
    }

    /// Tells of the sessions that have moved since the last time.
    pub(crate) async fn tell_heads(&self) {
        let moved = std::mem::take(&mut *locked(&self.0.people.moved));
        for running in moved.iter().filter_map(Weak::upgrade) {
            // Before the look: whatever comes after it is told the next time.
            running.stirred.store(false, Ordering::Release);
            self.tell_head(&Session(running)).await;
        }
    }

    async fn tell_head(&self, session: &Session) {
        let people = &self.0.people;
        let (title, retitled, mut who) = {
            let mut state = session.0.lock();
            if state.row.events == 0 {
                return;
            }
            let title = state.row.title.clone();
            let retitled = state.told_title.replace(title.clone()).is_some_and(|told| told != title);
            (title, retitled, state.room.people().cloned().collect::<Vec<_>>())
        };
        // Its own readers see it move. That its title has changed they do not.
        let on = |reads: &SessionId| retitled || reads != session.id();
        who.retain(|who| people.is_connected(who, on));
        if who.is_empty() {
            return;
        }
        let (log, head, landmarks, stays) = {
            let state = session.0.lock();
            let stays: Vec<_> = who.iter().map(|who| state.room.stays(who)).collect();
            (state.log.id(), state.log.head(), state.landmarks.clone(), stays)
        };
        let (store, id, asked) = (self.0.store.clone(), session.id().clone(), who.clone());
        let Ok(Ok(marks)) = tokio::task::spawn_blocking(move || store.marks_in(&id, &asked)).await else {
            return; // The store says itself what is wrong with it; the next move tries again.
        };
        for ((who, stays), mark) in who.iter().zip(&stays).zip(marks) {
            let unread = landmarks.unread(who, stays, mark.as_ref(), log);
            let (id, title) = (session.id().to_string(), title.clone());
            let data = Data::SessionHead(pb::SessionHead { session: id, head: head.get(), unread, title });
            let record = ephemeral(session.id(), "", data);
            let word = || Word { subject: Subject::Head(session.id().clone()), record: record.clone(), until: None };
            people.tell(who, on, word);
        }
    }

    /// Connections that are open now.
    #[cfg(test)]
    pub(crate) fn connections(&self) -> usize {
        locked(&self.0.people.open).values().map(Vec::len).sum()
    }
}

/// A record of a frame that is not of any log.
fn ephemeral(session: &SessionId, author: &str, data: Data) -> Bytes {
    let (session, author) = (session.to_string(), author.to_owned());
    record::to_record(&pb::Frame { v: 1, session, author, data: Some(data), ..Default::default() })
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What these guard is whole after each step.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
