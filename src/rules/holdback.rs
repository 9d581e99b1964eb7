//! What holds an assistant's words back while they could still become a value that not everybody in the room may read.
//!
//! Words that have left the box cannot be called back, so a value must be known before its first byte goes. Where a room
//! holds such values, the end of each text that is being written stays here: as long as the longest of them may be, and
//! from there to a border. What has passed is final. A whole value in it is replaced by [`PLACEHOLDER`], however it was
//! cut into pieces. Borders are every [`BLOCK`] bytes of what is shown: where a text is cut, and how much of it is held,
//! depends on its length and on the size class of the values and never on whether it looks like one. A room without such
//! values holds nothing, and costs nothing.
//!
//! Compared is byte by byte: a value that somebody writes in other words is not found. Values of less than [`VALUE_MIN`]
//! bytes are not looked for, since they would stand in every other sentence.

use std::collections::VecDeque;
use std::fmt;

/// What stands where a value stood.
pub const PLACEHOLDER: &str = "[hidden]";

/// Shown text is cut at multiples of this many bytes, or at the character before.
pub const BLOCK: usize = 64;

/// Shortest value that is looked for, in bytes.
pub const VALUE_MIN: usize = 4;

/// Longest value that is looked for as one; longer ones are looked for in pieces of this length.
pub const VALUE_MAX: usize = 512;

/// Most values, and most bytes of them, of one session: the newest ones.
const VALUES_MAX: usize = 128;
const BYTES_MAX: usize = 16 * 1024;

/// How much of a text is held: the first that is not less than the longest value.
const HOLDS: [usize; 3] = [32, 128, VALUE_MAX];

/// For whom a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guarded {
    /// For nobody who reads words: it is sealed.
    Sealed,
    /// For some roles: nobody's business where several persons are in the room.
    ByRole,
}

/// The values of one session that words are held against.
#[derive(Clone, PartialEq, Default)]
pub struct Guard {
    values: VecDeque<(Guarded, Box<str>)>,
    bytes: usize,
}

// Values are in no log.
impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Guard({} values)", self.values.len())
    }
}

impl Guard {
    /// Takes a value up. A long one goes in pieces, each of which is looked for by itself.
    pub fn learn(&mut self, guarded: Guarded, value: &str) {
        let mut rest = value.trim();
        while rest.len() >= VALUE_MIN {
            let mut end = rest.floor_char_boundary(VALUE_MAX);
            if rest.len() - end < VALUE_MIN && end < rest.len() {
                // Its end is not left over as something too short to be looked for.
                end = rest.floor_char_boundary(rest.len() / 2);
            }
            self.put(guarded, &rest[..end]);
            rest = &rest[end..];
        }
    }

    fn put(&mut self, guarded: Guarded, value: &str) {
        if self.values.iter().any(|(g, v)| *g == guarded && **v == *value) {
            return;
        }
        self.bytes += value.len();
        self.values.push_back((guarded, value.into()));
        while self.values.len() > VALUES_MAX || self.bytes > BYTES_MAX {
            let Some((_, gone)) = self.values.pop_front() else { return };
            self.bytes -= gone.len();
        }
    }

    /// Whether nothing has to be held, in a room of several persons or not.
    pub fn is_idle(&self, several: bool) -> bool {
        !self.values.iter().any(|(g, _)| applies(*g, several))
    }

    /// Takes a piece of a text of which `held` is what has not been shown yet and `shown` how long the rest is. Gives what
    /// may be shown now, and keeps the rest in `held`.
    pub fn pass(&self, several: bool, held: &mut String, shown: u64, piece: &str) -> String {
        held.push_str(piece);
        let longest = self.values.iter().filter(|(g, _)| applies(*g, several)).map(|(_, v)| v.len()).max();
        let hold = longest.map_or(0, |longest| HOLDS.into_iter().find(|h| *h >= longest).unwrap_or(VALUE_MAX));
        self.let_out(several, held, shown, hold)
    }

    /// The text ends here: gives all that was held.
    pub fn finish(&self, several: bool, held: &mut String) -> String {
        self.let_out(several, held, 0, 0)
    }

    /// A text that is whole, as it may be shown.
    pub fn whole(&self, several: bool, text: &str) -> String {
        self.finish(several, &mut text.to_owned())
    }

    /// Lets out what is final: all that has `hold` bytes behind it, up to the last border.
    fn let_out(&self, several: bool, held: &mut String, shown: u64, hold: usize) -> String {
        let limit = held.len().saturating_sub(hold);
        let (mut out, mut at) = (String::new(), 0);
        // The last border, as lengths of what is let out and of what it was made from.
        let mut border = (0, 0);
        let block = |out: &str| (shown + out.len() as u64) / BLOCK as u64;
        while at < held.len() && (at < limit || hold == 0) {
            let rest = &held[at..];
            let before = out.len();
            match self.value_at(several, rest) {
                Some(value) => {
                    out.push_str(PLACEHOLDER);
                    at += value;
                }
                None => {
                    let Some(c) = rest.chars().next() else { break };
                    out.push(c);
                    at += c.len_utf8();
                }
            }
            if block(&out[..before]) != block(&out) {
                // A border inside a character or a placeholder is before it, unless it ends there exactly.
                let exact = (shown + out.len() as u64).is_multiple_of(BLOCK as u64);
                border = if exact { (out.len(), at) } else { (before, at - self.unit(several, rest)) };
            }
        }
        if hold == 0 {
            held.clear();
            return out;
        }
        out.truncate(border.0);
        held.drain(..border.1);
        out
    }

