//! The part of the fold for what is said: messages, their marks, and questions.

use crate::cursor::Cursor;
use crate::cursor::Span;
use crate::fold::At;
use crate::fold::Fold;
use crate::fold::index::Place;
use crate::fold::marks::Marks;
use crate::fold::row::Answered;
use crate::fold::row::Ask;
use crate::fold::row::Body;
use crate::fold::row::Fanout;
use crate::fold::row::Message;
use crate::fold::row::MessageState;
use crate::fold::row::Row;
use crate::fold::row::UserMessage;
use crate::fold::words::Words;
use crate::ids::Author;
use crate::ids::MessageId;
use crate::ids::TurnId;
use crate::limits::ID_MAX;
use crate::pb::stream as pb;
use crate::queue;
use crate::tick::Wall;

/// One piece of one message: a single frame, or a part of a merged one.
#[derive(Clone, Copy)]
struct Piece<'a> {
    cur: Cursor,
    message: &'a str,
    author: &'a str,
    acts_for: &'a str,
    turn: &'a str,
    parent: &'a str,
    /// `None`: one that this version does not know.
    channel: Option<pb::Channel>,
    at: u64,
    text: &'a str,
    expired: bool,
    cut: bool,
}

/// What a frame did to the row of a message.
struct Effect {
    /// It looks different, if it can be seen.
    changed: bool,
    /// It is there to be seen from now on, if it was not before.
    visible: bool,
}

impl Effect {
    const NONE: Effect = Effect { changed: false, visible: false };
}

impl Fold {
    pub(super) fn text_delta(&mut self, frame: &pb::Frame, delta: &pb::TextDelta, span: Span, skip: u64) {
        let piece = Piece {
            cur: span.first().plus(skip),
            message: &frame.message,
            author: &frame.author,
            acts_for: &frame.acts_for,
            turn: &frame.turn,
            parent: &frame.parent,
            channel: pb::Channel::try_from(delta.channel).ok(),
            at: delta.at,
            text: &delta.text,
            expired: frame.expired,
            cut: frame.cut,
        };
        if delta.parts.is_empty() {
            return self.piece(piece);
        }
        let mut at = delta.at;
        let mut lane_at: Vec<u64> = delta.lanes.iter().map(|l| l.at).collect();
        for (n, text) in (0u64..).zip(&delta.parts) {
            let lane = usize::try_from(n).ok().and_then(|n| delta.part_lane.get(n)).map(|l| *l as usize);
            let lane = lane.and_then(|l| Some((delta.lanes.get(l)?, lane_at.get_mut(l)?)));
            let mut part = match lane {
                None => Piece { at, ..piece },
                Some((lane, at)) => {
                    let part = Piece {
                        message: &lane.message,
                        author: &lane.author,
                        acts_for: &lane.acts_for,
                        turn: &lane.turn,
                        parent: &lane.parent,
                        channel: pb::Channel::try_from(lane.channel).ok(),
                        at: *at,
                        ..piece
                    };
                    *at = at.saturating_add(text.len() as u64);
                    part
                }
            };
            at = at.saturating_add(text.len() as u64);
            if n >= skip {
                part.cur = span.first().plus(n);
                part.text = text;
                self.piece(part);
            }
        }
    }

    fn piece(&mut self, p: Piece<'_>) {
        // Words of another sort are not put among these.
        let Some(channel) = p.channel else { return self.neutral(p.cur, 1, false) };
        if self.messages.get(p.message).is_none() {
            let Ok(message) = MessageId::parse(p.message) else { return self.neutral(p.cur, 1, false) };
            self.begin(Row {
                id: format!("a:{message}"),
                cur: p.cur,
                time: None,
                author: Author::parse(p.author).ok(),
                acts_for: Author::parse(p.acts_for).ok(),
                turn: TurnId::parse(p.turn).ok(),
                expired: false,
                body: Body::Message(Message::new(message, p.parent)),
            });
        }
        self.change(p.message, p.cur, |row| {
            let Body::Message(m) = &mut row.body else { return Effect::NONE };
            if m.state == MessageState::Cut {
                return Effect::NONE;
            }
            let thinking = channel == pb::Channel::Thinking;
            m.thought |= thinking;
            let changed = if p.expired {
                !std::mem::replace(&mut row.expired, true)
            } else if thinking {
                m.thinking.put(p.at, p.text)
            } else {
                m.text.put(p.at, p.text)
            };
            if row.expired {
                m.text.clear();
                m.thinking.clear();
            }
            // Words that age or a cut took were there once, and so was their row.
            let words = !m.text.is_empty() || row.expired || p.cut;
            Effect { changed, visible: (words && !thinking) || (m.thought && m.acted) }
        });
    }

