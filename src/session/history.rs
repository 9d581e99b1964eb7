//! History: the frames before a cursor, a page at a time, from wherever they are.
//!
//! What the log still holds comes from it. What has left its bounds is made again from the session's events, from the
//! first on, under the cursors that it had: a log begins with the first event, and what a crash took away is known. It is
//! work for as long as the session is, so few of these run at once.

use std::collections::VecDeque;

use prost::Message;
use vyre_proto::cursor::Cursor;
use vyre_proto::cursor::Span;
use vyre_proto::frame::Frame;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;

use crate::rules::adapter::Adapter;
use crate::rules::reply::Logged;
use crate::rules::room::EventNumber;
use crate::rules::room::Room;
use crate::rules::viewer::Class;
use crate::rules::viewer::for_viewer;
use crate::session::Session;
use crate::session::SessionError;
use crate::session::Sessions;
use crate::store::FrameRun;
use crate::store::Store;
use crate::store::StoreError;
use crate::store::read::each;

#[cfg(test)]
mod tests;

/// About how many bytes of frames a page has; at least one frame whatever its size.
const PAGE_BYTES: usize = 256 * 1024;

/// Bytes of the log or of events that are read at a time.
const STEP: usize = 256 * 1024;

/// Pages that are made at once.
pub(crate) const AT_ONCE: usize = 4;

/// Frames before a cursor.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    /// Oldest first.
    pub frames: Vec<pb::Frame>,
    /// There are older ones.
    pub more: bool,
}

/// The newest frames that fit a page, as the class sees them: how much fits tells nothing of what is hidden.
struct Newest {
    class: Class,
    frames: VecDeque<(pb::Frame, usize)>,
    bytes: usize,
    limit: usize,
    dropped: bool,
}

impl Newest {
    fn new(limit: u32, class: Class) -> Self {
        Self { class, frames: VecDeque::new(), bytes: 0, limit: limit.max(1) as usize, dropped: false }
    }

    fn push(&mut self, frame: pb::Frame) {
        let frame = for_viewer(frame, &self.class);
        let len = frame.encoded_len();
        self.bytes += len;
        self.frames.push_back((frame, len));
        while self.frames.len() > self.limit || (self.bytes > PAGE_BYTES && self.frames.len() > 1) {
            if let Some((_, len)) = self.frames.pop_front() {
                self.bytes -= len;
                self.dropped = true;
            }
        }
    }
}

impl Sessions {
    /// The newest frames before `before` (`None`: all), at most `limit` of them, as this class of viewers sees them.
    pub async fn history(
        &self,
        session: &Session,
        class: &Class,
        before: Option<Cursor>,
        limit: u32,
    ) -> Result<Page, SessionError> {
        let failed = |reason: String| SessionError::Unavailable { reason };
        let _turn = self.0.histories.acquire().await.map_err(|e| failed(e.to_string()))?;
        let upto = before.map_or(session.bounds().head, Cursor::prev);
        if upto > session.0.lock().log.durable() {
            // It is on disk soon, and a page is read from one place. Where the disk does not take it the page ends before.
            let _ = self.wait_durable(self.0.store.issued()).await;
        }
        let (floor, end, number, lost) = {
            let state = session.0.lock();
            let end = upto.min(state.log.durable());
            (state.log.floor(), end, state.row.number, state.row.lost.clone())
        };
        let (store, session, class) = (self.0.store.clone(), session.id().clone(), class.clone());
        let read = tokio::task::spawn_blocking(move || {
            let mut newest = Newest::new(limit, class);
            let after = begin(end, limit, &lost);
            if after.next() < floor {
                let gone = Gone { store: &store, number, lost: &lost, session: session.as_str() };
                gone.read(after, floor.prev().min(end), &mut newest)?;
            }
            from_log(&store, number, after.max(floor.prev()), end, &mut newest)?;
            Ok::<_, StoreError>((newest, after))
        });
        let (newest, after) = read.await.map_err(|e| failed(e.to_string()))?.map_err(|e| failed(e.to_string()))?;
        let more = newest.dropped || after > Cursor::ZERO;
        Ok(Page { frames: newest.frames.into_iter().map(|(f, _)| f).collect(), more })
    }
}

