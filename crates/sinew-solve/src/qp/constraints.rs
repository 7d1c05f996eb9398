//! The constraints of a QP as the active-set method sees them: one numbered list, each with a normal and two sides.
//!
//! Numbers: the equalities, then the inequality rows, then the simple bounds of the variables. Bounds stay what
//! they are: their normal is a unit vector, made where it is needed, never a dense row.

use crate::dense::vector::{dot, gemv_t};

/// Values of this size and above count as infinite.
pub(crate) const INFINITE: f64 = 1e20;

/// The equalities: entry j of row i is `data[i·row + j·column]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Equalities<'a> {
    pub(crate) data: &'a [f64],
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) target: &'a [f64],
    /// Whether the rows are orthonormal and stored one after the other.
    pub(crate) orthonormal: bool,
}

/// Rows that may be violated at a price: row i of `first..first + inverse_weight.len()` reads cᵢᵀx + sᵢ and the
/// objective has ½(wᵢsᵢ)².
#[derive(Clone, Copy, Debug)]
pub(crate) struct Soft<'a> {
    pub(crate) first: usize,
    pub(crate) inverse_weight: &'a [f64],
}

/// All constraints of one problem.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constraints<'a> {
    /// Number of variables.
    pub(crate) n: usize,
    pub(crate) equalities: Equalities<'a>,
    /// The inequality rows, column-major; `lower.len()` of them.
    pub(crate) c: &'a [f64],
    pub(crate) lower: &'a [f64],
    pub(crate) upper: &'a [f64],
    /// Bounds of the variables; empty when there are none.
    pub(crate) bound_lower: &'a [f64],
    pub(crate) bound_upper: &'a [f64],
    pub(crate) soft: Option<Soft<'a>>,
}

/// The constraint that a number of the list stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Equality(usize),
    Row(usize),
    Bound(usize),
}

impl Constraints<'_> {
    pub(crate) fn equality_count(&self) -> usize {
        self.equalities.target.len()
    }

    pub(crate) fn row_count(&self) -> usize {
        self.lower.len()
    }

    pub(crate) fn kind(&self, id: usize) -> Kind {
        let (e, r) = (self.equality_count(), self.row_count());
        if id < e {
            Kind::Equality(id)
        } else if id < e + r {
            Kind::Row(id - e)
        } else {
            Kind::Bound(id - e - r)
        }
    }

    /// Writes the normal, times `side`, into `a`; returns the place of its first non-zero.
    pub(crate) fn normal(&self, id: usize, side: f64, a: &mut [f64]) -> usize {
        match self.kind(id) {
            Kind::Equality(i) => {
                let e = &self.equalities;
                for (j, a) in a.iter_mut().enumerate() {
                    *a = side * e.data[i * e.row + j * e.column];
                }
            }
            Kind::Row(i) => {
                let m = self.row_count();
                for (j, a) in a.iter_mut().enumerate() {
                    *a = side * self.c[j * m + i];
                }
            }
            Kind::Bound(j) => {
                a.fill(0.0);
                a[j] = side;
                return j;
            }
        }
        a.iter().position(|&v| v != 0.0).unwrap_or(a.len())
    }

    /// The right-hand side of `side·(normal) ≥ …`.
    pub(crate) fn target(&self, id: usize, side: f64) -> f64 {
        let (lower, upper) = self.sides(id);
        if side > 0.0 { lower } else { -upper }
    }

    /// The two sides.
    pub(crate) fn sides(&self, id: usize) -> (f64, f64) {
        match self.kind(id) {
            Kind::Equality(i) => (self.equalities.target[i], self.equalities.target[i]),
            Kind::Row(i) => (self.lower[i], self.upper[i]),
            Kind::Bound(j) => (self.bound_lower[j], self.bound_upper[j]),
        }
    }

    /// Whether both sides are the same, so that the multiplier may have any sign.
    pub(crate) fn is_fixed(&self, id: usize) -> bool {
        let (lower, upper) = self.sides(id);
        lower == upper
    }

    /// Share of a normal (zero before `first`) that lies outside the span of orthonormal equalities; 1 when they
    /// are not orthonormal.
    pub(crate) fn undecided_share(&self, a: &[f64], first: usize) -> f64 {
        let e = &self.equalities;
        if !e.orthonormal || first == a.len() {
            return 1.0;
        }
        let (n, count, a) = (a.len(), e.target.len(), &a[first..]);
        let mut inside = 0.0;
        for k in (0..count).step_by(4) {
            let mut c = [0.0; 4];
            let width = 4.min(count - k);
            gemv_t(&e.data[k * n + first..], n, a, &mut c[..width]);
            inside += (c[0] * c[0] + c[1] * c[1]) + (c[2] * c[2] + c[3] * c[3]);
        }
        (1.0 - inside / dot(a, a)).max(0.0).sqrt()
    }

    /// The place of the slack of a soft row among the soft rows, and its coefficient.
    pub(crate) fn slack(&self, id: usize) -> Option<(usize, f64)> {
        let (Some(soft), Kind::Row(i)) = (self.soft, self.kind(id)) else { return None };
        let k = i.checked_sub(soft.first)?;
        soft.inverse_weight.get(k).map(|&w| (k, w))
    }

    /// Number of soft rows.
    pub(crate) fn soft_count(&self) -> usize {
        self.soft.map_or(0, |s| s.inverse_weight.len())
    }
}
