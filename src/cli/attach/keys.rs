//! Keys: what a terminal sends while it is raw, as what a person pressed. Pure.
//!
//! Bytes may be cut anywhere, inside a character and inside an escape sequence. An escape alone is told from the start
//! of a sequence by time only: who feeds this calls [`Keys::quiet`] when nothing followed. What is pasted is text, whatever
//! is in it, until the terminal says that it ends.

/// Longest escape sequence that is waited for.
const SEQUENCE_MAX: usize = 64;

/// Bytes of a paste that are given out before its end has come.
const PASTE_PIECE: usize = 64 << 10;

const PASTE_END: &[u8] = b"\x1b[201~";

/// What a person pressed.
#[derive(Clone, PartialEq, Eq)]
pub enum Key {
    /// Characters.
    Text(String),
    /// Characters that were pasted; line ends in it are text.
    Paste(String),
    /// Send.
    Enter,
    /// A line end in the text.
    Newline,
    /// Take the character before.
    Backspace,
    /// Take the character after.
    Delete,
    /// Take the word before.
    KillWord,
    /// Take all before the cursor.
    KillStart,
    /// Take all after the cursor.
    KillEnd,
    /// One character back.
    Left,
    /// One character on.
    Right,
    /// One word back.
    WordLeft,
    /// One word on.
    WordRight,
    /// To the line's start.
    Home,
    /// To the line's end.
    End,
    /// The line above, or the entry before.
    Up,
    /// The line below, or the entry after.
    Down,
    /// Escape.
    Escape,
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D.
    Eof,
    /// Ctrl-Z.
    Suspend,
    /// Ctrl-L.
    Redraw,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // What somebody types is in no log.
        f.write_str("Key(..)")
    }
}

/// Bytes in, keys out.
#[derive(Default)]
pub struct Keys {
    bytes: Vec<u8>,
    pasting: bool,
}

/// What the bytes at the front are.
enum Front {
    /// So many bytes are this key.
    Key(usize, Key),
    /// So many bytes are nothing that is known.
    Skip(usize),
    /// More has to come.
    Wait,
}

impl Keys {
    /// Takes what the terminal sent.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.pasting && bytes == [3] {
            // A paste whose end never came must not swallow the way out.
            self.pasting = false;
            self.bytes.clear();
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// The next key that is whole.
    pub fn next(&mut self) -> Option<Key> {
        loop {
            if self.pasting {
                match self.paste() {
                    Some(text) if text.is_empty() => continue,
                    Some(text) => return Some(Key::Paste(text)),
                    None => return None,
                }
            }
            match front(&self.bytes) {
                Front::Wait => return None,
                Front::Skip(n) => {
                    let start = self.bytes.starts_with(b"\x1b[200~");
                    self.bytes.drain(..n);
                    self.pasting |= start;
                }
                Front::Key(n, key) => {
                    self.bytes.drain(..n);
                    return Some(key);
                }
            }
        }
    }

    /// Whether a key is half there, so that silence means something.
    pub fn is_waiting(&self) -> bool {
        !self.pasting && self.bytes.first() == Some(&0x1b)
    }

    /// Nothing followed for a moment: an escape was an escape.
    pub fn quiet(&mut self) -> Option<Key> {
        if !self.is_waiting() {
            return None;
        }
        let alone = self.bytes.len() == 1;
        self.bytes.clear();
        alone.then_some(Key::Escape)
    }

    /// What was pasted: all of it, or a large piece. `None`: more has to come.
    fn paste(&mut self) -> Option<String> {
        let end = self.bytes.windows(PASTE_END.len()).position(|w| w == PASTE_END);
        let take = match end {
            Some(end) => end,
            None if self.bytes.len() < PASTE_PIECE => return None,
            // The end may be half there.
            None => whole_characters(&self.bytes[..self.bytes.len() - PASTE_END.len()]),
        };
        let text = String::from_utf8_lossy(&self.bytes[..take]).into_owned();
        self.pasting = end.is_none();
        self.bytes.drain(..take + if end.is_some() { PASTE_END.len() } else { 0 });
        Some(text)
    }
}

