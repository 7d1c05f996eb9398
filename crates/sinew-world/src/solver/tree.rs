//! Linear systems whose unknowns are coupled along paths of a tree.
//!
//! The matrix is `1 + Σ Z K Zᵀ`, where the columns of each `Z` sit on few degrees of freedom: a path to the root, or two
//! such paths where bodies touch each other. Degrees of freedom are eliminated from the last to the first, leaves before
//! the root; on a tree that fills nothing in (Featherstone 2005). Where bodies of several trees touch, the entries that
//! fill in are found first, row by row: eliminating a row couples all that stands to its left, which is the same as handing
//! its pattern to the rightmost of them. Rows are dense in memory, patterns are runs of columns. No pivoting: the matrix is
//! the unit matrix plus what mostly is positive; a pivot that vanishes is reported.

use sinew_dynamics::spatial::Mat3;

/// Matrix, factor and patterns; kept between solves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    n: usize,
    /// 64-bit words per row of the pattern.
    words: usize,
    /// Columns left of the diagonal, one bit each.
    pattern: Vec<u64>,
    /// Runs of columns of row i: `runs[start[i]..start[i + 1]]`, first and end.
    runs: Vec<(u32, u32)>,
    start: Vec<u32>,
    /// Entries on the diagonal and left of it.
    lower: Vec<f64>,
    /// The mirror image of the upper triangle, unless the matrix is symmetric.
    upper: Vec<f64>,
    inverse: Vec<f64>,
    symmetric: bool,
}

impl Tree {
    /// Reserves memory for unknowns.
    pub(crate) fn reserve_room(&mut self, n: usize) {
        self.pattern.reserve(n * n.div_ceil(64));
        self.runs.reserve(8 * n);
        self.start.reserve(n + 1);
        self.inverse.reserve(n);
        self.lower.reserve(n * n);
        self.upper.reserve(n * n);
    }

    /// Begins with the unit matrix.
    pub(crate) fn clear(&mut self, n: usize) {
        self.n = n;
        self.words = n.div_ceil(64);
        self.pattern.clear();
        self.pattern.resize(n * self.words, 0);
        self.symmetric = true;
    }

    /// Adds the coupling between some unknowns, given in ascending order.
    pub(crate) fn reserve(&mut self, dofs: impl ExactSizeIterator<Item = usize>) {
        let last = dofs.len().wrapping_sub(1);
        // the pattern belongs to the last one; elimination hands it on
        let mut bits = [0u64; 10];
        for (k, dof) in dofs.enumerate() {
            if k == last {
                let row = &mut self.pattern[dof * self.words..(dof + 1) * self.words];
                row.iter_mut().zip(&bits).for_each(|(x, b)| *x |= b);
            } else {
                bits[dof / 64] |= 1 << (dof % 64);
            }
        }
    }

    /// Completes the patterns and clears the entries.
    pub(crate) fn lay_out(&mut self) {
        let Tree { n, words, pattern, runs, start, lower, .. } = self;
        let (n, words) = (*n, *words);
        for i in (1..n).rev() {
            let (above, row) = pattern.split_at_mut(i * words);
            let row = &row[..words];
            let Some(word) = row.iter().rposition(|x| *x != 0) else { continue };
            let parent = 64 * word + 63 - row[word].leading_zeros() as usize;
            let to = &mut above[parent * words..(parent + 1) * words];
            to.iter_mut().zip(row).for_each(|(x, y)| *x |= y);
            to[parent / 64] &= !(1 << (parent % 64));
        }
        runs.clear();
        start.clear();
        start.push(0);
        lower.resize(n * n, 0.0);
        for i in 0..n {
            for (k, &word) in pattern[i * words..(i + 1) * words].iter().enumerate() {
                let (mut bits, mut at) = (word, 64 * k);
                while bits != 0 {
                    let gap = bits.trailing_zeros();
                    let length = (!(bits >> gap)).trailing_zeros();
                    let first = at + gap as usize;
                    let end = first + length as usize;
                    runs.push((first as u32, end as u32));
                    lower[i * n + first..i * n + end].fill(0.0);
                    bits = bits.checked_shr(gap + length).unwrap_or(0);
                    at = end;
                }
            }
            start.push(runs.len() as u32);
            lower[i * n + i] = 1.0;
        }
    }

    /// Adds `Z K Zᵀ`, three columns.
    pub(crate) fn add<'a>(
        &mut self,
        chain: impl ExactSizeIterator<Item = (usize, &'a [f64; 3])> + Clone,
        k: &Mat3,
    ) {
        let n = self.n;
        let lopsided = [k.m21 - k.m12, k.m31 - k.m13, k.m32 - k.m23];
        if lopsided != [0.0; 3] {
            self.make_lopsided();
        }
        for (count, (i, z)) in chain.clone().enumerate() {
            let kz = [0, 1, 2].map(|c| k[(0, c)] * z[0] + k[(1, c)] * z[1] + k[(2, c)] * z[2]);
            let row = &mut self.lower[i * n..(i + 1) * n];
            for (j, y) in chain.clone().take(count + 1) {
                row[j] += kz[0] * y[0] + kz[1] * y[1] + kz[2] * y[2];
            }
            if lopsided != [0.0; 3] {
                let kz = [0, 1, 2].map(|c| k[(c, 0)] * z[0] + k[(c, 1)] * z[1] + k[(c, 2)] * z[2] - kz[c]);
                let row = &mut self.upper[i * n..(i + 1) * n];
                for (j, y) in chain.clone().take(count) {
                    row[j] += kz[0] * y[0] + kz[1] * y[1] + kz[2] * y[2];
                }
            }
        }
    }

