//! What a person says of themselves and the box tells without logging it: that they type, and how far they have read.

use vyre_proto::ids::MessageId;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::PresenceState;

use crate::rules::presence::DOING_MAX;
use crate::rules::presence::Present;
use crate::tools::CalledBy;
use crate::tools::Tools;
use crate::tools::error::ToolError;
use crate::tools::steer::here;

/// Types, does something, or nothing any more. Told to the other readers of the session, at most every three seconds.
pub async fn present(tools: &Tools, by: &CalledBy, ask: &pb::StreamPresence) -> Result<pb::StreamPresent, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    let state = PresenceState::try_from(ask.state)
        .map_err(|_| ToolError::invalid("`state` is neither none, typing nor doing"))?;
    let present = match state {
        PresenceState::None => Present::Nothing,
        PresenceState::Typing => Present::Typing,
        PresenceState::Doing => Present::Doing(doing(&ask.doing)?.into()),
    };
    tools.sessions().present(&here.session, here.author(), present);
    Ok(pb::StreamPresent {})
}

fn doing(text: &str) -> Result<&str, ToolError> {
    if text.len() > DOING_MAX {
        return Err(ToolError::too_large(format!("`doing` has {} bytes; the limit is {DOING_MAX}", text.len())));
    }
    match text.chars().find(|c| c.is_control()) {
        Some(ch) => Err(ToolError::invalid(format!("`doing` may not hold {ch:?}"))),
        None => Ok(text),
    }
}

/// Has read up to a message. Answered when that is stored, with the place where the mark stands.
pub async fn read(tools: &Tools, by: &CalledBy, ask: &pb::StreamRead) -> Result<pb::StreamReadAnswer, ToolError> {
    let here = here(tools, by, &ask.session).await?;
    let message = MessageId::parse(&ask.upto)?;
    let mark = tools.sessions().read_upto(&here.session, &here.who, &message).await?;
    Ok(pb::StreamReadAnswer { upto: mark.message.to_string(), cur: mark.cur.get() })
}
