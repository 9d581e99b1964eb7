//! [`Fold`]: frames in, rows out. The one reading of a session that every screen shares.
//!
//! What a screen shows depends on the log alone and not on how it came: frame by frame, merged, cut anywhere, twice, or
//! again after a crash under newer cursors. Three things bring that about. A frame at or below the newest cursor is
//! dropped, one that reaches below it is taken in part. Text goes by its offset, everything else by its key, so what is
//! held already changes nothing. And a merged frame is taken apart here, part by part, each under its own cursor.
//!
//! What would surprise: a message of thinking alone has no row; a message that was cut or rewound never comes back,
//! whatever arrives for it later; a status ends nothing but itself, so a call without a result stays open; and a row
//! keeps its place from when it became visible.
//!
//! Every frame costs its own size and no more, but for a rewind, which costs the rows that it takes away and those after
//! its border that it leaves: queued messages, and who came and went.

pub mod marks;
pub mod people;
pub mod row;
pub mod words;

mod draw;
mod index;
mod talk;
mod work;

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::collections::HashSet;
use std::fmt;

use crate::cursor::Cursor;
use crate::cursor::Fit;
use crate::cursor::Span;
use crate::fold::index::Index;
use crate::fold::index::Place;
use crate::fold::marks::Marks;
use crate::fold::row::Body;
use crate::fold::row::Row;
use crate::frame::Frame;
use crate::ids::Author;
use crate::ids::MessageId;
use crate::ids::TurnId;
use crate::kind::Class;
use crate::pb::stream as pb;
use crate::pb::stream::frame::Data;
use crate::tick::Wall;

pub use crate::fold::draw::provisional_tail;

/// What a session looks like up to one cursor.
#[derive(Clone, Default)]
pub struct Fold {
    last: Cursor,
    /// The first cursor that this fold could know of; nothing before it was seen.
    base: Option<Cursor>,
    rows: Vec<Row>,
    messages: Index,
    users: Index,
    calls: Index,
    asks: Index,
    groups: Index,
    /// Rows that are known by the frame that made them, by row id.
    others: Index,
    /// Messages that are not visible yet, by the cursor of their first frame.
    waiting: BTreeMap<Cursor, MessageId>,
    /// Marks on messages that nothing else was seen of.
    loose_marks: HashMap<Box<str>, Marks>,
    /// Frames that have no key but themselves and make no row of their own.
    seen: HashSet<String>,
    status: Option<pb::Status>,
    /// First row that the frame at hand changed.
    touched: Option<usize>,
}

/// The frame at hand, as far as rows have to know.
#[derive(Clone, Copy)]
struct At<'a> {
    frame: &'a pb::Frame,
    cur: Cursor,
}

impl Fold {
    /// Nothing seen, nothing shown.
    pub fn new() -> Self {
        Self::default()
    }

    /// The rows, in the order in which they became visible.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The newest cursor taken in.
    pub fn last(&self) -> Cursor {
        self.last
    }

    /// What the work was last said to be at.
    pub fn status(&self) -> Option<&pb::Status> {
        self.status.as_ref()
    }

    /// Takes a frame in.
    ///
    /// Gives the index of the first row that may look different now; `None` if all are as they were. Rows before it are
    /// untouched. There may be fewer rows than before, after a reset or a rewind.
    pub fn apply(&mut self, frame: &Frame) -> Option<usize> {
        self.touched = None;
        match frame.class() {
            Class::Logged | Class::Hidden => {
                if let Some(span) = frame.span() {
                    self.take(frame.get(), span);
                }
            }
            Class::Control => {
                if let Some(Data::Reset(reset)) = &frame.get().data {
                    self.reset(Cursor::new(reset.floor).unwrap_or(Cursor::ZERO));
                }
            }
            // Says nothing about the log.
            Class::Ephemeral => {}
        }
        self.touched
    }

    /// Drops everything. The next frame is the one at `floor`.
    pub fn reset(&mut self, floor: Cursor) {
        *self = Fold { last: floor.prev(), base: Some(floor), touched: Some(0), ..Fold::default() };
    }

