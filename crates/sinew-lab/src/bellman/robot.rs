//! The omniwheel robot: straight paths, and around an obstacle.

use super::problems::{Omniwheel, settings};
use crate::LabError;
use crate::context::Context;
use crate::findings::{Figure, Findings};
use crate::plot::{Axis as Scale, Lines, Plot, Series};
use sinew_solve::linear_bellman::{Axis, Diffusing, Edge, Grid, Solution, Space, Stepper, solve};
use std::f64::consts::TAU;

/// `B(θ)`, one column per wheel.
fn wheels(heading: f64) -> [[f64; 3]; 3] {
    [0.0, 1.0, 2.0].map(|k| {
        let (s, c) = libm::sincos(heading + k * TAU / 3.0);
        [-s, c, 0.5].map(|v| v * 2.0 / 3.0)
    })
}

/// Rolls the wheels' policy `u = −Bᵀ∇v` out, without noise: places and the heading.
fn roll(start: [f64; 3], horizon: f64, gradient: impl Fn(&[f64], f64, &mut [f64])) -> Vec<[f64; 3]> {
    let steps = 1000;
    let h = horizon / steps as f64;
    let mut x = start;
    let mut way = vec![x];
    for k in 0..steps {
        let mut slope = [0.0; 3];
        gradient(&x, k as f64 * h, &mut slope);
        let b = wheels(x[2]);
        for wheel in b {
            let u = -(0..3).map(|i| wheel[i] * slope[i]).sum::<f64>();
            (0..3).for_each(|i| x[i] += h * wheel[i] * u);
        }
        way.push(x);
    }
    way
}

pub(super) fn straight(_: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let exact = Diffusing {
        drift: vec![0.0; 3],
        spread: vec![2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0],
        stiffness: vec![20.0, 20.0, 0.0],
        target: vec![0.0; 3],
        rate: 0.5,
        softness: 1.0,
    };
    let mut series = Vec::new();
    let (mut bent, mut turned) = (0.0f64, 0.0f64);
    for start in [[2.0, 0.5, 0.0], [-1.0, 1.5, 0.7], [0.5, -2.0, 2.0]] {
        let way = roll(start, 1.0, |x, t, out| exact.gradient(x, 1.0 - t, out));
        let size = libm::hypot(start[0], start[1]);
        for x in &way {
            bent = bent.max((x[0] * start[1] - x[1] * start[0]).abs() / size);
            turned = turned.max((x[2] - start[2]).abs());
        }
        series.push(Series::line(format!("from {start:?}"), way.iter().map(|x| (x[0], x[1]))));
    }
    found.figure(Figure::new("way off the straight line", "m", bent).at_most(1e-9).paper("circular arcs"));
    found.figure(Figure::new("turn", "rad", turned).at_most(1e-9).paper("shuffles"));
    let axes = (Scale::linear("x, m"), Scale::linear("y, m"));
    found.plots.push(Plot::Lines(Lines::new("Omniwheel robot, closed form", axes.0, axes.1, series)));
    found.note(
        "BBᵀ = diag(⅔, ⅔, ⅓) for every heading, so the equation has constant coefficients and a closed form, and optimal paths are straight. The arcs \
         of the thesis belong to the minimum-time problem with bounded wheel speeds.",
    );
    Ok(found)
}

pub(super) fn obstacle(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let robot = Omniwheel { goal: [1.5, 0.0], weight: 20.0, obstacle: Some(([0.0, 0.1], 0.6)) };
    let nodes = context.pick(241, 61);
    let axis = Axis::new(-3.0, 3.0, nodes, Edge::Absorbing);
    let settings = settings(Space::Upwind, Stepper::BackwardEuler, 2.0, context.pick(200, 50));
    let solution: Solution = solve(&robot, &Grid::new(&[axis, axis]), &settings)?;
    let mut series = Vec::new();
    let mut clearance = f64::INFINITY;
    let mut far = 0.0f64;
    for start in [[-1.5, 0.0, 0.0], [-1.5, 0.4, 0.0], [-1.0, -0.8, 0.0]] {
        let way = roll(start, 2.0, |x, t, out| {
            solution.gradient(&x[..2], t, &mut out[..2]);
            out[2] = 0.0;
        });
        clearance = way.iter().map(|x| libm::hypot(x[0], x[1] - 0.1) - 0.6).fold(clearance, f64::min);
        far = way.last().map_or(far, |x| far.max(libm::hypot(x[0] - 1.5, x[1])));
        series.push(Series::line(format!("from {:?}", &start[..2]), way.iter().map(|x| (x[0], x[1]))));
    }
    let ring = (0..=72).map(|k| {
        let (s, c) = libm::sincos(TAU * f64::from(k) / 72.0);
        (0.6 * c, 0.1 + 0.6 * s)
    });
    series.push(Series { dotted: false, ..Series::line("obstacle", ring) });
    found.figure(
        Figure::new("least distance from the obstacle", "m", clearance).at_least(0.0).paper("around it"),
    );
    found.figure(Figure::new("from the goal in the end, greatest", "m", far).at_most(0.3));
    let axes = (Scale::linear("x, m"), Scale::linear("y, m"));
    found.plots.push(Plot::Lines(Lines::new("Omniwheel robot with an obstacle", axes.0, axes.1, series)));
    let row = |j: usize| -> Vec<Option<f64>> {
        let at = |k: usize| -2.7 + 0.45 * k as f64;
        (0..13).map(|i| Some(solution.value(&[at(i), -at(j)], 0.0)).filter(|v| v.is_finite())).collect()
    };
    let names = |sign: f64| (0..13).map(|k| format!("{:.2}", sign * (-2.7 + 0.45 * f64::from(k)))).collect();
    found.plots.push(Plot::Heat(crate::plot::Heat {
        title: "Value at the start; none in the obstacle".to_owned(),
        x: ("x, m".to_owned(), names(1.0)),
        y: ("y, m".to_owned(), names(-1.0)),
        values: (0..13).map(row).collect(),
    }));
    found.note("Solved in (x, y) alone: costs do not depend on the heading.");
    Ok(found)
}
