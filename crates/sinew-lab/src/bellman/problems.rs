//! The small problems of the thesis.

use sinew_solve::linear_bellman::{
    Axis, Controlled, Edge, FourierSeries, Grid, Problem, Settings, Solution, Space, Stepper,
};

/// A problem in one dimension, of functions.
pub(super) struct Line<A, G> {
    /// λ, which is also the spread, with B = R = 1.
    pub(super) softness: f64,
    pub(super) drift: A,
    pub(super) rate: f64,
    pub(super) end: G,
}

impl<A: Fn(f64) -> f64, G: Fn(f64) -> f64> Problem for Line<A, G> {
    fn softness(&self) -> f64 {
        self.softness
    }
    fn drift(&self, x: &[f64], a: &mut [f64]) {
        a[0] = (self.drift)(x[0]);
    }
    fn spread(&self, _: &[f64], s: &mut [f64]) {
        s[0] = self.softness;
    }
    fn rate(&self, _: &[f64], _: f64) -> f64 {
        self.rate
    }
    fn end(&self, x: &[f64]) -> f64 {
        (self.end)(x[0])
    }
}

impl<A: Fn(f64) -> f64, G: Fn(f64) -> f64> Controlled for Line<A, G> {
    fn controls(&self) -> usize {
        1
    }
    fn input(&self, _: &[f64], b: &mut [f64]) {
        b[0] = 1.0;
    }
}

/// P1, the particle: `dx = (1 + u) dt + dω` on a circle from −1 to 1, 1 per second, end `2x² − x⁴`.
pub(super) fn particle() -> impl Controlled {
    Line { softness: 1.0, drift: |_| 1.0, rate: 1.0, end: particle_end }
}

pub(super) fn particle_end(x: f64) -> f64 {
    let x = libm::remainder(x, 2.0);
    2.0 * x * x - x * x * x * x
}

pub(super) fn circle(nodes: usize) -> Grid {
    Grid::new(&[Axis::new(-1.0, 1.0, nodes, Edge::Periodic)])
}

/// The closed form of P1: `z` and its slope at a place and a time to go.
pub(super) struct ParticleExact(FourierSeries);

impl ParticleExact {
    pub(super) fn new() -> ParticleExact {
        ParticleExact(FourierSeries::of(|x| libm::exp(-particle_end(x)), -1.0, 1.0, 512))
    }

    pub(super) fn at(&self, x: f64, tau: f64) -> (f64, f64) {
        self.0.at(x, tau, 1.0, 1.0, 1.0)
    }
}

/// P2, the brick on ice: `ẍ = u + noise`, rate and end `100x² + 10v²`.
pub(super) struct Brick;

impl Problem for Brick {
    fn drift(&self, x: &[f64], a: &mut [f64]) {
        (a[0], a[1]) = (x[1], 0.0);
    }
    fn spread(&self, _: &[f64], s: &mut [f64]) {
        (s[0], s[1]) = (0.0, 1.0);
    }
    fn rate(&self, x: &[f64], _: f64) -> f64 {
        100.0 * x[0] * x[0] + 10.0 * x[1] * x[1]
    }
    fn end(&self, x: &[f64]) -> f64 {
        self.rate(x, 0.0)
    }
}

impl Controlled for Brick {
    fn controls(&self) -> usize {
        1
    }
    fn input(&self, _: &[f64], b: &mut [f64]) {
        (b[0], b[1]) = (0.0, 1.0);
    }
}

/// P3, the omniwheel robot in (x, y) or (x, y, θ), cost B: `½ per second, ½·weight·|p − goal|²` at the end.
pub(super) struct Omniwheel {
    pub(super) goal: [f64; 2],
    pub(super) weight: f64,
    /// Middle and radius of a round obstacle.
    pub(super) obstacle: Option<([f64; 2], f64)>,
}

impl Problem for Omniwheel {
    fn drift(&self, _: &[f64], a: &mut [f64]) {
        a.fill(0.0);
    }
    fn spread(&self, _: &[f64], s: &mut [f64]) {
        s[..2].fill(2.0 / 3.0);
        s.iter_mut().skip(2).for_each(|turn| *turn = 1.0 / 3.0);
    }
    fn rate(&self, _: &[f64], _: f64) -> f64 {
        0.5
    }
    fn end(&self, x: &[f64]) -> f64 {
        let (dx, dy) = (x[0] - self.goal[0], x[1] - self.goal[1]);
        0.5 * self.weight * (dx * dx + dy * dy)
    }
    fn blocked(&self, x: &[f64]) -> bool {
        self.obstacle.is_some_and(|(at, radius)| libm::hypot(x[0] - at[0], x[1] - at[1]) < radius)
    }
}

/// Settings that keep every slice.
pub(super) fn settings(space: Space, stepper: Stepper, horizon: f64, steps: usize) -> Settings {
    Settings { space, stepper, ..Settings::new(horizon, steps) }
}

/// Slope of a line through the logarithms of points: the observed order.
pub(super) fn order(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|p| (libm::log(p.0), libm::log(p.1))).collect();
    let n = logs.len() as f64;
    let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
    let above: f64 = logs.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    above / logs.iter().map(|p| (p.0 - mx) * (p.0 - mx)).sum::<f64>()
}

/// Greatest difference of `v` at the start from the closed form of P1.
pub(super) fn particle_value_error(solution: &Solution, exact: &ParticleExact, tau: f64) -> f64 {
    let mut x = [0.0];
    let one = |(node, log): (usize, &f64)| {
        solution.grid().place(node, &mut x);
        (log - libm::log(exact.at(x[0], tau).0)).abs()
    };
    solution.first().iter().enumerate().map(one).fold(0.0, f64::max)
}
