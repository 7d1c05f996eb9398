//! Proximal point rounds: directions of no curvature in a strictly convex method.
//!
//! The null space of the objective gets a small curvature ε² around a centre, the problem is solved, and the centre
//! moves to the solution, until the pull ε²‖f − centre‖ is lost in rounding. Where the objective can be reached at
//! all, a round leaves about (ε/σ)² of the error, σ being the curvature that the constraints see beside it: two or
//! three rounds are usual, and all but the first reuse the factors. A linear term g in the null space moves the aim
//! by −g/ε². When the centre runs away along a direction that no constraint limits, the problem is unbounded.
//!
//! Source: Rockafellar, Monotone operators and the proximal point algorithm, SIAM J. Control Optim. 14 (1976)
//! 877-898; in an active-set QP: Arnström, Bemporad and Axehill, IEEE TAC 67 (2022).

use super::active_set::{ActiveSet, Limits, Verdict};
use super::constraints::{Constraints, INFINITE};
use super::space::{Space, Split};
use crate::dense::vector::{axpy, dot, max_abs, norm};

/// Most rounds.
const ROUNDS: usize = 100;
/// Pull of the centre, relative to the size of the gradient's terms, that is let pass.
const PULL: f64 = 1e-12;
/// The same for a pull that no longer shrinks: what is left is rounding.
const STUCK_PULL: f64 = 1e-9;
/// Rounds with the same pull before moves are stretched.
const REPEATED: usize = 6;

/// The state of the rounds.
#[derive(Clone, Debug)]
pub(crate) struct Proximal {
    /// The gradient in the null space of the objective.
    pub(crate) linear: Vec<f64>,
    centre: Vec<f64>,
}

/// How the rounds ended.
pub(crate) struct Rounds {
    pub(crate) verdict: Verdict,
    /// The objective falls without end.
    pub(crate) unbounded: bool,
    /// All constraints hold, for any result of the objective.
    pub(crate) feasible: bool,
    pub(crate) steps: usize,
}

impl Rounds {
    fn end(verdict: Verdict, steps: usize) -> Self {
        Self { verdict, unbounded: false, feasible: verdict == Verdict::Optimal, steps }
    }
}

impl Proximal {
    pub(crate) fn with_capacity(n: usize) -> Self {
        Self { linear: vec![0.0; n], centre: vec![0.0; n] }
    }

    /// Solves in the coordinates of `split`; the head of y₀ is `target`.
    pub(crate) fn run(
        &mut self,
        core: &mut ActiveSet,
        split: &mut Split,
        constraints: &Constraints<'_>,
        guess: impl Iterator<Item = (usize, f64)> + Clone,
        limits: &Limits,
        target: &[f64],
    ) -> Rounds {
        let n = constraints.n;
        let (r, free, epsilon, size) =
            (split.rank(), split.free_range(), split.epsilon, split.largest_curvature());
        let len = split.len() + crate::dense::padded(constraints.soft_count());
        core.y0[..len].fill(0.0);
        core.y0[..r].copy_from_slice(&target[..r]);
        self.centre[..n].fill(0.0);
        let (mut steps, mut last, mut repeated, mut stretch) = (0, f64::INFINITY, 0, 0.0);
        for round in 0..ROUNDS {
            // The free coordinates aim at the centre, less the pull of the gradient.
            if !free.is_empty() {
                let y0 = &mut core.y0[free.clone()];
                y0.copy_from_slice(&self.centre[..n]);
                axpy(-1.0 / epsilon, &self.linear[..n], y0);
            }
            let mut verdict = Verdict::Optimal;
            if round == 0 {
                verdict = core.start(split, constraints, guess.clone(), limits);
            } else {
                core.restart(split, constraints);
            }
            if verdict == Verdict::Optimal {
                verdict = core.run(split, constraints, limits);
            }
            steps += core.steps;
            if size == 0.0 && max_abs(&self.linear[..n]) == 0.0 && constraints.soft_count() == 0 {
                // Nothing to minimise: any feasible point will do, and no force is needed to hold it.
                core.u.fill(0.0);
                return Rounds::end(verdict, steps);
            }
            if verdict != Verdict::Optimal || free.is_empty() {
                return Rounds::end(verdict, steps);
            }
            // How far did the free coordinates go from the centre?
            for (c, y) in self.centre[..n].iter_mut().zip(&core.y[free.clone()]) {
                *c = y - *c;
            }
            let moved = norm(&self.centre[..n]);
            let heads = norm(&core.y[..r]) + norm(&core.y0[..r]);
            let terms = size * heads
                + norm(&self.linear[..n])
                + epsilon * (core.sum_of_forces() + norm(&core.y[free.clone()]));
            let pull = epsilon * moved / terms;
            let stuck = pull > 0.5 * last && pull <= STUCK_PULL;
            if terms == 0.0 || pull <= PULL || stuck {
                return Rounds::end(Verdict::Optimal, steps);
            }
            if round > 0 && self.is_way_out(constraints) {
                return Rounds { verdict: Verdict::Unfinished, unbounded: true, feasible: true, steps };
            }
            // A move that repeats itself will go on for a while: stretch it. `centre` holds the move, y where it
            // led.
            repeated = if pull > 0.9 * last && pull < 1.1 * last { repeated + 1 } else { 0 };
            stretch = if repeated >= REPEATED { 4.0 * stretch + 1.0 } else { 0.0 };
            for (c, y) in self.centre[..n].iter_mut().zip(&core.y[free.clone()]) {
                *c = y + stretch * *c;
            }
            last = pull;
        }
        Rounds { verdict: Verdict::Unfinished, unbounded: false, feasible: true, steps }
    }

    /// Whether the last move of the centre (in `centre`), a direction of no curvature, lowers the objective and
    /// meets no constraint ever.
    fn is_way_out(&self, constraints: &Constraints<'_>) -> bool {
        let n = constraints.n;
        let d = &self.centre[..n];
        let length = norm(d);
        let gradient = norm(&self.linear[..n]);
        if gradient == 0.0 || dot(&self.linear[..n], d) > -1e-9 * gradient * length {
            return false;
        }
        // How a row changes along d, and how much of that is rounding.
        let change = |data: &[f64], row: usize, column: usize, i: usize| {
            let (s, a) = (0..n).fold((0.0, 0.0), |(s, a), j| {
                let v = data[i * row + j * column];
                (s + v * d[j], a + v * v)
            });
            (s, 1e-9 * length * a.sqrt())
        };
        let open = |lower: f64, upper: f64, (change, small): (f64, f64)| {
            (lower <= -INFINITE || change >= -small) && (upper >= INFINITE || change <= small)
        };
        let (e, rows) = (&constraints.equalities, constraints.row_count());
        let sides = constraints.bound_lower.iter().zip(constraints.bound_upper);
        (0..constraints.equality_count()).all(|i| open(0.0, 0.0, change(e.data, e.row, e.column, i)))
            && (0..rows)
                .all(|i| open(constraints.lower[i], constraints.upper[i], change(constraints.c, 1, rows, i)))
            && d.iter().zip(sides).all(|(d, (l, u))| open(*l, *u, (*d, 1e-9 * length)))
    }
}
