//! Faster and slower: another clock for a clip.
//!
//! The clock's speed is given at some times, runs in straight lines between them and stays constant beyond; source time `s(t)`
//! is its exact integral, so that speed is continuous where it is given so. With `q'(t) = q(s(t))`
//! ```text
//! v' = ṡ v        a' = ṡ² a + s̈ v
//! ```
//! Two speeds at the same time make a jump: `[(0, 0.75), (1, 0.75), (1, 1)]` runs at three quarters for a second, after which a
//! lag of 0.25 s remains. Contacts follow the same clock.

use crate::{Clip, Sampler};

/// A clock of its own.
///
/// ```
/// use sinew_motion::edit::TimeWarp;
/// let recover = TimeWarp::new(vec![(0.0, 0.75), (1.0, 0.75), (1.0, 1.0)]);
/// assert_eq!(recover.at(3.0).0, 2.75);
/// assert_eq!(TimeWarp::constant(1.1).at(2.0), (2.2, 1.1, 0.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TimeWarp {
    /// Time and speed.
    speeds: Vec<(f64, f64)>,
}

impl TimeWarp {
    /// The same speed all the time.
    pub fn constant(speed: f64) -> TimeWarp {
        TimeWarp { speeds: vec![(0.0, speed)] }
    }

    /// Speeds `(time, speed)` in order of time, the first at time 0, where source and target time meet.
    ///
    /// # Panics
    /// If there is none or times fall.
    pub fn new(speeds: Vec<(f64, f64)>) -> TimeWarp {
        assert!(!speeds.is_empty() && speeds.is_sorted_by(|a, b| a.0 <= b.0), "speeds in order of time");
        TimeWarp { speeds }
    }

    /// Source time, its speed and the change of it at a time.
    pub fn at(&self, t: f64) -> (f64, f64, f64) {
        let (first, last) = (self.speeds[0], self.speeds[self.speeds.len() - 1]);
        if t <= first.0 {
            return (first.0 + (t - first.0) * first.1, first.1, 0.0);
        }
        let mut source = first.0;
        for pair in self.speeds.windows(2) {
            let ((t0, v0), (t1, v1)) = (pair[0], pair[1]);
            if t < t1 {
                let slope = (v1 - v0) / (t1 - t0);
                let x = t - t0;
                return (source + x * (v0 + 0.5 * slope * x), v0 + slope * x, slope);
            }
            source += 0.5 * (v0 + v1) * (t1 - t0);
        }
        (source + (t - last.0) * last.1, last.1, 0.0)
    }

    /// State of a curve run by this clock.
    ///
    /// # Panics
    /// If the slices have not `nq`, `nv`, `nv` numbers.
    pub fn state(&self, curve: &Sampler, t: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) {
        let (source, speed, change) = self.at(t);
        curve.state(source, q, v, a);
        for (v, a) in v.iter_mut().zip(a) {
            *a = speed * speed * *a + change * *v;
            *v *= speed;
        }
    }

    /// A clip run by this clock from its beginning for as long as the source lasts, or `longest` seconds; contacts go along.
    ///
    /// ```
    /// # use sinew_dynamics::characters;
    /// # use sinew_motion::{Clip, edit::TimeWarp};
    /// # let human = std::sync::Arc::new(characters::load("human")?);
    /// let still = Clip::new("still", human.clone(), 30.0, human.neutral().repeat(61))?;
    /// assert_eq!(TimeWarp::constant(2.0).clip(&still, 10.0).duration(), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn clip(&self, clip: &Clip, longest: f64) -> Clip {
        let most = libm::floor(longest.max(0.0) * clip.rate + 1e-9) as usize;
        let inside = |i: &usize| self.at(*i as f64 / clip.rate).0 <= clip.duration() + 1e-9;
        let frames = (1..=most).take_while(inside).count() + 1;
        let mut warped = clip.retimed(frames, clip.rate, |i| self.at(i as f64 / clip.rate).0);
        warped.provenance.add("time warped");
        warped
    }
}
