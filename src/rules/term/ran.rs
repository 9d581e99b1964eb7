//! Which line a person ran in a terminal, and which person.
//!
//! The line is what the terminal's own shell reported, never what was typed: of what is typed only the person, the Enters
//! and how the terminal was set at that moment are kept. A terminal that does not echo but still gathers lines asks for a
//! password; an editor of lines turns both off.
//!
//! What is recorded and what not:
//!
//! - A line ran because somebody pressed Enter. It is the one who pressed the last Enter at this prompt. Where nobody did,
//!   the line was typed ahead, and lines typed ahead belong to their typists in the order in which they were typed.
//! - A line is not recorded that may be a password: one that was typed while a password was asked for; one that was typed
//!   ahead while something ran that asked for one later; one that was typed ahead of a program known to ask, even if it did
//!   not ask this time. Where it is not certain that what was typed ahead is gone, the next line is not recorded either.
//! - A line is not recorded that nobody typed, that the shell could not name, or that comes while a full-screen program has
//!   the screen. The shell's own prompt says that such a program is over, whether or not it gave the screen back.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use vyre_proto::ids::Author;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data;
use vyre_proto::term::Offset;

use crate::rules::redact::redact_kept;
use crate::rules::term::marks::Line;
use crate::rules::term::marks::Mark;

/// Stands behind a line that was longer than is recorded.
pub const CUT: &str = " [cut]";

/// Most groups of keys that are told apart. Beyond it a group joins the one before it.
const TYPED_MAX: usize = 64;

/// Who types, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typist {
    /// The person, or who acts for them.
    pub author: Author,
    /// By which door, as `relay`.
    pub via: Arc<str>,
    /// On which screen, as `deck`.
    pub surface: Arc<str>,
}

/// How a terminal treats what is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mode {
    /// It shows what is typed (`ECHO`).
    pub echo: bool,
    /// It gathers lines (`ICANON`).
    pub canonical: bool,
}

impl Mode {
    /// Whether this is how a password is asked for.
    pub const fn asks_for_a_password(self) -> bool {
        self.canonical && !self.echo
    }
}

/// A line that somebody ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// As the shell reported it. It may hold secrets until [`Ran::event`] has taken them out.
    pub line: Line,
    /// Where in the terminal's output it begins to run.
    pub offset: Offset,
    /// Who ran it.
    pub typist: Typist,
}

impl Ran {
    /// As what is published, in the name of its typist: without what looks like a secret.
    pub fn event(self, term: &str) -> (Author, Data) {
        let mut line = self.line.text().to_owned();
        if self.line.is_cut() {
            line.push_str(CUT);
        }
        let mut data = Data::TermCommand(pb::TermTyped {
            term: term.to_owned(),
            line,
            offset: self.offset.get(),
            via: self.typist.via.as_ref().to_owned(),
            surface: self.typist.surface.as_ref().to_owned(),
        });
        redact_kept(&mut data);
        (self.typist.author, data)
    }
}

/// Whether what is run in a terminal is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reports {
    /// The shell has not shown its first prompt.
    Starting,
    /// The shell reports each line that it runs.
    Yes,
    /// What is typed now goes to a program, perhaps another shell, which reports nothing.
    Inside,
    /// The shell reports nothing.
    No,
}

/// Keys that one person typed in a row, all of the same kind.
#[derive(Debug, Clone)]
struct Typed {
    typist: Typist,
    /// Enters that no line has used up yet.
    enters: u32,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Open,
    /// While a password was asked for.
    Password,
    /// Ahead of somewhere a password was asked for, or could have been.
    Ahead,
}

/// What the shell does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Starting,
    AtPrompt,
    Running {
        /// A program that is known to ask for passwords, or one that did.
        asks: bool,
        /// Somebody pressed Enter meanwhile.
        entered: bool,
    },
}

