//! The adapter: one event in, the frames that it makes out.
//!
//! It decides nothing and reads no clock; whether an event may be stored was settled before. What it has to remember is
//! small: how many bytes of each open message's text went out (a delta says where it starts), which messages a cut ended
//! (what still comes for them is emptied), and what an open call was asked (its result is shown by it). That state is a
//! function of the events seen so far; [`Adapter::encode`] lets it be stored beside the log and [`Adapter::decode`] takes
//! it up again, so that a restart need not read a session from its start.
//!
//! Every event makes at least one frame, but for the `thread.done` of a message that was cut, which makes none. Frames
//! come complete but for the cursor.
//!
//! Bounds: [`OPEN_MAX`] messages open at once (one more ends the longest open one by a `text-cut` frame of its own),
//! [`ENDED_MAX`] ended ones remembered, [`CALLS_MAX`] open calls. A delta for a message that ended so long ago that it was
//! forgotten starts again at offset 0, where a fold that holds the message drops it as known.

mod state;

use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::mem;

use vyre_proto::block::cut;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data as Event;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::queue::QueueStep;
use vyre_proto::tick::Wall;

use crate::rules::blocks;
use crate::rules::blocks::Asked;
use crate::rules::redact::redact;

pub use state::StateError;

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
}

/// A message that is being written.
#[derive(Debug, Clone, PartialEq)]
struct Open {
    order: u64,
    lens: Lens,
    author: Box<str>,
    acts_for: Box<str>,
    turn: Box<str>,
    parent: Box<str>,
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
    /// Bytes of progress text so far.
    progress: u64,
    asked: Asked,
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
}

