//! The flat or straight part of a shape that looks in a direction, and two of them clipped against each other.
//!
//! Two convex shapes in contact with normal `n` touch in a patch when both have a face or an edge (nearly) across `n`. Seen
//! along `n` the patch is the part that the two features share: polygon with polygon, segment with polygon, or two
//! segments along each other. Its corners are the points of contact, each with the gap between the two features there.

use super::spread::four_of;
use super::support::Core;
use super::vector::{axis, into_frame, length, tangents, unit_or};
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::Vec3;

/// Sine of the angle by which a face or edge may be off and still count as lying across the normal.
const ACROSS: f64 = 0.1;
/// How far apart, relative to their length, two edges along each other may lie and still touch.
const BESIDE: f64 = 1e-3;
/// Most corners of a face; round and many-cornered faces are cut down to this.
const CORNERS: usize = 8;
/// Most corners of a patch.
const PATCH: usize = 2 * CORNERS;

/// A face (3 to 8 corners), an edge (2) or a corner (1) of a shape.
pub(super) struct Feature {
    corners: [Vec3; CORNERS],
    names: [u16; CORNERS],
    len: usize,
    /// Normal of a face.
    normal: Vec3,
}

impl Feature {
    fn empty(normal: Vec3) -> Feature {
        Feature { corners: [Vec3::zeros(); CORNERS], names: [0; CORNERS], len: 0, normal }
    }

    fn push(&mut self, corner: Vec3, name: u16) {
        if self.len < CORNERS {
            self.corners[self.len] = corner;
            self.names[self.len] = name;
            self.len += 1;
        }
    }

    /// The feature of a shape that looks along the unit vector `n`, relative to the origin of the core.
    pub(super) fn looking(core: &Core<'_>, n: &Vec3) -> Feature {
        let mut feature = Feature::empty(*n);
        let (at, d) = (core.at, into_frame(core.at, n));
        match core.shape {
            Shape::Capsule { half, radius } if d.z.abs() < ACROSS => {
                let arm = axis(at, 2) * *half;
                let on = core.centre + n * *radius;
                feature.push(on - arm, 0);
                feature.push(on + arm, 1);
            }
            Shape::Cylinder { radius, half } if d.z.abs() < ACROSS => {
                let across = Vec3::new(d.x, d.y, 0.0) * (radius / (d.x * d.x + d.y * d.y).sqrt());
                for (name, z) in [-*half, *half].into_iter().enumerate() {
                    feature.push(core.centre + at.rot * (across + Vec3::new(0.0, 0.0, z)), name as u16);
                }
            }
            Shape::Cylinder { radius, half } if 1.0 - d.z * d.z < ACROSS * ACROSS => {
                feature.normal = axis(at, 2) * 1.0_f64.copysign(d.z);
                const S: f64 = core::f64::consts::FRAC_1_SQRT_2;
                let rim =
                    [(1.0, 0.0), (S, S), (0.0, 1.0), (-S, S), (-1.0, 0.0), (-S, -S), (0.0, -1.0), (S, -S)];
                for (name, (x, y)) in rim.into_iter().enumerate() {
                    let corner = Vec3::new(radius * x, radius * y, half.copysign(d.z));
                    feature.push(core.centre + at.rot * corner, name as u16);
                }
            }
            Shape::Box { half } => feature.look_at_box(core, half, &d),
            Shape::Mesh { vertices, .. } => feature.look_at_mesh(core, vertices, &d),
            _ => feature.push(core.support(n) + n * core.radius, 0),
        }
        feature
    }

