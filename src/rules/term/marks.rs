//! What the shell of a terminal says between the bytes of its output: at its prompt, about to run this line, done.
//!
//! A mark is an operating system command that every emulator passes over:
//!
//! ```text
//! ESC ] 633 ; A ; NONCE ESC \             at its prompt
//! ESC ] 633 ; E ; LINE ; NONCE ESC \      the line that it is about to run
//! ESC ] 633 ; C ; NONCE ESC \             it runs something, whether or not it could name the line
//! ESC ] 633 ; D ; STATUS ; NONCE ESC \    that is over
//! ```
//!
//! `BEL` ends one as well. In a line `\\` is a backslash and `\xHH` a byte; the shell writes so what would end a field or
//! the mark. Whoever writes to the terminal can write a mark, but only the terminal's own shell knows the [`Nonce`]: a mark
//! without it is output as any other. Bytes are only read here and go to the screens as they are.
//!
//! [`Marks`] takes the output in whatever pieces it comes, and keeps at most [`MARK_MAX`] bytes of it.

use std::fmt;

use data_encoding::HEXLOWER;
use vyre_proto::term::Offset;

/// Longest command line that is told, in bytes. What is longer is told cut.
pub const LINE_MAX: usize = 64 * 1024;

/// Longest mark in bytes: the longest line with each byte written as `\xHH`, and what stands around it.
pub const MARK_MAX: usize = 4 * (LINE_MAX + 1) + 128;

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;

/// How a mark begins, behind `ESC ]`.
const BEGIN: &[u8] = b"633;";

/// 128 random bits that a terminal and its shell share, so that nothing else can say what the shell ran.
#[derive(Clone, PartialEq, Eq)]
pub struct Nonce([u8; 16]);

impl Nonce {
    /// Of these bytes, which must be random and used for one terminal alone.
    pub fn new(random: [u8; 16]) -> Nonce {
        Nonce(random)
    }

    /// As it stands in a mark: 32 hex digits. A secret of the terminal: for the shell's files and for nothing else.
    pub fn hex(&self) -> String {
        HEXLOWER.encode(&self.0)
    }
}

impl fmt::Debug for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Nonce(..)")
    }
}

/// A command line as the shell reports it.
#[derive(Clone, PartialEq, Eq)]
pub struct Line {
    text: String,
    cut: bool,
}

impl Line {
    fn of(mut bytes: Vec<u8>) -> Line {
        let cut = bytes.len() > LINE_MAX;
        bytes.truncate(LINE_MAX);
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        if cut {
            // The cut may have gone through a character.
            text.truncate(text.trim_end_matches('\u{fffd}').len());
        }
        Line { text, cut }
    }

    /// What is told of it: the whole line, or its first [`LINE_MAX`] bytes. May hold secrets.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it goes on.
    pub fn is_cut(&self) -> bool {
        self.cut
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line({} bytes{})", self.text.len(), if self.cut { ", cut" } else { "" })
    }
}

/// What the output says beside what it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    /// The shell waits for a line.
    Prompt,
    /// The shell is about to run this line.
    Line(Line),
    /// The shell runs what it was told.
    Running,
    /// What it ran is over.
    Done,
    /// Some program took the alternate screen, or gave it back. Anybody may say so; it has no nonce.
    FullScreen(bool),
}

/// Reads marks out of a terminal's output.
#[derive(Debug)]
pub struct Marks {
    nonce: Nonce,
    at: Offset,
    state: State,
    /// Where the sequence begins that is being read.
    began: Offset,
    /// Where the newest `ESC` stands.
    escape: Offset,
    kept: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Between sequences.
    Ground,
    /// Behind an `ESC`.
    Escape,
    /// In a control sequence, `ESC [`.
    Control,
    /// In an operating system command which may be a mark.
    Command,
    /// In one that is none.
    Other,
}

/// Longest control sequence that can be one about the alternate screen.
const CONTROL_MAX: usize = 64;

impl Marks {
    /// From a terminal's first byte on.
    pub fn new(nonce: Nonce) -> Marks {
        let zero = Offset::ZERO;
        Marks { nonce, at: zero, state: State::Ground, began: zero, escape: zero, kept: Vec::new() }
    }

    /// Reads the next piece of output and calls back with each mark in it, and with the offset of its first byte.
    pub fn read(&mut self, mut piece: &[u8], mut each: impl FnMut(Offset, Mark)) {
        while let Some(&byte) = piece.first() {
            let skip = match self.state {
                State::Ground => until(piece, |b| b == ESC),
                State::Other => until(piece, |b| matches!(b, ESC | BEL | CAN | SUB)),
                State::Escape | State::Control | State::Command => 0,
            };
            if skip > 0 {
                self.at = self.at.plus(skip);
                piece = piece.get(skip..).unwrap_or_default();
                continue;
            }
            if let Some(mark) = self.take(byte) {
                each(self.began, mark);
            }
            self.at = self.at.plus(1);
            piece = piece.get(1..).unwrap_or_default();
        }
    }

