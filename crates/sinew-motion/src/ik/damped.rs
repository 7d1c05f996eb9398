//! Any bodies to any places: damped least squares within the joint limits.
//!
//! Minimises `½ Σ w²|p* − p(q)|² + ½ Σ w²|log(R* R(q)ᵀ)|² + ½ p²|q ⊖ q₀|²` over the positions and orientations that are wanted,
//! the last term keeping what no target asks for near the start `q₀`. Each round solves `(JᵀJ + λ1) δ = Jᵀ r` with analytic
//! Jacobians and `δ` bounded so that hinges and slides stay within their limits; `λ` follows from whether the cost fell
//! (Levenberg, Marquardt). A ball's limit is kept by cutting its angle after the step.
//!
//! Cost: per round one Jacobian per target and a Cholesky factorisation of the free degrees of freedom. No allocation after
//! [`IkSolver::new`].

use super::chain::quat_at;
use sinew_dynamics::spatial::{Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, Data, JointKind, Model, forward_kinematics};
use sinew_solve::box_qp::{BoxQp, BoxQpStatus};

/// A wanted place or orientation of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkTarget {
    /// The body.
    pub body: BodyId,
    /// Which point of it, in its own axes, m.
    pub point: Vec3,
    /// Where the point should be in the world, m.
    pub position: Option<Vec3>,
    /// How the body should be turned in the world.
    pub orientation: Option<Quat>,
    /// Weight of each metre of distance.
    pub position_weight: f64,
    /// Weight of each radian.
    pub orientation_weight: f64,
}

impl IkTarget {
    /// A point of a body should be at a place.
    pub fn position(body: BodyId, point: Vec3, place: Vec3) -> IkTarget {
        IkTarget {
            body,
            point,
            position: Some(place),
            orientation: None,
            position_weight: 1.0,
            orientation_weight: 0.0,
        }
    }

    /// A body should be turned so.
    pub fn orientation(body: BodyId, orientation: Quat) -> IkTarget {
        IkTarget {
            body,
            point: Vec3::zeros(),
            position: None,
            orientation: Some(orientation),
            position_weight: 0.0,
            orientation_weight: 1.0,
        }
    }

    /// The same with all weights times `factor`.
    pub fn weighted(mut self, factor: f64) -> IkTarget {
        self.position_weight *= factor;
        self.orientation_weight *= factor;
        self
    }
}

/// Tolerances and weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkSettings {
    /// Cap on rounds.
    pub max_iterations: usize,
    /// Ended when no component of a step is larger, m or rad.
    pub step_tolerance: f64,
    /// First damping `λ`.
    pub damping: f64,
    /// Weight `p` of staying at the start, per m or rad.
    pub posture: f64,
}

impl Default for IkSettings {
    fn default() -> IkSettings {
        IkSettings { max_iterations: 50, step_tolerance: 1e-10, damping: 1e-4, posture: 1e-3 }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkOutcome {
    /// Whether the last step was smaller than the tolerance.
    pub converged: bool,
    /// Rounds.
    pub iterations: usize,
    /// Largest distance of a point from its place, m.
    pub distance: f64,
    /// Largest angle of a body from its orientation, rad.
    pub angle: f64,
}

/// A joint of the character: where its numbers are, and its limits.
#[derive(Clone, Debug)]
struct Limited {
    q: usize,
    v: usize,
    kind: JointKind,
    range: Option<[f64; 2]>,
    name: String,
}

/// Workspace for one character.
///
/// ```
/// use sinew_dynamics::{Data, characters, forward_kinematics, spatial::Vec3};
/// use sinew_motion::ik::{IkSolver, IkTarget};
/// let human = characters::load("human")?;
/// let mut q = human.neutral();
/// let (hand, site) = human.site("hand_l").unwrap();
/// let shelf = Vec3::new(0.3, 0.2, 1.7);
/// let mut solver = IkSolver::new(&human);
/// solver.free(|joint| joint != "root"); // stands where it stands
/// let outcome = solver.solve(&human, &mut q, &[IkTarget::position(hand, site.pos, shelf)]);
/// assert!(outcome.distance < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct IkSolver {
    /// Tolerances and weights; may be changed between solves.
    pub settings: IkSettings,
    data: Data,
    /// Degrees of freedom that may move.
    free: Vec<usize>,
    joints: Vec<Limited>,
    jacobian: Vec<f64>,
    hessian: Vec<f64>,
    damped: Vec<f64>,
    gradient: Vec<f64>,
    lo: Vec<f64>,
    hi: Vec<f64>,
    step: Vec<f64>,
    full: Vec<f64>,
    start: Vec<f64>,
    trial: Vec<f64>,
    qp: BoxQp,
}

impl IkSolver {
    /// Room for targets on `model`; every joint may move.
    pub fn new(model: &Model) -> IkSolver {
        let (nq, nv) = (model.nq(), model.nv());
        let limited = |j: &sinew_dynamics::JointInfo| {
            let range = model.bodies()[j.body.0].joints[j.nth].range;
            Limited { q: j.q, v: j.v, kind: j.kind, range, name: j.name.clone() }
        };
        IkSolver {
            settings: IkSettings::default(),
            data: Data::new(model),
            free: (0..nv).collect(),
            joints: model.joints().iter().map(limited).collect(),
            jacobian: vec![0.0; 6 * nv],
            hessian: vec![0.0; nv * nv],
            damped: vec![0.0; nv * nv],
            gradient: vec![0.0; nv],
            lo: vec![0.0; nv],
            hi: vec![0.0; nv],
            step: vec![0.0; nv],
            full: vec![0.0; nv],
            start: vec![0.0; nq],
            trial: vec![0.0; nq],
            qp: BoxQp::new(nv),
        }
    }

