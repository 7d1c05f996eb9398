//! Convex hull of points in space: quickhull.
//!
//! Start from a tetrahedron, keep for every face the points outside it, and as long as a face has some, take the
//! farthest: remove all faces that it sees (a connected patch), and join the patch's rim to it. Expected cost
//! `O(n log n)`. A point counts as outside when it is farther than the rounding of the coordinates; with it the hull
//! of a lattice's corners drops points that lie in faces or edges.
//!
//! C. B. Barber, D. P. Dobkin, H. Huhdanpaa: *The quickhull algorithm for convex hulls*, ACM TOMS 22 (1996).

use crate::spatial::Vec3;
use std::collections::HashMap;

/// Most points that a hull is made for.
const MAX_POINTS: usize = 20_000;

struct Face {
    corners: [usize; 3],
    /// Outward unit normal and its offset.
    normal: Vec3,
    offset: f64,
    outside: Vec<usize>,
    alive: bool,
}

impl Face {
    fn height(&self, p: &Vec3) -> f64 {
        self.normal.dot(p) - self.offset
    }
}

/// The points that are corners of their convex hull, in their order; all of them where there is no hull.
pub(crate) fn hull_corners(points: Vec<Vec3>) -> Vec<Vec3> {
    let Some(triangles) = convex_hull(&points) else { return points };
    let mut is_corner = vec![false; points.len()];
    triangles.iter().flatten().for_each(|&k| is_corner[k] = true);
    points.into_iter().zip(is_corner).filter_map(|(point, is)| is.then_some(point)).collect()
}

/// Triangles of the hull, counter-clockwise seen from outside; `None` when the points span no volume, or are too many.
pub(crate) fn convex_hull(points: &[Vec3]) -> Option<Vec<[usize; 3]>> {
    if points.len() > MAX_POINTS {
        return None;
    }
    let extent = points.iter().fold(0.0, |m: f64, p| m.max(p.amax()));
    let rounding = 1e-12 * extent;
    let first = simplex(points, rounding)?;
    let inside = first.iter().map(|&i| points[i]).sum::<Vec3>() / 4.0;

    // the first four faces share out all points
    let mut hull = Hull { points, rounding, faces: Vec::new(), at_edge: HashMap::new() };
    let [a, b, c, d] = first;
    for mut corners in [[a, b, c], [a, b, d], [a, c, d], [b, c, d]] {
        let [p, q, r] = corners.map(|i| points[i]);
        if (q - p).cross(&(r - p)).dot(&(inside - p)) > 0.0 {
            corners.swap(1, 2);
        }
        hull.add_face(corners)?;
    }
    hull.share_out((0..points.len()).filter(|i| !first.contains(i)), 0);

    let mut next = 0;
    while next < hull.faces.len() {
        if hull.faces[next].alive && !hull.faces[next].outside.is_empty() {
            hull.extend(next)?;
        }
        next += 1;
    }
    Some(hull.faces.iter().filter(|f| f.alive).map(|f| f.corners).collect())
}

struct Hull<'a> {
    points: &'a [Vec3],
    rounding: f64,
    faces: Vec<Face>,
    /// The face on the left of each directed edge.
    at_edge: HashMap<(usize, usize), usize>,
}

