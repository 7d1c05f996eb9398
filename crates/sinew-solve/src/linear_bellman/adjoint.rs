//! Trajectory optimisation by gradients: the adjoint equation and nonlinear conjugate gradients.
//!
//! ```text
//! λ_N = g_x,   λ_k = l_x + F_xᵀλ_{k+1},   gradient_k = l_u + F_uᵀλ_{k+1}
//! d = −G + βd,   β = max(0, Gᵀ(G − G_before)/‖G_before‖²)          (Polak-Ribière)
//! ```
//! with a restart every twenty iterations and where `d` would not descend, and a line search to the strong Wolfe conditions. It takes the
//! problems of [`ddp`](crate::ddp), needs many more iterations than that, and no second derivatives; it sometimes ends in another local
//! optimum, which is why the thesis has both. Source: Nocedal and Wright, *Numerical Optimization*, 2nd ed., algorithms 3.5, 3.6, 5.4.

use crate::ddp::Problem;
use crate::dense::{dot, norm};
use crate::riccati::{Stage, Terminal};

/// Cost and gradient of a trajectory in its controls.
pub struct Adjoint<P: Problem> {
    data: Vec<P::Data>,
    stages: Vec<Stage>,
    terminal: Terminal,
    xs: Vec<f64>,
    offsets: Vec<usize>,
    costate: Vec<f64>,
    before: Vec<f64>,
}

impl<P: Problem> Adjoint<P> {
    /// Workspace for a problem.
    pub fn new(problem: &P) -> Self {
        let (nodes, ndx) = (problem.nodes(), problem.ndx());
        let mut offsets = vec![0; nodes + 1];
        (0..nodes).for_each(|k| offsets[k + 1] = offsets[k] + problem.nu(k));
        Self {
            data: (0..=nodes).map(|k| problem.data(k)).collect(),
            stages: (0..nodes).map(|k| Stage::new(ndx, problem.nu(k))).collect(),
            terminal: Terminal { lxx: vec![0.0; ndx * ndx], lx: vec![0.0; ndx], l0: 0.0 },
            xs: vec![0.0; problem.nx() * (nodes + 1)],
            offsets,
            costate: vec![0.0; ndx],
            before: vec![0.0; ndx],
        }
    }

    /// The cost of the controls from `x0`.
    pub fn cost(&mut self, problem: &P, x0: &[f64], us: &[f64]) -> f64 {
        let (nodes, nx) = (problem.nodes(), problem.nx());
        self.xs[..nx].copy_from_slice(x0);
        let mut cost = 0.0;
        for k in 0..nodes {
            let (head, tail) = self.xs.split_at_mut((k + 1) * nx);
            let u = &us[self.offsets[k]..self.offsets[k + 1]];
            cost += problem.calc(k, &head[k * nx..], u, &mut self.data[k], &mut tail[..nx]);
        }
        cost + problem.calc_end(&self.xs[nodes * nx..], &mut self.data[nodes])
    }

    /// The cost, and its gradient in all controls.
    pub fn gradient(&mut self, problem: &P, x0: &[f64], us: &[f64], gradient: &mut [f64]) -> f64 {
        let cost = self.cost(problem, x0, us);
        let (nodes, nx, n) = (problem.nodes(), problem.nx(), problem.ndx());
        problem.calc_end_diff(&self.xs[nodes * nx..], &mut self.data[nodes], &mut self.terminal);
        self.costate.copy_from_slice(&self.terminal.lx);
        for k in (0..nodes).rev() {
            let (x, u) = (&self.xs[k * nx..(k + 1) * nx], &us[self.offsets[k]..self.offsets[k + 1]]);
            let stage = &mut self.stages[k];
            problem.calc_diff(k, x, u, &mut self.data[k], stage);
            for (j, g) in gradient[self.offsets[k]..self.offsets[k + 1]].iter_mut().enumerate() {
                *g = stage.lu[j] + dot(&stage.fu[j * n..(j + 1) * n], &self.costate);
            }
            for (j, before) in self.before.iter_mut().enumerate() {
                *before = stage.lx[j] + dot(&stage.fx[j * n..(j + 1) * n], &self.costate);
            }
            self.costate.copy_from_slice(&self.before);
        }
        cost
    }

