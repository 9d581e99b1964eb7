//! Commands beside a running box: a socket in its data folder that its owner alone can open.
//!
//! A command writes one line of JSON and reads lines of JSON until the end. The socket's mode and its folder are the
//! whole proof of who asks, so it can do what the owner of the files could do anyway: make tokens, read what is stored.

use std::fs;
use std::io;
use std::io::BufRead;
use std::io::BufReader as StdBufReader;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde::Serialize;
use tokio::io::AsyncBufReadExt;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::io::BufReader;
use tokio::net::UnixListener;
use tokio::net::UnixStream;
use tokio::task::JoinSet;
use tokio::time::timeout;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;

use crate::clock::Clock;
use crate::daemon::StartError;
use crate::daemon::inspect;
use crate::rules::caller::ActsFor;
use crate::rules::caller::Caller;
use crate::rules::caller::Person;
use crate::rules::caller::ProducerName;
use crate::rules::caller::TokenId;
use crate::session::Sessions;
use crate::store::Store;
use crate::store::TokenOwner;
use crate::tools::new_token;

/// Its name in the data folder.
const NAME: &str = "control.sock";

/// Longest path of a socket on all systems, with its end.
const PATH_MAX: usize = 100;

/// How long a command may take to say what it wants, and to take a piece of the answer.
const LIMIT: Duration = Duration::from_secs(10);

/// Commands at once.
const COMMANDS_MAX: usize = 16;

/// What a command asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ask {
    /// A new bearer token for a person, as `person:<id>`.
    PersonToken(String),
    /// The same, for a surface of the box's owner.
    OwnerToken(String),
    /// A new bearer token for a producer.
    ProducerToken(String),
    /// A new bearer token for an assistant that acts for a person.
    AssistantToken {
        /// `assistant:<id>` or `model:<id>`.
        assistant: String,
        /// `person:<id>`.
        asker: String,
    },
    /// All bearer tokens, by name.
    Tokens,
    /// Takes back the token of this name.
    RevokeToken(String),
    /// All sessions.
    Sessions,
    /// The stored events of a session.
    Events(String),
    /// The frames in the log of a session.
    Frames(String),
    /// A backup into this file, whose path is absolute.
    Backup(PathBuf),
}

/// One line of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Line {
    /// A token.
    Token(String),
    /// A line for the command to print.
    Row(String),
    /// It cannot be done.
    Failed(String),
    /// That was all.
    End,
}

/// The box's end.
pub struct Server {
    task: JoinSet<()>,
    path: PathBuf,
}

/// A path to the socket that is short enough for the system, and what must stay open for it.
fn short_path(data: &Path) -> io::Result<(PathBuf, Option<fs::File>)> {
    let path = data.join(NAME);
    if path.as_os_str().len() < PATH_MAX {
        return Ok((path, None));
    }
    let folder = fs::File::open(data)?;
    Ok((PathBuf::from(format!("/proc/self/fd/{}/{NAME}", folder.as_raw_fd())), Some(folder)))
}

impl Server {
    /// Opens the socket. The store must be open: it is what says that no other box has this folder.
    pub fn start(data: &Path, store: Store, sessions: Sessions, clock: Clock) -> Result<Server, StartError> {
        let path = data.join(NAME);
        let failed = |source| StartError::Control { path: path.clone(), source };
        let (short, _folder) = short_path(data).map_err(failed)?;
        match fs::remove_file(&path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(failed(e)),
            _ => {} // What a box left that did not stop in order.
        }
        let listener = UnixListener::bind(&short).map_err(failed)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).map_err(failed)?;
        let mut task = JoinSet::new();
        task.spawn(listen(listener, store, sessions, clock));
        Ok(Server { task, path })
    }

    /// Closes the socket and takes it away.
    pub async fn stop(mut self) {
        self.task.shutdown().await;
        let _ = fs::remove_file(&self.path);
    }
}

