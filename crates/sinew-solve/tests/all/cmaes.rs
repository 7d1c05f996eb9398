//! CMA-ES: known minima, bounds, restarts, bad values, and the same bits for any number of threads.
use crate::random::distance;
use sinew_solve::cmaes::{CmaEs, Settings, Stop, minimise};

fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2).map(|p| (1.0 - p[0]).powi(2) + 100.0 * (p[1] - p[0] * p[0]).powi(2)).sum()
}

#[test]
fn ill_conditioned_bowls() {
    for n in [1, 2, 5, 12] {
        let f = |x: &[f64]| -> f64 {
            x.iter().enumerate().map(|(i, x)| 10f64.powf(6.0 * i as f64 / 11.0) * (x - 1.0).powi(2)).sum()
        };
        let best = minimise(&vec![3.0; n], Settings { target: 1e-14, seed: 1, ..Settings::default() }, f);
        assert_eq!(best.stop, Stop::Target, "{n}: {best:?}");
        assert!(distance(&best.x, &vec![1.0; n]) < 1e-6);
    }
}

#[test]
fn a_winding_valley() {
    let best = minimise(&[0.0; 8], Settings { target: 1e-12, seed: 3, ..Settings::default() }, rosenbrock);
    assert_eq!(best.stop, Stop::Target, "{best:?}");
    assert!(distance(&best.x, &[1.0; 8]) < 1e-5 && best.evaluations < 20_000, "{best:?}");
}

#[test]
fn many_local_minima_need_restarts() {
    let rastrigin = |x: &[f64]| -> f64 {
        x.iter().map(|x| 10.0 + x * x - 10.0 * (2.0 * std::f64::consts::PI * x).cos()).sum()
    };
    let settings = Settings {
        target: 1e-9,
        step: 2.0,
        restarts: 7,
        seed: 5,
        max_evaluations: 300_000,
        ..Settings::default()
    };
    let best = minimise(&[2.5, -3.5, 1.5, 4.5], settings.clone(), rastrigin);
    assert_eq!(best.stop, Stop::Target, "{best:?}");
    let once = minimise(&[2.5, -3.5, 1.5, 4.5], Settings { restarts: 0, ..settings }, rastrigin);
    assert_eq!(once.stop, Stop::Converged);
    assert!(once.value > 0.9, "a local minimum: {once:?}");
}

#[test]
fn bounds_hold_and_the_edge_is_found() {
    let settings = Settings {
        bounds: Some((vec![-1.0, 2.0, f64::NEG_INFINITY], vec![5.0, 3.0, 0.5])),
        max_evaluations: 20_000,
        seed: 7,
        ..Settings::default()
    };
    let f = |x: &[f64]| {
        assert!((-1.0..=5.0).contains(&x[0]) && (2.0..=3.0).contains(&x[1]) && x[2] <= 0.5);
        // the minimum without bounds is (0, 0, 2)
        x[0] * x[0] + x[1] * x[1] + (x[2] - 2.0).powi(2)
    };
    let best = minimise(&[4.0, 2.5, 0.0], settings, f);
    assert!(distance(&best.x, &[0.0, 2.0, 0.5]) < 1e-4, "{best:?}");
}

#[test]
fn values_that_are_not_numbers_are_avoided() {
    let f = |x: &[f64]| if x[0] < 0.5 { f64::NAN } else { x[0] * x[0] + x[1] * x[1] };
    let best = minimise(&[2.0, 1.0], Settings { max_evaluations: 5_000, seed: 11, ..Settings::default() }, f);
    assert!(distance(&best.x, &[0.5, 0.0]) < 1e-2 && best.value.is_finite(), "{best:?}");
}

#[test]
fn the_seed_determines_the_run() {
    let run = |seed| {
        let mut search = CmaEs::new(&[1.0; 6], Settings { seed, ..Settings::default() });
        for _ in 0..50 {
            let values: Vec<f64> = search.ask().chunks_exact(6).map(rosenbrock).collect();
            search.tell(&values);
        }
        search.distribution().0.iter().map(|v| v.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[cfg(feature = "parallel")]
#[test]
fn the_number_of_threads_does_not_matter() {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let settings = Settings { max_evaluations: 3_000, seed: 13, ..Settings::default() };
        let best = pool.install(|| minimise(&[0.5; 7], settings, rosenbrock));
        (best.value.to_bits(), best.x.iter().map(|v| v.to_bits()).collect::<Vec<_>>(), best.evaluations)
    };
    assert_eq!(run(1), run(4));
    assert_eq!(run(1), run(3));
}
