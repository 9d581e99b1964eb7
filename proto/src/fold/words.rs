//! [`Words`]: one text that arrives in pieces, each with the offset of its first byte.
//!
//! What is held already is trimmed, what leaves a gap starts a piece of its own: two pieces are never joined over bytes
//! that are not there. Text is only appended, so taking a piece costs its own length and nothing else.

use std::cmp::Ordering;
use std::fmt;

/// A run of text without a gap.
#[derive(Clone, PartialEq, Eq)]
pub struct Piece {
    /// Offset in bytes of its first byte in the whole text.
    pub at: u64,
    /// The words.
    pub text: String,
}

/// A text as far as it is held.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Words {
    /// In order, never touching one another.
    pieces: Vec<Piece>,
    /// Length in bytes of the whole, as far as it was told.
    whole: u64,
    /// Cut: nothing is taken any more.
    closed: bool,
}

impl Words {
    /// The text up to the first gap.
    pub fn text(&self) -> &str {
        self.pieces.first().map_or("", |p| &p.text)
    }

    /// What is held behind the first gap.
    pub fn rest(&self) -> &[Piece] {
        self.pieces.get(1..).unwrap_or(&[])
    }

    /// Whether nothing is held.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether the text begins before what is held of it.
    pub fn begins_later(&self) -> bool {
        self.pieces.first().is_some_and(|p| p.at > 0)
    }

    /// Whether words are known to be missing inside or at the end. That it begins later is not counted here.
    pub fn has_gap(&self) -> bool {
        self.pieces.len() > 1 || self.end() < self.whole
    }

    /// Offset of the byte after the last one held.
    pub fn end(&self) -> u64 {
        self.pieces.last().map_or(0, |p| p.at.saturating_add(p.text.len() as u64))
    }

    /// Takes a piece of the text and says whether anything is new.
    pub(super) fn put(&mut self, at: u64, text: &str) -> bool {
        if self.closed {
            return false;
        }
        let end = self.end();
        let held = usize::try_from(end.saturating_sub(at)).unwrap_or(usize::MAX);
        if held >= text.len() {
            return false;
        }
        // Inside a character the two texts disagree: go on behind it, with a gap between.
        let cut = text.ceil_char_boundary(held);
        let new = &text[cut..];
        if new.is_empty() {
            return false;
        }
        let at = at.saturating_add(cut as u64);
        match (at.cmp(&end), self.pieces.last_mut()) {
            (Ordering::Equal, Some(last)) => last.text.push_str(new),
            (_, _) => self.pieces.push(Piece { at, text: new.to_owned() }),
        }
        true
    }

    /// The whole is at least `len` bytes long: words that come after an end were said all the same.
    pub(super) fn finish(&mut self, len: u64) {
        if !self.closed {
            self.whole = self.whole.max(len);
        }
    }

    /// Keeps `len` bytes and forgets the rest for good.
    pub(super) fn cut(&mut self, len: u64) {
        self.whole = if self.closed { self.whole.min(len) } else { len };
        self.closed = true;
        while let Some(last) = self.pieces.last_mut() {
            let keep = usize::try_from(len.saturating_sub(last.at)).unwrap_or(usize::MAX);
            if keep >= last.text.len() {
                return;
            }
            last.text.truncate(last.text.floor_char_boundary(keep));
            if !last.text.is_empty() {
                return;
            }
            self.pieces.pop();
        }
    }

    /// Forgets the words.
    pub(super) fn clear(&mut self) {
        self.pieces = Vec::new();
    }
}

// Somebody's words: where they stand, and not what they say.
impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Piece({}+{})", self.at, self.text.len())
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.pieces).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(pieces: &[(u64, &str)]) -> Words {
        let mut w = Words::default();
        for (at, text) in pieces {
            w.put(*at, text);
        }
        w
    }

    #[test]
    fn what_is_held_is_trimmed_at_its_byte() {
        assert_eq!(words(&[(0, "hello"), (3, "lo world"), (0, "hell")]).text(), "hello world");
        assert_eq!(words(&[(0, "aé"), (1, "éb")]).text(), "aéb");
    }

    #[test]
    fn text_is_never_joined_over_a_gap() {
        let w = words(&[(0, "one "), (8, "three"), (13, " four")]);

        assert_eq!(w.text(), "one ");
        assert_eq!(w.rest(), [Piece { at: 8, text: "three four".into() }]);
        assert!(w.has_gap() && !w.begins_later());
    }

    #[test]
    fn a_first_piece_above_zero_begins_later() {
        let w = words(&[(5, "tail")]);

        assert!(w.begins_later() && !w.has_gap());
        assert_eq!(w.text(), "tail");
    }

    #[test]
    fn an_overlap_that_ends_inside_a_character_makes_a_gap_and_no_panic() {
        let w = words(&[(0, "ab"), (1, "🎉c")]); // Held up to 2, inside the four bytes of the emoji.

        assert_eq!(w.text(), "ab");
        assert_eq!(w.rest(), [Piece { at: 5, text: "c".into() }]);
    }

    #[test]
    fn the_whole_length_tells_whether_all_is_there() {
        let mut w = words(&[(0, "abc")]);
        w.finish(5);
        assert!(w.has_gap());
        w.put(3, "de");
        assert!(!w.has_gap());
        w.put(5, "fg");
        w.finish(8);
        assert_eq!(w.text(), "abcdefg");
        assert!(w.has_gap());
    }

    #[test]
    fn a_cut_keeps_whole_characters_and_takes_nothing_back() {
        for (len, want) in [(0, ""), (1, "a"), (2, "a"), (3, "aé"), (4, "aéb"), (9, "aéb")] {
            let mut w = words(&[(0, "aéb")]);
            w.cut(len);
            assert_eq!(w.text(), want, "{len}");
            w.put(len, "more");
            assert_eq!(w.text(), want, "{len}");
        }
    }

    #[test]
    fn offsets_at_the_end_of_counting_do_not_overflow() {
        let mut w = words(&[(u64::MAX, "ab"), (0, "x")]);

        assert_eq!((w.text(), w.end()), ("ab", u64::MAX));
        w.finish(u64::MAX);
        assert!(!w.has_gap());
        w.cut(0);
        assert!(w.is_empty());
    }

    proptest! {
        #[test]
        fn any_overlapping_cuts_give_the_text_once(text in "[aé🎉e\u{301}z]{0,30}", cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12), 0..40)) {
            let bounds: Vec<usize> = (0..=text.len()).filter(|i| text.is_char_boundary(*i)).collect();
            let mut w = Words::default();
            for (start, len) in cuts {
                // Anything that starts in what is held.
                let held: Vec<usize> = bounds.iter().copied().filter(|b| *b as u64 <= w.end()).collect();
                let from = held[start.index(held.len())];
                let to = text.ceil_char_boundary((from + len).min(text.len()));
                w.put(from as u64, &text[from..to]);
                prop_assert!(text.starts_with(w.text()) && w.rest().is_empty());
            }
            w.put(0, &text);
            prop_assert_eq!(w.text(), &text);
        }

        #[test]
        fn nothing_makes_it_panic_or_join_over_a_gap(puts in prop::collection::vec((0u64..20, "[aé🎉]{0,4}"), 0..30), cut in prop::option::of(0u64..20)) {
            let mut w = Words::default();
            for (at, text) in &puts {
                w.put(*at, text);
            }
            if let Some(len) = cut { w.cut(len); prop_assert!(w.end() <= len); }
            for pair in w.pieces.windows(2) {
                prop_assert!(pair[0].at + (pair[0].text.len() as u64) < pair[1].at);
            }
        }
    }
}
