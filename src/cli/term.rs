//! `vyre term`: a terminal of a session in the person's own, through every break.
//!
//! What the shell on the box prints is written as it comes (`view` knows the exceptions), and every key goes there, but
//! for the one that leaves. While there is no line nothing is kept of what is typed: keys mean what they mean on the screen that
//! the person sees, and that one stands still. The bell rings instead.

mod detach;
mod view;

use std::future::pending;
use std::io;
use std::io::IsTerminal;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use tokio::signal::unix::Signal;
use tokio::signal::unix::SignalKind;
use tokio::signal::unix::signal;
use tokio::sync::mpsc::Receiver;
use tokio::time::Instant;
use tokio::time::sleep_until;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::resume::Why;
use vyre_proto::term::TermId;
use vyre_proto::term::TermSize;

use crate::cli::Failure;
use crate::cli::ask;
use crate::cli::attach::reason;
use crate::cli::attach::text::clean_line;
use crate::cli::block_on;
use crate::cli::print_line;
use crate::cli::target::TargetArgs;
use crate::cli::tty;
use crate::cli::tty::Raw;
use crate::client::Client;
use crate::client::Terminal;
use crate::client::term::follow::Update;
use detach::DetachKey;
use view::View;

/// Between two drawings, where what comes is not passed on as it is.
const PAINT: Duration = Duration::from_millis(33);

/// A break that is over sooner is not told.
const TELL: Duration = Duration::from_millis(300);

/// A hint stands for so long, or until a key is pressed.
const HINT: Duration = Duration::from_secs(4);

/// Flags of `vyre term`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Without --new and --term it comes back to the newest terminal of the session that runs, whoever opened it, and opens one
where there is none. It ends with the exit code of the shell, and with 0 where you leave the shell running.")]
pub struct Args {
    /// The session.
    session: SessionId,
    /// Open another terminal.
    #[arg(long, conflicts_with = "term")]
    new: bool,
    /// Come back to this one.
    #[arg(long, value_name = "ID")]
    term: Option<TermId>,
    /// Show the session's terminals, oldest first, and do no more.
    #[arg(long, conflicts_with_all = ["new", "term"])]
    list: bool,
    /// The key that leaves the terminal and lets it run.
    #[arg(long, value_name = "KEY", default_value = "ctrl-]")]
    detach_key: DetachKey,
    #[command(flatten)]
    target: TargetArgs,
}

/// Shows a terminal until its shell ends or the person leaves it.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    block_on(async {
        let client = args.target.client()?;
        if args.list {
            return list(&client, &args.session).await.map(|()| ExitCode::SUCCESS);
        }
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Err(Failure::Usage("vyre term needs a terminal for its input and its output".to_owned()));
        }
        let (id, ticket) = which(&client, &args).await?;
        let terminal = client.terminal(id, ticket, size());
        let left = show(terminal, args.detach_key).await?;
        match left {
            Left::Ended(code) => Ok(ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))),
            Left::Refused(why) => Err(Failure::Run(clean_line(&why))),
            Left::Detached => {
                let (session, new) = (&args.session, "vyre term");
                let _ = writeln!(io::stderr(), "vyre: terminal {id} goes on; `{new} {session} --term {id}` comes back");
                Ok(ExitCode::SUCCESS)
            }
        }
    })
}

async fn terms(client: &Client, session: &SessionId) -> Result<Vec<pb::TermInfo>, Failure> {
    let ask = pb::TermList { session: session.to_string() };
    let listed: Result<pb::TermListed, _> = client.call_straight("term.list", &ask).await;
    Ok(listed.map_err(|e| ask::failed(client, &e))?.terms)
}

async fn list(client: &Client, session: &SessionId) -> Result<(), Failure> {
    for term in terms(client, session).await? {
        let (shell, author) = (clean_line(&term.shell), clean_line(&term.author));
        let screens = if term.screens == 1 { "screen" } else { "screens" };
        print_line(&format!(
            "{}  {shell}  {}x{}  {author}  {} {screens}",
            clean_line(&term.term),
            term.cols,
            term.rows,
            term.screens
        ));
    }
    Ok(())
}

/// The terminal that is meant, and the ticket of one that was opened now.
async fn which(client: &Client, args: &Args) -> Result<(TermId, Option<String>), Failure> {
    let wrong = |_| Failure::Run("what answered is not a box".to_owned());
    if let Some(id) = args.term {
        return Ok((id, None));
    }
    if !args.new
        && let Some(newest) = terms(client, &args.session).await?.last()
    {
        return Ok((newest.term.parse().map_err(wrong)?, None));
    }
    let size = size();
    let open = pb::TermOpen {
        session: args.session.to_string(),
        cols: size.cols().into(),
        rows: size.rows().into(),
        cwd: String::new(),
    };
    let opened: Result<pb::TermOpened, _> = client.call_straight("term.open", &open).await;
    let opened = opened.map_err(|e| ask::failed(client, &e))?;
    Ok((opened.term.parse().map_err(wrong)?, Some(opened.ticket)))
}

/// Of the person's window.
fn size() -> TermSize {
    rustix::termios::tcgetwinsize(io::stdout())
        .map_or(TermSize::DEFAULT, |size| TermSize::clamped(size.ws_col.into(), size.ws_row.into()))
}

/// How it came to its end.
enum Left {
    Ended(i32),
    Refused(String),
    Detached,
}

/// What ends the command from outside.
struct Signals([Signal; 4]);