impl Adapter {
    /// The adapter of a session that has no events yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the frames that this event makes, complete but for the cursor.
    ///
    /// The event has been checked ([`vyre_proto::event::Event`]). Where it says no time, its frames have `logged_at`.
    pub fn project(&mut self, event: &pb::Event, logged_at: Wall, out: &mut Vec<pb::Frame>) {
        let Some(data) = &event.data else { return };
        let base = |message: &str, data: Data| base(event, logged_at, message, data);
        match data {
            Event::ThreadDelta(d) => {
                let f = self.piece(event, pb::Channel::Text, &d.message, &d.text, &d.parent, logged_at, out);
                out.push(f);
            }
            Event::ThreadThinking(d) => {
                let f = self.piece(event, pb::Channel::Thinking, &d.message, &d.text, "", logged_at, out);
                out.push(f);
            }
            Event::ThreadDone(d) => {
                if let Some(lens) = self.done(&d.message) {
                    let done = pb::TextDone { text_len: lens.text, thinking_len: lens.thinking };
                    out.push(base(&d.message, Data::TextDone(done)));
                }
            }
            Event::ThreadCut(d) => {
                let at = self.cut(&d.message).text;
                out.push(base(&d.message, Data::TextCut(pb::TextCut { note: note(&d.note), at })));
            }
            Event::ThreadStarted(d) => out.push(base("", status("started", &d.title))),
            Event::ThreadUser(d) => {
                let said = pb::UserMessage {
                    text: d.text.clone(),
                    enc: d.enc.clone(),
                    state: pb::UserState::Said.into(),
                    mentions: d.mentions.clone(),
                };
                let mut f = base(&d.message, Data::UserMessage(said));
                f.parent.clone_from(&d.parent);
                out.push(f);
                if !d.mentions.is_empty() {
                    let mut f = base(&d.message, Data::Mention(pb::Mention { who: d.mentions.clone() }));
                    f.index = 1;
                    f.parent.clone_from(&d.parent);
                    out.push(f);
                }
            }
            Event::ThreadQueued(d) => {
                let mut f = base(&d.message, user(&d.text, &d.enc, QueueStep::Queued));
                if let Some(Data::UserMessage(queued)) = &mut f.data {
                    queued.mentions.clone_from(&d.mentions);
                }
                f.parent.clone_from(&d.parent);
                out.push(f);
            }
            Event::ThreadSent(d) => out.push(base(&d.message, user(&d.text, &d.enc, QueueStep::sent(&d.via)))),
            Event::ThreadSteered(d) => out.push(base(&d.message, user(&d.text, &None, QueueStep::Steered))),
            Event::ThreadUnqueued(d) => out.push(base(&d.message, user(&d.text, &None, QueueStep::Unqueued))),
            Event::ThreadToolStarted(d) => out.push(base("", self.started(d))),
            Event::ThreadToolProgress(d) => {
                let at = self.progress(&d.call, d.text.len());
                let progress = pb::ToolProgress { call: d.call.clone(), at, text: d.text.clone(), parts: Vec::new() };
                out.push(base("", Data::ToolProgress(progress)));
            }
            Event::ThreadToolFinished(d) => out.push(base("", self.finished(d, &event.id))),
            Event::ThreadShell(d) => {
                let chunk = shell(d);
                if let Some(call) = self.calls.get_mut(&*d.call) {
                    call.asked.learn(&chunk.command);
                }
                out.push(base("", Data::TermChunk(chunk)));
            }
            Event::ThreadFileChanged(d) => {
                let changed = pb::FileChanged { path: d.path.clone(), change: d.change, from: d.from.clone() };
                out.push(base("", Data::FileChanged(changed)));
            }
            Event::ThreadStatus(d) => out.push(base("", status(&d.state, &d.note))),
            Event::ThreadStopping(d) => {
                let stopping = pb::Status { state: "stopping".into(), note: note(&d.note), stopping: true };
                out.push(base("", Data::Status(stopping)));
            }
            Event::ThreadStopped(d) => out.push(base("", status("stopped", &d.note))),
            Event::ThreadFailed(d) => out.push(base("", status("failed", &d.note))),
            Event::AskOpened(d) => {
                let ask = pb::Ask { ask: d.ask.clone(), question: d.question.clone(), options: d.options.clone() };
                out.push(base("", Data::Ask(ask)));
            }
            Event::AskAnswered(d) => {
                let answered = pb::AskAnswered { ask: d.ask.clone(), answer: d.answer.clone() };
                out.push(base("", Data::AskAnswered(answered)));
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
                out.push(base("", Data::TermCommand(typed)));
            }
            Event::RoomJoined(d) => {
                out.push(base("", Data::ParticipantJoined(pb::ParticipantJoined { who: d.who.clone() })));
            }
            Event::RoomLeft(d) => out.push(base("", Data::ParticipantLeft(pb::ParticipantLeft { who: d.who.clone() }))),
            Event::RoomReaction(d) => {
                out.push(base(&d.message, Data::Reaction(pb::Reaction { emoji: d.emoji.clone(), on: d.on })));
            }
            Event::RoomPin(d) => out.push(base(&d.message, Data::Pin(pb::Pin { on: d.on }))),
            Event::RoomMention(d) => out.push(base(&d.message, Data::Mention(pb::Mention { who: d.who.clone() }))),
            Event::RoomFanout(d) => {
                let fanout = pb::Fanout { group: d.group.clone(), members: d.members.clone() };
                out.push(base(&d.message, Data::Fanout(fanout)));
            }
            Event::RoomFanoutKeep(d) => {
                let keep = pb::FanoutKeep { group: d.group.clone(), keep: d.keep.clone() };
                out.push(base("", Data::FanoutKeep(keep)));
            }
            Event::ThreadRewound(d) => out.push(base(&d.message, Data::Rewound(pb::Rewound { to: d.to.clone() }))),
            Event::ThreadBranched(d) => {
                let branched = pb::Branched { from: d.from.clone(), session: d.session.clone() };
                out.push(base("", Data::Branched(branched)));
            }
            Event::RoomAssigned(d) => out.push(base("", status("assigned", &d.assistant))),
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
            })
            .collect()
    }

    /// The state as bytes, for [`Adapter::decode`].
    pub fn encode(&self) -> Vec<u8> {
        state::encode(self)
    }

    /// Takes up a stored state. On an error the state is made again by projecting the session's events from the start.
    pub fn decode(bytes: &[u8]) -> Result<Adapter, StateError> {
        state::decode(bytes)
    }

    /// A piece of a message's text or thinking. `out` takes the end of another message where too many are open.
    #[allow(clippy::too_many_arguments)]
    fn piece(
        &mut self,
        event: &pb::Event,
        channel: pb::Channel,
        message: &str,
        text: &str,
        parent: &str,
        logged_at: Wall,
        out: &mut Vec<pb::Frame>,
    ) -> pb::Frame {
        let delta = |at, text: &str| {
            let delta = pb::TextDelta { channel: channel.into(), at, text: text.to_owned(), ..Default::default() };
            base(event, logged_at, message, Data::TextDelta(delta))
        };
        if let Some(open) = self.open.get_mut(message) {
            let mut f = delta(open.lens.take(channel, text.len()), text);
            if !parent.is_empty() || !open.parent.is_empty() {
                // A reply stays one, though only its first piece may say so.
                f.parent = if parent.is_empty() { open.parent.to_string() } else { parent.to_owned() };
            }
            return f;
        }
        if let Some(end) = self.ended.by_message.get_mut(message) {
            let mut f = if end.cut {
                let mut f = delta(end.lens.of(channel), "");
                f.cut = true;
                f
            } else {
                delta(end.lens.take(channel, text.len()), text)
            };
            f.parent = parent.to_owned();
            return f;
        }
        let ended_another = self.open.len() >= OPEN_MAX;
        if ended_another {
            out.push(self.end_longest_open(event, logged_at));
        }
        let mut lens = Lens::default();
        let mut f = delta(lens.take(channel, text.len()), text);
        f.parent = parent.to_owned();
        f.index = u32::from(ended_another);
        self.opened += 1;
        let open = Open {
            order: self.opened,
            lens,
            author: event.actor.as_str().into(),
            acts_for: f.acts_for.as_str().into(),
            turn: event.turn.as_str().into(),
            parent: parent.into(),
        };
        self.open.insert(message.into(), open);
        f
    }

    fn end_longest_open(&mut self, event: &pb::Event, logged_at: Wall) -> pb::Frame {
        let longest = self.open.iter().min_by_key(|(_, o)| o.order).map(|(m, _)| m.clone()).unwrap_or_default();
        let mut f = match self.open.remove(&longest) {
            Some(o) => {
                self.ended.put(&longest, End { lens: o.lens, cut: true });
                o.cut_frame(&longest, "too many messages open at once")
            }
            None => pb::Frame::default(),
        };
        f.id.clone_from(&event.id);
        f.session.clone_from(&event.session);
        f.time = time(event, logged_at);
        f
    }

    /// The lengths of the whole message; `None` if it was cut.
    fn done(&mut self, message: &str) -> Option<Lens> {
        let lens = match (self.open.remove(message), self.ended.by_message.get(message)) {
            (Some(open), _) => open.lens,
            (None, Some(end)) if end.cut => return None,
            (None, Some(end)) => end.lens,
            (None, None) => Lens::default(),
        };
        self.ended.put(message, End { lens, cut: false });
        Some(lens)
    }

    /// The lengths that stay.
    fn cut(&mut self, message: &str) -> Lens {
        let lens = match (self.open.remove(message), self.ended.by_message.get(message)) {
            (Some(open), _) => open.lens,
            (None, Some(end)) => end.lens,
            (None, None) => Lens::default(),
        };
        self.ended.put(message, End { lens, cut: true });
        lens
    }

    /// Where a piece of this length starts in the call's progress text.
    fn progress(&mut self, call: &str, len: usize) -> u64 {
        if !self.calls.contains_key(call) {
            // Its start was never seen.
            self.open_call(call, 0, Asked::default());
        }
        let Some(call) = self.calls.get_mut(call) else { return 0 };
        let at = call.progress;
        call.progress = at.saturating_add(len as u64);
        at
    }

    fn open_call(&mut self, call: &str, progress: u64, asked: Asked) {
        if self.calls.len() >= CALLS_MAX {
            let longest = self.calls.iter().min_by_key(|(_, c)| c.order).map(|(c, _)| c.clone());
            if let Some(longest) = longest {
                self.forget_call(&longest);
            }
        }
        self.opened += 1;
        self.kept += asked.kept();
        self.calls.insert(call.into(), Call { order: self.opened, progress, asked });
    }

    fn forget_call(&mut self, call: &str) -> Option<Call> {
        let gone = self.calls.remove(call)?;
        self.kept = self.kept.saturating_sub(gone.asked.kept());
        Some(gone)
    }

    fn started(&mut self, d: &pb::ThreadToolStarted) -> Data {
        let (block, mut asked) = blocks::asked(&d.tool, &d.input);
        if self.kept + asked.kept() > KEPT_MAX {
            asked.forget_block();
        }
        // Started again, or after its first progress: what it was asked is known only now.
        let progress = self.forget_call(&d.call).map_or(0, |c| c.progress);
        self.open_call(&d.call, progress, asked);
        let title = redact(&d.title);
        Data::ToolStarted(pb::ToolStarted { call: d.call.clone(), tool: d.tool.clone(), title: note(&title), block })
    }

    fn finished(&mut self, d: &pb::ThreadToolFinished, event: &str) -> Data {
        let asked = self.forget_call(&d.call).map(|c| c.asked).unwrap_or_default();
        let block = blocks::answered(&d.tool, &asked, d.ok, &d.result, event);
        Data::ToolFinished(pb::ToolFinished { call: d.call.clone(), tool: d.tool.clone(), ok: d.ok, block })
    }
}

