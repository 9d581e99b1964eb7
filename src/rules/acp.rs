//! The Agent Client Protocol in the box's own words: what an agent says becomes events, what persons say becomes a prompt.
//!
//! A [`Turn`] is one prompt and everything that comes of it, until [`Turn::end`]. It remembers which message is being
//! written and which calls are open, so that whatever ends a turn (its end, a stop, a crash) ends these too: nothing of it
//! is shown as going on for ever, and nothing as done that was not.
//!
//! What would surprise: words after a call are a message of their own, since they stand below it; an agent's ids are never
//! used, since nothing makes them differ from those of another session or turn; and an update that means nothing to a
//! room (usage, modes, commands) makes no event.

mod calls;
#[cfg(test)]
mod tests;
pub mod wire;

use std::fmt::Write;

use agent_client_protocol_schema::v1 as acp;
use vyre_proto::block::cut;
use vyre_proto::event::Event;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_proto::limits::ID_MAX;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data;

use crate::rules::acp::calls::Calls;

/// Longest text of one event made of an agent's words, in bytes: a longer chunk becomes several.
pub const PIECE_MAX: usize = 64 * 1024;

/// Longest title, question or note, in bytes.
const NOTE_MAX: usize = 1024;

/// Longest name of an option that is asked about, in bytes.
const OPTION_MAX: usize = 200;

/// Most options of one question.
const OPTIONS_MAX: usize = 32;

/// Names for what an agent makes: never given twice by one source.
#[derive(Debug)]
pub struct Names {
    prefix: String,
    next: u64,
}

impl Names {
    /// Names under a prefix that no other source has: at most 60 bytes without control characters.
    pub fn new(prefix: &str) -> Names {
        Names { prefix: cut(prefix, 60).to_owned(), next: 0 }
    }

    /// The next name of this sort.
    pub fn next(&mut self, sort: char) -> String {
        self.next += 1;
        format!("{}.{sort}{}", self.prefix, self.next)
    }
}

/// Who speaks, where, and for whom.
#[derive(Debug, Clone)]
pub struct Speaker {
    /// The session.
    pub session: SessionId,
    /// The assistant.
    pub who: Author,
    /// The person whose message is answered.
    pub acts_for: Option<Author>,
    /// The folder in which the agent works: paths inside it are shown without it.
    pub folder: String,
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The agent ended it; a note where that was early.
    Done(&'static str),
    /// A person stopped it.
    Stopped,
    /// It broke off: why, for persons.
    Failed(String),
}

/// The end of a turn by what the agent says of it.
pub fn end_of(reason: acp::StopReason) -> End {
    match reason {
        acp::StopReason::MaxTokens => End::Done("the answer reached the longest length that the assistant gives"),
        acp::StopReason::MaxTurnRequests => End::Done("the assistant reached its limit of steps for one answer"),
        acp::StopReason::Refusal => End::Done("the assistant declined to go on"),
        acp::StopReason::Cancelled => End::Stopped,
        _ => End::Done(""),
    }
}

/// The message that is being written.
#[derive(Debug)]
struct Writing {
    message: String,
    /// The agent's own name of it, where it gives one.
    theirs: Option<String>,
    /// It has text, and not thinking alone.
    text: bool,
}

/// One prompt and what comes of it.
#[derive(Debug)]
pub struct Turn {
    speaker: Speaker,
    turn: String,
    writing: Option<Writing>,
    calls: Calls,
    /// The plan shown last.
    plan: Vec<(String, &'static str)>,
    out: Vec<Event>,
}

/// A question to persons, and what their answer means to the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choices {
    /// The question's id.
    pub ask: String,
    options: Vec<(String, acp::PermissionOptionId, acp::PermissionOptionKind)>,
}

impl Turn {
    /// A turn of this speaker.
    pub fn new(speaker: Speaker, names: &mut Names) -> Turn {
        let turn = names.next('t');
        Turn { speaker, turn, writing: None, calls: Calls::default(), plan: Vec::new(), out: Vec::new() }
    }

    /// The agent is asked.
    pub fn begin(&mut self, names: &mut Names, note: &str) -> Vec<Event> {
        let status = pb::ThreadStatus { state: "working".into(), note: note.to_owned() };
        self.put(names, Data::ThreadStatus(status));
        self.take()
    }

