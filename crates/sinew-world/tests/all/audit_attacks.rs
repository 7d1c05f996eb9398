//! Ways to cheat the audit: each is caught, or printed where a reader sees it. `docs/limits.md` lists them.

use crate::audit::{ANGULAR, JOINTS, JUMP, LINEAR, ROOT, fails, holds, worst};
use crate::honest::{
    Forces, Run, Seen, bent, box_model, flight, flight_with, landing, simulate, sliding_box,
};
use sinew_dynamics::spatial::{Inertia, Vec3};
use sinew_dynamics::{BodyId, BodySpec, Geom, JointKind, JointSpec, Model, Shape, characters};
use sinew_world::audit::{Audit, AuditReport, Options};
use sinew_world::recording::{Attachment, BodyChange, Damping, Meta, Recording, WorldRecorder};
use sinew_world::{ContactForce, Path, Platform, Terrain, World};

const EXPLAINED: &str = "constraint forces explained";
const ON_THINGS: &str = "contact points on things";

/// The human with a changed description.
fn human_with(change: impl FnOnce(&mut sinew_dynamics::ModelSpec)) -> Model {
    let mut spec = characters::load("human").expect("built in").spec().clone();
    // states of bodies that this one may not be any more
    spec.keyframes.clear();
    change(&mut spec);
    Model::new(spec).expect("a model")
}

