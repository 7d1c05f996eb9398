//! The dual active-set method: the point of a polyhedron nearest to a given point.
//!
//! min ½‖y − y₀‖² subject to vᵢᵀy = βᵢ (equalities) and vᵢᵀy ≥ βᵢ, in the coordinates of [`super::space`]. At every
//! moment y is the nearest point to y₀ on the active constraints W, y = y₀ + V u with V = [vᵢ], i ∈ W, and uᵢ ≥ 0
//! for inequalities: optimal for the constraints taken in so far, not yet feasible for the others. One step takes
//! in a violated constraint p (slack s = vₚᵀy − βₚ < 0):
//!
//! 1. Split vₚ = V r + w with w orthogonal to the active normals. Moving y by tw raises the slack by t‖w‖²; to stay
//!    optimal, the multipliers change by −tr and that of p by +t.
//! 2. The step is t₂ = −s/‖w‖² (p becomes active) or t₁ = min uⱼ/rⱼ over rⱼ > 0 (the multiplier of l reaches zero),
//!    whichever comes first. In the second case l leaves and the step goes on.
//! 3. If w = 0 and no rⱼ > 0 exists, vₚ = V r with r ≤ 0 on inequalities proves that nothing satisfies all of them:
//!    (1, −r) is a Farkas certificate.
//!
//! ‖y − y₀‖ grows with every constraint taken in, so no active set comes twice and the method ends. Rounding can
//! still make it pace about near the end: when the distance stops growing, the tolerance is widened, and the number
//! of steps is limited.
//!
//! **Factors.** V = QR is kept by Gram-Schmidt with reorthogonalisation ([`crate::dense::thin_qr`]): a step costs
//! O(N|W|) instead of the O(N²) of the classic form, which carries a full orthogonal N×N matrix. With c = R u one
//! has Rᵀc = β − Vᵀy₀, y = y₀ + Qc, and both multipliers and point can be computed afresh from c at any time: no
//! error builds up over the steps.
//!
//! **Pricing.** Slacks of all constraints cost a matrix-vector product with x = x̂ + By. All constraints violated
//! by more than a share θ of the worst are taken from one such pass, worst first, each looked at again before it is
//! taken in.
//!
//! Source: Goldfarb and Idnani, A numerically stable dual method for solving strictly convex quadratic programs,
//! Math. Programming 27 (1983) 1-33; least-distance form as in Arnström, Bemporad and Axehill, IEEE TAC 67 (2022)
//! 4362-4369 (DAQP).

use super::constraints::{Constraints, Kind};
use super::entering::{Entry, NEARLY};
use super::guessed::Guessed;
use super::solution::{Side, WorkingSet};
use super::space::Space;
use crate::dense::thin_qr::ThinQr;
use crate::dense::vector::{axpy, dot};
use std::ops::Range;

/// An active constraint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Active {
    pub(crate) id: usize,
    /// +1 on its lower side, −1 on its upper side.
    pub(crate) side: f64,
    /// Right-hand side of vᵀy ≥ β.
    pub(super) beta: f64,
    /// ‖v‖.
    pub(super) norm: f64,
    /// Never leaves, and its multiplier has any sign.
    pub(crate) locked: bool,
}

/// A constraint whose normal was written to v.
pub(super) struct Loaded {
    /// Where v can be other than zero.
    pub(super) support: Range<usize>,
    /// Right-hand side of vᵀy ≥ β.
    pub(super) beta: f64,
    /// Share of the normal that is not decided already.
    pub(super) share: f64,
}

/// Where an inequality stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Inactive,
    Active,
    /// Nearly depends on active ones, and may keep a small violation.
    Excused,
    /// Nothing is left to decide about it.
    Decided,
}

/// How the method ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// All constraints hold and all multipliers have the right sign.
    Optimal,
    /// The constraints contradict each other; the certificate says how.
    Infeasible,
    /// Out of steps, or no progress.
    Unfinished,
    /// A number that is not finite turned up.
    NotFinite,
}

