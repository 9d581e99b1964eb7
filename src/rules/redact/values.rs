//! Where a value ends, and what stands in the place of one without being one: a variable, a call, a type, a placeholder.

use std::ops::Range;

use crate::rules::redact::MARK;
use crate::rules::redact::names::is_one_of;
use crate::rules::redact::names::is_secret_name;

/// How far it is looked ahead to tell that a value is none. What is not taken must not be read to its end: something else
/// in it is looked at again.
const LOOK: usize = 96;

/// Where the run of such bytes that starts here ends.
pub(super) fn run(b: &[u8], from: usize, mut of: impl FnMut(u8) -> bool) -> usize {
    b.get(from..).unwrap_or_default().iter().position(|c| !of(*c)).map_or(b.len(), |n| from + n)
}

pub(super) fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

pub(super) fn is_name(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-' | b'.')
}

pub(super) fn is_quote(b: u8) -> bool {
    matches!(b, b'"' | b'\'' | b'`')
}

pub(super) fn is_blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t')
}

/// The quote with which a value begins here, and where its content does.
fn opened(b: &[u8], from: usize) -> (Option<u8>, bool, usize) {
    let escaped = b.get(from) == Some(&b'\\') && b.get(from + 1).is_some_and(|q| is_quote(*q));
    let open = if escaped { from + 1 } else { from };
    match b.get(open).copied().filter(|q| is_quote(*q)) {
        Some(quote) => (Some(quote), escaped, open + 1),
        None => (None, escaped, from),
    }
}

/// Whether a quote begins here.
pub(super) fn is_quoted(b: &[u8], from: usize) -> bool {
    opened(b, from).0.is_some()
}

/// The value that starts here, without its quotes. What only refers to one is none.
pub(super) fn value(b: &[u8], from: usize, in_query: bool) -> Option<Range<usize>> {
    let (quote, escaped, start) = opened(b, from);
    // Asked before the value is read.
    if is_reference(b, start) || is_placeholder(b, start) || is_path(b, start) {
        return None;
    }
    let mut skip = false;
    let mut at = start;
    let end = run(b, start, |c| {
        at += 1;
        let Some(quote) = quote else {
            let next_pair = matches!(c, b';' | b'&') && is_pair(b, at);
            return !(c.is_ascii_whitespace() || is_quote(c) || next_pair || in_query && matches!(c, b'&' | b'#'));
        };
        if c == b'\n' {
            return false;
        }
        if std::mem::take(&mut skip) {
            return true;
        }
        if c == b'\\' && escaped {
            // Inside an escaped text the quote's own backslash ends the value.
            return false;
        }
        skip = c == b'\\';
        c != quote
    });
    // What ends a command ends the value.
    let end = if quote.is_none() && end > start + 1 && b[end - 1] == b';' { end - 1 } else { end };
    let word = || b[start..end].iter().take(4).any(|c| !c.is_ascii_punctuation());
    (end > start && (end - start > 3 || word())).then_some(start..end)
}

