//! The rotation that a few joints in a row can make, and the joint values that come nearest to a wanted one.
//!
//! From a body to one of its descendants the orientation is `R(q) = F₀ J₁(q) F₁ J₂(q) … Fₙ` with constant turns `F` and joint
//! rotations `J`. [`Chain::fit`] finds the `q` within the joint limits whose `R(q)` is nearest to a wanted rotation `W`:
//!
//! - one ball: `J = Fᵀ W Fᵀ`, its angle cut to the limit;
//! - one hinge about `a`: the twist of `Fᵀ W Fᵀ` about `a`, `θ = 2 atan2(v·a, w)` of its quaternion `(w, v)`, which makes the
//!   remaining angle least;
//! - otherwise Gauss–Newton on `r = log(Rᵀ W)`, `δ = Jᵀ (J Jᵀ + μ1)⁻¹ r` from the values that are there, joints at a limit
//!   held while the step would push them out.
//!
//! Cost: a few quaternion products for single joints, about 1 µs per round else. No allocation.

use sinew_dynamics::spatial::{Mat3, Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, JointKind, Model};

/// Rounds of Gauss–Newton at most.
const ROUNDS: usize = 60;
/// Longest step of the residual, rad: keeps the linear model honest.
const LONGEST: f64 = 0.7;
/// Relative damping `μ`.
const DAMPING: f64 = 1e-6;
/// Most joints of a chain.
const MOST: usize = 16;

/// A joint of a chain that turns, and the constant turn before it.
#[derive(Clone, Debug)]
struct Turn {
    before: Quat,
    /// Axis of a hinge; none: a ball.
    axis: Option<Vec3>,
    q: usize,
    reference: f64,
    range: Option<[f64; 2]>,
}

/// The joints from one body (exclusive) to a descendant (inclusive).
///
/// ```
/// use sinew_dynamics::{Role, Side, characters, spatial::{Vec3, rotation}};
/// use sinew_motion::ik::Chain;
/// let human = characters::load("human42")?;
/// let [shin, foot] = [Role::Shin(Side::Left), Role::Foot(Side::Left)].map(|role| human.role(role).unwrap());
/// let (ankle, mut q) = (Chain::new(&human, Some(shin), foot), human.neutral());
/// let wanted = rotation::exp(&Vec3::new(0.1, 0.3, -0.2));
/// assert!(ankle.fit(&mut q, &wanted, true) < 1e-12);
/// assert!(ankle.rotation(&q).angle_to(&wanted) < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chain {
    turns: Vec<Turn>,
    after: Quat,
}

impl Chain {
    /// The joints between `from` (the world when none) and `to`, which must be its descendant. A free joint is no part of it.
    pub fn new(model: &Model, from: Option<BodyId>, to: BodyId) -> Chain {
        let mut path = Vec::new();
        let mut at = Some(to.0);
        while let Some(body) = at.filter(|&b| Some(BodyId(b)) != from) {
            path.push(body);
            at = model.bodies()[body].parent;
        }
        let (mut turns, mut before) = (Vec::new(), Quat::identity());
        for &body in path.iter().rev() {
            before *= model.bodies()[body].quat;
            for joint in model.joints().iter().filter(|j| j.body.0 == body) {
                let spec = &model.bodies()[body].joints[joint.nth];
                let axis = match joint.kind {
                    JointKind::Hinge { axis } => Some(axis),
                    JointKind::Ball => None,
                    JointKind::Free | JointKind::Slide { .. } => continue,
                };
                let (q, reference, range) = (joint.q, spec.reference, spec.range);
                if turns.len() < MOST {
                    turns.push(Turn { before, axis, q, reference, range });
                    before = Quat::identity();
                }
            }
        }
        Chain { turns, after: before }
    }

    /// Whether nothing turns.
    pub(crate) fn is_rigid(&self) -> bool {
        self.turns.is_empty()
    }

    /// Whether any wanted rotation can be made, limits aside.
    pub(crate) fn is_ball(&self) -> bool {
        self.turns.iter().any(|t| t.axis.is_none()) || self.turns.len() > 2
    }

