//! The zero surface of a field as quadrilaterals, by surface nets (Gibson 1998).
//!
//! A vertex in every cell of a grid that the surface crosses, a quadrilateral around every grid edge that it crosses. Vertices are
//! then moved onto the surface along the gradient, which also is the normal. The grid is that of all limbs (its points are whole
//! multiples of the cell), so that the surfaces of two fields that agree somewhere agree there to the bit.
//!
//! Blocks of cells far from the surface are passed over: a field may fall short of the true distance, and must not exceed it by more
//! than the factor [`STRETCH`].

use sinew_dynamics::spatial::Vec3;

/// Cells along the side of a block.
const BLOCK: i32 = 4;
const STRETCH: f64 = 2.5;
/// No index.
const NONE: u32 = u32::MAX;

/// A cell of the grid: its least corner in cells.
pub(super) type Cell = [i32; 3];

/// Vertices and the quadrilaterals between them.
#[derive(Debug, Default)]
pub(super) struct Surface {
    pub(super) cells: Vec<Cell>,
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    /// Counter-clockwise from outside, and the point at which the surface crosses the grid edge inside.
    pub(super) quads: Vec<([u32; 4], Vec3)>,
}

/// The part of the grid that holds a limb, with what is known of the field.
struct Grid<'a, F> {
    field: &'a mut F,
    cell: f64,
    low: Cell,
    size: [usize; 3],
    values: Vec<f64>,
}

impl<F: FnMut(&Vec3) -> f64> Grid<'_, F> {
    fn index(&self, at: Cell) -> usize {
        let [i, j, k] = [0, 1, 2].map(|axis| (at[axis] - self.low[axis]) as usize);
        i + self.size[0] * (j + self.size[1] * k)
    }

    fn point(&self, at: Cell) -> Vec3 {
        Vec3::new(f64::from(at[0]), f64::from(at[1]), f64::from(at[2])) * self.cell
    }

    /// The field at a point of the grid, evaluated once.
    fn value(&mut self, at: Cell) -> f64 {
        let index = self.index(at);
        if self.values[index].is_nan() {
            let point = self.point(at);
            self.values[index] = (self.field)(&point);
        }
        self.values[index]
    }

    /// Where the surface crosses the edge from `at` along an axis, if it does.
    fn crossing(&mut self, at: Cell, axis: usize) -> Option<Vec3> {
        let mut to = at;
        to[axis] += 1;
        let (a, b) = (self.value(at), self.value(to));
        ((a < 0.0) != (b < 0.0)).then(|| self.point(at) + Vec3::ith(axis, self.cell * a / (a - b)))
    }

    /// Mean of the crossings of a cell's edges.
    fn vertex(&mut self, at: Cell) -> Option<Vec3> {
        // most cells have all their corners on one side
        let corner = |c: i32| [at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2)];
        let inside = (0..8).filter(|c| self.value(corner(*c)) < 0.0).count();
        if inside == 0 || inside == 8 {
            return None;
        }
        let (mut sum, mut count) = (Vec3::zeros(), 0.0);
        for axis in 0..3 {
            for side in 0..4 {
                let mut from = at;
                from[(axis + 1) % 3] += side & 1;
                from[(axis + 2) % 3] += side >> 1;
                if let Some(crossing) = self.crossing(from, axis) {
                    (sum, count) = (sum + crossing, count + 1.0);
                }
            }
        }
        Some(sum / count)
    }
}

