//! Symmetry: a mirrored state and command give mirrored torques.

use sinew_control::features::Walker;
use sinew_control::{Command, Controller, Observation, Out};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Role, characters};
use sinew_motion::edit::Mirror;
use sinew_world::{Actuation, Push, Terrain, World};
use std::sync::Arc;

/// One walker walks in the world; a second one gets mirrored observations of it, with pushes and steps to the side.
#[test]
fn a_mirrored_walk_has_mirrored_torques() {
    let model = Arc::new(characters::load("human").unwrap());
    let mirror = Mirror::new(&model);
    let other_side = |body: usize| {
        let name = &model.bodies()[body].name;
        let image = match (name.strip_suffix("_l"), name.strip_suffix("_r")) {
            (Some(part), _) => format!("{part}_r"),
            (_, Some(part)) => format!("{part}_l"),
            _ => name.clone(),
        };
        model.body(&image).unwrap().0
    };
    let mut world = World::new(Terrain::flat());
    let me = world.add_character("human", model.clone());
    let [mut walker, mut image] = [0, 1].map(|_| Walker::new(model.clone()).unwrap());
    world.actor_mut(me).q.copy_from_slice(walker.rest());
    // a little to one side, so that it is clear which foot goes first
    world.actor_mut(me).v[1] = 0.05;
    let mut torques = [Actuation::none(model.nv())];
    let (mut seen_torques, mut mirrored) = (Actuation::none(model.nv()), vec![0.0; model.nv()]);
    let (mut q, mut v) = (model.neutral(), vec![0.0; model.nv()]);
    let mut worst: f64 = 0.0;
    for tick in 0..4000 {
        if tick == 2200 {
            let trunk = model.role(Role::Trunk).unwrap();
            let impulse = Vec3::new(0.2, 0.3, 0.0) * model.mass();
            world.push(Push::of_impulse(me, trunk, Vec3::zeros(), impulse, 0.4, 1e-3));
        }
        let seen = Observation::of(&world, me);
        mirror.configuration(seen.q, &mut q);
        mirror.velocity(seen.v, &mut v);
        let mut contacts = seen.contacts.to_vec();
        for c in &mut contacts {
            c.body = other_side(c.body);
            (c.point.y, c.force.y, c.normal.y) = (-c.point.y, -c.force.y, -c.normal.y);
        }
        let reflected = seen.with_state((&q, &v), &contacts);
        if tick == 0 {
            walker.reset(&seen).unwrap();
            image.reset(&reflected).unwrap();
        }
        let (side, turn) = if tick > 1500 { (0.2, 0.5) } else { (0.0, 0.0) };
        let command = Command { velocity: [0.7, side], heading: turn };
        walker.act(&seen, &command, &mut Out::new(&mut torques[0]));
        image.act(
            &reflected,
            &Command { velocity: [0.7, -side], heading: -turn },
            &mut Out::new(&mut seen_torques),
        );
        // torques of joints are mirrored as their velocities are
        mirror.velocity(&seen_torques.torque, &mut mirrored);
        let miss = torques[0].torque.iter().zip(&mirrored).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let strongest = torques[0].torque.iter().fold(0.0_f64, |m, t| m.max(t.abs()));
        worst = worst.max(miss / strongest);
        world.step(&torques).unwrap();
    }
    assert!(walker.steps() > 5 && walker.steps() == image.steps());
    assert!(worst < 1e-9, "{worst} of the strongest torque");
}
