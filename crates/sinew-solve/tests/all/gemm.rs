//! Packed products against sums written out, for every shape class and edge.
use crate::random::{Random, distance};
use sinew_solve::dense::gemm::{Mat, MatMut, Packing, Update};

fn naive(a: Mat<'_>, b: Mat<'_>) -> Vec<f64> {
    let mut c = vec![0.0; a.rows() * b.cols()];
    for j in 0..b.cols() {
        for i in 0..a.rows() {
            // the same order of summation: the results must be equal to the bit
            c[i + j * a.rows()] = (0..a.cols()).fold(0.0, |s, k| s + a.get(i, k) * b.get(k, j));
        }
    }
    c
}

#[test]
fn products_equal_sums_written_out_to_the_bit() {
    let mut random = Random::new(1);
    for (m, k, n) in [
        (0, 0, 0),
        (1, 1, 1),
        (1, 5, 3),
        (4, 0, 6),
        (4, 6, 6),
        (5, 7, 13),
        (12, 12, 12),
        (23, 3, 31),
        (84, 36, 84),
    ] {
        let (a, b, d) = (random.vector(m * k), random.vector(k * n), random.vector(m * n));
        let mut packing = Packing::new(m, k);
        for transposed in 0..4 {
            let a = if transposed & 1 == 0 { Mat::new(&a, m, k) } else { Mat::new(&a, k, m).t() };
            let b = if transposed & 2 == 0 { Mat::new(&b, k, n) } else { Mat::new(&b, n, k).t() };
            let expected = naive(a, b);
            let mut c = d.clone();
            packing.product(Update::Set, a, b, MatMut::new(&mut c, m, n));
            assert_eq!(c, expected);
            packing.product(Update::Sum(Mat::new(&d, m, n)), a, b, MatMut::new(&mut c, m, n));
            let sum: Vec<f64> = d.iter().zip(&expected).map(|(d, e)| d + e).collect();
            assert_eq!(c, sum);
            packing.product(Update::Subtract, a, b, MatMut::new(&mut c, m, n));
            assert!(distance(&c, &d) < 1e-13);
            packing.product(Update::Add, a, b, MatMut::new(&mut c, m, n));
            assert!(distance(&c, &sum) < 1e-13);
        }
    }
}

#[test]
fn lower_products_leave_the_upper_triangle_alone() {
    let mut random = Random::new(2);
    for (n, k) in [(1, 1), (4, 2), (6, 5), (7, 7), (13, 4), (42, 42)] {
        let a = random.vector(n * k);
        let a = Mat::new(&a, n, k);
        let expected = naive(a, a.t());
        let before = random.vector(n * n);
        let mut c = before.clone();
        Packing::new(n, k).product_lower(Update::Set, a, a.t(), MatMut::new(&mut c, n, n));
        for j in 0..n {
            for i in 0..n {
                let want = if i >= j { expected[i + j * n] } else { before[i + j * n] };
                assert_eq!(c[i + j * n], want);
            }
        }
    }
}

#[test]
fn blocks_of_larger_matrices() {
    let mut random = Random::new(3);
    let (a, b) = (random.vector(100), random.vector(100));
    let a = Mat::new(&a, 10, 10).block(2, 3, 5, 4);
    let b = Mat::new(&b, 10, 10).t().block(1, 1, 4, 7);
    let mut c = vec![7.0; 120];
    Packing::new(5, 4).product(Update::Set, a, b, MatMut::new(&mut c, 12, 10).block(6, 2, 5, 7));
    let expected = naive(a, b);
    for j in 0..10 {
        for i in 0..12 {
            let inside = (6..11).contains(&i) && (2..9).contains(&j);
            let want = if inside { expected[i - 6 + (j - 2) * 5] } else { 7.0 };
            assert_eq!(c[i + j * 12], want);
        }
    }
}