/// Tolerances of the method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Violation that is let pass, in the units of the constraint.
    pub(crate) feasibility: f64,
    /// Steps in and out.
    pub(crate) steps: usize,
    /// Violation that a constraint may keep about which nothing is left to decide.
    pub(crate) excuse: f64,
    /// Share of a normal outside the span of the active ones up to which it counts as dependent even where rounding
    /// is smaller.
    pub(crate) dependent: f64,
}

/// Share θ of the worst violation above which constraints are taken from one pass of pricing.
const SHARE: f64 = 0.1;
/// Relative progress below which a pass counts as none.
const PROGRESS: f64 = 1e-13;
/// Passes without progress before the tolerance is widened, and by how much.
const PATIENCE: usize = 4;
const WIDENING: f64 = 10.0;
/// Widest tolerance, relative to the one asked for.
const WIDEST: f64 = 1e4;
/// Violation of undecidable constraints, in tolerances, that still counts as solved.
const UNDECIDED: f64 = 1e3;

/// The method's state and workspace.
#[derive(Clone, Debug)]
pub(crate) struct ActiveSet {
    /// Number of coordinates, those of the slacks of soft rows included.
    pub(super) len: usize,
    /// Number of coordinates of the space alone.
    pub(super) base: usize,
    pub(super) qr: ThinQr,
    pub(crate) active: Vec<Active>,
    /// Per inequality row and bound.
    pub(super) mark: Vec<Mark>,
    pub(crate) y0: Vec<f64>,
    pub(crate) y: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) c: Vec<f64>,
    /// Multipliers of the active constraints.
    pub(crate) u: Vec<f64>,
    /// Coordinates of the entering normal in the active ones; after [`Verdict::Infeasible`] the certificate.
    pub(super) r: Vec<f64>,
    pub(super) a: Vec<f64>,
    pub(crate) x: Vec<f64>,
    pub(super) values: Vec<f64>,
    pub(super) equality_values: Vec<f64>,
    pub(super) queue: Vec<(f64, usize, f64)>,
    /// Whether smaller violations were left out of the queue.
    pub(super) cut: bool,
    /// The constraint that contradicts the active ones.
    pub(super) contradiction: (usize, f64),
    pub(crate) steps: usize,
    pub(super) tolerance: f64,
    /// ‖y‖ + ‖y₀‖.
    pub(super) size: f64,
    /// Relative rounding errors of normals.
    pub(super) noise: f64,
    /// A row of R⁻¹.
    pub(super) row: Vec<f64>,
    pub(super) guessed: Guessed,
    /// Whether the factors are those of the active set: not after an answer that did not need them.
    pub(super) has_factors: bool,
}

impl ActiveSet {
    /// Room for `n` variables, `coordinates` of them in the space, `equalities`, `rows` and `soft` rows.
    pub(crate) fn with_capacity(
        n: usize,
        coordinates: usize,
        equalities: usize,
        rows: usize,
        soft: usize,
    ) -> Self {
        let len = coordinates + crate::dense::padded(soft);
        let most = n + soft;
        Self {
            len: 0,
            base: 0,
            qr: ThinQr::with_capacity(len, most),
            active: Vec::with_capacity(most),
            mark: vec![Mark::Inactive; rows + n],
            y0: vec![0.0; len],
            y: vec![0.0; len],
            v: vec![0.0; len],
            c: vec![0.0; most],
            u: vec![0.0; most],
            r: vec![0.0; most],
            a: vec![0.0; n],
            x: vec![0.0; n],
            values: vec![0.0; rows],
            equality_values: vec![0.0; equalities],
            queue: Vec::with_capacity(rows + n),
            cut: false,
            contradiction: (0, 1.0),
            steps: 0,
            tolerance: 0.0,
            size: 0.0,
            noise: 0.0,
            row: vec![0.0; most],
            guessed: Guessed::with_capacity(len, most),
            has_factors: true,
        }
    }

