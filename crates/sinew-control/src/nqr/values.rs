//! Which clip to play next, by value iteration (section 5.5 of the paper, after Treuille, Lee, Popović 2007 and McCann, Pollard 2007).
//!
//! A state is the clip that was just played, `i`, and the angle `ψ` by which the wanted heading is to the left of the present one. Playing `j` next
//! takes `T_j` and turns by `θ_ij`, so that `ψ' = ψ − θ_ij`. With the cost `E_ij` and the rate of failure `F_ij` as measured in simulation,
//!
//! ```text
//! V(i, ψ) = min_j [ w T_j ψ'² + E_ij + c_j + ϱ^{T_j} ((1 − F_ij) V(j, ψ') + F_ij V_fail) ]
//! ```
//!
//! `V` is a table with bins of 5°, linear in between and periodic. Interpolation is a convex mean, so that the iteration contracts.

use core::f64::consts::{PI, TAU};

/// Bins over a whole turn.
const BINS: usize = 72;
/// Discount of a second, ϱ.
const DISCOUNT: f64 = 0.7;
/// Weight of the heading's error, 1/(s·rad²).
const HEADING: f64 = 1.0;
/// What a failure costs, and the rate from which on a clip is not played.
const FAILURE: f64 = 50.0;
const NEVER: f64 = 0.5;
/// Change at which iteration ends.
const SETTLED: f64 = 1e-6;

/// What comes of playing one clip after another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Transition {
    /// Angle by which it turns, rad.
    pub(super) turn: f64,
    /// What it costs beside the heading.
    pub(super) cost: f64,
    /// Share of trials that fell.
    pub(super) failures: f64,
}

/// The table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Values {
    /// Duration of each clip, s.
    pub(super) seconds: Vec<f64>,
    /// From each clip to each, row by row.
    pub(super) transitions: Vec<Transition>,
    table: Vec<f64>,
}

impl Values {
    /// Iterates until nothing changes any more.
    pub(super) fn iterate(seconds: Vec<f64>, transitions: Vec<Transition>) -> Values {
        let n = seconds.len();
        assert_eq!(transitions.len(), n * n, "one transition from each clip to each");
        let mut values = Values { seconds, transitions, table: vec![0.0; n * BINS] };
        loop {
            let mut next = values.table.clone();
            for i in 0..n {
                for bin in 0..BINS {
                    next[i * BINS + bin] = values.best(i, bin as f64 * TAU / BINS as f64 - PI).1;
                }
            }
            let change = next.iter().zip(&values.table).fold(0.0_f64, |c, (a, b)| c.max((a - b).abs()));
            values.table = next;
            if change < SETTLED {
                return values;
            }
        }
    }

    /// The clip to play after `i` when the wanted heading is `psi` to the left, and the value.
    pub(super) fn best(&self, i: usize, psi: f64) -> (usize, f64) {
        let n = self.seconds.len();
        let mut best = (0, f64::INFINITY);
        for j in 0..n {
            let t = &self.transitions[i * n + j];
            // the first clip is always there, so that there is something to play
            if t.failures >= NEVER && j > 0 {
                continue;
            }
            let after = libm::remainder(psi - t.turn, TAU);
            let later = (1.0 - t.failures) * self.value(j, after) + t.failures * FAILURE;
            let now = HEADING * self.seconds[j] * after * after + t.cost;
            let value = now + libm::pow(DISCOUNT, self.seconds[j]) * later;
            if value < best.1 {
                best = (j, value);
            }
        }
        best
    }

    /// The value of a state, linear between bins.
    pub(super) fn value(&self, i: usize, psi: f64) -> f64 {
        let at = (libm::remainder(psi, TAU) + PI) / TAU * BINS as f64;
        let (low, share) = (libm::floor(at), at - libm::floor(at));
        let bin = |b: f64| self.table[i * BINS + (b as usize) % BINS];
        (1.0 - share) * bin(low) + share * bin(low + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_cannot_turn_pays_for_ever() {
        let straight = Transition { cost: 0.3, ..Transition::default() };
        let values = Values::iterate(vec![1.1], vec![straight]);
        for psi in [-2.0, 0.0, 0.5, 1.0] {
            // between bins the table is linear, so that only bins are exact
            let bin = libm::round(psi / TAU * BINS as f64) * TAU / BINS as f64;
            let exact = (HEADING * 1.1 * bin * bin + 0.3) / (1.0 - libm::pow(DISCOUNT, 1.1));
            assert!((values.value(0, bin) - exact).abs() < 1e-5, "{} {exact}", values.value(0, bin));
        }
    }

    #[test]
    fn the_turn_that_is_needed_is_taken_unless_it_fails() {
        let turns = [0.0, 15.0, 45.0, 60.0, 90.0, 180.0].map(|t: f64| t.to_radians());
        let to = |failing: usize| -> Vec<Transition> {
            let one = |j: usize| Transition {
                turn: turns[j],
                cost: if j > 0 { 0.05 } else { 0.0 },
                failures: if j == failing { 0.6 } else { 0.0 },
            };
            (0..36).map(|k| one(k % 6)).collect()
        };
        let values = Values::iterate(vec![1.1; 6], to(usize::MAX));
        let taken = |v: &Values, degrees: f64| v.best(0, degrees.to_radians()).0;
        assert_eq!([2.0, 15.0, 45.0, 90.0, 175.0].map(|d| taken(&values, d)), [0, 1, 2, 4, 5]);
        let risky = Values::iterate(vec![1.1; 6], to(4));
        assert_ne!(taken(&risky, 90.0), 4);
    }
}
