//! Results that say themselves which block they are: `{"block": "record", …}`.
//!
//! This is where sealed values could slip through, so a field is taken apart here and nothing is passed on as it came: of
//! a sealed or hidden field only the class and the facts of presence are read, and a list of roles that cannot be
//! understood becomes one that matches nobody.

use vyre_proto::block::hidden_by_role;
use vyre_proto::block::sealed;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::block::Kind;
use vyre_proto::pb::stream::field::Content;

use crate::rules::blocks::patch;
use crate::rules::blocks::sources;
use crate::rules::blocks::tasks;
use crate::rules::blocks::tree::Tree;
use crate::rules::blocks::words::scalar;
use crate::rules::blocks::words::words;

/// The block that a result says it is; `None` if it says nothing that is known. `shared`: more than one person sees it, so
/// a value that says where it stands is dropped, and the field cites the place.
pub(crate) fn block(t: &Tree, shared: bool) -> Option<pb::Block> {
    let kind = match t.text(&["block"])? {
        "terminal" => Kind::Terminal(pb::TerminalBlock {
            command: t.word(&["command"]),
            output: t.word(&["output"]),
            exit: t.number(&["exit"]),
        }),
        "diff" => {
            let patch = t.word(&["patch", "diff"]);
            let (added, removed) = patch::count(&patch);
            Kind::Diff(pb::DiffBlock { path: t.word(&["path"]), patch, added, removed })
        }
        "files" => Kind::Files(pb::FilesBlock {
            files: t.list(&["files"]).unwrap_or_default().iter().filter_map(file).collect(),
            detail: t.word(&["detail"]),
        }),
        "record" => Kind::Record(pb::RecordBlock {
            r#type: t.word(&["type"]),
            id: t.word(&["id"]),
            title: t.word(&["title", "name"]),
            fields: fields(t.get("fields"), shared),
            read_roles: roles(t),
        }),
        "task" => Kind::Task(pb::TaskBlock {
            title: t.word(&["title"]),
            items: tasks(t.list(&["items"]).unwrap_or_default()),
        }),
        "draft" => Kind::Draft(pb::DraftBlock {
            kind: t.word(&["kind"]),
            title: t.word(&["title", "subject"]),
            body: t.word(&["body", "text"]),
            fields: fields(t.get("fields"), shared),
        }),
        "flow-change" => {
            let step = |s: &Tree| s.as_text().or_else(|| s.text(&["title", "text", "name"])).map(str::to_owned);
            Kind::FlowChange(pb::FlowChangeBlock {
                flow: t.word(&["flow"]),
                summary: t.word(&["summary"]),
                steps: t.list(&["steps"]).unwrap_or_default().iter().filter_map(step).collect(),
            })
        }
        "answer" => Kind::Answer(pb::AnswerBlock {
            text: t.word(&["text"]),
            sources: sources(t.list(&["sources"]).unwrap_or_default()),
            fields: fields(t.get("fields"), shared),
        }),
        "screen" => Kind::Screen(pb::ScreenBlock {
            title: t.word(&["title"]),
            media_type: t.word(&["media_type", "mimeType"]),
            width: t.number(&["width"]).unwrap_or(0),
            height: t.number(&["height"]).unwrap_or(0),
        }),
        "text" => Kind::Text(pb::TextBlock { text: t.word(&["text"]) }),
        _ => return None,
    };
    Some(pb::Block { note: t.word(&["note"]), kind: Some(kind), ..Default::default() })
}

fn file(t: &Tree) -> Option<pb::FileEntry> {
    let path = t.as_text().or_else(|| t.text(&["path"]))?.to_owned();
    Some(pb::FileEntry { path, change: t.word(&["change"]) })
}

/// What no words may repeat: the values that stand beside a seal, wherever; and of a result that says itself which block it
/// is, those beside a placeholder (both are for nobody: `true`) and those that are for some roles (`false`). They are taken
/// as they came, whole, and never as they would be shown.
pub(crate) fn guarded_values(t: &Tree, each: &mut dyn FnMut(bool, &str)) {
    sealed_values(t, each);
    let all = match t.text(&["block"]) {
        Some("record") => t.get("read_roles").is_some_and(|r| *r != Tree::List(Vec::new())),
        Some("draft" | "answer") => false,
        _ => return,
    };
    let mut field = |f: &Tree, value: Option<&Tree>| {
        let nobody = |t: &Tree| t.get("hidden").is_some_and(|h| *h != Tree::Bool(false));
        if nobody(f) || value.is_some_and(nobody) {
            f.get("value").into_iter().for_each(|v| leaves(v, &mut |text| each(true, text)));
        } else if all || !roles(f).is_empty() {
            value.into_iter().for_each(|v| leaves(v, &mut |text| each(false, text)));
        }
    };
    match t.get("fields") {
        Some(Tree::List(items)) => items.iter().for_each(|f| field(f, f.get("value"))),
        Some(Tree::Map(by_name)) => by_name.iter().for_each(|(_, f)| field(f, Some(f.get("value").unwrap_or(f)))),
        _ => {}
    }
}

