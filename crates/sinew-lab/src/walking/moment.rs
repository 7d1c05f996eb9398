//! One moment of a walk, as gait laboratories describe it.
//!
//! Angles are in degrees, in the plane in which the body goes, and 0 where the body stands upright with hanging arms. Flexion
//! is positive: thigh forward, shin back, toes up, arm forward. A joint is measured by the lines between joint centres, so that bodies
//! of other joints compare; the pelvis turns and tilts as its frame does.

use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{BodyId, Data, Model, Role, Side, forward_kinematics};
use sinew_motion::Sole;

type Arm = (BodyId, BodyId, (BodyId, Vec3));

/// Body parts for the measurement.
#[derive(Clone, Debug)]
pub struct Gauge {
    pelvis: BodyId,
    trunk: BodyId,
    thigh: [BodyId; 2],
    shin: [BodyId; 2],
    foot: [BodyId; 2],
    /// Upper arm, lower arm, and the hand with its point.
    arm: Option<[Arm; 2]>,
    soles: [Sole; 2],
    upright: Vec<sinew_dynamics::spatial::Mat3>,
    /// From hip to sole when it stands upright, m.
    pub leg: f64,
    data: Data,
}

/// One moment. Index 0 is the left side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Thigh against pelvis.
    pub hip: [f64; 2],
    /// Thigh against the vertical.
    pub thigh: [f64; 2],
    /// Shin against thigh.
    pub knee: [f64; 2],
    /// Sole against shin.
    pub ankle: [f64; 2],
    /// Thigh outwards, against the pelvis.
    pub abduction: [f64; 2],
    /// Pelvis: forward, to the right, and turned to the left.
    pub pelvis: [f64; 3],
    /// Trunk: likewise.
    pub trunk: [f64; 3],
    /// Upper arm against the trunk, forward.
    pub shoulder: [f64; 2],
    /// Lower arm against upper arm.
    pub elbow: [f64; 2],
    /// Sole against the ground, toes up.
    pub pitch: [f64; 2],
    /// Hands ahead of the shoulders' middle, m.
    pub hand: [f64; 2],
    /// Middle of the hips in the world, m.
    pub hips: Vec3,
    /// Lowest points of heel and toe in the world, m.
    pub heel: [Vec3; 2],
    /// Likewise.
    pub toe: [Vec3; 2],
}

impl Gauge {
    /// `None` for a body without trunk, two legs and soles.
    pub fn of(model: &Model) -> Option<Gauge> {
        let both =
            |role: fn(Side) -> Role| Some([model.role(role(Side::Left))?, model.role(role(Side::Right))?]);
        let soles = [Sole::of(model, Side::Left)?, Sole::of(model, Side::Right)?];
        let placements = model.spec().reference_placements();
        let thigh = both(Role::Thigh)?;
        let ground = placements[soles[0].heel[0].body.0].act(&soles[0].heel[0].at).z;
        let hands = Side::BOTH.map(|side| match model.role(Role::Hand(side)) {
            Some(hand) => Some((hand, 1.0)),
            None => model.role(Role::LowerArm(side)).map(|arm| (arm, 2.0)),
        });
        let arms = both(Role::UpperArm).zip(both(Role::LowerArm)).zip(hands[0].zip(hands[1]));
        let arm = arms.map(|((upper, lower), (left, right))| {
            let hand = [left, right].map(|(b, times)| (b, model.bodies()[b.0].inertia.com * times));
            [0, 1].map(|k| (upper[k], lower[k], hand[k]))
        });
        Some(Gauge {
            pelvis: model.role(Role::Pelvis)?,
            trunk: model.role(Role::Trunk)?,
            shin: both(Role::Shin)?,
            foot: both(Role::Foot)?,
            arm,
            soles,
            leg: placements[thigh[0].0].pos.z - ground,
            thigh,
            upright: placements.iter().map(|p| p.rot).collect(),
            data: Data::new(model),
        })
    }