    /// Lets only those joints move to whose names `may_move` says yes.
    pub fn free(&mut self, mut may_move: impl FnMut(&str) -> bool) {
        self.free.clear();
        for joint in &self.joints {
            if may_move(&joint.name) {
                self.free.extend(joint.v..joint.v + joint.kind.nv());
            }
        }
    }

    /// Moves `q` towards the targets.
    ///
    /// # Panics
    /// If `q` does not have `nq` numbers.
    pub fn solve(&mut self, model: &Model, q: &mut [f64], targets: &[IkTarget]) -> IkOutcome {
        self.start.copy_from_slice(q);
        let n = self.free.len();
        let mut cost = self.cost(model, q, targets);
        let (mut lambda, mut converged, mut iterations) = (self.settings.damping, false, 0);
        while iterations < self.settings.max_iterations && !converged {
            self.linearise(model, q, targets);
            self.bounds(q);
            let mut accepted = false;
            while !accepted && iterations < self.settings.max_iterations {
                iterations += 1;
                self.damped[..n * n].copy_from_slice(&self.hessian[..n * n]);
                (0..n).for_each(|i| self.damped[i * (n + 1)] += lambda);
                self.step[..n].fill(0.0);
                let status = self.qp.solve(
                    &self.damped[..n * n],
                    &self.gradient[..n],
                    &self.lo[..n],
                    &self.hi[..n],
                    &mut self.step[..n],
                );
                let longest = self.step[..n].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
                if status != BoxQpStatus::NotConvex && longest <= self.settings.step_tolerance {
                    converged = true;
                    break;
                }
                self.full.fill(0.0);
                self.free.iter().zip(&self.step).for_each(|(&dof, x)| self.full[dof] = *x);
                let mut trial = core::mem::take(&mut self.trial);
                model.integrate(q, &self.full, &mut trial);
                self.cut(&mut trial);
                let there = self.cost(model, &trial, targets);
                accepted = there < cost;
                if accepted {
                    q.copy_from_slice(&trial);
                    (cost, lambda) = (there, (lambda / 5.0).max(1e-12));
                } else {
                    lambda *= 4.0;
                    // nothing smaller helps: rounding, or a ball at its limit
                    converged = lambda > 1e8;
                    accepted = converged;
                }
                self.trial = trial;
            }
        }
        let (distance, angle) = self.remains(model, q, targets);
        IkOutcome { converged, iterations, distance, angle }
    }

    /// Errors of a target with the frames of the last kinematics, unweighted.
    fn errors(&self, model: &Model, target: &IkTarget) -> (Vec3, Vec3, Vec3) {
        let at = self.data.body_placement(model, target.body);
        let point = at.act(&target.point);
        let distance = target.position.map_or(Vec3::zeros(), |place| place - point);
        let turn = |wanted: Quat| rotation::log(&(wanted * rotation::from_matrix(&at.rot).inverse()));
        (point, distance, target.orientation.map_or(Vec3::zeros(), turn))
    }