/// Bytes up to a character that is cut.
fn whole_characters(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(e) if e.error_len().is_none() => e.valid_up_to(),
        _ => bytes.len(),
    }
}

fn front(bytes: &[u8]) -> Front {
    let Some(first) = bytes.first() else { return Front::Wait };
    let key = match first {
        0x1b => return escape(bytes),
        b'\r' | b'\n' => Key::Enter,
        0x7f | 0x08 => Key::Backspace,
        0x01 => Key::Home,
        0x02 => Key::Left,
        0x03 => Key::Interrupt,
        0x04 => Key::Eof,
        0x05 => Key::End,
        0x06 => Key::Right,
        0x0b => Key::KillEnd,
        0x0c => Key::Redraw,
        0x0e => Key::Down,
        0x10 => Key::Up,
        0x15 => Key::KillStart,
        0x17 => Key::KillWord,
        0x1a => Key::Suspend,
        b'\t' => Key::Text("\t".to_owned()),
        0x00..=0x1f => return Front::Skip(1),
        _ => return text(bytes),
    };
    Front::Key(1, key)
}

/// Characters up to the next control.
fn text(bytes: &[u8]) -> Front {
    let end = bytes.iter().position(|b| *b < 0x20 || *b == 0x7f).unwrap_or(bytes.len());
    let (bytes, cut_short) = (&bytes[..end], end == bytes.len());
    let (valid, bad) = match std::str::from_utf8(bytes) {
        Ok(text) => (text.len(), None),
        Err(e) => (e.valid_up_to(), Some(e.error_len())),
    };
    match (valid, bad) {
        // A character that is cut: the rest of it comes, unless something else is there already.
        (0, Some(None)) if cut_short && bytes.len() < 4 => Front::Wait,
        (0, Some(wrong)) => Front::Skip(wrong.unwrap_or(bytes.len()).max(1)),
        (n, _) => Front::Key(n, Key::Text(String::from_utf8_lossy(&bytes[..n]).into_owned())),
    }
}

fn escape(bytes: &[u8]) -> Front {
    match bytes.get(1) {
        None => Front::Wait,
        Some(b'[') => {
            let Some(end) = bytes.iter().skip(2).position(|b| (0x40..=0x7e).contains(b)) else {
                return if bytes.len() > SEQUENCE_MAX { Front::Skip(bytes.len()) } else { Front::Wait };
            };
            let parameters = std::str::from_utf8(&bytes[2..2 + end]).unwrap_or("");
            sequence(end + 3, parameters, bytes[2 + end])
        }
        Some(b'O') => match bytes.get(2) {
            None => Front::Wait,
            Some(last) => sequence(3, "", *last),
        },
        Some(b'\r' | b'\n') => Front::Key(2, Key::Newline),
        Some(0x7f | 0x08) => Front::Key(2, Key::KillWord),
        Some(b'b') => Front::Key(2, Key::WordLeft),
        Some(b'f') => Front::Key(2, Key::WordRight),
        // Twice: one of them was pressed.
        Some(0x1b) => Front::Key(1, Key::Escape),
        // Alt with another key.
        Some(b) if b.is_ascii() => Front::Skip(2),
        Some(_) => Front::Skip(1),
    }
}

