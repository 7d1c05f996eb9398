//! Forces of springs and dampers in the joints.

use crate::kinematics::quat_at;
use crate::model::{JointKind, Model};
use crate::spatial::rotation;

/// Writes the generalised forces of the joints' springs and viscous dampers at `(q, v)`: `−k (q − q₀) − d v`.
///
/// A ball's spring pulls along the rotation vector back to the identity. Free joints have no spring.
///
/// ```
/// use sinew_dynamics::{BodySpec, JointSpec, Model, ModelSpec, passive_force};
/// use sinew_dynamics::spatial::{Inertia, Vec3};
/// let mut spec = ModelSpec::new("door");
/// let mut hinge = JointSpec::hinge("hinge", Vec3::z());
/// (hinge.stiffness, hinge.damping) = (10.0, 2.0);
/// spec.bodies.push(BodySpec::new("leaf", None, Inertia::solid_box(20.0, Vec3::new(1.0, 0.05, 2.0))).with_joint(hinge));
/// let door = Model::new(spec)?;
/// let mut tau = [0.0];
/// passive_force(&door, &[0.5], &[1.0], &mut tau);
/// assert_eq!(tau, [-10.0 * 0.5 - 2.0 * 1.0]);
/// # Ok::<(), sinew_dynamics::ModelError>(())
/// ```
///
/// # Panics
/// If the slices do not have `nq`, `nv`, `nv` numbers.
pub fn passive_force(model: &Model, q: &[f64], v: &[f64], out: &mut [f64]) {
    assert_eq!((q.len(), v.len(), out.len()), (model.nq(), model.nv(), model.nv()), "q, v, out");
    for ((x, v), damping) in out.iter_mut().zip(v).zip(&model.damping) {
        *x = -damping * v;
    }
    for joint in model.joints() {
        let spec = &model.bodies()[joint.body.0].joints[joint.nth];
        if spec.stiffness == 0.0 {
            continue;
        }
        match joint.kind {
            JointKind::Free => {}
            JointKind::Ball => {
                let stretch = rotation::log(&quat_at(q, joint.q));
                for k in 0..3 {
                    out[joint.v + k] -= spec.stiffness * stretch[k];
                }
            }
            _ => out[joint.v] -= spec.stiffness * (q[joint.q] - spec.spring_reference),
        }
    }
}
