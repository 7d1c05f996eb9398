//! The support polygon: convex hull of points in the plane (Andrew's monotone chain, `n log n`), and how far inside of it a point is.
//!
//! ```
//! use sinew_world::metrics::hull::{convex_hull, margin};
//! let mut touching = [[0.0, 0.0], [0.2, 0.1], [0.3, 0.0], [0.3, 0.2], [0.0, 0.2]];
//! let mut support = Vec::new();
//! convex_hull(&mut touching, &mut support);
//! assert_eq!(support.len(), 4);
//! assert!((margin(&support, &[0.1, 0.05]) - 0.05).abs() < 1e-12);
//! // outside: negative, to the nearest point of the polygon, here a corner
//! assert!((margin(&support, &[0.6, 0.6]) + 0.5).abs() < 1e-12);
//! ```

/// A point in the horizontal plane.
pub type Point = [f64; 2];

/// Twice the signed area of the triangle `a b c`; positive when it turns left.
fn cross(a: &Point, b: &Point, c: &Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Sorts `points` and leaves their hull, counter-clockwise, in `hull`. Points on a line make fewer than three corners: the
/// ends of it, or the one point there is.
pub fn convex_hull(points: &mut [Point], hull: &mut Vec<Point>) {
    points.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    hull.clear();
    let mut chain = |point: &Point, base: usize| {
        while let [.., a, b] = hull.as_slice()
            && hull.len() > base
            && cross(a, b, point) <= 0.0
        {
            hull.pop();
        }
        hull.push(*point);
        hull.len()
    };
    // the lower edge from left to right, then the upper one back
    let mut corners = 0;
    for point in points.iter() {
        corners = chain(point, 1);
    }
    for point in points.iter().rev().skip(1) {
        chain(point, corners);
    }
    // the upper edge ends where the lower one began
    if points.len() > 1 {
        hull.pop();
    }
}

/// Distance of `point` from the edge of a hull, positive inside, negative outside. A hull without area has only an outside;
/// without any point it is infinitely far away.
pub fn margin(hull: &[Point], point: &Point) -> f64 {
    let edges = || hull.iter().zip(hull.iter().cycle().skip(1));
    if hull.len() > 2 {
        let line = |(a, b): (&Point, &Point)| cross(a, b, point) / libm::hypot(b[0] - a[0], b[1] - a[1]);
        let least = edges().map(line).fold(f64::INFINITY, f64::min);
        // on the edge is on the edge
        if least > -1e-12 {
            return if least < 1e-12 { 0.0 } else { least };
        }
    }
    let segment = |(a, b): (&Point, &Point)| {
        let (d, e) = ([b[0] - a[0], b[1] - a[1]], [point[0] - a[0], point[1] - a[1]]);
        let length = d[0] * d[0] + d[1] * d[1];
        let along = if length > 0.0 { ((d[0] * e[0] + d[1] * e[1]) / length).clamp(0.0, 1.0) } else { 0.0 };
        libm::hypot(e[0] - along * d[0], e[1] - along * d[1])
    };
    -edges().map(segment).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_with_points_inside() {
        let mut points =
            vec![[1.0, 1.0], [0.0, 0.0], [0.5, 0.5], [1.0, 0.0], [0.0, 1.0], [0.5, 0.0], [1.0, 1.0]];
        let mut hull = Vec::new();
        convex_hull(&mut points, &mut hull);
        assert_eq!(hull, [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        for (point, expected) in [
            ([0.5, 0.25], 0.25),
            ([1.0, 0.5], 0.0),
            ([1.5, 0.5], -0.5),
            ([1.0, 3.0], -2.0),
            ([4.0, 5.0], -5.0),
        ] {
            assert_eq!(margin(&hull, &point), expected, "{point:?}");
        }
    }

    #[test]
    fn lines_and_points_have_only_an_outside() {
        let mut hull = Vec::new();
        for (mut points, expected) in [
            (vec![], f64::NEG_INFINITY),
            (vec![[3.0, 4.0]], -5.0),
            (vec![[3.0, 4.0]; 4], -5.0),
            (vec![[-1.0, 2.0], [1.0, 2.0], [0.5, 2.0]], -2.0),
            (vec![[0.0, 0.0], [1.0, 1.0], [0.5, 0.5]], 0.0),
        ] {
            convex_hull(&mut points, &mut hull);
            assert!(hull.len() < 3 && margin(&hull, &[0.0, 0.0]) == expected, "{points:?}");
        }
    }
}
