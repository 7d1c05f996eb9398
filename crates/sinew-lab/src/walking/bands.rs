//! Bands of people's curves over the gait cycle.
//!
//! `bands.csv` was written by `cargo run --release -p sinew-lab --example gait_bands -- FOLDER` from captured walks retargeted to `human`:
//! by class of speed (Froude number `v/√(g·leg)`, slow under 0.25, usual to 0.45, brisk above), for each channel the median over the clips and their median
//! deviation from it (times 1.48: a standard deviation, if they were normal) at every other hundredth of the cycle. A band is the median ± 2 deviations,
//! and at least ± 5°, because a laboratory's few actors are more alike than people are. There are too few brisk walks among them: those are
//! held against the usual ones.
//!
//! The skeletons of both laboratories carry 12 to 27° of flexion in a straight standing knee, and their ankles as much, so that thigh, knee, ankle and sole
//! are judged by the literature instead: D. Winter, *The Biomechanics and Motor Control of Human Gait* (1991), natural cadence, rounded to
//! degrees, ± 10° (about two standard deviations of his subjects).

use super::cycle::{Channel, POINTS};

/// A band over the gait cycle, degrees.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Lower edge.
    pub low: [f64; POINTS],
    /// Upper edge.
    pub high: [f64; POINTS],
}

/// Half of the width of a band from the literature, degrees.
const WIDTH: f64 = 10.0;
/// The same for the sole, whose angle is a sum of three.
const SOLE_WIDTH: f64 = 15.0;
/// Least half of the width of a captured band, degrees.
const LEAST_WIDTH: f64 = 5.0;
/// Standard deviations from the mean to the edge.
const DEVIATIONS: f64 = 2.0;

/// Percent of the cycle, and degrees.
type Knots = &'static [(f64, f64)];

const THIGH: Knots = &[
    (0.0, 20.0),
    (10.0, 16.0),
    (20.0, 8.5),
    (30.0, 1.0),
    (40.0, -6.0),
    (50.0, -11.0),
    (55.0, -11.0),
    (60.0, -8.0),
    (65.0, -1.0),
    (70.0, 7.0),
    (80.0, 18.0),
    (88.0, 22.0),
    (95.0, 21.0),
    (100.0, 20.0),
];
const KNEE: Knots = &[
    (0.0, 4.0),
    (8.0, 14.0),
    (14.0, 19.0),
    (20.0, 18.0),
    (30.0, 11.0),
    (40.0, 7.0),
    (50.0, 13.0),
    (60.0, 37.0),
    (66.0, 55.0),
    (72.0, 63.0),
    (80.0, 52.0),
    (90.0, 18.0),
    (96.0, 3.0),
    (100.0, 4.0),
];
const ANKLE: Knots = &[
    (0.0, 0.0),
    (6.0, -4.0),
    (14.0, 0.0),
    (20.0, 3.0),
    (30.0, 6.5),
    (40.0, 9.0),
    (46.0, 9.5),
    (50.0, 7.0),
    (56.0, -4.0),
    (62.0, -18.0),
    (66.0, -16.0),
    (74.0, -5.0),
    (84.0, 0.0),
    (100.0, 0.0),
];

/// Written by `examples/gait_bands.rs`.
const CAPTURED: &str = include_str!("bands.csv");

/// Class of a speed by its Froude number.
pub fn class(froude: f64) -> &'static str {
    match froude {
        x if x < 0.25 => "slow",
        x if x < 0.45 => "usual",
        _ => "brisk",
    }
}

impl Band {
    /// People's band of a channel at a Froude number; `None` where no captured walk was of that class.
    pub fn of(channel: Channel, froude: f64) -> Option<Band> {
        match channel {
            Channel::Thigh => Some(Band::around(THIGH)),
            Channel::Knee => Some(Band::around(KNEE)),
            Channel::Ankle => Some(Band::around(ANKLE)),
            Channel::Pitch => Some(Band::sole()),
            _ => Band::captured(channel, class(froude)).or_else(|| Band::captured(channel, "usual")),
        }
    }

    fn around(knots: Knots) -> Band {
        let at = |p: usize| {
            let x = 100.0 * p as f64 / (POINTS - 1) as f64;
            let pair = knots.windows(2).find(|w| x <= w[1].0);
            pair.map_or(0.0, |w| w[0].1 + (w[1].1 - w[0].1) * (x - w[0].0) / (w[1].0 - w[0].0))
        };
        Band { low: core::array::from_fn(|p| at(p) - WIDTH), high: core::array::from_fn(|p| at(p) + WIDTH) }
    }

    /// The sole follows from the others: `ankle + thigh − knee`.
    fn sole() -> Band {
        let [thigh, knee, ankle] = [THIGH, KNEE, ANKLE].map(Band::around);
        let middle = |p: usize| thigh.low[p] - knee.low[p] + ankle.low[p] + WIDTH;
        Band {
            low: core::array::from_fn(|p| middle(p) - SOLE_WIDTH),
            high: core::array::from_fn(|p| middle(p) + SOLE_WIDTH),
        }
    }

    fn captured(channel: Channel, class: &str) -> Option<Band> {
        let row = |what: &str| {
            let mut rows = CAPTURED.lines().map(|line| line.split(',').collect::<Vec<_>>());
            let row =
                rows.find(|r| r.len() > 3 && r[0] == class && r[1] == channel.name() && r[2] == what)?;
            row[3..].iter().map(|x| x.parse::<f64>().ok()).collect::<Option<Vec<_>>>()
        };
        let (mean, deviation) = (row("median")?, row("deviation")?);
        let edge = |sign: f64| {
            core::array::from_fn(|p| mean[p] + sign * (DEVIATIONS * deviation[p]).max(LEAST_WIDTH))
        };
        (mean.len() == POINTS && deviation.len() == POINTS).then(|| Band { low: edge(-1.0), high: edge(1.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every channel has a band at every speed, with known values of people.
    #[test]
    fn every_channel_has_a_band() {
        for channel in Channel::ALL {
            for froude in [0.1, 0.3, 0.6] {
                let band = Band::of(channel, froude);
                let band = band.unwrap_or_else(|| panic!("{} at {froude}", channel.name()));
                assert!(
                    band.low.iter().zip(&band.high).all(|(low, high)| high - low >= 2.0 * LEAST_WIDTH - 1e-9)
                );
            }
        }
        // the sole lands with its toes up by 16°
        let sole = Band::sole();
        assert!((0.5 * (sole.low[0] + sole.high[0]) - 16.0).abs() < 1e-9);
    }
}
