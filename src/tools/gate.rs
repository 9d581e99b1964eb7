//! Authority as it is asked: facts from wherever they are kept, the decision from [`crate::rules::authority`].
//!
//! [`Authority`] is the seam at which everything that knows about rights is joined to the box. Its methods answer as the
//! caller and never as the box: what a caller may not be told, its implementation does not know either.

use std::future::Future;
use std::pin::Pin;

use vyre_proto::ids::SessionId;

use crate::rules::authority::Act;
use crate::rules::authority::Facts;
use crate::rules::authority::Policy;
use crate::rules::authority::Refusal;
use crate::rules::authority::SessionKind;
use crate::rules::authority::decide;
use crate::rules::caller::Caller;
use crate::session::Session;
use crate::session::SessionError;
use crate::session::Sessions;
use crate::tools::error::ToolError;

/// An answer that may take a while.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a thread's record says to the caller who asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadRecord {
    /// Its session.
    pub session: SessionId,
    /// Whether the caller, or the person for whom it acts, takes part.
    pub participant: bool,
}

/// Where facts about rights come from.
pub trait Authority: Send + Sync {
    /// The record of a thread's session, asked for in the caller's own name. A refusal is final.
    fn thread_get<'a>(&'a self, caller: &'a Caller, session: &'a Session) -> Answer<'a, Result<ThreadRecord, Refusal>>;

    /// Whether the caller is among the people in a group's log.
    fn in_group<'a>(&'a self, caller: &'a Caller, session: &'a Session) -> Answer<'a, bool>;

    /// What a policy beside the box says of this act. Where there is none: [`Policy::Silent`].
    fn policy<'a>(&'a self, caller: &'a Caller, act: Act, session: &'a Session) -> Answer<'a, Policy>;
}

/// The rule of participants alone: who takes part in a session, by its own log, reads it and sends into it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Participants;

impl Authority for Participants {
    fn thread_get<'a>(&'a self, caller: &'a Caller, session: &'a Session) -> Answer<'a, Result<ThreadRecord, Refusal>> {
        Box::pin(async move {
            if takes_part(caller, session) {
                Ok(ThreadRecord { session: session.id().clone(), participant: true })
            } else {
                Err(Refusal::NotFound)
            }
        })
    }

    fn in_group<'a>(&'a self, caller: &'a Caller, session: &'a Session) -> Answer<'a, bool> {
        Box::pin(async move { takes_part(caller, session) })
    }

    fn policy<'a>(&'a self, _: &'a Caller, _: Act, _: &'a Session) -> Answer<'a, Policy> {
        Box::pin(async { Policy::Silent })
    }
}

fn takes_part(caller: &Caller, session: &Session) -> bool {
    match caller {
        Caller::Person(person) => session.has_participant(person.author()),
        Caller::Producer(_) => false,
    }
}

/// Whether the caller may do this where no session is concerned.
pub fn may(caller: &Caller, act: Act) -> Result<(), ToolError> {
    decide(caller, act, None)?;
    Ok(())
}

/// The session, if the caller may do this in it.
pub async fn session_for(
    authority: &dyn Authority,
    sessions: &Sessions,
    caller: &Caller,
    act: Act,
    id: &SessionId,
) -> Result<Session, ToolError> {
    // A caller who never may is refused before the box looks for the session.
    if let Err(refusal @ Refusal::Denied { .. }) = decide(caller, act, None) {
        return Err(refusal.into());
    }
    let session = match sessions.get(id).await {
        Ok(session) => session,
        Err(SessionError::NotFound) => return Err(Refusal::NotFound.into()),
        Err(e @ SessionError::Unavailable { .. }) => return Err(e.into()),
    };
    let kind = if session.info().group { SessionKind::Group } else { SessionKind::Thread };
    let (record_given, participant) = match kind {
        SessionKind::Thread => {
            let record = authority.thread_get(caller, &session).await?;
            (true, record.participant && record.session == *id)
        }
        SessionKind::Group => (false, authority.in_group(caller, &session).await),
    };
    let policy = authority.policy(caller, act, &session).await;
    decide(caller, act, Some(&Facts { kind, record_given, participant, policy }))?;
    Ok(session)
}
