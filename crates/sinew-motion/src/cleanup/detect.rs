//! When feet touch the ground, from the captured motion itself.
//!
//! Ankles and balls of the feet of the source are annotated by [`contacts`](crate::contacts): low and slow. Before that
//!
//! - heights are taken above a **running floor**, the lowest of both feet within ±1.5 s, because captured floors drift by
//!   centimetres within a clip; it may leave the clip's own level by at most 8 cm;
//! - **terrain** is told from level ground: feet that stand still for 0.2 s under a stretched leg at heights more than 9 cm
//!   apart have climbed something. Then speed alone decides.
//! - gaps and contacts shorter than 60 ms are none.

use super::Ground;
use crate::contacts::{Floor, FootTracks, Thresholds, annotate, ground, speeds};
use crate::retarget::BoneMap;
use crate::{FootContacts, Take};
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Role, Side};

/// Half width of the window of the running floor, s.
const WINDOW: f64 = 1.5;
/// Farthest that the running floor leaves the clip's level, m.
const DRIFT: f64 = 0.08;
/// Shortest contact and shortest gap, s.
const SHORTEST: f64 = 0.06;
/// A foot that stands this long on ground of unknown height, s …
const STANDS: f64 = 0.2;
/// … slower than this, m/s …
const STILL: f64 = 0.2;
/// … with the hip above it by this part of the leg …
const STRETCHED: f64 = 0.85;
/// … has found a foothold; footholds this far apart are terrain, m.
const CLIMB: f64 = 0.09;

/// Contacts of a take, and what they stand on.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundContacts {
    /// When heels and toes touch.
    pub contacts: FootContacts,
    /// Level ground or terrain.
    pub ground: Ground,
}

/// Finds the contacts of a take's feet; none when the map has no two feet. `ground` overrides the guess.
pub fn find_contacts(take: &Take, map: &BoneMap, ground: Option<Ground>) -> Option<FoundContacts> {
    let tracks = tracks(take, map)?;
    let ground = ground.unwrap_or_else(|| guess_ground(take, map, &tracks));
    let mut contacts = match ground {
        Ground::Terrain => {
            let slow = Thresholds { height: None, speed: 0.25, release: 1.4, ..Thresholds::default() };
            annotate(&tracks, &slow)
        }
        Ground::Flat => {
            let above = above_running_floor(&tracks);
            let toe = Thresholds { floor: Floor::World, ..Thresholds::default() };
            // an ankle that rises is the beginning of rolling over the toes
            let heel = Thresholds { height: Some(0.02), speed: 0.3, release: 1.25, ..toe };
            FootContacts { heel: annotate(&above, &heel).heel, toe: annotate(&above, &toe).toe }
        }
    };
    let shortest = libm::round(SHORTEST * take.rate).max(1.0) as usize;
    for flags in contacts.heel.iter_mut().chain(&mut contacts.toe) {
        drop_short(flags, false, shortest);
        drop_short(flags, true, shortest);
    }
    Some(FoundContacts { contacts, ground })
}

/// Paths of ankles and balls of the feet.
fn tracks(take: &Take, map: &BoneMap) -> Option<FootTracks> {
    let joints = take.skeleton.joints();
    let mut points = Vec::with_capacity(4);
    for side in Side::BOTH {
        let foot = map.joint(Role::Foot(side))?;
        let tip = || (foot, joints[foot].tips.first().copied().unwrap_or_default());
        points.push((foot, Vec3::zeros()));
        points.push(map.joint(Role::Toe(side)).map_or_else(tip, |toe| (toe, Vec3::zeros())));
    }
    let mut paths = vec![Vec::new(); 4];
    let mut placements = Vec::new();
    for pose in &take.poses {
        take.skeleton.placements_into(pose, &mut placements);
        points.iter().zip(&mut paths).for_each(|((j, p), path)| path.push(placements[*j].act(p)));
    }
    let mut next = paths.into_iter();
    let mut take_one = || next.next().unwrap_or_default();
    let (hl, tl, hr, tr) = (take_one(), take_one(), take_one(), take_one());
    Some(FootTracks { rate: take.rate, heel: [hl, hr], toe: [tl, tr] })
}

