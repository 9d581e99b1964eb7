//! [`Event`]: what a producer publishes, parsed and checked, or refused whole.
//!
//! Events are the durable record and frames their projection, so nothing that could not be projected gets in: ids are
//! ids, authors are authors, words fit a frame, and `result` and `input` are valid JSON. Those two are never read here:
//! their bytes are kept as they came, however deep they nest, and whoever reads them sets a limit of its own.
//!
//! An `EventError` names the field and the limit and never quotes what the field holds; `Debug` of an `Event` likewise.

mod text;
mod words;

use std::fmt;
use std::sync::OnceLock;

use bytes::Bytes;
use prost::Message;

use crate::ids::EventId;
use crate::ids::IdError;
use crate::ids::SessionId;
use crate::limits::EVENT_LINE_MAX;
use crate::limits::ID_MAX;
use crate::limits::TEXT_MAX;
use crate::pb::stream as pb;
use crate::pb::stream::event::Data;

pub use words::Words;

/// Most entries of a list in an event: mentions, options, members.
pub const LIST_MAX: usize = 256;

/// Why an event is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// The line or the message is over [`EVENT_LINE_MAX`].
    #[error("an event of {len} bytes is over the limit of {EVENT_LINE_MAX}")]
    TooLarge {
        /// Bytes it has.
        len: usize,
    },
    /// Broken text.
    #[error("the line is not UTF-8 from byte {at} on")]
    NotUtf8 {
        /// Offset of the first byte that does not fit.
        at: usize,
    },
    /// Not one JSON value.
    #[error("the line is not JSON: broken at byte {at}")]
    NotJson {
        /// Offset near which reading stopped.
        at: usize,
    },
    /// Not a protobuf message of the right shape.
    #[error("an event could not be decoded: {0}")]
    Malformed(#[from] prost::DecodeError),
    /// A field without which the event means nothing.
    #[error("`{field}` is missing")]
    Missing {
        /// Which field.
        field: &'static str,
    },
    /// There twice.
    #[error("`{field}` is there twice")]
    Twice {
        /// Which field.
        field: &'static str,
    },
    /// Of another type, or not one of its words.
    #[error("`{field}` must be {want}")]
    WrongType {
        /// Which field.
        field: &'static str,
        /// What it must be.
        want: &'static str,
    },
    /// An id or an author that cannot be one.
    #[error("`{field}` is refused: {source}")]
    BadId {
        /// Which field.
        field: &'static str,
        /// What is wrong with it.
        #[source]
        source: IdError,
    },
    /// A name over [`ID_MAX`], or words over [`TEXT_MAX`].
    #[error("`{field}` has {len} bytes; the limit is {max}")]
    TooLong {
        /// Which field.
        field: &'static str,
        /// Bytes it has.
        len: usize,
        /// Bytes allowed.
        max: usize,
    },
    /// A list over [`LIST_MAX`].
    #[error("`{field}` has {len} entries; the limit is {LIST_MAX}")]
    TooMany {
        /// Which field.
        field: &'static str,
        /// Entries it has.
        len: usize,
    },
    /// Words in the clear beside the same words encrypted.
    #[error("a message has `text` or `enc`, not both")]
    TextAndEnc,
    /// A name that this version does not know, or no content at all.
    #[error("`name` is not the name of an event that this version knows")]
    UnknownName,
}

macro_rules! events {
    ($($arm:ident $name:literal;)*) => {
        /// The names of all events, in the order of the schema.
        pub const NAMES: &[&str] = &[$($name),*];

        /// The dotted name of this content.
        pub const fn name_of(data: &Data) -> &'static str {
            match data { $(Data::$arm(_) => $name,)* }
        }
    };
}

