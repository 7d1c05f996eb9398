//! `sinew simulate`: scenes and falls, recorded and audited.

use crate::support::{json, scratch, sinew};

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
