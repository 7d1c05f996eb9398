//! How tall a model stands.

use sinew::dynamics::spatial::Mat3;
use sinew::dynamics::{BodyId, Data, Model, Shape, forward_kinematics};

/// Vertical extent of the bodies' shapes in the standing pose: the first keyframe, else the neutral configuration.
/// `None` when no body has a shape.
pub(crate) fn of(model: &Model) -> Option<f64> {
    let q = match model.spec().keyframes.first() {
        Some(key) => key.q.clone(),
        None => model.neutral(),
    };
    let mut data = Data::new(model);
    forward_kinematics(model, &mut data, &q);
    let mut span: Option<(f64, f64)> = None;
    for (i, body) in model.bodies().iter().enumerate() {
        let frame = data.body_placement(model, BodyId(i));
        for geom in &body.geoms {
            let placed = frame * geom.placement();
            let Some((below, above)) = reach(&geom.shape, &placed.rot) else { continue };
            let (low, high) = (placed.pos.z - below, placed.pos.z + above);
            span = Some(span.map_or((low, high), |(a, b)| (a.min(low), b.max(high))));
        }
    }
    span.map(|(low, high)| high - low)
}

/// How far a shape turned by `rot` reaches below and above its centre; `None` for a plane, which has no end.
fn reach(shape: &Shape, rot: &Mat3) -> Option<(f64, f64)> {
    // the vertical in the shape's axes
    let up = rot.row(2).transpose();
    let both = |r: f64| Some((r, r));
    match shape {
        Shape::Plane { .. } => None,
        Shape::Sphere { radius } => both(*radius),
        Shape::Capsule { radius, half } => both(radius + half * up.z.abs()),
        Shape::Box { half } => both(up.abs().dot(half)),
        Shape::Ellipsoid { half } => both(up.component_mul(half).norm()),
        Shape::Cylinder { radius, half } => both(half * up.z.abs() + radius * up.xy().norm()),
        Shape::Mesh { vertices, .. } => {
            let along = vertices.iter().map(|p| up.dot(p));
            let (low, high) = along.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
            (low <= high).then_some((-low, high))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::dynamics::spatial::{Inertia, Quat, Vec3};
    use sinew::dynamics::{BodySpec, Geom, JointSpec, ModelSpec};

    fn height(shape: Shape, tilt: f64) -> Option<f64> {
        let mut spec = ModelSpec::new("one");
        let body = BodySpec::new("b", None, Inertia::solid_box(1.0, Vec3::repeat(0.1)))
            .turned(Quat::from_axis_angle(&Vec3::x_axis(), tilt))
            .with_joint(JointSpec::free("root"))
            .with_geom(Geom::new(shape));
        spec.bodies.push(body);
        of(&Model::new(spec).expect("valid"))
    }

    #[test]
    fn every_shape_at_a_tilt() {
        let (s, c) = 0.3f64.sin_cos();
        let half = Vec3::new(0.1, 0.2, 0.4);
        let cases = [
            (Shape::Sphere { radius: 0.5 }, 1.0),
            (Shape::Capsule { radius: 0.1, half: 0.4 }, 2.0 * (0.1 + 0.4 * c)),
            (Shape::Box { half }, 2.0 * (0.2 * s + 0.4 * c)),
            (Shape::Ellipsoid { half }, 2.0 * (0.2 * s).hypot(0.4 * c)),
            (Shape::Cylinder { radius: 0.1, half: 0.4 }, 2.0 * (0.1 * s + 0.4 * c)),
            (Shape::Mesh { name: "m".into(), vertices: vec![Vec3::zeros(), Vec3::z()] }, c),
        ];
        for (shape, expected) in cases {
            let found = height(shape.clone(), 0.3).expect("a height");
            assert!((found - expected).abs() < 1e-12, "{shape:?}: {found} instead of {expected}");
        }
        assert_eq!(height(Shape::Plane { half: [1.0, 1.0] }, 0.3), None);
    }
}
