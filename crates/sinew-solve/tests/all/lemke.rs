//! Lemke: contact problems, problems with known answers, problems without one.
use crate::contacts::Contacts;
use crate::random::{Random, distance};
use sinew_solve::lcp::{BoxedLemke, Lemke, LemkeStatus, boxed_residual, residual};

/// All solutions of a small problem, by trying every set of basic variables.
fn enumerate(m: &[f64], q: &[f64]) -> Vec<Vec<f64>> {
    let n = q.len();
    let mut found = vec![];
    for set in 0..1usize << n {
        let chosen: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
        let a = nalgebra::DMatrix::from_fn(chosen.len(), chosen.len(), |i, j| m[chosen[i] + chosen[j] * n]);
        let b = nalgebra::DVector::from_fn(chosen.len(), |i, _| -q[chosen[i]]);
        let mut z = vec![0.0; n];
        if !chosen.is_empty() {
            let Some(x) = a.lu().solve(&b) else { continue };
            chosen.iter().zip(x.iter()).for_each(|(&i, x)| z[i] = *x);
        }
        let mut w = vec![0.0; n];
        residual(m, q, &z, &mut w);
        if z.iter().chain(&w).all(|v| *v >= -1e-10) {
            found.push(z);
        }
    }
    found
}

#[test]
fn contact_problems_to_rounding() {
    let mut random = Random::new(51);
    let mut lemke = Lemke::new(24 * 10);
    let mut worst = 0.0f64;
    for count in [1usize, 2, 3, 4, 6, 8, 12, 16, 24] {
        for round in 0..30 {
            // from one box, where most contacts are redundant, to as many as there are contacts
            let contacts = match round % 3 {
                0 => Contacts::tree(&mut random, 42, count),
                1 => Contacts::boxes(&mut random, 1 + round % 4, count),
                _ => {
                    Contacts::boxes(&mut random, count.div_ceil(4) + round % count.div_ceil(2).max(1), count)
                }
            };
            let (m, q) = contacts.lcp(if round % 5 == 0 { 8 } else { 4 });
            let mut z = vec![0.0; q.len()];
            let report = lemke.solve(&m, &q, &mut z);
            assert_eq!(report.status, LemkeStatus::Solved, "{count} contacts, round {round}: {report:?}");
            assert!(report.residual < 1e-10, "{count} contacts, round {round}: {report:?}");
            let mut w = vec![0.0; q.len()];
            residual(&m, &q, &z, &mut w);
            assert!(z.iter().zip(&w).all(|(z, w)| *z >= -1e-10 && *w >= -1e-10 && (z * w).abs() < 1e-10));
            worst = worst.max(report.residual);
        }
    }
    println!("worst residual {worst:e}");
}

#[test]
fn small_problems_equal_enumeration() {
    let mut random = Random::new(52);
    let mut lemke = Lemke::new(6);
    for round in 0..300 {
        let n = 1 + round % 6;
        // symmetric part definite: exactly one solution
        let mut m = random.semidefinite(n, n, 2.0, 0.1);
        let skew = random.vector(n * n);
        for j in 0..n {
            for i in 0..j {
                m[i + j * n] += skew[i + j * n];
                m[j + i * n] -= skew[i + j * n];
            }
        }
        let q = random.vector(n);
        let mut z = vec![0.0; n];
        let report = lemke.solve(&m, &q, &mut z);
        assert_eq!(report.status, LemkeStatus::Solved);
        let all = enumerate(&m, &q);
        assert!(all.iter().any(|s| distance(s, &z) < 1e-10), "{z:?} {all:?}");
    }
}

#[test]
fn a_particle_on_the_ground() {
    // mass 2, step 1: w = f/2 + v, friction 0.5; (λ, β along ±x and ±y, σ)
    let mut lemke = Lemke::new(6);
    let mut solve = |v: [f64; 3]| {
        let a = [0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5];
        let contacts = Contacts { a: a.to_vec(), b: v.to_vec(), mu: vec![0.5] };
        let (m, q) = contacts.lcp(4);
        let mut z = [0.0; 6];
        assert_eq!(lemke.solve(&m, &q, &mut z).status, LemkeStatus::Solved);
        z
    };
    // at rest: it carries the weight; slow: friction stops it; fast: friction is μλ against the slip; upwards: it
    // leaves
    assert!(distance(&solve([-4.0, 0.0, 0.0]), &[8.0, 0.0, 0.0, 0.0, 0.0, 0.0]) < 1e-14);
    assert!(distance(&solve([-4.0, 1.0, 0.0]), &[8.0, 0.0, 0.0, 2.0, 0.0, 0.0]) < 1e-14);
    assert!(distance(&solve([-4.0, 3.0, 0.0]), &[8.0, 0.0, 0.0, 4.0, 0.0, 1.0]) < 1e-14);
    assert!(
        distance(&solve([1.0, 3.0, 0.0]), &[0.0, 0.0, 0.0, 0.0, 0.0, 3.0]) < 1e-14
            || solve([1.0, 3.0, 0.0])[0] == 0.0
    );
}

