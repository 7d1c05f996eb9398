//! Rounds of the augmented Lagrangian, and the Gauss–Newton steps within.

use super::band::BlockBand;
use super::stage::{Model, Stage};
use super::{Penalty, Row};

/// Shares of a step that are tried before the damping is raised.
const SHARES: [f64; 3] = [1.0, 0.5, 0.25];
/// Change of the damping after a step that did well, or did not.
const EASE: f64 = 0.1;
const STIFFEN: f64 = 30.0;
const MOST_DAMPING: f64 = 1e8;

/// A trajectory with its rows. It keeps the present frames and a trial, which is a step away.
///
/// Stage `k` sees the frames `k−1`, `k`, `k+1` (of an open chain those that there are) and its own unknowns.
pub trait Chain {
    /// Number of frames; at least 5 in a cycle, 3 in an open chain.
    fn frames(&self) -> usize;

    /// Tangent numbers of a frame.
    fn width(&self) -> usize;

    /// Whether the last frame is followed by the first.
    fn is_cyclic(&self) -> bool;

    /// Unknowns of a stage alone. Each must have a cost.
    fn locals(&self, stage: usize) -> usize;

    /// What a unit of damping of the frames is for the unknowns of stages.
    fn local_scale(&self) -> f64 {
        1.0
    }

    /// What the rows of a stage ask for; the same in number and kind throughout.
    fn rows(&self, stage: usize) -> &[Row];

    /// Penalties of the groups of rows.
    fn penalties(&self) -> &[Penalty];

    /// Makes the trial the present trajectory moved by `share` of a step: `frames` has `width` numbers per frame, `locals` those of all
    /// stages one after the other.
    fn try_step(&mut self, share: f64, frames: &[f64], locals: &[f64]);

    /// The trial becomes the present trajectory.
    fn accept(&mut self);

    /// Values of the rows of a stage of the trial.
    fn values(&mut self, stage: usize, out: &mut [f64]);

    /// Derivatives of the rows at the present trajectory, which the trial equals then, row after row: by the stage's own unknowns, then by the frames before, here
    /// and after. All zeros to begin with.
    fn jacobian(&mut self, stage: usize, out: &mut [f64]);
}

/// Limits of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainSettings {
    /// Most rounds.
    pub rounds: usize,
    /// Most steps in a round.
    pub steps: usize,
    /// By how much penalties grow from round to round.
    pub growth: f64,
    /// First damping.
    pub damping: f64,
    /// Least damping.
    pub least_damping: f64,
    /// By how much of it a whole step may raise the sum: where bounds come and go the model is wrong at first, and the next step mends it.
    pub slack: f64,
    /// A round ends when a step lowers the sum by less than this share of it …
    pub progress: f64,
    /// … and moves no frame farther than this.
    pub settled: f64,
}

impl Default for ChainSettings {
    fn default() -> Self {
        Self {
            rounds: 16,
            steps: 8,
            growth: 3.0,
            damping: 1e-3,
            least_damping: 1e-8,
            slack: 0.1,
            progress: 1e-7,
            settled: 1e-6,
        }
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainStatus {
    /// All rows are kept within their tolerance, and the last round hardly moved anything.
    Solved,
    /// The last round ended, and rows are still beyond their tolerance.
    RoundLimit,
    /// Numbers are not finite, or a stage is not convex.
    Failed,
    /// The caller gave up.
    Stopped,
}

/// One round.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Steps taken.
    pub steps: usize,
    /// The cost rows alone.
    pub cost: f64,
    /// Farthest that a row of each group is from its bounds.
    pub violations: Vec<f64>,
}

/// The end of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainReport {
    /// How it ended.
    pub status: ChainStatus,
    /// Steps taken in all.
    pub steps: usize,
    /// The rounds.
    pub rounds: Vec<Round>,
}

