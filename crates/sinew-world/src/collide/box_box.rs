//! Two boxes: separating axes, then the faces clipped against each other.
//!
//! The greatest gap of two boxes that overlap is reached at one of 15 directions: the three face normals of each, and the
//! nine products of their edges. With a face normal that box is the **reference**; the face of the other that looks most
//! against it, the **incident** face, is clipped by the sides of the reference face, and what is left within the margin are
//! the points, four of them, spread out (and the lowest, when it is not among them). With two edges the nearest points of the edges are the only point.
//!
//! Boxes that are apart may have their nearest points at corners, where none of the 15 directions is the right one. Then the
//! clipped face misses the lowest corner, its gap is not the greatest one, and the answer is left to the general method.
//!
//! Stacked boxes rock: their best direction then flickers between the normals of two faces and the product of two edges, all
//! of them a hair apart. A face within 8° of the best direction, that of the larger box first, is therefore taken as the
//! reference whenever its lowest point shows the same gap to 2 %; the crossing of two edges is one of the points that
//! clipping finds. The four points then stay the same.
//!
//! Features: 0-7 corner of the larger box `a` on a face of `b`, 8-15 corner of `b` on a face of `a`, `16 + 12·e_a + e_b` two edges. They
//! do not depend on which face is the reference.
//!
//! S. Gottschalk, M. C. Lin, D. Manocha: *OBBTree*, SIGGRAPH (1996), for the axes.

use super::manifold::{Manifold, Touch};
use super::spread::four_of;
use super::vector::{Segment, nearest_of_segments};
use sinew_dynamics::spatial::{Mat3, Placement, Vec3};

/// A face whose normal has at least this cosine (8°) with the best direction may stand for it...
const ALIGNED: f64 = 0.99;
/// ...when its lowest point differs from the best gap by no more than this part of it...
const CLOSE: f64 = 0.02;
/// ...and this part of the size of the boxes.
const CLOSE_SIZE: f64 = 1e-7;
/// Corners this far outside a face, relative to its size, still lie on it: stacked boxes of one size keep their corners.
const FLUSH: f64 = 1e-6;

/// Appends the touches of two boxes, the larger first; `false` when the nearest points are corners and the general method has to find them.
pub(super) fn pair(
    ha: &Vec3,
    at_a: &Placement,
    hb: &Vec3,
    at_b: &Placement,
    margin: f64,
    out: &mut Manifold,
) -> bool {
    // b seen from a
    let m = at_a.rot.tr_mul(&at_b.rot);
    let t = at_a.rot.tr_mul(&(at_b.pos - at_a.pos));
    let size = m.abs();

    // the faces of each
    let (mut face_a, mut gap_a) = (0, f64::NEG_INFINITY);
    let (mut face_b, mut gap_b) = (0, f64::NEG_INFINITY);
    let s = m.tr_mul(&t);
    let (reach_b, reach_a) = (size * hb, size.tr_mul(ha));
    for k in 0..3 {
        let gap = t[k].abs() - ha[k] - reach_b[k];
        if gap > gap_a {
            (face_a, gap_a) = (k, gap);
        }
        let gap = s[k].abs() - hb[k] - reach_a[k];
        if gap > gap_b {
            (face_b, gap_b) = (k, gap);
        }
    }
    // NaN ends here as well
    if !(gap_a <= margin && gap_b <= margin) {
        return true;
    }

    // the nine products of edges
    let (mut edges, mut gap_e) = ((0, 0), f64::NEG_INFINITY);
    let worth = gap_a.max(gap_b);
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let sine = 1.0 - m[(i, j)] * m[(i, j)];
            if sine < 1e-6 {
                continue;
            }
            let along = t[i2] * m[(i1, j)] - t[i1] * m[(i2, j)];
            let reach = ha[i1] * size[(i2, j)]
                + ha[i2] * size[(i1, j)]
                + hb[j1] * size[(i, j2)]
                + hb[j2] * size[(i, j1)];
            // division by the sine only lowers negative gaps, so that most products need no division
            let gap = along.abs() - reach;
            if gap > worth.max(gap_e).min(0.0) {
                let gap = gap / sine.sqrt();
                if gap > gap_e {
                    (edges, gap_e) = ((i, j), gap);
                }
            }
        }
    }
    if gap_e > margin {
        return true;
    }

    // the best direction, in the frame of a
    let best = gap_a.max(gap_b).max(gap_e);
    let normal = if gap_e > gap_a.max(gap_b) {
        let cross = unit(edges.0).cross(&m.column(edges.1));
        cross / cross.norm_squared().sqrt()
    } else if gap_a >= gap_b {
        unit(face_a)
    } else {
        m.column(face_b).into_owned()
    };

    // a face that looks nearly that way is taken instead, that of the larger box first, when it finds the same gap
    let slack = CLOSE * best.abs() + CLOSE_SIZE * ha.amax().max(hb.amax());
    let wanted = [best - slack, best + slack];
    let mut face = |of_a: bool| {
        if of_a {
            let incident = Incident { half: hb, axes: &m, centre: &t };
            clip(ha, at_a, face_a, &incident, wanted, margin, true, out)
        } else {
            let (axes, centre) = (m.transpose(), -s);
            let incident = Incident { half: ha, axes: &axes, centre: &centre };
            clip(hb, at_b, face_b, &incident, wanted, margin, false, out)
        }
    };
    for of_a in [true, false] {
        let facing = if of_a { normal[face_a] } else { m.column(face_b).dot(&normal) };
        if facing.abs() > ALIGNED && face(of_a) {
            return true;
        }
    }
    gap_e > gap_a.max(gap_b) && edge_edge(ha, at_a, hb, &m, &t, edges, gap_e, out)
}

