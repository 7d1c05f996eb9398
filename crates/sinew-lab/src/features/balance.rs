//! Standing, leaning and squatting, on level, inclined and moving ground.

use super::watch::{Mass, footing, leg};
use super::{balancer, cases};
use crate::context::Context;
use crate::findings::{Figure, Findings, Table};
use crate::plot::{Axis, Lines, Plot, Series};
use crate::scenario::GroundPlan;
use crate::{Audited, LabError, Scenario, Simulation, Watch};
use sinew_control::features::{Gait, Stance};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, center_of_mass, forward_kinematics};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Time in which it settles, s.
const SETTLE: f64 = 3.0;

fn balancing(name: &str, stance: Stance, ground: GroundPlan, seconds: f64) -> Scenario {
    let controller = balancer(&stance);
    Scenario { name: name.to_owned(), controller, ground, seconds, ..Scenario::default() }
}

/// How far the centre of mass moves from where it was after settling, relative to ground that moves.
struct Drift {
    data: Data,
    still: Option<Vec3>,
    worst: f64,
    /// Where it was then, from the middle of the feet.
    lean: [f64; 2],
}

impl Drift {
    fn of(model: &Model) -> Drift {
        Drift { data: Data::new(model), still: None, worst: 0.0, lean: [f64::NAN; 2] }
    }
}

impl Watch for Drift {
    fn see(&mut self, simulation: &Simulation) {
        let (world, scenario) = (simulation.world(), simulation.scenario());
        if world.time() < SETTLE {
            return;
        }
        let ground = scenario.ground.platform().map_or(Vec3::zeros(), |p| p.path.at(world.time()).0.pos);
        let com = center_of_mass(simulation.model(), &mut self.data, simulation.q()) - ground;
        if self.still.is_none() {
            let off = footing(simulation).map(|middle| com + ground - middle);
            self.lean = off.map_or([f64::NAN; 2], |off| [off.x, off.y]);
        }
        let off = com - *self.still.get_or_insert(com);
        self.worst = self.worst.max(libm::hypot(off.x, off.y));
    }
}

pub(super) fn balance(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let still = balancing("standing", Stance::default(), GroundPlan::default(), context.pick(10.0, 4.0));
    let watched = context.watch(&mut found, &cases([still])?, |case| Mass::of(&case.model))?;
    let (run, mass) = &watched[0];
    let settled = mass.path.iter().filter(|p| p.time > SETTLE);
    let worst = settled.map(|p| p.off).fold(0.0, f64::max);
    found.figure(
        Figure::new("centre of mass from the middle of the feet, worst", "mm", 1e3 * worst)
            .at_most(5.0)
            .paper("stable"),
    );
    let margin = run.outcome.summary.cop_margin_least_mm.unwrap_or(f64::NAN);
    found.figure(Figure::new("centre of pressure inside its polygon, least", "mm", margin).at_least(0.0));
    let curve = mass.path.iter().step_by(20).map(|p| (p.time, 1e3 * p.off));
    let series = vec![Series::line("centre of mass", curve)];
    let (x, y) = (Axis::linear("time, s"), Axis::linear("from the middle of the feet, mm"));
    let plot = Lines::new("Centre of mass while standing", x, y, series).level("bar", 5.0);
    found.plots.push(Plot::Lines(plot));
    let mut runs = vec![run.clone()];
    runs.extend(elsewhere(context, &mut found)?);
    let steps: usize = runs.iter().map(|run| run.outcome.summary.steps).sum();
    found.figure(Figure::new("footsteps", "", steps as f64).at_most(0.0));
    found.figure(Figure::falls(&runs));
    Ok(found)
}

