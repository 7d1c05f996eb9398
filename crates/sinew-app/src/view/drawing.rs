//! A model's bodies as parts to draw.

use super::scene::{Form, Part, Shape, pose, single};
use sinew::dynamics::{self, BodyId, Geom, Model, ModelSpec, Role, Side};

/// The bodies of a model, with who plays which part.
pub(crate) fn parts(model: &Model) -> Vec<Part> {
    let rest = model.spec().reference_placements();
    let mut parts: Vec<Part> = Vec::with_capacity(rest.len());
    for (i, (body, rest)) in model.bodies().iter().zip(&rest).enumerate() {
        let role = Role::all().find(|&role| model.role(role) == Some(BodyId(i)));
        // toes, fingers and the like belong to the side that carries them
        let side = role.and_then(side).or_else(|| parts[body.parent?].side);
        parts.push(Part {
            name: body.name.clone(),
            parent: body.parent,
            role: role.map(|r| r.to_string()),
            side,
            anchor: single(&body.joints.first().map_or_else(Default::default, |j| j.anchor)),
            rest: pose(rest),
            shapes: body.geoms.iter().map(shape).collect(),
        });
    }
    parts
}

/// Shapes that a model file fixes in the world.
pub(crate) fn fixed(spec: &ModelSpec) -> Vec<Shape> {
    spec.world_geoms.iter().map(shape).collect()
}

fn side(role: Role) -> Option<&'static str> {
    let of = |s| match s {
        Side::Left => "left",
        Side::Right => "right",
    };
    match role {
        Role::Pelvis | Role::Trunk | Role::Head => None,
        Role::UpperArm(s) | Role::LowerArm(s) | Role::Hand(s) => Some(of(s)),
        Role::Thigh(s) | Role::Shin(s) | Role::Foot(s) | Role::Toe(s) => Some(of(s)),
    }
}

fn shape(geom: &Geom) -> Shape {
    Shape { form: form(&geom.shape), at: pose(&geom.placement()), color: Some(geom.rgba) }
}

/// The form of a shape for collision.
pub(crate) fn form(shape: &dynamics::Shape) -> Form {
    let three = |half| single(half);
    match shape {
        dynamics::Shape::Plane { half } => Form::Plane { half: half.map(|h| h as f32) },
        dynamics::Shape::Sphere { radius } => Form::Sphere { radius: *radius as f32 },
        dynamics::Shape::Capsule { radius, half } => {
            Form::Capsule { radius: *radius as f32, half: *half as f32 }
        }
        dynamics::Shape::Box { half } => Form::Box { half: three(half) },
        dynamics::Shape::Ellipsoid { half } => Form::Ellipsoid { half: three(half) },
        dynamics::Shape::Cylinder { radius, half } => {
            Form::Cylinder { radius: *radius as f32, half: *half as f32 }
        }
        dynamics::Shape::Mesh { vertices, .. } => {
            Form::Hull { points: vertices.iter().flat_map(single).collect() }
        }
    }
}
