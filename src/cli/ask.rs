//! One call of a command: asked until it is answered or its time is over, and what to do when it is not.

use std::io;
use std::time::Duration;

use clap::ValueEnum;
use prost::Message;
use tokio::time::timeout;
use vyre_proto::ids::Author;
use vyre_proto::pb::stream as pb;
use vyre_proto::pb::stream::ErrorCode;

use crate::cli::Failure;
use crate::cli::attach::text::clean_json;
use crate::cli::attach::text::clean_line;
use crate::cli::print_line;
use crate::client::CallError;
use crate::client::Client;
use crate::client::Courier;
use crate::client::Outbox;
use crate::client::Told;
use crate::client::Write;

/// What a command prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// One JSON object a line. Numbers are numbers.
    Json,
}

/// Flags of every command that asks a box for one thing.
#[derive(Debug, clap::Args)]
pub struct AskArgs {
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Text, global = true)]
    pub format: Format,
    /// Seconds after which it is given up.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..), global = true)]
    pub timeout: u64,
}

impl AskArgs {
    /// How long it is tried.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Unanswered {
    /// It was not asked, or refused: nothing was done.
    NotDone(Failure),
    /// Nobody knows whether it was done: why it was not answered.
    Unknown(String),
}

/// Asks until there is an answer. What is asked must be safe to ask twice.
///
/// # Errors
/// [`Unanswered`], with what to do.
pub async fn ask<A: Message + Default>(client: &Client, write: Write, patience: Duration) -> Result<A, Unanswered> {
    let mut courier = Courier::new(client.clone(), Outbox::in_memory());
    courier.put(write).map_err(|e| Unanswered::NotDone(Failure::run(e)))?;
    let mut last = None;
    let answered = timeout(patience, async {
        loop {
            match courier.next().await {
                Told::Done { answer, .. } => return Ok(answer),
                Told::Refused { error, .. } => return Err(Unanswered::NotDone(failed(client, &error))),
                Told::Held => {
                    let error = CallError::Refused {
                        code: ErrorCode::Unauthenticated,
                        message: "the box does not know this token".to_owned(),
                        retry_after: Duration::ZERO,
                    };
                    return Err(Unanswered::NotDone(failed(client, &error)));
                }
                // Nobody is there at all: a person would rather know.
                Told::Waits { error } if last.is_none() && is_refused(&error) => {
                    return Err(Unanswered::NotDone(failed(client, &error)));
                }
                Told::Waits { error } => last = Some(error),
            }
        }
    });
    match answered.await {
        Ok(Ok(answer)) => A::decode(answer).map_err(|_| Unanswered::Unknown("what answered is not a box".to_owned())),
        Ok(Err(unanswered)) => Err(unanswered),
        Err(_) => {
            let why = last.map_or_else(|| "no answer came".to_owned(), |e| e.to_string());
            Err(Unanswered::Unknown(format!("{} in {} s", clean_line(&why), patience.as_secs())))
        }
    }
}

/// Asks for something that changes nothing, or that may be asked again by the same command.
///
/// # Errors
/// If there is no answer.
pub async fn simply<A: Message + Default>(
    client: &Client,
    tool: &str,
    request: &impl Message,
    patience: Duration,
) -> Result<A, Failure> {
    let write = Write { tool: tool.to_owned(), key: String::new(), body: request.encode_to_vec().into() };
    ask(client, write, patience).await.map_err(|e| match e {
        Unanswered::NotDone(failure) => failure,
        Unanswered::Unknown(why) => Failure::Run(format!("{why}; the same command again does no harm")),
    })
}

/// Fails where nobody answers at the address.
pub async fn someone_answers(client: &Client) -> Result<(), Failure> {
    match client.call::<pb::SessionsListed>("sessions.list", &pb::SessionsList {}).await {
        Err(error) if is_refused(&error) => Err(failed(client, &error)),
        _ => Ok(()),
    }
}

fn is_refused(error: &CallError) -> bool {
    matches!(error, CallError::Unreachable(e) if e.kind() == io::ErrorKind::ConnectionRefused)
}

/// A failure with a next step.
pub fn failed(client: &Client, error: &CallError) -> Failure {
    let said = clean_line(&error.to_string());
    let step = match error {
        CallError::Unreachable(_) if is_refused(error) => {
            let target = client.target();
            return Failure::Run(format!(
                "nobody answers at {target}: start a box with `vyre serve`, or name another with --url"
            ));
        }
        CallError::Unreachable(_) => "look whether the box runs and the address is right",
        CallError::NotABox => "look whether the address is a box's own",
        CallError::Refused { code, .. } => match code {
            ErrorCode::Unauthenticated => "make a token with `vyre token --person NAME` and give it in VYRE_TOKEN",
            ErrorCode::NotFound => "`vyre sessions` shows those that you are in",
            ErrorCode::Denied => "`vyre token --person NAME` makes a token for a person",
            ErrorCode::RateLimited | ErrorCode::Unavailable | ErrorCode::Internal => "try again in a moment",
            ErrorCode::Invalid | ErrorCode::Conflict | ErrorCode::TooLarge => return Failure::Run(said),
        },
        CallError::TimedOut | CallError::NoAnswer | CallError::Invalid => return Failure::Run(said),
    };
    Failure::Run(format!("{said}; {step}"))
}

/// Prints one JSON object on a line of its own.
pub fn print_json(value: &serde_json::Value) {
    print_line(&clean_json(&value.to_string()));
}

/// Who is meant: `person:NAME`, `assistant:NAME`, `model:NAME`, or a person's bare name.
pub fn who(text: &str) -> Result<Author, String> {
    let author = if text.contains(':') { Author::parse(text) } else { Author::person(text) };
    author.map_err(|e| e.to_string())
}
