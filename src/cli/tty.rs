//! The person's own terminal while a command has it: raw, and as it was afterwards, on every way out.
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

/// How a command has the terminal.
#[derive(Clone, Copy)]
pub struct Manner {
    raw: fn(&mut Termios),
    /// What is written when it begins, and when it is over.
    on: &'static str,
    off: &'static str,
}

/// Everything that a program may have set, back as an emulator has it by itself.
macro_rules! reset {
    () => {
        concat!(
            // Each of the two screens has its own saved cursor and keyboard mode.
            "\x1b[!p\x1b[?6l\x1b[?7h\x1b[?1049h\x1b[H\x1b[m\x1b7\x1b[<99u\x1b[=0;1u\x1b[?1049l",
            "\x1b[!p\x1b[?6l\x1b[?7h\x1b[?1l\x1b>\x1b[?5l\x1b[?45l",
            "\x1b[?9l\x1b[?1000l\x1b[?1001l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1005l\x1b[?1006l\x1b[?1015l",
            "\x1b[?1016l\x1b[?2004l\x1b[?2026l\x1b[?2027l\x1b[?2031l\x1b[?2048l\x1b[<99u\x1b[=0;1u\x1b[>4m",
            "\x1b[0 q\x1b[4l\x1b[20l\x1b(B\x1b)B\x0f\x1b[r\x1b[m\x1b7\x1b]8;;\x1b\\\x1b[?25h",
        )
    };
}

/// The same.
pub const RESET: &str = reset!();

/// To that the title that was there before, and the cursor on a line of its own below everything.
const WHOLE_OFF: &str = concat!(reset!(), "\x1b[23;2t\x1b[999;1H\r\n");

/// To write a line on it: output stays what it is, and pasting is told apart from typing.
pub const LINE: Manner = Manner {
    raw: |settings| {
        settings.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN;
        settings.input_modes -= InputModes::IXON | InputModes::ICRNL | InputModes::INLCR | InputModes::IGNCR;
    },
    on: "\x1b[?2004h",
    off: "\x1b[?2004l\x1b[?2026l\x1b[?25h",
};

/// As a whole, for programs elsewhere, which may set what they like.
pub const WHOLE: Manner = Manner { raw: Termios::make_raw, on: "\x1b[22;2t", off: WHOLE_OFF };

static BEFORE: Mutex<Option<(Termios, &str)>> = Mutex::new(None);
static HOOK: Once = Once::new();

/// A raw terminal. It is as it was once this is dropped.
pub struct Raw(());

impl Raw {
    /// Makes the terminal at stdin raw: each key comes at once, and none is a signal.
    pub fn enter(manner: Manner) -> io::Result<Raw> {
        HOOK.call_once(|| {
            let told = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                restore();
                told(panic);
            }));
        });
        let before = tcgetattr(io::stdin())?;
        let mut raw = before.clone();
        (manner.raw)(&mut raw);
        raw.special_codes[SpecialCodeIndex::VMIN] = 1;
        raw.special_codes[SpecialCodeIndex::VTIME] = 0;
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some((before, manner.off));
        let raw = tcsetattr(io::stdin(), OptionalActions::Now, &raw).map(|()| Raw(()))?;
        let mut out = io::stdout().lock();
        out.write_all(manner.on.as_bytes())?;
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
    let Some((before, off)) = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
    let mut out = io::stdout();
    let _ = out.write_all(off.as_bytes()).and_then(|()| out.flush());
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
