//! `sinew simulate`: walks, scenes and falls, recorded and audited.

use crate::support::{json, scratch, sinew, written};

#[test]
fn scenes_are_listed() {
    let text = sinew(&["simulate", "--scene", "list"]).good();
    assert!(text.lines().count() >= 10 && text.contains("seesaw "), "{text}");
    let listed = json(&sinew(&["simulate", "--scene", "list", "--json"]).good());
    assert!(listed.as_array().is_some_and(|l| l.iter().any(|s| s["name"] == "stairs")), "{listed}");
    assert!(sinew(&["simulate", "--help"]).good().contains("wrecking"));
}

#[test]
fn a_scene_is_recorded_and_passes_the_audit() {
    let file = scratch("a_scene_is_recorded_and_passes_the_audit", "run.npz");
    let path = file.to_str().expect("UTF-8");
    let said = sinew(&["simulate", "--scene", "barbell", "--seconds", "0.5", "--out", path, "--json"]).good();
    assert_eq!(json(&said)["seconds"], 0.5, "{said}");
    assert_eq!(json(&said)["fell"], false);
    let text = sinew(&["verify", path]).good();
    assert!(text.ends_with("everything holds\n"), "{text}");
}

#[test]
fn wrong_scenes_are_refused_with_a_remedy() {
    assert!(sinew(&["simulate", "--scene", "seasaw"]).refused().contains("did you mean `seesaw`"));
    assert!(sinew(&["simulate", "--scene", "quux"]).refused().contains("--scene list"));
    assert!(sinew(&["simulate", "--scene", "bar", "--character", "ostrich"]).refused().contains("ostrich"));
    assert_eq!(sinew(&["simulate", "--scene", "bar", "--terrain", "stairs"]).code, Some(2));
    assert!(sinew(&["simulate", "--seconds", "0"]).refused().contains("--seconds"));
}

#[test]
fn a_walk_by_options_is_recorded_and_passes_the_audit() {
    let file = scratch("a_walk_by_options_is_recorded_and_passes_the_audit", "walk.npz");
    let path = file.to_str().expect("UTF-8");
    let walk = ["simulate", "--controller", "walker", "--speed", "0.8", "--seconds", "1.5", "--out", path];
    let said = sinew(&[&walk[..], &["--json"]].concat()).good();
    let said = json(&said);
    assert!(said["fell"] == false && said["controller"] == "walker", "{said}");
    let figures = "fell fall_time fall_reason seconds distance_m mean_speed_mps heading_change_deg steps realtime_factor \
                   control_us step_us penetration_mm skate_mm peak_torque_ratio energy_j seed version";
    assert!(figures.split_whitespace().all(|name| said.get(name).is_some()), "{said}");
    assert!(said["control_us"]["p99"].as_f64() > Some(0.0) && said["fallbacks"] == 0, "{said}");
    let text = sinew(&["verify", path]).good();
    assert!(text.ends_with("everything holds\n"), "{text}");
    assert!(sinew(&["simulate", "--controller", "flyer"]).refused().contains("walker, jumper"));
    assert_eq!(sinew(&["simulate", "--controller", "walker", "--scene", "bar"]).code, Some(2));
}

#[test]
fn a_scenario_file_writes_its_outputs_beside_itself() {
    let test = "a_scenario_file_writes_its_outputs_beside_itself";
    let text = "seconds = 5\nseed = 7\n[outputs]\nrecording = \"run.npz\"\nsummary = \"run.json\"\n";
    let path = written(test, "stand.toml", text);
    // an option goes before the file
    let said = sinew(&["simulate", &path, "--character", "child", "--seconds", "0.3"]).good();
    assert!(said.starts_with("child, "), "{said}");
    let summary = std::fs::read_to_string(scratch(test, "run.json")).expect("a summary");
    let summary = json(&summary);
    assert!(summary["seed"] == 7 && summary["seconds"] == 0.3 && summary["scenario"] == "stand", "{summary}");
    assert!(scratch(test, "run.npz").is_file());
    let jumps =
        written(test, "jumps.toml", "controller = \"jumper\"\n[[request]]\nname = \"jump\"\ntime = 1\n");
    assert!(
        sinew(&["simulate", &jumps, "--controller", "walker"])
            .refused()
            .contains("`jump`, which walker does not take")
    );
    assert!(sinew(&["simulate", &path, "--difficulty", "0.2"]).refused().contains("--terrain"));
    let wrong = written(test, "wrong.toml", "seconds = 5\nsede = 7\n");
    let said = sinew(&["simulate", &wrong]).refused();
    assert!(said.contains("wrong.toml:2: there is no key `sede` here; did you mean `seed`?"), "{said}");
}
