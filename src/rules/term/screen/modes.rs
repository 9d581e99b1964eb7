//! What a program sets in an emulator beside its cells: what the mouse and the keyboard report, the title, the cursor's
//! shape, colours.
//!
//! Only what was said is kept, so that an emulator's own defaults stay where nobody said anything. Left out on purpose is
//! what would make an emulator answer (reports of its size), and what lasts no longer than a frame (synchronized updates).

use std::collections::BTreeMap;

use super::colours::Colours;
use crate::rules::term::escape::Csi;

/// Private modes that are said again as they were: screen reversed, cursor that blinks, wrap backwards, reports of focus,
/// wheel as arrows, what Alt sends (three), bracketed paste, width of clusters, reports of the colour scheme.
const KEPT: &[u16] = &[5, 12, 45, 1004, 1007, 1034, 1036, 1039, 2004, 2027, 2031];

/// What the mouse reports: one of these at a time.
const MOUSE: &[u16] = &[9, 1000, 1001, 1002, 1003];

/// How it does so: again one at a time.
const MOUSE_WRITTEN: &[u16] = &[1005, 1006, 1015, 1016];

/// The numeric keypad sends sequences. `ESC =` says the same.
const KEYPAD: u16 = 66;

/// Longest title in characters, and most of them that wait on the stack, as in xterm.
const TITLE_MAX: usize = 1024;
const TITLES_MAX: usize = 10;

/// Longest hyperlink in bytes.
const LINK_MAX: usize = 4096;

/// Most keyboard modes on a stack. The oldest goes, as the protocol demands.
const KEYBOARD_MAX: usize = 16;

/// See the module.
#[derive(Debug, Clone, Default)]
pub(super) struct Modes {
    private: BTreeMap<u16, bool>,
    /// DECSCUSR, 1 to 6.
    cursor: Option<u16>,
    /// xterm's `modifyOtherKeys`.
    other_keys: Option<u16>,
    /// Kitty's keyboard protocol, for each of the two screens.
    keyboard: [Keyboard; 2],
    title: Option<String>,
    titles: Vec<Option<String>>,
    /// Parameters and address of the hyperlink that text is part of now.
    link: Option<String>,
    colours: Colours,
}

/// The flags in force, and below them those that come back when they are popped.
#[derive(Debug, Clone, Default)]
struct Keyboard {
    below: Vec<u16>,
    now: u16,
}

impl Keyboard {
    fn push(&mut self, flags: u16) {
        if self.below.len() == KEYBOARD_MAX {
            self.below.remove(0);
        }
        self.below.push(std::mem::replace(&mut self.now, flags));
    }

    fn pop(&mut self, n: u16) {
        for _ in 0..n.clamp(1, KEYBOARD_MAX as u16) {
            self.now = self.below.pop().unwrap_or(0);
        }
    }

    fn set(&mut self, flags: u16, how: u16) {
        match how {
            2 => self.now |= flags,
            3 => self.now &= !flags,
            _ => self.now = flags,
        }
    }

    fn is_default(&self) -> bool {
        self.below.is_empty() && self.now == 0
    }

    fn write(&self, out: &mut Vec<u8>) {
        let mut all = self.below.iter().chain(std::iter::once(&self.now));
        if let Some(first) = all.next().filter(|first| **first != 0) {
            out.extend_from_slice(format!("\x1b[={first};1u").as_bytes());
        }
        for flags in all {
            out.extend_from_slice(format!("\x1b[>{flags}u").as_bytes());
        }
    }
}

impl Modes {
    /// How many titles were put away.
    pub(super) fn titles(&self) -> usize {
        self.titles.len()
    }

    /// Reads a whole sequence. `alternate`: it was written on the alternate screen.
    pub(super) fn read(&mut self, sequence: &[u8], alternate: bool) {
        if let Some(csi) = Csi::parse(sequence) {
            self.control(&csi, alternate);
        } else if let Some(body) = operating_system_command(sequence) {
            self.command(body);
        } else {
            match sequence {
                b"\x1b=" => self.private(KEYPAD, true),
                b"\x1b>" => self.private(KEYPAD, false),
                // A title outlives a reset.
                b"\x1bc" => {
                    let (title, titles) = (self.title.take(), std::mem::take(&mut self.titles));
                    *self = Modes { title, titles, ..Modes::default() };
                }
                _ => {}
            }
        }
    }

