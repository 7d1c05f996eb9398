//! The fast contact solver: closed forms, agreement with the complementarity problem, warm starts.
use crate::contacts::Contacts;
use crate::random::{Random, distance};
use sinew_solve::lcp::{GaussSeidel, GaussSeidelStatus, Law, Lemke, boxed_residual, residual};

const IDENTITY: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

fn laws(contacts: &Contacts) -> Vec<Law> {
    contacts.mu.iter().map(|&mu| Law::Friction { mu }).collect()
}

/// The unknowns (λ, β, σ) of the complementarity problem that belong to forces and velocities.
fn complementarity(contacts: &Contacts, sides: usize, f: &[f64], v: &[f64]) -> Vec<f64> {
    let count = contacts.count();
    let mut z = vec![0.0; count * (2 + sides)];
    let turn = 2.0 * std::f64::consts::PI / sides as f64;
    let direction = |j: usize| [(j as f64 * turn).cos(), (j as f64 * turn).sin()];
    for c in 0..count {
        z[c] = f[3 * c];
        // f_t = β_j d_j + β_{j+1} d_{j+1} on the sector that holds it
        for j in 0..sides {
            let (a, b) = (direction(j), direction((j + 1) % sides));
            let det = a[0] * b[1] - a[1] * b[0];
            let p = (f[3 * c + 1] * b[1] - f[3 * c + 2] * b[0]) / det;
            let q = (a[0] * f[3 * c + 2] - a[1] * f[3 * c + 1]) / det;
            if p >= 0.0 && q >= -1e-15 {
                z[count + c * sides + j] = p;
                z[count + c * sides + (j + 1) % sides] += q.max(0.0);
                break;
            }
        }
        let slip = (0..sides).map(|j| -(direction(j)[0] * v[3 * c + 1] + direction(j)[1] * v[3 * c + 2]));
        z[count * (1 + sides) + c] = slip.fold(0.0, f64::max);
    }
    z
}

#[test]
fn a_block_on_the_ground() {
    for (sides, diagonal) in [(4, std::f64::consts::FRAC_1_SQRT_2), (6, 0.75f64.sqrt())] {
        let mut solver = GaussSeidel::new(3, sides);
        let mut solve = |v: [f64; 3]| {
            let mut f = [0.0; 3];
            let report = solver.solve(&IDENTITY, &v, &[Law::Friction { mu: 0.5 }], &mut f);
            assert_eq!(report.status, GaussSeidelStatus::Solved);
            assert!(report.residual < 1e-14);
            f
        };
        // rests, sticks, slides along a direction of the polygon, leaves
        assert!(distance(&solve([-2.0, 0.0, 0.0]), &[2.0, 0.0, 0.0]) < 1e-15);
        assert!(distance(&solve([-2.0, 0.5, 0.2]), &[2.0, -0.5, -0.2]) < 1e-15);
        assert!(distance(&solve([-2.0, 3.0, 0.0]), &[2.0, -1.0, 0.0]) < 1e-15);
        assert_eq!(solve([0.1, 3.0, 0.0]), [0.0; 3]);
        // slides half-way between two directions: an edge of the polygon opposes it, and friction is that much
        // weaker
        let half = std::f64::consts::PI / sides as f64;
        let f = solve([-2.0, 3.0 * half.cos(), 3.0 * half.sin()]);
        let strength = (f[1] * f[1] + f[2] * f[2]).sqrt();
        assert!((strength - diagonal).abs() < 1e-14, "{sides}: {f:?}");
        assert!((f[1] * half.sin() - f[2] * half.cos()).abs() < 1e-14);
    }
}

#[test]
fn solutions_solve_the_complementarity_problem() {
    let mut random = Random::new(61);
    let mut solver = GaussSeidel::new(72, 4);
    solver.tolerance = 1e-9;
    let (mut solved, mut all) = (0, 0);
    for count in [1usize, 2, 4, 8, 12, 16, 24] {
        for round in 0..40 {
            let contacts = Contacts::boxes(&mut random, count.div_ceil(4) + round % 3, count);
            let mut f = vec![0.0; 3 * count];
            let report = solver.solve(&contacts.a, &contacts.b, &laws(&contacts), &mut f);
            all += 1;
            let (m, q) = contacts.lcp(4);
            let z = complementarity(&contacts, 4, &f, solver.velocity());
            let mut w = vec![0.0; q.len()];
            let error = residual(&m, &q, &z, &mut w);
            if report.status == GaussSeidelStatus::Solved {
                solved += 1;
                assert!(report.residual < 1e-8 && error < 1e-6, "{count} {round} {report:?} {error:e}");
            } else {
                // it did not converge, and says so
                assert!(report.status == GaussSeidelStatus::SweepLimit && report.residual > 1e-9);
            }
        }
    }
    println!("{solved} of {all} solved");
    assert!(solved as f64 >= 0.97 * all as f64, "{solved} of {all}");
}

