//! Products of velocities at the middle of the step, for actors that turn fast.
//!
//! `v_k` leads from `q_{k−1}` to `q_k` and `v_{k+1}` on to `q_{k+1}`: at `q_k` itself the velocity is the mean of the two. With
//! ```text
//! M (v⁺ − v) + dt h(q, ½(v + v⁺)) = dt (τ + passive + outside) + Jᵀ p,     q⁺ = q ⊕ dt v⁺
//! ```
//! the step is the same forwards and backwards in time: of second order for smooth motion, and energy oscillates but does not
//! grow; a free rigid body keeps its energy and the length of its angular momentum exactly, because `ω·(ω × Iω) = 0` at the mean
//! (Hairer, Lubich, Wanner 2006, ch. IV and V). With `h(q, v)` a spinning body gains about `½(ω dt)²` of its energy in every
//! step: negligible at 1 rad/s, divergence at 100.
//!
//! The equation is implicit in `v⁺`. Impulses being given, it is solved to rounding by repeated substitution, which gains about
//! a digit per round at `ω dt = 0.1`, and where that is slow by Newton's method with `M + ½ dt ∂h/∂v`. That matrix is
//! eliminated from the leaves to the root, without pivoting. Impulses and bias are solved in turn until the velocities converge. The
//! bias comes last, so that the recorded equation holds for any result of the contact solver.
//!
//! Contacts are solved for rest at the end of the step, `c⁺ = 0`. On a body that rolls or pivots at 100 rad/s, the velocity of the contact at
//! the new configuration is metres per second again, `c = (J(q) − J(q₋)) v`. Friction that stops it at the end of the step acts over the
//! mean of `c` and `c⁺` and drives the body. There the contact comes to rest in the mean, `c⁺ = −c`, so that friction does no work; a smaller
//! velocity that results without friction is kept.
//!
//! Only steps that begin with a coordinate turning faster than [`Settings::midpoint_above`](crate::Settings::midpoint_above), or in
//! which an external force is greater than the weight and may cause such a rotation, use this scheme, actor by actor; other steps cost
//! nothing extra. The rule depends only on the row of a recording, so that a reader
//! can identify these steps. Cost: a few evaluations of `h` and of the contact problem, two to three times a plain step.

use super::StepError;
use crate::actor::{Actor, Work};
use crate::contact_model::Cone;
use crate::solver::{Contact, End, Problem, Side, SolveReport};
use crate::world::World;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, JointKind, Model, bias_force, crba, forward_velocities, rnea_derivatives};

/// Most turns of impulses and bias, and most rounds for a bias.
const TURNS: usize = 12;
const ROUNDS: usize = 40;
/// Change of velocities that ends the turns, in tolerances of the contact solver: 1e-5 m/s by default, 10 nm per step.
const ENOUGH: f64 = 1e4;
/// Change of the bias, as a share of its greatest entry, that counts as none.
const SETTLED: f64 = 1e-13;
/// Velocity, m/s, above which a contact may keep rolling: the effect of gravity in a step of 1 ms.
const WORTH_IT: f64 = 1e-2;
/// Share of the last change that calls for Newton's method.
const SLOW: f64 = 0.25;

/// Workspace of one actor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Middle {
    /// Whether the present step uses the scheme.
    on: bool,
    /// The guess that the step's momentum was given with, and the present bias.
    guess: Vec<f64>,
    bias: Vec<f64>,
    /// Velocity at the middle, and zero acceleration.
    velocity: Vec<f64>,
    zero: Vec<f64>,
    /// Half-solved momentum before the last turn.
    before: Vec<f64>,
    /// Matrix, by rows, and right-hand side of Newton's method.
    matrix: Vec<f64>,
    rhs: Vec<f64>,
}

impl Middle {
    pub(crate) fn new(nv: usize) -> Middle {
        let zero = || vec![0.0; nv];
        Middle {
            on: false,
            guess: zero(),
            bias: zero(),
            velocity: zero(),
            zero: zero(),
            before: zero(),
            matrix: vec![0.0; nv * nv],
            rhs: zero(),
        }
    }

    /// Begins a step without the scheme.
    pub(super) fn rest(&mut self) {
        self.on = false;
    }

    /// Begins a step that needs its middle with a guess at the bias there: velocities go on to change as they did in the last
    /// step. In steady motion impulses are then found once.
    pub(super) fn guess(
        &mut self,
        model: &Model,
        data: &mut Data,
        q: &[f64],
        v: &[f64],
        last: &[f64],
    ) -> &[f64] {
        self.on = true;
        self.velocity.iter_mut().zip(v.iter().zip(last)).for_each(|(x, (v, last))| *x = 1.5 * v - 0.5 * last);
        self.guess.copy_from_slice(bias_force(model, data, q, &self.velocity));
        self.bias.copy_from_slice(&self.guess);
        &self.guess
    }

