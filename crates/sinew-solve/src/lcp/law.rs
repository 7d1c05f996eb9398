//! Laws between force and velocity of a row, or of a contact's three rows, and their solution one at a time.
//!
//! With all other forces held, the velocity of a block is affine in its own force, `v = A f + c`, with a small
//! diagonal block `A`. Each law then has a solution in closed form. For a contact with friction coefficient μ and
//! a polygon of friction directions `d_0 … d_{s−1}` the force is `f = (λ, f_t)` with `f_t` inside `μλ·conv{d_j}`,
//! and one of four modes holds:
//!
//! | mode | force | velocity |
//! | --- | --- | --- |
//! | open | 0 | leaves, `v_n ≥ 0` |
//! | stick | inside the cone | `v = 0` |
//! | vertex j | `λ(1, μd_j)` | `v_n = 0`, slides so that `d_j` opposes it most |
//! | edge j | `λ(1, μd_j) + τ(0, d_{j+1} − d_j)` | `v_n = 0`, slides so that `d_j` and `d_{j+1}` oppose it equally and most |
//!
//! This is the law of Stewart and Trinkle with the multipliers of its linear complementarity problem eliminated:
//! `σ = max_j(−d_jᵀv_t)`.

/// What holds between force `z` and velocity `w`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// `w = 0`, any force: one row.
    Equation,
    /// `0 ≤ z ⊥ w ≥ 0`: one row.
    Positive,
    /// `lo ≤ z ≤ hi`, with `w ≥ 0` at the lower and `w ≤ 0` at the upper bound: one row.
    Interval {
        /// Least force.
        lo: f64,
        /// Greatest force.
        hi: f64,
    },
    /// A contact: three rows, normal first, then two tangents at right angles.
    Friction {
        /// Coefficient of friction.
        mu: f64,
    },
}

impl Law {
    /// Rows that the law takes.
    pub fn rows(&self) -> usize {
        if matches!(self, Law::Friction { .. }) { 3 } else { 1 }
    }
}

/// Which branch of a law holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Force zero, or at its lower bound.
    Low,
    /// Force at its upper bound.
    High,
    /// Velocity zero.
    Stick,
    /// Sliding against one friction direction.
    Vertex(usize),
    /// Sliding between two.
    Edge(usize),
}

/// A law with its rows, the diagonal block of the matrix, and the branch that held last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) row: usize,
    pub(super) law: Law,
    pub(super) mode: Mode,
    /// `a[j][i]`: velocity of row i per force in row j. One row: only `a[0][0]`.
    pub(super) a: [[f64; 3]; 3],
    inverse: [[f64; 3]; 3],
}

/// The friction directions, equally spaced, the first along the first tangent.
#[derive(Clone, Debug)]
pub(super) struct Polygon {
    directions: Vec<[f64; 2]>,
    /// Outward normals of the edges, scaled so that the edge lies at 1.
    faces: Vec<[f64; 2]>,
}

impl Polygon {
    pub(super) fn new(sides: usize) -> Self {
        let turn = 2.0 * std::f64::consts::PI / sides as f64;
        let at = |angle: f64| [libm::cos(angle), libm::sin(angle)];
        let reach = 1.0 / libm::cos(0.5 * turn);
        Self {
            directions: (0..sides).map(|j| at(j as f64 * turn)).collect(),
            faces: (0..sides).map(|j| at((j as f64 + 0.5) * turn).map(|c| c * reach)).collect(),
        }
    }

    pub(super) fn vertex(&self, j: usize) -> [f64; 2] {
        self.directions[j]
    }

    /// `d_{j+1} − d_j`
    pub(super) fn edge(&self, j: usize) -> [f64; 2] {
        let (a, b) = (self.directions[j], self.directions[(j + 1) % self.directions.len()]);
        [b[0] - a[0], b[1] - a[1]]
    }

    /// The factor by which the polygon must be stretched to reach `t`.
    fn gauge(&self, t: [f64; 2]) -> f64 {
        self.faces.iter().fold(0.0, |m: f64, n| m.max(n[0] * t[0] + n[1] * t[1]))
    }

    /// How strongly the direction that opposes `v` most does so.
    fn opposition(&self, v: [f64; 2]) -> f64 {
        self.directions.iter().fold(f64::NEG_INFINITY, |m, d| m.max(-(d[0] * v[0] + d[1] * v[1])))
    }
}

/// Part of a velocity below which two directions oppose it equally.
const EQUAL: f64 = 1e-12;

impl Block {
    /// Reads the diagonal block of the m × m matrix.
    pub(super) fn new(law: Law, row: usize, matrix: &[f64], m: usize) -> Self {
        let mut a = [[0.0; 3]; 3];
        for j in 0..law.rows() {
            for i in 0..law.rows() {
                a[j][i] = matrix[(row + j) * m + row + i];
            }
        }
        let inverse =
            if law.rows() == 3 { invert(a) } else { [[recip(a[0][0]), 0.0, 0.0], [0.0; 3], [0.0; 3]] };
        Self { row, law, mode: Mode::Low, a, inverse }
    }

    /// The force that satisfies the law when all others are held, and the branch; `f` and `v` are force and
    /// velocity now.
    #[inline]
    pub(super) fn solve(&self, polygon: &Polygon, f: [f64; 3], v: [f64; 3]) -> ([f64; 3], Mode) {
        let wanted = f[0] - self.inverse[0][0] * v[0];
        match self.law {
            Law::Equation => ([wanted, 0.0, 0.0], Mode::Stick),
            Law::Positive if wanted <= 0.0 => ([0.0; 3], Mode::Low),
            Law::Interval { lo, .. } if wanted <= lo => ([lo, 0.0, 0.0], Mode::Low),
            Law::Interval { hi, .. } if wanted >= hi => ([hi, 0.0, 0.0], Mode::High),
            Law::Positive | Law::Interval { .. } => ([wanted, 0.0, 0.0], Mode::Stick),
            Law::Friction { mu } => self.friction(polygon, mu, f, v),
        }
    }

