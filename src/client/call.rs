//! Tool calls: asked once, and honest about what became of them.

use std::io;
use std::time::Duration;

use prost::Message;
use tokio::time::timeout;
use vyre_proto::pb::stream as pb;
use vyre_proto::resume::Ending;

use super::Client;
use super::limits;

/// Longest sentence of another side that is passed on, in characters.
const SENTENCE_MAX: usize = 300;

/// Why a call brought no answer, or not the wanted one.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The box said no.
    #[error("{message}")]
    Refused {
        /// Its code.
        code: pb::ErrorCode,
        /// Its sentence.
        message: String,
        /// When to come back, if it says so.
        retry_after: Duration,
    },
    /// No connection could be made. Nothing was sent.
    #[error("the box cannot be reached: {0}")]
    Unreachable(#[source] io::Error),
    /// No answer in time. Whether the box has done it is not known: ask again under the same id.
    #[error("no answer came in time")]
    TimedOut,
    /// The connection broke before the answer. As with `TimedOut`, it may have been done.
    #[error("the connection broke before an answer came")]
    NoAnswer,
    /// What answers there speaks another language: a portal, a proxy, another version.
    #[error("what answered is not a box")]
    NotABox,
    /// The tool or the key could not stand in a request.
    #[error("the name of the tool or the key cannot be sent")]
    Invalid,
}

impl CallError {
    pub(super) fn refused(code: pb::ErrorCode, message: &str, retry_after: Duration) -> Self {
        Self::Refused { code, message: message.chars().take(SENTENCE_MAX).collect(), retry_after }
    }

    /// The other side is silent, and nothing was sent.
    pub(super) fn silent() -> Self {
        Self::Unreachable(io::ErrorKind::TimedOut.into())
    }

    pub(super) fn of(e: pb::Error) -> Self {
        Self::refused(e.code(), &e.message, Duration::from_millis(u64::from(e.retry_after_ms)))
    }

    /// As the end of an attempt whose `stream.open` failed so.
    pub(super) fn of_open(self) -> Ending {
        match self {
            Self::Refused { code, message, retry_after } => Ending::Refused { code, message, retry_after },
            Self::Unreachable(_) | Self::TimedOut | Self::NoAnswer | Self::NotABox | Self::Invalid => Ending::Broken,
        }
    }
}

impl Client {
    /// Calls a tool, as `sessions.list`. Not tried again: whoever calls knows whether that is safe.
    ///
    /// # Errors
    /// [`CallError`]; after `TimedOut` and `NoAnswer` the box may have done it.
    pub async fn call<A: Message + Default>(&self, tool: &str, request: &impl Message) -> Result<A, CallError> {
        self.call_keyed(tool, None, request).await
    }

    /// Calls a tool that wants an idempotency key.
    ///
    /// # Errors
    /// As [`Client::call`].
    pub async fn call_keyed<A: Message + Default>(
        &self,
        tool: &str,
        key: Option<&str>,
        request: &impl Message,
    ) -> Result<A, CallError> {
        let answer = timeout(limits::CALL, self.ways.call(tool, key, request.encode_to_vec().into())).await;
        A::decode(answer.map_err(|_| CallError::TimedOut)??).map_err(|_| CallError::NotABox)
    }
}
