//! Ragdolls thrown about; the example `ragdolls` throws a hundred.

mod throw;

use sinew_dynamics::characters;
use sinew_world::{Actuation, Terrain, World};

#[test]
fn thrown_ragdolls_neither_explode_nor_fall_apart() {
    for seed in 0..6 {
        let outcome = throw::throw(seed, 2.0);
        let broken = throw::broken(&outcome);
        assert!(broken.is_none(), "ragdoll {seed}: {}", broken.unwrap_or_default());
        let unconverged = outcome.unconverged as f64 / outcome.steps as f64;
        assert!(unconverged < 0.1, "ragdoll {seed}: {unconverged} of the steps did not converge");
        assert!(outcome.penetration < 0.05, "ragdoll {seed} sank in by {} m", outcome.penetration);
    }
}

/// The head of this one rolls over the ground at 100 rad/s; friction that stopped its contact at the end of each step only, and
/// not in the mean, would give it a hundredth of its energy within five steps.
#[test]
fn friction_does_not_drive_what_rolls_fast() {
    let outcome = throw::throw(20, 0.7);
    assert!(outcome.failure.is_none() && outcome.constraint_gain < 1e-3, "{}", outcome.constraint_gain);
}

#[test]
fn a_torque_that_is_no_number_is_named_in_the_middle_of_a_fall() {
    let model = characters::load("human").unwrap();
    let mut torque = Actuation::none(model.nv());
    let mut world = World::new(Terrain::flat());
    world.add_character("human", model.into());
    for _ in 0..700 {
        world.step(std::slice::from_ref(&torque)).unwrap();
    }
    let before = world.clone();
    torque.torque[12] = f64::INFINITY;
    let error = world.step(std::slice::from_ref(&torque)).unwrap_err().to_string();
    assert_eq!(error, "step 700 (t = 0.7000 s): torque 12 of actor \"human\" is not a finite number");
    // nothing has changed: it goes on as if it had not been asked
    let (mut world, mut twin) = (world, before);
    for _ in 0..50 {
        world.step(&[]).unwrap();
        twin.step(&[]).unwrap();
    }
    assert_eq!(world.actors()[0].q, twin.actors()[0].q);
}
