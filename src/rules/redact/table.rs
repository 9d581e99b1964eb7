//! The redaction measured: lines with made-up secrets, and lines that only look like it.
//!
//! The lists stand in files beside this one, whose first lines say how to read them.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::stream::LEAST;
use super::*;

/// Innocent lines that lose something: words of a language that stand where a value would.
const HARMED: usize = 1;

/// A line of the table.
pub(crate) struct Case {
    /// What goes in.
    pub(crate) text: String,
    /// What has to come out.
    pub(crate) want: String,
    /// What must not.
    pub(crate) secrets: Vec<String>,
}

impl Case {
    fn is_missed(&self) -> bool {
        let redacted = redact(&self.text);
        self.secrets.iter().any(|s| shows(&redacted, s))
    }
}

fn cases(file: &str) -> Vec<Case> {
    let lines = file.lines().filter(|l| !l.is_empty() && !l.starts_with("##"));
    lines
        .map(|line| {
            let line = line.replace('¦', "").replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t");
            let line = line.replace('\0', "\\");
            let (mut want, mut secrets) = (String::new(), Vec::new());
            for (n, piece) in line.split(['«', '»']).enumerate() {
                if n % 2 == 1 {
                    secrets.push(piece.to_owned());
                }
                want.push_str(if n % 2 == 1 { MARK } else { piece });
            }
            Case { text: line.replace(['«', '»'], ""), want, secrets }
        })
        .collect()
}

pub(crate) fn secrets() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| cases(include_str!("table/secrets.txt")));
    &CASES
}

fn limits() -> Vec<Case> {
    cases(include_str!("table/limits.txt"))
}

fn innocents() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| cases(include_str!("table/innocents.txt")));
    &CASES
}

/// Whether a piece of the secret that would help somebody is still there: eight bytes of it, or half of a short one.
pub(crate) fn shows(redacted: &str, secret: &str) -> bool {
    let len = 8.min(secret.len().div_ceil(2)).max(3);
    secret.as_bytes().windows(len).any(|piece| redacted.as_bytes().windows(len).any(|r| r == piece))
}

#[test]
fn the_table_is_large_enough() {
    let secrets: usize = secrets().iter().map(|c| c.secrets.len()).sum();
    assert!(secrets >= 280 && innocents().len() >= 190);
}

#[test]
fn every_secret_of_the_table_goes_and_nothing_else_of_its_line() {
    let missed: Vec<_> = secrets().iter().filter(|c| c.is_missed()).map(|c| &c.text).collect();
    let others: Vec<_> =
        secrets().iter().map(|c| (redact(&c.text), &c.want)).filter(|(is, want)| is != *want).collect();

    assert!(missed.is_empty() && others.is_empty(), "{missed:#?}\n{others:#?}");
}

#[test]
fn what_is_named_as_a_limit_is_one() {
    let found: Vec<_> = limits().into_iter().filter(|c| !c.is_missed()).map(|c| c.text).collect();

    assert!(found.is_empty(), "no longer missed, to be moved among the secrets: {found:#?}");
}

#[test]
fn no_more_innocents_are_harmed_than_is_documented() {
    let harmed: Vec<_> = innocents().iter().map(|c| redact(&c.text)).filter(|r| matches!(r, Cow::Owned(_))).collect();

    assert_eq!(harmed.len(), HARMED, "{harmed:#?}");
}

#[test]
fn the_documents_have_the_figures_that_are_measured() {
    let doc = include_str!("../../../docs/operating.md");
    let (secrets, limits, innocents) = (secrets().len(), limits().len(), innocents().len());
    let told = format!(
        "Of {} lines with a secret {limits} pass, and of {innocents} innocent ones {HARMED} is harmed.",
        secrets + limits
    );

    assert!(doc.contains(&told), "{told}");
}

/// What is shown of a text in these pieces.
fn streamed<'a>(pieces: impl IntoIterator<Item = &'a str>, max: usize) -> String {
    let mut stream = Stream::default();
    let mut shown: String = pieces.into_iter().map(|p| stream.pass(p, max)).collect();
    shown.push_str(&stream.finish());
    assert!(stream.is_idle());
    shown
}

#[test]
fn a_secret_that_is_cut_in_two_anywhere_is_redacted_as_the_whole() {
    for case in secrets() {
        for at in (0..=case.text.len()).filter(|n| case.text.is_char_boundary(*n)) {
            let (a, b) = case.text.split_at(at);
            assert_eq!(streamed([a, b], 2048), case.want, "{a}|{b}");
        }
    }
}

#[test]
fn a_secret_that_comes_in_pieces_of_any_one_size_is_redacted_as_the_whole() {
    for case in secrets() {
        for size in 1..8 {
            let chars: Vec<_> = case.text.chars().collect();
            let pieces: Vec<String> = chars.chunks(size).map(|c| c.iter().collect()).collect();
            assert_eq!(streamed(pieces.iter().map(String::as_str), 2048), case.want, "{size}");
        }
    }
}

/// Cuts a text into pieces of these lengths, again and again.
fn cut<'a>(text: &'a str, lengths: &[usize]) -> Vec<&'a str> {
    let (mut rest, mut pieces) = (text, Vec::new());
    for length in lengths.iter().cycle() {
        let at = rest.ceil_char_boundary((*length).min(rest.len()));
        let (piece, behind) = rest.split_at(at);
        pieces.push(piece);
        rest = behind;
        if rest.is_empty() {
            break;
        }
    }
    pieces
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_text_in_pieces_is_redacted_as_the_whole(
        picks in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
        lengths in prop::collection::vec(1usize..40, 1..8),
    ) {
        let all: Vec<_> = secrets().iter().chain(innocents()).map(|c| &*c.text).collect();
        let text = picks.iter().map(|p| *p.get(&all)).collect::<Vec<_>>().join("\n");

        prop_assert_eq!(streamed(cut(&text, &lengths), 2048), redact(&text).into_owned());
    }

    #[test]
    fn a_line_that_is_too_long_to_be_held_shows_no_secret(
        pick in any::<prop::sample::Index>(),
        (before, behind) in (0usize..900, 0usize..900),
        filler in prop::sample::select(vec!["ok ", "x,", "ab", "{\"n\":1},", "a=b ", "é "]),
        lengths in prop::collection::vec(1usize..300, 1..6),
        max in LEAST..1200,
    ) {
        let cases: Vec<_> = secrets().iter().filter(|c| !c.text.contains('\n') && c.text.len() < LEAST / 2).collect();
        let case = pick.get(&cases);
        let text = format!("{} {} {}", filler.repeat(before), case.text, filler.repeat(behind));
        prop_assume!(case.secrets.iter().all(|s| !shows(&redact(&text), s)));
        let shown = streamed(cut(&text, &lengths), max);

        prop_assert!(case.secrets.iter().all(|s| !shows(&shown, s)), "{}", shown);
    }

    #[test]
    fn a_stream_holds_no_more_than_it_may(
        text in super::tests::pieces(), lengths in prop::collection::vec(1usize..60, 1..6), max in LEAST..700,
    ) {
        let mut stream = Stream::default();
        let mut shown = 0;
        for piece in cut(&text, &lengths) {
            shown += stream.pass(piece, max).len();
            prop_assert!(stream.held() <= max);
        }
        shown += stream.finish().len();
        prop_assert!(stream.is_idle() && shown <= 3 * text.len() + MARK.len());
    }
}
