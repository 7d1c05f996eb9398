//! Bodies with the features of other people's robots, of our own making: each balances and walks.
//!
//! Short here; `SINEW_LONG=1 cargo test -p sinew-lab --test all bodies -- --nocapture` balances for 10 s and walks for 20 s at Froude
//! numbers 0.05 and 0.1.

use sinew_control::Command;
use sinew_control::features::{BALANCER, WALKER};
use sinew_dynamics::format::mjcf::{self, Options};
use sinew_dynamics::spatial::{Inertia, Vec3};
use sinew_dynamics::{
    BodySpec, Geom, JointKind, JointSpec, Keyframe, Model, ModelSpec, Role, Shape, Side, Tie, characters,
};
use sinew_lab::scenario::ControllerPlan;
use sinew_lab::{Scenario, Simulation};
use sinew_motion::on_its_feet;
use std::sync::Arc;

fn human() -> ModelSpec {
    characters::load("human").unwrap().spec().clone()
}

fn index(spec: &ModelSpec, role: Role) -> usize {
    spec.body_index(spec.roles.get(role).unwrap()).unwrap()
}

/// A body at the end of another, inserted where the depth-first order has it.
fn hang(spec: &mut ModelSpec, parent: usize, body: BodySpec) {
    // the last body below the parent
    let below = |mut k: usize| {
        while k != parent {
            match spec.bodies[k].parent {
                Some(up) => k = up,
                None => return false,
            }
        }
        true
    };
    let place = 1 + (0..spec.bodies.len()).filter(|k| below(*k)).max().unwrap();
    for other in &mut spec.bodies {
        other.parent = other.parent.map(|p| if p >= place { p + 1 } else { p });
    }
    spec.bodies.insert(place, BodySpec { parent: Some(parent), ..body });
    // states of the old joints
    spec.keyframes.clear();
}

/// Light fingers without motors in both hands: they lie at their stops.
fn grippers() -> ModelSpec {
    let mut spec = human();
    for side in Side::BOTH {
        for k in 0..2 {
            let arm = index(&spec, Role::LowerArm(side));
            let name = format!("finger_{side:?}_{k}");
            let mut joint = JointSpec::slide(format!("{name}_slide"), Vec3::y()).limited(0.0, 0.03);
            (joint.damping, joint.effort) = (0.5, [0.0; 3]);
            let inertia = Inertia::solid_box(0.02, Vec3::new(0.02, 0.01, 0.06));
            hang(
                &mut spec,
                arm,
                BodySpec::new(name, None, inertia).at(Vec3::new(0.0, 0.0, -0.33)).with_joint(joint),
            );
        }
    }
    spec
}

/// A mass on a spring on the back, without a motor, and a neck that only dry friction holds.
fn springs() -> ModelSpec {
    let mut spec = human();
    let trunk = index(&spec, Role::Trunk);
    let mut joint = JointSpec::hinge("tail_hinge", Vec3::y());
    (joint.stiffness, joint.damping, joint.effort) = (8.0, 0.4, [0.0; 3]);
    let inertia = Inertia::solid_box(0.5, Vec3::new(0.3, 0.05, 0.05)).moved(&Vec3::new(-0.15, 0.0, 0.0));
    hang(
        &mut spec,
        trunk,
        BodySpec::new("tail", None, inertia).at(Vec3::new(-0.12, 0.0, 0.1)).with_joint(joint),
    );
    spec
}

/// Written as position servos with a damping ratio, read back.
fn servos() -> ModelSpec {
    let text = mjcf::write(&human());
    let joints = human();
    let hinges =
        joints.bodies.iter().flat_map(|b| &b.joints).filter(|j| matches!(j.kind, JointKind::Hinge { .. }));
    let servos: String = hinges
        .map(|j| {
            format!(
                "<position joint=\"{0}\" kp=\"300\" dampratio=\"1\" forcerange=\"-{1} {1}\"/>",
                j.name,
                j.effort[0].min(1e4)
            )
        })
        .collect();
    let (before, after) = text.split_once("<custom>").expect("custom data");
    let text = format!("{before}<actuator>{servos}</actuator><custom>{after}");
    mjcf::parse(&text, &Options::default()).unwrap_or_else(|e| panic!("{e}")).0
}

