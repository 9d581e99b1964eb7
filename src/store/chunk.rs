//! Chunks: records as they stand in a row, behind a head that tells when they came and whether they are whole.

use bytes::Bytes;
use bytes::BytesMut;
use prost::Message;
use vyre_proto::record;
use vyre_proto::tick::Wall;

use crate::store::tables::CHUNK_BYTES;
use crate::store::tables::CHUNK_HEAD;

/// Records that wait for a commit.
#[derive(Debug, Default)]
pub struct Chunk {
    records: BytesMut,
    count: u32,
    /// Last cursor or event number in it.
    last: u64,
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

    /// Length in a row.
    pub fn row_len(&self) -> usize {
        CHUNK_HEAD + self.records.len()
    }

    /// Writes head and records into `row`, which has [`Chunk::row_len`] bytes.
    pub fn write(&self, logged: Wall, row: &mut [u8]) {
        row[..8].copy_from_slice(&logged.0.to_le_bytes());
        row[8..12].copy_from_slice(&self.count.to_le_bytes());
        row[12..16].copy_from_slice(&crc32fast::hash(&self.records).to_le_bytes());
        row[CHUNK_HEAD..].copy_from_slice(&self.records);
    }
}

/// Records in order, cut into chunks as they come.
#[derive(Debug, Default)]
pub struct Chunks(Vec<Chunk>);

impl Chunks {
    /// Appends a record that ends at `last`.
    pub fn push(&mut self, record: &[u8], last: u64) {
        self.put(record.len(), last, |records| records.extend_from_slice(record));
    }

    /// Appends a message of this encoded length as a record, and gives the length of the record.
    pub fn encode<M: Message>(&mut self, message: &M, len: usize, last: u64) -> usize {
        let record = prost::length_delimiter_len(len) + len;
        self.put(record, last, |records| record::encode_sized(message, len, records));
        record
    }

    fn put(&mut self, len: usize, last: u64, write: impl FnOnce(&mut BytesMut)) {
        let fits = self.0.last().is_some_and(|c| c.records.len() + len <= CHUNK_BYTES);
        if !fits {
            self.0.push(Chunk::default());
        }
        if let Some(c) = self.0.last_mut() {
            write(&mut c.records);
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

/// A row read back: when its records came, and the records. `None`: it is damaged.
pub fn read(row: &[u8]) -> Option<(Wall, Bytes)> {
    let records = row.get(CHUNK_HEAD..)?;
    let logged = u64::from_le_bytes(row.get(..8)?.try_into().ok()?);
    let crc = u32::from_le_bytes(row.get(12..16)?.try_into().ok()?);
    (crc32fast::hash(records) == crc).then(|| (Wall(logged), Bytes::copy_from_slice(records)))
}

/// How many records a row has, by its head. Zero where it has none.
pub fn count(row: &[u8]) -> u64 {
    let head = row.get(8..12).and_then(|b| b.try_into().ok());
    head.map_or(0, |b| u32::from_le_bytes(b).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_survives_its_row_and_any_flipped_byte_is_seen() {
        let mut chunks = Chunks::default();
        chunks.push(b"one", 1);
        chunks.push(b"three", 4);
        let c = &chunks.as_slice()[0];
        let mut row = vec![0; c.row_len()];
        c.write(Wall(77), &mut row);
        assert_eq!(read(&row), Some((Wall(77), Bytes::from("onethree"))));
        assert_eq!((c.last(), c.count()), (4, 2));
        for i in 12..row.len() {
            let mut bad = row.clone();
            bad[i] ^= 1;
            assert_eq!(read(&bad), None, "byte {i}");
        }
        assert_eq!(read(&row[..10]), None);
    }

    #[test]
    fn a_message_is_put_as_its_record_would_be() {
        for text in [String::new(), "a".into(), "b".repeat(300)] {
            let message = vyre_proto::pb::stream::Event { id: text, ..Default::default() };
            let record = record::to_record(&message);
            let (mut pushed, mut put) = (Chunks::default(), Chunks::default());
            pushed.push(&record, 7);

            let len = put.encode(&message, message.encoded_len(), 7);

            assert_eq!(len, record.len());
            assert_eq!(put.as_slice()[0].records(), pushed.as_slice()[0].records());
            assert_eq!((put.as_slice()[0].last(), put.as_slice()[0].count()), (7, 1));
        }
    }

    #[test]
    fn a_record_that_does_not_fit_begins_another_chunk() {
        let mut chunks = Chunks::default();
        chunks.push(&vec![0; CHUNK_BYTES - 1], 1);
        chunks.push(&[0], 2);
        chunks.push(&[0], 3);
        chunks.push(&vec![0; CHUNK_BYTES * 2], 4);
        assert_eq!(chunks.as_slice().iter().map(Chunk::last).collect::<Vec<_>>(), [2, 3, 4]);
    }
}
