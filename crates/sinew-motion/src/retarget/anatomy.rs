//! How the bones of two bodies correspond: which body follows which joint, and by which constant turn.
//!
//! In its rest pose every figure stands upright and looks forward, but arms may hang or be stretched out, legs may be splayed,
//! and feet may point anywhere. So bones are compared by their **directions**. With `d` the direction of a bone at rest (in the
//! figure's own forward-left-up axes), `A(d)` the smallest rotation from "straight down" to `d`, and `R⁰` the rest orientation of
//! the frame that carries the bone, the target's body should be at
//! ```text
//! R_target(t) = G(t) · A(d_source) A(d_target)ᵀ R⁰_target,        G(t) = R_source(t) (R⁰_source)ᵀ
//! ```
//! so that both bones always point the same way, and an arm that hangs is a T-pose's arm let down sideways. Trunk and head
//! use `A = 1`. Feet use the frame of the sole: normal and toe direction.
//!
//! **Spine.** `k` joints of one spine carry `m` bodies of the other by rank: body `j` of `m` follows the orientation at the
//! place `k j/m` along the source's chain, between two joints a spherical mean. Equal chains correspond one to one. Collar
//! bones and necks follow theirs in the same way.

use super::{BoneMap, RetargetError};
use crate::ik::between;
use crate::ik::chain::Chain;
use crate::{Pose, Skeleton};
use sinew_dynamics::spatial::{Mat3, Placement, Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, JointKind, Model, Role, Side};

/// A body of the target and what it follows.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) body: BodyId,
    /// The part it plays, for figures; none inside the spine.
    pub(super) role: Option<Role>,
    /// Index of the segment that carries it; none for the root.
    pub(super) carrier: Option<usize>,
    /// The joints from there.
    pub(super) chain: Chain,
    /// It follows the mean of two joints' orientations …
    pub(super) joints: [usize; 2],
    /// … with this weight of the second …
    pub(super) weight: f64,
    /// … and this constant turn after it.
    pub(super) align: Quat,
    /// Direction of its bone in its own axes when only that is compared: a part on one hinge has no twist of its own.
    pub(super) bone: Option<Vec3>,
    /// The hinge below, when this is the upper link of a limb whose middle joint is one.
    pub(super) hinge: Option<HingeBelow>,
}

/// A hinge that carries the lower link of a limb: its plane should hold both links.
#[derive(Clone, Copy, Debug)]
pub(super) struct HingeBelow {
    /// Segment of the lower link.
    pub(super) lower: usize,
    /// Direction of the upper link, in its own axes.
    pub(super) bone: Vec3,
    /// Where the lower link swings when the hinge flexes, and the hinge's axis, both square to the bone, upper link's axes.
    pub(super) swing: Vec3,
    pub(super) axis: Vec3,
    /// Direction of the lower link, in its own axes.
    pub(super) lower_bone: Vec3,
}

/// A body, its part, the joints it follows with the weight of the second, and the turn after them.
type Follows = (BodyId, Option<Role>, [usize; 2], f64, Quat);

/// Both figures at rest.
pub(super) struct Figures<'a> {
    pub(super) skeleton: &'a Skeleton,
    pub(super) map: &'a BoneMap,
    pub(super) model: &'a Model,
    source: Vec<Placement>,
    target: Vec<Placement>,
    /// Forward, left, up of the source at rest, as columns.
    axes: Mat3,
}

