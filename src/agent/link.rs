//! A running agent that has been greeted: it knows the session's folder, and can be prompted.

use std::path::Path;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

use agent_client_protocol_schema::ProtocolVersion;
use agent_client_protocol_schema::v1 as acp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use tokio::time::timeout;

use crate::agent::child::Child;
use crate::agent::child::Launch;
use crate::agent::child::Line;
use crate::process::guard::NOT_STARTED;
use crate::rules::acp::wire;
use crate::rules::acp::wire::Incoming;

/// Why an agent cannot be talked to, for persons. Never holds what it said.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// The program is not there, or may not be run.
    #[error("the assistant's program could not be started: {0}")]
    Start(std::io::Error),
    /// It does not answer.
    #[error("the assistant did not answer within {} s", .0.as_secs())]
    Silent(Duration),
    /// It ended.
    #[error("the assistant's program ended{}", exit_words(.0))]
    Ended(Option<ExitStatus>),
    /// It speaks another version.
    #[error("the assistant speaks version {0} of its protocol, and this box version 1")]
    Version(u16),
    /// It wants somebody to log in.
    #[error("the assistant wants a login: run its program once by hand on the machine of this box")]
    Login,
    /// It refuses.
    #[error("the assistant refused to begin (its error {0})")]
    Refused(i32),
    /// It answers something else than its protocol has.
    #[error("the assistant gave an answer that its protocol does not have")]
    Answer,
}

/// How a program ended, in words that go behind "ended".
pub fn exit_words(status: &Option<ExitStatus>) -> String {
    use std::os::unix::process::ExitStatusExt;
    let Some(status) = status else { return String::new() };
    match (status.code(), status.signal()) {
        (Some(NOT_STARTED), _) => " at once: it was not found, or may not be run".to_owned(),
        (Some(code @ 129..=192), _) => format!(" by signal {}", code - 128),
        (Some(code), _) => format!(" with exit code {code}"),
        (None, Some(signal)) => format!(" by signal {signal}"),
        (None, None) => String::new(),
    }
}

/// What came of the attempt to go on with an earlier conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// There was none.
    New,
    /// The agent has it.
    Kept,
    /// The agent does not have it any more, or never keeps one.
    Lost,
}

/// A greeted agent.
#[derive(Debug)]
pub struct Link {
    child: Child,
    next: i64,
    conversation: acp::SessionId,
    folder: PathBuf,
    /// What the agent knows of what was said here before.
    pub memory: Memory,
}

impl Link {
    /// Starts an agent in this folder and greets it. `earlier` is the agent's name of a conversation to go on with.
    pub async fn open(
        launch: &Launch,
        folder: &Path,
        earlier: Option<&str>,
        limit: Duration,
    ) -> Result<Link, LinkError> {
        let child = Child::start(launch, folder).map_err(LinkError::Start)?;
        let mut link = Link {
            child,
            next: 0,
            conversation: acp::SessionId::new(""),
            folder: folder.to_owned(),
            memory: Memory::New,
        };
        let greeted = timeout(limit, link.greet(earlier)).await.unwrap_or(Err(LinkError::Silent(limit)));
        match greeted {
            Ok(()) => Ok(link),
            Err(LinkError::Ended(_)) => Err(LinkError::Ended(link.child.ended().await)),
            Err(e) => {
                link.child.kill().await;
                Err(e)
            }
        }
    }

    async fn greet(&mut self, earlier: Option<&str>) -> Result<(), LinkError> {
        let names = acp::AGENT_METHOD_NAMES;
        // Files and terminals are the agent's own affair: it works on this machine, and nothing here is unsaved.
        let hello = acp::InitializeRequest::new(ProtocolVersion::V1)
            .client_info(acp::Implementation::new("vyre", env!("CARGO_PKG_VERSION")));
        let able: acp::InitializeResponse = self.call(names.initialize, &hello).await?;
        if able.protocol_version != ProtocolVersion::V1 {
            return Err(LinkError::Version(able.protocol_version.as_u16()));
        }
        let able = able.agent_capabilities;
        if let Some(earlier) = earlier {
            let id = acp::SessionId::new(earlier);
            let kept = if able.session_capabilities.resume.is_some() {
                let ask = acp::ResumeSessionRequest::new(id.clone(), &self.folder);
                self.try_call(names.session_resume, &ask).await?
            } else if able.load_session {
                // It tells all of it again; the room has it already, and nothing of it is said twice.
                let ask = acp::LoadSessionRequest::new(id.clone(), &self.folder);
                self.try_call(names.session_load, &ask).await?
            } else {
                false
            };
            if kept {
                (self.conversation, self.memory) = (id, Memory::Kept);
                return Ok(());
            }
            self.memory = Memory::Lost;
        }
        let folder = self.folder.clone();
        let begun: acp::NewSessionResponse = self.call(names.session_new, &acp::NewSessionRequest::new(folder)).await?;
        self.conversation = begun.session_id;
        Ok(())
    }

