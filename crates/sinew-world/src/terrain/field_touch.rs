//! Shapes against a heightfield: faces, ridges and peaks of the surface, each with the normals that it really has.
//!
//! Collision with single triangles gives false contacts: the side of a triangle that is level with the next one would stop a
//! sliding foot. Here a contact has to belong to a feature of the *surface*:
//!
//! * **faces**: points of the shape (corners of a box, ends of a capsule, the support point of round shapes) against the
//!   plane of the triangle under them; the normal is the triangle's;
//! * **ridges**: edges where the surface bends down, as segments against the shape; the normal must lie between those of the
//!   two triangles;
//! * **peaks**: corners higher than their neighbours, as points against the shape; the normal must point away from all six
//!   edges.
//!
//! Level and hollow edges never give a contact of their own. The surface is the top of a solid: what is below is pushed up.
//!
//! Cost: linear in the number of cells under the shape.

use super::heightfield::Heightfield;
use crate::collide::{Bounds, Manifold, Touch, lowest, tangents, touch, touch_plane};
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Mat3, Placement, Vec3};

/// How far outside its triangle, in cells, a point still counts: wider than what ridges that are nearly level leave open.
const BORDER: f64 = 1e-4;
/// Least bend of a ridge or peak, as a difference of slopes.
const BEND: f64 = 1e-6;
/// How far, as a sine, the normal of a ridge may be off the range between its triangles.
const OFF: f64 = 0.01;
/// How far, as a sine, the normal of a ridge may lean along it.
const LEAN: f64 = 0.1;
/// Feature numbers of ridges and peaks begin here.
const RIDGES: u32 = 1 << 28;
const PEAKS: u32 = 1 << 29;

/// Hands the touches of a shape with the surface to `emit`; `bounds` are those of the shape grown by the margin.
pub(super) fn touch_field(
    field: &Heightfield,
    shape: &Shape,
    at: &Placement,
    bounds: &Bounds,
    margin: f64,
    emit: &mut impl FnMut(Touch),
) {
    // a plane, or a shape with NaN, covers no cells
    let finite = (bounds.high - bounds.low).iter().all(|x| x.is_finite() && *x >= 0.0);
    if !finite {
        return;
    }
    let place = Query { field, shape, at, bounds, margin };
    if place.highest() < bounds.low.z {
        return;
    }
    match shape {
        Shape::Box { half } => {
            for corner in 0..8_u32 {
                let side = |k: usize| if corner >> k & 1 == 1 { half[k] } else { -half[k] };
                place.corner(&at.act(&Vec3::new(side(0), side(1), side(2))), corner, emit);
            }
        }
        Shape::Mesh { vertices, .. } => {
            for (index, v) in vertices.iter().enumerate() {
                place.corner(&at.act(v), index as u32, emit);
            }
        }
        _ => place.faces(emit),
    }
    place.ridges_and_peaks(emit);
}

struct Query<'a> {
    field: &'a Heightfield,
    shape: &'a Shape,
    at: &'a Placement,
    bounds: &'a Bounds,
    margin: f64,
}

