//! A thousand random hierarchies against a slow reference: one QP per level, the optima of the levels above as
//! constraints, solved by an interior-point method.

use crate::fixture::Random;
use crate::oracle::{Word, ask};
use sinew_solve::hqp::{Hierarchy, HqpSize, HqpSolver, HqpStatus, Level, LevelOutcome, Task};
use sinew_solve::qp::Qp;

const INF: f64 = f64::INFINITY;

/// Rows with two sides.
#[derive(Clone, Default, Debug)]
struct Sided {
    rows: Vec<Vec<f64>>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Sided {
    fn push(&mut self, row: Vec<f64>, lower: f64, upper: f64) {
        self.rows.push(row);
        self.lower.push(lower);
        self.upper.push(upper);
    }
}

#[derive(Clone, Default, Debug)]
struct RandomLevel {
    a: Vec<Vec<f64>>,
    b: Vec<f64>,
    soft: Sided,
}

#[derive(Clone, Default, Debug)]
struct Case {
    n: usize,
    levels: Vec<RandomLevel>,
    hard: Sided,
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
    fn random(r: &mut Random) -> Self {
        let n = r.int(2, 9);
        let mut case = Case { n, ..Self::default() };
        let inside = r.normals(n);
        for _ in 0..r.int(0, n) {
            let row = r.normals(n);
            let v = dot(&row, &inside);
            match r.int(0, 2) {
                0 => case.hard.push(row, v - r.unit(), INF),
                1 => case.hard.push(row, -INF, v + r.unit()),
                _ => case.hard.push(row, v - r.unit(), v + r.unit()),
            }
        }
        if r.chance(0.6) {
            case.bound_lower = inside.iter().map(|v| v - 2.0 * r.unit()).collect();
            case.bound_upper =
                inside.iter().map(|v| v + if r.chance(0.3) { INF } else { 2.0 * r.unit() }).collect();
        }
        let mut seen: Vec<Vec<f64>> = Vec::new();
        for _ in 0..r.int(2, 4) {
            let mut level = RandomLevel::default();
            for _ in 0..r.int(1, n.div_ceil(2)) {
                // Some rows repeat, or combine, what other levels ask for.
                let row = match r.int(0, 5) {
                    0 if !seen.is_empty() => seen[r.int(0, seen.len() - 1)].clone(),
                    1 if seen.len() > 1 => {
                        let (i, j) = (r.int(0, seen.len() - 1), r.int(0, seen.len() - 1));
                        seen[i].iter().zip(&seen[j]).map(|(a, b)| a + 0.5 * b).collect()
                    }
                    _ => r.normals(n),
                };
                seen.push(row.clone());
                level.a.push(row);
                level.b.push(2.0 * r.normal());
            }
            if r.chance(0.3) {
                for _ in 0..r.int(1, 2) {
                    let (row, v) = (r.normals(n), r.normal());
                    level.soft.push(row, v, if r.chance(0.5) { INF } else { v + r.unit() });
                }
            }
            case.levels.push(level);
        }
        case
    }

