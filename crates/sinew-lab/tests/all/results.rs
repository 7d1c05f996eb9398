//! Results on disk and on the page.

use sinew_lab::findings::{Figure, Findings, Table, Verdict};
use sinew_lab::plot::{Axis, Heat, Lines, Plot, Series};
use sinew_lab::report;
use sinew_lab::results::Results;
use std::path::PathBuf;

fn sample(experiment: &str) -> Results {
    let mut findings = Findings { runs: 2, simulated_s: 20.0, seeds: vec![1, 7], ..Findings::default() };
    findings.figure(Figure::new("speed", "m/s", 0.1 + 0.2).at_least(0.25).paper("0.5 & more").aim(1.0));
    findings.figure(Figure::new("height", "m", f64::NAN));
    findings.body("human", 76.0);
    let mut table = Table::new("all runs", &["run", "x"]);
    table.row("a<b", &[1.0 / 3.0]);
    findings.tables.push(table);
    let line = Series::line("line", [(0.0, 1.0), (1.0, 3.0)]);
    let (x, y) = (Axis::linear("x"), Axis::logarithmic("y"));
    findings.plots.push(Plot::Lines(Lines::new("A line", x, y, vec![line]).level("bar", 2.0)));
    findings.plots.push(Plot::Heat(Heat {
        title: "A map".into(),
        x: ("x".into(), vec!["1".into(), "2".into()]),
        y: ("y".into(), vec!["only".into()]),
        values: vec![vec![Some(0.5), None]],
    }));
    findings.note("a <note>");
    Results {
        experiment: experiment.to_owned(),
        title: "A sample".to_owned(),
        paper: "it walks".to_owned(),
        source: "somebody".to_owned(),
        bar: "it walks".to_owned(),
        verdict: findings.verdict(),
        quick: false,
        seed: 1,
        version: "0".to_owned(),
        command: format!("sinew lab run {experiment}"),
        findings,
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // left over from the last time
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn results_come_back_as_they_were_saved_in_the_order_of_the_registry() {
    let folder = folder("lab-results");
    let (later, sooner, foreign) = (sample("features.walk"), sample("features.balance"), sample("own.thing"));
    for results in [&foreign, &later, &sooner] {
        let files = results.save(&folder).unwrap();
        assert_eq!(files.len(), 4, "{files:?}");
        assert!(files.iter().all(|file| folder.join(file).is_file()));
    }
    let csv = std::fs::read_to_string(folder.join("features.walk.all-runs.csv")).unwrap();
    assert_eq!(csv, "run,x\na<b,0.3333\n");
    let svg = std::fs::read_to_string(folder.join("features.walk.a-line.svg")).unwrap();
    assert_eq!(svg, later.findings.plots[0].svg());
    let loaded = Results::load(&folder).unwrap();
    assert_eq!(loaded, [sooner, later, foreign]);
    std::fs::write(folder.join("broken.json"), "{}").unwrap();
    let wrong = Results::load(&folder).unwrap_err().to_string();
    assert!(wrong.contains("broken.json") && wrong.contains("holds no results"), "{wrong}");
}

#[test]
fn the_page_is_the_same_twice_and_needs_nothing_else() {
    let results = [sample("features.walk"), sample("own.thing")];
    let page = report::html(&results);
    assert_eq!(page, report::html(&results));
    for text in [
        "0.5 &amp; more",
        "0.3 m/s",
        "≥ 0.25, aim 1",
        "a&lt;b",
        "a &lt;note&gt;",
        "sinew lab run own.thing",
        "76.0 kg",
    ] {
        assert!(page.contains(text), "no `{text}` on the page");
    }
    assert_eq!(page.matches("<svg ").count(), 4);
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("@media print"));
    let fetched = ["http://", "https://", "src=", "@import", "url("];
    let alone = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    assert!(fetched.iter().all(|link| !alone.contains(link)), "the page asks for something else");
    assert!(!page.contains("NaN"));
}

#[test]
fn an_audit_that_fails_fails_the_experiment() {
    let mut results = sample("features.walk");
    assert_eq!(results.verdict, Verdict::Passed);
    results.findings.broken.push("run 1: penetration".to_owned());
    assert_eq!(results.findings.verdict(), Verdict::Failed);
    let page = report::html(&[results]);
    assert!(page.contains("FAILED: audit") && page.contains("run 1: penetration"), "{page}");
}
