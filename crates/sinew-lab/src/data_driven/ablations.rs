//! Ablations: the number of steps until the fall without each rule.

use super::{cases, walks, with};
use crate::context::Context;
use crate::findings::{Figure, Findings, Table, short};
use crate::{LabError, Scenario};
use sinew_control::Value;

/// Rule, its parameter, and what the paper says.
const RULES: [(&str, &str, &str); 6] = [
    ("synchronisation", "rules.sync", "3 to 6"),
    ("stance hip", "rules.stance_hip_rule", "2 to 4"),
    ("swing hip", "rules.swing_hip_rule", "6 to 10"),
    ("stance ankle", "rules.ankle_rule", "some go on"),
    ("swing height", "rules.height_rule", "some go on"),
    ("foot angle", "rules.foot_rule", ""),
];

pub(super) fn ablations(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let walks = walks(context, &mut found);
    let seconds = context.pick(20.0, 8.0);
    let mut table = Table::new("steps to the fall", &["without"]);
    table.columns.extend(walks.iter().map(|w| w.name.to_owned()));
    for (rule, path, paper) in RULES {
        let scenario = |w: &super::Walk| {
            let scenario = with(w.scenario(seconds), path, Value::Flag(false));
            Scenario { name: format!("{} without {rule}", w.name), ..scenario }
        };
        let runs = context.play(&mut found, &cases(walks.iter().map(scenario))?)?;
        let mut row = vec![rule.to_owned()];
        let mut fallen = Vec::new();
        for run in &runs {
            let summary = &run.outcome.summary;
            let fell = summary.fell == Some(true);
            row.push(if fell { short(summary.steps as f64) } else { "goes on".to_owned() });
            fallen.extend(fell.then_some(summary.steps as f64));
        }
        fallen.sort_by(f64::total_cmp);
        let median = fallen.get(fallen.len() / 2).copied().unwrap_or(f64::NAN);
        found.figure(Figure::new(
            format!("falls without {rule}"),
            &format!("of {}", runs.len()),
            fallen.len() as f64,
        ));
        found.figure(
            Figure::new(format!("steps to the fall without {rule}, median"), "", median).paper(paper),
        );
        table.rows.push(row);
    }
    found.tables.push(table);
    found.note(format!("A walk that is still up after {seconds} s counts as going on."));
    Ok(found)
}
