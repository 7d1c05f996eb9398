//! Meshes of triangles through parry, against our own closed forms; and the bug that forbids its other query.

use super::random::{KINDS, Random};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d_f64::shape::{Cuboid, HalfSpace};
use sinew_dynamics::spatial::{Placement, Vec3, rotation};
use sinew_world::collide::{Manifold, MeshError, MeshPartner, Shape, TriangleMesh, touch};

/// A level floor of many triangles.
fn floor() -> TriangleMesh {
    let n = 9;
    let corners: Vec<Vec3> =
        (0..n * n).map(|k| Vec3::new(f64::from(k % n) - 4.0, f64::from(k / n) - 4.0, 0.0) * 0.5).collect();
    let n = n as u32;
    let triangles: Vec<[u32; 3]> = (0..(n - 1) * (n - 1))
        .flat_map(|c| {
            let a = c / (n - 1) * n + c % (n - 1);
            [[a, a + 1, a + n + 1], [a, a + n + 1, a + n]]
        })
        .collect();
    TriangleMesh::new(&corners, &triangles).unwrap()
}

#[test]
fn shapes_on_a_floor_of_triangles_touch_it_like_a_plane() {
    let mut random = Random::new(1);
    let (mesh, plane) = (floor(), Shape::Plane { half: [0.0, 0.0] });
    for kind in 0..KINDS {
        for _ in 0..40 {
            let shape = random.shape(kind);
            let partner = MeshPartner::new(&shape).unwrap();
            let mut at = random.placement(0.8);
            at.pos.z -= at.act(&shape.support(&at.rot.tr_mul(&-Vec3::z()))).z - random.real(-0.004, 0.004);
            let (mut own, mut other) = (Manifold::new(), Manifold::new());
            touch(&shape, &at, &plane, &Placement::identity(), 0.01, &mut own);
            // the mesh may stand anywhere
            let by = random.placement(1.0);
            mesh.touch(&partner, &(by * at), &by, 0.01, &mut other);
            let (own, other) = (own.deepest().unwrap(), other.deepest().unwrap());
            // an ellipsoid stands for its polyhedron
            let slack = if kind == 3 { 0.01 * 0.4 } else { 1e-6 };
            assert!((own.distance - other.distance).abs() < slack, "{shape:?}: {own:?} {other:?}");
            assert!((by.rot * own.normal - other.normal).norm() < 1e-6, "{shape:?}: {own:?} {other:?}");
        }
    }
}

/// A tilted box 1 cm deep in a half-space: `query::contact` gives a wrong depth and normal for this order, manifolds do
/// not, in either order.
#[test]
fn manifolds_are_right_where_the_contact_query_is_wrong() {
    let (cuboid, space) = (Cuboid::new(Vector::new(0.1, 0.05, 0.04)), HalfSpace::new(Vector::Z));
    for tilt in [0.0, 0.1, 0.3] {
        let own_at = {
            let mut at = Placement::new(rotation::exp(&(Vec3::y() * tilt)), Vec3::zeros());
            let half = Vec3::new(0.1, 0.05, 0.04);
            at.pos.z = at.rot.row(2).transpose().abs().dot(&half) - 0.01;
            at
        };
        let at = Pose::new(Vector::new(0.0, 0.0, own_at.pos.z), Vector::new(0.0, tilt, 0.0));
        let mut own = Manifold::new();
        let solid = Shape::Box { half: Vec3::new(0.1, 0.05, 0.04) };
        touch(&solid, &own_at, &Shape::Plane { half: [0.0; 2] }, &Placement::identity(), 0.001, &mut own);
        assert!((own.deepest().unwrap().distance + 0.01).abs() < 1e-12);

        for box_first in [true, false] {
            let mut found: Vec<ContactManifold<(), ()>> = Vec::new();
            let asked = if box_first {
                DefaultQueryDispatcher.contact_manifolds(
                    &at.inverse(),
                    &cuboid,
                    &space,
                    0.001,
                    &mut found,
                    &mut None,
                )
            } else {
                DefaultQueryDispatcher.contact_manifolds(&at, &space, &cuboid, 0.001, &mut found, &mut None)
            };
            asked.unwrap();
            let deepest = found.iter().flat_map(|m| &m.points).map(|p| p.dist).fold(f64::INFINITY, f64::min);
            assert!((deepest + 0.01).abs() < 1e-9, "tilt {tilt}, box first {box_first}: {deepest}");
            // out of the half-space, towards the box
            let normal = if box_first { -(at.rotation * found[0].local_n1) } else { found[0].local_n1 };
            assert!((normal - Vector::Z).length() < 1e-9, "tilt {tilt}, box first {box_first}: {normal:?}");
        }
    }
}

#[test]
fn a_hollow_is_a_hollow() {
    // a gutter: two slopes of 45° that meet along y
    let corners = [
        Vec3::new(-1.0, -1.0, 1.0),
        Vec3::new(0.0, -1.0, 0.0),
        Vec3::new(1.0, -1.0, 1.0),
        Vec3::new(-1.0, 1.0, 1.0),
        Vec3::new(0.0, 1.0, 0.0),
        Vec3::new(1.0, 1.0, 1.0),
    ];
    let gutter = TriangleMesh::new(&corners, &[[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]).unwrap();
    let ball = MeshPartner::new(&Shape::Sphere { radius: 0.2 }).unwrap();
    let at = Placement { pos: Vec3::new(0.0, 0.1, 0.2 * 2.0_f64.sqrt()), ..Placement::identity() };
    let mut found = Manifold::new();
    gutter.touch(&ball, &at, &Placement::identity(), 0.001, &mut found);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|t| t.distance.abs() < 1e-9 && (t.normal.z - 0.5_f64.sqrt()).abs() < 1e-9));
}

#[test]
fn invalid_meshes_are_refused() {
    let corners = [Vec3::zeros(), Vec3::x(), Vec3::y()];
    let wrong = |corners: &[Vec3], triangles: &[[u32; 3]]| TriangleMesh::new(corners, triangles).err();
    assert_eq!(wrong(&corners, &[[0, 1, 3]]), Some(MeshError::Index { triangle: 0, corner: 3, corners: 3 }));
    assert_eq!(wrong(&[Vec3::zeros(), Vec3::repeat(f64::NAN)], &[]), Some(MeshError::Corner(1)));
    assert!(wrong(&corners, &[]).is_some());
    assert!(MeshPartner::new(&Shape::Plane { half: [0.0; 2] }).is_err());
}
