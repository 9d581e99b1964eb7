//! JSON-RPC, one message a line: what comes in, told apart, and what goes out.
//!
//! Whatever an agent writes can be read or passed over; nothing of it is an error of the box's.

use agent_client_protocol_schema::v1 as acp;
use serde::Deserialize;
use serde::Serialize;
use serde_json::value::RawValue;

/// One message of an agent.
#[derive(Debug)]
pub enum Incoming {
    /// It tells of its work.
    Update(Box<acp::SessionNotification>),
    /// It wants to be allowed something.
    Permission {
        /// What its answer must name.
        id: acp::RequestId,
        /// What it wants.
        ask: Box<acp::RequestPermissionRequest>,
    },
    /// It wants something that this box does not do.
    Unknown {
        /// What the refusal must name.
        id: acp::RequestId,
    },
    /// It answers a request of this number.
    Answer {
        /// The request.
        id: i64,
        /// What it says.
        answer: Result<Box<RawValue>, acp::Error>,
    },
    /// Nothing that anybody here waits for, or no message at all.
    Nothing,
}

#[derive(Deserialize)]
struct Raw<'a> {
    id: Option<acp::RequestId>,
    method: Option<String>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<acp::Error>,
}

/// Reads one line.
pub fn read(line: &[u8]) -> Incoming {
    let Ok(raw) = serde_json::from_slice::<Raw<'_>>(line) else { return Incoming::Nothing };
    match (raw.method, raw.id) {
        (Some(method), Some(id)) => {
            let ask = (method == acp::CLIENT_METHOD_NAMES.session_request_permission).then(|| params(raw.params));
            match ask.flatten() {
                Some(ask) => Incoming::Permission { id, ask },
                None => Incoming::Unknown { id },
            }
        }
        (Some(method), None) if method == acp::CLIENT_METHOD_NAMES.session_update => {
            params(raw.params).map_or(Incoming::Nothing, Incoming::Update)
        }
        (None, Some(acp::RequestId::Number(id))) => match (raw.error, raw.result) {
            (Some(error), _) => Incoming::Answer { id, answer: Err(error) },
            (None, Some(result)) => Incoming::Answer { id, answer: Ok(result.to_owned()) },
            // `null` is an answer too.
            (None, None) => Incoming::Answer { id, answer: Ok(RawValue::NULL.to_owned()) },
        },
        _ => Incoming::Nothing,
    }
}

fn params<T: for<'de> Deserialize<'de>>(raw: Option<&RawValue>) -> Option<Box<T>> {
    serde_json::from_str(raw?.get()).ok()
}

#[derive(Serialize)]
struct Out<'a, T> {
    jsonrpc: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a acp::RequestId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<&'a T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<acp::Error>,
}

impl<'a, T> Out<'a, T> {
    fn new(id: Option<&'a acp::RequestId>) -> Self {
        Out { jsonrpc: "2.0", id, method: None, params: None, result: None, error: None }
    }
}

fn line<T: Serialize>(out: &Out<'_, T>) -> Vec<u8> {
    // The protocol's types always have a JSON form.
    let mut line = serde_json::to_vec(out).unwrap_or_default();
    line.push(b'\n');
    line
}

/// A request with this number.
pub fn request<T: Serialize>(id: i64, method: &str, params: &T) -> Vec<u8> {
    let id = acp::RequestId::Number(id);
    line(&Out { method: Some(method), params: Some(params), ..Out::new(Some(&id)) })
}

/// Something that wants no answer.
pub fn notification<T: Serialize>(method: &str, params: &T) -> Vec<u8> {
    line(&Out { method: Some(method), params: Some(params), ..Out::new(None) })
}

/// The answer to a request of the agent.
pub fn answer<T: Serialize>(id: &acp::RequestId, result: &T) -> Vec<u8> {
    line(&Out { result: Some(result), ..Out::new(Some(id)) })
}

/// A request of the agent that this box does not serve.
pub fn refusal(id: &acp::RequestId) -> Vec<u8> {
    line(&Out::<()> { error: Some(acp::Error::method_not_found()), ..Out::new(Some(id)) })
}

/// What the beginning of a line that is too long says of a call: its id, and whether it ended well or badly.
pub fn call_in(head: &[u8]) -> Option<(String, Option<bool>)> {
    let head = String::from_utf8_lossy(head);
    let value = |key: &str| {
        let rest = &head[head.find(&format!("\"{key}\""))? + key.len() + 2..];
        let rest = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
        Some(rest[..rest.find('"')?].to_owned())
    };
    let ended = match value("status").as_deref() {
        Some("completed") => Some(true),
        Some("failed") => Some(false),
        _ => None,
    };
    Some((value("toolCallId")?, ended))
}
