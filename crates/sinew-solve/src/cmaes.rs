//! CMA-ES: minimisation without derivatives, by a population that learns the shape of the valley.
//!
//! # Method
//! Each generation draws λ points from a normal distribution, `x = m + σ B D z`, evaluates them, and moves the
//! distribution towards the better half: the mean `m` to their weighted mean, the covariance `C = B D² Bᵀ` towards
//! the steps that were good (*rank-μ*) and the path that the mean has taken (*rank-one*), the step size σ up when
//! successive steps of the mean point the same way and down when they cancel. Nothing is asked of the function but
//! its order: it may be noisy, discontinuous, or infinite where a character falls. All constants are those of the
//! source.
//!
//! - **Bounds**: a coordinate that leaves the box is folded back into it like light between mirrors; the search
//!   itself is unbounded.
//! - **Restarts**: when the population has converged and evaluations are left, the search starts again at the
//!   initial point with twice the population, and the best point of all runs is kept.
//! - **Seeds**: points are drawn on one thread, before the evaluations; the same seed gives the same run, to the
//!   bit, however the evaluations are spread.
//!
//! Cost per generation: λ evaluations, λn² for sampling and covariance, and an eigendecomposition of `C` every so
//! often. Good up to about a hundred parameters.
//!
//! Source: Hansen, "The CMA evolution strategy: a tutorial", arXiv:1604.00772 (2016); restarts: Auger and Hansen,
//! "A restart CMA evolution strategy with increasing population size", CEC 2005.

use crate::dense::vector::{axpy, gemv_add, gemv_t};
use crate::dense::{dot, max_abs, norm};
use crate::eigen::SymmetricEigen;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Settings of a search and its stopping conditions.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Points per generation; 0 stands for `4 + ⌊3 ln n⌋`.
    pub population: usize,
    /// First step size σ: about a third of the range where the optimum is expected.
    pub step: f64,
    /// Lower and upper bound of each parameter, if any.
    pub bounds: Option<(Vec<f64>, Vec<f64>)>,
    /// Cap on evaluations.
    pub max_evaluations: usize,
    /// Stop when a value at or below this is found.
    pub target: f64,
    /// A run has converged when all steps are smaller than this part of the first one …
    pub step_tolerance: f64,
    /// … or when values have differed by less than this for some time.
    pub value_tolerance: f64,
    /// How often to start again after convergence.
    pub restarts: usize,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            population: 0,
            step: 0.3,
            bounds: None,
            max_evaluations: 100_000,
            target: f64::NEG_INFINITY,
            step_tolerance: 1e-11,
            value_tolerance: 1e-12,
            restarts: 0,
            seed: 0,
        }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The target value was reached.
    Target,
    /// Steps or differences of values became small.
    Converged,
    /// The covariance became singular to working precision.
    IllConditioned,
    /// The cap on evaluations was met.
    EvaluationLimit,
}

/// The best point found.
#[derive(Clone, Debug)]
pub struct Best {
    /// The parameters.
    pub x: Vec<f64>,
    /// Their value.
    pub value: f64,
    /// Evaluations made.
    pub evaluations: usize,
    /// Why the search ended.
    pub stop: Stop,
}

/// A search in progress: ask for points, evaluate them, return their values with `tell`.
///
/// ```
/// use sinew_solve::cmaes::{CmaEs, Settings};
/// let mut search = CmaEs::new(&[1.0, 1.0], Settings { step: 0.5, ..Settings::default() });
/// for _ in 0..100 {
///     let values: Vec<f64> = search.ask().chunks_exact(2).map(|x| x[0] * x[0] + 100.0 * x[1] * x[1]).collect();
///     search.tell(&values);
/// }
/// assert!(search.best().1 < 1e-10);
/// ```
#[derive(Clone, Debug)]
pub struct CmaEs {
    settings: Settings,
    n: usize,
    lambda: usize,
    weights: Vec<f64>,
    constants: Constants,
    start: Vec<f64>,
    mean: Vec<f64>,
    sigma: f64,
    /// Covariance, and its factors B (columns) and D.
    covariance: Vec<f64>,
    eigen: SymmetricEigen,
    axes: Vec<f64>,
    lengths: Vec<f64>,
    since_eigen: usize,
    path_c: Vec<f64>,
    path_s: Vec<f64>,
    /// Steps `B D z` of the generation, and the points folded into the box.
    steps: Vec<f64>,
    points: Vec<f64>,
    order: Vec<usize>,
    mean_step: Vec<f64>,
    scratch: Vec<f64>,
    generation: usize,
    history: Vec<f64>,
    evaluations: usize,
    best: (Vec<f64>, f64),
    random: Pcg64,
}