impl ChainReport {
    /// Farthest that a row of a group is from its bounds in the answer.
    pub fn violation(&self, group: usize) -> f64 {
        self.rounds.last().and_then(|r| r.violations.get(group)).copied().unwrap_or(f64::NAN)
    }
}

/// The workspace of a search.
///
/// ```
/// use sinew_solve::chain::{Chain, ChainSettings, ChainSolver, ChainStatus, Penalty, Row};
///
/// /// A hanging thread: points on a line 1 apart, as low as possible, links at most 1.25 long, ends held at 0.
/// struct Thread { z: Vec<f64>, trial: Vec<f64>, rows: Vec<Row> }
///
/// impl Chain for Thread {
///     fn frames(&self) -> usize { self.z.len() }
///     fn width(&self) -> usize { 1 }
///     fn is_cyclic(&self) -> bool { false }
///     fn locals(&self, _: usize) -> usize { 0 }
///     fn rows(&self, k: usize) -> &[Row] { if k + 1 < self.z.len() { &self.rows } else { &self.rows[..1] } }
///     fn penalties(&self) -> &[Penalty] { &[Penalty { first: 1.0, most: 1e4, tolerance: 1e-9 }] }
///     fn try_step(&mut self, share: f64, dx: &[f64], _: &[f64]) {
///         self.trial = self.z.iter().zip(dx).map(|(z, d)| z + share * d).collect();
///     }
///     fn accept(&mut self) { self.z.clone_from(&self.trial) }
///     fn values(&mut self, k: usize, out: &mut [f64]) {
///         out[0] = self.trial[k] + 10.0; // the floor to which it is drawn
///         if k + 1 < self.z.len() { out[1] = self.trial[k + 1] - self.trial[k]; }
///     }
///     fn jacobian(&mut self, k: usize, out: &mut [f64]) {
///         let held = |k: usize| k == 0 || k + 1 == self.z.len();
///         out[1] = f64::from(!held(k));
///         if k + 1 < self.z.len() { (out[4], out[5]) = (-f64::from(!held(k)), f64::from(!held(k + 1))); }
///     }
/// }
///
/// let rows = vec![Row::Cost { weight: 1.0 }, Row::Keep { lo: -0.75, hi: 0.75, group: 0 }];
/// let mut thread = Thread { z: vec![0.0; 9], trial: vec![0.0; 9], rows };
/// let report = ChainSolver::new(ChainSettings::default()).solve(&mut thread, &mut |_| true);
/// assert_eq!(report.status, ChainStatus::Solved);
/// assert!((thread.z[4] + 3.0).abs() < 1e-8); // four taut links down, four up
/// ```
#[derive(Clone, Debug)]
pub struct ChainSolver {
    /// Limits; may be changed between searches.
    pub settings: ChainSettings,
    /// First row and first own unknown of each stage, and the ends.
    first_row: Vec<usize>,
    first_local: Vec<usize>,
    values: Vec<f64>,
    trial: Vec<f64>,
    multipliers: Vec<f64>,
    penalties: Vec<f64>,
    stages: Vec<Stage>,
    frames: Vec<f64>,
    locals: Vec<f64>,
    gradient: Vec<f64>,
    jacobian: Vec<f64>,
}

impl ChainSolver {
    /// An empty workspace.
    pub fn new(settings: ChainSettings) -> Self {
        Self {
            settings,
            first_row: Vec::new(),
            first_local: Vec::new(),
            values: Vec::new(),
            trial: Vec::new(),
            multipliers: Vec::new(),
            penalties: Vec::new(),
            stages: Vec::new(),
            frames: Vec::new(),
            locals: Vec::new(),
            gradient: Vec::new(),
            jacobian: Vec::new(),
        }
    }

