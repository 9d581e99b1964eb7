//! Who calls: the one word for it behind every door.
//!
//! An edge makes a [`Caller`] from a proof (a bearer token, a ticket) and never from what a request claims. Two kinds
//! exist; assistants that act for a person, owners and devices take their place here.

use std::cmp::Ordering;
use std::fmt;
use std::hash::Hash;
use std::hash::Hasher;
use std::sync::Arc;

use vyre_proto::ids::Author;
use vyre_proto::ids::AuthorKind;
use vyre_proto::ids::IdError;
use vyre_proto::limits::ID_MAX;

/// Who calls, proven.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Caller {
    /// A human being: reads and sends.
    Person(Person),
    /// A program that publishes events: neither reads nor sends.
    Producer(ProducerName),
}

/// An [`Author`] that is a person.
///
/// The same person is equal to themselves from wherever they call, also from a surface of the box's owner.
#[derive(Clone)]
pub struct Person(Author, bool);

impl Person {
    /// `None` for an assistant or a model.
    pub fn new(author: Author) -> Option<Person> {
        (author.kind() == AuthorKind::Person).then_some(Person(author, false))
    }

    /// Who calls from a surface of the box's owner: may edit what others wrote, in sessions in which they take part. It
    /// gives no right to read.
    pub fn owning(self) -> Person {
        Person(self.0, true)
    }

    /// Whether they call from a surface of the box's owner.
    pub fn is_owner(&self) -> bool {
        self.1
    }

    /// As an author.
    pub fn author(&self) -> &Author {
        &self.0
    }
}

impl PartialEq for Person {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Person {}

impl PartialOrd for Person {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Person {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl Hash for Person {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl fmt::Debug for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The name of a producer: 1 to 128 bytes without control characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProducerName(Arc<str>);

impl ProducerName {
    /// Checks and takes a text.
    pub fn parse(s: &str) -> Result<ProducerName, IdError> {
        let what = "a producer's name";
        if s.is_empty() {
            return Err(IdError::Empty { what });
        }
        if s.len() > ID_MAX {
            return Err(IdError::TooLong { what, len: s.len() });
        }
        match s.chars().find(|c| c.is_control()) {
            Some(ch) => Err(IdError::BadChar { what, ch }),
            None => Ok(ProducerName(Arc::from(s))),
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ProducerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "producer:{}", self.0)
    }
}

impl fmt::Display for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Caller::Person(p) => fmt::Display::fmt(&p.0, f),
            Caller::Producer(p) => write!(f, "producer:{}", p.0),
        }
    }
}

/// The rule by which one viewer is served. Frames are drawn, merged and cached for a class of viewers, never for one.
///
/// One class exists: a participant, who sees the whole log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Viewer {
    /// Takes part, and sees everything.
    #[default]
    Participant,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_person_is_a_person() {
        assert!(Person::new(Author::parse("person:robin").unwrap()).is_some());
        assert!(Person::new(Author::parse("assistant:helper").unwrap()).is_none());
        assert!(Person::new(Author::parse("model:m").unwrap()).is_none());
    }

    #[test]
    fn producer_names_hold_no_control_characters() {
        assert!(ProducerName::parse("switchboard").is_ok());
        for bad in ["", "a\nb", "a\0", &"x".repeat(129)] {
            assert!(ProducerName::parse(bad).is_err(), "{bad:?}");
        }
    }
}
