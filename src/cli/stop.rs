//! `vyre stop`: stops the work in a session.

use serde_json::json;
use vyre_proto::ids::SessionId;
use vyre_proto::pb::stream as pb;

use crate::cli::Failure;
use crate::cli::ask;
use crate::cli::ask::AskArgs;
use crate::cli::ask::Format;
use crate::cli::block_on;
use crate::cli::target::TargetArgs;

/// Flags of `vyre stop`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Returns when the box has taken it: the work is stopping then, and its end shows in the session. \
Where nobody works nothing happens."
)]
pub struct Args {
    /// The session.
    session: SessionId,
    #[command(flatten)]
    ask: AskArgs,
    #[command(flatten)]
    target: TargetArgs,
}

/// Stops it.
pub fn run(args: Args) -> Result<(), Failure> {
    block_on(async {
        let client = args.target.client()?;
        let stop = pb::StreamStop { session: args.session.to_string() };
        let pb::StreamStopped {} = ask::simply(&client, "stream.stop", &stop, args.ask.patience()).await?;
        if args.ask.format == Format::Json {
            ask::print_json(&json!({ "session": args.session.as_str() }));
        }
        Ok(())
    })
}
