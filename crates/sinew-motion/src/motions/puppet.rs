//! A body on strings: pelvis, feet and hands are put in places, trunk, head and arms are turned by anatomical angles.
//!
//! Everything is measured from the reference pose (upright, facing x) and in its axes, so that the same angles mean the same
//! on every body, whatever its joints are called and however their frames lie: a part turned by `R` from its parent has the
//! orientation `R_parent R B`, `B` being its orientation in the reference pose. Legs and, when they hold on to something, arms
//! follow by inverse kinematics.

use super::MotionError;
use crate::Sole;
use crate::ik::LimbIk;
use crate::ik::chain::Chain;
use crate::layout::{free_root, write_quat, write_vec3};
use sinew_dynamics::spatial::{Placement, Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, Data, Model, Role, Side, forward_kinematics};
use std::sync::Arc;

/// Leg length, hip to sole, of the person whose times the scores are written for, m.
const LEG: f64 = 0.9275;

/// Turn of a part from its parent: flexion to the front, to the side (away from the body, or to the left), and twist (inwards,
/// or to the left), rad.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Turn {
    pub(super) flex: f64,
    pub(super) side: f64,
    pub(super) twist: f64,
}

/// Bends of both legs, rad: thigh forward, shin back, toes up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LegTurn {
    pub(super) hip: f64,
    pub(super) knee: f64,
    pub(super) ankle: f64,
}

/// Where everything should be.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Figure {
    /// Middle between the hips, m.
    pub(super) hips: Vec3,
    /// Of the pelvis: pitch forward, roll (left side up), yaw, rad.
    pub(super) pelvis: [f64; 3],
    /// Ankle and orientation from the reference, left and right.
    pub(super) feet: [(Vec3, Quat); 2],
    /// Trunk on pelvis, head on trunk.
    pub(super) trunk: Turn,
    pub(super) head: Turn,
    pub(super) shoulder: [Turn; 2],
    pub(super) elbow: [f64; 2],
    /// Legs that hang instead of standing.
    pub(super) legs: Option<LegTurn>,
    /// Where the hands hold on.
    pub(super) hands: Option<[Vec3; 2]>,
}

/// Measures of a sole from the ankle, m.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootShape {
    /// Behind (negative) and in front of the ankle.
    pub(super) heel: f64,
    pub(super) toe: f64,
    /// Ankle above the sole.
    pub(super) height: f64,
}

/// Joints between two bodies, how the second is turned from the first in the reference pose, and how the first is turned there.
struct Part {
    chain: Chain,
    between: Quat,
    above: Quat,
}

impl Part {
    /// Turns the part by `turn`, which is in the axes of the reference pose.
    fn turn(&self, turn: Quat, q: &mut [f64]) {
        self.chain.fit(q, &(self.above.inverse() * turn * self.above * self.between), true);
    }
}

/// The strings of a model.
pub(super) struct Puppet {
    pub(super) model: Arc<Model>,
    data: Data,
    root: usize,
    pelvis: BodyId,
    /// Middle between the hips in the pelvis' frame.
    hips: Vec3,
    reference: Vec<Placement>,
    legs: [LimbIk; 2],
    leg_parts: [[Option<Part>; 3]; 2],
    arms: [Option<LimbIk>; 2],
    trunk: Option<Part>,
    head: Option<Part>,
    shoulder: [Option<Part>; 2],
    elbow: [Option<Part>; 2],
    pub(super) feet: [FootShape; 2],
    /// Hip to sole in the reference pose, m.
    pub(super) leg: f64,
}

