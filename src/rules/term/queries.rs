//! Tells what a person does at a screen from what the screen's emulator answers.
//!
//! A program asks its terminal where the cursor stands, which colours it has, what it can. Every screen that is attached
//! reads the question and answers it, and all answers but one would be typed into the program as if they were keys. So
//! the box lets the answers of one screen through, and takes them out of what the others send.
//!
//! Keys, the mouse, reports of focus and pastes are no answers. Of the answers, only these look like a key: a cursor in
//! line 1 and in column 2 to 16 is written as F3 with Shift, Alt or Ctrl is. It passes, because a key that does nothing is worse
//! than an answer too many. An emulator that tells its title on demand (`OSC l`) is not understood; hardly one does.

use std::borrow::Cow;

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;

/// Longest beginning of a sequence that is held until it is clear what it is. No key and no answer has one as long.
const HELD_MAX: usize = 64;

/// Around a paste.
const PASTE: &[u8] = b"\x1b[200~";
const PASTED: &[u8] = b"\x1b[201~";

/// Takes the answers out of what one screen sends.
#[derive(Debug, Default)]
pub struct Answers {
    state: State,
    /// A sequence of which it is not clear yet what it is; never more than [`HELD_MAX`] bytes.
    held: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Ground,
    /// Inside a sequence that is held.
    Held,
    /// Inside an answer that is a string: it is dropped to its end.
    Dropped,
    /// There, behind an `ESC`.
    DroppedEscape,
    /// Inside a paste, and so many bytes inside what ends it.
    Paste(usize),
}

/// What a held sequence is.
enum Verdict {
    /// Not clear yet.
    Open,
    /// A key, or the like.
    Passes,
    Answer,
    /// A string that is an answer, and goes on.
    AnswerOn,
}

impl Answers {
    /// The next bytes that the screen sent, cut anywhere, without the answers in them.
    ///
    /// What may still become an answer waits for the bytes that follow. The first two bytes of a sequence do not, because
    /// they may be keys by themselves (Esc, Alt with a bracket): an answer that is cut there passes, whole.
    pub fn strip<'a>(&mut self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        if self.state == State::Ground && !bytes.contains(&ESC) {
            return Cow::Borrowed(bytes);
        }
        let mut passed = Vec::with_capacity(bytes.len());
        for byte in bytes {
            self.step(*byte, &mut passed);
        }
        if self.state == State::Held && self.held.len() <= 2 {
            self.pass(&mut passed);
        }
        Cow::Owned(passed)
    }

    fn step(&mut self, byte: u8, passed: &mut Vec<u8>) {
        match (self.state, byte) {
            (State::Ground, ESC) => self.hold(byte),
            (State::Ground, _) => passed.push(byte),
            (State::Held, ESC) => {
                self.pass(passed);
                self.hold(byte);
            }
            (State::Held, _) => {
                self.hold(byte);
                self.judge(passed);
            }
            (State::Dropped, ESC) => self.state = State::DroppedEscape,
            // Any control ends it: no answer has one inside, and so no line that somebody types is dropped.
            (State::Dropped, BEL | 0x18 | 0x1a) | (State::DroppedEscape, b'\\') => self.state = State::Ground,
            (State::Dropped, ..0x20) => {
                self.state = State::Ground;
                passed.push(byte);
            }
            (State::Dropped, _) => {}
            (State::DroppedEscape, _) => {
                self.hold(ESC);
                self.step(byte, passed);
            }
            (State::Paste(inside), _) => {
                passed.push(byte);
                let inside = if PASTED.get(inside) == Some(&byte) { inside + 1 } else { usize::from(byte == ESC) };
                self.state = if inside == PASTED.len() { State::Ground } else { State::Paste(inside) };
            }
        }
    }

    fn hold(&mut self, byte: u8) {
        self.state = State::Held;
        self.held.push(byte);
    }

    fn pass(&mut self, passed: &mut Vec<u8>) {
        self.state = if self.held == PASTE { State::Paste(0) } else { State::Ground };
        passed.append(&mut self.held);
    }

    fn judge(&mut self, passed: &mut Vec<u8>) {
        match verdict(&self.held) {
            Verdict::Open if self.held.len() < HELD_MAX => return,
            Verdict::Open | Verdict::Passes => return self.pass(passed),
            Verdict::Answer => self.state = State::Ground,
            Verdict::AnswerOn => self.state = State::Dropped,
        }
        self.held.clear();
    }
}

