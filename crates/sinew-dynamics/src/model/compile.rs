//! From description to links: checks, layout of the state, joint chains, welded bodies.

use super::{
    BodyId, Geom, JointInfo, JointKind, JointSpec, Link, LinkKind, Model, ModelError, ModelSpec, Shape, WORLD,
};
use crate::spatial::{Inertia, Mat3, Placement, Quat, Sym3, Vec3};
use std::collections::HashSet;

fn error(element: impl Into<String>, problem: impl Into<String>) -> ModelError {
    ModelError { element: element.into(), problem: problem.into() }
}

pub(super) fn compile(mut spec: ModelSpec) -> Result<Model, ModelError> {
    check_names(&spec)?;
    let (mut nq, mut nv, mut packed) = (0, 0, 0);
    let mut links: Vec<Link> = Vec::new();
    let mut frames: Vec<(usize, Placement)> = Vec::with_capacity(spec.bodies.len());
    let mut joints = Vec::new();
    let mut fixed = Inertia::ZERO;
    let (mut damping, mut effort) = (Vec::new(), Vec::new());

    for (i, body) in spec.bodies.iter_mut().enumerate() {
        let label = format!("body \"{}\"", body.name);
        check_body(&label, i, body)?;
        // where the body's frame is in the link that carries its parent, joints at their reference
        let (mut link, mut at) = match body.parent {
            None => (WORLD, Placement::identity()),
            Some(p) => frames[p],
        };
        at = at * body.placement();
        check_joints(&label, body.parent.is_none(), &mut body.joints)?;
        for (nth, joint) in body.joints.iter().enumerate() {
            joints.push(JointInfo {
                name: joint.name.clone(),
                body: BodyId(i),
                nth,
                kind: joint.kind,
                q: nq,
                v: nv,
            });
            let (kind, axis, sense) = link_kind(joint);
            let dofs = joint.kind.nv();
            // a free joint's coordinates are the placement in the world itself
            let at_joint = match joint.kind {
                JointKind::Free => Placement::identity(),
                _ => Placement { rot: at.rot, pos: at.act(&joint.anchor) },
            };
            let depth = if link == WORLD { 0 } else { links[link].depth + links[link].nv };
            links.push(Link {
                kind,
                parent: link,
                root: if link == WORLD { links.len() } else { links[link].root },
                q: nq,
                v: nv,
                nv: dofs,
                depth,
                row: packed,
                aligned: at_joint.rot == Mat3::identity(),
                rot: at_joint.rot,
                pos: at_joint.pos,
                axis,
                sense,
                reference: joint.reference,
                inertia: Inertia::ZERO,
                hollow: true,
                armature: joint.armature,
            });
            nq += joint.kind.nq();
            nv += dofs;
            packed += (0..dofs).map(|k| depth + k + 1).sum::<usize>();
            damping.extend(core::iter::repeat_n(joint.damping, dofs));
            effort.extend((0..dofs).map(|k| if dofs == 6 { 0.0 } else { joint.effort[k] }));
            // further joints, and the body, sit in this link's frame
            link = links.len() - 1;
            at = Placement { rot: Mat3::identity(), pos: -joint.anchor };
        }
        let carrier = if link == WORLD { &mut fixed } else { &mut links[link].inertia };
        *carrier = *carrier + body.inertia.placed(&at);
        frames.push((link, at));
    }

    for link in &mut links {
        link.hollow = link.inertia.mass == 0.0 && link.inertia.about_com == Sym3::ZERO;
    }
    let (starts, paths) = paths(&links);
    let mass = spec.bodies.iter().map(|b| b.inertia.mass).sum();
    let model =
        Model { spec, nq, nv, joints, frames, links, packed, starts, paths, damping, effort, mass, fixed };
    check_references(&model)?;
    check_movable(&model)?;
    Ok(model)
}

/// Layout of tree-packed matrices: row starts and the path of every row.
fn paths(links: &[Link]) -> (Vec<usize>, Vec<usize>) {
    let (mut starts, mut paths) = (vec![0], Vec::<usize>::new());
    for link in links {
        for dof in link.v..link.v + link.nv {
            let before = match (dof > link.v, link.parent) {
                (true, _) => Some(dof - 1),
                (false, WORLD) => None,
                (false, p) => Some(links[p].v + links[p].nv - 1),
            };
            if let Some(b) = before {
                paths.extend_from_within(starts[b]..starts[b + 1]);
            }
            paths.push(dof);
            starts.push(paths.len());
        }
    }
    (starts, paths)
}