impl Puppet {
    pub(super) fn new(model: &Arc<Model>) -> Result<Puppet, MotionError> {
        let role = |role: Role| model.role(role).ok_or(MotionError::Role(role));
        let reference = model.spec().reference_placements();
        let (root, _) = free_root(model).ok_or(MotionError::NoFreeRoot)?;
        let pelvis = role(Role::Pelvis)?;
        let leg = |side| -> Result<LimbIk, MotionError> {
            let parts = [role(Role::Thigh(side))?, role(Role::Shin(side))?, role(Role::Foot(side))?];
            // birds walk on their toes: their third link is not the foot's
            if model.bodies()[parts[2].0].parent != Some(parts[1].0) {
                return Err(MotionError::ThirdLink(model.bodies()[parts[2].0].name.clone()));
            }
            Ok(LimbIk::new(model, pelvis, parts[0], parts[1], parts[2])?)
        };
        let legs = [leg(Side::Left)?, leg(Side::Right)?];
        let hip = |k: usize| legs[k].root(&reference[pelvis.0]);
        let middle = (hip(0) + hip(1)) * 0.5;
        let foot = |k: usize| -> Result<FootShape, MotionError> {
            let sole = Sole::of(model, Side::BOTH[k]).ok_or(MotionError::Role(Role::Foot(Side::BOTH[k])))?;
            let ankle = legs[k].joint(&reference[legs[k].end().0]);
            let edge = |points: [crate::BodyPoint; 2]| {
                let [a, b] = points.map(|p| reference[p.body.0].act(&p.at));
                (a + b) * 0.5 - ankle
            };
            let (heel, toe) = (edge(sole.heel), edge(sole.toe));
            Ok(FootShape { heel: heel.x, toe: toe.x, height: -0.5 * (heel.z + toe.z) })
        };
        let feet = [foot(0)?, foot(1)?];
        // orientation of a part from its parent in the reference pose
        let chain = |from: Option<BodyId>, to: Option<BodyId>| {
            let (from, to) = from.zip(to).filter(|(a, b)| a != b)?;
            let between = reference[from.0].rot.transpose() * reference[to.0].rot;
            Some(Part {
                chain: Chain::new(model, Some(from), to),
                between: rotation::from_matrix(&between),
                above: rotation::from_matrix(&reference[from.0].rot),
            })
        };
        let trunk = model.role(Role::Trunk);
        let arm = |side| {
            let (upper, lower) = (model.role(Role::UpperArm(side)), model.role(Role::LowerArm(side)));
            // an arm hangs from whatever carries it: trunk, collar bone or neck
            let carrier = upper.and_then(|u| model.bodies()[u.0].parent).map(BodyId);
            let holds = carrier.zip(upper).zip(lower).and_then(|((carrier, upper), lower)| {
                let tip = hand_point(model, &reference, side, lower);
                LimbIk::to_point(model, carrier, upper, lower, tip).ok()
            });
            (chain(carrier, upper), chain(upper, lower), holds)
        };
        let [(shoulder_l, elbow_l, arm_l), (shoulder_r, elbow_r, arm_r)] = Side::BOTH.map(arm);
        let sole = feet[0].height.max(feet[1].height);
        let ankle = |k: usize| legs[k].joint(&reference[legs[k].end().0]);
        Ok(Puppet {
            data: Data::new(model),
            root,
            pelvis,
            hips: reference[pelvis.0].inverse().act(&middle),
            trunk: chain(Some(pelvis), trunk),
            head: chain(trunk, model.role(Role::Head)),
            shoulder: [shoulder_l, shoulder_r],
            elbow: [elbow_l, elbow_r],
            arms: [arm_l, arm_r],
            leg_parts: Side::BOTH.map(|side| {
                let [thigh, shin, foot] =
                    [Role::Thigh(side), Role::Shin(side), Role::Foot(side)].map(|r| model.role(r));
                [chain(Some(pelvis), thigh), chain(thigh, shin), chain(shin, foot)]
            }),
            feet,
            leg: middle.z - ankle(0).z.min(ankle(1).z) + sole,
            legs,
            reference,
            model: model.clone(),
        })
    }

    /// How much slower a longer body moves: pendulums swing with the root of their length.
    pub(super) fn tempo(&self) -> f64 {
        (self.leg / LEG).sqrt()
    }

    /// Longest distance from a hip to its ankle, m.
    pub(super) fn span(&self, side: usize) -> f64 {
        let links = self.legs[side].links();
        links.upper + links.lower
    }

    /// Hips in the world for a place and an orientation of the pelvis.
    pub(super) fn hip(&self, side: usize, middle: &Vec3, pelvis: [f64; 3]) -> Vec3 {
        self.legs[side].root(&self.pelvis_at(middle, pelvis))
    }

    fn pelvis_at(&self, middle: &Vec3, pelvis: [f64; 3]) -> Placement {
        let turn = rotation::to_matrix(&orientation(pelvis)) * self.reference[self.pelvis.0].rot;
        Placement { rot: turn, pos: middle - turn * self.hips }
    }

    /// Height of the hands over the hips when the arms reach straight up, m; zero without arms.
    pub(super) fn arm_reach(&self) -> f64 {
        let Some(arm) = &self.arms[0] else { return 0.0 };
        let links = arm.links();
        let shoulder =
            arm.root(&self.reference[arm.base().0]).z - self.reference[self.pelvis.0].act(&self.hips).z;
        shoulder + links.upper + links.lower
    }

    /// Distance between the shoulders, m.
    pub(super) fn shoulder_width(&self) -> f64 {
        match &self.arms {
            [Some(l), Some(r)] => {
                let at = |arm: &LimbIk| arm.root(&self.reference[arm.base().0]);
                (at(l) - at(r)).norm()
            }
            _ => 0.0,
        }
    }

