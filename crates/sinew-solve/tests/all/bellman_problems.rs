//! The problems of the thesis with known answers.

use sinew_solve::linear_bellman::*;

/// P1: `dx = (1 + u) dt + dω` on the circle −1..1, end `2x² − x⁴`, 1 per second.
pub(crate) struct Particle;

impl Problem for Particle {
    fn drift(&self, _: &[f64], a: &mut [f64]) {
        a[0] = 1.0;
    }
    fn spread(&self, _: &[f64], s: &mut [f64]) {
        s[0] = 1.0;
    }
    fn rate(&self, _: &[f64], _: f64) -> f64 {
        1.0
    }
    fn end(&self, x: &[f64]) -> f64 {
        let x = libm::remainder(x[0], 2.0);
        2.0 * x * x - x.powi(4)
    }
}

impl Controlled for Particle {
    fn controls(&self) -> usize {
        1
    }
    fn input(&self, _: &[f64], b: &mut [f64]) {
        b[0] = 1.0;
    }
}

pub(crate) fn circle(nodes: usize) -> Grid {
    Grid::new(&[Axis::new(-1.0, 1.0, nodes, Edge::Periodic)])
}

/// The closed form of P1.
pub(crate) fn particle_series(waves: usize) -> FourierSeries {
    FourierSeries::of(|x| libm::exp(-Particle.end(&[x])), -1.0, 1.0, waves)
}

/// P2: a brick on ice, `ẍ = u + noise`, end and rate `100x² + 10v²`.
pub(crate) struct Brick;

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

/// P2 as a linear-quadratic problem.
pub(crate) fn brick_lq() -> (LinearQuadratic, Quadratic) {
    let weights = [200.0, 0.0, 0.0, 20.0];
    let lq = LinearQuadratic::new(2, &[0.0, 0.0, 1.0, 0.0], &[0.0, 1.0], &weights, &[1.0], 1.0);
    (lq, Quadratic::about(&[0.0, 0.0], &weights))
}

/// P3, cost B, in (x, y): the wheels' spread is `BBᵀ = diag(⅔, ⅔, ⅓)` for any heading.
pub(crate) struct Omniwheel {
    pub(crate) goal: [f64; 2],
    /// Of the end's cost.
    pub(crate) weight: f64,
    /// A round obstacle: middle and radius.
    pub(crate) obstacle: Option<([f64; 2], f64)>,
}

impl Problem for Omniwheel {
    fn drift(&self, _: &[f64], a: &mut [f64]) {
        a.fill(0.0);
    }
    fn spread(&self, _: &[f64], s: &mut [f64]) {
        s[..2].fill(2.0 / 3.0);
        if let Some(turn) = s.get_mut(2) {
            *turn = 1.0 / 3.0;
        }
    }
    fn rate(&self, _: &[f64], _: f64) -> f64 {
        0.5
    }
    fn end(&self, x: &[f64]) -> f64 {
        0.5 * self.weight * ((x[0] - self.goal[0]).powi(2) + (x[1] - self.goal[1]).powi(2))
    }
    fn blocked(&self, x: &[f64]) -> bool {
        self.obstacle.is_some_and(|(at, r)| libm::hypot(x[0] - at[0], x[1] - at[1]) < r)
    }
}

/// Any constant coefficients in one to three dimensions, with a quadratic end.
pub(crate) struct Constant(pub(crate) Diffusing);

impl Problem for Constant {
    fn softness(&self) -> f64 {
        self.0.softness
    }
    fn drift(&self, _: &[f64], a: &mut [f64]) {
        a.copy_from_slice(&self.0.drift);
    }
    fn spread(&self, _: &[f64], s: &mut [f64]) {
        s.copy_from_slice(&self.0.spread);
    }
    fn rate(&self, _: &[f64], _: f64) -> f64 {
        self.0.rate
    }
    fn end(&self, x: &[f64]) -> f64 {
        self.0.value(x, 0.0)
    }
}
