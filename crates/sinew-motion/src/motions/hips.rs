//! The path of the hips: over the ground, and as high as the legs allow.
//!
//! Over the ground the hips go through the middles between the feet and sway towards the foot that carries. In height they
//! stay under what every leg can span, `z ≤ z_ankle + √(ℓ² − d²)` with `d` the horizontal distance from hip to ankle and `ℓ` a
//! little less than the stretched leg; this ceiling, smoothed, gives the rise over the standing leg and the fall between
//! steps. In running, and in jumps, the height follows from gravity: with half a sine of force during the stance `s` of a step
//! of duration `T`, `f = T − s` in the air,
//! ```text
//! z̈ = −g + (π g T / 2s) sin(π τ/s),      ż(0) = −g f/2        z(τ) = z₀ − g f τ/2 − g τ²/2 + (g T/2) (τ − (s/π) sin(π τ/s))
//! ```

use super::foot::FootPath;
use super::puppet::Puppet;
use super::score::Score;
use super::timeline::Timeline;
use crate::edit::Track;
use sinew_dynamics::spatial::Vec3;

/// Acceleration of free fall, m/s².
const GRAVITY: f64 = 9.81;
/// Greatest part of the leg's length that a leg in the air may use.
const IN_AIR: f64 = 0.998;

/// Place, pitch, roll and yaw of the hips on a grid of times.
pub(super) struct Hips {
    pub(super) at: Vec<Vec3>,
    /// Pitch, roll, yaw; the yaw includes the turn with the stride.
    pub(super) turn: Vec<[f64; 3]>,
    /// Heading of the path without it.
    pub(super) heading: Vec<f64>,
    /// Distance of the left foot before the right, legs.
    pub(super) stride: Vec<f64>,
}

impl Hips {
    /// At times `i/rate`.
    pub(super) fn new(
        score: &Score,
        line: &Timeline,
        feet: &[FootPath; 2],
        puppet: &Puppet,
        frames: usize,
        rate: f64,
    ) -> Hips {
        let style = &score.style;
        let track = |of: &dyn Fn(&super::timeline::Knot) -> f64| {
            Track::new(line.knots.iter().map(|k| (k.time, of(k))).collect())
        };
        let (x, y, yaw) = (track(&|k| k.at.x), track(&|k| k.at.y), track(&|k| k.yaw));
        let times: Vec<f64> = (0..frames).map(|i| i as f64 / rate).collect();
        let width = style.get("smooth") * puppet.tempo() * rate;
        let sampled = |track: &Track| smooth(&times.iter().map(|&t| track.at(t)).collect::<Vec<_>>(), width);
        let (x, y, heading) = (sampled(&x), sampled(&y), sampled(&yaw));
        let mut hips = Hips {
            at: (0..frames).map(|i| Vec3::new(x[i], y[i], 0.0)).collect(),
            turn: vec![[0.0; 3]; frames],
            stride: vec![0.0; frames],
            heading,
        };
        for (i, &t) in times.iter().enumerate() {
            let forward = Vec3::new(libm::cos(hips.heading[i]), libm::sin(hips.heading[i]), 0.0);
            let left = Vec3::new(-forward.y, forward.x, 0.0);
            let [l, r] = [0, 1].map(|side| feet[side].at(t).0);
            hips.stride[i] = (l - r).dot(&forward) / puppet.leg;
            let mut roll = 0.0;
            let path = hips.at[i];
            for support in line.supports.iter().filter(|s| s.from <= t && t < s.to) {
                let wave =
                    libm::sin(core::f64::consts::PI * (t - support.from) / (support.to - support.from));
                hips.at[i] += left * (left.dot(&(support.at - path)) * style.get("sway") * wave);
                let sign = if support.left { 1.0 } else { -1.0 };
                roll += sign * wave * style.angle("pelvis_roll") * (support.length / 0.7).min(1.0);
            }
            hips.at[i] += forward * (style.get("ahead") * puppet.leg);
            let swing = -style.angle("pelvis_yaw") * hips.stride[i];
            hips.turn[i] = [style.angle("tilt"), roll, hips.heading[i] + swing];
        }
        hips
    }

    /// Sets the heights; `lower` lowers them further by so much at each time.
    pub(super) fn rise(
        &mut self,
        score: &Score,
        line: &Timeline,
        feet: &[FootPath; 2],
        puppet: &Puppet,
        rate: f64,
        lower: &[f64],
    ) {
        let frames = self.at.len();
        let (reach, runs) = (score.style.get("reach"), score.style.get("double_support") < 0.0);
        let ceiling: Vec<f64> =
            (0..frames).map(|i| self.ceiling(i, feet, puppet, rate, reach, !runs)).collect();
        let mut height = if runs {
            running(line, &ceiling, feet, rate)
        } else {
            under(&ceiling, score.style.get("smooth") * puppet.tempo() * rate)
        };
        hops(line, &ceiling, &mut height, rate);
        for i in 0..frames {
            self.at[i].z = height[i] - lower[i];
        }
    }

