//! Vector kernels on slices: the inner loops of everything else in this crate.
//!
//! A dot product is a chain of additions, and a processor adds two numbers only every three or four cycles when
//! each sum waits for the last. So every reduction here runs in several independent partial sums, joined at the end
//! **in a fixed order**: the compiler turns the partial sums into vector registers (SSE2 in the default build,
//! wider ones when asked for), and the result has the same bits in both cases. Matrix-vector products take four
//! columns at a time, so that the vector is loaded once for four uses.
//!
//! Matrices are column-major with a leading dimension `ld` (the distance between the heads of two columns).

/// The scalar product xᵀy.
///
/// ```
/// assert_eq!(sinew_solve::dense::dot(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]), 32.0);
/// ```
///
/// # Panics
/// If the lengths differ.
#[inline]
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    assert_eq!(x.len(), y.len());
    let (xc, xt) = x.as_chunks::<8>();
    let (yc, yt) = y.as_chunks::<8>();
    let mut s = [0.0; 8];
    for (a, b) in xc.iter().zip(yc) {
        for l in 0..8 {
            s[l] += a[l] * b[l];
        }
    }
    let mut tail = 0.0;
    for (a, b) in xt.iter().zip(yt) {
        tail += a * b;
    }
    ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])) + tail
}

/// The Euclidean length of x, safe against overflow only as far as the sum of squares is.
///
/// ```
/// assert_eq!(sinew_solve::dense::norm(&[3.0, 4.0]), 5.0);
/// ```
#[inline]
pub fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// The largest magnitude in x (0 for an empty slice; NaN entries are passed over).
///
/// ```
/// assert_eq!(sinew_solve::dense::max_abs(&[1.0, -3.0, 2.0]), 3.0);
/// ```
#[inline]
pub fn max_abs(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, v| if v.abs() > m { v.abs() } else { m })
}

/// y ← y + αx.
///
/// ```
/// let mut y = [1.0, 1.0];
/// sinew_solve::dense::axpy(2.0, &[1.0, 3.0], &mut y);
/// assert_eq!(y, [3.0, 7.0]);
/// ```
///
/// # Panics
/// If the lengths differ.
#[inline]
pub fn axpy(alpha: f64, x: &[f64], y: &mut [f64]) {
    assert_eq!(x.len(), y.len());
    for (yi, xi) in y.iter_mut().zip(x) {
        *yi += alpha * xi;
    }
}

/// Plane rotation of two vectors: (x, y) ← (c·x + s·y, c·y − s·x).
#[inline]
pub(crate) fn rotate(x: &mut [f64], y: &mut [f64], c: f64, s: f64) {
    for (a, b) in x.iter_mut().zip(y) {
        let (p, q) = (*a, *b);
        *a = c * p + s * q;
        *b = c * q - s * p;
    }
}

/// The plane rotation (c, s, r) with c·a + s·b = r and c·b − s·a = 0.
#[inline]
pub(crate) fn givens(a: f64, b: f64) -> (f64, f64, f64) {
    if b == 0.0 {
        return (1.0, 0.0, a);
    }
    // Scaled by the larger entry, so that neither square overflows.
    let scale = a.abs().max(b.abs());
    let (p, q) = (a / scale, b / scale);
    let h = (p * p + q * q).sqrt();
    (p / h, q / h, scale * h)
}

/// Four scalar products with one vector.
#[inline]
pub(crate) fn dot4(c: [&[f64]; 4], x: &[f64]) -> [f64; 4] {
    let n = x.len();
    let (body, tail) = (n / 4 * 4, n % 4);
    let s = partial_sums(c, x);
    let mut out = s.map(|s| (s[0] + s[2]) + (s[1] + s[3]));
    if tail > 0 {
        for (o, c) in out.iter_mut().zip(c) {
            for (c, x) in c[body..n].iter().zip(&x[body..]) {
                *o += c * x;
            }
        }
    }
    out
}

/// Four partial sums for each of four columns. A function of its own, so that the compiler keeps the lanes of one column in
/// a register instead of shuffling columns together for the final sums.
#[inline(never)]
fn partial_sums(c: [&[f64]; 4], x: &[f64]) -> [[f64; 4]; 4] {
    let n = x.len();
    let x = x.as_chunks::<4>().0;
    let [a, b, d, e] = c.map(|c| c[..n].as_chunks::<4>().0);
    let mut s = [[0.0; 4]; 4];
    for ((((x, a), b), d), e) in x.iter().zip(a).zip(b).zip(d).zip(e) {
        for l in 0..4 {
            s[0][l] += a[l] * x[l];
            s[1][l] += b[l] * x[l];
            s[2][l] += d[l] * x[l];
            s[3][l] += e[l] * x[l];
        }
    }
    s
}

