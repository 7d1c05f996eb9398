//! `sinew lab`: the registry of experiments, their results, and the page.

mod pictures;

use crate::cli::{LabArgs, LabListArgs, LabReportArgs, LabRunArgs, LabVerb};
use crate::inspect::table;
use crate::progress::{Bar, Shown};
use crate::{Verdict, output};
use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use sinew::lab::context::{Context, Progress};
use sinew::lab::experiment::{self, Experiment};
use sinew::lab::findings;
use sinew::lab::report;
use sinew::lab::results::Results;
use sinew::solve::sweep;

/// The verb.
pub(crate) fn run(args: &LabArgs) -> Result<Verdict> {
    match &args.verb {
        LabVerb::List(args) => list(args),
        LabVerb::Run(args) => experiments(args),
        LabVerb::Report(args) => page(args),
        LabVerb::Pictures(args) => pictures::run(args),
    }
}

fn list(args: &LabListArgs) -> Result<Verdict> {
    let everything = vec!["*".to_owned()];
    let chosen = experiment::select(if args.ids.is_empty() { &everything } else { &args.ids })?;
    let text = if args.json {
        let entry = |e: &&Experiment| json!({"id": e.id, "title": e.title, "paper": e.paper, "source": e.source, "bar": e.bar, "cost": e.cost.word()});
        output::json(&chosen.iter().map(entry).collect::<Vec<Value>>())?
    } else {
        let mut table = table(&["experiment", "takes", "what", "passes when"]);
        for e in &chosen {
            table.add_row([e.id, e.cost.word(), e.title, e.bar]);
        }
        format!("{table}\n")
    };
    output::print(&text)?;
    Ok(Verdict::Good)
}

fn experiments(args: &LabRunArgs) -> Result<Verdict> {
    let chosen = experiment::select(&args.ids)?;
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot create the folder `{}`", args.out.display()))?;
    let (mut all, mut verdict) = (Vec::new(), Verdict::Good);
    for experiment in chosen {
        let shown = if args.progress { Shown::Always } else { Shown::OnTerminal };
        let bar = Bar::new(experiment.id, shown);
        let show = |progress: Progress| bar.show(progress.done, progress.total);
        let context = Context {
            seed: args.seed,
            quick: args.quick,
            characters: args.runs.characters.clone(),
            mocap: args.mocap.clone(),
            recordings: args.runs.recordings.then(|| (args.out.clone(), experiment.id.to_owned())),
            progress: &show,
        };
        let results = sweep::with_threads(args.threads, || Results::of(experiment, &context));
        drop(bar);
        results.save(&args.out)?;
        if results.verdict == findings::Verdict::Failed {
            verdict = Verdict::CheckFailed;
        }
        if args.runs.json {
            all.push(results);
        } else {
            output::print(&described(&results))?;
        }
    }
    if args.runs.json {
        output::print(&output::json(&all)?)?;
    } else {
        output::print(&format!(
            "Results are in `{0}`; `sinew lab report --from {0}` makes a page of them.\n",
            args.out.display()
        ))?;
    }
    Ok(verdict)
}

/// An experiment's figures.
fn described(results: &Results) -> String {
    let found = &results.findings;
    let mut text = format!("{}: {} – {}\n", results.experiment, results.title, results.verdict.word());
    let reason = found.skipped.as_ref().or(found.error.as_ref());
    reason.into_iter().for_each(|why| text += &format!("{why}\n"));
    if !found.figures.is_empty() {
        let mut table = table(&["figure", "paper", "ours", "bar", "verdict"]);
        for f in &found.figures {
            let bar = f.bar.map_or("–".to_owned(), |bar| bar.to_string());
            let paper = f.paper.clone().unwrap_or("–".to_owned());
            table.add_row([f.name.clone(), paper, f.shown(), bar, f.verdict().word().to_owned()]);
        }
        text += &format!("{table}\n");
    }
    found.broken.iter().for_each(|run| text += &format!("the audit fails: {run}\n"));
    text + "\n"
}

fn page(args: &LabReportArgs) -> Result<Verdict> {
    let from = args.from.display();
    let results = Results::load(&args.from)
        .with_context(|| format!("there are no results in `{from}`; `sinew lab run` makes them"))?;
    ensure!(!results.is_empty(), "there are no results in `{from}`; `sinew lab run` makes them");
    output::write_whole(output::target(&args.out, &["html"])?, report::html(&results).as_bytes())?;
    let count = |verdict| results.iter().filter(|r| r.verdict == verdict).count();
    let (passed, failed) = (count(findings::Verdict::Passed), count(findings::Verdict::Failed));
    let text = if args.json {
        let entry = |r: &Results| json!({"experiment": r.experiment, "verdict": r.verdict, "quick": r.quick});
        let entries: Vec<Value> = results.iter().map(entry).collect();
        output::json(&json!({"page": args.out, "passed": passed, "failed": failed, "experiments": entries}))?
    } else {
        let (total, out) = (results.len(), args.out.display());
        format!("{total} experiments, {passed} passed, {failed} failed: `{out}`\n")
    };
    output::print(&text)?;
    Ok(Verdict::Good)
}
