//! Objects: boxes, balls, a seesaw, a bar, a barbell.

use sinew_dynamics::spatial::{Inertia, Quat, Vec3};
use sinew_dynamics::{BodySpec, Geom, JointSpec, Model, ModelSpec, Shape};
use std::sync::Arc;

/// Colour of cardboard.
pub const CARDBOARD: [f32; 4] = [0.78, 0.62, 0.42, 1.0];
/// Colour of iron.
pub const IRON: [f32; 4] = [0.35, 0.37, 0.40, 1.0];
/// Colour of wood.
pub const WOOD: [f32; 4] = [0.62, 0.45, 0.28, 1.0];
/// Colour of rubber.
pub const RUBBER: [f32; 4] = [0.80, 0.33, 0.25, 1.0];

/// A free body of uniform density.
pub fn free(name: &str, shape: Shape, mass: f64, friction: f64, rgba: [f32; 4], at: Vec3) -> Arc<Model> {
    let geom = Geom { friction, rgba, ..Geom::new(shape) };
    let inertia = geom.shape.solid(mass);
    build(name, BodySpec::new(name, None, inertia).at(at).with_joint(JointSpec::free("root")).with_geom(geom))
}

/// A plank that turns about the y axis through its middle, by `most` radians either way.
pub fn seesaw(half: Vec3, mass: f64, most: f64, at: Vec3) -> Arc<Model> {
    let geom = Geom { friction: 0.9, rgba: WOOD, ..Geom::new(Shape::Box { half }) };
    let inertia = geom.shape.solid(mass);
    let hinge = JointSpec { damping: 1500.0, ..JointSpec::hinge("pivot", Vec3::y()).limited(-most, most) };
    build("seesaw", BodySpec::new("plank", None, inertia).at(at).with_joint(hinge).with_geom(geom))
}

/// A round rod along y.
pub fn rod(half: f64, mass: f64, at: Vec3) -> Arc<Model> {
    let shape = Shape::Capsule { radius: 0.018, half };
    let geom = Geom { friction: 0.6, rgba: IRON, quat: along_y(), ..Geom::new(shape) };
    let inertia = geom.shape.solid(mass).placed(&geom.placement());
    build(
        "rod",
        BodySpec::new("rod", None, inertia).at(at).with_joint(JointSpec::free("root")).with_geom(geom),
    )
}

/// Turns the axis of a capsule or cylinder from z to y.
fn along_y() -> Quat {
    Quat::from_axis_angle(&Vec3::x_axis(), core::f64::consts::FRAC_PI_2)
}

/// A bar along y with a plate near each end: masses in kg.
pub fn barbell(bar: f64, plate: f64, at: Vec3) -> Arc<Model> {
    let part = |shape: Shape, y: f64| Geom {
        friction: 0.6,
        rgba: IRON,
        quat: along_y(),
        pos: Vec3::new(0.0, y, 0.0),
        ..Geom::new(shape)
    };
    let disc = Shape::Cylinder { radius: 0.16, half: 0.02 };
    let geoms = [
        (Shape::Capsule { radius: 0.014, half: 0.7 }, 0.0, bar),
        (disc.clone(), 0.55, plate),
        (disc, -0.55, plate),
    ];
    let mut body = BodySpec::new("barbell", None, Inertia::ZERO).at(at).with_joint(JointSpec::free("root"));
    for (shape, y, mass) in geoms {
        let geom = part(shape, y);
        body.inertia = body.inertia + geom.shape.solid(mass).placed(&geom.placement());
        body = body.with_geom(geom);
    }
    build("barbell", body)
}

/// A ball on a rope: the rope is drawn, rises along z to `rope`, and weighs nothing.
pub(super) fn ball_on_rope(radius: f64, mass: f64, rope: f64, at: Vec3, turn: Quat) -> Arc<Model> {
    let ball = Geom { friction: 0.5, rgba: IRON, ..Geom::new(Shape::Sphere { radius }) };
    let line = Geom {
        pos: Vec3::new(0.0, 0.0, 0.5 * rope),
        contype: 0,
        conaffinity: 0,
        rgba: WOOD,
        ..Geom::new(Shape::Capsule { radius: 0.015, half: 0.5 * rope })
    };
    let body = BodySpec::new("ball", None, ball.shape.solid(mass)).at(at).turned(turn);
    build("ball", body.with_joint(JointSpec::free("root")).with_geom(ball).with_geom(line))
}

fn build(name: &str, body: BodySpec) -> Arc<Model> {
    let mut spec = ModelSpec::new(name);
    spec.bodies.push(body);
    Arc::new(Model::new(spec).expect("things of fixed sizes are valid"))
}
