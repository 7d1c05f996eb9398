//! Hard cases: where the identities of ordinary trees are easily lost.

use crate::support::{Random, assert_close, assert_near};
use core::f64::consts::PI;
use sinew_dynamics::spatial::{Inertia, Quat, Sym3, Vec3, rotation};
use sinew_dynamics::*;

/// `M a + h = τ` of inverse dynamics, the mass matrix and forward dynamics, `½ vᵀ M v`, and the centroidal map.
fn agree(model: &Model, q: &[f64], random: &mut Random, tolerance: f64) {
    let (nv, mut data) = (model.nv(), Data::new(model));
    let (v, a) = (random.reals(nv, 2.0), random.reals(nv, 5.0));
    let tau = rnea(model, &mut data, q, &v, &a).to_vec();
    let h = bias_force(model, &mut data, q, &v).to_vec();
    let m = crba(model, &mut data, q).to_vec();
    let times = |x: &[f64], i: usize| (0..nv).map(|j| m[j * nv + i] * x[j]).sum::<f64>();
    let by_matrix: Vec<f64> = (0..nv).map(|i| times(&a, i) + h[i]).collect();
    assert_near("M a + h", &by_matrix, &tau, tolerance);
    assert_near("aba(rnea(a))", aba(model, &mut data, q, &v, &tau).unwrap(), &a, tolerance);
    let half: f64 = (0..nv).map(|i| 0.5 * v[i] * times(&v, i)).sum();
    assert_near("energy", &[kinetic_energy(model, &mut data, q, &v)], &[half], tolerance);
    let direct = momentum(model, &mut data, q, &v);
    let mut by_map = [0.0; 6];
    for (column, v) in centroidal_map(model, &mut data, q).map.chunks(6).zip(&v) {
        by_map.iter_mut().zip(column).for_each(|(s, c)| *s += c * v);
    }
    let direct: Vec<f64> = direct.linear.iter().chain(direct.angular.iter()).copied().collect();
    assert_near("A v", &by_map, &direct, tolerance);
}

/// A rotor: inertia without mass, as files state it for flywheels and gears.
#[test]
fn a_body_without_mass_still_has_its_rotational_inertia() {
    let mut spec = ModelSpec::new("gear");
    let arm = Inertia::solid_box(2.0, Vec3::new(0.4, 0.1, 0.1));
    let rotor = Inertia { mass: 0.0, com: Vec3::zeros(), about_com: Sym3::diagonal(0.3, 0.2, 0.4) };
    spec.bodies.push(BodySpec::new("arm", None, arm).with_joint(JointSpec::free("root")));
    spec.bodies.push(BodySpec::new("rotor", Some(0), rotor).with_joint(JointSpec::hinge("spin", Vec3::z())));
    let model = Model::new(spec).expect("it resists every motion");
    let mut data = Data::new(&model);
    let m = crba(&model, &mut data, &model.neutral()).to_vec();
    assert_near("what the hinge feels", &[m[6 * 7 + 6]], &[0.4], 1e-15);
    let mut random = Random::new(1);
    let q = random.configuration(&model);
    agree(&model, &q, &mut random, 1e-11);
    let (v, a) = (random.reals(7, 2.0), random.reals(7, 3.0));
    let analytic = rnea_derivatives(&model, &mut data, &q, &v, &a);
    let (dq, dv) = (analytic.dq.to_vec(), analytic.dv.to_vec());
    let by_q = numdiff::by_configuration(&model, &q, |q| rnea(&model, &mut data, q, &v, &a).to_vec());
    let by_v = numdiff::by_vector(&v, |v| rnea(&model, &mut data, &q, v, &a).to_vec());
    assert_near("∂τ/∂q", &dq, &by_q, 1e-7);
    assert_near("∂τ/∂v", &dv, &by_v, 1e-7);
}