fn verdict(held: &[u8]) -> Verdict {
    match held {
        [ESC] | [ESC, b'[' | b']' | b'P' | b'_'] => Verdict::Open,
        [ESC, b'[', body @ .., last] => match last {
            0x20..=0x3f => Verdict::Open,
            0x40..=0x7e if is_answer(body, *last) => Verdict::Answer,
            _ => Verdict::Passes,
        },
        // OSC: a number and what it is. DCS: anything but what a person types behind Alt-P. APC: of kitty's graphics.
        [ESC, b']', .., b'0'..=b'9'] => Verdict::Open,
        [ESC, b']', b'0'..=b'9', .., b';'] | [ESC, b'_', b'G'] => Verdict::AnswerOn,
        [ESC, b'P', .., b'0'..=b'9' | b';'] => Verdict::Open,
        [ESC, b'P', .., b'!' | b'$' | b'+' | b'>' | b'|'] => Verdict::AnswerOn,
        _ => Verdict::Passes,
    }
}

/// Of a control sequence: what stands between `CSI` and the last byte, and that.
fn is_answer(body: &[u8], last: u8) -> bool {
    match (body, last) {
        // No key has one of these. `<` has the mouse.
        ([b'?' | b'>' | b'=', ..], _) => true,
        // A mode, the status, a report of the window, DECREPTPARM.
        (_, b'y') => body.contains(&b'$'),
        (_, b'n' | b't' | b'x') => !body.is_empty(),
        (_, b'R') => match std::str::from_utf8(body).ok().and_then(|body| body.split_once(';')) {
            Some(("1", column)) => !column.parse().is_ok_and(|column: u16| (2..=16).contains(&column)),
            Some(_) => true,
            None => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ANSWERS: &[&str] = &[
        "\x1b[?1;2c",
        "\x1b[>41;388;0c",
        "\x1bP!|00000000\x1b\\",
        "\x1b[0n",
        "\x1b[24;80R",
        "\x1b[1;1R",
        "\x1b[?24;80;1R",
        "\x1b[?2004;2$y",
        "\x1b[4;2$y",
        "\x1b]11;rgb:0000/0000/0000\x1b\\",
        "\x1b]4;255;rgb:ee/ee/ee\x07",
        "\x1b]52;c;c2VjcmV0\x1b\\",
        "\x1bP>|XTerm(388)\x1b\\",
        "\x1bP1$r0m\x1b\\",
        "\x1bP0+r544e\x1b\\",
        "\x1b[?1u",
        "\x1b[>4;2m",
        "\x1b[8;24;80t",
        "\x1b[48;24;80;480;800t",
        "\x1b[2;1;1;120;120;1;0x",
        "\x1b[?997;1n",
        "\x1b_Gi=31;OK\x1b\\",
    ];

    const KEYS: &[&str] = &[
        "a",
        "ä",
        "\r",
        "\x03",
        "\x1b[A",
        "\x1bOP",
        "\x1b[1;5C",
        "\x1b[15~",
        "\x1b[1;2R",
        "\x1b[1;6R",
        "\x1b[97;5u",
        "\x1b[27;5;9~",
        "\x1b[I",
        "\x1b[O",
        "\x1b[<0;10;20M",
        "\x1b[<0;10;20m",
        "\x1b[M !!",
        "\x1bx",
        "\x1b\x1b[A",
        "\x1b[Z",
        "\x1b[[A",
        "\x1bPx",
        "\x1b]x",
        "\x1b[200~\x1b[0n\x1b]4;1;x\x07\x1b[201~",
        "\x1b[c",
    ];

    fn strip(answers: &mut Answers, bytes: &[u8]) -> String {
        answers.strip(bytes).escape_ascii().to_string()
    }

    #[test]
    fn answers_are_taken_out_and_keys_are_not() {
        for answer in ANSWERS {
            assert_eq!(strip(&mut Answers::default(), answer.as_bytes()), "", "{answer:?}");
        }
        for key in KEYS {
            assert_eq!(strip(&mut Answers::default(), key.as_bytes()), key.as_bytes().escape_ascii().to_string());
        }
    }

    #[test]
    fn a_key_that_begins_like_an_answer_waits_for_nothing() {
        let mut answers = Answers::default();
        for key in ["\x1b", "\x1b[", "\x1b]", "\x1bP", "\x1b_", "1", "\x1b", "[A"] {
            assert_eq!(strip(&mut answers, key.as_bytes()), key.as_bytes().escape_ascii().to_string());
        }
    }

    #[test]
    fn a_clipboard_of_any_size_is_dropped_without_being_kept() {
        let mut answers = Answers::default();
        assert_eq!(strip(&mut answers, b"x\x1b]52;c;"), "x");
        for _ in 0..100 {
            assert_eq!(strip(&mut answers, &[b'A'; 10_000]), "");
        }
        assert_eq!(answers.held.len(), 0);
        assert_eq!(strip(&mut answers, b"\x1b"), "");
        assert_eq!(strip(&mut answers, b"\\y"), "y");
    }

    #[test]
    fn an_answer_without_end_costs_no_more_than_the_line_that_is_typed_into_it() {
        let mut answers = Answers::default();
        assert_eq!(strip(&mut answers, b"\x1b]11;rgb:00"), "");
        assert_eq!(strip(&mut answers, b"ls\r"), "\\r");
        assert_eq!(strip(&mut answers, b"ls\r"), "ls\\r");
    }

    proptest! {
        #[test]
        fn keys_between_answers_pass_however_input_is_cut(
            words in prop::collection::vec((any::<bool>(), any::<prop::sample::Index>()), 0..20),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
        ) {
            let words: Vec<(bool, &str)> =
                words.iter().map(|(key, n)| (*key, *n.get(if *key { KEYS } else { ANSWERS }))).collect();
            let sent: Vec<u8> = words.iter().flat_map(|(_, word)| word.bytes()).collect();
            let typed: Vec<u8> = words.iter().filter(|(key, _)| *key).flat_map(|(_, word)| word.bytes()).collect();
            // Behind the first two bytes of an answer it is another matter; see `strip`.
            let cuts = cuts.iter().map(|cut| cut.index(sent.len() + 1)).filter(|at| {
                let before = &sent[..*at];
                !(before.ends_with(b"\x1b") || before.len() > 1 && before[before.len() - 2] == ESC)
            });
            let mut cuts: Vec<usize> = cuts.chain([0, sent.len()]).collect();
            cuts.sort_unstable();
            let mut answers = Answers::default();
            let mut passed = Vec::new();
            for cut in cuts.windows(2) {
                passed.extend_from_slice(&answers.strip(&sent[cut[0]..cut[1]]));
            }
            prop_assert_eq!(passed.escape_ascii().to_string(), typed.escape_ascii().to_string());
        }

        #[test]
        fn whatever_is_sent_no_more_is_held_than_a_little(sent in prop::collection::vec(prop::sample::select(b"\x1b[]P_G;?0R$\x07\\~a".to_vec()), 0..300)) {
            let mut answers = Answers::default();
            let passed = answers.strip(&sent).len();
            prop_assert!(answers.held.len() < HELD_MAX && passed + answers.held.len() <= sent.len());
        }
    }
}
