//! Who answers a message: assistants that are named in it; else the assigned one; else the session's own, and that one
//! only where no person is talking to a person.
//!
//! Only what a person says is routed. What an assistant says calls nobody, whoever it names, so assistants never keep each
//! other going; nor does anything that the box cannot read. Names count as far as they take part: nobody is called in
//! from outside, and a name of somebody who is not there is only a word.

use vyre_proto::ids::Author;
use vyre_proto::ids::AuthorKind;
use vyre_proto::ids::MessageId;

use crate::rules::room::Room;

/// Most assistants that one message calls; more of those it names are not called.
pub const ANSWERS_MAX: usize = 16;

/// One message on its way in.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    /// Who says it.
    pub sender: &'a Author,
    /// Who is named in it.
    pub mentions: &'a [Author],
    /// The message that it replies to, if it is a reply.
    pub parent: Option<&'a MessageId>,
    /// Its words are encrypted for the screens.
    pub private: bool,
}

/// What a room is to somebody who speaks in it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Around<'a> {
    /// Who spoke before, or wrote the message that this one replies to.
    pub previous: Option<&'a Author>,
    /// The assistant that is to answer where nobody is named.
    pub assigned: Option<&'a Author>,
    /// The session's own assistant.
    pub default: Option<&'a Author>,
}

/// Who is to answer this message in this room, each once, in the order of naming. Empty: nobody.
pub fn who_answers(room: &Room, said: Said<'_>) -> Vec<Author> {
    let parent = said.parent.and_then(|parent| room.message(parent)).and_then(|m| m.author.as_ref());
    // A room that began without an assistant has one of its own once exactly one takes part.
    let only = || {
        let mut all = room.assistants();
        all.next().filter(|_| all.next().is_none())
    };
    let around = Around {
        previous: parent.or(room.previous_speaker()),
        assigned: room.assigned(),
        default: room.default_assistant().filter(|a| room.is_in(a)).or_else(only),
    };
    decide(said, around, |who| room.is_in(who))
}

/// The decision itself.
pub fn decide(said: Said<'_>, around: Around<'_>, is_in: impl Fn(&Author) -> bool) -> Vec<Author> {
    if said.private || is_assistant(said.sender) {
        return Vec::new();
    }
    let mut named: Vec<Author> = Vec::new();
    for who in said.mentions.iter().filter(|a| is_assistant(a) && is_in(a)) {
        if named.len() < ANSWERS_MAX && !named.contains(who) {
            named.push(who.clone());
        }
    }
    if !named.is_empty() {
        return named;
    }
    let here = |who: Option<&Author>| who.filter(|a| is_assistant(a) && is_in(a)).cloned();
    if let Some(assigned) = here(around.assigned) {
        return vec![assigned];
    }
    let other_person = |who: &&Author| !is_assistant(who) && *who != said.sender;
    let talks_to_a_person =
        around.previous.filter(other_person).is_some() || said.mentions.iter().any(|a| other_person(&a) && is_in(a));
    if talks_to_a_person { Vec::new() } else { here(around.default).into_iter().collect() }
}

fn is_assistant(who: &Author) -> bool {
    who.kind() != AuthorKind::Person
}

#[cfg(test)]
mod tests {
    use vyre_proto::pb::stream as pb;
    use vyre_proto::pb::stream::event::Data;

    use super::*;
    use crate::rules::room::EventNumber;

    fn a(who: &str) -> Author {
        Author::parse(who).unwrap()
    }

    const ANA: &str = "person:ana";
    const BEN: &str = "person:ben";
    const GONE: &str = "person:gone";
    const FOX: &str = "assistant:fox";
    const OWL: &str = "assistant:owl";
    const ELK: &str = "model:elk";
    const AWAY: &str = "assistant:away";

    fn is_in(who: &Author) -> bool {
        [ANA, BEN, FOX, OWL, ELK].contains(&who.as_str())
    }