impl Open {
    fn cut_frame(&self, message: &str, text: &str) -> pb::Frame {
        pb::Frame {
            v: 1,
            turn: self.turn.to_string(),
            author: self.author.to_string(),
            acts_for: self.acts_for.to_string(),
            message: message.to_owned(),
            parent: self.parent.to_string(),
            data: Some(Data::TextCut(pb::TextCut { note: note(text), at: self.lens.text })),
            ..Default::default()
        }
    }
}

fn time(event: &pb::Event, logged_at: Wall) -> u64 {
    if event.time == 0 { logged_at.0 } else { event.time }
}

fn base(event: &pb::Event, logged_at: Wall, message: &str, data: Data) -> pb::Frame {
    // Whoever acts for somebody is an assistant or a model; a person speaks alone.
    let for_another = event.actor.starts_with("assistant:") || event.actor.starts_with("model:");
    pb::Frame {
        v: 1,
        id: event.id.clone(),
        session: event.session.clone(),
        turn: event.turn.clone(),
        time: time(event, logged_at),
        corr: event.corr.clone(),
        author: event.actor.clone(),
        acts_for: if for_another { event.acts_for.clone() } else { String::new() },
        message: message.to_owned(),
        data: Some(data),
        ..Default::default()
    }
}

fn note(text: &str) -> String {
    cut(text, NOTE_MAX).to_owned()
}

fn status(state: &str, text: &str) -> Data {
    Data::Status(pb::Status { state: state.to_owned(), note: note(text), stopping: false })
}

fn user(text: &str, enc: &Option<pb::Encrypted>, step: QueueStep) -> Data {
    let (text, enc) = (text.to_owned(), enc.clone());
    Data::UserMessage(pb::UserMessage { text, enc, state: step.state().into(), mentions: Vec::new() })
}

fn shell(d: &pb::ThreadShell) -> pb::TermChunk {
    let (command, output) = (redact(&d.command), redact(&d.output));
    let kept = cut(&output, SHELL_MAX);
    let total = if kept.len() < output.len() { output.len() as u64 } else { 0 };
    pb::TermChunk {
        call: d.call.clone(),
        command: cut(&command, SHELL_MAX).to_owned(),
        output: kept.to_owned(),
        exit: d.exit,
        total,
    }
}

#[cfg(test)]
mod tests;
