//! All axes at once: the operator as one matrix, factored once per step length.
//!
//! Finite differences give a band as wide as the slowest axis is apart (cyclic where that axis is periodic), Fourier differences a dense
//! matrix. Radau IIA is one solve with a complex shift, `z⁺ = 2 Re[(Z − p)⁻¹(αz + βhg)]`, `p = 2 + i√2`, `α = 1 − 5i/√2`,
//! `β = −½ − i√2`, written as a real system of twice the size with real and imaginary parts side by side, which avoids `Z²` and its
//! squared condition number. `g` stands for what the ghosts of open edges contribute, held over a step.

use super::fourier::{first_derivative, second_derivative};
use super::grid::Edge;
use super::operator::Operator;
use super::problem::{BellmanError, Space, Stepper};
use crate::banded::{Band, BandLu};
use crate::dense::Lu;
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

/// γ of SDIRK3, the root of `γ³ − 3γ² + 3γ/2 − 1/6` between ⅙ and ½.
const GAMMA: f64 = 0.435_866_521_508_459;

/// Memory beyond which a joint factorisation is refused.
const MOST_BYTES: f64 = 2e9;

#[derive(Clone, Debug)]
pub(super) enum Matrix {
    Band { band: Band, reach: usize },
    Dense { n: usize, a: Vec<f64> },
}

pub(super) enum Factors {
    Band(Box<BandLu>),
    Dense(Lu),
}

impl Factors {
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        match self {
            Factors::Band(lu) => lu.solve(x),
            Factors::Dense(lu) => lu.solve(x),
        }
    }
}

impl Matrix {
    /// `A` of the equation, with the running cost where `decay` says so.
    pub(super) fn of(
        operator: &Operator,
        space: Space,
        decay: bool,
        radau: bool,
    ) -> Result<Matrix, BellmanError> {
        let grid = &operator.grid;
        let n = grid.len();
        let reach = grid.stride(0);
        let cyclic = grid.axes()[0].edge == Edge::Periodic;
        // a cyclic band of a coarse axis would meet itself, and inner periodic axes reach almost as far as their stride
        let dense = space == Space::Fourier || (cyclic && 4 * reach + 4 >= n);
        let double = if radau { 2.0 } else { 1.0 };
        let width =
            if dense { n as f64 } else { 5.0 * reach as f64 + if cyclic { reach as f64 } else { 0.0 } };
        let bytes = 8.0 * (double * n as f64) * (double * width);
        if bytes > MOST_BYTES {
            return Err(BellmanError::TooLarge { nodes: n, gigabytes: bytes * 1e-9 });
        }
        let mut matrix = if dense {
            Matrix::Dense { n, a: vec![0.0; n * n] }
        } else {
            let band = Band::new(n, reach, reach);
            Matrix::Band { band: if cyclic { band.cyclic() } else { band }, reach }
        };
        match space {
            Space::Fourier => matrix.add_fourier(operator),
            _ => matrix.add_stencils(operator),
        }
        for node in (0..n).filter(|_| decay) {
            matrix.add(node, node, -operator.decay[node]);
        }
        Ok(matrix)
    }

    fn add_stencils(&mut self, operator: &Operator) {
        for (k, axis) in operator.grid.axes().iter().enumerate() {
            let (stencil, stride) = (&operator.axes[k], operator.grid.stride(k));
            for node in (0..operator.grid.len()).filter(|node| !operator.blocked[*node]) {
                let place = operator.grid.along(node, k);
                let at = |other: usize| node - place * stride + other * stride;
                self.add(node, node, stencil.diagonal[node]);
                for (other, value) in
                    [(axis.before(place), stencil.lower[node]), (axis.after(place), stencil.upper[node])]
                {
                    if let Some(other) = other.map(at).filter(|other| !operator.blocked[*other]) {
                        self.add(node, other, value);
                    }
                }
            }
        }
    }

