//! The particle on a circle: orders, roll-outs, value iteration.

use super::problems::{ParticleExact, circle, order, particle, particle_value_error, settings};
use crate::LabError;
use crate::context::Context;
use crate::findings::{Figure, Findings, Table};
use crate::plot::{Axis, Lines, Plot, Series};
use sinew_solve::linear_bellman::{Choices, Solution, Space, Stepper, solve, value_iteration};

/// The horizon of the thesis' plot, s.
const HORIZON: f64 = 0.5;

/// Greatest error of `z` at the start.
fn error(solution: &Solution, exact: &ParticleExact) -> f64 {
    let mut x = [0.0];
    let one = |(node, log): (usize, &f64)| {
        solution.grid().place(node, &mut x);
        (libm::exp(*log) - exact.at(x[0], HORIZON).0).abs()
    };
    solution.first().iter().enumerate().map(one).fold(0.0, f64::max)
}

pub(super) fn orders(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let exact = ParticleExact::new();
    let sizes: &[usize] = context.pick(&[16, 32, 64, 128, 256], &[16, 32, 64]);
    // grid and step refined together; explicit steppers take as many steps as they need
    let schemes = [
        (Space::Upwind, Stepper::ForwardEuler, 1.0),
        (Space::Upwind, Stepper::BackwardEuler, 1.0),
        (Space::Central, Stepper::CrankNicolson, 2.0),
        (Space::Fourier, Stepper::CrankNicolson, 2.0),
        (Space::Fourier, Stepper::SspRk3, 3.0),
        (Space::Fourier, Stepper::RadauIia, 3.0),
        (Space::Fourier, Stepper::Sdirk3, 3.0),
    ];
    let name = |space: Space, stepper: Stepper| format!("{}, {space:?}", stepper.name());
    let mut both = Vec::new();
    let mut table = Table::new("errors", &["scheme", "nodes", "steps", "error of z"]);
    for (space, stepper, wanted) in schemes {
        let mut points = Vec::new();
        for &n in sizes.iter().filter(|n| !stepper.explicit() || **n <= 64) {
            // stable: h ∝ Δx², as an explicit method must
            let steps = if stepper.explicit() { n * n / 2 } else { n };
            let solution = solve(&particle(), &circle(n), &settings(space, stepper, HORIZON, steps))?;
            points.push((1.0 / n as f64, error(&solution, &exact)));
            table.row(name(space, stepper), &[n as f64, steps as f64, error(&solution, &exact)]);
        }
        let observed = order(&points);
        let figure = Figure::new(format!("order, {}", name(space, stepper)), "", observed);
        // explicit ones are ruled by space at steps as short as these
        found.figure(match stepper.explicit() {
            true => figure,
            false => figure.between(wanted - 0.2, wanted + 0.7),
        });
        both.push(Series::line(name(space, stepper), points));
    }
    let axes = (Axis::logarithmic("spacing ∝ 1/N"), Axis::logarithmic("greatest error of z"));
    found.plots.push(Plot::Lines(Lines::new(
        "Particle: grid and step refined together",
        axes.0,
        axes.1,
        both,
    )));

    // time alone: the same Fourier matrices, against many steps of the best method
    let nodes = 16;
    let run = |stepper, steps: usize| -> Result<Vec<f64>, LabError> {
        let solution =
            solve(&particle(), &circle(nodes), &settings(Space::Fourier, stepper, HORIZON, steps))?;
        Ok(solution.first().iter().map(|log| libm::exp(*log)).collect())
    };
    let best = run(Stepper::RadauIia, 4000)?;
    let mut series = Vec::new();
    for stepper in Stepper::ALL {
        let mut points = Vec::new();
        for steps in if stepper.explicit() { [120, 240, 480] } else { [20, 40, 80] } {
            let got = run(stepper, steps)?;
            let error = got.iter().zip(&best).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            points.push((HORIZON / steps as f64, error));
        }
        let wanted = stepper.order() as f64;
        let figure = Figure::new(format!("order in time, {}", stepper.name()), "", order(&points));
        let says =
            if stepper == Stepper::SspRk3 { "printed as \"IRK3\", implicit; it is explicit" } else { "" };
        let figure = figure.between(wanted - 0.15, wanted + 0.15);
        found.figure(if says.is_empty() { figure } else { figure.paper(says) });
        series.push(Series::line(stepper.name(), points));
    }
    let axes = (Axis::logarithmic("step, s"), Axis::logarithmic("greatest error of z"));
    found.plots.push(Plot::Lines(Lines::new("Particle: steps in time alone", axes.0, axes.1, series)));
    found.tables.push(table);
    Ok(found)
}

