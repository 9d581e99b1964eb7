//! Calls with an `Idempotency-Key`: the same key and body is the same call, also after a restart.

use std::fmt::Write;

use prost::Message;
use vyre_proto::pb::stream::ErrorCode;

use crate::rules::caller::Person;
use crate::rules::once::Judged;
use crate::rules::once::Kept;
use crate::rules::once::OnceKey;
use crate::rules::once::check_key;
use crate::rules::once::judge;
use crate::session::Call;
use crate::store::OnceRow;
use crate::tools::Tools;
use crate::tools::error::ToolError;
use crate::tools::name::Tool;

/// A call that has its key to itself until this is dropped.
pub(super) struct Once {
    call: Call,
    body: u128,
}

/// What a call with a key is.
pub(super) enum Begun<M> {
    /// It was not made before: it is to be written down with [`Once::row`].
    New(Once),
    /// It was made before and answered so. Held, so that no third one begins.
    Again(M, Once),
}

/// Begins a call. It is refused without a key, and where the key was used for another call.
pub(super) async fn begin<M: Message + Default>(
    tools: &Tools,
    who: &Person,
    key: &str,
    tool: Tool,
    ask: &impl Message,
) -> Result<Begun<M>, ToolError> {
    if key.is_empty() {
        return Err(ToolError::invalid(format!(
            "{} needs an Idempotency-Key: a new one for each thing that you want done, the same one to ask again",
            tool.name()
        )));
    }
    check_key(key)?;
    let sessions = tools.sessions();
    let caller = sessions.hash(&format!("once {}", who.author()));
    let key = OnceKey { caller, key: sessions.hash(&format!("once {} {key}", who.author())) };
    let mut text = format!("once {} ", tool.name());
    for byte in ask.encode_to_vec() {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    let body = sessions.hash(&text);
    let call = sessions.call_once(key).await?;
    let judged = judge(call.kept(), body);
    let once = Once { call, body };
    match judged {
        Judged::New => Ok(Begun::New(once)),
        Judged::OtherBody => Err(ToolError::new(
            ErrorCode::Conflict,
            "this Idempotency-Key was used for another call; take a new one for a new call",
        )),
        Judged::Again(answer) => {
            // It may have been written down and not be on disk yet.
            sessions.settled().await?;
            let answer = M::decode(answer.as_slice())
                .map_err(|_| ToolError::new(ErrorCode::Internal, "what was answered cannot be read any more"))?;
            Ok(Begun::Again(answer, once))
        }
    }
}

impl Once {
    /// What is to be kept of this call, beside the events that it makes.
    pub(super) fn row(&self, answer: &impl Message) -> OnceRow {
        OnceRow { key: self.call.key(), kept: Kept { body: self.body, answer: answer.encode_to_vec() } }
    }

    /// A name that is this call's alone, and the same whenever it is asked for again.
    pub(super) fn name(&self, verb: &str) -> String {
        let OnceKey { caller, key } = self.call.key();
        // Two hashes of 128 bits in which nobody chooses collisions.
        format!("{verb}-{:032x}", caller.rotate_left(64) ^ key ^ self.body)
    }
}
