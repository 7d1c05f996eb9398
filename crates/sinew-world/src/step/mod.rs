//! One step of the world.
//!
//! Semi-implicit Euler with `M`, `h`, `J` at the beginning of the step (design, section 3):
//! ```text
//! M (v⁺ − v) = dt (τ + passive + outside − h) + Jᵀ p,     q⁺ = q ⊕ dt v⁺
//! ```
//! The stages, in order: dynamics of each actor by itself; touching shapes; rows of the solver's problem; impulses; new
//! velocities and configurations; the report.

mod error;
mod limits;
mod outside;
mod report;
mod rows;
mod torques;

pub use error::StepError;

use crate::actor::{Actor, Work};
use crate::actuation::Actuation;
use crate::contact_model::{Cone, ContactModel};
use crate::settings::Settings;
use crate::solver::{self, SolveReport};
use crate::world::{StepReport, World};
use sinew_dynamics::{Model, Singular, bias_force, factored_mass_matrix, forward_velocities, passive_force};

impl World {
    /// Takes one step with the given joint torques, one [`Actuation`] per actor; missing ones at the end are passive.
    ///
    /// On error the world is unchanged.
    pub fn step(&mut self, actuation: &[Actuation]) -> Result<&StepReport, StepError> {
        self.check_settings()?;
        self.take_torques(actuation)?;
        let dt = self.settings.dt;
        let (step, time) = (self.steps, self.time());
        for actor in &mut self.actors {
            actor.dynamics(dt).map_err(|_| {
                let what = format!("the mass matrix of actor \"{}\"", actor.name);
                StepError::NotFinite { step, time, what }
            })?;
        }
        self.apply_outside_forces();
        self.find_candidates();
        self.pose_problem();
        self.report.solve = self.find_impulses();
        self.advance()?;
        self.write_report();
        self.steps += 1;
        Ok(&self.report)
    }

    /// Refuses settings that cannot be.
    fn check_settings(&self) -> Result<(), StepError> {
        let ContactModel::Complementarity { cone } = self.settings.contact;
        if let Cone::Polyhedral { sides } = cone
            && sides < 3
        {
            return Err(StepError::Settings(format!(
                "a cone of {sides} sides holds nothing; 3 are the least"
            )));
        }
        Ok(())
    }

    /// Solves the problem, by sweeps or by pivoting.
    fn find_impulses(&mut self) -> SolveReport {
        let World { problem, newton, pivoting, settings, .. } = self;
        let Settings { tolerance, sweeps, .. } = *settings;
        let ContactModel::Complementarity { cone } = settings.contact;
        let Cone::Polyhedral { sides } = cone else {
            return solver::solve(problem, newton, tolerance, sweeps);
        };
        pivoting.solve(problem, sides, tolerance).unwrap_or_else(|| SolveReport {
            converged: false,
            ..solver::solve(problem, newton, tolerance, sweeps)
        })
    }

    /// Gives all actors their new velocities and configurations, if they are finite.
    fn advance(&mut self) -> Result<(), StepError> {
        let (step, time, dt) = (self.steps, self.time(), self.settings.dt);
        for (actor, side) in self.actors.iter_mut().zip(&self.problem.sides) {
            let Work { momentum, step: dv, .. } = &mut actor.work;
            side.space.add_impulses(&actor.model, &side.impulse, momentum);
            actor.data.finish_solve_mass_matrix(&actor.model, momentum);
            for ((dv, change), v) in dv.iter_mut().zip(&*momentum).zip(&actor.v) {
                *dv = v + change;
            }
            if let Some(dof) = dv.iter().position(|x| !x.is_finite()) {
                let what = format!("velocity {dof} of actor \"{}\" at the end of the step", actor.name);
                return Err(StepError::NotFinite { step, time, what });
            }
        }
        for actor in &mut self.actors {
            let Work { step, before, .. } = &mut actor.work;
            before.0.copy_from_slice(&actor.q);
            before.1.copy_from_slice(&actor.v);
            actor.v.copy_from_slice(step);
            step.iter_mut().for_each(|x| *x *= dt);
            actor.model.integrate(&before.0, step, &mut actor.q);
        }
        Ok(())
    }
}

impl Actor {
    /// Mass matrix, bias and the momentum that forces other than contacts add in this step.
    fn dynamics(&mut self, dt: f64) -> Result<(), Singular> {
        let Actor { model, data, q, v, work, .. } = self;
        let model: &Model = model;
        passive_force(model, q, v, &mut work.passive);
        let h = bias_force(model, data, q, v);
        for (k, x) in work.momentum.iter_mut().enumerate() {
            *x = dt * (work.tau[k] + work.passive[k] - h[k]);
        }
        factored_mass_matrix(model, data, q)?;
        forward_velocities(model, data, q, v);
        Ok(())
    }
}
