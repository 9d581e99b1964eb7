//! The adapter: one event in, the frames that it makes out.
//!
//! It decides nothing and reads no clock; whether an event may be stored was settled before. What it has to remember is
//! small: how many bytes of each open message's text went out (a delta says where it starts), which messages a cut ended
//! (what still comes for them is emptied), and what an open call was asked (its result is shown by it). That state is a
//! function of the events seen so far; [`Adapter::encode`] lets it be stored beside the log and [`Adapter::decode`] takes
//! it up again, so that a restart need not read a session from its start.
//!
//! Everything that an assistant puts into the room is written to a reply handle first ([`crate::rules::reply`]): a message
//! has one of its own, work between messages one of the turn. Thinking is held until its message has a first word, or its
//! turn a first tool: a turn of thinking only writes nothing.
//!
//! What a call prints comes in pieces, and a secret may be cut by them: its last line is held until it has ended
//! ([`crate::rules::redact::Stream`]), or the call, or the turn.
//!
//! Every event makes at least one frame, but for held thinking, for the `thread.done` of a message that was cut or that
//! was only thought, and for what comes late for a turn that was given up: these make none. Frames come complete but for
//! the cursor.
//!
//! Bounds: [`OPEN_MAX`] messages open at once (one more ends the longest open one by a `text-cut` frame of its own),
//! [`ENDED_MAX`] ended ones remembered, [`CALLS_MAX`] open calls. A delta for a message that ended so long ago that it was
//! forgotten starts again at offset 0, where a fold that holds the message drops it as known.

mod state;
mod words;

use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::mem;

use vyre_proto::block::cut;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data as Event;
use vyre_proto::queue::QueueStep;
use vyre_proto::tick::Wall;

use crate::rules::blocks;
use crate::rules::blocks::Asked;
use crate::rules::holdback::Guard;
use crate::rules::redact::Stream;
use crate::rules::redact::redact;
use crate::rules::reply::COULD_NOT_RESUME;
use crate::rules::reply::Logged;
use crate::rules::reply::Piece;
use crate::rules::reply::Replies;
use crate::rules::reply::Reply;
use crate::rules::reply::Written;
use crate::rules::retention::filler;
use crate::rules::room::Room;

pub use state::StateError;
pub use words::GoesOn;

/// Most messages open at once in one session.
pub const OPEN_MAX: usize = 1024;

/// Most ended messages remembered in one session, the latest ones.
pub const ENDED_MAX: usize = 128;

/// Most calls open at once in one session. One more makes the longest open one forgotten: its result is then shown by
/// what the result alone says.
pub const CALLS_MAX: usize = 256;

/// Longest note or title on a frame, in bytes.
const NOTE_MAX: usize = 4 * 1024;

/// Longest command and longest output that a `term-chunk` or `term-command` frame carries, in bytes.
const SHELL_MAX: usize = vyre_proto::limits::BLOCK_MAX;

/// What blocks of open calls may hold in one session's state, in bytes: the state is stored with every commit.
const KEPT_MAX: usize = 32 * 1024;

/// Thinking held in one session until somebody may see it, in bytes: the state is stored with every commit. What is
/// thought beyond it is not shown.
const HELD_MAX: usize = 32 * 1024;

/// Longest line of what a call prints that is held until it ends, in bytes.
const LINE_MAX: usize = 2 * 1024;

/// What is held of all lines of open calls in one session, in bytes: the state is stored with every commit. A line that
/// does not fit is given up.
const LINES_MAX: usize = 32 * 1024;

/// Frames of one event beyond which the end of a turn lets no more last lines out; what else was held is not shown.
const LINES_OUT_MAX: usize = 4;

/// Most messages whose thinking one event lets out.
const LET_OUT_MAX: usize = 4;

/// The adapter of one session.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Adapter {
    // Trees rather than hash maps: nothing random in them, and their order can be stored and compared.
    open: BTreeMap<Box<str>, Open>,
    ended: Ended,
    calls: BTreeMap<Box<str>, Call>,
    /// Counts what was opened, so that the longest open one is known.
    opened: u64,
    /// Bytes that the blocks of open calls hold.
    kept: usize,
    replies: Replies,
    /// Bytes of thinking that open messages hold.
    held: usize,
    /// Bytes of lines that open calls hold.
    lines: usize,
    /// What words are held against.
    guard: Guard,
}

/// A message that is being written.
#[derive(Debug, Clone, PartialEq)]
struct Open {
    order: u64,
    /// `None`: nothing of it has been shown.
    reply: Option<Reply>,
    /// Thinking that nobody has seen; only while there is no reply.
    held: String,
    /// Words that could still become what not everybody may read; and thinking.
    tail: [String; 2],
    lens: Lens,
    author: Box<str>,
    acts_for: Box<str>,
    turn: Box<str>,
    parent: Box<str>,
    /// Age took its words: where they stood there is filler, which is shown to nobody.
    gone: bool,
}

