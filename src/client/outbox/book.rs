//! Which writes wait, which goes next, and what an answer means for one. Pure.

use std::collections::VecDeque;
use std::time::Duration;

use vyre_proto::pb::stream::ErrorCode;

use super::Entry;
use super::Write;
use crate::client::CallError;

/// Most writes that wait.
pub const MAX_ENTRIES: usize = 1000;

/// Most bytes that wait.
pub const MAX_BYTES: usize = 8 << 20;

/// A box that answers and cannot do a thing is asked so often. After that what stands behind it has its turn.
const ANSWERED_MAX: u32 = 8;

/// There is no room for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too much waits to be sent already; what you typed is still in the line")]
pub struct Full;

/// What an answer means for the write that was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It will never be taken: say so and go on with the next.
    Refused,
    /// Ask again, not before this.
    Later(Duration),
    /// Nothing can be asked by this person now: keep all of it.
    Hold,
}

/// What to do about a call of this tool that failed, `tries` answered failures before it not counted.
pub fn judge(tool: &str, tries: u32, error: &CallError) -> Verdict {
    match error {
        CallError::Refused { code, retry_after, .. } => match code {
            ErrorCode::Denied
            | ErrorCode::NotFound
            | ErrorCode::Invalid
            | ErrorCode::Conflict
            | ErrorCode::TooLarge => Verdict::Refused,
            // The person is not known there: the words are not at fault.
            ErrorCode::Unauthenticated => Verdict::Hold,
            ErrorCode::RateLimited => Verdict::Later(*retry_after),
            // A box that cannot take words now will later. One that does not serve a tool says the same, and never will.
            ErrorCode::Unavailable if tool == "stream.send" => Verdict::Later(*retry_after),
            ErrorCode::Unavailable | ErrorCode::Internal if tries + 1 < ANSWERED_MAX => Verdict::Later(*retry_after),
            ErrorCode::Unavailable | ErrorCode::Internal => Verdict::Refused,
        },
        CallError::Unreachable(_) | CallError::TimedOut | CallError::NoAnswer | CallError::NotABox => {
            Verdict::Later(Duration::ZERO)
        }
        CallError::Invalid => Verdict::Refused,
    }
}

/// The writes that wait.
#[derive(Debug, Default)]
pub(super) struct Book {
    waiting: VecDeque<Entry>,
    bytes: usize,
    newest: u64,
}

impl Book {
    pub fn of(waiting: VecDeque<Entry>) -> Book {
        let bytes = waiting.iter().map(Entry::len).sum();
        let newest = waiting.iter().map(|e| e.number).max().unwrap_or(0);
        Book { waiting, bytes, newest }
    }

    /// The entry that this write would be.
    pub fn check(&self, write: Write) -> Result<Entry, Full> {
        let entry = Entry { number: self.newest.saturating_add(1), write };
        let fits = self.waiting.len() < MAX_ENTRIES && self.bytes + entry.len() <= MAX_BYTES;
        if fits { Ok(entry) } else { Err(Full) }
    }

    pub fn put(&mut self, entry: Entry) {
        self.newest = self.newest.max(entry.number);
        self.bytes += entry.len();
        self.waiting.push_back(entry);
    }

    pub fn first(&self) -> Option<&Entry> {
        self.waiting.front()
    }

    pub fn waiting(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.waiting.iter()
    }

