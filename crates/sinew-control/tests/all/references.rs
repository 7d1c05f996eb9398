//! A simulated walk as a reference: its contacts are known to the millisecond, its dynamics are exact.

use sinew_control::features::Walker;
use sinew_control::{Command, Controller, Observation, Out};
use sinew_dynamics::{Side, characters};
use sinew_motion::export::recording;
use sinew_motion::reference::{self, Plausibility};
use sinew_motion::retarget::BoneMap;
use sinew_motion::{Clip, FitOptions, contacts, fit};
use sinew_world::recording::{Meta, Recording, WorldRecorder};
use sinew_world::{Actuation, Terrain, World};
use std::sync::Arc;

/// Eight seconds of the walker: it stands, walks, and stops.
fn walk() -> Recording {
    let model = Arc::new(characters::load("human").unwrap());
    let mut world = World::new(Terrain::flat());
    let me = world.add_character("human", model.clone());
    let mut walker = Walker::new(model.clone()).unwrap();
    world.actor_mut(me).q.copy_from_slice(walker.rest());
    walker.reset(&Observation::of(&world, me)).unwrap();
    let mut recorder = WorldRecorder::in_memory(&world, me, Meta::new(1e-3), &[]).unwrap();
    let mut torques = [Actuation::none(model.nv())];
    for k in 0..8000 {
        let speed = if (800..6000).contains(&k) { 1.0 } else { 0.0 };
        walker.act(&Observation::of(&world, me), &Command::forward(speed), &mut Out::new(&mut torques[0]));
        world.step(&torques).unwrap();
        recorder.push(&world, &[]).unwrap();
    }
    Recording::from_bytes(recorder.into_bytes().unwrap()).unwrap()
}

/// Share of frames and feet in which two sets of contacts agree.
fn same(a: &Clip, b: &sinew_motion::FootContacts) -> f64 {
    let own = a.contacts.as_ref().unwrap();
    let equal = |side| (0..a.len()).filter(|&k| own.down(side, k) == b.down(side, k)).count();
    Side::BOTH.into_iter().map(equal).sum::<usize>() as f64 / (2 * a.len()) as f64
}

#[test]
fn a_recorded_walk_is_a_reference() {
    let run = walk();
    let whole = recording::clip(&run).unwrap();
    // the clip has the recorded frames, and contacts where the ground pressed
    assert_eq!((whole.len(), whole.rate), (run.len(), 1000.0));
    let slow = whole.resampled(120.0);
    let p = Plausibility::of(&slow).unwrap();
    assert!(p.pressure_outside_p95_m < 0.02 && p.force_p1 > 0.3 && p.force_p99 < 2.0, "{p:?}");

    // the rule for captured motions sees no forces: feet that come to rest just above the ground and leave it slowly count as down
    // for longer, by a twentieth of the frames at either end
    let mut take = slow.to_take().unwrap();
    let known = take.contacts.take();
    let found = contacts::find(&take, &BoneMap::guess(&take.skeleton), None).unwrap();
    let share = same(&slow, &found.contacts);
    assert!(share > 0.88 && found.flights.is_empty(), "{share}");

    // on the same body again, with the contacts that it has: the walk as it was
    take.contacts = known;
    let fitted = fit(&take, whole.model(), &FitOptions::default()).unwrap();
    let knees = fitted.changes.map(|c| c.knee.size_deg());
    assert!(knees.iter().all(|k| *k < 5.0), "{knees:?} {}", fitted.missed);

    // its best cycle can be repeated
    let frames = reference::best_cycle(&slow).unwrap();
    let cycle = reference::cycle(&slow, frames).unwrap();
    assert!((0.8..1.5).contains(&cycle.duration()), "{}", cycle.duration());
    // it stands for the first 0.8 s
    let walked = reference::walked(&slow).unwrap();
    assert!((90..200).contains(walked.start()), "{walked:?}");
}
