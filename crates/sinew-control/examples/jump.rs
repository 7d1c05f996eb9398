//! Jumps and reports.
use sinew_control::features::*;
use sinew_control::*;
use sinew_dynamics::spatial::*;
use sinew_dynamics::*;
use sinew_world::*;
use std::sync::Arc;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let get = |key: &str, default: f64| {
        args.iter().position(|a| a == key).map_or(default, |i| args[i + 1].parse().unwrap())
    };
    let name = args.iter().position(|a| a == "--character").map_or("human", |i| &args[i + 1]);
    let legs = [Legs::Hang, Legs::Scissor, Legs::Split][get("--legs", 0.0) as usize];
    let jump = Jump {
        height: get("--height", 0.25),
        crouch: get("--crouch", 0.3),
        twist: get("--twist", 0.0).to_radians(),
        forward: get("--forward", 0.0),
        legs,
    };
    let model = Arc::new(characters::load(name).unwrap());
    let mut world = World::new(Terrain::flat());
    let me = world.add_character("me", model.clone());
    let mut jumper = Jumper::new(model.clone()).unwrap();
    world.actor_mut(me).q.copy_from_slice(jumper.walker.rest());
    jumper.reset(&Observation::of(&world, me)).unwrap();
    let mut out = Actuation::none(model.nv());
    let mut recorder = args.iter().position(|a| a == "--out").map(|i| {
        recording::WorldRecorder::create(&args[i + 1], &world, me, recording::Meta::new(1e-3), &[]).unwrap()
    });
    let mut data = Data::new(&model);
    let soles = Side::BOTH.map(|s| whole_body::Sole::of(&model, s).unwrap());
    let (mut clear, mut fell) = (0.0f64, None);
    for k in 0..(get("--seconds", 7.0) * 1000.0) as usize {
        if k == 300 {
            jumper.jump(jump);
        }
        let status = jumper.act(&Observation::of(&world, me), &Command::STAND, &mut out);
        if status != ControlStatus::Good {
            print!("{status:?} {k}; ");
        }
        world.step(std::slice::from_ref(&out)).unwrap();
        if let Some(r) = &mut recorder {
            r.push(&world, &[]).unwrap();
        }
        let a = &world.actors()[me];
        forward_kinematics(&model, &mut data, &a.q);
        let low = soles
            .iter()
            .flat_map(|s| s.corners.iter().map(|c| data.body_placement(&model, s.body).act(c).z))
            .fold(f64::INFINITY, f64::min);
        clear = clear.max(low);
        if args.iter().any(|x| x == "--verbose") && k % 50 == 0 {
            let mut t = Telemetry::default();
            jumper.telemetry(&mut t);
            println!(
                "{:.2} z {:.3} vz {:.2} low {:.3} phase {:?}",
                k as f64 * 1e-3,
                a.q[2],
                a.v[2],
                low,
                t.get("jump_phase")
            );
        }
        if a.q[2] < 0.5 * jumper.walker.rest()[2] {
            fell = Some(k);
            break;
        }
    }
    let a = &world.actors()[me];
    let yaw = {
        let q = &a.q[3..7];
        (2.0 * (q[0] * q[3] + q[1] * q[2])).atan2(1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3])).to_degrees()
    };
    println!(
        "fell {fell:?} jumps {} clearance {clear:.3} x {:.3} y {:.3} yaw {yaw:.1} steps {} speed {:.3}",
        jumper.jumps(),
        a.q[0],
        a.q[1],
        jumper.walker.steps(),
        Vec3::new(a.v[0], a.v[1], a.v[2]).norm()
    );
    if let Some(r) = recorder {
        r.finish().unwrap();
    }
}
