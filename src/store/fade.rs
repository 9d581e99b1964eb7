//! What is old loses its content: slices of a session's events and frames, looked at once, written anew where it is due.
//!
//! Reading and deciding happens beside everything else, on what is on disk; the commit thread then puts the new rows in
//! the place of the old ones, together with how far the session was looked at. A slice is bounded, so that no commit
//! becomes long by it.
//!
//! A chunk in which nothing is left that could go is written without its seal. One in which words still wait for the end
//! of their message is sealed anew, under the key of now, when its own key is to go.

use std::collections::BTreeSet;

use bytes::Bytes;
use bytes::BytesMut;
use prost::Message;
use redb::ReadableDatabase;
use redb::ReadableTable;
use redb::WriteTransaction;
use vyre_proto::cursor::Cursor;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::record;
use vyre_proto::tick::Wall;

use crate::rules::retention::Fate;
use crate::rules::retention::Item;
use crate::rules::retention::Track;
use crate::rules::retention::empty_event;
use crate::rules::retention::empty_frame;
use crate::rules::retention::of_event;
use crate::rules::retention::of_frame;
use crate::store::Batch;
use crate::store::Store;
use crate::store::StoreError;
use crate::store::chunk;
use crate::store::chunk::Place;
use crate::store::keys::KeyNumber;
use crate::store::read::each;
use crate::store::tables;
use crate::store::tables::SessionRow;

/// Most chunks and about how many bytes of them one slice has.
const SLICE_CHUNKS: usize = 512;
const SLICE_BYTES: usize = 512 * 1024;

/// What is old.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Old {
    /// Logged then or before.
    pub cutoff: Wall,
    /// Keys up to this one are to go. `None`: none.
    pub keys: Option<KeyNumber>,
}

impl Old {
    /// What was logged then or before.
    pub fn at(cutoff: Wall) -> Old {
        Old { cutoff, keys: KeyNumber::last_old(cutoff) }
    }

    fn has_key(&self, key: u64) -> bool {
        key > 0 && self.keys.is_some_and(|last| key <= last.0)
    }
}

/// The events of a session, or its frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Its events.
    Events,
    /// Its frames.
    Frames,
}

/// What the next commit of a session writes anew.
#[derive(Debug, Default)]
pub struct Fade {
    rows: Vec<(Lane, u64, Vec<u8>)>,
    tracks: Option<Vec<u8>>,
}

#[cfg(test)]
impl Fade {
    /// How many rows it has, and how long they are.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.rows.len(), self.rows.iter().map(|(_, _, row)| row.len()).sum())
    }
}

/// Both tracks of a session, as they are stored.
#[derive(Clone, PartialEq, Message)]
struct Tracks {
    #[prost(bytes = "vec", tag = "1")]
    events: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    frames: Vec<u8>,
}

impl Tracks {
    fn of(&self, lane: Lane) -> Track {
        Track::decode(match lane {
            Lane::Events => &self.events,
            Lane::Frames => &self.frames,
        })
    }

    fn set(&mut self, lane: Lane, track: &Track) {
        match lane {
            Lane::Events => self.events = track.encode(),
            Lane::Frames => self.frames = track.encode(),
        }
    }
}

/// A slice, decided and to be written.
#[derive(Debug)]
pub(crate) struct Slice {
    pub(crate) fade: Fade,
    /// Frames that lost their content, as they stand now.
    pub(crate) emptied: Vec<(Cursor, Bytes)>,
}

/// One session's lane on its way to what is old.
#[derive(Debug)]
pub(crate) struct Pass {
    number: u64,
    lane: Lane,
    old: Old,
    group: bool,
    /// What was seen up to the end of the forward slice.
    ahead: Track,
    /// Chunks before it that are gone back for: from, and up to which.
    back: Option<(u64, u64)>,
    /// Where the forward slice begins, after.
    from: u64,
    /// The lowest key left behind in what was gone over.
    left: u64,
}

