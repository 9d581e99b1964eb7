//! What a line says by its words: which program runs and where it takes a password, which word is told to be a secret.
//!
//! All of it belongs to one line, and a program to one command of it.

use std::ops::Range;

use crate::rules::redact::names::SECRET_KEYS;
use crate::rules::redact::names::is_one_of;
use crate::rules::redact::names::is_secret_name;
use crate::rules::redact::names::parts;
use crate::rules::redact::values::is_blank;
use crate::rules::redact::values::is_name;
use crate::rules::redact::values::is_quote;
use crate::rules::redact::values::is_quoted;
use crate::rules::redact::values::is_reference;
use crate::rules::redact::values::run;
use crate::rules::redact::values::value;

/// Where the password stands that a flag of one letter takes.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// `-pX`; alone it asks.
    Attached,
    /// `-p X`.
    Spaced,
    /// Either.
    Both,
    /// `-a name:X`, and `-aname:X`.
    Pair(u8),
    /// `-b name=X`, and nothing else.
    Pairs,
}

/// Programs, the word that must come first or nothing, the letters of their flags, and where the password stands.
const PROGRAMS: &[(&[&str], &str, &[u8], Form)] = &[
    (&["mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb", "mariadb-dump"], "", b"p", Form::Attached),
    (&["7z", "7za", "7zz", "7zr", "rar", "unrar"], "", b"p", Form::Attached),
    (&["sshpass"], "", b"p", Form::Both),
    (
        &["docker", "podman", "helm", "nerdctl", "buildah", "skopeo", "oras", "crane", "az", "oc"],
        "login",
        b"p",
        Form::Spaced,
    ),
    (
        &["twine", "mongosh", "mongo", "mongodump", "mongorestore", "cqlsh", "influx", "psexec", "psexec64"],
        "",
        b"p",
        Form::Spaced,
    ),
    (&["redis-cli", "valkey-cli"], "", b"a", Form::Spaced),
    (&["ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldapwhoami", "ldappasswd"], "", b"w", Form::Both),
    (&["security"], "", b"w", Form::Spaced),
    (&["sqlcmd", "bcp", "mosquitto_pub", "mosquitto_sub", "ipmitool", "unzip", "zip"], "", b"P", Form::Both),
    (&["ssh-keygen"], "", b"NP", Form::Spaced),
    (&["openssl"], "", b"kK", Form::Spaced),
    (&["snmpwalk", "snmpget", "snmpset"], "", b"AX", Form::Spaced),
    (&["http", "https", "xh"], "", b"a", Form::Pair(b':')),
    (&["curl"], "", b"uU", Form::Pair(b':')),
    (&["curl"], "", b"b", Form::Pairs),
    (&["lftp", "ncftp"], "", b"u", Form::Pair(b',')),
    (&["smbclient", "rpcclient", "smbmap", "net"], "", b"U", Form::Pair(b'%')),
];

/// Words that tell of what stands right behind them, beside the names of secrets.
const NEAR: &[&str] = &[
    "AUTH",
    "backup",
    "basic",
    "bearer",
    "by",
    "convertto-securestring",
    "for",
    "generated",
    "is",
    "key",
    "phrase",
    "recovery",
    "seed",
    "WIFI",
];

/// Words that tell of what stands anywhere behind them on the line, beside the programs.
const FAR: &[&str] = &[
    "cargo",
    "echo",
    "ENV",
    "expdp",
    "htpasswd",
    "identified",
    "impdp",
    "login",
    "net",
    "nmcli",
    "printf",
    "secret",
    "set",
    "setenv",
    "setx",
    "sqlldr",
    "sqlplus",
    "vault",
    "wfreerdp",
    "wpa_passphrase",
    "xfreerdp",
];

fn bare(word: &str) -> &[u8] {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).as_bytes();
    word.rsplit(|c| *c == b'/').next().unwrap_or_default()
}

/// Whether this word may tell of a secret that stands anywhere behind it on its line.
pub(super) fn tells_of_the_line(word: &str) -> bool {
    let name = bare(word);
    let known = |w: &str| w.as_bytes() == name;
    FAR.iter().any(|w| known(w))
        || is_one_of(name, &["identified"])
        || PROGRAMS.iter().any(|p| p.0.iter().any(|w| known(w)))
}

/// Whether a secret may stand behind this word that only the word tells of.
pub(super) fn tells(word: &str) -> bool {
    let name = bare(word);
    is_secret_name(name) || is_one_of(name, NEAR) || is_one_of(name, SECRET_KEYS) || tells_of_the_line(word)
}

