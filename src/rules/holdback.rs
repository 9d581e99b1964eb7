//! What holds an assistant's words back while they could still become a value that not everybody in the room may read.
//!
//! Words that have left the box cannot be called back, so a value must be known before its first byte goes. Where a room
//! holds such values, the end of each text that is being written stays here: [`VALUE_MAX`] bytes, and from there to a
//! border. What has passed is final. A whole value in it is replaced by [`PLACEHOLDER`], however it was cut into pieces,
//! and so are several that overlap or follow each other: of none the rest is shown. Borders are every [`BLOCK`] bytes of
//! what is shown: where a text is cut, and how much of it is held, depends on its length and never on the values, nor on
//! whether it looks like one. A room without such values holds nothing, and costs nothing.
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

/// Longest value that is looked for as one; longer ones are looked for in pieces of this length. So much of a text is held.
pub const VALUE_MAX: usize = 128;

/// Most values, and most bytes of them, of one session: the newest ones.
const VALUES_MAX: usize = 128;
const BYTES_MAX: usize = 16 * 1024;

/// Values that overlap or follow each other go as one up to about this many bytes, so that what is held has a bound.
const RUN_MAX: usize = 4 * VALUE_MAX;

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
    /// There was one, sealed or for some roles, whatever it was and whether it is kept still: only this decides about
    /// holding, so that a value's length does not.
    sealed: bool,
    by_role: bool,
}