#[test]
fn units_do_not_matter() {
    let mut random = Random::new(53);
    let contacts = Contacts::boxes(&mut random, 3, 8);
    let (m, q) = contacts.lcp(4);
    let n = q.len();
    let mut lemke = Lemke::new(n);
    let (mut plain, mut scaled) = (vec![0.0; n], vec![0.0; n]);
    assert_eq!(lemke.solve(&m, &q, &mut plain).status, LemkeStatus::Solved);
    // forces in kN, velocities in mm/s, slip speeds with them
    let force = |i: usize| if i < 5 * 8 { 1e-3 } else { 1e3 };
    let speed = |i: usize| if i < 5 * 8 { 1e3 } else { 1e-3 };
    let m2: Vec<f64> = (0..n * n).map(|k| m[k] * speed(k % n) / force(k / n)).collect();
    let q2: Vec<f64> = (0..n).map(|i| q[i] * speed(i)).collect();
    assert_eq!(lemke.solve(&m2, &q2, &mut scaled).status, LemkeStatus::Solved);
    let mut w = vec![0.0; n];
    let back: Vec<f64> = scaled.iter().enumerate().map(|(i, z)| z / force(i)).collect();
    assert!(residual(&m, &q, &back, &mut w) < 1e-10);
}

#[test]
fn problems_without_a_solution_end_in_a_ray() {
    let mut lemke = Lemke::new(2);
    let mut z = [0.0; 2];
    assert_eq!(lemke.solve(&[-1.0], &[-1.0], &mut z[..1]).status, LemkeStatus::Ray);
    // w₁ = −z₂ − 1 can never be positive
    assert_eq!(lemke.solve(&[0.0, 1.0, -1.0, 0.0], &[-1.0, 1.0], &mut z).status, LemkeStatus::Ray);
    assert_eq!(lemke.solve(&[f64::NAN], &[-1.0], &mut z[..1]).status, LemkeStatus::Numerical);
    let nothing_to_do = lemke.solve(&[1.0, 0.0, 0.0, 1.0], &[0.0, 2.0], &mut z);
    assert_eq!((nothing_to_do.status, nothing_to_do.pivots, z), (LemkeStatus::Solved, 0, [0.0; 2]));
    lemke.max_pivots = 1;
    assert_eq!(lemke.solve(&[2.0, 1.0, 1.0, 2.0], &[-5.0, -6.0], &mut z).status, LemkeStatus::PivotLimit);
}

#[test]
fn bounds_and_equations() {
    let mut random = Random::new(54);
    let mut solver = BoxedLemke::new(9);
    let infinity = f64::INFINITY;
    for round in 0..300 {
        let n = 1 + round % 9;
        let m = random.semidefinite(n, n, 2.0, 0.1);
        let q: Vec<f64> = random.vector(n).iter().map(|v| 3.0 * v).collect();
        let (mut lo, mut hi) = (vec![0.0; n], vec![0.0; n]);
        for i in 0..n {
            (lo[i], hi[i]) = match random.below(5) {
                0 => (-infinity, infinity),
                1 => (0.0, infinity),
                2 => (-infinity, random.number()),
                3 => (-0.5, 0.5),
                _ => (0.25, 0.25),
            };
        }
        let mut z = vec![0.0; n];
        let report = solver.solve(&m, &q, &lo, &hi, &mut z);
        assert_eq!(report.status, LemkeStatus::Solved);
        let mut w = vec![0.0; n];
        assert!(
            report.residual < 1e-10 && boxed_residual(&m, &q, &lo, &hi, &z, &mut w) < 1e-10,
            "{report:?}"
        );
        // the same by minimising ½zᵀMz + qᵀz over the box
        let mut x = vec![0.0; n];
        sinew_solve::box_qp::BoxQp::new(n).solve(&m, &q, &lo, &hi, &mut x);
        assert!(distance(&x, &z) < 1e-6);
    }
}

#[test]
fn nothing_is_allocated_while_solving() {
    let mut random = Random::new(55);
    let (m, q) = Contacts::boxes(&mut random, 2, 8).lcp(4);
    let (mut lemke, mut z) = (Lemke::new(q.len()), vec![0.0; q.len()]);
    let (mut boxed, lo, hi) = (BoxedLemke::new(q.len()), vec![0.0; q.len()], vec![10.0; q.len()]);
    let count = allocation_counter::measure(|| {
        lemke.solve(&m, &q, &mut z);
        boxed.solve(&m, &q, &lo, &hi, &mut z);
    });
    assert_eq!(count.count_total, 0);
}
