//! Complete orthogonal decomposition A = U [T 0; 0 0] [Y Z]ᵀ of an m×n matrix of any rank r.
//!
//! The columns of Y (n×r) span the row space of A and those of Z (n×(n−r)) its null space; T is r×r, triangular and
//! regular. It gives everything that a singular value decomposition is used for in control (rank, null space, the
//! least-squares solution of smallest norm) at a fraction of the cost:
//!
//! 1. AᵀΠ = [Y Z] [R; 0] by QR with column pivoting, which decides the rank;
//! 2. Rᵀ = U T by a plain QR of the m×r matrix Rᵀ.
//!
//! Then ‖Ax − b‖ = ‖Rᵀ(Yᵀx) − Πᵀb‖, smallest at Yᵀx = T⁻¹(UᵀΠᵀb)₁..ᵣ, and the part Zᵀx is free.
//!
//! Source: Golub and Van Loan, Matrix Computations, 4th ed., section 5.4.7.

use super::householder::Qr;
use super::pivoted_qr::PivotedQr;
use super::triangular::{solve_upper, solve_upper_transposed};

/// A complete orthogonal decomposition with its workspace, for matrices of up to the given size.
///
/// ```
/// use sinew_solve::dense::CompleteOrthogonal;
/// // x + y = 2, given twice: the shortest solution is (1, 1).
/// let mut cod = CompleteOrthogonal::with_capacity(2, 2);
/// cod.factor(2, 2, &[1.0, 1.0, 1.0, 1.0], 1e-12);
/// assert_eq!(cod.rank(), 1);
/// let mut x = [0.0; 2];
/// cod.least_squares(&[2.0, 2.0], &mut x);
/// assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 1.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct CompleteOrthogonal {
    m: usize,
    n: usize,
    rows: PivotedQr,
    inner: Qr,
    scratch: Vec<f64>,
}

impl CompleteOrthogonal {
    /// Room for matrices of up to `m` rows and `n` columns.
    pub fn with_capacity(m: usize, n: usize) -> Self {
        Self {
            m: 0,
            n: 0,
            rows: PivotedQr::with_capacity(n, m),
            inner: Qr::with_capacity(m, n.min(m)),
            scratch: vec![0.0; m.max(n)],
        }
    }

    /// Decomposes the m×n matrix `a`; what is shorter than `threshold` counts as zero.
    ///
    /// # Panics
    /// If the sizes do not fit.
    pub fn factor(&mut self, m: usize, n: usize, a: &[f64], threshold: f64) {
        assert_eq!(a.len(), m * n);
        let t = self.prepare_transposed(m, n);
        for j in 0..n {
            for i in 0..m {
                t[i * n + j] = a[j * m + i];
            }
        }
        self.factor_prepared(threshold);
    }

    /// The storage for Aᵀ (row i of A in `[i·n..(i+1)·n]`), to be filled before
    /// [`CompleteOrthogonal::factor_prepared`].
    pub(crate) fn prepare_transposed(&mut self, m: usize, n: usize) -> &mut [f64] {
        (self.m, self.n) = (m, n);
        self.rows.prepare(n, m)
    }

    /// Decomposes what was written into the storage.
    pub(crate) fn factor_prepared(&mut self, threshold: f64) {
        let r = self.rows.factor_prepared(threshold);
        let m = self.m;
        let inner = self.inner.prepare(m, r);
        for i in 0..r {
            for j in 0..m {
                inner[i * m + j] = self.rows.r(i, j);
            }
        }
        self.inner.factor_prepared();
    }

    /// The rank r.
    pub fn rank(&self) -> usize {
        self.rows.rank()
    }

    /// T (upper triangular; what is below the diagonal is not part of it) and its leading dimension.
    pub(crate) fn triangle(&self) -> (&[f64], usize) {
        self.inner.triangle()
    }

    /// x ← T⁻¹x.
    pub(crate) fn solve_triangle(&self, x: &mut [f64]) {
        let (t, ld) = self.triangle();
        solve_upper(t, ld, &mut x[..self.rank()]);
    }

    /// x ← T⁻ᵀx.
    pub(crate) fn solve_triangle_transposed(&self, x: &mut [f64]) {
        let (t, ld) = self.triangle();
        solve_upper_transposed(t, ld, &mut x[..self.rank()]);
    }

    /// UᵀΠᵀb: the first r entries are what Ax can reach, the rest is the residual of the least-squares solution.
    pub(crate) fn rotate_target(&self, b: &[f64], out: &mut [f64]) {
        for (o, &k) in out.iter_mut().zip(self.rows.order()) {
            *o = b[k];
        }
        self.inner.apply_transpose(&mut out[..self.m]);
    }

    /// Column k of the orthogonal matrix [Y Z]: part of Y for k < r, of Z for the rest.
    ///
    /// # Panics
    /// If `out` does not have n entries or k ≥ n.
    pub fn basis(&self, k: usize, out: &mut [f64]) {
        assert!(k < self.n && out.len() == self.n);
        out.fill(0.0);
        out[k] = 1.0;
        self.rows.apply(out);
    }

    /// The x of smallest norm among those that minimise ‖Ax − b‖.
    ///
    /// # Panics
    /// If b or x does not have the size of the problem.
    pub fn least_squares(&mut self, b: &[f64], x: &mut [f64]) {
        assert!(b.len() == self.m && x.len() == self.n);
        let r = self.rank();
        let mut s = std::mem::take(&mut self.scratch);
        self.rotate_target(b, &mut s[..self.m]);
        self.solve_triangle(&mut s);
        x.fill(0.0);
        x[..r].copy_from_slice(&s[..r]);
        self.rows.apply(x);
        self.scratch = s;
    }
}