    /// What the agent says of its work.
    pub fn update(&mut self, names: &mut Names, update: acp::SessionUpdate) -> Vec<Event> {
        match update {
            acp::SessionUpdate::AgentMessageChunk(chunk) => self.words(names, &chunk, false),
            acp::SessionUpdate::AgentThoughtChunk(chunk) => self.words(names, &chunk, true),
            acp::SessionUpdate::ToolCall(call) => self.call(names, call.into()),
            acp::SessionUpdate::ToolCallUpdate(update) => self.call(names, update),
            acp::SessionUpdate::Plan(plan) => self.plan(names, &plan.entries),
            acp::SessionUpdate::PlanUpdate(update) => {
                if let acp::PlanUpdateContent::Items(items) = &update.plan {
                    self.plan(names, &items.entries);
                }
            }
            acp::SessionUpdate::Notice(notice) => {
                let note = cut(&notice.title, NOTE_MAX).to_owned();
                self.put(names, Data::ThreadStatus(pb::ThreadStatus { state: "working".into(), note }));
            }
            _ => {}
        }
        self.take()
    }

    /// An update of a call was longer than the box reads. A call that it ended is ended without its result.
    pub fn too_long(&mut self, names: &mut Names, call: &str, ended: Option<bool>, len: usize) -> Vec<Event> {
        let fields = acp::ToolCallUpdateFields::new();
        let fields = match ended {
            Some(ok) => {
                let text = format!("A result of {} kB, which is more than can be shown.", len / 1000);
                let status = if ok { acp::ToolCallStatus::Completed } else { acp::ToolCallStatus::Failed };
                fields.status(status).content(vec![text.into()])
            }
            None => return Vec::new(),
        };
        self.call(names, acp::ToolCallUpdate::new(call.to_owned(), fields));
        self.take()
    }

    /// The agent wants to be allowed something: the question for persons, and what it means.
    pub fn ask(&mut self, names: &mut Names, ask: acp::RequestPermissionRequest) -> (Choices, Vec<Event>) {
        let title = ask.tool_call.fields.title.clone();
        let title = title.or_else(|| self.calls.title(&ask.tool_call.tool_call_id.0)).unwrap_or_default();
        self.call(names, ask.tool_call);
        let mut options: Vec<(String, _, _)> = Vec::new();
        for option in ask.options.into_iter().take(OPTIONS_MAX) {
            let mut name = cut(option.name.trim(), OPTION_MAX).to_owned();
            if name.is_empty() {
                name = of_kind(option.kind).to_owned();
            }
            let plain = name.clone();
            let mut n = 1;
            while options.iter().any(|(other, _, _)| *other == name) {
                n += 1;
                name = format!("{plain} ({n})");
            }
            options.push((name, option.option_id, option.kind));
        }
        let choices = Choices { ask: names.next('q'), options };
        let title = cut(title.trim(), NOTE_MAX);
        let question = if title.is_empty() { "May the assistant go on?".to_owned() } else { title.to_owned() };
        let options = choices.options.iter().map(|(name, _, _)| name.clone()).collect();
        self.put(names, Data::AskOpened(pb::AskOpened { ask: choices.ask.clone(), question, options }));
        (choices, self.take())
    }

    /// A question that nobody answers any more.
    pub fn unasked(&mut self, names: &mut Names, ask: &str, why: &str) -> Vec<Event> {
        self.put(names, Data::AskAnswered(pb::AskReplied { ask: ask.to_owned(), answer: why.to_owned() }));
        self.take()
    }

    /// Ends it, and everything in it.
    pub fn end(mut self, names: &mut Names, end: &End) -> Vec<Event> {
        let note = match end {
            End::Done(_) => "the assistant ended its turn without a result of this",
            End::Stopped => "stopped",
            End::Failed(why) => why,
        };
        self.calls.end(note);
        self.take_calls(names);
        if let Some(writing) = self.writing.take() {
            let whole = matches!(end, End::Done(_)) || !writing.text;
            let message = writing.message;
            let data = match whole {
                true => Data::ThreadDone(pb::ThreadDone { message }),
                false => Data::ThreadCut(pb::ThreadCut { message, note: note.to_owned() }),
            };
            self.put(names, data);
        }
        self.put(
            names,
            match end {
                End::Done(note) => {
                    Data::ThreadStatus(pb::ThreadStatus { state: "idle".into(), note: (*note).to_owned() })
                }
                End::Stopped => Data::ThreadStopped(pb::ThreadStopped::default()),
                End::Failed(why) => Data::ThreadFailed(pb::ThreadFailed { note: cut(why, NOTE_MAX).to_owned() }),
            },
        );
        self.out
    }