/// The unit vector along an axis.
fn unit(k: usize) -> Vec3 {
    Vec3::from_fn(|i, _| if i == k { 1.0 } else { 0.0 })
}

/// One touch at the nearest points of two edges.
fn edge_edge(
    ha: &Vec3,
    at_a: &Placement,
    hb: &Vec3,
    m: &Mat3,
    t: &Vec3,
    (i, j): (usize, usize),
    gap: f64,
    out: &mut Manifold,
) -> bool {
    // the normal, from a towards b, in the frame of a
    let (along_a, along_b) = (unit(i), m.column(j).into_owned());
    let cross = along_a.cross(&along_b);
    let n = cross * (1.0_f64.copysign(cross.dot(t)) / cross.norm_squared().sqrt());

    // the edges that reach farthest towards each other
    let n_b = m.tr_mul(&n);
    let mut centre_a = ha.zip_map(&n, f64::copysign);
    let mut centre_b = hb.zip_map(&-n_b, f64::copysign);
    (centre_a[i], centre_b[j]) = (0.0, 0.0);
    let edge_a = Segment { centre: centre_a, along: along_a, half: ha[i] };
    let edge_b = Segment { centre: t + m * centre_b, along: along_b, half: hb[j] };
    let (s, r) = nearest_of_segments(&edge_a, &edge_b);
    let (p, q) = (edge_a.at(s), edge_b.at(r));
    // the nearest points of boxes that are apart lie inside the edges, or it is not a matter of these edges
    let clamped = (q - p - n * gap).norm_squared().sqrt() > 1e-9 * ha.amax().max(hb.amax());
    if clamped && gap > 0.0 {
        return false;
    }
    let feature = 16 + 12 * edge_index(i, corner_bits(&centre_a)) + edge_index(j, corner_bits(&centre_b));
    let point = at_a.act(&((p + q) * 0.5));
    out.push(Touch { point, normal: -(at_a.rot * n), distance: gap, feature });
    true
}

/// A box as seen from the reference box.
struct Incident<'a> {
    half: &'a Vec3,
    axes: &'a Mat3,
    centre: &'a Vec3,
}

/// A corner of the polygon that is clipped: where over the reference face, how high, and the edges that meet there.
#[derive(Clone, Copy, Default)]
struct Corner {
    at: [f64; 2],
    height: f64,
    /// Edges that end and begin here: 0-3 of the incident face, 4-7 of the reference face.
    edges: [u8; 2],
}

/// The incident face clipped by the sides of the reference face `k`; `false` when the lowest point that is left is not
/// within the `wanted` heights.
fn clip(
    half: &Vec3,
    at: &Placement,
    k: usize,
    incident: &Incident<'_>,
    wanted: [f64; 2],
    margin: f64,
    reference_a: bool,
    out: &mut Manifold,
) -> bool {
    let (k1, k2) = ((k + 1) % 3, (k + 2) % 3);
    let sign = 1.0_f64.copysign(incident.centre[k]);

    // the face of the other box that looks most against the reference face
    let axes = incident.axes;
    let row = [axes[(k, 0)], axes[(k, 1)], axes[(k, 2)]];
    let l = if row[2].abs() >= row[0].abs() && row[2].abs() >= row[1].abs() {
        2
    } else if row[0].abs() >= row[1].abs() {
        0
    } else {
        1
    };
    let (l1, l2) = ((l + 1) % 3, (l + 2) % 3);
    let side = if sign * row[l] > 0.0 { -1.0 } else { 1.0 };
    let arm = |axis: usize, length: f64| axes.column(axis) * length;
    let middle = incident.centre + arm(l, side * incident.half[l]);
    let (e1, e2) = (arm(l1, incident.half[l1]), arm(l2, incident.half[l2]));

    let mut polygon = Polygon::default();
    for (index, (s1, s2)) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].into_iter().enumerate() {
        let x = middle + e1 * s1 + e2 * s2;
        let edges = [(index as u8 + 3) % 4, index as u8];
        polygon.push(Corner { at: [x[k1], x[k2]], height: sign * x[k] - half[k], edges });
    }
    let flush = FLUSH * (half[k1] + half[k2]);
    polygon.cut(0, 1.0, half[k1], flush, 4);
    polygon.cut(1, 1.0, half[k2], flush, 5);
    polygon.cut(0, -1.0, half[k1], flush, 6);
    polygon.cut(1, -1.0, half[k2], flush, 7);

    // when the lowest corner is not over the face the gap is reached elsewhere
    let corners = &polygon.corners[..polygon.len];
    let lowest = corners.iter().fold(f64::INFINITY, |low, c| low.min(c.height));
    if !(lowest >= wanted[0] && lowest <= wanted[1]) {
        return false;
    }

    polygon.drop_above(margin);
    let corners = &polygon.corners[..polygon.len];
    let chosen = four_of(corners.len(), |c| (corners[c].at, corners[c].height));
    let normal = at.rot.column(k) * if reference_a { -sign } else { sign };
    for c in chosen.into_iter().filter_map(|c| corners.get(c)) {
        let mut x = Vec3::zeros();
        (x[k1], x[k2], x[k]) = (c.at[0], c.at[1], sign * (half[k] + 0.5 * c.height));
        let feature = feature(c.edges, (k, sign > 0.0), (l, side > 0.0), reference_a);
        out.push(Touch { point: at.act(&x), normal, distance: c.height, feature });
    }
    true
}

