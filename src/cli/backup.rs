//! `vyre backup`: a backup of a box into one file.

use std::io::IsTerminal;
use std::io::Write;
use std::path::PathBuf;

use crate::cli::Failure;
use crate::cli::token::ask_store;
use crate::cli::token::data_folder;
use crate::daemon::control::Ask;
use crate::daemon::control::Line;

/// Flags of `vyre backup`.
///
/// To restore one: stop the box, put the file in the place of `vyre.redb` in its folder, and start it. Sessions, events
/// and tokens are as they were; every screen reads its sessions anew. Keep `box.key` too: it is the box's identity, and
/// no backup holds it.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder of the box, running or not. Default: `vyre` in the folder for data of your home.
    #[arg(long, env = "VYRE_DATA", value_name = "DIR")]
    data: Option<PathBuf>,
    /// The file to write. It must not be there yet.
    #[arg(value_name = "FILE")]
    to: PathBuf,
}

/// Writes the backup.
pub fn run(args: &Args) -> Result<(), Failure> {
    let to = std::path::absolute(&args.to).map_err(|e| Failure::Usage(format!("{}: {e}", args.to.display())))?;
    let mut failed = None;
    let mut stderr = std::io::stderr();
    let drawn = stderr.is_terminal();
    ask_store(&data_folder(args.data.as_deref())?, &Ask::Backup(to), false, &mut |line| {
        match line {
            Line::Row(progress) if drawn => drop(write!(stderr, "\r{progress}\x1b[K")),
            Line::Failed(why) => failed = Some(why),
            Line::Row(_) | Line::Token(_) | Line::End => {}
        }
        true
    })?;
    if drawn {
        let _ = writeln!(stderr);
    }
    failed.map_or(Ok(()), |why| Err(Failure::Run(why)))
}
