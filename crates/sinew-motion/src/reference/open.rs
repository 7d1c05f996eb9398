//! Any file of motion as a take.

use super::ReferenceError;
use crate::export::recording;
use crate::{ImportOptions, Imported, ReadError, Report, asf, bvh};
use std::path::{Path, PathBuf};

/// A recording is read at this rate at most, Hz.
const RATE: f64 = 120.0;

/// Whether a file is a motion of somebody else, by its name.
pub(super) fn is_motion(path: &Path) -> bool {
    ["bvh", "amc", "asf"].iter().any(|e| is(path, e))
}

pub(super) fn is(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(wanted))
}

/// Reads a file of motion: `.bvh` (with the contacts of the file beside it), `.amc` with its skeleton, or `.npz`, the recording of a clip
/// or of a simulated run, with the contacts that it tells and at 120 Hz at most.
///
/// ```no_run
/// use sinew_motion::{ImportOptions, reference};
/// let imported = reference::open("07_01.amc", &ImportOptions::default())?; // and 07_01.asf or 07.asf
/// # Ok::<(), sinew_motion::reference::ReferenceError>(())
/// ```
///
/// # Errors
/// When the file cannot be read, or is none of these.
pub fn open(path: impl AsRef<Path>, options: &ImportOptions) -> Result<Imported, ReferenceError> {
    let path = path.as_ref();
    let named = || path.display().to_string();
    if options.skeleton.is_some() && !is(path, "amc") {
        let problem = "a skeleton (.asf) is for .amc files; others have their own".to_owned();
        return Err(ReadError::Option { file: named(), option: "skeleton", problem }.into());
    }
    if is(path, "bvh") {
        return Ok(bvh::read(path, options)?);
    }
    if is(path, "amc") {
        let skeleton = match &options.skeleton {
            Some(skeleton) => skeleton.clone(),
            None => skeleton_beside(path)?,
        };
        return Ok(asf::read(skeleton, path, options)?);
    }
    if is(path, "npz") {
        let (_, clip) = recording::load(path)?;
        let slower = if clip.rate > RATE { clip.resampled(RATE) } else { clip };
        let take = slower
            .to_take()
            .map_err(|problem| ReferenceError::Skeleton { name: named(), problem: problem.to_string() })?;
        return Ok(Imported { take, report: Report::default() });
    }
    Err(if is(path, "asf") {
        ReferenceError::OnlySkeleton(named())
    } else {
        ReferenceError::Unknown(named())
    })
}

/// The skeleton of `07_01.amc`: `07_01.asf`, or as CMU names it `07.asf`.
fn skeleton_beside(path: &Path) -> Result<PathBuf, ReferenceError> {
    let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let subject = stem.split('_').next().unwrap_or_default();
    let names = [format!("{stem}.asf"), format!("{subject}.asf")];
    let found = names.iter().map(|n| path.with_file_name(n)).find(|p| p.exists());
    found.ok_or_else(|| ReferenceError::NoSkeleton {
        name: path.display().to_string(),
        sought: if names[0] == names[1] { names[0].clone() } else { names.join(" or ") },
    })
}
