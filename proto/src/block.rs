//! Checked blocks: what a screen may draw, and what has to be dropped before it does.
//!
//! [`admit`] is the door that both sides use. The box passes every block through it before the block is logged, and a
//! client passes every block through it again before it is drawn: a box of another version, or a broken one, must not be
//! able to put a value where a placeholder belongs, or a gigabyte on a phone. It is idempotent, and what it lets through
//! has at most [`BLOCK_MAX`] bytes of content; what is cut off is counted in `total`.
//!
//! [`cut`] is the one way in which text gets shorter here: never inside a character as a person sees it.

use std::borrow::Cow;

use prost::Message;
use unicode_segmentation::GraphemeCursor;

use crate::limits::BLOCK_MAX;
use crate::pb::stream as pb;
use crate::pb::stream::block::Kind;
use crate::pb::stream::field::Content;

/// Longest name, title, path or address in a block, in bytes.
pub const NAME_MAX: usize = 4 * 1024;

/// Longest value of one field of a record, in bytes.
pub const VALUE_MAX: usize = 8 * 1024;

/// Most entries of a list in a block.
pub const ENTRIES_MAX: usize = 1024;

/// What the values that not everybody may read have of [`BLOCK_MAX`], all of them together, in equal shares. The rest of the
/// block has what is left, so that a value's length cannot be told from what else there is room for.
pub const GUARDED_MAX: usize = BLOCK_MAX / 4;

/// What each entry of a list costs of [`BLOCK_MAX`] beside its text, so that empty entries are not free.
const ENTRY_COST: usize = 8;

/// How far back from a limit a whole character is looked for. What is longer is no character that anybody wrote.
const CLUSTER_MAX: usize = 256;

/// The longest beginning of `text` with at most `max` bytes that ends between two characters (grapheme clusters).
///
/// A flag, a family emoji or an accented letter is kept or dropped as one. A cluster over 256 bytes is cut between code
/// points, since otherwise one endless cluster would empty the text.
pub fn cut(text: &str, max: usize) -> &str {
    if text.len() <= max {
        return text;
    }
    let mut floor = max;
    while !text.is_char_boundary(floor) {
        floor -= 1;
    }
    // A window around the limit decides. Clusters are local but for flags, which pair up from the start of their run.
    let mut start = floor.saturating_sub(4 * CLUSTER_MAX);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let half_flag = |c: &char| matches!(c, '\u{1f1e6}'..='\u{1f1ff}');
    start -= text[..start].chars().rev().take_while(half_flag).map(char::len_utf8).sum::<usize>();
    let mut end = (floor + CLUSTER_MAX).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let window = &text[start..end];
    let mut cursor = GraphemeCursor::new(floor - start, window.len(), true);
    let at = match cursor.is_boundary(window, 0) {
        Ok(true) => floor,
        _ => match cursor.prev_boundary(window, 0) {
            Ok(Some(at)) if floor - (start + at) <= CLUSTER_MAX => start + at,
            _ => floor,
        },
    };
    &text[..at]
}

