//! Laws of mechanics, which hold for any body and algorithm.

use crate::support::{Random, assert_near, rigid_body};
use sinew_dynamics::spatial::{Inertia, Sym3, Vec3};
use sinew_dynamics::*;

fn on_random_models(check: impl Fn(&Model, &mut Data, &mut Random, &[f64], &[f64])) {
    for seed in 100..140 {
        let mut random = Random::new(seed);
        let model = random.model(1 + seed as usize % 10);
        let mut data = Data::new(&model);
        let q = random.configuration(&model);
        let v = random.reals(model.nv(), 2.0);
        check(&model, &mut data, &mut random, &q, &v);
    }
}

fn moved(model: &Model, q: &[f64], v: &[f64], dt: f64) -> Vec<f64> {
    let step: Vec<f64> = v.iter().map(|x| x * dt).collect();
    let mut out = q.to_vec();
    model.integrate(q, &step, &mut out);
    out
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[test]
fn kinetic_energy_is_half_v_m_v() {
    on_random_models(|model, data, _, q, v| {
        let nv = model.nv();
        let m = crba(model, data, q).to_vec();
        let half: f64 = (0..nv).map(|j| 0.5 * v[j] * dot(&m[j * nv..][..nv], v)).sum();
        assert_near("kinetic energy", &[kinetic_energy(model, data, q, v)], &[half], 1e-12);
    });
}

#[test]
fn gravity_torque_is_the_gradient_of_potential_energy() {
    on_random_models(|model, data, _, q, _| {
        let nv = model.nv();
        let h = bias_force(model, data, q, &vec![0.0; nv]).to_vec();
        let eps = 1e-6;
        let gradient: Vec<f64> = (0..nv)
            .map(|k| {
                let mut e = vec![0.0; nv];
                e[k] = 1.0;
                let mut at = |dt: f64| potential_energy(model, data, &moved(model, q, &e, dt));
                (at(eps) - at(-eps)) / (2.0 * eps)
            })
            .collect();
        assert_near("∂V/∂q", &h, &gradient, 1e-7);
    });
}

#[test]
fn power_of_joint_forces_is_the_rate_of_energy() {
    on_random_models(|model, data, random, q, v| {
        let tau = random.reals(model.nv(), 5.0);
        let a = aba(model, data, q, v, &tau).unwrap().to_vec();
        let eps = 1e-5;
        let mut energy = |dt: f64| {
            // second-order path through (q, v, a)
            let half: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + 0.5 * a * dt).collect();
            let v1: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + a * dt).collect();
            let q1 = moved(model, q, &half, dt);
            kinetic_energy(model, data, &q1, &v1) + potential_energy(model, data, &q1)
        };
        let rate = (energy(eps) - energy(-eps)) / (2.0 * eps);
        assert_near("dE/dt", &[rate], &[dot(&tau, v)], 1e-6 * (1.0 + energy(0.0).abs()));
    });
}

#[test]
fn momentum_changes_by_the_outside_wrench_only() {
    on_random_models(|model, data, random, q, v| {
        let mut tau = random.reals(model.nv(), 5.0);
        let mut floating = true;
        for joint in model.joints() {
            let root = model.bodies()[joint.body.0].parent.is_none();
            match joint.kind {
                JointKind::Free => tau[joint.v..joint.v + 6].fill(0.0),
                _ if root => floating = false,
                _ => {}
            }
        }
        // armature is inertia that belongs to no body: momentum is not theirs alone
        let armature = model.bodies().iter().flat_map(|b| &b.joints).any(|j| j.armature != 0.0);
        if !floating || armature {
            return;
        }
        let a = aba(model, data, q, v, &tau).unwrap().to_vec();
        let bias = centroidal_bias(model, data, q, v);
        let Centroidal { mass, map, .. } = centroidal_map(model, data, q);
        let mut rate: Vec<f64> = bias.linear.iter().chain(bias.angular.iter()).copied().collect();
        for (column, a) in map.chunks(6).zip(&a) {
            rate.iter_mut().zip(column).for_each(|(r, c)| *r += c * a);
        }
        let weight = model.gravity() * mass;
        assert_near("ḣ", &rate, &[weight.x, weight.y, weight.z, 0.0, 0.0, 0.0], 1e-9);
    });
}

