//! Products of small dense matrices on column-major slices.
//!
//! `C ← A B`, `C ← C + A B` or `C ← C − A B`, in full, only on and below the diagonal (when the product is known
//! to be symmetric), or with a triangular left factor whose zeros are skipped.
//!
//! # Method
//! The operands are copied into *packed panels*: `A` in panels of `MR` rows, `B` in panels of `NR` columns, both
//! ordered by the summation index and padded with zeros. One kernel then computes an `MR × NR` tile of `C` in
//! registers, reading both panels front to back (Goto and van de Geijn, "Anatomy of high-performance matrix
//! multiplication", ACM TOMS 34, 2008). The matrices of this crate are at most a few hundred wide and fit in the
//! second-level cache, so the outer blocking of that paper is left out.
//!
//! Every element of `C` is the sum over `k` in increasing order, with one accumulator: tile sizes and vector width
//! do not change the bits of the result.
//!
//! # Cost
//! `2mnk` flops and `mk + kn` copies. Nothing is allocated after [`Packing::new`].

/// Rows of a tile: one vector register with AVX and above, two with SSE.
const MR: usize = if cfg!(target_feature = "avx512f") { 8 } else { 4 };
/// Columns of a tile: as many as keep all accumulators in registers. Found by measuring; larger tiles spill, or
/// are not vectorised at all.
const NR: usize = if cfg!(target_feature = "avx") && !cfg!(target_feature = "avx512f") { 12 } else { 6 };
/// Copies of each packed element of `B`: without AVX a scalar cannot be spread over a register by its load alone,
/// and spreading it while packing saves a shuffle per use.
const COPIES: usize = if cfg!(target_feature = "avx") { 1 } else { 2 };

/// A read-only matrix inside a slice; transposition and sub-blocks are free.
///
/// ```
/// use sinew_solve::dense::gemm::Mat;
/// let m = Mat::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2, 3);
/// assert_eq!(m.get(0, 2), 5.0);
/// assert_eq!(m.t().block(1, 0, 2, 1).get(1, 0), 5.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mat<'a> {
    data: &'a [f64],
    rows: usize,
    cols: usize,
    row_stride: usize,
    col_stride: usize,
}

impl<'a> Mat<'a> {
    /// A `rows × cols` matrix stored column after column without gaps.
    ///
    /// # Panics
    /// When the slice is shorter than `rows · cols`.
    pub fn new(data: &'a [f64], rows: usize, cols: usize) -> Self {
        assert!(data.len() >= rows * cols, "slice of {} for a {rows} x {cols} matrix", data.len());
        Self { data, rows, cols, row_stride: 1, col_stride: rows }
    }

    /// A `rows × cols` matrix whose columns start `ld` apart.
    ///
    /// # Panics
    /// When `ld < rows` or the slice is too short.
    pub fn strided(data: &'a [f64], rows: usize, cols: usize, ld: usize) -> Self {
        assert!(
            ld >= rows && (cols == 0 || data.len() >= (cols - 1) * ld + rows),
            "columns overlap or are missing"
        );
        Self { data, rows, cols, row_stride: 1, col_stride: ld }
    }

    /// The transpose, without copying.
    pub fn t(self) -> Self {
        Self {
            rows: self.cols,
            cols: self.rows,
            row_stride: self.col_stride,
            col_stride: self.row_stride,
            ..self
        }
    }

    /// The `rows × cols` block whose first element is `(i, j)`.
    ///
    /// # Panics
    /// When the block does not lie inside the matrix.
    pub fn block(self, i: usize, j: usize, rows: usize, cols: usize) -> Self {
        assert!(i + rows <= self.rows && j + cols <= self.cols, "block outside the matrix");
        let start = (i * self.row_stride + j * self.col_stride).min(self.data.len());
        Self { data: &self.data[start..], rows, cols, ..self }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Element `(i, j)`.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.row_stride + j * self.col_stride]
    }

    /// Column `j` as a slice.
    ///
    /// # Panics
    /// When the matrix is stored by rows.
    pub fn column(&self, j: usize) -> &'a [f64] {
        assert!(self.row_stride == 1, "a column of a matrix stored by rows");
        &self.data[j * self.col_stride..][..self.rows]
    }

    /// Copies rows `i..` as a packed panel: per column `R` rows of `C` copies each, `out[k][r] = [self[i + r, k]; C]`.
    #[inline(always)]
    fn pack_rows<const R: usize, const C: usize>(&self, i: usize, out: &mut [[[f64; C]; R]]) {
        let rows = R.min(self.rows - i);
        let out = &mut out[..self.cols];
        if rows < R {
            out.fill([[0.0; C]; R]);
        }
        if self.row_stride == 1 {
            for (k, out) in out.iter_mut().enumerate() {
                let from = &self.data[i + k * self.col_stride..];
                match from.first_chunk::<R>() {
                    Some(from) if rows == R => *out = from.map(|v| [v; C]),
                    _ => out.iter_mut().zip(&from[..rows]).for_each(|(out, v)| *out = [*v; C]),
                }
            }
        } else if rows == R {
            // side by side, so that whole packed steps are written
            let from: [&[f64]; R] =
                std::array::from_fn(|r| &self.data[(i + r) * self.row_stride..][..self.cols]);
            for (k, out) in out.iter_mut().enumerate() {
                *out = from.map(|row| [row[k]; C]);
            }
        } else {
            for r in 0..rows {
                let from = &self.data[(i + r) * self.row_stride..][..self.cols];
                out.iter_mut().zip(from).for_each(|(out, v)| out[r] = [*v; C]);
            }
        }
    }
}

