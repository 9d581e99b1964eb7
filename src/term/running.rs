//! The task of one terminal: it moves what is printed and what is typed, and sees the shell to its end.

use std::io;
use std::pin::Pin;
use std::pin::pin;
use std::process::ExitStatus;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use pty_process::Pty;
use tokio::io::AsyncRead;
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::io::ReadBuf;
use tokio::process::Child;
use tokio::process::ChildStdin;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio::time::sleep;
use tokio::time::sleep_until;
use tokio::time::timeout;

use crate::process::guard::GRACE;
use crate::process::tree;
use crate::rules::term::ran::Ran;
use crate::term::shells::Private;
use crate::term::terminal::Report;
use crate::term::terminal::Shared;

/// Bytes that are read before the screens are told.
const READ_MAX: usize = 64 * 1024;

/// How often it is looked whether screens have stalled that the programs wait for.
const PACE: Duration = Duration::from_millis(50);

/// Lines that were run and are not yet taken: beyond it nothing more is read.
const REPORTS_MAX: usize = 1024;

/// How long everything may take to be gone once the guard was told, beside what the guard gives it.
const GONE_LIMIT: Duration = Duration::from_secs(3);

/// How long what was printed last may take to be read once all is gone.
const REST_LIMIT: Duration = Duration::from_millis(500);

/// The code of a shell of which nobody knows how it ended.
const NOT_KNOWN: i32 = 255;

/// What the task owns.
pub(super) struct Running {
    pub(super) shared: Arc<Shared>,
    pub(super) pty: Pty,
    pub(super) guard: Child,
    pub(super) lifeline: Option<ChildStdin>,
    pub(super) private: Option<Private>,
    pub(super) reports: mpsc::Sender<Report>,
    pub(super) idle: Duration,
    pub(super) unseen: Duration,
}

impl Running {
    /// Runs the terminal until its shell has ended. Everything that came of it is gone then.
    pub(super) async fn run(mut self) {
        let code = self.serve().await.unwrap_or(NOT_KNOWN);
        self.shared.ended(code);
    }

    async fn serve(&mut self) -> Option<i32> {
        let shared = self.shared.clone();
        let (mut from, mut to) = self.pty.split();
        let mut buffer = vec![0; READ_MAX];
        let mut told: Vec<Ran> = Vec::new();
        let mut end_by: Option<Instant> = None;
        let mut open = true;
        // When it was looked last whether a key waits behind what is stuck.
        let mut unstuck = Instant::now();
        let status = loop {
            let (may_print, behind, idle_at) = {
                let state = shared.lock();
                if state.closing && end_by.is_none() {
                    end_by = Some(Instant::now() + GRACE + GONE_LIMIT);
                    self.lifeline = None;
                }
                let idle = if state.was_seen() { self.idle } else { self.unseen };
                let idle_at = state.screens.is_empty().then(|| state.active + idle);
                (state.may_print(), state.shown.is_behind(), idle_at)
            };
            // Here, where nothing is written meanwhile.
            let (typed, stuck_at) = shared.next_input();
            let may_read = open && may_print && told.len() < REPORTS_MAX;
            tokio::select! {
                biased;
                () = shared.work.notified() => {}
                written = to.write(&typed), if !typed.is_empty() => {
                    // It fails where nobody holds the other side any more.
                    shared.lock().input.wrote(Instant::now(), written.unwrap_or(typed.len()));
                }
                read = read_some(&mut from, &mut buffer), if may_read => match read {
                    Ok(n @ 1..) => {
                        let (ran, prompt) = shared.printed(buffer.get(..n).unwrap_or_default());
                        told.extend(ran);
                        if prompt {
                            self.private = None;
                        }
                    }
                    Ok(0) | Err(_) => open = false,
                },
                permit = self.reports.reserve(), if !told.is_empty() => match permit {
                    Ok(permit) => {
                        let ran = told.remove(0);
                        permit.send(Report { session: shared.session.clone(), term: shared.id, ran });
                    }
                    // The box ends.
                    Err(_) => told.clear(),
                },
                status = self.guard.wait() => break status.ok(),
                () = at(end_by) => break end(&mut self.guard).await,
                () = at(idle_at) => shared.close(),
                () = sleep(PACE), if open && !may_print => {}
                () = at(stuck_at.filter(|at| *at > unstuck)) => {
                    unstuck = Instant::now();
                    shared.unstick(&mut shared.lock());
                }
                // Nothing else is to be done.
                () = std::future::ready(()), if behind => shared.lock().shown.catch_up(),
            }
        };
        self.lifeline = None;
        self.private = None;
        let rest_by = Instant::now() + REST_LIMIT;
        while open {
            match timeout(rest_by.saturating_duration_since(Instant::now()), read_some(&mut from, &mut buffer)).await {
                Ok(Ok(n @ 1..)) => told.extend(shared.printed(buffer.get(..n).unwrap_or_default()).0),
                _ => open = false,
            }
        }
        for ran in told {
            let report = Report { session: shared.session.clone(), term: shared.id, ran };
            if timeout(GONE_LIMIT, self.reports.send(report)).await.is_err() {
                tracing::warn!(term = %shared.id, "a line that was run could not be recorded");
            }
        }
        status.and_then(|s| s.code())
    }
}

impl Drop for Running {
    /// However this ends, no screen waits for ever. The guard's stdin ends with it.
    fn drop(&mut self) {
        if self.shared.ended(NOT_KNOWN) {
            tracing::error!(term = %self.shared.id, "a terminal broke off");
        }
    }
}

/// Reads what there is, at least one byte. The system gives a terminal's output in pages: one call each, and one look of
/// the screens for all.
async fn read_some<R: AsyncRead + Unpin>(from: &mut R, buffer: &mut [u8]) -> io::Result<usize> {
    let mut n = from.read(buffer).await?;
    // A byte was read, so nothing below may wait: whoever gave this up would lose it.
    std::future::poll_fn(|cx| {
        while let Some(rest) = buffer.get_mut(n..).filter(|rest| n > 0 && !rest.is_empty()) {
            let mut more = ReadBuf::new(rest);
            match Pin::new(&mut *from).poll_read(cx, &mut more) {
                Poll::Ready(Ok(())) if !more.filled().is_empty() => n += more.filled().len(),
                _ => break,
            }
        }
        Poll::Ready(Ok(n))
    })
    .await
}

/// Ends a guard that did not end by itself, and what it should have ended.
async fn end(guard: &mut Child) -> Option<ExitStatus> {
    let pid = guard.id().and_then(|id| i32::try_from(id).ok());
    if let Some(pid) = pid {
        let found = tokio::task::spawn_blocking(move || tree::descendants(pid)).await.unwrap_or_default();
        found.into_iter().for_each(tree::kill);
    }
    let _ = guard.start_kill();
    let gone = pin!(guard.wait());
    timeout(GONE_LIMIT, gone).await.ok()?.ok()
}

/// At this time; never where there is none.
async fn at(when: Option<Instant>) {
    match when {
        Some(when) => sleep_until(when).await,
        None => std::future::pending().await,
    }
}
