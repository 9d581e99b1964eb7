//! What is said before the bytes of a stream flow, as checked values: what a phone or a box says to a relay
//! ([`RelayHead`]), a relay to a box ([`Bridged`], [`Control`]), a box back ([`BridgedReply`]), and how all of it ends
//! ([`End`]).
//!
//! A value that exists is valid: decoding checks lengths, forms and counts, and refuses whole. What holds a request
//! target or a header shows neither when it is printed, because both may carry a secret.

mod end;

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use prost::Message;

pub use self::end::End;
pub use self::end::EndRow;
pub use self::end::TABLE as ENDS;
use crate::ids::BoxId;
use crate::pb::relay as pb;
use crate::record::to_record;

/// Version of the heads.
pub const VERSION: u32 = 1;

/// ALPN of a connection to a relay, from a box and from a phone.
pub const ALPN_RELAY: &[u8] = b"vyre-relay/1";

/// ALPN of a connection straight to a box.
pub const ALPN_BOX: &[u8] = b"vyre-box/1";

/// Label under which box and relay export 32 bytes from TLS (with an empty context), and first part of what a box signs.
pub const REGISTER_LABEL: &[u8] = b"vyre-relay/1 register";

/// Longest [`RelayHead`] in bytes: it comes from strangers, and a register is about 150.
pub const RELAY_HEAD_MAX: usize = 1024;

/// Longest [`Bridged`] and [`BridgedReply`] in bytes.
pub const BRIDGED_MAX: usize = 32 * 1024;

/// Longest record on the control stream in bytes.
pub const CONTROL_MAX: usize = 1024;

/// Longest request target in bytes.
pub const TARGET_MAX: usize = 8 * 1024;

/// Most headers that one side hands on.
pub const HEADERS_MAX: usize = 32;

/// How long a stream may take to bring its first record.
pub const FIRST_RECORD_LIMIT: Duration = Duration::from_secs(5);

/// Why a head was refused. All of these are the sender's fault: [`End::Invalid`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeadError {
    /// Not the message that belongs here.
    #[error("the first record could not be decoded: {0}")]
    Malformed(#[from] prost::DecodeError),
    /// Another version.
    #[error("version {got} of the head is not known; this side speaks {VERSION}")]
    Version {
        /// What the sender speaks.
        got: u32,
    },
    /// A field that is missing, or has a form that it may not have.
    #[error("{field} must be {want}")]
    Field {
        /// Name of the field.
        field: &'static str,
        /// The form in words.
        want: &'static str,
    },
}

fn field(field: &'static str, want: &'static str) -> HeadError {
    HeadError::Field { field, want }
}

fn version(got: u32) -> Result<(), HeadError> {
    if got == VERSION { Ok(()) } else { Err(HeadError::Version { got }) }
}

/// One start of a box: 16 random bytes, made when it starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Instance(pub [u8; 16]);

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}

/// One of the connections that an instance holds side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Leg(pub u32);

/// When an instance started, in milliseconds since the epoch by the box's own calendar. Later instances win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Started(pub u64);

/// The signature by which a box proves its key on this very connection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Proof(pub [u8; 64]);

impl fmt::Debug for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Proof(..)")
    }
}

/// What a box signs to prove its key: [`REGISTER_LABEL`], then the 32 bytes exported from TLS under that label.
pub fn register_message(exported: &[u8; 32]) -> Vec<u8> {
    [REGISTER_LABEL, exported].concat()
}

/// A box that wants its streams here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    /// The key that it proves.
    pub box_id: BoxId,
    /// Its start.
    pub instance: Instance,
    /// Which of its connections this is.
    pub leg: Leg,
    /// When it started.
    pub started: Started,
    /// Ed25519 over [`register_message`].
    pub proof: Proof,
}

/// First record on a stream to a relay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RelayHead {
    /// A box registers; the stream stays open as its control stream.
    Register(Register),
    /// A phone wants a stream to this box.
    Reach(BoxId),
}

