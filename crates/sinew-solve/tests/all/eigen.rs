//! Eigenvalues: closed forms, orthogonality, repeated and extreme ones, pairs.
use crate::random::{Random, distance};
use sinew_solve::eigen::{EigenError, GeneralisedEigen, SymmetricEigen};

/// Largest error of A z = λ z and of ZᵀZ = 1.
fn errors(n: usize, a: &[f64], eigen: &SymmetricEigen) -> (f64, f64) {
    let (mut equation, mut orthogonal) = (0.0f64, 0.0f64);
    for k in 0..n {
        let z = eigen.vector(k);
        for i in 0..n {
            let az: f64 = (0..n).map(|j| a[i.max(j) + i.min(j) * n] * z[j]).sum();
            equation = equation.max((az - eigen.values()[k] * z[i]).abs());
        }
        for l in 0..n {
            let product: f64 = z.iter().zip(eigen.vector(l)).map(|(a, b)| a * b).sum();
            orthogonal = orthogonal.max((product - if k == l { 1.0 } else { 0.0 }).abs());
        }
    }
    (equation, orthogonal)
}

#[test]
fn random_matrices() {
    let mut random = Random::new(81);
    let mut eigen = SymmetricEigen::new(42);
    for n in [0usize, 1, 2, 3, 5, 10, 36, 42] {
        for rank in [n, n.div_ceil(2)] {
            let a = random.semidefinite(n, rank, 1.0, 0.0);
            eigen.decompose(n, &a).expect("finite");
            let (equation, orthogonal) = errors(n, &a, &eigen);
            assert!(equation < 1e-13 && orthogonal < 1e-13, "{n} {equation:e} {orthogonal:e}");
            assert!(eigen.values().is_sorted());
        }
    }
}

#[test]
fn second_difference_has_a_closed_form() {
    let n = 20usize;
    let a: Vec<f64> = (0..n * n)
        .map(|k| match (k % n).abs_diff(k / n) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        })
        .collect();
    let mut eigen = SymmetricEigen::new(n);
    eigen.decompose(n, &a).expect("finite");
    let exact: Vec<f64> =
        (1..=n).map(|k| 2.0 - 2.0 * (std::f64::consts::PI * k as f64 / (n + 1) as f64).cos()).collect();
    assert!(distance(eigen.values(), &exact) < 1e-14);
}

#[test]
fn repeated_zero_and_widely_spread_eigenvalues() {
    let mut eigen = SymmetricEigen::new(12);
    eigen.decompose(12, &[0.0; 144]).expect("finite");
    assert_eq!(eigen.values(), [0.0; 12]);
    let identity: Vec<f64> = (0..144).map(|k| if k % 13 == 0 { 3.0 } else { 0.0 }).collect();
    eigen.decompose(12, &identity).expect("finite");
    assert_eq!(eigen.values(), [3.0; 12]);
    // all ones: 12 once, 0 eleven times
    eigen.decompose(12, &[1.0; 144]).expect("finite");
    assert!(
        (eigen.values()[11] - 12.0).abs() < 1e-13 && eigen.values()[..11].iter().all(|v| v.abs() < 1e-13)
    );
    assert!(errors(12, &[1.0; 144], &eigen).1 < 1e-13);
    // sixteen orders of magnitude on the diagonal, coupled
    let spread: Vec<f64> =
        (0..144).map(|k| if k % 13 == 0 { 10f64.powi(k / 13 - 8) } else { 1e-9 }).collect();
    eigen.decompose(12, &spread).expect("finite");
    let (equation, orthogonal) = errors(12, &spread, &eigen);
    assert!(equation < 1e-11 && orthogonal < 1e-13, "{equation:e} {orthogonal:e}");
    assert_eq!(eigen.decompose(1, &[f64::NAN]), Err(EigenError::NotFinite));
    assert_eq!(eigen.decompose(2, &[1.0, f64::INFINITY, 0.0, 1.0]), Err(EigenError::NotFinite));
}

#[test]
fn pairs_are_normalised_by_the_second_matrix() {
    let mut random = Random::new(82);
    let n = 36;
    let (k, m) = (random.semidefinite(n, n, 50.0, 1.0), random.semidefinite(n, n, 1.0, 1e-3));
    let mut modes = GeneralisedEigen::new(n);
    modes.decompose(n, &k, &m).expect("definite");
    for a in 0..n {
        for b in 0..n {
            let form = |x: &[f64]| -> f64 {
                (0..n)
                    .map(|j| {
                        (0..n).map(|i| modes.vector(a)[i] * x[i + j * n] * modes.vector(b)[j]).sum::<f64>()
                    })
                    .sum()
            };
            let (mass, stiffness) = if a == b { (1.0, modes.values()[a]) } else { (0.0, 0.0) };
            assert!((form(&m) - mass).abs() < 1e-10);
            assert!((form(&k) - stiffness).abs() < 1e-9 * modes.values()[n - 1]);
        }
    }
    assert_eq!(modes.decompose(1, &[1.0], &[0.0]), Err(EigenError::NotPositiveDefinite));
    assert_eq!(modes.decompose(1, &[1.0], &[f64::NAN]), Err(EigenError::NotFinite));
}

#[test]
fn two_masses_on_springs() {
    // k = 1 to the wall and between, masses 1: ω² = (3 ∓ √5)/2
    let mut modes = GeneralisedEigen::new(2);
    modes.decompose(2, &[2.0, -1.0, -1.0, 1.0], &[1.0, 0.0, 0.0, 1.0]).expect("definite");
    let root = 5f64.sqrt();
    assert!(distance(modes.values(), &[(3.0 - root) / 2.0, (3.0 + root) / 2.0]) < 1e-15);
}

#[test]
fn nothing_is_allocated() {
    let mut random = Random::new(83);
    let (k, m) = (random.semidefinite(24, 24, 1.0, 0.0), random.semidefinite(24, 24, 1.0, 1.0));
    let mut modes = GeneralisedEigen::new(24);
    let count = allocation_counter::measure(|| modes.decompose(24, &k, &m).expect("definite"));
    assert_eq!(count.count_total, 0);
}
