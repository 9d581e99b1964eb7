//! Rows: what a screen draws, as data.
//!
//! A row is named by what it shows (`a:` and the message, `c:` and the call), so the same thing has the same row on every
//! screen. Its JSON is what machines read: one flat object, names as in proto3 JSON, numbers as numbers, and what is
//! absent, empty or false left out. Only `id`, `kind` and `cur` are always there.

use std::fmt;

use serde::Serialize;
use serde::Serializer;
use serde::ser::SerializeMap;
use serde_json::Map;
use serde_json::Value;

use crate::cursor::Cursor;
use crate::fold::marks::Marks;
use crate::fold::words::Piece;
use crate::fold::words::Words;
use crate::ids::Author;
use crate::ids::CallId;
use crate::ids::MessageId;
use crate::ids::TurnId;
use crate::pb::stream as pb;
use crate::queue;
use crate::tick::Wall;

/// One row.
#[derive(Clone, PartialEq)]
pub struct Row {
    /// Unique in its session, and the same on every screen.
    pub id: String,
    /// The cursor at which the row became visible. Rows are in this order.
    pub cur: Cursor,
    /// When it was made, as its producer says. A message of an assistant gets it at its end.
    pub time: Option<Wall>,
    /// Who wrote it.
    pub author: Option<Author>,
    /// For whom an assistant wrote it.
    pub acts_for: Option<Author>,
    /// The turn it belongs to.
    pub turn: Option<TurnId>,
    /// Its content is gone by age: 'no longer available'.
    pub expired: bool,
    /// What it shows.
    pub body: Body,
}

/// What a row shows.
#[derive(Clone, PartialEq)]
pub enum Body {
    /// Words of an assistant or a model.
    Message(Message),
    /// Words of a person.
    UserMessage(UserMessage),
    /// A call of a tool.
    Call(Box<Call>),
    /// A question to the people here.
    Ask(Ask),
    /// A file that was changed.
    FileChanged(pb::FileChanged),
    /// A line that a person typed in the session's terminal.
    TermCommand(pb::TermCommand),
    /// What the work is at.
    Status(pb::Status),
    /// Somebody came.
    Joined(Author),
    /// Somebody went.
    Left(Author),
    /// One message put to several, each of whom answers in a message of its own.
    Fanout(Fanout),
    /// This session began as a branch of another.
    Branched(pb::Branched),
    /// Cursors whose content a crash or damage took.
    Lost {
        /// How many.
        count: u64,
        /// What took them.
        reason: pb::LostReason,
    },
    /// Cursors that this viewer may not see: a neutral row for a run of them.
    Hidden {
        /// How many.
        count: u64,
    },
    /// Cursors of kinds that this version does not know: a neutral row for a run of them.
    Unknown {
        /// How many.
        count: u64,
    },
}

/// How far an assistant's message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageState {
    /// More may come.
    Open,
    /// It is whole.
    Done,
    /// It ended before its end.
    Cut,
}

/// Words of an assistant or a model.
#[derive(Clone, PartialEq)]
pub struct Message {
    /// Which.
    pub message: MessageId,
    /// The message that it answers in a thread of its own.
    pub parent: Option<MessageId>,
    /// The words.
    pub text: Words,
    /// The thinking that went with them.
    pub thinking: Words,
    /// How far it is.
    pub state: MessageState,
    /// Why it was cut.
    pub note: Option<String>,
    /// What people put on it.
    pub marks: Marks,
    /// A thinking delta came, be it emptied by age.
    pub(super) thought: bool,
    /// A tool was called in it.
    pub(super) acted: bool,
}

/// Words of a person.
#[derive(Clone, PartialEq)]
pub struct UserMessage {
    /// Which.
    pub message: MessageId,
    /// The message that it answers.
    pub parent: Option<MessageId>,
    /// The words; empty where they are private.
    pub text: String,
    /// A private message, for screens that hold its key.
    pub enc: Option<pb::Encrypted>,
    /// Said, queued, picked up or taken back.
    pub state: pb::UserState,
    /// What people put on it, and whom it names.
    pub marks: Marks,
}

/// How a call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallState {
    /// No result yet.
    Open,
    /// It went well.
    Ok,
    /// It did not.
    Failed,
}

