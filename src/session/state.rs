//! What one session holds behind its lock, and the append: the hot path of the box.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::hash::Hasher;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use bytes::BytesMut;
use prost::Message;
use siphasher::sip128::Hasher128;
use siphasher::sip128::SipHasher13;
use vyre_proto::cursor::Cursor;
use vyre_proto::cursor::Span;
use vyre_proto::event::Event;
use vyre_proto::event::Words;
use vyre_proto::frame::Delta;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_proto::limits::RECORD_MAX;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::event::Data as EventData;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::record;
use vyre_proto::tick::Tick;
use vyre_proto::tick::Wall;

use crate::rules::adapter::Adapter;
use crate::rules::caller::Person;
use crate::rules::caller::Roles;
use crate::rules::fanout::Fanouts;
use crate::rules::log::LogMark;
use crate::rules::log::SessionLog;
use crate::rules::reader::Bounds;
use crate::rules::readmarks::Landmarks;
use crate::rules::reply::Logged;
use crate::rules::reply::Rid;
use crate::rules::retention::may_fade;
use crate::rules::retention::of_event;
use crate::rules::retention::of_frame;
use crate::rules::retention::words_fade;
use crate::rules::ring::Ring;
use crate::rules::ring::RingBound;
use crate::rules::room::EventNumber;
use crate::rules::room::Room;
use crate::rules::room::RoomVer;
use crate::rules::viewer::Class;
use crate::rules::viewer::is_guarded;
use crate::session::attach::Attaches;
use crate::session::attach::Stay;
use crate::session::registry::Backlog;
use crate::session::reply::LeftOpen;
use crate::session::reply::given_up;
use crate::store::Batch;
use crate::store::Committed;
use crate::store::OnceRow;
use crate::store::chunk::Chunks;
use crate::store::chunk::Mark;
use crate::store::chunk::When;
use crate::store::fade::Fade;
use crate::store::tables::SessionRow;

/// The ring of one session: the newest screens' worth of frames. What is older is read from disk.
pub(crate) const RING: RingBound = RingBound { records: 4096, bytes: 1 << 20 };

/// Most frames that one event makes.
pub(crate) const FRAMES_PER_EVENT: u64 = 8;

/// Frames are encoded into blocks of this many bytes, which their records share.
const ARENA: usize = 32 * 1024;

/// The ids are hashes already.
#[derive(Default)]
pub(crate) struct TakeAsIs(u64);

impl Hasher for TakeAsIs {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*b);
        }
    }
    fn write_u128(&mut self, n: u128) {
        // The low half: 64 bits of a keyed hash.
        self.0 = (n & u128::from(u64::MAX)) as u64;
    }
}

/// Hashes of event ids.
pub(crate) type Seen = HashSet<u128, BuildHasherDefault<TakeAsIs>>;

/// Why an event cannot be appended at this moment.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// The lease must be extended on disk first.
    Lease,
    /// The ids of earlier events must be read first.
    Ids,
    /// The session is being let go; nothing is given out any more.
    Stopping,
}

/// An open message of a session that was silent for this long is cut.
pub(crate) const SILENCE: Duration = Duration::from_secs(24 * 3600);

/// One session's rules and what waits for the next commit.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) log: SessionLog,
    pub(crate) ring: Ring,
    pub(crate) adapter: Adapter,
    pub(crate) room: Room,
    /// The row does not have the room as it is.
    room_changed: bool,
    pub(crate) landmarks: Landmarks,
    landmarks_changed: bool,
    pub(crate) fanouts: Fanouts,
    fanouts_changed: bool,
    /// The title that people were told last.
    pub(crate) told_title: Option<String>,
    /// Facts, counts and number; the log's marks and the adapter's state are put in when it is taken.
    pub(crate) row: SessionRow,
    pub(crate) seen: Option<Seen>,
    pub(crate) attaches: Attaches,
    /// The box is stopping or lets this session go: the next commit gives the lease back.
    pub(crate) stopping: bool,
    /// The box's calendar at the newest event.
    pub(crate) last_event: Wall,
    /// When a producer was last heard here, or could be heard again.
    pub(crate) heard: Tick,
    left_open: Option<LeftOpen>,
    pub(crate) backlog: Arc<Backlog>,
    lease_wanted: bool,
    clear: bool,
    frames: Chunks,
    events: Chunks,
    ids: Vec<u8>,
    /// Calls that are made once, to be kept with the events that they made.
    pub(crate) once: Vec<OnceRow>,
    taken: Option<LogMark>,
    projected: Vec<Logged>,
    arena: BytesMut,
    /// When what is logged now was logged first, where the log is made from stored events.
    when: Option<When>,
    /// What is old and to be written without its content.
    pub(crate) fade: Option<Fade>,
}

