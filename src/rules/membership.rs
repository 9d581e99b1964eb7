//! Who may bring somebody in, send somebody away, and say which assistant answers: what people expect of a small group.
//!
//! - Whoever takes part brings others in, persons and assistants. They are in at once. There is no other way in: who was
//!   not brought in, who was sent away and who has left are told of no session.
//! - Everybody leaves when they like.
//! - One person is the host: of those who are in, the one who came first. The host sends anybody away; nobody sends the
//!   host away. When the host leaves, the next one is.
//! - Any person sends away an assistant, but not the one with which the session was started: that one is the host's.
//! - Any person says which assistant of those who take part answers, and that none is to.

use vyre_proto::ids::Author;
use vyre_proto::ids::AuthorKind;

use crate::rules::room::MEMBERS_MAX;
use crate::rules::room::Room;

/// Why somebody does not come, go or answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refused {
    /// Only the host sends persons away, and the session's own assistant.
    #[error("only who has been here longest may do this; you can leave yourself")]
    HostOnly,
    /// No more fit in.
    #[error("{MEMBERS_MAX} have taken part here, and no more can")]
    Full,
    /// It is a person.
    #[error("only an assistant can be assigned")]
    NotAnAssistant,
    /// It takes no part.
    #[error("this assistant takes no part here; bring it in with sessions.join first")]
    NotHere,
}

/// The host: of the persons who are in, the one who came first.
pub fn host(room: &Room) -> Option<&Author> {
    room.people().next()
}

/// Whether somebody is to be brought in. False: they are in.
pub fn add(room: &Room, who: &Author) -> Result<bool, Refused> {
    if room.is_in(who) {
        return Ok(false);
    }
    if room.is_full_for(who) { Err(Refused::Full) } else { Ok(true) }
}

/// Whether `by`, who is in, sends somebody away. False: they are not in.
pub fn remove(room: &Room, by: &Author, who: &Author) -> Result<bool, Refused> {
    if !room.is_in(who) {
        return Ok(false);
    }
    let own = room.default_assistant() == Some(who);
    let anybodys = who.kind() != AuthorKind::Person && !own;
    if by == who || anybodys || host(room) == Some(by) { Ok(true) } else { Err(Refused::HostOnly) }
}

