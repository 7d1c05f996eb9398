//! The prioritised problem in the solver's form: column-major matrices and their layout.

use super::foothold::{EDGES, Foothold, Pyramids};
use super::hinged::Hinged;
use super::kinetics::Kinetics;
use super::objective::{Assembly, Objective, Rows};
use sinew_dynamics::{JointKind, Model};

/// Most levels of objectives.
pub(super) const MOST_LEVELS: usize = 5;
/// Cost of squared accelerations and forces (in units of force) in the last level: small beside the objectives, and enough
/// to determine what they leave open.
const SMALL_COST: f64 = 3e-3;
/// Distance from its limit within which the limit holds an unactuated joint, rad or m, and the same as a time before it gets there, s.
const STOP: f64 = 1e-3;
const AT_STOP: f64 = 2e-3;
/// Greatest flexion of a ball joint at a knee or an elbow, rad.
const MOST_BENT: f64 = 2.6;
/// Greatest desired acceleration away from a joint limit, rad/s².
const LIMIT_BRAKE: f64 = 500.0;

/// The parts of a body that enter the problem.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    /// Degrees of freedom of joints, and of the root.
    pub(super) actuated: Vec<usize>,
    pub(super) free: Vec<usize>,
    /// Joints with limits: place in `q`, place in `v`, range.
    pub(super) limits: Vec<(usize, usize, [f64; 2])>,
    /// Ball joints at knees and elbows, which do not bend backwards.
    pub(super) hinged: Vec<Hinged>,
    /// Largest torques; 0 where there is no motor.
    pub(super) effort: Vec<f64>,
    /// Dry friction, which holds unactuated joints.
    friction: Vec<f64>,
}

impl Structure {
    pub(super) fn of(model: &Model) -> Structure {
        let nv = model.nv();
        let mut is_free = vec![false; nv];
        let (mut limits, mut friction) = (Vec::new(), vec![0.0; nv]);
        for joint in model.joints() {
            let dofs = joint.v..joint.v + joint.kind.nv();
            is_free[dofs.clone()].fill(joint.kind == JointKind::Free);
            let spec = &model.bodies()[joint.body.0].joints[joint.nth];
            friction[dofs].fill(spec.friction_loss);
            let range = spec.range;
            if let (JointKind::Hinge { .. } | JointKind::Slide { .. }, Some(range)) = (joint.kind, range) {
                limits.push((joint.q, joint.v, range));
            }
        }
        let select = |free: bool| (0..nv).filter(|&k| is_free[k] == free).collect::<Vec<_>>();
        let effort = model.effort_limits().to_vec();
        let hinged = Hinged::of(model);
        Structure { actuated: select(false), free: select(true), limits, hinged, effort, friction }
    }

    /// Number of joints that are kept within a range.
    pub(super) fn limited(&self) -> usize {
        self.limits.len() + self.hinged.len()
    }
}

/// Settings besides objectives.
pub(super) struct Statement<'a> {
    pub(super) kinetics: &'a Kinetics,
    pub(super) structure: &'a Structure,
    /// A joint is braked from this time before its limit on, s.
    pub(super) limit_horizon: f64,
    /// Greatest acceleration of an actuated joint.
    pub(super) acceleration_limit: f64,
}

/// Matrices of the problem.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) pyramids: Pyramids,
    pub(super) levels: Vec<Rows>,
    pub(super) equality: Vec<f64>,
    pub(super) equality_target: Vec<f64>,
    pub(super) inequality: Vec<f64>,
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
    pub(super) limit_matrix: Vec<f64>,
    pub(super) limit_lower: Vec<f64>,
    pub(super) limit_upper: Vec<f64>,
    pub(super) bound_lower: Vec<f64>,
    pub(super) bound_upper: Vec<f64>,
    pub(super) damping: Vec<f64>,
    /// Workspace, 6×nv.
    pub(super) jacobian: Vec<f64>,
}

impl Problem {
    pub(super) fn new(nv: usize) -> Problem {
        let none = Vec::new;
        Problem {
            pyramids: Pyramids::with_capacity(nv),
            levels: vec![Rows::default(); MOST_LEVELS],
            equality: none(),
            equality_target: none(),
            inequality: none(),
            lower: none(),
            upper: none(),
            limit_matrix: none(),
            limit_lower: none(),
            limit_upper: none(),
            bound_lower: none(),
            bound_upper: none(),
            damping: none(),
            jacobian: vec![0.0; 6 * nv],
        }
    }

    /// Number of unknowns: accelerations and forces.
    pub(super) fn columns(&self, kinetics: &Kinetics) -> usize {
        kinetics.model().nv() + self.pyramids.edges.len()
    }

