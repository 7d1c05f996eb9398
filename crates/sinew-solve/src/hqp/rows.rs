//! The rows of a level, stacked with the square roots of their weights, and the Gram matrix made of them.

use super::problem::Level;
use crate::dense::vector::{axpy, axpy4, dot, norm};

/// Stacked rows of one level (or of several, for the weighted variant).
#[derive(Clone, Debug)]
pub(super) struct Rows {
    n: usize,
    /// Number of task rows.
    pub(super) count: usize,
    /// Row i in `[i·n..(i+1)·n]`.
    data: Vec<f64>,
    target: Vec<f64>,
    /// Damping per variable.
    damping: Vec<f64>,
    pub(super) damped: bool,
}

impl Rows {
    /// Room for `rows` rows of `n` variables, and damping.
    pub(super) fn with_capacity(n: usize, rows: usize) -> Self {
        let all = rows + n;
        Self {
            n: 0,
            count: 0,
            data: vec![0.0; all * n],
            target: vec![0.0; all],
            damping: vec![0.0; n],
            damped: false,
        }
    }

    pub(super) fn clear(&mut self, n: usize) {
        (self.n, self.count, self.damped) = (n, 0, false);
        self.damping[..n].fill(0.0);
    }

    /// Adds the tasks and the damping of a level, times `weight`.
    pub(super) fn add(&mut self, level: &Level<'_>, weight: f64) {
        let n = self.n;
        for task in level.tasks {
            let (m, root) = (task.b.len(), (weight * task.weight).sqrt());
            if m == 0 {
                continue;
            }
            let rows = &mut self.data[self.count * n..(self.count + m) * n];
            if task.by_rows {
                rows.iter_mut().zip(task.a).for_each(|(row, a)| *row = root * a);
            } else {
                for (j, column) in task.a.chunks_exact(m).enumerate() {
                    for (row, a) in rows.chunks_exact_mut(n).zip(column) {
                        row[j] = root * a;
                    }
                }
            }
            for (t, b) in self.target[self.count..].iter_mut().zip(task.b) {
                *t = root * b;
            }
            self.count += m;
        }
        for (sum, d) in self.damping.iter_mut().zip(level.damping) {
            *sum += weight * d;
            self.damped |= *d > 0.0;
        }
    }

    /// Writes the damping as rows of its own.
    pub(super) fn unfold_damping(&mut self) {
        if !self.damped {
            return;
        }
        let n = self.n;
        for j in 0..n {
            let row = &mut self.data[self.count * n..(self.count + 1) * n];
            row.fill(0.0);
            row[j] = self.damping[j].sqrt();
            self.target[self.count] = 0.0;
            self.count += 1;
        }
        self.damping[..n].fill(0.0);
        self.damped = false;
    }

    pub(super) fn variables(&self) -> usize {
        self.n
    }

    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.n..(i + 1) * self.n]
    }

    /// The length of the longest row; `None` when a number is not finite.
    pub(super) fn longest(&self) -> Option<f64> {
        let lengths = (0..self.count).map(|i| norm(self.row(i)));
        let (longest, all) = lengths.fold((0.0f64, 0.0), |(m, s), l| (m.max(l), s + l));
        all.is_finite().then_some(longest)
    }

    /// out ← b − Ax.
    pub(super) fn residual(&self, x: &[f64], out: &mut [f64]) {
        for i in 0..self.count {
            out[i] = self.target[i] - dot(self.row(i), x);
        }
    }

    /// Lower triangle of P ← AᵀA + damping, g ← −Aᵀb. Rows are taken four at a time over the range where one of
    /// them is other than zero, and columns where all four are zero are left out: identity rows of a pose task cost
    /// next to nothing.
    pub(super) fn gram(&self, p: &mut [f64], g: &mut [f64]) {
        let n = self.n;
        p.fill(0.0);
        g.fill(0.0);
        for i in (0..self.count).step_by(4) {
            let width = 4.min(self.count - i);
            let rows: [&[f64]; 4] = std::array::from_fn(|k| self.row(i + k.min(width - 1)));
            let ranges = rows.map(range);
            let first = ranges.iter().fold(n, |m, r| m.min(r.0));
            let end = ranges.iter().fold(0, |m, r| m.max(r.1));
            for j in first..end {
                let f: [f64; 4] = std::array::from_fn(|k| if k < width { rows[k][j] } else { 0.0 });
                if f != [0.0; 4] {
                    axpy4(f, rows.map(|r| &r[j..end]), &mut p[j * n + j..j * n + end]);
                }
            }
            for k in 0..width {
                axpy(-self.target[i + k], rows[k], g);
            }
        }
        for j in 0..n {
            p[j * n + j] += self.damping[j];
        }
    }

    /// out ← the gradient of ½‖Ax − b‖² + ½Σ dampingⱼxⱼ² at x.
    pub(super) fn gradient(&self, x: &[f64], out: &mut [f64]) {
        for ((o, d), x) in out.iter_mut().zip(&self.damping).zip(x) {
            *o = d * x;
        }
        for i in 0..self.count {
            axpy(dot(self.row(i), x) - self.target[i], self.row(i), out);
        }
    }
}

/// Where a row is other than zero.
fn range(row: &[f64]) -> (usize, usize) {
    let first = row.iter().position(|&v| v != 0.0).unwrap_or(row.len());
    (first, row.iter().rposition(|&v| v != 0.0).map_or(first, |k| k + 1))
}
