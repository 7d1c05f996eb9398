//! Options of `sinew controllers` and `sinew cache`.

use super::examples;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Show controllers with their parameters, styles and requests
///
/// Without a name, one line for each controller: the body and the motion clips that it needs, and what it knows besides what it could
/// sense. With a name, all its parameters, styles, requests and signals, with units, ranges and defaults.
#[derive(Debug, Args)]
#[command(after_help = examples(&["sinew controllers", "sinew controllers walker", "sinew controllers jumper --json"]))]
pub(crate) struct ControllersArgs {
    /// A controller
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Write to this file instead of the terminal
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Show or clear stored preparations of controllers
///
/// Some controllers need a preparation, such as gains along a motion or a plan. It is kept in the user's folder for caches, or in
/// that of the environment variable SINEW_CACHE, under a hash of everything that it depends on, and used again next time.
#[derive(Debug, Args)]
#[command(after_help = examples(&["sinew cache list", "sinew cache clear"]))]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    pub(crate) verb: CacheVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CacheVerb {
    List(CacheListArgs),
    /// Remove all preparations
    Clear,
}

/// Show what is kept
#[derive(Debug, Args)]
pub(crate) struct CacheListArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
