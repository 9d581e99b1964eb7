//! Text of strangers on a terminal: nothing in it is ever obeyed, and lines fit.
//!
//! What a terminal would take as an order (control and escape characters, in both their forms) and what turns reading
//! order round is shown as a mark. So a title, a path or a command's output can neither move the cursor nor touch the
//! clipboard nor make the terminal answer.

use std::borrow::Cow;

/// Spaces of a tab.
const TAB: &str = "    ";

/// `text` without anything that a terminal obeys. Lines stay lines.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| c == '\n' || mark(c).is_none()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' => out.push('\n'),
            '\t' => out.push_str(TAB),
            '\r' if rest.peek() == Some(&'\n') => {}
            c => out.push(mark(c).unwrap_or(c)),
        }
    }
    Cow::Owned(out)
}

/// The same on one line.
pub fn clean_line(text: &str) -> String {
    clean(text.trim()).replace('\n', " ")
}

/// What is shown in place of a character that must not be sent.
fn mark(c: char) -> Option<char> {
    match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)),
        '\x7f' => Some('\u{2421}'),
        // C1: the same orders in one character.
        '\u{80}'..='\u{9f}' => Some('\u{fffd}'),
        // Reading order and invisible line ends.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {
            Some('\u{fffd}')
        }
        // Tags: text that nobody sees.
        '\u{e0000}'..='\u{e007f}' => Some('\u{fffd}'),
        _ => None,
    }
}

/// A line of JSON in which everything that a terminal obeys is escaped. It means what it meant.
pub fn clean_json(line: &str) -> Cow<'_, str> {
    if line.chars().all(|c| mark(c).is_none()) {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len() + 16);
    for c in line.chars() {
        if mark(c).is_some() {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Columns that a character takes.
pub fn width(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36f | 0x483..=0x489 | 0x591..=0x5bd | 0x64b..=0x65f | 0x1ab0..=0x1aff | 0x1dc0..=0x1dff => 0,
        0x200b..=0x200d | 0x20d0..=0x20ff | 0xfe00..=0xfe0f | 0xfe20..=0xfe2f => 0,
        0x1100..=0x115f | 0x2e80..=0x303e | 0x3041..=0xa4cf | 0xa960..=0xa97c | 0xac00..=0xd7a3 => 2,
        0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 => 2,
        0x1f300..=0x1f64f | 0x1f680..=0x1f6ff | 0x1f900..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// Columns that a line takes.
pub fn columns(line: &str) -> usize {
    line.chars().map(width).sum()
}

/// The start of `line` that fits, with `…` where something is left out.
pub fn fit(line: &str, max: usize) -> String {
    if columns(line) <= max {
        return line.to_owned();
    }
    let mut used = 0;
    let mut out: String = line
        .chars()
        .take_while(|c| {
            used += width(*c);
            used < max
        })
        .collect();
    out.push('…');
    out
}

/// Cuts one line into pieces that fit, at spaces where it can. Gives the byte offset at which each piece ends.
pub fn wrap(line: &str, max: usize) -> Vec<usize> {
    let max = max.max(2);
    let (mut ends, mut start, mut used, mut space) = (Vec::new(), 0, 0, None);
    let mut i = 0;
    while let Some(c) = line[i..].chars().next() {
        let next = i + c.len_utf8();
        if used + width(c) > max && i > start {
            let end = match space {
                // A space at the border belongs to the line before it.
                Some(s) if s > start => s,
                _ => i,
            };
            ends.push(end);
            (start, used, space) = (end, columns(&line[end..i]), None);
            continue;
        }
        used += width(c);
        if c == ' ' {
            space = Some(next);
        }
        i = next;
    }
    ends.push(line.len());
    ends
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_order_reaches_a_terminal() {
        let orders = "\x1b]52;c;Zm9v\x07\u{9d}52;c;\u{9c}\x1b[21t\u{202e}gpj.exe\x7f\r\x08";
        let shown = clean(orders);
        assert!(shown.chars().all(|c| mark(c).is_none()), "{shown:?}");
        assert!(shown.contains("␛]52"));
        assert_eq!(clean("a\r\nb\tc"), "a\nb    c");
        assert_eq!(clean_line(" a\nb "), "a b");
    }

    #[test]
    fn json_means_the_same_after_cleaning() {
        let value = serde_json::json!({ "text": "a\u{9b}31m\u{7f}\u{202e}\u{e0041}\u{1f600}b" });
        let line = value.to_string();
        let cleaned = clean_json(&line);
        assert!(cleaned.chars().all(|c| mark(c).is_none()));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&cleaned).unwrap(), value);
    }

    #[test]
    fn lines_break_at_spaces_where_they_can() {
        let line = "the quick brown fox";
        let pieces: Vec<_> =
            wrap(line, 10).iter().scan(0, |from, end| Some(&line[std::mem::replace(from, *end)..*end])).collect();
        assert_eq!(pieces, ["the quick ", "brown fox"]);
        assert_eq!(wrap("", 10), [0]);
        assert_eq!(wrap("字字字", 4).len(), 2);
    }

    proptest! {
        #[test]
        fn wrapping_loses_nothing_and_fits(line in "[ a-z字é👍]{0,80}", max in 2usize..30) {
            let mut from = 0;
            for end in wrap(&line, max) {
                prop_assert!(end >= from && columns(&line[from..end]) <= max);
                from = end;
            }
            prop_assert_eq!(from, line.len());
        }

        #[test]
        fn cleaned_text_holds_no_orders(text in "\\PC*|[\\x00-\\x1f\\x7f-\\x9f ]*") {
            prop_assert!(clean(&text).chars().all(|c| c == '\n' || mark(c).is_none()));
            let cleaned = fit(&clean_line(&text), 20);
            prop_assert!(columns(&cleaned) <= 20);
        }
    }
}
