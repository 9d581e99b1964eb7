//! What a tool was asked and what it answered, as blocks that a screen draws.
//!
//! `TOOLS` is the one table: which tool is of which kind. Assistants and providers name the same things differently, so
//! names are compared without case, dashes and underscores, and a kind takes its facts from whichever of the usual fields
//! is there. A result that says itself which block it is (`{"block": "record", …}`) is taken at its word; a result with a
//! picture is a screen; everything unknown becomes a short text in words, never JSON.
//!
//! Every block leaves through [`vyre_proto::block::admit`]. One that had to be cut, and one that stands for a picture,
//! names the event that keeps the whole as its `ref`. Commands and outputs are redacted.

mod kernel;
pub(crate) mod patch;
mod tree;
mod words;

use vyre_proto::block::admit;
use vyre_proto::block::cut;
use vyre_proto::block::decode;
use vyre_proto::block::encode;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::block::Kind;
use vyre_proto::pb::stream::field::Content;

use crate::rules::blocks::tree::Tree;
use crate::rules::blocks::words::SHORT;
use crate::rules::blocks::words::plain;
use crate::rules::blocks::words::size;
use crate::rules::blocks::words::words;
use crate::rules::holdback::Guarded;
use crate::rules::redact::redact;

/// What kind of work a tool does, and so which block shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tool {
    /// Runs commands: `terminal`.
    Shell,
    /// Runs code: `terminal`.
    Code,
    /// Changes files: `diff`, or `files` where the change is not known.
    Edit,
    /// Writes a whole file: `diff`.
    Write,
    /// Reads one file: `files`.
    Read,
    /// Looks for files or lines in them: `files`.
    Find,
    /// Keeps a list of what is to be done: `task`.
    Todo,
    /// Searches or reads the web: `answer`.
    Web,
    /// Asks another assistant: `answer`.
    Agent,
    /// Anything else: `text`.
    Unknown,
}

/// Names without case, dashes and underscores.
const TOOLS: &[(&str, Tool)] = &[
    ("bash", Tool::Shell),
    ("bashcodeexecution", Tool::Shell),
    ("bashoutput", Tool::Shell),
    ("shell", Tool::Shell),
    ("localshell", Tool::Shell),
    ("localshellcall", Tool::Shell),
    ("shellcall", Tool::Shell),
    ("execcommand", Tool::Shell),
    ("runshellcommand", Tool::Shell),
    ("runterminalcmd", Tool::Shell),
    ("containerexec", Tool::Shell),
    ("codeinterpreter", Tool::Code),
    ("codeinterpretercall", Tool::Code),
    ("codeexecution", Tool::Code),
    ("python", Tool::Code),
    ("edit", Tool::Edit),
    ("multiedit", Tool::Edit),
    ("notebookedit", Tool::Edit),
    ("replace", Tool::Edit),
    ("searchreplace", Tool::Edit),
    ("applypatch", Tool::Edit),
    ("applypatchcall", Tool::Edit),
    ("strreplaceeditor", Tool::Edit),
    ("strreplacebasededittool", Tool::Edit),
    ("texteditor", Tool::Edit),
    ("texteditorcodeexecution", Tool::Edit),
    ("write", Tool::Write),
    ("writefile", Tool::Write),
    ("createfile", Tool::Write),
    ("read", Tool::Read),
    ("readfile", Tool::Read),
    ("notebookread", Tool::Read),
    ("view", Tool::Read),
    ("glob", Tool::Find),
    ("grep", Tool::Find),
    ("ls", Tool::Find),
    ("listdirectory", Tool::Find),
    ("todowrite", Tool::Todo),
    ("todoread", Tool::Todo),
    ("updateplan", Tool::Todo),
    ("websearch", Tool::Web),
    ("websearchcall", Tool::Web),
    ("webfetch", Tool::Web),
    ("task", Tool::Agent),
    ("agent", Tool::Agent),
];

