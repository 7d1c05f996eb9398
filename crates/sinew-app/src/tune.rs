//! `sinew tune`: gains for a scenario, by search.

use crate::cli::TuneArgs;
use crate::progress::{Bar, Shown};
use crate::{Verdict, output, simulate, source};
use anyhow::{Context, Result, ensure};
use serde_json::json;
use sinew::lab::tune::{Plan, Record, Tuned, tune};
use sinew::solve::sweep;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The verb.
pub(crate) fn run(args: &TuneArgs) -> Result<Verdict> {
    ensure!(args.trials > 0, "--trials must be 1 or more");
    ensure!(args.push >= 0.0 && args.push.is_finite(), "--push must be 0 or more");
    let scenario = simulate::read(&args.scenario)?;
    let (model, _) = source::load_standing(&scenario.character)?;
    let (runs, push) = (args.runs as usize, args.push);
    let plan = Plan {
        group: args.group.clone(),
        trials: args.trials,
        runs,
        push,
        seed: args.seed,
        ..Plan::new(scenario)
    };
    let beside = record_of(&args.out);
    let mut record = load(&beside)?;
    let bar = Bar::new("tune", Shown::OnTerminal);
    let mut failed = None;
    let mut keep = |record: &Record, _best: f64| {
        bar.show(record.scores.len().min(args.trials), args.trials);
        let kept = output::json(record).and_then(|text| output::write_whole(&beside, text.as_bytes()));
        failed = kept.err();
        failed.is_none()
    };
    let found = sweep::with_threads(args.threads, || tune(&plan, &Arc::new(model), &mut record, &mut keep))?;
    drop(bar);
    if let Some(error) = failed {
        return Err(error).context("cannot write the record of the search");
    }
    output::write_whole(&args.out, found.scenario.to_toml().as_bytes())?;
    output::print(&if args.json { as_json(&found, args)? } else { text(&found, args) })?;
    Ok(Verdict::Good)
}

/// The file with the record of a search.
fn record_of(out: &Path) -> PathBuf {
    PathBuf::from(format!("{}.search.json", out.display()))
}

/// The record of an earlier search, or an empty one.
fn load(path: &Path) -> Result<Record> {
    if !path.exists() {
        return Ok(Record::default());
    }
    let none = || format!("`{}` is not the record of a search; delete it to begin a new one", path.display());
    serde_json::from_str(&source::text(path)?).with_context(none)
}

fn as_json(found: &Tuned, args: &TuneArgs) -> Result<String> {
    let gains: serde_json::Map<String, serde_json::Value> =
        found.gains.iter().map(|(path, x)| (path.clone(), json!(x))).collect();
    output::json(&json!({
        "file": args.out.display().to_string(), "trials": found.trials, "gains": gains, "runs": found.runs,
        "score_before": found.scores[0], "score": found.scores[1], "up_before": found.up[0], "up": found.up[1],
    }))
}

fn text(found: &Tuned, args: &TuneArgs) -> String {
    let [before, after] = found.scores;
    let mut text = format!(
        "{} trials; on {} held-back runs: {} stay up, {} before; score {after:.3}, {before:.3} before\n",
        found.trials, found.runs, found.up[1], found.up[0]
    );
    found.gains.iter().for_each(|(path, x)| text += &format!("  {path} = {x}\n"));
    text + &format!("written to {}; `sinew simulate {0}` plays it\n", args.out.display())
}
