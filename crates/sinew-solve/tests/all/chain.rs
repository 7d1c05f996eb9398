//! Chains of frames against dense systems.
use crate::random::{Random, distance};
use nalgebra::{DMatrix, DVector};
use sinew_solve::chain::{BlockBand, Chain, ChainSettings, ChainSolver, ChainStatus, Penalty, Row};

/// Adds a random positive definite coupling of two or three neighbouring blocks to both forms of a matrix.
fn couple(random: &mut Random, dense: &mut DMatrix<f64>, band: &mut BlockBand, n: usize, frames: &[usize]) {
    let m = n * frames.len();
    let part = random.semidefinite(m, m, 1.0, 0.3);
    let place = |i: usize| frames[i / n] * n + i % n;
    for i in 0..m {
        for j in 0..m {
            dense[(place(i), place(j))] += part[j * m + i];
        }
    }
    for (a, fa) in frames.iter().enumerate() {
        for (b, fb) in frames.iter().enumerate().take(a + 1) {
            let block = &part[b * n * m + a * n..];
            if fa >= fb { band.add(*fa, *fb, block, m) } else { band.add_transposed(*fb, *fa, block, m) }
        }
    }
}

#[test]
fn bands_of_blocks_equal_dense_systems() {
    let mut random = Random::new(41);
    for (n, count, cyclic) in
        [(1, 3, false), (3, 7, false), (1, 5, true), (2, 5, true), (5, 9, true), (13, 8, true)]
    {
        let border = if cyclic { 2 } else { 0 };
        let mut band = BlockBand::new(n, count - border, n * border);
        let mut dense = DMatrix::zeros(n * count, n * count);
        for k in 0..count {
            let frames = [(k + count - 1) % count, k, (k + 1) % count];
            let inner = k > 0 && k + 1 < count;
            let frames = if cyclic || inner { &frames[..] } else { &frames[1..2] };
            couple(&mut random, &mut dense, &mut band, n, frames);
        }
        let x = random.vector(n * count);
        let damping = 0.2;
        band.factor(damping).unwrap();
        let mut y = (&dense * DVector::from_column_slice(&x)).as_slice().to_vec();
        y.iter_mut().zip(&x).for_each(|(y, x)| *y += damping * x);
        band.solve(&mut y);
        assert!(distance(&x, &y) < 1e-11, "{n} {count} {cyclic}: {:e}", distance(&x, &y));
    }
}

/// A chain of linear rows `a d + b`.
struct Linear {
    n: usize,
    cyclic: bool,
    locals: Vec<usize>,
    rows: Vec<Vec<Row>>,
    jacobians: Vec<Vec<f64>>,
    offsets: Vec<Vec<f64>>,
    penalties: Vec<Penalty>,
    now: [Vec<f64>; 2],
    trial: [Vec<f64>; 2],
}

impl Linear {
    fn new(random: &mut Random, n: usize, count: usize, cyclic: bool) -> Linear {
        let locals: Vec<usize> = (0..count).map(|_| random.below(4)).collect();
        let (mut rows, mut jacobians, mut offsets) = (Vec::new(), Vec::new(), Vec::new());
        for (k, &m) in locals.iter().enumerate() {
            let order = m + 3 * n;
            // more costs than unknowns, one equality
            let costs = order + 2;
            let kinds: Vec<Row> = (0..costs)
                .map(|_| Row::Cost { weight: 0.5 + random.number().abs() })
                .chain([Row::zero(0)])
                .collect();
            let mut jacobian = random.vector(order * kinds.len());
            for row in jacobian.chunks_mut(order) {
                if !cyclic && k == 0 {
                    row[m..m + n].fill(0.0);
                }
                if !cyclic && k + 1 == count {
                    row[m + 2 * n..].fill(0.0);
                }
            }
            offsets.push(random.vector(kinds.len()));
            rows.push(kinds);
            jacobians.push(jacobian);
        }
        let zeros = || [vec![0.0; n * count], vec![0.0; locals.iter().sum()]];
        let penalties = vec![Penalty { first: 1.0, most: 1e5, tolerance: 1e-11 }];
        Linear { n, cyclic, rows, jacobians, offsets, penalties, now: zeros(), trial: zeros(), locals }
    }