    pub fn settle(&mut self, number: u64) -> Option<Entry> {
        let at = self.waiting.iter().position(|e| e.number == number)?;
        let entry = self.waiting.remove(at)?;
        self.bytes -= entry.len();
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use proptest::prelude::*;

    use super::*;
    use crate::client::outbox::log;
    use crate::client::outbox::log::Owner;

    fn write(n: u64) -> Write {
        Write { tool: "stream.send".into(), key: String::new(), body: Bytes::copy_from_slice(&n.to_le_bytes()) }
    }

    fn refused(code: ErrorCode) -> CallError {
        CallError::Refused { code, message: String::new(), retry_after: Duration::ZERO }
    }

    #[test]
    fn a_refusal_settles_and_everything_else_is_asked_again() {
        for code in
            [ErrorCode::Denied, ErrorCode::NotFound, ErrorCode::Invalid, ErrorCode::Conflict, ErrorCode::TooLarge]
        {
            assert_eq!(judge("stream.send", 0, &refused(code)), Verdict::Refused, "{code:?}");
        }
        for error in [CallError::TimedOut, CallError::NoAnswer, CallError::NotABox, refused(ErrorCode::RateLimited)] {
            assert_eq!(judge("stream.send", 1000, &error), Verdict::Later(Duration::ZERO), "{error:?}");
        }
        assert_eq!(judge("stream.send", 1000, &refused(ErrorCode::Unavailable)), Verdict::Later(Duration::ZERO));
        assert_eq!(judge("stream.send", 0, &refused(ErrorCode::Unauthenticated)), Verdict::Hold);
    }

    #[test]
    fn a_tool_that_is_not_served_holds_nobody_up_for_ever() {
        for code in [ErrorCode::Unavailable, ErrorCode::Internal] {
            let asked = (0..).take_while(|n| judge("threads.retry", *n, &refused(code)) != Verdict::Refused).count();
            assert_eq!(asked, 7, "{code:?}");
        }
    }

    #[test]
    fn there_is_a_bound_by_number_and_by_bytes() {
        let mut book = Book::default();
        while let Ok(entry) = book.check(write(0)) {
            book.put(entry);
        }
        assert_eq!(book.waiting().count(), MAX_ENTRIES);
        let mut book = Book::default();
        let large = Write { body: vec![0; MAX_BYTES / 3].into(), ..write(0) };
        while let Ok(entry) = book.check(large.clone()) {
            book.put(entry);
        }
        assert_eq!(book.waiting().count(), 2);
    }

    /// What happens to a person who types, on a path that comes and goes, with programs that are killed.
    #[derive(Debug, Clone)]
    enum Step {
        Type,
        /// The first is sent: is it taken, and does the answer come back?
        Ask {
            arrives: bool,
            answered: bool,
            refused: bool,
        },
        /// Killed, with so many bytes of the last line on disk.
        Kill {
            torn: usize,
        },
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let ask = (any::<bool>(), any::<bool>(), prop::bool::weighted(0.1))
            .prop_map(|(arrives, answered, refused)| Step::Ask { arrives, answered, refused });
        prop::collection::vec(
            prop_oneof![3 => Just(Step::Type), 5 => ask, 1 => (0usize..60).prop_map(|torn| Step::Kill { torn })],
            0..80,
        )
    }

    proptest! {
        #[test]
        fn what_is_typed_is_done_once_and_in_order_whatever_breaks(steps in steps()) {
            let owner = Owner::of("b", "t", "s");
            let (mut file, mut book, mut typed) = (log::head(owner), Book::default(), 0u64);
            // The box: what it did, by id, in order. An id is done once.
            let (mut done, mut refusals): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
            let id = |e: &Entry| u64::from_le_bytes(e.write.body[..8].try_into().unwrap());
            // In the end the path holds.
            let end = std::iter::repeat_n(Step::Ask { arrives: true, answered: true, refused: false }, 200);
            for step in steps.into_iter().chain(end) {
                match step {
                    Step::Type => {
                        typed += 1;
                        let entry = book.check(write(typed)).unwrap();
                        file.extend(log::put(&entry));
                        book.put(entry);
                    }
                    Step::Ask { arrives, answered, refused } => {
                        let Some(first) = book.first().cloned() else { continue };
                        let known = done.contains(&id(&first)) || refusals.contains(&id(&first));
                        if arrives && !known {
                            if refused { refusals.push(id(&first)) } else { done.push(id(&first)) }
                        }
                        if arrives && answered {
                            book.settle(first.number).unwrap();
                            file.extend(log::settled(first.number));
                        }
                    }
                    Step::Kill { torn } => {
                        // Half a line that was being written; nobody was told of it.
                        let entry = book.check(write(u64::MAX)).unwrap();
                        let half = log::put(&entry);
                        file.extend(&half[..torn.min(half.len() - 1)]);
                        let contents = log::read(&file, owner).unwrap();
                        prop_assert!(!contents.damaged);
                        file.truncate(contents.good);
                        prop_assert!(contents.waiting.iter().eq(book.waiting()));
                        book = Book::of(contents.waiting);
                    }
                }
            }
            let mut all: Vec<u64> = done.iter().chain(&refusals).copied().collect();
            prop_assert!(done.is_sorted());
            all.sort_unstable();
            prop_assert_eq!(all, (1..=typed).collect::<Vec<_>>());
        }
    }
}