/// Bytes so far of a message's two texts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Lens {
    text: u64,
    thinking: u64,
}

impl Lens {
    /// Where a piece of this length starts, and the length after it.
    fn take(&mut self, channel: pb::Channel, len: usize) -> u64 {
        let place = match channel {
            pb::Channel::Text => &mut self.text,
            pb::Channel::Thinking => &mut self.thinking,
        };
        mem::replace(place, place.saturating_add(len as u64))
    }

    fn of(self, channel: pb::Channel) -> u64 {
        match channel {
            pb::Channel::Text => self.text,
            pb::Channel::Thinking => self.thinking,
        }
    }
}

/// A message that ended. What comes late goes on where it was, or is emptied if it was cut.
#[derive(Debug, Clone, Copy, PartialEq)]
struct End {
    lens: Lens,
    cut: bool,
    /// `None`: nothing of it has been shown.
    reply: Option<Reply>,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct Ended {
    by_message: BTreeMap<Box<str>, End>,
    /// Each message once, the one that ended first in front.
    order: VecDeque<Box<str>>,
}

impl Ended {
    fn put(&mut self, message: &str, end: End) {
        if let Some(known) = self.by_message.get_mut(message) {
            *known = end;
            return;
        }
        if self.order.len() == ENDED_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_message.remove(&oldest);
        }
        self.order.push_back(message.into());
        self.by_message.insert(message.into(), end);
    }
}

/// A call that has not finished.
#[derive(Debug, Clone, PartialEq)]
struct Call {
    order: u64,
    reply: Reply,
    /// Bytes of progress text so far.
    progress: u64,
    asked: Asked,
    /// Who makes it.
    author: Box<str>,
    /// The last lines of what it told of itself, and of what its commands printed.
    streams: [Stream; 2],
    /// Age took what its commands printed: where that stood there is filler.
    gone: bool,
}

/// What a call prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Printed {
    Progress = 0,
    Output = 1,
}

/// A message that is open, as [`Adapter::open_messages`] tells of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenMessage<'a> {
    /// Its id.
    pub message: &'a str,
    /// Who writes it; may be empty.
    pub author: &'a str,
    /// Bytes of its text so far.
    pub text_len: u64,
    /// Bytes of its thinking so far.
    pub thinking_len: u64,
    /// The turn that it belongs to; may be empty.
    pub turn: &'a str,
    /// Something of it has been shown.
    pub shown: bool,
}

