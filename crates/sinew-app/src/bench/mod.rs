//! `sinew bench`: how long the kernels and whole steps take on one core.

mod inputs;
mod kernels;
mod steps;
mod timing;

use crate::cli::BenchArgs;
use crate::inspect::table;
use crate::{Verdict, output};
use anyhow::{Result, ensure};
use comfy_table::CellAlignment;
use inputs::Inputs;
use sinew::dynamics::{Role, Side};
use timing::Samples;

/// One timed kernel.
struct Row {
    name: &'static str,
    samples: Samples,
}

/// The verb.
pub(crate) fn run(args: &BenchArgs) -> Result<Verdict> {
    ensure!(args.budget > 0.0 && args.budget <= 3600.0, "--budget must be between 0 and 3600 seconds");
    for name in &args.only {
        let names = [&kernels::NAMES[..], &steps::NAMES].concat();
        ensure!(names.contains(&name.as_str()), "no kernel `{name}`; known are {}", names.join(", "));
    }
    let inputs = Inputs::load(args.seed)?;
    let feet = Side::BOTH.map(|side| inputs.model.role(Role::Foot(side)));
    ensure!(feet.iter().all(Option::is_some), "the model has no two feet to hold");
    // the numbers must be right before they are timed
    if let Some(problem) = inputs.disagreement() {
        eprintln!("error: {problem}");
        return Ok(Verdict::CheckFailed);
    }
    let mut rows = kernels::time_all(&inputs, &args.only, args.budget);
    rows.extend(steps::time_all(&inputs.model, &args.only, args.budget, args.seed)?);
    let text = if args.json { lines(&rows)? } else { report(&rows, &inputs) };
    output::emit(args.out.as_deref(), &text)?;
    Ok(Verdict::Good)
}

/// One JSON object per line.
fn lines(rows: &[Row]) -> Result<String> {
    let mut out = String::new();
    for row in rows {
        out += &serde_json::to_string(&row.samples.line("sinew", row.name))?;
        out.push('\n');
    }
    Ok(out)
}

fn report(rows: &[Row], inputs: &Inputs) -> String {
    let mut table = table(&["kernel", "median µs", "p10", "p90", "least", "samples"]);
    for row in rows {
        let s = &row.samples;
        let us = |p| format!("{:.3}", s.quantile(p));
        table.add_row([row.name.to_owned(), us(0.5), us(0.1), us(0.9), us(0.0), s.len().to_string()]);
    }
    for column in 1..6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let model = &inputs.model;
    let table = table.trim_fmt();
    format!("{}, {} degrees of freedom, {}, one core\n\n{table}\n", model.name(), model.nv(), inputs.about)
}
