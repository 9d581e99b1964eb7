//! A text that comes in pieces, redacted as if it were whole.
//!
//! Half a secret looks like nothing, so the end of what has come stays here until it cannot become one any more: the line
//! that has not ended. Nothing but a block of a key goes over the end of a line, and of one that has begun everything up
//! to its end is dropped. The plain words in front of a line go at once, since a question without a line's end is to be
//! seen before it is answered.
//!
//! What is held is bounded. A line that is longer goes in parts, between words that have nothing to do with each other;
//! where its beginning ends within a secret, or with what could be in front of one, the rest of the line is dropped.

use std::mem;

use crate::rules::redact::Block;
use crate::rules::redact::MARK;
use crate::rules::redact::NAME_MAX;
use crate::rules::redact::commands::tells;
use crate::rules::redact::commands::tells_of_the_line;
use crate::rules::redact::names::is_secret_name;
use crate::rules::redact::redact;
use crate::rules::redact::redact_beginning;
use crate::rules::redact::values::is_blank;
use crate::rules::redact::values::is_name;

/// Least that a stream may hold, in bytes.
pub(super) const LEAST: usize = 512;

/// How far back a border is looked for in a line that is too long.
const CUT_BACK: usize = 1024;

/// Where the next byte of a stream falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Inside {
    /// Into a line of which only plain words have come.
    #[default]
    Plain,
    /// Into a line that is held to its end.
    Line,
    /// Into the rest of a line that is dropped.
    Rest,
    /// Into a block of a key.
    Block(Block),
}

/// One text in pieces.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Stream {
    held: String,
    inside: Inside,
}

// What is held may be half a secret.
impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Stream({} bytes, {:?})", self.held.len(), self.inside)
    }
}

impl Stream {
    /// Whether nothing is held, and the next piece is the beginning of a text.
    pub fn is_idle(&self) -> bool {
        self.held.is_empty() && matches!(self.inside, Inside::Plain)
    }

    /// What is to be stored.
    pub(crate) fn parts(&self) -> (&str, u64) {
        let inside = match self.inside {
            Inside::Plain => 0,
            Inside::Line => 1,
            Inside::Rest => 2,
            Inside::Block(Block::Armored) => 3,
            Inside::Block(Block::Counted) => 4,
        };
        (&self.held, inside)
    }

    /// Takes up what was stored. `None` if it is none.
    pub(crate) fn stored(held: &str, inside: u64) -> Option<Stream> {
        let inside = match inside {
            0 => Inside::Plain,
            1 => Inside::Line,
            2 => Inside::Rest,
            3 => Inside::Block(Block::Armored),
            4 => Inside::Block(Block::Counted),
            _ => return None,
        };
        Some(Stream { held: held.to_owned(), inside })
    }

