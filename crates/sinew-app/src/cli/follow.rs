//! Options of `sinew track` and `sinew optimise`.

use super::{ClipArgs, examples};
use clap::Args;
use std::path::PathBuf;

/// Make a clip physically feasible for a body, with torques and contact forces
///
/// Finds the motion nearest to the clip that obeys the equation of motion: torques within their limits, contact forces inside the cone of
/// friction, footprints kept, feet lifted in swing. Of a walk the best cycle is taken, any other clip is played once. The result is a
/// recording (.npz) with torques and contact forces: `sinew verify` audits it, `sinew export` shows it, and every command that takes
/// clips accepts it.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew optimise walk.bvh --character human --out plan.npz && sinew verify plan.npz",
    "sinew optimise 07_01.amc --character human29 --json",
    "sinew optimise walk --character child --clearance 0.08 --out plan.npz   # a built-in motion",
    "sinew optimise jump.bvh --once --out plan.npz",
]))]
pub(crate) struct OptimiseArgs {
    /// The motion: .bvh, .amc, a clip or recorded run (.npz), or a built-in motion
    #[arg(value_name = "CLIP")]
    pub(crate) clip: String,
    /// The character: a built-in name, or an MJCF (.xml) or URDF (.urdf) file
    #[arg(long, value_name = "CHARACTER|FILE", default_value = "human")]
    pub(crate) character: String,
    /// Take the best cycle [default: if the motion is periodic]
    #[arg(long, conflicts_with = "once")]
    pub(crate) cycle: bool,
    /// Play it once, from beginning to end
    #[arg(long)]
    pub(crate) once: bool,
    /// Least height of feet in the middle of their swing
    #[arg(long, value_name = "M", default_value_t = 0.05)]
    pub(crate) clearance: f64,
    /// How often a cycle is written
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) cycles: usize,
    /// Write the plan to this recording (.npz)
    #[arg(long, value_name = "PLAN.npz")]
    pub(crate) out: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) options: ClipArgs,
}

/// Let a character follow a motion under physics, with an audit and a report
///
/// The motion is put on the body with its foot contacts. A periodic motion is repeated, any other is played once. The controller's
/// preparation is kept for the next time (`sinew cache`). The report gives the errors of joints, path, heading and landings, the skate,
/// the steps, and the reason of a fall. The exit code is 1 if the character fell or the audit fails.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew track walk.bvh --character human --out run.npz --export run.glb",
    "sinew track 07_01.amc --seconds 60 --json",
    "sinew track walk --character human29   # a built-in motion",
]))]
pub(crate) struct TrackArgs {
    /// The motion: .bvh, .amc, a clip or recorded run (.npz), or a built-in motion
    #[arg(value_name = "CLIP")]
    pub(crate) clip: String,
    /// The character: a built-in name, or an MJCF (.xml) or URDF (.urdf) file
    #[arg(long, value_name = "CHARACTER|FILE", default_value = "human")]
    pub(crate) character: String,
    /// The controller [default: the first that follows one clip]
    #[arg(long, value_name = "NAME")]
    pub(crate) controller: Option<String>,
    /// Seconds to simulate [default: 20, or the duration of a motion that is not repeated]
    #[arg(long, value_name = "S")]
    pub(crate) seconds: Option<f64>,
    /// Repeat the best cycle [default: if the motion is periodic]
    #[arg(long, conflicts_with = "once")]
    pub(crate) cycle: bool,
    /// Play it once, from beginning to end
    #[arg(long)]
    pub(crate) once: bool,
    /// Set a parameter of the controller (`sinew controllers NAME` lists them)
    #[arg(long, value_name = "PARAMETER=VALUE")]
    pub(crate) set: Vec<String>,
    /// Record the run (.npz)
    #[arg(long, value_name = "RUN.npz")]
    pub(crate) out: Option<PathBuf>,
    /// Write the run as an animation (.glb)
    #[arg(long, value_name = "RUN.glb")]
    pub(crate) export: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) options: ClipArgs,
}
