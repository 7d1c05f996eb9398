//! Morphology: a changed body, such as a longer leg, a heavier hand or a stiffer knee.
//!
//! A segment is scaled by a linear map `S` of its own frame (symmetric, positive; the identity plus a stretch along the
//! bone for a change of length). What is fixed in the segment goes with it: `x → S x` for the centre of mass, shapes, marked
//! points, and the places where children are joined. The segment stays joined to its parent where it was, so its frame
//! moves by `R (a − S a)` with `a` the centre of its first joint. Children that are not scaled themselves keep their shape
//! and are carried along.
//!
//! Inertia follows from the matrix of second moments about the centre of mass, `Σ = ∫ x xᵀ dm = ½ tr(I) 1 − I`, which a
//! linear map turns into `S Σ S`. At constant density mass grows by `det S`:
//!
//! `m' = m det S`, `Σ' = det S · S Σ S`, `I' = tr(Σ') 1 − Σ'`.
//!
//! A uniform factor `s` gives `m' = s³ m`, `I' = s⁵ I`. With the mass kept, `Σ' = S Σ S`.
//!
//! Scaling by `s` and then by `1/s` gives the same body to rounding. Assumptions: joint ranges, torques and damping are
//! the character's and stay; ranges of slides (m) stay too.
//!
//! After all changes the root is moved up or down so that the lowest point of each keyframe, and of the reference pose, is
//! as high as before: soles stay on the ground. That needs a free root or one that slides along the vertical.

mod linear_map;
mod soles;

use super::{Actuator, BodySpec, JointSpec, Model, ModelError, ModelSpec};
use crate::spatial::{Inertia, Mat3, Sym3, Vec3};
use core::ops::Range;

/// How much larger a segment becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// In all directions.
    Uniform(f64),
    /// Along the bone: from the segment's joint to those of its children (without children: to its centre of mass).
    Length(f64),
    /// Along the axes of the segment's frame.
    Axes([f64; 3]),
}

/// Which bodies a scaling is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Span {
    /// The body alone.
    Body,
    /// The body and all that hang from it.
    Subtree,
    /// All bodies from it to the one of this name, which hangs from it.
    ChainTo(String),
}

/// What becomes of the mass of a scaled segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MassRule {
    /// Density stays: mass grows with volume.
    Density,
    /// Mass stays: density changes.
    Kept,
}

/// A change of a body. See [`ModelSpec::changed`].
///
/// ```
/// use sinew_dynamics::{Change, MassRule, Model, Scale, Span, characters};
/// let human = characters::load("human")?;
/// let heavy = Change::AddPointMass { body: "head".into(), mass: 2.0, at: Default::default() };
/// let tall = Change::Scale {
///     body: "pelvis".into(),
///     span: Span::Subtree,
///     scale: Scale::Uniform(1.1),
///     mass: MassRule::Density,
/// };
/// let giant = Model::new(human.spec().changed(&[heavy, tall])?)?;
/// assert!((giant.mass() - 1.1_f64.powi(3) * (human.mass() + 2.0)).abs() < 1e-9);
/// assert!((giant.height() - 1.1 * human.height()).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Scales segments.
    Scale {
        /// Name of the body, or of the first one of a chain.
        body: String,
        /// The body alone or what hangs from it too.
        span: Span,
        /// By how much, each segment in its own frame.
        scale: Scale,
        /// What becomes of its mass.
        mass: MassRule,
    },
    /// Adds a point mass; a negative one takes it away again.
    AddPointMass {
        /// Name of the body.
        body: String,
        /// Mass, kg.
        mass: f64,
        /// Where, in the body's frame, m.
        at: Vec3,
    },
    /// Fixes a rigid load to a body.
    AddLoad {
        /// Name of the body.
        body: String,
        /// Inertia of the load in the body's frame.
        load: Inertia,
    },
    /// Sets a joint's limits.
    SetRange {
        /// Name of the joint.
        joint: String,
        /// Least and greatest coordinate, or none.
        range: Option<[f64; 2]>,
    },
    /// Sets the greatest actuator force at a joint; its actuators change in proportion.
    SetEffort {
        /// Name of the joint.
        joint: String,
        /// Per degree of freedom, N·m or N.
        effort: [f64; 3],
    },
    /// Sets a joint's viscous damping.
    SetDamping {
        /// Name of the joint.
        joint: String,
        /// N·m·s/rad or N·s/m.
        damping: f64,
    },
    /// Puts the lowest point of the reference pose and of every keyframe at height 0.
    Ground,
}