events! {
    ThreadStarted "thread.started";
    ThreadUser "thread.user";
    ThreadQueued "thread.queued";
    ThreadSent "thread.sent";
    ThreadSteered "thread.steered";
    ThreadUnqueued "thread.unqueued";
    ThreadDelta "thread.delta";
    ThreadDone "thread.done";
    ThreadCut "thread.cut";
    ThreadThinking "thread.thinking";
    ThreadToolStarted "thread.tool-started";
    ThreadToolProgress "thread.tool-progress";
    ThreadToolFinished "thread.tool-finished";
    ThreadShell "thread.shell";
    ThreadFileChanged "thread.file-changed";
    ThreadStatus "thread.status";
    ThreadStopping "thread.stopping";
    ThreadStopped "thread.stopped";
    ThreadFailed "thread.failed";
    AskOpened "ask.opened";
    AskAnswered "ask.answered";
    TermCommand "term.command";
    RoomJoined "room.joined";
    RoomLeft "room.left";
    RoomReaction "room.reaction";
    RoomPin "room.pin";
    RoomMention "room.mention";
    RoomFanout "room.fanout";
    RoomFanoutKeep "room.fanout-keep";
    ThreadRewound "thread.rewound";
    ThreadBranched "thread.branched";
    RoomAssigned "room.assigned";
}

/// One valid event.
#[derive(Clone)]
pub struct Event {
    name: &'static str,
    len: usize,
    inner: Inner,
}

/// Boxed: events are handed on by value, and most are words.
#[derive(Clone)]
enum Inner {
    /// As it came, and made into a message when somebody asks for one.
    Words(Words, OnceLock<Box<pb::Event>>),
    Message(Box<pb::Event>),
}

impl PartialEq for Event {
    fn eq(&self, other: &Event) -> bool {
        self.get() == other.get()
    }
}

impl Event {
    /// Decodes and checks one record's content. What only a box says, of what it has stored, is not taken from it.
    pub fn decode(record: Bytes) -> Result<Event, EventError> {
        if record.len() > EVENT_LINE_MAX {
            return Err(EventError::TooLarge { len: record.len() });
        }
        if let Some(words) = Words::read(&record) {
            let inner = Inner::Words(words, OnceLock::new());
            return Ok(Event {
                name: name_of(&Data::ThreadDelta(pb::ThreadDelta::default())),
                len: record.len(),
                inner,
            });
        }
        Event::check(pb::Event { expired: 0, ..pb::Event::decode(record)? })
    }

    /// Checks a message. Blanks around the JSON of `input` and `result` go, all else stays as it is.
    pub fn check(mut e: pb::Event) -> Result<Event, EventError> {
        EventId::check(&e.id).map_err(|source| EventError::BadId { field: "id", source })?;
        SessionId::check(&e.session).map_err(|source| EventError::BadId { field: "session", source })?;
        let mut len = e.encoded_len();
        if len > EVENT_LINE_MAX {
            return Err(EventError::TooLarge { len });
        }
        if !e.turn.is_empty() {
            ident("turn", "a turn id", &e.turn)?;
        }
        short("corr", &e.corr)?;
        if !e.actor.is_empty() {
            author("actor", &e.actor)?;
        }
        if !e.acts_for.is_empty() {
            author("acts_for", &e.acts_for)?;
            if !e.acts_for.starts_with("person:") {
                return Err(EventError::WrongType { field: "acts_for", want: "person:<id>" });
            }
        }
        let Some(data) = &mut e.data else { return Err(EventError::UnknownName) };
        check_data(data)?;
        let name = name_of(data);
        if matches!(data, Data::ThreadToolStarted(_) | Data::ThreadToolFinished(_)) {
            // The blanks went.
            len = e.encoded_len();
        }
        Ok(Event { name, len, inner: Inner::Message(Box::new(e)) })
    }

    /// Reads one JSON object `{id, name, session, turn?, time?, corr?, actor?, acts_for?, data}`.
    ///
    /// Blanks around it do not count towards [`EVENT_LINE_MAX`]. Fields that this version does not know are passed over;
    /// `null` is the same as a field that is not there, except in `input` and `result`, which keep it.
    pub fn from_json(line: &[u8]) -> Result<Event, EventError> {
        Event::check(text::read(line)?)
    }

