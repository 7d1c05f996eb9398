//! The march from the end to the start.
//!
//! Running costs that vary in time, and all running costs where axes are split, are taken off by Strang's splitting: `exp(−hq/2λ)` before and
//! after the step of the rest. After every step `z` is divided by its greatest value, whose logarithm is added up.

use super::grid::Grid;
use super::joint::{Joint, Matrix};
use super::lines::Lines;
use super::operator::Operator;
use super::problem::{BellmanError, Coupling, Problem, Settings, Space, Stepper};
use super::solution::Solution;

/// Solves the equation from T to 0.
///
/// ```
/// use sinew_solve::linear_bellman::*;
///
/// /// A particle without drift that is to end at 0.
/// struct Still;
///
/// impl Problem for Still {
///     fn drift(&self, _: &[f64], a: &mut [f64]) { a[0] = 0.0 }
///     fn spread(&self, _: &[f64], s: &mut [f64]) { s[0] = 1.0 }
///     fn rate(&self, _: &[f64], _: f64) -> f64 { 0.0 }
///     fn end(&self, x: &[f64]) -> f64 { 0.5 * x[0] * x[0] }
/// }
///
/// let grid = Grid::new(&[Axis::new(-6.0, 6.0, 241, Edge::Open)]);
/// let solution = solve(&Still, &grid, &Settings::new(1.0, 100))?;
/// // v = ½ x²/(1 + T) + ½ log(1 + T)
/// assert!((solution.value(&[1.0], 0.0) - 0.25 - 0.5 * 2f64.ln()).abs() < 1e-3);
/// # Ok::<(), BellmanError>(())
/// ```
///
/// # Errors
/// When settings do not go together, a cost is not finite, or an explicit stepper blows up.
pub fn solve(problem: &impl Problem, grid: &Grid, settings: &Settings) -> Result<Solution, BellmanError> {
    check(grid, settings)?;
    let mut operator = Operator::new(problem, grid, settings.space)?;
    if settings.space == Space::Fourier && operator.blocked.contains(&true) {
        let problem =
            "Fourier differences cannot resolve the edge of an obstacle; take upwind or central ones";
        return Err(BellmanError::Settings(problem.to_owned()));
    }
    let h = settings.horizon / settings.steps as f64;
    let mut way = Way::new(&operator, problem, settings, h)?;
    let lambda = problem.softness();
    let (mut z, mut log_scale) = ending(problem, &operator)?;
    let mut solution = Solution::new(grid, lambda, settings.horizon, &z, log_scale);
    let mut g = vec![0.0; if (0..grid.dimensions()).any(|k| operator.open(k)) { grid.len() } else { 0 }];
    let outside = way.split_cost(problem);
    let (first_scale, mut gain) = (log_scale, 0.0);
    for step in 0..settings.steps {
        let t = settings.horizon - (step + 1) as f64 * h;
        if problem.rate_varies() {
            operator.set_time(problem, t + 0.5 * h)?;
        }
        let fade = |z: &mut [f64]| {
            if outside {
                let decay = &operator.decay;
                z.iter_mut().zip(decay).for_each(|(z, q)| *z *= libm::exp(-0.5 * h * q));
            }
        };
        match &mut way {
            // the factors of splitting are kept, unless they change
            Way::Split { fading, .. } if !problem.rate_varies() => {
                z.iter_mut().zip(fading.iter()).for_each(|(z, f)| *z *= f);
            }
            _ => fade(&mut z),
        }
        way.step(&operator, &mut z, &mut g, h);
        match &mut way {
            Way::Split { fading, .. } if !problem.rate_varies() => {
                z.iter_mut().zip(fading.iter()).for_each(|(z, f)| *z *= f);
            }
            _ => fade(&mut z),
        }
        // nothing creates reward: without negative costs the greatest z never grows
        gain += h * operator.decay.iter().fold(0.0, |most: f64, q| most.max(-q));
        if !rescale(&mut z, &mut log_scale) || log_scale > first_scale + gain + MOST_GROWTH {
            let limit = explicit_limit(problem, grid, settings.space)?;
            return Err(BellmanError::BlewUp { step, limit });
        }
        if (step + 1) % settings.keep == 0 || step + 1 == settings.steps {
            solution.keep(t.max(0.0), &z, log_scale);
        }
    }
    Ok(solution)
}

