//! Four neighbouring columns of a matrix: the innermost blocks of the triangular factorisations.
//!
//! A column that is changed by one other column at a time is loaded and stored once per multiply-add and element. With
//! four columns changed by four others it is once per four, and the sixteen factors are spread over registers before
//! the loop. Rows are independent of each other, so that the loops here become vector instructions of any width without
//! a change of the results.

/// Width of a panel.
pub(super) const PANEL: usize = 4;

/// The first `rows` entries of four neighbouring columns that start `ld` apart.
#[inline]
pub(super) fn four_columns(a: &mut [f64], ld: usize, rows: usize) -> [&mut [f64]; PANEL] {
    let (p0, rest) = a.split_at_mut(ld);
    let (p1, rest) = rest.split_at_mut(ld);
    let (p2, p3) = rest.split_at_mut(ld);
    [&mut p0[..rows], &mut p1[..rows], &mut p2[..rows], &mut p3[..rows]]
}

/// Subtracts an earlier panel from a panel, both given from the panel's diagonal down: `p_k ← p_k − Σ_l a_l[k] a_l`.
#[inline]
pub(super) fn subtract_panel(p: [&mut [f64]; PANEL], a: [&[f64]; PANEL]) {
    let ([p0, p1, p2, p3], [a, b, c, d]) = (p, a);
    subtract_earlier(p0, p1, p2, p3, a, b, c, d);
}

// Here and below the columns are separate arguments so that the compiler knows that they do not overlap.
#[inline(never)]
fn subtract_earlier(
    p0: &mut [f64],
    p1: &mut [f64],
    p2: &mut [f64],
    p3: &mut [f64],
    a: &[f64],
    b: &[f64],
    c: &[f64],
    d: &[f64],
) {
    let m = a.len();
    let (p0, p1, p2, p3) = (&mut p0[..m], &mut p1[..m], &mut p2[..m], &mut p3[..m]);
    let (b, c, d) = (&b[..m], &c[..m], &d[..m]);
    let f: [[f64; PANEL]; PANEL] = std::array::from_fn(|k| [a[k], b[k], c[k], d[k]]);
    for i in 0..m {
        let (x, y, z, w) = (a[i], b[i], c[i], d[i]);
        p0[i] -= (f[0][0] * x + f[0][1] * y) + (f[0][2] * z + f[0][3] * w);
        p1[i] -= (f[1][0] * x + f[1][1] * y) + (f[1][2] * z + f[1][3] * w);
        p2[i] -= (f[2][0] * x + f[2][1] * y) + (f[2][2] * z + f[2][3] * w);
        p3[i] -= (f[3][0] * x + f[3][1] * y) + (f[3][2] * z + f[3][3] * w);
    }
}

/// The triangle on the diagonal of a factored panel.
pub(super) struct Triangle {
    /// By columns; what lies above the diagonal means nothing.
    pub(super) t: [[f64; PANEL]; PANEL],
    /// Reciprocals of its diagonal.
    pub(super) inverse: [f64; PANEL],
}

/// Cholesky factorisation of four columns, given from their diagonal down and free of what earlier columns contribute.
/// Fails with the number of the first column whose pivot is not above its `floor`, and that pivot.
#[inline]
pub(super) fn factor_panel(
    mut columns: [&mut [f64]; PANEL],
    floor: [f64; PANEL],
) -> Result<Triangle, (usize, f64)> {
    // the small triangle on the diagonal, column by column
    let mut t: [[f64; PANEL]; PANEL] = std::array::from_fn(|c| std::array::from_fn(|i| columns[c][i]));
    let mut inverse = [0.0; PANEL];
    for c in 0..PANEL {
        let pivot = t[c][c];
        // written so that a NaN fails as well
        if !(pivot > 0.0 && pivot > floor[c] && pivot < f64::INFINITY) {
            return Err((c, pivot));
        }
        let root = pivot.sqrt();
        t[c][c] = root;
        inverse[c] = 1.0 / root;
        for i in c + 1..PANEL {
            t[c][i] *= inverse[c];
        }
        for k in c + 1..PANEL {
            for i in k..PANEL {
                t[k][i] -= t[c][i] * t[c][k];
            }
        }
    }
    for (c, t) in columns.iter_mut().zip(&t) {
        c[..PANEL].copy_from_slice(t);
    }
    let [p0, p1, p2, p3] = columns.map(|c| &mut c[PANEL..]);
    solve_rows(p0, p1, p2, p3, &t, &inverse);
    Ok(Triangle { t, inverse })
}

/// `X ← X T⁻ᵀ`: the rows below a triangle, each solved against it.
#[inline(never)]
fn solve_rows(
    p0: &mut [f64],
    p1: &mut [f64],
    p2: &mut [f64],
    p3: &mut [f64],
    t: &[[f64; PANEL]; PANEL],
    inverse: &[f64; PANEL],
) {
    let m = p0.len();
    let (p1, p2, p3) = (&mut p1[..m], &mut p2[..m], &mut p3[..m]);
    for i in 0..m {
        let a = p0[i] * inverse[0];
        let b = (p1[i] - t[0][1] * a) * inverse[1];
        let c = (p2[i] - t[0][2] * a - t[1][2] * b) * inverse[2];
        let d = (p3[i] - t[0][3] * a - t[1][3] * b - t[2][3] * c) * inverse[3];
        (p0[i], p1[i], p2[i], p3[i]) = (a, b, c, d);
    }
}