#[test]
fn both_quaternions_of_a_rotation_give_the_same_bits() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let model = random.model(8);
        let mut data = Data::new(&model);
        let q = random.configuration(&model);
        let (v, tau) = (random.reals(model.nv(), 2.0), random.reals(model.nv(), 3.0));
        let mut other = q.clone();
        for joint in model.joints() {
            let numbers = match joint.kind {
                JointKind::Free => joint.q + 3..joint.q + 7,
                JointKind::Ball => joint.q..joint.q + 4,
                _ => continue,
            };
            other[numbers].iter_mut().for_each(|x| *x = -*x);
        }
        let a = aba(&model, &mut data, &q, &v, &tau).unwrap().to_vec();
        assert_eq!(aba(&model, &mut data, &other, &v, &tau).unwrap(), a);
        let h = bias_force(&model, &mut data, &q, &v).to_vec();
        assert_eq!(bias_force(&model, &mut data, &other, &v), h);
        let mut apart = vec![f64::NAN; model.nv()];
        model.difference(&q, &other, &mut apart);
        assert!(apart.iter().all(|x| x.abs() < 1e-15), "{apart:?}");
        let (mut f, mut g) = (apart.clone(), apart.clone());
        passive_force(&model, &q, &v, &mut f);
        passive_force(&model, &other, &v, &mut g);
        assert_eq!(f, g);
    }
}

#[test]
fn rotations_near_half_a_turn_and_near_none_are_exact() {
    let mut random = Random::new(3);
    for angle in [1e-300, 1e-12, 9.9e-5, 1.01e-4, 1e-3, 1.0, PI - 1e-3, PI - 1e-9, PI - 1e-14] {
        let phi = random.vec3(1.0).normalize() * angle;
        let back = rotation::log(&rotation::exp(&phi));
        assert!(
            (back - phi).norm() <= 1e-15 * (1.0 + angle) + 4e-16 * angle,
            "{angle}: {:e}",
            (back - phi).norm()
        );
        let product = rotation::right_jacobian(&phi) * rotation::right_jacobian_inverse(&phi);
        let off = (product - spatial::Mat3::identity()).norm();
        assert!(off < 1e-14, "J J⁻¹ at {angle}: {off:e}");
        // exp(φ + δ) = exp(φ) exp(J δ) to second order, with δ along and across
        let delta = random.vec3(1e-8);
        let ahead = rotation::log(&(rotation::exp(&phi).inverse() * rotation::exp(&(phi + delta))));
        let by_jacobian = rotation::right_jacobian(&phi) * delta;
        assert!((ahead - by_jacobian).norm() < 3e-16, "{angle}: {:e}", (ahead - by_jacobian).norm());
    }
}

#[test]
fn accuracy_holds_a_kilometre_from_the_origin() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut spec = random.model(10).spec().clone();
        for body in spec.bodies.iter_mut().filter(|b| b.parent.is_none()) {
            body.pos = random.vec3(1000.0);
        }
        let model = Model::new(spec).unwrap();
        let q = random.configuration(&model);
        agree(&model, &q, &mut random, 1e-9);
    }
    // what a character does cannot depend on where it stands
    let human = characters::load("human42").unwrap();
    let mut data = Data::new(&human);
    let mut random = Random::new(1);
    let here = random.configuration(&human);
    let mut there = here.clone();
    there[..3].copy_from_slice(&[1000.0, -700.0, 300.0]);
    let (v, tau) = (random.reals(human.nv(), 3.0), random.reals(human.nv(), 50.0));
    let feet = Side::BOTH.map(|side| human.role(Role::Foot(side)).unwrap());
    let held = feet.map(|foot| Constraint::body(foot, Vec3::zeros())).to_vec();
    let mut constraints = Constraints::new(&human, held);
    let mut all = |q: &[f64]| {
        let d = constrained_dynamics_derivatives(&human, &mut data, &mut constraints, q, &v, &tau).unwrap();
        let held = [d.solution.acceleration, d.solution.force, d.dq, d.dv, d.force_dq].map(<[f64]>::to_vec);
        let free = aba_derivatives(&human, &mut data, q, &v, &tau).unwrap();
        let free = [free.acceleration, free.dq, free.dv].map(<[f64]>::to_vec);
        let map = centroidal_map(&human, &mut data, q).map.to_vec();
        held.into_iter().chain(free).chain([map]).collect::<Vec<_>>()
    };
    let (near, far) = (all(&here), all(&there));
    for (k, (near, far)) in near.iter().zip(&far).enumerate() {
        assert_close(&format!("result {k}"), far, near, 1e-9);
    }
}

