//! The audit of what a recording declares: attachments, changes of the body, self-contact, integrator and damping.

use crate::audit::{ANGULAR, JOINTS, JUMP, LINEAR, ROOT, fails, holds, worst};
use crate::honest::{Forces, Frame, Run, Seen, bent, flight, flight_with, simulate};
use sinew_dynamics::spatial::{Inertia, Vec3};
use sinew_dynamics::{
    BodyId, BodySpec, Change, Data, JointSpec, Model, ModelSpec, aba, characters, momentum, rnea,
};
use sinew_world::ContactForce;
use sinew_world::audit::Verdict;
use sinew_world::recording::{Attachment, BodyChange, Damping, Integrator, Meta};

/// The human hangs from a bar by both hands: forces and moments that only a declared grip explains.
fn hanging(extra: f64) -> Run {
    let model = characters::load("human").expect("built in");
    let hands = ["lower_arm_l", "lower_arm_r"].map(|n| model.body(n).expect("an arm"));
    let state = (bent(&model), vec![0.0; model.nv()]);
    let mut run = simulate(&model, Meta::new(1e-3), state, 50, |seen| {
        let mut constraint = vec![0.0; seen.model.nv()];
        for hand in hands {
            let (point, velocity) = seen.point(hand, &Vec3::new(0.0, 0.0, -0.34));
            let force = Vec3::new(5.0, 0.0, 400.0) - velocity * 50.0;
            let push = seen.generalised(hand, &point, &force);
            constraint.iter_mut().zip(push).for_each(|(c, p)| *c += p);
        }
        // something in the elbow that no grip can give
        constraint[seen.model.joints()[seen.model.joint("elbow_l").expect("an elbow").0].v] += extra;
        Forces { constraint, ..Forces::default() }
    });
    let grip = |body: &str| Attachment {
        kind: "grip".into(),
        body: body.into(),
        to: "world".into(),
        own: false,
        from: 0.0,
        until: None,
    };
    run.meta.attachments = vec![grip("lower_arm_l"), grip("lower_arm_r")];
    run
}

#[test]
fn attachments_explain_what_they_can_and_no_more() {
    let declared = hanging(0.0);
    let report = holds(&declared);
    assert!(worst(&report, "constraint forces explained") < 1e-10, "{report}");
    let mut undeclared = declared.clone();
    undeclared.meta.attachments.clear();
    fails(&undeclared, &["constraint forces explained"]);
    let mut too_short = declared;
    too_short.meta.attachments[0].until = Some(0.02);
    let report = fails(&too_short, &["constraint forces explained"]);
    assert!(report.finding("constraint forces explained").expect("the check").step > Some(19));
    fails(&hanging(5.0), &["constraint forces explained"]);
}

#[test]
fn a_self_contact_needs_its_reaction() {
    let touch = |seen: &Seen<'_>, forces: &mut Forces, both: bool| {
        let [left, right] = ["thigh_l", "thigh_r"].map(|n| seen.model.body(n).expect("a thigh").0);
        let (point, _) = seen.point(BodyId(left), &Vec3::new(0.0, -0.0821, -0.17));
        let own = |body: usize, sign: f64| ContactForce {
            body,
            other: Some(1),
            point,
            force: Vec3::y() * (20.0 * sign),
            normal: Vec3::y() * sign,
            distance: -0.2,
            friction: 1.0,
        };
        forces.contacts.push(own(left, 1.0));
        if both {
            forces.contacts.push(own(right, -1.0));
        }
    };
    let with = |both: bool| {
        let mut run = flight_with(|seen, forces| touch(seen, forces, both));
        run.things = vec!["floor".into(), "me".into()];
        run.meta.actor = "me".into();
        run
    };
    // thighs do not reach each other here: the fixture claims a deep overlap, and says so
    fails(&with(true), &["penetration"]);
    fails(&with(false), &["self-contact reactions", "penetration"]);
}

