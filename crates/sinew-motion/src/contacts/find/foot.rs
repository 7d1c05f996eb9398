//! A captured foot: where its heel and ball are, how fast, how it is pitched.
//!
//! With `n` the normal of the sole in the foot's axes (the mean vertical while the foot is slowest and low), `f` the unit vector to toe
//! joint or tip square to `n` and `L` its length,
//! ```text
//! heel h = ankle − 0.075 λ n − 0.35 L f,      ball b = ankle − 0.075 λ n + L f
//! ```

use crate::contacts::ground::Plane;
use crate::contacts::speeds;
use crate::filter::LowPass;
use crate::retarget::BoneMap;
use crate::{Take, filter};
use sinew_dynamics::spatial::{Mat3, Vec3};
use sinew_dynamics::{Role, Side};

/// Height of an ankle over the sole, leg lengths, and of the heel behind it, parts of the way to the ball.
const ANKLE: f64 = 0.075;
const BEHIND: f64 = 0.35;
/// From the ball on to the tip, parts of the way from heel to ball.
const TIP: f64 = 0.3;
/// A low frame: less than this above the least height within ±0.5 s, leg lengths.
const LOW: f64 = 0.05;
const AROUND: f64 = 0.5;
/// The share of the low frames that counts for the sole, by slowness, and the cosine beyond which a frame is not flat (15°).
const SLOWEST: f64 = 0.35;
const FLAT: f64 = 0.966;
/// The time within which the greatest speed of a foot is sought, s, and the greatest speed of a foot at rest, leg lengths a second.
const STRIDE: f64 = 1.0;
const STILL: f64 = 0.8;

/// Filters for the paths of a foot, of 6, 8 and 3 Hz, at a rate that is so many times that of the take.
pub(super) struct Filters {
    pub(super) quick: LowPass,
    pub(super) middle: LowPass,
    pub(super) calm: LowPass,
    pub(super) rate: f64,
    pub(super) times: usize,
}

/// A foot over time.
pub(super) struct Foot {
    pub(super) heel: Vec<Vec3>,
    pub(super) ball: Vec<Vec3>,
    /// Speed of the slower of the two, m/s, and the greatest speed of their middle within ±1 s.
    pub(super) slow: Vec<f64>,
    pub(super) fast: Vec<f64>,
    /// Height of the lower of the two, m.
    pub(super) low: Vec<f64>,
    /// How much lower the tip of the foot is than that: people roll over their toes before they lift them.
    pub(super) tip: Vec<f64>,
    /// Height of the hip above the ankle, m.
    pub(super) under_hip: Vec<f64>,
    /// Nose down (heel up) positive, rad.
    pub(super) pitch: Vec<f64>,
    /// Heading, continuous, rad.
    pub(super) yaw: Vec<f64>,
}

