//! Transition functions: smooth weights from 0 to 1 (Lee, Kim, Lee 2010, appendix B).

/// `s(x) = 3x² − 2x³`: 0 before 0, 1 after 1, without slope at both ends.
///
/// ```
/// use sinew_motion::transition::ease;
/// assert_eq!([ease(-1.0), ease(0.25), ease(0.5), ease(2.0)], [0.0, 0.15625, 0.5, 1.0]);
/// ```
pub fn ease(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// `r(x) = 1 − s(x)`.
///
/// ```
/// # use sinew_motion::transition::{ease, ease_out};
/// assert_eq!(ease_out(0.3), 1.0 - ease(0.3));
/// ```
pub fn ease_out(x: f64) -> f64 {
    1.0 - ease(x)
}

/// `b(x) = (1 − cos 2πx)/2`: a bump with its top in the middle.
///
/// ```
/// # use sinew_motion::transition::bump;
/// assert!((bump(0.5) - 1.0).abs() < 1e-15 && bump(0.0) == 0.0 && bump(1.5) == 0.0);
/// ```
pub fn bump(x: f64) -> f64 {
    0.5 - 0.5 * libm::cos(core::f64::consts::TAU * x.clamp(0.0, 1.0))
}
