//! Eigenvalues and eigenvectors of symmetric matrices, and of symmetric pairs.
//!
//! # Symmetric matrix
//! `A = Z Λ Zᵀ` in two stages. Householder reflections bring `A` to tridiagonal form, `A = Q T Qᵀ`: each
//! reflection is a matrix-vector product and a symmetric rank-two update. The implicit QL iteration with
//! Wilkinson's shift then makes `T` diagonal; its plane rotations are applied to the columns of `Q`. Two or so
//! iterations per eigenvalue; cubic convergence. Cost: about `9 n³` flops.
//!
//! # Symmetric pair
//! `K φ = λ M φ` with `M` positive definite (vibration modes: stiffness and mass). With `M = L Lᵀ` the matrix `L⁻¹
//! K L⁻ᵀ` is symmetric with the same eigenvalues, and `φ = L⁻ᵀ y` for its eigenvectors `y`. The modes come out
//! normalised by mass: `ΦᵀMΦ = 1`, `ΦᵀKΦ = Λ`.
//!
//! Signs of eigenvectors, and the basis of a repeated eigenvalue, are arbitrary; the same input gives the same
//! ones.
//!
//! Sources: Golub and Van Loan, *Matrix Computations*, 4th ed., algorithms 8.3.1, 8.3.3 and 8.7.1; Wilkinson and
//! Reinsch, *Linear Algebra*, contribution II/3 and II/4.

use crate::dense::gemm::{Mat, Packing};
use crate::dense::partial_cholesky::{negative_right_solve, partial_cholesky};
use crate::dense::scale::power_of_two;
use crate::dense::vector::{axpy, dot};
use crate::dense::{max_abs, norm};

/// Why there is no decomposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EigenError {
    /// An entry is not finite.
    #[error("an entry of the matrix is not finite")]
    NotFinite,
    /// The second matrix of a pair is not positive definite.
    #[error("the second matrix is not positive definite")]
    NotPositiveDefinite,
    /// The iteration did not converge.
    #[error("no convergence for eigenvalue {0}")]
    NoConvergence(usize),
}

/// QL iterations per eigenvalue; two are usual.
const MAX_ITERATIONS: usize = 50;

/// Workspace and result for symmetric matrices of up to a given size.
///
/// ```
/// use sinew_solve::eigen::SymmetricEigen;
/// let mut eigen = SymmetricEigen::new(2);
/// eigen.decompose(2, &[2.0, 1.0, 1.0, 2.0]).unwrap();
/// assert!((eigen.values()[0] - 1.0).abs() < 1e-15 && (eigen.values()[1] - 3.0).abs() < 1e-15);
/// assert!((eigen.vector(1)[0] - eigen.vector(1)[1]).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct SymmetricEigen {
    n: usize,
    /// Copy of the matrix, then the reflections; then scratch for sorting.
    a: Vec<f64>,
    z: Vec<f64>,
    values: Vec<f64>,
    /// Off-diagonal of the tridiagonal form.
    e: Vec<f64>,
    /// Scale of each reflection.
    beta: Vec<f64>,
    p: Vec<f64>,
    order: Vec<usize>,
}

impl SymmetricEigen {
    /// Room for matrices of up to `n` rows.
    pub fn new(n: usize) -> Self {
        let zeros = |n| vec![0.0; n];
        Self {
            n: 0,
            a: zeros(n * n),
            z: zeros(n * n),
            values: zeros(n),
            e: zeros(n),
            beta: zeros(n),
            p: zeros(n),
            order: Vec::with_capacity(n),
        }
    }

    /// Decomposes the n × n matrix `a`, of which the lower triangle is read.
    ///
    /// # Panics
    /// When `a` does not hold n² numbers, or n exceeds the capacity.
    pub fn decompose(&mut self, n: usize, a: &[f64]) -> Result<(), EigenError> {
        assert_eq!(a.len(), n * n);
        self.n = n;
        // scaled by a power of two to entries of about one, so that no square overflows
        let largest = (0..n).map(|j| max_abs(&a[j * n + j..(j + 1) * n])).fold(0.0, f64::max);
        let scale = if largest > 0.0 && largest.is_finite() { power_of_two(1.0 / largest) } else { 1.0 };
        self.a.iter_mut().zip(a).for_each(|(to, from)| *to = scale * from);
        if !(0..n).all(|j| self.a[j * n + j..(j + 1) * n].iter().all(|v| v.is_finite())) {
            return Err(EigenError::NotFinite);
        }
        self.tridiagonalise();
        self.accumulate();
        self.iterate()?;
        self.sort();
        self.values[..n].iter_mut().for_each(|v| *v /= scale);
        Ok(())
    }

    /// The eigenvalues, smallest first.
    pub fn values(&self) -> &[f64] {
        &self.values[..self.n]
    }