impl State {
    pub(crate) fn new(log: SessionLog, adapter: Adapter, room: Room, row: SessionRow, backlog: Arc<Backlog>) -> Self {
        Self {
            ring: Ring::new(log.head(), RING),
            log,
            adapter,
            room,
            room_changed: true,
            landmarks: Landmarks::decode(&row.landmarks),
            landmarks_changed: false,
            fanouts: Fanouts::decode(&row.fanouts),
            fanouts_changed: false,
            told_title: (row.events > 0).then(|| row.title.clone()),
            last_event: Wall(row.changed),
            heard: Tick::default(),
            left_open: None,
            // A session without events has no ids to read.
            seen: (row.events == 0).then(Seen::default),
            row,
            backlog,
            attaches: Attaches::default(),
            stopping: false,
            lease_wanted: false,
            clear: false,
            frames: Chunks::default(),
            events: Chunks::default(),
            ids: Vec::new(),
            once: Vec::new(),
            taken: None,
            projected: Vec::new(),
            arena: BytesMut::new(),
            when: None,
            fade: None,
        }
    }

    /// The next commit extends the lease.
    pub(crate) fn want_lease(&mut self) {
        self.lease_wanted = true;
    }

    pub(crate) fn bounds(&self) -> Bounds {
        Bounds { log: self.log.id(), floor: self.log.floor(), head: self.log.head() }
    }

    /// Logs an event and the frames it makes. False: its id is known, nothing was done.
    pub(crate) fn append(&mut self, event: &Event, (tick, now): (Tick, Wall), id_key: &[u8; 16]) -> Result<bool, Wait> {
        if self.stopping {
            return Err(Wait::Stopping);
        }
        let Some(seen) = &mut self.seen else { return Err(Wait::Ids) };
        let id = hash_id(id_key, event.id_text());
        if seen.contains(&id) {
            return Ok(false);
        }
        if self.log.room() < FRAMES_PER_EVENT {
            self.lease_wanted = true;
            return Err(Wait::Lease);
        }
        seen.insert(id);
        self.ids.extend_from_slice(&id.to_le_bytes());
        (self.last_event, self.heard) = (now, tick);
        if event.words().is_some_and(|words| self.append_words(words, now)) {
            return Ok(true);
        }
        // First: whoever comes by this event is there when its frames are made.
        self.learn(event.get(), EventNumber(self.row.events + 1));
        let mut frames = std::mem::take(&mut self.projected);
        self.adapter.project(event.get(), &self.room, now, &mut frames);
        debug_assert!(frames.len() as u64 <= FRAMES_PER_EVENT);
        for frame in frames.drain(..) {
            self.log_frame(frame);
        }
        self.projected = frames;
        self.row.events += 1;
        self.row.projected = self.row.events;
        let mark = Mark { fades: may_fade(of_event(event.get())), when: None };
        let len = self.events.encode(event.get(), event.encoded_len(), self.row.events, mark);
        self.backlog.add(len as u64);
        self.take_up(event.get());
        if matches!(event.get().data, Some(EventData::RoomLeft(_))) {
            // Before anything else can be logged. The frame that tells of it moves the head, so the readers look.
            self.attaches.end_gone(|stay| self.is_in(stay));
        }
        Ok(true)
    }

