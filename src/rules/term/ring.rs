//! A terminal's newest output by offset, bounded, with the sizes that it was printed for.
//!
//! A screen asks from the offset behind the newest byte that it has, and is given what follows: bytes, and between them
//! each change of size at its place. What it lacks and the ring has let go is not here: it needs a snapshot.

use std::collections::VecDeque;

use bytes::Bytes;
use bytes::BytesMut;
use vyre_proto::term::Offset;
use vyre_proto::term::TermSize;

/// Bytes of one block. A block leaves whole, so this is what the ring may hold less than its limit.
const BLOCK: usize = 16 * 1024;

/// Most changes of size that are kept. Of more the oldest goes, with the bytes that were printed before it.
const SIZES_MAX: usize = 1024;

/// What follows an offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// From here on this size is in force.
    Size(TermSize),
    /// These bytes, never empty.
    Bytes(Bytes),
    /// Nothing yet.
    AtHead,
}

/// Why nothing can be read from an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotKept {
    /// The ring has let it go.
    #[error("output before byte {floor} is not kept any more")]
    Below {
        /// The oldest offset that can be read from.
        floor: Offset,
    },
    /// The terminal has not come so far.
    #[error("the terminal has put out {head} bytes and not as many as this")]
    Beyond {
        /// How far it has come.
        head: Offset,
    },
}

/// What the ring has let go, in the order in which it was printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gone {
    /// From here on this size was in force.
    Size(TermSize),
    /// These bytes, never empty.
    Bytes(Bytes),
}

/// See the module.
#[derive(Debug)]
pub struct Ring {
    limit: usize,
    /// Full blocks, oldest first; each is read without a copy.
    blocks: VecDeque<Bytes>,
    /// What is being filled.
    last: BytesMut,
    floor: Offset,
    head: Offset,
    /// Where each size came in force; the first is the one at the floor, or before it.
    sizes: VecDeque<(Offset, TermSize)>,
    /// What was let go and nobody has taken yet.
    gone: Vec<Gone>,
    /// The size of which whoever takes that was told last.
    gone_size: TermSize,
}

impl Ring {
    /// Keeps at least `limit` bytes once there are as many, and at most 16 KiB more.
    pub fn new(limit: usize, size: TermSize) -> Ring {
        let sizes = VecDeque::from([(Offset::ZERO, size)]);
        let (floor, head) = (Offset::ZERO, Offset::ZERO);
        let (blocks, last, gone) = (VecDeque::new(), BytesMut::new(), Vec::new());
        Ring { limit, blocks, last, floor, head, sizes, gone, gone_size: size }
    }

    /// Behind the newest byte.
    pub fn head(&self) -> Offset {
        self.head
    }

    /// Of the oldest byte that is kept.
    pub fn floor(&self) -> Offset {
        self.floor
    }

    /// The size in force now.
    pub fn size(&self) -> TermSize {
        self.sizes.back().map_or(TermSize::DEFAULT, |(_, size)| *size)
    }

    /// Bytes that are kept.
    pub fn len(&self) -> usize {
        usize::try_from(self.head.above(self.floor)).unwrap_or(usize::MAX)
    }

