//! A planar diver: tapes that rotate too little and too much, and tapes for several speeds of rotation.

use super::mixed::{BLEND, Mix, NEVER, Part, Played, play, tape};
use crate::LabError;
use crate::context::Context;
use crate::findings::{Figure, Findings, Table};
use crate::plot::{Axis, Lines, Plot, Series};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Model, characters};
use sinew_solve::linear_bellman::{Goal, project};
use sinew_world::Push;
use std::f64::consts::PI;
use std::sync::Arc;

/// Duration of the flight, s; place and speed of the take-off.
const SECONDS: f64 = 1.1;
const HEIGHT: f64 = 8.0;
const LEAN: f64 = 0.7;
/// Which coordinate is the pitch.
const PITCH: usize = 2;
const STEP: f64 = 0.005;
/// What all parts share.
const COSTS: [(&str, f64); 5] =
    [("step", STEP), ("effort", 2e-3), ("place", 300.0), ("speed", 1.0), ("beyond", 1000.0)];

/// Leaning forward in the air, with a speed of rotation.
fn take_off(model: &Model, rate: f64) -> (Vec<f64>, Vec<f64>) {
    let (mut q, mut v) = (model.neutral(), vec![0.0; model.nv()]);
    (q[1], q[PITCH]) = (HEIGHT, LEAN);
    (v[0], v[1], v[PITCH]) = (1.0, 2.5, rate);
    // arms half way up
    q[4] = 1.2;
    (q, v)
}

/// Head down, turned by so much more than vertical, arms stretched beyond the head.
fn entry(model: &Model, more: f64) -> Vec<f64> {
    let mut q = model.neutral();
    q[PITCH] = PI + more;
    q[4] = 2.9;
    q
}

fn part(model: &Arc<Model>, rate: f64, more: f64) -> Result<Part, LabError> {
    let (q, v) = take_off(model, rate);
    tape(model, (&q, &v), &entry(model, more), SECONDS, &COSTS)
}

/// Degrees from vertical, and the cost of effort and of the end that was to be.
fn judge(model: &Model, played: &Played, more: f64) -> (f64, f64) {
    let goal = entry(model, more);
    let place: f64 = (PITCH..goal.len()).map(|k| (played.q[k] - goal[k]) * (played.q[k] - goal[k])).sum();
    let speed: f64 = (PITCH..goal.len()).map(|k| played.v[k] * played.v[k]).sum();
    ((played.q[PITCH] - PI).to_degrees(), 300.0 * place + speed + 2e-3 * played.effort)
}

/// λ of parts whose goals are a radian apart with 300 per rad²: by the width rule 150 at least, so that they interpolate.
const WIDE: f64 = 200.0;
/// λ of parts with one goal: their values differ by tenths.
const SOFT: f64 = 0.3;

pub(super) fn interpolation(_: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let model = Arc::new(characters::load("diver")?);
    let more = [-0.5, 0.5];
    let parts = vec![part(&model, 1.0, more[0])?, part(&model, 1.0, more[1])?];
    let start = take_off(&model, 1.0);
    let goals = more.map(|more| Goal::diagonal(&[more], &[300.0]));
    let mut series = Vec::new();
    let (mut worst, mut cheaper) = ([0.0f64; 2], 0u32);
    let mut table = Table::new(
        "entries",
        &[
            "wanted, °",
            "combination, °",
            "fixed blend, °",
            "combination, cost",
            "fixed blend, cost",
            "weight of the lower one",
        ],
    );
    for wanted in [-0.25, 0.0, 0.25] {
        let projection = project(&goals, &Goal::diagonal(&[wanted], &[300.0]), WIDE);
        let weights: Vec<f64> = projection.weights.iter().map(|w| w.max(NEVER)).collect();
        let (mut ends, mut costs) = (Vec::new(), Vec::new());
        for (k, softness) in [WIDE, BLEND].into_iter().enumerate() {
            let mix = Mix {
                parts: &parts,
                weights: &weights,
                softness,
                start: (&start.0, &start.1),
                seconds: SECONDS,
                pushes: &[],
            };
            let played = play(&mix, "dive", &mut found)?;
            let (angle, cost) = judge(&model, &played, wanted);
            let missed = (angle - wanted.to_degrees()).abs();
            worst[k] = worst[k].max(missed);
            ends.push(angle);
            costs.push(cost);
            if wanted == 0.0 {
                let name = ["combination", "fixed blend"][k];
                series
                    .push(Series::line(name, played.way.iter().map(|(t, q, _)| (*t, q[PITCH].to_degrees()))));
            }
        }
        cheaper += u32::from(costs[0] <= costs[1]);
        table.row(format!("{:.0}", wanted.to_degrees()), &[ends[0], ends[1], costs[0], costs[1], weights[0]]);
    }
    found.figure(
        Figure::new("combination, greatest miss of the entry wanted", "°", worst[0]).paper("vertical"),
    );
    found.figure(Figure::new("fixed blend, greatest miss", "°", worst[1]).paper("misses"));
    let figure = Figure::new("combination costs no more than the blend", "of 3", f64::from(cheaper));
    found.figure(figure);
    let axes = (Axis::linear("time, s"), Axis::linear("pitch, °"));
    found.plots.push(Plot::Lines(
        Lines::new("Dive: between too little and too much", axes.0, axes.1, series).level("vertical", 180.0),
    ));
    found.tables.push(table);
    Ok(found)
}

