//! Converts a model's bodies to parts for drawing, and a terrain to shapes.

use super::scene::{Form, Part, Shape, origin, pose, single};
use sinew::dynamics::spatial::{Placement, Vec3};
use sinew::dynamics::{self, BodyId, BodySpec, Geom, Model, ModelSpec, Role, Side};
use sinew::motion::skin::linear;
use sinew::world::Terrain;

/// How shapes are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// As the model says, the left side slightly warm and the right one slightly cool.
    Character,
    /// As the model says; the page chooses where it says nothing.
    Thing,
}

/// For characters of no colour.
const PLAIN: [f32; 3] = [0.62, 0.64, 0.68];
/// MuJoCo's grey, which models have that say nothing of colour.
const UNSAID: f32 = 0.5;
/// What the linear colours of a side are multiplied by.
const LEFT: [f32; 3] = [1.07, 1.0, 0.93];
const RIGHT: [f32; 3] = [0.94, 1.0, 1.07];

impl Paint {
    /// The linear colour of a shape on a side.
    pub fn linear(self, rgba: [f32; 4], side: Option<Side>) -> [f32; 3] {
        let [r, g, b, _] = rgba;
        let said = [r, g, b].map(linear);
        match self {
            Paint::Thing => said,
            Paint::Character => {
                let color = if is_said(rgba) { said } else { PLAIN };
                let tint = match side {
                    Some(Side::Left) => LEFT,
                    Some(Side::Right) => RIGHT,
                    None => [1.0; 3],
                };
                [0, 1, 2].map(|k| (color[k] * tint[k]).min(1.0))
            }
        }
    }

    /// The colour of a shape for the page, linear, with its opacity.
    fn shape(self, rgba: [f32; 4], side: Option<Side>) -> Option<[f32; 4]> {
        let [r, g, b] = self.linear(rgba, side);
        (self == Paint::Character || is_said(rgba)).then_some([r, g, b, rgba[3]])
    }
}

fn is_said([r, g, b, _]: [f32; 4]) -> bool {
    [r, g, b].iter().any(|c| *c != UNSAID)
}

/// The bodies of a model, with their roles.
pub fn parts(model: &Model, paint: Paint) -> Vec<Part> {
    let (rest, sides) = (model.spec().reference_placements(), sides(model));
    let part = |(i, body): (usize, &BodySpec)| Part {
        name: body.name.clone(),
        parent: body.parent,
        role: role_of(model, i).map(|r| r.to_string()),
        side: sides[i].map(|side| match side {
            Side::Left => "left",
            Side::Right => "right",
        }),
        rest: pose(&rest[i]),
        shapes: body
            .geoms
            .iter()
            .map(|geom| Shape { color: paint.shape(geom.rgba, sides[i]), ..shape(geom) })
            .collect(),
    };
    model.bodies().iter().enumerate().map(part).collect()
}

fn role_of(model: &Model, body: usize) -> Option<Role> {
    Role::all().find(|&role| model.role(role) == Some(BodyId(body)))
}

/// The side of every body; toes, fingers and the like belong to the side that carries them.
pub fn sides(model: &Model) -> Vec<Option<Side>> {
    let mut sides: Vec<Option<Side>> = Vec::new();
    for (i, body) in model.bodies().iter().enumerate() {
        sides.push(role_of(model, i).and_then(side).or_else(|| sides[body.parent?]));
    }
    sides
}

/// A part at the origin, without shapes.
pub fn at_origin() -> Part {
    Part { rest: origin(), ..Part::default() }
}

/// A shape without a colour, in its place.
pub fn plain(shape: &dynamics::Shape) -> Shape {
    Shape { form: form(shape), at: origin(), color: None }
}

/// Shapes of a model file that are fixed in the world.
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

fn side(role: Role) -> Option<Side> {
    match role {
        Role::Pelvis | Role::Trunk | Role::Head => None,
        Role::UpperArm(s) | Role::LowerArm(s) | Role::Hand(s) => Some(s),
        Role::Thigh(s) | Role::Shin(s) | Role::Foot(s) | Role::Toe(s) => Some(s),
    }
}

fn shape(geom: &Geom) -> Shape {
    Shape { form: form(&geom.shape), at: pose(&geom.placement()), color: None }
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
