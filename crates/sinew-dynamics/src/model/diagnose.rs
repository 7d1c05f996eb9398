//! Warnings about a valid model that will probably not behave as intended.
//!
//! | warning | why it matters |
//! | --- | --- |
//! | jointed bodies with masses more than 100 apart | contact and constraint solvers converge slowly |
//! | principal moments that break `a + b ≥ c` | no body of real matter has them |
//! | inverted or empty limits | the joint is stuck, or pushed continuously |
//! | reference pose or keyframe outside limits, or no pose at all | the first step throws the body |
//! | springs or dampers too strong for what they move, or hardly anything to move | explicit integration is unstable: with the inertia `I` that the joint feels (`1/(M⁻¹)ᵢᵢ` in the reference pose) and step `h`, it needs `h d/I < 1`, `h √(k/I) < 1` |
//! | parts that a biped should name and does not | controllers need roles |

use super::{JointId, JointKind, Model, Role, Side, guess_roles};
use crate::{Data, crba, factor_mass_matrix};
use core::fmt;

/// Ratio of masses above which jointed bodies are warned of.
const MASS_RATIO: f64 = 100.0;
/// Step assumed when the file proposes none, s.
const STEP: f64 = 1e-3;
/// Inertia and mass felt at a joint under which it is warned of, kg·m² and kg.
const LIGHT_INERTIA: f64 = 1e-6;
const LIGHT_MASS: f64 = 1e-4;
/// How far outside its limits a pose may be unnoticed, rad or m.
const SLACK: f64 = 1e-6;

/// A warning about a model, with its remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The element: `body "hand"`, `joint "knee"`, …
    pub element: String,
    /// The problem and its remedy.
    pub problem: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.element, self.problem)
    }
}

impl Model {
    /// All warnings about the model; empty for a plausible one.
    ///
    /// They concern masses of jointed bodies more than 100 apart, impossible moments of inertia, inverted or empty
    /// limits, poses outside limits, springs and dampers too strong for explicit integration, and roles that a biped
    /// should name.
    ///
    /// ```
    /// use sinew_dynamics::{BodySpec, JointSpec, Model, ModelSpec};
    /// use sinew_dynamics::spatial::{Inertia, Vec3};
    /// let mut spec = ModelSpec::new("door");
    /// let leaf = Inertia::solid_box(20.0, Vec3::new(1.0, 0.05, 2.0)).moved(&Vec3::new(0.5, 0.0, 0.0));
    /// let hinge = JointSpec::hinge("hinge", Vec3::z()).limited(1.5, -0.5);
    /// spec.bodies.push(BodySpec::new("leaf", None, leaf).with_joint(hinge));
    /// let warnings = Model::new(spec)?.warnings();
    /// assert!(warnings[0].to_string().starts_with("joint \"hinge\": its limits are inverted"));
    /// # Ok::<(), sinew_dynamics::ModelError>(())
    /// ```
    pub fn warnings(&self) -> Vec<Warning> {
        let mut found = Vec::new();
        mass_ratios(self, &mut found);
        moments(self, &mut found);
        limits(self, &mut found);
        poses(self, &mut found);
        stiffness(self, &mut found);
        roles(self, &mut found);
        found
    }
}

fn warn(found: &mut Vec<Warning>, element: String, problem: impl Into<String>) {
    found.push(Warning { element, problem: problem.into() });
}

/// Compares what each joint carries rigidly with what carries it.
fn mass_ratios(model: &Model, found: &mut Vec<Warning>) {
    let bodies = model.bodies();
    // welded bodies count with the one that carries them
    let mut carrier: Vec<usize> = Vec::with_capacity(bodies.len());
    let mut mass = vec![0.0; bodies.len()];
    for (i, body) in bodies.iter().enumerate() {
        let own = match body.parent {
            Some(p) if body.joints.is_empty() => carrier[p],
            _ => i,
        };
        carrier.push(own);
        mass[own] += body.inertia.mass;
    }
    for (i, body) in bodies.iter().enumerate().filter(|&(i, b)| carrier[i] == i && !b.joints.is_empty()) {
        let above = core::iter::successors(body.parent.map(|p| carrier[p]), |&c| {
            bodies[c].parent.map(|p| carrier[p])
        });
        let Some(outer) = above.into_iter().find(|&c| mass[c] > 0.0 && !bodies[c].joints.is_empty()) else {
            continue;
        };
        let ratio = mass[i].max(mass[outer]) / mass[i].min(mass[outer]);
        if mass[i] > 0.0 && ratio > MASS_RATIO {
            let problem = format!(
                "it weighs {:.3e} kg and \"{}\", which it is jointed to, {:.3e} kg: a ratio of {ratio:.0} makes contacts and \
                 limits hard to solve; weld the lighter one or give it more mass or armature",
                mass[i], bodies[outer].name, mass[outer]
            );
            warn(found, format!("body \"{}\"", body.name), problem);
        }
    }
}

fn moments(model: &Model, found: &mut Vec<Warning>) {
    for body in model.bodies().iter().filter(|b| !b.inertia.is_physical()) {
        let [a, b, c] = body.inertia.about_com.eigenvalues();
        let problem = format!(
            "its principal moments {a:.3e}, {b:.3e}, {c:.3e} kg·m² break the rule that two together are at least the third; no \
             real body has them: check units and signs, or take the inertia from its shapes"
        );
        warn(found, format!("body \"{}\"", body.name), problem);
    }
}

fn joint_label(model: &Model, joint: usize) -> String {
    match model.joints()[joint].name.as_str() {
        "" => format!("joint of body \"{}\"", model.bodies()[model.joints()[joint].body.0].name),
        name => format!("joint \"{name}\""),
    }
}