impl Store {
    /// Sessions in which something is old that was not looked at, or a key is to go; and when the next thing will be old,
    /// as the time at which it was logged. Blocks.
    pub(crate) fn old_sessions(&self, old: Old) -> Result<(Vec<SessionId>, Option<Wall>), StoreError> {
        self.shared.reading(|db| {
            let read = db.begin_read()?;
            let (events, frames) = (read.open_table(tables::EVENTS)?, read.open_table(tables::FRAMES)?);
            let faded = read.open_table(tables::FADED)?;
            let (mut due, mut next) = (Vec::new(), None::<Wall>);
            for entry in read.open_table(tables::SESSIONS)?.iter()? {
                let (id, row) = entry?;
                let (Ok(id), Ok(row)) = (SessionId::parse(id.value()), SessionRow::decode(row.value())) else {
                    continue;
                };
                let stored = faded.get(row.number)?.map(|t| Tracks::decode(t.value()).unwrap_or_default());
                let tracks = stored.unwrap_or_default();
                let mut is_due = old.has_key(key_of_row(&row));
                for (lane, table) in [(Lane::Events, &events), (Lane::Frames, &frames)] {
                    let track = tracks.of(lane);
                    is_due |= old.has_key(track.kept);
                    let Some(first) = table.range((row.number, track.upto + 1)..=(row.number, u64::MAX))?.next() else {
                        continue;
                    };
                    let Some(aged) = chunk::aged(first?.1.value()) else { continue };
                    if aged <= old.cutoff {
                        is_due = true;
                    } else {
                        next = Some(next.map_or(aged, |n| n.min(aged)));
                    }
                }
                if is_due {
                    due.push(id);
                }
            }
            Ok((due, next))
        })
    }

    /// Whether a session's row is sealed under a key that is to go. Blocks.
    pub(crate) fn is_row_old(&self, id: &SessionId, old: Old) -> Result<bool, StoreError> {
        self.shared.reading(|db| {
            let rows = db.begin_read()?.open_table(tables::SESSIONS)?;
            let row = rows.get(id.as_str())?.and_then(|row| SessionRow::decode(row.value()).ok());
            Ok(row.is_some_and(|row| old.has_key(key_of_row(&row))))
        })
    }

    /// Now, on the clock by which things grow old.
    pub(crate) fn age_now(&self) -> Wall {
        self.shared.now()
    }

    /// The lowest key that is there.
    pub(crate) fn first_key(&self) -> Option<KeyNumber> {
        self.shared.keys.first()
    }

    /// Takes old keys away: every session was looked at, and what it left is on disk. Blocks.
    pub(crate) fn drop_keys(&self, old: Old) -> Result<(), StoreError> {
        old.keys.map_or(Ok(()), |last| self.shared.keys.drop_up_to(last))
    }

