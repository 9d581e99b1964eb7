//! The commands, their flags and their exit codes: 0, 1 for a failure at run time, 2 for wrong arguments or settings.

pub mod answer;
pub mod ask;
pub mod attach;
pub mod backup;
pub mod demo;
pub mod guard;
pub mod history;
pub mod inspect;
pub mod publish;
pub mod rows;
pub mod send;
pub mod serve;
pub mod sessions;
pub mod stop;
pub mod target;
pub mod term;
pub mod token;
pub mod tty;

use std::future::Future;
use std::io::IsTerminal;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use clap::Subcommand;
use tracing_subscriber::EnvFilter;

/// One resumable stream for each session of assistants and terminals.
#[derive(Debug, Parser)]
#[command(
    name = "vyre",
    version,
    arg_required_else_help = true,
    after_help = "VYRE_LOG sets what is logged on stderr, as in VYRE_LOG=debug or VYRE_LOG=vyre_stream::edge=trace."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a box.
    Serve(serve::Args),
    /// Make a bearer token for a person or a producer.
    Token(token::Args),
    /// Publish events from a file or a pipe.
    Publish(publish::Args),
    /// Read a session on a terminal and write in it, through every break.
    Attach(attach::Args),
    /// A terminal of a session in this one, through every break.
    Term(term::Args),
    /// Print a session's rows as they stand now.
    Rows(rows::Args),
    /// Say something in a session.
    Send(send::Args),
    /// Stop the work in a session.
    Stop(stop::Args),
    /// Answer a question that an assistant asks.
    Answer(answer::Args),
    /// Show the sessions you are in; make, join and leave some.
    Sessions(sessions::Args),
    /// Print older steps of a session, also those that its log no longer holds.
    History(history::Args),
    /// Watch a session whose line is cut, with a box, a relay and a screen in this one process.
    Demo(demo::Args),
    /// Look at what a box has stored.
    Inspect(inspect::Args),
    /// Write a backup of a box, running or not.
    Backup(backup::Args),
    /// Run a command that ends, with all that came of it, when stdin does.
    #[command(hide = true)]
    Guard(guard::Args),
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Wrong arguments or settings: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// It did not work: exit code 1.
    #[error("{0}")]
    Run(String),
}

impl Failure {
    /// At run time, whatever it was.
    pub fn run(e: impl std::fmt::Display) -> Failure {
        Failure::Run(e.to_string())
    }
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => {
            // Help and version are no errors, and go to stdout.
            let _ = e.print();
            return if e.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    // Its stdout and stderr are those of the command.
    if let Command::Guard(args) = &cli.command {
        return guard::run(args);
    }
    log(match cli.command {
        Command::Serve(_) => "info",
        // Its cuts are on purpose, and its summary says what came of them.
        Command::Demo(_) => "error",
        _ => "warn",
    });
    let done = match cli.command {
        Command::Serve(args) => serve::run(args),
        Command::Token(args) => token::run(&args),
        Command::Publish(args) => publish::run(args),
        Command::Attach(args) => attach::run(args),
        Command::Term(args) => match term::run(args) {
            // The shell's own.
            Ok(code) => return code,
            Err(failure) => Err(failure),
        },
        Command::Rows(args) => rows::run(args),
        Command::Send(args) => send::run(args),
        Command::Stop(args) => stop::run(args),
        Command::Answer(args) => answer::run(args),
        Command::Sessions(args) => sessions::run(args),
        Command::History(args) => history::run(args),
        Command::Demo(args) => demo::run(args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Backup(args) => backup::run(&args),
        Command::Guard(_) => Ok(()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(std::io::stderr(), "vyre: {failure}");
            match failure {
                Failure::Usage(_) => ExitCode::from(2),
                Failure::Run(_) => ExitCode::FAILURE,
            }
        }
    }
}

/// Logs go to stderr; stdout belongs to what a command answers.
fn log(default: &str) {
    let filter = EnvFilter::try_from_env("VYRE_LOG").unwrap_or_else(|_| EnvFilter::new(default));
    // A program that is used as a library of another may have set its own.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .try_init();
}

/// Runs a future on a runtime of its own.
pub fn block_on<T>(future: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::run)?;
    runtime.block_on(future)
}

/// Prints one line on stdout. `false`: nobody reads it any more.
pub fn print_line(line: &str) -> bool {
    writeln!(std::io::stdout(), "{line}").is_ok()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
