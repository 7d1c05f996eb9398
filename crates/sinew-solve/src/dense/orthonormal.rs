//! An orthonormal set of vectors that grows: a basis of what has been decided so far.
//!
//! A hierarchy of least-squares problems fixes one direction of the space after the other. The vectors of those
//! directions are kept orthonormal by Gram-Schmidt, done twice (see `thin_qr`), so that the part of any vector in
//! their span, or outside it, is two matrix-vector products away and no basis of the complement is ever formed.

use super::vector::{gemv_add, gemv_t, norm};

/// What is left of a vector, relative to its length, below which it counts as lying in the span.
const ROUNDING: f64 = 1e-13;

/// Up to n orthonormal vectors of length n.
#[derive(Clone, Debug)]
pub(crate) struct Orthonormal {
    n: usize,
    count: usize,
    columns: Vec<f64>,
    d: Vec<f64>,
}

impl Orthonormal {
    pub(crate) fn with_capacity(n: usize) -> Self {
        Self { n: 0, count: 0, columns: vec![0.0; n * n], d: vec![0.0; n] }
    }

    pub(crate) fn clear(&mut self, n: usize) {
        (self.n, self.count) = (n, 0);
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// The vectors, one after the other.
    pub(crate) fn columns(&self) -> &[f64] {
        &self.columns[..self.n * self.count]
    }

    pub(crate) fn column(&self, k: usize) -> &[f64] {
        &self.columns[k * self.n..(k + 1) * self.n]
    }

    /// The coordinates of v in the span.
    pub(crate) fn coordinates(&self, v: &[f64], out: &mut [f64]) {
        gemv_t(&self.columns, self.n, v, &mut out[..self.count]);
    }

    /// Takes the span out of v and returns what is left of its length; rounding errors are set to zero.
    pub(crate) fn remove_from(&mut self, v: &mut [f64]) -> f64 {
        let whole = norm(v);
        let mut left = whole;
        for _ in 0..2 {
            if left == 0.0 || self.count == 0 {
                return left;
            }
            let before = left;
            gemv_t(&self.columns, self.n, v, &mut self.d[..self.count]);
            gemv_add(-1.0, &self.columns, self.n, &self.d[..self.count], v);
            left = norm(v);
            if left <= ROUNDING * whole {
                v.fill(0.0);
                return 0.0;
            }
            if left > 0.7 * before {
                break;
            }
        }
        left
    }

    /// Adds the direction of v, unless no more than `threshold` of v's length lies outside the span. Returns that
    /// length when it was added.
    pub(crate) fn push(&mut self, v: &mut [f64], threshold: f64) -> Option<f64> {
        let left = self.remove_from(v);
        if self.count == self.n || left.is_nan() || left <= threshold {
            return None;
        }
        let (n, k) = (self.n, self.count);
        for (c, v) in self.columns[k * n..(k + 1) * n].iter_mut().zip(&*v) {
            *c = v / left;
        }
        self.count += 1;
        Some(left)
    }
}
