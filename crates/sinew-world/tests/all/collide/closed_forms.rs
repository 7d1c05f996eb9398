//! Distances and manifolds that can be written down.

use sinew_dynamics::spatial::{Placement, Vec3, rotation};
use sinew_world::collide::{Manifold, Shape, Touch, touch};

fn close(x: f64, y: f64) {
    assert!((x - y).abs() < 1e-12, "{x} is not {y}");
}

fn at(x: f64, y: f64, z: f64) -> Placement {
    Placement { pos: Vec3::new(x, y, z), ..Placement::identity() }
}

/// Turned by an angle about an axis, then placed.
fn turned(axis: Vec3, angle: f64, pos: Vec3) -> Placement {
    Placement::new(rotation::exp(&(axis * angle)), pos)
}

fn found(a: &Shape, at_a: &Placement, b: &Shape, at_b: &Placement) -> Vec<Touch> {
    let mut out = Manifold::new();
    touch(a, at_a, b, at_b, 0.05, &mut out);
    out.to_vec()
}

fn only(a: &Shape, at_a: &Placement, b: &Shape, at_b: &Placement) -> Touch {
    let all = found(a, at_a, b, at_b);
    assert_eq!(all.len(), 1, "{all:?}");
    all[0]
}

const GROUND: Shape = Shape::Plane { half: [0.0, 0.0] };

#[test]
fn spheres() {
    let (a, b) = (Shape::Sphere { radius: 0.3 }, Shape::Sphere { radius: 0.2 });
    let t = only(&a, &at(0.0, 0.0, 0.49), &b, &at(0.0, 0.0, 0.0));
    close(t.distance, -0.01);
    assert_eq!(t.normal, Vec3::z());
    assert!((t.point - Vec3::new(0.0, 0.0, 0.195)).norm() < 1e-15);
}

#[test]
fn a_sphere_at_the_faces_edges_and_corners_of_a_box() {
    let (ball, cube) = (Shape::Sphere { radius: 0.1 }, Shape::Box { half: Vec3::new(1.0, 1.0, 1.0) });
    let off = 0.11 / 3.0_f64.sqrt();
    let corner = only(&ball, &at(1.0 + off, 1.0 + off, 1.0 + off), &cube, &at(0.0, 0.0, 0.0));
    close(corner.distance, 0.01);
    assert!((corner.normal - Vec3::repeat(1.0).normalize()).norm() < 1e-12);
    let edge = only(&ball, &at(1.06, 1.08, 0.2), &cube, &at(0.0, 0.0, 0.0));
    close(edge.distance, 0.0);
    let deep = only(&ball, &at(0.2, 0.9, 0.3), &cube, &at(0.0, 0.0, 0.0));
    close(deep.distance, -0.2);
    assert_eq!(deep.normal, Vec3::y());
}

#[test]
fn a_sphere_at_the_cap_the_side_and_the_rim_of_a_cylinder() {
    let (ball, drum) = (Shape::Sphere { radius: 0.1 }, Shape::Cylinder { radius: 0.5, half: 0.5 });
    let here = at(0.0, 0.0, 0.0);
    close(only(&ball, &at(0.1, 0.2, 0.61), &drum, &here).distance, 0.01);
    close(only(&ball, &at(0.36, 0.48, 0.1), &drum, &here).distance, 0.0);
    let rim = only(&ball, &at(0.56, 0.0, 0.58), &drum, &here);
    close(rim.distance, 0.0);
    assert!((rim.normal - Vec3::new(0.6, 0.0, 0.8)).norm() < 1e-12);
}

