//! Events as JSON lines, by hand: every field is taken as raw text first, so that an error can name the field without
//! quoting it, and `input` and `result` pass through unread.

use std::borrow::Cow;
use std::fmt::Write;

use bytes::Bytes;
use data_encoding::BASE64;
use data_encoding::BASE64_NOPAD;
use data_encoding::BASE64URL_NOPAD;
use serde::de;
use serde_json::value::RawValue;

use crate::event::EventError;
use crate::event::LIST_MAX;
use crate::limits::EVENT_LINE_MAX;
use crate::pb::stream as pb;
use crate::pb::stream::event::Data;

/// Most fields that one object of an event has.
const SLOTS: usize = 9;

const ENVELOPE: &[&str] = &["id", "name", "session", "turn", "time", "corr", "actor", "acts_for", "data"];

pub(super) fn read(line: &[u8]) -> Result<pb::Event, EventError> {
    let line = line.trim_ascii();
    if line.len() > EVENT_LINE_MAX {
        return Err(EventError::TooLarge { len: line.len() });
    }
    let line = std::str::from_utf8(line).map_err(|e| EventError::NotUtf8 { at: e.valid_up_to() })?;
    let top = Object::read(line, "event", ENVELOPE)?;
    let name = top.text("name")?;
    let data = Some(read_data(&name, top.need("data")?)?);
    Ok(pb::Event {
        id: top.text("id")?,
        session: top.text("session")?,
        turn: top.text_or_empty("turn")?,
        time: top.number("time", "whole microseconds since the epoch")?,
        corr: top.text_or_empty("corr")?,
        actor: top.text_or_empty("actor")?,
        acts_for: top.text_or_empty("acts_for")?,
        expired: 0,
        data,
    })
}

/// The values of one object's known fields, each still as JSON text.
struct Object<'a> {
    known: &'static [&'static str],
    raw: [Option<&'a str>; SLOTS],
}

