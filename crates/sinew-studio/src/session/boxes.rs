//! Boxes thrown at characters.

use sinew::dynamics::spatial::Vec3;
use sinew::dynamics::{Model, ModelError, Shape};
use sinew::world::{BodyChangeError, World, scenes};
use std::sync::Arc;

/// Greatest number of boxes in a world; the next throw reuses the oldest.
const MOST: usize = 4;
/// Coefficient of friction of cardboard.
const FRICTION: f64 = 0.7;
/// How a box spins, rad/s.
const SPIN: [f64; 3] = [0.6, 0.9, 0.3];

/// A thrown box.
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

/// The boxes of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Boxes {
    /// Index of the first one among the actors.
    first: usize,
    /// How many were thrown.
    thrown: usize,
}

impl Boxes {
    /// No boxes, in a world with this number of actors.
    pub fn after(actors: usize) -> Boxes {
        Boxes { first: actors, thrown: 0 }
    }

    /// Adds a box to the world, or reuses the oldest one; returns whether one was added.
    ///
    /// # Errors
    /// When the box's numbers are out of range.
    pub fn throw(&mut self, world: &mut World, throw: &Throw) -> Result<bool, BodyChangeError> {
        let shape = Shape::Box { half: Vec3::repeat(throw.half) };
        let body = scenes::things::free(
            "box",
            shape,
            throw.mass,
            FRICTION,
            scenes::things::CARDBOARD,
            Vec3::zeros(),
        );
        let body = under(&body, world.actors()[0].model().gravity()).unwrap_or(body);
        let new = self.thrown < MOST;
        let index = self.first + self.thrown % MOST;
        if new {
            world.add_object(format!("thrown {}", self.thrown + 1), body);
        } else {
            world.change_body(index, "thrown again", body)?;
        }
        self.thrown += 1;
        let actor = world.actor_mut(index);
        actor.q.copy_from_slice(&[throw.from.x, throw.from.y, throw.from.z, 1.0, 0.0, 0.0, 0.0]);
        actor.v[..3].copy_from_slice(throw.velocity.as_slice());
        actor.v[3..].copy_from_slice(&SPIN);
        Ok(new)
    }
}

/// Gives all things besides the character this gravity.
///
/// # Errors
/// When a body cannot change.
pub fn set_gravity(world: &mut World, gravity: Vec3) -> Result<(), BodyChangeError> {
    for index in 1..world.actors().len() {
        let model = world.actors()[index].model();
        if model.gravity() != gravity
            && let Ok(body) = under(model, gravity)
        {
            world.change_body(index, "gravity", body)?;
        }
    }
    Ok(())
}

/// The same body under another gravity.
fn under(model: &Arc<Model>, gravity: Vec3) -> Result<Arc<Model>, ModelError> {
    let mut spec = model.spec().clone();
    spec.gravity = gravity;
    Model::new(spec).map(Arc::new)
}