pub(super) fn rollout(_: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let exact = ParticleExact::new();
    // the passive drift and the policy, without noise
    let roll = |policy: &dyn Fn(f64, f64) -> f64| -> Vec<(f64, f64)> {
        let (steps, mut x) = (500, -0.5);
        let h = HORIZON / steps as f64;
        let mut points = vec![(0.0, x)];
        for k in 0..steps {
            let t = k as f64 * h;
            // the midpoint rule
            let middle = x + 0.5 * h * (1.0 + policy(x, t));
            x += h * (1.0 + policy(middle, t + 0.5 * h));
            points.push((t + h, x));
        }
        points
    };
    let closed = roll(&|x, t| {
        let (z, slope) = exact.at(x, HORIZON - t);
        slope / z
    });
    let mut series = vec![Series::line("closed form", closed.clone())];
    for (nodes, bar) in [(500, 1e-4), (16, 1e-2)] {
        // explicit steps of the printed scheme need h ∝ Δx²: 500 nodes take Radau IIA of the same order
        let (stepper, steps) = if nodes == 16 { (Stepper::SspRk3, 120) } else { (Stepper::RadauIia, 50) };
        let space = if nodes == 16 { Space::Fourier } else { Space::Central };
        let solution = solve(&particle(), &circle(nodes), &settings(space, stepper, HORIZON, steps))?;
        let points = roll(&|x, t| {
            let mut slope = [0.0];
            solution.gradient(&[x], t, &mut slope);
            -slope[0]
        });
        let apart = points.iter().zip(&closed).map(|(a, b)| (a.1 - b.1).abs()).fold(0.0, f64::max);
        let name = format!("{nodes} nodes, {}, {space:?}", stepper.name());
        found.figure(
            Figure::new(format!("way apart, {name}"), "", apart).at_most(bar).paper("indistinguishable"),
        );
        series.push(Series::line(name, points));
    }
    let axes = (Axis::linear("time, s"), Axis::linear("x"));
    found.plots.push(Plot::Lines(Lines::new("Particle: the policy rolled out", axes.0, axes.1, series)));
    Ok(found)
}

pub(super) fn iteration(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let exact = ParticleExact::new();
    let sizes: &[usize] = context.pick(&[16, 32, 64, 128, 256], &[16, 32]);
    let [mut linear, mut iterated, mut quiet] = [const { Vec::new() }; 3];
    let mut table =
        Table::new("errors", &["nodes and steps", "linear form", "value iteration", "without noise"]);
    for &n in sizes {
        let solution =
            solve(&particle(), &circle(n), &settings(Space::Upwind, Stepper::BackwardEuler, HORIZON, n))?;
        let gradient = Choices::Gradient { most: 10.0 };
        let by_iteration = value_iteration(&particle(), &circle(n), (HORIZON, n, n), gradient, true)?;
        let choices = Choices::Grid { most: 3.0, values: 61 };
        let without = value_iteration(&particle(), &circle(n), (HORIZON, n, n), choices, false)?;
        let errors = [&solution, &by_iteration.solution, &without.solution]
            .map(|solution| particle_value_error(solution, &exact, HORIZON));
        table.row(n.to_string(), &errors);
        let x = 1.0 / n as f64;
        linear.push((x, errors[0]));
        iterated.push((x, errors[1]));
        quiet.push((x, errors[2]));
    }
    let ratios: Vec<f64> = linear.iter().zip(&iterated).map(|(l, i)| l.1 / i.1).collect();
    let worst = ratios.iter().copied().fold(0.0, f64::max);
    found.figure(Figure::new("order, linear form", "", order(&linear)).at_least(0.9));
    found.figure(Figure::new("order, value iteration", "", order(&iterated)));
    let figure = Figure::new("error of the linear form over that of value iteration, worst", "", worst);
    found.figure(figure.paper("the linear form is more accurate"));
    let last = quiet.last().map_or(f64::NAN, |p| p.1);
    found.figure(Figure::new("error of v without the noise term, finest grid", "", last));
    let series = vec![
        Series::line("linear form, backward Euler, upwind", linear),
        Series::line("value iteration", iterated),
        Series::line("value iteration without noise", quiet),
    ];
    let axes = (Axis::logarithmic("spacing ∝ 1/N"), Axis::logarithmic("greatest error of v"));
    found.plots.push(Plot::Lines(Lines::new("Particle: equal grids and steps", axes.0, axes.1, series)));
    found.tables.push(table);
    found.note(
        "Without the noise term, value iteration solves another problem and does not converge to this one.",
    );
    Ok(found)
}
