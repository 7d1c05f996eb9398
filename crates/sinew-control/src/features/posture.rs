//! Objectives that all controllers of this system share: trunk, head, pose.

use super::anatomy::{Anatomy, Limb};
use super::gait::Gait;
use crate::Command;
use crate::whole_body::{Axes, Goal, Kinetics, Objective, PoseGain, Task};
use sinew_dynamics::spatial::{Mat3, Vec3, rotation};
use sinew_dynamics::{BodyId, Side};
use std::sync::Arc;

/// Stiffness of swinging arms, 1/s².
const ARM_STIFFNESS: f64 = 100.0;

/// Stiffness of hands at the pockets, 1/s².
const HAND_STIFFNESS: f64 = 60.0;

/// Stiffness of a knee that bends, 1/s².
const KNEE_STIFFNESS: f64 = 200.0;

/// Weight of the rest pose in what a person's elbows cannot do.
const UNNATURAL: f64 = 2.0;

/// Stiffness (1/s²) and weight of what a person's knees and ankles cannot do: a leg that turns about itself does not carry.
const STIFF: f64 = 400.0;
const STIFF_WEIGHT: f64 = 30.0;

/// A point of a body part.
pub(crate) fn point(
    priority: usize,
    weight: f64,
    body: BodyId,
    point: Vec3,
    goal: Goal,
    axes: Axes,
) -> Objective {
    Objective::new(priority, weight, Task::Point { body, point, goal, axes, from_com: false })
}

/// The orientation of a body part, critically damped.
pub(crate) fn orient(
    priority: usize,
    weight: f64,
    body: BodyId,
    target: Mat3,
    stiffness: f64,
    axes: Axes,
) -> Objective {
    let damping = 2.0 * stiffness.sqrt();
    let task = Task::Orientation { body, target, rate: Vec3::zeros(), stiffness, damping, axes };
    Objective::new(priority, weight, task)
}

/// The rotation that stands on a normal and faces a direction.
pub(crate) fn flat_on(normal: &Vec3, forward: &Vec3) -> Mat3 {
    let x = (forward - normal * normal.dot(forward)).normalize();
    Mat3::from_columns(&[x, normal.cross(&x), *normal])
}

/// A rotation by a rotation vector.
pub(crate) fn turned(angle: Vec3) -> Mat3 {
    rotation::to_matrix(&rotation::exp(&angle))
}

/// How far the pelvis turns to the left with the legs, rad, and its rate: towards the side of the leg that is behind.
pub(crate) fn twist_of(anatomy: &Anatomy, k: &Kinetics, gait: &Gait, heading: f64) -> [f64; 2] {
    scissors(anatomy, k, heading).map(|x| gait.twist * x)
}

/// How far the left thigh is behind the right one, rad, and its rate.
fn scissors(anatomy: &Anatomy, k: &Kinetics, heading: f64) -> [f64; 2] {
    let [forward, left] = Command::directions(heading);
    let angles = anatomy.thighs.map(|t| anatomy.pitch_of(k, t, &forward));
    let rates = anatomy.thighs.map(|t| k.spin(t).dot(&left));
    [angles, rates].map(|[l, r]| l - r)
}

