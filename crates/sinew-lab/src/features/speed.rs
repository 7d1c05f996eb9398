//! How long decisions and steps take, and where the time goes.

use super::{puppet, walk};
use crate::context::Context;
use crate::findings::{Figure, Findings, Table};
use crate::run::{meta, note, outcome, step, telemetry_names};
use crate::simulation::{between, now};
use crate::{LabError, Simulation};
use sinew_world::audit::{Options, audit};
use sinew_world::metrics::{Metrics, Params, Quantiles};
use sinew_world::recording::{RecordingReader, WorldRecorder};
use std::io::Cursor;
use std::sync::Arc;

const SPEED: f64 = 0.8;

pub(super) fn speed(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let seconds = context.pick(20.0, 5.0);
    // one after the other, so that nothing else takes time
    let scenario = walk("walk, 1 kHz", SPEED, seconds);
    let model = scenario.built_in()?;
    found.body(model.name(), model.mass());
    found.seeds = vec![scenario.seed];
    let done = crate::run(&scenario, Arc::clone(&model), None)?;
    let times = |found: &mut Findings, name: &str, factor: f64, bar: f64, control: Option<Quantiles>| {
        let real_time = Figure::new(format!("times real time, {name}"), "", factor);
        found.figure(real_time.at_least(bar).paper("0.5 to 1"));
        let [median, p99] = control.map_or([f64::NAN; 2], |q| [q.median, q.p99]);
        found.figure(Figure::new(format!("control, median, {name}"), "µs", median));
        found.figure(Figure::new(format!("control, p99, {name}"), "µs", p99));
    };
    let factor = done.summary.realtime_factor.unwrap_or(f64::NAN);
    times(&mut found, "control and dynamics at 1 kHz", factor, 10.0, done.summary.control_us);
    let step = done.summary.step_us.map_or(f64::NAN, |q| q.median);
    found.figure(Figure::new("world step, median", "µs", step));
    let puppet = puppet::walk(&model, SPEED, seconds)?;
    times(&mut found, "accelerations at 100 Hz", puppet.factor, 20.0, puppet.control);
    let falls = f64::from(u8::from(puppet.fell));
    found.figure(Figure::new("falls, accelerations at 100 Hz", "of 1 run", falls).at_most(0.0));
    found.note(puppet::LABEL);
    found.tables.push(ledger(&mut found.broken, seconds)?);
    found.runs = 1;
    found.simulated_s = seconds;
    found.note("Times are of this machine, and change from run to run; the paper's machine is of 2010.");
    Ok(found)
}

/// Where the time of a measured run goes, per step.
fn ledger(broken: &mut Vec<String>, seconds: f64) -> Result<Table, LabError> {
    let scenario = walk("walk, recorded and audited", SPEED, seconds);
    let mut simulation = Simulation::new(scenario.clone(), scenario.built_in()?)?;
    let names = telemetry_names(&simulation);
    let mut recorder =
        WorldRecorder::in_memory(simulation.world(), Simulation::ACTOR, meta(&simulation), &names)?;
    let model = Arc::clone(simulation.world().actors()[Simulation::ACTOR].model());
    let mut metrics = Metrics::new(&model, scenario.step, Some(Simulation::ACTOR), Params::default());
    let mut body = simulation.walker().body().clone();
    let (mut times, mut figures) = (Default::default(), Vec::new());
    let [mut kinetics, mut assembling, mut solving, mut measures, mut recording] = [0.0; 5];
    let mut steps = 0.0;
    while !simulation.ended() {
        // a twin of the optimisation goes through the parts of the decision once more, from the same warm start
        let actor = &simulation.world().actors()[Simulation::ACTOR];
        let begin = now();
        body.kinetics.update(&actor.q, &actor.v);
        kinetics += between(begin, now()).as_secs_f64();
        step(&mut simulation, &mut times)?;
        let decided = simulation.walker();
        let begin = now();
        body.assemble(decided.objectives(), decided.body().footholds());
        let assembled = now();
        body.solve_assembled(decided.objectives());
        assembling += between(begin, assembled).as_secs_f64();
        solving += between(assembled, now()).as_secs_f64();
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
    let columns = ["part", "µs per step", "share of real time, %", "share of control and world, %"];
    let mut table = Table::new("where the time goes", &columns);
    let mut row = |name: &str, total: f64| {
        let whole = 100.0 * total / (control + world);
        table.row(name, &[1e6 * total / steps, 100.0 * total / seconds, whole]);
    };
    row("control: kinematics, mass matrix, momentum", kinetics);
    row("control: assembling the levels", assembling);
    row("control: solving", solving);
    row("control: planning, objectives and the rest", control - kinetics - assembling - solving);
    row("world: contacts and motion", world);
    row("measures", measures);
    row("recording", recording);
    row("audit", auditing);
    Ok(table)
}
