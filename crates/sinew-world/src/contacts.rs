//! Finds the contacts of a step's problem from touching shapes.

use crate::actor::Actor;
use crate::attachment::Holding;
use crate::collide::{Bounds, BroadPhase, Manifold, Touch, touch};
use crate::report::ContactForce;
use crate::step::Mean;
use crate::terrain::GroundTouch;
use crate::world::World;
use sinew_dynamics::BodyId;
use sinew_dynamics::spatial::{Mat3, Placement, Vec3};

/// What a contact is between: actor and shape, the other side and its shape, and the features that touch.
pub(crate) type Key = [u32; 5];

/// Codes of other sides in keys; actors have their index.
const TERRAIN: u32 = u32::MAX;
const PLATFORM: u32 = u32::MAX - 1;

/// The other side of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Other {
    Terrain,
    Platform(usize),
    /// Actor and shape.
    Actor(usize, usize),
}

/// A touch that may carry force in this step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) key: Key,
    pub(crate) actor: usize,
    pub(crate) shape: usize,
    pub(crate) other: Other,
    pub(crate) touch: Touch,
    pub(crate) friction: f64,
    /// Velocity of the ground at the point; zero between actors.
    pub(crate) ground: Vec3,
}

/// A shape of an actor where it is now.
#[derive(Clone, Copy, Debug)]
struct Placed {
    actor: usize,
    shape: usize,
    at: Placement,
    /// Distance within which a surface can be reached in this step.
    margin: f64,
}

/// Candidates of the present step, and the impulses of the last one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    pub(crate) list: Vec<Candidate>,
    /// Mean forces on the first sides (world axes, N), one per candidate.
    pub(crate) forces: Vec<Vec3>,
    /// Impulses (world axes) by key, in order of the keys.
    pub(crate) last: Vec<(Key, Vec3)>,
    /// Stretches of anchored springs (world axes), one per candidate; zero without anchors.
    pub(crate) stretches: Vec<Vec3>,
    /// Those of the last step by key, in order of the keys; of loaded contacts only.
    pub(crate) anchors: Vec<(Key, Vec3)>,
    /// Of a Runge-Kutta step: the contacts of all stages.
    pub(crate) means: Vec<Mean>,
    placed: Vec<Placed>,
    bounds: Vec<Bounds>,
    broad: BroadPhase,
    manifold: Manifold,
    ground: Vec<GroundTouch>,
}

impl Candidates {
    /// Reserves memory for more contacts.
    pub(crate) fn reserve(&mut self, contacts: usize) {
        self.list.reserve(contacts);
        self.last.reserve(contacts);
        self.stretches.reserve(contacts);
        self.anchors.reserve(contacts);
        self.ground.reserve(contacts);
    }

    /// The impulse that a contact had in the last step.
    pub(crate) fn remembered(&self, key: &Key) -> Vec3 {
        find(&self.last, key).unwrap_or_else(Vec3::zeros)
    }
}

impl Candidate {
    /// The contact as each actor sees it, given the force on the first side (world axes, N).
    pub(crate) fn each_side(
        &self,
        actors: &[Actor],
        force: &Vec3,
        mut tell: impl FnMut(usize, ContactForce),
    ) {
        let other = match self.other {
            Other::Actor(other, _) => Some(other),
            Other::Platform(k) => Some(actors.len() + k),
            Other::Terrain => None,
        };
        let first = ContactForce {
            body: actors[self.actor].shapes[self.shape].body.0,
            other,
            point: self.touch.point,
            force: *force,
            normal: self.touch.normal,
            distance: self.touch.distance,
            friction: self.friction,
        };
        tell(self.actor, first);
        if let Other::Actor(other, shape) = self.other {
            let body = actors[other].shapes[shape].body.0;
            let (force, normal) = (-first.force, -first.normal);
            tell(other, ContactForce { body, other: Some(self.actor), force, normal, ..first });
        }
    }
}

