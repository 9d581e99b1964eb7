//! Going back in a conversation: which message may be edited or tried again, and what of a session a branch takes along.
//!
//! Nothing is ever taken out of a log. A rewind is an event, a screen projects it, and whatever it would need is decided
//! before it is written. A branch is a session of its own that begins with the events of another one up to a message:
//! what had ended by then, without the comings and goings of the other room and without what still waited there.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use vyre_proto::ids::Author;
use vyre_proto::ids::AuthorKind;
use vyre_proto::ids::MessageId;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::UserState;
use vyre_proto::pb::stream::event::Data;
use vyre_proto::tick::Wall;

use crate::rules::room::EventNumber;
use crate::rules::room::RECENT_MAX;
use crate::rules::room::Room;
use crate::rules::room::RoomVer;
use crate::rules::room::Said;

/// Why a conversation is not taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refused {
    /// There is no such message, or it no longer counts.
    #[error("there is no such message here, or it no longer counts")]
    NoMessage,
    /// It is older than what is remembered.
    #[error("this message is too far back: the last {RECENT_MAX} can be edited or tried again; make a branch from it")]
    TooFarBack,
    /// Somebody else wrote it.
    #[error("only who wrote a message edits it or tries it again")]
    NotYours,
    /// An assistant works.
    #[error("an assistant is at work; stop it first")]
    Working,
    /// Somebody else has spoken since.
    #[error("others have written since; make a branch in place of it")]
    OthersSince,
    /// The box cannot read it.
    #[error("a private message is for no assistant, so there is nothing to edit or to try again")]
    Private,
    /// It waits still, or was taken back.
    #[error("this message was not said yet, or was taken back")]
    NotSaid,
}

/// What a session is taken back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The person's message that is edited or tried again.
    pub said: Said,
    /// The message before it that still counts; `None` where it is the first.
    pub before: Option<MessageId>,
}

/// The message that this person edits (`message` is a person's), or tries again (it may be the reply, too).
pub fn target(room: &Room, who: &Author, owner: bool, message: &MessageId, retry: bool) -> Result<Target, Refused> {
    let all: Vec<&Said> = room.messages().collect();
    let not_there = if room.remembers_all() { Refused::NoMessage } else { Refused::TooFarBack };
    let counts = |s: &Said| matches!(s.state, Some(UserState::Said | UserState::PickedUp));
    let named = all.iter().position(|s| s.message == *message).ok_or(not_there)?;
    let at = match (all[named].state, retry) {
        (Some(_), _) => named,
        (None, true) => all[..named].iter().rposition(|s| counts(s)).ok_or(not_there)?,
        (None, false) => return Err(Refused::NotYours),
    };
    let said = all[at];
    if !counts(said) {
        return Err(Refused::NotSaid);
    }
    if said.author.as_ref() != Some(who) && !owner {
        return Err(Refused::NotYours);
    }
    if said.private {
        return Err(Refused::Private);
    }
    if room.working().next().is_some() {
        return Err(Refused::Working);
    }
    let other = |s: &&Said| {
        let person = s.author.as_ref().filter(|a| a.kind() == AuthorKind::Person);
        counts(s) && person.is_some_and(|p| p != who && said.author.as_ref() != Some(p))
    };
    if all[at + 1..].iter().any(other) {
        return Err(Refused::OthersSince);
    }
    let before = all[..at].iter().rev().find(|s| s.state.is_none() || counts(s)).map(|s| s.message.clone());
    Ok(Target { said: said.clone(), before })
}

/// Looks through the events of a session for the message at which a branch leaves it.
#[derive(Debug)]
pub struct Search {
    message: MessageId,
    /// What had begun and not ended at the event at hand.
    open: Open,
}

/// What had begun and not ended.
#[derive(Debug, Default)]
struct Open {
    messages: BTreeSet<String>,
    calls: BTreeSet<String>,
    asks: BTreeSet<String>,
    /// Sent by persons, and waiting or taken back.
    waiting: BTreeSet<String>,
}