    fn friction(&self, polygon: &Polygon, mu: f64, f: [f64; 3], v: [f64; 3]) -> ([f64; 3], Mode) {
        // normal velocity without the contact's own force
        let a = &self.a;
        if v[0] - (a[0][0] * f[0] + a[1][0] * f[1] + a[2][0] * f[2]) >= 0.0 {
            return ([0.0; 3], Mode::Low);
        }
        let hold = times(&self.inverse, v);
        let stick = [f[0] - hold[0], f[1] - hold[1], f[2] - hold[2]];
        if stick[0] >= 0.0 && polygon.gauge([stick[1], stick[2]]) <= mu * stick[0] {
            return (stick, Mode::Stick);
        }
        let own = times(a, f);
        self.slide(polygon, mu, [v[0] - own[0], v[1] - own[1], v[2] - own[2]])
    }

    /// The branch on which the contact slides, for the velocity `c` without its force.
    fn slide(&self, polygon: &Polygon, mu: f64, c: [f64; 3]) -> ([f64; 3], Mode) {
        let a = &self.a;
        let sides = polygon.directions.len();
        // the branch of last time first
        let first = match self.mode {
            Mode::Vertex(j) | Mode::Edge(j) => j,
            _ => 0,
        };
        let mut best = ([0.0; 3], Mode::Low, f64::INFINITY);
        for k in 0..sides {
            let j = (first + k) % sides;
            let d = polygon.vertex(j);
            // velocity per λ along (1, μd)
            let along = times(a, [1.0, mu * d[0], mu * d[1]]);
            if along[0] > 0.0 {
                let force = -c[0] / along[0];
                let v = [c[1] + force * along[1], c[2] + force * along[2]];
                let here = -(d[0] * v[0] + d[1] * v[1]);
                let missed = polygon.opposition(v) - here;
                let answer = ([force, mu * force * d[0], mu * force * d[1]], Mode::Vertex(j));
                if mu == 0.0 || missed <= EQUAL * (v[0].abs() + v[1].abs()) {
                    return answer;
                }
                if missed < best.2 {
                    best = (answer.0, answer.1, missed);
                }
            }
            if let Some(force) = self.edge(polygon, mu, c, j, along) {
                return (force, Mode::Edge(j));
            }
        }
        (best.0, best.1)
    }

    /// The force on edge `j`, when it exists: `v_n = 0` and no sliding along the edge.
    fn edge(&self, polygon: &Polygon, mu: f64, c: [f64; 3], j: usize, along: [f64; 3]) -> Option<[f64; 3]> {
        let (d, e) = (polygon.vertex(j), polygon.edge(j));
        let across = times(&self.a, [0.0, e[0], e[1]]);
        // [along_n across_n; eᵀalong_t eᵀacross_t] (λ, τ) = −(c_n, eᵀc_t)
        let system =
            [along[0], across[0], e[0] * along[1] + e[1] * along[2], e[0] * across[1] + e[1] * across[2]];
        let rhs = [-c[0], -(e[0] * c[1] + e[1] * c[2])];
        let determinant = system[0] * system[3] - system[1] * system[2];
        if determinant <= 0.0 {
            return None;
        }
        let force = (rhs[0] * system[3] - system[1] * rhs[1]) / determinant;
        let part = (system[0] * rhs[1] - rhs[0] * system[2]) / determinant;
        if !(force >= 0.0 && part >= 0.0 && part <= mu * force) {
            return None;
        }
        let v = [1, 2].map(|i| c[i] + force * along[i] + part * across[i]);
        let missed = polygon.opposition(v) + (d[0] * v[0] + d[1] * v[1]);
        (missed <= EQUAL * (v[0].abs() + v[1].abs())).then_some([
            force,
            mu * force * d[0] + part * e[0],
            mu * force * d[1] + part * e[1],
        ])
    }

    /// The velocity that a change of the block's own force makes.
    #[inline]
    pub(super) fn velocity(&self, change: [f64; 3]) -> [f64; 3] {
        times(&self.a, change)
    }
}

#[inline]
fn times(a: &[[f64; 3]; 3], x: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| a[0][i] * x[0] + a[1][i] * x[1] + a[2][i] * x[2])
}

/// 1/x, or 0 when the velocity does not depend on the force.
fn recip(x: f64) -> f64 {
    if x > 0.0 { 1.0 / x } else { 0.0 }
}

/// Inverse of a 3 × 3 block; of a slightly stiffer one when it is nearly singular.
fn invert(a: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let trace = a[0][0] + a[1][1] + a[2][2];
    let mut a = a;
    for _ in 0..2 {
        let minor = |i: usize, j: usize| {
            let (p, q, r, s) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
            a[p][r] * a[q][s] - a[p][s] * a[q][r]
        };
        let determinant = (0..3).map(|j| a[0][j] * minor(0, j)).sum::<f64>();
        if determinant > 1e-12 * trace * trace * trace {
            let mut inverse = [[0.0; 3]; 3];
            for (j, column) in inverse.iter_mut().enumerate() {
                for (i, entry) in column.iter_mut().enumerate() {
                    *entry = minor(i, j) / determinant;
                }
            }
            return inverse;
        }
        (0..3).for_each(|i| a[i][i] += 1e-3 * trace);
    }
    [[0.0; 3]; 3]
}