impl Tool {
    fn named(name: &str) -> Tool {
        let bare: String =
            name.chars().filter(|c| !matches!(c, '_' | '-' | '.')).map(|c| c.to_ascii_lowercase()).take(32).collect();
        TOOLS.iter().find(|(n, _)| *n == bare).map_or(Tool::Unknown, |(_, tool)| *tool)
    }
}

/// Longest subject that is remembered of an open call, in bytes.
const SUBJECT_MAX: usize = 1024;

/// Longest block that is remembered of an open call, in bytes.
const REMEMBERED_MAX: usize = 8 * 1024;

/// Longest text of a page or an assistant's answer, in bytes.
const ANSWER_MAX: usize = 16 * 1024;

const PATHS: &[&str] = &["file_path", "path", "filePath", "notebook_path", "filename", "target_file", "absolute_path"];
const COMMANDS: &[&str] = &["command", "commands", "cmd", "script"];
const OLD: &[&str] = &["old_string", "old_str", "oldString"];
const NEW: &[&str] = &["new_string", "new_str", "newString", "new_source"];
const CONTENTS: &[&str] = &["content", "file_text", "contents"];

/// What the result of an open call is shown by: small, and stored with the session's state.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Asked {
    /// The path, the command, the pattern, the question or the address.
    pub(crate) subject: String,
    /// The block of the start, encoded, where the result may be no more than "done".
    block: Vec<u8>,
}

impl Asked {
    /// Takes up what was stored. `None` if the block is none.
    pub(crate) fn stored(subject: &str, block: &[u8]) -> Option<Asked> {
        if !block.is_empty() {
            decode(block)?;
        }
        Some(Asked { subject: subject.to_owned(), block: block.to_vec() })
    }

    /// The remembered block, encoded; may be empty.
    pub(crate) fn block(&self) -> &[u8] {
        &self.block
    }

    /// Bytes that the remembered block takes.
    pub(crate) fn kept(&self) -> usize {
        self.block.len()
    }

    /// Goes without the block.
    pub(crate) fn forget_block(&mut self) {
        self.block = Vec::new();
    }

    /// The command became known only while the tool ran. It has been redacted.
    pub(crate) fn learn(&mut self, command: &str) {
        if self.subject.is_empty() {
            self.subject = cut(command, SUBJECT_MAX).to_owned();
        }
    }

    fn remembered(&self) -> Option<Kind> {
        if self.block.is_empty() { None } else { decode(&self.block)?.kind }
    }
}

/// What a tool is asked: its block, and what to remember until the result comes. `input` is JSON text or empty.
pub fn asked(tool: &str, input: &[u8]) -> (Option<pb::Block>, Asked) {
    let Some(input) = Tree::read(input).filter(|t| *t != Tree::Null) else { return (None, Asked::default()) };
    let tool = Tool::named(tool);
    let (kind, subject) = question(tool, &input);
    let mut asked = Asked { subject: cut(&subject, SUBJECT_MAX).to_owned(), block: Vec::new() };
    let Some(block) = kind.map(|kind| admit(pb::Block { kind: Some(kind), ..Default::default() })) else {
        return (None, asked);
    };
    if matches!(tool, Tool::Edit | Tool::Write | Tool::Todo) {
        let bytes = encode(&block);
        if bytes.len() <= REMEMBERED_MAX {
            asked.block = bytes;
        }
    }
    (Some(block), asked)
}

/// What a tool answered, by its name and by what it was asked. `result` is JSON text or empty; `event` is the id of the
/// event that keeps it. `None` where there is nothing to show.
pub fn answered(tool: &str, asked: &Asked, ok: bool, result: &[u8], event: &str) -> Option<pb::Block> {
    answered_to(tool, asked, ok, result, event, 1, &str::to_owned)
}

