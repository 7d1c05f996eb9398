//! Options of how motions are read, and of `sinew import`.

use super::{examples, within};
use clap::{Args, ValueEnum};
use sinew::motion::{Axis, Filter};
use sinew::world::range;
use std::path::PathBuf;

/// How to read a motion, where the guesses are wrong.
#[derive(Debug, Args)]
#[command(next_help_heading = "Motions")]
pub(crate) struct ClipArgs {
    /// The skeleton (.asf) of an .amc file [default: 07.asf or 07_01.asf beside 07_01.amc]
    #[arg(long, value_name = "FILE.asf")]
    pub(crate) skeleton: Option<PathBuf>,
    /// The file's axis that points up
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    pub(crate) up: Option<Axis>,
    /// The file's axis along which the figure looks at rest
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    pub(crate) forward: Option<Axis>,
    /// Metres per unit of length of the file
    #[arg(long, value_name = "M", value_parser = within(range::SCALE))]
    pub(crate) scale: Option<f64>,
    /// Frames per second, against what the file says
    #[arg(long, value_name = "HZ", value_parser = within(range::RATE))]
    pub(crate) rate: Option<f64>,
    /// Whether the first frame is motion or a pose put before it
    #[arg(long, value_enum)]
    pub(crate) first_frame: Option<FirstFrame>,
    /// Which root to take from a file with several
    #[arg(long, value_name = "JOINT")]
    pub(crate) root_joint: Option<String>,
    /// Keep frames in which joints jump away and back, instead of bridging them
    #[arg(long)]
    pub(crate) keep_spikes: bool,
    /// Read a damaged file as far as it makes sense
    #[arg(long)]
    pub(crate) salvage: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FirstFrame {
    Keep,
    Drop,
}

/// Convert a motion (.bvh, or .amc with .asf) to metres with z up, or to another format
///
/// What is written follows from the name of the file: .bvh, .csv (time, root, one quaternion per joint), or .npz (the same as
/// arrays, with the skeleton). What the importer assumed is printed, and is in the file's provenance.
///
/// With --character the motion is put on that body: bones are matched by their parts, directions kept, joint limits obeyed, and
/// the feet planted where they stand. A table shows skate, heights and limits before and after. The .npz is then a recording that
/// `sinew sheet` and `sinew export` show.
#[derive(Debug, Args)]
#[command(after_help = examples(&[
    "sinew import walk.bvh --out walk.csv --positions",
    "sinew import 07_01.amc --skeleton 07.asf --out walk.bvh --unit 1",
    "sinew import jump.bvh --rate 60 --out jump.npz",
    "sinew import walk.bvh --character human --out walk.npz && sinew sheet walk.npz --out walk.png",
    "sinew import walk.bvh --character human --save-map map.toml --out walk.npz   # then edit map.toml, and",
    "sinew import walk.bvh --character human --map map.toml --out walk.npz",
]))]
pub(crate) struct ImportArgs {
    /// The motion
    #[arg(value_name = "CLIP")]
    pub(crate) clip: PathBuf,
    /// File to write: .bvh, .csv or .npz
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Also write the places of all joints (.csv; .npz always has them)
    #[arg(long)]
    pub(crate) positions: bool,
    /// Frames per second to write (.bvh; those of the motion otherwise)
    #[arg(long, value_name = "HZ", value_parser = within(range::RATE))]
    pub(crate) out_rate: Option<f64>,
    /// Length of a unit to write, m (.bvh)
    #[arg(long, value_name = "M", default_value_t = 0.01, value_parser = within(range::SCALE))]
    pub(crate) unit: f64,
    /// Axis that points up in what is written (.bvh): y, facing z, or z, facing -y
    #[arg(long, value_enum, default_value_t = OutUp::Y)]
    pub(crate) out_up: OutUp,
    /// Print what was assumed and written as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) options: ClipArgs,
    #[command(flatten)]
    pub(crate) retarget: RetargetArgs,
}

/// On which body to put a motion, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "On a character")]
pub(crate) struct RetargetArgs {
    /// Put the motion on this character: a built-in name, or an MJCF (.xml) or URDF (.urdf) file
    #[arg(long, value_name = "CHARACTER|FILE")]
    pub(crate) character: Option<String>,
    /// Which joint plays which part: a TOML or JSON file with lines such as `thigh_left = "LeftUpLeg"`; the rest is guessed
    #[arg(long, value_name = "MAP.toml", requires = "character")]
    pub(crate) map: Option<PathBuf>,
    /// Write the map that was used, to edit and give back
    #[arg(long, value_name = "MAP.toml", requires = "character")]
    pub(crate) save_map: Option<PathBuf>,
    /// What the feet stand on [default: guessed from where they stand]
    #[arg(long, value_enum, requires = "character")]
    pub(crate) ground: Option<GroundName>,
    /// Cut-off of the low-pass filter before all else, or `off` [default: 6 Hz, 12 Hz for motions with flights]
    #[arg(long, value_name = "HZ|off", requires = "character", value_parser = filter)]
    pub(crate) smooth: Option<Filter>,
    /// Both hands hold on to something during these seconds: they stay in place, and the body follows
    #[arg(long, value_name = "FROM..TO", requires = "character", value_parser = seconds)]
    pub(crate) hold_hands: Option<[f64; 2]>,
    /// Leave the feet as retargeting puts them
    #[arg(long, requires = "character", conflicts_with_all = ["smooth", "hold_hands"])]
    pub(crate) no_clean: bool,
}

/// The filter of `--smooth`.
fn filter(text: &str) -> Result<Filter, String> {
    match range::CUT_OFF.parse(text) {
        Ok(hz) => Ok(Filter::At(hz)),
        Err(_) if text == "off" => Ok(Filter::Off),
        Err(problem) => Err(format!("{problem}, or `off`")),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GroundName {
    /// The plane z = 0; drift of the captured floor is taken out
    Flat,
    /// Slopes, steps: soles stay at the heights and angles at which they stand
    Terrain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutUp {
    Y,
    Z,
}

/// Reads `0.5..5.2`.
fn seconds(text: &str) -> Result<[f64; 2], String> {
    let ends =
        text.split_once("..").and_then(|(a, b)| Some([a.trim().parse().ok()?, b.trim().parse().ok()?]));
    match ends {
        Some([from, to]) if range::TIME.holds(from) && range::TIME.holds(to) && to > from => Ok([from, to]),
        _ => Err("two times such as 0.5..5.2 were expected, the later one second".into()),
    }
}
