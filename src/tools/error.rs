//! The one place where an error of the inside becomes a code, a status and a sentence for whoever called.
//!
//! Each mapping is an exhaustive match: a new variant asks for its code.

use std::time::Duration;

use vyre_proto::event::EventError;
use vyre_proto::ids::IdError;
use vyre_proto::json::code_name;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::ErrorCode;
use vyre_proto::record::RecordError;

use crate::rules::authority::Refusal;
use crate::rules::fanout;
use crate::rules::membership;
use crate::rules::rewrite;
use crate::rules::steering;
use crate::rules::ticket::Refused;
use crate::rules::ticket::TooMany;
use crate::session::ActError;
use crate::session::NotDurable;
use crate::session::PublishError;
use crate::session::ReadError;
use crate::session::SessionError;

/// Longest sentence of an error in bytes: it may quote what a producer wrote.
const MESSAGE_MAX: usize = 512;

/// What a caller is told. The message says what happened and what to do, and holds no secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    code: ErrorCode,
    message: String,
    retry_after: Option<Duration>,
}

impl ToolError {
    /// With a sentence, which is cut where it is too long.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let mut message = message.into();
        if message.len() > MESSAGE_MAX {
            let end = (0..=MESSAGE_MAX).rev().find(|n| message.is_char_boundary(*n)).unwrap_or(0);
            message.truncate(end);
            message.push('…');
        }
        Self { code, message, retry_after: None }
    }

    /// The request is wrong.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Invalid, message)
    }

    /// No proof, or none that holds, of who calls.
    pub fn unauthenticated(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Unauthenticated, message)
    }

    /// Larger than allowed.
    pub fn too_large(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::TooLarge, message)
    }

    /// Not now.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self { retry_after: Some(Duration::from_secs(1)), ..Self::new(ErrorCode::Unavailable, message) }
    }

    /// Its code.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// Its sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// When to try again, where that helps.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// As a message of the contract.
    pub fn to_pb(&self) -> pb::Error {
        let retry = self.retry_after.map_or(0, |d| u32::try_from(d.as_millis()).unwrap_or(u32::MAX));
        pb::Error { code: self.code.into(), message: self.message.clone(), retry_after_ms: retry }
    }

    /// As the JSON object of every text surface: `{"code":"denied","message":"..."}`, with `retryAfterMs` where known.
    pub fn to_json(&self) -> serde_json::Value {
        let mut json = serde_json::json!({ "code": code_name(self.code), "message": self.message });
        if let (Some(after), Some(fields)) = (self.retry_after, json.as_object_mut()) {
            fields.insert("retryAfterMs".to_owned(), u64::try_from(after.as_millis()).unwrap_or(u64::MAX).into());
        }
        json
    }
}

impl From<SessionError> for ToolError {
    fn from(e: SessionError) -> Self {
        match e {
            // In the very words of a refusal: see `Refusal::NotFound`.
            SessionError::NotFound => Refusal::NotFound.into(),
            SessionError::Unavailable { .. } => ToolError::unavailable(e.to_string()),
        }
    }
}

impl From<Refusal> for ToolError {
    fn from(r: Refusal) -> Self {
        match r {
            Refusal::NotFound => ToolError::new(ErrorCode::NotFound, r.to_string()),
            Refusal::Nobody => ToolError::unauthenticated(r.to_string()),
            Refusal::Denied { .. } => ToolError::new(ErrorCode::Denied, r.to_string()),
        }
    }
}

impl From<Refused> for ToolError {
    fn from(r: Refused) -> Self {
        ToolError::unauthenticated(r.to_string())
    }
}

impl From<TooMany> for ToolError {
    fn from(t: TooMany) -> Self {
        ToolError { retry_after: Some(t.retry_after), ..ToolError::new(ErrorCode::RateLimited, t.to_string()) }
    }
}

impl From<IdError> for ToolError {
    fn from(e: IdError) -> Self {
        ToolError::invalid(e.to_string())
    }
}

impl From<EventError> for ToolError {
    fn from(e: EventError) -> Self {
        match e {
            EventError::TooLarge { .. } => ToolError::too_large(e.to_string()),
            _ => ToolError::invalid(e.to_string()),
        }
    }
}

impl From<NotDurable> for ToolError {
    fn from(e: NotDurable) -> Self {
        match e {
            NotDurable::Failing { .. } | NotDurable::Stalled | NotDurable::Closed => {
                ToolError::unavailable(format!("{e}; keep the events and send them again"))
            }
        }
    }
}

