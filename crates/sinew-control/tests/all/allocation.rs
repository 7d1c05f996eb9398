//! A decision allocates nothing once its buffers have grown.

use sinew_control::features::{Balancer, JUMPER, Jumper, Walker};
use sinew_control::simbicon::Simbicon;
use sinew_control::{
    Action, Clips, Command, Controller, Episode, Observation, Order, Out, Registry, Request, Value,
};
use sinew_dynamics::characters;
use sinew_motion::motions;
use sinew_world::{Actuation, Terrain, World};
use std::sync::Arc;

/// Number of allocations in all decisions after a time, s.
fn allocations(character: &str, make: impl Fn(&mut World) -> Box<dyn Controller>, from: f64, to: f64) -> u64 {
    let model = Arc::new(characters::load(character).unwrap());
    let mut world = World::new(Terrain::flat());
    world.add_character(character, model.clone());
    let mut controller = make(&mut world);
    controller.reset(&Observation::of(&world, 0)).unwrap();
    let mut torques = [Actuation::none(model.nv())];
    let mut count = 0;
    while world.time() < to {
        let counted = allocation_counter::measure(|| {
            controller.act(
                &Observation::of(&world, 0),
                &Command::forward(0.5),
                &mut Out::new(&mut torques[0]),
            );
        });
        count += if world.time() < from { 0 } else { counted.count_total };
        world.step(&torques).unwrap();
    }
    count
}

#[test]
fn a_walk_allocates_nothing() {
    for character in ["human", "human42"] {
        let make = |world: &mut World| -> Box<dyn Controller> {
            let walker = Walker::new(world.actors()[0].model().clone()).unwrap();
            world.actor_mut(0).q.copy_from_slice(walker.rest());
            Box::new(walker)
        };
        assert_eq!(allocations(character, make, 2.5, 4.0), 0, "{character}");
    }
}

#[test]
fn poses_and_foot_placement_allocate_nothing() {
    for character in ["human", "walker2d"] {
        let make = |world: &mut World| -> Box<dyn Controller> {
            let simbicon = Simbicon::new(world.actors()[0].model().clone()).unwrap();
            let start = simbicon.start().q;
            world.actor_mut(0).q.copy_from_slice(&start);
            Box::new(simbicon)
        };
        assert_eq!(allocations(character, make, 0.01, 1.0), 0, "{character}");
    }
}

/// Decisions at 120 Hz, both laws, and the correction by real forces in between.
#[test]
fn following_a_plan_allocates_nothing() {
    let model = Arc::new(characters::load("human29").unwrap());
    let registry = Registry::built_in();
    let system = registry.iter().find(|s| s.needs.clips == Clips::One && s.follows.is_some()).unwrap();
    let mut order = Order::new(system, model.clone());
    order.clips.push(Arc::new(motions::load("walk", &model).unwrap()));
    order.set("choose", Value::Flag(false)).unwrap();
    let prepared = order.prepare(&(), &|_| true).unwrap();
    for law in ["nqr", "lqr"] {
        order.set("law", Value::Name(law.to_owned())).unwrap();
        let make = |world: &mut World| -> Box<dyn Controller> {
            let controller = order.build(&prepared).unwrap();
            let start = controller.start();
            world.actor_mut(0).q.copy_from_slice(&start.q);
            world.actor_mut(0).v.copy_from_slice(&start.v);
            controller
        };
        assert_eq!(allocations("human29", make, 0.05, 0.3), 0, "{law}");
    }
}

#[test]
fn squats_allocate_nothing() {
    let make = |world: &mut World| -> Box<dyn Controller> {
        let mut balancer = Balancer::new(world.actors()[0].model().clone()).unwrap();
        world.actor_mut(0).q.copy_from_slice(balancer.walker.rest());
        balancer.stance.squat_depth = 0.2;
        Box::new(balancer)
    };
    assert_eq!(allocations("human", make, 0.5, 2.0), 0);
}

/// Buffers grow during the first jump; the second one allocates nothing.
#[test]
fn a_jump_allocates_nothing() {
    let kind = JUMPER.request("jump").unwrap();
    let model = Arc::new(characters::load("human").unwrap());
    let mut world = World::new(Terrain::flat());
    world.add_character("human", model.clone());
    let mut jumper = Jumper::new(model.clone()).unwrap();
    world.actor_mut(0).q.copy_from_slice(jumper.walker.rest());
    jumper.reset(&Observation::of(&world, 0)).unwrap();
    let mut torques = [Actuation::none(model.nv())];
    for jump in 1..=2 {
        jumper.ask(&Request::new(kind)).unwrap();
        while jumper.jumps() < jump {
            let out = &mut Out::new(&mut torques[0]);
            let seen = Observation::of(&world, 0);
            let counted = allocation_counter::measure(|| {
                jumper.act(&seen, &Command::STAND, out);
            });
            assert!(jump == 1 || counted.count_total == 0, "at {} s", world.time());
            world.step(&torques).unwrap();
        }
    }
}

/// A snapshot of a run with any controller is small, and after a restore the run gives the same bits.
#[test]
fn snapshots_are_small_and_exact() {
    for system in Registry::built_in().iter().filter(|system| system.needs.clips == Clips::None) {
        let human = characters::load("human").unwrap();
        let mut episode = Episode::on_flat_ground(system, human).unwrap();
        episode.perform(&Action::Command(Command::forward(0.8))).unwrap();
        episode.run(1.3).unwrap();
        let mut saved = None;
        let counted = allocation_counter::measure(|| saved = Some(episode.save()));
        assert!(counted.bytes_max < 100_000, "{}: {} bytes", system.name, counted.bytes_max);
        episode.run(0.7).unwrap();
        let end = (episode.q().to_vec(), episode.v().to_vec());
        episode.restore(&saved.unwrap()).unwrap();
        episode.run(0.7).unwrap();
        assert!(end == (episode.q().to_vec(), episode.v().to_vec()), "{}", system.name);
    }
}