impl<'a> Object<'a> {
    fn read(json: &'a str, field: &'static str, known: &'static [&'static str]) -> Result<Self, EventError> {
        debug_assert!(known.len() <= SLOTS);
        let mut reader = serde_json::Deserializer::from_str(json);
        let mut slots = Slots { known, raw: [None; SLOTS], twice: None };
        let read = de::Deserializer::deserialize_map(&mut reader, &mut slots).and_then(|()| reader.end());
        match read {
            Ok(()) => {}
            Err(e) if e.is_data() => return Err(EventError::WrongType { field, want: "an object" }),
            // JSON of an event is one line, and only the outermost reading can fail so.
            Err(e) => return Err(EventError::NotJson { at: e.column() }),
        }
        match slots.twice {
            Some(field) => Err(EventError::Twice { field }),
            None => Ok(Object { known, raw: slots.raw }),
        }
    }

    /// The field, also where it is `null`.
    fn raw(&self, field: &'static str) -> Option<&'a str> {
        let i = self.known.iter().position(|k| *k == field)?;
        self.raw.get(i).copied().flatten()
    }

    fn get(&self, field: &'static str) -> Option<&'a str> {
        self.raw(field).filter(|raw| *raw != "null")
    }

    fn need(&self, field: &'static str) -> Result<&'a str, EventError> {
        self.get(field).ok_or(EventError::Missing { field })
    }

    fn text(&self, field: &'static str) -> Result<String, EventError> {
        text(field, self.need(field)?)
    }

    fn text_or_empty(&self, field: &'static str) -> Result<String, EventError> {
        self.get(field).map_or(Ok(String::new()), |raw| text(field, raw))
    }

    fn flag(&self, field: &'static str) -> Result<bool, EventError> {
        match self.need(field)? {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(EventError::WrongType { field, want: "true or false" }),
        }
    }

    fn flag_or_false(&self, field: &'static str) -> Result<bool, EventError> {
        if self.get(field).is_some() { self.flag(field) } else { Ok(false) }
    }

    /// A whole number, bare or as text; 0 where there is none.
    fn number(&self, field: &'static str, want: &'static str) -> Result<u64, EventError> {
        let Some(raw) = self.get(field) else { return Ok(0) };
        let digits = raw.strip_prefix('"').and_then(|r| r.strip_suffix('"')).unwrap_or(raw);
        // `parse` takes a plus sign, JSON does not.
        if digits.starts_with('+') {
            return Err(EventError::WrongType { field, want });
        }
        digits.parse().map_err(|_| EventError::WrongType { field, want })
    }

    fn texts(&self, field: &'static str) -> Result<Vec<String>, EventError> {
        self.items(field)?.into_iter().map(|raw| text(field, raw.get())).collect()
    }

    fn items(&self, field: &'static str) -> Result<Vec<&'a RawValue>, EventError> {
        let Some(raw) = self.get(field) else { return Ok(Vec::new()) };
        let items: Vec<&RawValue> =
            serde_json::from_str(raw).map_err(|_| EventError::WrongType { field, want: "a list" })?;
        if items.len() > LIST_MAX {
            return Err(EventError::TooMany { field, len: items.len() });
        }
        Ok(items)
    }

    fn bytes(&self, field: &'static str) -> Bytes {
        self.raw(field).map_or_else(Bytes::new, |raw| Bytes::copy_from_slice(raw.as_bytes()))
    }

    fn encrypted(&self) -> Result<Option<pb::Encrypted>, EventError> {
        let Some(raw) = self.get("enc") else { return Ok(None) };
        let enc = Object::read(raw, "enc", &["alg", "kid", "ct"])?;
        let ct = base64(&enc.text("ct")?).ok_or(EventError::WrongType { field: "ct", want: "base64" })?;
        Ok(Some(pb::Encrypted { alg: enc.text("alg")?, kid: enc.text_or_empty("kid")?, ct }))
    }

    /// `text`, which may only be missing where `enc` stands in its place.
    fn text_beside(&self, enc: &Option<pb::Encrypted>) -> Result<String, EventError> {
        if enc.is_some() { self.text_or_empty("text") } else { self.text("text") }
    }
}

/// Either alphabet, with padding or without, as proto3 JSON has it.
fn base64(s: &str) -> Option<Bytes> {
    let bare = s.trim_end_matches('=').as_bytes();
    BASE64_NOPAD.decode(bare).or_else(|_| BASE64URL_NOPAD.decode(bare)).ok().map(Bytes::from)
}

fn text(field: &'static str, raw: &str) -> Result<String, EventError> {
    // Most text has no escapes, and then stands there as it is.
    if let Some(plain) = raw.strip_prefix('"').and_then(|r| r.strip_suffix('"'))
        && !plain.contains('\\')
    {
        return Ok(plain.to_owned());
    }
    serde_json::from_str(raw).map_err(|_| EventError::WrongType { field, want: "a text" })
}

struct Slots<'a> {
    known: &'static [&'static str],
    raw: [Option<&'a str>; SLOTS],
    twice: Option<&'static str>,
}

impl<'de> de::Visitor<'de> for &mut Slots<'de> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(slot) = map.next_key_seed(Key(self.known))? {
            let value: &'de RawValue = map.next_value()?;
            if let Some(i) = slot
                && let (Some(place), Some(name)) = (self.raw.get_mut(i), self.known.get(i))
                && place.replace(value.get()).is_some()
            {
                self.twice = Some(name);
            }
        }
        Ok(())
    }
}

/// A field's place among the known ones.
struct Key(&'static [&'static str]);

impl<'de> de::DeserializeSeed<'de> for Key {
    type Value = Option<usize>;

    fn deserialize<D: de::Deserializer<'de>>(self, d: D) -> Result<Self::Value, D::Error> {
        d.deserialize_str(self)
    }
}

impl de::Visitor<'_> for Key {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a field name")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|k| *k == name))
    }
}