/// The greatest step of forward Euler: `1/|diagonal|`, at which all coefficients of the update are still positive with upwind differences.
///
/// # Errors
/// When a number of the problem is not finite.
pub fn explicit_limit(problem: &impl Problem, grid: &Grid, space: Space) -> Result<f64, BellmanError> {
    Ok(1.0 / Operator::new(problem, grid, space)?.stiffness(true).max(1e-300))
}

fn check(grid: &Grid, settings: &Settings) -> Result<(), BellmanError> {
    let wrong = |problem: &str| Err(BellmanError::Settings(problem.to_owned()));
    if !(settings.horizon > 0.0 && settings.horizon.is_finite()) || settings.steps == 0 || settings.keep == 0
    {
        return wrong("horizon, steps and keep must be positive");
    }
    let periodic = grid.axes().iter().all(|axis| axis.edge == super::Edge::Periodic);
    if settings.space == Space::Fourier && !periodic {
        return wrong("Fourier differences need axes that are all periodic");
    }
    let split = grid.dimensions() > 1 && settings.coupling == Coupling::Split;
    if split && settings.space == Space::Fourier {
        return wrong("Fourier differences need Coupling::Joint");
    }
    if split && matches!(settings.stepper, Stepper::RadauIia | Stepper::Sdirk3) {
        return wrong(
            "splitting is of order 2 at most: take Crank-Nicolson or backward Euler with it, or Coupling::Joint",
        );
    }
    Ok(())
}

/// `z(T)`, its greatest value one, and the logarithm of the scale.
fn ending(problem: &impl Problem, operator: &Operator) -> Result<(Vec<f64>, f64), BellmanError> {
    let d = operator.grid.dimensions();
    let mut x = [0.0; super::grid::DIMENSIONS];
    let mut logs = vec![f64::NEG_INFINITY; operator.grid.len()];
    for node in (0..logs.len()).filter(|node| !operator.blocked[*node]) {
        operator.grid.place(node, &mut x[..d]);
        let g = problem.end(&x[..d]);
        if !g.is_finite() {
            return Err(BellmanError::NotFinite { what: "the terminal cost", place: x[..d].to_vec() });
        }
        logs[node] = -g / problem.softness();
    }
    let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if greatest == f64::NEG_INFINITY {
        return Err(BellmanError::Settings("the obstacles leave no free node".to_owned()));
    }
    Ok((logs.iter().map(|l| libm::exp(l - greatest)).collect(), greatest))
}

/// Divides by the greatest value; false when there is no positive one, or it is not finite.
fn rescale(z: &mut [f64], log_scale: &mut f64) -> bool {
    let mut greatest = 0.0f64;
    // a NaN anywhere must not be lost in the comparison
    z.iter().for_each(|z| greatest = if *z > greatest || z.is_nan() { *z } else { greatest });
    if !(greatest > 0.0 && greatest.is_finite()) || z.iter().any(|z| z.abs() > 1e3 * greatest) {
        return false;
    }
    let inverse = 1.0 / greatest;
    z.iter_mut().for_each(|z| *z *= inverse);
    *log_scale += libm::log(greatest);
    true
}

/// Growth of the greatest z, as a logarithm, that differences of second order may cause at rough ends; more is instability.
const MOST_GROWTH: f64 = 1.0;

/// How one step is made.
enum Way {
    Joint(Box<Joint>),
    /// Explicit, by stencils.
    Stencils {
        stepper: Stepper,
        a: Vec<f64>,
        b: Vec<f64>,
    },
    /// Line by line: half steps of all axes but the last, which runs over neighbours in memory, a whole step of that, half steps back.
    Split {
        stepper: Stepper,
        axes: Vec<(usize, f64, Lines)>,
        fading: Vec<f64>,
        b: Vec<f64>,
    },
}