/// Values that begin at one place and what overlaps them.
enum Run {
    None,
    /// Up to here.
    Ends(usize),
    /// It may go on behind what has come.
    Open,
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
        match guarded {
            Guarded::Sealed => self.sealed = true,
            Guarded::ByRole => self.by_role = true,
        }
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
        !(self.sealed || self.by_role && several)
    }

    /// Takes a piece of a text of which `held` is what has not been shown yet and `shown` how long the rest is. Gives what
    /// may be shown now, and keeps the rest in `held`.
    pub fn pass(&self, several: bool, held: &mut String, shown: u64, piece: &str) -> String {
        held.push_str(piece);
        let hold = if self.is_idle(several) { 0 } else { VALUE_MAX };
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
            let (before, from) = (out.len(), at);
            match self.run_at(several, held, at, (hold > 0).then_some(limit)) {
                Run::Ends(end) => {
                    out.push_str(PLACEHOLDER);
                    at = end;
                }
                Run::Open => break,
                Run::None => {
                    let Some(c) = held[at..].chars().next() else { break };
                    out.push(c);
                    at += c.len_utf8();
                }
            }
            if block(&out[..before]) != block(&out) {
                // A border inside a character or a placeholder is before it, unless it ends there exactly.
                let exact = (shown + out.len() as u64).is_multiple_of(BLOCK as u64);
                border = if exact { (out.len(), at) } else { (before, from) };
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

    /// The values that begin at `start`, with all that begin in them or right behind. What begins at `limit` or later may
    /// not have come whole.
    fn run_at(&self, several: bool, text: &str, start: usize, limit: Option<usize>) -> Run {
        let Some(first) = self.value_at(several, &text[start..]) else { return Run::None };
        let (mut end, mut at) = (start + first, start + 1);
        while at <= end && at < text.len() {
            if at - start > RUN_MAX {
                break;
            }
            if limit.is_some_and(|limit| at >= limit) {
                return Run::Open;
            }
            if text.is_char_boundary(at)
                && let Some(len) = self.value_at(several, &text[at..])
            {
                end = end.max(at + len);
            }
            at += 1;
        }
        Run::Ends(end)
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

    /// Whether there was a sealed one, and whether there was one for some roles: to be stored.
    pub(crate) fn kinds(&self) -> [bool; 2] {
        [self.sealed, self.by_role]
    }

    /// Takes up which there were.
    pub(crate) fn stored_kinds(&mut self, [sealed, by_role]: [bool; 2]) {
        (self.sealed, self.by_role) = (sealed, by_role);
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
    fn of_values_that_overlap_no_rest_is_shown() {
        let guard = guard(&["xabc", "abcdef", "efgh"]);
        for n in 1..9 {
            let text = "w ".repeat(90) + "xabcdefgh" + &" w".repeat(90);
            let all = play(&guard, &pieces(&text, n)).concat();
            assert_eq!(all, text.replace("xabcdefgh", PLACEHOLDER), "{n}");
        }
    }

    #[test]
    fn a_text_that_is_one_value_over_and_over_is_bounded_and_not_shown() {
        let guard = guard(&["aaaa"]);
        let (mut held, mut shown, mut most) = (String::new(), 0, 0);
        let mut all = String::new();
        for _ in 0..2000 {
            let out = guard.pass(true, &mut held, shown, "aaa");
            (shown, most) = (shown + out.len() as u64, most.max(held.len()));
            all += &out;
        }
        all += &guard.finish(true, &mut held);
        assert!(most < 10 * RUN_MAX && !all.contains("aaa"), "{most}");
    }

    #[test]
    fn how_much_is_held_does_not_depend_on_how_long_a_value_is() {
        let text = "some words ".repeat(90);
        let shown: Vec<_> =
            [1, 3, 4, 40, 500, 20_000].iter().map(|n| play(&guard(&[&"X".repeat(*n)]), &pieces(&text, 7))).collect();
        assert!(shown.windows(2).all(|w| w[0] == w[1]));
        // Nor on whether it is known still.
        let mut crowded = guard(&["first"]);
        (0..1000).for_each(|n| crowded.learn(Guarded::Sealed, &format!("value-{n:04}-{}", "x".repeat(100))));
        assert_eq!(play(&crowded, &pieces(&text, 7)), shown[0]);
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

        /// Against a plain reading of the whole text: which of its bytes are of a value, and nothing of those goes out,
        /// also not for a moment. What has gone out is never taken back, and is never less than what is far enough behind.
        #[test]
        fn no_piece_of_a_value_gets_out_however_the_text_is_cut(
            values in prop::collection::vec("[ab]{4,7}|[abcé ]{4,20}|[xyz]{100,140}", 1..5),
            parts in prop::collection::vec((prop::option::of(any::<prop::sample::Index>()), "[abc é]{0,9}|[a-z ]{0,120}"), 0..20),
            cuts in prop::collection::vec(1usize..40, 1..20),
        ) {
            let guard = guard(&values.iter().map(String::as_str).collect::<Vec<_>>());
            let text: String =
                parts.iter().map(|(v, words)| v.map_or(String::new(), |i| i.get(&values[..]).clone()) + words).collect();
            let mut covered = vec![false; text.len()];
            for (_, v) in guard.parts() {
                let mut from = 0;
                while let Some(i) = text[from..].find(v) {
                    covered[from + i..from + i + v.len()].fill(true);
                    from += i + text[from + i..].chars().next().map_or(1, char::len_utf8);
                }
            }
            let visible: String = text.char_indices().filter(|(i, _)| !covered[*i]).map(|(_, c)| c).collect();

            let mut shown = String::new();
            let (mut held, mut rest, mut n) = (String::new(), &text[..], 0);
            let mut steps = Vec::new();
            while !rest.is_empty() {
                let end = rest.char_indices().map(|(i, _)| i).nth(cuts[n % cuts.len()]).unwrap_or(rest.len());
                shown += &guard.pass(true, &mut held, shown.len() as u64, &rest[..end]);
                steps.push(shown.replace(PLACEHOLDER, "").len());
                (rest, n) = (&rest[end..], n + 1);
            }
            for len in steps {
                prop_assert!(len <= visible.len());
            }
            shown += &guard.finish(true, &mut held);
            prop_assert_eq!(shown.replace(PLACEHOLDER, ""), visible);
        }
    }
}
