//! Jacobians of points, bodies and the centre of mass, in world axes.
//!
//! A column is what one unit of one velocity coordinate does; rows are linear (3) then angular (3). Matrices are
//! column-major slices. Only the degrees of freedom between a body and the world have non-zero columns.

use crate::data::{Data, Pose};
use crate::kinematics::{forward_kinematics, world_axis};
use crate::model::{BodyId, Link, LinkKind, Model, WORLD};
use crate::spatial::Vec3;

/// Calls `write(dof, linear, angular)` for each degree of freedom of a link: the velocity at `point` that it causes.
#[inline(always)]
pub(crate) fn columns(link: &Link, pose: &Pose, point: &Vec3, mut write: impl FnMut(usize, Vec3, Vec3)) {
    let arm = point - pose.pos;
    match link.kind {
        LinkKind::Free => {
            for k in 0..3 {
                let mut axis = Vec3::zeros();
                axis[k] = 1.0;
                write(link.v + k, axis, Vec3::zeros());
                let axis: Vec3 = pose.rot.column(k).into();
                write(link.v + 3 + k, axis.cross(&arm), axis);
            }
        }
        LinkKind::Ball => {
            for k in 0..3 {
                let axis: Vec3 = pose.rot.column(k).into();
                write(link.v + k, axis.cross(&arm), axis);
            }
        }
        LinkKind::Slide => write(link.v, world_axis(link, &pose.rot), Vec3::zeros()),
        _ => {
            let axis = world_axis(link, &pose.rot);
            write(link.v, axis.cross(&arm), axis);
        }
    }
}

/// Computes the Jacobian of all joints: column `k` is the motion that `v_k` gives to everything it carries, as the velocity
/// at the world's origin (3) and the angular velocity (3).
///
/// The motion of any body is the sum over the columns on its path to the root. Returns 6×nv numbers.
///
/// ```
/// use sinew_dynamics::{Data, characters, joint_jacobians};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let jacobian = joint_jacobians(&human, &mut data, &human.neutral());
/// assert_eq!(&jacobian[..6], &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]); // the root's x velocity
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If `q` does not have `nq` numbers.
pub fn joint_jacobians<'d>(model: &Model, data: &'d mut Data, q: &[f64]) -> &'d [f64] {
    forward_kinematics(model, data, q);
    let (poses, out) = (&data.poses, &mut data.jacobian);
    let origin = Vec3::zeros();
    for (link, pose) in model.links.iter().zip(poses) {
        columns(link, pose, &origin, |dof, linear, angular| {
            let column = &mut out[6 * dof..6 * dof + 6];
            column[..3].copy_from_slice(linear.as_slice());
            column[3..].copy_from_slice(angular.as_slice());
        });
    }
    &data.jacobian
}

impl Data {
    /// Jacobian (6×nv: linear, angular) of the point of `body` that is at `point` in the world, for the frames of the
    /// last algorithm.
    ///
    /// ```
    /// use sinew_dynamics::{Data, Role, Side, characters, forward_kinematics};
    /// let human = characters::load("human")?;
    /// let mut data = Data::new(&human);
    /// forward_kinematics(&human, &mut data, &human.neutral());
    /// let foot = human.role(Role::Foot(Side::Left)).unwrap();
    /// let at = data.body_placement(&human, foot).pos;
    /// let mut jacobian = vec![0.0; 6 * human.nv()];
    /// data.body_jacobian(&human, foot, &at, &mut jacobian);
    /// assert_eq!(jacobian[6 * 2 + 2], 1.0); // the root's z velocity lifts the foot
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If `out` does not have `6·nv` numbers.
    pub fn body_jacobian(&self, model: &Model, body: BodyId, point: &Vec3, out: &mut [f64]) {
        assert_eq!(out.len(), 6 * model.nv(), "a body's Jacobian is 6×nv");
        out.fill(0.0);
        self.each_column(model, body, point, |dof, linear, angular| {
            out[6 * dof..6 * dof + 3].copy_from_slice(linear.as_slice());
            out[6 * dof + 3..6 * dof + 6].copy_from_slice(angular.as_slice());
        });
    }

