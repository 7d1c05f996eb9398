//! Walks, variants of one clip, starts and stops; half the rate.

use super::{cases, follow, motions, with};
use crate::LabError;
use crate::context::Context;
use crate::features::watch::Pace;
use crate::findings::{Figure, Findings};
use sinew_control::Value;

/// Variants: what, parameters.
const VARIANTS: [(&str, &[(&str, f64)]); 7] = [
    ("as captured", &[]),
    ("played at 0.8", &[("making.speed", 0.8)]),
    ("played at 0.9", &[("making.speed", 0.9)]),
    ("played at 1.1", &[("making.speed", 1.1)]),
    ("played at 1.2", &[("making.speed", 1.2)]),
    ("steps shorter by a fifth", &[("making.stride", 0.8)]),
    ("steps longer by a fifth", &[("making.stride", 1.2)]),
];

pub(super) fn walks(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let motions = motions(context, &mut found);
    let seconds = context.pick(30.0, 4.0);
    let variants = context.pick(&VARIANTS[..], &VARIANTS[..2]);
    let walks = variants.iter().map(|(what, values)| {
        let base = follow(*what, &motions.walk, seconds);
        values.iter().fold(base, |scenario, (path, value)| with(scenario, path, *value))
    });
    let watched = context.watch(&mut found, &cases(walks)?, |_| Pace::from(2.0))?;
    for (run, pace) in &watched {
        let (name, up) = (&run.outcome.scenario, &run.outcome.summary);
        let stood = Figure::new(format!("{name}: up"), "s", up.fall_time.unwrap_or(seconds));
        found.figure(stood.at_least(seconds).paper("stays up"));
        let way = pace.velocity();
        found.figure(Figure::new(format!("{name}: speed"), "m/s", libm::hypot(way.x, way.y)));
    }
    // through the clip and on, standing as it ends
    let seconds = context.pick(20.0, 5.0);
    let once = motions.once.iter().map(|clip| {
        let name = clip.file_stem().map_or("once".into(), |stem| stem.to_string_lossy().into_owned());
        let scenario =
            with(follow(format!("{name}, once"), clip, seconds), "making.play", Value::Name("once".into()));
        with(scenario, "making.choose", Value::Flag(true))
    });
    for run in context.play(&mut found, &cases(once)?)? {
        let (name, up) = (&run.outcome.scenario, &run.outcome.summary);
        let figure =
            Figure::new(format!("{name}: up, standing after its end"), "s", up.fall_time.unwrap_or(seconds));
        found.figure(figure.at_least(seconds).paper("start, stop, stand"));
    }
    Ok(found)
}

pub(super) fn rates(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let motions = motions(context, &mut found);
    let seconds = context.pick(20.0, 3.0);
    let mut scenarios = Vec::new();
    for law in ["nqr", "lqr"] {
        for gamma in context.pick(&[3e-3, 2e-2][..], &[3e-3][..]) {
            for turn in context.pick(&[0.0, 45.0][..], &[0.0][..]) {
                let base = follow(format!("{law}, γ {gamma}, turn {turn}°"), &motions.walk, seconds);
                let base = with(with(base, "track.law", Value::Name(law.to_owned())), "track.gamma", *gamma);
                scenarios.push(with(with(base, "making.turn", *turn), "making.half", Value::Flag(true)));
            }
        }
    }
    let runs = context.play(&mut found, &cases(scenarios)?)?;
    let up = |law: &str, turn: &str| {
        let of =
            runs.iter().filter(|r| r.outcome.scenario.starts_with(law) && r.outcome.scenario.ends_with(turn));
        of.map(|r| r.outcome.summary.fall_time.unwrap_or(seconds)).fold(f64::NAN, f64::max)
    };
    let best = Figure::new("nonlinear law, straight: longest up", "s", up("nqr", "turn 0°"));
    found.figure(best.at_least(seconds).paper("walks straight"));
    found.figure(
        Figure::new("linear law, straight: longest up", "s", up("lqr", "turn 0°")).paper("diverges quickly"),
    );
    found.figure(
        Figure::new("nonlinear law, circle: longest up", "s", up("nqr", "turn 45°")).paper("no turns"),
    );
    Ok(found)
}
