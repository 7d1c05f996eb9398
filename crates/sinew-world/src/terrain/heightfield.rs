//! Heights on a regular grid: a surface of triangles that continues without end, level across the border.
//!
//! Sample `(i, j)` stands at `origin + (i·dx, j·dy)`. Each cell is two triangles that meet in the diagonal from its first to
//! its last corner, so that height and normal follow from four samples:
//!
//! ```text
//! z = z00 + gx·(x − xi) + gy·(y − yj)      below the diagonal gx = (z10 − z00)/dx, gy = (z11 − z10)/dy
//!                                          above it           gx = (z11 − z01)/dx, gy = (z01 − z00)/dy
//! ```
//!
//! Outside the grid the nearest sample of the border counts: cells there are as wide as the world, and slope only along
//! the border.

use super::error::TerrainError;
use super::solid::Top;
use sinew_dynamics::spatial::Vec3;

/// Heights on a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightfield {
    /// Place of the first sample, m.
    pub origin: [f64; 2],
    /// Distance between samples along x and y, m.
    pub spacing: [f64; 2],
    /// Number of samples along x.
    pub columns: usize,
    /// Number of samples along y.
    pub rows: usize,
    /// Heights, m, row by row: sample `(i, j)` is at `j·columns + i`.
    pub heights: Vec<f64>,
}

/// A triangle's plane: `z = at.z + slope·((x, y) − at)`.
#[derive(Clone, Copy)]
pub(super) struct Facet {
    pub(super) at: Vec3,
    pub(super) slope: [f64; 2],
}

impl Facet {
    /// Upward unit normal.
    #[inline]
    pub(super) fn normal(&self) -> Vec3 {
        let n = Vec3::new(-self.slope[0], -self.slope[1], 1.0);
        n / n.norm_squared().sqrt()
    }

    #[inline]
    pub(super) fn height(&self, x: f64, y: f64) -> f64 {
        self.at.z + self.slope[0] * (x - self.at.x) + self.slope[1] * (y - self.at.y)
    }
}

impl Heightfield {
    /// A grid over a rectangle, with heights from a function.
    ///
    /// ```
    /// use sinew_world::terrain::Heightfield;
    /// let bowl = Heightfield::from_fn([-1.0, -1.0], [0.5, 0.5], 5, 5, |x, y| x * x + y * y);
    /// assert_eq!((bowl.heights.len(), bowl.height(0.5, 0.0), bowl.height(7.0, 0.0)), (25, 0.25, 1.0));
    /// ```
    pub fn from_fn(
        origin: [f64; 2],
        spacing: [f64; 2],
        columns: usize,
        rows: usize,
        height: impl Fn(f64, f64) -> f64,
    ) -> Heightfield {
        let place =
            |i: usize, j: usize| height(origin[0] + spacing[0] * i as f64, origin[1] + spacing[1] * j as f64);
        let heights = (0..columns * rows).map(|k| place(k % columns, k / columns)).collect();
        Heightfield { origin, spacing, columns, rows, heights }
    }

    /// Height of the surface; 0 without samples.
    pub fn height(&self, x: f64, y: f64) -> f64 {
        self.facet_at(x, y).height(x, y)
    }

    /// Upward unit normal of the triangle at a place.
    pub fn normal(&self, x: f64, y: f64) -> Vec3 {
        self.facet_at(x, y).normal()
    }

    /// Corners and triangles, counter-clockwise seen from above, for drawing.
    pub fn mesh(&self) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let index = |i: usize, j: usize| (j * self.columns + i) as u32;
        let mut triangles = Vec::new();
        for j in 1..self.rows {
            for i in 1..self.columns {
                let (a, b, c, d) = (index(i - 1, j - 1), index(i, j - 1), index(i, j), index(i - 1, j));
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        let corner = |k: usize| self.node((k % self.columns) as isize, (k / self.columns) as isize);
        ((0..self.heights.len()).map(corner).collect(), triangles)
    }

    pub(super) fn check(&self, piece: usize) -> Result<(), TerrainError> {
        let wrong = |what, value, wanted| {
            Err(TerrainError::Number { piece, kind: "heightfield", what, value, wanted })
        };
        for (what, value) in [("spacing in x", self.spacing[0]), ("spacing in y", self.spacing[1])] {
            if !(value > 0.0 && value.is_finite()) {
                return wrong(what, value, "positive and finite");
            }
        }
        for (what, count) in [("number of columns", self.columns), ("number of rows", self.rows)] {
            if !(2..=1 << 20).contains(&count) {
                return wrong(what, count as f64, "from 2 to 2^20");
            }
        }
        if self.heights.len() != self.columns * self.rows {
            let (columns, rows) = (self.columns, self.rows);
            return Err(TerrainError::Heights { piece, found: self.heights.len(), columns, rows });
        }
        match self.origin.iter().chain(&self.heights).find(|x| !x.is_finite()) {
            Some(value) => wrong("a height or place", *value, "finite"),
            None => Ok(()),
        }
    }

    /// The column or row of cells at a coordinate; −1 and the last sample's index stand for outside.
    #[inline]
    pub(super) fn cell(&self, dim: usize, x: f64) -> isize {
        let count = if dim == 0 { self.columns } else { self.rows };
        let at = ((x - self.origin[dim]) / self.spacing[dim]).floor();
        // NaN becomes 0
        at.clamp(-1.0, count as f64 - 1.0) as isize
    }

    /// A sample with its place; outside the grid it has the height of the border.
    #[inline]
    pub(super) fn node(&self, i: isize, j: isize) -> Vec3 {
        let clamp = |k: isize, count: usize| k.clamp(0, count.max(1) as isize - 1) as usize;
        let index = clamp(j, self.rows) * self.columns + clamp(i, self.columns);
        let z = self.heights.get(index).copied().unwrap_or(0.0);
        Vec3::new(self.origin[0] + self.spacing[0] * i as f64, self.origin[1] + self.spacing[1] * j as f64, z)
    }

    /// One of the two triangles of a cell.
    #[inline]
    pub(super) fn facet(&self, i: isize, j: isize, above: bool) -> Facet {
        let (z00, z11) = (self.node(i, j), self.node(i + 1, j + 1).z);
        let [dx, dy] = self.spacing;
        let slope = if above {
            let z01 = self.node(i, j + 1).z;
            [(z11 - z01) / dx, (z01 - z00.z) / dy]
        } else {
            let z10 = self.node(i + 1, j).z;
            [(z10 - z00.z) / dx, (z11 - z10) / dy]
        };
        Facet { at: z00, slope }
    }

    /// Whether a place in a cell is above its diagonal.
    #[inline]
    pub(super) fn is_above(&self, i: isize, j: isize, x: f64, y: f64) -> bool {
        let fx = (x - self.origin[0]) / self.spacing[0] - i as f64;
        let fy = (y - self.origin[1]) / self.spacing[1] - j as f64;
        fy > fx
    }

    /// The triangle at a place.
    #[inline]
    pub(super) fn facet_at(&self, x: f64, y: f64) -> Facet {
        let (i, j) = (self.cell(0, x), self.cell(1, y));
        self.facet(i, j, self.is_above(i, j, x, y))
    }

    /// Distance of a point to the plane of the triangle under it.
    pub(super) fn distance(&self, p: &Vec3) -> f64 {
        let (height, normal) = self.top(p.x, p.y);
        (p.z - height) * normal.z
    }

    /// Height and normal.
    pub(super) fn top(&self, x: f64, y: f64) -> Top {
        let facet = self.facet_at(x, y);
        (facet.height(x, y), facet.normal())
    }
}
