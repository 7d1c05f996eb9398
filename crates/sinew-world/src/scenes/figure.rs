//! Places a character: posture, stance, hands.

use super::SceneError;
use crate::collide::{Manifold, touch};
use sinew_dynamics::spatial::{Placement, Quat, Vec3};
use sinew_dynamics::{BodyId, Data, JointKind, Model, forward_kinematics};
use std::sync::Arc;

/// A character and its initial configuration.
pub(super) struct Figure {
    pub(super) model: Arc<Model>,
    pub(super) q: Vec<f64>,
    /// First coordinate and velocity of its free joint.
    pub(super) root: (usize, usize),
}

impl Figure {
    /// The character upright, its limbs solid to each other.
    pub(super) fn new(character: &Arc<Model>) -> Result<Figure, SceneError> {
        let model = solid(character);
        let root = model.free_root().map(|j| (j.q, j.v));
        let root = root.ok_or_else(|| missing(&model, "a free root"))?;
        Ok(Figure { q: model.neutral(), model, root })
    }

    /// In the posture that its file calls `ready`, if there is one.
    pub(super) fn ready(mut self) -> Figure {
        if let Some(key) = self.model.spec().keyframes.iter().find(|k| k.name == "ready") {
            self.q.clone_from(&key.q);
        }
        self
    }

    /// Both arms raised to the front by an angle.
    pub(super) fn raise_arms(mut self, angle: f64) -> Result<Figure, SceneError> {
        for name in ["shoulder_l", "shoulder_r"] {
            let joint = self.model.joint(name).map(|j| self.model.joints()[j.0].clone());
            let joint = joint.filter(|j| j.kind == JointKind::Ball);
            let at = joint.ok_or_else(|| missing(&self.model, "ball joints shoulder_l and shoulder_r"))?.q;
            let turn = Quat::from_axis_angle(&-Vec3::y_axis(), angle);
            self.q[at..at + 4].copy_from_slice(&[turn.w, turn.i, turn.j, turn.k]);
        }
        Ok(self)
    }

    /// Its soles at a point, the whole body turned.
    pub(super) fn stand(mut self, at: Vec3, turn: Quat) -> Figure {
        let mut data = Data::new(&self.model);
        forward_kinematics(&self.model, &mut data, &self.q);
        let sole = data.extent(&self.model, &Vec3::z()).map_or(0.0, |e| e[0]);
        let root = self.root.0;
        let above = Vec3::new(0.0, 0.0, self.q[root + 2] - sole);
        let pos = at + turn * above;
        self.q[root..root + 7].copy_from_slice(&[pos.x, pos.y, pos.z, turn.w, turn.i, turn.j, turn.k]);
        self
    }

    /// Bodies of the hands, where on them the palm is, and where that is in the world: left, right.
    pub(super) fn hands(&self) -> Result<[(BodyId, Vec3, Vec3); 2], SceneError> {
        let mut data = Data::new(&self.model);
        forward_kinematics(&self.model, &mut data, &self.q);
        let hand = |name: &str| {
            let (body, site) =
                self.model.site(name).ok_or_else(|| missing(&self.model, "sites hand_l and hand_r"))?;
            let at: Placement = data.body_placement(&self.model, body);
            Ok((body, site.pos, at.act(&site.pos)))
        };
        Ok([hand("hand_l")?, hand("hand_r")?])
    }
}

fn missing(model: &Model, what: &'static str) -> SceneError {
    SceneError::Missing { name: model.name().to_owned(), what }
}

/// The character with limbs that collide with each other, save those that already touch in the neutral posture.
fn solid(character: &Arc<Model>) -> Arc<Model> {
    let mut spec = character.spec().clone();
    for geom in spec.bodies.iter_mut().flat_map(|b| &mut b.geoms).filter(|g| g.contype != 0) {
        geom.conaffinity |= geom.contype;
    }
    let (places, mut found) = (spec.reference_placements(), Manifold::new());
    let solids = |i: usize| spec.bodies[i].geoms.iter().filter(|g| g.contype != 0);
    let mut excludes = Vec::new();
    for a in 0..spec.bodies.len() {
        for b in a + 1..spec.bodies.len() {
            let touching = solids(a).any(|g| {
                solids(b).any(|h| {
                    let (at, other) = (places[a] * g.placement(), places[b] * h.placement());
                    touch(&g.shape, &at, &h.shape, &other, CLEARANCE, &mut found);
                    found.iter().next().is_some()
                })
            });
            if touching {
                excludes.push((spec.bodies[a].name.clone(), spec.bodies[b].name.clone()));
            }
        }
    }
    spec.excludes.append(&mut excludes);
    Model::new(spec).map_or_else(|_| Arc::clone(character), Arc::new)
}

/// Limbs nearer than this in the neutral posture do not collide, m.
const CLEARANCE: f64 = 0.005;