fn check_names(spec: &ModelSpec) -> Result<(), ModelError> {
    fn unique<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<(), ModelError> {
        let mut seen = HashSet::new();
        for name in names.filter(|n| !n.is_empty()) {
            if !seen.insert(name) {
                return Err(error(format!("{what} \"{name}\""), "the name is used twice; names must differ"));
            }
        }
        Ok(())
    }
    unique("body", spec.bodies.iter().map(|b| b.name.as_str()))?;
    unique("joint", spec.bodies.iter().flat_map(|b| &b.joints).map(|j| j.name.as_str()))?;
    unique(
        "site",
        spec.bodies.iter().flat_map(|b| &b.sites).chain(&spec.world_sites).map(|s| s.name.as_str()),
    )?;
    for geom in &spec.world_geoms {
        check_geom("the world", geom)?;
    }
    if !spec.gravity.iter().all(|x| x.is_finite()) {
        return Err(error("gravity", "not a finite vector"));
    }
    Ok(())
}

fn check_body(label: &str, i: usize, body: &super::BodySpec) -> Result<(), ModelError> {
    if body.parent.is_some_and(|p| p >= i) {
        return Err(error(label, "its parent must come before it in the list of bodies"));
    }
    let inertia = &body.inertia;
    let numbers = body.pos.iter().chain(inertia.com.iter()).chain(body.quat.coords.iter());
    if !numbers.copied().all(f64::is_finite) || !inertia.mass.is_finite() {
        return Err(error(label, "position, orientation, mass and centre of mass must be finite numbers"));
    }
    if inertia.mass < 0.0 {
        return Err(error(label, format!("mass {} kg is negative", inertia.mass)));
    }
    check_rotation(label, &body.quat)?;
    for geom in &body.geoms {
        check_geom(label, geom)?;
    }
    let [least, _, most] = inertia.about_com.eigenvalues();
    if !(least >= -1e-9 * most.abs()) {
        return Err(error(label, "its rotational inertia is not positive semi-definite"));
    }
    Ok(())
}

fn check_rotation(label: &str, quat: &Quat) -> Result<(), ModelError> {
    match (quat.norm() - 1.0).abs() < 1e-6 {
        true => Ok(()),
        false => Err(error(label, "its orientation is not a quaternion of unit length; normalise it")),
    }
}

fn check_geom(label: &str, geom: &Geom) -> Result<(), ModelError> {
    let label = match geom.name.as_str() {
        "" => format!("a shape of {label}"),
        name => format!("shape \"{name}\" of {label}"),
    };
    check_rotation(&label, &geom.quat)?;
    let fine = |sizes: &[f64]| sizes.iter().all(|x| x.is_finite() && *x >= 0.0);
    let sized = match &geom.shape {
        Shape::Plane { half } => fine(half),
        Shape::Sphere { radius } => fine(&[*radius]),
        Shape::Capsule { radius, half } | Shape::Cylinder { radius, half } => fine(&[*radius, *half]),
        Shape::Box { half } | Shape::Ellipsoid { half } => fine(half.as_slice()),
        Shape::Mesh { vertices, .. } => vertices.iter().flatten().all(|x| x.is_finite()),
    };
    if !sized || !geom.pos.iter().all(|x| x.is_finite()) || !fine(&[geom.friction]) {
        return Err(error(
            label,
            "sizes, place and friction must be finite numbers, sizes and friction not negative",
        ));
    }
    Ok(())
}

fn check_joints(label: &str, at_root: bool, joints: &mut [JointSpec]) -> Result<(), ModelError> {
    let turning = |j: &JointSpec| !matches!(j.kind, JointKind::Slide { .. });
    let alone = joints.len() == 1;
    for k in 0..joints.len() {
        let others_turn = joints.iter().enumerate().any(|(n, j)| n != k && turning(j));
        let joint = &mut joints[k];
        let name = format!("joint \"{}\" of {label}", joint.name);
        match &mut joint.kind {
            JointKind::Free if !at_root || !alone => {
                return Err(error(
                    name,
                    "a free joint must be the only joint of a body whose parent is the world",
                ));
            }
            // its coordinates are the placement of the body's frame itself
            JointKind::Free => joint.anchor = Vec3::zeros(),
            JointKind::Ball if others_turn => {
                return Err(error(name, "a ball joint cannot share its body with other rotating joints"));
            }
            JointKind::Hinge { axis } | JointKind::Slide { axis } => {
                let length = axis.norm();
                if !(length.is_finite() && length > 1e-12) {
                    return Err(error(name, "its axis has no direction"));
                }
                // leave axes that are unit already untouched, so that 0 0 1 stays exact
                if (length - 1.0).abs() > 1e-15 {
                    *axis /= length;
                }
            }
            _ => {}
        }
        let numbers = [
            joint.reference,
            joint.armature,
            joint.damping,
            joint.stiffness,
            joint.spring_reference,
            joint.friction_loss,
        ];
        if !numbers.into_iter().chain(joint.anchor.iter().copied()).all(f64::is_finite) {
            return Err(error(name, "its parameters must be finite numbers"));
        }
        if [joint.armature, joint.damping, joint.stiffness, joint.friction_loss].iter().any(|x| *x < 0.0) {
            return Err(error(name, "armature, damping, stiffness and friction loss cannot be negative"));
        }
        if joint.effort.iter().any(|e| e.is_nan() || *e < 0.0) {
            return Err(error(name, "an effort limit cannot be negative"));
        }
        if joint.range.is_some_and(|[low, high]| low.is_nan() || high.is_nan()) {
            return Err(error(name, "its range is not made of numbers"));
        }
    }
    Ok(())
}

