//! Sessions as rooms: which there are.

use vyre_proto::pb::stream as pb;

use crate::rules::authority::Act;
use crate::rules::caller::Caller;
use crate::tools::Tools;
use crate::tools::error::ToolError;
use crate::tools::gate;

/// The sessions in which the caller takes part, newest change first.
pub async fn list(tools: &Tools, caller: &Caller) -> Result<pb::SessionsListed, ToolError> {
    gate::may(caller, Act::Own)?;
    match caller.reads_as() {
        Some(person) => Ok(pb::SessionsListed { sessions: tools.sessions().list(person.author()).await? }),
        None => Ok(pb::SessionsListed::default()),
    }
}
