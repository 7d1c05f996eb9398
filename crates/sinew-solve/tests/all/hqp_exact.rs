//! Hierarchies with answers known by hand.

use crate::fixture::Random;
use sinew_solve::hqp::{Hierarchy, HqpSize, HqpSolver, HqpStatus, Level, LevelOutcome, Task};

const INF: f64 = f64::INFINITY;
const IDENTITY: [f64; 4] = [1.0, 0.0, 0.0, 1.0];

fn solver() -> HqpSolver {
    HqpSolver::new(HqpSize {
        variables: 3,
        rows: 6,
        levels: 3,
        equalities: 1,
        inequalities: 4,
        level_inequalities: 4,
    })
}

/// Solves cold and then warm, and compares both with the answer.
fn assert_answer(hierarchy: &Hierarchy<'_>, answer: &[f64]) -> Vec<LevelOutcome> {
    let mut solver = solver();
    for warm in [false, true] {
        let s = if warm { solver.solve_warm(hierarchy) } else { solver.solve(hierarchy) }.unwrap();
        assert_eq!(s.status, HqpStatus::Solved);
        for (x, a) in s.x.iter().zip(answer) {
            assert!((x - a).abs() < 1e-9, "{:?} instead of {answer:?}", s.x);
        }
        assert!(s.violation < 1e-10);
    }
    solver.solve(hierarchy).unwrap().levels.iter().map(|l| l.outcome).collect()
}

#[test]
fn two_levels_without_and_with_a_bound() {
    let first = [Task::new(&[1.0, 1.0], &[2.0])];
    let second = [Task::new(&IDENTITY, &[0.0, 0.0])];
    let levels = [Level::new(&first), Level::new(&second)];
    let free = Hierarchy::new(2, &levels);
    assert_eq!(assert_answer(&free, &[1.0, 1.0]), [LevelOutcome::Attained, LevelOutcome::Attained]);
    let bounded = free.with_bounds(&[-INF, -INF], &[INF, 0.25]);
    assert_eq!(assert_answer(&bounded, &[1.75, 0.25]), [LevelOutcome::Attained, LevelOutcome::Limited]);
}

#[test]
fn a_row_that_must_hold_limits_the_lower_level_only() {
    let first = [Task::new(&[1.0, 0.0], &[1.0])];
    let second = [Task::new(&IDENTITY, &[3.0, 4.0])];
    let levels = [Level::new(&first), Level::new(&second)];
    let h = Hierarchy::new(2, &levels).with_inequalities(&[1.0, 1.0], &[-INF], &[3.0]);
    assert_answer(&h, &[1.0, 2.0]);
}

#[test]
fn a_limited_first_level_leaves_nothing_to_the_second() {
    let first = [Task::new(&[1.0, 1.0], &[4.0])];
    for aim in [[0.0, 0.0], [-5.0, 7.0]] {
        let second = [Task::new(&IDENTITY, &aim)];
        let levels = [Level::new(&first), Level::new(&second)];
        let h = Hierarchy::new(2, &levels).with_bounds(&[-INF, -INF], &[1.0, 1.0]);
        let outcomes = assert_answer(&h, &[1.0, 1.0]);
        assert_eq!(outcomes[0], LevelOutcome::Limited);
        let mut solver = solver();
        assert!((solver.solve(&h).unwrap().levels[0].error - 4.0).abs() < 1e-9);
    }
}

#[test]
fn a_copy_of_a_level_decides_nothing() {
    let first = [Task::new(&[1.0, 2.0], &[3.0])];
    let copy = [Task::new(&[1.0, 2.0], &[-8.0])];
    let third = [Task::new(&[2.0, -1.0], &[1.0])];
    let levels = [Level::new(&first), Level::new(&copy), Level::new(&third)];
    let outcomes = assert_answer(&Hierarchy::new(2, &levels), &[1.0, 1.0]);
    assert_eq!(outcomes[1], LevelOutcome::Decided);
    let mut solver = solver();
    let s = solver.solve(&Hierarchy::new(2, &levels)).unwrap();
    assert_eq!([s.levels[0].rank, s.levels[1].rank, s.levels[2].rank], [1, 0, 1]);
    assert!((s.levels[1].error - 121.0).abs() < 1e-9);
}

#[test]
fn three_levels_in_space() {
    // x + y + z = 3, then x − y = 2 as far as x ≤ 1.5 allows (it does), then z = 5 as far as the rest allows.
    let first = [Task::new(&[1.0, 1.0, 1.0], &[3.0])];
    let second = [Task::new(&[1.0, -1.0, 0.0], &[2.0])];
    let third = [Task::new(&[0.0, 0.0, 1.0], &[-3.0])];
    let levels = [Level::new(&first), Level::new(&second), Level::new(&third)];
    // Without the bound: z = −3, x + y = 6, x − y = 2: (4, 2, −3). With x ≤ 1.5: y = −0.5, z = 2.
    assert_answer(&Hierarchy::new(3, &levels), &[4.0, 2.0, -3.0]);
    let bounded = Hierarchy::new(3, &levels).with_bounds(&[-INF; 3], &[1.5, INF, INF]);
    assert_answer(&bounded, &[1.5, -0.5, 2.0]);
}

