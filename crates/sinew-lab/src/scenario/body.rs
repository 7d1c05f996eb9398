//! Changes to a body relative to its file: longer legs, a load on the back, other gravity. `[body]` in scenarios, sliders in the studio.

use sinew_control::{Parameters, parameters};
use sinew_dynamics::spatial::{Inertia, Mat3, Vec3};
use sinew_dynamics::{BodyId, Change, MassRule, Model, ModelError, ModelSpec, Role, Scale, Side, Span};
use std::sync::Arc;

parameters! {
    /// Changes to a body relative to its file.
    ///
    /// ```
    /// use sinew_lab::scenario::BodyPlan;
    /// let human = std::sync::Arc::new(sinew_dynamics::characters::load("human")?);
    /// let loaded = BodyPlan { load: 10.0, ..BodyPlan::default() }.build(&human)?;
    /// assert!((loaded.mass() - human.mass() - 10.0).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Copy)]
    pub struct BodyPlan {
        /// Length of thighs and shins.
        legs: number(1.0, [0.7, 1.4]).unit("×").main();
        /// Length of the arms.
        arms: number(1.0, [0.6, 1.6]).unit("×").main();
        /// Size of the head.
        head: number(1.0, [0.7, 1.8]).unit("×").main();
        /// Load on the back.
        load: number(0.0, [0.0, 40.0]).unit("kg").label("load on the back").main();
        /// Strength of all joints.
        strength: number(1.0, [0.2, 2.0]).unit("×").main();
        /// Coefficient of friction of everything that touches; the less of body and ground counts. 1: as its file has it.
        friction: number(1.0, [0.05, 20.0]).slider(0.05, 1.0);
        /// Gravity, downwards. 9.81: as its file has it.
        gravity: number(9.81, [0.0, 20.0]).unit("m/s²");
    }
}

impl BodyPlan {
    /// The numbers that differ from the file's, by name.
    pub fn changed(&self) -> impl Iterator<Item = (&'static str, f64)> + use<> {
        let body = *self;
        BodyPlan::PARAMS.iter().filter_map(move |param| {
            let changed = body.value(param.name)? != param.default();
            changed.then_some(())?;
            Some((param.name, body.get(param.name)?))
        })
    }

    /// A plan between this one and another: lengths change by at most `share`, loads by at most `100 share` kg; everything else changes
    /// at once.
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

    /// The changed body, from the one of the file.
    ///
    /// # Errors
    /// When the numbers give no valid body.
    pub fn build(&self, base: &Arc<Model>) -> Result<Arc<Model>, ModelError> {
        let usual = BodyPlan::default();
        if *self == usual {
            return Ok(Arc::clone(base));
        }
        let mut spec = base.spec().clone();
        for body in &mut spec.bodies {
            if self.friction != usual.friction {
                body.geoms.iter_mut().for_each(|g| g.friction = self.friction);
            }
            for joint in &mut body.joints {
                joint.effort = joint.effort.map(|e| e * self.strength);
            }
        }
        if self.gravity != usual.gravity {
            let gravity = base.gravity();
            let down = if gravity.norm() > 0.0 { gravity.normalize() } else { -Vec3::z() };
            spec.gravity = down * self.gravity;
        }
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
        Model::new(spec).map(Arc::new)
    }

    /// The scaled bodies: the body, the linear map of its frame for drawing, the change.
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
