//! Records: a message behind its length as a varint. The codec of every stream.
//!
//! The decoder takes bytes in pieces of any size and gives records out. It never trusts a length: nothing is reserved
//! for what has not come, a length over the limit or a malformed varint is an error at once, and it never panics.

use bytes::{Buf, BufMut, Bytes, BytesMut};

use crate::limits::RECORD_MAX;

/// Longest length prefix: five bytes hold 35 bits, and [`RECORD_MAX`] needs 21.
const PREFIX_MAX: usize = 5;

/// Why a byte stream is not a stream of records.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A record says that it is longer than allowed.
    #[error("a record of {len} bytes is over the limit of {max}")]
    TooLong {
        /// The length that it claims.
        len: u64,
        /// The limit in force.
        max: usize,
    },
    /// A length prefix that never ends.
    #[error("a record's length is not a varint of at most {PREFIX_MAX} bytes")]
    BadLength,
    /// The stream ended inside a record.
    #[error("the stream ended inside a record: {have} bytes of it had come")]
    Truncated {
        /// Bytes of the unfinished record that had come, its prefix included.
        have: usize,
    },
    /// A record is not the message it should be.
    #[error("a record could not be decoded: {0}")]
    Malformed(#[from] prost::DecodeError),
}

/// Bytes in, records out.
#[derive(Debug, Default)]
pub struct Decoder {
    /// The piece that came last: whole records are cut out of it and not copied. Comes behind `buf`.
    piece: Bytes,
    buf: BytesMut,
    max: Option<usize>,
}

impl Decoder {
    /// A decoder with the contract's limit, [`RECORD_MAX`].
    pub fn new() -> Self {
        Self::default()
    }

    /// A decoder with a smaller limit, for the first record of strangers.
    pub fn with_max(max: usize) -> Self {
        Self { max: Some(max.min(RECORD_MAX)), ..Self::default() }
    }

    /// Takes bytes that came. Call [`Decoder::next`] until it gives nothing before the next call.
    pub fn push(&mut self, bytes: &[u8]) {
        self.join();
        self.buf.extend_from_slice(bytes);
    }

    /// Takes bytes that came, and shares them: the records that are whole in them are not copied.
    pub fn push_shared(&mut self, bytes: Bytes) {
        self.join();
        if self.buf.is_empty() { self.piece = bytes } else { self.buf.extend_from_slice(&bytes) }
    }

    /// Puts what is left of a piece where more can be put behind it.
    fn join(&mut self) {
        let piece = std::mem::take(&mut self.piece);
        self.buf.extend_from_slice(&piece);
    }

    /// The next whole record, without its prefix. `None`: more bytes are needed.
    ///
    /// After an error the stream is of no use any more.
    #[allow(clippy::should_implement_trait)] // It is fallible and not exhausted by `None`.
    pub fn next(&mut self) -> Result<Option<Bytes>, RecordError> {
        let max = self.max.unwrap_or(RECORD_MAX);
        let whole = if self.piece.is_empty() { &self.buf[..] } else { &self.piece[..] };
        let Some((len, prefix)) = read_len(whole, max)?.filter(|(len, prefix)| whole.len() >= prefix + len) else {
            // A piece may be a small part of a large buffer, which is not held for an unfinished record.
            self.join();
            return Ok(None);
        };
        if self.piece.is_empty() {
            self.buf.advance(prefix);
            return Ok(Some(self.buf.split_to(len).freeze()));
        }
        self.piece.advance(prefix);
        Ok(Some(self.piece.split_to(len)))
    }

    /// What has come and belongs to no whole record yet: for whoever takes the stream over.
    pub fn into_rest(mut self) -> Bytes {
        self.join();
        self.buf.freeze()
    }

    /// The stream ended here.
    pub fn finish(&self) -> Result<(), RecordError> {
        if self.buffered() == 0 { Ok(()) } else { Err(RecordError::Truncated { have: self.buffered() }) }
    }

    /// Bytes held.
    pub fn buffered(&self) -> usize {
        self.piece.len() + self.buf.len()
    }
}

/// Length and size of the prefix at the start of `buf`; `None` if the prefix is not whole yet.
fn read_len(buf: &[u8], max: usize) -> Result<Option<(usize, usize)>, RecordError> {
    let mut len = 0u64;
    for (i, b) in buf.iter().take(PREFIX_MAX).enumerate() {
        len |= u64::from(b & 0x7f) << (7 * i);
        if b & 0x80 == 0 {
            return match usize::try_from(len) {
                Ok(n) if n <= max => Ok(Some((n, i + 1))),
                _ => Err(RecordError::TooLong { len, max }),
            };
        }
    }
    if buf.len() >= PREFIX_MAX { Err(RecordError::BadLength) } else { Ok(None) }
}

