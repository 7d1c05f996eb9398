//! The algebraic Riccati equation: SciPy's numbers, closed forms, and problems without a solution.
use crate::random::{Random, distance};
use sinew_solve::riccati::{DareStatus, dare};

/// Column-major from rows as printed.
fn matrix<const R: usize, const C: usize>(rows: [[f64; C]; R]) -> Vec<f64> {
    (0..R * C).map(|k| rows[k % R][k / R]).collect()
}

fn relative(a: &[f64], b: &[f64]) -> f64 {
    distance(a, b) / b.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
}

// Expected values: scipy.linalg.solve_discrete_are of SciPy 1.17.1 (NumPy 2.4.6) on the matrices written here.
#[test]
fn equals_scipy() {
    let a =
        matrix([[1.1, 0.2, 0.0, -0.3], [0.0, 0.9, 0.4, 0.0], [0.1, 0.0, 1.2, 0.2], [-0.2, 0.1, 0.0, 0.8]]);
    let b = matrix([[0.5, 0.0], [0.0, 1.0], [0.5, 0.5], [0.0, -0.5]]);
    let q = matrix([[2.0, 0.5, 0.0, 0.0], [0.5, 1.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.5], [0.0, 0.0, 0.5, 2.5]]);
    let r = matrix([[2.0, 0.5], [0.5, 1.0]]);
    let s = matrix([[0.1, 0.0], [0.0, 0.1], [0.1, -0.1], [0.0, 0.0]]);
    let plain = dare(4, 2, &a, &b, &q, &r, None);
    assert_eq!(plain.status, DareStatus::Solved);
    assert!(plain.residual < 1e-13, "{:e}", plain.residual);
    let x = matrix([
        [131.0885757259481, 7.102395196956133, -129.91639532666989, -148.10781763060209],
        [7.102395196956133, 3.404539175405942, -5.904798870252639, -6.113231830666367],
        [-129.91639532666989, -5.904798870252639, 137.33303013949157, 153.04501388907536],
        [-148.10781763060209, -6.113231830666367, 153.04501388907536, 175.96186567622777],
    ]);
    assert!(relative(&plain.x, &x) < 1e-12, "{:e}", relative(&plain.x, &x));
    let k = matrix([
        [1.308860058423315, 0.09232229486103966, -2.3701492069452756, -2.264037912750808],
        [-3.461957778683585, -0.7481859220428488, 2.990701026084334, 3.9849187601202334],
    ]);
    assert!(relative(&plain.gain, &k) < 1e-12);

    let cross = dare(4, 2, &a, &b, &q, &r, Some(&s));
    assert_eq!(cross.status, DareStatus::Solved);
    let x = matrix([
        [132.33084634254882, 6.708988884538603, -130.4847631090252, -149.50892423951018],
        [6.708988884538603, 3.2494213698793954, -5.453434713987366, -5.63537049119002],
        [-130.4847631090252, -5.453434713987366, 136.7288173734078, 153.2914002384039],
        [-149.50892423951018, -5.63537049119002, 153.2914002384039, 177.3207228849578],
    ]);
    assert!(relative(&cross.x, &x) < 1e-12);
    let k = matrix([
        [1.2672717949269001, 0.09334864866794554, -2.3494509866503197, -2.224771186079733],
        [-3.5262994570012864, -0.7539301404313778, 3.070956298049322, 4.066573262410759],
    ]);
    assert!(relative(&cross.gain, &k) < 1e-12);
}

// An acrobot at its handstand, sampled at 10 ms: the values are large, 3.6e6, and the equation badly conditioned.
#[test]
fn equals_scipy_on_a_handstand() {
    let a = matrix([
        [1.0004905802046178e+00, -4.906604118581387e-04, 1.0001635160404738e-02, -1.6353208132255624e-06],
        [-4.906604118581387e-04, 1.001471901028334, -1.6353208132255626e-06, 1.0004905802031191e-02],
        [9.813208342074825e-02, -9.816416841510374e-02, 1.0004905802046178e+00, -4.906604118581387e-04],
        [-9.816416841510373e-02, 2.944604202509557e-01, -4.906604118581387e-04, 1.001471901028334],
    ]);
    let b = [-0.00010002861570806, 0.00025006949525282, -0.02001144692487561, 0.05002779965178241];
    let identity: Vec<f64> = (0..16).map(|k| if k % 5 == 0 { 1.0 } else { 0.0 }).collect();
    let law = dare(4, 1, &a, &b, &identity, &[1.0], None);
    assert_eq!(law.status, DareStatus::Solved);
    let k = [391.57384522443033, 130.05117011743988, 160.60125958130072, 60.883874873303036];
    assert!(relative(&law.gain, &k) < 1e-8, "{:e}", relative(&law.gain, &k));
    assert!((law.x[0] / 3635084.796451526 - 1.0).abs() < 1e-8);
}

#[test]
fn sampled_pendulum() {
    // θ'' = 9.81θ + u under a zero-order hold of 10 ms
    let (w, h) = (9.81f64.sqrt(), 0.01);
    let (c, s) = ((w * h).cosh(), (w * h).sinh());
    let a = matrix([[c, s / w], [w * s, c]]);
    let b = [(c - 1.0) / (w * w), s / w];
    let law = dare(2, 1, &a, &b, &[0.1, 0.0, 0.0, 0.1], &[1.0], None);
    assert!(distance(&law.gain, &[-19.32202414, -6.17587997]) < 1e-8);
}

#[test]
fn random_systems_are_stabilised() {
    let mut random = Random::new(31);
    for _ in 0..50 {
        let (n, m) = (2 + random.below(12), 1 + random.below(4));
        let (a, b) = (random.vector(n * n), random.vector(n * m));
        let (q, r) = (random.semidefinite(n, n, 1.0, 0.1), random.semidefinite(m, m, 1.0, 0.5));
        let law = dare(n, m, &a, &b, &q, &r, None);
        assert_eq!(law.status, DareStatus::Solved);
        assert!(law.residual < 1e-9, "{:e}", law.residual);
        let dense = |v: &[f64], r, c| nalgebra::DMatrix::from_column_slice(r, c, v);
        let closed = dense(&a, n, n) + dense(&b, n, m) * dense(&law.gain, m, n);
        assert!(closed.complex_eigenvalues().iter().all(|e| e.norm_sqr() < 1.0));
    }
}

#[test]
fn problems_without_a_stabilising_solution_are_named() {
    let identity = [1.0, 0.0, 0.0, 1.0];
    // an unstable mode out of reach
    let out_of_reach = dare(2, 1, &[2.0, 0.0, 0.0, 0.5], &[0.0, 1.0], &identity, &[1.0], None);
    assert_eq!(out_of_reach.status, DareStatus::Diverged);
    // a mode on the unit circle out of reach, with a cost: the value grows for ever
    let yaw = dare(2, 1, &[1.0, 0.0, 0.0, 0.5], &[0.0, 1.0], &identity, &[1.0], None);
    assert_eq!(yaw.status, DareStatus::Diverged);
    // the same without a cost: a solution, but nothing brings the mode back
    let drift = dare(2, 1, &[1.0, 0.0, 0.0, 0.5], &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0], &[1.0], None);
    assert_eq!(drift.status, DareStatus::Marginal);
    assert_eq!(dare(1, 1, &[1.0], &[1.0], &[1.0], &[0.0], None).status, DareStatus::NotConvex);
    assert_eq!(dare(1, 1, &[f64::NAN], &[1.0], &[1.0], &[1.0], None).status, DareStatus::Diverged);
}
