//! A fast solver for contacts with friction, bounds and equations: sweeps of Gauss-Seidel, and a non-smooth Newton
//! method on top.
//!
//! # The problem
//! `w = A z + b` with a [`Law`] for every row or contact. The unknowns are the forces themselves, three per
//! contact: the friction directions and slip speeds of the linear complementarity problem of Stewart and Trinkle
//! are eliminated, which leaves half of its unknowns or fewer.
//!
//! # Method
//! A *sweep* visits the laws in order and solves each in closed form with the other forces held ([Gauss-Seidel by
//! blocks](super::law)). Sweeps are cheap and sturdy, but where many contacts share few degrees of freedom they
//! converge slowly; momentum, a part of the last step added to the next with the formula of Fletcher and Reeves
//! for that part, speeds them up. What they find soon is the *branch* of every law: open, stick, or which
//! direction to slide. With the branches known the problem is a system of linear equations: one solve lands on the
//! solution. That is Newton's method on a piecewise linear function. It is tried when a sweep has left all
//! branches as they were, and its point is taken when it is better; after a failure more sweeps pass before the
//! next try. Redundant contacts make the system singular but consistent; it is regularised a little, and solved
//! for the *change* of the forces with refinement, so that the distribution of load stays near that of the sweeps
//! (and of the warm start).
//!
//! # Cost
//! A sweep costs m² multiply-adds for m rows, less where contacts are open; a Newton step about k³/3 for k unknown
//! forces. From a warm start whose branches are right, one sweep and one Newton step.
//!
//! Sources: Jourdan, Alart and Jean, "A Gauss-Seidel like algorithm to solve frictional contact problems", CMAME
//! 155 (1998); Alart and Curnier, "A mixed formulation for frictional contact problems prone to Newton like
//! solution methods", CMAME 92 (1991); momentum: Silcowitz, Niebe and Erleben, "A nonsmooth nonlinear conjugate
//! gradient method for interactive contact force problems", The Visual Computer 26 (2010).

use super::law::{Block, Law, Mode, Polygon};
use super::newton::Newton;
use crate::dense::vector::{axpy, dot, gemv_add};

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GaussSeidelStatus {
    /// The residual is within the tolerance.
    Solved,
    /// The cap on sweeps was met.
    SweepLimit,
    /// The data is not finite, or the forces grew until they were not.
    NotFinite,
}

/// The end of a solve.
#[derive(Clone, Copy, Debug)]
pub struct GaussSeidelReport {
    /// How it ended.
    pub status: GaussSeidelStatus,
    /// Sweeps made.
    pub sweeps: usize,
    /// Newton steps taken.
    pub newton_steps: usize,
    /// Largest residual of a law at the answer: the velocity that correcting this law alone would make. Same unit
    /// as `b`.
    pub residual: f64,
}

/// Workspace for problems of up to a given size.
///
/// ```
/// use sinew_solve::lcp::{GaussSeidel, GaussSeidelStatus, Law};
/// // a unit mass on the ground, pushed sideways with 2 and down with 3; friction 0.5
/// let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
/// let mut solver = GaussSeidel::new(3, 4);
/// let mut force = [0.0; 3];
/// let report = solver.solve(&identity, &[-3.0, 2.0, 0.0], &[Law::Friction { mu: 0.5 }], &mut force);
/// assert_eq!(report.status, GaussSeidelStatus::Solved);
/// assert!((force[0] - 3.0).abs() < 1e-15 && (force[1] + 1.5).abs() < 1e-15 && force[2].abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct GaussSeidel {
    /// Cap on sweeps.
    pub max_sweeps: usize,
    /// Largest residual that counts as solved, relative to the largest entry of `b`.
    pub tolerance: f64,
    /// Whether Newton steps are tried.
    pub newton: bool,
    polygon: Polygon,
    blocks: Vec<Block>,
    w: Vec<f64>,
    /// Forces and velocities before the sweep, and the direction of the last steps in both.
    last: (Vec<f64>, Vec<f64>),
    direction: (Vec<f64>, Vec<f64>),
    stepper: Newton,
    /// Forces and branches before Newton steps.
    saved: Vec<f64>,
    modes: Vec<Mode>,
}

/// Newton steps in a row before sweeps go on.
const NEWTON_STEPS: usize = 3;