    /// Logs the next piece of a message that is open, where no more has to be done: what [`State::append`] does in general,
    /// without making a message of either the event or the frame. False: nothing was done.
    fn append_words(&mut self, words: &Words, now: Wall) -> bool {
        if self.left_open.is_some() || !self.room.hears(words.actor(), words.acts_for()) {
            return false;
        }
        let Some(goes_on) = self.adapter.go_on(words, &self.room) else { return false };
        let head = self.log.head();
        self.room.at(head);
        let by_assistant = words.actor().starts_with(b"assistant:") || words.actor().starts_with(b"model:");
        let mut rid = [0; Rid::LEN_MAX];
        let delta = Delta {
            cur: head.next(),
            id: words.id().as_bytes(),
            session: words.session().as_bytes(),
            turn: words.turn(),
            time: if words.time() == 0 { now.0 } else { words.time() },
            corr: words.corr(),
            author: words.actor(),
            // A person speaks alone.
            acts_for: if by_assistant { words.acts_for() } else { &[] },
            message: words.message().as_bytes(),
            rid: goes_on.written.rid().write(&mut rid),
            ver: goes_on.written.ver().0,
            at: goes_on.at,
            text: words.text(),
        };
        let len = delta.encoded_len();
        let mark = Mark { fades: words_fade(words.actor()), when: None };
        if let Ok(cur) = self.log.append() {
            self.room_in_arena(len);
            delta.encode(len, &mut self.arena);
            let record = self.arena.split().freeze();
            self.show(record, cur, 1, mark);
        }
        self.row.events += 1;
        self.row.projected = self.row.events;
        let len = self.events.push_message(words.raw(), self.row.events, mark);
        self.backlog.add(len as u64);
        true
    }

    /// Whether an event of this id is known, or this mark was left. The ids must have been read.
    pub(crate) fn knows(&self, id: &str, id_key: &[u8; 16]) -> bool {
        self.seen.as_ref().is_some_and(|seen| seen.contains(&hash_id(id_key, id)))
    }

    /// Leaves a mark that [`State::knows`] for good. It is stored with the event that was appended before it.
    pub(crate) fn mark(&mut self, mark: &str, id_key: &[u8; 16]) {
        let Some(seen) = &mut self.seen else { return };
        let id = hash_id(id_key, mark);
        if seen.insert(id) {
            self.ids.extend_from_slice(&id.to_le_bytes());
        }
    }

    /// What gives up the replies that nobody goes on with, if it is time: those that a restart left open and that nobody
    /// came back to, or all that are open where nothing came for a day. It changes nothing; appending it does.
    pub(crate) fn overdue(&self, session: &SessionId, tick: Tick) -> Vec<Event> {
        let due = match &self.left_open {
            Some(left) => left.is_due(tick),
            None => tick.since(self.heard) > SILENCE,
        };
        if !due {
            return Vec::new();
        }
        let place = format!("{}.{}", self.log.id(), self.log.head());
        given_up(session, &self.adapter, &self.room, self.left_open.as_ref(), &place)
    }

    /// What is open now may have lost whoever writes it, by a restart of the box or a long silence: it waits until then.
    pub(crate) fn leave_open(&mut self, until: Tick, restarted: bool) {
        self.left_open = LeftOpen::of(&self.adapter, &self.room, until, restarted);
    }

    /// Whoever comes back to a reply goes on with it.
    fn take_up(&mut self, event: &pb::Event) {
        if self.left_open.as_mut().is_some_and(|left| left.take_up(event, &self.adapter)) {
            self.left_open = None;
        }
    }

    /// Gives a frame its cursor and its canonical bytes. There must be room.
    pub(crate) fn log_frame(&mut self, frame: Logged) {
        let mut frame = frame.into_frame();
        frame.cur = self.log.head().next().get();
        let len = frame.encoded_len();
        if len > RECORD_MAX {
            // The limits of an event make this impossible; should they not, nobody could read the record.
            tracing::error!(len, "a frame over the record limit was left out");
            return;
        }
        let Ok(cur) = self.log.append() else { return };
        if self.row.guarded == 0 && is_guarded(&frame) {
            self.row.guarded = cur.get();
        }
        self.landmarks_changed |= self.landmarks.learn(&frame);
        let mark = Mark { fades: may_fade(of_frame(&frame)) && !frame.expired, when: self.when };
        let record = self.encode(&frame, len);
        self.show(record, cur, 1, mark);
    }