impl World {
    /// Finds everything that touches at a moment or may touch within a step from there on.
    pub(crate) fn find_candidates(&mut self, time: f64) {
        let dt = self.settings.dt;
        let World { actors, terrain, platforms, attachments, candidates, .. } = self;
        let Candidates { list, placed, bounds, broad, manifold, ground, .. } = candidates;
        list.clear();
        placed.clear();
        for (i, actor) in actors.iter().enumerate() {
            let mut moving: Option<Moving> = None;
            placed.extend(actor.shapes.iter().enumerate().map(|(s, shape)| {
                // shapes of a body stand together
                let body = match moving {
                    Some(known) if known.body == shape.body => known,
                    _ => *moving.insert(Moving::of(actor, shape.body)),
                };
                let at = body.at * shape.at;
                Placed { actor: i, shape: s, margin: body.margin(&at.pos, shape.reach, dt), at }
            }));
        }
        for p in placed.iter() {
            let shape = &actors[p.actor].shapes[p.shape];
            ground.clear();
            // the corners of hulls that are high up are not asked
            let clear = shape.hull_box.is_some() && terrain.is_clear_of(&shape.bounds(&p.at).grown(p.margin));
            if !clear {
                terrain.touch(&shape.shape, &p.at, p.margin, ground);
            }
            list.extend(ground.iter().map(|g| Candidate {
                key: [p.actor as u32, p.shape as u32, TERRAIN, g.piece as u32, g.touch.feature],
                actor: p.actor,
                shape: p.shape,
                other: Other::Terrain,
                touch: g.touch,
                friction: friction_of(shape.friction, g.friction),
                ground: Vec3::zeros(),
            }));
            for (k, platform) in platforms.iter().enumerate() {
                let (at, velocity, spin) = platform.path.at(time);
                let reach = p.margin + dt * (velocity.norm() + spin.norm() * (p.at.pos - at.pos).norm());
                touch(&shape.shape, &p.at, &platform.shape, &at, reach, manifold);
                list.extend(manifold.iter().map(|t| Candidate {
                    key: [p.actor as u32, p.shape as u32, PLATFORM, k as u32, t.feature],
                    actor: p.actor,
                    shape: p.shape,
                    other: Other::Platform(k),
                    touch: *t,
                    friction: friction_of(shape.friction, platform.friction),
                    ground: velocity + spin.cross(&(t.point - at.pos)),
                }));
            }
        }
        // among actors: boxes first, then the shapes themselves
        if placed.len() < 2 || (actors.len() == 1 && actors[0].own_pairs.is_empty()) {
            return;
        }
        bounds.clear();
        bounds.extend(placed.iter().map(|p| actors[p.actor].shapes[p.shape].bounds(&p.at).grown(p.margin)));
        let keep = |x: usize, y: usize| {
            let (x, y) = (&placed[x], &placed[y]);
            if x.actor == y.actor {
                return actors[x.actor].own_pairs.binary_search(&(x.shape, y.shape)).is_ok();
            }
            let (a, b) = (&actors[x.actor].shapes[x.shape], &actors[y.actor].shapes[y.shape]);
            // attached bodies do not collide with each other
            let (end_a, end_b) = ((x.actor, a.body), (y.actor, b.body));
            let held = |h: &Holding| {
                (h.attachment.a, h.attachment.b) == (end_a, Some(end_b))
                    || (h.attachment.a, h.attachment.b) == (end_b, Some(end_a))
            };
            a.group.meets(&b.group) && !attachments.iter().any(held)
        };
        for &(x, y) in broad.pairs(bounds, keep) {
            let (x, y) = (&placed[x], &placed[y]);
            let (a, b) = (&actors[x.actor].shapes[x.shape], &actors[y.actor].shapes[y.shape]);
            touch(&a.shape, &x.at, &b.shape, &y.at, x.margin + y.margin, manifold);
            list.extend(manifold.iter().map(|t| Candidate {
                key: [x.actor as u32, x.shape as u32, y.actor as u32, y.shape as u32, t.feature],
                actor: x.actor,
                shape: x.shape,
                other: Other::Actor(y.actor, y.shape),
                touch: *t,
                friction: friction_of(a.friction, b.friction),
                ground: Vec3::zeros(),
            }));
        }
    }
}

/// What belongs to a key in a list in order of the keys.
pub(crate) fn find(list: &[(Key, Vec3)], key: &Key) -> Option<Vec3> {
    list.binary_search_by(|(k, _)| k.cmp(key)).ok().map(|i| list[i].1)
}

/// A body where it is now, and how it moves.
#[derive(Clone, Copy)]
struct Moving {
    body: BodyId,
    at: Placement,
    velocity: Vec3,
    spin: Vec3,
}

impl Moving {
    fn of(actor: &Actor, body: BodyId) -> Moving {
        let at = actor.data.body_placement(&actor.model, body);
        Moving {
            velocity: actor.data.point_velocity(&actor.model, body, &at.pos),
            spin: actor.data.angular_velocity(&actor.model, body),
            body,
            at,
        }
    }

    /// How near a surface must be to a shape at `place` to matter within this step.
    fn margin(&self, place: &Vec3, reach: f64, dt: f64) -> f64 {
        let velocity = self.velocity + self.spin.cross(&(place - self.at.pos));
        1e-3 + 1.5 * dt * (velocity.norm() + self.spin.norm() * reach)
    }
}

/// Friction of a pair: the more slippery side decides.
fn friction_of(a: f64, b: f64) -> f64 {
    a.min(b)
}

/// Axes of a contact: the normal, and two tangents that vary smoothly with it.
pub(crate) fn frame(normal: &Vec3) -> Mat3 {
    let aside = if normal.x.abs() < 0.8 { Vec3::x() } else { Vec3::y() };
    let t1 = (aside - normal * normal.dot(&aside)).normalize();
    Mat3::from_columns(&[*normal, t1, normal.cross(&t1)])
}