#[test]
fn weights_balance_tasks_within_a_level() {
    // 3(x − 1)² + (x − 5)²: the mean with weights 3 and 1 is 2.
    let tasks = [Task::new(&[1.0], &[1.0]).with_weight(3.0), Task::new(&[1.0], &[5.0])];
    assert_answer(&Hierarchy::new(1, &[Level::new(&tasks)]), &[2.0]);
}

#[test]
fn damping_chooses_among_what_is_free() {
    // x + y = 2 and nothing else: the shortest is (1, 1); with y damped nine times as much, (1.8, 0.2).
    let first = [Task::new(&[1.0, 1.0], &[2.0])];
    let levels = [Level::new(&first), Level::new(&[]).with_damping(&[1.0, 9.0])];
    assert_answer(&Hierarchy::new(2, &levels), &[1.8, 0.2]);
}

#[test]
fn inequalities_of_a_level_hold_as_well_as_the_levels_above_allow() {
    // x must not exceed 1; the first level wants x ≥ 3 and x + y ≥ 0, and gets the second; then y as small as
    // possible.
    let wish = Level::new(&[]).with_inequalities(&[1.0, 1.0, 0.0, 1.0], &[3.0, 0.0], &[INF, INF]);
    let second = [Task::new(&[0.0, 1.0], &[-10.0])];
    let levels = [wish, Level::new(&second)];
    let h = Hierarchy::new(2, &levels).with_bounds(&[-INF, -INF], &[1.0, INF]);
    let outcomes = assert_answer(&h, &[1.0, -1.0]);
    assert_eq!(outcomes[0], LevelOutcome::Limited);
    // Two wishes of one level that contradict each other share the violation: x ≥ 2 and x ≤ 0 meet at 1.
    let clash = Level::new(&[]).with_inequalities(&[1.0, 1.0], &[2.0, -INF], &[INF, 0.0]);
    assert_answer(&Hierarchy::new(1, &[clash]), &[1.0]);
}

#[test]
fn the_weighted_variant_is_off_by_what_theory_says() {
    // E₁ = (x + y − 2)², E₂ = x² + (y − 4)²; strict (−1, 3); with weights 1 and w off by w/(2 + w) in each
    // coordinate.
    let first = [Task::new(&[1.0, 1.0], &[2.0])];
    let second = [Task::new(&IDENTITY, &[0.0, 4.0])];
    let levels = [Level::new(&first), Level::new(&second)];
    let h = Hierarchy::new(2, &levels);
    assert_answer(&h, &[-1.0, 3.0]);
    let mut solver = solver();
    for w in [1.0, 0.1, 1e-3] {
        let s = solver.solve_weighted(&h, &[1.0, w]).unwrap();
        let off = w / (2.0 + w);
        assert!(
            (s.x[0] - (-1.0 + off)).abs() < 1e-9 && (s.x[1] - (3.0 + off)).abs() < 1e-9,
            "{:?} {off}",
            s.x
        );
    }
}

#[test]
fn extreme_numbers_give_neither_panics_nor_nan() {
    let mut r = Random::new(21);
    let mut solver = solver();
    for _ in 0..10_000 {
        let mut data = |count: usize| -> Vec<f64> {
            let wild = [0.0, f64::NAN, INF, -INF, 1e308, 5e-324, 1e-30, 1e30];
            let rate = if r.chance(0.5) { 0.0 } else { 0.05 };
            (0..count).map(|_| if r.chance(rate) { wild[r.int(0, 7)] } else { r.normal() }).collect()
        };
        let (a, b, c) = (data(6), data(2), data(3));
        let (a2, b2, lower, upper) = (data(9), data(3), data(1), data(1));
        let (low, high, damping) = (data(3), data(3), data(3));
        let (first, second) = ([Task::new(&a, &b)], [Task::new(&a2, &b2).with_weight(0.3)]);
        let damping: Vec<f64> = damping.iter().map(|d| d.abs()).collect();
        let levels = [
            Level::new(&first),
            Level::new(&second).with_inequalities(&c, &lower, &upper),
            Level::new(&[]).with_damping(&damping),
        ];
        let h = Hierarchy::new(3, &levels).with_equalities(&c, &b[..1]).with_bounds(&low, &high);
        for warm in [false, true] {
            if let Ok(s) = if warm { solver.solve_warm(&h) } else { solver.solve(&h) } {
                assert!(s.x.iter().all(|v| v.is_finite()) && !s.violation.is_nan(), "{h:?}");
            }
        }
    }
}

#[test]
fn contradicting_constraints_are_refused() {
    let task = [Task::new(&[1.0], &[1.0])];
    let levels = [Level::new(&task)];
    let h = Hierarchy::new(1, &levels).with_inequalities(&[1.0], &[2.0], &[INF]).with_bounds(&[-INF], &[1.0]);
    assert_eq!(solver().solve(&h).unwrap().status, HqpStatus::Infeasible);
}
