//! Who may do what: a decision with its reason, from facts that somebody else gathered.
//!
//! It is asked before a ticket, a log or anything else is made. Whatever it does not know it refuses. A session that
//! does not exist and one in which the caller takes no part are one answer, [`Refusal::NotFound`]: to tell them apart
//! would tell which sessions exist. An owner or an administrator has no grant to read a session they take no part in, and
//! an assistant that acts for a person reads what that person reads, no more and no less.

use crate::rules::caller::Caller;
use crate::rules::caller::CallerKind;
use crate::rules::caller::Roles;
use crate::rules::surface::refusal;

/// What a caller wants to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Act {
    /// Read one session: open, attach, history.
    Read,
    /// Do something in one session: send, answer, react, stop, remove somebody.
    Send,
    /// What is the caller's own: list their sessions, make a new one, see their devices.
    Own,
    /// Publish events, into any session.
    Publish,
    /// Become somebody's device.
    Pair,
}

impl Act {
    /// Its name towards a policy; `None` for what is about no session.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Act::Read => Some("session.read"),
            Act::Send => Some("session.send"),
            Act::Own | Act::Publish | Act::Pair => None,
        }
    }
}

/// What is known of one session from the point of view of one caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Whether the caller, or the person an assistant acts for, takes part.
    pub participant: bool,
    /// What a policy beside the box says of this very act.
    pub policy: Policy,
}

/// The word of a policy beside the box.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Policy {
    /// There is none, or it does not know the act: the rule of participants decides.
    #[default]
    Silent,
    /// Yes; the rule of participants decides as well. The roles say what of the session this person is cleared for.
    Allow(Roles),
    /// No, whatever else holds. Also where it did not answer, or not in time.
    Deny,
}

/// Why the answer is yes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Ground {
    /// The caller takes part in the session, with these clearances.
    Participant(Roles),
    /// What is asked for is the caller's own.
    Own,
    /// This is what a producer's token is for.
    Producer,
    /// A device that is nobody's yet.
    Device,
}

/// Why the answer is no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// No such session, or not for this caller.
    #[error("there is no such session, or you take no part in it")]
    NotFound,
    /// Nobody has proven who calls.
    #[error("send `Authorization: Bearer <token>`")]
    Nobody,
    /// This kind of caller never may.
    #[error("{reason}")]
    Denied {
        /// What to do instead.
        reason: &'static str,
    },
}

/// Decides. `facts` is what is known of the session that the act is about; `None` for an unknown session, and for acts
/// that are about none.
pub fn decide(caller: &Caller, act: Act, facts: Option<&Facts>) -> Result<Ground, Refusal> {
    let kind = caller.kind();
    match (kind, act) {
        (CallerKind::Person, Act::Read | Act::Send) | (CallerKind::Assistant, Act::Read) => participant(facts),
        (CallerKind::Person | CallerKind::Assistant, Act::Own) => Ok(Ground::Own),
        (CallerKind::Producer, Act::Publish) => Ok(Ground::Producer),
        (CallerKind::Device, Act::Pair) => Ok(Ground::Device),
        (CallerKind::Person, Act::Publish | Act::Pair)
        | (CallerKind::Assistant, Act::Send | Act::Publish | Act::Pair)
        | (CallerKind::Device, Act::Read | Act::Send | Act::Own | Act::Publish)
        | (CallerKind::Producer, Act::Read | Act::Send | Act::Own | Act::Pair)
        | (CallerKind::Nobody, _) => Err(refusal(kind, Some(act))),
    }
}

