//! `vyre attach`: a session on a terminal, to read and to write in, through every break.
//!
//! On a terminal open rows are drawn in place, one line says how the stream is, and below it a person writes
//! (`talk`). Elsewhere each row is printed once it is whole, the state goes to stderr, and lines from stdin are sent
//! (`lines`). With `--format frames` each frame is a line of JSON for programs.

pub(super) mod command;
mod draw;
mod edit;
mod keys;
mod lines;
mod screen;
mod talk;
pub mod text;

use std::io;
use std::io::IsTerminal;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use tokio::signal::unix::Signal;
use tokio::signal::unix::SignalKind;
use tokio::signal::unix::signal;
use tokio::time::Instant;
use tokio::time::sleep_until;
use vyre_proto::cursor::Cursor;
use vyre_proto::fold::Fold;
use vyre_proto::frame::Frame;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_proto::json::frame_line;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::frame::Data;
use vyre_proto::resume::Nudge;
use vyre_proto::resume::Position;
use vyre_proto::resume::State;
use vyre_proto::resume::Why;

use crate::cli::Failure;
use crate::cli::block_on;
use crate::cli::target::TargetArgs;
use crate::client::Reading;
use crate::client::Update;
use crate::client::carrier::Via;
use draw::Line;
use draw::Style;
use lines::Lines;
use screen::Footer;
pub use screen::Plain;
use screen::Screen;
use screen::Size;
use text::clean_json;
use text::clean_line;

/// Between two paintings: quicker than this nobody sees.
pub(super) const PAINT: Duration = Duration::from_millis(33);

/// A replay is painted in one go when it is through, or after this long.
const REPLAY: Duration = Duration::from_millis(500);

/// Flags of `vyre attach`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session.
    session: SessionId,
    /// Begin after this cursor. Default: with the oldest step that the box holds.
    #[arg(long, value_name = "CURSOR", value_parser = cursor)]
    from: Option<Cursor>,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Rows)]
    format: Format,
    /// Read and send nothing, whatever is typed or piped in.
    #[arg(long)]
    read_only: bool,
    /// The folder that keeps what you send until the box has it. Default: vyre in $XDG_STATE_HOME or ~/.local/state.
    #[arg(long, env = "VYRE_OUTBOX", value_name = "FOLDER")]
    outbox: Option<PathBuf>,
    #[command(flatten)]
    target: TargetArgs,
}

/// Where what is sent is kept, if nothing else is said and there is a home.
fn state_folder() -> Option<PathBuf> {
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")));
    state.map(|s| s.join("vyre/outbox"))
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Rows for people.
    Rows,
    /// One JSON object a line for each frame: what is new, in order, once each.
    Frames,
}

fn cursor(text: &str) -> Result<Cursor, String> {
    let wrong = || "a cursor is a whole number below 2^53".to_owned();
    text.parse().ok().and_then(Cursor::new).ok_or_else(wrong)
}

/// Reads and writes until the person leaves, or until the box refuses for good.
pub fn run(args: Args) -> Result<(), Failure> {
    block_on(async {
        let client = args.target.client()?;
        let at = Position { last: args.from.unwrap_or_default(), ..Position::default() };
        let reading = client.attach(args.session.clone(), at);
        let folder = args.outbox.clone().or_else(state_folder);
        let on_screen = args.format == Format::Rows && io::stdout().is_terminal();
        let done = if on_screen && io::stdin().is_terminal() && !args.read_only {
            talk::talk(reading, &client, &args.session, folder.as_deref()).await
        } else {
            match Lines::of_stdin(&client, &args.session, folder, args.read_only) {
                Err(e) => Err(Stop::Failed(Failure::run(e))),
                Ok(lines) if args.format == Format::Frames => frames(reading, lines).await,
                Ok(lines) if on_screen => on_terminal(reading, &args.session, lines).await,
                Ok(lines) => plainly(reading, lines).await,
            }
        };
        match done {
            Ok(()) => Ok(()),
            // Nobody reads any more: that is an end like another.
            Err(Stop::Write(e)) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(Stop::Write(e)) => Err(Failure::Run(format!("cannot write: {e}"))),
            Err(Stop::Failed(failure)) => Err(failure),
        }
    })
}