#[test]
fn velocities_equal_those_of_lemke_without_friction() {
    // without friction the velocities are unique, however redundant the contacts
    let mut random = Random::new(62);
    let mut solver = GaussSeidel::new(72, 4);
    solver.tolerance = 1e-10;
    for count in [2, 5, 9, 16, 24] {
        let mut contacts = Contacts::boxes(&mut random, 2, count);
        contacts.mu.fill(0.0);
        let (m, q) = contacts.lcp(4);
        let mut z = vec![0.0; q.len()];
        let report = Lemke::new(q.len()).solve(&m, &q, &mut z);
        assert!(report.residual < 1e-10);
        let mut f = vec![0.0; 3 * count];
        let report = solver.solve(&contacts.a, &contacts.b, &laws(&contacts), &mut f);
        assert_eq!(report.status, GaussSeidelStatus::Solved, "{report:?}");
        let size = 3 * count;
        for i in 0..size {
            let v = contacts.b[i] + (0..count).map(|c| contacts.a[i + 3 * c * size] * z[c]).sum::<f64>();
            assert!((v - solver.velocity()[i]).abs() < 1e-7);
        }
    }
}

#[test]
fn bounds_and_equations_equal_the_boxed_problem() {
    let mut random = Random::new(63);
    let mut solver = GaussSeidel::new(12, 4);
    solver.tolerance = 1e-11;
    for _ in 0..200 {
        let n = 12;
        let m = random.semidefinite(n, n, 2.0, 0.05);
        let q: Vec<f64> = random.vector(n).iter().map(|v| 3.0 * v).collect();
        let (mut lo, mut hi, mut rows) = (vec![], vec![], vec![]);
        for _ in 0..n {
            let (law, l, h) = match random.below(3) {
                0 => (Law::Equation, f64::NEG_INFINITY, f64::INFINITY),
                1 => (Law::Positive, 0.0, f64::INFINITY),
                _ => (Law::Interval { lo: -0.5, hi: 0.3 }, -0.5, 0.3),
            };
            rows.push(law);
            lo.push(l);
            hi.push(h);
        }
        let mut z = vec![0.0; n];
        let report = solver.solve(&m, &q, &rows, &mut z);
        assert_eq!(report.status, GaussSeidelStatus::Solved, "{report:?}");
        let mut w = vec![0.0; n];
        assert!(boxed_residual(&m, &q, &lo, &hi, &z, &mut w) < 1e-8);
    }
}

#[test]
fn warm_starts_cost_little() {
    // a sequence of problems that differ a little, as the steps of a simulation do
    let mut random = Random::new(64);
    let mut solver = GaussSeidel::new(24, 4);
    let (mut cold, mut warm) = (0, 0);
    for _ in 0..20 {
        let mut contacts = Contacts::boxes(&mut random, 2, 8);
        let mut f = vec![0.0; 24];
        for step in 0..10 {
            contacts.disturb(&mut random, 0.02);
            warm += solver.solve(&contacts.a, &contacts.b, &laws(&contacts), &mut f).sweeps
                * usize::from(step > 0);
            let mut fresh = vec![0.0; 24];
            cold += solver.solve(&contacts.a, &contacts.b, &laws(&contacts), &mut fresh).sweeps
                * usize::from(step > 0);
        }
    }
    println!("sweeps cold {cold} warm {warm}");
    assert!(2 * warm < cold, "{warm} {cold}");
}

#[test]
fn an_unsymmetric_matrix_is_no_obstacle() {
    // actuators that react to contact forces make the matrix slightly unsymmetric
    let mut random = Random::new(65);
    let mut solver = GaussSeidel::new(24, 4);
    solver.tolerance = 1e-9;
    for _ in 0..20 {
        let mut contacts = Contacts::tree(&mut random, 42, 8);
        let size = contacts.a.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        for j in 0..24 {
            for i in 0..j {
                let skew = 0.01 * size * random.number();
                contacts.a[i + j * 24] += skew;
                contacts.a[j + i * 24] -= skew;
            }
        }
        let mut f = vec![0.0; 24];
        let report = solver.solve(&contacts.a, &contacts.b, &laws(&contacts), &mut f);
        assert_eq!(report.status, GaussSeidelStatus::Solved, "{report:?}");
        let (m, q) = contacts.lcp(4);
        let mut w = vec![0.0; q.len()];
        assert!(residual(&m, &q, &complementarity(&contacts, 4, &f, solver.velocity()), &mut w) < 1e-6);
    }
}

#[test]
fn numbers_that_are_not_finite_and_sweep_limits_are_reported() {
    let mut solver = GaussSeidel::new(3, 4);
    let mut f = [0.0; 3];
    let law = [Law::Friction { mu: 0.5 }];
    assert_eq!(
        solver.solve(&IDENTITY, &[f64::NAN, 0.0, 0.0], &law, &mut f).status,
        GaussSeidelStatus::NotFinite
    );
    solver.max_sweeps = 0;
    let report = solver.solve(&IDENTITY, &[-1.0, 0.0, 0.0], &law, &mut [0.0; 3]);
    assert_eq!((report.status, report.residual), (GaussSeidelStatus::SweepLimit, 1.0));
}

#[test]
fn nothing_is_allocated_while_solving() {
    let mut random = Random::new(66);
    let contacts = Contacts::boxes(&mut random, 3, 12);
    let (mut solver, laws, mut f) = (GaussSeidel::new(36, 4), laws(&contacts), vec![0.0; 36]);
    let count = allocation_counter::measure(|| {
        solver.solve(&contacts.a, &contacts.b, &laws, &mut f);
    });
    assert_eq!(count.count_total, 0);
}
