//! When heels and toes of a motion on a body are down, from the motion alone: low and slow.

use super::points::{Down, POINTS, Points};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, forward_kinematics};
use sinew_motion::Clip;

/// When a point is down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoleRule {
    /// Greatest height over the ground, m.
    pub height: f64,
    /// Greatest speed, m/s.
    pub speed: f64,
    /// Shortest time in the air, s.
    pub air: f64,
    /// Shortest time on the ground, s.
    pub ground: f64,
}

impl Default for SoleRule {
    fn default() -> SoleRule {
        SoleRule { height: 0.035, speed: 0.45, air: 0.075, ground: 0.058 }
    }
}

/// Which points are down in each frame; `ground` is the height of the ground.
pub fn find_down(clip: &Clip, points: &Points, ground: f64, rule: &SoleRule) -> Vec<Down> {
    let model = clip.model();
    let mut data = Data::new(model);
    let mut paths: [Vec<Vec3>; POINTS] = Default::default();
    for q in clip.frames() {
        forward_kinematics(model, &mut data, q);
        (0..POINTS).for_each(|p| paths[p].push(points.place(model, &data, p)));
    }
    let mut out = vec![[false; POINTS]; clip.len()];
    for (p, path) in paths.iter().enumerate() {
        let speeds = sinew_motion::contacts::speeds(path, clip.rate);
        let low = path.iter().zip(speeds);
        let mut flags: Vec<bool> =
            low.map(|(at, speed)| at.z - ground < rule.height && speed < rule.speed).collect();
        flip_short(&mut flags, false, rule.air * clip.rate);
        flip_short(&mut flags, true, rule.ground * clip.rate);
        out.iter_mut().zip(flags).for_each(|(o, f)| o[p] = f);
    }
    out
}

/// Turns runs of `value` that are shorter than `least` frames into the other value, unless they touch an end.
pub(super) fn flip_short(flags: &mut [bool], value: bool, least: f64) {
    let n = flags.len();
    let mut at = 0;
    while at < n {
        let end = (at..n).find(|&i| flags[i] != flags[at]).unwrap_or(n);
        if flags[at] == value && ((end - at) as f64) < least && at > 0 && end < n {
            flags[at..end].fill(!value);
        }
        at = end;
    }
}
