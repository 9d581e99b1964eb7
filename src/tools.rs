//! Tools: a call by its name to its handler.
//!
//! The same calls come over HTTP and as records of a native stream; here they have become a caller, a name and a body.
//! Authority decides before anything is made, and every error leaves as a [`ToolError`]: a code, a sentence, no secret.

pub mod ask;
pub mod error;
pub mod event;
pub mod gate;
pub mod history;
pub mod name;
mod once;
pub mod presence;
pub mod room;
pub mod steer;
pub mod stream;
pub mod term;
pub mod thread;
pub mod ticket;

use std::sync::Arc;

use bytes::Bytes;
use prost::Message;
use serde::Serialize;
use serde::de::DeserializeOwned;

use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::ErrorCode;

use crate::clock::Clock;
use crate::reach::Reach;
use crate::rules::authority::Act;
use crate::rules::authority::Refusal;
use crate::rules::caller::ActsFor;
use crate::rules::caller::Caller;
use crate::rules::caller::Person;
use crate::rules::caller::ProducerName;
use crate::rules::caller::TokenId;
use crate::rules::surface;
use crate::rules::ticket::DeviceKey;
use crate::rules::ticket::TicketLimits;
use crate::session::Sessions;
use crate::store::Store;
use crate::store::StoreError;
use crate::store::TokenOwner;
use crate::tools::error::ToolError;
use crate::tools::gate::Authority;
use crate::tools::gate::Participants;
use crate::tools::name::Tool;
use crate::tools::term::Shells;
use crate::tools::ticket::TicketDesk;

/// How a body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// proto3 JSON; an event in it is the JSON object of event files.
    Json,
    /// The tool's message in protobuf.
    Protobuf,
}

/// Everything that a call may touch. Cheap to clone.
#[derive(Clone)]
pub struct Tools(Arc<Inner>);

struct Inner {
    sessions: Sessions,
    store: Store,
    clock: Clock,
    reach: Reach,
    tickets: TicketDesk,
    authority: Box<dyn Authority>,
    terminals: Shells,
}

/// By which way a call or a stream came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// Straight to the box.
    Direct,
    /// Through a relay.
    Relay,
}

/// What a box may have or not have.
pub struct Beside {
    /// Who may do what.
    pub authority: Box<dyn Authority>,
    /// Terminals.
    pub shells: Shells,
}

impl Default for Beside {
    /// The rule of participants alone, and no terminals.
    fn default() -> Self {
        Beside { authority: Box::new(Participants), shells: Shells::default() }
    }
}

/// Who calls, and from what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalledBy {
    /// Proven by a token or a ticket.
    pub caller: Caller,
    /// Proven by the connection.
    pub device: Option<DeviceKey>,
    /// Its way.
    pub via: Via,
}

impl Tools {
    /// The tools of one box, under the rule of participants, without terminals.
    pub fn new(sessions: Sessions, store: Store, clock: Clock, reach: Reach) -> Self {
        Self::with(sessions, store, clock, reach, Beside::default())
    }

    /// The tools of one box, with what stands beside it.
    pub fn with(sessions: Sessions, store: Store, clock: Clock, reach: Reach, beside: Beside) -> Self {
        let tickets = TicketDesk::new(clock.clone(), TicketLimits::default());
        let (authority, terminals) = (beside.authority, beside.shells);
        Self(Arc::new(Inner { sessions, store, clock, reach, tickets, authority, terminals }))
    }

    /// Whose bearer token this is.
    pub fn caller_of(&self, token: &str) -> Option<Caller> {
        let hash = ticket::sha256(token);
        let caller = match self.0.store.token(&hash)? {
            TokenOwner::Person(author) => Person::new(author).map(Caller::Person),
            TokenOwner::Assistant { assistant, asker } => {
                ActsFor::new(assistant, Person::new(asker)?).map(Caller::Assistant)
            }
            TokenOwner::Owner(author) => Person::new(author).map(|person| Caller::Person(person.owning())),
            TokenOwner::Producer(name) => ProducerName::parse(&name).ok().map(Caller::Producer),
        };
        caller.map(|c| c.by_token(TokenId::of(&hash)))
    }

    /// Whether the token that this caller showed was taken back since.
    pub fn is_signed_out(&self, caller: &Caller) -> bool {
        caller.token().is_some_and(|id| self.0.store.is_revoked(id))
    }

