//! Identities between the algorithms on random trees of random joints.

use crate::support::{Random, assert_close, assert_near};
use sinew_dynamics::*;

/// Runs `check` on random models of 1 to 12 bodies at random states.
fn on_random_trees(check: impl Fn(&Model, &mut Data, &mut Random, &[f64], &[f64])) {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let model = random.model(1 + seed as usize % 12);
        let mut data = Data::new(&model);
        let q = random.configuration(&model);
        let v = random.reals(model.nv(), 2.0);
        check(&model, &mut data, &mut random, &q, &v);
    }
}

fn mass_matrix(model: &Model, data: &mut Data, q: &[f64]) -> Vec<f64> {
    crba(model, data, q).to_vec()
}

#[test]
fn forward_inverts_inverse_dynamics() {
    on_random_trees(|model, data, random, q, v| {
        let a = random.reals(model.nv(), 5.0);
        let tau = rnea(model, data, q, v, &a).to_vec();
        assert_close("aba(rnea(a))", aba(model, data, q, v, &tau).unwrap(), &a, 1e-9);
    });
}

#[test]
fn mass_matrix_is_the_derivative_of_inverse_dynamics() {
    on_random_trees(|model, data, random, q, v| {
        let nv = model.nv();
        let m = mass_matrix(model, data, q);
        let h = bias_force(model, data, q, v).to_vec();
        let a = random.reals(nv, 5.0);
        let tau = rnea(model, data, q, v, &a).to_vec();
        let ma: Vec<f64> =
            (0..nv).map(|i| h[i] + (0..nv).map(|j| m[j * nv + i] * a[j]).sum::<f64>()).collect();
        assert_close("M a + h", &ma, &tau, 1e-11);
        assert!((0..nv * nv).all(|k| m[k] == m[(k % nv) * nv + k / nv]), "M is not symmetric");
        factor_mass_matrix(model, data).expect("M is positive definite");
    });
}

#[test]
fn factor_solves() {
    on_random_trees(|model, data, random, q, _| {
        let nv = model.nv();
        let m = mass_matrix(model, data, q);
        factor_mass_matrix(model, data).unwrap();
        let x = random.reals(nv, 1.0);
        let mut b: Vec<f64> = (0..nv).map(|i| (0..nv).map(|j| m[j * nv + i] * x[j]).sum()).collect();
        data.solve_mass_matrix(model, &mut b);
        assert_close("M⁻¹ M x", &b, &x, 1e-9);
    });
}

#[test]
fn difference_inverts_integrate() {
    on_random_trees(|model, _, random, q, _| {
        let dv = random.reals(model.nv(), 1.0);
        let (mut q1, mut back) = (q.to_vec(), dv.clone());
        model.integrate(q, &dv, &mut q1);
        model.difference(q, &q1, &mut back);
        assert_close("(q ⊕ d) ⊖ q", &back, &dv, 1e-12);
    });
}

