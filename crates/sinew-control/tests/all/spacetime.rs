//! Spacetime optimisation: exact answers, and proof by the audit.
use sinew_control::ControlError;
use sinew_control::spacetime::{
    Ends, Plan, Points, Reference, Repeats, SpacetimeParams, contacts, optimise, record, reference_of,
};
use sinew_dynamics::{Data, Model, center_of_mass, characters};
use sinew_motion::{Clip, motions};
use sinew_world::recording::{Recorder, Recording, Setup};
use std::sync::Arc;

fn human29() -> Arc<Model> {
    Arc::new(characters::load("human29").unwrap())
}

/// The same pose in all frames, with nothing or everything on the ground.
fn still(frames: usize, down: bool) -> Reference {
    let model = human29();
    let key = model.spec().keyframes.iter().find(|k| k.name == "ready").unwrap();
    let mut clip = Clip::new("still", model.clone(), 120.0, key.q.repeat(frames)).unwrap();
    clip.contacts = Some(contacts(&vec![[down; 4]; frames]));
    Reference::of_clip(&clip, false).unwrap()
}

fn plan(reference: &Reference) -> Plan {
    let plan = optimise(reference, &SpacetimeParams::default(), &|_| true).unwrap();
    assert!(plan.report.solved, "{:?}", plan.report);
    plan
}

#[track_caller]
fn prove(plan: &Plan, cycles: usize) {
    let model = &plan.reference.model;
    let mut recorder = Recorder::in_memory(Setup::new(model, plan.meta())).unwrap();
    record(plan, cycles, &mut recorder).unwrap();
    let audit = Recording::from_bytes(recorder.into_bytes().unwrap()).unwrap().audit(&Default::default());
    assert!(audit.holds, "{audit:?}");
}

#[test]
fn a_body_in_the_air_falls() {
    let plan = plan(&still(24, false));
    let (model, mut data) = (human29(), Data::new(&human29()));
    let com: Vec<_> = (0..24).map(|k| center_of_mass(&model, &mut data, plan.configuration(k))).collect();
    for at in com.windows(3) {
        let acceleration = (at[2] - at[1] * 2.0 + at[0]) * 120.0 * 120.0;
        // of the place, which is not quite the sum of the momenta of Euler steps that turn
        assert!((acceleration - model.gravity()).norm() < 2e-2, "{acceleration}");
    }
    prove(&plan, 1);
}

#[test]
fn a_standing_body_is_carried() {
    let mut reference = still(24, true);
    let plan = {
        reference.ends = Ends::Open { first: true, last: true };
        plan(&reference)
    };
    let weight = 9.81 * human29().mass();
    for k in 1..23 {
        let up: f64 = plan.forces[k].iter().map(|f| f.z).sum();
        assert!((up - weight).abs() < 0.02 * weight, "frame {k}: {up}");
    }
    // given frames are kept to the bit
    for k in [0, 1, 22, 23] {
        assert_eq!(plan.configuration(k), reference.frame(k));
    }
    prove(&plan, 1);
}

#[test]
fn a_walk_becomes_physical() {
    let model = human29();
    let clip = motions::load("walk", &model).unwrap();
    let reference = reference_of(&clip, Repeats::Cycle).unwrap();
    assert!(matches!(reference.ends, Ends::Cycle(way) if way.shift.x > 0.5));
    let plan = plan(&reference);
    let report = &plan.report;
    assert!(report.root[0] > 100.0 && report.root[1] < 1e-6, "{report:?}");
    assert!(report.slip < 1e-4 && report.height < 1e-5 && report.effort < 0.96, "{report:?}");
    assert!(report.off_root < 0.05 && report.off_joints < 5.0_f64.to_radians(), "{report:?}");
    prove(&plan, 3);
}

#[test]
fn what_cannot_be_planned_is_refused() {
    let model = human29();
    let clip = Clip::new("no feet", model.clone(), 120.0, model.neutral().repeat(30)).unwrap();
    let wrong = Reference::of_clip(&clip, false).unwrap_err();
    assert!(wrong.to_string().contains("it does not say when feet are down"), "{wrong}");
    let diver = characters::load("diver").unwrap();
    assert!(matches!(Points::of(&diver), Err(ControlError::Body { .. })));
    let stopped = optimise(&still(12, true), &SpacetimeParams::default(), &|_| false).unwrap_err();
    assert!(stopped.to_string().contains("given up"), "{stopped}");
}
