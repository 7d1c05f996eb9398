//! Linearisation, backward pass, and the linear solution with its promises.

use super::problem::{Problem, Start};
use super::solver::Ddp;
use crate::box_qp::BoxQpStatus;
use crate::dense::dot;
use crate::dense::vector::{axpy, gemv_add, gemv_t};

/// What the quadratic model says about the full step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Model {
    /// Slope of the cost along the step.
    pub(super) slope: f64,
    /// Change of the cost at the full step.
    pub(super) change: f64,
}

impl Model {
    /// Predicted change of the cost for a step of length `alpha`: a parabola through 0 with the slope, and
    /// `change` at 1.
    pub(super) fn at(&self, alpha: f64) -> f64 {
        alpha * self.slope + alpha * alpha * (self.change - self.slope)
    }
}

impl<P: Problem> Ddp<P> {
    /// Derivatives of all nodes at the current point; `false` when one is not finite.
    pub(super) fn linearise(&mut self, problem: &P) -> bool {
        let (n, nodes) = (self.nx, self.nodes);
        for k in 0..nodes {
            let (x, u) =
                (&self.now.xs[k * n..(k + 1) * n], &self.now.us[self.offsets[k]..self.offsets[k + 1]]);
            let stage = &mut self.lq.stages[k];
            problem.calc_diff(k, x, u, &mut self.data[k], stage);
            stage.f0.copy_from_slice(&self.now.gaps[k * self.ndx..(k + 1) * self.ndx]);
        }
        let (first, last) = (&self.now.xs[..n], &self.now.xs[nodes * n..]);
        problem.calc_end_diff(last, &mut self.data[nodes], &mut self.lq.terminal);
        self.boundary.expand(problem, first, last, &mut self.lq.terminal);
        let finite = |v: &[f64]| v.iter().all(|v| v.is_finite());
        self.lq.stages.iter().all(|s| finite(&s.fx) && finite(&s.fu) && finite(&s.lx) && finite(&s.lu))
            && finite(&self.lq.terminal.lx)
    }

    /// The Riccati recursion with regularisation `mu`; `false` when the model is not convex.
    pub(super) fn backward(&mut self, problem: &P, mu: f64) -> bool {
        self.riccati.start(&self.lq.terminal);
        for k in (0..self.nodes).rev() {
            let costate = self.riccati.look_ahead(k, &self.lq.stages[k]);
            let u = &self.now.us[self.offsets[k]..self.offsets[k + 1]];
            let stage = if self.settings.second_order {
                let x = &self.now.xs[k * self.nx..(k + 1) * self.nx];
                let exact = &mut self.exact[k];
                exact.copy_from(&self.lq.stages[k]);
                problem.add_second_order(k, x, u, &mut self.data[k], costate, exact);
                &*exact
            } else {
                &self.lq.stages[k]
            };
            self.riccati.expand(k, stage);
            let done = match problem.bounds(k) {
                None => self.riccati.eliminate(k, stage, mu).is_ok(),
                Some((lo, hi)) => {
                    // feed-forward inside the bounds, relative to the controls of now
                    let m = u.len();
                    let qu = self.riccati.control_block(stage, mu, &mut self.quu[..m * m]);
                    for i in 0..m {
                        (self.lo[i], self.hi[i]) = (lo[i] - u[i], hi[i] - u[i]);
                    }
                    let step = &mut self.held_step[..m];
                    step.fill(0.0);
                    let status =
                        self.box_qp.solve(&self.quu[..m * m], qu, &self.lo[..m], &self.hi[..m], step);
                    status != BoxQpStatus::NotConvex
                        && self.riccati.eliminate_held(k, stage, mu, step, self.box_qp.held()).is_ok()
                }
            };
            if !done {
                return false;
            }
        }
        if problem.start() == Start::Free {
            let b = &self.boundary;
            self.border.backward(&self.lq, &self.riccati, &b.coupling, &b.first_hessian, &b.first_gradient);
            return self.border.parameter(&self.riccati, &mut self.dx[..self.ndx]).is_ok();
        }
        true
    }

    /// Follows the laws through the linearised dynamics: the step `dx`, `du` and what the model promises for it.
    pub(super) fn direction(&mut self, problem: &P) -> Model {
        let n = self.ndx;
        let free = problem.start() == Start::Free;
        let mut model = Model { slope: 0.0, change: self.riccati.value_constant(0) };
        if free {
            let p = &self.dx[..n];
            model.slope = dot(&self.boundary.first_gradient, p);
            let gradient = dot(self.riccati.value_gradient(0), p) + self.border.gradient_along(p);
            model.change += 0.5 * gradient;
        } else {
            self.dx[..n].fill(0.0);
        }
        for (k, (stage, law)) in self.lq.stages.iter().zip(&self.riccati.laws).enumerate() {
            let du = &mut self.du[self.offsets[k]..self.offsets[k + 1]];
            let (head, tail) = self.dx.split_at_mut((k + 1) * n);
            let (dx, next) = (&head[k * n..], &mut tail[..n]);
            gemv_t(&law.gain_t, n, dx, du);
            axpy(1.0, &law.feedforward, du);
            if free {
                self.border.add_to(k, &head[..n], du);
            }
            next.copy_from_slice(&stage.f0);
            gemv_add(1.0, &stage.fx, n, dx, next);
            gemv_add(1.0, &stage.fu, n, du, next);
            model.slope += dot(&stage.lx, dx) + dot(&stage.lu, du);
        }
        model.slope += dot(&self.lq.terminal.lx, &self.dx[self.nodes * n..]);
        model
    }
}
