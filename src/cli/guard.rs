//! `vyre guard -- COMMAND`: how the box starts an assistant's program. See [`crate::process::guard`].

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args as ClapArgs;

/// Arguments.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The command and its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// Runs the command; the exit code is its own.
pub fn run(args: &Args) -> ExitCode {
    ExitCode::from(u8::try_from(crate::process::guard::run(&args.command)).unwrap_or(u8::MAX))
}
