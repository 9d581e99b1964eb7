//! [`Desk`]: the terminals of a box without its doors, and [`Screen`]: what somebody sees on one.

use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use tempfile::TempDir;
use tokio::sync::mpsc;
use tokio::time::timeout;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::term_record::Record;
use vyre_proto::record::Decoder;
use vyre_proto::term::Offset;
use vyre_proto::term::TermSize;
use vyre_stream::clock::Clock;
use vyre_stream::rules::term::ran::Typist;
use vyre_stream::term::Attached;
use vyre_stream::term::Folder;
use vyre_stream::term::Launch;
use vyre_stream::term::Limits;
use vyre_stream::term::Open;
use vyre_stream::term::OpenError;
use vyre_stream::term::Report;
use vyre_stream::term::Terminal;
use vyre_stream::term::Terminals;

/// Nothing that a person waits for takes this long.
pub const SOON: Duration = Duration::from_secs(30);

/// Terminals, a folder for them, and the lines that were run.
pub struct Desk {
    pub terminals: Terminals,
    pub lines: mpsc::Receiver<Report>,
    pub dir: TempDir,
}

pub fn session() -> SessionId {
    SessionId::parse("s").unwrap()
}

pub fn anna() -> Typist {
    Typist { author: Author::person("anna").unwrap(), via: "direct".into(), surface: "test".into() }
}

impl Desk {
    pub fn new() -> Desk {
        Desk::with("/bin/sh", Limits::default())
    }

    /// With this shell.
    pub fn with(shell: &str, limits: Limits) -> Desk {
        let dir = tempfile::tempdir().unwrap();
        let launch = Launch {
            guard: PathBuf::from(env!("CARGO_BIN_EXE_vyre")),
            shell: Some(PathBuf::from(shell)),
            // What the account of this machine has set up is nothing to the tests.
            env: vec![("HOME".to_owned(), dir.path().display().to_string())],
            private: dir.path().join("term"),
        };
        let (terminals, lines) = Terminals::new(Clock::system(), Some(launch), limits);
        Desk { terminals, lines, dir }
    }

    pub fn folder(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    pub async fn try_open(&self) -> Result<Terminal, OpenError> {
        let opener = Author::person("anna").unwrap();
        let size = TermSize::DEFAULT;
        self.terminals.open(Open { session: session(), opener, size, folder: Folder::Own(self.folder()) }).await
    }

    pub async fn open(&self) -> Terminal {
        self.try_open().await.unwrap()
    }
}

/// What somebody sees on a terminal, as their screen keeps it.
pub struct Screen {
    pub attached: Attached,
    decoder: Decoder,
    /// Behind the newest byte that is shown.
    pub at: Option<Offset>,
    /// All bytes that came, without snapshots.
    pub bytes: Vec<u8>,
    /// All bytes of snapshots.
    pub snapshots: Vec<Vec<u8>>,
    pub sizes: Vec<TermSize>,
    pub states: Vec<pb::TermState>,
    pub exit: Option<i32>,
}

impl Screen {
    pub fn on(terminal: &Terminal, from: Option<Offset>) -> Screen {
        Screen::of(terminal.attach(from, anna()).unwrap())
    }

    pub fn of(attached: Attached) -> Screen {
        Screen {
            attached,
            decoder: Decoder::new(),
            at: None,
            bytes: Vec::new(),
            snapshots: Vec::new(),
            sizes: Vec::new(),
            states: Vec::new(),
            exit: None,
        }
    }

    pub fn type_in(&self, keys: &str) {
        self.attached.typed(Bytes::copy_from_slice(keys.as_bytes()));
    }

    /// Takes the next piece. False: that was all.
    pub async fn take(&mut self) -> bool {
        let Some(piece) = timeout(SOON, self.attached.next()).await.expect("nothing comes") else { return false };
        self.decoder.push(&piece);
        while let Some(record) = self.decoder.next().unwrap() {
            let record: pb::TermRecord = prost::Message::decode(record).unwrap();
            match record.record.unwrap() {
                Record::Out(out) => {
                    let offset = Offset::new(out.offset).unwrap();
                    assert!(self.at.is_none_or(|at| at == offset), "{:?} and then {offset}", self.at);
                    self.at = Some(offset.plus(out.bytes.len()));
                    self.bytes.extend_from_slice(&out.bytes);
                }
                Record::Snapshot(s) => {
                    self.at = Offset::new(s.offset);
                    self.sizes.push(TermSize::clamped(s.cols, s.rows));
                    self.snapshots.push(s.bytes.to_vec());
                }
                Record::Resize(r) => self.sizes.push(TermSize::clamped(r.cols, r.rows)),
                Record::State(s) => self.states.push(s),
                Record::Exit(exit) => self.exit = Some(exit.code),
                Record::In(_) | Record::Seen(_) => panic!("a box types nothing"),
            }
        }
        true
    }

    /// Takes until this holds.
    pub async fn until(&mut self, what: &str, is: impl Fn(&Screen) -> bool) {
        let reached = timeout(SOON, async {
            while !is(self) {
                assert!(self.take().await, "{what} never comes:\n{}", self.text());
            }
        });
        let reached = reached.await.is_ok();
        let told = (self.snapshots.len(), self.states.len(), self.at, self.exit);
        assert!(reached, "{what} never comes: {told:?}, {:?}\n{:?}", self.attached, self.text());
    }

    /// Takes until this was printed.
    pub async fn until_shown(&mut self, text: &str) {
        self.until(text, |s| s.text().contains(text)).await;
    }

    /// Takes until the shell has ended.
    pub async fn until_ended(&mut self) -> i32 {
        while self.take().await {}
        self.exit.expect("how the shell ended")
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// Whether a process with this number lives.
pub fn lives(pid: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid.trim()).join("stat"));
    stat.is_ok_and(|s| !s.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')))
}

/// Waits until none of these lives.
pub async fn all_gone(pids: &[&str]) {
    let gone = timeout(SOON, async {
        while pids.iter().any(|pid| lives(pid)) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    });
    assert!(gone.await.is_ok(), "of {pids:?} some live");
}
