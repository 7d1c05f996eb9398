//! One step of the world.
//!
//! Semi-implicit Euler with `M`, `h`, `J` at the beginning of the step (design, section 3):
//! ```text
//! M (v⁺ − v) = dt (τ + passive + outside − h) + Jᵀ p,     q⁺ = q ⊕ dt v⁺
//! ```
//! Actors that turn fast take `h` at the mean of `v` and `v⁺` ([`middle`]).
//! The stages, in order: dynamics of each actor by itself; external forces; touching shapes; rows of the solver's problem;
//! impulses, once more where joints must be braked or the bias moves; new velocities and configurations; the report. In a world of penalty contacts their forces take the place of
//! problem and impulses, and [`runge_kutta`] may take the place of Euler.

mod error;
mod limits;
mod middle;
mod outside;
mod penalty;
mod report;
mod rows;
mod runge_kutta;
mod share;
mod torques;

pub use error::StepError;
pub(crate) use middle::Middle;
pub(crate) use runge_kutta::Mean;

use crate::actor::{Actor, Work};
use crate::actuation::Actuation;
use crate::contact_model::{Cone, ContactModel, Penalty};
use crate::settings::{Integrator, Settings};
use crate::solver::islands::Item;
use crate::solver::pivoting::{FEW, SIDES};
use crate::solver::{self, SolveReport};
use crate::world::{StepReport, World};
use sinew_dynamics::{Model, Singular, bias_force, factored_mass_matrix, forward_velocities, passive_force};

/// Most corrections of the limits of ball joints in a step.
const BALL_LIMIT_ROUNDS: usize = 8;
/// Residual of sweeps, m/s, with which an island of a few contacts is left to pivoting.
const RESISTS: f64 = 0.01;
/// Greatest velocity that is computed with, m/s or rad/s.
const FASTEST: f64 = 1e7;
/// Greatest number of trial steps, to find the joints that an impact carries beyond a limit or the greatest speed.
const ATTEMPTS: usize = 4;

impl World {
    /// Takes one step with the given joint torques, one [`Actuation`] per actor; missing ones at the end are passive.
    ///
    /// Planned events that are due happen first. On error no actor has moved and no step is counted.
    pub fn step(&mut self, actuation: &[Actuation]) -> Result<&StepReport, StepError> {
        self.run_events()?;
        self.check_settings(actuation)?;
        self.take_torques(actuation)?;
        self.begin_report();
        match (self.settings.contact, self.settings.integrator) {
            (ContactModel::Penalty(penalty), integrator) if integrator.is_runge_kutta() => {
                self.step_runge_kutta(&penalty, integrator)?;
            }
            (contact, _) => self.step_euler(&contact)?,
        }
        self.write_report();
        self.spend_pushes();
        self.steps += 1;
        self.last = self.time() - self.settings.dt;
        Ok(&self.report)
    }

    /// A semi-implicit Euler step.
    fn step_euler(&mut self, contact: &ContactModel) -> Result<(), StepError> {
        let dt = self.settings.dt;
        self.evaluate(0.0, dt, 1.0)?;
        match contact {
            ContactModel::Complementarity { cone } => {
                self.begin_attempts();
                for _ in 0..ATTEMPTS {
                    self.pose_problem();
                    self.pose_laws()?;
                    self.report.solve = self.find_impulses(*cone)?;
                    self.find_changes();
                    if !self.find_runaways() {
                        break;
                    }
                }
                self.settle_middles(Some(*cone))?;
                self.follow_laws();
            }
            ContactModel::Penalty(penalty) => {
                self.apply_penalties(penalty, dt, 1.0);
                self.begin_attempts();
                self.problem.clear();
                for actor in &mut self.actors {
                    actor.data.half_solve_mass_matrix(&actor.model, &mut actor.work.momentum);
                }
                self.find_changes();
                self.settle_middles(None)?;
            }
        }
        self.advance()
    }

