//! The registry: names, documentation, choosing, and experiments small enough for a test.

use sinew_lab::LabError;
use sinew_lab::context::Context;
use sinew_lab::experiment::{Cost, Experiment, all, select};
use sinew_lab::findings::{Findings, Verdict};
use sinew_lab::results::Results;
use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../../../docs/lab.md");

#[test]
fn every_experiment_has_a_name_of_its_own_and_is_documented() {
    let ids: BTreeSet<&str> = all().iter().map(|e| e.id).collect();
    assert_eq!(ids.len(), all().len(), "two experiments have one name");
    for e in all() {
        let (system, name) = e.id.split_once('.').expect("system.name");
        let plain =
            |text: &str| text.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit());
        assert!(plain(&system.replace('-', "")) && plain(name) && !name.is_empty(), "{}", e.id);
        assert!(!e.title.is_empty() && !e.bar.is_empty() && !e.source.is_empty(), "{}", e.id);
        assert!(PAGE.contains(&format!("`{}`", e.id)), "docs/lab.md does not name {}", e.id);
    }
}

#[test]
fn experiments_are_chosen_by_names_and_patterns() {
    let ids =
        |patterns: &[&str]| select(patterns).map(|chosen| chosen.iter().map(|e| e.id).collect::<Vec<_>>());
    assert_eq!(ids(&["*"]).unwrap().len(), all().len());
    // in the order of the registry, each once
    let two = ids(&["features.walk", "features.bal*", "features.walk"]).unwrap();
    assert_eq!(two, ["features.balance", "features.walk"]);
    assert_eq!(
        ids(&["walk"]).unwrap_err().to_string(),
        "there is no experiment `walk`; did you mean `features.walk`?"
    );
    let far = ids(&["features.walk", "zeppelin"]).unwrap_err().to_string();
    assert_eq!(far, "there is no experiment `zeppelin`; `sinew lab list` shows all");
}

#[test]
fn small_experiments_pass() {
    let context = Context { quick: true, ..Context::default() };
    for (id, verdict) in [
        ("features.balance", Verdict::Passed),
        ("features.solver", Verdict::Passed),
        ("features.precision", Verdict::Skipped),
    ] {
        let results = Results::of(select(&[id]).unwrap()[0], &context);
        assert_eq!(results.verdict, verdict, "{results:?}");
        assert_eq!(results.command, format!("sinew lab run {id} --quick"));
    }
}

#[test]
fn an_experiment_with_an_error_has_failed() {
    fn broken(_: &Context<'_>) -> Result<Findings, LabError> {
        Err(LabError::FellUnpushed { time: 1.0, reason: "it tripped".to_owned() })
    }
    let experiment = Experiment {
        id: "test.broken",
        title: "",
        paper: "",
        source: "",
        bar: "",
        cost: Cost::Seconds,
        run: broken,
    };
    let results = Results::of(&experiment, &Context::default());
    assert_eq!(results.verdict, Verdict::Failed);
    assert!(results.findings.error.unwrap().contains("it tripped"));
}