    /// Greatest height of the hips that both legs can span.
    /// A run does not wait for the leg that swings.
    fn ceiling(
        &self,
        i: usize,
        feet: &[FootPath; 2],
        puppet: &Puppet,
        rate: f64,
        reach: f64,
        swings: bool,
    ) -> f64 {
        let t = i as f64 / rate;
        let mut lowest = f64::INFINITY;
        for side in 0..2 {
            let hip = puppet.hip(side, &Vec3::new(self.at[i].x, self.at[i].y, 0.0), self.turn[i]);
            let ankle = feet[side].at(t).0;
            let in_air = feet[side].down(t) == [false; 2];
            if in_air && !swings {
                continue;
            }
            let share = if in_air { IN_AIR.max(reach) } else { reach };
            let span = share * puppet.span(side);
            let across = (ankle - hip).xy().norm_squared();
            lowest = lowest.min(ankle.z + libm::sqrt((span * span - across).max(0.0)) - hip.z);
        }
        lowest
    }
}

/// A smooth curve under a ceiling, as near to it as smoothness allows.
fn under(ceiling: &[f64], width: f64) -> Vec<f64> {
    let mut wanted = ceiling.to_vec();
    let mut height = smooth(&wanted, width);
    for _ in 0..40 {
        let over: Vec<f64> = height.iter().zip(ceiling).map(|(h, c)| (h - c).max(0.0)).collect();
        if over.iter().all(|o| *o < 1e-4) {
            break;
        }
        // pushes the wish down around where it was too high
        let spread = smooth(&over, 0.7 * width);
        wanted.iter_mut().zip(over.iter().zip(&spread)).for_each(|(w, (o, s))| *w -= 1.3 * o.max(*s));
        height = smooth(&wanted, width);
    }
    let most = height.iter().zip(ceiling).map(|(h, c)| h - c).fold(0.0, f64::max);
    height.iter().map(|h| h - most).collect()
}

/// Heights of a run: gravity in flight, half a sine of force in stance, under the ceiling while a foot stands.
fn running(line: &Timeline, ceiling: &[f64], feet: &[FootPath; 2], rate: f64) -> Vec<f64> {
    let shape = |t: f64| {
        let pair = line.supports.windows(2).find(|pair| pair[0].land <= t && t < pair[1].land);
        let Some([now, next]) = pair else { return 0.0 };
        let (period, stance, tau) = (next.land - now.land, now.off - now.land, t - now.land);
        let flight = period - stance;
        if tau >= stance {
            let fall = tau - stance;
            return 0.5 * GRAVITY * fall * (flight - fall);
        }
        let sine = libm::sin(core::f64::consts::PI * tau / stance);
        -0.5 * GRAVITY * tau * (flight + tau)
            + 0.5 * GRAVITY * period * (tau - stance / core::f64::consts::PI * sine)
    };
    let shapes: Vec<f64> = (0..ceiling.len()).map(|i| shape(i as f64 / rate)).collect();
    let stands = |i: usize| feet.iter().any(|f| f.down(i as f64 / rate) != [false; 2]);
    // the first steps start from standing: the middle counts
    let room = (ceiling.len() / 3..ceiling.len() * 2 / 3)
        .filter(|&i| stands(i))
        .map(|i| ceiling[i] - shapes[i])
        .fold(f64::INFINITY, f64::min);
    shapes.iter().map(|s| s + room).collect()
}

/// Crouch, push, flight and landing of jumps.
fn hops(line: &Timeline, ceiling: &[f64], height: &mut [f64], rate: f64) {
    for hop in &line.hops {
        let frame = |t: f64| ((t * rate) as usize).min(ceiling.len() - 1);
        let (stand, end) = (height[frame(hop.start)], height[frame(hop.end)]);
        let flight = hop.land - hop.off;
        let speed = 0.5 * GRAVITY * flight;
        // as high as the rolled feet allow where they leave and land
        let top = ceiling[frame(hop.off)].min(ceiling[frame(hop.land) + 1]);
        let pieces = [
            (hop.start, stand, 0.0, hop.bottom, stand - hop.crouch, 0.0),
            (hop.bottom, stand - hop.crouch, 0.0, hop.off, top, speed),
            (hop.land, top, -speed, hop.absorbed, end - 0.75 * hop.crouch, 0.0),
            (hop.absorbed, end - 0.75 * hop.crouch, 0.0, hop.end, end, 0.0),
        ];
        for (i, z) in height.iter_mut().enumerate() {
            let t = i as f64 / rate;
            if t > hop.off && t < hop.land {
                let fall = t - hop.off;
                *z = top + 0.5 * GRAVITY * fall * (flight - fall);
            } else if let Some(&(t0, z0, v0, t1, z1, v1)) = pieces.iter().find(|p| p.0 <= t && t <= p.3) {
                let (h, x) = (t1 - t0, (t - t0) / (t1 - t0));
                let (x2, x3) = (x * x, x * x * x);
                *z = z0 + (z1 - z0) * (3.0 * x2 - 2.0 * x3) + h * (v0 * (x3 - 2.0 * x2 + x) + v1 * (x3 - x2));
            }
        }
    }
}

/// A Gaussian mean over `width` samples (one standard deviation), the ends held.
pub(super) fn smooth(values: &[f64], width: f64) -> Vec<f64> {
    let reach = libm::ceil(4.0 * width) as i64;
    if reach < 1 {
        return values.to_vec();
    }
    let weights: Vec<f64> =
        (-reach..=reach).map(|k| libm::exp(-0.5 * (k * k) as f64 / (width * width))).collect();
    let total: f64 = weights.iter().sum();
    let last = values.len() as i64 - 1;
    (0..=last)
        .map(|i| {
            let terms = weights.iter().enumerate();
            terms.map(|(k, w)| w * values[(i + k as i64 - reach).clamp(0, last) as usize]).sum::<f64>()
                / total
        })
        .collect()
}
