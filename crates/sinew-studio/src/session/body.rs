//! A body that changes while it walks: longer legs, a load on the back, other gravity.
//!
//! Sliders set a [`BodyPlan`]; the session approaches it a little at a time ([`BodyPlan::towards`]), because feet that grow
//! reach into the ground. Every change goes through `World::change_body`, so that momentum is kept and the change is in the
//! recording.

use serde::{Deserialize, Serialize};
use sinew::dynamics::spatial::{Inertia, Mat3, Vec3};
use sinew::dynamics::{BodyId, Change, MassRule, Model, ModelError, ModelSpec, Role, Scale, Side, Span};

/// One number of a body and its range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Slider {
    /// Key in messages.
    pub name: &'static str,
    /// As it is written on the screen.
    pub label: &'static str,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// Distance of the values that a slider takes.
    pub step: f64,
    /// The body as its file has it.
    pub default: f64,
    /// Unit on the screen.
    pub unit: &'static str,
}

/// How a body differs from its file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BodyPlan {
    /// Length of thighs and shins, as a factor.
    pub legs: f64,
    /// Length of the arms, as a factor.
    pub arms: f64,
    /// Size of the head, as a factor.
    pub head: f64,
    /// Load on the back, kg.
    pub load: f64,
    /// Strength of all joints, as a factor.
    pub strength: f64,
    /// Coefficient of friction of everything that touches; the less of body and ground counts.
    pub friction: f64,
    /// Downward, m/s².
    pub gravity: f64,
}

impl Default for BodyPlan {
    fn default() -> BodyPlan {
        BodyPlan { legs: 1.0, arms: 1.0, head: 1.0, load: 0.0, strength: 1.0, friction: 1.0, gravity: 9.81 }
    }
}

impl BodyPlan {
    /// What can be changed.
    pub const SLIDERS: [Slider; 7] = [
        slider("legs", "legs", [0.7, 1.4], 0.01, 1.0, "×"),
        slider("arms", "arms", [0.6, 1.6], 0.01, 1.0, "×"),
        slider("head", "head", [0.7, 1.8], 0.01, 1.0, "×"),
        slider("load", "load on the back", [0.0, 40.0], 0.5, 0.0, "kg"),
        slider("strength", "strength", [0.2, 2.0], 0.05, 1.0, "×"),
        slider("friction", "friction", [0.05, 1.0], 0.05, 1.0, ""),
        slider("gravity", "gravity", [0.0, 20.0], 0.01, 9.81, "m/s²"),
    ];

