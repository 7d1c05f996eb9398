//! Parts of a world that are recorded only for drawing: the ground and the shapes of platforms.
//!
//! A shape is a JSON object with `kind`, its sizes in m, and `at`: position and quaternion w x y z. Kinds are `plane`, `sphere`,
//! `capsule`, `box`, `ellipsoid`, `cylinder`, `hull` and `heightfield`; sizes are named as in [`Shape`]. The heights of a
//! heightfield stand row by row over a rectangle around `at`; where it is `endless`, the heights at the border continue without end.

use super::RecordingError;
use super::of_world::pose;
use super::recorder::text_of;
use crate::Platform;
use crate::terrain::{Heightfield, Terrain};
use serde_json::{Value, json};
use sinew_dynamics::spatial::{Inertia, Placement, Quat, Vec3};
use sinew_dynamics::{BodySpec, Geom, Model, ModelSpec, Shape};

/// A terrain as a list of shapes.
pub(super) fn ground(terrain: &Terrain) -> Value {
    let solids = terrain.drawing().map(|(shape, at)| shape_json(&shape, &at));
    solids.chain(terrain.fields().map(field_json)).collect()
}

/// A platform as the MJCF of a body of its shape.
pub(super) fn platform(platform: &Platform) -> Result<String, RecordingError> {
    let mut spec = ModelSpec::new(&platform.name);
    let body = BodySpec::new(&platform.name, None, Inertia::ZERO);
    spec.bodies.push(body.with_geom(Geom::new(platform.shape.clone())));
    let model = Model::new(spec).map_err(|e| RecordingError::Meta(e.to_string()))?;
    text_of(&model)
}

fn shape_json(shape: &Shape, at: &Placement) -> Value {
    let three = |v: &Vec3| [v.x, v.y, v.z];
    let mut value = match shape {
        Shape::Plane { half } => json!({"kind": "plane", "half": half}),
        Shape::Sphere { radius } => json!({"kind": "sphere", "radius": radius}),
        Shape::Capsule { radius, half } => json!({"kind": "capsule", "radius": radius, "half": half}),
        Shape::Box { half } => json!({"kind": "box", "half": three(half)}),
        Shape::Ellipsoid { half } => json!({"kind": "ellipsoid", "half": three(half)}),
        Shape::Cylinder { radius, half } => json!({"kind": "cylinder", "radius": radius, "half": half}),
        Shape::Mesh { vertices, .. } => {
            json!({"kind": "hull", "points": vertices.iter().flat_map(three).collect::<Vec<_>>()})
        }
    };
    value["at"] = json!(pose(at));
    value
}

fn field_json(field: &Heightfield) -> Value {
    let half = [0, 1].map(|k| 0.5 * field.spacing[k] * ([field.columns, field.rows][k] - 1) as f64);
    let middle = Vec3::new(field.origin[0] + half[0], field.origin[1] + half[1], 0.0);
    json!({
        "kind": "heightfield", "columns": field.columns, "rows": field.rows, "half": half,
        "heights": field.heights, "endless": true, "at": pose(&Placement::new(Quat::identity(), middle)),
    })
}
