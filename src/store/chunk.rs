//! Chunks: records as they stand in a row, behind a head that tells when they came and whether they are whole.
//!
//! A chunk that holds something that is to go by age one day is sealed ([`crate::store::keys`]) for its place and no other.

use bytes::Bytes;
use bytes::BytesMut;
use prost::Message;
use vyre_proto::record;
use vyre_proto::tick::Wall;

use crate::store::StoreError;
use crate::store::keys::KeyNumber;
use crate::store::keys::Keys;
use crate::store::tables::CHUNK_BYTES;
use crate::store::tables::CHUNK_HEAD;

/// Records that wait for a commit.
#[derive(Debug, Default)]
pub struct Chunk {
    records: BytesMut,
    count: u32,
    /// Last cursor or event number in it.
    last: u64,
    /// Something in it is to go by age one day.
    fades: bool,
    /// When its records were logged; `None`: now, by whoever writes it.
    when: Option<When>,
}

/// When records were logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct When {
    /// By the calendar.
    pub logged: Wall,
    /// On the clock by which things grow old.
    pub aged: Wall,
}

/// Where a chunk stands: what it is sealed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The session's number.
    pub session: u64,
    /// Last cursor or event number in it.
    pub last: u64,
    /// Whether its records are events.
    pub events: bool,
}

impl Place {
    fn bytes(self) -> [u8; 17] {
        let mut bytes = [u8::from(self.events); 17];
        bytes[..8].copy_from_slice(&self.session.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.last.to_le_bytes());
        bytes
    }
}

impl Chunk {
    /// The records.
    pub fn records(&self) -> &[u8] {
        &self.records
    }

    /// Last cursor or event number in it.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// How many records it has.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Its row, as it is written now.
    pub(crate) fn row(&self, place: Place, now: When, keys: &Keys) -> Result<Vec<u8>, StoreError> {
        let key = self.fades.then(|| KeyNumber::at(now.aged));
        row(self.when.unwrap_or(now), self.count, &self.records, place, key, keys)
    }
}

/// A row of these records, sealed where a key is named and the store seals.
pub(crate) fn row(
    when: When,
    count: u32,
    records: &[u8],
    place: Place,
    key: Option<KeyNumber>,
    keys: &Keys,
) -> Result<Vec<u8>, StoreError> {
    let mut row = Vec::with_capacity(CHUNK_HEAD + records.len() + crate::store::keys::SEAL);
    row.resize(CHUNK_HEAD, 0);
    row.extend_from_slice(records);
    row[..8].copy_from_slice(&when.logged.0.to_le_bytes());
    row[8..12].copy_from_slice(&count.to_le_bytes());
    row[24..32].copy_from_slice(&when.aged.0.to_le_bytes());
    if let Some(key) = key
        && keys.seal(key, &place.bytes(), &mut row, CHUNK_HEAD)?
    {
        row[16..24].copy_from_slice(&key.0.to_le_bytes());
    }
    let crc = crc32fast::hash(&row[16..]);
    row[12..16].copy_from_slice(&crc.to_le_bytes());
    Ok(row)
}

/// What a chunk must know of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark {
    /// It is to go by age one day.
    pub fades: bool,
    /// When it was logged, where that is not now.
    pub when: Option<When>,
}

/// Records in order, cut into chunks as they come.
#[derive(Debug, Default)]
pub struct Chunks(Vec<Chunk>);

impl Chunks {
    /// Appends a record that ends at `last`.
    pub fn push(&mut self, record: &[u8], last: u64, mark: Mark) {
        self.put(record.len(), last, mark, |records| records.extend_from_slice(record));
    }

    /// Appends a message of this encoded length as a record, and gives the length of the record.
    pub fn encode<M: Message>(&mut self, message: &M, len: usize, last: u64, mark: Mark) -> usize {
        let record = prost::length_delimiter_len(len) + len;
        self.put(record, last, mark, |records| record::encode_sized(message, len, records));
        record
    }

    /// Appends a message in its canonical bytes as a record, and gives the length of the record.
    pub fn push_message(&mut self, message: &[u8], last: u64, mark: Mark) -> usize {
        let len = prost::length_delimiter_len(message.len()) + message.len();
        self.put(len, last, mark, |records| {
            records.reserve(len);
            prost::encoding::encode_varint(message.len() as u64, records);
            records.extend_from_slice(message);
        });
        len
    }

    fn put(&mut self, len: usize, last: u64, mark: Mark, write: impl FnOnce(&mut BytesMut)) {
        let fits = |c: &Chunk| c.records.len() + len <= CHUNK_BYTES && c.when == mark.when;
        if !self.0.last().is_some_and(fits) {
            self.0.push(Chunk { when: mark.when, ..Chunk::default() });
        }
        if let Some(c) = self.0.last_mut() {
            write(&mut c.records);
            c.fades |= mark.fades;
            c.count += 1;
            c.last = last;
        }
    }

