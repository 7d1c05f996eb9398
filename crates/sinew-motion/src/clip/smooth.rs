//! Smoothing with a stated cut-off, and changing the rate.
//!
//! The smoothed frames `c` make the sum of squares `Σ |q_i ⊖ c_i|² + λ Σ |Δ³c_i|²` stationary: a discrete smoothing spline of
//! order 3. Far from the ends it is a filter without phase,
//! ```text
//! H(f) = 1 / (1 + λ (2 sin(π f/f_s))⁶),        λ = (√2 − 1) / (2 sin(π f_c/f_s))⁶        so that H(f_c) = 1/√2
//! ```
//! that is −3 dB at the cut-off `f_c`, and falls with the sixth power beyond: the amplitude of a third-order Butterworth filter
//! run forwards and backwards. At the ends it needs no padding, and constant velocity and acceleration pass unchanged.
//!
//! Rotations: differences are steps `c_i⁻¹ c_{i+1}` in the axes of the body, higher differences are taken of these. The
//! stationary point is found by the linear system of the numbers as Newton's method with a fixed matrix; a motion of
//! constant angular velocity is one exactly. Cost: one banded factorisation, then `O(frames · nv)` a round.

use super::{Clip, Interpolation, Outside, Sampler};
use sinew_solve::banded::{Band, BandCholesky};

/// Coefficients of the third difference.
const THIRD: [f64; 4] = [-1.0, 3.0, -3.0, 1.0];
/// Steps smaller than this (rad, m) end the rounds, of which there are at most so many.
const TOLERANCE: f64 = 1e-11;
const ROUNDS: usize = 40;

impl Clip {
    /// The clip with movement above `cutoff` (Hz) taken out: amplitudes fall to 1/√2 (−3 dB) at the cut-off, without delay.
    ///
    /// A cut-off of half the rate or more leaves the clip as it is, and so do fewer than four frames.
    ///
    /// ```
    /// use sinew_dynamics::characters;
    /// use sinew_motion::Clip;
    /// let human = std::sync::Arc::new(characters::load("human")?);
    /// let knee = human.joints()[human.joint("knee_l").unwrap().0].q;
    /// let mut q = human.neutral().repeat(241);
    /// for (i, frame) in q.chunks_mut(human.nq()).enumerate() {
    ///     frame[knee] = 0.5 + 0.1 * (std::f64::consts::TAU * 6.0 * i as f64 / 120.0).sin(); // 6 Hz at 120 frames/s
    /// }
    /// let smooth = Clip::new("shaky", human.clone(), 120.0, q)?.smoothed(6.0);
    /// let top = (100..140).map(|i| smooth.frame(i)[knee] - 0.5).fold(0.0, f64::max);
    /// assert!((top - 0.1 / 2f64.sqrt()).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn smoothed(&self, cutoff: f64) -> Clip {
        let mut smooth = self.clone();
        let n = self.len();
        if n < 4 || !(cutoff < 0.5 * self.rate) {
            return smooth;
        }
        let gain = 2.0 * libm::sin(core::f64::consts::PI * cutoff / self.rate);
        let lambda = (core::f64::consts::SQRT_2 - 1.0) / libm::pow(gain, 6.0);
        let mut system = Band::new(n, 3, 3);
        (0..n).for_each(|i| system.set(i, i, 1.0));
        for k in 0..n - 3 {
            for (i, a) in THIRD.iter().enumerate() {
                THIRD.iter().enumerate().for_each(|(j, b)| system.add(k + i, k + j, lambda * a * b));
            }
        }
        let mut factor = BandCholesky::new(&system);
        factor.factor(&system);
        self.iterate(&mut smooth, lambda, &factor);
        smooth.provenance.add(format!("smoothed at {cutoff} Hz"));
        smooth
    }

    /// Rounds of `(1 + λDᵀD) δ = q ⊖ c − λDᵀ(Dc)`, `c ← c ⊕ δ`.
    fn iterate(&self, smooth: &mut Clip, lambda: f64, factor: &BandCholesky) {
        let (model, n) = (self.model().clone(), self.len());
        let nv = model.nv();
        let (mut right, mut steps) = (vec![0.0; n * nv], vec![0.0; (n - 1) * nv]);
        let (mut column, mut moved) = (vec![0.0; n], model.neutral());
        for _ in 0..ROUNDS {
            for i in 0..n {
                model.difference(smooth.frame(i), self.frame(i), &mut right[i * nv..(i + 1) * nv]);
            }
            for i in 0..n - 1 {
                model.difference(smooth.frame(i), smooth.frame(i + 1), &mut steps[i * nv..(i + 1) * nv]);
            }
            for k in 0..nv {
                (0..n).for_each(|i| column[i] = right[i * nv + k]);
                for i in 0..n - 3 {
                    let step = |j: usize| steps[(i + j) * nv + k];
                    let third = step(0) - 2.0 * step(1) + step(2);
                    THIRD.iter().enumerate().for_each(|(j, d)| column[i + j] -= lambda * d * third);
                }
                factor.solve(&mut column);
                (0..n).for_each(|i| right[i * nv + k] = column[i]);
            }
            for i in 0..n {
                model.integrate(smooth.frame(i), &right[i * nv..(i + 1) * nv], &mut moved);
                smooth.frame_mut(i).copy_from_slice(&moved);
            }
            if right.iter().all(|x| x.abs() < TOLERANCE) {
                break;
            }
        }
    }

    /// The clip at another number of frames per second, by the cubic curve; contacts from the nearest frame.
    ///
    /// What is left of the last frame's time when it is not a whole number of new frames is cut off.
    ///
    /// ```
    /// # use sinew_dynamics::characters;
    /// # use sinew_motion::Clip;
    /// # let human = std::sync::Arc::new(characters::load("human")?);
    /// let still = Clip::new("still", human.clone(), 120.0, human.neutral().repeat(121))?;
    /// assert_eq!(still.resampled(30.0).len(), 31);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If `rate` is not positive and finite.
    pub fn resampled(&self, rate: f64) -> Clip {
        assert!(rate > 0.0 && rate.is_finite(), "a rate must be positive and finite");
        let frames = libm::floor(self.duration() * rate + 1e-9) as usize + 1;
        let mut clip = self.retimed(frames, rate, |i| i as f64 / rate);
        clip.provenance.add(format!("resampled from {} to {rate} frames/s", self.rate));
        clip
    }

    /// `frames` new frames at `rate`, frame `i` from time `at(i)` of this clip; contacts from the nearest frame.
    pub(crate) fn retimed(&self, frames: usize, rate: f64, at: impl Fn(usize) -> f64) -> Clip {
        let curve = Sampler::new(self, Interpolation::Cubic, Outside::Clamp);
        let nq = self.model().nq();
        let mut q = vec![0.0; frames * nq];
        q.chunks_exact_mut(nq).enumerate().for_each(|(i, frame)| curve.configuration(at(i), frame));
        let nearest: Vec<usize> =
            (0..frames).map(|i| curve.nearest_frame(at(i)).min(self.len() - 1)).collect();
        let contacts = self.contacts.as_ref().map(|old| old.picked(nearest.iter().copied()));
        self.with_frames(rate, q, contacts)
    }
}
