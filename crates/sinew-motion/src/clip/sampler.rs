//! A clip at any time: position, velocity, acceleration, and what is beyond its ends.
//!
//! The rates are those of the curve itself (see the equations in `spline`), not differences: with [`Interpolation::Cubic`]
//! velocity and acceleration are continuous everywhere. A looping clip goes on from where it is: its last frame is its first,
//! moved over the floor by one cycle ([`Sampler::cycle`]).
//!
//! Sampling takes no memory and no workspace; a few microseconds for a human.

use super::spline::Spline;
use crate::{Clip, Travel};
use sinew_dynamics::Model;
use std::sync::Arc;

/// How to go from frame to frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Straight lines and shortest arcs; velocity jumps at frames.
    Linear,
    /// A spline through all frames, twice continuously differentiable.
    #[default]
    Cubic,
}

/// What is before the first and after the last frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outside {
    /// The first and the last frame, at rest.
    #[default]
    Clamp,
    /// The clip again and again, carried on from where its root is.
    Loop,
}

/// A curve through the frames of a clip.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_motion::{Clip, Interpolation, Outside, Sampler};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let mut q = Vec::new();
/// for frame in 0..=10 {
///     let mut pose = human.neutral();
///     pose[0] = 0.1 * frame as f64; // forward with 1 m/s
///     q.extend(pose);
/// }
/// let clip = Clip::new("glide", human.clone(), 10.0, q)?;
/// let curve = Sampler::new(&clip, Interpolation::Cubic, Outside::Loop);
/// let (mut q, mut v, mut a) = (human.neutral(), vec![0.0; 35], vec![0.0; 35]);
/// curve.state(2.55, &mut q, &mut v, &mut a); // two cycles further, and a half
/// assert!((q[0] - 2.55).abs() < 1e-12 && (v[0] - 1.0).abs() < 1e-12 && a[0].abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sampler {
    model: Arc<Model>,
    spline: Spline,
    rate: f64,
    outside: Outside,
    cycle: Travel,
}

impl Sampler {
    /// Makes the curve. A clip of a single frame is at rest.
    pub fn new(clip: &Clip, how: Interpolation, outside: Outside) -> Sampler {
        let model = clip.model();
        let (nq, last) = (model.nq(), clip.len() - 1);
        let cycle = Travel::between(model, clip.frame(0), clip.frame(last));
        let frames = clip.as_slice();
        let spline = match (how, outside) {
            (Interpolation::Linear, _) => Spline::linear(model, frames),
            (_, Outside::Loop) if last >= 3 => Spline::cubic(model, &frames[..last * nq], Some(cycle)),
            _ => Spline::cubic(model, frames, None),
        };
        Sampler { model: model.clone(), spline, rate: clip.rate, outside, cycle }
    }

    /// Whose motion it is.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// From the first to the last frame, s.
    pub fn duration(&self) -> f64 {
        self.spline.pieces() as f64 / self.rate
    }

    /// How far one cycle of a loop leads over the floor.
    pub fn cycle(&self) -> Travel {
        self.cycle
    }

    /// Configuration at time `t` (s) into `q`.
    ///
    /// # Panics
    /// If `q` has not `nq` numbers.
    pub fn configuration(&self, t: f64, q: &mut [f64]) {
        assert_eq!(q.len(), self.model.nq(), "q must have nq numbers");
        let place = self.place(t);
        self.spline.configuration(place.piece, place.u, q);
        if place.cycles != 0 {
            self.cycle.power(place.cycles).apply_to(&self.model, q);
        }
    }

    /// Configuration, velocity and acceleration at time `t` (s), each consistent with the others.
    ///
    /// # Panics
    /// If the slices have not `nq`, `nv`, `nv` numbers.
    pub fn state(&self, t: f64, q: &mut [f64], v: &mut [f64], a: &mut [f64]) {
        let nv = self.model.nv();
        assert_eq!((q.len(), v.len(), a.len()), (self.model.nq(), nv, nv), "q, v, a");
        let place = self.place(t);
        self.spline.state(place.piece, place.u, self.rate, q, v, a);
        if place.beyond {
            v.fill(0.0);
            a.fill(0.0);
        }
        if place.cycles != 0 {
            self.cycle.power(place.cycles).apply_to_state(self.spline.layout(), q, [v, a]);
        }
    }

    /// Index of the frame that holds at time `t`, for what is not interpolated, such as contacts: the nearest.
    pub fn nearest_frame(&self, t: f64) -> usize {
        let place = self.place(t);
        place.piece + usize::from(place.u >= 0.5)
    }

    fn place(&self, t: f64) -> Place {
        let pieces = self.spline.pieces();
        let mut x = t * self.rate;
        let mut place = Place { piece: 0, u: 0.0, cycles: 0, beyond: false };
        match self.outside {
            Outside::Loop => {
                let cycles = libm::floor(x / pieces as f64);
                x -= cycles * pieces as f64;
                place.cycles = cycles as i64;
            }
            Outside::Clamp => place.beyond = !(0.0..=pieces as f64).contains(&x),
        }
        // NaN is taken for the beginning
        let x = x.max(0.0).min(pieces as f64);
        place.piece = (x as usize).min(pieces - 1);
        place.u = x - place.piece as f64;
        place
    }
}

/// Where a time is on the curve.
struct Place {
    piece: usize,
    u: f64,
    cycles: i64,
    beyond: bool,
}