/// Two trees of one model a kilometre apart: each is as exact as alone.
#[test]
fn trees_far_apart_do_not_blur_each_other() {
    let mut random = Random::new(4);
    let mut spec = ModelSpec::new("pair");
    let gravel = Inertia::solid_box(1.0, Vec3::new(0.02, 0.03, 0.04));
    for (i, x) in [0.0, 1000.0].into_iter().enumerate() {
        let name = format!("root{i}");
        spec.bodies.push(
            BodySpec::new(&name, None, gravel).at(Vec3::new(x, 0.0, 0.0)).with_joint(JointSpec::free(&name)),
        );
    }
    let model = Model::new(spec).unwrap();
    let q = random.configuration(&model);
    let mut data = Data::new(&model);
    let m = crba(&model, &mut data, &q).to_vec();
    let diagonal: Vec<f64> = (9..12).map(|k| m[k * 13]).collect();
    let Sym3 { xx, yy, zz, .. } = gravel.about_com;
    assert_close("inertia of the second", &diagonal, &[xx, yy, zz], 1e-12);
}

#[test]
fn a_model_that_cannot_move_is_a_model() {
    for bodies in [0usize, 3] {
        let mut spec = ModelSpec::new("statue");
        for i in 0..bodies {
            let parent = i.checked_sub(1);
            let block = Inertia::solid_box(1.0, Vec3::repeat(0.2));
            spec.bodies.push(BodySpec::new(format!("b{i}"), parent, block).at(Vec3::z()));
        }
        let model = Model::new(spec).unwrap();
        let mut data = Data::new(&model);
        agree(&model, &[], &mut Random::new(0), 0.0);
        factor_mass_matrix(&model, &mut data).unwrap();
        assert!(aba_derivatives(&model, &mut data, &[], &[], &[]).unwrap().dq.is_empty());
        assert!(joint_jacobians(&model, &mut data, &[]).is_empty());
        hybrid_dynamics(&model, &mut data, &[], &[], &[], &mut [], &mut []).unwrap();
        assert_eq!(center_of_mass(&model, &mut data, &[]).z, if bodies == 0 { 0.0 } else { 2.0 });
        let held = (0..bodies).map(|i| Constraint::body(BodyId(i), Vec3::zeros())).collect();
        let mut constraints = Constraints::new(&model, held);
        constraints.damping = 1e-3;
        let held =
            constrained_dynamics_derivatives(&model, &mut data, &mut constraints, &[], &[], &[]).unwrap();
        assert!(held.solution.force.iter().all(|f| *f == 0.0));
        assert!(model.warnings().is_empty());
        let _ = model.spec().changed(&[Change::Ground]).unwrap();
    }
}

/// Armature alone resists: a chain of massless bodies is a valid model.
#[test]
fn armature_alone_is_enough() {
    let mut spec = ModelSpec::new("ghost");
    for i in 0..4usize {
        let mut joints =
            vec![JointSpec::ball(format!("ball{i}")), JointSpec::slide(format!("slide{i}"), Vec3::x())];
        joints.iter_mut().for_each(|j| j.armature = 0.1 + 0.2 * i as f64);
        let parent = i.checked_sub(1);
        spec.bodies
            .push(BodySpec::new(format!("b{i}"), parent, Inertia::ZERO).at(Vec3::z()).with_joints(joints));
    }
    let model = Model::new(spec).unwrap();
    let mut random = Random::new(5);
    let q = random.configuration(&model);
    agree(&model, &q, &mut random, 1e-12);
    let mut jacobian = vec![f64::NAN; 3 * model.nv()];
    com_jacobian(&model, &mut Data::new(&model), &q, &mut jacobian);
    assert!(jacobian.iter().all(|x| *x == 0.0), "the centre of no mass does not move");
}

