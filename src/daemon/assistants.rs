//! The assistants of the settings as the box runs them.

use crate::agent::Agents;
use crate::agent::Assistant;
use crate::agent::Folder;
use crate::agent::Launch;
use crate::agent::Limits;
use crate::agent::Permission;
use crate::clock::Clock;
use crate::config;
use crate::config::Config;
use crate::config::Mode;
use crate::session::Sessions;

/// Starts them: from now on sessions can address them.
pub(super) fn start(config: &Config, sessions: &Sessions, clock: &Clock) -> Agents {
    let own = config.data.join("work");
    let assistant = |a: &config::Assistant| Assistant {
        who: a.who.clone(),
        launch: Launch {
            command: a.command.iter().map(Into::into).collect(),
            env: a.env.clone(),
            guard: config.guard.clone(),
        },
        folder: match &a.folder {
            Some(path) => Folder::At(path.clone()),
            None => Folder::Session { own: own.clone() },
        },
        permission: match a.mode {
            Mode::Ask => Permission::Ask,
            Mode::Allow => Permission::Allow,
            Mode::Deny => Permission::Deny,
        },
        ask_limit: a.ask,
    };
    let limits = Limits { resume_wait: config.resume_wait, ..Limits::default() };
    let assistants = config.assistants.iter().map(assistant).collect();
    Agents::start(sessions, clock, assistants, config.data.join("agents"), limits)
}