pub(super) fn coordination(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let model = Arc::new(characters::load("diver")?);
    let rates = [0.85, 1.0, 1.15];
    let parts = rates.iter().map(|rate| part(&model, *rate, 0.0)).collect::<Result<Vec<_>, _>>()?;
    let all = [0.7, 0.8, 0.9, 0.95, 1.05, 1.1, 1.2, 1.3];
    let tests = if context.quick { &all[..2] } else { &all[..] };
    let columns =
        ["speed of rotation, rad/s", "combination, °", "tracker, °", "combination, cost", "tracker, cost"];
    let mut table = Table::new("entries", &columns);
    let (mut better, mut straighter) = (0u32, 0u32);
    let mut ends = [Vec::new(), Vec::new()];
    for rate in tests {
        let start = take_off(&model, *rate);
        let mut judged = Vec::new();
        for (weights, softness) in [([1.0, 1.0, 1.0], SOFT), ([NEVER, 1.0, NEVER], BLEND)] {
            let mix = Mix {
                parts: &parts,
                weights: &weights,
                softness,
                start: (&start.0, &start.1),
                seconds: SECONDS,
                pushes: &[],
            };
            judged.push(judge(&model, &play(&mix, "dive", &mut found)?, 0.0));
        }
        better += u32::from(judged[0].1 <= judged[1].1);
        straighter += u32::from(judged[0].0.abs() <= judged[1].0.abs());
        (0..2).for_each(|k| ends[k].push((*rate, judged[k].0)));
        table.row(format!("{rate}"), &[judged[0].0, judged[1].0, judged[0].1, judged[1].1]);
    }
    let of = format!("of {}", tests.len());
    found.figure(
        Figure::new("combination costs no more than the tracker of 1 rad/s", &of, f64::from(better))
            .paper("in every case"),
    );
    found
        .figure(Figure::new("combination enters straighter", &of, f64::from(straighter)).paper("more often"));
    let [ours, theirs] = ends;
    let axes = (Axis::linear("speed of rotation at take-off, rad/s"), Axis::linear("off vertical, °"));
    let series = vec![Series::line("combination of three", ours), Series::line("tracker of 1 rad/s", theirs)];
    found.plots.push(Plot::Lines(Lines::new("Dive: eight take-offs", axes.0, axes.1, series)));
    found.tables.push(table);
    found.note("The thesis does not print its eight speeds; these lie between and beyond those of the parts and are none of theirs.");
    Ok(found)
}

pub(super) fn pushed(_: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let model = Arc::new(characters::load("diver")?);
    let more = [-0.5, 0.5];
    let parts = vec![part(&model, 1.0, more[0])?, part(&model, 1.0, more[1])?];
    let start = take_off(&model, 1.0);
    let mut series = Vec::new();
    let torso = model.body("torso").unwrap_or(sinew_dynamics::BodyId(0));
    let mut turned = Vec::new();
    for force in [0.0, 40.0, -40.0] {
        let push = Push {
            actor: 0,
            body: torso,
            point: Vec3::new(0.0, 0.0, 0.4),
            force: Vec3::new(force, 0.0, 0.0),
            steps: 20,
        };
        let pushes = if force == 0.0 { vec![] } else { vec![(0.2, push)] };
        let mix = Mix {
            parts: &parts,
            weights: &[1.0, 1.0],
            softness: WIDE,
            start: (&start.0, &start.1),
            seconds: SECONDS,
            pushes: &pushes,
        };
        let played = play(&mix, "pushed dive", &mut found)?;
        turned.push(judge(&model, &played, 0.0).0);
        let share = played.way.iter().map(|(t, _, shares)| (*t, shares[0]));
        series.push(Series::line(format!("{force} N on the shoulders for 0.1 s"), share));
    }
    found.figure(Figure::new("entry without a push", "°", turned[0]));
    found.figure(Figure::new("entry pushed forward", "°", turned[1]).paper("compensates"));
    found.figure(Figure::new("entry pushed back", "°", turned[2]));
    let axes = (Axis::linear("time, s"), Axis::linear("share of the part that turns less"));
    found.plots.push(Plot::Lines(Lines::new("Pushed in the air", axes.0, axes.1, series)));
    Ok(found)
}