    /// Whether a body part belongs to the foot of a side.
    pub fn belongs(&self, model: &Model, part: usize, side: usize) -> bool {
        std::iter::successors(Some(part), |b| model.bodies()[*b].parent).any(|b| b == self.foot[side].0)
    }

    /// A configuration, going along a heading (rad).
    pub fn measure(&mut self, model: &Model, q: &[f64], heading: f64) -> Moment {
        forward_kinematics(model, &mut self.data, q);
        let data = &self.data;
        let (s, c) = libm::sincos(heading);
        let (ahead, left, up) = (Vec3::new(c, s, 0.0), Vec3::new(-s, c, 0.0), Vec3::z());
        let at = |body: BodyId| data.body_placement(model, body);
        let axes = |body: BodyId| at(body).rot * self.upright[body.0].transpose();
        // forward, right, turned left
        let lean = |body: BodyId| {
            let m = axes(body);
            let (z, x) = (m * up, m * Vec3::x());
            [
                libm::atan2(z.dot(&ahead), z.z).to_degrees(),
                libm::atan2(-z.dot(&left), z.z).to_degrees(),
                libm::atan2(x.dot(&left), x.dot(&ahead)).to_degrees(),
            ]
        };
        // forward angle of a line that hangs down, in the frame of a part or the world
        let swung = |d: Vec3| libm::atan2(d.x, -d.z).to_degrees();
        let world = |d: Vec3| Vec3::new(d.dot(&ahead), d.dot(&left), d.z);
        let mut m = Moment { pelvis: lean(self.pelvis), trunk: lean(self.trunk), ..Moment::default() };
        m.hips = (at(self.thigh[0]).pos + at(self.thigh[1]).pos) * 0.5;
        let shoulders = self.arm.map(|arm| (at(arm[0].0).pos + at(arm[1].0).pos) * 0.5);
        for k in 0..2 {
            let (hip, knee, ankle) = (at(self.thigh[k]).pos, at(self.shin[k]).pos, at(self.foot[k]).pos);
            let (thigh, shin) = (knee - hip, ankle - knee);
            let seen = axes(self.pelvis).tr_mul(&thigh);
            m.hip[k] = swung(seen);
            let outward = if k == 0 { seen.y } else { -seen.y };
            m.abduction[k] = libm::atan2(outward, -seen.z).to_degrees();
            m.thigh[k] = swung(world(thigh));
            m.knee[k] = m.thigh[k] - swung(world(shin));
            let corner = |p: &sinew_motion::BodyPoint| at(p.body).act(&p.at);
            let lower = |p: &[sinew_motion::BodyPoint; 2]| {
                let [a, b] = [corner(&p[0]), corner(&p[1])];
                if a.z < b.z { a } else { b }
            };
            (m.heel[k], m.toe[k]) = (lower(&self.soles[k].heel), lower(&self.soles[k].toe));
            let middle = |p: &[sinew_motion::BodyPoint; 2]| (corner(&p[0]) + corner(&p[1])) * 0.5;
            let sole = world(middle(&self.soles[k].toe) - middle(&self.soles[k].heel));
            m.pitch[k] = libm::atan2(sole.z, sole.x).to_degrees();
            m.ankle[k] = m.pitch[k] - swung(world(shin));
            if let Some(arm) = self.arm {
                let (upper, lower, (hand, point)) = arm[k];
                let (shoulder, elbow, hand) = (at(upper).pos, at(lower).pos, at(hand).act(&point));
                let seen = |d: Vec3| axes(self.trunk).tr_mul(&d);
                m.shoulder[k] = swung(seen(elbow - shoulder));
                m.elbow[k] = swung(seen(hand - elbow)) - m.shoulder[k];
                m.hand[k] = shoulders.map_or(0.0, |middle| (hand - middle).dot(&ahead));
            }
        }
        m
    }
}