impl Foot {
    /// Follows a foot; filters are given.
    pub(super) fn see(
        take: &Take,
        map: &BoneMap,
        side: Side,
        leg: f64,
        filters: &mut Filters,
    ) -> Option<Foot> {
        let joints = take.skeleton.joints();
        let foot = map.joint(Role::Foot(side))?;
        let tip = || joints[foot].tips.iter().max_by(|a, b| a.norm().total_cmp(&b.norm())).copied();
        let toe = map.joint(Role::Toe(side)).filter(|t| joints[*t].parent == Some(foot));
        let toe = toe.map(|t| joints[t].offset).or_else(tip);
        let hip = map.joint(Role::Thigh(side))?;
        let (mut ankle, mut turn, mut under_hip) = (Vec::new(), Vec::<Mat3>::new(), Vec::new());
        let mut placements = Vec::new();
        for pose in &take.poses {
            take.skeleton.placements_into(pose, &mut placements);
            ankle.push(placements[foot].pos);
            turn.push(placements[foot].rot);
            under_hip.push(placements[hip].pos - placements[foot].pos);
        }
        let normal = sole_normal(&ankle, &turn, take.rate, leg);
        // a foot without any length looks forwards at rest
        let toe = toe.filter(|t| t.norm() > 0.02 * leg).unwrap_or(Vec3::x() * (0.15 * leg));
        let along = toe - normal * normal.dot(&toe);
        let (length, along) = match along.try_normalize(0.01 * leg) {
            Some(along) => (along.dot(&toe), along),
            None => (0.15 * leg, normal.cross(&Vec3::y()).cross(&normal).normalize()),
        };
        let point = |local: Vec3| -> Vec<Vec3> {
            ankle.iter().zip(&turn).map(|(ankle, turn)| ankle + turn * local).collect()
        };
        let sole = normal * (-ANKLE * leg);
        let rate = filters.rate;
        let heel = filter::finer(&point(sole - along * (BEHIND * length)), filters.times);
        let ball = filter::finer(&point(sole + along * length), filters.times);
        let slower = |a: &[Vec3], b: &[Vec3]| -> Vec<f64> {
            speeds(a, rate).into_iter().zip(speeds(b, rate)).map(|(a, b)| a.min(b)).collect()
        };
        let calm = slower(&filters.calm.points(&heel), &filters.calm.points(&ball));
        let (heel, ball) = (filters.quick.points(&heel), filters.quick.points(&ball));
        let mut slow = slower(&heel, &ball);
        let middle: Vec<Vec3> = heel.iter().zip(&ball).map(|(h, b)| (h + b) * 0.5).collect();
        let fast = speeds(&filters.middle.points(&middle), rate);
        let fast = filter::running_extreme(&fast, filter::frames(STRIDE, rate), f64::max);
        // where nothing is fast for a while, what trembles is the capture
        slow.iter_mut()
            .zip(calm)
            .zip(&fast)
            .filter(|(_, fast)| **fast < STILL * leg)
            .for_each(|((slow, calm), _)| *slow = slow.min(calm));
        let under_hip = filter::finer(&under_hip, filters.times).iter().map(|p| p.z).collect();
        let low = heel.iter().zip(&ball).map(|(h, b)| h.z.min(b.z)).collect();
        let tip = heel.iter().zip(&ball).map(|(h, b)| TIP * (h.z - b.z).max(0.0)).collect();
        let axis: Vec<Vec3> = heel.iter().zip(&ball).map(|(h, b)| b - h).collect();
        let pitch = axis.iter().map(|d| libm::atan2(-d.z, libm::hypot(d.x, d.y))).collect();
        let mut yaw: Vec<f64> = axis.iter().map(|d| libm::atan2(d.y, d.x)).collect();
        for i in 1..yaw.len() {
            let step = yaw[i] - yaw[i - 1];
            yaw[i] -= core::f64::consts::TAU * libm::round(step / core::f64::consts::TAU);
        }
        Some(Foot { heel, ball, slow, fast, low, tip, under_hip, pitch, yaw })
    }

    /// Measures heights and pitch from a plane.
    pub(super) fn above(&mut self, floor: &Plane) {
        for i in 0..self.heel.len() {
            let way = self.ball[i] - self.heel[i];
            let rise = floor.slope[0] * way.x + floor.slope[1] * way.y;
            let flat = libm::hypot(way.x, way.y).max(1e-6);
            self.pitch[i] += libm::atan2(rise, flat);
            for point in [&mut self.heel[i], &mut self.ball[i]] {
                point.z -= floor.at(point.x, point.y);
            }
            self.low[i] = self.heel[i].z.min(self.ball[i].z);
        }
    }
}

/// The normal of the sole in the foot's axes: the mean vertical over its slowest low frames; what is up at rest if it never is slow.
fn sole_normal(ankle: &[Vec3], turn: &[Mat3], rate: f64, leg: f64) -> Vec3 {
    let ankle = &LowPass::new(ankle.len(), rate, 8.0).points(ankle)[..];
    let heights: Vec<f64> = ankle.iter().map(|p| p.z).collect();
    let least = filter::running_extreme(&heights, filter::frames(AROUND, rate), f64::min);
    let speed = speeds(ankle, rate);
    let mut low: Vec<usize> = (0..ankle.len()).filter(|&i| heights[i] < least[i] + LOW * leg).collect();
    low.sort_by(|&a, &b| speed[a].total_cmp(&speed[b]).then(a.cmp(&b)));
    low.truncate(((SLOWEST * low.len() as f64) as usize).max(1));
    let up: Vec<Vec3> = low.iter().map(|&i| turn[i].tr_mul(&Vec3::z())).collect();
    let mean = |all: &mut dyn Iterator<Item = &Vec3>| all.sum::<Vec3>().try_normalize(1e-6);
    let mut middle = mean(&mut up.iter()).unwrap_or(Vec3::z());
    for _ in 0..3 {
        middle = mean(&mut up.iter().filter(|n| n.dot(&middle) > FLAT)).unwrap_or(middle);
    }
    middle
}
