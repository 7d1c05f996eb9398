//! Depth of two convex shapes that overlap: the expanding polytope algorithm.
//!
//! The Minkowski difference `C` of shapes that overlap holds the origin, and the depth is the distance from the origin to
//! the surface of `C`. A polytope with corners on that surface grows: its face nearest to the origin is pushed out to the
//! support point in the direction of the face's normal, until the support point lies on the face. The height of the
//! nearest face is a lower bound of the depth, its support an upper bound. The polytope has room for [`CORNERS`] corners;
//! when it is full the direction with the least upper bound is the answer, and that bound is exact for the direction.
//!
//! A difference without volume (two flat or thin shapes) has its own normal as answer.
//!
//! G. van den Bergen, *Proximity queries and penetration depth computation on 3D game objects*, GDC (2001).

use super::support::{Core, Difference};
use super::vector::{length, perpendicular, tangents, unit_or};
use sinew_dynamics::spatial::Vec3;

/// Most corners of the polytope.
const CORNERS: usize = 96;
/// A closed polytope of triangles has at most this many faces.
const FACES: usize = 2 * CORNERS;
/// The bounds of the depth have met when they agree to this part of the size of the shapes.
const PRECISION: f64 = 1e-10;

/// The least translation that parts the cores.
pub(super) struct Depth {
    /// Unit normal from `B` to `A`.
    pub(super) normal: Vec3,
    /// Depth of the overlap along it; negative when rounding parts them.
    pub(super) depth: f64,
    /// The point of `B` that touches `A` when they are parted.
    pub(super) b: Vec3,
}

#[derive(Clone, Copy)]
struct Face {
    corners: [u8; 3],
    normal: Vec3,
    height: f64,
}

/// Depth of two overlapping cores; the normal is likely to be near `towards`.
pub(super) fn depth(a: &Core<'_>, b: &Core<'_>, towards: &Vec3, scale: f64) -> Depth {
    let support = |dir: &Vec3| Difference::support(a, b, dir);
    let mut polytope = match Polytope::start(&support, scale) {
        Ok(polytope) => polytope,
        Err(flat) => {
            // both sides of a flat difference are equally near
            let point = support(&flat);
            let (normal, depth) = (-flat, flat.dot(&point.w));
            return Depth { normal, depth, b: point.b };
        }
    };
    let mut best = Depth { normal: Vec3::z(), depth: f64::INFINITY, b: Vec3::zeros() };
    // a few directions about the likely one save many steps when the overlap is shallow
    let likely = unit_or(&-towards, &Vec3::z());
    let (s, t) = tangents(&likely);
    for dir in [likely, likely + s * 0.05, likely - s * 0.05, likely + t * 0.05, likely - t * 0.05] {
        polytope.expand(support(&dir), scale);
    }
    while let Some(face) = polytope.nearest() {
        let point = support(&face.normal);
        let reach = face.normal.dot(&point.w);
        if reach < best.depth {
            best = Depth { normal: -face.normal, depth: reach, b: point.b };
        }
        if reach - face.height <= PRECISION * scale || !polytope.expand(point, scale) {
            break;
        }
    }
    polytope.set_nearest_of_b(&mut best, scale);
    best
}

struct Polytope {
    corners: [Difference; CORNERS],
    corner_count: usize,
    faces: [Face; FACES],
    face_count: usize,
}

