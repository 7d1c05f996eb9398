//! Styles of walking, and changes from each style to each other in the middle of a walk.
//!
//! One run per style: it begins in that style and changes to each of the others and back, so that all runs together hold every ordered
//! pair twice.

use super::watch::Pace;
use super::{cases, walk};
use crate::context::Context;
use crate::findings::{Figure, Findings, Table};
use crate::scenario::{ControllerPlan, Setting};
use crate::{Audited, LabError, Scenario};
use sinew_control::Style;
use sinew_control::features::{STYLES, WALKER};

/// Speed of all walks, m/s.
const SPEED: f64 = 0.8;
/// When the first change is made, s.
const WARM_UP: f64 = 4.0;

/// A walk that goes through styles, each held for a while.
fn walk_through(name: String, styles: &[&'static Style], hold: f64) -> Scenario {
    let changes = styles.iter().skip(1).enumerate();
    let settings = changes.map(|(k, style)| (WARM_UP + hold * k as f64, Setting::Style(style))).collect();
    let seconds = WARM_UP + hold * styles.len() as f64;
    let controller = ControllerPlan::new(&WALKER).with_style(styles[0]);
    Scenario { controller, settings, ..walk(name, SPEED, seconds) }
}

pub(super) fn styles(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let hold = context.pick(4.0, 2.0);
    let mut alone = Vec::new();
    let mut changing = Vec::new();
    for (k, style) in STYLES.iter().enumerate() {
        let controller = ControllerPlan::new(&WALKER).with_style(style);
        alone.push(Scenario { controller, ..walk(style.name, SPEED, context.pick(60.0, 8.0)) });
        let others = STYLES.iter().filter(|other| other.name != style.name);
        // quick: there and back with half of the others, so that every pair is tried once
        let some = others.cycle().skip(k).take(context.pick(STYLES.len() - 1, STYLES.len() / 2));
        let path: Vec<&'static Style> =
            std::iter::once(style).chain(some.flat_map(|other| [other, style])).collect();
        changing.push(walk_through(format!("{} and the others", style.name), &path, hold));
    }
    let watched = context.watch(&mut found, &cases(alone)?, |_| Pace::from(WARM_UP))?;
    let mut table = Table::new("styles", &["style", "speed, m/s", "footsteps per minute", "falls at, s"]);
    for (run, pace) in &watched {
        let (way, s) = (pace.velocity(), &run.outcome.summary);
        let error = 100.0 * (libm::hypot(way.x, way.y) / SPEED - 1.0);
        let name = &run.outcome.scenario;
        found.figure(Figure::new(format!("speed error, {name}"), "%", error).between(-10.0, 10.0));
        let rate = 60.0 * s.steps as f64 / s.seconds;
        table.row(name.clone(), &[libm::hypot(way.x, way.y), rate, s.fall_time.unwrap_or(f64::NAN)]);
    }
    found.tables.push(table);
    let alone: Vec<Audited> = watched.into_iter().map(|(run, _)| run).collect();
    found.figure(Figure { name: "falls, one style".to_owned(), ..Figure::falls(&alone) });
    let runs = context.play(&mut found, &cases(changing)?)?;
    let survived = |run: &Audited| {
        let up = run.outcome.summary.fall_time.unwrap_or(run.outcome.summary.seconds);
        ((up - WARM_UP) / hold).floor().max(0.0)
    };
    let asked = runs.len() as f64 * 2.0 * context.pick(STYLES.len() - 1, STYLES.len() / 2) as f64;
    let made: f64 = runs.iter().map(survived).map(|made| made.min(asked / runs.len() as f64)).sum();
    found.figure(
        Figure::new("changes survived", &format!("of {asked}"), made)
            .at_least(asked)
            .paper("interactive changes"),
    );
    found.figure(Figure { name: "falls, changing styles".to_owned(), ..Figure::falls(&runs) });
    found.note(format!(
        "All at {SPEED} m/s; a change sets all parameters at once, and a style is held for {hold} s."
    ));
    Ok(found)
}
