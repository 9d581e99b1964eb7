//! (being written)

use crate::cli::Failure;

/// Flags of `vyre publish`.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Publishes.
pub fn run(_: Args) -> Result<(), Failure> {
    Err(Failure::Run("not yet".into()))
}
