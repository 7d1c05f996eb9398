//! A reference by name: a file of captured motion, a recording, a built-in motion.

use super::{FitError, FitOptions, Fitted, fit};
use crate::export::recording::{self, LoadError};
use crate::motions::{self, MotionError};
use crate::{Clip, ImportOptions, ReadError, bvh};
use sinew_dynamics::Model;
use sinew_world::recording::Recording;
use std::path::Path;
use std::sync::Arc;

/// A recording of another body is brought to this one at this rate at most, Hz.
const RATE: f64 = 120.0;

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
    /// Neither a file nor a motion.
    #[error("`{0}`: a motion is a .bvh or .npz file, or a built-in one (`sinew motions` lists them)")]
    Unknown(String),
}

/// The motion of this name on a body: a `.bvh` file (with the contacts of the file beside it), an `.npz` recording of a clip or of a simulated
/// run, or a built-in motion. What is of another body is brought to this one.
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
    let is = |wanted: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(wanted));
    if is("bvh") {
        let fitted = fit(&bvh::read(path, import)?.take, model, options)?;
        return Ok(Reference { clip: fitted.clip.clone(), run: None, fitted: Some(fitted) });
    }
    if is("npz") {
        let (run, clip) = recording::load(path)?;
        let same = clip.model().nq() == model.nq() && clip.model().joints() == model.joints();
        if same {
            let clip = clip.on(model);
            let run = (!run.info().meta.kinematic).then_some(run);
            return Ok(Reference { clip, run, fitted: None });
        }
        let slower = if clip.rate > RATE { clip.resampled(RATE) } else { clip };
        let take = slower.to_take().map_err(|problem| ReferenceError::Skeleton {
            name: named.to_owned(),
            problem: problem.to_string(),
        })?;
        let fitted = fit(&take, model, options)?;
        return Ok(Reference { clip: fitted.clip.clone(), run: None, fitted: Some(fitted) });
    }
    if motions::names().any(|name| name == named) {
        return Ok(Reference { clip: motions::load(named, model)?, run: None, fitted: None });
    }
    Err(ReferenceError::Unknown(named.to_owned()))
}
