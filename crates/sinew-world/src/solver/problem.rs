//! The data of one step's problem.

use sinew_dynamics::OperationalSpace;
use sinew_dynamics::spatial::{Mat3, Vec3};

/// One actor as the solver sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    pub(crate) space: OperationalSpace,
    /// Velocities of the rows with all impulses so far.
    pub(crate) velocity: Vec<f64>,
    /// Impulses on the rows.
    pub(crate) impulse: Vec<f64>,
}

/// A body's six rows and the point, relative to the rows' own, where a constraint acts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(crate) side: usize,
    pub(crate) row: usize,
    pub(crate) arm: Vec3,
}

/// A contact between an actor's body and terrain, a platform or another body.
#[derive(Clone, Debug)]
pub(crate) struct Contact {
    pub(crate) a: End,
    pub(crate) b: Option<End>,
    /// Columns: normal towards `a`, and two tangents.
    pub(crate) frame: Mat3,
    pub(crate) mu: f64,
    /// Velocity of the ground, in the frame; the normal part holds what is wanted besides.
    pub(crate) bias: Vec3,
    /// Impulse on `a`, in the frame.
    pub(crate) impulse: Vec3,
    /// Inverse inertia in the frame, and its inverse.
    pub(crate) a_inverse: Mat3,
    pub(crate) a_matrix: Mat3,
}

/// A scalar row with bounds on its impulse: a joint's limit or dry friction.
#[derive(Clone, Debug)]
pub(crate) struct Bounded {
    pub(crate) side: usize,
    /// Rows (of degrees of freedom) and weights.
    pub(crate) rows: [(usize, f64); 3],
    /// The same by degree of freedom.
    pub(crate) dofs: [(usize, f64); 3],
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) bias: f64,
    pub(crate) impulse: f64,
    pub(crate) inverse: f64,
}

/// A grip (three rows) or a weld (six): two bodies, or a body and the world, that move together.
#[derive(Clone, Debug)]
pub(crate) struct Weld {
    pub(crate) a: End,
    pub(crate) b: Option<End>,
    pub(crate) turning: bool,
    pub(crate) bias: [Vec3; 2],
    pub(crate) impulse: [Vec3; 2],
    pub(crate) a_inverse: [Mat3; 2],
}

/// All constraints of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    pub(crate) sides: Vec<Side>,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) bounded: Vec<Bounded>,
    pub(crate) welds: Vec<Weld>,
}

impl Side {
    /// Applies an impulse to one row.
    #[inline(always)]
    pub(crate) fn push_row(&mut self, row: usize, p: f64) {
        let n = self.velocity.len();
        let column = &self.space.last_inverse_inertia()[row * n..row * n + n];
        for (u, l) in self.velocity.iter_mut().zip(column) {
            *u += p * l;
        }
        self.impulse[row] += p;
    }

    /// Applies a force impulse and a moment impulse to a body's rows.
    #[inline(always)]
    fn push_body(&mut self, row: usize, wrench: [f64; 6]) {
        let n = self.velocity.len();
        let inverse = &self.space.last_inverse_inertia()[row * n..(row + 6) * n];
        let (x, y) = inverse.split_at(3 * n);
        let (x0, x) = x.split_at(n);
        let (x1, x2) = x.split_at(n);
        let (y0, y) = y.split_at(n);
        let (y1, y2) = y.split_at(n);
        for k in 0..n {
            self.velocity[k] += (wrench[0] * x0[k] + wrench[1] * x1[k] + wrench[2] * x2[k])
                + (wrench[3] * y0[k] + wrench[4] * y1[k] + wrench[5] * y2[k]);
        }
        for (p, w) in self.impulse[row..row + 6].iter_mut().zip(wrench) {
            *p += w;
        }
    }

    /// 3×3 block of the inverse inertia.
    fn block(&self, row: usize, column: usize) -> Mat3 {
        let n = self.velocity.len();
        let inverse = self.space.last_inverse_inertia();
        Mat3::from_fn(|r, c| inverse[(row + r) * n + column + c])
    }
}

impl Problem {
    /// Velocity of the point at an end.
    #[inline(always)]
    pub(crate) fn velocity(&self, end: &End) -> Vec3 {
        let u = &self.sides[end.side].velocity[end.row..end.row + 6];
        Vec3::new(u[0], u[1], u[2]) + Vec3::new(u[3], u[4], u[5]).cross(&end.arm)
    }

    /// Angular velocity of the body at an end.
    #[inline(always)]
    pub(crate) fn spin(&self, end: &End) -> Vec3 {
        let u = &self.sides[end.side].velocity[end.row..end.row + 6];
        Vec3::new(u[3], u[4], u[5])
    }