#[test]
fn integrate_jacobians_are_derivatives() {
    on_random_trees(|model, _, random, q, _| {
        let nv = model.nv();
        let dv = random.reals(nv, 0.9);
        let (mut by_q, mut by_dv) = (vec![0.0; nv * nv], vec![0.0; nv * nv]);
        model.integrate_jacobians(&dv, &mut by_q, &mut by_dv);
        let mut q1 = q.to_vec();
        model.integrate(q, &dv, &mut q1);
        let mut back_0 = vec![0.0; nv * nv];
        let mut back_1 = back_0.clone();
        model.difference_jacobians(q, &q1, &mut back_0, &mut back_1);
        let eps = 1e-6;
        for k in 0..nv {
            let column = |step: &dyn Fn(f64) -> Vec<f64>, want: &[f64]| {
                let (mut plus, mut minus) = (vec![0.0; nv], vec![0.0; nv]);
                model.difference(&q1, &step(eps), &mut plus);
                model.difference(&q1, &step(-eps), &mut minus);
                let got: Vec<f64> = plus.iter().zip(&minus).map(|(p, m)| (p - m) / (2.0 * eps)).collect();
                assert_close("column", &got, want, 1e-8);
            };
            let nudge = |from: &[f64], by: f64| {
                let mut d = vec![0.0; nv];
                d[k] = by;
                let mut out = from.to_vec();
                model.integrate(from, &d, &mut out);
                out
            };
            let onward = |from: &[f64], dv: &[f64]| {
                let mut out = from.to_vec();
                model.integrate(from, dv, &mut out);
                out
            };
            column(&|e| onward(&nudge(q, e), &dv), &by_q[k * nv..][..nv]);
            column(
                &|e| {
                    let mut dv = dv.clone();
                    dv[k] += e;
                    onward(q, &dv)
                },
                &by_dv[k * nv..][..nv],
            );
            // q1 ⊖ q0 for q0 and q1 nudged
            let between = |q0: &[f64], q1: &[f64]| {
                let mut d = vec![0.0; nv];
                model.difference(q0, q1, &mut d);
                d
            };
            for (wrt_0, want) in [(true, &back_0), (false, &back_1)] {
                let at = |e: f64| if wrt_0 { between(&nudge(q, e), &q1) } else { between(q, &nudge(&q1, e)) };
                let (plus, minus) = (at(eps), at(-eps));
                let got: Vec<f64> = plus.iter().zip(&minus).map(|(p, m)| (p - m) / (2.0 * eps)).collect();
                assert_close("difference column", &got, &want[k * nv..][..nv], 1e-8);
            }
        }
    });
}

/// Central differences of `f(q, v)` by `q` and by `v`.
fn differences(
    model: &Model,
    q: &[f64],
    v: &[f64],
    mut f: impl FnMut(&[f64], &[f64]) -> Vec<f64>,
) -> [Vec<f64>; 2] {
    [numdiff::by_configuration(model, q, |q| f(q, v)), numdiff::by_vector(v, |v| f(q, v))]
}

#[test]
fn inverse_dynamics_derivatives_are_differences() {
    on_random_trees(|model, data, random, q, v| {
        let a = random.reals(model.nv(), 3.0);
        let analytic = rnea_derivatives(model, data, q, v, &a);
        let (dq, dv) = (analytic.dq.to_vec(), analytic.dv.to_vec());
        let [by_q, by_v] = differences(model, q, v, |q, v| rnea(model, data, q, v, &a).to_vec());
        assert_near("∂τ/∂v", &dv, &by_v, 1e-7);
        assert_near("∂τ/∂q", &dq, &by_q, 1e-7);
    });
}

#[test]
fn forward_dynamics_derivatives_are_differences() {
    on_random_trees(|model, data, random, q, v| {
        let nv = model.nv();
        let tau = random.reals(nv, 3.0);
        let analytic = aba_derivatives(model, data, q, v, &tau).unwrap();
        let (a, dq, dv) = (analytic.acceleration.to_vec(), analytic.dq.to_vec(), analytic.dv.to_vec());
        let inverse = analytic.dtau.to_vec();
        assert_near("a", &a, aba(model, data, q, v, &tau).unwrap(), 1e-9);
        let [by_q, by_v] = differences(model, q, v, |q, v| aba(model, data, q, v, &tau).unwrap().to_vec());
        assert_near("∂a/∂v", &dv, &by_v, 1e-6);
        assert_near("∂a/∂q", &dq, &by_q, 1e-6);
        let m = mass_matrix(model, data, q);
        let product: Vec<f64> = (0..nv * nv)
            .map(|k| (0..nv).map(|i| m[k % nv * nv + i] * inverse[k / nv * nv + i]).sum())
            .collect();
        let identity: Vec<f64> = (0..nv * nv).map(|k| f64::from(u8::from(k % (nv + 1) == 0))).collect();
        assert_near("M M⁻¹", &product, &identity, 1e-9);
    });
}