    /// Waits until the token that this caller showed is taken back; for ever where none was shown. Cancel-safe.
    pub async fn signed_out(&self, caller: &Caller) {
        match caller.token() {
            Some(id) => self.0.store.revoked(id).await,
            None => std::future::pending().await,
        }
    }

    /// Takes a token back, with all that stands on it: open streams end, tickets die. Gives whose it was. Blocks.
    pub fn revoke_token(&self, id: TokenId) -> Result<Option<TokenOwner>, StoreError> {
        let owner = self.0.store.revoke_token(id)?;
        self.0.sessions.sign_out(id);
        Ok(owner)
    }

    /// The tickets that wait to be spent.
    pub fn tickets(&self) -> &TicketDesk {
        &self.0.tickets
    }

    /// The sessions of this box.
    pub fn sessions(&self) -> &Sessions {
        &self.0.sessions
    }

    /// The clock that all of this box goes by.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// The tool of this name, if this caller may call it at all. An edge asks before it reads a body.
    pub fn admit(&self, caller: &Caller, name: &str) -> Result<Tool, ToolError> {
        if *caller == Caller::Nobody || self.is_signed_out(caller) {
            // Who proves nothing does not learn which tools there are.
            return Err(Refusal::Nobody.into());
        }
        let tool = Tool::parse(name)
            .ok_or_else(|| ToolError::new(ErrorCode::NotFound, "there is no tool of this name".to_owned()))?;
        surface::admit(caller.kind(), tool.name())?;
        Ok(tool)
    }

    /// Calls a tool by its name. `key` is the caller's idempotency key; empty: none.
    pub async fn call(
        &self,
        by: &CalledBy,
        name: &str,
        key: &str,
        format: Format,
        body: Bytes,
    ) -> Result<Bytes, ToolError> {
        let tool = self.admit(&by.caller, name)?;
        match tool {
            Tool::StreamOpen => {
                let request: pb::StreamOpen = decode(format, body)?;
                encode(format, &stream::open(self, by, &request).await?)
            }
            Tool::StreamSend => encode(format, &steer::send(self, by, &decode(format, body)?).await?),
            Tool::StreamUnqueue => encode(format, &steer::unqueue(self, by, &decode(format, body)?).await?),
            Tool::StreamStop => encode(format, &steer::stop(self, by, &decode(format, body)?).await?),
            Tool::StreamReact => encode(format, &steer::react(self, by, &decode(format, body)?).await?),
            Tool::StreamPin => encode(format, &steer::pin(self, by, &decode(format, body)?).await?),
            Tool::ThreadsEditRetry => encode(format, &thread::edit_retry(self, by, key, &decode(format, body)?).await?),
            Tool::ThreadsRetry => encode(format, &thread::retry(self, by, key, &decode(format, body)?).await?),
            Tool::ThreadsBranch => encode(format, &thread::branch(self, by, key, &decode(format, body)?).await?),
            Tool::StreamPresence => encode(format, &presence::present(self, by, &decode(format, body)?).await?),
            Tool::StreamRead => encode(format, &presence::read(self, by, &decode(format, body)?).await?),
            Tool::StreamHistory => encode(format, &history::page(self, by, &decode(format, body)?).await?),
            Tool::StreamFanoutKeep => encode(format, &room::keep(self, by, &decode(format, body)?).await?),
            Tool::AskAnswer => encode(format, &ask::answer(self, by, &decode(format, body)?).await?),
            Tool::SessionsCreate => encode(format, &room::create(self, by, &decode(format, body)?).await?),
            Tool::SessionsJoin => encode(format, &room::join(self, by, &decode(format, body)?).await?),
            Tool::SessionsLeave => encode(format, &room::leave(self, by, &decode(format, body)?).await?),
            Tool::SessionsRemove => encode(format, &room::remove(self, by, &decode(format, body)?).await?),
            Tool::SessionsAssign => encode(format, &room::assign(self, by, &decode(format, body)?).await?),
            Tool::SessionsList => {
                let pb::SessionsList {} = decode(format, body)?;
                encode(format, &room::list(self, &by.caller).await?)
            }
            Tool::EventsPublish => {
                gate::may(&by.caller, Act::Publish)?;
                event::publish(self, format, body).await
            }
            Tool::TermOpen => encode(format, &term::open(self, by, &decode(format, body)?).await?),
            Tool::TermAttach => encode(format, &term::attach(self, by, &decode(format, body)?).await?),
            Tool::TermClose => encode(format, &term::close(self, by, &decode(format, body)?).await?),
            Tool::TermList => encode(format, &term::list(self, by, &decode(format, body)?).await?),
            Tool::StreamBlob | Tool::PairOffer | Tool::PairClaim | Tool::DevicesList | Tool::DevicesRevoke => {
                let message =
                    format!("{} is part of the contract, but this version of the box does not serve it", tool.name());
                Err(ToolError::new(ErrorCode::Unavailable, message))
            }
        }
    }
}

