//! Figures of a walk: exact answers on made-up signals, plausible ones on a real walk.

use sinew_lab::walking::Signals;
use sinew_lab::{Scenario, run};
use sinew_world::recording::Recording;
use std::f64::consts::TAU;
use std::path::PathBuf;

const DT: f64 = 1e-3;
/// Steps of a stride.
const STRIDE: usize = 1000;

/// A walk of one stride a second: on the ground for 0.6 s, the heel for 0.4 s.
fn made_up() -> Signals {
    let count = 5 * STRIDE + 300;
    let series = |f: &dyn Fn(f64) -> f64| (0..count).map(|k| f(k as f64 * DT)).collect::<Vec<f64>>();
    let wave = |hz: f64, t: f64| (TAU * hz * t).sin();
    let side = |half: usize| move |k: usize| (k + half * STRIDE / 2) % STRIDE;
    let touch = |half: usize, until: usize| (0..count).map(|k| side(half)(k) < until).collect::<Vec<bool>>();
    let knee =
        |half: usize| (0..count).map(|k| if side(half)(k) < 600 { 0.2 } else { 1.0 }).collect::<Vec<f64>>();
    Signals {
        dt: DT,
        leg: [series(&|t| 0.4 * wave(1.0, t)), series(&|t| -0.4 * wave(1.0, t))],
        arm: [series(&|t| -0.3 * wave(1.0, t)), series(&|t| 0.3 * wave(1.0, t))],
        knee: [knee(0), knee(1)],
        // a curve: both drift
        pelvis: series(&|t| 0.1 * wave(1.0, t) + 0.05 * t),
        trunk: series(&|t| -0.05 * wave(1.0, t) + 0.05 * t),
        heel: [touch(0, 400), touch(1, 400)],
        toe: [touch(0, 600), touch(1, 600)],
        torques: vec![series(&|t| 50.0 + wave(1.0, t) + 0.1 * wave(40.0, t))],
    }
}

#[test]
fn figures_of_made_up_signals_are_exact() {
    let l = made_up().likeness();
    assert!((l.arm_leg + 1.0).abs() < 1e-12 && (l.arm_opposite_leg - 1.0).abs() < 1e-12, "{l:?}");
    assert!((l.arm_swing_deg - 0.6_f64.to_degrees()).abs() < 1e-3, "{l:?}");
    assert!((l.heel_lead_s - 0.2).abs() < 1e-12 && l.heel_first == 1.0, "{l:?}");
    assert!((l.knee_deg - 1.0_f64.to_degrees()).abs() < 1e-12, "{l:?}");
    // 0.01 of 1.01
    assert!((l.fast_torque - 0.01 / 1.01).abs() < 1e-9, "{l:?}");
    // the straight line that fits best takes a little of the swing away too
    assert!(l.girdles < -0.95, "{l:?}");
}

#[test]
fn a_body_without_arms_has_no_arm_swing() {
    let l = Signals { arm: Default::default(), ..made_up() }.likeness();
    assert!(l.arm_leg.is_nan() && l.arm_swing_deg.is_nan() && l.knee_deg > 0.0);
}

#[test]
fn a_real_walk_has_heels_knees_and_legs_that_take_turns() {
    let scenario = Scenario::parse("seconds = 6\n[[command]]\nvelocity = [0.8, 0]", "walk.toml").unwrap();
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("walking.npz");
    run(&scenario, scenario.built_in().unwrap(), Some(&file)).unwrap();
    let signals = Signals::of(&Recording::open(&file).unwrap(), 2.0).unwrap();
    assert_eq!(signals.leg[0].len(), 4000);
    let l = signals.likeness();
    // people bend the swinging knee by about 60 degrees, and the heel leaves the ground before the toes in every step
    assert!(l.heel_first == 1.0 && (0.03..0.4).contains(&l.heel_lead_s), "{l:?}");
    assert!((55.0..75.0).contains(&l.knee_deg) && l.fast_torque < 0.1, "{l:?}");
    let legs = sinew_lab::walking::correlation(&signals.leg[0], &signals.leg[1]);
    assert!(legs < -0.65, "the legs correlate by {legs}");
}
