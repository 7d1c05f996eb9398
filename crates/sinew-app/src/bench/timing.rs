//! Timing of short operations.
//!
//! A sample is the mean over a batch of passes over all inputs that lasts at least 40 µs, so that the clock's own cost
//! and granularity do not count. Operations over 30 µs are timed one by one; over 300 µs in CPU time of the thread,
//! which does not include preemption. The median over the samples is the figure to quote.

use serde::Serialize;
use std::time::{Duration, Instant};

/// Microseconds per call, sorted.
#[derive(Clone, Debug)]
pub(crate) struct Samples(Vec<f64>);

/// A sample set as the JSON line of a benchmark report, microseconds.
#[derive(Debug, Serialize)]
pub(crate) struct Line<'a> {
    suite: &'a str,
    bench: &'a str,
    median_us: f64,
    min_us: f64,
    p10_us: f64,
    p90_us: f64,
    p99_us: f64,
    mean_us: f64,
    n: usize,
}

impl Samples {
    /// From microseconds in any order.
    pub(crate) fn new(mut samples: Vec<f64>) -> Samples {
        samples.sort_by(f64::total_cmp);
        Samples(samples)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Linear interpolation between the sorted samples; `p` from 0 to 1.
    pub(crate) fn quantile(&self, p: f64) -> f64 {
        let x = p * (self.0.len() - 1) as f64;
        let (i, f) = (x as usize, x.fract());
        match self.0.get(i + 1) {
            Some(next) => self.0[i] * (1.0 - f) + next * f,
            None => self.0[i],
        }
    }

    pub(crate) fn line<'a>(&self, suite: &'a str, bench: &'a str) -> Line<'a> {
        let round = |us: f64| (us * 1e4).round() / 1e4;
        let at = |p| round(self.quantile(p));
        Line {
            suite,
            bench,
            median_us: at(0.5),
            min_us: at(0.0),
            p10_us: at(0.1),
            p90_us: at(0.9),
            p99_us: at(0.99),
            mean_us: round(self.0.iter().sum::<f64>() / self.0.len() as f64),
            n: self.0.len(),
        }
    }
}

fn micros(d: Duration) -> f64 {
    d.as_secs_f64() * 1e6
}

/// Time since some moment: on the wall since `origin`, or spent by this thread on a processor (where the system reports it).
fn clock(origin: Instant, by_cpu: bool) -> Duration {
    #[cfg(unix)]
    if by_cpu {
        let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        return Duration::new(t.tv_sec as u64, t.tv_nsec as u32);
    }
    let _ = by_cpu;
    origin.elapsed()
}

/// Times something that takes a good part of a second, in CPU time of the thread, at least 20 times.
pub(crate) fn measure_long(budget: f64, mut f: impl FnMut()) -> Samples {
    let origin = Instant::now();
    let end = origin + Duration::from_secs_f64(budget);
    let mut samples = Vec::new();
    while Instant::now() < end || samples.len() < 20 {
        let start = clock(origin, true);
        f();
        samples.push(micros(clock(origin, true) - start));
    }
    Samples::new(samples)
}

/// Times `f(i)` for `i` in `0..inputs` for about `budget` seconds.
pub(crate) fn measure(inputs: usize, budget: f64, mut f: impl FnMut(usize)) -> Samples {
    let origin = Instant::now();
    let mut pass = || (0..inputs).for_each(&mut f);
    (0..3).for_each(|_| pass());
    let one = (0..5).fold(f64::MAX, |least, _| {
        let start = Instant::now();
        pass();
        least.min(micros(start.elapsed()))
    });
    let one = one.max(0.01);
    let each = one / inputs as f64;
    let end = Instant::now() + Duration::from_secs_f64(budget);
    let mut samples = Vec::new();
    if each > 30.0 || one > 1000.0 {
        let by_cpu = each > 300.0;
        let mut k = 0;
        while Instant::now() < end || samples.len() < 61 {
            let start = clock(origin, by_cpu);
            f(k % inputs);
            samples.push(micros(clock(origin, by_cpu) - start));
            k += 1;
        }
    } else {
        let passes = ((40.0 / one) as usize).max(1);
        while Instant::now() < end || samples.len() < 31 {
            let start = Instant::now();
            (0..passes).for_each(|_| pass());
            samples.push(micros(start.elapsed()) / (passes * inputs) as f64);
        }
    }
    Samples::new(samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_interpolate() {
        let s = Samples::new(vec![4.0, 1.0, 3.0, 2.0]);
        assert_eq!([0.0, 0.5, 1.0].map(|p| s.quantile(p)), [1.0, 2.5, 4.0]);
        let line = serde_json::to_value(s.line("sinew", "x")).expect("JSON");
        assert_eq!(line["median_us"], 2.5);
        assert_eq!(line["n"], 4);
    }

    #[test]
    fn a_known_duration_is_measured() {
        // spins for at least the asked time on each path: batched, single, and CPU time
        for us in [5.0, 60.0, 500.0] {
            let samples = measure(2, 0.02, |_| {
                let start = Instant::now();
                while micros(start.elapsed()) < us {}
            });
            let least = samples.quantile(0.0);
            assert!(least > 0.8 * us || us > 300.0, "{us} µs measured as {least}");
            assert!(least < 1.5 * us, "{us} µs measured as {least}");
        }
    }
}