    fn control(&mut self, csi: &Csi, alternate: bool) {
        let keyboard = &mut self.keyboard[usize::from(alternate)];
        match (csi.marker, csi.intermediate, csi.last) {
            (b'?', 0, b'h' | b'l') => {
                for mode in csi.params() {
                    self.private(*mode, csi.last == b'h');
                }
            }
            (b'>', 0, b'u') => keyboard.push(csi.param(0)),
            (b'<', 0, b'u') => keyboard.pop(csi.param(0)),
            (b'=', 0, b'u') => keyboard.set(csi.param(0), csi.param(1)),
            (b'>', 0, b'm') if csi.param(0) == 4 && csi.params().len() > 1 => self.other_keys = Some(csi.param(1)),
            (b'>', 0, b'm' | b'n') if matches!(csi.param(0), 0 | 4) => self.other_keys = None,
            (0, b' ', b'q') => self.cursor = Some(csi.param(0)).filter(|shape| (1..=6).contains(shape)),
            (0, b'!', b'p') => self.private(KEYPAD, false),
            (0, 0, b't') if csi.param(0) == 22 && csi.param(1) != 1 && self.titles.len() < TITLES_MAX => {
                self.titles.push(self.title.clone());
            }
            (0, 0, b't') if csi.param(0) == 23 && csi.param(1) != 1 => {
                if let Some(title) = self.titles.pop() {
                    self.title = title;
                }
            }
            _ => {}
        }
    }

    fn private(&mut self, mode: u16, on: bool) {
        for one_of in [MOUSE, MOUSE_WRITTEN] {
            if one_of.contains(&mode) {
                self.private.retain(|other, _| !one_of.contains(other));
                if on {
                    self.private.insert(mode, true);
                }
            }
        }
        if KEPT.contains(&mode) || mode == KEYPAD {
            self.private.insert(mode, on);
        }
    }

    fn command(&mut self, body: &[u8]) {
        let body = String::from_utf8_lossy(body);
        let plain = |text: &str| text.chars().filter(|c| !c.is_control()).take(TITLE_MAX).collect::<String>();
        match body.split_once(';') {
            Some(("0" | "2", title)) => self.title = Some(plain(title)),
            Some(("8", link)) => {
                let opens = link.split_once(';').is_some_and(|(_, address)| !address.is_empty());
                let fits = link.len() <= LINK_MAX && !link.contains(char::is_control);
                self.link = (opens && fits).then(|| link.to_owned());
            }
            _ => self.colours.read(&body),
        }
    }

    /// What is said before the cells are drawn, on the primary screen. `alternate`: that one will be shown.
    pub(super) fn write_first(&self, out: &mut Vec<u8>, alternate: bool) {
        self.colours.write(out);
        let mut title = |title: &Option<String>, then: &str| {
            if let Some(title) = title {
                out.extend_from_slice(format!("\x1b]2;{title}\x1b\\").as_bytes());
            }
            out.extend_from_slice(then.as_bytes());
        };
        for waiting in &self.titles {
            title(waiting, "\x1b[22;2t");
        }
        title(&self.title, "");
        self.keyboard[0].write(out);
        // A keyboard mode is set on its own screen alone.
        if !alternate && !self.keyboard[1].is_default() {
            out.extend_from_slice(b"\x1b[?1049h");
            self.keyboard[1].write(out);
            out.extend_from_slice(b"\x1b[?1049l");
        }
    }

    /// What is said after them.
    pub(super) fn write_last(&self, out: &mut Vec<u8>, alternate: bool) {
        for (mode, on) in &self.private {
            let sequence = match (*mode, on) {
                (KEYPAD, true) => "\x1b=".to_owned(),
                (KEYPAD, false) => "\x1b>".to_owned(),
                (mode, on) => format!("\x1b[?{mode}{}", if *on { 'h' } else { 'l' }),
            };
            out.extend_from_slice(sequence.as_bytes());
        }
        if let Some(shape) = self.cursor {
            out.extend_from_slice(format!("\x1b[{shape} q").as_bytes());
        }
        if let Some(value) = self.other_keys {
            out.extend_from_slice(format!("\x1b[>4;{value}m").as_bytes());
        }
        if alternate {
            self.keyboard[1].write(out);
        }
        if let Some(link) = &self.link {
            out.extend_from_slice(format!("\x1b]8;{link}\x1b\\").as_bytes());
        }
    }
}

/// What stands in an OSC.
fn operating_system_command(sequence: &[u8]) -> Option<&[u8]> {
    let body = sequence.strip_prefix(b"\x1b]").or_else(|| sequence.strip_prefix("\u{9d}".as_bytes()))?;
    Some(body.strip_suffix(b"\x07").or_else(|| body.strip_suffix("\u{9c}".as_bytes())).unwrap_or(body))
}
