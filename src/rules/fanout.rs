//! Fan-out: one message that several assistants answer at once, side by side, and of whose answers one is kept.
//!
//! A message that is routed to more than one assistant opens a group: each of them has a place in it, with the id under
//! which it is to answer. That id follows from the message and the assistant, so whoever runs the assistant and whoever
//! draws the group agree without a word more, also after a restart. Keeping one answer takes nothing away: screens show it
//! in front of the others, and the last word counts.

use std::collections::VecDeque;
use std::hash::Hasher;

use prost::Message;
use siphasher::sip128::Hasher128;
use siphasher::sip128::SipHasher13;
use vyre_proto::ids::Author;
use vyre_proto::ids::MessageId;
use vyre_proto::limits::ID_MAX;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data;

/// Groups that are remembered of one session, the newest ones: of an older one no answer can be kept any more.
pub const GROUPS_MAX: usize = 32;

/// Members that are remembered of one group.
pub const MEMBERS_MAX: usize = 64;

/// Why no answer is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refused {
    /// There is no such group, or it is too old.
    #[error("there is no such group among the newest of this session")]
    NoGroup,
    /// The answer is not one of the group's.
    #[error("this message is not one of the group's answers")]
    NoMember,
}

/// The id of the group that a message opens.
pub fn group_id(message: &MessageId) -> String {
    bounded(format!("fanout.{message}"))
}

/// The id under which this assistant answers a message that several answer.
pub fn answer_id(message: &MessageId, who: &Author) -> String {
    bounded(format!("{message}~{who}"))
}

/// The event that opens the group of a message, if more than one is to answer it.
pub fn opening(message: &MessageId, answer: &[Author]) -> Option<Data> {
    if answer.len() < 2 {
        return None;
    }
    let member = |who: &Author| pb::FanoutMember { who: who.to_string(), message: answer_id(message, who) };
    let members = answer.iter().map(member).collect();
    Some(Data::RoomFanout(pb::RoomFanout { group: group_id(message), message: message.to_string(), members }))
}

/// An id of at most [`ID_MAX`] bytes, another one for another text.
fn bounded(text: String) -> String {
    if text.len() <= ID_MAX {
        return text;
    }
    let mut hasher = SipHasher13::new();
    hasher.write(text.as_bytes());
    format!("~{:032x}", hasher.finish128().as_u128())
}

#[derive(Clone, PartialEq, Message)]
struct Group {
    #[prost(string, tag = "1")]
    id: String,
    /// The answers' ids.
    #[prost(string, repeated, tag = "2")]
    members: Vec<String>,
    /// The one that is kept. Empty: none yet.
    #[prost(string, tag = "3")]
    keep: String,
}

#[derive(Clone, PartialEq, Message)]
struct Stored {
    #[prost(message, repeated, tag = "1")]
    groups: Vec<Group>,
}

/// The newest groups of one session.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fanouts {
    groups: VecDeque<Group>,
}

impl Fanouts {
    /// Takes in an event. True: something has changed.
    pub fn learn(&mut self, event: &pb::Event) -> bool {
        match &event.data {
            Some(Data::RoomFanout(told)) => {
                // Told again it changes nothing, as on a screen.
                if self.groups.iter().any(|g| g.id == told.group) {
                    return false;
                }
                if self.groups.len() >= GROUPS_MAX {
                    self.groups.pop_front();
                }
                let members = told.members.iter().take(MEMBERS_MAX).map(|m| m.message.clone()).collect();
                self.groups.push_back(Group { id: told.group.clone(), members, keep: String::new() });
                true
            }
            Some(Data::RoomFanoutKeep(told)) => {
                let group = self.groups.iter_mut().find(|g| g.id == told.group && g.keep != told.keep);
                group.map(|g| g.keep.clone_from(&told.keep)).is_some()
            }
            _ => false,
        }
    }

    /// Whether it is to be written down that this answer of the group is kept. False: it is so already.
    pub fn keep(&self, group: &str, keep: &str) -> Result<bool, Refused> {
        let group = self.groups.iter().find(|g| g.id == group).ok_or(Refused::NoGroup)?;
        if group.members.iter().any(|m| m == keep) { Ok(group.keep != keep) } else { Err(Refused::NoMember) }
    }