fn sequence(len: usize, parameters: &str, last: u8) -> Front {
    let with_modifier = parameters.contains(';');
    let key = match (last, parameters) {
        (b'A', _) => Key::Up,
        (b'B', _) => Key::Down,
        (b'C', _) if with_modifier => Key::WordRight,
        (b'C', _) => Key::Right,
        (b'D', _) if with_modifier => Key::WordLeft,
        (b'D', _) => Key::Left,
        (b'H', _) | (b'~', "1" | "7") => Key::Home,
        (b'F', _) | (b'~', "4" | "8") => Key::End,
        (b'~', "3") => Key::Delete,
        // Enter with Shift, Alt or Ctrl, where a terminal tells them apart.
        (b'u', _) if parameters.starts_with("13;") => Key::Newline,
        (b'~', _) if parameters.starts_with("27;") && parameters.ends_with(";13") => Key::Newline,
        (b'u', "27") => Key::Escape,
        _ => return Front::Skip(len),
    };
    Front::Key(len, key)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn keys(pieces: &[&[u8]]) -> Vec<Key> {
        let mut keys = Keys::default();
        let mut all = Vec::new();
        for piece in pieces {
            keys.push(piece);
            all.extend(std::iter::from_fn(|| keys.next()));
        }
        all.extend(keys.quiet());
        all
    }

    fn text(text: &str) -> Key {
        Key::Text(text.to_owned())
    }

    fn same(got: Vec<Key>, want: Vec<Key>) {
        assert!(got == want, "{} keys, not the wanted {}", got.len(), want.len());
    }

    #[test]
    fn an_escape_alone_is_known_by_silence() {
        same(keys(&[b"\x1b"]), vec![Key::Escape]);
        same(keys(&[b"\x1b", b"[A"]), vec![Key::Up]);
        same(keys(&[b"\x1b\x1b"]), vec![Key::Escape, Key::Escape]);
        same(
            keys(&[b"\x1b\r\x1b[1;5D\x1bOH\x1b[3~\x1b[13;2u"]),
            vec![Key::Newline, Key::WordLeft, Key::Home, Key::Delete, Key::Newline],
        );
    }

    #[test]
    fn what_is_pasted_is_text_whatever_is_in_it() {
        let pasted = Key::Paste("rm\n\x1b[A\x03é".to_owned());
        let bytes = "\x1b[200~rm\n\x1b[A\x03é\x1b[201~x".as_bytes();
        for cut in 0..bytes.len() {
            // A lone Ctrl-C is a person who wants out.
            if bytes[cut..].first() == Some(&3) && bytes.len() - cut == 1 {
                continue;
            }
            same(keys(&[&bytes[..cut], &bytes[cut..]]), vec![pasted.clone(), text("x")]);
        }
    }

    #[test]
    fn a_paste_without_end_does_not_swallow_the_way_out() {
        same(keys(&[b"\x1b[200~abc", b"\x03"]), vec![Key::Interrupt]);
    }

    #[test]
    fn a_large_paste_comes_in_pieces_and_whole() {
        let words = "é🎉".repeat(40_000);
        let bytes = format!("\x1b[200~{words}\x1b[201~");
        let mut got = String::new();
        for key in keys(&bytes.as_bytes().chunks(1000).collect::<Vec<_>>()) {
            let Key::Paste(piece) = key else { panic!("no paste") };
            got.push_str(&piece);
        }
        assert_eq!(got, words);
    }

    #[test]
    fn broken_bytes_are_left_out() {
        same(keys(&[b"a\xffb\xc3(", b"\xe2\x82"]), vec![text("a"), text("b"), text("(")]);
        same(keys(&[b"\xc3", b"\r", b"a"]), vec![Key::Enter, text("a")]);
    }

    proptest! {
        #[test]
        fn cuts_change_nothing(typed in "[aé🎉 \u{1b}\r\u{7f}\u{3}]{0,20}", cut in 0usize..40) {
            let bytes = typed.as_bytes();
            let cut = cut.min(bytes.len());
            let joined = |all: Vec<Key>| {
                let mut out: Vec<Key> = Vec::new();
                for key in all {
                    match (out.last_mut(), key) {
                        (Some(Key::Text(last)), Key::Text(more)) => last.push_str(&more),
                        (_, key) => out.push(key),
                    }
                }
                out
            };
            prop_assert!(joined(keys(&[&bytes[..cut], &bytes[cut..]])) == joined(keys(&[bytes])));
        }

        #[test]
        fn no_bytes_make_it_panic_or_grow(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20)) {
            let mut keys = Keys::default();
            for piece in &pieces {
                keys.push(piece);
                while keys.next().is_some() {}
            }
            keys.quiet();
            prop_assert!(keys.pasting || keys.bytes.len() <= SEQUENCE_MAX + 40);
        }
    }
}