    /// Starts from y₀ (already written, slack coordinates zero) with the equalities and the constraints that
    /// `guess` names, those with a wrong sign left out again. The guess is (number, side), bounds first and in
    /// order of their variables, then rows.
    pub(crate) fn start(
        &mut self,
        space: &mut impl Space,
        constraints: &Constraints<'_>,
        guess: impl Iterator<Item = (usize, f64)> + Clone,
        limits: &Limits,
    ) -> Verdict {
        self.begin(space, constraints);
        let equalities = constraints.equality_count();
        let bounds_from = equalities + constraints.row_count();
        // Bounds come first: their normals have few entries, and so have the columns of Q made of them.
        for (id, side) in guess.clone().filter(|g| g.0 >= bounds_from) {
            self.take_guess(space, constraints, id, side);
        }
        let mut verdict = self.take_equalities(space, constraints, limits);
        if verdict == Verdict::Infeasible && !guess.clone().all(|g| g.0 < bounds_from) {
            // The guess may be to blame.
            self.reset();
            verdict = self.take_equalities(space, constraints, limits);
        }
        if verdict != Verdict::Optimal {
            self.renew_point();
            space.point(&self.y[..self.base], &mut self.x[..constraints.n]);
            return verdict;
        }
        for (id, side) in guess.filter(|g| g.0 < bounds_from) {
            self.take_guess(space, constraints, id, side);
        }
        self.drop_wrong_signs(constraints);
        Verdict::Optimal
    }

    /// Starts again from a new y₀ and new right-hand sides: same matrices, so the factors of the active set still
    /// hold.
    pub(crate) fn restart(&mut self, space: &mut impl Space, constraints: &Constraints<'_>) {
        self.steps = 0;
        if !self.has_factors {
            self.renew_factors(space, constraints);
        }
        let n = constraints.n;
        let q = self.qr.count;
        for k in 0..q {
            let Active { id, side, .. } = self.active[k];
            constraints.normal(id, side, &mut self.a[..n]);
            let beta = constraints.target(id, side) - space.offset(&self.a[..n]);
            self.active[k].beta = beta;
            self.c[k] = beta;
        }
        // c = R⁻ᵀβ − Qᵀy₀
        self.qr.solve_r_transposed(&mut self.c);
        self.qr.coordinates_of(&self.y0[..self.len], &mut self.r[..q]);
        axpy(-1.0, &self.r[..q], &mut self.c[..q]);
        self.drop_wrong_signs(constraints);
    }

    /// Factors the normals of the active set from the beginning.
    fn renew_factors(&mut self, space: &mut impl Space, constraints: &Constraints<'_>) {
        self.qr.clear(self.len);
        for k in 0..self.active.len() {
            let Active { id, side, .. } = self.active[k];
            let Loaded { support, .. } = self.load(space, constraints, id, side);
            let p = self.qr.project(&self.v[..self.len], support);
            self.qr.append(p.rho);
        }
        self.has_factors = true;
    }

    /// Nothing active, in the coordinates of `space`.
    pub(super) fn begin(&mut self, space: &impl Space, constraints: &Constraints<'_>) {
        self.base = space.len();
        self.len = self.base + crate::dense::padded(constraints.soft_count());
        self.noise = space.noise().min(1e-9);
        self.steps = 0;
        self.reset();
    }

    fn reset(&mut self) {
        self.has_factors = true;
        self.qr.clear(self.len);
        self.active.clear();
        self.mark.fill(Mark::Inactive);
    }

    /// v ← the normal of a constraint.
    pub(super) fn load(
        &mut self,
        space: &mut impl Space,
        constraints: &Constraints<'_>,
        id: usize,
        side: f64,
    ) -> Loaded {
        let n = constraints.n;
        let first = constraints.normal(id, side, &mut self.a[..n]);
        let (mut support, mut share) = space.normal(&self.a[..n], first, &mut self.v);
        if self.len > self.base {
            self.v[self.base..self.len].fill(0.0);
            if let Some((k, w)) = constraints.slack(id) {
                self.v[self.base + k] = side * w;
                support.end = self.base + k + 1;
                share = 1.0;
            }
        }
        Loaded { support, beta: constraints.target(id, side) - space.offset(&self.a[..n]), share }
    }

    /// What is missing for the last loaded constraint at the nearest point of the active ones: β − vᵀ(y₀ + Qc).
    pub(super) fn missing(&self, support: Range<usize>, beta: f64) -> f64 {
        let q = self.qr.count;
        beta - dot(&self.v[support.clone()], &self.y0[support]) - dot(&self.qr.d[..q], &self.c[..q])
    }

