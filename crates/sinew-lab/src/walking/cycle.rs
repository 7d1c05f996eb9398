//! Walks cut into strides, and their mean stride: curves over the gait cycle, from one landing of a foot to its next.
//!
//! Curves have [`POINTS`] values from 0 to 100 % of the cycle. The two sides are taken together, each in its own cycle; what has a
//! side (a hip that goes up, a pelvis that turns) is seen from the leg whose cycle it is.

use super::moment::Moment;
use core::ops::Range;

/// Values of a curve, from 0 to 100 % of the cycle.
pub const POINTS: usize = 51;
/// A foot in the air for less than this has not swung, s.
const SHORT: f64 = 0.12;
/// Share of the weight from which on a foot is on the ground.
const LOADED: f64 = 0.005;
/// Time over which the load of a foot is averaged, s: contacts chatter, force plates do not.
const PLATE: f64 = 0.016;

/// The quantity of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Channel {
    /// Thigh against the vertical, forward positive.
    Thigh,
    /// Flexion of the knee.
    Knee,
    /// Flexion of the ankle, toes up.
    Ankle,
    /// Sole against the ground, toes up.
    Pitch,
    /// Thigh outwards, against the pelvis.
    Abduction,
    /// Pelvis forward.
    Tilt,
    /// Pelvis down on the side of the cycle's leg.
    List,
    /// Pelvis forward on the side of the cycle's leg.
    Rotation,
    /// Trunk forward.
    Trunk,
    /// Upper arm forward, against the trunk.
    Shoulder,
    /// Flexion of the elbow.
    Elbow,
}

impl Channel {
    /// All of them.
    pub const ALL: [Channel; 11] = [
        Channel::Thigh,
        Channel::Knee,
        Channel::Ankle,
        Channel::Pitch,
        Channel::Abduction,
        Channel::Tilt,
        Channel::List,
        Channel::Rotation,
        Channel::Trunk,
        Channel::Shoulder,
        Channel::Elbow,
    ];

    /// Name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Thigh => "thigh",
            Channel::Knee => "knee",
            Channel::Ankle => "ankle",
            Channel::Pitch => "sole",
            Channel::Abduction => "hip abduction",
            Channel::Tilt => "pelvis tilt",
            Channel::List => "pelvis list",
            Channel::Rotation => "pelvis rotation",
            Channel::Trunk => "trunk",
            Channel::Shoulder => "shoulder",
            Channel::Elbow => "elbow",
        }
    }

    /// Its value at a moment for the cycle of a side, degrees.
    pub fn of(self, m: &Moment, side: usize) -> f64 {
        let left = if side == 0 { 1.0 } else { -1.0 };
        match self {
            Channel::Thigh => m.thigh[side],
            Channel::Knee => m.knee[side],
            Channel::Ankle => m.ankle[side],
            Channel::Pitch => m.pitch[side],
            Channel::Abduction => m.abduction[side],
            Channel::Tilt => m.pelvis[0],
            // to the right is down on the right
            Channel::List => -left * m.pelvis[1],
            // turned to the left is the right side forward
            Channel::Rotation => -left * m.pelvis[2],
            Channel::Trunk => m.trunk[0],
            Channel::Shoulder => m.shoulder[side],
            Channel::Elbow => m.elbow[side],
        }
    }
}

/// A walk straight on, moment by moment.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// Time between two moments, s.
    pub dt: f64,
    /// What was measured.
    pub moments: Vec<Moment>,
    /// Vertical force on each foot, as a share of the weight; for captured walks 1 on the ground, 0 in the air.
    pub load: Vec<[f64; 2]>,
}

/// A stride: from one landing of a foot to its next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stride {
    /// Left or right.
    pub side: usize,
    /// The foot is on the ground.
    pub stance: Range<usize>,
    /// And in the air.
    pub swing: Range<usize>,
}

impl Walk {
    /// Its strides.
    pub fn strides(&self) -> Vec<Stride> {
        let mut strides = Vec::new();
        for side in 0..2 {
            let on = |k: usize| self.load[k][side] > LOADED;
            let (mut landed, mut lifted) = (None, None);
            for k in 1..self.load.len() {
                match (on(k - 1), on(k)) {
                    (true, false) => lifted = Some(k),
                    (false, true) => {
                        // a bounce does not count as a swing
                        let Some(up) = lifted.filter(|up| (k - up) as f64 * self.dt > SHORT) else {
                            continue;
                        };
                        if let Some(from) = landed.replace(k).filter(|from| *from < up) {
                            strides.push(Stride { side, stance: from..up, swing: up..k });
                        }
                    }
                    _ => {}
                }
            }
        }
        strides
    }

    /// The mean curve of a channel over strides.
    pub fn curve(&self, strides: &[Stride], channel: Channel) -> [f64; POINTS] {
        self.mean(strides, |k, side| channel.of(&self.moments[k], side))
    }

    /// The mean vertical force over strides, as a share of the weight.
    pub fn force(&self, strides: &[Stride]) -> [f64; POINTS] {
        let half = (0.5 * PLATE / self.dt) as usize;
        self.mean(strides, |k, side| {
            let window = &self.load[k.saturating_sub(half)..(k + half + 1).min(self.load.len())];
            window.iter().map(|load| load[side]).sum::<f64>() / window.len() as f64
        })
    }

    fn mean(&self, strides: &[Stride], of: impl Fn(usize, usize) -> f64) -> [f64; POINTS] {
        let mut curve = [0.0; POINTS];
        for stride in strides {
            let (from, length) = (stride.stance.start, stride.swing.end - stride.stance.start);
            for (p, value) in curve.iter_mut().enumerate() {
                let at = from as f64 + length as f64 * p as f64 / (POINTS - 1) as f64;
                let (k, share) = (at as usize, at.fract());
                let next = (k + 1).min(self.moments.len() - 1);
                let (a, b) = (of(k, stride.side), of(next, stride.side));
                *value += (a + (b - a) * share) / strides.len() as f64;
            }
        }
        curve
    }

    /// Mean speed along the ground, m/s.
    pub fn speed(&self) -> f64 {
        match (self.moments.first(), self.moments.last()) {
            (Some(first), Some(last)) if self.moments.len() > 1 => {
                let d = last.hips - first.hips;
                libm::hypot(d.x, d.y) / (self.dt * (self.moments.len() - 1) as f64)
            }
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regular_walk_is_cut_at_landings() {
        // a second a stride, 60 % on the ground, the right foot half a stride later
        let on = |k: usize, shift: usize| f64::from(u8::from((k + shift) % 100 < 60));
        let load: Vec<[f64; 2]> = (0..450).map(|k| [on(k, 0), on(k, 50)]).collect();
        let moment = |k: usize| Moment { knee: [(k % 100) as f64, 7.0], ..Moment::default() };
        let walk = Walk { dt: 0.01, moments: (0..450).map(moment).collect(), load };
        let strides = walk.strides();
        let left: Vec<_> = strides.iter().filter(|s| s.side == 0).cloned().collect();
        assert_eq!(left[0], Stride { side: 0, stance: 100..160, swing: 160..200 });
        assert_eq!(left.len(), 3);
        let knee = walk.curve(&left, Channel::Knee);
        assert!(knee.iter().take(POINTS - 1).enumerate().all(|(p, x)| (x - 2.0 * p as f64).abs() < 1e-9));
        assert!((walk.force(&left)[15] - 1.0).abs() < 1e-9);
    }
}
