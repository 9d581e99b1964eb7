//! `vyre guard -- COMMAND`: how the box starts an assistant's program, and with `--terminal` a shell. See
//! [`crate::process`].

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args as ClapArgs;

use crate::process::guard;
use crate::process::shell_guard;

/// Arguments.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// stdout is the terminal that the command is to run on, and stdin only says by its end that the box is gone.
    #[arg(long)]
    terminal: bool,

    /// Call the command by this name. A login shell is called by one with a dash in front.
    #[arg(long, requires = "terminal", allow_hyphen_values = true)]
    name: Option<OsString>,

    /// The command and its arguments.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// Runs the command; the exit code is its own.
pub fn run(args: &Args) -> ExitCode {
    let code = match args.terminal {
        true => shell_guard::run(args.name.as_deref(), &args.command),
        false => guard::run(&args.command),
    };
    ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}
