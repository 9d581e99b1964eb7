//! [`Frame`]: the checked view of one frame, and what a client may do to it: read it, trim it.
//!
//! A `Frame` that exists is valid: its class and its cursor agree, its span starts above 0, and a merged one has a part
//! for each cursor that it covers. What a reader does not know stays neutral: an unknown arm has a cursor and no kind.

mod delta;

use bytes::Bytes;
use prost::Message;

use crate::cursor::{Cursor, Span};
use crate::kind::{Class, Kind};
use crate::limits::CURSOR_END;
use crate::pb::stream as pb;
use crate::pb::stream::frame::Data;

pub use delta::Delta;

/// Why a message is not a frame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// Not a protobuf message of the right shape.
    #[error("a frame could not be decoded: {0}")]
    Malformed(#[from] prost::DecodeError),
    /// The cursor is beyond what any reader can count.
    #[error("cursor {cur} is not below 2^53")]
    CursorTooLarge {
        /// The cursor it claims.
        cur: u64,
    },
    /// The span would start at 0 or below.
    #[error("a frame at cursor {cur} cannot cover {span} cursors")]
    SpanTooLong {
        /// Its cursor.
        cur: u64,
        /// The span it claims.
        span: u64,
    },
    /// A logged frame without a cursor, or a control or ephemeral one with a cursor.
    #[error("a {kind} frame cannot have cursor {cur}")]
    WrongClass {
        /// Its kind.
        kind: &'static str,
        /// The cursor it claims.
        cur: u64,
    },
    /// A frame of several cursors without one part for each.
    #[error("a {kind} frame covers {span} cursors and has {parts} parts")]
    PartsMismatch {
        /// Its kind.
        kind: &'static str,
        /// Cursors covered.
        span: u64,
        /// Parts there.
        parts: usize,
    },
}

/// One valid frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame(pb::Frame);

impl Frame {
    /// Decodes and checks one record's content.
    pub fn decode(record: Bytes) -> Result<Frame, FrameError> {
        Frame::check(pb::Frame::decode(record)?)
    }

    /// Checks a message.
    pub fn check(f: pb::Frame) -> Result<Frame, FrameError> {
        if f.cur >= CURSOR_END {
            return Err(FrameError::CursorTooLarge { cur: f.cur });
        }
        if f.cur > 0 && f.span > f.cur {
            return Err(FrameError::SpanTooLong { cur: f.cur, span: f.span });
        }
        let Some(data) = &f.data else { return Ok(Frame(f)) };
        let kind = Kind::of(data);
        let has_cursor = matches!(kind.class(), Class::Logged | Class::Hidden);
        if has_cursor != (f.cur > 0) {
            return Err(FrameError::WrongClass { kind: kind.name(), cur: f.cur });
        }
        let span = f.span.max(1);
        let parts = match data {
            Data::TextDelta(d) => Some(d.parts.len()),
            Data::ToolProgress(d) => Some(d.parts.len()),
            _ => None,
        };
        let wrong = match (parts, data) {
            // A run of these has no parts: a piece of it is shorter, and that is all.
            (None, Data::Lost(_) | Data::Hidden(_)) => None,
            (None, _) => (has_cursor && span > 1).then_some(0),
            // Emptied text may stand without parts.
            (Some(0), _) if span == 1 || f.expired || f.cut => None,
            (Some(n), _) => (n as u64 != span).then_some(n),
        };
        if let Some(parts) = wrong {
            return Err(FrameError::PartsMismatch { kind: kind.name(), span, parts });
        }
        if let Data::TextDelta(d) = data
            && !d.part_lane.is_empty()
            && (d.part_lane.len() != d.parts.len() || d.part_lane.iter().any(|l| *l as usize >= d.lanes.len()))
        {
            return Err(FrameError::PartsMismatch { kind: kind.name(), span, parts: d.part_lane.len() });
        }
        Ok(Frame(f))
    }

    /// The message itself.
    pub fn get(&self) -> &pb::Frame {
        &self.0
    }

    /// The message itself, given away.
    pub fn into_inner(self) -> pb::Frame {
        self.0
    }