    /// The event as one line of JSON, without a line's end; [`Event::from_json`] reads it back.
    ///
    /// A line's end between the tokens of `input` or `result` becomes a blank.
    pub fn to_json(&self) -> String {
        text::write(self.get(), self.name)
    }

    /// The producer's id: publishing it again changes nothing. Made by each call.
    pub fn id(&self) -> EventId {
        EventId::checked(self.id_text())
    }

    /// The session that it belongs to. Made by each call.
    pub fn session(&self) -> SessionId {
        SessionId::checked(self.session_text())
    }

    /// Bytes of the encoded message.
    pub fn encoded_len(&self) -> usize {
        self.len
    }

    /// Its dotted name, as `thread.delta`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The text of its id.
    pub fn id_text(&self) -> &str {
        match &self.inner {
            Inner::Words(words, _) => words.id(),
            Inner::Message(e) => &e.id,
        }
    }

    /// The text of the session's id.
    pub fn session_text(&self) -> &str {
        match &self.inner {
            Inner::Words(words, _) => words.session(),
            Inner::Message(e) => &e.session,
        }
    }

    /// Where it is a piece of a reply in the form in which most come: the piece, without making a message of it.
    pub fn words(&self) -> Option<&Words> {
        match &self.inner {
            Inner::Words(words, _) => Some(words),
            Inner::Message(_) => None,
        }
    }

    /// The message itself. Of [`Event::words`] it is made now, at the first call.
    pub fn get(&self) -> &pb::Event {
        match &self.inner {
            Inner::Words(words, made) => made.get_or_init(|| Box::new(words.to_event())),
            Inner::Message(e) => e,
        }
    }

    /// The message itself, given away.
    pub fn into_inner(self) -> pb::Event {
        match self.inner {
            Inner::Words(words, made) => made.into_inner().map_or_else(|| words.to_event(), |e| *e),
            Inner::Message(e) => *e,
        }
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event({} {} in {})", self.name, self.id_text(), self.session_text())
    }
}

/// Holds an id to the rule of [`crate::ids`] without making one: most of an event's ids are only passed on.
fn ident(field: &'static str, what: &'static str, s: &str) -> Result<(), EventError> {
    let source = if s.is_empty() {
        IdError::Empty { what }
    } else if s.len() > ID_MAX {
        IdError::TooLong { what, len: s.len() }
    } else if let Some(ch) = control(s) {
        IdError::BadChar { what, ch }
    } else {
        return Ok(());
    };
    Err(EventError::BadId { field, source })
}

fn control(s: &str) -> Option<char> {
    if s.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return None;
    }
    s.chars().find(|c| c.is_control())
}

/// A name that is not an id: may be empty, else short and without control characters.
fn short(field: &'static str, s: &str) -> Result<(), EventError> {
    if s.len() > ID_MAX {
        return Err(EventError::TooLong { field, len: s.len(), max: ID_MAX });
    }
    match control(s) {
        Some(ch) => Err(EventError::BadId { field, source: IdError::BadChar { what: "a name", ch } }),
        None => Ok(()),
    }
}

/// A name that must be there.
fn named(field: &'static str, s: &str) -> Result<(), EventError> {
    if s.is_empty() {
        return Err(EventError::Missing { field });
    }
    short(field, s)
}

fn author(field: &'static str, s: &str) -> Result<(), EventError> {
    let what = "an author";
    ident(field, what, s)?;
    match ["person:", "assistant:", "model:"].iter().find_map(|kind| s.strip_prefix(kind)) {
        Some(rest) if !rest.is_empty() => Ok(()),
        _ => {
            let source = IdError::Form { what, want: "person:<id>, assistant:<id> or model:<id>" };
            Err(EventError::BadId { field, source })
        }
    }
}

fn maybe_author(field: &'static str, s: &str) -> Result<(), EventError> {
    if s.is_empty() { Ok(()) } else { author(field, s) }
}

