//! From the numbers of a file to a [`Take`] in metres, z up.
//!
//! Files of motion say little about themselves. What they leave out is guessed from the figure and its motion, reported with
//! the reason and a confidence, and can be given instead ([`ImportOptions`]):
//!
//! | what | guessed from |
//! | --- | --- |
//! | up, forward | where the head is above the feet during the motion; left and right hips in the rest pose |
//! | scale | the unit in which the figure is as tall as a person |
//! | rate | the file's, rounded to the whole number that it prints; checked against gravity in flights |
//! | first frame | whether it is a pose put before the motion |
//!
//! **Axes.** With `C` the rotation that takes the file's forward axis to x and its up axis to z, an offset `o` becomes `s C o`, a
//! rotation `R` becomes `C R Cᵀ`: every joint's own axes are, in the rest pose, x forward, y left, z up. For the usual file
//! (up +y, forward +z) that is `(x, y, z) → (z, x, y)`. Only the rest pose is turned to face x: the motion keeps its heading.

mod error;
mod figure;
mod first_frame;
mod flight;
mod guess;
mod options;
mod report;
mod spikes;
pub(crate) mod text;

pub use error::{Limits, ReadError};
pub use options::{Axis, ImportOptions, axes};
pub use report::{Assumed, Report, Warning, WarningKind};

use crate::provenance::sha256;
use crate::{Joint, Pose, Provenance, Skeleton, SkeletonError, Take};
pub(crate) use figure::Figure;
pub(crate) use flight::centres_of_mass;
use sinew_dynamics::spatial::rotation;
use std::path::Path;
use std::sync::Arc;

/// A motion that was read, and what was assumed for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The motion.
    pub take: Take,
    /// What was assumed, and what is suspicious.
    pub report: Report,
}

/// Time between frames as printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameTime {
    pub(crate) seconds: f64,
    /// Digits after the decimal point.
    pub(crate) decimals: usize,
}

/// A motion in the axes and unit of its file.
pub(crate) struct Raw {
    pub(crate) joints: Vec<Joint>,
    pub(crate) poses: Vec<Pose>,
    pub(crate) time: Option<FrameTime>,
}

/// Makes a take of what a file holds.
pub(crate) fn settle(
    raw: Raw,
    bytes: &[u8],
    file: &str,
    options: &ImportOptions,
    mut report: Report,
) -> Result<Imported, ReadError> {
    let no_skeleton = |e: SkeletonError| {
        let (file, problem) = (file.to_owned(), e.to_string());
        ReadError::Option { file, option: "root", problem }
    };
    // guesses are made in the file's own axes and unit
    let skeleton = Skeleton::new(raw.joints.clone()).map_err(no_skeleton)?;
    let figure = Figure::of(&raw.joints);
    let (up, forward) = guess::directions(&raw, &skeleton, &figure, options, &mut report);
    let scale = guess::scale(&skeleton, &figure, up, options, &mut report);
    let rate = guess::rate(raw.time, options, &mut report);

    let Raw { joints, mut poses, .. } = raw;
    let skeleton = Skeleton::new(turned(joints, up, forward, scale)).map_err(no_skeleton)?;
    let turn = axes(up, forward);
    let by = rotation::from_matrix(&turn);
    for pose in &mut poses {
        pose.root = turn * pose.root * scale;
        pose.rotations.iter_mut().for_each(|q| *q = by * *q * by.inverse());
    }
    let path = Path::new(file);
    let text = |part: Option<&std::ffi::OsStr>| part.map(|s| s.to_string_lossy().into_owned());
    let name = text(path.file_stem()).unwrap_or_default();
    let provenance = Provenance {
        source: text(path.file_name()).unwrap_or_else(|| file.to_owned()),
        sha256: sha256(bytes),
        version: env!("CARGO_PKG_VERSION").into(),
        steps: Vec::new(),
    };
    let mut take = Take { name, skeleton: Arc::new(skeleton), rate, poses, provenance, contacts: None };
    first_frame::settle(&mut take, options, &mut report);
    spikes::settle(&mut take, options, &mut report);
    flight::check_rate(&take, &figure, &mut report);
    let assumed = report.assumed.iter().map(|a| format!("{} {}", a.what, a.value));
    take.provenance.add(format!("imported: {}", assumed.collect::<Vec<_>>().join(", ")));
    Ok(Imported { take, report })
}

/// Offsets in our axes, m.
fn turned(mut joints: Vec<Joint>, up: Axis, forward: Axis, scale: f64) -> Vec<Joint> {
    let turn = axes(up, forward) * scale;
    for joint in &mut joints {
        joint.offset = turn * joint.offset;
        joint.tips.iter_mut().for_each(|tip| *tip = turn * *tip);
    }
    joints
}
