//! Axes, unit and rate from the figure and its motion.

use super::figure::Figure;
use super::{Axis, FrameTime, ImportOptions, Raw, Report, WarningKind};
use crate::{Pose, Skeleton};
use sinew_dynamics::spatial::Vec3;

/// Frames looked at, evenly spaced.
const LOOKS: usize = 200;
/// Length of the leg from hip to ankle in statures (Winter 2009, table 4.1: 0.530 − 0.039).
const LEG_OF_STATURE: f64 = 0.491;
/// Statures of people, m; for units that few files are in, of grown-up ones.
const PEOPLE: [std::ops::RangeInclusive<f64>; 2] = [0.8..=2.3, 1.2..=2.2];
/// Length of CMU's unit: the database's own scale factor 0.45 and inches, m.
pub(crate) const CMU_UNIT: f64 = 0.0254 / 0.45;
/// Units in use, m; the last three are rare.
const UNITS: [(&str, f64); 7] = [
    ("metres", 1.0),
    ("centimetres", 0.01),
    ("millimetres", 0.001),
    ("inches", 0.0254),
    ("CMU's unit, 1/0.45 inch", CMU_UNIT),
    ("decimetres", 0.1),
    ("feet", 0.3048),
];
/// Rates of cameras and screens, Hz.
pub(super) const RATES: [f64; 19] = [
    24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 72.0, 75.0, 90.0, 100.0, 120.0, 144.0, 150.0, 180.0, 200.0, 240.0,
    250.0, 300.0, 360.0,
];

/// Up and forward in the file's axes.
pub(super) fn directions(
    raw: &Raw,
    skeleton: &Skeleton,
    figure: &Figure,
    options: &ImportOptions,
    report: &mut Report,
) -> (Axis, Axis) {
    let (up, why, confidence) = match options.up {
        Some(up) => (up, "given".to_owned(), 1.0),
        None => guess_up(raw, skeleton, figure),
    };
    report.assume("up", up, why, confidence);
    let (forward, why, confidence) = match options.forward {
        Some(forward) => (forward, "given".to_owned(), 1.0),
        None => guess_forward(skeleton, figure, up),
    };
    // given axes were checked against each other, guessed ones are square to up
    let forward = if forward.vector().dot(&up.vector()) == 0.0 { forward } else { usual_forward(up) };
    report.assume("forward", forward, why, confidence);
    (up, forward)
}

/// The axis along which the trunk is above the feet, on average over the motion.
fn guess_up(raw: &Raw, skeleton: &Skeleton, figure: &Figure) -> (Axis, String, f64) {
    let usual = |why: &str| (Axis::Y, format!("{why}: the usual axis"), 0.3);
    let Some([left, right]) = figure.both_feet() else { return usual("no feet were found") };
    let in_legs = figure.in_legs(skeleton.joints());
    let upper: Vec<usize> = (1..in_legs.len()).filter(|&i| !in_legs[i]).collect();
    let mut placements = Vec::new();
    let mut rise = |pose: &Pose| {
        skeleton.placements_into(pose, &mut placements);
        let feet = 0.5 * (placements[left].pos + placements[right].pos);
        // figures that are legs only stand below their root
        let top = match upper.len() {
            0 => placements[0].pos,
            n => upper.iter().map(|&i| placements[i].pos).sum::<Vec3>() / n as f64,
        };
        (top - feet).try_normalize(1e-12).unwrap_or_default()
    };
    let rest = rise(&Pose::identity(in_legs.len()));
    let looked = raw.poses.iter().step_by(raw.poses.len().div_ceil(LOOKS));
    let (mean, looks) = looked.fold((Vec3::zeros(), 0.0), |(sum, n), pose| (sum + rise(pose), n + 1.0));
    let mean = mean / looks;
    if mean == Vec3::zeros() {
        return usual("the figure has no extent");
    }
    let up = Axis::nearest(&mean);
    let (share, at_rest) = (mean.dot(&up.vector()), rest.dot(&up.vector()));
    let mut why = format!("the trunk is above the feet along it, on average {share:.2} of the way");
    let mut doubt = 1.0 - (1.2 * share).clamp(0.1, 0.99);
    // a second witness, which may differ: rest poses lie down in some files
    if at_rest > 0.7 {
        why += ", and in the rest pose";
        doubt *= 1.0 - 0.9 * at_rest;
    }
    (up, why, (1.0 - doubt).min(0.99))
}

