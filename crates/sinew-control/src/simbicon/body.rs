//! The parts and sizes of a body that the controller needs, found by roles.

use crate::ControlError;
use sinew_dynamics::spatial::Mat3;
use sinew_dynamics::{BodyId, Data, JointKind, Model, Role, Side, factored_mass_matrix};

/// Length of a leg from hip to ankle, m, and mass, kg, of the paper's planar biped.
const PAPER: [f64; 2] = [0.9, 90.0];
/// m/s².
const GRAVITY: f64 = 9.81;

/// A body part and the degrees of freedom between it and its parent.
#[derive(Clone, Debug)]
pub(super) struct Limb {
    pub(super) body: BodyId,
    pub(super) dofs: Vec<usize>,
}

/// A leg.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub(super) thigh: Limb,
    pub(super) shin: Limb,
    pub(super) foot: Limb,
    /// The foot and its toes, which strike the ground.
    pub(super) soles: Vec<BodyId>,
}

/// Which stiffness a joint outside the legs has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    Waist,
    Neck,
    Shoulder,
    Elbow,
    Toe,
}

/// Parts and sizes of a body.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) planar: bool,
    pub(super) pelvis: BodyId,
    /// Left, right.
    pub(super) legs: [Leg; 2],
    pub(super) arms: [Option<Limb>; 2],
    /// Other parts attached to the pelvis than the legs.
    pub(super) waist: Vec<Limb>,
    /// Degrees of freedom that are held in the rest pose.
    pub(super) rest_dofs: Vec<(usize, Part)>,
    /// The rest pose, and the initial pose.
    pub(super) rest: Vec<f64>,
    pub(super) begin: Vec<f64>,
    /// Orientations of all bodies when the character stands upright and faces x.
    pub(super) upright: Vec<Mat3>,
    /// Inertia that each degree of freedom feels, kg·m².
    pub(super) inertia: Vec<f64>,
    /// Ratios to the paper's body: lengths, times, torques.
    pub(super) longer: f64,
    pub(super) slower: f64,
    pub(super) stronger: f64,
}

impl Body {
    pub(super) fn of(model: &Model) -> Result<Body, ControlError> {
        let lacks = |what: &str, remedy: &str| ControlError::Body {
            model: model.name().to_owned(),
            what: what.to_owned(),
            remedy: remedy.to_owned(),
        };
        let need = |role: Role| {
            model
                .role(role)
                .ok_or_else(|| lacks(&role.to_string(), "give it in a role table or in a side file"))
        };
        let pelvis = need(Role::Pelvis)?;
        let planar = model.free_root().is_none();
        if planar && !moves_in_its_plane(model) {
            return Err(lacks(
                "free root, or root that moves in the plane of x and z",
                "give its first body such a joint or joints",
            ));
        }
        let leg = |side: Side| {
            let [thigh, shin, foot] =
                [need(Role::Thigh(side))?, need(Role::Shin(side))?, need(Role::Foot(side))?];
            let limb = |body, above| {
                let limb = Limb { body, dofs: between(model, body, above) };
                match limb.dofs.is_empty() {
                    true => Err(lacks(
                        &format!("joint above \"{}\"", model.bodies()[body.0].name),
                        "hang each part of a leg from the one above it",
                    )),
                    false => Ok(limb),
                }
            };
            let soles = (0..model.bodies().len())
                .map(BodyId)
                .filter(|b| line(model, *b).any(|a| a == foot))
                .collect();
            Ok(Leg { thigh: limb(thigh, pelvis)?, shin: limb(shin, thigh)?, foot: limb(foot, shin)?, soles })
        };
        let legs = [leg(Side::Left)?, leg(Side::Right)?];
        let keys = &model.spec().keyframes;
        let key = |name: &str| keys.iter().find(|k| k.name == name).map(|k| k.q.clone());
        let begin = key("stand").unwrap_or_else(|| model.neutral());
        let placements = model.spec().reference_placements();
        let joint = |limb: &Limb| placements[limb.body.0].pos;
        let leg = (joint(&legs[0].thigh) - joint(&legs[0].shin)).norm()
            + (joint(&legs[0].shin) - joint(&legs[0].foot)).norm();
        let (longer, gravity) = (leg / PAPER[0], model.gravity().norm().max(0.1) / GRAVITY);
        let arms = Side::BOTH.map(|side| {
            let (arm, trunk) = (model.role(Role::UpperArm(side))?, model.role(Role::Trunk).unwrap_or(pelvis));
            Some(Limb { body: arm, dofs: between(model, arm, trunk) })
        });
        Ok(Body {
            planar,
            pelvis,
            waist: waist(model, pelvis, &legs),
            rest_dofs: rest_dofs(model, &legs),
            rest: key("ready").unwrap_or_else(|| begin.clone()),
            inertia: inertia(model, &begin),
            begin,
            upright: placements.iter().map(|p| p.rot).collect(),
            longer,
            slower: libm::sqrt(longer / gravity),
            stronger: longer * gravity * model.mass() / PAPER[1],
            legs,
            arms,
        })
    }
}

