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
fn a_falling_ragdoll_passes_the_audit() {
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

/// Joints that rub: held ones, sliding ones, and those that stop and start between.
#[test]
fn dry_friction_in_joints_passes_the_audit() {
    for (loss, kick) in [(0.5, 1.0), (2.0, 1.0), (2.0, 6.0), (8.0, 3.0), (0.05, 0.3)] {
        let mut spec = characters::load("human").unwrap().spec().clone();
        for joint in spec.bodies.iter_mut().flat_map(|b| &mut b.joints) {
            if joint.kind != sinew_dynamics::JointKind::Free {
                joint.friction_loss = loss;
            }
        }
        let model = sinew_dynamics::Model::new(spec).unwrap();
        let nv = model.nv();
        let mut world = World::new(Terrain::flat());
        world.add_character("rubbing", model.into());
        world.actor_mut(0).v[4] = kick;
        let mut wave = 0.0f64;
        let run = record(&mut world, 2500, |_| {
            wave += 0.01;
            let mut actuation = Actuation::none(nv);
            (6..nv).for_each(|k| actuation.torque[k] = 3.0 * (wave + k as f64).sin());
            actuation
        });
        let audit = run.audit(&Default::default());
        assert_eq!(audit.failures().count(), 0, "{loss} {kick}:\n{audit}");
    }
}
