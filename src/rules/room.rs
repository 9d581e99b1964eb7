//! [`Room`]: what one session is, learned from its events: who is in it and since when, who works, what waits, what is
//! asked, where it came from.
//!
//! It is a function of the events alone, so it is the same after a restart, a crash or a seed. What a person or an
//! assistant may do to a session is decided by looking at it, under the same hold of the session's lock under which the
//! outcome is written down.
//!
//! What would surprise: an actor takes part without having joined, but never comes back by acting once it has left; in a
//! branch nobody takes part by the words that were copied into it; and an assistant that never says so (`thread.status`)
//! works from its first event to the end of its message.
//!
//! Words while somebody writes cost two comparisons ([`Room::learn`]); all else is bounded by the constants here.

mod stored;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::fmt;

use vyre_proto::cursor::Cursor;
use vyre_proto::ids::Author;
use vyre_proto::ids::AuthorKind;
use vyre_proto::ids::MessageId;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::UserState;
use vyre_proto::pb::stream::event::Data;
use vyre_proto::queue;
use vyre_proto::queue::QueueStep;

use crate::rules::stays::Stays;
use crate::rules::stays::Stretch;

pub use stored::RoomError;

/// Most that ever took part in one session. Whoever comes after them takes no part.
pub const MEMBERS_MAX: usize = 1024;

/// Most comings and goings remembered of one member, the latest ones.
pub const STAYS_MAX: usize = 32;

/// Most messages that wait in one session.
pub const QUEUE_MAX: usize = 64;

/// Messages remembered by their ids, the latest ones: so far back a message can be edited or tried again.
pub const RECENT_MAX: usize = 64;

/// Most assistants at work at once in one session.
pub const TURNS_MAX: usize = 64;

/// Most open calls remembered of one assistant's turn.
pub const CALLS_MAX: usize = 256;

/// Questions remembered in one session, open ones before answered ones.
pub const ASKS_MAX: usize = 64;

/// The version of who is in a room: it rises with everyone who comes or goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RoomVer(pub u64);

/// The number of an event in its session, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct EventNumber(pub u64);

/// From one version on, and until another one where it is over; each with the head of the log at that time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stay {
    from: RoomVer,
    after: Cursor,
    until: Option<(RoomVer, Cursor)>,
}

/// Somebody who took part at some time.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Member {
    who: Author,
    stays: VecDeque<Stay>,
}

impl Member {
    fn is_in(&self) -> bool {
        self.stays.back().is_some_and(|s| s.until.is_none())
    }
}

/// A message that waits for assistants to take it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Its id.
    pub message: MessageId,
    /// Who wrote it; `None` where the event does not say.
    pub author: Option<Author>,
    /// The event that holds its words.
    pub event: EventNumber,
    /// The assistants that fetch it. Empty: a producer hands it on.
    pub to: Vec<Author>,
    /// It was sent while the assistant worked. Else it was said, and waits for no safe point.
    pub queued: bool,
    /// It was handed to the running turn, which has not taken it yet: it cannot be taken back any more.
    pub handed: bool,
}

/// An assistant at work.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Turn {
    who: Author,
    /// It says itself when it works: the end of a message is not the end of its turn.
    declared: bool,
    /// Its open calls, the longest open one first.
    calls: VecDeque<Box<str>>,
}

/// A message that is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Its id.
    pub message: MessageId,
    /// Who wrote it; `None` where the event does not say.
    pub author: Option<Author>,
    /// The event that holds its words; of an assistant's message the one that ended it.
    pub event: EventNumber,
    /// What became of a person's message; `None` for an assistant's, which has ended.
    pub state: Option<UserState>,
    /// The box cannot read it.
    pub private: bool,
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Its id.
    pub ask: Box<str>,
    /// Who asked; `None` where the event does not say.
    pub by: Option<Author>,
    /// Who answered first, if somebody did: `Some(None)` where the event does not say who.
    pub answered: Option<Option<Author>>,
}

