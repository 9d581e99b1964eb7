//! `vyre sessions`: the sessions one is in, and making, joining and leaving them.

use clap::Subcommand;
use serde_json::Value;
use serde_json::json;
use vyre_proto::ids::Author;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;

use crate::cli::Failure;
use crate::cli::ask;
use crate::cli::ask::AskArgs;
use crate::cli::ask::Format;
use crate::cli::attach::command;
use crate::cli::attach::text::clean_line;
use crate::cli::attach::text::columns;
use crate::cli::attach::text::fit;
use crate::cli::block_on;
use crate::cli::print_line;
use crate::cli::target::TargetArgs;
use crate::client::Client;

/// Columns of a title.
const TITLE: usize = 32;

/// Flags of `vyre sessions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "WHO is person:NAME, assistant:NAME, or a person's bare name.")]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    ask: AskArgs,
    #[command(flatten)]
    target: TargetArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show the sessions you are in, newest change first. So does no command at all.
    List,
    /// Make a group and print its id.
    Create {
        /// Who is in it, beside you.
        #[arg(value_name = "WHO", value_parser = ask::who)]
        participants: Vec<Author>,
        /// Its title.
        #[arg(long, default_value = "")]
        title: String,
        /// Its id. Default: a new one.
        #[arg(long, value_name = "ID")]
        session: Option<SessionId>,
    },
    /// Bring somebody in.
    Join {
        /// The session.
        session: SessionId,
        /// Whom. Default: you.
        #[arg(value_name = "WHO", value_parser = ask::who)]
        who: Option<Author>,
    },
    /// Leave a session: nothing more of it reaches you.
    Leave {
        /// The session.
        session: SessionId,
    },
    /// Send somebody away.
    Remove {
        /// The session.
        session: SessionId,
        /// Whom.
        #[arg(value_name = "WHO", value_parser = ask::who)]
        who: Author,
    },
    /// Say which assistant answers where nobody is named.
    Assign {
        /// The session.
        session: SessionId,
        /// Which, as assistant:NAME. Default: nobody before the session's own.
        #[arg(value_name = "WHO", value_parser = ask::who)]
        assistant: Option<Author>,
    },
}

/// Does it.
pub fn run(args: Args) -> Result<(), Failure> {
    block_on(async {
        let client = args.target.client()?;
        let (format, patience) = (args.ask.format, args.ask.patience());
        let (tool, request) = match args.command.unwrap_or(Command::List) {
            Command::List => {
                let listed: pb::SessionsListed =
                    ask::simply(&client, "sessions.list", &pb::SessionsList {}, patience).await?;
                return list(&listed.sessions, format);
            }
            Command::Create { participants, title, session } => {
                // With an id of one's own, asking again makes no second one.
                let session = session.map_or_else(|| new_id(&client), |s| s.to_string());
                let participants = participants.iter().map(Author::to_string).collect();
                ("sessions.create", encode(&pb::SessionsCreate { session, title, participants }))
            }
            Command::Join { session, who } => {
                let who = who.map(|w| w.to_string()).unwrap_or_default();
                ("sessions.join", encode(&pb::SessionsJoin { session: session.to_string(), who }))
            }
            Command::Leave { session } => {
                ("sessions.leave", encode(&pb::SessionsLeave { session: session.to_string() }))
            }
            Command::Remove { session, who } => {
                ("sessions.remove", encode(&pb::SessionsRemove { session: session.to_string(), who: who.to_string() }))
            }
            Command::Assign { session, assistant } => {
                let assistant = assistant.map(|a| a.to_string()).unwrap_or_default();
                ("sessions.assign", encode(&pb::SessionsAssign { session: session.to_string(), assistant }))
            }
        };
        let write = crate::client::Write { tool: tool.to_owned(), key: String::new(), body: request.into() };
        let answer: pb::SessionsAnswer = ask::ask(&client, write, patience).await.map_err(|e| match e {
            ask::Unanswered::NotDone(failure) => failure,
            ask::Unanswered::Unknown(why) => {
                Failure::Run(format!("{why}; it may have been done: `vyre sessions` shows how it stands"))
            }
        })?;
        match (format, answer.session) {
            (Format::Json, Some(info)) => ask::print_json(&object(&info)),
            (Format::Json, None) => ask::print_json(&json!({})),
            (Format::Text, Some(info)) if tool == "sessions.create" => drop(print_line(&info.session)),
            (Format::Text, Some(info)) => drop(print_line(&line(&info))),
            (Format::Text, None) => {}
        }
        Ok(())
    })
}

fn encode(request: &impl prost::Message) -> Vec<u8> {
    request.encode_to_vec()
}

fn new_id(client: &Client) -> String {
    command::id(client.random()).replacen("m-", "g-", 1)
}

fn list(sessions: &[pb::SessionInfo], format: Format) -> Result<(), Failure> {
    if sessions.is_empty() && format == Format::Text {
        print_line("you are in no session yet: `vyre sessions create` makes one");
    }
    for info in sessions {
        match format {
            Format::Text => drop(print_line(&line(info))),
            Format::Json => ask::print_json(&object(info)),
        }
    }
    Ok(())
}

fn line(info: &pb::SessionInfo) -> String {
    let title = fit(&clean_line(&info.title), TITLE);
    let pad = " ".repeat(TITLE.saturating_sub(columns(&title)));
    let who: Vec<String> = info.participants.iter().map(|w| clean_line(w)).collect();
    let unread = if info.unread > 0 { format!("  {} unread", info.unread) } else { String::new() };
    format!("{}  {title}{pad}  {}{unread}", info.session, who.join(", "))
}

/// Numbers are numbers, and what is absent is left out.
fn object(info: &pb::SessionInfo) -> Value {
    let mut out = json!({
        "session": info.session,
        "title": info.title,
        "head": info.head,
        "floor": info.floor,
        "log": info.log,
        "participants": info.participants,
        "changed": info.changed,
        "group": info.group,
        "unread": info.unread,
    });
    for (name, value) in [
        ("folder", &info.folder),
        ("assistant", &info.assistant),
        ("assigned", &info.assigned),
        ("readUpto", &info.read_upto),
    ] {
        if !value.is_empty() {
            out[name] = value.as_str().into();
        }
    }
    if info.read_cur > 0 {
        out["readCur"] = info.read_cur.into();
    }
    out
}