    fn look_at_box(&mut self, core: &Core<'_>, half: &Vec3, d: &Vec3) {
        let corner = |p: &Vec3| core.centre + core.at.rot * p;
        let name = |p: &Vec3| (0..3).map(|k| u16::from(p[k] > 0.0) << k).sum::<u16>();
        let (k, low) = (d.iamax(), d.iamin());
        let mut p = half.zip_map(d, f64::copysign);
        if 1.0 - d[k] * d[k] < ACROSS * ACROSS {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            self.normal = axis(core.at, k) * 1.0_f64.copysign(d[k]);
            for (s, t) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
                (p[i], p[j]) = (s * half[i], t * half[j]);
                self.push(corner(&p), name(&p));
            }
        } else if d[low].abs() < ACROSS {
            for s in [-1.0, 1.0] {
                p[low] = s * half[low];
                self.push(corner(&p), name(&p));
            }
        } else {
            self.push(corner(&p), name(&p));
        }
    }

    /// A face of a mesh by wrapping: the plane across `d` through the highest corner is turned, first to the corner that it
    /// meets at the least slope, then about that edge to the next.
    fn look_at_mesh(&mut self, core: &Core<'_>, vertices: &[Vec3], d: &Vec3) {
        let place = |v: &Vec3| core.centre + core.at.rot * v;
        let top = core.shape.support(d);
        let size = core.size();
        // the least slope under the plane with normal `up`, as seen across it
        let gentlest = |up: &Vec3, across: &dyn Fn(&Vec3) -> f64| {
            let mut best: Option<(f64, usize)> = None;
            for (index, v) in vertices.iter().enumerate() {
                let off = v - top;
                let run = across(&off);
                let slope = -up.dot(&off) / run;
                if run > 1e-6 * size && best.is_none_or(|(least, _)| slope < least) {
                    best = Some((slope, index));
                }
            }
            best.filter(|(slope, _)| *slope < ACROSS)
        };
        let run = |off: &Vec3| length(&(off - d * d.dot(off)));
        let Some((_, second)) = gentlest(d, &run) else {
            let index = vertices.iter().position(|v| *v == top).unwrap_or(0);
            return self.push(place(&top), (index & 0x3fff) as u16);
        };
        let edge = unit_or(&(vertices[second] - top), d);
        let up = unit_or(&(d - edge * edge.dot(d)), d);
        let side = up.cross(&edge);
        let Some((slope, third)) = gentlest(&up, &|off| side.dot(off).abs()) else {
            let index = vertices.iter().position(|v| *v == top).unwrap_or(0);
            self.push(place(&top), (index & 0x3fff) as u16);
            return self.push(place(&vertices[second]), (second & 0x3fff) as u16);
        };

        // all corners in the plane of the face, those farthest in eight directions, in the order of their angles
        let turn = side.dot(&(vertices[third] - top)).signum() * slope;
        let normal = unit_or(&(up + side * turn), d);
        self.normal = core.at.rot * normal;
        let (s, t) = tangents(&normal);
        let mut chosen = [usize::MAX; CORNERS];
        let mut reach = [f64::NEG_INFINITY; CORNERS];
        for (index, v) in vertices.iter().enumerate() {
            let off = v - top;
            if normal.dot(&off) < -1e-9 * size {
                continue;
            }
            let (x, y) = (s.dot(&off), t.dot(&off));
            let (c, e) = (0.8 * x + 0.6 * y, 0.8 * y - 0.6 * x);
            for (slot, far) in [c, c + e, e, e - c, -c, -c - e, -e, c - e].into_iter().enumerate() {
                if far > reach[slot] {
                    (reach[slot], chosen[slot]) = (far, index);
                }
            }
        }
        for slot in 0..CORNERS {
            let index = chosen[slot];
            if index != usize::MAX && !chosen[..slot].contains(&index) {
                self.push(place(&vertices[index]), (index & 0x3fff) as u16);
            }
        }
    }

    /// How far above `x`, along `n`, the feature lies.
    fn height_above(&self, x: &Vec3, n: &Vec3) -> f64 {
        let first = self.corners[0];
        if self.len > 2 {
            return self.normal.dot(&(first - x)) / self.normal.dot(n);
        }
        // an edge, at the place nearest to x seen along n
        let along = self.corners[1] - first;
        let flat = along - n * n.dot(&along);
        let square = flat.norm_squared();
        let r = if square > 0.0 { (flat.dot(&(x - first)) / square).clamp(0.0, 1.0) } else { 0.0 };
        n.dot(&(first + along * r - x))
    }
}

/// A corner of a patch.
#[derive(Clone, Copy)]
pub(super) struct PatchPoint {
    /// Position on the feature of `b`.
    pub(super) on_b: Vec3,
    /// Gap along the normal.
    pub(super) gap: f64,
    /// Which edges cross there.
    pub(super) name: u32,
    at: [f64; 2],
}

/// The corners of the patch that two features share.
pub(super) struct Patch {
    pub(super) points: [PatchPoint; 5],
    pub(super) len: usize,
}

/// A corner of a polygon in the plane across the normal, with the names of the edges that end and begin there.
#[derive(Clone, Copy, Default)]
struct Corner {
    at: [f64; 2],
    edges: [u16; 2],
}

/// Marks the edges of the second feature.
const OF_B: u16 = 0x4000;

/// The patch of two features with the normal `n` from `b` to `a`: a few points with gaps up to `margin`.
pub(super) fn patch(a: &Feature, b: &Feature, n: &Vec3, margin: f64) -> Patch {
    let zero = PatchPoint { on_b: Vec3::zeros(), gap: 0.0, name: 0, at: [0.0; 2] };
    let mut patch = Patch { points: [zero; 5], len: 0 };
    if a.len < 2 || b.len < 2 {
        return patch;
    }
    let (s, t) = tangents(n);
    let flat = |p: &Vec3| [s.dot(p), t.dot(p)];
    let mut corners = [Corner::default(); PATCH];
    let len = match (a.len > 2, b.len > 2) {
        (_, true) => {
            let begun = outline(a, 0, &flat, &mut corners);
            clip(corners, begun, b, OF_B, &flat, &mut corners)
        }
        (true, false) => {
            let begun = outline(b, OF_B, &flat, &mut corners);
            clip(corners, begun, a, 0, &flat, &mut corners)
        }
        (false, false) => overlap(a, b, &flat, &mut corners),
    };

    // lift the corners onto both features
    let mut found = [zero; PATCH];
    let mut count = 0;
    for corner in &corners[..len] {
        let x = s * corner.at[0] + t * corner.at[1];
        let on_b = x + n * b.height_above(&x, n);
        let gap = a.height_above(&on_b, n);
        if gap <= margin {
            let name = u32::from(corner.edges[0]) << 16 | u32::from(corner.edges[1]);
            found[count] = PatchPoint { on_b, gap, name, at: corner.at };
            count += 1;
        }
    }
    let found = &found[..count];
    for point in four_of(count, |k| (found[k].at, found[k].gap)).into_iter().filter_map(|k| found.get(k)) {
        patch.points[patch.len] = *point;
        patch.len += 1;
    }
    patch
}

