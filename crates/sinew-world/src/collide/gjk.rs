//! Distance of two convex cores that are apart: the algorithm of Gilbert, Johnson and Keerthi.
//!
//! The nearest point `v` of the Minkowski difference `C = A − B` to the origin is approached by simplices with corners in
//! `C`: the support point `w` in direction `−v` is added, the point of the simplex nearest to the origin is the new `v`,
//! and corners that it does not need are dropped. `|v|` falls, `v·w/|v|` is a lower bound of the distance, and when they
//! meet `v` is the answer. With polytopes this ends after finitely many steps; with curved shapes the bounds close in
//! quickly. When rounding allows no further progress, or after [`STEPS`], the best is taken; its lower bound is exact for its
//! direction.
//!
//! E. G. Gilbert, D. W. Johnson, S. S. Keerthi: *A fast procedure for computing the distance between complex objects in
//! three-dimensional space*, IEEE J. Robotics and Automation 4 (1988). Regions of triangles: Ericson (2005), 5.1.5.

use super::support::{Core, Difference};
use super::vector::length;
use sinew_dynamics::spatial::Vec3;

/// Most support points asked for.
const STEPS: usize = 64;
/// The bounds of the distance have met when they agree to this relative precision.
const PRECISION: f64 = 1e-13;

/// What the iteration found.
pub(super) enum Gap {
    /// Farther apart than was asked for.
    Far,
    /// The cores overlap, or touch; the last direction tried.
    Overlap { towards: Vec3 },
    /// Apart: unit normal from `B` to `A`, distance, and the nearest point of `B`.
    Apart { normal: Vec3, distance: f64, b: Vec3 },
}

/// Distance of two cores; those farther than `reach` apart are not measured.
pub(super) fn distance(a: &Core<'_>, b: &Core<'_>, reach: f64, scale: f64) -> Gap {
    let mut simplex = Simplex::new();
    // any point of the difference begins the descent; the one towards the centre is near
    let first = Difference::support(a, b, &(b.centre - a.centre));
    simplex.push(first);
    let mut v = first.w;
    let mut square = v.norm_squared();
    let touching = 1e-20 * scale * scale;
    let mut bound = 0.0;
    for _ in 0..STEPS {
        if !(square > touching) {
            return Gap::Overlap { towards: v };
        }
        let w = Difference::support(a, b, &-v);
        let along = v.dot(&w.w);
        bound = along / square.sqrt();
        // the plane through w across v separates
        if along > 0.0 && along * along > reach * reach * square {
            return Gap::Far;
        }
        let noise = 4e-16 * square.sqrt() * scale;
        if square - along <= PRECISION * square + noise || simplex.contains(&w.w) {
            break;
        }
        let mut grown = simplex;
        grown.push(w);
        let Some(nearest) = grown.reduce() else { return Gap::Overlap { towards: v } };
        let closer = nearest.norm_squared();
        if !(closer < square) {
            break;
        }
        (simplex, v, square) = (grown, nearest, closer);
    }
    // near touching the direction may be lost in rounding before the bounds have met
    let above = length(&v);
    if above < 1e-3 * scale && above - bound > 1e-9 * scale {
        return Gap::Overlap { towards: v };
    }
    // the gap along the normal, which is never more than the distance
    Gap::Apart { normal: v / above, distance: bound, b: simplex.nearest_of_b() }
}

/// Up to four points of the difference, with the weights of the point nearest to the origin.
#[derive(Clone, Copy)]
struct Simplex {
    points: [Difference; 4],
    weights: [f64; 4],
    len: usize,
}

impl Simplex {
    fn new() -> Simplex {
        Simplex { points: [Difference::ZERO; 4], weights: [1.0, 0.0, 0.0, 0.0], len: 0 }
    }

    fn push(&mut self, point: Difference) {
        self.points[self.len] = point;
        self.len += 1;
    }