impl<'a> Figures<'a> {
    pub(super) fn new(
        skeleton: &'a Skeleton,
        map: &'a BoneMap,
        model: &'a Model,
        rest: Option<&Pose>,
    ) -> Result<Figures<'a>, RetargetError> {
        let identity = Pose::identity(skeleton.joints().len());
        let source = skeleton.placements(rest.unwrap_or(&identity));
        let hip = |side| {
            let joint = map.joint(Role::Thigh(side)).ok_or(RetargetError::Source(Role::Thigh(side)))?;
            Ok::<_, RetargetError>(source[joint].pos)
        };
        let across = hip(Side::Left)? - hip(Side::Right)?;
        let left = Vec3::new(across.x, across.y, 0.0).try_normalize(1e-9).unwrap_or(Vec3::y());
        let nearly_y = (left - Vec3::y()).norm() < 0.2;
        // a rest pose that was turned on import looks along x, whatever the last digit of a hip says
        let left = if nearly_y { Vec3::y() } else { left };
        let axes = Mat3::from_columns(&[left.cross(&Vec3::z()), left, Vec3::z()]);
        Ok(Figures { skeleton, map, model, source, target: model.spec().reference_placements(), axes })
    }

    fn joint(&self, role: Role) -> Result<usize, RetargetError> {
        self.map.joint(role).ok_or(RetargetError::Source(role))
    }

    /// Direction of a part at rest in the source's forward-left-up axes.
    fn source_direction(&self, role: Role) -> Option<Vec3> {
        let joint = self.map.joint(role)?;
        let from = self.source[joint].pos;
        let next = next_part(role).and_then(|r| self.map.joint(r)).map(|j| self.source[j].pos - from);
        let tip = || {
            let tips = self.skeleton.joints()[joint].tips.iter().map(|tip| self.source[joint].rot * tip);
            let children = self.skeleton.children(joint).map(|c| self.source[c].pos - from);
            tips.chain(children).max_by(|a, b| a.norm().total_cmp(&b.norm()))
        };
        let along = next.filter(|d| d.norm() > 1e-6).or_else(tip)?;
        Some(self.axes.tr_mul(&along.try_normalize(1e-6)?))
    }

    /// Where a part's joints are at rest: the first one's centre.
    pub(super) fn target_joint(&self, body: BodyId) -> Vec3 {
        let spec = &self.model.bodies()[body.0];
        self.target[body.0].act(&spec.joints.first().map_or(Vec3::zeros(), |j| j.anchor))
    }

    /// Direction of a part at rest in the target's axes: to the next part, else to its centre of mass.
    fn target_direction(&self, role: Role) -> Option<Vec3> {
        let body = self.model.role(role)?;
        let from = self.target_joint(body);
        let next = next_part(role).and_then(|r| self.model.role(r)).map(|b| self.target_joint(b) - from);
        let own = || self.target[body.0].act(&self.model.bodies()[body.0].inertia.com) - from;
        next.filter(|d| d.norm() > 1e-6).unwrap_or_else(own).try_normalize(1e-6)
    }

    /// Ratio of the legs' lengths, target to source.
    pub(super) fn scale(&self) -> Result<f64, RetargetError> {
        let (mut source, mut target) = (0.0, 0.0);
        for side in Side::BOTH {
            let parts = [Role::Thigh(side), Role::Shin(side), Role::Foot(side)];
            let has = |r: &Role| self.map.joint(*r).is_some() && self.model.role(*r).is_some();
            for pair in parts.windows(2).filter(|w| w.iter().all(has)) {
                source +=
                    (self.source[self.joint(pair[1])?].pos - self.source[self.joint(pair[0])?].pos).norm();
                let at = |r: Role| self.model.role(r).map(|b| self.target_joint(b)).unwrap_or_default();
                target += (at(pair[1]) - at(pair[0])).norm();
            }
        }
        if source > 1e-6 && target > 1e-6 { Ok(target / source) } else { Err(RetargetError::NoLegs) }
    }

    /// The constant turn of a body, given how source and target carry its bone.
    fn align(&self, body: BodyId, source: Quat, target: Quat) -> Quat {
        let axes = rotation::from_matrix(&self.axes);
        axes * source * target.inverse() * rotation::from_matrix(&self.target[body.0].rot)
    }

    /// `R⁰ᵀ` of every joint.
    pub(super) fn undo_rest(&self) -> Vec<Quat> {
        self.source.iter().map(|p| rotation::from_matrix(&p.rot).inverse()).collect()
    }

    /// The turn of a limb's part, by the directions of its bone.
    fn limb_align(&self, role: Role, body: BodyId) -> Quat {
        match (self.source_direction(role), self.target_direction(role)) {
            (Some(s), Some(t)) => self.align(body, hang(&s), hang(&t)),
            _ => self.align(body, Quat::identity(), Quat::identity()),
        }
    }

    /// The turn of a foot: by sole normals and toe directions. `normal` is the sole's in the joint's axes; without it the
    /// soles of both figures are taken to be alike when their shins are.
    fn foot_align(&self, side: Side, joint: usize, body: BodyId, normal: Option<&Vec3>) -> Quat {
        let (shin_s, shin_t) =
            (self.source_direction(Role::Shin(side)), self.target_direction(Role::Shin(side)));
        let toes = self.source_direction(Role::Foot(side)).unwrap_or(Vec3::x());
        let (frame_s, frame_t) = match normal {
            Some(n) => {
                (sole_frame(&self.axes.tr_mul(&(self.source[joint].rot * n)), &toes), Quat::identity())
            }
            None => (hang(&shin_s.unwrap_or(-Vec3::z())), hang(&shin_t.unwrap_or(-Vec3::z()))),
        };
        self.align(body, frame_s, frame_t)
    }

    /// All bodies of the target that follow something, carriers first.
    pub(super) fn segments(&self, soles: &[Option<Vec3>; 2]) -> Result<Vec<Segment>, RetargetError> {
        let model = self.model;
        let body = |role| model.role(role).ok_or(RetargetError::Target(role));
        let pelvis_body = body(Role::Pelvis)?;
        let pelvis_joint = self.joint(Role::Pelvis)?;
        let mut follow: Vec<Follows> = Vec::new();

        // the spine, from the pelvis to what carries the arms
        let bodies = self.target_spine(pelvis_body);
        let joints = self.source_spine(pelvis_joint);
        let (m, k) = (bodies.len() - 1, joints.len() - 1);
        for (j, &b) in bodies.iter().enumerate() {
            let place = if m == 0 { 0.0 } else { (k * j) as f64 / m as f64 };
            let low = (place as usize).min(k);
            let pair = [joints[low], joints[(low + 1).min(k)]];
            let turn = self.align(b, Quat::identity(), Quat::identity());
            let role =
                [Role::Pelvis, Role::Trunk, Role::Head].into_iter().find(|&r| model.role(r) == Some(b));
            follow.push((b, role, pair, place - low as f64, turn));
        }
        let in_spine = |b: BodyId| bodies.contains(&b);

        // collar bones and necks: what is between the spine and its limbs, by rank
        let (top_body, top_joint) = (bodies[m], joints[k]);
        for role in [Role::Head, Role::UpperArm(Side::Left), Role::UpperArm(Side::Right)] {
            let (Some(b), Some(joint)) = (model.role(role), self.map.joint(role)) else { continue };
            if in_spine(b) {
                continue;
            }
            let way = path(top_body.0, b.0, |i| model.bodies()[i].parent);
            let inner: Vec<usize> = way[1..way.len() - 1]
                .iter()
                .copied()
                .filter(|&i| !model.bodies()[i].joints.is_empty())
                .collect();
            let mut chain = path(top_joint, joint, |j| self.skeleton.joints()[j].parent);
            chain.pop();
            for (j, &i) in inner.iter().enumerate() {
                let place = (chain.len().saturating_sub(1) * (j + 1)) as f64 / inner.len() as f64;
                let low = (place as usize).min(chain.len() - 1);
                let pair = [chain[low], chain[(low + 1).min(chain.len() - 1)]];
                let turn = self.align(BodyId(i), Quat::identity(), Quat::identity());
                follow.push((BodyId(i), None, pair, place - low as f64, turn));
            }
        }
        for role in Role::all() {
            let (Some(b), Some(joint)) = (model.role(role), self.map.joint(role)) else { continue };
            let align = match role {
                Role::Pelvis | Role::Trunk => continue,
                _ if in_spine(b) => continue,
                Role::Head => self.align(b, Quat::identity(), Quat::identity()),
                Role::Foot(side) => self.foot_align(side, joint, b, soles[side as usize].as_ref()),
                Role::Toe(side) => {
                    let foot = self.map.joint(Role::Foot(side)).unwrap_or(joint);
                    self.foot_align(side, foot, b, soles[side as usize].as_ref())
                }
                Role::Hand(side) => {
                    let (s, t) = (
                        self.source_direction(Role::LowerArm(side)),
                        self.target_direction(Role::LowerArm(side)),
                    );
                    let hanging = |d: Option<Vec3>| d.map_or(Quat::identity(), |d| hang(&d));
                    self.align(b, hanging(s), hanging(t))
                }
                _ => self.limb_align(role, b),
            };
            follow.push((b, Some(role), [joint, joint], 0.0, align));
        }
        follow.sort_by_key(|f| f.0);
        follow.dedup_by_key(|f| f.0);

        let mut segments: Vec<Segment> = Vec::with_capacity(follow.len());
        for (b, role, joints, weight, align) in follow {
            let carrier = self.ancestors(b).find_map(|a| segments.iter().position(|s| s.body == a));
            let chain = Chain::new(model, carrier.map(|c| segments[c].body), b);
            segments.push(Segment {
                body: b,
                role,
                carrier,
                chain,
                joints,
                weight,
                align,
                bone: None,
                hinge: None,
            });
        }
        self.find_hinges(&mut segments);
        let root = &model.joints().first().ok_or(RetargetError::NoRoot)?;
        if root.kind != JointKind::Free || segments[0].body != root.body {
            return Err(RetargetError::NoRoot);
        }
        Ok(segments)
    }

    /// Marks upper links whose lower link is on one hinge.
    fn find_hinges(&self, segments: &mut [Segment]) {
        for (upper, lower) in Side::BOTH
            .into_iter()
            .flat_map(|s| [(Role::UpperArm(s), Role::LowerArm(s)), (Role::Thigh(s), Role::Shin(s))])
        {
            let place = |role| segments.iter().position(|s: &Segment| s.role == Some(role));
            let (Some(u), Some(l)) = (place(upper), place(lower)) else { continue };
            let (Some(axis), true) = (segments[l].chain.hinge(), segments[u].chain.is_ball()) else {
                continue;
            };
            if segments[l].carrier != Some(u) {
                continue;
            }
            let (Some(bone), Some(low)) = (self.target_direction(upper), self.target_direction(lower)) else {
                continue;
            };
            let local = |b: BodyId, d: &Vec3| self.target[b.0].rot.tr_mul(d);
            let world_axis = self.target[segments[l].body.0].rot * axis;
            // the sense in which the joint has room
            let sense = match segments[l].chain.hinge_place() {
                Some((_, reference, Some([low, high]))) if 0.5 * (low + high) < reference => -1.0,
                _ => 1.0,
            };
            let Some(swing) = (world_axis * sense).cross(&bone).try_normalize(1e-3) else { continue };
            let body = segments[u].body;
            segments[l].bone = Some(local(segments[l].body, &low));
            segments[u].hinge = Some(HingeBelow {
                lower: l,
                bone: local(body, &bone),
                swing: local(body, &swing),
                axis: local(body, &bone.cross(&swing)),
                lower_bone: local(segments[l].body, &low),
            });
        }
    }

    fn ancestors(&self, body: BodyId) -> impl Iterator<Item = BodyId> + '_ {
        let parent = |b: &BodyId| self.model.bodies()[b.0].parent.map(BodyId);
        std::iter::successors(parent(&body), parent)
    }

    /// Bodies from the pelvis to the one that carries the arms (without arms: the trunk), both included.
    fn target_spine(&self, pelvis: BodyId) -> Vec<BodyId> {
        let arms = Side::BOTH.map(|s| self.model.role(Role::UpperArm(s)));
        let parent = |b: usize| self.model.bodies()[b].parent;
        let top = match arms {
            [Some(l), Some(r)] => meet(l.0, r.0, parent),
            _ => self.model.role(Role::Trunk).map(|b| b.0),
        };
        path(pelvis.0, top.unwrap_or(pelvis.0), parent).into_iter().map(BodyId).collect()
    }

    /// The same of the source.
    fn source_spine(&self, pelvis: usize) -> Vec<usize> {
        let arms = Side::BOTH.map(|s| self.map.joint(Role::UpperArm(s)));
        let parent = |j: usize| self.skeleton.joints()[j].parent;
        let top = match arms {
            [Some(l), Some(r)] => meet(l, r, parent),
            _ => self.map.joint(Role::Trunk),
        };
        path(pelvis, top.unwrap_or(pelvis), parent)
    }
}