/// The surface inside a box.
pub(super) fn surface(mut field: impl FnMut(&Vec3) -> f64, [low, high]: [Vec3; 2], cell: f64) -> Surface {
    // three cells of air on all sides; whole blocks
    let low = [0, 1, 2].map(|k| (libm::floor(low[k] / cell) as i32 - 3).div_euclid(BLOCK) * BLOCK);
    let high = [0, 1, 2].map(|k| (libm::ceil(high[k] / cell) as i32 + 3 + BLOCK).div_euclid(BLOCK) * BLOCK);
    let size = [0, 1, 2].map(|k| (high[k] - low[k] + 1) as usize);
    let mut out = Surface::default();
    let mut vertex_of = vec![NONE; size.iter().product()];
    let mut grid = Grid { field: &mut field, cell, low, size, values: vec![f64::NAN; size.iter().product()] };

    let near = 0.5 * f64::from(BLOCK) * cell * 3f64.sqrt() * STRETCH;
    for block in steps(low, high, BLOCK) {
        let middle = block.map(|x| x + BLOCK / 2);
        if grid.value(middle).abs() > near {
            continue;
        }
        for at in steps(block, block.map(|x| x + BLOCK), 1) {
            if let Some(position) = grid.vertex(at) {
                vertex_of[grid.index(at)] = out.positions.len() as u32;
                out.positions.push(position);
                out.cells.push(at);
            }
        }
    }

    // around each crossed edge lie four cells with a vertex each
    for n in 0..out.cells.len() {
        let at = out.cells[n];
        for axis in 0..3 {
            let Some(crossing) = grid.crossing(at, axis) else { continue };
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let around = [[0, 0], [-1, 0], [-1, -1], [0, -1]].map(|[du, dv]| {
                let mut other = at;
                other[u] += du;
                other[v] += dv;
                let inside_grid = other[u] >= low[u] && other[v] >= low[v];
                if inside_grid { vertex_of[grid.index(other)] } else { NONE }
            });
            if around.contains(&NONE) {
                continue;
            }
            let outwards = grid.value(at) < 0.0;
            let [a, b, c, d] = around;
            out.quads.push((if outwards { [a, b, c, d] } else { [a, d, c, b] }, crossing));
        }
    }
    settle(&mut field, &mut out, cell);
    out
}

/// Points of a box in steps, x fastest, the upper faces left out.
fn steps(low: Cell, high: Cell, step: i32) -> impl Iterator<Item = Cell> {
    let along = move |k: usize| (low[k]..high[k]).step_by(step as usize);
    along(2).flat_map(move |z| along(1).flat_map(move |y| along(0).map(move |x| [x, y, z])))
}

/// Moves vertices onto the surface and computes normals.
fn settle(field: &mut impl FnMut(&Vec3) -> f64, out: &mut Surface, cell: f64) {
    let h = 0.15 * cell;
    for p in &mut out.positions {
        let mut normal = Vec3::z();
        for _ in 0..2 {
            let slope = |k: usize, field: &mut dyn FnMut(&Vec3) -> f64| {
                field(&(*p + Vec3::ith(k, h))) - field(&(*p - Vec3::ith(k, h)))
            };
            let rise = Vec3::new(slope(0, field), slope(1, field), slope(2, field)) / (2.0 * h);
            normal = rise.try_normalize(1e-12).unwrap_or(normal);
            // a step of at most half a cell keeps the mesh in order
            *p -= normal * field(p).clamp(-0.5 * cell, 0.5 * cell);
        }
        out.normals.push(normal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// A ball: vertices on it, normals outwards, closed, with the right volume.
    #[test]
    fn a_ball_is_closed_and_round() {
        let (middle, radius, cell) = (Vec3::new(0.31, -0.17, 0.05), 0.5, 0.05);
        let ball = surface(
            |p| (p - middle).norm() - radius,
            [middle.add_scalar(-radius), middle.add_scalar(radius)],
            cell,
        );
        for (p, n) in ball.positions.iter().zip(&ball.normals) {
            let out = (p - middle).normalize();
            assert!(((p - middle).norm() - radius).abs() < 1e-4 && (n - out).norm() < 1e-3);
        }
        // every edge belongs to two quads that pass it in opposite directions
        let mut edges: BTreeMap<[u32; 2], i32> = BTreeMap::new();
        let mut volume = 0.0;
        for (q, _) in &ball.quads {
            for k in 0..4 {
                let (a, b) = (q[k], q[(k + 1) % 4]);
                *edges.entry([a.min(b), a.max(b)]).or_default() += if a < b { 1 } else { -1 };
            }
            for t in [[q[0], q[1], q[2]], [q[0], q[2], q[3]]] {
                let [a, b, c] = t.map(|v| ball.positions[v as usize] - middle);
                volume += a.dot(&b.cross(&c)) / 6.0;
            }
        }
        assert!(edges.values().all(|passes| *passes == 0));
        assert_eq!(ball.positions.len() + ball.quads.len() - edges.len(), 2, "Euler's number of a ball");
        let exact = 4.0 / 3.0 * core::f64::consts::PI * radius * radius * radius;
        assert!((volume / exact - 1.0).abs() < 5e-3, "{volume} {exact}");
    }
}
