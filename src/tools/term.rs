//! `term.*`: terminals of a session, for the persons in it who are on a direct path.
//!
//! Whoever may say something in a session may have a terminal in it: it is the box's account either way, and what is run
//! is recorded in the session under the name of who ran it. A ticket opens one screen on one terminal; at the attach it is
//! decided again, and a person who goes loses their screens at once.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::sleep;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::ErrorCode;
use vyre_proto::term::Offset;
use vyre_proto::term::TermId;
use vyre_proto::term::TermSize;

use crate::rules::authority::Act;
use crate::rules::authority::Refusal;
use crate::rules::caller::Caller;
use crate::rules::steering;
use crate::rules::term::ran::Typist;
use crate::rules::ticket::Grant;
use crate::rules::ticket::Purpose;
use crate::rules::ticket::Refused;
use crate::rules::ticket::Shown;
use crate::session::Hold;
use crate::session::PublishError;
use crate::session::Right;
use crate::session::Session;
use crate::session::Sessions;
use crate::term::AttachError;
use crate::term::Attached;
use crate::term::Folder;
use crate::term::Open;
use crate::term::OpenError;
use crate::term::Report;
use crate::term::Terminal;
use crate::term::Terminals;
use crate::tools::CalledBy;
use crate::tools::Tools;
use crate::tools::Via;
use crate::tools::error::ToolError;
use crate::tools::gate;
use crate::tools::gate::Admitted;

/// Between two attempts where the store takes nothing.
const AGAIN: Duration = Duration::from_millis(250);

/// Longest name of a kind of screen.
const SURFACE_MAX: usize = 32;

/// The door by which terminals are reached.
const DIRECT: &str = "direct";

/// The terminals of a box, where it has any, and where sessions work that say no folder.
#[derive(Debug, Clone, Default)]
pub struct Shells {
    /// `None`: this box opens none.
    pub terminals: Option<Terminals>,
    /// A session without a folder works in one of its own in here.
    pub work: PathBuf,
}

/// Opens a terminal in the session's folder, with a ticket for one screen on it.
pub async fn open(tools: &Tools, by: &CalledBy, ask: &pb::TermOpen) -> Result<pb::TermOpened, ToolError> {
    let admitted = here(tools, by, &SessionId::parse(&ask.session)?).await?;
    let Caller::Person(who) = &by.caller else { return Err(Refusal::NotFound.into()) };
    let terminals = terminals(tools)?;
    let folder = folder(&tools.0.terminals.work, &admitted.session);
    is_the_folder(&ask.cwd, &folder)?;
    let open = Open {
        session: admitted.session.id().clone(),
        opener: who.author().clone(),
        size: TermSize::clamped(ask.cols, ask.rows),
        folder,
    };
    let terminal = terminals.open(open).await?;
    let ticket = ticket(tools, by, &admitted, &terminal)?;
    Ok(pb::TermOpened { term: terminal.id().to_string(), ticket })
}

/// A ticket for one more screen on a terminal, or for one that comes back.
pub async fn attach(tools: &Tools, by: &CalledBy, ask: &pb::TermAttach) -> Result<pb::TermAttached, ToolError> {
    let (admitted, terminal) = named(tools, by, &ask.term).await?;
    let info = terminal.info();
    let ticket = ticket(tools, by, &admitted, &terminal)?;
    Ok(pb::TermAttached { ticket, head: info.head.get(), floor: info.floor.get() })
}

/// Ends a terminal. Its end is told on its screens.
pub async fn close(tools: &Tools, by: &CalledBy, ask: &pb::TermClose) -> Result<pb::TermClosed, ToolError> {
    let (_, terminal) = named(tools, by, &ask.term).await?;
    terminal.close();
    Ok(pb::TermClosed {})
}

/// The terminals of a session that run, oldest first.
pub async fn list(tools: &Tools, by: &CalledBy, ask: &pb::TermList) -> Result<pb::TermListed, ToolError> {
    let admitted = here(tools, by, &SessionId::parse(&ask.session)?).await?;
    let all = terminals(tools)?.of(admitted.session.id());
    let info = |terminal: &Terminal| {
        let info = terminal.info();
        pb::TermInfo {
            term: info.id.to_string(),
            author: info.opener.to_string(),
            shell: info.shell,
            cols: info.size.cols().into(),
            rows: info.size.rows().into(),
            opened_ms: info.opened.0 / 1000,
            head: info.head.get(),
            screens: u32::try_from(info.screens).unwrap_or(u32::MAX),
            reports: info.reports.into(),
        }
    };
    Ok(pb::TermListed { terms: all.iter().map(info).collect() })
}

/// A screen that a ticket has put on a terminal, and the right on which it stands.
#[derive(Debug)]
pub struct Seat {
    /// The screen.
    pub screen: Attached,
    /// Ends with the person's right.
    pub hold: Hold,
}

/// How a screen attaches.
#[derive(Debug, Clone, Copy)]
pub struct Seated<'a> {
    /// Behind the newest byte that it has; `None`: it has nothing.
    pub from: Option<u64>,
    /// What kind of screen it says that it is, as `deck`. Stands beside what is run on it and means nothing else.
    pub surface: &'a str,
    /// Its way.
    pub via: Via,
}

