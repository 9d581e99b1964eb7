//! Changes of files as hunks, made of what an editing tool was asked or answers.

use crate::rules::blocks::tree::Tree;

/// Unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// One hunk from one text to the other. Where in the file it stands is not known.
pub(crate) fn change(old: &str, new: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let mut out = String::from("@@\n");
    let mut push = |sign: char, lines: &[&str]| {
        for line in lines {
            out.push(sign);
            out.push_str(line);
            out.push('\n');
        }
    };
    push(' ', &old[same.saturating_sub(CONTEXT)..same]);
    push('-', &old[same..old.len() - tail]);
    push('+', &new[same..new.len() - tail]);
    push(' ', &old[old.len() - tail..(old.len() - tail + CONTEXT).min(old.len())]);
    out
}

/// A new file: each line behind a plus.
pub(crate) fn whole(content: &str) -> String {
    let mut out = String::with_capacity(content.len() + content.len() / 16);
    for line in content.lines() {
        out.push('+');
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Lines added and removed.
pub(crate) fn count(patch: &str) -> (u32, u32) {
    let (mut added, mut removed) = (0, 0);
    for line in patch.lines() {
        match line.as_bytes() {
            [b'+', b'+', b'+', b' ', ..] | [b'-', b'-', b'-', b' ', ..] => {}
            [b'+', ..] => added += 1,
            [b'-', ..] => removed += 1,
            _ => {}
        }
    }
    (added, removed)
}

/// Whether every line begins as lines of a patch do, and one of them changes something.
pub(crate) fn is_patch(text: &str) -> bool {
    let of_patch = |l: &str| {
        l.is_empty()
            || l.starts_with(['+', '-', ' ', '@', '\\'])
            || ["diff ", "index ", "*** ", "new file", "deleted file", "similarity", "rename "]
                .iter()
                .any(|p| l.starts_with(p))
    };
    text.lines().all(of_patch) && count(text) != (0, 0)
}

/// The first file that a patch names.
pub(crate) fn path(patch: &str) -> Option<&str> {
    const NAMES: &[&str] = &["*** Add File: ", "*** Update File: ", "*** Delete File: ", "+++ b/", "--- a/"];
    patch.lines().take(64).find_map(|l| NAMES.iter().find_map(|p| l.strip_prefix(p))).map(str::trim)
}

/// Hunks as tools answer them: a list with `lines` and where they start.
pub(crate) fn hunks(tree: &Tree) -> Option<String> {
    let mut out = String::new();
    let one = std::slice::from_ref(tree);
    for hunk in tree.list(&["structuredPatch", "hunks"]).unwrap_or(one) {
        let lines = hunk.list(&["lines"])?;
        let n = |keys: &[&str]| hunk.number::<u32>(keys);
        match (n(&["old_start", "oldStart"]), n(&["new_start", "newStart"])) {
            (Some(old), Some(new)) => {
                let (a, b) = (n(&["old_lines", "oldLines"]), n(&["new_lines", "newLines"]));
                out.push_str(&format!("@@ -{old},{} +{new},{} @@\n", a.unwrap_or(1), b.unwrap_or(1)));
            }
            _ => out.push_str("@@\n"),
        }
        for line in lines {
            out.push_str(line.as_text()?);
            out.push('\n');
        }
    }
    (!out.is_empty()).then_some(out)
}
