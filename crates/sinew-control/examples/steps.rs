//! A person who walks, turns and is pushed, recorded to look at:
//! `cargo run --release --example steps -p sinew-control`, then `sinew sheet steps.npz --out steps.png`.

use sinew_control::features::Walker;
use sinew_control::{Command, Controller, Observation, Out};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Role, characters};
use sinew_world::recording::{Meta, WorldRecorder};
use sinew_world::{Actuation, Push, Terrain, World};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let human = Arc::new(characters::load("human")?);
    let mut walker = Walker::new(human.clone())?;
    let mut world = World::new(Terrain::flat());
    let me = world.add_character("human", human.clone());
    world.actor_mut(me).q.copy_from_slice(walker.rest());
    walker.reset(&Observation::of(&world, me))?;

    let dt = world.settings().dt;
    let mut recorder = WorldRecorder::create("steps.npz", &world, me, Meta::new(dt), &[])?;
    let mut torques = [Actuation::none(human.nv())];
    let trunk = human.role(Role::Trunk).ok_or("no trunk")?;
    while world.time() < 12.0 {
        let t = world.time();
        let command = match t {
            _ if t < 0.5 => Command::STAND,
            _ if t < 5.0 => Command::forward(1.0),
            _ if t < 9.0 => Command { velocity: [0.8, 0.0], heading: 1.5 },
            _ => Command { velocity: [0.0, 0.0], heading: 1.5 },
        };
        if (t - 4.0).abs() < 0.5 * dt {
            // 30 N·s to the left, within 0.2 s
            world.push(Push::of_impulse(me, trunk, Vec3::zeros(), Vec3::y() * 30.0, 0.2, dt));
        }
        walker.act(&Observation::of(&world, me), &command, &mut Out::new(&mut torques[0]));
        world.step(&torques)?;
        recorder.push(&world, &[])?;
    }
    recorder.finish()?;
    let q = &world.actors()[me].q;
    println!("{} steps, now at ({:.2}, {:.2}) m; see steps.npz", walker.steps(), q[0], q[1]);
    Ok(())
}