enum Stop {
    Write(io::Error),
    Failed(Failure),
}

impl From<io::Error> for Stop {
    fn from(e: io::Error) -> Self {
        Self::Write(e)
    }
}

/// What ends a command from outside.
struct Signals {
    int: Signal,
    term: Signal,
}

fn on(kind: SignalKind) -> Result<Signal, Stop> {
    signal(kind).map_err(|e| Stop::Failed(Failure::run(e)))
}

impl Signals {
    fn new() -> Result<Self, Stop> {
        Ok(Self { int: on(SignalKind::interrupt())?, term: on(SignalKind::terminate())? })
    }

    async fn ended(&mut self) {
        tokio::select! { _ = self.int.recv() => {}, _ = self.term.recv() => {} }
    }
}

async fn frames(mut reading: Reading, mut lines: Lines) -> Result<(), Stop> {
    let mut signals = Signals::new()?;
    let mut out = io::BufWriter::new(io::stdout());
    loop {
        let update = tokio::select! {
            biased;
            update = reading.next() => update,
            () = signals.ended() => return Ok(()),
            () = lines.run() => return Ok(()),
        };
        let Some(first) = update else { return Ok(()) };
        let mut next = Some(first);
        while let Some(update) = next {
            match update {
                Update::Frame(f) => writeln!(out, "{}", clean_json(&frame_line(&f)))?,
                Update::State { state, via } => {
                    if let State::Live { .. } = state {
                        lines.path_is_back();
                    }
                    tell(&state, via)?;
                }
                Update::Missing(span) => tell_missing(span),
            }
            next = reading.take_ready();
        }
        out.flush()?;
    }
}

async fn plainly(mut reading: Reading, mut lines: Lines) -> Result<(), Stop> {
    let mut signals = Signals::new()?;
    let (mut fold, mut plain, mut out) = (Fold::new(), Plain::default(), io::BufWriter::new(io::stdout()));
    loop {
        let update = tokio::select! {
            biased;
            update = reading.next() => update,
            () = signals.ended() => None,
            () = lines.run() => None,
        };
        let Some(first) = update else {
            plain.print(fold.rows(), 0, true, &mut out)?;
            return Ok(());
        };
        let (mut next, mut changed) = (Some(first), None::<usize>);
        while let Some(update) = next {
            match update {
                Update::Frame(f) => {
                    if let Some(Data::Reset(_)) = &f.get().data {
                        plain.restart();
                        changed = Some(0);
                    }
                    if let Some(row) = fold.apply(&f) {
                        changed = Some(changed.map_or(row, |c| c.min(row)));
                    }
                }
                Update::State { state, via } => {
                    match state {
                        State::Ended(_) => plain.print(fold.rows(), 0, true, &mut out)?,
                        State::Live { .. } => lines.path_is_back(),
                        State::Reconnecting(_) => {}
                    }
                    tell(&state, via)?;
                }
                Update::Missing(span) => tell_missing(span),
            }
            next = reading.take_ready();
        }
        if let Some(row) = changed {
            plain.print(fold.rows(), row, false, &mut out)?;
        }
    }
}

/// Says on stderr how the stream is. An end is a failure.
fn tell(state: &State, via: Option<Via>) -> Result<(), Stop> {
    let text = match state {
        State::Live { .. } => format!("live ({})", via.map(|v| v.to_string()).unwrap_or_default()),
        State::Reconnecting(Why::First) => return Ok(()),
        State::Reconnecting(why) => format!("reconnecting: {}", reason(*why)),
        State::Ended(end) => return Err(Stop::Failed(Failure::Run(clean_line(&end.to_string())))),
    };
    let _ = writeln!(io::stderr(), "vyre: {text}");
    Ok(())
}