    /// The axis of a chain that is one hinge, in the axes of the descendant.
    pub(crate) fn hinge(&self) -> Option<Vec3> {
        match &self.turns[..] {
            [Turn { axis: Some(axis), .. }] => Some(self.after.inverse() * axis),
            _ => None,
        }
    }

    /// The two axes of a chain that is two hinges: the first in the axes of the ancestor, the second in the descendant's.
    pub(crate) fn universal(&self) -> Option<(Vec3, Vec3)> {
        match &self.turns[..] {
            [Turn { before, axis: Some(a), .. }, Turn { axis: Some(b), .. }] => {
                Some((before * a, self.after.inverse() * b))
            }
            _ => None,
        }
    }

    /// `a₁·F a₂`: what the cosine between the two axes of [`Chain::universal`] always is.
    pub(crate) fn universal_cosine(&self) -> f64 {
        match &self.turns[..] {
            [Turn { axis: Some(a), .. }, Turn { before, axis: Some(b), .. }] => a.dot(&(before * b)),
            _ => 0.0,
        }
    }

    /// Index in `q`, reference value and limits of a chain that is one hinge.
    pub(crate) fn hinge_place(&self) -> Option<(usize, f64, Option<[f64; 2]>)> {
        match &self.turns[..] {
            [Turn { axis: Some(_), q, reference, range, .. }] => Some((*q, *reference, *range)),
            _ => None,
        }
    }

    /// The least turn about an axis of the ancestor that brings a wanted rotation of a chain that is one ball within its limit, or as near as it
    /// goes: with `J = (w, v)` the angle of `Rot(u, ψ) J` is `2 acos|w cos ψ/2 − u·v sin ψ/2|`. 0 for other chains.
    pub(crate) fn turn_within(&self, wanted: &Quat, axis: &Vec3) -> f64 {
        let [Turn { before, axis: None, range: Some([_, limit]), .. }] = &self.turns[..] else { return 0.0 };
        let joint = before.inverse() * wanted * self.after.inverse();
        let least = libm::cos(0.5 * limit.min(core::f64::consts::PI));
        if joint.w.abs() >= least {
            return 0.0;
        }
        let across = (before.inverse() * axis).dot(&Vec3::new(joint.i, joint.j, joint.k));
        // w cos ψ/2 − u·v sin ψ/2 = size cos(ψ/2 + phase), of either sign
        let (size, phase) = (libm::hypot(joint.w, across), libm::atan2(across, joint.w));
        let room = libm::acos((least / size.max(f64::MIN_POSITIVE)).min(1.0));
        let wrap = |x: f64| x - core::f64::consts::PI * libm::round(x / core::f64::consts::PI);
        let half = [room - phase, -room - phase].map(wrap);
        2.0 * if half[0].abs() <= half[1].abs() { half[0] } else { half[1] }
    }

    /// The rotation at `q`.
    pub fn rotation(&self, q: &[f64]) -> Quat {
        self.turns.iter().fold(Quat::identity(), |r, turn| r * turn.before * turn.rotation(q)) * self.after
    }

    /// Writes the joint values that bring the rotation nearest to `wanted`, within the joint limits if these are to hold; returns the angle that remains, rad.
    pub fn fit(&self, q: &mut [f64], wanted: &Quat, limits: bool) -> f64 {
        match &self.turns[..] {
            [] => {}
            [turn] => {
                let joint = turn.before.inverse() * wanted * self.after.inverse();
                match turn.axis {
                    None => turn.write(q, &joint, limits),
                    Some(axis) => {
                        let along = Vec3::new(joint.i, joint.j, joint.k).dot(&axis);
                        turn.write_angle(q, 2.0 * libm::atan2(along, joint.w), limits);
                    }
                }
            }
            turns => self.gauss_newton(turns, q, wanted, limits),
        }
        rotation::log(&(self.rotation(q).inverse() * wanted)).norm()
    }