    /// Shows and keeps a record that ends at `cur`.
    fn show(&mut self, record: Bytes, cur: Cursor, span: u64, mark: Mark) {
        self.frames.push(&record, cur.get(), mark);
        self.backlog.add(record.len() as u64);
        if let Some(span) = Span::ending(cur, span) {
            self.ring.push(span, record, self.log.durable());
        }
    }

    /// After an unclean stop: one `lost` frame over what was leased and not written. It has the same bytes however often
    /// it is made.
    pub(crate) fn log_lost(&mut self, id: &SessionId, span: Span, ring_below: Cursor) {
        let data = Some(Data::Lost(pb::Lost { reason: pb::LostReason::Crash as i32 }));
        let (v, session, cur) = (1, id.as_str().to_owned(), span.end().get());
        let span_field = if span.len() == 1 { 0 } else { span.len() };
        let frame = pb::Frame { v, session, cur, span: span_field, data, ..Default::default() };
        self.ring = Ring::new(ring_below, RING);
        self.note_lost(span);
        let record = self.encode(&frame, frame.encoded_len());
        self.show(record, span.end(), span.len(), Mark::default());
    }

    /// Remembers what was lost: history is counted by it. Two runs side by side are one.
    fn note_lost(&mut self, span: Span) {
        match self.row.lost.as_mut_slice() {
            // The same run, found again by a start that did not get to write it.
            [.., first, last] if *last >= span.first().prev().get() => {
                (*first, *last) = ((*first).min(span.first().get()), span.end().get());
            }
            _ => self.row.lost.extend([span.first().get(), span.end().get()]),
        }
    }

    fn encode(&mut self, frame: &pb::Frame, len: usize) -> Bytes {
        self.room_in_arena(len);
        record::encode_sized(frame, len, &mut self.arena);
        self.arena.split().freeze()
    }

    fn room_in_arena(&mut self, len: usize) {
        if self.arena.capacity() < 1024 {
            self.arena = BytesMut::with_capacity(ARENA);
        }
        self.arena.reserve(prost::length_delimiter_len(len) + len);
    }

    /// The log is to be made from the stored events: what an unfinished seed left goes first.
    pub(crate) fn begin_seed(&mut self) {
        self.row.projected = 0;
        self.row.lost.clear();
        self.row.guarded = 0;
        self.landmarks = Landmarks::default();
        self.landmarks_changed = true;
        self.fanouts = Fanouts::default();
        self.fanouts_changed = true;
        self.clear = true;
        self.lease_wanted = true;
    }

    /// Logs the frames of a stored event. False: a commit must extend the lease first.
    pub(crate) fn seed(&mut self, event: &pb::Event, number: EventNumber, when: When) -> bool {
        if self.log.room() < FRAMES_PER_EVENT {
            self.lease_wanted = true;
            return false;
        }
        self.learn(event, number);
        let mut frames = std::mem::take(&mut self.projected);
        self.adapter.project(event, &self.room, when.logged, &mut frames);
        self.when = Some(when);
        for frame in frames.drain(..) {
            self.log_frame(frame);
        }
        self.when = None;
        self.projected = frames;
        true
    }

    /// Every stored event is in the log.
    pub(crate) fn end_seed(&mut self) {
        self.row.projected = self.row.events;
        self.lease_wanted = true;
    }

    /// Keeps what an event tells of the session: its room, and the facts that a list shows without one.
    fn learn(&mut self, event: &pb::Event, number: EventNumber) {
        let ver = self.room.ver();
        self.room.at(self.log.head());
        if !self.room.learn(event, number) {
            return;
        }
        self.room_changed = true;
        self.fanouts_changed |= self.fanouts.learn(event);
        if let Some(EventData::ThreadStarted(s)) = &event.data {
            self.row.title.clone_from(&s.title);
            self.row.folder.clone_from(&s.folder);
            self.row.assistant.clone_from(&s.assistant);
        }
        self.row.group = self.room.is_group();
        if self.room.ver() != ver || ver == RoomVer::default() {
            self.row.participants = self.room.participants().map(|a| a.as_str().to_owned()).collect();
        }
    }