fn sealed_values(t: &Tree, each: &mut dyn FnMut(bool, &str)) {
    match t {
        Tree::Map(fields) => {
            if t.get("sealed").is_some_and(|s| *s != Tree::Bool(false))
                && let Some(value) = t.first(&["value", "ref"])
            {
                leaves(value, &mut |text| each(true, text));
            }
            fields.iter().for_each(|(_, v)| sealed_values(v, each));
        }
        Tree::List(items) => items.iter().for_each(|v| sealed_values(v, each)),
        _ => {}
    }
}

/// The texts and numbers in it. What is neither is nothing that words could give away, but it stands there.
fn leaves(t: &Tree, each: &mut dyn FnMut(&str)) {
    match t {
        Tree::Text(text) | Tree::Number(text) => each(text),
        Tree::Null | Tree::Bool(_) => each(""),
        Tree::List(items) => items.iter().for_each(|v| leaves(v, each)),
        Tree::Map(fields) => fields.iter().for_each(|(_, v)| leaves(v, each)),
    }
}

/// Fields as a list of `{name, …}`, or as one object by name.
fn fields(t: Option<&Tree>, shared: bool) -> Vec<pb::Field> {
    match t {
        Some(Tree::List(items)) => items
            .iter()
            .filter_map(|f| {
                let name = f.text(&["name"])?.to_owned();
                // The placeholder may stand in the field or in its value.
                let content = placeholder(f).or_else(|| cited(f, shared)).or_else(|| f.get("value").map(value))?;
                Some(pb::Field { name, content: Some(content), read_roles: roles(f) })
            })
            .collect(),
        Some(Tree::Map(by_name)) => by_name
            .iter()
            .map(|(name, f)| {
                let held = f.get("value").filter(|_| f.get("read_roles").is_some()).unwrap_or(f);
                let content = placeholder(f).or_else(|| cited(f, shared)).unwrap_or_else(|| value(held));
                pb::Field { name: name.clone(), content: Some(content), read_roles: roles(f) }
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The place where a field's value stands, where that is what is to be shown: there is no value, or it is not for a room of
/// several.
fn cited(f: &Tree, shared: bool) -> Option<Content> {
    let place = f.text(&["ref"]).filter(|place| !place.is_empty())?;
    match f.get("value") {
        // A value that is a placeholder stays one.
        Some(value) if placeholder(value).is_some() => None,
        Some(value) if *value != Tree::Null && !shared => None,
        _ => Some(Content::Value(place.to_owned())),
    }
}

fn placeholder(t: &Tree) -> Option<Content> {
    let there = |t: &Tree| t.flag("present").unwrap_or_else(|| t.first(&["value", "ref"]).is_some());
    if let Some(class) = t.get("sealed").filter(|s| **s != Tree::Bool(false)) {
        let class = class.as_text().or_else(|| t.text(&["class", "kind"])).unwrap_or_default();
        let fact = |key| t.flag(key).unwrap_or(false);
        return Some(sealed(class, there(t), fact("valid_format"), fact("can_reveal")));
    }
    if t.get("hidden").is_some_and(|h| *h != Tree::Bool(false)) {
        return Some(hidden_by_role(t.text(&["kind"]).unwrap_or_default(), there(t)));
    }
    None
}

fn value(t: &Tree) -> Content {
    placeholder(t).unwrap_or_else(|| match t {
        Tree::Text(s) => Content::Value(s.clone()),
        // Whatever nests may hold a placeholder's value further in, so only its outline is told.
        Tree::Map(_) | Tree::List(_) if holds_placeholder(t) => Content::Value(scalar(t).into_owned()),
        Tree::Map(_) | Tree::List(_) => Content::Value(words(t)),
        one => Content::Value(scalar(one).into_owned()),
    })
}

fn holds_placeholder(t: &Tree) -> bool {
    match t {
        Tree::Map(fields) => fields.iter().any(|(k, v)| matches!(&**k, "sealed" | "hidden") || holds_placeholder(v)),
        Tree::List(items) => items.iter().any(holds_placeholder),
        _ => false,
    }
}

fn roles(t: &Tree) -> Vec<String> {
    match t.get("read_roles") {
        None => Vec::new(),
        Some(Tree::List(roles)) => roles.iter().map(|r| r.as_text().unwrap_or("-").to_owned()).collect(),
        Some(_) => vec!["-".to_owned()],
    }
}