impl ModelSpec {
    /// The description with changes made to it, one after the other, checked as [`Model::new`] does.
    ///
    /// ```
    /// use sinew_dynamics::{BodySpec, Change, JointSpec, MassRule, ModelSpec, Scale, Span};
    /// use sinew_dynamics::spatial::{Inertia, Vec3};
    /// let mut spec = ModelSpec::new("leg");
    /// let bone = Inertia::solid_box(2.0, Vec3::new(0.1, 0.1, 0.5)).moved(&Vec3::new(0.0, 0.0, -0.25));
    /// spec.bodies.push(BodySpec::new("thigh", None, bone).with_joint(JointSpec::hinge("hip", Vec3::y())));
    /// let shin = BodySpec::new("shin", Some(0), bone).at(Vec3::new(0.0, 0.0, -0.5));
    /// spec.bodies.push(shin.with_joint(JointSpec::hinge("knee", Vec3::y())));
    ///
    /// let longer = spec.changed(&[Change::Scale {
    ///     body: "thigh".into(),
    ///     span: Span::Body,
    ///     scale: Scale::Length(1.5),
    ///     mass: MassRule::Density,
    /// }])?;
    /// assert_eq!(longer.bodies[1].pos.z, -0.75);
    /// assert_eq!((longer.bodies[0].inertia.mass, longer.bodies[1].inertia.mass), (3.0, 2.0));
    /// # Ok::<(), sinew_dynamics::ModelError>(())
    /// ```
    pub fn changed(&self, changes: &[Change]) -> Result<ModelSpec, ModelError> {
        let mut spec = self.clone();
        let mut ground = false;
        for change in changes {
            match change {
                Change::Scale { body, span, scale, mass } => {
                    let bodies = spanned(&spec, body, span)?;
                    scale_bodies(&mut spec, &bodies, *scale, *mass)?;
                }
                Change::AddPointMass { body, mass, at } => {
                    let point = Inertia { mass: *mass, com: *at, about_com: Sym3::ZERO };
                    add_load(&mut spec, body, &point)?;
                }
                Change::AddLoad { body, load } => add_load(&mut spec, body, load)?,
                Change::SetRange { joint, range } => joint_of(&mut spec, joint)?.range = *range,
                Change::SetEffort { joint, effort } => set_effort(&mut spec, joint, effort)?,
                Change::SetDamping { joint, damping } => joint_of(&mut spec, joint)?.damping = *damping,
                Change::Ground => ground = true,
            }
        }
        // both must be models: heights come from their kinematics
        let before = Model::new(self.clone())?;
        let after = Model::new(spec)?;
        let heights = if ground { None } else { Some(soles::heights(&before)) };
        Model::new(soles::moved_to(after, heights.as_deref())).map(|m| m.spec().clone())
    }
}

fn no_such(what: &str, name: &str) -> ModelError {
    ModelError {
        element: format!("{what} \"{name}\""),
        problem: format!("there is no {what} of this name to change"),
    }
}

fn body_of(spec: &ModelSpec, name: &str) -> Result<usize, ModelError> {
    spec.body_index(name).ok_or_else(|| no_such("body", name))
}

fn joint_of<'s>(spec: &'s mut ModelSpec, name: &str) -> Result<&'s mut JointSpec, ModelError> {
    spec.joint_mut(name).ok_or_else(|| no_such("joint", name))
}

fn add_load(spec: &mut ModelSpec, body: &str, load: &Inertia) -> Result<(), ModelError> {
    let body = body_of(spec, body)?;
    spec.bodies[body].inertia = spec.bodies[body].inertia + *load;
    Ok(())
}

fn set_effort(spec: &mut ModelSpec, name: &str, effort: &[f64; 3]) -> Result<(), ModelError> {
    let joint = joint_of(spec, name)?;
    let old = core::mem::replace(&mut joint.effort, *effort);
    for actuator in spec.actuators.iter_mut().filter(|a| a.joint == name) {
        retune(actuator, &old, effort);
    }
    Ok(())
}

/// Lets an actuator reach the new force, in proportion to what it reached before.
fn retune(actuator: &mut Actuator, old: &[f64; 3], new: &[f64; 3]) {
    let Some(dof) = (0..3).find(|&k| actuator.gear[k] != 0.0) else { return };
    let ratio = new[dof] / old[dof];
    let is_motor = actuator.law.bias == [0.0; 3];
    if ratio.is_finite() && ratio > 0.0 {
        if let Some(range) = &mut actuator.force_range {
            *range = range.map(|f| f * ratio);
        }
        if is_motor {
            actuator.law.gain *= ratio;
            return;
        }
    }
    // a servo, or a motor whose force had no proportion to the new one
    if actuator.force_range.is_none() || !(ratio.is_finite() && ratio > 0.0) {
        let most = new[dof] / actuator.gear[dof].abs();
        actuator.force_range = most.is_finite().then_some([-most, most]);
    }
}

