//! Spacetime optimisation: exact answers, and proof by the audit.
use sinew_control::ControlError;
use sinew_control::spacetime::{
    Ends, Plan, Points, Reference, Repeats, SpacetimeParams, Warp, contacts, optimise, record, reference_of,
};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, center_of_mass, characters};
use sinew_motion::{Clip, Travel, motions};
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

/// The built-in walk as if on a circle, and as it is.
#[test]
fn turns_are_played_once_and_walks_are_repeated() {
    let model = human29();
    let walk = motions::load("walk", &model).unwrap();
    let straight = reference_of(&walk, Repeats::Guess).unwrap();
    assert!(matches!(straight.ends, Ends::Cycle(_)));
    let mut bent = walk.clone();
    for k in 0..bent.len() {
        let turn = Travel::about(&Vec3::zeros(), 0.5 * k as f64 / bent.rate);
        turn.apply_to(&model, bent.frame_mut(k));
    }
    let turning = reference_of(&bent, Repeats::Guess).unwrap();
    assert!(matches!(turning.ends, Ends::Open { .. }));
    assert!(matches!(reference_of(&bent, Repeats::Cycle).unwrap().ends, Ends::Cycle(_)));
}

#[test]
fn what_feet_do_not_carry_is_refused() {
    let model = human29();
    let walk = motions::load("walk", &model).unwrap();
    let refused = |clip: &Clip| reference_of(clip, Repeats::Guess).unwrap_err().to_string();
    let mut hangs = walk.clone();
    (0..hangs.len()).for_each(|k| hangs.frame_mut(k)[2] += 0.5);
    hangs.contacts = Some(contacts(&vec![[false; 4]; hangs.len()]));
    assert!(refused(&hangs).contains("no foot is on the ground"), "{}", refused(&hangs));
    let mut lies = walk;
    for k in 0..lies.len() {
        // on its back, feet where they were at first
        let q = lies.frame_mut(k);
        q[2] = 0.1;
        q[3..7].copy_from_slice(&[0.5_f64.sqrt(), 0.0, -(0.5_f64.sqrt()), 0.0]);
    }
    assert!(refused(&lies).contains("on the ground"), "{}", refused(&lies));
}

/// One clip, along an arc, faster, with shorter steps: still what the body can do.
#[test]
fn variants_of_a_walk_are_physical() {
    let walk = motions::load("walk", &human29()).unwrap();
    let straight = reference_of(&walk, Repeats::Cycle).unwrap();
    let Ends::Cycle(before) = straight.ends else { panic!("it is a cycle") };
    let warp = Warp { speed: 1.1, stride: 0.9, turn: 0.6, ..Warp::default() };
    let bent = warp.apply(&straight);
    let Ends::Cycle(travel) = bent.ends else { panic!("it is a cycle still") };
    assert!((travel.yaw - before.yaw - 0.6).abs() < 1e-9, "{travel:?}");
    assert_eq!(bent.len(), (straight.len() as f64 / 1.1).round() as usize);
    // an arc of 0.6 rad is longer than its chord by a factor of 0.3 / sin 0.3
    let chord = 0.9 * before.shift.norm() * 0.3_f64.sin() / 0.3;
    assert!((travel.shift.norm() / chord - 1.0).abs() < 0.02, "{} {chord}", travel.shift.norm());
    prove(&plan(&bent), 2);
    let half = straight.thinned(2);
    assert!(half.rate == 60.0 && half.len() == straight.len() / 2);
}
