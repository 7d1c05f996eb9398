//! `sinew inspect` of motions.

use super::text::{branches, count, list, short, table};
use crate::cli::InspectArgs;
use crate::{Verdict, import, output};
use anyhow::Result;
use serde::Serialize;
use sinew::dynamics::Side;
use sinew::motion::cleanup::Ground;
use sinew::motion::contacts::{self, FootTracks, Fragment, Gait, Support, Thresholds};
use sinew::motion::import::{Assumed, Warning};
use sinew::motion::retarget::BoneMap;
use sinew::motion::{Imported, Pose, Take};
use std::fmt::Write;
use std::path::Path;

/// Everything about a motion.
#[derive(Debug, Serialize)]
struct Summary {
    version: &'static str,
    name: String,
    source: String,
    sha256: String,
    frames: usize,
    rate: f64,
    seconds: f64,
    /// Of the rest pose, m.
    height: f64,
    way_m: f64,
    mean_speed_mps: f64,
    turn_deg: f64,
    /// Greatest height of the root less its least, m.
    rise_m: f64,
    joints: Vec<Joint>,
    contacts: Option<Contacts>,
    assumed: Vec<Assumed>,
    warnings: Vec<Warning>,
}

#[derive(Debug, Serialize)]
struct Joint {
    name: String,
    parent: Option<String>,
    #[serde(skip)]
    parent_index: Option<usize>,
    /// From the parent, m.
    offset: [f64; 3],
    tips: Vec<[f64; 3]>,
    /// Greatest angle between its first orientation in the parent and any other, degrees.
    range_deg: f64,
}

/// When the feet stand.
#[derive(Debug, Serialize)]
struct Contacts {
    #[serde(flatten)]
    gait: Gait,
    /// Height of the captured floor under the origin, m, and its rise per metre along x and y.
    floor_m: f64,
    floor_slope: [f64; 2],
    /// Median level of the contacts above that floor, left and right, m.
    level_m: [f64; 2],
    /// Level ground or terrain.
    ground: Ground,
    fragments: Vec<Fragment>,
}

/// `sinew inspect` of a motion.
pub(super) fn run(args: &InspectArgs, path: &Path) -> Result<Verdict> {
    let summary = Summary::of(import::load(path, &args.clip)?, path);
    let text = if args.json { output::json(&summary)? } else { render(&summary) };
    output::emit(args.out.as_deref(), &text)?;
    let bad = args.strict && !summary.warnings.is_empty();
    Ok(if bad { Verdict::CheckFailed } else { Verdict::Good })
}

impl Summary {
    fn of(imported: Imported, path: &Path) -> Summary {
        let Imported { take, report } = imported;
        let joints = take.skeleton.joints();
        // at about 30 Hz, so that tremor does not add up
        let way = take.way((take.rate / 30.0).round() as usize);
        let heights = take.poses.iter().map(|p| p.root.z);
        let joint = |(i, j): (usize, &sinew::motion::Joint)| Joint {
            name: j.name.clone(),
            parent: j.parent.map(|p| joints[p].name.clone()),
            parent_index: j.parent,
            offset: j.offset.into(),
            tips: j.tips.iter().map(|t| (*t).into()).collect(),
            range_deg: range(&take, i).to_degrees(),
        };
        Summary {
            version: env!("CARGO_PKG_VERSION"),
            name: take.name.clone(),
            source: path.display().to_string(),
            sha256: take.provenance.sha256.clone(),
            frames: take.poses.len(),
            rate: take.rate,
            seconds: take.duration(),
            height: take.skeleton.extent(&Pose::identity(joints.len()), &nalgebra::Vector3::z()),
            way_m: way,
            mean_speed_mps: if take.duration() > 0.0 { way / take.duration() } else { 0.0 },
            turn_deg: take.turn().to_degrees(),
            rise_m: heights.clone().fold(f64::MIN, f64::max) - heights.fold(f64::MAX, f64::min),
            joints: joints.iter().enumerate().map(joint).collect(),
            contacts: Contacts::of(&take),
            assumed: report.assumed,
            warnings: report.warnings,
        }
    }
}

/// Greatest angle between the first orientation of a joint and any other.
fn range(take: &Take, joint: usize) -> f64 {
    let first = take.poses[0].rotations[joint];
    take.poses.iter().map(|p| p.rotations[joint].angle_to(&first)).fold(0.0, f64::max)
}

