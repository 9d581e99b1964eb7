//! The calls of one turn: an agent tells of each in pieces that replace each other, a room is told of what is new.

use std::collections::BTreeMap;

use agent_client_protocol_schema::v1 as acp;
use serde_json::Value;
use serde_json::json;
use vyre_proto::block::cut;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data;

use crate::rules::acp::NOTE_MAX;
use crate::rules::acp::Names;
use crate::rules::acp::PIECE_MAX;
use crate::rules::acp::piece_end;
use crate::rules::acp::words_of;
use crate::rules::blocks::patch;

/// Most calls of one turn that are open at once. One more ends the oldest, without a result.
const OPEN_MAX: usize = 64;

/// Most ended calls remembered, so that a late word brings none back.
const ENDED_MAX: usize = 256;

/// Longest text that is kept of one call, and longest result, in bytes.
const TEXT_MAX: usize = 256 * 1024;

/// Longest input that is passed on, in bytes.
const INPUT_MAX: usize = 256 * 1024;

#[derive(Debug, Default)]
pub(super) struct Calls {
    open: BTreeMap<String, Call>,
    ended: Vec<String>,
    count: u64,
    out: Vec<Data>,
}

/// One open call.
#[derive(Debug, Default)]
struct Call {
    order: u64,
    id: String,
    kind: acp::ToolKind,
    tool: String,
    title: String,
    /// What it was asked; empty where that is not known yet.
    input: String,
    command: String,
    text: String,
    /// How much of the text was shown while it ran.
    shown: usize,
    diffs: Vec<Change>,
    picture: Option<Value>,
    paths: Vec<String>,
    exit: Option<i32>,
    raw: Option<Value>,
}

/// One changed file.
#[derive(Debug)]
struct Change {
    path: String,
    patch: String,
    new: bool,
}

impl Calls {
    /// Whether the agent has not told of this call before.
    pub(super) fn is_new(&self, theirs: &str) -> bool {
        !self.open.contains_key(theirs) && !self.ended.iter().any(|e| e == theirs)
    }

    /// The title of an open call.
    pub(super) fn title(&self, theirs: &str) -> Option<String> {
        self.open.get(theirs).map(|c| c.title.clone())
    }

    /// Takes in what the agent says of a call.
    pub(super) fn update(&mut self, names: &mut Names, folder: &str, update: acp::ToolCallUpdate) {
        let theirs = cut(&update.tool_call_id.0, 512).to_owned();
        let fields = update.fields;
        if self.ended.contains(&theirs) {
            return;
        }
        if !self.open.contains_key(&theirs) {
            self.make_room();
            self.count += 1;
            let call = Call { order: self.count, id: names.next('c'), ..Call::default() };
            self.open.insert(theirs.clone(), call);
        }
        let Some(call) = self.open.get_mut(&theirs) else { return };
        let first = call.tool.is_empty();
        let status = fields.status;
        let asked = call.input.is_empty();
        call.learn(folder, fields);
        // What it is asked often comes only behind its name.
        if first || (asked && !call.input.is_empty()) {
            self.out.push(call.started());
        }
        match status {
            Some(acp::ToolCallStatus::Completed) => self.finish(&theirs, true, None),
            Some(acp::ToolCallStatus::Failed) => self.finish(&theirs, false, None),
            _ => {
                while let Some(progress) = call.progress() {
                    self.out.push(progress);
                }
            }
        }
    }

    /// Ends every call that is open: none of them did what it was to do, as far as anybody knows.
    pub(super) fn end(&mut self, note: &str) {
        let mut open: Vec<_> = self.open.iter().map(|(theirs, c)| (c.order, theirs.clone())).collect();
        open.sort_unstable();
        for (_, theirs) in open {
            self.finish(&theirs, false, Some(note));
        }
    }

    /// What there is to tell.
    pub(super) fn take(&mut self) -> Vec<Data> {
        std::mem::take(&mut self.out)
    }

    fn make_room(&mut self) {
        if self.open.len() < OPEN_MAX {
            return;
        }
        let oldest = self.open.iter().min_by_key(|(_, c)| c.order).map(|(theirs, _)| theirs.clone());
        if let Some(oldest) = oldest {
            self.finish(&oldest, false, Some("too many calls are open at once"));
        }
    }

    fn finish(&mut self, theirs: &str, ok: bool, note: Option<&str>) {
        let Some(call) = self.open.remove(theirs) else { return };
        if self.ended.len() >= ENDED_MAX {
            self.ended.remove(0);
        }
        self.ended.push(theirs.to_owned());
        if ok {
            self.out.extend(call.files_changed());
        }
        if let Some(shell) = call.shell() {
            self.out.push(shell);
        }
        let result = call.result(note).to_string().into();
        self.out.push(Data::ThreadToolFinished(pb::ThreadToolFinished { call: call.id, tool: call.tool, ok, result }));
    }
}