    pub(super) fn append(&mut self, constraints: &Constraints<'_>, entry: Active, rho: f64, missing: f64) {
        self.c[self.qr.count] = missing / rho;
        self.qr.append(rho);
        self.active.push(entry);
        if let Some(k) = entry.id.checked_sub(constraints.equality_count()) {
            self.mark[k] = Mark::Active;
        }
    }

    pub(super) fn remove(&mut self, constraints: &Constraints<'_>, l: usize) {
        let gone = self.active.remove(l);
        self.mark[gone.id - constraints.equality_count()] = Mark::Inactive;
        self.qr.remove(l, &mut self.c);
        self.steps += 1;
    }

    fn take_equalities(
        &mut self,
        space: &mut impl Space,
        constraints: &Constraints<'_>,
        limits: &Limits,
    ) -> Verdict {
        for id in 0..constraints.equality_count() {
            let Loaded { support, beta, .. } = self.load(space, constraints, id, 1.0);
            let p = self.qr.project(&self.v[..self.len], support.clone());
            let missing = self.missing(support, beta);
            if !missing.is_finite() {
                return Verdict::NotFinite;
            }
            // Its coordinates in the others matter only when little of it is new.
            let mut new = p.rho > NEARLY * p.norm && !self.qr.is_full();
            if !new {
                self.solve_for_candidate();
                new = p.rho > self.noise_level(p.norm, limits);
            }
            if new {
                let entry = Active { id, side: 1.0, beta, norm: p.norm, locked: true };
                self.append(constraints, entry, p.rho, missing);
                continue;
            }
            // Depends on the others; does it say something else?
            let (gap, doubt) = self.gap(beta, limits);
            if gap.abs() > doubt {
                self.contradiction = (id, gap.signum());
                let q = self.qr.count;
                for r in &mut self.r[..q] {
                    *r *= gap.signum();
                }
                return Verdict::Infeasible;
            }
        }
        Verdict::Optimal
    }

    fn take_guess(&mut self, space: &mut impl Space, constraints: &Constraints<'_>, id: usize, side: f64) {
        let Loaded { support, beta, share } = self.load(space, constraints, id, side);
        let p = self.qr.project(&self.v[..self.len], support.clone());
        // A guess that nearly depends on the others is left out: it comes back by itself if it is needed.
        if share > NEARLY && p.rho > NEARLY * p.norm && beta.is_finite() && !self.qr.is_full() {
            let missing = self.missing(support, beta);
            let locked = constraints.is_fixed(id);
            self.append(constraints, Active { id, side, beta, norm: p.norm, locked }, p.rho, missing);
        }
    }

    /// u ← R⁻¹c; constraints with a multiplier of the wrong sign leave, the worst first.
    pub(super) fn drop_wrong_signs(&mut self, constraints: &Constraints<'_>) {
        loop {
            self.renew_multipliers();
            let q = self.qr.count;
            let wrong = (0..q).filter(|&j| !self.active[j].locked && self.u[j] < 0.0);
            let Some(worst) = wrong.min_by(|&i, &j| self.u[i].total_cmp(&self.u[j])) else { break };
            self.remove(constraints, worst);
        }
        self.renew_point();
    }

    pub(super) fn renew_multipliers(&mut self) {
        let q = self.qr.count;
        self.u[..q].copy_from_slice(&self.c[..q]);
        self.qr.solve_r(&mut self.u);
    }

    fn renew_point(&mut self) {
        let len = self.len;
        self.y[..len].copy_from_slice(&self.y0[..len]);
        self.qr.add_combination(&self.c, &mut self.y[..len]);
    }

    /// r ← R⁻¹d for the last projected normal.
    pub(super) fn solve_for_candidate(&mut self) {
        let q = self.qr.count;
        self.r[..q].copy_from_slice(&self.qr.d[..q]);
        self.qr.solve_r(&mut self.r);
    }

