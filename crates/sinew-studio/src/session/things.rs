//! Boxes that are thrown at characters.

use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{BodySpec, Geom, JointSpec, Model, ModelSpec, Shape};
use sinew::world::World;
use std::sync::Arc;

/// Most boxes in a world; the next one is the first again.
pub const MOST: usize = 4;
/// Cardboard.
const COLOR: [f32; 4] = [0.80, 0.62, 0.40, 1.0];

/// A box on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Throw {
    /// Where it begins, m.
    pub from: Vec3,
    /// m/s.
    pub velocity: Vec3,
    /// kg.
    pub mass: f64,
    /// Half of its edge, m.
    pub half: f64,
}

/// Puts a box into the world, or takes the oldest one again; says whether there is one more now.
///
/// # Errors
/// In words, when there can be no such box.
pub fn throw(world: &mut World, throw: &Throw) -> Result<bool, String> {
    let boxes = world.actors().len() - 1;
    let gravity = world.actors()[0].model().gravity();
    let new = boxes < MOST;
    let index = if new {
        world.add_object(format!("box {}", boxes + 1), model(throw, gravity)?)
    } else {
        1 + (world.steps() as usize / 97) % MOST
    };
    if !new {
        let other = model(throw, gravity)?;
        world.change_body(index, "thrown again", other).map_err(|e| e.to_string())?;
    }
    let actor = world.actor_mut(index);
    actor.q.copy_from_slice(&[throw.from.x, throw.from.y, throw.from.z, 1.0, 0.0, 0.0, 0.0]);
    let v = throw.velocity;
    actor.v.copy_from_slice(&[v.x, v.y, v.z, 0.6, 0.9, 0.3]);
    Ok(new)
}

/// Gives all boxes this gravity.
///
/// # Errors
/// In words; none is known.
pub fn set_gravity(world: &mut World, gravity: Vec3) -> Result<(), String> {
    for index in 1..world.actors().len() {
        let mut spec = world.actors()[index].model().spec().clone();
        if spec.gravity != gravity {
            spec.gravity = gravity;
            let model = Model::new(spec).map_err(|e| e.to_string())?;
            world.change_body(index, "gravity", Arc::new(model)).map_err(|e| e.to_string())?;
        }
    }
    Ok(())
}

fn model(throw: &Throw, gravity: Vec3) -> Result<Arc<Model>, String> {
    let shape = Shape::Box { half: Vec3::repeat(throw.half) };
    let geom = Geom { friction: 0.7, rgba: COLOR, ..Geom::new(shape) };
    let body = BodySpec::new("box", None, geom.shape.solid(throw.mass));
    let mut spec = ModelSpec::new("box");
    spec.gravity = gravity;
    spec.bodies.push(body.with_joint(JointSpec::free("root")).with_geom(geom));
    Model::new(spec).map(Arc::new).map_err(|e| e.to_string())
}