/// Drawn with bent ankles, so that soles are level only in the keyframe `home`.
fn tilted() -> ModelSpec {
    let spec = human();
    let model = Model::new(spec.clone()).unwrap();
    let stand = model.neutral();
    let mut drawn = stand.clone();
    for side in ["ankle_pitch_l", "ankle_pitch_r"] {
        drawn[model.joints()[model.joint(side).unwrap().0].q] = 0.175;
    }
    let mut spec = spec.with_reference(&drawn);
    spec.keyframes = vec![Keyframe { name: "home".into(), q: stand, v: vec![] }];
    spec
}

/// Soles that collide with nothing.
fn ghost_soles() -> ModelSpec {
    let mut spec = human();
    for role in Side::BOTH.into_iter().flat_map(|s| [Role::Foot(s), Role::Toe(s)]) {
        let Some(name) = spec.roles.get(role).map(str::to_owned) else { continue };
        let body = spec.body_index(&name).unwrap();
        spec.bodies[body].geoms.iter_mut().for_each(|g| (g.contype, g.conaffinity) = (0, 0));
    }
    spec
}

/// The shapes of the feet that collide, made anew of the corners of each.
fn feet(make: impl Fn(Vec3, Vec3) -> Vec<Geom>) -> ModelSpec {
    let mut spec = human();
    for role in Side::BOTH.into_iter().flat_map(|s| [Role::Foot(s), Role::Toe(s)]) {
        let Some(name) = spec.roles.get(role).map(str::to_owned) else { continue };
        let body = spec.body_index(&name).unwrap();
        let solid: Vec<Geom> = spec.bodies[body].geoms.iter().filter(|g| g.contype != 0).cloned().collect();
        let reach = |d: Vec3| solid.iter().map(|g| g.support(&d).dot(&d)).fold(f64::NEG_INFINITY, f64::max);
        let high = Vec3::new(reach(Vec3::x()), reach(Vec3::y()), reach(Vec3::z()));
        let low = -Vec3::new(reach(-Vec3::x()), reach(-Vec3::y()), reach(-Vec3::z()));
        let geoms = make(low, high);
        spec.bodies[body].geoms =
            geoms.into_iter().map(|g| Geom { friction: 1.0, conaffinity: 0, ..g }).collect();
    }
    spec
}

/// Two capsules along each part of a foot.
fn capsule_feet() -> ModelSpec {
    feet(|low, high| {
        let radius = 0.02;
        let half = (0.5 * (high.x - low.x) - radius).max(0.005);
        [low.y + radius, high.y - radius]
            .into_iter()
            .map(|y| {
                let mut geom = Geom::new(Shape::Capsule { radius, half });
                geom.quat = sinew_dynamics::spatial::Quat::from_axis_angle(
                    &Vec3::y_axis(),
                    std::f64::consts::FRAC_PI_2,
                );
                geom.pos = Vec3::new(0.5 * (low.x + high.x), y, low.z + radius);
                geom
            })
            .collect()
    })
}

/// A hull of twelve corners.
fn mesh_feet() -> ModelSpec {
    feet(|low, high| {
        let mut vertices = Vec::new();
        for z in [low.z, low.z + 0.04] {
            for x in [low.x, 0.5 * (low.x + high.x), high.x] {
                vertices.extend([low.y, high.y].map(|y| Vec3::new(x, y, z)));
            }
        }
        vec![Geom::new(Shape::Mesh { name: "sole".into(), vertices })]
    })
}

