//! Steps allocate nothing once the buffers have grown.

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