impl Contacts {
    /// None when no two feet are found.
    fn of(take: &Take) -> Option<Contacts> {
        let tracks = FootTracks::of_take(take)?;
        let found = contacts::find(take, &BoneMap::guess(&take.skeleton), None)?;
        let said = take.contacts.as_ref().unwrap_or(&found.contacts);
        let level = |side: Side| {
            let levels = &said.level[side as usize];
            let mut down: Vec<f64> =
                (0..said.len()).filter(|&k| said.down(side, k)).map(|k| levels[k]).collect();
            down.sort_by(f64::total_cmp);
            down.get(down.len() / 2).copied().unwrap_or(0.0)
        };
        Some(Contacts {
            gait: Gait::of(said, take.rate),
            floor_m: found.floor.height,
            floor_slope: found.floor.slope,
            level_m: Side::BOTH.map(level),
            ground: found.ground,
            fragments: contacts::segment(said, &tracks, &Thresholds::default()),
        })
    }
}

fn render(s: &Summary) -> String {
    let mut out = String::new();
    // writing to a string cannot fail, so results are ignored in this file
    let _ = writeln!(
        out,
        "{} ({}): {} at {} Hz, {} s; {}, {} m tall at rest\n",
        s.name,
        s.source,
        count(s.frames, "frame", "frames"),
        short(s.rate),
        short(s.seconds),
        count(s.joints.len(), "joint", "joints"),
        short(s.height)
    );
    let mut tree = table(&["joint", "offset m (x forward, y left, z up)", "turns by"]);
    let parents: Vec<_> = s.joints.iter().map(|j| j.parent_index).collect();
    for (joint, (first, _)) in s.joints.iter().zip(branches(&parents)) {
        let offset = joint.offset.map(short).join(" ");
        tree.add_row([format!("{first}{}", joint.name), offset, format!("{}°", short(joint.range_deg))]);
    }
    let _ = writeln!(out, "{}\n", tree.trim_fmt());
    let _ = writeln!(
        out,
        "travels {} m, {} m/s on average; turns {}° to the left; the root rises and sinks by {} m",
        short(s.way_m),
        short(s.mean_speed_mps),
        short(s.turn_deg),
        short(s.rise_m)
    );
    match &s.contacts {
        None => {
            let _ = writeln!(out, "no feet were recognised");
        }
        Some(c) => feet(&mut out, c),
    }
    list(&mut out, "Assumed", &s.assumed.iter().map(ToString::to_string).collect::<Vec<_>>());
    list(&mut out, "Warnings", &s.warnings.iter().map(|w| w.text.clone()).collect::<Vec<_>>());
    out
}

fn feet(out: &mut String, c: &Contacts) {
    for (side, name) in ["left", "right"].iter().enumerate() {
        let cycles = c.gait.down_in_cycles[side]
            .map_or(String::new(), |share| format!(", {:.0} % of whole gait cycles", 100.0 * share));
        let _ = writeln!(
            out,
            "{name} foot: down {:.0} % of the time{cycles}; lands {}; stands {} m above the floor",
            100.0 * c.gait.down[side],
            count(c.gait.landings[side], "time", "times"),
            short(c.level_m[side])
        );
    }
    let steep = 100.0 * c.floor_slope[0].hypot(c.floor_slope[1]);
    let ground = if c.ground == Ground::Flat { "level ground" } else { "terrain" };
    let _ =
        writeln!(out, "{ground}; the captured floor is at {} m and rises by {steep:.1} %", short(c.floor_m));
    if c.gait.flights > 0 {
        let flights = count(c.gait.flights, "time", "times");
        let _ = writeln!(out, "no foot is down {flights}, longest {} s", short(c.gait.longest_flight_s));
    }
    let of = |wanted| c.fragments.iter().filter(|f| f.support == wanted).count();
    let _ = writeln!(
        out,
        "{}: {} of double support, {} of left swing, {} of right swing, {} of flight",
        count(c.fragments.len(), "fragment", "fragments"),
        of(Support::Double),
        of(Support::LeftSwing),
        of(Support::RightSwing),
        of(Support::Flight)
    );
}
