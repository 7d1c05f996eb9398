//! The solver: workspace, guesses and the outer loop.

use super::boundary::Boundary;
use super::problem::Problem;
use super::rollout::Point;
use super::settings::{Iteration, Outcome, Settings, Status};
use crate::box_qp::BoxQp;
use crate::riccati::{Border, LqProblem, Riccati, Stage};
use std::ops::ControlFlow;

/// A guess that becomes the solution, and the workspace to improve it. See [`Problem`] for a worked example.
pub struct Ddp<P: Problem> {
    /// Tolerances and limits; may be changed between solves.
    pub settings: Settings,
    pub(super) nodes: usize,
    pub(super) nx: usize,
    pub(super) ndx: usize,
    /// Where the controls of each stage start.
    pub(super) offsets: Vec<usize>,
    pub(super) data: Vec<P::Data>,
    pub(super) now: Point,
    pub(super) trial: Point,
    pub(super) lq: LqProblem,
    pub(super) riccati: Riccati,
    pub(super) border: Border,
    pub(super) boundary: Boundary,
    /// The stages with second derivatives of the dynamics added; made when first asked for.
    pub(super) exact: Vec<Stage>,
    pub(super) box_qp: BoxQp,
    pub(super) quu: Vec<f64>,
    pub(super) lo: Vec<f64>,
    pub(super) hi: Vec<f64>,
    pub(super) held_step: Vec<f64>,
    /// The linear step: tangents of all states, all controls.
    pub(super) dx: Vec<f64>,
    pub(super) du: Vec<f64>,
    pub(super) tangent: Vec<f64>,
    pub(super) next: Vec<f64>,
    /// ν, the weight of the gaps in the merit.
    pub(super) gap_weight: f64,
}

impl<P: Problem> Ddp<P> {
    /// Workspace for `problem`, whose sizes must not change afterwards.
    pub fn new(problem: &P, settings: Settings) -> Self {
        let (nodes, nx, ndx) = (problem.nodes(), problem.nx(), problem.ndx());
        let mut offsets = vec![0; nodes + 1];
        for k in 0..nodes {
            offsets[k + 1] = offsets[k] + problem.nu(k);
        }
        let most = (0..nodes).map(|k| problem.nu(k)).max().unwrap_or(0);
        let lq = LqProblem::new(ndx, (0..nodes).map(|k| problem.nu(k)));
        let point = Point {
            xs: vec![0.0; nx * (nodes + 1)],
            us: vec![0.0; offsets[nodes]],
            gaps: vec![0.0; ndx * nodes],
            cost: 0.0,
            boundary_cost: 0.0,
        };
        Self {
            settings,
            nodes,
            nx,
            ndx,
            data: (0..=nodes).map(|k| problem.data(k)).collect(),
            trial: point.clone(),
            now: point,
            riccati: Riccati::new(&lq),
            border: Border::new(&lq),
            boundary: Boundary::new(problem.boundary_len(), ndx),
            exact: if settings.second_order { lq.stages.clone() } else { Vec::new() },
            box_qp: BoxQp::new(most),
            quu: vec![0.0; most * most],
            lo: vec![0.0; most],
            hi: vec![0.0; most],
            held_step: vec![0.0; most],
            dx: vec![0.0; ndx * (nodes + 1)],
            du: vec![0.0; offsets[nodes]],
            tangent: vec![0.0; ndx],
            next: vec![0.0; nx],
            gap_weight: 0.0,
            lq,
            offsets,
        }
    }

    /// Takes states (nx numbers each, first to last) and controls (one stage after the other) as the guess. They
    /// need not satisfy the dynamics.
    ///
    /// # Panics
    /// When a length is wrong.
    pub fn guess(&mut self, xs: &[f64], us: &[f64]) {
        self.now.xs.copy_from_slice(xs);
        self.now.us.copy_from_slice(us);
    }

    /// Takes the trajectory that starts at `x0` under the controls `us` as the guess.
    ///
    /// # Panics
    /// When a length is wrong.
    pub fn guess_controls(&mut self, problem: &P, x0: &[f64], us: &[f64]) {
        let n = self.nx;
        self.now.us.copy_from_slice(us);
        self.now.xs[..n].copy_from_slice(x0);
        for k in 0..self.nodes {
            let (head, tail) = self.now.xs.split_at_mut((k + 1) * n);
            let u = &self.now.us[self.offsets[k]..self.offsets[k + 1]];
            problem.calc(k, &head[k * n..], u, &mut self.data[k], &mut tail[..n]);
        }
    }

    /// State `k` of the solution.
    pub fn state(&self, k: usize) -> &[f64] {
        &self.now.xs[k * self.nx..(k + 1) * self.nx]
    }

    /// Controls of step `k` of the solution.
    pub fn control(&self, k: usize) -> &[f64] {
        &self.now.us[self.offsets[k]..self.offsets[k + 1]]
    }

