//! The commonest step of all: the next piece of a message that is open, to which nothing has to be done but to show it.
//!
//! It is what [`Adapter::project`] would do, without the frame: whoever logs it writes the frame from the event as it lies.
//! A property test holds the two together.

use std::str;

use vyre_proto::event::Words;
use vyre_proto::pb::stream as pb;

use crate::rules::adapter::Adapter;
use crate::rules::reply::Written;
use crate::rules::room::Room;

/// A piece that goes on where its message stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoesOn {
    /// Offset of the piece in the message's text, in bytes.
    pub at: u64,
    /// It was written to the message's handle.
    pub written: Written,
}

impl Adapter {
    /// Takes the event in as the next piece of an open message of which something was shown. `None`: it is not one, or
    /// something is held, filtered or gone; nothing was done, and [`Adapter::project`] knows what is to be.
    pub fn go_on(&mut self, words: &Words, room: &Room) -> Option<GoesOn> {
        let turn = || str::from_utf8(words.turn()).unwrap_or_default();
        let actor = || str::from_utf8(words.actor()).unwrap_or_default();
        if self.replies.has_dropped() && self.replies.is_dropped(actor(), turn()) {
            return None;
        }
        if !self.guard.is_idle(true) && !self.guard.is_idle(room.several()) {
            return None;
        }
        let open = self.open.get_mut(words.message())?;
        if open.gone || !open.parent.is_empty() || open.tail.iter().any(|t| !t.is_empty()) {
            return None;
        }
        let written = open.reply?.write();
        Some(GoesOn { at: open.lens.take(pb::Channel::Text, words.text().len()), written })
    }
}
