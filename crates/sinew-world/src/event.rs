//! Planned events of a world.

use crate::attachment::Attachment;
use crate::body_change::BodyChangeError;
use crate::push::{Hand, Push};
use crate::world::World;
use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Model};
use std::sync::Arc;

/// An event just before a step.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A push begins.
    Push(Push),
    /// The hand takes hold, moves, or (`None`) lets go.
    Hand(Option<Hand>),
    /// A grip or weld closes.
    Attach(Attachment),
    /// The grip or weld with this description opens, if there is one.
    Detach(Attachment),
    /// All shapes of a body get another coefficient of friction.
    Friction {
        /// Index of the actor.
        actor: usize,
        /// The body.
        body: BodyId,
        /// Coefficient of sliding friction.
        friction: f64,
    },
    /// Gravity changes for all, m/s².
    Gravity(Vec3),
    /// An actor gets another body: see [`World::change_body`].
    Body {
        /// Index of the actor.
        actor: usize,
        /// What changes, in words.
        what: String,
        /// The new body.
        model: Arc<Model>,
    },
}

impl World {
    /// Plans an event for the step that begins at this time (the nearest one; the next one if that is past). Events of one
    /// step happen in the order in which they were planned.
    ///
    /// Gravity, friction and bodies are properties of an actor's [`Model`]; changing one is a change of the body, and recorded
    /// as such.
    ///
    /// ```
    /// use sinew_dynamics::{characters, spatial::Vec3};
    /// use sinew_world::{Event, Terrain, World};
    /// let mut world = World::new(Terrain::flat());
    /// let me = world.add_character("human", characters::load("human")?.into());
    /// world.actor_mut(me).q[2] += 1.0;
    /// world.at(0.0, Event::Gravity(Vec3::zeros()));
    /// world.at(0.1, Event::Gravity(Vec3::new(0.0, 0.0, -1.62))); // on the moon
    /// for _ in 0..200 {
    ///     world.step(&[])?;
    /// }
    /// assert!((world.actors()[me].v[2] + 0.162).abs() < 0.01);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(&mut self, time: f64, event: Event) {
        let step = self.step_at(time);
        let place = self.events.partition_point(|(s, _)| *s <= step);
        self.events.insert(place, (step, event));
    }

    /// Runs the events that are due; after an error the event stays planned.
    pub(crate) fn run_events(&mut self) -> Result<(), BodyChangeError> {
        while let Some((_, event)) = self.events.first().filter(|(step, _)| *step <= self.steps) {
            match event.clone() {
                Event::Push(push) => self.push(push),
                Event::Hand(hand) => self.set_hand(hand),
                Event::Attach(attachment) => {
                    self.attach(attachment);
                }
                Event::Detach(attachment) => {
                    if let Some(k) = self.attachments.iter().position(|h| h.attachment == attachment) {
                        self.detach(k);
                    }
                }
                Event::Friction { actor, body, friction } => {
                    let what = format!("friction {friction} of body {}", body.0);
                    self.redescribe(actor, &what, |spec| {
                        spec.bodies[body.0].geoms.iter_mut().for_each(|g| g.friction = friction);
                    })?;
                }
                Event::Gravity(gravity) => {
                    let what = format!("gravity {} {} {} m/s²", gravity.x, gravity.y, gravity.z);
                    for actor in 0..self.actors.len() {
                        self.redescribe(actor, &what, |spec| spec.gravity = gravity)?;
                    }
                }
                Event::Body { actor, what, model } => self.change_body(actor, &what, model)?,
            }
            self.events.remove(0);
        }
        Ok(())
    }
}
