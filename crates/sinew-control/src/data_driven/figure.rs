//! The parts of a body that the balance rules turn: a pelvis with two legs.

use crate::ControlError;
use sinew_dynamics::spatial::{Quat, Vec3, rotation};
use sinew_dynamics::{BodyId, Data, JointKind, Model, Role, Side, forward_kinematics};
use sinew_motion::ik::{Chain, LimbIk};
use std::sync::Arc;

/// Leg length of the authors' figure, m; the gains of the rules are given for it.
pub(super) const LEG: f64 = 0.866;

/// The parts of a body that the rules use.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    pub(super) model: Arc<Model>,
    pub(super) pelvis: BodyId,
    pub(super) legs: [Leg; 2],
    /// Whether the accelerations of a joint are prescribed: true for all but the free root.
    pub(super) prescribed: Vec<bool>,
    /// First coordinate of the root's velocity.
    pub(super) root: usize,
}

/// A leg.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub(super) thigh: BodyId,
    pub(super) shin: BodyId,
    pub(super) foot: BodyId,
    pub(super) toe: BodyId,
    hip: Chain,
    ankle: Chain,
    ik: LimbIk,
    /// Height of the ankle over the sole, m.
    pub(super) height: f64,
    /// Coordinates of hip, knee and ankle in `q`.
    joints: Vec<core::ops::Range<usize>>,
}

impl Figure {
    /// # Errors
    /// When the body has no two legs on a free pelvis.
    pub(super) fn new(model: &Arc<Model>) -> Result<Figure, ControlError> {
        let lacks = |what: String, remedy: &str| ControlError::Body {
            model: model.name().to_owned(),
            what,
            remedy: remedy.to_owned(),
        };
        let part = |role: Role| {
            model
                .role(role)
                .ok_or_else(|| lacks(role.to_string(), "give it in a role table or in a side file"))
        };
        let root = model
            .free_root()
            .ok_or_else(|| lacks("free root".to_owned(), "choose a body that is not fixed to the world"))?;
        let pelvis = part(Role::Pelvis)?;
        let leg = |side: Side| {
            let [thigh, shin, foot] =
                [part(Role::Thigh(side))?, part(Role::Shin(side))?, part(Role::Foot(side))?];
            let ik = LimbIk::new(model, pelvis, thigh, shin, foot)
                .map_err(|e| lacks("leg of two links".to_owned(), &e.to_string()))?;
            let toe = model.role(Role::Toe(side)).unwrap_or(foot);
            let at = &model.spec().reference_placements();
            let lowest = |body: BodyId| {
                let solid = model.bodies()[body.0].geoms.iter().filter(|g| g.contype | g.conaffinity != 0);
                let down = at[body.0].rot.tr_mul(&-Vec3::z());
                solid.map(move |g| at[body.0].act(&g.support(&down)).z).fold(f64::INFINITY, f64::min)
            };
            let lowest = lowest(foot).min(lowest(toe));
            if !lowest.is_finite() {
                return Err(lacks(format!("sole under {}", Role::Foot(side)), "give the foot a shape"));
            }
            let ours = |j: &&sinew_dynamics::JointInfo| [thigh, shin, foot].contains(&j.body);
            Ok(Leg {
                hip: Chain::new(model, Some(pelvis), thigh),
                ankle: Chain::new(model, Some(shin), foot),
                height: ik.joint(&at[foot.0]).z - lowest,
                toe,
                joints: model.joints().iter().filter(ours).map(|j| j.q..j.q + j.kind.nq()).collect(),
                thigh,
                shin,
                foot,
                ik,
            })
        };
        Ok(Figure {
            pelvis,
            legs: [leg(Side::Left)?, leg(Side::Right)?],
            prescribed: model.joints().iter().map(|j| j.kind != JointKind::Free).collect(),
            root: root.v,
            model: Arc::clone(model),
        })
    }

    /// Length of a leg over that of the authors' figure.
    pub(super) fn size(&self) -> f64 {
        let links = self.legs[0].ik.links();
        (links.upper + links.lower) / LEG
    }

    /// Sets the pose.
    pub(super) fn look_at(&self, data: &mut Data, q: &[f64]) {
        forward_kinematics(&self.model, data, q);
    }

    /// Orientation of a body in this pose.
    pub(super) fn turn(&self, data: &Data, body: BodyId) -> Quat {
        rotation::from_matrix(&data.body_placement(&self.model, body).rot)
    }

    /// Place of the pelvis.
    pub(super) fn hips(&self, data: &Data) -> Vec3 {
        data.body_placement(&self.model, self.pelvis).pos
    }

    /// Place of an ankle.
    pub(super) fn ankle(&self, data: &Data, side: Side) -> Vec3 {
        let leg = &self.legs[side as usize];
        leg.ik.joint(&data.body_placement(&self.model, leg.foot))
    }

    /// Sets the world orientation of the thigh in this pose; shin and foot follow.
    pub(super) fn turn_thigh(&self, data: &Data, side: Side, wanted: &Quat, q: &mut [f64]) {
        let leg = &self.legs[side as usize];
        leg.hip.fit(q, &(self.turn(data, self.pelvis).inverse() * wanted), true);
    }

    /// Sets the world orientation of the foot in this pose.
    pub(super) fn turn_foot(&self, data: &Data, side: Side, wanted: &Quat, q: &mut [f64]) {
        let leg = &self.legs[side as usize];
        leg.ankle.fit(q, &(self.turn(data, leg.shin).inverse() * wanted), true);
    }

    /// Moves the ankle of this pose without turning the foot.
    pub(super) fn move_ankle(&self, data: &Data, side: Side, by: &Vec3, q: &mut [f64]) {
        let leg = &self.legs[side as usize];
        let goal = self.ankle(data, side) + by;
        let foot = self.turn(data, leg.foot);
        leg.ik.solve(&data.body_placement(&self.model, self.pelvis), q, &goal, Some(&foot));
    }

    /// Copies a pose except the position of the root.
    pub(super) fn copy_but_place(&self, from: &[f64], to: &mut [f64]) {
        let place = self.model.free_root().map(|root| root.q..root.q + 3).unwrap_or_default();
        (0..to.len()).filter(|k| !place.contains(k)).for_each(|k| to[k] = from[k]);
    }

    /// Copies the joints of a leg from one pose to another.
    pub(super) fn copy_leg(&self, side: Side, from: &[f64], to: &mut [f64]) {
        for range in &self.legs[side as usize].joints {
            to[range.clone()].copy_from_slice(&from[range.clone()]);
        }
    }

    /// Whether a body is a foot or its toe.
    pub(super) fn is_foot(&self, side: Side, body: usize) -> bool {
        let leg = &self.legs[side as usize];
        leg.foot.0 == body || leg.toe.0 == body
    }
}

/// Between two orientations, the short way round.
pub(super) fn slerp(a: &Quat, b: &Quat, weight: f64) -> Quat {
    a * rotation::exp(&(rotation::log(&(a.inverse() * b)) * weight))
}
