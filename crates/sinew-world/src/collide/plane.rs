//! Every shape against a half-space `n·x ≤ offset`.
//!
//! The distance is that of the support point in direction `−n`. Shapes with flat or straight parts give several points:
//!
//! | shape | points | features |
//! | --- | --- | --- |
//! | sphere, ellipsoid | support point | 0 |
//! | capsule | both ends | 0, 1 |
//! | box | four corners of the face that looks most towards the plane | 0-7: corner, bit `k` set on the positive side of axis `k` |
//! | cylinder | four points fixed to the rim of the lower cap, the lowest point of the rim, its twin on the other cap | 0-3, 4, 5 |
//! | mesh | lowest corner, and the near corners that reach farthest in four directions of the mesh | index of the corner |
//!
//! The choice depends on the directions of the body, not on depths that change sign while it rocks, so that a resting
//! shape keeps its points. When a box has sunk so far that a corner of another face lies lower than the highest of the
//! four, that corner takes its place.

use super::manifold::Manifold;
use super::vector::{axis, into_frame, length};
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Placement, Vec3};

/// Appends the touches of a shape with the half-space below the plane `normal·x = offset`.
#[inline]
pub(crate) fn touch_plane(
    shape: &Shape,
    at: &Placement,
    normal: &Vec3,
    offset: f64,
    margin: f64,
    out: &mut Manifold,
) {
    let height = normal.dot(&at.pos) - offset;
    let mut add = |p: Vec3, d: f64, feature: u32| out.add(p - normal * d, normal, d, margin, feature);
    match shape {
        Shape::Plane { .. } => {}
        Shape::Sphere { radius } => add(at.pos - normal * *radius, height - radius, 0),
        Shape::Capsule { radius, half } => {
            let along = axis(at, 2) * *half;
            let (rise, p) = (normal.dot(&along), at.pos - normal * *radius);
            add(p + along, height - radius + rise, 0);
            if *half > 0.0 {
                add(p - along, height - radius - rise, 1);
            }
        }
        Shape::Box { half } => corners(half, at, normal, height, margin, add),
        Shape::Ellipsoid { half } => {
            let stretched = into_frame(at, normal).component_mul(half);
            let reach = length(&stretched);
            let p = if reach > 0.0 { at.rot * stretched.component_mul(half) / reach } else { Vec3::zeros() };
            add(at.pos - p, height - reach, 0);
        }
        Shape::Cylinder { radius, half } => rims(*radius, *half, at, normal, height, add),
        Shape::Mesh { vertices, .. } => vertex_extremes(vertices, at, normal, height, margin, add),
    }
}

/// The least `normal·x` over a shape.
pub(crate) fn lowest(shape: &Shape, at: &Placement, normal: &Vec3) -> f64 {
    let height = normal.dot(&at.pos);
    let n = into_frame(at, normal);
    height
        - match shape {
            Shape::Plane { .. } => f64::INFINITY,
            Shape::Sphere { radius } => *radius,
            Shape::Capsule { radius, half } => radius + half * n.z.abs(),
            Shape::Box { half } => n.abs().dot(half),
            Shape::Ellipsoid { half } => length(&n.component_mul(half)),
            Shape::Cylinder { radius, half } => radius * (n.x * n.x + n.y * n.y).sqrt() + half * n.z.abs(),
            Shape::Mesh { vertices, .. } => -vertices.iter().fold(f64::INFINITY, |low, v| n.dot(v).min(low)),
        }
}

