//! What people put on a message: reactions, pins, mentions.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::ids::Author;

/// An emoji without its variation marks (U+FE0E, U+FE0F), so that one thumb counts once. Skin tones stay apart.
pub fn plain_emoji(emoji: &str) -> String {
    emoji.chars().filter(|c| !matches!(c, '\u{fe0e}' | '\u{fe0f}')).collect()
}

/// The marks of one message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    reactions: BTreeMap<String, BTreeSet<Author>>,
    pinned: bool,
    mentions: Vec<Author>,
}

impl Marks {
    /// Each emoji (without variation marks) and who stands behind it, never nobody.
    pub fn reactions(&self) -> impl Iterator<Item = (&str, &BTreeSet<Author>)> {
        self.reactions.iter().map(|(emoji, who)| (emoji.as_str(), who))
    }

    /// Whether it is pinned.
    pub fn pinned(&self) -> bool {
        self.pinned
    }

    /// Who is named, in the order of naming, each once.
    pub fn mentions(&self) -> &[Author] {
        &self.mentions
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.reactions.is_empty() && !self.pinned && self.mentions.is_empty()
    }

    /// One person's last word on one emoji. Says whether it changes anything.
    pub(super) fn react(&mut self, who: &Author, emoji: &str, on: bool) -> bool {
        let emoji = plain_emoji(emoji);
        if emoji.is_empty() {
            return false;
        }
        if on {
            return self.reactions.entry(emoji).or_default().insert(who.clone());
        }
        let Some(people) = self.reactions.get_mut(&emoji) else { return false };
        let was = people.remove(who);
        if people.is_empty() {
            self.reactions.remove(&emoji);
        }
        was
    }

    pub(super) fn pin(&mut self, on: bool) -> bool {
        std::mem::replace(&mut self.pinned, on) != on
    }

    /// Names that cannot be anybody's are left out.
    pub(super) fn mention(&mut self, who: &[String]) -> bool {
        let before = self.mentions.len();
        for name in who {
            if let Ok(author) = Author::parse(name)
                && !self.mentions.contains(&author)
            {
                self.mentions.push(author);
            }
        }
        self.mentions.len() > before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thumb_counts_once_with_and_without_its_variation_mark() {
        let robin = Author::person("robin").unwrap();
        let mut marks = Marks::default();

        assert!(marks.react(&robin, "👍", true));
        assert!(!marks.react(&robin, "👍\u{fe0f}", true));
        assert!(marks.react(&robin, "👍🏽", true));
        assert_eq!(marks.reactions().count(), 2);

        assert!(marks.react(&robin, "👍\u{fe0e}", false));
        assert!(!marks.react(&robin, "👍", false));
        assert_eq!(marks.reactions().map(|(e, _)| e).collect::<Vec<_>>(), ["👍🏽"]);
    }
}