    /// Its kind; `None` for one that this version does not know.
    pub fn kind(&self) -> Option<Kind> {
        self.0.data.as_ref().map(Kind::of)
    }

    /// Its class. What is unknown goes by its cursor.
    pub fn class(&self) -> Class {
        match self.kind() {
            Some(k) => k.class(),
            None if self.0.cur > 0 => Class::Logged,
            None => Class::Ephemeral,
        }
    }

    /// The cursors that it covers; `None` for control and ephemeral frames.
    pub fn span(&self) -> Option<Span> {
        Span::ending(Cursor::new(self.0.cur)?, self.0.span)
    }

    /// Whether its words are encrypted for the screens: what search, memory and export must skip.
    pub fn is_encrypted(&self) -> bool {
        matches!(&self.0.data, Some(Data::UserMessage(m)) if m.enc.is_some())
    }

    /// Without the first `n` cursors that it covers: whole parts go, text is never cut by count. `None` if nothing is left.
    pub fn without_first(mut self, n: u64) -> Option<Frame> {
        if n == 0 {
            return Some(self);
        }
        let span = self.span()?.without_first(n)?;
        self.0.span = if span.len() == 1 { 0 } else { span.len() };
        // `n` is below the number of parts, which is a `usize`.
        let drop = usize::try_from(n).ok()?;
        match &mut self.0.data {
            Some(Data::TextDelta(d)) if !d.parts.is_empty() => trim_text(d, drop),
            Some(Data::ToolProgress(p)) if !p.parts.is_empty() => {
                p.at = p.at.saturating_add(trim(&mut p.parts, drop));
                if let [only] = &mut p.parts[..] {
                    p.text = std::mem::take(only);
                    p.parts.clear();
                }
            }
            _ => {}
        }
        Some(self)
    }
}

/// The cursors that an encoded frame covers, without decoding it. `None` where it is not logged or not a frame.
///
/// Canonical bytes begin with the fields of the lowest numbers; bytes in another order are decoded whole.
pub fn peek_span(message: &[u8]) -> Option<Span> {
    let (mut cur, mut span, mut rest) = (0, 0, message);
    // `v`, `cur` and `span` have the tags 0x08, 0x10 and 0x18 and stand first.
    while let Some((tag @ (0x08 | 0x10 | 0x18), after)) = rest.split_first() {
        rest = after;
        let value = prost::encoding::decode_varint(&mut rest).ok()?;
        match tag {
            0x10 => cur = value,
            0x18 => span = value,
            _ => {}
        }
    }
    if cur == 0 {
        let frame = pb::Frame::decode(message).ok()?;
        (cur, span) = (frame.cur, frame.span);
    }
    Span::ending(Cursor::new(cur)?, span)
}

/// What can be told of an encoded frame without decoding it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peek {
    /// The cursors that it covers; `None` where it is not logged.
    pub span: Option<Span>,
    /// The version of the reply handle through which it was written, if it was.
    pub ver: Option<u64>,
    /// The number of the field in which its data stands; 0 without data.
    pub data: u32,
}

/// Looks at an encoded frame. `None` for what is not one. Costs no allocation, however large the frame is.
pub fn peek(message: &[u8]) -> Option<Peek> {
    use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};
    let (mut cur, mut span, mut ver, mut through_handle, mut data) = (0, 0, 0, false, 0);
    let mut rest = message;
    while !rest.is_empty() {
        let (tag, wire) = decode_key(&mut rest).ok()?;
        match (tag, wire) {
            (2, WireType::Varint) => cur = decode_varint(&mut rest).ok()?,
            (3, WireType::Varint) => span = decode_varint(&mut rest).ok()?,
            (15, WireType::Varint) => ver = decode_varint(&mut rest).ok()?,
            (14, WireType::LengthDelimited) => {
                let len = usize::try_from(decode_varint(&mut rest).ok()?).ok()?;
                through_handle = len > 0;
                rest = rest.get(len..)?;
            }
            _ => {
                if tag >= 32 {
                    data = tag;
                }
                skip_field(wire, tag, &mut rest, DecodeContext::default()).ok()?;
            }
        }
    }
    let span = if cur == 0 { None } else { Some(Span::ending(Cursor::new(cur)?, span)?) };
    Some(Peek { span, ver: through_handle.then_some(ver), data })
}

