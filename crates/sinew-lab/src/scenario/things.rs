//! Objects: boxes, balls, a seesaw, a bar to hang from, a barbell to hold; and moving platforms.

use crate::LabError;
use sinew_dynamics::spatial::{Quat, Vec3};
use sinew_dynamics::{BodyId, Data, Model, Shape, forward_kinematics};
use sinew_world::scenes::things;
use sinew_world::{Attachment, Path, Platform, World};
use std::sync::Arc;

/// A kind of object. Lengths in m, masses in kg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thing {
    /// A box of uniform density.
    Box {
        /// Edges along x, y and z.
        size: Vec3,
        /// Mass.
        mass: f64,
    },
    /// A ball of uniform density.
    Ball {
        /// Radius.
        radius: f64,
        /// Mass.
        mass: f64,
    },
    /// A plank that turns about the y axis through its middle.
    Seesaw {
        /// Edges along x, y and z.
        size: Vec3,
        /// Mass.
        mass: f64,
        /// Greatest tilt, rad.
        tip: f64,
    },
    /// A round rod along y.
    Bar {
        /// Length.
        length: f64,
        /// Mass.
        mass: f64,
    },
    /// A bar along y with two plates.
    Barbell {
        /// Mass of the bar.
        bar: f64,
        /// Mass of a plate.
        plate: f64,
    },
}

/// What holds an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Held {
    /// Nothing.
    #[default]
    Free,
    /// The world: the object does not move.
    Fixed,
    /// The character's hands in their initial place: the object is put between them.
    Hands,
    /// The world and the hands: a bar to hang from.
    FixedAndHands,
}

impl Held {
    /// Names in files, in the order of [`Held::ALL`].
    pub const NAMES: &'static [&'static str] = &["nothing", "world", "hands", "world and hands"];
    /// All of them.
    pub const ALL: [Held; 4] = [Held::Free, Held::Fixed, Held::Hands, Held::FixedAndHands];

    /// Its name.
    pub fn name(self) -> &'static str {
        Held::ALL.iter().zip(Held::NAMES).find(|(held, _)| **held == self).map_or("", |(_, name)| name)
    }
}

/// An object and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct ThingPlan {
    /// Its name, unique in the world.
    pub name: String,
    /// Its kind.
    pub thing: Thing,
    /// Position of its middle, m.
    pub at: Vec3,
    /// Initial velocity, m/s.
    pub velocity: Vec3,
    /// Coefficient of friction; the less of both sides of a contact counts.
    pub friction: f64,
    /// What holds it.
    pub held: Held,
}

/// A box-shaped platform that moves on a given path, unaffected by loads.
#[derive(Clone, Debug, PartialEq)]
pub struct PlatformPlan {
    /// Its name, unique in the world.
    pub name: String,
    /// Edges along x, y and z, m.
    pub size: Vec3,
    /// Its path.
    pub path: Path,
    /// Coefficient of friction.
    pub friction: f64,
}

impl PlatformPlan {
    pub(crate) fn build(&self) -> Platform {
        let shape = Shape::Box { half: self.size * 0.5 };
        Platform { name: self.name.clone(), shape, path: self.path, friction: self.friction }
    }
}

impl ThingPlan {
    /// Adds it to a world that has a character.
    pub(crate) fn place(&self, world: &mut World, character: usize) -> Result<(), LabError> {
        let held = matches!(self.held, Held::Hands | Held::FixedAndHands);
        let palms = if held { palms(world, character)? } else { Vec::new() };
        let at = match palms[..] {
            [(_, _, left), (_, _, right)] => 0.5 * (left + right),
            _ => self.at,
        };
        let index = world.add_object(self.name.clone(), self.model(at));
        let body = (index, BodyId(0));
        let v = &mut world.actor_mut(index).v;
        if v.len() == 6 {
            v[..3].copy_from_slice(self.velocity.as_slice());
        }
        if matches!(self.held, Held::Fixed | Held::FixedAndHands) {
            let orientation = Some(Quat::identity());
            world.attach(Attachment { a: body, point_a: Vec3::zeros(), b: None, point_b: at, orientation });
        }
        for (hand, palm, place) in palms {
            let (a, b) = ((character, hand), Some(body));
            world.attach(Attachment { a, point_a: palm, b, point_b: place - at, orientation: None });
        }
        Ok(())
    }

    fn model(&self, at: Vec3) -> Arc<Model> {
        let friction = self.friction;
        match self.thing {
            Thing::Box { size, mass } => {
                things::free("box", Shape::Box { half: size * 0.5 }, mass, friction, things::CARDBOARD, at)
            }
            Thing::Ball { radius, mass } => {
                things::free("ball", Shape::Sphere { radius }, mass, friction, things::RUBBER, at)
            }
            Thing::Seesaw { size, mass, tip } => things::seesaw(size * 0.5, mass, tip, at),
            Thing::Bar { length, mass } => things::rod(0.5 * length, mass, at),
            Thing::Barbell { bar, plate } => things::barbell(bar, plate, at),
        }
    }
}

/// Bodies of the hands, and positions of the palms on them and in the world.
fn palms(world: &World, character: usize) -> Result<Vec<(BodyId, Vec3, Vec3)>, LabError> {
    let actor = &world.actors()[character];
    let model = actor.model();
    let mut data = Data::new(model);
    forward_kinematics(model, &mut data, &actor.q);
    let palm = |name: &str| {
        let (body, site) =
            model.site(name).ok_or_else(|| LabError::Palms { model: model.name().to_owned() })?;
        Ok((body, site.pos, data.body_placement(model, body).act(&site.pos)))
    };
    ["hand_l", "hand_r"].into_iter().map(palm).collect()
}
