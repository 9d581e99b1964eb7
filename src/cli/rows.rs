//! `vyre rows`: a session's rows as they stand now, and nothing more.

use std::io;
use std::time::Duration;

use serde::Serialize;
use tokio::time::timeout;
use vyre_proto::cursor::Cursor;
use vyre_proto::fold::Fold;
use vyre_proto::fold::row::Row;
use vyre_proto::ids::SessionId;
use vyre_proto::resume::Position;
use vyre_proto::resume::State;
use vyre_proto::resume::Why;

use crate::cli::Failure;
use crate::cli::ask;
use crate::cli::attach::Plain;
use crate::cli::attach::reason;
use crate::cli::attach::text::clean_json;
use crate::cli::attach::text::clean_line;
use crate::cli::block_on;
use crate::cli::print_line;
use crate::cli::target::TargetArgs;
use crate::client::Client;
use crate::client::Reading;
use crate::client::Update;

/// Flags of `vyre rows`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The session.
    session: SessionId,
    /// Print one JSON object: `{"session", "head", "rows"}`.
    #[arg(long)]
    json: bool,
    /// Seconds without any progress after which it is given up.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    #[command(flatten)]
    target: TargetArgs,
}

#[derive(Serialize)]
struct Out<'a> {
    session: &'a str,
    head: u64,
    rows: &'a [Row],
}

/// Reads up to the head and prints.
pub fn run(args: Args) -> Result<(), Failure> {
    block_on(async {
        let client = args.target.client()?;
        let mut reading = client.attach(args.session.clone(), Position::default());
        let fold = to_head(&client, &mut reading, Duration::from_secs(args.timeout)).await?;
        if args.json {
            let out = Out { session: args.session.as_str(), head: fold.last().get(), rows: fold.rows() };
            let line = serde_json::to_string(&out).map_err(Failure::run)?;
            print_line(&clean_json(&line));
            return Ok(());
        }
        match Plain::default().print(fold.rows(), 0, true, &mut io::BufWriter::new(io::stdout())) {
            Err(e) if e.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Run(format!("cannot write: {e}"))),
            _ => Ok(()),
        }
    })
}

/// Folds up to the head that the box tells when the stream begins.
///
/// # Errors
/// At once where nobody answers at all, and when nothing new comes for as long as `patience`.
pub(super) async fn to_head(client: &Client, reading: &mut Reading, patience: Duration) -> Result<Fold, Failure> {
    let mut fold = Fold::new();
    let mut goal: Option<Cursor> = None;
    let (mut last_why, mut looked) = (None, false);
    while goal.is_none_or(|head| fold.last() < head) {
        let progress = async {
            // A state is no progress: a box that is away changes it for ever.
            loop {
                match reading.next().await {
                    Some(Update::State { state: State::Reconnecting(why), .. }) => {
                        last_why = Some(why);
                        if why == Why::Broken && goal.is_none() && !looked {
                            looked = true;
                            ask::someone_answers(client).await?;
                        }
                    }
                    other => return Ok(other),
                }
            }
        };
        let Ok(update) = timeout(patience, progress).await else {
            let why = last_why.map(|w| format!(": {}", reason(w))).unwrap_or_default();
            return Err(Failure::Run(format!("nothing came for {} s{why}", patience.as_secs())));
        };
        match update? {
            Some(Update::Frame(frame)) => drop(fold.apply(&frame)),
            Some(Update::State { state: State::Live { head }, .. }) => goal = Some(head),
            Some(Update::State { state: State::Ended(end), .. }) => {
                return Err(Failure::Run(clean_line(&end.to_string())));
            }
            Some(Update::State { state: State::Reconnecting(_), .. }) => {}
            // A hole is followed by a `lost` frame; a tail that the box owes and cannot give is not, and the patience ends.
            Some(Update::Missing(_)) => {}
            None => return Err(Failure::Run("the stream ended".to_owned())),
        }
    }
    Ok(fold)
}