/// The same paths with heights above the floor around each frame.
fn above_running_floor(tracks: &FootTracks) -> FootTracks {
    let mut out = tracks.clone();
    let half = libm::round(WINDOW * tracks.rate) as usize;
    for pair in [&mut out.heel, &mut out.toe] {
        let n = pair[0].len();
        let lower: Vec<Vec3> =
            (0..n).map(|i| if pair[0][i].z < pair[1][i].z { pair[0][i] } else { pair[1][i] }).collect();
        let level = ground::level(&lower);
        let lowest = running_least(&lower.iter().map(|p| p.z).collect::<Vec<_>>(), half);
        // a mean over the same window takes the steps out
        let mut sum: f64 = 0.0;
        let clipped: Vec<f64> = lowest.iter().map(|z| z.clamp(level - DRIFT, level + DRIFT)).collect();
        let prefix: Vec<f64> = std::iter::once(0.0)
            .chain(clipped.iter().map(|z| {
                sum += z;
                sum
            }))
            .collect();
        for i in 0..n {
            let (a, b) = (i.saturating_sub(half), (i + half + 1).min(n));
            let floor = (prefix[b] - prefix[a]) / (b - a) as f64;
            pair.iter_mut().for_each(|path| path[i].z -= floor);
        }
    }
    out
}

/// The least value within `half` frames of each frame.
fn running_least(x: &[f64], half: usize) -> Vec<f64> {
    // candidates in growing order: the front is the least of the window
    let mut queue = std::collections::VecDeque::new();
    let mut out = Vec::with_capacity(x.len());
    let mut next = 0;
    for i in 0..x.len() {
        while next < x.len() && next <= i + half {
            while queue.back().is_some_and(|&k: &usize| x[k] >= x[next]) {
                queue.pop_back();
            }
            queue.push_back(next);
            next += 1;
        }
        while queue.front().is_some_and(|&k| k + half < i) {
            queue.pop_front();
        }
        out.push(queue.front().map_or(x[i], |&k| x[k]));
    }
    out
}

/// Whether feet bear weight at clearly different heights.
fn guess_ground(take: &Take, map: &BoneMap, tracks: &FootTracks) -> Ground {
    let mut heights = Vec::new();
    for side in Side::BOTH {
        let joints = [Role::Thigh(side), Role::Shin(side)].map(|r| map.joint(r));
        let ([Some(hip), Some(knee)], Some(foot)) = (joints, map.joint(Role::Foot(side))) else { continue };
        let at = take.skeleton.placements(&crate::Pose::identity(take.skeleton.joints().len()));
        let leg = (at[knee].pos - at[hip].pos).norm() + (at[foot].pos - at[knee].pos).norm();
        let hips = take.path(hip);
        let (heel, toe) = (&tracks.heel[side as usize], &tracks.toe[side as usize]);
        let (slow, slow_toe) = (speeds(heel, tracks.rate), speeds(toe, tracks.rate));
        let stands =
            |i: usize| slow[i] < STILL && slow_toe[i] < STILL && hips[i].z - heel[i].z > STRETCHED * leg;
        let mut at = 0;
        while at < heel.len() {
            let end = (at..heel.len()).find(|&i| !stands(i)).unwrap_or(heel.len());
            if (end - at) as f64 > STANDS * tracks.rate {
                heights.push(heel[at..end].iter().map(|p| p.z).sum::<f64>() / (end - at) as f64);
            }
            at = end + 1;
        }
    }
    heights.sort_by(f64::total_cmp);
    match (heights.first(), heights.last()) {
        (Some(low), Some(high)) if high - low > CLIMB => Ground::Terrain,
        _ => Ground::Flat,
    }
}

/// Turns runs of `value` that are shorter than `least` into the other value, unless they touch an end.
fn drop_short(flags: &mut [bool], value: bool, least: usize) {
    let n = flags.len();
    let mut at = 0;
    while at < n {
        let end = (at..n).find(|&i| flags[i] != flags[at]).unwrap_or(n);
        if flags[at] == value && end - at < least && at > 0 && end < n {
            flags[at..end].fill(!value);
        }
        at = end;
    }
}
