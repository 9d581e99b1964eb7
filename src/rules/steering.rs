//! What may be done to a message on its way, to the work and to a question: one decision for each, by the [`Room`] as it is.
//!
//! A message that is sent while whoever is to answer works is queued; it is taken at the next safe point, between two
//! calls or turns of the assistant, or taken back by its author. After a stop what waits stays where it is, and goes with
//! the next message that somebody sends to be answered.

use vyre_proto::event::Event;
use vyre_proto::event::EventError;
use vyre_proto::ids::Author;
use vyre_proto::ids::MessageId;
use vyre_proto::ids::SessionId;
use vyre_proto::limits::ID_MAX;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::UserState;
use vyre_proto::pb::stream::event::Data;

use crate::rules::room::QUEUE_MAX;
use crate::rules::room::Room;
use crate::rules::room::Waiting;

/// Why something is not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refused {
    /// There is no such message, or it no longer counts.
    #[error("there is no such message here, or it no longer counts")]
    NoMessage,
    /// There is no such question.
    #[error("there is no such question here")]
    NoQuestion,
    /// An assistant has it.
    #[error("the assistant has taken this message already; send another, or stop the work")]
    TakenAlready,
    /// It did not wait.
    #[error("this message was not queued: it was said at once")]
    NotQueued,
    /// Only its author takes a message back.
    #[error("only who wrote a message takes it back")]
    NotYours,
    /// Somebody else was first.
    #[error("this question was answered already")]
    Answered,
    /// The id has other words.
    #[error("a message of this id was sent with other words; give every message an id of its own")]
    OtherWords,
    /// Too many wait.
    #[error("{QUEUE_MAX} messages wait here already; take one back, or wait until the assistant takes them")]
    QueueFull,
}

/// How a message that is sent now goes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// Said: nobody who is to answer works.
    Said,
    /// Queued until the next safe point.
    Queued,
}

/// How a message goes in that these are to answer. One that nobody answers is said.
pub fn entry(room: &Room, answer: &[Author]) -> Result<Entry, Refused> {
    let queued = answer.iter().any(|a| room.is_working(a));
    if !answer.is_empty() && room.waiting().len() >= QUEUE_MAX {
        return Err(Refused::QueueFull);
    }
    Ok(if queued { Entry::Queued } else { Entry::Said })
}

/// Whether this person takes this message back now. False: it is taken back already.
pub fn take_back(room: &Room, who: &Author, message: &MessageId) -> Result<bool, Refused> {
    let waiting = room.waiting().find(|w| w.message == *message);
    let said = room.message(message);
    let author = said.map(|s| s.author.as_ref()).or(waiting.map(|w| w.author.as_ref()));
    match author {
        None => return Err(Refused::NoMessage),
        Some(author) if author != Some(who) => return Err(Refused::NotYours),
        Some(_) => {}
    }
    match (said.and_then(|s| s.state), waiting) {
        (_, Some(w)) if w.handed => Err(Refused::TakenAlready),
        (_, Some(w)) if w.queued => Ok(true),
        (Some(UserState::Cancelled), _) => Ok(false),
        (Some(UserState::PickedUp), _) => Err(Refused::TakenAlready),
        _ => Err(Refused::NotQueued),
    }
}

/// What this assistant takes now, oldest first.
pub fn pick_up<'r>(room: &'r Room, assistant: &Author) -> Vec<&'r Waiting> {
    if room.is_held() || room.is_stopping() || !room.at_safe_point(assistant) {
        return Vec::new();
    }
    room.waiting().filter(|w| w.to.contains(assistant)).collect()
}

/// The event by which an assistant takes a message: into the running turn, or at the start of one.
pub fn taking(room: &Room, assistant: &Author, waiting: &Waiting) -> Data {
    let (message, by) = (waiting.message.to_string(), assistant.to_string());
    if room.is_working(assistant) {
        Data::ThreadSteered(pb::ThreadSteered { message, via: "steer".into(), text: String::new(), by })
    } else {
        Data::ThreadSent(pb::ThreadSent { message, via: "turn".into(), by, ..Default::default() })
    }
}