/// Whether it is to be written down that this assistant answers where nobody is named; `None`: none is assigned any more.
/// False: it is so already.
pub fn assign(room: &Room, assistant: Option<&Author>) -> Result<bool, Refused> {
    match assistant {
        Some(a) if a.kind() == AuthorKind::Person => Err(Refused::NotAnAssistant),
        Some(a) if !room.is_in(a) => Err(Refused::NotHere),
        _ => Ok(room.assigned() != assistant),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use vyre_proto::pb::stream as pb;
    use vyre_proto::pb::stream::event::Data;

    use super::*;
    use crate::rules::room::EventNumber;

    const ANA: &str = "person:ana";
    const BEN: &str = "person:ben";
    const CAT: &str = "person:cat";
    const FOX: &str = "assistant:fox";
    const OWL: &str = "assistant:owl";

    fn a(who: &str) -> Author {
        Author::parse(who).unwrap()
    }

    /// Ana's session with the fox, into which these came and from which these went.
    fn room(steps: &[(&str, bool)]) -> Room {
        let mut room = Room::new();
        let started = Data::ThreadStarted(pb::ThreadStarted { assistant: FOX.into(), ..Default::default() });
        let step = |(who, comes): &(&str, bool)| match comes {
            true => Data::RoomJoined(pb::RoomJoined { who: (*who).into() }),
            false => Data::RoomLeft(pb::RoomLeft { who: (*who).into() }),
        };
        for (n, data) in std::iter::once(started).chain(steps.iter().map(step)).enumerate() {
            let actor = if n == 0 { ANA.to_owned() } else { String::new() };
            let event = pb::Event { id: n.to_string(), actor, data: Some(data), ..Default::default() };
            room.learn(&event, EventNumber(n as u64 + 1));
        }
        room
    }

    const ALL: &[(&str, bool)] = &[(BEN, true), (CAT, true), (OWL, true)];

    /// Who may send whom away: each cell.
    #[test]
    fn the_whole_table_of_sending_away() {
        let room = room(ALL);
        let (yes, no) = (Ok(true), Err(Refused::HostOnly));
        //               Ana  Ben  Cat  fox  owl
        let table = [(ANA, [yes, yes, yes, yes, yes]), (BEN, [no, yes, no, no, yes]), (CAT, [no, no, yes, no, yes])];
        for (by, cells) in table {
            for (who, want) in [ANA, BEN, CAT, FOX, OWL].into_iter().zip(cells) {
                assert_eq!(remove(&room, &a(by), &a(who)), want, "{by} {who}");
            }
            assert_eq!(remove(&room, &a(by), &a("person:zoe")), Ok(false));
        }
    }

    #[test]
    fn when_the_host_has_left_the_next_is_host_and_who_comes_back_has_no_more_than_their_place() {
        let left = room(&[(BEN, true), (CAT, true), (ANA, false)]);
        assert_eq!(host(&left), Some(&a(BEN)));
        assert_eq!(remove(&left, &a(BEN), &a(CAT)), Ok(true));
        assert_eq!(remove(&left, &a(CAT), &a(BEN)), Err(Refused::HostOnly));

        let nobody = room(&[(ANA, false)]);
        assert_eq!(host(&nobody), None);
    }

    #[test]
    fn whoever_is_in_is_not_brought_in_again() {
        let room = room(&[(BEN, true), (CAT, true), (CAT, false)]);

        assert_eq!(add(&room, &a(BEN)), Ok(false));
        assert_eq!(add(&room, &a(CAT)), Ok(true));
        assert_eq!(add(&room, &a(OWL)), Ok(true));
    }

    #[test]
    fn only_an_assistant_that_takes_part_is_assigned() {
        let room = room(ALL);

        assert_eq!(assign(&room, Some(&a(OWL))), Ok(true));
        assert_eq!(assign(&room, Some(&a(BEN))), Err(Refused::NotAnAssistant));
        assert_eq!(assign(&room, Some(&a("assistant:elk"))), Err(Refused::NotHere));
        assert_eq!(assign(&room, None), Ok(false));
    }

    #[test]
    fn a_room_in_which_many_took_part_is_full_for_new_ones_and_not_for_old_ones() {
        let names: Vec<_> = (0..MEMBERS_MAX).map(|n| format!("person:{n}")).collect();
        let steps: Vec<_> = names.iter().map(|n| (n.as_str(), true)).chain([(names[3].as_str(), false)]).collect();
        let room = room(&steps);

        assert_eq!(add(&room, &a("person:new")), Err(Refused::Full));
        assert_eq!(add(&room, &a("person:3")), Ok(true));
    }

    proptest! {
        /// However people come and go: as long as a person is in there is one host, who is in; and whoever is sent away by
        /// anybody but the host is an assistant or themselves.
        #[test]
        fn there_is_a_host_as_long_as_there_are_people(
            steps in prop::collection::vec((prop::sample::select(vec![ANA, BEN, CAT, FOX, OWL]), any::<bool>()), 0..30),
        ) {
            let room = room(&steps);
            prop_assert_eq!(host(&room).is_some(), room.people().count() > 0);
            let all: Vec<_> = room.participants().cloned().collect();
            for by in room.people() {
                for who in &all {
                    let sent = remove(&room, by, who) == Ok(true);
                    let may = host(&room) == Some(by) || by == who;
                    prop_assert!(!sent || may || who.kind() != AuthorKind::Person);
                    prop_assert!(!may || sent);
                }
            }
        }
    }
}