    /// Improves the trajectory. `progress` receives every round and returns whether to continue.
    ///
    /// # Panics
    /// When a cycle has fewer than 5 frames, an open chain fewer than 3.
    pub fn solve<C: Chain>(
        &mut self,
        chain: &mut C,
        progress: &mut dyn FnMut(&Round) -> bool,
    ) -> ChainReport {
        let (n, count, cyclic) = (chain.width(), chain.frames(), chain.is_cyclic());
        assert!(count >= if cyclic { 5 } else { 3 }, "a chain of {count} frames");
        self.begin(chain);
        let border = if cyclic { 2 } else { 0 };
        let mut band = BlockBand::new(n, count - border, border * n);
        let most = (0..count).map(|k| chain.locals(k)).max().unwrap_or(0);
        let rows = (0..count).map(|k| chain.rows(k).len()).max().unwrap_or(0);
        let mut model = Model::new(most + 3 * n, rows);
        self.jacobian = vec![0.0; rows * (most + 3 * n)];
        let mut report = ChainReport { status: ChainStatus::RoundLimit, steps: 0, rounds: Vec::new() };
        let mut damping = self.settings.damping;
        chain.try_step(0.0, &self.frames, &self.locals);
        chain.accept();
        self.evaluate(chain);
        std::mem::swap(&mut self.values, &mut self.trial);
        for _ in 0..self.settings.rounds {
            let Some((steps, moved)) = self.round(chain, &mut band, &mut model, &mut damping) else {
                report.status = ChainStatus::Failed;
                return report;
            };
            report.steps += steps;
            let round = Round { steps, cost: self.cost(chain), violations: self.violations(chain) };
            let kept = round.violations.iter().zip(chain.penalties()).all(|(v, p)| *v <= p.tolerance);
            let go_on = progress(&round);
            report.rounds.push(round);
            if kept && moved < 1e-3 {
                report.status = ChainStatus::Solved;
                return report;
            }
            if !go_on {
                report.status = ChainStatus::Stopped;
                return report;
            }
            self.raise(chain);
        }
        if report
            .rounds
            .last()
            .is_some_and(|r| r.violations.iter().zip(chain.penalties()).all(|(v, p)| *v <= p.tolerance))
        {
            report.status = ChainStatus::Solved;
        }
        report
    }

    /// Sizes of everything; no multiplier yet.
    fn begin<C: Chain>(&mut self, chain: &C) {
        let count = chain.frames();
        self.first_row.clear();
        self.first_local.clear();
        let (mut rows, mut locals) = (0, 0);
        for k in 0..count {
            self.first_row.push(rows);
            self.first_local.push(locals);
            rows += chain.rows(k).len();
            locals += chain.locals(k);
        }
        self.first_row.push(rows);
        self.first_local.push(locals);
        for (list, size) in [
            (&mut self.values, rows),
            (&mut self.trial, rows),
            (&mut self.multipliers, rows),
            (&mut self.frames, count * chain.width()),
            (&mut self.gradient, count * chain.width()),
            (&mut self.locals, locals),
        ] {
            list.clear();
            list.resize(size, 0.0);
        }
        self.stages.clear();
        self.stages.resize(count, Stage::default());
        self.penalties = chain.penalties().iter().map(|p| p.first).collect();
    }

    /// Values of all rows of the trial.
    fn evaluate<C: Chain>(&mut self, chain: &mut C) {
        for k in 0..chain.frames() {
            chain.values(k, &mut self.trial[self.first_row[k]..self.first_row[k + 1]]);
        }
    }

    /// Weight of a row and what it is short of, as a square: `½ w c²`. Nothing for a row within its bounds.
    fn weighted(&self, row: &Row, index: usize, value: f64) -> Option<(f64, f64)> {
        match *row {
            Row::Cost { weight } => Some((weight, value)),
            Row::Keep { lo, hi, group } => {
                let penalty = self.penalties[group];
                let shifted = value + self.multipliers[index] / penalty;
                let beyond = shifted - shifted.clamp(lo, hi);
                (beyond != 0.0).then_some((penalty, beyond))
            }
        }
    }