    /// Takes violated constraints in until none is left.
    pub(crate) fn run(
        &mut self,
        space: &mut impl Space,
        constraints: &Constraints<'_>,
        limits: &Limits,
    ) -> Verdict {
        self.tolerance = limits.feasibility;
        let (mut distance, mut idle, mut polished, mut share) = (-1.0, 0, false, SHARE);
        loop {
            if !self.price(space, constraints, limits, share) {
                return Verdict::NotFinite;
            }
            let (mut taken, mut undecided) = (0, 0.0f64);
            for k in 0..self.queue.len() {
                let candidate = self.queue[k];
                match self.enter(space, constraints, candidate, limits) {
                    Entry::Taken => taken += 1,
                    Entry::Holds => {}
                    Entry::Undecided => undecided = undecided.max(candidate.0),
                    Entry::Contradiction => return Verdict::Infeasible,
                    Entry::OutOfSteps => return Verdict::Unfinished,
                    Entry::NotFinite => return Verdict::NotFinite,
                }
            }
            if taken == 0 {
                if !polished && self.polish(constraints) {
                    polished = true;
                } else if self.cut {
                    share = 0.0;
                } else {
                    // What still looks violated is a matter of rounding, or cannot be decided.
                    let settled = undecided <= UNDECIDED * limits.feasibility;
                    return if settled { Verdict::Optimal } else { Verdict::Unfinished };
                }
                continue;
            }
            (polished, share) = (false, SHARE);
            // The distance from y₀ must grow.
            let reached = self.squared_distance();
            idle = if reached <= distance * (1.0 + PROGRESS) { idle + 1 } else { 0 };
            distance = distance.max(reached);
            if idle == PATIENCE {
                idle = 0;
                self.tolerance *= WIDENING;
                if self.tolerance > WIDEST * limits.feasibility {
                    return Verdict::Unfinished;
                }
            }
        }
    }

    /// ½yᵀy − y₀ᵀy.
    pub(crate) fn half_square_minus_product(&self) -> f64 {
        let (y, y0) = (&self.y[..self.len], &self.y0[..self.len]);
        0.5 * dot(y, y) - dot(y0, y)
    }

    /// Σ uᵢ‖vᵢ‖: the size of the terms that balance y − y₀.
    pub(crate) fn sum_of_forces(&self) -> f64 {
        self.active.iter().zip(&self.u).map(|(a, u)| u.abs() * a.norm).sum()
    }

    /// How far the first `head` coordinates and the slacks of `soft` rows are from where they aim.
    pub(crate) fn distance(&self, head: usize, soft: usize) -> f64 {
        let places = (0..head).chain(self.base..self.base + soft);
        places.fold(0.0, |s, k| s + (self.y[k] - self.y0[k]) * (self.y[k] - self.y0[k])).sqrt()
    }

    /// uᵢ‖vᵢ‖ of the active constraint at a place.
    pub(crate) fn force(&self, place: usize) -> f64 {
        self.u[place].abs() * self.active[place].norm
    }

    fn squared_distance(&self) -> f64 {
        self.y[..self.len].iter().zip(&self.y0).fold(0.0, |s, (a, b)| s + (a - b) * (a - b))
    }

    /// Calls `f(number, side, multiplier)` for every active constraint.
    pub(crate) fn multipliers(&self, mut f: impl FnMut(usize, f64, f64)) {
        for (a, u) in self.active.iter().zip(&self.u) {
            f(a.id, a.side, if a.locked { *u } else { u.max(0.0) });
        }
    }

    /// Writes the active constraints down for a warm start.
    pub(crate) fn write_working_set(&self, constraints: &Constraints<'_>, set: &mut WorkingSet) {
        set.clear(constraints.row_count(), constraints.n);
        for active in &self.active {
            let side = if active.side > 0.0 { Side::Lower } else { Side::Upper };
            match constraints.kind(active.id) {
                Kind::Equality(_) => {}
                Kind::Row(i) => set.inequalities[i] = side,
                Kind::Bound(j) => set.bounds[j] = side,
            }
        }
    }

    /// Calls `f(number, weight)` for every constraint of the contradiction, after [`Verdict::Infeasible`].
    pub(crate) fn certificate(&self, mut f: impl FnMut(usize, f64)) {
        let (id, side) = self.contradiction;
        f(id, side);
        for (a, r) in self.active.iter().zip(&self.r) {
            let weight = if a.locked { -r } else { (-r).max(0.0) };
            f(a.id, a.side * weight);
        }
    }
}
