//! Options of `sinew tune`.

use super::examples;
use clap::Args;
use std::path::PathBuf;

/// Find gains of a controller for a scenario: its clip, body and contact model
///
/// Plays the scenario with other gains again and again (CMA-ES), pushed lightly from all sides, and keeps those that stay up longest at
/// the right speed. What is found is reported on pushes that the search has not seen, and written as a scenario, which `sinew simulate`
/// plays. The record of the search lies beside it: the same command goes on where it was stopped, or with more --trials.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew tune walk.toml --out tuned.toml",
    "sinew tune walk.toml --trials 60 --runs 2 --push 0.02 --out tuned.toml --json",
]))]
pub(crate) struct TuneArgs {
    /// The scenario; what it says of the gains is where the search begins
    #[arg(value_name = "SCENARIO.toml")]
    pub(crate) scenario: PathBuf,
    /// Scenario to write, with the gains that were found
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) out: PathBuf,
    /// Group of parameters whose numbers are searched
    #[arg(long, value_name = "GROUP", default_value = "gains")]
    pub(crate) group: String,
    /// Most trials
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) trials: usize,
    /// Runs of a trial, each pushed in its own way
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) runs: u32,
    /// Pushes, N·s per kg; 0: none
    #[arg(long, value_name = "N·S/KG", default_value_t = 0.05)]
    pub(crate) push: f64,
    /// Seed of the search
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads; 0: all cores. The gains are the same for any number
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Print what was found as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
