//! Runs: a walk that stays up and stands the audit, the same bits twice, and what cannot be played.

use sinew_lab::{LabError, Outcome, Scenario, Simulation, run};
use sinew_world::recording::Recording;
use std::path::PathBuf;

/// The example of the documentation.
const EXAMPLE: &str = include_str!("../../scenarios/pushed-walk.toml");

fn scratch(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(file)
}

/// Without what depends on the clock.
fn timeless(mut outcome: Outcome) -> Outcome {
    let summary = &mut outcome.summary;
    (summary.realtime_factor, summary.control_us, summary.step_us) = (None, None, None);
    outcome
}

#[test]
fn a_walk_stays_up_stands_the_audit_and_repeats_to_the_bit() {
    let text = "seconds = 3\n[[command]]\nvelocity = [0.8, 0]";
    let scenario = Scenario::parse(text, "walk.toml").unwrap();
    let files = [scratch("walk.npz"), scratch("again.npz")];
    let outcomes = files.each_ref().map(|file| {
        let outcome = run(&scenario, scenario.built_in().unwrap(), Some(file)).unwrap();
        assert!(outcome.summary.control_us.is_some() && outcome.summary.step_us.is_some());
        outcome
    });
    assert_eq!(outcomes[0].summary.fell, Some(false), "{}", outcomes[0].summary);
    assert!(outcomes[0].summary.distance_m > 1.0 && outcomes[0].fallbacks == 0, "{:?}", outcomes[0]);
    let json = serde_json::to_value(&outcomes[0]).unwrap();
    assert!(json["controller"] == "walker" && json["fell"] == false && json["seconds"] == 3.0, "{json}");
    let runs = files.map(|file| std::fs::read(file).unwrap());
    assert!(runs[0] == runs[1], "the recordings differ");
    let recording = Recording::from_bytes(runs[0].clone()).unwrap();
    let audit = recording.audit(&Default::default());
    assert!(audit.holds, "{audit:?}");
    let [once, again] = outcomes.map(timeless);
    assert_eq!(once, again);
}

#[test]
fn the_example_of_the_documentation_is_pushed_and_stays_up() {
    let page = include_str!("../../../../docs/scenarios.md");
    assert!(page.contains(EXAMPLE), "docs/scenarios.md shows another file than scenarios/pushed-walk.toml");
    let scenario = Scenario::parse(EXAMPLE, "pushed-walk.toml").unwrap();
    let outcome = run(&scenario, scenario.built_in().unwrap(), None).unwrap();
    assert_eq!(outcome.summary.fell, Some(false), "{}", outcome.summary);
    assert!(outcome.summary.heading_change_deg > 20.0, "{}", outcome.summary);
}

#[test]
fn falls_are_explained() {
    let text = "seconds = 4\n[[push]]\ntime = 1\nseconds = 0.2\nimpulse = [0, 260, 0]";
    let scenario = Scenario::parse(text, "fall.toml").unwrap();
    let outcome = run(&scenario, scenario.built_in().unwrap(), None).unwrap();
    let cause = outcome.fall_cause.as_ref().expect("it falls");
    assert!(cause.why.len() > 20 && outcome.to_string().contains(&cause.why), "{cause:?}");
}

/// More speed than a body has is limited, with a word.
#[test]
fn commands_beyond_the_body_are_limited() {
    for (speed, beyond) in [([1.5, 0.0], false), ([9.0, 0.0], true), ([-9.0, 0.0], true), ([0.0, 9.0], true)]
    {
        let text = format!("seconds = 8\n[[command]]\nvelocity = {speed:?}");
        let scenario = Scenario::parse(&text, "fast.toml").unwrap();
        let outcome = run(&scenario, scenario.built_in().unwrap(), None).unwrap();
        assert!(
            outcome.summary.fell == Some(false) && outcome.summary.distance_m > 4.0,
            "{speed:?}: {outcome}"
        );
        assert_eq!(outcome.notes.len(), usize::from(beyond), "{outcome}");
        assert!(outcome.notes.iter().all(|note| note.contains("9.00 m/s")), "{outcome}");
    }
}

/// The crouch begins with the step in which the jump is asked for, not before, and a flight follows.
#[test]
fn a_jump_is_asked_for_in_time() {
    let text = "controller = \"jumper\"\nseconds = 3\n[[request]]\nname = \"jump\"\ntime = 0.3\nheight = 0.2";
    let scenario = Scenario::parse(text, "jump.toml").unwrap();
    let mut simulation = Simulation::new(scenario.clone(), scenario.built_in().unwrap()).unwrap();
    let mut phases: Vec<(f64, f64)> = vec![(0.0, 0.0)];
    while !simulation.ended() {
        let (time, before) = (simulation.world().time(), phases[phases.len() - 1].1);
        simulation.step().unwrap();
        let phase = simulation.signal("jump_phase").unwrap();
        if phase != before {
            phases.push((time, phase));
        }
    }
    assert_eq!(simulation.metrics().summary().fell, Some(false));
    let order: Vec<f64> = phases.iter().map(|(_, phase)| *phase).collect();
    assert_eq!(order, [0.0, 1.0, 2.0, 3.0, 4.0, 0.0], "{phases:?}");
    assert!((phases[1].0 - 0.3).abs() < 1e-9, "{phases:?}");
}

#[test]
fn a_scenario_that_cannot_be_played_gives_the_reason() {
    let scenario =
        Scenario::parse("[[push]]\nimpulse = [0, 1, 0]\nbody = \"toe_left\"", "push.toml").unwrap();
    match run(&scenario, scenario.built_in().unwrap(), None) {
        Err(LabError::Entry { table: "push", nth: 0, source }) => {
            assert!(matches!(*source, LabError::Part { model, .. } if model == "human"));
        }
        other => panic!("{other:?}"),
    }
    let scenario = Scenario { character: "hunam".to_owned(), ..Scenario::default() };
    assert!(scenario.built_in().unwrap_err().to_string().contains("`human`"));
}
