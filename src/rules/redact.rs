//! What a shell line, its output and a trace must not carry.
//!
//! [`redact`] replaces what looks like a secret by [`MARK`] and keeps everything around it: blocks of private keys, tokens
//! that are known by their shape, passwords in addresses, the values of names such as `API_KEY` or `--password`, what
//! well-known programs take as a password, and credentials in headers. It reads text by shape and knows no secret, so it
//! is a net and no proof: a bare password on a line of its own passes. In doubt it takes more rather than less, but leaves
//! `$VARIABLES`, calls, types and the word `tokens` alone. How good the net is says `table`.
//!
//! One pass in linear time over bytes; everything looked for is ASCII, so no cut falls into a character. Nothing but a
//! block of a key goes over the end of a line. Redacting twice changes nothing, and a text grows at most to three times
//! its length.

mod commands;
mod kept;
mod names;
mod stream;
mod tokens;
mod values;

use std::borrow::Cow;
use std::ops::Range;

use crate::rules::redact::commands::Line;
use crate::rules::redact::commands::before_is;
use crate::rules::redact::commands::is_mixed;
use crate::rules::redact::names::SECRET_KEYS;
use crate::rules::redact::names::is_one_of;
use crate::rules::redact::names::is_secret_in_query;
use crate::rules::redact::names::is_secret_name;
use crate::rules::redact::values::is_blank;
use crate::rules::redact::values::is_code;
use crate::rules::redact::values::is_name;
use crate::rules::redact::values::is_quote;
use crate::rules::redact::values::is_quoted;
use crate::rules::redact::values::is_random;
use crate::rules::redact::values::is_reference;
use crate::rules::redact::values::is_word;
use crate::rules::redact::values::run;
use crate::rules::redact::values::value;

pub use crate::rules::redact::kept::redact_kept;
pub use crate::rules::redact::stream::Stream;

/// Stands where a secret was.
pub const MARK: &str = "[redacted]";

/// Longest name that is looked at in front of `=` or `:`.
const NAME_MAX: usize = 64;

/// Rounds after the first: what one takes away can bring together what the next then sees, as the words around a token in
/// the middle of a key block's first line.
const ROUNDS: usize = 4;

/// The text without what looks like a secret.
pub fn redact(text: &str) -> Cow<'_, str> {
    redact_beginning(text).0
}

/// The same of a text that goes on, and the block of a key that does not end in it.
fn redact_beginning(text: &str) -> (Cow<'_, str>, Option<Block>) {
    let (mut now, mut open) = round(text);
    if matches!(now, Cow::Borrowed(_)) {
        return (now, open);
    }
    for _ in 0..ROUNDS {
        let (next, opened) = round(&now);
        open = open.or(opened);
        if *next == *now {
            break;
        }
        now = Cow::Owned(next.into_owned());
    }
    (now, open)
}

fn round(text: &str) -> (Cow<'_, str>, Option<Block>) {
    // Key blocks first: what is taken word by word could eat the line that begins one.
    let (text, open) = without_key_blocks(text);
    let text = match text {
        Cow::Borrowed(text) => without_words(text),
        Cow::Owned(text) => match without_words(&text) {
            Cow::Borrowed(_) => Cow::Owned(text),
            Cow::Owned(shorter) => Cow::Owned(shorter),
        },
    };
    (text, open)
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

/// A block of a private key, in every spelling that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    /// Between lines of dashes.
    Armored,
    /// Behind a line that counts its lines.
    Counted,
}

