//! Time advanced by the optimisation's own accelerations, without physics.

use sinew_control::features::{JUMPER, Jump, Jumper, WALKER, Walker};
use sinew_control::whole_body::{Kinetics, Sole};
use sinew_control::{
    Action, Beginning, Command, Episode, EpisodeRecorder, Order, Prepared, Request, System, WorldPlan,
};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Side, characters};
use sinew_world::recording::Recording;
use sinew_world::{Terrain, World};

/// A run at 100 Hz without physics.
fn puppet(system: &'static System) -> Episode {
    puppet_at(system, 0.01)
}

fn puppet_at(system: &'static System, step: f64) -> Episode {
    let order = Order::new(system, characters::load("human").unwrap().into());
    let world = WorldPlan { step: Some(step), ..WorldPlan::default() };
    let beginning = Beginning { world, unphysical: true, ..Beginning::default() };
    Episode::new(World::new(Terrain::flat()), order, Prepared::default(), beginning).unwrap()
}

fn walker(episode: &Episode) -> &Walker {
    episode.controller().as_any().downcast_ref().unwrap()
}

#[test]
fn a_flight_is_a_parabola_and_keeps_its_spin() {
    // at 100 Hz a thrust with a turn is chaotic: an initial change of 1e-12 m leads to another jump
    let mut episode = puppet_at(&JUMPER, 0.005);
    let jump = Jump { twist: 0.5, ..Jump::default() };
    let kind = JUMPER.request("jump").unwrap();
    episode.perform(&Action::Ask(Request::of(kind, &jump))).unwrap();
    let mut k = Kinetics::new(episode.order().model.clone());
    let mut flight: Vec<(f64, Vec3, Vec3)> = Vec::new();
    let jumper = |episode: &Episode| episode.controller().as_any().downcast_ref::<Jumper>().unwrap().clone();
    while episode.world().time() < 5.0 && jumper(&episode).jumps() == 0 {
        episode.step().unwrap();
        let (jumper, contacts) = (jumper(&episode), episode.world().report().contacts(0));
        if jumper.jumps() == 0 {
            // the flight begins when the last corner has left the ground
            if jumper.walker.body().footholds().is_empty() && contacts.is_empty() {
                k.update(episode.q(), episode.v());
                flight.push((episode.world().time(), k.com(), k.angular_momentum()));
            } else if contacts.iter().all(|c| c.force.norm() == 0.0) || flight.len() < 9 {
                flight.clear();
            }
        }
    }
    assert!(flight.len() > 20 && jumper(&episode).jumps() == 1, "{} steps in the air", flight.len());
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
    let mut episode = puppet(&WALKER);
    let model = episode.order().model.clone();
    let sole = Sole::of(&model, Side::Left).unwrap();
    let mut k = Kinetics::new(model);
    k.update(episode.q(), episode.v());
    let planted = k.point(sole.body, &sole.center).0;
    // down into the knees and up again
    for step in 0..300 {
        let height = 0.9 + 0.07 * (0.02 * step as f64).cos();
        episode.perform(&Action::Set("height".into(), height.into())).unwrap();
        episode.step().unwrap();
        k.update(episode.q(), episode.v());
        let moved = (k.point(sole.body, &sole.center).0 - planted).norm();
        assert!(moved < 1e-3, "at {} s by {moved} m", episode.world().time());
    }
    episode.perform(&Action::Set("height".into(), 0.975.into())).unwrap();
    episode.perform(&Action::Command(Command::forward(0.6))).unwrap();
    episode.run(4.0).unwrap();
    let from = episode.q()[0];
    episode.run(8.0).unwrap();
    let mean = (episode.q()[0] - from) / 8.0;
    assert!(episode.q()[2] > 0.8, "{} m high", episode.q()[2]);
    assert!((mean - 0.6).abs() < 0.02, "walked at {mean} m/s");
}

#[test]
fn a_walk_settles_and_the_ground_does_not_pull() {
    let mut episode = puppet(&WALKER);
    episode.perform(&Action::Command(Command::forward(0.8))).unwrap();
    let (mut landings, mut steps) = (Vec::new(), 0);
    while episode.world().time() < 15.0 {
        episode.step().unwrap();
        let time = episode.world().time();
        for c in episode.world().report().contacts(0) {
            let (push, depth) = (c.force.dot(&c.normal), -c.distance);
            assert!(push > -1e-6 && depth < 0.01, "at {time} s: {push} N, {depth} m deep");
        }
        if walker(&episode).steps() > steps {
            (landings, steps) = ([landings, vec![time]].concat(), walker(&episode).steps());
        }
    }
    let times: Vec<f64> = landings.windows(2).skip(10).map(|t| t[1] - t[0]).collect();
    let (least, most) =
        times.iter().fold((f64::INFINITY, 0.0), |(l, m): (f64, f64), t| (l.min(*t), m.max(*t)));
    // the spread is much less than a tick, because the last tick of a swing ends with the landing
    assert!(times.len() > 15 && most - least < 0.003, "{} steps of {least} to {most} s", times.len());
}

/// A recording of it says that it is not physics, and the audit refuses it.
#[test]
fn no_audit_calls_it_physics() {
    let mut episode = puppet(&WALKER);
    let mut recorder = EpisodeRecorder::in_memory(&episode, EpisodeRecorder::meta(&episode)).unwrap();
    for _ in 0..50 {
        episode.step().unwrap();
        recorder.push(&episode).unwrap();
    }
    let run = Recording::from_bytes(recorder.into_bytes().unwrap()).unwrap();
    assert!(run.info().meta.kinematic && !run.audit(&Default::default()).holds);
}