    /// The first cursor at which something is not for everybody in the room.
    pub(crate) fn guarded(&self) -> Option<Cursor> {
        Cursor::new(self.row.guarded).filter(|c| *c > Cursor::ZERO)
    }

    /// What somebody with these roles may see of it, whose stay this is.
    pub(crate) fn class_of(&self, stay: &Stay, roles: Roles) -> Class {
        Class::new(roles, self.room.stays(stay.who.author()))
    }

    /// This person's time in it, if they are in it now.
    pub(crate) fn stay_of(&self, who: &Person) -> Option<Stay> {
        self.room.since(who.author()).map(|since| Stay { who: who.clone(), since })
    }

    /// Whether it goes on still.
    pub(crate) fn is_in(&self, stay: &Stay) -> bool {
        self.room.since(stay.who.author()) == Some(stay.since)
    }

    pub(crate) fn has_participant(&self, who: &Author) -> bool {
        self.room.is_in(who)
    }

    /// Whether messages wait for their writers.
    pub(crate) fn has_left_open(&self) -> bool {
        self.left_open.is_some()
    }

    /// Bytes that wait for a commit.
    pub(crate) fn waiting(&self) -> bool {
        !self.frames.is_empty() || !self.events.is_empty() || self.lease_wanted || self.fade.is_some()
    }

    /// Everything that waits, with the row as it will be.
    pub(crate) fn take(&mut self, id: &SessionId) -> Option<Batch> {
        if !self.waiting() && !self.stopping {
            return None;
        }
        let mark = if self.stopping { self.log.mark_for_stop() } else { self.log.mark_for_commit() };
        self.taken = Some(mark);
        self.lease_wanted = false;
        self.row.set_mark(mark);
        self.row.adapter = self.adapter.encode();
        self.row.adapter_fades = self.adapter.holds_words();
        if std::mem::take(&mut self.room_changed) {
            self.row.room = self.room.encode();
        }
        if std::mem::take(&mut self.landmarks_changed) {
            self.row.landmarks = self.landmarks.encode();
        }
        if std::mem::take(&mut self.fanouts_changed) {
            self.row.fanouts = self.fanouts.encode();
        }
        Some(Batch {
            id: id.clone(),
            row: self.row.clone(),
            frames: std::mem::take(&mut self.frames),
            events: std::mem::take(&mut self.events),
            ids: std::mem::take(&mut self.ids),
            once: std::mem::take(&mut self.once),
            clear_frames: std::mem::take(&mut self.clear),
            fade: self.fade.take(),
        })
    }

    /// What was taken is durable.
    pub(crate) fn committed(&mut self, done: Committed) {
        self.row.number = done.number;
        (self.row.bytes, self.row.frames) = (done.bytes, done.frames);
        if let Some(mark) = self.taken.take() {
            self.log.committed(mark);
        }
        self.ring.trim(self.log.durable());
    }

    /// Its header facts, for nobody in particular.
    pub(crate) fn info(&self, id: &SessionId) -> pb::SessionInfo {
        let bounds = self.bounds();
        pb::SessionInfo {
            session: id.as_str().to_owned(),
            title: self.row.title.clone(),
            folder: self.row.folder.clone(),
            head: bounds.head.get(),
            floor: bounds.floor.get(),
            log: bounds.log.to_string(),
            participants: self.row.participants.clone(),
            changed: self.last_event.0.max(self.row.changed),
            group: self.row.group,
            assistant: self.row.assistant.clone(),
            assigned: self.room.assigned().map(Author::to_string).unwrap_or_default(),
            ..Default::default()
        }
    }
}

/// A keyed 128-bit hash: whoever chooses ids cannot choose collisions.
pub(crate) fn hash_id(key: &[u8; 16], id: &str) -> u128 {
    let mut hasher = SipHasher13::new_with_key(key);
    hasher.write(id.as_bytes());
    hasher.finish128().as_u128()
}

#[cfg(test)]
mod tests;