fn tell_missing(span: vyre_proto::cursor::Span) {
    let _ = writeln!(io::stderr(), "vyre: the box cannot give steps {} to {}", span.first(), span.end());
}

/// A sentence for a person.
pub fn reason(why: Why) -> &'static str {
    match why {
        Why::First => "connecting",
        Why::Broken => "the connection broke",
        Why::Protocol => "what came is no stream",
        Why::Silent => "nothing is heard",
        Why::Gap => "something is missing and is asked for again",
        Why::Refused(pb::ErrorCode::Unavailable) => "the box cannot be had now",
        Why::Refused(pb::ErrorCode::RateLimited) => "too much at once",
        Why::Refused(_) => "the box did not open the stream",
        Why::Bye(pb::ByeReason::Restart) => "the box restarts",
        Why::Bye(pb::ByeReason::Overload) => "the box is busy",
        Why::Bye(pb::ByeReason::Moved) => "the box moves",
        Why::Bye(_) => "the box ended the stream",
    }
}

async fn on_terminal(mut reading: Reading, session: &SessionId, mut lines: Lines) -> Result<(), Stop> {
    let mut signals = Signals::new()?;
    let mut resized = on(SignalKind::window_change())?;
    let mut view = View::new(session.as_str());
    view.paint("", false)?;
    let mut paint_at: Option<Instant> = None;
    let mut painted = Instant::now();
    loop {
        let update = tokio::select! {
            biased;
            () = signals.ended() => {
                view.paint("", true)?;
                return Ok(());
            }
            _ = resized.recv() => {
                view.screen.resize(size());
                reading.nudge(Nudge::Person);
                paint_at.get_or_insert_with(Instant::now);
                continue;
            }
            () = sleep_until(paint_at.unwrap_or(painted + PAINT)), if paint_at.is_some() => {
                view.paint("", false)?;
                paint_at = None;
                painted = Instant::now();
                continue;
            }
            update = reading.next() => update,
            () = lines.run() => return Ok(()),
        };
        let mut next = update;
        while let Some(update) = next {
            if let Update::State { state: State::Live { .. }, .. } = &update {
                lines.path_is_back();
            }
            view.take(update);
            next = reading.take_ready();
        }
        if let State::Ended(end) = &view.state {
            let failure = Failure::Run(clean_line(&end.to_string()));
            view.paint("", true)?;
            return Err(Stop::Failed(failure));
        }
        let wait = if view.fold.last() < view.replay { REPLAY } else { PAINT };
        let due = painted + wait;
        paint_at = Some(paint_at.map_or(due, |t| if wait == PAINT { t.min(due) } else { t }));
    }
}

fn size() -> Size {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok().filter(|s| s.ws_col > 0 && s.ws_row > 0);
    size.map_or(Size { width: 80, height: 24 }, |s| Size { width: s.ws_col.into(), height: s.ws_row.into() })
}

/// What a person looks at.
pub(super) struct View {
    fold: Fold,
    screen: Screen,
    session: String,
    state: State,
    via: Option<Via>,
    /// Up to here it is replay.
    replay: Cursor,
}

impl View {
    /// Of a session that is about to be read, on the terminal at stdout.
    pub(super) fn new(session: &str) -> Self {
        let colour = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        Self {
            fold: Fold::new(),
            screen: Screen::new(size(), colour),
            session: session.to_owned(),
            state: State::Reconnecting(Why::First),
            via: None,
            replay: Cursor::ZERO,
        }
    }

    /// The rows so far.
    pub(super) fn fold(&self) -> &Fold {
        &self.fold
    }

    pub(super) fn take(&mut self, update: Update) {
        match update {
            Update::Frame(frame) => self.frame(&frame),
            Update::State { state, via } => {
                if let State::Live { head } = state {
                    self.replay = head;
                }
                self.via = via.or(self.via);
                self.state = state;
            }
            Update::Missing(span) => {
                let text = format!("! the box cannot give steps {} to {}", span.first(), span.end());
                self.screen.note(Style::Bad, &text);
            }
        }
    }