impl Adapter {
    /// The adapter of a session that has no events yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the frames that this event makes, complete but for the cursor. `room` has learned the event already.
    ///
    /// The event has been checked ([`vyre_proto::event::Event`]). Where it says no time, its frames have `logged_at`.
    pub fn project(&mut self, event: &pb::Event, room: &Room, logged_at: Wall, out: &mut Vec<Logged>) {
        let Some(data) = &event.data else { return };
        let at = At { event, room, logged_at, start: out.len() };
        if let Event::ThreadFailed(d) = data
            && d.note == COULD_NOT_RESUME
        {
            // The one thing that is shown without a handle: nobody is there any more to write to one.
            self.replies.drop_turn(&event.actor, &event.turn);
            out.push(Logged::fact(at.envelope(out, ""), status("failed", &d.note)));
            return;
        }
        if self.replies.is_dropped(&event.actor, &event.turn) && !matches!(data, Event::ThreadCut(_)) {
            return;
        }
        let filler = filler(event);
        let words = |text| filler.as_deref().unwrap_or(text);
        match data {
            Event::ThreadDelta(d) => self.words(&at, pb::Channel::Text, &d.message, words(&d.text), &d.parent, out),
            Event::ThreadThinking(d) => self.words(&at, pb::Channel::Thinking, &d.message, words(&d.text), "", out),
            Event::ThreadDone(d) => self.done(&at, &d.message, out),
            Event::ThreadCut(d) => self.cut(&at, &d.message, &d.note, out),
            Event::ThreadStarted(d) => out.push(Logged::fact(at.envelope(out, ""), status("started", &d.title))),
            Event::ThreadUser(d) => {
                let said = pb::UserMessage {
                    text: d.text.clone(),
                    enc: d.enc.clone(),
                    state: pb::UserState::Said.into(),
                    mentions: d.mentions.clone(),
                };
                let parent = d.parent.clone();
                out.push(Logged::fact(pb::Frame { parent, ..at.envelope(out, &d.message) }, said));
                if !d.mentions.is_empty() {
                    let parent = d.parent.clone();
                    let mention = pb::Mention { who: d.mentions.clone() };
                    out.push(Logged::fact(pb::Frame { parent, ..at.envelope(out, &d.message) }, mention));
                }
            }
            Event::ThreadQueued(d) => {
                let mut queued = user(&d.text, &d.enc, QueueStep::Queued);
                queued.mentions.clone_from(&d.mentions);
                let parent = d.parent.clone();
                out.push(Logged::fact(pb::Frame { parent, ..at.envelope(out, &d.message) }, queued));
            }
            Event::ThreadSent(d) => {
                out.push(Logged::fact(at.envelope(out, &d.message), user(&d.text, &d.enc, QueueStep::sent(&d.via))));
            }
            Event::ThreadSteered(d) => {
                out.push(Logged::fact(at.envelope(out, &d.message), user(&d.text, &None, QueueStep::Steered)));
            }
            Event::ThreadUnqueued(d) => {
                out.push(Logged::fact(at.envelope(out, &d.message), user(&d.text, &None, QueueStep::Unqueued)));
            }
            Event::ThreadToolStarted(d) => {
                let reply = self.let_out_and_work(&at, out);
                let started = self.started(&at, d, reply);
                out.push(Logged::piece(at.envelope(out, ""), started, reply.write()));
            }
            Event::ThreadToolProgress(d) => {
                let reply = self.of_call(&at, &d.call, out);
                let text = self.printed(&at, Printed::Progress, &d.call, &d.text, reply);
                let (call, text) = (d.call.clone(), self.guarded(&at, &text));
                let from = self.progress(&d.call, text.len());
                let progress = pb::ToolProgress { call, at: from, text, parts: Vec::new() };
                out.push(Logged::piece(at.envelope(out, ""), progress, reply.write()));
            }
            Event::ThreadToolFinished(d) => {
                let reply = self.of_call(&at, &d.call, out);
                self.let_out_lines(&at, &d.call, out);
                let finished = self.finished(&at, d);
                out.push(Logged::piece(at.envelope(out, ""), finished, reply.write()));
            }
            Event::ThreadShell(d) => {
                let reply = self.of_call(&at, &d.call, out);
                let mut output = self.printed(&at, Printed::Output, &d.call, words(&d.output), reply);
                if d.exit.is_some() {
                    output.push_str(&self.last_line(Printed::Output, &d.call));
                }
                let mut chunk = shell(&d.call, &d.command, &output, d.exit);
                chunk.command = self.guarded(&at, &chunk.command);
                chunk.output = self.guarded(&at, &chunk.output);
                let mut gone = event.expired > 0;
                if let Some(call) = self.calls.get_mut(&*d.call) {
                    call.gone |= gone;
                    gone = call.gone;
                    call.asked.learn(&chunk.command);
                }
                out.push(aged(Logged::piece(at.envelope(out, ""), chunk, reply.write()), gone));
            }
            Event::ThreadFileChanged(d) => {
                let changed = pb::FileChanged { path: d.path.clone(), change: d.change, from: d.from.clone() };
                if at.by_person() {
                    out.push(Logged::fact(at.envelope(out, ""), changed));
                } else {
                    self.put(&at, "", changed, out);
                }
            }
            Event::ThreadStatus(d) => self.status(&at, status(&d.state, &d.note), out),
            Event::ThreadStopping(d) => {
                let stopping = pb::Status { state: "stopping".into(), note: note(&d.note), stopping: true };
                self.status(&at, stopping, out);
            }
            Event::ThreadStopped(d) => self.status(&at, status("stopped", &d.note), out),
            Event::ThreadFailed(d) => self.status(&at, status("failed", &d.note), out),
            Event::AskOpened(d) => {
                let options = d.options.iter().map(|o| self.guarded(&at, o)).collect();
                let ask = pb::Ask { ask: d.ask.clone(), question: self.guarded(&at, &d.question), options };
                self.put(&at, "", ask, out);
            }
            Event::AskAnswered(d) => {
                let answered = pb::AskAnswered { ask: d.ask.clone(), answer: d.answer.clone() };
                out.push(Logged::fact(at.envelope(out, ""), answered));
            }
            Event::TermCommand(d) => {
                let line = redact(&d.line);
                let typed = pb::TermCommand {
                    term: d.term.clone(),
                    line: cut(&line, SHELL_MAX).to_owned(),
                    offset: d.offset,
                    via: d.via.clone(),
                    surface: d.surface.clone(),
                };
                out.push(Logged::fact(at.envelope(out, ""), typed));
            }
            Event::ThreadRewound(d) => {
                out.push(Logged::fact(at.envelope(out, &d.message), pb::Rewound { to: d.to.clone() }));
            }
            Event::ThreadBranched(d) => {
                let branched = pb::Branched { from: d.from.clone(), session: d.session.clone() };
                out.push(Logged::fact(at.envelope(out, ""), branched));
            }
            Event::RoomAssigned(d) => out.push(Logged::fact(at.envelope(out, ""), status("assigned", &d.assistant))),
            Event::RoomJoined(d) => {
                out.push(Logged::fact(at.envelope(out, ""), pb::ParticipantJoined { who: d.who.clone() }));
            }
            Event::RoomLeft(d) => {
                out.push(Logged::fact(at.envelope(out, ""), pb::ParticipantLeft { who: d.who.clone() }));
            }
            Event::RoomReaction(d) => {
                let reaction = pb::Reaction { emoji: d.emoji.clone(), on: d.on };
                match at.by_assistant() {
                    true => self.put(&at, &d.message, reaction, out),
                    false => out.push(Logged::fact(at.envelope(out, &d.message), reaction)),
                }
            }
            Event::RoomPin(d) => match at.by_assistant() {
                true => self.put(&at, &d.message, pb::Pin { on: d.on }, out),
                false => out.push(Logged::fact(at.envelope(out, &d.message), pb::Pin { on: d.on })),
            },
            Event::RoomMention(d) => {
                let mention = pb::Mention { who: d.who.clone() };
                match at.by_assistant() {
                    true => self.put(&at, &d.message, mention, out),
                    false => out.push(Logged::fact(at.envelope(out, &d.message), mention)),
                }
            }
            Event::RoomFanout(d) => {
                let fanout = pb::Fanout { group: d.group.clone(), members: d.members.clone() };
                match at.by_assistant() {
                    true => self.put(&at, &d.message, fanout, out),
                    false => out.push(Logged::fact(at.envelope(out, &d.message), fanout)),
                }
            }
            Event::RoomFanoutKeep(d) => {
                let keep = pb::FanoutKeep { group: d.group.clone(), keep: d.keep.clone() };
                match at.by_assistant() {
                    true => self.put(&at, "", keep, out),
                    false => out.push(Logged::fact(at.envelope(out, ""), keep)),
                }
            }
        }
        if self.lines > 0 && may_end_a_turn(data) && !room.works(event) {
            self.let_out_lines_of(&at, out);
        }
        if self.replies.has_turns() && may_end_a_turn(data) {
            if room.working().next().is_none() {
                self.replies.end_all_turns();
            } else if !room.works(event) {
                self.replies.end_turns(&event.actor);
            }
        }
    }