    /// Applies a force impulse at an end's point.
    #[inline(always)]
    pub(crate) fn push(&mut self, end: &End, p: &Vec3) {
        let m = end.arm.cross(p);
        self.sides[end.side].push_body(end.row, [p.x, p.y, p.z, m.x, m.y, m.z]);
    }

    /// Applies a moment impulse at an end's body.
    #[inline(always)]
    pub(crate) fn twist(&mut self, end: &End, p: &Vec3) {
        self.sides[end.side].push_body(end.row, [0.0, 0.0, 0.0, p.x, p.y, p.z]);
    }

    /// Inverse inertia between force impulses at one end and velocities at another of the same side, world axes.
    fn between(&self, x: &End, y: &End) -> Mat3 {
        use sinew_dynamics::spatial::skew;
        let side = &self.sides[x.side];
        let (rx, ry) = (skew(&x.arm), skew(&y.arm));
        // J = [1, −[r]×] on both sides
        let (uu, uw) = (side.block(x.row, y.row), side.block(x.row, y.row + 3));
        let (wu, ww) = (side.block(x.row + 3, y.row), side.block(x.row + 3, y.row + 3));
        (uu + uw * ry) - rx * (wu + ww * ry)
    }

    /// Inverse inertia seen at a pair of ends, world axes: how their relative velocity answers an impulse.
    pub(crate) fn linear_inverse(&self, a: &End, b: &Option<End>) -> Mat3 {
        let mut m = self.between(a, a);
        if let Some(b) = b {
            m += self.between(b, b);
            if a.side == b.side {
                m -= self.between(a, b) + self.between(b, a);
            }
        }
        m
    }

    /// The same for moments and angular velocities.
    pub(crate) fn angular_inverse(&self, a: &End, b: &Option<End>) -> Mat3 {
        let mut m = self.sides[a.side].block(a.row + 3, a.row + 3);
        if let Some(b) = b {
            m += self.sides[b.side].block(b.row + 3, b.row + 3);
            if a.side == b.side {
                let side = &self.sides[a.side];
                m -= side.block(a.row + 3, b.row + 3) + side.block(b.row + 3, a.row + 3);
            }
        }
        m
    }

    /// Completes the matrices of all constraints and applies their starting impulses.
    pub(crate) fn prepare(&mut self) {
        for k in 0..self.contacts.len() {
            let c = &self.contacts[k];
            let world = self.linear_inverse(&c.a, &c.b);
            let mut m = c.frame.tr_mul(&(world * c.frame));
            // a whisper of compliance keeps points that cannot move apart from each other invertible
            let soft = 1e-9 * m.trace();
            for i in 0..3 {
                m[(i, i)] += soft;
            }
            let inverse = m.try_inverse().unwrap_or_else(Mat3::zeros);
            let c = &mut self.contacts[k];
            (c.a_matrix, c.a_inverse) = (m, inverse);
            let (a, b, p) = (c.a, c.b, c.frame * c.impulse);
            self.push_pair(&a, &b, &p);
        }
        for k in 0..self.bounded.len() {
            let row = &self.bounded[k];
            let side = &self.sides[row.side];
            let (n, inverse) = (side.velocity.len(), side.space.last_inverse_inertia());
            let mut m = 0.0;
            for (i, x) in row.rows {
                for (j, y) in row.rows {
                    m += x * y * inverse[i * n + j];
                }
            }
            let (side, rows, p) = (row.side, row.rows, row.impulse);
            self.bounded[k].inverse = 1.0 / m;
            for (i, x) in rows.into_iter().filter(|(_, x)| *x != 0.0) {
                self.sides[side].push_row(i, x * p);
            }
        }
        for k in 0..self.welds.len() {
            let w = &self.welds[k];
            let (linear, angular) = (self.linear_inverse(&w.a, &w.b), self.angular_inverse(&w.a, &w.b));
            let invert = |m: Mat3| {
                (m + Mat3::identity() * (1e-9 * m.trace())).try_inverse().unwrap_or_else(Mat3::zeros)
            };
            let w = &mut self.welds[k];
            w.a_inverse = [invert(linear), invert(angular)];
            let (a, b, p) = (w.a, w.b, w.impulse);
            self.push_pair(&a, &b, &p[0]);
            self.twist_pair(&a, &b, &p[1]);
        }
    }

    /// Impulse on `a` and its opposite on `b`.
    #[inline(always)]
    pub(crate) fn push_pair(&mut self, a: &End, b: &Option<End>, p: &Vec3) {
        self.push(a, p);
        if let Some(b) = b {
            self.push(b, &-p);
        }
    }

    #[inline(always)]
    pub(crate) fn twist_pair(&mut self, a: &End, b: &Option<End>, p: &Vec3) {
        self.twist(a, p);
        if let Some(b) = b {
            self.twist(b, &-p);
        }
    }
}