    /// All chunks, oldest first.
    pub fn as_slice(&self) -> &[Chunk] {
        &self.0
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A row read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// When its records came.
    pub when: When,
    /// The records.
    pub records: Bytes,
    /// The key under which it was sealed, if it was.
    pub key: Option<KeyNumber>,
}

/// Reads a row. `None`: it is damaged, or its key is gone.
pub(crate) fn read(row: &[u8], place: Place, keys: &Keys) -> Option<Read> {
    let logged = Wall(u64::from_le_bytes(row.get(..8)?.try_into().ok()?));
    let (when, body) = (When { logged, aged: aged(row)? }, row.get(CHUNK_HEAD..)?);
    let crc = u32::from_le_bytes(row.get(12..16)?.try_into().ok()?);
    if crc32fast::hash(row.get(16..)?) != crc {
        return None;
    }
    let key = key(row);
    let records = match key {
        Some(key) => keys.open_sealed(key, &place.bytes(), body)?.into(),
        None => Bytes::copy_from_slice(body),
    };
    Some(Read { when, records, key })
}

/// When the records of a row were logged on the clock by which things grow old, by its head.
pub(crate) fn aged(row: &[u8]) -> Option<Wall> {
    Some(Wall(u64::from_le_bytes(row.get(24..32)?.try_into().ok()?)))
}

/// The key under which a row is sealed, by its head.
pub(crate) fn key(row: &[u8]) -> Option<KeyNumber> {
    let number = u64::from_le_bytes(row.get(16..24)?.try_into().ok()?);
    (number > 0).then_some(KeyNumber(number))
}

/// How many records a row has, by its head. Zero where it has none.
pub fn count(row: &[u8]) -> u64 {
    let head = row.get(8..12).and_then(|b| b.try_into().ok());
    head.map_or(0, |b| u32::from_le_bytes(b).into())
}

#[cfg(test)]
mod tests {
    use vyre_proto::tick::Tick;

    use super::*;
    use crate::clock::Clock;

    const PLACE: Place = Place { session: 3, last: 4, events: false };
    const PLAIN: Mark = Mark { fades: false, when: None };
    const NOW: When = When { logged: Wall(77), aged: Wall(78) };

    fn keys(dir: &tempfile::TempDir) -> Keys {
        Keys::open(dir.path(), None, Clock::settable(Tick(0), Wall(0))).unwrap().0
    }

    #[test]
    fn a_chunk_survives_its_row_and_any_flipped_byte_is_seen() {
        let dir = tempfile::tempdir().unwrap();
        let keys = keys(&dir);
        for fades in [false, true] {
            let mut chunks = Chunks::default();
            chunks.push(b"one", 1, PLAIN);
            chunks.push(b"three", 4, Mark { fades, when: None });
            let c = &chunks.as_slice()[0];
            let row = c.row(PLACE, NOW, &keys).unwrap();
            let back = read(&row, PLACE, &keys).unwrap();
            assert_eq!((back.when, back.records, back.key.is_some()), (NOW, Bytes::from("onethree"), fades));
            assert_eq!((c.last(), c.count(), count(&row)), (4, 2, 2));
            assert_ne!(row.windows(5).any(|w| w == b"three"), fades, "what is to go is not written in the clear");
            for i in 12..row.len() {
                let mut bad = row.clone();
                bad[i] ^= 1;
                assert_eq!(read(&bad, PLACE, &keys), None, "byte {i}");
            }
            assert_eq!(read(&row[..10], PLACE, &keys), None);
            let elsewhere = read(&row, Place { last: 5, ..PLACE }, &keys);
            assert_eq!(elsewhere.is_none(), fades, "a sealed row is right in its place alone");
        }
    }

    #[test]
    fn a_message_is_put_as_its_record_would_be() {
        for text in [String::new(), "a".into(), "b".repeat(300)] {
            let message = vyre_proto::pb::stream::Event { id: text, ..Default::default() };
            let record = record::to_record(&message);
            let (mut pushed, mut put) = (Chunks::default(), Chunks::default());
            pushed.push(&record, 7, PLAIN);

            let len = put.encode(&message, message.encoded_len(), 7, PLAIN);

            assert_eq!(len, record.len());
            assert_eq!(put.as_slice()[0].records(), pushed.as_slice()[0].records());
            assert_eq!((put.as_slice()[0].last(), put.as_slice()[0].count()), (7, 1));
        }
    }

    #[test]
    fn a_record_that_does_not_fit_begins_another_chunk_and_one_of_another_time_too() {
        let mut chunks = Chunks::default();
        chunks.push(&vec![0; CHUNK_BYTES - 1], 1, PLAIN);
        chunks.push(&[0], 2, PLAIN);
        chunks.push(&[0], 3, PLAIN);
        chunks.push(&vec![0; CHUNK_BYTES * 2], 4, PLAIN);
        chunks.push(&[0], 5, Mark { when: Some(NOW), ..PLAIN });
        chunks.push(&[0], 6, Mark { when: Some(NOW), ..PLAIN });
        assert_eq!(chunks.as_slice().iter().map(Chunk::last).collect::<Vec<_>>(), [2, 3, 4, 6]);
    }
}
