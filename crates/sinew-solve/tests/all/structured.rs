//! Banded and block-tridiagonal systems against dense ones.
use crate::random::{Random, distance};
use nalgebra::{DMatrix, DVector};
use sinew_solve::banded::{Band, BandCholesky, BandLu};
use sinew_solve::block_tridiagonal::{BlockNotPositiveDefinite, BlockTridiagonal};

fn random_band(random: &mut Random, n: usize, lower: usize, upper: usize, cyclic: bool) -> Band {
    let mut a = Band::new(n, lower, upper);
    if cyclic {
        a = a.cyclic();
    }
    for i in 0..n {
        for d in -(lower as isize)..=upper as isize {
            let j = i as isize + d;
            if cyclic || (0..n as isize).contains(&j) {
                a.set(i, j.rem_euclid(n as isize) as usize, random.number());
            }
        }
    }
    a
}

fn dense(a: &Band) -> DMatrix<f64> {
    DMatrix::from_fn(a.len(), a.len(), |i, j| a.get(i, j))
}

#[test]
fn bands_equal_dense_systems() {
    let mut random = Random::new(71);
    for (n, lower, upper) in [(1, 0, 0), (5, 1, 1), (6, 0, 2), (7, 2, 0), (9, 3, 1), (12, 1, 3), (30, 2, 2)] {
        for cyclic in [false, true] {
            if cyclic && lower + upper >= n {
                continue;
            }
            // no diagonal dominance: rows must be exchanged
            let a = random_band(&mut random, n, lower, upper, cyclic);
            let x = random.vector(n);
            let mut y = vec![0.0; n];
            a.multiply(&x, &mut y);
            assert!(distance((dense(&a) * DVector::from_column_slice(&x)).as_slice(), &y) < 1e-14);
            let mut lu = BandLu::new(&a);
            assert!(lu.factor(&a));
            lu.solve(&mut y);
            let mut again = vec![0.0; n];
            a.multiply(&y, &mut again);
            let mut rhs = vec![0.0; n];
            a.multiply(&x, &mut rhs);
            assert!(distance(&again, &rhs) < 1e-10, "{n} {lower} {upper} {cyclic}");
        }
    }
}

#[test]
fn periodic_heat_has_a_closed_form() {
    // (1 + 2κ)x_i − κ(x_{i−1} + x_{i+1}) on a circle: cosines are eigenvectors
    let (n, kappa) = (32, 3.0);
    let mut a = Band::new(n, 1, 1).cyclic();
    for i in 0..n {
        a.set(i, i, 1.0 + 2.0 * kappa);
        a.set(i, (i + 1) % n, -kappa);
        a.set((i + 1) % n, i, -kappa);
    }
    let wave = |k: f64| {
        (0..n).map(|i| (2.0 * std::f64::consts::PI * k * i as f64 / n as f64).cos()).collect::<Vec<_>>()
    };
    let mut lu = BandLu::new(&a);
    assert!(lu.factor(&a));
    for k in 0..5 {
        let eigenvalue = 1.0 + 2.0 * kappa * (1.0 - (2.0 * std::f64::consts::PI * k as f64 / n as f64).cos());
        let mut x = wave(k as f64);
        lu.solve(&mut x);
        x.iter_mut().for_each(|v| *v *= eigenvalue);
        assert!(distance(&x, &wave(k as f64)) < 1e-13);
    }
}

#[test]
fn definite_bands_and_bands_that_are_not() {
    let mut random = Random::new(72);
    for (n, p) in [(1, 0), (4, 1), (9, 2), (40, 3)] {
        // BBᵀ + 1 of a lower band
        let b = dense(&random_band(&mut random, n, p, 0, false));
        let full = &b * b.transpose() + DMatrix::identity(n, n);
        let mut a = Band::new(n, p, p);
        for i in 0..n {
            (i.saturating_sub(p)..(i + p + 1).min(n)).for_each(|j| a.set(i, j, full[(i, j)]));
        }
        let mut cholesky = BandCholesky::new(&a);
        assert!(cholesky.factor(&a));
        let x = random.vector(n);
        let mut y = vec![0.0; n];
        a.multiply(&x, &mut y);
        cholesky.solve(&mut y);
        assert!(distance(&x, &y) < 1e-12);
        a.set(n - 1, n - 1, -1.0);
        assert!(!cholesky.factor(&a));
    }
    let mut singular = Band::new(2, 1, 1);
    singular.set(0, 0, 1.0);
    singular.set(1, 0, 1.0);
    assert!(!BandLu::new(&singular).factor(&singular));
}

#[test]
fn block_tridiagonal_systems_equal_dense_ones() {
    let mut random = Random::new(73);
    for (n, count) in [(1, 1), (1, 5), (3, 4), (7, 6), (13, 3), (24, 2)] {
        let size = n * count;
        let mut full = DMatrix::<f64>::zeros(size, size);
        let mut system = BlockTridiagonal::new(n, count);
        for k in 0..count {
            let d = random.semidefinite(n, n, 1.0, 4.0 * n as f64);
            system.diagonal_mut(k).copy_from_slice(&d);
            full.view_mut((k * n, k * n), (n, n)).copy_from(&DMatrix::from_column_slice(n, n, &d));
            if k + 1 < count {
                let e = random.vector(n * n);
                system.below_mut(k).copy_from_slice(&e);
                let e = DMatrix::from_column_slice(n, n, &e);
                full.view_mut(((k + 1) * n, k * n), (n, n)).copy_from(&e);
                full.view_mut((k * n, (k + 1) * n), (n, n)).copy_from(&e.transpose());
            }
        }
        let x = random.vector(size);
        let mut y = (full * DVector::from_column_slice(&x)).as_slice().to_vec();
        let count = allocation_counter::measure(|| {
            system.factor().expect("definite");
            system.solve(&mut y);
        });
        assert_eq!(count.count_total, 0);
        assert!(distance(&x, &y) < 1e-12);
    }
    let mut system = BlockTridiagonal::new(2, 3);
    for k in 0..3 {
        system.diagonal_mut(k).copy_from_slice(&[1.0, 0.0, 0.0, if k == 1 { -1.0 } else { 1.0 }]);
    }
    assert_eq!(system.factor(), Err(BlockNotPositiveDefinite { block: 1, row: 1 }));
}
