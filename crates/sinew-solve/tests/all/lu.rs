//! LU: residuals of random systems, singular matrices.
use crate::random::Random;
use sinew_solve::dense::Lu;

#[test]
fn random_systems_and_their_transposes() {
    let mut random = Random::new(11);
    let mut lu = Lu::with_capacity(60);
    for n in [0, 1, 2, 3, 10, 37, 60] {
        let (a, x) = (random.vector(n * n), random.vector(n));
        assert!(lu.factor(n, &a));
        for transposed in [false, true] {
            let at = |i: usize, j: usize| if transposed { a[j + i * n] } else { a[i + j * n] };
            let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| at(i, j) * x[j]).sum()).collect();
            if transposed {
                lu.solve_transposed(&mut b)
            } else {
                lu.solve(&mut b)
            }
            let residual = (0..n)
                .map(|i| (0..n).map(|j| at(i, j) * (b[j] - x[j])).sum::<f64>().abs())
                .fold(0.0, f64::max);
            assert!(residual < 1e-13, "{n} {residual:e}");
        }
    }
}

#[test]
fn singular_and_not_finite_matrices_are_refused() {
    let mut lu = Lu::with_capacity(3);
    assert!(!lu.factor(2, &[1.0, 2.0, 2.0, 4.0]));
    assert!(!lu.factor(2, &[0.0; 4]));
    assert!(!lu.factor(1, &[f64::NAN]));
    assert!(lu.factor(2, &[1.0, 2.0, 2.0, 4.0 + 1e-12]) && lu.pivot_ratio() < 1e-11);
}