    /// The eigenvector of eigenvalue `k`, of length one.
    pub fn vector(&self, k: usize) -> &[f64] {
        &self.z[k * self.n..(k + 1) * self.n]
    }

    /// All eigenvectors as columns, n × n, column-major.
    pub fn vectors(&self) -> &[f64] {
        &self.z[..self.n * self.n]
    }

    /// `A = Q T Qᵀ`; the reflections stay below the diagonal of `a`.
    fn tridiagonalise(&mut self) {
        let n = self.n;
        for k in 0..n {
            self.values[k] = self.a[k * n + k];
            self.beta[k] = 0.0;
            if k + 1 == n {
                self.e[k] = 0.0;
                break;
            }
            let (head, rest) = self.a.split_at_mut((k + 1) * n);
            let v = &mut head[k * n + k + 1..];
            // v − αe₁ with the sign that avoids cancellation, scaled to v₁ = 1
            let below = norm(&v[1..]);
            if below == 0.0 {
                self.e[k] = v[0];
                continue;
            }
            let whole = length(v[0], below);
            let alpha = if v[0] > 0.0 { -whole } else { whole };
            let first = v[0] - alpha;
            v[1..].iter_mut().for_each(|x| *x /= first);
            v[0] = 1.0;
            let beta = -first / alpha;
            (self.e[k], self.beta[k]) = (alpha, beta);
            // A ← A − v wᵀ − w vᵀ on the rest, w = p − ½β(pᵀv) v, p = βAv
            let m = n - k - 1;
            let p = &mut self.p[..m];
            p.fill(0.0);
            for j in 0..m {
                let column = &rest[j * n + k + 1 + j..(j + 1) * n];
                p[j] += column[0] * v[j] + dot(&column[1..], &v[j + 1..]);
                axpy(v[j], &column[1..], &mut p[j + 1..]);
            }
            p.iter_mut().for_each(|x| *x *= beta);
            let half = 0.5 * beta * dot(p, v);
            axpy(-half, v, p);
            for j in 0..m {
                let column = &mut rest[j * n + k + 1 + j..(j + 1) * n];
                let (vj, pj) = (v[j], p[j]);
                for ((x, v), p) in column.iter_mut().zip(&v[j..]).zip(&p[j..]) {
                    *x -= v * pj + p * vj;
                }
            }
        }
    }

    /// `Q`, from the last reflection to the first.
    fn accumulate(&mut self) {
        let n = self.n;
        self.z[..n * n].fill(0.0);
        (0..n).for_each(|i| self.z[i * (n + 1)] = 1.0);
        for k in (0..n).rev().filter(|&k| self.beta[k] != 0.0) {
            let v = &self.a[k * n + k + 1..(k + 1) * n];
            for j in k + 1..n {
                let column = &mut self.z[j * n + k + 1..(j + 1) * n];
                let f = -self.beta[k] * dot(v, column);
                axpy(f, v, column);
            }
        }
    }

    /// QL with implicit shifts on the tridiagonal form.
    fn iterate(&mut self) -> Result<(), EigenError> {
        let n = self.n;
        let (d, e) = (&mut self.values[..n], &mut self.e[..n]);
        for l in 0..n {
            for iteration in 0.. {
                // the block that has not split off yet
                let mut m = l;
                while m + 1 < n && e[m].abs() > f64::EPSILON * (d[m].abs() + d[m + 1].abs()) {
                    m += 1;
                }
                if m == l {
                    break;
                }
                if iteration == MAX_ITERATIONS {
                    return Err(EigenError::NoConvergence(l));
                }
                // Wilkinson's shift
                let g = (d[l + 1] - d[l]) / (2.0 * e[l]);
                let r = length(g, 1.0);
                let mut g = d[m] - d[l] + e[l] / (g + if g >= 0.0 { r } else { -r });
                let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
                let mut split = false;
                for i in (l..m).rev() {
                    let (f, b) = (s * e[i], c * e[i]);
                    let r = length(f, g);
                    e[i + 1] = r;
                    if r == 0.0 {
                        d[i + 1] -= p;
                        e[m] = 0.0;
                        split = true;
                        break;
                    }
                    (s, c) = (f / r, g / r);
                    let h = d[i + 1] - p;
                    let t = (d[i] - h) * s + 2.0 * c * b;
                    p = s * t;
                    d[i + 1] = h + p;
                    g = c * t - b;
                    let (left, right) = self.z[i * n..(i + 2) * n].split_at_mut(n);
                    for (x, y) in left.iter_mut().zip(right) {
                        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
                    }
                }
                if !split {
                    d[l] -= p;
                    e[l] = g;
                    e[m] = 0.0;
                }
            }
        }
        Ok(())
    }