/// A convex polygon of up to eight corners.
#[derive(Clone, Copy, Default)]
struct Polygon {
    corners: [Corner; 8],
    len: usize,
}

impl Polygon {
    fn push(&mut self, corner: Corner) {
        if self.len < self.corners.len() {
            self.corners[self.len] = corner;
            self.len += 1;
        }
    }

    /// Keeps the corners up to a height.
    fn drop_above(&mut self, height: f64) {
        let mut kept = 0;
        for index in 0..self.len {
            if self.corners[index].height <= height {
                self.corners[kept] = self.corners[index];
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Leaves the part where `sense · at[dim] ≤ limit`; `edge` is the name of the cut.
    #[inline(always)]
    fn cut(&mut self, dim: usize, sense: f64, limit: f64, flush: f64, edge: u8) {
        let over = |c: &Corner| sense * c.at[dim] - limit;
        if !self.corners[..self.len].iter().all(|c| over(c) <= flush) {
            self.cut_off(over, flush, edge);
        }
    }

    /// Leaves the part where `over` is at most 0.
    fn cut_off(&mut self, over: impl Fn(&Corner) -> f64, flush: f64, edge: u8) {
        let mut kept = Polygon::default();
        for index in 0..self.len {
            let (p, q) = (&self.corners[index], &self.corners[(index + 1) % self.len]);
            let (from, to) = (over(p), over(q));
            if from <= flush {
                kept.push(*p);
            }
            // an end that lies on the cut is itself the crossing
            if (from <= flush) != (to <= flush) && from.abs() > flush && to.abs() > flush {
                let r = (from / (from - to)).clamp(0.0, 1.0);
                let mix = |x: f64, y: f64| x + (y - x) * r;
                let edges = if from <= flush { [p.edges[1], edge] } else { [edge, p.edges[1]] };
                let at = [mix(p.at[0], q.at[0]), mix(p.at[1], q.at[1])];
                kept.push(Corner { at, height: mix(p.height, q.height), edges });
            }
        }
        *self = kept;
    }
}

/// The number of an edge along `axis`, 0-11, by the bits of a corner at its end.
fn edge_index(axis: usize, bits: u32) -> u32 {
    4 * axis as u32 + (bits >> ((axis + 1) % 3) & 1) + 2 * (bits >> ((axis + 2) % 3) & 1)
}

/// The bits of a corner, 0-7, set where a coordinate is positive.
fn corner_bits(p: &Vec3) -> u32 {
    u32::from(p.x > 0.0) | u32::from(p.y > 0.0) << 1 | u32::from(p.z > 0.0) << 2
}

/// The feature number of a clipped corner: the edges that meet there, the reference face `k` and the incident face `l`.
fn feature(edges: [u8; 2], (k, k_high): (usize, bool), (l, l_high): (usize, bool), reference_a: bool) -> u32 {
    // the axis of an edge of either face, and the bits of the coordinates that it fixes
    let edge = |e: u8| {
        let (face, high) = if e < 4 { (l, l_high) } else { (k, k_high) };
        let (one, two) = ((face + 1) % 3, (face + 2) % 3);
        let (axis, off, positive) = match e {
            0 => (one, two, true),
            1 => (two, one, false),
            2 => (one, two, false),
            3 => (two, one, true),
            4 => (two, one, true),
            5 => (one, two, true),
            6 => (two, one, false),
            _ => (one, two, false),
        };
        (axis, u32::from(high) << face | u32::from(positive) << off)
    };
    let (first, second) = (edges[0].min(edges[1]), edges[0].max(edges[1]));
    let ((axis_i, i), (axis_r, r)) = (edge(first), edge(second));
    if first < 4 && second >= 4 {
        let (i, r) = (edge_index(axis_i, i), edge_index(axis_r, r));
        return if reference_a { 16 + 12 * r + i } else { 16 + 12 * i + r };
    }
    // two edges of one face meet in a corner, and each fixes what the other leaves free
    let of_incident = first < 4;
    (i | r) + if of_incident == reference_a { 8 } else { 0 }
}
