//! Symmetric positive definite matrices of blocks in which each block row reaches two blocks to either side, perhaps with a border.
//!
//! ```text
//! ⎡ D_0  ·    ·    …    Cᵀ ⎤     D_k: n × n,  E_k: block (k+1, k),  F_k: block (k+2, k)
//! ⎢ E_0  D_1  ·    …       ⎥     C: b rows across all block columns
//! ⎢ F_0  E_1  D_2  …       ⎥     S: b × b
//! ⎣ C_0  C_1  C_2  …    S  ⎦
//! ```
//!
//! The factorisation goes frame by frame through a dense *front* of the rows that the present block column reaches (frame `k`, the next
//! two, the border): a partial Cholesky factorisation eliminates frame `k`, one product updates the rest, and the front moves on.
//! Cost per block: `6n³` flops without a border, about `20n³` with a border of `2n`. Source: Duff and Reid, "The multifrontal solution of
//! indefinite sparse symmetric linear equations", ACM TOMS 9 (1983), for the idea.

use crate::dense::gemm::{Mat, MatMut, Packing, Update};
use crate::dense::partial_cholesky::{backward, forward, partial_cholesky};

/// The matrix, its factor, and the workspace for both.
///
/// ```
/// use sinew_solve::chain::BlockBand;
/// // the fourth difference's matrix on five points, as 1 × 1 blocks
/// let mut system = BlockBand::new(1, 5, 0);
/// for k in 0..5 {
///     system.add(k, k, &[6.0], 1);
///     if k + 1 < 5 { system.add(k + 1, k, &[-4.0], 1); }
///     if k + 2 < 5 { system.add(k + 2, k, &[1.0], 1); }
/// }
/// system.factor(0.0).unwrap();
/// let mut x = [3.0, -1.0, 0.0, -1.0, 3.0]; // the matrix times (1, 1, 1, 1, 1)
/// system.solve(&mut x);
/// assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-12));
/// ```
#[derive(Clone, Debug)]
pub struct BlockBand {
    n: usize,
    count: usize,
    border: usize,
    /// Block columns, (3n + border) × n each: D, E, F, C.
    columns: Vec<f64>,
    corner: Vec<f64>,
    /// `L` of each block column, n × n.
    lower: Vec<f64>,
    /// The part below it, (2n + border) × n.
    below: Vec<f64>,
    corner_factor: Vec<f64>,
    front: Vec<f64>,
    moved: Vec<f64>,
    packing: Packing,
}

/// A pivot was not positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("pivot {row} of block {block} is not positive")]
pub struct BlockBandNotPositive {
    /// The block; as many as there are blocks for the border.
    pub block: usize,
    /// Its row.
    pub row: usize,
}

impl BlockBand {
    /// A matrix of zeros, of `count` blocks of n × n and a border of `border` rows.
    pub fn new(n: usize, count: usize, border: usize) -> Self {
        let (reach, order) = (2 * n + border, 3 * n + border);
        Self {
            n,
            count,
            border,
            columns: vec![0.0; order * n * count],
            corner: vec![0.0; border * border],
            lower: vec![0.0; n * n * count],
            below: vec![0.0; reach * n * count],
            corner_factor: vec![0.0; border * border],
            front: vec![0.0; order * order],
            moved: vec![0.0; order * order],
            packing: Packing::new(order, order),
        }
    }

    /// Makes all entries zero.
    pub fn clear(&mut self) {
        self.columns.fill(0.0);
        self.corner.fill(0.0);
    }

    /// Adds an n × n block (columns `ld` apart) at the block row `i` and column `j ≤ i`; of a block on the diagonal only the lower
    /// triangle counts. Blocks from `count` on are those of the border.
    ///
    /// # Panics
    /// When it lies outside the band.
    pub fn add(&mut self, i: usize, j: usize, block: &[f64], ld: usize) {
        self.each(i, j, |r, c| block[c * ld + r]);
    }

    /// Adds the transpose of a block.
    ///
    /// # Panics
    /// When it lies outside the band.
    pub fn add_transposed(&mut self, i: usize, j: usize, block: &[f64], ld: usize) {
        self.each(i, j, |r, c| block[r * ld + c]);
    }

    fn each(&mut self, i: usize, j: usize, entry: impl Fn(usize, usize) -> f64) {
        let (n, order) = (self.n, 3 * self.n + self.border);
        let (out, ld) = if j >= self.count {
            let at = (j - self.count) * n * self.border + (i - self.count) * n;
            (&mut self.corner[at..], self.border)
        } else {
            let row = if i >= self.count { 3 * n + (i - self.count) * n } else { (i - j) * n };
            assert!(i >= j && (i >= self.count || i - j <= 2), "block ({i}, {j}) is outside the band");
            (&mut self.columns[j * order * n + row..], order)
        };
        for c in 0..n {
            for (r, out) in out[c * ld..c * ld + n].iter_mut().enumerate() {
                *out += entry(r, c);
            }
        }
    }

