//! At most a few touches of one shape with the terrain: no two at one place, and those kept well spread.

use super::GroundTouch;

/// Most touches of one shape that are kept.
pub(super) const KEPT: usize = 8;
/// Touches are thinned out when there are this many.
const CROWD: usize = 32;
/// Touches nearer than this, m, with one normal are the same.
const SAME_PLACE: f64 = 1e-4;
/// A difference of normals counts like this distance, m.
const NORMALS: f64 = 0.2;

/// Adds a touch to those from `begin` on, unless it is there already.
pub(super) fn add(new: GroundTouch, begin: usize, out: &mut Vec<GroundTouch>) {
    let same = |old: &&mut GroundTouch| {
        (old.touch.point - new.touch.point).norm_squared() < SAME_PLACE * SAME_PLACE
            && old.touch.normal.dot(&new.touch.normal) > 0.9999
    };
    if let Some(old) = out[begin..].iter_mut().find(same) {
        // the deeper one is right; in a tie the first
        if new.touch.distance < old.touch.distance - 1e-9 {
            *old = new;
        }
        return;
    }
    if out.len() - begin == CROWD {
        spread(out, begin);
    }
    out.push(new);
}

/// Keeps the deepest touch, then again and again the one farthest from those kept.
pub(super) fn spread(out: &mut Vec<GroundTouch>, begin: usize) {
    let touches = &mut out[begin..];
    let apart = |s: &GroundTouch, t: &GroundTouch| {
        (s.touch.point - t.touch.point).norm_squared()
            + NORMALS * NORMALS * (s.touch.normal - t.touch.normal).norm_squared()
    };
    for kept in 0..KEPT.min(touches.len()) {
        let mut best = kept;
        let mut most = f64::NEG_INFINITY;
        for candidate in kept..touches.len() {
            let t = &touches[candidate];
            let merit = if kept == 0 {
                -t.touch.distance
            } else {
                touches[..kept].iter().fold(f64::INFINITY, |least, k| apart(k, t).min(least))
            };
            if merit > most {
                (best, most) = (candidate, merit);
            }
        }
        touches.swap(kept, best);
    }
    out.truncate(begin + KEPT);
}