/// A call of a tool.
#[derive(Clone, PartialEq)]
pub struct Call {
    /// Which.
    pub call: CallId,
    /// The message that it was made in, where its producer says.
    pub within: Option<MessageId>,
    /// The tool's name; empty until a frame says it.
    pub tool: String,
    /// A title for people.
    pub title: String,
    /// How it stands.
    pub state: CallState,
    /// What the tool was asked.
    pub asked: Option<pb::Block>,
    /// What came out.
    pub block: Option<pb::Block>,
    /// What it printed on the way.
    pub progress: Words,
    /// Commands that it ran in a shell, in order.
    pub terms: Vec<pb::TermChunk>,
}

/// A question to the people here.
#[derive(Clone, PartialEq)]
pub struct Ask {
    /// Which: the producer's id.
    pub ask: String,
    /// The question; empty where only its answer is held.
    pub question: String,
    /// The answers offered.
    pub options: Vec<String>,
    /// The answer, once there is one. The first stays.
    pub answer: Option<Answered>,
}

/// An answer to a question.
#[derive(Clone, PartialEq)]
pub struct Answered {
    /// The words.
    pub answer: String,
    /// Who gave it.
    pub by: Option<Author>,
}

/// One message put to several.
#[derive(Clone, PartialEq)]
pub struct Fanout {
    /// The group's id.
    pub group: String,
    /// The message that was put to them.
    pub of: Option<MessageId>,
    /// Each one asked, and the message in which it answers.
    pub members: Vec<pb::FanoutMember>,
    /// The answer that was chosen, by its message.
    pub keep: Option<String>,
}

impl MessageState {
    /// The name on text surfaces.
    pub const fn name(self) -> &'static str {
        match self {
            MessageState::Open => "open",
            MessageState::Done => "done",
            MessageState::Cut => "cut",
        }
    }
}

impl CallState {
    /// The name on text surfaces.
    pub const fn name(self) -> &'static str {
        match self {
            CallState::Open => "open",
            CallState::Ok => "ok",
            CallState::Failed => "failed",
        }
    }
}

impl Body {
    /// The row's `kind` on text surfaces.
    pub const fn kind(&self) -> &'static str {
        match self {
            Body::Message(_) => "message",
            Body::UserMessage(_) => "user-message",
            Body::Call(_) => "call",
            Body::Ask(_) => "ask",
            Body::FileChanged(_) => "file-changed",
            Body::TermCommand(_) => "term-command",
            Body::Status(_) => "status",
            Body::Joined(_) => "participant-joined",
            Body::Left(_) => "participant-left",
            Body::Fanout(_) => "fanout",
            Body::Branched(_) => "branched",
            Body::Lost { .. } => "lost",
            Body::Hidden { .. } => "hidden",
            Body::Unknown { .. } => "unknown",
        }
    }
}

impl Row {
    /// What people put on this row, if it is a message.
    pub fn marks(&self) -> Option<&Marks> {
        match &self.body {
            Body::Message(m) => Some(&m.marks),
            Body::UserMessage(u) => Some(&u.marks),
            _ => None,
        }
    }

    /// Whether words are known to be missing from it. Words gone by age are not meant.
    pub fn has_gap(&self) -> bool {
        match &self.body {
            _ if self.expired => false,
            Body::Message(m) => m.text.has_gap() || m.thinking.has_gap(),
            Body::Call(c) => c.progress.has_gap(),
            _ => false,
        }
    }

    /// Whether its text began before what is held of it.
    pub fn begins_later(&self) -> bool {
        match &self.body {
            Body::Message(m) => m.text.begins_later() || m.thinking.begins_later(),
            Body::Call(c) => c.progress.begins_later(),
            _ => false,
        }
    }
}

// Rows hold people's words, which belong on their screens and in no log.
impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Row({} at {})", self.id, self.cur)
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut out = Fields(s.serialize_map(None)?);
        out.put("id", &self.id)?;
        out.put("kind", self.body.kind())?;
        out.put("cur", &self.cur.get())?;
        out.some("time", self.time.map(|t| t.0))?;
        out.some("author", self.author.as_ref().map(Author::as_str))?;
        out.some("actsFor", self.acts_for.as_ref().map(Author::as_str))?;
        out.some("turn", self.turn.as_ref().map(TurnId::as_str))?;
        self.put_body(&mut out)?;
        out.flag("later", self.begins_later())?;
        out.flag("missing", self.has_gap())?;
        out.flag("expired", self.expired)?;
        if let Some(marks) = self.marks() {
            put_marks(&mut out, marks)?;
        }
        out.0.end()
    }
}

