//! [`Editor`]: the text that a person writes, with a cursor in it. Pure.
//!
//! The cursor stands between what people see as characters (grapheme clusters), so a flag, a family or an accent is never
//! taken apart, by no key. What is shown never obeys what is in the text.

use unicode_segmentation::GraphemeCursor;
use unicode_segmentation::UnicodeSegmentation;

use super::draw::Line;
use super::draw::Style;
use super::keys::Key;
use super::text::clean;
use super::text::columns;

/// Longest text in bytes; a message is smaller.
pub const TEXT_MAX: usize = 256 << 10;

/// Entries that are remembered.
const HISTORY_MAX: usize = 200;

/// Before the first line, and before the others.
const PROMPT: &str = "> ";
const MARGIN: &str = "  ";

/// What is shown while nothing is written.
const HINT: &str = "write, and Enter sends · /help";

/// A text that is being written.
#[derive(Default)]
pub struct Editor {
    text: String,
    /// Byte offset, between two grapheme clusters.
    at: usize,
    history: Vec<String>,
    /// Which entry of the history is shown, and what was written before it was called up.
    looking: Option<(usize, String)>,
}

/// The text as lines for a screen, and where the cursor stands in them.
#[derive(Debug, PartialEq, Eq)]
pub struct Drawn {
    /// At least one.
    pub lines: Vec<Line>,
    /// Line and column.
    pub cursor: (usize, usize),
}

impl Editor {
    /// What is written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Takes what is written, remembers it, and begins anew.
    pub fn take(&mut self) -> String {
        let text = std::mem::take(&mut self.text);
        (self.at, self.looking) = (0, None);
        if !text.trim().is_empty() && self.history.last() != Some(&text) {
            self.history.push(text.clone());
            if self.history.len() > HISTORY_MAX {
                self.history.remove(0);
            }
        }
        text
    }

    /// Puts this in place of what is written.
    pub fn set(&mut self, text: &str) {
        self.text = text.to_owned();
        self.at = text.len();
        self.looking = None;
    }

    /// Does what a key asks for. Keys that are not about the text do nothing.
    pub fn press(&mut self, key: &Key) {
        match key {
            Key::Text(text) | Key::Paste(text) => self.insert(text),
            Key::Newline => self.insert("\n"),
            Key::Backspace => self.cut(self.before(self.at), self.at),
            Key::Delete => self.cut(self.at, self.after(self.at)),
            Key::KillWord => self.cut(self.word_before(), self.at),
            Key::KillStart => self.cut(self.line().0, self.at),
            Key::KillEnd => self.cut(self.at, self.line().1),
            Key::Left => self.at = self.before(self.at),
            Key::Right => self.at = self.after(self.at),
            Key::WordLeft => self.at = self.word_before(),
            Key::WordRight => self.at = self.word_after(),
            Key::Home => self.at = self.line().0,
            Key::End => self.at = self.line().1,
            Key::Up => self.up(),
            Key::Down => self.down(),
            Key::Enter | Key::Escape | Key::Interrupt | Key::Eof | Key::Suspend | Key::Redraw => {}
        }
    }

    fn insert(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        // Characters that nobody sees and that say nothing have no place in a message.
        let mut text: String = text.chars().filter(|c| matches!(c, '\n' | '\t') || !c.is_control()).collect();
        text.truncate(text.floor_char_boundary(TEXT_MAX.saturating_sub(self.text.len())));
        self.text.insert_str(self.at, &text);
        self.at += text.len();
        // What was put in may have joined what follows it.
        if !self.is_border(self.at) {
            self.at = self.after(self.at);
        }
    }

    fn cut(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.at = from;
        // What is left may have become one character.
        if !self.is_border(self.at) {
            self.at = self.before(self.at);
        }
    }

    fn is_border(&self, at: usize) -> bool {
        GraphemeCursor::new(at, self.text.len(), true).is_boundary(&self.text, 0).unwrap_or(true)
    }

    fn before(&self, at: usize) -> usize {
        GraphemeCursor::new(at, self.text.len(), true).prev_boundary(&self.text, 0).ok().flatten().unwrap_or(0)
    }

