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

use bytes::Buf;
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
    /// What is being written, and since when nothing of it went.
    writing: Bytes,
    since: Option<Instant>,
    /// What was written is to be forgotten before anything else is.
    forget: bool,
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

    /// What is being written.
    pub(super) fn writing(&self) -> Bytes {
        self.writing.clone()
    }

    /// Begins to write the next piece, where none is being written.
    pub(super) fn begin(&mut self, now: Instant) -> Option<Typed> {
        if !self.writing.is_empty() {
            return None;
        }
        let first = self.waits.front_mut()?;
        let bytes = first.bytes.split_to(first.bytes.len().min(CHUNK));
        let typed = Typed { by: first.by.clone(), bytes };
        if first.bytes.is_empty() {
            self.waits.pop_front();
        }
        self.len -= typed.bytes.len();
        self.writing = typed.bytes.clone();
        self.since = Some(now);
        Some(typed)
    }

    /// So much of what was being written is.
    pub(super) fn wrote(&mut self, now: Instant, n: usize) {
        self.writing.advance(n.min(self.writing.len()));
        self.since = (!self.writing.is_empty()).then_some(now);
    }

    /// From when on the program has stopped taking what is typed, unless it takes something before.
    pub(super) fn stuck_at(&self) -> Option<Instant> {
        self.since.map(|since| since + STUCK)
    }

    /// Where something is stuck, lets the last key that signals past all that was typed before it. True: what was written is
    /// to be forgotten.
    pub(super) fn unstick(&mut self, now: Instant, modes: &Termios) -> bool {
        if self.stuck_at().is_none_or(|at| now < at) {
            return false;
        }
        let waiting = self.waits.iter().rposition(|typed| signal_in(&typed.bytes, modes).is_some());
        match waiting {
            Some(n) => {
                self.waits.drain(..n);
                if let Some(typed) = self.waits.front_mut() {
                    typed.bytes.advance(signal_in(&typed.bytes, modes).unwrap_or(0));
                }
                self.writing = Bytes::new();
                self.since = None;
            }
            None => match signal_in(&self.writing, modes) {
                Some(at) => {
                    self.writing.advance(at);
                    self.since = Some(now);
                }
                None => return false,
            },
        }
        self.len = self.waits.iter().map(|typed| typed.bytes.len()).sum();
        self.forget = true;
        true
    }

    /// Whether what was written is to be forgotten. To be asked before anything is written.
    pub(super) fn take_forget(&mut self) -> bool {
        std::mem::take(&mut self.forget)
    }
}

/// Where the last key in `bytes` stands that this terminal turns into a signal.
fn signal_in(bytes: &[u8], modes: &Termios) -> Option<usize> {
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

    /// How a new terminal is set.
    fn modes() -> Termios {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let _inside = runtime.enter();
        let (pty, _pts) = pty_process::open().unwrap();
        rustix::termios::tcgetattr(&pty).unwrap()
    }

    /// All that is still to be written.
    fn rest(input: &mut Input) -> Vec<u8> {
        let mut all = Vec::new();
        loop {
            input.begin(Instant::now());
            let bytes = input.writing();
            if bytes.is_empty() {
                return all;
            }
            assert!(bytes.len() <= CHUNK);
            all.extend_from_slice(&bytes);
            input.wrote(Instant::now(), bytes.len());
        }
    }

    #[test]
    fn what_was_typed_is_given_in_order_and_in_pieces() {
        let (mut input, by) = (Input::default(), robin());
        input.push(&by, Bytes::from(vec![b'a'; CHUNK + 1]));
        input.push(&by, Bytes::new());
        input.push(&by, Bytes::from_static(b"b"));
        input.begin(Instant::now());
        input.wrote(Instant::now(), 1);
        assert!(input.begin(Instant::now()).is_none(), "the first piece is not out yet");

        assert_eq!(rest(&mut input), [vec![b'a'; CHUNK], vec![b'b']].concat());
        assert_eq!((input.len, input.stuck_at()), (0, None));
    }

    #[test]
    fn an_interrupt_passes_what_is_stuck_and_nothing_that_moves() {
        let (mut input, by, modes, now) = (Input::default(), robin(), modes(), Instant::now());
        input.push(&by, Bytes::from(vec![b'a'; INPUT_MAX]));
        input.push(&by, Bytes::from_static(b"b\x03c"));
        assert!(!input.has_room());
        input.begin(now);
        assert!(!input.unstick(now + STUCK / 2, &modes) && !input.take_forget());

        assert!(input.unstick(now + STUCK, &modes) && input.take_forget());

        input.push(&by, Bytes::from_static(b"d"));
        assert!(input.has_room());
        assert_eq!(rest(&mut input), b"\x03cd");
    }

    #[test]
    fn an_interrupt_that_is_itself_being_written_passes_too() {
        let (mut input, by, modes, now) = (Input::default(), robin(), modes(), Instant::now());
        input.push(&by, Bytes::from_static(b"aa\x03b"));
        input.begin(now);
        input.wrote(now, 1);

        assert!(input.unstick(now + STUCK, &modes) && input.take_forget());

        assert_eq!(rest(&mut input), b"\x03b");
        input.push(&by, Bytes::from_static(b"no key that signals"));
        input.begin(now);
        assert!(!input.unstick(now + STUCK, &modes) && !input.take_forget());
    }

    #[test]
    fn the_keys_that_signal_are_those_of_the_terminal() {
        let mut modes = modes();

        assert_eq!(signal_in(b"ab\x03c", &modes), Some(2));
        assert_eq!(signal_in(b"\x03\x1c", &modes), Some(1));
        assert_eq!(signal_in(b"abc\0", &modes), None);
        modes.special_codes[SpecialCodeIndex::VINTR] = b'q';
        assert_eq!(signal_in(b"\x03q", &modes), Some(1));
        modes.local_modes -= LocalModes::ISIG;
        assert_eq!(signal_in(b"\x03q", &modes), None);
    }
}