#[test]
fn a_sphere_beside_an_ellipsoid() {
    let (ball, egg) = (Shape::Sphere { radius: 0.1 }, Shape::Ellipsoid { half: Vec3::new(0.2, 0.3, 0.4) });
    let here = at(0.0, 0.0, 0.0);
    for (k, reach) in [0.2, 0.3, 0.4].into_iter().enumerate() {
        let mut pos = Vec3::zeros();
        pos[k] = reach + 0.11;
        close(only(&ball, &at(pos.x, pos.y, pos.z), &egg, &here).distance, 0.01);
    }
    // a point at a known height over a known point of the surface
    let on = Vec3::new(0.2 * 0.6, 0.3 * 0.64, 0.4 * 0.48);
    let normal = Vec3::new(on.x / 0.04, on.y / 0.09, on.z / 0.16).normalize();
    for height in [0.12, 0.1, 0.05] {
        let p = on + normal * height;
        let t = only(&ball, &at(p.x, p.y, p.z), &egg, &here);
        close(t.distance, height - 0.1);
        assert!((t.normal - normal).norm() < 1e-12);
    }
    // the centre is nearest to the ends of the shortest axis
    close(only(&ball, &here, &egg, &here).distance, -0.3);
}

#[test]
fn a_lying_capsule_has_two_points_and_a_standing_one_its_lower_end() {
    let leg = Shape::Capsule { radius: 0.1, half: 0.4 };
    let lying = turned(Vec3::y(), core::f64::consts::FRAC_PI_2, Vec3::new(0.0, 0.0, 0.09));
    let two = found(&leg, &lying, &GROUND, &at(0.0, 0.0, 0.0));
    assert_eq!(two.len(), 2);
    assert!(two.iter().all(|t| (t.distance + 0.01).abs() < 1e-15 && t.normal == Vec3::z()));
    assert!(((two[0].point - two[1].point).norm() - 0.8).abs() < 1e-12);
    let standing = only(&leg, &at(0.0, 0.0, 0.51), &GROUND, &at(0.0, 0.0, 0.0));
    close(standing.distance, 0.01);
}

#[test]
fn crossed_and_parallel_capsules() {
    let (a, b) = (Shape::Capsule { radius: 0.1, half: 0.5 }, Shape::Capsule { radius: 0.2, half: 0.3 });
    let quarter = core::f64::consts::FRAC_PI_2;
    let along_x = turned(Vec3::y(), quarter, Vec3::new(0.0, 0.0, 0.31));
    let along_y = turned(Vec3::x(), quarter, Vec3::zeros());
    let crossed = only(&a, &along_x, &b, &along_y);
    close(crossed.distance, 0.01);
    assert!((crossed.normal - Vec3::z()).norm() < 1e-12);
    // side by side the shorter one carries at both ends
    let parallel = found(&a, &along_x, &b, &turned(Vec3::y(), quarter, Vec3::zeros()));
    assert_eq!(parallel.len(), 2);
    assert!(parallel.iter().all(|t| (t.distance - 0.01).abs() < 1e-12));
    assert!(((parallel[0].point - parallel[1].point).norm() - 0.6).abs() < 1e-12);
}

#[test]
fn a_capsule_on_the_face_across_the_edge_and_at_the_corner_of_a_box() {
    let (bar, cube) =
        (Shape::Capsule { radius: 0.1, half: 0.3 }, Shape::Box { half: Vec3::new(1.0, 1.0, 1.0) });
    let quarter = core::f64::consts::FRAC_PI_2;
    let lying = turned(Vec3::y(), quarter, Vec3::new(0.9, 0.0, 1.105));
    let two = found(&bar, &lying, &cube, &at(0.0, 0.0, 0.0));
    assert_eq!(two.len(), 2);
    assert!(two.iter().all(|t| (t.distance - 0.005).abs() < 1e-12 && (t.normal - Vec3::z()).norm() < 1e-12));
    // it lies on the box from x = 0.6 to the edge at 1
    assert!(((two[0].point - two[1].point).norm() - 0.4).abs() < 1e-9);

    // across the edge, at 45°
    let normal = Vec3::new(1.0, 0.0, 1.0) / 2.0_f64.sqrt();
    let over = Vec3::new(1.0, 0.2, 1.0) + normal * 0.11;
    let leaning = turned(Vec3::y(), 3.0 * core::f64::consts::FRAC_PI_4, over);
    let edge = only(&bar, &leaning, &cube, &at(0.0, 0.0, 0.0));
    close(edge.distance, 0.01);
    assert!((edge.normal - normal).norm() < 1e-12);

    // end on, above the face
    let end = only(&bar, &at(0.3, 0.2, 1.39), &cube, &at(0.0, 0.0, 0.0));
    close(end.distance, -0.01);
}

