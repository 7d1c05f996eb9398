//! Support points: exact for every shape, seen from any frame.

use crate::support::Random;
use sinew_dynamics::spatial::{Inertia, Vec3};
use sinew_dynamics::{BodySpec, Data, Geom, JointSpec, Model, ModelSpec, Shape, forward_kinematics};

fn shapes() -> Vec<Shape> {
    let half = Vec3::new(0.1, 0.2, 0.3);
    let vertices = vec![Vec3::zeros(), half, Vec3::new(-0.3, 0.1, 0.0), Vec3::new(0.2, -0.4, 0.1)];
    vec![
        Shape::Sphere { radius: 0.2 },
        Shape::Capsule { radius: 0.1, half: 0.3 },
        Shape::Box { half },
        Shape::Ellipsoid { half },
        Shape::Cylinder { radius: 0.1, half: 0.3 },
        Shape::Mesh { name: "m".into(), vertices },
    ]
}

/// Greatest `d·x` over a shape, as the formulas of geometry give it.
fn reach(shape: &Shape, d: &Vec3) -> f64 {
    let across = (d.x * d.x + d.y * d.y).sqrt();
    match shape {
        Shape::Sphere { radius } => radius * d.norm(),
        Shape::Capsule { radius, half } => radius * d.norm() + half * d.z.abs(),
        Shape::Box { half } => half.dot(&d.abs()),
        Shape::Ellipsoid { half } => half.component_mul(d).norm(),
        Shape::Cylinder { radius, half } => radius * across + half * d.z.abs(),
        Shape::Mesh { vertices, .. } => vertices.iter().map(|v| v.dot(d)).fold(f64::NEG_INFINITY, f64::max),
        Shape::Plane { .. } => 0.0,
    }
}

#[test]
fn support_points_reach_as_far_as_the_shape() {
    let mut random = Random::new(3);
    for shape in shapes() {
        for _ in 0..50 {
            let d = random.vec3(2.0);
            let got = shape.support(&d).dot(&d);
            assert!((got - reach(&shape, &d)).abs() < 1e-14, "{shape:?}");
        }
        assert!(shape.support(&Vec3::zeros()).iter().all(|x| x.is_finite()));
    }
}

#[test]
fn height_follows_the_configuration() {
    let mut spec = ModelSpec::new("stick");
    let geom = Geom { pos: Vec3::new(0.0, 0.0, 0.5), ..Geom::new(Shape::Capsule { radius: 0.1, half: 0.4 }) };
    let inertia = Inertia::solid_box(1.0, Vec3::new(0.1, 0.1, 1.0));
    spec.bodies.push(
        BodySpec::new("stick", None, inertia)
            .with_geom(geom)
            .with_joint(JointSpec::hinge("pivot", Vec3::y())),
    );
    let model = Model::new(spec).unwrap();
    assert!((model.height() - 1.0).abs() < 1e-15);
    let mut data = Data::new(&model);
    forward_kinematics(&model, &mut data, &[std::f64::consts::FRAC_PI_2]);
    let [low, high] = data.extent(&model, &model.up()).unwrap();
    assert!((low + 0.1).abs() < 1e-15 && (high - 0.1).abs() < 1e-15);
    let [back, front] = data.extent(&model, &Vec3::x()).unwrap();
    assert!(back.abs() < 1e-15 && (front - 1.0).abs() < 1e-15);
}
