//! `vyre history`: steps of a session below a cursor, also those that have left its log.

use std::io;
use std::io::Write as _;

use clap::ValueEnum;
use vyre_proto::cursor::Cursor;
use vyre_proto::fold::Fold;
use vyre_proto::frame::Frame;
use vyre_proto::ids::SessionId;
use vyre_proto::json::frame_line;
use vyre_proto::pb::stream as pb;

use crate::cli::Failure;
use crate::cli::ask;
use crate::cli::attach::Plain;
use crate::cli::attach::text::clean_json;
use crate::cli::block_on;
use crate::cli::target::TargetArgs;

/// Most steps that are asked for at once.
const PAGE: u32 = 500;

/// Flags of `vyre history`.
#[derive(Debug, clap::Args)]
#[command(after_help = "On stderr stands the cursor to go on from, if there is more: give it with --before.")]
pub struct Args {
    /// The session.
    session: SessionId,
    /// Steps below this cursor. Default: the newest.
    #[arg(long, value_name = "CURSOR", default_value_t = 0)]
    before: u64,
    /// How many steps at most. The box keeps messages whole, so a few less may come.
    #[arg(long, value_name = "STEPS", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Rows)]
    format: Format,
    /// Seconds after which one page is given up.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    #[command(flatten)]
    target: TargetArgs,
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Rows for people.
    Rows,
    /// One JSON object a line for each step, oldest first, as `vyre attach --format frames` prints them.
    Json,
}

/// Prints them.
pub fn run(args: Args) -> Result<(), Failure> {
    let before = Cursor::new(args.before).ok_or_else(|| Failure::Usage("a cursor is below 2^53".to_owned()))?;
    block_on(async {
        let client = args.target.client()?;
        let patience = std::time::Duration::from_secs(args.timeout);
        let (mut frames, mut below, mut left, mut more): (Vec<Frame>, _, _, _) =
            (Vec::new(), before.get(), args.limit, true);
        while more && left > 0 {
            let request = pb::StreamHistory { session: args.session.to_string(), before: below, limit: left.min(PAGE) };
            let page: pb::StreamHistoryAnswer = ask::simply(&client, "stream.history", &request, patience).await?;
            let mut older: Vec<Frame> = page.frames.into_iter().filter_map(|f| Frame::check(f).ok()).collect();
            let first = older.first().and_then(Frame::span).map(|s| s.first().get());
            // A box that says that there is more and gives nothing older is not asked for ever.
            more = page.more && first.is_some_and(|f| below == 0 || f < below);
            left = left.saturating_sub(u32::try_from(older.len()).unwrap_or(u32::MAX));
            below = first.unwrap_or(below);
            older.append(&mut frames);
            frames = older;
        }
        let mut out = io::BufWriter::new(io::stdout());
        let written = match args.format {
            Format::Json => frames
                .iter()
                .try_for_each(|f| writeln!(out, "{}", clean_json(&frame_line(f))))
                .and_then(|()| out.flush()),
            Format::Rows => {
                let mut fold = Fold::new();
                if below > 0 {
                    fold.reset(Cursor::new(below).unwrap_or_default());
                }
                for frame in &frames {
                    fold.apply(frame);
                }
                Plain::default().print(fold.rows(), 0, true, &mut out)
            }
        };
        if more {
            let _ = writeln!(io::stderr(), "vyre: there is more: --before {below}");
        }
        match written {
            Err(e) if e.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Run(format!("cannot write: {e}"))),
            _ => Ok(()),
        }
    })
}
