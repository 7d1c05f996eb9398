//! A reference by name: a file of captured motion, a recording, a built-in motion.

use super::open::{is, is_motion, open};
use super::{FitError, FitOptions, Fitted, fit};
use crate::export::recording::{self, LoadError};
use crate::motions::{self, MotionError};
use crate::{Clip, ImportOptions, ReadError, Report};
use sinew_dynamics::Model;
use sinew_world::recording::Recording;
use std::path::Path;
use std::sync::Arc;

/// A motion that a controller can follow.
#[derive(Debug)]
pub struct Reference {
    /// Configurations on the body, contacts, history.
    pub clip: Clip,
    /// The run that it is, when it was simulated on this very body: frame k of the clip is row k, whose velocities, torques and contact
    /// forces are exact.
    pub run: Option<Recording>,
    /// How it was brought to the body, when it was.
    pub fitted: Option<Fitted>,
    /// What was assumed about the file, and what is suspicious.
    pub report: Report,
}

impl Reference {
    /// What a user should know, in words: of the file and of the way to the body.
    pub fn warnings(&self) -> impl Iterator<Item = &str> {
        let file = self.report.warnings.iter().map(|w| w.text.as_str());
        file.chain(self.fitted.iter().flat_map(|f| &f.warnings).map(String::as_str))
    }
}

/// Why there is no such reference.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReferenceError {
    /// A file that cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A recording that cannot be read.
    #[error(transparent)]
    Recording(#[from] LoadError),
    /// A built-in motion that this body cannot do.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// A body that a motion cannot be brought to.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A recorded body that has no skeleton.
    #[error("`{name}`: {problem}")]
    Skeleton {
        /// What was named.
        name: String,
        /// Why.
        problem: String,
    },
    /// A motion without the file of its skeleton.
    #[error("`{name}` needs its skeleton: there is no {sought} beside it; name it (`--skeleton`)")]
    NoSkeleton {
        /// What was named.
        name: String,
        /// What was looked for.
        sought: String,
    },
    /// A skeleton without motion.
    #[error("`{0}` is a skeleton; name the motion (.amc), and this file as its skeleton (`--skeleton`)")]
    OnlySkeleton(String),
    /// Neither a file nor a motion.
    #[error("`{0}`: a motion is a .bvh, .amc or .npz file, or a built-in one (`sinew motions` lists them)")]
    Unknown(String),
}

/// The motion of this name on a body: a `.bvh` file (with the contacts of the file beside it), an `.amc` file, an `.npz` recording of a clip or of
/// a simulated run, or a built-in motion. What is of another body is brought to this one.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::reference::load;
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let walk = load("walk", &human, &Default::default(), &Default::default())?;
/// assert!(walk.clip.contacts.is_some());
/// assert!(load("walk.c3d", &human, &Default::default(), &Default::default()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there is no such motion, or it cannot be brought to the body.
pub fn load(
    named: &str,
    model: &Arc<Model>,
    import: &ImportOptions,
    options: &FitOptions,
) -> Result<Reference, ReferenceError> {
    let path = Path::new(named);
    if is(path, "npz") {
        let (run, clip) = recording::load(path)?;
        if clip.model().nq() == model.nq() && clip.model().joints() == model.joints() {
            let run = (!run.info().meta.kinematic).then_some(run);
            return Ok(Reference { clip: clip.on(model), run, fitted: None, report: Report::default() });
        }
    }
    if is(path, "npz") || is_motion(path) {
        let imported = open(path, import)?;
        let fitted = fit(&imported.take, model, options)?;
        let (clip, report) = (fitted.clip.clone(), imported.report);
        return Ok(Reference { clip, run: None, fitted: Some(fitted), report });
    }
    if motions::names().any(|name| name == named) {
        let clip = motions::load(named, model)?;
        return Ok(Reference { clip, run: None, fitted: None, report: Report::default() });
    }
    Err(ReferenceError::Unknown(named.to_owned()))
}