/// Puts together what a shell reports and who types.
pub struct Recorder {
    reports: bool,
    /// The last thing that ran could not be named.
    nameless: bool,
    full_screen: bool,
    place: Place,
    /// Typed before the newest prompt, and perhaps still waiting for the shell.
    before: VecDeque<Typed>,
    /// Typed since.
    since: VecDeque<Typed>,
    /// Who typed last of all.
    last: Option<Typist>,
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Recorder {
    /// Of a new terminal. `reports`: its shell was started so that it reports.
    pub fn new(reports: bool) -> Recorder {
        Recorder {
            reports,
            nameless: false,
            full_screen: false,
            place: Place::Starting,
            before: VecDeque::new(),
            since: VecDeque::new(),
            last: None,
        }
    }

    /// Whether what is run is recorded at this moment.
    pub fn reports(&self) -> Reports {
        match self.place {
            _ if !self.reports => Reports::No,
            Place::Starting => Reports::Starting,
            Place::Running { .. } if self.full_screen => Reports::Inside,
            Place::Running { entered: true, .. } => Reports::Inside,
            Place::AtPrompt | Place::Running { .. } if self.nameless => Reports::No,
            Place::AtPrompt | Place::Running { .. } => Reports::Yes,
        }
    }

    /// How the terminal is set now: to be told when output is read, so that a prompt is seen before anybody answers it.
    pub fn mode(&mut self, mode: Mode) {
        if !mode.asks_for_a_password() {
            return;
        }
        let Place::Running { asks, .. } = &mut self.place else { return };
        *asks = true;
        for typed in self.since.iter_mut().filter(|t| t.kind == Kind::Open) {
            typed.kind = Kind::Ahead;
        }
        self.left_are_passwords();
    }

    /// What is left of the keys before the line that runs now may answer its prompt.
    fn left_are_passwords(&mut self) {
        for typed in &mut self.before {
            typed.kind = typed.kind.max(Kind::Password);
        }
    }

    /// Somebody types these bytes into a terminal that is set so. To be told before the bytes are written to it.
    pub fn typed(&mut self, typist: &Typist, bytes: &[u8], mode: Mode) {
        self.mode(mode);
        let enters = bytes.iter().filter(|b| matches!(b, b'\r' | b'\n')).count();
        let enters = u32::try_from(enters).unwrap_or(u32::MAX);
        let kind = match &mut self.place {
            _ if mode.asks_for_a_password() => Kind::Password,
            Place::Running { asks, entered } => {
                *entered |= enters > 0;
                if *asks { Kind::Ahead } else { Kind::Open }
            }
            Place::Starting | Place::AtPrompt => Kind::Open,
        };
        self.last = Some(typist.clone());
        push(&mut self.since, Typed { typist: typist.clone(), enters, kind });
    }

    /// The shell, or a program, says this at an offset. A line that is to be recorded comes back.
    pub fn mark(&mut self, offset: Offset, mark: Mark) -> Option<Ran> {
        match mark {
            Mark::FullScreen(on) => self.full_screen = on,
            // Some shells say it again when they draw the prompt anew, perhaps behind an Enter.
            Mark::Prompt if self.place == Place::AtPrompt => {}
            Mark::Prompt => {
                self.place = Place::AtPrompt;
                self.full_screen = false;
                self.nameless = false;
                self.since_is_before();
            }
            Mark::Line(line) => {
                let asks = asks_for_passwords(line.text());
                let who = self.who();
                if asks {
                    self.left_are_passwords();
                }
                let full_screen = self.full_screen;
                self.place = Place::Running { asks, entered: false };
                return who.filter(|_| !full_screen).map(|typist| Ran { line, offset, typist });
            }
            Mark::Running => {
                if self.place == Place::AtPrompt {
                    self.nameless = true;
                    self.who();
                    self.place = Place::Running { asks: true, entered: false };
                }
            }
            Mark::Done => {}
        }
        None
    }

    /// Who runs the line that begins now, and with which keys; `None`: the line is not to be recorded.
    fn who(&mut self) -> Option<Typist> {
        let fresh = self.since.iter().rposition(|t| t.enters > 0);
        if let Some(ahead) = self.before.iter().position(|t| t.kind == Kind::Ahead) {
            // The first of these lines may be this one, or may have become part of it.
            self.before.drain(..ahead);
            use_up(&mut self.before);
            if fresh.is_some() {
                self.since_is_before();
            }
            return None;
        }
        let Some(fresh) = fresh else {
            if self.before.iter().any(|t| t.kind == Kind::Password) {
                return None;
            }
            let typist = self.before.iter().find(|t| t.enters > 0).map(|t| t.typist.clone());
            self.before.retain(|t| t.enters > 0);
            use_up(&mut self.before);
            return typist.or_else(|| self.since.back().map(|t| t.typist.clone())).or_else(|| self.last.clone());
        };
        // Lines that were typed ahead run at once. A person came later, so they were eaten by what ran before.
        self.before.clear();
        let password = self.since.iter().any(|t| t.kind != Kind::Open);
        let typist = self.since.get(fresh).map(|t| t.typist.clone());
        self.since.retain(|t| t.enters > 0);
        use_up(&mut self.since);
        self.since_is_before();
        typist.filter(|_| !password)
    }

    /// What is left of the keys was typed ahead of the next prompt.
    fn since_is_before(&mut self) {
        for typed in std::mem::take(&mut self.since) {
            push(&mut self.before, typed);
        }
    }
}

/// Takes one Enter, and the group with its last.
fn use_up(keys: &mut VecDeque<Typed>) {
    if let Some(first) = keys.front_mut() {
        first.enters = first.enters.saturating_sub(1);
        if first.enters == 0 {
            keys.pop_front();
        }
    }
}

fn push(keys: &mut VecDeque<Typed>, next: Typed) {
    let full = keys.len() >= TYPED_MAX;
    match keys.back_mut() {
        Some(last) if full || (last.typist == next.typist && last.kind == next.kind) => {
            last.enters = last.enters.saturating_add(next.enters);
            last.kind = last.kind.max(next.kind);
            last.typist = next.typist;
        }
        _ => keys.push_back(next),
    }
}

/// Programs that ask for a password on the terminal at one time and not at another, as when they asked a minute ago. A
/// prompt that does come is seen, whosever it is.
const ASKS: &[&str] = &[
    "cryptsetup",
    "doas",
    "gpg",
    "gpg2",
    "kinit",
    "login",
    "mariadb",
    "mysql",
    "passwd",
    "pkexec",
    "psql",
    "run0",
    "scp",
    "sftp",
    "ssh",
    "ssh-add",
    "ssh-copy-id",
    "su",
    "sudo",
    "sudoedit",
    "vault",
];

/// Whether a line names a program that may ask for a password.
fn asks_for_passwords(line: &str) -> bool {
    line.split(|c: char| c.is_whitespace() || ";|&(){}`'\"$=".contains(c))
        .filter_map(|word| word.rsplit('/').next())
        .any(|name| ASKS.contains(&name))
}

#[cfg(test)]
mod tests;