fn message(s: &str) -> Result<(), EventError> {
    ident("message", "a message id", s)
}

fn parent(s: &str) -> Result<(), EventError> {
    if s.is_empty() { Ok(()) } else { ident("parent", "a message id", s) }
}

fn call(s: &str) -> Result<(), EventError> {
    ident("call", "a call id", s)
}

fn list<T>(field: &'static str, items: &[T]) -> Result<(), EventError> {
    if items.len() > LIST_MAX { Err(EventError::TooMany { field, len: items.len() }) } else { Ok(()) }
}

fn authors(field: &'static str, who: &[String]) -> Result<(), EventError> {
    list(field, who)?;
    who.iter().try_for_each(|w| author(field, w))
}

/// Words of one event share one limit, so that whatever frame is made of them fits a record.
struct WordCount(usize);

impl WordCount {
    fn add(&mut self, field: &'static str, s: &str) -> Result<(), EventError> {
        self.0 += s.len();
        if self.0 > TEXT_MAX { Err(EventError::TooLong { field, len: self.0, max: TEXT_MAX }) } else { Ok(()) }
    }
}

fn text_or_enc(text: &str, enc: &Option<pb::Encrypted>) -> Result<(), EventError> {
    let Some(enc) = enc else { return WordCount(0).add("text", text) };
    if !text.is_empty() {
        return Err(EventError::TextAndEnc);
    }
    named("alg", &enc.alg)?;
    short("kid", &enc.kid)?;
    if enc.ct.len() > TEXT_MAX {
        return Err(EventError::TooLong { field: "ct", len: enc.ct.len(), max: TEXT_MAX });
    }
    Ok(())
}

/// Holds raw JSON to being one JSON value, and takes the blanks around it away.
fn raw_json(field: &'static str, raw: &mut Bytes) -> Result<(), EventError> {
    if raw.is_empty() {
        return Ok(());
    }
    let wrong = EventError::WrongType { field, want: "JSON" };
    let Ok(s) = std::str::from_utf8(raw) else { return Err(wrong) };
    // Reads without recursion, so depth costs nothing.
    if serde_json::from_str::<serde::de::IgnoredAny>(s).is_err() {
        return Err(wrong);
    }
    let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
    let start = s.len() - s.trim_start_matches(blank).len();
    let end = s.trim_end_matches(blank).len();
    if end - start != raw.len() {
        *raw = raw.slice(start..end);
    }
    Ok(())
}

