//! Steps allocate nothing once the buffers have grown.

use crate::circles::{leg, set};
use sinew_dynamics::characters;
use sinew_world::terrain::Course;
use sinew_world::{Terrain, World};

/// Allocations in `count` steps after `warm` steps.
fn allocations(world: &mut World, warm: usize, count: usize) -> u64 {
    for _ in 0..warm {
        world.step(&[]).unwrap();
    }
    allocation_counter::measure(|| {
        for _ in 0..count {
            world.step(&[]).unwrap();
        }
    })
    .count_total
}

#[test]
fn a_standing_body_and_a_fallen_one() {
    for (name, terrain) in [
        ("human", Terrain::flat()),
        ("human42", Terrain::flat()),
        ("human", Terrain::generate(Course::Rough, 1.0, 3).unwrap()),
    ] {
        let mut world = World::new(terrain);
        world.add_character(name, characters::load(name).unwrap().into());
        // upright for the first steps
        assert_eq!(allocations(&mut world.clone(), 20, 50), 0, "{name} stands");
        // spinning through the air, with velocity products at the middle of the steps
        let mut thrown = world.clone();
        let actor = thrown.actor_mut(0);
        actor.q[2] += 5.0;
        actor.v[3..6].copy_from_slice(&[20.0, 30.0, 10.0]);
        assert_eq!(allocations(&mut thrown, 400, 200), 0, "{name} spins");
        assert_eq!(allocations(&mut world, 3000, 500), 0, "{name} lies");
    }
}

/// Pivoting comes without warning, in one step of thousands: it cannot be left to grow when it is first needed.
#[test]
fn the_first_step_that_is_left_to_pivoting() {
    let room = allocation_counter::measure(|| drop(World::new(Terrain::flat()))).bytes_max;
    assert!(room < 5_500_000, "an empty world takes {room} bytes");
    let mut pivoted = leg();
    let (q, v) = (pivoted.actors()[0].q.clone(), pivoted.actors()[0].v.clone());
    pivoted.step(&[]).unwrap();
    for mut world in [leg(), leg().clone()] {
        // lies on the ground, then hangs in the air, where no impulses are remembered
        let nv = v.len();
        for height in [0.1, 5.0] {
            let mut q = world.actors()[0].model().neutral();
            (q[2], q[3], q[4]) = (height, 0.5f64.sqrt(), 0.5f64.sqrt());
            set(&mut world, &q, &vec![0.0; nv]);
            allocations(&mut world, 300, 0);
        }
        set(&mut world, &q, &v);
        assert_eq!(allocations(&mut world, 0, 1), 0);
        assert_eq!(world.actors()[0].v, pivoted.actors()[0].v, "the same step");
    }
}