impl Way {
    fn new(
        operator: &Operator,
        problem: &impl Problem,
        settings: &Settings,
        h: f64,
    ) -> Result<Way, BellmanError> {
        let (grid, stepper) = (&operator.grid, settings.stepper);
        let d = grid.dimensions();
        let zeros = || vec![0.0; grid.len()];
        if stepper.explicit() && settings.space != Space::Fourier {
            return Ok(Way::Stencils { stepper, a: zeros(), b: zeros() });
        }
        if d == 1 || settings.coupling == Coupling::Joint {
            let inside = !problem.rate_varies();
            let matrix = Matrix::of(operator, settings.space, inside, stepper == Stepper::RadauIia)?;
            return Ok(Way::Joint(Box::new(Joint::new(matrix, stepper, h)?)));
        }
        let part = if stepper == Stepper::BackwardEuler { 1.0 } else { 0.5 };
        let axes = (0..d).map(|k| {
            let length = if k + 1 == d { h } else { 0.5 * h };
            let lines = Lines::new(&grid.axes()[k], grid.stride(k), &operator.axes[k], part * length);
            lines.map(|lines| (k, length, lines)).ok_or(BellmanError::Singular)
        });
        let fading = operator.decay.iter().map(|q| libm::exp(-0.5 * h * q)).collect();
        Ok(Way::Split { stepper, axes: axes.collect::<Result<_, _>>()?, fading, b: zeros() })
    }

    /// Whether running costs are split off.
    fn split_cost(&self, problem: &impl Problem) -> bool {
        problem.rate_varies() || matches!(self, Way::Split { .. })
    }

    fn step(&mut self, operator: &Operator, z: &mut [f64], g: &mut [f64], h: f64) {
        let d = operator.grid.dimensions();
        let split = matches!(self, Way::Split { .. });
        g.fill(0.0);
        if !split {
            (0..d).for_each(|k| operator.add_ghosts(k, 1.0, z, g));
        }
        match self {
            Way::Joint(joint) => {
                let none = if g.is_empty() { vec![0.0; z.len()] } else { Vec::new() };
                joint.step(z, if g.is_empty() { &none } else { g });
            }
            Way::Stencils { stepper, a, b } => {
                // u ← mix·z + (1 − mix)(u + hA u)
                let stage = |u: &mut [f64], b: &mut [f64]| {
                    b.copy_from_slice(u);
                    (0..d).for_each(|k| operator.add_axis(k, h, u, b));
                    b.iter_mut().zip(g.iter()).for_each(|(b, g)| *b += h * g);
                    b.iter_mut().zip(&*u).zip(&operator.decay).for_each(|((b, u), q)| *b -= h * q * u);
                    u.copy_from_slice(b);
                };
                a.copy_from_slice(z);
                stage(a, b);
                if *stepper == Stepper::SspRk3 {
                    a.iter_mut().zip(&*z).for_each(|(a, z)| *a = 0.75 * z + 0.25 * *a);
                    stage(a, b);
                    a.iter_mut().zip(&*z).for_each(|(a, z)| *a = (z + 2.0 * *a) / 3.0);
                }
                z.copy_from_slice(a);
            }
            Way::Split { stepper, axes, b, .. } => {
                let order = (0..d).chain((0..d - 1).rev());
                for (k, length, lines) in order.map(|k| &axes[k]) {
                    if *stepper == Stepper::CrankNicolson {
                        b.copy_from_slice(z);
                        operator.add_axis(*k, 0.5 * length, z, b);
                        operator.add_ghosts(*k, *length, z, b);
                        z.copy_from_slice(b);
                    } else if operator.open(*k) {
                        b.copy_from_slice(z);
                        operator.add_ghosts(*k, *length, z, b);
                        z.copy_from_slice(b);
                    }
                    lines.solve(z);
                }
            }
        }
    }
}