/// out ← Aᵀx for the first `out.len()` columns of A; x may be shorter than a column (its head is used).
#[inline]
pub(crate) fn gemv_t(a: &[f64], ld: usize, x: &[f64], out: &mut [f64]) {
    let n = x.len();
    let mut k = 0;
    while k + 4 <= out.len() {
        let c = |i: usize| &a[(k + i) * ld..(k + i) * ld + n];
        out[k..k + 4].copy_from_slice(&dot4([c(0), c(1), c(2), c(3)], x));
        k += 4;
    }
    while k < out.len() {
        out[k] = dot(&a[k * ld..k * ld + n], x);
        k += 1;
    }
}

/// y ← y + Σ αₖ·(column k), four columns given.
#[inline]
pub(crate) fn axpy4(alpha: [f64; 4], c: [&[f64]; 4], y: &mut [f64]) {
    let n = y.len();
    let (a, b, d, e) = (&c[0][..n], &c[1][..n], &c[2][..n], &c[3][..n]);
    for i in 0..n {
        y[i] += (alpha[0] * a[i] + alpha[1] * b[i]) + (alpha[2] * d[i] + alpha[3] * e[i]);
    }
}

/// y ← y + αAx for the first `x.len()` columns of A; y may be shorter than a column (its head is used).
#[inline]
pub(crate) fn gemv_add(alpha: f64, a: &[f64], ld: usize, x: &[f64], y: &mut [f64]) {
    let n = y.len();
    let mut k = 0;
    while k + 4 <= x.len() {
        let c = |i: usize| &a[(k + i) * ld..(k + i) * ld + n];
        let f = [alpha * x[k], alpha * x[k + 1], alpha * x[k + 2], alpha * x[k + 3]];
        axpy4(f, [c(0), c(1), c(2), c(3)], y);
        k += 4;
    }
    while k < x.len() {
        axpy(alpha * x[k], &a[k * ld..k * ld + n], y);
        k += 1;
    }
}

/// y ← Ax with the columns where x is zero left out: in control problems many variables rest at a bound of zero.
#[inline]
pub(crate) fn gemv_skip_zeros(a: &[f64], ld: usize, x: &[f64], y: &mut [f64]) {
    let n = y.len();
    y.fill(0.0);
    let mut group = [0usize; 4];
    let mut filled = 0;
    for (k, &xk) in x.iter().enumerate() {
        if xk == 0.0 {
            continue;
        }
        group[filled] = k;
        filled += 1;
        if filled == 4 {
            let c = |i: usize| &a[group[i] * ld..group[i] * ld + n];
            axpy4(group.map(|k| x[k]), [c(0), c(1), c(2), c(3)], y);
            filled = 0;
        }
    }
    for &k in &group[..filled] {
        axpy(x[k], &a[k * ld..k * ld + n], y);
    }
}

/// Calls `f(i, (Ax)ᵢ)` for every row of an m-row column-major matrix, without storage for the product.
#[inline]
pub(crate) fn for_each_product(a: &[f64], m: usize, x: &[f64], mut f: impl FnMut(usize, f64)) {
    const BLOCK: usize = 8;
    let mut i = 0;
    while i + BLOCK <= m {
        let mut s = [0.0; BLOCK];
        for (column, x) in a.chunks_exact(m).zip(x) {
            let Some(c) = column[i..].first_chunk::<BLOCK>() else { unreachable!() };
            for l in 0..BLOCK {
                s[l] += c[l] * x;
            }
        }
        for (l, s) in s.into_iter().enumerate() {
            f(i + l, s);
        }
        i += BLOCK;
    }
    let rest = m - i;
    if rest > 0 {
        let mut s = [0.0; BLOCK];
        for (column, x) in a.chunks_exact(m).zip(x) {
            for (s, c) in s.iter_mut().zip(&column[i..]) {
                *s += c * x;
            }
        }
        for (l, s) in s[..rest].iter().enumerate() {
            f(i + l, *s);
        }
    }
}