/// Where a branch came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The session.
    pub session: SessionId,
    /// The message at which it left.
    pub message: MessageId,
}

/// Somebody whose next words change nothing.
#[derive(Clone)]
struct Writer {
    actor: String,
    acts_for: String,
}

/// Most writers that are remembered at once.
const WRITERS_MAX: usize = 8;

/// What one session is.
#[derive(Clone, Default)]
pub struct Room {
    group: bool,
    ver: RoomVer,
    /// In the order in which they first came.
    members: Vec<Member>,
    default: Option<Author>,
    assigned: Option<Author>,
    speaker: Option<Author>,
    queue: VecDeque<Waiting>,
    turns: Vec<Turn>,
    asks: VecDeque<Question>,
    recent: VecDeque<Said>,
    /// Older messages than the remembered ones were there.
    forgotten: bool,
    origin: Option<Origin>,
    stopping: bool,
    held: bool,
    /// Not stored: the head of the log before the event that is learned.
    head: Cursor,
    /// Not stored: they only save work.
    writers: Vec<Writer>,
}

impl Room {
    /// The room of a session without events.
    pub fn new() -> Room {
        Room::default()
    }

    /// The head of the log at which the next event is learned: stays begin and end there.
    pub fn at(&mut self, head: Cursor) {
        self.head = head;
    }

    /// Takes in the event with this number, after all events before it. False: nothing has changed.
    pub fn learn(&mut self, event: &pb::Event, number: EventNumber) -> bool {
        let Some(data) = &event.data else { return false };
        let words = matches!(data, Data::ThreadDelta(_) | Data::ThreadThinking(_) | Data::ThreadToolProgress(_));
        if words && self.hears(event.actor.as_bytes(), event.acts_for.as_bytes()) {
            return false;
        }
        if !words {
            self.writers.clear();
        }
        self.take_part(&event.actor);
        self.take_part(&event.acts_for);
        self.learn_data(event, data, number);
        if words && self.worker(event).is_none_or(|who| self.is_working(&who)) {
            if self.writers.len() >= WRITERS_MAX {
                self.writers.remove(0);
            }
            self.writers.push(Writer { actor: event.actor.clone(), acts_for: event.acts_for.clone() });
        }
        true
    }

    /// Whether words of these, for whom they write, are all that came of late: more of them change nothing.
    pub fn hears(&self, actor: &[u8], acts_for: &[u8]) -> bool {
        self.writers.iter().any(|w| w.actor.as_bytes() == actor && w.acts_for.as_bytes() == acts_for)
    }

