//! `stream.history`: pages of what came before a cursor, also of what has left the bounds of the log.

use vyre_proto::cursor::Cursor;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;

use crate::rules::authority::Act;
use crate::tools::CalledBy;
use crate::tools::Tools;
use crate::tools::error::ToolError;
use crate::tools::gate;

/// Frames of a page where nothing is said.
pub const PAGE: u32 = 100;

/// Most frames of a page.
pub const PAGE_MAX: u32 = 500;

/// The frames below a cursor, oldest first, as the caller may see them.
pub async fn page(tools: &Tools, by: &CalledBy, ask: &pb::StreamHistory) -> Result<pb::StreamHistoryAnswer, ToolError> {
    let id = SessionId::parse(&ask.session)?;
    let admitted = gate::admitted(&*tools.0.authority, tools.sessions(), &by.caller, Act::Read, &id).await?;
    let before = match ask.before {
        0 => None,
        n => Some(Cursor::new(n).ok_or_else(|| ToolError::invalid("`before` is not below 2^53"))?),
    };
    let limit = if ask.limit == 0 { PAGE } else { ask.limit.min(PAGE_MAX) };
    let page = tools.sessions().history(&admitted.session, &admitted.class(), before, limit).await?;
    Ok(pb::StreamHistoryAnswer { frames: page.frames, more: page.more })
}