impl Hull<'_> {
    /// Adds a face; its corners run counter-clockwise seen from outside.
    fn add_face(&mut self, corners: [usize; 3]) -> Option<()> {
        let [a, b, c] = corners.map(|i| self.points[i]);
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0)?;
        let index = self.faces.len();
        let offset = normal.dot(&a);
        self.faces.push(Face { corners, normal, offset, outside: Vec::new(), alive: true });
        for k in 0..3 {
            self.at_edge.insert((corners[k], corners[(k + 1) % 3]), index);
        }
        Some(())
    }

    /// Gives each point to the first face, from `since` on, that it is outside of.
    fn share_out(&mut self, points: impl Iterator<Item = usize>, since: usize) {
        for i in points {
            let p = &self.points[i];
            if let Some(face) = self.faces[since..].iter_mut().find(|f| f.height(p) > self.rounding) {
                face.outside.push(i);
            }
        }
    }

    /// Takes the farthest point outside a face into the hull.
    fn extend(&mut self, start: usize) -> Option<()> {
        let face = &self.faces[start];
        let apex = *face
            .outside
            .iter()
            .max_by(|&&i, &&j| face.height(&self.points[i]).total_cmp(&face.height(&self.points[j])))?;
        let p = self.points[apex];

        // the patch of faces that see the point, and the edges around it
        let (mut patch, mut rim, mut orphans) = (vec![start], Vec::new(), Vec::new());
        self.faces[start].alive = false;
        let mut next = 0;
        while let Some(&index) = patch.get(next) {
            next += 1;
            orphans.append(&mut self.faces[index].outside);
            let corners = self.faces[index].corners;
            for k in 0..3 {
                let (a, b) = (corners[k], corners[(k + 1) % 3]);
                let across = *self.at_edge.get(&(b, a))?;
                if !self.faces[across].alive {
                    continue;
                }
                if self.faces[across].height(&p) > self.rounding {
                    self.faces[across].alive = false;
                    patch.push(across);
                } else {
                    rim.push((a, b));
                }
            }
        }
        // a face may join the patch after its neighbour called their edge a part of the rim
        rim.retain(|(a, b)| self.at_edge.get(&(*b, *a)).is_some_and(|f| self.faces[*f].alive));
        let since = self.faces.len();
        for (a, b) in rim {
            self.add_face([a, b, apex])?;
        }
        self.share_out(orphans.into_iter().filter(|i| *i != apex), since);
        Some(())
    }
}

/// Four points that span a volume: extremes of the first axis that has any, then the farthest from line and plane.
fn simplex(points: &[Vec3], rounding: f64) -> Option<[usize; 4]> {
    let farthest = |height: &dyn Fn(&Vec3) -> f64| {
        let heights = points.iter().map(height).enumerate();
        heights.max_by(|(_, g), (_, h)| g.total_cmp(h)).filter(|(_, h)| *h > rounding).map(|(i, _)| i)
    };
    let a = 0;
    let b = farthest(&|p| (p - points[a]).norm())?;
    let along = (points[b] - points[a]).normalize();
    let off_line = |p: &Vec3| {
        let d = p - points[a];
        d - along * along.dot(&d)
    };
    let c = farthest(&|p| off_line(p).norm())?;
    let normal = along.cross(&off_line(&points[c]).normalize());
    let d = farthest(&|p| normal.dot(&(p - points[a])).abs())?;
    Some([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A closed hull of `v` vertices has `2v − 4` triangles, and no point is outside any of them.
    fn check(points: &[Vec3]) -> usize {
        let triangles = convex_hull(points).unwrap();
        let corners: std::collections::HashSet<usize> = triangles.iter().flatten().copied().collect();
        assert_eq!(triangles.len(), 2 * corners.len() - 4);
        for t in &triangles {
            let [a, b, c] = t.map(|i| points[i]);
            let normal = (b - a).cross(&(c - a)).normalize();
            assert!(points.iter().all(|p| normal.dot(&(p - a)) < 1e-10));
        }
        corners.len()
    }

    #[test]
    fn cube_with_points_in_faces_and_inside_has_eight_corners() {
        let lattice: Vec<Vec3> =
            (0..125).map(|k| Vec3::new((k % 5) as f64, (k / 5 % 5) as f64, (k / 25) as f64)).collect();
        assert_eq!(check(&lattice), 8);
    }

    #[test]
    fn points_on_a_sphere_are_all_corners() {
        let golden = 2.399_963_229_728_653;
        let points: Vec<Vec3> = (0..2000)
            .map(|k| {
                let (z, angle) = (1.0 - (2 * k + 1) as f64 / 2000.0, golden * k as f64);
                let r = (1.0 - z * z).sqrt();
                Vec3::new(r * libm::cos(angle), r * libm::sin(angle), z)
            })
            .collect();
        assert_eq!(check(&points), 2000);
    }

    #[test]
    fn flat_points_have_no_hull() {
        let plane: Vec<Vec3> = (0..20).map(|k| Vec3::new((k % 5) as f64, (k / 5) as f64, 1.0)).collect();
        assert_eq!(convex_hull(&plane), None);
        assert_eq!(convex_hull(&plane[..2]), None);
        assert_eq!(convex_hull(&[]), None);
        assert_eq!(convex_hull(&[Vec3::zeros(); 9]), None);
    }
}