    /// Laws and values about the solution: `u = control(k) + K (x ⊖ state(k))` and the cost to go, in the tangent
    /// at each state.
    pub fn policy(&self) -> &Riccati {
        &self.riccati
    }

    /// The last linearisation.
    pub fn linearisation(&self) -> &LqProblem {
        &self.lq
    }

    /// Multipliers of the conditions on the ends.
    pub fn multipliers(&self) -> &[f64] {
        &self.boundary.multipliers
    }

    /// Improves the guess until it is optimal.
    pub fn solve(&mut self, problem: &P) -> Outcome {
        self.solve_logged(problem, |_| ControlFlow::Continue(()))
    }

    /// As [`Ddp::solve`]; `log` sees every accepted step and may end the solve, for instance when time is up.
    pub fn solve_logged(
        &mut self,
        problem: &P,
        mut log: impl FnMut(&Iteration) -> ControlFlow<()>,
    ) -> Outcome {
        if self.settings.second_order && self.exact.is_empty() {
            self.exact = self.lq.stages.clone();
        }
        self.boundary.reset(self.settings.penalty);
        self.gap_weight = 0.0;
        self.evaluate_now(problem);
        if !(self.now.cost + self.now.boundary_cost + self.now.gap_sum()).is_finite() {
            return self.outcome(Status::NotFinite, 0, f64::NAN);
        }
        let mut mu = self.settings.regularisation;
        let (mut iterations, mut rounds) = (0, 0);
        'linearise: loop {
            if !self.linearise(problem) {
                return self.outcome(Status::NotFinite, iterations, f64::NAN);
            }
            // whether the promise was judged with the least regularisation that is convex
            let mut judged = mu == 0.0;
            loop {
                while !self.backward(problem, mu) {
                    mu = raise(mu);
                    if mu > self.settings.max_regularisation {
                        return self.outcome(Status::Stalled, iterations, f64::NAN);
                    }
                }
                let model = self.direction(problem);
                let expected = -model.change;
                if self.settled(expected) {
                    if !judged {
                        (mu, judged) = (0.0, true);
                        continue;
                    }
                    if self.boundary.violation() <= self.settings.boundary_tolerance {
                        return self.outcome(Status::Converged, iterations, expected);
                    }
                    rounds += 1;
                    if rounds > MAX_ROUNDS {
                        return self.outcome(Status::Stalled, iterations, expected);
                    }
                    self.boundary.update(self.settings.max_penalty);
                    self.now.boundary_cost = self.boundary.cost();
                    continue 'linearise;
                }
                if iterations >= self.settings.max_iterations {
                    return self.outcome(Status::IterationLimit, iterations, expected);
                }
                if let Some(step) = self.search(problem, model) {
                    let entry = Iteration {
                        index: iterations,
                        cost: self.now.cost,
                        expected,
                        step,
                        regularisation: mu,
                        gap: self.now.largest_gap(),
                        boundary: self.boundary.violation(),
                    };
                    iterations += 1;
                    mu = lower(mu);
                    if log(&entry).is_break() {
                        return self.outcome(Status::Interrupted, iterations, expected);
                    }
                    continue 'linearise;
                }
                // the data of the nodes belong to the refused trial
                self.evaluate_now(problem);
                mu = raise(mu);
                judged = true;
                if mu > self.settings.max_regularisation {
                    return self.outcome(Status::Stalled, iterations, expected);
                }
                if self.settings.second_order {
                    self.linearise(problem);
                }
            }
        }
    }

    /// Whether gaps are closed and the promised decrease is small; while conditions on the ends are violated,
    /// small beside their cost.
    fn settled(&self, expected: f64) -> bool {
        let mut enough = self.settings.tolerance * (1.0 + self.now.cost.abs());
        if self.boundary.violation() > self.settings.boundary_tolerance {
            let c = &self.boundary.value;
            enough = enough.max(5e-3 * self.boundary.penalty * crate::dense::dot(c, c));
        }
        self.now.largest_gap() <= self.settings.gap_tolerance && expected <= enough
    }

    fn evaluate_now(&mut self, problem: &P) {
        std::mem::swap(&mut self.now, &mut self.trial);
        self.evaluate(problem);
        std::mem::swap(&mut self.now, &mut self.trial);
    }

    fn outcome(&self, status: Status, iterations: usize, expected: f64) -> Outcome {
        Outcome {
            status,
            iterations,
            cost: self.now.cost,
            expected,
            gap: self.now.largest_gap(),
            boundary: self.boundary.violation(),
        }
    }
}

/// Rounds of the augmented Lagrangian after which the conditions on the ends count as out of reach.
const MAX_ROUNDS: usize = 50;

fn raise(mu: f64) -> f64 {
    (8.0 * mu).max(1e-6)
}

fn lower(mu: f64) -> f64 {
    if mu > 1e-8 { mu / 4.0 } else { 0.0 }
}
