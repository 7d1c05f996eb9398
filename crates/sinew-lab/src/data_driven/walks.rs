//! The walks of the paper's figure 5.

use super::{cases, pace, walks as all, with};
use crate::context::Context;
use crate::findings::{Figure, Findings, Table, short};
use crate::{LabError, Scenario};
use sinew_control::Value;
use sinew_control::data_driven::DATA_DRIVEN;

pub(super) fn walks(context: &Context<'_>) -> Result<Findings, LabError> {
    let mut found = Findings::default();
    let walks = all(context, &mut found);
    let seconds = context.pick(60.0, 15.0);
    let speeds = walks.iter().map(super::Walk::speed).collect::<Result<Vec<f64>, _>>()?;
    let mut table = Table::new("walks", &["walk", "gains", "up, s", "steps", "speed, m/s", "of the clip's"]);

    let default: Vec<Scenario> = walks.iter().map(|w| w.scenario(seconds)).collect();
    let rows = walks.iter().map(|w| {
        let mut scenario = w.scenario(seconds);
        scenario.controller.style = DATA_DRIVEN.style(w.row);
        Scenario { name: format!("{}, the paper's gains", w.name), ..scenario }
    });
    let scenarios: Vec<Scenario> = default.into_iter().chain(rows).collect();
    let watched = context.watch(&mut found, &cases(scenarios)?, pace)?;
    for (k, (run, pace)) in watched.iter().enumerate() {
        let (walk, speed) = (&walks[k % walks.len()], speeds[k % walks.len()]);
        let summary = &run.outcome.summary;
        let up = summary.fall_time.unwrap_or(summary.seconds);
        let way = pace.velocity();
        let ratio = libm::hypot(way.x, way.y) / speed;
        let ours = k < walks.len();
        let gains = if ours { "one set" } else { walk.row };
        let row = [walk.name, gains].map(str::to_owned).into_iter();
        let figures = [up, summary.steps as f64, ratio * speed, ratio].map(short);
        table.rows.push(row.chain(figures).collect());
        if ours {
            found.figure(Figure::new(format!("{}, up", walk.name), "s", up).at_least(seconds).paper("walks"));
            let name = format!("{}, speed over the clip's", walk.name);
            found.figure(Figure::new(name, "", ratio).between(0.9, 1.1));
        } else {
            found.figure(Figure::new(format!("{}, up with the paper's gains", walk.name), "s", up));
        }
    }
    let once = walks.iter().map(|w| {
        let scenario = with(w.scenario(12.0), "setup.repeat", Value::Flag(false));
        Scenario { name: format!("{}, once", w.name), ..scenario }
    });
    let mut standing = 0;
    for run in context.play(&mut found, &cases(once)?)? {
        standing += usize::from(run.outcome.summary.fell == Some(false));
    }
    let name = "clips played once, from standing to standing, that stand at the end";
    let figure = Figure::new(name, &format!("of {}", walks.len()), standing as f64);
    found.figure(figure.at_least(walks.len() as f64).paper("all"));
    found.tables.push(table);
    Ok(found)
}
