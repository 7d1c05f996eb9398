//! Meshes of triangles, convex or not, by the crate `parry3d-f64` (feature `parry`).
//!
//! Our own pairs know convex shapes only. A scanned room or a rock with hollows is a [`TriangleMesh`]; a shape that is to
//! touch it is prepared once as a [`MeshPartner`]. Contacts come from parry's `contact_manifolds` and from nothing else:
//! its `query::contact` returns wrong depths and normals for a shape and a half-space in that order. Edges inside level
//! parts are hidden by parry's flag for internal edges.
//!
//! Every call is independent of the last one, because parry's own tracking would make a restored world differ from the
//! saved one. It allocates, and costs some microseconds. Parry has no ellipsoid: one is prepared as a polyhedron
//! with 162 corners on its surface, at most 1 % of its size inside it.

use super::manifold::{Manifold, Touch};
use parry3d_f64::math::{Mat3, Pose, Rot3, Vector};
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d_f64::shape::{SharedShape, TriMesh, TriMeshFlags};
use sinew_dynamics::Shape;
use sinew_dynamics::spatial::{Placement, Vec3};

/// Touches nearer than this, m, with the same normal are one: adjacent triangles share them.
const SAME_PLACE: f64 = 1e-4;

/// Why a mesh or a partner was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A corner is not finite.
    #[error("corner {0} of the mesh is not finite")]
    Corner(usize),
    /// A triangle names a corner that is not there.
    #[error("triangle {triangle} names corner {corner}, but there are {corners}")]
    Index {
        /// The triangle.
        triangle: usize,
        /// The corner.
        corner: u32,
        /// Number of corners.
        corners: usize,
    },
    /// The triangles make no mesh.
    #[error("the triangles make no mesh: {0}")]
    Triangles(String),
    /// A shape that cannot touch meshes.
    #[error("a {0} cannot touch a mesh of triangles")]
    Partner(&'static str),
}

/// A mesh of triangles, counter-clockwise seen from outside.
#[derive(Clone)]
pub struct TriangleMesh {
    mesh: TriMesh,
}

/// A convex shape, prepared to touch meshes.
#[derive(Clone)]
pub struct MeshPartner {
    shape: SharedShape,
    /// Parry's frame in ours.
    frame: Placement,
}

impl TriangleMesh {
    /// A mesh from its corners and triangles.
    ///
    /// ```
    /// use sinew_dynamics::{Shape, spatial::{Placement, Vec3}};
    /// use sinew_world::collide::{Manifold, MeshPartner, TriangleMesh};
    /// let corner = |x: f64, y: f64| Vec3::new(x, y, 0.0);
    /// let floor = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    /// let mesh = TriangleMesh::new(&floor, &[[0, 1, 2], [0, 2, 3]])?;
    /// let ball = MeshPartner::new(&Shape::Sphere { radius: 0.1 })?;
    /// let at = Placement { pos: Vec3::new(0.3, 0.1, 0.099), ..Placement::identity() };
    /// let mut found = Manifold::new();
    /// mesh.touch(&ball, &at, &Placement::identity(), 0.01, &mut found);
    /// assert!((found[0].distance + 0.001).abs() < 1e-12 && (found[0].normal - Vec3::z()).norm() < 1e-12);
    /// # Ok::<(), sinew_world::collide::MeshError>(())
    /// ```
    ///
    /// # Errors
    /// When a corner is not finite, a triangle names a corner that is not there, or there are no triangles.
    pub fn new(corners: &[Vec3], triangles: &[[u32; 3]]) -> Result<TriangleMesh, MeshError> {
        if let Some(k) = corners.iter().position(|c| !c.sum().is_finite()) {
            return Err(MeshError::Corner(k));
        }
        for (triangle, t) in triangles.iter().enumerate() {
            if let Some(&corner) = t.iter().find(|c| **c as usize >= corners.len()) {
                return Err(MeshError::Index { triangle, corner, corners: corners.len() });
            }
        }
        let flags = TriMeshFlags::FIX_INTERNAL_EDGES | TriMeshFlags::DELETE_DEGENERATE_TRIANGLES;
        let points = corners.iter().map(vector).collect();
        let mesh = TriMesh::with_flags(points, triangles.to_vec(), flags);
        mesh.map(|mesh| TriangleMesh { mesh }).map_err(|e| MeshError::Triangles(e.to_string()))
    }