/// A matrix to write to: column-major with a leading dimension.
#[derive(Debug)]
pub struct MatMut<'a> {
    data: &'a mut [f64],
    rows: usize,
    cols: usize,
    ld: usize,
}

impl<'a> MatMut<'a> {
    /// A `rows × cols` matrix stored column after column without gaps.
    ///
    /// # Panics
    /// When the slice is shorter than `rows · cols`.
    pub fn new(data: &'a mut [f64], rows: usize, cols: usize) -> Self {
        assert!(data.len() >= rows * cols, "slice of {} for a {rows} x {cols} matrix", data.len());
        Self { data, rows, cols, ld: rows }
    }

    /// A `rows × cols` matrix whose columns start `ld` apart.
    ///
    /// # Panics
    /// When `ld < rows` or the slice is too short.
    pub fn strided(data: &'a mut [f64], rows: usize, cols: usize, ld: usize) -> Self {
        assert!(
            ld >= rows && (cols == 0 || data.len() >= (cols - 1) * ld + rows),
            "columns overlap or are missing"
        );
        Self { data, rows, cols, ld }
    }

    /// The `rows × cols` block whose first element is `(i, j)`.
    ///
    /// # Panics
    /// When the block does not lie inside the matrix.
    pub fn block(self, i: usize, j: usize, rows: usize, cols: usize) -> Self {
        assert!(i + rows <= self.rows && j + cols <= self.cols, "block outside the matrix");
        let start = (i + j * self.ld).min(self.data.len());
        Self { data: &mut self.data[start..], rows, cols, ld: self.ld }
    }
}

/// What the product is combined with.
#[derive(Clone, Copy, Debug)]
pub enum Update<'a> {
    /// `C ← A B`
    Set,
    /// `C ← D + A B`; `D` must be stored by columns (not transposed).
    Sum(Mat<'a>),
    /// `C ← C + A B`
    Add,
    /// `C ← C − A B`
    Subtract,
}

/// Which part of a product is wanted, or known to be zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Everything.
    Full,
    /// Only `C[i, j]` with `i ≥ j`.
    Lower,
    /// `A` is upper triangular: row `i` of it starts at `k = i`, and what lies before is zero.
    UpperFactor,
}

/// Room for packed operands: made once for the largest product.
#[derive(Clone, Debug)]
pub struct Packing {
    rows: usize,
    inner: usize,
    a: Vec<[[f64; 1]; MR]>,
    b: Vec<[[f64; COPIES]; NR]>,
}

impl Packing {
    /// Room for left factors of up to `rows × inner`.
    pub fn new(rows: usize, inner: usize) -> Self {
        let a = vec![[[0.0]; MR]; rows.div_ceil(MR) * inner];
        Self { rows: 0, inner: 0, a, b: vec![[[0.0; COPIES]; NR]; inner] }
    }

    /// `C ← A B`, or added to or subtracted from `C`.
    ///
    /// ```
    /// use sinew_solve::dense::gemm::{Mat, MatMut, Packing, Update};
    /// let (a, b) = ([1.0, 2.0, 3.0, 4.0], [1.0, 0.0, 1.0, 1.0]);
    /// let mut c = [0.0; 4];
    /// let mut packing = Packing::new(2, 2);
    /// packing.product(Update::Set, Mat::new(&a, 2, 2), Mat::new(&b, 2, 2).t(), MatMut::new(&mut c, 2, 2));
    /// assert_eq!(c, [4.0, 6.0, 3.0, 4.0]);
    /// ```
    ///
    /// # Panics
    /// When the shapes do not fit each other or the packing buffer.
    pub fn product(&mut self, update: Update<'_>, a: Mat<'_>, b: Mat<'_>, c: MatMut<'_>) {
        self.pack(a);
        self.multiply(Shape::Full, update, b, c);
    }

    /// As [`Packing::product`], but touches only the elements of `C` on and below the diagonal.
    pub fn product_lower(&mut self, update: Update<'_>, a: Mat<'_>, b: Mat<'_>, c: MatMut<'_>) {
        self.pack(a);
        self.multiply(Shape::Lower, update, b, c);
    }

    /// Packs the left factor of the [`Packing::multiply`] calls that follow.
    pub(crate) fn pack(&mut self, a: Mat<'_>) {
        (self.rows, self.inner) = (a.rows, a.cols);
        for (p, i) in (0..a.rows).step_by(MR).enumerate() {
            a.pack_rows::<MR, 1>(i, &mut self.a[p * a.cols..(p + 1) * a.cols]);
        }
    }

