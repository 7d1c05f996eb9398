//! The state of a world, saved and restored to the bit.

use crate::actor::Actor;
use crate::attachment::Holding;
use crate::body_change::{Changed, same_structure};
use crate::contacts::Key;
use crate::event::Event;
use crate::platform::Platform;
use crate::push::{Hand, Push};
use crate::settings::Settings;
use crate::terrain::Terrain;
use crate::world::{StepReport, World};
use sinew_dynamics::Model;
use sinew_dynamics::spatial::Vec3;
use std::sync::Arc;

/// Everything that a world's future depends on, including warm starts of the solver and planned events, and the report of
/// the last step. Bodies and terrain are shared, not copied.
///
/// ```
/// use sinew_dynamics::characters;
/// use sinew_world::{Terrain, World};
/// let mut world = World::new(Terrain::flat());
/// world.add_character("human", characters::load("human")?.into());
/// let saved = world.save();
/// world.step(&[])?;
/// let once = world.actors()[0].q.clone();
/// world.restore(&saved)?;
/// world.step(&[])?;
/// assert_eq!(world.actors()[0].q, once);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Snapshot {
    terrain: Arc<Terrain>,
    platforms: Vec<Platform>,
    settings: Settings,
    steps: u64,
    start: f64,
    since: u64,
    last: f64,
    unphysical: bool,
    actors: Vec<ActorState>,
    attachments: Vec<Holding>,
    pushes: Vec<Push>,
    hand: Option<Hand>,
    events: Vec<(u64, Event)>,
    impulses: Vec<(Key, Vec3)>,
    anchors: Vec<(Key, Vec3)>,
    report: StepReport,
}

#[derive(Clone, Debug)]
struct ActorState {
    name: String,
    model: Arc<Model>,
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    constraint: Vec<f64>,
    before: (Vec<f64>, Vec<f64>),
    limit_impulses: Vec<[f64; 4]>,
    change: Option<Changed>,
}

/// Why a snapshot cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the snapshot is of another world: {0}")]
pub struct RestoreError(String);

impl ActorState {
    fn of(actor: &Actor) -> ActorState {
        ActorState {
            name: actor.name.clone(),
            model: Arc::clone(&actor.model),
            q: actor.q.clone(),
            v: actor.v.clone(),
            tau: actor.work.tau.clone(),
            constraint: actor.work.constraint.clone(),
            before: actor.work.before.clone(),
            limit_impulses: actor.work.limit_impulses.clone(),
            change: actor.change.clone(),
        }
    }

    fn put(&self, actor: &mut Actor) {
        if !Arc::ptr_eq(&actor.model, &self.model) {
            actor.take_body(Arc::clone(&self.model));
        }
        actor.q.clone_from(&self.q);
        actor.v.clone_from(&self.v);
        actor.work.tau.clone_from(&self.tau);
        actor.work.constraint.clone_from(&self.constraint);
        actor.work.before.clone_from(&self.before);
        actor.work.limit_impulses.clone_from(&self.limit_impulses);
        actor.change.clone_from(&self.change);
    }
}

impl World {
    /// The state of the world.
    pub fn save(&self) -> Snapshot {
        Snapshot {
            terrain: Arc::clone(&self.terrain),
            platforms: self.platforms.clone(),
            settings: self.settings.clone(),
            steps: self.steps,
            start: self.start,
            since: self.since,
            last: self.last,
            unphysical: self.unphysical,
            actors: self.actors.iter().map(ActorState::of).collect(),
            attachments: self.attachments.clone(),
            pushes: self.pushes.clone(),
            hand: self.hand,
            events: self.events.clone(),
            impulses: self.candidates.last.clone(),
            anchors: self.candidates.anchors.clone(),
            report: self.report.clone(),
        }
    }

    /// Restores a saved state of this world or of one that was built in the same way. On error nothing changes.
    pub fn restore(&mut self, saved: &Snapshot) -> Result<(), RestoreError> {
        self.fits(saved)?;
        for (actor, state) in self.actors.iter_mut().zip(&saved.actors) {
            state.put(actor);
        }
        self.settings.clone_from(&saved.settings);
        (self.steps, self.start, self.since) = (saved.steps, saved.start, saved.since);
        (self.last, self.unphysical, self.hand) = (saved.last, saved.unphysical, saved.hand);
        self.attachments.clone_from(&saved.attachments);
        self.pushes.clone_from(&saved.pushes);
        self.events.clone_from(&saved.events);
        self.candidates.last.clone_from(&saved.impulses);
        self.candidates.anchors.clone_from(&saved.anchors);
        self.report.clone_from(&saved.report);
        Ok(())
    }

    fn fits(&self, saved: &Snapshot) -> Result<(), RestoreError> {
        let refuse = |problem: String| Err(RestoreError(problem));
        if self.actors.len() != saved.actors.len() {
            return refuse(format!("it has {} actors, not {}", saved.actors.len(), self.actors.len()));
        }
        for (actor, state) in self.actors.iter().zip(&saved.actors) {
            if actor.name != state.name {
                return refuse(format!("its actor \"{}\" is \"{}\" here", actor.name, state.name));
            }
            if !Arc::ptr_eq(&actor.model, &state.model) && !same_structure(&actor.model, &state.model) {
                return refuse(format!("actor \"{}\" has other joints", actor.name));
            }
        }
        if self.platforms != saved.platforms {
            return refuse("it has other platforms".to_owned());
        }
        if !Arc::ptr_eq(&self.terrain, &saved.terrain) && self.terrain != saved.terrain {
            return refuse("it has another terrain".to_owned());
        }
        Ok(())
    }
}
