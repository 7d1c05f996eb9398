//! Every scene plays to its end, passes the audit, and shows what its description says.

use sinew_dynamics::{Model, characters};
use sinew_world::recording::{Meta, Recording, WorldRecorder};
use sinew_world::scenes::{Scene, SceneError, Stage};
use std::sync::Arc;

fn human() -> Arc<Model> {
    characters::load("human").expect("built in").into()
}

/// Plays a scene; the stage at its end, after the audit of its recording.
fn play(name: &str) -> Stage {
    let scene = Scene::find(name).expect("a scene");
    let mut stage = scene.set(&human()).expect("set");
    let dt = stage.world.settings().dt;
    let mut recorder =
        WorldRecorder::in_memory(&stage.world, stage.me, Meta::new(dt), &[]).expect("recorded");
    for _ in 0..(scene.seconds / dt).round() as usize {
        stage.step().expect("a step");
        recorder.push(&stage.world, &[]).expect("a row");
    }
    let run = Recording::from_bytes(recorder.into_bytes().expect("written")).expect("readable");
    let audit = run.audit(&Default::default());
    assert!(audit.holds, "{name}: {audit}");
    stage
}

fn height(stage: &Stage) -> f64 {
    stage.world.actors()[stage.me].q[2]
}

/// Place of a thing.
fn place(stage: &Stage, name: &str) -> [f64; 3] {
    let actor = stage.world.actors().iter().find(|a| a.name == name).expect("a thing");
    [actor.q[0], actor.q[1], actor.q[2]]
}

#[test]
fn limp_characters_fall() {
    assert!(height(&play("ragdoll")) < 0.4);
    let stage = play("stairs");
    let stairs = 10.0 * 0.17;
    assert!(height(&stage) < 0.5 * stairs, "it lies {} m high", height(&stage));
}

#[test]
fn stiff_characters_stand_and_carry() {
    assert!((height(&play("stand")) - 0.908).abs() < 0.02);
    let stage = play("barbell");
    assert!((height(&stage) - 0.908).abs() < 0.02 && place(&stage, "barbell")[2] > 0.6);
}

#[test]
fn a_slope_without_grip_lets_the_character_slide() {
    let stage = play("slide");
    // a = g (sin α − μ cos α) from rest, for 3 s
    let (pitch, friction, t) = (0.25f64, 0.05, 3.0);
    let way = 0.5 * 9.81 * (pitch.sin() - friction * pitch.cos()) * t * t;
    let moved = stage.world.actors()[stage.me].q[0] - 0.908 * pitch.sin();
    assert!(
        (moved / (way * pitch.cos()) - 1.0).abs() < 0.02,
        "it moved {moved} m of {way} m along the slope"
    );
}

#[test]
fn the_seesaw_lifts_its_rider() {
    let stage = play("seesaw");
    let plank = stage.world.actors().iter().find(|a| a.name == "seesaw").expect("the seesaw");
    assert!((plank.q[0] - 0.05).abs() < 1e-3, "it is tilted by {}", plank.q[0]);
    let rise = 1.5 * 0.05f64.sin();
    assert!((height(&stage) - (0.908 + 0.53 + rise)).abs() < 0.03, "the rider is {} m high", height(&stage));
}

#[test]
fn hands_stay_on_the_bar() {
    let stage = play("bar");
    assert!(height(&stage) > 0.9, "{}", height(&stage));
    let grips = stage.world.frame(stage.me).constraint[2];
    assert!(grips > 200.0, "the bar bears {grips} N");
}

#[test]
fn boxes_are_knocked_over() {
    let stage = play("boxes");
    assert!(place(&stage, "box 41")[2] < 1.0);
    let stage = play("wrecking");
    assert!(place(&stage, "box 40")[2] < 1.2);
}

#[test]
fn balls_bounce_and_come_down() {
    let stage = play("balls");
    let balls = stage.world.actors().iter().filter(|a| a.name.starts_with("ball"));
    assert!(balls.map(|b| b.q[2]).fold(0.0, f64::max) < 2.5);
}

#[test]
fn scenes_that_need_hands_say_so() {
    let ostrich: Arc<Model> = characters::load("ostrich").expect("built in").into();
    let error = Scene::find("bar").expect("a scene").set(&ostrich).expect_err("it has no arms");
    let SceneError::Missing { name, .. } = &error else { panic!("{error}") };
    assert_eq!(name, "ostrich");
    assert!(Scene::find("stairs").expect("a scene").set(&ostrich).is_ok());
    assert!(Scene::find("nowhere").is_none());
}