    /// Asks while nothing else goes on.
    async fn call<T: DeserializeOwned>(&mut self, method: &str, params: &impl Serialize) -> Result<T, LinkError> {
        match self.ask_and_wait(method, params).await? {
            Ok(answer) => serde_json::from_str(answer.get()).map_err(|_| LinkError::Answer),
            Err(e) if e.code == acp::ErrorCode::AuthRequired => Err(LinkError::Login),
            Err(e) => Err(LinkError::Refused(e.code.into())),
        }
    }

    /// Asks for something that may be refused.
    async fn try_call(&mut self, method: &str, params: &impl Serialize) -> Result<bool, LinkError> {
        Ok(self.ask_and_wait(method, params).await?.is_ok())
    }

    async fn ask_and_wait(
        &mut self,
        method: &str,
        params: &impl Serialize,
    ) -> Result<Result<Box<RawValue>, acp::Error>, LinkError> {
        let id = self.request(method, params).await?;
        loop {
            match self.next().await {
                None => return Err(LinkError::Ended(None)),
                Some(Heard::Said(Incoming::Answer { id: of, answer })) if of == id => return Ok(answer),
                Some(Heard::Said(Incoming::Permission { id, .. } | Incoming::Unknown { id })) => {
                    self.send(wire::refusal(&id)).await?;
                }
                Some(_) => {}
            }
        }
    }

    /// Sends a request, and gives the number that its answer will have.
    pub async fn request(&mut self, method: &str, params: &impl Serialize) -> Result<i64, LinkError> {
        self.next += 1;
        self.send(wire::request(self.next, method, params)).await?;
        Ok(self.next)
    }

    /// Prompts it, and gives the number that the answer will have.
    pub async fn prompt(&mut self, prompt: Vec<acp::ContentBlock>) -> Result<i64, LinkError> {
        let ask = acp::PromptRequest::new(self.conversation.clone(), prompt);
        self.request(acp::AGENT_METHOD_NAMES.session_prompt, &ask).await
    }

    /// Tells it to stop.
    pub async fn cancel(&mut self) -> Result<(), LinkError> {
        let cancel = acp::CancelNotification::new(self.conversation.clone());
        self.send(wire::notification(acp::AGENT_METHOD_NAMES.session_cancel, &cancel)).await
    }

    /// Answers what it asked to be allowed.
    pub async fn allow(
        &mut self,
        id: &acp::RequestId,
        outcome: acp::RequestPermissionOutcome,
    ) -> Result<(), LinkError> {
        self.send(wire::answer(id, &acp::RequestPermissionResponse::new(outcome))).await
    }

    /// Refuses what this box does not do.
    pub async fn refuse(&mut self, id: &acp::RequestId) -> Result<(), LinkError> {
        self.send(wire::refusal(id)).await
    }

    async fn send(&mut self, line: Vec<u8>) -> Result<(), LinkError> {
        if self.child.write(line).await { Ok(()) } else { Err(LinkError::Ended(None)) }
    }

    /// What it says next; `None` once it is gone. Updates of other conversations are passed over. Cancel-safe.
    pub async fn next(&mut self) -> Option<Heard> {
        loop {
            match self.child.next().await? {
                Line::Whole(line) => match wire::read(&line) {
                    Incoming::Update(u) if u.session_id != self.conversation => {}
                    Incoming::Nothing => {
                        tracing::debug!(bytes = line.len(), "an agent wrote a line that means nothing here");
                    }
                    said => return Some(Heard::Said(said)),
                },
                Line::TooLong { head, len } => return Some(Heard::TooLong { head, len }),
            }
        }
    }

    /// The agent's own name of the conversation.
    pub fn conversation(&self) -> &str {
        &self.conversation.0
    }

    /// Its process.
    pub fn child(&self) -> &Child {
        &self.child
    }

    /// It has gone: how.
    pub async fn ended(self) -> Option<ExitStatus> {
        self.child.ended().await
    }

    /// Ends it, now.
    pub async fn kill(self) {
        self.child.kill().await;
    }

    /// Lets it end.
    pub async fn close(self) {
        self.child.close().await;
    }
}

/// What an agent wrote.
#[derive(Debug)]
pub enum Heard {
    /// A message.
    Said(Incoming),
    /// A line too long to read.
    TooLong {
        /// How it begins.
        head: Vec<u8>,
        /// All its bytes.
        len: usize,
    },
}