    fn take(&mut self, byte: u8) -> Option<Mark> {
        match (self.state, byte) {
            (State::Ground | State::Escape | State::Control | State::Other, ESC) => {
                self.kept.clear();
                self.escape();
            }
            // What is kept stays: this may be the command's end.
            (State::Command, ESC) => self.escape(),
            (State::Ground, _) => {}
            (State::Escape, b'[') => self.begin(State::Control),
            (State::Escape, b']') => self.begin(State::Command),
            // The end of a command that was waiting for it.
            (State::Escape, b'\\') => return self.end(),
            (State::Escape, _) => self.forget(),
            (State::Control, CAN | SUB) => self.forget(),
            (State::Control, 0x40..=0x7e) => {
                let full = alternate(&self.kept, byte);
                self.forget();
                return full.map(Mark::FullScreen);
            }
            (State::Control, _) => self.keep(byte, CONTROL_MAX),
            (State::Command | State::Other, CAN | SUB) => self.forget(),
            (State::Command | State::Other, BEL) => return self.end(),
            (State::Other, _) => {}
            (State::Command, _) => {
                let place = self.kept.len();
                if byte < 0x20 || BEGIN.get(place).is_some_and(|b| *b != byte) {
                    self.kept = Vec::new();
                    self.state = State::Other;
                } else {
                    self.keep(byte, MARK_MAX);
                }
            }
        }
        None
    }

    fn escape(&mut self) {
        self.escape = self.at;
        self.state = State::Escape;
    }

    fn begin(&mut self, state: State) {
        self.kept.clear();
        self.began = self.escape;
        self.state = state;
    }

    /// Keeps a byte of a sequence; one that becomes too long is none of ours.
    fn keep(&mut self, byte: u8, most: usize) {
        if self.kept.len() < most {
            self.kept.push(byte);
        } else {
            let other = if self.state == State::Command { State::Other } else { State::Ground };
            self.forget();
            self.state = other;
        }
    }

    fn forget(&mut self) {
        self.kept = Vec::new();
        self.state = State::Ground;
    }

    fn end(&mut self) -> Option<Mark> {
        let kept = std::mem::take(&mut self.kept);
        self.state = State::Ground;
        self.mark(kept.strip_prefix(BEGIN)?)
    }

    fn mark(&self, said: &[u8]) -> Option<Mark> {
        let cut = said.iter().rposition(|b| *b == b';')?;
        let (said, nonce) = (said.get(..cut)?, said.get(cut + 1..)?);
        if nonce != self.nonce.hex().as_bytes() {
            return None;
        }
        match said {
            b"A" => Some(Mark::Prompt),
            b"C" => Some(Mark::Running),
            [b'D', b';', ..] => Some(Mark::Done),
            [b'E', b';', line @ ..] => Some(Mark::Line(Line::of(unescaped(line)?))),
            _ => None,
        }
    }
}

/// How many bytes at the start are not such a one.
fn until(piece: &[u8], is: impl Fn(u8) -> bool) -> usize {
    piece.iter().position(|b| is(*b)).unwrap_or(piece.len())
}

/// The bytes of a line; `None`: no shell of ours wrote it.
fn unescaped(line: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(line.len());
    let mut rest = line;
    while let [first, tail @ ..] = rest {
        rest = match (first, tail) {
            (b'\\', [b'\\', tail @ ..]) => {
                bytes.push(b'\\');
                tail
            }
            (b'\\', [b'x', high, low, tail @ ..]) => {
                bytes.push(digit(*high)? << 4 | digit(*low)?);
                tail
            }
            (b'\\' | b';', _) => return None,
            (plain, tail) => {
                bytes.push(*plain);
                tail
            }
        };
    }
    Some(bytes)
}

fn digit(c: u8) -> Option<u8> {
    char::from(c).to_digit(16).and_then(|d| u8::try_from(d).ok())
}

