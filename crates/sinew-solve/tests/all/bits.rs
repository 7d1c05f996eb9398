//! The same bits from every build: tile sizes and vector widths differ between targets, results must not.
//!
//! The hashes hold for builds with and without AVX, AVX2 and AVX-512; a change of algorithm changes them, a change
//! of target must not.
use crate::contacts::Contacts;
use crate::lq::{Kind, problem};
use crate::random::Random;
use sinew_solve::eigen::SymmetricEigen;
use sinew_solve::lcp::{GaussSeidel, Law, Lemke};
use sinew_solve::qp::{Qp, QpSize, QpSolver};
use sinew_solve::riccati::Riccati;

/// FNV-1a over the bits of all numbers.
fn hash<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> u64 {
    numbers.into_iter().fold(0xcbf2_9ce4_8422_2325, |h, v| (h ^ v.to_bits()).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn riccati() {
    let mut random = Random::new(101);
    let p = problem(&mut random, 29, &[11, 7, 11, 0, 5], Kind { rank: 29, indefinite: 0.0 });
    let mut riccati = Riccati::new(&p);
    riccati.backward(&p, 0.0).expect("convex");
    let gains: Vec<f64> = (0..5).flat_map(|k| riccati.feedforward(k).to_vec()).collect();
    assert_eq!(hash(gains.iter().chain(riccati.value_gradient(0))), 13_407_083_426_296_036_798);
}

#[test]
fn quadratic_programs() {
    let mut random = Random::new(104);
    let (n, me, mi) = (27, 3, 19);
    let mut solver =
        QpSolver::new(QpSize { variables: n, equalities: me, inequalities: mi, ..QpSize::default() });
    let hessian = random.semidefinite(n, n, 1.0, 0.1);
    let (mut g, a, b, c) =
        (random.vector(n), random.vector(me * n), random.vector(me), random.vector(mi * n));
    let mut answers = Vec::new();
    for warm in [false, true] {
        let qp = Qp::quadratic(&hessian, &g)
            .with_equalities(&a, &b)
            .with_inequalities(&c, &[-0.3; 19], &[0.3; 19])
            .with_bounds(&[-0.2; 27], &[1.0; 27]);
        let solution = if warm { solver.solve_warm(&qp) } else { solver.solve(&qp) }.expect("well posed");
        assert!(solution.status.is_solved());
        answers.extend_from_slice(solution.x);
        answers.extend_from_slice(solution.multipliers.bounds);
        g.iter_mut().for_each(|g| *g *= 1.0001);
    }
    assert_eq!(hash(&answers), 12_986_598_720_180_584_682);
}

#[test]
fn contacts() {
    let mut random = Random::new(102);
    let contacts = Contacts::boxes(&mut random, 3, 10);
    let (m, q) = contacts.lcp(4);
    let mut z = vec![0.0; q.len()];
    Lemke::new(q.len()).solve(&m, &q, &mut z);
    let laws: Vec<Law> = contacts.mu.iter().map(|&mu| Law::Friction { mu }).collect();
    let mut f = vec![0.0; 30];
    GaussSeidel::new(30, 4).solve(&contacts.a, &contacts.b, &laws, &mut f);
    assert_eq!(hash(z.iter().chain(&f)), 9_645_241_407_782_481_802);
}

#[test]
fn eigenvectors() {
    let mut random = Random::new(103);
    let a = random.semidefinite(17, 17, 1.0, 0.0);
    let mut eigen = SymmetricEigen::new(17);
    eigen.decompose(17, &a).expect("finite");
    assert_eq!(hash(eigen.values().iter().chain(eigen.vectors())), 3_947_497_422_683_909_313);
}