/// Whether a stop is to be written down: somebody works, and is not being stopped yet.
pub fn stop(room: &Room) -> bool {
    room.working().next().is_some() && !room.is_stopping()
}

/// Whether this question can be answered. `mine`: this very answer of this person stands already.
pub fn answer(room: &Room, ask: &str, mine: bool) -> Result<bool, Refused> {
    let question = room.question(ask).ok_or(Refused::NoQuestion)?;
    match (&question.answered, mine) {
        (None, _) => Ok(true),
        (Some(_), true) => Ok(false),
        (Some(_), false) => Err(Refused::Answered),
    }
}

/// An event of the box's own.
pub fn event(session: &SessionId, id: String, actor: Option<&Author>, data: Data) -> Result<Event, EventError> {
    let actor = actor.map_or_else(String::new, |a| a.to_string());
    Event::check(pb::Event { id, session: session.to_string(), actor, data: Some(data), ..Default::default() })
}

/// The id of the box's own event about this subject: the same for the same subject, and never too long.
pub fn own_id(verb: &str, subject: &str) -> String {
    let plain = format!("{verb}.{subject}");
    if plain.len() <= ID_MAX {
        return plain;
    }
    use siphasher::sip128::Hasher128;
    use std::hash::Hasher;
    let mut hasher = siphasher::sip128::SipHasher13::new();
    hasher.write(subject.as_bytes());
    format!("{verb}#{:032x}", hasher.finish128().as_u128())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::rules::room::EventNumber;
    use crate::rules::routing::Said;
    use crate::rules::routing::who_answers;

    fn a() -> Author {
        Author::parse("assistant:a").unwrap()
    }

    fn robin() -> Author {
        Author::person("robin").unwrap()
    }

    /// A session in which everything goes the way of the box.
    struct World {
        room: Room,
        events: u64,
    }

    impl World {
        fn start() -> World {
            let mut world = World { room: Room::new(), events: 0 };
            let started = pb::ThreadStarted { assistant: "assistant:a".into(), ..Default::default() };
            world.write(Some(&robin()), Data::ThreadStarted(started));
            world
        }

        fn write(&mut self, actor: Option<&Author>, data: Data) {
            self.events += 1;
            let session = SessionId::parse("s").unwrap();
            let event = event(&session, format!("e{}", self.events), actor, data).unwrap();
            self.room.learn(event.get(), EventNumber(self.events));
        }

        fn send(&mut self, message: &str) -> Result<Entry, Refused> {
            let said = Said { sender: &robin(), mentions: &[], parent: None, private: false };
            let answer = who_answers(&self.room, said);
            let entry = entry(&self.room, &answer)?;
            let (message, to, text) = (message.to_owned(), vec!["assistant:a".to_owned()], "x".to_owned());
            let data = match entry {
                Entry::Said => Data::ThreadUser(pb::ThreadUser { message, text, to, ..Default::default() }),
                Entry::Queued => Data::ThreadQueued(pb::ThreadQueued { message, text, to, ..Default::default() }),
            };
            self.write(Some(&robin()), data);
            Ok(entry)
        }

        fn take_back(&mut self, message: &str) -> Result<bool, Refused> {
            let back = take_back(&self.room, &robin(), &MessageId::parse(message).unwrap())?;
            if back {
                let data = pb::ThreadUnqueued { message: message.to_owned(), ..Default::default() };
                self.write(Some(&robin()), Data::ThreadUnqueued(data));
            }
            Ok(back)
        }

        fn pick_up(&mut self) -> Vec<String> {
            let taken: Vec<_> = pick_up(&self.room, &a()).into_iter().cloned().collect();
            // Both events of a run are decided by the same room.
            let data: Vec<_> = taken.iter().map(|w| taking(&self.room, &a(), w)).collect();
            data.into_iter().for_each(|d| self.write(Some(&robin()), d));
            taken.into_iter().map(|w| w.message.to_string()).collect()
        }

        fn assistant(&mut self, data: Data) {
            self.write(Some(&a()), data);
        }
    }

    #[derive(Debug, Clone)]
    enum Step {
        Send,
        TakeBack(u8),
        PickUp,
        Call,
        Return,
        Works,
        Idle,
        Stop,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => Just(Step::Send),
            3 => (0u8..20).prop_map(Step::TakeBack),
            3 => Just(Step::PickUp),
            2 => Just(Step::Call),
            2 => Just(Step::Return),
            2 => Just(Step::Works),
            2 => Just(Step::Idle),
            1 => Just(Step::Stop),
        ]
    }

    /// What became of a message, as whoever asked was told.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Told {
        Sent,
        TakenBack,
        PickedUp,
    }

    proptest! {
        #[test]
        fn every_message_has_one_end_and_none_is_lost(steps in prop::collection::vec(step(), 1..120)) {
            let mut world = World::start();
            let mut told: BTreeMap<String, (Entry, Told)> = BTreeMap::new();
            let mut calls = 0u32;
            for step in steps {
                match step {
                    Step::Send => {
                        let message = format!("m{}", told.len());
                        if let Ok(entry) = world.send(&message) {
                            told.insert(message, (entry, Told::Sent));
                        }
                    }
                    Step::TakeBack(n) => {
                        let message = format!("m{n}");
                        let known = told.get(&message).copied();
                        match (world.take_back(&message), known) {
                            (Ok(true), Some((entry, was))) => {
                                prop_assert_eq!((entry, was), (Entry::Queued, Told::Sent));
                                told.insert(message, (entry, Told::TakenBack));
                            }
                            (Ok(false), was) => prop_assert_eq!(was.map(|w| w.1), Some(Told::TakenBack)),
                            (Ok(true), None) => prop_assert!(false, "nothing was there"),
                            (Err(_), _) => {}
                        }
                    }
                    Step::PickUp => for message in world.pick_up() {
                        prop_assert_eq!(calls, 0, "inside a call");
                        let (entry, was) = told[&message];
                        prop_assert_eq!(was, Told::Sent);
                        told.insert(message, (entry, Told::PickedUp));
                    },
                    Step::Call => {
                        calls += 1;
                        let call = format!("c{calls}");
                        world.assistant(Data::ThreadToolStarted(pb::ThreadToolStarted { call, tool: "t".into(), ..Default::default() }));
                    }
                    Step::Return if calls > 0 => {
                        let call = format!("c{calls}");
                        calls -= 1;
                        world.assistant(Data::ThreadToolFinished(pb::ThreadToolFinished { call, tool: "t".into(), ..Default::default() }));
                    }
                    Step::Return => {}
                    Step::Works => world
                        .assistant(Data::ThreadStatus(pb::ThreadStatus { state: "working".into(), ..Default::default() })),
                    Step::Idle => {
                        calls = 0;
                        world.assistant(Data::ThreadStatus(pb::ThreadStatus { state: "idle".into(), ..Default::default() }));
                    }
                    Step::Stop => if stop(&world.room) {
                        world.write(Some(&robin()), Data::ThreadStopping(pb::ThreadStopping::default()));
                    },
                }
                let waits: Vec<_> = world.room.waiting().map(|w| w.message.to_string()).collect();
                let open: Vec<_> = told.iter().filter(|(_, t)| t.1 == Told::Sent).map(|(m, _)| m.clone()).collect();
                prop_assert_eq!(waits.len(), open.len());
                prop_assert!(open.iter().all(|m| waits.contains(m)), "{:?} are lost", open);
            }
        }

        #[test]
        fn an_own_id_fits_and_is_of_its_subject(one in "[a-z]{1,140}", two in "[a-z]{1,140}") {
            prop_assert!(own_id("send", &one).len() <= ID_MAX);
            prop_assert_eq!(own_id("send", &one) == own_id("send", &two), one == two);
        }
    }
}