async fn listen(listener: UnixListener, store: Store, sessions: Sessions, clock: Clock) {
    let mut commands = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept(), if commands.len() < COMMANDS_MAX => match accepted {
                Ok((stream, _)) => {
                    let (store, sessions, clock) = (store.clone(), sessions.clone(), clock.clone());
                    commands.spawn(async move {
                        if let Err(error) = serve(stream, store, sessions, clock).await {
                            tracing::debug!(%error, "a command broke off");
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a command cannot be heard");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            Some(_) = commands.join_next(), if !commands.is_empty() => {}
        }
    }
}

async fn serve(stream: UnixStream, store: Store, sessions: Sessions, clock: Clock) -> io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut text = String::new();
    timeout(LIMIT, BufReader::new(read.take(4096)).read_line(&mut text)).await??;
    let ask: Ask = match serde_json::from_str(&text) {
        Ok(ask) => ask,
        Err(_) => return say(&mut write, &Line::Failed("this box does not know this command".to_owned())).await,
    };
    tracing::info!(command = name_of(&ask), "a command beside this box");
    let (lines, mut ready) = tokio::sync::mpsc::channel(64);
    let work = tokio::task::spawn_blocking(move || {
        answer(&ask, &store, &clock, &mut |line| lines.blocking_send(line).is_ok());
        if let Ask::RevokeToken(id) = &ask
            && let Some(id) = TokenId::parse(id)
        {
            // Also where the command is gone already: what was taken back is taken back.
            sessions.sign_out(id);
        }
    });
    while let Some(line) = ready.recv().await {
        timeout(LIMIT, say(&mut write, &line)).await??;
    }
    drop(ready);
    work.await.map_err(io::Error::other)
}

async fn say(write: &mut (impl AsyncWriteExt + Unpin), line: &Line) -> io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    write.write_all(text.as_bytes()).await
}

fn name_of(ask: &Ask) -> &'static str {
    match ask {
        Ask::PersonToken(_) => "person-token",
        Ask::OwnerToken(_) => "owner-token",
        Ask::ProducerToken(_) => "producer-token",
        Ask::AssistantToken { .. } => "assistant-token",
        Ask::Tokens => "tokens",
        Ask::RevokeToken(_) => "revoke-token",
        Ask::Sessions => "sessions",
        Ask::Events(_) => "events",
        Ask::Frames(_) => "frames",
        Ask::Backup(_) => "backup",
    }
}

/// Answers on an open store, line by line, until `say` does not take any more. Blocks.
pub fn answer(ask: &Ask, store: &Store, clock: &Clock, say: &mut dyn FnMut(Line) -> bool) {
    let answered = match ask {
        Ask::PersonToken(who) => caller_of_person(who).and_then(|c| token(store, clock, &c)).map(|t| {
            say(Line::Token(t));
        }),
        Ask::AssistantToken { assistant, asker } => {
            caller_of_assistant(assistant, asker).and_then(|c| token(store, clock, &c)).map(|t| {
                say(Line::Token(t));
            })
        }
        Ask::OwnerToken(who) => owner(who).and_then(|c| token(store, clock, &c)).map(|t| {
            say(Line::Token(t));
        }),
        Ask::ProducerToken(who) => caller_of_producer(who).and_then(|c| token(store, clock, &c)).map(|t| {
            say(Line::Token(t));
        }),
        Ask::Tokens => {
            let mut all = store.tokens().into_iter();
            all.try_for_each(|(id, owner)| say(Line::Row(row_of(id, &owner))).then_some(()));
            Ok(())
        }
        Ask::RevokeToken(id) => revoke(store, id).map(|row| {
            say(Line::Row(row));
        }),
        Ask::Sessions => inspect::sessions(store, &mut |row| say(Line::Row(row))),
        Ask::Events(id) => session(id).and_then(|id| inspect::events(store, &id, &mut |row| say(Line::Row(row)))),
        Ask::Backup(to) => {
            let mut progress = |done, all| {
                say(Line::Row(format!("{done} of {all} sessions")));
            };
            store.backup(to, &mut progress).map_err(|e| e.to_string())
        }
        Ask::Frames(id) => session(id).and_then(|id| inspect::frames(store, &id, &mut |row| say(Line::Row(row)))),
    };
    say(answered.map_or_else(Line::Failed, |()| Line::End));
}