fn read_data(name: &str, raw: &str) -> Result<Data, EventError> {
    let fields = |known| Object::read(raw, "data", known);
    Ok(match name {
        "thread.started" => {
            let f = fields(&["title", "folder", "assistant", "group"])?;
            Data::ThreadStarted(pb::ThreadStarted {
                title: f.text("title")?,
                folder: f.text_or_empty("folder")?,
                assistant: f.text_or_empty("assistant")?,
                group: f.flag_or_false("group")?,
            })
        }
        "thread.user" => {
            let f = fields(&["message", "text", "enc", "parent", "mentions", "to"])?;
            let enc = f.encrypted()?;
            Data::ThreadUser(pb::ThreadUser {
                message: f.text("message")?,
                text: f.text_beside(&enc)?,
                enc,
                parent: f.text_or_empty("parent")?,
                mentions: f.texts("mentions")?,
                to: f.texts("to")?,
            })
        }
        "thread.queued" => {
            let f = fields(&["message", "via", "text", "enc", "parent", "mentions", "to"])?;
            Data::ThreadQueued(pb::ThreadQueued {
                message: f.text("message")?,
                via: f.text_or_empty("via")?,
                text: f.text_or_empty("text")?,
                enc: f.encrypted()?,
                parent: f.text_or_empty("parent")?,
                mentions: f.texts("mentions")?,
                to: f.texts("to")?,
            })
        }
        "thread.sent" => {
            let f = fields(&["message", "via", "text", "enc", "by"])?;
            Data::ThreadSent(pb::ThreadSent {
                message: f.text("message")?,
                via: f.text_or_empty("via")?,
                text: f.text_or_empty("text")?,
                enc: f.encrypted()?,
                by: f.text_or_empty("by")?,
            })
        }
        "thread.steered" => {
            let f = fields(&["message", "via", "text", "by"])?;
            Data::ThreadSteered(pb::ThreadSteered {
                message: f.text("message")?,
                via: f.text_or_empty("via")?,
                text: f.text_or_empty("text")?,
                by: f.text_or_empty("by")?,
            })
        }
        "thread.unqueued" => {
            let f = fields(&["message", "via", "text"])?;
            Data::ThreadUnqueued(pb::ThreadUnqueued {
                message: f.text("message")?,
                via: f.text_or_empty("via")?,
                text: f.text_or_empty("text")?,
            })
        }
        "thread.delta" => {
            let f = fields(&["message", "text", "parent"])?;
            Data::ThreadDelta(pb::ThreadDelta {
                message: f.text("message")?,
                text: f.text("text")?,
                parent: f.text_or_empty("parent")?,
            })
        }
        "thread.thinking" => {
            let f = fields(&["message", "text"])?;
            Data::ThreadThinking(pb::ThreadThinking { message: f.text("message")?, text: f.text("text")? })
        }
        "thread.done" => Data::ThreadDone(pb::ThreadDone { message: fields(&["message"])?.text("message")? }),
        "thread.cut" => {
            let f = fields(&["message", "note"])?;
            Data::ThreadCut(pb::ThreadCut { message: f.text("message")?, note: f.text_or_empty("note")? })
        }
        "thread.tool-started" => {
            let f = fields(&["call", "tool", "title", "input"])?;
            Data::ThreadToolStarted(pb::ThreadToolStarted {
                call: f.text("call")?,
                tool: f.text("tool")?,
                title: f.text_or_empty("title")?,
                input: f.bytes("input"),
            })
        }
        "thread.tool-progress" => {
            let f = fields(&["call", "text"])?;
            Data::ThreadToolProgress(pb::ThreadToolProgress { call: f.text("call")?, text: f.text("text")? })
        }
        "thread.tool-finished" => {
            let f = fields(&["call", "tool", "ok", "result"])?;
            Data::ThreadToolFinished(pb::ThreadToolFinished {
                call: f.text("call")?,
                tool: f.text("tool")?,
                ok: f.flag("ok")?,
                result: f.bytes("result"),
            })
        }
        "thread.shell" => {
            let f = fields(&["call", "command", "output", "exit"])?;
            let want = "a whole number from -2147483648 to 2147483647";
            let exit = f.get("exit").map(|raw| raw.parse().map_err(|_| EventError::WrongType { field: "exit", want }));
            Data::ThreadShell(pb::ThreadShell {
                call: f.text("call")?,
                command: f.text("command")?,
                output: f.text_or_empty("output")?,
                exit: exit.transpose()?,
            })
        }
        "thread.file-changed" => {
            let f = fields(&["path", "change", "from"])?;
            let change = match &*f.text("change")? {
                "added" => pb::Change::Added,
                "modified" => pb::Change::Modified,
                "deleted" => pb::Change::Deleted,
                "renamed" => pb::Change::Renamed,
                _ => pb::Change::Unknown,
            };
            Data::ThreadFileChanged(pb::ThreadFileChanged {
                path: f.text("path")?,
                change: change.into(),
                from: f.text_or_empty("from")?,
            })
        }
        "thread.status" => {
            let f = fields(&["state", "note"])?;
            Data::ThreadStatus(pb::ThreadStatus { state: f.text("state")?, note: f.text_or_empty("note")? })
        }
        "thread.stopping" => {
            Data::ThreadStopping(pb::ThreadStopping { note: fields(&["note"])?.text_or_empty("note")? })
        }
        "thread.stopped" => Data::ThreadStopped(pb::ThreadStopped { note: fields(&["note"])?.text_or_empty("note")? }),
        "thread.failed" => Data::ThreadFailed(pb::ThreadFailed { note: fields(&["note"])?.text_or_empty("note")? }),
        "ask.opened" => {
            let f = fields(&["ask", "question", "options"])?;
            Data::AskOpened(pb::AskOpened {
                ask: f.text("ask")?,
                question: f.text("question")?,
                options: f.texts("options")?,
            })
        }
        "ask.answered" => {
            let f = fields(&["ask", "answer"])?;
            Data::AskAnswered(pb::AskReplied { ask: f.text("ask")?, answer: f.text("answer")? })
        }
        "term.command" => {
            let f = fields(&["term", "line", "offset", "via", "surface"])?;
            Data::TermCommand(pb::TermTyped {
                term: f.text("term")?,
                line: f.text("line")?,
                offset: f.number("offset", "a whole number of bytes")?,
                via: f.text_or_empty("via")?,
                surface: f.text_or_empty("surface")?,
            })
        }
        "room.joined" => Data::RoomJoined(pb::RoomJoined { who: fields(&["who"])?.text("who")? }),
        "room.left" => Data::RoomLeft(pb::RoomLeft { who: fields(&["who"])?.text("who")? }),
        "room.reaction" => {
            let f = fields(&["message", "emoji", "on"])?;
            Data::RoomReaction(pb::RoomReaction {
                message: f.text("message")?,
                emoji: f.text("emoji")?,
                on: f.flag("on")?,
            })
        }
        "room.pin" => {
            let f = fields(&["message", "on"])?;
            Data::RoomPin(pb::RoomPin { message: f.text("message")?, on: f.flag("on")? })
        }
        "room.mention" => {
            let f = fields(&["message", "who"])?;
            Data::RoomMention(pb::RoomMention { message: f.text("message")?, who: f.texts("who")? })
        }
        "room.fanout" => {
            let f = fields(&["group", "message", "members"])?;
            let members = f.items("members")?.into_iter().map(|raw| {
                let m = Object::read(raw.get(), "members", &["who", "message"])?;
                Ok(pb::FanoutMember { who: m.text("who")?, message: m.text("message")? })
            });
            Data::RoomFanout(pb::RoomFanout {
                group: f.text("group")?,
                message: f.text("message")?,
                members: members.collect::<Result<_, EventError>>()?,
            })
        }
        "room.fanout-keep" => {
            let f = fields(&["group", "keep"])?;
            Data::RoomFanoutKeep(pb::RoomFanoutKeep { group: f.text("group")?, keep: f.text("keep")? })
        }
        "thread.rewound" => {
            let f = fields(&["message", "to", "again"])?;
            Data::ThreadRewound(pb::ThreadRewound {
                message: f.text_or_empty("message")?,
                to: f.text_or_empty("to")?,
                again: f.texts("again")?,
            })
        }
        "thread.branched" => {
            let f = fields(&["from", "session"])?;
            Data::ThreadBranched(pb::ThreadBranched { from: f.text("from")?, session: f.text("session")? })
        }
        "room.assigned" => {
            Data::RoomAssigned(pb::RoomAssigned { assistant: fields(&["assistant"])?.text_or_empty("assistant")? })
        }
        _ => return Err(EventError::UnknownName),
    })
}

