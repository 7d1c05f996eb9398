//! Motions from a few poses: times and named joint values become a clip.
//!
//! Each coordinate of each joint is a [`Track`] of its own: smooth between its keys, never beyond them, constant before the first
//! and after the last. Joints without keys stay as in the rest pose.

use super::Track;
use crate::{Clip, ClipError};
use sinew_dynamics::{JointKind, Model};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Keys of a model's joints.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::edit::KeyFrames;
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let mut keys = KeyFrames::new(&human, human.neutral());
/// keys.key(0.0, "elbow_l", &[0.0])?.key(1.0, "elbow_l", &[1.2])?;
/// keys.key(0.0, "shoulder_l", &[0.0, 0.0, 0.0])?.key(1.0, "shoulder_l", &[0.9, 0.0, 0.0])?; // angle times axis
/// let raise = keys.clip("raise", 30.0)?;
/// assert_eq!(raise.len(), 31);
/// let elbow = human.joints()[human.joint("elbow_l").unwrap().0].q;
/// assert!((raise.frame(15)[elbow] - 0.6).abs() < 1e-12);
/// assert!(keys.key(0.0, "elbo_l", &[0.0]).unwrap_err().to_string().contains("did you mean `elbow_l`?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct KeyFrames {
    model: Arc<Model>,
    rest: Vec<f64>,
    /// Keys by degree of freedom.
    keys: BTreeMap<usize, Vec<(f64, f64)>>,
}

/// Why keys make no clip.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// No joint of this name.
    #[error("there is no joint `{name}`{hint}")]
    Joint {
        /// The name.
        name: String,
        /// The most similar one.
        hint: String,
    },
    /// Not as many values as the joint has degrees of freedom.
    #[error("joint `{name}` takes {wanted} values, not {got}")]
    Values {
        /// The joint.
        name: String,
        /// Its degrees of freedom.
        wanted: usize,
        /// Values given.
        got: usize,
    },
    /// The frames are no clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

impl KeyFrames {
    /// No keys yet; joints are as in `rest`.
    ///
    /// # Panics
    /// If `rest` has not `nq` numbers.
    pub fn new(model: &Arc<Model>, rest: Vec<f64>) -> KeyFrames {
        assert_eq!(rest.len(), model.nq(), "a rest pose has nq numbers");
        KeyFrames { model: model.clone(), rest, keys: BTreeMap::new() }
    }

    /// A key of a joint: the value of a hinge or slide; for a ball angle times axis (rad) in the child's axes; for a free joint
    /// the way from the rest pose (m) and angle times axis.
    pub fn key(&mut self, time: f64, joint: &str, values: &[f64]) -> Result<&mut KeyFrames, KeyError> {
        let Some(id) = self.model.joint(joint) else {
            let names = self.model.joints().iter().map(|j| j.name.as_str());
            let nearest = names.min_by_key(|n| strsim::damerau_levenshtein(n, joint));
            let hint = nearest.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
            return Err(KeyError::Joint { name: joint.into(), hint });
        };
        let info = &self.model.joints()[id.0];
        let wanted = info.kind.nv();
        if values.len() != wanted {
            return Err(KeyError::Values { name: joint.into(), wanted, got: values.len() });
        }
        // hinges are keyed by their value, the others by their way from rest
        let from = match info.kind {
            JointKind::Hinge { .. } | JointKind::Slide { .. } => self.rest[info.q],
            _ => 0.0,
        };
        for (k, value) in values.iter().enumerate() {
            self.keys.entry(info.v + k).or_default().push((time, value - from));
        }
        Ok(self)
    }

    /// The clip from time 0 to the last key.
    pub fn clip(&self, name: &str, rate: f64) -> Result<Clip, KeyError> {
        let last = self.keys.values().flatten().map(|k| k.0).fold(0.0, f64::max);
        let tracks: Vec<(usize, Track)> =
            self.keys.iter().map(|(dof, keys)| (*dof, Track::new(keys.clone()))).collect();
        let frames = libm::floor(last * rate + 1e-9).max(0.0) as usize + 1;
        let (mut q, mut step) = (Vec::with_capacity(frames * self.rest.len()), vec![0.0; self.model.nv()]);
        let mut pose = self.rest.clone();
        for i in 0..frames {
            tracks.iter().for_each(|(dof, track)| step[*dof] = track.at(i as f64 / rate));
            self.model.integrate(&self.rest, &step, &mut pose);
            q.extend_from_slice(&pose);
        }
        let mut clip = Clip::new(name, self.model.clone(), rate, q)?;
        clip.provenance.add("made of key frames");
        Ok(clip)
    }
}
