//! The terminals of the settings as the box runs them.

use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Duration;
use tokio::time::timeout;

use crate::clock::Clock;
use crate::config::Config;
use crate::term::Launch;
use crate::term::Limits;
use crate::term::Report;
use crate::term::Terminals;
use crate::tools::term::Shells;

/// How long the last lines that were run may take to be recorded.
const RECORD_LIMIT: Duration = Duration::from_secs(2);

/// Makes it possible to open some, unless the settings or what the box lacks forbid it. Lines that persons run come out of
/// the second part.
pub(super) fn start(config: &Config, clock: &Clock) -> (Shells, Option<mpsc::Receiver<Report>>) {
    let work = config.data.join("work");
    let (Some(settings), Some(guard)) = (&config.terminals, &config.guard) else {
        return (Shells { terminals: None, work }, None);
    };
    let launch = Launch {
        guard: guard.clone(),
        shell: settings.shell.clone(),
        env: settings.env.clone(),
        private: config.data.join("term"),
    };
    let limits = Limits { idle: settings.idle, ..Limits::default() };
    let (terminals, lines) = Terminals::new(clock.clone(), Some(launch), limits);
    (Shells { terminals: Some(terminals), work }, Some(lines))
}

/// The terminals of a running box and who records what is run in them.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) terminals: Option<Terminals>,
    pub(super) recorder: Option<JoinHandle<()>>,
}

impl Running {
    /// Ends the terminals, and lets what was run in them last be recorded.
    pub(super) async fn stop(&mut self) {
        if let Some(terminals) = &self.terminals {
            terminals.stop().await;
        }
        if let Some(mut recorder) = self.recorder.take()
            && timeout(RECORD_LIMIT, &mut recorder).await.is_err()
        {
            tracing::warn!("what was run last in terminals may not be recorded");
            recorder.abort();
        }
    }
}
