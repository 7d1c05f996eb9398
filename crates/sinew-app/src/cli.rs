//! The command line: verbs, options and their help.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

const EXIT_CODES: &str = "Exit codes: 0 done, 1 a check failed, 2 wrong usage or input.";

/// Characters that move under physics
///
/// Without a verb, shows the built-in human and the verbs.
#[derive(Debug, Parser)]
#[command(name = "sinew", version, after_help = examples(&["sinew inspect human", "sinew inspect robot.xml --json", "sinew bench"]))]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Inspect(InspectArgs),
    Export(ExportArgs),
    Sheet(SheetArgs),
    Simulate(SimulateArgs),
    Bench(BenchArgs),
    Verify(VerifyArgs),
}

/// Which model, and how to read it.
#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// Name of a built-in character, or a file: MJCF (.xml), URDF (.urdf) or, to export, a recorded run (.npz)
    #[arg(value_name = "CHARACTER|FILE", long_help = model_help())]
    pub(crate) name: String,
    /// How the root link of a URDF file moves
    #[arg(long, value_enum, default_value_t = Root::Guess)]
    pub(crate) root: Root,
    /// Leave out collision meshes of a URDF file that cannot be read; nothing collides there
    #[arg(long)]
    pub(crate) skip_missing_meshes: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Root {
    /// Fixed when it is called `world` or carries a floating joint, else free
    Guess,
    Free,
    Fixed,
}

/// Show what a character or model file holds, or evaluate its dynamics at given states
///
/// Prints the tree of bodies with masses, joints, limits and efforts, the totals, who plays which role, what the importer
/// assumed or left out, and warnings. With --at, evaluates the dynamics at the states of a JSON file instead.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew inspect human",
    "sinew inspect robot.xml --json",
    "sinew inspect robot.urdf --strict",
    "sinew inspect human42 --at states.json --json --out dynamics.json",
]), after_long_help = at_help())]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Print JSON (SI units, radians; unlimited is null)
    #[arg(long)]
    pub(crate) json: bool,
    /// Evaluate the dynamics at the states of this file; needs --json
    #[arg(long, value_name = "STATES.json", requires = "json")]
    pub(crate) at: Option<PathBuf>,
    /// Points whose Jacobians --at evaluates [default: the sites of the feet]
    #[arg(long, value_name = "SITE,…", value_delimiter = ',', requires = "at")]
    pub(crate) sites: Vec<String>,
    /// Exit with 1 when the model draws a warning
    #[arg(long)]
    pub(crate) strict: bool,
    /// Write to this file instead of the terminal
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Write a model as MJCF, or a recorded run as a page to look at
///
/// A model becomes MJCF that MuJoCo loads and computes the same with. A recorded run (.npz) becomes one HTML file that shows
/// it in any browser, offline: orbit, scrub, contact forces, centre of mass.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew export human --to human.xml",
    "sinew export robot.urdf --to robot.xml",
    "sinew export run.npz --to run.html",
]))]
pub(crate) struct ExportArgs {
    /// A model, or a recorded run
    #[command(flatten)]
    pub(crate) input: ModelArgs,
    /// File to write: .xml for a model, .html for a run
    #[arg(long, value_name = "FILE")]
    pub(crate) to: PathBuf,
    /// Print what was written as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Write frames of a recorded run, from the side and from the front, as one picture
///
/// Chromium, Chrome or Edge draws them without a window. It is looked for on the path and in the usual places; the
/// environment variable SINEW_CHROMIUM names another.
#[derive(Debug, Args)]
#[command(after_help = examples(&["sinew sheet run.npz --out sheet.png", "sinew sheet run.npz --out sheet.png --frames 6 --dark"]))]
pub(crate) struct SheetArgs {
    /// The recorded run
    #[arg(value_name = "RUN.npz")]
    pub(crate) run: PathBuf,
    /// Picture to write
    #[arg(long, value_name = "FILE.png")]
    pub(crate) out: PathBuf,
    /// Number of frames, evenly spaced from the first to the last
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=120))]
    pub(crate) frames: u32,
    /// Light figures on dark ground
    #[arg(long)]
    pub(crate) dark: bool,
    /// Install Chromium when there is no browser (Debian and Ubuntu, as root)
    #[arg(long)]
    pub(crate) install_browser: bool,
    /// Print what was written as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Play a scene, or let a limp character fall on some terrain, and sum up what happened
