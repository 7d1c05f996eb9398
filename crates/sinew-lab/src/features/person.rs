//! The walker beside people: curves over the gait cycle, and the measures of clinical gait analysis.

use super::{walk, walker};
use crate::audited::{Watch, run_audited};
use crate::context::Context;
use crate::findings::{Figure, Findings, Table};
use crate::plot::{Axis, Lines, Plot, Series};
use crate::walking::{Band, Channel, Gauge, POINTS, Signals, Traits, Walk};
use crate::{Audited, LabError, Scenario, Simulation};
use sinew_control::features::Gait;
use sinew_dynamics::{Model, Side};
use std::sync::Arc;

/// Measurement begins here, when the walk has reached its speed, s.
const WARM_UP: f64 = 7.0;
/// Speeds of the plots, m/s.
const SHOWN: [f64; 3] = [0.8, 1.2, 1.6];

/// Records a walk along x.
pub(super) struct Recorder {
    gauge: Option<Gauge>,
    from: f64,
    walk: Walk,
}

impl Recorder {
    pub(super) fn new(model: &Model, from: f64) -> Recorder {
        Recorder { gauge: Gauge::of(model), from, walk: Walk::default() }
    }
}

impl Watch for Recorder {
    fn see(&mut self, simulation: &Simulation) {
        let Some(gauge) = self.gauge.as_mut().filter(|_| simulation.world().time() >= self.from) else {
            return;
        };
        let model: &Arc<Model> = simulation.model();
        let weight = model.mass() * model.gravity().norm();
        let contacts = simulation.world().report().contacts(simulation.episode().actor());
        let on = |side: Side| {
            let mine = contacts.iter().filter(|c| gauge.belongs(model, c.body, side as usize));
            mine.map(|c| c.force.z).sum::<f64>() / weight
        };
        self.walk.dt = simulation.world().settings().dt;
        self.walk.load.push(Side::BOTH.map(on));
        self.walk.moments.push(gauge.measure(model, simulation.q(), 0.0));
    }
}

pub(super) fn person(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let speeds: &[f64] = context.pick(&[0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0], &[0.8, 1.4, 2.0]);
    let seconds = context.pick(30.0, 12.0);
    let walked = context.map(speeds, |speed| {
        let scenario = walk(format!("{speed} m/s"), *speed, seconds);
        let model = scenario.built_in()?;
        let mut recorder = Recorder::new(&model, WARM_UP);
        let run = run_audited(&scenario, model, &mut recorder)?;
        Ok((run, recorder))
    })?;
    let runs: Vec<Audited> = walked.iter().map(|(run, _)| run.clone()).collect();
    found.count(&runs);
    let columns: Vec<String> = speeds.iter().map(|speed| format!("{speed} m/s")).collect();
    let headings: Vec<&str> = ["trait"].into_iter().chain(columns.iter().map(String::as_str)).collect();
    let mut table = Table::new("Traits", &headings);
    let traits: Vec<Traits> = walked.iter().map(|(_, r)| r.walk.traits()).collect();
    for (name, of) in TRAITS {
        table.row(*name, &traits.iter().map(of).collect::<Vec<_>>());
    }
    found.tables.push(table);
    let mut scores = Vec::new();
    let mut inside = Table::new("Share of the cycle inside the band of people, %", &headings);
    for channel in Channel::ALL {
        let row: Vec<f64> = walked.iter().map(|(_, r)| 100.0 * share_inside(r, channel)).collect();
        scores.extend(row.iter().copied().filter(|x| x.is_finite()));
        inside.row(channel.name(), &row);
    }
    found.tables.push(inside);
    let overall = scores.iter().sum::<f64>() / scores.len() as f64;
    found.figure(Figure::new("score: share of all curves inside the bands of people", "%", overall));
    for (((run, recorder), t), speed) in walked.iter().zip(&traits).zip(speeds) {
        judge(&mut found, t, run, *speed);
        for channel in [Channel::Thigh, Channel::Knee, Channel::Ankle] {
            let name = format!("{} inside the band, {speed} m/s", channel.name());
            found.figure(Figure::new(name, "%", 100.0 * share_inside(recorder, channel)).at_least(80.0));
        }
        if SHOWN.contains(speed) || context.quick {
            found.plots.extend(plots(recorder, *speed));
        }
    }
    found.figure(Figure::falls(&runs));
    found.note(
        "Bands of thigh, knee and ankle are those of the literature at natural cadence, the others those of captured walks of the same class of speed: \
         see `walking/bands.rs`.",
    );
    if !context.quick {
        emerging(context, &mut found)?;
    }
    Ok(found)
}