/// Learning rates, from the number of parameters and the weights.
#[derive(Clone, Copy, Debug, Default)]
struct Constants {
    mu_eff: f64,
    c_c: f64,
    c_s: f64,
    c_1: f64,
    c_mu: f64,
    damping: f64,
    expected_norm: f64,
}

impl CmaEs {
    /// Starts a search at `start`.
    ///
    /// # Panics
    /// When `start` is empty, or bounds have another length or are not in order.
    pub fn new(start: &[f64], settings: Settings) -> Self {
        let n = start.len();
        assert!(n > 0, "a search without parameters");
        if let Some((lo, hi)) = &settings.bounds {
            assert!(
                lo.len() == n && hi.len() == n && lo.iter().zip(hi).all(|(l, h)| l < h),
                "bounds of a search"
            );
        }
        let lambda = match settings.population {
            0 => 4 + (3.0 * libm::log(n as f64)) as usize,
            given => given.max(2),
        };
        let random = Pcg64::seed_from_u64(settings.seed);
        let zeros = |n| vec![0.0; n];
        let mut search = Self {
            n,
            lambda: 0,
            weights: Vec::new(),
            constants: Constants::default(),
            start: start.to_vec(),
            mean: zeros(n),
            sigma: 0.0,
            covariance: zeros(n * n),
            eigen: SymmetricEigen::new(n),
            axes: zeros(n * n),
            lengths: zeros(n),
            since_eigen: 0,
            path_c: zeros(n),
            path_s: zeros(n),
            steps: Vec::new(),
            points: Vec::new(),
            order: Vec::new(),
            mean_step: zeros(n),
            scratch: zeros(n),
            generation: 0,
            history: Vec::new(),
            evaluations: 0,
            best: (start.to_vec(), f64::INFINITY),
            random,
            settings,
        };
        search.begin(lambda);
        search
    }

