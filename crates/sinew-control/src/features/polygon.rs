//! The support polygon: where the centre of pressure can be.

use sinew_dynamics::spatial::Vec3;

/// Convex hull of points of the ground, in the horizontal plane, counter-clockwise.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polygon {
    corners: Vec<[f64; 2]>,
    scratch: Vec<[f64; 2]>,
}

impl Polygon {
    /// Hull of the points (Andrew's monotone chain).
    pub(crate) fn set(&mut self, points: impl Iterator<Item = Vec3>) {
        let Polygon { corners, scratch } = self;
        scratch.clear();
        scratch.extend(points.map(|p| [p.x, p.y]));
        scratch.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        corners.clear();
        if scratch.len() < 3 {
            corners.extend_from_slice(scratch);
            return;
        }
        for pass in 0..2 {
            let base = corners.len();
            for i in 0..scratch.len() {
                let p = scratch[if pass == 0 { i } else { scratch.len() - 1 - i }];
                while corners.len() >= base + 2 {
                    let [a, b] = [corners[corners.len() - 2], corners[corners.len() - 1]];
                    let turn = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
                    if turn > 0.0 {
                        break;
                    }
                    corners.pop();
                }
                corners.push(p);
            }
            corners.pop();
        }
    }

    /// The nearest point of a polygon without area: of a segment, a point, or nothing at all.
    fn on_segment(&self, p: &Vec3, inset: f64) -> Vec3 {
        let (Some(a), Some(b)) = (self.corners.first(), self.corners.last()) else { return *p };
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length = libm::hypot(dx, dy).max(1e-9);
        let inset = (inset / length).min(0.5); // grown at its ends only
        let along = ((p.x - a[0]) * dx + (p.y - a[1]) * dy) / (length * length);
        let along = along.clamp(inset, 1.0 - inset);
        Vec3::new(a[0] + along * dx, a[1] + along * dy, p.z)
    }

    /// Distance to the nearest edge, positive inside; minus infinity when there is no polygon.
    pub(crate) fn margin(&self, p: &Vec3) -> f64 {
        if self.corners.len() < 3 {
            return f64::NEG_INFINITY;
        }
        self.edges().map(|(a, n)| (p.x - a[0]) * n[0] + (p.y - a[1]) * n[1]).fold(f64::INFINITY, f64::min)
    }

    /// Edges as a point and the unit normal to the inside.
    fn edges(&self) -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
        let n = self.corners.len();
        (0..n).filter_map(move |i| {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % n]);
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            let length = libm::hypot(dx, dy);
            (length > 1e-9).then(|| (a, [-dy / length, dx / length]))
        })
    }

    /// The nearest point of the polygon shrunk by `inset` (grown, if that is negative).
    pub(crate) fn clamp(&self, p: &Vec3, inset: f64) -> Vec3 {
        if self.corners.len() < 3 {
            return self.on_segment(p, inset);
        }
        // cyclic projection on the half-planes: converges within a few rounds for such small polygons
        let mut x = *p;
        for _ in 0..12 {
            let mut moved = false;
            for (a, n) in self.edges() {
                let d = (x.x - a[0]) * n[0] + (x.y - a[1]) * n[1] - inset;
                if d < -1e-6 {
                    (x.x, x.y) = (x.x - d * n[0], x.y - d * n[1]);
                    moved = true;
                }
            }
            if !moved {
                break;
            }
        }
        x
    }
}
