//! `sinew inspect` and `sinew import` of motions.

use crate::support::{json, scratch, shared, sinew, written};

const ARM: &str = "HIERARCHY\nROOT hips { OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
JOINT spine { OFFSET 0 1.6 0 CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET 0 0.1 0 } } }\n\
MOTION\nFrames: 3\nFrame Time: 0.0333333\n0 1 0 0 0 0 0 0 0\n0 1 0.1 0 0 0 0 0 1\n0 1 0.2 0 0 0 0 0 2\n";

#[test]
fn a_motion_is_shown() {
    let file = written("motion_shown", "arm.bvh", ARM);
    let text = sinew(&["inspect", &file]).good();
    assert!(text.contains("3 frames at 30 Hz, 0.06667 s; 2 joints, 1.7 m tall at rest"), "{text}");
    assert!(
        text.contains("└ spine") && text.contains("Assumed:") && text.contains("no feet were recognised"),
        "{text}"
    );
    let said = json(&sinew(&["inspect", &file, "--json", "--rate", "60", "--up", "z"]).good());
    assert_eq!((&said["rate"], &said["frames"]), (&60.0.into(), &3.into()));
    assert_eq!(said["assumed"][0]["value"], "+z");
    assert_eq!(said["joints"][1]["parent"], "hips");
}

#[test]
fn a_motion_is_converted() {
    let file = written("motion_converted", "arm.bvh", ARM);
    for ending in ["bvh", "csv", "npz"] {
        let out = scratch("motion_converted", &format!("out.{ending}"));
        let said = sinew(&["import", &file, "--out", out.to_str().expect("UTF-8"), "--json"]).good();
        assert_eq!(json(&said)["frames"], 3);
        assert!(std::fs::metadata(&out).expect("written").len() > 100);
    }
    let again = scratch("motion_converted", "out.bvh");
    let said = json(&sinew(&["inspect", again.to_str().expect("UTF-8"), "--json"]).good());
    assert!((said["way_m"].as_f64().expect("number") - 0.2).abs() < 1e-9);
    let table = std::fs::read_to_string(scratch("motion_converted", "out.csv")).expect("written");
    assert!(table.starts_with("time,hips.x,hips.y,hips.z,hips.qw,"), "{table}");
}

#[test]
fn suspicious_motions_get_warnings() {
    let cut = written("motion_faults", "cut.bvh", &ARM[..ARM.len() - 10]);
    assert!(sinew(&["inspect", &cut]).refused().contains("cut.bvh:9: frame 2: the line has 4 numbers"));
    assert_eq!(json(&sinew(&["inspect", &cut, "--salvage", "--json"]).good())["frames"], 2);
    assert_eq!(sinew(&["inspect", &cut, "--salvage", "--strict"]).code, Some(1));
    let amc = written("motion_faults", "07_01.amc", "1\n");
    assert!(sinew(&["inspect", &amc]).refused().contains("07_01.asf or 07.asf"));
    let file = written("motion_faults", "arm.bvh", ARM);
    assert!(sinew(&["import", &file, "--out", "x.fbx"]).refused().contains(".bvh, .csv, .npz"));
    assert!(sinew(&["inspect", &file, "--up", "w"]).refused().contains("no axis"));
}