/// What a branch takes along.
#[derive(Debug)]
pub struct Branch {
    until: EventNumber,
    open: Open,
}

impl Search {
    /// For this message.
    pub fn new(message: MessageId) -> Search {
        Search { message, open: Open::default() }
    }

    /// Looks at the next event. Gives the branch where the message ends with it: for a person's message where it was
    /// sent.
    pub fn see(&mut self, event: &pb::Event, number: EventNumber) -> Option<Branch> {
        let data = event.data.as_ref()?;
        let open = &mut self.open;
        let ends = match data {
            Data::ThreadUser(d) => d.message == self.message.as_str(),
            Data::ThreadQueued(d) => {
                open.waiting.insert(d.message.clone());
                d.message == self.message.as_str()
            }
            Data::ThreadSent(d) => {
                if d.via != "steer" {
                    open.waiting.remove(&d.message);
                }
                d.message == self.message.as_str() && has_words(&d.text, &d.enc)
            }
            Data::ThreadSteered(d) => {
                open.waiting.remove(&d.message);
                false
            }
            Data::ThreadDelta(d) => begins(&mut open.messages, &d.message),
            Data::ThreadThinking(d) => begins(&mut open.messages, &d.message),
            Data::ThreadDone(d) => {
                open.messages.remove(&d.message);
                d.message == self.message.as_str()
            }
            Data::ThreadCut(d) => {
                open.messages.remove(&d.message);
                d.message == self.message.as_str()
            }
            Data::ThreadToolStarted(d) => begins(&mut open.calls, &d.call),
            Data::ThreadToolFinished(d) => {
                open.calls.remove(&d.call);
                false
            }
            Data::AskOpened(d) => begins(&mut open.asks, &d.ask),
            Data::AskAnswered(d) => {
                open.asks.remove(&d.ask);
                false
            }
            _ => false,
        };
        if !ends {
            return None;
        }
        // It is the last word of the branch, though it may still have waited.
        self.open.waiting.remove(self.message.as_str());
        Some(Branch { until: number, open: std::mem::take(&mut self.open) })
    }
}

/// Which events of a session one person has received, looked at in order from the first: by the same rule by which frames
/// are, of when they were in.
#[derive(Debug)]
pub struct Received {
    who: Author,
    room: Room,
    was_in: bool,
    /// The version of the room at which an assistant began what it is at: by author, by message and by call.
    began: BTreeMap<String, RoomVer>,
}

impl Received {
    /// Before the first event.
    pub fn by(who: Author) -> Received {
        Received { who, room: Room::new(), was_in: false, began: BTreeMap::new() }
    }

    /// Whether they received this event, the next one.
    pub fn sees(&mut self, event: &pb::Event, number: EventNumber) -> bool {
        self.room.learn(event, number);
        let now = self.room.ver();
        let since = self.room.since(&self.who);
        self.was_in |= since.is_some();
        let by_person = Author::parse(&event.actor).is_ok_and(|a| a.kind() == AuthorKind::Person);
        let piece = event.data.as_ref().and_then(piece_of);
        let ends = event.data.as_ref().is_some_and(ends_turn);
        // Whatever is written belongs to the earliest of what it may be part of.
        let parts = [Some(format!("a{}", event.actor)), piece.map(|id| format!("p{id}"))];
        let mut began = now;
        for part in parts.into_iter().flatten().filter(|_| !by_person) {
            began = began.min(*self.began.entry(part.clone()).or_insert(now));
            if ends {
                self.began.remove(&part);
            }
        }
        match since {
            Some(since) => by_person || since <= began,
            // Before they came for the first time people's words are theirs, and while they were away nothing is.
            None => by_person && !self.was_in,
        }
    }
}

