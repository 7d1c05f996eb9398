//! Records an actor of a world: its steps, the poses of all objects, and attachments.

use super::drawn;
use super::recorder::text_of;
use super::{Attachment, Meta, Recorder, RecordingError, Setup};
use crate::attachment::Attachment as Tie;
use crate::contact_model::ContactModel;
use crate::settings::Integrator;
use crate::world::World;
use sinew_dynamics::spatial::{Placement, rotation};
use sinew_dynamics::{BodyId, Data, forward_kinematics};
use std::path::Path;

/// Records one actor of a [`World`], step by step.
///
/// The world's other actors and its platforms are the objects of the recording; shapes and ground are written down for drawing. Attachments of the actor are declared as
/// they come and go, and so are changes of its body, from the second row on.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_world::recording::{Meta, Recording, WorldRecorder};
/// use sinew_world::{Actuation, Terrain, World};
///
/// let human = characters::load("human")?;
/// let limp = [Actuation::none(human.nv())];
/// let mut world = World::new(Terrain::flat());
/// let me = world.add_character("human", human.into());
/// let mut recorder = WorldRecorder::in_memory(&world, me, Meta::new(world.settings().dt), &[])?;
/// for _ in 0..10 {
///     world.step(&limp)?;
///     recorder.push(&world, &[])?;
/// }
/// let run = Recording::from_bytes(recorder.into_bytes()?)?;
/// assert!(run.audit(&Default::default()).holds);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WorldRecorder {
    recorder: Recorder,
    actor: usize,
    poses: Vec<[f64; 7]>,
    /// Attachments that hold now, and their places in the declarations.
    holding: Vec<(Tie, usize)>,
    /// Workspaces for the frames of all actors.
    frames: Vec<Data>,
}

impl WorldRecorder {
    /// Records into a file. `telemetry` names the figures that come with every step.
    ///
    /// # Panics
    /// If the world has no such actor.
    pub fn create(
        path: impl AsRef<Path>,
        world: &World,
        actor: usize,
        meta: Meta,
        telemetry: &[String],
    ) -> Result<WorldRecorder, RecordingError> {
        Self::new(world, actor, meta, telemetry, |setup| Recorder::create(path, setup))
    }

    /// Records into memory.
    ///
    /// # Panics
    /// If the world has no such actor.
    pub fn in_memory(
        world: &World,
        actor: usize,
        meta: Meta,
        telemetry: &[String],
    ) -> Result<WorldRecorder, RecordingError> {
        Self::new(world, actor, meta, telemetry, Recorder::in_memory)
    }

