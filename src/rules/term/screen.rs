//! A terminal as it stands: what an emulator would show that had read all of the output, and the bytes that make a new
//! emulator show the same.
//!
//! A screen that comes late gets such a snapshot instead of output that is not kept any more. The cells are `avt`'s work;
//! what it has no word for (the mouse, the title, the shape of the cursor and more) is kept beside it by `modes`.
//!
//! To draw costs: 20 to 70 MB/s. So the box draws nothing that a [`super::ring`] still holds. It feeds one screen with what
//! leaves the ring; for a snapshot it clones that screen and feeds the clone with the ring's content. A flood of text is
//! cheaper than it looks, because what scrolls away again within one piece is not drawn.
//!
//! What a snapshot lacks: the scrollback, images, marks that combine with the letter before them, the shapes and colours
//! of underlines, hyperlinks on text that is drawn already, origin mode while the cursor
//! stands outside of its region. A program that draws anew brings back what it shows.

mod cells;
mod clip;
mod colours;
mod drawn;
mod modes;
#[cfg(test)]
mod tests;

use vyre_proto::limits::RECORD_MAX;
use vyre_proto::term::Offset;
use vyre_proto::term::TermSize;

use super::escape::Cutter;

use drawn::Drawn;

/// Most bytes of a snapshot that one record carries. Only a screen of hundreds of thousands of characters has more.
pub const PIECE_MAX: usize = RECORD_MAX - 1024;

/// See the module.
#[derive(Debug, Clone)]
pub struct Screen {
    cutter: Cutter,
    drawn: Drawn,
    /// A size that came in the middle of a sequence: it holds from that sequence's end on.
    ///
    /// So a snapshot, which goes back to that sequence's beginning, has the size that was in force there.
    resized: Option<TermSize>,
    fed: Offset,
}

/// A terminal at one place of its output.
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Of the emulator that the bytes are for.
    pub size: TermSize,
    /// Written into an empty emulator of that size they make it show the terminal: what both screens hold, the cursor, the
    /// modes. Nothing in them makes it answer, ring, or touch a clipboard.
    pub bytes: Vec<u8>,
    /// The output goes on here. No sequence and no character is cut at this place.
    pub next: Offset,
}

impl Snapshot {
    /// The bytes in pieces of at most [`PIECE_MAX`], one after the other; one empty piece for an empty terminal.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let none: &[u8] = &[];
        self.bytes.chunks(PIECE_MAX).chain(self.bytes.is_empty().then_some(none))
    }
}

impl std::fmt::Debug for Snapshot {
    /// What a terminal shows is nobody's to log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Snapshot({} bytes of {} at {})", self.bytes.len(), self.size, self.next)
    }
}

impl Screen {
    /// Empty, at offset 0.
    pub fn new(size: TermSize) -> Screen {
        Screen { cutter: Cutter::default(), drawn: Drawn::new(size), resized: None, fed: Offset::ZERO }
    }

    /// How much output has been fed.
    pub fn fed(&self) -> Offset {
        self.fed
    }

    /// The next bytes of the output, cut anywhere. A sequence of more than 64 KiB is passed over.
    pub fn feed(&mut self, bytes: &[u8]) {
        let Screen { cutter, drawn, resized, fed } = self;
        *fed = fed.plus(bytes.len());
        cutter.feed(bytes, |piece| {
            if let Some(size) = resized.take() {
                drawn.resize(size);
            }
            drawn.take(piece);
        });
        if cutter.held().is_empty()
            && let Some(size) = resized.take()
        {
            drawn.resize(size);
        }
    }

    /// From here on the output is for this size.
    pub fn resize(&mut self, size: TermSize) {
        if self.cutter.held().is_empty() {
            self.drawn.resize(size);
        } else {
            self.resized = Some(size);
        }
    }

    /// The size of a snapshot now: of one that came in the middle of a sequence only behind that.
    pub fn size(&self) -> TermSize {
        self.drawn.size()
    }

    /// The beginning of a sequence or a character whose end has not come: between a snapshot's `next` and here.
    pub fn unfinished(&self) -> &[u8] {
        self.cutter.held()
    }

    /// How many titles programs have put away in the emulator, to bring them back later.
    pub fn titles(&self) -> usize {
        self.drawn.titles()
    }

    /// What a window of another size can show of it, drawn over what the window shows: cells around the cursor, no modes.
    pub fn clip(&self, window: TermSize) -> Vec<u8> {
        self.drawn.clip(window)
    }

    /// The terminal as it stands, or stood before a sequence or a character that has not come whole yet.
    pub fn snapshot(&self) -> Snapshot {
        let mut bytes = self.drawn.bytes();
        // Of a sequence that is being passed over the beginning is lost: the reader passes over the rest as well.
        bytes.extend_from_slice(self.cutter.reopen());
        let held = self.cutter.held().len() as u64;
        let next = Offset::new(self.fed.get().saturating_sub(held)).unwrap_or(self.fed);
        Snapshot { size: self.drawn.size(), bytes, next }
    }
}