/// The same in a room of so many people. Where there is more than one, the value of a field that says where it stands
/// (`ref`) is dropped and the place is cited; and see [`for_room`]. `say` gives each text that is for everybody as it may be said.
pub fn answered_to(
    tool: &str,
    asked: &Asked,
    ok: bool,
    result: &[u8],
    event: &str,
    people: usize,
    say: &dyn Fn(&str) -> String,
) -> Option<pb::Block> {
    let tool = Tool::named(tool);
    let block = if result.is_empty() {
        by_kind(answer(tool, asked, ok, &Tree::Null)?)
    } else {
        match Tree::read(result) {
            Some(tree) => by_result(tool, asked, ok, (&tree, result.len()), people > 1, say)?,
            None => text(format!("A result that nests too deep to be shown: {}", size(result.len()))),
        }
    };
    let mut block = admit(block);
    if block.total > 0 {
        // The door has decided already whether this block may name a larger whole; a record never does.
        let record = matches!(block.kind, Some(Kind::Record(_) | Kind::Draft(_)));
        block.r#ref = if record { String::new() } else { event.to_owned() };
    }
    Some(for_room(block, people))
}

/// What of a result nobody's words may repeat where not everybody may read it: the values that are for some roles, and
/// those that the result has sealed.
pub fn guarded_values(result: &[u8], each: &mut dyn FnMut(Guarded, &str)) {
    // Most results say neither, and are not read for it.
    let says = |word: &[u8]| result.windows(word.len()).any(|w| w == word);
    if !says(b"\"read_roles\"") && !says(b"\"sealed\"") && !says(b"\"hidden\"") {
        return;
    }
    let Some(tree) = Tree::read(result) else { return };
    kernel::guarded_values(&tree, &mut |nobody, value| {
        each(if nobody { Guarded::Sealed } else { Guarded::ByRole }, value);
    });
}

/// What stands under a block that everybody in a chat of several sees alike.
pub const SHARED_NOTE: &str = "visible to everyone in this chat";

/// A block as it is shown in a room of so many people. What a search found says a files block in its `detail`, so that the
/// note is free; what an assistant ran, changed or read is shared with everybody where there is more than one person.
pub fn for_room(mut block: pb::Block, people: usize) -> pb::Block {
    if let Some(Kind::Files(files)) = &mut block.kind
        && !block.note.is_empty()
    {
        let own = std::mem::take(&mut block.note);
        files.detail = if files.detail.is_empty() { own } else { format!("{}; {own}", files.detail) };
    }
    let shared = matches!(block.kind, Some(Kind::Terminal(_) | Kind::Diff(_) | Kind::Files(_)));
    if shared && people > 1 {
        block.note = match block.note.as_str() {
            "" | SHARED_NOTE => SHARED_NOTE.to_owned(),
            own => format!("{own}; {SHARED_NOTE}"),
        };
    }
    block
}

fn by_kind(kind: Kind) -> pb::Block {
    pb::Block { kind: Some(kind), ..Default::default() }
}

fn text(text: String) -> pb::Block {
    by_kind(Kind::Text(pb::TextBlock { text }))
}

fn by_result(
    tool: Tool,
    asked: &Asked,
    ok: bool,
    (t, len): (&Tree, usize),
    shared: bool,
    say: &dyn Fn(&str) -> String,
) -> Option<pb::Block> {
    if let Some(mut block) = kernel::block(t, shared) {
        if let Some(Kind::Terminal(b)) = &mut block.kind {
            b.command = redact(&b.command).into_owned();
            b.output = redact(&b.output).into_owned();
        }
        say_in(&mut block, say);
        if matches!(block.kind, Some(Kind::Screen(_))) {
            block.total = len as u64;
        }
        return Some(block);
    }
    if let Some(screen) = picture(t, 0) {
        let title = if screen.title.is_empty() { cut(&asked.subject, 200).to_owned() } else { screen.title };
        let kind = Kind::Screen(pb::ScreenBlock { title, ..screen });
        return Some(pb::Block { total: len as u64, ..by_kind(kind) });
    }
    let kind = answer(tool, asked, ok, t)?;
    let mut block = by_kind(kind);
    // Before it is cut: half a value is not known again.
    say_in(&mut block, say);
    shorten(&mut block);
    Some(block)
}