    /// Places of a stage's unknowns in one long vector: all frames, then all own unknowns; nothing for frames that are not there.
    fn places(&self, k: usize) -> Vec<Option<usize>> {
        let (n, count) = (self.n, self.locals.len());
        let own = n * count + self.locals[..k].iter().sum::<usize>();
        let mut out: Vec<Option<usize>> = (own..own + self.locals[k]).map(Some).collect();
        for step in [count - 1, 0, 1] {
            let there = self.cyclic || !((k == 0 && step == count - 1) || (k + 1 == count && step == 1));
            out.extend((0..n).map(|i| there.then_some((k + step) % count * n + i)));
        }
        out
    }
}

impl Chain for Linear {
    fn frames(&self) -> usize {
        self.locals.len()
    }
    fn width(&self) -> usize {
        self.n
    }
    fn is_cyclic(&self) -> bool {
        self.cyclic
    }
    fn locals(&self, stage: usize) -> usize {
        self.locals[stage]
    }
    fn rows(&self, stage: usize) -> &[Row] {
        &self.rows[stage]
    }
    fn penalties(&self) -> &[Penalty] {
        &self.penalties
    }
    fn try_step(&mut self, share: f64, frames: &[f64], locals: &[f64]) {
        for (part, step) in [frames, locals].into_iter().enumerate() {
            let moved = self.now[part].iter().zip(step).map(|(x, d)| x + share * d);
            self.trial[part] = moved.collect();
        }
    }
    fn accept(&mut self) {
        self.now = self.trial.clone();
    }
    fn values(&mut self, stage: usize, out: &mut [f64]) {
        let places = self.places(stage);
        let all: Vec<f64> = self.trial.concat();
        for (i, out) in out.iter_mut().enumerate() {
            let row = &self.jacobians[stage][i * places.len()..(i + 1) * places.len()];
            let sum: f64 = row.iter().zip(&places).map(|(a, p)| p.map_or(0.0, |p| a * all[p])).sum();
            *out = sum + self.offsets[stage][i];
        }
    }
    fn jacobian(&mut self, stage: usize, out: &mut [f64]) {
        out.copy_from_slice(&self.jacobians[stage]);
    }
}

#[test]
fn linear_chains_equal_the_dense_optimum() {
    let mut random = Random::new(42);
    for (n, count, cyclic) in [(2, 3, false), (3, 6, false), (2, 5, true), (4, 7, true)] {
        let mut chain = Linear::new(&mut random, n, count, cyclic);
        let unknowns = n * count + chain.locals.iter().sum::<usize>();
        let equalities = count;
        // stationarity and equalities in one dense system
        let mut kkt = DMatrix::zeros(unknowns + equalities, unknowns + equalities);
        let mut right = DVector::zeros(unknowns + equalities);
        for k in 0..count {
            let places = chain.places(k);
            for (i, row) in chain.rows[k].iter().enumerate() {
                let a = &chain.jacobians[k][i * places.len()..(i + 1) * places.len()];
                let b = chain.offsets[k][i];
                let entries: Vec<(usize, f64)> =
                    a.iter().zip(&places).filter_map(|(a, p)| p.map(|p| (p, *a))).collect();
                match row {
                    Row::Cost { weight } => {
                        for &(p, x) in &entries {
                            right[p] -= weight * x * b;
                            entries.iter().for_each(|&(q, y)| kkt[(p, q)] += weight * x * y);
                        }
                    }
                    Row::Keep { .. } => {
                        for &(p, x) in &entries {
                            (kkt[(unknowns + k, p)], kkt[(p, unknowns + k)]) = (x, x);
                        }
                        right[unknowns + k] = -b;
                    }
                }
            }
        }
        let exact = kkt.lu().solve(&right).unwrap();
        let settings = ChainSettings { rounds: 30, ..ChainSettings::default() };
        let mut rounds = 0;
        let report = ChainSolver::new(settings).solve(&mut chain, &mut |_| {
            rounds += 1;
            true
        });
        assert_eq!((report.status, report.rounds.len()), (ChainStatus::Solved, rounds));
        let found = chain.now.concat();
        let error = distance(&found, &exact.as_slice()[..unknowns]);
        assert!(error < 1e-9, "{n} {count} {cyclic}: {error:e}");
    }
}

#[test]
fn a_chain_can_be_stopped_and_says_so() {
    let mut random = Random::new(43);
    let mut chain = Linear::new(&mut random, 2, 5, true);
    let report = ChainSolver::new(ChainSettings::default()).solve(&mut chain, &mut |_| false);
    assert_eq!((report.status, report.rounds.len()), (ChainStatus::Stopped, 1));
}
