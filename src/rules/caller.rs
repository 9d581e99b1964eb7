//! Who calls: the one word for it behind every door.
//!
//! An edge makes a [`Caller`] from a proof (a bearer token, a ticket, a device's key) and never from what a request
//! claims. There is no kind for owners or administrators: whoever runs a box reads what they take part in, like everybody.

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
    /// An assistant that acts for a person: reads exactly what that person reads, and sends nothing in their name.
    Assistant(ActsFor),
    /// A device that has proven its key, with no person at it: pairs, and nothing else.
    Device(DeviceKey),
    /// A program that publishes events: neither reads nor sends.
    Producer(ProducerName),
    /// No proof at all.
    Nobody,
}

/// The kind of a caller: a column of the table of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CallerKind {
    /// [`Caller::Person`].
    Person,
    /// [`Caller::Assistant`].
    Assistant,
    /// [`Caller::Device`].
    Device,
    /// [`Caller::Producer`].
    Producer,
    /// [`Caller::Nobody`].
    Nobody,
}

impl CallerKind {
    /// All of them, in the order of the table's columns.
    pub const ALL: [CallerKind; 5] =
        [CallerKind::Person, CallerKind::Assistant, CallerKind::Device, CallerKind::Producer, CallerKind::Nobody];
}

impl Caller {
    /// Its kind.
    pub fn kind(&self) -> CallerKind {
        match self {
            Caller::Person(_) => CallerKind::Person,
            Caller::Assistant(_) => CallerKind::Assistant,
            Caller::Device(_) => CallerKind::Device,
            Caller::Producer(_) => CallerKind::Producer,
            Caller::Nobody => CallerKind::Nobody,
        }
    }

    /// The bearer token that was shown, where one was.
    pub fn token(&self) -> Option<TokenId> {
        match self {
            Caller::Person(person) => person.token(),
            Caller::Assistant(acts) => acts.asker.token(),
            Caller::Producer(name) => name.1.0,
            Caller::Device(_) | Caller::Nobody => None,
        }
    }

    /// The same caller, who showed this token.
    pub fn by_token(self, id: TokenId) -> Caller {
        let proof = Proof(Some(id));
        match self {
            Caller::Person(person) => Caller::Person(Person { proof, ..person }),
            Caller::Assistant(acts) => {
                let asker = Person { proof, ..acts.asker };
                Caller::Assistant(ActsFor { asker, ..acts })
            }
            Caller::Producer(name) => Caller::Producer(ProducerName(name.0, proof)),
            other @ (Caller::Device(_) | Caller::Nobody) => other,
        }
    }

    /// The person whose rights decide what this caller reads.
    pub fn reads_as(&self) -> Option<&Person> {
        match self {
            Caller::Person(person) => Some(person),
            Caller::Assistant(acts) => Some(&acts.asker),
            Caller::Device(_) | Caller::Producer(_) | Caller::Nobody => None,
        }
    }
}

/// Which bearer token a caller showed: the first 8 bytes of its SHA-256. It names the token and gives no right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenId(u64);

impl TokenId {
    /// Of the token with this SHA-256.
    pub fn of(sha256: &[u8; 32]) -> TokenId {
        let [a, b, c, d, e, f, g, h, ..] = *sha256;
        TokenId(u64::from_be_bytes([a, b, c, d, e, f, g, h]))
    }

    /// Of its text: 16 hexadecimal digits.
    pub fn parse(s: &str) -> Option<TokenId> {
        let digits = s.len() == 16 && s.bytes().all(|b| b.is_ascii_hexdigit());
        digits.then(|| u64::from_str_radix(s, 16).ok().map(TokenId)).flatten()
    }
}

impl fmt::Display for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// By what a caller proved to be who they are. It makes nobody somebody else: all proofs are equal.
#[derive(Debug, Clone, Copy, Default)]
struct Proof(Option<TokenId>);

impl PartialEq for Proof {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Proof {}

impl PartialOrd for Proof {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Proof {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl Hash for Proof {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// The key of the device on whose connection a call came, where one proved itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceKey(pub [u8; 32]);

impl fmt::Debug for DeviceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Enough to tell devices apart in a log.
        write!(f, "device:{:02x}{:02x}{:02x}{:02x}", self.0[0], self.0[1], self.0[2], self.0[3])
    }
}

/// An assistant, and the person for whom it acts. The chain is [asker, assistant].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActsFor {
    assistant: Author,
    asker: Person,
}

impl ActsFor {
    /// `None` where `assistant` is a person.
    pub fn new(assistant: Author, asker: Person) -> Option<ActsFor> {
        (assistant.kind() != AuthorKind::Person).then_some(ActsFor { assistant, asker })
    }