/// Gives each text of a block that is for whoever sees the block as it may be said. A field that is for some roles keeps
/// its value, and so does a record that is.
pub fn say_in(block: &mut pb::Block, say: &dyn Fn(&str) -> String) {
    let each = |texts: &mut [&mut String]| texts.iter_mut().for_each(|t| **t = say(t));
    let fields = |fields: &mut [pb::Field]| {
        for field in fields.iter_mut().filter(|f| f.read_roles.is_empty()) {
            if let Some(Content::Value(value)) = &mut field.content {
                each(&mut [value]);
            }
        }
    };
    match &mut block.kind {
        Some(Kind::Record(b)) if !b.read_roles.is_empty() => return,
        Some(Kind::Record(b)) => {
            each(&mut [&mut b.title, &mut b.id]);
            fields(&mut b.fields);
        }
        Some(Kind::Draft(b)) => {
            each(&mut [&mut b.title, &mut b.body]);
            fields(&mut b.fields);
        }
        Some(Kind::Answer(b)) => {
            each(&mut [&mut b.text]);
            fields(&mut b.fields);
            b.sources.iter_mut().for_each(|s| each(&mut [&mut s.title, &mut s.url]));
        }
        Some(Kind::Terminal(b)) => each(&mut [&mut b.command, &mut b.output]),
        Some(Kind::Diff(b)) => each(&mut [&mut b.path, &mut b.patch]),
        Some(Kind::Files(b)) => {
            each(&mut [&mut b.detail]);
            b.files.iter_mut().for_each(|f| each(&mut [&mut f.path]));
        }
        Some(Kind::Task(b)) => {
            each(&mut [&mut b.title]);
            b.items.iter_mut().for_each(|i| each(&mut [&mut i.text]));
        }
        Some(Kind::FlowChange(b)) => {
            each(&mut [&mut b.flow, &mut b.summary]);
            b.steps.iter_mut().for_each(|s| each(&mut [s]));
        }
        Some(Kind::Screen(b)) => each(&mut [&mut b.title]),
        Some(Kind::Text(b)) => each(&mut [&mut b.text]),
        None => {}
    }
    each(&mut [&mut block.note]);
}

/// Texts are short; the whole stays with the event.
fn shorten(block: &mut pb::Block) {
    let (text, max) = match &mut block.kind {
        Some(Kind::Text(b)) => (&mut b.text, SHORT),
        Some(Kind::Answer(b)) => (&mut b.text, ANSWER_MAX),
        _ => return,
    };
    let keep = cut(text, max).len();
    if keep < text.len() {
        block.total = text.len() as u64;
        text.truncate(keep);
    }
}

/// The block of a start, and the subject to remember.
fn question(tool: Tool, t: &Tree) -> (Option<Kind>, String) {
    let path = t.word(PATHS);
    match tool {
        Tool::Shell => {
            let command = redact(&command(t)).into_owned();
            let kind = Kind::Terminal(pb::TerminalBlock { command: command.clone(), ..Default::default() });
            ((!command.is_empty()).then_some(kind), command)
        }
        Tool::Code => {
            let code = redact(t.text(&["code", "input", "script"]).unwrap_or_default()).into_owned();
            let kind = Kind::Terminal(pb::TerminalBlock { command: code.clone(), ..Default::default() });
            ((!code.is_empty()).then_some(kind), code)
        }
        Tool::Edit | Tool::Write => match edit(tool, t) {
            Some(kind) => {
                let path = match &kind {
                    Kind::Diff(d) => d.path.clone(),
                    _ => path,
                };
                (Some(kind), path)
            }
            None => (files(&path, verb(t)), path),
        },
        Tool::Read => (files(&path, "read"), path),
        Tool::Find => {
            let pattern = t.word(&["pattern", "query", "path"]);
            let within = t.text(&["path"]).filter(|p| *p != pattern);
            let detail = within.map_or_else(|| pattern.clone(), |p| format!("{pattern} in {p}"));
            let kind = Kind::Files(pb::FilesBlock { files: Vec::new(), detail });
            ((!pattern.is_empty()).then_some(kind), pattern)
        }
        Tool::Todo => (todo(t), String::new()),
        Tool::Web => match t.text(&["url"]) {
            Some(url) => (Some(sourced(String::new(), vec![source(url, "")])), url.to_owned()),
            None => {
                let query = t.word(&["query", "q"]);
                let kind = Kind::Text(pb::TextBlock { text: query.clone() });
                ((!query.is_empty()).then_some(kind), query)
            }
        },
        Tool::Agent | Tool::Unknown => {
            let text = match tool {
                Tool::Agent => t.text(&["description", "prompt"]).map(str::to_owned),
                _ => None,
            };
            let text = cut(&text.unwrap_or_else(|| words(t)), SHORT).to_owned();
            ((!text.is_empty()).then(|| Kind::Text(pb::TextBlock { text: text.clone() })), text)
        }
    }
}