/// Takes the first `n` parts away and says how many bytes they had.
fn trim(parts: &mut Vec<String>, n: usize) -> u64 {
    parts.drain(..n.min(parts.len())).map(|p| p.len() as u64).sum()
}

fn trim_text(d: &mut pb::TextDelta, n: usize) {
    if d.part_lane.is_empty() {
        d.at = d.at.saturating_add(trim(&mut d.parts, n));
        if let [only] = &mut d.parts[..] {
            d.text = std::mem::take(only);
            d.parts.clear();
        }
        return;
    }
    let n = n.min(d.parts.len());
    for (part, lane) in d.parts.drain(..n).zip(d.part_lane.drain(..n)) {
        if let Some(l) = d.lanes.get_mut(lane as usize) {
            l.at = l.at.saturating_add(part.len() as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(cur: u64, parts: &[&str]) -> pb::Frame {
        pb::Frame {
            v: 1,
            cur,
            span: parts.len() as u64,
            data: Some(Data::TextDelta(pb::TextDelta {
                at: 100,
                parts: parts.iter().map(|p| p.to_string()).collect(),
                ..Default::default()
            })),
            ..Default::default()
        }
    }

    #[test]
    fn trimming_drops_whole_parts_and_moves_the_offset() {
        let f = Frame::check(merged(10, &["ab", "", "cde", "f"])).unwrap();
        let t = f.clone().without_first(2).unwrap();
        assert_eq!(t.span().unwrap().first().get(), 9);
        let Some(Data::TextDelta(d)) = &t.get().data else { panic!() };
        assert_eq!((d.at, d.parts.join("|")), (102, "cde|f".into()));
        let one = f.clone().without_first(3).unwrap();
        let Some(Data::TextDelta(d)) = &one.get().data else { panic!() };
        assert_eq!((d.at, d.text.as_str(), d.parts.len()), (105, "f", 0));
        assert!(f.without_first(4).is_none());
    }

    #[test]
    fn a_lost_run_is_trimmed_by_its_span() {
        let lost = pb::Frame { cur: 9, span: 5, data: Some(Data::Lost(Default::default())), ..Default::default() };
        let t = Frame::check(lost).unwrap().without_first(3).unwrap();
        assert_eq!((t.span().unwrap().first().get(), t.span().unwrap().len()), (8, 2));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let mut f = merged(10, &["a", "b"]);
        f.span = 3;
        assert!(matches!(Frame::check(f.clone()), Err(FrameError::PartsMismatch { .. })));
        f.cur = 1 << 53;
        assert!(matches!(Frame::check(f), Err(FrameError::CursorTooLarge { .. })));
        assert!(matches!(Frame::check(merged(1, &["a", "b"])), Err(FrameError::SpanTooLong { .. })));
        let beat = pb::Frame { cur: 4, data: Some(Data::Heartbeat(Default::default())), ..Default::default() };
        assert!(matches!(Frame::check(beat), Err(FrameError::WrongClass { .. })));
        let delta = pb::Frame { data: Some(Data::TextDelta(Default::default())), ..Default::default() };
        assert!(matches!(Frame::check(delta), Err(FrameError::WrongClass { .. })));
    }

    #[test]
    fn a_peek_sees_what_a_decoder_sees() {
        for f in [merged(10, &["a", "b"]), pb::Frame { cur: 300, ..Default::default() }, pb::Frame::default()] {
            let span = Span::ending(Cursor::new(f.cur).unwrap(), f.span);
            assert_eq!(peek_span(&f.encode_to_vec()), span);
        }
        assert_eq!(peek_span(&[0x28, 0x01, 0x10, 0x05]), Span::ending(Cursor::new(5).unwrap(), 1));
        assert_eq!(peek_span(&[0x10]), None);
    }

    #[test]
    fn an_unknown_kind_keeps_its_cursor() {
        let unknown = pb::Frame { v: 9, cur: 13, ..Default::default() };
        let f = Frame::check(unknown).unwrap();
        assert_eq!((f.kind(), f.class(), f.span().unwrap().end().get()), (None, Class::Logged, 13));
    }
}