    /// The messages that are open, the longest open first.
    pub fn open_messages(&self) -> Vec<OpenMessage<'_>> {
        let mut open: Vec<_> = self.open.iter().collect();
        open.sort_unstable_by_key(|(_, o)| o.order);
        open.into_iter()
            .map(|(message, o)| OpenMessage {
                message,
                author: &o.author,
                text_len: o.lens.text,
                thinking_len: o.lens.thinking,
                turn: &o.turn,
                shown: o.reply.is_some(),
            })
            .collect()
    }

    /// The messages that it knows: those that are open, and those that ended last.
    pub fn messages(&self) -> impl Iterator<Item = &str> {
        self.open.keys().chain(&self.ended.order).map(|m| &**m)
    }

    /// The state as bytes, for [`Adapter::decode`].
    pub fn encode(&self) -> Vec<u8> {
        state::encode(self)
    }

    /// Takes up a stored state. On an error the state is made again by projecting the session's events from the start.
    pub fn decode(bytes: &[u8]) -> Result<Adapter, StateError> {
        state::decode(bytes)
    }

    /// Whether its state holds words that may be gone from the log one day.
    pub fn holds_words(&self) -> bool {
        self.held > 0
            || self.lines > 0
            || self.open.values().any(|o| o.tail.iter().any(|t| !t.is_empty()))
            || self.calls.values().any(|c| !c.asked.subject.is_empty())
    }

    /// Whether this turn was given up.
    pub fn is_dropped(&self, author: &str, turn: &str) -> bool {
        self.replies.is_dropped(author, turn)
    }

    /// The turns with an open handle: who works, and the turn's name.
    pub fn open_turns(&self) -> impl Iterator<Item = (&str, &str)> {
        self.replies.turns()
    }

    /// A piece of a message's text or thinking.
    fn words(
        &mut self,
        at: &At<'_>,
        channel: pb::Channel,
        message: &str,
        text: &str,
        parent: &str,
        out: &mut Vec<Logged>,
    ) {
        let Self { open, ended, replies, held, guard, .. } = self;
        let gone = at.event.expired > 0;
        if let Some(open) = open.get_mut(message) {
            open.gone |= gone;
            let reply = match open.reply {
                Some(reply) => reply,
                None if channel == pb::Channel::Thinking => {
                    open.hold(text, held);
                    return;
                }
                None => open.show(message, at, replies, held, guard, out),
            };
            let text = open.pass(channel, text, guard, at);
            let delta = delta(channel, open.lens.take(channel, text.len()), &text);
            let mut f = at.envelope(out, message);
            if !parent.is_empty() || !open.parent.is_empty() {
                // A reply stays one, though only its first piece may say so.
                f.parent = if parent.is_empty() { open.parent.to_string() } else { parent.to_owned() };
            }
            out.push(aged(Logged::piece(f, delta, reply.write()), open.gone));
            return;
        }
        if let Some(end) = ended.by_message.get_mut(message) {
            let reply = *end.reply.get_or_insert_with(|| replies.append_open(at.room.ver()));
            let mut f = at.envelope(out, message);
            f.parent = parent.to_owned();
            f.cut = end.cut;
            let delta = match end.cut {
                true => delta(channel, end.lens.of(channel), ""),
                // It has ended, so nothing more could be held until it is known what it becomes. Where words are held, what
                // still comes is not shown.
                false => {
                    let text = if guard.is_idle(at.several()) { text } else { "" };
                    delta(channel, end.lens.take(channel, text.len()), text)
                }
            };
            out.push(aged(Logged::piece(f, delta, reply.write()), gone));
            return;
        }
        if self.open.len() >= OPEN_MAX {
            self.end_longest_open(at, out);
        }
        self.opened += 1;
        let mut open = Open {
            order: self.opened,
            reply: None,
            held: String::new(),
            tail: Default::default(),
            lens: Lens::default(),
            author: at.event.actor.as_str().into(),
            acts_for: at.acts_for().into(),
            turn: at.event.turn.as_str().into(),
            parent: parent.into(),
            gone,
        };
        if channel == pb::Channel::Thinking {
            open.hold(text, &mut self.held);
        } else {
            let reply = self.replies.append_open(at.room.ver());
            open.reply = Some(reply);
            let mut f = at.envelope(out, message);
            f.parent = parent.to_owned();
            let text = open.pass(channel, text, &self.guard, at);
            let delta = delta(channel, open.lens.take(channel, text.len()), &text);
            out.push(aged(Logged::piece(f, delta, reply.write()), gone));
        }
        self.open.insert(message.into(), open);
    }

    fn end_longest_open(&mut self, at: &At<'_>, out: &mut Vec<Logged>) {
        let longest = self.open.iter().min_by_key(|(_, o)| o.order).map(|(m, _)| m.clone()).unwrap_or_default();
        let Some(open) = self.close(&longest) else { return };
        self.ended.put(&longest, End { lens: open.lens, cut: true, reply: open.reply });
        let Some(reply) = open.reply else { return };
        let cut = pb::TextCut { note: note("too many messages open at once"), at: open.lens.text };
        let f = pb::Frame {
            turn: open.turn.to_string(),
            author: open.author.to_string(),
            acts_for: open.acts_for.to_string(),
            parent: open.parent.to_string(),
            corr: String::new(),
            ..at.envelope(out, &longest)
        };
        out.push(Logged::piece(f, cut, reply.write()));
    }

    /// Takes an open message away. What it held and nobody saw is gone, and counts for nothing.
    fn close(&mut self, message: &str) -> Option<Open> {
        let mut open = self.open.remove(message)?;
        self.held -= open.held.len();
        if open.reply.is_none() {
            open.lens = Lens::default();
        }
        Some(open)
    }

    /// A message is whole. Of one that was cut, and of one that was only thought, nobody is told.
    fn done(&mut self, at: &At<'_>, message: &str, out: &mut Vec<Logged>) {
        if let Some(open) = self.open.get_mut(message) {
            open.let_out_tail(message, at, &self.guard, out);
        }
        let (lens, reply) = match (self.close(message), self.ended.by_message.get(message)) {
            (Some(open), _) => (open.lens, open.reply),
            (None, Some(end)) if end.cut => return,
            (None, Some(end)) => (end.lens, end.reply),
            (None, None) => (Lens::default(), Some(self.replies.append_open(at.room.ver()))),
        };
        self.ended.put(message, End { lens, cut: false, reply });
        let Some(reply) = reply else { return };
        let done = pb::TextDone { text_len: lens.text, thinking_len: lens.thinking };
        out.push(Logged::piece(at.envelope(out, message), done, reply.write()));
    }

    /// A message ends before its end.
    fn cut(&mut self, at: &At<'_>, message: &str, why: &str, out: &mut Vec<Logged>) {
        let (lens, reply) = match (self.close(message), self.ended.by_message.get(message)) {
            (Some(open), _) => (open.lens, open.reply),
            (None, Some(end)) => (end.lens, end.reply),
            (None, None) => (Lens::default(), None),
        };
        let reply = reply.unwrap_or_else(|| self.replies.append_open(at.room.ver()));
        self.ended.put(message, End { lens, cut: true, reply: Some(reply) });
        let cut = pb::TextCut { note: note(&self.guarded(at, why)), at: lens.text };
        out.push(Logged::piece(at.envelope(out, message), cut, reply.write()));
    }

    /// A text that is whole, as it may be shown to everybody.
    fn guarded(&self, at: &At<'_>, text: &str) -> String {
        if self.guard.is_idle(at.several()) { text.to_owned() } else { self.guard.whole(at.several(), text) }
    }

    /// How an assistant stands, or a session.
    fn status(&mut self, at: &At<'_>, status: pb::Status, out: &mut Vec<Logged>) {
        match at.by_assistant() {
            true => {
                let reply = self.working(at);
                let status = pb::Status { note: self.guarded(at, &status.note), ..status };
                out.push(Logged::piece(at.envelope(out, ""), status, reply.write()));
            }
            false => out.push(Logged::fact(at.envelope(out, ""), status)),
        }
    }

    /// Puts something that belongs to no call into the room.
    fn put(&mut self, at: &At<'_>, message: &str, piece: impl Into<Piece>, out: &mut Vec<Logged>) {
        let written: Written = self.let_out_and_work(at, out).write();
        out.push(Logged::piece(at.envelope(out, message), piece, written));
    }

    /// The handle of the call, or of the work that goes on.
    fn of_call(&mut self, at: &At<'_>, call: &str, out: &mut Vec<Logged>) -> Reply {
        match self.calls.get(call) {
            Some(call) => call.reply,
            None => self.let_out_and_work(at, out),
        }
    }

    /// Lets out the thinking that led here, and gives the handle of the work that goes on.
    fn let_out_and_work(&mut self, at: &At<'_>, out: &mut Vec<Logged>) -> Reply {
        if self.held > 0 {
            let Self { open, replies, held, guard, .. } = self;
            let mut thought: Vec<_> =
                open.iter_mut().filter(|(_, o)| !o.held.is_empty() && o.is_of(at.event)).collect();
            thought.sort_unstable_by_key(|(_, o)| o.order);
            for (message, open) in thought.into_iter().take(LET_OUT_MAX) {
                open.show(message, at, replies, held, guard, out);
            }
        }
        self.working(at)
    }

    /// The handle of the message that this assistant writes in this turn; between messages, that of the turn.
    fn working(&mut self, at: &At<'_>) -> Reply {
        let writing = self.open.values().filter(|o| o.is_of(at.event)).max_by_key(|o| o.order);
        match writing.and_then(|o| o.reply) {
            Some(reply) => reply,
            None => self.replies.of_turn(&at.event.actor, &at.event.turn, at.room.ver()),
        }
    }

    /// Where a piece of this length starts in the call's progress text.
    fn progress(&mut self, call: &str, len: usize) -> u64 {
        let Some(call) = self.calls.get_mut(call) else { return 0 };
        let at = call.progress;
        call.progress = at.saturating_add(len as u64);
        at
    }

    /// What may be shown of what a call prints, now that this piece has come.
    fn printed(&mut self, at: &At<'_>, what: Printed, call: &str, piece: &str, reply: Reply) -> String {
        if !self.calls.contains_key(call) {
            if what == Printed::Output && piece.is_empty() {
                return String::new();
            }
            // Its start was never seen.
            self.open_call(at, call, 0, Asked::default(), reply);
        }
        let Some(open) = self.calls.get_mut(call) else { return String::new() };
        let stream = &mut open.streams[what as usize];
        self.lines -= stream.held();
        let mut shown = stream.pass(piece, LINE_MAX);
        if self.lines + stream.held() > LINES_MAX {
            shown.push_str(stream.give_up());
        }
        self.lines += stream.held();
        shown
    }

    /// The last line of what a call printed: it ends here.
    fn last_line(&mut self, what: Printed, call: &str) -> String {
        let Some(open) = self.calls.get_mut(call) else { return String::new() };
        let stream = &mut open.streams[what as usize];
        self.lines -= stream.held();
        stream.finish()
    }

    /// Shows the last lines of what a call printed: it ends here.
    fn let_out_lines(&mut self, at: &At<'_>, call: &str, out: &mut Vec<Logged>) {
        let Some((reply, gone)) = self.calls.get(call).map(|c| (c.reply, c.gone)) else { return };
        let text = self.last_line(Printed::Progress, call);
        if !text.is_empty() {
            let text = self.guarded(at, &text);
            let from = self.progress(call, text.len());
            let progress = pb::ToolProgress { call: call.to_owned(), at: from, text, parts: Vec::new() };
            out.push(Logged::piece(at.envelope(out, ""), progress, reply.write()));
        }
        let output = self.last_line(Printed::Output, call);
        if !output.is_empty() {
            let mut chunk = shell(call, "", &output, None);
            chunk.output = self.guarded(at, &chunk.output);
            out.push(aged(Logged::piece(at.envelope(out, ""), chunk, reply.write()), gone));
        }
    }

    /// The same for what this author's calls left: the turn ends here, and nobody goes on with them.
    fn let_out_lines_of(&mut self, at: &At<'_>, out: &mut Vec<Logged>) {
        let held = |c: &Call| c.streams.iter().any(|s| s.held() > 0);
        let mut left: Vec<_> = self.calls.iter().filter(|(_, c)| *c.author == *at.event.actor && held(c)).collect();
        left.sort_unstable_by_key(|(_, c)| c.order);
        let left: Vec<_> = left.into_iter().take(LINES_OUT_MAX).map(|(call, _)| call.clone()).collect();
        for call in left {
            if out.len() - at.start > LINES_OUT_MAX {
                break;
            }
            self.let_out_lines(at, &call, out);
        }
    }

    fn open_call(&mut self, at: &At<'_>, call: &str, progress: u64, asked: Asked, reply: Reply) {
        if self.calls.len() >= CALLS_MAX {
            let longest = self.calls.iter().min_by_key(|(_, c)| c.order).map(|(c, _)| c.clone());
            if let Some(longest) = longest {
                self.forget_call(&longest);
            }
        }
        self.opened += 1;
        self.kept += asked.kept();
        let (order, author, streams) = (self.opened, at.event.actor.as_str().into(), Default::default());
        self.calls.insert(call.into(), Call { order, reply, progress, asked, author, streams, gone: false });
    }

    fn forget_call(&mut self, call: &str) -> Option<Call> {
        let gone = self.calls.remove(call)?;
        self.kept = self.kept.saturating_sub(gone.asked.kept());
        self.lines -= gone.streams.iter().map(Stream::held).sum::<usize>();
        Some(gone)
    }

    fn started(&mut self, at: &At<'_>, d: &pb::ThreadToolStarted, reply: Reply) -> pb::ToolStarted {
        let (block, mut asked) = blocks::asked(&d.tool, &d.input);
        if self.kept + asked.kept() > KEPT_MAX {
            asked.forget_block();
        }
        // Started again, or after its first progress: what it was asked is known only now.
        let (progress, streams, gone) =
            self.forget_call(&d.call).map_or((0, Default::default(), false), |c| (c.progress, c.streams, c.gone));
        self.open_call(at, &d.call, progress, asked, reply);
        if let Some(call) = self.calls.get_mut(&*d.call) {
            self.lines += streams.iter().map(Stream::held).sum::<usize>();
            call.streams = streams;
            call.gone = gone;
        }
        let title = self.guarded(at, &redact(&d.title));
        let say = |text: &str| self.guarded(at, text);
        let block = block.map(|mut block| {
            if !self.guard.is_idle(at.several()) {
                blocks::say_in(&mut block, &say);
            }
            blocks::for_room(block, at.people())
        });
        pb::ToolStarted { call: d.call.clone(), tool: d.tool.clone(), title: note(&title), block }
    }

    fn finished(&mut self, at: &At<'_>, d: &pb::ThreadToolFinished) -> pb::ToolFinished {
        let asked = self.forget_call(&d.call).map(|c| c.asked).unwrap_or_default();
        blocks::guarded_values(&d.result, &mut |guarded, value| self.guard.learn(guarded, value));
        let say = |text: &str| self.guarded(at, text);
        let block = blocks::answered_to(&d.tool, &asked, d.ok, &d.result, &at.event.id, at.people(), &say);
        pb::ToolFinished { call: d.call.clone(), tool: d.tool.clone(), ok: d.ok, block }
    }
}

