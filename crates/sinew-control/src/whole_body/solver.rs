//! Torques for a list of objectives: the prioritised problem of de Lasa, Mordatch and Hertzmann 2010, section 5.
//!
//! Unknowns are the accelerations `v̇` and the weights `λ ≥ 0` of the friction pyramids' edges; torques are eliminated by
//! ```text
//! τ = M v̇ + h − Σ Jᵀ V λ,        rows of the free root: 0,        |τ| ≤ τ_max
//! ```
//! These hold strictly; joint limits hold as well as they can; then come the objectives, level by level; and in the
//! last one contact forces have a small cost, because nothing else decides how two feet share a load.
//!
//! Where there is no solution (an articulated body spinning beyond what its torques can brake, numbers that are not
//! finite), the body goes soft: every joint is drawn to the pose that was asked for by `M_ii (k e − 2√k v) + h_i`, within
//! its limits. Torques of an earlier state are never used.

use super::kinetics::Kinetics;
use super::objective::{Assembly, Objective, Rows};
use crate::ControlStatus;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, JointKind, Model};
use sinew_solve::hqp::{Hierarchy, HqpSize, HqpSolver, HqpStatus, Level, Task};
use std::sync::Arc;

/// A point that can push against the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foothold {
    /// The body part.
    pub body: BodyId,
    /// The point in its frame, m.
    pub point: Vec3,
    /// Normal of the ground.
    pub normal: Vec3,
    /// Coefficient of friction.
    pub friction: f64,
    /// How dear its force is where the load could be shared otherwise; 1 is usual.
    pub cost: f64,
}

/// Most points that can push at once.
pub const MOST_FOOTHOLDS: usize = 16;
/// Edges of a friction pyramid.
const EDGES: usize = 4;
/// Cost in the last level of the squares of accelerations and of forces (in tenths of the weight): small against whatever
/// matters, and enough to decide what nothing else decides.
const SMALL_COST: f64 = 3e-3;
/// Time before a limit at which a joint is braked, unless told otherwise, s.
pub(crate) const LIMIT_HORIZON: f64 = 0.02;
/// Most levels of objectives.
const MOST_LEVELS: usize = 5;

/// How levels are told apart.
///
/// ```
/// use sinew_control::{features::Walker, whole_body::Priorities};
/// let human = std::sync::Arc::new(sinew_dynamics::characters::load("human")?);
/// let mut walker = Walker::new(human)?;
/// *walker.priorities_mut() = Priorities::weighted();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Priorities {
    /// Strictly: no level ever spoils the one before it.
    Strict,
    /// By one weight per level, in one least-squares problem; for comparison.
    Weighted(Vec<f64>),
}

impl Priorities {
    /// A weighted sum in which each level weighs a hundred times the next.
    pub fn weighted() -> Priorities {
        Priorities::Weighted(vec![1e4, 1e2, 1.0])
    }
}

/// Turns objectives into torques.
#[derive(Clone, Debug)]
pub struct WholeBody {
    /// The body and its state.
    pub kinetics: Kinetics,
    /// Strict or weighted.
    pub priorities: Priorities,
    /// Time in which a joint would run into its limit from which on it is braked, s.
    pub limit_horizon: f64,
    /// Most acceleration of an actuated joint, rad/s² or m/s². Without it a light limb is thrown about for whatever nothing
    /// else can give.
    pub acceleration_limit: f64,
    /// Stiffness of the pose when there is no solution, 1/s².
    pub soft_stiffness: f64,
    fallbacks: usize,
    solver: HqpSolver,
    actuated: Vec<usize>,
    free: Vec<usize>,
    limits: Vec<(usize, usize, [f64; 2])>,
    effort: Vec<f64>,
    levels: Vec<Rows>,
    jacobian: Vec<f64>,
    /// −JᵀV, nv×forces.
    force_torques: Vec<f64>,
    edges: Vec<Vec3>,
    problem: Problem,
    torque: Vec<f64>,
    acceleration: Vec<f64>,
    solution: Vec<f64>,
    footholds: Vec<Foothold>,
    forces: Vec<Vec3>,
}

/// Matrices of the problem, column-major.
#[derive(Clone, Debug, Default)]
struct Problem {
    equality: Vec<f64>,
    equality_target: Vec<f64>,
    inequality: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    limit_matrix: Vec<f64>,
    limit_lower: Vec<f64>,
    limit_upper: Vec<f64>,
    bound_lower: Vec<f64>,
    bound_upper: Vec<f64>,
    damping: Vec<f64>,
    tasks: Vec<Vec<f64>>,
}