fn participant(facts: Option<&Facts>) -> Result<Ground, Refusal> {
    let facts = facts.ok_or(Refusal::NotFound)?;
    match (facts.participant, &facts.policy) {
        (true, Policy::Silent) => Ok(Ground::Participant(Roles::default())),
        (true, Policy::Allow(roles)) => Ok(Ground::Participant(roles.clone())),
        (true, Policy::Deny) | (false, _) => Err(Refusal::NotFound),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use vyre_proto::ids::Author;

    use super::*;
    use crate::rules::caller::ActsFor;
    use crate::rules::caller::DeviceKey;
    use crate::rules::caller::Person;
    use crate::rules::caller::ProducerName;

    fn robin() -> Person {
        Person::new(Author::person("robin").unwrap()).unwrap()
    }

    fn person() -> Caller {
        Caller::Person(robin())
    }

    fn assistant() -> Caller {
        Caller::Assistant(ActsFor::new(Author::parse("assistant:helper").unwrap(), robin()).unwrap())
    }

    fn producer() -> Caller {
        Caller::Producer(ProducerName::parse("switchboard").unwrap())
    }

    fn readable() -> Facts {
        Facts { participant: true, policy: Policy::Silent }
    }

    const ACTS: [Act; 5] = [Act::Read, Act::Send, Act::Own, Act::Publish, Act::Pair];

    #[test]
    fn an_unknown_session_and_a_foreign_one_are_the_same_refusal() {
        for act in [Act::Read, Act::Send] {
            let unknown = decide(&person(), act, None);
            let foreign = decide(&person(), act, Some(&Facts { participant: false, ..readable() }));
            let denied = decide(&person(), act, Some(&Facts { policy: Policy::Deny, ..readable() }));

            assert_eq!(unknown, Err(Refusal::NotFound));
            assert!([&foreign, &denied].iter().all(|r| **r == unknown), "{act:?}");
            assert_eq!(foreign.unwrap_err().to_string(), unknown.unwrap_err().to_string());
        }
    }

    #[test]
    fn a_participant_reads_and_sends() {
        for act in [Act::Read, Act::Send] {
            assert_eq!(decide(&person(), act, Some(&readable())), Ok(Ground::Participant(Roles::default())));
        }
    }

    #[test]
    fn a_policy_may_refuse_but_never_grants() {
        let owner = Policy::Allow(Roles::new(["owner", "admin"]).unwrap());
        let stranger = Facts { participant: false, policy: owner };

        for act in [Act::Read, Act::Send] {
            assert_eq!(decide(&person(), act, Some(&stranger)), Err(Refusal::NotFound), "{act:?}");
        }
    }

    #[test]
    fn the_roles_that_a_policy_hands_back_are_the_viewer_s() {
        let roles = Roles::new(["hr"]).unwrap();
        let facts = Facts { policy: Policy::Allow(roles.clone()), ..readable() };

        assert_eq!(decide(&person(), Act::Read, Some(&facts)), Ok(Ground::Participant(roles)));
    }

    #[test]
    fn persons_do_not_publish_and_producers_do_nothing_else() {
        assert!(matches!(decide(&person(), Act::Publish, None), Err(Refusal::Denied { .. })));
        assert_eq!(decide(&producer(), Act::Publish, None), Ok(Ground::Producer));
        for act in ACTS.into_iter().filter(|a| *a != Act::Publish) {
            assert!(matches!(decide(&producer(), act, Some(&readable())), Err(Refusal::Denied { .. })), "{act:?}");
        }
    }

    #[test]
    fn an_assistant_only_reads_a_device_only_pairs_and_nobody_does_nothing() {
        let device = Caller::Device(DeviceKey([1; 32]));
        for act in ACTS {
            let told = |caller: &Caller| decide(caller, act, Some(&readable())).is_ok();
            assert_eq!(told(&assistant()), matches!(act, Act::Read | Act::Own), "{act:?}");
            assert_eq!(told(&device), act == Act::Pair, "{act:?}");
            assert_eq!(decide(&Caller::Nobody, act, Some(&readable())), Err(Refusal::Nobody), "{act:?}");
        }
    }

    fn facts() -> impl Strategy<Value = Facts> {
        let policy =
            prop_oneof![Just(Policy::Silent), Just(Policy::Deny), Just(Policy::Allow(Roles::new(["owner"]).unwrap()))];
        (any::<bool>(), policy).prop_map(|(participant, policy)| Facts { participant, policy })
    }

    proptest! {
        #[test]
        fn an_assistant_reads_exactly_what_its_person_reads(facts in prop::option::of(facts())) {
            prop_assert_eq!(decide(&assistant(), Act::Read, facts.as_ref()), decide(&person(), Act::Read, facts.as_ref()));
        }

        #[test]
        fn nobody_who_takes_no_part_reads_or_sends(facts in facts(), send: bool) {
            let outside = Facts { participant: false, ..facts };
            let act = if send { Act::Send } else { Act::Read };
            prop_assert!(decide(&person(), act, Some(&outside)).is_err());
        }
    }
}
