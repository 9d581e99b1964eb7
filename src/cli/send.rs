//! `vyre send`: says something in a session, once.

use std::io;
use std::io::Read;

use serde_json::json;
use vyre_proto::ids::Author;
use vyre_proto::ids::MessageId;
use vyre_proto::ids::SessionId;
use vyre_proto::limits::TEXT_MAX;
use vyre_proto::pb::stream as pb;
use vyre_proto::queue;

use crate::cli::Failure;
use crate::cli::ask;
use crate::cli::ask::AskArgs;
use crate::cli::ask::Format;
use crate::cli::ask::Unanswered;
use crate::cli::attach::command;
use crate::cli::block_on;
use crate::cli::print_line;
use crate::cli::target::TargetArgs;
use crate::client::Write;

/// Flags of `vyre send`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Prints the message's id and its state: `said`, or `queued` while an assistant works. \
Where no answer comes, the same words with --message ID are said once, however often they are sent.")]
pub struct Args {
    /// The session.
    session: SessionId,
    /// What is said. Default, and with `-`: what comes in at stdin, to its end.
    text: Option<String>,
    /// The message's id. Default: a new one.
    #[arg(long, value_name = "ID")]
    message: Option<MessageId>,
    /// The message that this one answers in a thread of its own.
    #[arg(long, value_name = "ID")]
    parent: Option<MessageId>,
    /// Names somebody: person:NAME or assistant:NAME, or a person's bare name. May be given more than once.
    #[arg(long, value_name = "WHO", value_parser = ask::who)]
    mention: Vec<Author>,
    #[command(flatten)]
    ask: AskArgs,
    #[command(flatten)]
    target: TargetArgs,
}

/// Says it.
pub fn run(args: Args) -> Result<(), Failure> {
    let text = match args.text.as_deref() {
        None | Some("-") => from_stdin()?,
        Some(text) => text.to_owned(),
    };
    if text.trim().is_empty() {
        return Err(Failure::Usage("there is nothing to say: give a text, or write it to stdin".to_owned()));
    }
    block_on(async {
        let client = args.target.client()?;
        let message = args.message.map_or_else(|| command::id(client.random()), |m| m.to_string());
        let request = pb::StreamSend {
            session: args.session.to_string(),
            message: message.clone(),
            text,
            parent: args.parent.map(|p| p.to_string()).unwrap_or_default(),
            mentions: args.mention.iter().map(Author::to_string).collect(),
            enc: None,
        };
        let body = prost::Message::encode_to_vec(&request).into();
        let write = Write { tool: "stream.send".to_owned(), key: String::new(), body };
        let sent: pb::StreamSent = ask::ask(&client, write, args.ask.patience()).await.map_err(|e| match e {
            Unanswered::NotDone(failure) => failure,
            Unanswered::Unknown(why) => Failure::Run(format!(
                "{why}; it may have been said: the same words again with --message {message} are said once"
            )),
        })?;
        let state = queue::name(sent.state());
        match args.ask.format {
            Format::Text => drop(print_line(&format!("{message} {state}"))),
            Format::Json => ask::print_json(&json!({ "message": message, "state": state })),
        }
        Ok(())
    })
}

fn from_stdin() -> Result<String, Failure> {
    let mut text = String::new();
    let read = io::stdin().lock().take(TEXT_MAX as u64 + 1).read_to_string(&mut text);
    read.map_err(|e| Failure::Run(format!("stdin cannot be read: {e}")))?;
    if text.len() > TEXT_MAX {
        return Err(Failure::Run(format!("a message is at most {TEXT_MAX} bytes long")));
    }
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}