/// The message or call that an event is a piece of.
fn piece_of(data: &Data) -> Option<&str> {
    match data {
        Data::ThreadDelta(d) => Some(&d.message),
        Data::ThreadThinking(d) => Some(&d.message),
        Data::ThreadDone(d) => Some(&d.message),
        Data::ThreadCut(d) => Some(&d.message),
        Data::ThreadToolStarted(d) => Some(&d.call),
        Data::ThreadToolProgress(d) => Some(&d.call),
        Data::ThreadToolFinished(d) => Some(&d.call),
        Data::ThreadShell(d) => Some(&d.call),
        Data::AskOpened(d) => Some(&d.ask),
        _ => None,
    }
}

/// Whether an assistant is through with what it was at.
fn ends_turn(data: &Data) -> bool {
    match data {
        Data::ThreadDone(_) | Data::ThreadCut(_) | Data::ThreadStopped(_) | Data::ThreadFailed(_) => true,
        Data::ThreadStatus(d) => d.state == "idle",
        _ => false,
    }
}

fn begins(open: &mut BTreeSet<String>, id: &str) -> bool {
    if !open.contains(id) {
        open.insert(id.to_owned());
    }
    false
}

fn has_words(text: &str, enc: &Option<pb::Encrypted>) -> bool {
    !text.is_empty() || enc.is_some()
}

impl Branch {
    /// The last event that belongs to it.
    pub fn until(&self) -> EventNumber {
        self.until
    }

    /// An event of the session that was left, as it stands in the branch. `None`: it does not.
    pub fn copy(&self, mut event: pb::Event, number: EventNumber, logged: Wall, into: &SessionId) -> Option<pb::Event> {
        let open = &self.open;
        let data = event.data.take()?;
        let data = match data {
            // What this session is, who is in it and what it is at, is its own.
            Data::ThreadStarted(_)
            | Data::ThreadBranched(_)
            | Data::ThreadStatus(_)
            | Data::ThreadStopping(_)
            | Data::ThreadStopped(_)
            | Data::ThreadFailed(_)
            | Data::RoomJoined(_)
            | Data::RoomLeft(_)
            | Data::ThreadUnqueued(_) => return None,
            Data::ThreadUser(d) if open.waiting.contains(&d.message) => return None,
            Data::ThreadUser(d) => Data::ThreadUser(pb::ThreadUser { to: Vec::new(), ..d }),
            // However it came to be said, there it is said.
            Data::ThreadQueued(d) if has_words(&d.text, &d.enc) && !open.waiting.contains(&d.message) => {
                let pb::ThreadQueued { message, text, enc, parent, mentions, .. } = d;
                Data::ThreadUser(pb::ThreadUser { message, text, enc, parent, mentions, to: Vec::new() })
            }
            Data::ThreadSent(d) if has_words(&d.text, &d.enc) && !open.waiting.contains(&d.message) => {
                let pb::ThreadSent { message, text, enc, .. } = d;
                Data::ThreadUser(pb::ThreadUser { message, text, enc, ..Default::default() })
            }
            Data::ThreadQueued(_) | Data::ThreadSent(_) | Data::ThreadSteered(_) => return None,
            Data::ThreadDelta(d) if open.messages.contains(&d.message) => return None,
            Data::ThreadThinking(d) if open.messages.contains(&d.message) => return None,
            Data::ThreadToolStarted(d) if open.calls.contains(&d.call) => return None,
            Data::ThreadToolProgress(d) if open.calls.contains(&d.call) => return None,
            Data::ThreadShell(d) if open.calls.contains(&d.call) => return None,
            Data::AskOpened(d) if open.asks.contains(&d.ask) => return None,
            Data::ThreadRewound(d) => Data::ThreadRewound(pb::ThreadRewound { again: Vec::new(), ..d }),
            other => other,
        };
        let time = if event.time == 0 { logged.0 } else { event.time };
        // By these the box knows how far a branch has come.
        if event.id.starts_with("branch.") {
            event.id = format!("copied.{}", number.0);
        }
        Some(pb::Event { session: into.to_string(), time, data: Some(data), ..event })
    }
}