/// Indices of the bodies that a scaling is for.
fn spanned(spec: &ModelSpec, body: &str, span: &Span) -> Result<Vec<usize>, ModelError> {
    let top = body_of(spec, body)?;
    match span {
        Span::Body => Ok(vec![top]),
        Span::Subtree => Ok(subtree(spec, top)),
        Span::ChainTo(end) => {
            let up = core::iter::successors(Some(body_of(spec, end)?), |&i| spec.bodies[i].parent);
            let chain: Vec<usize> = up.take_while(|&i| i >= top).collect();
            match chain.last() {
                Some(&last) if last == top => Ok(chain),
                _ => Err(ModelError {
                    element: format!("body \"{end}\""),
                    problem: format!(
                        "does not hang from \"{body}\": a chain runs from a body to one further out"
                    ),
                }),
            }
        }
    }
}

fn subtree(spec: &ModelSpec, top: usize) -> Vec<usize> {
    let mut inside = vec![false; spec.bodies.len()];
    inside[top] = true;
    let rest: Range<usize> = top + 1..spec.bodies.len();
    for i in rest {
        inside[i] = spec.bodies[i].parent.is_some_and(|p| inside[p]);
    }
    (0..inside.len()).filter(|&i| inside[i]).collect()
}

fn scale_bodies(
    spec: &mut ModelSpec,
    bodies: &[usize],
    scale: Scale,
    mass: MassRule,
) -> Result<(), ModelError> {
    let mut maps = vec![Mat3::identity(); spec.bodies.len()];
    for &i in bodies {
        maps[i] = stretch(spec, i, scale)?;
    }
    for i in 0..spec.bodies.len() {
        let outer = spec.bodies[i].parent.map_or_else(Mat3::identity, |p| maps[p]);
        let map = maps[i];
        let body = &mut spec.bodies[i];
        if outer == Mat3::identity() && map == Mat3::identity() {
            continue;
        }
        // the joint goes where the parent's map takes it, and the frame follows the joint
        let at = body.placement();
        let anchor = anchor(body);
        body.pos = outer * at.act(&anchor) - at.rot * (map * anchor);
        if map == Mat3::identity() {
            continue;
        }
        body.joints.iter_mut().for_each(|j| j.anchor = map * j.anchor);
        body.inertia = linear_map::inertia(&body.inertia, &map, mass);
        body.geoms.iter_mut().for_each(|g| linear_map::geom(g, &map));
        body.sites.iter_mut().for_each(|s| s.pos = map * s.pos);
    }
    Ok(())
}

/// Centre of a body's first joint in its frame: the point that stays joined to the parent.
fn anchor(body: &BodySpec) -> Vec3 {
    body.joints.first().map_or_else(Vec3::zeros, |j| j.anchor)
}

/// The linear map of a body's frame.
fn stretch(spec: &ModelSpec, body: usize, scale: Scale) -> Result<Mat3, ModelError> {
    let fail =
        |problem: String| ModelError { element: format!("body \"{}\"", spec.bodies[body].name), problem };
    let factors = match scale {
        Scale::Uniform(s) | Scale::Length(s) => [s; 3],
        Scale::Axes(s) => s,
    };
    if !factors.iter().all(|s| s.is_finite() && *s > 0.0) {
        return Err(fail(format!("cannot be scaled by {factors:?}: factors must be greater than 0")));
    }
    match scale {
        Scale::Uniform(_) | Scale::Axes(_) => Ok(Mat3::from_diagonal(&Vec3::from(factors))),
        Scale::Length(s) => {
            let along = bone(spec, body).ok_or_else(|| {
                fail("has no one direction of length; scale it along its axes or uniformly".to_owned())
            })?;
            Ok(Mat3::identity() + along * along.transpose() * (s - 1.0))
        }
    }
}

/// Unit direction of a body's length in its frame, which a stretch along it leaves as it is.
fn bone(spec: &ModelSpec, body: usize) -> Option<Vec3> {
    let from = anchor(&spec.bodies[body]);
    let ends: Vec<Vec3> = spec
        .bodies
        .iter()
        .filter(|b| b.parent == Some(body))
        .map(|b| b.placement().act(&anchor(b)) - from)
        .filter(|end| end.norm() > 1e-9)
        .collect();
    let reach = ends.iter().map(|e| e.norm()).fold(0.0, f64::max);
    let along = match ends.len() {
        0 => spec.bodies[body].inertia.com - from,
        n => ends.iter().sum::<Vec3>() / n as f64,
    };
    // children that pull in opposite directions leave no direction
    let length = along.norm();
    (length > 1e-9 && length > 0.2 * reach).then(|| along / length)
}