/// A block as it may be drawn: in bounds, and with nothing in it that a placeholder stands for.
///
/// - A sealed field keeps its class and the facts of presence; a class that is not a plain word is dropped, since it could
///   carry the value. A field without content (or with one that this version does not know) is dropped.
/// - A block that holds a placeholder has no reference to a larger whole.
/// - An address that is not `http` or `https` is dropped, a picture's type that is not `image/…` likewise.
/// - Text and lists are cut at the limits; `total` then says how long the whole was. Values that not everybody may read
///   have limits of their own and count nowhere else.
pub fn admit(mut block: pb::Block) -> pb::Block {
    let guarded = block.kind.as_ref().map_or(0, guarded);
    let left = if guarded == 0 { BLOCK_MAX } else { BLOCK_MAX - GUARDED_MAX };
    let mut room = Room { left, seen: 0, cut: false, guarded_share: GUARDED_MAX / guarded.max(1) };
    let mut placeholders = false;
    shorten(&mut block.note, NAME_MAX);
    shorten(&mut block.r#ref, NAME_MAX);
    match &mut block.kind {
        Some(Kind::Terminal(b)) => {
            room.text(&mut b.command, BLOCK_MAX / 4);
            room.text(&mut b.output, BLOCK_MAX);
        }
        Some(Kind::Diff(b)) => {
            room.text(&mut b.path, NAME_MAX);
            room.text(&mut b.patch, BLOCK_MAX);
        }
        Some(Kind::Files(b)) => {
            room.text(&mut b.detail, NAME_MAX);
            room.list(&mut b.files, |room, f| {
                room.text(&mut f.path, NAME_MAX);
                if !matches!(&*f.change, "" | "added" | "modified" | "deleted" | "renamed" | "read") {
                    f.change.clear();
                }
            });
        }
        Some(Kind::Record(b)) => {
            room.text(&mut b.r#type, NAME_MAX);
            room.text(&mut b.id, NAME_MAX);
            room.text(&mut b.title, NAME_MAX);
            roles(&mut room, &mut b.read_roles);
            placeholders = fields(&mut room, &mut b.fields);
        }
        Some(Kind::Task(b)) => {
            room.text(&mut b.title, NAME_MAX);
            room.list(&mut b.items, |room, i| {
                room.text(&mut i.text, NAME_MAX);
                if !matches!(&*i.state, "" | "pending" | "in_progress" | "completed") {
                    i.state.clear();
                }
            });
        }
        Some(Kind::Draft(b)) => {
            room.text(&mut b.kind, NAME_MAX);
            room.text(&mut b.title, NAME_MAX);
            placeholders = fields(&mut room, &mut b.fields);
            room.text(&mut b.body, BLOCK_MAX);
        }
        Some(Kind::FlowChange(b)) => {
            room.text(&mut b.flow, NAME_MAX);
            room.text(&mut b.summary, BLOCK_MAX / 4);
            room.list(&mut b.steps, |room, s| room.text(s, NAME_MAX));
        }
        Some(Kind::Answer(b)) => {
            placeholders = fields(&mut room, &mut b.fields);
            room.text(&mut b.text, BLOCK_MAX / 2);
            room.list(&mut b.sources, |room, s| {
                room.text(&mut s.title, NAME_MAX);
                if !is_web(&s.url) || s.url.len() > NAME_MAX {
                    s.url.clear();
                }
                room.text(&mut s.url, NAME_MAX);
            });
        }
        Some(Kind::Screen(b)) => {
            room.text(&mut b.title, NAME_MAX);
            if !is_picture(&b.media_type) {
                b.media_type.clear();
            }
        }
        Some(Kind::Text(b)) => room.text(&mut b.text, BLOCK_MAX),
        None => {}
    }
    if placeholders {
        block.r#ref.clear();
    }
    if room.cut {
        block.total = block.total.max(room.seen as u64);
    }
    block
}

/// The block's bytes, to be kept beside something else.
pub fn encode(block: &pb::Block) -> Vec<u8> {
    block.encode_to_vec()
}

/// Reads what [`encode`] wrote, through the door. `None` for what is no block.
pub fn decode(bytes: &[u8]) -> Option<pb::Block> {
    pb::Block::decode(bytes).ok().map(admit)
}

/// Stands for a sealed value of this class.
pub fn sealed(class: &str, present: bool, valid_format: bool, can_reveal: bool) -> Content {
    Content::Sealed(pb::Sealed { sealed: word(class).into_owned(), present, valid_format, can_reveal })
}

/// Stands for a field that the viewer's role may not read.
pub fn hidden_by_role(kind: &str, present: bool) -> Content {
    Content::Hidden(pb::HiddenField { hidden: "role".into(), kind: word(kind).into_owned(), present })
}

/// What is left of the content's bound.
struct Room {
    left: usize,
    /// Bytes of the whole.
    seen: usize,
    cut: bool,
    /// Longest value that not everybody may read.
    guarded_share: usize,
}

/// How many fields of the block are not for everybody who may read the block.
fn guarded(kind: &Kind) -> usize {
    let fields = match kind {
        Kind::Record(b) => &b.fields,
        Kind::Draft(b) => &b.fields,
        Kind::Answer(b) => &b.fields,
        _ => return 0,
    };
    fields.iter().filter(|f| !f.read_roles.is_empty()).count()
}

impl Room {
    fn text(&mut self, s: &mut String, max: usize) {
        self.seen += s.len();
        if shorten(s, max.min(self.left)) {
            self.cut = true;
        }
        self.left -= s.len();
    }

    fn list<T>(&mut self, items: &mut Vec<T>, mut each: impl FnMut(&mut Self, &mut T)) {
        let mut kept = 0;
        for item in &mut *items {
            if kept == ENTRIES_MAX || self.left < ENTRY_COST {
                break;
            }
            self.left -= ENTRY_COST;
            each(self, item);
            kept += 1;
        }
        if kept < items.len() {
            // What the others held is not read any more; each counts as what it costs.
            self.seen += (items.len() - kept) * ENTRY_COST;
            self.cut = true;
            items.truncate(kept);
        }
    }
}

fn shorten(s: &mut String, max: usize) -> bool {
    let keep = cut(s, max).len();
    let shorter = keep < s.len();
    if shorter {
        s.truncate(keep);
        s.shrink_to_fit();
    }
    shorter
}

/// Says whether a placeholder is among them.
fn fields(room: &mut Room, fields: &mut Vec<pb::Field>) -> bool {
    fields.retain(|f| f.content.is_some() && !f.name.is_empty());
    let mut placeholders = false;
    room.list(fields, |room, f| {
        room.text(&mut f.name, NAME_MAX / 16);
        roles(room, &mut f.read_roles);
        match &mut f.content {
            Some(Content::Value(v)) if !f.read_roles.is_empty() => {
                shorten(v, VALUE_MAX.min(room.guarded_share));
            }
            Some(Content::Value(v)) => room.text(v, VALUE_MAX),
            Some(Content::Sealed(s)) => {
                placeholders = true;
                keep_word(&mut s.sealed);
            }
            Some(Content::Hidden(h)) => {
                placeholders = true;
                keep_word(&mut h.hidden);
                keep_word(&mut h.kind);
            }
            None => {}
        }
    });
    placeholders
}

fn roles(room: &mut Room, roles: &mut Vec<String>) {
    // A role that cannot be kept whole must not vanish: the list would let more people read. It stays, and matches nobody.
    let none = || "-".to_owned();
    for role in roles.iter_mut().filter(|r| r.len() > NAME_MAX / 32) {
        *role = none();
    }
    if roles.len() > ENTRIES_MAX / 16 {
        *roles = vec![none()];
    }
    for role in roles {
        room.seen += role.len();
        room.left = room.left.saturating_sub(role.len() + ENTRY_COST);
    }
}

fn keep_word(s: &mut String) {
    if let Cow::Borrowed("") = word(s) {
        s.clear();
    }
}

/// A class or a kind is one short lowercase word. Anything else may be a value in disguise, and becomes nothing.
fn word(s: &str) -> Cow<'_, str> {
    let plain = |b: u8| b.is_ascii_lowercase() || matches!(b, b'-' | b'_' | b'.');
    if s.len() <= 32 && s.bytes().all(plain) { Cow::Borrowed(s) } else { Cow::Borrowed("") }
}

fn is_web(url: &str) -> bool {
    let starts = |scheme: &str| url.get(..scheme.len()).is_some_and(|s| s.eq_ignore_ascii_case(scheme));
    (starts("http://") || starts("https://")) && !url.chars().any(|c| c.is_control() || c.is_whitespace())
}

fn is_picture(media_type: &str) -> bool {
    media_type.len() <= 64
        && media_type.strip_prefix("image/").is_some_and(|t| {
            !t.is_empty() && t.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
        })
}

#[cfg(test)]
mod tests;
