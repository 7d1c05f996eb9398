//! Is the rate right? Bodies in flight fall with g.
//!
//! While no foot is on the ground the centre of mass moves on a parabola, `z̈ = −g`, `ẍ = ÿ = 0`. Counted in frames the fall is
//! `g/rate²`, so a wrong rate or unit shows as a wrong gravity. The centre of mass is that of Winter's segments (2009, table
//! 4.1). A window without contact is a flight only if a parabola fits it: people also stand on boxes and hang from bars.

use super::figure::Figure;
use super::guess::RATES;
use super::{Report, WarningKind};
use crate::Take;
use crate::contacts::ground;
use sinew_dynamics::spatial::{Placement, Vec3};

/// Standard gravity, m/s².
const GRAVITY: f64 = 9.81;
/// How far above its level every part of the feet is in flight, m.
const CLEAR: f64 = 0.03;
/// Frames of a window without its ends, at least.
const FRAMES: usize = 6;
/// Share of a window that is cut off at each end, where feet are still leaving or already landing.
const MARGIN: f64 = 0.15;
/// Height of an arc over its chord from which its curvature is known, m.
const SAG: f64 = 0.012;
/// Distance from the parabola, as a share of that height.
const MISFIT: f64 = 0.08;
/// Horizontal over vertical acceleration.
const SIDEWAYS: f64 = 0.25;
/// Way of every part of the feet over the way of the centre of mass: who stands on something has a foot that stays.
const CARRIED: f64 = 0.5;
/// Gravities that may come from an inexact centre of mass.
const PLAUSIBLE: std::ops::RangeInclusive<f64> = 0.6..=1.6;

/// One flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arc {
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// Downward acceleration over g at the take's rate.
    pub(crate) gravities: f64,
}

/// Warns when the flights of a take contradict its rate.
pub(super) fn check_rate(take: &Take, figure: &Figure, report: &mut Report) {
    let mut arcs = arcs(take, figure);
    arcs.sort_by(|a, b| a.gravities.total_cmp(&b.gravities));
    let Some(median) = arcs.get(arcs.len() / 2) else { return };
    let gravities = median.gravities;
    if PLAUSIBLE.contains(&gravities) {
        return;
    }
    let (rate, count) = (take.rate, arcs.len());
    // a fall of n gravities has been played √n times too fast
    let likely = rate / libm::sqrt(gravities);
    let likely =
        RATES.iter().copied().find(|r| libm::fabs(r / likely - 1.0) < 0.12).unwrap_or(likely.round());
    let text = format!(
        "{count} flight(s), such as frames {} to {}, fall with {:.1} m/s² at {rate} Hz: the clip was rather captured at \
         {likely} Hz; give the rate if that is so",
        median.first,
        median.last,
        gravities * GRAVITY,
    );
    report.warn(WarningKind::Rate, text);
}

