//! Torques for a list of objectives: the prioritised problem of de Lasa, Mordatch and Hertzmann 2010, section 5.
//!
//! Unknowns are the accelerations `v̇` and the weights `λ ≥ 0` of the friction pyramids' edges; torques are eliminated by
//! ```text
//! τ = M v̇ + h − Σ Jᵀ V λ,        rows of the free root: 0,        |τ| ≤ τ_max
//! ```
//! These hold strictly. Joint limits hold as well as possible. Then come the objectives, level by level. In the last level contact
//! forces have a small cost, because nothing else decides how two feet share a load.
//!
//! If there is no solution (a body spins faster than its torques can brake, or a number is not finite), the joints become weak
//! springs: each is drawn to the desired pose by `M_ii (k e − 2√k v) + h_i`, within its torque limit. Torques of an earlier
//! state are never used.

use super::foothold::{EDGES, Foothold, MOST_FOOTHOLDS};
use super::kinetics::Kinetics;
use super::objective::{Objective, Task as Aim};
use super::priorities::Priorities;
use super::problem::{MOST_LEVELS, Problem, Statement, Structure};
use super::warm::WarmSolver;
use crate::ControlStatus;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Model, Scratch};
use sinew_solve::hqp::{Hierarchy, HqpSize, HqpSolver, HqpStatus, Level, Task};
use std::sync::Arc;

/// Default of [`WholeBody::limit_horizon`], s.
pub(crate) const LIMIT_HORIZON: f64 = 0.02;
/// Condition number of the last level above which its solution is refined.
const REFINE_ABOVE: f64 = 1e4;
/// Weight of a level without a given weight, with weighted priorities.
const LEAST_WEIGHT: f64 = 1e-4;

/// Turns objectives into torques.
#[derive(Clone, Debug)]
pub struct WholeBody {
    /// The body and its state.
    pub kinetics: Kinetics,
    /// Strict or weighted.
    pub priorities: Priorities,
    /// A joint is braked when it would reach its limit within this time, s.
    pub limit_horizon: f64,
    /// Greatest acceleration of an actuated joint, rad/s² or m/s². Without it, light limbs are flung about for objectives that
    /// nothing else can satisfy.
    pub acceleration_limit: f64,
    /// Stiffness of the pose when there is no solution, 1/s².
    pub soft_stiffness: f64,
    fallbacks: usize,
    structure: Arc<Structure>,
    solver: WarmSolver,
    problem: Scratch<Problem>,
    // the last solution
    torque: Vec<f64>,
    /// Accelerations, and weights of the pyramids' edges.
    solution: Vec<f64>,
    footholds: Vec<Foothold>,
    forces: Vec<Vec3>,
}

impl WholeBody {
    /// For a body.
    pub fn new(model: Arc<Model>) -> WholeBody {
        let nv = model.nv();
        WholeBody {
            priorities: Priorities::Strict,
            limit_horizon: LIMIT_HORIZON,
            acceleration_limit: 2000.0,
            soft_stiffness: 30.0,
            fallbacks: 0,
            structure: Arc::new(Structure::of(&model)),
            solver: WarmSolver::default(),
            problem: Scratch::default(),
            torque: vec![0.0; nv],
            solution: vec![0.0; nv],
            footholds: Vec::with_capacity(MOST_FOOTHOLDS),
            forces: Vec::with_capacity(MOST_FOOTHOLDS),
            kinetics: Kinetics::new(model),
        }
    }

    /// A solver for another body, with the same settings and the same count of failures.
    pub(crate) fn with_model(&self, model: Arc<Model>) -> WholeBody {
        WholeBody {
            priorities: self.priorities.clone(),
            limit_horizon: self.limit_horizon,
            acceleration_limit: self.acceleration_limit,
            soft_stiffness: self.soft_stiffness,
            fallbacks: self.fallbacks,
            ..WholeBody::new(model)
        }
    }

    /// Torques of the last solve.
    pub fn torque(&self) -> &[f64] {
        &self.torque
    }

    /// Accelerations of the last solve.
    pub fn acceleration(&self) -> &[f64] {
        &self.solution[..self.torque.len()]
    }

    /// Acceleration of the centre of mass in the last solve, m/s².
    pub fn com_acceleration(&self) -> Vec3 {
        let derived = self.kinetics.derived();
        let rows = derived.momentum_map.chunks_exact(6).zip(self.acceleration());
        let rate: Vec3 = rows.map(|(m, a)| Vec3::new(m[0], m[1], m[2]) * *a).sum();
        (rate + derived.momentum_bias[0]) / self.kinetics.model.mass()
    }

    /// Number of solves without a solution, after which the joints were weak springs.
    pub fn fallbacks(&self) -> usize {
        self.fallbacks
    }

    /// Footholds of the last solve.
    pub fn footholds(&self) -> &[Foothold] {
        &self.footholds
    }

    /// Forces at the footholds in the last solve, N; none when there was no solution.
    pub fn forces(&self) -> &[Vec3] {
        &self.forces
    }

    /// Solves for the torques that satisfy the objectives best, with contact forces at the footholds only.
    pub fn solve(&mut self, objectives: &[Objective], footholds: &[Foothold]) -> ControlStatus {
        self.assemble(objectives, footholds);
        self.solve_assembled(objectives)
    }