impl WholeBody {
    /// For a body.
    pub fn new(model: Arc<Model>) -> WholeBody {
        let nv = model.nv();
        let mut is_free = vec![false; nv];
        let mut limits = Vec::new();
        for joint in model.joints() {
            let dofs = joint.v..joint.v + joint.kind.nv();
            is_free[dofs.clone()].fill(joint.kind == JointKind::Free);
            let range = model.bodies()[joint.body.0].joints[joint.nth].range;
            if let (JointKind::Hinge { .. } | JointKind::Slide { .. }, Some(range)) = (joint.kind, range) {
                limits.push((joint.q, joint.v, range));
            }
        }
        let select = |free: bool| (0..nv).filter(|&k| is_free[k] == free).collect::<Vec<_>>();
        let (actuated, free) = (select(false), select(true));
        let variables = nv + EDGES * MOST_FOOTHOLDS;
        let size = HqpSize {
            variables,
            rows: 3 * nv + 6 * MOST_FOOTHOLDS,
            levels: MOST_LEVELS,
            equalities: free.len(),
            inequalities: actuated.len() + limits.len(),
            level_inequalities: limits.len(),
        };
        WholeBody {
            solver: HqpSolver::new(size),
            effort: model.effort_limits().to_vec(),
            levels: vec![Rows::default(); MOST_LEVELS],
            jacobian: vec![0.0; 6 * nv],
            force_torques: Vec::with_capacity(nv * EDGES * MOST_FOOTHOLDS),
            edges: Vec::with_capacity(EDGES * MOST_FOOTHOLDS),
            problem: Problem { tasks: vec![Vec::new(); MOST_LEVELS], ..Problem::default() },
            torque: vec![0.0; nv],
            acceleration: vec![0.0; nv],
            solution: vec![0.0; nv],
            footholds: Vec::with_capacity(MOST_FOOTHOLDS),
            forces: Vec::with_capacity(MOST_FOOTHOLDS),
            priorities: Priorities::Strict,
            limit_horizon: LIMIT_HORIZON,
            acceleration_limit: 2000.0,
            soft_stiffness: 30.0,
            fallbacks: 0,
            kinetics: Kinetics::new(model),
            actuated,
            free,
            limits,
        }
    }

