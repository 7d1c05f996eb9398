//! Retargeting: anybody's motion on any character.
//!
//! 1. **Parts** ([`BoneMap`]): joints of the skeleton get the parts of a body (pelvis, thigh, foot, …) from the shape of the
//!    tree, its symmetry, the rest pose and names. Nothing else looks at names.
//! 2. **Directions** (`anatomy`): every body of the character that plays a part follows a joint by a constant turn, such
//!    that bones point the same way; spines of different length are shared out; what the skeleton lacks stays as it is
//!    at rest, what the character lacks (fingers, collar bones) is left out.
//! 3. **Joints**: carriers first, the joints of each body are set to come nearest to the wanted orientation within their limits:
//!    exact for balls, nearest twist for hinges, Gauss–Newton for chains of hinges. Above a knee or elbow hinge the upper
//!    link is turned about its own axis so that the hinge's plane holds both links; how the captured figure's elbow plane lies
//!    is calibrated once per clip.
//! 4. **Size**: positions scale with the length of the legs; the middle of the hips is where the captured one is.
//!
//! The result keeps directions of all bones, not the places of hands and feet: [`cleanup`](crate::cleanup) puts feet on the ground.
//! Retargeting a character's own motion to itself returns the same numbers. Cost: about 15 µs per frame.

mod anatomy;
mod frame;
mod guess;
mod map;
pub(crate) mod names;
mod sole;

pub use map::{BoneMap, BoneMapError, MappedBone};

use crate::{Clip, ClipError, Pose, Take};
use anatomy::{Figures, Segment};
use sinew_dynamics::spatial::{Placement, Quat, Vec3};
use sinew_dynamics::{BodyId, Model, Role, Side};
use std::sync::Arc;

/// What may be chosen.
#[derive(Clone, Debug, Default)]
pub struct RetargetOptions {
    /// The source's rest pose: upright, looking along x. None: all joints at zero.
    pub rest: Option<Pose>,
    /// Metres of the character per metre of the source. None: the ratio of their legs.
    pub scale: Option<f64>,
    /// How the source's soles are found.
    pub sole: SoleRule,
}

/// How the soles of the source are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SoleRule {
    /// From frames in which a foot stands still; when there are none, as [`SoleRule::Rest`].
    #[default]
    Stance,
    /// The feet of both figures are alike in their rest poses.
    Rest,
}

/// Why a motion cannot be put on a character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RetargetError {
    /// The skeleton has no joint for a part that is needed.
    #[error("no joint of the skeleton is known to be its {0}; give one in a map file")]
    Source(Role),
    /// The character has no body for a part that is needed.
    #[error("no body of the character is known to be its {0}; give one in its role table")]
    Target(Role),
    /// The legs have no length.
    #[error("the legs of skeleton and character have no common length; map thigh, shin and foot of one side")]
    NoLegs,
    /// The character does not move freely, or its root is no part of pelvis, spine or trunk.
    #[error("the character needs a free root joint that moves its pelvis or trunk")]
    NoRoot,
    /// No frames.
    #[error("the take has no frames")]
    Empty,
    /// Numbers that are none.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// Puts takes of one skeleton on one character.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{Clip, retarget::{BoneMap, RetargetOptions, Retargeter}};
/// use std::sync::Arc;
/// let human = Arc::new(characters::load("human")?);
/// let still = Clip::new("still", human.clone(), 30.0, human.neutral().repeat(31))?;
/// let take = still.to_take()?; // as if captured
/// let map = BoneMap::guess(&take.skeleton);
/// let other = Arc::new(characters::load("human42")?);
/// let retargeted = Retargeter::new(&take, &map, other, &RetargetOptions::default())?.retarget(&take)?;
/// assert_eq!(retargeted.clip.len(), 31);
/// assert!(retargeted.error.mean < 0.1); // rad
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Retargeter {
    model: Arc<Model>,
    segments: Vec<Segment>,
    scale: f64,
    /// `R⁰ᵀ` of every joint of the source.
    undo_rest: Vec<Quat>,
    /// Hip joints of the source, and of the target as bodies with points in them.
    hips: [usize; 2],
    hip_points: [(BodyId, Vec3); 2],
    /// The bone map in one line, for the provenance.
    map: String,
}

