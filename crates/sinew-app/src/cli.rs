//! The command line: verbs, options and their help.

mod controllers;
mod follow;
mod motion;
mod shell;
mod tune;

use clap::{Args, Parser, Subcommand, ValueEnum};
pub(crate) use controllers::{CacheArgs, CacheVerb, ControllersArgs};
pub(crate) use follow::{OptimiseArgs, TrackArgs};
pub(crate) use motion::{ClipArgs, FirstFrame, GroundName, ImportArgs, OutUp};
pub(crate) use shell::{CompletionsArgs, ManArgs};
use sinew::world::range::{self, Range};
use std::path::PathBuf;
pub(crate) use tune::TuneArgs;

const EXIT_CODES: &str =
    "Exit codes: 0 done, 1 a check failed, 2 wrong usage or input, 128 + n ended early by signal n.";

/// Characters that move under physics
///
/// Without a verb, opens the studio: a walking character in your browser, to steer and to push.
#[derive(Debug, Parser)]
#[command(name = "sinew", version, after_help = examples(&[
    "sinew                                                  # the studio",
    "sinew simulate --controller walker --speed 1 --out walk.npz",
    "sinew export walk.npz --to walk.html                   # look at it in any browser",
    "sinew export walk.npz --to walk.glb --fps 60           # for Blender, Unity, three.js",
    "sinew verify walk.npz                                  # is it physics?",
    "sinew help simulate",
]))]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Studio(StudioArgs),
    Inspect(InspectArgs),
    Import(ImportArgs),
    Export(ExportArgs),
    Sheet(SheetArgs),
    Track(TrackArgs),
    Optimise(OptimiseArgs),
    Motions(MotionsArgs),
    Controllers(ControllersArgs),
    Simulate(SimulateArgs),
    Tune(TuneArgs),
    Lab(LabArgs),
    Bench(BenchArgs),
    Verify(VerifyArgs),
    Cache(CacheArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Open the studio: a live character in your browser, to steer, push and change
///
/// The page is part of the program and needs no network. Every page that is opened has a world of its own. Only this machine can
/// reach the studio unless --host says otherwise. Ctrl-C ends it.
#[derive(Debug, Default, Args)]
#[command(after_help = examples(&["sinew studio", "sinew studio --port 9000 --no-open"]))]
pub(crate) struct StudioArgs {
    /// Port to listen on [default: the first free one from 8640 on]
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
    /// Address to listen on [default: 127.0.0.1, this machine only]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) host: Option<std::net::IpAddr>,
    /// Only print the address instead of opening a browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// Which model, and how to read it.
#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// Name of a built-in character, or a file: MJCF (.xml), URDF (.urdf); to inspect also a motion (.bvh, .amc) or a
    /// recorded run (.npz), to export also a recorded run or a built-in motion
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
    /// Fixed if it is called `world` or has a floating joint, otherwise free
    Guess,
    Free,
    Fixed,
}

/// Show what a character, model file, motion or recording holds, or evaluate a model's dynamics at given states
///
/// For a recording (.npz), prints character, duration, controller and ground, and which data are recorded.
///
/// For a motion (.bvh, .amc), prints skeleton, size, rate, path, foot contacts, assumptions of the importer, and warnings.
///
/// For a model, prints the tree of bodies with masses, joints, limits and efforts, the totals, the roles of bodies, what the importer
/// assumed or left out, and warnings. With --at, evaluates the dynamics at the states of a JSON file instead.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew inspect human",
    "sinew inspect robot.xml --json",
    "sinew inspect robot.urdf --strict",
    "sinew inspect walk.bvh",
    "sinew inspect run.npz",
    "sinew inspect 07_01.amc --skeleton 07.asf --rate 120",
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
    /// Exit with 1 if there is a warning about the model or motion
    #[arg(long)]
    pub(crate) strict: bool,
    /// Write to this file instead of the terminal
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) clip: ClipArgs,
}

