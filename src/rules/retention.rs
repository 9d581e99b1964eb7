//! What loses its content by age, and when.
//!
//! The words of an assistant in a session of one person, and what a shell printed, are kept for a while and then emptied:
//! the frame stays under its cursor with its span and says `expired`, the event stays under its id and place. The words of
//! a group stay, and so does what a person says, what a tool gave back, and what was asked and answered. Words go by whole
//! messages: a message is as old as its end, and one that has not ended does not age.
//!
//! **Which clock.** Age is counted on a clock of the box's own ([`AgeClock`]), and never by what a producer says. It begins
//! at the calendar, or at the highest place that was stored where the calendar stands before it, and from there it runs
//! with the count of time that only goes forward. So a calendar that is set back makes nothing young again and one that is set forward makes
//! nothing old, while the box runs; and across a restart a calendar that was set back lets no time pass. That a box was
//! off, and for how long, only the calendar knows: it is believed at a start, where it is ahead.
//!
//! **In which order.** [`Track`] looks at events, then at frames, once, in the order of the log, up to those that are old
//! enough. Whether a message has ended the events say alone, for both: so an event and its frames always share their fate.
//! What it has to remember is which messages were open there; where one ends that began before, its words are gone back for. It
//! bounds what it remembers as the adapter does, by the same rule.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::VecDeque;
use std::time::Duration;

use prost::Message;
use vyre_proto::limits::TEXT_MAX;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data as Event;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::tick::Tick;
use vyre_proto::tick::Wall;

use crate::rules::adapter::ENDED_MAX;
use crate::rules::adapter::OPEN_MAX;

/// How long words are kept unless it is said otherwise.
pub const RETAIN: Duration = Duration::from_secs(24 * 3600);

/// What nobody went on with for so long after it was old, and what the adapter does not know any more, has ended: late words of
/// a turn that was given up have no end.
const FORGOTTEN: Duration = Duration::from_secs(24 * 3600);

/// The clock by which things grow old.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgeClock {
    began: Wall,
    at: Tick,
}

impl AgeClock {
    /// The clock of a box that starts now, where `stored` is the highest place that is on disk.
    pub fn start(stored: Wall, wall: Wall, tick: Tick) -> AgeClock {
        AgeClock { began: Wall(stored.0.max(wall.0)), at: tick }
    }

    /// What it shows.
    pub fn now(&self, tick: Tick) -> Wall {
        let passed = u64::try_from(tick.since(self.at).as_micros()).unwrap_or(u64::MAX);
        Wall(self.began.0.saturating_add(passed))
    }
}

/// What was logged at this time or before is old. `None`: nothing is yet.
pub fn cutoff(now: Wall, retain: Duration) -> Option<Wall> {
    now.0.checked_sub(u64::try_from(retain.as_micros()).ok()?).map(Wall)
}

/// What a frame or an event is to retention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item<'a> {
    /// A piece of this message of an assistant's.
    Words(&'a str),
    /// This message ends.
    End(&'a str),
    /// What a shell printed.
    Shell,
    /// It stays.
    Stays,
}

/// A person's words stay, however they came.
fn is_person(author: &str) -> bool {
    author.starts_with("person:")
}

/// What an event is.
pub fn of_event(event: &pb::Event) -> Item<'_> {
    match &event.data {
        Some(Event::ThreadDelta(d)) if !is_person(&event.actor) => Item::Words(&d.message),
        Some(Event::ThreadThinking(d)) if !is_person(&event.actor) => Item::Words(&d.message),
        Some(Event::ThreadDone(d)) => Item::End(&d.message),
        Some(Event::ThreadCut(d)) => Item::End(&d.message),
        Some(Event::ThreadShell(_)) => Item::Shell,
        _ => Item::Stays,
    }
}

