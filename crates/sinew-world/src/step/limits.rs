//! Rows of joints at their limits and of dry friction in joints.
//!
//! A hinge or slide within reach of a limit may use up its gap in this step and no more: `c⁺ ≥ −gap/dt`. A ball joint's limit is
//! the greatest angle of its rotation vector `φ`; the angle grows at the rate `φ̂·ω`, with `ω` in the child's axes, and
//! turning across `φ̂` carries it further at second order, which the bias accounts for. Dry friction is an impulse between
//! `−F dt` and `F dt` that stops the joint if it can. Joints that turn fast are kept from exceeding the greatest speed;
//! joints that an impact accelerates within the step are found by a trial step, and the step is repeated with brakes and limits for them.

use crate::actor::{Actor, Limit, Work};
use crate::settings::Settings;
use crate::solver::{Bounded, Problem, Side};
use crate::world::World;
use sinew_dynamics::JointKind;
use sinew_dynamics::spatial::{Vec3, rotation};

/// Distance from which a limit is watched, rad or m, besides what the joint may turn in two steps.
const NEAR: f64 = 0.02;
/// Shares of the greatest speed from which joints have a brake, and which they may reach without one.
const BRAKE_FROM: f64 = 0.5;
const RUNAWAY: f64 = 1.01;

impl World {
    /// Marks joints that an attempt at the step leaves too fast without a brake, or beyond a limit that was not near; whether
    /// there are any.
    pub(super) fn find_runaways(&mut self) -> bool {
        let Settings { joint_speed: most, dt, .. } = self.settings;
        let mut found = false;
        for actor in &mut self.actors {
            let Work { change, fastest, .. } = &mut actor.work;
            let mut greatest: f64 = 0.0;
            for joint in actor.model.joints().iter().filter(|j| j.kind != JointKind::Free) {
                for dof in joint.v..joint.v + joint.kind.nv() {
                    let (end, fastest) = (actor.v[dof] + change[dof], &mut fastest[dof]);
                    greatest = greatest.max(end.abs());
                    let braked = fastest.abs() > BRAKE_FROM * most && *fastest * end > 0.0;
                    if end.abs() > RUNAWAY * most && !braked {
                        *fastest = end;
                        found = true;
                    }
                }
            }
            // three such rates make a ball's
            if 2.0 * dt * greatest <= NEAR {
                continue;
            }
            for k in 0..actor.limits.len() {
                let limit = actor.limits[k];
                let dofs = limit.v..limit.v + if limit.ball { 3 } else { 1 };
                let end = dofs.clone().map(|dof| actor.v[dof] + actor.work.change[dof]);
                let way = dt * norm(end);
                // a limit that is not near is farther than this
                if way > NEAR + 2.0 * dt * norm(actor.work.fastest[dofs.clone()].iter().copied())
                    && way > actor.gap(&limit)
                {
                    for dof in dofs {
                        let end = actor.v[dof] + actor.work.change[dof];
                        let fastest = &mut actor.work.fastest[dof];
                        *fastest = if end.abs() > fastest.abs() { end } else { *fastest };
                    }
                    found = true;
                }
            }
        }
        found
    }
}

fn norm(x: impl Iterator<Item = f64>) -> f64 {
    x.map(|x| x * x).sum::<f64>().sqrt()
}

impl Actor {
    /// Rows of joints near their limits and of dry friction.
    pub(super) fn pose_limits(&self, i: usize, settings: &Settings, problem: &mut Problem) {
        let Side { space, velocity, .. } = &mut problem.sides[i];
        let dt = settings.dt;
        let mut row = |dof: usize| {
            velocity.push(self.v[dof]);
            space.add_dof(&self.model, &self.data, dof)
        };
        let bias = |gap: f64| {
            if gap > 0.0 { -gap / dt } else { settings.recovery_rate(-gap) }
        };
        let one = |row: usize, dof: usize, sign: f64, gap: f64, kind: usize| Bounded {
            side: i,
            memory: (dof, kind),
            rows: [(row, sign), (row, 0.0), (row, 0.0)],
            dofs: [(dof, sign), (dof, 0.0), (dof, 0.0)],
            low: 0.0,
            high: f64::INFINITY,
            bias: bias(gap),
            impulse: self.work.limit_impulses[dof][kind],
            own: Default::default(),
        };
        for limit in &self.limits {
            let [low, high] = limit.range;
            if limit.ball {
                let (angle, axis) = self.swing(limit.q);
                let spin = Vec3::from_column_slice(&self.v[limit.v..limit.v + 3]);
                let (gap, rate) = (high - angle, axis.dot(&spin));
                if gap < NEAR + 2.0 * dt * norm(self.work.fastest[limit.v..limit.v + 3].iter().copied()) {
                    let rows = [0, 1, 2].map(|k| (row(limit.v + k), -axis[k]));
                    let dofs = [0, 1, 2].map(|k| (limit.v + k, -axis[k]));
                    let limit = one(rows[0].0, limit.v, 1.0, gap, 1);
                    // turning across the axis carries the angle further than its rate tells
                    let further =
                        (Actor::swing_after(&axis, angle, &(spin * dt)) - angle - dt * rate).max(0.0);
                    let bias = limit.bias + further / dt;
                    problem.bounded.push(Bounded { rows, dofs, bias, ..limit });
                }
                continue;
            }
            let (x, near) = (self.q[limit.q], NEAR + 2.0 * dt * self.work.fastest[limit.v].abs());
            if x - low < near {
                problem.bounded.push(one(row(limit.v), limit.v, 1.0, x - low, 0));
            }
            if high - x < near {
                problem.bounded.push(one(row(limit.v), limit.v, -1.0, high - x, 1));
            }
        }
        // what turns fast is kept from turning faster than a step can follow
        let joints = self.model.joints().iter().filter(|j| j.kind != JointKind::Free);
        for dof in joints.flat_map(|j| j.v..j.v + j.kind.nv()) {
            let fastest = self.work.fastest[dof];
            if fastest.abs() > BRAKE_FROM * settings.joint_speed {
                let braked = one(row(dof), dof, -fastest.signum(), 0.0, 3);
                problem.bounded.push(Bounded { bias: -settings.joint_speed, ..braked });
            }
        }
        for &(dof, most) in &self.dry {
            let bounded = one(row(dof), dof, 1.0, 0.0, 2);
            problem.bounded.push(Bounded { low: -most * dt, high: most * dt, bias: 0.0, ..bounded });
        }
    }

    /// How far a joint is from its nearest limit.
    fn gap(&self, limit: &Limit) -> f64 {
        let [low, high] = limit.range;
        match limit.ball {
            true => high - self.swing(limit.q).0,
            false => (self.q[limit.q] - low).min(high - self.q[limit.q]),
        }
    }

    /// Rotation angle of a ball joint, now turned by `angle` about `axis`, after turning on by `step`.
    pub(crate) fn swing_after(axis: &Vec3, angle: f64, step: &Vec3) -> f64 {
        rotation::log(&(rotation::exp(&(axis * angle)) * rotation::exp(step))).norm()
    }

    /// Rotation angle of a ball joint and its axis, in the child's axes.
    pub(crate) fn swing(&self, at: usize) -> (f64, Vec3) {
        let phi = rotation::log(&rotation::from_wxyz(&self.q[at..]));
        let angle = phi.norm();
        (angle, if angle > 1e-12 { phi / angle } else { Vec3::x() })
    }
}