    /// Looks at the next slice of a session's lane that is old. `None`: there is nothing to do. Blocks.
    pub(crate) fn look(
        &self,
        number: u64,
        lane: Lane,
        old: Old,
        group: bool,
        known: &BTreeSet<String>,
    ) -> Result<Option<Pass>, StoreError> {
        self.shared.reading(|db| {
            let read = db.begin_read()?;
            let table = read.open_table(table_of(lane))?;
            let stored =
                read.open_table(tables::FADED)?.get(number)?.map(|t| Tracks::decode(t.value()).unwrap_or_default());
            let stored = stored.unwrap_or_default();
            let track = stored.of(lane);
            let mut ahead = track.clone();
            let mut back = match lane {
                Lane::Events => ahead.forget(old.cutoff, known),
                Lane::Frames => None,
            };
            let (mut chunks, mut bytes) = (0, 0);
            for entry in table.range((number, track.upto + 1)..=(number, u64::MAX))? {
                let (key, value) = entry?;
                let (last, row) = (key.value().1, value.value());
                if chunk::aged(row).is_some_and(|aged| aged > old.cutoff) {
                    break;
                }
                if chunks >= SLICE_CHUNKS || bytes + row.len() > SLICE_BYTES && chunks > 0 {
                    break;
                }
                (chunks, bytes) = (chunks + 1, bytes + row.len());
                if let Some(read) = chunk::read(row, place(number, lane, last), &self.shared.keys) {
                    for message in each(&read.records) {
                        match lane {
                            Lane::Events => {
                                let Ok(event) = pb::Event::decode(message) else { continue };
                                let ended = ahead.see(of_event(&event), last, read.when.aged);
                                back = back.into_iter().chain(ended).min();
                            }
                            Lane::Frames => {
                                let Ok(frame) = pb::Frame::decode(message) else { continue };
                                if let (Item::Words(message), false) = (of_frame(&frame), frame.expired) {
                                    ahead.note(message, last);
                                }
                            }
                        }
                    }
                }
                ahead.upto = last;
            }
            if lane == Lane::Frames {
                back = back.into_iter().chain(ahead.agree(&stored.of(Lane::Events))).min();
            }
            if old.has_key(track.kept) {
                back = back.into_iter().chain(track.first_open()).min();
            }
            if chunks == 0 && back.is_none() && ahead == track && !old.has_key(track.kept) {
                return Ok(None);
            }
            let back = back.filter(|first| *first <= track.upto).map(|first| (first, track.upto));
            // What waited before and is not gone over now waits under the key that it had.
            let whole = match (track.first_open(), back) {
                (None, _) => true,
                (Some(open), Some((first, _))) => first <= open,
                (Some(_), None) => false,
            };
            let left = if whole { 0 } else { track.kept };
            Ok(Some(Pass { number, lane, old, group, ahead, back, from: track.upto, left }))
        })
    }

    /// Decides the next piece of a pass. The last one says how far the session was looked at. `None`: it was the last.
    /// Blocks.
    pub(crate) fn decide(&self, pass: &mut Pass) -> Result<Option<Slice>, StoreError> {
        self.shared.reading(|db| {
            let (first, upto, last_piece) = match pass.back {
                Some((first, upto)) => (first, upto, false),
                None if pass.from <= pass.ahead.upto => (pass.from + 1, pass.ahead.upto, true),
                None => return Ok(None),
            };
            let read = db.begin_read()?;
            let table = read.open_table(table_of(pass.lane))?;
            let mut slice = Slice { fade: Fade::default(), emptied: Vec::new() };
            let (mut chunks, mut bytes, mut next) = (0, 0, None);
            if first <= upto {
                for entry in table.range((pass.number, first)..=(pass.number, upto))? {
                    let (key, value) = entry?;
                    let (last, row) = (key.value().1, value.value());
                    if !last_piece && chunks > 0 && (chunks >= SLICE_CHUNKS || bytes + row.len() > SLICE_BYTES) {
                        next = Some(last);
                        break;
                    }
                    (chunks, bytes) = (chunks + 1, bytes + row.len());
                    self.settle(pass, last, row, &mut slice)?;
                }
            }
            if last_piece {
                let stored = read.open_table(tables::FADED)?.get(pass.number)?;
                let mut tracks = stored.map(|t| Tracks::decode(t.value()).unwrap_or_default()).unwrap_or_default();
                pass.ahead.kept = pass.left;
                tracks.set(pass.lane, &pass.ahead);
                slice.fade.tracks = Some(tracks.encode_to_vec());
                pass.from = u64::MAX;
            } else {
                pass.back = next.map(|next| (next, upto));
            }
            Ok(Some(slice))
        })
    }

