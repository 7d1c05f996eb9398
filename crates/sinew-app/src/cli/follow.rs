//! Options of `sinew track` and `sinew optimise`: verbs that take a motion and give physics back.

use super::{ClipArgs, examples};
use clap::Args;
use std::path::PathBuf;

/// Make of a clip a motion that the body can do: consistent with physics, with torques and contact forces
///
/// Finds the motion nearest to the clip that obeys the equation of motion: torques within their limits, contact forces inside the cone of
/// friction, footprints kept, feet lifted in swing. A walk becomes its best cycle, anything else is played once. The result is a
/// recording (.npz) with torques and contact forces: `sinew verify` proves it, `sinew export` shows it, and everything that takes a
/// clip takes it.
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
    /// Who does it: a built-in name, or an MJCF (.xml) or URDF (.urdf) file
    #[arg(long, value_name = "CHARACTER|FILE", default_value = "human")]
    pub(crate) character: String,
    /// Cut out the best cycle [default: if the motion comes back to where it was]
    #[arg(long, conflicts_with = "once")]
    pub(crate) cycle: bool,
    /// Play it once, from beginning to end
    #[arg(long)]
    pub(crate) once: bool,
    /// Height to which feet rise at least in the middle of their swing
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

/// Let a character follow a motion under physics: import, fit, contacts, cycle, preparation, simulation, audit, report
///
/// The motion is put on the body, and repeated if it comes back to where it was, else played once. What the controller computes beforehand is
/// kept for the next time (`sinew cache`). The report says how faithful the run was: joints, path, heading, landings, skate, steps, and
/// why it fell if it did. Exit code 1 says that it fell or that the audit fails.
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
    /// Who follows it: a built-in name, or an MJCF (.xml) or URDF (.urdf) file
    #[arg(long, value_name = "CHARACTER|FILE", default_value = "human")]
    pub(crate) character: String,
    /// The controller [default: the first that follows one clip]
    #[arg(long, value_name = "NAME")]
    pub(crate) controller: Option<String>,
    /// Seconds to simulate [default: 20, or once through a motion that is not repeated]
    #[arg(long, value_name = "S")]
    pub(crate) seconds: Option<f64>,
    /// Repeat the best cycle [default: if the motion comes back to where it was]
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