    /// Dynamics of each actor by itself, forces from outside and touching shapes, `later` than the step's beginning. Momentum
    /// is that of `span` seconds; the report takes `share` of the forces. Held contacts are those of the beginning.
    fn evaluate(&mut self, later: f64, span: f64, share: f64) -> Result<(), StepError> {
        let (step, time) = (self.steps, self.time());
        let above = match self.settings.integrator {
            Integrator::SemiImplicitEuler => self.settings.midpoint_above,
            Integrator::Rk4 | Integrator::Rk4Held => f64::INFINITY,
        };
        for actor in &mut self.actors {
            actor.dynamics(span, above).map_err(|_| {
                let what = format!("the mass matrix of actor \"{}\"", actor.name);
                StepError::NotFinite { step, time, what }
            })?;
        }
        self.apply_outside_forces(span, share);
        if above.is_finite() {
            self.find_struck();
        }
        if !(later > 0.0 && self.settings.integrator == Integrator::Rk4Held) {
            self.find_candidates(time + later);
        }
        Ok(())
    }

    /// Refuses invalid settings.
    fn check_settings(&self, actuation: &[Actuation]) -> Result<(), StepError> {
        let Settings { contact, integrator, .. } = self.settings;
        let problem = match contact {
            ContactModel::Complementarity { cone: Cone::Polyhedral { sides } } if sides < 3 => {
                format!("a friction cone needs at least 3 sides, not {sides}")
            }
            ContactModel::Complementarity { .. } if integrator.is_runge_kutta() => {
                "Runge-Kutta steps need penalty contacts: impulses have no rate".to_owned()
            }
            ContactModel::Penalty(Penalty { anchor: Some(_), .. }) if integrator == Integrator::Rk4 => {
                "the force of an anchor depends on the past; choose Runge-Kutta steps with held contact forces, or semi-implicit Euler steps"
                    .to_owned()
            }
            ContactModel::Penalty(_) if !self.attachments.is_empty() => {
                "a world of penalty contacts has no grips or welds".to_owned()
            }
            ContactModel::Complementarity { cone: Cone::Polyhedral { .. } } => return Ok(()),
            _ if actuation.iter().any(|a| !a.feedback.is_empty()) => {
                "torque laws in the contact forces need a cone with flat sides".to_owned()
            }
            _ => return Ok(()),
        };
        Err(StepError::Settings(problem))
    }

    /// Solves the problem, by sweeps or by pivoting.
    fn find_impulses(&mut self, cone: Cone) -> Result<SolveReport, StepError> {
        let (step, time) = (self.steps, self.time());
        let Cone::Polyhedral { sides } = cone else {
            let swept = self.sweep();
            return Ok(self.pivot_what_resists(swept));
        };
        let World { problem, pivoting, islands, settings, .. } = self;
        islands.find(problem);
        match pivoting.solve(problem, &islands.items, sides, settings.tolerance) {
            Some(solved) => Ok(solved),
            None if problem.sides.iter().any(|s| s.law.exists()) => Err(StepError::NoSolution { step, time }),
            None => {
                problem.forget();
                problem.refresh();
                Ok(SolveReport { converged: false, ..self.sweep() })
            }
        }
    }

    /// Islands of a few contacts that do not converge are solved by pivoting, which always terminates: their friction
    /// then lies within a cone of eight sides.
    fn pivot_what_resists(&mut self, swept: SolveReport) -> SolveReport {
        if swept.residual <= RESISTS {
            return swept;
        }
        let World { actors, problem, pivoting, islands, settings, .. } = self;
        let mut report = SolveReport { residual: 0.0, converged: true, ..swept };
        for island in &islands.list {
            let items = &islands.items[island.items.clone()];
            let contacts = items.iter().filter(|item| matches!(item, Item::Contact(_))).count();
            let mut one = island.solved;
            if one.residual > RESISTS && contacts <= FEW {
                problem.prepare_rows(actors);
                if let Some(solved) = pivoting.solve(problem, items, SIDES, settings.tolerance) {
                    report.iterations += solved.iterations;
                    one = solved;
                }
            }
            report.residual = report.residual.max(one.residual);
            report.converged &= one.converged;
        }
        report
    }