#[test]
fn centroidal_map_gives_momentum_and_its_bias_the_rate() {
    on_random_models(|model, data, _, q, v| {
        let flat = |m: Momentum| -> Vec<f64> { m.linear.iter().chain(m.angular.iter()).copied().collect() };
        let direct = flat(momentum(model, data, q, v));
        let mut by_map = vec![0.0; 6];
        for (column, v) in centroidal_map(model, data, q).map.chunks(6).zip(v) {
            by_map.iter_mut().zip(column).for_each(|(s, c)| *s += c * v);
        }
        assert_near("A v", &by_map, &direct, 1e-12);
        // with v held constant, A(q) v changes at the rate Ȧ v
        let eps = 1e-6;
        let mut at = |dt: f64| flat(momentum(model, data, &moved(model, q, v, dt), v));
        let rate: Vec<f64> = at(eps).iter().zip(at(-eps)).map(|(p, m)| (p - m) / (2.0 * eps)).collect();
        assert_near("Ȧ v", &flat(centroidal_bias(model, data, q, v)), &rate, 1e-7);
    });
}

#[test]
fn jacobians_are_velocities_and_their_drift_accelerations() {
    on_random_models(|model, data, random, q, v| {
        let nv = model.nv();
        let body = BodyId(random.below(model.bodies().len()));
        let local = random.vec3(0.5);
        let mut jacobian = vec![0.0; 6 * nv];
        let at = |data: &mut Data, dt: f64| {
            forward_velocities(model, data, &moved(model, q, v, dt), v);
            let placement = data.body_placement(model, body);
            let point = placement.act(&local);
            (
                point,
                data.point_velocity(model, body, &point),
                data.angular_velocity(model, body),
                placement.rot,
            )
        };
        let eps = 1e-6;
        let (plus, minus, now) = (at(data, eps), at(data, -eps), at(data, 0.0));
        let velocity = (plus.0 - minus.0) / (2.0 * eps);
        let spin = (plus.3 - minus.3) / (2.0 * eps) * now.3.transpose();
        let spin = Vec3::new(spin.m32, spin.m13, spin.m21);
        data.body_jacobian(model, body, &now.0, &mut jacobian);
        let mut jv = [0.0; 6];
        for (column, v) in jacobian.chunks(6).zip(v) {
            jv.iter_mut().zip(column).for_each(|(s, c)| *s += c * v);
        }
        assert_near("J v", &jv[..3], velocity.as_slice(), 1e-7);
        assert_near("J v, angular", &jv[3..], spin.as_slice(), 1e-7);
        assert_near("velocity", now.1.as_slice(), &jv[..3], 1e-12);
        assert_near("spin", now.2.as_slice(), &jv[3..], 1e-12);
        forward_accelerations(model, data, q, v, &vec![0.0; nv]);
        let drift = (plus.1 - minus.1) / (2.0 * eps);
        assert_near("J̇ v", data.point_acceleration(model, body, &now.0).as_slice(), drift.as_slice(), 1e-6);
        let turn = (plus.2 - minus.2) / (2.0 * eps);
        assert_near("J̇ v, angular", data.angular_acceleration(model, body).as_slice(), turn.as_slice(), 1e-6);
        // all joints at once: the columns on the path, moved from the world's origin to the point
        let all = joint_jacobians(model, data, q).to_vec();
        for (column, at_origin) in
            jacobian.chunks(6).zip(all.chunks(6)).filter(|(c, _)| c.iter().any(|x| *x != 0.0))
        {
            let (u, w) = (Vec3::from_column_slice(&at_origin[..3]), Vec3::from_column_slice(&at_origin[3..]));
            assert_near("joint Jacobian", column[..3].as_ref(), (u + w.cross(&now.0)).as_slice(), 1e-12);
        }
    });
}

#[test]
fn com_jacobian_is_the_velocity_of_the_com() {
    on_random_models(|model, data, _, q, v| {
        let mut jacobian = vec![0.0; 3 * model.nv()];
        com_jacobian(model, data, q, &mut jacobian);
        let velocity: Vec<f64> =
            (0..3).map(|r| jacobian.iter().skip(r).step_by(3).zip(v).map(|(j, v)| j * v).sum()).collect();
        let eps = 1e-6;
        let mut at = |dt: f64| center_of_mass(model, data, &moved(model, q, v, dt));
        let difference = (at(eps) - at(-eps)) / (2.0 * eps);
        assert_near("J_com v", &velocity, difference.as_slice(), 1e-7);
    });
}

/// Runs a passive model for one second and returns the greatest error of energy.
fn energy_drift(model: &Model, q0: &[f64], v0: &[f64], dt: f64, midpoint: bool) -> f64 {
    let mut data = Data::new(model);
    let (mut q, mut v) = (q0.to_vec(), v0.to_vec());
    let energy = |data: &mut Data, q: &[f64], v: &[f64]| {
        kinetic_energy(model, data, q, v) + potential_energy(model, data, q)
    };
    let start = energy(&mut data, &q, &v);
    let zero = vec![0.0; model.nv()];
    let mut worst: f64 = 0.0;
    for _ in 0..(1.0 / dt).round() as usize {
        let a = aba(model, &mut data, &q, &v, &zero).unwrap().to_vec();
        if midpoint {
            let v_half: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + 0.5 * dt * a).collect();
            let q_half = moved(model, &q, &v, 0.5 * dt);
            let a_half = aba(model, &mut data, &q_half, &v_half, &zero).unwrap().to_vec();
            q = moved(model, &q, &v_half, dt);
            v.iter_mut().zip(a_half).for_each(|(v, a)| *v += dt * a);
        } else {
            v.iter_mut().zip(a).for_each(|(v, a)| *v += dt * a);
            q = moved(model, &q, &v, dt);
        }
        worst = worst.max((energy(&mut data, &q, &v) - start).abs());
    }
    worst
}

