//! The dense kernels against their defining identities.

use crate::fixture::Random;
use nalgebra::{DMatrix, DVector};
use sinew_solve::dense::{Cholesky, CompleteOrthogonal, Ldlt, PivotedQr, Qr};

/// A random positive definite matrix; variables of different blocks are not coupled.
fn definite(r: &mut Random, n: usize, blocks: usize) -> DMatrix<f64> {
    let root = DMatrix::from_fn(n + 2, n, |_, _| r.normal());
    let mut p = root.transpose() * root;
    for i in 0..n {
        for j in 0..n {
            if i * blocks / n != j * blocks / n {
                p[(i, j)] = 0.0;
            }
        }
    }
    p
}

fn low_rank(r: &mut Random, m: usize, n: usize, rank: usize) -> DMatrix<f64> {
    let (a, b) = (DMatrix::from_fn(m, rank, |_, _| r.normal()), DMatrix::from_fn(rank, n, |_, _| r.normal()));
    a * b
}

fn lower(c: &Cholesky) -> DMatrix<f64> {
    DMatrix::from_fn(c.len(), c.len(), |i, j| c.get(i, j))
}

#[test]
fn cholesky_reproduces_the_matrix_and_solves() {
    let mut r = Random::new(1);
    let mut c = Cholesky::with_capacity(40);
    for case in 0..300 {
        let (n, blocks) = (r.int(1, 40), r.int(1, 5));
        let p = definite(&mut r, n, blocks);
        c.factor(n, p.as_slice()).unwrap();
        let l = lower(&c);
        let scale = p.amax();
        assert!((&l * l.transpose() - &p).amax() < 1e-13 * scale, "case {case}");
        let x = DVector::from_fn(n, |_, _| r.normal());
        let mut b = &p * &x;
        c.solve(b.as_mut_slice());
        let error = (&p * &b - &p * &x).amax();
        assert!(error < 1e-11 * scale * (1.0 + x.amax()), "case {case}: {error:e}");
        let mut y = x.clone();
        c.forward(y.as_mut_slice());
        assert!((&l * y - &x).amax() < 1e-11 * (1.0 + x.amax()));
    }
}

#[test]
fn cholesky_refuses_what_is_not_positive_definite() {
    let mut c = Cholesky::with_capacity(6);
    assert_eq!(c.factor(2, &[1.0, 2.0, 2.0, 1.0]).unwrap_err().column, 1);
    assert!(c.factor(1, &[f64::NAN]).is_err());
    let mut p = DMatrix::<f64>::identity(6, 6);
    p[(5, 3)] = f64::NAN;
    assert!(c.factor(6, p.as_slice()).is_err());
}

#[test]
fn rank_one_changes_equal_a_new_factorisation() {
    let mut r = Random::new(2);
    let (mut c, mut fresh) = (Cholesky::with_capacity(20), Cholesky::with_capacity(20));
    for _ in 0..100 {
        let n = r.int(1, 20);
        let p = definite(&mut r, n, 2);
        let z = DVector::from_fn(n, |_, _| r.normal());
        c.factor(n, p.as_slice()).unwrap();
        c.update(z.clone().as_mut_slice());
        fresh.factor(n, (&p + &z * z.transpose()).as_slice()).unwrap();
        assert!((lower(&c) - lower(&fresh)).amax() < 1e-11 * p.amax());
        assert!(c.downdate(z.clone().as_mut_slice()));
        fresh.factor(n, p.as_slice()).unwrap();
        assert!((lower(&c) - lower(&fresh)).amax() < 1e-9 * p.amax());
        // More than the matrix has cannot be taken away, and the factor survives the attempt.
        let before = lower(&c);
        assert!(!c.downdate((z * 1e3).as_mut_slice()) || n == 0);
        assert_eq!(before, lower(&c));
    }
}

