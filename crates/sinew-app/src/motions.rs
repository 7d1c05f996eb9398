//! `sinew motions`: the built-in motions and their figures on a character.

use crate::cli::MotionsArgs;
use crate::inspect::table;
use crate::{Verdict, output, source};
use anyhow::{Context, Result};
use comfy_table::CellAlignment;
use serde::Serialize;
use sinew::motion::estimate::estimate;
use sinew::motion::export::recording;
use sinew::motion::{Travel, motions};
use std::sync::Arc;

/// A motion on a character.
#[derive(Serialize)]
struct Row {
    name: String,
    about: String,
    seconds: f64,
    speed_mps: f64,
    turn_deg: f64,
    /// Of the weight; null for motions without the ground.
    residual: Option<f64>,
}

/// The verb.
pub(crate) fn run(args: &MotionsArgs) -> Result<Verdict> {
    let model = Arc::new(source::load_plain(&args.character)?.model);
    let names: Vec<&str> = match &args.motion {
        Some(name) => vec![name],
        None => motions::names().collect(),
    };
    let mut rows = Vec::new();
    for name in names {
        let clip = motions::load(name, &model).with_context(|| format!("{name} on {}", model.name()))?;
        let way = Travel::between(&model, clip.frame(0), clip.frame(clip.len() - 1));
        let stands =
            clip.contacts.as_ref().is_some_and(|c| c.heel.iter().chain(&c.toe).flatten().any(|d| *d));
        rows.push(Row {
            name: name.into(),
            about: motions::about(name).unwrap_or_default(),
            seconds: clip.duration(),
            speed_mps: way.shift.norm() / clip.duration(),
            turn_deg: way.yaw.to_degrees(),
            residual: stands.then(|| estimate(&clip, &Default::default()).residual_force),
        });
        if let Some(path) = &args.out {
            recording::save(output::target(path, &["npz"])?, &clip)
                .with_context(|| format!("cannot write `{}`", path.display()))?;
        }
    }
    if args.json {
        output::print(&output::json(&rows)?)?;
        return Ok(Verdict::Good);
    }
    let mut table = table(&["motion", "s", "m/s", "turn °", "residual", ""]);
    for row in &rows {
        table.add_row([
            row.name.clone(),
            format!("{:.2}", row.seconds),
            format!("{:.2}", row.speed_mps),
            format!("{:.0}", row.turn_deg.round() + 0.0),
            row.residual.map_or("–".into(), |r| format!("{r:.2}")),
            row.about.clone(),
        ]);
    }
    for column in table.column_iter_mut().skip(1).take(4) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    output::print(&format!("{table}\n"))?;
    if let Some(path) = &args.out {
        output::print(&format!("\nwritten to {}\n", path.display()))?;
    }
    Ok(Verdict::Good)
}
