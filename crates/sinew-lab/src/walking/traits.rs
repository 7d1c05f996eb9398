//! Measures of clinical gait analysis: one number each.

use super::cycle::{Channel, Walk};

/// Traits of a walk. Angles in degrees, lengths in cm.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traits {
    /// Number of strides seen.
    pub strides: usize,
    /// Speed, m/s.
    pub speed: f64,
    /// Length of a step, m.
    pub step: f64,
    /// Steps per minute.
    pub cadence: f64,
    /// Share of the cycle in which a foot is on the ground.
    pub duty: f64,
    /// Sole against the ground when the foot lands, toes up: median.
    pub landing: f64,
    /// Least of it.
    pub least_landing: f64,
    /// The same when it leaves.
    pub toe_off: f64,
    /// Least flexion of the knee in the middle of the stance: median.
    pub stance_knee: f64,
    /// Greatest flexion in the swing: median.
    pub swing_knee: f64,
    /// By how much the hips rise and fall.
    pub bob: f64,
    /// By how much they sway.
    pub sway: f64,
    /// Turn of the pelvis that is not exceeded in 95 % of the time.
    pub yaw: f64,
    /// Trunk forward, from and to.
    pub trunk: [f64; 2],
    /// Hands ahead of the shoulders, from and to, mean of both.
    pub hands: [f64; 2],
    /// Least height of the toes in the middle of the swing.
    pub clearance: f64,
    /// Vertical force, as a share of the weight: first hump, valley, second hump.
    pub humps: [f64; 3],
}

impl Traits {
    /// Whether the ground force has two humps.
    pub fn two_humps(&self) -> bool {
        let [first, valley, second] = self.humps;
        first > 1.0 && second > 1.0 && valley < first.min(second) - 0.05
    }
}

/// Part of a range, as shares.
fn part<T>(all: &[T], from: f64, to: f64) -> &[T] {
    let at = |share: f64| (share * all.len() as f64) as usize;
    &all[at(from)..at(to).max(at(from))]
}

fn least(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, f64::min)
}

fn most(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, f64::max)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

impl Walk {
    /// Its traits; numbers that cannot be measured are NaN.
    pub fn traits(&self) -> Traits {
        let strides = self.strides();
        let each = |of: &dyn Fn(&super::Stride) -> f64| strides.iter().map(of).collect::<Vec<_>>();
        let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
        let all = &self.moments;
        let range =
            |of: &dyn Fn(&super::Moment) -> f64| [least(all.iter().map(of)), most(all.iter().map(of))];
        let span = |[low, high]: [f64; 2]| 100.0 * (high - low);
        let speed = self.speed();
        let time = mean(each(&|s| (s.swing.end - s.stance.start) as f64 * self.dt));
        let landings = each(&|s| all[s.swing.end].pitch[s.side]);
        let mut yaw: Vec<f64> = all.iter().map(|m| m.pelvis[2].abs()).collect();
        yaw.sort_by(f64::total_cmp);
        let hands = [0, 1].map(|k| range(&|m| m.hand[k]));
        let force = self.force(&strides);
        let stance =
            &force[..(mean(each(&|s| s.stance.len() as f64 / (s.stance.len() + s.swing.len()) as f64))
                * force.len() as f64) as usize];
        Traits {
            strides: strides.len(),
            speed,
            step: 0.5 * speed * time,
            cadence: 120.0 / time,
            duty: stance.len() as f64 / force.len() as f64,
            landing: median(landings.clone()),
            least_landing: least(landings.into_iter()),
            toe_off: median(each(&|s| all[s.swing.start].pitch[s.side])),
            stance_knee: median(each(&|s| {
                least(part(&all[s.stance.clone()], 0.2, 0.7).iter().map(|m| m.knee[s.side]))
            })),
            swing_knee: median(each(&|s| most(all[s.swing.clone()].iter().map(|m| m.knee[s.side])))),
            bob: span(range(&|m| m.hips.z)),
            sway: span(range(&|m| m.hips.y)),
            yaw: yaw.get(yaw.len() * 95 / 100).copied().unwrap_or(f64::NAN),
            trunk: range(&|m| m.trunk[0]),
            hands: [0, 1].map(|k| 50.0 * (hands[0][k] + hands[1][k])),
            clearance: 100.0
                * least(
                    strides.iter().map(|s| {
                        least(part(&all[s.swing.clone()], 0.3, 0.85).iter().map(|m| m.toe[s.side].z))
                    }),
                ),
            humps: [
                most(part(stance, 0.08, 0.45).iter().copied()),
                least(part(stance, 0.3, 0.7).iter().copied()),
                most(part(stance, 0.55, 0.95).iter().copied()),
            ],
        }
    }

    /// Share of the cycle in which a channel is inside a band, the mean of a stride.
    pub fn inside(&self, channel: Channel, band: &super::Band) -> f64 {
        let curve = self.curve(&self.strides(), channel);
        let good =
            curve.iter().zip(&band.low).zip(&band.high).filter(|((x, low), high)| *x >= *low && *x <= *high);
        good.count() as f64 / curve.len() as f64
    }
}