    /// The id under which this assistant is to answer this message, if that stands in a group of its own.
    pub fn answer(&self, message: &MessageId, who: &Author) -> Option<MessageId> {
        let (group, answer) = (group_id(message), answer_id(message, who));
        let group = self.groups.iter().find(|g| g.id == group)?;
        if group.members.contains(&answer) { MessageId::parse(&answer).ok() } else { None }
    }

    /// As bytes, for [`Fanouts::decode`].
    pub fn encode(&self) -> Vec<u8> {
        Stored { groups: self.groups.iter().cloned().collect() }.encode_to_vec()
    }

    /// Takes up what was stored. What cannot be read is forgotten.
    pub fn decode(bytes: &[u8]) -> Fanouts {
        let stored = Stored::decode(bytes).unwrap_or_default();
        Fanouts { groups: stored.groups.into_iter().take(GROUPS_MAX).collect() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn message(m: &str) -> MessageId {
        MessageId::parse(m).unwrap()
    }

    fn who(n: u8) -> Author {
        Author::parse(&format!("assistant:{n}")).unwrap()
    }

    fn event(data: Data) -> pb::Event {
        pb::Event { data: Some(data), ..Default::default() }
    }

    fn kept(group: &str, keep: &str) -> pb::Event {
        event(Data::RoomFanoutKeep(pb::RoomFanoutKeep { group: group.into(), keep: keep.into() }))
    }

    #[test]
    fn one_answer_is_no_group_and_two_are() {
        assert!(opening(&message("m"), &[]).is_none());
        assert!(opening(&message("m"), &[who(1)]).is_none());

        let Some(Data::RoomFanout(group)) = opening(&message("m"), &[who(1), who(2)]) else { panic!() };

        assert_eq!(group.group, "fanout.m");
        let members: Vec<_> = group.members.iter().map(|m| (m.who.as_str(), m.message.as_str())).collect();
        assert_eq!(members, [("assistant:1", "m~assistant:1"), ("assistant:2", "m~assistant:2")]);
    }

    #[test]
    fn an_answer_of_the_group_is_kept_and_the_last_word_counts() {
        let mut all = Fanouts::default();
        all.learn(&event(opening(&message("m"), &[who(1), who(2)]).unwrap()));

        assert_eq!(all.keep("fanout.x", "m~assistant:1"), Err(Refused::NoGroup));
        assert_eq!(all.keep("fanout.m", "m~assistant:3"), Err(Refused::NoMember));
        assert_eq!(all.keep("fanout.m", "m~assistant:1"), Ok(true));
        assert!(all.learn(&kept("fanout.m", "m~assistant:1")));
        assert_eq!(all.keep("fanout.m", "m~assistant:1"), Ok(false));
        assert_eq!(all.keep("fanout.m", "m~assistant:2"), Ok(true));
        assert_eq!(all.answer(&message("m"), &who(2)), Some(message("m~assistant:2")));
        assert_eq!(all.answer(&message("m"), &who(3)), None);
    }

    proptest! {
        #[test]
        fn ids_fit_and_stand_for_one_answer(m in "[a-z]{1,128}", n in "[a-z]{1,128}", one in 0..9u8, two in 0..9u8) {
            let (a, b) = (answer_id(&message(&m), &who(one)), answer_id(&message(&n), &who(two)));
            prop_assert!(MessageId::parse(&a).is_ok() && group_id(&message(&m)).len() <= ID_MAX);
            prop_assert_eq!(a == b, m == n && one == two);
        }

        /// Bounded, the same after it was stored, and told again it is the same.
        #[test]
        fn groups_are_bounded_and_survive_storing(steps in prop::collection::vec((0..60u8, 0..4u8), 0..120)) {
            let mut all = Fanouts::default();
            for (m, keep) in steps {
                let m = message(&m.to_string());
                let open = event(opening(&m, &[who(1), who(2)]).unwrap());
                let keep = kept(&group_id(&m), &answer_id(&m, &who(keep)));
                all.learn(&open);
                all.learn(&keep);
                let before = all.clone();
                prop_assert!(!all.learn(&open) && !all.learn(&keep));
                prop_assert_eq!(&all, &before);
                prop_assert!(all.groups.len() <= GROUPS_MAX);
                prop_assert_eq!(&Fanouts::decode(&all.encode()), &all);
            }
        }
    }
}
