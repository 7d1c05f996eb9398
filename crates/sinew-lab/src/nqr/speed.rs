//! Computation times of plan, sweep, decision and step.

use super::{follow, motions};
use crate::context::Context;
use crate::findings::{Figure, Findings, Table};
use crate::simulation::{between, now};
use crate::{LabError, Simulation};
use sinew_control::spacetime::{Repeats, SpacetimeParams, optimise, reference_of};

/// Number of repetitions, of which the fastest counts.
const REPEATS: usize = 3;

pub(super) fn speed(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let motions = motions(context, &mut found);
    let scenario = follow("walk", &motions.walk, context.pick(20.0, 4.0));
    let model = scenario.built_in()?;
    found.body(model.name(), model.mass());
    let order = scenario.controller.order(model.clone())?;
    let mut table = Table::new("stages", &["stage", "ms"]);
    let reference = reference_of(&order.clips[0], Repeats::Cycle)?;
    let (mut plan, mut whole, mut steps) = (f64::INFINITY, f64::INFINITY, 0);
    for _ in 0..REPEATS {
        let began = now();
        steps = optimise(&reference, &SpacetimeParams::default(), &|_| true)?.report.steps;
        plan = plan.min(between(began, now()).as_secs_f64());
        let began = now();
        order.prepare(&(), &|_| true)?;
        whole = whole.min(between(began, now()).as_secs_f64());
    }
    table.row(format!("plan of {} frames to rounding, {steps} steps", reference.len()), &[1e3 * plan]);
    table.row("preparation without trials: plan as a law feels it, sweep", &[1e3 * whole]);
    let figure = Figure::new("plan of a walk cycle", "s", plan);
    found.figure(figure.at_most(5.0).paper("hours"));
    found.figure(Figure::new("one Gauss–Newton step of it", "ms", 1e3 * plan / steps.max(1) as f64));
    let (mut least, mut control, mut step) = (f64::INFINITY, 0.0, 0.0);
    for _ in 0..REPEATS {
        let mut simulation =
            Simulation::with_store(scenario.clone(), model.clone(), &crate::store::REMEMBERED, &|_| true)?;
        let (mut decided, mut stepped) = (0.0, 0.0);
        while !simulation.ended() && simulation.metrics().fall().is_none() {
            let spent = simulation.step()?;
            decided += spent.control.as_secs_f64();
            stepped += spent.step.as_secs_f64();
        }
        let share = (decided + stepped) / simulation.world().time();
        if share < least {
            (least, control, step) = (share, decided, stepped);
        }
    }
    let seconds = scenario.seconds;
    table.row("decisions, per second walked", &[1e3 * control / seconds]);
    table.row("steps of the world, per second walked", &[1e3 * step / seconds]);
    found.tables.push(table);
    found.figure(
        Figure::new("times real time, 120 decisions and 960 steps per second", "", 1.0 / least)
            .at_least(50.0)
            .paper("5"),
    );
    (found.runs, found.simulated_s) = (REPEATS, REPEATS as f64 * seconds);
    found.note("On one core of this machine beside its other work; the fastest of three runs.");
    Ok(found)
}