/// Longest name of a program.
const PROGRAM_MAX: usize = 16;

/// How far a command is read for its last words, and how many of them.
const COMMAND_MAX: usize = 256;
const WORDS_MAX: usize = 12;

/// What this line has said so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Line {
    program: &'static str,
    /// `login`, or what a program's flag waits for, was said in this command.
    login: bool,
    /// `NAME VALUE` sets something here.
    sets: bool,
    /// Secrets are kept by this command: `gh secret set`.
    keeps: bool,
    /// An account is made: `IDENTIFIED BY`.
    identified: bool,
    /// Up to here it is known that nothing is fed into a program that asks for a password.
    fed: usize,
}

impl Line {
    /// Another command begins.
    pub(super) fn next_command(&mut self) {
        (self.program, self.login) = ("", false);
    }

    /// A word begins here. Gives the secret that it tells of.
    pub(super) fn word(&mut self, b: &[u8], i: usize) -> Option<Range<usize>> {
        let near = &b[..b.len().min(i + 64)];
        let end = run(near, i, is_name);
        let word = &near[i..end];
        let lower = |w: &str| word.eq_ignore_ascii_case(w.as_bytes());
        let blank = run(near, end, is_blank);
        if word.len() <= PROGRAM_MAX
            && blank > end
            && let Some(name) = PROGRAMS.iter().flat_map(|p| p.0).find(|n| n.as_bytes() == word)
        {
            self.program = name;
        }
        match word {
            b"login" if self.program.is_empty() => {
                // `vault login TOKEN`; a word is none.
                let told = value(b, blank, false).filter(|_| blank > end)?;
                let short = &b[told.start..told.end.min(told.start + 64)];
                return (before_is(b, i, &["vault", "cargo"]) && has_digit(short)).then_some(told);
            }
            b"login" => self.login = true,
            b"set" | b"setx" | b"setenv" | b"ENV" => self.sets = true,
            b"secret" => self.keeps = true,
            b"xfreerdp" | b"wfreerdp" => self.program = "xfreerdp",
            b"p" if self.program == "xfreerdp" && b.get(end) == Some(&b':') => return value(b, end + 1, false),
            b"WIFI" if b.get(end) == Some(&b':') => return wifi(b, end),
            b"echo" | b"printf" if blank > end && i >= self.fed => return self.fed_into(b, blank),
            b"AUTH" if i == 0 || b[i - 1] == b'\n' => {
                let told = words(b, end).pop()?;
                return is_mixed(b, &told).then_some(told);
            }
            b"net" | b"htpasswd" | b"wpa_passphrase" | b"sqlplus" | b"impdp" | b"expdp" | b"sqlldr" => {
                return positional(b, end, word);
            }
            b"requirepass" | b"masterauth" if blank > end => return value(b, blank, false),
            b"nmcli" => self.program = "nmcli",
            b"key" if blank > end && before_is(b, i, SECRET_KEYS) => {
                let told = value(b, blank, false)?;
                return (told.len() >= 32 && is_mixed(b, &told)).then_some(told);
            }
            _ if lower("identified") => self.identified = true,
            _ if lower("by") && self.identified && is_quoted(b, blank) => return value(b, blank, false),
            _ if lower("ConvertTo-SecureString") && is_quoted(b, blank) => return value(b, blank, false),
            _ => {}
        }
        if blank == end || !is_secret_name(word) {
            return None;
        }
        self.told(b, i, word, blank)
    }

