//! Trial points, their merit, and the line search.

use super::backward::Model;
use super::problem::{Problem, Start};
use super::settings::Rollout;
use super::solver::Ddp;
use crate::dense::max_abs;
use crate::dense::vector::{axpy, gemv_t};

/// A guess with everything that `calc` says about it.
#[derive(Clone, Debug)]
pub(super) struct Point {
    /// States, nx numbers each.
    pub(super) xs: Vec<f64>,
    /// Controls, one stage after the other.
    pub(super) us: Vec<f64>,
    /// `f(x_k, u_k) ⊖ x_{k+1}`, ndx numbers each.
    pub(super) gaps: Vec<f64>,
    /// Cost without the conditions on the ends.
    pub(super) cost: f64,
    /// Their part of the cost.
    pub(super) boundary_cost: f64,
}

impl Point {
    /// Sum of the magnitudes of all gaps.
    pub(super) fn gap_sum(&self) -> f64 {
        self.gaps.iter().map(|g| g.abs()).sum()
    }

    pub(super) fn largest_gap(&self) -> f64 {
        max_abs(&self.gaps)
    }
}

impl<P: Problem> Ddp<P> {
    /// Evaluates cost and gaps of `trial` as it stands.
    pub(super) fn evaluate(&mut self, problem: &P) {
        let (n, nodes) = (self.nx, self.nodes);
        self.trial.cost = 0.0;
        for k in 0..nodes {
            let (x, u) =
                (&self.trial.xs[k * n..(k + 1) * n], &self.trial.us[self.offsets[k]..self.offsets[k + 1]]);
            self.trial.cost += problem.calc(k, x, u, &mut self.data[k], &mut self.next);
            let gap = &mut self.trial.gaps[k * self.ndx..(k + 1) * self.ndx];
            problem.difference(&self.trial.xs[(k + 1) * n..(k + 2) * n], &self.next, gap);
        }
        self.finish_trial(problem);
    }

    /// Cost of the end and of the conditions.
    fn finish_trial(&mut self, problem: &P) {
        let (n, nodes) = (self.nx, self.nodes);
        let (first, last) = (&self.trial.xs[..n], &self.trial.xs[nodes * n..]);
        self.trial.cost += problem.calc_end(last, &mut self.data[nodes]);
        self.trial.boundary_cost = self.boundary.calc(problem, first, last);
    }

    /// A step of length `alpha` through the dynamics.
    fn feedback_step(&mut self, problem: &P, alpha: f64) {
        let (n, nodes) = (self.nx, self.nodes);
        self.trial.cost = 0.0;
        self.first_step(problem, alpha);
        for k in 0..nodes {
            let law = &self.riccati.laws[k];
            let controls = self.offsets[k]..self.offsets[k + 1];
            // u = u_k + αk + K(x ⊖ x_k)
            let (head, tail) = self.trial.xs.split_at_mut((k + 1) * n);
            let (x, next) = (&head[k * n..], &mut tail[..n]);
            let u = &mut self.trial.us[controls.clone()];
            problem.difference(&self.now.xs[k * n..(k + 1) * n], x, &mut self.tangent);
            gemv_t(&law.gain_t, self.ndx, &self.tangent, u);
            axpy(alpha, &law.feedforward, u);
            axpy(1.0, &self.now.us[controls], u);
            if problem.start() == Start::Free {
                self.tangent.iter_mut().zip(&self.dx).for_each(|(t, p)| *t = alpha * p);
                self.border.add_to(k, &self.tangent, u);
            }
            clamp(u, problem.bounds(k));
            // x_{k+1} = f(x, u) ⊕ (α − 1)·gap
            let gap = k * self.ndx..(k + 1) * self.ndx;
            if self.now.gaps[gap.clone()].iter().all(|g| *g == 0.0) {
                self.trial.cost += problem.calc(k, x, u, &mut self.data[k], next);
                self.trial.gaps[gap].fill(0.0);
            } else {
                self.trial.cost += problem.calc(k, x, u, &mut self.data[k], &mut self.next);
                for (t, g) in self.tangent.iter_mut().zip(&self.now.gaps[gap.clone()]) {
                    *t = (alpha - 1.0) * g;
                }
                problem.integrate(&self.next, &self.tangent, next);
                problem.difference(next, &self.next, &mut self.trial.gaps[gap]);
            }
        }
        self.finish_trial(problem);
    }

    /// A step of length `alpha` along the linear solution.
    fn linear_step(&mut self, problem: &P, alpha: f64) {
        let n = self.nx;
        self.first_step(problem, alpha);
        for k in 1..=self.nodes {
            for (t, d) in self.tangent.iter_mut().zip(&self.dx[k * self.ndx..]) {
                *t = alpha * d;
            }
            let span = k * n..(k + 1) * n;
            problem.integrate(&self.now.xs[span.clone()], &self.tangent, &mut self.trial.xs[span]);
        }
        self.trial.us.copy_from_slice(&self.now.us);
        axpy(alpha, &self.du, &mut self.trial.us);
        for k in 0..self.nodes {
            clamp(&mut self.trial.us[self.offsets[k]..self.offsets[k + 1]], problem.bounds(k));
        }
        self.evaluate(problem);
    }

    /// The first state of the trial.
    fn first_step(&mut self, problem: &P, alpha: f64) {
        let n = self.nx;
        if problem.start() == Start::Free {
            self.tangent.iter_mut().zip(&self.dx).for_each(|(t, d)| *t = alpha * d);
            problem.integrate(&self.now.xs[..n], &self.tangent, &mut self.trial.xs[..n]);
        } else {
            self.trial.xs[..n].copy_from_slice(&self.now.xs[..n]);
        }
    }

    /// Halves the step until the merit falls by enough of what the model promises. Returns the length taken; the
    /// point is then the one of now.
    pub(super) fn search(&mut self, problem: &P, model: Model) -> Option<f64> {
        let gap = self.now.gap_sum();
        // a weight for which the promise is a decrease by at least half of the weighted gaps
        if gap > 0.0 {
            self.gap_weight = self.gap_weight.max(2.0 * model.change.max(model.slope) / gap);
        }
        let merit = self.now.cost + self.now.boundary_cost + self.gap_weight * gap;
        let mut alpha = 1.0;
        while alpha >= self.settings.min_step {
            match self.settings.rollout {
                Rollout::Feedback => self.feedback_step(problem, alpha),
                Rollout::Linear => self.linear_step(problem, alpha),
            }
            let trial = self.trial.cost + self.trial.boundary_cost + self.gap_weight * self.trial.gap_sum();
            let promise = self.gap_weight * alpha * gap - model.at(alpha);
            // rounding of the merit itself is no reason to refuse a step; written so that a NaN is one
            let rounding = 1e-14 * (1.0 + merit.abs());
            if merit - trial >= self.settings.sufficient_decrease * promise - rounding {
                std::mem::swap(&mut self.now, &mut self.trial);
                return Some(alpha);
            }
            alpha *= 0.5;
        }
        None
    }
}

fn clamp(u: &mut [f64], bounds: Option<(&[f64], &[f64])>) {
    if let Some((lo, hi)) = bounds {
        u.iter_mut().zip(lo.iter().zip(hi)).for_each(|(u, (lo, hi))| *u = u.max(*lo).min(*hi));
    }
}
