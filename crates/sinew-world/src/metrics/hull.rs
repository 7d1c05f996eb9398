//! The support polygon: convex hull of points in the plane (Andrew's monotone chain, `n log n`).

/// A point in the horizontal plane.
pub(super) type Point = [f64; 2];

/// Twice the signed area of the triangle `a b c`; positive when it turns left.
fn cross(a: &Point, b: &Point, c: &Point) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Sorts `points` and leaves their hull, counter-clockwise, in `hull`. Collinear points make fewer than three corners.
pub(super) fn convex_hull(points: &mut [Point], hull: &mut Vec<Point>) {
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
    hull.pop();
}

/// Distance of `point` from the nearest edge's line, positive inside; `None` when the hull has no area.
pub(super) fn margin(hull: &[Point], point: &Point) -> Option<f64> {
    if hull.len() < 3 {
        return None;
    }
    let edges = hull.iter().zip(hull.iter().cycle().skip(1));
    let distance = |(a, b): (&Point, &Point)| cross(a, b, point) / libm::hypot(b[0] - a[0], b[1] - a[1]);
    let least = edges.map(distance).min_by(f64::total_cmp)?;
    // on the edge is on the edge
    Some(if least.abs() < 1e-12 { 0.0 } else { least })
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
        assert_eq!(margin(&hull, &[0.5, 0.25]), Some(0.25));
        assert_eq!(margin(&hull, &[1.5, 0.5]), Some(-0.5));
    }

    #[test]
    fn lines_and_points_have_no_area() {
        let mut hull = Vec::new();
        for mut points in
            [vec![], vec![[1.0, 2.0]], vec![[0.0, 0.0], [1.0, 1.0], [0.5, 0.5]], vec![[3.0, 1.0]; 4]]
        {
            convex_hull(&mut points, &mut hull);
            assert_eq!(margin(&hull, &[0.0, 0.0]), None, "{points:?}");
        }
    }
}