impl RelayHead {
    /// Checks one record, its prefix taken off.
    ///
    /// # Errors
    /// Says which field is not as it must be.
    pub fn decode(record: &[u8]) -> Result<Self, HeadError> {
        let head = pb::RelayHead::decode(record)?;
        version(head.v)?;
        match head.want {
            Some(pb::relay_head::Want::Register(r)) => Ok(Self::Register(Register {
                box_id: box_id(&r.r#box)?,
                instance: Instance(r.instance.as_ref().try_into().map_err(|_| field("register.instance", "16 bytes"))?),
                leg: Leg(r.leg),
                started: Started(r.started),
                proof: Proof(r.proof.as_ref().try_into().map_err(|_| field("register.proof", "64 bytes"))?),
            })),
            Some(pb::relay_head::Want::Reach(r)) => Ok(Self::Reach(box_id(&r.r#box)?)),
            None => Err(field("want", "register or reach")),
        }
    }

    /// The record, with its prefix.
    pub fn to_record(&self) -> Bytes {
        let want = match self {
            Self::Register(r) => pb::relay_head::Want::Register(pb::Register {
                r#box: r.box_id.to_string(),
                instance: Bytes::copy_from_slice(&r.instance.0),
                leg: r.leg.0,
                proof: Bytes::copy_from_slice(&r.proof.0),
                started: r.started.0,
            }),
            Self::Reach(b) => pb::relay_head::Want::Reach(pb::Reach { r#box: b.to_string() }),
        };
        to_record(&pb::RelayHead { v: VERSION, want: Some(want) })
    }
}

fn box_id(s: &str) -> Result<BoxId, HeadError> {
    s.parse().map_err(|_| field("box", "a box id: 52 characters of lowercase base32"))
}

/// A range out of which one draws a delay, so that not everybody comes at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DelayRange {
    /// Shortest.
    pub min: Duration,
    /// Longest; never below `min`.
    pub max: Duration,
}

/// From the relay on a box's control stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Control {
    /// The box is known here from now on.
    Registered {
        /// Streams that this relay has open to the box at once, at most.
        max_streams: u32,
    },
    /// It is not; the connection closes.
    Refused {
        /// Why: invalid, denied, overload, too large, replaced, or away for anything else.
        end: End,
        /// In words.
        message: String,
        /// Not before this much time.
        retry_after: Duration,
    },
    /// The connection ends soon.
    Bye {
        /// [`End::Restart`] or [`End::Replaced`].
        end: End,
        /// When to dial again.
        delay: DelayRange,
    },
}

impl Control {
    /// Checks one record, its prefix taken off. `Ok(None)`: of a kind that this version does not know.
    ///
    /// # Errors
    /// [`HeadError::Malformed`].
    pub fn decode(record: &[u8]) -> Result<Option<Self>, HeadError> {
        use pb::control_down::Control as C;
        Ok(pb::ControlDown::decode(record)?.control.map(|c| match c {
            C::Registered(r) => Self::Registered { max_streams: r.max_streams },
            C::Refused(r) => Self::Refused {
                end: match r.code() {
                    pb::RelayErrorCode::Away | pb::RelayErrorCode::Unknown => End::Away,
                    pb::RelayErrorCode::Invalid => End::Invalid,
                    pb::RelayErrorCode::Denied => End::Denied,
                    pb::RelayErrorCode::Overload => End::Overload,
                    pb::RelayErrorCode::TooLarge => End::TooLarge,
                    pb::RelayErrorCode::Replaced => End::Replaced,
                },
                message: r.message,
                retry_after: Duration::from_millis(r.retry_after_ms.into()),
            },
            C::Bye(b) => {
                let min = Duration::from_millis(b.min_delay_ms.into());
                let max = Duration::from_millis(b.max_delay_ms.into()).max(min);
                // A reason that is not known yet is a restart: to come back is the safe reading.
                let end = if b.reason == End::Replaced.name() { End::Replaced } else { End::Restart };
                Self::Bye { end, delay: DelayRange { min, max } }
            }
        }))
    }

    /// The record, with its prefix.
    pub fn to_record(&self) -> Bytes {
        use pb::control_down::Control as C;
        let control = match self {
            Self::Registered { max_streams } => C::Registered(pb::Registered { max_streams: *max_streams }),
            Self::Refused { end, message, retry_after } => C::Refused(pb::RelayRefused {
                code: match end {
                    End::Invalid | End::NotBinary => pb::RelayErrorCode::Invalid,
                    End::Denied | End::Unauthenticated | End::NotFound => pb::RelayErrorCode::Denied,
                    End::Overload | End::Slow => pb::RelayErrorCode::Overload,
                    End::TooLarge => pb::RelayErrorCode::TooLarge,
                    End::Replaced => pb::RelayErrorCode::Replaced,
                    End::Done | End::Cancelled | End::Away | End::Restart | End::Lost | End::Internal => {
                        pb::RelayErrorCode::Away
                    }
                }
                .into(),
                message: message.clone(),
                retry_after_ms: millis(*retry_after),
            }),
            Self::Bye { end, delay } => C::Bye(pb::RelayBye {
                min_delay_ms: millis(delay.min),
                max_delay_ms: millis(delay.max),
                reason: end.name().to_owned(),
            }),
        };
        to_record(&pb::ControlDown { control: Some(control) })
    }
}

fn millis(d: Duration) -> u32 {
    u32::try_from(d.as_millis()).unwrap_or(u32::MAX)
}

/// A header that one side hands on: a lowercase name, and a value without control characters.
#[derive(Clone, PartialEq, Eq)]
pub struct Header {
    name: String,
    value: String,
}

impl Header {
    /// Checks and takes a name and a value. The name is made lowercase.
    ///
    /// # Errors
    /// A name that is not an HTTP token of at most 64 bytes, or a value that holds a control character.
    pub fn new(name: &str, value: &str) -> Result<Self, HeadError> {
        let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
        if name.is_empty() || name.len() > 64 || !name.bytes().all(token) {
            return Err(field("header.name", "an HTTP token of at most 64 bytes"));
        }
        if value.len() > TARGET_MAX || value.chars().any(char::is_control) {
            return Err(field("header.value", "at most 8 KiB without control characters"));
        }
        Ok(Self { name: name.to_ascii_lowercase(), value: value.to_owned() })
    }

    /// Lowercase.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// May be a secret.
    pub fn value(&self) -> &str {
        &self.value
    }
}

impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ..", self.name)
    }
}

fn headers_in(list: Vec<pb::Header>) -> Result<Vec<Header>, HeadError> {
    if list.len() > HEADERS_MAX {
        return Err(field("headers", "at most 32"));
    }
    list.iter().map(|h| Header::new(&h.name, &h.value)).collect()
}

fn headers_out(list: &[Header]) -> Vec<pb::Header> {
    list.iter().map(|h| pb::Header { name: h.name.clone(), value: h.value.clone() }).collect()
}

fn find<'a>(headers: &'a [Header], name: &str) -> Option<&'a str> {
    headers.iter().find(|h| h.name.eq_ignore_ascii_case(name)).map(Header::value)
}

