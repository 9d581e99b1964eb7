//! `vyre publish`: events from a file or a pipe, one JSON object a line.
//!
//! Lines are read by a thread of their own, a few pieces ahead; what is not valid is named by its line and the rest goes
//! on. The command is done when everything is settled: durable, known before, or refused.

mod bar;

use std::fs::File;
use std::io;
use std::io::Read;
use std::path::PathBuf;

use bytes::Bytes;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::sync::mpsc::Receiver;
use vyre_proto::event::Event;
use vyre_proto::json::code_name;
use vyre_proto::limits::EVENT_LINE_MAX;
use vyre_proto::lines::Line;
use vyre_proto::lines::Lines;
use vyre_proto::pb::stream::ErrorCode;

use crate::cli::Failure;
use crate::cli::block_on;
use crate::cli::print_line;
use crate::cli::publish::bar::Bar;
use crate::cli::target::TargetArgs;
use crate::client::Publisher;

/// Bytes that are read at a time, and pieces that are read ahead.
const PIECE: usize = 256 * 1024;
const AHEAD: usize = 4;

/// Refused lines that are named. The rest is counted.
const NAMED_MAX: usize = 10_000;

/// Flags of `vyre publish`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Lines that the box refuses are named, and the exit code is 0 all the same: the others are stored."
)]
pub struct Args {
    /// A file with one event a line, or `-` for standard input.
    file: PathBuf,
    #[command(flatten)]
    target: TargetArgs,
    /// Print one line of JSON at the end: `accepted`, `duplicates`, and `refused` with line, code and message.
    #[arg(long)]
    json: bool,
}

/// One line that was not taken.
struct Refused {
    line: u64,
    code: ErrorCode,
    message: String,
}

/// Publishes a file or a pipe to its end.
pub fn run(args: Args) -> Result<(), Failure> {
    let cannot_read = |e: io::Error| Failure::Run(format!("{} cannot be read: {e}", args.file.display()));
    let (input, size): (Box<dyn Read + Send>, Option<u64>) = if args.file.as_os_str() == "-" {
        (Box::new(io::stdin()), None)
    } else {
        let file = File::open(&args.file).map_err(cannot_read)?;
        let size = file.metadata().ok().filter(|m| m.is_file()).map(|m| m.len());
        (Box::new(file), size)
    };
    let pieces = read_ahead(input);
    let sending = block_on(async move {
        let client = args.target.client()?;
        let sending = Sending::new(client.publisher(), Bar::new(size));
        sending.run(pieces, &cannot_read).await
    })?;
    sending.report(args.json);
    Ok(())
}

/// Reads on a thread of its own: a pipe may block for as long as it likes.
fn read_ahead(mut input: Box<dyn Read + Send>) -> Receiver<io::Result<Bytes>> {
    let (pieces, taken) = mpsc::channel(AHEAD);
    std::thread::spawn(move || {
        let mut buf = vec![0; PIECE];
        loop {
            let piece = match input.read(&mut buf) {
                Ok(0) => return,
                Ok(n) => Ok(Bytes::copy_from_slice(&buf[..n])),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => Err(e),
            };
            // Nobody takes it any more: the command has failed and says why.
            let failed = piece.is_err();
            if pieces.blocking_send(piece).is_err() || failed {
                return;
            }
        }
    });
    taken
}

struct Sending {
    publisher: Publisher,
    lines: Lines,
    /// From this index on, an event's line is its index plus this much. In order of indices.
    places: Vec<(u64, u64)>,
    given: u64,
    refused: Vec<Refused>,
    refused_more: u64,
    bar: Bar,
    bytes: u64,
}

impl Sending {
    fn new(publisher: Publisher, bar: Bar) -> Self {
        let (places, refused) = (Vec::new(), Vec::new());
        Self { publisher, lines: Lines::new(), places, given: 0, refused, refused_more: 0, bar, bytes: 0 }
    }