/// Makes a bearer token for this caller, as text. It exists nowhere else. Blocks until its hash is on disk.
pub fn new_token(store: &Store, clock: &Clock, caller: &Caller) -> Result<String, ToolError> {
    let token = ticket::new_secret(clock);
    let owner = match caller {
        Caller::Person(person) if person.is_owner() => TokenOwner::Owner(person.author().clone()),
        Caller::Person(person) => TokenOwner::Person(person.author().clone()),
        Caller::Assistant(acts) => {
            TokenOwner::Assistant { assistant: acts.assistant().clone(), asker: acts.asker().author().clone() }
        }
        Caller::Device(_) | Caller::Nobody => {
            return Err(ToolError::invalid("only persons, assistants and producers have tokens"));
        }
        Caller::Producer(name) => TokenOwner::Producer(name.as_str().to_owned()),
    };
    store.put_token(ticket::sha256(&token), &owner).map_err(|e| ToolError::unavailable(e.to_string()))?;
    Ok(token)
}

/// A request's message. An empty body is the empty message.
fn decode<M: Message + Default + DeserializeOwned>(format: Format, body: Bytes) -> Result<M, ToolError> {
    match format {
        Format::Protobuf => {
            M::decode(body).map_err(|e| ToolError::invalid(format!("the body is not this tool's message: {e}")))
        }
        Format::Json if body.is_empty() => Ok(M::default()),
        Format::Json => serde_json::from_slice(&body).map_err(|e| ToolError::invalid(json_error("the body", &e))),
    }
}

/// Where JSON is wrong, without the words that stand there.
fn json_error(what: &str, e: &serde_json::Error) -> String {
    let how = match e.classify() {
        serde_json::error::Category::Io | serde_json::error::Category::Syntax => "is not JSON",
        serde_json::error::Category::Eof => "ends too early",
        serde_json::error::Category::Data => "has a field of the wrong type or range",
    };
    format!("{what} {how}, at line {} column {}", e.line(), e.column())
}

fn encode<M: Message + Serialize>(format: Format, answer: &M) -> Result<Bytes, ToolError> {
    match format {
        Format::Protobuf => Ok(answer.encode_to_vec().into()),
        Format::Json => serde_json::to_vec(answer)
            .map(Bytes::from)
            .map_err(|_| ToolError::new(ErrorCode::Internal, "the answer could not be written as JSON")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_that_does_not_fit_is_refused_without_its_words() {
        for from in ["-1", "\"-1\"", "\"x\"", "1e30", "18446744073709551616", "[]", "\"secret\""] {
            let body = Bytes::from(format!("{{\"session\":\"s\",\"from\":{from}}}"));

            let e = decode::<pb::StreamOpen>(Format::Json, body).unwrap_err();

            assert_eq!(e.code(), ErrorCode::Invalid, "{from}");
            assert!(!e.message().contains("secret"));
        }
    }

    #[test]
    fn unknown_fields_are_no_error() {
        let body = Bytes::from_static(b"{\"session\":\"s\",\"from\":\"7\",\"later\":{\"x\":[1]}}");

        let open: pb::StreamOpen = decode(Format::Json, body).unwrap();

        assert_eq!((open.session.as_str(), open.from), ("s", 7));
    }

    #[test]
    fn an_empty_body_is_the_empty_message() {
        assert!(decode::<pb::SessionsList>(Format::Json, Bytes::new()).is_ok());
        assert!(decode::<pb::SessionsList>(Format::Protobuf, Bytes::new()).is_ok());
    }
}