    /// Factors the matrix with `damping` added to its diagonal; the matrix stays.
    ///
    /// # Errors
    /// When it is not positive definite.
    pub fn factor(&mut self, damping: f64) -> Result<(), BlockBandNotPositive> {
        let (n, b) = (self.n, self.border);
        let (reach, order) = (2 * n + b, 3 * n + b);
        self.front.fill(0.0);
        for k in 0..self.count {
            let column = &self.columns[k * order * n..(k + 1) * order * n];
            self.front[..order * n].iter_mut().zip(column).for_each(|(f, c)| *f += c);
            (0..n).for_each(|j| self.front[j * (order + 1)] += damping);
            partial_cholesky(&mut self.front, order, order, n, 0.0, &mut self.packing)
                .map_err(|row| BlockBandNotPositive { block: k, row })?;
            let (lower, below) =
                (&mut self.lower[k * n * n..][..n * n], &mut self.below[k * reach * n..][..reach * n]);
            for j in 0..n {
                let column = &self.front[j * order..(j + 1) * order];
                lower[j * n..(j + 1) * n].copy_from_slice(&column[..n]);
                below[j * reach..(j + 1) * reach].copy_from_slice(&column[n..]);
            }
            // the rest of the front, moved on by a block
            let left = Mat::new(below, reach, n);
            let rest = MatMut::strided(&mut self.front[n * order + n..], reach, reach, order);
            self.packing.product_lower(Update::Subtract, left, left.t(), rest);
            self.move_front();
        }
        for j in 0..b {
            for i in j..b {
                self.corner_factor[j * b + i] =
                    self.front[(3 * n + j) * order + 3 * n + i] + self.corner[j * b + i];
            }
            self.corner_factor[j * (b + 1)] += damping;
        }
        partial_cholesky(&mut self.corner_factor, b, b, b, 0.0, &mut self.packing)
            .map_err(|row| BlockBandNotPositive { block: self.count, row })
    }

    /// The second and third block of the front become the first and second; the border stays.
    fn move_front(&mut self) {
        let (n, order) = (self.n, 3 * self.n + self.border);
        let Self { front, moved, .. } = self;
        moved.fill(0.0);
        for j in 0..2 * n {
            let (from, to) = (&front[(n + j) * order..(n + j + 1) * order], &mut moved[j * order..]);
            to[..2 * n].copy_from_slice(&from[n..3 * n]);
            to[3 * n..order].copy_from_slice(&from[3 * n..]);
        }
        moved[3 * n * order..].copy_from_slice(&front[3 * n * order..]);
        std::mem::swap(front, moved);
    }

    /// `x ← A⁻¹x`, after [`BlockBand::factor`]; the border's numbers last.
    ///
    /// # Panics
    /// When `x` has another length.
    pub fn solve(&mut self, x: &mut [f64]) {
        let (n, b) = (self.n, self.border);
        let (reach, inner) = (2 * n + b, n * self.count);
        assert_eq!(x.len(), inner + b);
        let (x, edge) = x.split_at_mut(inner);
        for k in 0..self.count {
            let (here, ahead) = x[k * n..].split_at_mut(n);
            forward(&self.lower[k * n * n..][..n * n], here);
            let below = &self.below[k * reach * n..][..reach * n];
            for (j, h) in here.iter().enumerate() {
                let column = &below[j * reach..(j + 1) * reach];
                ahead.iter_mut().zip(&column[..2 * n]).for_each(|(x, c)| *x -= h * c);
                edge.iter_mut().zip(&column[2 * n..]).for_each(|(x, c)| *x -= h * c);
            }
        }
        forward(&self.corner_factor, edge);
        backward(&self.corner_factor, edge);
        for k in (0..self.count).rev() {
            let (here, ahead) = x[k * n..].split_at_mut(n);
            let below = &self.below[k * reach * n..][..reach * n];
            for (j, h) in here.iter_mut().enumerate() {
                let column = &below[j * reach..(j + 1) * reach];
                let near: f64 = ahead.iter().zip(&column[..2 * n]).map(|(x, c)| x * c).sum();
                let far: f64 = edge.iter().zip(&column[2 * n..]).map(|(x, c)| x * c).sum();
                *h -= near + far;
            }
            backward(&self.lower[k * n * n..][..n * n], here);
        }
    }
}