    /// State `k` of the trajectory computed last.
    pub fn state(&self, k: usize) -> &[f64] {
        let nx = self.xs.len() / self.data.len();
        &self.xs[k * nx..(k + 1) * nx]
    }
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CgSettings {
    /// Most iterations.
    pub max_iterations: usize,
    /// Converged when the norm of the gradient is this share of the first one.
    pub tolerance: f64,
}

impl Default for CgSettings {
    fn default() -> CgSettings {
        CgSettings { max_iterations: 1000, tolerance: 1e-6 }
    }
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CgOutcome {
    /// Cost of the controls found.
    pub cost: f64,
    /// Iterations taken.
    pub iterations: usize,
    /// Norm of the gradient, over the first one.
    pub gradient: f64,
    /// Whether it is small enough.
    pub converged: bool,
}

/// Improves the controls `us` of a trajectory from `x0`.
///
/// # Panics
/// When lengths are wrong.
pub fn conjugate_gradients<P: Problem>(
    problem: &P,
    x0: &[f64],
    us: &mut [f64],
    settings: CgSettings,
) -> CgOutcome {
    let n = us.len();
    let mut search = Search {
        adjoint: Adjoint::new(problem),
        problem,
        x0,
        from: us.to_vec(),
        direction: vec![0.0; n],
        at: us.to_vec(),
        gradient: vec![0.0; n],
    };
    let mut cost = search.adjoint.gradient(problem, x0, us, &mut search.gradient);
    let first = norm(&search.gradient);
    let mut step = 1.0 / first.max(1e-300);
    let mut old = search.gradient.clone();
    let mut iterations = 0;
    while iterations < settings.max_iterations {
        if norm(&search.gradient) <= settings.tolerance * first {
            break;
        }
        let mut beta = 0.0;
        if iterations % 20 != 0 {
            let change: f64 = search.gradient.iter().zip(&old).map(|(g, o)| g * (g - o)).sum();
            beta = (change / dot(&old, &old)).max(0.0);
        }
        search.direction.iter_mut().zip(&search.gradient).for_each(|(d, g)| *d = beta * *d - g);
        if dot(&search.direction, &search.gradient) >= 0.0 {
            search.direction.iter_mut().zip(&search.gradient).for_each(|(d, g)| *d = -g);
        }
        old.copy_from_slice(&search.gradient);
        search.from.copy_from_slice(us);
        let Some((taken, found)) = search.wolfe(cost, step) else { break };
        us.copy_from_slice(&search.at);
        // the next search begins where this one went, with a little more room
        (cost, step) = (found, 2.0 * taken);
        iterations += 1;
    }
    let gradient = norm(&search.gradient) / first.max(1e-300);
    CgOutcome { cost, iterations, gradient, converged: gradient <= settings.tolerance || first == 0.0 }
}

struct Search<'a, P: Problem> {
    adjoint: Adjoint<P>,
    problem: &'a P,
    x0: &'a [f64],
    from: Vec<f64>,
    direction: Vec<f64>,
    at: Vec<f64>,
    gradient: Vec<f64>,
}

impl<P: Problem> Search<'_, P> {
    /// Cost and slope along the direction.
    fn look(&mut self, step: f64) -> (f64, f64) {
        for ((at, from), d) in self.at.iter_mut().zip(&self.from).zip(&self.direction) {
            *at = from + step * d;
        }
        let cost = self.adjoint.gradient(self.problem, self.x0, &self.at, &mut self.gradient);
        (cost, dot(&self.gradient, &self.direction))
    }

    /// A step to the strong Wolfe conditions, and its cost; the best seen when rounding forbids them, nothing when nothing is better.
    fn wolfe(&mut self, cost: f64, first: f64) -> Option<(f64, f64)> {
        const DECREASE: f64 = 1e-4;
        const CURVATURE: f64 = 0.1;
        let slope = dot(&self.gradient, &self.direction);
        // the end of the bracket with the lower cost: step, cost, slope; and the other end
        let mut low = (0.0, cost, slope);
        let mut high: Option<(f64, f64, f64)> = None;
        let mut step = first;
        for _ in 0..40 {
            let (c, s) = self.look(step);
            let enough = c <= cost + DECREASE * step * slope;
            if enough && s.abs() <= -CURVATURE * slope {
                return Some((step, c));
            }
            if !enough || c >= low.1 || !c.is_finite() {
                high = Some((step, c, s));
            } else {
                let other = high.map_or(f64::INFINITY, |h| h.0);
                if s * (other - low.0) >= 0.0 {
                    high = Some(low);
                }
                low = (step, c, s);
            }
            step = match high {
                None => 2.0 * step,
                Some(high) => between(low, high),
            };
            if high.is_some_and(|h| (h.0 - low.0).abs() < 1e-14 * low.0.abs().max(1e-300)) {
                break;
            }
        }
        (low.0 > 0.0).then(|| {
            let (c, _) = self.look(low.0);
            (low.0, c)
        })
    }
}

/// The minimum of the parabola through cost and slope of the lower end and the cost of the other, kept off both ends.
fn between(low: (f64, f64, f64), high: (f64, f64, f64)) -> f64 {
    let span = high.0 - low.0;
    let parabola = -0.5 * low.2 * span * span / (high.1 - low.1 - low.2 * span);
    let share = parabola / span;
    low.0 + span * if share.is_finite() { share.clamp(0.1, 0.9) } else { 0.5 }
}
