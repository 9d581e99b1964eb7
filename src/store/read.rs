//! Reading: short transactions, bounded answers.

use bytes::Bytes;
use bytes::BytesMut;
use prost::Message;
use redb::ReadableDatabase;
use redb::ReadableTable;
use vyre_proto::cursor::Cursor;
use vyre_proto::cursor::Span;
use vyre_proto::frame::peek_span;
use vyre_proto::ids::SessionId;
use vyre_proto::record;
use vyre_proto::tick::Wall;

use crate::store::Store;
use crate::store::StoreError;
use crate::store::chunk;
use crate::store::chunk::Place;
use crate::store::keys::KeyNumber;
use crate::store::tables;
use crate::store::tables::SessionRow;

/// Frames read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameRun {
    /// Whole records in order. The first may begin at or below what was asked; they end at `end`.
    Records {
        /// The records.
        records: Bytes,
        /// The last cursor in them.
        end: Cursor,
    },
    /// These cursors cannot be read: their row is damaged or missing.
    Damaged(Span),
    /// There is nothing after what was asked.
    Nothing,
}

impl Store {
    /// The row of a session.
    pub fn session(&self, id: &SessionId) -> Result<Option<SessionRow>, StoreError> {
        self.shared.reading(|db| {
            let rows = db.begin_read()?.open_table(tables::SESSIONS)?;
            let Some(row) = rows.get(id.as_str())? else { return Ok(None) };
            let damaged = |e: prost::DecodeError| StoreError::Damaged {
                path: self.shared.path().to_owned(),
                reason: format!("the row of session {id} is not readable ({e})"),
            };
            SessionRow::decode(row.value()).map(|row| Some(self.unseal(row))).map_err(damaged)
        })
    }

    /// A row with the adapter's state as it was. One that cannot be opened is none: the log is made anew.
    fn unseal(&self, mut row: SessionRow) -> SessionRow {
        if let Some((key, sealed)) = std::mem::take(&mut row.sealed).split_first_chunk::<8>() {
            let key = KeyNumber(u64::from_le_bytes(*key));
            let place = adapter_place(row.number);
            row.adapter = self.shared.keys.open_sealed(key, &place, sealed).unwrap_or_default();
        }
        row
    }

    /// Every session's row, in the order of their ids. Rows that cannot be read are left out.
    pub fn sessions(&self) -> Result<Vec<(SessionId, SessionRow)>, StoreError> {
        self.shared.reading(|db| {
            let rows = db.begin_read()?.open_table(tables::SESSIONS)?;
            let mut all = Vec::new();
            for entry in rows.iter()? {
                let (id, row) = entry?;
                if let (Ok(id), Ok(row)) = (SessionId::parse(id.value()), SessionRow::decode(row.value())) {
                    all.push((id, row));
                }
            }
            Ok(all)
        })
    }

    /// Frames of session `number` after `after`, about `max` bytes of them and at least one record.
    pub fn frames(&self, number: u64, after: Cursor, max: usize) -> Result<FrameRun, StoreError> {
        self.shared.reading(|db| {
            let table = db.begin_read()?.open_table(tables::FRAMES)?;
            let mut out = BytesMut::new();
            let mut end = after;
            for entry in table.range((number, after.next().get())..=(number, u64::MAX))? {
                let (key, value) = entry?;
                let row = value.value();
                if !out.is_empty() && out.len() + row.len() > max {
                    break;
                }
                let last = Cursor::new(key.value().1);
                let place = Place { session: number, last: key.value().1, events: false };
                let read = chunk::read(row, place, &self.shared.keys);
                let Some((last, chunk::Read { records, .. })) = last.zip(read) else {
                    return Ok(match Span::between(after.next(), last.unwrap_or(after.next())) {
                        // What is whole goes first; the hole is met at the next question.
                        Some(span) if out.is_empty() => FrameRun::Damaged(span),
                        _ => FrameRun::Records { records: out.freeze(), end },
                    });
                };
                let tail = tail_after(&records, end);
                let first = peek_record(tail).map(|s| s.first());
                if first.is_none_or(|f| f > end.next()) {
                    let hole =
                        first.and_then(|f| Span::between(end.next(), f.prev())).or(Span::between(end.next(), last));
                    return Ok(match hole {
                        Some(span) if out.is_empty() => FrameRun::Damaged(span),
                        _ => FrameRun::Records { records: out.freeze(), end },
                    });
                }
                if out.is_empty() && tail.len() > max / 2 {
                    return Ok(FrameRun::Records { records: records.slice_ref(tail), end: last });
                }
                out.extend_from_slice(tail);
                end = last;
            }
            Ok(if out.is_empty() { FrameRun::Nothing } else { FrameRun::Records { records: out.freeze(), end } })
        })
    }

