//! HTTP requests to the box, however they came: straight to its listener, or carried by a relay.
//!
//! One function answers both, so that a rule which holds at one door holds at the other. It takes a request apart from
//! its carrier and gives a [`Reply`]; the edges write that in their own way.

use std::future::Future;
use std::pin::Pin;

use bytes::Bytes;
use bytes::BytesMut;
use hyper::HeaderMap;
use hyper::Method;
use hyper::header;
use std::time::Duration;
use tokio::time::timeout;

use vyre_proto::ids::ClientId;
use vyre_proto::ids::SessionId;
use vyre_proto::json::code_status;
use vyre_proto::limits::EVENT_LINE_MAX;
use vyre_proto::pb::stream::ErrorCode;
use vyre_proto::sse::LastEventId;

use crate::edge::guard::Doors;
use crate::edge::sse::EventStream;
use crate::rules::authority::Act;
use crate::rules::caller::Caller;
use crate::rules::ticket::Shown;
use crate::rules::ticket::Wanted;
use crate::session::Asked;
use crate::session::AttachRequest;
use crate::session::Reader;
use crate::tools::CalledBy;
use crate::tools::Format;
use crate::tools::Via;
use crate::tools::error::ToolError;
use crate::tools::event::LineIntake;
use crate::tools::gate;
use crate::tools::stream;
use crate::tools::term;
use crate::tools::term::Seat;
use crate::tools::term::Seated;

/// Longest body of a call: a record, and room for JSON around the events in it.
const BODY_MAX: usize = EVENT_LINE_MAX + 64 * 1024;

/// Longest request target.
const TARGET_MAX: usize = 8 * 1024;

/// How long the body of a call may take in all.
const BODY_LIMIT: Duration = Duration::from_secs(30);

/// How long a body of lines may stay silent. A producer that is silent for longer uses a publish stream.
const LINES_SILENCE: Duration = Duration::from_secs(600);

/// A request without its carrier.
pub struct Ask<'a> {
    /// Its way. A relay's name stands in `Host`.
    pub via: Via,
    /// Its method.
    pub method: &'a Method,
    /// Path and query. May hold a ticket: never to be shown.
    pub target: &'a str,
    /// Its headers.
    pub headers: &'a HeaderMap,
    /// It wants to become a WebSocket, and its carrier can do that.
    pub socket: bool,
}

/// A body that comes piece by piece.
pub trait Body: Send {
    /// The next piece; `None` at the end.
    fn piece(&mut self) -> Pin<Box<dyn Future<Output = Result<Option<Bytes>, ToolError>> + Send + '_>>;
}

/// What a WebSocket is for.
#[derive(Debug)]
pub enum Upgrade {
    /// The frames of a session.
    Read(Reader),
    /// Events of this producer.
    Publish(Caller),
    /// A screen on a terminal.
    Term(Box<Seat>),
}