    /// The first half of [`solve`](Self::solve), which writes the problem: for measurements.
    pub fn assemble(&mut self, objectives: &[Objective], footholds: &[Foothold]) {
        let footholds = &footholds[..footholds.len().min(MOST_FOOTHOLDS)];
        self.footholds.clear();
        self.footholds.extend_from_slice(footholds);
        let WholeBody { kinetics, structure, limit_horizon, acceleration_limit, .. } = self;
        let problem = self.problem.get_or(|| Problem::new(kinetics.model.nv()));
        let (limit_horizon, acceleration_limit) = (*limit_horizon, *acceleration_limit);
        let statement = Statement { kinetics, structure, limit_horizon, acceleration_limit };
        problem.write(&statement, objectives, footholds);
    }

    /// The second half: solves what was assembled for these objectives.
    pub fn solve_assembled(&mut self, objectives: &[Objective]) -> ControlStatus {
        let status = self.run();
        if status == ControlStatus::FellBack {
            self.go_soft(objectives);
        }
        status
    }

    /// Torques of weak springs towards the desired pose, for when there is no solution.
    fn go_soft(&mut self, objectives: &[Objective]) {
        self.fallbacks += 1;
        self.forces.clear();
        self.solution.fill(0.0);
        self.torque.fill(0.0);
        let Kinetics { model, q, v, .. } = &self.kinetics;
        let (nv, derived) = (model.nv(), self.kinetics.derived());
        let problem = self.problem.get_or(|| Problem::new(nv));
        let error = &mut problem.jacobian[..nv];
        error.fill(0.0);
        let pose = objectives.iter().rev().find_map(|o| match &o.task {
            Aim::Pose { target, .. } => Some(target),
            _ => None,
        });
        if let Some(target) = pose {
            model.difference(q, target, error);
        }
        let (k, damping) = (self.soft_stiffness, 2.0 * self.soft_stiffness.sqrt());
        for &d in &self.structure.actuated {
            let torque = derived.mass_matrix[d * nv + d] * (k * error[d] - damping * v[d]) + derived.bias[d];
            let most = self.structure.effort[d];
            self.torque[d] = if torque.is_finite() { torque.clamp(-most, most) } else { 0.0 };
        }
    }

    /// Solves, and stores the result if there is one.
    fn run(&mut self) -> ControlStatus {
        let WholeBody { kinetics, structure, priorities, .. } = self;
        let nv = kinetics.model.nv();
        let p = &*self.problem.get_or(|| Problem::new(nv));
        let tasks: [[Task<'_>; 1]; MOST_LEVELS] =
            std::array::from_fn(|k| [Task::by_rows(&p.levels[k].a, &p.levels[k].b)]);
        let mut levels = [Level::default(); MOST_LEVELS];
        let mut weights = [LEAST_WEIGHT; MOST_LEVELS];
        let mut count = 0;
        for (k, task) in tasks.iter().enumerate() {
            if k > 0 && task[0].b.is_empty() {
                continue;
            }
            levels[count] = Level::new(task);
            if let Priorities::Weighted(given) = &*priorities
                && let Some(weight) = given.get(k)
            {
                weights[count] = *weight;
            }
            count += 1;
        }
        levels[0] = levels[0].with_inequalities(&p.limit_matrix, &p.limit_lower, &p.limit_upper);
        // the last level sees every variable, so that it needs no decomposition of its own
        levels[count - 1] = levels[count - 1].with_damping(&p.damping);
        let hierarchy = Hierarchy::new(p.columns(kinetics), &levels[..count])
            .with_equalities(&p.equality, &p.equality_target)
            .with_inequalities(&p.inequality, &p.lower, &p.upper)
            .with_bounds(&p.bound_lower, &p.bound_upper);
        let solver = self.solver.get_or(|| {
            let mut solver = HqpSolver::new(size(nv, structure));
            (solver.params.refine_above, solver.params.measure) = (REFINE_ABOVE, false);
            solver
        });
        let solved = match &*priorities {
            Priorities::Strict => solver.solve_warm(&hierarchy),
            Priorities::Weighted(_) => solver.solve_weighted(&hierarchy, &weights[..count]),
        };
        let status = match &solved {
            Ok(s) if s.status == HqpStatus::Solved => ControlStatus::Good,
            Ok(s) if s.status == HqpStatus::Partial => ControlStatus::Partial,
            _ => return ControlStatus::FellBack,
        };
        let Ok(solution) = solved else { return ControlStatus::FellBack };
        self.solution.clear();
        self.solution.extend_from_slice(solution.x);
        p.pyramids.forces(&solution.x[nv..], &mut self.forces);
        // τ = M v̇ + h − JᵀVλ
        let derived = kinetics.derived();
        self.torque.copy_from_slice(&derived.bias);
        let all = derived.mass_matrix.chunks_exact(nv).chain(p.pyramids.torques.chunks_exact(nv));
        for (column, x) in all.zip(solution.x) {
            self.torque.iter_mut().zip(column).for_each(|(t, c)| *t += c * x);
        }
        let idle = structure.actuated.iter().filter(|d| structure.effort[**d] == 0.0);
        structure.free.iter().chain(idle).for_each(|&d| self.torque[d] = 0.0);
        status
    }
}

/// The largest problem of a body.
fn size(nv: usize, structure: &Structure) -> HqpSize {
    let Structure { actuated, free, .. } = structure;
    HqpSize {
        variables: nv + EDGES * MOST_FOOTHOLDS,
        rows: 3 * nv + 6 * MOST_FOOTHOLDS,
        levels: MOST_LEVELS,
        equalities: free.len(),
        inequalities: actuated.len() + structure.limited(),
        level_inequalities: structure.limited(),
    }
}

#[cfg(test)]
#[path = "solver_tests.rs"]
mod tests;
