//! Every figure of speed and size beside its floor, in one run on one machine: `cargo bench --bench figures`.
//!
//! `--quick` takes fewer and shorter runs, `--only NAME` one figure (several may be given), `--format json` prints a line
//! of JSON a row. This process is the one that reads; boxes, relays, producers and the servers of the floors are
//! processes of their own: the box is the `vyre` program itself, the others are this program in another role.

#![allow(clippy::unwrap_used, clippy::expect_used)] // A bench that cannot run says so by failing.

mod child;
mod durable;
mod emit;
mod events;
mod fan;
mod flat;
mod floor;
mod idle;
mod inside;
mod merged;
mod mosquitto;
mod published;
mod relayed;
mod replay;
mod report;
mod resume;
mod roles;
mod setup;
mod stamp;
mod wire;

use std::time::Instant;

use clap::Parser;

use crate::report::Report;

/// A figure: its name, and what measures it.
type Figure = (&'static str, fn(&Run, &mut Report));

/// In the order in which they run. Those that need a quiet machine most come first.
const FIGURES: &[Figure] = &[
    ("emit", emit::run),
    ("published", published::run),
    ("relayed", relayed::shown),
    ("resume", resume::run),
    ("relay", relayed::bridge),
    ("replay", replay::run),
    ("merged", merged::run),
    ("flat", flat::run),
    ("inside", inside::run),
    ("durable", durable::run),
    ("fan", fan::run),
    ("idle", idle::run),
];

#[derive(Debug, Parser)]
#[command(name = "figures", about = "Measures each figure beside its floor")]
struct Args {
    /// Fewer and shorter runs: under two minutes.
    #[arg(long)]
    quick: bool,
    /// Only this figure. May be given several times.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// `table` or `json`.
    #[arg(long, default_value = "table", value_parser = ["table", "json"])]
    format: String,
    /// Lists the figures.
    #[arg(long)]
    list: bool,
    /// Cargo says so of itself.
    #[arg(long, hide = true)]
    bench: bool,
    /// Play a part in another figure's run.
    #[arg(long, hide = true, num_args = 1.., allow_hyphen_values = true, value_name = "ROLE")]
    role: Vec<String>,
}

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct Run {
    /// Less of everything.
    pub quick: bool,
}

impl Run {
    /// One number or the other.
    pub fn of<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }
}

fn main() {
    let args = Args::parse();
    let limit = vyre_relay::server::raise_descriptor_limit();
    if !args.role.is_empty() {
        return roles::play(&args.role);
    }
    if args.list {
        FIGURES.iter().for_each(|(name, _)| println!("{name}"));
        return;
    }
    if let Some(unknown) = args.only.iter().find(|n| !FIGURES.iter().any(|(name, _)| name == n)) {
        eprintln!("there is no figure {unknown}; --list names them");
        std::process::exit(2);
    }
    let run = Run { quick: args.quick };
    let mut report = Report::new(args.format == "json");
    report.begin(limit);
    for (name, figure) in FIGURES {
        if args.only.is_empty() || args.only.iter().any(|n| n == name) {
            let began = Instant::now();
            figure(&run, &mut report);
            report.took(name, began.elapsed());
        }
    }
    report.end();
}