/// An answer without its carrier.
pub enum Reply {
    /// A whole one.
    Whole(Whole),
    /// Server-sent events.
    Events(EventStream, Vec<(&'static str, String)>),
    /// A WebSocket stands.
    Socket(Upgrade),
}

/// A whole answer.
pub struct Whole {
    /// Its status.
    pub status: u16,
    /// Its headers, beside those that every answer has.
    pub headers: Vec<(&'static str, String)>,
    /// Its body.
    pub body: Bytes,
}

/// Headers of every answer. Nothing here is for a cache, to be guessed at, or to be framed.
pub const ALWAYS: &[(&str, &str)] = &[
    ("cache-control", "no-store"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
];

/// A route, by its name alone: what a log may show of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Route<'a> {
    Health,
    Tool(&'a str),
    Session,
    Publish,
    Term,
}

/// Answers a request.
pub async fn answer(doors: &Doors, ask: &Ask<'_>, body: &mut dyn Body) -> Reply {
    let allowed = doors.pages().allowed(ask.headers).map(str::to_owned);
    let mut reply = match routed(doors, ask, body).await {
        Ok(reply) => reply,
        Err(error) => Reply::Whole(Whole::error(&error)),
    };
    if let (Some(origin), Reply::Whole(Whole { headers, .. }) | Reply::Events(_, headers)) = (allowed, &mut reply) {
        headers.push(("access-control-allow-origin", origin));
        headers.push(("vary", "origin".to_owned()));
    }
    reply
}

async fn routed(doors: &Doors, ask: &Ask<'_>, body: &mut dyn Body) -> Result<Reply, ToolError> {
    if ask.target.len() > TARGET_MAX {
        return Err(ToolError::too_large(format!("the request target is longer than {TARGET_MAX} bytes")));
    }
    let (path, query) = ask.target.split_once('?').unwrap_or((ask.target, ""));
    let foreign = match ask.via {
        Via::Direct => doors.pages().check_direct(ask.headers),
        Via::Relay => doors.pages().check_relayed(ask.headers),
    };
    foreign.map_err(|f| ToolError::new(ErrorCode::Denied, f.to_string()))?;
    let route = match path {
        "/v1/health" => Route::Health,
        "/v1/streams/stream/session" => Route::Session,
        "/v1/streams/publish" => Route::Publish,
        "/v1/streams/term" => Route::Term,
        _ => match path.strip_prefix("/v1/tools/") {
            Some(tool) => Route::Tool(tool),
            None => {
                return Err(ToolError::new(
                    ErrorCode::NotFound,
                    "there is nothing at this path; everything is under /v1/",
                ));
            }
        },
    };
    if ask.method == Method::OPTIONS {
        return Ok(Reply::Whole(preflight()));
    }
    match (route, ask.method == Method::POST, ask.method == Method::GET) {
        (Route::Health, _, true) => Ok(Reply::Whole(health())),
        (Route::Tool(tool), true, _) => call(doors, ask, tool, body).await.map(Reply::Whole),
        (Route::Session, _, true) => session(doors, ask, query).await,
        (Route::Publish, _, true) => publish(doors, ask),
        (Route::Term, _, true) => terminal(doors, ask, query).await,
        (Route::Tool(_), false, _) => Ok(Reply::Whole(wrong_method("POST"))),
        (Route::Health | Route::Session | Route::Publish | Route::Term, _, false) => {
            Ok(Reply::Whole(wrong_method("GET")))
        }
    }
}

fn health() -> Whole {
    Whole::json(200, &serde_json::json!({ "ok": true, "version": env!("CARGO_PKG_VERSION") }))
}

/// To a browser that asks what a page of an allowed origin may send. To others it allows nothing.
fn preflight() -> Whole {
    let headers = vec![
        ("access-control-allow-methods", "GET, POST".to_owned()),
        ("access-control-allow-headers", "authorization, content-type, idempotency-key, last-event-id".to_owned()),
        ("access-control-max-age", "600".to_owned()),
    ];
    Whole { status: 204, headers, body: Bytes::new() }
}

fn wrong_method(right: &str) -> Whole {
    let error = ToolError::invalid(format!("this path takes {right}"));
    Whole { status: 405, headers: vec![("allow", right.to_owned()), JSON()], body: error.to_json().to_string().into() }
}

#[allow(non_snake_case)]
fn JSON() -> (&'static str, String) {
    ("content-type", "application/json".to_owned())
}

impl Whole {
    fn json(status: u16, value: &serde_json::Value) -> Whole {
        Whole { status, headers: vec![JSON()], body: value.to_string().into() }
    }

    /// The answer to an error.
    pub fn error(error: &ToolError) -> Whole {
        let mut whole = Whole::json(code_status(error.code()), &error.to_json());
        if let Some(after) = error.retry_after() {
            whole.headers.push(("retry-after", after.as_secs().max(1).to_string()));
        }
        if error.code() == ErrorCode::Unauthenticated {
            whole.headers.push(("www-authenticate", "Bearer".to_owned()));
        }
        whole
    }
}

/// The caller that the `Authorization` header proves; `None` where there is no such header.
fn bearer(doors: &Doors, headers: &HeaderMap) -> Result<Option<Caller>, ToolError> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let Some(first) = all.next() else { return Ok(None) };
    let token =
        first.to_str().ok().and_then(|v| v.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    match (token, all.next()) {
        (Some((_, token)), None) => doors.caller(token.trim()).map(Some),
        _ => Err(ToolError::unauthenticated("the Authorization header must be `Bearer <token>`, once")),
    }
}

fn need_bearer(doors: &Doors, headers: &HeaderMap) -> Result<Caller, ToolError> {
    bearer(doors, headers)?.ok_or_else(|| ToolError::unauthenticated("send `Authorization: Bearer <token>`"))
}

/// What a body is written in.
enum Written {
    As(Format),
    Lines,
}

fn written(headers: &HeaderMap) -> Result<Written, ToolError> {
    let text = headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or("");
    let kind = text.split(';').next().unwrap_or("").trim();
    // A browser sends other types across origins without asking first, so nothing else may pass.
    if kind.eq_ignore_ascii_case("application/json") {
        Ok(Written::As(Format::Json))
    } else if kind.eq_ignore_ascii_case("application/x-protobuf") {
        Ok(Written::As(Format::Protobuf))
    } else if kind.eq_ignore_ascii_case("application/x-ndjson") {
        Ok(Written::Lines)
    } else {
        Err(ToolError::invalid("Content-Type must be application/json, application/x-protobuf or application/x-ndjson"))
    }
}

async fn call(doors: &Doors, ask: &Ask<'_>, tool: &str, body: &mut dyn Body) -> Result<Whole, ToolError> {
    let by = CalledBy { caller: bearer(doors, ask.headers)?.unwrap_or(Caller::Nobody), device: None, via: ask.via };
    doors.tools().admit(&by.caller, tool)?;
    match written(ask.headers)? {
        Written::Lines if tool == "events.publish" => {
            let mut lines = LineIntake::new(doors.tools());
            loop {
                let piece = timeout(LINES_SILENCE, body.piece()).await.map_err(|_| {
                    ToolError::invalid("nothing came for 10 minutes; a producer that stays uses /v1/streams/publish")
                })??;
                match piece {
                    Some(piece) => lines.push(&piece).await?,
                    None => break,
                }
            }
            Ok(Whole::json(200, &lines.finish().await?.to_json()))
        }
        Written::Lines => Err(ToolError::invalid("only events.publish takes application/x-ndjson")),
        Written::As(format) => {
            let body = timeout(BODY_LIMIT, collect(body))
                .await
                .map_err(|_| ToolError::invalid("the body took longer than 30 s"))??;
            let key = idempotency_key(ask.headers)?;
            let answer = doors.tools().call(&by, tool, key, format, body).await?;
            let kind = match format {
                Format::Json => "application/json",
                Format::Protobuf => "application/x-protobuf",
            };
            Ok(Whole { status: 200, headers: vec![("content-type", kind.to_owned())], body: answer })
        }
    }
}

/// What the caller knows this call by; empty where there is no such header.
fn idempotency_key(headers: &HeaderMap) -> Result<&str, ToolError> {
    let mut all = headers.get_all("idempotency-key").iter();
    match (all.next(), all.next()) {
        (None, _) => Ok(""),
        (Some(key), None) => {
            key.to_str().map_err(|_| ToolError::invalid("the Idempotency-Key must be visible ASCII characters"))
        }
        (Some(_), Some(_)) => Err(ToolError::invalid("there are two Idempotency-Key headers")),
    }
}

async fn collect(body: &mut dyn Body) -> Result<Bytes, ToolError> {
    let mut all = BytesMut::new();
    while let Some(piece) = body.piece().await? {
        if all.len() + piece.len() > BODY_MAX {
            let hint = "events go in smaller calls, or as application/x-ndjson";
            return Err(ToolError::too_large(format!("the body is longer than {BODY_MAX} bytes; {hint}")));
        }
        all.extend_from_slice(&piece);
    }
    Ok(all.freeze())
}

fn publish(doors: &Doors, ask: &Ask<'_>) -> Result<Reply, ToolError> {
    if !ask.socket {
        return Err(ToolError::invalid("this path is a WebSocket"));
    }
    let caller = need_bearer(doors, ask.headers)?;
    gate::may(&caller, Act::Publish)?;
    Ok(Reply::Socket(Upgrade::Publish(caller)))
}

/// A screen on a terminal. A ticket alone opens it: with a bearer token `term.attach` gives one.
async fn terminal(doors: &Doors, ask: &Ask<'_>, query: &str) -> Result<Reply, ToolError> {
    if !ask.socket {
        return Err(ToolError::invalid("this path is a WebSocket"));
    }
    let query = Query::parse(query)?;
    let named = bearer(doors, ask.headers)?;
    let ticket = query.ticket.as_deref().ok_or_else(|| {
        ToolError::unauthenticated("`ticket` is missing in the query; term.open and term.attach give one")
    })?;
    let shown = Shown { caller: named.as_ref(), device: None, session: None, wanted: Wanted::Terminal };
    let how = Seated { from: query.from, surface: &query.surface, via: ask.via };
    let seat = term::redeem(doors.tools(), ticket, shown, how).await?;
    Ok(Reply::Socket(Upgrade::Term(Box::new(seat))))
}

/// What stands in the query of a stream.
#[derive(Debug, Default, PartialEq, Eq)]
struct Query {
    ticket: Option<String>,
    session: Option<SessionId>,
    from: Option<u64>,
    log: Option<vyre_proto::ids::LogId>,
    view: Option<u64>,
    client: Option<ClientId>,
    attempt: u64,
    unmerged: bool,
    surface: String,
}

impl Query {
    /// Refuses what it does not understand, and what is there twice. Names fields and never their values.
    fn parse(text: &str) -> Result<Query, ToolError> {
        let mut query = Query::default();
        let mut seen = Vec::new();
        for (name, value) in text.split('&').filter(|p| !p.is_empty()).map(|p| p.split_once('=').unwrap_or((p, ""))) {
            if seen.contains(&name) {
                return Err(ToolError::invalid("a parameter of the query is there twice"));
            }
            seen.push(name);
            let value = percent_decode(value)?;
            match name {
                "ticket" => query.ticket = Some(value),
                "session" => query.session = Some(SessionId::parse(&value)?),
                "from" => query.from = Some(number("from", &value)?),
                "log" => query.log = Some(value.parse()?),
                "view" => query.view = Some(number("view", &value)?),
                "client" => query.client = Some(value.parse()?),
                "attempt" => query.attempt = number("attempt", &value)?,
                "surface" => query.surface = value,
                "merge" if value == "none" => query.unmerged = true,
                "merge" => return Err(ToolError::invalid("`merge` can only be `none`")),
                _ => {} // Of a newer version.
            }
        }
        Ok(query)
    }

    fn request(&self, last: Option<LastEventId>) -> AttachRequest {
        let mut asked = Asked { from: self.from.unwrap_or(0), log: self.log, view: self.view };
        if let Some(last) = last {
            asked.from = last.cur.get();
            asked.log = last.log.or(self.log);
        }
        AttachRequest { asked, unmerged: self.unmerged, client: self.client.map(|c| (c, self.attempt)) }
    }
}

fn number(name: &str, value: &str) -> Result<u64, ToolError> {
    // `parse` alone would take a plus sign.
    let digits = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
    value
        .parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| ToolError::invalid(format!("`{name}` must be a whole number from 0 to 2^64 - 1")))
}

fn percent_decode(text: &str) -> Result<String, ToolError> {
    if !text.contains('%') {
        return Ok(text.to_owned());
    }
    let bad = || ToolError::invalid("the query is not percent-encoded UTF-8");
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(b) = bytes.next() {
        if b != b'%' {
            out.push(b);
            continue;
        }
        let mut digit = || bytes.next().and_then(|d| char::from(d).to_digit(16)).ok_or_else(bad);
        let (high, low) = (digit()?, digit()?);
        out.push(u8::try_from(high * 16 + low).map_err(|_| bad())?);
    }
    String::from_utf8(out).map_err(|_| bad())
}

async fn session(doors: &Doors, ask: &Ask<'_>, query: &str) -> Result<Reply, ToolError> {
    let query = Query::parse(query)?;
    let events = !ask.socket && wants_events(ask.headers);
    if !ask.socket && !events {
        return Err(ToolError::invalid("ask for a WebSocket, or for events with `Accept: text/event-stream`"));
    }
    let last = if events { last_event_id(ask.headers)? } else { None };
    let named = bearer(doors, ask.headers)?;
    let admitted = match (&query.ticket, named) {
        (Some(ticket), named) => {
            let shown = Shown {
                caller: named.as_ref(),
                device: None,
                session: query.session.as_ref(),
                wanted: Wanted::Session,
            };
            stream::redeem(doors.tools(), ticket, shown).await?
        }
        // A bearer token in the header opens and attaches in one: no ticket could be stolen on the way. A page cannot send
        // that header with a WebSocket, so a ticket is what it has.
        (None, Some(caller)) => {
            let id = query.session.as_ref().ok_or_else(|| ToolError::invalid("`session` is missing in the query"))?;
            stream::readable(doors.tools(), &caller, id).await?
        }
        (None, None) => {
            let hint =
                "send `Authorization: Bearer <token>` with `session` in the query, or the `ticket` of a stream.open";
            return Err(ToolError::unauthenticated(hint));
        }
    };
    let log = admitted.session.bounds().log;
    let reader = admitted.attach(query.request(last));
    if ask.socket {
        Ok(Reply::Socket(Upgrade::Read(reader)))
    } else {
        let headers = [
            ("content-type", "text/event-stream"),
            ("cache-control", "no-store, no-transform"),
            ("x-accel-buffering", "no"),
        ];
        Ok(Reply::Events(EventStream::new(reader, log), headers.map(|(n, v)| (n, v.to_owned())).to_vec()))
    }
}

fn wants_events(headers: &HeaderMap) -> bool {
    let accepts = headers.get_all(header::ACCEPT).iter().filter_map(|v| v.to_str().ok());
    accepts
        .flat_map(|v| v.split(','))
        .any(|part| part.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/event-stream")))
}

fn last_event_id(headers: &HeaderMap) -> Result<Option<LastEventId>, ToolError> {
    match headers.get("last-event-id") {
        None => Ok(None),
        Some(value) if value.is_empty() => Ok(None),
        Some(value) => value
            .to_str()
            .ok()
            .and_then(|v| v.parse().ok())
            .map(Some)
            .ok_or_else(|| ToolError::invalid("Last-Event-ID must be `<log>:<cursor>`, or a cursor alone")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_that_are_no_numbers_are_refused_by_name() {
        for from in ["-1", "+1", "1.0", "x", "", "0x10", "18446744073709551616", "%31%", "%zz", "%ff", " 1"] {
            let e = Query::parse(&format!("ticket=secret&from={from}")).unwrap_err();

            assert_eq!(e.code(), ErrorCode::Invalid, "{from}");
            assert!(!e.message().contains("secret"));
        }
    }

    #[test]
    fn a_huge_position_is_a_number() {
        assert_eq!(Query::parse("from=18446744073709551615").unwrap().from, Some(u64::MAX));
        assert_eq!(Query::parse("from=%31%30").unwrap().from, Some(10));
    }

    #[test]
    fn what_is_there_twice_is_refused() {
        assert!(Query::parse("from=1&from=2").is_err());
        assert!(Query::parse("ticket=a&ticket=b").is_err());
    }

    #[test]
    fn parameters_of_a_newer_version_are_passed_over() {
        assert_eq!(Query::parse("from=1&later=x&&flag").unwrap(), Query { from: Some(1), ..Query::default() });
    }
}