    /// The same for another body: same settings and count of what went wrong, nothing else remembered.
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
        &self.acceleration
    }

    /// Acceleration of the centre of mass in the last solve, m/s².
    pub fn com_acceleration(&self) -> Vec3 {
        let k = &self.kinetics;
        let rows = k.momentum_map.chunks_exact(6).zip(&self.acceleration);
        let rate: Vec3 = rows.map(|(m, a)| Vec3::new(m[0], m[1], m[2]) * *a).sum();
        (rate + k.momentum_bias[0]) / k.model.mass()
    }

    /// How often there was no solution, and the body went soft.
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

    /// Weighted squared error of an objective at the last solution.
    pub fn error_of(&mut self, objective: &Objective) -> f64 {
        let columns = self.solution.len();
        let mut rows = Rows::default();
        let mut assembly = Assembly {
            kinetics: &self.kinetics,
            columns,
            force_torques: &self.force_torques,
            jacobian: &mut self.jacobian,
        };
        assembly.add(objective, &mut rows);
        let residual = |(row, b): (&[f64], &f64)| {
            let e = row.iter().zip(&self.solution).map(|(a, x)| a * x).sum::<f64>() - b;
            e * e
        };
        rows.a.chunks_exact(columns.max(1)).zip(&rows.b).map(residual).sum()
    }

    /// Solves for the torques that meet the objectives best, pushing at the footholds only.
    pub fn solve(&mut self, objectives: &[Objective], footholds: &[Foothold]) -> ControlStatus {
        self.assemble(objectives, footholds);
        self.solve_assembled(objectives)
    }

    /// The first half of [`solve`](Self::solve): writes the problem. Apart for those who measure.
    pub fn assemble(&mut self, objectives: &[Objective], footholds: &[Foothold]) {
        let footholds = &footholds[..footholds.len().min(MOST_FOOTHOLDS)];
        self.footholds.clear();
        self.footholds.extend_from_slice(footholds);
        self.find_edges(footholds);
        let nv = self.kinetics.model.nv();
        let forces = self.edges.len();
        let columns = nv + forces;
        self.levels.iter_mut().for_each(Rows::clear);
        let mut assembly = Assembly {
            kinetics: &self.kinetics,
            columns,
            force_torques: &self.force_torques,
            jacobian: &mut self.jacobian,
        };
        for objective in objectives {
            let level = objective.priority.clamp(1, MOST_LEVELS) - 1;
            assembly.add(objective, &mut self.levels[level]);
        }
        self.pose(footholds, columns);
    }

    /// The second half: solves what was assembled for these objectives.
    pub fn solve_assembled(&mut self, objectives: &[Objective]) -> ControlStatus {
        let status = self.run(self.kinetics.model.nv() + self.edges.len());
        if status == ControlStatus::FellBack {
            self.go_soft(objectives);
        }
        status
    }

    /// Torques of a soft pose, for when there is no solution.
    fn go_soft(&mut self, objectives: &[Objective]) {
        self.fallbacks += 1;
        self.forces.clear();
        self.solution.fill(0.0);
        self.acceleration.fill(0.0);
        self.torque.fill(0.0);
        let Kinetics { model, q, v, bias, mass_matrix, .. } = &self.kinetics;
        let nv = model.nv();
        let error = &mut self.jacobian[..nv];
        error.fill(0.0);
        let pose = objectives.iter().rev().find_map(|o| match &o.task {
            super::objective::Task::Pose { target, .. } => Some(target),
            _ => None,
        });
        if let Some(target) = pose {
            model.difference(q, target, error);
        }
        let (k, damping) = (self.soft_stiffness, 2.0 * self.soft_stiffness.sqrt());
        for &d in &self.actuated {
            let torque = mass_matrix[d * nv + d] * (k * error[d] - damping * v[d]) + bias[d];
            let most = self.effort[d];
            self.torque[d] = if torque.is_finite() { torque.clamp(-most, most) } else { 0.0 };
        }
    }

    /// Edges of the pyramids and the torques that they make.
    fn find_edges(&mut self, footholds: &[Foothold]) {
        let Kinetics { model, data, .. } = &self.kinetics;
        let nv = model.nv();
        self.edges.clear();
        self.force_torques.clear();
        // forces in units of a tenth of the weight, so that numbers are alike
        let unit = self.force_unit();
        for hold in footholds {
            let at = data.body_placement(model, hold.body).act(&hold.point);
            data.point_jacobian(model, hold.body, &at, &mut self.jacobian[..3 * nv]);
            let n = hold.normal;
            let t1 = (Vec3::x() - n * n.x).normalize();
            let t2 = n.cross(&t1);
            let size = unit / (1.0 + hold.friction * hold.friction).sqrt();
            for tangent in [t1, -t1, t2, -t2] {
                let edge = (n + tangent * hold.friction) * size;
                self.edges.push(edge);
                let torques = self.jacobian[..3 * nv].chunks_exact(3);
                self.force_torques.extend(torques.map(|j| -(edge.x * j[0] + edge.y * j[1] + edge.z * j[2])));
            }
        }
    }

    fn force_unit(&self) -> f64 {
        (0.1 * self.kinetics.model.mass() * self.kinetics.model.gravity().norm()).max(1.0)
    }

    /// Writes constraints and levels as the solver wants them.
    fn pose(&mut self, footholds: &[Foothold], columns: usize) {
        let nv = self.kinetics.model.nv();
        let Kinetics { mass_matrix, bias, q, v, .. } = &self.kinetics;
        let p = &mut self.problem;
        let rows_of = |dofs: &[usize], into: &mut Vec<f64>| {
            into.clear();
            for column in mass_matrix.chunks_exact(nv).chain(self.force_torques.chunks_exact(nv)) {
                into.extend(dofs.iter().map(|&d| column[d]));
            }
        };
        rows_of(&self.free, &mut p.equality);
        p.equality_target.clear();
        p.equality_target.extend(self.free.iter().map(|&d| -bias[d]));
        rows_of(&self.actuated, &mut p.inequality);
        p.lower.clear();
        p.upper.clear();
        p.lower.extend(self.actuated.iter().map(|&d| -self.effort[d] - bias[d]));
        p.upper.extend(self.actuated.iter().map(|&d| self.effort[d] - bias[d]));
        // a joint may not reach its limit sooner than it can be stopped
        let horizon = self.limit_horizon;
        p.limit_matrix.clear();
        p.limit_matrix.resize(self.limits.len() * columns, 0.0);
        p.limit_lower.clear();
        p.limit_upper.clear();
        for (row, &(iq, iv, [low, high])) in self.limits.iter().enumerate() {
            p.limit_matrix[iv * self.limits.len() + row] = 1.0;
            let most = |gap: f64, rate: f64| (2.0 * (gap - rate * horizon) / (horizon * horizon)).max(-500.0);
            p.limit_upper.push(most(high - q[iq], v[iv]));
            p.limit_lower.push(-most(q[iq] - low, -v[iv]));
            let row = p.limit_lower.len() - 1;
            if p.limit_lower[row] > p.limit_upper[row] {
                let middle = 0.5 * (p.limit_lower[row] + p.limit_upper[row]);
                (p.limit_lower[row], p.limit_upper[row]) = (middle, middle);
            }
        }
        p.bound_lower.clear();
        p.bound_lower.resize(nv, f64::NEG_INFINITY);
        p.bound_lower.resize(columns, 0.0);
        p.bound_upper.clear();
        p.bound_upper.resize(columns, f64::INFINITY);
        for &d in &self.actuated {
            (p.bound_lower[d], p.bound_upper[d]) = (-self.acceleration_limit, self.acceleration_limit);
        }
        p.damping.clear();
        p.damping.resize(nv, SMALL_COST);
        p.damping.extend(footholds.iter().flat_map(|f| [f.cost * SMALL_COST; EDGES]));
        for (rows, a) in self.levels.iter().zip(&mut p.tasks) {
            let m = rows.b.len();
            a.clear();
            a.resize(m * columns, 0.0);
            for (i, row) in rows.a.chunks_exact(columns).enumerate() {
                for (j, x) in row.iter().enumerate() {
                    a[j * m + i] = *x;
                }
            }
        }
    }

    /// Solves and takes over the result, if there is one.
    fn run(&mut self, columns: usize) -> ControlStatus {
        let p = &self.problem;
        let tasks: [[Task<'_>; 1]; MOST_LEVELS] =
            std::array::from_fn(|k| [Task::new(&p.tasks[k], &self.levels[k].b)]);
        let mut levels = [Level::default(); MOST_LEVELS];
        let mut weights = [1e-4; MOST_LEVELS];
        let mut count = 0;
        for (k, task) in tasks.iter().enumerate() {
            if k > 0 && task[0].b.is_empty() {
                continue;
            }
            levels[count] = Level::new(task);
            if let Priorities::Weighted(given) = &self.priorities
                && let Some(weight) = given.get(k)
            {
                weights[count] = *weight;
            }
            count += 1;
        }
        levels[0] = levels[0].with_inequalities(&p.limit_matrix, &p.limit_lower, &p.limit_upper);
        // the last level sees every variable, so that it needs no decomposition of its own
        levels[count - 1] = levels[count - 1].with_damping(&p.damping);
        let hierarchy = Hierarchy::new(columns, &levels[..count])
            .with_equalities(&p.equality, &p.equality_target)
            .with_inequalities(&p.inequality, &p.lower, &p.upper)
            .with_bounds(&p.bound_lower, &p.bound_upper);
        let solved = match &self.priorities {
            Priorities::Strict => self.solver.solve_warm(&hierarchy),
            Priorities::Weighted(_) => self.solver.solve_weighted(&hierarchy, &weights[..count]),
        };
        let status = match &solved {
            Ok(s) if s.status == HqpStatus::Solved => ControlStatus::Good,
            Ok(s) if s.status == HqpStatus::Partial => ControlStatus::Partial,
            _ => return ControlStatus::FellBack,
        };
        let Ok(solution) = solved else { return ControlStatus::FellBack };
        let nv = self.acceleration.len();
        let (acceleration, forces) = solution.x.split_at(nv);
        self.acceleration.copy_from_slice(acceleration);
        self.solution.clear();
        self.solution.extend_from_slice(solution.x);
        self.forces.clear();
        for (edges, weights) in self.edges.chunks_exact(EDGES).zip(forces.chunks_exact(EDGES)) {
            self.forces.push(edges.iter().zip(weights).map(|(e, w)| e * *w).sum());
        }
        // τ = M v̇ + h − JᵀVλ
        self.torque.copy_from_slice(&self.kinetics.bias);
        let all = self.kinetics.mass_matrix.chunks_exact(nv).chain(self.force_torques.chunks_exact(nv));
        for (column, x) in all.zip(solution.x) {
            self.torque.iter_mut().zip(column).for_each(|(t, c)| *t += c * x);
        }
        self.free.iter().for_each(|&d| self.torque[d] = 0.0);
        status
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Axes, Goal, PoseGain, Sole, Task as Aim};
    use super::*;
    use sinew_dynamics::{Side, characters};

    /// A matrix of column-major columns, with columns of zeros added.
    fn padded(a: &[f64], rows: usize, more: usize) -> Vec<f64> {
        let mut wide = a.to_vec();
        wide.resize(a.len() + rows * more, 0.0);
        wide
    }

    /// Torques as unknowns of their own, tied by the equations of motion, give the same accelerations and forces.
    #[test]
    fn eliminated_torques_change_nothing() {
        let model = Arc::new(characters::load("human").unwrap());
        let ready = model.spec().keyframes.iter().find(|k| k.name == "ready").unwrap().q.clone();
        let nv = model.nv();
        let v: Vec<f64> = (0..nv).map(|d| 0.1 * libm::sin(1.7 * d as f64)).collect();
        let mut body = WholeBody::new(Arc::clone(&model));
        body.kinetics.update(&ready, &v);
        let (mut objectives, mut holds) = (Vec::new(), Vec::new());
        for side in Side::BOTH {
            let Sole { body, center, corners, .. } = Sole::of(&model, side).unwrap();
            let goal = Goal::Accelerate(Vec3::zeros());
            let stay = Aim::Point { body, point: center, goal, axes: Axes::all(), from_com: false };
            objectives.push(Objective::new(1, 1.0, stay));
            let normal = Vec3::z();
            holds.extend(corners.map(|point| Foothold { body, point, normal, friction: 0.8, cost: 1.0 }));
        }
        let goal = Goal::Accelerate(Vec3::new(1.0, 0.5, 9.0));
        objectives.push(Objective::new(2, 1.0, Aim::Com { goal, axes: Axes::all() }));
        let gains = (0..nv).map(|d| PoseGain::new(5000.0, if d < 6 { 0.0 } else { 1.0 })).collect();
        objectives.push(Objective::new(3, 1.0, Aim::Pose { target: model.neutral().into(), gains }));
        assert_eq!(body.solve(&objectives, &holds), ControlStatus::Good);

        let p = &body.problem;
        let (count, columns) = (body.actuated.len(), nv + body.edges.len());
        let tasks: Vec<Vec<f64>> =
            p.tasks.iter().zip(&body.levels).map(|(a, rows)| padded(a, rows.b.len(), count)).collect();
        let [first, second, third] = [0, 1, 2].map(|k| [Task::new(&tasks[k], &body.levels[k].b)]);
        let limits = padded(&p.limit_matrix, body.limits.len(), count);
        let mut damping = p.damping.clone();
        damping.resize(columns + count, 0.0);
        let levels = [
            Level::new(&first).with_inequalities(&limits, &p.limit_lower, &p.limit_upper),
            Level::new(&second),
            Level::new(&third).with_damping(&damping),
        ];
        // M v̇ − JᵀVλ − Sᵀτ = −h
        let mut motion = [body.kinetics.mass_matrix.as_slice(), &body.force_torques].concat();
        for d in &body.actuated {
            motion.extend((0..nv).map(|row| if row == *d { -1.0 } else { 0.0 }));
        }
        let bias: Vec<f64> = body.kinetics.bias.iter().map(|h| -h).collect();
        let most: Vec<f64> = body.actuated.iter().map(|d| body.effort[*d]).collect();
        let least: Vec<f64> = most.iter().map(|m| -m).collect();
        let bounds = [[&p.bound_lower[..], &least].concat(), [&p.bound_upper[..], &most].concat()];
        let hierarchy = Hierarchy::new(columns + count, &levels)
            .with_equalities(&motion, &bias)
            .with_bounds(&bounds[0], &bounds[1]);
        let mut solver = HqpSolver::new(HqpSize {
            variables: columns + count,
            rows: 3 * nv,
            levels: 3,
            equalities: nv,
            inequalities: body.limits.len(),
            level_inequalities: body.limits.len(),
        });
        let whole = solver.solve(&hierarchy).unwrap();
        assert_eq!(whole.status, HqpStatus::Solved);
        // some torques are at their limits, so that there is something to be lost
        let torques = &whole.x[columns..];
        assert!(torques.iter().zip(&most).any(|(t, m)| t.abs() > 0.999 * m));
        for (a, b) in whole.x[..columns].iter().zip(&body.solution) {
            assert!((a - b).abs() < 1e-6 * (1.0 + b.abs()), "{a} and {b}");
        }
        for (t, d) in torques.iter().zip(&body.actuated) {
            assert!((t - body.torque[*d]).abs() < 1e-6 * (1.0 + t.abs()), "{t} and {}", body.torque[*d]);
        }
    }
}