    /// What the table says: who answers a message of Ana's.
    ///
    /// | private | sender | assistants named | assigned | a person named | previous | default | answers |
    /// |---|---|---|---|---|---|---|---|
    /// | yes | | | | | | | nobody |
    /// | no | not a person | | | | | | nobody |
    /// | no | person | some here | | | | | those |
    /// | no | person | none here | here | | | | the assigned one |
    /// | no | person | none here | not here | another, here | | | nobody |
    /// | no | person | none here | not here | none | another person | | nobody |
    /// | no | person | none here | not here | none | anybody else | here | the default |
    /// | no | person | none here | not here | none | anybody else | not here | nobody |
    #[test]
    fn the_whole_truth_table() {
        const DEFAULT: &str = FOX;
        const ASSIGNED: &str = OWL;
        let mentions: &[(&[&str], &[&str], bool)] = &[
            // Named; the assistants of them that are here; whether another person who is here is named.
            (&[], &[], false),
            (&[FOX], &[FOX], false),
            (&[OWL], &[OWL], false),
            (&[ELK], &[ELK], false),
            (&[ELK, OWL, ELK], &[ELK, OWL], false),
            (&[AWAY], &[], false),
            (&[AWAY, OWL], &[OWL], false),
            (&[BEN], &[], true),
            (&[BEN, OWL], &[OWL], true),
            (&[BEN, AWAY], &[], true),
            (&[ANA], &[], false),
            (&[GONE], &[], false),
            (&[GONE, AWAY], &[], false),
            (&[ANA, BEN], &[], true),
        ];
        let previous = [
            (None, false),
            (Some(ANA), false),
            (Some(BEN), true),
            (Some(GONE), true),
            (Some(FOX), false),
            (Some(ELK), false),
        ];
        let one = [(None, false), (Some(AWAY), false), (Some(BEN), false)];
        let assigned: Vec<_> = one.iter().copied().chain([(Some(ASSIGNED), true)]).collect();
        let default: Vec<_> = one.iter().copied().chain([(Some(DEFAULT), true)]).collect();
        let mut rows = 0;
        for private in [false, true] {
            for sender in [ANA, FOX, ELK, AWAY] {
                for (named, called, person_named) in mentions {
                    for (assigned, assigned_here) in &assigned {
                        for (previous, person_before) in previous {
                            for (default, default_here) in &default {
                                let want: &[&str] = if private || sender != ANA {
                                    &[]
                                } else if !called.is_empty() {
                                    called
                                } else if *assigned_here {
                                    &[ASSIGNED]
                                } else if *person_named || person_before {
                                    &[]
                                } else if *default_here {
                                    &[DEFAULT]
                                } else {
                                    &[]
                                };
                                let sender = a(sender);
                                let named: Vec<_> = named.iter().map(|n| a(n)).collect();
                                let (p, s, d) = (previous.map(a), assigned.map(a), default.map(a));
                                let around = Around { previous: p.as_ref(), assigned: s.as_ref(), default: d.as_ref() };
                                let said = Said { sender: &sender, mentions: &named, parent: None, private };

                                let got = decide(said, around, is_in);

                                assert_eq!(got, want.iter().map(|w| a(w)).collect::<Vec<_>>(), "{said:?} {around:?}");
                                rows += 1;
                            }
                        }
                    }
                }
            }
        }
        assert_eq!(rows, 2 * 4 * 14 * 4 * 6 * 4);
    }

    fn room(events: Vec<(&str, Data)>) -> Room {
        let mut room = Room::new();
        for (n, (actor, data)) in events.into_iter().enumerate() {
            let event = pb::Event { id: n.to_string(), actor: actor.into(), data: Some(data), ..Default::default() };
            room.learn(&event, EventNumber(n as u64 + 1));
        }
        room
    }