impl Polytope {
    /// A tetrahedron with corners on the surface; its normal when the difference is flat.
    fn start(support: &impl Fn(&Vec3) -> Difference, scale: f64) -> Result<Polytope, Vec3> {
        let thin = 1e-12 * scale;
        // the longest of three axis spans
        let mut ends = [Difference::ZERO; 2];
        let mut span = -1.0;
        for k in 0..3 {
            let mut dir = Vec3::zeros();
            dir[k] = 1.0;
            let pair = [support(&dir), support(&-dir)];
            let length = pair[0].w[k] - pair[1].w[k];
            if length > span {
                (ends, span) = (pair, length);
            }
        }
        if !(span > thin) {
            return Err(Vec3::z());
        }
        // the farthest of four directions across it
        let along = unit_or(&(ends[0].w - ends[1].w), &Vec3::x());
        let (s, t) = tangents(&along);
        let farthest = |dirs: &[Vec3]| {
            let mut best = (Difference::ZERO, -1.0, Vec3::z());
            for dir in dirs {
                let point = support(dir);
                let off = dir.dot(&(point.w - ends[0].w));
                if off > best.1 {
                    best = (point, off, *dir);
                }
            }
            best
        };
        let (third, off, _) = farthest(&[s, -s, t, -t]);
        if !(off > thin) {
            return Err(perpendicular(&along));
        }
        // the farther side of the plane through the three
        let cross = (ends[1].w - ends[0].w).cross(&(third.w - ends[0].w));
        let normal = unit_or(&cross, &s);
        let (fourth, height, _) = farthest(&[normal, -normal]);
        if !(height > thin) {
            let sign = 1.0_f64.copysign(normal.dot(&ends[0].w));
            return Err(normal * sign);
        }

        let none = Face { corners: [0; 3], normal: Vec3::zeros(), height: f64::INFINITY };
        let mut polytope = Polytope {
            corners: [Difference::ZERO; CORNERS],
            corner_count: 4,
            faces: [none; FACES],
            face_count: 0,
        };
        polytope.corners[..4].copy_from_slice(&[ends[0], ends[1], third, fourth]);
        // faces run counter-clockwise seen from outside
        let turned = normal.dot(&(fourth.w - ends[0].w)) > 0.0;
        for [i, j, k] in [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]] {
            polytope.add_face(if turned { [i, k, j] } else { [i, j, k] });
        }
        Ok(polytope)
    }

    fn add_face(&mut self, corners: [u8; 3]) {
        let [p, q, r] = corners.map(|c| self.corners[c as usize].w);
        let cross = (q - p).cross(&(r - p));
        let size = length(&cross);
        // a face without area only closes the polytope
        let (normal, height) = if size > 1e-150 {
            let normal = cross / size;
            (normal, normal.dot(&p))
        } else {
            (Vec3::zeros(), f64::INFINITY)
        };
        self.faces[self.face_count] = Face { corners, normal, height };
        self.face_count += 1;
    }

    fn nearest(&self) -> Option<Face> {
        let faces = self.faces[..self.face_count].iter();
        faces.min_by(|f, g| f.height.total_cmp(&g.height)).filter(|f| f.height < f64::INFINITY).copied()
    }

    /// Takes a point outside into the polytope; `false`, with nothing changed, when the polytope is full or cannot be extended.
    fn expand(&mut self, point: Difference, scale: f64) -> bool {
        if self.corner_count == CORNERS {
            return false;
        }
        // faces that see the point go; their border, edges that only one of them has, stays
        let sees = |face: &Face| face.normal.dot(&point.w) - face.height > 1e-13 * scale;
        let mut rim = [[0_u8; 2]; FACES];
        let (mut rim_len, mut seen) = (0, 0);
        for face in self.faces[..self.face_count].iter().filter(|f| sees(f)) {
            seen += 1;
            for k in 0..3 {
                let (from, to) = (face.corners[k], face.corners[(k + 1) % 3]);
                if let Some(twin) = rim[..rim_len].iter().position(|e| *e == [to, from]) {
                    rim_len -= 1;
                    rim[twin] = rim[rim_len];
                } else if rim_len < FACES {
                    rim[rim_len] = [from, to];
                    rim_len += 1;
                }
            }
        }
        if rim_len < 3 || self.face_count - seen + rim_len > FACES {
            return false;
        }

        let mut kept = 0;
        for index in 0..self.face_count {
            let face = self.faces[index];
            if !sees(&face) {
                self.faces[kept] = face;
                kept += 1;
            }
        }
        self.face_count = kept;
        let apex = self.corner_count as u8;
        self.corners[self.corner_count] = point;
        self.corner_count += 1;
        for [from, to] in rim[..rim_len].iter().copied() {
            self.add_face([from, to, apex]);
        }
        true
    }

    /// Finds the point of `B` where the surface is nearest to the origin.
    ///
    /// Flat parts of the surface are many triangles of one height: the one that holds the nearest point has it.
    fn set_nearest_of_b(&self, found: &mut Depth, scale: f64) {
        let out = -found.normal;
        let nearest = out * found.depth;
        let mut most = f64::NEG_INFINITY;
        for face in &self.faces[..self.face_count] {
            if !(face.normal.dot(&out) > 0.999 && (face.height - found.depth).abs() < 1e-4 * scale) {
                continue;
            }
            let points = face.corners.map(|c| self.corners[c as usize]);
            let [p, q, r] = points.map(|d| d.w - nearest);
            let areas = [q.cross(&r), r.cross(&p), p.cross(&q)].map(|c| c.dot(&face.normal));
            let sum = areas[0] + areas[1] + areas[2];
            let least = areas[0].min(areas[1]).min(areas[2]) / sum;
            if sum > 0.0 && least > most {
                most = least;
                let inside = areas.map(|a| a.max(0.0));
                let whole = inside[0] + inside[1] + inside[2];
                found.b = (0..3).fold(Vec3::zeros(), |b, k| b + points[k].b * (inside[k] / whole));
            }
        }
    }
}