/// Whether a control sequence takes the alternate screen (`true`) or gives it back.
fn alternate(parameters: &[u8], last: u8) -> Option<bool> {
    let takes = match last {
        b'h' => true,
        b'l' => false,
        _ => return None,
    };
    let modes = parameters.strip_prefix(b"?")?;
    modes.split(|b| *b == b';').any(|mode| matches!(mode, b"47" | b"1047" | b"1049")).then_some(takes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NONCE: &str = "000102030405060708090a0b0c0d0e0f";

    fn marks() -> Marks {
        Marks::new(Nonce::new(std::array::from_fn(|n| n as u8)))
    }

    fn read(pieces: &[&[u8]]) -> Vec<(u64, Mark)> {
        let (mut marks, mut all) = (marks(), Vec::new());
        for piece in pieces {
            marks.read(piece, |at, mark| all.push((at.get(), mark)));
        }
        all
    }

    fn line(text: &str) -> Mark {
        Mark::Line(Line::of(text.as_bytes().to_vec()))
    }

    fn mark(said: &str) -> String {
        format!("\x1b]633;{said};{NONCE}\x1b\\")
    }

    #[test]
    fn a_shell_says_what_it_runs_and_where() {
        let said = format!("motd\r\n{}$ {}{}out{}", mark("A"), mark(r"E;a\\b\x3bc\x0ad"), mark("C"), mark("D;1"));

        let seen = read(&[said.as_bytes()]);

        assert_eq!(seen.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [6, 50, 107, 152]);
        let seen: Vec<_> = seen.into_iter().map(|(_, mark)| mark).collect();
        assert_eq!(seen, [Mark::Prompt, line("a\\b;c\nd"), Mark::Running, Mark::Done]);
    }

    #[test]
    fn output_that_knows_no_nonce_says_nothing() {
        let wrong = "f".repeat(32);
        for forged in [
            "\x1b]633;E;rm -rf /\x1b\\".to_owned(),
            "\x1b]633;E;rm -rf /;\x1b\\".into(),
            format!("\x1b]633;E;rm -rf /;{wrong}\x07"),
            format!("\x1b]633;E;ls;{NONCE};\x07"),
            format!("\x1b]633;E;ls;{}\x07", &NONCE[..31]),
            format!("\x1b]633;E;ls{NONCE}\x07"),
            format!("\x1b]133;E;ls;{NONCE}\x07"),
            format!("]633;E;ls;{NONCE}\x07"),
        ] {
            assert_eq!(read(&[forged.as_bytes()]), [], "{forged:?}");
        }
    }

    #[test]
    fn a_mark_that_something_broke_into_is_none() {
        for broken in [
            format!("\x1b]633;E;l\ns;{NONCE}\x07"),
            format!("\x1b]633;E;l\x18s;{NONCE}\x07"),
            format!("\x1b]633;E;l\x1b[1ms;{NONCE}\x07"),
            format!("\x1b]633;E;a;b;{NONCE}\x07"),
            format!("\x1b]633;E;\\q;{NONCE}\x07"),
            format!("\x1b]633;E;\\x4;{NONCE}\x07"),
        ] {
            assert_eq!(read(&[broken.as_bytes(), mark("A").as_bytes()]).len(), 1, "{broken:?}");
        }
    }

    #[test]
    fn a_line_without_end_is_told_cut_and_output_without_end_is_not_kept() {
        let long = "ü".repeat(LINE_MAX);
        let seen = read(&[mark(&format!("E;x{}", &long[..LINE_MAX])).as_bytes()]);
        let [(0, Mark::Line(told))] = seen.as_slice() else { panic!("{seen:?}") };
        assert!(told.is_cut());
        assert_eq!(told.text().len(), LINE_MAX - 1, "cut between characters");

        let mut marks = marks();
        marks.read(b"\x1b]633;E;", |_, _| panic!("nothing was said"));
        for _ in 0..100 {
            marks.read(&[b'x'; 65536], |_, _| panic!("nothing was said"));
            assert!(marks.kept.capacity() <= 2 * MARK_MAX);
        }
        assert_eq!(marks.kept.capacity(), 0);
    }

    #[test]
    fn full_screen_programs_are_seen() {
        // The last one breaks off a command.
        let seen = read(&[b"\x1b[?1049h..\x1b[?25;47l\x1b[?25h\x1b[1047h\x1b]633;E;\x1b[?1049h"]);

        let (on, off) = (Mark::FullScreen(true), Mark::FullScreen(false));
        assert_eq!(seen, [(0, on.clone()), (10, off), (40, on)]);
    }

    /// Pieces that make and break marks.
    fn output() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(mark("A").into_bytes()),
            Just(mark(r"E;ls \x3b x").into_bytes()),
            Just(mark("D;0").into_bytes()),
            Just(b"\x1b]633;E;ls;".to_vec()),
            Just(b"\x1b".to_vec()),
            Just(b"\x1b]0;title\x07".to_vec()),
            Just(b"\x1b[?1049h".to_vec()),
            Just(b"\x18".to_vec()),
            prop::collection::vec(any::<u8>(), 0..12),
        ];
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn wherever_output_is_cut_it_says_the_same(output in output(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8)) {
            let mut cuts: Vec<usize> = cuts.iter().map(|c| c.index(output.len() + 1)).collect();
            cuts.extend([0, output.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|w| &output[w[0]..w[1]]).collect();

            prop_assert_eq!(read(&pieces), read(&[&output]));
        }

        #[test]
        fn bytes_without_the_nonce_never_speak_for_the_shell(output in prop::collection::vec(any::<u8>(), 0..4096)) {
            prop_assume!(!output.windows(32).any(|w| w == NONCE.as_bytes()));

            prop_assert!(read(&[&output]).iter().all(|(_, mark)| matches!(mark, Mark::FullScreen(_))));
        }
    }
}
