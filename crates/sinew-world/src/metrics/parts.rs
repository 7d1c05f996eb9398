//! The parts of a character that matter for standing and falling.

use sinew_dynamics::spatial::Vec3;
use sinew_dynamics::{Data, Model, Role, Side, forward_kinematics};

/// A part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Of the left (0) or right (1) foot.
    Foot(usize),
    Trunk,
    Head,
    Limb,
}

/// The part of every body; empty when the character has no feet.
pub(super) fn parts(model: &Model) -> Vec<Part> {
    let bodies = model.bodies();
    let mut parts = vec![Part::Limb; bodies.len()];
    // trunk: all that carries the thorax, the pelvis or the head
    for role in [Role::Trunk, Role::Pelvis, Role::Head] {
        let mut at = model.role(role).map(|b| b.0);
        while let Some(body) = at {
            parts[body] = Part::Trunk;
            at = bodies[body].parent;
        }
    }
    let mut mark = |role: Role, part: Part| {
        if let Some(body) = model.role(role) {
            parts[body.0] = part;
        }
    };
    mark(Role::Head, Part::Head);
    for (n, side) in Side::BOTH.into_iter().enumerate() {
        mark(Role::Toe(side), Part::Foot(n));
        mark(Role::Foot(side), Part::Foot(n));
    }
    // what hangs from a foot or the head belongs to it
    for i in 0..bodies.len() {
        if let (Part::Limb, Some(parent)) = (parts[i], bodies[i].parent)
            && matches!(parts[parent], Part::Foot(_) | Part::Head)
        {
            parts[i] = parts[parent];
        }
    }
    if parts.iter().any(|p| matches!(p, Part::Foot(_))) { parts } else { Vec::new() }
}

/// The configuration in which a character stands.
pub(super) fn standing(model: &Model) -> Vec<f64> {
    let keys = &model.spec().keyframes;
    let key = keys.iter().find(|k| k.name == "stand").or(keys.first());
    key.map_or_else(|| model.neutral(), |k| k.q.clone())
}

/// Height of the centre of mass over the soles when standing, m.
pub(super) fn standing_height(model: &Model) -> f64 {
    let mut data = Data::new(model);
    forward_kinematics(model, &mut data, &standing(model));
    let sole = data.extent(model, &Vec3::z()).map_or(0.0, |[low, _]| low);
    data.center_of_mass(model).z - sole
}
