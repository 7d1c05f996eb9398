//! Limits of ball joints in fast motion.
//!
//! A ball joint's angle at the end of a step is no linear function of its velocity: turning across the axis adds to it, the
//! more the faster. The rows of the solver hold the rate about the axis, with a guess of that addition from the velocity at
//! the beginning of the step. Where the solved velocity leads more than [`NEAR`] past the limit, or the limit pushed although
//! it leads that much short of it, the row is corrected by the difference and the problem solved again from there.

use crate::actor::Actor;
use crate::world::World;
use sinew_dynamics::spatial::Vec3;

/// Tolerated difference between the end of the step and the limit, rad.
const NEAR: f64 = 2e-4;

impl World {
    /// Corrects the rows of ball joints' limits by the velocities just found; whether anything changed.
    pub(crate) fn correct_ball_limits(&mut self) -> bool {
        let World { actors, problem, settings, .. } = self;
        let dt = settings.dt;
        let (mut corrected, mut solved_for) = (false, None);
        for k in 0..problem.bounded.len() {
            let (side, dof) = (problem.bounded[k].side, problem.bounded[k].memory.0);
            let actor = &mut actors[side];
            let Some(limit) = actor.limits.iter().find(|l| l.ball && l.v == dof).copied() else { continue };
            let (angle, axis) = actor.swing(limit.q);
            if problem.bounded[k].memory.1 != 1 || angle >= limit.range[1] {
                continue;
            }
            // velocities at the end of the step, once per actor
            if solved_for != Some(side) {
                let work = &mut actor.work;
                work.step.copy_from_slice(&work.momentum);
                problem.add_impulses(side, &mut work.step);
                actor.data.finish_solve_mass_matrix(&actor.model, &mut work.step);
                solved_for = Some(side);
            }
            let spin = Vec3::from_fn(|i, _| actor.v[dof + i] + actor.work.step[dof + i]);
            let past = Actor::swing_after(&axis, angle, &(spin * dt)) - limit.range[1];
            let row = &mut problem.bounded[k];
            if past > NEAR || (row.impulse > 0.0 && past < -NEAR) {
                row.bias += past / dt;
                row.own.wanted += past / dt;
                corrected = true;
            }
        }
        corrected
    }
}
