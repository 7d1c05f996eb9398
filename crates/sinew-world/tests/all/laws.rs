//! Torque laws that are affine in the contact forces: closed forms, and one problem instead of two.

use crate::support::build;
use nalgebra::{DMatrix, DVector};
use sinew_dynamics::spatial::{Inertia, Vec3};
use sinew_dynamics::*;
use sinew_world::recording::{Meta, Recording, WorldRecorder};
use sinew_world::{Actuation, Cone, ContactModel, StepError, Terrain, World};

const FLAT_SIDES: ContactModel = ContactModel::Complementarity { cone: Cone::Polyhedral { sides: 6 } };

/// A mass of 2 kg on a vertical rail, with a drive of at most 30 N and a round foot on the ground.
fn piston() -> World {
    piston_with(30.0)
}

fn piston_with(effort: f64) -> World {
    let mut joint = JointSpec::slide("rail", Vec3::z());
    joint.effort = [effort; 3];
    let body = BodySpec::new("piston", None, Inertia::solid_box(2.0, Vec3::new(0.1, 0.1, 0.1)));
    let mut spec = ModelSpec::new("piston");
    let foot = Geom::new(Shape::Sphere { radius: 0.1 });
    spec.bodies.push(body.at(Vec3::new(0.0, 0.0, 0.1)).with_joint(joint).with_geom(foot));
    let mut world = World::new(Terrain::flat());
    world.configure(|s| s.contact = FLAT_SIDES);
    world.add_character("piston", build(spec));
    world
}

/// `m g = τ₀ + G f + f`, or `m g = limit + f` where the law exceeds the limit.
#[test]
fn a_piston_leans_on_its_own_weight() {
    let weight = 2.0 * 9.81;
    for (torque, gain) in [(0.0, 0.5), (5.0, -0.3), (-12.0, 0.9), (0.0, 4.0), (-25.0, -0.4), (0.0, 0.0)] {
        let mut world = piston();
        let mut act = Actuation::none(1);
        act.torque[0] = torque;
        world.begin_step().expect("nothing is planned");
        assert_eq!(world.contacts_ahead(0).len(), 1);
        act.feedback = vec![0.0, 0.0, gain];
        let saturated = world.step(std::slice::from_ref(&act)).expect("a step").saturated;
        let frame = world.frame(0);
        let (tau, load) = (frame.tau[0], frame.contacts[0].force.z);
        let free = (weight - torque) / (1.0 + gain);
        let wanted = torque + gain * free;
        let (want_tau, want_load) = if wanted.abs() > 30.0 {
            (30.0 * wanted.signum(), weight - 30.0 * wanted.signum())
        } else {
            (wanted, free)
        };
        assert!(
            (tau - want_tau).abs() < 1e-5 && (load - want_load).abs() < 1e-5,
            "{torque}, {gain}: {tau}, {load}"
        );
        assert_eq!(saturated, usize::from(wanted.abs() > 30.0));
        if saturated == 0 {
            assert!((tau - torque - gain * load).abs() < 1e-10, "the law itself holds to rounding");
        }
    }
    // an excess that lifts it: the law goes with the force
    let mut world = piston();
    let act = Actuation { torque: vec![25.0], feedback: vec![0.0, 0.0, 1.0] };
    world.step(&[act]).expect("a step");
    assert_eq!((world.frame(0).tau[0], world.frame(0).contacts[0].force.z), (25.0, 0.0));
}

/// Laws drawn from a sequence of numbers.
fn gains(nv: usize, contacts: usize, size: f64) -> Vec<f64> {
    let mut x = 0.37f64;
    let mut next = || {
        x = (x * 997.0 + 0.137).fract();
        2.0 * x - 1.0
    };
    (0..3 * contacts * nv).map(|k| if k % nv < 6 { 0.0 } else { size * next() }).collect()
}

#[test]
fn a_human_follows_its_law_and_newtons() {
    let human = characters::load("human").expect("built in");
    let nv = human.nv();
    let mut world = World::new(Terrain::flat());
    world.configure(|s| s.contact = FLAT_SIDES);
    world.add_character("human", human.into());
    let mut recorder =
        WorldRecorder::in_memory(&world, 0, Meta::new(world.settings().dt), &[]).expect("a recorder");
    let (mut cut, mut fed) = (0, 0.0f64);
    for k in 0..300 {
        world.begin_step().expect("nothing is planned");
        let contacts = world.contacts_ahead(0).to_vec();
        let mut act = Actuation::none(nv);
        let limits = world.actors()[0].model().effort_limits().to_vec();
        for dof in 6..nv {
            // now and then the law begins beyond the limits
            let size = if k % 50 == 49 { 1.1 * limits[dof] } else { 2.0 };
            act.torque[dof] = size * (dof as f64 + 0.02 * k as f64).sin();
        }
        act.feedback = gains(nv, contacts.len(), 0.02);
        let before = world.clone();
        let report = world.step(std::slice::from_ref(&act)).expect("a step");
        assert!(report.solve.converged);
        cut += report.saturated;
        let frame = world.frame(0);
        assert_eq!(frame.contacts.len(), contacts.len());
        // the law
        for dof in 0..nv {
            let forces = frame.contacts.iter().flat_map(|c| [c.force.x, c.force.y, c.force.z]);
            let law: f64 = forces.enumerate().map(|(c, f)| act.feedback[c * nv + dof] * f).sum();
            let want = (act.torque[dof] + law).clamp(-limits[dof], limits[dof]);
            let scale = 1.0 + law.abs();
            assert!(
                (frame.tau[dof] - want).abs() < 1e-10 * scale,
                "step {k}, {dof}: {} for {want}",
                frame.tau[dof]
            );
            fed = fed.max(law.abs());
        }
        // while it stands, the same torques from the beginning lead to the same velocity
        if k < 45 {
            let mut plain = before;
            plain.step(&[Actuation { torque: frame.tau.to_vec(), ..Actuation::default() }]).expect("a step");
            for (x, y) in plain.actors()[0].v.iter().zip(&world.actors()[0].v) {
                assert!((x - y).abs() < 1e-5, "step {k}: {x} and {y}");
            }
        }
        recorder.push(&world, &[]).expect("a row");
    }
    assert!(cut > 0 && fed > 1.0, "{cut} cut, {fed} N·m");
    let run = Recording::from_bytes(recorder.into_bytes().expect("bytes")).expect("readable");
    let audit = run.audit(&Default::default());
    assert!(audit.holds, "{audit}");
}

