//! Bodies that the tests share.

use sinew_dynamics::spatial::{Inertia, Vec3};
use sinew_dynamics::{BodySpec, Geom, JointSpec, Model, ModelSpec, Shape};
use sinew_world::{Terrain, World};
use std::sync::Arc;

/// A free body of one shape and uniform density, its centre at `at`.
pub(crate) fn free(shape: Shape, mass: f64, friction: f64, at: Vec3) -> ModelSpec {
    let mut geom = Geom::new(shape);
    geom.friction = friction;
    let mut spec = ModelSpec::new("body");
    let inertia: Inertia = geom.shape.solid(mass);
    spec.bodies.push(
        BodySpec::new("body", None, inertia).at(at).with_joint(JointSpec::free("root")).with_geom(geom),
    );
    spec
}

pub(crate) fn build(spec: ModelSpec) -> Arc<Model> {
    Arc::new(Model::new(spec).expect("a valid model"))
}

/// Gravity on a slope of `angle` that falls in direction `heading`, seen from the slope.
pub(crate) fn slope_gravity(angle: f64, heading: f64) -> Vec3 {
    Vec3::new(angle.sin() * heading.cos(), angle.sin() * heading.sin(), -angle.cos()) * 9.81
}

/// A box on a slope of `angle` falling in direction `heading`, friction `mu`.
pub(crate) fn block(angle: f64, heading: f64, mu: f64) -> World {
    let half = Vec3::new(0.2, 0.15, 0.1);
    let mut spec = free(Shape::Box { half }, 3.0, mu, Vec3::new(0.0, 0.0, half.z));
    spec.gravity = slope_gravity(angle, heading);
    let mut world = World::new(Terrain::flat());
    world.add_object("block", build(spec));
    world
}