    /// Sets the distribution to the start, for a population of `lambda`.
    fn begin(&mut self, lambda: usize) {
        let n = self.n as f64;
        self.lambda = lambda;
        let half = lambda / 2;
        // log-linear weights of the better half
        self.weights.clear();
        self.weights
            .extend((0..half).map(|i| libm::log((lambda as f64 + 1.0) / 2.0) - libm::log(i as f64 + 1.0)));
        let sum: f64 = self.weights.iter().sum();
        self.weights.iter_mut().for_each(|w| *w /= sum);
        let mu_eff = 1.0 / dot(&self.weights, &self.weights);
        let c_s = (mu_eff + 2.0) / (n + mu_eff + 5.0);
        let c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + mu_eff);
        let c_mu = 2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((n + 2.0) * (n + 2.0) + mu_eff);
        self.constants = Constants {
            mu_eff,
            c_c: (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n),
            c_s,
            c_1,
            c_mu: c_mu.min(1.0 - c_1),
            damping: 1.0 + 2.0 * (((mu_eff - 1.0) / (n + 1.0)).max(0.0).sqrt() - 1.0).max(0.0) + c_s,
            expected_norm: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        };
        self.mean.copy_from_slice(&self.start);
        self.sigma = self.settings.step;
        let size = self.n;
        self.covariance.fill(0.0);
        self.axes.fill(0.0);
        for i in 0..size {
            self.covariance[i * (size + 1)] = 1.0;
            self.axes[i * (size + 1)] = 1.0;
        }
        self.lengths.fill(1.0);
        self.since_eigen = 0;
        self.path_c.fill(0.0);
        self.path_s.fill(0.0);
        self.steps.resize(size * lambda, 0.0);
        self.points.resize(size * lambda, 0.0);
        self.generation = 0;
        self.history.clear();
    }

    /// Draws the points of a generation, one after the other.
    pub fn ask(&mut self) -> &[f64] {
        let n = self.n;
        for k in 0..self.lambda {
            for i in 0..n {
                self.scratch[i] = self.lengths[i] * normal(&mut self.random);
            }
            let step = &mut self.steps[k * n..(k + 1) * n];
            step.fill(0.0);
            gemv_add(1.0, &self.axes, n, &self.scratch, step);
            let point = &mut self.points[k * n..(k + 1) * n];
            for i in 0..n {
                point[i] = self.mean[i] + self.sigma * step[i];
                if let Some((lo, hi)) = &self.settings.bounds {
                    point[i] = fold(point[i], lo[i], hi[i]);
                }
            }
        }
        &self.points
    }

    /// Takes the values of the points asked for last, in their order. A NaN counts as the worst value.
    ///
    /// # Panics
    /// When there are not as many values as points.
    pub fn tell(&mut self, values: &[f64]) {
        assert_eq!(values.len(), self.lambda, "values of a generation");
        let n = self.n;
        let worth = |k: usize| if values[k].is_nan() { f64::INFINITY } else { values[k] };
        self.order.clear();
        self.order.extend(0..self.lambda);
        self.order.sort_unstable_by(|&a, &b| worth(a).total_cmp(&worth(b)).then(a.cmp(&b)));
        self.evaluations += self.lambda;
        self.generation += 1;
        let first = self.order[0];
        if worth(first) < self.best.1 {
            self.best.0.copy_from_slice(&self.points[first * n..(first + 1) * n]);
            self.best.1 = worth(first);
        }
        self.history.push(worth(first));
        self.update();
    }

    /// Moves mean, paths, covariance and step size.
    fn update(&mut self) {
        let n = self.n;
        let c = self.constants;
        self.mean_step.fill(0.0);
        for (w, &k) in self.weights.iter().zip(&self.order) {
            axpy(*w, &self.steps[k * n..(k + 1) * n], &mut self.mean_step);
        }
        axpy(self.sigma, &self.mean_step, &mut self.mean);
        // path of the step size, in coordinates where the distribution is round: C^(−½) y = B D⁻¹ Bᵀ y
        gemv_t(&self.axes, n, &self.mean_step, &mut self.scratch);
        self.scratch.iter_mut().zip(&self.lengths).for_each(|(s, d)| *s /= d);
        let gain = (c.c_s * (2.0 - c.c_s) * c.mu_eff).sqrt();
        self.path_s.iter_mut().for_each(|p| *p *= 1.0 - c.c_s);
        gemv_add(gain, &self.axes, n, &self.scratch, &mut self.path_s);
        let length = norm(&self.path_s);
        // the other path stands still while the step size grows fast
        let faded = 1.0 - libm::pow(1.0 - c.c_s, 2.0 * self.generation as f64);
        let steady = length / faded.sqrt() < (1.4 + 2.0 / (n as f64 + 1.0)) * c.expected_norm;
        self.path_c.iter_mut().for_each(|p| *p *= 1.0 - c.c_c);
        if steady {
            axpy((c.c_c * (2.0 - c.c_c) * c.mu_eff).sqrt(), &self.mean_step, &mut self.path_c);
        }
        // covariance: what is kept, the path, the good steps
        let lost = if steady { 0.0 } else { c.c_1 * c.c_c * (2.0 - c.c_c) };
        let kept = 1.0 - c.c_1 - c.c_mu + lost;
        self.covariance.iter_mut().for_each(|v| *v *= kept);
        for j in 0..n {
            let column = &mut self.covariance[j * n..(j + 1) * n];
            axpy(c.c_1 * self.path_c[j], &self.path_c, column);
            for (w, &k) in self.weights.iter().zip(&self.order) {
                let step = &self.steps[k * n..(k + 1) * n];
                axpy(c.c_mu * w * step[j], step, column);
            }
        }
        self.sigma *=
            libm::exp((c.c_s / c.damping) * (length / c.expected_norm - 1.0)).min(std::f64::consts::E);
        // new axes, seldom enough to cost no more than the sampling
        self.since_eigen += self.lambda;
        if self.since_eigen as f64 > self.lambda as f64 / ((c.c_1 + c.c_mu) * n as f64 * 10.0) {
            self.since_eigen = 0;
            if self.eigen.decompose(n, &self.covariance).is_ok() {
                self.axes.copy_from_slice(self.eigen.vectors());
                for (length, value) in self.lengths.iter_mut().zip(self.eigen.values()) {
                    *length = value.max(0.0).sqrt();
                }
            }
        }
    }

    /// Whether this run is at its end, and why.
    fn converged(&self) -> Option<Stop> {
        let (shortest, longest) = (self.lengths[0], self.lengths[self.n - 1]);
        if !(shortest > 1e-7 * longest && longest.is_finite()) {
            return Some(Stop::IllConditioned);
        }
        if self.sigma * longest.max(max_abs(&self.path_c)) < self.settings.step_tolerance * self.settings.step
        {
            return Some(Stop::Converged);
        }
        let window = 10 + 30 * self.n / self.lambda;
        let recent = self.history.len().checked_sub(window).map(|from| &self.history[from..])?;
        let (low, high) =
            recent.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
        (high - low <= self.settings.value_tolerance).then_some(Stop::Converged)
    }

    /// The best point so far and its value (infinite before the first generation).
    pub fn best(&self) -> (&[f64], f64) {
        (&self.best.0, self.best.1)
    }

    /// The mean of the distribution, and its step size σ.
    pub fn distribution(&self) -> (&[f64], f64) {
        (&self.mean, self.sigma)
    }

    /// Runs to the end. `evaluate` gets the points of a generation one after the other and writes their values.
    pub fn run(&mut self, mut evaluate: impl FnMut(&[f64], &mut [f64])) -> Best {
        let mut values = Vec::new();
        let mut restarts = self.settings.restarts;
        let stop = loop {
            if self.evaluations + self.lambda > self.settings.max_evaluations {
                break Stop::EvaluationLimit;
            }
            values.resize(self.lambda, 0.0);
            self.ask();
            evaluate(&self.points, &mut values);
            self.tell(&values);
            if self.best.1 <= self.settings.target {
                break Stop::Target;
            }
            if let Some(stop) = self.converged() {
                if restarts == 0 {
                    break stop;
                }
                restarts -= 1;
                self.begin(2 * self.lambda);
            }
        };
        Best { x: self.best.0.clone(), value: self.best.1, evaluations: self.evaluations, stop }
    }
}