#[cfg(test)]
mod tests {
    use vyre_proto::event::Event;

    use super::*;

    fn event(n: u64, actor: &str, name: &str, data: &str) -> pb::Event {
        let line = format!(r#"{{"id":"e{n}","name":"{name}","session":"s","actor":"{actor}","data":{data}}}"#);
        Event::from_json(line.as_bytes()).unwrap().into_inner()
    }

    fn events(all: &[(&str, &str, &str)]) -> Vec<pb::Event> {
        all.iter().zip(1..).map(|((actor, name, data), n)| event(n, actor, name, data)).collect()
    }

    fn room(events: &[pb::Event]) -> Room {
        let mut room = Room::new();
        for (event, n) in events.iter().zip(1..) {
            room.learn(event, EventNumber(n));
        }
        room
    }

    fn id(message: &str) -> MessageId {
        MessageId::parse(message).unwrap()
    }

    fn robin() -> Author {
        Author::person("robin").unwrap()
    }

    const R: &str = "person:robin";
    const K: &str = "person:kim";
    const A: &str = "assistant:a";

    fn talk() -> Vec<(&'static str, &'static str, &'static str)> {
        vec![
            (R, "thread.started", r#"{"title":"t","assistant":"assistant:a"}"#),
            (R, "thread.user", r#"{"message":"u1","text":"x"}"#),
            (A, "thread.delta", r#"{"message":"m1","text":"y"}"#),
            (A, "thread.done", r#"{"message":"m1"}"#),
            (R, "thread.user", r#"{"message":"u2","text":"x"}"#),
            (A, "thread.delta", r#"{"message":"m2","text":"y"}"#),
            (A, "thread.done", r#"{"message":"m2"}"#),
        ]
    }

    fn said(room: &Room, who: &Author, owner: bool, message: &str, retry: bool) -> Result<String, Refused> {
        target(room, who, owner, &id(message), retry).map(|t| t.said.message.to_string())
    }

    #[test]
    fn one_edits_ones_own_and_the_owner_any() {
        let room = room(&events(&talk()));
        let kim = Author::person("kim").unwrap();

        assert_eq!(said(&room, &robin(), false, "u1", false), Ok("u1".into()));
        assert_eq!(said(&room, &kim, false, "u1", false), Err(Refused::NotYours));
        assert_eq!(said(&room, &kim, true, "u1", false), Ok("u1".into()));
        assert_eq!(said(&room, &robin(), false, "m1", false), Err(Refused::NotYours));
        assert_eq!(said(&room, &robin(), false, "none", false), Err(Refused::NoMessage));
        let second = target(&room, &robin(), false, &id("u2"), false).unwrap();
        assert_eq!(second.before, Some(id("m1")));
    }

    #[test]
    fn a_reply_is_tried_again_by_what_it_answers() {
        let room = room(&events(&talk()));

        assert_eq!(said(&room, &robin(), false, "m2", true), Ok("u2".into()));
        assert_eq!(said(&room, &robin(), false, "u2", true), Ok("u2".into()));
    }

    #[test]
    fn what_could_not_be_sent_is_refused_before_anything_is_taken_back() {
        let mut working = talk();
        working.push((A, "thread.status", r#"{"state":"working"}"#));
        let mut others = talk();
        others.push((K, "thread.user", r#"{"message":"k","text":"x"}"#));
        let mut queued = talk();
        queued.push((R, "thread.queued", r#"{"message":"q","text":"x"}"#));
        let mut private = talk();
        private.push((R, "thread.user", r#"{"message":"p","enc":{"alg":"x","ct":"aGk="}}"#));

        let refused = |all: &[_], message| said(&room(&events(all)), &robin(), false, message, false).unwrap_err();
        assert_eq!(refused(&working, "u1"), Refused::Working);
        assert_eq!(refused(&others, "u1"), Refused::OthersSince);
        assert_eq!(refused(&queued, "q"), Refused::NotSaid);
        assert_eq!(refused(&private, "p"), Refused::Private);
    }

    #[test]
    fn what_is_older_than_the_remembered_is_named_so() {
        let mut all: Vec<_> = talk();
        let many: Vec<String> = (0..RECENT_MAX).map(|n| format!(r#"{{"message":"v{n}","text":"x"}}"#)).collect();
        all.extend(many.iter().map(|data| (R, "thread.user", data.as_str())));

        assert_eq!(said(&room(&events(&all)), &robin(), false, "u1", false), Err(Refused::TooFarBack));
    }

    /// Names of the events that a branch takes along, with what they are about.
    fn copied(all: &[(&str, &str, &str)], at: &str) -> Option<Vec<String>> {
        let all = events(all);
        let mut search = Search::new(id(at));
        let branch = all.iter().zip(1..).find_map(|(e, n)| search.see(e, EventNumber(n)))?;
        let into = SessionId::parse("b").unwrap();
        let within = all.into_iter().take(usize::try_from(branch.until().0).unwrap());
        let copies = within.filter_map(|e| branch.copy(e, EventNumber(0), Wall(7), &into)).map(|e| {
            let e = Event::check(e).unwrap();
            assert_eq!((e.session().as_str(), e.get().time), ("b", 7));
            e.name().to_owned()
        });
        Some(copies.collect())
    }

    #[test]
    fn a_branch_takes_along_what_had_ended_and_nothing_of_the_room() {
        let all = [
            (R, "thread.started", r#"{"title":"t","assistant":"assistant:a"}"#),
            (R, "room.joined", r#"{"who":"person:kim"}"#),
            (R, "thread.user", r#"{"message":"u1","text":"x","to":["assistant:a"]}"#),
            (A, "thread.status", r#"{"state":"working"}"#),
            (A, "thread.tool-started", r#"{"call":"c1","tool":"t"}"#),
            (A, "thread.tool-started", r#"{"call":"c2","tool":"t"}"#),
            (A, "thread.tool-finished", r#"{"call":"c1","tool":"t","ok":true}"#),
            (A, "thread.delta", r#"{"message":"m1","text":"y"}"#),
            ("model:b", "thread.delta", r#"{"message":"other","text":"y"}"#),
            (K, "thread.queued", r#"{"message":"q","text":"x"}"#),
            (A, "ask.opened", r#"{"ask":"a","question":"?"}"#),
            (A, "thread.done", r#"{"message":"m1"}"#),
            (R, "thread.user", r#"{"message":"after","text":"x"}"#),
        ];

        let want = ["thread.user", "thread.tool-started", "thread.tool-finished", "thread.delta", "thread.done"];
        assert_eq!(copied(&all, "m1").unwrap(), want);
        assert_eq!(copied(&all, "nothing"), None);
        assert_eq!(copied(&all, "other"), None, "it has not ended");
    }

    #[test]
    fn what_was_queued_and_taken_is_said_in_the_branch() {
        let all = [
            (R, "thread.queued", r#"{"message":"q1","text":"x"}"#),
            (R, "thread.queued", r#"{"message":"q2","text":"x"}"#),
            (R, "thread.unqueued", r#"{"message":"q2"}"#),
            (R, "thread.steered", r#"{"message":"q1"}"#),
            (A, "thread.delta", r#"{"message":"m","text":"y"}"#),
            (A, "thread.done", r#"{"message":"m"}"#),
        ];

        assert_eq!(copied(&all, "m").unwrap(), ["thread.user", "thread.delta", "thread.done"]);
        assert_eq!(copied(&all, "q1").unwrap(), ["thread.user"]);
    }
}