    fn add_fourier(&mut self, operator: &Operator) {
        let d = operator.grid.dimensions();
        for (k, axis) in operator.grid.axes().iter().enumerate() {
            let (n, stride) = (axis.nodes, operator.grid.stride(k));
            let (first, second) = (
                first_derivative(n, axis.high - axis.low), //
                second_derivative(n, axis.high - axis.low),
            );
            for node in 0..operator.grid.len() {
                let place = operator.grid.along(node, k);
                let (a, s) = (operator.drift[node * d + k], operator.spread[node * d + k]);
                for other in 0..n {
                    let value = a * first[other * n + place] + 0.5 * s * second[other * n + place];
                    self.add(node, node - place * stride + other * stride, value);
                }
            }
        }
    }

    fn add(&mut self, i: usize, j: usize, value: f64) {
        match self {
            Matrix::Band { band, .. } if value != 0.0 => band.add(i, j, value),
            Matrix::Band { .. } => (),
            Matrix::Dense { n, a } => a[j * *n + i] += value,
        }
    }

    fn get(&self, i: usize, j: usize) -> f64 {
        match self {
            Matrix::Band { band, .. } => band.get(i, j),
            Matrix::Dense { n, a } => a[j * n + i],
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Matrix::Band { band, .. } => band.len(),
            Matrix::Dense { n, .. } => *n,
        }
    }

    pub(super) fn multiply(&self, x: &[f64], y: &mut [f64]) {
        match self {
            Matrix::Band { band, .. } => band.multiply(x, y),
            Matrix::Dense { n, a } => {
                y.fill(0.0);
                (0..*n).for_each(|j| crate::dense::axpy(x[j], &a[j * n..(j + 1) * n], y));
            }
        }
    }

    /// Factors of `shift·I + scale·A`.
    pub(super) fn shifted(&self, shift: f64, scale: f64) -> Option<Factors> {
        let mut matrix = self.clone();
        match &mut matrix {
            Matrix::Band { band, .. } => band.scale(scale),
            Matrix::Dense { a, .. } => a.iter_mut().for_each(|v| *v *= scale),
        }
        (0..self.len()).for_each(|i| matrix.add(i, i, shift));
        matrix.factor()
    }

    fn factor(&self) -> Option<Factors> {
        match self {
            Matrix::Band { band, .. } => {
                let mut lu = Box::new(BandLu::new(band));
                lu.factor(band).then_some(Factors::Band(lu))
            }
            Matrix::Dense { n, a } => {
                let mut lu = Lu::with_capacity(*n);
                lu.factor(*n, a).then_some(Factors::Dense(lu))
            }
        }
    }

    /// Factors of `hA − (2 + i√2)`, with real and imaginary parts of every unknown side by side.
    fn complex(&self, h: f64) -> Option<Factors> {
        let n = self.len();
        let mut matrix = match self {
            Matrix::Dense { .. } => Matrix::Dense { n: 2 * n, a: vec![0.0; 4 * n * n] },
            Matrix::Band { band, reach } => {
                let double = Band::new(2 * n, 2 * reach, 2 * reach);
                Matrix::Band {
                    band: if band.is_cyclic() { double.cyclic() } else { double },
                    reach: 2 * reach,
                }
            }
        };
        for i in 0..n {
            self.for_each_in_row(i, |j| {
                let value = h * self.get(i, j) - if i == j { 2.0 } else { 0.0 };
                matrix.add(2 * i, 2 * j, value);
                matrix.add(2 * i + 1, 2 * j + 1, value);
            });
            matrix.add(2 * i, 2 * i + 1, SQRT_2);
            matrix.add(2 * i + 1, 2 * i, -SQRT_2);
        }
        matrix.factor()
    }

    fn for_each_in_row(&self, i: usize, mut f: impl FnMut(usize)) {
        let n = self.len();
        match self {
            Matrix::Dense { .. } => (0..n).for_each(f),
            Matrix::Band { band, reach } if band.is_cyclic() => {
                (0..=2 * reach).for_each(|k| f((i + n + k - reach) % n));
            }
            Matrix::Band { reach, .. } => (i.saturating_sub(*reach)..(i + reach + 1).min(n)).for_each(f),
        }
    }
}