impl Open {
    /// What may be shown now that this piece has come.
    fn pass(&mut self, channel: pb::Channel, text: &str, guard: &Guard, at: &At<'_>) -> String {
        let tail = &mut self.tail[usize::from(channel == pb::Channel::Thinking)];
        if tail.is_empty() && guard.is_idle(at.several()) {
            return text.to_owned();
        }
        guard.pass(at.several(), tail, self.lens.of(channel), text)
    }

    /// Shows what was held of its texts: it ends here.
    fn let_out_tail(&mut self, message: &str, at: &At<'_>, guard: &Guard, out: &mut Vec<Logged>) {
        let Some(reply) = self.reply else { return };
        for channel in [pb::Channel::Thinking, pb::Channel::Text] {
            let tail = &mut self.tail[usize::from(channel == pb::Channel::Thinking)];
            if tail.is_empty() {
                continue;
            }
            let text = guard.finish(at.several(), tail);
            let f = pb::Frame { parent: self.parent.to_string(), ..at.envelope(out, message) };
            let delta = delta(channel, self.lens.take(channel, text.len()), &text);
            out.push(aged(Logged::piece(f, delta, reply.write()), self.gone));
        }
    }

    /// Whether this event is of the same work.
    fn is_of(&self, event: &pb::Event) -> bool {
        *self.author == *event.actor && *self.turn == *event.turn
    }