/// Spends a ticket for a terminal.
pub async fn redeem(tools: &Tools, ticket: &str, shown: Shown<'_>, how: Seated<'_>) -> Result<Seat, ToolError> {
    let Grant { caller, roles, since, session, purpose, .. } = tools.tickets().spend(ticket, shown)?;
    let (Purpose::Terminal(id), Caller::Person(who)) = (purpose, &caller) else { return Err(Refused.into()) };
    if tools.is_signed_out(&caller) {
        return Err(Refused.into());
    }
    let by = CalledBy { caller: caller.clone(), device: None, via: how.via };
    let admitted = here(tools, &by, &session).await?;
    if admitted.stay.since() != since || admitted.roles != roles {
        return Err(Refused.into());
    }
    let terminal = find(tools, id)?;
    let from = match how.from {
        None => None,
        Some(n) => Some(Offset::new(n).ok_or(AttachError::Beyond { head: terminal.info().head })?),
    };
    let typist = Typist { author: who.author().clone(), via: DIRECT.into(), surface: surface(how.surface)? };
    let right = Right { stay: admitted.stay, roles: admitted.roles, in_person: admitted.in_person };
    let hold = admitted.session.hold(right);
    Ok(Seat { screen: terminal.attach(from, typist)?, hold })
}

/// Records what persons run in terminals, each line in the session of its terminal, until no terminal is left.
pub async fn record(sessions: Sessions, mut lines: mpsc::Receiver<Report>) {
    while let Some(Report { session, term, ran }) = lines.recv().await {
        // The same line of the same terminal is the same event.
        let id = steering::own_id("term", &format!("{term}.{}", ran.offset));
        let (author, data) = ran.event(&term.to_string());
        let event = match steering::event(&session, id, Some(&author), data) {
            Ok(event) => event,
            Err(error) => {
                tracing::error!(%session, %term, %error, "a line that was run cannot be recorded");
                continue;
            }
        };
        loop {
            let done = sessions.submit(vec![event.clone()]).await;
            match done.refused.into_iter().next() {
                None => break,
                // Nothing is lost: terminals wait where this does.
                Some((_, PublishError::Unavailable { .. })) => sleep(AGAIN).await,
                Some((_, error)) => {
                    tracing::warn!(%session, %term, %error, "a line that was run was refused");
                    break;
                }
            }
        }
    }
}

/// The session, if the caller may have terminals in it.
async fn here(tools: &Tools, by: &CalledBy, session: &SessionId) -> Result<Admitted, ToolError> {
    let admitted = gate::admitted(&*tools.0.authority, tools.sessions(), &by.caller, Act::Send, session).await?;
    match by.via {
        Via::Direct => Ok(admitted),
        // Said to nobody who could not have one anyway.
        Via::Relay => Err(ToolError::new(
            ErrorCode::Denied,
            "terminals do not pass through a relay; come straight to the box, over the LAN or a private network",
        )),
    }
}

/// The terminal of this name, if the caller may use it. Who may not is told the same as where there is none.
async fn named(tools: &Tools, by: &CalledBy, term: &str) -> Result<(Admitted, Terminal), ToolError> {
    let terminal = find(tools, term.parse()?)?;
    let admitted = here(tools, by, terminal.session()).await.map_err(|e| match e.code() {
        ErrorCode::NotFound => no_terminal(),
        _ => e,
    })?;
    Ok((admitted, terminal))
}

fn find(tools: &Tools, id: TermId) -> Result<Terminal, ToolError> {
    terminals(tools)?.get(id).ok_or_else(no_terminal)
}

fn no_terminal() -> ToolError {
    ToolError::new(ErrorCode::NotFound, "there is no such terminal, or you take no part in its session")
}

fn terminals(tools: &Tools) -> Result<&Terminals, ToolError> {
    tools.0.terminals.terminals.as_ref().ok_or_else(|| OpenError::NoGuard.into())
}

fn ticket(tools: &Tools, by: &CalledBy, admitted: &Admitted, terminal: &Terminal) -> Result<String, ToolError> {
    Ok(tools.tickets().mint(Grant {
        caller: by.caller.clone(),
        device: by.device,
        roles: admitted.roles.clone(),
        since: admitted.stay.since(),
        session: admitted.session.id().clone(),
        purpose: Purpose::Terminal(terminal.id()),
    })?)
}

/// Where the session works: the folder that it says, or one of its own.
fn folder(work: &Path, session: &Session) -> Folder {
    let told = PathBuf::from(session.info().folder);
    if told.is_absolute() { Folder::There(told) } else { Folder::Own(work.join(session.id().as_str())) }
}

fn is_the_folder(cwd: &str, folder: &Folder) -> Result<(), ToolError> {
    // By the names alone: to look would tell which folders there are.
    if cwd.is_empty() || Path::new(cwd).components().eq(folder.path().components()) {
        return Ok(());
    }
    Err(ToolError::invalid("a terminal begins in its session's folder: leave `cwd` out"))
}

fn surface(text: &str) -> Result<Arc<str>, ToolError> {
    let plain = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_' | b'.');
    if text.len() > SURFACE_MAX || !text.bytes().all(plain) {
        return Err(ToolError::invalid(format!("`surface` may have {SURFACE_MAX} letters, digits, `-`, `_` and `.`")));
    }
    Ok(text.into())
}

impl From<OpenError> for ToolError {
    fn from(e: OpenError) -> Self {
        match &e {
            OpenError::NoGuard | OpenError::Folder { .. } | OpenError::Start(_) | OpenError::Broken => {
                ToolError::new(ErrorCode::Unavailable, e.to_string())
            }
            OpenError::Stopping => ToolError::unavailable(e.to_string()),
            OpenError::SessionFull { .. } | OpenError::BoxFull { .. } => {
                ToolError::new(ErrorCode::RateLimited, e.to_string())
            }
        }
    }
}

impl From<AttachError> for ToolError {
    fn from(e: AttachError) -> Self {
        match e {
            AttachError::Beyond { .. } => ToolError::invalid(e.to_string()),
            AttachError::Full => ToolError::new(ErrorCode::RateLimited, e.to_string()),
        }
    }
}