/// What a client asked over HTTP, as far as a relay hands it on.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    method: String,
    target: String,
    headers: Vec<Header>,
}

impl Request {
    /// Checks and takes the parts of a request.
    ///
    /// # Errors
    /// A method that is not 1 to 16 capital letters, a target that does not begin with `/` or holds anything but
    /// visible ASCII, more than [`HEADERS_MAX`] headers.
    pub fn new(method: &str, target: &str, headers: Vec<Header>) -> Result<Self, HeadError> {
        if method.is_empty() || method.len() > 16 || !method.bytes().all(|b| b.is_ascii_uppercase()) {
            return Err(field("method", "1 to 16 capital letters"));
        }
        if !target.starts_with('/') || target.len() > TARGET_MAX || !target.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(field("target", "a path of visible ASCII, at most 8 KiB"));
        }
        if headers.len() > HEADERS_MAX {
            return Err(field("headers", "at most 32"));
        }
        Ok(Self { method: method.to_owned(), target: target.to_owned(), headers })
    }

    /// `GET`, `POST` ...
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Path and query below `/b/<box id>`. The query may hold a ticket.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The path alone: what a log may show.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// The headers that matter.
    pub fn headers(&self) -> &[Header] {
        &self.headers
    }

    /// The first header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        find(&self.headers, name)
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path())
    }
}