    /// Keeps thinking that nobody may see yet.
    fn hold(&mut self, text: &str, held: &mut usize) {
        let kept = cut(text, HELD_MAX.saturating_sub(*held));
        self.held.push_str(kept);
        self.lens.take(pb::Channel::Thinking, kept.len());
        *held += kept.len();
    }

    /// From here on it is shown: opens its handle, and lets out what was thought.
    fn show(
        &mut self,
        message: &str,
        at: &At<'_>,
        replies: &mut Replies,
        held: &mut usize,
        guard: &Guard,
        out: &mut Vec<Logged>,
    ) -> Reply {
        let reply = replies.append_open(at.room.ver());
        self.reply = Some(reply);
        let thought = mem::take(&mut self.held);
        *held -= thought.len();
        if !thought.is_empty() {
            self.lens.thinking = 0;
            let thought = self.pass(pb::Channel::Thinking, &thought, guard, at);
            self.lens.take(pb::Channel::Thinking, thought.len());
            let f = pb::Frame { parent: self.parent.to_string(), ..at.envelope(out, message) };
            let delta = delta(pb::Channel::Thinking, 0, &thought);
            out.push(aged(Logged::piece(f, delta, reply.write()), self.gone));
        }
        reply
    }
}

/// An event in its room, and where its frames begin.
struct At<'a> {
    event: &'a pb::Event,
    room: &'a Room,
    logged_at: Wall,
    start: usize,
}