#[test]
fn hybrid_dynamics_splits_forward_dynamics() {
    on_random_trees(|model, data, random, q, v| {
        let nv = model.nv();
        let want_tau = random.reals(nv, 3.0);
        let want_a = aba(model, data, q, v, &want_tau).unwrap().to_vec();
        let prescribed: Vec<bool> = model.joints().iter().map(|_| random.below(2) == 0).collect();
        let (mut a, mut tau) = (want_a.clone(), want_tau.clone());
        for (joint, given) in model.joints().iter().zip(&prescribed) {
            let unknown = if *given { &mut tau } else { &mut a };
            unknown[joint.v..joint.v + joint.kind.nv()].fill(f64::NAN);
        }
        // what is unknown must not be read
        hybrid_dynamics(model, data, q, v, &prescribed, &mut a, &mut tau).unwrap();
        assert_near("a", &a, &want_a, 1e-9);
        assert_near("τ", &tau, &want_tau, 1e-8);
    });
}

#[test]
fn held_points_do_not_accelerate() {
    on_random_trees(|model, data, random, q, v| {
        let tau = random.reals(model.nv(), 3.0);
        let moving: Vec<BodyId> = (0..model.bodies().len()).map(BodyId).collect();
        // one body as a whole and a point of another
        let a = Constraint::body(moving[random.below(moving.len())], random.vec3(0.3));
        let b = Constraint::point(moving[random.below(moving.len())], random.vec3(0.3));
        let mut constraints = Constraints::new(model, vec![a, b]);
        constraints.damping = 1e-9;
        let solution = constrained_dynamics(model, data, &mut constraints, q, v, &tau).unwrap();
        let (acceleration, force) = (solution.acceleration.to_vec(), solution.force.to_vec());
        // equation of motion: M a + h = τ + Jᵀ λ
        let mut total = tau.clone();
        let mut jacobian = vec![0.0; 6 * model.nv()];
        let mut row = 0;
        for c in [a, b] {
            let at = data.body_placement(model, c.body).act(&c.point);
            data.body_jacobian(model, c.body, &at, &mut jacobian);
            let n = if c.held == Held::Body { 6 } else { 3 };
            for (t, column) in total.iter_mut().zip(jacobian.chunks(6)) {
                *t += column[..n].iter().zip(&force[row..]).map(|(j, f)| j * f).sum::<f64>();
            }
            row += n;
        }
        // a constraint that cannot be met is fought with forces of 1/μ: errors count relative to them
        let scale = force.iter().fold(1.0, |m: f64, f| m.max(f.abs()));
        let balance = rnea(model, data, q, v, &acceleration).iter().zip(&total);
        let error = balance.fold(0.0, |m: f64, (l, t)| m.max((l - t).abs()));
        assert!(error < 1e-8 * scale, "M a + h: error {error:e} for forces of {scale:e}");
        // where the constraints can be met, they are: the damping leaves an error of μ λ
        forward_accelerations(model, data, q, v, &acceleration);
        let mut left: Vec<f64> = Vec::new();
        for c in [a, b] {
            let at = data.body_placement(model, c.body).act(&c.point);
            left.extend(data.point_acceleration(model, c.body, &at).iter());
            if c.held == Held::Body {
                left.extend(data.angular_acceleration(model, c.body).iter());
            }
        }
        let slack: Vec<f64> = force.iter().map(|f| -1e-9 * f).collect();
        let error = left.iter().zip(&slack).fold(0.0, |m: f64, (l, s)| m.max((l - s).abs()));
        assert!(error < 1e-7 * scale, "constraint error {error:e} for forces of {scale:e}");
    });
}