    /// Errors of the levels by the slow way; `None` when the oracle is not sure of one.
    fn reference(&self) -> Option<Vec<f64>> {
        let n = self.n;
        let (mut equal, mut equal_to) = (Vec::new(), Vec::new());
        let mut rows = self.hard.clone();
        let mut errors = Vec::new();
        for level in &self.levels {
            // Variables x and the slacks of the level's own inequalities.
            let (ms, m) = (level.soft.rows.len(), level.a.len());
            let width = n + ms;
            let widen = |row: &Vec<f64>, slack: Option<usize>| {
                let mut wide = row.clone();
                wide.resize(width, 0.0);
                if let Some(k) = slack {
                    wide[n + k] = 1.0;
                }
                wide
            };
            let mut objective: Vec<Vec<f64>> = level.a.iter().map(|r| widen(r, None)).collect();
            for k in 0..ms {
                objective.push(widen(&vec![0.0; n], Some(k)));
            }
            let mut target = level.b.clone();
            target.resize(m + ms, 0.0);
            let mut all: Vec<Vec<f64>> = rows.rows.iter().map(|r| widen(r, None)).collect();
            all.extend(level.soft.rows.iter().enumerate().map(|(k, r)| widen(r, Some(k))));
            let lower: Vec<f64> = rows.lower.iter().chain(&level.soft.lower).copied().collect();
            let upper: Vec<f64> = rows.upper.iter().chain(&level.soft.upper).copied().collect();
            let (mut bl, mut bu) = (self.bound_lower.clone(), self.bound_upper.clone());
            if !bl.is_empty() {
                bl.resize(width, -INF);
                bu.resize(width, INF);
            }
            let wide_equal: Vec<Vec<f64>> = equal.iter().map(|r| widen(r, None)).collect();
            let (o, e, c) = (
                column_major(&objective, width),
                column_major(&wide_equal, width),
                column_major(&all, width),
            );
            let qp = Qp::least_squares(width, &o, &target)
                .with_equalities(&e, &equal_to)
                .with_inequalities(&c, &lower, &upper)
                .with_bounds(&bl, &bu);
            let Word::Solved { x, .. } = ask(&qp, 1e-12) else { return None };
            // The level's optimum as constraints for the next.
            let x = &x[..n];
            let mut error = 0.0;
            for (row, b) in level.a.iter().zip(&level.b) {
                let v = dot(row, x);
                error += (v - b) * (v - b);
                equal.push(row.clone());
                equal_to.push(v);
            }
            for (k, row) in level.soft.rows.iter().enumerate() {
                let v = dot(row, x);
                let (l, u) = (level.soft.lower[k], level.soft.upper[k]);
                error += (l - v).max(v - u).max(0.0).powi(2);
                rows.push(row.clone(), l.min(v), u.max(v));
            }
            errors.push(error);
        }
        Some(errors)
    }
}

#[test]
fn a_thousand_random_hierarchies_equal_the_reference() {
    let mut r = Random::new(5);
    let mut solver = HqpSolver::new(HqpSize {
        variables: 9,
        rows: 5,
        levels: 4,
        equalities: 0,
        inequalities: 17,
        level_inequalities: 2,
    });
    let (mut compared, mut unsure, mut limited) = (0, 0, 0);
    while compared < 1000 {
        let case = Case::random(&mut r);
        let Some(errors) = case.reference() else {
            unsure += 1;
            continue;
        };
        let matrices: Vec<(Vec<f64>, Vec<f64>)> = case
            .levels
            .iter()
            .map(|l| (column_major(&l.a, case.n), column_major(&l.soft.rows, case.n)))
            .collect();
        let tasks: Vec<[Task<'_>; 1]> =
            matrices.iter().zip(&case.levels).map(|((a, _), l)| [Task::new(a, &l.b)]).collect();
        let levels: Vec<Level<'_>> = tasks
            .iter()
            .zip(&matrices)
            .zip(&case.levels)
            .map(|((t, (_, c)), l)| Level::new(t).with_inequalities(c, &l.soft.lower, &l.soft.upper))
            .collect();
        let c = column_major(&case.hard.rows, case.n);
        let h = Hierarchy::new(case.n, &levels)
            .with_inequalities(&c, &case.hard.lower, &case.hard.upper)
            .with_bounds(&case.bound_lower, &case.bound_upper);
        for warm in [false, true] {
            let s = if warm { solver.solve_warm(&h) } else { solver.solve(&h) }.unwrap();
            assert_eq!(s.status, HqpStatus::Solved, "warm {warm}: {case:?}");
            assert!(s.violation < 1e-9, "violated by {:e}: {case:?}", s.violation);
            for (k, (report, e)) in s.levels.iter().zip(&errors).enumerate() {
                let off = (report.error - e).abs() / (1.0 + e);
                assert!(off < 1e-7, "warm {warm}, level {k}: {} instead of {e}: {case:?}", report.error);
            }
            limited += usize::from(s.levels.iter().any(|l| l.outcome == LevelOutcome::Limited));
        }
        compared += 1;
    }
    println!("{unsure} times the reference was not sure, {limited} of 2000 solves met limits");
    assert!(unsure < 50 && limited > 1000);
}