    fn learn_data(&mut self, event: &pb::Event, data: &Data, number: EventNumber) {
        match data {
            Data::ThreadStarted(d) => {
                self.group |= d.group;
                self.default = Author::parse(&d.assistant).ok();
                self.take_part(&d.assistant);
            }
            Data::ThreadUser(d) => {
                let asked = authors(&d.to);
                let told = Told { message: &d.message, to: asked, private: d.enc.is_some(), words: true };
                self.told(event, number, told, None);
            }
            Data::ThreadQueued(d) => {
                let words = !d.text.is_empty() || d.enc.is_some();
                let told = Told { message: &d.message, to: authors(&d.to), private: d.enc.is_some(), words };
                self.told(event, number, told, Some(QueueStep::Queued));
            }
            Data::ThreadSent(d) => {
                let words = !d.text.is_empty() || d.enc.is_some();
                let told = Told { message: &d.message, to: Vec::new(), private: d.enc.is_some(), words };
                self.told(event, number, told, Some(QueueStep::sent(&d.via)));
                if let (QueueStep::SentToSteer, Some(w)) = (QueueStep::sent(&d.via), self.place(&d.message)) {
                    w.handed = true;
                }
                self.taken(&d.message, &d.by, QueueStep::sent(&d.via));
            }
            Data::ThreadSteered(d) => {
                let told = Told { message: &d.message, to: Vec::new(), private: false, words: !d.text.is_empty() };
                self.told(event, number, told, Some(QueueStep::Steered));
                self.taken(&d.message, &d.by, QueueStep::Steered);
            }
            Data::ThreadUnqueued(d) => {
                let told = Told { message: &d.message, to: Vec::new(), private: false, words: false };
                self.told(event, number, told, Some(QueueStep::Unqueued));
            }
            Data::ThreadDelta(d) => self.writes(event, &d.message),
            Data::ThreadThinking(d) => self.writes(event, &d.message),
            Data::ThreadDone(d) => self.ended(event, &d.message, number),
            Data::ThreadCut(d) => self.ended(event, &d.message, number),
            Data::ThreadToolStarted(d) => {
                if let Some(turn) = self.worker(event).and_then(|who| self.turn(who)) {
                    turn.calls.retain(|c| **c != *d.call);
                    if turn.calls.len() >= CALLS_MAX {
                        turn.calls.pop_front();
                    }
                    turn.calls.push_back(d.call.as_str().into());
                }
            }
            Data::ThreadToolFinished(d) => {
                self.turns.iter_mut().for_each(|t| t.calls.retain(|c| **c != *d.call));
            }
            Data::ThreadStatus(d) => match d.state.as_str() {
                "working" => {
                    if let Some(turn) = self.worker(event).and_then(|who| self.turn(who)) {
                        turn.declared = true;
                    }
                }
                "stopping" => self.stop(),
                "idle" | "done" | "stopped" | "failed" => self.rest(event),
                _ => {}
            },
            Data::ThreadStopping(_) => self.stop(),
            Data::ThreadStopped(_) | Data::ThreadFailed(_) => self.rest(event),
            Data::AskOpened(d) => self.asked(event, &d.ask),
            Data::AskAnswered(d) => self.answered(event, &d.ask),
            Data::RoomJoined(d) => self.join(&d.who),
            Data::RoomLeft(d) => self.leave(&d.who),
            Data::RoomAssigned(d) => {
                self.assigned = Author::parse(&d.assistant).ok();
                self.take_part(&d.assistant);
            }
            Data::ThreadRewound(d) => self.rewound(d),
            Data::ThreadBranched(d) => {
                if let (Ok(session), Ok(message)) = (SessionId::parse(&d.session), MessageId::parse(&d.from)) {
                    self.origin = Some(Origin { session, message });
                }
            }
            Data::ThreadToolProgress(_)
            | Data::ThreadShell(_)
            | Data::ThreadFileChanged(_)
            | Data::TermCommand(_)
            | Data::RoomReaction(_)
            | Data::RoomPin(_)
            | Data::RoomMention(_)
            | Data::RoomFanout(_)
            | Data::RoomFanoutKeep(_) => {}
        }
    }

    /// Whether several persons talk here, or may.
    pub fn is_group(&self) -> bool {
        self.group
    }

    /// The version of who is in it now.
    pub fn ver(&self) -> RoomVer {
        self.ver
    }

    /// Whether this author takes part now.
    pub fn is_in(&self, who: &Author) -> bool {
        self.member(who).is_some_and(Member::is_in)
    }

    /// Whether this author took part once and does not now.
    pub fn has_left(&self, who: &Author) -> bool {
        self.member(who).is_some_and(|m| !m.is_in())
    }

    /// Whether this author took part at this version. Of many comings and goings the oldest are forgotten: then no.
    pub fn was_in(&self, who: &Author, ver: RoomVer) -> bool {
        let at = |s: &Stay| s.from <= ver && s.until.is_none_or(|(until, _)| ver < until);
        self.member(who).is_some_and(|m| m.stays.iter().any(at))
    }

    /// The version with which this author's stay began, if they take part now: each stay has its own.
    pub fn since(&self, who: &Author) -> Option<RoomVer> {
        self.member(who)?.stays.back().filter(|s| s.until.is_none()).map(|s| s.from)
    }