    fn contains(&self, w: &Vec3) -> bool {
        self.points[..self.len].iter().any(|p| p.w == *w)
    }

    fn nearest_of_b(&self) -> Vec3 {
        (0..self.len).fold(Vec3::zeros(), |sum, k| sum + self.points[k].b * self.weights[k])
    }

    /// Keeps the corners that the point nearest to the origin needs, and returns it; `None` when the origin is inside.
    fn reduce(&mut self) -> Option<Vec3> {
        let w = |k: usize| self.points[k].w;
        let near = match self.len {
            2 => of_segment(&w(0), &w(1)),
            3 => of_triangle(&w(0), &w(1), &w(2)),
            4 => of_tetrahedron(&[w(0), w(1), w(2), w(3)])?,
            _ => [1.0, 0.0, 0.0, 0.0],
        };
        let mut kept = 0;
        let mut nearest = Vec3::zeros();
        for k in 0..self.len {
            if near[k] > 0.0 {
                nearest += self.points[k].w * near[k];
                self.points[kept] = self.points[k];
                self.weights[kept] = near[k];
                kept += 1;
            }
        }
        self.len = kept;
        Some(nearest)
    }
}

/// Weights of the point of a segment nearest to the origin.
fn of_segment(p: &Vec3, q: &Vec3) -> [f64; 4] {
    let d = q - p;
    let square = d.norm_squared();
    let t = if square > 0.0 { -p.dot(&d) / square } else { 0.0 };
    if t <= 0.0 {
        [1.0, 0.0, 0.0, 0.0]
    } else if t >= 1.0 {
        [0.0, 1.0, 0.0, 0.0]
    } else {
        [1.0 - t, t, 0.0, 0.0]
    }
}

/// Weights of the point of a triangle nearest to the origin.
fn of_triangle(a: &Vec3, b: &Vec3, c: &Vec3) -> [f64; 4] {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(&ac);
    let square = normal.norm_squared();
    if square > 0.0 {
        // signed areas of the three triangles with the projected origin
        let u = b.cross(c).dot(&normal);
        let v = c.cross(a).dot(&normal);
        let w = a.cross(b).dot(&normal);
        if u > 0.0 && v > 0.0 && w > 0.0 {
            let sum = u + v + w;
            return [u / sum, v / sum, w / sum, 0.0];
        }
    }
    // on the border: the nearest of three segments
    let mut best = [1.0, 0.0, 0.0, 0.0];
    let mut least = f64::INFINITY;
    for (k, (p, q)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
        let near = of_segment(p, q);
        let square = (p * near[0] + q * near[1]).norm_squared();
        if square < least {
            least = square;
            best = [0.0; 4];
            best[k] = near[0];
            best[(k + 1) % 3] = near[1];
        }
    }
    best
}

/// Weights of the point of a tetrahedron nearest to the origin; `None` when the origin is inside.
fn of_tetrahedron(w: &[Vec3; 4]) -> Option<[f64; 4]> {
    let mut best = None;
    let mut least = f64::INFINITY;
    for (i, j, k, opposite) in [(0, 1, 2, 3), (0, 1, 3, 2), (0, 2, 3, 1), (1, 2, 3, 0)] {
        let normal = (w[j] - w[i]).cross(&(w[k] - w[i]));
        let (origin, inner) = (-normal.dot(&w[i]), normal.dot(&(w[opposite] - w[i])));
        // the face has to be looked at when the origin is not on the inner side of it
        if origin * inner > 0.0 {
            continue;
        }
        let near = of_triangle(&w[i], &w[j], &w[k]);
        let square = (w[i] * near[0] + w[j] * near[1] + w[k] * near[2]).norm_squared();
        if square < least {
            least = square;
            let mut weights = [0.0; 4];
            (weights[i], weights[j], weights[k]) = (near[0], near[1], near[2]);
            best = Some(weights);
        }
    }
    best
}
