//! The built-in characters as MJCF text, embedded in the library.
//!
//! The files stand in the crate's folder `characters/`; each opens with its sources and assumptions, and
//! `docs/characters.md` puts them side by side. [`human`](load) is the default: 35 degrees of freedom, a 50th-percentile
//! male.

use crate::Model;
use crate::format::nearest::clip;

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../characters/", $name, ".xml")))),*]
    };
}

/// Name and MJCF text, the default first.
const ALL: [(&str, &str); 13] = embedded![
    "human",
    "human29",
    "human42",
    "human-mocap",
    "human-simbicon",
    "child",
    "asymmetric",
    "ostrich",
    "dinosaur",
    "walker2d",
    "diver",
    "acrobot",
    "three-link",
];

/// An unknown built-in character.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no built-in character `{}`{hint}; built in are {known}", clip(.name), hint = self.hint(), known = known())]
pub struct UnknownCharacter {
    /// The unknown name.
    pub name: String,
}

impl UnknownCharacter {
    /// The most similar name, when one is similar at all.
    pub fn nearest(&self) -> Option<&'static str> {
        // very long names are not compared
        let name = if self.name.len() > 100 { String::new() } else { self.name.to_lowercase() };
        let distance = |known: &&str| strsim::damerau_levenshtein(&name, known);
        names().min_by_key(distance).filter(|known| distance(known) <= 1 + name.len() / 3)
    }

    fn hint(&self) -> String {
        self.nearest().map_or(String::new(), |known| format!(" (did you mean `{known}`?)"))
    }
}

fn known() -> String {
    names().collect::<Vec<_>>().join(", ")
}

/// Names of all built-in characters, the default first.
///
/// ```
/// use sinew_dynamics::characters;
/// assert_eq!(characters::names().next(), Some("human"));
/// assert!(characters::names().all(|name| characters::load(name).is_ok()));
/// ```
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|(name, _)| *name)
}

/// The MJCF text of a built-in character.
///
/// ```
/// let text = sinew_dynamics::characters::text("ostrich").unwrap();
/// assert!(text.contains("<mujoco model=\"ostrich\""));
/// ```
pub fn text(name: &str) -> Option<&'static str> {
    ALL.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Loads a built-in character.
///
/// ```
/// use sinew_dynamics::characters;
/// let human = characters::load("human")?;
/// assert_eq!(human.nv(), 35);
/// let typo = characters::load("hunam").unwrap_err();
/// assert_eq!(typo.nearest(), Some("human"));
/// # Ok::<(), characters::UnknownCharacter>(())
/// ```
pub fn load(name: &str) -> Result<Model, UnknownCharacter> {
    let text = text(name).ok_or_else(|| UnknownCharacter { name: name.to_owned() })?;
    let (model, _) = Model::from_mjcf(text).expect("every embedded character is loaded by a test");
    Ok(model)
}
