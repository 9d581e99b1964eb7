//! Cuts a terminal's output into text and whole escape sequences, whatever pieces it comes in. Bounded.
//!
//! Stands below whatever must know where a sequence is still unfinished, or take single sequences out of a stream. The
//! grammar is that of ECMA-48 as VT terminals read it; C1 controls come as UTF-8.

/// Longest sequence that is kept while it is unfinished, in bytes. What is longer is swallowed to its end.
pub const SEQUENCE_MAX: usize = 64 * 1024;

const ESC: u8 = 0x1b;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;
const BEL: u8 = 0x07;
/// First byte of a C1 control in UTF-8: U+0080 to U+009F.
const C1_LEAD: u8 = 0xc2;

/// A piece of the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Characters and C0 controls, not cut inside a character of valid UTF-8. May hold what is no UTF-8.
    Text(&'a [u8]),
    /// A whole sequence with its introducer. A string that `ESC` ends comes without that `ESC`, which begins the next.
    Escape(&'a [u8]),
    /// A sequence that was given up before its end. C0 controls inside were in force all the same.
    Broken(&'a [u8]),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Ground,
    /// Inside a character of so many bytes.
    Char(usize),
    Escape,
    Intermediate,
    Csi,
    /// An OSC, which `BEL` ends too.
    Osc,
    /// DCS, SOS, PM or APC.
    Control,
}

/// Bytes in, pieces out.
#[derive(Debug, Clone, Default)]
pub struct Cutter {
    state: State,
    /// The unfinished sequence or character; empty while `lost`.
    held: Vec<u8>,
    /// The unfinished sequence went over [`SEQUENCE_MAX`].
    lost: bool,
    /// The last byte was the first of a C1 control, perhaps.
    led: bool,
}

impl Cutter {
    /// What has come of an unfinished sequence or character.
    pub fn held(&self) -> &[u8] {
        &self.held
    }

    /// Bytes that bring another emulator into the sequence that is being swallowed, so that it swallows the rest as well.
    pub fn reopen(&self) -> &'static [u8] {
        match self.state {
            _ if !self.lost => b"",
            // A digit behind an intermediate byte makes every parser ignore the sequence to its end.
            State::Csi => b"\x1b[ 0",
            // A number that stands for nothing.
            State::Osc => b"\x1b]99999;",
            // Of the strings that only ST ends this is the one that no emulator acts on.
            _ => b"\x1bX",
        }
    }

    /// Takes bytes that came and gives each piece that is whole.
    pub fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Piece<'_>)) {
        let mut from = 0; // Where the piece begins, as far as it is not held.
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if self.state == State::Ground {
                at += Self::text(&bytes[at..]);
                if at > from {
                    each(Piece::Text(&bytes[from..at]));
                    from = at;
                }
                let Some(&next) = bytes.get(at) else { break };
                self.state = if next == ESC { State::Escape } else { State::Char(char_len(next)) };
                at += 1;
                continue;
            }
            match self.step(byte, at - from) {
                Step::On => at += 1,
                Step::Ends => {
                    at += 1;
                    self.emit(&bytes[from..at], &mut each, Kind::Escape);
                    from = at;
                }
                Step::Breaks => {
                    at += 1;
                    self.emit(&bytes[from..at], &mut each, Kind::Broken);
                    from = at;
                }
                Step::EndsBefore(state) => {
                    self.emit(&bytes[from..at], &mut each, Kind::Escape);
                    (from, self.state) = (at, state);
                    at += usize::from(state != State::Ground);
                }
                Step::BreaksBefore(state) => {
                    self.emit(&bytes[from..at], &mut each, Kind::Broken);
                    (from, self.state) = (at, state);
                    at += usize::from(state != State::Ground);
                }
                Step::Char => {
                    at += 1;
                    self.emit(&bytes[from..at], &mut each, Kind::Text);
                    from = at;
                }
                Step::NoChar => {
                    self.emit(&bytes[from..at], &mut each, Kind::Text);
                    from = at;
                }
            }
        }
        let rest = bytes.get(from..).unwrap_or_default();
        if self.lost || self.held.len() + rest.len() > SEQUENCE_MAX {
            self.lost = true;
            self.held = Vec::new();
        } else {
            self.held.extend_from_slice(rest);
        }
    }

    /// Length of the text at the start of `bytes`: up to an introducer, or to a character that the end cuts.
    fn text(bytes: &[u8]) -> usize {
        let mut from = 0;
        while let Some(n) = bytes[from..].iter().position(|b| *b == ESC || *b == C1_LEAD) {
            let at = from + n;
            match (bytes[at], bytes.get(at + 1)) {
                (ESC, _) | (_, None | Some(0x80..=0x9f)) => return at,
                _ => from = at + 1,
            }
        }
        // Of the last three bytes the first lead whose character reaches over the end.
        let tail = bytes.len().saturating_sub(3).max(from);
        let cut = (tail..bytes.len()).find(|at| at + char_len(bytes[*at]) > bytes.len());
        cut.unwrap_or(bytes.len())
    }

    fn step(&mut self, byte: u8, here: usize) -> Step {
        let led = std::mem::replace(&mut self.led, byte == C1_LEAD);
        match (self.state, byte) {
            (State::Ground, _) => Step::Char,
            (State::Char(len), 0x80..=0xbf) => self.char(byte, len, self.held.len() + here + 1),
            (State::Char(_), _) => Step::NoChar,
            (_, CAN | SUB) => Step::Breaks,
            (State::Osc | State::Control, ESC) => Step::EndsBefore(State::Escape),
            (State::Osc, BEL) => Step::Ends,
            (State::Osc | State::Control, 0x9c) if led => Step::Ends,
            (State::Osc | State::Control, _) => Step::On,
            (_, ESC) => Step::BreaksBefore(State::Escape),
            (_, 0x80..) => Step::BreaksBefore(State::Ground),
            (_, ..=0x1f | 0x7f) => Step::On,
            (State::Escape | State::Intermediate, 0x20..=0x2f) => self.go(State::Intermediate),
            (State::Escape, b'[') => self.go(State::Csi),
            (State::Escape, b']') => self.go(State::Osc),
            (State::Escape, b'P' | b'X' | b'^' | b'_') => self.go(State::Control),
            (State::Csi, 0x20..=0x3f) => Step::On,
            (State::Escape | State::Intermediate | State::Csi, _) => Step::Ends,
        }
    }

    /// A further byte of a character, which then has `have` of its `len`.
    fn char(&mut self, byte: u8, len: usize, have: usize) -> Step {
        if have < len {
            return Step::On;
        }
        // Only a C1 control is entered on purpose with two bytes in one feed; every other text is cut before.
        let lead = if len == 2 { self.held.first().copied().unwrap_or(C1_LEAD) } else { 0 };
        match (lead, byte) {
            (C1_LEAD, 0x9b) => self.go(State::Csi),
            (C1_LEAD, 0x9d) => self.go(State::Osc),
            (C1_LEAD, 0x90 | 0x98 | 0x9e | 0x9f) => self.go(State::Control),
            _ => Step::Char,
        }
    }

    fn go(&mut self, state: State) -> Step {
        self.state = state;
        Step::On
    }

    fn emit(&mut self, last: &[u8], each: &mut impl FnMut(Piece<'_>), kind: Kind) {
        self.state = State::Ground;
        let lost = std::mem::take(&mut self.lost) || self.held.len() + last.len() > SEQUENCE_MAX;
        if !self.held.is_empty() {
            self.held.extend_from_slice(if lost { b"" } else { last });
        }
        if lost {
            self.held.clear();
        } else if self.held.is_empty() {
            each(kind.of(last));
        } else {
            each(kind.of(&self.held));
            self.held.clear();
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Text,
    Escape,
    Broken,
}

impl Kind {
    fn of(self, bytes: &[u8]) -> Piece<'_> {
        match self {
            Kind::Text => Piece::Text(bytes),
            Kind::Escape => Piece::Escape(bytes),
            Kind::Broken => Piece::Broken(bytes),
        }
    }
}

/// What a byte does to the piece that it comes behind.
enum Step {
    On,
    Ends,
    Breaks,
    /// The piece is whole without this byte, which belongs to the state named.
    EndsBefore(State),
    BreaksBefore(State),
    Char,
    NoChar,
}

/// Bytes of the character that begins with `lead`; 1 for what begins none.
fn char_len(lead: u8) -> usize {
    match lead {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    }
}

/// Whether a sequence, whole or broken, is a string: OSC, DCS, SOS, PM or APC.
pub fn is_string(sequence: &[u8]) -> bool {
    match sequence {
        [ESC, second, ..] => matches!(second, b']' | b'P' | b'X' | b'^' | b'_'),
        [C1_LEAD, second, ..] => matches!(second, 0x90 | 0x98 | 0x9d..=0x9f),
        _ => false,
    }
}

/// Most parameters that are read; further ones are dropped.
const PARAMS_MAX: usize = 16;

/// A control sequence taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Csi {
    /// One of `<=>?`, or 0.
    pub marker: u8,
    /// The last intermediate byte, or 0.
    pub intermediate: u8,
    /// What the sequence does.
    pub last: u8,
    params: [u16; PARAMS_MAX],
    len: usize,
}

