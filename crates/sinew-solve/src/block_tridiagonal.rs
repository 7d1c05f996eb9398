//! Symmetric positive definite block-tridiagonal systems.
//!
//! Problems over a trajectory whose terms couple neighbouring frames (smoothing, clean-up, motion editing, the
//! normal equations of an optimal control problem) have a matrix with square blocks `D_k` on the diagonal and
//! `E_k` below it. Its Cholesky factor has the same shape:
//!
//! ```text
//! L_k L_kᵀ = D_k − B_{k−1} B_{k−1}ᵀ,      B_k = E_k L_k⁻ᵀ
//! ```
//!
//! Both come from one partial factorisation of the stacked blocks `[D_k; E_k]`. Cost: `7/3 n³` flops per block,
//! against `N² n³` for a dense matrix; a solve costs `4n²` per block. Source: Golub and Van Loan, *Matrix
//! Computations*, 4th ed., section 4.5.

use crate::dense::gemm::{Mat, MatMut, Packing, Update};
use crate::dense::partial_cholesky::{backward, forward, partial_cholesky};
use crate::dense::vector::{gemv_add, gemv_t};

/// The matrix and, after [`BlockTridiagonal::factor`], its factor in the same place.
///
/// ```
/// use sinew_solve::block_tridiagonal::BlockTridiagonal;
/// // the second difference on four points, as 1 × 1 blocks
/// let mut system = BlockTridiagonal::new(1, 4);
/// for k in 0..4 {
///     system.diagonal_mut(k)[0] = 2.0;
/// }
/// for k in 0..3 {
///     system.below_mut(k)[0] = -1.0;
/// }
/// system.factor().unwrap();
/// let mut x = [1.0, 0.0, 0.0, 0.0];
/// system.solve(&mut x);
/// assert!((x[0] - 0.8).abs() < 1e-15 && (x[3] - 0.2).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct BlockTridiagonal {
    n: usize,
    count: usize,
    /// `D_k`, then `L_k`.
    diagonal: Vec<f64>,
    /// `E_k`, then `B_k`.
    below: Vec<f64>,
    /// `[D_k; E_k]`, 2n × n.
    stacked: Vec<f64>,
    packing: Packing,
    carry: Vec<f64>,
}

/// A block lost positive definiteness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("pivot {row} of block {block} is not positive")]
pub struct BlockNotPositiveDefinite {
    /// The block.
    pub block: usize,
    /// Its row.
    pub row: usize,
}

impl BlockTridiagonal {
    /// A matrix of zeros, of `count` × `count` blocks of n × n.
    pub fn new(n: usize, count: usize) -> Self {
        Self {
            n,
            count,
            diagonal: vec![0.0; n * n * count],
            below: vec![0.0; n * n * count.saturating_sub(1)],
            stacked: vec![0.0; 2 * n * n],
            packing: Packing::new(2 * n, n),
            carry: vec![0.0; n],
        }
    }

    /// Block (k, k), n × n, column-major; the lower triangle counts.
    pub fn diagonal_mut(&mut self, k: usize) -> &mut [f64] {
        let size = self.n * self.n;
        &mut self.diagonal[k * size..(k + 1) * size]
    }

    /// Block (k + 1, k), n × n, column-major.
    pub fn below_mut(&mut self, k: usize) -> &mut [f64] {
        let size = self.n * self.n;
        &mut self.below[k * size..(k + 1) * size]
    }

    /// Factors the matrix in place. On failure its content is undefined.
    pub fn factor(&mut self) -> Result<(), BlockNotPositiveDefinite> {
        let n = self.n;
        let size = n * n;
        for k in 0..self.count {
            let more = k + 1 < self.count;
            let rows = if more { 2 * n } else { n };
            for j in 0..n {
                let column = &mut self.stacked[j * rows..(j + 1) * rows];
                column[..n].copy_from_slice(&self.diagonal[k * size + j * n..k * size + (j + 1) * n]);
                if more {
                    column[n..].copy_from_slice(&self.below[k * size + j * n..k * size + (j + 1) * n]);
                }
            }
            partial_cholesky(&mut self.stacked, rows, rows, n, 0.0, &mut self.packing)
                .map_err(|row| BlockNotPositiveDefinite { block: k, row })?;
            for j in 0..n {
                let column = &self.stacked[j * rows..(j + 1) * rows];
                self.diagonal[k * size + j * n..k * size + (j + 1) * n].copy_from_slice(&column[..n]);
                if more {
                    self.below[k * size + j * n..k * size + (j + 1) * n].copy_from_slice(&column[n..]);
                }
            }
            if more {
                let b = Mat::new(&self.below[k * size..], n, n);
                let next = MatMut::new(&mut self.diagonal[(k + 1) * size..], n, n);
                self.packing.product_lower(Update::Subtract, b, b.t(), next);
            }
        }
        Ok(())
    }

    /// `x ← A⁻¹x` for the n·count numbers of `x`, after [`BlockTridiagonal::factor`].
    ///
    /// # Panics
    /// When `x` has another length.
    pub fn solve(&mut self, x: &mut [f64]) {
        let (n, count) = (self.n, self.count);
        let size = n * n;
        assert_eq!(x.len(), n * count);
        for k in 0..count {
            let (done, rest) = x.split_at_mut(k * n);
            let here = &mut rest[..n];
            if k > 0 {
                gemv_add(-1.0, &self.below[(k - 1) * size..k * size], n, &done[(k - 1) * n..], here);
            }
            forward(&self.diagonal[k * size..(k + 1) * size], here);
        }
        for k in (0..count).rev() {
            let (head, done) = x.split_at_mut((k + 1) * n);
            let here = &mut head[k * n..];
            if k + 1 < count {
                gemv_t(&self.below[k * size..(k + 1) * size], n, &done[..n], &mut self.carry);
                here.iter_mut().zip(&self.carry).for_each(|(x, c)| *x -= c);
            }
            backward(&self.diagonal[k * size..(k + 1) * size], here);
        }
    }
}