/// `name=`, as the pairs of a connection's settings and of a form go on.
fn is_pair(b: &[u8], at: usize) -> bool {
    let near = &b[..b.len().min(at + 32)];
    let end = run(near, at, |c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.' | b' '));
    end > at && near.get(end) == Some(&b'=')
}

/// `$NAME`, `${NAME}`, `%NAME%` and nothing behind them; `$(command`, `${{ … }}` and `{{ … }}` with whatever follows.
pub(super) fn is_reference(b: &[u8], start: usize) -> bool {
    let near = &b[..b.len().min(start.saturating_add(LOOK))];
    let name = |from| run(near, from, |c| c.is_ascii_alphanumeric() || c == b'_');
    let ends = |at: usize| {
        near.get(at).is_none_or(|c| c.is_ascii_whitespace() || is_quote(*c) || matches!(c, b'&' | b';' | b')' | b','))
    };
    match near.get(start..).unwrap_or_default() {
        [b'$', b'(', ..] | [b'$', b'{', b'{', ..] | [b'{', b'{', ..] => true,
        [b'$', b'{', ..] => {
            let end = name(start + 2);
            end > start + 2 && near.get(end) == Some(&b'}') && ends(end + 1)
        }
        // `$env:NAME`
        [b'$', b'e', b'n', b'v', b':', ..] => name(start + 5) > start + 5 && ends(name(start + 5)),
        [b'$', ..] => name(start + 1) > start + 1 && ends(name(start + 1)),
        [b'%', ..] => {
            let end = name(start + 1);
            end > start + 1 && near.get(end) == Some(&b'%') && ends(end + 1)
        }
        _ => false,
    }
}

/// A file in which a secret is.
fn is_path(b: &[u8], start: usize) -> bool {
    let rest = b.get(start..).unwrap_or_default();
    ["./", "../", "~/", "/run/", "/etc/", "/home/", "/var/", "/tmp/", "/dev/", "/usr/", "/root/", "/opt/"]
        .iter()
        .any(|p| rest.starts_with(p.as_bytes()))
}

/// `<your-token>`, `********`, `xxxx`, `...`: what stands where a value would.
fn is_placeholder(b: &[u8], start: usize) -> bool {
    let near = &b[..b.len().min(start.saturating_add(LOOK))];
    let Some(&first) = near.get(start) else { return false };
    let ends = |at: usize| near.get(at).is_none_or(|c| c.is_ascii_whitespace() || is_quote(*c) || *c == b',');
    if first == b'<' {
        let end = run(near, start + 1, |c| is_name(c) || matches!(c, b' ' | b'/' | b'|'));
        return end > start + 1 && near.get(end) == Some(&b'>') && ends(end + 1);
    }
    let end = run(near, start, |c| c == first);
    matches!(first, b'*' | b'x' | b'X' | b'.') && end >= start + 3 && end < start + LOOK && ends(end)
}

/// Words with which an expression begins, and that stand for nothing.
const WORDS: &[&str] = &[
    "any",
    "async",
    "await",
    "bool",
    "boolean",
    "bytes",
    "disabled",
    "enabled",
    "env",
    "false",
    "file",
    "function",
    "if",
    "int",
    "lambda",
    "match",
    "new",
    "nil",
    "no",
    "none",
    "not",
    "null",
    "number",
    "optional",
    "read",
    "required",
    "str",
    "string",
    "true",
    "undefined",
    "write",
    "yes",
];

/// A piece of a program in the place of a value without quotes: a call, a type, a path to a field, another name.
pub(super) fn is_code(b: &[u8], start: usize) -> bool {
    let near = &b[..b.len().min(start.saturating_add(LOOK))];
    let start = run(near, start, |c| matches!(c, b'&' | b'*'));
    let word = |from: usize| match near.get(from) {
        Some(c) if c.is_ascii_alphabetic() || *c == b'_' => run(near, from, |c| c.is_ascii_alphanumeric() || c == b'_'),
        _ => from,
    };
    let mut from = start;
    let mut end = word(from);
    if end == from {
        // `{` and `[` begin something with parts, or stand around a name.
        let next = near.get(from + 1);
        return match near.get(from) {
            Some(b'[') => !near[from..].starts_with(MARK.as_bytes()),
            Some(b'{') if next.is_some_and(|c| c.is_ascii_alphabetic()) => {
                let close = run(near, from + 1, |c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.'));
                let behind = near.get(close + 1);
                near.get(close) == Some(&b'}')
                    && behind.is_none_or(|c| c.is_ascii_whitespace() || matches!(c, b'/' | b'>'))
            }
            Some(b'{') => next.is_none_or(u8::is_ascii_whitespace),
            _ => false,
        };
    }
    loop {
        let joint = [&b"::"[..], b"->", b"?.", b"."].into_iter().find(|j| near[end..].starts_with(j));
        let Some(joint) = joint else { break };
        let next = word(end + joint.len());
        if next == end + joint.len() {
            break;
        }
        (from, end) = (end + joint.len(), next);
    }
    let last = &near[from..end];
    let tail = run(near, end, |c| matches!(c, b',' | b';' | b')' | b'}' | b'?' | b']'));
    let over = near.get(tail).is_none_or(|c| c.is_ascii_whitespace() || is_quote(*c));
    match near.get(end) {
        Some(b'(') => true,
        Some(b'<' | b'[') => near.get(end + 1).is_some_and(|c| c.is_ascii_alphabetic() || is_quote(*c) || *c == b'&'),
        _ => over && tail < start + LOOK && (is_secret_name(last) || from == start && is_one_of(last, WORDS)),
    }
}

/// Looks made by chance: long, without a break, and of all kinds of characters.
pub(super) fn is_random(v: &[u8], least: usize) -> bool {
    let has = |of: fn(&u8) -> bool| v.iter().any(of);
    v.len() >= least
        && v.iter().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'+' | b'/' | b'=' | b'-' | b'_'))
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
}
