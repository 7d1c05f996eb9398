//! Computation times of decisions and steps, and of their parts.
//!
//! A repeated walk has the same steps to the bit. It is played several times and the least time of each step counts, so that other load
//! on the machine does not matter.

use super::{puppet, walk};
use crate::context::Context;
use crate::findings::{Figure, Findings, Table};
use crate::simulation::{between, now};
use crate::{LabError, Simulation};
use sinew_control::EpisodeRecorder;
use sinew_control::features::Walker;
use sinew_world::audit::{Options, audit};
use sinew_world::metrics::{Metrics, Params, Quantiles};
use sinew_world::recording::RecordingReader;
use std::io::Cursor;
use std::sync::Arc;

const SPEED: f64 = 0.8;
/// How often it is walked.
const REPEATS: usize = 5;

pub(super) fn speed(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let seconds = context.pick(20.0, 4.0);
    let model = walk("", SPEED, seconds).built_in()?;
    found.body(model.name(), model.mass());
    found.seeds = vec![walk("", SPEED, seconds).seed];
    // one after the other, without parallel work of our own
    let mut walked = timed(seconds)?;
    let mut puppet = puppet::walk(&model, SPEED, seconds)?;
    let mut by_the_clock = vec![walked.factor(seconds)];
    for _ in 1..REPEATS {
        let again = timed(seconds)?;
        by_the_clock.push(again.factor(seconds));
        walked.least(&again);
        puppet.least(&puppet::walk(&model, SPEED, seconds)?);
    }
    let times = |found: &mut Findings, name: &str, factor: f64, bar: f64, mut control: Vec<f64>| {
        let real_time = Figure::new(format!("times real time, {name}"), "", factor);
        found.figure(real_time.at_least(bar).paper("0.5 to 1"));
        let [median, p99] = Quantiles::of(&mut control).map_or([f64::NAN; 2], |q| [q.median, q.p99]);
        found.figure(Figure::new(format!("control, median, {name}"), "µs", median));
        found.figure(Figure::new(format!("control, p99, {name}"), "µs", p99));
    };
    let name = "control and dynamics at 1 kHz";
    times(&mut found, name, walked.factor(seconds), 10.0, walked.of(Part::Control).collect());
    // whole walks beside the machine's other work: the experience of a user with a busy machine
    by_the_clock.sort_by(f64::total_cmp);
    let [best, median] = [by_the_clock[REPEATS - 1], by_the_clock[REPEATS / 2]];
    found.figure(Figure::new("times real time at 1 kHz, whole walks by the clock, best", "", best));
    found.figure(Figure::new("times real time at 1 kHz, whole walks by the clock, median", "", median));
    let step = Quantiles::of(&mut walked.of(Part::World).collect::<Vec<_>>());
    found.figure(Figure::new("world step, median", "µs", step.map_or(f64::NAN, |q| q.median)));
    times(&mut found, "accelerations at 100 Hz", puppet.factor(), 20.0, puppet.control.clone());
    let falls = f64::from(u8::from(puppet.fell));
    found.figure(Figure::new("falls, accelerations at 100 Hz", "of 1 run", falls).at_most(0.0));
    found.tables.push(walked.ledger(seconds));
    found.broken.clone_from(&walked.broken);
    (found.runs, found.simulated_s) = (REPEATS, REPEATS as f64 * seconds);
    found.note(puppet::LABEL);
    found.note(format!(
        "Times are of this machine, and of one core. The walk is walked {REPEATS} times, and the least time of each step counts. The paper's machine is of 2010."
    ));
    Ok(found)
}

/// Parts of a step that are timed.
#[derive(Clone, Copy)]
enum Part {
    Control,
    World,
    Kinetics,
    Assembling,
    Solving,
    Measures,
    Recording,
}

/// A walk with its times.
struct Timed {
    /// By step and part, µs.
    times: Vec<[f64; 7]>,
    /// The audit of all of it, µs.
    audit: f64,
    broken: Vec<String>,
}