    /// Solves the problem by sweeps, again where the limits of ball joints were misjudged.
    fn sweep(&mut self) -> SolveReport {
        let mut iterations = 0;
        for _ in 0..BALL_LIMIT_ROUNDS {
            let World { problem, newton, islands, settings, .. } = self;
            let solved = solver::solve(problem, newton, islands, settings);
            iterations += solved.iterations;
            if !self.correct_ball_limits() {
                return SolveReport { iterations, ..solved };
            }
        }
        let World { problem, newton, islands, settings, .. } = self;
        let solved = solver::solve(problem, newton, islands, settings);
        SolveReport { iterations: iterations + solved.iterations, ..solved }
    }

    /// Saves the start of trial steps.
    fn begin_attempts(&mut self) {
        for actor in &mut self.actors {
            let Work { given, momentum, fastest, .. } = &mut actor.work;
            given.copy_from_slice(momentum);
            fastest.copy_from_slice(&actor.v);
        }
    }

    /// Changes of all velocities, by momentum and impulses.
    fn find_changes(&mut self) {
        for (i, actor) in self.actors.iter_mut().enumerate() {
            let Work { momentum, impulses, change, .. } = &mut actor.work;
            match self.problem.sides.get(i).map(|side| &side.law) {
                Some(law) if law.exists() => {
                    impulses.copy_from_slice(&law.impulse);
                    actor.data.half_solve_mass_matrix(&actor.model, impulses);
                }
                _ => impulses.fill(0.0),
            }
            self.problem.add_impulses(i, impulses);
            change.iter_mut().zip(&*momentum).zip(&*impulses).for_each(|((c, m), p)| *c = m + p);
            actor.data.finish_solve_mass_matrix(&actor.model, change);
        }
    }

    /// Gives all actors their new velocities and configurations, if they are finite.
    fn advance(&mut self) -> Result<(), StepError> {
        let dt = self.settings.dt;
        self.check_finite()?;
        for actor in &mut self.actors {
            let Work { step, before, change, .. } = &mut actor.work;
            before.0.copy_from_slice(&actor.q);
            before.1.copy_from_slice(&actor.v);
            for ((v, s), change) in actor.v.iter_mut().zip(&mut *step).zip(&*change) {
                *v += change;
                *s = *v * dt;
            }
            actor.model.integrate(&before.0, step, &mut actor.q);
        }
        Ok(())
    }

    /// Refuses velocities that are not finite, or beyond the bound.
    fn check_finite(&self) -> Result<(), StepError> {
        let (step, time) = (self.steps, self.time());
        for actor in &self.actors {
            let ends = actor.v.iter().zip(&actor.work.change).map(|(v, change)| v + change);
            if let Some((dof, value)) = ends.enumerate().find(|(_, x)| !(x.abs() <= FASTEST)) {
                let what = format!("velocity {dof} of actor \"{}\" at the end of the step", actor.name);
                return Err(match value.is_finite() {
                    true => StepError::TooFast { step, time, what, value, most: FASTEST },
                    false => StepError::NotFinite { step, time, what },
                });
            }
        }
        Ok(())
    }
}

impl Actor {
    /// Mass matrix, bias and the momentum that forces other than contacts add in this step.
    fn dynamics(&mut self, dt: f64, midpoint_above: f64) -> Result<(), Singular> {
        let fast = self.turns_faster_than(midpoint_above);
        let Actor { model, data, q, v, work, .. } = self;
        let model: &Model = model;
        passive_force(model, q, v, &mut work.passive);
        let Work { middle, before, momentum, tau, passive, .. } = work;
        let h = if fast {
            middle.guess(model, data, q, v, &before.1)
        } else {
            middle.rest();
            bias_force(model, data, q, v)
        };
        for (k, x) in momentum.iter_mut().enumerate() {
            *x = dt * (tau[k] + passive[k] - h[k]);
        }
        factored_mass_matrix(model, data, q)?;
        forward_velocities(model, data, q, v);
        Ok(())
    }
}