    /// Packs the transpose of a lower triangular matrix, whose elements above the diagonal are not read.
    pub(crate) fn pack_lower_transposed(&mut self, l: Mat<'_>) {
        (self.rows, self.inner) = (l.cols, l.rows);
        for (p, i) in (0..l.cols).step_by(MR).enumerate() {
            let panel = &mut self.a[p * l.rows + i..(p + 1) * l.rows];
            let below = l.block(i, i, l.rows - i, (l.cols - i).min(MR));
            below.t().pack_rows::<MR, 1>(0, panel);
            // what lies above the diagonal inside the panel
            for (k, row) in panel.iter_mut().take(MR).enumerate() {
                row[k + 1..].fill([0.0]);
            }
        }
    }

    /// The product of the packed left factor with `b`.
    pub(crate) fn multiply(&mut self, shape: Shape, update: Update<'_>, b: Mat<'_>, mut c: MatMut<'_>) {
        let inner = self.inner;
        assert!(inner == b.rows && self.rows == c.rows && b.cols == c.cols, "shapes of a product");
        if let Update::Sum(d) = update {
            assert!(d.rows == c.rows && d.cols == c.cols && d.row_stride == 1, "shape of a summand");
        }
        let mut tile = [[0.0; MR]; NR];
        for j in (0..c.cols).step_by(NR) {
            // one panel of B stays in the first-level cache while A streams past it
            b.t().pack_rows::<NR, COPIES>(j, &mut self.b);
            let start = if shape == Shape::Lower { j / MR * MR } else { 0 };
            for i in (start..c.rows).step_by(MR) {
                let first = if shape == Shape::UpperFactor { i.min(inner) } else { 0 };
                let a_panel = &self.a[i / MR * inner + first..(i / MR + 1) * inner];
                let b_panel = &self.b[first..inner];
                let lower = shape == Shape::Lower;
                kernel(a_panel, b_panel, &mut tile);
                if i + MR <= c.rows && j + NR <= c.cols && (!lower || j + NR <= i + 1) {
                    store_whole(&tile, update, &mut c, i, j);
                } else {
                    store_clipped(&tile, update, lower, &mut c, i, j);
                }
            }
        }
    }
}

/// `tile[j][i] = Σ_k a[k][i] b[k][j]`
///
/// Kept apart from what becomes of the tile, so that the compiler gives all registers to the sums.
#[inline(never)]
// with AVX one copy is enough, and its index is always 0
#[allow(clippy::modulo_one)]
fn kernel(a: &[[[f64; 1]; MR]], b: &[[[f64; COPIES]; NR]], tile: &mut [[f64; MR]; NR]) {
    let mut sum = [[0.0; MR]; NR];
    for (a, b) in a.iter().zip(b) {
        for j in 0..NR {
            for i in 0..MR {
                sum[j][i] += a[i][0] * b[j][i % COPIES];
            }
        }
    }
    *tile = sum;
}

/// Stores the tile at `(i, j)` when all of it is wanted.
#[inline(always)]
fn store_whole(tile: &[[f64; MR]; NR], update: Update<'_>, c: &mut MatMut<'_>, i: usize, j: usize) {
    let columns = c.data[i + j * c.ld..].chunks_mut(c.ld).filter_map(|c| c.first_chunk_mut::<MR>()).zip(tile);
    match update {
        Update::Set => columns.for_each(|(c, t)| *c = *t),
        Update::Add => columns.for_each(|(c, t)| *c = std::array::from_fn(|r| c[r] + t[r])),
        Update::Subtract => columns.for_each(|(c, t)| *c = std::array::from_fn(|r| c[r] - t[r])),
        Update::Sum(d) => {
            let base =
                d.data[i + j * d.col_stride..].chunks(d.col_stride).filter_map(|d| d.first_chunk::<MR>());
            for ((c, t), d) in columns.zip(base) {
                *c = std::array::from_fn(|r| d[r] + t[r]);
            }
        }
    }
}

/// Stores the tile at `(i, j)`, clipped at the edges of `C` and, if asked, above its diagonal.
#[inline(never)]
fn store_clipped(
    tile: &[[f64; MR]; NR],
    update: Update<'_>,
    lower: bool,
    c: &mut MatMut<'_>,
    i: usize,
    j: usize,
) {
    let end = c.rows.min(i + MR);
    for (col, tile) in (j..c.cols).zip(tile) {
        let start = if lower { i.max(col).min(end) } else { i };
        let target = &mut c.data[col * c.ld + start..col * c.ld + end];
        let tile = &tile[start - i..end - i];
        match update {
            Update::Set => target.copy_from_slice(tile),
            Update::Add => target.iter_mut().zip(tile).for_each(|(c, t)| *c += t),
            Update::Subtract => target.iter_mut().zip(tile).for_each(|(c, t)| *c -= t),
            Update::Sum(d) => {
                let base = &d.data[col * d.col_stride + start..col * d.col_stride + end];
                for ((c, t), d) in target.iter_mut().zip(tile).zip(base) {
                    *c = d + t;
                }
            }
        }
    }
}
