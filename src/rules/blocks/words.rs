//! What is known by no table, in words: `key: value` lines that a person can read, short, and never JSON.

use vyre_proto::block::cut;

use crate::rules::blocks::tree::Tree;
use crate::rules::redact::redact;

/// Longest text made of something unknown, in bytes.
pub(crate) const SHORT: usize = 4 * 1024;

/// Longest value in a line, in bytes.
const VALUE: usize = 300;

/// Entries of a list that are named; the others are counted.
const NAMED: usize = 12;

/// Levels that get lines of their own.
const LEVELS: usize = 3;

/// The value in words. Stops at about [`SHORT`] bytes.
pub(crate) fn words(tree: &Tree) -> String {
    if let Some(text) = tree.parts() {
        return plain(&text);
    }
    let mut out = String::new();
    match tree {
        Tree::Map(fields) => lines(&mut out, fields, 0),
        Tree::List(items) => entries(&mut out, items, 0),
        one => out.push_str(&scalar(one)),
    }
    out.truncate(out.trim_end().len());
    // A field called `password` is as telling here as in a shell.
    redact(&out).into_owned()
}

/// A text as it is, unless it is JSON itself or something that only a machine reads.
pub(crate) fn plain(text: &str) -> String {
    let t = text.trim();
    if t.starts_with(['{', '['])
        && let Some(tree @ (Tree::Map(_) | Tree::List(_))) = Tree::read(t.as_bytes())
    {
        return words(&tree);
    }
    if is_data(t) { size(t.len()) } else { text.to_owned() }
}

/// What cannot be shown is told of by its size.
pub(crate) fn size(bytes: usize) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes of data"),
        10_000..10_000_000 => format!("{} kB of data", bytes / 1000),
        _ => format!("{} MB of data", bytes / 1_000_000),
    }
}

fn lines(out: &mut String, fields: &[(String, Tree)], level: usize) {
    for (key, value) in fields {
        if out.len() > SHORT {
            return;
        }
        if *value == Tree::Null || value.as_text() == Some("") {
            continue;
        }
        let name: String = cut(key, 64).replace('_', " ");
        out.push_str(&"  ".repeat(level));
        out.push_str(name.trim());
        out.push_str(": ");
        match value {
            Tree::Map(inner) if inner.is_empty() => out.push_str("nothing\n"),
            Tree::Map(inner) if level + 1 < LEVELS => {
                out.truncate(out.trim_end().len());
                out.push('\n');
                lines(out, inner, level + 1);
            }
            Tree::Map(inner) => out.push_str(&format!("{} fields\n", inner.len())),
            Tree::List(items) if items.is_empty() => out.push_str("none\n"),
            Tree::List(items) if items.iter().all(is_scalar) => {
                let mut named: Vec<_> = items.iter().take(NAMED).map(|i| scalar(i).into_owned()).collect();
                if items.len() > NAMED {
                    named.push(format!("{} more", items.len() - NAMED));
                }
                out.push_str(&named.join(", "));
                out.push('\n');
            }
            Tree::List(items) if level + 1 < LEVELS => {
                out.truncate(out.trim_end().len());
                out.push('\n');
                entries(out, items, level + 1);
            }
            Tree::List(items) => out.push_str(&format!("{} entries\n", items.len())),
            one => {
                out.push_str(&scalar(one));
                out.push('\n');
            }
        }
    }
}

fn entries(out: &mut String, items: &[Tree], level: usize) {
    for item in items.iter().take(NAMED) {
        if out.len() > SHORT {
            return;
        }
        out.push_str(&"  ".repeat(level));
        out.push_str("- ");
        match item {
            Tree::Map(fields) => match item.text(&["title", "name", "path", "file", "text", "message", "url", "id"]) {
                Some(name) => out.push_str(&line(name)),
                None => out.push_str(&format!("{} fields", fields.len())),
            },
            Tree::List(inner) => out.push_str(&format!("{} entries", inner.len())),
            one => out.push_str(&scalar(one)),
        }
        out.push('\n');
    }
    if items.len() > NAMED {
        out.push_str(&"  ".repeat(level));
        out.push_str(&format!("and {} more\n", items.len() - NAMED));
    }
}

fn is_scalar(t: &Tree) -> bool {
    !matches!(t, Tree::List(_) | Tree::Map(_))
}

/// A value without parts, in one line.
pub(crate) fn scalar(t: &Tree) -> std::borrow::Cow<'_, str> {
    match t {
        Tree::Null => "nothing".into(),
        Tree::Bool(true) => "yes".into(),
        Tree::Bool(false) => "no".into(),
        Tree::Number(n) => n.as_str().into(),
        Tree::Text(s) => line(s).into(),
        Tree::List(items) => format!("{} entries", items.len()).into(),
        Tree::Map(fields) => format!("{} fields", fields.len()).into(),
    }
}

/// A text in one line, shortened. JSON inside a text is told of and not shown.
fn line(s: &str) -> String {
    let t = s.trim();
    if is_data(t) {
        return size(t.len());
    }
    if t.starts_with(['{', '[']) && matches!(Tree::read(t.as_bytes()), Some(Tree::Map(_) | Tree::List(_))) {
        return size(t.len());
    }
    let short = cut(t, VALUE);
    let mut one: String = short.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join(" ");
    if short.len() < t.len() {
        one.push('…');
    }
    one
}

/// A long run without a blank: base64, a key, a picture in an address.
fn is_data(s: &str) -> bool {
    s.len() > 512
        && !s.bytes().take(512).any(|b| b.is_ascii_whitespace() || b >= 0x80)
        && s.bytes().take(512).filter(u8::is_ascii_alphanumeric).count() > 400
}