impl From<PublishError> for ToolError {
    fn from(e: PublishError) -> Self {
        let code = match e {
            PublishError::Invalid(e) => return e.into(),
            PublishError::Id(_) => ErrorCode::Invalid,
            PublishError::UnknownSession { .. } => ErrorCode::NotFound,
            PublishError::Unavailable { .. } => return ToolError::unavailable(e.to_string()),
        };
        ToolError::new(code, e.to_string())
    }
}

impl From<membership::Refused> for ToolError {
    fn from(r: membership::Refused) -> Self {
        use membership::Refused as R;
        let code = match r {
            R::HostOnly => ErrorCode::Denied,
            R::Full => ErrorCode::TooLarge,
            R::NotAnAssistant => ErrorCode::Invalid,
            R::NotHere => ErrorCode::Conflict,
        };
        ToolError::new(code, r.to_string())
    }
}

impl From<fanout::Refused> for ToolError {
    fn from(r: fanout::Refused) -> Self {
        let code = match r {
            fanout::Refused::NoGroup => ErrorCode::NotFound,
            fanout::Refused::NoMember => ErrorCode::Invalid,
        };
        ToolError::new(code, r.to_string())
    }
}

impl From<ReadError> for ToolError {
    fn from(e: ReadError) -> Self {
        match e {
            ReadError::NoMessage => ToolError::new(ErrorCode::NotFound, e.to_string()),
            ReadError::Busy => ToolError {
                retry_after: Some(Duration::from_secs(1)),
                ..ToolError::new(ErrorCode::RateLimited, e.to_string())
            },
            ReadError::Unavailable { .. } => ToolError::unavailable(e.to_string()),
        }
    }
}

impl From<steering::Refused> for ToolError {
    fn from(r: steering::Refused) -> Self {
        use steering::Refused as R;
        let code = match r {
            R::NoMessage | R::NoQuestion => ErrorCode::NotFound,
            R::TakenAlready | R::NotQueued | R::Answered | R::OtherWords => ErrorCode::Conflict,
            R::NotYours => ErrorCode::Denied,
            R::QueueFull => ErrorCode::RateLimited,
        };
        ToolError::new(code, r.to_string())
    }
}

impl From<rewrite::Refused> for ToolError {
    fn from(r: rewrite::Refused) -> Self {
        use rewrite::Refused as R;
        let code = match r {
            R::NoMessage => ErrorCode::NotFound,
            R::TooFarBack | R::Working | R::OthersSince | R::NotSaid => ErrorCode::Conflict,
            R::Private => ErrorCode::Invalid,
            R::NotYours => ErrorCode::Denied,
        };
        ToolError::new(code, r.to_string())
    }
}

impl<E: Into<ToolError>> From<ActError<E>> for ToolError {
    fn from(e: ActError<E>) -> Self {
        match e {
            ActError::Refused(e) => e.into(),
            ActError::Invalid(e) => e.into(),
            ActError::Taken => ToolError::new(ErrorCode::Conflict, "this id was used for something else"),
            ActError::Unavailable { reason } => {
                ToolError::unavailable(format!("the box cannot store this now: {reason}; keep it and send it again"))
            }
        }
    }
}

impl From<RecordError> for ToolError {
    fn from(e: RecordError) -> Self {
        let code = match &e {
            RecordError::TooLong { .. } => ErrorCode::TooLarge,
            RecordError::BadLength | RecordError::Truncated { .. } | RecordError::Malformed(_) => ErrorCode::Invalid,
        };
        ToolError::new(code, e.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_session_reads_the_same_from_the_store_and_from_authority() {
        assert_eq!(ToolError::from(SessionError::NotFound), ToolError::from(Refusal::NotFound));
    }

    #[test]
    fn a_long_sentence_is_cut_between_characters() {
        let e = ToolError::invalid("ä".repeat(1000));

        assert!(e.message().len() <= MESSAGE_MAX + '…'.len_utf8());
        assert!(e.message().ends_with('…'));
    }

    #[test]
    fn errors_say_when_to_come_back_where_that_helps() {
        assert_eq!(ToolError::unavailable("later").to_json()["retryAfterMs"], 1000);
        assert!(ToolError::invalid("no").to_json().get("retryAfterMs").is_none());
    }
}
