//! The contract's messages as JSON, and the names that text surfaces use.
//!
//! Two forms, not to be mixed up. **Proto3 JSON** is what tools and server-sent events carry: names in camelCase, 64-bit
//! numbers as strings. The **frame line** is what a program prints for programs: one object a line, `kind` by name, the
//! kind's own fields under `data`, and numbers as numbers, since all of them are below 2^53.
//!
//! An error says where it is and never quotes what stood there.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Map;
use serde_json::Value;

use crate::frame::Frame;
use crate::frame::FrameError;
use crate::pb::stream as pb;
use crate::pb::stream::ErrorCode;

/// Why a text is not the message that it should be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    /// Not JSON.
    #[error("no JSON at line {line}, column {column}")]
    Syntax {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
    },
    /// The text ends too early.
    #[error("the JSON text ends inside a value")]
    Truncated,
    /// JSON, but not of this message: a field of the wrong type, twice, or out of range.
    #[error("a field of the wrong type or range at line {line}, column {column}")]
    Shape {
        /// From 1; 0 where it is not known.
        line: usize,
        /// From 1; 0 where it is not known.
        column: usize,
    },
    /// A value that has no name in this version, as an enum of a newer one.
    #[error("the message holds a value that has no JSON form in this version")]
    Unwritable,
    /// A message, but not a valid frame.
    #[error(transparent)]
    Frame(#[from] FrameError),
}

impl From<serde_json::Error> for JsonError {
    fn from(e: serde_json::Error) -> Self {
        let (line, column) = (e.line(), e.column());
        match e.classify() {
            serde_json::error::Category::Eof => JsonError::Truncated,
            serde_json::error::Category::Syntax => JsonError::Syntax { line, column },
            serde_json::error::Category::Data | serde_json::error::Category::Io => JsonError::Shape { line, column },
        }
    }
}

/// A message as proto3 JSON on one line.
pub fn write<M: Serialize>(message: &M) -> Result<String, JsonError> {
    serde_json::to_string(message).map_err(|_| JsonError::Unwritable)
}

/// A message from proto3 JSON. Unknown fields are ignored.
pub fn parse<M: DeserializeOwned>(text: &str) -> Result<M, JsonError> {
    Ok(serde_json::from_str(text)?)
}

/// A frame from proto3 JSON.
///
/// A newer box may use an enum value that has no name here. That is no error: a reason or a state is then not known, and
/// text of an unknown channel is a frame of an unknown kind.
pub fn parse_frame(text: &str) -> Result<Frame, JsonError> {
    match serde_json::from_str::<pb::Frame>(text) {
        Ok(frame) => Ok(Frame::check(frame)?),
        Err(e) => {
            let mut value: Value = serde_json::from_str(text)?;
            if !forget_unknown_names(&mut value) {
                return Err(e.into());
            }
            Ok(Frame::check(serde_json::from_value(value)?)?)
        }
    }
}

/// Takes enum values that this version does not know out of a frame, and says whether there was one.
fn forget_unknown_names(frame: &mut Value) -> bool {
    let Some(fields) = frame.as_object_mut() else { return false };
    let mut found = false;
    let mut forget = |arm: &str, field: &str, known: fn(&str) -> bool| {
        if let Some(arm) = fields.get_mut(arm).and_then(Value::as_object_mut)
            && arm.get(field).is_some_and(|v| !is_known(v, known))
        {
            arm.remove(field);
            found = true;
        }
    };
    forget("fileChanged", "change", |s| pb::Change::from_str_name(s).is_some());
    forget("userMessage", "state", |s| pb::UserState::from_str_name(s).is_some());
    forget("lost", "reason", |s| pb::LostReason::from_str_name(s).is_some());
    forget("reset", "reason", |s| pb::ResetReason::from_str_name(s).is_some());
    forget("bye", "reason", |s| pb::ByeReason::from_str_name(s).is_some());
    forget("presence", "state", |s| pb::PresenceState::from_str_name(s).is_some());
    let strange =
        |v: &Value| v.get("channel").is_some_and(|c| !is_known(c, |s| pb::Channel::from_str_name(s).is_some()));
    let delta = fields.get("textDelta");
    let lanes = delta.and_then(|d| d.get("lanes")).and_then(Value::as_array).into_iter().flatten();
    if delta.into_iter().chain(lanes).any(strange) {
        fields.remove("textDelta");
        found = true;
    }
    found
}

/// A number was known once it got a name; the reader of a message says no to those without.
fn is_known(value: &Value, known: fn(&str) -> bool) -> bool {
    value.as_str().is_some_and(known)
}

