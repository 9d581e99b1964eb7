//! `vyre inspect`: what a box has stored, as lines of JSON.

use std::path::PathBuf;

use crate::cli::Failure;
use crate::cli::print_line;
use crate::cli::token::ask_store;
use crate::cli::token::data_folder;
use crate::daemon::control::Ask;
use crate::daemon::control::Line;

/// Flags of `vyre inspect`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder of the box, running or not. Default: `vyre` in the folder for data of your home.
    #[arg(long, env = "VYRE_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// All sessions.
    Sessions,
    /// The stored events of a session, as they were published.
    Events {
        /// Its id.
        session: String,
    },
    /// The frames in the log of a session.
    Frames {
        /// Its id.
        session: String,
    },
}

/// Prints what was asked for.
pub fn run(args: &Args) -> Result<(), Failure> {
    let ask = match &args.what {
        What::Sessions => Ask::Sessions,
        What::Events { session } => Ask::Events(session.clone()),
        What::Frames { session } => Ask::Frames(session.clone()),
    };
    let mut failed = None;
    ask_store(&data_folder(args.data.as_deref())?, &ask, false, &mut |line| match line {
        Line::Row(row) => print_line(&row),
        Line::Failed(why) => {
            failed = Some(why);
            true
        }
        Line::Token(_) | Line::End => true,
    })?;
    failed.map_or(Ok(()), |why| Err(Failure::Run(why)))
}
