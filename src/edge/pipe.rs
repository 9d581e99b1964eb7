//! Records both ways, whatever carries them.

use std::future::Future;
use std::pin::pin;
use std::task::Poll;

use bytes::Bytes;
use vyre_proto::head::End;
use vyre_proto::pb::stream::ByeReason;
use vyre_proto::pb::stream::ErrorCode;

use crate::tools::error::ToolError;

/// A byte stream both ways. Cuts mean nothing: the concatenation is a stream of records.
pub trait Pipe: Send {
    /// The next bytes; `None` at the peer's end. Cancel-safe.
    fn read(&mut self) -> impl Future<Output = Result<Option<Bytes>, End>> + Send;

    /// Whether what was read last seems to be all that has come. It is a guess: more may be there all the same.
    fn came_alone(&self) -> bool {
        false
    }

    /// Writes whole records. Fails where the peer takes nothing for too long. Not cancel-safe.
    fn write(&mut self, records: Bytes) -> impl Future<Output = Result<(), End>> + Send;
}

/// What [`Duplex::exchange`] has to tell. How much was written is seen by what is left.
#[derive(Debug, PartialEq, Eq)]
pub enum Exchanged {
    /// These bytes came.
    Came(Bytes),
    /// The peer will send no more.
    Ended,
    /// Something was written.
    Wrote,
}

/// A [`Pipe`] that reads while it writes: a peer that takes nothing is still heard.
pub trait Duplex: Pipe {
    /// Writes `out`, and reads where `read` is set, until one of both went on. Fails where the peer takes nothing for too
    /// long. Cancel-safe: what is left in `out` is to be given to the next call, and nothing else is to be written before.
    fn exchange(&mut self, out: &mut Bytes, read: bool) -> impl Future<Output = Result<Exchanged, End>> + Send;
}

/// What is there to read at this moment, without waiting: `None` where nothing is.
pub async fn read_ready<P: Pipe>(pipe: &mut P) -> Option<Result<Option<Bytes>, End>> {
    let mut read = pin!(pipe.read());
    std::future::poll_fn(|cx| match read.as_mut().poll(cx) {
        Poll::Ready(got) => Poll::Ready(Some(got)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

/// How a stream ends that was refused for this error.
pub fn end_of(error: &ToolError) -> End {
    match error.code() {
        ErrorCode::Internal => End::Internal,
        ErrorCode::Denied => End::Denied,
        ErrorCode::NotFound => End::NotFound,
        ErrorCode::Invalid | ErrorCode::Conflict => End::Invalid,
        ErrorCode::TooLarge => End::TooLarge,
        ErrorCode::RateLimited => End::Overload,
        ErrorCode::Unavailable => End::Restart,
        ErrorCode::Unauthenticated => End::Unauthenticated,
    }
}

/// How a stream ends after this farewell.
pub fn end_of_bye(reason: Option<ByeReason>) -> End {
    match reason {
        None | Some(ByeReason::Unknown) => End::Done,
        Some(ByeReason::Restart | ByeReason::Moved) => End::Restart,
        Some(ByeReason::Overload) => End::Overload,
        Some(ByeReason::Denied) => End::Denied,
        Some(ByeReason::Replaced) => End::Replaced,
        Some(ByeReason::Slow) => End::Slow,
    }
}
