//! Blocked Cholesky factorisation of the leading columns of a symmetric matrix, in place.
//!
//! With `H = [H₁₁ ·; H₂₁ H₂₂]` the first columns become `L₁₁` and `H₂₁ L₁₁⁻ᵀ`: the elimination of the first
//! unknowns of a quadratic form. With as many columns as rows it is the whole factorisation. Left-looking: each
//! panel of columns first receives the products of all panels before it, through [`Packing`], and is then factored
//! by itself. Source: Golub and Van Loan, *Matrix Computations*, 4th ed., section 4.2.

use super::gemm::{Mat, MatMut, Packing, Update};
use super::panel::{PANEL, factor_panel, four_columns, subtract_panel};
use super::vector::{axpy, dot, gemv_add};

/// Columns between two products with all that lies before.
const BLOCK: usize = 12;

/// Factors the first `cols` columns of the lower triangle of a matrix of `order` rows, whose columns start `ld`
/// apart in `a`. Fails with the index of the first pivot that is not above `floor`.
pub(crate) fn partial_cholesky(
    a: &mut [f64],
    ld: usize,
    order: usize,
    cols: usize,
    floor: f64,
    packing: &mut Packing,
) -> Result<(), usize> {
    for j in (0..cols).step_by(BLOCK) {
        let width = BLOCK.min(cols - j);
        let (done, panel) = a.split_at_mut(j * ld);
        let panel = &mut panel[j..];
        let rows = order - j;
        if j > 0 {
            let left = Mat::strided(&done[j..], rows, j, ld);
            let target = MatMut::strided(panel, rows, width, ld);
            packing.product_lower(Update::Subtract, left, left.block(0, 0, width, j).t(), target);
        }
        let mut c = 0;
        while c + PANEL <= width {
            let (before, columns) = panel.split_at_mut(c * ld);
            for k in (0..c).step_by(PANEL) {
                let earlier: [&[f64]; PANEL] =
                    std::array::from_fn(|i| &before[(k + i) * ld + c..][..rows - c]);
                subtract_panel(four_columns(&mut columns[c..], ld, rows - c), earlier);
            }
            factor_panel(four_columns(&mut columns[c..], ld, rows - c), [floor; PANEL])
                .map_err(|(column, _)| j + c + column)?;
            c += PANEL;
        }
        // the columns that are left over, one by one
        for c in c..width {
            let (before, column) = panel.split_at_mut(c * ld);
            let column = &mut column[c..rows];
            let mut row = [0.0; BLOCK];
            (0..c).for_each(|b| row[b] = before[b * ld + c]);
            gemv_add(-1.0, before.get(c..).unwrap_or(&[]), ld, &row[..c], column);
            // written so that a NaN fails as well
            if !(column[0] > floor && column[0].is_finite()) {
                return Err(j + c);
            }
            let inverse = 1.0 / column[0].sqrt();
            column.iter_mut().for_each(|v| *v *= inverse);
        }
    }
    Ok(())
}

/// `X ← −Y L⁻¹` for a lower triangular `L` of `m` rows: with `Y = H₂₁ L⁻ᵀ` this is `−H₂₁ (L Lᵀ)⁻¹`. `X` is `n ×
/// m`.
pub(crate) fn negative_right_solve(x: &mut [f64], y: Mat<'_>, l: &[f64], packing: &mut Packing) {
    let (n, m) = (y.rows(), y.cols());
    // blocks of columns from the last to the first
    let mut end = m;
    while end > 0 {
        let start = (end - 1) / BLOCK * BLOCK;
        let width = end - start;
        let (head, solved) = x.split_at_mut(end * n);
        let block = &mut head[start * n..];
        if end < m {
            let coupling = Mat::new(l, m, m).block(end, start, m - end, width);
            let block = MatMut::new(block, n, width);
            packing.product(
                Update::Sum(y.block(0, start, n, width)),
                Mat::new(solved, n, m - end),
                coupling,
                block,
            );
        } else {
            for c in 0..width {
                block[c * n..(c + 1) * n].copy_from_slice(y.column(start + c));
            }
        }
        // X L = −Y inside the block: here the block holds Y + (solved part) and gets its sign last
        for c in (start..end).rev() {
            let (column, later) = block.split_at_mut((c + 1 - start) * n);
            let column = &mut column[(c - start) * n..];
            gemv_add(1.0, later, n, &l[c * m + c + 1..c * m + end], column);
            let inverse = -1.0 / l[c * (m + 1)];
            column.iter_mut().for_each(|v| *v *= inverse);
        }
        end = start;
    }
}

/// `x ← L⁻¹x`
pub(crate) fn forward(l: &[f64], x: &mut [f64]) {
    let m = x.len();
    for j in 0..m {
        x[j] /= l[j * (m + 1)];
        let (head, tail) = x.split_at_mut(j + 1);
        axpy(-head[j], &l[j * m + j + 1..(j + 1) * m], tail);
    }
}

/// `x ← L⁻ᵀx`
pub(crate) fn backward(l: &[f64], x: &mut [f64]) {
    let m = x.len();
    for j in (0..m).rev() {
        x[j] = (x[j] - dot(&l[j * m + j + 1..(j + 1) * m], &x[j + 1..])) / l[j * (m + 1)];
    }
}