    pub(super) fn text_done(&mut self, at: At<'_>, done: &pb::TextDone) {
        self.close(at, |m| {
            if m.state == MessageState::Open {
                m.state = MessageState::Done;
            }
            m.text.finish(done.text_len);
            m.thinking.finish(done.thinking_len);
            // Thinking alone leaves no row.
            done.text_len > 0 || !(m.thought || done.thinking_len > 0)
        });
    }

    pub(super) fn text_cut(&mut self, at: At<'_>, cut: &pb::TextCut) {
        self.close(at, |m| {
            m.text.cut(cut.at);
            if m.state != MessageState::Cut {
                m.state = MessageState::Cut;
                m.note = (!cut.note.is_empty()).then(|| cut.note.clone());
            }
            cut.at > 0 || !m.thought
        });
    }

    /// Ends a message; `end` says whether it has a row even if it had none so far.
    fn close(&mut self, at: At<'_>, end: impl FnOnce(&mut Message) -> bool) {
        let Some(message) = self.named(at) else { return self.neutral(at.cur, 1, false) };
        self.change(message.as_str(), at.cur, |row| {
            let Body::Message(m) = &mut row.body else { return Effect::NONE };
            let visible = end(m);
            row.expired |= at.frame.expired;
            row.time = row.time.or((at.frame.time > 0).then_some(Wall(at.frame.time)));
            if row.expired {
                m.text.clear();
                m.thinking.clear();
            }
            Effect { changed: true, visible }
        });
    }

    /// A tool was called in the frame's message: its thinking is shown from now on.
    pub(super) fn acted(&mut self, at: At<'_>) {
        let Some(message) = self.named(at) else { return };
        self.change(message.as_str(), at.cur, |row| {
            let Body::Message(m) = &mut row.body else { return Effect::NONE };
            m.acted = true;
            Effect { changed: false, visible: m.thought }
        });
    }

    /// The message of a frame that stands alone, begun if need be.
    fn named(&mut self, at: At<'_>) -> Option<MessageId> {
        let message = at.message()?;
        if self.messages.get(message.as_str()).is_none() {
            let body = Body::Message(Message::new(message.clone(), &at.frame.parent));
            let row = Row { time: None, ..at.row(format!("a:{message}"), body) };
            self.begin(row);
        }
        Some(message)
    }

    /// Keeps the row of a new message until there is something to see.
    fn begin(&mut self, mut row: Row) {
        let Body::Message(m) = &mut row.body else { return };
        let message = m.message.clone();
        m.marks = self.loose_marks.remove(message.as_str()).unwrap_or_default();
        // One cursor is one frame of one message, so none is put in another's place.
        self.waiting.insert(row.cur, message.clone());
        self.messages.set(message.as_str(), Place::Held(Box::new(row)));
    }

    /// Changes the row of a message, wherever it is, and shows it when it is time.
    fn change(&mut self, message: &str, cur: Cursor, change: impl FnOnce(&mut Row) -> Effect) {
        match self.messages.get_mut(message) {
            Some(Place::Row(index)) => {
                let index = *index;
                if let Some(row) = self.rows.get_mut(index)
                    && change(row).changed
                {
                    self.touch(index);
                }
            }
            Some(Place::Held(row)) => {
                if change(row).visible
                    && let Some(mut row) = self.messages.take_held(message)
                {
                    self.waiting.remove(&row.cur);
                    row.cur = cur;
                    let index = self.push(row);
                    self.messages.set(message, Place::Row(index));
                }
            }
            Some(Place::Gone) | None => {}
        }
    }

    pub(super) fn user_message(&mut self, at: At<'_>, told: &pb::UserMessage) {
        let Some(message) = at.message() else { return self.neutral(at.cur, 1, false) };
        let state = pb::UserState::try_from(told.state).ok();
        let index = match self.users.get(message.as_str()) {
            Some(Place::Row(index)) => *index,
            Some(Place::Held(_) | Place::Gone) => return,
            None => {
                let body = Body::UserMessage(UserMessage {
                    message: message.clone(),
                    parent: None,
                    text: String::new(),
                    enc: None,
                    state: pb::UserState::Said,
                    marks: self.loose_marks.remove(message.as_str()).unwrap_or_default(),
                });
                let index = self.push(at.row(format!("u:{message}"), body));
                self.users.set(message.as_str(), Place::Row(index));
                index
            }
        };
        self.touch(index);
        let Some(row) = self.rows.get_mut(index) else { return };
        let Body::UserMessage(u) = &mut row.body else { return };
        if u.text.is_empty() && u.enc.is_none() {
            u.text.clone_from(&told.text);
            u.enc.clone_from(&told.enc);
        }
        u.parent = u.parent.take().or_else(|| MessageId::parse(&at.frame.parent).ok());
        u.marks.mention(&told.mentions);
        u.state = state.and_then(|next| queue::advance(u.state, next)).unwrap_or(u.state);
        row.expired |= at.frame.expired;
        if row.expired {
            u.text.clear();
            u.enc = None;
        }
        if u.state == pb::UserState::Cancelled {
            u.marks = Marks::default();
        }
    }