/// Write a model, a recorded run or a built-in motion for other programs
///
/// The ending of the file name chooses the format. A model becomes MJCF (.xml), with which MuJoCo computes the same dynamics, or a
/// skinned character (.glb). A recorded run, a clip (.npz) or a built-in motion becomes an HTML file that shows it in any browser,
/// offline, with orbit, scrubbing, contact forces and centre of mass (.html); a moving skinned character for Blender, Unity, three.js
/// (.glb, y up, metres); or a moving skeleton (.bvh, y up, centimetres).
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew export human --to human.xml",
    "sinew export robot.urdf --to robot.xml",
    "sinew export run.npz --to run.html",
    "sinew export run.npz --to run.glb --fps 60",
    "sinew export run.npz --to run.bvh --fps 30",
    "sinew export walk --character child --to walk.glb",
]))]
pub(crate) struct ExportArgs {
    /// A model, a recorded run, or a built-in motion
    #[command(flatten)]
    pub(crate) input: ModelArgs,
    /// File to write: .xml or .glb for a model, .html, .glb or .bvh for a run or motion
    #[arg(long, value_name = "FILE")]
    pub(crate) to: PathBuf,
    /// Character for a built-in motion: a built-in name, or an MJCF (.xml) or URDF (.urdf) file [default: human]
    #[arg(long, value_name = "CHARACTER|FILE")]
    pub(crate) character: Option<String>,
    /// Frames per second to write (.glb, .bvh) [default: the rate of the recording; a simulated run has a frame per step]
    #[arg(long, value_name = "HZ", value_parser = within(range::RATE))]
    pub(crate) fps: Option<f64>,
    /// Print what was written as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Write frames of a recorded run, from the side and from the front, as one picture
///
/// Chromium, Chrome or Edge draws them without a window. Sinew looks for it on the path and in the usual places; the
/// environment variable SINEW_CHROMIUM overrides this.
#[derive(Debug, Args)]
#[command(after_help = examples(&["sinew sheet run.npz --out sheet.png", "sinew sheet run.npz --out sheet.png --frames 6 --dark"]))]
pub(crate) struct SheetArgs {
    /// The recorded run
    #[arg(value_name = "RUN.npz")]
    pub(crate) run: PathBuf,
    /// Picture to write, .png or .jpg
    #[arg(long, value_name = "FILE.png")]
    pub(crate) out: PathBuf,
    /// Number of frames, evenly spaced from the first to the last
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=120))]
    pub(crate) frames: u32,
    /// Light figures on dark ground
    #[arg(long)]
    pub(crate) dark: bool,
    /// Install Chromium if no browser is found (Debian and Ubuntu, as root)
    #[arg(long)]
    pub(crate) install_browser: bool,
    /// Print what was written as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// List the built-in motions, or write one of them, played by a character, as a recording