/// What a frame is. Where its message ends the events say.
pub fn of_frame(frame: &pb::Frame) -> Item<'_> {
    match &frame.data {
        Some(Data::TextDelta(_)) if !is_person(&frame.author) => Item::Words(&frame.message),
        Some(Data::TermChunk(_)) => Item::Shell,
        _ => Item::Stays,
    }
}

/// Whether words of theirs may lose their content one day, in the frame as in the event.
pub fn words_fade(actor: &[u8]) -> bool {
    !actor.starts_with(b"person:")
}

/// Whether it may lose its content one day: then it is not written in the clear.
pub fn may_fade(item: Item<'_>) -> bool {
    matches!(item, Item::Words(_) | Item::Shell)
}

/// Takes the content out of a frame. Cursor, span, message and place in it stay.
pub fn empty_frame(frame: &mut pb::Frame) {
    match &mut frame.data {
        Some(Data::TextDelta(d)) => d.text.clear(),
        Some(Data::TermChunk(d)) => {
            d.command.clear();
            d.output.clear();
            d.total = 0;
        }
        _ => return,
    }
    frame.expired = true;
}

/// Takes the content out of an event, which remembers how long its words were: what follows them stands behind them.
pub fn empty_event(event: &mut pb::Event) {
    if event.expired > 0 {
        return;
    }
    let len = match &mut event.data {
        Some(Event::ThreadDelta(d)) => std::mem::take(&mut d.text).len(),
        Some(Event::ThreadThinking(d)) => std::mem::take(&mut d.text).len(),
        Some(Event::ThreadShell(d)) => {
            d.command.clear();
            let output = std::mem::take(&mut d.output);
            // Its last line is what may be held, and whether there was one before.
            let line = output.rsplit('\n').next().map_or(0, str::len);
            line * 2 + usize::from(line < output.len())
        }
        _ => return,
    };
    event.expired = len as u64 + 1;
}

/// Stands for the words of an emptied event where their length counts. `None`: the event has its words.
pub fn filler(event: &pb::Event) -> Option<String> {
    let len = usize::try_from(event.expired.checked_sub(1)?).unwrap_or(usize::MAX);
    if let Some(Event::ThreadShell(_)) = event.data {
        let begin = if len % 2 == 1 { "\n" } else { "" };
        return Some(begin.to_owned() + &".".repeat((len / 2).min(TEXT_MAX)));
    }
    Some(" ".repeat(len.min(TEXT_MAX)))
}

/// A message that has begun and not ended where the track stands.
#[derive(Clone, PartialEq, Message)]
struct Begun {
    #[prost(string, tag = "1")]
    message: String,
    /// The chunk in which it begins.
    #[prost(uint64, tag = "2")]
    first: u64,
    /// When its newest words were logged.
    #[prost(uint64, tag = "3")]
    newest: u64,
    /// Counts what was begun.
    #[prost(uint64, tag = "4")]
    order: u64,
}

#[derive(Clone, PartialEq, Message)]
struct Stored {
    #[prost(uint64, tag = "1")]
    upto: u64,
    #[prost(message, repeated, tag = "2")]
    open: Vec<Begun>,
    #[prost(string, repeated, tag = "3")]
    ended: Vec<String>,
    #[prost(uint64, tag = "4")]
    kept: u64,
    #[prost(uint64, tag = "5")]
    order: u64,
}

/// How far one session's frames, or its events, were looked at.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Track {
    /// The last chunk that was looked at.
    pub upto: u64,
    /// The lowest number of a key under which something up to there is still sealed. 0: nothing is.
    pub kept: u64,
    open: BTreeMap<String, Begun>,
    /// Those that ended last, the oldest in front.
    ended: VecDeque<String>,
    order: u64,
}

impl Track {
    /// Takes up a stored one. One that cannot be read begins anew: then everything is looked at again.
    pub fn decode(bytes: &[u8]) -> Track {
        let Ok(s) = Stored::decode(bytes) else { return Track::default() };
        let open = s.open.into_iter().map(|b| (b.message.clone(), b)).collect();
        Track { upto: s.upto, kept: s.kept, open, ended: s.ended.into(), order: s.order }
    }