    fn started(assistant: &str) -> (&'static str, Data) {
        (ANA, Data::ThreadStarted(pb::ThreadStarted { assistant: assistant.into(), ..Default::default() }))
    }

    fn joined(who: &str) -> (&'static str, Data) {
        (ANA, Data::RoomJoined(pb::RoomJoined { who: who.into() }))
    }

    fn left(who: &str) -> (&'static str, Data) {
        (ANA, Data::RoomLeft(pb::RoomLeft { who: who.into() }))
    }

    fn says<'a>(who: &'a str, message: &str) -> (&'a str, Data) {
        (who, Data::ThreadUser(pb::ThreadUser { message: message.into(), text: "x".into(), ..Default::default() }))
    }

    fn ends<'a>(who: &'a str, message: &str) -> (&'a str, Data) {
        (who, Data::ThreadDone(pb::ThreadDone { message: message.into() }))
    }

    fn answers(room: &Room, sender: &str, mentions: &[&str], parent: Option<&str>) -> Vec<String> {
        let (sender, parent) = (a(sender), parent.map(|p| MessageId::parse(p).unwrap()));
        let mentions: Vec<_> = mentions.iter().map(|m| a(m)).collect();
        let said = Said { sender: &sender, mentions: &mentions, parent: parent.as_ref(), private: false };
        who_answers(room, said).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn alone_with_an_assistant_every_message_is_answered() {
        let room = room(vec![started(FOX), says(ANA, "1"), says(ANA, "2"), ends(FOX, "3")]);

        assert_eq!(answers(&room, ANA, &[], None), [FOX]);
    }

    #[test]
    fn two_people_who_talk_are_left_alone_until_one_names_an_assistant() {
        let room = room(vec![started(FOX), joined(BEN), says(ANA, "1"), says(BEN, "2")]);

        assert!(answers(&room, ANA, &[], None).is_empty());
        assert_eq!(answers(&room, ANA, &[FOX], None), [FOX]);
        assert_eq!(answers(&room, BEN, &[], None), [FOX], "who goes on speaking talks to nobody else");
        assert!(answers(&room, BEN, &[ANA], None).is_empty());
    }

    #[test]
    fn a_reply_is_to_whom_it_replies_and_not_to_who_spoke_last() {
        let room = room(vec![started(FOX), joined(BEN), says(BEN, "of ben"), ends(FOX, "of fox")]);

        assert!(answers(&room, ANA, &[], Some("of ben")).is_empty());
        assert_eq!(answers(&room, ANA, &[], Some("of fox")), [FOX]);
        assert_eq!(answers(&room, ANA, &[], Some("of nobody")), [FOX]);
    }

    #[test]
    fn who_has_left_is_not_called_and_one_alone_stands_in() {
        let room = room(vec![started(FOX), joined(OWL), left(FOX)]);

        assert_eq!(answers(&room, ANA, &[], None), [OWL]);
        assert_eq!(answers(&room, ANA, &[FOX], None), [OWL], "the name of somebody who is not there is only a word");
    }

    #[test]
    fn assistants_that_thank_each_other_by_name_call_nobody() {
        let room = room(vec![started(FOX), joined(OWL), says(ANA, "1"), ends(FOX, "2")]);

        for (sender, named) in [(FOX, OWL), (OWL, FOX), (OWL, ANA)] {
            assert!(answers(&room, sender, &[named], None).is_empty());
            assert!(answers(&room, sender, &[], Some("2")).is_empty());
        }
        assert_eq!(answers(&room, ANA, &[], None), [FOX], "a person can always be answered");
    }

    #[test]
    fn one_message_calls_a_bounded_number() {
        let crowd: Vec<_> = (0..40).map(|n| a(&format!("assistant:{n}"))).collect();
        let sender = a(ANA);
        let said = Said { sender: &sender, mentions: &crowd, parent: None, private: false };

        assert_eq!(decide(said, Around::default(), |_| true), crowd[..ANSWERS_MAX]);
    }
}
