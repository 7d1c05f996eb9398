//! Feet on the ground: where they were planted, what holds them there, and where the centre of pressure can be.

use super::anatomy::Anatomy;
use super::footing::Footing;
use super::polygon::Polygon;
use super::posture::{flat_on, orient, point, turned};
use crate::Observation;
use crate::whole_body::{Axes, Foothold, Goal, Kinetics, Objective, Sole, Task};
use sinew_dynamics::Side;
use sinew_dynamics::spatial::{Mat3, Vec3, rotation};
use sinew_world::ContactForce;

/// Height over the ground up to which a corner of a planted foot can carry, m.
const NEAR_GROUND: f64 = 0.006;
/// Stiffness of planted feet, 1/s².
const PLANTED: f64 = 400.0;
/// By how much a foot turns at once that lands tilted, rad.
const SETTLE: f64 = 0.15;
/// Share of the friction that is used in need, and undisturbed.
pub(crate) const FRICTION_USED: f64 = 0.9;
pub(crate) const FRICTION_CALM: f64 = 0.4;

/// Distance from the ground that is seen beyond which a foot stands on something else, m.
const UNSEEN: f64 = 0.1;
/// Upward part of the normal of what carries a foot.
const UPWARD: f64 = 0.7;
/// Upward part of the normal of a rim that a foot runs into.
const RIM: f64 = 0.2;
/// Upward part of a normal from which on it is taken for that of the ground: what is steeper is an edge, which has no normal of its own.
const EVEN: f64 = 0.97;

/// What a foot does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foot {
    /// Flat on the ground.
    Flat,
    /// On the ground with its front edge; the heel may rise.
    Toe,
    /// In the air.
    Swing,
}

/// A foot's place on the ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor {
    /// Middle of the sole.
    pub(crate) at: Vec3,
    /// Orientation of the foot.
    pub(crate) turn: Mat3,
    /// Normal of the ground.
    pub(crate) normal: Vec3,
    /// Unit vector from heel to toe.
    pub(crate) forward: Vec3,
}

/// What the heel of a foot on its toes should do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heel {
    /// How far it is up, as an angle of the foot, rad.
    pub(crate) rise: f64,
    /// How fast it rises, rad/s.
    pub(crate) rate: f64,
    pub(crate) stiffness: f64,
    pub(crate) weight: f64,
}

impl Heel {
    /// Down until it must rise.
    pub(crate) fn down(weight: f64) -> Heel {
        Heel { rise: 0.0, rate: 0.0, stiffness: 50.0, weight }
    }
}

/// Both feet.
#[derive(Clone, Debug)]
pub(crate) struct Feet {
    pub(crate) state: [Foot; 2],
    pub(crate) anchors: [Anchor; 2],
    pub(crate) polygon: Polygon,
    /// Where the ground under a planted foot was felt to end.
    footings: [Option<Footing>; 2],
    /// Coefficient of friction as the soles last felt it.
    friction: f64,
}

impl Feet {
    pub(crate) fn new() -> Feet {
        let anchor =
            Anchor { at: Vec3::zeros(), turn: Mat3::identity(), normal: Vec3::z(), forward: Vec3::x() };
        Feet {
            state: [Foot::Flat; 2],
            anchors: [anchor; 2],
            polygon: Polygon::default(),
            footings: [None; 2],
            friction: 0.8,
        }
    }

    pub(crate) fn anchor(&self, side: Side) -> &Anchor {
        &self.anchors[side as usize]
    }

    /// The middle between both feet.
    pub(crate) fn middle(&self) -> Vec3 {
        (self.anchors[0].at + self.anchors[1].at) * 0.5
    }

    /// Takes a foot as planted where it is, flat on the ground that it feels, or else on the ground that is seen there.
    pub(crate) fn plant(&mut self, side: Side, sole: &Sole, k: &Kinetics, seen: &Observation<'_>) {
        let mut at = k.point(sole.body, &sole.center).0;
        let felt = seen.contacts.iter().filter(|c| sole.owns(c.body) && c.normal.z > UPWARD);
        let mut sum = (0.0, Vec3::zeros(), Vec3::zeros());
        for c in felt {
            let f = c.force.dot(&c.normal).max(1e-3);
            sum = (sum.0 + f, sum.1 + c.point * f, sum.2 + c.normal * f);
        }
        let normal = if sum.0 > 0.0 {
            let (middle, felt) = (sum.1 / sum.0, sum.2.normalize());
            let normal = if felt.z > EVEN { felt } else { seen.terrain.normal(middle.x, middle.y) };
            let d = at - middle;
            at.z = middle.z - (d.x * normal.x + d.y * normal.y) / normal.z;
            normal
        } else {
            let ground = seen.terrain.height(at.x, at.y);
            if (ground - at.z).abs() < UNSEEN {
                at.z = ground;
            }
            seen.terrain.normal(at.x, at.y)
        };
        let forward = k.placement(sole.body).rot * sole.flat.transpose() * Vec3::x();
        let flat = flat_on(&normal, &forward);
        let anchor = Anchor { at, turn: flat * sole.flat, normal, forward: flat.column(0).into() };
        self.anchors[side as usize] = anchor;
        self.state[side as usize] = Foot::Flat;
        self.footings[side as usize] = None;
    }

