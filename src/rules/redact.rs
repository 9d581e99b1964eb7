//! What a shell line, its output and a trace must not carry.
//!
//! [`redact`] replaces what looks like a secret by [`MARK`] and keeps everything around it: private key blocks, tokens
//! with a well-known beginning, passwords in addresses, the values of names such as `API_KEY` or `--password`, and
//! credentials in headers. It reads text by shape and knows no secret, so it is a net and no proof: a bare password on a
//! line of its own passes. In doubt it takes more rather than less, but leaves `$VARIABLES` and the word `tokens` alone.
//!
//! One pass in linear time over bytes; everything looked for is ASCII, so no cut falls into a character. Redacting twice
//! changes nothing, and a text grows at most to three times its length.

mod names;

use std::borrow::Cow;
use std::ops::Range;

use crate::rules::redact::names::IN_QUERY;
use crate::rules::redact::names::is_one_of;
use crate::rules::redact::names::is_secret_name;

/// Stands where a secret was.
pub const MARK: &str = "[redacted]";

/// Longest name that is looked at in front of `=` or `:`.
const NAME_MAX: usize = 64;

/// Rounds after the first: what one takes away can bring together what the next then sees, as the words around a token in
/// the middle of a key block's first line.
const ROUNDS: usize = 4;

/// The text without what looks like a secret.
pub fn redact(text: &str) -> Cow<'_, str> {
    let mut now = round(text);
    if matches!(now, Cow::Borrowed(_)) {
        return now;
    }
    for _ in 0..ROUNDS {
        let next = round(&now).into_owned();
        if next == *now {
            break;
        }
        now = Cow::Owned(next);
    }
    now
}

fn round(text: &str) -> Cow<'_, str> {
    // Key blocks first: what is taken word by word could eat the line that begins one.
    match without_key_blocks(text) {
        Cow::Borrowed(text) => without_words(text),
        Cow::Owned(text) => match without_words(&text) {
            Cow::Borrowed(_) => Cow::Owned(text),
            Cow::Owned(shorter) => Cow::Owned(shorter),
        },
    }
}

/// A text in the making: what was replaced so far, and how far the original was read.
struct Out<'a> {
    text: &'a str,
    read: usize,
    made: String,
}

impl<'a> Out<'a> {
    fn new(text: &'a str) -> Self {
        Out { text, read: 0, made: String::new() }
    }

    fn replace(&mut self, secret: Range<usize>) {
        // Ranges begin and end at ASCII characters or at the text's end, so both slices exist.
        self.made.push_str(self.text.get(self.read..secret.start).unwrap_or_default());
        self.made.push_str(MARK);
        self.read = secret.end;
    }

    fn finish(mut self) -> Cow<'a, str> {
        if self.made.is_empty() {
            return Cow::Borrowed(self.text);
        }
        self.made.push_str(self.text.get(self.read..).unwrap_or_default());
        Cow::Owned(self.made)
    }
}

fn without_key_blocks(text: &str) -> Cow<'_, str> {
    const BEGIN: &str = "-----BEGIN ";
    const END: &str = "-----END ";
    let mut out = Out::new(text);
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|t| t.find(BEGIN)).map(|n| at + n) {
        let label = start + BEGIN.len();
        let label_end = label + text[label..].bytes().take(NAME_MAX).position(|b| b == b'-' || b == b'\n').unwrap_or(0);
        if !text[label..label_end].contains("PRIVATE KEY") {
            at = label;
            continue;
        }
        // A block without an end is one all the same: it goes to the end of the text.
        let end = text[label_end..].find(END).map_or(text.len(), |n| {
            let tail = label_end + n + END.len();
            let line = text[tail..].find('\n').map_or(text.len(), |n| tail + n);
            text[tail..line].find("-----").map_or(line, |n| tail + n + 5)
        });
        out.replace(start..end);
        at = end;
    }
    out.finish()
}