/// After which cursor a page of `limit` frames that ends at `end` begins. A frame covers one cursor, but for what was lost.
fn begin(end: Cursor, limit: u32, lost: &[u64]) -> Cursor {
    let (mut at, mut left) = (end.get(), u64::from(limit.max(1)));
    for [first, last] in lost.as_chunks::<2>().0.iter().rev() {
        if *first > at {
            continue;
        }
        let above = at.saturating_sub(*last);
        if above >= left {
            break;
        }
        // A run that ends above `at` is not of this page.
        left -= if *last <= at { above + 1 } else { 0 };
        at = first.saturating_sub(1);
        if left == 0 {
            break;
        }
    }
    Cursor::new(at.saturating_sub(left)).unwrap_or_default()
}

/// Takes in the frames of the log after `after` up to `end`.
fn from_log(store: &Store, number: u64, after: Cursor, end: Cursor, newest: &mut Newest) -> Result<(), StoreError> {
    let mut at = after;
    while at < end {
        match store.frames(number, at, STEP)? {
            FrameRun::Records { records, end: last } => {
                for record in each(&records) {
                    let Some(frame) = pb::Frame::decode(record).ok().and_then(|f| within(f, at, end)) else { continue };
                    newest.push(frame);
                }
                at = last.max(at.next());
            }
            FrameRun::Damaged(span) => {
                newest.push(lost_frame(span, pb::LostReason::Damage, ""));
                at = span.end().max(at.next());
            }
            FrameRun::Nothing => break,
        }
    }
    Ok(())
}

/// A frame as far as it lies after `after` and not after `end`.
fn within(frame: pb::Frame, after: Cursor, end: Cursor) -> Option<pb::Frame> {
    let frame = Frame::check(frame).ok()?;
    let span = frame.span()?;
    if span.end() > end {
        return None;
    }
    let before = if span.first() > after { 0 } else { after.get() + 1 - span.first().get() };
    frame.without_first(before).map(Frame::into_inner)
}

fn lost_frame(span: Span, reason: pb::LostReason, session: &str) -> pb::Frame {
    let (cur, len) = (span.end().get(), span.len());
    let data = Some(Data::Lost(pb::Lost { reason: reason as i32 }));
    pb::Frame {
        v: 1,
        cur,
        span: if len == 1 { 0 } else { len },
        session: session.to_owned(),
        data,
        ..Default::default()
    }
}

/// What has left the log.
struct Gone<'a> {
    store: &'a Store,
    number: u64,
    /// First and last cursor of each run that a crash took away, in order.
    lost: &'a [u64],
    session: &'a str,
}

impl Gone<'_> {
    /// Makes the frames after `after` up to `end` again.
    fn read(&self, after: Cursor, end: Cursor, newest: &mut Newest) -> Result<(), StoreError> {
        let (mut adapter, mut room) = (Adapter::new(), Room::new());
        let mut frames = Vec::new();
        let mut lost = self.lost.as_chunks::<2>().0.iter().peekable();
        let (mut cur, mut next) = (Cursor::ZERO, 1);
        while let Some(run) = self.store.events(self.number, next, STEP)? {
            for (number, (logged, event)) in (next..).zip(run.events) {
                let Ok(event) = pb::Event::decode(event) else { continue };
                room.at(cur);
                room.learn(&event, EventNumber(number));
                adapter.project(&event, &room, logged, &mut frames);
                for mut frame in frames.drain(..).map(Logged::into_frame) {
                    while let Some([first, last]) = lost.next_if(|[first, _]| *first == cur.next().get()) {
                        let span = Cursor::new(*first).zip(Cursor::new(*last)).and_then(|(f, l)| Span::between(f, l));
                        let Some(span) = span else { continue };
                        if span.first() > after && span.end() <= end {
                            newest.push(lost_frame(span, pb::LostReason::Crash, self.session));
                        }
                        cur = span.end();
                    }
                    cur = cur.next();
                    if cur > end {
                        return Ok(());
                    }
                    if cur > after {
                        frame.cur = cur.get();
                        newest.push(frame);
                    }
                }
            }
            next = run.last + 1;
        }
        Ok(())
    }
}
