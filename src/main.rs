//! `vyre`: the box, and screens and producers as its other commands.

use std::process::ExitCode;

fn main() -> ExitCode {
    vyre_stream::cli::run()
}
