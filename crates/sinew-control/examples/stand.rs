//! A person stands still: five objectives and nothing else.
use sinew_control::whole_body::*;
use sinew_control::*;
use sinew_dynamics::spatial::*;
use sinew_dynamics::*;
use sinew_world::*;
use std::sync::Arc;

fn main() {
    let name = std::env::args().nth(1).unwrap_or("human".into());
    let push: f64 = std::env::args().nth(2).map_or(0.0, |s| s.parse().unwrap());
    let model = Arc::new(characters::load(&name).unwrap());
    let mut world = World::new(Terrain::flat());
    let me = world.add_character("me", model.clone());
    if let Some(key) = model.spec().keyframes.iter().find(|k| k.name == "ready") {
        world.actor_mut(me).q.copy_from_slice(&key.q);
    }
    let rest = world.actors()[me].q.clone();
    let soles = Side::BOTH.map(|s| Sole::of(&model, s).unwrap());
    let mut body = WholeBody::new(model.clone());
    body.kinetics.update(&rest, &vec![0.0; model.nv()]);
    let height = body.kinetics.com().z;
    let feet: Vec<_> = soles
        .iter()
        .map(|s| (body.kinetics.point(s.body, &s.center).0, body.kinetics.placement(s.body).rot))
        .collect();
    let middle = (feet[0].0 + feet[1].0) * 0.5 + Vec3::z() * height;
    let mut out = Actuation::none(model.nv());
    let nv = model.nv();
    let mut bad = 0;
    let clock = std::time::Instant::now();
    let mut spent = 0.0;
    for k in 0..5000 {
        if k == 1000 {
            let trunk = model.role(Role::Trunk).unwrap();
            world.push(Push::of_impulse(me, trunk, Vec3::zeros(), Vec3::x() * push, 0.1, 0.001));
        }
        let seen = Observation::of(&world, me);
        let t0 = std::time::Instant::now();
        body.kinetics.update(seen.q, seen.v);
        let mut objectives = vec![];
        let mut holds = vec![];
        for (sole, (at, rot)) in soles.iter().zip(&feet) {
            objectives.push(Objective::new(
                1,
                1.0,
                Task::Point {
                    body: sole.body,
                    point: sole.center,
                    goal: Goal::hold(*at, 400.0),
                    axes: Axes::all(),
                    from_com: false,
                },
            ));
            objectives.push(Objective::new(
                1,
                1.0,
                Task::Orientation {
                    body: sole.body,
                    target: *rot,
                    rate: Vec3::zeros(),
                    stiffness: 400.0,
                    damping: 40.0,
                    axes: Axes::all(),
                },
            ));
            for c in sole.corners {
                holds.push(Foothold {
                    body: sole.body,
                    point: c,
                    normal: Vec3::z(),
                    friction: 0.7,
                    cost: 1.0,
                });
            }
        }
        objectives.push(Objective::new(
            2,
            1.0,
            Task::Com { goal: Goal::hold(middle, 40.0), axes: Axes::all() },
        ));
        objectives.push(Objective::new(3, 1.0, Task::AngularMomentum { target: Vec3::zeros(), gain: 10.0 }));
        objectives.push(Objective::new(
            3,
            1.0,
            Task::Pose {
                target: rest.clone(),
                gains: (0..nv).map(|d| PoseGain::new(30.0, if d < 6 { 0.0 } else { 1.0 })).collect(),
            },
        ));
        let status = body.solve(&objectives, &holds);
        spent += t0.elapsed().as_secs_f64();
        bad += usize::from(status != ControlStatus::Good);
        out.torque.copy_from_slice(body.torque());
        if k % 500 == 0 {
            let f: f64 = body.forces().iter().map(|f| f.z).sum();
            let w: f64 = world.report().contacts(me).iter().map(|c| c.force.z).sum();
            println!(
                "{k} {status:?} com {:?} f {f:.2} w {w:.2} err {:?}",
                (body.kinetics.com() - middle).as_slice(),
                body.level_errors().take(3).collect::<Vec<_>>()
            );
        }
        world.step(&[out.clone()]).unwrap();
    }
    println!(
        "bad {bad}; total {:.2} s, control {:.1} us",
        clock.elapsed().as_secs_f64(),
        spent * 1e6 / 5000.0
    );
}
