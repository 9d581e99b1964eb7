//! The bytes of an outbox: a head that says whose it is, then lines, each with its length and a checksum. Pure.
//!
//! A line puts a write or settles one. Reading goes on to the first line that is not whole, and says how far that is.

use std::collections::VecDeque;

use bytes::Bytes;
use crc32fast::Hasher;
use ring::digest::SHA256;
use ring::digest::digest;

use super::Write;

/// First bytes of the file.
const MAGIC: &[u8; 14] = b"vyre-outbox 1\n";

/// Bytes of the head.
pub(super) const HEAD: usize = MAGIC.len() + 32 + 4;

/// Longest line in bytes: a request is smaller than a record, and a tool and a key are short.
const LINE_MAX: usize = (1 << 20) + 4096;

const PUT: u8 = 1;
const SETTLED: u8 = 2;

/// Whose an outbox is: a hash of box, person's token and session.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Owner([u8; 32]);

impl Owner {
    /// Of these three, in any texts that name them. None of them can be had back from it.
    pub fn of(target: &str, token: &str, session: &str) -> Owner {
        let mut named = b"vyre outbox".to_vec();
        for part in [target, token, session] {
            named.extend_from_slice(&(part.len() as u64).to_le_bytes());
            named.extend_from_slice(part.as_bytes());
        }
        let mut hash = [0; 32];
        hash.copy_from_slice(digest(&SHA256, &named).as_ref());
        Owner(hash)
    }

    /// A name for its file.
    pub fn file_name(&self) -> String {
        format!("{}.outbox", data_encoding::HEXLOWER.encode(&self.0[..16]))
    }
}

impl std::fmt::Debug for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Owner(..)")
    }
}

/// A write that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its place: later ones have larger numbers. Unique among those that wait.
    pub number: u64,
    /// What is asked.
    pub write: Write,
}

impl Entry {
    /// About what it takes.
    pub(super) fn len(&self) -> usize {
        self.write.tool.len() + self.write.key.len() + self.write.body.len() + 32
    }
}

/// What stands in a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Contents {
    /// Writes that are not settled, oldest first.
    pub waiting: VecDeque<Entry>,
    /// Bytes up to the end of the last whole line.
    pub good: usize,
    /// What follows cannot be the torn end of one line.
    pub damaged: bool,
}

/// Why a file is no outbox of this owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    NotAnOutbox,
    Foreign,
}

pub(super) fn head(owner: Owner) -> Vec<u8> {
    let mut head = MAGIC.to_vec();
    head.extend_from_slice(&owner.0);
    let sum = crc32fast::hash(&head);
    head.extend_from_slice(&sum.to_le_bytes());
    head
}

/// The line that puts this write.
pub(super) fn put(entry: &Entry) -> Vec<u8> {
    let mut body = vec![PUT];
    body.extend_from_slice(&entry.number.to_le_bytes());
    for text in [&entry.write.tool, &entry.write.key] {
        body.extend_from_slice(&(text.len() as u32).to_le_bytes());
        body.extend_from_slice(text.as_bytes());
    }
    body.extend_from_slice(&entry.write.body);
    line(&body)
}

/// The line that settles the write with this number.
pub(super) fn settled(number: u64) -> Vec<u8> {
    let mut body = vec![SETTLED];
    body.extend_from_slice(&number.to_le_bytes());
    line(&body)
}

fn line(body: &[u8]) -> Vec<u8> {
    let len = (body.len() as u32).to_le_bytes();
    let mut line = Vec::with_capacity(body.len() + 8);
    line.extend_from_slice(&len);
    line.extend_from_slice(&sum(len, body).to_le_bytes());
    line.extend_from_slice(body);
    line
}

fn sum(len: [u8; 4], body: &[u8]) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(&len);
    hasher.update(body);
    hasher.finalize()
}

/// Reads a file.
pub(super) fn read(bytes: &[u8], owner: Owner) -> Result<Contents, Wrong> {
    let head = head(owner);
    let Some(mut rest) = bytes.strip_prefix(&head[..]) else {
        return match bytes {
            // Torn while it was made: nothing was promised yet.
            torn if head.starts_with(torn) => Ok(Contents::default()),
            other if other.starts_with(MAGIC) && other.len() >= HEAD => Err(Wrong::Foreign),
            _ => Err(Wrong::NotAnOutbox),
        };
    };
    let mut contents = Contents { good: HEAD, ..Contents::default() };
    while let Some((body, after)) = split(rest) {
        if !contents.take(body) {
            break;
        }
        contents.good += rest.len() - after.len();
        rest = after;
    }
    contents.damaged = !is_torn(rest);
    Ok(contents)
}

