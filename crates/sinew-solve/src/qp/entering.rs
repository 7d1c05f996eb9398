//! One step of the active-set method: a violated constraint enters, others leave.
//!
//! Exact arithmetic needs three lines here. The rest is about normals that depend, or nearly depend, on the active
//! ones: what is left of them may be rounding, their coordinates r may be rounding, and the contradiction that they
//! seem to prove may be rounding. Each of these questions is answered by comparing with the size of the terms that
//! went into the number.

use super::active_set::{Active, ActiveSet, Limits, Loaded, Mark};
use super::constraints::Constraints;
use super::space::Space;
use crate::dense::vector::{axpy, dot, norm};

/// The outcome for a violated constraint.
pub(super) enum Entry {
    /// Became active, or changed the active set.
    Taken,
    /// Holds after all, or is excused.
    Holds,
    /// Contradicts the others, but too faintly to be believed.
    Undecided,
    /// Contradicts the others.
    Contradiction,
    OutOfSteps,
    NotFinite,
}

/// A normal of which less than this share lies outside the span of the active ones is nearly dependent.
pub(super) const NEARLY: f64 = 1e-5;
/// Tolerances by which such a constraint may be violated: taking it in would cost accuracy everywhere else.
pub(super) const NEARLY_TOLERANCE: f64 = 10.0;
/// Feasibility tolerances, given to all constraints of a contradiction, that must not be enough to resolve it.
const CLEAR: f64 = 10.0;

impl ActiveSet {
    /// One violated constraint enters; others leave as their multipliers reach zero.
    pub(super) fn enter(
        &mut self,
        space: &mut impl Space,
        constraints: &Constraints<'_>,
        (violation, id, side): (f64, usize, f64),
        limits: &Limits,
    ) -> Entry {
        let len = self.len;
        let place = id - constraints.equality_count();
        // What the equalities have decided cannot be helped.
        let small = violation <= limits.excuse;
        if small && constraints.equalities.orthonormal {
            let n = constraints.n;
            let first = constraints.normal(id, side, &mut self.a[..n]);
            if constraints.undecided_share(&self.a[..n], first) < NEARLY {
                self.mark[place] = Mark::Decided;
                return Entry::Holds;
            }
        }
        let Loaded { support, beta, share } = self.load(space, constraints, id, side);
        let mut slack = dot(&self.v[support.clone()], &self.y[support.clone()]) - beta;
        let rounding = 8.0 * f64::EPSILON * self.size * norm(&self.v[support.clone()]);
        if slack >= -self.tolerance.max(rounding) {
            return Entry::Holds;
        }
        let p = self.qr.project(&self.v[..len], support.clone());
        if small && share < NEARLY {
            self.mark[place] = Mark::Decided;
            return Entry::Holds;
        }
        if p.rho <= NEARLY * p.norm && slack >= -NEARLY_TOLERANCE * self.tolerance {
            self.mark[place] = Mark::Excused;
            return Entry::Holds;
        }
        let mut rho = p.rho;
        loop {
            self.solve_for_candidate();
            if rho <= self.noise_level(p.norm, limits) {
                rho = 0.0;
            }
            let full = if rho > 0.0 { -slack / (rho * rho) } else { f64::INFINITY };
            let (partial, leaving) = self.blocking(if rho > 0.0 { 0.0 } else { self.noise * p.norm });
            let t = if full <= partial { full } else { partial };
            if t == f64::INFINITY {
                // The normal lies in the span of the active ones. Is the contradiction clear enough to be believed?
                let (gap, doubt) = self.gap(beta, limits);
                self.contradiction = (id, side);
                return if gap > doubt { Entry::Contradiction } else { Entry::Undecided };
            }
            if !t.is_finite() {
                return Entry::NotFinite;
            }
            if rho > 0.0 {
                axpy(t, &self.qr.w[..len], &mut self.y[..len]);
            }
            if full <= partial {
                let missing = self.missing(support, beta);
                let locked = constraints.is_fixed(id);
                self.append(constraints, Active { id, side, beta, norm: p.norm, locked }, rho, missing);
                self.renew_multipliers();
                self.steps += 1;
                return if self.steps > limits.steps { Entry::OutOfSteps } else { Entry::Taken };
            }
            let q = self.qr.count;
            axpy(-t, &self.r[..q], &mut self.u[..q]);
            self.u.copy_within(leaving + 1..q, leaving);
            self.remove(constraints, leaving);
            rho = self.qr.return_lost_part();
            slack = dot(&self.v[support.clone()], &self.y[support.clone()]) - beta;
            if self.steps > limits.steps {
                return Entry::OutOfSteps;
            }
            if slack >= 0.0 {
                // Rounding: the constraint holds before it became active. The active set changed, so start from it
                // afresh.
                self.drop_wrong_signs(constraints);
                return Entry::Taken;
            }
        }
    }

    /// Length up to which what is left of the candidate's normal v = Σrⱼvⱼ + w counts as nothing; infinite when
    /// there is no room for more.
    pub(super) fn noise_level(&self, norm: f64, limits: &Limits) -> f64 {
        if self.qr.is_full() {
            return f64::INFINITY;
        }
        let terms = self.active.iter().zip(&self.r).fold(norm, |s, (a, r)| s + r.abs() * a.norm);
        (self.noise * terms).max(limits.dependent * norm)
    }

    /// What the active constraints leave of β, β − Σrⱼβⱼ, and how large it must be to be a contradiction: more than
    /// rounding, and more than what giving all of them some slack would settle.
    pub(super) fn gap(&self, beta: f64, limits: &Limits) -> (f64, f64) {
        let active = self.active.iter().zip(&self.r);
        let (gap, terms, spread) = active.fold((beta, beta.abs(), 1.0), |(gap, terms, spread), (a, r)| {
            (gap - r * a.beta, terms + (r * a.beta).abs(), spread + r.abs())
        });
        (gap, (CLEAR * limits.feasibility * spread).max(self.noise * terms))
    }

    /// The largest step that keeps the multipliers ≥ 0, and whose multiplier ends it; of ties the one with the
    /// largest r.
    ///
    /// When the normal depends on the active ones (`rounding` > 0: the size of its errors), an rⱼ may be nothing
    /// but these errors, blown up by R⁻¹; such a constraint must not leave.
    fn blocking(&mut self, rounding: f64) -> (f64, usize) {
        let q = self.qr.count;
        let largest = self.r[..q].iter().fold(0.0f64, |m, r| m.max(r.abs()));
        loop {
            let (mut t, mut leaving) = (f64::INFINITY, 0);
            for j in 0..q {
                let r = self.r[j];
                if self.active[j].locked || r <= 1e-12 * largest {
                    continue;
                }
                let step = self.u[j].max(0.0) / r;
                if step < t || (step == t && r > self.r[leaving]) {
                    (t, leaving) = (step, j);
                }
            }
            if t == f64::INFINITY || rounding == 0.0 {
                return (t, leaving);
            }
            // Row j of R⁻¹ is the solution of Rᵀz = eⱼ.
            self.row[..q].fill(0.0);
            self.row[leaving] = 1.0;
            self.qr.solve_r_transposed(&mut self.row);
            if self.r[leaving] > rounding * norm(&self.row[..q]) {
                return (t, leaving);
            }
            self.r[leaving] = 0.0;
        }
    }
}
