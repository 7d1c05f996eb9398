//! `sinew bench`: how long the kernels and whole steps take on one core.

mod contact;
mod horizon;
mod inputs;
mod kernels;
mod motion;
mod programs;
mod steps;
mod timing;
mod whole_body;

use crate::cli::BenchArgs;
use crate::inspect::table;
use crate::progress::{Bar, Shown};
use crate::{Verdict, output, source};
use anyhow::{Result, ensure};
use comfy_table::CellAlignment;
use inputs::Inputs;
use sinew::dynamics::{JointKind, Role, Side};
use timing::Samples;

/// Greatest size of a file of states or problems.
const MOST: u64 = 256 << 20;

/// One timed kernel.
struct Row {
    name: &'static str,
    samples: Samples,
}

/// The rows of each suite, in the order of the table.
const SUITES: [(&str, &[&str]); 7] = [
    ("dynamics", &kernels::NAMES),
    ("qp", &programs::QP),
    ("hqp", &programs::HQP),
    ("riccati", &horizon::NAMES),
    ("lcp", &contact::NAMES),
    ("motion", &motion::NAMES),
    ("step", &steps::NAMES),
];

/// The verb.
pub(crate) fn run(args: &BenchArgs) -> Result<Verdict> {
    ensure!(args.budget > 0.0 && args.budget <= 3600.0, "--budget must be between 0 and 3600 seconds");
    for name in &args.only {
        let known = SUITES.iter().flat_map(|(suite, names)| [suite].into_iter().chain(*names));
        let mut known = known.copied();
        ensure!(known.clone().any(|k| k == name), "no kernel or suite `{name}`; known are {}", {
            let first = known.next().unwrap_or_default().to_owned();
            known.fold(first, |list, k| list + ", " + k)
        });
    }
    // by its own name, by that of its suite, or without --only
    let asked = |suite: &str, name: &str| {
        args.only.is_empty() || args.only.iter().any(|only| only == suite || only == name)
    };
    let mut about = Vec::new();
    let mut rows = Vec::new();
    let wanted = SUITES.iter().map(|(suite, names)| names.iter().filter(|name| asked(suite, name)).count());
    let (bar, total) = (Bar::new("timing", Shown::OnTerminal), wanted.sum());
    bar.show(0, total);
    if kernels::NAMES.iter().any(|name| asked("dynamics", name)) {
        let inputs = Inputs::load(args.seed)?;
        let feet = Side::BOTH.map(|side| inputs.model.role(Role::Foot(side)));
        ensure!(feet.iter().all(Option::is_some), "the model has no two feet to hold");
        // the numbers must be right before they are timed
        if let Some(problem) = inputs.disagreement() {
            eprintln!("error: {problem}");
            return Ok(Verdict::CheckFailed);
        }
        rows.extend(kernels::time_all(&inputs, |name| asked("dynamics", name), args.budget));
        bar.show(rows.len(), total);
        let model = &inputs.model;
        about.push(format!("{}, {} degrees of freedom, {}", model.name(), model.nv(), inputs.about));
    }
    let programs = [("qp", programs::QP.as_slice()), ("hqp", &programs::HQP)];
    if programs.iter().any(|(suite, names)| names.iter().any(|name| asked(suite, name))) {
        let (problems, source) = whole_body::load(args.seed)?;
        rows.extend(programs::time_qp(&problems, |name| asked("qp", name))?);
        rows.extend(programs::time_hqp(&problems, |name| asked("hqp", name))?);
        bar.show(rows.len(), total);
        about.push(format!("{} whole-body quadratic programs, {source}", problems.len()));
    }
    rows.extend(horizon::time_all(args.seed, args.budget, |name| asked("riccati", name))?);
    rows.extend(contact::time_all(args.seed, args.budget, |name| asked("lcp", name))?);
    rows.extend(motion::time_all(args.budget, |name| asked("motion", name))?);
    bar.show(rows.len(), total);
    if steps::NAMES.iter().any(|name| asked("step", name)) {
        let model = match &args.model {
            Some(named) => source::load_plain(named)?.model,
            None => Inputs::load(args.seed)?.model,
        };
        let free = model.joints().first().is_some_and(|joint| joint.kind == JointKind::Free);
        ensure!(
            free,
            "steps need a body with a free root: the first joint of `{}` must be free",
            model.name()
        );
        rows.extend(steps::time_all(&model, |name| asked("step", name), args.budget, args.seed)?);
        about.push(format!("steps of 1 ms with {}", model.name()));
    }
    drop(bar);
    let text = if args.json { lines(&rows)? } else { report(&rows, &about) };
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

fn report(rows: &[Row], about: &[String]) -> String {
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
    let (table, about) = (table.trim_fmt(), about.join("; "));
    let about = if about.is_empty() { about } else { about + ", " };
    format!("{about}one core\n\n{table}\n")
}
