//! Kinetic and potential energy.

use crate::data::Data;
use crate::kinematics::{forward_kinematics, forward_velocities, quat_at};
use crate::model::{JointKind, Model};
use crate::spatial::rotation;

/// Kinetic energy `½ vᵀ M v` at `(q, v)`, armature included, J.
///
/// ```
/// use sinew_dynamics::{Data, characters, kinetic_energy};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let (q, v) = (human.neutral(), vec![0.0; human.nv()]);
/// let mut v = v;
/// v[0] = 2.0;
/// assert!((kinetic_energy(&human, &mut data, &q, &v) - 0.5 * human.mass() * 4.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the slices do not have `nq` and `nv` numbers.
pub fn kinetic_energy(model: &Model, data: &mut Data, q: &[f64], v: &[f64]) -> f64 {
    forward_velocities(model, data, q, v);
    let mut twice = 0.0;
    for (i, link) in model.links.iter().enumerate() {
        let (pose, twist, inertia) = (&data.poses[i], &data.velocities[i], &link.inertia);
        let at_com = twist.linear + twist.angular.cross(&(pose.rot * inertia.com));
        let spin = pose.rot.tr_mul(&twist.angular);
        twice += inertia.mass * at_com.norm_squared() + spin.dot(&(inertia.about_com * spin));
        twice += link.armature * v[link.v..link.v + link.nv].iter().map(|x| x * x).sum::<f64>();
    }
    0.5 * twice
}

/// Potential energy at `q`, J: of gravity (zero at the world's origin) and of the joints' springs.
///
/// ```
/// use sinew_dynamics::{Data, characters, potential_energy};
/// let human = characters::load("human")?;
/// let mut data = Data::new(&human);
/// let q = human.neutral();
/// let standing = potential_energy(&human, &mut data, &q);
/// let mut higher = q.clone();
/// higher[2] += 1.0;
/// let lifted = potential_energy(&human, &mut data, &higher) - standing;
/// assert!((lifted - 9.81 * human.mass()).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If `q` does not have `nq` numbers.
pub fn potential_energy(model: &Model, data: &mut Data, q: &[f64]) -> f64 {
    forward_kinematics(model, data, q);
    let gravity = -model.mass() * model.gravity().dot(&data.center_of_mass(model));
    let springs: f64 = model
        .joints()
        .iter()
        .map(|joint| {
            let spec = &model.bodies()[joint.body.0].joints[joint.nth];
            let stretch = match joint.kind {
                JointKind::Ball => rotation::log(&quat_at(q, joint.q)).norm(),
                JointKind::Free => 0.0,
                _ => q[joint.q] - spec.spring_reference,
            };
            0.5 * spec.stiffness * stretch * stretch
        })
        .sum();
    gravity + springs
}