fn without_words(text: &str) -> Cow<'_, str> {
    let b = text.as_bytes();
    let mut out = Out::new(text);
    let mut i = 0;
    // Of the command on this line: whether a bare `-p` takes a password there.
    let mut takes_p = false;
    while let Some(&c) = b.get(i) {
        let before = i.checked_sub(1).and_then(|j| b.get(j)).copied();
        let found = match c {
            b'\n' => {
                takes_p = false;
                None
            }
            b':' if b[i..].starts_with(b"://") => in_address(b, i + 3),
            b'=' | b':' => assigned(b, i),
            b'-' if before.is_none_or(|p| p.is_ascii_whitespace() || is_quote(p)) => flag(b, i, takes_p),
            _ if c.is_ascii_alphabetic() && before.is_none_or(|p| !is_word(p)) => {
                takes_p |= [&b"sshpass"[..], b"mysql", b"mariadb"].iter().any(|cmd| b[i..].starts_with(cmd));
                known_token(b, i).or_else(|| credential(b, i))
            }
            _ => None,
        };
        match found {
            Some(secret) => {
                i = secret.end.max(i + 1);
                out.replace(secret);
            }
            None => i += 1,
        }
    }
    out.finish()
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

fn is_quote(b: u8) -> bool {
    matches!(b, b'"' | b'\'' | b'`')
}

fn is_token(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~' | b'+' | b'/' | b'=')
}

/// Where the run of such bytes that starts here ends.
fn run(b: &[u8], from: usize, mut of: impl FnMut(u8) -> bool) -> usize {
    b.get(from..).unwrap_or_default().iter().position(|c| !of(*c)).map_or(b.len(), |n| from + n)
}

/// Beginnings of tokens, and how many token characters follow at least.
const BEGINNINGS: &[(&str, usize)] = &[
    ("AGE-SECRET-KEY-", 32),
    ("AIza", 30),
    ("AKIA", 16),
    ("ASIA", 16),
    ("ATATT", 20),
    ("SG.", 20),
    ("dckr_pat_", 16),
    ("dop_v1_", 16),
    ("eyJ", 24),
    ("figd_", 16),
    ("gho_", 16),
    ("ghp_", 16),
    ("ghr_", 16),
    ("ghs_", 16),
    ("ghu_", 16),
    ("github_pat_", 16),
    ("glpat-", 16),
    ("gsk_", 16),
    ("hf_", 16),
    ("lin_api_", 16),
    ("npm_", 16),
    ("nvapi-", 16),
    ("pplx-", 16),
    ("pypi-", 16),
    ("r8_", 16),
    ("rk_live_", 16),
    ("shpat_", 16),
    ("sk-", 16),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("tskey-", 16),
    ("whsec_", 16),
    ("xai-", 16),
    ("xapp-", 16),
    ("xox", 16),
    ("ya29.", 16),
];

