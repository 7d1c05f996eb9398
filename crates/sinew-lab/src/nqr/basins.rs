//! Cost against γ (figure 3 of the paper), and adaptation.

use super::{Costs, cases, follow, motions, with};
use crate::LabError;
use crate::context::Context;
use crate::findings::{Figure, Findings, Table, short};
use crate::plot::{Axis, Lines, Plot, Series};
use crate::scenario::{GroundPlan, Scenario};
use sinew_control::Value;
use sinew_control::nqr::NQR;

const LAWS: [&str; 2] = ["nqr", "lqr"];
const GAMMAS: [f64; 8] = [1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.0];
/// Turns of the circles in every cycle, degrees.
const CIRCLES: [(&str, f64); 2] =
    [("c: circle, 180° in three cycles", 60.0), ("d: circle, 45° in every cycle", 45.0)];
/// Descents in every cycle, m.
const DESCENTS: [(&str, f64); 2] =
    [("e: a descent of 2 cm in every cycle", 0.02), ("f: a descent of 4 cm in every cycle", 0.04)];

fn law(name: &str) -> Value {
    Value::Name(name.to_owned())
}

/// Stairs down, one step per cycle of the walk.
pub(super) fn descent(walk: &Scenario, drop: f64) -> Result<GroundPlan, LabError> {
    let order = walk.controller.order(walk.built_in()?)?;
    let prepared = order.prepare(&crate::store::REMEMBERED, &|_| true)?;
    let follows = NQR.follows.ok_or_else(|| LabError::Clip("nothing is followed".to_owned()))?;
    let clip = follows(&order, &prepared)?.clip;
    let root = clip.model().free_root().map_or(0, |j| j.q);
    let (a, b) = (clip.frame(0), clip.frame(clip.len() - 1));
    let run = libm::hypot(b[root] - a[root], b[root + 1] - a[root + 1]);
    Ok(GroundPlan::Stairs { start: 1.5, run, rise: -drop, steps: 60, friction: 1.0 })
}

pub(super) fn basins(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let motions = motions(context, &mut found);
    let seconds = context.pick(30.0, 3.0);
    let gammas = context.pick(&GAMMAS[..], &GAMMAS[3..5]);
    let walk = follow("a: straight walk", &motions.walk, seconds);
    let mut bases = vec![walk.clone()];
    if let Some(run) = &motions.run {
        bases.push(follow("b: run", run, seconds));
    }
    for (name, turn) in CIRCLES {
        bases.push(with(Scenario { name: name.to_owned(), ..walk.clone() }, "making.turn", turn));
    }
    for (name, drop) in DESCENTS {
        bases.push(Scenario { name: name.to_owned(), ground: descent(&walk, drop)?, ..walk.clone() });
    }
    found.note("The paper's ledges come at every 45° turn; here stairs are straight, and the straight walk goes down them.");
    let mut table = Table::new("basins", &["case", "law", "γ", "up, s", "cost"]);
    for base in &bases {
        let mut series = Vec::new();
        let mut stable = [0_usize; 2];
        for (l, name) in LAWS.iter().enumerate() {
            let one = |gamma: &f64| {
                let scenario = with(with(base.clone(), "track.gamma", *gamma), "track.law", law(name));
                Scenario { name: format!("{}, {name}, γ {gamma}", base.name), ..scenario }
            };
            let watched = context.watch(&mut found, &cases(gammas.iter().map(one))?, |_| Costs::default())?;
            let (mut kept, mut fell) = (Vec::new(), Vec::new());
            for (gamma, (run, costs)) in gammas.iter().zip(&watched) {
                let summary = &run.outcome.summary;
                let up = summary.fall_time.unwrap_or(seconds);
                let row = [base.name.clone(), (*name).to_owned()].into_iter();
                table.rows.push(row.chain([*gamma, up, costs.mean()].map(short)).collect());
                // γ = 0 has no place on a logarithmic axis
                let point = (gamma.max(3e-4), costs.mean());
                if summary.fell == Some(false) {
                    stable[l] += usize::from(*gamma > 0.0);
                    kept.push(point);
                } else {
                    fell.push(point);
                }
            }
            series.push(Series::points(format!("{name}, stable"), kept));
            series.push(Series::points(format!("{name}, falls"), fell));
        }
        let (x, y) = (Axis::logarithmic("γ (left end: none)"), Axis::logarithmic("cost, equation 18"));
        found.plots.push(Plot::Lines(Lines::new(&base.name, x, y, series)));
        for (name, count) in LAWS.iter().zip(stable) {
            found.figure(Figure::new(
                format!("{}: γ with which {name} stays up", base.name),
                "",
                count as f64,
            ));
        }
        if base.name.starts_with(['a', 'c', 'd']) {
            let more = stable[0] as f64 - stable[1] as f64;
            let figure =
                Figure::new(format!("{}: more of them than with the linear law", base.name), "", more);
            found.figure(figure.at_least(0.0).paper("a wider range"));
        }
    }
    found.tables.push(table);
    Ok(found)
}

pub(super) fn adaptation(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let motions = motions(context, &mut found);
    let seconds = context.pick(20.0, 3.0);
    let walk = follow("walk", &motions.walk, seconds);
    let mut scenarios = Vec::new();
    for name in LAWS {
        let base = with(walk.clone(), "track.law", law(name));
        let mut add = |what: &str, scenario: Scenario| {
            scenarios.push(Scenario { name: format!("{name}, {what}"), ..scenario });
        };
        add("no adaptation", with(base.clone(), "track.gamma", 0.0));
        add("published, γ 0.003", with(base.clone(), "track.gamma", 3e-3));
        let folded = with(with(base.clone(), "track.gamma", 3e-3), "track.folded", Value::Flag(true));
        add("published, folded at 960 Hz", folded.clone());
        let mut slow = folded;
        slow.world.step = Some(1.0 / 120.0);
        add("published, folded at 120 Hz", slow);
        let symmetric = with(base.clone(), "track.adaptation", law("symmetric"));
        add("symmetric, 0.1 kg·m²", with(symmetric, "track.gamma", 0.1));
    }
    let watched = context.watch(&mut found, &cases(scenarios)?, |_| Costs::default())?;
    for (run, costs) in &watched {
        let (name, summary) = (&run.outcome.scenario, &run.outcome.summary);
        let up = Figure::new(format!("{name}: up"), "s", summary.fall_time.unwrap_or(seconds));
        let must = name.starts_with("nqr, published") && !name.ends_with("960 Hz");
        found.figure(if must { up.at_least(seconds) } else { up });
        found.figure(Figure::new(format!("{name}: cost"), "", costs.mean()));
    }
    Ok(found)
}
