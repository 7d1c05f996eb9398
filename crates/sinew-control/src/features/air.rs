//! In the air: nothing changes the path of the centre of mass or the angular momentum, but limbs can be placed.
//!
//! The feet are placed relative to the centre of mass. A body of inertia `I` about the vertical turns with `L/I`: arms
//! spread when the turn would go too far and close when it would not go far enough. On landing with velocity `v` the
//! divergent component is `v/ω` ahead of the centre of mass, and the feet belong there.

use super::anatomy::Anatomy;
use super::gait::Gait;
use super::jump::{Jump, Legs};
use super::posture::{RestGains, flat_on, lean, pose, turned};
use super::technique::Technique;
use crate::Command;
use crate::whole_body::{Axes, Goal, Kinetics, Objective, Task};
use sinew_dynamics::spatial::{Mat3, Vec3};
use sinew_dynamics::{BodyId, Role, Side};

/// A flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flight {
    /// When it began, s.
    pub(super) since: f64,
    /// How long it lasts, as far as could be told then, s.
    pub(super) lasts: f64,
    /// Where to face at its end, rad.
    pub(super) heading: f64,
}

/// Time until the centre of mass has fallen to a height, s.
pub(super) fn time_to_fall(height: f64, rate: f64, gravity: f64) -> f64 {
    (rate + (rate * rate + 2.0 * gravity * height.max(0.0)).sqrt()).max(0.0) / gravity
}

/// The orientation of a body part that turns about the vertical with a rate, critically damped.
fn turning(weight: f64, body: BodyId, target: Mat3, rate: f64, stiffness: f64) -> Objective {
    let damping = 2.0 * stiffness.sqrt();
    let (rate, axes) = (Vec3::z() * rate, Axes::all());
    Objective::new(3, weight, Task::Orientation { body, target, rate, stiffness, damping, axes })
}

/// Arms swung forward by `forward` and spread by `out`, rad, on a body that faces and turns as given.
pub(super) fn arms(
    anatomy: &Anatomy,
    k: &Kinetics,
    technique: &Technique,
    [facing, rate]: [f64; 2],
    [forward, out]: [f64; 2],
    into: &mut Vec<Objective>,
) {
    for side in Side::BOTH {
        let Some(arm) = k.model().role(Role::UpperArm(side)) else { continue };
        let sign = if side == Side::Left { 1.0 } else { -1.0 };
        let swing = turned(Vec3::y() * -forward) * turned(Vec3::x() * (sign * out));
        let target = turned(Vec3::z() * facing) * swing * anatomy.upright[arm.0];
        into.push(turning(technique.arm_weight, arm, target, rate, technique.arm_stiffness));
    }
}

impl Flight {
    /// Objectives in the air; `left` is the time until landing. The soles land level, whatever the slope of the ground.
    #[expect(clippy::too_many_arguments, reason = "one for each thing that it looks at")]
    pub(super) fn compose(
        &self,
        anatomy: &Anatomy,
        k: &Kinetics,
        gait: &Gait,
        technique: &Technique,
        jump: &Jump,
        left: f64,
        gains: &mut RestGains,
        into: &mut Vec<Objective>,
    ) {
        let gravity = k.model().gravity().norm();
        let facing = anatomy.heading_of(k, anatomy.pelvis);
        // what is still to be turned, and what the present rate will make of it
        let half = 0.5 * jump.twist;
        let missing = half + libm::remainder(self.heading - facing - half, core::f64::consts::TAU);
        let rate = k.angular_momentum().z / k.turning_inertia().max(1e-9);
        let turning_rate = k.spin(anatomy.pelvis).z;
        let excess = if jump.twist == 0.0 { 0.0 } else { (rate * left - missing) * jump.twist.signum() };
        let phase = (1.0 - left / self.lasts.max(0.05)).clamp(0.0, 1.0);
        // open in the first half, closed again before landing
        let open = libm::sin(core::f64::consts::PI * (phase / 0.75).min(1.0));
        let [forward, side_ways] = Command::directions(facing);
        let falling = k.com_velocity();
        let omega = (gravity / (technique.landing * anatomy.tall)).sqrt();
        let ahead =
            Vec3::new(falling.x, falling.y, 0.0) * (technique.landing_ahead / omega * (2.0 * phase).min(1.0));
        // the feet face ahead of the body, or behind it, so that they land as asked
        let ahead_of = (1.3 * phase).min(1.0) * (1.3 * phase).min(1.0);
        let yaw = facing + missing.clamp(-0.8, 0.8) * ahead_of;
        let yaw_rate = turning_rate * (1.0 - ahead_of);
        for side in Side::BOTH {
            let sign = if side == Side::Left { 1.0 } else { -1.0 };
            let sole = anatomy.sole(side);
            let apart = technique.landing_spread * gait.spread * anatomy.leg;
            let down = technique.landing * anatomy.tall - technique.tuck * open * anatomy.leg;
            let hang = side_ways * (sign * 0.5 * apart) - Vec3::z() * down;
            let turn = match jump.legs {
                Legs::Hang => Vec3::zeros(),
                Legs::Scissor => side_ways * (sign * technique.open * open),
                Legs::Split => forward * (sign * technique.open * open),
            };
            let arm = turned(turn) * hang;
            let radius = Vec3::new(arm.x, arm.y, 0.0);
            let task = Task::Point {
                body: sole.body,
                point: sole.center,
                goal: Goal::Track {
                    position: arm + ahead,
                    velocity: Vec3::z().cross(&radius) * turning_rate,
                    acceleration: radius * -(turning_rate * turning_rate),
                    stiffness: technique.leg_stiffness,
                    damping: 2.0 * technique.leg_stiffness.sqrt(),
                },
                axes: Axes::all(),
                from_com: true,
            };
            into.push(Objective::new(3, technique.leg_weight * (1.0 + 3.0 * phase), task));
            let flat = flat_on(&Vec3::z(), &Command::directions(yaw)[0]) * sole.flat;
            into.push(turning(3.0, sole.body, flat, yaw_rate, technique.leg_stiffness));
        }
        let free = Gait {
            twist_weight: 0.0,
            arm_weight: 0.01 * gait.arm_weight,
            trunk_weight: technique.air_trunk * gait.trunk_weight,
            ..gait.clone()
        };
        lean(anatomy, &free, facing, [technique.air_lean; 2], 0.0, [0.0; 2], into);
        let out = (technique.arms_out + technique.arms_brake * excess).clamp(0.0, 1.4);
        arms(anatomy, k, technique, [facing, turning_rate], [0.3, out], into);
        pose(anatomy, k, &free, gains, into);
    }
}
