//! LDLᵀ factorisation P = LDLᵀ, L unit lower triangular and D diagonal, with rank-one changes.
//!
//! No square roots, and D may have entries of both signs: it exists for every symmetric matrix whose leading blocks
//! are regular, in particular for the quasi-definite matrices [H Aᵀ; A −C] (H, C positive definite) of regularised
//! saddle-point problems, in any order of the variables (Vanderbei, SIAM J. Optim. 5, 1995). There is no pivoting:
//! a pivot too close to zero is replaced by ±δ of its own sign and counted, so that the caller knows that the
//! factors belong to a nearby matrix.
//!
//! **Rank-one change** P + αzzᵀ in n² multiply-adds instead of n³/6: with w = z and running α, for each column j
//! p = wⱼ, d̄ = d + αp², β = αp/d̄, α ← αd/d̄; below the diagonal w ← w − p·l, l ← l + β·w.
//!
//! Source: Golub and Van Loan, 4th ed., 4.1.2; the update is method C1 of Gill, Golub, Murray and Saunders, Methods
//! for modifying matrix factorizations, Math. Comp. 28 (1974) 505-535.

use super::vector::{axpy, dot};

/// An LDLᵀ factorisation with its workspace, for matrices of up to the given size.
///
/// ```
/// use sinew_solve::dense::Ldlt;
/// let mut f = Ldlt::with_capacity(2);
/// assert_eq!(f.factor(2, &[2.0, 1.0, 1.0, -3.0], 1e-12), 0);
/// let mut x = [3.0, -2.0];
/// f.solve(&mut x);
/// assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 1.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct Ldlt {
    n: usize,
    l: Vec<f64>,
    d: Vec<f64>,
    scratch: Vec<f64>,
}

impl Ldlt {
    /// Room for matrices of up to `n` rows.
    pub fn with_capacity(n: usize) -> Self {
        Self { n: 0, l: vec![0.0; n * n], d: vec![0.0; n], scratch: vec![0.0; n] }
    }

    /// Factors the n×n matrix `p` (lower triangle read) and returns how many pivots smaller than `delta` were
    /// replaced.
    ///
    /// # Panics
    /// If the sizes do not fit.
    pub fn factor(&mut self, n: usize, p: &[f64], delta: f64) -> usize {
        assert_eq!(p.len(), n * n);
        self.n = n;
        let mut replaced = 0;
        for j in 0..n {
            let (done, rest) = self.l[..n * n].split_at_mut(j * n);
            let column = &mut rest[j..n];
            column.copy_from_slice(&p[j * n + j..(j + 1) * n]);
            // Left-looking: take off what the earlier columns account for.
            for k in 0..j {
                let below = &done[k * n + j..(k + 1) * n];
                axpy(-below[0] * self.d[k], below, column);
            }
            let mut pivot = column[0];
            if pivot.abs() < delta {
                pivot = if pivot < 0.0 { -delta } else { delta };
                replaced += 1;
            }
            self.d[j] = pivot;
            let inverse = 1.0 / pivot;
            column[0] = 1.0;
            for v in &mut column[1..] {
                *v *= inverse;
            }
        }
        replaced
    }

    /// The diagonal of D; the number of negative entries is that of negative eigenvalues.
    pub fn d(&self) -> &[f64] {
        &self.d[..self.n]
    }

    /// Entry (i, j) of L.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        if i >= j { self.l[j * self.n + i] } else { 0.0 }
    }

    /// x ← P⁻¹x.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        for j in 0..n {
            let v = x[j];
            axpy(-v, &self.l[j * n + j + 1..(j + 1) * n], &mut x[j + 1..n]);
        }
        for j in 0..n {
            x[j] /= self.d[j];
        }
        for j in (0..n).rev() {
            x[j] -= dot(&self.l[j * n + j + 1..(j + 1) * n], &x[j + 1..n]);
        }
    }

    /// Turns the factors of P into those of P + αzzᵀ. False when a pivot would vanish; the factors are then of no
    /// use.
    ///
    /// # Panics
    /// If z does not have n entries.
    pub fn rank_one_update(&mut self, alpha: f64, z: &[f64]) -> bool {
        let n = self.n;
        assert_eq!(z.len(), n);
        let w = &mut self.scratch[..n];
        w.copy_from_slice(z);
        let mut alpha = alpha;
        for j in 0..n {
            let p = w[j];
            let d = self.d[j];
            let changed = d + alpha * p * p;
            if changed.is_nan() || changed.abs() <= f64::EPSILON * d.abs() {
                return false;
            }
            let beta = alpha * p / changed;
            alpha *= d / changed;
            self.d[j] = changed;
            let column = &mut self.l[j * n + j + 1..(j + 1) * n];
            for (l, w) in column.iter_mut().zip(&mut w[j + 1..]) {
                *w -= p * *l;
                *l += beta * *w;
            }
        }
        true
    }
}