    fn take(&mut self, frame: &pb::Frame, span: Span) {
        let skip = match span.fit(self.last) {
            Fit::Drop => return,
            // Whoever feeds this has settled what is missing; offsets show it where it matters.
            Fit::Gap => 0,
            Fit::Take { trim } => trim,
        };
        let first = span.first().plus(skip);
        self.base.get_or_insert(first);
        self.last = span.end();
        let at = At { frame, cur: first };
        match &frame.data {
            Some(Data::TextDelta(d)) => self.text_delta(frame, d, span, skip),
            Some(Data::ToolProgress(p)) => self.tool_progress(frame, p, span, skip),
            Some(Data::TextDone(d)) => self.text_done(at, d),
            Some(Data::TextCut(c)) => self.text_cut(at, c),
            Some(Data::UserMessage(m)) => self.user_message(at, m),
            Some(Data::Reaction(r)) => self.reaction(at, r),
            Some(Data::Pin(p)) => self.mark(at, |m| m.pin(p.on)),
            Some(Data::Mention(m)) => self.mark(at, |marks| marks.mention(&m.who)),
            Some(Data::Fanout(f)) => self.fanout(at, f),
            Some(Data::FanoutKeep(k)) => self.fanout_keep(at, k),
            Some(Data::Rewound(r)) => self.rewound(at, r),
            Some(Data::ToolStarted(t)) => self.tool_started(at, t),
            Some(Data::ToolFinished(t)) => self.tool_finished(at, t),
            Some(Data::TermChunk(t)) => self.term_chunk(at, t),
            Some(Data::Ask(a)) => self.ask(at, a),
            Some(Data::AskAnswered(a)) => self.ask_answered(at, a),
            Some(Data::FileChanged(f)) => self.by_frame(at, 'f', || Body::FileChanged(f.clone())),
            Some(Data::TermCommand(t)) => self.by_frame(at, 't', || Body::TermCommand(t.clone())),
            Some(Data::Branched(b)) => self.by_frame(at, 'b', || Body::Branched(b.clone())),
            Some(Data::Status(s)) => {
                self.status = Some(s.clone());
                self.by_frame(at, 's', || Body::Status(s.clone()));
            }
            Some(Data::ParticipantJoined(p)) => self.someone(at, 'j', &p.who, Body::Joined),
            Some(Data::ParticipantLeft(p)) => self.someone(at, 'l', &p.who, Body::Left),
            Some(Data::Lost(l)) => {
                let row =
                    at.row(format!("x:{}", span.end()), Body::Lost { count: span.len() - skip, reason: l.reason() });
                self.push(row);
            }
            Some(Data::Hidden(_)) => self.neutral(first, span.len() - skip, true),
            // Not logged: a checked frame of these has no cursor.
            Some(
                Data::Hello(_)
                | Data::Reset(_)
                | Data::Heartbeat(_)
                | Data::Bye(_)
                | Data::Presence(_)
                | Data::ReadMarker(_)
                | Data::SessionHead(_),
            ) => {}
            None => self.neutral(first, span.len() - skip, false),
        }
    }

    /// A neutral row, or more of the one before: a run looks the same in one frame and in many.
    fn neutral(&mut self, first: Cursor, more: u64, hidden: bool) {
        if let Some(row) = self.rows.last_mut()
            && let (Body::Hidden { count }, true) | (Body::Unknown { count }, false) = (&mut row.body, hidden)
            && row.cur.plus(*count) == first
        {
            *count += more;
            let index = self.rows.len() - 1;
            return self.touch(index);
        }
        let (family, body) =
            if hidden { ('h', Body::Hidden { count: more }) } else { ('n', Body::Unknown { count: more }) };
        self.push(Row {
            id: format!("{family}:{first}"),
            cur: first,
            time: None,
            author: None,
            acts_for: None,
            turn: None,
            expired: false,
            body,
        });
    }

    /// A row that is known by its frame alone: made once, however often the event behind it is told.
    fn by_frame(&mut self, at: At<'_>, family: char, body: impl FnOnce() -> Body) {
        let id = at.key(family);
        match self.others.get(&id) {
            None => {
                let mut row = at.row(id.clone(), body());
                row.expired = at.frame.expired;
                let index = self.push(row);
                self.others.set(&id, Place::Row(index));
            }
            Some(Place::Row(index)) if at.frame.expired => self.expire(*index),
            Some(_) => {}
        }
    }

    fn someone(&mut self, at: At<'_>, family: char, who: &str, body: impl FnOnce(Author) -> Body) {
        match Author::parse(who) {
            Ok(who) => self.by_frame(at, family, || body(who)),
            Err(_) => self.neutral(at.cur, 1, false),
        }
    }

    fn push(&mut self, row: Row) -> usize {
        let index = self.rows.len();
        self.rows.push(row);
        self.touch(index);
        index
    }

    fn touch(&mut self, index: usize) {
        self.touched = Some(self.touched.map_or(index, |t| t.min(index)));
    }

    fn expire(&mut self, index: usize) {
        if let Some(row) = self.rows.get_mut(index)
            && !row.expired
        {
            row.expired = true;
            self.touch(index);
        }
    }

