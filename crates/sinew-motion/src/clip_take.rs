//! A clip as a take, for tools that know skeletons and no models: one joint per body.
//!
//! A take's joints are parallel to the world when nothing is turned; a model's bodies need not be. With `R⁰` the orientations of
//! the bodies in the reference placement, joint i is turned by `G_i = R_i R⁰_iᵀ` in the world and by `G_pᵀ G_i` in its parent. It
//! stands where the body's first joint is anchored.

use crate::{Clip, Joint, Pose, Skeleton, Take};
use sinew_dynamics::spatial::{Placement, Vec3, rotation};
use sinew_dynamics::{BodyId, BodySpec, Data, JointKind, Model, Role, Side, forward_kinematics};
use std::sync::Arc;

/// Why a model has no skeleton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoSkeleton {
    /// Not one tree.
    #[error("\"{model}\" is {roots} trees of bodies; a skeleton is one")]
    Roots {
        /// Name of the model.
        model: String,
        /// How many.
        roots: usize,
    },
    /// Bones have fixed lengths.
    #[error("joint \"{joint}\" of \"{model}\" slides; bones of a skeleton have fixed lengths")]
    Slides {
        /// Name of the model.
        model: String,
        /// Name of the joint.
        joint: String,
    },
}

impl Clip {
    /// The motion of a skeleton with one joint per body.
    ///
    /// ```
    /// use sinew_dynamics::characters;
    /// use sinew_motion::Clip;
    /// let human = std::sync::Arc::new(characters::load("human")?);
    /// let take = Clip::new("still", human.clone(), 30.0, human.neutral())?.to_take()?;
    /// assert_eq!(take.skeleton.joints().len(), human.bodies().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_take(&self) -> Result<Take, NoSkeleton> {
        let model = self.model();
        check(model)?;
        let rest = model.spec().reference_placements();
        let mut data = Data::new(model);
        let pose = |q: &[f64]| {
            forward_kinematics(model, &mut data, q);
            pose(model, &data, &rest)
        };
        let poses = self.frames().map(pose).collect();
        let skeleton = Skeleton::new(joints(model, &rest)).map_err(|_| NoSkeleton::Roots {
            model: model.name().into(),
            roots: model.bodies().iter().filter(|b| b.parent.is_none()).count(),
        })?;
        let provenance = self.provenance.clone();
        let (name, contacts) = (self.name.clone(), self.contacts.clone());
        Ok(Take { name, skeleton: Arc::new(skeleton), rate: self.rate, poses, provenance, contacts })
    }
}

fn check(model: &Model) -> Result<(), NoSkeleton> {
    let roots = model.bodies().iter().filter(|b| b.parent.is_none()).count();
    if roots != 1 {
        return Err(NoSkeleton::Roots { model: model.name().into(), roots });
    }
    // the root's place is part of the pose: it may slide
    let inner = model.bodies().iter().filter(|b| b.parent.is_some()).flat_map(|b| &b.joints);
    match inner.into_iter().find(|j| matches!(j.kind, JointKind::Slide { .. } | JointKind::Free)) {
        Some(joint) => Err(NoSkeleton::Slides { model: model.name().into(), joint: joint.name.clone() }),
        None => Ok(()),
    }
}

/// Where a body's joint is, in its frame.
fn anchor(body: &BodySpec) -> Vec3 {
    match body.joints.first() {
        Some(joint) if joint.kind != JointKind::Free => joint.anchor,
        _ => Vec3::zeros(),
    }
}

fn joints(model: &Model, rest: &[Placement]) -> Vec<Joint> {
    let bodies = model.bodies();
    let at = |i: usize| rest[i].act(&anchor(&bodies[i]));
    let joint = |(i, body): (usize, &BodySpec)| {
        let offset = body.parent.map_or_else(Vec3::zeros, |p| at(i) - at(p));
        let ends = !bodies.iter().any(|b| b.parent == Some(i));
        let tips = if ends {
            tip(model, i).map(|t| rest[i].rot * (t - anchor(body))).into_iter().collect()
        } else {
            vec![]
        };
        Joint { name: body.name.clone(), parent: body.parent, offset, tips }
    };
    bodies.iter().enumerate().map(joint).collect()
}

/// The end of a body without children, in its frame: the far end of its shapes; of a foot the front end.
fn tip(model: &Model, body: usize) -> Option<Vec3> {
    let spec = &model.bodies()[body];
    let foot = Side::BOTH
        .iter()
        .any(|s| [Role::Foot(*s), Role::Toe(*s)].iter().any(|r| model.role(*r) == Some(BodyId(body))));
    let away = if foot { Vec3::x() } else { spec.inertia.com - anchor(spec) };
    let away = away.try_normalize(1e-9)?;
    let ends = spec.geoms.iter().map(|g| g.support(&away));
    let far = ends.max_by(|a, b| a.dot(&away).total_cmp(&b.dot(&away)))?;
    // on the axis of the bone for limbs, the point itself for feet
    let from = anchor(spec);
    Some(if foot { far } else { from + away * (far - from).dot(&away) })
}

fn pose(model: &Model, data: &Data, rest: &[Placement]) -> Pose {
    let placed: Vec<Placement> = (0..rest.len()).map(|i| data.body_placement(model, BodyId(i))).collect();
    let turn = |i: usize| placed[i].rot * rest[i].rot.transpose();
    let local = |(i, body): (usize, &BodySpec)| {
        let relative = body.parent.map_or_else(|| turn(i), |p| turn(p).transpose() * turn(i));
        rotation::from_matrix(&relative)
    };
    let rotations = model.bodies().iter().enumerate().map(local).collect();
    Pose { root: placed[0].act(&anchor(&model.bodies()[0])), rotations }
}
