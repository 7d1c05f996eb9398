//! Ball joints in the place of knees and elbows, which bend one way only: about the y axis of the lower part, as `docs/characters.md` has it.

use sinew_dynamics::{JointInfo, JointKind, Model, Role, Side};

/// Such a joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hinged {
    /// Place of its quaternion in the configuration.
    pub(crate) q: usize,
    /// The degree of freedom that bends it.
    pub(crate) dof: usize,
    /// 1 where it bends about y, as a knee does; −1 where it bends the other way.
    pub(crate) sign: f64,
}

impl Hinged {
    /// All of a body.
    pub(crate) fn of(model: &Model) -> Vec<Hinged> {
        let of = |joint: &JointInfo| {
            let is =
                |role: fn(Side) -> Role| Side::BOTH.iter().any(|s| model.role(role(*s)) == Some(joint.body));
            let sign = if is(Role::Shin) { 1.0 } else { -1.0 };
            let hinged = joint.kind == JointKind::Ball && (is(Role::Shin) || is(Role::LowerArm));
            hinged.then_some(Hinged { q: joint.q, dof: joint.v + 1, sign })
        };
        model.joints().iter().filter_map(of).collect()
    }

    /// How far it is bent, rad; negative when it is bent as a person's cannot be.
    pub(crate) fn bent(&self, q: &[f64]) -> f64 {
        let (w, y) = (q[self.q], q[self.q + 2]);
        2.0 * self.sign * libm::atan2(y * w.signum(), w.abs())
    }

    /// Whether it is a knee.
    pub(crate) fn is_knee(&self) -> bool {
        self.sign > 0.0
    }
}