fn answer(tool: Tool, asked: &Asked, ok: bool, t: &Tree) -> Option<Kind> {
    if !ok && !matches!(tool, Tool::Shell | Tool::Code) {
        return in_words(t);
    }
    match tool {
        Tool::Shell | Tool::Code => {
            let (output, exit) = output(t, ok);
            let command = t.text(&["code"]).map_or_else(|| asked.subject.clone(), |c| redact(c).into_owned());
            let output = redact(&output).into_owned();
            let nothing = command.is_empty() && output.is_empty() && exit.is_none();
            (!nothing || *t != Tree::Null).then_some(Kind::Terminal(pb::TerminalBlock { command, output, exit }))
        }
        Tool::Edit | Tool::Write => changed(asked, t),
        Tool::Read => {
            let lines = t.parts().map(|s| s.lines().count());
            let path = t.text(PATHS).unwrap_or(&asked.subject);
            match (path, lines) {
                ("", _) => in_words(t),
                (path, lines) => Some(Kind::Files(pb::FilesBlock {
                    files: vec![pb::FileEntry { path: path.to_owned(), change: "read".to_owned() }],
                    detail: lines.map_or_else(String::new, |n| counted(n, "line")),
                })),
            }
        }
        Tool::Find => found(&asked.subject, t),
        Tool::Todo => todo(t).or_else(|| asked.remembered()).or_else(|| in_words(t)),
        Tool::Web => web(asked, t),
        Tool::Agent => t.parts().map(|text| sourced(plain(&text), Vec::new())).or_else(|| in_words(t)),
        Tool::Unknown => in_words(t),
    }
}

