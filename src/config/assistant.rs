//! One assistant of the settings.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use vyre_proto::ids::Author;

/// How long an assistant's question waits, unless it is told.
const ASK: Duration = Duration::from_secs(3600);

/// One assistant as a file has it.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AssistantSettings {
    /// The program that speaks the protocol, and its arguments.
    pub command: Vec<String>,
    /// Set in its environment.
    pub env: BTreeMap<String, String>,
    /// Where it works: `session`, or an absolute path.
    pub cwd: Option<String>,
    /// What becomes of its requests for permission: `ask`, `allow` or `deny`.
    pub mode: Option<String>,
    /// How long its questions wait for an answer.
    pub ask_seconds: Option<u64>,
}

impl fmt::Debug for AssistantSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Its arguments and its environment may hold secrets.
        f.debug_struct("AssistantSettings").field("cwd", &self.cwd).field("mode", &self.mode).finish_non_exhaustive()
    }
}

/// What becomes of an assistant's requests for permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// They are questions in the session.
    Ask,
    /// Granted.
    Allow,
    /// Refused.
    Deny,
}

/// One assistant.
#[derive(Clone, PartialEq, Eq)]
pub struct Assistant {
    /// Its name in sessions.
    pub who: Author,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Set in its environment.
    pub env: Vec<(String, String)>,
    /// Where it works; `None`: in the session's folder.
    pub folder: Option<PathBuf>,
    /// What it may do.
    pub mode: Mode,
    /// How long its questions wait.
    pub ask: Duration,
}

impl fmt::Debug for Assistant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assistant").field("who", &self.who).field("mode", &self.mode).finish_non_exhaustive()
    }
}

/// One assistant, checked. The error says what is wrong.
pub(super) fn assistant(name: &str, settings: AssistantSettings) -> Result<Assistant, String> {
    let who = Author::parse(&format!("assistant:{name}")).map_err(|e| e.to_string())?;
    if settings.command.first().is_none_or(String::is_empty) {
        return Err("`command` must name a program, as [\"my-agent\", \"--acp\"]".to_owned());
    }
    let bad = |s: &str| s.contains('\0');
    let env_bad = |(k, v): (&String, &String)| k.is_empty() || k.contains('=') || bad(k) || bad(v);
    if settings.command.iter().any(|word| bad(word)) || settings.env.iter().any(env_bad) {
        return Err("`command` and `env` may hold no zero bytes, and a name in `env` no `=`".to_owned());
    }
    let folder = match settings.cwd.as_deref() {
        None | Some("session") => None,
        Some(path) if path.starts_with('/') => Some(PathBuf::from(path)),
        Some(_) => return Err("`cwd` must be `session` or an absolute path".to_owned()),
    };
    let mode = match settings.mode.as_deref() {
        None | Some("ask") => Mode::Ask,
        Some("allow") => Mode::Allow,
        Some("deny") => Mode::Deny,
        Some(_) => return Err("`mode` must be `ask`, `allow` or `deny`".to_owned()),
    };
    let ask = match settings.ask_seconds {
        None => ASK,
        Some(0) => return Err("`ask_seconds` must be at least 1".to_owned()),
        Some(n) => Duration::from_secs(n),
    };
    Ok(Assistant { who, command: settings.command, env: settings.env.into_iter().collect(), folder, mode, ask })
}