    /// What becomes of one chunk.
    fn settle(&self, pass: &mut Pass, last: u64, row: &[u8], slice: &mut Slice) -> Result<(), StoreError> {
        let place = place(pass.number, pass.lane, last);
        let key = chunk::key(row);
        // What cannot be read is a hole, and stays one.
        let Some(read) = chunk::read(row, place, &self.shared.keys) else { return Ok(()) };
        let (mut out, mut changed, mut waits) = (BytesMut::with_capacity(read.records.len()), false, false);
        let mut rest = &read.records[..];
        while let Some((whole, prefix)) = record::split(rest) {
            rest = &rest[whole.len()..];
            let message = read.records.slice_ref(&whole[prefix..]);
            match emptied(pass, message, &mut waits) {
                Some((cur, record)) => {
                    changed = true;
                    out.extend_from_slice(&record);
                    slice.emptied.extend(cur.map(|cur| (cur, record)));
                }
                None => out.extend_from_slice(whole),
            }
        }
        let stays_sealed = waits && key.is_some();
        let renew = stays_sealed && key.is_some_and(|key| pass.old.has_key(key.0));
        let key = match (changed || renew || key.is_some() && !waits, waits) {
            (true, true) => Some(KeyNumber::at(self.shared.now())),
            (true, false) => None,
            (false, _) => key,
        };
        if changed || renew || read.key.is_some() && !waits {
            let count = u32::try_from(chunk::count(row)).unwrap_or(u32::MAX);
            let row = chunk::row(read.when, count, &out, place, key, &self.shared.keys)?;
            slice.fade.rows.push((pass.lane, last, row));
        }
        if let Some(key) = key.filter(|_| waits) {
            pass.left = if pass.left == 0 { key.0 } else { pass.left.min(key.0) };
        }
        Ok(())
    }
}

/// The key under which a session's row is sealed; 0: none.
fn key_of_row(row: &SessionRow) -> u64 {
    row.sealed.first_chunk::<8>().map_or(0, |n| u64::from_le_bytes(*n))
}

fn table_of(lane: Lane) -> redb::TableDefinition<'static, (u64, u64), &'static [u8]> {
    match lane {
        Lane::Events => tables::EVENTS,
        Lane::Frames => tables::FRAMES,
    }
}

fn place(session: u64, lane: Lane, last: u64) -> Place {
    Place { session, last, events: lane == Lane::Events }
}

/// The message without its content, if it loses it now, with its cursor if it is a frame.
fn emptied(pass: &Pass, message: Bytes, waits: &mut bool) -> Option<(Option<Cursor>, Bytes)> {
    let mut fate = |item: Item<'_>| {
        let fate = pass.ahead.fate(item, pass.group);
        *waits |= fate == Fate::Waits;
        fate == Fate::Expires
    };
    match pass.lane {
        Lane::Events => {
            let mut event = pb::Event::decode(message).ok().filter(|e| e.expired == 0)?;
            fate(of_event(&event)).then(|| empty_event(&mut event))?;
            Some((None, record::to_record(&event)))
        }
        Lane::Frames => {
            let mut frame = pb::Frame::decode(message).ok().filter(|f| !f.expired)?;
            fate(of_frame(&frame)).then(|| empty_frame(&mut frame))?;
            Some((Cursor::new(frame.cur), record::to_record(&frame)))
        }
    }
}

/// Puts what was decided in the place of what stands there.
pub(crate) fn write<'t>(
    txn: &WriteTransaction,
    batch: &Batch,
    row: &mut SessionRow,
    frames: &mut redb::Table<'t, (u64, u64), &'static [u8]>,
    events: &mut redb::Table<'t, (u64, u64), &'static [u8]>,
) -> Result<(), StoreError> {
    if batch.clear_frames {
        let mut faded = txn.open_table(tables::FADED)?;
        let stored = faded.get(row.number)?.map(|t| Tracks::decode(t.value()).unwrap_or_default());
        if let Some(mut tracks) = stored {
            // The log begins anew.
            tracks.frames.clear();
            faded.insert(row.number, tracks.encode_to_vec().as_slice())?;
        }
    }
    let Some(fade) = &batch.fade else { return Ok(()) };
    for (lane, last, new) in &fade.rows {
        let (table, key) = match lane {
            Lane::Events => (&mut *events, (row.number, *last)),
            Lane::Frames => (&mut *frames, (row.number, *last)),
        };
        // What the floor has passed meanwhile is gone.
        let Some(was) = table.get(key)?.map(|old| old.value().len()) else { continue };
        table.insert(key, new.as_slice())?;
        if *lane == Lane::Frames {
            row.bytes = row.bytes.saturating_sub(was as u64) + new.len() as u64;
        }
    }
    if let Some(tracks) = &fade.tracks {
        txn.open_table(tables::FADED)?.insert(row.number, tracks.as_slice())?;
    }
    Ok(())
}