impl At<'_> {
    fn by_assistant(&self) -> bool {
        self.event.actor.starts_with("assistant:") || self.event.actor.starts_with("model:")
    }

    fn by_person(&self) -> bool {
        self.event.actor.starts_with("person:")
    }

    /// Whoever acts for somebody is an assistant or a model; a person speaks alone.
    fn acts_for(&self) -> &str {
        if self.by_assistant() { &self.event.acts_for } else { "" }
    }

    fn people(&self) -> usize {
        self.room.people().count()
    }

    fn several(&self) -> bool {
        self.room.several()
    }

    /// The next frame of this event, without its data.
    fn envelope(&self, out: &[Logged], message: &str) -> pb::Frame {
        pb::Frame {
            v: 1,
            id: self.event.id.clone(),
            index: u32::try_from(out.len() - self.start).unwrap_or(u32::MAX),
            session: self.event.session.clone(),
            turn: self.event.turn.clone(),
            time: time(self.event, self.logged_at),
            corr: self.event.corr.clone(),
            author: self.event.actor.clone(),
            acts_for: self.acts_for().to_owned(),
            message: message.to_owned(),
            ..Default::default()
        }
    }
}

/// A frame whose content age took, if it did.
fn aged(frame: Logged, gone: bool) -> Logged {
    if gone { frame.emptied() } else { frame }
}