    fn place_foot(&self, figure: &Figure, side: usize, q: &mut [f64]) {
        let pelvis = self.pelvis_at(&figure.hips, figure.pelvis);
        let foot = figure.feet[side];
        let wanted = foot.1 * rotation::from_matrix(&self.reference[self.legs[side].end().0].rot);
        self.legs[side].solve(&pelvis, q, &foot.0, Some(&wanted));
    }

    /// Writes the configuration of a figure.
    pub(super) fn pose(&mut self, figure: &Figure, q: &mut [f64]) {
        let model = self.model.clone();
        let pelvis = self.pelvis_at(&figure.hips, figure.pelvis);
        // the free root may be another body than the pelvis: only the same one is put in place
        write_vec3(q, self.root, &pelvis.pos);
        write_quat(q, self.root + 3, &rotation::from_matrix(&pelvis.rot));
        let fit = |part: &Option<Part>, turn: Quat, q: &mut [f64]| {
            if let Some(part) = part {
                part.turn(turn, q);
            }
        };
        fit(&self.trunk, middle_turn(&figure.trunk), q);
        fit(&self.head, middle_turn(&figure.head), q);
        for (k, side) in Side::BOTH.into_iter().enumerate() {
            fit(&self.shoulder[k], arm_turn(&figure.shoulder[k], side), q);
            fit(&self.elbow[k], about(-Vec3::y(), figure.elbow[k]), q);
        }
        if let Some(legs) = figure.legs {
            let bends = [-legs.hip, legs.knee, -legs.ankle].map(|a| about(Vec3::y(), a));
            for parts in &self.leg_parts {
                parts.iter().zip(bends).for_each(|(part, bend)| fit(part, bend, q));
            }
        }
        for k in (0..2).filter(|_| figure.legs.is_none()) {
            self.place_foot(figure, k, q);
        }
        if let Some(hands) = figure.hands {
            forward_kinematics(&model, &mut self.data, q);
            for k in 0..2 {
                if let Some(arm) = &self.arms[k] {
                    let base = self.data.body_placement(&model, arm.base());
                    arm.solve(&base, q, &hands[k], None);
                }
            }
        }
    }
}

/// Where a hand holds, in the frame of the lower arm: the middle of a hand's shapes or of the site called after it, else the
/// end of the forearm.
pub(crate) fn hand_point(model: &Model, reference: &[Placement], side: Side, lower: BodyId) -> Vec3 {
    let elbow = reference[lower.0].pos;
    let in_lower = |p: &Vec3| reference[lower.0].inverse().act(p);
    let carried = |body: usize| {
        let mut at = Some(body);
        while let Some(b) = at {
            if b == lower.0 {
                return true;
            }
            at = model.bodies()[b].parent;
        }
        false
    };
    if let Some(hand) = model.role(Role::Hand(side)).filter(|h| *h != lower && carried(h.0)) {
        return in_lower(&reference[hand.0].act(&model.bodies()[hand.0].inertia.com));
    }
    // the site or shape of the forearm that is farthest from the elbow
    let sites = model.bodies()[lower.0].sites.iter().map(|s| reference[lower.0].act(&s.pos));
    let geoms = model.bodies()[lower.0].geoms.iter().map(|g| reference[lower.0].act(&g.pos));
    let far = |a: &Vec3, b: &Vec3| (a - elbow).norm().total_cmp(&(b - elbow).norm());
    in_lower(&sites.max_by(far).or_else(|| geoms.max_by(far)).unwrap_or(elbow))
}

/// Pitch forward, roll, yaw as a rotation: yaw outermost.
pub(super) fn orientation([pitch, roll, yaw]: [f64; 3]) -> Quat {
    about(Vec3::z(), yaw) * about(Vec3::y(), pitch) * about(Vec3::x(), roll)
}

fn about(axis: Vec3, angle: f64) -> Quat {
    rotation::exp(&(axis * angle))
}

/// Trunk and head bend forward about y, to the left about −x, and turn left about z.
fn middle_turn(turn: &Turn) -> Quat {
    about(Vec3::z(), turn.twist) * about(Vec3::y(), turn.flex) * about(-Vec3::x(), turn.side)
}

/// Arms lift forward about −y, sideways away from the body, and twist inwards about their own line.
fn arm_turn(turn: &Turn, side: Side) -> Quat {
    let sign = if side == Side::Left { 1.0 } else { -1.0 };
    about(-Vec3::y(), turn.flex) * about(Vec3::x(), sign * turn.side) * about(Vec3::z(), -sign * turn.twist)
}