/// Square to up and to the line of the hips in the rest pose, left on the left.
fn guess_forward(skeleton: &Skeleton, figure: &Figure, up: Axis) -> (Axis, String, f64) {
    let usual = |why: &str| (usual_forward(up), format!("{why}: the usual axis"), 0.3);
    let (Some(left), Some(right)) = (figure.hips[0], figure.hips[1]) else {
        return usual("no hips were found");
    };
    if !figure.sides_named {
        return usual("no names tell left from right");
    }
    let rest = skeleton.placements(&Pose::identity(skeleton.joints().len()));
    // hip joints may coincide; what hangs on them does not
    let spread = |a: Option<usize>, b: Option<usize>| a.zip(b).map(|(a, b)| rest[a].pos - rest[b].pos);
    let wide = |v: &Vec3| v.norm() > 0.0;
    let across = [Some(rest[left].pos - rest[right].pos), spread(figure.feet[0], figure.feet[1])];
    let Some(across) = across.into_iter().flatten().find(wide) else {
        return usual("the hips are one point");
    };
    let ahead = across.normalize().cross(&up.vector());
    let forward = Axis::nearest(&ahead);
    let share = ahead.dot(&forward.vector());
    if forward.vector().dot(&up.vector()) != 0.0 || share < 0.6 {
        return usual("the hips of the rest pose are not level");
    }
    (forward, "left and right hips of the rest pose".into(), 0.97 * share)
}

/// Where figures look at rest by convention: +z when y is up, −y when z is.
fn usual_forward(up: Axis) -> Axis {
    match up.vector().iamax() {
        1 => Axis::Z,
        2 => Axis::Y.reversed(),
        _ => Axis::Z,
    }
}

/// Metres per unit.
pub(super) fn scale(
    skeleton: &Skeleton,
    figure: &Figure,
    up: Axis,
    options: &ImportOptions,
    report: &mut Report,
) -> f64 {
    let joints = skeleton.joints();
    let (stature, from) = match figure.leg_length(joints).filter(|l| *l > 0.0) {
        Some(leg) => (leg / LEG_OF_STATURE, format!("the legs are {leg:.4} units long")),
        None => {
            let tall = skeleton.extent(&Pose::identity(joints.len()), &up.vector());
            (tall, format!("the rest pose is {tall:.4} units tall"))
        }
    };
    if let Some(scale) = options.scale {
        report.assume("scale", format!("{scale} m per unit"), "given", 1.0);
        return scale;
    }
    let fits =
        |(k, (_, unit)): &(usize, &(&str, f64))| PEOPLE[usize::from(*k >= 4)].contains(&(stature * unit));
    let distance = |unit: f64| libm::fabs(libm::log(stature * unit / 1.7));
    let fitting = UNITS.iter().enumerate().filter(fits).map(|(_, unit)| unit);
    let best = fitting.min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
    let Some((name, unit)) = best else {
        let text = format!(
            "{from}: in no usual unit is that a person; taken as metres, give the scale if it is not"
        );
        report.warn(WarningKind::Scale, text);
        report.assume("scale", "1 m per unit", from, 0.1);
        return 1.0;
    };
    let cmu_names = ["LHipJoint", "RHipJoint", "LowerBack"];
    let is_cmu = cmu_names.iter().all(|n| skeleton.joint(n).is_some());
    let confidence = match (*unit == CMU_UNIT, is_cmu) {
        (true, true) => 0.97,
        (true, false) => 0.5,
        // children and giants are fewer than wrong units
        _ if distance(*unit) > 0.3 => 0.5,
        _ => 0.95,
    };
    let why = format!("{from}; in {name} that is a person of about {:.2} m", stature * unit);
    report.assume("scale", format!("{unit:.7} m per unit"), why, confidence);
    *unit
}

/// Frames per second: the usual rate that the file prints, else exactly what it prints.
pub(super) fn rate(time: Option<FrameTime>, options: &ImportOptions, report: &mut Report) -> f64 {
    if let Some(rate) = options.rate {
        report.assume("rate", format!("{rate} Hz"), "given", 1.0);
        return rate;
    }
    // a file without time is refused unless the rate is given; CMU's AMC files have none and 120 Hz
    let Some(FrameTime { seconds, decimals }) = time else {
        report.assume("rate", "120 Hz", "the format has no rate; CMU captured at 120 Hz", 0.5);
        return 120.0;
    };
    let digit = libm::pow(10.0, -(decimals.min(20) as f64));
    let near = |r: &&f64| {
        let off = libm::fabs(1.0 / **r - seconds);
        off <= digit && off < 2e-3 * seconds
    };
    match RATES.iter().find(near) {
        Some(rate) => {
            report.assume(
                "rate",
                format!("{rate} Hz"),
                format!("the file prints {seconds} s per frame"),
                0.9,
            );
            *rate
        }
        None => {
            let rate = 1.0 / seconds;
            report.assume("rate", format!("{rate} Hz"), format!("the file says {seconds} s per frame"), 0.8);
            rate
        }
    }
}
