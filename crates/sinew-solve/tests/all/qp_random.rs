//! Ten thousand random QPs, most of them nasty, against an interior-point solver and against the definition of a
//! solution.

use crate::fixture::Random;
use crate::oracle::{Word, ask};
use sinew_solve::qp::{Multipliers, Objective, Qp, QpSize, QpSolution, QpSolver, QpStatus};

const INF: f64 = f64::INFINITY;

/// A random problem with its own storage.
#[derive(Default, Debug)]
struct Case {
    n: usize,
    /// Some rows are nearly, but not quite, dependent.
    nearly_dependent: bool,
    least_squares: bool,
    /// P and g, or A and b.
    matrix: Vec<f64>,
    vector: Vec<f64>,
    equality_rows: Vec<Vec<f64>>,
    equality_target: Vec<f64>,
    rows: Vec<Vec<f64>>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    bound_lower: Vec<f64>,
    bound_upper: Vec<f64>,
}

fn column_major(rows: &[Vec<f64>], n: usize) -> Vec<f64> {
    (0..rows.len() * n).map(|k| rows[k % rows.len()][k / rows.len()]).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Case {
    /// A feasible problem around a point, made nasty in a random choice of ways.
    fn random(r: &mut Random) -> Self {
        let n = r.int(1, 9);
        let mut c = Case { n, ..Self::default() };
        c.objective(r);
        let point = r.normals(n);
        for _ in 0..r.int(0, n / 2) {
            let row = r.normals(n);
            c.equality_target.push(dot(&row, &point));
            c.equality_rows.push(row);
        }
        // Equalities that follow from the others.
        if !c.equality_rows.is_empty() && r.chance(0.2) {
            let weights = r.normals(c.equality_rows.len());
            let row: Vec<f64> = (0..n)
                .map(|j| (0..weights.len()).map(|k| weights[k] * c.equality_rows[k][j]).sum())
                .collect();
            c.equality_target.push(dot(&row, &point));
            c.equality_rows.push(row);
        }
        // Sides that meet in the point make a degenerate vertex.
        let degenerate = r.chance(0.3);
        for _ in 0..r.int(0, 2 * n) {
            let mut row = r.normals(n);
            let kind = r.int(0, 9);
            let mut parent = None;
            match kind {
                // Twice the same row, or a multiple of it, or nearly the same.
                0 if !c.rows.is_empty() => row = c.rows[r.int(0, c.rows.len() - 1)].clone(),
                1 if !c.rows.is_empty() => {
                    let (k, f) = (r.int(0, c.rows.len() - 1), r.normal());
                    row = c.rows[k].iter().map(|v| f * v).collect();
                }
                2 if c.lower.iter().zip(&c.upper).any(|(l, u)| l < u) => {
                    let open: Vec<usize> = (0..c.rows.len()).filter(|&k| c.lower[k] < c.upper[k]).collect();
                    let k = open[r.int(0, open.len() - 1)];
                    row = c.rows[k].iter().map(|v| v + 1e-6 * r.normal()).collect();
                    c.nearly_dependent = true;
                    parent = Some(k);
                }
                3 => row.iter_mut().for_each(|v| *v = if r.chance(0.6) { 0.0 } else { *v }),
                _ => {}
            }
            let (v, gap) = (dot(&row, &point), if degenerate && r.chance(0.7) { 0.0 } else { r.unit() });
            let sides = match r.int(0, 4) {
                // On the same side as its likeness: between two opposite ones the room would be a question of
                // rounding.
                _ if parent.is_some_and(|k| c.lower[k] > -INF) => (v - gap, INF),
                _ if parent.is_some() => (-INF, v + gap),
                0 => (v - gap, v + r.unit()),
                1 => (v, v),
                2 | 3 => (v - gap, INF),
                _ => (-INF, v + gap),
            };
            c.lower.push(sides.0);
            c.upper.push(sides.1);
            c.rows.push(row);
        }
        if r.chance(0.7) {
            for &p in &point {
                let (low, high) = match r.int(0, 4) {
                    0 => (-INF, INF),
                    1 => (p - if degenerate { 0.0 } else { r.unit() }, INF),
                    2 => (p, p),
                    _ => (p - r.unit(), p + r.unit()),
                };
                c.bound_lower.push(low);
                c.bound_upper.push(high);
            }
        }
        if r.chance(0.15) {
            c.contradict(r);
        }
        c
    }

    fn objective(&mut self, r: &mut Random) {
        let n = self.n;
        let kind = r.int(0, 5);
        // Full rank, some rank, or none at all.
        let rank = match kind {
            0..=2 => n + r.int(0, 2),
            3 | 4 => r.int(0, n),
            _ => 0,
        };
        let mut a: Vec<Vec<f64>> = (0..rank).map(|_| r.normals(n)).collect();
        if r.chance(0.3) && rank > 1 {
            a[rank - 1] = a[0].iter().map(|v| 2.0 * v).collect();
        }
        self.least_squares = r.chance(0.5);
        if self.least_squares {
            self.vector = r.normals(rank);
            self.matrix = column_major(&a, n);
        } else {
            self.matrix = (0..n * n).map(|k| a.iter().map(|a| a[k % n] * a[k / n]).sum()).collect();
            self.vector = if kind == 5 || r.chance(0.8) {
                // In the range of P, so that the problem is bounded for any constraints.
                let w = r.normals(rank);
                (0..n).map(|j| (0..rank).map(|k| w[k] * a[k][j]).sum()).collect()
            } else {
                r.normals(n)
            };
        }
    }

    /// Adds rows that cannot hold together with the others.
    fn contradict(&mut self, r: &mut Random) {
        let n = self.n;
        let gap = 10f64.powi(-(r.int(0, 4) as i32));
        if r.chance(0.3) && !self.equality_rows.is_empty() {
            self.equality_rows.push(self.equality_rows[0].iter().map(|v| 3.0 * v).collect());
            self.equality_target.push(3.0 * self.equality_target[0] + gap);
            return;
        }
        // u ≥ v + gap, w ≥ −v − t, u + w ≤ … : the sum of two rows limited below what they ask for.
        let (u, w) = (r.normals(n), r.normals(n));
        let sum = u.iter().zip(&w).map(|(a, b)| a + b).collect();
        for (row, low, high) in [(u, 1.0, INF), (w, 0.5, INF), (sum, -INF, 1.5 - gap)] {
            self.rows.push(row);
            self.lower.push(low);
            self.upper.push(high);
        }
    }
}

/// Checks the definition of a solution: feasible, gradient = Aᵀy + Cᵀz + w, signs, complementarity.
fn assert_is_solution(qp: &Qp<'_>, s: &QpSolution<'_>, feasibility: f64) {
    let n = qp.variables;
    assert!(s.x.iter().all(|v| v.is_finite()) && s.objective.is_finite());
    let violation = qp.violation_at(s.x);
    let size = 1.0 + s.x.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    assert!(violation < feasibility * size, "violated by {violation:e}");
    let mut gradient = vec![0.0; n];
    qp.gradient_at(s.x, &mut gradient);
    let mut scale = 1.0 + gradient.iter().fold(0.0f64, |m, g| m.max(g.abs()));
    add_combination(qp, &s.multipliers, -1.0, &mut gradient, &mut scale);
    let error = gradient.iter().fold(0.0f64, |m, g| m.max(g.abs()));
    assert!(error < 1e-7 * scale, "gradient off by {error:e} of {scale:e}");
    // A multiplier belongs to the side that holds with equality.
    let side = |m: f64, v: f64, low: f64, high: f64| {
        if m > 0.0 {
            assert!((v - low).abs() < 1e-7 * size, "{m} at {v} away from {low}");
        } else if m < 0.0 {
            assert!((v - high).abs() < 1e-7 * size, "{m} at {v} away from {high}");
        }
    };
    let mi = qp.inequality_lower.len();
    for i in 0..mi {
        let v = (0..n).map(|j| qp.inequality_matrix[j * mi + i] * s.x[j]).sum();
        side(s.multipliers.inequalities[i], v, qp.inequality_lower[i], qp.inequality_upper[i]);
    }
    for j in 0..qp.bound_lower.len() {
        side(s.multipliers.bounds[j], s.x[j], qp.bound_lower[j], qp.bound_upper[j]);
    }
}

/// out += f·(Aᵀy + Cᵀz + w), and the size of the largest term.
fn add_combination(qp: &Qp<'_>, m: &Multipliers<'_>, f: f64, out: &mut [f64], scale: &mut f64) {
    let (n, me, mi) = (qp.variables, qp.equality_target.len(), qp.inequality_lower.len());
    for j in 0..n {
        let terms = (0..me)
            .map(|i| qp.equality_matrix[j * me + i] * m.equalities[i])
            .chain((0..mi).map(|i| qp.inequality_matrix[j * mi + i] * m.inequalities[i]))
            .chain([m.bounds[j]]);
        for t in terms {
            out[j] += f * t;
            *scale = scale.max(t.abs());
        }
    }
}

/// Checks a proof of infeasibility.
fn assert_is_certificate(qp: &Qp<'_>, c: &Multipliers<'_>) {
    let (mut zero, mut scale) = (vec![0.0; qp.variables], 0.0);
    add_combination(qp, c, 1.0, &mut zero, &mut scale);
    let side = |m: f64, low: f64, high: f64| {
        if m > 0.0 {
            m * low
        } else if m < 0.0 {
            m * high
        } else {
            0.0
        }
    };
    let gain = dot(c.equalities, qp.equality_target)
        + (0..qp.inequality_lower.len())
            .map(|i| side(c.inequalities[i], qp.inequality_lower[i], qp.inequality_upper[i]))
            .sum::<f64>()
        + (0..qp.bound_lower.len())
            .map(|j| side(c.bounds[j], qp.bound_lower[j], qp.bound_upper[j]))
            .sum::<f64>();
    let rest = zero.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    assert!(gain > 0.0 && rest < 1e-6 * gain, "combination {rest:e}, gain {gain:e}");
}

/// How a problem came out: 0 solved, 1 infeasible, 2 unbounded; and whether the oracle saw it differently.
fn judge(qp: &Qp<'_>, s: &QpSolution<'_>, word: &Word, nearly_dependent: bool) -> (usize, bool) {
    match s.status {
        QpStatus::Solved => {
            // A vertex of nearly dependent rows is known to the rounding errors times their condition.
            assert_is_solution(qp, s, if nearly_dependent { 1e-7 } else { 1e-9 });
            if let Word::Solved { objective, .. } = word {
                let error = (objective - s.objective).abs() / (1.0 + objective.abs());
                assert!(error < 1e-6, "objective {} against {objective}", s.objective);
            }
            (0, matches!(word, Word::Infeasible | Word::Unbounded))
        }
        QpStatus::Infeasible => {
            assert_is_certificate(qp, &s.certificate.expect("a proof"));
            (1, matches!(word, Word::Solved { .. } | Word::Unbounded))
        }
        QpStatus::Unbounded => (2, matches!(word, Word::Solved { .. } | Word::Infeasible)),
        other => panic!("{other:?} after {} steps, oracle {word:?}", s.iterations),
    }
}

#[test]
fn ten_thousand_random_problems_are_solved_or_rightly_refused() {
    let mut r = Random::new(7);
    let mut solver = QpSolver::new(QpSize { variables: 9, equalities: 6, inequalities: 21, residuals: 11 });
    let (mut counts, mut disagreed) = ([0; 3], 0);
    for number in 0..10_000 {
        let case = Case::random(&mut r);
        let (a, c) = (column_major(&case.equality_rows, case.n), column_major(&case.rows, case.n));
        let objective = if case.least_squares {
            Objective::LeastSquares { a: &case.matrix, b: &case.vector }
        } else {
            Objective::Quadratic { hessian: &case.matrix, gradient: &case.vector }
        };
        let qp = Qp { objective, ..Qp::least_squares(case.n, &[], &[]) }
            .with_equalities(&a, &case.equality_target)
            .with_inequalities(&c, &case.lower, &case.upper)
            .with_bounds(&case.bound_lower, &case.bound_upper);
        let word = ask(&qp, 1e-10);
        let s = solver.solve(&qp).unwrap();
        let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            judge(&qp, &s, &word, case.nearly_dependent)
        }));
        let Ok((kind, differs)) = judged else { panic!("problem {number}: {case:?}") };
        counts[kind] += 1;
        disagreed += usize::from(differs);
    }
    println!(
        "solved {}, infeasible {}, unbounded {}, oracle differs on {disagreed}",
        counts[0], counts[1], counts[2]
    );
    // Where the oracle differs, its tolerances let pass what the checks above rule out.
    assert!(counts[0] > 8000 && counts[1] > 1000 && disagreed <= 5);
}
