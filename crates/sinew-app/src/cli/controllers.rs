//! Options of `sinew controllers` and `sinew cache`.

use super::examples;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Show what can move a character: controllers, their parameters, styles and requests
///
/// Without a name, a line for each: what it needs of the body and of motion clips, and what it knows besides what soles and eyes tell.
/// With a name, everything that can be set, asked for and recorded, with units, ranges and defaults.
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

/// Show or clear what controllers have computed beforehand
///
/// Some controllers work before they can act: gains along a motion, a plan. What comes of it is kept in the user's folder for caches, or
/// in that of the environment variable SINEW_CACHE, under a hash of all that it depends on, and found again next time.
#[derive(Debug, Args)]
#[command(after_help = examples(&["sinew cache list", "sinew cache clear"]))]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    pub(crate) verb: CacheVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CacheVerb {
    List(CacheListArgs),
    /// Remove everything that is kept
    Clear,
}

/// Show what is kept
#[derive(Debug, Args)]
pub(crate) struct CacheListArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