    /// Jacobian (3×nv) of the velocity of the point of `body` that is at `point` in the world.
    ///
    /// ```
    /// # use sinew_dynamics::{BodySpec, Data, JointSpec, Model, ModelSpec, forward_velocities};
    /// # use sinew_dynamics::spatial::{Inertia, Vec3};
    /// # let mut spec = ModelSpec::new("pendulum");
    /// # let rod = Inertia::solid_box(1.0, Vec3::new(0.1, 0.1, 1.0));
    /// # spec.bodies.push(BodySpec::new("rod", None, rod).with_joint(JointSpec::hinge("pivot", Vec3::y())));
    /// # let model = Model::new(spec)?;
    /// # let mut data = Data::new(&model);
    /// forward_velocities(&model, &mut data, &[0.3], &[2.0]);
    /// let (rod, tip) = (model.body("rod").unwrap(), Vec3::new(0.0, 0.0, -1.0));
    /// let mut jacobian = [0.0; 3];
    /// data.point_jacobian(&model, rod, &tip, &mut jacobian);
    /// let velocity = Vec3::from(jacobian) * 2.0;
    /// assert!((velocity - data.point_velocity(&model, rod, &tip)).norm() < 1e-15);
    /// # Ok::<(), sinew_dynamics::ModelError>(())
    /// ```
    ///
    /// # Panics
    /// If `out` does not have `3·nv` numbers.
    pub fn point_jacobian(&self, model: &Model, body: BodyId, point: &Vec3, out: &mut [f64]) {
        assert_eq!(out.len(), 3 * model.nv(), "a point's Jacobian is 3×nv");
        out.fill(0.0);
        self.each_column(model, body, point, |dof, linear, _| {
            out[3 * dof..3 * dof + 3].copy_from_slice(linear.as_slice());
        });
    }

    /// Adds `Jᵀ (force, moment)` of a force that acts on a body at a point in the world, and a moment, to generalised forces: what
    /// [`body_jacobian`](Data::body_jacobian) is mostly for, at a fraction of its cost.
    ///
    /// ```
    /// use sinew_dynamics::{Data, Role, Side, characters, forward_kinematics, spatial::Vec3};
    /// let human = characters::load("human")?;
    /// let mut data = Data::new(&human);
    /// forward_kinematics(&human, &mut data, &human.neutral());
    /// let foot = human.role(Role::Foot(Side::Left)).unwrap();
    /// let (at, weight) = (data.body_placement(&human, foot).pos, Vec3::new(0.0, 0.0, 700.0));
    /// let mut forces = vec![0.0; human.nv()];
    /// data.add_wrench(&human, foot, &at, [&weight, &Vec3::zeros()], &mut forces);
    /// assert_eq!(forces[2], 700.0); // all of it reaches the root
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_wrench(
        &self,
        model: &Model,
        body: BodyId,
        point: &Vec3,
        [force, moment]: [&Vec3; 2],
        out: &mut [f64],
    ) {
        self.each_column(model, body, point, |dof, linear, angular| {
            let turned = angular.x * moment.x + angular.y * moment.y + angular.z * moment.z;
            out[dof] += linear.x * force.x + linear.y * force.y + linear.z * force.z + turned;
        });
    }

    /// Visits the non-zero columns of a body's Jacobian, from the body inwards.
    #[inline(always)]
    fn each_column(
        &self,
        model: &Model,
        body: BodyId,
        point: &Vec3,
        mut write: impl FnMut(usize, Vec3, Vec3),
    ) {
        self.each_link(model, body, |link, pose| columns(link, pose, point, &mut write));
    }

    /// Visits the links from a body to the root.
    #[inline(always)]
    pub(crate) fn each_link(&self, model: &Model, body: BodyId, mut visit: impl FnMut(&Link, &Pose)) {
        let mut at = model.frame(body).0;
        while at != WORLD {
            let link = &model.links[at];
            visit(link, &self.poses[at]);
            at = link.parent;
        }
    }
}
