//! `vyre answer`: answers a question that an assistant asks.

use serde_json::json;
use vyre_proto::fold::row::Ask;
use vyre_proto::fold::row::Body;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;
use vyre_proto::resume::Position;

use crate::cli::Failure;
use crate::cli::ask;
use crate::cli::ask::AskArgs;
use crate::cli::ask::Format;
use crate::cli::attach::text::clean_line;
use crate::cli::block_on;
use crate::cli::print_line;
use crate::cli::rows::to_head;
use crate::cli::target::TargetArgs;

/// Flags of `vyre answer`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Of two answers to one question the first one counts, and the other fails.")]
pub struct Args {
    /// The session.
    session: SessionId,
    /// The answer, in words or as the number of an option, from 1.
    answer: String,
    /// The question's id, as `vyre rows --json` shows it. Default: the newest that is open.
    #[arg(long, value_name = "ID")]
    ask: Option<String>,
    #[command(flatten)]
    asking: AskArgs,
    #[command(flatten)]
    target: TargetArgs,
}

/// Answers.
pub fn run(args: Args) -> Result<(), Failure> {
    block_on(async {
        let client = args.target.client()?;
        let mut reading = client.attach(args.session.clone(), Position::default());
        let fold = to_head(&client, &mut reading, args.asking.patience()).await?;
        drop(reading);
        let asks =
            || fold.rows().iter().rev().filter_map(|row| if let Body::Ask(a) = &row.body { Some(a) } else { None });
        let found: Option<&Ask> = match &args.ask {
            Some(id) => asks().find(|a| a.ask == *id),
            None => asks().find(|a| a.answer.is_none()),
        };
        let Some(question) = found else {
            let step = "`vyre rows` shows what is there";
            return Err(Failure::Run(match &args.ask {
                Some(id) => format!("nobody asks {} in this session; {step}", clean_line(id)),
                None => format!("no question is open in this session; {step}"),
            }));
        };
        let option = args.answer.parse::<usize>().ok().and_then(|n| question.options.get(n.checked_sub(1)?));
        let answer = option.cloned().unwrap_or_else(|| args.answer.clone());
        let request =
            pb::AskAnswer { session: args.session.to_string(), ask: question.ask.clone(), answer: answer.clone() };
        let pb::AskAnswerTaken {} = ask::simply(&client, "ask.answer", &request, args.asking.patience()).await?;
        match args.asking.format {
            Format::Text => drop(print_line(&format!("{}: {}", clean_line(&question.question), clean_line(&answer)))),
            Format::Json => ask::print_json(&json!({ "ask": question.ask, "answer": answer })),
        }
        Ok(())
    })
}