/// One frame as a line for programs: `{"kind": "session.<kind>", ..., "data": {...}}`, without the line's end.
///
/// The envelope's fields stand beside `kind`, absent ones left out, and the kind's own fields in `data`. A frame of an
/// unknown kind is `session.unknown` without `data`.
pub fn frame_line(frame: &Frame) -> String {
    let mut out = Map::new();
    out.insert("kind".into(), kind_name(frame).into());
    let f = frame.get();
    let (mut envelope, mut data) = (Map::new(), None);
    let whole = serde_json::to_value(f).or_else(|_| serde_json::to_value(pb::Frame { data: None, ..f.clone() }));
    if let Ok(Value::Object(fields)) = whole {
        for (key, value) in fields {
            // Of all fields of a frame the kind's own is the only object.
            if value.is_object() { data = Some(value) } else { drop(envelope.insert(key, value)) }
        }
    }
    out.append(&mut envelope);
    if let Some(data) = data {
        out.insert("data".into(), data);
    }
    let mut line = Value::Object(out);
    numbers(&mut line);
    line.to_string()
}

/// `session.<kind>`, and `session.unknown` for what this version does not know.
pub fn kind_name(frame: &Frame) -> &'static str {
    frame.kind().map_or("session.unknown", |kind| kind.full_name())
}

/// The names of all 64-bit fields of a frame. No other field of a frame or a block has one of these names.
const WIDE: &[&str] = &[
    "at",
    "cur",
    "floor",
    "head",
    "offset",
    "span",
    "textLen",
    "thinkingLen",
    "time",
    "total",
    "unread",
    "ver",
    "view",
];