    fn gauss_newton(&self, turns: &[Turn], q: &mut [f64], wanted: &Quat, limits: bool) {
        // chains may have been given values outside of their limits, or whole turns away
        for turn in turns.iter().filter(|t| t.axis.is_some()) {
            turn.write_angle(q, q[turn.q] - turn.reference, limits);
        }
        let mut held = [false; MOST];
        for _ in 0..ROUNDS {
            let now = self.rotation(q);
            let error = rotation::log(&(now.inverse() * wanted));
            let residual = error * (LONGEST / error.norm()).min(1.0);
            // axes of all joints in the axes of the descendant
            let mut rest = self.after;
            let mut gram = Mat3::zeros();
            let mut frames = [Quat::identity(); MOST];
            for (k, turn) in turns.iter().enumerate().rev() {
                frames[k] = rest.inverse();
                match turn.axis {
                    Some(axis) if !held[k] => {
                        let axis = frames[k] * axis;
                        gram += axis * axis.transpose();
                    }
                    None => gram += Mat3::identity(),
                    _ => {}
                }
                rest = turn.before * turn.rotation(q) * rest;
            }
            gram += Mat3::identity() * (DAMPING * (1.0 + gram.trace()));
            let Some(multiplier) = gram.try_inverse().map(|inverse| inverse * residual) else { return };
            // the step of least norm
            let mut largest: f64 = 0.0;
            let mut changed = false;
            for (k, turn) in turns.iter().enumerate() {
                let local = frames[k].inverse() * multiplier;
                match turn.axis {
                    None => {
                        largest = largest.max(local.norm());
                        let joint = turn.rotation(q) * rotation::exp(&local);
                        turn.write(q, &joint, limits);
                    }
                    Some(axis) if held[k] => {
                        // let go when the residual pulls inwards
                        let pull = axis.dot(&(frames[k].inverse() * residual));
                        held[k] = turn.room(q, pull) <= 0.0;
                        changed |= !held[k];
                    }
                    Some(axis) => {
                        let step = axis.dot(&local);
                        let room = if limits { turn.room(q, step) } else { f64::INFINITY };
                        held[k] = step.abs() >= room;
                        changed |= held[k];
                        let step = step.clamp(-room, room);
                        q[turn.q] += step;
                        largest = largest.max(step.abs());
                    }
                }
            }
            // without a remainder rounds converge quadratically, with one linearly
            let small = if error.norm() > 1e-5 { 1e-7 } else { 1e-13 };
            if largest < small && !changed {
                return;
            }
        }
    }
}

impl Turn {
    fn rotation(&self, q: &[f64]) -> Quat {
        match self.axis {
            Some(axis) => rotation::exp(&(axis * (q[self.q] - self.reference))),
            None => quat_at(q, self.q),
        }
    }

    /// Writes a ball's rotation, cut to its limit, on the same side of the sphere as the one that is there.
    fn write(&self, q: &mut [f64], joint: &Quat, limits: bool) {
        let mut joint = *joint;
        if let Some([_, greatest]) = self.range.filter(|_| limits) {
            let turn = rotation::log(&joint);
            if turn.norm() > greatest {
                joint = rotation::exp(&(turn * (greatest / turn.norm())));
            }
        }
        let sign = if quat_at(q, self.q).coords.dot(&joint.coords) < 0.0 { -1.0 } else { 1.0 };
        for (k, x) in [joint.w, joint.i, joint.j, joint.k].into_iter().enumerate() {
            q[self.q + k] = sign * x;
        }
    }

    /// How far a hinge can still go in the direction of `step`.
    fn room(&self, q: &[f64], step: f64) -> f64 {
        match self.range {
            Some([low, _]) if step < 0.0 => q[self.q] - low,
            Some([_, high]) => high - q[self.q],
            None => f64::INFINITY,
        }
        .max(0.0)
    }

    /// Writes a hinge's angle from its reference, the nearest turn to the middle of its range, cut to the limits.
    fn write_angle(&self, q: &mut [f64], angle: f64, limits: bool) {
        use core::f64::consts::TAU;
        let value = self.reference + angle;
        let middle = self.range.map_or(self.reference, |[low, high]| 0.5 * (low + high));
        let value = value - TAU * libm::round((value - middle) / TAU);
        q[self.q] = match self.range.filter(|_| limits) {
            Some([low, high]) => value.clamp(low, high),
            None => value,
        };
    }
}

/// The quaternion `w x y z` at an index of a configuration.
pub(crate) fn quat_at(q: &[f64], at: usize) -> Quat {
    Quat::new_unchecked(nalgebra::Quaternion::new(q[at], q[at + 1], q[at + 2], q[at + 3]))
}