/// Leaning, slopes and platforms.
fn elsewhere(context: &Context<'_>, found: &mut Findings) -> Result<Vec<Audited>, LabError> {
    let seconds = context.pick(10.0, 5.0);
    let slope = |degrees: f64| GroundPlan::Slope { start: -2.0, pitch: degrees.to_radians(), friction: 0.8 };
    let platform = |amplitude| GroundPlan::Platform { amplitude, frequency: 0.5, friction: 0.8 };
    let lean = |lean_forward, lean_left| Stance { lean_forward, lean_left, ..Stance::default() };
    let flat = GroundPlan::default();
    let (upright, by) = (Stance::default(), 0.1);
    // name, stance, ground, and how far the centre of mass may move, m
    let scenes = [
        ("leaning forward", lean(0.08, 0.0), flat.clone(), 0.005),
        ("leaning to the left", lean(0.0, 0.08), flat, 0.005),
        ("10° uphill", upright.clone(), slope(10.0), 0.005),
        ("10° downhill", upright.clone(), slope(-10.0), 0.005),
        ("platform to and fro", upright.clone(), platform(Vec3::x() * by), 0.06),
        ("platform sideways", upright.clone(), platform(Vec3::y() * by), 0.06),
        ("platform up and down", upright, platform(Vec3::z() * by), 0.06),
    ];
    let scenarios = scenes.iter().map(|(name, s, g, _)| balancing(name, s.clone(), g.clone(), seconds));
    let cases = cases(scenarios)?;
    let model = Arc::clone(&cases[0].model);
    let watched = context.watch(found, &cases, |case| Drift::of(&case.model))?;
    for ((_, drift), (name, stance, _, most)) in watched.iter().zip(&scenes) {
        let (asked, unit) = ([stance.lean_forward, stance.lean_left], leg(&model).unwrap_or(f64::NAN));
        if asked != [0.0; 2] {
            let [x, y] = drift.lean;
            let miss = libm::hypot(x - asked[0] * unit, y - asked[1] * unit);
            found.figure(
                Figure::new(format!("from where it should lean, {name}"), "mm", 1e3 * miss).at_most(10.0),
            );
        }
        let worst = if drift.still.is_some() { drift.worst } else { f64::NAN };
        found.figure(
            Figure::new(format!("centre of mass moves over the ground, {name}"), "mm", 1e3 * worst)
                .at_most(1e3 * most),
        );
    }
    found
        .note("Leans are by 0.08 of the leg; platforms swing by ±0.1 m at 0.5 Hz. Drift counts from 3 s on.");
    Ok(watched.into_iter().map(|(run, _)| run).collect())
}

/// Depth as a share of the standing height, and time of a squat, s.
const SQUATS: [(f64, f64); 4] = [(0.2, 2.0), (0.2, 4.0), (0.3, 3.0), (0.35, 3.0)];

pub(super) fn squat(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let squats = &SQUATS[..context.pick(4, 2)];
    let seconds = SETTLE + context.pick(12.0, 4.0);
    let scenario = |(depth, period): &(f64, f64)| {
        let stance = Stance { squat_depth: *depth, squat_period: *period, ..Stance::default() };
        let name = format!("by {:.0} % in {period} s", 100.0 * depth);
        balancing(&name, stance, GroundPlan::default(), seconds)
    };
    let cases = cases(squats.iter().map(scenario))?;
    let height = Gait::default().height * tall(&cases[0].model);
    let watched = context.watch(&mut found, &cases, |case| Mass::of(&case.model))?;
    let wanted = |(depth, period): (f64, f64), t: f64| {
        height * (1.0 - 0.5 * depth * (1.0 - libm::cos(TAU * t / period)))
    };
    let mut table =
        Table::new("squats", &["squat", "lowest, % of the height", "height error, mm", "footsteps"]);
    for ((run, mass), squat) in watched.iter().zip(squats) {
        let late = || mass.path.iter().filter(|p| p.time > SETTLE);
        let error = late().map(|p| (p.height - wanted(*squat, p.time)).abs()).fold(0.0, f64::max);
        let lowest = late().map(|p| p.height / height).fold(f64::INFINITY, f64::min);
        let steps = run.outcome.summary.steps as f64;
        table.row(run.outcome.scenario.clone(), &[100.0 * lowest, 1e3 * error, steps]);
        let name = format!("height error, worst, {}", run.outcome.scenario);
        found.figure(Figure::new(name, "mm", 1e3 * error).at_most(10.0).paper("shown"));
    }
    found.tables.push(table);
    if let (Some((_, mass)), Some(squat)) = (watched.last(), squats.last()) {
        let shown = || mass.path.iter().step_by(20);
        let series = vec![
            Series::line("commanded", shown().map(|p| (p.time, wanted(*squat, p.time)))),
            Series::line("measured", shown().map(|p| (p.time, p.height))),
        ];
        let (x, y) = (Axis::linear("time, s"), Axis::linear("height of the centre of mass, m"));
        found.plots.push(Plot::Lines(Lines::new("Squats", x, y, series)));
    }
    let runs: Vec<Audited> = watched.into_iter().map(|(run, _)| run).collect();
    let steps: usize = runs.iter().map(|run| run.outcome.summary.steps).sum();
    found.figure(Figure::new("footsteps", "", steps as f64).at_most(0.0));
    found.figure(Figure::falls(&runs));
    Ok(found)
}

/// Height of the centre of mass over the soles with straight legs, m.
pub(super) fn tall(model: &Model) -> f64 {
    let mut data = Data::new(model);
    forward_kinematics(model, &mut data, &model.neutral());
    let sole = data.extent(model, &Vec3::z()).map_or(0.0, |[low, _]| low);
    data.center_of_mass(model).z - sole
}