    /// When this author was in.
    pub fn stays(&self, who: &Author) -> Stays {
        let stretch = |s: &Stay| Stretch { since: s.from, after: s.after, until: s.until.map(|(_, head)| head) };
        Stays::new(self.member(who).iter().flat_map(|m| m.stays.iter().map(stretch)))
    }

    /// Everyone who takes part now, in the order in which they first came.
    pub fn participants(&self) -> impl Iterator<Item = &Author> {
        self.members.iter().filter(|m| m.is_in()).map(|m| &m.who)
    }

    /// Whether nobody like this author can come any more: so many took part.
    pub fn is_full_for(&self, who: &Author) -> bool {
        self.members.len() >= MEMBERS_MAX && self.member(who).is_none()
    }

    /// The persons who take part now.
    pub fn people(&self) -> impl Iterator<Item = &Author> {
        self.participants().filter(|a| a.kind() == AuthorKind::Person)
    }

    /// Whether more than one person is in the room, or was: then what some may not read is not said. Who is left when the
    /// others have gone is cleared for no more than before.
    pub fn several(&self) -> bool {
        self.group || self.people().count() > 1
    }

    /// The assistants and models that take part now.
    pub fn assistants(&self) -> impl Iterator<Item = &Author> {
        self.participants().filter(|a| a.kind() != AuthorKind::Person)
    }

    /// The assistant with which the session was started.
    pub fn default_assistant(&self) -> Option<&Author> {
        self.default.as_ref()
    }

    /// The assistant that is to answer where nobody is named.
    pub fn assigned(&self) -> Option<&Author> {
        self.assigned.as_ref()
    }

    /// Who spoke last: a person that sent, or an assistant whose message ended.
    pub fn previous_speaker(&self) -> Option<&Author> {
        self.speaker.as_ref()
    }

    /// The messages that wait, oldest first.
    pub fn waiting(&self) -> impl ExactSizeIterator<Item = &Waiting> {
        self.queue.iter()
    }

    /// Whether this assistant works now.
    pub fn is_working(&self, who: &Author) -> bool {
        self.turns.iter().any(|t| t.who == *who)
    }

    /// The assistants that work now.
    pub fn working(&self) -> impl Iterator<Item = &Author> {
        self.turns.iter().map(|t| &t.who)
    }

    /// Whether whoever this event tells of works now: its actor, or the assistant of the session where it names none.
    pub fn works(&self, event: &pb::Event) -> bool {
        self.worker(event).is_some_and(|who| self.is_working(&who))
    }

    /// Whether this assistant is between two calls or two turns: only there it takes messages.
    pub fn at_safe_point(&self, who: &Author) -> bool {
        self.turns.iter().find(|t| t.who == *who).is_none_or(|t| t.calls.is_empty())
    }

    /// The open calls of this assistant's turn, the longest open one first.
    pub fn open_calls(&self, who: &Author) -> impl Iterator<Item = &str> {
        self.turns.iter().filter(move |t| t.who == *who).flat_map(|t| t.calls.iter().map(|c| &**c))
    }

    /// The work is being stopped and has not ended yet.
    pub fn is_stopping(&self) -> bool {
        self.stopping
    }

    /// What waits was left by a stop: it goes with the next message that is to be answered, and not by itself.
    pub fn is_held(&self) -> bool {
        self.held
    }

    /// A question, if it is remembered.
    pub fn question(&self, ask: &str) -> Option<&Question> {
        self.asks.iter().find(|q| &*q.ask == ask)
    }

    /// The questions that nobody has answered, oldest first.
    pub fn open_questions(&self) -> impl Iterator<Item = &Question> {
        self.asks.iter().filter(|q| q.answered.is_none())
    }

