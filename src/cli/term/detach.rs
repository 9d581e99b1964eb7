//! The key that leaves a terminal and lets it run.

use std::fmt;
use std::str::FromStr;

/// A key with Ctrl: what it is without. The default is `]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DetachKey(u8);

/// A key that cannot be one to detach with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "name a key as ctrl-], with a letter or one of [ \\ ] ^ _ behind ctrl-; not ctrl-[, ctrl-m, ctrl-j or ctrl-i, which are Esc, Enter and Tab"
)]
pub struct NoSuchKey;

impl Default for DetachKey {
    fn default() -> Self {
        DetachKey(b']')
    }
}

impl FromStr for DetachKey {
    type Err = NoSuchKey;

    fn from_str(text: &str) -> Result<Self, NoSuchKey> {
        let lower = text.to_ascii_lowercase();
        let key = lower.strip_prefix("ctrl-").or_else(|| lower.strip_prefix('^')).ok_or(NoSuchKey)?;
        match key.as_bytes() {
            [b'i' | b'j' | b'm'] => Err(NoSuchKey),
            [key @ (b'a'..=b'z' | b'\\' | b']' | b'^' | b'_')] => Ok(DetachKey(*key)),
            _ => Err(NoSuchKey),
        }
    }
}

impl fmt::Display for DetachKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ctrl-{}", char::from(self.0.to_ascii_uppercase()))
    }
}

impl DetachKey {
    /// Where in what was typed it was pressed. Programs may have asked for other words for it than the plain one.
    pub fn find(self, typed: &[u8]) -> Option<usize> {
        let plain = [self.0 & 0x1f];
        let kitty = format!("\x1b[{};5u", self.0);
        let pressed = format!("\x1b[{};5:1u", self.0);
        let xterm = format!("\x1b[27;5;{}~", self.0);
        let words = [&plain[..], kitty.as_bytes(), pressed.as_bytes(), xterm.as_bytes()];
        words.iter().filter_map(|word| typed.windows(word.len()).position(|part| part == *word)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_named_as_people_write_them() {
        assert_eq!("ctrl-]".parse(), Ok(DetachKey::default()));
        assert_eq!("^Q".parse::<DetachKey>().unwrap().to_string(), "Ctrl-Q");
        for wrong in ["", "]", "ctrl-", "ctrl-[", "ctrl-m", "ctrl-]]", "alt-x", "ctrl-é"] {
            assert_eq!(wrong.parse::<DetachKey>(), Err(NoSuchKey), "{wrong}");
        }
    }

    #[test]
    fn it_is_found_whatever_a_program_made_the_emulator_say_for_it() {
        let key = DetachKey::default();
        assert_eq!(key.find(b"ls\x1dx"), Some(2));
        assert_eq!(key.find(b"\x1b[93;5u"), Some(0));
        assert_eq!(key.find(b"a\x1b[27;5;93~"), Some(1));
        assert_eq!(key.find(b"]\x1b[93u\x1b[93;5:3u"), None, "it is released there");
    }
}