/// Makes numbers of the texts in which proto3 JSON keeps 64 bits.
fn numbers(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(s) if WIDE.contains(&key.as_str()) => {
                        if let Ok(n) = s.parse::<u64>() {
                            *value = n.into();
                        }
                    }
                    _ => numbers(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(numbers),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The name of an error's code on text surfaces.
pub const fn code_name(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::Internal => "internal",
        ErrorCode::Denied => "denied",
        ErrorCode::NotFound => "not_found",
        ErrorCode::Invalid => "invalid",
        ErrorCode::Conflict => "conflict",
        ErrorCode::TooLarge => "too_large",
        ErrorCode::RateLimited => "rate_limited",
        ErrorCode::Unavailable => "unavailable",
        ErrorCode::Unauthenticated => "unauthenticated",
    }
}

/// The code of this name.
pub fn code_from_name(name: &str) -> Option<ErrorCode> {
    (0..).map_while(|n| ErrorCode::try_from(n).ok()).find(|code| code_name(*code) == name)
}

/// The HTTP status of an error's code.
pub const fn code_status(code: ErrorCode) -> u16 {
    match code {
        ErrorCode::Internal => 500,
        ErrorCode::Denied => 403,
        ErrorCode::NotFound => 404,
        ErrorCode::Invalid => 400,
        ErrorCode::Conflict => 409,
        ErrorCode::TooLarge => 413,
        ErrorCode::RateLimited => 429,
        ErrorCode::Unavailable => 503,
        ErrorCode::Unauthenticated => 401,
    }
}

/// An error as the body of an HTTP answer: `{"code": "denied", "message": "..."}`, and `retryAfterMs` where there is advice.
pub fn write_error(error: &pb::Error) -> String {
    let mut out = Map::new();
    out.insert("code".into(), code_name(error.code()).into());
    out.insert("message".into(), error.message.as_str().into());
    if error.retry_after_ms > 0 {
        out.insert("retryAfterMs".into(), error.retry_after_ms.into());
    }
    Value::Object(out).to_string()
}

/// The error in the body of an HTTP answer. `None` if it is none of ours; a code of a newer box is `internal`.
pub fn parse_error(body: &str) -> Option<pb::Error> {
    let value: Value = serde_json::from_str(body).ok()?;
    let code = code_from_name(value.get("code")?.as_str()?).unwrap_or(ErrorCode::Internal);
    let message = value.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
    let retry = value.get("retryAfterMs").and_then(Value::as_u64).unwrap_or(0);
    Some(pb::Error { code: code.into(), message, retry_after_ms: u32::try_from(retry).unwrap_or(u32::MAX) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pb::stream::frame::Data;

    fn frame(data: Data) -> Frame {
        let cur = (1 << 53) - 1;
        Frame::check(pb::Frame { v: 1, cur, time: 17, message: "m".into(), data: Some(data), ..Default::default() })
            .unwrap()
    }

    #[test]
    fn a_line_has_numbers_where_the_contract_has_texts() {
        let line =
            frame_line(&frame(Data::TextDelta(pb::TextDelta { at: 3, text: "17\r\n".into(), ..Default::default() })));

        assert_eq!(
            serde_json::from_str::<Value>(&line).unwrap(),
            serde_json::json!({
                "kind": "session.text-delta", "v": 1, "cur": 9007199254740991u64, "time": 17, "message": "m",
                "data": {"at": 3, "text": "17\r\n"},
            })
        );
        assert!(!line.contains(['\r', '\n']));
    }

    #[test]
    fn every_field_of_64_bits_in_a_frame_is_known_by_its_name() {
        // As the schema has them; a block's texts keep their names to themselves.
        let schema =
            concat!(include_str!("../vyre/stream/v1/frame.proto"), include_str!("../vyre/stream/v1/block.proto"));
        let (mut wide, mut other) = (Vec::new(), Vec::new());
        for line in schema.lines().map(str::trim).filter(|l| l.contains(" = ") && !l.starts_with("//")) {
            let line = line.trim_start_matches("repeated ").trim_start_matches("optional ");
            let mut words = line.split(' ');
            let (Some(kind), Some(name)) = (words.next(), words.next()) else { continue };
            let mut json = String::new();
            let mut up = false;
            for c in name.chars() {
                if c == '_' {
                    up = true
                } else {
                    json.extend(if up { c.to_uppercase().collect() } else { vec![c] });
                    up = false
                }
            }
            if kind.contains("64") { wide.push(json) } else { other.push(json) }
        }
        wide.sort();
        wide.dedup();

        assert_eq!(wide, WIDE);
        assert!(WIDE.iter().all(|w| !other.iter().any(|o| o == w)));
    }

    #[test]
    fn numbers_may_come_as_texts_or_as_numbers_and_stay_exact() {
        for cur in ["\"9007199254740991\"", "9007199254740991"] {
            let f = parse_frame(&format!(r#"{{"v":1,"cur":{cur},"pin":{{"on":true}},"later":[1]}}"#)).unwrap();
            assert_eq!(f.span().unwrap().end().get(), 9007199254740991);
        }
        for bad in ["\"9007199254740992\"", "9007199254740993", "-1", "1.5", "\"x\""] {
            assert!(parse_frame(&format!(r#"{{"v":1,"cur":{bad},"pin":{{}}}}"#)).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_of_a_newer_box_end_nothing() {
        let bye = parse_frame(r#"{"bye":{"reason":"BYE_REASON_NEW","maxDelayMs":9}}"#).unwrap();
        let Some(Data::Bye(bye)) = &bye.get().data else { panic!() };
        assert_eq!((bye.reason(), bye.max_delay_ms), (pb::ByeReason::Unknown, 9));

        for text in [
            r#"{"cur":"4","textDelta":{"channel":"CHANNEL_SUNG","text":"la"}}"#,
            r#"{"cur":"4","textDelta":{"channel":7,"text":"la"}}"#,
            r#"{"cur":"4","newKind":{"text":"la"}}"#,
        ] {
            let f = parse_frame(text).unwrap();
            assert_eq!((f.kind(), f.span().unwrap().end().get()), (None, 4), "{text}");
        }
        assert!(parse_frame(r#"{"cur":"4","textDelta":{"channel":"CHANNEL_SUNG","text":1}}"#).is_ok());
        assert!(parse_frame(r#"{"cur":"4","textDelta":{"text":1}}"#).is_err());
    }

    #[test]
    fn a_value_without_a_name_is_told_and_its_line_keeps_the_cursor() {
        let strange = frame(Data::FileChanged(pb::FileChanged { change: 77, path: "p".into(), ..Default::default() }));

        assert_eq!(write(strange.get()), Err(JsonError::Unwritable));
        let line: Value = serde_json::from_str(&frame_line(&strange)).unwrap();
        assert_eq!((&line["kind"], line["cur"].as_u64()), (&"session.file-changed".into(), Some((1 << 53) - 1)));
    }

    #[test]
    fn an_error_says_where_and_not_what() {
        let secret = "tk_5up3rs3cret";
        for text in
            [format!(r#"{{"ticket": {{"{secret}": 1}}}}"#), format!(r#"{{"head": "{secret}"}}"#), format!("{{{secret}")]
        {
            let e = parse::<pb::StreamOpened>(&text).err().unwrap();
            assert!(!e.to_string().contains("5up3r") && !format!("{e:?}").contains("5up3r"), "{e}");
        }
    }

    #[test]
    fn codes_have_a_name_and_a_status_and_come_back() {
        let names = "internal denied not_found invalid conflict too_large rate_limited unavailable unauthenticated";
        for (n, name) in (0..).zip(names.split(' ')) {
            let code = ErrorCode::try_from(n).unwrap();
            let error = pb::Error { code: n, message: "Do \"this\".".into(), retry_after_ms: n as u32 };
            assert_eq!((code_name(code), code_from_name(name)), (name, Some(code)));
            assert_eq!(parse_error(&write_error(&error)).unwrap(), error);
            assert!((400..=503).contains(&code_status(code)));
        }
        assert_eq!(code_from_name("teapot"), None);
        assert_eq!(parse_error(r#"{"code":"teapot"}"#).unwrap().code(), ErrorCode::Internal);
        assert_eq!(parse_error("<html>"), None);
    }
}