/// A motion on a character, and how near it is to the captured one.
#[derive(Clone, Debug)]
pub struct Retargeted {
    /// The motion.
    pub clip: Clip,
    /// Angles between wanted and reached orientations of all bodies that follow a joint (on one hinge: of its bone), rad.
    pub error: AngleError,
    /// The same per part.
    pub parts: Vec<(Role, AngleError)>,
    /// Joint values in which limits changed the result.
    pub limited: usize,
    /// Frames of feet that the capture turned farther than any ankle turns, and that were bridged.
    pub repaired: usize,
    /// Metres of the character per metre of the source.
    pub scale: f64,
    /// Orientations of the feet (left, right) that were wanted, before any limit cut them; none without two feet.
    pub feet: Option<[Vec<Quat>; 2]>,
}

/// Angles, rad.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AngleError {
    /// Over all bodies and frames.
    pub mean: f64,
    /// The worst.
    pub worst: f64,
}

impl Retargeter {
    /// Prepares the way from the skeleton of `take` to `model`. Soles and elbow planes are calibrated on the take.
    pub fn new(
        take: &Take,
        map: &BoneMap,
        model: Arc<Model>,
        options: &RetargetOptions,
    ) -> Result<Retargeter, RetargetError> {
        if take.poses.is_empty() {
            return Err(RetargetError::Empty);
        }
        let figures = Figures::new(&take.skeleton, map, &model, options.rest.as_ref())?;
        let ratio = figures.scale()?;
        let soles = match options.sole {
            SoleRule::Rest => [None, None],
            SoleRule::Stance => Side::BOTH.map(|side| {
                let foot = map.joint(Role::Foot(side))?;
                let leg = leg_length(take, map, side)?;
                sole::normal(take, &placements_of(take, foot), leg)
            }),
        };
        let segments = figures.segments(&soles)?;
        let hip = |side| {
            let joint = map.joint(Role::Thigh(side)).ok_or(RetargetError::Source(Role::Thigh(side)))?;
            let thigh = model.role(Role::Thigh(side)).ok_or(RetargetError::Target(Role::Thigh(side)))?;
            let anchor = model.bodies()[thigh.0].joints.first().map_or(Vec3::zeros(), |j| j.anchor);
            Ok::<_, RetargetError>((joint, (thigh, anchor)))
        };
        let (left, right) = (hip(Side::Left)?, hip(Side::Right)?);
        let mut this = Retargeter {
            segments,
            scale: options.scale.unwrap_or(ratio),
            undo_rest: figures.undo_rest(),
            hips: [left.0, right.0],
            hip_points: [left.1, right.1],
            model: model.clone(),
            map: map.to_line(&take.skeleton),
        };
        this.calibrate_hinges(take);
        Ok(this)
    }

    /// Metres of the character per metre of the source.
    pub fn scale(&self) -> f64 {
        self.scale
    }
}

fn leg_length(take: &Take, map: &BoneMap, side: Side) -> Option<f64> {
    let at = take.skeleton.placements(&Pose::identity(take.skeleton.joints().len()));
    let place = |role| map.joint(role).map(|j| at[j].pos);
    let (hip, knee, ankle) = (place(Role::Thigh(side))?, place(Role::Shin(side))?, place(Role::Foot(side))?);
    Some((knee - hip).norm() + (ankle - knee).norm())
}

fn placements_of(take: &Take, joint: usize) -> Vec<Placement> {
    let mut all = Vec::new();
    let at = |pose: &Pose| {
        take.skeleton.placements_into(pose, &mut all);
        all[joint]
    };
    take.poses.iter().map(at).collect()
}

/// Names of all parts, for messages.
fn known_parts() -> String {
    Role::all().map(|r| r.to_string()).collect::<Vec<_>>().join(", ")
}