    /// A secret's name, blanks, and what stands behind them.
    fn told(&self, b: &[u8], i: usize, word: &[u8], blank: usize) -> Option<Range<usize>> {
        if matches!(b.get(blank), Some(b'=' | b':' | b'-' | b'<' | b'|' | b'&' | b')')) {
            return None;
        }
        let plain = is_one_of(word, &["password", "passphrase", "passcode", "secret", "token"]);
        if !plain {
            if is_one_of(word, &["psk"]) {
                return value(b, blank, false).filter(|_| is_quoted(b, blank));
            }
            if parts(word) < 2 {
                return None;
            }
            let told = value(b, blank, false)?;
            let joined = word.iter().any(|c| matches!(c, b'_' | b'.'));
            let likely = is_quoted(b, blank) || told.len() >= 6 && is_mixed(b, &told);
            return (self.sets || joined && likely).then_some(told);
        }
        if is_one_of(word, &["password"]) {
            let begins = b[..i].iter().rev().take(16).take_while(|c| is_blank(**c)).count();
            let first = i == begins || b[i - begins - 1] == b'\n';
            if ["nmcli", "mysqladmin"].contains(&self.program) || login_before(b, i) {
                return value(b, blank, false);
            }
            if word == b"PASSWORD" && is_quoted(b, blank) {
                // `ALTER USER robin PASSWORD 'x'`
                return value(b, blank, false);
            }
            if first && begins > 0 {
                // Alone on its line, as in a file of logins.
                let told = value(b, blank, false)?;
                let over = run(&b[..b.len().min(told.end + 8)], told.end, is_blank);
                let alone = b.get(over).is_none_or(|c| matches!(c, b'\n' | b'\r'));
                let short = &b[told.start..told.end.min(told.start + 64)];
                return (alone && has_digit(short)).then_some(told);
            }
        }
        // `the password is X7…`
        let said = b.get(blank..blank + 3).is_some_and(|w| w == b"is " || w == b"is:");
        let told = value(b, run(&b[..b.len().min(blank + 8)], blank + 3, is_blank), false).filter(|_| said)?;
        (told.len() >= 6 && is_mixed(b, &told)).then_some(told)
    }

    /// `echo X | sudo -S`: what is said into a program that reads a password.
    fn fed_into(&mut self, b: &[u8], from: usize) -> Option<Range<usize>> {
        let near = &b[..b.len().min(from + COMMAND_MAX)];
        let end = run(near, from, |c| c != b'\n');
        self.fed = from + COMMAND_MAX / 4;
        let pipe = run(near, from, |c| c != b'|' && c != b'\n');
        let rest = near.get(pipe..end)?;
        let has = |w: &[u8]| rest.windows(w.len()).any(|r| r == w);
        let change = has(b"chpasswd");
        let asks = change
            || (has(b"sudo ") && has(b" -S"))
            || [
                &b"-stdin"[..],
                b"passphrase-fd",
                b"cryptsetup",
                b"kinit",
                b"-with-token",
                b"create secret",
                b"secret set",
                b"secret put",
            ]
            .iter()
            .any(|w| has(w));
        if !asks {
            return None;
        }
        let mut from = from;
        while near.get(from) == Some(&b'-') {
            from = run(near, run(near, from, is_name), is_blank);
        }
        let told = value(near, from, false)?;
        let colon = near[told.clone()].iter().position(|c| *c == b':').filter(|_| change);
        let told = colon.map_or(told.start, |n| told.start + n + 1)..told.end;
        (!told.is_empty() && !is_reference(b, told.start)).then_some(told)
    }

    /// The password behind a flag of one letter, or on it. `start` is where the letter stands, `end` where the word ends.
    pub(super) fn flag(&self, b: &[u8], start: usize, end: usize) -> Option<Range<usize>> {
        let letter = *b.get(start)?;
        let next = run(b, end, |c| c == b' ');
        let alone = end == start + 1;
        let here = |p: &&(&[&str], &str, &[u8], Form)| {
            p.0.contains(&self.program) && (p.1.is_empty() || self.login) && p.2.contains(&letter)
        };
        let (.., form) = PROGRAMS.iter().find(here)?;
        let told = |from: usize| value(b, from, false).filter(|_| b.get(from).is_some_and(|c| !is_blank(*c)));
        let attached = || told(start + 1);
        let spaced = || if next > end && b.get(next) != Some(&b'-') { told(next) } else { None };
        match form {
            Form::Attached => attached(),
            Form::Spaced if alone && next > end => spaced(),
            Form::Spaced => None,
            Form::Both if alone && next > end => spaced(),
            Form::Both => attached(),
            Form::Pair(sign) => {
                let pair = if alone && next > end { spaced()? } else { attached()? };
                // Names of users are short.
                let short = &b[pair.start..pair.end.min(pair.start + COMMAND_MAX)];
                let at = pair.start + short.iter().position(|c| c == sign)? + 1;
                let digits = b[at..pair.end].iter().all(u8::is_ascii_digit);
                (at < pair.end && !digits && !is_reference(b, at)).then_some(at..pair.end)
            }
            Form::Pairs => spaced().filter(|pairs| {
                let short = &b[pairs.start..pairs.end.min(pairs.start + COMMAND_MAX)];
                short.contains(&b'=')
            }),
        }
    }