/// The last common ancestor in a tree whose parents have lower indices.
fn meet(mut a: usize, mut b: usize, parent: impl Fn(usize) -> Option<usize>) -> Option<usize> {
    while a != b {
        if a > b { a = parent(a)? } else { b = parent(b)? }
    }
    Some(a)
}

/// The way through the tree from one to another, both included.
fn path(from: usize, to: usize, parent: impl Fn(usize) -> Option<usize>) -> Vec<usize> {
    let up = |start: usize| std::iter::successors(Some(start), |&i| parent(i)).collect::<Vec<_>>();
    let (a, mut b) = (up(from), up(to));
    let Some(top) = a.iter().position(|i| b.contains(i)) else { return vec![from] };
    b.truncate(b.iter().position(|&i| i == a[top]).unwrap_or(0));
    b.reverse();
    a[..=top].iter().copied().chain(b).collect()
}

/// The next part outwards along a limb.
fn next_part(role: Role) -> Option<Role> {
    match role {
        Role::UpperArm(s) => Some(Role::LowerArm(s)),
        Role::LowerArm(s) => Some(Role::Hand(s)),
        Role::Thigh(s) => Some(Role::Shin(s)),
        Role::Shin(s) => Some(Role::Foot(s)),
        Role::Foot(s) => Some(Role::Toe(s)),
        _ => None,
    }
}

/// The smallest rotation from hanging straight down to a direction; straight up is half a turn sideways forwards.
fn hang(direction: &Vec3) -> Quat {
    if direction.z > 1.0 - 1e-9 {
        return rotation::exp(&(Vec3::y() * -core::f64::consts::PI));
    }
    between(&-Vec3::z(), direction)
}

/// The frame of a sole: z along its normal, x towards the toes.
fn sole_frame(normal: &Vec3, toes: &Vec3) -> Quat {
    let z = normal.normalize();
    let x = (toes - z * z.dot(toes)).try_normalize(1e-6).unwrap_or_else(|| Vec3::y().cross(&z).normalize());
    rotation::from_matrix(&Mat3::from_columns(&[x, z.cross(&x), z]))
}