/// Flights in which the figure falls freely.
pub(crate) fn arcs(take: &Take, figure: &Figure) -> Vec<Arc> {
    let Some(feet) = figure.both_feet() else { return Vec::new() };
    let points: Vec<usize> = feet.into_iter().chain(figure.toes.iter().flatten().copied()).collect();
    let body = segments(take, figure, feet);
    let mut paths = vec![Vec::with_capacity(take.poses.len()); points.len()];
    let mut com = Vec::with_capacity(take.poses.len());
    let mut placements = Vec::new();
    for pose in &take.poses {
        take.skeleton.placements_into(pose, &mut placements);
        for (path, &point) in paths.iter_mut().zip(&points) {
            path.push(placements[point].pos);
        }
        com.push(centre(&body, &placements));
    }
    let levels: Vec<f64> = paths.iter().map(|path| ground::level(path)).collect();
    let clear = |k: usize| paths.iter().zip(&levels).all(|(path, level)| path[k].z > level + CLEAR);
    let mut found = Vec::new();
    let mut start = None;
    for k in 0..=com.len() {
        let up = k < com.len() && clear(k);
        match (start, up) {
            (None, true) => start = Some(k),
            (Some(first), false) => {
                let way =
                    |path: &[Vec3]| path[first..k].windows(2).map(|p| (p[1] - p[0]).norm()).sum::<f64>();
                if paths.iter().all(|path| way(path) > CARRIED * way(&com)) {
                    found.extend(fit(&com, first, k, take.rate));
                }
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// A parabola through the window `first..end`, when one fits.
fn fit(com: &[Vec3], first: usize, end: usize, rate: f64) -> Option<Arc> {
    let cut = ((MARGIN * (end - first) as f64).round() as usize).max(1);
    let (first, end) = (first + cut, end.saturating_sub(cut));
    if end < first + FRAMES {
        return None;
    }
    let window = &com[first..end];
    // orthogonal polynomials on the window: t, and t² less its mean
    let n = window.len() as f64;
    let t = |k: usize| k as f64 - 0.5 * (n - 1.0);
    let mean_square = (n * n - 1.0) / 12.0;
    let curve = |k: usize| t(k) * t(k) - mean_square;
    let (mut mean, mut slope, mut bend) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
    let (mut tt, mut cc) = (0.0, 0.0);
    for (k, p) in window.iter().enumerate() {
        mean += p / n;
        slope += p * t(k);
        bend += p * curve(k);
        tt += t(k) * t(k);
        cc += curve(k) * curve(k);
    }
    (slope, bend) = (slope / tt, bend / cc);
    let off = |(k, p): (usize, &Vec3)| (p - mean - slope * t(k) - bend * curve(k)).z;
    let misfit = (window.iter().enumerate().map(|x| off(x) * off(x)).sum::<f64>() / n).sqrt();
    let sag = -bend.z * 0.25 * (n - 1.0) * (n - 1.0);
    let sideways = libm::hypot(bend.x, bend.y);
    let gravities = -2.0 * bend.z * rate * rate / GRAVITY;
    let free = sag > SAG && misfit < MISFIT * sag && sideways < SIDEWAYS * -bend.z;
    free.then_some(Arc { first, last: end - 1, gravities })
}

/// A share of the mass on the line between two joints.
struct Segment {
    mass: f64,
    from: usize,
    to: usize,
    /// Where on the way.
    along: f64,
}

/// The segments of Winter's table that the figure has. A missing joint leaves its mass at the joint before.
fn segments(take: &Take, figure: &Figure, feet: [usize; 2]) -> Vec<Segment> {
    let last = |chain: [Option<usize>; 2]| chain.into_iter().flatten().next_back();
    let chest = last([Some(0), figure.chest]).unwrap_or(0);
    let head = figure.head.unwrap_or(chest);
    let mut body = vec![
        Segment { mass: 0.497, from: 0, to: chest, along: 0.5 },
        Segment { mass: 0.081, from: head, to: head, along: 0.0 },
    ];
    for side in 0..2 {
        let shoulder = figure.shoulders[side].unwrap_or(chest);
        let elbow = figure.elbows[side].unwrap_or(shoulder);
        let hand = figure.hands[side].unwrap_or(elbow);
        let hip = figure.hips[side].unwrap_or(0);
        let knee =
            figure.knees[side].unwrap_or_else(|| take.skeleton.joints()[feet[side]].parent.unwrap_or(hip));
        let foot = feet[side];
        body.extend([
            Segment { mass: 0.028, from: shoulder, to: elbow, along: 0.436 },
            Segment { mass: 0.022, from: elbow, to: hand, along: 0.682 },
            Segment { mass: 0.1, from: hip, to: knee, along: 0.433 },
            Segment { mass: 0.0465, from: knee, to: foot, along: 0.433 },
            Segment { mass: 0.0145, from: foot, to: figure.toes[side].unwrap_or(foot), along: 0.5 },
        ]);
    }
    body
}

/// The centre of mass in every frame; none for a figure without two feet.
pub(crate) fn centres_of_mass(take: &Take, figure: &Figure) -> Option<Vec<Vec3>> {
    let body = segments(take, figure, figure.both_feet()?);
    let mut placements = Vec::new();
    let centre = |pose: &crate::Pose| {
        take.skeleton.placements_into(pose, &mut placements);
        centre(&body, &placements)
    };
    Some(take.poses.iter().map(centre).collect())
}

fn centre(body: &[Segment], placements: &[Placement]) -> Vec3 {
    let total: f64 = body.iter().map(|s| s.mass).sum();
    let share = |s: &Segment| placements[s.from].pos.lerp(&placements[s.to].pos, s.along) * s.mass;
    body.iter().map(share).sum::<Vec3>() / total
}