    /// Goes on with a foot of another size: where it stands its ankle stays, and the middle of its sole moves along the ground.
    pub(crate) fn grow(&mut self, side: Side, old: &Sole, new: &Sole) {
        let Anchor { at, turn, normal, .. } = &mut self.anchors[side as usize];
        let moved = *turn * (new.center - old.center);
        *at += moved - *normal * moved.dot(normal);
    }

    /// Takes a foot that was planted in the air, too high over whatever is seen, as planted on the ground that the other one stands on.
    pub(crate) fn plant_beside(&mut self, side: Side) {
        let Anchor { at, normal, .. } = *self.anchor(side.other());
        let place = &mut self.anchors[side as usize].at;
        let d = *place - at;
        if d.dot(&normal) > UNSEEN {
            place.z = at.z - (d.x * normal.x + d.y * normal.y) / normal.z;
        }
    }

    /// Whether a foot feels the ground.
    pub(crate) fn touches(sole: &Sole, seen: &Observation<'_>) -> bool {
        Feet::load(sole, seen, |c| c.normal.z > UPWARD) > 5.0
    }

    /// Whether a foot feels something beside it.
    pub(crate) fn bumps(sole: &Sole, seen: &Observation<'_>) -> bool {
        Feet::load(sole, seen, |c| c.normal.z <= UPWARD) > 5.0
    }

    /// Whether what it feels beside it is a rim, of which little is left to climb.
    pub(crate) fn scrapes(sole: &Sole, seen: &Observation<'_>) -> bool {
        Feet::load(sole, seen, |c| c.normal.z <= UPWARD && c.normal.z > RIM) > 5.0
    }

    fn load(sole: &Sole, seen: &Observation<'_>, of: impl Fn(&ContactForce) -> bool) -> f64 {
        let on_foot = seen.contacts.iter().filter(|c| sole.owns(c.body) && of(c));
        on_foot.map(|c| c.force.dot(&c.normal)).sum()
    }

    /// How the ground moves under the soles: velocity of the points that press on it, and by how much it is higher than the
    /// feet were planted, both weighted by force. `None` when nothing presses.
    pub(crate) fn ground(
        &self,
        anatomy: &Anatomy,
        k: &Kinetics,
        contacts: &[ContactForce],
    ) -> Option<(Vec3, Vec3)> {
        let (mut velocity, mut rise, mut load) = (Vec3::zeros(), Vec3::zeros(), 0.0);
        for contact in contacts {
            let Some(side) = Side::BOTH.iter().find(|s| anatomy.sole(**s).owns(contact.body)) else {
                continue;
            };
            let (body, anchor) = (anatomy.sole(*side).body, self.anchor(*side));
            let force = contact.force.dot(&contact.normal).max(0.0);
            velocity += k.point(body, &k.placement(body).inverse().act(&contact.point)).1 * force;
            rise += anchor.normal * ((contact.point - anchor.at).dot(&anchor.normal) * force);
            load += force;
        }
        (load > 5.0).then(|| (velocity / load, rise / load))
    }

    /// Takes over what the soles feel, and finds where they can carry.
    pub(crate) fn feel(&mut self, anatomy: &Anatomy, k: &Kinetics, seen: &Observation<'_>) {
        let soles = &anatomy.soles;
        let felt = seen.contacts.iter().filter(|c| soles.iter().any(|s| s.owns(c.body)));
        if let Some(least) = felt.map(|c| c.friction).reduce(f64::min) {
            self.friction = least.min(1.0);
        }
        for (sole, footing) in soles.iter().zip(&mut self.footings).filter(|_| anatomy.telling_feet) {
            *footing = Footing::felt(sole, k, seen, UPWARD).or(*footing);
        }
        let Feet { polygon, state, anchors, footings, .. } = self;
        let feet = soles.iter().zip(footings.iter()).zip(state.iter().zip(anchors.iter()));
        polygon.set(feet.filter(|(_, (foot, _))| **foot != Foot::Swing).flat_map(
            |((sole, footing), (_, anchor))| {
                let corners = carriers(sole, footing).into_iter().map(|c| k.point(sole.body, &c).0);
                corners.filter(|p| anchor.near(p))
            },
        ));
    }