/// Pelvis and trunk leaning forward by given angles, the trunk to the right by another, the pelvis twisted to the left and the trunk
/// as far to the right, the head facing ahead.
pub(crate) fn lean(
    anatomy: &Anatomy,
    gait: &Gait,
    heading: f64,
    [pelvis, trunk]: [f64; 2],
    right: f64,
    [twist, twisting]: [f64; 2],
    into: &mut Vec<Objective>,
) {
    let facing = turned(Vec3::z() * heading);
    let (stiffness, weight) = (gait.trunk_stiffness, gait.trunk_weight);
    let mut keep = |body: BodyId, ahead: f64, right: f64, sign: f64| {
        let tilted = facing * turned(Vec3::new(right, ahead, 0.0)) * anatomy.upright[body.0];
        into.push(orient(3, weight, body, tilted, stiffness, Axes::horizontal()));
        let task = Task::Orientation {
            body,
            target: turned(Vec3::z() * (sign * twist)) * tilted,
            rate: Vec3::z() * (sign * twisting),
            stiffness,
            damping: 2.0 * stiffness.sqrt(),
            axes: Axes::vertical(),
        };
        into.push(Objective::new(3, weight * gait.twist_weight, task));
    };
    keep(anatomy.pelvis, pelvis, 0.0, 1.0);
    if anatomy.trunk != anatomy.pelvis {
        keep(anatomy.trunk, trunk, right, -1.0);
    }
    if let Some(head) = anatomy.head {
        let nod = facing * turned(Vec3::z() * gait.look) * turned(Vec3::y() * gait.nod);
        into.push(orient(3, gait.head_weight, head, nod * anatomy.upright[head.0], 60.0, Axes::all()));
    }
}

/// Arms swing against the legs of their side and with the others.
pub(crate) fn swing_arms(
    anatomy: &Anatomy,
    k: &Kinetics,
    gait: &Gait,
    heading: f64,
    into: &mut Vec<Objective>,
) {
    let left = Command::directions(heading)[1];
    let facing = turned(Vec3::z() * heading);
    let [angle, rate] = scissors(anatomy, k, heading).map(|x| 0.5 * gait.arm_swing * x);
    for (side, arm) in Side::BOTH.into_iter().zip(anatomy.arms) {
        let Some(arm) = arm else { continue };
        let sign = if side == Side::Left { -1.0 } else { 1.0 };
        let pitch = sign * angle + gait.arm_back;
        let target = facing * turned(Vec3::y() * pitch);
        let task = Task::Orientation {
            body: arm,
            target: target * anatomy.upright[arm.0],
            rate: left * (sign * rate),
            stiffness: ARM_STIFFNESS,
            damping: 2.0 * ARM_STIFFNESS.sqrt(),
            axes: Axes::one(left),
        };
        into.push(Objective::new(3, gait.arm_swing_weight, task));
    }
}

/// Hands at the pockets, wherever the pelvis goes.
pub(crate) fn keep_hands(anatomy: &Anatomy, k: &Kinetics, gait: &Gait, into: &mut Vec<Objective>) {
    if gait.pockets == 0.0 {
        return;
    }
    for (hand, pocket) in anatomy.hands.iter().zip(&anatomy.pockets) {
        let Some((body, at)) = *hand else { continue };
        let (position, velocity) = k.point(anatomy.pelvis, pocket);
        let goal = Goal::Track {
            position,
            velocity,
            acceleration: Vec3::zeros(),
            stiffness: HAND_STIFFNESS,
            damping: 2.0 * HAND_STIFFNESS.sqrt(),
        };
        into.push(point(3, gait.pockets, body, at, goal, Axes::all()));
    }
}

/// The knee of a leg that begins to swing bends: a straight one could be lifted only after it is behind the body.
pub(crate) fn bend_knee(
    anatomy: &Anatomy,
    k: &Kinetics,
    gait: &Gait,
    heading: f64,
    side: Side,
    share: f64,
    into: &mut Vec<Objective>,
) {
    let (thigh, Some(shin)) = (anatomy.thighs[side as usize], anatomy.shins[side as usize]) else { return };
    let [forward, left] = Command::directions(heading);
    let pitch = anatomy.pitch_of(k, thigh, &forward) + gait.knee;
    let task = Task::Orientation {
        body: shin,
        target: turned(Vec3::z() * heading) * turned(Vec3::y() * pitch) * anatomy.upright[shin.0],
        rate: left * k.spin(thigh).dot(&left),
        stiffness: KNEE_STIFFNESS,
        damping: 2.0 * KNEE_STIFFNESS.sqrt(),
        axes: Axes::one(left),
    };
    into.push(Objective::new(3, gait.knee_weight * share, task));
}