impl Csi {
    /// Takes a whole sequence apart. `None` for a sequence of another kind.
    pub fn parse(sequence: &[u8]) -> Option<Csi> {
        let body = sequence.strip_prefix(b"\x1b[").or_else(|| sequence.strip_prefix("\u{9b}".as_bytes()))?;
        let (&last, body) = body.split_last()?;
        let mut csi = Csi { marker: 0, intermediate: 0, last, params: [0; PARAMS_MAX], len: 0 };
        for &byte in body {
            match byte {
                b'<'..=b'?' => csi.marker = byte,
                b'0'..=b'9' => {
                    csi.len = csi.len.max(1);
                    if let Some(param) = csi.params.get_mut(csi.len - 1) {
                        *param = param.saturating_mul(10).saturating_add(u16::from(byte - b'0'));
                    }
                }
                b';' | b':' => csi.len = csi.len.max(1) + 1,
                0x20..=0x2f => csi.intermediate = byte,
                _ => {}
            }
        }
        csi.len = csi.len.min(PARAMS_MAX);
        Some(csi)
    }

    /// The parameters, 0 for one left out.
    pub fn params(&self) -> &[u16] {
        self.params.get(..self.len).unwrap_or_default()
    }

    /// One parameter, 0 if it is not there.
    pub fn param(&self, n: usize) -> u16 {
        self.params().get(n).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The pieces as text, a letter for the kind in front; neighbouring texts joined.
    fn cut(feeds: &[&[u8]]) -> Vec<String> {
        let mut cutter = Cutter::default();
        let mut out: Vec<(char, Vec<u8>)> = Vec::new();
        for bytes in feeds {
            cutter.feed(bytes, |piece| {
                let (kind, bytes) = match piece {
                    Piece::Text(b) => ('t', b),
                    Piece::Escape(b) => ('e', b),
                    Piece::Broken(b) => ('b', b),
                };
                match out.last_mut() {
                    Some(('t', last)) if kind == 't' => last.extend_from_slice(bytes),
                    _ => out.push((kind, bytes.to_vec())),
                }
            });
        }
        out.push(('h', cutter.held().to_vec()));
        out.iter().map(|(kind, bytes)| format!("{kind}:{}", bytes.escape_ascii())).collect()
    }

    #[test]
    fn each_kind_of_sequence_ends_where_it_should() {
        let cases: &[(&str, &[&str])] = &[
            ("a\x1b[1;31mb", &["t:a", "e:\\x1b[1;31m", "t:b", "h:"]),
            ("\x1b]0;x\x07y", &["e:\\x1b]0;x\\x07", "t:y", "h:"]),
            ("\x1b]0;x\x1b\\y", &["e:\\x1b]0;x", "e:\\x1b\\\\", "t:y", "h:"]),
            ("\x1bPq\x07\x1b\\", &["e:\\x1bPq\\x07", "e:\\x1b\\\\", "h:"]),
            ("\x1b(0x\x1b7", &["e:\\x1b(0", "t:x", "e:\\x1b7", "h:"]),
            ("\x1b[3\x1b[1m", &["b:\\x1b[3", "e:\\x1b[1m", "h:"]),
            ("\x1b[3\x18m", &["b:\\x1b[3\\x18", "t:m", "h:"]),
            ("\u{9b}1mä", &["e:\\xc2\\x9b1m", "t:\\xc3\\xa4", "h:"]),
            ("\u{9d}0;Ü\u{9c}x", &["e:\\xc2\\x9d0;\\xc3\\x9c\\xc2\\x9c", "t:x", "h:"]),
            ("x\x1b[3", &["t:x", "h:\\x1b[3"]),
        ];
        for (input, want) in cases {
            assert_eq!(cut(&[input.as_bytes()]), *want, "{input:?}");
        }
    }

    #[test]
    fn a_sequence_without_end_is_swallowed_in_bounded_memory_whatever_the_pieces() {
        for opening in ["\x1b]52;c;", "\x1bPq", "\x1b[", "\x1b_G", "\u{9d}2;"] {
            let mut cutter = Cutter::default();
            cutter.feed(opening.as_bytes(), |p| panic!("{p:?}"));
            for _ in 0..40 {
                cutter.feed(&[b'1'; 4096], |p| panic!("{p:?}"));
                assert!(cutter.held.capacity() <= 2 * SEQUENCE_MAX);
            }
            assert!(cutter.held().is_empty() && !cutter.reopen().is_empty());
            let mut text = Vec::new();
            cutter.feed(b"m\x07\x1b\\after", |p| text.push(format!("{p:?}")));
            assert!(text.last().is_some_and(|t| t.starts_with("Text")), "{text:?}");
            assert!(cutter.reopen().is_empty());
        }
        let long = [b"\x1b]".as_slice(), &[b'x'; SEQUENCE_MAX], b"\x07ok"].concat();
        assert_eq!(cut(&[&long]), ["t:ok", "h:"]);
    }

    proptest! {
        #[test]
        fn where_the_stream_is_cut_makes_no_difference(
            words in prop::collection::vec(prop::sample::select(vec![
                "\x1b", "[", "]", "P", "\\", "0;", "31", "m", "ä", "é", "漢", "\u{1f600}", "\u{9b}", "\u{9c}", "\u{9d}", "\x07",
                "\x18", "\n", "x", "(", "?", "h",
            ]), 0..40),
            junk in prop::option::of(any::<u8>()),
            cuts in prop::collection::vec(0usize..120, 0..6),
        ) {
            let mut bytes = words.concat().into_bytes();
            bytes.extend(junk);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let feeds: Vec<&[u8]> = cuts.windows(2).map(|w| &bytes[w[0]..w[1]]).collect();
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            prop_assert_eq!(cut(&feeds), cut(&[&bytes]));
            prop_assert_eq!(cut(&single), cut(&[&bytes]));
        }
    }
}
