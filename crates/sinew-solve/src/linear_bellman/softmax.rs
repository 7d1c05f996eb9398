//! The shares of components: `αᵢ = softmaxᵢ(log wᵢ − vᵢ/λ)`.
//!
//! `z` is never formed: with `sᵢ = log wᵢ − vᵢ/λ` and the greatest of them taken off, `exp` stays in range for values of any size. λ is the
//! softness: small, and the cheapest component takes all at once; large, and shares stay as weighted.

/// Shares of components from their values.
///
/// ```
/// use sinew_solve::linear_bellman::Softmax;
/// let mut softmax = Softmax::new(1.0, &[1.0, 1.0, 0.0]);
/// let shares = softmax.shares(&[63574.0, 63575.0, 0.0]);
/// assert!((shares[0] - 0.73105858).abs() < 1e-8 && shares[2] == 0.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Softmax {
    /// λ
    pub softness: f64,
    log_weights: Vec<f64>,
    shares: Vec<f64>,
}

impl Softmax {
    /// With weights, which may be zero.
    ///
    /// # Panics
    /// When λ is not positive, a weight is negative or NaN, or all are zero.
    pub fn new(softness: f64, weights: &[f64]) -> Softmax {
        let shares = vec![0.0; weights.len()];
        let mut softmax = Softmax { softness, log_weights: shares.clone(), shares };
        softmax.set_weights(weights);
        assert!(softness > 0.0, "the softness λ is positive");
        softmax
    }

    /// Other weights.
    ///
    /// # Panics
    /// When their number changes, one is negative or NaN, or all are zero.
    pub fn set_weights(&mut self, weights: &[f64]) {
        assert_eq!(weights.len(), self.log_weights.len(), "a weight for every component");
        assert!(weights.iter().all(|w| *w >= 0.0 && w.is_finite()), "weights are not negative");
        assert!(weights.iter().any(|w| *w > 0.0), "a weight that is not zero");
        self.log_weights.iter_mut().zip(weights).for_each(|(l, w)| *l = libm::log(*w));
    }

    /// Another weight of one component, which may be zero.
    ///
    /// # Panics
    /// When it is negative or NaN.
    pub fn set_weight(&mut self, component: usize, weight: f64) {
        assert!(weight >= 0.0 && weight.is_finite(), "weights are not negative");
        self.log_weights[component] = libm::log(weight);
    }

    /// The shares for these values. A component with an infinite or NaN value gets none; if all are so, the weights decide.
    pub fn shares(&mut self, values: &[f64]) -> &[f64] {
        debug_assert_eq!(values.len(), self.shares.len());
        let known = values.iter().zip(&self.log_weights).any(|(v, w)| v.is_finite() && w.is_finite());
        let score = |(weight, value): (&f64, &f64)| match (known, value.is_finite()) {
            (true, true) => weight - value / self.softness,
            (true, false) => f64::NEG_INFINITY,
            (false, _) => *weight,
        };
        for (share, pair) in self.shares.iter_mut().zip(self.log_weights.iter().zip(values)) {
            *share = score(pair);
        }
        let greatest = self.shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for share in &mut self.shares {
            *share = libm::exp(*share - greatest);
            sum += *share;
        }
        self.shares.iter_mut().for_each(|share| *share /= sum);
        &self.shares
    }

    /// The shares as they were computed last.
    pub fn last(&self) -> &[f64] {
        &self.shares
    }

    /// The value of the combination, `−λ log Σ wᵢ exp(−vᵢ/λ)`: exact where the theory holds.
    pub fn value(&self, values: &[f64]) -> f64 {
        let score = |(weight, value): (&f64, &f64)| weight - value / self.softness;
        let scores = || self.log_weights.iter().zip(values).map(score);
        let greatest = scores().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = scores().map(|s| libm::exp(s - greatest)).sum();
        -self.softness * (greatest + libm::log(sum))
    }
}

/// Shares that change by a limited rate, so that controls do not jump.
///
/// ```
/// use sinew_solve::linear_bellman::Slew;
/// let mut slew = Slew::new(2);
/// slew.follow(&[1.0, 0.0], 0.1);
/// assert_eq!(slew.follow(&[0.0, 1.0], 0.25), &[0.75, 0.25]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Slew {
    shares: Vec<f64>,
    begun: bool,
}

impl Slew {
    /// For a number of components; the first shares are taken without a limit.
    pub fn new(components: usize) -> Slew {
        Slew { shares: vec![0.0; components], begun: false }
    }

    /// Moves towards new shares, each by `most` at most, along a straight line: they still add up to one.
    pub fn follow(&mut self, wanted: &[f64], most: f64) -> &[f64] {
        let far = wanted.iter().zip(&self.shares).map(|(w, s)| (w - s).abs()).fold(0.0, f64::max);
        let part = if self.begun && far > most { most / far } else { 1.0 };
        self.begun = true;
        for (share, wanted) in self.shares.iter_mut().zip(wanted) {
            *share = if part < 1.0 { *share + part * (wanted - *share) } else { *wanted };
        }
        &self.shares
    }

    /// The shares now.
    pub fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// Takes the next shares as they are.
    pub fn restart(&mut self) {
        self.begun = false;
    }
}