fn in_words(t: &Tree) -> Option<Kind> {
    let text = if *t == Tree::Null { String::new() } else { words(t) };
    (!text.is_empty()).then_some(Kind::Text(pb::TextBlock { text }))
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn command(t: &Tree) -> String {
    let t = t.get("action").unwrap_or(t);
    match t.first(COMMANDS) {
        Some(Tree::Text(s)) => s.clone(),
        Some(Tree::List(args)) => {
            let args: Vec<_> = args.iter().filter_map(Tree::as_text).collect();
            match &args[..] {
                // A shell with its script: the script is what was asked.
                [shell, flag, script] if flag.starts_with('-') && flag.ends_with('c') && shell.ends_with("sh") => {
                    (*script).to_owned()
                }
                _ if t.get("commands").is_some() => args.join("\n"),
                _ => args.join(" "),
            }
        }
        _ => String::new(),
    }
}

/// What a command printed, and its exit code where one is told.
fn output(t: &Tree, ok: bool) -> (String, Option<i32>) {
    const EXITS: &[&str] = &["exit_code", "exitCode", "return_code", "returncode", "exit"];
    match t {
        Tree::Null => (String::new(), None),
        Tree::Text(s) => match s.strip_prefix("Exit code ").filter(|_| !ok).and_then(|r| r.split_once('\n')) {
            Some((code, rest)) if code.parse::<i32>().is_ok() => (rest.to_owned(), code.parse().ok()),
            _ => (s.clone(), None),
        },
        Tree::List(items) => {
            let mut all = String::new();
            let mut exit = None;
            for item in items {
                let (out, code) = match item.parts() {
                    Some(text) => (text, None),
                    None => output(item, ok),
                };
                join(&mut all, &out);
                exit = code.or(exit);
            }
            (all, exit)
        }
        Tree::Map(_) => {
            let within = ["metadata", "outcome"].iter().find_map(|k| t.get(k)?.number(EXITS));
            let exit = t.number(EXITS).or(within);
            if let Some(nested @ (Tree::List(_) | Tree::Map(_))) = t.first(&["output", "logs", "outputs", "content"]) {
                let (text, inner) = output(nested, ok);
                return (text, exit.or(inner));
            }
            let mut all = String::new();
            let texts = ["stdout", "output", "logs", "text", "content", "stderr", "error"];
            let mut some = false;
            for text in texts.iter().filter_map(|k| t.text(&[k])) {
                some = true;
                join(&mut all, text);
            }
            if !some && t.text(&["code"]).is_none() && exit.is_none() {
                all = words(t);
            }
            (all, exit)
        }
        Tree::Bool(_) | Tree::Number(_) => (words(t), None),
    }
}

fn join(all: &mut String, more: &str) {
    if !all.is_empty() && !all.ends_with('\n') && !more.is_empty() {
        all.push('\n');
    }
    all.push_str(more);
}

fn diff(path: &str, patch: String) -> Kind {
    let (added, removed) = patch::count(&patch);
    Kind::Diff(pb::DiffBlock { path: path.to_owned(), patch, added, removed })
}

fn files(path: &str, change: &str) -> Option<Kind> {
    let entry = pb::FileEntry { path: path.to_owned(), change: change.to_owned() };
    (!path.is_empty()).then(|| Kind::Files(pb::FilesBlock { files: vec![entry], detail: String::new() }))
}

/// What an editing tool is about to do to a file, where it does not say how.
fn verb(t: &Tree) -> &'static str {
    match t.get("operation").unwrap_or(t).text(&["type", "command"]).unwrap_or_default() {
        "create_file" | "create" => "added",
        "delete_file" | "delete" => "deleted",
        "view" => "read",
        _ => "modified",
    }
}

/// What an editing tool is asked, as a diff; `None` where the change is not in the input.
fn edit(tool: Tool, t: &Tree) -> Option<Kind> {
    let t = t.get("operation").unwrap_or(t);
    let path = t.text(PATHS).unwrap_or_default();
    if let Some(patch) = t.text(&["patch", "diff", "input"]) {
        let named = if path.is_empty() { patch::path(patch).unwrap_or_default() } else { path };
        return Some(diff(named, patch.to_owned()));
    }
    let hunk = |e: &Tree| Some(patch::change(e.text(OLD)?, e.text(NEW).unwrap_or_default()));
    if let Some(edits) = t.list(&["edits"]) {
        let patch: String = edits.iter().filter_map(hunk).collect();
        return (!patch.is_empty()).then(|| diff(path, patch));
    }
    if let Some(patch) = hunk(t) {
        return Some(diff(path, patch));
    }
    let content = t.text(CONTENTS).or_else(|| t.text(NEW))?;
    (tool == Tool::Write || !path.is_empty()).then(|| diff(path, patch::whole(content)))
}

