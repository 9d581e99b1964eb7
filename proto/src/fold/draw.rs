//! How a screen draws a reply that is still coming.

use unicode_segmentation::UnicodeSegmentation;

use crate::limits::PROVISIONAL_TAIL;

/// Where the provisional tail of an open message starts, in bytes: its last [`PROVISIONAL_TAIL`] grapheme clusters.
///
/// A screen draws what follows as not certain yet, since a cut may still take it back. Rows hold the whole text always.
/// What is counted are extended grapheme clusters, so a flag or a family is one and is never cut.
pub fn provisional_tail(text: &str) -> usize {
    text.grapheme_indices(true).rev().take(PROVISIONAL_TAIL).last().map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_counts_what_people_see_as_characters() {
        for one in ["a", "é", "e\u{301}", "字", "🇩🇰", "👨‍👩‍👧", "👍🏽", "\r\n"] {
            let (lead, tail) = ("x ".repeat(10), one.repeat(PROVISIONAL_TAIL));
            for extra in 0..4 {
                let text = format!("{lead}{}{tail}", one.repeat(extra));
                let at = provisional_tail(&text);
                assert_eq!(&text[at..], tail, "{one:?}");
            }
            let short = one.repeat(PROVISIONAL_TAIL - 1);
            assert_eq!(provisional_tail(&short), 0);
        }
        assert_eq!(provisional_tail(""), 0);
    }
}