/// The first line, if it is whole.
fn split(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, after) = rest.split_first_chunk::<4>()?;
    let (told, after) = after.split_first_chunk::<4>()?;
    let size = usize::try_from(u32::from_le_bytes(*len)).ok().filter(|n| *n <= LINE_MAX)?;
    let (body, after) = after.split_at_checked(size)?;
    (sum(*len, body) == u32::from_le_bytes(*told)).then_some((body, after))
}

/// Whether this can be what a crash leaves of the last line: less than a line, or nothing but zeros.
fn is_torn(rest: &[u8]) -> bool {
    if rest.iter().all(|b| *b == 0) {
        return true;
    }
    let Some((len, after)) = rest.split_first_chunk::<4>() else { return true };
    let size = usize::try_from(u32::from_le_bytes(*len)).unwrap_or(usize::MAX);
    size <= LINE_MAX && after.len() < size.saturating_add(4)
}

impl Contents {
    /// Takes one line's body. `false`: this version does not know it.
    fn take(&mut self, body: &[u8]) -> bool {
        let Some((kind, body)) = body.split_first() else { return false };
        let Some((number, mut body)) = body.split_first_chunk::<8>() else { return false };
        let number = u64::from_le_bytes(*number);
        match *kind {
            SETTLED => {
                self.waiting.retain(|e| e.number != number);
                true
            }
            PUT => {
                let (Some(tool), Some(key)) = (text(&mut body), text(&mut body)) else { return false };
                let write = Write { tool, key, body: Bytes::copy_from_slice(body) };
                self.waiting.push_back(Entry { number, write });
                true
            }
            _ => false,
        }
    }
}

fn text(body: &mut &[u8]) -> Option<String> {
    let (len, after) = body.split_first_chunk::<4>()?;
    let (text, after) = after.split_at_checked(usize::try_from(u32::from_le_bytes(*len)).ok()?)?;
    *body = after;
    String::from_utf8(text.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(number: u64, words: &str) -> Entry {
        let write =
            Write { tool: "stream.send".into(), key: String::new(), body: Bytes::copy_from_slice(words.as_bytes()) };
        Entry { number, write }
    }

    fn owner() -> Owner {
        Owner::of("http://box", "token", "s")
    }

    #[test]
    fn an_owner_is_told_by_all_three_and_tells_none() {
        assert_ne!(Owner::of("a", "bc", "d"), Owner::of("ab", "c", "d"));
        assert_ne!(Owner::of("a", "b", "c"), Owner::of("a", "b", "d"));
        let other = read(&head(Owner::of("http://box", "token", "t")), owner());
        assert_eq!(other, Err(Wrong::Foreign));
        assert_eq!(read(b"something else that is quite long, longer than a head is", owner()), Err(Wrong::NotAnOutbox));
    }

    #[test]
    fn a_file_cut_at_any_byte_holds_what_was_whole_before() {
        let mut file = head(owner());
        let mut lines = vec![(0, 0), (file.len(), 0)];
        for n in 1..=4 {
            file.extend(put(&entry(n, &"é🎉".repeat(n as usize))));
            lines.push((file.len(), n as usize));
        }
        file.extend(settled(2));
        lines.push((file.len(), 3));
        for cut in 0..=file.len() {
            let contents = read(&file[..cut], owner()).unwrap();

            let (good, waiting) = *lines.iter().rev().find(|(end, _)| *end <= cut).unwrap();
            assert_eq!((contents.good, contents.waiting.len(), contents.damaged), (good, waiting, false), "{cut}");
        }
        let all = read(&file, owner()).unwrap();
        assert_eq!(all.waiting.iter().map(|e| e.number).collect::<Vec<_>>(), [1, 3, 4]);
        assert_eq!(all.waiting[2], entry(4, &"é🎉".repeat(4)));
    }

    #[test]
    fn a_line_that_was_changed_is_no_torn_end() {
        let mut file = head(owner());
        file.extend(put(&entry(1, "kept")));
        let good = file.len();
        file.extend(put(&entry(2, "broken")));
        let len = file.len();
        file[len - 1] ^= 1;
        let contents = read(&file, owner()).unwrap();

        assert_eq!((contents.waiting.len(), contents.good, contents.damaged), (1, good, true));
        file.truncate(good);
        file.extend([0; 300]);
        assert!(!read(&file, owner()).unwrap().damaged);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), with_head in any::<bool>()) {
            let mut file = if with_head { head(owner()) } else { Vec::new() };
            file.extend(&bytes);
            if let Ok(contents) = read(&file, owner()) {
                prop_assert!(contents.good <= file.len());
            }
        }
    }
}