impl Block {
    /// How it begins, but for the label.
    const fn begin(self) -> &'static str {
        match self {
            Block::Armored => "-----BEGIN ",
            Block::Counted => "Private-Lines: ",
        }
    }

    /// How the line begins that ends it.
    const fn end(self) -> &'static str {
        match self {
            Block::Armored => "-----END ",
            Block::Counted => "Private-MAC: ",
        }
    }

    /// Where it ends; `None`: not in this text.
    fn end_in(self, text: &str) -> Option<usize> {
        let tail = text.find(self.end())? + self.end().len();
        Some(tail + self.rest_of_line(&text[tail..]))
    }

    /// How much of the line behind [`Block::end`] belongs to the block.
    fn rest_of_line(self, tail: &str) -> usize {
        let near = &tail.as_bytes()[..tail.len().min(NAME_MAX)];
        let line = near.iter().position(|c| *c == b'\n').unwrap_or(near.len());
        let dashes = match self {
            Block::Armored => near[..line].windows(5).position(|w| w == b"-----").map(|n| n + 5),
            Block::Counted => None,
        };
        // Without dashes it goes to the end of the line, or where a label would be over.
        tail.floor_char_boundary(dashes.unwrap_or(line))
    }
}

fn without_key_blocks(text: &str) -> (Cow<'_, str>, Option<Block>) {
    let mut out = Out::new(text);
    let mut at = 0;
    let mut open = None;
    // Each is looked for again only when it was passed: every byte is read once for each.
    let (mut armored, mut counted) = (next_armored(text, 0), next_counted(text, 0));
    loop {
        if armored.as_ref().is_some_and(|a| a.start < at) {
            armored = next_armored(text, at);
        }
        if counted.as_ref().is_some_and(|c| c.start < at) {
            counted = next_counted(text, at);
        }
        let (block, head) = match (&armored, &counted) {
            (Some(a), c) if c.as_ref().is_none_or(|c| a.start < c.start) => (Block::Armored, a.clone()),
            (_, Some(c)) => (Block::Counted, c.clone()),
            _ => return (out.finish(), open),
        };
        // A block without an end is one all the same: it goes to the end of the text.
        let end = block.end_in(&text[head.end..]).map(|n| head.end + n);
        open = end.is_none().then_some(block);
        at = end.unwrap_or(text.len());
        out.replace(head.start..at);
    }
}

/// The next `-----BEGIN … PRIVATE KEY`, up to behind the label.
fn next_armored(text: &str, from: usize) -> Option<Range<usize>> {
    let begin = Block::Armored.begin();
    let mut at = from;
    loop {
        let start = at + text.get(at..)?.find(begin)?;
        let label = start + begin.len();
        let label_end = label + text[label..].bytes().take(NAME_MAX).position(|b| b == b'-' || b == b'\n').unwrap_or(0);
        if text[label..label_end].contains("PRIVATE KEY") {
            return Some(start..label_end);
        }
        at = label;
    }
}

fn next_counted(text: &str, from: usize) -> Option<Range<usize>> {
    let begin = Block::Counted.begin();
    text.get(from..)?.find(begin).map(|n| from + n..from + n + begin.len())
}

