//! Sweeps: order, seeds, coverage.
use sinew_solve::sweep::{grid, latin_hypercube, map};
use std::collections::HashSet;

#[test]
fn results_come_in_order() {
    let cases = grid(&[&[0.0, 1.0, 2.0], &[5.0], &[7.0, 8.0]], 1);
    assert_eq!(cases.iter().map(|c| c.index).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    let sums = map(&cases, |c| c.values.iter().sum::<f64>());
    assert_eq!(sums, [12.0, 13.0, 13.0, 14.0, 14.0, 15.0]);
    assert!(grid(&[&[1.0], &[]], 1).is_empty());
    assert_eq!(grid(&[], 1).len(), 1);
}

#[test]
fn every_case_has_its_own_seed() {
    let seeds: HashSet<u64> =
        (0..20).flat_map(|s| latin_hypercube(&[(0.0, 1.0)], 500, s)).map(|c| c.seed).collect();
    assert_eq!(seeds.len(), 20 * 500);
    assert_eq!(latin_hypercube(&[(0.0, 1.0)], 10, 3), latin_hypercube(&[(0.0, 1.0)], 10, 3));
}

#[test]
fn a_latin_hypercube_covers_every_axis() {
    let ranges = [(-2.0, 3.0), (0.0, 1e-3), (10.0, 20.0)];
    let cases = latin_hypercube(&ranges, 40, 9);
    for (axis, (lo, hi)) in ranges.iter().enumerate() {
        let parts: HashSet<usize> =
            cases.iter().map(|c| ((c.values[axis] - lo) / (hi - lo) * 40.0) as usize).collect();
        assert_eq!(parts.len(), 40);
        assert!(parts.iter().all(|p| *p < 40));
    }
}