///
/// Steps of a millisecond; contacts, joint limits and friction are solved at every step. The recording can be audited
/// with `sinew verify` and looked at with `sinew export` and `sinew sheet`.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew simulate --scene list",
    "sinew simulate --scene wrecking --out run.npz",
    "sinew simulate --character child --terrain stairs --speed 2 --drop 0.5 --json",
]))]
pub(crate) struct SimulateArgs {
    /// Name of a built-in character, or an MJCF (.xml) or URDF (.urdf) file
    #[arg(long, value_name = "CHARACTER|FILE", default_value = "human", long_help = model_help())]
    pub(crate) character: String,
    /// A world with things in it; `list` shows all
    #[arg(long, value_name = "NAME", long_help = scene_help(), conflicts_with_all = ["terrain", "difficulty", "drop", "speed"])]
    pub(crate) scene: Option<String>,
    /// What a limp character falls on when there is no scene
    #[arg(long, value_enum, default_value_t = CourseName::Flat)]
    pub(crate) terrain: CourseName,
    /// Difficulty of the terrain, 0 to 1
    #[arg(long, value_name = "D", default_value_t = 0.5)]
    pub(crate) difficulty: f64,
    /// Duration, s [default: 3, or the scene's]
    #[arg(long, value_name = "S")]
    pub(crate) seconds: Option<f64>,
    /// Height above its standing place from which it falls, m
    #[arg(long, value_name = "M", default_value_t = 0.2)]
    pub(crate) drop: f64,
    /// Speed along x at which it is thrown, m/s
    #[arg(long, value_name = "M/S", default_value_t = 0.5, allow_negative_numbers = true)]
    pub(crate) speed: f64,
    /// Push of the trunk to the left during the first 0.2 s, N·s
    #[arg(long, value_name = "N·S", allow_negative_numbers = true)]
    pub(crate) push: Option<f64>,
    /// Seed of the terrain
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Record the run in this file
    #[arg(long, value_name = "RUN.npz")]
    pub(crate) out: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Kinds of terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CourseName {
    Flat,
    Ramps,
    Stairs,
    Ledges,
    Stones,
    Blocks,
    Rough,
    Mixed,
}

/// Time the kernels on one core: dynamics of a 42-degree-of-freedom humanoid, and the solvers
///
/// Suites: dynamics, qp, hqp (quadratic programs of whole-body control, prioritised in the second), riccati, lcp. A sample is
/// the mean of a batch of at least 40 µs over all inputs; for quadratic programs it is one problem. When the environment
/// variable DATA_DIR names a folder with humanoid42.xml and humanoid42_states.json, that model and those states are used and
/// the results are first compared with the file's; else the built-in human42 at random states. When QPS names a file of
/// quadratic programs, these are timed; else random ones of the same sizes.
#[derive(Debug, Args)]
#[command(after_help = examples(&["sinew bench", "sinew bench --json --only aba --only qp --budget 2"]))]
pub(crate) struct BenchArgs {
    /// Print one JSON object per line and kernel (microseconds)
    #[arg(long)]
    pub(crate) json: bool,
    /// Time one kernel or suite only; may be given several times
    #[arg(long, value_name = "KERNEL|SUITE")]
    pub(crate) only: Vec<String>,
    /// Seconds per kernel
    #[arg(long, value_name = "SECONDS", default_value_t = 0.4)]
    pub(crate) budget: f64,
    /// Seed of the random states and problems
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write to this file instead of the terminal
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Audit the physics of a recorded run
///
/// Recomputes everything from the recording alone: that the motion follows from the recorded forces at every step, that
/// contacts push inside their friction cones and only where bodies touch, that torques and joints stay within their limits,
/// that nothing drives the root, and that momentum adds up over the run. docs/recordings.md explains every row.
#[derive(Debug, Args)]
#[command(after_help = examples(&["sinew verify run.npz", "sinew verify run.npz --json --out audit.json"]))]
pub(crate) struct VerifyArgs {
    /// The recording
    #[arg(value_name = "RUN.npz")]
    pub(crate) run: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Compare motion with forces at every N-th step only, without the momentum ledger
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// Greatest penetration that passes, mm
    #[arg(long, value_name = "MM", default_value_t = 20.0)]
    pub(crate) max_penetration: f64,
    /// Write to this file instead of the terminal
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

fn model_help() -> String {
    let names = sinew::dynamics::characters::names().collect::<Vec<_>>().join(", ");
    format!("An MJCF (.xml) or URDF (.urdf) file, or the name of a built-in character: {names}")
}

fn scene_help() -> String {
    let scenes = sinew::world::scenes::Scene::all().iter();
    let lines: Vec<_> = scenes.map(|s| format!("  {:<9} {}", s.name, s.about)).collect();
    format!("A world with things in it; `list` shows all:\n{}", lines.join("\n"))
}

fn examples(lines: &[&str]) -> String {
    format!("Examples:\n  {}\n\n{EXIT_CODES}", lines.join("\n  "))
}

fn at_help() -> String {
    let examples = examples(&[
        "sinew inspect human",
        "sinew inspect robot.xml --json",
        "sinew inspect robot.urdf --strict",
        "sinew inspect human42 --at states.json --json --out dynamics.json",
    ]);
    format!("{AT}\n\n{examples}")
}

const AT: &str = "\
STATES.json is a list of states, or an object with the list under \"states\". A state holds qpos, qvel, qfrc (MuJoCo's
layout: quaternion w x y z, root velocity in world axes) or q, v, tau (Pinocchio's: quaternion x y z w, root velocity in
body axes), at its top or under \"mj\" or \"pin\". The answer holds, per state and in both conventions, M, h, the
acceleration, COM, momentum and derivatives, and the places, Jacobians and bias accelerations of the sites. docs/json.md
describes every key.

A file MODEL.roles beside MODEL.xml or MODEL.urdf, with lines such as `foot_left = l_ankle_link`, says which body plays
which role; without it roles are guessed.";
