//! Frames as a class of viewers sees them: made once for the class, shared by all its readers.
//!
//! A reader whose class sees everything up to where it reads never comes here. For the others each record is looked at
//! without decoding it; what has to be drawn is drawn once and kept for the other readers of the class, a bounded number of
//! records and bytes, the oldest made out first. What a class has kept goes with its last reader.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::Weak;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use bytes::BytesMut;
use prost::Message;
use vyre_proto::cursor::Cursor;
use vyre_proto::cursor::Span;
use vyre_proto::frame::peek;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::record;

use crate::rules::viewer::Class;
use crate::rules::viewer::Glance;
use crate::rules::viewer::Rendered;
use crate::rules::viewer::hidden;
use crate::rules::viewer::render;

/// Most records that are kept for one class of one session.
const RECORDS_MAX: usize = 1024;

/// Most bytes of them.
const BYTES_MAX: usize = 1 << 20;

/// The classes of one session that have readers.
#[derive(Debug, Default)]
pub(crate) struct Drawers {
    by_class: Mutex<HashMap<Class, Weak<Drawer>>>,
    renders: Arc<AtomicU64>,
}

/// Draws for one class.
pub(crate) struct Drawer {
    session: SessionId,
    class: Class,
    kept: Mutex<Kept>,
    renders: Arc<AtomicU64>,
}

/// What was drawn, by the last cursor of the frame.
#[derive(Default)]
struct Kept {
    /// `None`: the canonical record is right.
    records: HashMap<Cursor, Option<Bytes>>,
    order: VecDeque<Cursor>,
    bytes: usize,
}

impl fmt::Debug for Drawer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Drawer({}, {:?})", self.session, self.class)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is kept is whole between two insertions.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drawers {
    /// The one that draws for this class.
    pub(crate) fn of(&self, session: &SessionId, class: Class) -> Arc<Drawer> {
        let mut all = lock(&self.by_class);
        if let Some(drawer) = all.get(&class).and_then(Weak::upgrade) {
            return drawer;
        }
        all.retain(|_, d| d.strong_count() > 0);
        let (session, renders) = (session.clone(), self.renders.clone());
        let drawer = Arc::new(Drawer { session, class: class.clone(), kept: Mutex::default(), renders });
        all.insert(class, Arc::downgrade(&drawer));
        drawer
    }

    /// Forgets what was drawn of these frames: they have changed in the log.
    pub(crate) fn forget(&self, changed: &[(Cursor, Bytes)]) {
        for drawer in lock(&self.by_class).values().filter_map(Weak::upgrade) {
            let mut kept = lock(&drawer.kept);
            for (cur, _) in changed {
                if let Some(gone) = kept.records.remove(cur) {
                    kept.bytes -= gone.map_or(0, |b| b.len());
                    kept.order.retain(|c| c != cur);
                }
            }
        }
    }

    /// How often a frame was drawn, for all classes together.
    pub(crate) fn renders(&self) -> u64 {
        self.renders.load(Ordering::Relaxed)
    }
}

impl Drawer {
    /// For whom it draws.
    pub(crate) fn class(&self) -> &Class {
        &self.class
    }

    /// Whole records as the class sees them, each cursor covered as before.
    pub(crate) fn draw(&self, records: Bytes) -> Bytes {
        let mut out: Option<BytesMut> = None;
        let mut rest = &records[..];
        while let Some((rec, prefix)) = record::split(rest) {
            let done = records.len() - rest.len();
            rest = &rest[rec.len()..];
            // What cannot be looked at cannot be judged, and is given to nobody. The log holds no such record.
            let Some(seen) = peek(&rec[prefix..]) else {
                out.get_or_insert_with(|| BytesMut::from(&records[..done]));
                continue;
            };
            let (glance, span) = (self.class.glance(&seen), seen.span);
            let drawn = match (glance, span) {
                (Glance::Same, _) | (_, None) => None,
                (Glance::Hidden, Some(span)) => Some(record::to_record(&hidden(span, self.session.as_str()))),
                (Glance::Look, Some(span)) => self.look(span.end(), records.slice_ref(&rec[prefix..])),
            };
            match (drawn, &mut out) {
                (None, None) => {}
                (None, Some(out)) => out.extend_from_slice(rec),
                (Some(drawn), _) => {
                    out.get_or_insert_with(|| BytesMut::from(&records[..done])).extend_from_slice(&drawn);
                }
            }
        }
        out.map_or(records, BytesMut::freeze)
    }

    /// The record of the frame that ends at `cur`, drawn now or before. `None`: the canonical one.
    fn look(&self, cur: Cursor, message: Bytes) -> Option<Bytes> {
        // Held while it is drawn: the others of the class wait for it, and none draws it again.
        let mut kept = lock(&self.kept);
        if let Some(known) = kept.records.get(&cur) {
            return known.clone();
        }
        self.renders.fetch_add(1, Ordering::Relaxed);
        let drawn = match pb::Frame::decode(message) {
            Ok(frame) => match render(&frame, &self.class) {
                Rendered::Same => None,
                Rendered::Other(other) => Some(record::to_record(&*other)),
                Rendered::Hidden => {
                    let end = Span::ending(cur, frame.span);
                    end.map(|span| record::to_record(&hidden(span, self.session.as_str())))
                }
            },
            // It was looked at before: this does not happen, and if it did, nobody would see what it says.
            Err(_) => {
                let end = Span::ending(cur, 1);
                end.map(|span| record::to_record(&hidden(span, self.session.as_str())))
            }
        };
        kept.put(cur, drawn.clone());
        drawn
    }
}

impl Kept {
    fn put(&mut self, cur: Cursor, drawn: Option<Bytes>) {
        self.bytes += drawn.as_ref().map_or(0, Bytes::len);
        self.records.insert(cur, drawn);
        self.order.push_back(cur);
        while self.records.len() > RECORDS_MAX || (self.bytes > BYTES_MAX && self.records.len() > 1) {
            let Some(oldest) = self.order.pop_front() else { return };
            let gone = self.records.remove(&oldest).flatten();
            self.bytes -= gone.map_or(0, |b| b.len());
        }
    }
}

#[cfg(test)]
mod tests;
