//! A slow, independent judge: the gap of two shapes along a direction, by support points alone.

use super::random::Random;
use sinew_dynamics::spatial::{Placement, Vec3};
use sinew_world::collide::Shape;

/// Two placed shapes.
pub(crate) struct Placed<'a> {
    pub(crate) a: &'a Shape,
    pub(crate) at_a: Placement,
    pub(crate) b: &'a Shape,
    pub(crate) at_b: Placement,
}

/// The farthest coordinate of a placed shape along `n`.
pub(crate) fn reach(shape: &Shape, at: &Placement, n: &Vec3) -> f64 {
    at.act(&shape.support(&at.rot.tr_mul(n))).dot(n)
}

impl Placed<'_> {
    /// `min n·(a − b)` over all points.
    pub(crate) fn gap(&self, n: &Vec3) -> f64 {
        -reach(self.a, &self.at_a, &-n) - reach(self.b, &self.at_b, n)
    }

    /// The greatest gap found by `starts` and many random directions, the best few of which are improved by shrinking steps at random.
    pub(crate) fn greatest_gap(&self, random: &mut Random, starts: &[Vec3]) -> f64 {
        let mut tried: Vec<(f64, Vec3)> =
            (0..400).map(|_| random.direction()).map(|n| (self.gap(&n), n)).collect();
        tried.extend(starts.iter().map(|n| (self.gap(n), *n)));
        tried.sort_by(|p, q| q.0.total_cmp(&p.0));
        let mut best = f64::NEG_INFINITY;
        for (mut gap, mut n) in tried.into_iter().take(4) {
            let mut step = 0.2;
            while step > 1e-7 {
                let mut better = false;
                for _ in 0..12 {
                    let m = (n + random.direction() * step).normalize();
                    let g = self.gap(&m);
                    if g > gap {
                        (gap, n, better) = (g, m, true);
                    }
                }
                if !better {
                    step *= 0.6;
                }
            }
            best = best.max(gap);
        }
        best
    }
}

/// How far a point is outside a shape, at least, as seen from some directions; negative inside.
pub(crate) fn outside(shape: &Shape, at: &Placement, p: &Vec3, random: &mut Random) -> f64 {
    let mut worst = f64::NEG_INFINITY;
    for _ in 0..200 {
        let n = random.direction();
        worst = worst.max(n.dot(p) - reach(shape, at, &n));
    }
    worst
}