    fn after(&self, at: usize) -> usize {
        let next = GraphemeCursor::new(at, self.text.len(), true).next_boundary(&self.text, 0);
        next.ok().flatten().unwrap_or(self.text.len())
    }

    fn word_before(&self) -> usize {
        let words = self.text[..self.at].split_word_bound_indices().rev();
        let at = words.filter(|(_, w)| !w.trim().is_empty()).map(|(at, _)| at).next().unwrap_or(0);
        // The border of a word can lie inside a character: in a row of flags, for one.
        if self.is_border(at) { at } else { self.before(at) }
    }

    fn word_after(&self) -> usize {
        let words = self.text[self.at..].split_word_bound_indices();
        let at = words
            .filter(|(_, w)| !w.trim().is_empty())
            .map(|(at, w)| self.at + at + w.len())
            .next()
            .unwrap_or(self.text.len());
        if self.is_border(at) { at } else { self.after(at) }
    }

    /// Start and end of the line that the cursor is in.
    fn line(&self) -> (usize, usize) {
        let start = self.text[..self.at].rfind('\n').map_or(0, |n| n + 1);
        let end = self.text[self.at..].find('\n').map_or(self.text.len(), |n| self.at + n);
        (start, end)
    }

    fn up(&mut self) {
        let (start, _) = self.line();
        if start > 0 {
            let column = columns(&self.text[start..self.at]);
            let above = self.text[..start - 1].rfind('\n').map_or(0, |n| n + 1);
            self.at = self.in_line(above, start - 1, column);
            return;
        }
        let next = match &self.looking {
            None => self.history.len().checked_sub(1),
            Some((at, _)) => at.checked_sub(1),
        };
        let Some(next) = next else { return };
        let draft = self.looking.take().map_or_else(|| self.text.clone(), |(_, draft)| draft);
        if let Some(entry) = self.history.get(next).cloned() {
            self.set(&entry);
            self.looking = Some((next, draft));
        }
    }

    fn down(&mut self) {
        let (start, end) = self.line();
        if end < self.text.len() {
            let column = columns(&self.text[start..self.at]);
            let below = self.text[end + 1..].find('\n').map_or(self.text.len(), |n| end + 1 + n);
            self.at = self.in_line(end + 1, below, column);
            return;
        }
        let Some((at, draft)) = self.looking.take() else { return };
        match self.history.get(at + 1).cloned() {
            Some(entry) => {
                self.set(&entry);
                self.looking = Some((at + 1, draft));
            }
            None => self.set(&draft),
        }
    }

    /// The place nearest to a column in the line between these two.
    fn in_line(&self, start: usize, end: usize, column: usize) -> usize {
        let (mut at, mut used) = (start, 0);
        for one in self.text[start..end].graphemes(true) {
            let wide = wide(one);
            if used + wide > column {
                break;
            }
            used += wide;
            at += one.len();
        }
        // A line end may join what stands around it.
        if self.is_border(at) { at } else { self.before(at) }
    }

    /// The text as at most `height` lines of at most `width` columns, the cursor among them.
    pub fn draw(&self, width: usize, height: usize) -> Drawn {
        let room = width.saturating_sub(PROMPT.len() + 1).max(2);
        let (mut lines, mut cursor) = (vec![String::new()], (0, 0));
        let mut used = 0;
        for (at, one) in self.text.grapheme_indices(true) {
            if at == self.at {
                cursor = (lines.len() - 1, used);
            }
            if one.contains('\n') {
                lines.push(String::new());
                used = 0;
                continue;
            }
            let shown = clean(one);
            if used + wide(&shown) > room {
                lines.push(String::new());
                used = 0;
                if at == self.at {
                    cursor = (lines.len() - 1, 0);
                }
            }
            used += wide(&shown);
            if let Some(line) = lines.last_mut() {
                line.push_str(&shown);
            }
        }
        if self.at == self.text.len() {
            cursor = (lines.len() - 1, used);
        }
        let height = height.max(1);
        let first = (cursor.0 + 1).saturating_sub(height);
        let mut drawn: Vec<Line> = Vec::new();
        for (n, line) in lines.into_iter().enumerate().skip(first).take(height) {
            let margin = if n == 0 { PROMPT } else { MARGIN };
            drawn.push(vec![(Style::Bold, margin.to_owned()), (Style::Plain, line)]);
        }
        if self.text.is_empty() {
            drawn = vec![vec![(Style::Bold, PROMPT.to_owned()), (Style::Dim, super::text::fit(HINT, room))]];
        }
        Drawn { lines: drawn, cursor: (cursor.0 - first, cursor.1 + PROMPT.len()) }
    }
}