/// How a client came to the relay, and with it what follows [`Bridged`] on the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carried {
    /// Over QUIC. A `StreamHead` follows, and everything that a direct stream carries.
    Quic,
    /// Over a WebSocket that stands once the box has answered [`BridgedReply`] with 101. Records follow, both ways.
    WebSocket(Request),
    /// By a plain HTTP call. The body follows until FIN; [`BridgedReply`] and the answer's body come back.
    Http(Request),
}

/// First record that a relay writes on a stream to a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bridged {
    /// How the client came.
    pub carried: Carried,
    /// Address of the client as the relay sees it. Never a ground for authority. `None`: not said.
    pub peer: Option<SocketAddr>,
    /// The client's head came in early data and may be a copy.
    pub early: bool,
}

impl Bridged {
    /// Checks one record, its prefix taken off.
    ///
    /// # Errors
    /// Says which field is not as it must be.
    pub fn decode(record: &[u8]) -> Result<Self, HeadError> {
        let b = pb::Bridged::decode(record)?;
        version(b.v)?;
        let carrier = b.carrier();
        let request = |b: pb::Bridged| Request::new(&b.method, &b.target, headers_in(b.headers)?);
        let (peer, early) = (b.peer.parse().ok(), b.early);
        let carried = match carrier {
            pb::Carrier::Quic => Carried::Quic,
            pb::Carrier::Websocket => Carried::WebSocket(request(b)?),
            pb::Carrier::Http => Carried::Http(request(b)?),
            pb::Carrier::Unknown => return Err(field("carrier", "QUIC, WEBSOCKET or HTTP")),
        };
        Ok(Self { carried, peer, early })
    }

    /// The record, with its prefix.
    pub fn to_record(&self) -> Bytes {
        let (carrier, request) = match &self.carried {
            Carried::Quic => (pb::Carrier::Quic, None),
            Carried::WebSocket(r) => (pb::Carrier::Websocket, Some(r)),
            Carried::Http(r) => (pb::Carrier::Http, Some(r)),
        };
        to_record(&pb::Bridged {
            v: VERSION,
            carrier: carrier.into(),
            peer: self.peer.map(|p| p.to_string()).unwrap_or_default(),
            method: request.map(|r| r.method.clone()).unwrap_or_default(),
            target: request.map(|r| r.target.clone()).unwrap_or_default(),
            headers: request.map(|r| headers_out(&r.headers)).unwrap_or_default(),
            early: self.early,
        })
    }
}

/// First record that a box writes back on a bridged WebSocket or HTTP call. An answer's body follows until FIN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BridgedReply {
    status: u16,
    headers: Vec<Header>,
}

impl BridgedReply {
    /// Checks and takes a status and headers.
    ///
    /// # Errors
    /// A status outside 101 and 200 to 599, more than [`HEADERS_MAX`] headers.
    pub fn new(status: u16, headers: Vec<Header>) -> Result<Self, HeadError> {
        if status != 101 && !(200..600).contains(&status) {
            return Err(field("status", "101, or 200 to 599"));
        }
        if headers.len() > HEADERS_MAX {
            return Err(field("headers", "at most 32"));
        }
        Ok(Self { status, headers })
    }

    /// The WebSocket stands.
    pub fn switching() -> Self {
        Self { status: 101, headers: Vec::new() }
    }

    /// HTTP status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Headers of the answer.
    pub fn headers(&self) -> &[Header] {
        &self.headers
    }

    /// The first header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        find(&self.headers, name)
    }

    /// Checks one record, its prefix taken off.
    ///
    /// # Errors
    /// Says which field is not as it must be.
    pub fn decode(record: &[u8]) -> Result<Self, HeadError> {
        let reply = pb::BridgedReply::decode(record)?;
        let status = u16::try_from(reply.status).map_err(|_| field("status", "101, or 200 to 599"))?;
        Self::new(status, headers_in(reply.headers)?)
    }

    /// The record, with its prefix.
    pub fn to_record(&self) -> Bytes {
        to_record(&pb::BridgedReply { status: self.status.into(), headers: headers_out(&self.headers) })
    }
}

#[cfg(test)]
mod tests;