/// Angular momentum, with a weight for a body of 76 kg and 0.93 m legs.
pub(crate) fn spin(
    anatomy: &Anatomy,
    mass: f64,
    priority: usize,
    weight: f64,
    gain: f64,
    target: Vec3,
    into: &mut Vec<Objective>,
) {
    // against accelerations of the centre of mass its rate would have to be weighed by 1/(m l)², against angular ones by 1/(m l²)²:
    // it competes with both, so something between
    let size = anatomy.leg / 0.93;
    let scale = mass / 76.0 * size * size.sqrt();
    into.push(Objective::new(priority, weight / (scale * scale), Task::AngularMomentum { target, gain }));
}

/// Gains of the rest pose, made anew only when they change: a tick allocates nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct RestGains {
    gains: Arc<[PoseGain]>,
    /// What they were made from: stiffnesses, weights, and which ball joints are bent as a person's cannot be.
    from: Option<([f64; 2], [f64; 3], u64)>,
}

impl RestGains {
    fn of(&mut self, anatomy: &Anatomy, k: &Kinetics, gait: &Gait) -> Arc<[PoseGain]> {
        let hinged = || anatomy.hinged.iter().map(|ball| ball.bent(k.q()) < 0.0);
        let bits = hinged().fold(0, |bits, wrong| bits << 1 | u64::from(wrong));
        let weights = [gait.spine_weight, gait.arm_weight, gait.leg_weight];
        let from = ([gait.pose_stiffness, gait.spine_stiffness], weights, bits);
        if self.from != Some(from) {
            let gain = |limb: &Limb| {
                let (stiffness, weight) = match limb {
                    Limb::Root => (gait.pose_stiffness, 0.0),
                    Limb::Trunk => (gait.spine_stiffness, gait.spine_weight),
                    Limb::Arm => (gait.pose_stiffness, gait.arm_weight),
                    Limb::Leg => (gait.pose_stiffness, gait.leg_weight),
                    Limb::Unnatural | Limb::Raised => (gait.pose_stiffness, UNNATURAL),
                    Limb::Stiff => (STIFF, STIFF_WEIGHT),
                };
                PoseGain::new(stiffness, weight)
            };
            // in place, unless an objective of before still holds them
            let same = self.gains.len() == anatomy.limbs.len();
            if !same || Arc::get_mut(&mut self.gains).is_none() {
                self.gains = anatomy.limbs.iter().map(gain).collect();
            }
            if let Some(gains) = Arc::get_mut(&mut self.gains) {
                gains.iter_mut().zip(&anatomy.limbs).for_each(|(g, limb)| *g = gain(limb));
                for (ball, _) in anatomy.hinged.iter().zip(hinged()).filter(|(_, wrong)| *wrong) {
                    gains[ball.dof] = gain(&Limb::Unnatural);
                }
            }
            self.from = Some(from);
        }
        Arc::clone(&self.gains)
    }
}

/// No angular momentum, and the rest pose.
pub(crate) fn rest(
    anatomy: &Anatomy,
    k: &Kinetics,
    gait: &Gait,
    gains: &mut RestGains,
    into: &mut Vec<Objective>,
) {
    let mass = k.model().mass();
    spin(anatomy, mass, 3, gait.momentum_weight, gait.momentum_gain, Vec3::zeros(), into);
    pose(anatomy, k, gait, gains, into);
}

/// The rest pose.
pub(crate) fn pose(
    anatomy: &Anatomy,
    k: &Kinetics,
    gait: &Gait,
    gains: &mut RestGains,
    into: &mut Vec<Objective>,
) {
    let (target, gains) = (Arc::clone(&anatomy.rest), gains.of(anatomy, k, gait));
    into.push(Objective::new(3, 1.0, Task::Pose { target, gains }));
    if gait.arm_torque > 0.0 {
        let dofs = Arc::clone(&anatomy.arm_dofs);
        into.push(Objective::new(3, gait.arm_torque, Task::Relax { dofs }));
    }
}
