//! A motion on a body: configurations of its model over time.

mod sampler;
mod smooth;
mod spline;

use crate::{FootContacts, Provenance};
use sinew_dynamics::Model;
use std::sync::Arc;

pub use sampler::{Interpolation, Outside, Sampler};

/// Configurations `q` of a model at a fixed rate.
#[derive(Clone, Debug)]
pub struct Clip {
    /// What it is called.
    pub name: String,
    /// Frames per second.
    pub rate: f64,
    /// Where it comes from.
    pub provenance: Provenance,
    /// Which parts of the feet are on the ground in each frame, when that is known.
    pub contacts: Option<FootContacts>,
    model: Arc<Model>,
    q: Vec<f64>,
}

/// Why numbers are no clip.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClipError {
    /// Not a whole number of frames, or none.
    #[error("{got} numbers are not one or more configurations of {nq} numbers each of \"{model}\"")]
    Size {
        /// Name of the model.
        model: String,
        /// Numbers given.
        got: usize,
        /// Numbers of a configuration.
        nq: usize,
    },
    /// A number that is none.
    #[error("frame {frame}: number {index} of the configuration is not finite")]
    NotFinite {
        /// Index of the frame.
        frame: usize,
        /// Index in `q`.
        index: usize,
    },
    /// A rate that is none.
    #[error("{0} frames per second is not a rate: it must be positive and finite")]
    Rate(f64),
}

impl Clip {
    /// A clip of the configurations in `q`, one after the other. Quaternions are normalised.
    ///
    /// ```
    /// use sinew_dynamics::characters;
    /// use sinew_motion::Clip;
    /// let human = std::sync::Arc::new(characters::load("human")?);
    /// let still = Clip::new("still", human.clone(), 30.0, human.neutral().repeat(31))?;
    /// assert_eq!((still.len(), still.duration()), (31, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        name: impl Into<String>,
        model: Arc<Model>,
        rate: f64,
        mut q: Vec<f64>,
    ) -> Result<Clip, ClipError> {
        let nq = model.nq();
        if q.is_empty() || !q.len().is_multiple_of(nq) {
            return Err(ClipError::Size { model: model.name().into(), got: q.len(), nq });
        }
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(ClipError::Rate(rate));
        }
        if let Some(at) = q.iter().position(|x| !x.is_finite()) {
            return Err(ClipError::NotFinite { frame: at / nq, index: at % nq });
        }
        q.chunks_exact_mut(nq).for_each(|frame| model.normalize(frame));
        Ok(Clip { name: name.into(), rate, provenance: Provenance::default(), contacts: None, model, q })
    }

    /// Whose motion it is.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Number of frames, at least one.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.q.len() / self.model.nq()
    }

    /// Time from the first to the last frame, s.
    pub fn duration(&self) -> f64 {
        (self.len() - 1) as f64 / self.rate
    }

    /// Configuration of a frame.
    pub fn frame(&self, index: usize) -> &[f64] {
        let nq = self.model.nq();
        &self.q[index * nq..(index + 1) * nq]
    }

    /// Configuration of a frame, to edit. Keep quaternions of unit length.
    pub fn frame_mut(&mut self, index: usize) -> &mut [f64] {
        let nq = self.model.nq();
        &mut self.q[index * nq..(index + 1) * nq]
    }

    /// All frames.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.q.chunks_exact(self.model.nq())
    }

    /// All frames, one after the other.
    pub fn as_slice(&self) -> &[f64] {
        &self.q
    }

    /// The same on another model with the same joints, such as one that is already shared.
    pub(crate) fn on(self, model: &Arc<Model>) -> Clip {
        debug_assert_eq!(self.model.nq(), model.nq());
        Clip { model: Arc::clone(model), ..self }
    }

    /// The same motion's name and history with other frames. Quaternions must be of unit length.
    pub(crate) fn with_frames(&self, rate: f64, q: Vec<f64>, contacts: Option<FootContacts>) -> Clip {
        debug_assert!(!q.is_empty() && q.len().is_multiple_of(self.model.nq()));
        Clip {
            name: self.name.clone(),
            rate,
            provenance: self.provenance.clone(),
            contacts,
            model: self.model.clone(),
            q,
        }
    }
}