/// Torques that yield to contact forces as rotors of inertia `γ` in all joints would:
/// `G = −(1/γ + E M⁻¹ Eᵀ)⁻¹ E M⁻¹ Jᵀ` makes contacts see `M + γ Eᵀ E`, with `E` the joints but the root.
#[test]
fn a_law_can_add_inertia() {
    let human = characters::load("human").expect("built in");
    let (nv, free, gamma) = (human.nv(), 6, 0.3);
    let (mut world, mut data) = (World::new(Terrain::flat()), Data::new(&human));
    world.configure(|s| s.contact = FLAT_SIDES);
    world.add_character("human", human.clone().into());
    world.actor_mut(0).v[2] = -0.4;
    for _ in 0..5 {
        let (q, v, dt) = (world.actors()[0].q.clone(), world.actors()[0].v.clone(), world.settings().dt);
        world.begin_step().expect("nothing is planned");
        let contacts = world.contacts_ahead(0).to_vec();
        let mass = DMatrix::from_column_slice(nv, nv, crba(&human, &mut data, &q));
        let mut map = DMatrix::zeros(nv, 3 * contacts.len());
        let mut jacobian = vec![0.0; 3 * nv];
        for (c, contact) in contacts.iter().enumerate() {
            data.point_jacobian(&human, BodyId(contact.body), &contact.point, &mut jacobian);
            let j = DMatrix::from_column_slice(3, nv, &jacobian);
            map.columns_mut(3 * c, 3).copy_from(&j.transpose());
        }
        let inverse = mass.clone().try_inverse().expect("a mass matrix");
        let joints = nv - free;
        let own = inverse.view((free, free), (joints, joints)) + DMatrix::identity(joints, joints) / gamma;
        let answer = &inverse * &map;
        let gain = -own.try_inverse().expect("regular") * answer.rows(free, joints);
        let mut act = Actuation::none(nv);
        let mut whole = DMatrix::zeros(nv, map.ncols());
        whole.rows_mut(free, joints).copy_from(&gain);
        act.feedback.extend(whole.iter());
        assert_eq!(world.step(&[act]).expect("a step").saturated, 0);

        // (M + γ Eᵀ E)(v⁺ − v*) = dt Jᵀ f, with v* without contacts and limits
        let mut passive = vec![0.0; nv];
        passive_force(&human, &q, &v, &mut passive);
        let frame = world.frame(0);
        let force = DVector::from_iterator(
            map.ncols(),
            frame.contacts.iter().flat_map(|c| [c.force.x, c.force.y, c.force.z]),
        );
        assert!(force.norm() > 100.0);
        passive.iter_mut().zip(frame.constraint).for_each(|(p, c)| *p += c);
        let a = DVector::from_column_slice(aba(&human, &mut data, &q, &v, &passive).expect("it moves"));
        let gained = DVector::from_column_slice(&world.actors()[0].v) - DVector::from_vec(v) - a * dt;
        let mut heavier = mass;
        (free..nv).for_each(|k| heavier[(k, k)] += gamma);
        let off = heavier * gained - &map * force * dt;
        assert!(off.amax() < 1e-10, "{off}");
    }
}

#[test]
fn laws_that_cannot_be_are_refused() {
    let mut world = piston();
    let act = |feedback: Vec<f64>| [Actuation { torque: vec![0.0], feedback }];
    assert!(matches!(world.step(&act(vec![1.0])), Err(StepError::Size { got: 1, want: 3, .. })));
    assert!(matches!(world.step(&act(vec![f64::NAN; 3])), Err(StepError::NotFinite { .. })));
    world.configure(|s| s.contact = ContactModel::default());
    assert!(matches!(world.step(&act(vec![1.0; 3])), Err(StepError::Settings(_))));
    assert_eq!(world.steps(), 0);
    // a law whose force grows faster than the contact force: no solution exists
    let error = piston_with(f64::INFINITY).step(&act(vec![0.0, 0.0, -1.5])).expect_err("no force is enough");
    assert!(matches!(error, StepError::NoSolution { step: 0, .. }), "{error}");
    let human = characters::load("human").expect("built in");
    let nv = human.nv();
    let mut world = World::new(Terrain::flat());
    world.configure(|s| s.contact = FLAT_SIDES);
    world.add_character("human", human.into());
    let mut act = Actuation::none(nv);
    world.begin_step().expect("nothing is planned");
    act.feedback = vec![0.0; nv * 3 * world.contacts_ahead(0).len()];
    act.feedback[nv + 2] = 1.0;
    assert!(matches!(world.step(&[act]), Err(StepError::RootTorque { dof: 2, .. })));
}