    fn words(&mut self, names: &mut Names, chunk: &acp::ContentChunk, thinking: bool) {
        let words = words_of(&chunk.content);
        if words.is_empty() {
            return;
        }
        let theirs = chunk.message_id.as_ref().map(|id| cut(&id.0, ID_MAX).to_owned());
        let other = |w: &Writing| theirs.is_some() && w.theirs.is_some() && w.theirs != theirs;
        if self.writing.as_ref().is_some_and(other) {
            self.done(names);
        }
        let writing = self.writing.get_or_insert_with(|| Writing { message: names.next('m'), theirs, text: false });
        writing.text |= !thinking;
        let message = writing.message.clone();
        let mut rest = words.as_str();
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(piece_end(rest));
            rest = after;
            let (message, text) = (message.clone(), piece.to_owned());
            self.put(
                names,
                match thinking {
                    true => Data::ThreadThinking(pb::ThreadThinking { message, text }),
                    false => Data::ThreadDelta(pb::ThreadDelta { message, text, parent: String::new() }),
                },
            );
        }
    }

    fn call(&mut self, names: &mut Names, update: acp::ToolCallUpdate) {
        if self.calls.is_new(&update.tool_call_id.0) && self.writing.as_ref().is_some_and(|w| w.text) {
            self.done(names);
        }
        self.calls.update(names, &self.speaker.folder, update);
        self.take_calls(names);
    }

    fn take_calls(&mut self, names: &mut Names) {
        for data in self.calls.take() {
            self.put(names, data);
        }
    }

    /// A plan is shown as a list of tasks, each time that it has changed.
    fn plan(&mut self, names: &mut Names, entries: &[acp::PlanEntry]) {
        let plan: Vec<_> = entries.iter().take(256).map(|e| (line(&e.content), state_of(&e.status))).collect();
        if plan == self.plan {
            return;
        }
        if self.writing.as_ref().is_some_and(|w| w.text) {
            self.done(names);
        }
        self.plan = plan;
        let items: Vec<_> =
            self.plan.iter().map(|(text, state)| serde_json::json!({ "text": text, "state": state })).collect();
        let result = serde_json::json!({ "block": "task", "title": "Plan", "items": items });
        let (call, tool) = (names.next('c'), "update_plan".to_owned());
        let input = serde_json::json!({ "plan": items }).to_string().into();
        let title = "Plan".to_owned();
        self.put(
            names,
            Data::ThreadToolStarted(pb::ThreadToolStarted { call: call.clone(), tool: tool.clone(), title, input }),
        );
        let result = result.to_string().into();
        self.put(names, Data::ThreadToolFinished(pb::ThreadToolFinished { call, tool, ok: true, result }));
    }

    /// The message that is being written is whole.
    fn done(&mut self, names: &mut Names) {
        if let Some(writing) = self.writing.take() {
            self.put(names, Data::ThreadDone(pb::ThreadDone { message: writing.message }));
        }
    }

    fn put(&mut self, names: &mut Names, data: Data) {
        let s = &self.speaker;
        let event = pb::Event {
            id: names.next('e'),
            session: s.session.to_string(),
            turn: self.turn.clone(),
            actor: s.who.to_string(),
            acts_for: s.acts_for.as_ref().map(Author::to_string).unwrap_or_default(),
            data: Some(data),
            ..Default::default()
        };
        // Everything in it was made or cut to fit; what still does not is the agent's, and shown nowhere.
        self.out.extend(Event::check(event));
    }

    fn take(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.out)
    }
}

