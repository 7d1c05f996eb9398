//! How long decisions and steps take.

use super::walk;
use crate::context::Context;
use crate::findings::{Figure, Findings, Table};
use crate::run::{meta, note, outcome, step, telemetry_names};
use crate::simulation::{between, now};
use crate::{LabError, Scenario, Simulation};
use sinew_control::whole_body::WholeBody;
use sinew_world::audit::{Options, audit};
use sinew_world::metrics::{Metrics, Params};
use sinew_world::recording::{RecordingReader, WorldRecorder};
use std::io::Cursor;
use std::sync::Arc;

pub(super) fn speed(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let seconds = context.pick(20.0, 3.0);
    for (name, dt, bar) in [("1 kHz", 1e-3, 2.0), ("100 Hz", 1e-2, 20.0)] {
        // one after the other, so that nothing else takes time
        let scenario = Scenario { step: dt, ..walk(format!("walk, {name}"), 0.8, seconds) };
        let model = scenario.built_in()?;
        found.body(model.name(), model.mass());
        found.seeds = vec![scenario.seed];
        let done = match crate::run(&scenario, model, None) {
            Ok(done) => done,
            Err(why) => {
                found.note(format!("{name}: {why}"));
                found.figure(Figure::new(format!("times real time, {name}"), "", f64::NAN).at_least(bar));
                continue;
            }
        };
        let factor = done.summary.realtime_factor.unwrap_or(f64::NAN);
        found.figure(
            Figure::new(format!("times real time, {name}"), "", factor).at_least(bar).paper("0.5 to 1"),
        );
        let control = done.summary.control_us.map_or([f64::NAN; 2], |q| [q.median, q.p99]);
        found.figure(Figure::new(format!("control, median, {name}"), "µs", control[0]));
        found.figure(Figure::new(format!("control, p99, {name}"), "µs", control[1]));
    }
    found.tables.push(ledger(&mut found.broken, seconds)?);
    found.runs = 1;
    found.simulated_s = seconds;
    found.note("Times are of this machine, and change from run to run; the paper's machine is of 2010.");
    Ok(found)
}

/// Where the time of a measured run goes, per step.
fn ledger(broken: &mut Vec<String>, seconds: f64) -> Result<Table, LabError> {
    let scenario = walk("walk, recorded and audited", 0.8, seconds);
    let mut simulation = Simulation::new(scenario.clone(), scenario.built_in()?)?;
    let names = telemetry_names(&simulation);
    let mut recorder =
        WorldRecorder::in_memory(simulation.world(), Simulation::ACTOR, meta(&simulation), &names)?;
    let model = Arc::clone(simulation.world().actors()[Simulation::ACTOR].model());
    let mut metrics = Metrics::new(&model, scenario.step, Some(Simulation::ACTOR), Params::default());
    let mut body = WholeBody::new(Arc::clone(&model));
    let (mut times, mut figures) = (Default::default(), Vec::new());
    let (mut kinetics, mut measures, mut recording) = (0.0, 0.0, 0.0);
    let mut steps = 0.0;
    while !simulation.ended() {
        // what a decision begins with, once more by itself
        let actor = &simulation.world().actors()[Simulation::ACTOR];
        let begin = now();
        body.kinetics.update(&actor.q, &actor.v);
        kinetics += between(begin, now()).as_secs_f64();
        step(&mut simulation, &mut times)?;
        let begin = now();
        metrics.step(&model, &simulation.world().frame(Simulation::ACTOR));
        let measured = now();
        note(&mut recorder, &simulation, &mut figures)?;
        measures += between(begin, measured).as_secs_f64();
        recording += between(measured, now()).as_secs_f64();
        steps += 1.0;
    }
    let (control, world) = times.totals();
    let begin = now();
    let mut reader = RecordingReader::new(Cursor::new(recorder.into_bytes()?))?;
    let report = audit(&mut reader, &Options::default())?;
    let auditing = between(begin, now()).as_secs_f64();
    broken.extend(report.failures().map(|f| format!("walk: {f}")));
    broken.extend(outcome(&simulation, times).summary.fall_reason.map(|why| format!("walk: {why}")));
    let mut table = Table::new("where the time goes", &["part", "µs per step", "share of real time, %"]);
    let mut row = |name: &str, total: f64| table.row(name, &[1e6 * total / steps, 100.0 * total / seconds]);
    row("control: kinematics, mass matrix, momentum", kinetics);
    row("control: planning, objectives, priorities", control - kinetics);
    row("world: contacts and motion", world);
    row("measures", measures);
    row("recording", recording);
    row("audit", auditing);
    Ok(table)
}
