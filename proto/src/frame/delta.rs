//! [`Delta`]: the record of a `text-delta` frame, written from where its fields lie.
//!
//! The same bytes as encoding the message gives, without making one: a box writes one for every piece of every reply.

use bytes::BufMut;
use prost::encoding::encode_varint;
use prost::encoding::encoded_len_varint;

use crate::cursor::Cursor;

/// A frame of one piece of a message's text. Empty texts and zeros are left out, as everywhere in protobuf.
#[derive(Debug, Clone, Copy, Default)]
#[allow(missing_docs)] // Each stands for the field of the same name.
pub struct Delta<'a> {
    pub cur: Cursor,
    pub id: &'a [u8],
    pub session: &'a [u8],
    pub turn: &'a [u8],
    pub time: u64,
    pub corr: &'a [u8],
    pub author: &'a [u8],
    pub acts_for: &'a [u8],
    pub message: &'a [u8],
    pub rid: &'a [u8],
    pub ver: u64,
    pub at: u64,
    /// In UTF-8.
    pub text: &'a [u8],
}

/// The fields of a frame, by their numbers in the schema; all up to 15 have a key of one byte.
const V: u8 = 1;
const CUR: u8 = 2;
const ID: u8 = 4;
const SESSION: u8 = 6;
const TURN: u8 = 7;
const TIME: u8 = 8;
const CORR: u8 = 9;
const AUTHOR: u8 = 10;
const ACTS_FOR: u8 = 11;
const MESSAGE: u8 = 12;
const RID: u8 = 14;
const VER: u8 = 15;
/// Field 32, with a length.
const TEXT_DELTA: [u8; 2] = [0x82, 0x02];
/// Of the delta in it.
const AT: u8 = 2;
const TEXT: u8 = 3;

impl Delta<'_> {
    /// Bytes of the message, without the record's prefix.
    pub fn encoded_len(&self) -> usize {
        let texts = [self.id, self.session, self.turn, self.corr, self.author, self.acts_for, self.message, self.rid];
        let numbers = [1, self.cur.get(), self.time, self.ver];
        let inner = self.inner_len();
        texts.into_iter().map(text_len).sum::<usize>()
            + numbers.into_iter().map(number_len).sum::<usize>()
            + TEXT_DELTA.len()
            + encoded_len_varint(inner as u64)
            + inner
    }

    fn inner_len(&self) -> usize {
        number_len(self.at) + text_len(self.text)
    }

    /// Appends the record: the message of this [`Delta::encoded_len`] behind its length.
    pub fn encode(&self, len: usize, out: &mut impl BufMut) {
        debug_assert_eq!(len, self.encoded_len());
        encode_varint(len as u64, out);
        number(V, 1, out);
        number(CUR, self.cur.get(), out);
        text(ID, self.id, out);
        text(SESSION, self.session, out);
        text(TURN, self.turn, out);
        number(TIME, self.time, out);
        text(CORR, self.corr, out);
        text(AUTHOR, self.author, out);
        text(ACTS_FOR, self.acts_for, out);
        text(MESSAGE, self.message, out);
        text(RID, self.rid, out);
        number(VER, self.ver, out);
        out.put_slice(&TEXT_DELTA);
        encode_varint(self.inner_len() as u64, out);
        number(AT, self.at, out);
        text(TEXT, self.text, out);
    }
}

fn number_len(n: u64) -> usize {
    if n == 0 { 0 } else { 1 + encoded_len_varint(n) }
}

fn text_len(text: &[u8]) -> usize {
    if text.is_empty() { 0 } else { 1 + encoded_len_varint(text.len() as u64) + text.len() }
}

fn number(field: u8, n: u64, out: &mut impl BufMut) {
    if n != 0 {
        out.put_u8(field << 3);
        encode_varint(n, out);
    }
}

fn text(field: u8, text: &[u8], out: &mut impl BufMut) {
    if !text.is_empty() {
        out.put_u8(field << 3 | 2);
        encode_varint(text.len() as u64, out);
        out.put_slice(text);
    }
}

#[cfg(test)]
mod tests {
    use bytes::BytesMut;
    use proptest::prelude::*;
    use prost::Message;

    use super::*;
    use crate::limits::CURSOR_END;
    use crate::pb::stream as pb;
    use crate::pb::stream::frame::Data;
    use crate::record::to_record;

    proptest! {
        #[test]
        fn it_writes_what_the_message_is_encoded_as(
            texts in prop::collection::vec(prop_oneof![Just(String::new()), any::<String>(), "[a-z]{200}"], 9),
            numbers in prop::collection::vec(prop_oneof![Just(0u64), 0u64..300, any::<u64>()], 3),
            cur in 0..CURSOR_END,
        ) {
            let [id, session, turn, corr, author, acts_for, message, rid, text] = texts.try_into().unwrap();
            let [time, ver, at] = numbers.try_into().unwrap();
            let delta = Delta {
                cur: Cursor::new(cur).unwrap(),
                id: id.as_bytes(),
                session: session.as_bytes(),
                turn: turn.as_bytes(),
                time,
                corr: corr.as_bytes(),
                author: author.as_bytes(),
                acts_for: acts_for.as_bytes(),
                message: message.as_bytes(),
                rid: rid.as_bytes(),
                ver,
                at,
                text: text.as_bytes(),
            };
            let mut written = BytesMut::new();
            delta.encode(delta.encoded_len(), &mut written);

            let data = Some(Data::TextDelta(pb::TextDelta { at, text: text.clone(), ..Default::default() }));
            let frame = pb::Frame {
                v: 1, cur, id: id.clone(), session: session.clone(), turn: turn.clone(), time, corr: corr.clone(),
                author: author.clone(), acts_for: acts_for.clone(), message: message.clone(), rid: rid.clone(), ver, data,
                ..Default::default()
            };
            prop_assert_eq!(delta.encoded_len(), frame.encoded_len());
            prop_assert_eq!(&written[..], &to_record(&frame)[..]);
        }
    }
}