fn without_words(text: &str) -> Cow<'_, str> {
    let b = text.as_bytes();
    let mut out = Out::new(text);
    let mut i = 0;
    let mut line = Line::default();
    while let Some(&c) = b.get(i) {
        let before = i.checked_sub(1).and_then(|j| b.get(j)).copied();
        if before.is_none_or(|p| p == b'\n')
            && let Some(secret) = in_password_file(b, i)
        {
            i = secret.end;
            out.replace(secret);
            continue;
        }
        let found = match c {
            b'\n' => {
                line = Line::default();
                None
            }
            b'|' | b';' | b'&' => {
                if b.get(i + 1).is_none_or(|n| *n == c || is_blank(*n)) {
                    line.next_command();
                }
                None
            }
            b':' if b[i..].starts_with(b"://") => in_address(b, i + 3),
            b':' => assigned(b, i).or_else(|| before_host(b, i)),
            b'=' => assigned(b, i),
            b',' => in_call(b, i),
            b'<' => in_tag(b, i),
            b'$' | b'{' if before.is_none_or(|p| !is_word(p)) => tokens::hash(b, i),
            b'-' if before.is_none_or(|p| p.is_ascii_whitespace() || is_quote(p)) => flag(b, i, &line),
            _ if (c.is_ascii_alphanumeric() || c == b'_') && before.is_none_or(|p| !is_word(p)) => {
                line.word(b, i).or_else(|| tokens::token(b, i)).or_else(|| credential(b, i))
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

/// `Bearer …` and `Basic …` wherever they stand.
fn credential(b: &[u8], i: usize) -> Option<Range<usize>> {
    let scheme = [&b"bearer"[..], b"basic"]
        .into_iter()
        .find(|s| b.get(i..i + s.len()).is_some_and(|w| w.eq_ignore_ascii_case(s)))?;
    let space = i + scheme.len();
    let start = run(b, space, |c| c == b' ');
    let of = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_' | b'.' | b'~' | b'+' | b'/' | b'=');
    let end = run(b, start, of);
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

/// Words in front of an address that is no password: `mailto:robin77@host.example`.
const BEFORE_MAIL: &[&str] =
    &["mailto", "acct", "sip", "sips", "xmpp", "email", "e-mail", "mail", "from", "to", "cc", "user", "npm"];

/// `robin:password@host.example` without a scheme.
fn before_host(b: &[u8], colon: usize) -> Option<Range<usize>> {
    let start = name_start(b, colon);
    let name = &b[start..colon];
    let before = start.checked_sub(1).map(|j| b[j]);
    let begins = before.is_none_or(|c| c.is_ascii_whitespace() || is_quote(c) || matches!(c, b'=' | b'(' | b'<'));
    if name.is_empty() || !begins || is_one_of(name, BEFORE_MAIL) {
        return None;
    }
    let near = &b[..b.len().min(colon + 128)];
    let end = run(near, colon + 1, |c| !(c.is_ascii_whitespace() || is_quote(c) || matches!(c, b'/' | b'<' | b'>')));
    let word = &near[colon + 1..end];
    let at = word.iter().rposition(|c| *c == b'@')?;
    let (password, host) = (&word[..at], &word[at + 1..]);
    let mixed = password.iter().any(u8::is_ascii_digit) && password.iter().any(u8::is_ascii_alphabetic);
    let named = host.first().is_some_and(u8::is_ascii_alphabetic) && host.contains(&b'.');
    (password.len() >= 6 && mixed && named).then_some(colon + 1..colon + 1 + at)
}

/// Where the name that ends here begins.
fn name_start(b: &[u8], end: usize) -> usize {
    end - b[..end].iter().rev().take(NAME_MAX).take_while(|c| is_name(**c)).count()
}

/// The place behind which a name ends, blanks before here passed over.
fn back_over_blanks(b: &[u8], end: usize) -> usize {
    end - b[..end].iter().rev().take(8).take_while(|c| is_blank(**c)).count()
}

/// The value behind `name=`, `name:` or `name =>` where the name says that it is secret.
fn assigned(b: &[u8], i: usize) -> Option<Range<usize>> {
    let sign = *b.get(i)?;
    let next = b.get(i + 1).copied();
    let arrow = (sign, next) == (b'=', Some(b'>'));
    if !arrow && matches!((sign, next), (b'=', Some(b'=' | b'~')) | (b':', Some(b':' | b'='))) {
        return None;
    }
    let mut end = i;
    let mut spaced = false;
    if sign == b'=' {
        end = back_over_blanks(b, end);
        if end > 0 && b[end - 1] == b':' {
            end = back_over_blanks(b, end - 1);
        }
        spaced = end < i;
    }
    if sign == b'=' && b[..end].ends_with(b"]") {
        // `config['password'] =`
        end -= usize::from(end > 1 && is_quote(b[end - 2]));
    }
    // A quoted name, plain or inside a quoted text.
    let mut quoted = false;
    if end > 0 && is_quote(b[end - 1]) {
        quoted = true;
        end -= 1;
        if end > 0 && b[end - 1] == b'\\' {
            end -= 1;
        }
    }
    let start = name_start(b, end);
    let name = &b[start..end];
    let before = start.checked_sub(1).map(|j| b[j]);
    let behind = i + 1 + usize::from(arrow);
    let from = if sign == b':' || spaced || arrow { run(b, behind, is_blank) } else { behind };
    if arrow {
        let symbol = before == Some(b':') && !b[..start].ends_with(b"::");
        return if (quoted || symbol) && is_secret_name(name) && is_quoted(b, from) {
            value(b, from, false)
        } else {
            None
        };
    }
    if is_header(name) || is_one_of(name, &["phrase"]) && before_is(b, start, &["seed", "recovery", "backup"]) {
        return to_line_end(b, from, before.filter(|q| is_quote(*q)));
    }
    let in_query = matches!(before, Some(b'?' | b'&'));
    let secret = is_secret_name(name)
        || in_query && is_secret_in_query(name)
        || before == Some(b';') && is_one_of(name, &["pwd"])
        || is_one_of(name, &["value", "default"]) && is_named_secret(b, start);
    if !secret {
        return weakly_named(b, name, from, quoted && before.is_some_and(is_quote)).or_else(|| {
            // `private key: …`, `password for robin: …`; here the value has to look like a secret, too.
            let key = is_one_of(name, &["key"]) && before_is(b, start, SECRET_KEYS);
            let told = if key || is_password_for(b, start) { value(b, from, false)? } else { return None };
            (told.len() >= 8 && is_mixed(b, &told)).then_some(told)
        });
    }
    if b.get(from) == Some(&b'`') && !spaced && sign == b'=' {
        // A command whose output it is.
        return None;
    }
    if !is_quoted(b, from) && is_code(b, from) {
        return None;
    }
    let value = value(b, from, in_query)?;
    // Which of many it is, and not what it says.
    let number = is_one_of(name, &["token"]) && value.len() <= 4 && b[value.clone()].iter().all(u8::is_ascii_digit);
    (!number).then_some(value)
}

/// `password for NAME`, `password is generated for NAME@HOST`: whether the name that begins here is such a one.
fn is_password_for(b: &[u8], start: usize) -> bool {
    let start = if start > 0 && b[start - 1] == b'@' { name_start(b, start - 1) } else { start };
    let said = &b[start.saturating_sub(40)..start];
    before_is(b, start, &["for"]) && said.windows(8).any(|w| w.eq_ignore_ascii_case(b"password"))
}

/// `"name": "DB_PASSWORD", "value": …`, `key="Password" value=…`, `"db_password" { default = …`: whether the pair before this name says so.
fn is_named_secret(b: &[u8], start: usize) -> bool {
    let over = b[..start]
        .iter()
        .rev()
        .take(8)
        .take_while(|c| matches!(c, b' ' | b',' | b'\\' | b'{') || is_quote(**c))
        .count();
    let end = start - over;
    let name = name_start(b, end);
    let signs = b[..name].iter().rev().take(6);
    let mut signs = signs.skip_while(|c| is_quote(**c) || matches!(c, b' ' | b'\\'));
    over > 1
        && name > 0
        && is_quote(b[name - 1])
        && (b[..start].ends_with(b"{ ") || matches!(signs.next(), Some(b'=' | b':')))
        && is_secret_name(&b[name..end])
}

/// Names that may mean anything; here the value has to look like a secret, too.
fn weakly_named(b: &[u8], name: &[u8], from: usize, quoted: bool) -> Option<Range<usize>> {
    let least = match name {
        b"auth" if quoted => 12,
        // Parts of a private key in JSON.
        b"d" | b"k" | b"p" | b"q" | b"dp" | b"dq" | b"qi" if quoted => 40,
        _ => return None,
    };
    let value = value(b, from, false)?;
    (is_quoted(b, from) && is_random(&b[value.clone()], least)).then_some(value)
}

/// Names whose whole line is a credential.
fn is_header(name: &[u8]) -> bool {
    is_one_of(name, &["authorization", "proxy-authorization", "cookie", "set-cookie", "passphrase", "mnemonic"])
}

fn to_line_end(b: &[u8], from: usize, quote: Option<u8>) -> Option<Range<usize>> {
    if b.get(from).is_some_and(|q| is_quote(*q) || *q == b'\\') || is_reference(b, from) {
        return value(b, from, false);
    }
    let end = run(b, from, |c| !matches!(c, b'\n' | b'\r') && Some(c) != quote);
    (end > from).then_some(from..end)
}

/// `define('NAME', 'value')` and its like.
fn in_call(b: &[u8], i: usize) -> Option<Range<usize>> {
    let quote = i.checked_sub(1).filter(|j| is_quote(b[*j]))?;
    let start = name_start(b, quote);
    let open = back_over_blanks(b, start.checked_sub(1).filter(|j| is_quote(b[*j]))?).checked_sub(1)?;
    let from = run(b, i + 1, is_blank);
    if b[open] != b'(' || !is_secret_name(&b[start..quote]) || !is_quoted(b, from) {
        return None;
    }
    let call = &b[name_start(b, open)..open];
    let call = call.rsplit(|c| *c == b'.').next().unwrap_or_default();
    let sets =
        &["define", "setenv", "setdefault", "setProperty", "putenv", "put", "set", "SetEnvironmentVariable", "getenv"];
    if is_one_of(call, sets) { value(b, from, false) } else { None }
}

/// `<password>…</password>`
fn in_tag(b: &[u8], i: usize) -> Option<Range<usize>> {
    let near = &b[..b.len().min(i + 1 + NAME_MAX)];
    let end = run(near, i + 1, is_name);
    let name = &b[i + 1..end];
    if b.get(end) != Some(&b'>') || !is_secret_name(name) || is_reference(b, end + 1) {
        return None;
    }
    let close = run(b, end + 1, |c| !matches!(c, b'<' | b'\n'));
    let closes = b.get(close..close + 2) == Some(b"</") && b[close + 2..].starts_with(name);
    (closes && close > end + 1).then_some(end + 1..close)
}

/// `host:5432:database:user:password` alone on its line.
fn in_password_file(b: &[u8], start: usize) -> Option<Range<usize>> {
    let near = &b[..b.len().min(start + 256)];
    let mut at = start;
    for field in 0..4 {
        let end = run(near, at, |c| c != b':' && !c.is_ascii_whitespace() && c != b'/');
        let text = &near[at..end];
        let fits = match field {
            0 => text == b"*" || text == b"localhost" || text.contains(&b'.'),
            1 => text == b"*" || (4..=5).contains(&text.len()) && text.iter().all(u8::is_ascii_digit),
            _ => !text.is_empty(),
        };
        if !fits || near.get(end) != Some(&b':') {
            return None;
        }
        at = end + 1;
    }
    let end = run(b, at, |c| !c.is_ascii_whitespace());
    (end > at).then_some(at..end)
}

/// The value behind `--password`, `-u name:password`, `-pPASSWORD`.
fn flag(b: &[u8], i: usize, line: &Line) -> Option<Range<usize>> {
    let start = run(b, i, |c| c == b'-');
    let end = run(b, start, |c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_'));
    let name = &b[start..end.min(start + NAME_MAX)];
    if start == i + 1
        && let Some(secret) = line.flag(b, start, end)
    {
        return Some(secret);
    }
    let next = run(b, end, |c| c == b' ');
    if next == end || matches!(b.get(next), Some(b'-' | b'<' | b'|' | b'&' | b'(')) {
        return None;
    }
    if is_one_of(name, &["u", "user", "proxy-user"]) {
        let pair = value(b, next, false)?;
        let colon = b[pair.clone()].iter().position(|c| *c == b':')?;
        let password = pair.start + colon + 1..pair.end;
        // `-u 1000:1000` names a user and a group.
        let secret = b[password.clone()].iter().any(|c| !c.is_ascii_digit());
        let address = b[password.clone()].starts_with(b"//");
        return (secret && !address && !is_reference(b, password.start)).then_some(password);
    }
    let bearer = is_one_of(name, &["oauth2-bearer", "pw"]) || line.keeps() && is_one_of(name, &["body"]);
    if bearer || is_secret_name(name) { value(b, next, false) } else { None }
}

#[cfg(test)]
pub(crate) mod table;
#[cfg(test)]
mod tests;