/// What an editing tool did: its own patch, else what it was asked, else which file.
fn changed(asked: &Asked, t: &Tree) -> Option<Kind> {
    let path = t.text(PATHS).unwrap_or(&asked.subject);
    if let Some(patch) = patch::hunks(t) {
        return Some(diff(path, patch));
    }
    if let Some(patch) = t.as_text().or_else(|| t.text(&["diff", "patch"])).filter(|s| patch::is_patch(s)) {
        return Some(diff(path, patch.to_owned()));
    }
    // What was read is shown; that something was done is not worth a line where the change itself can be seen.
    if let Some(kind) =
        asked.remembered().filter(|k| !matches!(k, Kind::Files(f) if f.files.iter().any(|e| e.change == "read")))
    {
        return Some(kind);
    }
    match t.flag("is_file_update") {
        Some(update) if path.is_empty() => {
            let text = if update { "A file was changed." } else { "A file was written." };
            Some(Kind::Text(pb::TextBlock { text: text.to_owned() }))
        }
        Some(update) => files(path, if update { "modified" } else { "added" }),
        None if t.get("content").is_none() && !path.is_empty() => files(path, "modified"),
        None => match t.text(CONTENTS) {
            Some(content) if path.is_empty() => Some(Kind::Text(pb::TextBlock { text: content.to_owned() })),
            Some(content) => Some(Kind::Files(pb::FilesBlock {
                files: vec![pb::FileEntry { path: path.to_owned(), change: "read".to_owned() }],
                detail: counted(content.lines().count(), "line"),
            })),
            None => in_words(t),
        },
    }
}

/// What a search of files found: the files, and how much in words.
fn found(subject: &str, t: &Tree) -> Option<Kind> {
    let listed: Vec<&str> = match t {
        Tree::List(items) => items.iter().filter_map(|i| i.as_text().or_else(|| i.text(PATHS))).collect(),
        Tree::Map(_) => {
            let items = t.list(&["filenames", "files", "paths", "matches"]).unwrap_or_default();
            items.iter().filter_map(|i| i.as_text().or_else(|| i.text(PATHS))).collect()
        }
        _ => Vec::new(),
    };
    let text = t.parts().unwrap_or_default();
    let mut lines: Vec<&str> = if listed.is_empty() { text.lines().collect() } else { listed };
    lines.retain(|l| !l.trim().is_empty());
    let header = |l: &str| l.starts_with("Found ") || l.starts_with("No files") || l.starts_with("No matches");
    let said = lines.first().copied().filter(|l| header(l)).map(str::to_owned);
    let lines = if said.is_some() { &lines[1..] } else { &lines[..] };
    let mut files: Vec<pb::FileEntry> = Vec::new();
    for line in lines {
        let Some(path) = path_of(line) else { return in_words(t) };
        if files.last().is_none_or(|f| f.path != path) {
            files.push(pb::FileEntry { path: path.to_owned(), change: String::new() });
        }
    }
    let count = if files.len() == lines.len() { counted(lines.len(), "file") } else { counted(lines.len(), "match") };
    let count = count.replace("matchs", "matches");
    let detail = said.unwrap_or(if subject.is_empty() { count } else { format!("{count} for {subject}") });
    Some(Kind::Files(pb::FilesBlock { files, detail }))
}

