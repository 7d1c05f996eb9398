//! Time advanced by the optimisation's own accelerations.

use sinew_control::features::{Jump, Jumper, Walker};
use sinew_control::whole_body::{Accelerated, Kinetics, Sole};
use sinew_control::{Command, Controller};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Side, characters};
use sinew_world::{Actuation, Terrain};
use std::sync::Arc;

#[test]
fn a_flight_is_a_parabola_and_keeps_its_spin() {
    let model = Arc::new(characters::load("human").unwrap());
    let mut jumper = Jumper::new(model.clone()).unwrap();
    let mut puppet = Accelerated::new(model.clone(), Terrain::flat(), jumper.walker.rest()).unwrap();
    jumper.reset(&puppet.observe()).unwrap();
    jumper.jump(Jump { twist: 0.5, ..Jump::default() });
    let mut torques = Actuation::none(model.nv());
    let mut k = Kinetics::new(model.clone());
    let mut flight: Vec<(f64, Vec3, Vec3)> = Vec::new();
    while puppet.time() < 5.0 && jumper.jumps() == 0 {
        jumper.act(&puppet.observe(), &Command::STAND, &mut torques);
        puppet.step(jumper.walker.body());
        if jumper.jumps() == 0 {
            // from when the last corner has left the ground
            if jumper.walker.body().footholds().is_empty() && puppet.observe().contacts.is_empty() {
                k.update(puppet.q(), puppet.v());
                flight.push((puppet.time(), k.com(), k.angular_momentum()));
            } else if puppet.observe().contacts.iter().all(|c| c.force.norm() == 0.0) || flight.len() < 9 {
                flight.clear();
            }
        }
    }
    assert!(flight.len() > 20 && jumper.jumps() == 1, "{} steps in the air", flight.len());
    let (t0, c0, l0) = flight[0];
    let (t1, c1, _) = flight[1];
    let v = (c1 - c0) / (t1 - t0) + Vec3::z() * (0.5 * 9.81 * (t1 - t0));
    for (t, c, l) in &flight {
        let t = t - t0;
        let expected = c0 + v * t - Vec3::z() * (0.5 * 9.81 * t * t);
        assert!((c - expected).norm() < 1e-9, "at {t} s off by {} m", (c - expected).norm());
        assert!((l - l0).norm() < 1e-9);
    }
}

#[test]
fn it_walks_and_planted_feet_stay() {
    let model = Arc::new(characters::load("human").unwrap());
    let mut walker = Walker::new(model.clone()).unwrap();
    let mut puppet = Accelerated::new(model.clone(), Terrain::flat(), walker.rest()).unwrap();
    walker.reset(&puppet.observe()).unwrap();
    let mut torques = Actuation::none(model.nv());
    let sole = Sole::of(&model, Side::Left).unwrap();
    let mut k = Kinetics::new(model.clone());
    k.update(puppet.q(), puppet.v());
    let planted = k.point(sole.body, &sole.center).0;
    // down into the knees and up again
    for step in 0..300 {
        walker.gait.height = 0.9 + 0.07 * (0.02 * step as f64).cos();
        walker.act(&puppet.observe(), &Command::STAND, &mut torques);
        puppet.step(walker.body());
        k.update(puppet.q(), puppet.v());
        let moved = (k.point(sole.body, &sole.center).0 - planted).norm();
        assert!(moved < 1e-3, "at {} s by {moved} m", puppet.time());
    }
    walker.gait.height = 0.975;
    let from = puppet.q()[0];
    for _ in 0..800 {
        walker.act(&puppet.observe(), &Command::forward(0.6), &mut torques);
        puppet.step(walker.body());
    }
    let mean = (puppet.q()[0] - from) / 8.0;
    assert!(puppet.q()[2] > 0.8 && mean > 0.4, "walked at {mean} m/s, now {} m high", puppet.q()[2]);
}

#[test]
fn a_walk_settles_and_the_ground_does_not_pull() {
    let model = Arc::new(characters::load("human").unwrap());
    let mut walker = Walker::new(model.clone()).unwrap();
    let mut puppet = Accelerated::new(model.clone(), Terrain::flat(), walker.rest()).unwrap();
    walker.reset(&puppet.observe()).unwrap();
    let mut torques = Actuation::none(model.nv());
    let (mut landings, mut steps) = (Vec::new(), 0);
    while puppet.time() < 15.0 {
        walker.act(&puppet.observe(), &Command::forward(0.8), &mut torques);
        puppet.step(walker.body());
        for c in puppet.observe().contacts {
            let (push, depth) = (c.force.dot(&c.normal), -c.distance);
            assert!(push > -1e-6 && depth < 0.01, "at {} s: {push} N, {depth} m deep", puppet.time());
        }
        if walker.steps() > steps {
            (landings, steps) = ([landings, vec![puppet.time()]].concat(), walker.steps());
        }
    }
    let times: Vec<f64> = landings.windows(2).skip(10).map(|t| t[1] - t[0]).collect();
    let (least, most) =
        times.iter().fold((f64::INFINITY, 0.0), |(l, m): (f64, f64), t| (l.min(*t), m.max(*t)));
    // much less than a tick, although a decision takes one: the last of a swing ends when the foot is down
    assert!(times.len() > 15 && most - least < 0.003, "{} steps of {least} to {most} s", times.len());
}
