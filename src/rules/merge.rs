//! Joins runs of adjacent frames into one for a replay: deltas, what a call prints, and frames that are hidden.
//!
//! A merged delta has one part for each cursor it covers, so that a reader who holds some of them drops whole parts.
//! Deltas of several messages that come in turns share one frame, each part in the lane of its message: two who write at
//! once replay in as few frames as one. Where a run ends depends on the frames alone and on where the replay began, never
//! on how they were read: a merger keeps an unfinished run from one chunk to the next, and gives it out at the head.
//!
//! Frames come drawn for their viewer: first it is decided what is seen, then what is joined. So a run never reaches over
//! a frame that is hidden, and its limits count what the viewer gets.
//!
//! A run of deltas never crosses anything but a delta, nor one that is expired or cut, nor the limits of
//! [`vyre_proto::limits`]. In it a lane never crosses message, author, turn, parent, channel or reply handle, nor a delta
//! whose offset does not follow on. What a call prints is joined with more of the same call and nothing else.

use bytes::Bytes;
use bytes::BytesMut;
use prost::Message;
use vyre_proto::limits::MERGE_BYTES_MAX;
use vyre_proto::limits::MERGE_LANES_MAX;
use vyre_proto::limits::MERGE_PARTS_MAX;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::Frame;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::record;

/// Records in, fewer records out.
#[derive(Debug, Default)]
pub struct Merger {
    run: Option<Run>,
}

/// A run that may go on.
#[derive(Debug)]
struct Run {
    /// The newest frame of the run, its text taken out.
    frame: Frame,
    /// The first frame's record as it stood in the log: a run of one is given out as that.
    first: Bytes,
    /// Cursors covered.
    span: u64,
    what: What,
}

#[derive(Debug)]
enum What {
    /// Pieces of text: of one call, or of messages in their lanes.
    Text(Text),
    /// Nothing that this viewer may see.
    Hidden,
}

#[derive(Debug)]
struct Text {
    parts: Vec<String>,
    /// The lane of each part.
    part_lane: Vec<u32>,
    /// At least one.
    lanes: Vec<Lane>,
    bytes: usize,
}

/// One message, or one call, in a run.
#[derive(Debug)]
struct Lane {
    /// Its newest frame, its text taken out.
    frame: Frame,
    /// Offset of its first part, and of what would follow its last.
    at: u64,
    next_at: u64,
}

impl Merger {
    /// Takes whole records and appends to `out` what is finished.
    pub fn push(&mut self, records: &Bytes, out: &mut BytesMut) {
        let mut rest = &records[..];
        while let Some((rec, prefix)) = record::split(rest) {
            rest = &rest[rec.len()..];
            let bytes = records.slice_ref(rec);
            match Frame::decode(bytes.slice(prefix..)) {
                Ok(frame) => self.frame(frame, bytes, out),
                // Not ours to judge: it goes as it stands.
                Err(_) => {
                    self.finish(out);
                    out.extend_from_slice(&bytes);
                }
            }
        }
    }

    /// Gives out the unfinished run: the head is reached.
    pub fn finish(&mut self, out: &mut BytesMut) {
        if let Some(run) = self.run.take() {
            run.write(out);
        }
    }

    /// Whether a run is held back.
    pub fn is_empty(&self) -> bool {
        self.run.is_none()
    }

    fn frame(&mut self, frame: Frame, bytes: Bytes, out: &mut BytesMut) {
        let Some(piece) = Piece::of(frame) else {
            self.finish(out);
            out.extend_from_slice(&bytes);
            return;
        };
        let piece = match &mut self.run {
            Some(run) => match run.take(piece) {
                None => return,
                Some(piece) => piece,
            },
            None => piece,
        };
        self.finish(out);
        self.run = Some(Run::new(piece, bytes));
    }
}

/// A frame that may be part of a run.
struct Piece {
    /// Its text taken out.
    frame: Frame,
    span: u64,
    /// The text with its offset; `None` for a hidden one.
    text: Option<(u64, String)>,
}

impl Piece {
    fn of(mut f: Frame) -> Option<Piece> {
        let span = f.span.max(1);
        if let Some(Data::Hidden(_)) = f.data {
            f.span = 0;
            return Some(Piece { frame: f, span, text: None });
        }
        if span > 1 || f.expired || f.cut {
            return None;
        }
        let text = match &mut f.data {
            Some(Data::TextDelta(d)) if d.parts.is_empty() => (std::mem::take(&mut d.at), std::mem::take(&mut d.text)),
            Some(Data::ToolProgress(p)) if p.parts.is_empty() => {
                (std::mem::take(&mut p.at), std::mem::take(&mut p.text))
            }
            _ => return None,
        };
        Some(Piece { frame: f, span, text: Some(text) })
    }
}

