//! ASF and AMC, Acclaim's skeleton and motion files, as CMU's database has them.
//!
//! The skeleton file gives each bone a direction and a length in the world of the rest pose, an axis frame `C` and its degrees of
//! freedom; the motion file gives angles per frame and bone. Rotations are about fixed axes in the order listed, so with
//! `dof rx ry rz` and angles `(a, b, c)`
//! ```text
//! M = R_z(c) R_y(b) R_x(a)        C = R_z R_y R_x of the bone's `axis`        rotation in the parent = C M C⁻¹
//! ```
//! relative to the rest pose, in which all bones' own axes are parallel to the world. A bone here becomes a joint at its start:
//! its offset is its parent's direction times length, its own end is the place of its children, or its tip.
//!
//! The motion file has no rate: 120 Hz, CMU's, is assumed. The unit follows from the figure's size as for BVH; CMU's
//! `length 0.45` means 1/0.45 inch. Limits and masses are read over.
//!
//! Source: Schafer, "Acclaim Skeleton File Definition V1.10" (1994); the notes of CMU and Oxford Metrics on it.

mod motion;
mod skeleton;

use crate::import::{self, ImportOptions, Imported, Raw, ReadError, Report, text};
use std::path::Path;

/// Reads a skeleton file and a motion file.
///
/// ```no_run
/// use sinew_motion::{ImportOptions, asf};
/// let imported = asf::read("07.asf", "07_01.amc", &ImportOptions::default())?;
/// # Ok::<(), sinew_motion::ReadError>(())
/// ```
pub fn read(
    skeleton: impl AsRef<Path>,
    motion: impl AsRef<Path>,
    options: &ImportOptions,
) -> Result<Imported, ReadError> {
    let (skeleton, motion) = (skeleton.as_ref(), motion.as_ref());
    let (asf, amc) = (text::load(skeleton, options)?, text::load(motion, options)?);
    let (asf_name, amc_name) = (skeleton.display().to_string(), motion.display().to_string());
    parse((&asf, &asf_name), (&amc, &amc_name), options)
}

/// Reads the bytes of both files, each with a name for errors and the provenance.
///
/// ```
/// use sinew_motion::{ImportOptions, asf};
/// let skeleton = b":units angle deg
/// :root order TX TY TZ RX RY RZ
/// :bonedata begin name arm direction 1 0 0 length 1.7 axis 0 0 0 XYZ dof rz end
/// :hierarchy begin
/// root arm
/// end";
/// let motion = b":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 1 0 0 0 0\narm 90\n";
/// let imported = asf::parse((skeleton, "a.asf"), (motion, "a.amc"), &ImportOptions::default())?;
/// let arm = &imported.take.skeleton.joints()[1];
/// assert_eq!((arm.name.as_str(), arm.tips.len(), imported.take.rate), ("arm", 1, 120.0));
/// # Ok::<(), sinew_motion::ReadError>(())
/// ```
pub fn parse(
    (asf, asf_name): (&[u8], &str),
    (amc, amc_name): (&[u8], &str),
    options: &ImportOptions,
) -> Result<Imported, ReadError> {
    options.check(amc_name)?;
    let mut report = Report::default();
    let skeleton_text = text::decode(asf, asf_name, options, &mut report)?;
    let skeleton = skeleton::read(&skeleton_text, asf_name, &options.limits, &mut report)?;
    let motion_text = text::decode(amc, amc_name, options, &mut report)?;
    let poses = motion::read(&motion_text, amc_name, &skeleton, options, &mut report)?;
    let raw = Raw { joints: skeleton.joints(), poses, time: None };
    let mut imported = import::settle(raw, amc, amc_name, options, report)?;
    let name = Path::new(asf_name).file_name().map_or(asf_name.into(), |n| n.to_string_lossy());
    imported.take.provenance.add(format!("skeleton {name}"));
    Ok(imported)
}