#[test]
fn held_dynamics_derivatives_are_differences() {
    on_random_trees(|model, data, random, q, v| {
        let nv = model.nv();
        let tau = random.reals(nv, 3.0);
        let last = BodyId(model.bodies().len() - 1);
        let list = vec![
            Constraint::body(last, random.vec3(0.3)),
            Constraint::point(BodyId(random.below(model.bodies().len())), random.vec3(0.3)),
        ];
        let mut constraints = Constraints::new(model, list);
        // much damping, so that forces and their derivatives stay of one size whatever the tree
        constraints.damping = 0.1;
        let rows = constraints.rows();
        let d = constrained_dynamics_derivatives(model, data, &mut constraints, q, v, &tau).unwrap();
        let analytic: Vec<f64> = stack(d.dq, d.force_dq, nv, rows);
        let analytic_v = stack(d.dv, d.force_dv, nv, rows);
        let analytic_tau = stack(d.dtau, d.force_dtau, nv, rows);
        let mut solve = |q: &[f64], v: &[f64], tau: &[f64]| {
            let s = constrained_dynamics(model, data, &mut constraints, q, v, tau).unwrap();
            [s.acceleration, s.force].concat()
        };
        let [by_q, by_v] = differences(model, q, v, |q, v| solve(q, v, &tau));
        assert_near("∂/∂q", &analytic, &by_q, 1e-6);
        assert_near("∂/∂v", &analytic_v, &by_v, 1e-6);
        // linear in τ: a difference of any size is exact
        let at_zero = solve(q, v, &vec![0.0; nv]);
        let by_tau: Vec<f64> = (0..nv)
            .flat_map(|k| {
                let mut unit = vec![0.0; nv];
                unit[k] = 1.0;
                solve(q, v, &unit).into_iter().zip(&at_zero).map(|(x, z)| x - z).collect::<Vec<_>>()
            })
            .collect();
        assert_near("∂/∂τ", &analytic_tau, &by_tau, 1e-7);
    });
}

/// Puts two matrices with the same columns on top of each other.
fn stack(top: &[f64], bottom: &[f64], nv: usize, rows: usize) -> Vec<f64> {
    top.chunks(nv).zip(bottom.chunks(rows)).flat_map(|(a, b)| [a, b].concat()).collect()
}

#[test]
fn operational_space_is_j_inverse_m_jt() {
    on_random_trees(|model, data, random, q, _| {
        let nv = model.nv();
        crba(model, data, q);
        factor_mass_matrix(model, data).unwrap();
        let (a, b) = (BodyId(random.below(model.bodies().len())), BodyId(random.below(model.bodies().len())));
        let (at_a, at_b, dof) = (random.vec3(1.0), random.vec3(1.0), random.below(nv));
        let mut space = OperationalSpace::default();
        space.add_body(model, data, a, &at_a);
        space.add_dof(model, data, dof);
        space.add_point(model, data, b, &at_b);
        let inverse = space.inverse_inertia(model, data).to_vec();
        // the same from dense Jacobians, row by row
        let mut jacobian = vec![vec![0.0; nv]; 10];
        let mut wide = vec![0.0; 6 * nv];
        data.body_jacobian(model, a, &at_a, &mut wide);
        (0..6 * nv).for_each(|k| jacobian[k % 6][k / 6] = wide[k]);
        jacobian[6][dof] = 1.0;
        data.point_jacobian(model, b, &at_b, &mut wide[..3 * nv]);
        (0..3 * nv).for_each(|k| jacobian[7 + k % 3][k / 3] = wide[k]);
        for r in 0..10 {
            let mut x = jacobian[r].clone();
            data.solve_mass_matrix(model, &mut x);
            let want: Vec<f64> =
                (0..10).map(|c| jacobian[c].iter().zip(&x).map(|(j, x)| j * x).sum()).collect();
            assert_near("J M⁻¹ Jᵀ", &inverse[r * 10..][..10], &want, 1e-9);
        }
        // impulses between the halves of a solve
        let (start, p) = (random.reals(nv, 1.0), random.reals(10, 1.0));
        let mut x = start.clone();
        data.half_solve_mass_matrix(model, &mut x);
        let mut velocities = vec![0.0; 10];
        space.add_impulses(model, &p, &mut x);
        space.add_velocities(model, data, &x, &mut velocities);
        data.finish_solve_mass_matrix(model, &mut x);
        let mut want: Vec<f64> =
            (0..nv).map(|k| start[k] + (0..10).map(|r| jacobian[r][k] * p[r]).sum::<f64>()).collect();
        data.solve_mass_matrix(model, &mut want);
        assert_near("M⁻¹ (x + Jᵀ p)", &x, &want, 1e-9);
        let by_jacobian: Vec<f64> =
            jacobian.iter().map(|row| row.iter().zip(&want).map(|(j, x)| j * x).sum()).collect();
        assert_near("velocities", &velocities, &by_jacobian, 1e-9);
    });
}
