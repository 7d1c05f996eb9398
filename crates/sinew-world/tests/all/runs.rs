//! Whole runs of the world pass the audit.

use sinew_dynamics::characters;
use sinew_dynamics::spatial::Vec3;
use sinew_world::recording::{Meta, Recording, WorldRecorder};
use sinew_world::{Actuation, Push, Terrain, World};

/// Records a character for a number of steps with the torques that `act` gives.
pub(crate) fn record(world: &mut World, steps: usize, mut act: impl FnMut(&World) -> Actuation) -> Recording {
    let meta = Meta::new(world.settings().dt);
    let mut recorder = WorldRecorder::in_memory(world, 0, meta, &[]).unwrap();
    for _ in 0..steps {
        let actuation = act(world);
        world.step(std::slice::from_ref(&actuation)).unwrap();
        recorder.push(world, &[]).unwrap();
    }
    Recording::from_bytes(recorder.into_bytes().unwrap()).unwrap()
}

#[test]
fn a_falling_ragdoll_is_honest() {
    for name in ["human", "human42", "human29", "child", "ostrich"] {
        let model = characters::load(name).unwrap();
        let nv = model.nv();
        let trunk = model.role(sinew_dynamics::Role::Trunk).unwrap();
        let mut world = World::new(Terrain::flat());
        world.add_character(name, model.into());
        world.actor_mut(0).q[2] += 0.3;
        world.actor_mut(0).v[4] = 1.0;
        world.push(Push::of_impulse(
            0,
            trunk,
            Vec3::zeros(),
            Vec3::new(0.0, 15.0, 0.0),
            0.2,
            world.settings().dt,
        ));
        let mut wave = 0.0f64;
        let run = record(&mut world, 2500, |_| {
            wave += 0.01;
            let mut actuation = Actuation::none(nv);
            (6..nv).for_each(|k| actuation.torque[k] = 3.0 * (wave + k as f64).sin());
            actuation
        });
        let audit = run.audit(&Default::default());
        assert_eq!(audit.failures().count(), 0, "{name}:\n{audit}");
        assert_eq!(run.summary(Default::default()).fell, Some(true), "{name} should have fallen");
    }
}
