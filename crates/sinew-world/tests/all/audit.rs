//! The audit: honest runs hold, and each kind of cheat is caught by the check that is meant for it.

use crate::honest::{
    Forces, Frame, Run, bent, box_model, flight, flight_with, landing, simulate, sliding_box,
};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Change, Data, Model, aba, characters, momentum};
use sinew_world::ContactForce;
use sinew_world::audit::{AuditReport, Bounds, Options, Verdict, audit};
use sinew_world::recording::{Attachment, BodyChange, Integrator, Meta, RecordingReader};
use std::io::Cursor;

const ROOT: &str = "equation of motion, root";
const JOINTS: &str = "equation of motion, joints";
const JUMP: &str = "positions follow velocities";
const LINEAR: &str = "linear momentum ledger";
const ANGULAR: &str = "angular momentum ledger";

#[track_caller]
fn holds(run: &Run) -> AuditReport {
    let report = run.audit();
    assert!(report.holds, "{report}");
    report
}

/// Asserts that exactly these checks fail.
#[track_caller]
fn fails(run: &Run, expected: &[&str]) -> AuditReport {
    let report = run.audit();
    let failed: Vec<_> = report.failures().collect();
    assert_eq!(failed, expected, "{report}");
    assert!(!report.holds);
    report
}

fn worst(report: &AuditReport, name: &str) -> f64 {
    report.finding(name).unwrap_or_else(|| panic!("there is a check `{name}`")).worst
}

#[test]
fn honest_runs_hold_to_rounding() {
    for run in [flight(), landing(600), sliding_box(0.0, 0.5, 50), sliding_box(1.0, 0.5, 400)] {
        let report = holds(&run);
        assert!(worst(&report, ROOT) < 1e-11 && worst(&report, JOINTS) < 1e-11, "{report}");
        assert!(worst(&report, LINEAR) < 1e-12 && worst(&report, ANGULAR) < 1e-12, "{report}");
        assert!(worst(&report, JUMP) < 1e-13, "{report}");
        assert_eq!(report.steps_checked, run.frames.len() - 1);
    }
}

/// The fixtures do what they say: otherwise the tests below would test little.
#[test]
fn the_fixtures_exercise_the_checks() {
    let slid = sliding_box(1.0, 0.5, 400);
    // v²/(2 μ g) = 0.1019 m, a little more with semi-implicit steps
    let x = slid.frames.last().expect("a row").q[0];
    assert!((x - 1.0 / (2.0 * 0.5 * 9.81)).abs() < 1e-3, "{x}");
    let landed = landing(600);
    let used = |f: &dyn Fn(&Forces) -> bool| landed.frames.iter().any(|r| f(&r.forces));
    assert!(used(&|f| f.contacts.iter().any(|c| c.force.z > 100.0)));
    assert!(used(&|f| f.constraint.iter().any(|c| *c > 1.0)));
}

#[test]
fn a_root_force_that_nobody_wrote_down() {
    let run = flight_with(|_, forces| forces.hidden = vec![0.0, 0.0, 50.0]);
    // a force at the root's origin also turns the body about its centre of mass
    let report = fails(&run, &[ROOT, LINEAR, ANGULAR]);
    let weight = run.model.mass() * 9.81;
    assert!((worst(&report, ROOT) - 50.0 / weight).abs() < 1e-9);
    // the ledger tells the whole impulse: 199 checked steps of 50 N
    assert!((worst(&report, LINEAR) - 50.0 / weight).abs() < 1e-9);
}

/// A cheat below the bound of a single step adds up in the ledger.
#[test]
fn a_small_root_force_for_long() {
    let run = flight_with(|seen, forces| {
        forces.hidden = vec![0.0, 0.0, 5e-9 * seen.model.mass() * 9.81];
    });
    fails(&run, &[LINEAR, ANGULAR]);
}