fn known_token(b: &[u8], i: usize) -> Option<Range<usize>> {
    // Inside a name with dashes or dots no token begins.
    if i > 0 && matches!(b[i - 1], b'-' | b'.') {
        return None;
    }
    let rest = &b[i..];
    let (beginning, least) = BEGINNINGS.iter().find(|(p, _)| rest.starts_with(p.as_bytes()))?;
    let start = i + beginning.len();
    let end = run(b, start, |c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_' | b'.'));
    let tail = &b[start..end];
    let random = match *beginning {
        // A signed token has its three parts; words in small letters are a name: `sk-learn-something-long`.
        "eyJ" => tail.contains(&b'.'),
        _ => tail.iter().any(|c| c.is_ascii_digit() || c.is_ascii_uppercase()),
    };
    (tail.len() >= *least && random).then_some(i..end)
}

/// `Bearer …` and `Basic …` wherever they stand.
fn credential(b: &[u8], i: usize) -> Option<Range<usize>> {
    let scheme = [&b"bearer"[..], b"basic"]
        .into_iter()
        .find(|s| b.get(i..i + s.len()).is_some_and(|w| w.eq_ignore_ascii_case(s)))?;
    let space = i + scheme.len();
    let start = run(b, space, |c| c == b' ');
    let end = run(b, start, is_token);
    let token = b.get(start..end)?;
    let random = token.len() >= 20 || token.iter().any(u8::is_ascii_digit);
    (start > space && token.len() >= 8 && random).then_some(start..end)
}

/// The password in `scheme://user:password@host`, or a long user name without one: a token.
fn in_address(b: &[u8], start: usize) -> Option<Range<usize>> {
    let ends = |c: u8| c.is_ascii_whitespace() || is_quote(c) || matches!(c, b'<' | b'>');
    let host_end = run(b, start, |c| !ends(c) && !matches!(c, b'/' | b'?' | b'#'));
    let authority = &b[start..host_end];
    let colon = authority.iter().position(|c| *c == b':');
    if let Some(at) = authority.iter().rposition(|c| *c == b'@') {
        return match colon.filter(|c| *c < at) {
            Some(colon) => (colon + 1 < at).then_some(start + colon + 1..start + at),
            None => (at >= 20).then_some(start..start + at),
        };
    }
    // A password may hold a slash; then what stands behind the colon is no port.
    let password = start + colon? + 1;
    let port = host_end > password && b[password..host_end].iter().all(u8::is_ascii_digit);
    let near = &b[..b.len().min(password + 256)];
    let word_end = run(near, password, |c| !ends(c));
    let at = b[password..word_end].iter().rposition(|c| *c == b'@')?;
    (!port && at > 0).then_some(password..password + at)
}

/// The value behind `name=` or `name:` where the name says that it is secret.
fn assigned(b: &[u8], i: usize) -> Option<Range<usize>> {
    let sign = *b.get(i)?;
    let next = b.get(i + 1).copied();
    if matches!((sign, next), (b'=', Some(b'=' | b'>' | b'~')) | (b':', Some(b':' | b'='))) {
        return None;
    }
    let mut end = i;
    let mut spaced = false;
    if sign == b'=' {
        let back = |mut end: usize| {
            while end > 0 && matches!(b[end - 1], b' ' | b'\t') && i - end < 8 {
                end -= 1;
            }
            end
        };
        end = back(end);
        if end > 0 && b[end - 1] == b':' {
            end = back(end - 1);
        }
        spaced = end < i;
    }
    // A quoted name, plain or inside a quoted text.
    if end > 0 && is_quote(b[end - 1]) {
        end -= 1;
        if end > 0 && b[end - 1] == b'\\' {
            end -= 1;
        }
    }
    let start = end - b[..end].iter().rev().take(NAME_MAX).take_while(|c| is_name(**c)).count();
    let name = &b[start..end];
    let before = start.checked_sub(1).map(|j| b[j]);
    let from = if sign == b':' || spaced { run(b, i + 1, |c| matches!(c, b' ' | b'\t')) } else { i + 1 };
    if is_header(name) {
        return to_line_end(b, from, before.filter(|q| is_quote(*q)));
    }
    let in_query = matches!(before, Some(b'?' | b'&'));
    let secret = is_secret_name(name) || in_query && is_one_of(name, IN_QUERY);
    if !secret {
        return None;
    }
    let value = value(b, from, in_query)?;
    let harmless = sign == b':' && is_type(&b[value.clone()]);
    (!harmless).then_some(value)
}

fn is_name(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-' | b'.')
}

/// Names whose whole line is a credential.
fn is_header(name: &[u8]) -> bool {
    ["authorization", "proxy-authorization", "cookie", "set-cookie"]
        .iter()
        .any(|h| name.eq_ignore_ascii_case(h.as_bytes()))
}

fn to_line_end(b: &[u8], from: usize, quote: Option<u8>) -> Option<Range<usize>> {
    if b.get(from).is_some_and(|q| is_quote(*q) || *q == b'\\') {
        return value(b, from, false);
    }
    let end = run(b, from, |c| !matches!(c, b'\n' | b'\r') && Some(c) != quote);
    (end > from).then_some(from..end)
}

/// The value that starts here, without its quotes. A reference to a variable is none.
fn value(b: &[u8], from: usize, in_query: bool) -> Option<Range<usize>> {
    let escaped = b.get(from) == Some(&b'\\') && b.get(from + 1).is_some_and(|q| is_quote(*q));
    let open = if escaped { from + 1 } else { from };
    let quote = b.get(open).copied().filter(|q| is_quote(*q));
    let start = if quote.is_some() { open + 1 } else { from };
    // Asked before the value is read: what is not taken must not be read to its end again and again.
    if is_reference(b, start) {
        return None;
    }
    let mut skip = false;
    let end = run(b, start, |c| {
        let Some(quote) = quote else {
            return !(c.is_ascii_whitespace() || is_quote(c) || in_query && matches!(c, b'&' | b'#'));
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
    (end > start).then_some(start..end)
}

/// `$NAME`, `${NAME}`, `%NAME%` and nothing behind them; `$(command` with whatever follows.
fn is_reference(b: &[u8], start: usize) -> bool {
    let name = |from| run(b, from, |c| c.is_ascii_alphanumeric() || c == b'_');
    let ends =
        |at: usize| b.get(at).is_none_or(|c| c.is_ascii_whitespace() || is_quote(*c) || matches!(c, b'&' | b';'));
    match b.get(start..).unwrap_or_default() {
        [b'$', b'(', ..] => true,
        [b'$', b'{', ..] => {
            let end = name(start + 2);
            end > start + 2 && b.get(end) == Some(&b'}') && ends(end + 1)
        }
        [b'$', ..] => name(start + 1) > start + 1 && ends(name(start + 1)),
        [b'%', ..] => {
            let end = name(start + 1);
            end > start + 1 && b.get(end) == Some(&b'%') && ends(end + 1)
        }
        _ => false,
    }
}

/// Types and empty words that stand behind a colon in code.
fn is_type(v: &[u8]) -> bool {
    let v = v.strip_suffix(b",").or_else(|| v.strip_suffix(b";")).or_else(|| v.strip_suffix(b")")).unwrap_or(v);
    let v = v.strip_prefix(b"&").unwrap_or(v);
    [
        &b"str"[..],
        b"string",
        b"bool",
        b"boolean",
        b"bytes",
        b"int",
        b"number",
        b"none",
        b"null",
        b"true",
        b"false",
        b"any",
    ]
    .iter()
    .any(|t| v.eq_ignore_ascii_case(t))
}

/// The value behind `--password`, `-u name:password`, `-pPASSWORD`.
fn flag(b: &[u8], i: usize, takes_p: bool) -> Option<Range<usize>> {
    let start = run(b, i, |c| c == b'-');
    let end = run(b, start, |c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_'));
    let name = &b[start..end.min(start + NAME_MAX)];
    let next = run(b, end, |c| c == b' ');
    if takes_p && start == i + 1 && name.first() == Some(&b'p') {
        return if name.len() > 1 || next == end { value(b, start + 1, false) } else { value(b, next, false) };
    }
    if next == end || b.get(next) == Some(&b'-') {
        return None;
    }
    if is_one_of(name, &["u", "user", "proxy-user"]) {
        let pair = value(b, next, false)?;
        let colon = b[pair.clone()].iter().position(|c| *c == b':')?;
        let password = pair.start + colon + 1..pair.end;
        // `-u 1000:1000` names a user and a group.
        let secret = b[password.clone()].iter().any(|c| !c.is_ascii_digit());
        return (secret && !is_reference(b, password.start)).then_some(password);
    }
    if is_secret_name(name) { value(b, next, false) } else { None }
}

#[cfg(test)]
mod tests;
