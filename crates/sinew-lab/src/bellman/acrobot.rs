//! A gymnast on a bar: two tapes that end in a handstand, and a run that begins between them.

use super::mixed::{BLEND, Mix, NEVER, Part, Played, play, tape};
use crate::LabError;
use crate::context::Context;
use crate::findings::{Figure, Findings, Table};
use crate::plot::{Axis, Lines, Plot, Series};
use sinew_dynamics::{Model, characters};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// The test of the thesis, degrees.
const TEST: [f64; 2] = [-105.0, -15.0];
const WAYS: [(&str, [f64; 2], f64); 4] = [
    ("the first tape alone", [1.0, NEVER], BLEND),
    ("the second tape alone", [NEVER, 1.0], BLEND),
    ("half of each", [1.0, 1.0], BLEND),
    ("combination", [1.0, 1.0], 1.0),
];

fn parts(model: &Arc<Model>, seconds: f64) -> Result<Vec<Part>, LabError> {
    let starts = [[-90.0, 0.0], [-110.0, -20.0]].map(|from: [f64; 2]| from.map(f64::to_radians));
    starts.iter().map(|from| tape(model, (from, &[0.0; 2]), &[FRAC_PI_2, 0.0], seconds, &[])).collect()
}

fn off(played: &Played) -> f64 {
    let off = [played.q[0] - FRAC_PI_2, played.q[1], played.v[0], played.v[1]];
    off.iter().map(|x| x * x).sum::<f64>().sqrt()
}

pub(super) fn acrobot(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let model = Arc::new(characters::load("acrobot")?);
    let start = TEST.map(f64::to_radians);
    let columns = ["duration, s", "first tape", "second tape", "half of each", "combination", "tapes apart"];
    let mut table = Table::new("distances", &columns);
    for seconds in context.pick(vec![1.0, 1.25, 1.5, 1.6, 1.75, 2.0, 2.5], vec![1.5]) {
        let parts = parts(&model, seconds)?;
        let mut distances = Vec::new();
        let mut series = Vec::new();
        for (name, weights, softness) in WAYS {
            let mix = Mix {
                parts: &parts,
                weights: &weights,
                softness,
                start: (&start, &[0.0; 2]),
                seconds,
                pushes: &[],
            };
            let played = play(&mix, name, &mut found)?;
            distances.push(off(&played));
            let hip = played.way.iter().map(|(t, q, _)| (*t, q[0].to_degrees()));
            series.push(Series::line(name, hip));
            if seconds == 1.5 && softness != BLEND {
                let shares = played.way.iter().map(|(t, _, shares)| (*t, shares[0]));
                let axes = (Axis::linear("time, s"), Axis::linear("share of the first tape"));
                let share = vec![Series::line("", shares)];
                found.plots.push(Plot::Lines(Lines::new("Shares of the parts", axes.0, axes.1, share)));
            }
        }
        let apart = apart(&parts)?;
        table.row(format!("{seconds}"), &[&distances[..], &[apart]].concat());
        if seconds == 1.5 {
            let best = distances[0].min(distances[1]);
            for (distance, (name, ..)) in distances.iter().zip(WAYS).take(3) {
                found.figure(Figure::new(format!("off the handstand, {name}"), "", *distance));
            }
            let figure = Figure::new("off the handstand, combination", "", distances[3]);
            found.figure(figure.at_most(best.min(distances[2])).paper("closest of all"));
            let axes = (Axis::linear("time, s"), Axis::linear("angle at the bar, °"));
            found.plots.push(Plot::Lines(Lines::new(
                "From (−105°, −15°) to a handstand",
                axes.0,
                axes.1,
                series,
            )));
        }
    }
    found.tables.push(table);
    found.note(
        "The thesis does not print duration and costs; 1.5 s, place 1000, speed 100, effort ½u² are our choice. The distance is the norm of the state's difference, in rad \
         and rad/s. At other durations (table) the two tapes may come from different families, and then values mislead.",
    );
    Ok(found)
}

/// The greatest distance of the states of two tapes at one time.
fn apart(parts: &[Part]) -> Result<f64, LabError> {
    use sinew_solve::linear_bellman::Along;
    let damaged = |error: sinew_solve::linear_bellman::AlongError| LabError::Clip(error.to_string());
    let [a, b] = [0, 1].map(|k| Along::from_bytes(parts[k].1.bytes()).map_err(damaged));
    let (a, b) = (a?, b?);
    let at = |k: usize| a.state(k).iter().zip(b.state(k)).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
    Ok((0..=a.nodes()).map(at).fold(0.0, f64::max))
}
