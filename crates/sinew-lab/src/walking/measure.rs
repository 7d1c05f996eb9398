//! Measures of series.

use std::ops::Range;

/// A foot in the air for less than this has not swung, s.
const SHORT: f64 = 0.1;

/// Pearson's coefficient; NaN when a series does not vary or they differ in length.
///
/// ```
/// use sinew_lab::walking::correlation;
/// let rising = [0.0, 1.0, 2.0, 3.0];
/// assert!((correlation(&rising, &[6.0, 4.0, 2.0, 0.0]) + 1.0).abs() < 1e-12);
/// assert_eq!(correlation(&rising, &[1.0, -1.0, -1.0, 1.0]), 0.0);
/// ```
pub fn correlation(a: &[f64], b: &[f64]) -> f64 {
    if a.len() != b.len() || a.is_empty() {
        return f64::NAN;
    }
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    let (ma, mb) = (mean(a), mean(b));
    let sum = a.iter().zip(b).fold([0.0; 3], |[ab, aa, bb], (x, y)| {
        let (x, y) = (x - ma, y - mb);
        [ab + x * y, aa + x * x, bb + y * y]
    });
    sum[0] / (sum[1] * sum[2]).sqrt()
}

/// The series less the straight line that fits it best.
///
/// ```
/// use sinew_lab::walking::detrended;
/// assert!(detrended(&[1.0, 3.0, 5.0, 7.0]).iter().all(|x| x.abs() < 1e-12));
/// ```
pub fn detrended(series: &[f64]) -> Vec<f64> {
    let n = series.len() as f64;
    let middle = 0.5 * (n - 1.0);
    let mean = series.iter().sum::<f64>() / n;
    let (mut along, mut square) = (0.0, 0.0);
    for (k, x) in series.iter().enumerate() {
        let t = k as f64 - middle;
        (along, square) = (along + t * (x - mean), square + t * t);
    }
    let slope = if square > 0.0 { along / square } else { 0.0 };
    series.iter().enumerate().map(|(k, x)| x - mean - slope * (k as f64 - middle)).collect()
}

/// Share of the power of some series above a frequency, their means left out; NaN when nothing varies.
///
/// By Parseval's theorem the power of a series is the sum of those of its frequencies, so that what is above is what is left when
/// those up to `hz` are taken away. The series should hold whole periods.
///
/// ```
/// use sinew_lab::walking::power_above;
/// let wave = |hz: f64, k: usize| (std::f64::consts::TAU * hz * k as f64 * 1e-3).sin();
/// let series: Vec<f64> = (0..2000).map(|k| 3.0 + wave(10.0, k) + 0.5 * wave(60.0, k)).collect();
/// assert!((power_above(&[&series], 1e-3, 30.0) - 0.2).abs() < 1e-9);
/// ```
pub fn power_above(series: &[&[f64]], dt: f64, hz: f64) -> f64 {
    let (mut total, mut low) = (0.0, 0.0);
    for series in series.iter().filter(|s| !s.is_empty()) {
        let n = series.len();
        let mean = series.iter().sum::<f64>() / n as f64;
        total += series.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
        // the highest frequency that counts as low, and at most what sampling allows
        let last = ((hz * n as f64 * dt + 1e-9) as usize).min(n / 2);
        low += (1..=last).map(|k| power_of(series, mean, k)).sum::<f64>();
    }
    if total > 0.0 { (1.0 - low / total).max(0.0) } else { f64::NAN }
}

/// Power of the frequency with `k` periods in the series.
fn power_of(series: &[f64], mean: f64, k: usize) -> f64 {
    let n = series.len();
    let (s, c) = libm::sincos(core::f64::consts::TAU * k as f64 / n as f64);
    let (mut turn, mut sum) = ((1.0, 0.0), (0.0, 0.0));
    for x in series {
        sum = (sum.0 + (x - mean) * turn.0, sum.1 + (x - mean) * turn.1);
        turn = (turn.0 * c - turn.1 * s, turn.0 * s + turn.1 * c);
    }
    // positive and negative frequency, which are one at the highest
    let twice = if 2 * k == n { 1.0 } else { 2.0 };
    twice * (sum.0 * sum.0 + sum.1 * sum.1) / n as f64
}

/// When a foot is in the air: from lift-off to landing, both seen.
///
/// ```
/// use sinew_lab::walking::swings;
/// let mut touching = vec![true; 1000];
/// touching[200..500].fill(false);
/// touching[700..720].fill(false); // too short
/// touching[900..].fill(false); // does not land
/// assert_eq!(swings(&touching, 1e-3), [200..500]);
/// ```
pub fn swings(touching: &[bool], dt: f64) -> Vec<Range<usize>> {
    let mut swings = Vec::new();
    let mut lifted = None;
    for (k, pair) in touching.windows(2).enumerate() {
        match pair {
            [true, false] => lifted = Some(k + 1),
            [false, true] => {
                let swing = lifted.take().map(|from| from..k + 1);
                swings.extend(swing.filter(|s| s.len() as f64 * dt >= SHORT));
            }
            _ => {}
        }
    }
    swings
}

/// Time from the last touch of the heel to the last touch of the toes, for every stance between two swings.
///
/// ```
/// use sinew_lab::walking::heel_leads;
/// let touch = |from: usize, to: usize| (0..1000).map(|k| (from..to).contains(&k)).collect::<Vec<_>>();
/// let (mut heel, mut toe) = (touch(300, 500), touch(350, 650));
/// // a swing before and one after
/// (heel[0], toe[0], heel[999], toe[999]) = (true, true, true, true);
/// let leads = heel_leads(&heel, &toe, 1e-3);
/// assert_eq!(leads.len(), 1);
/// assert!((leads[0] - 0.15).abs() < 1e-12);
/// ```
pub fn heel_leads(heel: &[bool], toe: &[bool], dt: f64) -> Vec<f64> {
    let touching: Vec<bool> = heel.iter().zip(toe).map(|(a, b)| *a || *b).collect();
    let swings = swings(&touching, dt);
    let stances = swings.windows(2).map(|pair| pair[0].end..pair[1].start);
    let last = |series: &[bool], within: Range<usize>| {
        let start = within.start;
        series[within].iter().rposition(|touches| *touches).map_or(start, |k| start + k)
    };
    stances.map(|stance| (last(toe, stance.clone()) as f64 - last(heel, stance) as f64) * dt).collect()
}