    /// A message, if it is remembered and still counts.
    pub fn message(&self, message: &MessageId) -> Option<&Said> {
        self.recent.iter().rev().find(|s| s.message == *message)
    }

    /// The remembered messages that still count, oldest first.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Said> {
        self.recent.iter()
    }

    /// Whether [`Room::messages`] begins with the first message of the session.
    pub fn remembers_all(&self) -> bool {
        !self.forgotten
    }

    /// Where it came from, if it is a branch.
    pub fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }

    /// As bytes, for [`Room::decode`].
    pub fn encode(&self) -> Vec<u8> {
        stored::encode(self)
    }

    /// Takes up a stored room. On an error it is made again by learning the session's events from the first.
    pub fn decode(bytes: &[u8]) -> Result<Room, RoomError> {
        stored::decode(bytes)
    }

    fn member(&self, who: &Author) -> Option<&Member> {
        self.members.iter().find(|m| m.who == *who)
    }

    /// Somebody acts, or is acted for. Once gone they do not come back like this.
    fn take_part(&mut self, who: &str) {
        if who.is_empty() || self.members.iter().any(|m| m.who.as_str() == who) {
            return;
        }
        let Ok(author) = Author::parse(who) else { return };
        // What was copied into a branch was said in another room.
        let copied = self.origin.is_some() && author.kind() == AuthorKind::Person;
        if !copied {
            self.come(author);
        }
    }

    fn join(&mut self, who: &str) {
        let Ok(author) = Author::parse(who) else { return };
        if !self.is_in(&author) {
            self.come(author);
        }
    }

    fn come(&mut self, who: Author) {
        let ver = RoomVer(self.ver.0 + 1);
        // Whoever of the people comes first was there from the start: what came before was for them.
        let first =
            who.kind() == AuthorKind::Person && !self.members.iter().any(|m| m.who.kind() == AuthorKind::Person);
        let stay = match first {
            true => Stay { from: RoomVer(0), after: Cursor::ZERO, until: None },
            false => Stay { from: ver, after: self.head, until: None },
        };
        let full = self.members.len() >= MEMBERS_MAX;
        match self.members.iter_mut().find(|m| m.who == who) {
            Some(member) => {
                if member.stays.len() >= STAYS_MAX {
                    member.stays.pop_front();
                }
                member.stays.push_back(stay);
            }
            None if full => return,
            None => self.members.push(Member { who, stays: VecDeque::from([stay]) }),
        }
        self.ver = ver;
        self.group |= self.members.iter().filter(|m| m.who.kind() == AuthorKind::Person).count() > 1;
    }

    fn leave(&mut self, who: &str) {
        let until = RoomVer(self.ver.0 + 1);
        let Some(member) = self.members.iter_mut().find(|m| m.who.as_str() == who && m.is_in()) else { return };
        if let Some(stay) = member.stays.back_mut() {
            stay.until = Some((until, self.head));
        }
        self.ver = until;
        if self.assigned.as_ref().is_some_and(|a| a.as_str() == who) {
            self.assigned = None;
        }
    }

    /// Whose work an event tells of: its actor, or the assistant of the session where it names none.
    fn worker(&self, event: &pb::Event) -> Option<Author> {
        if event.actor.is_empty() {
            return self.default.clone();
        }
        Author::parse(&event.actor).ok().filter(|a| a.kind() != AuthorKind::Person)
    }

    /// The turn of this assistant, begun if need be.
    fn turn(&mut self, who: Author) -> Option<&mut Turn> {
        if let Some(at) = self.turns.iter().position(|t| t.who == who) {
            return self.turns.get_mut(at);
        }
        if self.turns.len() >= TURNS_MAX {
            self.turns.remove(0);
        }
        self.turns.push(Turn { who, declared: false, calls: VecDeque::new() });
        self.turns.last_mut()
    }

    /// Words of an assistant. What comes late for a message that has ended begins nothing.
    fn writes(&mut self, event: &pb::Event, message: &str) {
        let Some(who) = self.worker(event).filter(|who| !self.is_working(who)) else { return };
        let late = self.recent.iter().any(|s| s.state.is_none() && s.message.as_str() == message);
        if !late {
            self.turn(who);
        }
    }

    fn ended(&mut self, event: &pb::Event, message: &str, number: EventNumber) {
        let Some(who) = self.worker(event) else { return };
        self.turns.retain(|t| t.who != who || t.declared || !t.calls.is_empty());
        self.quiet();
        let Ok(message) = MessageId::parse(message) else { return };
        if self.message(&message).is_none() {
            let author = Some(who.clone());
            self.remember(Said { message, author, event: number, state: None, private: false });
        }
        self.speaker = Some(who);
    }

    /// The turn of whoever says so is over; of everybody where a person or nobody says so.
    fn rest(&mut self, event: &pb::Event) {
        match Author::parse(&event.actor).ok().filter(|a| a.kind() != AuthorKind::Person) {
            Some(who) => self.turns.retain(|t| t.who != who),
            None => self.turns.clear(),
        }
        self.quiet();
    }

    /// Where nobody works any more nothing is being stopped, and what a turn did not take waits again.
    fn quiet(&mut self) {
        if self.turns.is_empty() {
            self.stopping = false;
            self.queue.iter_mut().for_each(|w| w.handed = false);
        }
    }

    fn stop(&mut self) {
        self.stopping = !self.turns.is_empty();
        self.held = true;
    }

    /// A person's message, or a step of one.
    fn told(&mut self, event: &pb::Event, number: EventNumber, told: Told<'_>, step: Option<QueueStep>) {
        let Ok(message) = MessageId::parse(told.message) else { return };
        let author = Author::parse(&event.actor).ok();
        let known = self.recent.iter_mut().rev().find(|s| s.message == message);
        let (entered, state) = match known {
            Some(said) => {
                let next = step.and_then(|step| said.state.and_then(|now| queue::step(Some(now), step)));
                let Some(next) = next else { return };
                said.state = Some(next);
                (said.clone(), next)
            }
            // A step of a message that nothing is known of, without its words: it is older than what is remembered.
            None if !told.words && step.is_some_and(|s| s != QueueStep::Queued) => {
                self.forget_waiting(&message, step);
                return;
            }
            None => {
                let state = step.map_or(UserState::Said, QueueStep::state);
                let private = told.private;
                let said = Said {
                    message: message.clone(),
                    author: author.clone(),
                    event: number,
                    state: Some(state),
                    private,
                };
                self.remember(said.clone());
                self.speaker = author.or(self.speaker.take());
                (said, state)
            }
        };
        let asked = !told.to.is_empty();
        match state {
            UserState::Queued => self.wait(waiting(entered, told.to, true)),
            UserState::Said if asked && !told.private => self.wait(waiting(entered, told.to, false)),
            UserState::Said => {}
            UserState::Cancelled => self.queue.retain(|w| w.message != message),
            UserState::PickedUp => {} // By whom is told apart in `taken`.
        }
        // The next message that is to be answered takes along what a stop left.
        self.held &= !(asked || step == Some(QueueStep::Queued));
    }

    fn forget_waiting(&mut self, message: &MessageId, step: Option<QueueStep>) {
        if step == Some(QueueStep::Unqueued) {
            self.queue.retain(|w| w.message != *message);
        }
    }

    fn wait(&mut self, waiting: Waiting) {
        if self.queue.iter().any(|w| w.message == waiting.message) {
            return;
        }
        if self.queue.len() >= QUEUE_MAX {
            // What was said is not lost by it: it stands in the log. What is queued is never pushed out.
            match self.queue.iter().position(|w| !w.queued) {
                Some(at) => drop(self.queue.remove(at)),
                None => return,
            }
        }
        self.queue.push_back(waiting);
    }

    fn place(&mut self, message: &str) -> Option<&mut Waiting> {
        self.queue.iter_mut().find(|w| w.message.as_str() == message)
    }

    /// An assistant took a message; one that is not named takes it for all.
    fn taken(&mut self, message: &str, by: &str, step: QueueStep) {
        if step == QueueStep::SentToSteer {
            return;
        }
        let by = Author::parse(by).ok();
        self.queue.retain_mut(|w| {
            if w.message.as_str() != message {
                return true;
            }
            match &by {
                Some(by) => w.to.retain(|a| a != by),
                None => w.to.clear(),
            }
            // Once one has it nobody takes it back.
            w.handed = true;
            !w.to.is_empty()
        });
        if let Some(by) = by.filter(|a| a.kind() != AuthorKind::Person) {
            self.turn(by);
        }
    }

    fn remember(&mut self, said: Said) {
        if self.recent.len() >= RECENT_MAX {
            self.recent.pop_front();
            self.forgotten = true;
        }
        self.recent.push_back(said);
    }

    fn asked(&mut self, event: &pb::Event, ask: &str) {
        if let Some(who) = self.worker(event) {
            self.turn(who);
        }
        if self.question(ask).is_some() {
            return;
        }
        if self.asks.len() >= ASKS_MAX {
            let answered = self.asks.iter().position(|q| q.answered.is_some());
            self.asks.remove(answered.unwrap_or(0));
        }
        self.asks.push_back(Question { ask: ask.into(), by: Author::parse(&event.actor).ok(), answered: None });
    }

    fn answered(&mut self, event: &pb::Event, ask: &str) {
        let by = Author::parse(&event.actor).ok();
        if let Some(question) = self.asks.iter_mut().find(|q| &*q.ask == ask) {
            question.answered.get_or_insert(by);
        }
    }

    fn rewound(&mut self, rewound: &pb::ThreadRewound) {
        let first = self.recent.iter().position(|s| s.message.as_str() == rewound.message);
        let after = self.recent.iter().position(|s| s.message.as_str() == rewound.to).map(|at| at + 1);
        let keep = match (first, after) {
            (Some(first), _) => first,
            (None, Some(after)) => after,
            // It goes back behind what is remembered.
            (None, None) => 0,
        };
        // What waits is not part of the conversation yet, and stays. What one took already is part of it, and goes also for
        // those who were still to take it.
        let tail = self.recent.split_off(keep.min(self.recent.len()));
        let (stays, gone): (VecDeque<_>, VecDeque<_>) =
            tail.into_iter().partition(|s| s.state == Some(UserState::Queued));
        self.recent.extend(stays);
        let Self { recent, queue, .. } = self;
        let has = |all: &VecDeque<Said>, w: &Waiting| all.iter().any(|s| s.message == w.message);
        queue.retain(|w| has(recent, w) || (w.queued && !has(&gone, w)));
        self.speaker = self.recent.iter().rev().find_map(|s| s.author.clone());
        let again = authors(&rewound.again);
        let to = self.recent.iter().find(|s| s.message.as_str() == rewound.to).cloned();
        if let (false, Some(said)) = (again.is_empty(), to) {
            self.held = false;
            self.wait(waiting(said, again, false));
        }
    }
}

/// What an event tells of a person's message.
struct Told<'a> {
    message: &'a str,
    to: Vec<Author>,
    private: bool,
    /// Its words stand in the event.
    words: bool,
}

fn waiting(said: Said, to: Vec<Author>, queued: bool) -> Waiting {
    Waiting { message: said.message, author: said.author, event: said.event, to, queued, handed: false }
}

fn authors(all: &[String]) -> Vec<Author> {
    all.iter().filter_map(|a| Author::parse(a).ok()).collect()
}

impl fmt::Debug for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (members, waiting, working) = (self.members.len(), self.queue.len(), self.turns.len());
        write!(f, "Room({members} members, {waiting} waiting, {working} working, version {})", self.ver.0)
    }
}