    /// Gives up what is held, and the rest of its line.
    pub fn give_up(&mut self) -> &'static str {
        self.held.clear();
        match self.inside {
            Inside::Plain | Inside::Line => {
                self.inside = Inside::Rest;
                MARK
            }
            Inside::Rest | Inside::Block(_) => "",
        }
    }

    /// Bytes that are held.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// Takes a piece and gives what may be shown by now. Holds at most `max` bytes, or 512.
    pub fn pass(&mut self, piece: &str, max: usize) -> String {
        // Only the piece can bring the end of a line.
        let mut line_ends = piece.contains('\n');
        self.held.push_str(piece);
        let mut out = String::new();
        loop {
            match self.inside {
                Inside::Rest => match self.held.find('\n') {
                    // The end of the line stays.
                    Some(end) => self.go_on(end),
                    None => {
                        self.held.clear();
                        return out;
                    }
                },
                Inside::Block(block) => {
                    if !self.leave(block) {
                        return out;
                    }
                    line_ends = true;
                }
                Inside::Plain | Inside::Line => {
                    let end = if line_ends { self.held.rfind('\n') } else { None };
                    line_ends = false;
                    let cut = match end {
                        Some(end) => end + 1,
                        None if self.inside == Inside::Plain && self.let_out_plain(&mut out) => continue,
                        None if self.held.len() > max.max(LEAST) => self.cut_line(),
                        None => return out,
                    };
                    self.let_out(cut, end.is_none(), &mut out);
                }
            }
        }
    }

    /// The text ends here: gives what was held.
    pub fn finish(&mut self) -> String {
        let Stream { held, inside } = mem::take(self);
        match inside {
            Inside::Plain | Inside::Line => redact(&held).into_owned(),
            Inside::Rest | Inside::Block(_) => String::new(),
        }
    }

    /// Goes on behind what has been dealt with, where a line may be held again.
    fn go_on(&mut self, at: usize) {
        self.held.drain(..at);
        self.inside = Inside::Plain;
    }

    /// Lets out the beginning up to here. `within`: it ends inside a line.
    fn let_out(&mut self, cut: usize, within: bool, out: &mut String) {
        let beginning: String = self.held.drain(..cut).collect();
        let (shown, open) = redact_beginning(&beginning);
        out.push_str(&shown);
        self.inside = match open {
            Some(block) => Inside::Block(block),
            None if within && self.is_told_before(&beginning) => {
                if !shown.ends_with(MARK) {
                    out.push_str(MARK);
                }
                Inside::Rest
            }
            None if within && shown.ends_with(MARK) => Inside::Rest,
            None if within => Inside::Line,
            None => Inside::Plain,
        };
    }

    /// Drops what is held of a block up to its end. `false`: that has not come.
    fn leave(&mut self, block: Block) -> bool {
        let end = block.end();
        let Some(start) = self.held.find(end) else {
            // The beginning of its end may stand here.
            let keep = self.held.ceil_char_boundary(self.held.len().saturating_sub(end.len()));
            self.held.drain(..keep);
            return false;
        };
        self.held.drain(..start);
        let tail = &self.held[end.len()..];
        let rest = block.rest_of_line(tail);
        // It must be known that this is how its line goes on.
        let known =
            tail.len() > NAME_MAX || tail.as_bytes().get(rest) == Some(&b'\n') || tail[..rest].ends_with("-----");
        if known {
            self.go_on(end.len() + rest);
            // Behind the block the line goes on as any other.
            self.inside = Inside::Line;
        }
        known
    }

    /// Lets out the plain words in front. `true` if that could have changed what else is to be done.
    fn let_out_plain(&mut self, out: &mut String) -> bool {
        let mut plain = 0;
        let mut word = 0;
        for (at, c) in self.held.char_indices() {
            if matches!(c, ' ' | '\t' | '\r') {
                let said = &self.held[word..at];
                if tells(said) || !said.is_empty() && redact(said) != *said {
                    self.inside = Inside::Line;
                    break;
                }
                // Blanks alone stay: what they begin may be told by standing first on its line.
                plain = if said.is_empty() && plain == 0 { 0 } else { at + 1 };
                word = at + 1;
            } else if !(c.is_alphanumeric() || "_.,!?)[]%/#*+~…✓".contains(c) || c == '-' && at > word) {
                self.inside = Inside::Line;
                break;
            }
        }
        out.extend(self.held.drain(..plain));
        self.inside == Inside::Line
    }

    /// Where a line that is too long is cut: between words, neither of which tells of the other.
    fn cut_line(&self) -> usize {
        let b = self.held.as_bytes();
        let from = b.len() - (b.len() / 2).min(CUT_BACK);
        let border =
            |of: fn(u8) -> bool| (from..b.len()).rev().find(|n| of(b[*n]) && !may_precede(&self.held[..n + 1]));
        border(is_blank)
            .or_else(|| border(|c| matches!(c, b',' | b'{' | b'}' | b'(' | b')' | b'>')))
            .map_or(b.len(), |n| n + 1)
    }

    /// Whether this beginning of a line may tell of something in its rest.
    fn is_told_before(&self, beginning: &str) -> bool {
        if may_precede(beginning) || beginning.split([' ', '\t']).any(tells_of_the_line) {
            return true;
        }
        // No border was found: a long word, which must be nothing that has parts.
        let from = beginning.floor_char_boundary(beginning.len() - (beginning.len() / 2).min(CUT_BACK));
        let end = &beginning[from..];
        !beginning.ends_with([' ', '\t', ',', '{', '}', '(', ')', '>']) && end.contains([':', '=', '@'])
    }
}

/// Whether what comes next could be a secret because of how this ends.
fn may_precede(beginning: &str) -> bool {
    let near = &beginning[beginning.floor_char_boundary(beginning.len().saturating_sub(4 * NAME_MAX))..];
    let said = near.trim_end_matches([' ', '\t']);
    if said.ends_with(['=', ':', '"', '\'', '`', '\\', '>', '@', '|']) {
        return true;
    }
    let said = said.trim_end_matches([' ', '\t', ',', '"', '\'', '{', '(', ']']);
    let word = said.as_bytes().iter().rev().take(NAME_MAX).take_while(|c| is_name(**c)).count();
    let word = &said[said.len() - word..];
    // Between a tag and what closes it.
    let tag = near.rfind('<').map(|n| &near[n + 1..]).and_then(|t| t.split_once('>')).map(|(name, _)| name);
    // What is said is fed into a program that comes later.
    let fed = near.rfind("echo ").or(near.rfind("printf ")).is_some_and(|n| !near[n..].contains(';'));
    fed || tag.is_some_and(|t| is_secret_name(t.as_bytes())) || word.starts_with('-') || tells(word)
}