#[test]
fn a_hidden_moment_on_the_root() {
    let run = flight_with(|_, forces| forces.hidden = vec![0.0, 0.0, 0.0, 5.0]);
    fails(&run, &[ROOT, ANGULAR]);
}

#[test]
fn a_hidden_torque_at_a_joint() {
    fails(
        &flight_with(|seen, forces| {
            forces.hidden = vec![0.0; seen.model.nv()];
            forces.hidden[20] = 3.0;
        }),
        &[JOINTS],
    );
}

#[test]
fn a_drive_at_the_root() {
    let run = flight_with(|_, forces| forces.tau[2] = 50.0);
    // it explains the motion, but no actuator is there; the ledger knows no such impulse
    fails(&run, &["no drive without actuator", LINEAR, ANGULAR]);
}

#[test]
fn torque_over_the_limit() {
    let run = flight_with(|seen, forces| {
        if seen.time > 0.1945 {
            forces.tau[10] = 1.5 * seen.model.effort_limits()[10];
        }
    });
    let report = fails(&run, &["torque limits"]);
    let found = report.finding("torque limits").expect("the check");
    assert!((found.worst - 1.5).abs() < 1e-12 && found.step == Some(195));
}

/// Changes every contact force of the resting box, truthfully recorded.
fn box_with(change: impl Fn(&mut Vec<ContactForce>)) -> Run {
    let honest = sliding_box(0.0, 0.5, 50);
    let forces: Vec<Forces> = honest.frames.iter().map(|f| f.forces.clone()).collect();
    let mut rows = forces.into_iter();
    let state = (honest.frames[0].q.clone(), honest.frames[0].v.clone());
    simulate(&honest.model, honest.meta, state, 50, |_| {
        let mut forces = rows.next().expect("a row");
        change(&mut forces.contacts);
        forces
    })
}

#[test]
fn a_pulling_contact() {
    // the box is drawn down at two opposite corners and pushed up as much at the others
    let run = box_with(|contacts| {
        for (contact, pull) in contacts.iter_mut().zip([-30.0, 30.0, 30.0, -30.0]) {
            contact.force.z += pull;
        }
    });
    let report = fails(&run, &["contacts do not pull"]);
    assert!((worst(&report, "contacts do not pull") - (30.0 - 98.1 / 4.0) / 98.1).abs() < 1e-12);
}

#[test]
fn a_force_outside_the_cone() {
    // opposite sideways forces that cancel; each corner carries 24.5 N with μ = 0.5
    let run = box_with(|contacts| {
        for (contact, push) in contacts.iter_mut().zip([15.0, 15.0, -15.0, -15.0]) {
            contact.force.x += push;
        }
    });
    let report = fails(&run, &["friction cone"]);
    assert!((worst(&report, "friction cone") - (15.0 - 0.5 * 98.1 / 4.0) / 98.1).abs() < 1e-12);
    // a larger coefficient than the world has does not help
    let run = box_with(|contacts| {
        for (contact, push) in contacts.iter_mut().zip([15.0, 15.0, -15.0, -15.0]) {
            contact.force.x += push;
            contact.friction = 1.0;
        }
    });
    fails(&run, &["friction coefficients"]);
}

#[test]
fn a_force_where_nothing_touches() {
    // a box that stands on air, 5 mm above the ground
    let run = box_with(|contacts| contacts.iter_mut().for_each(|c| c.distance = 5e-3));
    fails(&run, &["forces only at contacts"]);
    // a hook in the sky: the force acts far from the body, moments and all
    let run = flight_with(|seen, forces| {
        let (point, _) = seen.point(BodyId(0), &Vec3::new(0.0, 0.0, 1.5));
        forces.contacts.push(ContactForce {
            body: 0,
            other: None,
            point,
            force: Vec3::new(0.0, 0.0, 100.0),
            normal: Vec3::z(),
            distance: -1e-3,
            friction: 1.0,
        });
    });
    fails(&run, &["contact points on bodies"]);
    // deep inside the ground
    let run = box_with(|contacts| contacts.iter_mut().for_each(|c| c.distance = -0.05));
    fails(&run, &["penetration"]);
}