fn limits(model: &Model, found: &mut Vec<Warning>) {
    for (j, _) in model.joints().iter().enumerate() {
        let Some([low, high]) = model.joint_spec(JointId(j)).range else { continue };
        if low > high {
            let problem = format!("its limits are inverted: {low} to {high}; exchange them");
            warn(found, joint_label(model, j), problem);
        } else if low == high {
            let problem =
                format!("its limits leave no range of motion: {low} to {high}; weld the body or widen them");
            warn(found, joint_label(model, j), problem);
        }
    }
}

/// Reference pose and keyframes against limits.
fn poses(model: &Model, found: &mut Vec<Warning>) {
    let neutral = ("the reference pose".to_owned(), model.neutral());
    let keys = model.spec().keyframes.iter().map(|k| (format!("keyframe \"{}\"", k.name), k.q.clone()));
    for (pose, q) in core::iter::once(neutral).chain(keys) {
        if !q.iter().all(|x| x.is_finite()) {
            warn(found, pose, "it holds numbers that are not finite; correct the keyframe");
            continue;
        }
        for (j, info) in model.joints().iter().enumerate() {
            let label = joint_label(model, j);
            let quaternion = match info.kind {
                JointKind::Free => Some(info.q + 3),
                JointKind::Ball => Some(info.q),
                _ => None,
            };
            let norm = quaternion.map_or(1.0, |at| q[at..at + 4].iter().map(|x| x * x).sum::<f64>().sqrt());
            if !((norm - 1.0).abs() < 1e-3) {
                let problem = format!("its quaternion at {label} has length {norm:.4}, not 1; normalise it");
                warn(found, pose.clone(), problem);
                continue;
            }
            let Some([low, high]) = model.joint_spec(JointId(j)).range.filter(|[l, h]| l <= h) else {
                continue;
            };
            let value = match quaternion {
                // angle of the ball's rotation
                Some(at) => {
                    let sine = (q[at + 1] * q[at + 1] + q[at + 2] * q[at + 2] + q[at + 3] * q[at + 3]).sqrt();
                    2.0 * libm::atan2(sine, q[at].abs())
                }
                None => q[info.q],
            };
            if value < low - SLACK || value > high + SLACK {
                let problem = format!(
                    "{value:.4} at {label} is outside {low:.4} to {high:.4}; change the pose or the limits"
                );
                warn(found, pose.clone(), problem);
            }
        }
    }
}

/// Springs and dampers against the inertia that they move.
fn stiffness(model: &Model, found: &mut Vec<Warning>) {
    let step = model.spec().timestep.filter(|h| *h > 0.0).unwrap_or(STEP);
    let mut data = Data::new(model);
    crba(model, &mut data, &model.neutral());
    if factor_mass_matrix(model, &mut data).is_err() {
        return;
    }
    let mut unit = vec![0.0; model.nv()];
    for (j, info) in model.joints().iter().enumerate().filter(|(_, i)| i.kind != JointKind::Free) {
        let joint = model.joint_spec(JointId(j));
        // the degree of freedom with the least inertia
        let felt = (info.v..info.v + info.kind.nv()).map(|dof| {
            unit.fill(0.0);
            unit[dof] = 1.0;
            data.solve_mass_matrix(model, &mut unit);
            1.0 / unit[dof]
        });
        let inertia = felt.fold(f64::INFINITY, f64::min);
        let mut complain = |what: &str, figure: String| {
            let problem = format!(
                "{what} for the inertia that it feels ({inertia:.2e}): {figure} with a step of {step} s; add armature, reduce \
                 it, or take a shorter step"
            );
            warn(found, joint_label(model, j), problem);
        };
        let damped = step * joint.damping / inertia;
        if damped > 1.0 {
            complain("its damping is too strong", format!("h·d/I is {damped:.1}, over 1,"));
        }
        let sprung = step * (joint.stiffness / inertia).sqrt();
        if sprung > 1.0 {
            complain("its spring is too stiff", format!("h·√(k/I) is {sprung:.1}, over 1,"));
        }
        let light = if matches!(info.kind, JointKind::Slide { .. }) { LIGHT_MASS } else { LIGHT_INERTIA };
        if inertia < light {
            let problem = format!(
                "it feels almost no inertia ({inertia:.1e}, under {light:.0e}), so that every force throws it; add armature or \
                 give what it moves more mass"
            );
            warn(found, joint_label(model, j), problem);
        }
    }
}

/// Roles that every biped has.
fn roles(model: &Model, found: &mut Vec<Warning>) {
    let spec = model.spec();
    let guess = guess_roles(spec);
    // the guess is poor for bodies other than bipeds
    if guess.get(Role::Pelvis).is_none_or(|g| g.confidence < 0.6) {
        return;
    }
    let paired = [Role::Thigh, Role::Shin, Role::Foot];
    let limbs = Side::BOTH.into_iter().flat_map(|s| paired.map(|part| part(s)));
    let asked = [Role::Pelvis, Role::Trunk].into_iter().chain(limbs);
    let missing: Vec<Role> = asked.filter(|&role| spec.roles.get(role).is_none()).collect();
    if missing.is_empty() {
        return;
    }
    let names: Vec<String> = missing.iter().map(Role::to_string).collect();
    let guessed = missing.iter().filter_map(|&role| guess.get(role));
    let lines: Vec<String> = guessed.map(|g| format!("{} = {}", g.role, g.body)).collect();
    let problem = format!(
        "no body plays {}, and controllers may need them; give them in a side file, for example: {}",
        names.join(", "),
        lines.join(", ")
    );
    warn(found, "roles".to_owned(), problem);
}