/// A needle has no inertia about its own line, in any direction.
#[test]
fn a_needle_on_a_ball_joint_is_refused_in_every_direction() {
    let mut random = Random::new(9);
    for _ in 0..200 {
        let along = random.vec3(1.0).normalize();
        let mut needle = Inertia { mass: 1.0, com: along * 0.5, about_com: Sym3::ZERO };
        needle.about_com.add_point(1.0 / 12.0, &along);
        let mut spec = ModelSpec::new("needle");
        spec.bodies.push(BodySpec::new("needle", None, needle).with_joint(JointSpec::ball("end")));
        let error = Model::new(spec).expect_err("it turns freely about itself");
        assert!(error.to_string().contains("joint \"end\""), "{error}");
    }
}

#[test]
fn a_constraint_given_twice_is_found_redundant() {
    let human = characters::load("human42").unwrap();
    let mut data = Data::new(&human);
    let foot = human.role(Role::Foot(Side::Left)).unwrap();
    let twice =
        vec![Constraint::body(foot, Vec3::zeros()), Constraint::point(foot, Vec3::new(0.1, 0.02, -0.05))];
    let mut constraints = Constraints::new(&human, twice);
    let (v, tau) = (vec![0.0; human.nv()], vec![0.0; human.nv()]);
    for seed in 0..100 {
        let q = Random::new(seed).configuration(&human);
        let outcome = constrained_dynamics(&human, &mut data, &mut constraints, &q, &v, &tau);
        assert!(
            matches!(outcome, Err(ConstraintError::Redundant { row: 6..9 })),
            "seed {seed}: {:?}",
            outcome.map(|s| s.force.to_vec())
        );
    }
}

#[test]
fn a_free_joint_has_its_centre_at_the_bodys_origin() {
    let mut spec = ModelSpec::new("stone");
    let stone = Inertia::solid_box(1.0, Vec3::repeat(0.1));
    let root = JointSpec::free("root").anchored(Vec3::x());
    spec.bodies.push(BodySpec::new("stone", None, stone).at(Vec3::z()).with_joint(root));
    let model = Model::new(spec).unwrap();
    let mut data = Data::new(&model);
    forward_kinematics(&model, &mut data, &model.neutral());
    assert_eq!(data.body_placement(&model, BodyId(0)).pos, Vec3::z());
}

#[test]
fn nan_and_invalid_rotations_are_refused() {
    let block = Inertia::solid_box(1.0, Vec3::repeat(0.1));
    let built = |edit: &dyn Fn(&mut ModelSpec)| {
        let mut spec = ModelSpec::new("bad");
        let geom = Geom::new(Shape::Sphere { radius: 0.1 });
        let body = BodySpec::new("body", None, block).with_joint(JointSpec::hinge("joint", Vec3::y()));
        spec.bodies.push(body.with_geom(geom));
        edit(&mut spec);
        Model::new(spec).map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(built(&|_| ()), Ok(()));
    type Edit<'a> = &'a dyn Fn(&mut ModelSpec);
    let bad: [(Edit<'_>, &str); 5] = [
        (&|s| s.bodies[0].quat = Quat::new_unchecked(2.0 * Quat::identity().into_inner()), "orientation"),
        (&|s| s.bodies[0].joints[0].friction_loss = f64::NAN, "finite"),
        (&|s| s.bodies[0].joints[0].friction_loss = -1.0, "negative"),
        (&|s| s.bodies[0].geoms[0].shape = Shape::Sphere { radius: f64::NAN }, "shape of body"),
        (&|s| s.bodies[0].geoms[0].pos.x = f64::INFINITY, "shape of body"),
    ];
    for (edit, word) in bad {
        let message = built(edit).expect_err(word);
        assert!(message.contains(word), "{message}");
    }
}
