//! A model's bodies as parts to draw, and a terrain as shapes.

use super::scene::{Form, Part, Shape, origin, pose, single};
use sinew::dynamics::spatial::{Placement, Vec3};
use sinew::dynamics::{self, BodyId, Geom, Model, ModelSpec, Role, Side};
use sinew::world::Terrain;

/// The bodies of a model, with who plays which part.
pub fn parts(model: &Model) -> Vec<Part> {
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

/// A part at the origin, without shapes.
pub fn at_origin() -> Part {
    Part { rest: origin(), ..Part::default() }
}

/// A shape of no particular colour, in its place.
pub fn plain(shape: &dynamics::Shape) -> Shape {
    Shape { form: form(shape), at: origin(), color: None }
}

/// Shapes that a model file fixes in the world.
pub fn fixed(spec: &ModelSpec) -> Vec<Shape> {
    spec.world_geoms.iter().map(shape).collect()
}

/// The ground.
pub fn ground(terrain: &Terrain) -> Vec<Shape> {
    let solids =
        terrain.drawing().map(|(shape, at)| Shape { form: form(&shape), at: pose(&at), color: None });
    let fields = terrain.fields().map(|field| {
        let half = [0, 1].map(|k| 0.5 * field.spacing[k] * ([field.columns, field.rows][k] - 1) as f64);
        let middle = Vec3::new(field.origin[0] + half[0], field.origin[1] + half[1], 0.0);
        let form = Form::Heightfield {
            columns: field.columns,
            rows: field.rows,
            half: half.map(|h| h as f32),
            heights: field.heights.iter().map(|h| *h as f32).collect(),
            endless: true,
        };
        Shape { form, at: pose(&Placement { pos: middle, ..Placement::identity() }), color: None }
    });
    solids.chain(fields).collect()
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
pub fn form(shape: &dynamics::Shape) -> Form {
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

/// Raises `worst`, one number per body, to the shares of their limits that the torques at the joints of each body are.
pub fn efforts(model: &Model, tau: &[f64], worst: &mut [f64]) {
    let limits = model.effort_limits();
    let share = |k: usize| if limits[k] > 0.0 { tau[k].abs() / limits[k] } else { 0.0 };
    for joint in model.joints() {
        let most = (joint.v..joint.v + joint.kind.nv()).map(share).fold(0.0, f64::max);
        worst[joint.body.0] = worst[joint.body.0].max(most);
    }
}
