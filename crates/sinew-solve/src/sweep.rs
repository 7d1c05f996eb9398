//! Parameter sweeps: many independent evaluations, in order, on as many cores as there are.
//!
//! A sweep is a list of [`Case`]s, each a point of a parameter space with a seed of its own. [`map`] evaluates a
//! function on every item of a list. With the feature `parallel` the work is spread over the threads of rayon,
//! without it (and on wasm32) it is done one after the other; the results are in the order of the items and, since
//! every case has its own seed, the same to the bit for any number of threads.
//!
//! Latin hypercubes: McKay, Beckman and Conover, "A comparison of three methods for selecting values of input
//! variables …", Technometrics 21 (1979). Seeds: Steele, Lea and Flood, "Fast splittable pseudorandom number
//! generators", OOPSLA 2014 (SplitMix64).

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// One evaluation of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its place in the list.
    pub index: usize,
    /// Seed for random numbers of the case.
    pub seed: u64,
    /// The parameters.
    pub values: Vec<f64>,
}

/// Evaluates `f` on every item; results in the order of the items.
///
/// ```
/// let squares = sinew_solve::sweep::map(&[1, 2, 3], |x| x * x);
/// assert_eq!(squares, [1, 4, 9]);
/// ```
#[cfg(feature = "parallel")]
pub fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    use rayon::prelude::*;
    items.par_iter().map(f).collect()
}

/// Evaluates `f` on every item; results in the order of the items.
///
/// ```
/// let squares = sinew_solve::sweep::map(&[1, 2, 3], |x| x * x);
/// assert_eq!(squares, [1, 4, 9]);
/// ```
#[cfg(not(feature = "parallel"))]
pub fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    items.iter().map(f).collect()
}

/// Does some work in which [`map`] uses this many threads; 0 stands for all cores.
///
/// ```
/// use sinew_solve::sweep;
/// assert_eq!(sweep::with_threads(1, || sweep::map(&[1, 2], |x| 2 * x)), [2, 4]);
/// ```
#[cfg(feature = "parallel")]
pub fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        // no threads to be had: those that there are will do
        Err(_) => work(),
    }
}

/// Does some work in which [`map`] uses this many threads; 0 stands for all cores.
///
/// ```
/// use sinew_solve::sweep;
/// assert_eq!(sweep::with_threads(1, || sweep::map(&[1, 2], |x| 2 * x)), [2, 4]);
/// ```
#[cfg(not(feature = "parallel"))]
pub fn with_threads<R: Send>(_threads: usize, work: impl FnOnce() -> R + Send) -> R {
    work()
}

/// All combinations of the values of each axis; the last axis changes fastest.
///
/// ```
/// let cases = sinew_solve::sweep::grid(&[&[1.0, 2.0], &[10.0, 20.0, 30.0]], 7);
/// assert_eq!(cases.len(), 6);
/// assert_eq!(cases[4].values, [2.0, 20.0]);
/// ```
pub fn grid(axes: &[&[f64]], seed: u64) -> Vec<Case> {
    let count = axes.iter().map(|a| a.len()).product();
    (0..count)
        .map(|index| {
            let mut rest = index;
            let mut values: Vec<f64> = axes
                .iter()
                .rev()
                .map(|axis| {
                    let value = axis[rest % axis.len()];
                    rest /= axis.len();
                    value
                })
                .collect();
            values.reverse();
            Case { index, seed: case_seed(seed, index), values }
        })
        .collect()
}

/// `count` points such that the projection on every axis has exactly one point in each of `count` equal parts of
/// its range.
///
/// ```
/// let cases = sinew_solve::sweep::latin_hypercube(&[(0.0, 1.0), (-1.0, 1.0)], 10, 7);
/// let lowest = cases.iter().filter(|c| c.values[1] < -0.8).count();
/// assert_eq!(lowest, 1);
/// ```
pub fn latin_hypercube(ranges: &[(f64, f64)], count: usize, seed: u64) -> Vec<Case> {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut cases: Vec<Case> = (0..count)
        .map(|index| Case { index, seed: case_seed(seed, index), values: Vec::with_capacity(ranges.len()) })
        .collect();
    let mut parts: Vec<usize> = (0..count).collect();
    for (lo, hi) in ranges {
        // a random order of the parts, by Fisher and Yates
        for i in (1..count).rev() {
            parts.swap(i, random.random_range(0..=i));
        }
        for (case, part) in cases.iter_mut().zip(&parts) {
            let at = (*part as f64 + random.random::<f64>()) / count as f64;
            case.values.push(lo + (hi - lo) * at);
        }
    }
    cases
}

/// The seed of case `index`: far apart for consecutive cases.
fn case_seed(seed: u64, index: usize) -> u64 {
    let mut z = seed.wrapping_add((index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
