//! Torques of joints from couples between body parts.
//!
//! A couple `τ` on a part and `−τ` on its parent equals the joint torques `Sᵀ τ`, where `S` holds the world axes of the degrees of
//! freedom between them. This is exact for balls, hinges and chains of hinges.

use super::body::{Body, Limb};
use sinew_dynamics::spatial::{Mat3, Vec3, rotation};
use sinew_dynamics::{BodyId, Data, Model, momentum};

/// Greatest damping as a multiple of inertia over time step: beyond 2 explicit damping diverges.
const STABLE: f64 = 0.4;

/// The present state, and workspace for quantities derived from it.
#[derive(Debug)]
pub(super) struct Work {
    data: Data,
    jacobian: Vec<f64>,
    pub(super) error: Vec<f64>,
    pub(super) com: Vec3,
    pub(super) velocity: Vec3,
}

impl Work {
    pub(super) fn new(model: &Model) -> Work {
        let (data, jacobian, error) = (Data::new(model), vec![0.0; 6 * model.nv()], vec![0.0; model.nv()]);
        Work { data, jacobian, error, com: Vec3::zeros(), velocity: Vec3::zeros() }
    }

    pub(super) fn update(&mut self, model: &Model, q: &[f64], v: &[f64]) {
        self.velocity = momentum(model, &mut self.data, q, v).linear / model.mass();
        self.com = self.data.center_of_mass(model);
    }

    /// Where the joint above a part is.
    pub(super) fn place(&self, model: &Model, body: BodyId) -> Vec3 {
        self.data.body_placement(model, body).pos
    }

    /// Orientation of a part relative to its orientation when the body stands upright and faces x.
    pub(super) fn turned(&self, model: &Model, body: &Body, part: BodyId) -> Mat3 {
        self.data.body_placement(model, part).rot * body.upright[part.0].transpose()
    }

    pub(super) fn spin(&self, model: &Model, part: BodyId) -> Vec3 {
        self.data.angular_velocity(model, part)
    }

    fn axes<'w>(&'w mut self, model: &Model, limb: &'w Limb) -> impl Iterator<Item = (usize, Vec3)> + 'w {
        let at = self.place(model, limb.body);
        self.data.body_jacobian(model, limb.body, &at, &mut self.jacobian);
        let jacobian = &self.jacobian;
        limb.dofs.iter().map(move |dof| (*dof, Vec3::from_column_slice(&jacobian[6 * dof + 3..6 * dof + 6])))
    }

    /// Adds a couple to a part and its opposite to the one above.
    pub(super) fn couple(&mut self, model: &Model, limb: &Limb, couple: &Vec3, torque: &mut [f64]) {
        self.axes(model, limb).for_each(|(dof, axis)| torque[dof] += axis.dot(couple));
    }

    /// The couple on a part from the torques of the joints above it.
    pub(super) fn given(&mut self, model: &Model, limb: &Limb, torque: &[f64]) -> Vec3 {
        self.axes(model, limb).map(|(dof, axis)| axis * torque[dof]).sum()
    }
}

/// Damping of a degree of freedom, bounded for stability at the time step.
pub(super) fn damping(wanted: f64, inertia: f64, dt: f64) -> f64 {
    wanted.min(STABLE * inertia / dt)
}

/// Clamps torques to the joints' limits.
pub(super) fn limit(model: &Model, dofs: &[usize], torque: &mut [f64]) {
    for dof in dofs {
        let most = model.effort_limits()[*dof];
        torque[*dof] = torque[*dof].clamp(-most, most);
    }
}

/// The turn that leads from one orientation to another, in world axes.
pub(super) fn turn(from: &Mat3, to: &Mat3) -> Vec3 {
    rotation::log(&rotation::from_matrix(&(to * from.transpose())))
}

/// Rotation about a unit axis.
pub(super) fn about(axis: Vec3, angle: f64) -> Mat3 {
    let (c, s) = rotation::cos_sin(angle);
    rotation::about_axis(&axis, c, s)
}