    /// Smallest eigenvalue first.
    fn sort(&mut self) {
        let n = self.n;
        self.order.clear();
        self.order.extend(0..n);
        let values = &self.values;
        self.order.sort_unstable_by(|&i, &j| values[i].total_cmp(&values[j]).then(i.cmp(&j)));
        for (k, &from) in self.order.iter().enumerate() {
            self.p[k] = self.values[from];
            self.a[k * n..(k + 1) * n].copy_from_slice(&self.z[from * n..(from + 1) * n]);
        }
        self.values[..n].copy_from_slice(&self.p[..n]);
        std::mem::swap(&mut self.a, &mut self.z);
    }
}

/// Writes the transpose of an n × n matrix.
fn transpose(n: usize, a: &[f64], out: &mut [f64]) {
    for j in 0..n {
        (0..n).for_each(|i| out[j * n + i] = a[i * n + j]);
    }
}

/// √(x² + y²), for numbers of moderate size.
fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// Workspace and result for pairs of up to a given size.
///
/// ```
/// use sinew_solve::eigen::GeneralisedEigen;
/// // two unit springs in a row, masses 1 and 4
/// let mut modes = GeneralisedEigen::new(2);
/// modes.decompose(2, &[2.0, -1.0, -1.0, 1.0], &[1.0, 0.0, 0.0, 4.0]).unwrap();
/// let product = modes.values()[0] * modes.values()[1];
/// assert!((product - 0.25).abs() < 1e-14);
/// ```
#[derive(Clone, Debug)]
pub struct GeneralisedEigen {
    eigen: SymmetricEigen,
    /// `M` above `K`, 2n × n.
    stacked: Vec<f64>,
    factor: Vec<f64>,
    reduced: Vec<f64>,
    packing: Packing,
}

impl GeneralisedEigen {
    /// Room for matrices of up to `n` rows.
    pub fn new(n: usize) -> Self {
        Self {
            eigen: SymmetricEigen::new(n),
            stacked: vec![0.0; 2 * n * n],
            factor: vec![0.0; n * n],
            reduced: vec![0.0; n * n],
            packing: Packing::new(2 * n, n),
        }
    }

    /// Decomposes the pair (`k`, `m`), both n × n; of each the lower triangle is read.
    ///
    /// # Panics
    /// When a slice does not hold n² numbers, or n exceeds the capacity.
    pub fn decompose(&mut self, n: usize, k: &[f64], m: &[f64]) -> Result<(), EigenError> {
        assert!(k.len() == n * n && m.len() == n * n, "sizes of a pair");
        let lower = |a: &[f64], i: usize, j: usize| a[i.min(j) * n + i.max(j)];
        if !(0..n * n).all(|p| lower(k, p % n, p / n).is_finite() && lower(m, p % n, p / n).is_finite()) {
            return Err(EigenError::NotFinite);
        }
        // K L⁻ᵀ, then L⁻¹K L⁻ᵀ: each the lower half of a partial factorisation of [M; ·]
        for j in 0..n {
            (0..n).for_each(|i| self.reduced[j * n + i] = lower(k, i, j));
        }
        for _ in 0..2 {
            for j in 0..n {
                let column = &mut self.stacked[2 * j * n..2 * (j + 1) * n];
                column[j..n].copy_from_slice(&m[j * n + j..(j + 1) * n]);
                (0..n).for_each(|i| column[n + i] = self.reduced[i * n + j]);
            }
            let stacked = &mut self.stacked[..2 * n * n];
            partial_cholesky(stacked, 2 * n, 2 * n, n, 0.0, &mut self.packing)
                .map_err(|_| EigenError::NotPositiveDefinite)?;
            for j in 0..n {
                self.reduced[j * n..(j + 1) * n].copy_from_slice(&stacked[(2 * j + 1) * n..2 * (j + 1) * n]);
            }
        }
        for j in 0..n {
            self.factor[j * n..(j + 1) * n].copy_from_slice(&self.stacked[2 * j * n..(2 * j + 1) * n]);
        }
        self.eigen.decompose(n, &self.reduced[..n * n])?;
        // Φᵀ = ZᵀL⁻¹
        let (transposed, solved) = self.stacked.split_at_mut(n * n);
        transpose(n, &self.eigen.z, transposed);
        let y = Mat::new(transposed, n, n);
        negative_right_solve(&mut solved[..n * n], y, &self.factor[..n * n], &mut self.packing);
        transpose(n, solved, &mut self.eigen.z);
        self.eigen.z[..n * n].iter_mut().for_each(|v| *v = -*v);
        Ok(())
    }

    /// The eigenvalues, smallest first.
    pub fn values(&self) -> &[f64] {
        self.eigen.values()
    }

    /// The eigenvector of eigenvalue `k`, with `φᵀMφ = 1`.
    pub fn vector(&self, k: usize) -> &[f64] {
        self.eigen.vector(k)
    }

    /// All eigenvectors as columns, n × n, column-major.
    pub fn vectors(&self) -> &[f64] {
        self.eigen.vectors()
    }
}