    /// The assistant or model.
    pub fn assistant(&self) -> &Author {
        &self.assistant
    }

    /// The person who asked.
    pub fn asker(&self) -> &Person {
        &self.asker
    }
}

/// An [`Author`] that is a person.
///
/// The same person is equal to themselves from wherever they call, also from a surface of the box's owner.
#[derive(Clone)]
pub struct Person {
    author: Author,
    owner: bool,
    proof: Proof,
}

impl Person {
    /// `None` for an assistant or a model.
    pub fn new(author: Author) -> Option<Person> {
        (author.kind() == AuthorKind::Person).then_some(Person { author, owner: false, proof: Proof::default() })
    }

    /// Who calls from a surface of the box's owner: may edit what others wrote, in sessions in which they take part. It
    /// gives no right to read.
    pub fn owning(self) -> Person {
        Person { owner: true, ..self }
    }

    /// Whether they call from a surface of the box's owner.
    pub fn is_owner(&self) -> bool {
        self.owner
    }

    /// The bearer token that they showed, where they did.
    pub fn token(&self) -> Option<TokenId> {
        self.proof.0
    }

    /// As an author.
    pub fn author(&self) -> &Author {
        &self.author
    }
}

impl PartialEq for Person {
    fn eq(&self, other: &Self) -> bool {
        self.author == other.author
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
        self.author.cmp(&other.author)
    }
}

impl Hash for Person {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.author.hash(state);
    }
}

impl fmt::Debug for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.author, f)
    }
}

/// The name of a producer: 1 to 128 bytes without control characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProducerName(Arc<str>, Proof);

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
            None => Ok(ProducerName(Arc::from(s), Proof::default())),
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
            Caller::Person(p) => fmt::Display::fmt(&p.author, f),
            Caller::Assistant(a) => write!(f, "{} for {}", a.assistant, a.asker.author),
            Caller::Device(key) => fmt::Debug::fmt(key, f),
            Caller::Producer(p) => write!(f, "producer:{}", p.0),
            Caller::Nobody => f.write_str("nobody"),
        }
    }
}

/// Most roles of one person that are looked at.
pub const ROLES_MAX: usize = 64;

/// What a person is cleared for, by the word of a policy: sorted, each role once. Roles never let anybody into a session;
/// they only say what of it a participant sees.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Roles(Vec<Box<str>>);

impl Roles {
    /// Of these names. `None` where one is empty, longer than an id or holds a control character, or where there are more
    /// than [`ROLES_MAX`]: who hands out such roles means something else.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Roles> {
        let mut all = Vec::new();
        for name in names {
            if name.is_empty() || name.len() > ID_MAX || name.contains(char::is_control) || all.len() >= ROLES_MAX {
                return None;
            }
            all.push(Box::from(name));
        }
        all.sort_unstable();
        all.dedup();
        Some(Roles(all))
    }

    /// Whether this role is one of them.
    pub fn contains(&self, role: &str) -> bool {
        self.0.binary_search_by(|r| (**r).cmp(role)).is_ok()
    }

    /// In order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(AsRef::as_ref)
    }
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
    fn an_assistant_acts_for_a_person_and_reads_as_one() {
        let robin = Person::new(Author::person("robin").unwrap()).unwrap();
        assert!(ActsFor::new(Author::person("sam").unwrap(), robin.clone()).is_none());

        let helper = ActsFor::new(Author::parse("assistant:helper").unwrap(), robin.clone()).unwrap();

        assert_eq!(Caller::Assistant(helper.clone()).to_string(), "assistant:helper for person:robin");
        assert_eq!(Caller::Assistant(helper).reads_as(), Some(&robin));
        assert_eq!(Caller::Device(DeviceKey([7; 32])).reads_as(), None);
        assert_eq!(Caller::Nobody.reads_as(), None);
    }

    #[test]
    fn roles_are_a_set() {
        let roles = Roles::new(["ops", "hr", "ops"]).unwrap();

        assert_eq!(roles.iter().collect::<Vec<_>>(), ["hr", "ops"]);
        assert_eq!(Roles::new(["hr", "ops"]), Some(roles));
        assert_eq!(Roles::new([""]), None);
        assert_eq!(Roles::new(["a\n"]), None);
        assert_eq!(Roles::new((0..65).map(|_| "x")), None);
    }

    #[test]
    fn producer_names_hold_no_control_characters() {
        assert!(ProducerName::parse("switchboard").is_ok());
        for bad in ["", "a\nb", "a\0", &"x".repeat(129)] {
            assert!(ProducerName::parse(bad).is_err(), "{bad:?}");
        }
    }
}
