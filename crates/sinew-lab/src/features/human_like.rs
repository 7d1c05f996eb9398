//! Whether a walk looks like a person's.

use super::{walk, walker};
use crate::audited::run_audited;
use crate::context::{Case, Context};
use crate::findings::{Figure, Findings};
use crate::plot::{Axis, Lines, Plot, Series};
use crate::run::recorded;
use crate::walking::{Likeness, Signals, detrended};
use crate::{Audited, LabError, Scenario};
use sinew_control::features::Gait;
use std::sync::Arc;

const WARM_UP: f64 = 5.0;

pub(super) fn human_like(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let speeds: &[f64] = context.pick(&[0.8, 1.2], &[1.2]);
    let seconds = context.pick(25.0, 9.0);
    let walked = context.map(speeds, |speed| {
        let scenario = walk(format!("{speed} m/s"), *speed, seconds);
        let model = scenario.built_in()?;
        let run = run_audited(&scenario, Arc::clone(&model), &mut ())?;
        let signals = Signals::of(&recorded(&scenario, model)?, WARM_UP);
        Ok((run, signals.unwrap_or_default()))
    })?;
    let runs: Vec<Audited> = walked.iter().map(|(run, _)| run.clone()).collect();
    found.count(&runs);
    for ((run, signals), speed) in walked.iter().zip(speeds) {
        judge(&mut found, &signals.likeness(), run, *speed);
    }
    if let Some((_, signals)) = walked.last() {
        found.plots.extend(swing_plots(signals));
    }
    found.figure(Figure::falls(&runs));
    if !context.quick {
        emerging(context, &mut found)?;
    }
    Ok(found)
}

/// What arms and shoulders do when nothing but angular momentum and a loose pose moves them, as in the paper: told, not judged.
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
    let controller = walker(&gait);
    let scenario = Scenario { controller, ..walk("left to angular momentum", 1.0, 25.0) };
    let case = Case::built_in(scenario)?;
    context.play(found, std::slice::from_ref(&case))?;
    let l = Signals::of(&recorded(&case.scenario, case.model)?, WARM_UP).unwrap_or_default().likeness();
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

fn judge(found: &mut Findings, l: &Likeness, run: &Audited, speed: f64) {
    let at = |name: &str| format!("{name}, {speed} m/s");
    found.figure(
        Figure::new(at("arm against leg of its side, correlation"), "", l.arm_leg)
            .at_most(-0.8)
            .paper("arms swing"),
    );
    found.figure(
        Figure::new(at("arm with the opposite leg, correlation"), "", l.arm_opposite_leg)
            .at_least(0.8)
            .paper("arms swing"),
    );
    found.figure(Figure::new(at("arm swing, end to end"), "°", l.arm_swing_deg).between(10.0, 60.0));
    found.figure(
        Figure::new(at("shoulders with hips, correlation"), "", l.girdles)
            .at_most(0.0)
            .paper("counter-rotation emerges"),
    );
    found.figure(
        Figure::new(at("stances in which the heel leaves first"), "%", 100.0 * l.heel_first).at_least(100.0),
    );
    found.figure(Figure::new(at("heel-off before toe-off, mean"), "s", l.heel_lead_s));
    found.figure(Figure::new(at("knee flexion in swing"), "°", l.knee_deg).at_least(40.0));
    found.figure(
        Figure::new(at("skate, worst stance"), "mm", run.outcome.summary.skate_worst_mm).at_most(5.0),
    );
    found.figure(Figure::new(at("torque power above 30 Hz"), "%", 100.0 * l.fast_torque).at_most(5.0));
}

/// Limbs and knees over the last three seconds.
fn swing_plots(s: &Signals) -> Vec<Plot> {
    let last = s.leg[0].len().saturating_sub((3.0 / s.dt) as usize);
    let curve = |name: &str, series: &[f64]| {
        let part = series.iter().enumerate().skip(last).step_by(10);
        Series::line(name, part.map(|(k, x)| ((k - last) as f64 * s.dt, x.to_degrees())))
    };
    let plot = |title: &str, y: &str, series: Vec<Series>| {
        Plot::Lines(Lines::new(title, Axis::linear("time, s"), Axis::linear(y), series))
    };
    let girdles = [detrended(&s.pelvis), detrended(&s.trunk)];
    vec![
        plot("Left arm and leg", "forward, °", vec![curve("arm", &s.arm[0]), curve("leg", &s.leg[0])]),
        plot("Knees", "flexion, °", vec![curve("left", &s.knee[0]), curve("right", &s.knee[1])]),
        plot(
            "Hips and shoulders",
            "turn, °",
            vec![curve("hips", &girdles[0]), curve("shoulders", &girdles[1])],
        ),
    ]
}
