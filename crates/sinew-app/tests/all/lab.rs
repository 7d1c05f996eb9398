//! `sinew lab`: the list, runs and the page.

use crate::support::{json, scratch, sinew};
use std::path::PathBuf;

/// An empty folder.
fn folder(test: &str) -> (PathBuf, String) {
    let folder = scratch(test, "lab");
    // left over from the last time
    let _ = std::fs::remove_dir_all(&folder);
    let name = folder.to_str().expect("UTF-8").to_owned();
    (folder, name)
}

#[test]
fn experiments_are_listed() {
    let text = sinew(&["lab", "list"]).good();
    assert!(text.contains("features.push_walk") && text.contains("passes when"), "{text}");
    let listed = json(&sinew(&["lab", "list", "--json", "features.jump*"]).good());
    let listed = listed.as_array().expect("a list").clone();
    assert!(
        listed.len() >= 4 && listed.iter().all(|e| e["source"].as_str().is_some_and(|s| s.contains("2010")))
    );
    assert!(listed.iter().all(|e| e["cost"] == "minutes" || e["cost"] == "seconds"), "{listed:?}");
}

#[test]
fn unknown_experiments_are_refused_with_the_nearest() {
    let (folder, name) = folder("unknown_experiments_are_refused_with_the_nearest");
    let said = sinew(&["lab", "run", "features.wakl", "--out", &name]).refused();
    assert!(said.contains("did you mean `features.walk`"), "{said}");
    assert!(sinew(&["lab", "list", "zeppelin"]).refused().contains("sinew lab list"));
    assert!(!folder.exists());
    assert!(sinew(&["lab", "report", "--from", &name]).refused().contains("sinew lab run"));
}

#[test]
fn results_are_stored_and_reported_the_same_for_any_number_of_threads() {
    let (folder, name) = folder("results_are_stored_and_reported_the_same_for_any_number_of_threads");
    let run = |out: &str, threads: &str| {
        let ids = ["features.balance", "features.s?lver", "features.precision"];
        let options = ["--quick", "--recordings", "--threads", threads, "--out", out, "--json"];
        json(&sinew(&[&["lab", "run"][..], &ids, &options].concat()).good())
    };
    let done = run(&name, "1");
    assert_eq!(done.as_array().map(Vec::len), Some(3));
    assert!(done[0]["verdict"] == "passed" && done[0]["bodies"][0]["mass_kg"] == 76.0, "{done}");
    let files = ["features.balance.json", "features.balance.runs.csv", "features.solver.json"];
    assert!(files.iter().all(|file| folder.join(file).is_file()));
    let recorded = folder.join(done[0]["recordings"][0].as_str().expect("a recording"));
    sinew(&["verify", recorded.to_str().expect("UTF-8")]).good();

    let page = |from: &str, to: &str| {
        let out = format!("{from}/{to}");
        sinew(&["lab", "report", "--from", from, "--out", &out]).good();
        std::fs::read(out).expect("the page")
    };
    let first = page(&name, "a.html");
    assert_eq!(first, page(&name, "b.html"));
    let again = format!("{name}/again");
    assert_eq!(run(&again, "2"), done);
    assert_eq!(page(&again, "a.html"), first);
}

#[test]
fn progress_is_printed_only_on_request() {
    let (_, name) = folder("progress_is_printed_only_on_request");
    let quiet = sinew(&["lab", "run", "features.solver", "--quick", "--out", &name]);
    assert_eq!(quiet.stderr, "");
    assert!(quiet.good().starts_with("features.solver: "));
    let shown = sinew(&["lab", "run", "features.solver", "--quick", "--out", &name, "--progress"]);
    assert!(shown.stderr.contains("] 50/50"), "{}", shown.stderr);
}