    /// Where the row of a row's own thing is kept.
    fn place_of(&mut self, row: &Row, place: Place) {
        match &row.body {
            Body::Message(m) => self.messages.set(m.message.as_str(), place),
            Body::UserMessage(u) => self.users.set(u.message.as_str(), place),
            Body::Call(c) => self.calls.set(c.call.as_str(), place),
            Body::Ask(a) => self.asks.set(&a.ask, place),
            Body::Fanout(f) => self.groups.set(&f.group, place),
            Body::FileChanged(_)
            | Body::TermCommand(_)
            | Body::Status(_)
            | Body::Joined(_)
            | Body::Left(_)
            | Body::Branched(_) => self.others.set(&row.id, place),
            Body::Lost { .. } | Body::Hidden { .. } | Body::Unknown { .. } => {}
        }
    }

    /// Takes away the rows after the message `to`. Messages that still wait for their turn are not part of it yet.
    fn rewound(&mut self, at: At<'_>, rewound: &pb::Rewound) {
        // Told again after a crash it must not take away what came since.
        if !self.seen.insert(at.key('r')) {
            return;
        }
        let Some(keep) = self.kept_by(&rewound.to, &at.frame.message) else { return };
        let gone = self.rows.split_off(keep.min(self.rows.len()));
        if !gone.is_empty() {
            self.touch(keep);
        }
        for row in gone {
            if outlives_rewind(&row.body) {
                self.place_of(&row, Place::Row(self.rows.len()));
                self.rows.push(row);
            } else {
                self.place_of(&row, Place::Gone);
            }
        }
        // What was not visible yet goes too, where it began after the last row that stays.
        let border = match self.place(&rewound.to) {
            Some(Place::Row(index)) => self.rows.get(*index).map_or(Cursor::ZERO, |r| r.cur),
            Some(Place::Held(row)) => row.cur,
            Some(Place::Gone) | None => self.rows.get(keep.wrapping_sub(1)).map_or(Cursor::ZERO, |r| r.cur),
        };
        for message in self.waiting.split_off(&border.next()).into_values() {
            self.messages.set(message.as_str(), Place::Gone);
        }
    }

    /// How many rows a rewind to `to` keeps, of which `message` is the first that goes; `None` if it cannot be told.
    fn kept_by(&self, to: &str, message: &str) -> Option<usize> {
        // What goes begins with a message that is named, if it is shown.
        if let Some(Place::Row(index)) = self.place(message) {
            return Some(*index);
        }
        if to.is_empty() {
            return Some(0);
        }
        match self.place(to) {
            Some(Place::Row(index)) => return Some(index + 1),
            Some(Place::Held(held)) => return Some(self.rows.partition_point(|r| r.cur <= held.cur)),
            Some(Place::Gone) | None => {}
        }
        // Older than all that is held. In a log that is held from its start it can only be hidden, and hides its place too.
        (self.place(to).is_none() && self.base.is_some_and(|b| b.get() > 1)).then_some(0)
    }

    /// The place of a message of anybody's.
    fn place(&self, message: &str) -> Option<&Place> {
        self.messages.get(message).or_else(|| self.users.get(message))
    }
}

/// Whether a row after the border of a rewind stays: a message that is not part of the conversation yet, and who is in the
/// room, which no rewind changes.
fn outlives_rewind(body: &Body) -> bool {
    match body {
        Body::UserMessage(u) => u.state == pb::UserState::Queued,
        Body::Joined(_) | Body::Left(_) => true,
        _ => false,
    }
}

impl fmt::Debug for Fold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fold({} rows at {})", self.rows.len(), self.last)
    }
}

impl At<'_> {
    /// A row made by this frame.
    fn row(&self, id: String, body: Body) -> Row {
        Row {
            id,
            cur: self.cur,
            time: (self.frame.time > 0).then_some(Wall(self.frame.time)),
            author: Author::parse(&self.frame.author).ok(),
            acts_for: Author::parse(&self.frame.acts_for).ok(),
            turn: TurnId::parse(&self.frame.turn).ok(),
            expired: false,
            body,
        }
    }

    /// The name of what this frame alone makes: the event and the place in it, or the cursor where no event made it.
    fn key(&self, family: char) -> String {
        match (self.frame.id.as_str(), self.frame.index) {
            ("", _) => format!("{family}@{}", self.cur),
            (id, 0) => format!("{family}:{id}"),
            (id, index) => format!("{family}+{index}:{id}"),
        }
    }

    fn message(&self) -> Option<MessageId> {
        MessageId::parse(&self.frame.message).ok()
    }
}
