//! Options for reading motions, and those of `sinew import`.

use super::{examples, within};
use clap::{Args, ValueEnum};
use sinew::motion::{Axis, Filter};
use sinew::world::range;
use std::path::PathBuf;

/// Options that override the guesses of the importer.
#[derive(Debug, Args)]
#[command(next_help_heading = "Motions")]
pub(crate) struct ClipArgs {
    /// The skeleton (.asf) of an .amc file [default: 07.asf or 07_01.asf beside 07_01.amc]
    #[arg(long, value_name = "FILE.asf")]
    pub(crate) skeleton: Option<PathBuf>,
    /// The file's axis that points up
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    pub(crate) up: Option<Axis>,
    /// The file's axis along which the figure faces at rest
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true)]
    pub(crate) forward: Option<Axis>,
    /// Metres per unit of length of the file
    #[arg(long, value_name = "M", value_parser = within(range::SCALE))]
    pub(crate) scale: Option<f64>,
    /// Frames per second, instead of the file's rate
    #[arg(long, value_name = "HZ", value_parser = within(range::RATE))]
    pub(crate) rate: Option<f64>,
    /// Whether the first frame belongs to the motion or is a reference pose before it
    #[arg(long, value_enum)]
    pub(crate) first_frame: Option<FirstFrame>,
    /// Root to take from a file with several
    #[arg(long, value_name = "JOINT")]
    pub(crate) root_joint: Option<String>,
    /// Keep frames in which joints jump away and back instead of interpolating over them
    #[arg(long)]
    pub(crate) keep_spikes: bool,
    /// Read a damaged file up to the damage
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
/// The ending of the file name chooses the format: .bvh, .csv (time, root, one quaternion per joint), or .npz (the same as
/// arrays, with the skeleton). The importer's assumptions are printed and stored in the file's provenance.
///
/// With --character the motion is put on that body: bones are matched by body part, their directions kept, joint limits obeyed, and
/// standing feet planted. A table shows skate, heights and limits before and after. The .npz is then a recording that
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
    /// Also write the positions of all joints (.csv; .npz always has them)
    #[arg(long)]
    pub(crate) positions: bool,
    /// Frames per second to write (.bvh; those of the motion otherwise)
    #[arg(long, value_name = "HZ", value_parser = within(range::RATE))]
    pub(crate) out_rate: Option<f64>,
    /// Length of a unit to write, m (.bvh)
    #[arg(long, value_name = "M", default_value_t = 0.01, value_parser = within(range::SCALE))]
    pub(crate) unit: f64,
    /// Axis that points up in the output (.bvh): y, facing z, or z, facing -y
    #[arg(long, value_enum, default_value_t = OutUp::Y)]
    pub(crate) out_up: OutUp,
    /// Print assumptions and outputs as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) options: ClipArgs,
    #[command(flatten)]
    pub(crate) retarget: RetargetArgs,
}

/// The body for a motion, and options of the fit.
#[derive(Debug, Args)]
#[command(next_help_heading = "On a character")]
pub(crate) struct RetargetArgs {
    /// Put the motion on this character: a built-in name, or an MJCF (.xml) or URDF (.urdf) file
    #[arg(long, value_name = "CHARACTER|FILE")]
    pub(crate) character: Option<String>,
    /// Map from body parts to joints: a TOML or JSON file with lines such as `thigh_left = "LeftUpLeg"`; the rest is guessed
    #[arg(long, value_name = "MAP.toml", requires = "character")]
    pub(crate) map: Option<PathBuf>,
    /// Write the map that was used, to edit it and use it with --map
    #[arg(long, value_name = "MAP.toml", requires = "character")]
    pub(crate) save_map: Option<PathBuf>,
    /// Ground under the feet [default: guessed from the heights of contacts]
    #[arg(long, value_enum, requires = "character")]
    pub(crate) ground: Option<GroundName>,
    /// Cut-off of the low-pass filter before all else, or `off` [default: 6 Hz, 12 Hz for motions with flights]
    #[arg(long, value_name = "HZ|off", requires = "character", value_parser = filter)]
    pub(crate) smooth: Option<Filter>,
    /// Seconds in which both hands hold something: they stay in place, and the body follows
    #[arg(long, value_name = "FROM..TO", requires = "character", value_parser = seconds)]
    pub(crate) hold_hands: Option<[f64; 2]>,
    /// No clean-up: keep the feet as retargeted
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
    /// The plane z = 0; drift of the captured floor is removed
    Flat,
    /// Slopes and steps: soles keep their heights and angles
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