/// The path in a line of a listing or of a search: `- src/`, `src/a.rs:12:fn`. `None` if it reads as something else.
fn path_of(line: &str) -> Option<&str> {
    let line = line.trim();
    let line = line.strip_prefix("- ").unwrap_or(line);
    let numbered = line.match_indices(':').find_map(|(i, _)| {
        let rest = &line[i + 1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        (digits > 0 && rest.as_bytes().get(digits).is_none_or(|c| *c == b':')).then_some(&line[..i])
    });
    let path = numbered.unwrap_or(line);
    let like = !path.is_empty()
        && path.len() <= 512
        && !path.contains(": ")
        && (path.contains(['/', '.']) || !path.contains(' '));
    (like && !path.starts_with(['{', '['])).then_some(path)
}

pub(crate) fn tasks(items: &[Tree]) -> Vec<pb::TaskItem> {
    let item = |t: &Tree| {
        let text = t.as_text().or_else(|| t.text(&["content", "text", "step", "title"]))?.to_owned();
        let state = match t.text(&["status", "state"]).unwrap_or_default() {
            "in_progress" | "in-progress" | "active" => "in_progress",
            "completed" | "done" => "completed",
            _ => "pending",
        };
        Some(pb::TaskItem { text, state: state.to_owned() })
    };
    items.iter().filter_map(item).collect()
}

fn todo(t: &Tree) -> Option<Kind> {
    let listed = t.list(&["newTodos", "todos", "plan", "items"]).or_else(|| t.as_list())?;
    let items = tasks(listed);
    (!items.is_empty()).then(|| Kind::Task(pb::TaskBlock { title: t.word(&["explanation", "title"]), items }))
}

fn source(url: &str, title: &str) -> pb::Source {
    pb::Source { title: title.to_owned(), url: url.to_owned() }
}

pub(crate) fn sources(items: &[Tree]) -> Vec<pb::Source> {
    let one = |t: &Tree| match t {
        Tree::Text(url) => Some(source(url, "")),
        _ => Some(source(t.text(&["url", "link", "href"])?, t.text(&["title", "name"]).unwrap_or_default())),
    };
    items.iter().filter_map(one).collect()
}

fn sourced(text: String, sources: Vec<pb::Source>) -> Kind {
    Kind::Answer(pb::AnswerBlock { text, sources, fields: Vec::new() })
}

fn web(asked: &Asked, t: &Tree) -> Option<Kind> {
    let asked_url = Some(&*asked.subject).filter(|s| s.starts_with("http"));
    let all = match t {
        Tree::List(items) => sources(items),
        _ => sources(t.list(&["sources", "results", "content"]).unwrap_or_default()),
    };
    let text = match t {
        Tree::Text(s) => plain(s),
        Tree::List(_) => t.parts().unwrap_or_else(|| asked.subject.clone()),
        _ => t.text(&["text", "result", "content", "answer", "query", "pattern"]).map(plain).unwrap_or_default(),
    };
    let mut all = all;
    if let Some(url) = t.text(&["url"]).or(asked_url).filter(|_| all.is_empty()) {
        all.push(source(url, t.text(&["title"]).unwrap_or_default()));
    }
    if text.is_empty() && all.is_empty() { in_words(t) } else { Some(sourced(text, all)) }
}

/// A picture somewhere near the top of a result, as assistants and tool servers wrap them.
fn picture(t: &Tree, level: usize) -> Option<pb::ScreenBlock> {
    if level > 3 {
        return None;
    }
    match t {
        Tree::Text(s) => {
            let media_type = s.strip_prefix("data:image/")?.split([';', ',']).next()?;
            Some(pb::ScreenBlock { media_type: format!("image/{media_type}"), ..Default::default() })
        }
        Tree::List(items) => {
            let mut screen = items.iter().take(16).find_map(|i| picture(i, level + 1))?;
            if screen.title.is_empty() {
                let title = items.iter().take(16).find_map(|i| i.text(&["text"])).unwrap_or_default();
                screen.title = cut(title, 200).to_owned();
            }
            Some(screen)
        }
        Tree::Map(_) => {
            let kind = t.text(&["type"]).unwrap_or_default();
            let of_picture =
                matches!(kind, "image" | "input_image" | "image_url" | "computer_screenshot" | "screenshot");
            let media = t.text(&["mimeType", "media_type"]).filter(|m| m.starts_with("image/"));
            if of_picture || (media.is_some() && t.first(&["data", "url"]).is_some()) {
                let near = [t.get("source"), t.get("image_url"), t.get("file")].into_iter().flatten();
                let within =
                    near.filter_map(|n| n.text(&["mimeType", "media_type", "type"])).find(|m| m.starts_with("image/"));
                let inline =
                    t.text(&["image_url", "data", "url"]).and_then(|u| picture(&Tree::Text(u.to_owned()), level));
                let media_type = media.or(within).map(str::to_owned);
                return Some(pb::ScreenBlock {
                    title: t.word(&["title", "alt"]),
                    media_type: media_type.or(inline.map(|i| i.media_type)).unwrap_or_else(|| "image/png".to_owned()),
                    width: t.number(&["width"]).unwrap_or(0),
                    height: t.number(&["height"]).unwrap_or(0),
                });
            }
            ["content", "output", "result", "screenshot", "image"].iter().find_map(|k| picture(t.get(k)?, level + 1))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
