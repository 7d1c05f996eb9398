//! Records a fall: the built-in human stands with weak joints, is pushed, and ends on the ground, where a blow on an arm
//! sets it turning fast.
//!
//! ```text
//! cargo run --release -p sinew-world --example record -- run.npz
//! ```

use sinew_dynamics::characters;
use sinew_dynamics::spatial::Vec3;
use sinew_world::audit::{Options, audit};
use sinew_world::metrics::Params;
use sinew_world::recording::{Meta, RecordingReader, WorldRecorder};
use sinew_world::{Actuation, Push, Terrain, World};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "run.npz".to_owned());
    let human = Arc::new(characters::load("human")?);
    let stand = human.neutral();
    let mut world = World::new(Terrain::flat());
    let me = world.add_character("human", Arc::clone(&human));
    let dt = world.settings().dt;
    let trunk = human.body("upper_back").ok_or("the human has a trunk")?;
    world.push(Push::of_impulse(me, trunk, Vec3::new(0.0, 0.0, 0.2), Vec3::new(20.0, 10.0, 0.0), 0.1, dt));

    let meta = Meta { scenario: "a push and a fall".into(), ..Meta::new(dt) };
    let mut recorder = WorldRecorder::create(&path, &world, me, meta, &[])?;
    // springs and dampers towards the standing posture, too weak to balance
    let mut actuation = [Actuation::none(human.nv())];
    for k in 0..2000 {
        if k == 1500 {
            let body = human.body("lower_arm_r").ok_or("the human has an arm")?;
            let force = Vec3::new(500.0, -1000.0, 3000.0);
            world.push(Push { actor: me, body, point: Vec3::zeros(), force, steps: 3 });
        }
        let actor = &world.actors()[me];
        let tau = &mut actuation[0].torque;
        human.difference(&actor.q, &stand, tau);
        for (k, tau) in tau.iter_mut().enumerate() {
            *tau = if k < 6 { 0.0 } else { 100.0 * *tau - 2.0 * actor.v[k] };
        }
        world.step(&actuation)?;
        recorder.push(&world, &[])?;
    }
    recorder.finish()?;

    println!("{}", RecordingReader::open(&path)?.summary(Params::default())?);
    print!("{}", audit(&mut RecordingReader::open(&path)?, &Options::default())?);
    Ok(())
}