impl Call {
    fn learn(&mut self, folder: &str, fields: acp::ToolCallUpdateFields) {
        if let Some(kind) = fields.kind {
            self.kind = kind;
        }
        if let Some(title) = fields.title {
            self.title = cut(title.trim(), NOTE_MAX).to_owned();
        }
        if let Some(locations) = fields.locations {
            self.paths = locations.iter().take(64).map(|l| shown(folder, &l.path.to_string_lossy())).collect();
        }
        if self.tool.is_empty() {
            self.tool = tool(fields.name.as_deref(), self.kind);
        }
        if let Some(input) = fields.raw_input {
            self.ask(&input);
        } else if self.input.is_empty() {
            self.guess();
        }
        if let Some(content) = fields.content {
            self.hold(folder, content);
        }
        if let Some(raw) = fields.raw_output {
            self.exit = exit_of(&raw).or(self.exit);
            // What is long is not kept: the content says the same for persons.
            self.raw = Some(raw).filter(|raw| raw.to_string().len() <= TEXT_MAX);
        }
    }

    fn ask(&mut self, input: &Value) {
        let empty = input.is_null() || input.as_object().is_some_and(serde_json::Map::is_empty);
        if empty {
            return self.guess();
        }
        if let Some(command) = command_of(input) {
            self.command = cut(&command, TEXT_MAX).to_owned();
        }
        let text = input.to_string();
        if text.len() <= INPUT_MAX {
            self.input = text;
        }
    }

    /// What it is asked, by its title and its places, where the agent does not say.
    fn guess(&mut self) {
        let bare = self.title.trim_matches('`');
        match (self.kind, self.paths.first()) {
            (acp::ToolKind::Execute, _) if !bare.is_empty() && self.title.starts_with('`') => {
                self.command = bare.to_owned();
                self.input = json!({ "command": bare }).to_string();
            }
            (acp::ToolKind::Read | acp::ToolKind::Delete, Some(path)) => {
                self.input = json!({ "path": path }).to_string();
            }
            _ => {}
        }
    }

    /// Content stands in place of what was told before.
    fn hold(&mut self, folder: &str, content: Vec<acp::ToolCallContent>) {
        let mut text = String::new();
        self.diffs.clear();
        for one in content {
            match one {
                acp::ToolCallContent::Content(c) => {
                    if let acp::ContentBlock::Image(i) = &c.content {
                        let media = cut(&i.mime_type, 64);
                        self.picture = Some(json!({ "type": "image", "mimeType": media, "data": i.data }));
                        continue;
                    }
                    if !text.is_empty() && !text.ends_with('\n') {
                        text.push('\n');
                    }
                    text.push_str(&words_of(&c.content));
                }
                acp::ToolCallContent::Diff(d) if self.diffs.len() < 64 => {
                    let patch = match &d.old_text {
                        Some(old) => patch::change(old, &d.new_text),
                        None => patch::whole(&d.new_text),
                    };
                    let path = shown(folder, &d.path.to_string_lossy());
                    let patch = lines(&patch, TEXT_MAX);
                    self.diffs.push(Change { path, patch, new: d.old_text.is_none() });
                }
                _ => {}
            }
        }
        if self.kind == acp::ToolKind::Execute {
            text = unfenced(text);
        }
        if !text.starts_with(self.text.get(..self.shown).unwrap_or_default()) {
            // Something else than before: it is shown whole, below.
            self.shown = 0;
        }
        self.text = cut(&text, TEXT_MAX).to_owned();
        self.shown = self.shown.min(self.text.len());
    }

    fn started(&self) -> Data {
        Data::ThreadToolStarted(pb::ThreadToolStarted {
            call: self.id.clone(),
            tool: self.tool.clone(),
            title: self.title.clone(),
            input: self.input.clone().into(),
        })
    }

    /// The next piece of what it said since it was last asked.
    fn progress(&mut self) -> Option<Data> {
        let rest = self.text.get(self.shown..).filter(|r| !r.is_empty())?;
        let piece = &rest[..piece_end(rest).min(PIECE_MAX)];
        self.shown += piece.len();
        Some(Data::ThreadToolProgress(pb::ThreadToolProgress { call: self.id.clone(), text: piece.to_owned() }))
    }

    fn is_shell(&self) -> bool {
        self.kind == acp::ToolKind::Execute && !self.command.is_empty()
    }