/// Steps of one length with one matrix.
pub(super) struct Joint {
    matrix: Matrix,
    factors: Option<Factors>,
    stepper: Stepper,
    h: f64,
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
}

impl Joint {
    pub(super) fn new(matrix: Matrix, stepper: Stepper, h: f64) -> Result<Joint, BellmanError> {
        let factors = match stepper {
            Stepper::ForwardEuler | Stepper::SspRk3 => None,
            Stepper::BackwardEuler => Some(matrix.shifted(1.0, -h)),
            Stepper::CrankNicolson => Some(matrix.shifted(1.0, -0.5 * h)),
            Stepper::Sdirk3 => Some(matrix.shifted(1.0, -GAMMA * h)),
            Stepper::RadauIia => Some(matrix.complex(h)),
        };
        let factors = factors.map(|f| f.ok_or(BellmanError::Singular)).transpose()?;
        let n = matrix.len();
        let double = if stepper == Stepper::RadauIia { 2 } else { 1 };
        Ok(Joint { matrix, factors, stepper, h, a: vec![0.0; double * n], b: vec![0.0; n], c: vec![0.0; n] })
    }

    /// One step; `g` is added to `A z`.
    pub(super) fn step(&mut self, z: &mut [f64], g: &[f64]) {
        let (h, n) = (self.h, z.len());
        let Joint { matrix, factors, a, b, c, .. } = self;
        let rate = |z: &[f64], into: &mut [f64]| {
            matrix.multiply(z, into);
            into.iter_mut().zip(g).for_each(|(r, g)| *r += g);
        };
        match (self.stepper, factors) {
            (Stepper::SspRk3, _) => {
                rate(z, b);
                (0..n).for_each(|i| a[i] = z[i] + h * b[i]);
                rate(a, b);
                (0..n).for_each(|i| a[i] = 0.75 * z[i] + 0.25 * (a[i] + h * b[i]));
                rate(a, b);
                (0..n).for_each(|i| z[i] = (z[i] + 2.0 * (a[i] + h * b[i])) / 3.0);
            }
            (Stepper::BackwardEuler, Some(f)) => {
                z.iter_mut().zip(g).for_each(|(z, g)| *z += h * g);
                f.solve(z);
            }
            (Stepper::CrankNicolson, Some(f)) => {
                matrix.multiply(z, b);
                (0..n).for_each(|i| z[i] += 0.5 * h * b[i] + h * g[i]);
                f.solve(z);
            }
            (Stepper::RadauIia, Some(f)) => {
                for i in 0..n {
                    a[2 * i] = z[i] - 0.5 * h * g[i];
                    a[2 * i + 1] = -5.0 * FRAC_1_SQRT_2 * z[i] - SQRT_2 * h * g[i];
                }
                f.solve(a);
                (0..n).for_each(|i| z[i] = 2.0 * a[2 * i]);
            }
            (Stepper::Sdirk3, Some(f)) => {
                let g2 = GAMMA * GAMMA;
                let (b1, b2) =
                    (-(6.0 * g2 - 16.0 * GAMMA + 1.0) / 4.0, (6.0 * g2 - 20.0 * GAMMA + 5.0) / 4.0);
                rate(z, b);
                f.solve(b);
                (0..n).for_each(|i| a[i] = z[i] + 0.5 * h * (1.0 - GAMMA) * b[i]);
                rate(a, c);
                f.solve(c);
                (0..n).for_each(|i| z[i] += h * (b1 * b[i] + b2 * c[i]));
                rate(z, b);
                f.solve(b);
                (0..n).for_each(|i| z[i] += h * GAMMA * b[i]);
            }
            // forward Euler; implicit steppers always have factors
            (_, _) => {
                rate(z, b);
                (0..n).for_each(|i| z[i] += h * b[i]);
            }
        }
    }
}