impl Choices {
    /// What this answer means. Words that are no option allow nothing.
    pub fn meaning(&self, answer: &str) -> acp::RequestPermissionOutcome {
        let answer = answer.trim();
        let exact = self.options.iter().find(|(name, _, _)| name == answer);
        let alike = || self.options.iter().find(|(name, _, _)| name.to_lowercase() == answer.to_lowercase());
        match exact.or_else(alike) {
            Some((_, id, _)) => selected(id),
            None => self.first(&[acp::PermissionOptionKind::RejectOnce, acp::PermissionOptionKind::RejectAlways]),
        }
    }

    /// What the owner of the box has decided once for all.
    pub fn decided(&self, allow: bool) -> acp::RequestPermissionOutcome {
        use acp::PermissionOptionKind as Kind;
        let kinds = if allow { [Kind::AllowOnce, Kind::AllowAlways] } else { [Kind::RejectOnce, Kind::RejectAlways] };
        self.first(&kinds)
    }

    /// The answer in words that stands for this outcome.
    pub fn named(&self, outcome: &acp::RequestPermissionOutcome) -> &str {
        match outcome {
            acp::RequestPermissionOutcome::Selected(s) => {
                self.options.iter().find(|(_, id, _)| *id == s.option_id).map_or("", |(name, _, _)| name)
            }
            _ => "cancelled",
        }
    }

    fn first(&self, kinds: &[acp::PermissionOptionKind]) -> acp::RequestPermissionOutcome {
        let find = |kind: &acp::PermissionOptionKind| self.options.iter().find(|(_, _, k)| k == kind);
        kinds.iter().find_map(find).map_or(acp::RequestPermissionOutcome::Cancelled, |(_, id, _)| selected(id))
    }
}

fn selected(id: &acp::PermissionOptionId) -> acp::RequestPermissionOutcome {
    acp::RequestPermissionOutcome::Selected(acp::SelectedPermissionOutcome::new(id.clone()))
}

fn of_kind(kind: acp::PermissionOptionKind) -> &'static str {
    match kind {
        acp::PermissionOptionKind::AllowOnce => "Allow",
        acp::PermissionOptionKind::AllowAlways => "Always allow",
        acp::PermissionOptionKind::RejectOnce => "Reject",
        acp::PermissionOptionKind::RejectAlways => "Always reject",
        _ => "Other",
    }
}

fn state_of(status: &acp::PlanEntryStatus) -> &'static str {
    match status {
        acp::PlanEntryStatus::InProgress => "in_progress",
        acp::PlanEntryStatus::Completed => "completed",
        _ => "pending",
    }
}

fn line(text: &str) -> String {
    cut(text.trim(), NOTE_MAX).to_owned()
}

/// Where the first piece of this text ends: nowhere inside a character.
fn piece_end(text: &str) -> usize {
    let mut end = text.len().min(PIECE_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

/// A content block as words. What is no text is told of.
fn words_of(block: &acp::ContentBlock) -> String {
    match block {
        acp::ContentBlock::Text(t) => t.text.clone(),
        acp::ContentBlock::ResourceLink(link) => {
            let name = link.title.as_ref().unwrap_or(&link.name);
            format!("[{}]({})", cut(name, NOTE_MAX), cut(&link.uri, NOTE_MAX))
        }
        acp::ContentBlock::Resource(r) => match &r.resource {
            acp::EmbeddedResourceResource::TextResourceContents(t) => t.text.clone(),
            _ => "[a file]".to_owned(),
        },
        acp::ContentBlock::Image(_) => "[a picture]".to_owned(),
        acp::ContentBlock::Audio(_) => "[a sound]".to_owned(),
        _ => String::new(),
    }
}

/// Something that a person said.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    /// Who, where it is known.
    pub by: Option<&'a Author>,
    /// The words.
    pub text: &'a str,
}

/// What persons said as one prompt. In a room of several persons each is named.
pub fn prompt<'a>(said: impl IntoIterator<Item = Said<'a>>, several: bool) -> Vec<acp::ContentBlock> {
    let block = |said: Said<'_>| {
        let mut text = String::with_capacity(said.text.len() + 32);
        if let Some(by) = said.by.filter(|_| several) {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{} says:", by.as_str().split_once(':').map_or(by.as_str(), |(_, name)| name));
        }
        text.push_str(said.text);
        acp::ContentBlock::from(text)
    };
    said.into_iter().map(block).collect()
}
