//! The audit: honest runs hold, and each kind of cheat is caught by the check that is meant for it.

use crate::honest::{Forces, Run, bent, box_model, flight, flight_with, landing, simulate, sliding_box};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Change, Model, characters};
use sinew_world::ContactForce;
use sinew_world::audit::{AuditReport, Bounds, Options, Verdict, audit};
use sinew_world::recording::{Meta, RecordingReader};
use std::io::Cursor;

pub(crate) const ROOT: &str = "equation of motion, root";
pub(crate) const JOINTS: &str = "equation of motion, joints";
pub(crate) const JUMP: &str = "positions follow velocities";
pub(crate) const LINEAR: &str = "linear momentum ledger";
pub(crate) const ANGULAR: &str = "angular momentum ledger";

#[track_caller]
pub(crate) fn holds(run: &Run) -> AuditReport {
    let report = run.audit();
    assert!(report.holds, "{report}");
    report
}

/// Asserts that exactly these checks fail.
#[track_caller]
pub(crate) fn fails(run: &Run, expected: &[&str]) -> AuditReport {
    let report = run.audit();
    let failed: Vec<_> = report.failures().collect();
    assert_eq!(failed, expected, "{report}");
    assert!(!report.holds);
    report
}

pub(crate) fn worst(report: &AuditReport, name: &str) -> f64 {
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

/// The fixtures have the properties that the tests below rely on.
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
fn an_unrecorded_root_force() {
    let run = flight_with(|_, forces| forces.hidden = vec![0.0, 0.0, 50.0]);
    // a force at the root's origin also turns the body about its centre of mass
    let report = fails(&run, &[ROOT, LINEAR, ANGULAR]);
    let weight = run.model.mass() * 9.81;
    assert!((worst(&report, ROOT) - 50.0 / weight).abs() < 1e-9);
    // the ledger gives the whole impulse: 199 checked steps of 50 N
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
fn values_that_are_not_finite() {
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

#[test]
fn the_report_reads_well() {
    let text = flight_with(|_, forces| forces.hidden = vec![0.0, 0.0, 50.0]).audit().to_string();
    assert!(text.contains("human, 76") && text.contains("3 checks FAIL"), "{text}");
    let json = serde_json::to_value(flight().audit()).expect("JSON");
    assert_eq!(json["holds"], true);
    assert_eq!(json["findings"][4]["name"], ROOT);
    assert_eq!(json["findings"][4]["verdict"], "holds");
}