/// What a sweep did.
struct Sweep {
    /// Largest change of a law, as a velocity.
    change: f64,
    /// Sum of squares of the changes, in units of energy.
    energy: f64,
    /// Whether all branches were those of last time.
    settled: bool,
}

impl GaussSeidel {
    /// Room for `rows` rows; friction cones are polygons with `sides` corners, of which the first lies on the
    /// first tangent.
    ///
    /// # Panics
    /// When a polygon would have fewer than three sides.
    pub fn new(rows: usize, sides: usize) -> Self {
        assert!(sides >= 3, "a friction polygon with {sides} sides");
        Self {
            max_sweeps: 300,
            tolerance: 1e-6,
            newton: true,
            polygon: Polygon::new(sides),
            blocks: Vec::with_capacity(rows),
            w: vec![0.0; rows],
            last: (vec![0.0; rows], vec![0.0; rows]),
            direction: (vec![0.0; rows], vec![0.0; rows]),
            stepper: Newton::new(rows),
            saved: vec![0.0; rows],
            modes: Vec::with_capacity(rows),
        }
    }

    /// Solves for the forces from the start `z`; `a` is square, column-major, and need not be symmetric.
    ///
    /// # Panics
    /// When the sizes differ or exceed the capacity.
    pub fn solve(&mut self, a: &[f64], b: &[f64], laws: &[Law], z: &mut [f64]) -> GaussSeidelReport {
        let m = z.len();
        let rows: usize = laws.iter().map(Law::rows).sum();
        assert!(
            a.len() == m * m && b.len() == m && rows == m && m <= self.w.len(),
            "sizes of a contact problem"
        );
        self.blocks.clear();
        let mut row = 0;
        for law in laws {
            self.blocks.push(Block::new(*law, row, a, m));
            row += law.rows();
        }
        let tolerance = self.tolerance * b.iter().fold(f64::MIN_POSITIVE, |s, v| s.max(v.abs()));
        self.velocities(a, b, z);
        if !(dot(a, a) + dot(b, b) + dot(z, z)).is_finite() {
            return GaussSeidelReport {
                status: GaussSeidelStatus::NotFinite,
                sweeps: 0,
                newton_steps: 0,
                residual: f64::NAN,
            };
        }
        let (mut sweeps, mut newton_steps) = (0, 0);
        // sweeps to wait before the next Newton step: doubled when one fails
        let (mut wait, mut waited) = (1, 0);
        let (mut residual, mut energy) = (f64::INFINITY, f64::INFINITY);
        let status = loop {
            if sweeps >= self.max_sweeps {
                break GaussSeidelStatus::SweepLimit;
            }
            self.last.0[..m].copy_from_slice(z);
            self.last.1[..m].copy_from_slice(&self.w[..m]);
            let sweep = self.sweep(a, z);
            sweeps += 1;
            waited += 1;
            if !sweep.change.is_finite() {
                // forces grow without bound: no finite ones solve the problem
                break GaussSeidelStatus::NotFinite;
            }
            if sweep.change <= tolerance {
                // velocities anew, without the rounding of many updates
                self.velocities(a, b, z);
                residual = self.residual(z);
                if residual <= tolerance {
                    break GaussSeidelStatus::Solved;
                }
            } else if self.newton && sweep.settled && waited >= wait {
                waited = 0;
                let steps = self.newton_steps(a, b, z, sweep.change, &mut residual);
                if steps > 0 {
                    newton_steps += steps;
                    sweeps += steps - 1;
                    wait = 1;
                    energy = f64::INFINITY;
                    if residual <= tolerance {
                        break GaussSeidelStatus::Solved;
                    }
                    continue;
                }
                wait *= 2;
            }
            self.momentum(sweep.energy / energy, z);
            energy = sweep.energy;
        };
        if status != GaussSeidelStatus::Solved {
            self.velocities(a, b, z);
            residual = self.residual(z);
        }
        GaussSeidelReport { status, sweeps, newton_steps, residual }
    }

    /// The velocities `w = A z + b` of the last answer.
    pub fn velocity(&self) -> &[f64] {
        let rows = self.blocks.last().map_or(0, |b| b.row + b.law.rows());
        &self.w[..rows]
    }

    fn velocities(&mut self, a: &[f64], b: &[f64], z: &[f64]) {
        let m = z.len();
        self.w[..m].copy_from_slice(b);
        gemv_add(1.0, a, m, z, &mut self.w[..m]);
    }

