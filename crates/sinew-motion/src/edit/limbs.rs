//! Hands and feet to places, live: the limbs of a body by inverse kinematics on a given pose.
//!
//! Legs keep the orientation of the foot in the world, or take a new one; arms bring the hand to a point. Everything else of
//! the pose stays. Cost: one pass of forward kinematics and a closed-form solution per limb, a few microseconds; no
//! allocation after [`Limbs::new`].

use crate::ik::{LimbIk, Reach};
use crate::motions::hand_point;
use sinew_dynamics::spatial::{Placement, Vec3, rotation};
use sinew_dynamics::{BodyId, Data, Model, Role, Side, forward_kinematics};
use std::sync::Arc;

/// A limb that can be put somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limb {
    /// From the pelvis to the foot.
    Leg(Side),
    /// From what carries the upper arm to the hand.
    Arm(Side),
}

/// The limbs of a body.
///
/// ```
/// use sinew_dynamics::{Side, characters, spatial::Vec3};
/// use sinew_motion::edit::{Limb, Limbs};
/// let human = std::sync::Arc::new(characters::load("human")?);
/// let mut limbs = Limbs::new(&human);
/// let mut q = human.neutral();
/// limbs.look_at(&q);
/// let hand = limbs.place(Limb::Arm(Side::Right)).unwrap();
/// let wanted = hand + Vec3::new(0.3, 0.0, 0.3);
/// assert!(limbs.reach(Limb::Arm(Side::Right), &wanted, &mut q).unwrap().distance < 1e-12);
/// limbs.look_at(&q);
/// assert!((limbs.place(Limb::Arm(Side::Right)).unwrap() - wanted).norm() < 1e-12);
/// # Ok::<(), characters::UnknownCharacter>(())
/// ```
#[derive(Clone, Debug)]
pub struct Limbs {
    model: Arc<Model>,
    data: Data,
    legs: [Option<LimbIk>; 2],
    arms: [Option<LimbIk>; 2],
}

impl Limbs {
    /// Finds legs and arms by their roles; a limb that is not there, or is no limb of two links, cannot be moved.
    pub fn new(model: &Arc<Model>) -> Limbs {
        let reference = model.spec().reference_placements();
        let leg = |side| {
            let parts =
                [Role::Pelvis, Role::Thigh(side), Role::Shin(side), Role::Foot(side)].map(|r| model.role(r));
            let [Some(pelvis), Some(thigh), Some(shin), Some(foot)] = parts else { return None };
            LimbIk::new(model, pelvis, thigh, shin, foot).ok()
        };
        let arm = |side| {
            let (upper, lower) = (model.role(Role::UpperArm(side))?, model.role(Role::LowerArm(side))?);
            let carrier = BodyId(model.bodies()[upper.0].parent?);
            let point = hand_point(model, &reference, side, lower);
            LimbIk::to_point(model, carrier, upper, lower, point).ok()
        };
        Limbs {
            data: Data::new(model),
            legs: Side::BOTH.map(leg),
            arms: Side::BOTH.map(arm),
            model: model.clone(),
        }
    }

    fn limb(&self, limb: Limb) -> Option<&LimbIk> {
        match limb {
            Limb::Leg(side) => self.legs[side as usize].as_ref(),
            Limb::Arm(side) => self.arms[side as usize].as_ref(),
        }
    }

    /// Takes the places of all bodies in a pose; the next calls refer to it.
    pub fn look_at(&mut self, q: &[f64]) {
        forward_kinematics(&self.model, &mut self.data, q);
    }

    /// Where the ankle or the hand is.
    pub fn place(&self, limb: Limb) -> Option<Vec3> {
        let ik = self.limb(limb)?;
        Some(ik.joint(&self.data.body_placement(&self.model, ik.end())))
    }

    /// Frame of the foot or the forearm.
    pub fn end(&self, limb: Limb) -> Option<Placement> {
        Some(self.data.body_placement(&self.model, self.limb(limb)?.end()))
    }

    /// Length of a stretched limb, m.
    pub fn length(&self, limb: Limb) -> Option<f64> {
        let links = self.limb(limb)?.links();
        Some(links.upper + links.lower)
    }

    /// Where the hip or the shoulder is.
    pub fn root(&self, limb: Limb) -> Option<Vec3> {
        let ik = self.limb(limb)?;
        Some(ik.root(&self.data.body_placement(&self.model, ik.base())))
    }

    /// Brings the ankle or the hand to a place; a foot keeps its orientation in the world. The pose is the one looked at.
    pub fn reach(&self, limb: Limb, place: &Vec3, q: &mut [f64]) -> Option<Reach> {
        let ik = self.limb(limb)?;
        let base = self.data.body_placement(&self.model, ik.base());
        let turn = rotation::from_matrix(&self.data.body_placement(&self.model, ik.end()).rot);
        Some(ik.solve(&base, q, place, matches!(limb, Limb::Leg(_)).then_some(&turn)))
    }

    /// Brings a foot's frame to a place; the pose is the one looked at, except that the base may have moved by `shift`.
    pub(crate) fn put_foot(
        &self,
        side: Side,
        foot: &Placement,
        shift: &Vec3,
        q: &mut [f64],
    ) -> Option<Reach> {
        let ik = self.legs[side as usize].as_ref()?;
        let mut base = self.data.body_placement(&self.model, ik.base());
        base.pos += shift;
        Some(ik.solve(&base, q, &ik.joint(foot), Some(&rotation::from_matrix(&foot.rot))))
    }

    /// Where the ankle is when the foot's frame is at a place.
    pub(crate) fn ankle(&self, side: Side, foot: &Placement) -> Option<Vec3> {
        Some(self.legs[side as usize].as_ref()?.joint(foot))
    }

    /// Whose limbs they are.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }
}