impl Signals {
    fn new() -> Result<Signals, Failure> {
        let on = |kind| signal(kind).map_err(Failure::run);
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup(), SignalKind::quit()];
        let [interrupt, terminate, hangup, quit] = kinds.map(on);
        Ok(Signals([interrupt?, terminate?, hangup?, quit?]))
    }

    async fn ended(&mut self) {
        let [interrupt, terminate, hangup, quit] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
            _ = quit.recv() => {}
        }
    }
}

async fn show(terminal: Terminal, key: DetachKey) -> Result<Left, Failure> {
    let mut signals = Signals::new()?;
    let mut resized = signal(SignalKind::window_change()).map_err(Failure::run)?;
    let raw = Raw::enter(tty::WHOLE).map_err(Failure::run)?;
    let input = tty::input().map_err(Failure::run)?;
    let mut shown = Shown {
        terminal,
        view: View::new(size()),
        key,
        painted: Instant::now() - PAINT,
        line: Line::Comes,
        to_say: None,
        hint: None,
        unrecorded: false,
    };
    let left = shown.run(input, &mut signals, &mut resized).await;
    let _ = write(&shown.view.leave());
    drop(raw);
    left
}

/// How it is with the line, for the person.
enum Line {
    /// There is none yet.
    Comes,
    Stands,
    /// It is gone since then, and why. It was told if there is no time.
    Gone(Why, Option<Instant>),
}

struct Shown {
    terminal: Terminal,
    view: View,
    key: DetachKey,
    painted: Instant,
    line: Line,
    /// What is still to be said, and until when what was said stands.
    to_say: Option<String>,
    hint: Option<Instant>,
    /// It was said that nothing is recorded.
    unrecorded: bool,
}

impl Shown {
    async fn run(
        &mut self,
        mut input: Receiver<Vec<u8>>,
        signals: &mut Signals,
        resized: &mut Signal,
    ) -> Result<Left, Failure> {
        loop {
            self.paint(false)?;
            let paint = self.view.draws().then_some(self.painted + PAINT);
            tokio::select! {
                biased;
                () = signals.ended() => return Ok(Left::Detached),
                _ = resized.recv() => {
                    let size = size();
                    self.terminal.resize(size);
                    self.terminal.nudge();
                    self.view.window(size);
                }
                typed = input.recv(), if self.terminal.has_room() => match typed {
                    Some(typed) => {
                        if self.typed(&typed) {
                            return Ok(Left::Detached);
                        }
                    }
                    None => return Ok(Left::Detached),
                },
                () = until(paint) => self.paint(true)?,
                () = until(self.told_at()) => self.tell(),
                () = until(self.hint) => self.uncover(),
                update = self.terminal.next() => {
                    let mut next = update;
                    while let Some(update) = next {
                        if let Some(left) = self.take(update) {
                            self.paint(true)?;
                            return Ok(left);
                        }
                        next = self.terminal.take_ready();
                    }
                    self.terminal.shown(self.view.at());
                }
            }
        }
    }

    fn take(&mut self, update: Update) -> Option<Left> {
        self.view.take(&update);
        match update {
            Update::Attached { .. } => {
                let first = matches!(self.line, Line::Comes);
                self.line = Line::Stands;
                if first {
                    self.hint(&format!("{} leaves this terminal and lets it run", self.key));
                }
            }
            Update::Away(why) => {
                let told = matches!(self.line, Line::Gone(_, None));
                self.line = Line::Gone(why, (!told).then(|| Instant::now() + TELL));
            }
            Update::State { reports, .. } => {
                let none = reports == pb::TermReports::No;
                if none && !self.unrecorded {
                    self.hint("nothing that you run in this terminal is recorded in the session");
                }
                self.unrecorded = none;
            }
            Update::Ended(code) => return Some(Left::Ended(code)),
            Update::Refused(why) => return Some(Left::Refused(why)),
            Update::Anew(_) | Update::Size(_) | Update::Bytes(..) => {}
        }
        None
    }

    /// Takes keys. `true`: one of them leaves.
    fn typed(&mut self, typed: &[u8]) -> bool {
        let leaves = self.key.find(typed);
        let typed = leaves.and_then(|at| typed.get(..at)).unwrap_or(typed);
        if self.hint.is_some() {
            self.uncover();
        }
        if !typed.is_empty() && self.terminal.type_in(typed).is_err() {
            self.terminal.nudge();
            self.view.ring();
            self.tell();
        }
        leaves.is_some()
    }

    fn told_at(&self) -> Option<Instant> {
        if let Line::Gone(_, at) = &self.line { *at } else { None }
    }

    /// Says that there is no line.
    fn tell(&mut self) {
        if let Line::Gone(why, at @ Some(_)) = &mut self.line {
            *at = None;
            let text = format!("reconnecting: {}. {} leaves", reason(*why), self.key);
            self.view.write_over(&text);
        }
    }

    fn hint(&mut self, text: &str) {
        self.to_say = Some(text.to_owned());
    }

    fn uncover(&mut self) {
        self.hint = None;
        if let Line::Stands = self.line {
            self.view.uncover();
        }
    }

    /// Writes what there is. `now`: also what may wait for more.
    fn paint(&mut self, now: bool) -> Result<(), Failure> {
        if now || !self.view.draws() {
            self.painted = Instant::now();
            write(&self.view.draw())?;
        }
        // Over a screen that is drawn, or it would go with the drawing.
        if !self.view.draws()
            && let Some(text) = self.to_say.take()
        {
            self.view.write_over(&text);
            self.hint = Some(Instant::now() + HINT);
            write(&self.view.draw())?;
        }
        Ok(())
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => pending().await,
    }
}

fn write(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|e| Failure::Run(format!("cannot write: {e}")))
}
