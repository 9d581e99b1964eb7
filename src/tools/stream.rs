//! `stream.open`, and what a ticket or an open in the same flight leads to.
//!
//! Authority decides first; then a ticket is minted. At the attach it decides again: what was allowed 15 s ago may not be
//! allowed now.

use vyre_proto::ids::LogId;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;

use crate::rules::authority::Act;
use crate::rules::caller::Caller;
use crate::rules::ticket::Grant;
use crate::rules::ticket::Purpose;
use crate::rules::ticket::Refused;
use crate::rules::ticket::Shown;
use crate::tools::CalledBy;
use crate::tools::Tools;
use crate::tools::error::ToolError;
use crate::tools::gate;
use crate::tools::gate::Admitted;

/// Opens a session for reading: a ticket, the log's bounds and identity, and where the box answers.
pub async fn open(tools: &Tools, by: &CalledBy, request: &pb::StreamOpen) -> Result<pb::StreamOpened, ToolError> {
    let (admitted, mut opened) = open_here(tools, &by.caller, request).await?;
    opened.ticket = tools.tickets().mint(Grant {
        caller: by.caller.clone(),
        device: by.device,
        roles: admitted.roles.clone(),
        since: admitted.stay.since(),
        session: admitted.session.id().clone(),
        purpose: Purpose::Session,
    })?;
    Ok(opened)
}

/// Opens a session for an attach that travels with the open: no ticket is made.
pub async fn open_here(
    tools: &Tools,
    caller: &Caller,
    request: &pb::StreamOpen,
) -> Result<(Admitted, pb::StreamOpened), ToolError> {
    let id = SessionId::parse(&request.session)?;
    if !request.log.is_empty() {
        let LogId(_) = request.log.parse()?;
    }
    let admitted = readable(tools, caller, &id).await?;
    let bounds = admitted.session.bounds();
    let opened = pb::StreamOpened {
        ticket: String::new(),
        head: bounds.head.get(),
        floor: bounds.floor.get(),
        log: bounds.log.to_string(),
        paths: tools.0.reach.paths(),
    };
    Ok((admitted, opened))
}

/// Spends a ticket for the frames of a session. One whose person has left since it was made is dead, also where they have
/// come back meanwhile, and so is one whose person is cleared for something else now.
pub async fn redeem(tools: &Tools, ticket: &str, shown: Shown<'_>) -> Result<Admitted, ToolError> {
    let grant = tools.tickets().spend(ticket, shown)?;
    if tools.is_signed_out(&grant.caller) {
        return Err(Refused.into());
    }
    let admitted = readable(tools, &grant.caller, &grant.session).await?;
    if admitted.stay.since() == grant.since && admitted.roles == grant.roles {
        Ok(admitted)
    } else {
        Err(Refused.into())
    }
}

/// The session, if this caller may read it.
pub async fn readable(tools: &Tools, caller: &Caller, id: &SessionId) -> Result<Admitted, ToolError> {
    gate::admitted(&*tools.0.authority, tools.sessions(), caller, Act::Read, id).await
}
