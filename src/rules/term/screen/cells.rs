//! What `avt` writes down of itself, in the words that every emulator reads, and without blanks that nobody wrote.
//!
//! `avt` fills each line to its end. An emulator takes blanks for text: they would be copied with it, and a narrower window
//! would wrap every line. It goes to the alternate screen by mode 1047, where some know only 1049, and it says "the last
//! character again", which some do with ASCII alone.

use unicode_width::UnicodeWidthChar;

use crate::rules::term::escape::Csi;
use crate::rules::term::escape::Cutter;
use crate::rules::term::escape::Piece;

/// To the alternate screen and back. 1049 saves the cursor and restores it, so it stands on the one that is saved already; with
/// it come its modes, which `avt` takes to be as they are in an empty emulator.
const ENTER: &[u8] = b"\x1b8\x1b[?1049h\x1b[?6l\x1b[?7h\x1b[0m\x1b[2J";
const LEAVE: &[u8] = b"\x1b[?1049l\x1b[?6l\x1b[?7h";

/// What `avt` has written down of a terminal with lines of so many columns.
pub(super) fn rewritten(dump: &str, columns: usize) -> Vec<u8> {
    let mut rewrite = Rewrite { columns, out: Vec::with_capacity(dump.len()), ..Rewrite::default() };
    let mut cutter = Cutter::default();
    cutter.feed(dump.as_bytes(), |piece| match piece {
        Piece::Text(text) => rewrite.text(&String::from_utf8_lossy(text)),
        Piece::Escape(sequence) | Piece::Broken(sequence) => rewrite.sequence(sequence),
    });
    rewrite.flush();
    rewrite.out
}

#[derive(Default)]
struct Rewrite {
    columns: usize,
    out: Vec<u8>,
    at: At,
    /// Where the way to the alternate screen begins, if this is it: behind tab stops and the saved cursor.
    settled: usize,
    /// Blanks without any attribute, which are dropped if the line ends behind them.
    blanks: Vec<u8>,
    /// Columns of the line before the blanks, and with them. A line that wraps goes on here.
    before: usize,
    width: usize,
    last: char,
    pen: Pen,
}

#[derive(Default, PartialEq, Eq)]
enum At {
    /// Among the cells of a screen.
    #[default]
    Cells,
    /// Behind them.
    State,
    /// Before those of the alternate screen.
    Entered,
}

impl Rewrite {
    fn text(&mut self, text: &str) {
        for c in text.chars() {
            self.last = c;
            match c {
                '\r' => self.end_line(),
                ' ' if self.at == At::Cells && self.pen == Pen::default() => {
                    self.blanks.push(b' ');
                    self.width += 1;
                    continue;
                }
                _ => self.flush(),
            }
            self.out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            self.width += c.width().unwrap_or(0);
            self.before = self.width;
        }
    }

    fn sequence(&mut self, sequence: &[u8]) {
        let csi = Csi::parse(sequence);
        match (csi.map_or(0, |csi| csi.last), &self.at) {
            (b'b', At::Cells) => {
                let again = csi.map_or(0, |csi| usize::from(csi.param(0)));
                return self.text(&self.last.to_string().repeat(again));
            }
            // From a pen without attributes there is no way to itself but behind the last line.
            (b'm', At::Cells) if sequence != b"\x1b[0m" || self.pen != Pen::default() => {
                self.flush();
                self.pen.read(sequence);
            }
            (_, At::Cells) => {
                self.end_line();
                (self.at, self.pen, self.settled) = (At::State, Pen::default(), self.out.len());
            }
            (b'H', At::Entered) if sequence == b"\x1b[1;1H" => {
                (self.at, self.before, self.width) = (At::Cells, 0, 0);
            }
            (_, At::Entered) => self.at = At::State,
            (_, At::State) => {}
        }
        match sequence {
            // Where the cursor of the primary screen stands is what 1049 saves.
            b"\x1b[?1047h" => {
                self.out.truncate(self.settled);
                self.out.extend_from_slice(ENTER);
                self.at = At::Entered;
            }
            b"\x1b[?1047l" => self.out.extend_from_slice(LEAVE),
            b"\x1b[5W" => self.out.extend_from_slice(b"\x1b[3g"),
            b"\x1b[0W" => self.out.extend_from_slice(b"\x1bH"),
            _ => self.out.extend_from_slice(sequence),
        }
        if matches!(sequence, b"\x1b[5W" | b"\x1b[0W" | b"\x1b7" | b"\x1b[?6l" | b"\x1b[?7h") {
            self.settled = self.out.len();
        }
    }

    fn end_line(&mut self) {
        // A line wraps into its last row only with something in it.
        if self.width > self.columns && self.before <= self.width - self.columns {
            self.flush();
        }
        self.blanks.clear();
        (self.before, self.width) = (0, 0);
    }

    fn flush(&mut self) {
        self.out.append(&mut self.blanks);
        self.before = self.width;
    }
}

/// Which attributes are set, one bit each: from the third on by the number that sets it, so italic (3) to struck out (9).
#[derive(Debug, Default, PartialEq, Eq)]
struct Pen(u16);

const FOREGROUND: u16 = 1;
const BACKGROUND: u16 = 1 << 1;
const INTENSITY: u16 = 1 << 2;

impl Pen {
    /// Reads an SGR as `avt` writes it: a colour with its parts is one parameter.
    fn read(&mut self, sequence: &[u8]) {
        let body = sequence.strip_prefix(b"\x1b[").and_then(|s| s.strip_suffix(b"m")).unwrap_or_default();
        for param in body.split(|b| *b == b';') {
            let number = param.split(|b| *b == b':').next().unwrap_or_default();
            let number =
                number.iter().fold(0u16, |n, b| n.saturating_mul(10).saturating_add(u16::from(b.wrapping_sub(b'0'))));
            match number {
                0 => self.0 = 0,
                1 | 2 => self.0 |= INTENSITY,
                3..=9 => self.0 |= 1 << number,
                22 => self.0 &= !INTENSITY,
                23..=29 => self.0 &= !(1 << (number - 20)),
                30..=38 | 90..=97 => self.0 |= FOREGROUND,
                39 => self.0 &= !FOREGROUND,
                40..=48 | 100..=107 => self.0 |= BACKGROUND,
                49 => self.0 &= !BACKGROUND,
                _ => {}
            }
        }
    }
}