/// A body and its ancestors, up to the root.
fn line(model: &Model, body: BodyId) -> impl Iterator<Item = BodyId> + '_ {
    std::iter::successors(Some(body), |b| model.bodies()[b.0].parent.map(BodyId))
}

/// Degrees of freedom between a body and one above it.
fn between(model: &Model, body: BodyId, above: BodyId) -> Vec<usize> {
    let chain: Vec<BodyId> = line(model, body).take_while(|b| *b != above).collect();
    let joints = model.joints().iter().filter(|joint| chain.contains(&joint.body));
    joints
        .filter(|joint| joint.kind != JointKind::Free)
        .flat_map(|joint| joint.v..joint.v + joint.kind.nv())
        .collect()
}

/// Whether the joints of the root are two slides and a hinge across them.
fn moves_in_its_plane(model: &Model) -> bool {
    let Some(first) = model.joints().first() else { return false };
    let of_root = |kind: fn(&JointKind) -> bool| {
        model.joints().iter().filter(|j| j.body == first.body && kind(&j.kind)).count()
    };
    of_root(|k| matches!(k, JointKind::Slide { .. })) == 2
        && of_root(|k| matches!(k, JointKind::Hinge { .. })) == 1
}

/// Other parts attached to the pelvis than the legs.
fn waist(model: &Model, pelvis: BodyId, legs: &[Leg; 2]) -> Vec<Limb> {
    let in_leg = |b: BodyId| legs.iter().any(|leg| line(model, leg.thigh.body).any(|above| above == b));
    let children =
        (0..model.bodies().len()).map(BodyId).filter(|b| model.bodies()[b.0].parent == Some(pelvis.0));
    let limbs =
        children.filter(|b| !in_leg(*b)).map(|body| Limb { body, dofs: between(model, body, pelvis) });
    limbs.filter(|limb| !limb.dofs.is_empty()).collect()
}

/// Degrees of freedom outside hips, knees, ankles and root, with their part.
fn rest_dofs(model: &Model, legs: &[Leg; 2]) -> Vec<(usize, Part)> {
    let root = model.joints().first().map(|j| j.body);
    let moved = |dof: usize| {
        legs.iter().any(|leg| [&leg.thigh, &leg.shin, &leg.foot].iter().any(|limb| limb.dofs.contains(&dof)))
    };
    let part = |body: BodyId| {
        let above: Vec<BodyId> = line(model, body).collect();
        let hangs = |role: Role| model.role(role).is_some_and(|b| above.contains(&b));
        let arm = Side::BOTH.iter().any(|s| hangs(Role::UpperArm(*s)));
        if legs.iter().any(|leg| above.contains(&leg.foot.body)) {
            Part::Toe
        } else if Side::BOTH.iter().any(|s| model.role(Role::UpperArm(*s)) == Some(body)) {
            Part::Shoulder
        } else if arm {
            Part::Elbow
        } else if hangs(Role::Trunk) && model.role(Role::Trunk) != Some(body) {
            Part::Neck
        } else {
            Part::Waist
        }
    };
    let joints = model.joints().iter().filter(|j| Some(j.body) != root);
    let dofs = joints.flat_map(|j| (j.v..j.v + j.kind.nv()).map(move |dof| (dof, j.body)));
    dofs.filter(|(dof, _)| !moved(*dof)).map(|(dof, body)| (dof, part(body))).collect()
}

/// The inertia that each degree of freedom feels, with the rest of the body free: torque over acceleration.
fn inertia(model: &Model, q: &[f64]) -> Vec<f64> {
    let mut data = Data::new(model);
    if factored_mass_matrix(model, &mut data, q).is_err() {
        return vec![0.0; model.nv()];
    }
    let felt = |dof: usize| {
        let mut unit = vec![0.0; model.nv()];
        unit[dof] = 1.0;
        data.solve_mass_matrix(model, &mut unit);
        1.0 / unit[dof]
    };
    (0..model.nv()).map(felt).collect()
}
