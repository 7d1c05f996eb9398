//! Angles, turns, touches and torques over time, from a recording.

use super::measure::swings;
use sinew_dynamics::spatial::{Placement, Vec3};
use sinew_dynamics::{BodyId, Data, JointKind, Model, Role, Side, forward_kinematics};
use sinew_world::recording::Recording;

/// What a walk looks like over time, one entry per step of the recording; index 0 is the left side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signals {
    /// Time step, s.
    pub dt: f64,
    /// Angle of the arm from the vertical, forward positive, rad; empty for a body without arms.
    pub arm: [Vec<f64>; 2],
    /// Angle of the leg likewise.
    pub leg: [Vec<f64>; 2],
    /// Flexion of the knee, rad.
    pub knee: [Vec<f64>; 2],
    /// Direction in which the shoulders face, rad, whole turns included.
    pub trunk: Vec<f64>,
    /// Direction in which the hips face.
    pub pelvis: Vec<f64>,
    /// Whether the rear half of the foot carries.
    pub heel: [Vec<bool>; 2],
    /// Whether the front half does.
    pub toe: [Vec<bool>; 2],
    /// Torques of the actuated degrees of freedom, N·m.
    pub torques: Vec<Vec<f64>>,
}

/// Share of the weight from which on a contact carries.
const LOADED: f64 = 1e-3;

/// The parts of a body.
struct Parts {
    pelvis: BodyId,
    trunk: BodyId,
    thigh: [BodyId; 2],
    shin: [BodyId; 2],
    foot: [BodyId; 2],
    /// Shoulder and hand (or elbow).
    arm: Option<[[BodyId; 2]; 2]>,
    /// Orientations when standing upright, facing x.
    upright: Vec<Placement>,
}

impl Parts {
    fn of(model: &Model) -> Option<Parts> {
        let both =
            |role: fn(Side) -> Role| Some([model.role(role(Side::Left))?, model.role(role(Side::Right))?]);
        let ends = both(Role::Hand).or_else(|| both(Role::LowerArm));
        Some(Parts {
            pelvis: model.role(Role::Pelvis)?,
            trunk: model.role(Role::Trunk)?,
            thigh: both(Role::Thigh)?,
            shin: both(Role::Shin)?,
            foot: both(Role::Foot)?,
            arm: both(Role::UpperArm).zip(ends).map(|(from, to)| [0, 1].map(|k| [from[k], to[k]])),
            upright: model.spec().reference_placements(),
        })
    }

    /// The direction of a part that points forward when upright, in the world.
    fn forward(&self, body: BodyId, at: &Placement) -> Vec3 {
        at.rot * self.upright[body.0].rot.tr_mul(&Vec3::x())
    }
}

impl Signals {
    /// From a time on; `None` for a body without trunk and two legs.
    pub fn of(recording: &Recording, from: f64) -> Option<Signals> {
        let model = &recording.info().model;
        let parts = Parts::of(model)?;
        let loaded = LOADED * model.mass() * model.gravity().norm();
        let driven: Vec<usize> = model
            .joints()
            .iter()
            .filter(|j| j.kind != JointKind::Free)
            .flat_map(|j| j.v..j.v + j.kind.nv())
            .collect();
        let mut s = Signals {
            dt: recording.info().meta.dt,
            torques: vec![Vec::new(); driven.len()],
            ..Signals::default()
        };
        let mut data = Data::new(model);
        let mut touches: [Vec<Vec<f64>>; 2] = Default::default();
        for row in recording.rows().filter(|row| row.frame.time >= from) {
            let frame = row.frame;
            forward_kinematics(model, &mut data, frame.q);
            let at = |body: BodyId| data.body_placement(model, body);
            let facing = parts.forward(parts.pelvis, &at(parts.pelvis));
            let ahead = Vec3::new(facing.x, facing.y, 0.0).normalize();
            let lean = |a: BodyId, b: BodyId| {
                let d = at(b).pos - at(a).pos;
                libm::atan2(d.dot(&ahead), -d.z)
            };
            for k in 0..2 {
                s.leg[k].push(lean(parts.thigh[k], parts.foot[k]));
                let (hip, knee, ankle) =
                    (at(parts.thigh[k]).pos, at(parts.shin[k]).pos, at(parts.foot[k]).pos);
                s.knee[k].push((knee - hip).angle(&(ankle - knee)));
                if let Some(arm) = parts.arm {
                    s.arm[k].push(lean(arm[k][0], arm[k][1]));
                }
                // how far forward along the foot its loaded points are
                let (foot, place) = (parts.foot[k], at(parts.foot[k]));
                let along = parts.forward(foot, &place);
                let mine = frame.contacts.iter().filter(|c| belongs(model, c.body, foot.0));
                let carrying = mine.filter(|c| c.force.dot(&c.normal) > loaded);
                touches[k].push(carrying.map(|c| along.dot(&(c.point - place.pos))).collect());
            }
            s.pelvis.push(turned(s.pelvis.last(), &facing));
            s.trunk.push(turned(s.trunk.last(), &parts.forward(parts.trunk, &at(parts.trunk))));
            for (series, dof) in s.torques.iter_mut().zip(&driven) {
                series.push(frame.tau[*dof]);
            }
        }
        for (k, touches) in touches.iter().enumerate() {
            // the middle of the foot: between the ends of all that ever touched
            let ends = |[low, high]: [f64; 2], x: &f64| [low.min(*x), high.max(*x)];
            let [low, high] = touches.iter().flatten().fold([f64::INFINITY, f64::NEG_INFINITY], ends);
            let middle = 0.5 * (low + high);
            s.heel[k] = touches.iter().map(|points| points.iter().any(|x| *x < middle)).collect();
            s.toe[k] = touches.iter().map(|points| points.iter().any(|x| *x >= middle)).collect();
        }
        Some(s)
    }

    /// From the first landing of the left foot to its last; everything when there are not two.
    pub(super) fn whole_strides(&self) -> Signals {
        let touching: Vec<bool> = self.heel[0].iter().zip(&self.toe[0]).map(|(a, b)| *a || *b).collect();
        let landings: Vec<usize> = swings(&touching, self.dt).iter().map(|swing| swing.end).collect();
        let (Some(&first), Some(&last)) = (landings.first(), landings.last()) else { return self.clone() };
        if first == last {
            return self.clone();
        }
        let cut =
            |series: &Vec<f64>| if series.is_empty() { Vec::new() } else { series[first..last].to_vec() };
        let flags = |series: &Vec<bool>| series[first..last].to_vec();
        Signals {
            dt: self.dt,
            arm: self.arm.each_ref().map(cut),
            leg: self.leg.each_ref().map(cut),
            knee: self.knee.each_ref().map(cut),
            trunk: cut(&self.trunk),
            pelvis: cut(&self.pelvis),
            heel: self.heel.each_ref().map(flags),
            toe: self.toe.each_ref().map(flags),
            torques: self.torques.iter().map(cut).collect(),
        }
    }
}

/// Whether a body is another, or hangs from it.
fn belongs(model: &Model, body: usize, ancestor: usize) -> bool {
    std::iter::successors(Some(body), |b| model.bodies()[*b].parent).any(|b| b == ancestor)
}

/// The angle of a direction about the vertical, as the one nearest to the last.
fn turned(last: Option<&f64>, direction: &Vec3) -> f64 {
    let angle = libm::atan2(direction.y, direction.x);
    last.map_or(angle, |last| last + libm::remainder(angle - last, core::f64::consts::TAU))
}