/// Four corners of a box.
#[inline(always)]
fn corners(
    half: &Vec3,
    at: &Placement,
    normal: &Vec3,
    height: f64,
    margin: f64,
    mut add: impl FnMut(Vec3, f64, u32),
) {
    let axes = [axis(at, 0), axis(at, 1), axis(at, 2)];
    let facing = [normal.dot(&axes[0]), normal.dot(&axes[1]), normal.dot(&axes[2])];
    let rise = [facing[0] * half.x, facing[1] * half.y, facing[2] * half.z];
    if !(height - rise[0].abs() - rise[1].abs() - rise[2].abs() <= margin) {
        return;
    }

    // k: the axis of the lowest face; i, j: those along it
    let size = [facing[0].abs(), facing[1].abs(), facing[2].abs()];
    let k = if size[2] >= size[0] && size[2] >= size[1] {
        2
    } else if size[0] >= size[1] {
        0
    } else {
        1
    };
    let (i, j) = ([1, 2, 0][k], [2, 0, 1][k]);
    let sign_k = if facing[k] > 0.0 { -1.0 } else { 1.0 };
    let (arm_i, arm_j, arm_k) = (axes[i] * half[i], axes[j] * half[j], axes[k] * (sign_k * half[k]));
    let bit_k = if sign_k > 0.0 { 1 << k } else { 0 };
    let centre = at.pos + arm_k;
    let level = height + sign_k * rise[k];

    // the highest of the four gives way to the lowest of the other four when the box has sunk that far
    let slope = rise[i].abs() + rise[j].abs();
    let sunk = slope > rise[k].abs();
    for (s, t) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
        let d = level + s * rise[i] + t * rise[j];
        let bits = if s > 0.0 { 1 << i } else { 0 } | if t > 0.0 { 1 << j } else { 0 };
        if sunk && s * rise[i] >= 0.0 && t * rise[j] >= 0.0 {
            // the corner across the box: all three signs turned
            let p = at.pos - arm_k - arm_i * s - arm_j * t;
            add(p, height - sign_k * rise[k] - s * rise[i] - t * rise[j], 7 ^ (bits | bit_k));
        } else {
            add(centre + arm_i * s + arm_j * t, d, bits | bit_k);
        }
    }
}

/// Points of the rims of a cylinder.
fn rims(
    radius: f64,
    half: f64,
    at: &Placement,
    normal: &Vec3,
    height: f64,
    mut add: impl FnMut(Vec3, f64, u32),
) {
    let (x, y, z) = (axis(at, 0), axis(at, 1), axis(at, 2));
    let (nx, ny, nz) = (normal.dot(&x), normal.dot(&y), normal.dot(&z));
    let down = if nz > 0.0 { -half } else { half };
    let (cap, level) = (at.pos + z * down, height + nz * down);

    // four points that turn with the cylinder
    let mut lowest = 0.0_f64;
    for (feature, (s, t)) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].into_iter().enumerate() {
        let rise = radius * (s * nx + t * ny);
        lowest = lowest.min(rise);
        add(cap + (x * s + y * t) * radius, level + rise, feature as u32);
    }

    // the lowest point of the rim, unless it is one of the four, and the other end of the line through it
    let tilt = (nx * nx + ny * ny).sqrt();
    if tilt > 1e-12 {
        let rim = (x * nx + y * ny) * (-radius / tilt);
        let rise = -radius * tilt;
        if rise < lowest - 1e-9 * radius {
            add(cap + rim, level + rise, 4);
        }
        if half > 0.0 {
            add(cap + rim - z * (2.0 * down), level + rise - 2.0 * nz * down, 5);
        }
    }
}

/// The lowest corner of a mesh, and the extreme ones among those within the margin.
fn vertex_extremes(
    vertices: &[Vec3],
    at: &Placement,
    normal: &Vec3,
    height: f64,
    margin: f64,
    mut add: impl FnMut(Vec3, f64, u32),
) {
    let n = into_frame(at, normal);
    // two directions of the mesh across the normal, from the two axes least along it
    let k = n.iamax();
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let mut least = f64::INFINITY;
    let mut chosen = [usize::MAX; 5];
    let mut reach = [f64::NEG_INFINITY; 4];
    for (index, v) in vertices.iter().enumerate() {
        let d = height + n.dot(v);
        if !(d <= margin) {
            continue;
        }
        if d < least {
            (least, chosen[4]) = (d, index);
        }
        // directions off the diagonals: few meshes have two corners that tie in them
        let along = [0.8 * v[i] + 0.6 * v[j], 0.8 * v[j] - 0.6 * v[i]];
        for (slot, far) in [along[0], along[1], -along[0], -along[1]].into_iter().enumerate() {
            if far > reach[slot] {
                (reach[slot], chosen[slot]) = (far, index);
            }
        }
    }
    for slot in 0..5 {
        let index = chosen[slot];
        if index != usize::MAX && !chosen[..slot].contains(&index) {
            let v = &vertices[index];
            add(at.act(v), height + n.dot(v), index as u32);
        }
    }
}