    /// Turns a step that seemed to need no middle, with the bias of its beginning, into one that does.
    fn strike(&mut self, bias: &[f64]) {
        self.on = true;
        self.guess.copy_from_slice(bias);
        self.bias.copy_from_slice(bias);
    }

    /// Solves `matrix · x = rhs` in place.
    fn solve(&mut self) {
        let Middle { matrix: a, rhs: x, .. } = self;
        let n = x.len();
        for i in (0..n).rev() {
            let (above, row) = a.split_at_mut(i * n);
            for j in 0..i {
                let factor = above[j * n + i] / row[i];
                // most bodies are not on each other's path to the root
                if factor != 0.0 {
                    above[j * n..j * n + i].iter_mut().zip(&row[..i]).for_each(|(x, y)| *x -= factor * y);
                    x[j] -= factor * x[i];
                }
            }
        }
        for i in 0..n {
            let sum: f64 = a[i * n..i * n + i].iter().zip(&x[..i]).map(|(a, x)| a * x).sum();
            x[i] = (x[i] - sum) / a[i * n + i];
        }
    }
}

impl World {
    /// Moves the bias of actors that turn fast to the middle of the step, and impulses with it. The impulses are found.
    pub(super) fn settle_middles(&mut self, cone: Option<Cone>) -> Result<(), StepError> {
        if !self.actors.iter().any(|a| a.work.middle.on) {
            return Ok(());
        }
        let (dt, tolerance) = (self.settings.dt, self.settings.tolerance);
        let mut moved = self.let_roll();
        for turn in 1..=TURNS {
            for (i, actor) in self.actors.iter_mut().enumerate().filter(|(_, a)| a.work.middle.on) {
                moved = moved.max(actor.settle_middle(dt));
                self.problem.take_momentum(i, actor);
            }
            let solve = &mut self.report.solve;
            let again =
                cone.filter(|_| moved > (ENOUGH * tolerance).max(solve.residual) && !self.problem.is_empty());
            let stuck = if again.is_some() { turn == TURNS } else { moved.is_infinite() };
            if stuck {
                solve.residual = solve.residual.max(moved);
                solve.converged &= moved.is_finite();
                break;
            }
            let Some(cone) = again else { break };
            let before = solve.iterations;
            let solved = self.find_impulses(cone)?;
            self.report.solve = SolveReport { iterations: before + solved.iterations, ..solved };
            self.find_changes();
            moved = 0.0;
        }
        // velocities of the beginning, as after every step
        for Actor { model, data, q, v, .. } in self.actors.iter_mut().filter(|a| a.work.middle.on) {
            forward_velocities(model, data, q, v);
        }
        Ok(())
    }

    /// Actors on which a force from outside is greater than their weight.
    pub(super) fn find_struck(&mut self) {
        let World { actors, report, .. } = self;
        for (actor, told) in actors.iter_mut().zip(&report.outside) {
            let Actor { model, data, q, v, work, .. } = actor;
            let weight = model.mass() * model.gravity().norm();
            if !work.middle.on && told.iter().any(|o| o.force.norm() > weight) {
                work.middle.strike(bias_force(model, data, q, v));
                forward_velocities(model, data, q, v);
            }
        }
    }

    /// Lets contacts of fast-turning actors come to rest in the mean of the step, where rest at its end would need friction
    /// that drives them. Returns the greatest velocity of such contacts.
    fn let_roll(&mut self) -> f64 {
        let World { actors, problem, candidates, .. } = self;
        let fast = |end: &End| actors[end.side].work.middle.on;
        let mut most: f64 = 0.0;
        for k in 0..problem.contacts.len() {
            let Contact { pair, impulse, own, .. } = &problem.contacts[k];
            // landing contacts come to rest
            let lands = candidates.remembered(&candidates.list[k].key) == Vec3::zeros();
            if lands || !(fast(&pair.a) || pair.b.as_ref().is_some_and(fast)) {
                continue;
            }
            let p = Vec3::new(0.0, impulse.y, impulse.z);
            let slides = -own.wanted.yz();
            let without = (problem.velocity(own.chain) - own.matrix * p).yz() + slides;
            let share = (-without.dot(&slides) / slides.norm_squared()).clamp(0.0, 1.0);
            let granted = slides * -share;
            if granted.norm() > WORTH_IT {
                let Contact { own, bias, .. } = &mut problem.contacts[k];
                for wanted in [&mut own.wanted, bias] {
                    wanted.y += granted.x;
                    wanted.z += granted.y;
                }
                most = most.max(granted.norm());
            }
        }
        most
    }
}