/// The link's kind, axis and, for a hinge along a frame axis, its sense.
fn link_kind(joint: &JointSpec) -> (LinkKind, Vec3, f64) {
    match joint.kind {
        JointKind::Free => (LinkKind::Free, Vec3::zeros(), 1.0),
        JointKind::Ball => (LinkKind::Ball, Vec3::zeros(), 1.0),
        JointKind::Slide { axis } => (LinkKind::Slide, axis, 1.0),
        JointKind::Hinge { axis } => {
            let along = |k: usize| axis[k].abs() == 1.0 && axis.iter().filter(|x| **x != 0.0).count() == 1;
            match [LinkKind::HingeX, LinkKind::HingeY, LinkKind::HingeZ]
                .into_iter()
                .enumerate()
                .find(|(k, _)| along(*k))
            {
                Some((k, kind)) => (kind, axis, axis[k]),
                None => (LinkKind::Hinge, axis, 1.0),
            }
        }
    }
}

/// Actuators, excludes, keyframes and roles must point at things that exist.
fn check_references(model: &Model) -> Result<(), ModelError> {
    let spec = model.spec();
    let joints: HashSet<&str> = model.joints.iter().map(|j| j.name.as_str()).collect();
    let bodies: HashSet<&str> = spec.bodies.iter().map(|b| b.name.as_str()).collect();
    for actuator in &spec.actuators {
        if !joints.contains(actuator.joint.as_str()) {
            let label = format!("actuator \"{}\"", actuator.name);
            return Err(error(label, format!("there is no joint \"{}\"", actuator.joint)));
        }
    }
    for tie in &spec.ties {
        for name in core::iter::once(&tie.body).chain(&tie.other) {
            if spec.body_index(name).is_none() {
                return Err(error(format!("tie \"{}\"", tie.name), format!("there is no body \"{name}\"")));
            }
        }
        let numbers = tie.point.iter().chain(tie.point_other.iter());
        if !numbers.chain(tie.orientation.iter().flat_map(|q| q.coords.iter())).all(|x| x.is_finite()) {
            return Err(error(format!("tie \"{}\"", tie.name), "has a number that is not finite"));
        }
    }
    for name in spec.excludes.iter().flat_map(|(a, b)| [a, b]) {
        if !bodies.contains(name.as_str()) && name != "world" {
            return Err(error("exclude", format!("there is no body \"{name}\"")));
        }
    }
    for (role, name) in spec.roles.iter() {
        if !bodies.contains(name) {
            return Err(error(format!("role {role}"), format!("there is no body \"{name}\"")));
        }
    }
    for key in &spec.keyframes {
        if key.q.len() != model.nq || !(key.v.is_empty() || key.v.len() == model.nv) {
            let problem = format!(
                "has {} positions and {} velocities; the model needs {} and {} (or none)",
                key.q.len(),
                key.v.len(),
                model.nq,
                model.nv
            );
            return Err(error(format!("keyframe \"{}\"", key.name), problem));
        }
    }
    Ok(())
}

/// Least ratio of a degree of freedom's inertia with all others free to that with all others locked.
const LEAST_PIVOT: f64 = 1e-12;

/// Every joint must move something that resists: otherwise the mass matrix is singular, or so but for rounding.
fn check_movable(model: &Model) -> Result<(), ModelError> {
    let mut data = crate::Data::new(model);
    let locked: Vec<f64> = {
        let m = crate::crba(model, &mut data, &model.neutral());
        (0..model.nv).map(|k| m[k * (model.nv + 1)]).collect()
    };
    let stuck = match crate::factor_mass_matrix(model, &mut data) {
        Err(stuck) => Some(stuck.dof),
        Ok(()) => (0..model.nv).rev().find(|&k| 1.0 < LEAST_PIVOT * locked[k] * data.inverse_diagonal[k]),
    };
    if let Some(dof) = stuck {
        let info =
            model.joints.iter().rev().find(|j| j.v <= dof).expect("every degree of freedom has a joint");
        return Err(error(
            format!("joint \"{}\"", info.name),
            "it moves nothing that has mass or inertia; give its body (or a body it carries) some, or the joint an armature",
        ));
    }
    Ok(())
}
