//! Which joint of a skeleton plays which part: a table that is guessed, shown, saved, edited and given back.
//!
//! As a file it is TOML (or JSON) with one entry per part, `part = "joint"`. Parts that are not named are guessed; a part given
//! as `""` is left out, whatever the skeleton has.
//!
//! ```toml
//! pelvis = "Hips"
//! thigh_left = "LeftUpLeg"
//! hand_left = ""            # ignore the hand
//! ```

use super::guess;
use crate::Skeleton;
use serde::{Deserialize, Serialize};
use sinew_dynamics::Role;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A part and the joint that plays it.
#[derive(Clone, Debug, PartialEq)]
pub struct MappedBone {
    /// Index of the joint in the skeleton.
    pub joint: usize,
    /// How sure this is, 0 to 1; 1 when it was given.
    pub confidence: f64,
    /// Why, in a line.
    pub reason: String,
}

/// Which joint of a skeleton plays which part of a body.
///
/// ```
/// use sinew_dynamics::{Role, Side, characters};
/// use sinew_motion::{Clip, retarget::BoneMap};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let skeleton = Clip::new("still", human.clone(), 30.0, human.neutral())?.to_take()?.skeleton;
/// let map = BoneMap::guess(&skeleton);
/// let knee = map.get(Role::Shin(Side::Left)).unwrap();
/// assert_eq!(skeleton.joints()[knee.joint].name, "shin_l");
/// let text = map.to_toml(&skeleton);
/// assert_eq!(BoneMap::parse(&text, "map.toml", &skeleton)?.joint(Role::Pelvis), map.joint(Role::Pelvis));
///
/// let wrong = BoneMap::parse("shin_left = \"shin_1\"", "map.toml", &skeleton).unwrap_err();
/// assert_eq!(
///     wrong.to_string(),
///     "map.toml: shin_left: the skeleton has no joint \"shin_1\"; did you mean \"shin_l\"?"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoneMap {
    bones: BTreeMap<Role, MappedBone>,
    /// What a user should know about the guess.
    pub notes: Vec<String>,
}

/// The file: parts and joints by name.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Table(BTreeMap<String, String>);

/// Why a text is no map of bones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoneMapError {
    /// It is not TOML, nor JSON, with one text per part.
    #[error("{file}: {problem}")]
    Syntax {
        /// Name of the file.
        file: String,
        /// What the parser says, with line and column.
        problem: String,
    },
    /// A part that does not exist.
    #[error("{file}: \"{part}\" is no part{hint}; parts are {known}", known = super::known_parts())]
    Part {
        /// Name of the file.
        file: String,
        /// What stands there.
        part: String,
        /// The nearest part, as words.
        hint: String,
    },
    /// A joint that the skeleton does not have.
    #[error("{file}: {part}: the skeleton has no joint \"{joint}\"{hint}")]
    Joint {
        /// Name of the file.
        file: String,
        /// The part.
        part: String,
        /// What stands there.
        joint: String,
        /// The nearest joint, as words.
        hint: String,
    },
}

impl BoneMap {
    /// Guesses the map from the tree's shape and symmetry, the rest pose, and names.
    pub fn guess(skeleton: &Skeleton) -> BoneMap {
        guess::guess(skeleton)
    }

    /// The joint of a part, with how sure that is.
    pub fn get(&self, role: Role) -> Option<&MappedBone> {
        self.bones.get(&role)
    }

    /// Index of the joint of a part.
    pub fn joint(&self, role: Role) -> Option<usize> {
        self.bones.get(&role).map(|bone| bone.joint)
    }

    /// Gives a part to a joint.
    pub fn set(&mut self, role: Role, bone: MappedBone) {
        self.bones.insert(role, bone);
    }

    /// Takes a part away.
    pub fn remove(&mut self, role: Role) {
        self.bones.remove(&role);
    }

    /// All parts that are given.
    pub fn iter(&self) -> impl Iterator<Item = (Role, &MappedBone)> {
        self.bones.iter().map(|(role, bone)| (*role, bone))
    }

    /// Reads a map file (TOML, or JSON when it begins with a brace) and guesses what it does not name. `file` names it in errors.
    pub fn parse(text: &str, file: &str, skeleton: &Skeleton) -> Result<BoneMap, BoneMapError> {
        let syntax = |problem: String| BoneMapError::Syntax { file: file.into(), problem };
        let table: Table = if text.trim_start().starts_with('{') {
            serde_json::from_str(text).map_err(|e| syntax(e.to_string()))?
        } else {
            toml::from_str(text).map_err(|e| syntax(e.to_string().trim_end().into()))?
        };
        let mut map = BoneMap::guess(skeleton);
        for (part, joint) in &table.0 {
            let Ok(role) = part.parse::<Role>() else {
                let known: Vec<String> = Role::all().map(|r| r.to_string()).collect();
                let hint = did_you_mean(part, known.iter().map(String::as_str));
                return Err(BoneMapError::Part { file: file.into(), part: part.clone(), hint });
            };
            if joint.is_empty() {
                map.remove(role);
                continue;
            }
            let Some(index) = skeleton.joint(joint) else {
                let hint = did_you_mean(joint, skeleton.joints().iter().map(|j| j.name.as_str()));
                let (file, part, joint) = (file.into(), part.clone(), joint.clone());
                return Err(BoneMapError::Joint { file, part, joint, hint });
            };
            map.set(role, MappedBone { joint: index, confidence: 1.0, reason: format!("{file} says so") });
        }
        Ok(map)
    }

    /// The map as a TOML file, with the reasons as comments.
    pub fn to_toml(&self, skeleton: &Skeleton) -> String {
        let mut text = String::from("# which joint plays which part; \"\" leaves a part out\n");
        for (role, bone) in self.iter() {
            let joint = toml::Value::String(skeleton.joints()[bone.joint].name.clone());
            let _ = writeln!(text, "{role} = {joint} # {:.2}: {}", bone.confidence, bone.reason);
        }
        text
    }

    /// All parts and their joints in one line.
    pub(super) fn to_line(&self, skeleton: &Skeleton) -> String {
        let name = |bone: &MappedBone| &skeleton.joints()[bone.joint].name;
        let parts: Vec<String> = self.iter().map(|(role, bone)| format!("{role} = {}", name(bone))).collect();
        parts.join(", ")
    }

    /// The map as JSON: parts and joints by name.
    pub fn to_json(&self, skeleton: &Skeleton) -> serde_json::Value {
        let entry = |(role, bone): (Role, &MappedBone)| {
            (role.to_string(), skeleton.joints()[bone.joint].name.clone().into())
        };
        serde_json::Value::Object(self.iter().map(entry).collect())
    }
}

/// A sentence part such as `; did you mean "Hips"?`, or nothing when no known word is near.
fn did_you_mean<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    let word = &word.chars().take(100).collect::<String>().to_lowercase();
    let distance = |k: &str| strsim::damerau_levenshtein(word, &k.to_lowercase());
    let near = known.map(|k| (distance(k), k)).min_by_key(|(d, _)| *d);
    match near.filter(|(d, k)| *d <= (k.chars().count() / 3).max(1)) {
        Some((_, near)) => format!("; did you mean \"{near}\"?"),
        None => String::new(),
    }
}
