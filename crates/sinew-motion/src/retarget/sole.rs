//! The sole of a captured foot: which way it looks when the foot stands flat.
//!
//! A skeleton without shapes does not say where its soles are (in the SNU figure the ankle-to-tip line is 27.45° off; CMU's feet
//! lean with legs that are splayed by 20°). The motion does: while a foot stands still near the ground, the vertical in the axes
//! of the foot is the normal of its sole. The mean over all such frames is taken, twice, the second time without frames more than
//! 15° away (toes or heels only).

use crate::Take;
use sinew_dynamics::spatial::{Placement, Vec3};

/// Slower than this an ankle stands, m/s per metre of leg.
const STILL: f64 = 0.15;
/// Lower than this above its lowest tenth an ankle is on the ground, metres per metre of leg.
const LOW: f64 = 0.06;
/// Frames this far from the mean are not flat: cosine of 15°.
const FLAT: f64 = 0.966;
/// Fewer frames than this tell nothing, s.
const LEAST: f64 = 0.15;

/// The normal of the sole of the foot joint `foot`, in its own axes; none when it never stands still.
///
/// `places` are the foot's placements in all frames, `leg` the length of the leg.
pub(super) fn normal(take: &Take, places: &[Placement], leg: f64) -> Option<Vec3> {
    let n = places.len();
    if n < 3 {
        return None;
    }
    let speed = |i: usize| {
        let (a, b) = (i.saturating_sub(1), (i + 1).min(n - 1));
        (places[b].pos - places[a].pos).norm() * take.rate / (b - a) as f64
    };
    let mut heights: Vec<f64> = places.iter().map(|p| p.pos.z).collect();
    heights.sort_by(f64::total_cmp);
    // ground that rises has no single lowest tenth, but its still frames are as flat
    let rises = heights[n * 9 / 10] - heights[n / 10] > 0.35 * leg;
    let ground = heights[n / 10];
    let still =
        |i: &usize| speed(*i) < STILL * leg.max(0.1) && (rises || places[*i].pos.z < ground + LOW * leg);
    let normals: Vec<Vec3> = (0..n).filter(still).map(|i| places[i].rot.tr_mul(&Vec3::z())).collect();
    if (normals.len() as f64) < LEAST * take.rate {
        return None;
    }
    let mean = |all: &mut dyn Iterator<Item = &Vec3>| all.sum::<Vec3>().try_normalize(1e-6);
    let mut middle = mean(&mut normals.iter())?;
    for _ in 0..3 {
        middle = mean(&mut normals.iter().filter(|n| n.dot(&middle) > FLAT)).unwrap_or(middle);
    }
    Some(middle)
}
