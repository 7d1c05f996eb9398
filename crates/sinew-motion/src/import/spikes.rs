//! Frames in which a joint jumps away and comes back: slips of the marker tracking.
//!
//! A joint jumps when it moves more than 0.1 m in one frame, faster than 5 m/s, and several times more than just before or faster than limbs are.
//! What comes back within 50 ms is a spike. It is bridged: the topmost joint that turned suddenly, and all below it, turn evenly
//! from the last good frame to the next. What does not come back is reported and left.

use super::{ImportOptions, Report, WarningKind};
use crate::Take;
use sinew_dynamics::spatial::Vec3;
use std::collections::BTreeSet;

/// A joint that moves more in a frame may be a spike, m; at low rates, where limbs do so, one that is faster than this, m/s.
const JUMP: (f64, f64) = (0.1, 5.0);
/// No limb of a walking or jumping person is as fast, m/s.
const FAST: f64 = 12.0;
/// How many times more than in the frames beside.
const SUDDEN: f64 = 4.0;
/// Frames beside that are looked at.
const BESIDE: usize = 3;
/// Places of joints held in memory at a time.
const PLACES: usize = 1 << 22;
/// Duration of a spike at most, s; one frame in any case.
const LONGEST: f64 = 0.05;

/// Reports the spikes of a take and bridges them if asked.
pub(super) fn settle(take: &mut Take, options: &ImportOptions, report: &mut Report) {
    let found = find(take);
    if found.is_empty() {
        return;
    }
    let mut frames = BTreeSet::new();
    let mut joints = BTreeSet::new();
    let mut lasting = 0;
    for spike in &found {
        joints.insert(take.skeleton.joints()[spike.joint].name.clone());
        match spike.end {
            Some(end) => frames.extend(spike.start..end),
            None => lasting += 1,
        }
    }
    let place = found.iter().max_by(|a, b| a.far.total_cmp(&b.far)).map_or(0, |s| s.start);
    let far = found.iter().map(|s| s.far).fold(0.0, f64::max);
    if options.repair_spikes {
        bridge(take, &found);
    }
    let names: Vec<_> = joints.iter().take(6).cloned().collect();
    let more = if joints.len() > 6 { ", …" } else { "" };
    let what = if options.repair_spikes { "bridged" } else { "kept" };
    let mut text = format!(
        "{} joint(s) ({}{more}) jump by up to {far:.2} m within a frame, worst at frame {place}: {} frame(s) {what}",
        joints.len(),
        names.join(", "),
        frames.len(),
    );
    if lasting > 0 {
        text += &format!("; {lasting} jump(s) do not come back and are kept");
    }
    report.warn(WarningKind::Spikes, text);
}

/// A joint is away from its path in the frames `start..end`; for ever, when there is no end.
#[derive(Clone, Copy, Debug)]
struct Spike {
    joint: usize,
    start: usize,
    end: Option<usize>,
    far: f64,
}

fn find(take: &Take) -> Vec<Spike> {
    let joints = take.skeleton.joints().len();
    // as many joints at a time as memory allows, so that large files neither fill it nor are placed once per joint
    let block = (PLACES / take.poses.len().max(1)).clamp(1, joints);
    let mut found = Vec::new();
    let mut placements = Vec::new();
    for first in (0..joints).step_by(block) {
        let these = first..(first + block).min(joints);
        let mut paths = vec![Vec::new(); these.len()];
        for pose in &take.poses {
            take.skeleton.placements_into(pose, &mut placements);
            paths.iter_mut().zip(&placements[these.clone()]).for_each(|(path, p)| path.push(p.pos));
        }
        these.zip(&paths).for_each(|(joint, path)| along(joint, path, take.rate, &mut found));
    }
    found
}

/// The spikes on the path of a joint.
fn along(joint: usize, path: &[Vec3], rate: f64, found: &mut Vec<Spike>) {
    let longest = ((LONGEST * rate) as usize).max(1);
    let jump = JUMP.0.max(JUMP.1 / rate);
    let steps: Vec<f64> = path.windows(2).map(|p| (p[1] - p[0]).norm()).collect();
    let mut k = 0;
    while k < steps.len() {
        let away = steps[k] > jump && sudden(&steps, k, Beside::Before);
        let fast = steps[k] > jump && steps[k] * rate > FAST;
        if !(away || fast) {
            k += 1;
            continue;
        }
        // frame k+1 is off; the spike ends with the first frame near the last good one that a jump leads back to
        let back =
            |&m: &usize| (path[m] - path[k]).norm() < 0.5 * steps[k] && sudden(&steps, m - 1, Beside::After);
        let end = (k + 2..(k + 2 + longest).min(path.len())).find(|m| away && back(m));
        found.push(Spike { joint, start: k + 1, end, far: steps[k] });
        k = end.unwrap_or(k + 1);
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Beside {
    Before,
    After,
}

/// Whether a step is several times those on one side of it.
fn sudden(steps: &[f64], k: usize, side: Beside) -> bool {
    let beside = match side {
        Beside::Before => &steps[k.saturating_sub(BESIDE)..k],
        Beside::After => &steps[k + 1..(k + 1 + BESIDE).min(steps.len())],
    };
    steps[k] > SUDDEN * beside.iter().copied().fold(0.0, f64::max)
}

/// Turns evenly across the spikes what caused them.
fn bridge(take: &mut Take, found: &[Spike]) {
    let mut done = BTreeSet::new();
    for &Spike { joint, start, end, .. } in found {
        let Some(end) = end else { continue };
        let cause = cause(take, joint, start, end);
        if !done.insert((cause, start, end)) {
            continue;
        }
        let mut below = vec![false; take.skeleton.joints().len()];
        for j in cause..below.len() {
            below[j] = j == cause || take.skeleton.joints()[j].parent.is_some_and(|p| below[p]);
        }
        let (from, to) = (take.poses[start - 1].clone(), take.poses[end].clone());
        for k in start..end {
            let even = from.blend(&to, (k + 1 - start) as f64 / (end - start + 1) as f64);
            let pose = &mut take.poses[k];
            if cause == 0 {
                pose.root = even.root;
            }
            let turns = pose.rotations.iter_mut().zip(even.rotations).zip(&below);
            turns.filter(|(_, below)| **below).for_each(|((old, new), _)| *old = new);
        }
    }
}

/// The topmost joint above the one that jumped that turned suddenly; the root when none did.
fn cause(take: &Take, joint: usize, start: usize, end: usize) -> usize {
    let from = start.saturating_sub(BESIDE + 1);
    let to = (end + BESIDE + 1).min(take.poses.len());
    let turned = |j: usize| {
        let turn = |k: usize| take.poses[k].rotations[j].angle_to(&take.poses[k - 1].rotations[j]);
        let steps: Vec<f64> = (from + 1..to).map(turn).collect();
        sudden(&steps, start - from - 1, Beside::Before) || sudden(&steps, end - from - 1, Beside::After)
    };
    let chain =
        std::iter::successors(take.skeleton.joints()[joint].parent, |&j| take.skeleton.joints()[j].parent);
    chain.filter(|&j| turned(j)).last().unwrap_or(0)
}