/// Columns of one cluster: parts that are joined take no more than one wide character.
fn wide(one: &str) -> usize {
    if one.chars().count() == 1 || !one.chars().any(|c| u32::from(c) > 0x2ff) {
        columns(one)
    } else {
        columns(one).min(2)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(text: &str) -> Editor {
        let mut editor = Editor::default();
        editor.press(&Key::Text(text.to_owned()));
        editor
    }

    #[test]
    fn one_key_takes_one_character_as_people_see_it() {
        for one in ["é", "e\u{301}", "🇩🇰", "👨‍👩‍👧", "👍🏽", "字"] {
            let mut editor = written(&format!("a{one}"));
            editor.press(&Key::Backspace);
            assert_eq!(editor.text(), "a", "{one}");

            let mut editor = written(&format!("{one}b"));
            editor.press(&Key::Left);
            editor.press(&Key::Left);
            assert_eq!(editor.at, 0);
            editor.press(&Key::Delete);
            assert_eq!(editor.text(), "b", "{one}");
        }
    }

    #[test]
    fn lines_are_walked_before_the_history() {
        let mut editor = written("first");
        assert_eq!(editor.take(), "first");
        editor.press(&Key::Paste("one\r\ntwo".into()));
        editor.press(&Key::Up);
        editor.press(&Key::Text("!".into()));
        assert_eq!(editor.text(), "one!\ntwo");
        editor.press(&Key::Up);
        assert_eq!(editor.text(), "first");
        editor.press(&Key::Up);
        assert_eq!(editor.text(), "first");
        editor.press(&Key::Down);
        assert_eq!(editor.text(), "one!\ntwo", "what was written is not lost");
    }

    #[test]
    fn words_and_ends() {
        let mut editor = written("the quick fox");
        editor.press(&Key::KillWord);
        assert_eq!(editor.text(), "the quick ");
        editor.press(&Key::WordLeft);
        editor.press(&Key::KillEnd);
        assert_eq!(editor.text(), "the ");
        editor.press(&Key::Home);
        editor.press(&Key::WordRight);
        assert_eq!(editor.at, 3);
        editor.press(&Key::KillStart);
        assert_eq!(editor.text(), " ");
    }

    #[test]
    fn nothing_that_is_pasted_is_obeyed() {
        let editor = written("\u{1b}[2J\u{9b}1mx\u{202e}");
        let drawn = editor.draw(40, 5);
        let shown: String = drawn.lines.iter().flatten().map(|(_, t)| t.as_str()).collect();
        assert!(!shown.contains(['\u{1b}', '\u{9b}', '\u{202e}']));
        assert_eq!(editor.text(), "[2J1mx\u{202e}");
    }

    fn press() -> impl Strategy<Value = Key> {
        prop_oneof![
            4 => "[ae🎉\u{301}\u{200d}👩🇩🇰字 \n]{1,4}".prop_map(Key::Text),
            1 => Just(Key::Newline),
            2 => prop::sample::select(vec![Key::Backspace, Key::Delete, Key::KillWord, Key::KillStart, Key::KillEnd]),
            3 => prop::sample::select(vec![
                Key::Left, Key::Right, Key::WordLeft, Key::WordRight, Key::Home, Key::End, Key::Up, Key::Down,
            ]),
        ]
    }

    proptest! {
        #[test]
        fn the_cursor_never_stands_inside_a_character(keys in prop::collection::vec(press(), 0..60), width in 4usize..30, height in 1usize..6) {
            let mut editor = Editor::default();
            for key in &keys {
                editor.press(key);
                prop_assert!(editor.is_border(editor.at), "{} in {:?}", editor.at, editor.text);
                let drawn = editor.draw(width, height);
                prop_assert!((1..=height).contains(&drawn.lines.len()));
                prop_assert!(drawn.cursor.0 < drawn.lines.len() && drawn.cursor.1 <= width.max(6));
            }
        }
    }
}