    /// Adds `k z zᵀ`, one column.
    pub(crate) fn add_row(&mut self, chain: impl ExactSizeIterator<Item = (usize, f64)> + Clone, k: f64) {
        let n = self.n;
        for (count, (i, z)) in chain.clone().enumerate() {
            let row = &mut self.lower[i * n..(i + 1) * n];
            for (j, y) in chain.clone().take(count + 1) {
                row[j] += k * z * y;
            }
        }
    }

    /// Clears what the upper triangle is more than the mirrored lower one.
    fn make_lopsided(&mut self) {
        if self.symmetric {
            self.symmetric = false;
            let Tree { n, runs, start, upper, .. } = self;
            upper.resize(*n * *n, 0.0);
            for i in 0..*n {
                for (first, end) in &runs[start[i] as usize..start[i + 1] as usize] {
                    upper[i * *n + *first as usize..i * *n + *end as usize].fill(0.0);
                }
            }
        }
    }

    /// Eliminates from the last unknown to the first; false when a pivot vanishes.
    pub(crate) fn factor(&mut self) -> bool {
        let Tree { n, runs, start, lower, upper, inverse, symmetric, .. } = self;
        let n = *n;
        inverse.resize(n, 0.0);
        if !*symmetric {
            for i in 0..n {
                for (first, end) in &runs[start[i] as usize..start[i + 1] as usize] {
                    let all = i * n + *first as usize..i * n + *end as usize;
                    upper[all.clone()].iter_mut().zip(&lower[all]).for_each(|(u, l)| *u += l);
                }
            }
        }
        for i in (0..n).rev() {
            let pivot = lower[i * n + i];
            if !(pivot.abs() > 1e-12) {
                return false;
            }
            inverse[i] = 1.0 / pivot;
            let runs = &runs[start[i] as usize..start[i + 1] as usize];
            let (above, row) = lower.split_at_mut(i * n);
            let row = &row[..n];
            if *symmetric {
                each(runs, |j| {
                    let factor = row[j] * inverse[i];
                    subtract(&mut above[j * n..j * n + j + 1], row, factor, runs);
                });
            } else {
                let (above_upper, column) = upper.split_at_mut(i * n);
                each(runs, |j| {
                    subtract(&mut above[j * n..j * n + j + 1], row, column[j] * inverse[i], runs);
                    subtract(&mut above_upper[j * n..j * n + j], &column[..n], row[j] * inverse[i], runs);
                });
            }
        }
        true
    }

    /// Solves in place.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        let Tree { n, runs, start, lower, upper, inverse, symmetric, .. } = self;
        let columns = if *symmetric { lower } else { upper };
        for i in (0..*n).rev() {
            let b = x[i] * inverse[i];
            let column = &columns[i * n..i * n + i];
            each(&runs[start[i] as usize..start[i + 1] as usize], |j| x[j] -= column[j] * b);
        }
        for i in 0..*n {
            let row = &lower[i * n..i * n + i];
            let mut sum = x[i];
            each(&runs[start[i] as usize..start[i + 1] as usize], |j| sum -= row[j] * x[j]);
            x[i] = sum * inverse[i];
        }
    }
}

/// Visits the columns of some runs.
#[inline(always)]
fn each(runs: &[(u32, u32)], mut visit: impl FnMut(usize)) {
    for (first, end) in runs {
        (*first as usize..*end as usize).for_each(&mut visit);
    }
}

/// `to −= factor · from` on runs, as far as `to` goes.
#[inline(always)]
fn subtract(to: &mut [f64], from: &[f64], factor: f64, runs: &[(u32, u32)]) {
    for (first, end) in runs {
        let (first, end) = (*first as usize, (*end as usize).min(to.len()));
        if first >= end {
            break;
        }
        for (x, y) in to[first..end].iter_mut().zip(&from[first..end]) {
            *x -= factor * y;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// Paths of two trees of seven unknowns each, one of which also couples both; with and without a lopsided part.
    #[test]
    fn it_solves_what_dense_elimination_solves() {
        let paths: [&[usize]; 5] =
            [&[0, 1, 2, 3], &[0, 1, 4, 5], &[7, 8, 9], &[7, 8, 10, 12], &[0, 1, 4, 7, 8, 9]];
        for lopsided in [0.0, 0.3] {
            let (n, mut tree) = (14, Tree::default());
            tree.clear(n);
            paths.iter().for_each(|p| tree.reserve(p.iter().copied()));
            tree.lay_out();
            let mut dense = DMatrix::<f64>::identity(n, n);
            for (k, path) in paths.iter().enumerate() {
                let z: Vec<[f64; 3]> = (0..path.len())
                    .map(|i| [0, 1, 2].map(|r| (1.0 + (7 * k + 3 * i + 5 * r) as f64).sin()))
                    .collect();
                let mut stiff = Mat3::new(3.0, 0.2, 0.1, 0.2, 2.0, 0.0, 0.1, 0.0, 5.0);
                stiff.m21 += lopsided;
                tree.add(path.iter().copied().zip(&z), &stiff);
                tree.add_row(path.iter().zip(&z).map(|(i, z)| (*i, z[1])), 4.0);
                for (i, x) in path.iter().zip(&z) {
                    for (j, y) in path.iter().zip(&z) {
                        let own: f64 = (0..9).map(|e| x[e / 3] * stiff[(e / 3, e % 3)] * y[e % 3]).sum();
                        dense[(*i, *j)] += own + 4.0 * x[1] * y[1];
                    }
                }
            }
            let b = DVector::from_fn(n, |i, _| (2.0 * i as f64).cos());
            let mut x = b.as_slice().to_vec();
            assert!(tree.factor());
            tree.solve(&mut x);
            let error = (dense * DVector::from_vec(x) - b).amax();
            assert!(error < 1e-12, "residual {error}");
        }
    }
}
