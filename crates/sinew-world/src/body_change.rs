//! Changes of the body in the middle of a run: a longer leg, a heavier hand, other gravity.
//!
//! The new body has the joints and body names of the old one, and goes on in the same configuration with the same joint
//! velocities. Its momentum `h = A(q) v`, linear and angular about the centre of mass, is kept: with `A_r` the six columns of a free
//! root in the new body's centroidal map, the root's velocity changes by `A_r⁻¹ (h − A v)`. A root that is not free keeps its
//! velocity; its constraint takes up the difference.

use crate::actor::Actor;
use crate::world::World;
use nalgebra::{Matrix6, Vector6};
use sinew_dynamics::{Data, JointKind, Model, ModelSpec, centroidal_map, momentum};
use std::sync::Arc;

/// Why a body cannot replace another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("actor \"{actor}\" cannot change its body: {problem}")]
pub struct BodyChangeError {
    /// Name of the actor.
    pub actor: String,
    /// What is wrong.
    pub problem: String,
}

/// The last change of an actor's body.
#[derive(Clone, Debug)]
pub(crate) struct Changed {
    /// Steps taken before it.
    pub(crate) step: u64,
    pub(crate) what: String,
    /// State before it.
    pub(crate) q: Vec<f64>,
    pub(crate) v: Vec<f64>,
}

impl World {
    /// Gives an actor another body of the same joints, from the next step on; `what` says in words what changed.
    ///
    /// Configuration, joint velocities and momentum are kept. Feet that grow reach into the ground: change a little at a time, or lift
    /// the root. A [`WorldRecorder`](crate::recording::WorldRecorder) declares the change, and the audit checks it.
    ///
    /// ```
    /// use sinew_dynamics::{Change, Model, characters};
    /// use sinew_world::{Terrain, World};
    /// let human = characters::load("human")?;
    /// let load = Change::AddPointMass { body: "lower_arm_r".into(), mass: 5.0, at: Default::default() };
    /// let loaded = Model::new(human.spec().changed(&[load])?)?;
    /// let mut world = World::new(Terrain::flat());
    /// let me = world.add_character("human", human.into());
    /// world.change_body(me, "a weight in the right hand", loaded.into())?;
    /// world.step(&[])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the world has no such actor.
    pub fn change_body(
        &mut self,
        actor: usize,
        what: &str,
        model: Arc<Model>,
    ) -> Result<(), BodyChangeError> {
        let (step, actor) = (self.steps, &mut self.actors[actor]);
        let refuse =
            |problem: &str| BodyChangeError { actor: actor.name.clone(), problem: problem.to_owned() };
        if !same_structure(&actor.model, &model) {
            return Err(refuse("bodies and joints must be the same in number, order, kind and name"));
        }
        let Some(kept) = keep_momentum(&actor.model, &model, &actor.q, &actor.v) else {
            return Err(refuse("its new body has no inertia"));
        };
        // a further change before the same step goes on from the first
        match actor.change.as_mut().filter(|c| c.step == step) {
            Some(last) => last.what = format!("{}; {what}", last.what),
            None => {
                let (q, v) = (actor.q.clone(), actor.v.clone());
                actor.change = Some(Changed { step, what: what.to_owned(), q, v });
            }
        }
        actor.v = kept;
        actor.take_body(model);
        Ok(())
    }

    /// Changes the description of an actor's body.
    pub(crate) fn redescribe(
        &mut self,
        actor: usize,
        what: &str,
        edit: impl FnOnce(&mut ModelSpec),
    ) -> Result<(), BodyChangeError> {
        let mut spec = self.actors[actor].model.spec().clone();
        edit(&mut spec);
        let name = self.actors[actor].name.clone();
        let model = Model::new(spec).map_err(|e| BodyChangeError { actor: name, problem: e.to_string() })?;
        self.change_body(actor, what, model.into())
    }
}

/// Whether states and indices of one body mean the same for the other.
pub(crate) fn same_structure(a: &Model, b: &Model) -> bool {
    a.joints() == b.joints() && a.bodies().iter().map(|b| &b.name).eq(b.bodies().iter().map(|b| &b.name))
}

/// Velocity with which the new body has the old one's momentum; `None` if no velocity of the root gives it.
fn keep_momentum(old: &Model, new: &Model, q: &[f64], v: &[f64]) -> Option<Vec<f64>> {
    let mut kept = v.to_vec();
    if old.joints().first().is_none_or(|j| j.kind != JointKind::Free || j.v != 0) {
        return Some(kept);
    }
    let before = momentum(old, &mut Data::new(old), q, v);
    let mut data = Data::new(new);
    let root = Matrix6::from_column_slice(&centroidal_map(new, &mut data, q).map[..36]).lu();
    // the second round removes the rounding of the first
    for _ in 0..2 {
        let now = momentum(new, &mut data, q, &kept);
        let (linear, angular) = (before.linear - now.linear, before.angular - now.angular);
        let missing = Vector6::new(linear.x, linear.y, linear.z, angular.x, angular.y, angular.z);
        let change = root.solve(&missing)?;
        kept.iter_mut().zip(change.iter()).for_each(|(v, c)| *v += c);
    }
    kept.iter().all(|v| v.is_finite()).then_some(kept)
}

impl Actor {
    /// Takes a body of the same structure, and with it its shapes, limits and friction.
    pub(crate) fn take_body(&mut self, model: Arc<Model>) {
        self.data = Data::new(&model);
        self.model = model;
        self.compile();
    }
}