/// The corners of a feature in the plane; an edge has two.
fn outline(
    feature: &Feature,
    mark: u16,
    flat: &impl Fn(&Vec3) -> [f64; 2],
    out: &mut [Corner; PATCH],
) -> usize {
    for k in 0..feature.len {
        let before = feature.names[(k + feature.len - 1) % feature.len];
        out[k] = Corner { at: flat(&feature.corners[k]), edges: [mark | before, mark | feature.names[k]] };
    }
    feature.len
}

/// The part of a polygon or segment inside a face.
fn clip(
    mut corners: [Corner; PATCH],
    mut len: usize,
    by: &Feature,
    mark: u16,
    flat: &impl Fn(&Vec3) -> [f64; 2],
    out: &mut [Corner; PATCH],
) -> usize {
    let mut sides = [Corner::default(); PATCH];
    outline(by, mark, flat, &mut sides);
    let turn = |p: &[f64; 2], q: &[f64; 2], r: &[f64; 2]| {
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    };
    let area: f64 = (1..by.len - 1).map(|k| turn(&sides[0].at, &sides[k].at, &sides[k + 1].at)).sum();
    let sense = 1.0_f64.copysign(area);
    for k in 0..by.len {
        let (p, q) = (sides[k].at, sides[(k + 1) % by.len].at);
        let name = sides[k].edges[1];
        let span = ((q[0] - p[0]).powi(2) + (q[1] - p[1]).powi(2)).sqrt();
        if !(span > 0.0) {
            continue;
        }
        // a hair of tolerance: flush sides count as inside
        let inside = |c: &Corner| sense * turn(&p, &q, &c.at) / span;
        let hair = -1e-9 * span;
        let mut kept = [Corner::default(); PATCH];
        let mut kept_len = 0;
        let mut keep = |c: Corner| {
            if kept_len < PATCH {
                kept[kept_len] = c;
                kept_len += 1;
            }
        };
        // a segment is walked once, a polygon around
        let walks = if len == 2 { 1 } else { len };
        for index in 0..walks {
            let (from, to) = (&corners[index], &corners[(index + 1) % len]);
            let (f, g) = (inside(from), inside(to));
            if f >= hair {
                keep(*from);
            }
            if (f >= hair) != (g >= hair) {
                let r = (f / (f - g)).clamp(0.0, 1.0);
                let at = [from.at[0] + (to.at[0] - from.at[0]) * r, from.at[1] + (to.at[1] - from.at[1]) * r];
                let along = from.edges[1];
                keep(Corner { at, edges: if f >= hair { [along, name] } else { [name, along] } });
            }
            if len == 2 && g >= hair {
                keep(*to);
            }
        }
        (corners, len) = (kept, kept_len);
        if len == 0 {
            break;
        }
    }
    *out = corners;
    len
}

/// The ends of the stretch that two edges share, when they lie along each other.
fn overlap(a: &Feature, b: &Feature, flat: &impl Fn(&Vec3) -> [f64; 2], out: &mut [Corner; PATCH]) -> usize {
    let [a0, a1, b0, b1] = [&a.corners[0], &a.corners[1], &b.corners[0], &b.corners[1]].map(flat);
    let (u, v) = ([a1[0] - a0[0], a1[1] - a0[1]], [b1[0] - b0[0], b1[1] - b0[1]]);
    let (uu, vv) = (u[0] * u[0] + u[1] * u[1], v[0] * v[0] + v[1] * v[1]);
    let cross = u[0] * v[1] - u[1] * v[0];
    if !(cross * cross < ACROSS * ACROSS * uu * vv) {
        return 0;
    }
    let along = |p: [f64; 2]| ((p[0] - a0[0]) * u[0] + (p[1] - a0[1]) * u[1]) / uu;
    let (s, t) = (along(b0), along(b1));
    let (low, high) = (s.min(t).max(0.0), s.max(t).min(1.0));
    if !(low < high) {
        return 0;
    }
    // an end is named by the shape whose edge ends there; where the edges are too far apart, seen along the normal, they do
    // not touch
    let name = |r: f64, own: u16| if r == 0.0 || r == 1.0 { own } else { OF_B | own };
    let mut len = 0;
    for (own, r) in [low, high].into_iter().enumerate() {
        let at = [a0[0] + u[0] * r, a0[1] + u[1] * r];
        let beside = v[0] * (at[1] - b0[1]) - v[1] * (at[0] - b0[0]);
        if beside * beside <= BESIDE * BESIDE * vv * uu.min(vv) {
            out[len] = Corner { at, edges: [name(r, own as u16); 2] };
            len += 1;
        }
    }
    len
}