    /// The whole sum at some values.
    fn sum<C: Chain>(&self, chain: &C, values: &[f64]) -> f64 {
        let mut sum = 0.0;
        for k in 0..chain.frames() {
            let first = self.first_row[k];
            for (i, row) in chain.rows(k).iter().enumerate() {
                if let Some((w, c)) = self.weighted(row, first + i, values[first + i]) {
                    sum += 0.5 * w * c * c;
                }
            }
        }
        sum
    }

    fn cost<C: Chain>(&self, chain: &C) -> f64 {
        let mut sum = 0.0;
        for k in 0..chain.frames() {
            for (row, c) in chain.rows(k).iter().zip(&self.values[self.first_row[k]..]) {
                if let Row::Cost { weight } = row {
                    sum += 0.5 * weight * c * c;
                }
            }
        }
        sum
    }

    fn violations<C: Chain>(&self, chain: &C) -> Vec<f64> {
        let mut worst = vec![0.0_f64; self.penalties.len()];
        for k in 0..chain.frames() {
            for (row, c) in chain.rows(k).iter().zip(&self.values[self.first_row[k]..]) {
                if let Row::Keep { lo, hi, group } = *row {
                    worst[group] = worst[group].max((c - c.clamp(lo, hi)).abs());
                }
            }
        }
        worst
    }

    /// New multipliers and penalties.
    fn raise<C: Chain>(&mut self, chain: &C) {
        for k in 0..chain.frames() {
            for (i, row) in chain.rows(k).iter().enumerate() {
                let index = self.first_row[k] + i;
                if let Row::Keep { group, .. } = row {
                    let forced = self.weighted(row, index, self.values[index]);
                    self.multipliers[index] =
                        forced.map_or(0.0, |(_, beyond)| self.penalties[*group] * beyond);
                }
            }
        }
        for (now, Penalty { most, .. }) in self.penalties.iter_mut().zip(chain.penalties()) {
            // what a growing penalty does to a multiplier's share is undone by the form of the row
            *now = (*now * self.settings.growth).min(*most);
        }
    }

    /// Gauss–Newton steps; their number and the greatest change of a frame in the last one. Nothing when it fails.
    fn round<C: Chain>(
        &mut self,
        chain: &mut C,
        band: &mut BlockBand,
        model: &mut Model,
        damping: &mut f64,
    ) -> Option<(usize, f64)> {
        let mut sum = self.sum(chain, &self.values);
        let mut moved = 0.0;
        let mut slack = self.settings.slack;
        for step in 0..self.settings.steps {
            if !sum.is_finite() {
                return None;
            }
            self.linearise(chain, model);
            let Some((share, next)) = self.step(chain, band, model, damping, sum, slack) else {
                // the trial goes back to where the trajectory is
                chain.try_step(0.0, &self.frames, &self.locals);
                return Some((step, 0.0));
            };
            chain.accept();
            std::mem::swap(&mut self.values, &mut self.trial);
            moved = share * self.frames.iter().fold(0.0, |m: f64, d| m.max(d.abs()));
            let gained = sum - next;
            sum = next;
            slack *= 0.3;
            if gained.abs() <= self.settings.progress * sum && moved < self.settings.settled {
                return Some((step + 1, moved));
            }
        }
        Some((self.settings.steps, moved))
    }

    /// Quadratic models of all stages.
    fn linearise<C: Chain>(&mut self, chain: &mut C, model: &mut Model) {
        let n = chain.width();
        for k in 0..chain.frames() {
            let order = chain.locals(k) + 3 * n;
            let rows = chain.rows(k).len();
            let mut jacobian = std::mem::take(&mut self.jacobian);
            jacobian[..rows * order].fill(0.0);
            chain.jacobian(k, &mut jacobian[..rows * order]);
            let first = self.first_row[k];
            let weighted = chain.rows(k).iter().enumerate().filter_map(|(i, row)| {
                let (w, c) = self.weighted(row, first + i, self.values[first + i])?;
                Some((i, w, c))
            });
            model.gather(order, &jacobian, weighted);
            self.jacobian = jacobian;
            self.stages[k].keep(&model.hessian[..order * order], &model.gradient[..order]);
        }
    }

