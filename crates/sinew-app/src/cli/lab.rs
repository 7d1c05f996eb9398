//! Options of `sinew lab`.

use super::examples;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Experiments: those of the papers beside their figures, and tests of robustness
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew lab list",
    "sinew lab run features.walk features.push_* --quick",
    "sinew lab run 'features.*' --out lab",
    "sinew lab report --from lab --out report.html",
]))]
pub(crate) struct LabArgs {
    #[command(subcommand)]
    pub(crate) verb: LabVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LabVerb {
    List(LabListArgs),
    Run(LabRunArgs),
    Report(LabReportArgs),
}

/// Show the experiments: what each tries, what the paper found, what counts as passing
#[derive(Debug, Args)]
#[command(after_help = examples(&["sinew lab list", "sinew lab list 'features.jump*' --json"]))]
pub(crate) struct LabListArgs {
    /// Only these: names, or patterns such as 'features.push_*'
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Do experiments and store what they find: one JSON file each, with tables (CSV) and plots (SVG)
///
/// Every run of an experiment is recorded and audited; one failing audit fails the experiment. The same seed gives the same figures
/// for any number of threads, but for times of computation. Exit code 1 when an experiment does not meet its bar.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew lab run features.walk",
    "sinew lab run 'features.*' --quick --out quick",
    "sinew lab run features.push_walk --threads 8 --json",
]))]
pub(crate) struct LabRunArgs {
    /// Names, or patterns such as 'features.*'
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,
    /// Fewer and shorter runs: shows that everything works, and is not to be believed
    #[arg(long)]
    pub(crate) quick: bool,
    /// Folder for the results
    #[arg(long, value_name = "DIR", default_value = "lab")]
    pub(crate) out: PathBuf,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads to use; 0: all cores
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Folder with MJCF files of other bodies, for experiments that try them; these leave out what is not there
    #[arg(long, value_name = "DIR", default_value = "../shared/characters")]
    pub(crate) characters: PathBuf,
    /// Also write a recording (.npz) of the first run of each experiment
    #[arg(long)]
    pub(crate) recordings: bool,
    /// Show how far it has come even when the terminal is a file or pipe
    #[arg(long)]
    pub(crate) progress: bool,
    /// Print the results as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Put stored results on one page: a scorecard, figures beside the papers', plots and tables
///
/// The page is one HTML file that needs nothing else, for light and dark screens and for paper.
#[derive(Debug, Args)]
#[command(after_help = examples(&["sinew lab report", "sinew lab report --from quick --out quick.html"]))]
pub(crate) struct LabReportArgs {
    /// Folder with the results
    #[arg(long, value_name = "DIR", default_value = "lab")]
    pub(crate) from: PathBuf,
    /// Page to write
    #[arg(long, value_name = "FILE.html", default_value = "report.html")]
    pub(crate) out: PathBuf,
    /// Print what is on the page as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