    /// Writes the whole problem.
    pub(super) fn write(&mut self, task: &Statement<'_>, objectives: &[Objective], footholds: &[Foothold]) {
        let kinetics = task.kinetics;
        self.pyramids.find(kinetics, footholds, &mut self.jacobian);
        let columns = self.columns(kinetics);
        let Problem { pyramids, jacobian, levels, .. } = self;
        levels.iter_mut().for_each(Rows::clear);
        let mut assembly = Assembly { kinetics, columns, force_torques: &pyramids.torques, jacobian };
        for objective in objectives {
            let level = objective.priority.clamp(1, MOST_LEVELS) - 1;
            assembly.add(objective, &mut levels[level]);
        }
        self.motion(task);
        self.joint_limits(task, columns);
        self.bounds(task, footholds, columns);
    }

    /// The free root's equations of motion, and the torques within their limits. A joint without a motor moves as springs, dampers and
    /// the rest of the body move it; dry friction may hold it, and so may the stop that it lies at.
    fn motion(&mut self, task: &Statement<'_>) {
        let Statement { kinetics, structure, .. } = task;
        let (nv, derived) = (kinetics.model().nv(), kinetics.derived());
        let (bias, effort) = (&derived.bias, &structure.effort);
        let torques = &self.pyramids.torques;
        let rows_of = |dofs: &[usize], into: &mut Vec<f64>| {
            into.clear();
            for column in derived.mass_matrix.chunks_exact(nv).chain(torques.chunks_exact(nv)) {
                into.extend(dofs.iter().map(|&d| column[d]));
            }
        };
        rows_of(&structure.free, &mut self.equality);
        rows_of(&structure.actuated, &mut self.inequality);
        let fill = |into: &mut Vec<f64>, dofs: &[usize], value: &dyn Fn(usize) -> f64| {
            into.clear();
            into.extend(dofs.iter().map(|&d| value(d)));
        };
        fill(&mut self.equality_target, &structure.free, &|d| -bias[d]);
        let most = |d: usize| if effort[d] > 0.0 { effort[d] } else { structure.friction[d] };
        fill(&mut self.lower, &structure.actuated, &|d| -most(d) - bias[d]);
        fill(&mut self.upper, &structure.actuated, &|d| most(d) - bias[d]);
        let (q, v) = (kinetics.q(), kinetics.v());
        for &(iq, iv, [low, high]) in structure.limits.iter().filter(|(_, iv, _)| effort[*iv] == 0.0) {
            let Ok(row) = structure.actuated.binary_search(&iv) else { continue };
            let ahead = q[iq] + AT_STOP * v[iv];
            if ahead.min(q[iq]) <= low + STOP {
                self.upper[row] = f64::INFINITY;
            }
            if ahead.max(q[iq]) >= high - STOP {
                self.lower[row] = f64::NEG_INFINITY;
            }
        }
    }

    /// A joint must be able to stop before its limit.
    fn joint_limits(&mut self, task: &Statement<'_>, columns: usize) {
        let Structure { limits, hinged, .. } = task.structure;
        let count = task.structure.limited();
        let (q, v, horizon) = (task.kinetics.q(), task.kinetics.v(), task.limit_horizon);
        self.limit_matrix.clear();
        self.limit_matrix.resize(count * columns, 0.0);
        self.limit_lower.clear();
        self.limit_upper.clear();
        let most =
            |gap: f64, rate: f64| (2.0 * (gap - rate * horizon) / (horizon * horizon)).max(-LIMIT_BRAKE);
        let joints = limits.iter().map(|&(iq, iv, range)| (iv, 1.0, q[iq], range));
        let balls = hinged.iter().map(|ball| (ball.dof, ball.sign, ball.bent(q), [0.0, MOST_BENT]));
        for (row, (iv, sign, angle, [low, high])) in joints.chain(balls).enumerate() {
            self.limit_matrix[iv * count + row] = sign;
            let rate = sign * v[iv];
            let (lower, upper) = (-most(angle - low, -rate), most(high - angle, rate));
            let middle = 0.5 * (lower + upper);
            let (lower, upper) = if lower > upper { (middle, middle) } else { (lower, upper) };
            self.limit_lower.push(lower);
            self.limit_upper.push(upper);
        }
    }

    /// Bounds of the unknowns, and what each of them costs in the last level.
    fn bounds(&mut self, task: &Statement<'_>, footholds: &[Foothold], columns: usize) {
        let nv = task.kinetics.model().nv();
        self.bound_lower.clear();
        self.bound_lower.resize(nv, f64::NEG_INFINITY);
        self.bound_lower.resize(columns, 0.0);
        self.bound_upper.clear();
        self.bound_upper.resize(columns, f64::INFINITY);
        let most = task.acceleration_limit;
        // the accelerations of unactuated joints are not bounded
        for &d in task.structure.actuated.iter().filter(|d| task.structure.effort[**d] > 0.0) {
            (self.bound_lower[d], self.bound_upper[d]) = (-most, most);
        }
        self.damping.clear();
        self.damping.resize(nv, SMALL_COST);
        self.damping.extend(footholds.iter().flat_map(|f| [f.cost * SMALL_COST; EDGES]));
    }
}
