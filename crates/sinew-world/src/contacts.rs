//! From touching shapes to the contacts of a step's problem.

use crate::actor::Actor;
use crate::stub::{Manifold, touch};
use crate::world::World;
use sinew_dynamics::spatial::{Mat3, Placement, Vec3};

/// What a contact is between: actor and shape, the other side and its shape, and the features that touch.
pub(crate) type Key = [u32; 5];

const TERRAIN: u32 = u32::MAX;
const PLATFORM: u32 = u32::MAX - 1;

/// The other side of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Other {
    Terrain,
    Platform(usize),
    Actor(usize, usize),
}

/// A touch that may carry force in this step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) key: Key,
    pub(crate) actor: usize,
    pub(crate) shape: usize,
    pub(crate) other: Other,
    pub(crate) point: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) distance: f64,
    pub(crate) friction: f64,
    /// Velocity of the ground at the point; zero between actors.
    pub(crate) ground: Vec3,
}

/// Candidates of the present step, and the impulses of the last one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) list: Vec<Candidate>,
    /// Impulses (world axes) by key, in order of the keys.
    pub(crate) last: Vec<(Key, Vec3)>,
    placements: Vec<Vec<Placement>>,
    manifold: Manifold,
}

impl Candidates {
    /// The impulse that a contact had in the last step.
    pub(crate) fn remembered(&self, key: &Key) -> Vec3 {
        self.last.binary_search_by(|(k, _)| k.cmp(key)).map_or(Vec3::zeros(), |i| self.last[i].1)
    }
}

impl World {
    /// Finds everything that touches or may touch within this step.
    pub(crate) fn find_candidates(&mut self) {
        let World { actors, terrain, platforms, candidates, settings, steps, start, .. } = self;
        let time = *start + *steps as f64 * settings.dt;
        let Candidates { list, placements, manifold, .. } = candidates;
        list.clear();
        placements.resize_with(actors.len(), Vec::new);
        for (actor, out) in actors.iter().zip(placements.iter_mut()) {
            out.clear();
            out.extend(actor.shapes.iter().map(|s| actor.data.body_placement(&actor.model, s.body) * s.at));
        }
        for (i, actor) in actors.iter().enumerate() {
            for (s, shape) in actor.shapes.iter().enumerate() {
                let at = &placements[i][s];
                let margin = margin(actor, s, at, settings.dt);
                manifold.clear();
                terrain.touch(&shape.shape, at, margin, manifold);
                for t in manifold.iter() {
                    list.push(Candidate {
                        key: [i as u32, s as u32, TERRAIN, t.piece, t.touch.feature],
                        actor: i,
                        shape: s,
                        other: Other::Terrain,
                        point: t.touch.point,
                        normal: t.touch.normal,
                        distance: t.touch.distance,
                        friction: combine(shape.friction, t.friction),
                        ground: Vec3::zeros(),
                    });
                }
            }
        }
        let _ = (platforms, time, PLATFORM, touch);
    }
}

/// How near a surface must be to matter within this step.
fn margin(actor: &Actor, shape: usize, at: &Placement, dt: f64) -> f64 {
    let s = &actor.shapes[shape];
    let velocity = actor.data.point_velocity(&actor.model, s.body, &at.pos).norm();
    let spin = actor.data.angular_velocity(&actor.model, s.body).norm();
    1e-3 + 1.5 * dt * (velocity + spin * s.reach)
}

/// Friction of a pair: the more slippery side decides.
fn combine(a: f64, b: f64) -> f64 {
    a.min(b)
}

/// Axes of a contact: the normal, and two tangents that vary smoothly with it.
pub(crate) fn frame(normal: &Vec3) -> Mat3 {
    let aside = if normal.x.abs() < 0.8 { Vec3::x() } else { Vec3::y() };
    let t1 = (aside - normal * normal.dot(&aside)).normalize();
    Mat3::from_columns(&[*normal, t1, normal.cross(&t1)])
}
