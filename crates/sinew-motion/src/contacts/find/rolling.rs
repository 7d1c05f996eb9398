//! Rolling: when heel and ball touch within a stance, and when the foot slides instead of standing.

use super::Seen;
use super::stances::Stance;
use crate::contacts::{ContactKind, runs};
use crate::filter;
use core::ops::Range;

/// The heel touches below this height above its own level, leg lengths, and this pitch, rad (4°).
const HEEL: (f64, f64) = (0.012, 0.07);
/// The ball touches below this height, leg lengths, and above this pitch.
const BALL: (f64, f64) = (0.015, -0.07);
/// A contact ends with so long a time without, s.
const ENDS: f64 = 0.04;
/// A flat foot that moves farther than this, m, faster than that, m/s, turning slower than this, rad/s, slides.
const SLIDES: (f64, f64, f64) = (0.02, 0.06, 0.7);

/// For each frame of a stance, how the foot stands, and whether it slides.
pub(super) fn kinds(seen: &Seen, side: usize, stance: &Stance) -> (Vec<ContactKind>, Vec<bool>) {
    let foot = &seen.feet[side];
    let n = stance.frames.len();
    let at = |i: usize| stance.frames.start + i;
    let flat = |i: usize| foot.pitch[at(i)].abs() < HEEL.1;
    let levels = [&foot.heel, &foot.ball].map(|path| {
        // of the flat part; of all of it for a foot that never is flat
        let mut heights: Vec<(f64, f64)> =
            (0..n).filter(|&i| flat(i)).map(|i| (foot.slow[at(i)], path[at(i)].z)).collect();
        if heights.is_empty() {
            return stance.level;
        }
        heights.sort_by(|a, b| a.0.total_cmp(&b.0));
        heights.truncate((heights.len() / 2).max(1));
        let mut heights: Vec<f64> = heights.into_iter().map(|h| h.1).collect();
        heights.sort_by(f64::total_cmp);
        heights[heights.len() / 2]
    });
    let heel = one_run(seen, n, |i| {
        foot.heel[at(i)].z < levels[0] + HEEL.0 * seen.leg && foot.pitch[at(i)] < HEEL.1
    });
    let ball = one_run(seen, n, |i| {
        foot.ball[at(i)].z < levels[1] + BALL.0 * seen.leg && foot.pitch[at(i)] > BALL.1
    });
    let kind = |i: usize| match (heel.contains(&i), ball.contains(&i)) {
        (true, true) => ContactKind::Flat,
        (true, false) => ContactKind::Heel,
        (false, true) => ContactKind::Ball,
        (false, false) => between(&heel, &ball, i, foot.pitch[at(i)]),
    };
    let kinds: Vec<ContactKind> = (0..n).map(kind).collect();
    let mut slides = vec![false; n];
    let middle = |i: usize| (foot.heel[at(i)] + foot.ball[at(i)]) * 0.5;
    let (last, rate) = (n.saturating_sub(1), seen.rate);
    let moves = |i: usize| {
        let (a, b) = (i.saturating_sub(1), (i + 1).min(last));
        let per = rate / (b - a).max(1) as f64;
        let turns = (foot.yaw[at(b)] - foot.yaw[at(a)]).abs() * per;
        kinds[i] == ContactKind::Flat
            && (middle(b) - middle(a)).xy().norm() * per > SLIDES.1
            && turns < SLIDES.2
    };
    for run in runs(n, moves) {
        if (middle(run.end - 1) - middle(run.start)).xy().norm() > SLIDES.0 {
            slides[run].fill(true);
        }
    }
    (kinds, slides)
}

/// How a foot stands while neither part is near its level: the part that touched last goes on, or the one that touches first has begun; else
/// the pitch of the sole decides.
fn between(heel: &Range<usize>, ball: &Range<usize>, i: usize, pitch: f64) -> ContactKind {
    let past = |run: &Range<usize>| (!run.is_empty() && run.end <= i).then_some(run.end);
    let ahead = |run: &Range<usize>| (!run.is_empty() && run.start > i).then_some(run.start);
    let on_heel = match (past(heel), past(ball), ahead(heel), ahead(ball)) {
        (Some(a), Some(b), ..) if a != b => a > b,
        (None, None, Some(a), Some(b)) if a != b => a < b,
        _ => pitch < 0.0,
    };
    if on_heel { ContactKind::Heel } else { ContactKind::Ball }
}

/// The longest run of frames in which something holds, short interruptions apart.
fn one_run(seen: &Seen, frames: usize, holds: impl Fn(usize) -> bool) -> Range<usize> {
    let gap = filter::frames(ENDS, seen.rate);
    let mut all: Vec<Range<usize>> = Vec::new();
    for run in runs(frames, holds) {
        match all.last_mut() {
            Some(last) if run.start - last.end < gap => last.end = run.end,
            _ => all.push(run),
        }
    }
    all.into_iter().max_by_key(|run| run.len()).unwrap_or(0..0)
}
