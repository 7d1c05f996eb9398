//! States saved and restored, and runs in parallel: the same bits.

use crate::support::{build, free};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::*;
use sinew_world::{
    Actuation, Attachment, Cone, ContactModel, Event, Integrator, Penalty, Push, Terrain, World,
};

/// FNV-1a over the bits of all states and of the last contact forces.
fn hash(world: &World) -> u64 {
    let states = world.actors().iter().flat_map(|a| a.q.iter().chain(&a.v).copied());
    let forces = (0..world.actors().len()).flat_map(|i| world.report().contacts(i));
    let bits = states.chain(forces.flat_map(|c| [c.force.x, c.force.y, c.force.z])).map(f64::to_bits);
    bits.fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ b).wrapping_mul(0x0100_0000_01b3))
}

/// A human and boxes, with a push, a grip that opens, and another body on the way.
fn scene(contact: ContactModel, seed: u64) -> World {
    let human = characters::load("human").expect("built in");
    let mut world = World::new(Terrain::flat());
    world.configure(|s| s.contact = contact);
    let heavier = Change::AddPointMass { body: "head".into(), mass: 2.0, at: Vec3::zeros() };
    let heavier = Model::new(human.spec().changed(&[heavier]).expect("a change")).expect("a model");
    world.add_character("human", human.into());
    world.actor_mut(0).enable_self_collision();
    world.actor_mut(0).v[4] = 1.0 + 0.1 * seed as f64;
    let half = Vec3::new(0.1, 0.1, 0.1);
    for k in 0..2 {
        let at = Vec3::new(0.6, 0.0, 0.1 + 0.2 * f64::from(k));
        world.add_object(format!("box {k}"), build(free(Shape::Box { half }, 1.0, 0.8, at)));
    }
    let push = Push {
        actor: 0,
        body: BodyId(0),
        point: Vec3::zeros(),
        force: Vec3::new(40.0, 9.0, 0.0),
        steps: 100,
    };
    world.at(0.15, Event::Push(push));
    world.at(0.35, Event::Body { actor: 0, what: "a hat".into(), model: heavier.into() });
    if let ContactModel::Penalty(_) = contact {
        world.configure(|s| s.integrator = Integrator::Rk4);
        world.configure(|s| s.dt = 5e-4);
    } else {
        let grip = Attachment {
            a: (1, BodyId(0)),
            point_a: half,
            b: Some((2, BodyId(0))),
            point_b: Vec3::new(0.1, 0.1, -0.1),
            orientation: None,
        };
        world.attach(grip);
        world.at(0.4, Event::Detach(grip));
    }
    world
}

fn run(world: &mut World, steps: usize) {
    let nv = world.actors()[0].model().nv();
    for _ in 0..steps {
        let mut act = Actuation::none(nv);
        let t = world.time();
        (6..nv).for_each(|k| act.torque[k] = 4.0 * libm::sin(9.0 * t + k as f64));
        world.step(std::slice::from_ref(&act)).expect("a step");
    }
}

#[test]
fn a_restored_world_goes_on_with_the_same_bits() {
    let models = [
        ContactModel::default(),
        ContactModel::Complementarity { cone: Cone::Polyhedral { sides: 4 } },
        ContactModel::Penalty(Penalty::lee2010()),
    ];
    for contact in models {
        let mut world = scene(contact, 0);
        run(&mut world, 300);
        // in the middle of the push, before the change of body and the opening of the grip
        let saved = world.save();
        let at_save = hash(&world);
        run(&mut world, 300);
        let once = hash(&world);
        // back in the same world, and on in one that was built like it
        let mut other = scene(contact, 7);
        for world in [&mut world, &mut other] {
            world.restore(&saved).expect("the same world");
            assert_eq!(hash(world), at_save, "{contact:?}");
            assert_eq!((world.steps(), world.time()), (300, 300.0 * world.settings().dt));
            run(world, 300);
            assert_eq!(hash(world), once, "{contact:?}");
        }
    }
}

#[test]
fn another_world_is_refused() {
    let saved = scene(ContactModel::default(), 0).save();
    let mut flat = World::new(Terrain::flat());
    let error = flat.restore(&saved).expect_err("an empty world");
    assert_eq!(error.to_string(), "the snapshot is of another world: it has 3 actors, not 0");
    let mut birds = World::new(Terrain::flat());
    for name in ["human", "box 0", "box 1"] {
        birds.add_character(name, characters::load("ostrich").expect("built in").into());
    }
    assert!(birds.restore(&saved).is_err());
    assert_eq!(birds.steps(), 0);
}

/// Eight worlds, shared out to threads in any way, end with the same bits.
#[test]
fn threads_do_not_matter() {
    let run_with = |threads: usize| {
        let mut worlds: Vec<World> = (0..8).map(|seed| scene(ContactModel::default(), seed)).collect();
        std::thread::scope(|scope| {
            for part in worlds.chunks_mut(8 / threads) {
                scope.spawn(move || part.iter_mut().for_each(|world| run(world, 200)));
            }
        });
        worlds.iter().map(hash).collect::<Vec<_>>()
    };
    let alone = run_with(1);
    assert!(alone.windows(2).all(|pair| pair[0] != pair[1]), "the runs differ");
    assert_eq!(run_with(2), alone);
    assert_eq!(run_with(8), alone);
}