    /// Nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The program has printed this.
    pub fn push(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.last.len()));
            self.last.extend_from_slice(now);
            self.head = self.head.plus(now.len());
            bytes = later;
            if self.last.len() == BLOCK {
                self.blocks.push_back(std::mem::take(&mut self.last).freeze());
            }
            while self.len() - self.blocks.front().map_or(0, Bytes::len) >= self.limit && self.drop_block() {}
        }
    }

    /// What was let go since this was asked last. Who puts all of it together has the terminal at the floor, in the size
    /// of the ring's beginning until the first [`Gone::Size`]. To be asked after each push and resize.
    pub fn take_gone(&mut self) -> Vec<Gone> {
        std::mem::take(&mut self.gone)
    }

    /// From the head on this size is in force.
    pub fn resize(&mut self, size: TermSize) {
        if size == self.size() {
            return;
        }
        match self.sizes.back_mut() {
            // Nothing was printed for the size before it.
            Some((at, last)) if *at == self.head => *last = size,
            _ => self.sizes.push_back((self.head, size)),
        }
        while self.sizes.len() > SIZES_MAX {
            let second = self.sizes.get(1).map_or(self.head, |(at, _)| *at);
            while self.floor < second && self.drop_block() {}
            if self.floor < second {
                let rest = std::mem::take(&mut self.last).freeze();
                self.let_go(rest);
            }
            self.forget_sizes();
        }
    }

    /// What follows `from`, at most `at_most` bytes of it. `told` is the size that the asker goes by.
    pub fn next(&self, from: Offset, told: Option<TermSize>, at_most: usize) -> Result<Next, NotKept> {
        if from < self.floor {
            return Err(NotKept::Below { floor: self.floor });
        }
        if from > self.head {
            return Err(NotKept::Beyond { head: self.head });
        }
        let later = self.sizes.partition_point(|(at, _)| *at <= from);
        if let Some((_, size)) = later.checked_sub(1).and_then(|n| self.sizes.get(n))
            && told != Some(*size)
        {
            return Ok(Next::Size(*size));
        }
        // To the next change of size and no further.
        let until = self.sizes.get(later).map_or(self.head, |(at, _)| *at);
        let at_most = at_most.min(usize::try_from(until.above(from)).unwrap_or(usize::MAX));
        let Ok(mut skip) = usize::try_from(from.above(self.floor)) else { return Ok(Next::AtHead) };
        // Every block is full, so one is found by counting.
        let block = skip / BLOCK;
        skip %= BLOCK;
        let bytes = match self.blocks.get(block) {
            Some(block) => block.slice(skip..block.len().min(skip.saturating_add(at_most))),
            None => {
                let rest = self.last.get(skip..).unwrap_or_default();
                Bytes::copy_from_slice(&rest[..rest.len().min(at_most)])
            }
        };
        Ok(if bytes.is_empty() { Next::AtHead } else { Next::Bytes(bytes) })
    }

    /// Lets the oldest block go. `false`: there is none.
    fn drop_block(&mut self) -> bool {
        let Some(block) = self.blocks.pop_front() else { return false };
        self.let_go(block);
        self.forget_sizes();
        true
    }

    /// Lets the bytes at the floor go, and says with which sizes.
    fn let_go(&mut self, mut bytes: Bytes) {
        for (at, size) in &self.sizes {
            let before = usize::try_from(at.above(self.floor)).unwrap_or(usize::MAX);
            if before > bytes.len() {
                break;
            }
            if before > 0 {
                self.gone.push(Gone::Bytes(bytes.split_to(before)));
                self.floor = self.floor.plus(before);
            }
            if self.gone_size != *size {
                self.gone_size = *size;
                self.gone.push(Gone::Size(*size));
            }
        }
        if !bytes.is_empty() {
            self.floor = self.floor.plus(bytes.len());
            self.gone.push(Gone::Bytes(bytes));
        }
    }

    /// Sizes that no kept byte was printed for.
    fn forget_sizes(&mut self) {
        while self.sizes.get(1).is_some_and(|(at, _)| *at <= self.floor) {
            self.sizes.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn size(cols: u32) -> TermSize {
        TermSize::clamped(cols, 24)
    }

    /// Where each size came in force.
    type Sizes = Vec<(u64, TermSize)>;

    /// What a screen gets that asks from `from` in pieces of `piece`, with each change of size at its place.
    fn read(ring: &Ring, from: Offset, piece: usize) -> Result<(Vec<u8>, Sizes), NotKept> {
        let (mut bytes, mut sizes, mut at, mut told) = (Vec::new(), Vec::new(), from, None);
        loop {
            match ring.next(at, told, piece)? {
                Next::Size(size) => {
                    sizes.push((at.get(), size));
                    told = Some(size);
                }
                Next::Bytes(b) => {
                    assert!(b.len() <= piece);
                    at = at.plus(b.len());
                    bytes.extend_from_slice(&b);
                }
                Next::AtHead => return Ok((bytes, sizes)),
            }
        }
    }

    #[derive(Debug, Clone)]
    enum Step {
        Push(Vec<u8>),
        Resize(u32),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => prop::collection::vec(any::<u8>(), 0..3 * BLOCK / 2).prop_map(Step::Push),
            1 => (1u32..5).prop_map(Step::Resize),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn from_every_kept_offset_the_output_goes_on_exactly(
            steps in prop::collection::vec(step(), 0..12), limit in 0..4 * BLOCK, cut in any::<prop::sample::Index>(), piece in 1usize..40_000,
        ) {
            let mut ring = Ring::new(limit, size(80));
            let (mut all, mut sizes) = (Vec::new(), vec![(0u64, size(80))]);
            let (mut gone, mut gone_sizes, mut gone_size) = (Vec::new(), Vec::new(), size(80));
            for step in steps {
                match step {
                    Step::Push(bytes) => {
                        ring.push(&bytes);
                        all.extend_from_slice(&bytes);
                    }
                    Step::Resize(cols) => {
                        ring.resize(size(cols));
                        sizes.push((all.len() as u64, size(cols)));
                    }
                }
                for part in ring.take_gone() {
                    match part {
                        Gone::Size(size) => gone_size = size,
                        Gone::Bytes(bytes) => {
                            prop_assert!(!bytes.is_empty());
                            gone_sizes.extend(bytes.iter().map(|_| gone_size));
                            gone.extend_from_slice(&bytes);
                        }
                    }
                }
                prop_assert_eq!(gone.len() as u64, ring.floor().get());
                prop_assert!(ring.len() < limit + BLOCK + 1);
                prop_assert!(ring.len() >= limit.min(all.len()));
                prop_assert_eq!(ring.head().get(), all.len() as u64);
            }
            let from = ring.floor().plus(cut.index(ring.len() + 1));

            let (bytes, told) = read(&ring, from, piece).unwrap();

            prop_assert_eq!(&bytes[..], &all[from.get() as usize..]);
            let in_force = |at: u64| sizes.iter().rev().find(|(s, _)| *s <= at).unwrap().1;
            for (at, size) in &told {
                prop_assert_eq!(*size, in_force(*at));
            }
            // What was let go is the beginning, each byte in the size for which it was printed.
            prop_assert_eq!(&gone[..], &all[..gone.len()]);
            for (at, size) in gone_sizes.iter().enumerate() {
                prop_assert_eq!(*size, in_force(at as u64));
            }
            let told_at = |at: u64| told.iter().rev().find(|(s, _)| *s <= at).unwrap().1;
            for at in from.get()..=ring.head().get() {
                prop_assert_eq!(told_at(at), in_force(at));
            }
        }
    }

    #[test]
    fn what_is_gone_and_what_is_not_there_yet_are_told_apart() {
        let mut ring = Ring::new(BLOCK, size(80));
        ring.push(&vec![b'x'; 3 * BLOCK]);

        assert_eq!(read(&ring, Offset::ZERO, 9).unwrap_err(), NotKept::Below { floor: ring.floor() });
        assert_eq!(read(&ring, ring.head().plus(1), 9).unwrap_err(), NotKept::Beyond { head: ring.head() });
        assert_eq!(read(&ring, ring.head(), 9).unwrap(), (vec![], vec![(ring.head().get(), size(80))]));
    }

    #[test]
    fn somebody_who_drags_a_window_for_ever_fills_nothing() {
        let mut ring = Ring::new(1 << 20, size(80));
        let mut gone_len = 0;
        for n in 0..5000u32 {
            ring.resize(size(80 + n % 7));
            ring.push(b"x");
            let gone = ring.take_gone();
            gone_len += gone.iter().map(|g| if let Gone::Bytes(b) = g { b.len() as u64 } else { 0 }).sum::<u64>();
            assert_eq!(gone_len, ring.floor().get());
        }

        assert!(ring.sizes.len() <= SIZES_MAX, "{}", ring.sizes.len());
        let (bytes, _) = read(&ring, ring.floor(), 100).unwrap();
        assert_eq!(bytes.len(), ring.len());
        ring.push(&vec![b'y'; 2 * BLOCK]);
        assert!(read(&ring, ring.floor(), 100).unwrap().0.ends_with(b"y"));
    }
}