    fn cost(&mut self, model: &Model, q: &[f64], targets: &[IkTarget]) -> f64 {
        forward_kinematics(model, &mut self.data, q);
        let of = |t: &IkTarget| {
            let (_, distance, angle) = self.errors(model, t);
            (distance * t.position_weight).norm_squared() + (angle * t.orientation_weight).norm_squared()
        };
        let wanted: f64 = targets.iter().map(of).sum();
        model.difference(&self.start, q, &mut self.full);
        let p = self.settings.posture;
        let posture: f64 = self.free.iter().map(|&dof| (p * self.full[dof]).powi(2)).sum();
        0.5 * (wanted + posture)
    }

    /// `JᵀJ` and `−Jᵀr` of the free degrees of freedom.
    fn linearise(&mut self, model: &Model, q: &[f64], targets: &[IkTarget]) {
        let n = self.free.len();
        self.hessian[..n * n].fill(0.0);
        self.gradient[..n].fill(0.0);
        forward_kinematics(model, &mut self.data, q);
        for target in targets {
            let (point, distance, angle) = self.errors(model, target);
            self.data.body_jacobian(model, target.body, &point, &mut self.jacobian);
            let wp = if target.position.is_some() { target.position_weight.powi(2) } else { 0.0 };
            let wr = if target.orientation.is_some() { target.orientation_weight.powi(2) } else { 0.0 };
            let column = |dof: usize| {
                let c = &self.jacobian[6 * dof..6 * dof + 6];
                (Vec3::new(c[0], c[1], c[2]), Vec3::new(c[3], c[4], c[5]))
            };
            for (j, &dof) in self.free.iter().enumerate() {
                let (linear, angular) = column(dof);
                if linear == Vec3::zeros() && angular == Vec3::zeros() {
                    continue;
                }
                self.gradient[j] -= wp * linear.dot(&distance) + wr * angular.dot(&angle);
                for (i, &other) in self.free.iter().enumerate().skip(j) {
                    let (l, a) = column(other);
                    self.hessian[j * n + i] += wp * l.dot(&linear) + wr * a.dot(&angular);
                }
            }
        }
        // towards the start
        model.difference(&self.start, q, &mut self.full);
        let p = self.settings.posture.powi(2);
        for (j, &dof) in self.free.iter().enumerate() {
            self.hessian[j * n + j] += p;
            self.gradient[j] += p * self.full[dof];
        }
    }

    /// How far hinges and slides may still go.
    fn bounds(&mut self, q: &[f64]) {
        for (lo, hi) in self.lo.iter_mut().zip(&mut self.hi) {
            (*lo, *hi) = (f64::NEG_INFINITY, f64::INFINITY);
        }
        for Limited { q: at, v, kind, range, .. } in &self.joints {
            let one = matches!(kind, JointKind::Hinge { .. } | JointKind::Slide { .. });
            let (Some([low, high]), true) = (range, one) else { continue };
            if let Ok(j) = self.free.binary_search(v) {
                // a start outside may stay where it is
                self.lo[j] = (low - q[*at]).min(0.0);
                self.hi[j] = (high - q[*at]).max(0.0);
            }
        }
    }

    /// Cuts the angles of balls to their limits.
    fn cut(&self, q: &mut [f64]) {
        for Limited { q: at, v, kind, range, .. } in &self.joints {
            let (JointKind::Ball, Some([_, greatest])) = (kind, range) else { continue };
            if self.free.binary_search(v).is_err() {
                continue;
            }
            let turn = rotation::log(&quat_at(q, *at));
            if turn.norm() > *greatest {
                let cut = rotation::exp(&(turn * (greatest / turn.norm())));
                q[*at..*at + 4].copy_from_slice(&[cut.w, cut.i, cut.j, cut.k]);
            }
        }
    }

    fn remains(&mut self, model: &Model, q: &[f64], targets: &[IkTarget]) -> (f64, f64) {
        forward_kinematics(model, &mut self.data, q);
        targets.iter().fold((0.0, 0.0), |(distance, angle): (f64, f64), target| {
            let (_, d, a) = self.errors(model, target);
            (distance.max(d.norm()), angle.max(a.norm()))
        })
    }
}