    /// As bytes.
    pub fn encode(&self) -> Vec<u8> {
        let open = self.open.values().cloned().collect();
        let ended = self.ended.iter().cloned().collect();
        Stored { upto: self.upto, open, ended, kept: self.kept, order: self.order }.encode_to_vec()
    }

    /// Looks at the next item, which stands in chunk `chunk` and was logged then. Gives where the words begin that have
    /// come to their end by it.
    pub fn see(&mut self, item: Item<'_>, chunk: u64, logged: Wall) -> Option<u64> {
        match item {
            Item::Words(message) => {
                if let Some(begun) = self.open.get_mut(message) {
                    begun.newest = begun.newest.max(logged.0);
                    return None;
                }
                if self.ended.iter().any(|m| m == message) {
                    return None;
                }
                let gone = if self.open.len() >= OPEN_MAX { self.end_longest() } else { None };
                self.order += 1;
                let begun = Begun { message: message.to_owned(), first: chunk, newest: logged.0, order: self.order };
                self.open.insert(message.to_owned(), begun);
                gone
            }
            Item::End(message) => self.end(message),
            Item::Shell | Item::Stays => None,
        }
    }

    fn end_longest(&mut self) -> Option<u64> {
        let longest = self.open.values().min_by_key(|b| b.order)?.message.clone();
        self.end(&longest)
    }

    fn end(&mut self, message: &str) -> Option<u64> {
        let begun = self.open.remove(message);
        if !self.ended.iter().any(|m| m == message) {
            if self.ended.len() >= ENDED_MAX {
                self.ended.pop_front();
            }
            self.ended.push_back(message.to_owned());
        }
        begun.map(|b| b.first)
    }

    /// Ends what nobody will end any more: words from long before `old`, of no message that the adapter knows still. Gives where the
    /// first of them begins.
    pub fn forget(&mut self, old: Wall, known: &BTreeSet<String>) -> Option<u64> {
        let before = cutoff(old, FORGOTTEN)?;
        let gone: Vec<_> = self.open.values().filter(|b| b.newest <= before.0 && !known.contains(&b.message)).collect();
        let gone: Vec<_> = gone.into_iter().map(|b| b.message.clone()).collect();
        gone.iter().filter_map(|message| self.end(message)).min()
    }

    /// Of frames: words of this message stand in chunk `chunk`.
    pub fn note(&mut self, message: &str, chunk: u64) {
        if !self.open.contains_key(message) {
            let begun = Begun { message: message.to_owned(), first: chunk, ..Begun::default() };
            self.open.insert(message.to_owned(), begun);
        }
    }

    /// Of frames: ends what has ended by the events, which were looked at as far as these. Gives where the first of them
    /// begins.
    pub fn agree(&mut self, events: &Track) -> Option<u64> {
        let mut first = None::<u64>;
        self.open.retain(|message, begun| {
            let waits = events.open.contains_key(message);
            if !waits {
                first = Some(first.map_or(begun.first, |f| f.min(begun.first)));
            }
            waits
        });
        first
    }

    /// Where the first that has not ended begins.
    pub fn first_open(&self) -> Option<u64> {
        self.open.values().map(|b| b.first).min()
    }

    /// What becomes of an item that it has looked at.
    pub fn fate(&self, item: Item<'_>, group: bool) -> Fate {
        match item {
            Item::Words(_) if group => Fate::Stays,
            Item::Words(message) if self.open.contains_key(message) => Fate::Waits,
            Item::Words(_) | Item::Shell => Fate::Expires,
            Item::End(_) | Item::Stays => Fate::Stays,
        }
    }
}

/// What becomes of something that is old enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It keeps its content for good.
    Stays,
    /// It keeps it until its message ends.
    Waits,
    /// It loses it now.
    Expires,
}

#[cfg(test)]
mod tests;