/// An object being written. Fields that are empty and may be missing are left out.
struct Writer {
    out: String,
    first: bool,
}

impl Writer {
    fn new() -> Self {
        Writer { out: String::from("{"), first: true }
    }

    fn key(&mut self, name: &str) {
        if !std::mem::take(&mut self.first) {
            self.out.push(',');
        }
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
    }

    fn text(&mut self, name: &str, s: &str) {
        self.key(name);
        quote(&mut self.out, s);
    }

    fn optional(&mut self, name: &str, s: &str) {
        if !s.is_empty() {
            self.text(name, s);
        }
    }

    fn number(&mut self, name: &str, n: impl std::fmt::Display) {
        self.key(name);
        // Writing to a String cannot fail.
        let _ = write!(self.out, "{n}");
    }

    fn raw(&mut self, name: &str, json: &[u8]) {
        if json.is_empty() {
            return;
        }
        self.key(name);
        // Checked as UTF-8 when the event was; a line's end can only stand between tokens.
        let json: Cow<'_, str> = String::from_utf8_lossy(json);
        self.out.extend(json.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }));
    }

    fn texts(&mut self, name: &str, items: &[String]) {
        if items.is_empty() {
            return;
        }
        self.key(name);
        self.list(items, |w, s| quote(&mut w.out, s));
    }

    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.out.push('[');
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.out.push(',');
            }
            each(self, item);
        }
        self.out.push(']');
    }

    fn object(&mut self, name: &str, fill: impl FnOnce(&mut Self)) {
        self.key(name);
        self.braces(fill);
    }

    fn braces(&mut self, fill: impl FnOnce(&mut Self)) {
        self.out.push('{');
        self.first = true;
        fill(self);
        self.first = false;
        self.out.push('}');
    }

    /// What is told of a message on its way: its words only where they are told again.
    fn passed(&mut self, message: &str, via: &str, text: &str, enc: &Option<pb::Encrypted>) {
        self.text("message", message);
        self.optional("via", via);
        if !text.is_empty() || enc.is_some() {
            self.words(text, enc);
        }
    }

    fn words(&mut self, text: &str, enc: &Option<pb::Encrypted>) {
        match enc {
            None => self.text("text", text),
            Some(enc) => self.object("enc", |w| {
                w.text("alg", &enc.alg);
                w.optional("kid", &enc.kid);
                w.text("ct", &BASE64.encode(&enc.ct));
            }),
        }
    }
}

