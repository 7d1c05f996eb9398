//! Evaluation of the constraints at a point: the violated ones, and residuals of the active ones.

use super::active_set::{Active, ActiveSet, Limits, Mark};
use super::constraints::{Constraints, Kind};
use super::entering::NEARLY_TOLERANCE;
use super::space::Space;
use crate::dense::vector::{axpy, dot, gemv_skip_zeros, norm};

/// Share of 1 + |side| by which an active constraint may be missed without correction.
pub(super) const MISSED: f64 = 1e-12;

impl ActiveSet {
    /// Queues the constraints violated by at least `share` of the worst, worst first. False when a number is not
    /// finite.
    pub(super) fn price(
        &mut self,
        space: &mut impl Space,
        constraints: &Constraints<'_>,
        limits: &Limits,
        share: f64,
    ) -> bool {
        let (n, rows) = (constraints.n, constraints.row_count());
        space.point(&self.y[..self.base], &mut self.x[..n]);
        gemv_skip_zeros(constraints.c, rows, &self.x[..n], &mut self.values[..rows]);
        if let Some(soft) = constraints.soft {
            for (k, w) in soft.inverse_weight.iter().enumerate() {
                self.values[soft.first + k] += w * self.y[self.base + k];
            }
        }
        let sound = dot(&self.x[..n], &self.x[..n]) + dot(&self.values[..rows], &self.values[..rows]);
        self.size = norm(&self.y[..self.len]) + norm(&self.y0[..self.len]);
        self.queue.clear();
        let first = constraints.equality_count();
        let mut worst = 0.0;
        let bounded = constraints.bound_lower.len();
        let rows_sides = self.values[..rows].iter().zip(constraints.lower).zip(constraints.upper);
        let bound_sides = self.x[..bounded].iter().zip(constraints.bound_lower).zip(constraints.bound_upper);
        for (k, ((v, lower), upper)) in rows_sides.chain(bound_sides).enumerate() {
            let (below, above) = (lower - v, v - upper);
            let violation = if below > above { below } else { above };
            let tolerance = match self.mark[k] {
                Mark::Inactive => self.tolerance,
                Mark::Active => continue,
                Mark::Excused => NEARLY_TOLERANCE * self.tolerance,
                Mark::Decided => limits.excuse,
            };
            if violation > tolerance {
                worst = if violation > worst { violation } else { worst };
                self.queue.push((violation, first + k, if below > above { 1.0 } else { -1.0 }));
            }
        }
        let all = self.queue.len();
        self.queue.retain(|q| q.0 >= share * worst);
        self.cut = self.queue.len() < all;
        self.queue.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        sound < f64::INFINITY
    }

    fn measure_equalities(&mut self, constraints: &Constraints<'_>) {
        let e = &constraints.equalities;
        let values = &mut self.equality_values[..e.target.len()];
        values.fill(0.0);
        for (j, x) in self.x[..constraints.n].iter().enumerate() {
            for (i, v) in values.iter_mut().enumerate() {
                *v += e.data[i * e.row + j * e.column] * x;
            }
        }
    }

    /// r ← what the active constraints miss of equality at x; returns the worst, as a share of 1 + |side|.
    pub(super) fn misses(&mut self, constraints: &Constraints<'_>) -> f64 {
        self.measure_equalities(constraints);
        let mut worst = 0.0f64;
        for (&Active { id, side, .. }, r) in self.active.iter().zip(&mut self.r) {
            let value = match constraints.kind(id) {
                Kind::Row(i) => self.values[i],
                Kind::Bound(j) => self.x[j],
                Kind::Equality(i) => self.equality_values[i],
            };
            let target = constraints.target(id, side);
            *r = target - side * value;
            worst = worst.max(r.abs() / (1.0 + target.abs()));
        }
        worst
    }

    /// Corrects the point by what the active constraints miss of equality. False when there was nothing to correct.
    pub(super) fn polish(&mut self, constraints: &Constraints<'_>) -> bool {
        let worst = self.misses(constraints);
        let q = self.qr.count;
        let wrong = (0..q).any(|j| !self.active[j].locked && self.u[j] < 0.0);
        if worst <= MISSED && !wrong {
            return false;
        }
        self.qr.solve_r_transposed(&mut self.r);
        axpy(1.0, &self.r[..q], &mut self.c[..q]);
        if wrong {
            self.drop_wrong_signs(constraints);
        } else {
            // A small correction on top of y, free of the rounding errors of a large y₀.
            self.qr.add_combination(&self.r, &mut self.y[..self.len]);
            self.renew_multipliers();
        }
        true
    }

    /// By how much x violates the worst constraint, from the values of the last pass.
    pub(crate) fn violation(&mut self, constraints: &Constraints<'_>) -> f64 {
        self.measure_equalities(constraints);
        let e = self.equality_values.iter().zip(constraints.equalities.target).map(|(v, t)| (v - t).abs());
        let rows = self.values.iter().zip(constraints.lower).zip(constraints.upper);
        let bounds = self.x.iter().zip(constraints.bound_lower).zip(constraints.bound_upper);
        rows.chain(bounds).map(|((v, l), u)| (l - v).max(v - u)).chain(e).fold(0.0, f64::max)
    }
}
