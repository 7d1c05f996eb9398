//! Ghosts: motions on the character's body, as poses for the page.

use super::file::RATE;
use super::job::{MakeError, Outcome};
use crate::protocol::frame::pose;
use crate::view::drawing::{self, Paint};
use crate::view::skin;
use sinew::dynamics::{BodyId, Data, Model, forward_kinematics};
use sinew::motion::{Clip, FitOptions, ImportOptions, Take, bvh, motions};
use std::sync::Arc;

/// Greatest length of a ghost, frames.
const LONGEST: usize = 60 * 120;

/// The source of a ghost.
#[derive(Clone, Debug)]
pub enum GhostSource {
    /// A built-in motion.
    BuiltIn(String),
    /// A file.
    Take(String, Arc<Take>),
}

impl GhostSource {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            GhostSource::BuiltIn(name) | GhostSource::Take(name, _) => name,
        }
    }
}

/// The ghost of a file.
pub fn read(name: String, content: &[u8], model: &Arc<Model>) -> Outcome {
    match bvh::parse(content, &name, &ImportOptions::default()) {
        Ok(read) => make(GhostSource::Take(name, Arc::new(read.take)), model),
        Err(problem) => Outcome::Problem(problem.to_string()),
    }
}

/// A motion on a body, as poses.
pub fn make(source: GhostSource, model: &Arc<Model>) -> Outcome {
    let (clip, mut notes) = match fitted(&source, model) {
        Ok(fitted) => fitted,
        Err(problem) => return Outcome::Problem(format!("{}: {problem}", source.name())),
    };
    let rate = RATE.min(clip.rate);
    let clip = clip.resampled(rate);
    let frames = clip.len().min(LONGEST);
    if clip.len() > frames {
        notes.push(format!("The first {} s of the motion are shown.", LONGEST / RATE as usize));
    }
    let bodies = model.bodies().len();
    let mut poses = vec![3];
    poses.extend((bodies as u16).to_le_bytes());
    let mut data = Data::new(model);
    for q in clip.frames().take(frames) {
        forward_kinematics(model, &mut data, q);
        let numbers = (0..bodies).flat_map(|b| pose(&data.body_placement(model, BodyId(b))));
        poses.extend(numbers.flat_map(|x| (x as f32).to_le_bytes()));
    }
    let note = (!notes.is_empty()).then(|| notes.join(" "));
    Outcome::Ghost {
        name: source.name().to_owned(),
        rate,
        poses,
        bodies: drawing::parts(model, Paint::Character),
        skin: skin::message(model),
        source,
        note,
    }
}

/// The motion on the body with planted feet, and notes on what could not be kept.
fn fitted(source: &GhostSource, model: &Arc<Model>) -> Result<(Clip, Vec<String>), MakeError> {
    let take = match source {
        GhostSource::BuiltIn(name) => return Ok((motions::load(name, model)?, Vec::new())),
        GhostSource::Take(_, take) => take,
    };
    let fitted = sinew::motion::fit(take, model, &FitOptions::default())?;
    let sentence = |w: String| {
        let mut letters = w.chars();
        let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
        format!("{first}{}.", letters.as_str())
    };
    Ok((fitted.clip, fitted.warnings.into_iter().map(sentence).collect()))
}
