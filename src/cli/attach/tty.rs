//! The terminal while somebody writes on it: raw, and as it was afterwards, on every way out.
//!
//! What is to be put back is kept for the whole process, so that a panic puts it back before it says anything. Only a
//! kill that no program sees leaves a terminal raw.

use std::io;
use std::io::Read;
use std::io::Write;
use std::sync::Mutex;
use std::sync::Once;
use std::sync::PoisonError;

use rustix::termios::InputModes;
use rustix::termios::LocalModes;
use rustix::termios::OptionalActions;
use rustix::termios::SpecialCodeIndex;
use rustix::termios::Termios;
use rustix::termios::tcgetattr;
use rustix::termios::tcsetattr;
use tokio::sync::mpsc;

/// Bytes of one read, and reads that wait to be looked at.
const READ: usize = 4096;
const AHEAD: usize = 64;

/// Pasting is told apart from typing; and off again, with the cursor to be seen.
const ON: &[u8] = b"\x1b[?2004h";
const OFF: &[u8] = b"\x1b[?2004l\x1b[?2026l\x1b[?25h";

static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);
static HOOK: Once = Once::new();

/// A raw terminal. It is as it was once this is dropped.
pub struct Raw(());

impl Raw {
    /// Makes the terminal at stdin raw: each key comes at once, and none is a signal.
    pub fn enter() -> io::Result<Raw> {
        HOOK.call_once(|| {
            let told = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                restore();
                told(panic);
            }));
        });
        let before = tcgetattr(io::stdin())?;
        let mut raw = before.clone();
        raw.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN;
        raw.input_modes -= InputModes::IXON | InputModes::ICRNL | InputModes::INLCR | InputModes::IGNCR;
        raw.special_codes[SpecialCodeIndex::VMIN] = 1;
        raw.special_codes[SpecialCodeIndex::VTIME] = 0;
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        let raw = tcsetattr(io::stdin(), OptionalActions::Now, &raw).map(|()| Raw(()))?;
        let mut out = io::stdout().lock();
        out.write_all(ON)?;
        out.flush()?;
        Ok(raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        restore();
    }
}

/// Puts the terminal back; does nothing where it is as it was.
fn restore() {
    let Some(before) = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
    let mut out = io::stdout();
    let _ = out.write_all(OFF).and_then(|()| out.flush());
}

/// What comes in at stdin, read by a thread of its own, since a terminal cannot be waited for in any other way. It ends
/// with the input, or with the first bytes that nobody takes.
pub fn input() -> io::Result<mpsc::Receiver<Vec<u8>>> {
    let (send, receive) = mpsc::channel(AHEAD);
    std::thread::Builder::new().name("stdin".to_owned()).spawn(move || {
        let mut buffer = [0; READ];
        loop {
            match io::stdin().lock().read(&mut buffer) {
                Ok(0) => return,
                Ok(n) => {
                    if send.blocking_send(buffer[..n].to_vec()).is_err() {
                        return;
                    }
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    })?;
    Ok(receive)
}