impl Timed {
    fn of(&self, part: Part) -> impl Iterator<Item = f64> {
        self.times.iter().map(move |step| step[part as usize])
    }

    fn total(&self, part: Part) -> f64 {
        self.of(part).sum()
    }

    /// Simulated time over the time of control and world.
    fn factor(&self, seconds: f64) -> f64 {
        1e6 * seconds / (self.total(Part::Control) + self.total(Part::World))
    }

    /// Takes the lesser time of each step from another walk.
    fn least(&mut self, other: &Timed) {
        self.audit = self.audit.min(other.audit);
        for (mine, other) in self.times.iter_mut().zip(&other.times) {
            mine.iter_mut().zip(other).for_each(|(mine, other)| *mine = mine.min(*other));
        }
    }

    /// Where the time goes.
    fn ledger(&self, seconds: f64) -> Table {
        let columns = ["part", "µs per step", "share of real time, %", "share of control and world, %"];
        let mut table = Table::new("where the time goes", &columns);
        let (steps, total) = (self.times.len() as f64, |part| self.total(part));
        let whole = total(Part::Control) + total(Part::World);
        let mut row = |name: &str, time: f64| {
            table.row(name, &[time / steps, 1e-4 * time / seconds, 100.0 * time / whole]);
        };
        let parts = total(Part::Kinetics) + total(Part::Assembling) + total(Part::Solving);
        row("control: kinematics, mass matrix, momentum", total(Part::Kinetics));
        row("control: assembling the levels", total(Part::Assembling));
        row("control: solving", total(Part::Solving));
        row("control: planning, objectives and the rest", total(Part::Control) - parts);
        row("world: contacts and motion", total(Part::World));
        row("measures", total(Part::Measures));
        row("recording", total(Part::Recording));
        row("audit", self.audit);
        table
    }
}

/// Walks, records and audits, and takes the time of every part.
fn timed(seconds: f64) -> Result<Timed, LabError> {
    let scenario = walk("walk, recorded and audited", SPEED, seconds);
    let mut simulation = Simulation::new(scenario.clone(), scenario.built_in()?)?;
    let mut recorder = EpisodeRecorder::in_memory(simulation.episode(), simulation.meta())?;
    let (model, me) = (Arc::clone(simulation.model()), simulation.episode().actor());
    let dt = simulation.world().settings().dt;
    let mut metrics = Metrics::new(&model, dt, Some(me), Params::default());
    let walker = |s: &Simulation| {
        s.controller::<Walker>().cloned().unwrap_or_else(|| unreachable!("a walk is walked by the walker"))
    };
    let mut body = walker(&simulation).body().clone();
    let mut times = Vec::new();
    let micro = |begin, end| 1e6 * between(begin, end).as_secs_f64();
    while !simulation.ended() {
        // a twin of the optimisation goes through the parts of the decision once more, from the same warm start
        let begin = now();
        body.kinetics.update(simulation.q(), simulation.v());
        let kinetics = micro(begin, now());
        let spent = simulation.step()?;
        let decided = walker(&simulation);
        let begin = now();
        body.assemble(decided.objectives(), decided.body().footholds());
        let assembled = now();
        body.solve_assembled(decided.objectives());
        let solved = now();
        metrics.step(&model, &simulation.world().frame(me));
        let measured = now();
        recorder.push(simulation.episode())?;
        let recorded = now();
        times.push([
            1e6 * spent.control.as_secs_f64(),
            1e6 * spent.step.as_secs_f64(),
            kinetics,
            micro(begin, assembled),
            micro(assembled, solved),
            micro(solved, measured),
            micro(measured, recorded),
        ]);
    }
    let begin = now();
    let mut reader = RecordingReader::new(Cursor::new(recorder.into_bytes()?))?;
    let report = audit(&mut reader, &Options::default())?;
    let mut broken: Vec<String> = report.failures().map(|f| format!("walk: {f}")).collect();
    broken.extend(simulation.metrics().fall().map(|(time, why)| format!("walk: fell at {time:.3} s: {why}")));
    Ok(Timed { times, audit: micro(begin, now()), broken })
}
