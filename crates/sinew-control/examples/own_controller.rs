//! A controller of one's own is a list of features and priorities: this body stands, sways and draws a circle with its left hand.
//! `cargo run --release --example own_controller` writes `own_controller.npz` for `sinew view`.

use sinew_control::whole_body::{Axes, Foothold, Goal, Objective, PoseGain, Sole, Task, WholeBody};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Role, Side, characters};
use sinew_world::recording::{Meta, WorldRecorder};
use sinew_world::{Actuation, Terrain, World};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let human = Arc::new(characters::load("human")?);
    let ready = human.spec().keyframes.iter().find(|k| k.name == "ready").ok_or("no pose")?.q.clone();
    let mut world = World::new(Terrain::flat());
    let me = world.add_character("human", human.clone());
    world.actor_mut(me).q.copy_from_slice(&ready);
    let mut body = WholeBody::new(human.clone());
    body.kinetics.update(&ready, &vec![0.0; human.nv()]);

    // what stays the same: planted feet first, the trunk and a relaxed pose last
    let soles = [Sole::of(&human, Side::Left)?, Sole::of(&human, Side::Right)?];
    let mut fixed = Vec::new();
    for sole in &soles {
        for point in sole.corners {
            let goal = Goal::hold(body.kinetics.point(sole.body, &point).0, 400.0);
            let corner = Task::Point { body: sole.body, point, goal, axes: Axes::all(), from_com: false };
            fixed.push(Objective::new(1, 1.0, corner));
        }
    }
    let gains = (0..human.nv()).map(|dof| PoseGain::new(40.0, if dof < 6 { 0.0 } else { 1.0 })).collect();
    fixed.push(Objective::new(3, 0.3, Task::Pose { target: ready.clone().into(), gains }));
    fixed.push(Objective::new(3, 1.0, Task::AngularMomentum { target: Vec3::zeros(), gain: 5.0 }));

    let (stand, hand) = (body.kinetics.com(), human.role(Role::LowerArm(Side::Left)).ok_or("no arm")?);
    let hold = |sole: &Sole| sole.corners.map(|point| (sole.body, point));
    let holds: Vec<Foothold> = soles
        .iter()
        .flat_map(hold)
        .map(|(body, point)| Foothold { body, point, normal: Vec3::z(), friction: 0.7, cost: 1.0 })
        .collect();
    let dt = world.settings().dt;
    let mut recorder = WorldRecorder::create("own_controller.npz", &world, me, Meta::new(dt), &[])?;
    let mut torques = [Actuation::none(human.nv())];
    while world.time() < 6.0 {
        let (s, c) = libm::sincos(3.0 * world.time());
        body.kinetics.update(&world.actors()[me].q, &world.actors()[me].v);
        // what moves: the centre of mass as second, the hand beside trunk and pose
        let sway = Goal::hold(stand + Vec3::new(0.0, 0.03 * s, -0.05 + 0.05 * c), 40.0);
        let circle = Goal::hold(stand + Vec3::new(0.35, 0.25 + 0.15 * c, 0.35 + 0.15 * s), 100.0);
        let (point, axes) = (Vec3::new(0.0, 0.0, -0.34), Axes::all());
        let mut objectives = fixed.clone();
        objectives.push(Objective::new(2, 1.0, Task::Com { goal: sway, axes }));
        let reach = Task::Point { body: hand, point, goal: circle, axes, from_com: false };
        objectives.push(Objective::new(3, 10.0, reach));
        body.solve(&objectives, &holds);
        torques[0].torque.copy_from_slice(body.torque());
        world.step(&torques)?;
        recorder.push(&world, &[])?;
    }
    recorder.finish()?;
    println!("stands at {:.2} m after {:.0} s; see own_controller.npz", body.kinetics.com().z, world.time());
    Ok(())
}