    pub(super) fn reaction(&mut self, at: At<'_>, reaction: &pb::Reaction) {
        let Ok(who) = Author::parse(&at.frame.author) else { return };
        self.mark(at, |marks| marks.react(&who, &reaction.emoji, reaction.on));
    }

    /// Marks the frame's message. One that is not known yet gets its marks when it comes; one that is gone has none.
    pub(super) fn mark(&mut self, at: At<'_>, mark: impl FnOnce(&mut Marks) -> bool) {
        let Some(message) = at.message() else { return };
        let message = message.as_str();
        let place = match self.messages.get_mut(message) {
            Some(place) => Some(place),
            None => self.users.get_mut(message),
        };
        let index = match place {
            Some(Place::Row(index)) => *index,
            Some(Place::Held(row)) => {
                if let Body::Message(m) = &mut row.body {
                    mark(&mut m.marks);
                }
                return;
            }
            Some(Place::Gone) => return,
            None => {
                mark(self.loose_marks.entry(message.into()).or_default());
                return;
            }
        };
        let marks = match self.rows.get_mut(index).map(|row| &mut row.body) {
            Some(Body::Message(m)) => &mut m.marks,
            // What was taken back is marked by nobody.
            Some(Body::UserMessage(u)) if u.state != pb::UserState::Cancelled => &mut u.marks,
            _ => return,
        };
        if mark(marks) {
            self.touch(index);
        }
    }

    pub(super) fn ask(&mut self, at: At<'_>, told: &pb::Ask) {
        self.asked(at, &told.ask, |ask, _| {
            if ask.question.is_empty() && ask.options.is_empty() {
                ask.question.clone_from(&told.question);
                ask.options.clone_from(&told.options);
            }
        });
    }

    pub(super) fn ask_answered(&mut self, at: At<'_>, told: &pb::AskAnswered) {
        self.asked(at, &told.ask, |ask, by| {
            ask.answer.get_or_insert_with(|| Answered { answer: told.answer.clone(), by });
        });
    }

    fn asked(&mut self, at: At<'_>, id: &str, tell: impl FnOnce(&mut Ask, Option<Author>)) {
        if !is_key(id) {
            return self.neutral(at.cur, 1, false);
        }
        let index = match self.asks.get(id) {
            Some(Place::Row(index)) => *index,
            Some(Place::Held(_) | Place::Gone) => return,
            None => {
                let ask = Ask { ask: id.to_owned(), question: String::new(), options: Vec::new(), answer: None };
                let index = self.push(at.row(format!("q:{id}"), Body::Ask(ask)));
                self.asks.set(id, Place::Row(index));
                index
            }
        };
        if let Some(Body::Ask(ask)) = self.rows.get_mut(index).map(|row| &mut row.body) {
            tell(ask, Author::parse(&at.frame.author).ok());
            self.touch(index);
        }
    }

    pub(super) fn fanout(&mut self, at: At<'_>, told: &pb::Fanout) {
        self.fanned(at, &told.group, |fanout| {
            if fanout.members.is_empty() {
                fanout.of = at.message();
                fanout.members.clone_from(&told.members);
            }
        });
    }

    pub(super) fn fanout_keep(&mut self, at: At<'_>, told: &pb::FanoutKeep) {
        self.fanned(at, &told.group, |fanout| fanout.keep = (!told.keep.is_empty()).then(|| told.keep.clone()));
    }

    fn fanned(&mut self, at: At<'_>, id: &str, tell: impl FnOnce(&mut Fanout)) {
        if !is_key(id) {
            return self.neutral(at.cur, 1, false);
        }
        let index = match self.groups.get(id) {
            Some(Place::Row(index)) => *index,
            Some(Place::Held(_) | Place::Gone) => return,
            None => {
                let fanout = Fanout { group: id.to_owned(), of: None, members: Vec::new(), keep: None };
                let index = self.push(at.row(format!("g:{id}"), Body::Fanout(fanout)));
                self.groups.set(id, Place::Row(index));
                index
            }
        };
        if let Some(Body::Fanout(fanout)) = self.rows.get_mut(index).map(|row| &mut row.body) {
            tell(fanout);
            self.touch(index);
        }
    }
}

impl Message {
    fn new(message: MessageId, parent: &str) -> Message {
        Message {
            message,
            parent: MessageId::parse(parent).ok(),
            text: Words::default(),
            thinking: Words::default(),
            state: MessageState::Open,
            note: None,
            marks: Marks::default(),
            thought: false,
            acted: false,
        }
    }
}

/// Whether a text can name a question or a group.
fn is_key(id: &str) -> bool {
    !id.is_empty() && id.len() <= ID_MAX
}