/// A bent body in free fall, with given additional forces.
fn fall(model: &Model, meta: Meta, law: impl FnMut(&Seen<'_>) -> Forces) -> Run {
    let free = model.free_root().expect("a free root").q;
    let mut q = model.neutral();
    let human = characters::load("human").expect("built in");
    if model.nq() == human.nq() {
        q = bent(&human);
    }
    q[free + 2] += 1.0;
    simulate(model, meta, (q, vec![0.1; model.nv()]), 150, law)
}

/// A force of this share of the weight at the pelvis that the thing of index 1 is said to give.
fn lifted(share: f64) -> Run {
    let mut run = flight_with(|seen, forces| {
        let (point, _) = seen.point(BodyId(0), &Vec3::zeros());
        forces.contacts.push(ContactForce {
            body: 0,
            other: Some(1),
            point,
            force: Vec3::z() * (share * seen.model.mass() * 9.81),
            normal: Vec3::z(),
            distance: 0.0,
            friction: 1.0,
        });
    });
    run.things = vec!["me".into(), "crate".into()];
    run.meta.actor = "me".into();
    run
}

#[test]
fn an_object_that_is_missing() {
    assert!(lifted(1.0).audit().failures().any(|check| check == ON_THINGS));
}

/// The character's own hand under another name: its push would need no reaction.
#[test]
fn the_character_under_another_name() {
    let mut run = lifted(1.0);
    run.things = vec!["crate".into(), "me".into()];
    run.meta.actor = "me".into();
    assert!(run.audit().failures().any(|check| check == "self-contact reactions"));
    run.meta.actor = "crate".into();
    assert!(run.audit().failures().any(|check| check == ON_THINGS));
    run.meta.actor = "nobody".into();
    assert!(run.audit().failures().any(|check| check == ON_THINGS));
}

/// The human stands limp on a platform for a moment; rows may be tampered with before the audit sees them.
fn on_a_platform(tamper: impl Fn(&mut Vec<[f64; 7]>)) -> AuditReport {
    let mut world = World::new(Terrain::flat());
    let me = world.add_character("human", characters::load("human").expect("built in").into());
    world.actor_mut(me).q[2] += 0.5;
    let path = Path::Steady { position: Vec3::z() * 0.45, velocity: Vec3::zeros(), spin: Vec3::zeros() };
    let shape = Shape::Box { half: Vec3::new(1.0, 1.0, 0.05) };
    world.add_platform(Platform { name: "lift".into(), shape, path, friction: 1.0 });
    let mut recorder = WorldRecorder::in_memory(&world, me, Meta::new(1e-3), &[]).expect("a recorder");
    for _ in 0..80 {
        world.step(&[]).expect("a step");
        recorder.push(&world, &[]).expect("a row");
    }
    let run = Recording::from_bytes(recorder.into_bytes().expect("bytes")).expect("a recording");
    let mut audit = Audit::new(run.info().clone(), &Options::default());
    for row in run.rows() {
        let mut objects = row.objects.to_vec();
        tamper(&mut objects);
        audit.push(&sinew_world::recording::Row { objects: &objects, ..row });
    }
    audit.finish()
}

#[test]
fn an_object_in_another_place() {
    let honest = on_a_platform(|_| ());
    assert!(honest.holds && worst(&honest, "impulse from things") > 1.0, "{honest}");
    assert!(honest.finding("impulse from things").is_some_and(|f| f.note.starts_with("lift ")), "{honest}");
    let moved = on_a_platform(|objects| objects[0][0] += 3.0);
    assert_eq!(moved.failures().collect::<Vec<_>>(), [ON_THINGS], "{moved}");
}

/// Attachments that hold a character up may be declared; the audit prints their impulse.
#[test]
fn hung_from_nothing() {
    let model = characters::load("human").expect("built in");
    let mut run = fall(&model, Meta::new(1e-3), |seen| {
        let mut constraint = vec![0.0; seen.model.nv()];
        constraint[2] = seen.model.mass() * 9.81;
        Forces { constraint, ..Forces::default() }
    });
    run.frames.truncate(61);
    fails(&run, &[EXPLAINED]);
    let body = model.bodies()[0].name.clone();
    let (kind, to) = ("weld".to_owned(), "world".to_owned());
    run.meta.attachments.push(Attachment { kind, body, to, own: false, from: 0.0, until: None });
    let report = holds(&run);
    let held = report.finding("held by attachments").expect("a row");
    assert!((held.worst - model.mass() * 9.81 * 0.060).abs() < 1e-6, "{report}");
    assert!(held.note.contains("to world"), "{report}");
}

/// Brakes of a world act on fast joints; declared for slow joints they could hold any pose.
#[test]
fn brakes_for_slow_joints() {
    let model = characters::load("human").expect("built in");
    let mut run = fall(&model, Meta::new(1e-3), |seen| {
        let constraint = seen.v.iter().enumerate().map(|(k, v)| if k < 6 { 0.0 } else { -0.2 * v });
        Forces { constraint: constraint.collect(), ..Forces::default() }
    });
    run.meta.joint_speed = Some(1e-3);
    fails(&run, &[EXPLAINED]);
}

#[test]
fn drag_and_dry_friction_at_the_root() {
    let free = |spec: &mut sinew_dynamics::ModelSpec| {
        let root = &mut spec.bodies[0].joints[0];
        assert_eq!(root.kind, JointKind::Free);
        root.damping = 5.0;
    };
    let run = fall(&human_with(free), Meta::new(1e-3), |_| Forces::default());
    fails(&run, &["nothing holds the root"]);

    let model = human_with(|spec| spec.bodies[0].joints[0].friction_loss = 1000.0);
    let run = fall(&model, Meta::new(1e-3), |seen| {
        let mut constraint = vec![0.0; seen.model.nv()];
        constraint[2] = 500.0;
        Forces { constraint, ..Forces::default() }
    });
    fails(&run, &[EXPLAINED]);
}

/// A small force for long is found by the ledger alone, which nothing in a model may switch off.
#[test]
fn changes_of_the_model_do_not_disable_the_ledger() {
    let post = || {
        BodySpec::new("post", None, Inertia::solid_box(5.0, Vec3::repeat(0.1))).at(Vec3::new(3.0, 0.0, 0.0))
    };
    let changes: [fn(&mut sinew_dynamics::ModelSpec, BodySpec); 5] = [
        |spec, _| spec.bodies[0].joints[0].armature = 0.5,
        |spec, post| spec.bodies.push(BodySpec { inertia: Inertia::ZERO, ..post }),
        |spec, post| spec.bodies.push(post),
        |spec, post| spec.bodies.push(post.with_joint(JointSpec::hinge("door", Vec3::z()))),
        |spec, post| {
            spec.bodies.iter_mut().for_each(|b| b.parent = b.parent.map(|p| p + 1));
            spec.bodies.insert(0, post);
            spec.roles = sinew_dynamics::Roles::default();
        },
    ];
    for (k, change) in changes.into_iter().enumerate() {
        let model = human_with(|spec| change(spec, post()));
        let root = model.free_root().expect("a free root").v;
        let run = |share: f64| {
            let root_moves = |seen: &Seen<'_>| {
                let mut hidden = vec![0.0; seen.model.nv()];
                hidden[root + 2] = share * seen.model.mass() * 9.81;
                hidden
            };
            fall(&model, Meta::new(1e-3), |seen| Forces { hidden: root_moves(seen), ..Forces::default() })
        };
        let honest = run(0.0).audit();
        assert!(honest.holds, "{k}: {honest}");
        assert!(worst(&honest, LINEAR) < 1e-12 && worst(&honest, ANGULAR) < 1e-12, "{k}: {honest}");
        let found = run(5e-9).audit();
        assert!(found.failures().any(|check| check == LINEAR), "{k}: {found}");
    }
}

#[test]
fn steps_of_half_a_second() {
    let mut run = flight();
    let stretch = 500.0;
    run.meta.dt *= stretch;
    run.frames.iter_mut().for_each(|f| f.time *= stretch);
    assert!(run.audit().failures().any(|check| check == "time step"));
    let model = box_model();
    let state = (model.neutral(), vec![0.0; 6]);
    fails(&simulate(&model, Meta::new(0.5), state, 5, |_| Forces::default()), &["time step"]);
}

/// Another rule for the products of velocities, or for dampers, than the one that was used.
#[test]
fn declared_settings_that_the_run_does_not_follow() {
    let mut run = flight();
    run.meta.midpoint_above = Some(0.0);
    let failed: Vec<_> = run.audit().failures().collect();
    assert!(failed.contains(&ROOT) && failed.contains(&JOINTS), "{failed:?}");
    let damped = human_with(|spec| {
        let joints = spec.bodies.iter_mut().flat_map(|b| &mut b.joints);
        joints.filter(|j| j.kind != JointKind::Free).for_each(|j| j.damping = 1.0);
    });
    let mut run = fall(&damped, Meta::new(1e-3), |_| Forces::default());
    run.frames.truncate(60);
    holds(&run);
    run.meta.damping = Damping::Implicit;
    fails(&run, &[JOINTS]);
}