    fn frame(&mut self, frame: &Frame) {
        if let Some(Data::Reset(r)) = &frame.get().data {
            let why = match r.reason() {
                pb::ResetReason::BehindFloor => "older steps are no longer held",
                pb::ResetReason::OtherLog | pb::ResetReason::AheadOfHead => "the box has another log",
                pb::ResetReason::ViewChanged => "what you may see has changed",
                pb::ResetReason::Damage => "the box could not read a part",
                pb::ResetReason::Unknown => "the box begins anew",
            };
            let shown = !self.fold.rows().is_empty();
            self.fold.apply(frame);
            self.screen.restart();
            if shown {
                self.screen.note(Style::Ask, &format!("── from the beginning: {why} ──"));
            }
            return;
        }
        let Some(first) = self.fold.apply(frame) else { return };
        if self.screen.changed(first, self.fold.rows().len()) {
            // Its row has scrolled away, so a line says what happened.
            if let Some((style, text)) = aside(frame) {
                self.screen.note(style, &text);
            }
        }
    }

    /// Draws. `extra` stands at the end of the line about the stream.
    pub(super) fn paint(&mut self, extra: &str, last: bool) -> io::Result<()> {
        let footer = self.status(extra).into();
        self.draw(&footer, last)
    }

    fn draw(&mut self, footer: &Footer, last: bool) -> io::Result<()> {
        let out = self.screen.draw(self.fold.rows(), footer, last);
        let mut stdout = io::stdout().lock();
        stdout.write_all(out.as_bytes())?;
        stdout.flush()
    }

    fn status(&self, extra: &str) -> Line {
        let work = self.fold.status().map(|s| format!("  {}", clean_line(&s.state))).unwrap_or_default();
        let (mark, style, text) = match &self.state {
            State::Live { .. } => {
                let via = self.via.map(|v| v.to_string()).unwrap_or_default();
                ("● ", Style::Good, format!("live · {via} · {}{work}", self.session))
            }
            State::Reconnecting(Why::First) => ("○ ", Style::Ask, format!("connecting · {}", self.session)),
            State::Reconnecting(why) => {
                ("○ ", Style::Ask, format!("reconnecting · {} · {}", reason(*why), self.session))
            }
            State::Ended(end) => ("✗ ", Style::Bad, clean_line(&end.to_string())),
        };
        let text = if extra.is_empty() { text } else { format!("{text} · {extra}") };
        let width = self.screen.width().saturating_sub(3);
        vec![(style, mark.to_owned()), (Style::Dim, text::fit(&text, width))]
    }
}

/// What a frame did to a row that has scrolled away.
fn aside(frame: &Frame) -> Option<(Style, String)> {
    let f = frame.get();
    let who = Author::parse(&f.author).map(|a| draw::name(&a)).unwrap_or_default();
    match f.data.as_ref()? {
        Data::AskAnswered(a) => Some((Style::Good, format!("↳ {who} answered: {}", clean_line(&a.answer)))),
        Data::Reaction(r) if r.on => Some((Style::Dim, format!("· {who} put {} on a message", clean_line(&r.emoji)))),
        Data::Pin(p) => Some((Style::Dim, format!("· {who} {} a message", if p.on { "pinned" } else { "unpinned" }))),
        Data::TextCut(_) => Some((Style::Dim, "· a message above was cut".to_owned())),
        Data::ToolFinished(t) => {
            let (mark, style) = if t.ok { ("✓", Style::Good) } else { ("✗", Style::Bad) };
            Some((style, format!("{mark} {} (above)", clean_line(&t.tool))))
        }
        Data::FanoutKeep(_) => Some((Style::Dim, format!("· {who} kept one of the answers"))),
        Data::UserMessage(u) if u.state() == pb::UserState::Cancelled => {
            Some((Style::Dim, format!("· {who} took a message back")))
        }
        Data::Rewound(_) => Some((Style::Ask, "── taken back to an earlier message ──".to_owned())),
        _ => None,
    }
}
