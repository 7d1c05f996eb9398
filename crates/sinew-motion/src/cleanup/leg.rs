//! A leg as planting sees it: a hip, a bend of the knee that is a distance from hip to ankle, and a sole.
//!
//! With links `l₁`, `l₂` and the bend `k` of the knee (0: straight) hip and ankle are `D(k)` apart:
//! ```text
//! D² = l₁² + l₂² + 2 l₁ l₂ cos k,        dk/dD = −D/(l₁ l₂ sin k)
//! ```
//! A leg of more than two links is treated by the same law with the lengths of its thigh and shin.

use super::CleanError;
use super::foot::FootShape;
use crate::ik::LimbIk;
use sinew_dynamics::spatial::{Placement, Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, Model, Role, Side};

/// The least bend of a knee that is asked for, rad (3°): a straight leg has no slack.
pub(super) const STRAIGHT: f64 = 0.052;
/// Sine of the bend from which the law of the distance is taken for the knee's worth of a metre.
const LEAST_SINE: f64 = 0.17;

/// A leg of a body.
pub(super) struct Leg {
    pub(super) base: BodyId,
    pub(super) shape: FootShape,
    pub(super) ik: Option<LimbIk>,
    /// The hip in the base's axes, the ankle in the foot's.
    hip: Vec3,
    pub(super) ankle: Vec3,
    links: [f64; 2],
}

impl Leg {
    pub(super) fn of(model: &Model, side: Side) -> Result<Leg, CleanError> {
        let part = |role| model.role(role).ok_or(CleanError::Part(role));
        let [base, thigh, shin, foot] =
            [part(Role::Pelvis)?, part(Role::Thigh(side))?, part(Role::Shin(side))?, part(Role::Foot(side))?];
        let shape = FootShape::of(model, side).ok_or(CleanError::Part(Role::Foot(side)))?;
        let at = model.spec().reference_placements();
        let joint = |body: BodyId| {
            at[body.0].act(&model.bodies()[body.0].joints.first().map_or(Vec3::zeros(), |j| j.anchor))
        };
        let (hip, knee, ankle) = (joint(thigh), joint(shin), joint(foot));
        let ik = LimbIk::new(model, base, thigh, shin, foot).ok();
        let mut leg = Leg {
            base,
            shape,
            hip: at[base.0].inverse().act(&hip),
            ankle: at[foot.0].inverse().act(&ankle),
            links: [(knee - hip).norm(), (ankle - knee).norm()],
            ik,
        };
        if let Some(ik) = &leg.ik {
            let links = ik.links();
            leg.links = [links.upper, links.lower];
            leg.hip = ik.root(&Placement::identity());
            leg.ankle = ik.joint(&Placement::identity());
        }
        Ok(leg)
    }

    /// Where the hip is.
    pub(super) fn hip(&self, base: &Placement) -> Vec3 {
        base.act(&self.hip)
    }

    /// Distance of hip and ankle at a bend of the knee.
    pub(super) fn span(&self, bend: f64) -> f64 {
        let [a, b] = self.links;
        (a * a + b * b + 2.0 * a * b * libm::cos(bend)).max(0.0).sqrt()
    }

    /// The bend at a distance.
    pub(super) fn bend(&self, span: f64) -> f64 {
        let [a, b] = self.links;
        libm::acos(((span * span - a * a - b * b) / (2.0 * a * b)).clamp(-1.0, 1.0))
    }

    /// How much the knee bends for each metre, rad/m.
    pub(super) fn worth(&self, bend: f64) -> f64 {
        self.span(bend) / (self.links[0] * self.links[1] * libm::sin(bend).max(LEAST_SINE))
    }

    /// Orientation of the foot of a heading and a pitch (nose down positive), without roll.
    pub(super) fn turn(&self, yaw: f64, pitch: f64) -> Quat {
        rotation::exp(&(Vec3::z() * yaw)) * rotation::exp(&(Vec3::y() * pitch)) * self.shape.level.inverse()
    }

    /// Heading and pitch of a foot: the heading is square to its lateral axis, so that it does not jump when the foot points down.
    pub(super) fn angles(&self, turn: &Quat) -> (f64, f64) {
        let (forward, left) = (turn * self.shape.level * Vec3::x(), turn * self.shape.level * Vec3::y());
        let yaw = libm::atan2(-left.x, left.y);
        (yaw, libm::atan2(-forward.z, forward.x * libm::cos(yaw) + forward.y * libm::sin(yaw)))
    }

    /// Where the ankle is when a point of the foot is at a place.
    pub(super) fn ankle_at(&self, turn: &Quat, point: &Vec3, place: &Vec3) -> Vec3 {
        place + turn * (self.ankle - point)
    }
}

/// A motion of a body as planting sees it, frame by frame.
pub(super) struct Captured {
    pub(super) rate: f64,
    pub(super) base: Vec<Placement>,
    /// Forward of the base in the plane, unit.
    pub(super) forward: Vec<Vec3>,
    pub(super) hip: [Vec<Vec3>; 2],
    pub(super) ankle: [Vec<Vec3>; 2],
    /// Orientations of the feet, before any limit cut them.
    pub(super) turn: [Vec<Quat>; 2],
    /// Bends of the knees, rad, at least a little.
    pub(super) bend: [Vec<f64>; 2],
}

impl Captured {
    /// A point of a foot.
    pub(super) fn point(&self, legs: &[Leg; 2], s: usize, i: usize, local: &Vec3) -> Vec3 {
        self.ankle[s][i] + self.turn[s][i] * (local - legs[s].ankle)
    }

    /// Number of frames.
    pub(super) fn len(&self) -> usize {
        self.base.len()
    }
}