    /// Whether this command keeps what it is given as a secret.
    pub(super) fn keeps(&self) -> bool {
        self.keeps
    }
}

/// Whether letters and digits stand in the beginning of a value.
pub(super) fn is_mixed(b: &[u8], value: &Range<usize>) -> bool {
    let short = &b[value.start..value.end.min(value.start + 64)];
    has_digit(short) && short.iter().any(u8::is_ascii_alphabetic)
}

fn has_digit(v: &[u8]) -> bool {
    v.iter().any(u8::is_ascii_digit)
}

/// Whether the word in front of this one is one of these.
pub(super) fn before_is(b: &[u8], i: usize, words: &[&str]) -> bool {
    let back = |from: usize, of: fn(u8) -> bool| from - b[..from].iter().rev().take(64).take_while(|c| of(**c)).count();
    let end = back(i, is_blank);
    end < i && is_one_of(&b[back(end, is_name)..end], words)
}

/// `login NAME password`: whether the word before the last is `login`.
fn login_before(b: &[u8], i: usize) -> bool {
    let back = |from: usize, of: fn(u8) -> bool| from - b[..from].iter().rev().take(64).take_while(|c| of(**c)).count();
    let end = back(i, is_blank);
    let start = back(end, |c| !c.is_ascii_whitespace());
    end < i && start < end && before_is(b, start, &["login"])
}

/// `WIFI:T:WPA;S:name;P:password;;`
fn wifi(b: &[u8], from: usize) -> Option<Range<usize>> {
    let near = &b[..b.len().min(from + COMMAND_MAX)];
    let end = run(near, from, |c| !matches!(c, b'\n' | b'\r'));
    let at = near[from..end].windows(3).position(|w| w == b";P:" || w == b":P:")?;
    let start = from + at + 3;
    let mut skip = false;
    let end = run(b, start, |c| {
        let escaped = std::mem::replace(&mut skip, c == b'\\');
        c != b'\n' && (escaped || c != b';')
    });
    (end > start).then_some(start..end)
}

/// The words of the command that goes on here.
fn words(b: &[u8], from: usize) -> Vec<Range<usize>> {
    let near = &b[..b.len().min(from + COMMAND_MAX)];
    let mut all = Vec::new();
    let mut at = from;
    while all.len() < WORDS_MAX {
        at = run(near, at, is_blank);
        let Some(&c) = near.get(at) else { break };
        if matches!(c, b'\n' | b'\r' | b'|' | b';' | b'&' | b'<' | b'>') {
            break;
        }
        let quote = is_quote(c).then_some(c);
        let start = at + usize::from(quote.is_some());
        let end = run(near, start, |c| match quote {
            Some(quote) => c != quote && c != b'\n',
            None => !c.is_ascii_whitespace() && !is_quote(c),
        });
        if end > start {
            all.push(start..end);
        }
        at = end + usize::from(quote.is_some());
    }
    all
}

/// Programs that take a password in a place of its own.
fn positional(b: &[u8], from: usize, program: &[u8]) -> Option<Range<usize>> {
    if !b.get(from).is_some_and(|c| is_blank(*c)) {
        return None;
    }
    let (flags, places): (Vec<_>, Vec<_>) = words(b, from).into_iter().partition(|w| b[w.start] == b'-');
    let told = match program {
        b"htpasswd" => {
            let has = |letter| flags.iter().any(|f| b[f.clone()].contains(&letter));
            let place = if has(b'n') { 1 } else { 2 };
            places.get(place).filter(|_| has(b'b'))?.clone()
        }
        b"wpa_passphrase" => places.get(1)?.clone(),
        b"net" => {
            let at = |n: usize| places.get(n).map_or(&b""[..], |w| &b[w.clone()]);
            let place = match at(0) {
                b"user" => 2,
                b"use" => (1..places.len()).find(|n| at(*n).starts_with(b"/user:"))? + 1,
                _ => return None,
            };
            places.get(place).filter(|_| !at(place).starts_with(b"/"))?.clone()
        }
        _ => {
            let login = places.first()?.clone();
            let text = &b[login.clone()];
            let slash = login.start + text.iter().position(|c| *c == b'/')? + 1;
            let at = text.iter().rposition(|c| *c == b'@').map_or(login.end, |n| login.start + n);
            slash..at
        }
    };
    (told.start < told.end && !is_reference(b, told.start)).then_some(told)
}
