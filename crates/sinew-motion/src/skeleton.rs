//! Skeletons as files of motion have them: joints with offsets, no masses and no shapes.

use crate::Pose;
use sinew_dynamics::spatial::{Placement, Vec3, rotation};

/// A joint of a [`Skeleton`].
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name in the file.
    pub name: String,
    /// Index of its parent; only the first joint has none.
    pub parent: Option<usize>,
    /// From the parent in the parent's axes, m. Zero for the root: its position is part of the pose.
    pub offset: Vec3,
    /// Ends of the bone without a joint (BVH's end sites), in the joint's axes, m.
    pub tips: Vec<Vec3>,
}

/// A tree of joints, parents before children, one root.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
}

/// Why joints are no skeleton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SkeletonError {
    /// No joint at all.
    #[error("a skeleton needs at least one joint")]
    Empty,
    /// A parent that does not come before its child, or a second root.
    #[error("joint {index} \"{name}\" must come after its parent, and only the first joint has none")]
    Order {
        /// Index of the joint.
        index: usize,
        /// Its name.
        name: String,
    },
}

impl Skeleton {
    /// Checks that parents come before children and that there is one root.
    ///
    /// ```
    /// use sinew_dynamics::spatial::Vec3;
    /// use sinew_motion::{Joint, Pose, Skeleton};
    /// let joint = |name: &str, parent, z| Joint { name: name.into(), parent, offset: Vec3::z() * z, tips: vec![] };
    /// let leg = Skeleton::new(vec![joint("hip", None, 0.0), joint("knee", Some(0), -0.4)])?;
    /// let placements = leg.placements(&Pose { root: Vec3::z(), ..Pose::identity(2) });
    /// assert_eq!(placements[1].pos, Vec3::new(0.0, 0.0, 0.6));
    /// # Ok::<(), sinew_motion::SkeletonError>(())
    /// ```
    pub fn new(joints: Vec<Joint>) -> Result<Skeleton, SkeletonError> {
        if joints.is_empty() {
            return Err(SkeletonError::Empty);
        }
        for (index, joint) in joints.iter().enumerate() {
            let in_order = match joint.parent {
                None => index == 0,
                Some(parent) => parent < index,
            };
            if !in_order {
                return Err(SkeletonError::Order { index, name: joint.name.clone() });
            }
        }
        Ok(Skeleton { joints })
    }

    /// The joints, parents before children.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Index of the joint with this name, without regard to case.
    pub fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|j| j.name.eq_ignore_ascii_case(name))
    }

    /// Indices of the children of a joint.
    pub fn children(&self, joint: usize) -> impl Iterator<Item = usize> {
        (joint + 1..self.joints.len()).filter(move |&c| self.joints[c].parent == Some(joint))
    }

    /// Extent of a pose along a direction of unit length, tips included, m.
    pub fn extent(&self, pose: &Pose, along: &Vec3) -> f64 {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (joint, placement) in self.joints.iter().zip(self.placements(pose)) {
            let ends = joint.tips.iter().map(|tip| placement.act(tip)).chain([placement.pos]);
            for height in ends.map(|p| p.dot(along)) {
                (low, high) = (f64::min(low, height), f64::max(high, height));
            }
        }
        high - low
    }

    /// Where all joints are in a pose, in the world.
    pub fn placements(&self, pose: &Pose) -> Vec<Placement> {
        let mut placements = Vec::with_capacity(self.joints.len());
        self.placements_into(pose, &mut placements);
        placements
    }

    /// [`Skeleton::placements`] into a vector that is cleared first.
    pub fn placements_into(&self, pose: &Pose, into: &mut Vec<Placement>) {
        into.clear();
        for (joint, turn) in self.joints.iter().zip(&pose.rotations) {
            let turn = rotation::to_matrix(turn);
            into.push(match joint.parent {
                None => Placement { rot: turn, pos: pose.root },
                Some(parent) => {
                    let parent = &into[parent];
                    Placement { rot: parent.rot * turn, pos: parent.act(&joint.offset) }
                }
            });
        }
    }
}