impl Query<'_> {
    /// The columns and rows of cells under the shape.
    fn cells(&self) -> ([isize; 2], [isize; 2]) {
        let range = |dim: usize| {
            [self.field.cell(dim, self.bounds.low[dim]), self.field.cell(dim, self.bounds.high[dim])]
        };
        (range(0), range(1))
    }

    /// The highest sample around the shape.
    fn highest(&self) -> f64 {
        let ([i0, i1], [j0, j1]) = self.cells();
        let mut highest = f64::NEG_INFINITY;
        for j in j0..=j1 + 1 {
            for i in i0..=i1 + 1 {
                highest = highest.max(self.field.node(i, j).z);
            }
        }
        highest
    }

    /// A corner of the shape against the triangle under it.
    fn corner(&self, p: &Vec3, feature: u32, emit: &mut impl FnMut(Touch)) {
        let facet = self.field.facet_at(p.x, p.y);
        let above = p.z - facet.height(p.x, p.y);
        let normal = facet.normal();
        let distance = above * normal.z;
        if distance <= self.margin {
            emit(Touch { point: p - normal * (0.5 * distance), normal, distance, feature });
        }
    }

    /// Round shapes against the plane of every triangle under them, where the point of contact lies in the triangle.
    fn faces(&self, emit: &mut impl FnMut(Touch)) {
        let field = self.field;
        let ([i0, i1], [j0, j1]) = self.cells();
        let mut found = Manifold::new();
        let mut any = false;
        for (i, j) in (j0..=j1).flat_map(|j| (i0..=i1).map(move |i| (i, j))) {
            // cells outside the grid are flat: one plane
            let inside = i >= 0 && j >= 0 && i + 1 < field.columns as isize && j + 1 < field.rows as isize;
            let highest = field.node(i, j).z.max(field.node(i + 1, j).z);
            if highest.max(field.node(i, j + 1).z).max(field.node(i + 1, j + 1).z) < self.bounds.low.z {
                continue;
            }
            for above in if inside { &[false, true][..] } else { &[false][..] } {
                let facet = field.facet(i, j, *above);
                let normal = facet.normal();
                found.clear();
                touch_plane(self.shape, self.at, &normal, normal.dot(&facet.at), self.margin, &mut found);
                for t in found.iter() {
                    let on = t.point - normal * (0.5 * t.distance);
                    if self.holds(i, j, inside.then_some(*above), &on) {
                        any = true;
                        emit(*t);
                    }
                }
            }
        }
        // deep inside a hill the perpendicular may meet no triangle: the one above the centre takes over
        let centre = &self.at.pos;
        if !any && centre.z < field.height(centre.x, centre.y) {
            let facet = field.facet_at(centre.x, centre.y);
            let normal = facet.normal();
            found.clear();
            touch_plane(self.shape, self.at, &normal, normal.dot(&facet.at), self.margin, &mut found);
            found.iter().for_each(|t| emit(*t));
        }
    }

    /// Whether a point of the plane lies in the triangle (or the cell outside the grid).
    fn holds(&self, i: isize, j: isize, above: Option<bool>, p: &Vec3) -> bool {
        let field = self.field;
        let fx = (p.x - field.origin[0]) / field.spacing[0] - i as f64;
        let fy = (p.y - field.origin[1]) / field.spacing[1] - j as f64;
        match above {
            Some(true) => fx >= -BORDER && fy <= 1.0 + BORDER && fy >= fx - BORDER,
            Some(false) => fy >= -BORDER && fx <= 1.0 + BORDER && fx >= fy - BORDER,
            None => {
                let within = |f: f64, k: isize, count: usize| {
                    (k < 0 || f >= -BORDER) && (k + 1 >= count as isize || f <= 1.0 + BORDER)
                };
                within(fx, i, field.columns) && within(fy, j, field.rows)
            }
        }
    }

    fn ridges_and_peaks(&self, emit: &mut impl FnMut(Touch)) {
        let field = self.field;
        let [dx, dy] = field.spacing;
        let (columns, rows) = (field.columns as isize, field.rows as isize);
        let ([i0, i1], [j0, j1]) = self.cells();
        let z = |i: isize, j: isize| field.node(i, j).z;
        let low = self.bounds.low.z;
        for j in j0..=(j1 + 1).min(rows - 1) {
            for i in i0..=(i1 + 1).min(columns - 1) {
                // the corners of the cell
                let [z00, z10, z01, z11] = [z(i, j), z(i + 1, j), z(i, j + 1), z(i + 1, j + 1)];
                if z00.max(z10).max(z01).max(z11) < low {
                    continue;
                }
                let here = field.node(i, j);
                let number = ((j + 1) * (columns + 1) + i + 1) as u32;
                // along x, with the slopes of the cells below and above
                if j >= 0 {
                    let slopes = [(z00 - z(i, j - 1)) / dy, (z11 - z10) / dy];
                    self.ridge([here, field.node(i + 1, j)], slopes, [0.0, 1.0], number * 3, emit);
                }
                // along y, with the slopes of the cells left and right
                if i >= 0 {
                    let slopes = [(z00 - z(i - 1, j)) / dx, (z11 - z01) / dx];
                    self.ridge([here, field.node(i, j + 1)], slopes, [1.0, 0.0], number * 3 + 1, emit);
                }
                if i >= 0 && j >= 0 {
                    self.peak(i, j, number, emit);
                }
                // the diagonal, with the slopes of its own cell
                if i >= 0 && j >= 0 && i + 1 < columns && j + 1 < rows && z01 + z10 < z00 + z11 {
                    let size = (dx * dx + dy * dy).sqrt();
                    let across = [-dy / size, dx / size];
                    let slope = |gx: f64, gy: f64| gx / dx * across[0] + gy / dy * across[1];
                    let slopes = [slope(z10 - z00, z11 - z10), slope(z11 - z01, z01 - z00)];
                    self.ridge([here, field.node(i + 1, j + 1)], slopes, across, number * 3 + 2, emit);
                }
            }
        }
    }

    /// An edge between two triangles, the second in direction `across`, with their slopes in that direction.
    fn ridge(
        &self,
        [mut p, mut q]: [Vec3; 2],
        slopes: [f64; 2],
        across: [f64; 2],
        number: u32,
        emit: &mut impl FnMut(Touch),
    ) {
        if !(slopes[0] - slopes[1] > BEND && p.z.max(q.z) >= self.bounds.low.z) {
            return;
        }
        // edges outside the grid go on as far as the shape does
        self.stretch(&mut p, &mut q);
        let (low, high) = (p.inf(&q), p.sup(&q));
        if !self.bounds.meets(&Bounds { low, high }) {
            return;
        }
        // a plane through the edge, between the two triangles, may already separate
        let middle = 0.5 * (slopes[0] + slopes[1]);
        let between = Vec3::new(-middle * across[0], -middle * across[1], 1.0);
        let along = q - p;
        let square = along.norm_squared();
        let upright = between - along * (between.dot(&along) / square);
        let upright = upright / upright.norm_squared().sqrt();
        if lowest(self.shape, self.at, &upright) - upright.dot(&p) > self.margin {
            return;
        }

        let length = square.sqrt();
        let along = along / length;
        let (s, t) = tangents(&along);
        let at = Placement { rot: Mat3::from_columns(&[s, t, along]), pos: (p + q) * 0.5 };
        let segment = Shape::Capsule { radius: 0.0, half: 0.5 * length };
        let mut found = Manifold::new();
        touch(self.shape, self.at, &segment, &at, self.margin, &mut found);

        // directions from the edge into the two triangles
        let into =
            [Vec3::new(-across[0], -across[1], -slopes[0]), Vec3::new(across[0], across[1], slopes[1])];
        for t in found.iter() {
            let outside = into.iter().all(|d| t.normal.dot(d) <= OFF * d.norm_squared().sqrt());
            if outside && t.normal.dot(&along).abs() <= LEAN {
                emit(Touch { feature: RIDGES + number * 4 + (t.feature & 3), ..*t });
            }
        }
    }

    /// Moves the ends of an edge outside the grid to the bounds of the shape.
    fn stretch(&self, p: &mut Vec3, q: &mut Vec3) {
        let counts = [self.field.columns, self.field.rows];
        for dim in 0..2 {
            let first = self.field.origin[dim];
            let last = first + self.field.spacing[dim] * (counts[dim] as f64 - 1.0);
            for end in [&mut *p, &mut *q] {
                if end[dim] < first - 0.5 * self.field.spacing[dim] {
                    end[dim] = self.bounds.low[dim].min(first);
                } else if end[dim] > last + 0.5 * self.field.spacing[dim] {
                    end[dim] = self.bounds.high[dim].max(last);
                }
            }
        }
    }

    /// A corner of the surface that is higher than its six neighbours.
    fn peak(&self, i: isize, j: isize, number: u32, emit: &mut impl FnMut(Touch)) {
        let top = self.field.node(i, j);
        if !self.bounds.meets(&Bounds { low: top, high: top }) {
            return;
        }
        let around = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)];
        let near = around.map(|(di, dj)| self.field.node(i + di, j + dj) - top);
        if (0..3).any(|k| !(-near[2 * k].z - near[2 * k + 1].z > BEND * near[2 * k].norm())) {
            return;
        }
        let mut found = Manifold::new();
        let at = Placement { pos: top, ..Placement::identity() };
        touch(self.shape, self.at, &Shape::Sphere { radius: 0.0 }, &at, self.margin, &mut found);
        for t in found.iter() {
            if near.iter().all(|e| t.normal.dot(e) < -BEND * e.norm()) {
                emit(Touch { feature: PEAKS + number, ..*t });
            }
        }
    }
}