/// A loop: a strut from the trunk to the head, tied at its end.
fn looped() -> ModelSpec {
    let mut spec = human();
    let (trunk, head) = (index(&spec, Role::Trunk), spec.roles.get(Role::Head).unwrap().to_owned());
    let placements = spec.reference_placements();
    let at = Vec3::new(-0.12, 0.0, 0.1);
    let there = placements[trunk].act(&at);
    let strut = JointSpec::hinge("strut_hinge", Vec3::y());
    let length = Vec3::new(0.0, 0.0, 0.25);
    let end = placements[spec.body_index(&head).unwrap()].inverse().act(&(there + length));
    let inertia = Inertia::solid_box(0.1, Vec3::new(0.02, 0.02, 0.25)).moved(&(length * 0.5));
    let mut strut = strut;
    strut.effort = [0.0; 3];
    hang(&mut spec, trunk, BodySpec::new("strut", None, inertia).at(at).with_joint(strut));
    spec.ties.push(Tie {
        name: "loop".into(),
        body: "strut".into(),
        other: Some(head),
        point: length,
        point_other: end,
        orientation: None,
    });
    spec
}

/// Without a joint to the world.
fn rootless() -> ModelSpec {
    let mut spec = human();
    spec.keyframes.clear();
    spec.bodies[0].joints.clear();
    spec
}

/// A feature, and a body that has it.
type Made = (&'static str, fn() -> ModelSpec);

#[test]
fn bodies_with_the_features_of_robots_balance_and_walk() {
    let long = std::env::var_os("SINEW_LONG").is_some();
    let (balance, walk) = if long { (10.0, 20.0) } else { (0.6, 2.0) };
    let made: [Made; 9] = [
        ("grippers without motors", grippers),
        ("a tail on a spring", springs),
        ("position servos", servos),
        ("soles level in `home` alone", tilted),
        ("soles that collide with nothing", ghost_soles),
        ("feet of capsules", capsule_feet),
        ("feet of meshes", mesh_feet),
        ("a loop", looped),
        ("no joint to the world", rootless),
    ];
    let mut wrong = Vec::new();
    for (name, make) in made {
        let (spec, _) = on_its_feet(make());
        let model = Arc::new(Model::new(spec).unwrap_or_else(|e| panic!("{name}: {e}")));
        let leg = {
            let at = model.spec().reference_placements();
            at[model.role(Role::Thigh(Side::Left)).unwrap().0].pos.z
                - model.spec().extent(&at, &Vec3::z()).map_or(0.0, |[low, _]| low)
        };
        let unit = (leg * model.gravity().norm()).sqrt();
        let play = |system, speed: f64, seconds: f64| {
            let scenario = Scenario {
                controller: ControllerPlan::new(system),
                commands: vec![(0.0, Command::forward(speed))],
                seconds,
                ..Scenario::default()
            };
            let mut simulation = Simulation::new(scenario, Arc::clone(&model)).map_err(|e| e.to_string())?;
            while !simulation.ended() && simulation.metrics().fall().is_none() {
                simulation.step().map_err(|e| e.to_string())?;
            }
            let went = simulation.metrics().summary().distance_m;
            match simulation.metrics().fall() {
                Some((time, fall)) => Err(format!("fell at {time:.2} s: {fall}")),
                None => Ok((went, simulation.decisions())),
            }
        };
        let froude: &[f64] = if long { &[0.05, 0.1] } else { &[0.05] };
        let mut runs = vec![("balances", 0.0, play(&BALANCER, 0.0, balance))];
        runs.extend(froude.iter().map(|f| ("walks", f.sqrt() * unit, play(&WALKER, f.sqrt() * unit, walk))));
        for (what, speed, run) in runs {
            match run {
                Ok((went, decisions)) => {
                    println!(
                        "{name}: {what} at {speed:.2} m/s: {went:.2} m, {} of {} decisions fell back",
                        decisions.fallbacks, decisions.all
                    );
                    let far = what == "balances" || went > 0.5 * speed * walk;
                    if decisions.fallbacks > decisions.all / 100 || !far {
                        wrong.push(format!("{name} {what} at {speed:.2} m/s: {went:.2} m, {decisions:?}"));
                    }
                }
                Err(why) => wrong.push(format!("{name} {what} at {speed:.2} m/s: {why}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