    /// A number by its name.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut f64> {
        Some(match name {
            "legs" => &mut self.legs,
            "arms" => &mut self.arms,
            "head" => &mut self.head,
            "load" => &mut self.load,
            "strength" => &mut self.strength,
            "friction" => &mut self.friction,
            "gravity" => &mut self.gravity,
            _ => return None,
        })
    }

    /// Sets a number by its name, within its range; false when there is none of that name or it is no number.
    pub fn set(&mut self, name: &str, value: f64) -> bool {
        let Some(slider) = BodyPlan::SLIDERS.iter().find(|s| s.name == name) else { return false };
        match self.get_mut(name) {
            Some(number) if value.is_finite() => *number = value.clamp(slider.min, slider.max),
            _ => return false,
        }
        true
    }

    /// All numbers brought into their ranges.
    pub fn bounded(mut self) -> BodyPlan {
        for slider in &BodyPlan::SLIDERS {
            let value = self.get_mut(slider.name).map_or(slider.default, |v| *v);
            let value = if value.is_finite() { value } else { slider.default };
            self.set(slider.name, value);
        }
        self
    }

    /// This plan, nearer to another: lengths change by at most `share`, loads by 100 times as many kg; what has no length
    /// changes at once.
    pub fn towards(&self, target: &BodyPlan, share: f64) -> BodyPlan {
        let near = |from: f64, to: f64, most: f64| from + (to - from).clamp(-most, most);
        BodyPlan {
            legs: near(self.legs, target.legs, share),
            arms: near(self.arms, target.arms, 4.0 * share),
            head: near(self.head, target.head, 4.0 * share),
            load: near(self.load, target.load, 100.0 * share),
            gravity: near(self.gravity, target.gravity, 40.0 * share),
            ..*target
        }
    }

    /// The body of this plan, made of the one of its file.
    ///
    /// # Errors
    /// When the numbers make no body.
    pub fn build(&self, base: &Model) -> Result<Model, ModelError> {
        let mut spec = base.spec().clone();
        for body in &mut spec.bodies {
            body.geoms.iter_mut().for_each(|g| g.friction = self.friction);
            for joint in &mut body.joints {
                joint.effort = joint.effort.map(|e| e * self.strength);
            }
        }
        let gravity = base.gravity();
        let down = if gravity.norm() > 0.0 { gravity.normalize() } else { -Vec3::z() };
        spec.gravity = down * self.gravity;
        let mut changes = Vec::new();
        for (body, _, scale) in self.scalings(base) {
            let (body, span) = (base.bodies()[body.0].name.clone(), Span::Body);
            changes.push(Change::Scale { body, span, scale, mass: MassRule::Density });
        }
        if let Some(trunk) = base.role(Role::Trunk).or(base.role(Role::Pelvis))
            && self.load > 0.0
        {
            changes.push(Change::AddLoad {
                body: base.bodies()[trunk.0].name.clone(),
                load: pack(base, trunk, self.load),
            });
        }
        let spec = if changes.is_empty() { spec } else { spec.changed(&changes)? };
        Model::new(spec)
    }

    /// Which bodies are scaled how: the body, the linear map of its frame for drawing, the change.
    pub fn scalings(&self, base: &Model) -> Vec<(BodyId, Mat3, Scale)> {
        let mut list = Vec::new();
        let mut length = |role: Role, factor: f64| {
            if let Some(body) = base.role(role)
                && factor != 1.0
                && let Some(along) = bone(base.spec(), body.0)
            {
                let map = Mat3::identity() + along * along.transpose() * (factor - 1.0);
                list.push((body, map, Scale::Length(factor)));
            }
        };
        for side in Side::BOTH {
            length(Role::Thigh(side), self.legs);
            length(Role::Shin(side), self.legs);
            length(Role::UpperArm(side), self.arms);
            length(Role::LowerArm(side), self.arms);
        }
        if let Some(head) = base.role(Role::Head)
            && self.head != 1.0
        {
            list.push((head, Mat3::identity() * self.head, Scale::Uniform(self.head)));
        }
        list
    }
}

pub(super) const fn slider(
    name: &'static str,
    label: &'static str,
    [min, max]: [f64; 2],
    step: f64,
    default: f64,
    unit: &'static str,
) -> Slider {
    Slider { name, label, min, max, step, default, unit }
}

/// A pack on the back: a box behind the trunk.
fn pack(base: &Model, trunk: BodyId, mass: f64) -> Inertia {
    let com = base.bodies()[trunk.0].inertia.com;
    let behind = 0.08 * base.height();
    Inertia::solid_box(mass, Vec3::new(0.2, 0.3, 0.4)).moved(&(com - Vec3::x() * behind))
}

/// Unit direction of a body's length in its frame, as a change of length stretches it.
fn bone(spec: &ModelSpec, body: usize) -> Option<Vec3> {
    let anchor = |b: usize| spec.bodies[b].joints.first().map_or_else(Vec3::zeros, |j| j.anchor);
    let children = (0..spec.bodies.len()).filter(|&b| spec.bodies[b].parent == Some(body));
    let ends: Vec<Vec3> =
        children.map(|b| spec.bodies[b].placement().act(&anchor(b)) - anchor(body)).collect();
    let along = match ends.len() {
        0 => spec.bodies[body].inertia.com - anchor(body),
        n => ends.iter().sum::<Vec3>() / n as f64,
    };
    (along.norm() > 1e-9).then(|| along.normalize())
}