fn token(store: &Store, clock: &Clock, caller: &Caller) -> Result<String, String> {
    new_token(store, clock, caller).map_err(|e| e.to_string())
}

/// A token as a line of JSON: its name, and for whom it speaks.
fn row_of(id: TokenId, owner: &TokenOwner) -> String {
    let (kind, name, asker) = match owner {
        TokenOwner::Person(who) => ("person", who.to_string(), None),
        TokenOwner::Owner(who) => ("owner", who.to_string(), None),
        TokenOwner::Assistant { assistant, asker } => ("assistant", assistant.to_string(), Some(asker.to_string())),
        TokenOwner::Producer(name) => ("producer", name.clone(), None),
    };
    let mut row = serde_json::json!({ "id": id.to_string(), "kind": kind, "name": name });
    if let Some(asker) = asker {
        row["for"] = asker.into();
    }
    row.to_string()
}

fn revoke(store: &Store, id: &str) -> Result<String, String> {
    let unknown = || format!("there is no token {id:?}; `vyre token --list` names them all");
    let id = TokenId::parse(id).ok_or_else(unknown)?;
    let owner = store.revoke_token(id).map_err(|e| e.to_string())?.ok_or_else(unknown)?;
    Ok(row_of(id, &owner))
}

fn session(id: &str) -> Result<SessionId, String> {
    SessionId::parse(id).map_err(|e| e.to_string())
}

/// The person of this name, with or without `person:` in front.
pub fn caller_of_person(name: &str) -> Result<Caller, String> {
    let bare = name.strip_prefix("person:").unwrap_or(name);
    let author = Author::person(bare).map_err(|e| e.to_string())?;
    Person::new(author).map(Caller::Person).ok_or_else(|| "this is not a person".to_owned())
}

/// The assistant of this name, with or without `assistant:` in front, that acts for this person.
pub fn caller_of_assistant(name: &str, asker: &str) -> Result<Caller, String> {
    let whole = if name.contains(':') { name.to_owned() } else { format!("assistant:{name}") };
    let assistant = Author::parse(&whole).map_err(|e| format!("--assistant: {e}"))?;
    let Caller::Person(person) = caller_of_person(asker).map_err(|e| format!("--for: {e}"))? else {
        return Err("--for: this is not a person".to_owned());
    };
    ActsFor::new(assistant, person).map(Caller::Assistant).ok_or_else(|| "--assistant: this is a person".to_owned())
}

fn owner(name: &str) -> Result<Caller, String> {
    caller_of_person(name).map(|caller| match caller {
        Caller::Person(person) => Caller::Person(person.owning()),
        other => other,
    })
}

/// The producer of this name.
pub fn caller_of_producer(name: &str) -> Result<Caller, String> {
    ProducerName::parse(name).map(Caller::Producer).map_err(|e| e.to_string())
}

/// Asks the box that runs on this folder. `None`: none does. Blocks.
pub fn ask(data: &Path, ask: &Ask, each: &mut dyn FnMut(Line) -> bool) -> io::Result<Option<()>> {
    let (path, _folder) = match short_path(data) {
        Ok(found) => found,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e),
    };
    let mut stream = match std::os::unix::net::UnixStream::connect(path) {
        Ok(stream) => stream,
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused) => return Ok(None),
        Err(e) => return Err(e),
    };
    stream.set_read_timeout(Some(LIMIT * 3))?;
    stream.set_write_timeout(Some(LIMIT))?;
    writeln!(stream, "{}", serde_json::to_string(ask)?)?;
    for line in StdBufReader::new(stream).lines() {
        let line: Line = serde_json::from_str(&line?)?;
        let end = matches!(line, Line::End | Line::Failed(_));
        if !each(line) || end {
            return Ok(Some(()));
        }
    }
    Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the box stopped before its answer was whole"))
}