impl Run {
    fn new(piece: Piece, first: Bytes) -> Run {
        let Piece { frame, span, text } = piece;
        let what = match text {
            None => What::Hidden,
            Some((at, text)) => {
                let (bytes, next_at) = (text.len(), at.saturating_add(text.len() as u64));
                let lanes = vec![Lane { frame: frame.clone(), at, next_at }];
                What::Text(Text { parts: vec![text], part_lane: vec![0], lanes, bytes })
            }
        };
        Run { frame, first, span, what }
    }

    /// Takes a piece that goes on where this run ends; else gives it back.
    fn take(&mut self, piece: Piece) -> Option<Piece> {
        let (r, f) = (&self.frame, &piece.frame);
        let follows = f.cur.checked_sub(piece.span) == Some(r.cur) && f.session == r.session && f.v == r.v;
        if !follows {
            return Some(piece);
        }
        match (&mut self.what, piece) {
            (What::Hidden, Piece { frame, span, text: None }) => {
                self.span += span;
                self.frame = frame;
                None
            }
            (What::Text(run), Piece { frame, span, text: Some((at, text)) }) => {
                let Some(lane) = run.lane_for(&frame, at, text.len()) else {
                    return Some(Piece { frame, span, text: Some((at, text)) });
                };
                run.bytes += text.len();
                run.parts.push(text);
                run.part_lane.push(lane);
                self.span += span;
                self.frame = frame;
                None
            }
            (_, piece) => Some(piece),
        }
    }

    fn write(self, out: &mut BytesMut) {
        let (mut f, span) = (self.frame, self.span);
        match self.what {
            What::Text(text) if text.parts.len() > 1 => text.write(&mut f),
            What::Hidden if span > 1 => {}
            // One frame, of one cursor or of several, stands as it stood.
            What::Text(_) | What::Hidden => return out.extend_from_slice(&self.first),
        }
        f.span = span;
        record::encode(&f, out);
    }
}

impl Text {
    /// The lane into which this piece goes, its end moved on; a new one if need be. `None` where it does not go on.
    fn lane_for(&mut self, f: &Frame, at: u64, len: usize) -> Option<u32> {
        if self.parts.len() >= MERGE_PARTS_MAX || self.bytes + len > MERGE_BYTES_MAX {
            return None;
        }
        let next_at = at.saturating_add(len as u64);
        // The lanes that went on last are the likely ones, and there are few.
        if let Some(n) = self.lanes.iter().position(|l| is_same(&l.frame, f)) {
            let lane = self.lanes.get_mut(n)?;
            if lane.next_at != at {
                return None;
            }
            lane.next_at = next_at;
            return u32::try_from(n).ok();
        }
        let words = |f: &Frame| matches!(f.data, Some(Data::TextDelta(_)));
        let all_words = words(f) && self.lanes.first().is_some_and(|l| words(&l.frame));
        if !all_words || self.lanes.len() >= MERGE_LANES_MAX {
            return None;
        }
        self.lanes.push(Lane { frame: f.clone(), at, next_at });
        u32::try_from(self.lanes.len() - 1).ok()
    }

    /// Puts the parts into the newest frame of the run.
    fn write(self, f: &mut Frame) {
        let at = self.lanes.first().map_or(0, |l| l.at);
        match &mut f.data {
            Some(Data::TextDelta(d)) if self.lanes.len() > 1 => {
                let lanes = self.lanes.into_iter().map(Lane::into_pb).collect();
                *d = pb::TextDelta { parts: self.parts, part_lane: self.part_lane, lanes, ..Default::default() };
                // All that differs between lanes stands in them.
                for text in [&mut f.message, &mut f.author, &mut f.acts_for, &mut f.turn, &mut f.parent] {
                    text.clear();
                }
                f.corr.clear();
                f.rid.clear();
                f.ver = 0;
            }
            Some(Data::TextDelta(d)) => (d.at, d.parts) = (at, self.parts),
            Some(Data::ToolProgress(p)) => (p.at, p.parts) = (at, self.parts),
            _ => {}
        }
    }
}

impl Lane {
    fn into_pb(self) -> pb::Lane {
        let Lane { frame: f, at, .. } = self;
        let channel = match f.data {
            Some(Data::TextDelta(d)) => d.channel,
            _ => 0,
        };
        let pb::Frame { message, author, acts_for, turn, parent, corr, rid, ver, .. } = f;
        pb::Lane { message, author, acts_for, turn, parent, channel, at, corr, rid, ver }
    }
}

/// Whether two pieces, their texts taken out, belong to one text in one reply.
fn is_same(a: &Frame, b: &Frame) -> bool {
    a.message == b.message
        && a.data == b.data
        && a.author == b.author
        && a.acts_for == b.acts_for
        && a.turn == b.turn
        && a.parent == b.parent
        && a.corr == b.corr
        && a.rid == b.rid
        && a.ver == b.ver
}

#[cfg(test)]
mod tests;
