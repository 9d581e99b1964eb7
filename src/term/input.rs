//! What waits to be written to a terminal, and the way past it for the keys that interrupt.
//!
//! A program that reads nothing lets its input back up: first in the system, then here. Then Ctrl-C would stand behind
//! what nobody reads. So where something is stuck a key that the terminal turns into a signal goes past it, and what was
//! typed before it is forgotten, here and in the system: as the terminal itself does where it sees the key.

use std::collections::VecDeque;
use std::io;
use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use rustix::pty::OpenptFlags;
use rustix::pty::ioctl_tiocgptpeer;
use rustix::termios::LocalModes;
use rustix::termios::QueueSelector;
use rustix::termios::SpecialCodeIndex;
use rustix::termios::Termios;
use rustix::termios::tcflush;
use tokio::time::Instant;

use crate::rules::term::ran::Typist;

/// Bytes that may wait. Whoever types more is not read from until there is room.
pub(super) const INPUT_MAX: usize = 1 << 20;

/// Bytes that are written at once: what the line discipline takes of a program that reads nothing.
const CHUNK: usize = 4096;

/// What could not be written for this long is stuck.
const STUCK: Duration = Duration::from_millis(50);

/// Bytes that somebody typed.
#[derive(Debug)]
pub(super) struct Typed {
    pub(super) by: Arc<Typist>,
    pub(super) bytes: Bytes,
}

#[derive(Debug, Default)]
pub(super) struct Input {
    waits: VecDeque<Typed>,
    len: usize,
    /// Since when a chunk is being written.
    writing: Option<Instant>,
    /// What is being written is to be given up.
    drop_chunk: bool,
}

impl Input {
    pub(super) fn push(&mut self, by: &Arc<Typist>, bytes: Bytes) {
        if !bytes.is_empty() {
            self.len += bytes.len();
            self.waits.push_back(Typed { by: by.clone(), bytes });
        }
    }

    /// Whether more may be typed.
    pub(super) fn has_room(&self) -> bool {
        self.len < INPUT_MAX
    }

    /// What is to be written next.
    pub(super) fn take(&mut self, now: Instant) -> Option<Typed> {
        let first = self.waits.front_mut()?;
        let bytes = first.bytes.split_to(first.bytes.len().min(CHUNK));
        let typed = Typed { by: first.by.clone(), bytes };
        if first.bytes.is_empty() {
            self.waits.pop_front();
        }
        self.len -= typed.bytes.len();
        self.writing = Some(now);
        Some(typed)
    }

    /// Some of what was taken is written; `all` of it or not.
    pub(super) fn wrote(&mut self, now: Instant, all: bool) {
        self.writing = (!all).then_some(now);
    }

    /// Whether what is being written is to be given up. To be asked when something changes.
    pub(super) fn take_drop(&mut self) -> bool {
        std::mem::take(&mut self.drop_chunk)
    }

    /// Whether the program has stopped taking what is typed.
    pub(super) fn is_stuck(&self, now: Instant) -> bool {
        self.writing.is_some_and(|since| now.duration_since(since) >= STUCK)
    }

    /// Forgets all that waits, and has what is being written given up.
    pub(super) fn clear(&mut self) {
        self.waits.clear();
        self.len = 0;
        self.writing = None;
        self.drop_chunk = true;
    }
}

/// Where the last key in `bytes` stands that this terminal turns into a signal.
pub(super) fn signal_in(bytes: &[u8], modes: &Termios) -> Option<usize> {
    if !modes.local_modes.contains(LocalModes::ISIG) {
        return None;
    }
    let keys = [SpecialCodeIndex::VINTR, SpecialCodeIndex::VQUIT, SpecialCodeIndex::VSUSP];
    let keys = keys.map(|key| modes.special_codes[key]);
    // A key that is not set is a zero.
    bytes.iter().rposition(|byte| *byte != 0 && keys.contains(byte))
}

/// Makes the system forget what was written to this terminal and not yet read by a program.
pub(super) fn forget_written(terminal: BorrowedFd<'_>) -> io::Result<()> {
    let inside = ioctl_tiocgptpeer(terminal, OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    // What is on its way in would take the place of what is forgotten inside.
    tcflush(terminal, QueueSelector::OFlush)?;
    tcflush(&inside, QueueSelector::IFlush)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use vyre_proto::ids::Author;

    use super::*;

    fn robin() -> Arc<Typist> {
        Arc::new(Typist { author: Author::person("robin").unwrap(), via: "direct".into(), surface: "".into() })
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_typed_is_given_in_order_and_in_pieces() {
        let (mut input, by) = (Input::default(), robin());
        input.push(&by, Bytes::from(vec![b'a'; CHUNK + 1]));
        input.push(&by, Bytes::new());
        input.push(&by, Bytes::from_static(b"b"));

        let lens: Vec<_> = std::iter::from_fn(|| input.take(Instant::now()).map(|t| t.bytes.len())).collect();

        assert_eq!((lens, input.len), (vec![CHUNK, 1, 1], 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_megabyte_that_nobody_reads_is_full_and_stuck_until_it_is_forgotten() {
        let (mut input, by) = (Input::default(), robin());
        input.push(&by, Bytes::from(vec![b'a'; INPUT_MAX + CHUNK]));
        assert!(!input.has_room() && !input.is_stuck(Instant::now()));
        input.take(Instant::now()).unwrap();
        tokio::time::advance(STUCK).await;
        assert!(input.is_stuck(Instant::now()));

        input.clear();

        assert!(input.has_room() && !input.is_stuck(Instant::now()) && input.take_drop() && !input.take_drop());
        assert!(input.take(Instant::now()).is_none());
    }

    #[test]
    fn the_keys_that_signal_are_those_of_the_terminal() {
        let (pty, _pts) = {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let _inside = runtime.enter();
            pty_process::open().unwrap()
        };
        let mut modes = rustix::termios::tcgetattr(&pty).unwrap();

        assert_eq!(signal_in(b"ab\x03c", &modes), Some(2));
        assert_eq!(signal_in(b"\x03\x1c", &modes), Some(1));
        assert_eq!(signal_in(b"abc\0", &modes), None);
        modes.special_codes[SpecialCodeIndex::VINTR] = b'q';
        assert_eq!(signal_in(b"\x03q", &modes), Some(1));
        modes.local_modes -= LocalModes::ISIG;
        assert_eq!(signal_in(b"\x03q", &modes), None);
    }
}
