//! Standing and squatting.

use super::cases;
use super::watch::{Mass, Moment};
use crate::context::Context;
use crate::findings::{Figure, Findings};
use crate::plot::{Axis, Lines, Plot, Series};
use crate::{LabError, Scenario};
use sinew_control::features::Gait;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, forward_kinematics};

/// Time in which it settles after the beginning or a change, s.
const SETTLE: f64 = 2.0;

pub(super) fn balance(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let seconds = context.pick(10.0, 4.0);
    let cases = cases([Scenario { name: "standing".into(), seconds, ..Scenario::default() }])?;
    let watched = context.watch(&mut found, &cases, |case| Mass::of(&case.model))?;
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
    found.figure(Figure::falls(std::slice::from_ref(run)));
    let curve = mass.path.iter().step_by(20).map(|p| (p.time, 1e3 * p.off));
    let series = vec![Series::line("centre of mass", curve)];
    let (x, y) = (Axis::linear("time, s"), Axis::linear("from the middle of the feet, mm"));
    found
        .plots
        .push(Plot::Lines(Lines::new("Centre of mass while standing", x, y, series).level("bar", 5.0)));
    Ok(found)
}

/// Heights as shares of that with straight legs.
const SQUATS: [f64; 6] = [0.9, 0.8, 0.95, 0.75, 0.85, 0.7];

pub(super) fn squat(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let shares = &SQUATS[..context.pick(6, 2)];
    let hold = 4.0;
    let at = |k: usize| 1.0 + hold * k as f64;
    let gait = shares.iter().enumerate().map(|(k, share)| (at(k), "height", *share)).collect();
    let scenario = Scenario { name: "squats".into(), seconds: at(shares.len()), gait, ..Scenario::default() };
    let cases = cases([scenario])?;
    let tall = tall(&cases[0].model);
    let watched = context.watch(&mut found, &cases, |case| Mass::of(&case.model))?;
    let (run, mass) = &watched[0];
    let wanted = |time: f64| {
        let k = ((time - 1.0) / hold).floor();
        tall * if k < 0.0 { Gait::default().height } else { shares[(k as usize).min(shares.len() - 1)] }
    };
    let late = |time: f64| time > 1.0 && (time - 1.0) % hold > SETTLE;
    let mut worst = 0.0_f64;
    for (k, share) in shares.iter().enumerate() {
        let of = |p: &&Moment| p.time > at(k) && p.time < at(k + 1) && late(p.time);
        let errors = mass.path.iter().filter(of).map(|p| (p.height - wanted(p.time)).abs());
        let error = errors.fold(0.0, f64::max);
        found.figure(Figure::new(format!("height error at {:.0} %", 100.0 * share), "mm", 1e3 * error));
        worst = worst.max(error);
    }
    found.figure(Figure::new("height error, worst", "mm", 1e3 * worst).at_most(10.0).paper("shown"));
    found.figure(Figure::falls(std::slice::from_ref(run)));
    let shown = || mass.path.iter().step_by(50);
    let series = vec![
        Series::line("commanded", shown().map(|p| (p.time, wanted(p.time)))),
        Series::line("measured", shown().map(|p| (p.time, p.height))),
    ];
    let (x, y) = (Axis::linear("time, s"), Axis::linear("height of the centre of mass, m"));
    found.plots.push(Plot::Lines(Lines::new("Squats", x, y, series)));
    Ok(found)
}

/// Height of the centre of mass over the soles with straight legs, m.
fn tall(model: &Model) -> f64 {
    let mut data = Data::new(model);
    forward_kinematics(model, &mut data, &model.neutral());
    let sole = data.extent(model, &Vec3::z()).map_or(0.0, |[low, _]| low);
    data.center_of_mass(model).z - sole
}
