//! Authority as it is asked: facts from wherever they are kept, the decision from [`crate::rules::authority`].
//!
//! Who takes part in a session is read from the session itself. What somebody else knows of rights comes through
//! [`Authority`]: a policy may refuse what participation allows, and say what a participant is cleared for. It is never
//! asked about a session that is not there or in which the caller takes no part, so it does not learn of such questions
//! and how long it takes tells nobody anything.

use std::future::Future;
use std::pin::Pin;

use vyre_proto::ids::SessionId;

use crate::rules::authority::Act;
use crate::rules::authority::Facts;
use crate::rules::authority::Ground;
use crate::rules::authority::Policy;
use crate::rules::authority::Refusal;
use crate::rules::authority::decide;
use crate::rules::caller::Caller;
use crate::rules::caller::CallerKind;
use crate::rules::caller::Roles;
use crate::rules::viewer::Class;
use crate::session::AttachRequest;
use crate::session::Reader;
use crate::session::Right;
use crate::session::Session;
use crate::session::SessionError;
use crate::session::Sessions;
use crate::session::Stay;
use crate::tools::error::ToolError;

/// An answer that may take a while.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A policy beside the box.
pub trait Authority: Send + Sync {
    /// What it says of this act of this caller. Where it does not know the act: [`Policy::Silent`]. Where it cannot be
    /// asked: [`Policy::Deny`].
    fn policy<'a>(&'a self, caller: &'a Caller, act: Act, session: &'a SessionId) -> Answer<'a, Policy>;
}

/// The rule of participants alone: who takes part in a session, by its own log, reads it and sends into it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Participants;

impl Authority for Participants {
    fn policy<'a>(&'a self, _: &'a Caller, _: Act, _: &'a SessionId) -> Answer<'a, Policy> {
        Box::pin(async { Policy::Silent })
    }
}

/// A session with the right to do one thing in it.
#[derive(Debug)]
pub struct Admitted {
    /// The session.
    pub session: Session,
    /// Since when the person takes part on whose rights this stands.
    pub stay: Stay,
    /// What that person is cleared for.
    pub roles: Roles,
    /// The caller is that person, and not somebody who reads for them.
    pub in_person: bool,
}

impl Admitted {
    /// What the caller may see of it.
    pub fn class(&self) -> Class {
        let (stay, roles, in_person) = (self.stay.clone(), self.roles.clone(), self.in_person);
        self.session.class_of(&Right { stay, roles, in_person })
    }

    /// Attaches a reader that sees what the person is cleared for and ends when they go.
    pub fn attach(self, request: AttachRequest) -> Reader {
        let who = self.in_person.then(|| self.stay.who().clone());
        let right = Right { stay: self.stay, roles: self.roles, in_person: self.in_person };
        let mut reader = self.session.attach_for(request, right);
        if let Some(who) = who {
            reader.connect(&who);
        }
        reader
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
    admitted(authority, sessions, caller, act, id).await.map(|a| a.session)
}

/// The session with what the caller is in it, if the caller may do this in it.
pub async fn admitted(
    authority: &dyn Authority,
    sessions: &Sessions,
    caller: &Caller,
    act: Act,
    id: &SessionId,
) -> Result<Admitted, ToolError> {
    // A caller who never may is refused before the box looks for the session.
    match decide(caller, act, None) {
        Err(Refusal::NotFound) => {}
        Err(refusal) => return Err(refusal.into()),
        // An act that is about no session has no business here.
        Ok(_) => return Err(Refusal::NotFound.into()),
    }
    let who = caller.reads_as().ok_or(Refusal::NotFound)?;
    let session = match sessions.get(id).await {
        Ok(session) => session,
        Err(SessionError::NotFound) => return Err(Refusal::NotFound.into()),
        Err(e @ SessionError::Unavailable { .. }) => return Err(e.into()),
    };
    let stay = session.stay_of(who).ok_or(Refusal::NotFound)?;
    let policy = authority.policy(caller, act, id).await;
    // Whoever was taken out while the policy thought about it is out.
    let participant = session.stay_of(who).as_ref() == Some(&stay);
    match decide(caller, act, Some(&Facts { participant, policy }))? {
        Ground::Participant(roles) => {
            let in_person = caller.kind() == CallerKind::Person;
            if in_person && act == Act::Read {
                // Whatever they have open is held to the newest word of the policy on reading.
                session.regrant(who, &roles);
            }
            Ok(Admitted { session, stay, roles, in_person })
        }
        Ground::Own | Ground::Producer | Ground::Device => Err(Refusal::NotFound.into()),
    }
}
