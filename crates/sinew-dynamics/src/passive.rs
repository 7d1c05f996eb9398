//! Forces of springs and dampers in the joints.

use crate::kinematics::quat_at;
use crate::model::{JointKind, Model};
use crate::spatial::rotation;

/// Writes the generalised forces of the joints' springs and viscous dampers at `(q, v)`: `−k (q − q₀) − d v`.
///
/// A ball's spring pulls along the rotation vector back to the identity. Free joints have no spring.
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
