//! Texts that carry when they were sent, and what a reader makes of them.
//!
//! A text is 200 bytes: `@@`, the nanoseconds of the monotonic clock in 20 digits, a number without gaps in 10, filling.
//! All processes of a run are on one machine, so they have one clock.

use rustix::time::ClockId;
use rustix::time::clock_gettime;

/// Length of a text.
pub const TEXT: usize = 200;

/// Bytes of a text that matter.
const HEAD: usize = 32;

/// The monotonic clock in nanoseconds.
pub fn now() -> u64 {
    let t = clock_gettime(ClockId::Monotonic);
    t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
}

/// A text that is sent now.
pub fn text(seq: u64) -> String {
    let mut s = format!("@@{:020}{seq:010}", now());
    s.extend(std::iter::repeat_n('x', TEXT - HEAD));
    s
}

/// Writes the head of a text that is sent now over a text.
pub fn restamp(text: &mut [u8], seq: u64) {
    text[..HEAD].copy_from_slice(format!("@@{:020}{seq:010}", now()).as_bytes());
}

/// Finds texts in a stream of bytes, however it is cut.
#[derive(Debug, Default)]
pub struct Finder {
    tail: Vec<u8>,
}

impl Finder {
    /// Calls `found` with the time and the number of each text whose head is whole.
    pub fn feed(&mut self, bytes: &[u8], mut found: impl FnMut(u64, u64)) {
        if self.tail.is_empty() {
            let rest = scan(bytes, &mut found);
            self.tail.extend_from_slice(&bytes[rest..]);
        } else {
            self.tail.extend_from_slice(bytes);
            let rest = scan(&self.tail, &mut found);
            self.tail.drain(..rest);
        }
    }
}

/// Gives where the next look has to begin.
fn scan(bytes: &[u8], found: &mut impl FnMut(u64, u64)) -> usize {
    let mut at = 0;
    while let Some(i) = bytes[at..].iter().position(|b| *b == b'@') {
        let start = at + i;
        let Some(head) = bytes.get(start..start + HEAD) else { return start };
        let number = |r: std::ops::Range<usize>| std::str::from_utf8(&head[r]).ok().and_then(|s| s.parse().ok());
        match (head[1], number(2..22), number(22..32)) {
            (b'@', Some(sent), Some(seq)) => {
                found(sent, seq);
                at = start + HEAD;
            }
            _ => at = start + 1,
        }
    }
    bytes.len()
}

/// Counts records in a stream of bytes, however it is cut, without looking into them.
#[derive(Debug, Default)]
pub struct Counter {
    /// Whole records so far.
    pub records: u64,
    /// Bytes so far.
    pub bytes: u64,
    /// Of the record that is open: bytes that are still to come.
    left: u64,
    len: u64,
    shift: u32,
}

impl Counter {
    /// Takes bytes.
    pub fn feed(&mut self, mut bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        while !bytes.is_empty() {
            if self.left > 0 {
                let n = self.left.min(bytes.len() as u64);
                self.left -= n;
                bytes = &bytes[n as usize..];
                self.records += u64::from(self.left == 0);
                continue;
            }
            self.len |= u64::from(bytes[0] & 0x7f) << self.shift;
            self.shift += 7;
            if bytes[0] & 0x80 == 0 {
                self.left = self.len;
                self.records += u64::from(self.left == 0);
                (self.len, self.shift) = (0, 0);
            }
            bytes = &bytes[1..];
        }
    }
}

/// Times in nanoseconds.
#[derive(Debug, Default, Clone)]
pub struct Sample(pub Vec<u64>);

impl Sample {
    /// The value below which this share lies, in microseconds.
    pub fn us(&self, share: f64) -> f64 {
        let mut all = self.0.clone();
        all.sort_unstable();
        let at = ((all.len() as f64 * share) as usize).min(all.len().saturating_sub(1));
        all.get(at).map_or(f64::NAN, |ns| *ns as f64 / 1e3)
    }
}

/// The one in the middle.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut all: Vec<f64> = values.into_iter().collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Medians over runs of one percentile.
pub fn over(runs: &[Sample], share: f64) -> f64 {
    median(runs.iter().map(|s| s.us(share)))
}
