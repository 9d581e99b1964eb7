//! Joins a run of adjacent deltas into one frame for a replay.
//!
//! A merged frame has one part for each cursor it covers, so that a reader who holds some of them drops whole parts.
//! Where a run ends depends on the frames alone and on where the replay began, never on how they were read: a merger
//! keeps an unfinished run from one chunk to the next, and gives it out at the head.
//!
//! A run never crosses message, author, turn, parent, channel or call, nor anything but a delta, nor a delta whose
//! offset does not follow on, nor one that is expired or cut, nor the limits of [`vyre_proto::limits`].

use bytes::Bytes;
use bytes::BytesMut;
use prost::Message;
use vyre_proto::limits::MERGE_BYTES_MAX;
use vyre_proto::limits::MERGE_PARTS_MAX;
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
    parts: Vec<String>,
    /// Offset of the first part, and of what would follow the last.
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

    fn frame(&mut self, mut frame: Frame, bytes: Bytes, out: &mut BytesMut) {
        let Some((at, text)) = take_text(&mut frame) else {
            self.finish(out);
            out.extend_from_slice(&bytes);
            return;
        };
        if let Some(run) = &mut self.run
            && run.takes(&frame, at, &text)
        {
            run.next_at += text.len() as u64;
            run.parts.push(text);
            run.frame = frame;
            return;
        }
        self.finish(out);
        let next_at = at + text.len() as u64;
        self.run = Some(Run { frame, first: bytes, parts: vec![text], at, next_at });
    }
}

/// Takes the text out of a delta that may be part of a run, and gives it with its offset.
fn take_text(f: &mut Frame) -> Option<(u64, String)> {
    if f.span > 1 || f.expired || f.cut {
        return None;
    }
    match &mut f.data {
        Some(Data::TextDelta(d)) if d.parts.is_empty() => {
            Some((std::mem::take(&mut d.at), std::mem::take(&mut d.text)))
        }
        Some(Data::ToolProgress(p)) if p.parts.is_empty() => {
            Some((std::mem::take(&mut p.at), std::mem::take(&mut p.text)))
        }
        _ => None,
    }
}

impl Run {
    /// Whether `f`, its text taken out, goes on where this run ends.
    fn takes(&self, f: &Frame, at: u64, text: &str) -> bool {
        let r = &self.frame;
        at == self.next_at
            && self.parts.len() < MERGE_PARTS_MAX
            && self.next_at - self.at + text.len() as u64 <= MERGE_BYTES_MAX as u64
            && f.cur == r.cur + 1
            && f.data == r.data
            && f.message == r.message
            && f.author == r.author
            && f.acts_for == r.acts_for
            && f.turn == r.turn
            && f.parent == r.parent
            && f.corr == r.corr
            && f.rid == r.rid
            && f.session == r.session
            && f.v == r.v
    }

    fn write(self, out: &mut BytesMut) {
        if self.parts.len() == 1 {
            out.extend_from_slice(&self.first);
            return;
        }
        let mut f = self.frame;
        f.span = self.parts.len() as u64;
        match &mut f.data {
            Some(Data::TextDelta(d)) => (d.at, d.parts) = (self.at, self.parts),
            Some(Data::ToolProgress(p)) => (p.at, p.parts) = (self.at, self.parts),
            _ => {}
        }
        record::encode(&f, out);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use vyre_proto::frame::Frame as Checked;
    use vyre_proto::pb::stream as pb;

    use super::*;

    fn delta(cur: u64, message: &str, at: u64, text: &str) -> Frame {
        let data = Some(Data::TextDelta(pb::TextDelta { at, text: text.into(), ..Default::default() }));
        Frame { v: 1, cur, message: message.into(), data, ..Default::default() }
    }

    fn records(frames: &[Frame]) -> Bytes {
        let mut out = BytesMut::new();
        frames.iter().for_each(|f| record::encode(f, &mut out));
        out.freeze()
    }

    fn merge(chunks: &[Bytes]) -> Vec<Frame> {
        let (mut m, mut out) = (Merger::default(), BytesMut::new());
        chunks.iter().for_each(|c| m.push(c, &mut out));
        m.finish(&mut out);
        let (mut d, mut frames) = (record::Decoder::new(), Vec::new());
        d.push(&out);
        while let Some(r) = d.next().unwrap() {
            frames.push(Checked::decode(r).unwrap().into_inner());
        }
        frames
    }

    /// Takes merged frames apart again.
    fn apart(frames: Vec<Frame>) -> Vec<(u64, String, u64, String)> {
        let mut out = Vec::new();
        for f in frames {
            let Some(Data::TextDelta(d)) = f.data else { panic!() };
            let parts = if d.parts.is_empty() { vec![d.text] } else { d.parts };
            let (mut at, mut cur) = (d.at, f.cur - parts.len() as u64);
            for p in parts {
                cur += 1;
                out.push((cur, f.message.clone(), at, p.clone()));
                at += p.len() as u64;
            }
        }
        out
    }

    #[test]
    fn a_run_of_one_keeps_its_bytes() {
        let one = records(&[delta(1, "a", 0, "x")]);
        let (mut m, mut out) = (Merger::default(), BytesMut::new());
        m.push(&one, &mut out);
        assert!(out.is_empty() && !m.is_empty());
        m.finish(&mut out);
        assert_eq!(out.freeze(), one);
    }

    #[test]
    fn a_hole_in_the_text_ends_a_run() {
        let merged = merge(&[records(&[delta(1, "a", 0, "xy"), delta(2, "a", 2, "z"), delta(3, "a", 9, "w")])]);
        assert_eq!(merged.iter().map(|f| f.span).collect::<Vec<_>>(), [2, 0]);
    }

    #[test]
    fn limits_end_a_run() {
        let many: Vec<_> = (0..MERGE_PARTS_MAX as u64 + 1).map(|i| delta(i + 1, "a", 0, "")).collect();
        assert_eq!(merge(&[records(&many)]).len(), 2);
        let half = "x".repeat(MERGE_BYTES_MAX / 2 + 1);
        let at = half.len() as u64;
        assert_eq!(merge(&[records(&[delta(1, "a", 0, &half), delta(2, "a", at, &half)])]).len(), 2);
    }

    proptest! {
        #[test]
        fn merging_loses_nothing_and_does_not_depend_on_chunks(
            texts in prop::collection::vec((0usize..3, "[a-zé]{0,4}"), 1..60),
            cut in 1usize..10,
        ) {
            let mut at = [0u64; 3];
            let frames: Vec<_> = texts.iter().enumerate().map(|(i, (m, t))| {
                let f = delta(i as u64 + 1, ["a", "b", "c"][*m], at[*m], t);
                at[*m] += t.len() as u64;
                f
            }).collect();
            let whole = merge(&[records(&frames)]);
            let chunks: Vec<_> = frames.chunks(cut).map(records).collect();
            prop_assert_eq!(&merge(&chunks), &whole);
            for w in whole.windows(2) {
                prop_assert_ne!(&w[0].message, &w[1].message, "two neighbours of one message were not joined");
            }
            prop_assert_eq!(apart(whole), apart(frames));
        }
    }
}