/// Whether somebody's turn may be over by it.
fn may_end_a_turn(data: &Event) -> bool {
    matches!(
        data,
        Event::ThreadDone(_)
            | Event::ThreadCut(_)
            | Event::ThreadToolFinished(_)
            | Event::ThreadStatus(_)
            | Event::ThreadStopped(_)
            | Event::ThreadFailed(_)
    )
}

fn delta(channel: pb::Channel, at: u64, text: &str) -> pb::TextDelta {
    pb::TextDelta { channel: channel.into(), at, text: text.to_owned(), ..Default::default() }
}

fn time(event: &pb::Event, logged_at: Wall) -> u64 {
    if event.time == 0 { logged_at.0 } else { event.time }
}

fn note(text: &str) -> String {
    cut(text, NOTE_MAX).to_owned()
}

fn status(state: &str, text: &str) -> pb::Status {
    pb::Status { state: state.to_owned(), note: note(text), stopping: false }
}

fn user(text: &str, enc: &Option<pb::Encrypted>, step: QueueStep) -> pb::UserMessage {
    let (text, enc) = (text.to_owned(), enc.clone());
    pb::UserMessage { text, enc, state: step.state().into(), mentions: Vec::new() }
}

/// A command, and what it printed as it may be shown.
fn shell(call: &str, command: &str, output: &str, exit: Option<i32>) -> pb::TermChunk {
    let command = redact(command);
    let kept = cut(output, SHELL_MAX);
    let total = if kept.len() < output.len() { output.len() as u64 } else { 0 };
    pb::TermChunk {
        call: call.to_owned(),
        command: cut(&command, SHELL_MAX).to_owned(),
        output: kept.to_owned(),
        exit,
        total,
    }
}

#[cfg(test)]
mod tests;