    /// Writes into `out` where a shape (first) touches the mesh or comes nearer than `margin` (m).
    ///
    /// Normals point from the mesh towards the shape. What was in `out` is forgotten.
    pub fn touch(
        &self,
        partner: &MeshPartner,
        at: &Placement,
        at_mesh: &Placement,
        margin: f64,
        out: &mut Manifold,
    ) {
        out.clear();
        let relative = at_mesh.inverse() * *at * partner.frame;
        if !(relative.rot.sum() + relative.pos.sum()).is_finite() {
            return;
        }
        let mut manifolds: Vec<ContactManifold<(), ()>> = Vec::new();
        let asked = DefaultQueryDispatcher.contact_manifolds(
            &pose(&relative),
            &self.mesh,
            &*partner.shape,
            margin,
            &mut manifolds,
            &mut None,
        );
        debug_assert!(asked.is_ok(), "every partner is a shape that parry collides with meshes");
        for manifold in &manifolds {
            let normal =
                at_mesh.rot * Vec3::new(manifold.local_n1.x, manifold.local_n1.y, manifold.local_n1.z);
            for contact in manifold.points.iter().filter(|c| c.dist <= margin) {
                let on_mesh = Vec3::new(contact.local_p1.x, contact.local_p1.y, contact.local_p1.z);
                let point = at_mesh.act(&on_mesh) + normal * (0.5 * contact.dist);
                let same =
                    |t: &Touch| (t.point - point).norm() < SAME_PLACE && t.normal.dot(&normal) > 0.9999;
                if !out.iter().any(same) {
                    let feature = manifold.subshape1.wrapping_mul(0x9e37_79b9) ^ contact.fid2.0;
                    out.push(Touch { point, normal, distance: contact.dist, feature });
                }
            }
        }
    }
}

impl MeshPartner {
    /// Prepares a shape.
    ///
    /// # Errors
    /// For planes, and meshes whose corners span no volume.
    pub fn new(shape: &Shape) -> Result<MeshPartner, MeshError> {
        let mut frame = Placement::identity();
        let hull = |points: Vec<Vector>, kind| {
            let finite = points.iter().all(|p| p.is_finite()) && points.len() > 3;
            let hull = if finite { SharedShape::convex_hull(&points) } else { None };
            hull.ok_or(MeshError::Partner(kind))
        };
        let shape = match shape {
            Shape::Plane { .. } => return Err(MeshError::Partner("plane")),
            Shape::Sphere { radius } => SharedShape::ball(*radius),
            Shape::Capsule { radius, half } => SharedShape::capsule_z(*half, *radius),
            Shape::Box { half } => SharedShape::cuboid(half.x, half.y, half.z),
            Shape::Cylinder { radius, half } => {
                // parry's cylinders stand along y
                frame.rot = sinew_dynamics::spatial::Mat3::new(1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0);
                SharedShape::cylinder(*half, *radius)
            }
            Shape::Ellipsoid { half } => {
                let points = sphere_points().into_iter().map(|p| vector(&p.component_mul(half)));
                hull(points.collect(), "flat ellipsoid")?
            }
            Shape::Mesh { vertices, .. } => hull(vertices.iter().map(vector).collect(), "flat mesh")?,
        };
        Ok(MeshPartner { shape, frame })
    }
}

fn vector(v: &Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn pose(at: &Placement) -> Pose {
    let column = |k: usize| Vector::new(at.rot[(0, k)], at.rot[(1, k)], at.rot[(2, k)]);
    let rotation = Rot3::from_mat3(&Mat3::from_cols(column(0), column(1), column(2)));
    Pose::from_parts(vector(&at.pos), rotation)
}

/// The corners of an icosahedron whose edges are halved twice: 162 points on the unit sphere.
fn sphere_points() -> Vec<Vec3> {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut points = Vec::new();
    for (s, t) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        points.extend([
            Vec3::new(0.0, s, t * golden),
            Vec3::new(s, t * golden, 0.0),
            Vec3::new(t * golden, 0.0, s),
        ]);
    }
    for _ in 0..2 {
        // the edges are the shortest distances
        let count = points.len();
        let mut least = f64::INFINITY;
        for i in 0..count {
            for j in 0..i {
                least = least.min((points[i] - points[j]).norm());
            }
        }
        for i in 0..count {
            for j in 0..i {
                if (points[i] - points[j]).norm() < 1.3 * least {
                    points.push((points[i] + points[j]) * 0.5);
                }
            }
        }
        let size = points[0].norm();
        points.iter_mut().for_each(|p| *p *= size / p.norm());
    }
    points.iter().map(|p| p / p.norm()).collect()
}
