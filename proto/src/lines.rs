//! Lines of an event file or pipe, cut from bytes in pieces of any size, numbered from 1.
//!
//! Nothing longer than the limit is ever held: a longer line is skipped to its end and named as too long, and the lines
//! behind it come as if nothing had been.

use bytes::Buf;
use bytes::Bytes;
use bytes::BytesMut;

use crate::limits::EVENT_LINE_MAX;

/// One line that is not blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number in the file, from 1, blank ones counted.
    pub number: u64,
    /// Its bytes without the line's end; `None` for one over [`EVENT_LINE_MAX`], whose bytes are gone.
    pub bytes: Option<Bytes>,
}

/// Bytes in, lines out.
#[derive(Debug)]
pub struct Lines {
    buf: BytesMut,
    /// Bytes at the start of `buf` that hold no line's end.
    searched: usize,
    /// Lines that have ended.
    ended: u64,
    /// In a line that is too long.
    skipping: bool,
    max: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Self::new()
    }
}

impl Lines {
    /// With the contract's limit, [`EVENT_LINE_MAX`].
    pub fn new() -> Self {
        Self::with_max(EVENT_LINE_MAX)
    }

    fn with_max(max: usize) -> Self {
        Self { buf: BytesMut::new(), searched: 0, ended: 0, skipping: false, max }
    }

    /// Takes bytes that came. Call [`Lines::next`] until it gives nothing before the next call.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buf.extend_from_slice(bytes);
    }

    /// The next whole line. `None`: more bytes are needed.
    #[allow(clippy::should_implement_trait)] // It is not exhausted by `None`.
    pub fn next(&mut self) -> Option<Line> {
        loop {
            let found = self.buf.get(self.searched..)?.iter().position(|b| *b == b'\n');
            let Some(at) = found.map(|at| at + self.searched) else {
                self.searched = self.buf.len();
                if self.buf.len() > self.max + 1 || self.skipping {
                    self.skipping = true;
                    self.buf.clear();
                    self.searched = 0;
                }
                return None;
            };
            let line = self.buf.split_to(at);
            self.buf.advance(1);
            self.searched = 0;
            if let Some(line) = self.end_of(line) {
                return Some(line);
            }
        }
    }

    /// The input ended here: what stands behind the last line's end, if anything.
    pub fn finish(mut self) -> Option<Line> {
        let rest = self.buf.split();
        if rest.is_empty() && !self.skipping { None } else { self.end_of(rest) }
    }

    /// Bytes held.
    pub fn buffered(&self) -> usize {
        self.buf.len()
    }

    fn end_of(&mut self, mut line: BytesMut) -> Option<Line> {
        self.ended += 1;
        if self.ended == 1 && line.starts_with(b"\xef\xbb\xbf") {
            line.advance(3);
        }
        if line.last() == Some(&b'\r') {
            line.truncate(line.len() - 1);
        }
        let too_long = std::mem::take(&mut self.skipping) || line.len() > self.max;
        let blank = !too_long && line.iter().all(u8::is_ascii_whitespace);
        (!blank).then(|| Line { number: self.ended, bytes: (!too_long).then(|| line.freeze()) })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(input: &[u8], piece: usize, max: usize) -> Vec<(u64, Option<Vec<u8>>)> {
        let mut lines = Lines::with_max(max);
        let mut got = Vec::new();
        for bytes in input.chunks(piece) {
            lines.push(bytes);
            while let Some(l) = lines.next() {
                got.push(l);
            }
            assert!(lines.buffered() <= max + 1);
        }
        got.extend(lines.finish());
        got.into_iter().map(|l| (l.number, l.bytes.map(|b| b.to_vec()))).collect()
    }

    #[test]
    fn a_line_over_the_limit_is_named_and_the_next_one_comes() {
        let mut input = vec![b'x'; 10_000];
        input.extend_from_slice(b"\nok\r\n\n  \nlast");

        for piece in [1, 7, 4096, 20_000] {
            let got = cut(&input, piece, 100);
            assert_eq!(got, [(1, None), (2, Some(b"ok".to_vec())), (5, Some(b"last".to_vec()))], "{piece}");
        }
    }

    #[test]
    fn the_limit_itself_passes() {
        assert_eq!(cut(b"12345\n", 1, 5), [(1, Some(b"12345".to_vec()))]);
        assert_eq!(cut(b"123456\n", 1, 5), [(1, None)]);
        assert_eq!(cut(b"12345\r\n", 1, 5), [(1, Some(b"12345".to_vec()))]);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        assert_eq!(cut(b"\xef\xbb\xbf{}\n", 2, 50), [(1, Some(b"{}".to_vec()))]);
    }

    proptest! {
        #[test]
        fn cuts_do_not_matter(input in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(b'a'), Just(b' ')], 0..120), piece in 1usize..30) {
            prop_assert_eq!(cut(&input, piece, 8), cut(&input, 1000, 8));
        }
    }
}
