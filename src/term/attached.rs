//! One screen on a terminal: it has a place in the output and pulls from there.
//!
//! It is told the size in force, then bytes, with each change of size between them; a snapshot first where it has nothing
//! or lacks more than is kept; how the terminal stands, when it comes, when that changes and every 15 s; and at the end
//! how the shell ended. Nobody holds anything for it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use bytes::BytesMut;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio::time::sleep_until;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::term_record::Record;
use vyre_proto::record;
use vyre_proto::term::Offset;
use vyre_proto::term::TermSize;
use vyre_proto::tick::Tick;

use crate::rules::term::ran::Typist;
use crate::rules::term::ring::Next;
use crate::rules::term::ring::NotKept;
use crate::rules::term::screen::Snapshot;
use crate::rules::term::screens::ScreenId;
use crate::rules::term::window::Window;
use crate::term::terminal::Shared;

/// About how many bytes go out in one piece.
const PIECE: usize = 32 * 1024;

/// How long a stream is silent at most.
const BEAT: Duration = Duration::from_secs(15);

/// Screens on one terminal at once.
const SCREENS_MAX: usize = 32;

/// Why a screen cannot attach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AttachError {
    /// It says that it has what was never printed.
    #[error("the terminal has put out {head} bytes, and `from` is beyond that; attach without `from` to see it anew")]
    Beyond {
        /// How many there are.
        head: Offset,
    },
    /// Too many.
    #[error("{SCREENS_MAX} screens are on this terminal, and no more can be; detach one")]
    Full,
}

/// See the module. It leaves when it is dropped.
pub struct Attached {
    shared: Arc<Shared>,
    id: ScreenId,
    typist: Arc<Typist>,
    moved: watch::Receiver<()>,
    /// Behind the newest byte that was given. `None`: it needs a snapshot.
    at: Option<Offset>,
    /// The size that it goes by.
    size: Option<TermSize>,
    snapshot: Option<JoinHandle<Snapshot>>,
    /// What it was told of how the terminal stands.
    told: Option<(bool, pb::TermReports)>,
    beat: Instant,
    out: BytesMut,
    done: bool,
    /// What may be under way to it.
    window: Window,
    came: Instant,
}

impl fmt::Debug for Attached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Attached({} at {:?})", self.shared.id, self.at)
    }
}

impl Attached {
    pub(super) fn new(shared: Arc<Shared>, from: Option<Offset>, typist: Typist) -> Result<Attached, AttachError> {
        let (head, floor) = {
            let state = shared.lock();
            (state.ring.head(), state.ring.floor())
        };
        if from.is_some_and(|from| from > head) {
            return Err(AttachError::Beyond { head });
        }
        let at = from.filter(|from| *from >= floor);
        let moved = shared.moved.subscribe();
        let id = shared.join(at.unwrap_or(floor), SCREENS_MAX).ok_or(AttachError::Full)?;
        Ok(Attached {
            shared,
            id,
            typist: Arc::new(typist),
            moved,
            at,
            size: None,
            snapshot: None,
            told: None,
            beat: Instant::now() + BEAT,
            out: BytesMut::new(),
            done: false,
            window: Window::new(at.unwrap_or(floor)),
            came: Instant::now(),
        })
    }

    /// The next whole records to write. `None`: the shell has ended and all was said. To be asked again only when what was
    /// given has gone out: by that the box knows how fast the screen is. Cancel-safe.
    pub async fn next(&mut self) -> Option<Bytes> {
        loop {
            self.moved.borrow_and_update();
            self.step();
            if !self.out.is_empty() {
                self.beat = Instant::now() + BEAT;
                return Some(self.out.split().freeze());
            }
            if self.done {
                return None;
            }
            if let Some(making) = &mut self.snapshot {
                let made = making.await;
                self.snapshot = None;
                match made {
                    Ok(snapshot) => self.show(snapshot),
                    Err(_) => {
                        tracing::error!(term = %self.shared.id, "a snapshot broke off");
                        self.done = true;
                    }
                }
                continue;
            }
            tokio::select! {
                // Whoever would tell holds `shared`, as this does.
                _ = self.moved.changed() => {}
                () = sleep_until(self.beat) => self.told = None,
            }
        }
    }

    /// Takes what this screen types.
    pub fn typed(&self, bytes: Bytes) {
        self.shared.typed(self.id, &self.typist, bytes);
    }

    /// Takes that this screen has shown all before this place.
    pub fn seen(&mut self, upto: Offset) {
        self.window.seen(self.now(), upto);
    }

    /// Takes the size that this screen has.
    pub fn resize(&self, size: TermSize) {
        self.shared.sized(self.id, size);
    }

    /// Whether this screen's size is in force.
    pub fn decides(&self) -> bool {
        self.shared.lock().screens.decides(self.id)
    }

    /// Whether more may be typed now.
    pub fn has_room(&self) -> bool {
        self.shared.lock().input.has_room()
    }

    /// Puts into `out` what there is to say.
    fn step(&mut self) {
        let shared = self.shared.clone();
        let mut state = shared.lock();
        if let Some(at) = self.at
            && state.reached(self.id, at, self.window.size())
        {
            shared.work.notify_one();
        }
        while self.snapshot.is_none() && self.out.len() < PIECE {
            let room = self.window.room().min(PIECE - self.out.len());
            let Some(at) = self.at else {
                let making = state.shown.begin(&state.ring);
                self.snapshot = Some(tokio::task::spawn_blocking(move || making.finish()));
                break;
            };
            match state.ring.next(at, self.size, room) {
                Ok(Next::Size(size)) => {
                    self.size = Some(size);
                    self.say(Record::Resize(pb::TermResize { cols: size.cols().into(), rows: size.rows().into() }));
                }
                Ok(Next::Bytes(bytes)) => {
                    let to = at.plus(bytes.len());
                    self.at = Some(to);
                    self.window.sent(self.now(), to);
                    self.say(Record::Out(pb::TermOut { offset: at.get(), bytes }));
                }
                // There may be more where there is no room for it.
                Ok(Next::AtHead) if at < state.ring.head() => break,
                Ok(Next::AtHead) => {
                    if let Some(code) = state.exit.filter(|_| !self.done) {
                        self.say(Record::Exit(pb::TermExit { code }));
                        self.done = true;
                    }
                    break;
                }
                // It was too slow.
                Err(NotKept::Below { .. } | NotKept::Beyond { .. }) => self.at = None,
            }
        }
        let now = (state.screens.decides(self.id), state.reports());
        if !self.done && self.told != Some(now) {
            self.told = Some(now);
            let head = state.ring.head().get();
            self.say(Record::State(pb::TermState { head, decides: now.0, reports: now.1.into() }));
        }
    }

    fn show(&mut self, snapshot: Snapshot) {
        let (cols, rows) = (snapshot.size.cols().into(), snapshot.size.rows().into());
        let offset = snapshot.next.get();
        for bytes in snapshot.pieces() {
            let bytes = Bytes::copy_from_slice(bytes);
            self.say(Record::Snapshot(pb::TermSnapshot { offset, cols, rows, bytes }));
        }
        self.at = Some(snapshot.next);
        self.window.jump(snapshot.next);
        self.size = Some(snapshot.size);
    }

    fn now(&self) -> Tick {
        Tick(u64::try_from(self.came.elapsed().as_micros()).unwrap_or(u64::MAX))
    }

    fn say(&mut self, record: Record) {
        record::encode(&pb::TermRecord { record: Some(record) }, &mut self.out);
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.shared.leave(self.id);
    }
}