///
/// Speeds, turns and residuals are those of the character. The residual is the force that contact with the ground could not
/// provide, over the weight: 0 is physical. Motions on a bar have none.
#[derive(Debug, Args)]
#[command(after_help = examples(&["sinew motions", "sinew motions walk --character child --out walk.npz", "sinew motions --json"]))]
pub(crate) struct MotionsArgs {
    /// Show only this motion
    #[arg(value_name = "MOTION")]
    pub(crate) motion: Option<String>,
    /// Name of a built-in character, or an MJCF (.xml) or URDF (.urdf) file
    #[arg(long, value_name = "CHARACTER|FILE", default_value = "human", long_help = model_help())]
    pub(crate) character: String,
    /// Write the motion to this file; `sinew sheet` and `sinew export` show it
    #[arg(long, value_name = "RUN.npz", requires = "motion")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Simulate a scenario, a controlled walk, a scene, or a limp character that falls on a terrain, and print a summary
///
/// With a scenario file or --controller the character moves by its own torques; options override the file (docs/scenarios.md lists
/// its keys). Otherwise it is limp. The time step is a millisecond unless the controller or the scenario wants another; contacts,
/// joint limits and friction are solved at every step. `sinew verify` audits the recording, `sinew export` and `sinew sheet` show it.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew simulate --controller walker --speed 1 --seconds 10 --out walk.npz",
    "sinew simulate scenario.toml --json",
    "sinew simulate --scene list",
    "sinew simulate --scene wrecking --out run.npz",
    "sinew simulate --character child --terrain stairs --speed 2 --drop 0.5 --json",
]))]
pub(crate) struct SimulateArgs {
    /// A scenario: character, controller, ground, commands, pushes
    #[arg(value_name = "SCENARIO.toml", conflicts_with_all = ["scene", "drop"])]
    pub(crate) scenario: Option<PathBuf>,
    /// Name of a built-in character, or an MJCF (.xml) or URDF (.urdf) file [default: human, or the scenario's]
    #[arg(long, value_name = "CHARACTER|FILE", long_help = model_help())]
    pub(crate) character: Option<String>,
    /// The controller that moves the character; `sinew controllers` lists them
    #[arg(long, value_name = "NAME", conflicts_with_all = ["scene", "drop"])]
    pub(crate) controller: Option<String>,
    /// A motion for the controller to follow: a .bvh file, a recording (.npz), or a built-in motion; may be given several times
    #[arg(long, value_name = "FILE|MOTION", conflicts_with_all = ["scene", "drop"])]
    pub(crate) clip: Vec<PathBuf>,
    /// A style of the controller
    #[arg(long, value_name = "NAME", conflicts_with_all = ["scene", "drop"])]
    pub(crate) style: Option<String>,
    /// A parameter of the controller, such as `lift=0.12`, or `gait.lift=0.12`; may be given several times
    #[arg(long, value_name = "PARAMETER=VALUE", conflicts_with_all = ["scene", "drop"])]
    pub(crate) set: Vec<String>,
    /// A world with objects in it; `list` shows all
    #[arg(long, value_name = "NAME", long_help = scene_help(), conflicts_with_all = ["terrain", "difficulty", "drop", "speed"])]
    pub(crate) scene: Option<String>,
    /// Ground on which it walks or falls, without a scene [default: flat, or the scenario's]
    #[arg(long, value_enum)]
    pub(crate) terrain: Option<CourseName>,
    /// Difficulty of the terrain, 0 to 1 [default: 0.1 controlled, 0.5 limp]
    #[arg(long, value_name = "D", value_parser = within(range::DIFFICULTY))]
    pub(crate) difficulty: Option<f64>,
    /// Duration, s [default: 3 limp, 10 controlled, or that of the scene or scenario]
    #[arg(long, value_name = "S", value_parser = within(range::DURATION))]
    pub(crate) seconds: Option<f64>,
    /// Height of the soles above the ground from which a limp character falls, m
    #[arg(long, value_name = "M", default_value_t = 0.2, value_parser = within(range::DROP))]
    pub(crate) drop: f64,
    /// Speed along x at which it walks, or at which a limp character is thrown, m/s [default: 0 controlled, 0.5 limp]
    #[arg(long, value_name = "M/S", allow_negative_numbers = true, value_parser = within(range::SPEED))]
    pub(crate) speed: Option<f64>,
    /// Push on the trunk to the left for 0.2 s, at the beginning if limp, halfway if controlled, N·s
    #[arg(long, value_name = "N·S", allow_negative_numbers = true, value_parser = within(range::IMPULSE))]
    pub(crate) push: Option<f64>,
    /// Seed of the terrain [default: 1, or the scenario's]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
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
    Pictures(LabPicturesArgs),
}

// shared options of verbs that play many runs; a doc comment here would replace theirs
#[derive(Debug, Args)]
pub(crate) struct LabRunsArgs {
    /// Folder with MJCF files of other bodies, for the experiments that use them; missing files are left out
    #[arg(long, value_name = "DIR")]
    pub(crate) characters: Option<PathBuf>,
    /// Also keep recordings (.npz): of every picture, or of the first run of each experiment
    #[arg(long)]
    pub(crate) recordings: bool,
    /// Print what was done as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Show the experiments: subject, result of the paper, condition for passing
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

/// Run experiments and store their results: one JSON file each, with tables (CSV) and plots (SVG)
///
/// Every run of an experiment is recorded and audited; one failing audit fails the experiment. The same seed gives the same figures
/// for any number of threads, except computation times. The exit code is 1 if an experiment fails.
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
    /// Fewer and shorter runs: a smoke test whose figures do not count
    #[arg(long)]
    pub(crate) quick: bool,
    /// Folder for the results
    #[arg(long, value_name = "DIR", default_value = "lab")]
    pub(crate) out: PathBuf,
    /// Folder with captured motions, for the experiments that follow them; without it they use built-in motions
    #[arg(long, value_name = "DIR")]
    pub(crate) mocap: Option<PathBuf>,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads to use; 0: all cores
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Show progress even if the output goes to a file or pipe
    #[arg(long)]
    pub(crate) progress: bool,
    #[command(flatten)]
    pub(crate) runs: LabRunsArgs,
}

