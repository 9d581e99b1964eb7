//! Who may do what: a decision with its reason, from facts that somebody else gathered.
//!
//! It is asked before a ticket, a log or anything else is made. Whatever it does not know it refuses. A session that
//! does not exist and one in which the caller takes no part are one answer, [`Refusal::NotFound`]: to tell them apart
//! would tell which sessions exist. An owner or an administrator has no grant to read a session they take no part in.

use crate::rules::caller::Caller;
use crate::rules::caller::Viewer;

/// What a caller wants to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Act {
    /// Read one session: open, attach, history.
    Read,
    /// Say something in one session: send, answer, react, stop.
    Send,
    /// See which sessions there are to read.
    List,
    /// Publish events, into any session.
    Publish,
}

/// What kind of session it is: who its readers are is settled in a different place for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SessionKind {
    /// One person's work with an assistant: its record says who reads it.
    Thread,
    /// Several people: those in its log read it.
    Group,
}

/// What is known of one session from the point of view of one caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Its kind.
    pub kind: SessionKind,
    /// Whether the session's record, asked for in the caller's own name, was given out.
    pub record_given: bool,
    /// Whether the caller, or the person an assistant acts for, takes part.
    pub participant: bool,
    /// What a policy beside the box says of this very act.
    pub policy: Policy,
}

/// The word of a policy beside the box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Policy {
    /// There is none, or it does not know the act: the rule of participants decides.
    #[default]
    Silent,
    /// Yes; the rule of participants decides as well.
    Allow,
    /// No, whatever else holds.
    Deny,
}

/// Why the answer is yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ground {
    /// The caller takes part in the session and is served as this viewer.
    Participant(Viewer),
    /// What is asked for is the caller's own.
    Own,
    /// This is what a producer's token is for.
    Producer,
}

/// Why the answer is no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// No such session, or not for this caller.
    #[error("there is no such session, or you take no part in it")]
    NotFound,
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
    match (caller, act) {
        (Caller::Person(_), Act::Read | Act::Send) => participant(facts),
        (Caller::Person(_), Act::List) => Ok(Ground::Own),
        (Caller::Person(_), Act::Publish) => Err(Refusal::Denied {
            reason: "a person's token does not publish; make one with `vyre token --producer NAME`",
        }),
        (Caller::Producer(_), Act::Publish) => Ok(Ground::Producer),
        (Caller::Producer(_), Act::Read | Act::Send | Act::List) => Err(Refusal::Denied {
            reason: "a producer's token only publishes; make one with `vyre token --person NAME`",
        }),
    }
}

fn participant(facts: Option<&Facts>) -> Result<Ground, Refusal> {
    let facts = facts.ok_or(Refusal::NotFound)?;
    let known = match facts.kind {
        SessionKind::Thread => facts.record_given && facts.participant,
        SessionKind::Group => facts.participant,
    };
    match (known, facts.policy) {
        (true, Policy::Silent | Policy::Allow) => Ok(Ground::Participant(Viewer::Participant)),
        (true, Policy::Deny) | (false, _) => Err(Refusal::NotFound),
    }
}

#[cfg(test)]
mod tests {
    use vyre_proto::ids::Author;

    use super::*;
    use crate::rules::caller::Person;
    use crate::rules::caller::ProducerName;

    fn person() -> Caller {
        Caller::Person(Person::new(Author::person("robin").unwrap()).unwrap())
    }

    fn producer() -> Caller {
        Caller::Producer(ProducerName::parse("switchboard").unwrap())
    }

    const READABLE: Facts =
        Facts { kind: SessionKind::Thread, record_given: true, participant: true, policy: Policy::Silent };

    #[test]
    fn an_unknown_session_and_a_foreign_one_are_the_same_refusal() {
        let unknown = decide(&person(), Act::Read, None);
        let foreign = decide(&person(), Act::Read, Some(&Facts { participant: false, ..READABLE }));
        let withheld = decide(&person(), Act::Read, Some(&Facts { record_given: false, ..READABLE }));
        let denied = decide(&person(), Act::Read, Some(&Facts { policy: Policy::Deny, ..READABLE }));

        assert_eq!(unknown, Err(Refusal::NotFound));
        assert!([foreign, withheld, denied].iter().all(|r| *r == unknown));
        assert_eq!(foreign.unwrap_err().to_string(), unknown.unwrap_err().to_string());
    }

    #[test]
    fn a_participant_reads_and_sends() {
        for act in [Act::Read, Act::Send] {
            assert_eq!(decide(&person(), act, Some(&READABLE)), Ok(Ground::Participant(Viewer::Participant)));
        }
    }

    #[test]
    fn a_group_is_read_by_the_people_in_its_log_alone() {
        let group = Facts { kind: SessionKind::Group, record_given: false, ..READABLE };

        assert!(decide(&person(), Act::Read, Some(&group)).is_ok());
        assert!(
            decide(&person(), Act::Read, Some(&Facts { participant: false, record_given: true, ..group })).is_err()
        );
    }

    #[test]
    fn a_policy_may_refuse_but_never_grants() {
        let stranger = Facts { participant: false, policy: Policy::Allow, ..READABLE };

        assert_eq!(decide(&person(), Act::Read, Some(&stranger)), Err(Refusal::NotFound));
    }

    #[test]
    fn persons_do_not_publish_and_producers_do_nothing_else() {
        assert!(matches!(decide(&person(), Act::Publish, None), Err(Refusal::Denied { .. })));
        assert_eq!(decide(&producer(), Act::Publish, None), Ok(Ground::Producer));
        for act in [Act::Read, Act::Send, Act::List] {
            assert!(matches!(decide(&producer(), act, Some(&READABLE)), Err(Refusal::Denied { .. })), "{act:?}");
        }
    }
}
