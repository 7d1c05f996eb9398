//! Which joints are which, as far as an importer needs it: legs, arms, trunk and head.
//!
//! Names decide where they can. Where no feet are found by name, the legs are the two chains of equal lengths that leave the
//! tree nearest to the root.

use crate::Joint;
use crate::retarget::BoneMap;
use crate::retarget::names::role_of;
use sinew_dynamics::{Role, Side};

/// Parts of a figure. Left is 0, right is 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Figure {
    pub(crate) hips: [Option<usize>; 2],
    pub(crate) knees: [Option<usize>; 2],
    pub(crate) feet: [Option<usize>; 2],
    pub(crate) toes: [Option<usize>; 2],
    pub(crate) shoulders: [Option<usize>; 2],
    pub(crate) elbows: [Option<usize>; 2],
    pub(crate) hands: [Option<usize>; 2],
    pub(crate) head: Option<usize>,
    /// The joint from which the arms branch.
    pub(crate) chest: Option<usize>,
    /// Whether the sides follow from names.
    pub(crate) sides_named: bool,
}

impl Figure {
    pub(crate) fn of(joints: &[Joint]) -> Figure {
        let mut figure = Figure::default();
        for (i, joint) in joints.iter().enumerate() {
            let slot = match role_of(&joint.name) {
                Some(Role::Head) => &mut figure.head,
                Some(Role::Thigh(s)) => &mut figure.hips[s as usize],
                Some(Role::Shin(s)) => &mut figure.knees[s as usize],
                Some(Role::Foot(s)) => &mut figure.feet[s as usize],
                Some(Role::Toe(s)) => &mut figure.toes[s as usize],
                Some(Role::UpperArm(s)) => &mut figure.shoulders[s as usize],
                Some(Role::LowerArm(s)) => &mut figure.elbows[s as usize],
                Some(Role::Hand(s)) => &mut figure.hands[s as usize],
                _ => continue,
            };
            *slot = slot.or(Some(i));
        }
        figure.sides_named = figure.feet.iter().chain(&figure.hips).all(Option::is_some);
        if !figure.sides_named {
            figure.legs_by_shape(joints);
        }
        for (shoulder, elbow) in figure.shoulders.iter_mut().zip(figure.elbows) {
            *shoulder = shoulder.or_else(|| joints[elbow?].parent);
        }
        figure.chest = figure.shoulders[0].zip(figure.shoulders[1]).and_then(|(l, r)| meet(joints, l, r));
        figure
    }

    /// The figure of a map of bones.
    pub(crate) fn of_map(joints: &[Joint], map: &BoneMap) -> Figure {
        let both = |role: fn(Side) -> Role| Side::BOTH.map(|side| map.joint(role(side)));
        let shoulders = both(Role::UpperArm);
        Figure {
            hips: both(Role::Thigh),
            knees: both(Role::Shin),
            feet: both(Role::Foot),
            toes: both(Role::Toe),
            shoulders,
            elbows: both(Role::LowerArm),
            hands: both(Role::Hand),
            head: map.joint(Role::Head),
            chest: shoulders[0].zip(shoulders[1]).and_then(|(l, r)| meet(joints, l, r)),
            sides_named: false,
        }
    }

    /// Both feet.
    pub(crate) fn both_feet(&self) -> Option<[usize; 2]> {
        Some([self.feet[0]?, self.feet[1]?])
    }

    /// Whether a joint is below a hip, or is one.
    pub(crate) fn in_legs(&self, joints: &[Joint]) -> Vec<bool> {
        let mut inside = vec![false; joints.len()];
        for (i, joint) in joints.iter().enumerate() {
            inside[i] = self.hips.contains(&Some(i)) || joint.parent.is_some_and(|p| inside[p]);
        }
        inside
    }

    /// Length from a hip along the bones to the foot, mean of both sides.
    pub(crate) fn leg_length(&self, joints: &[Joint]) -> Option<f64> {
        let mut sum = 0.0;
        for side in 0..2 {
            let (hip, foot) = (self.hips[side]?, self.feet[side]?);
            let mut at = foot;
            while at != hip {
                sum += joints[at].offset.norm();
                at = joints[at].parent?;
            }
        }
        Some(0.5 * sum)
    }

    /// Of all pairs of chains with equal lengths, the one that leaves the tree nearest to the root. The longest of several.
    fn legs_by_shape(&mut self, joints: &[Joint]) {
        let depth = depths(joints);
        let leaves: Vec<usize> =
            (0..joints.len()).filter(|&i| !joints.iter().any(|j| j.parent == Some(i))).collect();
        let mut best: Option<(usize, f64, [usize; 2], [usize; 2])> = None;
        // a skeleton has few tips; a file with thousands is no figure
        for (n, &a) in leaves.iter().enumerate().take(100) {
            for &b in leaves.iter().take(100).skip(n + 1) {
                let Some(at) = meet(joints, a, b).filter(|_| depth[a] == depth[b]) else { continue };
                let ((top_a, long_a), (top_b, long_b)) = (below(joints, at, a), below(joints, at, b));
                let alike = (long_a - long_b).abs() <= 0.03 * long_a.max(long_b);
                if !alike || long_a <= 0.0 || depth[a] < depth[at] + 2 {
                    continue;
                }
                let nearer =
                    best.is_none_or(|(d, long, ..)| depth[at] < d || (depth[at] == d && long_a > long));
                if nearer {
                    best = Some((depth[at], long_a, [top_a, top_b], [a, b]));
                }
            }
        }
        if let Some((_, _, hips, feet)) = best {
            self.hips = hips.map(Some);
            self.feet = feet.map(Some);
        }
    }
}

fn depths(joints: &[Joint]) -> Vec<usize> {
    let mut depth = vec![0; joints.len()];
    for (i, joint) in joints.iter().enumerate() {
        depth[i] = joint.parent.map_or(0, |p| depth[p] + 1);
    }
    depth
}

/// The last common ancestor.
pub(crate) fn meet(joints: &[Joint], mut a: usize, mut b: usize) -> Option<usize> {
    // parents come before children, so the later of two is never an ancestor of the other
    while a != b {
        if a > b { a = joints[a].parent? } else { b = joints[b].parent? }
    }
    Some(a)
}

/// The child of `top` on the way to `tip`, and the length of the bones below that child.
fn below(joints: &[Joint], top: usize, tip: usize) -> (usize, f64) {
    let (mut at, mut length) = (tip, 0.0);
    while let Some(parent) = joints[at].parent.filter(|&p| p != top) {
        length += joints[at].offset.norm();
        at = parent;
    }
    (at, length)
}
