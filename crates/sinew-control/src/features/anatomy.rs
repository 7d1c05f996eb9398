//! What feature-based controllers need to know of a body, found by roles: nothing here is tuned per body.

use crate::ControlError;
use crate::whole_body::{Hinged, Kinetics, Sole};
use sinew_dynamics::spatial::{Mat3, Vec3};
use sinew_dynamics::{BodyId, JointInfo, JointKind, Model, Role, Shape, Side};
use std::sync::Arc;

/// Which part of the body a degree of freedom moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limb {
    Root,
    Trunk,
    Arm,
    Leg,
    /// A way in which a ball joint in the place of an elbow can turn and a person's cannot.
    Unnatural,
    /// The same of knees and ankles, and toes that are a ball.
    Stiff,
    /// An elbow that keeps a hand off the ground.
    Raised,
}

/// From a hip to the pocket on its side: ahead, outward and up, as shares of the leg.
const POCKET: Vec3 = Vec3::new(0.054, 0.12, -0.09);

/// Height over the ground under which hands hang too low, as a share of the leg, and how far elbows bend to raise them, rad.
const HAND_CLEARANCE: f64 = 0.3;
const MOST_BENT: f64 = 2.0;

/// Parts, sizes and the rest pose of a body.
#[derive(Clone, Debug)]
pub(crate) struct Anatomy {
    pub(crate) pelvis: BodyId,
    pub(crate) trunk: BodyId,
    pub(crate) head: Option<BodyId>,
    pub(crate) thighs: [BodyId; 2],
    pub(crate) shins: [Option<BodyId>; 2],
    pub(crate) arms: [Option<BodyId>; 2],
    /// Hands, or the far ends of the lower arms, and beside which points of the pelvis the pockets are.
    pub(crate) hands: [Option<(BodyId, Vec3)>; 2],
    pub(crate) pockets: [Vec3; 2],
    pub(crate) soles: [Sole; 2],
    /// Orientations of all bodies in the reference placement, in which the body stands upright and faces x.
    pub(crate) upright: Vec<Mat3>,
    /// From hip to sole in the reference placement, m.
    pub(crate) leg: f64,
    /// Height of the centre of mass over the soles in the reference placement, m.
    pub(crate) tall: f64,
    /// Share of the legs in its mass.
    pub(crate) leg_share: f64,
    /// Whether contacts say how much of a sole carries: boxes touch even ground with their rims only, and toes that hinge carry little.
    pub(crate) telling_feet: bool,
    /// Inertia about the vertical in the reference placement, kg·m².
    pub(crate) turning: f64,
    /// The configuration in which it likes to stand: the keyframe in which it stands, or the neutral one; hands are clear of the ground.
    pub(crate) rest: Arc<[f64]>,
    /// Whether feet roll with their legs: legs of five degrees of freedom whose ankles cannot roll.
    pub(crate) stiff_ankles: bool,
    /// Distance of the soles in the reference placement, across, as a share of the leg.
    pub(crate) apart: f64,
    /// Per degree of freedom.
    pub(crate) limbs: Vec<Limb>,
    /// Degrees of freedom of the arms.
    pub(crate) arm_dofs: Arc<[usize]>,
    /// Ball joints in the place of knees and elbows.
    pub(crate) hinged: Vec<Hinged>,
}

impl Anatomy {
    pub(crate) fn of(model: &Arc<Model>) -> Result<Anatomy, ControlError> {
        if !model.joints().iter().any(|joint| joint.kind == JointKind::Free) {
            return Err(ControlError::Body {
                model: model.name().into(),
                what: "free root".into(),
                remedy: "it is fixed to the world; give its first body a free joint".into(),
            });
        }
        let soles = [Sole::of(model, Side::Left)?, Sole::of(model, Side::Right)?];
        let need = |role: Role| {
            model.role(role).ok_or_else(|| ControlError::Body {
                model: model.name().into(),
                what: role.to_string(),
                remedy: "give it in a role table or in a side file".into(),
            })
        };
        let pelvis = need(Role::Pelvis)?;
        let thighs = [need(Role::Thigh(Side::Left))?, need(Role::Thigh(Side::Right))?];
        let placements = model.spec().reference_placements();
        let sole = placements[soles[0].body.0].act(&soles[0].center);
        let ready = model.spec().standing();
        let mut kinetics = Kinetics::new(model.clone());
        kinetics.update(&model.neutral(), &vec![0.0; model.nv()]);
        let leg = placements[thighs[0].0].pos.z - sole.z;
        let mut limbs = limbs(model);
        let low = |s: &Sole| kinetics.point(s.body, &s.center).0.z;
        let tall = kinetics.com().z - low(&soles[0]).min(low(&soles[1]));
        let turning = kinetics.turning_inertia();
        let mut rest = ready.map_or_else(|| model.neutral(), |k| k.q.clone());
        for side in Side::BOTH {
            if let Some(dof) = raise_hand(&mut kinetics, side, &soles, leg, &mut rest) {
                limbs[dof] = Limb::Raised;
            }
        }
        Ok(Anatomy {
            pelvis,
            trunk: model.role(Role::Trunk).unwrap_or(pelvis),
            head: model.role(Role::Head),
            thighs,
            shins: Side::BOTH.map(|side| model.role(Role::Shin(side))),
            arms: Side::BOTH.map(|side| model.role(Role::UpperArm(side))),
            hands: Side::BOTH.map(|side| hand(model, side)),
            pockets: Side::BOTH.map(|side| {
                let sign = if side == Side::Left { 1.0 } else { -1.0 };
                let from_hip = Vec3::new(POCKET.x, sign * POCKET.y, POCKET.z) * leg;
                placements[pelvis.0].inverse().act(&(placements[thighs[side as usize].0].pos + from_hip))
            }),
            leg,
            tall,
            leg_share: leg_mass(model, thighs) / model.mass(),
            telling_feet: soles.iter().all(|sole| !sole.toes.is_empty() || is_box(model, sole)),
            turning,
            upright: placements.iter().map(|p| p.rot).collect(),
            rest: rest.into(),
            apart: {
                let middle = |s: &Sole| placements[s.body.0].act(&s.center).y;
                (middle(&soles[0]) - middle(&soles[1])).abs() / leg
            },
            stiff_ankles: Side::BOTH.into_iter().any(|side| stiff_ankle(model, side)),
            arm_dofs: (0..limbs.len()).filter(|d| limbs[*d] == Limb::Arm).collect(),
            limbs,
            hinged: Hinged::of(model),
            soles,
        })
    }

