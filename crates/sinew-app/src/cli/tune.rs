//! Options of `sinew tune`.

use super::examples;
use clap::Args;
use std::path::PathBuf;

/// Find gains of a controller for a scenario: its clip, body and contact model
///
/// A search (CMA-ES) plays the scenario many times with light pushes from all sides, and finds the gains with which the character stays
/// up longest at the right speed. They are tested on pushes that the search has not used, and written as a scenario for `sinew
/// simulate`. The record of the search is kept beside it: the same command continues an interrupted search, or one with more --trials.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew tune walk.toml --out tuned.toml",
    "sinew tune walk.toml --trials 60 --runs 2 --push 0.02 --out tuned.toml --json",
]))]
pub(crate) struct TuneArgs {
    /// The scenario; the search begins at its gains
    #[arg(value_name = "SCENARIO.toml")]
    pub(crate) scenario: PathBuf,
    /// Scenario to write, with the new gains
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) out: PathBuf,
    /// Group of parameters whose numbers are searched
    #[arg(long, value_name = "GROUP", default_value = "gains")]
    pub(crate) group: String,
    /// Greatest number of trials
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) trials: usize,
    /// Runs of a trial, with different pushes
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
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