/// Cuts one record off the front of `buf`, which holds whole records only (a chunk of a log, say).
///
/// Gives the record with its prefix and the length of the prefix. `None` at the end, or if `buf` is not what it should be.
pub fn split(buf: &[u8]) -> Option<(&[u8], usize)> {
    let (len, prefix) = read_len(buf, RECORD_MAX).ok()??;
    buf.get(..prefix + len).map(|r| (r, prefix))
}

/// Appends `msg` as a record.
pub fn encode<M: prost::Message>(msg: &M, out: &mut BytesMut) {
    encode_sized(msg, msg.encoded_len(), out);
}

/// The same for a message whose encoded length is known: finding it out costs as much as encoding.
pub fn encode_sized<M: prost::Message>(msg: &M, len: usize, out: &mut BytesMut) {
    debug_assert_eq!(len, msg.encoded_len());
    out.reserve(len + PREFIX_MAX);
    prost::encoding::encode_varint(len as u64, out);
    msg.encode_raw(out);
}

/// `msg` as a record of its own.
pub fn to_record<M: prost::Message>(msg: &M) -> Bytes {
    let mut out = BytesMut::new();
    encode(msg, &mut out);
    out.freeze()
}

/// Appends an already encoded message as a record.
pub fn wrap(msg: &[u8], out: &mut BytesMut) {
    out.reserve(msg.len() + PREFIX_MAX);
    prost::encoding::encode_varint(msg.len() as u64, out);
    out.put_slice(msg);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_claimed_length_reserves_nothing() {
        let mut d = Decoder::new();
        d.push(&[0xff, 0xff, 0xff, 0xff, 0x0f]); // 0xffff_ffff
        assert_eq!(d.next(), Err(RecordError::TooLong { len: 0xffff_ffff, max: RECORD_MAX }));
        let mut d = Decoder::new();
        d.push(&[0xff; 10]);
        assert_eq!(d.next(), Err(RecordError::BadLength));
        let mut d = Decoder::new();
        d.push(&[0x80, 0x80, 0x40]); // 1 MiB, nothing of it has come
        assert_eq!(d.next(), Ok(None));
        assert!(d.buffered() < 16);
    }

    #[test]
    fn the_limit_itself_passes_and_one_more_does_not() {
        for (len, ok) in [(RECORD_MAX, true), (RECORD_MAX + 1, false)] {
            let mut out = BytesMut::new();
            wrap(&vec![7; len], &mut out);
            let mut d = Decoder::new();
            d.push(&out);
            assert_eq!(d.next().is_ok(), ok, "{len}");
        }
    }

    #[test]
    fn a_truncated_tail_is_an_error_and_a_clean_end_is_not() {
        let mut d = Decoder::new();
        d.push(&[3, 1, 2]);
        assert_eq!(d.next(), Ok(None));
        assert_eq!(d.finish(), Err(RecordError::Truncated { have: 3 }));
        d.push(&[3]);
        assert_eq!(d.next().unwrap().unwrap(), &[1, 2, 3][..]);
        assert_eq!(d.finish(), Ok(()));
    }

    proptest! {
        #[test]
        fn records_survive_any_cut(msgs in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..20), cuts in prop::collection::vec(1usize..50, 1..40)) {
            let mut stream = BytesMut::new();
            for m in &msgs { wrap(m, &mut stream); }
            let mut d = Decoder::new();
            let (mut got, mut rest, mut i) = (Vec::new(), &stream[..], 0);
            while !rest.is_empty() {
                let n = cuts[i % cuts.len()].min(rest.len());
                i += 1;
                // Both ways in, by turns.
                if n % 2 == 0 { d.push(&rest[..n]) } else { d.push_shared(Bytes::copy_from_slice(&rest[..n])) }
                rest = &rest[n..];
                while let Some(r) = d.next().unwrap() { got.push(r.to_vec()); }
            }
            prop_assert_eq!(got, msgs);
            prop_assert!(d.finish().is_ok());
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut d = Decoder::with_max(64);
            d.push(&bytes);
            while let Ok(Some(r)) = d.next() { prop_assert!(r.len() <= 64); }
        }
    }
}
