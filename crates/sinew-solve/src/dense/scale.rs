//! Scaling by powers of two, which costs no rounding.

/// The power of two nearest below a positive number.
pub(crate) fn power_of_two(x: f64) -> f64 {
    libm::scalbn(1.0, libm::ilogb(x))
}
