//! The data of one step's problem.

use super::law::Law;
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
    /// The actor's torque law, if it has one.
    pub(crate) law: Law,
}

/// Three rows of a side: a point's velocity, or a body's angular velocity, in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(crate) side: usize,
    pub(crate) row: usize,
}

/// What acts between: one end and the ground, or one end against another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) a: End,
    pub(crate) b: Option<End>,
}

/// A contact between an actor's body and terrain, a platform or another body.
#[derive(Clone, Debug)]
pub(crate) struct Contact {
    pub(crate) pair: Pair,
    /// Columns: normal towards `a`, and two tangents.
    pub(crate) frame: Mat3,
    pub(crate) mu: f64,
    /// Velocity of the ground, in the frame; the normal part holds what is wanted besides.
    pub(crate) bias: Vec3,
    /// Impulse on `a`, in the frame.
    pub(crate) impulse: Vec3,
    /// Inverse inertia in the frame, and its inverse.
    pub(crate) matrix: Mat3,
    pub(crate) inverse: Mat3,
}

/// A scalar row with bounds on its impulse: a joint's limit or dry friction.
#[derive(Clone, Debug)]
pub(crate) struct Bounded {
    pub(crate) side: usize,
    /// Rows (of degrees of freedom) and weights.
    pub(crate) rows: [(usize, f64); 3],
    /// The same by degree of freedom.
    pub(crate) dofs: [(usize, f64); 3],
    /// Where its impulse is remembered: degree of freedom, and lower limit, upper limit or dry friction.
    pub(crate) memory: (usize, usize),
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) bias: f64,
    pub(crate) impulse: f64,
    pub(crate) inverse: f64,
}

/// Three rows that keep a given velocity: the points of a grip, or the orientations of a weld.
#[derive(Clone, Debug)]
pub(crate) struct Tie {
    pub(crate) pair: Pair,
    pub(crate) bias: Vec3,
    pub(crate) impulse: Vec3,
    pub(crate) inverse: Mat3,
}

/// All constraints of a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    pub(crate) sides: Vec<Side>,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) bounded: Vec<Bounded>,
    pub(crate) ties: Vec<Tie>,
}

/// Share of its own inverse inertia that is added to each constraint: a whisper of compliance that tells redundant
/// constraints how to share a load.
pub(crate) const SOFTNESS: f64 = 1e-8;

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

    /// Applies an impulse to three rows.
    #[inline(always)]
    fn push(&mut self, row: usize, p: &Vec3) {
        let n = self.velocity.len();
        let inverse = &self.space.last_inverse_inertia()[row * n..(row + 3) * n];
        let (x, rest) = inverse.split_at(n);
        let (y, z) = rest.split_at(n);
        for (((u, x), y), z) in self.velocity.iter_mut().zip(x).zip(y).zip(z) {
            *u += p.x * x + p.y * y + p.z * z;
        }
        for k in 0..3 {
            self.impulse[row + k] += p[k];
        }
    }

    /// 3×3 block of the inverse inertia.
    pub(crate) fn block(&self, row: usize, column: usize) -> Mat3 {
        let n = self.velocity.len();
        let inverse = self.space.last_inverse_inertia();
        Mat3::from_fn(|r, c| inverse[(row + r) * n + column + c])
    }
}

impl Problem {
    fn at(&self, end: &End) -> Vec3 {
        let u = &self.sides[end.side].velocity[end.row..end.row + 3];
        Vec3::new(u[0], u[1], u[2])
    }

    /// Velocity of the first end relative to the second.
    #[inline(always)]
    pub(crate) fn velocity(&self, pair: &Pair) -> Vec3 {
        match &pair.b {
            None => self.at(&pair.a),
            Some(b) => self.at(&pair.a) - self.at(b),
        }
    }

    /// Applies an impulse to the first end and its opposite to the second.
    #[inline(always)]
    pub(crate) fn push(&mut self, pair: &Pair, p: &Vec3) {
        self.sides[pair.a.side].push(pair.a.row, p);
        if let Some(b) = &pair.b {
            self.sides[b.side].push(b.row, &-p);
        }
    }

    /// How the relative velocity of one pair answers an impulse on another.
    pub(crate) fn response(&self, of: &Pair, to: &Pair) -> Mat3 {
        let mut m = Mat3::zeros();
        for (x, sx) in [(Some(of.a), 1.0), (of.b, -1.0)] {
            for (y, sy) in [(Some(to.a), 1.0), (to.b, -1.0)] {
                if let (Some(x), Some(y)) = (x, y)
                    && x.side == y.side
                {
                    m += self.sides[x.side].block(x.row, y.row) * (sx * sy);
                }
            }
        }
        m
    }

    /// Forgets all constraints.
    pub(crate) fn clear(&mut self) {
        self.contacts.clear();
        self.bounded.clear();
        self.ties.clear();
        for side in &mut self.sides {
            side.space.clear();
            side.velocity.clear();
            side.impulse.clear();
        }
    }

    /// Forgets the impulses of the last step.
    pub(crate) fn forget(&mut self) {
        self.contacts.iter_mut().for_each(|c| c.impulse = Vec3::zeros());
        self.bounded.iter_mut().for_each(|b| b.impulse = 0.0);
        self.ties.iter_mut().for_each(|t| t.impulse = Vec3::zeros());
    }

    /// Completes the matrices of all constraints and applies their starting impulses.
    pub(crate) fn prepare(&mut self) {
        let soften = |m: Mat3| m + Mat3::identity() * (SOFTNESS * m.trace());
        for k in 0..self.contacts.len() {
            let c = &self.contacts[k];
            let (pair, frame) = (c.pair, c.frame);
            let matrix = soften(frame.tr_mul(&(self.response(&pair, &pair) * frame)));
            let c = &mut self.contacts[k];
            (c.matrix, c.inverse) = (matrix, matrix.try_inverse().unwrap_or_else(Mat3::zeros));
            let p = frame * c.impulse;
            self.push(&pair, &p);
        }
        for k in 0..self.bounded.len() {
            let row = &self.bounded[k];
            let side = &self.sides[row.side];
            let (n, inverse) = (side.velocity.len(), side.space.last_inverse_inertia());
            let pairs = row
                .rows
                .iter()
                .flat_map(|(i, x)| row.rows.iter().map(move |(j, y)| x * y * inverse[i * n + j]));
            let own: f64 = pairs.sum();
            self.bounded[k].inverse = 1.0 / (own * (1.0 + SOFTNESS));
            self.push_bounded(k, self.bounded[k].impulse);
        }
        for k in 0..self.ties.len() {
            let pair = self.ties[k].pair;
            let matrix = soften(self.response(&pair, &pair));
            let t = &mut self.ties[k];
            t.inverse = matrix.try_inverse().unwrap_or_else(Mat3::zeros);
            let p = t.impulse;
            self.push(&pair, &p);
        }
    }

    /// Applies an impulse along a bounded row.
    #[inline(always)]
    pub(crate) fn push_bounded(&mut self, k: usize, p: f64) {
        let Bounded { side, rows, .. } = self.bounded[k];
        if p != 0.0 {
            for (i, x) in rows.into_iter().filter(|(_, x)| *x != 0.0) {
                self.sides[side].push_row(i, x * p);
            }
        }
    }
}
