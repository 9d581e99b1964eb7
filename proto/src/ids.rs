//! Newtypes for everything that has a name. Parsing is the only way in.

use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use data_encoding::{BASE32_NOPAD, HEXLOWER};

use crate::limits::ID_MAX;

/// Why a text is not an id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// Nothing there.
    #[error("{what} is empty")]
    Empty {
        /// Which id.
        what: &'static str,
    },
    /// Over [`ID_MAX`].
    #[error("{what} has {len} bytes; the limit is {ID_MAX}")]
    TooLong {
        /// Which id.
        what: &'static str,
        /// Bytes it has.
        len: usize,
    },
    /// A character that the id may not hold.
    #[error("{what} may not hold {ch:?}")]
    BadChar {
        /// Which id.
        what: &'static str,
        /// The first such character.
        ch: char,
    },
    /// Not of the form that this id has.
    #[error("{what} must be {want}")]
    Form {
        /// Which id.
        what: &'static str,
        /// The form in words.
        want: &'static str,
    },
}

fn check(what: &'static str, s: &str, allowed: impl Fn(char) -> bool) -> Result<(), IdError> {
    if s.is_empty() {
        return Err(IdError::Empty { what });
    }
    if s.len() > ID_MAX {
        return Err(IdError::TooLong { what, len: s.len() });
    }
    // Every id may hold these, and most hold nothing else.
    if s.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b':' | b'_')) {
        return Ok(());
    }
    match s.chars().find(|c| !allowed(*c)) {
        Some(ch) => Err(IdError::BadChar { what, ch }),
        None => Ok(()),
    }
}

/// The 16 bytes of an identity that is written in hex digits.
pub(crate) fn hex16(what: &'static str, s: &str) -> Result<[u8; 16], IdError> {
    let form = IdError::Form { what, want: "32 lowercase hex digits" };
    let bytes = HEXLOWER.decode(s.as_bytes()).map_err(|_| form.clone())?;
    bytes.try_into().map_err(|_| form)
}

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident, $what:literal, $allowed:expr) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Checks and takes a text.
            pub fn parse(s: &str) -> Result<Self, IdError> {
                Self::check(s)?;
                Ok(Self::checked(s))
            }

            /// Takes a text that was checked before.
            pub(crate) fn checked(s: &str) -> Self {
                Self(Arc::from(s))
            }

            /// Whether a text is one, without taking it.
            pub fn check(s: &str) -> Result<(), IdError> {
                check($what, s, $allowed)
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        /// It hashes and compares as its text does, so a map by ids is asked with a text.
        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(s: &str) -> Result<Self, IdError> {
                Self::parse(s)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

/// Session ids stand in URLs and file names: letters, digits and `-_.:@+~`.
fn session_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_.:@+~".contains(c)
}

/// Other ids are opaque: anything but control characters.
fn opaque_char(c: char) -> bool {
    !c.is_control()
}

text_id!(
    /// A session: 1 to 128 ASCII letters, digits and `-_.:@+~`.
    SessionId, "a session id", session_char
);
text_id!(
    /// A message: 1 to 128 bytes without control characters.
    MessageId, "a message id", opaque_char
);
text_id!(
    /// A turn of an assistant.
    TurnId, "a turn id", opaque_char
);
text_id!(
    /// A call of a tool.
    CallId, "a call id", opaque_char
);
text_id!(
    /// An event, by its producer's choice.
    EventId, "an event id", opaque_char
);

/// Who writes: `person:<id>`, `assistant:<id>` or `model:<id>`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Author(Arc<str>);

/// What kind of author.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuthorKind {
    /// A human being.
    Person,
    /// An assistant that acts for somebody.
    Assistant,
    /// A bare model.
    Model,
}

impl Author {
    /// Checks and takes a text.
    pub fn parse(s: &str) -> Result<Self, IdError> {
        check("an author", s, opaque_char)?;
        match s.split_once(':') {
            Some(("person" | "assistant" | "model", rest)) if !rest.is_empty() => Ok(Self(Arc::from(s))),
            _ => Err(IdError::Form { what: "an author", want: "person:<id>, assistant:<id> or model:<id>" }),
        }
    }

    /// The person of this name (without `person:`).
    pub fn person(name: &str) -> Result<Self, IdError> {
        Self::parse(&format!("person:{name}"))
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Which kind.
    pub fn kind(&self) -> AuthorKind {
        match self.0.as_bytes().first() {
            Some(b'p') => AuthorKind::Person,
            Some(b'a') => AuthorKind::Assistant,
            _ => AuthorKind::Model,
        }
    }
}

impl FromStr for Author {
    type Err = IdError;
    fn from_str(s: &str) -> Result<Self, IdError> {
        Self::parse(s)
    }
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The identity of one log: 128 random bits, made when the log is made. As text: 32 lowercase hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogId(pub [u8; 16]);

impl FromStr for LogId {
    type Err = IdError;
    fn from_str(s: &str) -> Result<Self, IdError> {
        hex16("a log identity", s).map(Self)
    }
}

impl fmt::Display for LogId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

impl fmt::Debug for LogId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One running program or browser tab: 128 random bits. As text: 32 lowercase hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(pub [u8; 16]);

impl FromStr for ClientId {
    type Err = IdError;
    fn from_str(s: &str) -> Result<Self, IdError> {
        hex16("a client id", s).map(Self)
    }
}

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

impl fmt::Debug for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A box, by its Ed25519 public key. As text: lowercase unpadded base32, 52 characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoxId(pub [u8; 32]);

impl FromStr for BoxId {
    type Err = IdError;
    fn from_str(s: &str) -> Result<Self, IdError> {
        let form = IdError::Form { what: "a box id", want: "52 characters of lowercase base32" };
        if s.bytes().any(|b| b.is_ascii_uppercase()) {
            return Err(form);
        }
        let bytes = BASE32_NOPAD.decode(s.to_ascii_uppercase().as_bytes()).map_err(|_| form.clone())?;
        Ok(Self(bytes.try_into().map_err(|_| form)?))
    }
}

impl fmt::Display for BoxId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE32_NOPAD.encode(&self.0).to_ascii_lowercase())
    }
}

impl fmt::Debug for BoxId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_ids_hold_nothing_that_breaks_a_url_or_an_event_stream() {
        for bad in ["", "a b", "a/b", "a?b", "a\0b", "a\rb", "ä", &"x".repeat(129)] {
            assert!(SessionId::parse(bad).is_err(), "{bad:?}");
        }
        assert!(SessionId::parse(&"x".repeat(128)).is_ok());
        assert!(SessionId::parse("group:a.b_c-1@2+3~4").is_ok());
    }

    #[test]
    fn authors_say_their_kind() {
        assert_eq!(Author::parse("person:robin").unwrap().kind(), AuthorKind::Person);
        assert_eq!(Author::parse("assistant:h").unwrap().kind(), AuthorKind::Assistant);
        assert_eq!(Author::parse("model:m").unwrap().kind(), AuthorKind::Model);
        for bad in ["robin", "person:", "owner:x", "person:a\nb"] {
            assert!(Author::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn binary_ids_have_one_text_form() {
        let id = BoxId([7; 32]);
        let text = id.to_string();
        assert_eq!(text.len(), 52);
        assert_eq!(text.parse::<BoxId>().unwrap(), id);
        assert!(text.to_ascii_uppercase().parse::<BoxId>().is_err());
        assert!(text[1..].parse::<BoxId>().is_err());
        let log = LogId([0xab; 16]);
        assert_eq!(log.to_string().parse::<LogId>().unwrap(), log);
        assert!("AB".repeat(16).parse::<LogId>().is_err());
    }
}