    /// Solves every law once, in order.
    fn sweep(&mut self, a: &[f64], z: &mut [f64]) -> Sweep {
        let m = z.len();
        let w = &mut self.w[..m];
        let mut sweep = Sweep { change: 0.0, energy: 0.0, settled: true };
        for block in &mut self.blocks {
            let (f, v) = (load(block, z), load(block, w));
            let (solved, mode) = block.solve(&self.polygon, f, v);
            sweep.settled &= mode == block.mode;
            block.mode = mode;
            let d = [solved[0] - f[0], solved[1] - f[1], solved[2] - f[2]];
            if d == [0.0; 3] {
                continue;
            }
            let own = block.velocity(d);
            sweep.energy += (d[0] * own[0] + d[1] * own[1] + d[2] * own[2]).abs();
            let size = largest(own);
            // written so that a NaN stays
            sweep.change = if sweep.change >= size { sweep.change } else { size };
            let columns = &a[block.row * m..(block.row + block.law.rows()) * m];
            if block.law.rows() == 3 {
                z[block.row..block.row + 3].copy_from_slice(&solved);
                let (p, rest) = columns.split_at(m);
                let (q, r) = rest.split_at(m);
                for i in 0..m {
                    w[i] += (d[0] * p[i] + d[1] * q[i]) + d[2] * r[i];
                }
            } else {
                z[block.row] = solved[0];
                axpy(d[0], columns, w);
            }
        }
        sweep
    }

    /// Adds a part of the last direction to the step of a sweep; a part of one or more starts anew.
    fn momentum(&mut self, part: f64, z: &mut [f64]) {
        let m = z.len();
        let part = if part < 1.0 { part } else { 0.0 };
        for (x, (last, direction)) in [
            (z, (&self.last.0, &mut self.direction.0)),
            (&mut self.w[..m], (&self.last.1, &mut self.direction.1)),
        ] {
            for ((x, last), d) in x.iter_mut().zip(&last[..m]).zip(direction) {
                let step = *x - last;
                *x += part * *d;
                *d = part * *d + step;
            }
        }
    }

    /// Largest residual of a law at `z` and the velocities `w`.
    fn residual(&self, z: &[f64]) -> f64 {
        let mut worst = 0.0f64;
        for block in &self.blocks {
            let (f, v) = (load(block, z), load(block, &self.w));
            let solved = block.solve(&self.polygon, f, v).0;
            let size = largest(block.velocity([solved[0] - f[0], solved[1] - f[1], solved[2] - f[2]]));
            worst = if worst >= size { worst } else { size };
        }
        worst
    }

    /// Newton steps: each solves the equations of the branches as they are, and a sweep from where that leads finds new
    /// branches. Takes the first point whose residual is at most half of `change`, and returns the number of steps to it;
    /// 0, and all as it was, when there is none.
    fn newton_steps(
        &mut self,
        a: &[f64],
        b: &[f64],
        z: &mut [f64],
        change: f64,
        residual: &mut f64,
    ) -> usize {
        let m = z.len();
        self.saved[..m].copy_from_slice(z);
        self.modes.clear();
        self.modes.extend(self.blocks.iter().map(|b| b.mode));
        for step in 1..=NEWTON_STEPS {
            if !self.stepper.solve(&self.blocks, &self.polygon, a, &self.w[..m], z) {
                break;
            }
            self.stepper.swap(z);
            self.velocities(a, b, z);
            *residual = self.residual(z);
            if *residual <= 0.5 * change {
                return step;
            }
            if step < NEWTON_STEPS {
                self.sweep(a, z);
            }
        }
        z.copy_from_slice(&self.saved[..m]);
        self.velocities(a, b, z);
        self.blocks.iter_mut().zip(&self.modes).for_each(|(b, mode)| b.mode = *mode);
        0
    }
}

fn largest(v: [f64; 3]) -> f64 {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

/// The entries of a block, padded with zeros.
#[inline]
fn load(block: &Block, x: &[f64]) -> [f64; 3] {
    let r = block.row;
    if block.law.rows() == 3 { [x[r], x[r + 1], x[r + 2]] } else { [x[r], 0.0, 0.0] }
}

impl Mode {
    /// Whether some force of the block is unknown.
    pub(super) fn is_active(self) -> bool {
        !matches!(self, Mode::Low | Mode::High)
    }
}