    pub(crate) fn sole(&self, side: Side) -> &Sole {
        &self.soles[side as usize]
    }

    /// Unit of time of a body of this size, `√(leg/g)`, s.
    pub(crate) fn time_unit(&self, gravity: f64) -> f64 {
        (self.leg / gravity).sqrt()
    }

    /// How far the upper end of a body part is ahead of its lower end, as an angle from the vertical in the plane of a heading.
    pub(crate) fn pitch_of(&self, kinetics: &Kinetics, body: BodyId, forward: &Vec3) -> f64 {
        let up = kinetics.placement(body).rot * self.upright[body.0].transpose() * Vec3::z();
        libm::atan2(up.dot(forward), up.z)
    }

    /// Where a body part faces in the horizontal plane, as an angle from the x axis.
    pub(crate) fn heading_of(&self, kinetics: &Kinetics, body: BodyId) -> f64 {
        let forward = kinetics.placement(body).rot * self.upright[body.0].transpose() * Vec3::x();
        libm::atan2(forward.y, forward.x)
    }
}

/// A hand, or the far end of a lower arm, twice as far from the elbow as its centre of mass.
fn hand(model: &Model, side: Side) -> Option<(BodyId, Vec3)> {
    let (body, times) = match model.role(Role::Hand(side)) {
        Some(hand) => (hand, 1.0),
        None => (model.role(Role::LowerArm(side))?, 2.0),
    };
    Some((body, model.bodies()[body.0].inertia.com * times))
}

/// Whether all shapes of a foot that touch anything are boxes.
fn is_box(model: &Model, sole: &Sole) -> bool {
    let mut solid = model.bodies()[sole.body.0].geoms.iter().filter(|g| g.contype | g.conaffinity != 0);
    solid.all(|g| matches!(g.shape, Shape::Box { .. }))
}

/// Whether a leg has fewer than six degrees of freedom, and none below the knee about an axis that points ahead.
fn stiff_ankle(model: &Model, side: Side) -> bool {
    let line = |side: Side| {
        let foot = model.role(Role::Foot(side)).map(|body| body.0);
        std::iter::successors(foot, |k| model.bodies()[*k].parent).collect::<Vec<_>>()
    };
    let (leg, other) = (line(side), line(side.other()));
    let leg: Vec<usize> = leg.into_iter().filter(|k| !other.contains(k)).collect();
    let joints = || model.joints().iter().filter(|joint| leg.contains(&joint.body.0));
    let placements = model.spec().reference_placements();
    let rolls = |joint: &JointInfo| match joint.kind {
        JointKind::Hinge { axis } => (placements[joint.body.0].rot * axis).x.abs() > 0.5,
        _ => true,
    };
    let shin = model.role(Role::Shin(side)).and_then(|shin| leg.iter().position(|k| *k == shin.0));
    let below = |joint: &&JointInfo| leg.iter().position(|k| *k == joint.body.0) < shin;
    joints().map(|joint| joint.kind.nv()).sum::<usize>() < 6 && !joints().filter(below).any(rolls)
}

/// Mass of thighs and all that hangs from them, kg.
fn leg_mass(model: &Model, thighs: [BodyId; 2]) -> f64 {
    let line = |k: usize| std::iter::successors(Some(k), |k| model.bodies()[*k].parent);
    let in_leg = |k: &usize| line(*k).any(|k| thighs.contains(&BodyId(k)));
    (0..model.bodies().len()).filter(in_leg).map(|k| model.bodies()[k].inertia.mass).sum()
}

