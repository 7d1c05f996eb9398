//! How far shapes reach: support points, and the extent of a whole body along a direction.
//!
//! The support point of a convex shape in direction `d` is the point `x` of the shape with the greatest `d·x`. It is all
//! that height, ground clearance and convex collision ask of a shape. Cost: constant for each primitive, linear in the
//! corners of a mesh.

use super::{BodyId, Geom, Model, ModelSpec, Shape};
use crate::Data;
use crate::spatial::{Placement, Vec3};

impl Shape {
    /// The point of the shape farthest along `dir`, in the shape's frame; `dir` need not be of unit length.
    ///
    /// A plane has no farthest point: it counts as its drawn rectangle.
    ///
    /// ```
    /// use sinew_dynamics::Shape;
    /// use sinew_dynamics::spatial::Vec3;
    /// let leg = Shape::Capsule { radius: 0.1, half: 0.4 };
    /// assert_eq!(leg.support(&-Vec3::z()), Vec3::new(0.0, 0.0, -0.5));
    /// ```
    pub fn support(&self, dir: &Vec3) -> Vec3 {
        let along = |v: Vec3, length: f64| {
            let n = v.norm();
            if n > 0.0 { v * (length / n) } else { Vec3::zeros() }
        };
        let end = |half: f64| Vec3::new(0.0, 0.0, half.copysign(dir.z));
        let corner = |half: &Vec3| half.zip_map(dir, f64::copysign);
        match self {
            Shape::Plane { half } => corner(&Vec3::new(half[0], half[1], 0.0)),
            Shape::Sphere { radius } => along(*dir, *radius),
            Shape::Capsule { radius, half } => along(*dir, *radius) + end(*half),
            Shape::Box { half } => corner(half),
            Shape::Ellipsoid { half } => {
                // x = H² d / |H d| with H the half axes
                let stretched = dir.component_mul(half);
                along(stretched, 1.0).component_mul(half)
            }
            Shape::Cylinder { radius, half } => along(Vec3::new(dir.x, dir.y, 0.0), *radius) + end(*half),
            Shape::Mesh { vertices, .. } => {
                let farther = |a: &&Vec3, b: &&Vec3| a.dot(dir).total_cmp(&b.dot(dir));
                vertices.iter().max_by(farther).copied().unwrap_or_default()
            }
        }
    }
}

impl Geom {
    /// The point of the shape farthest along `dir`, both in the body's frame.
    pub fn support(&self, dir: &Vec3) -> Vec3 {
        let at = self.placement();
        at.act(&self.shape.support(&at.rot.tr_mul(dir)))
    }
}

impl ModelSpec {
    /// Direction against gravity; z without gravity.
    pub(super) fn up(&self) -> Vec3 {
        (-self.gravity).try_normalize(1e-9).unwrap_or_else(Vec3::z)
    }

    /// Frames of all bodies in the world with every joint at its reference.
    ///
    /// # Panics
    /// When a body comes before its parent, which [`Model::new`](super::Model::new) refuses.
    pub fn reference_placements(&self) -> Vec<Placement> {
        let mut placements: Vec<Placement> = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            let outer = body.parent.map_or_else(Placement::identity, |p| placements[p]);
            placements.push(outer * body.placement());
        }
        placements
    }

    /// Least and greatest coordinate along `dir` of all shapes of the bodies, which stand at `placements` in the world.
    ///
    /// With `dir` up, the first is the height of the sole and the difference is the height of the character. Planes do
    /// not count; `None` when there are no shapes.
    ///
    /// ```
    /// use sinew_dynamics::{BodySpec, Geom, ModelSpec, Shape};
    /// use sinew_dynamics::spatial::{Inertia, Vec3};
    /// let mut spec = ModelSpec::new("ball");
    /// let ball = BodySpec::new("ball", None, Inertia::ZERO).at(Vec3::new(0.0, 0.0, 2.0));
    /// spec.bodies.push(ball.with_geom(Geom::new(Shape::Sphere { radius: 0.5 })));
    /// let placements = spec.reference_placements();
    /// assert_eq!(spec.extent(&placements, &Vec3::z()), Some([1.5, 2.5]));
    /// ```
    ///
    /// # Panics
    /// When there are fewer placements than bodies.
    pub fn extent(&self, placements: &[Placement], dir: &Vec3) -> Option<[f64; 2]> {
        let each = self.bodies.iter().zip(&placements[..self.bodies.len()]);
        each.filter_map(|(body, at)| geoms_extent(&body.geoms, at, dir)).reduce(join)
    }
}

impl Data {
    /// Least and greatest coordinate along `dir` of all shapes of the bodies, in the state of the last algorithm.
    ///
    /// Planes do not count; `None` when there are no shapes.
    pub fn extent(&self, model: &Model, dir: &Vec3) -> Option<[f64; 2]> {
        let each = model.bodies().iter().enumerate();
        each.filter_map(|(i, body)| geoms_extent(&body.geoms, &self.body_placement(model, BodyId(i)), dir))
            .reduce(join)
    }
}

impl Model {
    /// Direction against gravity; z without gravity.
    pub fn up(&self) -> Vec3 {
        self.spec().up()
    }

    /// Height in the reference pose, m; 0 without shapes.
    ///
    /// ```
    /// let human = sinew_dynamics::characters::load("human")?;
    /// assert!((human.height() - 1.755).abs() < 0.05);
    /// # Ok::<(), sinew_dynamics::characters::UnknownCharacter>(())
    /// ```
    pub fn height(&self) -> f64 {
        let spec = self.spec();
        spec.extent(&spec.reference_placements(), &self.up()).map_or(0.0, |[low, high]| high - low)
    }
}

/// The interval that covers both.
fn join(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

/// Least and greatest coordinate along `dir` of shapes in a frame at `at`.
pub(super) fn geoms_extent(geoms: &[Geom], at: &Placement, dir: &Vec3) -> Option<[f64; 2]> {
    let local = at.rot.tr_mul(dir);
    let reach = |geom: &Geom, d: Vec3| at.act(&geom.support(&d)).dot(dir);
    let solid = geoms.iter().filter(|g| !matches!(g.shape, Shape::Plane { .. }));
    solid.map(|g| [reach(g, -local), reach(g, local)]).reduce(join)
}