impl Actor {
    /// Whether a coordinate of a turning joint has a greater rate.
    pub(super) fn turns_faster_than(&self, rate: f64) -> bool {
        self.model.joints().iter().any(|joint| {
            let turning = match joint.kind {
                JointKind::Free => joint.v + 3..joint.v + 6,
                JointKind::Ball => joint.v..joint.v + 3,
                JointKind::Hinge { .. } => joint.v..joint.v + 1,
                JointKind::Slide { .. } => return false,
            };
            self.v[turning].iter().any(|v| v.abs() > rate)
        })
    }

    /// Solves for the bias with impulses as they are. Returns the greatest change of a velocity. Where no solution is
    /// found, the bias is that of the beginning, and the change infinite.
    fn settle_middle(&mut self, dt: f64) -> f64 {
        self.work.middle.before.copy_from_slice(&self.work.momentum);
        let found = self.settle_bias(dt);
        if !found {
            let Actor { model, data, q, v, work, .. } = self;
            work.middle.bias.copy_from_slice(bias_force(model, data, q, v));
            self.take_bias(dt);
        }
        let Work { change, step, momentum, impulses, .. } = &mut self.work;
        step.copy_from_slice(change);
        change.iter_mut().zip(&*momentum).zip(&*impulses).for_each(|((c, m), p)| *c = m + p);
        self.data.finish_solve_mass_matrix(&self.model, change);
        let moved = change.iter().zip(&*step).fold(0.0f64, |most, (a, b)| most.max((a - b).abs()));
        if found { moved } else { f64::INFINITY }
    }

    /// The bias of the middle; whether it was found.
    fn settle_bias(&mut self, dt: f64) -> bool {
        let (mut last, mut newton) = (f64::INFINITY, false);
        for _ in 0..ROUNDS {
            let Actor { model, data, q, v, work, .. } = self;
            let (model, middle): (&Model, _) = (model, &mut work.middle);
            // where the present bias leads
            let velocity = &mut middle.velocity;
            velocity.iter_mut().zip(&work.momentum).zip(&work.impulses).for_each(|((x, m), p)| *x = m + p);
            data.finish_solve_mass_matrix(model, velocity);
            velocity.iter_mut().zip(&*v).for_each(|(x, v)| *x = v + 0.5 * *x);
            let h = bias_force(model, data, q, velocity);
            let (mut change, mut size): (f64, f64) = (0.0, 0.0);
            for ((r, new), old) in middle.rhs.iter_mut().zip(h).zip(&middle.bias) {
                change = change.max((new - old).abs());
                size = size.max(new.abs());
                *r = dt * (old - new);
            }
            if change <= SETTLED * size {
                return true;
            }
            if !(size.is_finite() && change.is_finite()) {
                return false;
            }
            newton |= change > SLOW * last;
            last = change;
            if newton {
                let n = v.len();
                let by_column = rnea_derivatives(model, data, q, &middle.velocity, &middle.zero).dv;
                for (k, a) in middle.matrix.iter_mut().enumerate() {
                    *a = 0.5 * dt * by_column[(k % n) * n + k / n];
                }
                middle.matrix.iter_mut().zip(crba(model, data, q)).for_each(|(a, m)| *a += m);
                middle.solve();
                middle.velocity.iter_mut().zip(&middle.rhs).for_each(|(x, r)| *x += 0.5 * r);
                middle.bias.copy_from_slice(bias_force(model, data, q, &middle.velocity));
            } else {
                middle.bias.copy_from_slice(h);
            }
            self.take_bias(dt);
        }
        false
    }

    /// Half-solved momentum with the present bias.
    fn take_bias(&mut self, dt: f64) {
        let Work { momentum, given, middle, .. } = &mut self.work;
        for (k, m) in momentum.iter_mut().enumerate() {
            *m = given[k] + dt * (middle.guess[k] - middle.bias[k]);
        }
        self.data.half_solve_mass_matrix(&self.model, momentum);
    }
}

impl Problem {
    /// Takes an actor's half-solved momentum anew; impulses stay.
    fn take_momentum(&mut self, i: usize, actor: &mut Actor) {
        if self.is_empty() {
            return;
        }
        let Actor { model, data, work, .. } = actor;
        self.set_free(i, &work.momentum);
        if !self.has_rows {
            return;
        }
        let gained = &mut work.middle.before;
        gained.iter_mut().zip(&work.momentum).for_each(|(g, m)| *g = m - *g);
        let Side { space, velocity, .. } = &mut self.sides[i];
        space.add_velocities(model, data, gained, velocity);
    }
}
