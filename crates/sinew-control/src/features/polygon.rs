//! The support polygon: where the centre of pressure can be.

use sinew_dynamics::spatial::Vec3;
use sinew_world::metrics::hull::convex_hull;

/// Convex hull of points of the ground, in the horizontal plane, counter-clockwise.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polygon {
    corners: Vec<[f64; 2]>,
    edges: Vec<Edge>,
    scratch: Vec<[f64; 2]>,
}

/// A point of an edge, and the unit normal to the inside.
#[derive(Clone, Copy, Debug)]
struct Edge {
    at: [f64; 2],
    normal: [f64; 2],
}

impl Edge {
    /// How far inside a point is.
    fn depth(&self, [x, y]: [f64; 2]) -> f64 {
        (x - self.at[0]) * self.normal[0] + (y - self.at[1]) * self.normal[1]
    }
}

impl Polygon {
    /// Hull of the points.
    pub(crate) fn set(&mut self, points: impl Iterator<Item = Vec3>) {
        let Polygon { corners, edges, scratch } = self;
        scratch.clear();
        scratch.extend(points.map(|p| [p.x, p.y]));
        edges.clear();
        convex_hull(scratch, corners);
        if corners.len() < 3 {
            return;
        }
        for (i, a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            let length = libm::hypot(dx, dy);
            if length > 1e-9 {
                edges.push(Edge { at: *a, normal: [-dy / length, dx / length] });
            }
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
        self.edges.iter().map(|edge| edge.depth([p.x, p.y])).fold(f64::INFINITY, f64::min)
    }

    /// The nearest point of the polygon shrunk by `inset` (grown, if that is negative; as it is, if nothing would be left).
    pub(crate) fn clamp(&self, p: &Vec3, inset: f64) -> Vec3 {
        if self.corners.len() < 3 {
            return self.on_segment(p, inset);
        }
        let from = [p.x, p.y];
        // the nearest point lies on an edge that the point is beyond of
        let beyond = self.edges.iter().filter(|edge| edge.depth(from) < inset - 1e-9);
        let mut nearest: Option<(f64, [f64; 2])> = None;
        let mut inside = true;
        for edge in beyond {
            inside = false;
            if let Some(at) = self.nearest_on(edge, from, inset) {
                let distance = libm::hypot(at[0] - p.x, at[1] - p.y);
                if nearest.is_none_or(|(least, _)| distance < least) {
                    nearest = Some((distance, at));
                }
            }
        }
        match nearest {
            Some((_, [x, y])) => Vec3::new(x, y, p.z),
            None if inside || inset <= 0.0 => *p,
            None => self.clamp(p, 0.0),
        }
    }

    /// The nearest point of an edge that is moved inwards by `inset`, as far as the other edges leave something of it.
    fn nearest_on(&self, edge: &Edge, from: [f64; 2], inset: f64) -> Option<[f64; 2]> {
        let [nx, ny] = edge.normal;
        let short = inset - edge.depth(from);
        let foot = [from[0] + short * nx, from[1] + short * ny];
        // along the edge, from where the point would come down on it
        let (mut first, mut last) = (f64::NEG_INFINITY, f64::INFINITY);
        for other in &self.edges {
            let depth = other.depth(foot) - inset;
            let rate = ny * -other.normal[0] + nx * other.normal[1];
            if rate > 1e-9 {
                first = first.max(-depth / rate);
            } else if rate < -1e-9 {
                last = last.min(-depth / rate);
            } else if depth < -1e-9 {
                return None;
            }
        }
        (first <= last).then(|| {
            let along = 0.0_f64.max(first).min(last);
            [foot[0] - along * ny, foot[1] + along * nx]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two feet askew, one ahead of the other, or their mirror image.
    fn feet(sign: f64) -> Polygon {
        let mut polygon = Polygon::default();
        let corners =
            [[0.0, 0.1], [0.25, 0.15], [0.23, 0.24], [-0.02, 0.2], [0.3, -0.12], [0.55, -0.1], [0.3, -0.2]];
        polygon.set(corners.into_iter().map(|[x, y]| Vec3::new(x, sign * y, 0.0)));
        polygon
    }

    /// Points all around.
    fn around() -> impl Iterator<Item = Vec3> {
        (0..400).map(|k| Vec3::new(-0.3 + 0.055 * f64::from(k % 20), -0.5 + 0.05 * f64::from(k / 20), 0.7))
    }

    #[test]
    fn no_other_point_of_the_polygon_is_nearer() {
        let polygon = feet(1.0);
        for inset in [0.0, 0.01, -0.02] {
            for p in around() {
                let nearest = polygon.clamp(&p, inset);
                assert!(polygon.margin(&nearest) > inset - 1e-8 && nearest.z == p.z);
                // moved towards the point by a little in any direction it would leave the polygon, or come no nearer
                for k in 0..64 {
                    let (s, c) = libm::sincos(0.1 * f64::from(k));
                    let near = nearest + Vec3::new(c, s, 0.0) * 1e-4;
                    assert!(polygon.margin(&near) < inset || (near - p).norm() > (nearest - p).norm() - 1e-8);
                }
            }
        }
    }

    #[test]
    fn a_polygon_and_its_mirror_image_are_alike() {
        let (polygon, image) = (feet(1.0), feet(-1.0));
        for p in around() {
            let (a, b) = (polygon.clamp(&p, 0.01), image.clamp(&Vec3::new(p.x, -p.y, p.z), 0.01));
            assert!((a - Vec3::new(b.x, -b.y, b.z)).norm() < 1e-12, "{a} {b}");
        }
    }

    #[test]
    fn a_polygon_of_which_nothing_would_be_left_is_not_shrunk() {
        let (polygon, p) = (feet(1.0), Vec3::new(1.0, 1.0, 0.0));
        assert_eq!(polygon.clamp(&p, 5.0), polygon.clamp(&p, 0.0));
    }
}