fn quote(out: &mut String, s: &str) {
    // A text always has a JSON form.
    out.push_str(&serde_json::to_string(s).unwrap_or_default());
}

pub(super) fn write(e: &pb::Event, name: &str) -> String {
    let mut w = Writer::new();
    w.text("id", &e.id);
    w.text("name", name);
    w.text("session", &e.session);
    w.optional("turn", &e.turn);
    if e.time > 0 {
        w.number("time", e.time);
    }
    w.optional("corr", &e.corr);
    w.optional("actor", &e.actor);
    w.optional("acts_for", &e.acts_for);
    w.object("data", |w| {
        if let Some(data) = &e.data {
            write_data(w, data);
        }
    });
    w.out.push('}');
    w.out
}

fn write_data(w: &mut Writer, data: &Data) {
    match data {
        Data::ThreadStarted(d) => {
            w.text("title", &d.title);
            w.optional("folder", &d.folder);
            w.optional("assistant", &d.assistant);
            if d.group {
                w.number("group", true);
            }
        }
        Data::ThreadUser(d) => {
            w.text("message", &d.message);
            w.words(&d.text, &d.enc);
            w.optional("parent", &d.parent);
            w.texts("mentions", &d.mentions);
            w.texts("to", &d.to);
        }
        Data::ThreadQueued(d) => {
            w.passed(&d.message, &d.via, &d.text, &d.enc);
            w.optional("parent", &d.parent);
            w.texts("mentions", &d.mentions);
            w.texts("to", &d.to);
        }
        Data::ThreadSent(d) => {
            w.passed(&d.message, &d.via, &d.text, &d.enc);
            w.optional("by", &d.by);
        }
        Data::ThreadSteered(d) => {
            w.passed(&d.message, &d.via, &d.text, &None);
            w.optional("by", &d.by);
        }
        Data::ThreadUnqueued(pb::ThreadUnqueued { message, via, text }) => {
            w.text("message", message);
            w.optional("via", via);
            w.optional("text", text);
        }
        Data::ThreadDelta(d) => {
            w.text("message", &d.message);
            w.text("text", &d.text);
            w.optional("parent", &d.parent);
        }
        Data::ThreadThinking(d) => {
            w.text("message", &d.message);
            w.text("text", &d.text);
        }
        Data::ThreadDone(d) => w.text("message", &d.message),
        Data::ThreadCut(d) => {
            w.text("message", &d.message);
            w.optional("note", &d.note);
        }
        Data::ThreadToolStarted(d) => {
            w.text("call", &d.call);
            w.text("tool", &d.tool);
            w.optional("title", &d.title);
            w.raw("input", &d.input);
        }
        Data::ThreadToolProgress(d) => {
            w.text("call", &d.call);
            w.text("text", &d.text);
        }
        Data::ThreadToolFinished(d) => {
            w.text("call", &d.call);
            w.text("tool", &d.tool);
            w.number("ok", d.ok);
            w.raw("result", &d.result);
        }
        Data::ThreadShell(d) => {
            w.text("call", &d.call);
            w.text("command", &d.command);
            w.optional("output", &d.output);
            if let Some(exit) = d.exit {
                w.number("exit", exit);
            }
        }
        Data::ThreadFileChanged(d) => {
            w.text("path", &d.path);
            let change = match d.change() {
                pb::Change::Added => "added",
                pb::Change::Modified => "modified",
                pb::Change::Deleted => "deleted",
                pb::Change::Renamed => "renamed",
                pb::Change::Unknown => "unknown",
            };
            w.text("change", change);
            w.optional("from", &d.from);
        }
        Data::ThreadStatus(d) => {
            w.text("state", &d.state);
            w.optional("note", &d.note);
        }
        Data::ThreadStopping(d) => w.optional("note", &d.note),
        Data::ThreadStopped(d) => w.optional("note", &d.note),
        Data::ThreadFailed(d) => w.optional("note", &d.note),
        Data::AskOpened(d) => {
            w.text("ask", &d.ask);
            w.text("question", &d.question);
            w.texts("options", &d.options);
        }
        Data::AskAnswered(d) => {
            w.text("ask", &d.ask);
            w.text("answer", &d.answer);
        }
        Data::TermCommand(d) => {
            w.text("term", &d.term);
            w.text("line", &d.line);
            if d.offset > 0 {
                w.number("offset", d.offset);
            }
            w.optional("via", &d.via);
            w.optional("surface", &d.surface);
        }
        Data::RoomJoined(pb::RoomJoined { who }) | Data::RoomLeft(pb::RoomLeft { who }) => w.text("who", who),
        Data::RoomReaction(d) => {
            w.text("message", &d.message);
            w.text("emoji", &d.emoji);
            w.number("on", d.on);
        }
        Data::RoomPin(d) => {
            w.text("message", &d.message);
            w.number("on", d.on);
        }
        Data::RoomMention(d) => {
            w.text("message", &d.message);
            w.texts("who", &d.who);
        }
        Data::RoomFanout(d) => {
            w.text("group", &d.group);
            w.text("message", &d.message);
            w.key("members");
            w.list(&d.members, |w, m| {
                w.braces(|w| {
                    w.text("who", &m.who);
                    w.text("message", &m.message);
                });
            });
        }
        Data::RoomFanoutKeep(d) => {
            w.text("group", &d.group);
            w.text("keep", &d.keep);
        }
        Data::ThreadRewound(d) => {
            w.optional("message", &d.message);
            w.optional("to", &d.to);
            w.texts("again", &d.again);
        }
        Data::ThreadBranched(d) => {
            w.text("from", &d.from);
            w.text("session", &d.session);
        }
        Data::RoomAssigned(d) => w.optional("assistant", &d.assistant),
    }
}