    /// Where a standing foot can carry: its middle, or its toe as far as the heel is up.
    pub(crate) fn carrying_point(&self, side: Side, sole: &Sole, k: &Kinetics) -> Vec3 {
        let anchor = self.anchor(side);
        let heel = k.point(sole.body, &sole.heel()).0;
        let rise = ((heel - anchor.at).dot(&anchor.normal) / NEAR_GROUND).clamp(0.0, 1.0);
        anchor.at + anchor.turn * (sole.toe() - sole.center) * rise
    }

    /// Objectives that keep planted feet where they are, and the corners that can push, with a share `grip` of the friction.
    pub(crate) fn hold(
        &self,
        anatomy: &Anatomy,
        k: &Kinetics,
        heel: Heel,
        grip: f64,
        objectives: &mut Vec<Objective>,
        holds: &mut Vec<Foothold>,
    ) {
        let soles = anatomy.soles.iter().zip(&self.footings);
        for (((sole, footing), state), anchor) in soles.zip(self.state).zip(&self.anchors) {
            let Anchor { at, turn, normal, forward } = *anchor;
            let left = normal.cross(&forward);
            // a foot whose ankle cannot roll rolls with its leg
            let (flat, rolled) = if anatomy.stiff_ankles {
                (Axes::two(left, normal), Axes::one(normal))
            } else {
                (Axes::all(), Axes::two(forward, normal))
            };
            match state {
                Foot::Flat => {
                    let (at, turn) = settle(sole, k, at, turn);
                    let stay = Goal::hold(at, PLANTED);
                    objectives.push(point(1, 1.0, sole.body, sole.center, stay, Axes::all()));
                    objectives.push(orient(1, 1.0, sole.body, turn, PLANTED, flat));
                }
                Foot::Toe => {
                    let stay = Goal::hold(at + turn * (sole.toe() - sole.center), PLANTED);
                    objectives.push(point(1, 1.0, sole.body, sole.toe(), stay, Axes::all()));
                    objectives.push(orient(1, 1.0, sole.body, turn, PLANTED, rolled));
                    let risen = turned(left * heel.rise) * turn;
                    let pitch = Axes::one(left);
                    let task = Task::Orientation {
                        body: sole.body,
                        target: risen,
                        rate: left * heel.rate,
                        stiffness: heel.stiffness,
                        damping: 2.0 * heel.stiffness.sqrt(),
                        axes: pitch,
                    };
                    objectives.push(Objective::new(3, heel.weight, task));
                }
                Foot::Swing => continue,
            }
            // a heel that is to rise does not carry, unless there is nothing in front of it but toes that hinge
            let rises = state == Foot::Toe && heel.rise > 0.0 && sole.toes.is_empty();
            let carrying = if rises { 2 } else { 4 };
            for corner in carriers(sole, footing).into_iter().take(carrying) {
                if anchor.near(&k.point(sole.body, &corner).0) {
                    let friction = grip * self.friction;
                    holds.push(Foothold { body: sole.body, point: corner, normal, friction, cost: 1.0 });
                }
            }
        }
    }
}

/// Where a planted foot should be next: a foot that landed on its toes or heel comes down without throwing the body up.
fn settle(sole: &Sole, k: &Kinetics, at: Vec3, turn: Mat3) -> (Vec3, Mat3) {
    let (here, now) = (k.point(sole.body, &sole.center).0, k.placement(sole.body).rot);
    let tilt = rotation::log(&rotation::from_matrix(&(turn * now.transpose())));
    let share = (SETTLE / tilt.norm()).min(1.0);
    if share < 1.0 { (here + (at - here) * share, turned(tilt * share) * now) } else { (at, turn) }
}

/// Points of a sole that can carry.
fn carriers(sole: &Sole, footing: &Option<Footing>) -> [Vec3; 4] {
    footing.map_or(sole.corners, |footing| footing.corners(sole))
}

impl Anchor {
    /// Whether a point of the foot is on the ground.
    fn near(&self, p: &Vec3) -> bool {
        (p - self.at).dot(&self.normal) < NEAR_GROUND
    }
}