    /// Bytes of the character or the value with which `text` begins.
    fn unit(&self, several: bool, text: &str) -> usize {
        self.value_at(several, text).or_else(|| text.chars().next().map(char::len_utf8)).unwrap_or(0)
    }

    /// Length of the longest value with which `text` begins.
    fn value_at(&self, several: bool, text: &str) -> Option<usize> {
        let begins = |(g, v): &&(Guarded, Box<str>)| applies(*g, several) && text.starts_with(&**v);
        self.values.iter().filter(begins).map(|(_, v)| v.len()).max()
    }

    /// What is to be stored.
    pub(crate) fn parts(&self) -> impl ExactSizeIterator<Item = (Guarded, &str)> {
        self.values.iter().map(|(g, v)| (*g, &**v))
    }

    /// Takes up one that was stored.
    pub(crate) fn stored(&mut self, guarded: Guarded, value: &str) {
        self.put(guarded, value);
    }

    /// Most values that are stored.
    pub(crate) const MAX: usize = VALUES_MAX;
}

fn applies(guarded: Guarded, several: bool) -> bool {
    several || guarded == Guarded::Sealed
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn guard(values: &[&str]) -> Guard {
        let mut guard = Guard::default();
        values.iter().for_each(|v| guard.learn(Guarded::ByRole, v));
        guard
    }

    /// What is shown of a text that comes in these pieces, piece by piece, its end last.
    fn play(guard: &Guard, pieces: &[&str]) -> Vec<String> {
        let (mut held, mut shown) = (String::new(), 0);
        let mut out = Vec::new();
        for piece in pieces {
            let now = guard.pass(true, &mut held, shown, piece);
            shown += now.len() as u64;
            out.push(now);
        }
        out.push(guard.finish(true, &mut held));
        out
    }

    /// Cuts a text before every `n`th character.
    fn pieces(text: &str, n: usize) -> Vec<&str> {
        let mut starts: Vec<_> = text.char_indices().map(|(i, _)| i).step_by(n).collect();
        starts.push(text.len());
        starts.windows(2).map(|w| &text[w[0]..w[1]]).collect()
    }

    #[test]
    fn a_value_in_pieces_of_any_size_does_not_get_through() {
        let guard = guard(&["hunter2-and-more", "4200 EUR"]);
        let text = "so the word is hunter2-and-more, ".repeat(9) + "and the pay 4200 EUR";
        for n in 1..60 {
            let all = play(&guard, &pieces(&text, n)).concat();
            assert!(!all.contains("hunter2") && !all.contains("4200"), "{n}");
            assert_eq!(all, text.replace("hunter2-and-more", PLACEHOLDER).replace("4200 EUR", PLACEHOLDER));
        }
    }

    #[test]
    fn a_room_without_values_and_a_person_alone_hold_nothing_but_what_is_sealed() {
        assert!(Guard::default().is_idle(true));
        let mut guard = guard(&["4200 EUR"]);
        assert!(guard.is_idle(false) && !guard.is_idle(true));
        guard.learn(Guarded::Sealed, "DE00 1234");
        assert!(!guard.is_idle(false));
        assert_eq!(guard.whole(false, "4200 EUR to DE00 1234"), "4200 EUR to [hidden]");
        assert_eq!(guard.whole(true, "4200 EUR to DE00 1234"), "[hidden] to [hidden]");
    }

    #[test]
    fn a_long_value_is_found_whole_and_in_the_words_around_it() {
        let long = "word ".repeat(600);
        let guard = guard(&[&long]);
        let all = play(&guard, &pieces(&format!("<{}>", long.trim()), 7)).concat();
        assert!(all.starts_with("<[hidden]") && all.ends_with("[hidden]>") && !all.contains("word"), "{all}");
    }

    #[test]
    fn of_two_values_the_longer_is_taken() {
        let guard = guard(&["4200", "42001"]);
        assert_eq!(play(&guard, &pieces("a 42001 b 4200 c", 1)).concat(), "a [hidden] b [hidden] c");
    }

    #[test]
    fn values_are_bounded_and_the_newest_stay() {
        let mut guard = Guard::default();
        (0..1000).for_each(|n| guard.learn(Guarded::ByRole, &format!("value-{n:04}-{}", "x".repeat(100))));
        assert!(guard.parts().len() <= VALUES_MAX && guard.bytes <= BYTES_MAX);
        assert_eq!(guard.whole(true, &format!("value-0999-{}", "x".repeat(100))), PLACEHOLDER);
    }

    proptest! {
        #[test]
        fn what_is_shown_is_the_text_with_its_values_replaced_however_it_comes(
            words in prop::collection::vec(prop_oneof![3 => "[a-d é]{0,20}", 1 => Just("abcd".to_owned()), 1 => Just("secret-é-value".to_owned())], 0..30),
            n in 1usize..40,
        ) {
            let guard = guard(&["abcd", "secret-é-value"]);
            let text = words.concat();
            let all = play(&guard, &pieces(&text, n)).concat();
            prop_assert_eq!(&all, &guard.whole(true, &text));
            prop_assert!(!all.contains("abcd") && !all.contains("secret-é-value"));
        }

        #[test]
        fn when_words_go_out_does_not_depend_on_whether_they_look_like_a_value(
            text in "[a-z ]{0,300}", n in 1usize..20, a in "[a-z]{8}", b in "[A-Z]{8}", begin in 0usize..8,
        ) {
            // The same words, beside a value that they begin, and beside one that they have nothing to do with.
            let text = format!("{text}{}", &a[..begin]);
            prop_assume!(!text.contains(&a));
            prop_assert_eq!(play(&guard(&[&a]), &pieces(&text, n)), play(&guard(&[&b]), &pieces(&text, n)));
        }
    }
}
