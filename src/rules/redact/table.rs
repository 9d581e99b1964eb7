//! The redaction measured: lines with made-up secrets, and lines that only look like it.
//!
//! The lists stand in files beside this one, whose first lines say how to read them.

use super::*;

/// Innocent lines that lose something: words of a language that stand where a value would.
const HARMED: usize = 1;

/// A line of the table.
pub(super) struct Case {
    /// What goes in.
    pub(super) text: String,
    /// What has to come out.
    pub(super) want: String,
    /// What must not.
    pub(super) secrets: Vec<String>,
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

pub(super) fn secrets() -> Vec<Case> {
    cases(include_str!("table/secrets.txt"))
}

fn limits() -> Vec<Case> {
    cases(include_str!("table/limits.txt"))
}

fn innocents() -> Vec<Case> {
    cases(include_str!("table/innocents.txt"))
}

/// Whether a piece of the secret that would help somebody is still there: eight bytes of it, or half of a short one.
fn shows(redacted: &str, secret: &str) -> bool {
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
    let missed: Vec<_> = secrets().into_iter().filter(|c| c.is_missed()).map(|c| c.text).collect();
    let others: Vec<_> = secrets().into_iter().map(|c| (redact(&c.text).into_owned(), c.want)).collect();
    let others: Vec<_> = others.into_iter().filter(|(is, want)| is != want).collect();

    assert!(missed.is_empty() && others.is_empty(), "{missed:#?}\n{others:#?}");
}

#[test]
fn what_is_named_as_a_limit_is_one() {
    let found: Vec<_> = limits().into_iter().filter(|c| !c.is_missed()).map(|c| c.text).collect();

    assert!(found.is_empty(), "no longer missed, to be moved among the secrets: {found:#?}");
}

#[test]
fn no_more_innocents_are_harmed_than_is_documented() {
    let harmed: Vec<_> = innocents().into_iter().map(|c| redact(&c.text).into_owned()).collect();
    let harmed: Vec<_> = harmed.into_iter().zip(innocents()).filter(|(is, was)| *is != was.text).collect();

    assert_eq!(harmed.len(), HARMED, "{:#?}", harmed.into_iter().map(|(is, _)| is).collect::<Vec<_>>());
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