#[test]
fn body_changes_are_honoured() {
    let first = flight();
    let (dt, at) = (first.meta.dt, 100);
    let heavier =
        Change::AddPointMass { body: "lower_arm_r".into(), mass: 2.0, at: Vec3::new(0.0, 0.0, -0.3) };
    let model = Model::new(first.model.spec().changed(&[heavier]).expect("a change")).expect("a model");
    let (q, v) = (first.frames[at].q.clone(), first.frames[at].v.clone());
    // the root takes up what the new mass would add: momentum stays
    let before = momentum(&first.model, &mut Data::new(&first.model), &q, &v);
    let mut data = Data::new(&model);
    let mut kept = v.clone();
    for _ in 0..3 {
        let now = momentum(&model, &mut data, &q, &kept);
        let missing = [before.linear - now.linear, before.angular - now.angular];
        let map = sinew_dynamics::centroidal_map(&model, &mut data, &q);
        let root = nalgebra::Matrix6::<f64>::from_column_slice(&map.map[..36]);
        let want = nalgebra::Vector6::from_iterator(missing.iter().flat_map(|m| m.iter().copied()));
        let fix = root.lu().solve(&want).expect("the root moves all");
        (0..6).for_each(|k| kept[k] += fix[k]);
    }
    let run_with = |v_after: Vec<f64>| {
        let mut second = simulate(&model, Meta::new(dt), (q.clone(), v_after), 50, |_| Forces::default());
        second.frames.iter_mut().for_each(|f| f.time += at as f64 * dt);
        let mut run = first.clone();
        run.frames.truncate(at);
        run.frames.append(&mut second.frames);
        run
    };
    let mut run = run_with(kept);
    fails(&run, &[ROOT, JOINTS, JUMP, LINEAR, ANGULAR]);
    let text = sinew_dynamics::format::mjcf::write(model.spec());
    let change = BodyChange {
        step: at,
        what: "a weight".into(),
        model: text,
        q_before: q.clone(),
        v_before: v.clone(),
    };
    run.meta.body_changes.push(change.clone());
    let report = holds(&run);
    assert!(report.finding("body changes keep momentum").is_some_and(|f| f.verdict == Verdict::Holds));
    // velocity kept instead of momentum: momentum from nowhere
    let mut run = run_with(v.clone());
    run.meta.body_changes.push(change);
    fails(&run, &["body changes keep momentum"]);
}