impl Row {
    fn put_body<M: SerializeMap>(&self, out: &mut Fields<M>) -> Result<(), M::Error> {
        match &self.body {
            Body::Message(m) => {
                out.put("message", m.message.as_str())?;
                out.some("parent", m.parent.as_ref().map(MessageId::as_str))?;
                out.put("text", m.text.text())?;
                out.rest("rest", m.text.rest())?;
                out.text("thinking", m.thinking.text())?;
                out.rest("thinkingRest", m.thinking.rest())?;
                out.put("state", m.state.name())?;
                out.some("note", m.note.as_deref())
            }
            Body::UserMessage(u) => {
                out.put("message", u.message.as_str())?;
                out.some("parent", u.parent.as_ref().map(MessageId::as_str))?;
                match &u.enc {
                    Some(enc) => out.put("enc", enc)?,
                    None => out.put("text", &u.text)?,
                }
                out.put("state", queue::name(u.state))
            }
            Body::Call(c) => {
                out.put("call", c.call.as_str())?;
                out.some("of", c.within.as_ref().map(MessageId::as_str))?;
                out.text("tool", &c.tool)?;
                out.text("title", &c.title)?;
                out.put("state", c.state.name())?;
                out.block("asked", c.asked.as_ref())?;
                out.block("block", c.block.as_ref())?;
                out.text("progress", c.progress.text())?;
                out.rest("progressRest", c.progress.rest())?;
                if c.terms.is_empty() {
                    return Ok(());
                }
                out.put("terms", &c.terms.iter().map(term).collect::<Vec<_>>())
            }
            Body::Ask(a) => {
                out.put("ask", &a.ask)?;
                out.text("question", &a.question)?;
                out.list("options", &a.options)?;
                out.put("state", if a.answer.is_some() { "answered" } else { "open" })?;
                out.some("answer", a.answer.as_ref().map(|a| &a.answer))?;
                out.some("answeredBy", a.answer.as_ref().and_then(|a| a.by.as_ref()).map(Author::as_str))
            }
            Body::FileChanged(f) => {
                out.put("path", &f.path)?;
                out.text("change", change_name(f.change()))?;
                out.text("from", &f.from)
            }
            Body::TermCommand(t) => {
                out.text("term", &t.term)?;
                out.put("line", &t.line)?;
                out.put("offset", &t.offset)?;
                out.text("via", &t.via)?;
                out.text("surface", &t.surface)
            }
            Body::Status(status) => {
                out.put("state", &status.state)?;
                out.text("note", &status.note)?;
                out.flag("stopping", status.stopping)
            }
            Body::Joined(who) | Body::Left(who) => out.put("who", who.as_str()),
            Body::Fanout(f) => {
                out.put("group", &f.group)?;
                out.some("of", f.of.as_ref().map(MessageId::as_str))?;
                out.list("members", &f.members)?;
                out.some("keep", f.keep.as_ref())
            }
            Body::Branched(b) => {
                out.text("from", &b.from)?;
                out.text("session", &b.session)
            }
            Body::Lost { count, reason } => {
                out.put("count", count)?;
                out.text("reason", reason_name(*reason))
            }
            Body::Hidden { count } | Body::Unknown { count } => out.put("count", count),
        }
    }
}

fn put_marks<M: SerializeMap>(out: &mut Fields<M>, marks: &Marks) -> Result<(), M::Error> {
    #[derive(Serialize)]
    struct Reaction<'a> {
        emoji: &'a str,
        who: Vec<&'a str>,
    }
    let reactions: Vec<_> = marks
        .reactions()
        .map(|(emoji, who)| Reaction { emoji, who: who.iter().map(Author::as_str).collect() })
        .collect();
    out.list("reactions", &reactions)?;
    out.flag("pinned", marks.pinned())?;
    out.list("mentions", &marks.mentions().iter().map(Author::as_str).collect::<Vec<_>>())
}