#[track_caller]
fn assert_order(model: &Model, q: &[f64], v: &[f64]) {
    let dt = 1e-3;
    for (midpoint, order) in [(false, 1.0), (true, 2.0)] {
        let drift = [dt, dt / 2.0, dt / 4.0].map(|dt| energy_drift(model, q, v, dt, midpoint));
        for pair in drift.windows(2) {
            let seen = (pair[0] / pair[1]).log2();
            assert!((seen - order).abs() < 0.25, "order {seen} instead of {order}: drifts {drift:?}");
        }
    }
}

#[test]
fn energy_of_a_tumbling_body_drifts_at_the_order_of_the_scheme() {
    let inertia = Inertia { mass: 2.0, com: Vec3::zeros(), about_com: Sym3::diagonal(0.1, 0.2, 0.25) };
    let model = rigid_body(inertia);
    // about the middle axis: the Dzhanibekov tumble
    assert_order(&model, &model.neutral(), &[0.1, 0.0, 1.0, 0.01, 6.0, 0.02]);
}

#[test]
fn energy_of_a_double_pendulum_drifts_at_the_order_of_the_scheme() {
    let mut spec = ModelSpec::new("double pendulum");
    let rod = Inertia::solid_box(1.0, Vec3::new(0.05, 0.05, 1.0)).moved(&Vec3::new(0.0, 0.0, -0.5));
    spec.bodies.push(BodySpec::new("upper", None, rod).with_joint(JointSpec::hinge("a", Vec3::y())));
    let lower = BodySpec::new("lower", Some(0), rod).at(Vec3::new(0.0, 0.0, -1.0));
    spec.bodies.push(lower.with_joint(JointSpec::hinge("b", Vec3::y())));
    let model = Model::new(spec).unwrap();
    assert_order(&model, &[1.0, 0.5], &[0.0, 0.0]);
}

#[test]
fn angular_momentum_of_a_torque_free_body_turns_with_it() {
    // Euler's equations: I ω̇ = I ω × ω in body axes
    let (i, w) = (Vec3::new(0.1, 0.2, 0.25), Vec3::new(1.0, -2.0, 3.0));
    let model =
        rigid_body(Inertia { mass: 1.0, com: Vec3::zeros(), about_com: Sym3::diagonal(i.x, i.y, i.z) });
    let mut data = Data::new(&model);
    let v = [0.0, 0.0, 0.0, w.x, w.y, w.z];
    let a = aba(&model, &mut data, &model.neutral(), &v, &[0.0; 6]).unwrap();
    let want = i.component_mul(&w).cross(&w).component_div(&i);
    assert_near("ω̇", &a[3..], want.as_slice(), 1e-14);
}

#[test]
fn springs_and_dampers_pull_back() {
    let mut random = Random::new(7);
    let mut spec = random.model(8).spec().clone();
    spec.gravity = Vec3::zeros();
    for joint in spec.bodies.iter_mut().flat_map(|b| &mut b.joints) {
        (joint.stiffness, joint.damping, joint.spring_reference) = (30.0, 2.0, 0.2);
    }
    let model = Model::new(spec).unwrap();
    let mut data = Data::new(&model);
    let (q, v) = (random.configuration(&model), random.reals(model.nv(), 1.0));
    let nv = model.nv();
    let mut force = vec![0.0; nv];
    passive_force(&model, &q, &vec![0.0; nv], &mut force);
    let eps = 1e-6;
    let slope: Vec<f64> = (0..nv)
        .map(|k| {
            let mut e = vec![0.0; nv];
            e[k] = 1.0;
            let mut at = |dt: f64| potential_energy(&model, &mut data, &moved(&model, &q, &e, dt));
            (at(-eps) - at(eps)) / (2.0 * eps)
        })
        .collect();
    assert_near("spring force", &force, &slope, 1e-6);
    let mut damped = vec![0.0; nv];
    passive_force(&model, &q, &v, &mut damped);
    let drag: Vec<f64> = damped.iter().zip(&force).map(|(d, f)| d - f).collect();
    let want: Vec<f64> = v.iter().map(|x| -2.0 * x).collect();
    assert_near("damping", &drag, &want, 1e-12);
}