/// Minimises `f` from `start`; with the feature `parallel` the points of a generation are evaluated on all cores.
///
/// ```
/// use sinew_solve::cmaes::{Settings, Stop, minimise};
/// let rosenbrock = |x: &[f64]| (1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0] * x[0]).powi(2);
/// let best = minimise(&[-1.0, 1.0], Settings { target: 1e-12, ..Settings::default() }, rosenbrock);
/// assert_eq!(best.stop, Stop::Target);
/// assert!((best.x[0] - 1.0).abs() < 1e-4);
/// ```
pub fn minimise(start: &[f64], settings: Settings, f: impl Fn(&[f64]) -> f64 + Sync) -> Best {
    CmaEs::new(start, settings).run(|points, values| {
        let points: Vec<&[f64]> = points.chunks_exact(start.len()).collect();
        values.copy_from_slice(&crate::sweep::map(&points, |x| f(x)));
    })
}

/// Folds a number into [lo, hi] as mirrors at both ends would.
fn fold(x: f64, lo: f64, hi: f64) -> f64 {
    let width = hi - lo;
    if !width.is_finite() {
        // one mirror at most
        return if x < lo {
            2.0 * lo - x
        } else if x > hi {
            2.0 * hi - x
        } else {
            x
        };
    }
    let t = (x - lo) / (2.0 * width);
    let t = 2.0 * width * (t - t.floor());
    (lo + if t <= width { t } else { 2.0 * width - t }).max(lo).min(hi)
}

/// A standard normal number, by the transformation of Box and Muller.
fn normal(random: &mut Pcg64) -> f64 {
    // in (0, 1], so that the logarithm is finite
    let u = 1.0 - random.random::<f64>();
    let angle = 2.0 * std::f64::consts::PI * random.random::<f64>();
    (-2.0 * libm::log(u)).sqrt() * libm::cos(angle)
}