fn check_data(data: &mut Data) -> Result<(), EventError> {
    let mut words = WordCount(0);
    match data {
        Data::ThreadStarted(d) => {
            words.add("title", &d.title)?;
            words.add("folder", &d.folder)?;
            maybe_author("assistant", &d.assistant)?;
        }
        Data::ThreadUser(d) => {
            message(&d.message)?;
            parent(&d.parent)?;
            text_or_enc(&d.text, &d.enc)?;
            authors("mentions", &d.mentions)?;
            authors("to", &d.to)?;
        }
        Data::ThreadQueued(d) => {
            message(&d.message)?;
            parent(&d.parent)?;
            short("via", &d.via)?;
            text_or_enc(&d.text, &d.enc)?;
            authors("mentions", &d.mentions)?;
            authors("to", &d.to)?;
        }
        Data::ThreadSent(d) => {
            message(&d.message)?;
            maybe_author("by", &d.by)?;
            short("via", &d.via)?;
            text_or_enc(&d.text, &d.enc)?;
        }
        Data::ThreadSteered(d) => {
            message(&d.message)?;
            maybe_author("by", &d.by)?;
            short("via", &d.via)?;
            words.add("text", &d.text)?;
        }
        Data::ThreadUnqueued(d) => {
            message(&d.message)?;
            short("via", &d.via)?;
            words.add("text", &d.text)?;
        }
        Data::ThreadDelta(d) => {
            message(&d.message)?;
            parent(&d.parent)?;
            words.add("text", &d.text)?;
        }
        Data::ThreadThinking(d) => {
            message(&d.message)?;
            words.add("text", &d.text)?;
        }
        Data::ThreadDone(d) => message(&d.message)?,
        Data::ThreadCut(d) => {
            message(&d.message)?;
            words.add("note", &d.note)?;
        }
        Data::ThreadToolStarted(d) => {
            call(&d.call)?;
            named("tool", &d.tool)?;
            words.add("title", &d.title)?;
            raw_json("input", &mut d.input)?;
        }
        Data::ThreadToolProgress(d) => {
            call(&d.call)?;
            words.add("text", &d.text)?;
        }
        Data::ThreadToolFinished(d) => {
            call(&d.call)?;
            named("tool", &d.tool)?;
            raw_json("result", &mut d.result)?;
        }
        Data::ThreadShell(d) => {
            call(&d.call)?;
            words.add("command", &d.command)?;
            words.add("output", &d.output)?;
        }
        Data::ThreadFileChanged(d) => {
            if d.path.is_empty() {
                return Err(EventError::Missing { field: "path" });
            }
            words.add("path", &d.path)?;
            words.add("from", &d.from)?;
            if !matches!(pb::Change::try_from(d.change), Ok(c) if c != pb::Change::Unknown) {
                return Err(EventError::WrongType { field: "change", want: "added, modified, deleted or renamed" });
            }
        }
        Data::ThreadStatus(d) => {
            named("state", &d.state)?;
            words.add("note", &d.note)?;
        }
        Data::ThreadStopping(d) => words.add("note", &d.note)?,
        Data::ThreadStopped(d) => words.add("note", &d.note)?,
        Data::ThreadFailed(d) => words.add("note", &d.note)?,
        Data::AskOpened(d) => {
            named("ask", &d.ask)?;
            words.add("question", &d.question)?;
            list("options", &d.options)?;
            d.options.iter().try_for_each(|o| words.add("options", o))?;
        }
        Data::AskAnswered(d) => {
            named("ask", &d.ask)?;
            words.add("answer", &d.answer)?;
        }
        Data::TermCommand(d) => {
            named("term", &d.term)?;
            words.add("line", &d.line)?;
            short("via", &d.via)?;
            short("surface", &d.surface)?;
        }
        Data::RoomJoined(d) => author("who", &d.who)?,
        Data::RoomLeft(d) => author("who", &d.who)?,
        Data::RoomReaction(d) => {
            message(&d.message)?;
            named("emoji", &d.emoji)?;
        }
        Data::RoomPin(d) => message(&d.message)?,
        Data::RoomMention(d) => {
            message(&d.message)?;
            if d.who.is_empty() {
                return Err(EventError::Missing { field: "who" });
            }
            authors("who", &d.who)?;
        }
        Data::RoomFanout(d) => {
            named("group", &d.group)?;
            message(&d.message)?;
            list("members", &d.members)?;
            for m in &d.members {
                author("who", &m.who)?;
                message(&m.message)?;
            }
        }
        Data::RoomFanoutKeep(d) => {
            named("group", &d.group)?;
            named("keep", &d.keep)?;
        }
        Data::ThreadRewound(d) => {
            if !d.message.is_empty() {
                message(&d.message)?;
            }
            if !d.to.is_empty() {
                ident("to", "a message id", &d.to)?;
            }
            if d.message.is_empty() && d.to.is_empty() {
                return Err(EventError::Missing { field: "message" });
            }
            authors("again", &d.again)?;
        }
        Data::ThreadBranched(d) => {
            ident("from", "a message id", &d.from)?;
            SessionId::parse(&d.session).map_err(|source| EventError::BadId { field: "session", source })?;
        }
        Data::RoomAssigned(d) => maybe_author("assistant", &d.assistant)?,
    }
    Ok(())
}

#[cfg(test)]
mod tests;