#[test]
fn friction_that_the_soles_do_not_have() {
    let mut run = sliding_box(1.0, 0.5, 100);
    let mut spec = run.model.spec().clone();
    spec.bodies[0].geoms[0].friction = 0.2;
    run.model = Model::new(spec).expect("a model");
    fails(&run, &["friction coefficients"]);
    run.meta.friction = 1e9;
    fails(&run, &["friction coefficients"]);
}

/// Shapes that collide with nothing touch nothing.
#[test]
fn contacts_on_a_shape_that_does_not_collide() {
    let mut run = sliding_box(0.0, 0.5, 50);
    let mut spec = run.model.spec().clone();
    let big = Geom { contype: 0, conaffinity: 0, ..spec.bodies[0].geoms[0].clone() };
    spec.bodies[0].geoms = vec![big, Geom::new(Shape::Sphere { radius: 0.01 })];
    run.model = Model::new(spec).expect("a model");
    fails(&run, &["contact points on bodies"]);
}

#[test]
fn permuted_bodies_and_joints() {
    let swap = |run: &mut Run, names: [&str; 2]| {
        let [a, b] = names.map(|n| run.model.body(n).expect("a body").0);
        for contact in run.frames.iter_mut().flat_map(|f| &mut f.forces.contacts) {
            contact.body = if contact.body == a {
                b
            } else if contact.body == b {
                a
            } else {
                contact.body
            };
        }
    };
    let mut run = landing(400);
    swap(&mut run, ["foot_l", "foot_r"]);
    let failed: Vec<_> = run.audit().failures().collect();
    assert!(failed.contains(&"contact points on bodies") && failed.contains(&JOINTS), "{failed:?}");
    let mut run = flight();
    let at = |name: &str| run.model.joints()[run.model.joint(name).expect("a joint").0].v;
    let (left, right) = (at("knee_l"), at("knee_r"));
    run.frames.iter_mut().for_each(|f| f.forces.tau.swap(left, right));
    fails(&run, &[JOINTS]);
}

/// A run backwards, and one with every other row: neither follows from its forces.
#[test]
fn rows_in_another_order() {
    let mut run = flight();
    run.frames.reverse();
    for (k, frame) in run.frames.iter_mut().enumerate() {
        frame.time = k as f64 * 1e-3;
        frame.v.iter_mut().for_each(|v| *v = -*v);
    }
    assert!(run.audit().failures().any(|check| check == JUMP));
    let mut run = flight();
    run.meta.dt *= 2.0;
    run.frames = run.frames.into_iter().step_by(2).collect();
    let failed: Vec<_> = run.audit().failures().collect();
    assert!(failed.contains(&JUMP) && failed.contains(&ROOT), "{failed:?}");
}

/// A body that changes keeps its momentum and may still gain energy: a spring that is tightened. It is printed.
#[test]
fn energy_of_a_body_that_changes() {
    let stiff = |reference: f64| {
        human_with(|spec| {
            let knee = spec.joint_mut("knee_l").expect("a knee");
            (knee.stiffness, knee.spring_reference) = (100.0, reference);
        })
    };
    let (before, after) = (stiff(0.4), stiff(0.6));
    let mut run = fall(&before, Meta::new(1e-3), |_| Forces::default());
    let at = 100;
    let (q, v) = (run.frames[at].q.clone(), run.frames[at].v.clone());
    let mut second = simulate(&after, Meta::new(1e-3), (q.clone(), v.clone()), 40, |_| Forces::default());
    second.frames.iter_mut().for_each(|f| f.time += at as f64 * 1e-3);
    run.frames.truncate(at);
    run.frames.append(&mut second.frames);
    let model = sinew_dynamics::format::mjcf::write(after.spec());
    let change = BodyChange { step: at, what: "nothing to see".into(), model, q_before: q, v_before: v };
    run.meta.body_changes.push(change);
    let report = holds(&run);
    // ½ k ((x − 0.6)² − (x − 0.4)²) with x near 0.4
    assert!((worst(&report, "energy of body changes") - 2.0).abs() < 1.0, "{report}");
}

/// A human without limits of torque, or under less gravity, is not the human.
#[test]
fn another_body_of_the_same_name() {
    let same = flight().audit();
    assert!(same.finding("body").is_some_and(|f| f.note == "as built in"), "{same}");
    let strong = |spec: &mut sinew_dynamics::ModelSpec| {
        spec.bodies.iter_mut().flat_map(|b| &mut b.joints).for_each(|j| j.effort = [1e9; 3]);
    };
    let light = |spec: &mut sinew_dynamics::ModelSpec| spec.gravity *= 0.5;
    for model in [human_with(strong), human_with(light)] {
        let report = holds(&fall(&model, Meta::new(1e-3), |_| Forces::default()));
        assert_eq!(worst(&report, "body"), 1.0, "{report}");
    }
}
