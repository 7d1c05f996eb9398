//! Changes of the body during a run: added loads, growing limbs.
//!
//! A change that takes time is made in increments, each a new body of the same joints (`World::change_body` keeps the momentum);
//! sizes and masses grow by equal factors, loads by equal masses. Torque limits stay as they are, unless a limb grows with its muscles. The
//! controller is given each new body and nothing else.

use crate::LabError;
use sinew_dynamics::spatial::Inertia;
use sinew_dynamics::{BodyId, Change, MassRule, Model, Role, Scale, Side, Span};
use std::sync::Arc;

/// What changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limb {
    /// Both arms from the shoulders on.
    Arms,
    /// Both legs from the hips on.
    Legs,
    /// One leg from the hip on.
    Leg(Side),
    /// The trunk alone.
    Trunk,
    /// The head and everything attached to it.
    Head,
}

impl Limb {
    /// Names of all.
    pub const NAMES: &'static [&'static str] = &["arms", "legs", "leg_left", "leg_right", "trunk", "head"];

    /// All of them.
    pub const ALL: [Limb; 6] =
        [Limb::Arms, Limb::Legs, Limb::Leg(Side::Left), Limb::Leg(Side::Right), Limb::Trunk, Limb::Head];

    /// By its name.
    ///
    /// ```
    /// use sinew_lab::scenario::Limb;
    /// assert_eq!(Limb::named("arms"), Some(Limb::Arms));
    /// assert!(Limb::NAMES.iter().all(|name| Limb::named(name).is_some()));
    /// ```
    pub fn named(name: &str) -> Option<Limb> {
        Limb::NAMES.iter().position(|known| *known == name).map(|k| Limb::ALL[k])
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Limb::ALL.iter().zip(Limb::NAMES).find(|(limb, _)| **limb == self).map_or("", |(_, name)| name)
    }

    /// The bodies at which the limb begins, and those that carry loads.
    fn roles(self) -> (Vec<Role>, Vec<Role>, Span) {
        let (both, sub) = (Side::BOTH, Span::Subtree);
        match self {
            Limb::Arms => (both.map(Role::UpperArm).to_vec(), both.map(Role::LowerArm).to_vec(), sub),
            Limb::Legs => (both.map(Role::Thigh).to_vec(), both.map(Role::Shin).to_vec(), sub),
            Limb::Leg(side) => (vec![Role::Thigh(side)], vec![Role::Shin(side)], sub),
            Limb::Trunk => (vec![Role::Trunk], vec![Role::Trunk], Span::Body),
            Limb::Head => (vec![Role::Head], vec![Role::Head], sub),
        }
    }
}

/// Kind of change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reshape {
    /// A mass, kg, shared by the left and right one, at the centre of mass of lower arm, shin, trunk or head.
    Load(f64),
    /// A factor in all directions at constant density: the mass grows with its cube, torque limits do not.
    Scale(f64),
    /// The same with its muscles: the torque limits of its joints grow with the mass.
    Grow(f64),
    /// A factor along the bones at constant density: the mass grows by the same.
    Lengthen(f64),
    /// A factor of the mass alone.
    Weigh(f64),
}

/// A change of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangePlan {
    /// When it begins, s.
    pub time: f64,
    /// How long it takes, s; 0: at once.
    pub seconds: f64,
    /// What changes.
    pub limb: Limb,
    /// How.
    pub reshape: Reshape,
}

/// Time between two increments, s.
const INCREMENT: f64 = 0.01;

impl ChangePlan {
    /// The change of one of `count` equal increments.
    fn increment(&self, model: &Model, count: usize) -> Result<Vec<Change>, LabError> {
        let (scaled, loaded, span) = self.limb.roles();
        let named = |role: Role| match model.role(role) {
            Some(body) => Ok(body),
            None => Err(LabError::Part { model: model.name().to_owned(), role }),
        };
        let tops = scaled.iter().map(|role| named(*role)).collect::<Result<Vec<_>, _>>()?;
        let within = |k: usize| {
            let mut line = std::iter::successors(Some(k), |k| model.bodies()[*k].parent);
            match span {
                Span::Body => tops.contains(&BodyId(k)),
                _ => line.any(|k| tops.contains(&BodyId(k))),
            }
        };
        let mut changes: Vec<Change> = match self.reshape {
            Reshape::Load(mass) => {
                let mass = mass / (count * loaded.len()) as f64;
                let add = |role: &Role| {
                    let body = &model.bodies()[named(*role)?.0];
                    Ok(Change::AddPointMass { body: body.name.clone(), mass, at: body.inertia.com })
                };
                loaded.iter().map(add).collect::<Result<_, LabError>>()?
            }
            Reshape::Scale(factor) | Reshape::Grow(factor) | Reshape::Lengthen(factor) => {
                let factor = libm::pow(factor, 1.0 / count as f64);
                let along = matches!(self.reshape, Reshape::Lengthen(_));
                let scale = |top: &BodyId| {
                    let body = model.bodies()[top.0].name.clone();
                    let scale = if along { Scale::Length(factor) } else { Scale::Uniform(factor) };
                    Change::Scale { body, span: span.clone(), scale, mass: MassRule::Density }
                };
                tops.iter().map(scale).collect()
            }
            Reshape::Weigh(factor) => {
                let more = libm::pow(factor, 1.0 / count as f64) - 1.0;
                // masses grow, their positions and radii of gyration stay
                let add = |k: usize| {
                    let body = &model.bodies()[k];
                    let own = body.inertia;
                    let load =
                        Inertia { mass: more * own.mass, about_com: own.about_com.scaled(more), ..own };
                    Change::AddLoad { body: body.name.clone(), load }
                };
                (0..model.bodies().len()).filter(|k| within(*k)).map(add).collect()
            }
        };
        if let Reshape::Grow(factor) = self.reshape {
            let stronger = libm::pow(factor, 3.0 / count as f64);
            let joints = model.joints().iter().filter(|joint| within(joint.body.0));
            changes.extend(joints.map(|joint| {
                let effort =
                    model.bodies()[joint.body.0].joints[joint.nth].effort.map(|most| most * stronger);
                Change::SetEffort { joint: joint.name.clone(), effort }
            }));
        }
        Ok(changes)
    }

    fn increments(&self) -> usize {
        ((self.seconds / INCREMENT).round() as usize).max(1)
    }
}

/// The successive bodies, with the times of the changes.
///
/// # Errors
/// When the body has no such part, or a changed body is invalid.
pub(crate) fn bodies(plans: &[ChangePlan], first: &Arc<Model>) -> Result<Vec<(f64, Arc<Model>)>, LabError> {
    let moments = |plan: &'_ ChangePlan| {
        let (time, count) = (plan.time, plan.increments());
        (0..count).map(move |k| (time + INCREMENT * k as f64, count))
    };
    let numbered = plans.iter().enumerate();
    let mut due: Vec<_> =
        numbered.flat_map(|(nth, p)| moments(p).map(move |(time, n)| (time, n, nth, p))).collect();
    // stable sort: changes at the same time keep their order
    due.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut bodies: Vec<(f64, Arc<Model>)> = Vec::with_capacity(due.len());
    for (time, count, nth, plan) in due {
        let last = bodies.last().map_or(first, |(_, model)| model);
        let next = || Ok(Model::new(last.spec().changed(&plan.increment(last, count)?)?)?);
        bodies.push((time, Arc::new(next().map_err(|e: LabError| e.of("change", nth))?)));
    }
    Ok(bodies)
}