    /// Events of session `number` from event `from` (1 is the first) on, about `max` bytes: their records, when the box
    /// took them, and the number of the last. `None`: there are no more.
    pub fn events(&self, number: u64, from: u64, max: usize) -> Result<Option<EventRun>, StoreError> {
        self.shared.reading(|db| {
            let table = db.begin_read()?.open_table(tables::EVENTS)?;
            let mut run: Option<EventRun> = None;
            for entry in table.range((number, from)..=(number, u64::MAX))? {
                let (key, value) = entry?;
                let row = value.value();
                if run.as_ref().is_some_and(|r| r.bytes + row.len() > max) {
                    break;
                }
                let run = run.get_or_insert_default();
                let last = key.value().1;
                let place = Place { session: number, last, events: true };
                match chunk::read(row, place, &self.shared.keys) {
                    Some(chunk::Read { when, records, .. }) => {
                        let records: Vec<Bytes> = each(&records).collect();
                        // The chunk may begin before `from`: it is known by its end.
                        let begins = (last + 1).saturating_sub(records.len() as u64);
                        let skip = usize::try_from(from.saturating_sub(begins)).unwrap_or(usize::MAX);
                        run.events.extend(records.into_iter().skip(skip).map(|r| (when.logged, r)));
                        run.aged.resize(run.events.len(), when.aged);
                    }
                    None => run.damaged += 1,
                }
                run.bytes += row.len();
                run.last = last;
            }
            Ok(run)
        })
    }

    /// Hashes of all event ids of session `number`, 16 bytes each.
    pub fn event_ids(&self, number: u64) -> Result<Vec<u128>, StoreError> {
        self.shared.reading(|db| {
            let table = db.begin_read()?.open_table(tables::EVENT_IDS)?;
            let mut all = Vec::new();
            for entry in table.range((number, 0)..=(number, u64::MAX))? {
                let (_, row) = entry?;
                let (ids, _) = row.value().as_chunks::<16>();
                all.extend(ids.iter().map(|id| u128::from_le_bytes(*id)));
            }
            Ok(all)
        })
    }

    /// Key of the hash by which event ids are known in this store.
    pub fn id_key(&self) -> &[u8; 16] {
        &self.shared.id_key
    }
}

/// What an adapter's state is sealed for.
pub(crate) fn adapter_place(session: u64) -> [u8; 9] {
    let mut place = *b"adapter..";
    place[..8].copy_from_slice(&session.to_le_bytes());
    place
}

/// Events read back.
#[derive(Debug, Default)]
pub struct EventRun {
    /// When the box took it, and the event, encoded.
    pub events: Vec<(Wall, Bytes)>,
    /// When each was taken, on the clock by which things grow old.
    pub aged: Vec<Wall>,
    /// Number of the last event.
    pub last: u64,
    /// Chunks that could not be read.
    pub damaged: usize,
    bytes: usize,
}

/// The messages in a run of records, without their prefixes.
pub fn each(records: &Bytes) -> impl Iterator<Item = Bytes> + '_ {
    let mut rest = &records[..];
    std::iter::from_fn(move || {
        let (rec, prefix) = record::split(rest)?;
        rest = &rest[rec.len()..];
        Some(records.slice_ref(&rec[prefix..]))
    })
}

fn peek_record(records: &[u8]) -> Option<Span> {
    let (rec, prefix) = record::split(records)?;
    peek_span(&rec[prefix..])
}

/// Without the records that end at or below `after`.
fn tail_after(records: &[u8], after: Cursor) -> &[u8] {
    let mut rest = records;
    while let Some((rec, prefix)) = record::split(rest) {
        match peek_span(&rec[prefix..]) {
            Some(span) if span.end() <= after => rest = &rest[rec.len()..],
            _ => break,
        }
    }
    rest
}