#[test]
fn ldlt_reproduces_quasi_definite_matrices_and_their_changes() {
    let mut r = Random::new(3);
    let mut f = Ldlt::with_capacity(16);
    for _ in 0..100 {
        // [H Aᵀ; A −C] in any order of its variables.
        let n = r.int(1, 16);
        let (mut p, signs) =
            (definite(&mut r, n, 1), DVector::from_fn(n, |_, _| if r.chance(0.5) { 1.0 } else { -1.0 }));
        for i in 0..n {
            for j in 0..n {
                if signs[i] != signs[j] {
                    continue;
                }
                p[(i, j)] *= signs[i];
            }
        }
        let check = |f: &Ldlt, p: &DMatrix<f64>, tolerance: f64| {
            let l = DMatrix::from_fn(n, n, |i, j| f.get(i, j));
            let d = DMatrix::from_diagonal(&DVector::from_column_slice(f.d()));
            assert!((&l * d * l.transpose() - p).amax() < tolerance * (1.0 + p.amax()));
        };
        assert_eq!(f.factor(n, p.as_slice(), 1e-10), 0);
        check(&f, &p, 1e-9);
        let negative = f.d().iter().filter(|d| **d < 0.0).count();
        assert_eq!(negative, signs.iter().filter(|s| **s < 0.0).count());
        // A change that keeps the signs.
        let z = DVector::from_fn(n, |i, _| if signs[i] > 0.0 { r.normal() } else { 0.0 });
        assert!(f.rank_one_update(0.7, z.as_slice()));
        check(&f, &(p + 0.7 * &z * z.transpose()), 1e-8);
    }
    assert_eq!(f.factor(2, &[0.0, 0.0, 0.0, 1.0], 1e-6), 1);
    assert_eq!(f.d(), [1e-6, 1.0]);
}

#[test]
fn qr_is_orthogonal_and_triangular() {
    let mut r = Random::new(4);
    let mut qr = Qr::with_capacity(20, 20);
    for _ in 0..100 {
        let n = r.int(1, 12);
        let m = n + r.int(0, 8);
        let a = DMatrix::from_fn(m, n, |_, _| r.normal());
        qr.factor(m, n, a.as_slice());
        for j in 0..n {
            // Q (R eⱼ) is column j of A, and Qᵀ undoes Q.
            let mut column = DVector::from_fn(m, |i, _| if i < n { qr.r(i, j) } else { 0.0 });
            let before = column.clone();
            qr.apply(column.as_mut_slice());
            assert!((&column - a.column(j)).amax() < 1e-13 * (1.0 + a.amax()) * m as f64);
            qr.apply_transpose(column.as_mut_slice());
            assert!((column - before).amax() < 1e-12);
        }
    }
}

#[test]
fn the_rank_is_found_also_where_down_dated_norms_mislead() {
    let mut r = Random::new(5);
    let mut qr = PivotedQr::with_capacity(80, 80);
    for rank in [1, 20, 60, 73] {
        let a = low_rank(&mut r, 80, 74, rank);
        let longest = (0..74).map(|j| a.column(j).norm()).fold(0.0, f64::max);
        assert_eq!(qr.factor(80, 74, a.as_slice(), 1e-11 * longest), rank);
    }
    // Graded columns: each a million times shorter than the one before is still a column.
    let mut a = DMatrix::from_fn(10, 4, |_, _| r.normal());
    for j in 0..4 {
        a.column_mut(j).scale_mut(10f64.powi(-4 * j as i32));
    }
    assert_eq!(qr.factor(10, 4, a.as_slice(), 1e-14), 4);
    assert_eq!(qr.factor(10, 4, a.as_slice(), 1e-6), 2);
}

#[test]
fn complete_orthogonal_decomposition_gives_the_shortest_least_squares_solution() {
    let mut r = Random::new(6);
    let mut cod = CompleteOrthogonal::with_capacity(15, 15);
    for _ in 0..200 {
        let (m, n) = (r.int(1, 15), r.int(1, 15));
        let rank = r.int(1, m.min(n));
        let a = low_rank(&mut r, m, n, rank);
        let b = DVector::from_fn(m, |_, _| r.normal());
        cod.factor(m, n, a.as_slice(), 1e-10 * a.norm());
        assert_eq!(cod.rank(), rank);
        let mut x = DVector::zeros(n);
        cod.least_squares(b.as_slice(), x.as_mut_slice());
        // The rest of the basis is an orthonormal basis of the null space.
        let mut z = DMatrix::zeros(n, n - rank);
        for k in rank..n {
            cod.basis(k, z.column_mut(k - rank).as_mut_slice());
        }
        assert!((&a * &z).amax() < 1e-12 * (1.0 + a.norm()));
        assert!((z.transpose() * &z - DMatrix::identity(n - rank, n - rank)).amax() < 1e-13);
        // The definition of the shortest least-squares solution: Aᵀ(Ax − b) = 0, and nothing of x in the null
        // space.
        let scale = a.norm() * (a.norm() * x.norm() + b.norm());
        assert!((a.transpose() * (&a * &x - &b)).amax() < 1e-13 * scale);
        assert!((z.transpose() * &x).amax() < 1e-12 * (1.0 + x.norm()));
    }
}