/// Draw contact sheets of typical runs: walks, jumps, bodies
///
/// Each sheet shows part of a run: a stride, a jump, a squat. Like `sinew sheet`, this needs Chromium, Chrome or Edge.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew lab pictures --list",
    "sinew lab pictures --out docs/images/lab",
    "sinew lab pictures 'jump-*' body-ostrich --frames 8 --out pictures",
]))]
pub(crate) struct LabPicturesArgs {
    /// Only these: names, or patterns such as 'walk-*'
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Folder for the pictures (.jpg)
    #[arg(long, value_name = "DIR", default_value = "pictures")]
    pub(crate) out: PathBuf,
    /// Number of frames, evenly spaced from the first to the last
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=120))]
    pub(crate) frames: u32,
    /// Light figures on dark ground
    #[arg(long)]
    pub(crate) dark: bool,
    /// Only print the names of the pictures
    #[arg(long)]
    pub(crate) list: bool,
    #[command(flatten)]
    pub(crate) runs: LabRunsArgs,
}

/// Put stored results on one page: a scorecard, figures beside the papers', plots and tables
///
/// The page is one self-contained HTML file for light and dark screens and for paper.
#[derive(Debug, Args)]
#[command(after_help = examples(&["sinew lab report", "sinew lab report --from quick --out quick.html"]))]
pub(crate) struct LabReportArgs {
    /// Folder with the results
    #[arg(long, value_name = "DIR", default_value = "lab")]
    pub(crate) from: PathBuf,
    /// Page to write
    #[arg(long, value_name = "FILE.html", default_value = "report.html")]
    pub(crate) out: PathBuf,
    /// Print the content of the page as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Time the kernels on one core: dynamics of a 42-degree-of-freedom humanoid, the solvers, and steps of a world
///
/// Suites: dynamics, qp, hqp (quadratic programs of whole-body control, prioritised in the second), riccati, lcp. A sample is
/// the mean of a batch of at least 40 µs over all inputs; for quadratic programs it is one problem. When the environment
/// variable DATA_DIR names a folder with humanoid42.xml and humanoid42_states.json, that model and those states are used and
/// the results are first compared with the file's; otherwise the built-in human42 at random states. When QPS names a file of
/// quadratic programs, these are timed; otherwise random ones of the same sizes.
#[derive(Debug, Args)]
#[command(after_help = examples(&["sinew bench", "sinew bench --json --only aba --only qp --budget 2"]))]
pub(crate) struct BenchArgs {
    /// Print one JSON object per line and kernel (microseconds)
    #[arg(long)]
    pub(crate) json: bool,
    /// Time only this kernel or suite; may be given several times
    #[arg(long, value_name = "KERNEL|SUITE")]
    pub(crate) only: Vec<String>,
    /// Body whose steps are timed: a built-in character, or an MJCF or URDF file, with a free root
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) model: Option<String>,
    /// Seconds per kernel
    #[arg(long, value_name = "SECONDS", default_value_t = 0.4, value_parser = within(range::BUDGET))]
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
    #[arg(long, value_name = "MM", default_value_t = 20.0, value_parser = within(range::PENETRATION))]
    pub(crate) max_penetration: f64,
    /// Write to this file instead of the terminal
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Reads a number in a range; the error names the option.
fn within(range: Range) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| range.parse(text)
}

fn model_help() -> String {
    let names = sinew::dynamics::characters::names().collect::<Vec<_>>().join(", ");
    format!("An MJCF (.xml) or URDF (.urdf) file, or the name of a built-in character: {names}")
}

fn scene_help() -> String {
    let scenes = sinew::world::scenes::Scene::all().iter();
    let lines: Vec<_> = scenes.map(|s| format!("  {:<9} {}", s.name, s.about)).collect();
    format!("A world with objects in it; `list` shows all:\n{}", lines.join("\n"))
}

fn examples(lines: &[&str]) -> String {
    format!("Examples:\n  {}\n\n{EXIT_CODES}", lines.join("\n  "))
}

fn at_help() -> String {
    let examples = examples(&[
        "sinew inspect human",
        "sinew inspect robot.xml --json",
        "sinew inspect robot.urdf --strict",
        "sinew inspect walk.bvh",
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

A file MODEL.roles beside MODEL.xml or MODEL.urdf, with lines such as `foot_left = l_ankle_link`, gives the roles of
bodies; without it roles are guessed.";
