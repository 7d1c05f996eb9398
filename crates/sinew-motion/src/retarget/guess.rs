//! Guessing which joint plays which part.
//!
//! A skeleton without shapes becomes a stick figure with them: links of no length are merged into their parents (CMU's
//! `LHipJoint`, `LowerBack`), and each bone is a capsule from its joint to the joints and tips it carries, as heavy as it is
//! long. What finds pelvis, feet and hands of any robot
//! ([`guess_roles`](sinew_dynamics::guess_roles): two alike chains to the ground are legs, two that reach to the sides are arms)
//! then finds them here. Names fill what the shape does not tell, and agreeing names make a guess surer.

use super::map::{BoneMap, MappedBone};
use super::names;
use crate::{Pose, Skeleton};
use sinew_dynamics::spatial::{Inertia, Quat, Vec3};
use sinew_dynamics::{BodySpec, Geom, JointSpec, ModelSpec, Role, Shape, Side, guess_roles};

/// Bones shorter than this part of the figure's size have no length.
const NO_LENGTH: f64 = 1e-4;
/// Thickness of a bone, as a part of its length.
const THICK: f64 = 0.08;

/// The map that shape and names give.
pub(super) fn guess(skeleton: &Skeleton) -> BoneMap {
    let mut map = BoneMap::default();
    let guessed = guess_roles(&stick_figure(skeleton));
    map.notes = guessed.notes.clone();
    for found in &guessed.guessed {
        let Some(joint) = skeleton.joints().iter().position(|j| j.name == found.body) else { continue };
        let (mut confidence, mut reason) = (found.confidence, found.reason.clone());
        match names::role_of(&found.body) {
            Some(named) if named == found.role => {
                confidence = 1.0 - 0.3 * (1.0 - confidence);
                reason += ", and its name";
            }
            Some(named) => {
                confidence *= 0.7;
                reason += &format!(", though its name says {named}");
            }
            None => {}
        }
        map.set(found.role, MappedBone { joint, confidence, reason });
    }
    // a hand begins at the wrist, whatever hangs from it: the first joint after the lower arm
    for side in Side::BOTH {
        let (Some(arm), Some(hand)) = (map.joint(Role::LowerArm(side)), map.get(Role::Hand(side))) else {
            continue;
        };
        let parent = |j: &usize| skeleton.joints()[*j].parent;
        let wrist = std::iter::successors(Some(hand.joint), parent)
            .take_while(|&j| j != arm)
            .filter(|&j| skeleton.joints()[j].offset.norm() > 0.0)
            .last();
        if let Some(joint) = wrist {
            let bone = MappedBone { joint, ..hand.clone() };
            map.set(Role::Hand(side), bone);
        }
    }
    // parts that the shape does not tell
    for role in Role::all().filter(|&r| guessed.get(r).is_none()) {
        let named =
            (0..skeleton.joints().len()).find(|&j| names::role_of(&skeleton.joints()[j].name) == Some(role));
        let taken = |j: usize| map.iter().any(|(_, bone)| bone.joint == j);
        if let Some(joint) = named.filter(|&j| !taken(j)) {
            map.set(role, MappedBone { joint, confidence: 0.5, reason: "its name".into() });
        }
    }
    map
}

/// The skeleton in its rest pose as a figure with shapes.
fn stick_figure(skeleton: &Skeleton) -> ModelSpec {
    let joints = skeleton.joints();
    let size = {
        let at = skeleton.placements(&Pose::identity(joints.len()));
        at.iter().map(|p| (p.pos - at[0].pos).norm()).fold(0.0, f64::max)
    };
    // links of no length share their parent's body
    let mut body_of = vec![0; joints.len()];
    let mut spec = ModelSpec::new("stick figure");
    for (j, joint) in joints.iter().enumerate() {
        match joint.parent {
            Some(parent) if joint.offset.norm() <= NO_LENGTH * size => body_of[j] = body_of[parent],
            parent => {
                let parent = parent.map(|p| body_of[p]);
                body_of[j] = spec.bodies.len();
                let free =
                    if parent.is_none() { JointSpec::free("root") } else { JointSpec::ball(&joint.name) };
                let body = BodySpec::new(&joint.name, parent, Inertia::ZERO).at(joint.offset);
                spec.bodies.push(body.with_joint(free));
            }
        }
    }
    let mut add = |body: usize, to: Vec3| {
        let length = to.norm();
        if length <= NO_LENGTH * size {
            return;
        }
        let radius = THICK * length;
        let mut bone = Geom::new(Shape::Capsule { radius, half: (0.5 * length - radius).max(0.0) });
        bone.pos = to * 0.5;
        bone.quat = Quat::rotation_between(&Vec3::z(), &to)
            .unwrap_or_else(|| Quat::from_axis_angle(&Vec3::x_axis(), core::f64::consts::PI));
        let mass = spec.bodies[body].inertia.mass + length;
        spec.bodies[body].inertia = Inertia::solid_box(mass, Vec3::repeat(0.1 * size));
        spec.bodies[body].geoms.push(bone);
    };
    for (j, joint) in joints.iter().enumerate() {
        if let Some(parent) = joint.parent.filter(|&p| body_of[p] != body_of[j]) {
            add(body_of[parent], joint.offset);
        }
        joint.tips.iter().for_each(|tip| add(body_of[j], *tip));
    }
    spec
}
