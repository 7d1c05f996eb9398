//! Axes: from values to places, and the values that are written beside them.

use serde::{Deserialize, Serialize};

/// An axis: what it measures, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    /// Quantity and unit.
    pub label: String,
    /// Whether equal factors, not equal differences, are equal lengths. Only values above 0 are drawn then.
    pub logarithmic: bool,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), logarithmic: false }
    }

    /// A logarithmic axis.
    pub fn logarithmic(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), logarithmic: true }
    }
}

/// An axis with its range, drawn between two places.
pub(super) struct Scale {
    logarithmic: bool,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    pub(super) fn of(axis: &Axis, values: impl Iterator<Item = f64>, (from, to): (f64, f64)) -> Scale {
        let logarithmic = axis.logarithmic;
        let [low, high] = values
            .map(|v| if logarithmic { libm::log10(v) } else { v })
            .filter(|v| v.is_finite())
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], v| [l.min(v), h.max(v)]);
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let least = if logarithmic { 0.1 } else { 0.02 * high.abs().max(low.abs()).max(1e-9) };
        let pad = 0.06 * (high - low) + least;
        // a range that begins at 0 is drawn from 0
        let low = if !logarithmic && low >= 0.0 && low <= 0.3 * high { 0.0 } else { low - pad };
        Scale { logarithmic, low, high: high + pad, from, to }
    }

    /// Where a value is drawn; `None` where it cannot be.
    pub(super) fn at(&self, value: f64) -> Option<f64> {
        let value = if self.logarithmic { libm::log10(value) } else { value };
        let t = (value - self.low) / (self.high - self.low);
        t.is_finite().then(|| self.from + t.clamp(0.0, 1.0) * (self.to - self.from))
    }

    /// Values worth a line.
    pub(super) fn ticks(&self) -> Vec<f64> {
        if self.logarithmic { self.decades() } else { self.round() }
    }

    /// Powers of ten, every few when there are many; 1, 2, 5 between them when there are few.
    fn decades(&self) -> Vec<f64> {
        let ten = |d: i32| libm::pow(10.0, f64::from(d));
        let (first, last) = (libm::ceil(self.low) as i32, libm::floor(self.high) as i32);
        let every = (last - first) / 7 + 1;
        let mut ticks: Vec<f64> = (first..=last).filter(|d| d % every == 0).map(ten).collect();
        if ticks.len() < 3 {
            let fine = (first - 1..=last).flat_map(|d| [1.0, 2.0, 5.0].map(|m| m * ten(d)));
            ticks = fine.filter(|t| (self.low..=self.high).contains(&libm::log10(*t))).collect();
        }
        ticks
    }

    /// Multiples of 1, 2 or 5 times a power of ten.
    fn round(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / 6.0;
        let power = libm::pow(10.0, libm::floor(libm::log10(rough)));
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough);
        let step = step.unwrap_or(10.0 * power);
        let (first, last) = (libm::ceil(self.low / step) as i64, libm::floor(self.high / step) as i64);
        (first..=last).map(|k| k as f64 * step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, Scale};

    #[test]
    fn ticks_are_round_and_within() {
        let linear = Scale::of(&Axis::linear(""), [0.3, 4.2].into_iter(), (0.0, 100.0));
        assert_eq!(linear.ticks(), [0.0, 1.0, 2.0, 3.0, 4.0]);
        let log = Scale::of(&Axis::logarithmic(""), [1e-3, 10.0, -1.0].into_iter(), (0.0, 100.0));
        assert_eq!(log.ticks(), [1e-3, 1e-2, 0.1, 1.0, 10.0]);
        // the mean of logarithms is in the middle, and values that are not above 0 are not drawn
        assert!((log.at(0.1).unwrap() - 50.0).abs() < 1e-9);
        assert_eq!(log.at(-1.0), None);
    }
}
