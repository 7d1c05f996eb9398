//! Built-in motions, made of key frames and formulas for any biped.
//!
//! Each motion is a short text of our own in the crate's folder `motions/`: steps with their lengths and times, key frames of
//! trunk and arms, and the few numbers in which its style differs from an ordinary walk. [`load`] plays it on a body: feet stand
//! where they stand to rounding, hips are as high as the legs allow, everything scales with the length of the legs and times
//! with its root.

mod foot;
mod hips;
mod puppet;
mod score;
mod stage;
mod timeline;

pub(crate) use puppet::hand_point;

use crate::ik::LimbError;
use crate::{Clip, Provenance};
use score::Score;
use sinew_dynamics::{Model, Role};
use std::sync::Arc;

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../motions/", $name, ".txt")))),*]
    };
}

/// Name and text.
const ALL: [(&str, &str); 22] = embedded![
    "walk",
    "walk-slow",
    "walk-fast",
    "walk-backward",
    "march",
    "sneak",
    "sidestep",
    "turn-left-45",
    "turn-left-90",
    "turn-left-180",
    "turn-right-45",
    "turn-right-90",
    "turn-right-180",
    "start",
    "stop",
    "run",
    "jump",
    "squat",
    "wave",
    "dance",
    "chin-up",
    "bar-swing"
];

/// Why a motion cannot be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MotionError {
    /// No motion of this name.
    #[error("there is no built-in motion `{name}`{hint}; built in are {known}", hint = hint(name), known = names().collect::<Vec<_>>().join(", "))]
    Unknown {
        /// The name that was asked for.
        name: String,
    },
    /// A line of a text that says nothing known.
    #[error("{name}, line {line}: {problem}")]
    Text {
        /// The motion.
        name: String,
        /// From 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// A part that no body plays.
    #[error("no body plays the role `{0}`: give it in the model's role table")]
    Role(Role),
    /// The body cannot go anywhere.
    #[error("the model has no free root")]
    NoFreeRoot,
    /// Its legs have a link between shin and foot, as those of birds.
    #[error("`{0}` does not hang from the shin: these motions are made for legs of two links")]
    ThirdLink(String),
    /// Its legs are no legs of two links.
    #[error(transparent)]
    Leg(#[from] LimbError),
}

fn hint(name: &str) -> String {
    let distance = |known: &&str| strsim::damerau_levenshtein(&name.to_lowercase(), known);
    let nearest = names().min_by_key(distance).filter(|known| distance(known) <= 1 + name.len() / 3);
    nearest.map_or(String::new(), |known| format!(" (did you mean `{known}`?)"))
}

/// Names of all built-in motions.
///
/// ```
/// assert!(sinew_motion::motions::names().any(|name| name == "walk"));
/// ```
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|(name, _)| *name)
}

/// One line about a built-in motion.
pub fn about(name: &str) -> Option<String> {
    let text = text(name)?;
    Some(Score::parse(name, text).ok()?.about)
}

/// The text of a built-in motion.
pub fn text(name: &str) -> Option<&'static str> {
    ALL.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// A built-in motion on a body, with its contacts, at 120 frames/s.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::motions;
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let walk = motions::load("walk", &human)?;
/// assert!(walk.contacts.is_some() && walk.duration() > 0.9);
/// assert!(motions::load("wlak", &human).unwrap_err().to_string().contains("did you mean `walk`?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load(name: &str, model: &Arc<Model>) -> Result<Clip, MotionError> {
    let text = text(name).ok_or_else(|| MotionError::Unknown { name: name.into() })?;
    play(name, text, model)
}

/// A motion of one's own, in the same language (see [`text`] for examples), on a body.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::motions;
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let bow = motions::play("bow", "stand 2\nkey 0 trunk_flex 0\nkey 1 trunk_flex 40\nkey 2 trunk_flex 0", &human)?;
/// assert_eq!(bow.duration(), 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn play(name: &str, text: &str, model: &Arc<Model>) -> Result<Clip, MotionError> {
    let score = Score::parse(name, text)?;
    let mut clip = stage::play(name, &score, model)?;
    let source = if score.source.is_empty() { "sinew motion".into() } else { score.source.clone() };
    clip.provenance =
        Provenance { source, version: env!("CARGO_PKG_VERSION").into(), ..Provenance::default() };
    clip.provenance.add(format!("{name} played on {}", model.name()));
    Ok(clip)
}