#[test]
fn a_cube_on_its_face_edge_and_corner_over_a_plane() {
    let cube = Shape::Box { half: Vec3::repeat(0.1) };
    let here = at(0.0, 0.0, 0.0);
    let flat = found(&cube, &at(0.0, 0.0, 0.1), &GROUND, &here);
    assert_eq!(flat.iter().map(|t| t.feature).collect::<Vec<_>>().len(), 4);
    let mut corners: Vec<u32> = flat.iter().map(|t| t.feature).collect();
    corners.sort_unstable();
    assert_eq!(corners, [0, 1, 2, 3]);
    let eighth = core::f64::consts::FRAC_PI_4;
    let on_edge = turned(Vec3::x(), eighth, Vec3::new(0.0, 0.0, 0.1 * 2.0_f64.sqrt() + 0.001));
    let edge = found(&cube, &on_edge, &GROUND, &here);
    assert_eq!(edge.len(), 2);
    assert!(edge.iter().all(|t| (t.distance - 0.001).abs() < 1e-12));
    // sunk to the middle on its corner, it shows the four lowest corners
    let tip = turned(Vec3::new(-1.0, 1.0, 0.0).normalize(), libm::acos(1.0 / 3.0_f64.sqrt()), Vec3::zeros());
    let corner = found(&cube, &tip, &GROUND, &here);
    let mut depths: Vec<f64> = corner.iter().map(|t| t.distance).collect();
    depths.sort_by(f64::total_cmp);
    let diagonal = 0.1 * 3.0_f64.sqrt();
    assert_eq!(depths.len(), 4, "{depths:?}");
    close(depths[0], -diagonal);
    assert!(depths[1..].iter().all(|d| (d + diagonal / 3.0).abs() < 1e-9), "{depths:?}");
}

#[test]
fn stacked_boxes_touch_in_four_corners_of_the_smaller() {
    let (small, large) = (Shape::Box { half: Vec3::repeat(0.1) }, Shape::Box { half: Vec3::repeat(0.2) });
    let twisted = turned(Vec3::z(), 0.3, Vec3::new(0.03, 0.0, 0.299));
    for (a, at_a, b, at_b, sign) in [
        (&small, twisted, &large, at(0.0, 0.0, 0.0), 1.0),
        (&large, at(0.0, 0.0, 0.0), &small, twisted, -1.0),
    ] {
        let four = found(a, &at_a, b, &at_b);
        assert_eq!(four.len(), 4);
        for t in &four {
            close(t.distance, -0.001);
            assert!((t.normal - Vec3::z() * sign).norm() < 1e-12);
            let local = twisted.rot.tr_mul(&(t.point - twisted.pos));
            assert!((local.x.abs() - 0.1).abs() < 1e-12 && (local.y.abs() - 0.1).abs() < 1e-12);
        }
    }
}

#[test]
fn boxes_that_overhang_touch_along_the_shared_rectangle() {
    let cube = Shape::Box { half: Vec3::repeat(0.1) };
    let four = found(&cube, &at(0.15, 0.05, 0.2), &cube, &at(0.0, 0.0, 0.0));
    assert_eq!(four.len(), 4);
    let (low, high) =
        four.iter().fold((four[0].point, four[0].point), |(l, h), t| (l.inf(&t.point), h.sup(&t.point)));
    assert!((low - Vec3::new(0.05, -0.05, 0.1)).norm() < 1e-9, "{low:?}");
    assert!((high - Vec3::new(0.1, 0.1, 0.1)).norm() < 1e-9, "{high:?}");
}