#[test]
fn a_clip_with_a_wrong_rate_gets_a_warning() {
    let Some(file) = shared("mocap/cmu/75_09.bvh") else { return };
    let run = sinew(&["inspect", &file, "--strict"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("rather captured at 60 Hz"), "{}", run.stdout);
    assert_eq!(sinew(&["inspect", &file, "--strict", "--rate", "60"]).code, Some(0));
}

#[test]
fn built_in_motions_are_listed_and_played() {
    let all = json(&sinew(&["motions", "--json"]).good());
    let walk = all.as_array().expect("rows").iter().find(|row| row["name"] == "walk").expect("a walk");
    assert!((walk["speed_mps"].as_f64().expect("number") - 1.27).abs() < 0.02);
    assert!(walk["residual"].as_f64().expect("number") < 0.1);
    let out = scratch("motions", "walk.npz");
    let text =
        sinew(&["motions", "walk", "--character", "child", "--out", out.to_str().expect("UTF-8")]).good();
    assert!(text.contains("walks straight ahead"), "{text}");
    let run = sinew::world::recording::Recording::open(&out).expect("a recording");
    assert!(run.info().meta.kinematic && run.info().model.name() == "child");
    let travelled = run.frame(run.len() - 1).q[0] - run.frame(0).q[0];
    assert!(travelled > 0.5, "{travelled} m");
}

#[test]
fn a_motion_is_put_on_a_character() {
    let Some(file) = shared("mocap/snu/walk/wd2_WalkForwardVFast00.bvh") else { return };
    let place = |name: &str| scratch("motion_on_character", name).to_str().expect("UTF-8").to_owned();
    let (run, map) = (place("walk.npz"), place("map.toml"));
    let told = sinew(&["import", &file, "--character", "human", "--out", &run, "--save-map", &map]).good();
    assert!(told.contains("skate per contact, mm") && told.contains("level ground"), "{told}");
    let text = std::fs::read_to_string(&map).expect("written");
    assert!(text.contains("thigh_left = \"LeftUpLeg\""), "{text}");
    // the recording shows, and is no simulation
    assert_eq!(sinew(&["verify", &run]).code, Some(1));
    let asked =
        ["import", &file, "--character", "human29", "--map", &map, "--out", &place("walk.csv"), "--json"];
    let said = json(&sinew(&asked).good());
    assert_eq!(said["frames"], 120);
    assert!(said["after"]["skate_worst_mm"].as_f64().expect("number") < 5.0);
    assert!(said["before"]["skate_mm"].as_f64().expect("number") > 5.0);
    assert_eq!(said["after"]["limit_violations"], 0);

    let wrong = written("motion_on_character", "wrong.toml", "thigh_left = \"LeftUpLg\"\n");
    let refused = sinew(&["import", &file, "--character", "human", "--map", &wrong, "--out", &run]).refused();
    assert!(refused.contains("did you mean \"LeftUpLeg\"?"), "{refused}");
    assert!(sinew(&["import", &file, "--map", &wrong, "--out", &run]).refused().contains("--character"));
}

/// A clip on a body can be viewed like a run, and is marked as a clip.
#[test]
fn a_kinematic_recording_is_drawn_and_refused_by_the_audit() {
    let human = std::sync::Arc::new(sinew::dynamics::characters::load("human").expect("human"));
    let clip =
        sinew::motion::Clip::new("still", human.clone(), 30.0, human.neutral().repeat(31)).expect("clip");
    let (run, page) = (scratch("kinematic", "still.npz"), scratch("kinematic", "still.html"));
    sinew::motion::export::recording::save(&run, &clip).expect("recorded");
    let run = run.to_str().expect("UTF-8");
    let audit = sinew(&["verify", run]);
    assert_eq!(audit.code, Some(1));
    assert!(audit.stdout.contains("declares itself kinematic"), "{}", audit.stdout);
    let drawn = sinew(&["export", run, "--to", page.to_str().expect("UTF-8")]);
    // without the viewer's page in the binary there is nothing to put the run into
    assert!(drawn.code == Some(0) || drawn.stderr.contains("page"), "{}", drawn.stderr);
}

/// What was simulated is a reference like any other: on its own body as it is, on another one fitted.
#[test]
fn a_recorded_run_goes_wherever_a_clip_goes() {
    let place = |name: &str| scratch("run_as_clip", name).to_str().expect("UTF-8").to_owned();
    let (run, moved) = (place("run.npz"), place("child.bvh"));
    sinew(&["simulate", "--controller", "walker", "--speed", "1", "--seconds", "5", "--out", &run]).good();
    let asked = ["import", &run, "--character", "child", "--out", &moved, "--json"];
    let said = json(&sinew(&asked).good());
    let (gait, missed) = (&said["gait"], said["missed_mm"].as_f64().expect("number"));
    assert!(
        gait["flights"] == 0 && gait["landings"][0].as_u64() >= Some(2) && missed < 1.0,
        "{gait}, {missed} mm"
    );
    // the contacts that the ground felt go on with the file
    let again =
        json(&sinew(&["import", &moved, "--character", "human", "--out", &place("x.npz"), "--json"]).good());
    assert_eq!(again["gait"]["landings"], gait["landings"]);
    // a controller follows it, and it becomes a plan, on its own body and on another one
    let follows = ["simulate", "--controller", "data-driven", "--character", "human42", "--clip", &run];
    sinew(&[&follows[..], &["--seconds", "0.5"]].concat()).good();
    let plan = json(&sinew(&["optimise", &run, "--character", "human29", "--cycle", "--json"]).good());
    assert_eq!(plan["solved"], true, "{plan}");
}

/// A body without arms: the report says so in words.
#[test]
fn limbs_that_do_not_match_are_told() {
    let place = |name: &str| scratch("limbs_told", name).to_str().expect("UTF-8").to_owned();
    let (arms, walk) = (place("arms.bvh"), place("walk.npz"));
    sinew(&["motions", "wave", "--out", &place("wave.npz")]).good();
    sinew(&["import", &place("wave.npz"), "--out", &arms]).good();
    let said = sinew(&["import", &arms, "--character", "ostrich", "--out", &walk]).good();
    assert!(said.contains("no arms that are known to be such"), "{said}");
}
