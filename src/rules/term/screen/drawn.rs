//! What an emulator shows, fed with whole sequences: `avt`'s cells, and beside them the modes that it does not know.

use avt::ScreenKind;
use avt::Terminal;
use unicode_width::UnicodeWidthChar;
use vyre_proto::term::TermSize;

use super::cells::rewritten;
use super::clip::clip;
use super::modes::Modes;
use crate::rules::term::escape::Csi;
use crate::rules::term::escape::Piece;
use crate::rules::term::escape::is_string;

/// See the module. No sequence is ever half read here.
pub(super) struct Drawn {
    size: TermSize,
    terminal: Terminal,
    modes: Modes,
    /// Text scrolls the whole screen: no part of it was set apart.
    scrolls: bool,
}

impl std::fmt::Debug for Drawn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Drawn({})", self.size)
    }
}

impl Clone for Drawn {
    /// By drawing anew what is drawn: some 10 KB for a screen of usual size.
    fn clone(&self) -> Self {
        let mut terminal = emulator(self.size);
        terminal.feed(self.terminal.dump());
        Drawn { size: self.size, terminal, modes: self.modes.clone(), scrolls: self.scrolls }
    }
}

#[expect(clippy::expect_used, reason = "only a side of 0 is refused, and no size has one")]
fn emulator(size: TermSize) -> Terminal {
    Terminal::new(size.cols().into(), size.rows().into()).expect("a size is never 0")
}

impl Drawn {
    pub(super) fn new(size: TermSize) -> Drawn {
        Drawn { size, terminal: emulator(size), modes: Modes::default(), scrolls: true }
    }

    pub(super) fn size(&self) -> TermSize {
        self.size
    }

    pub(super) fn resize(&mut self, size: TermSize) {
        self.size = size;
        self.terminal.resize(size.cols().into(), size.rows().into());
    }

    /// The next piece of the output.
    pub(super) fn take(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Text(bytes) => self.text(bytes),
            Piece::Escape(bytes) => self.escape(bytes),
            // What was given up does nothing, but a line feed in the middle of it is one. In a string it is not.
            Piece::Broken(bytes) if !is_string(bytes) => {
                let controls = bytes.iter().filter(|b| matches!(b, 0x07..=0x0f)).map(|b| char::from(*b));
                self.terminal.feed(controls);
            }
            Piece::Broken(_) => {}
        }
    }

    fn text(&mut self, bytes: &[u8]) {
        let bytes = if self.scrolls { newest(bytes, self.size) } else { bytes };
        let text = String::from_utf8_lossy(bytes);
        if text.is_ascii() && !text.contains('\x7f') {
            self.terminal.feed(&*text);
        } else {
            // Emulators pass over DEL, and a mark that combines takes no cell; `avt` gives one to either.
            self.terminal.feed(text.chars().filter(|c| c.width() != Some(0) && *c != '\x7f'));
        }
    }

    fn escape(&mut self, sequence: &[u8]) {
        let alternate = self.terminal.active_screen_kind() == ScreenKind::Alternate;
        self.modes.read(sequence, alternate);
        // No string draws anything, and `avt` ends one only with the byte that comes next.
        if !is_string(sequence)
            && let Ok(sequence) = std::str::from_utf8(sequence)
        {
            self.terminal.feed(sequence);
        }
        self.scrolls |= sequence == b"\x1bc";
        let Some(csi) = Csi::parse(sequence) else { return };
        match (csi.marker, csi.intermediate, csi.last) {
            (0, 0, b'r') => self.scrolls = csi.param(0) <= 1 && [0, self.size.rows()].contains(&csi.param(1)),
            (0, b'!', b'p') => self.scrolls = true,
            // The older name of the alternate screen.
            (b'?', 0, b'h') if csi.params().contains(&47) => self.terminal.feed("\x1b[?1047h"),
            (b'?', 0, b'l') if csi.params().contains(&47) => self.terminal.feed("\x1b[?1047l"),
            _ => {}
        }
    }

    pub(super) fn titles(&self) -> usize {
        self.modes.titles()
    }

    pub(super) fn clip(&self, window: TermSize) -> Vec<u8> {
        clip(&self.terminal, window)
    }

    /// What makes an empty emulator of this size show the same.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let alternate = self.terminal.active_screen_kind() == ScreenKind::Alternate;
        let mut bytes = Vec::new();
        self.modes.write_first(&mut bytes, alternate);
        bytes.append(&mut rewritten(&self.terminal.dump(), self.size.cols().into()));
        self.modes.write_last(&mut bytes, alternate);
        bytes
    }
}

/// Of text that scrolls the whole screen: the end that is still there afterwards, and a little more.
///
/// What stands above has scrolled away whatever it was, if it moved no character set. Below it come twice as many lines as
/// the screen has: the first half may do no more than bring the cursor to the bottom, the second fills every line anew.
fn newest(bytes: &[u8], size: TermSize) -> &[u8] {
    let needed = 2 * usize::from(size.rows()) + 1;
    // Most text is no flood, and is not worth the look.
    if bytes.len() < 2 * needed {
        return bytes;
    }
    let mut ends = bytes.iter().enumerate().rev().filter(|(_, b)| **b == b'\n').map(|(at, _)| at);
    let Some(at) = ends.nth(needed - 1) else { return bytes };
    let above = &bytes[..at];
    // It may move a character set, and only behind a carriage return does a line begin at its beginning.
    if above.ends_with(b"\r") && !above.iter().any(|b| matches!(b, 0x0e | 0x0f)) { &bytes[at - 1..] } else { bytes }
}