#[test]
fn an_octagon_of_contact_is_cut_to_four_well_spread_points() {
    let cube = Shape::Box { half: Vec3::repeat(0.1) };
    let four = found(
        &cube,
        &turned(Vec3::z(), core::f64::consts::FRAC_PI_4, Vec3::new(0.0, 0.0, 0.2)),
        &cube,
        &at(0.0, 0.0, 0.0),
    );
    assert_eq!(four.len(), 4);
    let p: Vec<Vec3> = four.iter().map(|t| t.point).collect();
    let area = 0.5 * (p[2] - p[0]).cross(&(p[3] - p[1])).z.abs();
    // the square on every second corner of a regular octagon has 1/√2 of its area
    let octagon = 8.0 * 0.01 * libm::tan(core::f64::consts::PI / 8.0);
    assert!(area > 0.7 * octagon, "{area} of {octagon}");
}

#[test]
fn boxes_edge_to_edge_and_corner_to_corner() {
    let cube = Shape::Box { half: Vec3::repeat(0.1) };
    let eighth = core::f64::consts::FRAC_PI_4;
    let reach = 0.1 * 2.0_f64.sqrt();
    let (below, above) = (
        turned(Vec3::x(), eighth, Vec3::zeros()),
        turned(Vec3::y(), eighth, Vec3::new(0.0, 0.0, 2.0 * reach - 0.001)),
    );
    let edges = only(&cube, &above, &cube, &below);
    close(edges.distance, -0.001);
    assert!((edges.normal - Vec3::z()).norm() < 1e-12);
    assert!((edges.point - Vec3::new(0.0, 0.0, reach - 0.0005)).norm() < 1e-12);
    assert!(edges.feature >= 16);

    // the diagonal is not one of the fifteen axes
    let off = 0.01 / 3.0_f64.sqrt();
    let corners = only(&cube, &at(0.2 + off, 0.2 + off, 0.2 + off), &cube, &at(0.0, 0.0, 0.0));
    close(corners.distance, 0.01);
}

#[test]
fn a_cylinder_stands_on_four_points_and_lies_on_two() {
    let drum = Shape::Cylinder { radius: 0.2, half: 0.3 };
    let here = at(0.0, 0.0, 0.0);
    let standing = found(&drum, &at(0.0, 0.0, 0.299), &GROUND, &here);
    assert_eq!(standing.iter().map(|t| t.feature).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert!(standing.iter().all(|t| (t.distance + 0.001).abs() < 1e-12));
    let lying = turned(Vec3::x(), core::f64::consts::FRAC_PI_2, Vec3::new(0.0, 0.0, 0.201));
    let two: Vec<Touch> =
        found(&drum, &lying, &GROUND, &here).into_iter().filter(|t| t.distance < 0.0011).collect();
    assert!(two.len() >= 2 && two.iter().all(|t| (t.distance - 0.001).abs() < 1e-12));
    let (low, high) = two.iter().fold((1.0_f64, -1.0_f64), |(l, h), t| (l.min(t.point.y), h.max(t.point.y)));
    close(high - low, 0.6);
}

#[test]
fn a_mesh_of_a_box_touches_like_the_box() {
    let half = Vec3::new(0.1, 0.15, 0.2);
    let vertices: Vec<Vec3> =
        (0..8).map(|k| Vec3::from_fn(|i, _| if k >> i & 1 == 1 { half[i] } else { -half[i] })).collect();
    let (mesh, solid) = (Shape::Mesh { name: "box".into(), vertices }, Shape::Box { half });
    let floor = Shape::Box { half: Vec3::new(1.0, 1.0, 0.1) };
    let tilted = turned(Vec3::new(0.6, 0.8, 0.0), 0.002, Vec3::new(0.0, 0.0, 0.2995));
    for (base, at_base) in [(&GROUND, at(0.0, 0.0, 0.1)), (&floor, at(0.0, 0.0, 0.0))] {
        let mut of_mesh = found(&mesh, &tilted, base, &at_base);
        let mut of_box = found(&solid, &tilted, base, &at_base);
        assert_eq!((of_mesh.len(), of_box.len()), (4, 4), "{of_mesh:?}");
        let order = |s: &Touch, t: &Touch| s.distance.total_cmp(&t.distance);
        of_mesh.sort_by(order);
        of_box.sort_by(order);
        for (m, b) in of_mesh.iter().zip(&of_box) {
            assert!((m.point - b.point).norm() < 1e-6 && (m.distance - b.distance).abs() < 1e-9);
        }
    }
}