/// The name of a change on text surfaces; empty where it is not known.
pub const fn change_name(change: pb::Change) -> &'static str {
    match change {
        pb::Change::Unknown => "",
        pb::Change::Added => "added",
        pb::Change::Modified => "modified",
        pb::Change::Deleted => "deleted",
        pb::Change::Renamed => "renamed",
    }
}

/// The name of what took a frame; empty where it is not known.
pub const fn reason_name(reason: pb::LostReason) -> &'static str {
    match reason {
        pb::LostReason::Unknown => "",
        pb::LostReason::Crash => "crash",
        pb::LostReason::Damage => "damage",
    }
}

/// A block as one object with its `kind`: the fields of its own message, and `note`, `total` and `ref` beside them.
///
/// A draft's own kind is `draftKind`. A block of a kind that this version does not know is `unknown`.
pub fn block_json(block: &pb::Block) -> Value {
    let mut out = Map::new();
    let (name, arm) = block.kind.as_ref().map_or(("unknown", ""), block_arm);
    out.insert("kind".into(), name.into());
    if let Ok(Value::Object(mut whole)) = serde_json::to_value(block)
        && let Some(Value::Object(fields)) = whole.remove(arm)
    {
        for (key, value) in fields {
            let key = if key == "kind" { "draftKind".into() } else { key };
            out.insert(key, value);
        }
    }
    if !block.note.is_empty() {
        out.insert("note".into(), block.note.as_str().into());
    }
    if block.total > 0 {
        out.insert("total".into(), block.total.into());
    }
    if !block.r#ref.is_empty() {
        out.insert("ref".into(), block.r#ref.as_str().into());
    }
    Value::Object(out)
}

/// The name of a block's kind, and its field in proto3 JSON.
const fn block_arm(kind: &pb::block::Kind) -> (&'static str, &'static str) {
    match kind {
        pb::block::Kind::Terminal(_) => ("terminal", "terminal"),
        pb::block::Kind::Diff(_) => ("diff", "diff"),
        pb::block::Kind::Files(_) => ("files", "files"),
        pb::block::Kind::Record(_) => ("record", "record"),
        pb::block::Kind::Task(_) => ("task", "task"),
        pb::block::Kind::Draft(_) => ("draft", "draft"),
        pb::block::Kind::FlowChange(_) => ("flow-change", "flowChange"),
        pb::block::Kind::Answer(_) => ("answer", "answer"),
        pb::block::Kind::Screen(_) => ("screen", "screen"),
        pb::block::Kind::Text(_) => ("text", "text"),
    }
}

fn term(term: &pb::TermChunk) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("command".into(), term.command.as_str().into());
    out.insert("output".into(), term.output.as_str().into());
    if let Some(exit) = term.exit {
        out.insert("exit".into(), exit.into());
    }
    if term.total > 0 {
        out.insert("total".into(), term.total.into());
    }
    out
}

/// Writes the fields of one object and leaves out what is absent.
struct Fields<M>(M);

impl<M: SerializeMap> Fields<M> {
    fn put<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), M::Error> {
        self.0.serialize_entry(key, value)
    }

    fn some<T: Serialize>(&mut self, key: &'static str, value: Option<T>) -> Result<(), M::Error> {
        value.map_or(Ok(()), |v| self.put(key, &v))
    }

    fn text(&mut self, key: &'static str, value: &str) -> Result<(), M::Error> {
        if value.is_empty() { Ok(()) } else { self.put(key, value) }
    }

    fn flag(&mut self, key: &'static str, value: bool) -> Result<(), M::Error> {
        if value { self.put(key, &true) } else { Ok(()) }
    }

    fn list<T: Serialize>(&mut self, key: &'static str, value: &[T]) -> Result<(), M::Error> {
        if value.is_empty() { Ok(()) } else { self.put(key, value) }
    }

    fn rest(&mut self, key: &'static str, pieces: &[Piece]) -> Result<(), M::Error> {
        #[derive(Serialize)]
        struct Rest<'a> {
            at: u64,
            text: &'a str,
        }
        let rest: Vec<_> = pieces.iter().map(|p| Rest { at: p.at, text: &p.text }).collect();
        self.list(key, &rest)
    }

    fn block(&mut self, key: &'static str, block: Option<&pb::Block>) -> Result<(), M::Error> {
        self.some(key, block.map(block_json))
    }
}
