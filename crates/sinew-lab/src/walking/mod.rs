//! Similarity of a walk to people's.
//!
//! [`Gauge`] measures a configuration as a gait laboratory does ([`Moment`]), a [`Walk`] is cut into strides and gives curves over
//! the gait cycle ([`Channel`]) and the measures of clinical gait analysis ([`Traits`]); [`Band`] is the range of people's curves.
//!
//! And correlations of limbs, from a recording ([`Likeness`]):
//!
//! | figure | is | of people |
//! | --- | --- | --- |
//! | arm against leg | correlation of the angles of arm and leg of one side, forward positive | near −1: arms swing against the legs of their side |
//! | arm swing | from foremost to hindmost, degrees | 20 to 60 |
//! | girdles | correlation of the turns of shoulders and hips about the vertical | negative: they turn against each other |
//! | heel lead | time from the last touch of the heel to that of the toes in a stance | about 0.2 s |
//! | knee | greatest flexion while the foot is in the air, degrees | about 60 |
//! | fast torque | share of the torques' power above 30 Hz | near 0: muscles are slow |
//!
//! Angles of limbs are those of the line from hip to ankle and from shoulder to hand in the plane in which the pelvis faces. Drifts
//! (turning while walking) are taken out by a straight line. Power is that of whole strides, whose spectrum has no step at its ends.
//! Figures of people: Perry and Burnfield, *Gait Analysis* (2010).

mod bands;
mod cycle;
mod measure;
mod moment;
mod signals;
mod traits;

pub use bands::{Band, class};
pub use cycle::{Channel, POINTS, Stride, Walk};
pub use measure::{correlation, detrended, heel_leads, power_above, swings};
pub use moment::{Gauge, Moment};
pub use signals::Signals;
pub use traits::Traits;

use serde::{Deserialize, Serialize};

/// Similarity of a walk to people's. Figures for missing body parts are NaN.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Likeness {
    /// Correlation of arm and leg of one side, mean of both.
    pub arm_leg: f64,
    /// Correlation of an arm and the opposite leg, mean of both.
    pub arm_opposite_leg: f64,
    /// Swing of an arm from end to end, degrees, mean of both.
    pub arm_swing_deg: f64,
    /// Correlation of the turns of shoulders and hips.
    pub girdles: f64,
    /// Mean time from heel-off to toe-off, s.
    pub heel_lead_s: f64,
    /// Share of stances in which the heel leaves first.
    pub heel_first: f64,
    /// Mean of the greatest knee flexion of each swing, degrees.
    pub knee_deg: f64,
    /// Share of the torques' power above 30 Hz.
    pub fast_torque: f64,
}

impl Signals {
    /// The figures, over whole strides of the left leg.
    pub fn likeness(&self) -> Likeness {
        let s = self.whole_strides();
        let mean = |values: [f64; 2]| 0.5 * (values[0] + values[1]);
        let degrees = |series: &[f64]| range(series).to_degrees();
        let leads: Vec<f64> = (0..2).flat_map(|k| heel_leads(&s.heel[k], &s.toe[k], s.dt)).collect();
        let knees: Vec<f64> = (0..2).flat_map(|k| swing_peaks(&s, k)).collect();
        let torques: Vec<&[f64]> = s.torques.iter().map(Vec::as_slice).collect();
        Likeness {
            arm_leg: mean([0, 1].map(|k| correlation(&s.arm[k], &s.leg[k]))),
            arm_opposite_leg: mean([0, 1].map(|k| correlation(&s.arm[k], &s.leg[1 - k]))),
            arm_swing_deg: mean([0, 1].map(|k| degrees(&s.arm[k]))),
            girdles: correlation(&detrended(&s.trunk), &detrended(&s.pelvis)),
            heel_lead_s: average(&leads),
            heel_first: average(&leads.iter().map(|l| f64::from(*l > 0.0)).collect::<Vec<_>>()),
            knee_deg: average(&knees).to_degrees(),
            fast_torque: power_above(&torques, s.dt, 30.0),
        }
    }
}

fn swing_peaks(s: &Signals, side: usize) -> Vec<f64> {
    let touching: Vec<bool> = s.heel[side].iter().zip(&s.toe[side]).map(|(a, b)| *a || *b).collect();
    let peak = |swing: std::ops::Range<usize>| s.knee[side][swing].iter().copied().fold(0.0, f64::max);
    swings(&touching, s.dt).into_iter().map(peak).collect()
}

fn range(series: &[f64]) -> f64 {
    let ends = |[low, high]: [f64; 2], x: &f64| [low.min(*x), high.max(*x)];
    let [low, high] = series.iter().fold([f64::INFINITY, f64::NEG_INFINITY], ends);
    if low <= high { high - low } else { f64::NAN }
}

fn average(values: &[f64]) -> f64 {
    if values.is_empty() { f64::NAN } else { values.iter().sum::<f64>() / values.len() as f64 }
}
