//! Ledges and stairs that are not in the plan.

use super::basins::descent;
use super::{cases, follow, motions, with};
use crate::LabError;
use crate::context::Context;
use crate::findings::{Figure, Findings, Table, short};
use crate::scenario::{GroundPlan, Scenario};

/// Heights, cm.
const HEIGHTS: [i32; 6] = [-4, -3, -2, 2, 3, 4];

/// One ledge: level, then permanently higher or lower.
fn ledge(cm: i32, start: f64) -> GroundPlan {
    GroundPlan::Stairs { start, run: 0.3, rise: 0.01 * f64::from(cm), steps: 1, friction: 1.0 }
}

pub(super) fn ledges(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let motions = motions(context, &mut found);
    let seconds = context.pick(12.0, 5.0);
    let walk = follow("walk", &motions.walk, seconds);
    let heights = context.pick(&HEIGHTS[..], &HEIGHTS[2..4]);
    let phases = context.pick(8, 2);
    let phased = |scenario: Scenario, k: usize| with(scenario, "track.phase", k as f64 / phases as f64);
    let rules = [("30/12", None), ("no phase rule", Some(0.0))];
    let mut table = Table::new("ledges", &["ground", "rule", "cm", "survived", "of"]);
    let mut tries: Vec<(String, &str, i32, Vec<Scenario>)> = Vec::new();
    for (rule, window) in rules {
        let base =
            window.map_or(walk.clone(), |w| with(with(walk.clone(), "track.early", w), "track.late", w));
        for cm in heights {
            let once = |k| Scenario {
                name: format!("one of {cm} cm, {rule}"),
                ground: ledge(*cm, 1.5),
                ..phased(base.clone(), k)
            };
            tries.push(("one ledge".to_owned(), rule, *cm, (0..phases).map(once).collect()));
            let every = descent(&walk, -0.01 * f64::from(*cm))?;
            let again = |k| Scenario {
                name: format!("{cm} cm in every cycle, {rule}"),
                ground: every.clone(),
                ..phased(base.clone(), k)
            };
            tries.push(("in every cycle".to_owned(), rule, *cm, (0..phases).map(again).collect()));
        }
        let stairs = GroundPlan::Stairs { start: 1.5, run: 0.6, rise: -0.06, steps: 20, friction: 1.0 };
        let down = |k| Scenario {
            name: format!("stairs of 6 cm, {rule}"),
            ground: stairs.clone(),
            ..phased(base.clone(), k)
        };
        tries.push(("stairs down".to_owned(), rule, -6, (0..phases).map(down).collect()));
    }
    if let Some(run) = &motions.run {
        let base = follow("run", run, seconds);
        for cm in heights {
            let once = |k| Scenario {
                name: format!("run, {cm} cm"),
                ground: ledge(*cm, 3.0),
                ..phased(base.clone(), k)
            };
            tries.push(("run, one ledge".to_owned(), "30/12", *cm, (0..phases).map(once).collect()));
        }
    }
    for (ground, rule, cm, scenarios) in tries {
        let runs = context.play(&mut found, &cases(scenarios)?)?;
        let stood = runs.iter().filter(|run| run.failure().is_none()).count();
        let row = [ground.clone(), rule.to_owned()].into_iter();
        table.rows.push(row.chain([f64::from(cm), stood as f64, phases as f64].map(short)).collect());
        let figure = Figure::new(
            format!("{ground}, {cm} cm, {rule}: survived"),
            &format!("of {phases}"),
            stood as f64,
        );
        let must = rule == "30/12" && (ground == "one ledge" || (ground == "in every cycle" && cm == -2));
        found.figure(if must { figure.at_least(phases as f64) } else { figure });
    }
    found.tables.push(table);
    Ok(found)
}