/// Bends the elbow of a pose forward, so that a hand that hangs too low is as much too high: arms may be longer than a body is high.
/// Returns the degree of freedom, if any needs to bend.
fn raise_hand(
    k: &mut Kinetics,
    side: Side,
    soles: &[Sole; 2],
    leg: f64,
    pose: &mut Vec<f64>,
) -> Option<usize> {
    let model = Arc::clone(k.model());
    let ((hand, at), elbow) = (hand(&model, side)?, model.role(Role::LowerArm(side))?);
    let still = vec![0.0; model.nv()];
    let mut bent = |dof: usize, angle: f64, from: &[f64]| {
        let (mut step, mut q) = (still.clone(), from.to_vec());
        step[dof] = angle;
        model.integrate(from, &step, &mut q);
        k.update(&q, &still);
        let floor = soles.iter().map(|s| k.point(s.body, &s.center).0.z).fold(f64::INFINITY, f64::min);
        let hand = k.point(hand, &at).0;
        (hand - Vec3::z() * (floor + HAND_CLEARANCE * leg), q)
    };
    let (low, _) = bent(0, 0.0, pose);
    if low.z >= 0.0 {
        return None;
    }
    // the way in which the hand goes ahead and up
    let joints = model.joints().iter().filter(|joint| joint.body == elbow);
    let ways =
        joints.flat_map(|joint| joint.v..joint.v + joint.kind.nv()).flat_map(|dof| [(dof, 1.0), (dof, -1.0)]);
    let gain = |(dof, sign): (usize, f64)| (bent(dof, 0.1 * sign, pose).0 - low, dof, sign);
    let ahead = ways.map(gain).filter(|(way, ..)| way.x > 0.0 && way.z > 0.0);
    let (_, dof, sign) = ahead.max_by(|a, b| a.0.z.total_cmp(&b.0.z))?;
    let (mut less, mut more) = (0.0, MOST_BENT);
    for _ in 0..40 {
        let angle = 0.5 * (less + more);
        if bent(dof, sign * angle, pose).0.z < -low.z { less = angle } else { more = angle }
    }
    let raised = bent(dof, sign * more, pose).1;
    *pose = raised;
    Some(dof)
}

/// The limb of every degree of freedom: what hangs from a hip is a leg, what hangs from an upper arm is an arm.
fn limbs(model: &Model) -> Vec<Limb> {
    let line = |body: Option<BodyId>| {
        std::iter::successors(body, |b| model.bodies()[b.0].parent.map(BodyId)).collect::<Vec<_>>()
    };
    let lines = Side::BOTH.map(|s| line(model.role(Role::Thigh(s))));
    // hips of robots are chains of bodies: a leg begins below the last one that both have in common
    let thighs = [0, 1].map(|k| lines[k].iter().copied().take_while(|b| !lines[1 - k].contains(b)).last());
    let arms = Side::BOTH.map(|s| model.role(Role::UpperArm(s)));
    let mut limbs = vec![Limb::Trunk; model.nv()];
    for joint in model.joints() {
        let ancestors = std::iter::successors(Some(joint.body), |b| model.bodies()[b.0].parent.map(BodyId));
        let found = ancestors
            .filter_map(|b| match Some(b) {
                b if thighs.contains(&b) => Some(Limb::Leg),
                b if arms.contains(&b) => Some(Limb::Arm),
                _ => None,
            })
            .next();
        let limb = if joint.kind == JointKind::Free { Limb::Root } else { found.unwrap_or(Limb::Trunk) };
        limbs[joint.v..joint.v + joint.kind.nv()].fill(limb);
    }
    for ball in Hinged::of(model) {
        // about x and z
        let limb = if ball.is_knee() { Limb::Stiff } else { Limb::Unnatural };
        (limbs[ball.dof - 1], limbs[ball.dof + 1]) = (limb, limb);
    }
    // an ankle hardly turns about the shin, and toes that are a ball would hang anyhow
    for joint in model.joints().iter().filter(|joint| joint.kind == JointKind::Ball) {
        let is = |role: fn(Side) -> Role| Side::BOTH.iter().any(|s| model.role(role(*s)) == Some(joint.body));
        if is(Role::Foot) {
            limbs[joint.v + 2] = Limb::Stiff;
        } else if is(Role::Toe) {
            limbs[joint.v..joint.v + 3].fill(Limb::Stiff);
        }
    }
    limbs
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_dynamics::characters;

    #[test]
    fn ball_knees_and_elbows_bend_one_way() {
        let model = characters::load("human42").unwrap();
        let balls = Hinged::of(&model);
        assert_eq!(balls.len(), 4);
        for ball in balls {
            let mut q = model.neutral();
            let mut step = vec![0.0; model.nv()];
            step[ball.dof] = 0.5 * ball.sign;
            model.integrate(&model.neutral(), &step, &mut q);
            assert!((ball.bent(&q) - 0.5).abs() < 1e-12);
            // the same rotation, as the other quaternion
            q[ball.q..ball.q + 4].iter_mut().for_each(|x| *x = -*x);
            assert!((ball.bent(&q) - 0.5).abs() < 1e-12);
        }
        assert!(Hinged::of(&characters::load("human").unwrap()).is_empty());
    }
}