    fn new(
        world: &World,
        actor: usize,
        mut meta: Meta,
        telemetry: &[String],
        open: impl FnOnce(Setup<'_>) -> Result<Recorder, RecordingError>,
    ) -> Result<WorldRecorder, RecordingError> {
        let things: Vec<String> = things(world).collect();
        let mut objects = Vec::new();
        for (_, other) in others(world, actor) {
            let bodies = other.model().bodies();
            match bodies {
                [_] => objects.push(other.name.clone()),
                _ => objects.extend(bodies.iter().map(|b| format!("{}/{}", other.name, b.name))),
            }
            meta.objects.insert(other.name.clone(), text_of(other.model())?);
        }
        for platform in &world.platforms {
            objects.push(platform.name.clone());
            meta.objects.insert(platform.name.clone(), drawn::platform(platform)?);
        }
        if meta.terrain.is_null() {
            meta.terrain = drawn::ground(world.terrain());
        }
        let settings = &world.settings;
        let finite = |x: f64| Some(x).filter(|x| x.is_finite());
        meta.integrator = settings.integrator;
        meta.midpoint_above = match settings.integrator {
            Integrator::SemiImplicitEuler => finite(settings.midpoint_above),
            Integrator::Rk4 | Integrator::Rk4Held => None,
        };
        meta.joint_speed = match settings.contact {
            ContactModel::Complementarity { .. } => finite(settings.joint_speed),
            ContactModel::Penalty(_) => None,
        };
        meta.contact_model = settings.contact.to_string();
        meta.friction = meta.friction.max(greatest_friction(world, actor));
        meta.actor.clone_from(&world.actors()[actor].name);
        let model = world.actors()[actor].model();
        let recorder = open(Setup { model, meta, things: &things, objects: &objects, telemetry })?;
        let frames = world.actors().iter().map(|a| Data::new(a.model())).collect();
        Ok(WorldRecorder { recorder, actor, poses: Vec::new(), holding: Vec::new(), frames })
    }

    /// Appends the step that the world has just taken.
    pub fn push(&mut self, world: &World, telemetry: &[f64]) -> Result<(), RecordingError> {
        if world.actors().len() != self.frames.len() {
            let problem = "actors were added to the world or removed since the recording began".to_owned();
            return Err(RecordingError::Row { step: self.recorder.len(), problem });
        }
        let frame = world.frame(self.actor);
        self.poses.clear();
        // as they were at the beginning of the step
        for (i, other) in others(world, self.actor) {
            let (model, data) = (other.model(), &mut self.frames[i]);
            forward_kinematics(model, data, world.frame(i).q);
            let placement = |b: usize| data.body_placement(model, BodyId(b));
            self.poses.extend((0..model.bodies().len()).map(|b| pose(&placement(b))));
        }
        self.poses.extend(world.platforms.iter().map(|p| pose(&p.path.at(frame.time).0)));
        self.declare(world, frame.time);
        self.recorder.meta_mut().kinematic |= world.is_unphysical();
        let actor = &world.actors()[self.actor];
        if let Some(c) = actor.change.as_ref().filter(|c| c.step + 1 == world.steps()) {
            self.recorder.change_body(&c.what, actor.model(), &c.q, &c.v)?;
        }
        self.recorder.push(&frame, &self.poses, telemetry)
    }

    /// Declares attachments that are new and ends those that are gone.
    fn declare(&mut self, world: &World, time: f64) {
        let now = || world.attachments.iter().map(|h| &h.attachment);
        let meta = self.recorder.meta_mut();
        // it held for the last time in the step before
        let last = time - meta.dt;
        self.holding.retain(|(tie, place)| {
            let holds = now().any(|n| n == tie);
            if !holds {
                meta.attachments[*place].until = Some(last);
            }
            holds
        });
        for tie in now().filter(|t| t.a.0 == self.actor || t.b.is_some_and(|b| b.0 == self.actor)) {
            if self.holding.iter().any(|(held, _)| held == tie) {
                continue;
            }
            self.holding.push((*tie, meta.attachments.len()));
            meta.attachments.push(declaration(world, self.actor, tie, time));
        }
    }

    /// The underlying recorder, for changes of the body and declarations.
    pub fn recorder(&mut self) -> &mut Recorder {
        &mut self.recorder
    }

    /// Writes the file in its place.
    pub fn finish(self) -> Result<(), RecordingError> {
        self.recorder.finish()
    }

    /// The bytes of the file.
    pub fn into_bytes(self) -> Result<Vec<u8>, RecordingError> {
        self.recorder.into_bytes()
    }
}

/// Names of actors and platforms, in the order in which contacts count them.
fn things(world: &World) -> impl Iterator<Item = String> {
    world.actors().iter().map(|a| a.name.clone()).chain(world.platforms.iter().map(|p| p.name.clone()))
}

fn others(world: &World, actor: usize) -> impl Iterator<Item = (usize, &crate::Actor)> {
    world.actors().iter().enumerate().filter(move |(i, _)| *i != actor)
}

/// An attachment as the actor sees it.
fn declaration(world: &World, actor: usize, tie: &Tie, time: f64) -> Attachment {
    let name = |(who, body): (usize, BodyId)| world.actors()[who].model().bodies()[body.0].name.clone();
    let (mine, other) = if tie.a.0 == actor { (tie.a, tie.b) } else { (tie.b.unwrap_or(tie.a), Some(tie.a)) };
    let own = other.is_some_and(|o| o.0 == actor);
    let to = match other {
        None => "world".to_owned(),
        Some(other) if own => name(other),
        Some((who, _)) => world.actors()[who].name.clone(),
    };
    let kind = if tie.orientation.is_some() { "weld" } else { "grip" }.to_owned();
    Attachment { kind, body: name(mine), to, own, from: time, until: None }
}

/// Position and quaternion w x y z.
pub(super) fn pose(at: &Placement) -> [f64; 7] {
    let q = rotation::from_matrix(&at.rot);
    [at.pos.x, at.pos.y, at.pos.z, q.w, q.i, q.j, q.k]
}

/// The greatest coefficient of friction that a contact of an actor can have: the less of both sides counts.
fn greatest_friction(world: &World, actor: usize) -> f64 {
    let of = |a: &crate::Actor| a.shapes.iter().map(|s| s.friction).fold(0.0, f64::max);
    let ground = world.terrain().pieces().iter().map(|piece| piece.friction);
    let around = ground
        .chain(world.platforms.iter().map(|p| p.friction))
        .chain(others(world, actor).map(|(_, a)| of(a)));
    around.fold(0.0, f64::max).min(of(&world.actors()[actor]))
}