/// Gaps that close within the step may carry force, as velocity-level contact makes them do, and so may a bounce.
#[test]
fn a_gap_that_closes_is_a_contact() {
    let model = box_model();
    let stop = |speed_after: f64| {
        let mut q = model.neutral();
        q[2] = 0.1 + 5e-4;
        let state = (q, vec![0.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
        let mut first = true;
        simulate(&model, Meta::new(1e-3), state, 2, |seen| {
            let rise = if core::mem::take(&mut first) { speed_after - seen.v[2] } else { 0.0 };
            let force = Vec3::new(0.0, 0.0, 10.0 * (rise / 1e-3 + 9.81));
            let point = Vec3::new(0.0, 0.0, seen.q[2] - 0.1);
            let distance = point.z;
            let contact = ContactForce {
                body: 0,
                other: None,
                point,
                force,
                normal: Vec3::z(),
                distance,
                friction: 0.0,
            };
            let touches = rise != 0.0;
            Forces { contacts: if touches { vec![contact] } else { vec![] }, ..Forces::default() }
        })
    };
    // lands on the ground at the end of the step; bounces back up
    holds(&stop(-0.5));
    holds(&stop(0.9));
}

#[test]
fn a_teleport() {
    let mut run = flight();
    for row in &mut run.frames[120..] {
        row.q[0] += 0.01;
        row.forces.outside.iter_mut().for_each(|o| o.point.x += 0.01);
    }
    let report = fails(&run, &[JUMP]);
    let found = report.finding(JUMP).expect("the check");
    assert!((found.worst - 0.01).abs() < 1e-12 && found.step == Some(119));
}

#[test]
fn an_edited_frame() {
    // one velocity of one row
    let mut run = flight();
    run.frames[60].v[12] += 1e-4;
    let report = run.audit();
    let failed: Vec<_> = report.failures().collect();
    assert!(failed.contains(&JOINTS) && failed.contains(&JUMP), "{report}");
    assert!([59, 60].contains(&report.finding(JOINTS).expect("the check").step.expect("a step")));
    // one recorded force
    let mut run = landing(400);
    let row = run.frames.iter().rposition(|f| f.forces.contacts.iter().any(|c| c.force.z > 1.0));
    let contacts = &mut run.frames[row.expect("it stands") - 1].forces.contacts;
    contacts.iter_mut().for_each(|c| c.force *= 1.001);
    let report = run.audit();
    let failed: Vec<_> = report.failures().collect();
    assert_eq!(failed, [ROOT, JOINTS, LINEAR, ANGULAR], "{report}");
    // one missing row
    let mut run = flight();
    run.frames.remove(100);
    let failed: Vec<_> = run.audit().failures().collect();
    assert!(failed.contains(&"regular times") && failed.contains(&ROOT), "{failed:?}");
}

#[test]
fn another_mass_in_the_model() {
    let mut run = landing(400);
    let heavier = Change::AddPointMass { body: "head".into(), mass: 0.01, at: Vec3::zeros() };
    run.model = Model::new(run.model.spec().changed(&[heavier]).expect("a change")).expect("a model");
    let failed: Vec<_> = run.audit().failures().collect();
    assert!(failed.contains(&ROOT) && failed.contains(&JOINTS) && failed.contains(&LINEAR), "{failed:?}");
}

#[test]
fn numbers_that_are_none() {
    for break_it in [
        (|run: &mut Run| run.frames[70].v[3] = f64::NAN) as fn(&mut Run),
        |run| run.frames[70].q[3] = f64::INFINITY,
        |run| run.frames[70].forces.tau[7] = f64::NAN,
        |run| run.frames[70].forces.outside[0].force.x = f64::NAN,
    ] {
        let mut run = flight();
        break_it(&mut run);
        let report = fails(&run, &["finite numbers"]);
        let found = report.finding("finite numbers").expect("the check");
        assert_eq!((found.worst, found.step), (1.0, Some(70)));
        assert!(found.note.contains('`'), "{}", found.note);
    }
}

#[test]
fn irregular_times_and_too_few_rows() {
    let mut run = flight();
    run.frames[40..].iter_mut().for_each(|f| f.time += 1e-4);
    fails(&run, &["regular times"]);
    run = flight();
    run.frames.truncate(1);
    fails(&run, &["rows"]);
    run.frames.clear();
    fails(&run, &["rows"]);
}

#[test]
fn a_constraint_force_without_a_limit() {
    let knee = |model: &Model| model.joints()[model.joint("knee_l").expect("a knee").0].clone();
    let run = flight_with(|seen, forces| {
        forces.constraint = vec![0.0; seen.model.nv()];
        forces.constraint[knee(seen.model).v] = 10.0;
    });
    fails(&run, &["constraint forces explained"]);
    // at its stop, the stop may push, but only inwards
    for (push, expected) in [(10.0, None), (-10.0, Some("constraint forces explained"))] {
        let model = characters::load("human").expect("built in");
        let mut q = bent(&model);
        let (at, dof) = (knee(&model).q, knee(&model).v);
        q[at] = 0.0;
        let run = simulate(&model, Meta::new(1e-3), (q, vec![0.0; model.nv()]), 3, |seen| {
            let mut constraint = vec![0.0; seen.model.nv()];
            if seen.q[at] <= 0.0 {
                constraint[dof] = push;
            }
            Forces { constraint, ..Forces::default() }
        });
        let failed: Vec<_> = run.audit().failures().collect();
        assert_eq!(failed, expected.into_iter().collect::<Vec<_>>());
    }
}

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
    let touch = |seen: &crate::honest::Seen<'_>, forces: &mut Forces, both: bool| {
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

#[test]
fn sparse_and_streamed_audits() {
    let run = flight();
    let mut reader = RecordingReader::new(Cursor::new(run.bytes())).expect("readable");
    let streamed = audit(&mut reader, &Options::default()).expect("read");
    assert_eq!(streamed, run.audit());
    let sparse = run.recording().audit(&Options { every: 10, ..Options::default() });
    assert_eq!(sparse.steps_checked, 20);
    assert!(sparse.holds && sparse.finding(LINEAR).is_some_and(|f| f.verdict == Verdict::NotJudged));
    // bounds can be set
    let strict = Bounds { penetration: 1e-6, ..Bounds::default() };
    let report = landing(400).recording().audit(&Options { bounds: strict, ..Options::default() });
    assert_eq!(report.failures().collect::<Vec<_>>(), ["penetration"]);
}

/// Runge-Kutta steps have no simple equation; at midpoints it holds to second order, and cheats are still far outside.
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
    let [coarse, fine] = [1e-3, 5e-4].map(|dt| worst(&holds(&run_with(0.0, dt)), ROOT));
    assert!((3.5..4.5).contains(&(coarse / fine)), "second order: {coarse} and {fine}");
    let failed: Vec<_> = run_with(50.0, 1e-3).audit().failures().collect();
    assert_eq!(failed, [ROOT, LINEAR]);
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

#[test]
fn the_report_reads_well() {
    let text = flight_with(|_, forces| forces.hidden = vec![0.0, 0.0, 50.0]).audit().to_string();
    assert!(text.contains("human, 76") && text.contains("3 checks FAIL"), "{text}");
    let json = serde_json::to_value(flight().audit()).expect("JSON");
    assert_eq!(json["holds"], true);
    assert_eq!(json["findings"][4]["name"], ROOT);
    assert_eq!(json["findings"][4]["verdict"], "holds");
}