/// Runge-Kutta steps have no simple equation; it holds somewhere in the step, and cheats are still far outside.
#[test]
fn runge_kutta_is_audited_at_midpoints() {
    let run_with = |hidden: f64, dt: f64| {
        let mut run = flight();
        let (model, mut data) = (run.model.clone(), Data::new(&run.model));
        let nv = model.nv();
        let (mut q, mut v) = (run.frames[0].q.clone(), run.frames[0].v.clone());
        let tau: Vec<f64> = (0..nv).map(|k| if k < 6 { 0.0 } else { 0.3 * (k as f64).sin() }).collect();
        let mut force = tau.clone();
        force[2] += hidden;
        let moved = |q: &[f64], v: &[f64], dt: f64| {
            let (mut out, step) = (q.to_vec(), v.iter().map(|v| dt * v).collect::<Vec<_>>());
            model.integrate(q, &step, &mut out);
            out
        };
        let add =
            |v: &[f64], a: &[f64], dt: f64| v.iter().zip(a).map(|(v, a)| v + dt * a).collect::<Vec<_>>();
        // the same 60 ms for any step
        run.frames.truncate((0.06 / dt).round() as usize);
        for (k, frame) in run.frames.iter_mut().enumerate() {
            let forces = Forces { tau: tau.clone(), constraint: vec![0.0; nv], ..Forces::default() };
            *frame = Frame { time: k as f64 * dt, q: q.clone(), v: v.clone(), forces };
            let mut rate =
                |q: &[f64], v: &[f64]| aba(&model, &mut data, q, v, &force).expect("it moves").to_vec();
            let a1 = rate(&q, &v);
            let v2 = add(&v, &a1, 0.5 * dt);
            let a2 = rate(&moved(&q, &v, 0.5 * dt), &v2);
            let v3 = add(&v, &a2, 0.5 * dt);
            let a3 = rate(&moved(&q, &v2, 0.5 * dt), &v3);
            let v4 = add(&v, &a3, dt);
            let a4 = rate(&moved(&q, &v3, dt), &v4);
            let mean = |x: [&[f64]; 4]| {
                let of = |i: usize| (x[0][i] + 2.0 * (x[1][i] + x[2][i]) + x[3][i]) / 6.0;
                (0..nv).map(of).collect::<Vec<f64>>()
            };
            let (dq, dv) = (mean([&v, &v2, &v3, &v4]), mean([&a1, &a2, &a3, &a4]));
            q = moved(&q, &dq, dt);
            v = add(&v, &dv, dt);
        }
        run.meta = Meta { integrator: Integrator::Rk4, ..Meta::new(dt) };
        run
    };
    for name in [ROOT, JOINTS, JUMP] {
        assert_eq!(worst(&holds(&run_with(0.0, 1e-3)), name), 0.0, "smooth motion is within its own change");
    }
    let [coarse, fine] = [1e-3, 5e-4].map(|dt| worst(&holds(&run_with(0.0, dt)), LINEAR));
    assert!((3.0..5.0).contains(&(coarse / fine)), "second order: {coarse} and {fine}");
    let failed: Vec<_> = run_with(50.0, 1e-3).audit().failures().collect();
    assert_eq!(failed, [ROOT, LINEAR, ANGULAR]);
    // a force too small for one step is not too small for the ledger
    let failed: Vec<_> = run_with(3.0, 1e-3).audit().failures().collect();
    assert_eq!(failed, [LINEAR]);
    // a teleport
    let mut moved = run_with(0.0, 1e-3);
    moved.frames[30..].iter_mut().for_each(|f| f.q[0] += 0.15);
    assert!(moved.audit().failures().any(|name| name == JUMP));
    // the same run does not pass for one of the default integrator
    let mut mislabelled = run_with(0.0, 1e-3);
    mislabelled.meta.integrator = Integrator::SemiImplicitEuler;
    assert!(!mislabelled.audit().holds);
}

/// A character held by the world has no ledger, but an equation.
#[test]
fn a_fixed_base_is_audited_too() {
    let model = characters::load("acrobot").expect("built in");
    let run = simulate(&model, Meta::new(1e-3), (model.neutral(), vec![0.3; model.nv()]), 100, |_| {
        Forces::default()
    });
    let report = holds(&run);
    assert_eq!(report.finding(LINEAR).expect("the check").verdict, Verdict::NotJudged);
    let mut edited = run;
    edited.frames[50].v[0] += 1e-6;
    assert!(!edited.audit().holds);
}

/// A damped pendulum whose damper is taken at the end of each step.
#[test]
fn implicit_damping_is_declared_and_checked() {
    let mut spec = ModelSpec::new("pendulum");
    let rod = Inertia::solid_box(1.0, Vec3::new(0.05, 0.05, 1.0)).moved(&Vec3::new(0.0, 0.0, -0.5));
    let mut pivot = JointSpec::hinge("pivot", Vec3::y());
    pivot.damping = 2.0;
    spec.bodies.push(BodySpec::new("rod", None, rod).with_joint(pivot));
    let model = Model::new(spec).expect("a model");
    let (dt, meta) = (0.01, Meta { damping: Damping::Implicit, ..Meta::new(0.01) });
    let mut data = Data::new(&model);
    let mut run = simulate(&model, meta, (vec![1.0], vec![0.0]), 50, |seen| {
        let inertia = rnea(&model, &mut data, seen.q, &[0.0], &[1.0])[0]
            - rnea(&model, &mut data, seen.q, &[0.0], &[0.0])[0];
        let h = rnea(&model, &mut data, seen.q, seen.v, &[0.0])[0];
        // (I + dt d) v⁺ = I v − dt h
        let end = (inertia * seen.v[0] - dt * h) / (inertia + dt * 2.0);
        Forces { hidden: vec![2.0 * (seen.v[0] - end)], ..Forces::default() }
    });
    holds(&run);
    run.meta.damping = Damping::Explicit;
    fails(&run, &[JOINTS]);
}