    /// The stages without their own unknowns, into the band and the gradient; false when a stage is not convex.
    fn reduce<C: Chain>(&mut self, chain: &C, band: &mut BlockBand, model: &mut Model, damping: f64) -> bool {
        let (n, count, cyclic) = (chain.width(), chain.frames(), chain.is_cyclic());
        band.clear();
        self.gradient.fill(0.0);
        for k in 0..count {
            let m = chain.locals(k);
            let order = m + 3 * n;
            if model.eliminate(order, m, damping, &mut self.stages[k]).is_err() {
                return false;
            }
            let window = window(k, count, cyclic);
            for (a, fa) in window.iter().enumerate() {
                let Some(fa) = *fa else { continue };
                let part = &model.gradient[m + a * n..m + (a + 1) * n];
                self.gradient[fa * n..(fa + 1) * n].iter_mut().zip(part).for_each(|(g, p)| *g += p);
                for (b, fb) in window.iter().enumerate().take(a + 1) {
                    let Some(fb) = *fb else { continue };
                    let block = &model.hessian[(m + b * n) * order + m + a * n..];
                    if fa >= fb {
                        band.add(fa, fb, block, order);
                    } else {
                        band.add_transposed(fb, fa, block, order);
                    }
                }
            }
        }
        true
    }

    /// A step that lowers the sum: its share and the sum there. Nothing when there is none.
    fn step<C: Chain>(
        &mut self,
        chain: &mut C,
        band: &mut BlockBand,
        model: &mut Model,
        damping: &mut f64,
        sum: f64,
        slack: f64,
    ) -> Option<(f64, f64)> {
        let (n, count, cyclic) = (chain.width(), chain.frames(), chain.is_cyclic());
        let mut around = vec![0.0; 3 * n];
        while *damping <= MOST_DAMPING {
            let own = *damping * chain.local_scale();
            if !self.reduce(chain, band, model, own) || band.factor(*damping).is_err() {
                *damping = damping.max(1e-12) * STIFFEN;
                continue;
            }
            self.frames.iter_mut().zip(&self.gradient).for_each(|(d, g)| *d = -g);
            band.solve(&mut self.frames);
            for k in 0..count {
                for (a, frame) in window(k, count, cyclic).into_iter().enumerate() {
                    let part = &mut around[a * n..(a + 1) * n];
                    match frame {
                        Some(f) => part.copy_from_slice(&self.frames[f * n..(f + 1) * n]),
                        None => part.fill(0.0),
                    }
                }
                let own = &mut self.locals[self.first_local[k]..self.first_local[k + 1]];
                self.stages[k].follow(&around, own);
            }
            for share in SHARES {
                chain.try_step(share, &self.frames, &self.locals);
                self.evaluate(chain);
                let trial = self.sum(chain, &self.trial);
                // written so that a NaN is no decrease
                let slack = if share == 1.0 { slack * sum } else { 0.0 };
                if trial < sum + slack {
                    if share == 1.0 {
                        *damping = (*damping * EASE).max(self.settings.least_damping);
                    }
                    return Some((share, trial));
                }
            }
            // no way down: at the bottom already, or the model is wrong so far out
            if self.frames.iter().all(|d| d.abs() < self.settings.settled) {
                return None;
            }
            *damping *= STIFFEN;
        }
        *damping = self.settings.damping;
        None
    }
}

/// The frames that a stage sees.
fn window(k: usize, count: usize, cyclic: bool) -> [Option<usize>; 3] {
    let before = if k > 0 { Some(k - 1) } else { cyclic.then_some(count - 1) };
    let after = if k + 1 < count { Some(k + 1) } else { cyclic.then_some(0) };
    [before, Some(k), after]
}