/// A row of the table.
type Row = (&'static str, fn(&Traits) -> f64);
const TRAITS: &[Row] = &[
    ("speed, m/s", |t| t.speed),
    ("step, m", |t| t.step),
    ("cadence, 1/min", |t| t.cadence),
    ("share of a stride on the ground", |t| t.duty),
    ("sole at landing, °", |t| t.landing),
    ("sole at landing, least, °", |t| t.least_landing),
    ("sole at toe-off, °", |t| t.toe_off),
    ("standing knee, least, °", |t| t.stance_knee),
    ("swinging knee, °", |t| t.swing_knee),
    ("rise of the hips, cm", |t| t.bob),
    ("sway of the hips, cm", |t| t.sway),
    ("turn of the pelvis, 95 %, °", |t| t.yaw),
    ("trunk from, °", |t| t.trunk[0]),
    ("trunk to, °", |t| t.trunk[1]),
    ("hands from, cm", |t| t.hands[0]),
    ("hands to, cm", |t| t.hands[1]),
    ("toes clear, cm", |t| t.clearance),
    ("force, first hump", |t| t.humps[0]),
    ("force, valley", |t| t.humps[1]),
    ("force, second hump", |t| t.humps[2]),
];

fn share_inside(recorder: &Recorder, channel: Channel) -> f64 {
    let froude = |gauge: &Gauge| recorder.walk.speed() / (gauge.leg * 9.81).sqrt();
    let band = recorder.gauge.as_ref().and_then(|gauge| Band::of(channel, froude(gauge)));
    band.map_or(f64::NAN, |band| recorder.walk.inside(channel, &band))
}

fn judge(found: &mut Findings, t: &Traits, run: &Audited, speed: f64) {
    let at = |name: &str| format!("{name}, {speed} m/s");
    let mut add = |figure: Figure| found.figure(figure);
    add(Figure::new(at("speed, of what was asked for"), "%", 100.0 * t.speed / speed).between(97.0, 103.0));
    let heel = Figure::new(at("sole at landing, least"), "°", t.least_landing);
    add(match speed {
        v if v > 1.6 => heel.at_least(5.0),
        v if v >= 0.6 => heel.at_least(8.0),
        _ => heel,
    });
    let knee = Figure::new(at("standing knee, least"), "°", t.stance_knee);
    add(if speed >= 0.8 { knee.at_most(12.0) } else { knee });
    add(Figure::new(at("swinging knee"), "°", t.swing_knee).between(55.0, 70.0));
    add(Figure::new(at("rise of the hips"), "cm", t.bob).between(1.5, 6.0));
    add(Figure::new(at("turn of the pelvis, 95 %"), "°", t.yaw).at_most(10.0));
    add(Figure::new(at("trunk, furthest from upright"), "°", t.trunk[1].max(-t.trunk[0])).at_most(8.0));
    add(Figure::new(at("hands, middle of their swing"), "cm", 0.5 * (t.hands[0] + t.hands[1]))
        .between(-5.0, 5.0));
    let humps = Figure::new(at("two humps of force"), "", f64::from(u8::from(t.two_humps())));
    add(if speed >= 1.2 { humps.at_least(1.0) } else { humps });
    add(Figure::new(at("toes clear"), "cm", t.clearance).at_least(1.5));
    let s = &run.outcome.summary;
    add(Figure::new(at("friction used"), "%", 100.0 * s.friction_used).at_most(60.0));
    add(Figure::new(at("skate, worst stance"), "mm", s.skate_worst_mm).at_most(5.0));
}

/// A stride of ours over the band of people.
fn plots(recorder: &Recorder, speed: f64) -> Vec<Plot> {
    let strides = recorder.walk.strides();
    let percent = |p: usize| 100.0 * p as f64 / (POINTS - 1) as f64;
    let curve = |name: &str, of: &[f64; POINTS]| {
        Series::line(name, of.iter().enumerate().map(|(p, x)| (percent(p), *x)))
    };
    let froude = recorder.gauge.as_ref().map_or(0.0, |g| recorder.walk.speed() / (g.leg * 9.81).sqrt());
    let plot = |title: String, y: &str, series| {
        Plot::Lines(Lines::new(title, Axis::linear("gait cycle, %"), Axis::linear(y), series))
    };
    let mut plots: Vec<Plot> = Channel::ALL
        .iter()
        .filter_map(|channel| {
            let band = Band::of(*channel, froude)?;
            let ours = recorder.walk.curve(&strides, *channel);
            let series = vec![
                curve("ours", &ours),
                curve("people, low", &band.low),
                curve("people, high", &band.high),
            ];
            Some(plot(format!("{}, {speed} m/s", channel.name()), "°", series))
        })
        .collect();
    let force = vec![curve("ours", &recorder.walk.force(&strides))];
    plots.push(plot(format!("vertical force, {speed} m/s"), "weights", force));
    plots
}

/// Motion of arms and shoulders when only angular momentum and a weak pose objective move them, as in the paper: for information.
fn emerging(context: &Context<'_>, found: &mut Findings) -> Result<(), LabError> {
    let gait = Gait {
        arm_swing_weight: 0.0,
        twist: 0.0,
        arm_torque: 0.003,
        momentum_weight: 0.03,
        arm_weight: 0.3,
        pose_stiffness: 20.0,
        ..Gait::default()
    };
    let scenario = Scenario { controller: walker(&gait), ..walk("left to angular momentum", 1.0, 25.0) };
    let case = crate::context::Case::built_in(scenario)?;
    context.play(found, std::slice::from_ref(&case))?;
    let recording = crate::run::recorded(&case.scenario, case.model)?;
    let l = Signals::of(&recording, WARM_UP).unwrap_or_default().likeness();
    for (name, unit, value) in [
        ("arm against leg of its side, correlation", "", l.arm_leg),
        ("arm swing, end to end", "°", l.arm_swing_deg),
        ("shoulders with hips, correlation", "", l.girdles),
    ] {
        let name = format!("{name}, left to angular momentum");
        found.figure(Figure::new(name, unit, value).paper("emerges"));
    }
    found.note(
        "Arms swing and shoulders turn because they are asked to (`arm_swing`, `twist`). The last run asks for neither: angular momentum \
         alone moves them, as in the paper.",
    );
    Ok(())
}
