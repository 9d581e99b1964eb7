//! The settings of terminals.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

/// Hours that a terminal stays on which nothing happens, by default.
const IDLE_HOURS: u64 = 24;

/// Most hours of it: ten years.
const IDLE_HOURS_MAX: u64 = 87_600;

/// Terminals as one source has them.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TerminalSettings {
    /// Whether persons may have terminals on this box.
    pub enabled: Option<bool>,
    /// The shell in them.
    pub shell: Option<PathBuf>,
    /// Set in its environment.
    pub env: BTreeMap<String, String>,
    /// How many hours one stays that nobody looks at and that prints nothing.
    pub idle_hours: Option<u64>,
}

impl fmt::Debug for TerminalSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Its environment may hold secrets.
        f.debug_struct("TerminalSettings")
            .field("enabled", &self.enabled)
            .field("shell", &self.shell)
            .finish_non_exhaustive()
    }
}

/// Terminals of a box.
#[derive(Clone, PartialEq, Eq)]
pub struct Terminals {
    /// The shell in them; `None`: the login shell of the account.
    pub shell: Option<PathBuf>,
    /// Set in its environment, over the box's own.
    pub env: Vec<(String, String)>,
    /// How long one stays that nobody looks at and that prints nothing.
    pub idle: Duration,
}

impl fmt::Debug for Terminals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminals").field("shell", &self.shell).field("idle", &self.idle).finish_non_exhaustive()
    }
}

impl Terminals {
    /// As they are where nothing is said of them.
    pub(super) const PLAIN: Terminals =
        Terminals { shell: None, env: Vec::new(), idle: Duration::from_secs(IDLE_HOURS * 3600) };
}

/// Checked. `None`: there are none. The error names the field and says what is wrong.
pub(super) fn terminals(settings: TerminalSettings) -> Result<Option<Terminals>, (&'static str, String)> {
    let TerminalSettings { enabled, shell, env, idle_hours } = settings;
    if shell.as_ref().is_some_and(|shell| !shell.is_absolute()) {
        return Err(("terminals.shell", "must be an absolute path, as /usr/bin/fish".to_owned()));
    }
    let bad = |s: &str| s.contains('\0');
    if env.iter().any(|(k, v)| k.is_empty() || k.contains('=') || bad(k) || bad(v)) {
        return Err(("terminals.env", "may hold no zero bytes, and a name no `=`".to_owned()));
    }
    let hours = idle_hours.unwrap_or(IDLE_HOURS);
    if !(1..=IDLE_HOURS_MAX).contains(&hours) {
        return Err(("terminals.idle_hours", format!("must be 1 to {IDLE_HOURS_MAX}")));
    }
    let terminals = Terminals { shell, env: env.into_iter().collect(), idle: Duration::from_secs(hours * 3600) };
    Ok(enabled.unwrap_or(true).then_some(terminals))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Option<Terminals>, (&'static str, String)> {
        terminals(toml::from_str(text).unwrap())
    }

    #[test]
    fn there_are_terminals_unless_it_is_said_that_there_are_none() {
        let plain = of("").unwrap().unwrap();
        assert_eq!(plain, Terminals::PLAIN);
        assert_eq!(of("enabled = false"), Ok(None));
        let fish = of("shell = '/usr/bin/fish'\nidle_hours = 1\nenv = { EDITOR = 'vi' }").unwrap().unwrap();
        assert_eq!((fish.shell, fish.idle), (Some("/usr/bin/fish".into()), Duration::from_secs(3600)));
        assert_eq!(fish.env, [("EDITOR".to_owned(), "vi".to_owned())]);
    }

    #[test]
    fn what_cannot_be_is_named() {
        assert_eq!(of("shell = 'fish'").unwrap_err().0, "terminals.shell");
        assert_eq!(of("env = { 'A=B' = 'c' }").unwrap_err().0, "terminals.env");
        assert_eq!(of("idle_hours = 0").unwrap_err().0, "terminals.idle_hours");
        assert_eq!(of("idle_hours = 999999").unwrap_err().0, "terminals.idle_hours");
    }
}