    async fn run(
        mut self,
        mut pieces: Receiver<io::Result<Bytes>>,
        cannot_read: &dyn Fn(io::Error) -> Failure,
    ) -> Result<Self, Failure> {
        loop {
            let p = self.publisher.progress();
            let held = p.settled < p.given;
            let piece = tokio::select! {
                biased;
                piece = pieces.recv() => piece,
                flushed = self.publisher.flush(), if held => {
                    flushed.map_err(Failure::run)?;
                    self.draw();
                    continue;
                }
            };
            match piece {
                Some(piece) => self.take(&piece.map_err(cannot_read)?).await?,
                None => break,
            }
        }
        let lines = std::mem::take(&mut self.lines);
        if let Some(event) = lines.finish().and_then(|line| self.event_of(line)) {
            self.publisher.publish(event).await.map_err(Failure::run)?;
        }
        self.publisher.flush().await.map_err(Failure::run)?;
        self.settle();
        self.bar.end();
        Ok(self)
    }

    async fn take(&mut self, piece: &Bytes) -> Result<(), Failure> {
        // Small steps, so that the bar moves.
        for piece in piece.chunks(PIECE / 8) {
            self.bytes += piece.len() as u64;
            self.lines.push(piece);
            let mut events = Vec::new();
            while let Some(line) = self.lines.next() {
                events.extend(self.event_of(line));
            }
            self.publisher.publish_all(events).await.map_err(Failure::run)?;
            self.settle();
            self.draw();
        }
        Ok(())
    }

    /// The event in a line. A line that holds none is noted.
    fn event_of(&mut self, line: Line) -> Option<Event> {
        let number = line.number;
        let parsed = match line.bytes {
            None => Err((ErrorCode::TooLarge, format!("the line is longer than {EVENT_LINE_MAX} bytes"))),
            Some(bytes) => Event::from_json(&bytes).map_err(|e| (ErrorCode::Invalid, e.to_string())),
        };
        match parsed {
            Ok(event) => {
                let ahead = number.saturating_sub(self.given);
                if self.places.last().is_none_or(|(_, last)| *last != ahead) {
                    self.places.push((self.given, ahead));
                }
                self.given += 1;
                Some(event)
            }
            Err((code, message)) => {
                self.refuse(Refused { line: number, code, message });
                None
            }
        }
    }

    /// Notes what the box has refused meanwhile.
    fn settle(&mut self) {
        for refused in self.publisher.take_refused() {
            let at = self.places.partition_point(|(index, _)| *index <= refused.index);
            let ahead = at.checked_sub(1).and_then(|i| self.places.get(i)).map_or(1, |(_, ahead)| *ahead);
            self.refuse(Refused { line: refused.index + ahead, code: refused.code, message: refused.message });
        }
    }

    fn refuse(&mut self, refused: Refused) {
        if self.refused.len() < NAMED_MAX {
            self.refused.push(refused);
        } else {
            self.refused_more += 1;
        }
    }

    fn draw(&mut self) {
        let p = self.publisher.progress();
        // What is settled, as a share of what was read.
        let done = if p.given == 0 { 1.0 } else { p.settled as f64 / p.given as f64 };
        self.bar.draw(self.bytes as f64 * done, p.settled);
    }

    fn report(mut self, json: bool) {
        let p = self.publisher.progress();
        let (accepted, duplicates) = (p.accepted, p.duplicates);
        self.refused.sort_by_key(|r| r.line);
        if json {
            let refused: Vec<_> = self
                .refused
                .iter()
                .map(|r| json!({ "line": r.line, "code": code_name(r.code), "message": r.message }))
                .collect();
            let mut summary = json!({ "accepted": accepted, "duplicates": duplicates, "refused": refused });
            if let (1.., Some(fields)) = (self.refused_more, summary.as_object_mut()) {
                fields.insert("refused_more".to_owned(), self.refused_more.into());
            }
            print_line(&summary.to_string());
            return;
        }
        for r in &self.refused {
            print_line(&format!("line {}: {}: {}", r.line, code_name(r.code), r.message));
        }
        let known = if duplicates > 0 { format!(", {duplicates} known before") } else { String::new() };
        let total = self.refused.len() as u64 + self.refused_more;
        let refused = if total > 0 { format!(", {total} refused") } else { String::new() };
        print_line(&format!("{accepted} events stored{known}{refused}"));
    }
}
