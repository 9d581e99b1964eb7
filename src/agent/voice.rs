//! How what an assistant says gets into its session: the one place, through the reply handle of its turn.
//!
//! Nothing is said faster than the disk takes it: beyond [`AHEAD_MAX`] bytes that are shown and not yet durable the speaker
//! waits, and with it the agent, whose pipe fills. Where the disk takes nothing for a while nothing is lost: it is said
//! again until it is taken. An assistant that was taken out of the room says nothing more.

use std::time::Duration;

use prost::Message;
use vyre_proto::event::Event;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;

use crate::rules::redact::redact_kept;
use crate::session::PublishError;
use crate::session::ReplyError;
use crate::session::ReplyHandle;
use crate::session::ReplyPiece;
use crate::session::SessionError;
use crate::session::Sessions;

/// Bytes that one assistant may be ahead of the disk.
const AHEAD_MAX: usize = 256 * 1024;

/// Between two attempts where the store takes nothing.
const AGAIN: Duration = Duration::from_millis(250);

/// The voice of an assistant in one session.
#[derive(Debug)]
pub(super) struct Voice {
    sessions: Sessions,
    session: SessionId,
    ahead: usize,
    reply: Option<ReplyHandle>,
    mute: bool,
}

impl Voice {
    pub(super) fn new(sessions: Sessions, session: SessionId) -> Voice {
        Voice { sessions, session, ahead: 0, reply: None, mute: false }
    }

    /// Begins a turn in which this assistant speaks for this person. Waits until the session can be had.
    pub(super) async fn begin(&mut self, assistant: &Author, asker: Option<&Author>) {
        self.mute = false;
        self.reply = loop {
            match self.sessions.get(&self.session).await {
                Ok(session) => break self.sessions.reply(&session, assistant, asker).ok(),
                Err(SessionError::NotFound) => break None,
                Err(SessionError::Unavailable { .. }) => tokio::time::sleep(AGAIN).await,
            }
        };
    }

    /// The turn is over, and is on disk as far as the disk takes it: a turn that is shown as ended is not to be found open
    /// after a crash. The session may be let go from now on.
    pub(super) async fn end(&mut self) {
        self.settle().await;
        self.reply = None;
    }

    /// Whether nobody hears it any more: it was taken out of the room, or its turn was given up.
    pub(super) fn is_mute(&self) -> bool {
        self.mute || self.reply.is_none()
    }

    /// Says what these tell, in order. Waits as long as the store does.
    pub(super) async fn say(&mut self, told: Vec<Event>) {
        for event in told {
            let len = event.get().encoded_len();
            let Some(mut data) = event.into_inner().data else { continue };
            redact_kept(&mut data);
            let Some(piece) = ReplyPiece::of(data) else { continue };
            while let Some(reply) = self.reply.as_mut().filter(|_| !self.mute) {
                match reply.append(piece.clone()).await {
                    Ok(()) => break,
                    Err(ReplyError::Unavailable { .. }) => tokio::time::sleep(AGAIN).await,
                    Err(ReplyError::Gone | ReplyError::Dropped) => self.mute = true,
                    Err(e @ (ReplyError::Invalid(_) | ReplyError::NotAnAssistant(_) | ReplyError::NotForAsker(_))) => {
                        tracing::warn!(session = %self.session, error = %e, "something that an assistant said was refused");
                        break;
                    }
                }
            }
            self.ahead += len;
            if self.ahead > AHEAD_MAX {
                self.settle().await;
            }
        }
    }

    /// Writes down the ends of what an earlier run of the box left open.
    pub(super) async fn end_left(&mut self, mut ends: Vec<Event>) {
        while !ends.is_empty() {
            let done = self.sessions.submit(ends.clone()).await;
            let waits = |e: &PublishError| matches!(e, PublishError::Unavailable { .. });
            match done.refused.iter().find(|(_, e)| waits(e)) {
                // With all behind it: they are known by their ids.
                Some((at, _)) => drop(ends.drain(..*at)),
                None => return,
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Waits until all that was said is on disk, as far as the disk takes it.
    pub(super) async fn settle(&mut self) {
        let done = self.sessions.submit(Vec::new()).await;
        if self.sessions.wait_durable(done.commit).await.is_ok() {
            self.ahead = 0;
        }
    }
}