    fn shell(&self) -> Option<Data> {
        self.is_shell().then(|| {
            Data::ThreadShell(pb::ThreadShell {
                call: self.id.clone(),
                command: self.command.clone(),
                output: self.text.clone(),
                exit: self.exit,
            })
        })
    }

    fn files_changed(&self) -> Vec<Data> {
        let changed = |path: &str, change: pb::Change| {
            let (path, change) = (path.to_owned(), change.into());
            Data::ThreadFileChanged(pb::ThreadFileChanged { path, change, from: String::new() })
        };
        if self.kind == acp::ToolKind::Delete {
            return self.paths.iter().map(|p| changed(p, pb::Change::Deleted)).collect();
        }
        let of = |d: &Change| changed(&d.path, if d.new { pb::Change::Added } else { pb::Change::Modified });
        self.diffs.iter().map(of).collect()
    }

    /// The result as the block that it is.
    fn result(&self, note: Option<&str>) -> Value {
        if let Some(picture) = self.picture.as_ref().filter(|_| note.is_none()) {
            return picture.clone();
        }
        match &self.diffs[..] {
            [] => {}
            [one] => return json!({ "block": "diff", "path": one.path, "patch": one.patch, "note": note }),
            many => {
                let mut patch = String::new();
                for d in many {
                    patch.push_str(&format!("--- a/{0}\n+++ b/{0}\n{1}", d.path, d.patch));
                }
                let path = format!("{} files", many.len());
                return json!({ "block": "diff", "path": path, "patch": lines(&patch, TEXT_MAX), "note": note });
            }
        }
        if self.is_shell() {
            let (command, output) = (&self.command, &self.text);
            return json!({ "block": "terminal", "command": command, "output": output, "exit": self.exit, "note": note });
        }
        match (&self.text[..], note, &self.raw) {
            ("", Some(note), _) => json!({ "block": "text", "text": note }),
            ("", None, Some(raw)) => raw.clone(),
            ("", None, None) => Value::Null,
            (text, note, _) => json!({ "block": "text", "text": text, "note": note }),
        }
    }
}

/// The name by which a tool's blocks are chosen: its own, or one of its kind.
fn tool(name: Option<&str>, kind: acp::ToolKind) -> String {
    if let Some(name) = name.map(str::trim).filter(|n| !n.is_empty() && n.len() <= 64 && !n.contains(char::is_control))
    {
        return name.to_owned();
    }
    let of_kind = match kind {
        acp::ToolKind::Read => "read",
        acp::ToolKind::Edit => "edit",
        acp::ToolKind::Delete => "delete",
        acp::ToolKind::Move => "move",
        acp::ToolKind::Search => "search",
        acp::ToolKind::Execute => "shell",
        acp::ToolKind::Think => "think",
        acp::ToolKind::Fetch => "fetch",
        acp::ToolKind::SwitchMode => "mode",
        _ => "tool",
    };
    of_kind.to_owned()
}

/// A path without the folder in which the agent works.
fn shown(folder: &str, path: &str) -> String {
    let folder = folder.trim_end_matches('/');
    let inside = path.strip_prefix(folder).and_then(|p| p.strip_prefix('/'));
    cut(inside.filter(|p| !p.is_empty() && !folder.is_empty()).unwrap_or(path), NOTE_MAX).to_owned()
}

/// As many whole lines as fit.
fn lines(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_owned();
    }
    let short = cut(text, max);
    short.rfind('\n').map_or(short, |end| &short[..=end]).to_owned()
}

/// Output that stands in a fence, as agents write it for editors.
fn unfenced(text: String) -> String {
    let Some(rest) = text.strip_prefix("```") else { return text };
    let Some((_, body)) = rest.split_once('\n') else { return text };
    match body.trim_end().strip_suffix("```") {
        Some(inside) => inside.to_owned(),
        None => body.to_owned(),
    }
}

fn command_of(input: &Value) -> Option<String> {
    match input.get("command").or_else(|| input.get("cmd"))? {
        Value::String(s) => Some(s.clone()),
        Value::Array(args) => {
            let args: Vec<_> = args.iter().filter_map(Value::as_str).collect();
            Some(match &args[..] {
                [shell, flag, script] if flag.starts_with('-') && flag.ends_with('c') && shell.ends_with("sh") => {
                    (*script).to_owned()
                }
                _ => args.join(" "),
            })
        }
        _ => None,
    }
}

fn exit_of(raw: &Value) -> Option<i32> {
    let keys = ["exit_code", "exitCode", "exit", "code", "returncode"];
    keys.iter().find_map(|k| raw.get(k)?.as_i64()).and_then(|n| i32::try_from(n).ok())
}
